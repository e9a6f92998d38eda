package mneme.mem

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Sizes of the memory access that no board needs to choose. */
object MemoryAccess {
  /** Requests between arrival and commit, and reads whose payload has not left. */
  def inFlight(c: CBoardConfig): Int = places(c)
  /** Bursts in flight; an access over a 4 KB border has one in each block. Reads that wait for room hold theirs, and must leave some to the writes
    * behind them: as many as requests that can be on the board.
    */
  def places(c: CBoardConfig): Int = c.packetSlots max 64
  /** Bits by which blocks are told apart: 64 bursts in flight look like one more block once in a thousand times. */
  val keyBits = 16
  /** Lines of the largest burst, 4 KB. */
  val burstBeats = 64
  /** Beats of returned data that can be held by default: 29 reads of MTU 9000, so that egress seldom waits for one after a row of writes. */
  val readBeats = 4096
  /** Beats of reads that memory has been asked for: enough for an answer after 500 cycles. Walks and atomics stand behind no more of them. */
  val askedBeats = 512
  /** Beats of payload fetched ahead of the write data channel: covers the round trip to the packet buffer. */
  val fetchBeats = 8
  /** AXI ids: all plain accesses share one, so that memory keeps their order, and all atomics another. */
  val PLAIN_ID = 0
  val ATOMIC_ID = 1

  private[mem] def sent(c: CBoardConfig, started: Flow[StartedBurst]): Flow[SentBurst] = started.translateWith {
    val sent = SentBurst(c)
    sent.place := started.place
    sent.last := started.burst.last
    sent
  }
}

/** The memory access stage: performs translated requests on DRAM; those that touch the same bytes in arrival order.
  *
  * {{{
  * requestsIn ─┬→ CommitQueue → requestsOut, release
  *             ├→ IssueOrder: bursts that may go, to the engines
  *             ├→ ReadEngine  (AR; R → buffer → rotator → aligner) → payload
  *             ├→ WriteEngine (packet slot → rotator → aligner → W; AW; B)
  *             └→ AtomicUnit  (compute; its reads and writes go through the engines)
  * }}}
  *
  * `docs/contracts.md` §1 row 20; what must keep its order stands at [[OrderGate]]. `plantable` adds the switches of [[FaultSwitches]], for benches;
  * `readBeats` are the beats of returned data that can be held.
  */
class MemoryAccess(c: CBoardConfig, plantable: Boolean = false, readBeats: Int = MemoryAccess.readBeats) extends Component {
  val io = new Bundle {
    /** Translated requests, and those that were answered on the way. Ready comes from registers. */
    val requestsIn = slave(Stream(Request(c)))
    /** The same, finished, strictly in arrival order; `status` is final. Operands, address and `zeros` are 0 from here. */
    val requestsOut = master(Stream(Request(c)))
    /** ceil(length / 64) beats for each read that was not answered, in the order of requestsOut; zero past `length`. */
    val payload = master(Stream(PayloadBeat()))
    /** Fetches the payload of writes. */
    val packet = master(PacketReadPort(c))
    /** Packet slots that are no longer needed; each request's slot once. */
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    val mem = master(Axi4(MemoryBus.config(c)))
    /** The oldest request, which arrived in this cycle, is done; at most `inFlight` are not. It leaves on requestsOut in a later cycle. */
    val committed = master(Flow(UInt(24 bits)))
    val events = out(CounterEvents())
  }

  val faults = new FaultSwitches(plantable)
  private val issue = new IssueOrder(c, faults)
  private val read = new ReadEngine(c, readBeats, faults)
  private val write = new WriteEngine(c, faults)
  private val atomic = new AtomicUnit(c, faults)
  private val commit = new CommitQueue(c, faults)

  /** A request enters the commit queue and all that it needs in one cycle. Only what may be full by itself is asked. */
  private val arrival = new Area {
    val request = io.requestsIn.payload
    val work = Work.of(request)
    val lastByte = (request.length - 1).resize(log2Up(c.maxPayload))
    val accesses = Stream(Access(c))
    io.requestsIn.ready := commit.io.requests.ready && read.io.commands.ready && accesses.ready
    val fires = io.requestsIn.fire

    commit.io.requests.valid := fires
    commit.io.requests.payload := request

    val fromMemory = work.read && !request.zeros
    accesses.valid := fires && (fromMemory || work.write || work.atomic || work.fence)
    accesses.work := work
    accesses.address := request.address
    accesses.lastByte := lastByte
    // Not from lastByte: this is the long way into OrderGate.
    accesses.single := request.length(15 downto 7) === 0 && (request.address(5 downto 0) +^ request.length(6 downto 0)) <= 64

    val extent = Extent(c)
    extent.offset := request.address(5 downto 0)
    extent.lastByte := lastByte
    read.io.commands.valid := fires && work.read
    read.io.commands.extent := extent
    read.io.commands.zeros := request.zeros
    write.io.commands.valid := fires && work.write
    write.io.commands.extent := extent
    write.io.commands.line := request.address(11 downto 6)
    write.io.commands.slot := request.slot
    atomic.io.commands.valid := fires && work.atomic
    atomic.io.commands.word := request.address.drop(3).asUInt
    atomic.io.commands.operand0 := request.operand0
    atomic.io.commands.operand1 := request.operand1
    atomic.io.commands.op := AtomicOp.swap
    when(request.isOp(Wire.Opcode.COMPARE_SWAP))(atomic.io.commands.op := AtomicOp.compareSwap)
    when(request.isOp(Wire.Opcode.FETCH_ADD))(atomic.io.commands.op := AtomicOp.fetchAdd)
  }

  issue.io.accesses << arrival.accesses.s2mPipe()
  for ((end, freed) <- issue.io.ended.zip(Seq(read.io.freed, write.io.freed, atomic.io.freed))) end << freed
  read.io.started << issue.io.started
  write.io.started << issue.io.started
  atomic.io.started << issue.io.started
  atomic.io.returned << read.io.atomicReturned
  write.io.atomicLines << atomic.io.lines
  write.io.atomicWords << atomic.io.words
  atomic.io.stored << write.io.atomicDone
  commit.io.writeDone << write.io.done
  commit.io.atomicDone << atomic.io.results
  commit.io.fenceDone := issue.io.started.valid && issue.io.started.burst.work.fence

  io.requestsOut << commit.io.finished
  io.release << commit.io.release
  io.committed << commit.io.committed
  io.payload << read.io.payload
  io.packet <> write.io.packet
  io.mem << read.io.mem
  io.mem << write.io.mem

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
