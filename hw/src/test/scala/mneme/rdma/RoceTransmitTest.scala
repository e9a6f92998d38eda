package mneme.rdma

import mneme.{Faults, Simulation}
import mneme.rdma.RoceReference._
import mneme.wire.Wire.RoceCounter
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import java.io.{ByteArrayInputStream, File}
import scala.collection.mutable
import scala.sys.process.{Process, ProcessLogger}
import scala.util.Random

/** The transmit side with the switches of planted faults. */
case class RoceTransmitBench(writes: Boolean) extends Component {
  val faults = in(Faults.bits(RoceFault))
  val transmit = RoceTransmit(new Faults[RoceFault.Value](Some(faults)), writes)
  val io = transmit.io.toIo()
}

/** RETH and immediate data, which a WRITE may have or not. */
case class WriteFields(va: BigInt, rkey: BigInt, length: BigInt, immediate: BigInt)

/** What is to leave, and the frame that is to come of it, which [[RocePacket]] makes. */
case class Leaving(packet: RocePacket, msn: Int, syndrome: Int, original: BigInt, write: WriteFields, failsAt: Option[Int]) {
  def beats: Int = if (packet.opcode == RoceOpcode.CNP) 0 else (packet.payload.size + 63) / 64
  def frame: Bytes = {
    val bytes = packet.bytes
    if (failsAt.isEmpty) bytes else bytes.dropRight(4) ++ bytes.takeRight(4).map(_ ^ 0xff)
  }
}

object Leaving {
  def apply(r: Random, opcode: Int, length: Int, fails: Boolean): Leaving = {
    val (msn, syndrome, original) = (r.nextInt(1 << 24), r.nextInt(256), BigInt(64, r))
    val write = WriteFields(BigInt(64, r), BigInt(32, r), BigInt(32, r), BigInt(32, r))
    val aeth = syndrome +: number(msn, 3)
    val reth = number(write.va, 8) ++ number(write.rkey, 4) ++ number(write.length, 4)
    val extension = opcode match {
      case 0x07 | 0x08 | 0x0e | 0x81 => Nil
      case 0x06 | 0x0a => reth
      case 0x09 => number(write.immediate, 4)
      case 0x0b => reth ++ number(write.immediate, 4)
      case 0x12 => aeth ++ number(original, 8)
      case _ => aeth
    }
    val payload = layout(opcode)._2 match {
      case Any => random(r, length)
      case Zeros => Seq.fill(16)(0)
      case Bare => Nil
    }
    val packet = RocePacket(
      BigInt(48, r),
      RoceTraffic.mac,
      0,
      RoceTraffic.ip,
      srcPort = r.nextInt(0x10000),
      opcode = opcode,
      pkey = r.nextInt(0x10000),
      congestion = if (opcode == 0x81) 0x40 else 0,
      destQp = r.nextInt(1 << 24),
      ack = r.nextInt(2) << 7,
      psn = r.nextInt(1 << 24),
      extension = extension,
      payload = payload
    )
    // Sums of the header that overflow once more when their carries are added are rare; these addresses make some.
    val overflowing = (BigInt(0xffff) << 16) | ((read(packet.bytes, 24, 2) + 1) % 0xffff)
    val address = if (r.nextInt(4) == 0) overflowing else BigInt(32, r)
    val beats = if (opcode == 0x81) 0 else (payload.size + 63) / 64
    new Leaving(packet.copy(dstIp = address), msn, syndrome, original, write, Option.when(fails && beats > 0)(r.nextInt(beats max 1)))
  }
  val answers: Seq[Int] = Seq(0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x81)
  val writes: Seq[Int] = 0x06 to 0x0b
  def any(r: Random, opcodes: Seq[Int]): Leaving = apply(r, opcodes(r.nextInt(opcodes.size)), RoceTraffic.length(r), r.nextInt(8) == 0)

  def drive(port: RoceDeparture, leaving: Leaving): Unit = {
    val p = leaving.packet
    port.dstMac #= p.dstMac
    port.dstIp #= p.dstIp
    port.srcPort #= p.srcPort
    port.opcode #= p.opcode
    port.pkey #= p.pkey
    port.destQp #= p.destQp
    port.psn #= p.psn
    port.ackRequest #= p.ack != 0
    port.syndrome #= leaving.syndrome
    port.msn #= leaving.msn
    port.original #= leaving.original
    port.payload #= (if (p.opcode == 0x81) 0 else p.payload.size)
    if (port.write != null) {
      port.write.va #= leaving.write.va
      port.write.rkey #= leaving.write.rkey
      port.write.length #= leaving.write.length
      port.write.immediate #= leaving.write.immediate
    }
  }
}

/** A port without chains. */
class RoceTransmitTest extends TransmitTests(writes = false)

/** A port that sends WRITEs of replies, too. */
class RoceTransmitWritesTest extends TransmitTests(writes = true)

/** Frames of everything that may leave, byte by byte. */
abstract class TransmitTests(writes: Boolean) extends AnyFunSuite {
  private lazy val compiled = Simulation.config.compile(RoceTransmitBench(writes))
  private val opcodes = Leaving.answers ++ (if (writes) Leaving.writes else Nil)

  /** How often departures, payload and the line pause, of 16 cycles. */
  private case class Pace(departures: Int = 0, payload: Int = 0, line: Int = 0)

  private class Bench(dut: RoceTransmitBench, r: Random, pace: Pace) {
    import dut.io
    private val clock = dut.clockDomain
    private val departures = mutable.Queue[Leaving]()
    private val payload = mutable.Queue[(Bytes, Boolean)]()
    private val due = mutable.Queue[(Leaving, Int)]()
    private val frame = mutable.ArrayBuffer[Int]()
    val frames = mutable.ArrayBuffer[Bytes]()
    val counted = mutable.Map[Int, Int]().withDefaultValue(0)
    /** Cycles from a departure to its first beat, by whether the frame has but one. */
    val latencies = mutable.Map[Boolean, Set[Int]]().withDefaultValue(Set())
    var (cycle, busy) = (0, 0)

    io.departures.valid #= false
    io.payload.valid #= false
    io.frames.ready #= true
    io.local.mac #= RoceTraffic.mac
    io.local.ip #= RoceTraffic.ip
    clock.forkStimulus(10)
    clock.onSamplings {
      cycle += 1
      if (io.counted.valid.toBoolean) counted(io.counted.payload.toInt) += 1
      if (io.frames.valid.toBoolean && io.frames.ready.toBoolean) take()
      io.frames.ready #= r.nextInt(16) >= pace.line
      if (io.departures.valid.toBoolean && io.departures.ready.toBoolean) {
        due += ((departures.dequeue(), cycle))
        io.departures.valid #= false
      }
      if (departures.nonEmpty && !(io.departures.valid.toBoolean && !io.departures.ready.toBoolean) && r.nextInt(16) >= pace.departures) {
        io.departures.valid #= true
        Leaving.drive(io.departures.payload, departures.head)
      }
      if (io.payload.valid.toBoolean && io.payload.ready.toBoolean) {
        payload.dequeue()
        io.payload.valid #= false
      }
      if (payload.nonEmpty && !(io.payload.valid.toBoolean && !io.payload.ready.toBoolean) && r.nextInt(16) >= pace.payload) {
        val (bytes, fails) = payload.head
        io.payload.valid #= true
        io.payload.data #= bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
        io.payload.error #= fails
      }
    }

    private def take(): Unit = {
      busy += 1
      val (leaving, came) = due.head
      val last = io.frames.last.toBoolean
      if (frame.isEmpty) latencies(last) += cycle - came
      val count = io.frames.lastByte.toInt + 1
      assert(last || count == 64)
      val data = io.frames.data.toBigInt
      assert(data >> (8 * count) == 0, "bytes behind the end")
      frame ++= (0 until count).map(i => ((data >> (8 * i)) & 0xff).toInt)
      if (last) {
        assert((io.frames.user.toInt == 1) == leaving.failsAt.isDefined, "the mark of damage")
        val (got, expected) = (frame.toSeq, leaving.frame)
        if (got != expected) fail(
          s"${leaving.packet.opcode.toHexString}, ${leaving.packet.payload.size} bytes: byte ${got.zipAll(expected, -1, -1).indexWhere(p => p._1 != p._2)} differs"
        )
        frames += got
        frame.clear()
        due.dequeue()
      }
    }
    def send(leaving: Leaving): Unit = {
      departures += leaving
      if (leaving.beats > 0) for ((bytes, i) <- leaving.packet.payload.grouped(64).zipWithIndex) {
        // Behind a payload's end there is anything.
        payload += ((bytes ++ random(r, 64 - bytes.size), leaving.failsAt.contains(i)))
      }
    }
    def settle(): Unit = {
      var waited = 0
      while ((departures.nonEmpty || due.nonEmpty) && waited < 300000) { clock.waitSampling(); waited += 1 }
      clock.waitSampling(20)
      assert(departures.isEmpty && due.isEmpty && payload.isEmpty, s"${departures.size} and ${due.size} packets did not leave, ${payload.size} beats are left")
    }
    def reset(): Unit = {
      io.departures.valid #= false
      io.payload.valid #= false
      clock.assertReset()
      Seq(departures, payload, due).foreach(_.clear())
      // In reset there are no samplings.
      clock.waitActiveEdge(1 + r.nextInt(3))
      frame.clear()
      due.clear()
      clock.deassertReset()
      clock.waitSampling()
    }
  }

  private def run(name: String, seed: Int, pace: Pace = Pace(), faults: Set[RoceFault.Value] = Set.empty)(body: (Bench, Random) => Unit): Unit =
    compiled.doSim(s"$name$seed${faults.mkString}", seed) { dut =>
      SimTimeout(100000000)
      dut.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
      val r = new Random(seed)
      val bench = new Bench(dut, r, pace)
      dut.clockDomain.waitSampling(5)
      body(bench, r)
    }
  private val lengths = (0 to 140) ++ Seq(255, 256, 257, 1023, 1024, 1025, 2048, 4091, 4092, 4093, 4094, 4095, 4096)

  test("frames of every opcode and length leave in a row") {
    run("row", 1) { (bench, r) =>
      var beats = 0
      for (opcode <- opcodes; length <- lengths) {
        val leaving = Leaving(r, opcode, length, fails = false)
        beats += (leaving.frame.size + 63) / 64
        bench.send(leaving)
      }
      val begun = bench.cycle
      bench.settle()
      // Each frame waits for its own ICRC at most, and that while others go on.
      assert(bench.busy == beats && bench.cycle - begun < beats + 60, s"${bench.cycle - begun} cycles for $beats beats")
      info(s"$beats beats in ${bench.cycle - begun - 20} cycles")
      assert(bench.counted.toMap == Map(RoceCounter.TX_PACKETS -> bench.frames.size))
    }
  }

  test("a frame's first beat leaves as soon as it is told") {
    run("latency", 2) { (bench, r) =>
      for (opcode <- opcodes; length <- Seq(1, 4, 70, 300, 4096)) {
        bench.send(Leaving(r, opcode, length, fails = false))
        bench.settle()
      }
      info(s"cycles to the first beat of frames of several beats ${bench.latencies(false)}, of one ${bench.latencies(true)}")
      assert(bench.latencies(true) == Set(RoceTransmit.ONLY))
      assert(bench.latencies(false).subsetOf(Set(RoceTransmit.FIRST, RoceTransmit.ONLY)) && bench.latencies(false)(RoceTransmit.FIRST))
    }
  }

  private def mixed(seed: Int, pace: Pace, faults: Set[RoceFault.Value] = Set.empty): Unit = run("mixed", seed, pace, faults) { (bench, r) =>
    for (_ <- 0 until 1200) bench.send(Leaving.any(r, opcodes))
    bench.settle()
    assert(bench.counted.keySet == Set(RoceCounter.TX_PACKETS, RoceCounter.TX_DAMAGED) && bench.counted.values.sum == bench.frames.size)
  }
  test("damaged payloads among others")(mixed(3, Pace()))
  test("departures that pause, payload that pauses")(mixed(4, Pace(departures = 8, payload = 6)))
  test("a line that pauses")(mixed(5, Pace(line = 9)))
  test("all of them pause")(mixed(6, Pace(4, 4, 4)))

  test("resets at any time") {
    run("resets", 7, Pace(2, 2, 6)) { (bench, r) =>
      for (_ <- 0 until 60) {
        for (_ <- 0 until 40) bench.send(Leaving.any(r, opcodes))
        sleep(10 * (1 + r.nextInt(200)))
        bench.reset()
        for (_ <- 0 until 3) bench.send(Leaving.any(r, opcodes))
        bench.settle()
      }
    }
  }

  /** A line for `rdma/tests/scapy/check.py`: a frame and the fields that scapy must find. */
  private def line(frame: Bytes): String = {
    def bits(byte: Int, from: Int, count: Int) = (frame(byte) >> from) & ((1 << count) - 1)
    def text(bytes: Bytes) = bytes.map(b => f"$b%02x").mkString
    val body = text(frame.drop(54).dropRight(4))
    val fields = Seq(
      "opcode" -> frame(42),
      "solicited" -> bits(43, 7, 1),
      "migrated" -> bits(43, 6, 1),
      "pad" -> bits(43, 4, 2),
      "pkey" -> read(frame, 44, 2),
      "fecn" -> bits(46, 7, 1),
      "becn" -> bits(46, 6, 1),
      "qp" -> read(frame, 47, 3),
      "ack" -> bits(50, 7, 1),
      "psn" -> read(frame, 51, 3),
      "body" -> (if (body.isEmpty) "-" else body)
    )
    s"${text(frame)} ${fields.map { case (name, value) => s"$name=$value" }.mkString(" ")}\n"
  }

  test("scapy reads the frames and has the same ICRCs") {
    val python = new File("../.tools/venv/bin/python")
    val there = python.canExecute && Process(Seq(python.getPath, "-c", "import scapy.contrib.roce")).!(ProcessLogger(_ => ())) == 0
    if (!there && sys.env.contains("MNEME_FORMAL")) fail("no scapy in .tools/venv: `cargo xtask setup` installs it")
    assume(there, "no scapy in .tools/venv: `cargo xtask setup` installs it")
    run("scapy", 8) { (bench, r) =>
      for (opcode <- opcodes; length <- Seq(1, 2, 3, 4, 5, 60, 64, 66, 255, 256, 1024, 4096)) bench.send(Leaving(r, opcode, length, fails = false))
      bench.settle()
      val lines = new ByteArrayInputStream(bench.frames.map(line).mkString.getBytes)
      val said = mutable.ArrayBuffer[String]()
      val ended = (Process(Seq(python.getPath, "../rdma/tests/scapy/check.py")) #< lines).!(ProcessLogger(_ => (), said += _))
      assert(ended == 0 && said.exists(_.contains(s"scapy: ${bench.frames.size} frames")), said.mkString("\n"))
      info(said.last)
    }
  }

  private val ofTransmit = Set(RoceFault.CongestionCovered, RoceFault.ErrorHidden, RoceFault.PayloadLeaks, RoceFault.HalfIcrc, RoceFault.CarryLost) ++
    (if (writes) Set(RoceFault.AethInWrites, RoceFault.ImmediateTwice) else Nil)
  for (fault <- RoceFault.values if ofTransmit(fault)) test(s"the bench notices $fault")(assertThrows[Throwable](mixed(3, Pace(), Set(fault))))
}
