package mneme.net

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire.Counter
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.util.Random

class WatchdogTest extends AnyFunSuite {
  private val silence = 1 << Watchdog.silenceLog2
  private val stay = 1 << Watchdog.stayLog2
  private val slots = CBoardConfig.tiny.packetSlots
  private lazy val compiled = Simulation.config.compile {
    val dut = Watchdog(CBoardConfig.tiny)
    dut.patrol.entries.simPublic()
    dut.patrol.returns.simPublic()
    dut
  }

  /** Requests enter and leave as told; counts what the watchdog says. */
  private class Bench(dut: Watchdog) {
    var barks = 0
    dut.io.entered.valid #= false
    dut.io.released.valid #= false
    dut.io.retired #= false
    dut.io.paused #= false
    dut.clockDomain.forkStimulus(10)
    // No slot is handed out before the memories are cleared.
    dut.clockDomain.waitSampling(slots + 2)
    dut.clockDomain.onSamplings(if (dut.io.events.toBigInt.testBit(Counter.WATCHDOG)) barks += 1)

    /** A request enters into a slot, and an answer leaves; a slot that becomes free does so in the same cycle. */
    def step(enters: Boolean = false, leaves: Boolean = false, into: Int = 0, freed: Option[Int] = Some(0)): Unit = {
      dut.io.entered.valid #= enters
      dut.io.entered.payload #= into
      dut.io.retired #= leaves
      dut.io.released.valid #= leaves && freed.nonEmpty
      freed.foreach(slot => dut.io.released.payload #= slot)
      dut.clockDomain.waitSampling()
      dut.io.entered.valid #= false
      dut.io.retired #= false
      dut.io.released.valid #= false
    }
    def pass(cycles: Int): Unit = dut.clockDomain.waitSampling(cycles)
    def reset(cycles: Int): Unit = {
      // No edge is a sampling one during reset: wait by time.
      dut.clockDomain.assertReset()
      sleep(10 * cycles)
      dut.clockDomain.deassertReset()
    }
    /** A reset of a chip whose memories hold anything. */
    def powerUp(entries: Int, returns: Int): Unit = {
      dut.clockDomain.assertReset()
      sleep(30)
      for (slot <- 0 until slots) {
        dut.patrol.entries.setBigInt(slot, entries >> slot & 1)
        dut.patrol.returns.setBigInt(slot, returns >> slot & 1)
      }
      sleep(10)
      dut.clockDomain.deassertReset()
      pass(slots + 2)
    }
    /** All bits of both memories. */
    def bits: Seq[BigInt] = Seq(dut.patrol.entries, dut.patrol.returns).flatMap(memory => (0 until slots).map(memory.getBigInt(_)))
    def pause(paused: Boolean): Unit = dut.io.paused #= paused
  }
  private def bench(name: String)(body: Bench => Unit): Unit = test(name) {
    compiled.doSim(1)(dut => body(new Bench(dut)))
  }

  bench("an empty pipeline may be silent for ever") { b =>
    b.pass(3 * silence)
    for (_ <- 0 until 5) {
      b.step(enters = true)
      b.step(leaves = true)
    }
    b.pass(3 * silence)
    assert(b.barks == 0)
  }

  bench("after a reset no slot is taken, whatever entered last") { b =>
    // What is written every cycle of a reset may cancel out in an even number of them.
    for (cycles <- Seq(3, 4)) {
      b.step(enters = true, into = 0)
      b.step(leaves = true, freed = Some(0))
      b.reset(cycles)
      b.pass(2 * stay)
      assert(b.barks == 0)
    }
  }

  bench("memories that begin with anything are cleared, and hold no request") { b =>
    // Equal is not enough: Yosys makes two of each, which may begin differently.
    for (entries <- 0 until 1 << slots; returns <- Seq(0, entries, entries ^ 5, 15 ^ entries)) {
      b.powerUp(entries, returns)
      assert(b.bits.forall(_ == 0), s"$entries $returns")
    }
    b.pass(2 * stay)
    assert(b.barks == 0)
  }

  bench("requests that leave, however slowly and however many are inside, are no reason to bark") { b =>
    val random = new Random(1)
    var inside, left = 0
    while (left < 12) {
      val come = 1 + random.nextInt(40)
      for (_ <- 0 until come) b.step(enters = true)
      b.pass(random.nextInt(silence - 64))
      // One leaves, perhaps as another comes.
      val another = random.nextBoolean()
      b.step(enters = another, leaves = true)
      inside += come + (if (another) 0 else -1)
      left += 1
    }
    assert(inside > 12)
    assert(b.barks == 0)
  }

  bench("a request that has reason to wait is no reason to bark, what waits besides is") { b =>
    b.step(enters = true)
    b.pass(silence / 2)
    b.pause(true)
    b.pass(3 * silence)
    assert(b.barks == 0)
    b.pause(false)
    b.pass(silence / 2 + 8)
    assert(b.barks == 1)
  }

  bench("a request that waits for ever counts once per 2^16 cycles, until something leaves") { b =>
    for (_ <- 0 until 3) b.step(enters = true)
    b.pass(silence - 8)
    assert(b.barks == 0)
    b.pass(16)
    assert(b.barks == 1)
    b.pass(2 * silence)
    assert(b.barks == 3)
    b.step(leaves = true)
    b.pass(silence - 8)
    assert(b.barks == 3)
    // One of three has left: the others still wait.
    b.pass(16)
    assert(b.barks == 4)
    for (_ <- 0 until 2) b.step(leaves = true)
    b.pass(2 * silence)
    assert(b.barks == 4)
  }

  bench("a request that stays while others pass it counts once per 2^18 cycles, in whichever slot") { b =>
    val random = new Random(2)
    for (stuck <- Seq(0, slots / 2, slots - 1)) {
      val before = b.barks
      b.step(enters = true, into = stuck)
      def others(cycles: Int): Unit = for (_ <- 0 until cycles / 1000) {
        val slot = Iterator.continually(random.nextInt(slots)).find(_ != stuck).get
        b.step(enters = true, into = slot)
        b.pass(997)
        b.step(leaves = true, freed = Some(slot))
        b.pass(1)
      }
      others(stay - 4000)
      assert(b.barks == before)
      // Until it is looked at, all other slots may have a request for a while.
      others(4000 + slots * 1000)
      assert(b.barks == before + 1)
      others(stay)
      assert(b.barks == before + 2)
      b.step(leaves = true, freed = Some(stuck))
      others(stay + slots * 1000)
      assert(b.barks == before + 2)
    }
  }

  bench("a slot that goes from request to request is no reason to bark, nor is one whose request may wait") { b =>
    b.step(enters = true, into = 1)
    for (_ <- 0 until 3 * stay / 5000) {
      b.pass(5000)
      b.step(enters = true, leaves = true, into = 1, freed = None)
      b.step(leaves = true, freed = Some(1))
      b.step(enters = true, into = 1)
    }
    b.pause(true)
    b.pass(2 * stay)
    assert(b.barks == 0)
  }
}
