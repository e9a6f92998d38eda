package mneme.mem

import mneme.{CBoardConfig, Faults}
import mneme.engine.Place
import spinal.core._
import spinal.lib._

/** Executes atomics on aligned little-endian 8-byte words: read, compute, write, await B. Many are under way at once, and end in order.
  *
  * [[OrderGate]] sees to it that no two of them work on the same word. A compare-and-swap that does not match writes nothing. Each atomic has its place in
  * the commit queue, so no queue here ever overflows. The operands lie at the door, and are asked for when the word has come.
  */
class AtomicUnit(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
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
    /** One for each atomic of the door; never refused. */
    val results = Vec(master(Flow(AtomicResult())), c.doors)
    /** Whose operands are wanted in the next cycle. */
    val operandsOf = out UInt (c.placeBits bits)
    val operands = in Bits (128 bits)
    val freed = master(Flow(UInt(log2Up(c.burstPlaces) bits)))
  }

  // --- Compute. A line comes for each command, in order.
  private val awaited = io.commands.toStream.lutQueue(c.places)
  awaited.ready := io.returned.valid
  io.operandsOf := awaited.place
  private val computing = new Area {
    val valid = RegNext(io.returned.valid) init False
    val command = RegNext(awaited.payload)
    val operand = io.operands.subdivideIn(64 bits)
    val old = RegNext(io.returned.data.subdivideIn(64 bits)(awaited.word(2 downto 0)))
    val error = RegNext(io.returned.error)
    val matches = faults.choose(MemoryFault.SwapAlways, wrong = True, right = old === operand(0))
    val stores = !error && !(command.op === AtomicOp.compareSwap && !matches)
    val value = command.op.mux(
      AtomicOp.compareSwap -> operand(1),
      AtomicOp.fetchAdd -> (old.asUInt + operand(0).asUInt).asBits,
      AtomicOp.swap -> operand(0)
    )
  }

  /** An atomic whose word has been read. */
  case class Computed() extends Bundle {
    val old = Bits(64 bits)
    val error, stores = Bool()
    val door = Bits(c.doors bits)
  }

  // --- Write.
  private val line = Flow(UInt(c.memBits - 6 bits))
  line.valid := computing.valid && computing.stores
  line.payload := computing.command.word.drop(3).asUInt
  io.lines << line.toStream.passingQueue(c.places)
  private val word = Flow(StoredWord())
  word.valid := line.valid
  word.value := computing.value
  word.index := computing.command.word(2 downto 0)
  io.words << word.toStream.passingQueue(c.places)

  // --- End: those that stored wait for their B.
  private val computed = Flow(Computed())
  computed.valid := computing.valid
  computed.old := computing.old
  computed.error := computing.error
  computed.stores := computing.stores
  computed.door := Place.door(c, computing.command.place)
  private val ending = computed.toStream.lutQueue(c.places)
  private val acknowledged = io.stored.toStream.passingQueue(c.places)
  ending.ready := !ending.stores || acknowledged.valid
  acknowledged.ready := ending.valid && ending.stores
  for ((result, i) <- io.results.zipWithIndex) {
    result.valid := ending.fire && ending.door(i)
    result.old := ending.old
    result.error := ending.error || (ending.stores && acknowledged.payload)
  }

  private val places = io.started.takeWhen(io.started.burst.work.atomic).translateWith(io.started.place).toStream.lutQueue(c.places)
  places.ready := ending.fire
  io.freed.valid := ending.fire
  io.freed.payload := places.payload
}
