package mneme.vm

import mneme.{CBoardConfig, Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** A page is offered only when memory has answered OK to zeros for all of it, and at most once: whoever gets it sees nothing of whoever had it. */
object ZeroEngineProof {

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(ZeroEngine(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val low = ZeroEngine.burstBytesLog2
    private val bursts = 1 << (c.pageBits - low)
    private val counter = HardType(UInt(c.pageBits - low + 1 bits))

    private val io = dut.io
    io.command.valid := anyseq(Bool())
    io.command.payload := anyseq(mneme.ZeroCommand(c))
    io.zeroed.ready := anyseq(Bool())
    io.mem.aw.ready := anyseq(Bool())
    io.mem.w.ready := anyseq(Bool())
    io.mem.b.valid := anyseq(Bool())
    io.mem.b.payload := anyseq(cloneOf(io.mem.b.payload))

    // --- What memory has seen of the page.
    private val working = RegInit(False) setWhen (io.command.fire)
    private val page = RegNextWhen(io.command.payload, io.command.fire)
    private val addressed, written, answered, sound = Reg(counter()) init 0
    private val beat = Reg(UInt(low - 6 bits)) init 0
    // Memory answers bursts that it has got wholly, each once.
    assume(!io.mem.b.valid || answered < written)
    when(io.mem.aw.fire)(addressed := addressed + 1)
    when(io.mem.w.fire) {
      beat := beat + 1
      when(io.mem.w.last)(written := written + 1)
    }
    when(io.mem.b.fire) {
      answered := answered + 1
      when(io.mem.b.isOKAY())(sound := sound + 1)
    }
    when(io.command.fire)(Seq(addressed, written, answered, sound).foreach(_ := 0))

    // --- Every burst is zeros, the next of the page; two at most stand in the way of who writes.
    when(io.mem.aw.valid) {
      assert(working && addressed < bursts)
      assert(io.mem.aw.addr === page.ppn @@ addressed.resize(c.pageBits - low) @@ U(0, low bits))
      assert(io.mem.aw.len === ZeroEngine.burstBeats - 1 && io.mem.aw.size === 6 && io.mem.aw.burst === 1)
    }
    when(io.mem.w.valid) {
      assert(written < addressed)
      assert(io.mem.w.data === 0 && io.mem.w.strb.andR && io.mem.w.last === (beat === ZeroEngine.burstBeats - 1))
    }
    assert(addressed - written <= 2)
    assert(!past(io.mem.aw.isStall) || !pastValidAfterReset() || io.mem.aw.valid)
    assert(!past(io.mem.w.isStall) || !pastValidAfterReset() || io.mem.w.valid)

    // --- What is offered is zero, and is offered once.
    when(io.zeroed.valid)(assert(working && page.offer && io.zeroed.payload === page.ppn && sound === bursts))
    when(io.zeroed.fire)(working := False)
    assert(!(io.command.ready && io.zeroed.valid))

    // What the machine keeps, which induction needs.
    assert(answered <= written && written <= addressed && addressed <= bursts && sound <= answered)
    assert(addressed === dut.addressed.pull() && addressed - written === dut.unsent.pull() && beat === dut.beat.pull())
    assert(dut.outstanding.pull() === addressed - answered && dut.outstanding.pull() <= ZeroEngine.owed)
    assert(dut.failed.pull() === (sound =/= answered) || !dut.busy.pull())
    assert(!dut.busy.pull() || (working && page.asBits === dut.command.pull().asBits))
    assert(dut.busy.pull() || addressed === answered)
    private val may = dut.busy.pull() && addressed =/= bursts && dut.outstanding.pull() =/= ZeroEngine.owed && dut.unsent.pull() =/= 2
    assert(!dut.wants.pull() || may)
    // And it wastes no cycle: the register says what its conditions say.
    if (fault.isEmpty) assert(dut.wants.pull() || !may)
  }
}

class ZeroEngineProof extends Proof {
  import ZeroEngineProof._

  private val c = CBoardConfig.tiny
  proves("pages are zero before they are offered", 3)(new Harness(c))
  for (fault <- Seq(PlantedFault.SkipZero, PlantedFault.OfferDamaged, PlantedFault.ZeroRunsAhead))
    unproven(s"pages are zero before they are offered, with $fault", 3)(new Harness(c, Some(fault)))
}
