package mneme.board

import mneme.{apart, knownBits}
import mneme.net.FrameBeat
import spinal.core._
import spinal.lib._

/** Whole frames in words of eight bytes, which become beats of 64 in one register, for boards whose wires are few: what is stored is 69 bits wide.
  *
  * A frame is written as it comes and handed on with its last word, if it is not damaged. One that finds no room is dropped whole; so is one that is cut
  * off, when the next one begins. `words` fit, a power of two. A beat takes a cycle for each of its words.
  */
case class NarrowReceiveStore(words: Int) extends Component {
  import NarrowReceiveStore._
  require(Integer.bitCount(words) == 1 && words >= 4, s"a receive store of $words words: a power of two from 4 on is needed")

  val io = new Bundle {
    val words = slave(Flow(ReceivedWord()))
    /** A good frame was dropped, as there was no room. */
    val overflow = out Bool ()
    val frames = master(Stream(FrameBeat()))
  }
  private val placeBits = log2Up(words) + 1
  private val memory = apart(Mem(StoredWord(), words)).addAttribute("ram_style", "block")
  private val whole = Reg(UInt(placeBits bits)) init 0
  private val freed = Reg(UInt(placeBits bits)) init 0

  val writer = new Area {
    val at = Reg(UInt(placeBits bits)) init 0
    val missed = RegInit(False)
    private val in = io.words
    private val place = in.first ? whole | at
    private val noRoom = (place - freed) === words
    private val lost = noRoom || (missed && !in.first)
    private val stored = StoredWord()
    stored.data := in.word.data
    stored.lastByte := in.word.lastByte
    stored.last := in.word.last
    memory.write(place.resized, stored, in.valid && !lost)
    private val keeps = in.valid && in.word.last && !in.word.damaged
    when(in.valid) {
      at := place + 1
      missed := lost && !in.word.last
      when(keeps && !lost)(whole := place + 1)
    }
    io.overflow := RegNext(keeps && lost) init False
  }

  val reader = new Area {
    private val wanted = Stream(UInt(log2Up(words) bits))
    wanted.valid := freed =/= whole
    wanted.payload := freed.resized
    when(wanted.fire)(freed := freed + 1)
    // What memory has read stays there until it is taken.
    private val row = wanted.m2sPipe()
    private val word = memory.readSync(wanted.payload, wanted.fire)
    /** The beat that is being filled, or is full. */
    val data = Vec(Reg(Bits(64 bits)), LANES)
    val lastByte = Reg(UInt(6 bits))
    val last = Reg(Bool())
    val lane = Reg(UInt(log2Up(LANES) bits)) init 0
    val full = RegInit(False)
    row.ready := !full || io.frames.ready
    when(io.frames.fire)(full := False)
    when(row.fire) {
      for (i <- 0 until LANES) when(lane === i)(data(i) := word.data)
      last := word.last
      lastByte := lane @@ word.lastByte
      lane := word.last ? U(0) | lane + 1
      when(word.last || lane.andR)(full := True)
    }
    io.frames.valid := full
    io.frames.data := data.asBits
    io.frames.last := last
    io.frames.user := 0
    io.frames.keep := knownBits(full, 64)(i => if (i == 0) True else !last || lastByte >= i)
  }
}

object NarrowReceiveStore {
  val LANES = 8
}
