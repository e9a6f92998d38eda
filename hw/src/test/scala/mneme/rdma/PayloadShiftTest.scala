package mneme.rdma

import mneme.Simulation
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** Payloads that begin anywhere in a beat: all places that headers of RoCEv2 leave to them. */
class PayloadShiftTest extends AnyFunSuite {
  test("payloads go to every place, a beat in every cycle") {
    val starts = Seq(54, 58, 70, 74)
    Simulation.config.compile(PayloadShift(starts.map(_ % 64))).doSim("shift", 1) { dut =>
      val r = new Random(1)
      dut.io.taken #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(3)
      for (round <- 0 until 200) {
        val number = round % starts.size
        val payload = Seq.fill(64 * (1 + r.nextInt(5)))(r.nextInt(256))
        val place = starts(number) % 64
        val beats = payload.grouped(64).toSeq
        val moved = (0 to beats.size).flatMap { i =>
          while (r.nextInt(4) == 0) { dut.io.taken #= false; dut.clockDomain.waitSampling() }
          dut.io.start #= number
          dut.io.taken #= i < beats.size
          dut.io.payload #= beats.applyOrElse(i, (_: Int) => Seq.fill(64)(r.nextInt(256))).reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
          dut.clockDomain.waitSampling()
          val data = dut.io.shifted.toBigInt
          (0 until 64).map(i => ((data >> (8 * i)) & 0xff).toInt)
        }
        assert(moved.slice(place, place + payload.size) == payload, s"from byte ${starts(number)} on")
      }
    }
  }
}
