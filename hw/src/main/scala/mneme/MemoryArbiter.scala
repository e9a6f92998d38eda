package mneme

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Puts the core's masters onto its one memory port: translation and memory access in turn, the zero engine behind them.
  *
  * A zero burst starts when no other master asks for anything, or after it has waited for `patience` cycles, so neither starves.
  */
case class MemoryArbiter(c: CBoardConfig, patience: Int = 256) extends Component {
  val io = new Bundle {
    val translation, access = slave(Axi4(MemoryBus.config(c)))
    val zero = slave(Axi4WriteOnly(MemoryBus.config(c)))
    val port = master(Axi4(MemoryBus.config(c, MemoryBus.PORT_ID_BITS)))
  }

  val gate = new Area {
    val waited = Counter(patience)
    // A cycle late, which costs the others a beat at most: whether one asks is known late in a cycle.
    val others = RegNext(Seq(io.translation, io.access).map(m => m.aw.valid || m.ar.valid).orR) init False
    /** An offered address stays offered. */
    val offered = RegInit(False)
    /** It has waited long enough; a register, for all masters' ready lies behind it. */
    val late = RegInit(False)
    val open = offered || !others || late
    val aw = io.zero.aw.continueWhen(open)
    offered := aw.isStall
    when(aw.fire || !io.zero.aw.valid) {
      waited.clear()
      late := False
    } elsewhen (!open) {
      waited.increment()
      late := waited === patience - 2
    }
  }

  val reads = new Area {
    val arbiter = Axi4ReadOnlyArbiter(MemoryBus.config(c, MemoryBus.MASTER_ID_BITS + 1), 2)
    for ((input, m) <- arbiter.io.inputs.zip(Seq(io.translation, io.access))) {
      input.ar << m.ar
      m.r << input.r
    }
    // Registered ready: the masters' own logic hangs on it.
    arbiter.io.output.ar.s2mPipe() drive io.port.ar
    io.port.r drive arbiter.io.output.r
  }

  val writes = new Area {
    val arbiter = Axi4WriteOnlyArbiter(MemoryBus.config(c, MemoryBus.PORT_ID_BITS), 3, routeBufferSize = 8)
    val inputs = Seq(io.translation.toWriteOnly(), io.access.toWriteOnly(), io.zero)
    for ((input, m) <- arbiter.io.inputs.zip(inputs)) {
      input.aw << (if (m == io.zero) gate.aw else m.aw)
      input.w << m.w
      m.b << input.b
    }
    arbiter.io.output.aw.s2mPipe() >> io.port.aw
    arbiter.io.output.w.s2mPipe() >> io.port.w
    io.port.b >> arbiter.io.output.b
  }
}
