package mneme.filter

import mneme.knownBits
import spinal.core._

/** CRC-32C (Castagnoli, RFC 3720 §12.1; reflected, initial value and final XOR all ones) over messages of a fixed length.
  *
  * A CRC is linear: each result bit is the XOR of certain message bits and a constant. The sets of bits are computed at elaboration,
  * and the circuit is 32 XOR trees without any state.
  */
object Crc32c {
  private val polynomial = 0x82f63b78L

  /** Runs the bytes through the shift register, starting at `init`. */
  private def run(message: Seq[Int], init: Long): Long = message.foldLeft(init) { (state, byte) =>
    (0 until 8).foldLeft(state ^ (byte & 0xff)) { (s, _) => if ((s & 1) == 1) (s >> 1) ^ polynomial else s >> 1 }
  }

  /** The CRC in software, for references. */
  def software(message: Seq[Int]): Long = run(message, 0xffffffffL) ^ 0xffffffffL

  /** The linear part alone in software: no initial value, no final XOR. A good hash of a key of fixed length. */
  def softwareLinear(message: Seq[Int]): Long = run(message, 0L)

  /** Each message bit's share in the linear part; bit `i` of the message is bit `i % 8` of byte `i / 8`. */
  private def columns(bytes: Int): Seq[Long] =
    (0 until 8 * bytes).map(bit => softwareLinear(Seq.tabulate(bytes)(byte => if (byte == bit / 8) 1 << (bit % 8) else 0)))

  /** The linear part as XOR trees, while `valid`. `message` holds byte 0, the first on the wire, in its top bits. */
  def linear(message: Bits, valid: Bool): Bits = {
    require(message.getWidth % 8 == 0, s"a CRC of ${message.getWidth} bits: whole bytes are needed")
    val bytes = message.getWidth / 8
    val shares = columns(bytes)
    knownBits(valid, 32) { i =>
      val taps = for (bit <- shares.indices if ((shares(bit) >> i) & 1) == 1) yield 8 * (bytes - 1 - bit / 8) + bit % 8
      val mask = taps.foldLeft(BigInt(0))(_ setBit _)
      (message & B(mask, message.getWidth bits)).xorR
    }
  }
}
