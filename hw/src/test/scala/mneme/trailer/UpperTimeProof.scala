package mneme.trailer

import mneme.Proof
import spinal.core._
import spinal.core.formal._

/** The number with the given low bits and the upper ones that are found is nowhere nearer to the tick, for all ticks and low bits. */
object UpperTimeProof {
  class Machine extends Component {
    val tick = in UInt (64 bits)
    val low = in UInt (24 bits)
    val upper = out(UpperTime(tick, low))
  }

  class Harness(most: Int) extends Component {
    private val dut = FormalDut(new Machine)
    Proof.resetFirst()
    private val (tick, low, upper) = (dut.tick, dut.low, dut.upper)
    tick := anyseq(UInt(64 bits))
    low := anyseq(UInt(24 bits))
    private val ahead = (upper @@ low) - tick
    private val behind = tick - (upper @@ low)
    // Numbers with these low bits are 2^24 apart: one that is half of that away at most is nearest.
    // Of two that are as near, the earlier.
    assert(ahead < (1 << 23) || behind <= most)
    for (step <- Seq(0, 1, -1)) cover(upper === tick(63 downto 24) + U(BigInt(step) & ((BigInt(1) << 40) - 1), 40 bits))
  }
}

class UpperTimeProof extends Proof {
  import UpperTimeProof._

  proves("the nearest time", 3)(new Harness(1 << 23))
  reaches("the upper bits of before, of now and of after", 5)(new Harness(1 << 23))
  refutes("a nearer time", 5)(new Harness((1 << 23) - 1))
}
