package mneme.trailer

import spinal.core._

/** The upper 40 bits of the 64-bit number nearest to `tick` whose low 24 bits are `low`, the earlier of two: the board's own, the next, or the one before. */
object UpperTime {
  def apply(tick: UInt, low: UInt): UInt = {
    require(tick.getWidth == 64 && low.getWidth == 24, s"a tick of ${tick.getWidth} bits and ${low.getWidth} of a time")
    val own = tick(63 downto 24)
    val ahead = low -^ tick(23 downto 0)
    // As a distance on the ring: half of it or more is nearer the other way round; of two as near the earlier one counts.
    val (negative, far) = (ahead(24), ahead(23))
    val before = !negative && far
    val after = negative && !far
    // One adder: of 0, of 1, of -1.
    own + U(40 bits, 0 -> (before || after), default -> before)
  }
}
