package mneme.mem

import mneme.{CBoardConfig, Generate, Simulation}
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.sim.SimFailure

import java.nio.file.Files
import scala.collection.mutable
import scala.util.Random

/** [[MemoryAccess]] against a byte array, with random stalls on every port and an adversarial memory. */
class MemoryAccessTest extends AnyFunSuite {
  private val windowBytes = 1 << 16
  private val hot = 1024
  /** Contexts enough to fill the queues; with the configurations' own few, most would stay empty. A small read buffer, which fills now and then. */
  private val small = CBoardConfig.tiny.copy(name = "mtu1500", packetSlots = 64, readBeats = 256)
  /** The board's own read buffer. */
  private val jumbo = CBoardConfig.wide.copy(name = "mtu9000", packetSlots = 16)
  private val pair = small.copy(name = "mtu1500pair", doors = 2, readBeats = 2048)
  private val jumboPair = jumbo.copy(name = "mtu9000pair", doors = 2)

  private def compile(c: CBoardConfig): SimCompiled[MemoryAccess] = Simulation.config
    .workspaceName(s"MemoryAccess_${c.name}")
    .compile(new MemoryAccess(c, plantable = true))

  private val models = mutable.Map.empty[CBoardConfig, SimCompiled[MemoryAccess]]
  private def compiled(c: CBoardConfig): SimCompiled[MemoryAccess] = models.getOrElseUpdate(c, compile(c))

  private def start(dut: MemoryAccess, planted: Option[MemoryFault.Value]): Unit = {
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling()
    dut.plantedFaults.get #= planted.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
  }

  /** Runs the requests, those of each door at random of their own; the difference found, if any. */
  private def difference(c: CBoardConfig, seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines, planted: Option[MemoryFault.Value] = None): Option[String] = {
    var found: Option[String] = None
    compiled(c).doSim(s"seed$seed", seed) { dut =>
      start(dut, planted)
      val bench = new MemoryBench(MemoryPorts(dut), c, windowBytes, bad, Timing(0, jitter = true), seed)
      try bench.run((0 until c.doors).map(door => asks(new Stimulus(c, windowBytes, new Random(seed + 1000 * door)))): _*)
      catch { case e: BenchFailure => found = Some(e.getMessage) }
    }
    found
  }

  private def agrees(c: CBoardConfig, seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines = BadLines()): Unit =
    difference(c, seed, asks, bad).foreach(fail(_))

  private def somethingBad(seed: Int): BadLines = {
    val random = new Random(seed)
    val lines = random.shuffle((0 until hot / 64).toList) ++ random.shuffle((hot / 64 until windowBytes / 64).toList).take(60)
    BadLines(lines.take(2).toSet ++ lines.takeRight(30), lines.slice(2, 4).toSet, unreadable = Set(lines(4)), unsure = lines.slice(5, 7).toSet)
  }

  // The others differ in what they can hold.
  private val tried = if (Simulation.long) Seq(small, jumbo, pair, jumboPair) else Seq(small, jumboPair)
  for (c <- tried) {
    val all = if (c == small) (asks: Seq[Ask]) => asks else Simulation.some[Ask] _
    test(s"${c.name}: every offset at every size")(agrees(c, 1, s => all(s.everyAlignment)))
    test(s"${c.name}: data of every offset at every offset")(agrees(c, 8, s => all(s.everyShift)))
    test(s"${c.name}: every 4 KB border")(agrees(c, 2, s => all(s.everyBorder)))
    for (seed <- 10 until (if (Simulation.long) 13 else 11)) test(s"${c.name}: random mix, seed $seed")(agrees(c, seed, _.mix(1500, hot)))
    test(s"${c.name}: runs that change direction")(agrees(c, 3, _.runs(1500, hot)))
    test(s"${c.name}: more reads than the buffers hold")(agrees(c, 6, _.largeReads(300)))
    test(s"${c.name}: errors of memory")(agrees(c, 4, _.mix(1500, hot), somethingBad(4)))
  }

  private val beside = small.copy(name = "beside", doors = 2, readBeats = 4096)
  for (c <- if (Simulation.long) Seq(beside, jumboPair) else Seq(jumboPair)) test(s"${c.name}: a door that takes nothing holds up no other") {
    // The doors' halves of the window are apart: who waits for a read of the other's door waits for what it takes.
    val half = windowBytes / 2
    compiled(c).doSim("beside", 20) { dut =>
      start(dut, None)
      val bench = new MemoryBench(MemoryPorts(dut), c, windowBytes, BadLines(), Timing(0, jitter = true), 20)
      val busy = new Stimulus(c, half, new Random(20))
      val stalled = new Stimulus(c, half, new Random(21))
      bench.runBeside(
        busy.mix(2000, hot) ++ busy.largeReads(200),
        (stalled.largeReads(200) ++ stalled.mix(1000, hot)).map(ask => ask.copy(address = ask.address + half))
      )
    }
  }

  test("in simulation a door that has more reads inside than it may have is stopped") {
    def run(hurries: Boolean): Unit = compiled(jumboPair).doSim(s"inside$hurries", 22) { dut =>
      start(dut, None)
      val bench = new MemoryBench(MemoryPorts(dut), jumboPair, windowBytes, BadLines(), Timing(400, jitter = false), 22)
      bench.sides.foreach(_.hurries = hurries)
      val stimulus = new Stimulus(jumboPair, windowBytes, new Random(22))
      bench.run(Seq.fill(2)(Seq.tabulate(200)(i => stimulus.read(4096 * (i % 8), 64))): _*)
    }
    run(hurries = false)
    intercept[SimFailure](run(hurries = true))
  }

  test("a reset in mid-run leaves nothing behind") {
    val random = new Random(7)
    compiled(small).doSim("resets", 7) { dut =>
      start(dut, None)
      for (seed <- 100 until 130) {
        val asks = new Stimulus(small, windowBytes, new Random(seed)).mix(200, hot)
        def bench = new MemoryBench(MemoryPorts(dut), small, windowBytes, BadLines(), Timing(0, jitter = true), seed)
        bench.runFor(random.nextInt(400), asks)
        if (seed % 10 == 9) bench.run(asks)
      }
    }
  }

  private val withoutFault = mutable.Map.empty[BadLines, Option[String]]
  for (fault <- MemoryFault.values if !MemoryFault.ofFrames(fault)) test(s"planted fault $fault is found") {
    val asks = (s: Stimulus) => s.mix(400, hot) ++ s.runs(400, hot) ++ s.everyBorder.take(100) ++ s.largeReads(200)
    val bad = if (fault == MemoryFault.ErrorIgnored) somethingBad(5) else BadLines()
    assert(withoutFault.getOrElseUpdate(bad, difference(small, 5, asks, bad)).isEmpty, "the same run without the fault must pass")
    val found = difference(small, 5, asks, bad, planted = Some(fault))
    assert(found.isDefined, "the bench did not notice")
    info(found.get)
  }

  test("a board's build holds no planted fault") {
    val folder = Files.createTempDirectory("memory-access")
    Generate.config(folder.toString).generateVerilog(new MemoryAccess(small))
    assert(!Files.readString(folder.resolve("MemoryAccess.v")).contains("faults"))
  }

  /** Runs requests without stalls on a memory of the given latency; data of writes lie as the network's door has them, from the beginning of a beat. */
  private def measured(asks: Stimulus => Seq[Ask], latency: Int = 0): MemoryBench = {
    var result: MemoryBench = null
    compiled(small).doSim("measured", 9) { dut =>
      start(dut, None)
      result = new MemoryBench(MemoryPorts(dut), small, windowBytes, BadLines(), Timing(latency, jitter = false), 9)
      result.run(asks(new Stimulus(small, windowBytes, new Random(9))).map(_.copy(dataOffset = Some(64))))
    }
    result
  }

  // The figures of docs/reference/pipeline.md: cycles from the edge that takes the token to the edges that give its completion and its first and last payload beat.
  // Memory answers R in the cycle after AR, and B in the cycle after the last W. A change here is a change of the board's latency: mend the document too.
  private val single: Seq[(String, Stimulus => Ask, Int, Option[(Int, Int)])] = Seq(
    ("answered", _ => Ask(Wire.Opcode.READ, answered = Some(Wire.Status.BUSY)), 2, None),
    ("fence", _ => Ask(Wire.Opcode.FENCE), 2, None),
    ("zeros read, 16 B", _.read(0, 16).copy(zeros = true), 2, None),
    ("read, 16 B", _.read(0, 16), 2, Some((7, 7))),
    ("read, 16 B over a line", _.read(56, 16), 2, Some((7, 7))),
    ("read, 1 KB", _.read(0, 1024), 2, Some((7, 22))),
    ("read, 1 KB at offset 61", _.read(61, 1024), 2, Some((7, 22))),
    ("write, 16 B", _.write(0, 16), 7, None),
    ("write, 16 B over a line", _.write(56, 16), 8, None),
    ("write, 1 KB", _.write(0, 1024), 22, None),
    ("fetch-and-add", _ => Ask(Wire.Opcode.FETCH_ADD, 8, 8, operand0 = 1), 8, None),
    ("compare-and-swap, no match", _ => Ask(Wire.Opcode.COMPARE_SWAP, 8, 8), 6, None)
  )

  for ((name, ask, out, payload) <- single) test(s"cycles: $name") {
    val bench = measured(s => Seq(ask(s)))
    val start = bench.entered.head
    assert(bench.left.head - start == out)
    assert(bench.payloadAt.headOption.map { case (first, last) => (first - start, last - start) } == payload)
  }

  /** Beats of the request stream's busiest port per cycle, over many equal requests without stalls. */
  private def rate(length: Int, offset: Int, latency: Int, ask: (Stimulus, Int, Int, Int) => Ask): Double = {
    val count = 300
    val bench = measured(s => Seq.tabulate(count)(i => ask(s, i, offset + 4096 * (i % 8), length)), latency)
    val end = bench.left.last max bench.payloadAt.lastOption.map(_._2).getOrElse(0L)
    val lines = ((offset & 63) + length + 63) / 64
    lines.toDouble * (count - 1) / (end - bench.left.head)
  }

  // Lines per cycle: 1 is the limit of the memory port. 32 requests in flight bound small ones on a slow memory.
  for {
    (name, length, offset, atLeast) <- Seq(
      ("16 B", 16, 0, Seq(0.97, 0.80, 0.45)),
      ("1 KB", 1024, 0, Seq(0.98, 0.98, 0.98)),
      ("1 KB at offset 61", 1024, 61, Seq(0.98, 0.98, 0.98)),
      ("1,400 B over 4 KB borders", 1400, 3000, Seq(0.98, 0.98, 0.98))
    )
    (latency, floor) <- Seq(0, 30, 60).zip(atLeast) if Simulation.long || latency != 30
  } test(s"rate: $name, memory latency $latency") {
    val reads = rate(length, offset, latency, (s, _, address, n) => s.read(address, n))
    val writes = rate(length, offset, latency, (s, _, address, n) => s.write(address, n))
    info(f"lines per cycle: reads $reads%.3f, writes $writes%.3f")
    assert(reads >= floor && writes >= floor)
  }

  /** Requests per cycle, over many without stalls. */
  private def requestRate(latency: Int, count: Int)(ask: (Stimulus, Int) => Ask): Double = {
    val bench = measured(s => Seq.tabulate(count)(ask(s, _)), latency)
    (count - 1).toDouble / (bench.left.last - bench.left.head)
  }

  // Towards the network a 16 B read takes two beats, from it a write or an atomic two: half a request per cycle is what the pipeline around can use.
  for (latency <- Seq(0, 60)) test(s"rate: mixes over different blocks, memory latency $latency") {
    val mix = requestRate(latency, 400)((s, i) => if (i % 2 == 0) s.read(4096 * (i % 8), 16) else s.write(4096 * (8 + i % 8), 16))
    val words = requestRate(latency, 400)((_, i) => Ask(Wire.Opcode.FETCH_ADD, 8 * i, 8, operand0 = 1))
    val same = requestRate(latency, 100)((_, _) => Ask(Wire.Opcode.FETCH_ADD, 8, 8, operand0 = 1))
    info(f"per cycle: reads and writes in turn $mix%.3f, atomics on different words $words%.3f, on one word $same%.4f")
    assert(mix >= (if (latency == 0) 0.7 else 0.6))
    assert(words >= 0.49)
    assert(1 / same <= 2 * latency + 16)
  }
}
