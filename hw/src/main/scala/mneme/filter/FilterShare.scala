package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Counts the entries of each source group; above three quarters of all in use, a group may hold its share and no more.
  *
  * An entry counts from its insertion until it is retired, and no two of these happen in one cycle.
  */
class FilterShare(c: CBoardConfig, enabled: Bool) extends Area {
  private val groupBits = FilterHash.groupBits(c)
  private val groups = 1 << groupBits
  private val share = c.filterEntries / groups

  /** An entry of the group is made or lost. */
  val changes = Flow(UInt(groupBits bits))
  val made = Bool()
  /** Entries in use. */
  val inUse = UInt(FilterMemory.entryBits(c) + 1 bits)
  /** Forgets the counts of one group after the other. */
  val booting = Bool()

  private val counts = Mem(UInt(log2Up(c.filterEntries + 1) bits), groups).addAttribute("ram_style", "distributed")
  // A cycle late: the verdict has a long way behind it.
  private val change = changes.stage()
  private val clears = RegNext(booting) init True
  private val before = counts.readAsync(change.payload)
  private val after = RegNext(made) ? (before + 1) | (before - 1)
  counts.write(change.payload, clears ? U(0) | after, enable = change.valid || clears)

  private val crowded = RegNext(inUse >= c.filterEntries * 3 / 4) init False
  private val spent = Reg(Bits(groups bits)) init 0
  when(change.valid)(spent(change.payload) := after >= share)

  /** New operations of the group must wait. */
  def refuses(group: UInt): Bool = enabled && crowded && spent(group)
}
