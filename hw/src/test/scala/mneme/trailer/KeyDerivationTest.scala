package mneme.trailer

import mneme.trailer.TrailerReference._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Keys of processes against the reference, with the board's keys changing in mid-run; and what hits and misses cost. */
class KeyDerivationTest extends AnyFunSuite {
  private def machine(fault: Option[TrailerFault.Value]) =
    TrailerFrames.compile(new KeyDerivation(UInt(16 bits), entries = 8, planted = TrailerFrames.planted(fault)))

  private def run(dut: KeyDerivation[UInt], seed: Int, asks: Int, pids: Int, changes: Boolean, speed: Float): Double = {
    val r = new Random(seed)
    SimTimeout(100000000)
    /** Of each phase all keys so far, the newest first. */
    val board = Array.fill(2)(List(Seq.fill(16)(r.nextInt(256))))
    def drive(): Unit = for (phase <- 0 to 1) dut.io.keys(phase) #= number(board(phase).head)
    drive()
    dut.io.changed #= false
    dut.clockDomain.forkStimulus(10)
    val known = Seq.fill(pids)(r.nextInt(1 << 24))
    val asked = mutable.Queue[(Int, Int, Int)]()
    val takenAt = mutable.Queue[Int]()
    var (sent, came, cycle, first) = (0, 0, 0, 0)
    StreamDriver(dut.io.asks, dut.clockDomain) { ask =>
      sent < asks && {
        val (pid, phase) = (known(r.nextInt(pids)), r.nextInt(2))
        ask.pid #= pid
        ask.phase #= phase == 1
        ask.payload #= sent
        asked += ((pid, phase, sent))
        sent += 1
        true
      }
    }.setFactor(speed)
    if (speed == 1) dut.io.answers.ready #= true else StreamReadyRandomizer(dut.io.answers, dut.clockDomain).setFactor(speed)
    dut.clockDomain.onSamplings {
      cycle += 1
      if (dut.io.asks.valid.toBoolean && dut.io.asks.ready.toBoolean) takenAt += board(if (dut.io.asks.phase.toBoolean) 1 else 0).size
    }
    StreamMonitor(dut.io.answers, dut.clockDomain) { answer =>
      val (pid, phase, number) = asked.dequeue()
      assert(answer.payload.toInt == number, "order")
      // One of those that the board has had since it was asked.
      val since = board(phase).take(1 + board(phase).size - takenAt.dequeue())
      assert(since.map(key => TrailerReference.number(processKey(key, pid))).contains(answer.key.toBigInt), s"key of $pid in phase $phase")
      came += 1
      if (came == asks / 2) first = cycle
    }
    while (came < asks) {
      dut.clockDomain.waitSampling()
      if (changes && r.nextInt(40) == 0) {
        val phase = r.nextInt(2)
        board(phase) = Seq.fill(16)(r.nextInt(256)) :: board(phase)
        drive()
        dut.io.changed #= true
        dut.clockDomain.waitSampling()
        dut.io.changed #= false
      }
      assert(cycle < 100 * asks, "keys do not come")
    }
    (cycle - first).toDouble / (asks - asks / 2)
  }

  private lazy val sound = machine(None)
  test("keys, many pids, changing board keys")(for (seed <- 1 to 3) sound.doSim(s"keys$seed", seed)(run(_, seed, 2000, 6 * seed, changes = true, 0.6f)))
  test("a key at hand costs a cycle")(sound.doSim("hot", 4)(dut => assert(run(dut, 4, 2000, 1, changes = false, 1) < 1.02)))
  test("a cold key costs 13 cycles")(sound.doSim("cold", 5) { dut =>
    val cost = run(dut, 5, 2000, 1000, changes = false, 1)
    assert(cost > 12 && cost < 13.1, cost)
  })
  test("the bench notices CacheKept") {
    val faulty = machine(Some(TrailerFault.CacheKept))
    assertThrows[Throwable](faulty.doSim("kept", 6)(run(_, 6, 2000, 6, changes = true, 0.6f)))
  }
}
