package mneme.vm

import mneme.{Control, Faults}
import mneme.engine.Ordering
import spinal.core._

/** Says whether a token is older than the retry window: its age, tick − time as a signed number, is larger.
  *
  * Two subtractions side by side, for one behind the other is too long: the age itself, and by how much it exceeds the window, which is exact for an
  * age that is not negative.
  */
class RetryWindow(control: Control, planted: Faults[PlantedFault.Value]) extends Area {
  /** The tick that decides. */
  val tick = RegNext(control.tick)
  // tick - window - 1 by one adder.
  private val limit = RegNext(control.tick + ~control.window)
  private val never = RegNext(control.window.msb)

  /** Whether the window has passed, of a token that has one. */
  def passed(ordering: Ordering): Bool = !never && !(tick - ordering.time).msb && !(limit - ordering.time).msb

  /** Whether a token whose window has passed or not is too old. */
  def ends(ordering: Ordering, passed: Bool): Bool =
    planted.choose(PlantedFault.NoWindowCheck, wrong = False, right = passed && ordering.windowed)

  def expired(ordering: Ordering): Bool = ends(ordering, passed(ordering))
}
