package mneme

import mneme.net.{FrameSpec, Frames, NetSim}
import mneme.wire.Wire
import mneme.wire.Wire.{Counter, MatAction, Opcode, Pte, Register, ReplaceStatus, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.sim.{AxiMemorySim, AxiMemorySimConfig}
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** The whole core: boot as the slow path does it, then the life of one request of each kind, and a word that many requests share. */
class CBoardTest extends AnyFunSuite {
  /** The tiny board with a filter that holds what a test writes within one window. */
  private val config = CBoardConfig.tiny.copy(name = "core", filterSetsLog2 = 6, filterWays = 4)
  private lazy val compiled = NetSim.config.compile(CBoard(config))

  private case class Answer(status: Int, va: BigInt, length: Int, payload: Seq[Int], opId: BigInt)

  private class Board(dut: CBoard, seed: Int) {
    val random = new Random(seed)
    val domain = dut.clockDomain
    domain.forkStimulus(10)
    SimTimeout(100000000)
    private val memory = AxiMemorySim(dut.io.mem, domain, AxiMemorySimConfig(interruptProbability = 10, interruptMaxDelay = 5))
    memory.start()
    private val driver = AxiLite4Driver(dut.io.regs, domain)
    def read(address: Int): BigInt = driver.read(address)
    def write(address: Int, value: BigInt): Unit = driver.write(address, value)
    def counter(index: Int): Int = read(Wire.COUNTER_BASE + 4 * index).toInt

    val mac = BigInt("0200c0ffee01", 16)
    val ip = BigInt("0a000001", 16)
    private val toSend = mutable.Queue[(BigInt, BigInt, Boolean)]()
    val answers = mutable.Queue[Answer]()
    val slow = mutable.Queue[Seq[Int]]()
    StreamDriver(dut.io.net.rx, domain) { p =>
      if (toSend.isEmpty) false
      else { val (data, keep, last) = toSend.dequeue(); p.data #= data; p.keep #= keep; p.last #= last; p.user #= 0; true }
    }.setFactor(0.9f)
    dut.io.slow.rx.valid #= false
    for ((port, sink) <- Seq[(spinal.lib.Stream[net.FrameBeat], Seq[Int] => Unit)](dut.io.net.tx -> parse, dut.io.slow.tx -> (slow.enqueue(_)))) {
      StreamReadyRandomizer(port, domain).setFactor(0.9f)
      var bytes = Seq[Int]()
      StreamMonitor(port, domain) { p =>
        bytes ++= Frames.bytesOf(p.data.toBigInt, p.keep.toBigInt)
        if (p.last.toBoolean) { sink(bytes); bytes = Nil }
      }
    }
    private def parse(bytes: Seq[Int]): Unit = {
      val frame = bytes.toArray
      assert(Frames.onesSum(bytes.slice(14, 34)) == 0xffff && Frames.read(frame, 16, 2) == frame.length - 14)
      answers.enqueue(Answer(frame(44), Frames.read(frame, 56, 6), Frames.read(frame, 62, 2).toInt, bytes.drop(64), Frames.read(frame, 48, 4)))
    }

    private var nextId = 1
    def send(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, pid: Int = 7, opId: Int = 0): Int = {
      val id = if (opId != 0) opId else { nextId += 1; nextId }
      val frame = FrameSpec(
        dstMac = mac,
        srcMac = BigInt("020000000002", 16),
        dstIp = ip,
        dstPort = 19790,
        opcode = opcode,
        epoch = 9,
        pid = pid,
        opId = id,
        time = time,
        va = va,
        length = length,
        payload = payload
      )
      Frames.beats(frame.bytes).foreach(toSend.enqueue(_))
      id
    }
    private var time = 0
    /** The time that requests carry from now on; a retry carries that of its first attempt. */
    def stamp(): Unit = time = read(Register.TICK).toInt
    def answer(): Answer = {
      domain.waitSamplingWhere(answers.nonEmpty)
      answers.dequeue()
    }
    def ask(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, pid: Int = 7, opId: Int = 0): Answer = {
      send(opcode, va, length, payload, pid, opId)
      answer()
    }

    /** Zeroes the table, fills the async buffer, writes the table of rules, enables. */
    def boot(): Unit = {
      domain.waitSampling(200)
      assert(read(Register.MAGIC) == Wire.MAGIC)
      push(BigInt(1) << 31)
      while (read(Register.ZERO_PENDING) != 0) domain.waitSampling(50)
      for (page <- 1 to config.asyncDepth) push(page)
      while (read(Register.ASYNC_LEVEL) != config.asyncDepth) domain.waitSampling(50)
      write(Register.MAC_LOW, mac & 0xffffffffL)
      write(Register.MAC_HIGH, mac >> 32)
      write(Register.IP, ip)
      write(Register.EPOCH, 9)
      write(Register.WINDOW, 1 << 16)
      for ((value, mask, action, row) <- Seq((0x08001100L, 0xfffffff0L, MatAction.FAST, 1), (0x08060000L, 0xffff0000L, MatAction.SLOW, 2))) {
        write(Register.MAT_VALUE0, value)
        write(Register.MAT_VALUE1, 0)
        write(Register.MAT_MASK0, mask)
        write(Register.MAT_MASK1, 0)
        write(Register.MAT_COMMIT, row | (action << 8) | (1 << 16))
      }
      write(Register.CONTROL, 1)
      stamp()
    }
    private def push(page: BigInt): Unit = {
      while (read(Register.ZERO_SPACE) == 0) domain.waitSampling(50)
      write(Register.ZERO_PUSH, page)
    }

    /** Sets the entry of a page whole; gives the status of the command. */
    def replace(pid: Int, vpn: BigInt, entry: BigInt): Int = {
      write(Register.REPLACE_PID, pid)
      write(Register.REPLACE_VPN, vpn)
      for (word <- Seq(Register.REPLACE_COMPARE_LOW, Register.REPLACE_COMPARE_HIGH, Register.REPLACE_EXPECTED_LOW, Register.REPLACE_EXPECTED_HIGH))
        write(word, 0)
      write(Register.REPLACE_WRITE_LOW, 0xffffffffL)
      write(Register.REPLACE_WRITE_HIGH, 0xffffffffL)
      write(Register.REPLACE_NEW_LOW, entry & 0xffffffffL)
      write(Register.REPLACE_NEW_HIGH, entry >> 32)
      write(Register.REPLACE_GO, 1)
      while (read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING) domain.waitSampling(10)
      read(Register.REPLACE_STATUS).toInt
    }
  }

  private val readWrite = (BigInt(1) << Pte.ALLOCATED) | (BigInt(1) << Pte.READ) | (BigInt(1) << Pte.WRITE)
  private val page = BigInt(1) << config.pageBits
  private def word(value: BigInt): Seq[Int] = Seq.tabulate(8)(i => ((value >> (8 * i)) & 0xff).toInt)

  test("a board boots, stores, reads back, and refuses") {
    compiled.doSim("life", 1) { dut =>
      val b = new Board(dut, 1)
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

  test("atomics take effect once, however often they arrive") {
    compiled.doSim("atomics", 2) { dut =>
      val b = new Board(dut, 2)
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
}
