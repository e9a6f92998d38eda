package mneme.filter

import mneme.{CBoardConfig}
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

class RetryFilterTest extends AnyFunSuite {
  test("a write passes once and is answered again after its end") {
    SimConfig.compile(RetryFilter(CBoardConfig.tiny)).doSim(1) { dut =>
      dut.clockDomain.forkStimulus(10)
      dut.io.requestsIn.valid #= false
      dut.io.updates.valid #= false
      dut.io.requestsOut.ready #= true
      dut.io.control.tick #= 100
      dut.io.control.window #= 64
      dut.clockDomain.waitSampling(60)
      def send(): (Int, Boolean, Boolean) = {
        val r = dut.io.requestsIn.payload
        r.opcode #= Wire.Opcode.WRITE; r.opId #= 7; r.srcIp #= 0x0a000001L; r.srcPort #= 999; r.time #= 90; r.answered #= false
        r.pid #= 3; r.va #= 0x1000; r.length #= 16; r.attempt #= 0
        dut.io.requestsIn.valid #= true
        dut.clockDomain.waitSamplingWhere(dut.io.requestsIn.ready.toBoolean)
        dut.io.requestsIn.valid #= false
        dut.clockDomain.waitSamplingWhere(dut.io.requestsOut.valid.toBoolean)
        (dut.io.requestsOut.status.toInt, dut.io.requestsOut.answered.toBoolean, dut.io.requestsOut.filtered.toBoolean)
      }
      val first = send()
      assert(!first._2 && first._3)
      val entry = dut.io.requestsOut.filterEntry.toInt
      assert(send() == ((Wire.Status.BUSY, true, false)))
      dut.io.updates.entry #= entry; dut.io.updates.done #= true; dut.io.updates.result #= 5; dut.io.updates.valid #= true
      dut.clockDomain.waitSamplingWhere(dut.io.updates.ready.toBoolean)
      dut.io.updates.valid #= false
      assert(send() == ((Wire.Status.OK, true, false)))
      assert(dut.io.requestsOut.result.toBigInt == 5)
    }
  }
}
