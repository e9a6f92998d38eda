package mneme.rdma

import mneme.net.{FrameSpec, Frames}
import mneme.wire.Wire
import mneme.wire.Wire.{Opcode, Pte, ReplaceStatus, RoceCounter, Status}
import mneme.{BoardBench, CBoard, CBoardConfig, Reply, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** The port as a door of a whole core: stock frames and Mneme's packets reach the same words, through one page table and one memory. */
class RoceBoardTest extends AnyFunSuite {
  import RocePortTest.{READ, WRITE}
  private val config = CBoardConfig.tiny.copy(name = "rdma", filterSetsLog2 = 6, filterWays = 4, packetSlots = 16, doors = 2, rdma = 16)
  private lazy val compiled = Simulation.config.compile(CBoard(config))
  private val page = BigInt(1) << config.pageBits

  private class Bench(val dut: CBoard, seed: Int) extends RocePeer(dut, new BoardBench(dut, config, seed, BoardBench.steady), seed) {
    b.boot()
    join(0, 1 << 24)

    def mneme(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil): Reply = {
      val reply = b.ask(opcode, va, length, payload)
      b.frames.dequeue()
      reply
    }

    /** The table sends frames of software's queue pairs to the slow path. */
    def routeSoftware(): Unit = {
      val row = 6
      b.write(Wire.Register.MAT_VALUE0, 0x0800L << 16 | 17 << 8)
      b.write(Wire.Register.MAT_VALUE1, 4791)
      b.write(Wire.Register.MAT_MASK0, 0xffffff00L)
      b.write(Wire.Register.MAT_MASK1, 0xffff)
      b.write(Wire.Register.MAT_COMMIT, 1 << 16 | Wire.MatAction.SLOW << 8 | row)
    }
  }
  private def bench(name: String, seed: Int)(body: Bench => Unit): Unit =
    compiled.doSim(name, seed)(dut => body(new Bench(dut, seed)))

  import BoardBench.{readWrite, word}
  private val acknowledged = (0x11, 0x1f, Nil)
  private def notReady(repeats: Int) = (0x11, 0x20 | repeats, Nil)

  test("a WRITE and a READ of stock frames and Mneme's packets meet in the same words") {
    bench("meet", 1) { t =>
      import t._
      val va = 0x12 * page + 1000
      assert(b.replace(7, 0x12, readWrite) == ReplaceStatus.DONE)
      read(va, 100)
      assert(answer() == ((0x10, 0x1f, Seq.fill(100)(0))), "of a page that nobody wrote")
      val data = FrameSpec.payload(b.random, 1000)
      write(va, data)
      assert(answer() == acknowledged)
      info(s"first WRITE of 1,000 bytes, which takes a page: ${b.between} cycles from the last beat in to the first one out")
      assert(mneme(Opcode.READ, va, 1000).payload == data)
      read(va, 1000)
      assert(answer() == ((0x10, 0x1f, data)))
      info(s"READ of 1,000 bytes: ${b.between} cycles")
      write(va, data.take(64))
      assert(answer() == acknowledged)
      info(s"WRITE of 64 bytes: ${b.between} cycles")
      val other = FrameSpec.payload(b.random, 700)
      assert(mneme(Opcode.WRITE, va + 200, 700, other).status == Status.OK)
      read(va, 1000)
      assert(answer() == ((0x10, 0x1f, data.take(200) ++ other ++ data.drop(900))))
      // Atomics are big-endian on the wire, and little-endian words in memory.
      assert(mneme(Opcode.WRITE, va + 24, 8, word(1000)).status == Status.OK)
      send(0x14, va + 24, 8, add = 5)
      assert(answer() == ((0x12, 0x1f, Frames.number(1000, 8).toSeq)))
      assert(mneme(Opcode.READ, va + 24, 8).payload == word(1005))
    }
  }

  test("frames of software's queue pairs go to the slow path, if the table says so, and past the port") {
    bench("management", 4) { t =>
      import t._
      assert((b.read(Wire.Register.BUILD_FLAGS) & Wire.BUILD_RDMA) != 0)
      def came(): Long = registers.counter(RoceCounter.RX_PACKETS) + registers.counter(RoceCounter.UNKNOWN_QUEUE_PAIR)
      send(READ, 0, 64, destQp = 1)
      b.cycles(500)
      assert(b.management.isEmpty && b.counter(Wire.Counter.DROP_MAT_MISS) == 1)
      routeSoftware()
      // The last of software's, a SEND as long as management's, and the first of the port's.
      for (destQp <- Seq(1, Wire.ROCE_QPN_FIRST - 1)) send(READ, 0, 64, destQp = destQp)
      send(4, 0, 0, payload = FrameSpec.payload(b.random, 256), destQp = 1)
      b.cycles(500)
      assert(b.management.map(frame => Frames.read(frame.toArray, 47, 3).toInt) == Seq(1, Wire.ROCE_QPN_FIRST - 1, 1))
      assert(b.management.last.size == 42 + 12 + 16 + 256 + 4 && came() == 0 && b.frames.isEmpty)
      send(READ, 0, 64, destQp = Wire.ROCE_QPN_FIRST)
      b.cycles(500)
      assert(b.management.size == 3 && came() == 2)
    }
  }

  test("software's frames that the slow path takes slowly or not at all hold up nobody, and each is taken whole or counted") {
    bench("slow", 5) { t =>
      new SlowSoftware(t).run(info(_))
    }
  }

  test("the page table's rights hold for stock frames") {
    bench("rights", 2) { t =>
      import t._
      assert(b.replace(7, 3, readWrite & ~(BigInt(1) << Pte.WRITE)) == ReplaceStatus.DONE)
      write(3 * page, Seq.fill(64)(1))
      assert(answer() == ((0x11, 0x62, Nil)))
      assert(registers.counter(RoceCounter.MEMORY_DENIED) == 1)
      assert(registers.query(qp.qpn) == QueuePairEnd(qp.qpn, 100, 0, inError = true))
      assert(mneme(Opcode.READ, 3 * page, 8).payload == Seq.fill(8)(0))
    }
  }

  test("both kinds of frames come at once, and each gets its own answers") {
    bench("both", 3) { t =>
      import t._
      for (vpn <- 0 to 1) assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      for (i <- 0 until 12) {
        write(i * 64, Seq.fill(64)(i + 1))
        b.send(Opcode.WRITE, page + i * 64, 64, Seq.fill(64)(0x80 + i))
      }
      // What finds no place in this core is dropped and counted, and the filter knows no retry here.
      b.cycles(20000)
      val (roce, own) = b.frames.toSeq.partition(frame => Frames.read(frame.toArray, 36, 2) == 4791)
      b.frames.clear()
      b.answers.clear()
      assert(roce.forall(_(42) == 0x11) && Frames.read(roce.last.toArray, 51, 3) == 111, "acknowledges, the last one of all")
      val dropped = b.counter(Wire.Counter.DROP_INGRESS_FULL)
      assert(own.size == 12 - dropped)
      assert(registers.counter(RoceCounter.WRITES) == 12 && registers.counter(RoceCounter.RX_PACKETS) == 12)
      assert(registers.counter(RoceCounter.TX_PACKETS) == roce.size)
      for (i <- 0 until 12) assert(mneme(Opcode.READ, i * 64, 64).payload == Seq.fill(64)(i + 1))
    }
  }

  test("what finds no free page is told so at once, and holds up no other queue pair") {
    bench("dry", 6) { t =>
      import t._
      val pages = config.asyncDepth
      for (vpn <- 0 to pages + 2) assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      def takeAll(first: Int): Unit = for (vpn <- first until first + pages) assert(mneme(Opcode.WRITE, vpn * page, 8, word(vpn)).status == Status.OK)
      takeAll(0)
      val other = new RocePeer(dut, b, 7, Some(t))
      /** So many answers, each soon, whoever asked first. */
      def soon(count: Int): Set[(Int, Int, Seq[Int])] = {
        var cycles = 0
        while (b.frames.size < count) {
          b.cycles(1)
          cycles += 1
          assert(cycles < 1000, s"${b.frames.size} of $count answers have come")
        }
        Seq.fill(count)(answer()).toSet
      }
      val untouched = pages * page
      val read = (0x10, 0x1f, word(0))
      val asks = Seq[() => Unit](
        () => send(0x14, untouched, 8, add = 5),
        // To the port it is one packet, which goes on to the next page when the first one is there.
        () => write(untouched + page - 64, Seq.fill(128)(3))
      )
      for ((ask, i) <- asks.zipWithIndex) {
        ask()
        other.read(0, 8)
        assert(soon(2) == Set(notReady(i + 1), read))
        again()
      }
      // Behind a READ an atomic has its turn when that is answered.
      t.read(0, 8)
      assert(soon(1) == Set(read))
      // A request of the page that waits lets nobody behind it wait as long.
      b.stamp()
      b.send(Opcode.WRITE, untouched, 8, word(1))
      b.cycles(500)
      assert(b.frames.isEmpty && b.counter(Wire.Counter.FAULT_WAIT) == 1, "Mneme's request waits for a page")
      send(0x14, untouched, 8, add = 5)
      other.read(0, 8)
      b.cycles(1000)
      val (refused, roce) = (0 until b.frames.size).map(i => (b.frames(i), b.answers(i))).partition { case (frame, _) =>
        Frames.read(frame.toArray, 36, 2) != 4791
      }
      assert(refused.map(_._2.status) == Seq(Status.BUSY), "in its turn, before the one behind it")
      b.frames.clear()
      b.answers.clear()
      roce.foreach { case (frame, reply) => b.frames.enqueue(frame); b.answers.enqueue(reply) }
      assert(soon(2) == Set(notReady(1), read))
      // With pages all is done when it comes once more.
      for (i <- 1 to 2) b.push(pages + i)
      while (b.read(Wire.Register.ASYNC_LEVEL) != 2) b.cycles(50)
      again()
      send(0x14, untouched, 8, add = 5)
      assert(soon(1) == Set((0x12, 0x1f, Seq.fill(8)(0))))
      write(untouched + page - 64, Seq.fill(128)(3))
      assert(soon(1) == Set(acknowledged))
      assert(mneme(Opcode.READ, untouched, 8).payload == word(5))
      assert(registers.counter(RoceCounter.MEMORY_NOT_READY) == 3 && b.counter(Wire.Counter.FAULT_WAIT) == 1)
    }
  }

  /** SENDs to software's queue pairs between WRITEs to the port's and READs of Mneme's, in bursts that the port has places for: 21 for a process. */
  private class SlowSoftware(t: Bench) {
    import t._
    private val burst = 20
    private val sends = collection.mutable.ArrayBuffer[Seq[Int]]()
    private val left = FrameSpec.payload(b.random, 64)
    private var reads, writes = 0

    private def toSoftware(): Unit = {
      sends += FrameSpec.payload(b.random, 256)
      send(RoceOpcode.SEND_ONLY, 0, 0, sends.last, destQp = Wire.ROCE_QPN_FIRST - 1, bare = true)
      // Its number was none of the port's.
      again()
    }
    private def toPort(): Unit = { write(8 * (writes % 64), word(writes)); writes += 1 }
    private def toMneme(): Unit = { b.send(Opcode.READ, page, 64); reads += 1 }

    /** Answers of Mneme's, and the number of the last packet that the port has acknowledged. */
    private var answered, acknowledgedTo = 0
    private def take(): Unit = while (b.frames.nonEmpty) {
      val (frame, reply) = (b.frames.dequeue().toArray, b.answers.dequeue())
      if (Frames.read(frame, 36, 2) == 4791) {
        assert((frame(42), frame(54)) == (0x11, 0x1f))
        acknowledgedTo = Frames.read(frame, 51, 3).toInt
      } else {
        assert((reply.status, reply.payload) == (Status.OK, left))
        answered += 1
      }
    }
    private def allWritten: Boolean = { take(); acknowledgedTo == qp.psn + writes - 1 }
    /** Cycles until it holds, which is soon. */
    private def until(what: String, most: Int)(holds: => Boolean): Int = {
      var cycles = 0
      while (!holds) {
        b.cycles(1)
        cycles += 1
        assert(cycles < most, s"$what: not within $most cycles")
      }
      cycles
    }
    /** Back to back. The port's are done within some cycles of the last one's end, whatever becomes of the others. */
    private def together(software: Boolean): Int = {
      for (_ <- 0 until burst) {
        if (software) toSoftware()
        toMneme()
        toPort()
      }
      until("the line", 10000)(!b.sending)
      until("the port's frames", 1000)(allWritten)
    }
    private def full: Int = b.counter(Wire.Counter.DROP_SLOW_FULL)
    /** Who was neither taken nor answered was dropped for one of two reasons, and the port has lost nobody. */
    private def allCounted(): Unit = {
      take()
      assert(b.management.size + answered + full + b.counter(Wire.Counter.DROP_INGRESS_FULL) == sends.size + reads)
      assert(Seq(RoceCounter.DROP_FULL, RoceCounter.DROP_SHARE).forall(registers.counter(_) == 0) && registers.counter(RoceCounter.RX_PACKETS) == writes)
      assert(registers.counter(RoceCounter.WRITES) == writes && registers.query(qp.qpn).expected == qp.psn + writes)
      assert(b.counter(Wire.Counter.SLOW_TX) == b.management.size)
      // Whole, and in their order.
      val taken = b.management.map(frame => sends.indexOf(frame.slice(54, 310)))
      assert(taken.head >= 0 && taken.zip(taken.tail).forall { case (one, next) => one < next }, taken)
    }

    def run(tell: String => Unit): Unit = {
      for (vpn <- 0 to 1) assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      routeSoftware()
      assert(mneme(Opcode.WRITE, page, 64, left).status == Status.OK)
      // The first one takes a page.
      toPort()
      until("the first one", 5000)(allWritten)
      tell(s"${burst} WRITEs to the port and READs of Mneme's: the last one is acknowledged ${together(software = false)} cycles after its end")
      b.takeSlow(0.02f)
      val slowly = Seq.fill(5)(together(software = true))
      tell(s"and SENDs to software, of which a beat is taken in 50 cycles: ${slowly.max} at most")
      b.cycles(3000)
      allCounted()
      val some = b.management.size
      b.takeSlow(0f)
      tell(s"and of which none is taken: ${together(software = true)}; of ${sends.size} SENDs $some came to software, $full found its queue full")
      standsStill(tell)
      b.takeSlow(0.9f)
      goesOn()
    }
    /** One frame at a time is served as if nobody waited, and one for software is dropped. */
    private def standsStill(tell: String => Unit): Unit = {
      b.cycles(1000)
      take()
      val (before, already, came) = (answered, full, b.management.size)
      var longest = 0
      for (done <- 1 to burst) {
        toSoftware()
        toPort()
        until("the line", 1000)(!b.sending)
        longest = longest.max(until("a WRITE to the port", 200)(allWritten))
        toMneme()
        until("a READ of Mneme's", 400) { take(); answered == before + done }
      }
      assert(full == already + burst && b.management.size == came)
      tell(s"one WRITE at a time beside it: $longest at most")
    }
    /** What has waited comes, and all places are free again: nothing more is dropped. */
    private def goesOn(): Unit = {
      val came = b.management.size
      until("those that have waited", 1000)(b.management.size == came + config.packetSlots / 2)
      val before = (full, b.counter(Wire.Counter.DROP_INGRESS_FULL))
      for (_ <- 0 until 2 * config.packetSlots) {
        for (one <- Seq(() => toSoftware(), () => toPort(), () => toMneme())) one()
        b.cycles(300)
      }
      assert(allWritten && before == (full, b.counter(Wire.Counter.DROP_INGRESS_FULL)))
      allCounted()
      assert(mneme(Opcode.READ, 0, 8 * 64).payload == (writes - 64 until writes).sortBy(_ % 64).flatMap(word(_)))
    }
  }
}
