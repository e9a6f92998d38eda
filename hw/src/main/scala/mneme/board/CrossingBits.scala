package mneme.board

import spinal.core._

/** Bits that have nothing to do with each other, such as states of the link: each is seen one cycle of the sender and two of the receiver later. A bit that
  * changes back before it was seen may be missed.
  */
case class CrossingBits(width: Int, from: ClockDomain, to: ClockDomain) extends Crossing {
  val io = new Bundle {
    val in = spinal.core.in Bits (width bits)
    val out = spinal.core.out Bits (width bits)
  }
  // A gate in front of the first register of the other clock could pass a glitch on.
  val sender = new ClockingArea(from) {
    val held = RegNext(io.in) init 0
  }
  val receiver = new ClockingArea(to) {
    val settled = settle(sender.held)
  }
  io.out := receiver.settled
}
