package mneme.leaf

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Accesses begin and end, frames are freed, come and are taken at any time: no frame is lost or doubled, and none is taken that was freed while an access went
  * on that still does.
  */
object FrameEpochsProof {
  private val (countBits, accessBits) = (4, 3)

  class Harness(fault: Option[LeafFault.Value] = None, both: Boolean = false) extends Component {
    private val dut = FormalDut(FrameEpochs(countBits, accessBits, Faults.one(LeafFault)(fault), both))
    Proof.resetFirst()
    private val io = dut.io
    private val (usable, closing, open) = (dut.usable.pull(), dut.closing.pull(), dut.open.pull())
    private val (now, begun) = (dut.now.pull(), dut.begun.map(_.pull()))

    for (signal <- Seq(io.begins, io.ends.valid, io.ends.payload, io.freed, io.came, io.taken)) signal := anyseq(Bool())
    if (both) for (signal <- Seq(io.others.valid, io.others.payload)) signal := anyseq(Bool())
    private val total = Reg(UInt(countBits bits)) init 0
    assume(!(io.freed && io.came))
    assume(!(io.freed || io.came) || total =/= (1 << countBits) - 1)
    assume(!io.taken || io.usable =/= 0)
    total := total + (io.freed || io.came).asUInt - io.taken.asUInt

    // --- Any one access among the others.
    private val chosen = anyseq(Bool())
    private val ours = RegInit(False)
    private val epoch = Reg(Bool())
    private val others = Vec.fill(2)(Reg(UInt(accessBits bits)) init 0)
    private val becomesOurs = io.begins && chosen && !ours
    private val endsOurs = io.ends.valid && ours && chosen && io.ends.payload === epoch
    for (e <- 0 to 1) {
      val begins = io.begins && !becomesOurs && now === Bool(e == 1)
      val ends = io.ends.valid && !endsOurs && io.ends.payload === Bool(e == 1)
      /** Ours ends at the first port; at either, others' do. */
      val second = if (both) io.others.valid && io.others.payload === Bool(e == 1) else False
      assume(others(e) >= (ends.asUInt +^ second.asUInt))
      assume(!begins || others(e) < (1 << accessBits) - 2)
      others(e) := others(e) + begins.asUInt - ends.asUInt - second.asUInt
      assert(begun(e) === others(e) + (ours && epoch === Bool(e == 1)).asUInt)
      assert(others(e) <= (1 << accessBits) - 2)
    }
    when(becomesOurs) {
      ours := True
      epoch := now
    }
    when(endsOurs)(ours := False)

    // --- Any one frame that is freed while it goes on: `before` are taken first.
    private val mark = anyseq(Bool())
    private val marked = RegInit(False)
    private val before = Reg(UInt(countBits bits))
    when(marked && io.taken)(before := before - 1)
    when(!marked && mark && ours && !endsOurs && io.freed) {
      marked := True
      before := total - io.taken.asUInt
    }
    when(endsOurs)(marked := False)
    when(marked) {
      assert(ours && before < total)
      assert(usable <= before)
      // Among those that close, it waits for the epoch of the access.
      when(before < (usable +^ closing))(assert(epoch =/= now))
    }

    // --- Each frame is counted once, and none waits for nobody.
    assert((usable +^ closing) +^ open === total.resized)
    assert(io.usable === usable && io.waiting === closing + open)
    assert(dut.waits.pull() === (closing =/= 0 || open =/= 0))
    private val quiet = begun(0) === 0 && begun(1) === 0 && !io.begins
    private val stays = Reg(UInt(2 bits)) init 0
    stays := (quiet && !io.freed && !io.came) ? (stays.andR ? stays | (stays + 1)) | U(0, 2 bits)
    when(stays >= 1)(assert(open === 0 || closing === 0 || stays.andR === False))
    when(stays === 1)(assert(open === 0))
    when(stays >= 2)(assert(io.waiting === 0))
    cover(marked && io.waiting === 3 && usable === 2)
  }
}

class FrameEpochsProof extends Proof {
  import FrameEpochsProof._

  proves("a freed frame waits for accesses that had begun, each is counted once", 4)(new Harness)
  proves("the same where two accesses end in a cycle", 4)(new Harness(both = true))
  reaches("frames wait behind others that may be taken", 12)(new Harness)
  for (fault <- Seq(LeafFault.FreedAtOnce, LeafFault.EpochsCollide)) refutes(s"epochs with the fault $fault", 10)(new Harness(Some(fault)))
}
