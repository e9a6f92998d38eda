package mneme.vm

import spinal.core.sim._
import scala.collection.mutable

/** Says of each token that was parked whether its answer has to be called slow: in some cycle between its parking and its decision a token of its
  * page waited for a free page, be it the token itself. From the component's inner wires, since nothing outside shows when a token was parked.
  */
class SlowWatch(dut: Translation) {
  private val parked = mutable.Map.empty[Int, Long]
  private val waited = mutable.Map.empty[Int, Long]
  private val slow = mutable.Map.empty[Int, Boolean]

  /** Looks at one cycle. */
  def step(now: Long): Unit = {
    val entries = dut.dry.io.entries.toBigInt
    for (i <- 0 until entries.bitLength if entries.testBit(i)) waited(i) = now
    val resolved = dut.faultUnit.io.resolved
    if (resolved.valid.toBoolean && resolved.ready.toBoolean) {
      val entry = resolved.turn.entry.toBigInt.lowestSetBit
      val place = resolved.turn.place.toInt
      slow(place) = waited.get(entry).exists(_ > parked(place))
    }
    val park = dut.misses.io.park
    if (park.valid.toBoolean) {
      parked(park.place.toInt) = now
      slow.remove(park.place.toInt)
    }
  }

  /** Of the token of this place, which leaves. */
  def expected(place: Int): Boolean = slow.remove(place).getOrElse(false)
}
