package mneme.trailer

import mneme.net.{FrameBytes, FrameField}
import spinal.core._

/** The 44 bytes that a tag covers (docs/reference/trailers.md §1), as SipHash's words: the first byte of eight is a word's lowest. */
object TagMessage {
  /** Words that are known with a frame's first beat. */
  val KNOWN_WORDS = 5
  val BYTES = 44

  /** From the bytes of addresses, ports and header, in the order of the wire, first byte lowest; and the time's upper bits. */
  def words(addresses: Bits, header: Bits, upper: UInt): Vec[Bits] = {
    require(addresses.getWidth == 96 && header.getWidth == 176 && upper.getWidth == 40, "12, 22 and 5 bytes")
    // Big-endian on the wire of the tag.
    val bytes = B(0, 8 bits) ## upper.asBits.subdivideIn(8 bits).reduce(_ ## _) ## header ## addresses
    bytes.subdivideIn(64 bits)
  }

  /** Of a frame's first beat. */
  def ofBeat(beat: Bits, upper: UInt): Vec[Bits] =
    words(beat(8 * FrameField.SRC_IP._1, 96 bits), beat(8 * FrameField.MNEME_START, 176 bits), upper)

  /** The last word: what is left of the message, and its length. */
  def last(crc: Bits): Bits = B(BYTES, 8 bits) ## B(0, 24 bits) ## crc

  /** The time of a frame's first beat. */
  def time(beat: Bits): UInt = FrameBytes.read(beat, FrameField.mneme(mneme.wire.Wire.Field.TIME)).asUInt
}
