package mneme.vm

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** The queue of page faults that wait for a page, alone. */
class DryQueueTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny.copy(misses = 8, packetSlots = 32)
  private val depth = DryQueue.depth(c)
  private lazy val compiled = VmSim.config.compile(DryQueue(c))

  /** Time passes with the clock: a tick per cycle. */
  private class Bench(dut: DryQueue, window: Int, start: Int = 0) {
    private var tick = start
    dut.io.fault.valid #= false
    dut.io.turn.ready #= false
    dut.io.decided #= false
    dut.io.stays #= false
    dut.io.page #= false
    dut.io.hurry #= false
    dut.io.control.exhausted #= false
    dut.io.control.window #= window
    dut.io.control.tick #= tick
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(2)
    def pass(cycles: Int = 1): Unit = for (_ <- 0 until cycles) {
      dut.clockDomain.waitSampling()
      tick = (tick + 1) & 0xffffff
      dut.io.control.tick #= tick
      sleep(1)
    }
    def come(number: Int): Unit = {
      assert(dut.io.fault.ready.toBoolean)
      dut.io.fault.valid #= true
      dut.io.fault.number #= number
      dut.io.fault.place #= 31 - number
      pass()
      dut.io.fault.valid #= false
      sleep(1)
    }
    def full: Boolean = !dut.io.fault.ready.toBoolean
    def offers: Option[Int] = Option.when(dut.io.turn.valid.toBoolean) {
      assert(dut.io.turn.place.toInt == 31 - dut.io.turn.number.toInt)
      dut.io.turn.number.toInt
    }
    def take(): Int = {
      val number = offers.get
      dut.io.turn.ready #= true
      pass()
      dut.io.turn.ready #= false
      sleep(1)
      assert(offers.isEmpty, "one decision at a time")
      number
    }
    def end(decided: Boolean): Unit = {
      dut.io.decided #= decided
      dut.io.stays #= !decided
      pass()
      dut.io.decided #= false
      dut.io.stays #= false
      sleep(1)
    }
    def page(there: Boolean): Unit = { dut.io.page #= there; sleep(1) }
    def hurry(now: Boolean): Unit = { dut.io.hurry #= now; pass(2) }
    def entries: Set[Int] = (0 until c.misses).filter(dut.io.entries.toBigInt.testBit(_)).toSet
    def urgent: Boolean = dut.io.urgent.toBoolean
    /** Cycles until the oldest may not wait any longer. */
    def patience(most: Int): Int = Iterator.continually(pass()).take(most).indexWhere(_ => urgent) + 1
  }

  test("faults get their turns in the order in which they came, when there is a page, and keep it when that is gone") {
    compiled.doSim(1) { dut =>
      val b = new Bench(dut, window = 4000)
      val order = Seq(5, 0, 7, 2)
      assert(order.size == depth)
      order.foreach(b.come)
      assert(b.full && b.entries == order.toSet && b.offers.isEmpty)
      b.page(there = true)
      assert(b.take() == 5)
      b.end(decided = false)
      assert(b.entries == order.toSet && b.take() == 5)
      b.end(decided = true)
      assert(b.entries == Set(0, 7, 2) && !b.full)
      b.come(1)
      for (number <- Seq(0, 7, 2, 1)) {
        assert(b.take() == number)
        b.end(decided = true)
      }
      assert(b.entries.isEmpty && b.offers.isEmpty)
    }
  }

  test("who is in a hurry gets all of them decided") {
    compiled.doSim(2) { dut =>
      val b = new Bench(dut, window = 4000)
      Seq(3, 4).foreach(b.come)
      b.hurry(now = true)
      assert(b.urgent && b.take() == 3)
      b.end(decided = true)
      b.hurry(now = false)
      assert(!b.urgent && b.offers.isEmpty && b.entries == Set(4))
    }
  }

  // The tick wraps within each wait but the first. Boards differ in how many ticks are a millisecond.
  for (ticksLog2 <- Seq(c.tickLog2, CBoardConfig.sim.tickLog2)) {
    val shape = c.copy(tickLog2 = ticksLog2)
    lazy val queue = if (shape == c) compiled else VmSim.config.compile(DryQueue(shape))
    for (window <- Seq(64, 600, 4000, (1 << 23) - 1)) {
      val ticks = (window / 4) min (1 << DryQueue.mostTicksLog2(shape))
      test(s"with a window of $window ticks of 2^$ticksLog2 cycles a fault waits for $ticks") {
        queue.doSim(window) { dut =>
          val b = new Bench(dut, window, start = 0x1000000 - 100)
          b.come(6)
          val waited = b.patience(most = 2 * ticks)
          assert(waited >= ticks - 1 && waited <= ticks + 2)
          assert(b.take() == 6)
        }
      }
    }
  }
}
