package mneme.net

import mneme.wire.Wire
import mneme.{CBoardConfig, CounterEvents}
import spinal.core._
import spinal.lib._

/** Counts 2^16 cycles in which requests were in the pipeline and none left it, those not counted in which one had reason to wait. */
case class Watchdog(c: CBoardConfig) extends Component {
  val io = new Bundle {
    /** A request left dispatch. */
    val entered = in Bool ()
    /** A request's answer has left. */
    val retired = in Bool ()
    /** A page fault waits for a page, which it does for a bounded time. */
    val paused = in Bool ()
    val events = out(CounterEvents())
  }
  // Requests that still hold a packet slot, and those whose answer waits behind the memory stage.
  private val inFlight = Reg(UInt(16 bits)) init 0
  inFlight := inFlight + U(io.entered) - U(io.retired)

  private val silence = Counter(1 << 16)
  when(inFlight === 0 || io.retired)(silence.clear()) elsewhen (!io.paused)(silence.increment())

  io.events := 0
  io.events(Wire.Counter.WATCHDOG) := silence.willOverflow
}
