package mneme.rdma

import mneme.net.Frames
import mneme.wire.Wire.RoceCounter

import java.util.zip.CRC32
import scala.util.Random

/** RoCEv2 as the standards have it (IBTA volume 1, 9.2 to 9.7 and annex A17; RFC 768, 791, 3168), in bytes and without any code of the design. The ICRC is
  * Java's CRC-32 over bytes that are put together one after the other.
  */
object RoceReference {
  type Bytes = Seq[Int]
  def number(value: BigInt, bytes: Int): Bytes = Frames.number(value, bytes).toSeq
  def read(frame: Bytes, from: Int, bytes: Int): BigInt = frame.slice(from, from + bytes).foldLeft(BigInt(0))((v, b) => (v << 8) | b)
  def random(r: Random, bytes: Int): Bytes = Seq.fill(bytes)(r.nextInt(256))

  /** Annex A17.3: the local route header and what routers change count as ones. `packet` is Ethernet's header to pad. */
  def icrc(packet: Bytes): Bytes = {
    val (ip, udp, transport) = (packet.slice(14, 34), packet.slice(34, 42), packet.drop(42))
    def ones(bytes: Bytes, at: Int*): Bytes = at.foldLeft(bytes)((b, i) => if (i < b.size) b.updated(i, 0xff) else b)
    val crc = new CRC32
    for (part <- Seq(Seq.fill(8)(0xff), ones(ip, 1, 8, 10, 11), ones(udp, 6, 7), ones(transport, 4))) crc.update(part.map(_.toByte).toArray)
    number(crc.getValue, 4).reverse
  }

  private val (reth, immediate, aeth, atomicEth, atomicAckEth, ieth) = (16, 4, 4, 28, 8, 4)
  sealed trait Body
  case object Any extends Body
  case object Bare extends Body
  case object Zeros extends Body

  /** Table 38: headers behind the base transport header, and whether there is a payload. */
  val layout: Map[Int, (Int, Body)] = (
    Seq(0x00, 0x01, 0x02, 0x04, 0x07, 0x08, 0x0e).map(_ -> (0, Any)) ++
      Seq(0x03, 0x05, 0x09).map(_ -> (immediate, Any)) ++ Seq(0x06, 0x0a).map(_ -> (reth, Any)) ++ Seq(0x0b -> (reth + immediate, Any)) ++
      Seq(0x0c -> (reth, Bare)) ++ Seq(0x0d, 0x0f, 0x10).map(_ -> (aeth, Any)) ++ Seq(0x11 -> (aeth, Bare), 0x12 -> (aeth + atomicAckEth, Bare)) ++
      Seq(0x13, 0x14).map(_ -> (atomicEth, Bare)) ++ Seq(0x16, 0x17).map(_ -> (ieth, Any)) ++ Seq(0x81 -> (0, Zeros))
  ).toMap

  /** A packet as it arrives, by the names of [[RoceHeaders]]; those that its opcode does not have are left out. */
  case class Arrived(fields: Map[String, BigInt], payload: Bytes, offset: Int, malformed: Boolean)

  /** What is to become of a frame: a packet, or the counter of the first reason to drop it. */
  def judge(frame: Bytes, damaged: Boolean, mac: BigInt, ip: BigInt): Either[Int, Arrived] = {
    import RoceCounter._
    def at(from: Int, bytes: Int) = read(frame, from, bytes)
    lazy val total = at(16, 2).toInt
    lazy val reasons: Seq[(Int, () => Boolean)] = Seq(
      DROP_DAMAGED -> (() => damaged),
      DROP_SHORT -> (() => frame.size < 58),
      DROP_GIANT -> (() => frame.size > 4224),
      DROP_FOREIGN_MAC -> (() => at(0, 6) != mac),
      DROP_FOREIGN_ETHERTYPE -> (() => at(12, 2) != 0x0800),
      DROP_IP_HEADER -> (() => frame(14) >> 4 != 4),
      DROP_IP_OPTIONS -> (() => (frame(14) & 15) != 5),
      DROP_IP_CHECKSUM -> (() => Frames.onesSum(frame.slice(14, 34)) != 0xffff),
      DROP_IP_FRAGMENT -> (() => (at(20, 2) & 0x3fff) != 0),
      DROP_IP_LENGTH -> (() => total < 20 + 8 + 12 + 4 || 14 + total > frame.size),
      DROP_FOREIGN_IP -> (() => at(30, 4) != ip),
      DROP_FOREIGN_PROTOCOL -> (() => frame(23) != 17),
      DROP_UDP_LENGTH -> (() => at(38, 2) != total - 20),
      DROP_FOREIGN_PORT -> (() => at(36, 2) != 4791),
      DROP_ICRC -> (() => icrc(frame.take(14 + total - 4)) != frame.slice(14 + total - 4, 14 + total)),
      DROP_VERSION -> (() => (frame(43) & 15) != 0)
    )
    reasons.find(_._2()).map(_._1).toLeft(arrived(frame, total))
  }

  private def arrived(frame: Bytes, total: Int): Arrived = {
    val (opcode, pad) = (frame(42), (frame(43) >> 4) & 3)
    val transport = frame.slice(42, 14 + total - 4)
    val (headers, body) = layout.getOrElse(opcode, (0, Bare))
    val rest = transport.size - 12 - headers
    val malformed = layout.contains(opcode) && (rest < 0 || (body match {
      case Bare => rest != 0 || pad != 0
      case Zeros => rest != 16 || pad != 0
      case Any => rest % 4 != 0 || rest < pad || rest - pad > 4096
    }))
    val payload = if (malformed || body != Any) Nil else transport.slice(12 + headers, 12 + headers + rest - pad)
    def at(from: Int, bytes: Int) = read(frame, from, bytes)
    def bit(byte: Int, place: Int) = BigInt((frame(byte) >> place) & 1)
    val always = Map(
      "srcMac" -> at(6, 6),
      "srcIp" -> at(26, 4),
      "srcPort" -> at(34, 2),
      "congested" -> BigInt(if ((frame(15) & 3) == 3) 1 else 0),
      "opcode" -> BigInt(opcode),
      "solicited" -> bit(43, 7),
      "ackRequest" -> bit(50, 7),
      "pad" -> BigInt(pad),
      "pkey" -> at(44, 2),
      "destQp" -> at(47, 3),
      "psn" -> at(51, 3),
      "payload" -> BigInt(payload.size)
    )
    val place = Map("va" -> at(54, 8), "rkey" -> at(62, 4))
    val extended: Map[String, BigInt] = headers match {
      case _ if malformed => Map()
      case 4 => Map("immediate" -> at(54, 4))
      case 16 => place + ("dmaLength" -> at(66, 4))
      case 20 => place + ("dmaLength" -> at(66, 4)) + ("immediate" -> at(70, 4))
      case 28 => place + ("swapAdd" -> at(66, 8)) + ("compare" -> at(74, 8))
      case _ => Map()
    }
    Arrived(always ++ extended, payload, 54 + headers, malformed)
  }
}

/** All that a frame says; `bytes` makes it, right unless a field is set wrong on purpose. */
case class RocePacket(
    dstMac: BigInt,
    srcMac: BigInt,
    dstIp: BigInt,
    srcIp: BigInt,
    srcPort: Int = 0xc123,
    etherType: Int = 0x0800,
    versionIhl: Int = 0x45,
    tos: Int = 0,
    totalDelta: Int = 0,
    id: Int = 0,
    fragment: Int = 0x4000,
    ttl: Int = 64,
    protocol: Int = 17,
    ipChecksumDelta: Int = 0,
    dstPort: Int = 4791,
    udpLengthDelta: Int = 0,
    udpChecksum: Int = 0,
    opcode: Int,
    solicited: Boolean = false,
    migrated: Boolean = true,
    pad: Option[Int] = None,
    version: Int = 0,
    pkey: Int = 0xffff,
    congestion: Int = 0,
    destQp: Int = 0,
    /** The byte with the request for an answer. */
    ack: Int = 0,
    psn: Int = 0,
    extension: Seq[Int] = Nil,
    payload: Seq[Int] = Nil,
    padding: Seq[Int] = Nil,
    icrcDelta: Int = 0,
    /** Bytes behind the packet. */
    behind: Seq[Int] = Nil,
    cut: Int = Int.MaxValue
) {
  import RoceReference._

  def bytes: Bytes = {
    val padBytes = pad.getOrElse((4 - payload.size % 4) % 4)
    val fill = if (padding.isEmpty && pad.isEmpty) Seq.fill(padBytes)(0) else padding
    def flag(set: Boolean, place: Int) = if (set) 1 << place else 0
    val bth = Seq(opcode, flag(solicited, 7) | flag(migrated, 6) | (padBytes << 4) | version) ++ number(pkey, 2) ++ Seq(congestion) ++ number(destQp, 3) ++
      Seq(ack) ++ number(psn, 3)
    val transport = bth ++ extension ++ payload ++ fill
    val udp = number(srcPort, 2) ++ number(dstPort, 2) ++ number(8 + transport.size + 4 + udpLengthDelta, 2) ++ number(udpChecksum, 2)
    val unsummed =
      Seq(versionIhl, tos) ++ number(28 + transport.size + 4 + totalDelta, 2) ++ number(id, 2) ++ number(fragment, 2) ++ Seq(ttl, protocol, 0, 0) ++
        number(srcIp, 4) ++ number(dstIp, 4)
    val checksum = (0xffff - Frames.onesSum(unsummed) + ipChecksumDelta) & 0xffff
    val ip = unsummed.patch(10, number(checksum, 2), 2)
    val packet = number(dstMac, 6) ++ number(srcMac, 6) ++ number(etherType, 2) ++ ip ++ udp ++ transport
    val sum = icrc(packet)
    (packet ++ sum.updated(0, sum.head ^ icrcDelta) ++ behind).take(cut)
  }
}
