package mneme.rdma

import spinal.core._

/** What a RoCEv2 packet says before its payload (IBTA volume 1, 9.2 to 9.3). Fields that an opcode does not have are of no meaning. */
case class RoceHeaders() extends Bundle {
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)

  /** The peer's UDP port: it chooses the path, and answers have their own. */
  val srcPort = Bits(16 bits)

  /** A router has met congestion (RFC 3168). */
  val congested = Bool()
  val opcode = Bits(8 bits)
  val solicited = Bool()
  val ackRequest = Bool()

  /** Bytes behind the payload that fill its last word. */
  val pad = UInt(2 bits)
  val pkey = Bits(16 bits)
  val destQp = UInt(24 bits)
  val psn = UInt(24 bits)

  /** RETH, and the address and key of AtomicETH. */
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)
  val dmaLength = UInt(32 bits)

  /** AtomicETH: swap or add data, compare data. */
  val swapAdd = Bits(64 bits)
  val compare = Bits(64 bits)
  val immediate = Bits(32 bits)

  /** Bytes of payload, without pad: 0 to 4,096. */
  val payload = UInt(13 bits)
}

/** A packet whose ICRC is right, in a place of the store of packets. The place is the receiver's until it gives it back. */
case class RoceArrival(slots: Int) extends Bundle {
  val headers = RoceHeaders()
  val slot = UInt(log2Up(slots) bits)

  /** Where the payload begins among the frame's bytes in its place: 54 to 74. */
  val offset = UInt(7 bits)

  /** Headers cut off, a payload where there is none, not whole words, a pad or a payload of a length that cannot be: refused with NAK 0x61
    * where the packet is the next one (IBTA volume 1, 9.7.4.1). Its payload is told as 0, and its extended headers are of no meaning.
    */
  val malformed = Bool()
}

/** What a WRITE says beside its payload: RETH of opcodes 0x06, 0x0a and 0x0b, immediate data of 0x09 and 0x0b. */
case class RoceWriteFields() extends Bundle {
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)

  /** Bytes of the whole message. */
  val length = UInt(32 bits)
  val immediate = Bits(32 bits)
}

/** A packet that is to be sent. Its payload, if it has one, comes beside it: byte 0 in the first beat's lowest bits. */
case class RoceDeparture(writes: Boolean = false) extends Bundle {
  val dstMac = Bits(48 bits)
  val dstIp = Bits(32 bits)
  val srcPort = Bits(16 bits)

  /** 0x0d to 0x12 of an answer, 0x81 of a congestion notification, 0x06 to 0x0b of a WRITE. */
  val opcode = Bits(8 bits)
  val pkey = Bits(16 bits)
  val destQp = UInt(24 bits)
  val psn = UInt(24 bits)
  val ackRequest = Bool()

  /** AETH: syndrome and message sequence number, of opcodes that have it. */
  val syndrome = Bits(8 bits)
  val msn = UInt(24 bits)

  /** AtomicAckETH. */
  val original = Bits(64 bits)

  /** Bytes of payload, without pad: 0 to 4,096. Pad, lengths, checksum and ICRC follow from it. */
  val payload = UInt(13 bits)

  /** Of who sends WRITEs, too. */
  val write = writes generate RoceWriteFields()
}
