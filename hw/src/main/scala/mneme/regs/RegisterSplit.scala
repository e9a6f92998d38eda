package mneme.regs

import mneme.rdma.RoceRegisters
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite._

/** The register block of a core with a RoCEv2 port: the port's registers lie from ROCE_BASE on, the core's everywhere else.
  *
  * One read and one write at a time. An address, and the data of a write, are held at their side until it takes them.
  */
case class RegisterSplit() extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterBlock.busConfig))
    val core = master(AxiLite4(RegisterBlock.busConfig))
    val roce = master(AxiLite4(RoceRegisters.busConfig))
  }
  private val inside = log2Up(Wire.ROCE_BYTES)
  private def isRoce(address: UInt): Bool = address.drop(inside) === Wire.ROCE_BASE >> inside

  val write = new Area {
    private val address = io.bus.aw.halfPipe()
    private val data = io.bus.w.halfPipe()
    private val toRoce = isRoce(address.addr)
    /** The address has been taken, the data have: each waits for the answer, which ends both. */
    private val asked, given = RegInit(False)
    private val ends = io.bus.b.fire
    for ((side, chosen) <- Seq((io.core, !toRoce), (io.roce, toRoce))) {
      side.aw.valid := address.valid && chosen && !asked
      side.aw.addr := address.addr.resized
      side.aw.prot := address.prot
      // Whose they are is known with the address.
      side.w.valid := data.valid && address.valid && chosen && !given
      side.w.payload := data.payload
      side.b.ready := io.bus.b.ready && address.valid && chosen
      when(side.aw.fire)(asked := True)
      when(side.w.fire)(given := True)
    }
    io.bus.b.valid := address.valid && (toRoce ? io.roce.b.valid | io.core.b.valid)
    io.bus.b.payload := toRoce ? io.roce.b.payload | io.core.b.payload
    address.ready := ends
    data.ready := ends
    when(ends) {
      asked := False
      given := False
    }
  }
  val read = new Area {
    private val address = io.bus.ar.halfPipe()
    private val toRoce = isRoce(address.addr)
    private val asked = RegInit(False)
    for ((side, chosen) <- Seq((io.core, !toRoce), (io.roce, toRoce))) {
      side.ar.valid := address.valid && chosen && !asked
      side.ar.addr := address.addr.resized
      side.ar.prot := address.prot
      side.r.ready := io.bus.r.ready && address.valid && chosen
      when(side.ar.fire)(asked := True)
    }
    io.bus.r.valid := address.valid && (toRoce ? io.roce.r.valid | io.core.r.valid)
    io.bus.r.payload := toRoce ? io.roce.r.payload | io.core.r.payload
    address.ready := io.bus.r.fire
    when(io.bus.r.fire)(asked := False)
  }
}

object RegisterSplit {
  require(Wire.ROCE_BASE % Wire.ROCE_BYTES == 0 && Wire.ROCE_BASE + Wire.ROCE_BYTES <= (1 << RegisterBlock.busConfig.addressWidth))
  require(Wire.ROCE_BASE >= Wire.COUNTER_BASE + 4 * (Wire.HISTOGRAM_BASE + 128), "the port's registers lie behind the core's counters and histograms")
}
