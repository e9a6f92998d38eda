package mneme.vm

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.collection.mutable
import scala.util.Random

/** How a run of the zeroing bench behaves; rates are per cycle. */
case class ZeroPlan(
    seed: Int,
    pages: Int = 40,
    stall: Double,
    latency: Int,
    errorRate: Double = 0,
    takeRate: Double,
    planted: Set[PlantedFault.Value] = Set.empty
)

/** Gives pages to Zeroing, keeps what its writes leave in memory, and looks at every page that is offered. */
class ZeroingBench(dut: Zeroing, c: CBoardConfig, plan: ZeroPlan) {
  private val random = new Random(plan.seed)
  private val complain = new Complaints
  private val beatsPerPage = 1 << (c.pageBits - 6)
  private val numbers = 1 << (c.memBits - c.pageBits)
  /** Beats of a page that hold zeros. */
  private val zero = Array.fill(numbers)(mutable.BitSet.empty)
  private val failed = mutable.Set.empty[Int]
  private val expected = mutable.Queue.empty[Int]
  private val using = mutable.Set.empty[Int]
  private var commanded, errors, taken = 0
  private var longestQueue = 0L
  private var now, progress = 0L

  private case class Burst(address: Long, beats: Int, var left: Int, var due: Long)
  private val addressed = mutable.Queue.empty[Burst]
  private val answering = mutable.Queue.empty[Burst]
  private var command: Option[(Int, Boolean)] = None
  private var inside = 0

  /** Errors seen, pages taken, the fullest that the queue was; the complaint first. */
  def run(): (Option[String], Int, Int, Long) = {
    dut.plantedFaults.foreach(_ #= plan.planted.toSeq.map(f => BigInt(1) << f.id).sum)
    dut.io.commands.valid #= false
    dut.io.freePages.ready #= false
    Seq(dut.io.mem.aw.ready, dut.io.mem.w.ready, dut.io.mem.b.valid).foreach(_ #= false)
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(5)
    dut.clockDomain.onSamplings(if (complain.first.isEmpty) step())
    while (complain.first.isEmpty && !(commanded == plan.pages && dut.io.pending.toLong == 0 && dut.io.level.toLong == 0 && now - progress > 300)) {
      dut.clockDomain.waitSampling(100)
      if (now - progress > 200000) complain(s"nothing has moved since cycle $progress")
    }
    complain.require(expected.forall(failed), s"pages that were never offered: $expected")
    (complain.first, errors, taken, longestQueue)
  }

  private def step(): Unit = {
    now += 1
    give()
    take()
    writeAddress()
    writeData()
    writeAnswer()
    longestQueue = longestQueue max (c.zeroQueueDepth - dut.io.space.toLong)
    complain.require(
      dut.io.space.toLong <= c.zeroQueueDepth && dut.io.level.toLong <= c.asyncDepth + 1,
      s"space ${dut.io.space.toLong}, level ${dut.io.level.toLong}"
    )
    complain.require(dut.io.pending.toLong <= c.zeroQueueDepth + 2, s"pending ${dut.io.pending.toLong}")
  }

  private def give(): Unit = {
    val port = dut.io.commands
    if (port.valid.toBoolean && port.ready.toBoolean) {
      val (ppn, offer) = command.get
      if (offer) expected += ppn
      command = None
      progress = now
    }
    if (command.isEmpty && commanded < plan.pages && random.nextInt(50) == 0) {
      // A page that is neither on its way nor handed out; its bytes are somebody's old ones.
      val ppn = Iterator.continually(random.nextInt(numbers)).find(p => !using(p)).get
      val offer = random.nextInt(4) > 0
      using += ppn
      zero(ppn).clear()
      failed -= ppn
      commanded += 1
      command = Some(ppn -> offer)
      port.ppn #= ppn
      port.offer #= offer
    }
    port.valid #= command.nonEmpty
  }

  private def take(): Unit = {
    val port = dut.io.freePages
    if (port.valid.toBoolean && port.ready.toBoolean) {
      val ppn = port.payload.toInt
      progress = now
      taken += 1
      while (expected.headOption.exists(p => p != ppn && failed(p))) expected.dequeue()
      complain.require(expected.headOption.contains(ppn), s"page $ppn offered, $expected were due")
      complain.require(!failed(ppn), s"page $ppn offered although its zeroing met an error")
      complain.require(zero(ppn).size == beatsPerPage, s"page $ppn offered with ${beatsPerPage - zero(ppn).size} beats not zero")
      if (expected.nonEmpty) expected.dequeue()
      using -= ppn
    }
    port.ready #= random.nextDouble() < plan.takeRate
  }

  private def writeAddress(): Unit = {
    val aw = dut.io.mem.aw
    if (aw.valid.toBoolean && aw.ready.toBoolean) {
      val (address, beats) = (aw.addr.toLong, aw.len.toInt + 1)
      complain.require(aw.size.toInt == 6 && aw.burst.toInt == 1, "not a burst of whole INCR beats")
      complain.require(address % 64 == 0 && address / 4096 == (address + 64 * beats - 1) / 4096, s"burst of $beats beats at $address crosses 4 KB")
      addressed += Burst(address, beats, beats, 0)
      inside += 1
      complain.require(inside <= 8, s"$inside bursts without an answer")
      complain.require(addressed.map(_.left).sum <= 32, s"${addressed.map(_.left).sum} beats in the way of others")
    }
    aw.ready #= random.nextDouble() >= plan.stall
  }

  private def writeData(): Unit = {
    val w = dut.io.mem.w
    if (w.valid.toBoolean && w.ready.toBoolean) {
      progress = now
      addressed.headOption match {
        case None => complain("data before the address")
        case Some(burst) =>
          complain.require(w.data.toBigInt == 0 && w.strb.toBigInt.bitCount == 64, "data are not 64 zeros")
          burst.left -= 1
          complain.require(w.last.toBoolean == (burst.left == 0), "last does not mark the last beat")
          if (burst.left == 0) {
            burst.due = now + random.nextInt(plan.latency + 1)
            answering += addressed.dequeue()
          }
      }
    }
    w.ready #= random.nextDouble() >= plan.stall
  }

  /** Memory holds the zeros only when it has said so. */
  private def writeAnswer(): Unit = {
    val b = dut.io.mem.b
    if (b.valid.toBoolean && b.ready.toBoolean) b.valid #= false
    for (burst <- answering.headOption if burst.due <= now && !b.valid.toBoolean) {
      answering.dequeue()
      inside -= 1
      val ppn = (burst.address >> c.pageBits).toInt
      val first = ((burst.address & ((1L << c.pageBits) - 1)) / 64).toInt
      val error = random.nextDouble() < plan.errorRate
      b.valid #= true
      b.id #= 0
      b.resp #= (if (error) 2 else 0)
      if (error) {
        errors += 1
        failed += ppn
      } else zero(ppn) ++= first until first + burst.beats
    }
  }
}

class ZeroingTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny
  private lazy val compiled = VmSim.config.compile(Zeroing(c, plantable = true))

  private def run(plan: ZeroPlan): (Option[String], Int, Int, Long) = {
    var result: Option[(Option[String], Int, Int, Long)] = None
    compiled.doSim(s"zero${plan.seed}-${plan.planted.mkString}", plan.seed)(dut => result = Some(new ZeroingBench(dut, c, plan).run()))
    result.get
  }

  test("a page is zero from end to end before it is offered, each once, in order") {
    for (plan <- Seq(ZeroPlan(1, stall = 0.3, latency = 100, takeRate = 0.01), ZeroPlan(2, stall = 0, latency = 0, takeRate = 1))) {
      val (complaint, _, taken, _) = run(plan)
      assert(complaint.isEmpty, complaint.getOrElse(""))
      assert(taken > 20)
    }
  }

  test("a slow taker fills async buffer and queue to their bounds, and nothing is lost") {
    val (complaint, _, taken, longestQueue) = run(ZeroPlan(3, stall = 0.1, latency = 20, takeRate = 0.0001))
    assert(complaint.isEmpty, complaint.getOrElse(""))
    assert(taken > 20 && longestQueue == c.zeroQueueDepth)
  }

  test("a page whose zeroing met an error is not offered") {
    val (complaint, errors, taken, _) = run(ZeroPlan(4, stall = 0.2, latency = 30, errorRate = 0.0025, takeRate = 0.01))
    assert(complaint.isEmpty, complaint.getOrElse(""))
    assert(errors > 5 && taken > 5)
  }

  for (fault <- Seq(PlantedFault.SkipZero, PlantedFault.OfferDamaged, PlantedFault.ZeroRunsAhead))
    test(s"the bench finds the planted fault $fault") {
      val (complaint, _, _, _) = run(ZeroPlan(5, stall = 0.2, latency = 30, errorRate = 0.0025, takeRate = 0.01, planted = Set(fault)))
      info(complaint.getOrElse("nothing was found"))
      assert(complaint.nonEmpty)
    }
}
