package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Words between two clocks of which each has an edge when it likes: each word comes once, in order, as it was sent. */
object CrossingWordProof {
  class Harness(fault: Option[CrossingFault.Value] = None) extends Component {
    private val (fromEdge, toEdge) = (anyseq(Bool()), anyseq(Bool()))
    private def clock(edge: Bool) = ClockDomain.current.copy(clockEnable = edge, config = ClockDomain.current.config.copy(clockEnableActiveLevel = HIGH))
    private val (from, to) = (clock(fromEdge), clock(toEdge))
    private val dut = FormalDut(CrossingWord(Bits(4 bits), from, to, Faults.one(CrossingFault)(fault)))
    Proof.resetFirst()
    dut.io.in.valid := anyseq(Bool())
    dut.io.in.payload := anyseq(Bits(4 bits))
    private val sends = dut.io.in.fire && fromEdge
    private val comes = dut.io.out.valid && toEdge
    /** What was sent, and how much of it has come. A word may be sent while the receiver's clock has not moved on from the one before. */
    private val words = Vec.fill(4)(Reg(Bits(4 bits)) init 0)
    private val sent, come = Reg(UInt(2 bits)) init 0
    when(comes)(come := come + 1)
    when(sends) {
      sent := sent + 1
      words(sent) := dut.io.in.payload
    }
    assert(sent - come <= 2)
    when(dut.io.out.valid)(assert(sent =/= come && dut.io.out.payload === words(come)))
    private val first = RegInit(False) setWhen comes
    cover(first && comes && dut.io.out.payload =/= 0)
  }
}

class CrossingWordProof extends Proof {
  import CrossingWordProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("words come once, in order and whole", 24)(new Harness)
  reaches("a second word comes", 24)(new Harness)
  for (fault <- CrossingFault.values) refutes(s"a crossing with the fault $fault", 16)(new Harness(Some(fault)))
}
