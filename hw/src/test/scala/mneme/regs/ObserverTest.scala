package mneme.regs

import mneme.CBoardConfig
import mneme.net.NetSim
import mneme.wire.Wire
import mneme.wire.Wire.{Mark, Stage}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Histograms and marks against a model that knows each request by name. */
class ObserverTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny
  private lazy val compiled = NetSim.config.compile(Observer(config))

  /** The cycles at which a request passed the points of the pipeline. */
  private class Passing(val slot: Int) {
    val at = mutable.ArrayBuffer[Long]()
    /** Its arrival, as the board told it when it left translation: it carries that along. */
    var arrival = BigInt(0)
  }

  /** Requests in slots that wander through the stages at random; translation lets them overtake each other. */
  private class Traffic(dut: Observer, random: Random) {
    private val free = mutable.Queue.from(0 until config.packetSlots)
    private val stages = Seq.fill(5)(mutable.ArrayBuffer[Passing]())
    private var slow, empty = 0
    val cells = Array.fill(Stage.all.size, Wire.HISTOGRAM_BUCKETS)(BigInt(0))
    val marks: mutable.Map[Int, Int] = mutable.Map().withDefaultValue(0)
    var answered = 0
    private var lastAnswered = false

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
      // The board's own bounds lie below those for which times are kept.
      val accessed = if (stages(4).size < 15) move(3, eagerness(4), now) else None
      val translated = if (stages(3).size < 60) move(2, eagerness(3), now, inOrder = false) else None
      // The memory stage hands slots back.
      for (p <- translated) free.enqueue(p.slot)
      val filtered = move(1, eagerness(2), now)
      val dispatched = move(0, eagerness(1), now)
      val arriving = Option.when(free.size > 1 && random.nextDouble() < eagerness.head)(new Passing(free.dequeue()))
      for (p <- arriving) { p.at += now; stages.head += p }

      tell(dut.io.arriving, arriving)
      tell(dut.io.dispatched, dispatched)
      tell(dut.io.filtered, filtered)
      tell(dut.io.translated, translated)
      for (p <- translated) {
        sleep(1)
        p.arrival = dut.io.arrival.toBigInt
        // A beat arrives here a cycle after the port took it.
        assert(((dut.io.clock.toBigInt - p.arrival) & 0xffffff) == now - p.at(0) - 1 + Observer.AROUND, "the time since the arrival")
      }
      dut.io.accessed.valid #= accessed.isDefined
      dut.io.accessed.payload #= accessed.map(_.arrival).getOrElse(BigInt(0))
      dut.io.answered #= lastAnswered
      lastAnswered = finished.isDefined
      dut.io.slotTaken #= arriving.isDefined
      dut.io.slotReturned #= translated.isDefined

      val (in, out) = (slow < 9 && random.nextInt(4) == 0, slow > 0 && random.nextInt(4) == 0)
      dut.io.slowTaken #= in
      dut.io.slowReturned #= out
      slow += (if (in) 1 else 0) - (if (out) 1 else 0)
      val level = random.nextInt(config.asyncDepth + 1)
      val faults = random.nextInt(16) == 0
      dut.io.faulted #= faults
      dut.io.asyncLevel #= level
      if (faults) empty = empty max (config.asyncDepth - level)

      most(Mark.MARK_PACKET_SLOTS, stages.take(3).map(_.size).sum)
      most(Mark.MARK_TRANSLATION, stages(2).size)
      most(Mark.MARK_MEMORY, stages(3).size)
      most(Mark.MARK_RESPONSE, stages(4).size)
      most(Mark.MARK_SLOW_QUEUE, slow)
      most(Mark.MARK_ASYNC_EMPTY, empty)
    }
    def inside: Int = stages.map(_.size).sum
  }

  private def idle(dut: Observer): Unit = {
    for (flow <- Seq(dut.io.arriving, dut.io.dispatched, dut.io.filtered, dut.io.translated)) flow.valid #= false
    for (event <- Seq(dut.io.accessed.valid, dut.io.answered, dut.io.slotTaken, dut.io.slotReturned)) event #= false
    for (event <- Seq(dut.io.slowTaken, dut.io.slowReturned, dut.io.faulted)) event #= false
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
    assert(traffic.answered > rounds)
    check(dut, traffic)
  }

  test("every request of a busy pipeline is in the histograms, and marks are the most there was") {
    for (seed <- 1 to 3) run(seed, rounds = 60)(random => Seq.fill(6)(0.05 + 0.95 * random.nextDouble()))
  }

  test("stages that stand still for long fill the upper buckets") {
    run(4, rounds = 80)(random => Seq.tabulate(6)(i => if (i > 0 && random.nextInt(3) == 0) 0.003 else 1.0))
  }

  test("more requests than times are kept for are told, and no wrong time is counted") {
    compiled.doSim("observerOverrun", 5) { dut =>
      idle(dut)
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(40)
      dut.io.translated.valid #= true
      dut.io.translated.payload #= 0
      dut.clockDomain.waitSampling(65)
      dut.io.translated.valid #= false
      dut.io.accessed.valid #= true
      dut.clockDomain.waitSampling(1)
      dut.io.accessed.valid #= false
      dut.clockDomain.waitSampling(1)
      dut.io.answered #= true
      dut.clockDomain.waitSampling(1)
      dut.io.answered #= false
      dut.clockDomain.waitSampling(4)
      assert(read(dut, Mark.MARK_UNTIMED) == 1)
      for (stage <- Seq(Stage.STAGE_MEMORY, Stage.STAGE_RESPONSE, Stage.STAGE_WHOLE); bucket <- 0 until Wire.HISTOGRAM_BUCKETS)
        assert(read(dut, Wire.HISTOGRAM_BASE + stage * Wire.HISTOGRAM_BUCKETS + bucket) == 0)
    }
  }
}
