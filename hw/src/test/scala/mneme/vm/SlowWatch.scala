package mneme.vm

import spinal.core.sim._
import scala.collection.mutable

/** Says of each request that was parked whether its answer has to be called slow: in some cycle between its parking and its decision a request of its
  * page waited for a free page, be it the request itself. From the component's inner wires, since nothing outside shows when a request was parked.
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
      val slot = resolved.turn.slot.toInt
      slow(slot) = waited.get(entry).exists(_ > parked(slot))
    }
    val park = dut.misses.io.park
    if (park.valid.toBoolean) {
      parked(park.slot.toInt) = now
      slow.remove(park.slot.toInt)
    }
  }

  /** Of the request in this slot, which leaves. */
  def expected(slot: Int): Boolean = slow.remove(slot).getOrElse(false)
}
