package mneme.board

import spinal.core._

/** What the pins of RGMII carry in one cycle of their clock, 125 MHz for 1 Gbit/s (RGMII 2.0, table 3.3): what the rising edge has, and the falling edge
  * behind it. The cells that make two edges of a pin are the vendor's and not here.
  *
  * Example: the byte 0x5d within a frame is data 0xd and control 1 at the rising edge, 0x5 and 1 at the falling one.
  */
case class RgmiiWord() extends Bundle {
  val rise, fall = RgmiiEdge()

  def byte: Bits = fall.data ## rise.data
  /** A byte of a frame, or of its preamble. */
  def valid: Bool = rise.control
  /** The sender says that the byte is wrong. */
  def error: Bool = rise.control ^ fall.control

  def set(byte: Bits, valid: Bool, error: Bool): Unit = {
    rise.data := byte(3 downto 0)
    fall.data := byte(7 downto 4)
    rise.control := valid
    fall.control := valid ^ error
  }
}

case class RgmiiEdge() extends Bundle {
  val data = Bits(4 bits)
  val control = Bool()
}

object Rgmii {
  val PREAMBLE = 0x55
  /** Start of frame delimiter, behind the preamble. */
  val DELIMITER = 0xd5
  /** Bytes of preamble that are sent, with the delimiter. */
  val PREAMBLE_BYTES = 8
  /** Bytes between two frames (IEEE 802.3 4.4.2). */
  val GAP = 12
  /** Bytes of a frame without its check sequence (4.4.2). */
  val MIN_FRAME = 60

  /** The check sequence's register after one byte more. */
  def next(register: Bits, byte: Bits): Bits =
    mneme.trailer.Gf2(register ## byte, 32)(v => Fcs.advance((v >> 8) ^ (v & 0xff), 1))
}
