package mneme

import mneme.engine.DoorDiagrams
import mneme.net.FrameSpec
import mneme.wire.Wire.{Counter, Mark, Opcode, Pte, Register, ReplaceStatus, Status, Trailer}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import java.nio.file.Path
import scala.collection.mutable

/** The whole core: boot as the slow path does it, then the life of one request of each kind, and a word that many requests share. */
class CBoardTest extends AnyFunSuite {
  /** The tiny board with a filter that holds what a test writes within one window, and a second door, at which a guest stands in one test. */
  private val config = CBoardConfig.tiny.copy(name = "core", filterSetsLog2 = 6, filterWays = 4, doors = 2)
  private lazy val compiled = Simulation.config.compile(CBoard(config))

  import BoardBench.{readWrite, word}
  private val page = BigInt(1) << config.pageBits

  test("a board boots, stores, reads back, and refuses") {
    compiled.doSim("life", 1) { dut =>
      val b = new BoardBench(dut, config, 1)
      b.boot()
      val vpn = BigInt(0x1234)
      val va = vpn * page + 1000
      assert(b.ask(Opcode.READ, va, 100).status == Status.UNMAPPED)
      assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      val unwritten = b.ask(Opcode.READ, va, 100)
      assert(unwritten.status == Status.OK && unwritten.va == va && unwritten.length == 100 && unwritten.payload == Seq.fill(100)(0))
      val data = FrameSpec.payload(b.random, 1450)
      assert(b.ask(Opcode.WRITE, va, data.size, data).status == Status.OK)
      assert(b.ask(Opcode.READ, va, data.size).payload == data)
      assert(b.ask(Opcode.READ, va - 3, 6).payload == Seq(0, 0, 0) ++ data.take(3))
      assert(b.ask(Opcode.READ, va, 8, pid = 8).status == Status.UNMAPPED)
      assert(b.ask(Opcode.READ, va, 8, Seq(1)).status == Status.BADREQUEST)
      assert(b.ask(Opcode.FENCE, 0, 0).status == Status.OK)
      assert(b.replace(7, vpn, readWrite & ~(BigInt(1) << Pte.WRITE)) == ReplaceStatus.DONE)
      assert(b.ask(Opcode.WRITE, va, 4, Seq(1, 2, 3, 4)).status == Status.DENIED)
      assert(b.replace(7, vpn, 0) == ReplaceStatus.DONE)
      assert(b.ask(Opcode.READ, va, 8).status == Status.UNMAPPED)
      assert(b.counter(Counter.PAGE_FAULT) == 1 && b.counter(Counter.ZERO_READ) >= 1 && b.counter(Counter.WATCHDOG) == 0)
      assert(b.counter(Counter.ZERO_PAGES) == config.asyncDepth + 1)
      assert(b.counter(Counter.TX_FRAMES) == b.counter(Counter.RX_FRAMES))
    }
  }

  test("a write that finds no free page waits for one, for a bounded time, while others go on") {
    compiled.doSim("dry", 3) { dut =>
      val b = new BoardBench(dut, config, 3)
      b.boot()
      val pages = config.asyncDepth
      for (vpn <- 0 to pages + 1) assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      for (vpn <- 0 until pages) assert(b.ask(Opcode.WRITE, vpn * page, 8, word(vpn)).status == Status.OK)
      b.stamp()
      val waiting = b.send(Opcode.WRITE, pages * page, 8, word(pages))
      val hit = b.ask(Opcode.READ, 0, 8)
      assert(hit.payload == word(0) && !hit.slow, "a page that is there needs no free one")
      assert(b.replace(7, pages + 2, readWrite) == ReplaceStatus.DONE, "the table can be changed meanwhile")
      b.push(pages + 1)
      val served = b.answer()
      assert(served.opId == waiting && served.status == Status.OK && served.slow && b.counter(Counter.FAULT_WAIT) == 1)
      b.write(Register.WINDOW, 64)
      b.stamp()
      val refused = b.ask(Opcode.WRITE, (pages + 1) * page, 8, word(1))
      assert(refused.status == Status.BUSY && refused.slow)
      b.write(Register.CONTROL, 3)
      assert(b.ask(Opcode.WRITE, (pages + 1) * page, 8, word(1)).status == Status.NOMEM)
      assert(b.counter(Counter.FAULT_WAIT) == 2 && b.counter(Counter.FAULT_DRY) == 2 && b.counter(Counter.WATCHDOG) == 0)
    }
  }

  test("a timed OK answer tells the cycles between the ports, every other the tick") {
    compiled.doSim("timed", 4) { dut =>
      val b = new BoardBench(dut, config, 4)
      b.boot()
      for (vpn <- 0 to 1) assert(b.replace(7, vpn, readWrite) == ReplaceStatus.DONE)
      def ticks(): Int = b.read(Register.TICK).toInt
      def timed(status: Int, opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, opId: Int = 0): Int = {
        val before = ticks()
        val answer = b.ask(opcode, va, length, payload, opId = opId, timed = true)
        assert(answer.status == status)
        if (status == Status.OK) assert(answer.timed && answer.time == b.between, s"opcode $opcode")
        else assert(!answer.timed && answer.time >= before && answer.time <= ticks())
        assert(answer.kind == Trailer.NONE)
        answer.time
      }
      // A first tick that is no small number of cycles.
      b.write(Register.TICK_SKIP, 100000)
      b.stamp()
      val fault = timed(Status.OK, Opcode.WRITE, 0, 8, word(1), opId = 77)
      assert(timed(Status.OK, Opcode.WRITE, 0, 8, word(1), opId = 77) < fault, "a repeat")
      for (_ <- 0 until 20) {
        timed(Status.OK, Opcode.READ, 0, 8)
        timed(Status.OK, Opcode.READ, 100, 1000)
        timed(Status.OK, Opcode.WRITE, 100, 1000, FrameSpec.payload(b.random, 1000))
        timed(Status.OK, Opcode.FETCH_ADD, 8, 8, word(3))
        timed(Status.OK, Opcode.FENCE, 0, 0)
      }
      timed(Status.UNMAPPED, Opcode.READ, 3 * page, 8)
      timed(Status.BADREQUEST, Opcode.READ, page - 4, 8)
      timed(Status.UNSUPPORTED, Opcode.PING, 0, 0)
      timed(Status.UNSUPPORTED, 0x55, 0, 0)
      for (kind <- 1 to 3; timed <- Seq(false, true))
        assert(b.ask(Opcode.READ, 0, 8, kind = kind, timed = timed).status == Status.UNSUPPORTED)
      val plain = b.ask(Opcode.READ, 0, 8)
      assert(plain.status == Status.OK && plain.kind == Trailer.NONE && !plain.timed && plain.time > 100000)
    }
  }

  test("a pipeline that is full from end to end times every request") {
    Boards(Boards.queues).doSim("crowd", 5) { dut =>
      val b = new BoardBench(dut, Boards.queues, 5)
      b.boot()
      assert(b.replace(7, 0, readWrite) == ReplaceStatus.DONE)
      b.stamp()
      for (kind <- Seq[Int => Int](_ => b.send(Opcode.READ, page, 8), _ => b.send(Opcode.FENCE, 0, 0), n => b.send(Opcode.READ, 8 * n, 8))) {
        b.take(0f)
        val sent = (0 until 120).map(kind)
        while (b.sending) dut.clockDomain.waitSampling(100)
        dut.clockDomain.waitSampling(1000)
        b.take(1f)
        for (id <- sent) assert(b.answer().opId == id)
        dut.clockDomain.waitSampling(20)
        assert(b.counter(Mark.MARK_MEMORY) >= 60)
      }
    }
  }

  test("atomics take effect once, however often they arrive") {
    compiled.doSim("atomics", 2) { dut =>
      val b = new BoardBench(dut, config, 2)
      b.boot()
      val va = BigInt(5) * page + 64
      assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
      assert(b.ask(Opcode.SWAP, va, 8, word(1000)).payload == word(0))
      val old = mutable.Set[BigInt]()
      val ids = mutable.Map[BigInt, Seq[Int]]()
      // Each addition is sent twice in a row, and four of them at once.
      for (_ <- 0 until 25) {
        val sent = Seq.fill(2) { val id = b.send(Opcode.FETCH_ADD, va, 8, word(3)); b.send(Opcode.FETCH_ADD, va, 8, word(3), opId = id); id }
        for (_ <- 0 until 4) {
          val a = b.answer()
          if (a.status == Status.OK) {
            for (before <- ids.put(a.opId, a.payload)) assert(before == a.payload)
          } else assert(a.status == Status.BUSY)
        }
        for (id <- sent) {
          val again = b.ask(Opcode.FETCH_ADD, va, 8, word(3), opId = id)
          assert(again.status == Status.OK && again.payload == ids(id), "a retry gives the recorded word")
          old += again.payload.reverse.foldLeft(BigInt(0))((v, x) => (v << 8) | x)
        }
      }
      assert(old == (0 until 50).map(i => BigInt(1000 + 3 * i)).toSet)
      assert(b.ask(Opcode.READ, va, 8).payload == word(1150))
      assert(b.ask(Opcode.COMPARE_SWAP, va, 8, word(1) ++ word(2)).payload == word(1150))
      assert(b.ask(Opcode.COMPARE_SWAP, va, 8, word(1150) ++ word(7)).payload == word(1150))
      assert(b.ask(Opcode.READ, va, 8).payload == word(7))
      assert(b.counter(Counter.FILTER_REPLAY) >= 50 && b.counter(Counter.WATCHDOG) == 0)
    }
  }

  test("the diagrams of docs/reference/doors.md are those of a run of door 1") {
    compiled.doSim("doors", 6) { dut =>
      val diagrams = DoorDiagrams.run(dut, new BoardBench(dut, config, 6, BoardBench.steady))
      val folder = Path.of("../docs/reference/doors")
      // `cargo xtask doors` asks for it.
      if (sys.env.contains("MNEME_WRITE_DOORS")) DoorDiagrams.write(folder, diagrams)
      assert(DoorDiagrams.stale(folder, diagrams).isEmpty, ": run `cargo xtask doors` and commit the result")
      val (name, text) = diagrams.head
      assert(DoorDiagrams.stale(folder, Seq(name -> text.replaceFirst("0", "1"), "none" -> text)) == Seq(name, "none"), "the check can fail")
    }
  }
}
