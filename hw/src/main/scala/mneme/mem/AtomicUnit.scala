package mneme.mem

import mneme.{CBoardConfig, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Executes atomics on aligned little-endian 8-byte words: read, compute, write, await B. Many are under way at once, and end in order.
  *
  * Its caller sees to it that no two of them work on the same word, and nothing else on the same block. A compare-and-swap that does not match
  * writes nothing. Queues are as deep as atomics may be under way, so R and B are always taken.
  */
class AtomicUnit(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(AtomicCommand(c)))
    val results = master(Stream(AtomicResult()))
    val mem = master(Axi4(MemoryBus.config(c, MemoryAccess.engineIdBits)))
  }

  private def failed(response: Bool): Bool = faults(MemoryFault.ErrorIgnored)(False)(!response)
  private def queued[T <: Data](stream: Stream[T]): Stream[T] = {
    val fifo = StreamFifo(stream.payloadType, MemoryAccess.atomics, latency = 1)
    fifo.io.push << stream
    fifo.io.pop
  }
  private def address(channel: Axi4Ax, command: AtomicCommand): Unit = {
    channel.addr := command.address(c.memBits - 1 downto 6) @@ U(0, 6 bits)
    channel.id := 0
    channel.len := 0
    channel.setFullSize()
    channel.setBurstINCR()
  }

  // --- Read: the command waits for its word.
  private val (ask, pending) = StreamFork2(io.commands)
  private val asked = ask.m2sPipe()
  io.mem.ar.arbitrationFrom(asked)
  address(io.mem.ar.payload, asked.payload)
  private val awaited = queued(pending)

  // --- Compute. An R comes for each command that waits, in order; what leaves has room in all queues behind.
  private val word = awaited.address(5 downto 3)
  io.mem.r.ready := True
  awaited.ready := io.mem.r.valid
  private val computing = new Area {
    val valid = RegNext(io.mem.r.valid) init False
    val command = RegNext(awaited.payload)
    val old = RegNext(io.mem.r.data.subdivideIn(64 bits)(word))
    val error = RegNext(failed(io.mem.r.isOKAY()))
    val matches = faults(MemoryFault.SwapAlways)(True)(old === command.operand0)
    val stores = !error && !(command.op === AtomicOp.compareSwap && !matches)
    val value = command.op.mux(
      AtomicOp.compareSwap -> command.operand1,
      AtomicOp.fetchAdd -> (old.asUInt + command.operand0.asUInt).asBits,
      AtomicOp.swap -> command.operand0
    )
  }

  /** A word on its way to memory, and an atomic whose word has been read. */
  case class Store() extends Bundle {
    val command = AtomicCommand(c)
    val value = Bits(64 bits)
  }
  case class Computed() extends Bundle {
    val old = Bits(64 bits)
    val error, stores = Bool()
  }

  // --- Write.
  private val stores = Stream(Store())
  stores.valid := computing.valid && computing.stores
  stores.command := computing.command
  stores.value := computing.value
  private val (aw, w) = StreamFork2(queued(stores))
  io.mem.aw.arbitrationFrom(aw)
  address(io.mem.aw.payload, aw.command)
  // W never before its AW.
  private val data = queued(w)
  private val opened = Reg(UInt(log2Up(MemoryAccess.atomics + 1) bits)) init 0
  opened := opened + io.mem.aw.fire.asUInt - io.mem.w.fire.asUInt
  io.mem.w.arbitrationFrom(data.haltWhen(opened === 0))
  io.mem.w.data := Cat(Seq.fill(8)(data.value))
  io.mem.w.strb := Cat((0 until 8).map(i => B(8 bits, default -> (data.command.address(5 downto 3) === i))))
  io.mem.w.last := True

  // --- End: those that stored wait for their B.
  private val computed = Stream(Computed())
  computed.valid := computing.valid
  computed.old := computing.old
  computed.error := computing.error
  computed.stores := computing.stores
  private val ending = queued(computed)
  private val acknowledged = queued(io.mem.b.map(b => failed(b.isOKAY())))
  private val waits = ending.stores && !acknowledged.valid
  io.results << ending.haltWhen(waits).map { e =>
    val result = AtomicResult()
    result.old := e.old
    result.error := e.error || (e.stores && acknowledged.payload)
    result
  }
  acknowledged.ready := io.results.fire && ending.stores
}
