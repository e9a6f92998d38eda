package mneme.trailer

import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** Upper bits against the nearest of three candidates, around wraps, halves of the range and anywhere. */
class UpperTimeTest extends AnyFunSuite {
  test("nearest") {
    TrailerFrames.compile(new UpperTimeProof.Machine).doSim("upper", 1) { dut =>
      val r = new Random(1)
      val half = 1 << 23
      for (_ <- 0 until 20000) {
        val tick = (BigInt(40, r) << 24) + (if (r.nextBoolean()) BigInt(24, r) else Seq(0, 1, half - 1, half, half + 1, 2 * half - 1)(r.nextInt(6)))
        val distance = if (r.nextBoolean()) BigInt(24, r) else BigInt(Seq(0, 1, half - 1, half, half + 1, 2 * half - 1)(r.nextInt(6)))
        val low = (tick + distance) % (2 * half)
        dut.tick #= tick
        dut.low #= low
        sleep(1)
        assert(dut.upper.toBigInt == TrailerReference.nearest(tick, low), s"tick $tick, low $low")
      }
    }
  }
}
