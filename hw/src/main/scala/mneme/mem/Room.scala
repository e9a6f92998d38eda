package mneme.mem

import spinal.core._

/** Counts the beats of room in a queue that bursts are promised.
  *
  * `fits` is a cycle old, and so is what has come back: both are known late in a cycle. `margin` has room for a burst that left when this was found out.
  */
class Room(beats: Int, margin: Int) extends Area {
  private val left = Reg(UInt(log2Up(beats + 1) bits)) init beats
  val fits: Bool = RegNext(left >= margin) init False

  /** `taken` beats are promised now; `returned` beats have come back. */
  def count(takes: Bool, taken: UInt, returned: UInt): Unit = {
    val back = RegNext(returned) init 0
    // Whether a burst leaves is known late, which therefore only chooses between two sums.
    val kept = left + back.resized
    val less = left - taken.resized + back.resized
    left := takes ? less | kept
  }
}
