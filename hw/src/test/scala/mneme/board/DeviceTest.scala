package mneme.board

import mneme.{Faults, Simulation}
import mneme.net.{FrameBeat, Frames}
import mneme.regs.RegisterBlock
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister._
import mneme.wire.Wire.{PortCounter, PortRegister, Target}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver

import scala.collection.mutable
import scala.util.Random

/** The device block with its rings, seen by the daemon: every rule of `docs/reference/device.md`. The core is the bench's. */
class DeviceTest extends AnyFunSuite {
  private class Device(c: RingConfig) extends Component {
    val io = new Bundle {
      val bus = slave(AxiLite4(RegisterGate.busConfig))
      val core = master(AxiLite4(RegisterBlock.busConfig))
      val received = slave(Stream(FrameBeat()))
      val sent = master(Stream(FrameBeat()))
      val memory = master(Axi4(c.axi))
      val memoryReady = in Bool ()
      val port = master(PortSide())
      val interrupt = out Bool ()
      val restart = out Bool ()
      val restarting = in Bool ()
    }
    private val gate = Crossing.unreset(ClockDomain.current)(RegisterGate())
    private val block = DeviceBlock(c, Target.ZCU106, ports = 1)
    val plantedFaults = Faults.port(SlotFault, plantable = true)
    private val dma = RingDma(c, new Faults[SlotFault.Value](plantedFaults))
    gate.io.bus << io.bus
    gate.io.core >> io.core
    block.io.bus << gate.io.device
    gate.io.coreResets := ClockDomain.current.isResetActive
    block.io.memoryReady := io.memoryReady
    block.io.restarting := io.restarting
    io.restart := block.io.restart
    io.port <> block.io.ports(0)
    io.interrupt := block.io.interrupt
    block.io.ring <> dma.io.registers
    dma.io.received << io.received
    dma.io.sent >> io.sent
    dma.io.memory >> io.memory
  }
  private val narrow = RingConfig(longest = 300, slots = 4, dataBits = 64)
  private val wide = RingConfig(longest = 1514, slots = 8)
  private lazy val models = Seq(narrow, wide).map(c => c -> Simulation.config.compile(new Device(c))).toMap

  private class Bench(val dut: Device, c: RingConfig, seed: Int, planted: Option[SlotFault.Value]) {
    val r = new Random(seed)
    val clock: ClockDomain = dut.clockDomain
    SimTimeout(40000000)
    clock.forkStimulus(10)
    dut.plantedFaults.get #= planted.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
    dut.io.memoryReady #= true
    dut.io.restarting #= false
    dut.io.core.b.valid #= false
    dut.io.core.r.valid #= false
    dut.io.core.aw.ready #= false
    dut.io.core.w.ready #= false
    dut.io.core.ar.ready #= false
    dut.io.port.value #= 0
    // A clock domain in reset is not sampled, and the processor knows no reset of the core's.
    private val processor = Crossing.unreset(clock)
    val memory = new RingMemory(dut.io.memory, processor, c, r)
    private val driver = AxiLite4Driver(dut.io.bus, processor)
    driver.reset()
    def read(address: Int): BigInt = driver.read(address)
    def write(address: Int, value: BigInt): Unit = driver.write(address, value)
    val daemon = new RingDaemon(memory, c, read, write, () => clock.waitSampling(20))

    /** Frames of the core that have not gone, and those that have come to it, with whether they are damaged. */
    val toDaemon = mutable.Queue[Seq[Int]]()
    val sent = mutable.ArrayBuffer[(Seq[Int], Boolean)]()
    /** The core takes beats; it offers them. */
    var (takes, offers) = (0.7, 0.7)
    private val beats = mutable.Queue[(BigInt, BigInt, Boolean)]()
    private val coming = mutable.ArrayBuffer[Int]()
    def forget(): Unit = { beats.clear(); coming.clear(); dut.io.received.valid #= false }
    /** The frame that the board is taking has begun. */
    def begun: Boolean = beats.nonEmpty
    dut.io.received.valid #= false
    dut.io.sent.ready #= false
    clock.onSamplings {
      val (in, out) = (dut.io.received, dut.io.sent)
      if (out.valid.toBoolean && out.ready.toBoolean) {
        coming ++= Frames.bytesOf(out.data.toBigInt, out.keep.toBigInt)
        if (out.last.toBoolean) { sent += ((coming.toSeq, out.user.toInt == 1)); coming.clear() }
        else assert(out.user.toInt == 0)
      }
      out.ready #= r.nextDouble() < takes
      if (in.valid.toBoolean && in.ready.toBoolean) { beats.dequeue(); in.valid #= false }
      if (!in.valid.toBoolean || in.ready.toBoolean) {
        if (beats.isEmpty && toDaemon.nonEmpty) beats ++= Frames.beats(toDaemon.dequeue().toArray)
        if (beats.nonEmpty && r.nextDouble() < offers) {
          val (data, keep, last) = beats.head
          in.valid #= true
          in.data #= data; in.keep #= keep; in.last #= last; in.user #= 0
        }
      }
    }
    def frame(length: Int): Seq[Int] = Seq.fill(length)(r.nextInt(256))
    def someLength: Int = 14 + r.nextInt(c.longest - 13)
    def until(what: String, most: Int = 20000)(condition: => Boolean): Unit = {
      var left = most
      while (!condition) { clock.waitSampling(5); left -= 5; assert(left > 0, s"never: $what") }
    }
    def running: Boolean = (read(RING_STATUS) & Wire.RING_RUNNING) != 0
  }
  private def run(name: String, c: RingConfig, planted: Option[SlotFault.Value] = None)(body: Bench => Unit): Unit =
    models(c).doSim(name.map(x => if (x.isLetterOrDigit) x else '_').take(40), 1) { dut =>
      val b = new Bench(dut, c, name.hashCode, planted)
      b.clock.waitSampling(20)
      body(b)
    }
  private val bodies = mutable.Map[String, Bench => Unit]()
  private def bench(name: String, c: RingConfig = wide)(body: Bench => Unit): Unit = {
    bodies(name) = body
    test(name)(run(name, c)(body))
  }

  for ((c, name) <- Seq(narrow -> "64", wide -> "128"))
    bench(s"frames of every length go both ways, through many rounds of the rings, $name bits", c) { b =>
      b.daemon.start()
      val (lengths, firsts) = ((14 to (c.longest min 200)) ++ Seq(c.longest - 1, c.longest), mutable.ArrayBuffer[Seq[Int]]())
      val frames = lengths.map(b.frame)
      b.toDaemon ++= frames
      val left = mutable.Queue.from(frames)
      b.until("all frames", 200000) {
        if (b.r.nextInt(20) == 0) firsts ++= b.daemon.receive()
        if (left.nonEmpty && b.r.nextInt(20) == 0) {
          for (_ <- 0 until (b.daemon.room min left.size)) b.daemon.put(left.dequeue())
          b.daemon.tell()
        }
        firsts.size == frames.size && b.sent.size == frames.size
      }
      // Memory may show a frame before the board knows that it does.
      b.until("the last one's count")(b.read(RX_HEAD) == frames.size)
      assert(firsts == frames && b.sent == frames.map(_ -> false))
      assert(b.read(RX_HEAD) == frames.size && b.read(RX_TAIL) == frames.size && b.read(TX_HEAD) == frames.size && b.read(TX_TAIL) == frames.size)
      assert(b.read(RING_LOST) == 0 && b.read(RING_REFUSED) == 0 && b.read(RING_STATUS) == Wire.RING_RUNNING)
      assert(frames.size > 20 * c.slots)
    }

  bench("a full receive ring makes the core wait, and goes on with each slot that is freed") { b =>
    b.daemon.start()
    val frames = Seq.fill(3 * wide.slots)(b.frame(b.someLength))
    b.toDaemon ++= frames
    b.until("a full ring")(b.read(RX_HEAD) == wide.slots)
    b.clock.waitSampling(2000)
    assert(b.read(RX_HEAD) == wide.slots && b.toDaemon.size == 2 * wide.slots - 1)
    val got = mutable.ArrayBuffer.from(b.daemon.receive(keeps = true))
    b.clock.waitSampling(500)
    assert(got == frames.take(wide.slots) && b.read(RX_HEAD) == wide.slots, "slots are free when the daemon says so, not before")
    b.daemon.free()
    b.until("the rest") { got ++= b.daemon.receive(); got.size == frames.size }
    assert(got == frames)
    // A count before the board's own is no reason to stop.
    b.write(RX_TAIL, frames.size + 1)
    b.toDaemon += b.frame(60)
    b.until("one more")(b.read(RX_HEAD) == frames.size + 1)
  }

  bench("a frame's sequence is written when memory has all of the frame") { b =>
    b.daemon.start()
    b.toDaemon ++= Seq.fill(wide.slots)(b.frame(b.someLength))
    b.until("frames")(b.read(RX_HEAD) == wide.slots)
    for (n <- 0 until wide.slots) {
      val lines = b.daemon.lines(0, n)
      val order = b.memory.changed.filter(lines.contains).toSeq
      assert(order.last == lines.head && order.count(_ == lines.head) == 1 && order.size >= 2, s"frame $n: $order")
    }
  }

  bench("lengths and sequences that cannot be are refused one by one") { b =>
    b.daemon.start()
    val good = Seq.fill(4)(b.frame(b.someLength))
    val wrong = Seq[(Option[Int], Option[Int])](
      Some(0) -> None,
      Some(13) -> None,
      Some(wide.mostBytes + 1) -> None,
      Some(-1) -> None,
      Some(0x10000 + 60) -> None,
      None -> Some(0),
      None -> Some(-1)
    )
    for (((length, sequence), i) <- wrong.zipWithIndex) {
      b.daemon.put(b.frame(60), length, sequence)
      if (i % 2 == 0) b.daemon.put(good(i / 2))
      b.daemon.tell()
      b.until("refused")(b.read(RING_REFUSED) == i + 1)
    }
    b.daemon.put(b.frame(14))
    b.daemon.put(b.frame(wide.mostBytes))
    b.daemon.tell()
    b.until("good ones")(b.sent.size == good.size + 2)
    assert(b.sent.take(4) == good.map(_ -> false) && b.sent.map(_._1.size).takeRight(2) == Seq(14, wide.mostBytes))
    assert(b.read(TX_TAIL) == wrong.size + good.size + 2 && b.read(RING_LOST) == 0)
  }

  bench("a TX_HEAD far away reads no more than all slots, none of which has its sequence") { b =>
    b.daemon.start()
    for (head <- Seq(BigInt(wide.slots + 1), BigInt("ffffffff", 16), BigInt("80000000", 16))) {
      val (from, refused) = (b.read(TX_TAIL), b.read(RING_REFUSED))
      b.memory.read.clear()
      b.write(TX_HEAD, head)
      assert(b.read(TX_HEAD) == from + wide.slots)
      b.until("all slots")(b.read(TX_TAIL) == from + wide.slots)
      b.clock.waitSampling(500)
      assert(b.memory.read.size == wide.slots && b.read(RING_REFUSED) == refused + wide.slots && b.sent.isEmpty)
    }
  }

  bench("errors of memory lose a frame each, and the rings go on") { b =>
    b.daemon.start()
    val frames = Seq.fill(6)(b.frame(700 + b.r.nextInt(500)))
    // Of the first frame a line, of the second its last one, of the third its header; each slot is written again.
    val bad = Seq(b.daemon.lines(0, 0)(3), b.daemon.lines(0, 0)(1 + (frames(1).size - 1) / 64), b.daemon.lines(0, 0).head)
    for ((line, i) <- bad.zipWithIndex) {
      b.memory.badWrites += line
      b.toDaemon += frames(i)
      b.until("a lost frame")(b.read(RING_LOST) == i + 1)
      assert(b.read(RING_STATUS) == (Wire.RING_ERROR | Wire.RING_RUNNING) && b.daemon.receive().isEmpty && b.read(RX_HEAD) == 0)
      b.write(RING_STATUS, 0)
      assert(b.read(RING_STATUS) == Wire.RING_RUNNING && (b.read(RING_PENDING) & Wire.PENDING_RECEIVED) == 0)
      b.memory.badWrites.clear()
    }
    b.toDaemon += frames(3)
    var got = Seq[Seq[Int]]()
    b.until("a frame") { got ++= b.daemon.receive(); got.nonEmpty }
    assert(got == Seq(frames(3)))
    // Transmit: a header, a line in the midst, the last line.
    val lines = Seq(b.daemon.lines(1, 0).head, b.daemon.lines(1, 1)(4), b.daemon.lines(1, 2)(1 + (frames(2).size - 1) / 64))
    b.memory.badReads ++= lines
    for (frame <- frames.take(4)) b.daemon.put(frame)
    b.daemon.tell()
    b.until("all of them")(b.read(TX_TAIL) == 4 && b.sent.size == 3)
    assert(b.read(RING_LOST) == 6 && b.read(RING_REFUSED) == 0 && (b.read(RING_STATUS) & Wire.RING_ERROR) != 0)
    assert(b.sent.map(_._2) == Seq(true, true, false) && b.sent.last._1 == frames(3), "a frame that lost a line leaves as a damaged one")
  }

  bench("a frame that is longer than a slot is lost and stays within it; the next one goes on") { b =>
    b.daemon.start()
    val next = b.daemon.lines(0, 1).head
    for ((length, i) <- Seq(wide.mostBytes + 1, wide.mostBytes + 64, 3 * wide.mostBytes).zipWithIndex) {
      b.toDaemon += b.frame(length)
      b.until("lost")(b.read(RING_LOST) == i + 1)
      assert(b.read(RX_HEAD) == 0 && !b.memory.written.contains(next), s"$length bytes")
    }
    val frame = b.frame(wide.mostBytes)
    b.toDaemon += frame
    b.until("a frame")(b.read(RX_HEAD) == 1)
    assert(b.daemon.receive() == Seq(frame))
  }

  bench("a stop at any time ends the frame under way, and nothing is written after it; the next start begins from 0") { b =>
    for (round <- 0 until 60) {
      b.daemon.start()
      for (register <- Seq(RX_HEAD, RX_TAIL, TX_HEAD, TX_TAIL)) assert(b.read(register) == 0)
      val frames = Seq.fill(1 + b.r.nextInt(4))(b.frame(b.someLength))
      b.toDaemon ++= frames
      for (frame <- frames) b.daemon.put(frame)
      b.daemon.tell()
      b.clock.waitSampling(b.r.nextInt(400))
      b.write(RING_CONTROL, 0)
      b.until("it stops")(!b.running)
      val (heads, writes, reads) = ((b.read(RX_HEAD), b.read(TX_TAIL)), b.memory.written.size, b.memory.read.size)
      assert(b.memory.idle)
      b.clock.waitSampling(300)
      assert(b.memory.idle && b.memory.written.size == writes && b.memory.read.size == reads, s"round $round")
      assert(b.daemon.receive(keeps = true).size == heads._1 && b.sent.size == heads._2, s"round $round")
      assert(b.sent.map(_._1) == frames.take(b.sent.size))
      // What had not begun waits in the core, whole.
      b.until("the core's frames") { b.daemon.start(); b.clock.waitSampling(600); b.daemon.receive(); b.toDaemon.isEmpty && !b.begun }
      b.sent.clear()
    }
  }

  bench("an enable that comes back before the frame has ended starts the rings after it") { b =>
    b.daemon.start()
    b.toDaemon += b.frame(1514)
    b.until("it begins")(b.begun)
    b.clock.waitSampling(30)
    b.offers = 0
    b.write(RING_CONTROL, 0)
    b.write(RING_CONTROL, Wire.RING_ENABLE)
    b.clock.waitSampling(100)
    assert(b.running && b.read(RX_HEAD) == 0)
    b.offers = 1
    b.until("the frame")(!b.begun)
    b.clock.waitSampling(300)
    assert(b.read(RX_HEAD) == 0 && b.running, "the count of the run before is gone")
    b.daemon.stop()
    b.daemon.start()
    b.toDaemon += b.frame(100)
    b.until("a frame")(b.daemon.receive().size == 1)
  }

  bench("the interrupt is the level of what is pending, and no event is lost") { b =>
    b.daemon.start()
    b.toDaemon += b.frame(60)
    b.until("a frame")(b.read(RING_PENDING) == Wire.PENDING_RECEIVED)
    assert(!b.dut.io.interrupt.toBoolean, "it was not asked for")
    b.write(RING_CONTROL, Wire.RING_ENABLE | Wire.RING_INTERRUPT)
    b.clock.waitSampling(5)
    assert(b.dut.io.interrupt.toBoolean)
    b.write(RING_PENDING, Wire.PENDING_SENT)
    assert(b.dut.io.interrupt.toBoolean)
    b.write(RING_PENDING, Wire.PENDING_RECEIVED)
    b.clock.waitSampling(5)
    assert(!b.dut.io.interrupt.toBoolean && b.read(RING_PENDING) == 0)
    b.daemon.put(b.frame(60))
    b.daemon.tell()
    b.until("it left")(b.dut.io.interrupt.toBoolean)
    assert(b.read(RING_PENDING) == Wire.PENDING_SENT)
    b.write(RING_PENDING, 3)
    // A daemon that clears, looks, and then waits for the interrupt sees every frame.
    var got = b.daemon.receive().size
    val count = 200
    val feeds = fork { for (_ <- 0 until count) { b.toDaemon += b.frame(14 + b.r.nextInt(60)); b.clock.waitSampling(b.r.nextInt(120)) } }
    b.until("every frame", 200000) {
      if (b.dut.io.interrupt.toBoolean) {
        b.write(RING_PENDING, 3)
        got += b.daemon.receive().size
      }
      got == count + 1
    }
    feeds.join()
  }

  bench("the block tells what it is; RING_BASE holds still while the rings run, and wrong addresses do nothing") { b =>
    assert(b.read(DEVICE_MAGIC) == Wire.DEVICE_MAGIC && b.read(DEVICE_VERSION) == Wire.DEVICE_VERSION && b.read(DEVICE_TARGET) == Target.ZCU106)
    assert(b.read(DEVICE_PORTS) == 1 && b.read(RING_SLOTS) == wide.slots && b.read(RING_SLOT_BYTES) == wide.slotBytes)
    for (ready <- Seq(false, true)) { b.dut.io.memoryReady #= ready; assert(b.read(DEVICE_STATUS) == (if (ready) 1 else 0)) }
    b.daemon.start()
    val base = (b.read(RING_BASE_HIGH), b.read(RING_BASE_LOW))
    assert(base == (BigInt(0x40), BigInt(0x12340)))
    b.write(RING_BASE_LOW, 0)
    b.write(RING_BASE_HIGH, 0)
    assert((b.read(RING_BASE_HIGH), b.read(RING_BASE_LOW)) == base)
    for (register <- Seq(DEVICE_MAGIC, RX_HEAD, TX_TAIL, RING_LOST, RING_REFUSED, 0x1048, 0x10fc, 0x1ffc)) {
      val before = b.read(register)
      b.write(register, 0xffffffffL)
      assert(b.read(register) == before)
    }
    assert(b.read(0x1048) == 0 && b.read(0x1ffc) == 0)
    b.daemon.stop()
    b.write(RING_BASE_LOW, 0xffffffffL)
    b.daemon.start()
    b.toDaemon += b.frame(60)
    b.until("a frame at a whole line")(b.daemon.receive().size == 1)
  }

  bench("a port's registers and counters are at its place") { b =>
    import Wire.{PORT_BASE, PORT_COUNTERS}
    val port = b.dut.io.port
    b.clock.onSamplings(port.value #= 1000 + port.counter.toInt)
    for ((name, number) <- PortCounter.all) assert(b.read(PORT_BASE + PORT_COUNTERS + 4 * number) == 1000 + number, name)
    assert(b.read(PORT_BASE + PORT_COUNTERS + 4 * PortCounters.COUNT) == 0)
    for (value <- Seq(1, 0)) {
      b.write(PORT_BASE + PortRegister.PORT_CONTROL, value)
      assert(port.sendPauses.toBoolean == (value == 1) && b.read(PORT_BASE + PortRegister.PORT_CONTROL) == value)
    }
    val bits = Seq(
      Wire.PORT_LOCKED -> port.status.lock,
      Wire.PORT_HIGH_ERRORS -> port.status.highErrorRate,
      Wire.PORT_LOCAL_FAULT -> port.status.localFault,
      Wire.PORT_REMOTE_FAULT -> port.status.remoteFault,
      Wire.PORT_PAUSED -> port.status.paused
    )
    for ((bit, signal) <- bits) {
      for ((_, each) <- bits) each #= each == signal
      assert(b.read(PORT_BASE + PortRegister.PORT_STATUS) == bit)
    }
  }

  bench("a reset at any time leaves no access unanswered and no burst of memory unfinished") { b =>
    // The core answers late, or never within its life.
    val core = b.dut.io.core
    var asked = false
    b.clock.onSamplings {
      if (core.ar.valid.toBoolean && core.ar.ready.toBoolean) asked = true
      core.ar.ready #= b.r.nextInt(4) == 0
      if (core.r.valid.toBoolean && core.r.ready.toBoolean) { core.r.valid #= false; asked = false }
      else if (asked && b.r.nextInt(20) == 0) { core.r.valid #= true; core.r.data #= 0x600d; core.r.resp #= 0 }
    }
    var answers = Seq[BigInt]()
    var more = true
    val asks = fork { while (more) answers :+= b.read(0x10) }
    for (_ <- 0 until 40) {
      b.daemon.start()
      b.toDaemon ++= Seq.fill(3)(b.frame(b.someLength))
      for (_ <- 0 until 3) b.daemon.put(b.frame(b.someLength))
      b.daemon.tell()
      b.clock.waitSampling(b.r.nextInt(200))
      b.clock.assertReset()
      b.toDaemon.clear()
      b.forget()
      asked = false
      core.r.valid #= false
      sleep(10 * (1 + b.r.nextInt(30)) + 2)
      b.clock.deassertReset()
      b.until("memory owes nothing")(b.memory.idle)
    }
    more = false
    asks.join()
    assert(answers.toSet == Set(BigInt(0), BigInt(0x600d)), "cut off, or served")
    b.daemon.start()
    b.sent.clear()
    val frame = b.frame(200)
    b.toDaemon += frame
    b.daemon.put(frame)
    b.daemon.tell()
    b.until("frames again")(b.sent.size == 1 && b.daemon.receive() == Seq(frame))
  }

  for (
    (fault, name) <- Seq(
      SlotFault.HeaderEarly -> "a frame's sequence is written when memory has all of the frame",
      SlotFault.WriteErrorsIgnored -> "errors of memory lose a frame each, and the rings go on",
      SlotFault.ReadErrorsIgnored -> "errors of memory lose a frame each, and the rings go on",
      SlotFault.LengthIgnored -> "lengths and sequences that cannot be are refused one by one",
      SlotFault.SequenceIgnored -> "lengths and sequences that cannot be are refused one by one"
    )
  ) test(s"planted: $fault is found") {
    val body = bodies(name)
    intercept[Throwable](run(s"planted_$fault", wide, Some(fault))(body))
  }
}
