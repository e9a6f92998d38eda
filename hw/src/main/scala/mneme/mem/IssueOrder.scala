package mneme.mem

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** Cuts accesses into bursts and starts these in order, so that accesses to the same bytes take effect in the order of arrival; the rule stands at [[OrderGate]]. */
class IssueOrder(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    val accesses = slave(Stream(Access(c)))
    /** What may go: one per cycle, never refused. */
    val started = master(Flow(StartedBurst(c)))
    /** Places of bursts that have ended: of reads, writes, atomics. */
    val ended = Vec(slave(Flow(UInt(log2Up(c.burstPlaces) bits))), 3)
  }

  private val splitter = new BurstSplitter(c)
  splitter.io.accesses << io.accesses

  private val gate = new OrderGate(Burst(c), MemoryAccess.keyBits, c.burstPlaces, io.ended.size, faults)
  private val burst = splitter.io.bursts
  gate.io.arriving.arbitrationFrom(burst)
  gate.io.arriving.payload.payload := burst.payload
  private val order = gate.io.arriving.order
  order.work := burst.work
  order.key := fold(burst.line.drop(6))
  order.single := io.accesses.single
  order.line := burst.line(5 downto 0)
  order.word := splitter.io.word

  io.started.valid := gate.io.started.valid
  io.started.burst := gate.io.started.payload.payload
  io.started.place := gate.io.started.place
  for ((end, from) <- gate.io.ended.zip(io.ended)) end << from

  /** XOR of the pieces of a block's number: a table of 64 places meets a foreign block once in a thousand times at most. */
  private def fold(block: Bits): Bits = block.subdivideIn(MemoryAccess.keyBits bits, strict = false).map(_.resize(MemoryAccess.keyBits)).reduce(_ ^ _)
}
