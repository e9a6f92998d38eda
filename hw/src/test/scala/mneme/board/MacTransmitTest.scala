package mneme.board

import mneme.Simulation
import mneme.board.PcsReference._
import mneme.board.XgmiiSim._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** What a MAC sends, taken apart character by character. */
class MacTransmitTest extends AnyFunSuite {
  private lazy val compiled = Simulation.config.compile(MacTransmit())

  /** A frame to send; `pause`: cycles until it is offered; `damaged`: the core says so. */
  private case class Due(frame: Bytes, pause: Int = 0, damaged: Boolean = false)

  private class Bench(dut: MacTransmit) {
    val line = mutable.ArrayBuffer[Lane]()
    val counted = mutable.Map[String, Int]().withDefaultValue(0)
    for (port <- Seq(dut.io.frames, dut.io.control)) port.valid #= false
    dut.io.paused #= false
    dut.io.localFault #= false
    dut.io.remoteFault #= false
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(8)
    dut.clockDomain.onSamplings {
      line ++= PcsSim.word(dut.io.xgmii)
      val e = dut.io.events
      for ((name, event) <- Seq("sent" -> e.sent, "pause" -> e.pause, "damaged" -> e.damaged, "noLink" -> e.noLink) if event.toBoolean) counted(name) += 1
    }
    def wait(cycles: Int): Unit = dut.clockDomain.waitSampling(cycles)

    /** A word in every cycle once a frame has begun, as the store gives them. */
    def send(due: Seq[Due], port: spinal.lib.Stream[FrameWord] = dut.io.frames): Unit = for (Due(frame, pause, damaged) <- due) {
      if (pause > 0) dut.clockDomain.waitSampling(pause)
      for ((word, i) <- frame.grouped(8).toSeq.zipWithIndex) {
        port.valid #= true
        port.data #= word.padTo(8, 0xee).zipWithIndex.map { case (b, i) => BigInt(b) << (8 * i) }.sum
        port.lastByte #= word.size - 1
        port.last #= (i + 1) * 8 >= frame.size
        port.damaged #= damaged
        dut.clockDomain.waitSamplingWhere(port.ready.toBoolean)
      }
      port.valid #= false
    }
  }

  private def isDue(sent: Sent, due: Due): Boolean = {
    val frame = padded(due.frame)
    sent.bytes.dropRight(4) == frame && (sent.bytes.takeRight(4) == fcs(frame)) == !due.damaged
  }

  test("frames of every length: preamble, padding, check sequence; gaps are 12 bytes on average and never under 9") {
    compiled.doSim("frames", 1) { dut =>
      val r = new Random(1)
      val bench = new Bench(dut)
      val due = ((1 to 200) ++ Seq(1514, 9014, 9600) ++ Seq.fill(400)(1 + r.nextInt(150))).map(n => Due(bytes(r, n)))
      bench.send(due)
      bench.wait(40)
      val sent = frames(bench.line.toSeq)
      assert(sent.size == due.size)
      for ((s, d) <- sent.zip(due)) assert(isDue(s, d), s"a frame of ${d.frame.size} bytes")
      val gaps = sent.zip(sent.tail).map { case (a, b) => b.start - a.end }
      // Bytes that were left out and not made up for yet.
      val deficit = gaps.scanLeft(0)((d, gap) => d + 12 - gap)
      info(f"gaps of ${gaps.min} to ${gaps.max} bytes, ${gaps.sum.toDouble / gaps.size}%.3f on average")
      assert(gaps.min >= 9 && gaps.max <= 15 && deficit.forall(d => d >= 0 && d <= 3))
      assert(bench.counted.toMap == Map("sent" -> due.size))
    }
  }

  test("frames that come now and then, damaged ones among them") {
    compiled.doSim("now_and_then", 2) { dut =>
      val r = new Random(2)
      val bench = new Bench(dut)
      val due = Seq.fill(300)(Due(bytes(r, 1 + r.nextInt(120)), pause = if (r.nextInt(3) == 0) r.nextInt(12) else 0, damaged = r.nextInt(8) == 0))
      bench.send(due)
      bench.wait(40)
      val sent = frames(bench.line.toSeq)
      assert(sent.size == due.size && sent.zip(due).forall { case (s, d) => isDue(s, d) })
      assert(sent.zip(sent.tail).forall { case (a, b) => b.start - a.end >= 9 })
      assert(bench.counted("damaged") == due.count(_.damaged))
    }
  }

  test("a pause stops frames between two of them, and not those of the MAC itself") {
    compiled.doSim("paused", 3) { dut =>
      val r = new Random(3)
      val bench = new Bench(dut)
      dut.io.paused #= true
      fork(bench.send(Seq(Due(bytes(r, 100)))))
      bench.wait(50)
      assert(frames(bench.line.toSeq).isEmpty)
      bench.send(Seq(Due(bytes(r, 18))), dut.io.control)
      bench.wait(50)
      assert(frames(bench.line.toSeq).map(_.bytes.size) == Seq(64) && bench.counted.toMap == Map("pause" -> 1))
      dut.io.paused #= false
      bench.wait(50)
      assert(frames(bench.line.toSeq).map(_.bytes.size) == Seq(64, 104))
    }
  }

  test("while there is a fault nothing is sent: frames are dropped and counted, a local fault is told as a remote one") {
    compiled.doSim("faults", 4) { dut =>
      val r = new Random(4)
      val bench = new Bench(dut)
      bench.send(Seq(Due(bytes(r, 77))))
      bench.wait(30)
      dut.io.localFault #= true
      bench.wait(10)
      bench.line.clear()
      bench.send(Seq.fill(3)(Due(bytes(r, 200))))
      bench.wait(30)
      assert(bench.line.grouped(8).forall(_ == fault(2)), "remote faults alone")
      dut.io.localFault #= false
      dut.io.remoteFault #= true
      bench.wait(10)
      bench.line.clear()
      bench.send(Seq.fill(4)(Due(bytes(r, 200))))
      bench.wait(30)
      assert(bench.line.forall(_ == control(0x07)), "idles alone")
      dut.io.remoteFault #= false
      bench.send(Seq(Due(bytes(r, 77))))
      bench.wait(30)
      assert(frames(bench.line.toSeq).size == 1 && bench.counted.toMap == Map("sent" -> 2, "noLink" -> 7))
    }
  }
}
