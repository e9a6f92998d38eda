package mneme.mem

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** A burst that has started, for its end. */
case class SentBurst(c: CBoardConfig) extends Bundle {
  val place = UInt(log2Up(c.burstPlaces) bits)
  val owner = Owner(c)
  /** The last burst of its access. */
  val last = Bool()
}

/** Joins the ends of bursts to the end of their access.
  *
  * Bursts of one AXI id end in the order in which they were sent, so a queue is all that is needed. Each has a place, so it never overflows.
  */
class BurstTracker(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    val sent = slave(Flow(SentBurst(c)))
    /** A burst has ended; true: one of its beats, or its acknowledgement, was not OKAY. */
    val ended = slave(Flow(Bool()))
    /** An access has ended, with an error in any of its bursts; the cycle of its last burst's end. */
    val done = master(Flow(AccessEnd(c)))
    /** The place of each burst that has ended. */
    val freed = master(Flow(UInt(log2Up(c.burstPlaces) bits)))
  }

  private val oldest = io.sent.toStream.lutQueue(c.burstPlaces)
  oldest.ready := io.ended.valid

  private val earlier = RegInit(False)
  private val error = faults.choose(MemoryFault.ErrorIgnored, wrong = False, right = earlier || io.ended.payload)
  when(io.ended.valid) {
    earlier := error && !oldest.last
  }
  io.freed.valid := io.ended.valid
  io.freed.payload := oldest.place
  io.done.valid := io.ended.valid && oldest.last
  io.done.owner := oldest.owner
  io.done.error := error
}
