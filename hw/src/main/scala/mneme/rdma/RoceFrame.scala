package mneme.rdma

import mneme.net.FrameField
import spinal.core._
import spinal.lib._

/** Our addresses. */
case class RoceLocal() extends Bundle {
  val mac = Bits(48 bits)
  val ip = Bits(32 bits)
}

/** Where each field of a RoCEv2 frame lies, in bytes from its start (IBTA volume 1, 9.2 and 9.3; annex A17.3). */
object RoceField {
  val PORT = 4791
  private val BTH = FrameField.MNEME_START
  val OPCODE = (BTH, 1)
  /** Solicited event, migration state, pad count, version. */
  val FLAGS = (BTH + 1, 1)
  val PKEY = (BTH + 2, 2)
  val CONGESTION = (BTH + 4, 1)
  val DEST_QP = (BTH + 5, 3)
  val ACK_REQUEST = (BTH + 8, 1)
  val PSN = (BTH + 9, 3)

  /** The headers behind the base transport header. RETH and AtomicETH have address and key in the same place. */
  val EXTENSION: Int = BTH + 12
  val VA = (EXTENSION, 8)
  val RKEY = (EXTENSION + 8, 4)
  val DMA_LENGTH = (EXTENSION + 12, 4)
  val SWAP_ADD = (EXTENSION + 12, 8)
  val COMPARE = (EXTENSION + 20, 8)
  val FIRST_WORD = (EXTENSION, 4)
  val BEHIND_RETH = (EXTENSION + 16, 4)
  val SYNDROME = (EXTENSION, 1)
  val MSN = (EXTENSION + 1, 3)
  val ORIGINAL = (EXTENSION + 4, 8)

  /** All headers end before. */
  val HEADERS: Int = COMPARE._1 + COMPARE._2

  /** What every packet has: base transport header and ICRC. */
  val SHORTEST: Int = EXTENSION + Icrc.BYTES
  val SHORTEST_IP: Int = SHORTEST - FrameField.IP_START
}

/** The opcodes whose layout the port knows (IBTA volume 1, 9.2 table 38; CNP: annex A17.9.3). */
object RoceOpcode {
  val SEND_ONLY = 0x04
  val ACKNOWLEDGE = 0x11
  val ATOMIC_ACKNOWLEDGE = 0x12
  val WRITE_ONLY_IMMEDIATE = 0x0b
  val CNP = 0x81

  /** Zeros behind the base transport header of a CNP. */
  val CNP_ZEROS = 16

  /** Opcodes by the bytes of headers behind the base transport header. */
  private val extensions: Map[Int, Seq[Int]] = Map(
    0 -> Seq(0x00, 0x01, 0x02, 0x04, 0x07, 0x08, 0x0e, CNP),
    4 -> Seq(0x03, 0x05, 0x09, 0x0d, 0x0f, 0x10, ACKNOWLEDGE, 0x16, 0x17),
    12 -> Seq(ATOMIC_ACKNOWLEDGE),
    16 -> Seq(0x06, 0x0a, 0x0c),
    20 -> Seq(WRITE_ONLY_IMMEDIATE),
    28 -> Seq(0x13, 0x14)
  )
  val known: Seq[Int] = extensions.values.flatten.toSeq.sorted
  /** Those without payload, READ request among them. */
  private val bare = Seq(0x0c, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, 0x13, 0x14)

  def isOneOf(opcode: Bits, set: Seq[Int]): Bool = set.map(opcode === _).orR
  def isKnown(opcode: Bits): Bool = isOneOf(opcode, known)
  def isBare(opcode: Bits): Bool = isOneOf(opcode, bare)

  /** Bytes of headers behind the base transport header; none of an opcode that is not known. */
  def extension(opcode: Bits, among: Int => Boolean = _ => true): UInt =
    extensions.toSeq.sortBy(_._1).map { case (bytes, set) => (bytes, set.filter(among)) }.filter(_._2.nonEmpty)
      .map { case (bytes, set) => U(bytes, 5 bits).andMask(isOneOf(opcode, set)) }.reduce(_ | _)
}
