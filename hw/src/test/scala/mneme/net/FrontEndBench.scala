package mneme.net

import mneme.CBoardConfig
import mneme.share.ClassMeter
import mneme.wire.Wire
import mneme.wire.Wire.{MatAction, Opcode}
import spinal.core.sim._
import spinal.lib.sim.{FlowMonitor, StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** A request as it came out, and the bytes of its packet slot. */
case class SeenRequest(
    srcMac: BigInt,
    srcIp: BigInt,
    srcPort: Int,
    opcode: Int,
    pid: Int,
    opId: BigInt,
    attempt: Int,
    time: Int,
    va: BigInt,
    length: Int,
    keyPhase: Boolean,
    timed: Boolean,
    operands: BigInt,
    answered: Boolean,
    status: Int,
    detailVa: BigInt,
    detailLength: Int,
    payload: Seq[Int]
)

/** Drives a FrontEnd: frames in, requests (with their payload read from the slot) and slow frames out, events counted. */
class FrontEndBench(dut: FrontEnd, c: CBoardConfig, seed: Int, faults: Set[NetFault.Value] = Set.empty) {
  val random = new Random(seed)
  private val domain = dut.clockDomain
  val mac = BigInt("020000000001", 16)
  val ip = BigInt("0a000001", 16)
  val port = 19790
  val epoch = 0x5c
  val busyHint = BigInt(123456)
  val rows: Seq[RuleRow] = {
    val all = 0xffff
    Seq(
      RuleRow((0x0800, 17, 0x33, 0), (all, 0xff, 0xff, 0), MatAction.DROP),
      RuleRow((0x0800, 17, Opcode.PING, port), (all, 0xff, 0xf0, all), MatAction.SLOW),
      RuleRow((0x0800, 17, Opcode.OPEN, 0), (all, 0xff, 0xf0, 0), MatAction.SLOW),
      RuleRow((0x0800, 17, 0x40, 0), (all, 0xff, 0x40, 0), MatAction.FAST),
      RuleRow((0x0806, 0, 0, 0), (all, 0, 0, 0), MatAction.SLOW),
      RuleRow((0x0800, 1, 0, 0), (all, 0xff, 0, 0), MatAction.SLOW),
      RuleRow((0x0800, 17, 0x00, port), (all, 0xff, 0xf0, all), MatAction.FAST)
    )
  }
  /** The service class that may ask for nothing. */
  val closed = 9
  val reference = new ContractReference(c, mac, ip, port, epoch, rows, Set(closed), busyHint)

  val events = mutable.Map[Int, Int]().withDefaultValue(0)
  val requests = mutable.Queue[SeenRequest]()
  val slowFrames = mutable.Queue[Seq[Int]]()
  /** Frames that came out of dispatch, one way or another, and gave their slot back. */
  var finished = 0
  private val incoming = mutable.Queue[(BigInt, BigInt, Boolean, Boolean)]()
  private val releases = mutable.Queue[Int]()

  dut.io.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
  domain.forkStimulus(10)
  private val control = dut.io.control
  control.enable #= true
  control.exhausted #= false
  control.epoch #= epoch
  control.window #= 1000
  control.tick #= 0
  control.mac #= mac
  control.ip #= ip
  control.udpPort #= port
  control.busyHint #= busyHint
  dut.io.may #= (BigInt(1) << ClassMeter.CLASSES) - 1 - (BigInt(1) << closed)
  /** Operations and lines that were charged. */
  var (chargedOperations, chargedLines) = (0, 0)
  FlowMonitor(dut.io.charge, domain) { charge =>
    assert(charge.number.toInt != closed)
    chargedOperations += 1
    chargedLines += charge.lines.toInt
  }
  for ((row, i) <- dut.io.rows.zipWithIndex) {
    row.valid #= i < rows.size
    val rule = rows.lift(i).getOrElse(rows.head)
    row.action #= rule.action
    for ((key, (etherType, protocol, opcode, port)) <- Seq(row.value -> rule.value, row.mask -> rule.mask)) {
      key.etherType #= etherType; key.protocol #= protocol; key.opcode #= opcode; key.port #= port
    }
  }
  def enable(on: Boolean): Unit = control.enable #= on

  /** The network never waits; gaps come from an empty queue and from `gap`. */
  var gap = 0.3
  dut.io.net.valid #= false
  domain.onSamplings {
    if (dut.io.net.valid.toBoolean) assert(dut.io.net.ready.toBoolean, "the ingress made the network wait")
    if (incoming.nonEmpty && random.nextDouble() >= gap) {
      val (data, keep, last, damaged) = incoming.dequeue()
      dut.io.net.valid #= true
      dut.io.net.data #= data
      dut.io.net.keep #= keep
      dut.io.net.last #= last
      dut.io.net.user #= (if (damaged && last) 1 else 0)
    } else {
      dut.io.net.valid #= false
      dut.io.net.payload.randomize()
    }
    val seen = dut.io.events.toBigInt
    for (i <- 0 until Wire.Counter.all.size if seen.testBit(i)) {
      events(i) += 1
      if (i >= Wire.Counter.DROP_FCS && i <= Wire.Counter.DROP_SLOW_FULL) finished += 1
    }
  }
  def send(frame: Array[Int], damaged: Boolean = false): Unit =
    for ((data, keep, last) <- Frames.beats(frame)) incoming.enqueue((data, keep, last, damaged))
  def sending: Boolean = incoming.nonEmpty

  val requestReady = StreamReadyRandomizer(dut.io.requests, domain)
  requestReady.factor = 0.6f
  val slowReady = StreamReadyRandomizer(dut.io.slow, domain)
  private val toRead = mutable.Queue[(Int, SeenRequest)]()
  StreamMonitor(dut.io.requests, domain) { r =>
    val header = r.header
    toRead.enqueue((
      r.slot.toInt,
      SeenRequest(
        header.srcMac.toBigInt,
        header.srcIp.toBigInt,
        header.srcPort.toInt,
        header.opcode.toInt,
        header.pid.toInt,
        header.opId.toBigInt,
        header.attempt.toInt,
        header.time.toInt,
        header.va.toBigInt,
        header.length.toInt,
        header.keyPhase.toBoolean,
        header.timed.toBoolean,
        0,
        r.answered.toBoolean,
        r.outcome.status.toInt,
        r.outcome.detailVa.toBigInt,
        r.outcome.detailLength.toInt,
        Nil
      )
    ))
  }
  private var slowBytes = Seq[Int]()
  StreamMonitor(dut.io.slow, domain) { beat =>
    slowBytes ++= Frames.bytesOf(beat.data.toBigInt, beat.keep.toBigInt)
    if (beat.last.toBoolean) { slowFrames.enqueue(slowBytes); slowBytes = Nil; finished += 1 }
  }

  /** The access engine's part: read the payload or the operands of what goes on, then release the slot. */
  var holdSlots = false
  dut.io.packet.cmd.valid #= false
  dut.io.operandsOf #= 0
  fork {
    while (true) {
      if (toRead.isEmpty) domain.waitSampling()
      else {
        val (slot, request) = toRead.dequeue()
        val bytes = if (!request.answered && request.opcode == Opcode.WRITE) readPayload(slot, request.length) else Nil
        requests.enqueue(request.copy(payload = bytes, operands = readOperands(slot)))
        while (holdSlots) domain.waitSampling()
        releases.enqueue(slot)
      }
    }
  }
  /** They come in the cycle after the question, and stay for no longer. */
  private def readOperands(slot: Int): BigInt = {
    dut.io.operandsOf #= slot
    domain.waitSampling()
    dut.io.operandsOf.randomize()
    domain.waitSampling()
    dut.io.operands.toBigInt
  }
  private def readPayload(slot: Int, length: Int): Seq[Int] = (1 to (length + 63) / 64).flatMap { beat =>
    dut.io.packet.cmd.valid #= true
    dut.io.packet.cmd.slot #= slot
    dut.io.packet.cmd.beat #= beat
    domain.waitSamplingWhere(dut.io.packet.cmd.ready.toBoolean)
    dut.io.packet.cmd.valid #= false
    domain.waitSampling()
    assert(dut.io.packet.rsp.valid.toBoolean, "the packet buffer answers in the cycle after the command")
    Frames.bytesOf(dut.io.packet.rsp.payload.toBigInt, (BigInt(1) << 64) - 1)
  }.take(length)
  StreamDriver(dut.io.release, domain) { slot =>
    if (releases.isEmpty) false else { slot #= releases.dequeue(); true }
  }
  StreamMonitor(dut.io.release, domain)(_ => finished += 1)

  domain.waitSampling(c.packetSlots + 10)
}
