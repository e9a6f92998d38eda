package mneme.share

import mneme.Simulation
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** What classes get that ask for all that they may. A class may overdraw by the requests of a round and two cycles. */
class ClassMeterTest extends AnyFunSuite {
  private val LATE = ClassMeter.CLASSES + 2
  private lazy val compiled = Simulation.config.compile(ClassMeter())

  /** Rates of a class in units of a meter; `lines` of each request; how likely it asks in a cycle of its own. */
  private case class Asks(operations: Int, lines: Int, burstLog2: Int, each: Int)

  /** What each class was let do: its requests in all cycles but the first ones. One class may ask in a cycle, in turn, as at dispatch. */
  private def run(name: String, asks: Seq[Asks], cycles: Int, quiet: Int = 0): Seq[Int] = {
    val granted = Array.fill(asks.size)(0)
    compiled.doSim(name, 1) { dut =>
      val random = new Random(1)
      dut.io.charge.valid #= false
      dut.io.set.valid #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(2)
      for ((mine, i) <- asks.zipWithIndex) {
        dut.io.set.valid #= true
        dut.io.set.number #= i
        dut.io.set.rate.operations #= mine.operations
        dut.io.set.rate.lines #= mine.lines
        dut.io.set.rate.burstLog2 #= mine.burstLog2
        dut.clockDomain.waitSampling()
      }
      dut.io.set.valid #= false
      dut.clockDomain.waitSampling(2 * ClassMeter.CLASSES + 2 + quiet)
      for (_ <- 0 until cycles) {
        val asker = random.nextInt(asks.size)
        val may = dut.io.may.toBigInt.testBit(asker)
        dut.io.charge.valid #= may
        dut.io.charge.number #= asker
        dut.io.charge.lines #= asks(asker).each
        if (may) granted(asker) += 1
        dut.clockDomain.waitSampling()
      }
    }
    granted.toSeq
  }

  test("a class gets its rate of operations, one without a bound all that it asks for") {
    val cycles = 200000
    val asks = Seq(Asks(655, 0, 4, 1), Asks(6554, 0, 4, 1), Asks(0, 0, 0, 200), Asks(1, 0, 0, 1))
    val got = run("operations", asks, cycles)
    info(s"requests in $cycles cycles: ${got.mkString(", ")}")
    for ((asked, count) <- asks.zip(got) if asked.operations > 0) {
      val due = cycles.toDouble * asked.operations / 65536
      assert(count >= 0.98 * due - 2 && count <= due + (1 << asked.burstLog2) + LATE, s"$count of $due")
    }
    assert(got(2) > cycles / 4 * 0.95)
  }

  test("a class gets its rate of lines, whatever the size of its requests") {
    val cycles = 200000
    for (each <- Seq(1, 17, 141)) {
      val asks = Seq(Asks(0, 16384, 8, each), Asks(0, 0, 0, each))
      val got = run(s"lines$each", asks, cycles)
      val lines = got.head.toDouble * each
      val due = (cycles.toDouble * 16384 / 65536) min (got(1) * each.toDouble)
      info(f"$each lines a request: $lines%.0f of $due%.0f")
      assert(lines >= 0.98 * due - each && lines <= due + 256 + LATE * each)
    }
  }

  test("a class that was quiet may ask for its burst at once, and no more") {
    // A hundredth of an operation in a cycle: what a burst takes to come, and what comes while it is used up.
    val rate = 656
    for (burst <- Seq(3, 10)) {
      val (most, cycles) = (1 << burst, 3 << burst)
      val got = run(s"burst$burst", Seq(Asks(rate, 0, burst, 1)), cycles, quiet = 110 * most).head
      assert(got >= most && got <= most + cycles * rate / 65536 + LATE, s"$got at a burst of $most")
    }
  }
}
