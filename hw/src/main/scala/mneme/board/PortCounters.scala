package mneme.board

import mneme.wire.Wire.PortCounter
import spinal.core._
import spinal.lib._

/** What a port counts, by the numbers of the wire table. Each frame that comes is one of the first eight; each that is dropped has its reason there. */
object PortCounters {
  val COUNT: Int = PortCounter.all.map(_._2).max + 1
  /** Those of the receiver's clock, and of the sender's; TX_TOO_LONG and TX_REFUSED are counted in the core's. */
  val ofRx: Seq[Int] = PortCounter.RX_FRAMES to PortCounter.RX_LOCK_LOST
  val ofTx: Seq[Int] = PortCounter.TX_FRAMES until PortCounter.TX_TOO_LONG
}

/** So many events of one counter. */
case class Count() extends Bundle {
  val counter = UInt(log2Up(PortCounters.COUNT) bits)
  val events = UInt(8 bits)
}

/** Counts in a line's clock what happens in single cycles, and tells it counter by counter, each in its turn.
  *
  * A turn takes a crossing's time, about a dozen cycles. Of twelve counters each is told before it has seen 256 events, which is all that its eight bits hold.
  */
case class CountSender(counters: Seq[Int]) extends Component {
  val io = new Bundle {
    val events = in Bits (counters.size bits)
    val counts = master(Stream(Count()))
  }
  private val turn = Reg(UInt(log2Up(counters.size) bits)) init 0
  private val pending = Vec(Seq.fill(counters.size)(Reg(UInt(8 bits)) init 0))
  io.counts.valid := pending(turn) =/= 0
  io.counts.events := pending(turn)
  io.counts.counter := Vec(counters.map(c => U(c, widthOf(io.counts.counter) bits))).read(turn)
  for ((count, i) <- pending.zipWithIndex) {
    val told = io.counts.fire && turn === i
    count := (told ? U(0) | count) + io.events(i).asUInt
  }
  when(io.counts.ready)(turn := (turn === counters.size - 1) ? U(0) | turn + 1)
}

/** All counters of a port, 32 bits each, in the core's clock; they wrap. */
case class PortCounters() extends Component {
  val io = new Bundle {
    val rx, tx = slave(Flow(Count()))
    val tooLong, refused = in Bool ()
    /** Its value is there a cycle later. */
    val index = in(UInt(log2Up(PortCounters.COUNT) bits))
    val value = out UInt (32 bits)
  }
  private val counters = Vec(Seq.fill(PortCounters.COUNT)(Reg(UInt(32 bits)) init 0))
  /** Counters of one line never change in one cycle, and no two lines have one in common. */
  private def add(count: Flow[Count], of: Seq[Int]): Unit = {
    val sum = counters(count.counter) + count.events
    for (counter <- of) when(count.valid && count.counter === counter)(counters(counter) := sum)
  }
  add(io.rx, PortCounters.ofRx)
  add(io.tx, PortCounters.ofTx)
  for ((event, counter) <- Seq(io.tooLong -> PortCounter.TX_TOO_LONG, io.refused -> PortCounter.TX_REFUSED))
    when(event)(counters(counter) := counters(counter) + 1)
  io.value := RegNext((io.index < PortCounters.COUNT) ? counters(io.index.resized) | U(0, 32 bits)) init 0
}
