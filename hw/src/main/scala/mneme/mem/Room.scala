package mneme.mem

import spinal.core._

/** Counts the beats of room in a queue that bursts are promised.
  *
  * Who leaves and what comes back are known late in a cycle, so both are counted a cycle later, and `fits` is a cycle older still: `margin` has room for the
  * two bursts that may have left meanwhile.
  */
class Room(beats: Int, margin: Int) extends Area {
  private val left = Reg(UInt(log2Up(beats + 1) bits)) init beats
  val fits: Bool = RegNext(left >= margin) init False

  /** `taken` beats are promised now, if `takes`; `returned` beats have come back. */
  def count(takes: Bool, taken: UInt, returned: UInt): Unit = {
    val less = RegNext(taken.andMask(takes)) init 0
    val more = RegNext(returned) init 0
    left := left - less.resized + more.resized
  }
}
