package mneme.board

import mneme.{BenchMemory, CBoardConfig, MemoryBus, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig

import scala.util.Random

/** The way to DRAM: the core and the processor each at its own part of memory, at once, over to a clock of any speed. */
class BoardMemoryTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny
  private class Way extends Component {
    val io = new Bundle {
      val clock, ready = in Bool ()
      val core = slave(Axi4(MemoryBus.config(config, MemoryBus.PORT_ID_BITS)))
      val window = slave(Axi4(DramWindow.busConfig(config)))
      val port = master(Axi4(BoardMemory.config(config)))
      val coreReset = out Bool ()
    }
    private val reset = Bool()
    private val controller = ClockDomain(io.clock, reset, config = ClockDomain.current.config)
    private val resets = MemoryReset(controller)
    resets.io.ready := io.ready
    reset := resets.io.memory
    io.coreReset := resets.io.core
    private val memory = ClockDomain.current.copy(reset = resets.io.core)(BoardMemory(config, controller))
    memory.io.core << io.core
    memory.io.window << io.window
    memory.io.port >> io.port
  }
  private lazy val compiled = Simulation.config.compile(new Way)

  /** A master that makes random bursts in `size` bytes from `base` on, and knows what they give. `kinds`: FIXED, INCR, WRAP. */
  private class Master(bus: Axi4, clock: ClockDomain, r: Random, base: Int, size: Int, widest: Int, kinds: Seq[Int]) {
    val bytes = Array.fill(size)(0)
    private val word = 1 << widest
    for (stream <- Seq[Stream[_ <: Data]](bus.ar, bus.aw, bus.w)) stream.valid #= false
    bus.r.ready #= false
    bus.b.ready #= false
    var done = 0
    private def offer(stream: Stream[_ <: Data])(set: => Unit): Unit = {
      if (r.nextInt(3) == 0) clock.waitSampling(r.nextInt(4))
      set
      stream.valid #= true
      clock.waitSamplingWhere(stream.ready.toBoolean)
      stream.valid #= false
    }
    private def take(stream: Stream[_ <: Data]): Unit = {
      if (r.nextInt(3) == 0) clock.waitSampling(r.nextInt(4))
      stream.ready #= true
      clock.waitSamplingWhere(stream.valid.toBoolean)
      stream.ready #= false
    }

    /** A burst as AXI4 has it (A3.4.1): the first and last byte of each beat. */
    private case class Burst(kind: Int, log: Int, beats: Int, from: Int) {
      private val (width, whole) = (1 << log, (1 << log) * beats)
      def beat(i: Int): (Int, Int) = {
        val aligned = from / width * width
        val at = kind match {
          case 0 => from
          case _ if i == 0 => from
          case 1 => aligned + i * width
          case 2 => from / whole * whole + (from % whole + i * width) % whole
        }
        (at, at / width * width + width - 1)
      }
    }
    private def draw(): Burst = {
      val kind = kinds(r.nextInt(kinds.size))
      val log = if (kinds.size == 1) widest else r.nextInt(widest + 1)
      val beats = kind match { case 2 => 2 << r.nextInt(4); case 0 => 1 + r.nextInt(16); case _ => 1 + r.nextInt(if (r.nextInt(4) == 0) 64 else 8) }
      val room = (4096 min size) / 4096 * 4096 - beats * (1 << log)
      val page = r.nextInt(size / 4096) * 4096
      if (room < 0) draw()
      else {
        val at = page + r.nextInt(room + 1)
        Burst(kind, log, beats, if (kind == 2 || kinds.size == 1) at >> log << log else at)
      }
    }
    def write(): Unit = {
      val b = draw()
      offer(bus.aw) { bus.aw.addr #= base + b.from; bus.aw.len #= b.beats - 1; bus.aw.size #= b.log; bus.aw.burst #= b.kind; bus.aw.id #= r.nextInt(16) }
      for (i <- 0 until b.beats) {
        val (first, last) = b.beat(i)
        var (data, strobes) = (BigInt(0), BigInt(0))
        for (at <- first to last if r.nextInt(8) > 0) {
          bytes(at) = r.nextInt(256)
          data |= BigInt(bytes(at)) << (8 * (at % word))
          strobes |= BigInt(1) << (at % word)
        }
        offer(bus.w) { bus.w.data #= data; bus.w.strb #= strobes; bus.w.last #= i == b.beats - 1 }
      }
      take(bus.b)
      assert(bus.b.resp.toInt == 0 && bus.b.id.toInt == bus.aw.id.toInt)
      done += 1
    }
    def read(): Unit = {
      val b = draw()
      offer(bus.ar) { bus.ar.addr #= base + b.from; bus.ar.len #= b.beats - 1; bus.ar.size #= b.log; bus.ar.burst #= b.kind; bus.ar.id #= r.nextInt(16) }
      for (i <- 0 until b.beats) {
        take(bus.r)
        val ((first, last), data) = (b.beat(i), bus.r.data.toBigInt)
        for (at <- first to last) assert(((data >> (8 * (at % word))) & 0xff) == bytes(at), s"byte $at of beat $i of $b")
        assert(bus.r.last.toBoolean == (i == b.beats - 1) && bus.r.id.toInt == bus.ar.id.toInt)
      }
      done += 1
    }
    def run(count: Int) = fork(for (_ <- 0 until count) if (r.nextBoolean()) write() else read())
  }

  private def up(dut: Way, period: Int): ClockDomain = {
    SimTimeout(4000L * 2000000)
    dut.io.ready #= false
    dut.clockDomain.deassertReset()
    dut.clockDomain.forkStimulus(4000, resetCycles = 1)
    LineSim.run(dut.io.clock, period)
    ClockDomain(dut.io.clock)
  }

  for (period <- Seq(3334, 4001, 11000, 1500))
    test(s"bursts of every kind, of the core and of the processor at once, to a controller of $period ps") {
      compiled.doSim(s"bursts_$period", 1) { dut =>
        val r = new Random(period)
        val memory = up(dut, period)
        val store =
          new BenchMemory(
            dut.io.port,
            memory,
            AxiMemorySimConfig(interruptProbability = 20, interruptMaxDelay = 5, readResponseDelay = 5, writeResponseDelay = 5)
          )
        val clock = dut.clockDomain
        val masters = Seq(
          new Master(dut.io.core, clock, r, 0, 1 << 16, widest = 6, kinds = Seq(1)),
          new Master(dut.io.window, clock, r, 1 << 16, 1 << 14, widest = 4, kinds = Seq(0, 1, 1, 1, 2))
        )
        store.write(0, new Array[Byte]((1 << 16) + (1 << 14)))
        clock.waitSampling(50)
        assert(dut.io.coreReset.toBoolean, "nothing begins before the controller is there")
        dut.io.ready #= true
        clock.waitSamplingWhere(!dut.io.coreReset.toBoolean)
        clock.waitSampling(5)
        val threads = masters.map(_.run(400))
        threads.foreach(_.join())
        for ((m, base) <- masters.zip(Seq(0, 1 << 16)))
          assert(store.read(base, m.bytes.length).toSeq.map(_ & 0xff) == m.bytes.toSeq, s"memory from $base on")
      }
    }

  test("an error of the controller is told, for the lines that have it") {
    compiled.doSim("errors", 1) { dut =>
      val memory = up(dut, 3334)
      dut.io.ready #= true
      val (port, clock) = (dut.io.port, dut.clockDomain)
      for (s <- Seq[Stream[_ <: Data]](dut.io.core.ar, dut.io.core.aw, dut.io.core.w, dut.io.window.ar, dut.io.window.aw, dut.io.window.w)) s.valid #= false
      port.r.valid #= false
      port.b.valid #= false
      for (ready <- Seq(port.ar.ready, port.aw.ready, port.w.ready, dut.io.window.r.ready, dut.io.window.b.ready)) ready #= true
      // Every second line is bad.
      memory.onSamplings {
        if (port.r.valid.toBoolean && port.r.ready.toBoolean) port.r.valid #= false
        if (port.b.valid.toBoolean && port.b.ready.toBoolean) port.b.valid #= false
        if (port.ar.valid.toBoolean) {
          port.r.valid #= true; port.r.id #= port.ar.id.toInt; port.r.last #= true; port.r.resp #= (if (port.ar.addr.toInt % 128 == 64) 2 else 0)
        }
        if (port.aw.valid.toBoolean) { port.b.valid #= true; port.b.id #= port.aw.id.toInt; port.b.resp #= (if (port.aw.addr.toInt % 128 == 64) 2 else 0) }
      }
      clock.waitSampling(100)
      for (from <- 0 until 256 by 16) {
        val window = dut.io.window
        for ((command, other) <- Seq[(Stream[_ <: Axi4Ax], Stream[_ <: Axi4Ax])](window.ar -> window.aw, window.aw -> window.ar)) {
          command.addr #= from; command.len #= 7; command.size #= 4; command.burst #= 1; command.id #= 5
          command.valid #= true
          clock.waitSamplingWhere(command.ready.toBoolean)
          command.valid #= false
          other.valid #= false
          if (command == window.ar) for (i <- 0 until 8) {
            clock.waitSamplingWhere(window.r.valid.toBoolean)
            assert(window.r.resp.toInt == (if ((from + 16 * i) % 128 >= 64) 2 else 0), s"beat $i from $from")
          }
          else {
            window.w.valid #= true
            for (i <- 0 until 8) { window.w.last #= i == 7; window.w.strb #= 0xffff; clock.waitSamplingWhere(window.w.ready.toBoolean) }
            window.w.valid #= false
            clock.waitSamplingWhere(window.b.valid.toBoolean)
            assert(window.b.resp.toInt == 2, "128 bytes touch a bad line wherever they begin")
          }
        }
      }
      // A controller that goes for a cycle takes both sides with it, and both begin again.
      memory.waitSampling()
      dut.io.ready #= false
      memory.waitSampling()
      dut.io.ready #= true
      clock.waitSamplingWhere(dut.io.coreReset.toBoolean)
      clock.waitSamplingWhere(!dut.io.coreReset.toBoolean)
      clock.waitSampling(10)
      dut.io.window.ar.addr #= 0; dut.io.window.ar.len #= 0
      dut.io.window.ar.valid #= true
      clock.waitSamplingWhere(dut.io.window.ar.ready.toBoolean)
      dut.io.window.ar.valid #= false
      clock.waitSamplingWhere(dut.io.window.r.valid.toBoolean)
      assert(dut.io.window.r.resp.toInt == 0)
    }
  }
}
