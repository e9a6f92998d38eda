package mneme.board

import mneme.{CBoardConfig, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** The way to DRAM: the core's port and the processor's window in turn, and over to the controller's clock.
  *
  * Its own clock is the core's, with a reset that is the memory's: it lives through resets of the core.
  */
case class BoardMemory(c: CBoardConfig, controller: ClockDomain) extends Component {
  val io = new Bundle {
    val core = slave(Axi4(MemoryBus.config(c, MemoryBus.PORT_ID_BITS)))
    val window = slave(Axi4(DramWindow.busConfig(c)))
    /** In the controller's clock. */
    val port = master(Axi4(BoardMemory.config(c)))
  }
  val window = DramWindow(c)
  val reads = Axi4ReadOnlyArbiter(BoardMemory.config(c), 2)
  val writes = Axi4WriteOnlyArbiter(BoardMemory.config(c), 2, routeBufferSize = 8)
  val crossing = CrossingAxi(BoardMemory.config(c), BoardMemory.DEPTH, ClockDomain.current, controller)
  window.io.bus << io.window
  for ((master, i) <- Seq(io.core, window.io.memory).zipWithIndex) {
    reads.io.inputs(i).ar << master.ar
    master.r << reads.io.inputs(i).r
    writes.io.inputs(i).aw << master.aw
    writes.io.inputs(i).w << master.w
    master.b << writes.io.inputs(i).b
  }
  crossing.io.in.ar << reads.io.output.ar
  reads.io.output.r << crossing.io.in.r
  crossing.io.in.aw << writes.io.output.aw
  crossing.io.in.w << writes.io.output.w
  writes.io.output.b << crossing.io.in.b
  crossing.io.out >> io.port
}

object BoardMemory {
  /** Words on their way over in each channel: what block RAM of the widest ones has room for. */
  val DEPTH = 64
  /** The core's ids, and whose they are above them. */
  def config(c: CBoardConfig): Axi4Config = MemoryBus.config(c, MemoryBus.PORT_ID_BITS + 1)
}
