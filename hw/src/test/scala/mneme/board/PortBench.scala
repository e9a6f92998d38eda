package mneme.board

import mneme.board.XgmiiSim._
import mneme.net.FrameBeat
import spinal.core._
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** A port between a line and the core's streams; each clock has a period of its own, in ps. */
class PortBench(dut: EthernetPort, seed: Int, core: Int = 4000, rx: Int = 6400, tx: Int = 6400)
    extends LineSim(LineSim.Pins(dut.io.rx_clock, dut.io.tx_clock, dut.io.rx, dut.io.rx_slip, dut.io.tx), new Random(seed), rx, tx) {
  val clock: ClockDomain = dut.clockDomain
  /** How often the core takes a beat, and offers one, in percent. */
  var (takes, offers) = (100, 100)
  var address = BigInt("021122334455", 16)

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

  dut.io.rx_signalOk #= true
  dut.io.net.tx.valid #= false
  dut.io.net.rx.ready #= false
  dut.io.settings.address #= address
  dut.io.settings.sendPauses #= false
  dut.io.counter.index #= 0
  runLine()
  clock.forkStimulus(core)
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
  def count(counter: Int): Int = {
    dut.io.counter.index #= counter
    cycles(3)
    dut.io.counter.value.toBigInt.toInt
  }
  /** All counters that are not 0, once everything has been told. */
  def counted(): Map[Int, Int] = { cycles(600); (0 until PortCounters.COUNT).map(c => c -> count(c)).filter(_._2 > 0).toMap }
}
