package mneme.chain

import mneme.leaf.LeafConfig
import mneme.mem.{BadLines, Timing}
import mneme.rdma.RoceConfig
import mneme.wire.Wire.RoceCounter
import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** Chains at a whole RoCEv2 port, from frame to frame, beside READs and WRITEs of others. */
class ChainPortTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny.copy(pageBits = 20, memBits = 26, packetSlots = 32, readBeats = 1024, doors = 2, rdma = 16, leaf = true, chains = 16)
  private val r = RoceConfig(
    c,
    queuePairs = 16,
    regions = 256,
    notificationGap = 1000,
    chains = Some(ChainConfig(LeafConfig(c, segments = 8, fillers = 8, lines = 4, ahead = 2), pairs = 8, tick = 400))
  )
  private lazy val compiled = Simulation.config.compile(ChainPortBoard(r))
  private def bench(name: String, seed: Int, timing: Timing, loss: Int = 0, bad: BadLines = new BadLines())(body: (ChainPortBench, Random) => Unit): Unit =
    compiled.doSim(name.map(c => if (c.isLetterOrDigit) c else '_'), seed) { dut =>
      SimTimeout(2000000000L)
      val random = new Random(seed)
      body(new ChainPortBench(dut, random, timing, loss, bad).start(), random)
    }

  /** Queue pairs of all functions, and of all path MTUs; loads and invalidates with and without magic. */
  private def links(random: Random): Seq[ChainLink] =
    for (place <- 0 until 8) yield ChainLink(place, Seq(0, 1, 2, 3, 0, 2, 0, 1)(place), 1 + random.nextInt(5), place != 4, random.nextBoolean())

  private def mixed(b: ChainPortBench, random: Random, cycles: Int): Unit = {
    b.prepare()
    for (link <- links(random)) assert(b.create(link) == ChainResult.DONE)
    b.join(4)
    b.traffic(cycles)
    b.settle()
    val (usable, waiting) = b.free
    assert(usable + b.pages.size == 64 && waiting == 0, s"$usable frames are free, $waiting wait, ${b.pages.size} pages have one")
    for (name <- Seq("loads", "mappedStores", "unmappedStores", "freed")) assert(b.events(name) > 0, name)
    assert(b.nativesDone > 0 && b.counter(RoceCounter.UNKNOWN_QUEUE_PAIR) == 0 && Seq(RoceCounter.DROP_FULL, RoceCounter.DROP_SHARE).forall(b.counter(_) == 0))
  }
  test("chains of every path MTU beside READs and WRITEs")(bench("mixed", 1, Timing(10, jitter = false))((b, random) => mixed(b, random, 15000)))
  test("the same, where everything stalls")(bench("stalls", 2, Timing(10, jitter = true))((b, random) => mixed(b, random, 100000)))
  test("the same, with packets and answers that are lost")(bench("loss", 3, Timing(10, jitter = true), loss = 5) { (b, random) =>
    mixed(b, random, 60000)
    assert(b.events("again") > 0 && b.events("timeout") > 0 && b.events("gap") > 0 && b.events("notReady") > 0 && b.events("looked") > 0)
  })
  test("the same, after resets amid it")(bench("resets", 4, Timing(10, jitter = true), loss = 2) { (b, random) =>
    for (_ <- 0 until 3) {
      b.prepare()
      for (link <- links(random)) assert(b.create(link) == ChainResult.DONE)
      b.join(4)
      b.traffic(500 + random.nextInt(4000))
      b.reset()
    }
    mixed(b, random, 20000)
  })

  test("memory that fails under a page ends its queue pair, and its number is made anew when its packets have left") {
    // The third frame's lines.
    val bad = BadLines(unreadable = (0x102 * 64 until 0x103 * 64).toSet)
    bench("fails", 5, Timing(30, jitter = false), bad = bad) { (b, random) =>
      b.prepare()
      for (link <- links(random)) assert(b.create(link) == ChainResult.DONE)
      b.join(2)
      for (page <- 0 to 5) {
        assert(b.begin(2, page))
        b.until(20000, "a store is not done")(b.clients(2).isIdle)
      }
      for (round <- 1 to 5) {
        for (page <- 0 to 5) b.begin(0, page)
        b.until(20000, "the queue pair does not end")(b.events("repliesFailed") == round)
        val old = b.clients(0).link
        assert(b.damaged >= round && b.create(old) == ChainResult.TAKEN && b.destroy(0) == ChainResult.DONE && b.create(old) == ChainResult.DONE)
        b.uses.clear()
        // One that no memory fails under.
        assert(b.begin(0, 0))
        b.until(20000, "the new queue pair does not answer")(b.clients(0).isIdle)
      }
      b.settle()
      assert(b.free == ((58, 0)) && b.events("repliesFailed") == 5)
    }
  }

  test("packets of chain numbers that nobody has are counted") {
    bench("unknown", 6, Timing(10, jitter = false)) { (b, _) =>
      b.prepare()
      b.join(1)
      val link = ChainLink(3, 0, 3)
      assert(b.create(link) == ChainResult.DONE && b.destroy(3) == ChainResult.DONE)
      b.pages(1) = Nil
      b.clients(3).begin(1)
      b.traffic(500, most = 0)
      assert(b.counter(RoceCounter.UNKNOWN_QUEUE_PAIR) == 1 && b.nativesDone > 0)
    }
  }

  // --- Cycles: the figures of docs/reference/rdma-chains-hw.md.
  test("cycles of a load, a mapped store and a READ, and of many in a row") {
    bench("cycles", 7, Timing(10, jitter = false)) { (b, _) =>
      b.prepare()
      for (place <- 0 to 3) assert(b.create(ChainLink(place, Seq(0, 1, 2, 0)(place), 5, signal = false)) == ChainResult.DONE)
      for (place <- 4 to 7) assert(b.create(ChainLink(place, 0, 5, signal = false)) == ChainResult.DONE)
      b.join(4)
      b.nativesGo = false
      var writes = 0L
      def one(place: Int, page: Int): Unit = { assert(b.begin(place, page)); b.settle(); b.nativesGo = false }
      for (page <- 0 to 7) one(2, page)
      // The best of some: the requester looks at its queue pairs' times once a tick.
      def least(name: String)(run: => Unit)(cycles: (String, () => Long)*): Seq[Long] = {
        val all = for (_ <- 0 until 8) yield { run; cycles.map(_._2()) }
        val best = all.transpose.map(_.min)
        info(s"$name: ${cycles.map(_._1).zip(best).map { case (what, n) => s"$n to $what" }.mkString(", ")}")
        best
      }
      val load = least("a load") { b.marks(); one(0, 1) }("the door of frames" -> (() => b.tokenAfter), "its page" -> (() => b.firstAfter(0x0b)))
      val mapped = least("a mapped store") { b.marks(); one(1, 1) }("its reply" -> (() => b.firstAfter(0x0b)), "its acknowledge" -> (() => b.firstAfter(0x11)))
      val write = least("a WRITE and a READ") { b.alone(); writes = b.firstAfter(0x11); b.alone() }(
        "the WRITE's acknowledge" -> (() => writes),
        "the READ's door" -> (() => b.doorAfter),
        "its answer" -> (() => b.firstAfter(0x10))
      )
      // Many loads, and many READs.
      def rate(opcode: Int, count: Int): Double = {
        val at = b.leftAt.filter(_._1 == opcode).map(_._2)
        (at(at.size - 20) - at(at.size - count)) / (count - 20.0)
      }
      val loaders = Seq(0, 3, 4, 5, 6, 7)
      b.leftAt.clear()
      val end = b.now + 12000
      while (b.now < end) {
        for (place <- loaders if b.clients(place).open < 8) b.begin(place, place)
        b.cycle()
      }
      b.settle()
      b.nativesGo = false
      val loads = rate(0x0b, 120)
      b.leftAt.clear()
      b.reads(160)
      val reads = rate(0x10, 120)
      info(f"loads in a row: $loads%.1f cycles, READs of a page: $reads%.1f, ${100 * reads / loads}%.1f%%")
      assert(load(0) <= 34 && load(1) <= 55 && mapped(0) <= 134 && mapped(1) <= 133 && write(0) <= 91 && write(1) <= 16 && write(2) <= 27)
      assert(loads <= 67.0 && reads / loads >= 0.97)
    }
  }
}
