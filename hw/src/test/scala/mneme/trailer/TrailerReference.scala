package mneme.trailer

import java.lang.Long.rotateLeft

/** Trailers in plain Scala, from the definitions of SipHash and CRC-32C and from docs/reference/trailers.md: shares nothing with the hardware. */
object TrailerReference {
  type Bytes = Seq[Int]

  def littleEndian(value: BigInt, bytes: Int): Bytes = (0 until bytes).map(i => ((value >> (8 * i)) & 0xff).toInt)
  def bigEndian(value: BigInt, bytes: Int): Bytes = littleEndian(value, bytes).reverse
  def number(bytes: Bytes): BigInt = bytes.zipWithIndex.map { case (byte, i) => BigInt(byte) << (8 * i) }.sum

  def crc32c(message: Bytes): BigInt = {
    var crc = 0xffffffff
    for (byte <- message) {
      crc ^= byte
      for (_ <- 0 until 8) crc = if ((crc & 1) != 0) (crc >>> 1) ^ 0x82f63b78 else crc >>> 1
    }
    BigInt(~crc & 0xffffffffL)
  }

  /** SipHash-2-4 with 8 or 16 bytes. */
  def sipHash(key: Bytes, message: Bytes, wide: Boolean = false): Bytes = {
    def word(bytes: Bytes): Long = number(bytes).toLong
    val (k0, k1) = (word(key.take(8)), word(key.drop(8)))
    var (v0, v1, v2, v3) = (k0 ^ 0x736f6d6570736575L, k1 ^ 0x646f72616e646f6dL, k0 ^ 0x6c7967656e657261L, k1 ^ 0x7465646279746573L)
    if (wide) v1 ^= 0xee
    def rounds(n: Int): Unit = for (_ <- 0 until n) {
      v0 += v1; v1 = rotateLeft(v1, 13); v1 ^= v0; v0 = rotateLeft(v0, 32)
      v2 += v3; v3 = rotateLeft(v3, 16); v3 ^= v2
      v0 += v3; v3 = rotateLeft(v3, 21); v3 ^= v0
      v2 += v1; v1 = rotateLeft(v1, 17); v1 ^= v2; v2 = rotateLeft(v2, 32)
    }
    val whole = message.size / 8 * 8
    val tail = message.drop(whole).padTo(7, 0) :+ (message.size & 0xff)
    for (block <- message.take(whole).grouped(8).toSeq :+ tail) {
      v3 ^= word(block); rounds(2); v0 ^= word(block)
    }
    def bytes: Bytes = littleEndian(BigInt(v0 ^ v1 ^ v2 ^ v3) & ((BigInt(1) << 64) - 1), 8)
    v2 ^= (if (wide) 0xee else 0xff)
    rounds(4)
    val first = bytes
    if (!wide) first
    else {
      v1 ^= 0xdd
      rounds(4)
      first ++ bytes
    }
  }

  def processKey(boardKey: Bytes, pid: Int): Bytes = sipHash(boardKey, littleEndian(pid, 7), wide = true)

  def addresses(frame: Bytes): Bytes = frame.slice(26, 38)
  def header(frame: Bytes): Bytes = frame.slice(42, 64)
  def payload(frame: Bytes): Bytes = frame.drop(64)

  /** The trailer of a frame that has none yet. */
  def crcTrailer(frame: Bytes): Bytes = littleEndian(crc32c(addresses(frame) ++ header(frame) ++ payload(frame)), 4)

  def tagTrailer(frame: Bytes, key: Bytes, upper: BigInt): Bytes = {
    val message = addresses(frame) ++ header(frame) ++ bigEndian(upper, 5) ++ Seq(0) ++ littleEndian(crc32c(payload(frame)), 4)
    assert(message.size == 44)
    sipHash(key, message)
  }

  def nearest(tick: BigInt, low: BigInt): BigInt = {
    val ring = BigInt(1) << 40
    // The earlier one wins a tie.
    (Seq(-1, 0, 1).map(_ + (tick >> 24)).minBy(upper => ((upper << 24) + low - tick).abs) + ring) % ring
  }
}
