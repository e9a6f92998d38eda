package mneme.net

import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, Field, MatAction, Opcode, Status}
import mneme.{CBoardConfig, Control, CounterEvents, Request}
import spinal.core._
import spinal.lib._

/** Decides for every frame what it is: a request, a frame for the slow path, or a drop (contracts §1, 4 to 17, in that order).
  *
  * Three stages, one frame a cycle: fields and comparisons; checksums and table; verdict. A fourth register routes.
  */
case class Dispatch(c: CBoardConfig, planted: NetFaults = NetFaults.none) extends Component {
  val io = new Bundle {
    val frames = slave(Stream(FrameDescriptor(c)))
    val control = in(Control())
    val rows = in(Vec(MatRow(), Wire.MAT_ROWS))
    val requests = master(Stream(Request(c)))
    /** A frame may be given away only while there is room. */
    val slowRoom = in Bool ()
    val slow = master(Flow(SlowFrame(c)))
    /** Slots of dropped frames. */
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    val events = out(CounterEvents())
  }

  private val parsed = io.frames.map(parse).m2sPipe()
  private val matched = parsed.map(check).m2sPipe()
  private val judged = matched.map(judge).m2sPipe()

  /** Stage 1: fields, and every comparison that needs only them. */
  private def parse(frame: FrameDescriptor): Parsed = {
    import FrameField._
    def field(position: (Int, Int)) = FrameBytes.read(frame.header, position)
    def mneme(position: (Int, Int)) = field(FrameField.mneme(position))
    val p = Parsed(c)
    p.slot := frame.slot
    p.frameLength := frame.length

    val destination = field(DST_MAC)
    p.foreignMac := destination =/= io.control.mac && !destination.andR
    val etherType = field(ETHERTYPE)
    p.ipv4 := etherType === ETHERTYPE_IPV4
    p.arp := etherType === ETHERTYPE_ARP

    val total = field(IP_TOTAL).asUInt
    val wholeFrame = total +^ IP_START
    p.badHeader := frame.length < UDP_START || field(IP_VERSION_IHL)(7 downto 4) =/= 4
    p.options := field(IP_VERSION_IHL)(3 downto 0) =/= 5
    p.ipSum := FrameBytes.sum(FrameBytes.words(frame.header, IP_START, UDP_START)).resized
    p.fragment := field(IP_FRAGMENT)(13 downto 0) =/= 0
    p.badTotal := total < UDP_START - IP_START || wholeFrame > frame.length
    p.notWhole := wholeFrame =/= frame.length
    p.foreignIp := field(DST_IP) =/= io.control.ip
    val protocol = field(IP_PROTOCOL)
    p.icmp := protocol === PROTOCOL_ICMP
    p.udp := protocol === PROTOCOL_UDP

    val udpLength = field(UDP_LENGTH).asUInt
    val udpHeader = MNEME_START - UDP_START
    p.badUdpLength := total < MNEME_START - IP_START || udpLength < udpHeader || (udpLength +^ (UDP_START - IP_START)) =/= total
    p.foreignPort := field(DST_PORT) =/= io.control.udpPort
    p.udpUnchecked := planted.choose(NetFault.UdpChecksumIgnored, wrong = True, right = field(UDP_CHECKSUM) === 0)
    // The pseudo header's addresses are in the sum already; its protocol and length are not.
    p.udpSum := FrameBytes.fold(frame.udpSum.resize(32)) +^ (udpLength +^ PROTOCOL_UDP)
    p.short := udpLength < udpHeader + Wire.HEADER_LEN
    p.payload := udpLength - (udpHeader + Wire.HEADER_LEN)

    val flags = mneme(Field.FLAGS)
    p.badVersion := flags(7 downto 4) =/= Wire.WIRE_VERSION
    p.reserved := flags(0)
    p.trailer := flags(3 downto 2) =/= Wire.Trailer.NONE
    p.response := (mneme(Field.OPCODE) & Wire.RESPONSE_BIT) =/= 0
    val epoch = mneme(Field.EPOCH)
    p.stale := planted.choose(NetFault.StaleAccepted, wrong = False, right = epoch =/= io.control.epoch)
    p.firstPing := mneme(Field.OPCODE) === Opcode.PING && epoch === 0

    val r = p.request
    r.srcMac := field(SRC_MAC)
    r.srcIp := field(SRC_IP)
    r.srcPort := field(SRC_PORT)
    r.opcode := mneme(Field.OPCODE)
    r.keyPhase := flags(1)
    r.pid := mneme(Field.PID).asUInt
    r.opId := mneme(Field.OP_ID)
    r.attempt := mneme(Field.ATTEMPT).asUInt
    r.time := mneme(Field.TIME).asUInt
    r.va := mneme(Field.VA).asUInt
    r.length := mneme(Field.LENGTH).asUInt
    r.operand0 := frame.operands(63 downto 0)
    r.operand1 := frame.operands(127 downto 64)
    p
  }

  /** Stage 2: checksums, the request's own fields, the match-action table; the first drop of checks 4 to 11. */
  private def check(p: Parsed): Checked = {
    def wrong(sum: UInt) = FrameBytes.fold(FrameBytes.fold(sum).resize(32)).resize(16) =/= 0xffff
    val ip = p.ipv4
    val udp = ip && !p.icmp
    val drops = Seq(
      Counter.DROP_FOREIGN_MAC -> p.foreignMac,
      Counter.DROP_FOREIGN_ETHERTYPE -> (!ip && !p.arp),
      Counter.DROP_IP_HEADER -> (ip && p.badHeader),
      Counter.DROP_IP_OPTIONS -> (ip && p.options),
      Counter.DROP_IP_CHECKSUM -> (ip && wrong(p.ipSum.resize(32))),
      Counter.DROP_IP_FRAGMENT -> (ip && p.fragment),
      Counter.DROP_IP_LENGTH -> (ip && p.badTotal),
      Counter.DROP_FOREIGN_IP -> (ip && p.foreignIp),
      Counter.DROP_FOREIGN_PROTOCOL -> (udp && !p.udp),
      Counter.DROP_UDP_LENGTH -> (udp && p.badUdpLength),
      Counter.DROP_FOREIGN_PORT -> (udp && p.foreignPort),
      Counter.DROP_UDP_CHECKSUM -> (udp && !p.udpUnchecked && wrong(p.udpSum.resize(32))),
      Counter.DROP_MNEME_SHORT -> (udp && p.short),
      Counter.DROP_IP_LENGTH -> (udp && p.notWhole),
      Counter.DROP_RESPONSE -> (udp && p.response)
    )
    val k = Checked(c)
    k.slot := p.slot
    k.frameLength := p.frameLength
    k.mneme := udp
    k.dropped := drops.map(_._2).orR
    k.reason := first(drops.map { case (counter, fails) => fails -> U(counter, 7 bits) })
    k.refused := p.badVersion || p.reserved || p.trailer
    k.refusedCause := first(Seq(
      p.badVersion -> U(Cause.VERSION, 8 bits),
      p.reserved -> U(Cause.RESERVED, 8 bits),
      p.trailer -> U(Cause.TRAILER, 8 bits)
    ))
    k.stale := p.stale
    k.slowStale := p.stale && !p.firstPing
    checkRequest(k, p)

    val key = MatKey()
    key.etherType := ip ? B(FrameField.ETHERTYPE_IPV4, 16 bits) | B(FrameField.ETHERTYPE_ARP, 16 bits)
    key.protocol := udp ? B(FrameField.PROTOCOL_UDP, 8 bits) | (ip ? B(FrameField.PROTOCOL_ICMP, 8 bits) | B(0, 8 bits))
    key.port := udp ? io.control.udpPort | B(0, 16 bits)
    key.opcode := udp ? p.request.opcode | B(0, 8 bits)
    val hits = io.rows.toSeq.map(_.matches(key))
    k.matHit := hits.orR
    k.matAction := first(hits.zip(io.rows).toSeq.map { case (hit, row) => hit -> row.action })
    k.request := p.request
    k
  }

  /** Checks 15 to 17 as single wires. */
  private def checkRequest(k: Checked, p: Parsed): Unit = {
    val r = p.request
    def is(opcode: Int): Bool = r.opcode === opcode
    val read = is(Opcode.READ)
    val write = is(Opcode.WRITE)
    val fence = is(Opcode.FENCE)
    val compareSwap = is(Opcode.COMPARE_SWAP)
    val atomic = compareSwap || is(Opcode.FETCH_ADD) || is(Opcode.SWAP)
    k.unknown := !(read || write || fence || atomic)
    k.noPid := r.pid === 0
    val sized = r.length =/= 0 && r.length <= c.maxPayload
    val operands = compareSwap ? U(16, 16 bits) | U(8, 16 bits)
    k.badLength := True
    when(read)(k.badLength := p.payload =/= 0 || !sized)
    when(write)(k.badLength := p.payload =/= r.length || !sized)
    when(atomic)(k.badLength := p.payload =/= operands || r.length =/= 8)
    when(fence)(k.badLength := p.payload =/= 0 || r.length =/= 0)
    k.misaligned := atomic && r.va(2 downto 0) =/= 0
    val end = r.va(c.pageBits - 1 downto 0) +^ r.length
    val page = BigInt(1) << c.pageBits
    k.crossing := planted.choose(NetFault.CrossingOffByOne, wrong = end > page + 1, right = end > page)
  }

  /** Stage 3: the verdict. */
  private def judge(k: Checked): Judged = {
    val j = Judged(c)
    j.slot := k.slot
    j.frameLength := k.frameLength
    j.mneme := k.mneme
    val refused = k.mneme && k.refused
    val fast = k.matAction === MatAction.FAST
    val slow = k.matAction === MatAction.SLOW
    // Only Mneme packets have a fast path; a fast row that ARP or ICMP matches drops them.
    val matDrop = !slow && !(fast && k.mneme)
    j.drop := k.dropped || (!refused && (!k.matHit || matDrop))
    j.reason := k.dropped ? k.reason | (k.matHit ? U(Counter.DROP_MAT_DROP, 7 bits) | U(Counter.DROP_MAT_MISS, 7 bits))
    val r = j.request
    r.assignSomeByName(k.request)
    r.slot := k.slot
    r.answered := False
    r.status := Status.OK
    r.detailVa := 0
    r.detailLength := 0
    r.result := 0
    r.filtered := False
    r.filterEntry := 0
    r.tickFilter := 0
    r.resumed := False
    r.tickResume := 0
    r.zeros := False
    r.address := 0
    def stale(): Unit = r.fail(Status.STALE, Cause.EPOCH, io.control.epoch.resize(32))
    when(refused) {
      r.answered := True
      r.status := Status.UNSUPPORTED
      r.detailVa := k.refusedCause.asBits ## B(0, 40 bits)
    } elsewhen (slow) {
      when(k.mneme && k.slowStale)(stale())
    } elsewhen (k.unknown) {
      r.fail(Status.UNSUPPORTED, Cause.OPCODE)
    } elsewhen (k.stale) {
      stale()
    } elsewhen (k.noPid) {
      r.fail(Status.BADREQUEST, Cause.PID)
    } elsewhen (k.badLength) {
      r.fail(Status.BADREQUEST, Cause.LENGTH)
    } elsewhen (k.misaligned) {
      r.fail(Status.BADREQUEST, Cause.ALIGNMENT)
    } elsewhen (k.crossing) {
      r.fail(Status.BADREQUEST, Cause.CROSSING)
    }
    j.slow := slow && !r.answered
    j
  }

  /** The value of the first condition that holds. */
  private def first[T <: Data](choices: Seq[(Bool, T)]): T =
    choices.init.foldRight(choices.last._2) { case ((condition, value), rest) => Mux(condition, value, rest) }

  val route = new Area {
    val j = judged.payload
    /** A slow frame that found no room: it becomes an answer or a drop, and stays one until it has left. */
    val crowded = RegInit(False)
    val wantsSlow = j.slow && !j.drop && !crowded
    val drop = j.drop || (crowded && !j.mneme)

    io.slow.valid := judged.valid && wantsSlow && io.slowRoom
    io.slow.slot := j.slot
    io.slow.length := j.frameLength
    val releases = planted.choose(NetFault.SlotLeaked, wrong = False, right = drop)
    io.release.valid := judged.valid && releases
    io.release.payload := j.slot
    io.requests.valid := judged.valid && !drop && !wantsSlow
    io.requests.payload := j.request
    when(crowded)(io.requests.payload.fail(Status.BUSY, Cause.QUEUE, io.control.busyHint))

    judged.ready := wantsSlow ? io.slowRoom | (drop ? (io.release.ready || !releases) | io.requests.ready)
    when(judged.valid && wantsSlow && !io.slowRoom)(crowded := True)
    when(judged.fire)(crowded := False)

    val reason = j.drop ? j.reason | U(Counter.DROP_SLOW_FULL, 7 bits)
    val events = CounterEvents()
    events := 0
    for (counter <- Dispatch.drops) events(counter) := io.release.fire && reason === counter
    io.events := RegNext(events) init 0
  }
}

object Dispatch {
  /** The counters of dispatch's drops. */
  val drops: Range = Counter.DROP_FOREIGN_MAC to Counter.DROP_SLOW_FULL
}

/** What a frame's bytes say of a request; the names are those of `Request`. */
private[net] case class HeaderFields() extends Bundle {
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opcode = Bits(8 bits)
  val keyPhase = Bool()
  val pid = UInt(Wire.PID_BITS bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  val time = UInt(24 bits)
  val va = UInt(Wire.VA_BITS bits)
  val length = UInt(16 bits)
  val operand0, operand1 = Bits(64 bits)
}

/** After stage 1. */
private[net] case class Parsed(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val frameLength = UInt(14 bits)
  val request = HeaderFields()
  val payload = UInt(16 bits)
  val ipSum = UInt(20 bits)
  val udpSum = UInt(18 bits)
  val ipv4, arp, icmp, udp = Bool()
  val foreignMac, badHeader, options, fragment, badTotal, notWhole, foreignIp = Bool()
  val badUdpLength, foreignPort, udpUnchecked, short, response = Bool()
  val badVersion, reserved, trailer, stale, firstPing = Bool()
}

/** After stage 2. */
private[net] case class Checked(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val frameLength = UInt(14 bits)
  val request = HeaderFields()
  val mneme = Bool()
  val dropped = Bool()
  val reason = UInt(7 bits)
  val refused = Bool()
  val refusedCause = UInt(8 bits)
  val matHit = Bool()
  val matAction = Bits(2 bits)
  val stale, slowStale, unknown, noPid, badLength, misaligned, crossing = Bool()
}

/** After stage 3. */
private[net] case class Judged(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val frameLength = UInt(14 bits)
  val request = Request(c)
  val mneme, drop, slow = Bool()
  val reason = UInt(7 bits)
}
