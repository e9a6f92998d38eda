package mneme.filter

import mneme.Control
import spinal.core._

/** Ages by the tick of a cycle ago: one clock for all that decides by time. */
class FilterClock(control: Control) extends Area {
  val tick = RegNext(control.tick)
  /** The oldest time that is inside the window. */
  private val oldest = RegNext(control.tick - control.window)

  /** Whether the window of an entry that was live once is over. One subtraction: an entry is retired long before half the tick's range has passed. */
  def ended(time: UInt): Bool = (time - oldest).msb

  /** Whether a request's time, which may be any, is too old, and too far ahead (contracts §2, step 2). */
  def outside(time: UInt): (Bool, Bool) = {
    val age = tick - time
    val tooOld = !age.msb && age > control.window
    val tooEarly = age.msb && (age + (control.window |>> 2)).msb
    (tooOld, tooEarly)
  }
}
