package mneme.board

import mneme.Simulation
import mneme.net.FrameBeat
import mneme.wire.Wire.HostKind
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.AxiLite4

import scala.collection.mutable
import scala.util.Random

/** The registers' way through the network: only the host's frames with right tags reach them, each once; all other frames pass. */
class HostPortTest extends AnyFunSuite {
  private val (board, host) = (BigInt("0200c0ffee01", 16), BigInt("020000000009", 16))
  private val key = Seq.tabulate(16)(i => 3 * i + 1)
  private lazy val compiled = Simulation.config.compile(HostPort())
  private lazy val plantable = Simulation.config.compile(HostPort(plantable = true))

  private class Bench(dut: HostPort, seed: Int) {
    val r = new Random(seed)
    val clock: ClockDomain = dut.clockDomain
    val peer = new HostSim(board, host, key)
    private def number(bytes: Seq[Int]) = bytes.zipWithIndex.map { case (b, i) => BigInt(b) << 8 * i }.sum
    /** Frames of whole beats, by their streams. */
    val (fromPort, fromCore) = (mutable.Queue[Seq[Int]](), mutable.Queue[Seq[Int]]())
    val (toCore, toPort) = (mutable.ArrayBuffer[Seq[Int]](), mutable.ArrayBuffer[Seq[Int]]())
    private def give(stream: Stream[FrameBeat], frames: mutable.Queue[Seq[Int]]): Unit = {
      val beats = mutable.Queue[(Seq[Int], Boolean)]()
      stream.valid #= false
      clock.onSamplings {
        if (stream.valid.toBoolean && stream.ready.toBoolean) { beats.dequeue(); stream.valid #= false }
        if (beats.isEmpty && frames.nonEmpty) {
          val parts = frames.dequeue().grouped(64).toSeq
          beats ++= parts.zipWithIndex.map { case (part, i) => (part, i == parts.size - 1) }
        }
        val stays = stream.valid.toBoolean && !stream.ready.toBoolean
        if (beats.nonEmpty && (stays || r.nextInt(4) > 0)) {
          val (part, last) = beats.head
          stream.valid #= true
          stream.data #= number(part)
          stream.keep #= (BigInt(1) << part.size) - 1
          stream.last #= last
          stream.user #= 0
        }
      }
    }
    private def take(stream: Stream[FrameBeat], frames: mutable.ArrayBuffer[Seq[Int]]): Unit = {
      val coming = mutable.ArrayBuffer[Int]()
      stream.ready #= false
      clock.onSamplings {
        if (stream.valid.toBoolean && stream.ready.toBoolean) {
          val data = stream.data.toBigInt
          coming ++= (0 until stream.keep.toBigInt.bitCount).map(i => ((data >> 8 * i) & 255).toInt)
          if (stream.last.toBoolean) { frames += coming.toSeq; coming.clear() }
        }
        stream.ready #= r.nextInt(4) > 0
      }
    }
    /** Registers: words by address; all accesses in their order. */
    val registers = mutable.Map[Int, BigInt]()
    val accesses = mutable.ArrayBuffer[(Boolean, Int, BigInt)]()
    private def serve(bus: AxiLite4): Unit = {
      var (address, data) = (Option.empty[Int], Option.empty[BigInt])
      for (pin <- Seq(bus.ar.ready, bus.aw.ready, bus.w.ready, bus.r.valid, bus.b.valid)) pin #= false
      clock.onSamplings {
        if (bus.r.valid.toBoolean && bus.r.ready.toBoolean) bus.r.valid #= false
        if (bus.b.valid.toBoolean && bus.b.ready.toBoolean) bus.b.valid #= false
        if (bus.ar.valid.toBoolean && bus.ar.ready.toBoolean) {
          val at = bus.ar.addr.toInt
          accesses += ((false, at, 0))
          bus.r.valid #= true
          bus.r.data #= registers.getOrElse(at, BigInt(0))
          bus.r.resp #= 0
        }
        if (bus.aw.valid.toBoolean && bus.aw.ready.toBoolean) address = Some(bus.aw.addr.toInt)
        if (bus.w.valid.toBoolean && bus.w.ready.toBoolean) data = Some(bus.w.data.toBigInt)
        for (at <- address; word <- data) {
          registers(at) = word
          accesses += ((true, at, word))
          address = None
          data = None
          bus.b.valid #= true
          bus.b.resp #= 0
        }
        for (ready <- Seq(bus.ar.ready, bus.aw.ready, bus.w.ready)) ready #= r.nextInt(3) > 0
      }
    }
    val counts = mutable.Map[String, Int]().withDefaultValue(0)
    for (((to, value), i) <- Seq(dut.io.identity.board -> board, dut.io.identity.host -> host, dut.io.identity.key -> number(key)).zipWithIndex) to #= value
    give(dut.io.fromPort, fromPort)
    give(dut.io.fromCore, fromCore)
    take(dut.io.toCore, toCore)
    take(dut.io.toPort, toPort)
    serve(dut.io.bus)
    clock.forkStimulus(10)
    private val e = dut.io.events
    clock.onSamplings(for ((name, event) <- Seq("foreign" -> e.foreign, "tag" -> e.badTag, "stale" -> e.stale, "busy" -> e.busy) if event.toBoolean)
      counts(name) += 1)
    clock.waitSampling(20)

    def settle(): Unit = clock.waitSampling(200)
    def answersOf(frame: Seq[Int]): Seq[Seq[Int]] = {
      toPort.clear()
      fromPort += frame
      settle()
      toPort.toSeq
    }
    def ask(frame: Seq[Int]): BigInt = {
      val answers = answersOf(frame)
      assert(answers.size == 1)
      peer.word(answers.head, frame)
    }
    def greet(): Unit = {
      val hello = peer.hello(BigInt(64, r))
      peer.greeted(answersOf(hello).head, hello)
    }
    def read(at: Int): BigInt = ask(peer.access(HostKind.READ, at))
    def write(at: Int, value: BigInt): Unit = ask(peer.access(HostKind.WRITE, at, value))
  }

  test("reads and writes, between other frames that pass both ways") {
    compiled.doSim("access", 1) { dut =>
      val b = new Bench(dut, 1)
      b.greet()
      assert(b.peer.nonce != 0)
      val values = Seq.fill(30)((4 * b.r.nextInt(2048), BigInt(32, b.r)))
      for ((at, value) <- values) {
        val others = Seq.fill(2)(XgmiiSim.bytes(b.r, 60 + b.r.nextInt(300)).updated(12, 8).updated(13, 0))
        b.toCore.clear()
        b.fromPort ++= others
        b.write(at, value)
        assert(b.read(at) == value && b.toCore.toSeq == others)
      }
      assert(b.accesses.size == 60 && b.counts.isEmpty)
      // Frames of the core in a row, and answers between them.
      val frames = Seq.fill(40)(XgmiiSim.bytes(b.r, 60 + b.r.nextInt(300)))
      b.toPort.clear()
      b.fromCore ++= frames
      val read = b.peer.access(HostKind.READ, values.head._1)
      b.fromPort += read
      b.clock.waitSampling(1000)
      assert(b.toPort.size == 41 && b.toPort.filterNot(_.slice(12, 14) == Seq(0x88, 0xb6)) == frames)
      b.peer.word(b.toPort.find(_.slice(12, 14) == Seq(0x88, 0xb6)).get, read)
      assert(b.toPort.indexWhere(_.slice(12, 14) == Seq(0x88, 0xb6)) < 30, "an answer does not wait for the core to fall silent")
    }
  }

  test("a retry is answered alike and does nothing; a record of a frame, of this life or an earlier one, gets no answer") {
    compiled.doSim("replay", 2) { dut =>
      val b = new Bench(dut, 2)
      b.greet()
      val first = b.peer.access(HostKind.WRITE, 8, 5)
      b.ask(first)
      val read = b.peer.access(HostKind.READ, 8)
      assert(b.ask(read) == 5)
      b.registers(8) = 6
      assert(b.ask(read) == 5 && b.accesses.size == 2, "the word of the first time")
      for (_ <- 0 until 3) assert(b.answersOf(first).isEmpty)
      assert(b.counts.toMap == Map("stale" -> 3) && b.accesses.size == 2)
      val (old, hello) = (b.peer.nonce, b.peer.hello(1))
      // HELLO again tells the same nonce.
      b.greet()
      assert(b.peer.nonce == old)
      b.peer.sequence = 10
      b.write(12, 1)
      b.clock.assertReset()
      sleep(55)
      b.clock.deassertReset()
      b.clock.waitSampling(100 + b.r.nextInt(100))
      assert(b.answersOf(first).isEmpty && b.answersOf(hello).size == 1, "before a HELLO no nonce is right")
      b.greet()
      assert(b.peer.nonce != old)
      assert(b.answersOf(first).isEmpty && b.accesses.size == 3)
      b.write(12, 2)
      assert(b.registers(12) == 2)
    }
  }

  test("what is not the host's, not whole or not right is dropped by its name, and nothing of it reaches a register") {
    compiled.doSim("refused", 3) { dut =>
      val b = new Bench(dut, 3)
      b.greet()
      def write = b.peer.access(HostKind.WRITE, 8, 5)
      def resealed(at: Int, value: Int) = b.peer.sealedUp(write.updated(at, value))
      val foreign = Seq(
        resealed(5, 7),
        resealed(11, 7),
        resealed(14, 0),
        resealed(14, 4),
        resealed(14, 0x83),
        resealed(15, 1),
        resealed(40, 9),
        write.dropRight(1),
        write :+ 0,
        write ++ write
      )
      for (frame <- foreign) assert(b.answersOf(frame).isEmpty)
      assert(b.counts.toMap == Map("foreign" -> foreign.size))
      for (bit <- 0 until 8 * 48 if !(12 * 8 until 14 * 8).contains(bit)) {
        val right = write
        assert(b.answersOf(right.updated(bit / 8, right(bit / 8) ^ (1 << bit % 8))).isEmpty, s"bit $bit")
      }
      assert(b.accesses.isEmpty && b.counts("tag") > 200)
      val other = new HostSim(board, host, key.updated(3, 0))
      other.nonce = b.peer.nonce
      other.sequence = b.peer.sequence + 1000
      assert(b.answersOf(other.access(HostKind.READ, 8)).isEmpty && b.accesses.isEmpty)
      assert(b.counts("stale") == 0)
      b.write(8, 5)
      // As fast as they come: one is taken, others are counted, and the next one after its answer is taken.
      b.toPort.clear()
      val before = b.accesses.size
      b.fromPort ++= Seq.fill(20)(write)
      b.clock.waitSampling(1500)
      assert(b.toPort.size + b.counts("busy") == 20 && b.toPort.size == b.accesses.size - before && b.counts("busy") > 0)
      b.write(8, 6)
      assert(b.registers(8) == 6)
    }
  }

  test("frames and answers are byte by byte those of the vectors, which the host's program has, too") {
    val vectors = {
      val source = scala.io.Source.fromResource("host-frames.txt")
      try source.getLines().filterNot(_.startsWith("#")).map(_.split(' ')).toSeq
      finally source.close()
    }
    assert(vectors.size >= 10)
    def hex(text: String) = BigInt(text, 16)
    def bytes(text: String) = text.grouped(2).map(Integer.parseInt(_, 16)).toSeq
    val open = Simulation.config.compile { val dut = HostPort(); dut.nonce.simPublic(); dut.sequence.simPublic(); dut }
    open.doSim("vectors", 5) { dut =>
      val b = new Bench(dut, 5)
      b.greet()
      val kinds = Map("HELLO" -> HostKind.HELLO, "READ" -> HostKind.READ, "WRITE" -> HostKind.WRITE)
      for (Array(kind, nonce, sequence, address, data, frame, toldNonce, told, answer) <- vectors) {
        assert(b.peer.frame(kinds(kind), hex(address), hex(data), hex(nonce), hex(sequence)) == bytes(frame))
        dut.nonce #= hex(toldNonce)
        dut.sequence #= (hex(sequence) - 1).max(0) & ((BigInt(1) << 64) - 1)
        if (kind == "READ") b.registers(hex(address).toInt) = hex(told)
        assert(b.answersOf(bytes(frame)) == Seq(bytes(answer)), s"$kind $sequence")
        if (kind == "WRITE") assert(b.registers(hex(address).toInt) == hex(data))
      }
    }
  }

  for ((fault, what) <- Seq(HostFault.AnyTag -> "tags that are not looked at", HostFault.Replays -> "records that are taken again"))
    test(s"planted: $what are found") {
      plantable.doSim(s"planted_$fault", 4) { dut =>
        dut.plantedFaults.get #= BigInt(1) << fault.id
        val b = new Bench(dut, 4)
        b.greet()
        val frame = b.peer.access(HostKind.WRITE, 8, 5)
        b.ask(frame)
        b.write(12, 1)
        val bad = if (fault == HostFault.AnyTag) b.peer.access(HostKind.WRITE, 8, 7).updated(44, 9) else frame
        val before = b.accesses.size
        b.answersOf(bad)
        assert(b.accesses.size == before + 1, "the defect does what the bench looks for")
      }
    }
}
