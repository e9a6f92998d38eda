package mneme.mem

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Cuts spans into AXI bursts, none across a 4 KB border (AXI4, A3.4.1). One burst per cycle. */
class BurstSplitter(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val spans = slave(Stream(Span(c)))
    val bursts = master(Stream(Burst(c)))
  }

  private val active = RegInit(False)
  private val line = Reg(UInt(c.memBits - 6 bits))
  private val left = Reg(UInt(8 bits))

  /** Lines from `line` to the end of its 4 KB block: 1 to 64. */
  private val untilBorder = U(64, 8 bits) - line(5 downto 0)
  private val fits = faults(MemoryFault.NoBurstSplit)(True)(left <= untilBorder)
  private val count = fits ? left | untilBorder

  io.bursts.valid := active
  io.bursts.line := line
  io.bursts.len := count - 1
  io.bursts.last := fits

  io.spans.ready := !active || (io.bursts.ready && fits)
  when(io.bursts.fire) {
    line := line + count
    left := left - count
    active := !fits
  }
  when(io.spans.fire) {
    line := io.spans.address(c.memBits - 1 downto 6)
    left := io.spans.lines
    active := True
  }
}
