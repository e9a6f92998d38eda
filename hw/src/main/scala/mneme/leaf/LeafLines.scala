package mneme.leaf

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Lines of eight entries, of which some are kept. Nobody else reads or writes them, so what is kept here is what holds.
  *
  * An example. Line 70 is asked for, and is not kept: a beat is read. It becomes another one: that is kept at once, and goes to memory while others are
  * asked for. A line stays here until memory has taken it. Has memory refused it, then it is written once more when its place is needed; is it refused
  * again, the line that needs the place cannot be had, and nothing is lost.
  *
  * | asked for | cycles from `ask` to `ended` |
  * |---|---|
  * | kept | 2 |
  * | not kept | 4, and memory's |
  */
case class LeafLines(l: LeafConfig, planted: Faults[LeafFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val ask = slave Stream (UInt(l.lineBits bits))
    /** The line that was asked for is there, or could not be had (an error). */
    val ended = master Flow (Bool())
    val line = out(FrameLine(l))
    /** Which of its entries are frames: kept beside it, so that no comparison stands behind `ended`. */
    val there = out Bits (LeafConfig.LANES bits)
    /** The line that was asked for last becomes this. */
    val change = slave Stream (FrameLine(l))

    val read = master Stream (UInt(l.lineBits bits))
    val got = slave Flow (RingLine(l.frameBits, LeafConfig.LANES))
    val write = master Stream (LineWrite(l))
    val written = slave Flow (Bool())
    val memoryError = out Bool ()
    /** Every line is in memory. */
    val clean = out Bool ()
  }
  private val indexBits = log2Up(l.lines)
  private val tagBits = l.lineBits - indexBits
  private val kept = Mem(FrameLine(l), l.lines).addAttribute("ram_style", "distributed")
  private val keptThere = Mem(Bits(LeafConfig.LANES bits), l.lines).addAttribute("ram_style", "distributed")
  private val tags = Mem(UInt(tagBits bits), l.lines).addAttribute("ram_style", "distributed")
  private val valid, dirty = Reg(Bits(l.lines bits)) init 0

  private object State extends SpinalEnum {
    val IDLE, LOOK, EVICT, EVICTED, READ, GOT, CHANGE = newElement()
  }
  private val state = RegInit(State.IDLE)
  private val asked = RegNextWhen(io.ask.payload, io.ask.fire)
  // Runs of lines have places of their own, also those that lie far from each other.
  private def index(line: UInt): UInt = line.resize(indexBits) ^ line(line.high downto indexBits).resize(indexBits)
  private val place = index(asked)
  private val tag = asked(asked.high downto indexBits)
  private val line = Reg(FrameLine(l))
  private val there = Reg(Bits(LeafConfig.LANES bits))
  private val ended = RegInit(False)
  private val failed = Reg(Bool())
  private val outstanding = RegInit(False)
  private val writing = Reg(UInt(indexBits bits))
  private val oldTag = tags.readAsync(place)
  private val hit = valid(place) && oldTag === tag

  /** The line at `place` is this from now on. */
  private def keep(frames: Vec[UInt]): Unit = {
    val present = B(frames.map(_ =/= 0))
    line := frames
    there := present
    kept.write(place, frames)
    keptThere.write(place, present)
    tags.write(place, tag)
    valid(place) := True
  }

  io.ask.ready := state === State.IDLE && !io.change.valid
  io.change.ready := state === State.IDLE && !outstanding
  io.ended.valid := ended
  io.ended.payload := failed
  io.line := line
  io.there := there
  io.read.valid := state === State.READ
  io.read.payload := asked
  io.write.valid := state === State.EVICT || state === State.CHANGE
  io.write.line := asked
  // What the place has been made of gives back the line's low bits.
  when(state === State.EVICT)(io.write.line := oldTag @@ (place ^ oldTag.resize(indexBits)))
  io.write.frames := line
  io.write.zeros := False
  ended := False
  io.memoryError := (io.written.valid && io.written.payload) || (io.got.valid && io.got.error)
  io.clean := !dirty.orR

  when(io.write.fire) {
    outstanding := True
    writing := place
  }
  when(io.written.valid) {
    outstanding := False
    when(!io.written.payload || planted.choose(LeafFault.RefusedEntryDropped, wrong = True, right = False))(dirty(writing) := False)
  }

  switch(state) {
    is(State.IDLE) {
      when(io.ask.valid)(state := State.LOOK)
      when(io.change.fire) {
        keep(io.change.payload)
        dirty(place) := True
        state := State.CHANGE
      }.elsewhen(io.change.valid)(state := State.IDLE)
    }
    is(State.LOOK) {
      line := kept.readAsync(place)
      there := keptThere.readAsync(place)
      failed := False
      when(hit) {
        ended := True
        state := State.IDLE
      }.elsewhen(!dirty(place))(state := State.READ)
        .elsewhen(!outstanding)(state := State.EVICT)
    }
    is(State.EVICT)(when(io.write.fire)(state := State.EVICTED))
    is(State.EVICTED) {
      when(io.written.valid) {
        state := State.READ
        when(io.written.payload) {
          failed := True
          ended := True
          state := State.IDLE
        }
      }
    }
    is(State.READ)(when(io.read.fire)(state := State.GOT))
    is(State.GOT) {
      when(io.got.valid) {
        state := State.IDLE
        ended := True
        failed := io.got.error
        when(!io.got.error)(keep(io.got.frames))
      }
    }
    is(State.CHANGE)(when(io.write.fire)(state := State.IDLE))
  }
}
