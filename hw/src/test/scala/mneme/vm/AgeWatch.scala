package mneme.vm

import spinal.core._
import spinal.core.sim._
import scala.collection.mutable

/** Sees to it that no hit leaves ahead of a request that entered before it and has come back from its walk. From the component's inner wires, since
  * nothing outside shows when a walk has ended.
  */
class AgeWatch(dut: Translation, complain: String => Unit) {
  private val entered = mutable.Map.empty[Int, Long]
  private var entries = 0L

  /** Requests after which a count of [[Age]] has come round so far that who waited may be taken for a later one. */
  private val told = 3L << dut.c.placeBits

  /** Looks at one cycle. */
  def step(): Unit = {
    if (dut.check.valid.toBoolean && dut.check.ready.toBoolean && dut.resumed.valid.toBoolean && dut.check.needed.toBoolean) {
      val hit = entered(dut.check.ticket.place.toInt)
      val parked = entered(dut.resumed.resolved.turn.place.toInt)
      val waited = hit - parked
      if (waited > 0 && waited <= told) complain(s"a hit goes ahead of a request that entered $waited requests before it")
    }
    val in = dut.io.tickets
    if (in.valid.toBoolean && in.ready.toBoolean) {
      entries += 1
      entered(in.place.toInt) = entries
    }
  }
}
