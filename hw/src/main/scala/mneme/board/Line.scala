package mneme.board

import spinal.core._

/** Eight characters of XGMII (IEEE 802.3 clause 46), two of its 32-bit columns. Lane 0 is the lowest byte and the first on the line. */
case class Xgmii() extends Bundle {
  val data = Bits(64 bits)
  /** One for each lane: its byte is a control character. */
  val control = Bits(8 bits)

  def lane(i: Int): Bits = data(8 * i, 8 bits)
  def is(i: Int, character: Int): Bool = control(i) && lane(i) === character
}

object Xgmii {
  val IDLE = 0x07
  val SEQUENCE = 0x9c
  val SIGNAL = 0x5c
  val START = 0xfb
  val TERMINATE = 0xfd
  val ERROR = 0xfe
  /** The first eight characters of a frame: /S/, six bytes of preamble, the start delimiter (46.2.2). */
  val PREAMBLE = BigInt("d5555555555555fb", 16)

  /** The same control character in all lanes. */
  def all(character: Int): Xgmii = words(BigInt("0101010101010101", 16) * character, 0xff)
  def idle: Xgmii = all(IDLE)

  /** The sequence ordered set of a fault in both columns (46.3.4): 1 is a local fault, 2 a remote one. */
  def fault(kind: Int): Xgmii = words((BigInt(kind) << 24 | SEQUENCE) * (BigInt(1) << 32 | 1), 0x11)

  def words(data: BigInt, control: Int): Xgmii = {
    val word = Xgmii()
    word.data := B(data, 64 bits)
    word.control := B(control, 8 bits)
    word
  }
}

/** A block of 66 bits (49.2.4) as the transceiver takes and gives it: two of header, 64 of payload. Bit 0 of each is the first on the line; a
  * transceiver that sends its highest bit first has both turned round at the boundary.
  */
case class Block() extends Bundle {
  val header = Bits(2 bits)
  val data = Bits(64 bits)
}

/** What clause 49.2.4 fixes of blocks. Numbers of two bits have the bit that is first on the line lowest. */
object Block {
  val DATA = 2
  val CONTROL = 1

  /** Types of control blocks: the first byte of the payload. */
  val C8 = 0x1e
  val C4_O4 = 0x2d
  val C4_S4 = 0x33
  val O4_S4 = 0x66
  val O4_O4 = 0x55
  val S8 = 0x78
  val O4_C4 = 0x4b
  /** By the lane of /T/. */
  val TERMINATES: Seq[Int] = Seq(0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff)

  /** Table 49-1: control characters of XGMII and their codes of seven bits. /S/ and /T/ are in the block's type, ordered sets have codes of four. */
  val CODES: Seq[(Int, Int)] =
    Seq(0x07 -> 0x00, 0x1c -> 0x2d, 0x3c -> 0x33, 0x7c -> 0x4b, 0xbc -> 0x55, 0xdc -> 0x66, 0xf7 -> 0x78, 0xfe -> 0x1e)
  val ORDERED: Seq[(Int, Int)] = Seq(Xgmii.SEQUENCE -> 0x0, Xgmii.SIGNAL -> 0xf)
  val ERROR_CODE = 0x1e

  /** Where the code of a control character lies, and that of an ordered set, in bits from the payload's start. */
  def codeAt(lane: Int): Int = 8 + 7 * lane
  def orderedAt(lane: Int): Int = if (lane == 0) 32 else 36
  /** Data in lane `lane` of a block that begins with control characters or with none; those in front of /T/ lie a byte later. */
  def byteAt(lane: Int): Int = 8 * lane

  /** EBLOCK_T (49.2.13.2.1): eight errors. */
  val ERRORS: BigInt = (0 until 8).map(lane => BigInt(ERROR_CODE) << codeAt(lane)).foldLeft(BigInt(C8))(_ | _)
}

/** What kind a block or its eight characters are of (49.2.13.2.3, T_TYPE and R_TYPE). None of these is the clause's E. */
case class BlockKind() extends Bundle {
  val control, start, terminate, data = Bool()
}
