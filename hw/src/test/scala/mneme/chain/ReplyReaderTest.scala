package mneme.chain

import mneme.leaf.LeafConfig
import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Bytes of replies: packets, beats, ends and failures, in order. */
class ReplyReaderTest extends AnyFunSuite {
  private def chains(mtu: Int) = ChainConfig(
    LeafConfig(CBoardConfig.tiny.copy(pageBits = 20, memBits = 26, packetSlots = 16, mtu = mtu, doors = 2, rdma = 16, leaf = true, chains = 16)),
    pairs = 8,
    replies = 4
  )
  private val models = mutable.Map[(Int, Int), SimCompiled[ReplyReader]]()
  private def compiled(mtu: Int, inside: Int) =
    models.getOrElseUpdate((mtu, inside), Simulation.config.compile(ReplyReader(chains(mtu), inside, plantable = true)))

  private def run(name: String, seed: Int, pace: ReaderPace = ReaderPace(), mtu: Int = 1500, inside: Int = 8, fault: Option[ReaderFault.Value] = None)(
      body: (ReaderBench, Random) => Unit
  ): Unit = compiled(mtu, inside).doSim(s"$name$seed${fault.mkString}", seed) { dut =>
    SimTimeout(100000000)
    dut.plantedFaults.get #= fault.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
    val r = new Random(seed)
    val bench = new ReaderBench(dut, chains(mtu), r, pace)
    bench.reset()
    body(bench, r)
  }
  private def some(bench: ReaderBench, r: Random, count: Int): Unit =
    for (i <- 0 until count) bench.send(Leaves.any(r, 16 * i, bench.frames, pairs = 8))
  private def failing(bench: ReaderBench, r: Random): Unit = for (_ <- 0 until 20) bench.bad += r.nextInt(bench.frames * 64)

  private def mixed(seed: Int, pace: ReaderPace, mtu: Int = 1500, inside: Int = 8, fails: Boolean = false, fault: Option[ReaderFault.Value] = None): Unit =
    run("mixed", seed, pace, mtu, inside, fault) { (bench, r) =>
      if (fails) failing(bench, r)
      some(bench, r, 150)
      bench.settle()
      assert(bench.most <= inside)
    }
  private val moody = ReaderPace(departures = 4, tokens = 4, memory = 4, packets = 4, line = 4)
  test("all that replies send, without pauses")(mixed(1, ReaderPace()))
  test("everybody pauses")(mixed(2, moody))
  test("a line that pauses")(mixed(3, ReaderPace(line = 12)))
  test("memory that pauses")(mixed(4, ReaderPace(memory = 12, latency = 60)))
  test("small tokens, two of them inside")(mixed(5, moody, mtu = 576, inside = 2))
  test("large tokens")(mixed(6, moody, mtu = 4096))
  test("memory that fails: the frame is damaged, its queue pair is told, and others' go on")(mixed(7, moody, fails = true))

  test("resets at any time") {
    run("resets", 8, moody) { (bench, r) =>
      for (_ <- 0 until 40) {
        some(bench, r, 12)
        bench.run(r.nextInt(500))
        bench.reset()
        some(bench, r, 3)
        bench.settle()
      }
    }
  }

  for (mtu <- Seq(256, 1024, 4096)) test(s"pages in a row, by packets of $mtu bytes: a beat in every cycle") {
    run(s"rate$mtu", 9, ReaderPace(latency = 10)) { (bench, r) =>
      for (i <- 0 until 20) {
        val one = Leaves.any(r, 16 * i, bench.frames, 8).head
        bench.send(Leaves.page(one.copy(sends = true, source = Leaves.FRAME), mtu))
      }
      bench.settle()
      val (first, all) = (bench.given.head - bench.came.head, bench.given.last - bench.given.head + 1)
      info(s"the first beat $first cycles after its departure, and 20 pages of 64 beats in $all cycles")
      assert(all <= 20 * 64 + 2)
    }
  }

  private def planted(fault: Option[ReaderFault.Value]): Unit = mixed(7, moody.copy(memory = 8), fails = true, fault = fault)
  private lazy val passes = planted(None)
  for (fault <- ReaderFault.values) test(s"planted fault $fault is found") {
    passes
    info(intercept[Throwable](planted(Some(fault))).getMessage)
  }
}
