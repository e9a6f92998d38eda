package mneme.rdma

import mneme.wire.Wire
import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** What is to be done about a packet. */
object Step extends SpinalEnum {
  val drop, gap, refuse, notReady, duplicateWrite, duplicateOther, write, read, atomic, free = newElement()
}

case class Judgement() extends Bundle {
  val step = Step()
  /** What is counted, of a packet that is not executed. */
  val reason = UInt(RoceCounters.BITS bits)
  /** Of a refusal: 1 for 0x61, 2 for 0x62. */
  val nak = UInt(2 bits)
  /** A sound queue pair takes it: it may ask for a congestion notification. */
  val known = Bool()
  /** It is a congestion notification, and lowers the queue pair's rate. */
  val cuts = Bool()
  /** Of a WRITE: where its bytes go, under which key, and how many are left, these included. */
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)
  val left = UInt(32 bits)
  /** It accesses memory, so many bytes from `va` on, if `region` grants it; else it is refused. */
  val looks = Bool()
  val bytes = UInt(32 bits)
  val region = RegionLook()
  /** Of a READ: its responses. */
  val packets = UInt(24 bits)
}

/** What the opcode says (IBTA volume 1, 9.2 table 38). */
case class OpcodeKind() extends Bundle {
  val send, write, read, compareSwap, fetchAdd = Bool()
  val begins, ends, immediate = Bool()

  def atomic: Bool = compareSwap || fetchAdd
  def known: Bool = send || write || read || atomic
}

object OpcodeKind {
  def of(opcode: Bits): OpcodeKind = {
    val kind = OpcodeKind()
    def among(numbers: Int*): Bool = numbers.map(opcode === _).orR
    kind.send := opcode.asUInt <= 5 || among(0x16, 0x17)
    kind.write := opcode.asUInt >= 6 && opcode.asUInt <= 0xb
    kind.read := opcode === 0xc
    kind.compareSwap := opcode === 0x13
    kind.fetchAdd := opcode === 0x14
    kind.begins := among(6, 0xa, 0xb)
    kind.ends := among(8, 9, 0xa, 0xb)
    kind.immediate := among(9, 0xb)
    kind
  }
}

/** Judges a packet by its queue pair, its region and its place in the sequence: the rules of docs/reference/rdma-port.md in their order, the first that holds. It keeps nothing. */
class RequestJudge(r: RoceConfig) extends Component {
  val io = new Bundle {
    val headers = in(RoceHeaders())
    /** What its opcode says. */
    val kind = in(OpcodeKind())
    /** As [[RoceArrival]] tells it. */
    val malformed = in Bool ()
    val settings = in(QueuePairSettings())
    val qp = in(QueuePairState())
    /** The row of the region that the packet, or the WRITE that runs, names. */
    val region = in(Region())
    /** Another READ or atomic may be queued. */
    val hasJob = in Bool ()
    /** SENDs that give up pages are taken, of a board with a leaf unit. */
    val frees = r.leaf.isDefined generate in(Bool())
    val judgement = out(Judgement())
  }
  private val (h, qp, settings, j) = (io.headers, io.qp, io.settings, io.judgement)
  private val kind = io.kind
  private val place = PsnJudge(h.psn, qp.expected)

  private def tells(step: SpinalEnumElement[Step.type], reason: Int, nak: Int): Unit = {
    j.step := step
    j.reason := reason
    j.nak := nak
  }
  private def says(step: SpinalEnumElement[Step.type], reason: Int, nak: Int = 0): Unit = {
    tells(step, reason, nak)
    j.looks := False
  }

  /** Rules in order: the first one that holds has the say. */
  private def first(rules: (Bool, () => Unit)*)(otherwise: => Unit): Unit = {
    otherwise
    for ((holds, say) <- rules.reverse) when(holds)(say())
  }
  private def drops(holds: Bool, reason: Int) = (holds, () => says(Step.drop, reason))
  private def invalid(holds: Bool, reason: Int) = (holds, () => says(Step.refuse, reason, 1))

  // --- A WRITE goes on where it was, or begins; one that begins in the middle of another and names just its rest is a restart.
  private val restarts = h.va === qp.va.resize(64) && h.rkey === qp.rkey && h.dmaLength === qp.left
  private val order = qp.running ? (!kind.begins || restarts) | kind.begins
  private val goesOn = qp.running
  private val mtu = settings.mtu
  private val fits = Mux(kind.ends, h.payload <= mtu && (kind.begins || h.payload =/= 0), h.payload === mtu)
  private val most = U(BigInt(1) << 31, 32 bits)
  j.va := (kind.write && goesOn) ? qp.va.resize(64) | h.va
  j.rkey := (kind.write && goesOn) ? qp.rkey | h.rkey
  j.left := kind.write ? (goesOn ? qp.left | h.dmaLength) | h.dmaLength
  private val payload = h.payload.resize(32)
  private val whole = kind.ends ? (payload === j.left) | (payload < j.left)

  // --- A READ's responses must be fewer than the numbers that count as ahead, 2^23: they may be so many with the shortest packets alone.
  private val tooMany = settings.mtuCode === 1 && h.dmaLength > (BigInt(1) << 31) - 256
  private val blocks = (h.dmaLength +^ (mtu - 1).resize(32)) |>> (settings.mtuCode +^ U(7))
  j.packets := (h.dmaLength === 0) ? U(1, 24 bits) | blocks.resize(24)

  private val bytes = kind.atomic ? U(8, 32 bits) | j.left
  private val right = kind.write ? B(Wire.ROCE_RIGHT_WRITE, 3 bits) | (kind.read ? B(Wire.ROCE_RIGHT_READ, 3 bits) | B(Wire.ROCE_RIGHT_ATOMIC, 3 bits))
  j.bytes := bytes
  j.region := Region.look(io.region, j.rkey, settings.pid, j.va, right)
  /** It is done where the region grants the access. Nothing is accessed by an empty message, so its key may be any (9.7.4.1.3). */
  private def accesses(step: SpinalEnumElement[Step.type]): Unit = {
    tells(step, 0, 0)
    j.looks := bytes =/= 0
  }
  /** What is to be answered in its turn needs a place, too. */
  private def queues(step: SpinalEnumElement[Step.type]): Unit = {
    accesses(step)
    when(!(io.hasJob && qp.hasPlace))(tells(Step.notReady, RoceCounter.QUEUE_FULL, 0))
  }

  private def execute(): Unit = {
    says(Step.refuse, RoceCounter.OPCODE, 1)
    when(kind.known && io.malformed)(says(Step.refuse, RoceCounter.LAYOUT, 1))
      .elsewhen(kind.write) {
        first(
          invalid(!order, RoceCounter.ORDER),
          invalid(!fits, RoceCounter.LENGTH),
          invalid(!whole || j.left > most, RoceCounter.TOTAL)
        )(accesses(Step.write))
      }
      .elsewhen(kind.read) {
        first(
          invalid(qp.running, RoceCounter.ORDER),
          invalid(h.dmaLength > most || tooMany, RoceCounter.TOTAL)
        )(queues(Step.read))
      }
      .elsewhen(kind.atomic) {
        first(
          invalid(qp.running, RoceCounter.ORDER),
          invalid(h.va(2 downto 0) =/= 0, RoceCounter.ALIGNMENT)
        )(queues(Step.atomic))
      }
    // A list is one packet.
    if (r.leaf.isDefined) when(io.frees && kind.send && h.opcode === RoceOpcode.SEND_ONLY && !io.malformed) {
      first(
        invalid(qp.running, RoceCounter.ORDER),
        invalid(h.payload > mtu, RoceCounter.LENGTH),
        invalid(h.payload === 0 || h.payload(3 downto 0) =/= 0 || h.payload > FreeList.RANGE * Wire.ROCE_FREE_RANGES, RoceCounter.MESSAGE)
      )(says(Step.free, 0))
    }
  }

  private def ahead(): Unit = first(
    drops(qp.notReady =/= 0, RoceCounter.AHEAD_OF_NOT_READY),
    drops(qp.gapTold, RoceCounter.AHEAD_OF_GAP)
  )(says(Step.gap, RoceCounter.GAP))

  private def duplicate(): Unit = first(
    drops(!kind.known || io.malformed, RoceCounter.DUPLICATES_MALFORMED),
    (kind.send || kind.write, () => says(Step.duplicateWrite, RoceCounter.DUPLICATE_WRITES))
  )(says(Step.duplicateOther, RoceCounter.DUPLICATES_FORGOTTEN))

  private val silent = Seq(
    (h.opcode === 0x81) -> RoceCounter.CONGESTION_NOTIFIED,
    (h.opcode.asUInt >= 0x20) -> RoceCounter.OTHER_TRANSPORT,
    (h.opcode.asUInt >= 0xd && h.opcode.asUInt <= 0x12) -> RoceCounter.RESPONSES,
    (!qp.valid || settings.qpn =/= h.destQp) -> RoceCounter.UNKNOWN_QUEUE_PAIR,
    (settings.peerIp =/= h.srcIp) -> RoceCounter.WRONG_SOURCE,
    (settings.pkey =/= h.pkey) -> RoceCounter.WRONG_PARTITION,
    qp.inError -> RoceCounter.QUEUE_PAIR_IN_ERROR
  )
  j.known := !silent.map(_._1).orR
  // Nobody but the peer lowers the rate of a sound queue pair.
  j.cuts := h.opcode === RoceOpcode.CNP && !io.malformed && !silent.drop(3).map(_._1).orR
  execute()
  when(place.ahead)(ahead())
  when(place.behind)(duplicate())
  for ((holds, reason) <- silent.reverse) when(holds)(says(Step.drop, reason))
}
