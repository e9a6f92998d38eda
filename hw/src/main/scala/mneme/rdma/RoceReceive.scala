package mneme.rdma

import mneme.Faults
import mneme.mem.ByteMask
import mneme.net.{CountedBeat, FrameBytes, FrameField}
import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** The receive side of the RoCEv2 port: whole, sound packets come out, everything else leaves only a count behind.
  *
  * It takes a beat in every cycle and never makes its sender wait. Beats go into a free place of the store as they come, so a packet is there whole when its
  * ICRC is known; who gets the packet gives the place back. A packet comes out `RoceReceive.LATENCY` cycles after its last beat if no other waits; else
  * processes take turns, and those of each come out in their order ([[ArrivalTurns]]). None has all places.
  *
  * A packet with a right ICRC whose headers, pad or payload cannot be (IBTA volume 1, 9.6 and 9.7.4.1) comes out as `malformed`: only its queue pair knows
  * whether that is to be refused with a NAK, or is a duplicate that nobody answers.
  */
case class RoceReceive(
    slots: Int = 32,
    memories: String = "ultra",
    planted: Faults[RoceFault.Value] = Faults.none,
    shares: ArrivalShares = ArrivalShares()
) extends Component {
  private val chains = shares.chains > 0
  val io = new Bundle {
    val frames = slave(Stream(CountedBeat()))
    val local = in(RoceLocal())
    val arrivals = master(Stream(RoceArrival(slots)))
    /** Packets of numbers with `RoceConfig.CHAIN_BIT`, of a port with chains: neither waits for the other. */
    val chained = chains generate master(Stream(RoceArrival(slots)))
    /** A beat of a packet that has come out; the answer comes in the cycle after. */
    val read = slave(Flow(StoreBeat(slots)))
    val data = out Bits (512 bits)
    val giveBack = slave(Flow(UInt(log2Up(slots) bits)))
    /** As [[RoceOwners]] has them. */
    val owners = slave(Flow(RoceOwner(shares)))
    /** Rows of queue pairs have been emptied. */
    val ready = out Bool ()
    /** What became of a frame: a RoceCounter number. */
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
  }
  io.frames.ready := True

  private val store = RoceStore(slots, memories)
  store.io.read << io.read
  io.data := store.io.data
  store.io.returns(0) << io.giveBack

  /** The beat as it comes: its number, its place, and how much of it is of the packet. */
  private val coming = new Area {
    val beat = io.frames.payload
    val valid = io.frames.valid
    val first = RegInit(True)
    when(valid)(first := beat.last)
    /** It stops at the first beat that a place has no room for. */
    val index = Reg(UInt(RoceStore.BEAT_BITS bits)) init 0
    val beyond = index === RoceStore.BEATS
    when(valid)(index := beat.last ? U(0) | (beyond ? index | index + 1))

    /** Whether a place was free when the frame began: later it would miss its beginning. */
    private val place = Reg(UInt(log2Up(slots) bits))
    private val found = Reg(Bool())
    val slot = first ? store.io.free.payload | place
    val present = first ? store.io.free.valid | found
    store.io.free.ready := valid && first
    when(valid) {
      place := slot
      found := present
    }
    store.io.write.valid := valid && present && !beyond
    store.io.write.slot := slot
    store.io.write.beat := index
    store.io.written := beat.data

    /** The packet's last byte, as IPv4 tells it; the ICRC's last one. */
    private val total = FrameBytes.read(beat.data, FrameField.IP_TOTAL).asUInt
    private val endKept = Reg(UInt(17 bits))
    val end = first ? (total +^ (FrameField.IP_START - 1)) | endKept
    when(valid)(endKept := end)
    private val here = index.resize(11) === end(16 downto 6)
    private val before = index.resize(11) < end(16 downto 6)
    val covered = planted.choose(RoceFault.PaddingCovered, wrong = True, right = here || before)
    private val bytes = (0 until 64).map { i =>
      val within = before || (here && ByteMask.through(i, end(5 downto 0)))
      beat.data(8 * i, 8 bits).andMask(planted.choose(RoceFault.PaddingCovered, wrong = True, right = within))
    }
    val data = bytes.asBits()
  }

  private val owners = RoceOwners(shares)
  owners.io.changes << io.owners
  owners.io.asked.valid := coming.valid && coming.first
  owners.io.asked.payload := FrameBytes.read(coming.beat.data, RoceField.DEST_QP).asUInt
  io.ready := owners.io.ready

  /** The frame as far as it has come, in registers. */
  private val seen = new Area {
    import coming.{beat, valid}
    val ended = RegNext(valid && beat.last) init False
    val icrc = IcrcRegister()
    icrc.io.beats.valid := RegNext(valid && coming.covered) init False
    icrc.io.beats.data := RegNextWhen(coming.first ? Icrc.invariant(coming.data, planted) | coming.data, valid)
    icrc.io.beats.first := RegNextWhen(coming.first, valid)
    icrc.io.beats.last := False
    val head = RegNextWhen(beat.data, valid && coming.first)
    val tail = RegNextWhen(beat.data(8 * (RoceField.HEADERS - 64) - 1 downto 0), valid && coming.index === 1)
    val index = RegNextWhen(coming.index, valid)
    val lastByte = RegNextWhen(beat.lastByte, valid)
    val end = RegNextWhen(coming.end, valid)
    val damaged = RegNextWhen(beat.user(0), valid)
    val slot = RegNextWhen(coming.slot, valid)
    val present = RegNextWhen(coming.present, valid)
    val bytes = tail ## head
    def field(position: (Int, Int)): Bits = FrameBytes.read(bytes, position)
    /** Whose it is, if it comes from the queue pair's peer. */
    val share = {
      val (owner, qpn) = (owners.io.owner, field(RoceField.DEST_QP).asUInt)
      val known = owners.io.ready && owner.valid && owner.qpn === qpn && owner.peerIp === field(FrameField.SRC_IP)
      known ? owner.share | shares.nobody(shares.isChain(qpn))
    }
  }

  /** What its headers say, and what is wrong with it. */
  private val parsed = new Area {
    import seen.field
    private def kept[T <: Data](value: T): T = RegNextWhen(value, seen.ended)
    val ended = RegNext(seen.ended) init False
    val headers = kept(RoceHeaderParser(field))
    val share = kept(seen.share)
    val slot = kept(seen.slot)
    val present = kept(seen.present)
    val right = kept(Icrc.right(seen.end(5 downto 0)))

    private val opcode = field(RoceField.OPCODE)
    private val pad = field(RoceField.FLAGS)(5 downto 4).asUInt
    val known = kept(RoceOpcode.isKnown(opcode))
    val bare = kept(RoceOpcode.isBare(opcode))
    val notification = kept(opcode === RoceOpcode.CNP)
    /** Bytes of the IPv4 packet, and those of them that are no payload. */
    val total = kept(field(FrameField.IP_TOTAL).asUInt)
    private val padBytes = planted.choose(RoceFault.PadCounted, wrong = U(0, 2 bits), right = pad)
    val others = kept(RoceOpcode.extension(opcode) +^ padBytes + U(RoceField.SHORTEST_IP, 7 bits))
    val extension = kept(RoceOpcode.extension(opcode))

    /** The words of the IPv4 header in two sums. */
    private val words = FrameBytes.words(seen.head, FrameField.IP_START, FrameField.UDP_START)
    val sums = words.grouped(5).map(group => kept(FrameBytes.sum(group))).toSeq
    val faults = for ((counter, fails) <- RoceHeaderParser.faults(field, io.local, planted)) yield counter -> kept(fails)
    val damaged = kept(seen.damaged)
    val short = kept(seen.index === 0 && seen.lastByte < RoceField.SHORTEST - 1)
    val giant = kept(seen.index === RoceStore.BEATS)
    val cut = kept((seen.index @@ seen.lastByte).resize(17) < seen.end)
  }

  /** All is known with the ICRC's register. */
  private val judged = new Area {
    private def kept[T <: Data](value: T): T = RegNextWhen(value, parsed.ended)
    val ended = RegNext(parsed.ended) init False
    val headers = kept(parsed.headers)
    val share = kept(parsed.share)
    val slot = kept(parsed.slot)
    val present = kept(parsed.present)
    private val right = kept(parsed.right)
    private val badSum = kept(!FrameBytes.sumsRight(parsed.sums.reduce(_ +^ _)))
    private val badIcrc = planted.choose(RoceFault.IcrcAccepted, wrong = False, right = seen.icrc.io.sums.payload =/= right)
    private val faults = for ((counter, fails) <- parsed.faults) yield counter -> kept(fails)
    private val found = (faults ++ Seq(
      RoceCounter.DROP_DAMAGED -> kept(parsed.damaged),
      RoceCounter.DROP_SHORT -> kept(parsed.short),
      RoceCounter.DROP_GIANT -> kept(parsed.giant),
      RoceCounter.DROP_IP_CHECKSUM -> badSum,
      RoceCounter.DROP_ICRC -> badIcrc,
      RoceCounter.DROP_FULL -> planted.choose(RoceFault.FullAccepted, wrong = False, right = !present)
    )).groupMapReduce(_._1)(_._2)(_ || _).toSeq.sortBy(_._1)
    private val cut = kept(parsed.cut)
    // The two ways in which IPv4's length is wrong have one counter.
    private val reasons = found.map { case (counter, fails) => counter -> (if (counter == RoceCounter.DROP_IP_LENGTH) fails || cut else fails) }

    /** Bytes between headers and pad; the sign tells of less than none. */
    private val between = kept(parsed.total.resize(17) - parsed.others).asSInt
    private val some = kept(parsed.total(1 downto 0) =/= 0 || parsed.headers.pad =/= 0)
    private val (known, bare, notification) = (kept(parsed.known), kept(parsed.bare), kept(parsed.notification))
    private val tooMany = between > RoceReceive.PAYLOAD_MAX
    private val negative = planted.choose(RoceFault.PadAccepted, wrong = False, right = between.msb)
    private val partial = kept(parsed.total(1 downto 0) =/= 0)
    val malformed = known && (bare ? (some || between =/= 0) | (notification ? (some || between =/= RoceOpcode.CNP_ZEROS) | (partial || negative || tooMany)))
    val carries = known && !bare && !notification && !malformed
    val payload = between.asUInt.resize(13).andMask(carries)
    val extension = kept(parsed.extension)

    val drops = reasons.map(_._2).orR
    private val outcome = malformed ? U(RoceCounter.RX_MALFORMED, RoceCounters.BITS bits) | U(RoceCounter.RX_PACKETS, RoceCounters.BITS bits)
    val count = reasons.foldRight(outcome) { case ((counter, fails), later) => fails ? U(counter, RoceCounters.BITS bits) | later }
  }

  val leaving = new Area {
    import judged._
    private val turns = ArrivalTurns(slots, shares, planted)
    turns.io.comes.valid := ended && !drops
    turns.io.comes.slot := slot
    turns.io.comes.share := share
    if (chains) turns.io.comes.chain := shares.isChain(headers.destQp)
    turns.io.gone << io.giveBack

    /** What is told of the packet in each place. */
    private val told = Mem(RoceArrival(slots), slots).addAttribute("ram_style", "distributed")
    private val arrival = RoceArrival(slots)
    arrival.headers := headers
    arrival.headers.payload.removeAssignments() := payload
    arrival.slot := slot
    arrival.offset := extension.resize(7) + RoceField.EXTENSION
    arrival.malformed := malformed
    told.write(slot, arrival, ended && present)
    for ((to, from) <- Seq(io.arrivals, io.chained).zip(turns.io.leaves)) {
      to.arbitrationFrom(from)
      to.payload := told.readAsync(from.payload)
      to.slot.removeAssignments() := from.payload
    }

    // --- A cycle later it is known whether its share had a place for it.
    private val refused = turns.io.refused
    private val dropped = RegNext(ended && drops && present && planted.choose(RoceFault.PlaceLost, wrong = False, right = True)) init False
    store.io.returns(1).valid := dropped || refused
    store.io.returns(1).payload := RegNext(slot)
    private val known = RegNext(ended) init False
    private val before = RegNext(count)
    io.counted.valid := RegNext(known) init False
    io.counted.payload := RegNext(refused ? U(RoceCounter.DROP_SHARE, RoceCounters.BITS bits) | before)
  }
}

object RoceReceive {
  /** Cycles from a packet's last beat to its coming out. */
  val LATENCY = 4
  val PAYLOAD_MAX = 4096
}

/** What a frame's first bytes say. */
private[rdma] object RoceHeaderParser {
  import FrameField._

  def apply(field: ((Int, Int)) => Bits): RoceHeaders = {
    val h = RoceHeaders()
    val flags = field(RoceField.FLAGS)
    h.srcMac := field(SRC_MAC)
    h.srcIp := field(SRC_IP)
    h.srcPort := field(SRC_PORT)
    h.congested := field((IP_START + 1, 1))(1 downto 0).andR
    h.opcode := field(RoceField.OPCODE)
    h.solicited := flags(7)
    h.ackRequest := field(RoceField.ACK_REQUEST)(7)
    h.pad := flags(5 downto 4).asUInt
    h.pkey := field(RoceField.PKEY)
    h.destQp := field(RoceField.DEST_QP).asUInt
    h.psn := field(RoceField.PSN).asUInt
    h.va := field(RoceField.VA).asUInt
    h.rkey := field(RoceField.RKEY)
    h.dmaLength := field(RoceField.DMA_LENGTH).asUInt
    h.swapAdd := field(RoceField.SWAP_ADD)
    h.compare := field(RoceField.COMPARE)
    h.immediate := (h.opcode === RoceOpcode.WRITE_ONLY_IMMEDIATE) ? field(RoceField.BEHIND_RETH) | field(RoceField.FIRST_WORD)
    h.payload := 0
    h
  }

  /** What is wrong with them alone. */
  def faults(field: ((Int, Int)) => Bits, local: RoceLocal, planted: Faults[RoceFault.Value]): Seq[(Int, Bool)] = {
    val total = field(IP_TOTAL).asUInt
    val fragment = field(IP_FRAGMENT)(13 downto 0) =/= 0
    Seq(
      RoceCounter.DROP_FOREIGN_MAC -> (field(DST_MAC) =/= local.mac),
      RoceCounter.DROP_FOREIGN_ETHERTYPE -> (field(ETHERTYPE) =/= ETHERTYPE_IPV4),
      RoceCounter.DROP_IP_HEADER -> (field(IP_VERSION_IHL)(7 downto 4) =/= 4),
      RoceCounter.DROP_IP_OPTIONS -> (field(IP_VERSION_IHL)(3 downto 0) =/= 5),
      RoceCounter.DROP_IP_FRAGMENT -> planted.choose(RoceFault.FragmentAccepted, wrong = False, right = fragment),
      RoceCounter.DROP_IP_LENGTH -> (total < RoceField.SHORTEST_IP),
      RoceCounter.DROP_FOREIGN_IP -> (field(DST_IP) =/= local.ip),
      RoceCounter.DROP_FOREIGN_PROTOCOL -> (field(IP_PROTOCOL) =/= PROTOCOL_UDP),
      RoceCounter.DROP_UDP_LENGTH -> ((field(UDP_LENGTH).asUInt +^ (UDP_START - IP_START)) =/= total.resize(17)),
      RoceCounter.DROP_FOREIGN_PORT -> (field(DST_PORT) =/= RoceField.PORT),
      RoceCounter.DROP_VERSION -> (field(RoceField.FLAGS)(3 downto 0) =/= 0)
    )
  }
}
