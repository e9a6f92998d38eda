package mneme.mem

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Sizes of the memory access that no board needs to choose. */
object MemoryAccess {
  /** Requests between issue and commit, and reads whose data is awaited. */
  val inFlight = 32
  /** Beats of returned data that can be held; two bursts of the largest size. */
  val readBeats = 128
  /** Bursts of one direction in flight. */
  val bursts = 32
  /** Beats of payload fetched ahead of the write data channel: covers the round trip to the packet buffer. */
  val fetchBeats = 8
  /** Ids on the memory port: all plain reads and writes share one, so that memory keeps their order. */
  val plainId = 0
  val atomicId = 1
}

/** The memory access stage: performs translated requests on DRAM, in arrival order.
  *
  * {{{
  * requestsIn → IssueOrder ─┬→ ReadEngine  (splitter → AR; R → buffer → rotator → aligner) → payload
  *                          ├→ WriteEngine (packet slot → rotator → aligner → W; splitter → AW; B)
  *                          ├→ AtomicUnit  (read, compute, write)
  *                          └→ CommitQueue → requestsOut, release
  * }}}
  *
  * `docs/contracts.md` §1 row 20; the hazard rule stands at [[IssueOrder]]. `plantable` adds the switches of [[FaultSwitches]], for benches.
  */
class MemoryAccess(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    /** Translated requests, and those that were answered on the way. */
    val requestsIn = slave(Stream(Request(c)))
    /** The same, finished, strictly in arrival order; `status` is final. */
    val requestsOut = master(Stream(Request(c)))
    /** ceil(length / 64) beats for each read that was not answered, in the order of requestsOut; zero past `length`. */
    val payload = master(Stream(PayloadBeat()))
    /** Fetches the payload of writes. */
    val packet = master(PacketReadPort(c))
    /** Packet slots that are no longer needed; each request's slot once. */
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    val mem = master(Axi4(MemoryBus.config(c)))
    val events = out(CounterEvents())
  }

  val faults = new FaultSwitches(plantable)
  private val issue = new IssueOrder(c, faults)
  private val read = new ReadEngine(c, faults)
  private val write = new WriteEngine(c, faults)
  private val atomic = new AtomicUnit(c, faults)
  private val commit = new CommitQueue(c, faults)

  issue.io.requests << io.requestsIn.s2mPipe()
  read.io.commands << issue.io.reads.s2mPipe()
  write.io.commands << issue.io.writes.s2mPipe()
  atomic.io.commands << issue.io.atomics
  commit.io.ordered << issue.io.ordered
  issue.io.readDone := read.io.done.valid
  issue.io.writeDone := write.io.done.valid
  issue.io.atomicDone := atomic.io.results.fire
  commit.io.writeDone << write.io.done
  commit.io.atomicDone << atomic.io.results

  io.requestsOut << commit.io.finished
  io.release << commit.io.release
  io.payload << read.io.payload
  io.packet <> write.io.packet

  // Atomics run alone, so no arbitration between them and the engines is ever needed beyond a choice of who speaks.
  io.mem.ar << StreamArbiterFactory().lowerFirst.transactionLock.onArgs(atomic.io.mem.ar, read.io.mem.ar)
  io.mem.aw << StreamArbiterFactory().lowerFirst.transactionLock.onArgs(atomic.io.mem.aw, write.io.mem.aw)
  io.mem.w << StreamArbiterFactory().lowerFirst.transactionLock.onArgs(atomic.io.mem.w, write.io.mem.w)
  private val returned = StreamDemux(io.mem.r, forAtomic(io.mem.r.id), 2)
  read.io.mem.r << returned(0)
  atomic.io.mem.r << returned(1)
  private val acknowledged = StreamDemux(io.mem.b, forAtomic(io.mem.b.id), 2)
  write.io.mem.b << acknowledged(0)
  atomic.io.mem.b << acknowledged(1)

  private def forAtomic(id: UInt): UInt = (id === MemoryAccess.atomicId).asUInt

  private val raised = Map(
    Wire.Counter.MEM_READ_BEATS -> io.mem.r.fire,
    Wire.Counter.MEM_WRITE_BEATS -> io.mem.w.fire,
    // Both directions never end in one cycle, nor does an atomic end beside them: no event is lost by the OR.
    Wire.Counter.MEM_ERROR -> ((read.io.done.valid && read.io.done.payload) || (write.io.done.valid && write.io.done.payload) ||
      (atomic.io.results.fire && atomic.io.results.error)),
    Wire.Counter.ATOMICS -> commit.io.atomicCommitted,
    Wire.Counter.FENCES -> commit.io.fenceCommitted
  )
  private val events = CounterEvents()
  events := 0
  raised.foreach { case (counter, event) => events(counter) := event }
  io.events := RegNext(events) init 0
}
