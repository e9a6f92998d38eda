package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** Frees entries past their windows in the order in which they were made, so that none survives a wrap of the tick and comes alive again.
  * After reset it frees every row in one pass.
  *
  * {{{
  * cycle 0  the oldest entry is known, and its window is over: the end of its operation is asked for
  *       1  it comes; the next entry is asked for
  *       2  the row forgets the entry                              (the next one's cycle 0)
  * }}}
  *
  * An entry whose operation is still pending then goes to the end of the order, marked as late, and its row marks it as not live.
  */
class FilterScrubber(c: CBoardConfig, memory: FilterMemory, clock: FilterClock, planted: Faults[FilterFault.Value]) extends Area {
  private val entryBits = FilterMemory.entryBits(c)

  /** A new entry takes the write ports of row and order; the judge may take the read port of ends. */
  val made = Flow(FilterAged(c))
  val readBusy = Bool()
  /** The entry that the judge may open again. */
  val guarded = Flow(UInt(entryBits bits))

  private val push, pop = Reg(UInt(entryBits + 1 bits)) init 0
  /** Rows are being freed. */
  val booting = RegInit(True)
  val bootRow: UInt = pop.resize(c.filterSetsLog2 + 1)
  when(booting)(booting := !bootRow.andR)

  /** Entries in use, but for those on their way out. */
  val inUse: UInt = push - pop

  private val acts = Bool()
  private val victim = Reg(FilterAged(c))
  private val present, fresh = RegInit(False)
  private val stays = Reg(Bool())
  private def isGuarded(entry: UInt): Bool = guarded.valid && guarded.payload === entry

  // --- The oldest entry.
  memory.readAge := pop.resized
  private val shown = RegInit(False)
  private val oldest = memory.age
  private val over = planted.choose(FilterFault.NoScrub, wrong = False, right = oldest.late || clock.ended(oldest.time))
  private val takes = shown && over && !readBusy && (!present || acts)
  shown := push =/= pop && !takes && !booting
  val readEntry: UInt = oldest.entry
  when(takes) {
    victim := oldest
    stays := isGuarded(oldest.entry)
  }
  fresh := takes
  present := takes || (present && !acts)

  // --- It leaves, or it stays: a write of its row either way.
  private val meets = isGuarded(victim.entry)
  when(fresh)(stays := stays || meets || memory.end.pending)
  acts := present && !fresh && !made.valid
  /** The row's write, when there is no new entry. */
  val leaves = FilterLeave(c)
  leaves.valid := acts
  leaves.entry := victim
  leaves.stays := stays || meets

  when(made.valid || (acts && leaves.stays) || booting)(push := push + 1)
  when(takes || booting)(pop := pop + 1)
  memory.ageWrite.valid := made.valid || (acts && leaves.stays)
  memory.ageWrite.entry := push.resized
  memory.ageWrite.data := made.valid ? made.payload | victim
  when(!made.valid)(memory.ageWrite.data.late := True)
}

/** An entry whose window is over: it leaves its row, or stays there until its operation has ended. */
case class FilterLeave(c: CBoardConfig) extends Bundle {
  val valid = Bool()
  val entry = FilterAged(c)
  val stays = Bool()
}
