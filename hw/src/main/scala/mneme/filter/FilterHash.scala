package mneme.filter

import mneme.{CBoardConfig, HeaderFields}
import spinal.core._

/** The two sets where an operation's entry may live, the group of its source, and the fingerprint that its row keeps.
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

  /** Set numbers of a request by both choices, while `valid`. */
  def apply(c: CBoardConfig, request: HeaderFields, valid: Bool): Vec[UInt] = {
    val source = request.srcIp ## request.srcPort
    val first = request.opId(0, c.filterSetsLog2 bits) ^ Crc32c.linear(source, valid)(0, c.filterSetsLog2 bits)
    val second = Crc32c.linear(source ## request.opId, valid)(31 downto 32 - c.filterSetsLog2)
    Vec(first.asUInt, second.asUInt)
  }

  /** The linear CRC of a whole key in software. */
  private def softwareCrc(srcIp: Long, srcPort: Int, opId: Long): Long =
    Crc32c.softwareLinear(bigEndian(srcIp, 4) ++ bigEndian(srcPort, 2) ++ bigEndian(opId, 4))

  /** The sets in software. */
  def software(setsLog2: Int, srcIp: Long, srcPort: Int, opId: Long): (Int, Int) = {
    val source = bigEndian(srcIp, 4) ++ bigEndian(srcPort, 2)
    val mask = (1L << setsLog2) - 1
    val first = (opId ^ Crc32c.softwareLinear(source)) & mask
    val second = softwareCrc(srcIp, srcPort, opId) >> (32 - setsLog2)
    (first.toInt, second.toInt)
  }

  /** Bits of the fingerprint that a row keeps of each key. */
  val PRINT_BITS = 15
  /** Bits that name the group of a source. */
  def groupBits(c: CBoardConfig): Int = if (c.filterEntries >= 256) 3 else 2

  /** The group whose share of the filter is bounded. It is the source address's, so that who has many ports has no more of it.
    *
    * `proven`, on boards that know tags: each request's tag was right, so that its pid tells whose it is. Then the upper half of the groups
    * is for classes and the lower one for the addresses of class 0: who has a class has one part, whatever addresses he likes.
    */
  def group(c: CBoardConfig, request: HeaderFields, valid: Bool, proven: Option[Bool]): UInt = {
    val bits = groupBits(c)
    val address = Crc32c.linear(request.srcIp, valid)(31 downto 32 - bits).asUInt
    def ofClass: UInt = {
      val of = request.serviceClass
      (of === 0) ? (U(0, 1 bits) @@ address.takeHigh(bits - 1).asUInt) | (U(1, 1 bits) @@ of.resize(bits - 1))
    }
    proven.fold(address)(_ ? ofClass | address)
  }

  /** What a row keeps of a key to find it by: all of it folded, one look-up table per bit but for one that has two. The source is turned, so that ids and addresses
    * or ports that count up together do not cancel out.
    *
    * Different keys may share it; who finds an equal one compares the key itself. Each bit of the key goes into one of its bits, so that both have an odd number of
    * ones, or neither has.
    */
  def fingerprint(request: HeaderFields): Bits = {
    val folded = request.opId(15 downto 0) ^ request.opId(31 downto 16) ^ request.srcPort.rotateLeft(8) ^
      request.srcIp(15 downto 0).rotateLeft(12) ^ request.srcIp(31 downto 16).rotateLeft(4)
    folded(PRINT_BITS - 1 downto 0) ^ (folded.msb.asBits << TWICE).resized
  }
  /** The bit that the folded key's last one is added to. */
  private val TWICE = 7

  /** The fingerprint in software. */
  def softwareFingerprint(srcIp: Long, srcPort: Int, opId: Long): Int = {
    def turned(word: Long, by: Int) = ((word & 0xffff) << by | (word & 0xffff) >> (16 - by)).toInt & 0xffff
    val folded = turned(opId, 0) ^ turned(opId >> 16, 0) ^ turned(srcPort, 8) ^ turned(srcIp, 12) ^ turned(srcIp >> 16, 4)
    (folded & 0x7fff) ^ (folded >> 15 << TWICE)
  }

  /** The group in software; with the class of a pid that a tag has proved, if one has. */
  def softwareGroup(c: CBoardConfig, srcIp: Long, serviceClass: Option[Int] = None): Int = {
    val hash = Crc32c.softwareLinear(bigEndian(srcIp, 4))
    val half = 1 << (groupBits(c) - 1)
    serviceClass match {
      case None => (hash >> (32 - groupBits(c))).toInt
      case Some(0) => (hash >> (33 - groupBits(c))).toInt
      case Some(of) => half + of % half
    }
  }
}
