package mneme.board

import mneme.apart
import mneme.net.{CountedBeat, FrameBeat}
import spinal.core._
import spinal.lib._

/** Whole frames in words of eight bytes, from beats of 64, for boards whose wires are few: a frame is offered only when all of it has come, and then in words
  * of which there is one in every cycle.
  *
  * A beat waits in one register until its words are stored, one in each cycle. A frame of more than `maxFrame` bytes, which the core does not make, is
  * dropped whole. `words` fit, a power of two.
  */
case class NarrowTransmitStore(words: Int, maxFrame: Int) extends Component {
  require(Integer.bitCount(words) == 1 && 8 * words >= 2 * (maxFrame + 7), s"a transmit store of $words words does not hold two frames of $maxFrame bytes")

  val io = new Bundle {
    val frames = slave(Stream(FrameBeat()))
    val tooLong = out Bool ()
    val words = master(Stream(FrameWord()))
  }
  private val placeBits = log2Up(words) + 1
  private val most = (maxFrame + 7) / 8
  private val memory = apart(Mem(FrameWord(), words)).addAttribute("ram_style", "block")
  private val whole = Reg(UInt(placeBits bits)) init 0
  private val freed = Reg(UInt(placeBits bits)) init 0

  val writer = new Area {
    /** The word that is stored next is lowest. */
    val beat = Reg(CountedBeat())
    val holds = RegInit(False)
    val lane = Reg(UInt(3 bits)) init 0
    val at = Reg(UInt(placeBits bits)) init 0
    val count = Reg(UInt(log2Up(most + 1) bits)) init 0

    private val word = FrameWord()
    private val ends = lane === beat.lastByte(5 downto 3)
    word.data := beat.data(63 downto 0)
    word.last := beat.last && ends
    word.lastByte := word.last ? beat.lastByte(2 downto 0) | U(7, 3 bits)
    word.damaged := beat.user(0)
    private val beyond = count === most
    private val over = beyond || (count === most - 1 && Bool(maxFrame % 8 != 0) && word.lastByte >= maxFrame % 8)
    private val goes = holds && ((at - freed) =/= words || beyond)
    memory.write(at.resized, word, goes && !beyond)
    io.frames.ready := !holds || (goes && ends)
    when(goes) {
      beat.data := beat.data |>> 64
      lane := ends ? U(0) | lane + 1
      when(ends)(holds := False)
      when(!beyond) {
        at := at + 1
        count := count + 1
      }
      when(word.last) {
        count := 0
        when(over)(at := whole) otherwise (whole := at + 1)
      }
    }
    when(io.frames.fire) {
      holds := True
      beat := CountedBeat.of(io.frames.payload)
    }
    io.tooLong := RegNext(goes && word.last && over) init False
  }

  val reader = new Area {
    private val wanted = Stream(UInt(log2Up(words) bits))
    wanted.valid := freed =/= whole
    wanted.payload := freed.resized
    when(wanted.fire)(freed := freed + 1)
    // What memory has read stays there until it is taken.
    io.words.arbitrationFrom(wanted.m2sPipe())
    io.words.payload := memory.readSync(wanted.payload, wanted.fire)
  }
}
