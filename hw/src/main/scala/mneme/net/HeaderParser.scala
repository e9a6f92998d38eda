package mneme.net

import mneme.wire.Wire
import mneme.wire.Wire.{Field, Opcode}
import mneme.rdma.RoceField
import mneme.trailer.{TrailerKind, TrailerVerdict}
import mneme.{CBoardConfig, Control, Faults, HeaderFields}
import spinal.core._
import spinal.lib._

/** What a frame's first beat says: the request's fields, and every comparison that needs nothing else. */
object HeaderParser {
  def apply(c: CBoardConfig, beat: Bits, control: Control, planted: Faults[NetFault.Value]): Header = {
    import FrameField._
    def field(position: (Int, Int)) = FrameBytes.read(beat, position)
    def mneme(position: (Int, Int)) = field(FrameField.mneme(position))
    val h = Header(c)

    val destination = field(DST_MAC)
    h.foreignMac := destination =/= control.mac && !destination.andR
    val etherType = field(ETHERTYPE)
    h.ipv4 := etherType === ETHERTYPE_IPV4
    h.arp := etherType === ETHERTYPE_ARP

    val total = field(IP_TOTAL).asUInt
    h.whole := total +^ IP_START
    h.badVersionIp := field(IP_VERSION_IHL)(7 downto 4) =/= 4
    h.options := field(IP_VERSION_IHL)(3 downto 0) =/= 5
    h.fragment := field(IP_FRAGMENT)(13 downto 0) =/= 0
    h.badTotal := total < UDP_START - IP_START
    h.foreignIp := field(DST_IP) =/= control.ip
    val protocol = field(IP_PROTOCOL)
    h.icmp := protocol === PROTOCOL_ICMP
    h.udp := protocol === PROTOCOL_UDP

    val udpLength = field(UDP_LENGTH).asUInt
    val udpHeader = MNEME_START - UDP_START
    h.badUdpLength := total < MNEME_START - IP_START || udpLength < udpHeader || (udpLength +^ (UDP_START - IP_START)) =/= total
    h.foreignPort := field(DST_PORT) =/= control.udpPort
    if (c.rdma > 0) h.roce := field(DST_PORT) === RoceField.PORT
    h.udpUnchecked := planted.choose(NetFault.UdpChecksumIgnored, wrong = True, right = field(UDP_CHECKSUM) === 0)

    val flags = mneme(Field.FLAGS)
    h.badVersion := flags(7 downto 4) =/= Wire.WIRE_VERSION
    val kind = flags(3 downto 2)
    val timed = (flags & Wire.TIMED_BIT) =/= 0
    // Only the fast path tells its time.
    val fast = Wire.Opcode.fast.map(mneme(Field.OPCODE) === _).orR
    val untold = timed && !fast
    if (c.trailers) {
      h.kind := kind.andMask(h.ipv4 && h.udp)
      h.dstIp := field(DST_IP)
      h.dstPort := field(DST_PORT)
      h.trailer := untold || TrailerKind.unassigned(kind)
    } else h.trailer := kind =/= Wire.Trailer.NONE || untold
    h.response := (mneme(Field.OPCODE) & Wire.RESPONSE_BIT) =/= 0
    val epoch = mneme(Field.EPOCH)
    h.stale := planted.choose(NetFault.StaleAccepted, wrong = False, right = epoch =/= control.epoch)
    h.firstPing := mneme(Field.OPCODE) === Opcode.PING && epoch === 0

    val r = h.fields
    r.srcMac := field(SRC_MAC)
    r.srcIp := field(SRC_IP)
    r.srcPort := field(SRC_PORT)
    r.opcode := mneme(Field.OPCODE)
    r.keyPhase := flags(1)
    r.timed := timed
    r.pid := mneme(Field.PID).asUInt
    r.opId := mneme(Field.OP_ID)
    r.attempt := mneme(Field.ATTEMPT).asUInt
    r.time := mneme(Field.TIME).asUInt
    r.va := mneme(Field.VA).asUInt
    r.length := mneme(Field.LENGTH).asUInt
    if (c.trailers) {
      h.sized := r.length =/= 0 && r.length <= TrailerKind.choose(kind)(bytes => U(c.maxPayload - bytes, 16 bits))
      h.carriesLength := (r.length +^ TrailerKind.choose(kind)(bytes => U(HEADERS - IP_START + bytes, 16 bits))) === total
    } else {
      h.sized := r.length =/= 0 && r.length <= c.maxPayload
      h.carriesLength := (r.length +^ (HEADERS - IP_START)) === total
    }
    h
  }
}

/** A first beat, parsed; what is wrong with it counts only in the order of the contract. */
case class Header(c: CBoardConfig) extends Bundle {
  val fields = HeaderFields()
  /** Bytes that the frame has if it is as long as its IPv4 packet. */
  val whole = UInt(17 bits)
  val ipv4, arp, icmp, udp = Bool()
  val foreignMac, badVersionIp, options, fragment, badTotal, foreignIp = Bool()
  val badUdpLength, foreignPort, udpUnchecked, response = Bool()
  val badVersion, trailer, stale, firstPing = Bool()
  /** UDP's port of RoCEv2: software's queue pairs, as the port has taken the others. */
  val roce = (c.rdma > 0) generate Bool()
  /** A Trailer number: of what is a UDP packet, else NONE. */
  val kind = c.trailers generate Bits(2 bits)
  /** Ours, as they were when the frame came: a trailer covers them. */
  val dstIp = c.trailers generate Bits(32 bits)
  val dstPort = c.trailers generate Bits(16 bits)
  /** 1 ≤ length ≤ largest payload; the packet carries as many payload bytes as its length says. */
  val sized, carriesLength = Bool()
}

/** A whole frame that waits in a packet slot, with what dispatch needs of it. */
case class FrameDescriptor(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val length = UInt(14 bits)
  val header = Header(c)
  /** What its trailer is worth, once that was checked. */
  val trailer = c.trailers generate TrailerVerdict()
  /** The IPv4 header's checksum is wrong. */
  val badIpSum = Bool()
  /** Sum of the 16-bit words of the UDP pseudo header and of everything from the UDP header on, to the frame's end. */
  val udpSum = UInt(FrameDescriptor.sumBits(c) bits)
}

object FrameDescriptor {
  def sumBits(c: CBoardConfig): Int = 16 + log2Up(c.slotBeats * 32)
}
