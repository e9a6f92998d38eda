package mneme.regs

import mneme.chain.ChainRegisters
import mneme.leaf.LeafRegisters
import mneme.rdma.RoceRegisters
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite._

/** The register block of a core with a RoCEv2 port: the port's registers lie from ROCE_BASE on, those of a leaf unit from LEAF_BASE on, those of chains from
  * CHAIN_BASE on, the core's everywhere else.
  *
  * One read and one write at a time. An address, and the data of a write, are held at their side until it takes them.
  */
case class RegisterSplit(hasLeaf: Boolean, hasChains: Boolean = false) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterBlock.busConfig))
    val core = master(AxiLite4(RegisterBlock.busConfig))
    val roce = master(AxiLite4(RoceRegisters.busConfig))
    val leaf = hasLeaf generate master(AxiLite4(LeafRegisters.busConfig))
    val chains = hasChains generate master(AxiLite4(ChainRegisters.busConfig))
  }
  private val sides = Seq(io.core, io.roce) ++ Option(io.leaf) ++ Option(io.chains)

  /** Whose an address is, one bit for each side. */
  private def side(address: UInt): Seq[Bool] = {
    def inside(base: Int, bytes: Int) = address.drop(log2Up(bytes)) === base / bytes
    val others = inside(Wire.ROCE_BASE, Wire.ROCE_BYTES) +: ((if (hasLeaf) Seq(inside(Wire.LEAF_BASE, Wire.LEAF_BYTES)) else Nil) ++
      (if (hasChains) Seq(inside(Wire.CHAIN_BASE, Wire.CHAIN_BYTES)) else Nil))
    !others.orR +: others
  }

  val write = new Area {
    private val address = io.bus.aw.halfPipe()
    private val data = io.bus.w.halfPipe()
    private val chosen = side(address.addr)
    /** The address has been taken, the data have: each waits for the answer, which ends both. */
    private val asked, given = RegInit(False)
    private val ends = io.bus.b.fire
    for ((side, chosen) <- sides.zip(chosen)) {
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
    io.bus.b.valid := address.valid && sides.zip(chosen).map { case (side, chosen) => side.b.valid && chosen }.orR
    io.bus.b.payload := MuxOH(B(chosen), sides.map(_.b.payload))
    address.ready := ends
    data.ready := ends
    when(ends) {
      asked := False
      given := False
    }
  }
  val read = new Area {
    private val address = io.bus.ar.halfPipe()
    private val chosen = side(address.addr)
    private val asked = RegInit(False)
    for ((side, chosen) <- sides.zip(chosen)) {
      side.ar.valid := address.valid && chosen && !asked
      side.ar.addr := address.addr.resized
      side.ar.prot := address.prot
      side.r.ready := io.bus.r.ready && address.valid && chosen
      when(side.ar.fire)(asked := True)
    }
    io.bus.r.valid := address.valid && sides.zip(chosen).map { case (side, chosen) => side.r.valid && chosen }.orR
    io.bus.r.payload := MuxOH(B(chosen), sides.map(_.r.payload))
    address.ready := io.bus.r.fire
    when(io.bus.r.fire)(asked := False)
  }
}

object RegisterSplit {
  for ((base, bytes) <- Seq(Wire.ROCE_BASE -> Wire.ROCE_BYTES, Wire.LEAF_BASE -> Wire.LEAF_BYTES, Wire.CHAIN_BASE -> Wire.CHAIN_BYTES)) {
    require(base % bytes == 0 && base + bytes <= (1 << RegisterBlock.busConfig.addressWidth))
    require(base >= Wire.COUNTER_BASE + 4 * (Wire.HISTOGRAM_BASE + 128), "other blocks lie behind the core's counters and histograms")
  }
  require(Wire.LEAF_BASE >= Wire.ROCE_BASE + Wire.ROCE_BYTES && Wire.CHAIN_BASE >= Wire.LEAF_BASE + Wire.LEAF_BYTES)
}
