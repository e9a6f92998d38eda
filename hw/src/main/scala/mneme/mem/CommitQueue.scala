package mneme.mem

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Lets requests out in arrival order, each when it is done, and frees its packet slot.
  *
  * A read leaves when its turn comes (its payload follows on the payload stream, in the same order), a write and an atomic when memory has acknowledged them,
  * a fence when everything before it has ended.
  */
class CommitQueue(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val requests = slave(Stream(Request(c)))
    /** Writes end in order; true: with an error. */
    val writeDone = slave(Flow(Bool()))
    val atomicDone = slave(Stream(AtomicResult()))
    val fenceDone = in Bool ()
    val finished = master(Stream(Request(c)))
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    /** The oldest request, which arrived in this cycle, has left the queue or will leave it with its slot: there are never more without this than places. */
    val committed = master(Flow(UInt(24 bits)))
    /** One cycle per event. */
    val atomicCommitted, fenceCommitted = out Bool ()
  }

  // Both queues answer after one cycle: each is in the way of every answer.
  private val head = io.requests.map(withoutInputs).lutQueue(MemoryAccess.inFlight(c))
  // Never more writes between their end and their commit than the queue above holds.
  private val writeEnds = io.writeDone.toStream.lutQueue(MemoryAccess.inFlight(c))

  private val work = Work.of(head.payload)
  /** Fences that are done and wait for their turn. */
  private val fences = Reg(UInt(log2Up(MemoryAccess.inFlight(c) + 1) bits)) init 0
  private val waits = (work.write && !writeEnds.valid) || (work.atomic && !io.atomicDone.valid) || (work.fence && fences === 0)
  private val failed = (work.write && writeEnds.payload) || (work.atomic && io.atomicDone.error)

  private val done = head.haltWhen(waits).map { request =>
    val finished = Request(c)
    finished := request
    finished.allowOverride()
    when(!request.answered)(finished.status := Wire.Status.OK)
    when(work.atomic)(finished.result := io.atomicDone.old)
    when(failed)(finished.fail(Wire.Status.MEMERR, Wire.Cause.DRAM))
    finished
  }
  writeEnds.ready := done.fire && work.write
  io.atomicDone.ready := done.fire && work.atomic
  io.atomicCommitted := io.atomicDone.fire && !io.atomicDone.error
  io.fenceCommitted := done.fire && work.fence
  // Whether one leaves is known late, so it only chooses.
  when(io.fenceDone =/= io.fenceCommitted)(fences := Mux(io.fenceDone, fences + 1, fences - 1))

  private val (finished, freed) = StreamFork2(done)
  io.finished << finished.m2sPipe()
  io.committed << finished.toFlowFire.translateWith(finished.time)
  io.release << freed.takeWhen(faults(MemoryFault.SlotLeaked)(!freed.answered)(True)).map(_.slot).m2sPipe()

  /** What nobody behind needs is not stored. */
  private def withoutInputs(request: Request): Request = {
    val kept = Request(c)
    kept := request
    kept.allowOverride()
    Seq(kept.operand0, kept.operand1, kept.address, kept.zeros).foreach(_.clearAll())
    kept
  }
}
