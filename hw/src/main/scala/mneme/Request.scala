package mneme

import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A request on its way through the pipeline: one bundle, filled stage by stage.
  *
  * Dispatch fills everything up to `operand1`, the filter `filterEntry`, `tickFilter` and perhaps the verdict, translation the rest.
  * Once `answered` is set, later stages touch nothing and only pass the request on, in order, to the response builder.
  */
case class Request(c: CBoardConfig) extends Bundle {
  /** Where the answer goes. */
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)

  /** The Mneme header. */
  val opcode = Bits(8 bits)
  val keyPhase = Bool()
  /** Trailer kind TIMED: an OK answer tells how long the request was on the board, instead of the tick. */
  val timed = Bool()
  val pid = UInt(Wire.PID_BITS bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  /** The tick of the first attempt. Nobody needs that after translation: from there on it is the cycle of arrival, as [[mneme.regs.Observer]] counts them. */
  val time = UInt(24 bits)
  val va = UInt(Wire.VA_BITS bits)
  val length = UInt(16 bits)

  /** Packet slot that holds the frame; the header is beat 0, the payload begins at byte 0 of beat 1. */
  val slot = UInt(log2Up(c.packetSlots) bits)
  /** Atomics: swap and addend in operand0; compare-and-swap: expected in operand0, new in operand1. */
  val operand0 = Bits(64 bits)
  val operand1 = Bits(64 bits)

  /** Decided already: nothing executes, the response builder sends `status` (OK: a replay, `result` is the atomic's old word). */
  val answered = Bool()
  val status = Bits(5 bits)
  /** `va` and `length` fields of an answer that is not OK. */
  val detailVa = Bits(48 bits)
  val detailLength = Bits(16 bits)
  /** The old word of an atomic. */
  val result = Bits(64 bits)

  /** The filter holds a pending entry for this request and must hear how it ended. */
  val filtered = Bool()
  val filterEntry = UInt(log2Up(c.filterEntries) bits)
  val tickFilter = UInt(24 bits)

  /** Alternates with every replace: tells the requests that came before it. */
  val generation = Bool()

  /** The request walked, and its window was checked again at `tickResume`. */
  val resumed = Bool()
  /** It waited for a free page, or behind a request of its page that did. */
  val slow = Bool()
  val tickResume = UInt(24 bits)
  /** A read of an allocated page that nobody wrote: zeros, no memory access. */
  val zeros = Bool()
  /** Physical byte address. */
  val address = UInt(c.memBits bits)

  def isOp(op: Int): Bool = opcode === op
  def isAtomic: Bool = Wire.Opcode.atomic.map(isOp).reduce(_ || _)
  def isWriteLike: Bool = isOp(Wire.Opcode.WRITE) || isAtomic

  /** Ends the request here: nothing executes, the answer is `status` with a cause and a hint. */
  def fail(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    this.answered := True
    this.status := status
    this.detailVa := B(cause, 8 bits) ## B(0, 8 bits) ## hint
    this.detailLength := 0
  }
}

/** How a filtered request ended, for its entry: for good, or released with what was answered. */
case class FilterUpdate(c: CBoardConfig) extends Bundle {
  val entry = UInt(log2Up(c.filterEntries) bits)
  /** No attempt of it executes any more: it is OK, or memory failed and nobody knows what it did (contracts §2, *failed*). */
  val done = Bool()
  val attempt = UInt(8 bits)
  val status = Bits(5 bits)
  /** OK: the atomic's old word. Else: detailVa ## detailLength. */
  val result = Bits(64 bits)
}

/** One beat of payload towards the response builder, payload byte 0 in data(7 downto 0). */
case class PayloadBeat() extends Bundle {
  val data = Bits(512 bits)
  /** The memory controller reported an error: the frame ends with a bad FCS. */
  val error = Bool()
}

/** Reads one beat of a packet slot; the answer comes as a Flow exactly one cycle after the command fires. */
case class PacketReadPort(c: CBoardConfig) extends Bundle with IMasterSlave {
  val cmd = Stream(PacketBeatAddress(c))
  val rsp = Flow(Bits(512 bits))
  override def asMaster(): Unit = { master(cmd); slave(rsp) }
}

case class PacketBeatAddress(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val beat = UInt(log2Up(c.slotBeats) bits)
}

/** The slow path's one command on the page table (contracts §3). */
case class ReplaceCommand(c: CBoardConfig) extends Bundle {
  val pid = UInt(Wire.PID_BITS bits)
  val vpn = UInt(c.vpnBits bits)
  val compare, expected, write, value = Bits(64 bits)
}

case class ReplaceResult() extends Bundle {
  /** A ReplaceStatus number. */
  val status = Bits(8 bits)
  val old = Bits(64 bits)
}

/** A page to zero; `offer` puts it into the async buffer afterwards. */
case class ZeroCommand(c: CBoardConfig) extends Bundle {
  val ppn = UInt(c.memBits - c.pageBits bits)
  val offer = Bool()
}

/** A row of the away table, read by translation: the answer for a page that is elsewhere. */
case class AwayRow() extends Bundle {
  val status = Bits(5 bits)
  val va = Bits(48 bits)
  val length = Bits(16 bits)
}

/** What the register block tells the pipeline. */
case class Control() extends Bundle {
  val enable, exhausted = Bool()
  val epoch = Bits(8 bits)
  val window = UInt(24 bits)
  val tick = UInt(24 bits)
  val mac = Bits(48 bits)
  val ip = Bits(32 bits)
  val udpPort = Bits(16 bits)
  val busyHint = Bits(32 bits)
}

/** One wire per counter of `Wire.Counter`: high for one cycle per event. Components set the bits they own; the top ORs all. */
object CounterEvents {
  def width: Int = Wire.Counter.all.size
  def apply(): Bits = Bits(width bits)
}
