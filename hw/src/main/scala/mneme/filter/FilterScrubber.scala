package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** An entry whose window is over: it leaves its row, or stays there until its operation has ended. */
case class FilterLeave(c: CBoardConfig) extends Bundle {
  val entry = new FilterUsed(c)
  val stays = Bool()
}

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
class FilterScrubber(c: CBoardConfig, planted: Faults[FilterFault.Value]) extends Component {
  private val entryBits = FilterMemory.entryBits(c)

  val io = new Bundle {
    /** The oldest time that is inside the window. */
    val oldest = in UInt (24 bits)
    /** A new entry; it takes the write ports of row and order. */
    val made = slave(Flow(FilterAged(c)))
    /** The entry that the judge may open again. */
    val guarded = slave(Flow(UInt(entryBits bits)))
    /** The entry whose end is wanted; the judge may take the read port. */
    val ask = master(Stream(UInt(entryBits bits)))
    /** The operation of the entry that was asked for a cycle ago is pending. */
    val pending = in Bool ()
    val age = master(FilterMemory.ageRead(c))
    val ageWrite = master(Flow(FilterMemory.ageWrite(c)))
    /** The write of its row, when there is no new entry. */
    val leaves = master(Flow(FilterLeave(c)))
    /** Rows are being freed: this one. */
    val booting = out Bool ()
    val bootRow = out UInt (FilterMemory.rowBits(c) bits)
    /** Entries in use, but for those on their way out. */
    val inUse = out UInt (entryBits + 1 bits)
  }

  private val push, pop = Reg(UInt(entryBits + 1 bits)) init 0
  private val booting = RegInit(True)
  io.booting := booting
  io.bootRow := pop.resize(FilterMemory.rowBits(c))
  when(booting)(booting := !io.bootRow.andR)
  io.inUse := push - pop

  /** The entry on its way out; its end comes in this cycle; it stays in its row. */
  private val victim = Reg(new FilterUsed(c))
  private val present, fresh = RegInit(False)
  private val stays = Reg(Bool())
  private def isGuarded(entry: UInt): Bool = io.guarded.valid && io.guarded.payload === entry
  private val acts = present && !fresh && !io.made.valid

  // --- The oldest entry.
  io.age.address := pop.resized
  private val shown = RegInit(False)
  private val oldest = io.age.data
  private val over = planted.choose(FilterFault.NoScrub, wrong = False, right = oldest.late || FilterClock.ended(oldest.time, io.oldest))
  io.ask.valid := shown && over && (!present || acts)
  io.ask.payload := oldest.entry
  private val takes = io.ask.fire
  shown := push =/= pop && !takes && !booting
  when(takes)(victim.assignSomeByName(oldest))
  fresh := takes
  present := takes || (present && !acts)

  // --- It leaves, or it stays: a write of its row either way.
  private val meets = isGuarded(victim.entry)
  when(fresh) {
    stays := stays || meets || io.pending
  } elsewhen (takes) {
    stays := isGuarded(oldest.entry)
  }
  io.leaves.valid := acts
  io.leaves.entry := victim
  io.leaves.stays := stays || meets

  private val again = acts && io.leaves.stays
  when(io.made.valid || again || booting)(push := push + 1)
  when(takes || booting)(pop := pop + 1)
  io.ageWrite.valid := io.made.valid || again
  io.ageWrite.address := push.resized
  io.ageWrite.data := io.made.payload
  when(again) {
    io.ageWrite.data.assignSomeByName(victim)
    io.ageWrite.data.late := True
  }
}
