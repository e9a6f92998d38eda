package mneme.board

import mneme.Simulation
import mneme.board.PcsReference._
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** The PCS against the bit-serial reference. */
class PcsTest extends AnyFunSuite {
  private lazy val transmit = Simulation.config.compile(PcsTransmit())
  private lazy val receive = Simulation.config.compile(PcsReceive(window = 640))

  test("every word, of a frame or not, is sent as clause 49 has it") {
    transmit.doSim("transmit", 1) { dut =>
      val r = new Random(1)
      val (encoder, line) = (new Encoder, new Shift)
      val expected = mutable.Queue[Seq[Boolean]]()
      val kinds = mutable.Map[Char, Int]().withDefaultValue(0)
      PcsSim.put(dut.io.xgmii, PcsReference.idle)
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(8)
      // What the shift registers hold is found as any receiver finds it.
      for (_ <- 0 until 3) { line.descramble(PcsSim.bits(dut.io.block)); dut.clockDomain.waitSampling() }
      encoder(PcsReference.idle)
      for (i <- 0 until 20000) {
        val word = PcsSim.someWord(r)
        PcsSim.put(dut.io.xgmii, word)
        kinds(encode(word)._1) += 1
        expected.enqueue(encoder(word))
        dut.clockDomain.waitSampling()
        val said = line.descramble(PcsSim.bits(dut.io.block))
        if (i >= 2) { val due = expected.dequeue(); assert(said == due, s"word $i") }
      }
      info(s"words by kind: ${kinds.toSeq.sorted.mkString(" ")}")
      assert("CSTDE".forall(kinds(_) > 500))
    }
  }

  private def isUp(dut: PcsReceive): Boolean = dut.io.lock.toBoolean && !dut.io.highErrorRate.toBoolean

  /** Blocks on their way to a receiver; each pushed one comes out of the decoder later. */
  private class Line(dut: PcsReceive, r: Random) {
    private val shift = new Shift
    val received = mutable.ArrayBuffer[Word]()
    dut.io.blocks.valid #= false
    dut.io.signalOk #= true
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.onSamplings(if (dut.io.xgmii.valid.toBoolean) received += PcsSim.word(dut.io.xgmii.payload))
    def send(block: Seq[Boolean], gaps: Boolean = false, damage: Set[Int] = Set.empty): Unit = {
      while (gaps && r.nextInt(33) == 0) {
        dut.io.blocks.valid #= false
        dut.clockDomain.waitSampling()
      }
      dut.io.blocks.valid #= true
      PcsSim.put(dut.io.blocks.payload, shift.scramble(block).zipWithIndex.map { case (bit, i) => bit ^ damage(i) })
      dut.clockDomain.waitSampling()
    }
    def idles(count: Int, damage: Set[Int] = Set.empty): Unit = for (_ <- 0 until count) send(encode(PcsReference.idle)._2, damage = damage)
    def lock(): Unit = { idles(70); assert(isUp(dut)) }
  }

  /** A block of any kind, coded right or not. */
  private def someBlock(r: Random): Seq[Boolean] = r.nextInt(8) match {
    case 0 => Seq.fill(66)(r.nextBoolean()).updated(0, true).updated(1, false)
    case 1 =>
      // A right type, and anything behind it.
      val kind = types(r.nextInt(types.size))
      Seq(true, false) ++ (0 until 8).map(i => ((kind >> i) & 1) == 1) ++ Seq.fill(56)(r.nextBoolean())
    case _ =>
      val block = encode(PcsSim.someWord(r))._2
      if (block.isEmpty) Seq(true, false) ++ Seq.fill(64)(r.nextInt(8) == 0)
      else if (r.nextInt(20) == 0) block.updated(10 + r.nextInt(56), r.nextBoolean()) else block
  }

  for (gaps <- Seq(false, true)) test(s"every block is received as clause 49 has it, ${if (gaps) "with pauses of the gearbox" else "one in each cycle"}") {
    receive.doSim(s"receive$gaps", 2) { dut =>
      val r = new Random(2)
      val line = new Line(dut, r)
      line.lock()
      // Its own state is as the reference's after idles.
      val blocks = Seq.fill(5)(encode(PcsReference.idle)._2) ++ Seq.fill(20000)(someBlock(r)) ++ Seq.fill(5)(encode(PcsReference.idle)._2)
      val before = line.received.size
      blocks.foreach(line.send(_, gaps))
      line.idles(6)
      val decoder = new Decoder
      val due = blocks.zip(blocks.tail).map { case (block, next) => decoder(block, next) }
      val got = line.received.drop(before).toSeq
      val wrong = due.count(_ == errors)
      val start = (0 to 8).find(i => got.slice(i, i + due.size) == due)
      assert(start.isDefined, s"of ${due.size} blocks ${got.size} words, the first other one at ${got.drop(4).zip(due).indexWhere { case (a, b) => a != b }}")
      info(s"${due.size} blocks, $wrong of them errors")
      assert(wrong > 1000 && due.size - wrong > 5000)
    }
  }

  test("a receiver out of step by any number of bits slips until it has lock") {
    receive.doSim("slip", 3) { dut =>
      val r = new Random(3)
      dut.io.blocks.valid #= false
      dut.io.signalOk #= true
      dut.clockDomain.forkStimulus(10)
      val (line, encoder) = (new Shift, new Encoder)
      val stream = mutable.Queue[Boolean]()
      val told = mutable.ArrayBuffer[Int]()
      for (offset <- Seq(0, 1, 2, 33, 65)) {
        stream.clear()
        dut.io.signalOk #= false
        dut.clockDomain.waitSampling(2)
        dut.io.signalOk #= true
        var skip = offset
        var (slips, cycles) = (0, 0)
        while (!dut.io.lock.toBoolean || cycles < 100) {
          while (stream.size < 66 + skip) stream ++= line.scramble(encoder(if (r.nextInt(4) == 0) fault(1) else PcsReference.idle))
          for (_ <- 0 until skip) stream.dequeue()
          skip = 0
          dut.io.blocks.valid #= true
          PcsSim.put(dut.io.blocks.payload, Seq.fill(66)(stream.dequeue()))
          dut.clockDomain.waitSampling()
          cycles += 1
          if (dut.io.slip.toBoolean) { slips += 1; skip = 1 }
          assert(cycles < 30000, s"no lock from $offset bits off")
        }
        told += cycles
        assert((offset + slips) % 66 == 0, s"lock after $slips slips from $offset bits off")
      }
      info(s"blocks to lock: ${told.mkString(", ")}")
    }
  }

  test("lock is lost by 16 wrong headers of 64, by the signal, and not by 15; faults are told meanwhile") {
    receive.doSim("loss", 4) { dut =>
      val line = new Line(dut, new Random(4))
      line.lock()
      // Where the 64 begin is not known from outside: 15 in any 128 do not end it.
      for (_ <- 0 until 15) { line.idles(1, damage = Set(0)); line.idles(3) }
      assert(dut.io.lock.toBoolean)
      line.idles(700)
      for (_ <- 0 until 32) line.idles(1, damage = Set(1))
      assert(!dut.io.lock.toBoolean)
      line.received.clear()
      dut.io.blocks.valid #= false
      dut.clockDomain.waitSampling(10)
      assert(line.received.size == 10 && line.received.forall(_ == fault(1)), "a local fault in each cycle, even without blocks")
      line.idles(140)
      assert(isUp(dut))
      dut.io.signalOk #= false
      dut.clockDomain.waitSampling(2)
      assert(!dut.io.lock.toBoolean)
    }
  }

  test("a high error rate is told within a window and ends with one that is clean") {
    receive.doSim("rate", 5) { dut =>
      val line = new Line(dut, new Random(5))
      line.lock()
      line.idles(640)
      // One in twenty: never 16 of 64, but more than 16 of 640.
      for (_ <- 0 until 40) { line.idles(1, damage = Set(0)); line.idles(19) }
      assert(dut.io.highErrorRate.toBoolean && dut.io.lock.toBoolean)
      assert(line.received.takeRight(5).forall(_ == fault(1)))
      line.idles(1300)
      assert(isUp(dut))
      // 15 in a window are none.
      for (_ <- 0 until 14) { line.idles(1, damage = Set(1)); line.idles(45) }
      assert(!dut.io.highErrorRate.toBoolean)
    }
  }
}
