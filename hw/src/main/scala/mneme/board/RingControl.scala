package mneme.board

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Counts, start and stop of both rings (`docs/reference/device.md` §2 to 4): what may begin, and what of it the daemon is told.
  *
  * `width` and `slots` other than a board's are for proofs.
  */
case class RingControl(slots: Int, width: Int = 32, faults: Faults[RingFault.Value] = Faults.none) extends Component {
  private def count = UInt(width bits)
  val io = new Bundle {
    /** The rings are to run. */
    val enable = in Bool ()
    /** The daemon has written RX_TAIL, or TX_HEAD. */
    val taken, given = slave(Flow(count))
    /** It has written ones to RING_PENDING, or anything to RING_STATUS. */
    val clears = in Bits (2 bits)
    val forgives = in Bool ()

    /** Of the two machines. */
    val rxBusy, txBusy, rxDone, txDone, rxFailed, txFailed, refused = in Bool ()
    val rxMay, txMay, start = out Bool ()

    val running, error = out Bool ()
    val pending = out Bits (2 bits)
    val rxHead, rxTail, txHead, txTail, lost, refusals = out(count)
  }

  val on, error = RegInit(False)
  val pending = Reg(Bits(2 bits)) init 0
  val rxHead, rxTail, txHead, txTail, lost, refusals = Reg(count) init 0

  private val busy = io.rxBusy || io.txBusy
  io.start := io.enable && !on && faults.choose(RingFault.StartsBusy, True, !busy)
  io.running := io.enable || on || busy

  // A tail before the head is a daemon that took a frame which memory did not confirm: nothing waits in the ring.
  private val waits = rxHead - rxTail
  private val full = !waits.msb && waits >= slots
  io.rxMay := on && io.enable && !faults.choose(RingFault.Overfills, False, full)
  // A head before the tail is a daemon that has taken a frame back: it is to say anew where it is.
  private val given = txHead - txTail
  io.txMay := on && io.enable && given =/= 0 && !faults.choose(RingFault.TakesAny, False, given > slots)

  when(io.rxDone)(rxHead := rxHead + 1)
  when(io.txDone)(txTail := txTail + 1)
  when(io.taken.valid)(rxTail := io.taken.payload)
  // No more than all slots are taken, whatever the daemon has written.
  private val most = txTail + slots
  private val tooMany = io.given.payload - txTail > slots
  when(io.given.valid)(txHead := faults.choose(RingFault.TakesAny, False, tooMany) ? most | io.given.payload)
  lost := lost + io.rxFailed.asUInt + io.txFailed.asUInt
  when(io.refused)(refusals := refusals + 1)

  private val events = io.txDone ## io.rxDone
  pending := faults.choose(RingFault.EventLost, (pending | events) & ~io.clears, (pending & ~io.clears) | events)
  when(io.forgives)(error := False)
  when(io.rxFailed || io.txFailed)(error := True)

  when(!io.enable)(on := False)
  when(io.start) {
    on := True
    for (each <- Seq(rxHead, rxTail, txHead, txTail)) each := 0
  }

  io.error := error
  io.pending := pending
  for ((pin, value) <- Seq(io.rxHead, io.rxTail, io.txHead, io.txTail, io.lost, io.refusals).zip(Seq(rxHead, rxTail, txHead, txTail, lost, refusals)))
    pin := value
}

/** Defects that a proof plants. */
object RingFault extends Enumeration {
  /** Counts are put to 0 while a frame is under way. */
  val StartsBusy = Value
  /** A frame is written though all slots are taken. */
  val Overfills = Value
  /** The board believes any TX_HEAD. */
  val TakesAny = Value
  /** An event that comes with the daemon's clearing is not told. */
  val EventLost = Value
}
