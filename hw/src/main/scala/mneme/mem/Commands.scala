package mneme.mem

import mneme.CBoardConfig
import spinal.core._

/** A range of physical bytes. It lies inside one page; `length` is 1 to the largest payload. */
case class Span(c: CBoardConfig) extends Bundle {
  val address = UInt(c.memBits bits)
  val length = UInt(log2Up(c.maxPayload + 1) bits)

  /** First byte within its line. */
  def offset: UInt = address(5 downto 0)
  /** Lines touched. */
  def lines: UInt = linesIn(offset +^ length)
  /** Beats of payload, aligned to its first byte. */
  def beats: UInt = linesIn(length)

  /** Rounds bytes up to lines, 8 bits: the largest payload at the largest offset is 141 of them. */
  private def linesIn(bytes: UInt): UInt = (bytes +^ U(63, 6 bits)).drop(6).asUInt.resize(8)
}

/** A read to perform; `zeros` produces payload without memory. */
case class ReadCommand(c: CBoardConfig) extends Bundle {
  val span = Span(c)
  val zeros = Bool()
}

/** A write to perform; its payload begins at byte 0 of beat 1 of the slot. */
case class WriteCommand(c: CBoardConfig) extends Bundle {
  val span = Span(c)
  val slot = UInt(log2Up(c.packetSlots) bits)
}

object AtomicOp extends SpinalEnum {
  val compareSwap, fetchAdd, swap = newElement()
}

/** A read-modify-write of the aligned 8-byte word at `address`. */
case class AtomicCommand(c: CBoardConfig) extends Bundle {
  val address = UInt(c.memBits bits)
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
  /** First line. */
  val line = UInt(c.memBits - 6 bits)
  /** Beats less one, as AXI counts. */
  val len = UInt(8 bits)
  /** The last burst of its span. */
  val last = Bool()
}
