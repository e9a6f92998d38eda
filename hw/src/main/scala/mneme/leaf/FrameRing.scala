package mneme.leaf

import mneme.Faults
import spinal.core._
import spinal.lib._

/** A line of the ring that goes to memory. */
case class RingWrite(elementBits: Int, lanes: Int, lineBits: Int) extends Bundle {
  val line = UInt(lineBits bits)
  val frames = Vec.fill(lanes)(UInt(elementBits bits))
}

/** A line of the ring as memory gave it. */
case class RingLine(elementBits: Int, lanes: Int) extends Bundle {
  val frames = Vec.fill(lanes)(UInt(elementBits bits))
  val error = Bool()
}

/** Free frames, first in, first out: gathered into lines, kept in memory by whole lines, fetched ahead.
  *
  * An example, with lanes of 8. Frames 1 to 8 come one by one; then they are a line, and the line goes to memory. A place is free among those ahead: the line
  * is read, its place is zeroed, and 1 can be taken. That is a beat read and one written for eight frames that are taken, and one written for eight that
  * come. While no line lies in memory, frames go from the gathered ones to those ahead without it.
  *
  * A frame is in one place: in the packer, among gathered lines, in memory between `head` and `head + lines`, ahead, or in the unpacker. One access to
  * memory is under way at a time, so no read passes a write.
  *
  * | memory | what is done |
  * |---|---|
  * | does not take a line | it is written again, to the same place; after `attempts` in a row the ring is `stuck`, and tries again every `rest` cycles |
  * | does not give a line | it is read again; after `attempts` in a row its frames are unknown and lost: nulls (0) come in their places |
  * | does not take zeros | nothing: nobody reads that place before it is written |
  */
case class FrameRing(
    elementBits: Int,
    lanes: Int,
    ahead: Int,
    lineBits: Int,
    attempts: Int = 4,
    rest: Int = 256,
    planted: Faults[LeafFault.Value] = Faults.none
) extends Component {
  private def lineType = HardType(Vec.fill(lanes)(UInt(elementBits bits)))
  val io = new Bundle {
    val push = slave Stream (UInt(elementBits bits))
    val pop = master Stream (UInt(elementBits bits))
    /** So many as a line has can come without memory; memory does not take lines. */
    val room, stuck = out Bool ()

    /** The first line in memory, and the number of lines less one. They change while the ring has no frame. */
    val base, mask = in UInt (lineBits bits)
    val read = master Stream (UInt(lineBits bits))
    val got = slave Flow (RingLine(elementBits, lanes))
    val write = master Stream (RingWrite(elementBits, lanes, lineBits))
    /** An error, or none. */
    val written = slave Flow (Bool())

    val memoryError, lineLost = out Bool ()
  }

  // --- The newest frames, until they are a line.
  val packer = Reg(lineType())
  val packed = Reg(UInt(log2Up(lanes + 1) bits)) init 0
  private val full = packed === lanes
  val gathered = StreamFifo(lineType(), ahead, latency = 1)
  gathered.io.push.valid := full
  gathered.io.push.payload := packer
  /** The packer's frames are the oldest, and go to the unpacker. Known a cycle before: nothing but the packer changes in that one. */
  val moving = RegInit(False)
  private val moves = moving && !full
  io.push.ready := !full && !moving
  when(io.push.fire) {
    for (i <- 0 until lanes) when(packed === i)(packer(i) := io.push.payload)
    packed := packed + 1
  }
  when(gathered.io.push.fire || moves)(packed := 0)
  io.room := RegNext(gathered.io.availability >= 2) init False

  // --- The oldest ones.
  val fetched = StreamFifo(lineType(), ahead, latency = 1)
  val unpacker = Reg(lineType())
  val left = Reg(UInt(log2Up(lanes + 1) bits)) init 0
  io.pop.valid := left =/= 0
  io.pop.payload := unpacker(0)
  fetched.io.pop.ready := left === 0
  when(io.pop.fire) {
    left := left - 1
    for (i <- 0 until lanes - 1) unpacker(i) := unpacker(i + 1)
  }
  when(fetched.io.pop.fire) {
    left := lanes
    unpacker := fetched.io.pop.payload
  }
  when(moves) {
    left := packed
    unpacker := packer
  }

  // --- Between them.
  private[leaf] object State extends SpinalEnum {
    val IDLE, WRITE, WRITTEN, READ, GOT, ZERO, ZEROED = newElement()
  }
  val state = RegInit(State.IDLE)
  val head, lines = Reg(UInt(lineBits bits)) init 0
  /** In a row. */
  val refusals, failures = Reg(UInt(log2Up(attempts) bits)) init 0
  val stuck = RegInit(False)
  private val resting = Reg(UInt(log2Up(rest + 1) bits)) init 0
  when(resting =/= 0)(resting := resting - 1)
  private val none = lines === 0
  private val directly = planted.choose(LeafFault.RingOvertakes, wrong = True, right = none)
  private val passes = state === State.IDLE && directly && gathered.io.pop.valid && fetched.io.push.ready
  moving := !moving && left === 0 && !fetched.io.pop.valid && fetched.io.occupancy === 0 && gathered.io.occupancy === 0 && none &&
    state === State.IDLE && packed =/= 0 && !full

  private val place = planted.choose(LeafFault.RingOverwrites, wrong = head + lines - (lines =/= 0).asUInt, right = head + lines)
  private def at(pointer: UInt): UInt = io.base | (pointer & io.mask)
  io.read.valid := state === State.READ
  io.read.payload := at(head)
  io.write.valid := state === State.WRITE || state === State.ZERO
  io.write.line := at((state === State.ZERO) ? (head - 1) | place)
  io.write.frames := gathered.io.pop.payload
  when(state === State.ZERO)(io.write.frames.foreach(_ := 0))
  gathered.io.pop.ready := passes
  fetched.io.push.valid := passes
  fetched.io.push.payload := gathered.io.pop.payload
  io.memoryError := False
  io.lineLost := False
  io.stuck := stuck

  switch(state) {
    is(State.IDLE) {
      when(!none && fetched.io.push.ready)(state := State.READ)
        .elsewhen(gathered.io.pop.valid && !passes && resting === 0)(state := State.WRITE)
    }
    is(State.WRITE)(when(io.write.fire)(state := State.WRITTEN))
    is(State.WRITTEN) {
      when(io.written.valid) {
        state := State.IDLE
        when(!io.written.payload) {
          gathered.io.pop.ready := True
          lines := lines + 1
          refusals := 0
          stuck := False
        }.otherwise {
          io.memoryError := True
          gathered.io.pop.ready := planted.choose(LeafFault.RefusedLineForgotten, wrong = True, right = False)
          refusals := refusals + 1
          when(refusals === attempts - 1) {
            refusals := 0
            stuck := True
            resting := rest
          }
        }
      }
    }
    is(State.READ)(when(io.read.fire)(state := State.GOT))
    is(State.GOT) {
      fetched.io.push.payload := io.got.frames
      when(io.got.valid) {
        val lost = failures === attempts - 1
        state := State.READ
        when(io.got.error) {
          io.memoryError := True
          failures := failures + 1
        }
        when(!io.got.error || lost) {
          fetched.io.push.valid := True
          when(io.got.error) {
            fetched.io.push.payload.foreach(_ := 0)
            io.lineLost := True
          }
          failures := 0
          head := head + 1
          lines := lines - 1
          state := State.ZERO
        }
      }
    }
    is(State.ZERO)(when(io.write.fire)(state := State.ZEROED))
    is(State.ZEROED) {
      when(io.written.valid) {
        io.memoryError := io.written.payload
        state := State.IDLE
      }
    }
  }
}
