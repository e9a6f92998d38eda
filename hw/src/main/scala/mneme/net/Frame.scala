package mneme.net

import mneme.{CBoardConfig, wire}
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

  /** One end-around step of RFC 1071: the carries are added to the low 16 bits. */
  def fold(sum: UInt): UInt = sum(15 downto 0) +^ sum(sum.high downto 16).resize(16)

  /** The keep bits of a beat whose last valid byte is this one. */
  def keepUpTo(lastByte: UInt): Bits = B(Seq.tabulate(64)(i => if (i == 0) True else lastByte >= i))
}

/** A whole frame that waits in a packet slot, with what dispatch needs of it. */
case class FrameDescriptor(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val length = UInt(14 bits)
  /** The first beat. */
  val header = Bits(512 bits)
  /** The first 16 bytes of the second beat, if there is one. */
  val operands = Bits(128 bits)
  /** Sum of the 16-bit words of both IP addresses and of the IPv4 packet's payload, up to its total length. */
  val udpSum = UInt(FrameDescriptor.sumBits(c) bits)
}

object FrameDescriptor {
  def sumBits(c: CBoardConfig): Int = 16 + log2Up(c.slotBeats * 32)
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
