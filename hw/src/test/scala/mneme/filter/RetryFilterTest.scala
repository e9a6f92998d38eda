package mneme.filter

import mneme.{CBoardConfig, Generate}
import mneme.wire.Wire.{Counter, Opcode}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

class RetryFilterTest extends AnyFunSuite {
  private def simulation = SimConfig.withVerilator.withConfig(Generate.config("simWorkspace")).workspacePath("simWorkspace")
  private val tiny = CBoardConfig.tiny
  private val shapes = Seq(
    tiny,
    tiny.copy(name = "oneway", filterSetsLog2 = 1, filterWays = 1),
    tiny.copy(name = "odd", filterSetsLog2 = 3, filterWays = 3)
  )
  private val requests = 20000

  private val compiled = collection.mutable.Map.empty[CBoardConfig, SimCompiled[RetryFilter]]

  private def bench(c: CBoardConfig, fault: Option[FilterFault.Value], seed: Int): FilterBench = {
    var bench: FilterBench = null
    compiled.getOrElseUpdate(c, simulation.compile(RetryFilter(c, plantable = true))).doSim(s"seed$seed", seed) { dut =>
      bench = new FilterBench(dut, c, seed, requests, fault)
      bench.run()
    }
    bench
  }

  for (c <- shapes; seed <- 1 to 2) test(s"${c.name}: all that leaves the filter is what the contract says, seed $seed") {
    val b = bench(c, None, seed)
    assert(b.complain.first.isEmpty, b.complain.first)
    val filter = Counter.all.filter(_._1.startsWith("FILTER_"))
    assert(filter.size == 10)
    for ((name, number) <- filter) assert(b.events(number) > 0, s"$name was never counted")
  }

  for (fault <- FilterFault.values.toSeq) test(s"the bench finds $fault") {
    val b = bench(tiny, Some(fault), 3)
    assert(b.complain.first.nonEmpty)
    info(b.complain.first.get)
  }

  /** Sends one request at a time. */
  private class Sender(dut: RetryFilter) {
    dut.clockDomain.forkStimulus(10)
    dut.io.requestsIn.valid #= false
    dut.io.updates.valid #= false
    dut.io.requestsOut.ready #= true
    dut.io.control.tick #= 5
    dut.io.control.window #= 100
    dut.io.requestsIn.time #= 5
    dut.io.requestsIn.answered #= false
    dut.clockDomain.waitSampling(10)

    /** Cycles until `count` requests of this kind have been taken, ids from 0 on. */
    def cyclesFor(opcode: Int, count: Int): Int = {
      var cycles, taken = 0
      dut.io.requestsIn.opcode #= opcode
      dut.io.requestsIn.valid #= true
      while (taken < count && cycles < 1000) {
        dut.io.requestsIn.opId #= taken
        dut.clockDomain.waitSampling()
        cycles += 1
        if (dut.io.requestsIn.ready.toBoolean) taken += 1
      }
      dut.io.requestsIn.valid #= false
      dut.clockDomain.waitSampling()
      cycles
    }
  }

  test("reads pass one per cycle, a write stays for ways + 4 cycles") {
    simulation.compile(RetryFilter(tiny)).doSim(1) { dut =>
      val sender = new Sender(dut)
      sender.cyclesFor(Opcode.READ, 1)
      assert(sender.cyclesFor(Opcode.READ, 200) == 200)
      assert(sender.cyclesFor(Opcode.WRITE, 5) == 5 * (tiny.filterWays + 4))
    }
  }

  test("a reset in the middle of anything forgets all operations") {
    simulation.compile(RetryFilter(tiny)).doSim(1) { dut =>
      val sender = new Sender(dut)
      var inserted, pending = 0
      dut.clockDomain.onSamplings {
        if (dut.io.events.toBigInt.testBit(Counter.FILTER_INSERT)) inserted += 1
        if (dut.io.events.toBigInt.testBit(Counter.FILTER_PENDING)) pending += 1
      }
      for (round <- 1 to 20) {
        val before = (inserted, pending)
        assert(sender.cyclesFor(Opcode.WRITE, 2) < 100)
        assert((inserted, pending) == (before._1 + 2, before._2), s"round $round")
        assert(sender.cyclesFor(Opcode.WRITE, 2) < 100)
        assert((inserted, pending) == (before._1 + 2, before._2 + 2), s"round $round")
        // Within a lookup, whichever cycle of it.
        dut.io.requestsIn.valid #= true
        dut.clockDomain.waitSampling(round % (tiny.filterWays + 4) + 1)
        dut.io.requestsIn.valid #= false
        // No edge is a sampling one during reset: wait by time.
        dut.clockDomain.assertReset()
        sleep(30)
        dut.clockDomain.deassertReset()
        dut.clockDomain.waitSampling(10)
      }
    }
  }
}
