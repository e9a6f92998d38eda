package mneme.trailer

import mneme.trailer.TrailerReference._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Sums and tails of frames of every length against the reference, with and without gaps between beats; each comes when it should. */
class FrameCrcTest extends AnyFunSuite {
  private def send(port: spinal.lib.Flow[CrcBeat], clock: ClockDomain, r: Random, frame: Bytes, headers: Boolean, gaps: Boolean): Unit = {
    val beats = TrailerFrames.beats(frame)
    for ((beat, i) <- beats.zipWithIndex) {
      while (gaps && r.nextInt(3) == 0) {
        port.valid #= false
        TrailerFrames.drive(port.payload, r, Seq.fill(1 + r.nextInt(64))(r.nextInt(256)), r.nextBoolean(), r.nextBoolean(), r.nextBoolean())
        clock.waitSampling()
      }
      port.valid #= true
      TrailerFrames.drive(port.payload, r, beat, first = i == 0, last = i == beats.size - 1, headers)
      clock.waitSampling()
    }
    port.valid #= false
  }

  private def lengths(r: Random): Seq[Int] = (0 to 200) ++ Seq(1024, 1436, 1450) ++ Seq.fill(200)(TrailerFrames.length(r, 600))

  private lazy val crc = TrailerFrames.compile(FrameCrc())
  for (gaps <- Seq(false, true)) test(s"sums of payloads and of frames, ${if (gaps) "with gaps" else "beats in a row"}") {
    crc.doSim(s"crc$gaps", 3) { dut =>
      val r = new Random(3)
      dut.io.beats.valid #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(3)
      val expected = mutable.Queue[(BigInt, Int)]()
      var cycle = 0
      dut.clockDomain.onSamplings {
        cycle += 1
        if (dut.io.beats.valid.toBoolean && dut.io.beats.last.toBoolean) expected.last match { case (sum, _) => expected(expected.size - 1) = (sum, cycle) }
        if (dut.io.sums.valid.toBoolean) {
          val (sum, at) = expected.dequeue()
          assert((dut.io.sums.payload.toBigInt ^ BigInt("ffffffff", 16)) == sum && cycle - at == FrameCrc.LATENCY)
        }
      }
      for (length <- lengths(r)) {
        val headers = r.nextBoolean()
        val frame = TrailerFrames.any(r, length, 0, 1, phase = false)
        expected += ((if (headers) number(crcTrailer(frame)) else crc32c(payload(frame)), 0))
        send(dut.io.beats, dut.clockDomain, r, frame, headers, gaps)
      }
      dut.clockDomain.waitSampling(20)
      assert(expected.isEmpty)
    }
  }

  private lazy val tail = TrailerFrames.compile(TrailerTail())
  for (gaps <- Seq(false, true)) test(s"tails of frames with trailers, ${if (gaps) "with gaps" else "beats in a row"}") {
    tail.doSim(s"tail$gaps", 5) { dut =>
      val r = new Random(5)
      dut.io.beats.valid #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(3)
      val expected = mutable.Queue[Tail => Unit]()
      dut.clockDomain.onSamplings(if (dut.io.tails.valid.toBoolean) expected.dequeue()(dut.io.tails.payload))
      for (length <- lengths(r)) {
        val headers = r.nextBoolean()
        val bare = TrailerFrames.any(r, length, 0, 1, phase = false)
        val wrong = r.nextInt(3) == 0
        val trailer = if (headers) crcTrailer(bare) else Seq.fill(8)(r.nextInt(256))
        val whole = bare ++ trailer
        val frame = if (wrong) whole.updated(64 + r.nextInt(whole.size - 64), r.nextInt(256)) else whole
        expected += { tail =>
          assert(tail.isTag.toBoolean == !headers)
          if (headers) assert(tail.crcRight.toBoolean == (frame == whole))
          else {
            assert(tail.tag.toBigInt == number(frame.takeRight(8)))
            assert(tail.payloadCrc.toBigInt == crc32c(payload(frame.dropRight(8))))
          }
        }
        send(dut.io.beats, dut.clockDomain, r, frame, headers, gaps)
      }
      dut.clockDomain.waitSampling(20)
      assert(expected.isEmpty)
    }
  }
}
