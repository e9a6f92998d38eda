package mneme.net

import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.collection.mutable

class PacketBufferTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(packetSlots = 32)
  private val slots = config.packetSlots

  test("after each reset no slot is handed out for a cycle a slot, then each is once, and those that come back again") {
    Simulation.config.compile(PacketBuffer(config, readers = 1, releasers = 1)).doSim(1) { dut =>
      val domain = dut.clockDomain
      val given = mutable.ArrayBuffer.empty[(Long, Int)]
      var cycle = 0L
      dut.io.write.valid #= false
      dut.io.reads(0).cmd.valid #= false
      dut.io.releases(0).valid #= false
      dut.io.free.ready #= true
      domain.forkStimulus(10)
      domain.waitSampling()
      domain.onSamplings {
        if (dut.io.free.valid.toBoolean) given += ((cycle, dut.io.free.payload.toInt))
        cycle += 1
      }
      for (round <- 0 until 2) {
        domain.assertReset()
        sleep(40)
        given.clear()
        cycle = 0
        domain.deassertReset()
        domain.waitSampling(4 * slots)
        assert(given.map(_._2).toSeq == (0 until slots), s"round $round")
        // What has a word for each slot clears one a cycle, from the first on.
        assert(given.head._1 >= slots, s"round $round")
        for (slot <- Seq(5, 0)) {
          dut.io.releases(0).valid #= true
          dut.io.releases(0).payload #= slot
          domain.waitSamplingWhere(dut.io.releases(0).ready.toBoolean)
        }
        dut.io.releases(0).valid #= false
        domain.waitSampling(8)
        assert(given.drop(slots).map(_._2).toSeq == Seq(5, 0), s"round $round")
      }
    }
  }
}
