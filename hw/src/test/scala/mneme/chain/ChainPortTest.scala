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
    chains = Some(ChainConfig(LeafConfig(c, segments = 8, fillers = 8, lines = 4, ahead = 2), pairs = 8, tick = 200))
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
    assert(b.nativesDone > 0 && b.counter(RoceCounter.UNKNOWN_QUEUE_PAIR) == 0 && b.counter(RoceCounter.DROP_FULL) == 0)
  }
  test("chains of every path MTU beside READs and WRITEs")(bench("mixed", 1, Timing(10, jitter = false))((b, random) => mixed(b, random, 20000)))
  test("the same, where everything stalls")(bench("stalls", 2, Timing(10, jitter = true))((b, random) => mixed(b, random, 40000)))
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
    mixed(b, random, 10000)
  })
}
