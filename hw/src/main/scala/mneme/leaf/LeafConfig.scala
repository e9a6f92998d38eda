package mneme.leaf

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** What a leaf unit holds: tables of 8 bytes a page for pages of 4 KB (*frames*), and the ring of free frames. The golden model is `mneme_rdma::node`. */
case class LeafConfig(
    c: CBoardConfig,
    segments: Int = 256,
    /** Who may fill a frame that nobody else sees, one each: queue pairs. */
    fillers: Int = 1024,
    /** Lines of eight entries that are kept. */
    lines: Int = 64,
    /** Lines of eight free frames before the ring in memory, and behind it. */
    ahead: Int = 8
) {
  for ((name, count) <- Seq("segments" -> segments, "fillers" -> fillers, "lines" -> lines, "ahead" -> ahead))
    require(count >= 2 && Integer.bitCount(count) == 1, s"$name: a power of two from 2 on is needed, not $count")
  val frameBits: Int = c.memBits - LeafConfig.FRAME_LOG2
  val lineBits: Int = c.memBits - 6
  require(lineBits > log2Up(lines), s"lines: $lines lines are all of the memory")
  /** Of a number of pages, entries or frames: a segment may have more pages than there are frames. */
  val countBits: Int = frameBits + 2
  val segmentBits: Int = log2Up(segments)
  val fillerBits: Int = log2Up(fillers)
  /** Leaf tables, one for each board page that may be split: twice as many as board pages. */
  val tableBits: Int = c.memBits - c.pageBits + 1
}

object LeafConfig {
  /** That of a board. With chains their queue pairs are the fillers, by place. Accesses of others never fill a frame that nobody sees ([[SplitAccess]]), and
    * need none.
    */
  def board(c: CBoardConfig): LeafConfig = LeafConfig(c, fillers = if (c.chains > 0) c.chains else c.rdma)

  /** Bytes of a frame. */
  val FRAME_LOG2 = 12
  /** Entries of a line: eight of 8 bytes. */
  val LANES = 8
}

/** Eight frames, as entries of a table or elements of the ring; 0: none. In memory each is its address in 8 bytes, big-endian, the low 12 bits masked. */
object FrameLine {
  def apply(l: LeafConfig): Vec[UInt] = Vec.fill(LeafConfig.LANES)(UInt(l.frameBits bits))
  def read(l: LeafConfig, beat: Bits): Vec[UInt] =
    Vec(beat.subdivideIn(64 bits).map(word => EndiannessSwap(word)(LeafConfig.FRAME_LOG2, l.frameBits bits).asUInt))
  def beat(frames: Vec[UInt]): Bits =
    Cat(frames.map(frame => EndiannessSwap((frame @@ U(0, LeafConfig.FRAME_LOG2 bits)).resize(64 bits).asBits)))
}

/** What the leaf unit is asked for. Names and order of refusals are those of `mneme_rdma::node::{door, leaf}`. */
object LeafOperation extends SpinalEnum {
  val
  /** The frame of a page, if it has one and `rights` are allowed. `begins`: an access, which lasts until its epoch comes back at `ends`. */
  LOOK,
  /** Whether `rights` are allowed in all of `pages`; no memory is accessed. */
  CHECK,
  /** The frame that a store to a page goes to. */
  STORE,
  /** What `filler` has filled is the page's from now on; the frame that the page had goes back. */
  PUBLISH,
  /** What `filler` fills goes back. */
  GIVE_UP,
  /** `pages` from `page` on have no frame any more. */
  FREE,
  // --- The slow path's.
  /** A segment of `pages` entries at `line`, with a budget of `page` frames; all its entries are zero. */
  CREATE, SET_RIGHTS,
  /** Nobody may access the segment; what is being filled for it goes back. */
  CLOSE,
  /** The last `pages` entries of a closed segment are no more, and with the last one the segment. */
  SWEEP,
  /** `pages` frames from `page` on are free. */
  PUSH,
  /** The oldest free frame is the slow path's. */
  POP,
  /** The ring lies at `line`, and has `page` + 1 lines, a power of two; it begins at a multiple of its length. */
  RING,
  /** How many frames the segment has. */
  USED = newElement()
}

/** How an operation has ended. */
object LeafStatus extends SpinalEnum {
  val DONE,
  /** The page has no frame: READs give zeros, chains refuse. */
  UNMAPPED,
  /** No such segment of the process. */
  UNKNOWN,
  /** Not inside the segment. */
  OUTSIDE, RIGHT,
  /** No frame can be had now. */
  BUDGET_SPENT, RING_EMPTY,
  /** Memory has failed: nothing was done, but for `count`. */
  FAILED,
  /** The filler fills nothing. */
  NOTHING,
  /** CREATE: it exists. SWEEP: it is not closed. RING: frames are in use. */
  TAKEN,
  /** No entries; no frames of memory. */
  BAD_RANGE,
  /** The ring has no room for so many. */
  FULL = newElement()
}

/** What may be done with pages. */
case class LeafRights() extends Bundle {
  val read, write, atomic = Bool()
}

case class LeafRequest(l: LeafConfig) extends Bundle {
  val operation = LeafOperation()
  val segment = UInt(l.segmentBits bits)
  val pid = UInt(24 bits)
  val rights = LeafRights()
  val page, pages = UInt(l.countBits bits)
  /** LOOK: an access begins. */
  val begins = Bool()
  /** STORE: it begins with the page's first byte; it has all of the page; so many frames must be there beside its own. */
  val first, whole, also = Bool()
  val filler = UInt(l.fillerBits bits)
  val line = UInt(l.lineBits bits)

  /** It is about `pages` pages, not one. */
  def hasRange: Bool = Seq(LeafOperation.FREE, LeafOperation.CHECK, LeafOperation.PUSH).map(operation === _).reduce(_ || _)
}

case class LeafAnswer(l: LeafConfig) extends Bundle {
  val status = LeafStatus()
  val frame = UInt(l.frameBits bits)
  /** STORE: nobody else sees the frame until PUBLISH. */
  val hidden = Bool()
  /** LOOK: the access that has begun ends by it. */
  val epoch = Bool()
  /** FREE: frames that went back. SWEEP: entries that are left. PUSH: frames that came. USED: frames. */
  val count = UInt(l.countBits bits)
}

/** What is counted, one a cycle each. */
case class LeafEvents() extends Bundle {
  /** An operation of segments ended so. */
  val right, outside, unmapped, ringEmpty, budgetSpent = Bool()
  /** A frame was taken from the ring for a page; a page's went back. */
  val taken, freed = Bool()
  /** An access to memory failed; a line of eight free frames was lost thereby. */
  val memoryError, lineLost = Bool()
}

/** Defects that benches and proofs plant. No build of a board has one. */
object LeafFault extends Enumeration {
  val
  /** A freed frame may be taken though an access that began before goes on. */
  FreedAtOnce,
  /** Epochs change places though frames of the one before wait. */
  EpochsCollide,
  /** A line of the ring is written where the last one was. */
  RingOverwrites,
  /** A line that memory did not take is forgotten. */
  RefusedLineForgotten,
  /** Frames pass those that lie in memory. */
  RingOvertakes,
  /** A page's entry stays when its frame goes back. */
  EntryKept,
  /** A filler's frame stays with it when another one is taken. */
  HiddenKept,
  /** An entry that memory did not take makes room for others. */
  RefusedEntryDropped,
  /** More frames than the budget. */
  BudgetIgnored,
  /** The frame of a partial store is not zeroed. */
  NotZeroed = Value
}
