package mneme.mem

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._

/** What a request does to memory; none is set for one that was answered on the way. */
case class Work() extends Bundle {
  val read, write, atomic, fence = Bool()
}

object Work {
  import Wire.Opcode._
  private val opcodes = Seq(READ, WRITE, COMPARE_SWAP, FETCH_ADD, SWAP, FENCE)
  /** Bits that tell the opcodes of the fast path apart; dispatch lets no other one pass unanswered. */
  private val bits = 3
  require(opcodes.map(_ % (1 << bits)).distinct.size == opcodes.size, s"the low $bits bits of an opcode do not tell $opcodes apart")

  def of(request: Request): Work = {
    def isOp(opcode: Int): Bool = !request.answered && request.opcode(0, bits bits) === opcode % (1 << bits)
    val work = Work()
    work.read := isOp(READ)
    work.write := isOp(WRITE)
    work.atomic := isOp(COMPARE_SWAP) || isOp(FETCH_ADD) || isOp(SWAP)
    work.fence := isOp(FENCE)
    work
  }
}

/** Bytes of a payload and where they begin within a line of memory. */
case class Extent(c: CBoardConfig) extends Bundle {
  val offset = UInt(6 bits)
  /** Index of the last byte: length less one, which spares every user a subtraction. */
  val lastByte = UInt(log2Up(c.maxPayload) bits)

  /** The last beat of payload ends in the line after the one in which it begins. */
  def spills: Bool = (offset +^ lastByte(5 downto 0)).msb
  /** Index of the last beat of payload, aligned to its first byte. */
  def lastBeat: UInt = lastByte.drop(6).asUInt.resize(8)
}

/** An access in the order of arrival. It lies inside one page. */
case class Access(c: CBoardConfig) extends Bundle {
  val work = Work()
  val address = UInt(c.memBits bits)
  val lastByte = UInt(log2Up(c.maxPayload) bits)
  /** It touches one line alone. */
  val single = Bool()
}

/** A read whose payload is to be handed out; `zeros` produces it without memory. */
case class ReadCommand(c: CBoardConfig) extends Bundle {
  val extent = Extent(c)
  val zeros = Bool()
}

/** A write whose payload is to be shifted to the lines of memory; it begins at byte 0 of beat 1 of the slot. */
case class WriteCommand(c: CBoardConfig) extends Bundle {
  val extent = Extent(c)
  /** Line within the 4 KB block where it begins. */
  val line = UInt(6 bits)
  val slot = UInt(log2Up(c.packetSlots) bits)
}

object AtomicOp extends SpinalEnum {
  val compareSwap, fetchAdd, swap = newElement()
}

/** A read-modify-write of an aligned 8-byte word. */
case class AtomicCommand(c: CBoardConfig) extends Bundle {
  val word = UInt(c.memBits - 3 bits)
  val op = AtomicOp()
  val operand0 = Bits(64 bits)
  val operand1 = Bits(64 bits)
}

/** How an atomic ended: the word before, or an error of memory. */
case class AtomicResult() extends Bundle {
  val old = Bits(64 bits)
  val error = Bool()
}

/** One AXI burst: whole lines inside one 4 KB block. */
case class Burst(c: CBoardConfig) extends Bundle {
  val work = Work()
  /** First line. */
  val line = UInt(c.memBits - 6 bits)
  /** Lines less one, as AXI counts. */
  val len = UInt(6 bits)
  /** The last burst of its access. */
  val last = Bool()
}

/** A burst that may go, with its place in the [[OrderGate]]. */
case class StartedBurst(c: CBoardConfig) extends Bundle {
  val burst = Burst(c)
  val place = UInt(log2Up(MemoryAccess.places(c)) bits)
}
