package mneme.mem

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Lets requests out in arrival order, each when it is done, and frees its packet slot.
  *
  * A read leaves when its turn comes (its payload follows on the payload stream, in the same order), a write and an atomic when memory has acknowledged them.
  */
class CommitQueue(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val ordered = slave(Stream(Request(c)))
    /** Writes end in order; true: with an error. */
    val writeDone = slave(Flow(Bool()))
    val atomicDone = slave(Stream(AtomicResult()))
    val finished = master(Stream(Request(c)))
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    /** One cycle per event. */
    val atomicCommitted, fenceCommitted = out Bool ()
  }

  /** Both queues answer after one cycle: each is in the way of every answer. */
  private def queued[T <: Data](stream: Stream[T]): Stream[T] = {
    val fifo = StreamFifo(stream.payloadType, MemoryAccess.inFlight, latency = 1)
    fifo.io.push << stream
    fifo.io.pop
  }
  private val head = queued(io.ordered)
  // Never more writes between their end and their commit than the queue above holds.
  private val writeEnds = queued(io.writeDone.toStream)

  private val executes = !head.answered
  private val isWrite = executes && head.isOp(Wire.Opcode.WRITE)
  private val isAtomic = executes && head.isAtomic
  private val waits = (isWrite && !writeEnds.valid) || (isAtomic && !io.atomicDone.valid)
  private val failed = (isWrite && writeEnds.payload) || (isAtomic && io.atomicDone.error)

  private val done = head.haltWhen(waits).map { request =>
    val finished = Request(c)
    finished := request
    finished.allowOverride()
    when(executes)(finished.status := Wire.Status.OK)
    when(isAtomic)(finished.result := io.atomicDone.old)
    when(failed)(finished.fail(Wire.Status.MEMERR, Wire.Cause.DRAM))
    finished
  }
  writeEnds.ready := done.fire && isWrite
  io.atomicDone.ready := done.fire && isAtomic
  io.atomicCommitted := io.atomicDone.fire && !io.atomicDone.error
  io.fenceCommitted := done.fire && executes && head.isOp(Wire.Opcode.FENCE)

  private val (finished, freed) = StreamFork2(done)
  io.finished << finished.m2sPipe()
  io.release << freed.takeWhen(faults(MemoryFault.SlotLeaked)(!freed.answered)(True)).map(_.slot).m2sPipe()
}
