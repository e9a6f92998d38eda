package mneme.chain

import mneme.rdma.Pending
import spinal.core._

/** What a chain queue pair is for who takes its packets: written once, when it is made. */
case class ChainPair() extends Bundle {
  val qpn, peerQpn = UInt(24 bits)
  val peerIp = Bits(32 bits)
  val peerMac = Bits(48 bits)

  /** UDP source port of what it sends. */
  val srcPort = Bits(16 bits)

  /** Path MTU: 1 for 256 bytes to 5 for 4,096. */
  val mtuCode = UInt(3 bits)

  /** What would end it is dropped instead. */
  val hardened = Bool()

  /** Bytes of each of its messages. */
  val length = UInt(ChainPair.LENGTH_BITS bits)

  /** Bytes of payload of a packet. */
  def mtu: UInt = (U(128, 13 bits) |<< mtuCode).resize(13)
}

object ChainPair {
  /** Messages have 8,192 bytes at most. */
  val LENGTH_BITS = 14
  val PAGE = 4096

  /** The partition of every chain queue pair. */
  val PKEY = 0xffff
}

/** Settings as they are kept: with what its function tells, and the share of turns of its process. */
private[chain] case class ChainPairRow(k: ChainConfig) extends Bundle {
  val pair = ChainPair()

  /** Its messages have a page, which comes last. */
  val stores = Bool()
  val share = UInt(k.pairBits bits)
}

/** A queue pair that is there, or is no more, for who gives packets that come their places. */
case class ChainOwner(k: ChainConfig) extends Bundle {
  val valid = Bool()
  val qpn = UInt(24 bits)
  val peerIp = Bits(32 bits)
  val share = UInt(k.pairBits bits)
}

/** Where a queue pair is in its sequence of packets. */
private[chain] case class ChainPairState(k: ChainConfig) extends Bundle {
  val valid, inError = Bool()
  val expected, msn = UInt(24 bits)

  /** A message of which packets have come and more are to come, and its bytes so far. */
  val running = Bool()
  val filled = UInt(ChainPair.LENGTH_BITS bits)

  /** Of a store that runs: where its page goes; or its bytes go nowhere; memory has failed under one of its packets. */
  val frame = UInt(k.l.frameBits bits)
  val drops, failed = Bool()

  /** An access to that frame goes on; or it has ended amid the page, and the frame may be anybody's. */
  val open, bare = Bool()

  /** The gap before `expected` has been told. */
  val gapTold = Bool()

  /** The packet `expected` was told to come again, so often in a row. */
  val notReady = UInt(4 bits)

  /** A congestion notification is due; the cycle of the last one that was, if any was. */
  val mustNotify, notified = Bool()
  val notifiedAt = UInt(32 bits)

  val pending = Pending()
  val pendingPsn, pendingMsn = UInt(24 bits)
  val pendingSyndrome = Bits(8 bits)

  /** It stands in the queue of those who have something to send. */
  val scheduled = Bool()

  def hasAnswer: Bool = valid && (mustNotify || pending =/= Pending.none)
}

/** What the slow path wants of a chain queue pair. */
object ChainCommand extends SpinalEnum {
  val
  /** It is there from now on, and expects packet `psn`. */
  CREATE,
  /** It is no more; a store that runs is abandoned, its replies are not sent again. */
  DESTROY,
  /** The same, but it stays there in error. */
  END,
  /** Nothing but the answer. */
  QUERY = newElement()
}

/** A command. All but `command` and the queue pair's number is of CREATE. */
case class ChainOrder(k: ChainConfig) extends Bundle {
  val command = ChainCommand()

  /** The low bits of its number are its place. */
  val pair = ChainPair()
  val psn, firstReply = UInt(24 bits)

  /** The profile: rows behind the last argument's are of no meaning. */
  val rows = Vec(ChainFieldRow(), ChainFields.ROWS)
  val secrets = ChainSecrets()

  /** Function, how it answers, segment and process. `filler` is its place. */
  val settings = ChainSettings(k)

  /** As [[ReplyPeer]] has it. */
  val timeout = UInt(4 bits)

  /** The most that its replies send, in bytes a period; 0: as can. */
  val rate = UInt(32 bits)
}

object ChainResult extends SpinalEnum {
  val DONE,
  /** Its place is taken; there is no such queue pair. */
  TAKEN, UNKNOWN,
  /** No number of a queue pair; no path MTU. */
  NUMBER, PATH_MTU,
  /** Its arguments do not end within the first packet, or a message without a page is longer than a packet. */
  PROFILE,
  /** No such rate. */
  RATE = newElement()
}

/** How a command ended, and where the queue pair was before it. */
case class ChainAnswer() extends Bundle {
  val result = ChainResult()
  val expected, msn = UInt(24 bits)
  val inError, running = Bool()
}

/** What is counted beside RoceCounter's numbers, one a cycle each. */
case class ChainArrivalEvents() extends Bundle {
  /** Refused with 0x61: more or fewer bytes than the profile's messages have. */
  val receiveLength = Bool()

  /** A store has been abandoned amid its page. */
  val abandoned = Bool()

  /** An answer to a reply that is no sound packet; dropped. */
  val answerMalformed = Bool()

  /** A queue pair has ended because its replies have. */
  val repliesFailed = Bool()
}

/** Defects that benches plant. No build of a board has one. */
object ChainArrivalFault extends Enumeration {
  val
  /** A gap is told each time. */
  GapToldTwice,
  /** A packet that has been done is done again. */
  DuplicateExecuted,
  /** A message may have any length. */
  AnyLength,
  /** A packet may have any length. */
  AnyPayload,
  /** Packets of a message may come in any order. */
  AnyOrder,
  /** Packets of others are taken. */
  AnySource,
  /** A message with immediate data is taken. */
  ImmediateAccepted,
  /** "Not ready" always has the same code. */
  NotReadyStays,
  /** A hardened queue pair ends as any other. */
  HardenedEnds,
  /** A queue pair in error goes on. */
  ErrorServed,
  /** Each packet of a store begins at its page's first byte. */
  PageOffsetLost,
  /** A store of a queue pair that ends is not abandoned. */
  StoreKept,
  /** A queue pair that ends sends its replies. */
  RepliesKept,
  /** A store is done before memory has it. */
  DoneEarly,
  /** Memory's failure under a packet is forgotten. */
  FailureForgotten,
  /** A store whose client pauses keeps its access. */
  PauseForgotten,
  /** Its next packet goes to the frame that it had. */
  BareIgnored,
  /** Each packet counts as a message. */
  MessagePerPacket = Value
}
