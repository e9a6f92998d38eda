package mneme

import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.{Axi4Ar, Axi4Aw}
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** Bursts of three masters reach the port whole, answers find their way back, and zeroing yields without starving. */
class MemoryArbiterTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny
  private val patience = 64
  private lazy val compiled = Simulation.config.compile(MemoryArbiter(config, patience))

  private case class Burst(address: BigInt, beats: Int, id: Int)

  private class Bench(dut: MemoryArbiter, seed: Int, otherFactor: Float) {
    val random = new Random(seed)
    private val domain = dut.clockDomain
    domain.forkStimulus(10)
    dut.io.portReset #= true
    fork { domain.waitSampling(); dut.io.portReset #= false }
    /** Bursts whose answers are awaited, per master: 0 translation, 1 access, 2 zero. */
    val reads, writes = Seq.fill(3)(mutable.Queue[Burst]())
    val finished = Array.fill(3)(0)
    private val writeBeats = Seq.fill(3)(mutable.Queue[(BigInt, Boolean)]())

    private def burst(master: Int): Burst = Burst(BigInt(master) << 20 | (BigInt(random.nextInt(1 << 10)) << 6), 1 + random.nextInt(16), random.nextInt(4))
    private def readMaster(master: Int, ar: Stream[Axi4Ar], factor: Float): Unit = StreamDriver(ar, domain) { p =>
      if (reads(master).size > 4) false
      else {
        val b = burst(master)
        p.addr #= b.address; p.len #= b.beats - 1; p.id #= b.id; p.size #= 6; p.burst #= 1
        reads(master).enqueue(b)
        true
      }
    }.setFactor(factor)
    private def writeMaster(master: Int, aw: Stream[Axi4Aw], factor: Float): Unit = StreamDriver(aw, domain) { p =>
      if (writes(master).size > 4) false
      else {
        val b = burst(master)
        p.addr #= b.address; p.len #= b.beats - 1; p.id #= b.id; p.size #= 6; p.burst #= 1
        writes(master).enqueue(b)
        for (i <- 0 until b.beats) writeBeats(master).enqueue((b.address + 64 * i, i == b.beats - 1))
        true
      }
    }.setFactor(factor)

    for ((axi, master) <- Seq(dut.io.translation, dut.io.access).zipWithIndex) {
      readMaster(master, axi.ar, otherFactor)
      writeMaster(master, axi.aw, otherFactor)
      StreamReadyRandomizer(axi.r, domain).setFactor(0.9f)
      var beat = 0
      StreamMonitor(axi.r, domain) { p =>
        val index = reads(master).indexWhere(_.id == p.id.toInt)
        val b = reads(master)(index)
        assert(p.data.toBigInt == b.address + 64 * beat, "data of another burst")
        beat += 1
        assert(p.last.toBoolean == (beat == b.beats))
        if (p.last.toBoolean) { beat = 0; reads(master).remove(index); finished(master) += 1 }
      }
    }
    writeMaster(2, dut.io.zero.aw, 1f)
    for ((w, b, master) <- Seq((dut.io.translation.w, dut.io.translation.b, 0), (dut.io.access.w, dut.io.access.b, 1), (dut.io.zero.w, dut.io.zero.b, 2))) {
      StreamDriver(w, domain) { p =>
        if (writeBeats(master).isEmpty) false
        else { val (data, last) = writeBeats(master).dequeue(); p.data #= data; p.strb #= 0; p.last #= last; true }
      }.setFactor(1f)
      StreamReadyRandomizer(b, domain).setFactor(0.9f)
      StreamMonitor(b, domain) { p =>
        val index = writes(master).indexWhere(_.id == p.id.toInt)
        assert(index >= 0, "an answer that nobody waits for")
        writes(master).remove(index)
        finished(master) += 1
      }
    }

    /** The memory: in order; write data must follow the order of addresses. */
    private val port = dut.io.port
    private val toAnswerReads, toAnswerWrites = mutable.Queue[Burst]()
    private val expectedBeats = mutable.Queue[(BigInt, Boolean, Burst)]()
    for (ready <- Seq(port.ar, port.aw, port.w)) StreamReadyRandomizer(ready, domain).setFactor(0.9f)
    private var readBeat = 0
    StreamMonitor(port.ar, domain)(p => toAnswerReads.enqueue(Burst(p.addr.toBigInt, p.len.toInt + 1, p.id.toInt)))
    StreamDriver(port.r, domain) { p =>
      if (toAnswerReads.isEmpty) false
      else {
        val b = toAnswerReads.head
        p.data #= b.address + 64 * readBeat; p.id #= b.id; p.resp #= 0
        readBeat += 1
        p.last #= readBeat == b.beats
        if (readBeat == b.beats) { readBeat = 0; toAnswerReads.dequeue() }
        true
      }
    }.setFactor(1f)
    StreamMonitor(port.aw, domain) { p =>
      val b = Burst(p.addr.toBigInt, p.len.toInt + 1, p.id.toInt)
      for (i <- 0 until b.beats) expectedBeats.enqueue((b.address + 64 * i, i == b.beats - 1, b))
    }
    private val seenBeats = mutable.Queue[(BigInt, Boolean)]()
    StreamMonitor(port.w, domain)(p => seenBeats.enqueue((p.data.toBigInt, p.last.toBoolean)))
    domain.onSamplings {
      while (seenBeats.nonEmpty && expectedBeats.nonEmpty) {
        val (data, last, b) = expectedBeats.dequeue()
        assert(seenBeats.dequeue() == ((data, last)), "write data out of order")
        if (last) toAnswerWrites.enqueue(b)
      }
    }
    StreamDriver(port.b, domain) { p =>
      if (toAnswerWrites.isEmpty) false else { p.id #= toAnswerWrites.dequeue().id; p.resp #= 0; true }
    }.setFactor(1f)
  }

  private def run(seed: Int, otherFactor: Float, cycles: Int): Array[Int] = {
    var result = Array[Int]()
    compiled.doSim(s"arbiter$seed", seed) { dut =>
      val b = new Bench(dut, seed, otherFactor)
      dut.clockDomain.waitSampling(cycles)
      result = b.finished
    }
    result
  }

  test("zeroing has the port to itself when nobody else asks") {
    val Array(_, _, zero) = run(1, 0f, 10000)
    assert(zero > 10000 / 20, s"$zero bursts")
  }

  test("zeroing yields to busy masters, and never for ever") {
    val Array(translation, access, zero) = run(2, 1f, 20000)
    assert(translation > 500 && access > 500, s"$translation and $access bursts")
    assert(zero >= 50, s"$zero zero bursts")
    assert(zero <= 20000 / patience + 20, s"$zero zero bursts while others waited")
  }
}
