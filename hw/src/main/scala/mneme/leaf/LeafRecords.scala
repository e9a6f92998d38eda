package mneme.leaf

import mneme.MemoryBus
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** A run of leaf tables, as `mneme_rdma::node::SegmentConfig` has it. */
case class LeafSegment(l: LeafConfig) extends Bundle {
  val valid, closed = Bool()
  val pid = UInt(24 bits)
  val rights = LeafRights()
  /** The first line of its table. */
  val line = UInt(l.lineBits bits)
  /** Pages; frames that it may have, and that it has, those included that are being filled. */
  val entries, budget, used = UInt(l.countBits bits)

  def lineOf(page: UInt): UInt = line + page(page.high downto 3).resize(l.lineBits)
}

/** A frame that nobody else sees, and whose page it will be. */
case class Filling(l: LeafConfig) extends Bundle {
  val valid = Bool()
  val segment = UInt(l.segmentBits bits)
  val page = UInt(l.countBits bits)
  val frame = UInt(l.frameBits bits)
}

/** What the leaf unit is asked, and says. */
case class LeafPorts(l: LeafConfig, both: Boolean = false) extends Bundle {
  val request = slave Stream (LeafRequest(l))
  val answer = master Stream (LeafAnswer(l))
  /** An access ends, which LOOK began in this epoch. */
  val ends = slave Flow (Bool())
  /** The same, of a unit for two whose accesses may end in the same cycle. */
  val others = both generate slave(Flow(Bool()))
  val mem = master(Axi4(MemoryBus.config(l.c)))
  val events = out(LeafEvents())

  /** Frames that were given; that may be taken; that wait for accesses to end. */
  val total, usable, waiting = out UInt (l.countBits bits)
  /** The ring's memory takes no lines; all entries are in memory. */
  val stuck, clean = out Bool ()

  def tellEnds(epochs: FrameEpochs): Unit = {
    epochs.io.ends << ends
    if (both) epochs.io.others << others
  }
}

/** What the leaf unit is at. */
object LeafState extends SpinalEnum {
  val CLEAN, IDLE, LOAD, RELOAD, LOADED, JUDGE, LINE, SHORT, POP, TAKEN, OLD_READ, OLD_LOAD, OLD_PUSH, OLD_STORE, HIDE, ZERO, ZEROED, UNZEROED, REPLACE, ROOM,
      GATHER, CHANGE, NEXT, WALK, WALKED, PUSH, STORE_RECORD, ANSWER = newElement()
}
