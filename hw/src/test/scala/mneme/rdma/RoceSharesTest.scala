package mneme.rdma

import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Queue pairs of one process have one share, those of two have two, and what nobody has any more is given anew. */
class RoceSharesTest extends AnyFunSuite {
  private val r = RoceConfig(CBoardConfig.sim, queuePairs = 8, regions = 8)
  private lazy val compiled = Simulation.config.compile(RoceShares(r))

  test("queue pairs come and go: those of a process share, others never do") {
    compiled.doSim("come and go", 1) { dut =>
      val random = new Random(1)
      val io = dut.io
      for (bit <- Seq(io.seeks, io.takes, io.gives, io.ends, io.clear.valid)) bit #= false
      io.of #= 0
      io.pid #= 0
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(2)
      for (row <- 0 until r.queuePairs) {
        io.clear.valid #= true
        io.clear.payload #= row
        dut.clockDomain.waitSampling()
      }
      io.clear.valid #= false

      /** Finds the share of a process, and makes a queue pair, or leaves it. */
      def seek(pid: Int, makes: Boolean): (Int, Int) = {
        io.pid #= pid
        io.seeks #= true
        var cycles = 0
        do {
          dut.clockDomain.waitSampling()
          cycles += 1
        } while (!io.found.toBoolean && cycles < 100)
        val share = io.share.toInt
        io.takes #= makes
        dut.clockDomain.waitSampling()
        io.takes #= false
        io.ends #= true
        dut.clockDomain.waitSampling()
        io.ends #= false
        io.seeks #= false
        dut.clockDomain.waitSampling()
        assert(!io.found.toBoolean)
        (share, cycles)
      }
      def give(share: Int): Unit = {
        io.of #= share
        dut.clockDomain.waitSampling()
        io.gives #= true
        dut.clockDomain.waitSampling()
        io.gives #= false
      }

      val pairs = mutable.ArrayBuffer[(Int, Int)]()
      var (reused, full, longest) = (0, 0, 0)
      for (_ <- 0 until 5000) {
        if (pairs.size < r.queuePairs && random.nextInt(5) < 3) {
          // So many processes that rows run out, and that 0 is among them.
          val (pid, makes) = (random.nextInt(12), random.nextInt(8) > 0)
          val (share, cycles) = seek(pid, makes)
          longest = longest.max(cycles)
          val same = pairs.find(_._1 == pid)
          if (same.isDefined) reused += 1
          assert(same.forall(_._2 == share), s"$pid has another share than its others")
          assert(!pairs.exists { case (other, its) => other != pid && its == share }, s"share $share is another's")
          if (makes) pairs += ((pid, share))
        } else if (pairs.nonEmpty) give(pairs.remove(random.nextInt(pairs.size))._2)
        if (pairs.map(_._2).distinct.size == r.queuePairs) full += 1
      }
      assert(reused > 500 && full > 10)
      assert(longest <= r.queuePairs + 3, s"a search takes $longest cycles")
    }
  }
}
