package mneme.rdma

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** A packet's number is told as expected, ahead or behind by its steps around the circle, wherever the expected one is. */
object PsnJudgeProof {
  private val half = BigInt(1) << 23

  /** The judge, as a machine. */
  class Judge(fault: Option[PsnFault.Value]) extends Component {
    val psn, expected = in port UInt(24 bits)
    val place = out port PsnPlace()
    place := PsnJudge(psn, expected, Faults.one(PsnFault)(fault))
  }

  class Harness(fault: Option[PsnFault.Value] = None) extends Component {
    private val dut = FormalDut(new Judge(fault))
    Proof.resetFirst()
    private val expected, steps = anyseq(UInt(24 bits))
    dut.expected := expected
    dut.psn := expected + steps
    private val place = dut.place
    assert(place.expected === (steps === 0))
    assert(place.ahead === (steps =/= 0 && steps < half))
    assert(place.behind === (steps >= half))
  }
}

class PsnJudgeProof extends Proof {
  import PsnJudgeProof._

  proves("a number is expected, ahead or behind by its steps around the circle", 2)(new Harness)
  for (fault <- PsnFault.values.toSeq) refutes(s"numbers with the fault $fault", 4)(new Harness(Some(fault)))
}
