package mneme.chain

import mneme.leaf.LeafConfig
import mneme.mem.Timing
import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** Replies as a client's network card gets them: whole frames, in order, and as fast as the line takes them. */
class ReplyFramesTest extends AnyFunSuite {
  private val k = ChainConfig(
    LeafConfig(CBoardConfig.tiny.copy(pageBits = 20, memBits = 26, packetSlots = 16, doors = 2, rdma = 16, leaf = true, chains = 16)),
    pairs = 8
  )
  private lazy val compiled = Simulation.config.compile(ReplyFrames(k))
  private def run(name: String, seed: Int, timing: Timing, line: Int, bad: Set[Int] = Set.empty)(body: (ReplyFramesBench, Random) => Unit): Unit =
    compiled.doSim(name, seed) { dut =>
      SimTimeout(100000000)
      val r = new Random(seed)
      body(new ReplyFramesBench(dut, k, r, timing, line, bad), r)
    }

  private def mixed(name: String, seed: Int, timing: Timing, line: Int, bad: Set[Int] = Set.empty): Unit = run(name, seed, timing, line, bad) { (b, r) =>
    b.run(200)
    for (pair <- 0 until 8) b.create(pair, pair % 5)
    for (_ <- 0 until 100) b.post(b.any(r.nextInt(8)))
    b.settle()
    assert((b.damaged > 0) == bad.nonEmpty)
  }
  test("frames of every path MTU")(mixed("mtus", 1, Timing(10, jitter = false), 0))
  test("a line and a memory that pause")(mixed("moody", 2, Timing(10, jitter = true), 6))
  test("memory that fails")(mixed("failing", 3, Timing(10, jitter = true), 2, bad = (0 until 1024 by 53).toSet))

  // The figures of docs/reference/rdma-chains-hw.md.
  for (
    (mtu, latency, most, ofWord, rate) <-
      Seq((0, 10, 32, 15, 114.6), (1, 10, 32, 15, 73.0), (2, 10, 32, 15, 69.0), (4, 10, 32, 15, 66.0), (2, 60, 82, 15, 69.0), (4, 60, 82, 15, 66.0))
  )
    test(s"cycles, path MTU ${256 << mtu}, a memory of $latency cycles") {
      run(s"cycles$mtu$latency", 4, Timing(latency, jitter = false), 0) { (b, _) =>
        b.run(200)
        b.create(3, mtu)
        b.post(b.any(3).copy(word = false, immediate = true))
        b.settle()
        val begins = b.first.head - b.posted.head + 1
        b.post(b.any(3).copy(word = true, immediate = false))
        b.settle()
        val word = b.first.last - b.posted.last + 1
        val before = b.last.size
        for (_ <- 0 until 60) b.post(b.any(3).copy(word = false, immediate = true))
        b.settle()
        val each = (b.last.last - b.last(before + 10 * (16 >> mtu) - 1)) / 50.0
        info(f"post to first beat: a page $begins, a word $word; a page in a row: $each%.1f cycles")
        assert(begins <= most && word <= ofWord && each <= rate)
      }
    }
}
