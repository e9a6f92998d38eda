package mneme.trailer

import mneme.trailer.TrailerReference._
import mneme.wire.Wire.Trailer
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Frames with right and wrong trailers of every kind, and without: order, verdicts, keys, and how long they take. */
class TrailerCheckTest extends AnyFunSuite {
  private type Dut = TrailerCheck[UInt]
  private val machines = mutable.Map[Option[TrailerFault.Value], SimCompiled[Dut]]()
  private def machine(fault: Option[TrailerFault.Value] = None): SimCompiled[Dut] =
    machines.getOrElseUpdate(fault, TrailerFrames.compile(new TrailerCheck(UInt(16 bits), 4, planted = TrailerFrames.planted(fault))))

  private val boardKeys = Seq((0 to 15), (16 to 31))
  private case class Sent(frame: Bytes, kind: Int, pid: Int, phase: Int, upper: BigInt, tail: Bytes, verdict: TrailerVerdict.E, key: Option[BigInt]) {
    val payloadCrc: BigInt = crc32c(payload(frame))
  }

  /** `phases`: which of both have keys. */
  private def any(r: Random, phases: Int, kinds: Seq[Int], pids: Seq[Int], wrongOneIn: Int): Sent = {
    val kind = kinds(r.nextInt(kinds.size))
    val (pid, phase) = (pids(r.nextInt(pids.size)), r.nextInt(2))
    val frame = TrailerFrames.any(r, TrailerFrames.length(r, 200), kind, pid, phase == 1)
    val upper = BigInt(40, r)
    val wrong = r.nextInt(wrongOneIn) == 0
    val key = processKey(boardKeys(phase), pid)
    val right = if (kind == Trailer.CRC32C) crcTrailer(frame) else if (kind == Trailer.TAG) tagTrailer(frame, key, upper) else Nil
    // One bit, anywhere.
    val tail = if (wrong && right.nonEmpty) { val at = r.nextInt(right.size); right.updated(at, right(at) ^ (1 << r.nextInt(8))) }
    else right
    val keyed = pid != 0 && ((phases >> phase) & 1) == 1
    val verdict = kind match {
      case Trailer.CRC32C => if (wrong) TrailerVerdict.crcWrong else TrailerVerdict.crcRight
      case Trailer.TAG => if (wrong || !keyed) TrailerVerdict.tagWrong else TrailerVerdict.tagRight
      case _ => TrailerVerdict.none
    }
    Sent(frame, kind, pid, phase, upper, tail, verdict, if (kind == Trailer.TAG) Some(number(key)) else None)
  }

  /** Cycles from a frame's entry to its verdict, of each, and those for each frame at the end. */
  private def run(dut: Dut, sent: Seq[Sent], phases: Int, speed: Float, tailSpeed: Float, ready: Float): (Seq[Int], Double) = {
    SimTimeout(100000000)
    for (phase <- 0 to 1) dut.io.keys(phase) #= number(boardKeys(phase))
    dut.io.phases #= phases
    dut.io.changed #= false
    dut.clockDomain.forkStimulus(10)
    val frames = sent.iterator.zipWithIndex
    StreamDriver(dut.io.frames, dut.clockDomain) { port =>
      frames.hasNext && {
        val (frame, i) = frames.next()
        port.payload #= i % 65536
        port.kind #= frame.kind
        port.pid #= frame.pid
        port.phase #= frame.phase == 1
        val message = addresses(frame.frame) ++ header(frame.frame) ++ bigEndian(frame.upper, 5) ++ Seq(0)
        port.words.zip(message.grouped(8).toSeq).foreach { case (word, bytes) => word #= number(bytes) }
        true
      }
    }.setFactor(speed)
    val tails = sent.iterator.filter(f => f.kind == Trailer.CRC32C || f.kind == Trailer.TAG)
    StreamDriver(dut.io.tails, dut.clockDomain) { port =>
      tails.hasNext && {
        val frame = tails.next()
        val isTag = frame.kind == Trailer.TAG
        port.isTag #= isTag
        port.crcRight #= frame.verdict == TrailerVerdict.crcRight
        port.tag #= (if (isTag) number(frame.tail) else BigInt(0))
        port.payloadCrc #= frame.payloadCrc
        true
      }
    }.setFactor(tailSpeed)
    if (ready == 1) dut.io.checked.ready #= true else StreamReadyRandomizer(dut.io.checked, dut.clockDomain).setFactor(ready)
    var (cycle, came) = (0, 0)
    val entered, left = mutable.ArrayBuffer[Int]()
    dut.clockDomain.onSamplings {
      cycle += 1
      if (dut.io.frames.valid.toBoolean && dut.io.frames.ready.toBoolean) entered += cycle
    }
    StreamMonitor(dut.io.checked, dut.clockDomain) { checked =>
      val frame = sent(came)
      assert(checked.payload.toInt == came % 65536, "order")
      assert(checked.verdict.toEnum == frame.verdict, s"verdict of frame $came")
      for (key <- frame.key) assert(checked.key.toBigInt == key, s"key of frame $came")
      came += 1
      left += cycle
    }
    dut.clockDomain.waitSamplingWhere(200 * sent.size + 1000)(came == sent.size)
    assert(came == sent.size, s"$came verdicts of ${sent.size}")
    val half = sent.size / 2
    (entered.zip(left).map { case (in, out) => out - in }.toSeq, (left.last - left(half)).toDouble / (sent.size - 1 - half))
  }

  private val kinds = Seq(Trailer.NONE, Trailer.CRC32C, Trailer.TAG, Trailer.TAG)
  private def mixed(fault: Option[TrailerFault.Value], phases: Int, seed: Int): Unit = machine(fault).doSim(s"mixed$seed$fault", seed) { dut =>
    val r = new Random(seed)
    val pids = 0 +: Seq.fill(40)(1 + r.nextInt((1 << 24) - 1))
    run(dut, Seq.fill(3000)(any(r, phases, kinds, pids, 3)), phases, 0.8f, 0.3f * seed, 0.4f * seed)
  }
  for (seed <- 1 to 2) test(s"verdicts and keys, every port stalls (seed $seed)")(mixed(None, phases = seed, seed))
  for (fault <- Seq(TrailerFault.HalfCompared, TrailerFault.PhaseOverlooked)) {
    test(s"the bench notices $fault") {
      machine(Some(fault))
      assertThrows[Throwable](mixed(Some(fault), phases = 1, seed = 1))
    }
  }

  private val pid = Seq(77)
  private def rate(name: String, kinds: Seq[Int]): Double = {
    var cycles = 0.0
    machine().doSim(name, 5)(dut => cycles = run(dut, Seq.fill(2000)(any(new Random(7), 3, kinds, pid, 3)), 3, 1, 1, 1)._2)
    cycles
  }
  test("frames without a trailer pass in every cycle, and so do those with a CRC-32C") {
    assert(rate("plain", Seq(Trailer.NONE)) == 1 && rate("crc", Seq(Trailer.CRC32C)) == 1)
  }
  test("tags of a key at hand: one in four cycles") {
    val cycles = rate("tags", Seq(Trailer.TAG))
    assert(cycles <= 4.02, cycles)
  }

  test("a tag takes the same time wherever it is wrong, under a phase without a key, and for pid 0") {
    val r = new Random(11)
    def good(pid: Int, phase: Int): Sent = Iterator.continually(any(r, 1, Seq(Trailer.TAG), Seq(pid), 1 << 30)).find(_.phase == phase).get
    val (right, unkeyed, nobody) = (good(77, 0), good(77, 1), good(0, 0))
    val wrong = for (bit <- 0 until 64) yield right.copy(
      tail = right.tail.updated(bit / 8, right.tail(bit / 8) ^ (1 << (bit % 8))),
      verdict = TrailerVerdict.tagWrong
    )
    // The first of each is there for its key.
    val warm = Seq(right, unkeyed, nobody)
    val groups = Seq(Seq.fill(64)(right), wrong, Seq.fill(64)(unkeyed), Seq.fill(64)(nobody))
    machine().doSim("constant", 12) { dut =>
      // A frame in a hundred cycles, so that one seldom waits for another.
      val times = run(dut, warm ++ groups.flatten, 1, 0.01f, 1, 1)._1.drop(warm.size)
      val usual = times.grouped(64).map(_.groupBy(identity).maxBy(_._2.size)).map { case (cycles, all) => (cycles, all.size) }.toSeq
      println(s"cycles of a tag that is right, wrong, without a key, nobody's: $usual")
      assert(usual.map(_._1).distinct == Seq(TrailerCheckTest.CYCLES) && usual.forall(_._2 > 48), usual)
    }
  }
}

object TrailerCheckTest {
  /** From a frame that has a tag and whose sum is there, to its verdict. */
  val CYCLES = 18
}
