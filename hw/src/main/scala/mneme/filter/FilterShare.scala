package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** An entry comes into use, or leaves it. */
case class FilterChange(c: CBoardConfig) extends Bundle {
  val group = UInt(FilterHash.groupBits(c) bits)
  /** It comes. */
  val made = Bool()
}

/** Counts the entries of each source group; above three quarters of all in use, a group may hold its share and no more.
  *
  * A group that has its share and is not alone in the filter leaves the last free way of each row to the others: else it would fill some rows, however
  * few entries it may have altogether, and others' operations that meet two of them would wait for its windows.
  *
  * An entry counts from its insertion until it is retired, and no two of these happen in one cycle.
  */
class FilterShare(c: CBoardConfig, planted: Faults[FilterFault.Value]) extends Component {
  private val groupBits = FilterHash.groupBits(c)
  private val groups = 1 << groupBits
  private val share = c.filterEntries / groups

  val io = new Bundle {
    val changes = slave(Flow(FilterChange(c)))
    /** The counts of one group after the other are forgotten: of `changes.group`. */
    val booting = in Bool ()
    /** Entries in use. */
    val inUse = in UInt (FilterMemory.entryBits(c) + 1 bits)
    /** New operations of this group must wait; told in the same cycle. */
    val group = in UInt (groupBits bits)
    val refuses = out Bool ()
    /** It must leave a way of each row free; told in the same cycle. */
    val yields = out Bool ()
  }

  private val counts = Mem(UInt(log2Up(c.filterEntries + 1) bits), groups).addAttribute("ram_style", "distributed")
  // A cycle late: the verdict has a long way behind it.
  private val change = io.changes.stage()
  private val clears = RegNext(io.booting) init True
  private val before = counts.readAsync(change.group)
  // One adder: of 1, or of all ones.
  private val after = before + (change.made ? U(1, before.getWidth bits) | U(before.getWidth bits, default -> true))
  counts.write(change.group, clears ? U(0) | after, enable = change.valid || clears)

  private val crowded = RegNext(io.inUse >= c.filterEntries * 3 / 4) init False
  private val spent = Reg(Bits(groups bits)) init 0
  when(change.valid)(spent(change.group) := after >= share)

  private val enabled = planted.choose(FilterFault.NoShare, wrong = False, right = True)
  io.refuses := enabled && crowded && spent(io.group)

  private val present = Reg(Bits(groups bits)) init 0
  when(change.valid)(present(change.group) := after =/= 0)
  // A cycle late: who comes first has room anyway.
  private val several = RegNext(CountOne(present) > 1) init False
  private val leaves = planted.choose(FilterFault.RowsFilled, wrong = False, right = True)
  // Who yields the only way of a row would have nothing.
  io.yields := Bool(c.filterWays > 1) && enabled && leaves && several && spent(io.group)
}
