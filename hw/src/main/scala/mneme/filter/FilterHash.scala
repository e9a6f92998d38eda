package mneme.filter

import mneme.{CBoardConfig, Request}
import spinal.core._

/** The two sets where an operation's entry may live.
  *
  * Choice 0 is the operation id's low bits XOR a CRC of the source: a client numbers its operations in sequence, and any run of 2^sets^
  * ids of one source then meets every set equally often, better than chance would do. The CRC moves each source's sequence elsewhere, so that
  * clients with equal ids (all of them restart, or count in step) do not meet in one set.
  *
  * Choice 1 is the top of the CRC of the whole key. Keys that share a set by choice 0 differ in other key bits than the ones that choice 0
  * sees, and the CRC spreads those; a set that one pattern fills is thus relieved into many. The filter takes the emptier of both sets
  * (power of two choices). `FilterHashTest` holds the loads at which sets overflow.
  */
object FilterHash {
  private def bigEndian(value: BigInt, bytes: Int): Seq[Int] = (bytes - 1 to 0 by -1).map(i => ((value >> (8 * i)) & 0xff).toInt)

  /** Set numbers of a request by both choices. */
  def apply(c: CBoardConfig, request: Request): Vec[UInt] = {
    val source = request.srcIp ## request.srcPort
    val first = request.opId(0, c.filterSetsLog2 bits) ^ Crc32c.linear(source)(0, c.filterSetsLog2 bits)
    val second = Crc32c.linear(source ## request.opId)(31 downto 32 - c.filterSetsLog2)
    Vec(first.asUInt, second.asUInt)
  }

  /** The same in software. */
  def software(setsLog2: Int, srcIp: Long, srcPort: Int, opId: Long): (Int, Int) = {
    val source = bigEndian(srcIp, 4) ++ bigEndian(srcPort, 2)
    val mask = (1L << setsLog2) - 1
    val first = (opId ^ Crc32c.softwareLinear(source)) & mask
    val second = Crc32c.softwareLinear(source ++ bigEndian(opId, 4)) >> (32 - setsLog2)
    (first.toInt, second.toInt)
  }

  /** The digest of contracts §2: CRC-32C over opcode, va and length. */
  def digest(request: Request): Bits = Crc32c(request.opcode ## request.va.asBits ## request.length.asBits)

  /** The digest in software. */
  def softwareDigest(opcode: Int, va: Long, length: Int): Long =
    Crc32c.software(Seq(opcode) ++ bigEndian(va, 6) ++ bigEndian(length, 2))
}
