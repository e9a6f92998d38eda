package mneme.trailer

import mneme.trailer.TrailerReference._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Tags of one engine and of pools against the reference, ports that stall at random, and how many cycles they take. */
class SipTest extends AnyFunSuite {
  private case class Work(key: Bytes, message: Bytes) {
    val words: Seq[BigInt] = message.grouped(8).take(5).map(number).toSeq
    val crc: BigInt = number(message.drop(40))
    val tag: BigInt = number(sipHash(key, message))
  }
  private def any(r: Random): Work = Work(Seq.fill(16)(r.nextInt(256)), Seq.fill(44)(r.nextInt(256)))

  private def run(dut: SipWorker, jobs: Int, seed: Int, speed: Float, lastSpeed: Float, ready: Float): Double = {
    val r = new Random(seed)
    val works = Seq.fill(jobs)(any(r))
    SimTimeout(100000000)
    dut.clockDomain.forkStimulus(10)
    val (toStart, toEnd) = (works.iterator, works.iterator)
    StreamDriver(dut.io.jobs, dut.clockDomain) { job =>
      toStart.hasNext && {
        val work = toStart.next()
        job.key #= number(work.key)
        job.words.zip(work.words).foreach { case (port, word) => port #= word }
        true
      }
    }.setFactor(speed)
    StreamDriver(dut.io.lasts, dut.clockDomain)(last => toEnd.hasNext && { last #= toEnd.next().crc; true }).setFactor(lastSpeed)
    if (ready == 1) dut.io.tags.ready #= true else StreamReadyRandomizer(dut.io.tags, dut.clockDomain).setFactor(ready)
    var (came, cycle) = (0, 0)
    val times = mutable.ArrayBuffer[Int]()
    dut.clockDomain.onSamplings(cycle += 1)
    StreamMonitor(dut.io.tags, dut.clockDomain) { tag =>
      assert(tag.toBigInt == works(came).tag, s"tag $came")
      came += 1
      times += cycle
    }
    dut.clockDomain.waitSamplingWhere(1000 * jobs)(came == jobs)
    assert(came == jobs, s"$came tags of $jobs")
    (times.last - times(jobs / 4)).toDouble / (jobs - 1 - jobs / 4)
  }

  private lazy val engine = TrailerFrames.compile(new SipEngine)
  test("one engine, with stalls")(for (seed <- 1 to 3) engine.doSim(s"engine$seed", seed)(run(_, 500, seed, 0.7f, 0.2f, 0.3f)))
  test("one engine takes 16 cycles for a tag") {
    engine.doSim("rate", 4)(dut => assert(run(dut, 200, 4, 1, 1, 1) == SipEngine.CYCLES && SipEngine.CYCLES == 16))
  }

  for (workers <- Seq(1, 3, 4, 5)) {
    lazy val pool = TrailerFrames.compile(new SipPool(workers))
    test(s"$workers engines: order and tags, with stalls") {
      for (seed <- 1 to 2) pool.doSim(s"pool$workers$seed", seed)(run(_, 1000, seed, 0.9f, 0.3f * seed, 0.3f * seed))
    }
    test(s"$workers engines: a tag in 16 / $workers cycles") {
      pool.doSim(s"rate$workers", 9)(dut => assert(run(dut, 1000, 9, 1, 1, 1) <= 16.0 / workers + 0.02))
    }
  }
}
