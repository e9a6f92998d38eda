package mneme.filter

import mneme.CBoardConfig
import spinal.core._

/** Walks all sets for ever: a lookup that looks for nothing takes entries out of the rows that are past their window, so that none survives a wrap
  * of the tick and comes alive again. After reset it frees every entry in one pass.
  *
  * It asks for a lookup every 4 cycles while the filter has nothing to do, and insists after 256. A lookup frees one entry per row; the walk
  * stays at a set until there is none left.
  */
class FilterScrubber(c: CBoardConfig) extends Area {
  /** A real request does not want the lookup. */
  val idle = Bool()
  /** The walk's lookup begins; its rows had nothing to free. */
  val taken = Bool()
  val clean = Bool()

  private val clearing = RegInit(True)
  private val clearRow = Reg(UInt(c.filterSetsLog2 + 1 bits)) init 0
  /** The first pass is not over; `clearRow` is being freed. */
  def booting: Bool = clearing
  def bootRow: UInt = clearRow
  when(clearing) {
    clearRow := clearRow + 1
    clearing := !clearRow.andR
  }

  /** The set to look at. */
  val set = Reg(UInt(c.filterSetsLog2 bits)) init 0
  when(clean)(set := set + 1)

  private val waited = Reg(UInt(8 bits)) init 0
  /** The walk's turn comes before requests. */
  val insists: Bool = waited.andR
  /** The walk wants a lookup in this cycle. */
  val wants: Bool = insists || (idle && waited >= 3)
  when(taken)(waited := 0) elsewhen (!insists)(waited := waited + 1)
}
