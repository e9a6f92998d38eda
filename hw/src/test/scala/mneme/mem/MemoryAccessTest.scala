package mneme.mem

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.util.Random

/** [[MemoryAccess]] against a byte array, with random stalls on every port and an adversarial memory. */
class MemoryAccessTest extends AnyFunSuite {
  private val windowBytes = 1 << 16
  private val hot = 1024
  /** Slots enough to fill the queues; with the configurations' own few, most would stay empty. */
  private val small = CBoardConfig.tiny.copy(name = "mtu1500", packetSlots = 64)
  private val jumbo = CBoardConfig.wide.copy(name = "mtu9000", packetSlots = 16)

  private def compile(c: CBoardConfig): SimCompiled[MemoryAccess] = SimConfig
    .withConfig(SpinalConfig(defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH)))
    .withVerilator
    .workspaceName(s"MemoryAccess_${c.name}")
    .compile(new MemoryAccess(c, plantable = true))

  private lazy val compiled = Map(small -> compile(small), jumbo -> compile(jumbo))

  private def start(dut: MemoryAccess, planted: Option[MemoryFault]): Unit = {
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling()
    dut.faults.switches #= planted.map(f => BigInt(1) << f.number).getOrElse(BigInt(0))
  }

  /** Runs the requests; the difference found, if any. */
  private def difference(c: CBoardConfig, seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines, planted: Option[MemoryFault] = None): Option[String] = {
    var found: Option[String] = None
    compiled(c).doSim(s"seed$seed", seed) { dut =>
      start(dut, planted)
      val bench = new MemoryBench(dut, c, windowBytes, bad, Timing(0, jitter = true), seed)
      try bench.run(asks(new Stimulus(c, windowBytes, new Random(seed))))
      catch { case e: BenchFailure => found = Some(e.getMessage) }
    }
    found
  }

  private def agrees(c: CBoardConfig, seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines = BadLines()): Unit =
    difference(c, seed, asks, bad).foreach(fail(_))

  private def somethingBad(seed: Int): BadLines = {
    val random = new Random(seed)
    val lines = random.shuffle((0 until hot / 64).toList) ++ random.shuffle((hot / 64 until windowBytes / 64).toList).take(60)
    BadLines(broken = lines.take(2).toSet ++ lines.takeRight(30), readOnly = lines.slice(2, 4).toSet)
  }

  for (c <- Seq(small, jumbo)) {
    test(s"${c.name}: every offset at every size")(agrees(c, 1, _.everyAlignment))
    test(s"${c.name}: every 4 KB border")(agrees(c, 2, _.everyBorder))
    for (seed <- 10 until 13) test(s"${c.name}: random mix, seed $seed")(agrees(c, seed, _.mix(1500, hot)))
    test(s"${c.name}: runs that change direction")(agrees(c, 3, _.runs(1500, hot)))
    test(s"${c.name}: more reads than the buffers hold")(agrees(c, 6, _.largeReads(300)))
    test(s"${c.name}: errors of memory")(agrees(c, 4, _.mix(1500, hot), somethingBad(4)))
  }

  test("a reset in mid-run leaves nothing behind") {
    val random = new Random(7)
    compiled(small).doSim("resets", 7) { dut =>
      start(dut, None)
      for (seed <- 100 until 130) {
        val asks = new Stimulus(small, windowBytes, new Random(seed)).mix(200, hot)
        def bench = new MemoryBench(dut, small, windowBytes, BadLines(), Timing(0, jitter = true), seed)
        bench.runFor(random.nextInt(400), asks)
        if (seed % 10 == 9) bench.run(asks)
      }
    }
  }

  for (fault <- MemoryFault.all) test(s"planted fault $fault is found") {
    val asks = (s: Stimulus) => s.mix(400, hot) ++ s.runs(400, hot) ++ s.everyBorder.take(100) ++ s.largeReads(200)
    val bad = if (fault == MemoryFault.ErrorIgnored) somethingBad(5) else BadLines()
    assert(difference(small, 5, asks, bad).isEmpty, "the same run without the fault must pass")
    val found = difference(small, 5, asks, bad, planted = Some(fault))
    assert(found.isDefined, "the bench did not notice")
    info(found.get)
  }
}
