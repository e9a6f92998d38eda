package mneme.rdma

import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a queue pair is: written once, by the slow path. */
case class QueuePairSettings() extends Bundle {
  val qpn, peerQpn = UInt(24 bits)
  val peerIp = Bits(32 bits)
  val peerMac = Bits(48 bits)
  /** UDP source port of answers. */
  val srcPort = Bits(16 bits)
  val pkey = Bits(16 bits)
  val pid = UInt(Wire.PID_BITS bits)
  /** Path MTU: 1 for 256 bytes to 5 for 4,096. */
  val mtuCode = UInt(3 bits)
  val hardened = Bool()

  /** Bytes of payload of a packet. */
  def mtu: UInt = (U(128, 13 bits) |<< mtuCode).resize(13)
}

/** What waits behind all READs and atomics of a queue pair. */
object Pending extends SpinalEnum {
  val none, ack, refusal = newElement()
}

/** Where a queue pair is: numbers, the WRITE that runs, what is to be answered. */
case class QueuePairState() extends Bundle {
  val valid = Bool()
  val inError = Bool()
  val expected, msn = UInt(24 bits)

  /** A WRITE of which packets have come and more are to come: where the next byte goes, and bytes from there on. */
  val running = Bool()
  val va = UInt(Wire.VA_BITS bits)
  val rkey = Bits(32 bits)
  val left = UInt(32 bits)

  /** The gap before `expected` has been told. */
  val gapTold = Bool()
  /** The packet `expected` was told to come again, so often in a row. */
  val notReady = UInt(4 bits)

  /** A congestion notification is due; the cycle of the last one that was, if any was. */
  val mustNotify, notified = Bool()
  val notifiedAt = UInt(32 bits)

  /** The oldest READ or atomic that is remembered, and how many are. */
  val oldest = UInt(4 bits)
  val remembered = UInt(5 bits)
  /** Places of those that are to be answered, in order; how many; how many of them have not asked memory for all. */
  val order = Vec(UInt(4 bits), RoceConfig.REMEMBERED)
  val jobs, unread = UInt(5 bits)

  val pending = Pending()
  val pendingPsn, pendingMsn = UInt(24 bits)
  val pendingSyndrome = Bits(8 bits)
  /** It stands in the queue of those who have something to send. */
  val scheduled = Bool()

  def isQueued(place: UInt): Bool = order.zipWithIndex.map { case (own, i) => jobs > i && own === place }.orR
  def hasAnswer: Bool = valid && (mustNotify || jobs =/= 0 || pending =/= Pending.none)
  /** Where the next READ or atomic is remembered: in the oldest one's place when all are taken. */
  def nextPlace: UInt = oldest + remembered.resize(4)
  /** The oldest may go only when it has been answered. */
  def hasPlace: Bool = !remembered.msb || !isQueued(oldest)
}

/** The rest of a READ that is to be answered. */
case class ReadRest() extends Bundle {
  val psn = UInt(24 bits)
  val va = UInt(Wire.VA_BITS bits)
  val length = UInt(32 bits)
  /** Nothing of it has been sent. */
  val begins = Bool()
}

object RememberedKind extends SpinalEnum {
  val read, compareSwap, fetchAdd = newElement()
}

/** A READ or atomic as its request told it. The words of both share their bits. */
case class Remembered() extends Bundle {
  val kind = RememberedKind()
  val psn, msn = UInt(24 bits)
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)
  /** An atomic has been executed. */
  val found = Bool()
  val words = Bits(192 bits)

  def isRead: Bool = kind === RememberedKind.read
  /** Of a READ: bytes asked for, and what is still to be answered. */
  def length: UInt = words(31 downto 0).asUInt
  def rest: ReadRest = words(32, widthOf(ReadRest()) bits).as(ReadRest())
  def setRead(length: UInt, rest: ReadRest): Unit = words := (rest.asBits ## length.asBits).resized
  /** Of an atomic: its operands as the wire has them, and the word that it found. */
  def swapAdd: Bits = words(63 downto 0)
  def compare: Bits = words(127 downto 64)
  def original: Bits = words(191 downto 128)
  def setAtomic(swapAdd: Bits, compare: Bits, original: Bits): Unit = words := original ## compare ## swapAdd
  /** What the engine's atomic unit takes: addend or expected word low, new word high. */
  def operands: Bits = (kind === RememberedKind.compareSwap) ? (swapAdd ## compare) | (compare ## swapAdd)
}
