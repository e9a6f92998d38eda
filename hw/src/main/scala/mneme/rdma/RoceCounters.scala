package mneme.rdma

import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** What both sides of the port count, 32 bits each; they wrap. Each side tells one event in a cycle at most, and no two have a counter in common. */
case class RoceCounters() extends Component {
  val io = new Bundle {
    val receive, transmit = slave(Flow(UInt(RoceReceive.COUNTER_BITS bits)))
    /** A RoceCounter number; its value is there a cycle later, 0 of a number that none has. */
    val index = in(UInt(RoceReceive.COUNTER_BITS bits))
    val value = out UInt (32 bits)
  }
  private val counters = Vec(RoceCounter.all.map { _ => Reg(UInt(32 bits)) init 0 })
  private def count(event: Flow[UInt], of: Seq[Int]): Unit = {
    val next = counters(event.payload) + 1
    for (counter <- of) when(event.valid && event.payload === counter)(counters(counter) := next)
  }
  count(io.receive, RoceCounter.RX_PACKETS to RoceCounter.DROP_FULL)
  count(io.transmit, RoceCounter.TX_PACKETS to RoceCounter.TX_DAMAGED)
  io.value := RegNext((io.index < counters.size) ? counters(io.index) | U(0, 32 bits)) init 0
}
