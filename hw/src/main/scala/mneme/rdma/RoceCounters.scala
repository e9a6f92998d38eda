package mneme.rdma

import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** What the parts of the port count, 32 bits each; they wrap. Each part tells one event in a cycle at most, and no two have a counter in common. */
case class RoceCounters() extends Component {
  val io = new Bundle {
    val receive, transmit, responder = slave(Flow(UInt(RoceCounters.BITS bits)))
    /** A RoceCounter number; its value is there a cycle later, 0 of a number that none has. */
    val index = in(UInt(RoceCounters.BITS bits))
    val value = out UInt (32 bits)
  }

  /** The counters from `first` to `last`. Memory is not emptied by a reset: what was never counted since is 0. */
  private def count(event: Flow[UInt], first: Int, last: Int): UInt = {
    val number = last - first + 1
    val counts = Mem(UInt(32 bits), 1 << log2Up(number)).addAttribute("ram_style", "distributed")
    val counted = Reg(Bits(number bits)) init 0
    def place(at: UInt): UInt = (at - first).resize(log2Up(number))
    def within(at: UInt): Bool = if (first == 0) at <= last else at >= first && at <= last
    def value(at: UInt): UInt = counts.readAsync(place(at)).andMask(within(at) && counted(place(at)))
    val takes = event.valid && within(event.payload)
    counts.write(place(event.payload), value(event.payload) + 1, takes)
    when(takes)(counted(place(event.payload)) := True)
    value(io.index)
  }
  private val values = Seq(
    count(io.receive, RoceCounter.RX_PACKETS, RoceCounter.DROP_SHARE),
    count(io.transmit, RoceCounter.TX_PACKETS, RoceCounter.TX_DAMAGED),
    count(io.responder, RoceCounter.WRITES, RoceCounter.all.map(_._2).max)
  )
  io.value := RegNext(values.reduce(_ | _)) init 0
}

object RoceCounters {
  val BITS: Int = log2Up(RoceCounter.all.map(_._2).max + 1)
}
