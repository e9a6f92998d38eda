package mneme.regs

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire
import mneme.wire.Wire.{Mark, Stage}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Histograms and marks against a model that knows each request by name. */
class ObserverTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(name = "observed", packetSlots = 64)
  private lazy val compiled = Simulation.config.compile(Observer(config))

  /** The cycles at which a request passed the points of the pipeline. */
  private class Passing(val slot: Int) {
    val at = mutable.ArrayBuffer[Long]()
  }

  /** Requests in slots that wander through the stages at random; translation lets them overtake each other. */
  private class Traffic(dut: Observer, random: Random) {
    private val free = mutable.Queue.from(0 until config.packetSlots)
    private val stages = Seq.fill(5)(mutable.ArrayBuffer[Passing]())
    private var slow, empty = 0
    val cells = Array.fill(Stage.all.size, Wire.HISTOGRAM_BUCKETS)(BigInt(0))
    val marks: mutable.Map[Int, Int] = mutable.Map().withDefaultValue(0)
    var answered, looked = 0
    private var lastAnswered: Option[Passing] = None

    private def count(stage: Int, cycles: Long): Unit =
      cells(stage)(if (cycles < 2) 0 else 63 - java.lang.Long.numberOfLeadingZeros(cycles)) += 1
    private def most(mark: Int, level: Int): Unit = marks(mark) = marks(mark) max level

    /** Moves one request from a stage to the next, or tells that none goes. */
    private def move(stage: Int, eagerness: Double, now: Long, inOrder: Boolean = true): Option[Passing] = {
      val here = stages(stage)
      if (here.isEmpty || random.nextDouble() >= eagerness) return None
      val passing = here.remove(if (inOrder) 0 else random.nextInt(here.size))
      passing.at += now
      if (stage + 1 < stages.size) stages(stage + 1) += passing
      Some(passing)
    }

    def step(now: Long, eagerness: Seq[Double]): Unit = {
      def tell(flow: spinal.lib.Flow[spinal.core.UInt], passing: Option[Passing]): Unit = {
        flow.valid #= passing.isDefined
        val slot: Int = passing.map(_.slot).getOrElse(random.nextInt(config.packetSlots))
        flow.payload #= slot
      }
      // Later stages first, so that a request passes one point a cycle.
      val finished = move(4, eagerness(5), now)
      for (p <- finished) {
        answered += 1
        for (stage <- 0 until 5) count(stage, p.at(stage + 1) - p.at(stage))
        count(Stage.STAGE_WHOLE, p.at(5) - p.at(0))
      }
      val accessed = move(3, eagerness(4), now)
      val translated = move(2, eagerness(3), now, inOrder = false)
      val filtered = move(1, eagerness(2), now)
      val dispatched = move(0, eagerness(1), now)
      val arriving = Option.when(free.size > 1 && random.nextDouble() < eagerness.head)(new Passing(free.dequeue()))
      for (p <- arriving) { p.at += now; stages.head += p }

      tell(dut.io.arriving, arriving)
      tell(dut.io.dispatched, dispatched)
      tell(dut.io.filtered, filtered)
      tell(dut.io.translated, translated)
      tell(dut.io.accessed, accessed)
      tell(dut.io.answered, lastAnswered)
      // Nobody has the slot any more.
      for (p <- lastAnswered) free.enqueue(p.slot)
      lastAnswered = finished
      for (p <- stages(4).headOption) {
        dut.io.slot #= p.slot
        sleep(1)
        // A beat arrives here a cycle after the port took it.
        assert(dut.io.cycles.toBigInt == now - p.at(0) - 1 + Observer.AROUND, "the time since the arrival")
        looked += 1
      }
      dut.io.slotTaken #= arriving.isDefined
      dut.io.slotReturned #= finished.isDefined

      val (in, out) = (slow < 9 && random.nextInt(4) == 0, slow > 0 && random.nextInt(4) == 0)
      dut.io.slowTaken #= in
      dut.io.slowReturned #= out
      slow += (if (in) 1 else 0) - (if (out) 1 else 0)
      val level = random.nextInt(config.asyncDepth + 1)
      val faults = random.nextInt(16) == 0
      dut.io.faulted #= faults
      dut.io.asyncLevel #= level
      if (faults) empty = empty max (config.asyncDepth - level)

      most(Mark.MARK_PACKET_SLOTS, inside)
      most(Mark.MARK_TRANSLATION, stages(2).size)
      most(Mark.MARK_MEMORY, stages(3).size)
      most(Mark.MARK_RESPONSE, stages(4).size)
      most(Mark.MARK_SLOW_QUEUE, slow)
      most(Mark.MARK_ASYNC_EMPTY, empty)
    }
    def inside: Int = stages.map(_.size).sum
  }

  private def idle(dut: Observer): Unit = {
    for (flow <- Seq(dut.io.arriving, dut.io.dispatched, dut.io.filtered, dut.io.translated, dut.io.accessed, dut.io.answered)) flow.valid #= false
    for (event <- Seq(dut.io.slotTaken, dut.io.slotReturned, dut.io.slowTaken, dut.io.slowReturned, dut.io.faulted)) event #= false
    dut.io.slot #= 0
    dut.io.asyncLevel #= 0
    dut.io.read.number #= 0
  }

  private def read(dut: Observer, number: Int): BigInt = {
    dut.io.read.number #= number
    sleep(1)
    dut.io.read.data.toBigInt
  }

  private def check(dut: Observer, traffic: Traffic): Unit = {
    for ((name, stage) <- Stage.all; bucket <- 0 until Wire.HISTOGRAM_BUCKETS) {
      val number = Wire.HISTOGRAM_BASE + stage * Wire.HISTOGRAM_BUCKETS + bucket
      assert(read(dut, number) == traffic.cells(stage)(bucket), s"$name, bucket $bucket")
    }
    for ((name, number) <- Mark.all) assert(read(dut, number) == traffic.marks(number), name)
    assert(read(dut, 0) == 0 && read(dut, Mark.all.last._2 + 1) == 0)
    assert(read(dut, Wire.HISTOGRAM_BASE + Stage.all.size * Wire.HISTOGRAM_BUCKETS) == 0)
  }

  private def run(seed: Int, rounds: Int)(eagerness: Random => Seq[Double]): Unit = compiled.doSim(s"observer$seed", seed) { dut =>
    val random = new Random(seed)
    idle(dut)
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(40)
    val traffic = new Traffic(dut, random)
    var now = 0L
    for (_ <- 0 until rounds) {
      val eager = eagerness(random)
      for (_ <- 0 until 1 + random.nextInt(400)) {
        traffic.step(now, eager)
        now += 1
        dut.clockDomain.waitSampling()
      }
    }
    while (traffic.inside > 0) {
      traffic.step(now, 0.0 +: Seq.fill(5)(1.0))
      now += 1
      dut.clockDomain.waitSampling()
    }
    traffic.step(now, Seq.fill(6)(0.0))
    dut.clockDomain.waitSampling()
    idle(dut)
    dut.clockDomain.waitSampling(5)
    assert(traffic.answered > rounds && traffic.looked > rounds)
    check(dut, traffic)
  }

  test("every request of a busy pipeline is in the histograms, and marks are the most there was") {
    for (seed <- 1 to 3) run(seed, rounds = 60)(random => Seq.fill(6)(0.05 + 0.95 * random.nextDouble()))
  }

  test("stages that stand still for long fill the upper buckets") {
    run(4, rounds = 80)(random => Seq.tabulate(6)(i => if (i > 0 && random.nextInt(3) == 0) 0.003 else 1.0))
  }
}
