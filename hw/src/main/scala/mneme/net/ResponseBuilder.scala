package mneme.net

import mneme.trailer.{Seal, TrailerGate, TrailerKind, TrailerSeal, UnsealedBeat}
import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, Field, Opcode, Status}
import mneme.engine.PayloadBeat
import mneme.{Answer, CBoardConfig, Control, CounterEvents, Faults, FilterUpdate}
import spinal.core._
import spinal.lib._

/** Turns finished requests, in order, into response frames, tells the filter how they ended, and lets the frames leave.
  *
  * An OK READ takes ceil(length / 64) beats of `payload`; an OK atomic carries `result`; everything else is a header alone.
  * The filter's update has left before the header does, so that a retry which the answer provokes finds it.
  */
case class ResponseBuilder(c: CBoardConfig, planted: Faults[NetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val answers = slave(Stream(Answer(c)))
    val payload = slave(Stream(PayloadBeat()))
    val control = in(Control())
    /** The packet slot of the answer that is next. */
    val slot = out UInt (log2Up(c.packetSlots) bits)
    /** Its request's time between the ports, if its header is built in the next cycle. */
    val cycles = in UInt (24 bits)
    /** What it is sealed with, if its status lets it; and that an answer waits for its trailer. */
    val seal = c.trailers generate in(Seal())
    val sealing = c.trailers generate out(Bool())
    val updates = master(Stream(FilterUpdate(c)))
    /** Frames of the slow path, which leave between responses. */
    val slow = slave(Stream(FrameBeat()))
    val frames = master(Stream(FrameBeat()))
    /** One pulse per request, with the last beat of its answer. */
    val retired = out Bool ()
    /** The packet slot of an answer whose header has left: nobody needs it any more. */
    val release = master(Flow(UInt(log2Up(c.packetSlots) bits)))
    val trace = master(Flow(TraceBeat()))
    val events = out(CounterEvents())
  }

  private val headersInIp = FrameField.HEADERS - FrameField.IP_START

  /** The words of the IPv4 header that are the same in every answer, summed and folded: a register that changes only with our address. */
  private val ours = {
    val fixed = ResponseBuilder.VERSION_IHL_TOS + ResponseBuilder.DONT_FRAGMENT + ResponseBuilder.TTL_PROTOCOL + headersInIp
    val sum = RegNext(FrameBytes.fold(U(fixed, 18 bits) +^ (io.control.ip(31 downto 16).asUInt +^ io.control.ip(15 downto 0).asUInt)))
    RegNext(FrameBytes.fold(sum).resize(16))
  }

  private val preparing = io.answers.map(prepare)
  io.slot := io.answers.filtered.request.slot
  private val prepared = preparing.m2sPipe()

  /** Lengths, and the sum of the words of the IPv4 header. */
  private def prepare(answer: Answer): Prepared = {
    val p = Prepared(c)
    val r = answer.header
    p.answer := answer
    p.ok := answer.outcome.status === Status.OK
    // A walk whose read fails is among these, though nothing happened: it costs another operation id, and needs no bit of its own.
    val unknown = answer.outcome.status === Status.MEMERR && answer.outcome.cause === Cause.DRAM
    p.done := p.ok || planted.choose(NetFault.FailureReleased, wrong = False, right = unknown)
    p.timed := p.ok && r.timed
    p.read := p.ok && r.isOp(Opcode.READ)
    p.atomic := p.ok && r.isAtomic
    p.bytes := p.read ? r.length | (p.atomic ? U(8, 16 bits) | U(0, 16 bits))
    val trailing = c.trailers generate trailerBytes(p)
    p.total := (if (c.trailers) p.bytes + headersInIp + trailing else p.bytes + headersInIp)
    // Each possible sum, and then a choice: what is read of the answer comes late.
    def sum(bytes: UInt): UInt = {
      val words = r.srcIp(31 downto 16).asUInt +^ ours +^ (r.srcIp(15 downto 0).asUInt +^ bytes)
      if (c.trailers) words + trailing else words
    }
    p.ipSum := p.read ? sum(r.length) | (p.atomic ? sum(U(8, 16 bits)) | sum(U(0, 16 bits)))
    p
  }

  /** The bytes of its answer's trailer; whose request was not understood, or not believed, has none. */
  private def trailerBytes(p: Prepared): UInt = {
    val without = Seq(Status.NACK, Status.UNAUTHENTICATED, Status.UNSUPPORTED, Status.STALE)
    p.seal := io.seal
    when(without.map(p.answer.outcome.status === _).orR)(p.seal.kind := Wire.Trailer.NONE)
    TrailerKind.choose(p.seal.kind)(U(_, 4 bits))
  }

  /** Cycles from a header's beat to its leaving as sealed, if nothing is in its way: a header alone waits for its trailer. */
  private def sealTime(p: Prepared): UInt =
    TrailerKind.choose(p.seal.kind.andMask(!p.read && !p.atomic)) { bytes => U(ResponseBuilder.SEAL_TIMES(bytes), 5 bits) }

  /** TIME of the prepared request's answer: the request's own, which goes on while the header has to wait, or the tick. */
  private val time = {
    val time = Reg(UInt(24 bits))
    val upToHere = if (c.trailers) io.cycles + sealTime(preparing.payload) else io.cycles
    // A frame spends a cycle before ingress and one behind this where a RoCEv2 port shares the line.
    val cycles = if (c.rdma > 0) upToHere + ResponseBuilder.STEER_CYCLES else upToHere
    when(preparing.ready)(time := preparing.timed ? cycles | io.control.tick) otherwise {
      time := prepared.timed ? (time + 1) | io.control.tick
    }
    time
  }

  val build = new Area {
    val p = prepared.payload
    val a = p.answer
    val filtered = a.filtered.filtered
    val out = Stream(CountedBeat())

    val inPayload = RegInit(False)
    val beatsLeft = Reg(UInt(log2Up(c.slotBeats) bits))
    val damaged = Reg(Bool())
    val lastIndex = p.bytes - 1
    val lastByte = planted.choose(NetFault.LengthOffByOne, wrong = lastIndex(5 downto 0) + 1, right = lastIndex(5 downto 0))
    val carries = p.read || p.atomic
    /** Its payload comes from memory. */
    val fetches = p.read && !a.zeros

    val updated = RegInit(False)
    io.updates.valid := prepared.valid && !inPayload && filtered && !updated
    io.updates.entry := a.filtered.filterEntry
    io.updates.done := p.done
    io.updates.attempt := a.header.attempt
    io.updates.status := a.outcome.status
    io.updates.result := p.ok ? a.result | (a.outcome.detailVa ## a.outcome.detailLength)
    val told = planted.choose(NetFault.HeaderBeforeUpdate, wrong = True, right = !filtered || updated || io.updates.ready)
    val headerLeaves = out.fire && !inPayload
    when(io.updates.fire)(updated := True)
    when(headerLeaves)(updated := False)

    val last = inPayload ? (beatsLeft === 0) | !carries
    val present = p.atomic || a.zeros || io.payload.valid
    val bytes = io.payload.data.andMask(!a.zeros)
    out.valid := prepared.valid && (inPayload ? present | told)
    out.data := inPayload ? (p.atomic ? a.result.resize(512) | bytes) | header(p)
    out.lastByte := (inPayload && last) ? lastByte | U(63)
    out.last := last
    out.user(0) := planted.choose(NetFault.ErrorHidden, wrong = False, right = inPayload && last && fetches && (damaged || io.payload.error))
    io.payload.ready := inPayload && fetches && out.ready
    prepared.ready := out.ready && last && (inPayload ? present | told)

    when(headerLeaves && !last) {
      inPayload := True
      beatsLeft := lastIndex(6, widthOf(beatsLeft) bits)
      damaged := False
    }
    when(out.fire && inPayload) {
      beatsLeft := beatsLeft - 1
      damaged := damaged || io.payload.error
      when(last)(inPayload := False)
    }

    io.retired := RegNext(prepared.fire) init False
    io.release.valid := RegNext(headerLeaves) init False
    io.release.payload := RegNext(a.filtered.request.slot)
  }

  /** The header beat; addresses and ports swapped (contracts §1). */
  private def header(p: Prepared): Bits = {
    import FrameField._
    val a = p.answer
    val r = a.header
    val beat = B(0, 512 bits)
    def put(position: (Int, Int), value: Bits): Unit = FrameBytes.write(beat, position, value)
    def constant(position: (Int, Int), value: Int): Unit = put(position, B(value, 8 * position._2 bits))
    def mneme(position: (Int, Int), value: Bits): Unit = put(FrameField.mneme(position), value)
    put(DST_MAC, r.srcMac)
    put(SRC_MAC, io.control.mac)
    constant(ETHERTYPE, ETHERTYPE_IPV4)
    constant((IP_START, 2), ResponseBuilder.VERSION_IHL_TOS)
    put(IP_TOTAL, p.total.asBits)
    constant(IP_FRAGMENT, ResponseBuilder.DONT_FRAGMENT)
    constant(IP_TTL_PROTOCOL, ResponseBuilder.TTL_PROTOCOL)
    put(IP_CHECKSUM, ~checksum(p.ipSum).asBits)
    put(SRC_IP, io.control.ip)
    put(DST_IP, r.srcIp)
    put(SRC_PORT, io.control.udpPort)
    put(DST_PORT, r.srcPort)
    put(UDP_LENGTH, (p.total - (UDP_START - IP_START)).asBits)

    val kind = if (c.trailers) p.seal.kind else B(Wire.Trailer.NONE, 2 bits)
    mneme(Field.FLAGS, B(Wire.WIRE_VERSION, 4 bits) ## kind ## r.keyPhase ## p.timed)
    mneme(Field.OPCODE, r.opcode | Wire.RESPONSE_BIT)
    mneme(Field.EPOCH, a.slow ## a.outcome.status.resize(7))
    mneme(Field.PID, r.pid.asBits)
    mneme(Field.OP_ID, r.opId)
    mneme(Field.ATTEMPT, r.attempt.asBits)
    mneme(Field.TIME, time.asBits)
    mneme(Field.VA, p.ok ? r.va.asBits | a.outcome.detailVa)
    mneme(Field.LENGTH, p.ok ? r.length.asBits | a.outcome.detailLength)
    beat
  }

  /** The words' sum as one's complement. What overflows is added at the low end; a sum of four words that overflows again leaves 2 there at most,
    * so this second carry touches two bits and needs no chain.
    */
  private def checksum(words: UInt): UInt = {
    val sum = words(15 downto 0) +^ words(17 downto 16)
    val low = sum(1 downto 0) + sum.msb.asUInt
    planted.choose(NetFault.CarryLost, wrong = sum(15 downto 0), right = sum(15 downto 2) @@ low)
  }

  /** Within this component, since the choice between header and payload and that between responses and the slow path are one look-up table a bit. */
  val egress = Egress(c, planted)
  private val sealer = c.trailers generate new TrailerSeal(TrailerGate.WORKERS)
  if (c.trailers) {
    sealer.io.beats << build.out.map { beat =>
      val unsealed = UnsealedBeat()
      unsealed.beat := beat
      unsealed.assignSomeByName(build.p.seal)
      unsealed
    }
    io.sealing := sealer.io.busy
  }
  egress.io.responses << (if (c.trailers) sealer.io.sealedBeats else build.out)
  egress.io.slow << io.slow
  io.frames << egress.io.net

  val observe = new Area {
    import build.{a, headerLeaves}
    io.trace.valid := RegNext(headerLeaves) init False
    val traced = TraceBeat()
    traced.assignFrom(a, io.control.tick)
    io.trace.payload := RegNext(traced)

    val events = CounterEvents()
    events := 0
    when(headerLeaves)(for ((name, code) <- Status.all) events(ResponseBuilder.counterOf(name)) := a.outcome.status === code)
    io.events := RegNext(events | egress.io.events) init 0
  }
}

object ResponseBuilder {
  /** IPv4 version 4, header of five words, no type of service. */
  val VERSION_IHL_TOS = 0x4500
  val DONT_FRAGMENT = 0x4000
  /** Time to live 64, UDP. */
  val TTL_PROTOCOL = (64 << 8) | FrameField.PROTOCOL_UDP

  /** Cycles of `RoceSteer` and of what joins both sides' frames. */
  val STEER_CYCLES = 2

  /** By the bytes of the trailer: what `ResponseBuilder.sealTime` tells. */
  val SEAL_TIMES: Map[Int, Int] = Map(0 -> 1, TrailerKind.CRC_BYTES -> 7, TrailerKind.TAG_BYTES -> 17)

  private val counters = Counter.all.toMap
  /** The counter of a status. */
  def counterOf(status: String): Int = counters(s"STATUS_$status")
}

/** An answer with its lengths. */
private[net] case class Prepared(c: CBoardConfig) extends Bundle {
  val answer = Answer(c)
  val ok, read, atomic = Bool()
  /** No attempt of it may execute again: it is OK, or memory failed. */
  val done = Bool()
  /** The answer tells the request's time on the board. */
  val timed = Bool()
  /** Payload bytes. */
  val bytes = UInt(16 bits)
  /** IPv4 total length. */
  val total = UInt(16 bits)
  /** Sum of the words of the IPv4 header. */
  val ipSum = UInt(18 bits)
  val seal = c.trailers generate Seal()
}
