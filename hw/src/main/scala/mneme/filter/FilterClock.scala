package mneme.filter

import mneme.Control
import spinal.core._

/** The time by which the filter decides: that of a cycle ago, the same for all of its parts. */
case class FilterClock() extends Bundle {
  val tick = UInt(24 bits)
  /** The oldest time that is inside the window. */
  val oldest = UInt(24 bits)
  val window = UInt(24 bits)

  /** Whether the window of an entry that was live once is over. One subtraction: an entry is retired long before half the tick's range has passed. */
  def ended(time: UInt): Bool = FilterClock.ended(time, oldest)

  /** Whether a request's time, which may be any, is too old, and too far ahead (contracts §2, step 2). */
  def outside(time: UInt): (Bool, Bool) = {
    val age = tick - time
    val tooOld = !age.msb && age > window
    val tooEarly = age.msb && (~age).dropHigh(1).asUInt >= (window |>> 2).resize(23)
    (tooOld, tooEarly)
  }
}

object FilterClock {
  /** The sign of the difference; a comparison takes fewer look-up tables than its other bits. */
  def ended(time: UInt, oldest: UInt): Bool = time.msb ^ oldest.msb ^ (time.dropHigh(1).asUInt < oldest.dropHigh(1).asUInt)

  /** The clock that follows a board's tick. */
  def of(control: Control): FilterClock = {
    val clock = FilterClock()
    clock.tick.setAsReg() := control.tick
    clock.oldest.setAsReg() := control.tick - control.window
    clock.window := control.window
    clock
  }
}
