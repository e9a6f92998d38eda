package mneme.net

import mneme.rdma.RoceField
import mneme.share.{ClassCharge, ClassMeter}
import mneme.trailer.{TrailerKind, TrailerPolicy, TrailerVerdict}
import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, MatAction, Opcode, Status}
import mneme.{CBoardConfig, Control, CounterEvents, Faults, HeaderFields, Request, known}
import spinal.core._
import spinal.lib._

/** Decides for every frame what it is: a request, a frame for the slow path, or a drop (contracts §1, 4 to 17, in that order).
  *
  * Two stages, one frame a cycle: checksums, lengths, rows of the table that match; the first of those and the verdict. The register behind them routes.
  */
case class Dispatch(c: CBoardConfig, planted: Faults[NetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val frames = slave(Stream(FrameDescriptor(c)))
    val control = in(Control())
    /** TAG_MODE. */
    val tagMode = c.trailers generate in(Bits(2 bits))
    val rows = in(Vec(MatRow(), Wire.MAT_ROWS))
    val requests = master(Stream(Request(c)))
    /** A frame may be given away only while there is room. */
    val slowRoom = in Bool ()
    val slow = master(Flow(SlowFrame(c)))
    /** Slots of dropped frames. */
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    /** Service classes that may ask for more now, by number. */
    val may = in(Bits(ClassMeter.CLASSES bits))
    /** What a request that goes on costs its class. */
    val charge = master(Flow(ClassCharge()))
    val events = out(CounterEvents())
  }

  private val matched = io.frames.map(frame => known(io.frames.valid, Checked(c))(_ := check(frame))).m2sPipe()
  private val judged = matched.map(judge).m2sPipe()

  /** Stage 1: checksums, lengths, the request's own fields, the match-action table; the first drop of checks 4 to 11. */
  private def check(frame: FrameDescriptor): Checked = {
    val p = frame.header
    val ip = p.ipv4
    val udp = ip && !p.icmp
    // Frames of software's queue pairs are none of ours, and yet the slow path's.
    val mneme = if (c.rdma > 0) udp && !p.roce else udp
    val short =
      if (c.trailers) TrailerKind.choose(p.kind)(bytes => p.whole < FrameField.HEADERS + bytes) else p.whole < FrameField.HEADERS
    val drops = Seq(
      Counter.DROP_FOREIGN_MAC -> p.foreignMac,
      Counter.DROP_FOREIGN_ETHERTYPE -> (!ip && !p.arp),
      Counter.DROP_IP_HEADER -> (ip && (p.badVersionIp || frame.length < FrameField.UDP_START)),
      Counter.DROP_IP_OPTIONS -> (ip && p.options),
      Counter.DROP_IP_CHECKSUM -> (ip && frame.badIpSum),
      Counter.DROP_IP_FRAGMENT -> (ip && p.fragment),
      Counter.DROP_IP_LENGTH -> (ip && (p.badTotal || p.whole > frame.length)),
      Counter.DROP_FOREIGN_IP -> (ip && p.foreignIp),
      Counter.DROP_FOREIGN_PROTOCOL -> (udp && !p.udp),
      Counter.DROP_UDP_LENGTH -> (udp && p.badUdpLength),
      Counter.DROP_FOREIGN_PORT -> (mneme && p.foreignPort),
      Counter.DROP_MNEME_SHORT -> (mneme && short),
      Counter.DROP_IP_LENGTH -> (mneme && p.whole =/= frame.length),
      Counter.DROP_UDP_CHECKSUM -> (udp && !p.udpUnchecked && !FrameBytes.sumsRight(frame.udpSum)),
      Counter.DROP_RESPONSE -> (mneme && p.response)
    )
    val k = Checked(c)
    k.slot := frame.slot
    k.frameLength := frame.length
    k.mneme := mneme
    k.dropped := drops.map(_._2).orR
    k.reason := first(drops.map { case (counter, fails) => fails -> U(counter, 7 bits) })
    k.refused := p.badVersion || p.trailer
    k.refusedCause := p.badVersion ? U(Cause.VERSION, 8 bits) | U(Cause.TRAILER, 8 bits)
    k.stale := p.stale
    k.slowStale := p.stale && !p.firstPing
    if (c.trailers) k.trailer := frame.trailer
    checkRequest(k, p)

    val key = MatKey()
    key.etherType := ip ? B(FrameField.ETHERTYPE_IPV4, 16 bits) | B(FrameField.ETHERTYPE_ARP, 16 bits)
    key.protocol := udp ? B(FrameField.PROTOCOL_UDP, 8 bits) | (ip ? B(FrameField.PROTOCOL_ICMP, 8 bits) | B(0, 8 bits))
    val port = if (c.rdma > 0) p.roce ? B(RoceField.PORT, 16 bits) | io.control.udpPort else io.control.udpPort
    key.port := udp ? port | B(0, 16 bits)
    key.opcode := udp ? p.fields.opcode | B(0, 8 bits)
    k.hits := B(io.rows.toSeq.map(_.matches(key)))
    k.fields := p.fields
    k
  }

  /** Checks 15 to 17 as single wires. */
  private def checkRequest(k: Checked, p: Header): Unit = {
    val r = p.fields
    /** The frame holds so many payload bytes. */
    def carries(payload: Int): Bool =
      if (c.trailers) TrailerKind.choose(p.kind)(bytes => p.whole === FrameField.HEADERS + payload + bytes)
      else p.whole === FrameField.HEADERS + payload
    def is(opcode: Int): Bool = r.opcode === opcode
    val read = is(Opcode.READ)
    val write = is(Opcode.WRITE)
    val fence = is(Opcode.FENCE)
    val compareSwap = is(Opcode.COMPARE_SWAP)
    val atomic = compareSwap || is(Opcode.FETCH_ADD) || is(Opcode.SWAP)
    k.unknown := !(read || write || fence || atomic)
    k.noPid := r.pid === 0
    k.overRate := !io.may(r.serviceClass)
    val operands = compareSwap ? carries(16) | carries(8)
    k.badLength := True
    when(read)(k.badLength := !carries(0) || !p.sized)
    when(write)(k.badLength := !p.carriesLength || !p.sized)
    when(atomic)(k.badLength := !operands || r.length =/= 8)
    when(fence)(k.badLength := !carries(0) || r.length =/= 0)
    k.misaligned := atomic && r.va(2 downto 0) =/= 0
    val end = r.va(c.pageBits - 1 downto 0) +^ r.length
    val page = BigInt(1) << c.pageBits
    k.crossing := planted.choose(NetFault.CrossingOffByOne, wrong = end > page + 1, right = end > page)
  }

  /** Stage 2: the verdict. */
  private def judge(k: Checked): Judged = {
    val j = Judged(c)
    j.slot := k.slot
    j.frameLength := k.frameLength
    j.mneme := k.mneme
    val refused = k.mneme && k.refused
    val matHit = k.hits.orR
    val action = first(k.hits.asBools.zip(io.rows).toSeq.map { case (hit, row) => hit -> row.action })
    val fast = action === MatAction.FAST
    val slow = action === MatAction.SLOW
    // Only Mneme packets have a fast path; a fast row that ARP or ICMP matches drops them.
    val matDrop = !slow && !(fast && k.mneme)
    j.drop := k.dropped || (!refused && (!matHit || matDrop))
    j.reason := k.dropped ? k.reason | (matHit ? U(Counter.DROP_MAT_DROP, 7 bits) | U(Counter.DROP_MAT_MISS, 7 bits))
    val r = j.request
    r.header := k.fields
    r.slot := k.slot
    r.answered := False
    r.outcome.succeed()
    j.overRate := False
    def stale(): Unit = r.fail(Status.STALE, Cause.EPOCH, io.control.epoch.resize(32))
    /** What the trailer has to say, if this board has trailers, behind the checks of `before`. */
    def authentic(before: WhenContext): WhenContext = if (!c.trailers) before
    else {
      val open = k.fields.isOp(Opcode.OPEN) || (k.fields.isOp(Opcode.PING) && k.noPid)
      val refusal = TrailerPolicy(k.trailer, io.tagMode, isSlow = slow, open)
      before.elsewhen(k.mneme && refusal.unauthenticated)(r.fail(Status.UNAUTHENTICATED, Cause.NONE)).elsewhen(k.mneme && refusal.nack)(r.fail(
        Status.NACK,
        Cause.NONE
      ))
    }
    val epoch = when(refused) {
      r.answered := True
      r.outcome.status := Status.UNSUPPORTED
      r.outcome.detailVa := k.refusedCause.asBits ## B(0, 40 bits)
    } elsewhen (slow) {
      authentic(when(k.mneme && k.slowStale)(stale()))
    } elsewhen (k.unknown) {
      r.fail(Status.UNSUPPORTED, Cause.OPCODE)
    } elsewhen (k.stale) {
      stale()
    }
    authentic(epoch) elsewhen (k.noPid) {
      r.fail(Status.BADREQUEST, Cause.PID)
    } elsewhen (k.badLength) {
      r.fail(Status.BADREQUEST, Cause.LENGTH)
    } elsewhen (k.misaligned) {
      r.fail(Status.BADREQUEST, Cause.ALIGNMENT)
    } elsewhen (k.crossing) {
      r.fail(Status.BADREQUEST, Cause.CROSSING)
    } elsewhen (k.overRate) {
      // The last of all: only what would execute asks its class.
      j.overRate := True
      r.fail(Status.BUSY, Cause.CLASS, io.control.busyHint)
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
    events(Counter.CLASS_BUSY) := io.requests.fire && j.overRate
    io.events := RegNext(events) init 0

    // Of requests that ask for something; what was answered here is free.
    private val leaving = io.requests.payload
    private val rounded = planted.choose(NetFault.LastLineFree, wrong = leaving.header.length.resize(17), right = leaving.header.length +^ U(63))
    private val lines = rounded.drop(6).asUInt
    io.charge.valid := RegNext(io.requests.fire && !leaving.answered) init False
    io.charge.number := RegNext(leaving.header.serviceClass)
    io.charge.lines := RegNext(lines.resize(8) + 1)
  }
}

object Dispatch {
  /** The counters of dispatch's drops. */
  val drops: Range = Counter.DROP_FOREIGN_MAC to Counter.DROP_SLOW_FULL
}

/** After stage 1. */
private[net] case class Checked(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val frameLength = UInt(14 bits)
  val fields = HeaderFields()
  val mneme = Bool()
  val dropped = Bool()
  val reason = UInt(7 bits)
  val refused = Bool()
  val refusedCause = UInt(8 bits)
  /** The rows of the match-action table that match. */
  val hits = Bits(Wire.MAT_ROWS bits)
  val stale, slowStale, unknown, noPid, badLength, misaligned, crossing, overRate = Bool()
  val trailer = c.trailers generate TrailerVerdict()
}

/** After stage 2. */
private[net] case class Judged(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val frameLength = UInt(14 bits)
  val request = Request(c)
  val mneme, drop, slow = Bool()
  /** It is answered since its class has no credit. */
  val overRate = Bool()
  val reason = UInt(7 bits)
}
