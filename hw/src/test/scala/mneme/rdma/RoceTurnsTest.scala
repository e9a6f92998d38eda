package mneme.rdma

import mneme.mem.Stall
import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Queue pairs stand in lists of their processes: everybody comes once, processes in turn. */
class RoceTurnsTest extends AnyFunSuite {
  private val r = RoceConfig(CBoardConfig.sim, queuePairs = 16, regions = 16)
  private lazy val compiled = Simulation.config.compile(RoceTurns(r))

  private class Bench(dut: RoceTurns, random: Random) {
    /** Queue pairs that stand in the queue, with their shares. */
    val waiting = mutable.Map[Int, Int]()
    val popped = mutable.ArrayBuffer[(Int, Int)]()
    private val stall = new Stall(random, true)
    private var last = 0
    private var cycles = 0

    def start(): this.type = {
      dut.io.push.valid #= false
      dut.io.pop.ready #= false
      dut.io.clear.valid #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(3)
      for (share <- 0 until r.queuePairs) {
        dut.io.clear.valid #= true
        dut.io.clear.payload #= share
        dut.clockDomain.waitSampling()
      }
      dut.io.clear.valid #= false
      this
    }
    /** A push may come in every fourth cycle. */
    def mayPush: Boolean = cycles - last >= 4
    def cycle(push: Option[(Int, Int)], ready: Boolean): Unit = {
      dut.io.push.valid #= push.isDefined
      for ((share, pair) <- push) {
        assert(waiting.put(pair, share).isEmpty)
        dut.io.push.share #= share
        dut.io.push.pair #= pair
        last = cycles
      }
      dut.io.pop.ready #= ready
      dut.clockDomain.waitSampling()
      cycles += 1
      if (ready && dut.io.pop.valid.toBoolean) {
        val pair = dut.io.pop.payload.toInt
        val share = waiting.remove(pair)
        assert(share.isDefined, s"$pair comes without having been put in")
        popped += ((share.get, pair))
      }
    }
    def stalled: Boolean = stall.go()
    def isEmpty: Boolean = dut.io.empty.toBoolean
    def drain(): Unit = {
      for (_ <- 0 until 16 * r.queuePairs) cycle(None, ready = true)
      assert(waiting.isEmpty && isEmpty)
    }
  }

  test("whoever is put in comes once, however long it takes") {
    compiled.doSim("once", 1) { dut =>
      val random = new Random(1)
      val b = new Bench(dut, random).start()
      for (i <- 0 until 20000) {
        val out = (0 until r.queuePairs).filterNot(b.waiting.contains)
        // Times at which hardly anybody waits, and such at which nearly all do.
        val push = b.mayPush && out.nonEmpty && random.nextInt(10) < (if (i / 500 % 2 == 0) 9 else 2)
        val pair = if (push) Some((random.nextInt(4), out(random.nextInt(out.size)))) else None
        b.cycle(pair, b.stalled && (i / 250 % 4 != 1))
      }
      b.drain()
      assert(b.popped.size > 2000)
    }
  }

  test("processes take turns by packet, and so do the queue pairs of each") {
    compiled.doSim("turns", 2) { dut =>
      val b = new Bench(dut, new Random(2)).start()
      // Nine of process 5, one of 3, two of 8; the first one is fetched at once.
      val pairs = (0 until 9).map((5, _)) ++ Seq((3, 9), (8, 10), (8, 11))
      for (pair <- pairs) {
        b.cycle(Some(pair), ready = false)
        for (_ <- 0 until 3) b.cycle(None, ready = false)
      }
      // Who has come is put in again.
      val count = 120
      while (b.popped.size < count) {
        val before = b.popped.size
        b.cycle(None, ready = true)
        if (b.popped.size > before) {
          b.cycle(Some(b.popped.last), ready = false)
          for (_ <- 0 until 8) b.cycle(None, ready = false)
        }
      }
      val shares = b.popped.drop(3).map(_._1)
      for (three <- shares.grouped(3) if three.size == 3) assert(three.toSet == Set(3, 5, 8), shares)
      val own = b.popped.filter(_._1 == 5).map(_._2).drop(1)
      for (nine <- own.grouped(9) if nine.size == 9) assert(nine.toSet == (0 until 9).toSet, own)
    }
  }

  test("where nobody waits who comes is the next one a cycle later") {
    compiled.doSim("alone", 3) { dut =>
      val b = new Bench(dut, new Random(3)).start()
      for (_ <- 0 until 20) {
        b.cycle(Some((2, 7)), ready = true)
        b.cycle(None, ready = true)
        assert(b.popped.lastOption.contains((2, 7)) && b.waiting.isEmpty)
        for (_ <- 0 until 3) b.cycle(None, ready = true)
      }
      assert(b.popped.size == 20)
    }
  }
}
