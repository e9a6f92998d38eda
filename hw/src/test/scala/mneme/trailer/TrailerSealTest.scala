package mneme.trailer

import mneme.trailer.TrailerReference._
import mneme.wire.Wire.Trailer
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Frames of every length get the right trailer and nothing else, in their order, whatever stalls; and how many cycles it takes. */
class TrailerSealTest extends AnyFunSuite {
  private val machines = mutable.Map[Option[TrailerFault.Value], SimCompiled[TrailerSeal]]()
  private def machine(fault: Option[TrailerFault.Value] = None): SimCompiled[TrailerSeal] =
    machines.getOrElseUpdate(fault, TrailerFrames.compile(new TrailerSeal(4, planted = TrailerFrames.planted(fault))))

  private case class Sent(frame: Bytes, kind: Int, key: Bytes, upper: BigInt, damaged: Boolean) {
    val expected: Bytes = frame ++ (kind match {
      case Trailer.CRC32C => crcTrailer(frame)
      case Trailer.TAG => tagTrailer(frame, key, upper)
      case _ => Nil
    })
  }
  private def any(r: Random, kind: Int, payload: Int): Sent =
    Sent(TrailerFrames.any(r, payload, kind, 1, phase = false), kind, Seq.fill(16)(r.nextInt(256)), BigInt(40, r), r.nextInt(5) == 0)

  /** When the first beat of each frame came, and its last beat left; and cycles for each frame at the end. */
  private def run(dut: TrailerSeal, sent: Seq[Sent], seed: Int, speed: Float, ready: Float): (Seq[(Int, Int)], Double) = {
    val r = new Random(seed)
    SimTimeout(100000000)
    dut.clockDomain.forkStimulus(10)
    val beats = sent.iterator.flatMap { frame =>
      val all = TrailerFrames.beats(frame.frame)
      all.zipWithIndex.map { case (bytes, i) => (frame, bytes, i == all.size - 1) }
    }
    StreamDriver(dut.io.beats, dut.clockDomain) { port =>
      beats.hasNext && {
        val (frame, bytes, last) = beats.next()
        TrailerFrames.drive(port.beat, r, bytes, last)
        // Of no interest with other beats than the last.
        port.beat.user #= (if (if (last) frame.damaged else r.nextBoolean()) 1 else 0)
        port.kind #= frame.kind
        port.key #= number(frame.key)
        port.upper #= frame.upper
        true
      }
    }.setFactor(speed)
    if (ready == 1) dut.io.sealedBeats.ready #= true else StreamReadyRandomizer(dut.io.sealedBeats, dut.clockDomain).setFactor(ready)
    var (cycle, came, first) = (0, 0, true)
    val entered, left = mutable.ArrayBuffer[Int]()
    var bytes: Bytes = Nil
    dut.clockDomain.onSamplings {
      cycle += 1
      if (dut.io.beats.valid.toBoolean && dut.io.beats.ready.toBoolean) {
        if (first) entered += cycle
        first = dut.io.beats.beat.last.toBoolean
      }
    }
    StreamMonitor(dut.io.sealedBeats, dut.clockDomain) { beat =>
      val last = beat.last.toBoolean
      assert(last || beat.lastByte.toInt == 63, "only a last beat may be partial")
      bytes = bytes ++ littleEndian(beat.data.toBigInt, beat.lastByte.toInt + 1)
      if (last) {
        val frame = sent(came)
        assert(bytes == frame.expected, s"frame $came, kind ${frame.kind}, ${frame.frame.size} bytes")
        assert((beat.user.toInt == 1) == frame.damaged, s"damage of frame $came")
        bytes = Nil
        came += 1
        left += cycle
      }
    }
    dut.clockDomain.waitSamplingWhere(400 * sent.size + 1000)(came == sent.size)
    assert(came == sent.size, s"$came frames of ${sent.size}")
    val half = sent.size / 2
    (entered.zip(left).toSeq, (left.last - left(half)).toDouble / (sent.size - 1 - half))
  }

  private def mixed(seed: Int, fault: Option[TrailerFault.Value] = None): Unit = machine(fault).doSim(s"seal$seed$fault", seed) { dut =>
    val r = new Random(seed)
    val lengths = (0 to 140) ++ Seq(1024, 1436, 3000) ++ Seq.fill(600)(TrailerFrames.length(r, 400))
    run(dut, lengths.map(any(r, Seq(Trailer.NONE, Trailer.CRC32C, Trailer.TAG)(r.nextInt(3)), _)), seed, if (seed == 1) 1 else 0.6f, if (seed == 2) 1 else 0.5f)
  }
  for (seed <- 1 to 3) test(s"trailers behind frames of every length (seed $seed)")(mixed(seed))
  for (fault <- Seq(TrailerFault.BeatLeftOut, TrailerFault.DamageEarly)) test(s"the bench notices $fault") {
    machine(Some(fault))
    assertThrows[Throwable](mixed(1, Some(fault)))
  }

  private def rate(name: String, kind: Int, payload: Int): (Int, Double) = {
    var figures = (0, 0.0)
    machine().doSim(name, 5) { dut =>
      val r = new Random(5)
      val (times, cycles) = run(dut, Seq.fill(600)(any(r, kind, payload)), 5, 1, 1)
      figures = (times.head._2 - times.head._1, cycles)
    }
    println(s"$name: the first frame $figures cycles to its last beat, then for each frame")
    figures
  }
  test("a kilobyte is sealed at the rate of its beats") {
    for ((name, kind) <- Seq("crc1k" -> Trailer.CRC32C, "tag1k" -> Trailer.TAG, "none1k" -> Trailer.NONE)) {
      // 1,024 bytes fill their beats: the trailer needs one more.
      val beats = if (kind == Trailer.NONE) 17 else 18
      assert(rate(name, kind, 1024)._2 <= beats * 1.001)
    }
    assert(rate("tag1000", Trailer.TAG, 1000)._2 <= 17 * 1.001)
  }
  test("small answers: one tag in four cycles") {
    assert(rate("tag16", Trailer.TAG, 16)._2 <= 4.02 && rate("tag0", Trailer.TAG, 0)._2 <= 4.02)
    assert(rate("crc16", Trailer.CRC32C, 16)._2 <= 2.01)
  }
  test("cycles to the last beat of one answer") {
    val cases = Seq((Trailer.NONE, 16), (Trailer.CRC32C, 16), (Trailer.TAG, 16), (Trailer.NONE, 0), (Trailer.TAG, 0), (Trailer.NONE, 1024), (Trailer.TAG, 1024))
    val cycles = cases.map { case (kind, payload) => (kind, payload) -> rate(s"one${payload}_$kind", kind, payload)._1 }.toMap
    assert(cycles == TrailerSealTest.CYCLES)
  }
}

object TrailerSealTest {
  /** From a header to the answer's last beat, which without sealing were the cycles of its beats: by kind and bytes of payload. */
  val CYCLES: Map[(Int, Int), Int] =
    Map(
      (Trailer.NONE, 0) -> 1,
      (Trailer.NONE, 16) -> 2,
      (Trailer.NONE, 1024) -> 17,
      (Trailer.CRC32C, 16) -> 8,
      (Trailer.TAG, 0) -> 18,
      (Trailer.TAG, 16) -> 17,
      (Trailer.TAG, 1024) -> 32
    )
}
