package mneme.trailer

import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

/** Every verdict in every mode against the rows of docs/reference/trailers.md §3. */
class TrailerPolicyTest extends AnyFunSuite {
  private class Machine extends Component {
    val verdict = in(TrailerVerdict())
    val mode = in Bits (2 bits)
    val isSlow, open = in Bool ()
    val refusal = out(TrailerPolicy(verdict, mode, isSlow, open))
  }

  test("refusals") {
    TrailerFrames.compile(new Machine).doSim("policy", 1) { dut =>
      import TrailerVerdict._
      for (verdict <- TrailerVerdict.elements; mode <- 0 to 3; isSlow <- Seq(false, true); open <- Seq(false, true)) {
        dut.verdict #= verdict
        dut.mode #= mode
        dut.isSlow #= isSlow
        dut.open #= open
        sleep(1)
        val asks = mode match {
          case 0 => false
          case 1 => isSlow
          case _ => true
        }
        val kindIsTag = verdict == tagRight || verdict == tagWrong
        val expected = if (asks && !open && !kindIsTag) "unauthenticated"
        else if (verdict == crcWrong) "nack"
        else if (verdict == tagWrong) "unauthenticated"
        else "passes"
        val found = (dut.refusal.unauthenticated.toBoolean, dut.refusal.nack.toBoolean) match {
          case (true, false) => "unauthenticated"
          case (false, true) => "nack"
          case (false, false) => "passes"
          case _ => "both"
        }
        assert(found == expected, s"$verdict, mode $mode, slow $isSlow, open $open")
      }
    }
  }
}
