package mneme.mem

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Sizes of the memory access that no board needs to choose. */
object MemoryAccess {
  /** Requests between issue and commit, and reads whose data is awaited. */
  val inFlight = 64
  /** Atomics under way. */
  val atomics = 64
  /** Size of the blocks within which reads, writes and atomics keep their order: 4 KB, more where a payload could touch three of them. */
  def blockBits(c: CBoardConfig): Int = 12 max log2Up(c.maxPayload)
  /** Beats of returned data that can be held; two bursts of the largest size. */
  val readBeats = 128
  /** Bursts of one direction in flight. */
  val bursts = 64
  /** Beats of payload fetched ahead of the write data channel: covers the round trip to the packet buffer. */
  val fetchBeats = 8
  /** Id bits of an engine. The arbiter puts the engine's number above them: all plain accesses share one id, so that memory keeps their order, and all
    * atomics another.
    */
  val engineIdBits: Int = MemoryBus.MASTER_ID_BITS - 1
}

/** The memory access stage: performs translated requests on DRAM; those that touch the same bytes in arrival order.
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

  // In turn; the arbiters remember whose data and acknowledgements are whose.
  private val readArbiter = Axi4ReadOnlyArbiter(MemoryBus.config(c), 2)
  private val writeArbiter = Axi4WriteOnlyArbiter(MemoryBus.config(c), 2, routeBufferSize = MemoryAccess.atomics)
  readArbiter.io.inputs(0) << read.io.mem
  readArbiter.io.inputs(1) << atomic.io.mem.toReadOnly()
  writeArbiter.io.inputs(0) << write.io.mem
  writeArbiter.io.inputs(1) << atomic.io.mem.toWriteOnly()
  io.mem.ar << readArbiter.io.output.ar
  readArbiter.io.output.r << io.mem.r
  io.mem.aw << writeArbiter.io.output.aw
  io.mem.w << writeArbiter.io.output.w
  writeArbiter.io.output.b << io.mem.b

  /** Errors that are not counted yet: several accesses may end in one cycle, and a counter takes one event per cycle. */
  private val errors = new Area {
    val now = CountOne(
      Seq(
        read.io.done.valid && read.io.done.payload,
        write.io.done.valid && write.io.done.payload,
        atomic.io.results.fire && atomic.io.results.error
      )
    )
    val pending = Reg(UInt(8 bits)) init 0
    val counts = pending =/= 0
    pending := pending + now - counts.asUInt
  }

  private val raised = Map(
    Wire.Counter.MEM_READ_BEATS -> io.mem.r.fire,
    Wire.Counter.MEM_WRITE_BEATS -> io.mem.w.fire,
    Wire.Counter.MEM_ERROR -> errors.counts,
    Wire.Counter.ATOMICS -> commit.io.atomicCommitted,
    Wire.Counter.FENCES -> commit.io.fenceCommitted
  )
  private val events = CounterEvents()
  events := 0
  raised.foreach { case (counter, event) => events(counter) := event }
  io.events := RegNext(events) init 0
}
