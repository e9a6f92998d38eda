package mneme

import mneme.net.FrameSpec
import mneme.wire.Wire.{Counter, Opcode, ReplaceStatus, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** Bad input at line rate, beat after beat: nothing of it executes, each frame is counted, and the board goes on answering. */
class FloodTest extends AnyFunSuite {
  private val config = Boards.queues
  private val page = BigInt(1) << config.pageBits
  private val va = BigInt(5) * page + 64

  /** One good request of each kind, with a UDP checksum. The last bytes of the write would be seen in memory. */
  private def kinds(b: BoardBench): Seq[FrameSpec] = Seq(
    b.request(Opcode.READ, va, 32, Nil, 7, 900),
    b.request(Opcode.WRITE, va, 70, Seq.fill(70)(0xee), 7, 901),
    b.request(Opcode.COMPARE_SWAP, va, 8, BoardBench.word(0) ++ BoardBench.word(1), 7, 902),
    b.request(Opcode.FETCH_ADD, va, 8, BoardBench.word(1), 7, 903),
    b.request(Opcode.SWAP, va, 8, BoardBench.word(1), 7, 904),
    b.request(Opcode.FENCE, 0, 0, Nil, 7, 905),
    b.request(Opcode.PING, 0, 0, Nil, 7, 906)
  )

  private type Flood = Seq[(Array[Int], Boolean)]

  /** Every byte of every kind, one bit wrong; with the MAC's word that it is so, and without where a checksum of the frame covers the byte. */
  private def damaged(b: BoardBench, r: Random): Flood = for {
    frame <- kinds(b).map(_.bytes)
    at <- frame.indices
    told <- if (at >= 6 && at < 12) Seq(true) else Seq(true, false)
    wrong = frame.updated(at, frame(at) ^ (1 << r.nextInt(8)))
    // A checksum of zero is none, and what it would cover is right.
    if told || wrong.slice(40, 42).exists(_ != 0)
  } yield (wrong, told)

  /** Every kind cut after every byte, and with bytes too many. */
  private def misfits(b: BoardBench): Flood = for {
    frame <- kinds(b).map(_.bytes)
    length <- (1 until frame.length) ++ (frame.length + 1 to frame.length + 64)
  } yield (frame.take(length).padTo(length, 0x5a), false)

  private def runtsAndGiants(b: BoardBench, r: Random): Flood = Seq.fill(300) {
    val length = if (r.nextBoolean()) 1 + r.nextInt(13) else config.maxFrame + 1 + r.nextInt(4000)
    (b.request(Opcode.WRITE, va, 8, Seq.fill(8)(0xee), 7, 910).bytes.take(length).padTo(length, 0), r.nextInt(4) == 0)
  }

  /** Of other protocols, ports, boards, opcodes; and noise. */
  private def unknown(b: BoardBench, r: Random): Flood = Seq.fill(1500) {
    val good = kinds(b)(r.nextInt(kinds(b).size))
    val frame = r.nextInt(8) match {
      case 0 => good.copy(dstMac = BigInt("020000000000", 16) + r.nextInt(1000)).bytes
      case 1 => good.copy(etherType = Seq(0x86dd, 0x8100, 0x88cc)(r.nextInt(3))).bytes
      case 2 => good.copy(protocol = Seq(6, 17 ^ 0x80, 47)(r.nextInt(3))).bytes
      case 3 => good.copy(dstPort = 1 + r.nextInt(19000)).bytes
      case 4 => good.copy(dstIp = good.dstIp + 1 + r.nextInt(1000)).bytes
      case 5 => good.copy(opcode = 0x40 + r.nextInt(64)).bytes
      case 6 => good.copy(opcode = 0x80 | good.opcode).bytes
      case _ => Array.fill(64)(r.nextInt(256))
    }
    (frame, false)
  }

  private def drops(b: BoardBench): Map[Int, Int] = (Counter.DROP_FCS to Counter.DROP_SLOW_FULL).map(i => i -> b.counter(i)).toMap

  /** Sends a flood with a good read or ping after every 16 frames, and counts what became of everything. */
  private def survive(name: String, reasons: Seq[Int])(flood: (BoardBench, Random) => Flood): Unit = test(name) {
    Boards(config).doSim(name.filter(_.isLetter), 3) { dut =>
      val b = new BoardBench(dut, config, 3)
      b.boot()
      assert(b.replace(7, 5, BoardBench.readWrite) == ReplaceStatus.DONE)
      val data = FrameSpec.payload(b.random, 32)
      assert(b.ask(Opcode.WRITE, va, 32, data).status == Status.OK)
      b.lineRate()
      val before = drops(b)
      val frames = flood(b, b.random)
      var good = 0
      for ((group, i) <- frames.grouped(16).zipWithIndex) {
        for ((bytes, damaged) <- group) b.sendFrame(bytes, damaged)
        b.send(if (i % 2 == 0) Opcode.PING else Opcode.READ, if (i % 2 == 0) 0 else va, if (i % 2 == 0) 0 else 32)
        good += 1
      }
      dut.clockDomain.waitSamplingWhere(!b.sending)
      assert(b.answers.size > good / 2, "answers must come while the flood goes on")
      dut.clockDomain.waitSampling(2000)
      assert(b.answers.size == good && b.answers.forall(a => a.status == Status.OK && (a.length == 0 || a.payload == data)))
      val after = drops(b)
      val dropped = after.map { case (counter, count) => counter -> (count - before(counter)) }
      assert(dropped.values.sum == frames.size, s"each frame under one counter: $dropped")
      for (reason <- reasons) assert(dropped(reason) > 0, Counter.all.find(_._2 == reason).get._1)
      assert(dropped(Counter.DROP_INGRESS_FULL) == 0 && dropped(Counter.DROP_SLOW_FULL) == 0)
      assert(b.counter(Counter.RX_FRAMES) == frames.size + good + 1 && b.counter(Counter.TX_FRAMES) == good + 1)
      assert(b.counter(Counter.FILTER_INSERT) == 1 && b.counter(Counter.PAGE_FAULT) == 1, "something of the flood was executed")
      b.answers.clear()
      assert(b.ask(Opcode.READ, va, 32).payload == data && b.ask(Opcode.PING, 0, 0).status == Status.OK)
      assert(b.ask(Opcode.WRITE, va, 4, Seq(1, 2, 3, 4)).status == Status.OK && b.counter(Counter.WATCHDOG) == 0)
    }
  }

  survive(
    "every kind of request, one bit wrong at every byte",
    Seq(Counter.DROP_FCS, Counter.DROP_FOREIGN_MAC, Counter.DROP_FOREIGN_ETHERTYPE, Counter.DROP_IP_CHECKSUM, Counter.DROP_UDP_LENGTH) ++
      Seq(Counter.DROP_FOREIGN_PORT, Counter.DROP_UDP_CHECKSUM)
  )(damaged)
  survive("every kind of request, of every wrong length", Seq(Counter.DROP_RUNT, Counter.DROP_IP_HEADER, Counter.DROP_IP_LENGTH))((b, _) => misfits(b))
  survive("runts and giants, beat after beat", Seq(Counter.DROP_RUNT, Counter.DROP_GIANT, Counter.DROP_FCS))(runtsAndGiants)
  survive(
    "packets that nobody knows, beat after beat",
    Seq(Counter.DROP_FOREIGN_MAC, Counter.DROP_FOREIGN_ETHERTYPE, Counter.DROP_FOREIGN_PROTOCOL, Counter.DROP_FOREIGN_PORT) ++
      Seq(Counter.DROP_FOREIGN_IP, Counter.DROP_MAT_MISS, Counter.DROP_RESPONSE)
  )(unknown)
}
