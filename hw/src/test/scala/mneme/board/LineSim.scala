package mneme.board

import mneme.board.PcsReference._
import mneme.board.XgmiiSim._
import spinal.core._
import spinal.core.sim._
import spinal.lib.Flow

import scala.collection.mutable
import scala.util.Random

/** A 10G line at a transceiver's boundary, which the reference makes and reads bit by bit. Periods of its clocks are in ps. */
class LineSim(pins: LineSim.Pins, val r: Random, rx: Int, tx: Int) {
  // --- To the port: words to come, and bits on the way. A lost bit puts all later ones out of step.
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
  private def nextBlock(): Unit = if (gearboxPauses && r.nextInt(33) == 0) pins.rx.valid #= false
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
    pins.rx.valid #= true
    PcsSim.put(pins.rx.payload, damaged)
  }

  // --- From the port.
  val fromPort = mutable.ArrayBuffer[Lane]()
  private val (descrambler, decoder) = (new Shift, new Decoder)
  private var before = Option.empty[Seq[Boolean]]
  private def takeBlock(): Unit = {
    val block = descrambler.descramble(PcsSim.bits(pins.tx))
    if (startOut == 0 && decode(block)._1 == 'S') startOut = simTime()
    for (b <- before) fromPort ++= decoder(b, block)
    before = Some(block)
  }

  /** Starts the line's clocks. */
  def runLine(): Unit = {
    pins.rx.valid #= false
    LineSim.run(pins.rxClock, rx)
    LineSim.run(pins.txClock, tx)
    ClockDomain(pins.rxClock).onSamplings { if (pins.slip.toBoolean) lose += 1; nextBlock() }
    ClockDomain(pins.txClock).onSamplings(takeBlock())
  }

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

object LineSim {
  /** The transceiver's side of a port. */
  case class Pins(rxClock: Bool, txClock: Bool, rx: Flow[Block], slip: Bool, tx: Block)

  def run(clock: Bool, period: Int): Unit = {
    // Not a thread of the simulation's: its turns would cost more than all else.
    def edge(up: Boolean): Unit = {
      clock #= up
      delayed(if (up) period - period / 2 else period / 2)(edge(!up))
    }
    edge(up = false)
  }
}
