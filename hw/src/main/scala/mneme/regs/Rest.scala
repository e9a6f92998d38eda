package mneme.regs

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Tells when nothing that was taken in is on the board any more. When memory owes nothing, the reset guard tells.
  *
  * A frame counts from its packet slot on, a request from dispatch until its answer has left, so that one of the two counts it at any time. Frames of the slow
  * path do not count once they are in its ring: they execute nothing here.
  */
case class Rest(c: CBoardConfig) extends Component {
  val io = new Bundle {
    /** A packet slot was taken, and came back; one went to the slow ring, and left it. */
    val slotTaken, slotReturned, slowTaken, slowReturned = in Bool ()
    /** A request left dispatch; its answer has left. */
    val entered, retired = in Bool ()
    /** A frame is on its way out. */
    val sending = in Bool ()

    val board = out Bool ()
  }

  private val slots = Rest.count(io.slotTaken, io.slowReturned)(io.slotReturned, io.slowTaken)
  private val requests = Rest.count(io.entered)(io.retired)
  /** What passes from one count to the other, or is told a cycle late, shows within these cycles. */
  private val still = Reg(UInt(3 bits)) init 0
  private val empty = slots === 0 && requests === 0 && !io.sending
  still := empty ? (still + U(!still.andR)) | U(0)
  io.board := RegNext(empty && still.andR) init False
}

object Rest {
  /** More than there are packet slots, places and bursts in flight. */
  private val COUNT_BITS = 10

  def count(up: Bool*)(down: Bool*): UInt = {
    // A cycle late: most handshakes are known late in a cycle.
    val Seq(more, less) = Seq(up, down).map(events => RegNext(B(events)) init 0)
    val count = Reg(UInt(COUNT_BITS bits)) init 0
    count := count + CountOne(more) - CountOne(less)
    count
  }
}
