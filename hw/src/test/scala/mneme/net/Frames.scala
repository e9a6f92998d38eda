package mneme.net

import scala.util.Random

/** Frames as byte arrays, built and read without any code of the design. */
object Frames {
  type Bytes = Array[Int]

  def number(value: BigInt, bytes: Int): Bytes = Array.tabulate(bytes)(i => ((value >> (8 * (bytes - 1 - i))) & 0xff).toInt)
  def read(frame: Bytes, from: Int, bytes: Int): BigInt = frame.slice(from, from + bytes).foldLeft(BigInt(0))((v, b) => (v << 8) | b)

  /** RFC 1071 over bytes, an odd one padded with zero; 0xffff where a checksum within them is right. */
  def onesSum(bytes: Seq[Int]): Int = {
    val words = bytes.grouped(2).map(p => (p.head << 8) | p.lift(1).getOrElse(0))
    words.foldLeft(0) { (sum, word) =>
      val s = sum + word; (s & 0xffff) + (s >> 16)
    }
  }

  /** The beats of a frame: data, keep, last. */
  def beats(frame: Bytes): Seq[(BigInt, BigInt, Boolean)] = {
    val groups = frame.toSeq.grouped(64).toSeq
    groups.zipWithIndex.map { case (bytes, i) =>
      val data = bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
      (data, (BigInt(1) << bytes.size) - 1, i == groups.size - 1)
    }
  }

  /** The valid bytes of a beat, which must be the lowest ones. */
  def bytesOf(data: BigInt, keep: BigInt): Seq[Int] = {
    val count = keep.bitCount
    assert(keep == (BigInt(1) << count) - 1, "kept bytes are not the first ones")
    Seq.tabulate(count)(i => ((data >> (8 * i)) & 0xff).toInt)
  }
}

/** Everything that a request frame says; `bytes` makes it, right unless a field is set wrong on purpose. */
case class FrameSpec(
    dstMac: BigInt,
    srcMac: BigInt,
    etherType: Int = 0x0800,
    versionIhl: Int = 0x45,
    totalDelta: Int = 0,
    fragment: Int = 0x4000,
    protocol: Int = 17,
    ipChecksumDelta: Int = 0,
    srcIp: BigInt = 0x0a000002,
    dstIp: BigInt,
    srcPort: Int = 40000,
    dstPort: Int,
    udpLengthDelta: Int = 0,
    udpChecksum: FrameSpec.Checksum = FrameSpec.Right,
    flags: Int = 0x10,
    opcode: Int,
    epoch: Int,
    pid: Int = 7,
    opId: BigInt = 0,
    attempt: Int = 0,
    time: Int = 0,
    va: BigInt = 0,
    length: Int = 0,
    payload: Seq[Int] = Nil,
    /** Bytes between the end of the IP packet and the end of the frame. */
    padding: Int = 0,
    /** Bytes that are left of it. */
    cut: Int = Int.MaxValue
) {
  import Frames._

  def bytes: Bytes = {
    val mneme = number(flags, 1) ++ number(opcode, 1) ++ number(epoch, 1) ++ number(pid, 3) ++ number(opId, 4) ++
      number(attempt, 1) ++ number(time, 3) ++ number(va, 6) ++ number(length, 2) ++ payload
    val udpLength = 8 + mneme.length + udpLengthDelta
    val ports = number(srcPort, 2) ++ number(dstPort, 2) ++ number(udpLength, 2)
    val pseudo = number(srcIp, 4) ++ number(dstIp, 4) ++ number(17, 2) ++ number(udpLength, 2)
    val right = 0xffff - onesSum((pseudo ++ ports ++ number(0, 2) ++ mneme).toSeq)
    val checksum = udpChecksum match {
      case FrameSpec.Absent => 0
      case FrameSpec.Right => if (right == 0) 0xffff else right
      case FrameSpec.Wrong => val wrong = (right + 0x101) & 0xffff; if (wrong == 0 || wrong == 0xffff) 0x1234 else wrong
    }
    val udp = ports ++ number(checksum, 2) ++ mneme
    val unsummed = number(versionIhl, 1) ++ number(0, 1) ++ number(20 + udp.length + totalDelta, 2) ++ number(0x77, 2) ++
      number(fragment, 2) ++ number(64, 1) ++ number(protocol, 1) ++ number(0, 2) ++ number(srcIp, 4) ++ number(dstIp, 4)
    val ipChecksum = (0xffff - onesSum(unsummed.toSeq) + ipChecksumDelta) & 0xffff
    val ip = unsummed.patch(10, number(ipChecksum, 2).toSeq, 2)
    val frame = number(dstMac, 6) ++ number(srcMac, 6) ++ number(etherType, 2) ++ ip ++ udp ++ Array.fill(padding)(0x5a)
    frame.take(cut)
  }
}

object FrameSpec {
  sealed trait Checksum
  case object Absent extends Checksum
  case object Right extends Checksum
  case object Wrong extends Checksum

  def payload(random: Random, bytes: Int): Seq[Int] = Seq.fill(bytes)(random.nextInt(256))
}
