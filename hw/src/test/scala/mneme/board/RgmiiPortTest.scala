package mneme.board

import mneme.Simulation
import mneme.board.RgmiiSim.{Cycle, onLine, preamble, raw}
import mneme.board.XgmiiSim.{Bytes, bytes, fcs, padded}
import mneme.wire.Wire.PortCounter._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** The port of 1 Gbit/s, from the nibbles of RGMII to beats of the core and back, with three clocks. */
class RgmiiPortTest extends AnyFunSuite {
  private lazy val compiled = Simulation.config.compile(RgmiiPort())
  private def someFrames(r: Random, count: Int, most: Int = 300): Seq[Bytes] = Seq.fill(count)(bytes(r, 60 + r.nextInt(most - 60)))
  private val lengths = (1 to 140) ++ Seq(255, 256, 257, 511, 512, 513, 1024, 1088, 1499, 1500, 1513, 1514, 1518, 1599, 1600)
  /** Whether one list is the other without some of it. */
  private def isPart(some: Seq[Bytes], all: Seq[Bytes]): Boolean = {
    val rest = all.iterator
    some.forall(one => rest.contains(one))
  }

  // Periods in ps: 8000 is 125 MHz; 100 ppm of it are 0.8. The core may be as slow as 16 MHz, and faster than the line.
  for (
    (name, core, rx, tx) <-
      Seq(("40 MHz", 25000, 8000, 8000), ("40 MHz, lines 100 ppm apart", 25001, 8001, 7999), ("16 MHz", 62000, 7990, 8010), ("200 MHz", 5000, 8100, 7900))
  )
    test(s"frames of every length, in a row, in both directions; the core at $name") {
      compiled.doSim(s"lengths_$core", 1) { dut =>
        val bench = new RgmiiBench(dut, 1, core, rx, tx)
        bench.takes = 90
        bench.offers = 90
        bench.up()
        val frames = lengths.map(bytes(bench.r, _)) ++ someFrames(bench.r, 100)
        bench.line(frames.map(padded))
        bench.toSend ++= frames
        bench.until("all frames")(bench.received.size == frames.size && bench.toSend.isEmpty && bench.toPort.isEmpty)
        bench.cycles(3000)
        assert(bench.received.toSeq == frames.map(padded), "received")
        assert(bench.sent() == frames.map(padded), "sent")
        assert(bench.counted() == Map(RX_FRAMES -> frames.size, TX_FRAMES -> frames.size))
      }
    }

  test("line rate in both directions: no gap but those of 12 bytes") {
    compiled.doSim("rate", 2) { dut =>
      val bench = new RgmiiBench(dut, 2)
      bench.up()
      val frames = Seq.fill(60)(bytes(bench.r, 1088)) ++ Seq.fill(60)(bytes(bench.r, 60))
      bench.line(frames)
      bench.toSend ++= frames
      bench.until("all frames")(bench.received.size == frames.size && bench.toSend.isEmpty)
      bench.cycles(3000)
      val sent = RgmiiSim.frames(bench.fromPort.toSeq)
      assert(bench.received.toSeq == frames && bench.sent() == frames)
      val gaps = sent.drop(1).map(_.gap)
      info(s"gaps of ${gaps.min} to ${gaps.max} bytes")
      assert(gaps.min == 12 && gaps.count(_ > 12) <= 2)
    }
  }

  test("every kind of damage is dropped by its name, and the frames around it come") {
    compiled.doSim("names", 3) { dut =>
      val bench = new RgmiiBench(dut, 3)
      val r = bench.r
      bench.up()
      val whole = onLine(bytes(r, 100))
      def errorAt(i: Int) = whole.updated(i, whole(i).copy(error = true))
      val kinds = Seq[(Int, Seq[Cycle])](
        RX_BAD_FCS -> whole.updated(50, whole(50).copy(byte = whole(50).byte ^ 4)),
        RX_BAD_FCS -> whole.updated(111, whole(111).copy(byte = whole(111).byte ^ 0x80)),
        RX_BAD_FCS -> whole.dropRight(1),
        RX_BAD_CODE -> errorAt(8),
        RX_BAD_CODE -> errorAt(60),
        RX_BAD_CODE -> errorAt(111),
        RX_BAD_START -> errorAt(3),
        RX_BAD_START -> raw(Seq(0x55, 0x55, 0x54) ++ bytes(r, 80)),
        RX_BAD_START -> raw(Seq.fill(30)(0x55)),
        RX_TOO_SHORT -> onLine(bytes(r, 59)),
        RX_TOO_SHORT -> onLine(Nil),
        RX_TOO_SHORT -> raw(preamble :+ 1),
        RX_TOO_SHORT -> raw(preamble),
        RX_TOO_LONG -> onLine(bytes(r, 1601)),
        RX_TOO_LONG -> onLine(bytes(r, 20000)),
        RX_CONTROL -> onLine(padded(Seq(1, 0x80, 0xc2, 0, 0, 1) ++ bytes(r, 6) ++ Seq(0x88, 8, 0, 1, 0xff, 0xff)))
      )
      val good = someFrames(r, kinds.size + 1)
      // Preambles of any length, and none but the delimiter.
      for ((frame, (_, bad)) <- good.zip(kinds)) {
        bench.put(raw(preamble.drop(r.nextInt(8)) ++ frame ++ fcs(frame)), 1 + r.nextInt(12)); bench.put(bad, 1 + r.nextInt(12))
      }
      bench.line(Seq(good.last))
      bench.until("the last frame")(bench.toPort.isEmpty)
      bench.cycles(300)
      assert(bench.received.toSeq == good)
      val expected = kinds.groupBy(_._1).map { case (name, all) => name -> all.size } + (RX_FRAMES -> good.size)
      assert(bench.counted() == expected)
      // A carrier that is no frame: an error outside of one.
      bench.put(Seq.fill(40)(Cycle(0x0e, valid = false, error = true)))
      bench.line(good.take(2))
      bench.until("the end")(bench.toPort.isEmpty)
      assert(bench.counted() == expected + (RX_FRAMES -> (good.size + 2)))
    }
  }

  test("two frames with a single cycle between them and no preamble are two frames") {
    compiled.doSim("close", 4) { dut =>
      val bench = new RgmiiBench(dut, 4)
      bench.up()
      val frames = someFrames(bench.r, 200, 90)
      for (frame <- frames) bench.put(raw((0xd5 +: frame) ++ fcs(frame)), 1)
      bench.until("all frames")(bench.received.size == frames.size)
      assert(bench.received.toSeq == frames && bench.counted() == Map(RX_FRAMES -> frames.size))
    }
  }

  test("damaged bytes never make a frame, and every frame is counted once") {
    compiled.doSim("damage", 5) { dut =>
      val bench = new RgmiiBench(dut, 5, rx = 7999)
      bench.up()
      val frames = someFrames(bench.r, 800)
      bench.damagePerMillion = 800
      bench.line(frames)
      bench.until("the line's end")(bench.toPort.isEmpty)
      val counted = bench.counted()
      info(s"${bench.received.size} of ${frames.size} frames")
      assert(bench.received.size < frames.size - 20 && bench.received.size > frames.size / 2 && isPart(bench.received.toSeq, frames))
      assert(counted(RX_FRAMES) == bench.received.size && counted(RX_BAD_FCS) > 10 && counted(RX_BAD_CODE) > 0)
      assert(Seq(RX_FRAMES, RX_BAD_FCS, RX_BAD_CODE, RX_BAD_START, RX_TOO_SHORT).map(counted.getOrElse(_, 0)).sum == frames.size)
    }
  }

  test("a store that is full drops whole frames and counts them") {
    compiled.doSim("full", 6) { dut =>
      val bench = new RgmiiBench(dut, 6)
      bench.up()
      bench.takes = 0
      val frames = someFrames(bench.r, 200)
      bench.line(frames)
      bench.until("the line's end")(bench.toPort.isEmpty)
      bench.takes = 100
      bench.cycles(2000)
      val counted = bench.counted()
      assert(isPart(bench.received.toSeq, frames) && counted(RX_OVERFLOW) > 20 && counted(RX_FRAMES) == frames.size)
      assert(bench.received.size + counted(RX_OVERFLOW) == frames.size)
      val more = someFrames(bench.r, 30)
      bench.line(more)
      bench.until("more frames")(bench.received.takeRight(30) == more)
    }
  }

  test("a core's clock that stands still: frames are whole or dropped and counted, what was being sent leaves as damaged") {
    compiled.doSim("still", 7) { dut =>
      // At a tenth of the clock that it must have, words are late both ways.
      val bench = new RgmiiBench(dut, 7, core = 640000)
      bench.up()
      val frames = Seq.fill(12)(bytes(bench.r, 1400))
      bench.line(frames)
      bench.toSend ++= frames
      bench.until("all frames")(bench.toPort.isEmpty && bench.toSend.isEmpty)
      bench.cycles(3000)
      val counted = bench.counted()
      assert(isPart(bench.received.toSeq, frames) && counted(RX_FRAMES) == frames.size && counted(RX_OVERFLOW) == frames.size - bench.received.size)
      assert(counted(RX_OVERFLOW) > 0 && counted(TX_FRAMES) == frames.size && counted(TX_DAMAGED) > 0)
      val sent = RgmiiSim.frames(bench.fromPort.toSeq)
      val (wrong, right) = sent.partition(_.error)
      assert(wrong.size == counted(TX_DAMAGED) && wrong.forall(s => fcs(s.bytes.dropRight(4)) != s.bytes.takeRight(4)))
      assert(right.forall(s => frames.contains(s.bytes.dropRight(4))))
    }
  }

  test("frames that the core says are damaged leave with a wrong check sequence; those that are too long not at all") {
    compiled.doSim("core", 8) { dut =>
      val bench = new RgmiiBench(dut, 8)
      bench.up()
      bench.damaged = true
      bench.toSend ++= someFrames(bench.r, 5) :+ bytes(bench.r, 20)
      bench.until("frames")(bench.count(TX_DAMAGED) == 6)
      bench.cycles(100)
      val wrong = RgmiiSim.frames(bench.fromPort.toSeq)
      assert(wrong.size == 6 && wrong.forall(s => s.bytes.takeRight(4) != fcs(s.bytes.dropRight(4))))
      bench.damaged = false
      bench.fromPort.clear()
      val good = someFrames(bench.r, 2)
      bench.toSend ++= Seq(good.head, bytes(bench.r, 1601), bytes(bench.r, 4000), good.last)
      bench.until("frames dropped")(bench.count(TX_TOO_LONG) == 2)
      bench.cycles(1000)
      assert(bench.sent() == good)
    }
  }

  test("resets of the core at any time: what comes out is whole, and both directions go on") {
    compiled.doSim("resets", 9) { dut =>
      val bench = new RgmiiBench(dut, 9, 25000, 8007, 7991)
      bench.up()
      for (round <- 0 until 30) {
        val frames = someFrames(bench.r, 12)
        bench.toPort.clear()
        bench.line(frames)
        bench.toSend ++= someFrames(bench.r, 12)
        bench.cycles(bench.r.nextInt(600))
        bench.received.clear()
        bench.clock.assertReset()
        bench.toSend.clear()
        bench.forget()
        sleep(25000 * (1 + bench.r.nextInt(2)) + 1000)
        bench.clock.deassertReset()
        bench.until("the line's end")(bench.toPort.isEmpty)
        assert(isPart(bench.received.toSeq, frames), s"round $round")
        bench.cycles(200)
        bench.up()
        bench.received.clear()
        val after = someFrames(bench.r, 5)
        bench.line(after)
        bench.toSend ++= after
        bench.until("frames again")(bench.received.toSeq == after)
        bench.cycles(600)
        assert(bench.sent() == after, s"round $round")
      }
    }
  }
}
