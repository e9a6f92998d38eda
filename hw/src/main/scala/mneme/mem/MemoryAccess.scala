package mneme.mem

import mneme._
import mneme.engine._
import mneme.vm.Translated
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Sizes of the memory access that no board needs to choose. */
object MemoryAccess {
  /** Bits by which blocks are told apart: 64 bursts in flight look like one more block once in a thousand times. */
  val keyBits = 16
  /** Lines of the largest burst, 4 KB. */
  val burstBeats = 64
  /** Beats of reads that memory has been asked for: enough for an answer after 500 cycles. Walks and atomics stand behind no more of them. */
  val askedBeats = 512
  /** Beats of data fetched ahead of the write data channel: covers the round trip to the door. A LUTRAM of 32 costs no more than one of 8. */
  val fetchBeats = 16
  /** AXI ids: all plain accesses share one, so that memory keeps their order, and all atomics another. */
  val PLAIN_ID = 0
  val ATOMIC_ID = 1

  private[mem] def sent(c: CBoardConfig, started: Flow[StartedBurst]): Flow[SentBurst] = started.translateWith {
    val sent = SentBurst(c)
    sent.place := started.place
    sent.owner := started.burst.owner
    sent.last := started.burst.last
    sent
  }
}

/** Performs translated tokens on DRAM; those that touch the same bytes in the order of arrival.
  *
  * {{{
  * tokens ─┬→ CommitQueue of the door → completions
  *         ├→ IssueOrder: bursts that may go, to the engines
  *         ├→ ReadEngine  (AR; R → rotator → aligner → buffer of the door) → payload
  *         ├→ WriteEngine (data of the door → rotator → aligner → W; AW; B)
  *         └→ AtomicUnit  (compute; its reads and writes go through the engines)
  * }}}
  *
  * `docs/reference/contracts.md` §1 row 20; what must keep its order stands at [[OrderGate]]. `plantable` adds switches of planted faults, for benches.
  */
class MemoryAccess(c: CBoardConfig, plantable: Boolean = false) extends Component {
  /** Doors whose tokens are translated: all, but for that of frames. */
  private val translated = if (c.framesDoor) c.doors - 1 else c.doors
  val io = new Bundle {
    /** Ready comes from a register. */
    val tokens = slave(Stream(Translated(c)))
    val doors = Vec(master(DoorData(c)), c.doors)
    val mem = master(Axi4(MemoryBus.config(c)))
    /** Translated tokens whose accesses have ended, by generation: reads when their data are here, others when they complete. */
    val retired = out Vec (UInt(log2Up(translated + 2) bits), 2)
    /** The same of accesses to split pages, by the leaf unit's epoch. */
    val epochs = c.leaf generate (out Vec (UInt(log2Up(translated + 2) bits), 2))
    /** A translated read that met an error, of which the completion may have said nothing. */
    val failedRead = master(Flow(ReadCommand(c)))
    val events = out(CounterEvents())
  }

  val plantedFaults = Faults.port(MemoryFault, plantable)
  private val faults = new Faults[MemoryFault.Value](plantedFaults)
  private val issue = new IssueOrder(c, faults)
  private val read = new ReadEngine(c, faults)
  private val write = new WriteEngine(c, faults)
  private val atomic = new AtomicUnit(c, faults)
  private val commits = Seq.fill(c.doors)(new CommitQueue(c, faults))

  /** A token enters its door's commit queue and all that it needs in one cycle. Places bound them all, so only the order of accesses is asked. */
  private val arrival = new Area {
    val token = io.tokens.payload
    val work = Work.of(token.operation)
    val door = Place.door(c, token.place)
    val lastByte = (token.length - 1).resize(log2Up(c.maxPayload))
    val accesses = Stream(Access(c))
    io.tokens.ready := accesses.ready
    val fires = io.tokens.fire

    for ((commit, i) <- commits.zipWithIndex) {
      commit.io.tokens.valid := fires && door(i)
      commit.io.tokens.payload := token
    }
    accesses.valid := fires && token.operation =/= Operation.nothing
    accesses.work := work
    accesses.owner.door := door
    accesses.owner.generation := token.generation
    if (c.leaf) {
      accesses.owner.epoch := token.leaf.epoch
      accesses.next := token.leaf.next
    }
    accesses.address := token.address
    accesses.lastByte := lastByte
    // Not from lastByte: this is the long way into OrderGate.
    accesses.single := token.length(15 downto 7) === 0 && (token.address(5 downto 0) +^ token.length(6 downto 0)) <= 64

    for ((commands, i) <- read.io.commands.zipWithIndex) {
      commands.valid := fires && work.read && door(i)
      commands.address := token.address
      commands.lastByte := lastByte
      if (c.leaf) commands.next := token.leaf.next
    }
    write.io.commands.valid := fires && work.write
    write.io.commands.extent.offset := token.address(5 downto 0)
    write.io.commands.extent.lastByte := lastByte
    write.io.commands.line := token.address(11 downto 6)
    write.io.commands.place := token.place
    write.io.commands.dataOffset := token.dataOffset
    write.io.commands.findLastFetched()
    atomic.io.commands.valid := fires && work.atomic
    atomic.io.commands.word := token.address.drop(3).asUInt
    atomic.io.commands.place := token.place
    atomic.io.commands.op := AtomicOp.swap
    when(token.operation === Operation.compareSwap)(atomic.io.commands.op := AtomicOp.compareSwap)
    when(token.operation === Operation.fetchAdd)(atomic.io.commands.op := AtomicOp.fetchAdd)
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

  for (((commit, door), i) <- commits.zip(io.doors).zipWithIndex) {
    commit.io.writeDone << write.io.done.takeWhen(write.io.done.owner.door(i)).translateWith(write.io.done.error)
    commit.io.atomicDone << atomic.io.results(i)
    commit.io.readDone := read.io.done.valid && read.io.done.owner.door(i)
    door.completions << commit.io.completions
    door.payload << read.io.payload(i)
    door.fetch << write.io.fetch(i)
    write.io.fetched(i) << door.fetched
    door.operandsOf := Place.context(c, atomic.io.operandsOf)
  }
  private val operandsDoor = RegNext(Place.door(c, atomic.io.operandsOf))
  atomic.io.operands := MuxOH.or(operandsDoor, io.doors.map(_.operands), bypassIfSingle = true)
  io.failedRead << read.io.failed
  io.mem << read.io.mem
  io.mem << write.io.mem

  private def readDone: Flow[AccessEnd] =
    if (c.framesDoor) read.io.done.throwWhen(faults.choose(MemoryFault.FramesRetire, wrong = False, right = read.io.done.owner.door.msb)) else read.io.done
  private val readEnd = readDone.translateWith(read.io.done.owner.generation)
  for ((count, of) <- io.retired.zipWithIndex)
    count := CountOne((commits.take(translated).map(_.io.ended) :+ readEnd).map(end => end.valid && end.payload === Bool(of == 1))).resized
  if (c.leaf) for ((count, of) <- io.epochs.zipWithIndex)
    count := CountOne(commits.map(commit => commit.io.ended.valid && commit.io.endedEpoch(of)) :+ (read.io.done.valid && read.io.done.owner.epoch(of))).resized

  private val errors = Seq(read.io.done, write.io.done).map(end => end.valid && end.error) ++ atomic.io.results.map(r => r.valid && r.error)

  private val raised = Map(
    Wire.Counter.MEM_READ_BEATS -> io.mem.r.fire,
    Wire.Counter.MEM_WRITE_BEATS -> io.mem.w.fire,
    Wire.Counter.MEM_ERROR -> oneByOne(errors),
    Wire.Counter.ATOMICS -> oneByOne(commits.map(_.io.atomicCommitted)),
    Wire.Counter.FENCES -> oneByOne(commits.map(_.io.fenceCommitted))
  )
  private val events = CounterEvents()
  events := 0
  raised.foreach { case (counter, event) => events(counter) := event }
  io.events := RegNext(events) init 0
}
