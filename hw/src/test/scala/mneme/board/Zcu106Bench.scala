package mneme.board

import mneme.board.PcsReference.control
import mneme.board.XgmiiSim.{characters, fcs, padded}
import mneme.net.{FrameSpec, Frames}
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister._
import mneme.wire.Wire.{Opcode, PortRegister}
import mneme.{BoardRegisters, CBoardConfig, Reply}
import spinal.core._
import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver

import scala.collection.mutable
import scala.util.Random

/** A ZCU106 from the transceiver's boundary to DRAM, with a processor beside it: registers, rings, a window onto DRAM. Periods are in ps. */
class Zcu106Bench(dut: Zcu106, config: CBoardConfig, slots: Int, seed: Int, rx: Int = 6400, tx: Int = 6400, controller: Int = 3334)
    extends BoardRegisters(config) {
  val r = new Random(seed)
  val clock: ClockDomain = dut.clockDomain
  SimTimeout(4000L * 4000000)
  private val processor = Crossing.unreset(clock)
  private val dram = ClockDomain(dut.io.mem_clock)
  /** What is at the other end of each cage's cable. The second one's clocks are others'. */
  val peers: Seq[BoardPeer] = {
    dut.io.rx_signalOk #= true
    val first = new BoardPeer(LineSim.Pins(dut.io.rx_clock, dut.io.tx_clock, dut.io.rx, dut.io.rx_slip, dut.io.tx), r, rx, tx)
    first +: Option(dut.io.second).toSeq.map { pins =>
      pins.rx_signalOk #= true
      new BoardPeer(LineSim.Pins(pins.rx_clock, pins.tx_clock, pins.rx, pins.rx_slip, pins.tx), r, rx + 1, tx - 1)
    }
  }
  val line: LineSim = peers.head.line
  dut.io.mem_reset #= true
  dut.io.mem_calibrated #= false
  dut.io.build.hash #= 0x12345678L
  dut.io.build.date #= 1
  for (valid <- Seq(dut.io.window.ar.valid, dut.io.window.aw.valid, dut.io.window.w.valid)) valid #= false
  dut.io.window.r.ready #= true
  dut.io.window.b.ready #= true
  // 100 ns, about what a controller of DDR4 takes.
  private val memory = new DramSim(dut.io.mem, dram, 1 << config.memBits, latency = 30, () => dut.io.mem_calibrated.toBoolean)
  private val ring = RingConfig(config.maxFrame, slots)
  val rings = new RingMemory(dut.io.ring, processor, ring, r)
  private val driver = AxiLite4Driver(dut.io.regs, processor)
  driver.reset()
  private val bus = SimMutex()
  private def alone[T](access: => T): T = {
    bus.lock();
    try access
    finally bus.unlock()
  }
  def read(address: Int): BigInt = alone(driver.read(address))
  def write(address: Int, value: BigInt): Unit = alone(driver.write(address, value))
  def cycles(count: Int): Unit = processor.waitSampling(count)
  peers.foreach(_.line.runLine())
  LineSim.run(dut.io.mem_clock, controller)
  clock.forkStimulus(4000)

  def until(what: String, most: Int = 200000)(condition: => Boolean): Unit = {
    var left = most
    while (!condition) { cycles(10); left -= 10; assert(left > 0, s"never: $what") }
  }

  def received: mutable.Queue[Seq[Int]] = peers.head.received
  def damaged: Int = peers.head.damaged
  def send(frame: Seq[Int]): Unit = peers.head.send(frame)

  // --- The daemon: what comes out of the ring is answered into the other one.
  val daemon = new RingDaemon(rings, ring, read, write, () => cycles(20))
  var served = 0
  private def serve(frame: Seq[Int]): Unit = {
    served += 1
    val bytes = frame.toArray
    if (Frames.read(bytes, 12, 2) == 0x0806) {
      // RFC 826: who asks is told the board's address.
      val ours = Frames.number(mac, 6).toSeq
      val (theirs, ip) = (frame.slice(22, 28), frame.slice(28, 32))
      daemon.put(theirs ++ ours ++ frame.slice(12, 20) ++ Seq(0, 2) ++ ours ++ frame.slice(38, 42) ++ theirs ++ ip)
    } else daemon.put(frame.updated(43, frame(43) | 0x80).updated(44, 0))
  }
  /** Looks at the ring when the interrupt tells it to. */
  def work(): Unit = fork {
    daemon.start(interrupt = true)
    while (true) {
      cycles(50)
      if (dut.io.irq.toBoolean) {
        write(RING_PENDING, Wire.PENDING_RECEIVED | Wire.PENDING_SENT)
        val frames = daemon.receive()
        frames.foreach(serve)
        if (frames.nonEmpty) daemon.tell()
      }
    }
  }

  // --- Requests over the line, sent again until they are answered.
  private var nextId = 1
  var retries = 0
  /** The frame of the peer at one of the cages. */
  def from(at: Int, request: FrameSpec): Seq[Int] = request.copy(srcMac = request.srcMac + at).bytes.toSeq
  def ask(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, at: Int = 0): Reply = {
    val peer = peers(at)
    nextId += 1
    val id = nextId
    var (attempt, answer) = (0, Option.empty[Reply])
    while (answer.isEmpty) {
      peer.send(from(at, request(opcode, va, length, payload, 7, id).copy(attempt = attempt)))
      var left = 6000
      while (answer.isEmpty && left > 0) {
        cycles(5)
        left -= 5
        while (peer.received.nonEmpty && answer.isEmpty) {
          val frame = peer.received.dequeue()
          // Short answers are padded on the line.
          answer = Some(Reply.of(frame.take(14 + Frames.read(frame.toArray, 16, 2).toInt))).filter(_.opId == id)
        }
      }
      if (answer.isEmpty) { retries += 1; attempt += 1; assert(attempt < 20, "no answer in 20 attempts") }
    }
    answer.get
  }
  /** An answer's time from the block with the request's end to the block with its start, in ns. */
  def timed(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil): Double = {
    cycles(500 + r.nextInt(50))
    line.startOut = 0
    assert(ask(opcode, va, length, payload).status == 0)
    (line.startOut - line.lastBlockIn) / 1000.0
  }

  // --- The processor's window onto DRAM: 16 bytes.
  def look(address: Long): Seq[Int] = {
    val ar = dut.io.window.ar
    ar.addr #= address; ar.len #= 0; ar.size #= 4; ar.burst #= 1; ar.id #= 3
    ar.valid #= true
    processor.waitSamplingWhere(ar.ready.toBoolean)
    ar.valid #= false
    processor.waitSamplingWhere(dut.io.window.r.valid.toBoolean)
    val data = dut.io.window.r.data.toBigInt
    Seq.tabulate(16)(i => ((data >> (8 * i)) & 0xff).toInt)
  }
  def store(address: Long, bytes: Seq[Int]): Unit = {
    val (aw, w) = (dut.io.window.aw, dut.io.window.w)
    aw.addr #= address; aw.len #= 0; aw.size #= 4; aw.burst #= 1; aw.id #= 4
    w.data #= bytes.zipWithIndex.map { case (b, i) => BigInt(b) << (8 * i) }.sum; w.strb #= 0xffff; w.last #= true
    aw.valid #= true
    processor.waitSamplingWhere(aw.ready.toBoolean)
    aw.valid #= false
    w.valid #= true
    processor.waitSamplingWhere(w.ready.toBoolean)
    w.valid #= false
    processor.waitSamplingWhere(dut.io.window.b.valid.toBoolean)
  }

  def calibrate(): Unit = {
    dut.io.mem_reset #= false
    cycles(50)
    dut.io.mem_calibrated #= true
    until("DRAM")((read(DEVICE_STATUS) & Wire.DEVICE_MEMORY_READY) != 0)
  }
  def up(): Unit = {
    cycles(50)
    calibrate()
    boot(pages = 4)
    val link = Wire.PORT_LOCKED | Wire.PORT_LOCAL_FAULT | Wire.PORT_REMOTE_FAULT
    for (i <- peers.indices) until("a link")((read(Wire.PORT_BASE + Wire.PORT_BYTES * i + PortRegister.PORT_STATUS) & link) == Wire.PORT_LOCKED)
  }
  def pings(count: Int): Int = (0 until count).count(_ => ask(Opcode.PING, 0, 0).status == 0)
}

/** A line of a board, and whole frames on it, without their check sequences; how many had wrong ones. */
class BoardPeer(pins: LineSim.Pins, r: Random, rx: Int, tx: Int) {
  val line = new LineSim(pins, r, rx, tx)
  val received = mutable.Queue[Seq[Int]]()
  var damaged = 0
  private val coming = mutable.ArrayBuffer[Int]()
  private var inside = false
  ClockDomain(pins.txClock).onSamplings {
    for (lane <- line.fromPort) lane match {
      case PcsReference.Lane(true, kind) =>
        if (inside && kind == 0xfd) {
          val bytes = coming.drop(7).toSeq
          if (fcs(bytes.dropRight(4)) == bytes.takeRight(4)) received += bytes.dropRight(4) else damaged += 1
        }
        coming.clear()
        inside = lane == control(0xfb)
      case PcsReference.Lane(_, value) => if (inside) coming += value
    }
    line.fromPort.clear()
  }
  def send(frame: Seq[Int]): Unit = line.line(Seq(characters(padded(frame))))
}
