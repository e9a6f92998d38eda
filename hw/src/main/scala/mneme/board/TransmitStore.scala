package mneme.board

import mneme.net.{CountedBeat, FrameBeat}
import spinal.core._
import spinal.lib._

/** Whole frames from the core's clock, 512 bits wide, to the sender's, 64 bits wide: a frame is offered there only when all of it has come, and then in
  * words of which there is one in every cycle.
  *
  * The core waits while there is no room. A frame of more than `maxFrame` bytes, which the core does not make, is dropped whole.
  */
case class TransmitStore(beats: Int, maxFrame: Int, line: ClockDomain, core: ClockDomain, shared: Boolean = false) extends Component {
  require(Integer.bitCount(beats) == 1 && 64 * beats >= 2 * maxFrame, s"a transmit store of $beats beats does not hold two frames of $maxFrame bytes")

  val io = new Bundle {
    /** In the core's clock. */
    val frames = slave(Stream(FrameBeat()))
    val tooLong = out Bool ()
    /** Of a shared port: there is room for the longest frame, so that one that begins now is taken without a break. */
    val room = shared generate (out Bool ())
    /** In the sender's clock. */
    val words = master(Stream(FrameWord()))
  }
  private val pointerBits = log2Up(beats) + 1
  private val most = (maxFrame + 63) / 64
  private val memory = CrossingMemory(CountedBeat().getBitsWidth, 1, beats, core, line)

  val writer = new ClockingArea(core) {
    val whole, at = Reg(UInt(pointerBits bits)) init 0
    val count = Reg(UInt(log2Up(most + 1) bits)) init 0
    val freed = UInt(pointerBits bits)
    private val came = io.frames.s2mPipe()
    private val beat = CountedBeat.of(came.payload)
    private val beyond = count === most
    private val over = beyond || (count === most - 1 && Bool(maxFrame % 64 != 0) && beat.lastByte >= maxFrame % 64)
    came.ready := (at - freed) =/= beats || beyond
    memory.io.write.valid := came.fire && !beyond
    memory.io.write.row := at.resized
    memory.io.write.mask := 1
    memory.io.write.data := beat.asBits
    when(came.fire) {
      when(!beyond) {
        at := at + 1
        count := count + 1
      }
      when(came.last) {
        count := 0
        when(over)(at := whole) otherwise (whole := at + 1)
      }
    }
    // What the pipe before it holds, and what this register does not know of yet, are less than the slack.
    if (shared) io.room := RegNext((at - freed) <= beats - most - TransmitStore.SLACK) init False
    io.tooLong := RegNext(came.fire && came.last && over) init False
  }
  val toLine = Follower(writer.whole, core, line)

  val reader = new ClockingArea(line) {
    val at = Reg(UInt(pointerBits bits)) init 0
    private val wanted = Stream(UInt(log2Up(beats) bits))
    wanted.valid := at =/= toLine.value
    wanted.payload := at.resized
    when(wanted.fire)(at := at + 1)
    private val row = wanted.m2sPipe()
    memory.io.read.valid := wanted.fire
    memory.io.read.payload := wanted.payload
    private val beat = CountedBeat()
    beat.assignFromBits(memory.io.row)
    val lane = Reg(UInt(3 bits)) init 0
    private val lastLane = lane === beat.lastByte(5 downto 3)
    private val word = FrameWord()
    word.data := beat.data.subdivideIn(64 bits).read(lane)
    word.last := beat.last && lastLane
    word.lastByte := word.last ? beat.lastByte(2 downto 0) | U(7, 3 bits)
    word.damaged := beat.user(0)
    private val words = Stream(FrameWord())
    words.valid := row.valid
    words.payload := word
    row.ready := words.ready && lastLane
    when(words.fire)(lane := lastLane ? U(0) | lane + 1)
    io.words << words.m2sPipe()
  }
  val toCore = Follower(reader.at, line, core)
  writer.freed := toCore.value
}

object TransmitStore {
  /** Beats that are not counted as room. */
  val SLACK = 8
}
