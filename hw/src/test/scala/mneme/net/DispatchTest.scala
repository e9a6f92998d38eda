package mneme.net

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire.{Cause, Counter, Opcode, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.{Random, Try}

/** Ingress and dispatch against the contract's checks, one frame at a time for the reference, many in flight for the design. */
class DispatchTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(name = "dispatch", packetSlots = 8)
  private lazy val compiled = Simulation.config.compile(FrontEnd(config))
  private val page = BigInt(1) << config.pageBits

  /** A request that is right in every field. */
  private def right(b: FrontEndBench, r: Random, id: Int): FrameSpec = {
    val opcode = Seq(Opcode.READ, Opcode.WRITE, Opcode.COMPARE_SWAP, Opcode.FETCH_ADD, Opcode.SWAP, Opcode.FENCE)(r.nextInt(6))
    val atomic = opcode >= Opcode.COMPARE_SWAP && opcode <= Opcode.SWAP
    val length = if (atomic) 8 else if (opcode == Opcode.FENCE) 0 else Seq(1, 63, 64, 65, config.maxPayload, 1 + r.nextInt(config.maxPayload))(r.nextInt(6))
    val inPage = r.nextInt(4) match {
      case 0 => page - length
      case _ => BigInt(r.nextInt((page - length).toInt + 1))
    }
    val va = page * BigInt(48 - config.pageBits, r) + (if (atomic) inPage / 8 * 8 else inPage)
    val payload = opcode match {
      case Opcode.WRITE => length
      case Opcode.COMPARE_SWAP => 16
      case Opcode.FETCH_ADD | Opcode.SWAP => 8
      case _ => 0
    }
    FrameSpec(
      dstMac = if (r.nextInt(5) == 0) BigInt("ffffffffffff", 16) else b.mac,
      srcMac = id,
      srcIp = BigInt(32, r),
      dstIp = b.ip,
      srcPort = r.nextInt(65536),
      dstPort = b.port,
      udpChecksum = if (r.nextBoolean()) FrameSpec.Right else FrameSpec.Absent,
      flags = Seq(0x10, 0x11, 0x12, 0x13)(r.nextInt(4)),
      opcode = opcode,
      epoch = b.epoch,
      pid = Iterator.continually(1 + r.nextInt(0xffffff)).find(_ >> 20 != b.closed).get,
      opId = BigInt(32, r),
      attempt = r.nextInt(256),
      time = r.nextInt(1 << 24),
      va = va,
      length = length,
      payload = FrameSpec.payload(r, payload)
    )
  }

  /** One way each to be wrong, or for another path; several may be put on one frame. */
  private val changes: Seq[(FrameSpec, Random) => FrameSpec] = Seq(
    (s, r) => s.copy(dstMac = s.dstMac ^ (BigInt(1) << r.nextInt(48))),
    (s, r) => s.copy(etherType = Seq(0x86dd, 0x0801, 0x8100, r.nextInt(65536))(r.nextInt(4))),
    (s, _) => s.copy(etherType = 0x0806),
    (s, r) => s.copy(cut = 14 + r.nextInt(22), padding = 0),
    (s, r) => s.copy(versionIhl = (r.nextInt(16) << 4) | 5),
    (s, r) => s.copy(versionIhl = 0x40 | r.nextInt(16)),
    (s, r) => s.copy(ipChecksumDelta = 1 + r.nextInt(0xfffe)),
    (s, r) => s.copy(fragment = 1 << r.nextInt(16)),
    (s, r) => s.copy(totalDelta = r.nextInt(200) - 100),
    (s, r) => s.copy(totalDelta = -20 - 30 - s.payload.size + r.nextInt(20)),
    (s, r) => s.copy(dstIp = s.dstIp ^ (BigInt(1) << r.nextInt(32))),
    (s, r) => s.copy(protocol = Seq(6, 0, r.nextInt(256))(r.nextInt(3))),
    (s, _) => s.copy(protocol = 1),
    (s, r) => s.copy(udpLengthDelta = r.nextInt(40) - 20),
    (s, r) => s.copy(dstPort = s.dstPort ^ (1 << r.nextInt(16))),
    (s, _) => s.copy(udpChecksum = FrameSpec.Wrong),
    (s, r) => s.copy(padding = 1 + r.nextInt(60)),
    // Ends within the Mneme header, lengths agreeing.
    (s, r) => {
      val cut = 1 + r.nextInt(30);
      s.copy(totalDelta = -cut - s.payload.size, udpLengthDelta = -cut - s.payload.size, udpChecksum = FrameSpec.Absent, cut = 64 - cut)
    },
    (s, _) => s.copy(opcode = s.opcode | 0x80),
    (s, r) => s.copy(flags = (r.nextInt(16) << 4) | (s.flags & 15)),
    (s, _) => s.copy(flags = s.flags | 1),
    (s, r) => s.copy(flags = (s.flags & 3) | 0x10 | ((1 + r.nextInt(3)) << 2)),
    (s, r) => s.copy(opcode = r.nextInt(128)),
    (s, _) => s.copy(opcode = 0x33),
    (s, _) => s.copy(opcode = 0x7f),
    (s, r) => s.copy(opcode = Opcode.PING, epoch = if (r.nextBoolean()) 0 else s.epoch),
    (s, r) => s.copy(opcode = Opcode.OPEN + r.nextInt(6)),
    (s, r) => s.copy(epoch = r.nextInt(256)),
    (s, _) => s.copy(pid = 0),
    (s, _) => s.copy(pid = (s.pid & 0xfffff) | (9 << 20)),
    (s, r) => s.copy(length = Seq(0, s.length + 1, s.length - 1, config.maxPayload + 1, 65535, 8)(r.nextInt(6)).max(0)),
    (s, r) => s.copy(payload = FrameSpec.payload(r, (s.payload.size + r.nextInt(3) - 1).max(0))),
    (s, r) => s.copy(va = s.va + 1 + r.nextInt(7)),
    (s, r) => s.copy(va = s.va / page * page + page - r.nextInt(s.length.max(1)))
  )

  private def frame(b: FrontEndBench, r: Random, id: Int): (Array[Int], Boolean) = {
    val spec = Seq.fill(Seq(0, 1, 1, 1, 2)(r.nextInt(5)))(changes(r.nextInt(changes.size))).foldLeft(right(b, r, id))((s, change) => change(s, r))
    val bytes = spec.bytes
    r.nextInt(60) match {
      case 0 => (bytes, true)
      case 1 => (bytes.take(r.nextInt(13) + 1), false)
      case 2 => (bytes.padTo(config.maxFrame + 1 + r.nextInt(200), 0), false)
      case 3 => (bytes.padTo(config.slotBeats * 64 + 1 + r.nextInt(400), 0), r.nextInt(4) == 0)
      case 4 => val at = r.nextInt(bytes.length); (bytes.updated(at, bytes(at) ^ (1 << r.nextInt(8))), false)
      case _ => (bytes, false)
    }
  }

  private def checkFields(frame: Array[Int], seen: SeenRequest): Unit = {
    def field(from: Int, bytes: Int) = Frames.read(frame, from, bytes)
    assert(seen.srcIp == field(26, 4) && seen.srcPort == field(34, 2) && seen.opcode == field(43, 1) && seen.keyPhase == ((frame(42) & 2) != 0))
    assert(seen.pid == field(45, 3) && seen.opId == field(48, 4) && seen.attempt == field(52, 1) && seen.time == field(53, 3))
    assert(seen.va == field(56, 6) && seen.length == field(62, 2) && seen.timed == ((frame(42) & 1) != 0))
    if (!seen.answered) {
      if (seen.opcode == Opcode.WRITE) assert(seen.payload == frame.drop(64).toSeq, "the slot does not hold the payload")
      if (seen.opcode >= Opcode.COMPARE_SWAP && seen.opcode <= Opcode.SWAP) {
        val bytes = frame.drop(64).toSeq
        assert(bytes == bytes.indices.map(i => ((seen.operands >> (8 * i)) & 0xff).toInt), "operands")
      }
    }
  }

  private def compare(b: FrontEndBench, frames: Seq[(Array[Int], Boolean)]): mutable.Set[Int] = {
    val drops = mutable.Map[Int, Int]().withDefaultValue(0)
    val answers = mutable.Set[Int]()
    var (refused, operations, lines) = (0, 0, 0)
    for (((bytes, damaged), id) <- frames.zipWithIndex) {
      b.reference.judge(bytes, damaged) match {
        case Dropped(counter) => drops(counter) += 1
        case Slow(mneme) if b.slowFrames.headOption.exists(_ == bytes.toSeq) => b.slowFrames.dequeue()
        case Slow(false) => drops(Counter.DROP_SLOW_FULL) += 1
        case other =>
          assert(b.requests.nonEmpty, s"frame $id is missing: $other")
          val seen = b.requests.dequeue()
          assert(seen.srcMac == Frames.read(bytes, 6, 6), s"frame $id expected as $other, found ${seen}")
          checkFields(bytes, seen)
          val expected = other match { case Slow(_) => b.reference.crowded; case o => o }
          val found = if (seen.answered) Answered(seen.status, seen.detailVa) else Fast
          assert(found == expected, s"frame $id")
          assert(seen.detailLength == 0)
          if (seen.answered) answers += ((seen.detailVa >> 40).toInt)
          if (seen.answered && (seen.detailVa >> 40) == Cause.CLASS) refused += 1
          if (!seen.answered) {
            operations += 1
            lines += (seen.length + 63) / 64 + 1
          }
      }
    }
    assert(b.requests.isEmpty && b.slowFrames.isEmpty, "more came out than was sent")
    for (counter <- Counter.DROP_FCS to Counter.DROP_SLOW_FULL) {
      val name = Counter.all.find(_._2 == counter).get._1
      assert(b.events(counter) == drops(counter), name)
      if (counter != Counter.DROP_INGRESS_FULL && counter != Counter.DROP_DISABLED) assert(drops(counter) > 0, s"$name was never seen")
    }
    assert(b.events(Counter.RX_FRAMES) == frames.size)
    assert(b.events(Counter.CLASS_BUSY) == refused)
    assert((b.chargedOperations, b.chargedLines) == (operations, lines), "what passes is charged, and nothing else")
    answers
  }

  private val answers =
    Seq(Cause.VERSION, Cause.TRAILER, Cause.EPOCH, Cause.OPCODE, Cause.PID, Cause.LENGTH, Cause.ALIGNMENT, Cause.CROSSING, Cause.QUEUE, Cause.CLASS)

  /** Random frames, most wrong in one or two ways, under random stalls; never more in flight than there are slots. */
  private def everyCheck(seed: Int, faults: Set[NetFault.Value] = Set.empty): Unit = compiled.doSim(s"checks$seed${faults.mkString}", seed) { dut =>
    SimTimeout(20000000)
    val b = new FrontEndBench(dut, config, seed, faults)
    val frames = mutable.ArrayBuffer[(Array[Int], Boolean)]()
    val gate = config.packetSlots - 2
    for (id <- 0 until 6000) {
      if (id % 200 == 0) {
        b.gap = b.random.nextDouble() * 0.6
        b.slowReady.factor = if (b.random.nextBoolean()) 0.02f else 0.9f
      }
      def waits = frames.size - b.finished >= gate || b.sending
      var waited = 0
      if (waits) Simulation.cycles(dut.clockDomain) {
        waited += 1
        assert(waited < 50000, "nothing moves")
        waits
      }
      frames += frame(b, b.random, id)
      b.send(frames.last._1, frames.last._2)
    }
    b.slowReady.factor = 1f
    dut.clockDomain.waitSampling(2000)
    val causes = compare(b, frames.toSeq)
    for (cause <- answers) assert(causes(cause), s"cause $cause was never seen")
  }

  for (seed <- 1 to 3) test(s"every check of the contract, in its order (seed $seed)")(everyCheck(seed))

  for (
    fault <-
      Seq(NetFault.DamagedAccepted, NetFault.SlotLeaked, NetFault.UdpChecksumIgnored, NetFault.CrossingOffByOne, NetFault.StaleAccepted, NetFault.LastLineFree)
  )
    // An access that ends one byte past its page is rare.
    test(s"the bench notices $fault")(assert((1 to 5).exists(seed => Try(everyCheck(seed, Set(fault))).isFailure)))

  test("a full buffer drops, and no slot is ever lost") {
    compiled.doSim("flood", 9) { dut =>
      val b = new FrontEndBench(dut, config, 9)
      b.gap = 0
      for (round <- 0 until 20) {
        // A flood of everything, while nothing comes back for a while.
        b.holdSlots = round % 2 == 0
        for (id <- 0 until 60) { val (bytes, damaged) = frame(b, b.random, id); b.send(bytes, damaged) }
        dut.clockDomain.waitSamplingWhere(!b.sending)
        b.holdSlots = false
        dut.clockDomain.waitSampling(3000)
        b.requests.clear()
        b.slowFrames.clear()
        val before = b.events(Counter.DROP_INGRESS_FULL)
        b.holdSlots = true
        for (id <- 0 to config.packetSlots) b.send(right(b, b.random, id).bytes)
        dut.clockDomain.waitSampling(600)
        assert(b.events(Counter.DROP_INGRESS_FULL) == before + 1, s"round $round: the slots that a flood left")
        b.holdSlots = false
        dut.clockDomain.waitSampling(3000)
        assert(b.requests.size == config.packetSlots)
      }
      assert(b.events(Counter.DROP_INGRESS_FULL) > 100)
      val dropped = (Counter.DROP_FCS to Counter.DROP_SLOW_FULL).map(b.events).sum
      assert(b.events(Counter.RX_FRAMES) == 20 * (60 + config.packetSlots + 1))
      assert(b.finished == b.events(Counter.RX_FRAMES), s"$dropped drops")
    }
  }

  test("a board that is not enabled takes nothing") {
    compiled.doSim("disabled", 10) { dut =>
      val b = new FrontEndBench(dut, config, 10)
      b.enable(false)
      for (id <- 0 until 20) b.send(right(b, b.random, id).bytes)
      dut.clockDomain.waitSampling(1500)
      assert(b.events(Counter.DROP_DISABLED) == 20 && b.requests.isEmpty)
      b.enable(true)
      for (id <- 0 until 4) b.send(right(b, b.random, id).bytes)
      dut.clockDomain.waitSampling(1500)
      assert(b.requests.size == 4 && b.requests.forall(r => !r.answered && r.status == Status.OK))
    }
  }
}
