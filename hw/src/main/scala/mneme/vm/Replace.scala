package mneme.vm

import mneme.{CBoardConfig, ReplaceCommand, ReplaceResult}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** The slow path's replace with its shoot-down (contracts §3): block, walk, compare, write, await B, invalidate, drain, acknowledge.
  *
  * Fair both ways: while a command runs no request enters, so it ends within the time that the requests already inside need; after one
  * ended, up to `credit` waiting requests enter before the next.
  */
case class Replace(c: CBoardConfig, planted: PlantedFaults = PlantedFaults.none) extends Component {
  val io = new Bundle {
    val command = slave Stream (ReplaceCommand(c))
    val result = master Flow (ReplaceResult())

    /** No request may enter translation. */
    val block = out Bool ()

    /** A request waits to enter; one enters now. */
    val waiting, entering = in Bool ()

    /** No request is inside translation; none is between translation and its answer. */
    val quiet, drained = in Bool ()
    val walk = master Stream (PageKey(c))
    val walked = slave Stream (Walked(c))
    val write = master Stream (EntryWrite(c))
    val written = slave Flow (Bool())

    /** The TLB is to look `key` up now; to forget what it found. */
    val key = out(PageKey(c))
    val lookup, invalidate = out Bool ()
  }

  private object State extends SpinalEnum {
    val IDLE, QUIET, WALK, FOUND, COMPARE, SEAL, WRITE, WRITTEN, LOOKUP, INVALIDATE, DRAIN, ACKNOWLEDGE = newElement()
  }
  private val state = RegInit(State.IDLE)
  private val credit = Reg(UInt(4 bits)) init 0
  when(!io.waiting) {
    credit := 0
  } elsewhen (io.entering && credit =/= 0) {
    credit := credit - 1
  }

  private val command = RegNextWhen(io.command.payload, io.command.fire)
  private val key = RegNext(PageKey.of(c, command.pid, command.vpn))
  private val slot = Reg(Bits(Wire.BUCKET_ENTRIES bits))
  private val old, value = Reg(Bits(64 bits))
  private val status = Reg(Bits(8 bits))

  io.command.ready := state === State.IDLE && credit === 0
  io.block := planted.choose(PlantedFault.NoBlock, wrong = state === State.QUIET, right = state =/= State.IDLE)
  io.walk.valid := state === State.WALK
  io.walk.payload := key
  io.walked.ready := state === State.FOUND
  io.write.valid := state === State.WRITE
  io.write.bucket := key.bucket
  io.write.slot := slot
  io.write.entry := value
  io.key := key
  io.lookup := state === State.LOOKUP
  io.invalidate := planted.choose(PlantedFault.NoShootDown, wrong = False, right = state === State.INVALIDATE)
  io.result.valid := state === State.ACKNOWLEDGE
  io.result.status := status
  io.result.old := old

  switch(state) {
    is(State.IDLE) {
      when(io.command.fire)(state := State.QUIET)
    }
    is(State.QUIET) {
      when(io.quiet)(state := State.WALK)
    }
    is(State.WALK) {
      when(io.walk.fire)(state := State.FOUND)
    }
    is(State.FOUND) {
      old := Mux(io.walked.found, io.walked.entry, B(0, 64 bits))
      slot := Mux(io.walked.found, io.walked.slot, io.walked.free)
      when(io.walked.valid) {
        state := State.COMPARE
        when(io.walked.memoryError) {
          old := 0
          status := Wire.ReplaceStatus.ERROR
          state := State.ACKNOWLEDGE
        } elsewhen (!io.walked.found && !io.walked.free.orR) {
          status := Wire.ReplaceStatus.FULL
          state := State.ACKNOWLEDGE
        }
      }
    }
    is(State.COMPARE) {
      value := (old & ~command.write) | (command.value & command.write)
      state := State.SEAL
      when(((old ^ command.expected) & command.compare).orR) {
        status := Wire.ReplaceStatus.MISMATCH
        state := State.ACKNOWLEDGE
      }
    }
    is(State.SEAL) {
      val tagged = CombInit(value)
      tagged(c.tagShift, c.tagBits bits) := key.tag
      value := Mux(Pte(c, value).allocated, Pte.seal(tagged), B(0, 64 bits))
      state := State.WRITE
    }
    is(State.WRITE) {
      when(io.write.fire)(state := State.WRITTEN)
    }
    is(State.WRITTEN) {
      // Whatever memory holds after an error, the TLB's copy may be an old one.
      status := Mux(io.written.payload, B(Wire.ReplaceStatus.ERROR, 8 bits), B(Wire.ReplaceStatus.DONE, 8 bits))
      when(io.written.valid)(state := State.LOOKUP)
    }
    is(State.LOOKUP) {
      state := State.INVALIDATE
    }
    is(State.INVALIDATE) {
      state := State.DRAIN
    }
    is(State.DRAIN) {
      when(planted.choose(PlantedFault.NoDrain, wrong = True, right = io.drained))(state := State.ACKNOWLEDGE)
    }
    is(State.ACKNOWLEDGE) {
      credit := credit.maxValue
      state := State.IDLE
    }
  }
}
