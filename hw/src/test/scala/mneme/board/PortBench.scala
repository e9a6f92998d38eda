package mneme.board

import mneme.board.PcsReference._
import mneme.board.XgmiiSim._
import mneme.net.FrameBeat
import spinal.core._
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** A port between a line, which the reference makes bit by bit, and the core's streams; each clock has a period of its own, in ps. */
class PortBench(dut: EthernetPort, seed: Int, core: Int = 4000, rx: Int = 6400, tx: Int = 6400) {
  val r = new Random(seed)
  private val rxClock = ClockDomain(dut.io.rx_clock)
  private val txClock = ClockDomain(dut.io.tx_clock)
  val clock: ClockDomain = dut.clockDomain
  /** How often the core takes a beat, and offers one, in percent. */
  var (takes, offers) = (100, 100)
  var address = BigInt("021122334455", 16)

  // --- The line to the port: words to come, and bits on the way. A lost bit puts all later ones out of step.
  val toPort = mutable.Queue[Word]()
  private val bits = mutable.Queue[Boolean]()
  private val (encoder, scrambler) = (new Encoder, new Shift)
  /** Bits to leave out, and how likely a bit of a block is to be turned round, in a million. */
  var lose = 0
  var damagePerMillion = 0
  /** The transceiver's gearbox has no block now and then. */
  var gearboxPauses = false
  /** What comes when there is nothing to send; None is noise. */
  var idleWord: Option[Word] = Some(PcsReference.idle)
  /** The edge that takes the line's last block, and that at which the first block with /S/ has left. */
  var (lastBlockIn, startOut) = (0L, 0L)
  private def nextBlock(): Unit = if (gearboxPauses && r.nextInt(33) == 0) dut.io.rx.valid #= false
  else {
    while (bits.size < 66 + lose) bits ++= (idleWord match {
      case None => Seq.fill(66)(r.nextBoolean())
      case Some(word) =>
        if (toPort.size == 1) lastBlockIn = simTime() + rx
        scrambler.scramble(encoder(if (toPort.isEmpty) word else toPort.dequeue()))
    })
    for (_ <- 0 until lose) bits.dequeue()
    lose = 0
    val block = Seq.fill(66)(bits.dequeue())
    val damaged = if (r.nextInt(1000000) < 66 * damagePerMillion) { val i = r.nextInt(66); block.updated(i, !block(i)) }
    else block
    dut.io.rx.valid #= true
    PcsSim.put(dut.io.rx.payload, damaged)
  }

  // --- The line from the port.
  val fromPort = mutable.ArrayBuffer[Lane]()
  private val (descrambler, decoder) = (new Shift, new Decoder)
  private var before = Option.empty[Seq[Boolean]]
  private def takeBlock(): Unit = {
    val block = descrambler.descramble(PcsSim.bits(dut.io.tx))
    if (startOut == 0 && decode(block)._1 == 'S') startOut = simTime()
    for (b <- before) fromPort ++= decoder(b, block)
    before = Some(block)
  }

  // --- The core's streams.
  val received = mutable.ArrayBuffer[Bytes]()
  private val coming = mutable.ArrayBuffer[Int]()
  val toSend = mutable.Queue[Bytes]()
  private val beats = mutable.Queue[(Bytes, Boolean)]()
  /** Marks the next frames as damaged. */
  var damaged = false
  /** Times of the first beat that came, and of the last one that was taken. */
  var (firstBeatOut, lastBeatIn) = (0L, 0L)

  private def takeBeat(port: Stream[FrameBeat]): Unit = {
    if (port.valid.toBoolean && port.ready.toBoolean) {
      if (firstBeatOut == 0) firstBeatOut = simTime()
      val (data, keep) = (port.data.toBigInt, port.keep.toBigInt)
      val count = keep.bitCount
      assert(keep == (BigInt(1) << count) - 1 && count > 0 && (port.last.toBoolean || count == 64), "a beat is full, or a frame's last one")
      assert(port.user.toInt == 0)
      coming ++= (0 until count).map(i => ((data >> (8 * i)) & 0xff).toInt)
      if (port.last.toBoolean) { received += coming.toSeq; coming.clear() }
    }
    port.ready #= r.nextInt(100) < takes
  }
  private def giveBeat(port: Stream[FrameBeat]): Unit = {
    val taken = port.valid.toBoolean && port.ready.toBoolean
    if (taken) { lastBeatIn = simTime(); beats.dequeue() }
    if (taken || !port.valid.toBoolean) {
      if (beats.isEmpty && toSend.nonEmpty) {
        val parts = toSend.dequeue().grouped(64).toSeq
        beats ++= parts.zipWithIndex.map { case (part, i) => (part, i == parts.size - 1) }
      }
      val offered = beats.nonEmpty && r.nextInt(100) < offers
      port.valid #= offered
      if (offered) {
        val (part, last) = beats.head
        port.data #= part.zipWithIndex.foldLeft(BigInt(0)) { case (n, (b, i)) => n | (BigInt(b) << (8 * i)) }
        port.keep #= (BigInt(1) << part.size) - 1
        port.last #= last
        port.user #= (if (damaged && last) 1 else 0)
      }
    }
  }
  /** A reset of the core ends what was on its way at its ports. */
  def forget(): Unit = { coming.clear(); beats.clear(); dut.io.net.tx.valid #= false }

  def run(clock: Bool, period: Int): Unit = fork { while (true) { clock #= false; sleep(period / 2); clock #= true; sleep(period - period / 2) } }
  dut.io.rx.valid #= false
  dut.io.rx_signalOk #= true
  dut.io.net.tx.valid #= false
  dut.io.net.rx.ready #= false
  dut.io.settings.address #= address
  dut.io.settings.sendPauses #= false
  dut.io.counter.index #= 0
  run(dut.io.rx_clock, rx)
  run(dut.io.tx_clock, tx)
  clock.forkStimulus(core)
  rxClock.onSamplings { if (dut.io.rx_slip.toBoolean) lose += 1; nextBlock() }
  txClock.onSamplings(takeBlock())
  clock.onSamplings { takeBeat(dut.io.net.rx); giveBeat(dut.io.net.tx) }

  def cycles(count: Int): Unit = clock.waitSampling(count)
  def until(what: String, most: Int = 200000)(condition: => Boolean): Unit = {
    var left = most
    while (!condition) {
      cycles(10)
      left -= 10
      assert(left > 0, s"never: $what; ${received.size} frames received, ${toSend.size} to send, ${toPort.size} words to come, ${counted()}")
    }
  }
  /** Waits for a link in both directions; before it, what the port sends is nothing that frames are in. */
  def up(): Unit = {
    // Before the first edges registers hold anything.
    cycles(50)
    until("a link")(dut.io.status.lock.toBoolean && !dut.io.status.localFault.toBoolean && !dut.io.status.remoteFault.toBoolean)
    cycles(100)
    fromPort.clear()
  }
  def count(counter: PortCounter.Value): Int = {
    dut.io.counter.index #= counter.id
    cycles(3)
    dut.io.counter.value.toBigInt.toInt
  }
  /** All counters that are not 0, once everything has been told. */
  def counted(): Map[PortCounter.Value, Int] = { cycles(600); PortCounter.values.toSeq.map(c => c -> count(c)).filter(_._2 > 0).toMap }
  /** Frames onto the line to the port, with gaps of 12 bytes on average. */
  def line(frames: Seq[Word], gap: Int = 11): Unit = {
    val line = new XgmiiSim.Line
    for (frame <- frames) { line.put(frame); line.gap(gap) }
    toPort ++= line.words
  }
  /** What the port has sent, without check sequences, which are right. */
  def sent(): Seq[Bytes] = XgmiiSim.frames(fromPort.toVector).map { s =>
    assert(s.bytes.takeRight(4) == fcs(s.bytes.dropRight(4)), "a wrong check sequence")
    s.bytes.dropRight(4)
  }
}
