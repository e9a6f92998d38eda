package mneme.mem

import mneme.{CBoardConfig, Faults}
import mneme.engine._
import mneme.vm.Translated
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Lets the tokens of a door out in the order of their arrival, each when it is done.
  *
  * A read leaves when its turn comes (its data follow, in the same order), a write and an atomic when memory has acknowledged them, a fence when
  * everything before it has ended: writes and atomics have left before it, and the data of reads are counted.
  */
class CommitQueue(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    /** Never more than contexts. */
    val tokens = slave(Flow(Translated(c)))
    /** Writes end in order; true: with an error. */
    val writeDone = slave(Flow(Bool()))
    val atomicDone = slave(Flow(AtomicResult()))
    /** The last data of a read have come. */
    val readDone = in Bool ()
    val completions = master(Stream(Completion(c)))
    /** Of tokens that are no reads: their generation, as they leave. */
    val ended = master(Flow(Bool()))
    /** The epoch of the same (SplitPage). */
    val endedEpoch = c.leaf generate (out Bits (2 bits))
    /** One cycle per event. */
    val atomicCommitted, fenceCommitted = out Bool ()
  }

  /** Counts reads, with room for twice as many as can be inside. */
  private def readCount = UInt(c.contextBits + 1 bits)

  private case class Waiting() extends Bundle {
    val context = UInt(c.contextBits bits)
    val work = Work()
    val fence = Bool()
    val generation = Bool()
    val report = Report()
    /** The count of reads that came before. */
    val readsBefore = readCount
    val epoch = c.leaf generate Bits(2 bits)
  }

  private val reads = new Area {
    val came, ended = Reg(readCount) init 0
    when(io.tokens.valid && io.tokens.operation === Operation.read)(came := came + 1)
    when(io.readDone)(ended := ended + 1)
  }

  private val arriving = io.tokens.translateWith {
    val waiting = Waiting()
    waiting.context := Place.context(c, io.tokens.place)
    waiting.work := Work.of(io.tokens.operation)
    waiting.fence := io.tokens.fence
    waiting.generation := io.tokens.generation
    waiting.report := io.tokens.report
    waiting.readsBefore := reads.came
    if (c.leaf) waiting.epoch := io.tokens.leaf.epoch
    waiting
  }
  private val head =
    arriving.takeWhen(faults.choose(MemoryFault.EndLost, wrong = io.tokens.operation =/= Operation.nothing, right = True)).toStream.lutQueue(c.contexts)
  private val writeEnds = io.writeDone.toStream.passingQueue(c.contexts)
  private val atomicEnds = io.atomicDone.toStream.passingQueue(c.contexts)

  private val work = head.work
  private val behindReads = faults.choose(MemoryFault.FenceIgnored, wrong = False, right = head.fence && (reads.ended - head.readsBefore).msb)
  private val waits = (work.write && !writeEnds.valid) || (work.atomic && !atomicEnds.valid) || behindReads
  private val failed = (work.write && writeEnds.payload) || (work.atomic && atomicEnds.error)

  private val done = head.haltWhen(waits).map { waiting =>
    val completion = Completion(c)
    completion.context := waiting.context
    completion.report := waiting.report
    when(failed)(completion.report.outcome.fail(Wire.Status.MEMERR, Wire.Cause.DRAM))
    completion.old := atomicEnds.old
    completion
  }
  writeEnds.ready := done.fire && work.write
  atomicEnds.ready := done.fire && work.atomic
  io.atomicCommitted := done.fire && work.atomic && !atomicEnds.error
  io.fenceCommitted := done.fire && head.fence
  io.ended.valid := done.fire && !work.read
  io.ended.payload := head.generation
  if (c.leaf) io.endedEpoch := head.epoch
  io.completions << done.m2sPipe()
}
