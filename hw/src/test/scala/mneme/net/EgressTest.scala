package mneme.net

import mneme.{CBoardConfig, CounterEvents, Faults, Simulation}
import mneme.wire.Wire.Counter
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Frames of both sources leave whole, each source's in order, and neither starves. */
class EgressTest extends AnyFunSuite {
  /** Egress with the switches of planted faults. */
  case class Bench(c: CBoardConfig) extends Component {
    val io = new Bundle {
      val responses = slave(Stream(CountedBeat()))
      val slow = slave(Stream(FrameBeat()))
      val net = master(Stream(FrameBeat()))
      val events = out(CounterEvents())
      val faults = in(Faults.bits(NetFault))
    }
    val egress = Egress(c, new Faults[NetFault.Value](Some(io.faults)))
    egress.io.responses << io.responses
    egress.io.slow << io.slow
    egress.io.net >> io.net
    io.events := egress.io.events
  }
  private lazy val compiled = Simulation.config.compile(Bench(CBoardConfig.tiny))

  private def mixed(seed: Int, faults: Set[NetFault.Value] = Set.empty): Unit = {
    compiled.doSim(s"egress$seed${faults.mkString}", seed) { dut =>
      SimTimeout(20000000)
      dut.io.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
      val r = new Random(seed)
      dut.clockDomain.forkStimulus(10)
      val frames = 1500
      // The first beat's data names source and frame, every beat its place; a last beat is as long as its frame's number says.
      def drive[T <: Data](port: Stream[T], source: Int)(fill: (T, BigInt, Int, Boolean) => Unit): Unit = {
        var (frame, beat, length) = (0, 0, 1)
        StreamDriver(port, dut.clockDomain) { p =>
          if (frame == frames) false
          else {
            fill(p, (BigInt(source) << 64) | (BigInt(frame) << 32) | beat, frame, beat == length - 1)
            beat += 1
            if (beat == length) { beat = 0; frame += 1; length = 1 + r.nextInt(6) }
            true
          }
        }.setFactor(if (seed == 1) 0.95f else 0.5f)
      }
      def bytes(frame: Int, last: Boolean): Int = if (last) 1 + frame % 64 else 64
      drive(dut.io.responses, 1) { (p, data, frame, last) =>
        p.data #= data; p.lastByte #= bytes(frame, last) - 1; p.user #= (data & 1).toInt; p.last #= last
      }
      drive(dut.io.slow, 2) { (p, data, frame, last) =>
        p.data #= data; p.keep #= (BigInt(1) << bytes(frame, last)) - 1; p.user #= (data & 1).toInt; p.last #= last
      }
      StreamReadyRandomizer(dut.io.net, dut.clockDomain).setFactor(0.8f)
      val next = mutable.Map(1 -> 0, 2 -> 0)
      var (open, beat, run, longest, damaged, counted) = (0, 0, 0, 0, 0, 0)
      StreamMonitor(dut.io.net, dut.clockDomain) { p =>
        val data = p.data.toBigInt
        val (source, frame, place) = ((data >> 64).toInt, ((data >> 32) & 0xffffffffL).toInt, (data & 0xffffffffL).toInt)
        if (beat == 0) { run = if (source == open) run + 1 else 1; longest = longest max run; open = source }
        assert(source == open && frame == next(source) && place == beat && p.user.toInt == (beat & 1))
        assert(p.keep.toBigInt == (BigInt(1) << bytes(frame, p.last.toBoolean)) - 1)
        beat += 1
        if (p.last.toBoolean) { beat = 0; next(source) += 1; damaged += p.user.toInt }
      }
      var sent, fromSlow = 0
      dut.clockDomain.onSamplings {
        val events = dut.io.events.toBigInt
        if (events.testBit(Counter.TX_FRAMES)) sent += 1
        if (events.testBit(Counter.SLOW_RX)) fromSlow += 1
        if (events.testBit(Counter.TX_DAMAGED)) counted += 1
        if (seed == 1 && next.values.forall(n => n > 0 && n < frames - 10)) assert(longest < 12, "one source is let through too often")
      }
      dut.clockDomain.waitSamplingWhere(next.values.forall(_ == frames))
      dut.clockDomain.waitSampling(5)
      assert(sent == 2 * frames && fromSlow == frames)
      assert(damaged > frames / 4 && counted == damaged, s"$damaged frames left as damaged, $counted were counted")
    }
  }

  for (seed <- 1 to 2) test(s"frames are never mixed (seed $seed)")(mixed(seed))

  test("damaged frames that nobody counts are found")(assertThrows[Throwable](mixed(1, Set(NetFault.DamageUncounted))))

  /** Hand-made traffic: frames of the slow path by beats, single beats as answers; what leaves, by its first beat's data. */
  private def byHand(name: String, faults: Set[NetFault.Value])(body: ByHand => Unit): Unit = compiled.doSim(s"$name${faults.mkString}", 7) { dut =>
    SimTimeout(1000000)
    dut.io.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
    dut.clockDomain.forkStimulus(10)
    body(new ByHand(dut))
  }
  private class ByHand(dut: Bench) {
    val left = mutable.ArrayBuffer[(BigInt, Int)]()
    var dropped = 0
    private var (first, beats) = (BigInt(0), 0)
    dut.io.responses.valid #= false
    dut.io.slow.valid #= false
    dut.io.net.ready #= true
    dut.clockDomain.onSamplings {
      if (dut.io.events.toBigInt.testBit(Counter.DROP_SLOW_GIANT)) dropped += 1
      if (dut.io.net.valid.toBoolean) {
        if (beats == 0) first = dut.io.net.data.toBigInt
        beats += 1
        if (dut.io.net.last.toBoolean) { left += ((first, beats)); beats = 0 }
      }
    }
    dut.clockDomain.waitSampling(2)
    def slow(data: BigInt, last: Boolean, bytes: Int = 64): Unit = {
      dut.io.slow.data #= data
      dut.io.slow.keep #= (BigInt(1) << bytes) - 1
      dut.io.slow.user #= 0
      dut.io.slow.last #= last
      dut.io.slow.valid #= true
      dut.clockDomain.waitSamplingWhere(dut.io.slow.ready.toBoolean)
      dut.io.slow.valid #= false
    }
    def slowFrame(data: BigInt, bytes: Int): Unit = for (beat <- 0 to (bytes - 1) / 64) {
      val last = beat == (bytes - 1) / 64
      slow(data, last, if (last) (bytes - 1) % 64 + 1 else 64)
    }
    def answer(data: BigInt): Unit = {
      dut.io.responses.data #= data
      dut.io.responses.lastByte #= 63
      dut.io.responses.user #= 0
      dut.io.responses.last #= true
      dut.io.responses.valid #= true
      var cycles = 0
      do { dut.clockDomain.waitSampling(); cycles += 1 } while (!dut.io.responses.ready.toBoolean && cycles < 100)
      dut.io.responses.valid #= false
      assert(cycles < 100, "an answer is held up")
    }
    def pause(cycles: Int): Unit = dut.clockDomain.waitSampling(cycles)
  }

  private def pausing(faults: Set[NetFault.Value] = Set.empty): Unit = byHand("pausing", faults) { it =>
    for (round <- 0 until 20) {
      it.slow(1000 + round, last = false)
      it.pause(round)
      for (number <- 0 until 40) it.answer(100 * round + number)
      it.slow(0, last = true)
      it.pause(20)
      assert(it.left.toSeq == (0 until 40).map(n => (BigInt(100 * round + n), 1)) :+ ((BigInt(1000 + round), 2)), s"round $round")
      it.left.clear()
    }
  }
  test("a frame of the slow path that pauses holds up no answer")(pausing())
  test("the bench notices SlowFrameInParts")(assertThrows[Throwable](pausing(Set(NetFault.SlowFrameInParts))))

  private def giants(faults: Set[NetFault.Value] = Set.empty): Unit = byHand("giants", faults) { it =>
    val largest = CBoardConfig.tiny.maxFrame
    // One byte too long, some beats too long, longer than the ring; the largest that may pass between them.
    for (length <- Seq(largest + 1, largest + 64, largest + 200, 5000, 64 * CBoardConfig.tiny.slotBeats)) {
      it.slowFrame(1, length)
      it.slowFrame(2, largest)
      it.slowFrame(3, 60)
    }
    it.pause(200)
    assert(it.dropped == 5 && it.left.toSeq == Seq.fill(5)(Seq((BigInt(2), (largest + 63) / 64), (BigInt(3), 1))).flatten)
  }
  test("a frame of the slow path that is too long is dropped, and nothing else")(giants())
  test("the bench notices SlowGiantTaken")(assertThrows[Throwable](giants(Set(NetFault.SlowGiantTaken))))
}
