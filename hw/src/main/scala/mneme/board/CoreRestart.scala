package mneme.board

import mneme.Faults
import mneme.net.FrameBeat
import spinal.core._
import spinal.lib._

/** Resets the core alone, when the daemon says so (CORE_RESET, `docs/reference/device.md` §4). Frames at its network ports are whole for both sides, wherever
  * the reset cuts into them.
  *
  * It belongs into the reset of what stands around the core, and `resets` becomes the core's reset one cycle later.
  */
case class CoreRestart(cycles: Int = 16, faults: Faults[RestartFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val start = in Bool ()
    /** As a register of it is made the core's reset; until it has left that, too. */
    val resets, busy = out Bool ()
    val fromPort, fromCore = slave(Stream(FrameBeat()))
    val toCore, toPort = master(Stream(FrameBeat()))
  }
  private val left = Reg(UInt(log2Up(cycles + 1) bits)) init 0
  when(left =/= 0)(left := left - 1)
  when(io.start && left === 0)(left := cycles)
  io.resets := left =/= 0
  /** The core is in reset; in its first cycle it still looks at what is offered. */
  private val core = RegNext(io.resets) init False
  private val closed = io.resets || core
  io.busy := closed

  /** To the core: what begins while it is in reset, and the rest of what had begun before, is dropped. */
  val entry = new Area {
    val inside, skips = RegInit(False)
    io.toCore.valid := io.fromPort.valid && !closed && !skips
    io.toCore.payload := io.fromPort.payload
    io.fromPort.ready := closed || skips || io.toCore.ready
    private val ends = io.fromPort.fire && io.fromPort.last
    when(io.fromPort.fire)(inside := !io.fromPort.last)
    when(ends) {
      skips := False
    } elsewhen (closed && (inside || io.fromPort.fire)) {
      skips := faults.choose(RestartFault.TailBegins, False, True)
    }
  }

  /** From the core: what a reset cuts off is ended as a damaged frame, which nobody believes. */
  val exit = new Area {
    val inside, ending = RegInit(False)
    io.toPort.valid := ending || (io.fromCore.valid && !closed)
    io.toPort.payload := io.fromCore.payload
    io.fromCore.ready := io.toPort.ready && !ending && !closed
    when(ending) {
      io.toPort.keep := 1
      io.toPort.last := True
      io.toPort.user := faults.choose(RestartFault.CutIsWhole, B(0, 1 bits), B(1, 1 bits))
    }
    when(io.toPort.fire)(inside := !io.toPort.last)
    when(closed && inside && !io.toPort.fire)(ending := faults.choose(RestartFault.CutStaysOpen, False, True))
    when(ending && io.toPort.fire)(ending := False)
  }
}

/** Defects that a proof plants. */
object RestartFault extends Enumeration {
  /** The rest of a frame that the reset cut into comes to the core as one of its own. */
  val TailBegins = Value
  /** What is left of a frame that was cut off is not marked as damaged. */
  val CutIsWhole = Value
  /** A frame that was cut off is not ended: the next one becomes part of it. */
  val CutStaysOpen = Value
}
