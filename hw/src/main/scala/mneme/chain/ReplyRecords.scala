package mneme.chain

import mneme.rdma.{RateRow, RoceDeparture}
import mneme.wire.Wire
import spinal.core._

/** A queue pair's settings that stay as they are. */
case class ReplyPeer(k: ChainConfig) extends Bundle {
  val mac = Bits(48 bits)
  val ip = Bits(32 bits)
  val qpn = UInt(24 bits)
  val srcPort = Bits(16 bits)

  /** Path MTU: 256 bytes << `mtu`, 0 to 4. */
  val mtu = UInt(3 bits)

  /** Ticks without progress before everything is sent again: 2^timeout. A tick is 10 µs; code c of the connection manager, 4.096 µs << c, is c - 1. */
  val timeout = UInt(4 bits)
  val segment = UInt(k.l.segmentBits bits)
  val pid = UInt(24 bits)

  /** Who shares a turn: one for each process. */
  val share = UInt(k.pairBits bits)
}

/** Makes a queue pair, or ends it: the access that goes on for it ends, and its replies are no more. */
case class ReplyCommand(k: ChainConfig) extends Bundle {
  val creates = Bool()
  val pair = UInt(k.pairBits bits)
  val peer = ReplyPeer(k)
  val psn = UInt(24 bits)

  /** The most that it sends, in bytes a period; [[Wire.ROCE_RATE_LINE]]: as can. */
  val cap = UInt(RateRow.BITS bits)
}

/** A WRITE on its way to the client. */
case class Reply(k: ChainConfig) extends Bundle {
  /** A word of 8 bytes; else a page. */
  val word = Bool()

  /** The last packet carries the page's number as immediate data. */
  val immediate = Bool()
  val page = UInt(k.l.countBits bits)
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)

  /** Of a word: its bytes, the first one in the lowest bits. Of a page that is posted with an access: its frame, and the access's epoch. */
  val data = Bits(64 bits)

  def frame: UInt = data(k.l.frameBits - 1 downto 0).asUInt
  def epoch: Bool = data(k.l.frameBits)
  def setFrame(frame: UInt, epoch: Bool): Unit = data := (epoch ## frame).resize(64 bits)
}

/** A reply that is to be sent. */
case class ReplyPost(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)

  /** Of a page: an access to it has begun, which ends by the requester. Else the requester looks its frame up when it sends it. */
  val held = Bool()
  val reply = Reply(k)
}

/** What a peer has answered. Its source and opcode (0x11) have been looked at. */
case class ReplyAck(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val psn = UInt(24 bits)
  val syndrome = Bits(8 bits)
}

/** Where a packet's bytes are. */
object ReplySource extends SpinalEnum {
  val
  /** `frame`, from `offset` on. */
  FRAME,
  /** The page has no frame. */
  ZEROS,
  /** `word`. */
  WORD = newElement()
}

/** A packet of a reply, or only an access's end. */
case class ReplyDeparture(k: ChainConfig) extends Bundle {
  /** There is a packet. */
  val sends = Bool()
  val pair = UInt(k.pairBits bits)
  val packet = RoceDeparture()

  /** RETH of a first and an only packet; immediate data of a last and an only one that has it. */
  val va = UInt(64 bits)
  val rkey = Bits(32 bits)
  val length = UInt(32 bits)
  val immediate = Bits(32 bits)

  val source = ReplySource()
  val frame = UInt(k.l.frameBits bits)
  val offset = UInt(12 bits)
  val word = Bits(64 bits)

  /** When this packet's bytes have been read, and those of all before it, the access of `epoch` ends. */
  val ends, epoch = Bool()
}

/** Why a queue pair has ended. */
object ReplyFailure extends SpinalEnum {
  val
  /** The peer refused a reply. */
  REFUSED,
  /** The peer was silent for too long. */
  SILENT,
  /** Memory did not give the entry of a page that was to be sent again. */
  MEMORY = newElement()
}

case class ReplyFailed(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val why = ReplyFailure()
}

/** What is counted, one a cycle each. */
case class ReplyEvents() extends Bundle {
  /** A packet was made; it was sent before; its page was looked up for that. */
  val sent, again, looked = Bool()
  val timeout, gap, notReady = Bool()

  /** An answer to what is answered already, was never sent, or nobody has; a syndrome that means nothing. */
  val stale, malformed = Bool()

  /** A packet waits for its queue pair's rate. */
  val held = Bool()
}

/** What is kept of a queue pair's replies. Numbers of packets count from the oldest unanswered one, `unanswered`; those of replies from the oldest. */
private[chain] case class ReplyState(k: ChainConfig) extends Bundle {
  val valid = Bool()

  /** It stands in the queue of those who have something to send. */
  val queued = Bool()
  val unanswered = UInt(24 bits)

  /** Packets of the oldest reply that are answered. */
  val done = UInt(4 bits)

  /** The packet that is sent next, and the one behind all that were ever sent. */
  val next, sent = UInt(6 bits)

  /** Where the replies begin in their ring, and how many there are. */
  val head = UInt(k.replyBits bits)
  val count = UInt(k.replyBits + 1 bits)

  /** Which of them are words, the oldest one first. */
  val words = Bits(k.replies bits)

  /** The reply of packet `next`, and how many of its packets come before. */
  val cursor = UInt(k.replyBits + 1 bits)
  val at = UInt(4 bits)

  /** Timeouts in a row. */
  val retries = UInt(3 bits)

  /** A NAK 0x60 was followed, and nothing has been answered since. */
  val wentBack = Bool()

  /** When silence is too long; when a peer that was not ready is tried again. */
  val waits, pauses = Bool()
  val deadline, ready = UInt(ChainConfig.TIME_BITS bits)

  /** An access to the page of packet `next` goes on: that packet has never been sent, and may be sent at once. */
  val open = Bool()

  /** An access goes on that no packet needs any more: a departure of its own ends it, before anything else is sent. */
  val closes = Bool()

  def hasRest: Bool = cursor =/= count

  /** A page that is posted now is sent at once. */
  def quiet: Bool = valid && !hasRest && next === sent && next < ChainConfig.WINDOW && !pauses && !open && !closes
}

/** Defects that benches plant. No build of a board has one. */
object ReplyFault extends Enumeration {
  val
  /** An answer to what is answered already counts. */
  StaleAccepted,
  /** Numbers are compared without their wrap. */
  NoWrap,
  /** An acknowledge completes one reply, not all before it. */
  OneCompleted,
  /** A NAK 0x60 is followed each time that it comes. */
  GapFollowedTwice,
  /** "Not ready" is no pause. */
  NotReadyIgnored,
  /** "Not ready" pauses a tick too short. */
  PauseShort,
  /** Silence is never too long. */
  RetriesEndless,
  /** Progress does not give the peer its time anew. */
  DeadlineKept,
  /** A repeat is sent from the frame that the page had at first. */
  RepeatKeepsFrame,
  /** The access that a look-up began goes on. */
  LookKept,
  /** An access ends with the first packet of its page. */
  EndsEarly,
  /** The access of a queue pair that has ended goes on. */
  AccessKept,
  /** The access of a page goes on though the window is full. */
  FullKeepsAccess,
  /** The access of a page goes on though what was sent before is to be sent again. */
  BackKeepsAccess,
  /** A page whose access has ended is sent on from the frame that it had. */
  FrameKept,
  /** An access that no packet needs any more ends twice. */
  EndedTwice,
  /** An access that was begun for a page is kept though something has to be sent before it, or the peer is not ready. */
  HeldAnyway,
  /** A rate holds nothing. */
  RateIgnored,
  /** The cap of a new queue pair is as if there were none. */
  CapIgnored,
  /** The access of a page goes on though its rate holds the next packet. */
  RateKeepsAccess,
  /** More packets than the window. */
  WindowIgnored,
  /** A queue pair has room for one reply more than it has. */
  RoomWrong = Value
}
