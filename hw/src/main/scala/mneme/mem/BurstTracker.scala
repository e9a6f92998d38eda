package mneme.mem

import spinal.core._
import spinal.lib._

/** Joins the ends of bursts to the end of their span.
  *
  * Bursts of one AXI id end in the order in which they were sent, so a queue of one bit per burst ("last of its span") is all that is needed.
  */
class BurstTracker(faults: FaultSwitches) extends Component {
  val io = new Bundle {
    /** A burst is sent; the payload tells whether it is its span's last one. The sender looks at ready before it offers the burst to memory, so that AXI valid never hangs on it. */
    val sent = slave(Stream(Bool()))
    /** A burst has ended. `error`: one of its beats, or its acknowledgement, was not OKAY. */
    val ended = slave(Flow(Bool()))
    /** A span has ended, with an error in any of its bursts; the cycle of its last burst's end. */
    val done = master(Flow(Bool()))
  }

  private val queue = StreamFifo(Bool(), MemoryAccess.bursts, latency = 1)
  queue.io.push << io.sent
  queue.io.pop.ready := io.ended.valid

  private val earlier = RegInit(False)
  private val error = faults(MemoryFault.ErrorIgnored)(False)(earlier || io.ended.payload)
  when(io.ended.valid) {
    earlier := error && !queue.io.pop.payload
  }
  io.done.valid := io.ended.valid && queue.io.pop.valid && queue.io.pop.payload
  io.done.payload := error
}
