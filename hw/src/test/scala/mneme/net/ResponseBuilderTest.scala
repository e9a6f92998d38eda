package mneme.net

import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, Opcode, Status}
import mneme.engine.PayloadBeat
import mneme.{Answer, CBoardConfig, Control, CounterEvents, Faults, FilterUpdate, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** Every byte of every response, against frames built by the bench; updates before headers; trace, counters and pulses. */
class ResponseBuilderTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny

  /** The builder with the switches of planted faults. */
  case class Bench(c: CBoardConfig) extends Component {
    val io = new Bundle {
      val answers = slave(Stream(Answer(c)))
      val payload = slave(Stream(PayloadBeat()))
      val control = in(Control())
      val clock = in UInt (24 bits)
      /** When the request in each slot arrived. */
      val arrivals = in(Vec(UInt(24 bits), c.packetSlots))
      val updates = master(Stream(FilterUpdate(c)))
      val frames = master(Stream(FrameBeat()))
      val retired = out Bool ()
      val release = master(Flow(UInt(log2Up(c.packetSlots) bits)))
      val trace = master(Flow(TraceBeat()))
      val events = out(CounterEvents())
      val faults = in(Faults.bits(NetFault))
    }
    val builder = ResponseBuilder(c, new Faults[NetFault.Value](Some(io.faults)))
    builder.io.answers << io.answers
    builder.io.payload << io.payload
    builder.io.control := io.control
    builder.io.cycles := io.clock - io.arrivals(builder.io.slot)
    builder.io.updates >> io.updates
    // EgressTest has what the slow path sends.
    builder.io.slow.valid := False
    builder.io.slow.payload.assignDontCare()
    builder.io.frames >> io.frames
    io.retired := builder.io.retired
    io.release << builder.io.release
    io.trace << builder.io.trace
    io.events := builder.io.events
  }
  private lazy val compiled = Simulation.config.compile(Bench(config))

  private case class Finished(
      srcMac: BigInt,
      srcIp: BigInt,
      srcPort: Int,
      opcode: Int,
      keyPhase: Boolean,
      pid: Int,
      opId: BigInt,
      attempt: Int,
      va: BigInt,
      length: Int,
      status: Int,
      detailVa: BigInt,
      detailLength: Int,
      result: BigInt,
      filtered: Boolean,
      entry: Int,
      payload: Seq[Int],
      error: Boolean,
      timed: Boolean,
      arrived: Int,
      slow: Boolean,
      slot: Int,
      zeros: Boolean
  ) {
    def read: Boolean = ok && opcode == Opcode.READ
    /** Its payload comes from memory. */
    def fetches: Boolean = read && !zeros
    def ok: Boolean = status == Status.OK
    /** No attempt of it may execute again: memory failed, or all is well. */
    def done: Boolean = ok || (status == Status.MEMERR && detailVa >> 40 == Cause.DRAM)
    def told: Boolean = timed && ok
    def atomic: Boolean = opcode >= Opcode.COMPARE_SWAP && opcode <= Opcode.SWAP
  }

  private def finished(r: Random, ip: BigInt, slot: Int): Finished = {
    val opcode = Seq(Opcode.READ, Opcode.READ, Opcode.WRITE, Opcode.COMPARE_SWAP, Opcode.FETCH_ADD, Opcode.SWAP, Opcode.FENCE)(r.nextInt(7))
    val status = if (r.nextInt(3) == 0) Status.all(r.nextInt(Status.all.size))._2 else Status.OK
    val atomic = opcode >= Opcode.COMPARE_SWAP && opcode <= Opcode.SWAP
    val length = if (atomic) 8 else if (opcode == Opcode.FENCE) 0 else Seq(1, 64, 65, 128, config.maxPayload, 1 + r.nextInt(config.maxPayload))(r.nextInt(6))
    val result = BigInt(64, r)
    val zeros = status == Status.OK && opcode == Opcode.READ && r.nextInt(4) == 0
    val payload =
      if (status != Status.OK) Nil
      else if (zeros) Seq.fill(length)(0)
      else if (opcode == Opcode.READ) FrameSpec.payload(r, length)
      else if (atomic) Seq.tabulate(8)(i => ((result >> (8 * i)) & 0xff).toInt)
      else Nil
    Finished(
      BigInt(48, r),
      if (r.nextInt(8) == 0) carrying(r, ip, payload.size) else BigInt(32, r),
      r.nextInt(65536),
      opcode,
      r.nextBoolean(),
      r.nextInt(1 << 24),
      BigInt(32, r),
      r.nextInt(256),
      BigInt(48, r),
      length,
      status,
      // Random causes are hardly ever one that exists.
      (BigInt(if (r.nextBoolean()) Cause.DRAM else r.nextInt(256)) << 40) | BigInt(40, r),
      r.nextInt(65536),
      result,
      opcode != Opcode.READ && opcode != Opcode.FENCE && r.nextBoolean(),
      r.nextInt(config.filterEntries),
      payload,
      r.nextInt(10) == 0,
      r.nextBoolean(),
      r.nextInt(1 << 24),
      r.nextInt(4) == 0,
      slot,
      zeros
    )
  }

  /** A source address that makes the IPv4 checksum carry twice, which random ones hardly ever do; the builder folds what no request changes beforehand. */
  private def carrying(r: Random, ip: BigInt, payload: Int): BigInt = {
    val high = 0x8000 + r.nextInt(0x8000)
    val ours = Frames.onesSum((Frames.number(BigInt("450040004011", 16), 6) ++ Frames.number(50, 2) ++ Frames.number(ip, 4)).toSeq)
    (BigInt(high) << 16) | (0xffff - ((ours + high + payload) & 0xffff))
  }

  private def expected(f: Finished, mac: BigInt, ip: BigInt, port: Int, time: BigInt): Seq[Int] = {
    import Frames.number
    val mneme =
      number(0x10 | (if (f.told) Wire.TIMED_BIT else 0) | (if (f.keyPhase) 2 else 0), 1) ++ number(f.opcode | 0x80, 1) ++ number(
        f.status | (if (f.slow) Wire.STATUS_SLOW_BIT else 0),
        1
      ) ++ number(f.pid, 3) ++
        number(f.opId, 4) ++ number(f.attempt, 1) ++ number(time, 3) ++ number(if (f.ok) f.va else f.detailVa, 6) ++
        number(if (f.ok) f.length else f.detailLength, 2) ++ f.payload
    val udp = number(port, 2) ++ number(f.srcPort, 2) ++ number(8 + mneme.length, 2) ++ number(0, 2) ++ mneme
    val unsummed = Array(0x45, 0) ++ number(20 + udp.length, 2) ++ Array(0, 0, 0x40, 0, 64, 17, 0, 0) ++ number(ip, 4) ++ number(f.srcIp, 4)
    val header = unsummed.patch(10, number(0xffff - Frames.onesSum(unsummed.toSeq), 2).toSeq, 2)
    (number(f.srcMac, 6) ++ number(mac, 6) ++ number(0x0800, 2) ++ header ++ udp).toSeq
  }

  private def offer(answer: Answer, f: Finished): Unit = {
    answer.flatten.foreach {
      case b: Bool => b.randomize()
      case v: BitVector => v.randomize()
      case _ =>
    }
    val header = answer.header
    header.srcMac #= f.srcMac
    header.srcIp #= f.srcIp
    header.srcPort #= f.srcPort
    header.opcode #= f.opcode
    header.keyPhase #= f.keyPhase
    header.timed #= f.timed
    header.pid #= f.pid
    header.opId #= f.opId
    header.attempt #= f.attempt
    header.va #= f.va
    header.length #= f.length
    answer.filtered.filtered #= f.filtered
    answer.filtered.filterEntry #= f.entry
    answer.filtered.request.slot #= f.slot
    answer.outcome.status #= f.status
    answer.outcome.detailVa #= f.detailVa
    answer.outcome.detailLength #= f.detailLength
    answer.result #= f.result
    answer.zeros #= f.zeros
    answer.slow #= f.slow
  }

  private def run(seed: Int, faults: Set[NetFault.Value] = Set.empty): Unit = compiled.doSim(s"seed$seed${faults.mkString}", seed) { dut =>
    val r = new Random(seed)
    val mac = BigInt(48, r)
    val ip = BigInt(32, r)
    val port = r.nextInt(65536)
    val count = 3000
    dut.io.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
    dut.clockDomain.forkStimulus(10)
    dut.io.control.mac #= mac
    dut.io.control.ip #= ip
    dut.io.control.udpPort #= port
    dut.io.control.tick #= 0
    dut.io.clock #= 0

    val sent, framed, traced, released = mutable.Queue[Finished]()
    val told, spent = mutable.ArrayBuffer[BigInt]()
    val beats = mutable.Queue[(BigInt, Boolean)]()
    var total = 0
    StreamDriver(dut.io.answers, dut.clockDomain) { p =>
      if (total == count) false
      else {
        val f = finished(r, ip, total % config.packetSlots)
        total += 1
        offer(p, f)
        dut.io.arrivals(f.slot) #= f.arrived
        framed.enqueue(f)
        traced.enqueue(f)
        released.enqueue(f)
        if (f.filtered) sent.enqueue(f)
        if (f.fetches) {
          val groups = f.payload.grouped(64).toSeq
          val bad = r.nextInt(groups.size)
          for ((bytes, i) <- groups.zipWithIndex) beats.enqueue((bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b), f.error && i == bad))
        }
        true
      }
    }.setFactor(0.7f)
    StreamDriver(dut.io.payload, dut.clockDomain) { p =>
      if (beats.isEmpty) false else { val (data, error) = beats.dequeue(); p.data #= data; p.error #= error; true }
    }.setFactor(0.8f)
    var tick = 0
    dut.clockDomain.onSamplings { if (r.nextInt(20) == 0) { tick += 1; dut.io.control.tick #= tick } }

    var updates = 0
    StreamReadyRandomizer(dut.io.updates, dut.clockDomain).setFactor(0.4f)
    StreamMonitor(dut.io.updates, dut.clockDomain) { u =>
      val f = sent.dequeue()
      updates += 1
      assert(u.entry.toInt == f.entry && u.done.toBoolean == f.done && u.attempt.toInt == f.attempt && u.status.toInt == f.status)
      assert(u.result.toBigInt == (if (f.ok) f.result else (f.detailVa << 16) | f.detailLength))
    }

    StreamReadyRandomizer(dut.io.frames, dut.clockDomain).setFactor(0.7f)
    var bytes = Seq[Int]()
    var frames, filteredFrames, lastTime = 0
    StreamMonitor(dut.io.frames, dut.clockDomain) { beat =>
      if (bytes.isEmpty) {
        filteredFrames += (if (framed.head.filtered) 1 else 0)
        assert(updates >= filteredFrames, "a header left before the filter knew")
      }
      bytes ++= Frames.bytesOf(beat.data.toBigInt, beat.keep.toBigInt)
      if (!beat.last.toBoolean) assert(beat.user.toInt == 0)
      else {
        val f = framed.dequeue()
        val time = Frames.read(bytes.toArray, 53, 3)
        if (f.told) told += time
        else {
          assert(time <= tick && time >= lastTime, "time of the answer")
          lastTime = time.toInt
        }
        val right = expected(f, mac, ip, port, time)
        assert(bytes == right, s"frame $frames of $f")
        assert(Frames.onesSum(bytes.slice(14, 34)) == 0xffff)
        assert((beat.user.toInt == 1) == (f.fetches && f.error), "damage")
        frames += 1
        bytes = Nil
      }
    }
    var retired, clock = 0
    val events = mutable.Map[Int, Int]().withDefaultValue(0)
    val statuses = mutable.Map[Int, Int]().withDefaultValue(0)
    dut.clockDomain.onSamplings {
      if (dut.io.retired.toBoolean) retired += 1
      if (dut.io.release.valid.toBoolean) assert(dut.io.release.payload.toInt == released.dequeue().slot, "the slot of the header that left")
      for (i <- 0 until Wire.Counter.all.size if dut.io.events.toBigInt.testBit(i)) events(i) += 1
      if (dut.io.trace.valid.toBoolean) {
        val t = dut.io.trace.payload
        val f = traced.dequeue()
        statuses(Counter.STATUS_OK + f.status) += 1
        // The header was built a cycle ago, its time set a cycle before.
        if (f.told) spent += (clock - 2 - f.arrived) & 0xffffff
        val cause = if (f.ok || f.status == Status.MOVED) BigInt(0) else f.detailVa >> 40
        assert(t.srcIp.toBigInt == f.srcIp && t.srcPort.toInt == f.srcPort && t.opId.toBigInt == f.opId && t.attempt.toInt == f.attempt)
        assert(t.tick.toInt <= tick && t.tick.toInt >= tick - 2, "the tick of the trace")
        assert(t.opcode.toInt == f.opcode && t.status.toInt == f.status && t.cause.toBigInt == cause)
      }
      clock += 1
      dut.io.clock #= clock
    }
    for (_ <- 0 until 200 if frames < count) dut.clockDomain.waitSampling(500)
    dut.clockDomain.waitSampling(20)
    assert(frames == count && retired == count && sent.isEmpty && traced.isEmpty && released.isEmpty && beats.isEmpty)
    assert(told.size > count / 4 && told == spent, "times of the requests")
    for (counter <- Counter.STATUS_OK to Counter.STATUS_UNAUTHENTICATED) assert(events(counter) == statuses(counter) && events(counter) > 0)
  }

  for (seed <- 1 to 4) test(s"random requests under random stalls (seed $seed)")(run(seed))

  for (fault <- Seq(NetFault.LengthOffByOne, NetFault.CarryLost, NetFault.ErrorHidden, NetFault.HeaderBeforeUpdate, NetFault.FailureReleased))
    test(s"the bench notices $fault")(assertThrows[Throwable](run(2, Set(fault))))
}
