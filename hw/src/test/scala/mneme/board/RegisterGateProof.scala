package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Register accesses of the processor, whatever resets the core has and however long it takes: each is answered, once, and by its own side. */
object RegisterGateProof {
  class Harness(fault: Option[GateFault.Value] = None) extends Component {
    private val dut = FormalDut(RegisterGate(Faults.one(GateFault)(fault)))
    Proof.resetFirst()
    private def any = anyseq(Bool())
    private val (bus, resets) = (dut.io.bus, any)
    dut.io.coreResets := resets
    for (any <- Seq(bus.aw, bus.w, bus.ar)) {
      any.valid := anyseq(Bool())
      any.payload.assignFromBits(anyseq(Bits(any.payload.getBitsWidth bits)))
      // Who offers goes on to, and with the same.
      when(past(any.isStall) && !initstate())(assume(any.valid && any.payload.asBits === past(any.payload.asBits)))
    }
    bus.b.ready := any
    bus.r.ready := any

    /** A side takes and answers when it likes to, and only what it was asked; it owes nothing after its reset. */
    private def side(at: spinal.lib.bus.amba4.axilite.AxiLite4, reset: Bool) = new Area {
      for (ready <- Seq(at.aw.ready, at.w.ready, at.ar.ready)) ready := any
      for (each <- Seq(at.b, at.r)) {
        each.valid := any
        each.payload.assignFromBits(anyseq(Bits(each.payload.getBitsWidth bits)))
      }
      val (address, data, read) = (RegInit(False), RegInit(False), RegInit(False))
      assume(!at.b.valid || (address && data))
      assume(!at.r.valid || read)
      assert(!(at.aw.fire && address) && !(at.w.fire && data) && !(at.ar.fire && read))
      when(at.aw.fire)(address := True)
      when(at.w.fire)(data := True)
      when(at.ar.fire)(read := True)
      when(at.b.fire) { address := False; data := False }
      when(at.r.fire)(read := False)
      when(reset) { address := False; data := False; read := False }
      val owes = address || data || read
    }
    private val (core, device) = (side(dut.io.core, resets), side(dut.io.device, False))
    assert(!(core.owes && device.owes))

    // --- One access at a time, one answer each, of its kind.
    private val (writing, reading) = (RegInit(False), RegInit(False))
    when(bus.aw.fire || bus.w.fire)(assert(bus.aw.fire && bus.w.fire && !writing && !reading))
    when(bus.ar.fire)(assert(!bus.aw.fire && !writing && !reading))
    when(bus.b.valid)(assert(writing))
    when(bus.r.valid)(assert(reading))
    when(bus.aw.fire)(writing := True)
    when(bus.ar.fire)(reading := True)
    when(bus.b.fire)(writing := False)
    when(bus.r.fire)(reading := False)

    // --- An access is answered with 0 when the core's reset cuts it off, in the next cycle; else with its side's answer.
    private val toCore = Reg(Bool()) init False
    when(bus.aw.fire)(toCore := !bus.aw.addr.msb)
    when(bus.ar.fire)(toCore := !bus.ar.addr.msb)
    private val underWay = (writing || reading) && !bus.b.valid && !bus.r.valid
    private val cut = RegNext(underWay && toCore && resets) init False
    when(cut)(assert(bus.b.valid || bus.r.valid))
    when(cut && bus.r.valid)(assert(bus.r.data === 0))
    private val served = RegNext(dut.io.device.r.fire) init False
    when(served)(assert(bus.r.valid && bus.r.data === past(dut.io.device.r.data)))
    // --- What is offered to a side stays, but for a reset.
    when(!initstate() && past(dut.io.core.ar.isStall && !resets))(assert(dut.io.core.ar.valid && dut.io.core.ar.addr === past(dut.io.core.ar.addr)))
    when(!initstate() && past(dut.io.device.w.isStall))(assert(dut.io.device.w.valid && dut.io.device.w.data === past(dut.io.device.w.data)))
    // --- A free gate takes what comes; reads and writes in turn.
    when(!writing && !reading)(assert(!bus.ar.valid || bus.ar.ready || bus.aw.ready))

    private val afterCut = RegInit(False) setWhen cut
    cover(afterCut && dut.io.core.r.fire)
    cover(afterCut && dut.io.device.b.fire)
  }
}

class RegisterGateProof extends Proof {
  import RegisterGateProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("each access is answered once", 16)(new Harness)
  reaches("accesses go on behind a reset", 20)(new Harness)
  for (fault <- GateFault.values) refutes(s"a gate with the fault $fault", 10)(new Harness(Some(fault)))
}
