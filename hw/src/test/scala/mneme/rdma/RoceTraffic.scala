package mneme.rdma

import mneme.rdma.RoceReference._

import scala.util.Random

/** Packets of every kind, sound ones and others. */
object RoceTraffic {
  val mac: BigInt = BigInt("020000000001", 16)
  val ip: BigInt = BigInt("0a000001", 16)

  /** Queue pairs by number: the peer, and the share of the process. */
  val pairs: Map[BigInt, (BigInt, Int)] = Seq(0x4000 -> 3, 0x5001 -> 3, 0x6002 -> 5, 0x7003 -> 8, 0x8014 -> 9, 0x9015 -> 10)
    .map { case (qpn, share) => BigInt(qpn) -> (BigInt(0x0a000100 + share), share) }
    .toMap

  /** Frames that scapy's `contrib.roce` made, ICRC included; the first one is of a ConnectX (scapy's own test). */
  val scapy: Seq[Bytes] = Seq(
    "248a07a8fa22248a07a8fa22080045010040047840004011b4d5c0a80007c0a80007c00012b7002caca22460ffff000000d300cf17104630818be28935d90e9a95505401be885e5000" +
      "0078f353f3",
    "02000000000102000000000208004503003000010000401166b70a0000020a000001c35012b7001cdc911140ffff0012345600abcdef1f00004d92b672d3",
    "0200000000010200000000020800450300b000010000401166370a0000020a000001c35012b7009cdf341050ffff0012345600abcdef1f00004d000102030405060708090a0b0c0d0e" +
      "0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f50515253545556" +
      "5758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e00cb116834",
    "02000000000102000000000208004503003c00010000401166ab0a0000020a000001c35012b70028bebf8100ffff4000004200000000000000000000000000000000000000009aaafae6"
  ).map(_.grouped(2).map(Integer.parseInt(_, 16)).toSeq)

  def length(r: Random): Int = r.nextInt(8) match {
    case 0 | 1 => r.nextInt(12)
    case 2 | 3 | 4 => r.nextInt(300)
    case 5 => Seq(256, 512, 1024, 2048, 4096)(r.nextInt(5)) - r.nextInt(3)
    case 6 => 64 * r.nextInt(8) + r.nextInt(24)
    case _ => r.nextInt(1500)
  }

  def sound(r: Random, opcode: Int, length: Int): RocePacket = {
    val (headers, body) = layout.getOrElse(opcode, (0, Bare))
    val payload = body match {
      case Any => random(r, length)
      case Zeros => Seq.fill(16)(0)
      case Bare => if (layout.contains(opcode)) Nil else random(r, 4 * (length / 4))
    }
    // Of queue pairs that are there, by their peers and by others, and of others.
    val (named, (peer, _)) = pairs.toSeq.sortBy(_._1).apply(r.nextInt(pairs.size))
    val known = r.nextInt(4) > 0
    RocePacket(
      mac,
      BigInt(48, r),
      ip,
      if (known && r.nextInt(8) > 0) peer else BigInt(32, r),
      srcPort = r.nextInt(0x10000),
      id = r.nextInt(0x10000),
      tos = r.nextInt(256),
      ttl = r.nextInt(256),
      fragment = Seq(0, 0x4000, 0x8000, 0xc000)(r.nextInt(4)),
      opcode = opcode,
      solicited = r.nextBoolean(),
      migrated = r.nextBoolean(),
      pkey = r.nextInt(0x10000),
      congestion = r.nextInt(256),
      udpChecksum = r.nextInt(0x10000),
      destQp = if (known) named.toInt else r.nextInt(1 << 24),
      ack = r.nextInt(256),
      psn = r.nextInt(1 << 24),
      extension = random(r, headers),
      payload = payload,
      behind = if (r.nextInt(4) == 0) random(r, r.nextInt(if (length < 3900 && r.nextInt(8) == 0) 200 else 20)) else Nil
    )
  }
  def sound(r: Random): RocePacket = {
    val opcode = r.nextInt(12) match {
      case 0 => Seq(0x15, 0x18, 0x1c, 0x24, 0x64, 0x80, 0xff)(r.nextInt(7))
      case _ => layout.keys.toSeq.sorted.apply(r.nextInt(layout.size))
    }
    sound(r, opcode, length(r))
  }

  /** Something wrong with a packet, or something that may look so. */
  private val defects: Seq[(Random, RocePacket) => RocePacket] = Seq(
    (r, p) => p.copy(dstMac = mac ^ (BigInt(1) << r.nextInt(48))),
    (r, p) => p.copy(etherType = 0x0800 ^ (1 << r.nextInt(16))),
    (r, p) => p.copy(versionIhl = 0x45 ^ (0x10 << r.nextInt(4))),
    (r, p) => p.copy(versionIhl = 0x45 ^ (1 << r.nextInt(4))),
    (r, p) => p.copy(ipChecksumDelta = 1 + r.nextInt(0xfffe)),
    (r, p) => p.copy(fragment = 1 << r.nextInt(14)),
    (r, p) => p.copy(totalDelta = r.nextInt(200) - 100),
    (r, p) => { val by = 4 * (r.nextInt(40) - 20); p.copy(totalDelta = by, udpLengthDelta = by) },
    (r, p) => p.copy(dstIp = ip ^ (BigInt(1) << r.nextInt(32))),
    (r, p) => p.copy(protocol = 17 ^ (1 << r.nextInt(8))),
    (r, p) => p.copy(udpLengthDelta = 1 + r.nextInt(100)),
    (r, p) => p.copy(dstPort = 4791 ^ (1 << r.nextInt(16))),
    (r, p) => p.copy(icrcDelta = 1 + r.nextInt(255)),
    (r, p) => p.copy(version = 1 + r.nextInt(15)),
    (r, p) => p.copy(cut = r.nextInt(70)),
    (r, p) => p.copy(cut = r.nextInt(p.bytes.size) max 1),
    // Layouts that cannot be.
    (r, p) => p.copy(extension = p.extension.take(r.nextInt(p.extension.size + 1)), payload = Nil),
    (r, p) => p.copy(extension = p.extension ++ random(r, 1 + r.nextInt(8))),
    (r, p) => p.copy(pad = Some(r.nextInt(4)), padding = random(r, r.nextInt(4))),
    (r, p) => p.copy(pad = Some(1 + r.nextInt(3)), padding = Nil, payload = Nil),
    (r, p) => p.copy(payload = random(r, 4093 + r.nextInt(60))),
    (r, p) => p.copy(behind = random(r, 4100 + r.nextInt(6000)))
  )

  /** A frame, and whether the MAC says that it is damaged. */
  def any(r: Random): (Bytes, Boolean) = {
    val packet = sound(r)
    r.nextInt(10) match {
      case 0 | 1 | 2 | 3 => (packet.bytes, false)
      case 4 =>
        val bytes = packet.bytes
        val bit = r.nextInt(8 * (bytes.size min (if (r.nextBoolean()) 64 else bytes.size)))
        (bytes.updated(bit / 8, bytes(bit / 8) ^ (1 << (bit % 8))), false)
      case 5 if r.nextBoolean() => (packet.bytes, true)
      case 6 if r.nextInt(4) == 0 => (random(r, 1 + r.nextInt(300)), r.nextInt(8) == 0)
      case 7 =>
        val two = defects(r.nextInt(defects.size))(r, packet)
        (defects(r.nextInt(defects.size))(r, two).bytes, false)
      case _ => (defects(r.nextInt(defects.size))(r, packet).bytes, false)
    }
  }
}
