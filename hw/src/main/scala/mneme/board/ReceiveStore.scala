package mneme.board

import mneme.net.FrameBeat
import spinal.core._
import spinal.lib._

/** Whole frames from the receiver's clock, 64 bits wide, to the core's, 512 bits wide.
  *
  * A frame is written as it comes and handed on with its last word, if it is not damaged. One that finds no room is dropped whole; so is one that is cut
  * off, when the next one begins. `beats` of 64 bytes fit, a power of two.
  */
case class ReceiveStore(beats: Int, line: ClockDomain, core: ClockDomain) extends Component {
  import ReceiveStore._
  require(Integer.bitCount(beats) == 1 && beats >= 4, s"a receive store of $beats beats: a power of two from 4 on is needed")

  val io = new Bundle {
    /** In the receiver's clock. */
    val words = slave(Flow(ReceivedWord()))
    /** A good frame was dropped, as there was no room. */
    val overflow = out Bool ()
    /** Three quarters are taken, and since then more than half. */
    val filling = out Bool ()
    /** In the core's clock. */
    val frames = master(Stream(FrameBeat()))
  }
  private val pointerBits = log2Up(beats) + 1
  private val memory = CrossingMemory(StoredWord().getBitsWidth, LANES, beats, line, core)

  val writer = new ClockingArea(line) {
    /** Beats written for good, and those of the frame that is coming. */
    val whole, at = Reg(UInt(pointerBits bits)) init 0
    val lane = Reg(UInt(3 bits)) init 0
    val missed = RegInit(False)
    val freed = UInt(pointerBits bits)
    private val beat = io.words.first ? whole | at
    private val place = io.words.first ? U(0, 3 bits) | lane
    private val noRoom = (beat - freed) === beats
    private val lost = noRoom || (missed && !io.words.first)
    private val stored = StoredWord()
    stored.data := io.words.word.data
    stored.lastByte := io.words.word.lastByte
    stored.last := io.words.word.last
    memory.io.write.valid := io.words.valid && !lost
    memory.io.write.row := beat.resized
    memory.io.write.mask := UIntToOh(place, LANES)
    memory.io.write.data := Vec(Seq.fill(LANES)(stored)).asBits
    private val next = beat + ((place.andR || io.words.word.last) ? U(1, 1 bits) | U(0, 1 bits))
    private val keeps = io.words.valid && io.words.word.last && !io.words.word.damaged
    when(io.words.valid) {
      at := next
      lane := place + 1
      missed := lost
      when(io.words.word.last) {
        missed := False
        when(keeps && !lost)(whole := next)
      }
    }
    io.overflow := RegNext(keeps && lost) init False
    val taken = RegNext(at - freed) init 0
    val filling = RegInit(False)
    when(taken >= beats / 4 * 3)(filling := True) elsewhen (taken <= beats / 2)(filling := False)
    io.filling := filling
  }
  val toCore = Follower(writer.whole, line, core)

  val reader = new ClockingArea(core) {
    val at = Reg(UInt(pointerBits bits)) init 0
    private val wanted = Stream(UInt(log2Up(beats) bits))
    wanted.valid := at =/= toCore.value
    wanted.payload := at.resized
    when(wanted.fire)(at := at + 1)
    // What memory has read stays there until it is taken.
    private val row = wanted.m2sPipe()
    memory.io.read.valid := wanted.fire
    memory.io.read.payload := wanted.payload
    private val words = Vec(StoredWord(), LANES)
    words.assignFromBits(memory.io.row)
    // Behind a frame's last word its row holds words of an older frame: the first last one counts.
    private val lasts = words.map(_.last).asBits()
    private val lastLane = OHToUInt(OHMasking.first(lasts)).resize(3)
    private val beat = FrameBeat()
    beat.data := words.map(_.data).asBits()
    beat.last := lasts.orR
    beat.user := 0
    private val lastByte = lastLane @@ words(lastLane).lastByte
    beat.keep := (0 until 64).map(i => Bool(i == 0) || !beat.last || lastByte >= i).asBits()
    io.frames << row.translateWith(beat).m2sPipe()
  }
  val toLine = Follower(reader.at, core, line)
  writer.freed := toLine.value
}

private[board] case class StoredWord() extends Bundle {
  val data = Bits(64 bits)
  val lastByte = UInt(3 bits)
  val last = Bool()
}

object ReceiveStore {
  val LANES = 8
}
