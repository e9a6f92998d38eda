package mneme.vm

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._

/** What each group of service classes may take of the TLB (docs/reference/classes.md). Only what the board has: no ways are all. */
case class ShareSettings(c: CBoardConfig) extends Bundle {

  /** The group of each class. */
  val groups = Vec(UInt(ShareGroup.bits bits), ShareGroup.classes)

  /** Ways of each set that pages of a group may take. */
  val ways = Vec(Bits(c.tlbWays bits), ShareGroup.count)
}

object ShareGroup {
  val count: Int = Wire.SHARE_GROUPS
  val bits: Int = log2Up(count)
  val classes: Int = 1 << Wire.CLASS_BITS

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
  when(changes) {
    pending := commit
    groups := written.groups
    for ((share, wanted) <- ways.zip(written.ways)) share := orAll(wanted)
  }

  /** The group of a page. */
  def of(tag: Bits): UInt = groups(ShareGroup.classOf(tag))
}
