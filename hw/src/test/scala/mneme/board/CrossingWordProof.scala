package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Words between two clocks of which each has an edge when it likes: each word comes once, in order, as it was sent. */
object CrossingWordProof {
  class Harness(fault: Option[CrossingFault.Value] = None) extends Component {
    private val (from, to) = (FreeClock(), FreeClock())
    private val dut = FormalDut(CrossingWord(Bits(4 bits), from.domain, to.domain, Faults.one(CrossingFault)(fault)))
    Proof.resetFirst()
    dut.io.in.valid := anyseq(Bool())
    dut.io.in.payload := anyseq(Bits(4 bits))
    private val comes = dut.io.out.valid && to.edge
    // A word may be sent while the receiver's clock has not moved on from the one before.
    WordsInOrder(most = 2)(dut.io.in.fire && from.edge, dut.io.in.payload)(comes, dut.io.out.valid, dut.io.out.payload)
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
