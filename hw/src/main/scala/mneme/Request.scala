package mneme

import mneme.engine.Outcome
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a frame's first beat says of a request: declared here alone, and passed on whole. */
case class HeaderFields() extends Bundle {
  /** Where the answer goes. */
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)

  /** The Mneme header. */
  val opcode = Bits(8 bits)
  val keyPhase = Bool()
  /** The flag TIMED: an OK answer tells how long the request was on the board, instead of the tick. */
  val timed = Bool()
  val pid = UInt(Wire.PID_BITS bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  /** The tick of the first attempt. */
  val time = UInt(24 bits)
  val va = UInt(Wire.VA_BITS bits)
  val length = UInt(16 bits)

  def isOp(op: Int): Bool = opcode === op
  def serviceClass: UInt = pid.takeHigh(Wire.CLASS_BITS).asUInt
  def isAtomic: Bool = Wire.Opcode.atomic.map(isOp).reduce(_ || _)
  def isWriteLike: Bool = isOp(Wire.Opcode.WRITE) || isAtomic
}

/** A request as dispatch made it of a frame. */
case class Request(c: CBoardConfig) extends Bundle {
  val header = HeaderFields()
  /** Packet slot that holds the frame, until the answer's header has left; the payload begins at byte 0 of beat 1. */
  val slot = UInt(log2Up(c.packetSlots) bits)
  /** Decided already: nothing executes, the answer is `outcome`. */
  val answered = Bool()
  /** Of a replayed atomic, which is OK, the details are the old word. */
  val outcome = Outcome()

  /** Ends the request here: nothing executes, the answer is `status` with a cause and a hint. */
  def fail(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    answered := True
    outcome.fail(status, cause, hint)
  }
}

/** A request that the retry filter has seen. */
case class Filtered(c: CBoardConfig) extends Bundle {
  val request = Request(c)
  /** The filter holds a pending entry for this request and must hear how it ended. */
  val filtered = Bool()
  val filterEntry = UInt(log2Up(c.filterEntries) bits)
  val tickFilter = UInt(24 bits)
}

/** A request and how it ended: all that its answer is made of. */
case class Answer(c: CBoardConfig) extends Bundle {
  val filtered = Filtered(c)
  val outcome = Outcome()
  /** The old word of an atomic. */
  val result = Bits(64 bits)
  /** An OK read's bytes are zeros, and no payload comes. */
  val zeros = Bool()
  val resumed, slow = Bool()
  val tickResume = UInt(24 bits)

  def header: HeaderFields = filtered.request.header
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
