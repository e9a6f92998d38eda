package mneme.net

import mneme.{CBoardConfig, knownBits, wire}
import spinal.core._
import spinal.lib._

/** One AXI4-Stream beat of a frame, byte 0 in data(7 downto 0); only the last beat may be partial.
  *
  * `user` is one bit for the whole beat (damaged frame, meaningful on the last beat). The library's Axi4Stream has user bits per
  * byte, 64 of them here, which no MAC offers.
  */
case class FrameBeat() extends Bundle {
  val data = Bits(512 bits)
  val keep = Bits(64 bits)
  val last = Bool()
  val user = Bits(1 bits)
}

/** A beat of a frame inside the core: the place of the last valid byte instead of 64 keep bits. */
case class CountedBeat() extends Bundle {
  val data = Bits(512 bits)
  /** 63 in every beat but the last. */
  val lastByte = UInt(6 bits)
  val last = Bool()
  val user = Bits(1 bits)

  /** The beat at the port, which is looked at while `valid`. */
  def frameBeat(valid: Bool): FrameBeat = {
    val beat = FrameBeat()
    beat.assignSomeByName(this)
    beat.keep := knownBits(valid, 64)(i => if (i == 0) True else lastByte >= i)
    beat
  }
}

object CountedBeat {
  def of(beat: FrameBeat): CountedBeat = {
    val counted = CountedBeat()
    counted.assignSomeByName(beat)
    counted.lastByte := FrameBytes.lastByte(beat.keep)
    counted
  }
}

object FrameBeat {
  /** Names the signals as AXI4-Stream has them, as the library's renamers do for its own bundles. */
  def axiNames(stream: Stream[FrameBeat]): Stream[FrameBeat] = {
    stream.component.addPrePopTask { () =>
      stream.valid.setName(stream.getName() + "_tvalid")
      stream.ready.setName(stream.getName() + "_tready")
      for (signal <- stream.payload.flatten) signal.setName(stream.getName() + "_t" + signal.getName().split('_').last)
    }
    stream
  }
}

/** Where each field of a frame lies, in bytes from its start. All headers together fill the first beat. */
object FrameField {
  val DST_MAC = (0, 6)
  val SRC_MAC = (6, 6)
  val ETHERTYPE = (12, 2)
  val IP_START = 14
  val IP_VERSION_IHL = (14, 1)
  val IP_TOTAL = (16, 2)
  val IP_FRAGMENT = (20, 2)
  val IP_TTL_PROTOCOL = (22, 2)
  val IP_PROTOCOL = (23, 1)
  val IP_CHECKSUM = (24, 2)
  val SRC_IP = (26, 4)
  val DST_IP = (30, 4)
  val UDP_START = 34
  val SRC_PORT = (34, 2)
  val DST_PORT = (36, 2)
  val UDP_LENGTH = (38, 2)
  val UDP_CHECKSUM = (40, 2)
  val MNEME_START = 42
  /** A field of the Mneme header, given as in the wire table. */
  def mneme(field: (Int, Int)): (Int, Int) = (MNEME_START + field._1, field._2)

  val HEADERS: Int = MNEME_START + wire.Wire.HEADER_LEN
  require(HEADERS == 64, "the headers fill one beat, so that the payload starts aligned on the next")

  val ETHERTYPE_IPV4 = 0x0800
  val ETHERTYPE_ARP = 0x0806
  val PROTOCOL_ICMP = 1
  val PROTOCOL_UDP = 17
}

object FrameBytes {
  /** A big-endian field of a beat. */
  def read(beat: Bits, field: (Int, Int)): Bits =
    (field._1 until field._1 + field._2).map(i => beat(8 * i, 8 bits)).reduce(_ ## _)

  /** Puts a big-endian field into a beat. */
  def write(beat: Bits, field: (Int, Int), value: Bits): Unit =
    for (i <- 0 until field._2) beat(8 * (field._1 + i), 8 bits) := value(8 * (field._2 - 1 - i), 8 bits)

  /** The 16-bit big-endian words from one even byte to another (exclusive), as RFC 1071 sums them. */
  def words(beat: Bits, from: Int, until: Int): Seq[UInt] =
    (from until until by 2).map(i => read(beat, (i, 2)).asUInt)

  /** A sum of words without loss. */
  def sum(words: Seq[UInt]): UInt =
    if (words.size == 1) words.head else { val (a, b) = words.splitAt(words.size / 2); sum(a) +^ sum(b) }

  /** Whether a sum of words, checksum included, is right (RFC 1071): whether folding makes 0xffff of it. With fewer than 2^16^ words it does so
    * only where carries and low word are each other's complement, which is a comparison instead of two additions.
    */
  def sumsRight(sum: UInt): Bool = sum(15 downto 0) === ~sum(sum.high downto 16).resize(16)

  /** The number of ones of a value whose ones are its lowest bits, but for the case that all are: a binary search. */
  private def ones(value: Bits): Bits = {
    val half = value.getWidth / 2
    val upper = value(half - 1)
    if (half == 1) upper.asBits
    else upper ## ones(Mux(upper, value(value.high downto half), value(half - 1 downto 0)))
  }

  /** The number of valid bytes of a beat, which are its first ones. */
  def validBytes(keep: Bits): UInt = (keep.msb ## ones(keep).andMask(!keep.msb)).asUInt

  /** The place of the last valid byte of a beat. */
  def lastByte(keep: Bits): UInt = ones(keep |>> 1).asUInt

  /** One end-around step of RFC 1071: the carries are added to the low 16 bits. */
  def fold(sum: UInt): UInt = sum(15 downto 0) +^ sum(sum.high downto 16).resize(16)
}

/** A frame for the slow path. */
case class SlowFrame(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val length = UInt(14 bits)
}

/** One beat on its way into the packet buffer. */
case class PacketWrite(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val beat = UInt(log2Up(c.slotBeats) bits)
  val data = Bits(512 bits)
}
