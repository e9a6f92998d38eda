package mneme.board

import spinal.core._
import spinal.lib._

/** What a port counts, by number. Each frame that comes is one of the first eight; each that is dropped has its reason here. */
object PortCounter extends Enumeration {
  /** Frames for the core, those of RX_OVERFLOW among them. */
  val RX_FRAMES = Value
  /** What follows /S/ is no preamble. */
  val RX_BAD_START = Value
  /** A control character within: an error, or the link was lost. */
  val RX_BAD_CODE = Value
  val RX_TOO_LONG = Value
  /** Under 64 bytes. */
  val RX_TOO_SHORT = Value
  val RX_BAD_FCS = Value
  /** Taken by the MAC: nothing is sent for a time. */
  val RX_PAUSE = Value
  /** Other frames of MAC control, which nobody here knows. */
  val RX_CONTROL = Value
  /** A good frame met a full store. */
  val RX_OVERFLOW = Value
  /** Blocks that are none of clause 49. */
  val RX_BAD_BLOCK = Value
  val RX_BAD_HEADER = Value
  /** Losses of block lock. */
  val RX_LOCK_LOST = Value
  val TX_FRAMES = Value
  val TX_PAUSE = Value
  /** Frames that the core said are damaged, sent with a wrong check sequence. */
  val TX_DAMAGED = Value
  /** Dropped, as a fault was there. */
  val TX_NO_LINK = Value
  /** Dropped, longer than the port's largest frame. */
  val TX_TOO_LONG = Value

  val ofRx: Seq[Value] = values.toSeq.filter(_ <= RX_LOCK_LOST)
  val ofTx: Seq[Value] = values.toSeq.filter(v => v > RX_LOCK_LOST && v < TX_TOO_LONG)
}

/** So many events of one counter. */
case class Count() extends Bundle {
  val counter = UInt(log2Up(PortCounter.maxId) bits)
  val events = UInt(8 bits)
}

/** Counts in a line's clock what happens in single cycles, and tells it counter by counter, each in its turn.
  *
  * A turn takes a crossing's time, about a dozen cycles. Of twelve counters each is told before it has seen 256 events, which is all that its eight bits hold.
  */
case class CountSender(counters: Seq[PortCounter.Value]) extends Component {
  val io = new Bundle {
    val events = in Bits (counters.size bits)
    val counts = master(Stream(Count()))
  }
  private val turn = Reg(UInt(log2Up(counters.size) bits)) init 0
  private val pending = Vec(Seq.fill(counters.size)(Reg(UInt(8 bits)) init 0))
  io.counts.valid := pending(turn) =/= 0
  io.counts.events := pending(turn)
  io.counts.counter := Vec(counters.map(c => U(c.id, widthOf(io.counts.counter) bits))).read(turn)
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
    val tooLong = in Bool ()
    /** Its value is there a cycle later. */
    val index = in(UInt(log2Up(PortCounter.maxId) bits))
    val value = out UInt (32 bits)
  }
  private val counters = Vec(Seq.fill(PortCounter.maxId)(Reg(UInt(32 bits)) init 0))
  /** Counters of one line never change in one cycle, and no two lines have one in common. */
  private def add(count: Flow[Count], of: Seq[PortCounter.Value]): Unit = {
    val sum = counters(count.counter) + count.events
    for (counter <- of) when(count.valid && count.counter === counter.id)(counters(counter.id) := sum)
  }
  add(io.rx, PortCounter.ofRx)
  add(io.tx, PortCounter.ofTx)
  when(io.tooLong)(counters(PortCounter.TX_TOO_LONG.id) := counters(PortCounter.TX_TOO_LONG.id) + 1)
  io.value := RegNext((io.index < PortCounter.maxId) ? counters(io.index.resized) | U(0, 32 bits)) init 0
}
