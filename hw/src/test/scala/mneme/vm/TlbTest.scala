package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.util.Random

/** The TLB alone against a list with true LRU: lookups up to one per cycle, stages that stop at random, fills where nothing was found. */
class TlbTest extends AnyFunSuite {

  /** A lookup on its way: stage 2, then stage 3. */
  private case class Lookup(page: Page, writes: Boolean)

  private class Bench(dut: Tlb, c: CBoardConfig, seed: Int) {
    private val random = new Random(seed)
    private val geometry = Geometry(c)
    private val model = new TlbModel(c.tlbEntries)
    private val pages = Seq.fill(2 * c.tlbEntries)(Page(random.nextInt(4), random.nextInt(1 << 10)))
    /** In stage 2, and what stage 3 must show. */
    private var choosing: Option[Lookup] = None
    private var showing: Option[Long] = None
    var hits, misses, forgotten = 0

    def run(cycles: Int): Unit = {
      val inputs = Seq(dut.io.load, dut.io.select, dut.io.touch, dut.io.drop, dut.io.invalidate, dut.io.fill.valid, dut.io.writes)
      inputs.foreach(_ #= false)
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(5)
      for (_ <- 0 until cycles) {
        inputs.foreach(_ #= false)
        val moves = choose()
        if (moves) choosing = None
        if (choosing.isEmpty && random.nextInt(4) > 0) load()
        dut.clockDomain.waitSampling()
        sleep(1)
        for (entry <- showing) assert(dut.io.entry.toBigInt.toLong == entry)
        showing = None
      }
    }

    private def load(): Unit = {
      val lookup = Lookup(pages(random.nextInt(pages.size)), random.nextBoolean())
      dut.io.key.bucket #= geometry.bucket(lookup.page)
      dut.io.key.tag #= geometry.tag(lookup.page)
      dut.io.writes #= lookup.writes
      dut.io.load #= true
      choosing = Some(lookup)
    }

    /** What stage 2 does in this cycle; true when it lets its lookup go. */
    private def choose(): Boolean = choosing.exists { lookup =>
      val entry = model.peek(lookup.page)
      val serves = entry.exists(e => !lookup.writes || Entry.has(e, Wire.Pte.DIRTY))
      assert(dut.io.hit.toBoolean == serves, s"$lookup, model has ${entry.map(_.toHexString)}")
      random.nextInt(4) match {
        case 0 => false
        case 1 if entry.nonEmpty =>
          dut.io.invalidate #= true
          model.forget(lookup.page)
          forgotten += 1
          changed()
        case _ if serves =>
          dut.io.select #= true
          dut.io.touch #= true
          model.touch(lookup.page)
          showing = entry
          hits += 1
          true
        case _ =>
          fill(lookup)
          misses += 1
          changed()
      }
    }

    /** Nothing is compared in the cycle in which an entry changes: around the TLB, the pipeline stands still then. */
    private def changed(): Boolean = {
      dut.clockDomain.waitSampling()
      dut.io.fill.valid #= false
      dut.io.invalidate #= false
      true
    }

    private def fill(lookup: Lookup): Unit = {
      val dirty = if (lookup.writes || random.nextBoolean()) Entry.bit(Wire.Pte.DIRTY) else 0
      val entry = Entry.seal(geometry.withTag(random.nextLong() & ~Entry.bit(Wire.Pte.DIRTY) | dirty, lookup.page))
      dut.io.fill.valid #= true
      dut.io.fill.bucket #= geometry.bucket(lookup.page)
      dut.io.fill.entry #= BigInt(entry) & BigInt("ffffffffffffffff", 16)
      model.fill(lookup.page, entry)
    }
  }

  test("entries hit, miss, are forgotten and give way as in a list with true LRU") {
    val c = CBoardConfig.tiny.copy(tlbEntries = 7)
    val compiled = VmSim.config.compile(Tlb(c))
    for (seed <- 1 to 3) compiled.doSim(seed) { dut =>
      val bench = new Bench(dut, c, seed)
      bench.run(20000)
      assert(bench.hits > 1000 && bench.misses > 1000 && bench.forgotten > 1000)
    }
  }
}
