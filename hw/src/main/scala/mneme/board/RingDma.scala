package mneme.board

import mneme.net.FrameBeat
import mneme.{Faults, ResetGuard}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** What the daemon sets and sees of the rings: its registers without their bus. */
case class RingRegisters(c: RingConfig) extends Bundle with IMasterSlave {
  val enable, forgives = Bool()
  val base = UInt(c.addressBits bits)
  val taken, given = Flow(UInt(32 bits))
  val clears = Bits(2 bits)
  val running, error = Bool()
  val pending = Bits(2 bits)
  val rxHead, rxTail, txHead, txTail, lost, refusals = UInt(32 bits)

  def asMaster(): Unit = {
    out(enable, forgives, base, clears)
    master(taken, given)
    in(running, error, pending, rxHead, rxTail, txHead, txTail, lost, refusals)
  }
}

/** The core's slow ring in memory of the processor, by AXI4 (`docs/reference/device.md`).
  *
  * A reset may come at any time: the guard at the port, which has none, ends what is open there, so that the processor's port is never left in mid-burst.
  */
case class RingDma(c: RingConfig, faults: Faults[SlotFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val registers = slave(RingRegisters(c))
    /** From the core, and to it. */
    val received = slave(Stream(FrameBeat()))
    val sent = master(Stream(FrameBeat()))
    val memory = master(Axi4(c.axi))
  }
  val control = RingControl(c.slots)
  val receive = RingReceive(c, faults)
  val transmit = RingTransmit(c, faults)
  val guard = Crossing.unreset(ClockDomain.current)(ResetGuard(c.axi, masterBits = 1, bursts = c.open))
  guard.io.coreResets := ClockDomain.current.isResetActive

  receive.io.frames << io.received
  transmit.io.frames >> io.sent
  guard.io.core.aw << receive.io.memory.aw
  guard.io.core.w << receive.io.memory.w.continueWhen(guard.io.turn.valid)
  receive.io.memory.b << guard.io.core.b
  guard.io.core.ar << transmit.io.memory.ar
  transmit.io.memory.r << guard.io.core.r
  guard.io.port >> io.memory

  private val r = io.registers
  for ((side, may, sequence) <- Seq((receive.io.side, control.io.rxMay, control.io.rxHead), (transmit.io.side, control.io.txMay, control.io.txTail))) {
    side.may := may
    side.start := control.io.start
    side.sequence := sequence + 1
  }
  receive.io.side.base := r.base
  transmit.io.side.base := r.base + c.ringBytes

  control.io.rxBusy := receive.io.side.busy
  control.io.txBusy := transmit.io.side.busy
  control.io.rxDone := receive.io.side.done
  control.io.txDone := transmit.io.side.done
  control.io.rxFailed := receive.io.side.failed
  control.io.txFailed := transmit.io.side.failed
  control.io.refused := transmit.io.side.refused
  control.io.enable := r.enable
  control.io.taken << r.taken
  control.io.given << r.given
  control.io.clears := r.clears
  control.io.forgives := r.forgives
  r.running := control.io.running
  r.error := control.io.error
  r.pending := control.io.pending
  r.rxHead := control.io.rxHead
  r.rxTail := control.io.rxTail
  r.txHead := control.io.txHead
  r.txTail := control.io.txTail
  r.lost := control.io.lost
  r.refusals := control.io.refusals
}
