package mneme.vm

import mneme.{CBoardConfig, Faults, ReplaceCommand, ReplaceResult}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** The slow path's replace with its shoot-down (contracts §3): hold the page, let its pending requests finish, forget its TLB entry, walk,
  * compare, write, await B, let the page go, drain, acknowledge.
  *
  * Only requests of the page itself wait, each in its place, and for memory's answers alone; no other request meets the command at all.
  * It ends within the time of the page's pending misses, two memory accesses, and the requests that were inside before.
  * A page whose entry is pinned (MissTable) is written once more before; where memory refuses it again, the command ends as ERROR and has changed nothing.
  */
case class Replace(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val command = slave Stream (ReplaceCommand(c))
    val result = master Flow (ReplaceResult())

    /** Requests that enter now and ask for `key` come after the command: they wait until `release`. */
    val holds, release = out Bool ()
    val key = out(PageKey(c))

    /** Follows the requests that entered earlier through the stages, and makes the TLB forget the page. */
    val probe = master(Event)
    val probed = in Bool ()

    /** The probe has still to come by, perhaps once more. Who would wait for a request that is held must not stand in its way. */
    val probes = out Bool ()

    /** From the cycle after `probed` on: the page has requests from before. */
    val awaited = in Bool ()

    /** When that is over: the page's entry is pinned. It is written once more; then the page is awaited again. */
    val stuck = in Bool ()
    val trial = master(Event)

    /** Requests wait in the page's list, of those that are in it when `watches`, which may be of the page. */
    val watches = out Bool ()
    val listed = in Bool ()
    val walk = master(Event)
    val walked = slave Flow (WalkEnd(c))
    val write = master Stream (EntryWrite(c))

    /** An error, or none. */
    val written = slave Flow (Bool())

    /** Tells apart the requests that were translated before and after. */
    val newGeneration = out Bool ()

    /** Every request of the generation before has been answered; true of the new one from the second cycle after `newGeneration` on. */
    val drained = in Bool ()
  }

  private[vm] object State extends SpinalEnum {
    val IDLE, PROBE, PROBED, LISTED, PENDING, TRIAL, WALK, WALKED, COMPARE, SEAL, WRITE, WRITTEN, RELEASE, TURN, DRAIN, ACKNOWLEDGE = newElement()
  }
  private[vm] val state = RegInit(State.IDLE)
  private[vm] val command = RegNextWhen(io.command.payload, io.command.fire)
  private[vm] val key = RegNextWhen(PageKey.of(c, io.command.pid, io.command.vpn), io.command.fire)
  private[vm] val slot = Reg(Bits(Wire.BUCKET_ENTRIES bits))
  private[vm] val old, value = Reg(Bits(64 bits))
  private[vm] val status = Reg(Bits(8 bits))
  private[vm] val holds = RegInit(False) setWhen (io.command.fire) clearWhen (io.release)
  private[vm] val looked = Reg(Bool())
  // Requests in a list that were held by the command before are earlier than the next one.
  io.command.ready := state === State.IDLE && !io.listed
  io.watches := (state === State.PROBED && io.probed && !looked) || io.release
  io.holds := planted.choose(PlantedFault.NoBlock, wrong = False, right = holds)
  io.key := key
  io.probe.valid := state === State.PROBE
  io.probes := state === State.PROBE || state === State.PROBED || state === State.LISTED
  private[vm] val tried = Reg(Bool())
  io.trial.valid := state === State.TRIAL
  io.walk.valid := state === State.WALK
  io.write.valid := state === State.WRITE
  io.write.bucket := key.bucket
  io.write.slot := slot
  io.write.entry := value
  io.write.asker := Walker.replace(c)
  io.release := state === State.RELEASE
  io.newGeneration := state === State.RELEASE
  io.result.valid := state === State.ACKNOWLEDGE
  io.result.status := status
  io.result.old := old

  switch(state) {
    is(State.IDLE) {
      looked := False
      when(io.command.fire)(state := State.PROBE)
    }
    is(State.PROBE) {
      when(io.probe.fire)(state := State.PROBED)
    }
    is(State.PROBED) {
      tried := False
      when(io.probed)(state := Mux(looked, State.PENDING, State.LISTED))
    }
    is(State.LISTED) {
      // Who has left the list since the probe has to be awaited, and may have brought the page back into the TLB.
      when(io.listed)(looked := True) otherwise (state := Mux(looked, State.PROBE, State.PENDING))
    }
    is(State.PENDING) {
      when(!io.awaited) {
        state := State.WALK
        when(io.stuck)(state := State.TRIAL)
        when(io.stuck && tried) {
          // Memory does not take the page's entry, so it would not tell the truth about it either.
          old := 0
          status := Wire.ReplaceStatus.ERROR
          state := State.RELEASE
        }
      }
    }
    is(State.TRIAL) {
      tried := True
      when(io.trial.fire)(state := State.PENDING)
    }
    is(State.WALK) {
      when(io.walk.fire)(state := State.WALKED)
    }
    is(State.WALKED) {
      old := Mux(io.walked.walked.found, io.walked.walked.entry, B(0, 64 bits))
      slot := Mux(io.walked.walked.found, io.walked.walked.slot, io.walked.free)
      when(io.walked.valid) {
        state := State.COMPARE
        when(io.walked.walked.memoryError) {
          old := 0
          status := Wire.ReplaceStatus.ERROR
          state := State.RELEASE
        } elsewhen (!io.walked.walked.found && !io.walked.free.orR) {
          status := Wire.ReplaceStatus.FULL
          state := State.RELEASE
        }
      }
    }
    is(State.COMPARE) {
      value := (old & ~command.write) | (command.value & command.write)
      state := State.SEAL
      when(((old ^ command.expected) & command.compare).orR) {
        status := Wire.ReplaceStatus.MISMATCH
        state := State.RELEASE
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
      // Whatever memory holds after an error, the TLB has forgotten its copy.
      status := Mux(io.written.payload, B(Wire.ReplaceStatus.ERROR, 8 bits), B(Wire.ReplaceStatus.DONE, 8 bits))
      when(io.written.valid)(state := State.RELEASE)
    }
    is(State.RELEASE) {
      state := State.TURN
    }
    is(State.TURN) {
      state := State.DRAIN
    }
    is(State.DRAIN) {
      when(planted.choose(PlantedFault.NoDrain, wrong = True, right = io.drained))(state := State.ACKNOWLEDGE)
    }
    is(State.ACKNOWLEDGE) {
      state := State.IDLE
    }
  }
}
