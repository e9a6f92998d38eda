package mneme.filter

import spinal.core._

/** Walks all entries for ever and frees those that are neither live nor pending, so that none survives a wrap of the tick and comes
  * alive again; after reset it frees every entry in one pass.
  *
  * It borrows the banks' read port in cycles when the filter looks nothing up, and looks at one entry per 8 cycles at most. An entry read in cycle t
  * is written in t + 2. The filter's own earliest write after such a cycle is in t + 3, and updates end pending entries alone: so nobody
  * changes the entry in between.
  */
class FilterScrubber(addressBits: Int, enabled: Bool) extends Area {
  /** The read port is free. */
  val mayRead = Bool()
  /** Per bank: the entry that was read a cycle ago is to be freed. */
  val dead = Vec.fill(2)(Bool())

  private val clearing = RegInit(True)
  private val bank = RegInit(U(0, 1 bits))
  private val pause = RegInit(U(0, 3 bits))
  /** The entry in hand. */
  val address = RegInit(U(0, addressBits bits))

  private val reading = mayRead && !clearing && pause === 0 && enabled
  private val judging = RegNext(reading) init False
  /** An entry is being freed. */
  val freed: Bool = RegNext(judging && dead(bank)) init False
  /** The first pass is over. */
  val cleared: Bool = !clearing
  /** Per bank: `address` is being written free. */
  val writing: Vec[Bool] = Vec((0 to 1).map(i => clearing || (freed && bank === i)))

  private val next = RegNext(judging) init False
  when(clearing || (next && bank === 1))(address := address + 1)
  when(next)(bank := bank + 1)
  when(clearing && address.andR)(clearing := False)
  when(reading || pause =/= 0)(pause := pause + 1)
}
