package mneme.rdma

import mneme.Faults
import mneme.engine.PayloadBeat
import mneme.mem.ByteMask
import mneme.net.{CountedBeat, FrameBytes, FrameField, ResponseBuilder}
import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** The transmit side of the RoCEv2 port: whole frames of what is to be sent, Ethernet to ICRC, a beat in every cycle.
  *
  * A departure takes ceil(payload / 64) beats of `payload`. Where memory failed under one of them, the frame leaves marked as damaged, and with its ICRC
  * turned round, so that nobody takes it for good whatever the MAC does with the mark. Frames may be as short as 58 bytes; the MAC pads.
  *
  * A frame's first beat leaves `RoceTransmit.FIRST` cycles after its departure came; a beat that has a part of the ICRC leaves when that is known.
  *
  * `writes`: WRITEs of replies, too. Their payloads begin at byte 54, 58, 70 or 74, behind RETH in the second beat.
  */
case class RoceTransmit(planted: Faults[RoceFault.Value] = Faults.none, writes: Boolean = false) extends Component {
  import RoceTransmit._

  private val starts = RoceTransmit.starts(writes)
  val io = new Bundle {
    val departures = slave(Stream(RoceDeparture(writes)))
    val payload = slave(Stream(PayloadBeat()))
    val local = in(RoceLocal())
    val frames = master(Stream(CountedBeat()))
    /** What left: a RoceCounter number. */
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
  }

  /** The words of the IPv4 header that are the same in every frame: a register that changes only with our address. */
  private val ours = {
    val fixed = ResponseBuilder.VERSION_IHL_TOS + ResponseBuilder.DONT_FRAGMENT + ResponseBuilder.TTL_PROTOCOL
    val sum = RegNext(FrameBytes.fold(U(fixed, 18 bits) +^ (io.local.ip(31 downto 16).asUInt +^ io.local.ip(15 downto 0).asUInt)))
    RegNext(FrameBytes.fold(sum).resize(16))
  }
  private val prepared = io.departures.map(prepare).m2sPipe()

  private def prepare(d: RoceDeparture): PreparedPacket = {
    val p = PreparedPacket(writes)
    val extension = RoceOpcode.extension(d.opcode, isSent(writes))
    val notification = d.opcode === RoceOpcode.CNP
    p.departure := d
    p.start := starts.indices.tail.foldLeft(U(0, widthOf(p.start) bits))((or, i) =>
      or | U(i, widthOf(p.start) bits).andMask(extension === starts(i) - starts.head)
    )
    p.pad := (U(0, 2 bits) - d.payload(1 downto 0)).resized
    p.until := d.payload.resize(14) + (extension.resize(7) + RoceField.EXTENSION)
    val words = d.payload(12 downto 2) +^ d.payload(1 downto 0).orR.asUInt
    val zeros = U(RoceOpcode.CNP_ZEROS, 5 bits).andMask(notification)
    // Either has none of the other.
    val others = (extension | zeros) +^ U(RoceField.EXTENSION, 7 bits)
    p.end := (words @@ U(0, 2 bits)) + others
    p.beats := (d.payload +^ 63)(13 downto 6)
    if (writes) {
      val isWrite = RoceOpcode.isOneOf(d.opcode, WRITES)
      p.hasAeth := extension =/= 0 && !planted.choose(RoceFault.AethInWrites, wrong = False, right = isWrite)
      p.hasReth := isWrite && extension(4)
      p.hasImmediate := isWrite && extension(2)
    } else p.hasAeth := extension =/= 0
    p.isAtomic := d.opcode === RoceOpcode.ATOMIC_ACKNOWLEDGE
    p.notification := notification
    p.sum := d.dstIp(31 downto 16).asUInt +^ ours +^ (d.dstIp(15 downto 0).asUInt +^ (p.end - (FrameField.IP_START - Icrc.BYTES)))
    p
  }

  private val shift = PayloadShift(starts.map(_ % 64))

  private val build = new Area {
    val p = prepared.payload
    val index = Reg(UInt(8 bits)) init 0
    val taken = Reg(UInt(8 bits)) init 0
    val failed = RegInit(False)
    val (first, second) = (index === 0, index === 1)
    val carries = p.beats =/= 0
    /** Payloads that begin in the second beat leave the first one to the headers. */
    private val waits = first && starts.zipWithIndex.collect { case (start, number) if start >= 64 => p.start === number }.fold(False)(_ || _)
    val wants = taken =/= p.beats && !waits
    val out = Stream(UnsummedBeat())
    private val valid = prepared.valid && (!wants || io.payload.valid)
    out.valid := valid
    io.payload.ready := prepared.valid && wants && out.ready
    private val takes = io.payload.fire

    shift.io.start := p.start
    shift.io.payload := io.payload.data
    shift.io.taken := takes

    /** The beat with the last bytes that the ICRC covers, and the frame's, which is the next one where the ICRC lies across their border. */
    val covered = index === p.end(13 downto 6)
    val word = p.end(5 downto 2)
    val last = index === (p.end + (Icrc.BYTES - 1))(13 downto 6)
    private val beyond = index > p.end(13 downto 6)

    private val (atEnd, pastEnd) = (index === p.until(13 downto 6), index > p.until(13 downto 6))

    private val header = {
      val common = RoceTransmit.header(p, io.local, planted)
      if (writes) common.zipAll(writeHeader(p, planted), B(0, 8 bits), B(0, 8 bits)).map { case (a, b) => a | b } else common
    }
    private val bytes = (0 until 64).map { i =>
      val begun = starts.zipWithIndex.map { case (start, number) =>
        val here = if (i >= start) True else if (i >= start - 64) !first else !first && !second
        p.start === number && here
      }.orR && carries
      val goesOn = planted.choose(RoceFault.PayloadLeaks, wrong = !beyond, right = !pastEnd && !(atEnd && !ByteMask.below(i, p.until(5 downto 0))))
      val ofPayload = shift.io.shifted(8 * i, 8 bits).andMask(begun && goesOn)
      val ofSecond = header.lift(64 + i).map(_.andMask(second))
      ofSecond.foldLeft(header(i).andMask(first) | ofPayload)(_ | _)
    }
    out.data := bytes.asBits()
    out.last := last
    out.word := word
    out.covered := covered
    val fails = failed || (takes && io.payload.error)
    out.failed := planted.choose(RoceFault.ErrorHidden, wrong = False, right = fails)

    prepared.ready := out.ready && last && (!wants || io.payload.valid)
    when(out.fire) {
      index := last ? U(0) | index + 1
      taken := last ? U(0) | taken + takes.asUInt
      failed := fails && !last
    }
  }

  private val summed = new Area {
    private val in = build.out
    val register = IcrcRegister()
    register.io.beats.valid := RegNext(in.fire && !(in.last && !in.covered)) init False
    register.io.beats.data := RegNextWhen(build.first ? Icrc.invariant(in.data, planted) | in.data, in.fire)
    register.io.beats.first := RegNextWhen(build.first, in.fire)
    register.io.beats.last := RegNextWhen(in.covered, in.fire)
    /** Words that the last beat has too few, when its sum is there. */
    private val missing = Delay(RegNextWhen(~in.word, in.fire), 2)
    /** Half of the zeros are taken back in each of two cycles. */
    private val half = new Area {
      val valid = RegNext(register.io.sums.valid) init False
      val rest = RegNext(missing(3 downto 2))
      val value = RegNext(Icrc.takeBack(register.io.sums.payload, 2, Seq((missing(0), 4), (missing(1), 8))))
    }
    // One for each frame of which a beat waits, at most.
    private val queue = StreamFifo(Bits(32 bits), QUEUE_BEATS, latency = 0)
    queue.io.push.valid := RegNext(half.valid) init False
    queue.io.push.payload := RegNext(~Icrc.takeBack(half.value, 0, Seq((half.rest(0), 16), (half.rest(1), 32))))
    val sums = queue.io.pop
  }

  val leaving = new Area {
    private val queue = StreamFifo(UnsummedBeat(), QUEUE_BEATS, latency = 1)
    queue.io.push << build.out
    private val beat = queue.io.pop
    /** The second part of an ICRC that lies across two beats is a beat's only content. */
    private val second = !beat.covered && beat.last
    private val wants = beat.covered || second
    private val sum = summed.sums.payload ^ B(32 bits, default -> beat.failed)
    private val bytes = (0 until 64).map { i =>
      // Two bytes of the word before each multiple of four.
      val word = (i + 2) / 4 - 1
      val here = if (i < 2) planted.choose(RoceFault.HalfIcrc, wrong = False, right = second) else beat.covered && beat.word === word
      beat.data(8 * i, 8 bits) | sum(8 * ((i + 2) % 4), 8 bits).andMask(here)
    }
    io.frames.valid := beat.valid && (!wants || summed.sums.valid)
    io.frames.data := bytes.asBits()
    io.frames.lastByte := beat.last ? (second ? U(1, 6 bits) | (beat.word @@ U(2, 2 bits)) + 3) | U(63, 6 bits)
    io.frames.last := beat.last
    io.frames.user(0) := beat.last && beat.failed
    beat.ready := io.frames.ready && (!wants || summed.sums.valid)
    summed.sums.ready := io.frames.fire && beat.last
    io.counted.valid := RegNext(summed.sums.ready) init False
    io.counted.payload := RegNext(beat.failed ? U(RoceCounter.TX_DAMAGED, RoceCounters.BITS bits) | U(
      RoceCounter.TX_PACKETS,
      RoceCounters.BITS bits
    ))
  }
}

object RoceTransmit {
  /** Cycles from a departure to its frame's first beat, if nothing is in its way and the beat has nothing of the ICRC. */
  val FIRST = 2

  /** Cycles from a departure to the beat of a frame of one beat. */
  val ONLY = 6

  /** A LUTRAM of up to 32 words costs the same. */
  val QUEUE_BEATS = 16

  private val WRITES = 0x06 to 0x0b

  /** Opcodes of a [[RoceDeparture]]. */
  def isSent(writes: Boolean)(opcode: Int): Boolean =
    opcode >= 0x0d && opcode <= 0x12 || opcode == RoceOpcode.CNP || writes && WRITES.contains(opcode)

  /** Where payloads begin. An atomic's answer has none, and its headers end in the second beat. */
  private def starts(writes: Boolean): Seq[Int] = Seq(54, 58) ++ (if (writes) Seq(70, 74) else Nil)

  /** Bytes of the headers, some of them of the second beat; zeros behind them. */
  private def header(p: PreparedPacket, local: RoceLocal, planted: Faults[RoceFault.Value]): Seq[Bits] = {
    import FrameField._
    val d = p.departure
    val beat = B(0, 8 * (RoceField.ORIGINAL._1 + RoceField.ORIGINAL._2) bits)
    def put(position: (Int, Int), value: Bits): Unit = FrameBytes.write(beat, position, value)
    def constant(position: (Int, Int), value: Int): Unit = put(position, B(value, 8 * position._2 bits))
    put(DST_MAC, d.dstMac)
    put(SRC_MAC, local.mac)
    constant(ETHERTYPE, ETHERTYPE_IPV4)
    constant((IP_START, 2), ResponseBuilder.VERSION_IHL_TOS)
    val carried = FrameBytes.fold(p.sum)
    val checksum = planted.choose(RoceFault.CarryLost, wrong = carried, right = FrameBytes.fold(carried))
    val ip = p.end - (IP_START - Icrc.BYTES)
    put(IP_TOTAL, ip.resize(16).asBits)
    constant(IP_FRAGMENT, ResponseBuilder.DONT_FRAGMENT)
    constant(IP_TTL_PROTOCOL, ResponseBuilder.TTL_PROTOCOL)
    put(IP_CHECKSUM, ~checksum.resize(16).asBits)
    put(SRC_IP, local.ip)
    put(DST_IP, d.dstIp)
    put(SRC_PORT, d.srcPort)
    constant(DST_PORT, RoceField.PORT)
    put(UDP_LENGTH, (ip - (UDP_START - IP_START)).resize(16).asBits)

    put(RoceField.OPCODE, d.opcode)
    // Migrated, as peers have it; version 0.
    put(RoceField.FLAGS, B"01" ## p.pad ## B(0, 4 bits))
    put(RoceField.PKEY, d.pkey)
    put(RoceField.CONGESTION, B"0" ## p.notification ## B(0, 6 bits))
    put(RoceField.DEST_QP, d.destQp.asBits)
    put(RoceField.ACK_REQUEST, d.ackRequest ## B(0, 7 bits))
    put(RoceField.PSN, d.psn.asBits)
    put(RoceField.SYNDROME, d.syndrome.andMask(p.hasAeth))
    put(RoceField.MSN, d.msn.asBits.andMask(p.hasAeth))
    put(RoceField.ORIGINAL, d.original.andMask(p.isAtomic))
    beat.subdivideIn(8 bits).toSeq
  }

  /** RETH and immediate data, in their places from the frame's start on; zeros elsewhere. */
  private def writeHeader(p: PreparedPacket, planted: Faults[RoceFault.Value]): Seq[Bits] = {
    import RoceField.{BEHIND_RETH, EXTENSION, FIRST_WORD}
    val fields = p.departure.write
    val reth = (fields.va ## fields.rkey ## fields.length).andMask(p.hasReth)
    val behindReth = fields.immediate.andMask(p.hasImmediate && p.hasReth)
    val alone = fields.immediate.andMask(p.hasImmediate && !planted.choose(RoceFault.ImmediateTwice, wrong = False, right = p.hasReth))
    val first = alone ## B(0, reth.getWidth - 8 * FIRST_WORD._2 bits)
    val bytes = ((reth | first) ## behindReth).subdivideIn(8 bits).reverse
    Seq.fill(EXTENSION)(B(0, 8 bits)) ++ bytes.take(BEHIND_RETH._1 + BEHIND_RETH._2 - EXTENSION)
  }
}

/** A departure with its lengths, in bytes from the frame's start. */
private[rdma] case class PreparedPacket(writes: Boolean) extends Bundle {
  val departure = RoceDeparture(writes)
  /** Number of the place where its payload begins. */
  val start = UInt((if (writes) 2 else 1) bits)
  val pad = UInt(2 bits)
  /** The byte behind its payload's last. */
  val until = UInt(14 bits)
  /** The ICRC's first byte. */
  val end = UInt(14 bits)
  /** Beats of payload. */
  val beats = UInt(8 bits)
  val hasAeth, isAtomic, notification = Bool()
  val hasReth, hasImmediate = writes generate Bool()
  /** Sum of the words of the IPv4 header. */
  val sum = UInt(18 bits)
}

/** A beat of a frame without its ICRC. */
private[rdma] case class UnsummedBeat() extends Bundle {
  val data = Bits(512 bits)
  val last = Bool()
  /** The ICRC begins in this beat, at byte 2 of its word number `word`; two of its bytes may be in the next one. */
  val covered = Bool()
  val word = UInt(4 bits)
  /** Memory failed under this frame's payload so far. */
  val failed = Bool()
}
