package mneme.mem

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Starts requests in arrival order, so that their effects are those of one execution after another.
  *
  * Hazard rule, version 1: reads may be in flight together, and so may writes (memory keeps the order of one id), but a request waits
  * until all of the other direction are complete: a read until every B has come, a write until every last R has come.
  * An atomic and a fence wait for both directions; whatever follows an atomic waits for its end. Requests without memory access never wait.
  */
class IssueOrder(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val requests = slave(Stream(Request(c)))
    val reads = master(Stream(ReadCommand(c)))
    val writes = master(Stream(WriteCommand(c)))
    val atomics = master(Stream(AtomicCommand(c)))
    /** Every request, for the commit queue. */
    val ordered = master(Stream(Request(c)))
    /** One fetched read, write, atomic is complete. */
    val readDone, writeDone, atomicDone = in Bool ()
  }

  private val request = io.requests.payload
  private val executes = !request.answered
  private val isRead = executes && request.isOp(Wire.Opcode.READ)
  private val isWrite = executes && request.isOp(Wire.Opcode.WRITE)
  private val isAtomic = executes && request.isAtomic
  private val isFence = executes && request.isOp(Wire.Opcode.FENCE)
  private val fetches = isRead && !request.zeros

  private val reads = new InFlight(io.reads.fire && fetches, io.readDone)
  private val writes = new InFlight(io.writes.fire, io.writeDone)
  private val atomics = new InFlight(io.atomics.fire, io.atomicDone)

  private val readsDrained = faults(MemoryFault.NoDirectionDrain)(True)(!reads.busy)
  private val writesDrained = faults(MemoryFault.NoDirectionDrain)(True)(!writes.busy)
  private val idle = !reads.busy && !writes.busy && !atomics.busy
  private val clear = True
  when(fetches)(clear := !reads.full && !atomics.busy && writesDrained)
  when(isWrite)(clear := !writes.full && !atomics.busy && readsDrained)
  when(isAtomic)(clear := idle)
  when(isFence)(clear := faults(MemoryFault.FenceIgnored)(True)(idle))

  /** Queue and engine take the request in the same cycle. */
  private val engineReady = (!isRead || io.reads.ready) && (!isWrite || io.writes.ready) && (!isAtomic || io.atomics.ready)
  private val starts = io.requests.valid && clear && io.ordered.ready
  io.ordered.valid := io.requests.valid && clear && engineReady
  io.ordered.payload := request
  io.requests.ready := clear && engineReady && io.ordered.ready
  io.reads.valid := starts && isRead
  io.writes.valid := starts && isWrite
  io.atomics.valid := starts && isAtomic

  private val span = Span(c)
  span.address := request.address
  span.length := request.length.resized
  io.reads.span := span
  io.reads.zeros := request.zeros
  io.writes.span := span
  io.writes.slot := request.slot
  io.atomics.address := request.address
  io.atomics.operand0 := request.operand0
  io.atomics.operand1 := request.operand1
  io.atomics.op := AtomicOp.swap
  when(request.isOp(Wire.Opcode.COMPARE_SWAP))(io.atomics.op := AtomicOp.compareSwap)
  when(request.isOp(Wire.Opcode.FETCH_ADD))(io.atomics.op := AtomicOp.fetchAdd)

  /** Counts what has started and not ended. */
  private class InFlight(started: Bool, ended: Bool) extends Area {
    private val count = Reg(UInt(log2Up(MemoryAccess.inFlight + 1) bits)) init 0
    count := count + started.asUInt - ended.asUInt
    val busy = count =/= 0
    val full = count === MemoryAccess.inFlight
  }
}
