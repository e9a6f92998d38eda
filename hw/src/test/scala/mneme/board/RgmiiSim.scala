package mneme.board

import mneme.board.XgmiiSim._
import spinal.core._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** The pins of RGMII, nibble by nibble, as RGMII 2.0 has them: what a port is held against. */
object RgmiiSim {
  /** What one cycle of the line carries; `error` is the sender's word that the byte is wrong. */
  case class Cycle(byte: Int, valid: Boolean, error: Boolean = false)
  /** Idle, with the link's state in it: up, 1 Gbit/s, full duplex. */
  val idle: Cycle = Cycle(0xdd, valid = false)

  val preamble: Bytes = Seq.fill(7)(0x55) :+ 0xd5
  /** A frame without check sequence on the line. */
  def onLine(frame: Bytes): Seq[Cycle] = raw(preamble ++ frame ++ fcs(frame))
  def raw(bytes: Bytes): Seq[Cycle] = bytes.map(Cycle(_, valid = true))

  /** What the pins of a cycle say. */
  def read(word: RgmiiWord): Cycle = {
    val (rise, fall) = (word.rise.control.toBoolean, word.fall.control.toBoolean)
    Cycle(word.fall.data.toInt << 4 | word.rise.data.toInt, rise, rise != fall)
  }
  def drive(word: RgmiiWord, cycle: Cycle): Unit = {
    word.rise.data #= cycle.byte & 15
    word.fall.data #= cycle.byte >> 4
    word.rise.control #= cycle.valid
    word.fall.control #= cycle.valid != cycle.error
  }

  /** A frame that was sent: what stood behind the delimiter, the idle cycles before its preamble, whether it was marked as wrong. */
  case class Sent(bytes: Bytes, gap: Int, error: Boolean)

  /** Takes what a port sent apart; a preamble that is not seven bytes and a delimiter is an error. */
  def frames(cycles: Seq[Cycle]): Seq[Sent] = {
    val found = mutable.ArrayBuffer[Sent]()
    var (rest, gap) = (cycles.toVector, 0)
    while (rest.nonEmpty) {
      gap = rest.indexWhere(_.valid)
      if (gap < 0) rest = Vector()
      else {
        require(rest.take(gap).forall(!_.error), "an error between frames")
        val (frame, behind) = rest.drop(gap).span(_.valid)
        if (behind.nonEmpty) {
          require(frame.take(8).map(_.byte) == preamble, s"a preamble of ${frame.take(8).map(_.byte)}")
          found += Sent(frame.drop(8).map(_.byte), gap, frame.exists(_.error))
        }
        rest = behind
      }
    }
    found.toSeq
  }
}

/** A port between RGMII and the core's streams; each clock has a period of its own, in ps. */
class RgmiiBench(dut: RgmiiPort, seed: Int, core: Int = 25000, rx: Int = 8000, tx: Int = 8000) extends CoreSide {
  import RgmiiSim._
  val r = new Random(seed)
  val clock: ClockDomain = dut.clockDomain
  val toPort = mutable.Queue[Cycle]()
  val fromPort = mutable.ArrayBuffer[Cycle]()
  /** How many of a million bytes are changed on their way in. */
  var damagePerMillion = 0
  protected val patience = 400000
  protected def lineLeft: Int = toPort.size
  def forget(): Unit = forget(dut.io.net.tx)

  private def damage(cycle: Cycle): Cycle =
    if (!cycle.valid || r.nextInt(1000000) >= damagePerMillion) cycle
    else if (r.nextInt(4) == 0) cycle.copy(error = true)
    else cycle.copy(byte = cycle.byte ^ (1 << r.nextInt(8)))
  drive(dut.io.rx, idle)
  restPorts(dut.io.net.rx, dut.io.net.tx, dut.io.counter.index, dut.io.counter.value)
  LineSim.run(dut.io.rx_clock, rx)
  LineSim.run(dut.io.tx_clock, tx)
  ClockDomain(dut.io.rx_clock).onSamplings(drive(dut.io.rx, if (toPort.isEmpty) idle else damage(toPort.dequeue())))
  ClockDomain(dut.io.tx_clock).onSamplings(fromPort += read(dut.io.tx))
  runCore(dut.io.net.rx, dut.io.net.tx, core)

  def line(frames: Seq[Bytes], gap: Int = 12): Unit = for (frame <- frames) put(onLine(frame), gap)
  def put(cycles: Seq[Cycle], gap: Int = 12): Unit = toPort ++= cycles ++ Seq.fill(gap)(idle)
  def sent(): Seq[Bytes] = {
    val all = frames(fromPort.toSeq)
    for (frame <- all) assert(!frame.error && fcs(frame.bytes.dropRight(4)) == frame.bytes.takeRight(4))
    all.map(_.bytes.dropRight(4))
  }
  /** Waits for the port's resets, which its clocks take part in. */
  def up(): Unit = {
    cycles(50)
    until("a link")(dut.io.link.up.toBoolean && dut.io.link.gigabit.toBoolean && dut.io.link.fullDuplex.toBoolean)
    cycles(20)
    fromPort.clear()
  }
}
