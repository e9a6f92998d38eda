package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Counts the entries in use, in all and of each source group; above three quarters of all, a group may hold its share and no more.
  *
  * An entry counts from its insertion until its row loses it: at the next lookup of the row, or when the scrubber comes by, after its window.
  */
class FilterShare(c: CBoardConfig, enabled: Bool) extends Area {
  private val groups = 1 << FilterHash.groupBits(c)
  private val share = c.filterEntries / groups
  private val countType = HardType(UInt(log2Up(c.filterEntries + 1) bits))

  /** Groups of an entry that is made, and of one that is lost, in this cycle. */
  val made, lost = Flow(UInt(FilterHash.groupBits(c) bits))

  private def counted(up: Bool, down: Bool): UInt = {
    val count = Reg(countType()) init 0
    when(up =/= down)(count := Mux(up, count + 1, count - 1))
    count
  }
  private val total = counted(made.valid, lost.valid)
  private val perGroup = (0 until groups).map(g => counted(made.valid && made.payload === g, lost.valid && lost.payload === g))

  private val crowded = RegNext(total >= c.filterEntries * 3 / 4) init False
  private val spent = Vec(perGroup.map(count => RegNext(count >= share) init False))

  /** New operations of the group must wait. */
  def refuses(group: UInt): Bool = enabled && crowded && spent(group)
}
