package mneme

import mneme.net.FrameSpec
import mneme.trailer.TrailerReference
import mneme.trailer.TrailerReference.Bytes
import mneme.wire.Wire
import mneme.wire.Wire.{Opcode, Register, ReplaceStatus, Status, Trailer}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** The whole core with trailers: each kind, right and wrong, every TAG_MODE, what its answers are sealed with, and what it costs. */
class TrailerBoardTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(name = "sealed", filterSetsLog2 = 6, filterWays = 4, packetSlots = 32, trailers = true)
  private lazy val compiled = Simulation.config.compile(CBoard(config))

  import BoardBench.{readWrite, word}
  private val boardKeys: Seq[Bytes] = Seq(Seq.tabulate(16)(identity), Seq.tabulate(16)(255 - _))

  private class Bench(dut: CBoard, seed: Int) extends BoardBench(dut, config, seed, BoardBench.steady) {
    /** The upper bits of times now. */
    var upper = BigInt(0)
    def keys(phases: Int): Unit = {
      for ((key, phase) <- boardKeys.zipWithIndex; (word, i) <- key.grouped(4).toSeq.zipWithIndex)
        write(Register.TAG_KEY_0 + 16 * phase + 4 * i, TrailerReference.number(word))
      write(Register.TAG_PHASES, phases)
    }
    def bytesOf(kind: Int): Int = if (kind == Trailer.TAG) 8 else if (kind == Trailer.CRC32C) 4 else 0
    def trailer(frame: Bytes, kind: Int, phase: Int, pid: Int): Bytes = kind match {
      case Trailer.TAG => TrailerReference.tagTrailer(frame, TrailerReference.processKey(boardKeys(phase), pid), upper)
      case Trailer.CRC32C => TrailerReference.crcTrailer(frame)
      case _ => Nil
    }
    private var id = 100
    /** A request with its trailer, of which a bit may be flipped. */
    def give(
        kind: Int,
        opcode: Int,
        va: BigInt,
        length: Int,
        payload: Seq[Int] = Nil,
        phase: Int = 0,
        pid: Int = 7,
        timed: Boolean = false,
        flip: Int = -1
    ): Unit = {
      id += 1
      val flags = 0x10 | (kind << 2) | (phase << 1) | (if (timed) Wire.TIMED_BIT else 0)
      val spec = request(opcode, va, length, payload, pid, id).copy(flags = flags)
      val end = trailer(spec.bytes.toSeq, kind, phase, pid)
      val spoiled = end.zipWithIndex.map { case (byte, i) => if (flip / 8 == i && flip >= 0) byte ^ (1 << flip % 8) else byte }
      sendFrame(spec.copy(payload = payload ++ spoiled).bytes)
    }
    /** Its answer, whose trailer is right and of this kind. */
    def sealedAnswer(kind: Int, phase: Int = 0, pid: Int = 7): Reply = {
      val reply = answer()
      val frame = frames.dequeue()
      val bytes = bytesOf(kind)
      assert(reply.kind == kind, s"kind of the answer of status ${reply.status}")
      assert(frame.takeRight(bytes) == trailer(frame.dropRight(bytes), kind, phase, pid), s"trailer of the answer of status ${reply.status}")
      reply.copy(payload = reply.payload.dropRight(bytes))
    }
    def askSealed(kind: Int, opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, phase: Int = 0, pid: Int = 7, timed: Boolean = false): Reply = {
      give(kind, opcode, va, length, payload, phase, pid, timed)
      sealedAnswer(kind, phase, pid)
    }
    def refused(kind: Int, flip: Int = -1, phase: Int = 0, pid: Int = 7): Int = {
      give(kind, Opcode.READ, 0, 8, phase = phase, pid = pid, flip = flip)
      sealedAnswer(Trailer.NONE).status
    }
    def ready(): Unit = {
      boot()
      keys(1)
      assert(replace(7, 0, readWrite) == ReplaceStatus.DONE)
    }
  }
  private val kinds = Seq(Trailer.NONE, Trailer.CRC32C, Trailer.TAG)

  test("requests of every kind are served, and their answers sealed") {
    compiled.doSim("kinds", 1) { dut =>
      val b = new Bench(dut, 1)
      b.ready()
      for (round <- 0 until 3; kind <- kinds) {
        for (length <- Seq(1, 44, 56, 60, 64, 1000)) {
          val data = FrameSpec.payload(b.random, length)
          assert(b.askSealed(kind, Opcode.WRITE, 100, length, data).status == Status.OK)
          assert(b.askSealed(kind, Opcode.READ, 100, length).payload == data)
        }
        val most = config.maxPayload - b.bytesOf(kind)
        assert(b.askSealed(kind, Opcode.READ, 0, most).payload.size == most)
        assert(b.askSealed(kind, Opcode.READ, 0, most + 1).status == Status.BADREQUEST)
        assert(b.askSealed(kind, Opcode.FETCH_ADD, 8, 8, word(3)).payload.size == 8)
        assert(b.askSealed(kind, Opcode.FENCE, 0, 0).status == Status.OK)
        assert(b.askSealed(kind, Opcode.READ, BigInt(1) << config.pageBits, 8).status == Status.UNMAPPED)
        // The tick wraps: other upper bits.
        if (round < 2 && kind == Trailer.TAG) {
          for (_ <- 0 until 4) b.write(Register.TICK_SKIP, 0x3fffff)
          b.write(Register.TICK_SKIP, 4)
          b.stamp()
          b.upper = round + 1
          assert(b.read(Register.TICK_HIGH) == b.upper && b.read(Register.TICK_TOP) == 0)
        }
      }
    }
  }

  test("what is wrong, not believed or not keyed is refused without a trailer; each TAG_MODE asks whom it names") {
    compiled.doSim("refused", 2) { dut =>
      val b = new Bench(dut, 2)
      b.ready()
      for (bit <- Seq(0, 31, 32, 63)) assert(b.refused(Trailer.TAG, flip = bit) == Status.UNAUTHENTICATED)
      for (bit <- Seq(0, 31)) assert(b.refused(Trailer.CRC32C, flip = bit) == Status.NACK)
      assert(b.refused(Trailer.TAG, phase = 1) == Status.UNAUTHENTICATED, "no key")
      assert(b.refused(Trailer.TAG, pid = 0) == Status.UNAUTHENTICATED)
      assert(b.refused(1) == Status.UNSUPPORTED)
      b.keys(3)
      assert(b.askSealed(Trailer.TAG, Opcode.READ, 0, 8, phase = 1).status == Status.OK)
      for (mode <- 0 to 3) {
        b.write(Register.TAG_MODE, mode)
        val all = mode >= 2
        assert(b.refused(Trailer.TAG, flip = 5) == Status.UNAUTHENTICATED)
        assert(b.askSealed(Trailer.TAG, Opcode.READ, 0, 8).status == Status.OK)
        for (kind <- Seq(Trailer.NONE, Trailer.CRC32C)) {
          if (all) assert(b.refused(kind) == Status.UNAUTHENTICATED)
          else assert(b.askSealed(kind, Opcode.READ, 0, 8).status == Status.OK)
        }
        // The slow path's: the bench answers what comes through, as it came.
        def ping(pid: Int): Int = {
          b.give(Trailer.NONE, Opcode.PING, 0, 0, pid = pid)
          b.frames.clear()
          val status = b.answer().status
          b.frames.clear()
          status
        }
        assert(ping(0) == Status.OK && ping(7) == (if (mode >= 1) Status.UNAUTHENTICATED else Status.OK))
      }
    }
  }

  test("a timed answer with a trailer tells the cycles between the ports; a tag costs 40 cycles at most, and a key not at hand 12 more") {
    compiled.doSim("cycles", 3) { dut =>
      val b = new Bench(dut, 3)
      b.ready()
      b.lineRate()
      b.take(1)
      for (
        (name, opcode, va, length, payload) <- Seq(
          ("READ of 16 bytes", Opcode.READ, 0, 16, Nil),
          ("READ of 1 KB", Opcode.READ, 100, 1024, Nil),
          ("WRITE of 16 bytes", Opcode.WRITE, 0, 16, Seq.fill(16)(1)),
          ("FETCH_ADD", Opcode.FETCH_ADD, 8, 8, word(3)),
          ("FENCE", Opcode.FENCE, 0, 0, Nil)
        )
      ) {
        // Those behind the first one find page and key; memory is not equally fast each time.
        def cycles(kind: Int, cold: Boolean = false): Long = Seq
          .fill(24) {
            // A key register that is written empties the cache of processes' keys.
            if (cold) b.keys(1)
            b.domain.waitSampling(100 + b.random.nextInt(40))
            val reply = b.askSealed(kind, opcode, va, length, payload, timed = true)
            assert(reply.status == Status.OK && reply.timed)
            assert(reply.time == b.between, s"$name, kind $kind: told, and between the ports")
            b.between
          }
          .min
        val Seq(none, crc, tag) = kinds.map(cycles(_))
        val cold = cycles(Trailer.TAG, cold = true)
        info(s"$name: $none cycles, with a CRC $crc, with a tag $tag, of a key not at hand $cold")
        // On a board without trailers a request takes two cycles less.
        assert(tag - none <= 38, name)
        assert(cycles(Trailer.NONE, cold = true) == none, s"$name: keys are nothing to a request without a trailer")
        // One SipHash of 128 bits, on the way of every request whose key is not there.
        // Where an atomic's memory is in its turn may take a cycle off.
        assert(Seq(0L, 1L).contains(TrailerBoardTest.DERIVATION - (cold - tag)), name)
      }
      // Who forges a tag can tell by his own times whether the pid's key was there.
      def refusal(cold: Boolean): Long = Seq
        .fill(24) {
          if (cold) b.keys(1)
          b.domain.waitSampling(100 + b.random.nextInt(40))
          assert(b.refused(Trailer.TAG, flip = 5) == Status.UNAUTHENTICATED)
          b.between
        }
        .min
      val Seq(known, unknown) = Seq(false, true).map(refusal)
      info(s"a forged tag: refused in $known cycles, of a key not at hand in $unknown")
      assert(unknown - known == TrailerBoardTest.DERIVATION)
    }
  }

  test("small requests with tags: 60 M/s at 250 MHz; 1 KB: no more than the trailer's beat") {
    compiled.doSim("rate", 4) { dut =>
      val b = new Bench(dut, 4)
      b.ready()
      b.lineRate()
      b.take(1)
      def cyclesOf(count: Int)(give: => Unit): Double = {
        b.answers.clear()
        var asked, counted = 0
        var begun = 0L
        while (b.answers.size < count) {
          // As many as there are packet slots, less those on their way back.
          while (asked < count && asked - b.answers.size < config.packetSlots - 4) { give; asked += 1 }
          b.domain.waitSampling()
          if (counted == 0 && b.answers.size >= count / 4) { counted = b.answers.size; begun = b.lastOut }
        }
        (b.lastOut - begun).toDouble / (count - counted)
      }
      // Answered by dispatch, so that memory is no limit.
      val small = cyclesOf(400)(b.give(Trailer.TAG, Opcode.READ, 0, 0))
      info(f"small requests with a tag: $small%.2f cycles each, ${250 / small}%.1f M/s at 250 MHz")
      assert(small <= 250.0 / 60)
      // The bench's memory is slower than a line: what counts is that a trailer costs no more than its beat.
      val Seq(plain, tagged) = Seq(Trailer.NONE, Trailer.TAG).map(kind => cyclesOf(100)(b.give(kind, Opcode.READ, 0, 1024)))
      info(f"READs of 1 KB: $plain%.2f cycles each, with a tag $tagged%.2f; an answer has 17 beats, with a tag 18")
      assert(tagged <= 1.05 * (plain max 18))
      val data = FrameSpec.payload(b.random, 1024)
      val Seq(written, sealedWrites) = Seq(Trailer.NONE, Trailer.TAG).map(kind => cyclesOf(60)(b.give(kind, Opcode.WRITE, 0, 1024, data)))
      info(f"WRITEs of 1 KB: $written%.2f cycles each, with a tag $sealedWrites%.2f; a request has 17 beats, with a tag 18")
      assert(sealedWrites <= 1.05 * (written max 18))
      // Sealed and verified whole, then refused by dispatch for their length: the port is the limit.
      val Seq(come, sealedCome) = Seq(Trailer.NONE, Trailer.TAG).map(kind => cyclesOf(100)(b.give(kind, Opcode.WRITE, 0, 1000, data)))
      info(f"the same, refused for their length: $come%.2f cycles each, with a tag $sealedCome%.2f")
      assert(sealedCome <= 18 / 0.95)
    }
  }
}

object TrailerBoardTest {
  /** A process's key from the board's: ten rounds, and the cycles before and behind them, less the one that a key at hand takes. */
  val DERIVATION = 12
}
