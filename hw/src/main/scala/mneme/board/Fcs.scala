package mneme.board

import mneme.trailer.Gf2
import spinal.core._

/** The frame check sequence (IEEE 802.3 3.2.9): CRC-32, reflected, initial value and final XOR all ones, a word in a step: eight bytes in a MAC, a whole
  * beat where the CRC of RoCEv2 is summed.
  *
  * A register is linear in its former value and in the bytes, so both parts are XOR trees that are worked out at elaboration. Bytes behind a frame's end
  * are summed as zeros, which are then taken back, or compared with.
  */
object Fcs {
  val ONES: BigInt = BigInt("ffffffff", 16)
  /** The register behind a frame and its right check sequence. */
  val RESIDUE: BigInt = BigInt("debb20e3", 16)
  private val polynomial = BigInt("edb88320", 16)

  /** The register after so many bytes of zeros; fewer than none take bytes of zeros back. */
  def advance(state: BigInt, bytes: Int): BigInt = {
    def step(s: BigInt) = if (s.testBit(0)) (s >> 1) ^ polynomial else s >> 1
    def back(s: BigInt) = if (s.testBit(31)) ((s ^ polynomial) << 1) | 1 else s << 1
    (0 until 8 * bytes.abs).foldLeft(state)((s, _) => if (bytes > 0) step(s) else back(s))
  }

  /** What bytes do to a register of zeros, the first one lowest. */
  private def absorb(bytes: BigInt, count: Int): BigInt = (0 until count).foldLeft(BigInt(0))((s, i) => advance(s ^ ((bytes >> (8 * i)) & 0xff), 1))

  /** The share of a word of whole bytes. */
  def share(word: Bits): Bits = Gf2(word, 32)(absorb(_, word.getWidth / 8))
  /** What a register becomes in a word. */
  def next(register: Bits, bytes: Int = 8): Bits = Gf2(register, 32)(advance(_, bytes))
  /** The same for a frame's first word. */
  def begun: Bits = B(advance(ONES, 8), 32 bits)

  /** Takes as many bytes of zeros back as a last word has too few. */
  def takeBack(register: Bits, missing: UInt): Bits =
    (0 until missing.getWidth).foldLeft(register)((value, bit) => missing(bit) ? Gf2(value, 32)(advance(_, -(1 << bit))) | value)

  /** Whether a frame was right, by its register and the number of bytes that its last word had too few. */
  def isRight(register: Bits, missing: UInt): Bool =
    (0 until 8).map(count => missing === count && register === B(advance(RESIDUE, count), 32 bits)).reduce(_ || _)
}
