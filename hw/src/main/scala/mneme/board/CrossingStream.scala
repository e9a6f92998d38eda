package mneme.board

import mneme.Faults
import spinal.core._
import spinal.lib._

/** A stream from one clock to another, a word in every cycle: `depth` words, a power of two, in block RAM. Any two clocks will do.
  *
  * The places of writer and reader go over as Gray codes, of which one bit changes at a time: whoever samples one in the midst of a change sees the place
  * before it or after. A word is there one cycle of the sender and five of the receiver after it was offered. Both sides are reset together, see
  * [[CrossingReset]]; a writer may begin before its reader.
  */
case class CrossingStream[T <: Data](word: HardType[T], depth: Int, from: ClockDomain, to: ClockDomain, faults: Faults[StreamFault.Value] = Faults.none)
    extends Crossing {
  require(depth >= 4 && Integer.bitCount(depth) == 1, s"a crossing of $depth words: a power of two from 4 on is needed")
  override def within: String = CrossingStream.WITHIN
  val io = new Bundle {
    val in = slave(Stream(word()))
    val out = master(Stream(word()))
  }
  private val placeBits = log2Up(depth) + 1
  private val memory = CrossingMemory(widthOf(word()), 1, depth, from, to)
  private def gray(place: UInt): Bits = faults.choose(StreamFault.Binary, place.asBits, toGray(place))

  val sender = new ClockingArea(from) {
    val at = Reg(UInt(placeBits bits)) init 0
    val coded = Reg(Bits(placeBits bits)) init 0
  }
  val receiver = new ClockingArea(to) {
    val at = Reg(UInt(placeBits bits)) init 0
    val coded = Reg(Bits(placeBits bits)) init 0
    val written = settle(sender.coded, together = true)
    private val wanted = Stream(UInt(log2Up(depth) bits))
    wanted.valid := coded =/= written
    wanted.payload := at.resized
    when(wanted.fire) {
      at := at + 1
      coded := gray(at + 1)
    }
    private val row = wanted.m2sPipe()
    memory.io.read.valid := wanted.fire
    memory.io.read.payload := wanted.payload
    private val out = Stream(word())
    out.arbitrationFrom(row)
    out.payload.assignFromBits(memory.io.row)
    io.out << out.m2sPipe()
  }
  val answered = new ClockingArea(from) {
    val read = settle(receiver.coded, together = true)
    /** Gray codes of places that are `depth` apart differ in their two top bits. */
    private val full = sender.coded === (~read.takeHigh(2) ## read.dropHigh(2))
    io.in.ready := faults.choose(StreamFault.Overruns, True, !full)
    memory.io.write.valid := io.in.fire
    memory.io.write.row := sender.at.resized
    memory.io.write.mask := 1
    memory.io.write.data := io.in.payload.asBits
    when(io.in.fire) {
      sender.at := sender.at + 1
      sender.coded := gray(sender.at + 1)
    }
  }
}

object CrossingStream {
  /** In ns, under a period of the memory's clock of 300 MHz. */
  val WITHIN = "3.300"
}

/** Defects that a proof plants. */
object StreamFault extends Enumeration {
  /** Places go over as binary numbers. */
  val Binary = Value
  /** The writer does not wait for room. */
  val Overruns = Value
}
