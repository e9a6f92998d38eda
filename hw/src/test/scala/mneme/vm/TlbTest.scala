package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.util.Random

/** The TLB alone against a list with true LRU for each share of each set: a lookup in every cycle at most, lookups that wait and are read again, fills
  * of pages that were not found, flushes.
  */
class TlbTest extends AnyFunSuite {

  /** `shares`: the ways of each share, disjoint; a page's process id tells which is its. */
  private class Bench(dut: Tlb, c: CBoardConfig, seed: Int, planted: Seq[PlantedFault.Value] = Nil, shares: Seq[Int]) {
    private val random = new Random(seed)
    private val geometry = Geometry(c)
    private val models = Seq.fill(1 << c.tlbSetsLog2)(shares.map(ways => new TlbModel(Integer.bitCount(ways))))
    private val pages = Seq.fill(2 * c.tlbEntries)(Page(random.nextInt(4), random.nextInt(1 << 10)))
    private def setOf(page: Page) = TlbSet.software(c, geometry.bucket(page), page.pid)
    private def shareOf(page: Page) = page.pid % shares.size
    private def modelOf(page: Page) = models(setOf(page))(shareOf(page))
    private val inputs = Seq(dut.io.touch, dut.io.forget, dut.io.fill.valid, dut.io.filling, dut.io.writes, dut.io.flush)
    /** Pages whose set or line changed in the cycle before, which a lookup would not see. */
    private var changed = Option.empty[Int]
    var hits, misses, forgotten, damaged, flushes = 0

    def run(lookups: Int): Unit = {
      inputs.foreach(_ #= false)
      dut.plantedFaults.foreach(_ #= planted.map(f => BigInt(1) << f.id).sum)
      dut.io.load #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(20)
      dut.clockDomain.waitSamplingWhere(dut.io.ready.toBoolean)
      for (_ <- 0 until lookups) if (random.nextInt(500) == 0) flush() else lookup(pages(random.nextInt(pages.size)), random.nextBoolean())
    }

    /** While everything is forgotten, nothing is found, and a fill comes to nothing. */
    private def flush(): Unit = {
      dut.clockDomain.waitSampling()
      inputs.foreach(_ #= false)
      dut.io.flush #= true
      dut.clockDomain.waitSampling()
      dut.io.flush #= false
      models.flatten.foreach(_.clear())
      flushes += 1
      val page = pages(random.nextInt(pages.size))
      dut.io.load #= false
      present(page, Entry.bit(Wire.Pte.ALLOCATED))
      dut.clockDomain.waitSampling()
      inputs.foreach(_ #= false)
      dut.clockDomain.waitSampling()
      while (!dut.io.ready.toBoolean) {
        assert(!dut.io.matches.toBoolean, "something is found in a TLB that forgets everything")
        dut.clockDomain.waitSampling()
      }
      changed = None
    }

    private def ask(page: Page): Unit = {
      dut.io.key.bucket #= geometry.bucket(page)
      dut.io.key.tag #= geometry.tag(page)
      dut.io.set #= setOf(page)
      dut.io.load #= true
      dut.clockDomain.waitSampling()
      inputs.foreach(_ #= false)
      if (changed.contains(setOf(page))) dut.clockDomain.waitSampling()
      dut.io.load #= false
      changed = None
    }

    private def lookup(page: Page, writes: Boolean): Unit = {
      ask(page)
      dut.io.writes #= writes
      sleep(1)
      val entry = modelOf(page).peek(page)
      val serves = entry.exists(e => !writes || Entry.has(e, Wire.Pte.DIRTY))
      assert(dut.io.matches.toBoolean == entry.nonEmpty && dut.io.serves.toBoolean == serves, s"$page, model has ${entry.map(_.toHexString)}")
      if (serves) {
        assert(dut.io.entry.toBigInt.toLong == entry.get)
        assert(dut.io.damaged.toBoolean == Entry.odd(entry.get), s"$page: ${entry.get.toHexString}")
      }
      random.nextInt(8) match {
        case 0 => ()
        case 1 if entry.nonEmpty => forget(page)
        case 2 if serves && !Entry.odd(entry.get) => flip(page, entry.get)
        case _ if serves && Entry.odd(entry.get) => forget(page)
        case _ if serves =>
          dut.io.touch #= true
          modelOf(page).touch(page)
          changed = Some(setOf(page))
          hits += 1
        case _ =>
          if (entry.nonEmpty) forget(page)
          fill(page)
      }
    }

    private def forget(page: Page): Unit = {
      dut.io.forget #= true
      modelOf(page).forget(page)
      changed = Some(setOf(page))
      forgotten += 1
    }

    /** One bit anywhere but where the TLB looks to find the entry. */
    private def flip(page: Page, entry: Long): Unit = {
      val bits = (0 until 64).filter(bit => (bit < c.tagShift || bit >= Wire.Pte.TAG_TOP) && bit != Wire.Pte.ALLOCATED && bit != Wire.Pte.DIRTY)
      val bit = bits(random.nextInt(bits.size))
      val way = dut.lines.find(_.getBigInt(setOf(page)).toLong == entry).get
      way.setBigInt(setOf(page), way.getBigInt(setOf(page)).flipBit(bit))
      modelOf(page).flip(page, 1L << bit)
      damaged += 1
    }

    private def fill(page: Page): Unit = {
      dut.clockDomain.waitSampling()
      inputs.foreach(_ #= false)
      val flags = Entry.bit(Wire.Pte.ALLOCATED) | (if (random.nextBoolean()) Entry.bit(Wire.Pte.DIRTY) else 0)
      val entry = Entry.seal(geometry.withTag(random.nextLong() & ~Entry.bit(Wire.Pte.DIRTY) | flags, page))
      present(page, entry)
      modelOf(page).fill(page, entry)
      changed = Some(setOf(page))
      misses += 1
    }

    private def present(page: Page, entry: Long): Unit = {
      dut.io.fill.valid #= true
      dut.io.filling #= true
      dut.io.fill.bucket #= geometry.bucket(page)
      dut.io.fill.set #= setOf(page)
      dut.io.fill.entry #= BigInt(entry) & BigInt("ffffffffffffffff", 16)
      dut.io.ways #= shares(shareOf(page))
    }
  }

  for (c <- Seq(CBoardConfig.tiny.copy(tlbEntries = 12, tlbWays = 3), CBoardConfig.tiny.copy(tlbEntries = 16, tlbWays = 4), CBoardConfig.odd))
    test(s"entries hit, miss, are forgotten, are damaged and give way as in lists with true LRU: ${c.tlbEntries} entries, ${c.tlbWays} ways") {
      val compiled = VmSim.config.compile(Tlb(c, plantable = true))
      for (seed <- 1 to 3) compiled.doSim(seed) { dut =>
        val all = (1 << c.tlbWays) - 1
        val bench = new Bench(dut, c, seed, shares = if (seed == 1) Seq(all) else Seq(1, all - 1))
        bench.run(10000)
        assert(bench.hits > 1000 && bench.misses > 1000 && bench.forgotten > 500 && bench.damaged > 200 && bench.flushes > 5)
      }
    }

  /** Pages of a run that find room side by side. */
  private def held(c: CBoardConfig, run: Seq[Page]): Int = {
    val geometry = Geometry(c)
    val sets = run.groupBy(page => TlbSet.software(c, geometry.bucket(page), page.pid))
    sets.values.map(_.size min c.tlbWays).sum
  }

  for (c <- CBoardConfig.all) test(s"${c.name}: as many consecutive pages of a process as the TLB has entries all hit, and so do sets of processes") {
    val random = new Random(1)
    val entries = c.tlbEntries / c.tlbWays * c.tlbWays
    for (_ <- 0 until 200) {
      val (pid, high) = (random.nextInt(1 << 24), random.nextLong() & ((1L << c.vpnBits - c.bucketBits) - 1))
      val buckets = 1 << c.bucketBits
      val first = (high << c.bucketBits) + random.nextInt(1 max (buckets - entries))
      val pages = Seq.tabulate(entries min buckets)(i => Page(pid, first + i))
      assert(held(c, pages) == pages.size, s"from page $first of process $pid on")
      val group = pid >> c.tlbSetsLog2 << c.tlbSetsLog2
      val processes = Seq.tabulate(1 << c.tlbSetsLog2)(i => Page(group + i, first))
      assert(processes.map(p => TlbSet.software(c, Geometry(c).bucket(p), p.pid)).distinct.size == processes.size, s"page $first of processes from $group on")
    }
  }

  for (fault <- Seq(PlantedFault.LruBroken, PlantedFault.TlbParityIgnored, PlantedFault.SharesIgnored, PlantedFault.SharesKeepEntries))
    test(s"the bench finds the planted fault $fault") {
      val c = CBoardConfig.odd
      VmSim.config.compile(Tlb(c, plantable = true)).doSim(1) { dut =>
        intercept[org.scalatest.exceptions.TestFailedException](new Bench(dut, c, 1, Seq(fault), shares = Seq(1, 6)).run(10000))
      }
    }
}
