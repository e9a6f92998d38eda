package mneme

import mneme.mem.{BadLines, MemoryModel, Timing}
import mneme.net.{FrameSpec, Frames}
import mneme.wire.Wire
import mneme.wire.Wire.{Opcode, Register, Status}
import spinal.core.Bool
import spinal.core.sim._
import spinal.lib.Stream
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver

import scala.collection.mutable
import scala.util.Random

/** Measures where requests spend their cycles in the whole core, seam by seam: `sbt "Test/runMain mneme.PipelineCycles"`.
  *
  * Requests go through one at a time, without stalls, on a memory that answers R in the cycle after AR and B in the cycle after the last W.
  * Cycle 0 is the edge that takes the frame's last beat; each figure is the edge at which the request (or its frame's first beat) passes
  * the seam. Then many equal requests at once, as many as there are packet slots for, give sustained rates. Prints tables and lines of JSON.
  */
object PipelineCycles {
  private val c = CBoardConfig.sim
  private val mac = BigInt("02004d4e454d", 16)
  private val ip = BigInt(0x0a000001)
  private val epoch = 1
  private val pid = 7
  private val clockGHz = 0.25

  /** A request and what it is to show. */
  private case class Case(name: String, opcode: Int, va: BigInt = 0, length: Int = 0, payload: Seq[Int] = Nil, status: Int = Status.OK, epoch: Int = epoch)

  /** Many requests of one kind: cycles from the first to the last answer's end, on a memory of the given latency. */
  private case class Rate(name: String, latency: Int, requests: Int, bytes: Int, cycles: Long) {
    def perRequest: Double = cycles.toDouble / requests
    def gbits: Double = bytes * 8 * clockGHz / perRequest
  }

  private case class Row(name: String, frameBeats: Int, at: Seq[(String, Option[Long])])

  /** Seams in the order of a request's way; memory's are those of its last access. */
  private val seams =
    Seq("ingress", "dispatch", "filter", "translation", "memory AR", "memory R", "memory W", "memory B", "access", "builder", "first out", "last out")

  def main(args: Array[String]): Unit = {
    val compiled = Simulation.config.workspaceName("PipelineCycles").compile {
      val dut = CBoard(c)
      watched(dut).flatMap(_._2).foreach(_.simPublic())
      dut
    }
    compiled.doSim("cycles", 1) { dut =>
      val rows = new Run(dut, latency = 0).single()
      print(table(rows))
      println(json(rows))
    }
    for (latency <- Seq(0, 30)) compiled.doSim(s"rates$latency", 1) { dut =>
      val rates = new Run(dut, latency).rates()
      println(f"${s"${c.name}: sustained, memory latency $latency"}%-38s  cycles per request  payload Gbit/s at 250 MHz")
      rates.foreach(r => println(f"${r.name}%-38s  ${r.perRequest}%18.2f  ${r.gbits}%26.1f"))
      println(rates.map(r => f"""{"name":"${r.name}","config":"${c.name}","latency":${r.latency},"cycles_per_request":${r.perRequest}%.3f}""").mkString(
        "[",
        ",",
        "]"
      ))
    }
  }

  /** The wires that are high when a request passes a seam. */
  private def watched(dut: CBoard): Seq[(String, Seq[Bool])] = {
    def fires(stream: Stream[_]) = Seq(stream.valid, stream.ready)
    Seq(
      "ingress" -> fires(dut.ingress.io.frames),
      "dispatch" -> fires(dut.dispatch.io.requests),
      "filter" -> fires(dut.filter.io.requestsOut),
      "translation" -> Seq(dut.engine.io.translated.valid),
      "access" -> fires(dut.engine.io.doors(0).data.completions),
      "builder" -> fires(dut.builder.io.frames)
    )
  }

  private class Run(dut: CBoard, latency: Int) {
    private val random = new Random(1)
    private val model = new MemoryModel(dut.io.mem, 0, new Array[Byte](1 << c.memBits), BadLines(), Timing(latency, jitter = false), random, ids = 16)
    private val seen = watched(dut)
    private val frame = mutable.Queue[(BigInt, BigInt, Boolean)]()
    private val got = mutable.ArrayBuffer[Int]()
    private val at = mutable.Map[String, Long]()
    private var cycle, zero = 0L
    private var answers = 0
    private var opId = 0

    model.reset()
    dut.io.net.rx.valid #= false
    dut.io.net.tx.ready #= true
    dut.io.slow.tx.ready #= true
    dut.io.slow.rx.valid #= false
    dut.clockDomain.forkStimulus(10)
    dut.io.memReset #= true
    fork { dut.clockDomain.waitSampling(); dut.io.memReset #= false }
    private val registers = AxiLite4Driver(dut.io.regs, dut.clockDomain)
    dut.clockDomain.waitSampling(50)
    dut.clockDomain.onSamplings(step())

    private def step(): Unit = {
      cycle += 1
      val rx = dut.io.net.rx
      if (rx.valid.toBoolean && rx.last.toBoolean) zero = cycle
      for ((name, wires) <- seen if wires.forall(_.toBoolean)) at.getOrElseUpdate(name, cycle)
      val mem = dut.io.mem
      for ((name, stream) <- Seq("memory AR" -> mem.ar, "memory R" -> mem.r, "memory W" -> mem.w, "memory B" -> mem.b))
        if (stream.valid.toBoolean && stream.ready.toBoolean) at(name) = cycle
      val tx = dut.io.net.tx
      if (tx.valid.toBoolean) {
        at.getOrElseUpdate("first out", cycle)
        got ++= Frames.bytesOf(tx.data.toBigInt, tx.keep.toBigInt)
        if (tx.last.toBoolean) {
          at("last out") = cycle
          answers += 1
        }
      }
      model.step(cycle)
      rx.valid #= frame.nonEmpty
      if (frame.nonEmpty) {
        val (data, keep, last) = frame.dequeue()
        rx.data #= data
        rx.keep #= keep
        rx.last #= last
        rx.user #= 0
      }
    }

    private def waitFor(what: String, cycles: Int)(condition: => Boolean): Unit = {
      val end = cycle + cycles
      while (!condition) {
        dut.clockDomain.waitSampling()
        require(cycle < end, s"$what did not happen within $cycles cycles")
      }
    }

    private def spec(test: Case, again: Boolean): Frames.Bytes = {
      if (!again) opId += 1
      FrameSpec(
        mac,
        BigInt("020000000002", 16),
        dstIp = ip,
        dstPort = Wire.DEFAULT_UDP_PORT,
        opcode = test.opcode,
        epoch = test.epoch,
        pid = pid,
        opId = opId,
        va = test.va,
        length = test.length,
        payload = test.payload
      ).bytes
    }

    private def measure(test: Case, again: Boolean = false): Row = {
      if (!again) opId += 1
      val spec = FrameSpec(
        mac,
        BigInt("020000000002", 16),
        dstIp = ip,
        dstPort = Wire.DEFAULT_UDP_PORT,
        opcode = test.opcode,
        epoch = test.epoch,
        pid = pid,
        opId = opId,
        va = test.va,
        length = test.length,
        payload = test.payload
      )
      val beats = Frames.beats(spec.bytes)
      got.clear()
      dut.clockDomain.waitSampling(20)
      at.clear()
      val before = answers
      frame ++= beats
      waitFor(test.name, 2000)(answers > before)
      dut.clockDomain.waitSampling(20)
      val status = got(42 + Wire.Field.EPOCH._1) & Wire.STATUS_CODE_MASK
      require(status == test.status, s"${test.name}: status $status instead of ${test.status}")
      Row(test.name, beats.size, seams.map(name => name -> at.get(name).map(_ - zero)))
    }

    private def wide(low: Int, value: BigInt): Unit = {
      registers.write(low, value & 0xffffffffL)
      registers.write(low + 4, value >> 32)
    }

    /** Replace with the masks given; with none, it only takes the page out of the TLB. */
    private def replace(vpn: Int, write: BigInt, value: BigInt): Unit = {
      registers.write(Register.REPLACE_PID, pid)
      registers.write(Register.REPLACE_VPN, vpn)
      wide(Register.REPLACE_COMPARE_LOW, 0)
      wide(Register.REPLACE_EXPECTED_LOW, 0)
      wide(Register.REPLACE_WRITE_LOW, write)
      wide(Register.REPLACE_NEW_LOW, value)
      registers.write(Register.REPLACE_GO, 1)
      waitFor("replace", 2000)(registers.read(Register.REPLACE_STATUS) == Wire.ReplaceStatus.DONE)
    }

    private def boot(): Unit = {
      registers.write(Register.MAC_LOW, mac & 0xffffffffL)
      registers.write(Register.MAC_HIGH, mac >> 32)
      registers.write(Register.IP, ip)
      registers.write(Register.UDP_PORT, Wire.DEFAULT_UDP_PORT)
      registers.write(Register.EPOCH, epoch)
      registers.write(Register.WINDOW, 1 << 20)
      // One row: every Mneme packet is the fast path's.
      registers.write(Register.MAT_VALUE0, 0x08001100L)
      registers.write(Register.MAT_VALUE1, Wire.DEFAULT_UDP_PORT)
      registers.write(Register.MAT_MASK0, 0xffffff00L)
      registers.write(Register.MAT_MASK1, 0xffff)
      registers.write(Register.MAT_COMMIT, (1 << 16) | (Wire.MatAction.FAST << 8))
      registers.write(Register.CONTROL, 1)
      val rights = Seq(Wire.Pte.ALLOCATED, Wire.Pte.READ, Wire.Pte.WRITE).map(BigInt(1) << _).sum
      replace(vpn = 0, write = (BigInt(1) << 64) - 1, value = rights)
      registers.write(Register.ZERO_PUSH, 100)
      waitFor("zeroing", 10000)(registers.read(Register.ASYNC_LEVEL) == 1)
      // The filter frees all its entries first.
      dut.clockDomain.waitSampling(2 * c.filterEntries)
    }

    /** Keeps all packet slots but two busy, so that no frame finds none. */
    private def saturate(name: String, make: Int => Case): Rate = {
      val requests = 200
      val before = answers
      var sent = 0
      var firstEnd = 0L
      while (answers < before + requests) {
        if (frame.isEmpty && sent < requests && sent - (answers - before) < c.packetSlots - 2) {
          frame ++= Frames.beats(spec(make(sent), again = false))
          sent += 1
        }
        if (firstEnd == 0 && answers > before) firstEnd = cycle
        dut.clockDomain.waitSampling()
      }
      val bytes = make(0).length
      val rate = Rate(name, latency, requests - 1, bytes, cycle - firstEnd)
      dut.clockDomain.waitSampling(200)
      rate
    }

    private val bytes = FrameSpec.payload(random, 1024)
    private def write(name: String, n: Int, va: Int = 0) = Case(name, Opcode.WRITE, va, n, bytes.take(n))
    private def read(name: String, n: Int, va: Int = 0) = Case(name, Opcode.READ, va, n)

    def rates(): Seq[Rate] = {
      boot()
      measure(write("a page for all of them", 16))
      Seq(
        saturate("read 16 B", i => read("", 16, 1024 * (i % 64))),
        saturate("read 1 KB", i => read("", 1024, 1024 * (i % 64))),
        saturate("read 1 KB at offset 61", i => read("", 1024, 1024 * (i % 64) + 61)),
        saturate("write 16 B", i => write("", 16, 1024 * (i % 64))),
        saturate("write 1 KB", i => write("", 1024, 1024 * (i % 64))),
        saturate("write 1 KB at offset 61", i => write("", 1024, 1024 * (i % 64) + 61)),
        saturate("fetch-and-add", i => Case("", Opcode.FETCH_ADD, 8 * i, 8, bytes.take(8))),
        saturate("read and write 16 B in turn", i => if (i % 2 == 0) read("", 16, 1024 * (i % 64)) else write("", 16, 1024 * (i % 64)))
      )
    }

    def single(): Seq[Row] = {
      boot()
      val first = Seq(
        measure(read("read 16 B, page never written", 16)),
        measure(write("write 16 B, page fault", 16)),
        measure(read("read 16 B, TLB hit", 16)),
        measure(read("read 16 B over a line", 16, 56)),
        measure(read("read 1 KB", 1024)),
        measure(write("write 16 B, TLB hit", 16)),
        measure(write("write 1 KB", 1024)),
        measure(Case("fetch-and-add", Opcode.FETCH_ADD, 64, 8, bytes.take(8))),
        measure(Case("compare-and-swap, no match", Opcode.COMPARE_SWAP, 64, 8, bytes.take(16))),
        measure(Case("fence", Opcode.FENCE)),
        measure(write("write, to be repeated", 16)),
        measure(write("the same write again", 16), again = true),
        measure(read("read, page not allocated", 16, 1 << c.pageBits).copy(status = Status.UNMAPPED)),
        measure(read("read, wrong epoch", 16).copy(epoch = epoch + 1, status = Status.STALE))
      )
      replace(vpn = 0, write = 0, value = 0)
      first :+ measure(read("read 16 B, TLB miss", 16))
    }
  }

  private def table(rows: Seq[Row]): String = {
    val widths = seams.map(_.length max 4)
    val head = f"${s"${c.name}: cycles from the last beat in"}%-38s beats  " + seams.zip(widths).map { case (s, w) => s.padTo(w, ' ') }.mkString("  ")
    val lines = rows.map { row =>
      val cells = row.at.zip(widths).map { case ((_, at), w) => at.map(_.toString).getOrElse("-").reverse.padTo(w, ' ').reverse }
      f"${row.name}%-38s ${row.frameBeats}%5d  " + cells.mkString("  ")
    }
    (head +: lines).mkString("", "\n", "\n")
  }

  private def json(rows: Seq[Row]): String = rows.map { row =>
    val cells = row.at.collect { case (name, Some(at)) => s""""$name":$at""" }
    s"""{"name":"${row.name}","config":"${c.name}","beats_in":${row.frameBeats},"cycles":{${cells.mkString(",")}}}"""
  }.mkString("[", ",", "]")
}
