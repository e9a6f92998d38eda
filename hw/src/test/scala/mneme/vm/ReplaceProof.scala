package mneme.vm

import mneme.{CBoardConfig, Faults, Proof, ReplaceCommand}
import mneme.wire.Wire
import spinal.core._
import spinal.core.formal._

/** The shoot-down's order (architecture §4: block the page, let its requests end, write, drain, acknowledge), and that an entry is replaced by compare-and-swap.
  *
  * Translation around it answers when it likes, and says whatever it likes of the page.
  */
object ReplaceProof {

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(Replace(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io

    private val wanted = anyseq(ReplaceCommand(c))
    private val walked = anyseq(WalkEnd(c))
    private val failed = anyseq(Bool())
    for (
      free <- Seq(
        io.command.valid,
        io.probe.ready,
        io.probed,
        io.listed,
        io.awaited,
        io.stuck,
        io.trial.ready,
        io.walk.ready,
        io.walked.valid,
        io.write.ready,
        io.written.valid,
        io.drained
      )
    )
      free := anyseq(Bool())
    io.command.payload := wanted
    io.walked.payload := walked
    io.written.payload := failed
    // What is found is an entry of the page, so it is one of an allocated page.
    assume(!walked.walked.found || Pte(c, walked.walked.entry).allocated)

    // --- What has happened since the command.
    private val command = RegNextWhen(wanted, io.command.fire)
    private val tried, stuck = RegInit(False)
    // Its list was asked for; somebody was in it.
    private val seen, waited = RegInit(False)
    private val probes, probed, clean, asksWalk, knows, writes, wrote, bad, released, drained = RegInit(False)
    private val busy = RegInit(False) setWhen (io.command.fire) clearWhen (io.result.valid)
    private val sinceRelease = Reg(UInt(2 bits)) init 0
    private val end = RegNextWhen(walked, io.walked.valid && asksWalk && !knows)
    probes setWhen (io.probe.fire)
    // The page is followed once, and once more where somebody of its list was waited for.
    when(probes && io.probed && !seen) {
      when(waited)(probed := True) otherwise (seen := True)
    }
    when(seen && !probed) {
      when(io.listed) {
        waited := True
      } elsewhen (waited) {
        seen := False
        probes := False
      } otherwise {
        probed := True
      }
    }
    tried setWhen (io.trial.fire)
    stuck setWhen (probed && tried && !io.awaited && io.stuck && !clean && !stuck)
    clean setWhen (probed && !io.awaited && !io.stuck && !stuck && !io.trial.valid)
    asksWalk setWhen (io.walk.fire)
    knows setWhen (asksWalk && io.walked.valid)
    writes setWhen (io.write.fire)
    when(writes && !wrote && io.written.valid) {
      wrote := True
      bad := failed
    }
    released setWhen (io.release)
    when(released && sinceRelease =/= 3)(sinceRelease := sinceRelease + 1)
    drained setWhen (sinceRelease >= 1 && io.drained)
    when(io.command.fire) {
      Seq(tried, stuck, seen, waited, probes, probed, clean, asksWalk, knows, writes, wrote, bad, released, drained).foreach(_ := False)
      sinceRelease := 0
    }

    // --- One thing after the other.
    assert(!io.command.ready || (!busy && !io.listed))
    // Lists are looked at where they may hold requests that came before the command, and where they may hold some that were held by it.
    assert(io.watches === ((busy && probes && io.probed && !seen && !waited && !probed) || io.release))
    assert(!io.probe.valid || (busy && !probes))
    // A pinned entry is written once more at most, and only when nothing else keeps it.
    assert(!io.trial.valid || (probed && !tried && !clean && !stuck))
    assert(!io.walk.valid || (clean && !asksWalk))
    assert(!io.write.valid || (knows && clean && !writes))
    assert(!io.release || (busy && !released && (stuck || knows) && (wrote || !writes)))
    assert(io.newGeneration === io.release)
    assert(!busy || released || io.holds)
    assert(!io.result.valid || (busy && released && drained))

    // --- The page's entry is replaced when it is what the command expects, and where it stands or where there is room.
    private val found = end.walked.found
    private val old = found ? end.walked.entry | B(0, 64 bits)
    private val expected = ((old ^ command.expected) & command.compare) === 0
    private val merged = (old & ~command.write) | (command.value & command.write)
    when(io.write.valid) {
      val entry = Pte(c, io.write.entry)
      assert(expected && !end.walked.memoryError)
      assert(io.write.slot === (found ? end.walked.slot | end.free) && (found || end.free.orR))
      assert(io.write.bucket === PageKey.of(c, command.pid, command.vpn).bucket)
      assert(Pte(c, merged).allocated || io.write.entry === 0)
      when(Pte(c, merged).allocated) {
        val other = ~(B((BigInt(1) << c.tagBits) - 1, 64 bits) |<< c.tagShift | B(BigInt(1) << Wire.Pte.PARITY, 64 bits))
        assert(!entry.parityOdd && entry.tag === PageKey.of(c, command.pid, command.vpn).tag && ((io.write.entry ^ merged) & other) === 0)
      }
    }
    private val status = io.result.status
    private def statusHolds: Bool =
      (status === Wire.ReplaceStatus.DONE) === (wrote && !bad) &&
        (status === Wire.ReplaceStatus.ERROR) === (stuck || end.walked.memoryError || (wrote && bad)) &&
        (status === Wire.ReplaceStatus.FULL) === (!stuck && !end.walked.memoryError && !found && !end.free.orR) &&
        (stuck || end.walked.memoryError || io.result.old === old)
    when(io.result.valid)(assert(statusHolds))

    // --- What the machine keeps in each state, which induction needs.
    private val state = dut.state.pull()
    import dut.State._
    private def in(states: SpinalEnumElement[dut.State.type]*): Bool = states.map(state === _).reduce(_ || _)
    assert(in(dut.State.elements.toSeq.map(_.asInstanceOf[SpinalEnumElement[dut.State.type]]): _*) && busy =/= in(IDLE))
    when(busy) {
      assert(dut.command.pull() === command && dut.key.pull() === PageKey.of(c, command.pid, command.vpn))
      assert(probes =/= in(PROBE) && probed =/= in(PROBE, PROBED, LISTED) && (clean || stuck) =/= in(PROBE, PROBED, LISTED, PENDING, TRIAL))
      assert((seen && !probed) === in(LISTED) && dut.looked.pull() === waited)
      assert(!stuck || (!clean && tried && in(RELEASE, TURN, DRAIN, ACKNOWLEDGE)))
      assert(in(PROBE, PROBED, TRIAL) || tried === dut.tried.pull())
      assert(!in(PROBE, PROBED, LISTED, TRIAL) || !tried)
      assert((asksWalk || stuck) =/= in(PROBE, PROBED, LISTED, PENDING, TRIAL, WALK))
      assert((knows || stuck) =/= in(PROBE, PROBED, LISTED, PENDING, TRIAL, WALK, WALKED) && (!stuck || (!asksWalk && !knows && !writes)))
      assert(released === in(TURN, DRAIN, ACKNOWLEDGE) && (released || dut.holds.pull()))
      assert(!writes || in(WRITTEN, RELEASE, TURN, DRAIN, ACKNOWLEDGE))
      assert((writes && !wrote) === in(WRITTEN) && (writes || !wrote))
      assert((released && !in(TURN)) || sinceRelease === 0)
      assert(!in(DRAIN) || sinceRelease >= 1)
      assert(!in(ACKNOWLEDGE) || drained)
      assert(!in(RELEASE, TURN, DRAIN, ACKNOWLEDGE) || statusHolds)
    }
    when(in(COMPARE, SEAL, WRITE, WRITTEN)) {
      assert(!end.walked.memoryError && (found || end.free.orR))
      assert(dut.old.pull() === old && dut.slot.pull() === (found ? end.walked.slot | end.free))
      assert(!found || Pte(c, old).allocated)
    }
    when(in(SEAL))(assert(expected && dut.value.pull() === merged))
  }
}

class ReplaceProof extends Proof {
  import ReplaceProof._

  private val c = CBoardConfig.tiny
  proves("the order of a shoot-down", 2)(new Harness(c))
  refutes("the order of a shoot-down with NoBlock", 6)(new Harness(c, Some(PlantedFault.NoBlock)))
  unproven("the order of a shoot-down with NoDrain", 2)(new Harness(c, Some(PlantedFault.NoDrain)))
}
