package mneme.mem

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Executes atomics on aligned little-endian 8-byte words: read, compute, write, await B. Many are under way at once, and end in order.
  *
  * [[OrderGate]] sees to it that no two of them work on the same word. A compare-and-swap that does not match writes nothing. Each atomic has its place in
  * the commit queue, so no queue here ever overflows.
  */
class AtomicUnit(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    /** Atomics, in order, as soon as they are known. */
    val commands = slave(Flow(AtomicCommand(c)))
    /** Every burst that may go; the reads of atomics alone are looked at. */
    val started = slave(Flow(StartedBurst(c)))
    /** The line that holds an atomic's word. */
    val returned = slave(Flow(ReturnedBeat()))
    val lines = master(Stream(UInt(c.memBits - 6 bits)))
    val words = master(Stream(StoredWord()))
    /** A word is in memory; true: with an error. */
    val stored = slave(Flow(Bool()))
    val results = master(Stream(AtomicResult()))
    val freed = master(Flow(UInt(log2Up(MemoryAccess.places(c)) bits)))
  }

  // --- Compute. A line comes for each command, in order.
  private val awaited = io.commands.toStream.lutQueue(MemoryAccess.inFlight(c))
  awaited.ready := io.returned.valid
  private val computing = new Area {
    val valid = RegNext(io.returned.valid) init False
    val command = RegNext(awaited.payload)
    val old = RegNext(io.returned.data.subdivideIn(64 bits)(awaited.word(2 downto 0)))
    val error = RegNext(io.returned.error)
    val matches = faults(MemoryFault.SwapAlways)(True)(old === command.operand0)
    val stores = !error && !(command.op === AtomicOp.compareSwap && !matches)
    val value = command.op.mux(
      AtomicOp.compareSwap -> command.operand1,
      AtomicOp.fetchAdd -> (old.asUInt + command.operand0.asUInt).asBits,
      AtomicOp.swap -> command.operand0
    )
  }

  /** An atomic whose word has been read. */
  case class Computed() extends Bundle {
    val old = Bits(64 bits)
    val error, stores = Bool()
  }

  // --- Write.
  private val line = Flow(UInt(c.memBits - 6 bits))
  line.valid := computing.valid && computing.stores
  line.payload := computing.command.word.drop(3).asUInt
  io.lines << line.toStream.lutQueue(MemoryAccess.inFlight(c))
  private val word = Flow(StoredWord())
  word.valid := line.valid
  word.value := computing.value
  word.index := computing.command.word(2 downto 0)
  io.words << word.toStream.lutQueue(MemoryAccess.inFlight(c))

  // --- End: those that stored wait for their B.
  private val computed = Flow(Computed())
  computed.valid := computing.valid
  computed.old := computing.old
  computed.error := computing.error
  computed.stores := computing.stores
  private val ending = computed.toStream.lutQueue(MemoryAccess.inFlight(c))
  private val acknowledged = io.stored.toStream.lutQueue(MemoryAccess.inFlight(c))
  private val waits = ending.stores && !acknowledged.valid
  io.results << ending.haltWhen(waits).map { e =>
    val result = AtomicResult()
    result.old := e.old
    result.error := e.error || (e.stores && acknowledged.payload)
    result
  }
  acknowledged.ready := io.results.fire && ending.stores

  private val places = io.started.takeWhen(io.started.burst.work.atomic).translateWith(io.started.place).toStream.lutQueue(MemoryAccess.inFlight(c))
  places.ready := io.results.fire
  io.freed.valid := io.results.fire
  io.freed.payload := places.payload
}
