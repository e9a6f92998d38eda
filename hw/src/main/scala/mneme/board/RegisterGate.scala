package mneme.board

import mneme.Faults
import mneme.regs.RegisterBlock
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite._

/** The register window of a board: the core's registers in its lower half, the device block in its upper one (`docs/reference/device.md`).
  *
  * Every access is answered, as a processor that waits for one stands still for ever. It belongs into a clock without reset. While the core is in reset,
  * as it is until DRAM answers, its registers are 0, writes to them do nothing, and an access that its reset cuts off is answered so, too. One access at a
  * time; an address is held at both sides until it is answered.
  */
case class RegisterGate(faults: Faults[GateFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterGate.busConfig))
    val core, device = master(AxiLite4(RegisterBlock.busConfig))
    val coreResets = in Bool ()
  }
  val free = RegInit(True)
  /** What the access under way, or the last one, is. */
  val reads = RegInit(False)
  /** The address, the data, have not been taken yet; the answer has not come; it has not gone. */
  val asks, gives, waits, answers = RegInit(False)
  val address = Reg(UInt(RegisterGate.busConfig.addressWidth bits)) init 0
  private val data = Reg(AxiLite4W(RegisterGate.busConfig))
  private val result = Reg(AxiLite4R(RegisterGate.busConfig))

  private val written = io.bus.aw.valid && io.bus.w.valid
  private val takesWrite = free && written && (reads || !io.bus.ar.valid)
  private val takesRead = free && io.bus.ar.valid && !takesWrite
  io.bus.aw.ready := takesWrite
  io.bus.w.ready := takesWrite
  io.bus.ar.ready := takesRead

  private val toDevice = address.msb
  for ((side, chosen) <- Seq((io.core, !toDevice), (io.device, toDevice))) {
    side.aw.valid := asks && !reads && chosen
    side.w.valid := gives && chosen
    side.ar.valid := asks && reads && chosen
    for (command <- Seq(side.aw, side.ar)) {
      command.addr := address.resized
      command.prot := 0
    }
    side.w.payload := data
    side.b.ready := waits && !reads && chosen
    side.r.ready := waits && reads && chosen
    when(side.aw.fire || side.ar.fire)(asks := False)
    when(side.w.fire)(gives := False)
    when(side.b.fire || side.r.fire) {
      waits := False
      answers := True
      result.data := side.r.data
      result.resp := reads ? side.r.resp | side.b.resp
    }
  }
  private val cutOff = waits && !toDevice && faults.choose(GateFault.Forgets, False, io.coreResets)
  when(cutOff) {
    waits := False
    asks := False
    gives := False
    answers := True
    result.data := 0
    result.setOKAY()
  }
  when(takesRead || takesWrite) {
    free := False
    reads := takesRead
    address := takesRead ? io.bus.ar.addr | io.bus.aw.addr
    data := io.bus.w.payload
    asks := True
    gives := takesWrite
    waits := True
  }
  io.bus.b.valid := answers && !reads
  io.bus.b.resp := result.resp
  io.bus.r.valid := answers && reads
  io.bus.r.payload := result
  when(io.bus.b.fire || io.bus.r.fire) {
    answers := False
    free := True
  }
}

/** Defects that a proof plants. */
object GateFault extends Enumeration {
  /** An access that a reset of the core cuts off is not answered. */
  val Forgets = Value
}

object RegisterGate {
  val busConfig: AxiLite4Config = AxiLite4Config(addressWidth = log2Up(Wire.WINDOW_BYTES), dataWidth = 32)
  require(Wire.DEVICE_BASE == Wire.WINDOW_BYTES / 2, "the top bit of an address tells the device block from the core's registers")
}
