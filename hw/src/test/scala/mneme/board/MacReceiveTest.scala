package mneme.board

import mneme.Simulation
import mneme.board.PcsReference._
import mneme.board.XgmiiSim._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Frames of every length from both lanes, whole and damaged: the whole ones come out, each other one is counted by its reason. */
class MacReceiveTest extends AnyFunSuite {
  private val maxFrame = 1518
  private lazy val compiled = Simulation.config.compile(MacReceive(maxFrame))
  private val own = Seq(0x02, 0x11, 0x22, 0x33, 0x44, 0x55)

  private class Bench(dut: MacReceive) {
    val good = mutable.ArrayBuffer[Bytes]()
    val counted = mutable.Map[String, Int]().withDefaultValue(0)
    val pauses = mutable.ArrayBuffer[Int]()
    private val now = mutable.ArrayBuffer[Int]()
    dut.io.xgmii.valid #= false
    dut.io.address #= own.foldLeft(BigInt(0))((n, b) => n << 8 | b)
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.onSamplings {
      val e = dut.io.events
      val events = Seq("good" -> e.good, "badStart" -> e.badStart, "badCode" -> e.badCode, "tooLong" -> e.tooLong) ++
        Seq("tooShort" -> e.tooShort, "badFcs" -> e.badFcs, "pause" -> e.pause, "control" -> e.control)
      for ((name, event) <- events if event.toBoolean) counted(name) += 1
      if (dut.io.pause.valid.toBoolean) pauses += dut.io.pause.payload.toInt
      if (dut.io.words.valid.toBoolean) {
        if (dut.io.words.first.toBoolean) now.clear()
        val value = dut.io.words.word.data.toBigInt
        now ++= (0 to dut.io.words.word.lastByte.toInt).map(i => ((value >> (8 * i)) & 0xff).toInt)
        if (dut.io.words.word.last.toBoolean) {
          if (!dut.io.words.word.damaged.toBoolean) good += now.toSeq
          now.clear()
        }
      }
    }
    def send(words: Seq[Word], r: Random, gaps: Boolean): Unit = {
      for (word <- words) {
        while (gaps && r.nextInt(10) == 0) { dut.io.xgmii.valid #= false; dut.clockDomain.waitSampling() }
        dut.io.xgmii.valid #= true
        PcsSim.put(dut.io.xgmii.payload, word)
        dut.clockDomain.waitSampling()
      }
      dut.io.xgmii.valid #= true
      PcsSim.put(dut.io.xgmii.payload, PcsReference.idle)
      dut.clockDomain.waitSampling(12)
    }
  }

  for (gaps <- Seq(false, true)) test(s"good frames of every length, in a row${if (gaps) ", with pauses of the gearbox" else ""}") {
    compiled.doSim(s"good$gaps", 1) { dut =>
      val r = new Random(1)
      val bench = new Bench(dut)
      val frames = ((60 to 200) ++ Seq(1511, 1512, 1513, 1514, 1515, 1516, 1517, 1518) ++ Seq.fill(200)(60 + r.nextInt(100))).map(bytes(r, _))
      val line = new Line
      line.idle(16)
      for (frame <- frames) { line.put(characters(frame)); line.idle(4 + r.nextInt(12)); line.align() }
      bench.send(line.words, r, gaps)
      assert(bench.good.toSeq == frames)
      assert(bench.counted.toMap == Map("good" -> frames.size))
    }
  }

  /** One way to spoil a frame: what it is counted as, and its characters. */
  private def spoilt(r: Random): (String, Word) = {
    val frame = bytes(r, 60 + r.nextInt(200))
    val word = characters(frame)
    r.nextInt(9) match {
      case 0 =>
        val at = 8 + r.nextInt(frame.size + 4)
        ("badFcs", word.updated(at, data(word(at).value ^ (1 << r.nextInt(8)))))
      case 1 => ("tooShort", onLine({ val f = bytes(r, 8 + r.nextInt(52)); f ++ fcs(f) }))
      case 2 => ("tooShort", onLine(bytes(r, r.nextInt(64))))
      case 3 => ("tooLong", characters(bytes(r, maxFrame + 1 + r.nextInt(if (r.nextBoolean()) 8 else 6000))))
      case 4 => ("badCode", word.updated(8 + r.nextInt(frame.size + 4), control(0xfe)))
      // Without an end: idles follow, or a fault.
      case 5 => ("badCode", word.init :+ control(0x07))
      case 6 => ("badStart", word.updated(1 + r.nextInt(7), data(0x54)))
      case 7 => ("control", characters(padded(Seq(0x01, 0x80, 0xc2, 0, 0, 1) ++ bytes(r, 6) ++ Seq(0x88, 0x08, 1, 1) ++ bytes(r, 60))))
      // A pause for somebody else.
      case _ => ("control", characters(padded(own.updated(5, 0x56) ++ bytes(r, 6) ++ Seq(0x88, 0x08, 0, 1) ++ bytes(r, 60))))
    }
  }

  test("damaged frames are dropped whole and counted, and the ones between them come out") {
    compiled.doSim("damaged", 2) { dut =>
      val r = new Random(2)
      val bench = new Bench(dut)
      val line = new Line
      line.idle(16)
      val due = mutable.Map[String, Int]().withDefaultValue(0)
      val good = mutable.ArrayBuffer[Bytes]()
      for (_ <- 0 until 1500) {
        if (r.nextBoolean()) {
          good += bytes(r, 60 + r.nextInt(100))
          due("good") += 1
          line.put(characters(good.last))
        } else {
          val (reason, word) = spoilt(r)
          due(reason) += 1
          line.put(word)
        }
        line.idle(4 + r.nextInt(12))
        line.align()
      }
      bench.send(line.words, r, gaps = true)
      info(due.toSeq.sorted.mkString(" "))
      assert(bench.counted.toMap == due.toMap)
      assert(bench.good == good)
    }
  }

  test("a frame that starts within another ends that one, and is taken itself") {
    compiled.doSim("within", 3) { dut =>
      val r = new Random(3)
      val bench = new Bench(dut)
      val line = new Line
      line.idle(8)
      val frames = Seq.fill(40)(bytes(r, 60 + r.nextInt(30)))
      for (frame <- frames) {
        line.put(characters(bytes(r, 100)).take(4 * (2 + r.nextInt(24))))
        line.put(characters(frame))
        line.idle(5)
        line.align()
      }
      bench.send(line.words, r, gaps = false)
      assert(bench.good == frames)
      assert(bench.counted("good") == 40 && bench.counted("badCode") + bench.counted("badStart") == 40)
    }
  }

  test("pauses for all and for us stop the sender and go no further") {
    compiled.doSim("pause", 4) { dut =>
      val r = new Random(4)
      val bench = new Bench(dut)
      val line = new Line
      line.idle(8)
      val due = for (i <- 0 until 50) yield {
        val quanta = r.nextInt(0x10000)
        val to = if (i % 2 == 0) own else Seq(0x01, 0x80, 0xc2, 0, 0, 1)
        line.put(characters(padded(to ++ bytes(r, 6) ++ Seq(0x88, 0x08, 0, 1, quanta >> 8, quanta & 0xff))))
        line.idle(5)
        line.align()
        quanta
      }
      bench.send(line.words, r, gaps = false)
      assert(bench.pauses == due && bench.good.isEmpty && bench.counted.toMap == Map("pause" -> 50))
    }
  }
}
