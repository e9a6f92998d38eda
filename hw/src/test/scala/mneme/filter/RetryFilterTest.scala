package mneme.filter

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire.{Counter, Opcode}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

class RetryFilterTest extends AnyFunSuite {
  private def simulation = Simulation.config
  private val tiny = CBoardConfig.tiny
  private val shapes = Seq(
    tiny,
    tiny.copy(name = "oneway", filterSetsLog2 = 1, filterWays = 1),
    tiny.copy(name = "odd", filterSetsLog2 = 3, filterWays = 3),
    tiny.copy(name = "tagged", filterSetsLog2 = 3, filterWays = 4, trailers = true)
  )
  private val requests = 12000

  private val compiled = collection.mutable.Map.empty[CBoardConfig, SimCompiled[RetryFilter]]

  private def bench(c: CBoardConfig, fault: Option[FilterFault.Value], seed: Int, alike: Boolean = false, flips: Boolean = false): FilterBench = {
    var bench: FilterBench = null
    compiled.getOrElseUpdate(c, simulation.compile(RetryFilter(c, plantable = true))).doSim(s"seed$seed", seed) { dut =>
      bench = new FilterBench(dut, c, seed, requests, fault, alike, flips)
      bench.run()
    }
    bench
  }

  // A filter of four entries shows some things in few of its runs.
  for (c <- shapes) test(s"${c.name}: all that leaves the filter is what the contract says, and every verdict comes") {
    val benches = (1 to 2).map(bench(c, None, _))
    for (b <- benches) assert(b.complain.first.isEmpty, b.complain.first)
    val filter = Counter.all.filter { case (name, number) => name.startsWith("FILTER_") && number != Counter.FILTER_PARITY }
    assert(filter.size == 10 && benches.forall(_.events(Counter.FILTER_PARITY) == 0))
    for ((name, number) <- filter) assert(benches.exists(_.events(number) > 0), s"$name was never counted")
  }

  // Where a set has one way, most of them find no room.
  for (c <- shapes if c.filterWays > 1) test(s"${c.name}: operations that only their whole keys tell apart are told apart") {
    val b = bench(c, None, seed = 4, alike = true)
    assert(b.complain.first.isEmpty, b.complain.first)
    assert(b.events(Counter.FILTER_INSERT) > 50 && b.events(Counter.FILTER_PENDING) > 50)
    assert(bench(c, Some(FilterFault.FingerprintIsKey), seed = 4, alike = true).complain.first.nonEmpty)
  }

  for (c <- shapes) test(s"${c.name}: no flipped bit of a row, a key or an end lets an operation take effect again, or tells a wrong result") {
    val b = bench(c, None, seed = 5, flips = true)
    assert(b.complain.first.isEmpty, b.complain.first)
    info(s"${b.damage.flips} words of ${b.events(Counter.FILTER_INSERT)} operations, ${b.events(Counter.FILTER_PARITY)} told")
    assert(b.damage.flips > 300 && b.events(Counter.FILTER_PARITY) > 100)
  }
  for (fault <- Seq(FilterFault.EntryDamageIgnored, FilterFault.RowDamageIgnored)) test(s"the bench finds $fault") {
    val found = Iterator.range(5, 10).flatMap(seed => bench(tiny, Some(fault), seed, flips = true).complain.first).nextOption()
    assert(found.nonEmpty)
    info(found.get)
  }

  // These are found by the tests of shares below, and by those of damage.
  private val others = Seq(FilterFault.NoShare, FilterFault.RowsFilled, FilterFault.EntryDamageIgnored, FilterFault.RowDamageIgnored)
  for (fault <- FilterFault.values.toSeq.diff(others)) test(s"the bench finds $fault") {
    // What shows a rare case happens in one run of a few.
    val found = Iterator.range(3, 8).flatMap(seed => bench(tiny, Some(fault), seed).complain.first).nextOption()
    assert(found.nonEmpty)
    info(found.get)
  }

  /** Sends requests as fast as they are taken, and counts what becomes of them. */
  private class Sender(dut: RetryFilter) {
    dut.clockDomain.forkStimulus(10)
    dut.io.requestsIn.valid #= false
    dut.io.updates.valid #= false
    dut.io.requestsOut.ready #= true
    dut.io.control.tick #= 5
    dut.io.control.window #= 100
    dut.io.requestsIn.header.time #= 5
    dut.io.requestsIn.answered #= false
    dut.io.requestsIn.header.srcIp #= 1
    dut.io.requestsIn.header.srcPort #= 1
    dut.io.requestsIn.header.pid #= 1
    if (dut.c.trailers) dut.io.proven #= true
    if (dut.flips != null) for (mask <- Seq(dut.flips.tag, dut.flips.key, dut.flips.end)) mask #= 0
    val counts = collection.mutable.Map.empty[Int, Int].withDefaultValue(0)
    dut.clockDomain.onSamplings {
      val seen = dut.io.events.toBigInt
      for ((_, number) <- Counter.all if seen.testBit(number)) counts(number) += 1
    }
    dut.clockDomain.waitSampling(dut.c.filterEntries + 10)

    /** Cycles until `count` requests of this kind have been taken, ids from `first` on. */
    def cyclesFor(opcode: Int, count: Int, id: Int => Long = i => i, ip: Option[Int => Long] = None): Int = {
      var cycles, taken = 0
      dut.io.requestsIn.header.opcode #= opcode
      dut.io.requestsIn.valid #= true
      while (taken < count && cycles < 100 + 20 * count) {
        dut.io.requestsIn.header.opId #= id(taken)
        for (ip <- ip) dut.io.requestsIn.header.srcIp #= ip(taken)
        dut.clockDomain.waitSampling()
        cycles += 1
        if (dut.io.requestsIn.ready.toBoolean) taken += 1
      }
      dut.io.requestsIn.valid #= false
      dut.clockDomain.waitSampling(12)
      cycles
    }
    def from(srcIp: Long, srcPort: Int): Unit = {
      dut.io.requestsIn.header.srcIp #= srcIp
      dut.io.requestsIn.header.srcPort #= srcPort
    }
    /** What has been counted since the last call. */
    def counted(counter: Int): Int = { val n = counts(counter); counts(counter) = 0; n }
  }

  test("reads pass one per cycle, writes and retries one per two cycles, whatever sets they fall into") {
    simulation.compile(RetryFilter(CBoardConfig.zcu106)).doSim(1) { dut =>
      val sender = new Sender(dut)
      val random = new scala.util.Random(1)
      assert(sender.cyclesFor(Opcode.READ, 200) <= 201)
      for ((name, ids) <- Seq("counting" -> Seq.tabulate(800)(_.toLong), "random" -> Seq.fill(800)(random.nextInt().toLong & 0xffffffffL))) {
        for (what <- Seq(Counter.FILTER_INSERT, Counter.FILTER_PENDING)) {
          val cycles = sender.cyclesFor(Opcode.WRITE, ids.size, ids)
          info(f"$name ids: ${cycles.toDouble / ids.size}%.3f cycles per request")
          assert(cycles <= 2.02 * ids.size)
          assert(sender.counted(what) == ids.size)
        }
      }
    }
  }

  test("above three quarters a source group holds its share and no more, and others find room") {
    val c = tiny.copy(name = "share", filterSetsLog2 = 4, filterWays = 4)
    val group = (ip: Int) => FilterHash.softwareGroup(c, ip)
    val other = (2 to 100).find(group(_) != group(1)).get
    val share = simulation.compile(RetryFilter(c, plantable = true))
    share.doSim("planted", 1) { dut =>
      dut.plantedFaults.get #= BigInt(1) << FilterFault.NoShare.id
      val sender = new Sender(dut)
      sender.cyclesFor(Opcode.WRITE, c.filterEntries)
      assert(sender.counted(Counter.FILTER_INSERT) == c.filterEntries, "the fault is planted and shows")
    }
    share.doSim("share", 1) { dut =>
      dut.plantedFaults.get #= 0
      val sender = new Sender(dut)
      sender.cyclesFor(Opcode.WRITE, c.filterEntries)
      val inserted = sender.counted(Counter.FILTER_INSERT)
      // The count lags by the lookups under way.
      assert(inserted >= c.filterEntries * 3 / 4 && inserted <= c.filterEntries * 3 / 4 + 4)
      assert(sender.counted(Counter.FILTER_FULL) == c.filterEntries - inserted)
      sender.from(1, 2)
      sender.cyclesFor(Opcode.WRITE, 16)
      assert(sender.counted(Counter.FILTER_FULL) == 16, "another port of the same address is the same source")
      sender.from(other, 1)
      sender.cyclesFor(Opcode.WRITE, 16)
      assert(sender.counted(Counter.FILTER_INSERT) == 16)
      // A pending entry stays, so all are ended; their window over, everything is free again.
      for (entry <- 0 until c.filterEntries) {
        dut.io.updates.valid #= true
        dut.io.updates.entry #= entry
        dut.clockDomain.waitSamplingWhere(dut.io.updates.ready.toBoolean)
      }
      dut.io.updates.valid #= false
      dut.io.control.tick #= 200
      dut.io.requestsIn.header.time #= 200
      dut.clockDomain.waitSampling(16 * c.filterEntries)
      assert(sender.counted(Counter.FILTER_SCRUBBED) == inserted + 16)
      sender.cyclesFor(Opcode.WRITE, c.filterEntries / 2)
      assert(sender.counted(Counter.FILTER_INSERT) == c.filterEntries / 2)
    }
  }

  test("a class that is proved has its share and no more, whatever addresses it has") {
    val c = tiny.copy(name = "classes", filterSetsLog2 = 4, filterWays = 4, trailers = true)
    val filter = simulation.compile(RetryFilter(c))
    /** What is made of as many requests of a class as there are entries, each from an address of its own, and of 16 of class 6 then. */
    def run(of: Int, proven: Boolean): (Int, Int) = {
      var got = (0, 0)
      filter.doSim(s"class $of, proven $proven", 1) { dut =>
        val sender = new Sender(dut)
        dut.io.proven #= proven
        dut.io.requestsIn.header.pid #= (of << 20) | 1
        sender.cyclesFor(Opcode.WRITE, c.filterEntries, ip = Some(i => 0x0a000000L + 7 * i))
        val made = sender.counted(Counter.FILTER_INSERT)
        dut.io.requestsIn.header.pid #= (6 << 20) | 1
        // Rows that the flood has not filled, so that the share alone decides.
        sender.cyclesFor(Opcode.WRITE, 16, i => 1000 + i, Some(i => 0x0b000000L + i))
        got = (made, sender.counted(Counter.FILTER_INSERT))
      }
      got
    }
    // The count lags by the lookups under way.
    val most = c.filterEntries * 3 / 4
    val (flooded, beside) = run(of = 5, proven = true)
    assert(flooded >= most - 8 && flooded <= most + 4, "a class is held to its share of a crowded filter")
    assert(beside >= 14, "another class has room")
    val (spoofed, left) = run(of = 5, proven = false)
    assert(spoofed > most + 16, "without a proof addresses count, and it has all groups")
    assert(left < 8)
    assert(run(of = 13, proven = true) == ((flooded, beside)), "13 is of the same part as 5")
    val (addresses, room) = run(of = 0, proven = true)
    assert(addresses <= most + 4 && room >= 14, "class 0 has half of the groups, whatever its addresses")
  }

  test("a group with its share leaves a way of each row to the others, but when it is alone") {
    val c = tiny.copy(name = "rows", filterSetsLog2 = 4, filterWays = 4)
    val other = (2 to 100).find(FilterHash.softwareGroup(c, _) != FilterHash.softwareGroup(c, 1)).get
    /** Operations whose rows are among 8 of each choice, of 16. */
    def among(srcIp: Long): Iterator[(Long, Int)] =
      Iterator.from(1).map(id => id.toLong -> FilterHash.software(c.filterSetsLog2, srcIp, 1, id)).collect { case (id, (a, b)) if a < 8 && b < 8 => (id, a) }
    val rows = 16 * c.filterWays
    val flood = among(1).map(_._1).take(16 * rows).toSeq
    /** One in each of the rows of the first choice. */
    val honest = among(other).take(1000).toSeq.groupBy(_._2).toSeq.sortBy(_._1).map(_._2.head._1)
    assert(honest.size == 8)
    val filter = simulation.compile(RetryFilter(c, plantable = true))
    /** What the flood got, and what another source got then; which was there before, or was not. */
    def run(name: String, fault: BigInt, before: Boolean): (Int, Int) = {
      var got = (0, 0)
      filter.doSim(name, 1) { dut =>
        dut.plantedFaults.get #= fault
        val sender = new Sender(dut)
        // In a row of the upper half.
        val elsewhere = Iterator.from(1).map(_.toLong).find(id => FilterHash.software(c.filterSetsLog2, other, 1, id)._1 >= 8).get
        if (before) {
          sender.from(other, 1)
          sender.cyclesFor(Opcode.WRITE, 1, _ => elsewhere)
          assert(sender.counted(Counter.FILTER_INSERT) == 1)
        }
        sender.from(1, 1)
        sender.cyclesFor(Opcode.WRITE, flood.size, flood)
        val flooded = sender.counted(Counter.FILTER_INSERT)
        sender.from(other, 1)
        sender.cyclesFor(Opcode.WRITE, honest.size, honest)
        got = (flooded, sender.counted(Counter.FILTER_INSERT))
      }
      got
    }
    assert(run("beside", 0, before = true) == (rows - 16, 8))
    assert(run("alone", 0, before = false) == (rows, 0))
    val planted = run("planted", BigInt(1) << FilterFault.RowsFilled.id, before = true)
    assert(planted == (rows, 0), "the fault is planted and shows")
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
        dut.clockDomain.waitSampling(round % 8 + 1)
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
