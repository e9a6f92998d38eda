package mneme.vm

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._

/** What each group of service classes may take of the TLB and of its misses (docs/reference/classes.md). Only what the board has: none is all. */
case class ShareSettings(c: CBoardConfig) extends Bundle {

  /** The group of each class. */
  val groups = Vec(UInt(ShareGroup.bits bits), ShareGroup.classes)

  /** Ways of each set that pages of a group may take. */
  val ways = Vec(Bits(c.tlbWays bits), ShareGroup.count)

  /** Miss entries that pages of a group may take: of boards whose misses wait in lists. */
  val misses = c.waitingLists generate Vec(Bits(c.misses bits), ShareGroup.count)

  /** Tokens of a group that may wait for a miss entry; 0: as many as come. */
  val waiting = c.waitingLists generate Vec(UInt(8 bits), ShareGroup.count)

  /** Free pages that are kept for first touches of a group. */
  val pages = Vec(UInt(8 bits), ShareGroup.count)
}

object ShareGroup {
  val count: Int = Wire.SHARE_GROUPS
  val bits: Int = log2Up(count)
  val classes: Int = 1 << Wire.CLASS_BITS

  /** The bit of a share of eighths that tells of one of `n`: of two the first is in the first eighth, and the second in the fifth. */
  def eighth(i: Int, n: Int): Int = i * 8 / n

  /** The class of a page: the process id is the tag's upper part. */
  def classOf(tag: Bits): UInt = tag.takeHigh(Wire.CLASS_BITS).asUInt
}

/** The shares in force. New ones wait until nobody is left in the stages and lists of translation, and meanwhile no token enters: so all tokens of a page
  * meet the same shares, and keep their order.
  *
  * With new shares the TLB forgets everything. Entries in ways that are not their group's any more would be right, but who still hits them, and whose
  * fill ends that, would tell groups of each other.
  */
case class Shares(c: CBoardConfig, planted: Faults[PlantedFault.Value]) extends Area {
  val written = ShareSettings(c)

  /** New ones are written whole. */
  val commit = Bool()

  /** Nobody is in the stages, or waits in a list. */
  val quiet = Bool()

  /** New shares wait: no token may enter. */
  val pending = RegInit(False) setWhen commit

  /** The TLB forgets everything. */
  val changes: Bool = pending && quiet

  private def all(width: Int): Bits = B((BigInt(1) << width) - 1, width bits)
  private def orAll(share: Bits): Bits = Mux(share.orR, share, all(widthOf(share)))

  val groups = Vec.fill(ShareGroup.classes)(Reg(UInt(ShareGroup.bits bits)) init 0)
  val ways = Vec.fill(ShareGroup.count)(Reg(Bits(c.tlbWays bits)) init all(c.tlbWays))
  val misses = c.waitingLists generate Vec.fill(ShareGroup.count)(Reg(Bits(c.misses bits)) init all(c.misses))

  val waiting = c.waitingLists generate Vec.fill(ShareGroup.count)(Reg(UInt(8 bits)) init 0)

  val pages = Vec.fill(ShareGroup.count)(Reg(UInt(8 bits)) init 0)

  /** Some class has a group of its own, so lists are of groups. */
  val parted = RegInit(False)

  /** Entries that keep what memory did not take, and that nobody else can have. */
  val pinned = Bits(c.misses bits)

  /** The miss entries that a group may take: all, where all of its own are pinned, so that it waits for nobody's repair. */
  val entries: Vec[Bits] = Vec((0 until ShareGroup.count).map { group =>
    if (c.waitingLists) RegNext(Mux((misses(group) & ~pinned).orR, misses(group), all(c.misses))) init all(c.misses) else all(c.misses)
  })

  /** Some group may not take all miss entries. */
  val restricted: Bool = if (c.waitingLists) RegNext(!misses.map(_.andR).reduce(_ && _)) init False else False
  when(changes) {
    pending := commit
    parted := Bool(c.waitingLists) && written.groups.map(_.orR).reduce(_ || _)
    if (c.waitingLists) {
      for ((share, wanted) <- misses.zip(written.misses)) share := orAll(wanted)
      waiting := written.waiting
    }
    groups := written.groups
    pages := written.pages
    for ((share, wanted) <- ways.zip(written.ways)) share := orAll(wanted)
  }

  /** The group of a page. */
  def of(tag: Bits): UInt = groups(ShareGroup.classOf(tag))
}
