package mneme.chain

import mneme.engine.DoorData
import mneme.mem._
import mneme.vm.Translated
import mneme.{CBoardConfig, CounterEvents, Faults, MemoryBus, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4

import scala.collection.mutable
import scala.util.Random

/** Memory access with a door of frames, as it stands in the access engine. */
case class FrameDoorBench(c: CBoardConfig) extends Component {
  private val m = c.inMemory
  val io = new Bundle {
    val translated = slave(Stream(Translated(c)))
    val frames = slave(Stream(FrameToken(c)))
    val doors = Vec(master(DoorData(c)), m.doors)
    val mem = master(Axi4(MemoryBus.config(c)))
    val events = out(CounterEvents())
    val memoryFaults = in(Faults.bits(MemoryFault))
    val entranceFaults = in(Faults.bits(EntranceFault))
  }
  val entrance = FrameEntrance(c, plantable = true)
  val access = new MemoryAccess(m, plantable = true)
  entrance.io.translated << io.translated
  entrance.io.frames << io.frames
  access.io.tokens << entrance.io.tokens.m2sPipe()
  for ((inside, outside) <- access.io.doors.zip(io.doors)) outside <> inside
  io.mem <> access.io.mem
  io.events := access.io.events
  val retired = access.io.retired.toIo()
  val epochs = access.io.epochs.toIo()
  val failedRead = access.io.failedRead.toIo()
  entrance.plantedFaults.get := io.entranceFaults
  access.plantedFaults.get := io.memoryFaults

  def ports: MemoryPorts =
    MemoryPorts(clockDomain, io.translated, io.doors.toSeq, io.mem, retired.toSeq, io.events, failedRead, Some(epochs.toSeq), Some(io.frames))
}

/** Tokens of frames among those of two doors: bytes, order, errors, and who is told of what ends. */
class FrameDoorTest extends AnyFunSuite {
  private val windowBytes = 1 << 16
  private val hot = 1024
  private val c =
    CBoardConfig.tiny.copy(name = "frames", pageBits = 20, memBits = 26, packetSlots = 16, readBeats = 512, doors = 2, rdma = 16, leaf = true, chains = 16)
  private lazy val compiled = Simulation.config.compile(FrameDoorBench(c))

  private def difference(seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines = BadLines(), memory: Int = 0, entrance: Int = 0): Option[String] = {
    var found: Option[String] = None
    compiled.doSim(s"seed$seed", seed) { dut =>
      dut.clockDomain.forkStimulus(10)
      dut.io.memoryFaults #= memory
      dut.io.entranceFaults #= entrance
      dut.clockDomain.waitSampling()
      val bench = new MemoryBench(dut.ports, c.inMemory, windowBytes, bad, Timing(0, jitter = true), seed)
      val lists = for (door <- 0 until c.doors + 1) yield {
        val all = asks(new Stimulus(c, windowBytes, new Random(seed + 1000 * door)))
        if (door < c.doors) all else all.filter(ask => ask.isRead || ask.isWrite)
      }
      try bench.run(lists: _*)
      catch { case e: BenchFailure => found = Some(e.getMessage) }
    }
    found
  }
  private def agrees(seed: Int, asks: Stimulus => Seq[Ask], bad: BadLines = BadLines()): Unit = difference(seed, asks, bad).foreach(fail(_))
  private val bad = BadLines(Set(3, 900), Set(7), unreadable = Set(11), unsure = Set(5))

  test("every 4 KB border")(agrees(2, s => Simulation.some(s.everyBorder)))
  for (seed <- 10 until (if (Simulation.long) 20 else 11)) test(s"random mix, seed $seed")(agrees(seed, _.mix(1500, hot)))
  test("runs that change direction")(agrees(3, _.runs(1500, hot)))
  test("more reads than the buffers hold")(agrees(6, _.largeReads(300)))
  test("errors of memory: those who hold frames are told, and nobody else")(agrees(4, _.mix(1500, hot), bad))

  private val mixed = (s: Stimulus) => s.mix(600, hot)
  private lazy val passes = assert(difference(5, mixed, bad).isEmpty, "nothing is planted")
  for (fault <- MemoryFault.ofFrames.toSeq.sorted) test(s"planted fault $fault is found") {
    passes
    val found = difference(5, mixed, bad, memory = 1 << fault.id)
    assert(found.isDefined, "the bench did not notice")
    info(found.get)
  }
  for (fault <- Seq(EntranceFault.OtherDoor, EntranceFault.InEpoch)) test(s"planted fault $fault is found") {
    passes
    val found = difference(5, mixed, bad, entrance = 1 << fault.id)
    assert(found.isDefined, "the bench did not notice")
    info(found.get)
  }

  private lazy val alone = Simulation.config.compile(FrameEntrance(c, plantable = true))

  /** Longest waits for a token of either kind while the other's go by, in tokens. */
  private def waits(faults: Int, framesPause: Int, othersPause: Int): (Int, Int) = {
    var longest = (0, 0)
    alone.doSim(s"turns$framesPause$othersPause", 1) { dut =>
      val r = new Random(1)
      val (frames, others) = (mutable.Queue[Int](), mutable.Queue[Int]())
      var (frame, other, passedFrame, passedOther, taken) = (0, 0, 0, 0, 0)
      dut.plantedFaults.get #= faults
      dut.io.frames.valid #= false
      dut.io.translated.valid #= false
      dut.io.tokens.ready #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(5)
      Simulation.cycles(dut.clockDomain) {
        val (f, t, out) = (dut.io.frames, dut.io.translated, dut.io.tokens)
        if (out.valid.toBoolean && out.ready.toBoolean) {
          taken += 1
          val isFrame = f.ready.toBoolean && f.valid.toBoolean
          assert(isFrame != (t.ready.toBoolean && t.valid.toBoolean), "one goes")
          val (kind, place) = if (isFrame) (frame, c.doors * c.contexts + frame % c.contexts) else (other, other % (2 * c.contexts))
          assert(out.place.toInt == place && out.address.toInt == kind, "in order, with its place")
          if (isFrame) { frame += 1; passedFrame = 0; if (t.valid.toBoolean) passedOther += 1 }
          else { other += 1; passedOther = 0; if (f.valid.toBoolean) passedFrame += 1 }
          longest = (longest._1 max passedFrame, longest._2 max passedOther)
        }
        def next(stream: Stream[_ <: Data], pause: Int): Unit =
          if (!stream.valid.toBoolean || stream.ready.toBoolean) stream.valid #= r.nextInt(16) >= pause
        next(f, framesPause)
        next(t, othersPause)
        f.context #= frame % c.contexts
        f.address #= frame
        t.place #= other % (2 * c.contexts)
        t.address #= other
        out.ready #= r.nextInt(4) > 0
        taken < 2000
      }
      assert(frame > 100 && other > 100, s"$frame frames' tokens and $other others")
    }
    longest
  }

  test("neither waits for more than one of the other kind") {
    for ((frames, others) <- Seq((0, 0), (2, 0), (0, 2), (8, 8), (12, 1))) {
      val (frame, other) = waits(0, frames, others)
      assert(frame <= 1 && other <= 1, s"$frame, $other")
    }
  }
  test(s"planted fault ${EntranceFault.FramesFirst} is found")(assertThrows[Throwable](assert(waits(1 << EntranceFault.FramesFirst.id, 0, 0)._2 <= 1)))
}
