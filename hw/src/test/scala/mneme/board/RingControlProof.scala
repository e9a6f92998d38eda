package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** The rings' counts, start and stop, whatever the daemon writes and however long frames take. */
object RingControlProof {
  private val (slots, width) = (2, 4)

  class Harness(fault: Option[RingFault.Value] = None) extends Component {
    private val dut = FormalDut(RingControl(slots, width, Faults.one(RingFault)(fault)))
    Proof.resetFirst()
    private def any = anyseq(Bool())
    for (pin <- Seq(dut.io.enable, dut.io.forgives, dut.io.taken.valid, dut.io.given.valid)) pin := any
    for (flow <- Seq(dut.io.taken, dut.io.given)) flow.payload := anyseq(UInt(width bits))
    dut.io.clears := anyseq(Bits(2 bits))

    /** A machine begins a frame when it may and likes to, and ends it when it likes to. */
    private def machine(may: Bool) = new Area {
      val busy = RegInit(False)
      val begins = !busy && may && any
      val ends = busy && any
      val fails = ends && any
      busy := (busy || begins) && !ends
    }
    private val (rx, tx) = (machine(dut.io.rxMay), machine(dut.io.txMay))
    dut.io.rxBusy := rx.busy
    dut.io.txBusy := tx.busy
    dut.io.rxDone := rx.ends && !rx.fails
    dut.io.rxFailed := rx.fails
    dut.io.txDone := tx.ends
    dut.io.txFailed := tx.fails
    dut.io.refused := tx.ends && !tx.fails && any

    // --- What may begin: only while the rings are on, into a free slot, out of one that was given.
    private val (heads, inRing) = (dut.io.rxHead - dut.io.rxTail, dut.io.txHead - dut.io.txTail)
    when(rx.begins)(assert(dut.io.enable && dut.io.running && (heads < slots || heads.msb)))
    when(tx.begins)(assert(dut.io.enable && dut.io.running && inRing =/= 0 && inRing <= slots))
    // --- Running ends when nothing is under way, and nothing begins then.
    when(!dut.io.running)(assert(!rx.busy && !tx.busy && !dut.io.rxMay && !dut.io.txMay && !dut.io.start))
    // --- No more than all slots from where the board is, and none twice.
    when(!initstate() && past(dut.io.given.valid && !dut.io.txDone && !dut.io.start))(assert(inRing <= slots))
    // --- All counts begin together, between frames.
    private val started = RegNext(dut.io.start) init False
    when(started)(assert(dut.io.rxHead === 0 && dut.io.rxTail === 0 && dut.io.txHead === 0 && dut.io.txTail === 0))
    when(dut.io.start)(assert(!rx.busy && !tx.busy))
    private val (headWas, doneWas) = (RegNext(dut.io.rxHead) init 0, RegNext(dut.io.rxDone) init False)
    when(!started)(assert(dut.io.rxHead === headWas + doneWas.asUInt))
    // --- An event is pending until the daemon clears it after it came.
    private val cameWas = RegNext(dut.io.txDone ## dut.io.rxDone) init 0
    assert((dut.io.pending & cameWas) === cameWas)
    private val failedWas = RegNext(dut.io.rxFailed || dut.io.txFailed) init False
    when(failedWas)(assert(dut.io.error))

    cover(rx.begins && heads === slots - 1 && dut.io.rxHead === slots + 1)
    cover(started && dut.io.lost === 2)
  }
}

class RingControlProof extends Proof {
  import RingControlProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("counts, start and stop of the rings", 20)(new Harness)
  reaches("rings wrap and start again", 20)(new Harness)
  for (fault <- RingFault.values) refutes(s"rings with the fault $fault", 16)(new Harness(Some(fault)))
}
