package mneme.rdma

import mneme.engine.{Door, PayloadBeat}
import mneme.leaf.FreeDoor
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import spinal.lib._

/** The side of reliable connections that owns the memory (docs/reference/rdma-port.md): takes requests in their order, accesses memory through a door of the
  * access engine, and says what is to be answered.
  *
  * It does one thing at a time: a command of the slow path, a WRITE that memory has done, a packet that has come, or the next packet of a queue pair that has
  * something to send. So whatever it looks at is as the thing before has left it. The data of READs leave beside.
  *
  * | a packet that has come | cycle |
  * |---|---|
  * | its queue pair is read | 1 |
  * | its region is read | 2 |
  * | it is judged | 3 |
  * | memory is asked, or what it changes is worked out | 4 |
  * | its queue pair is written | 6, or after memory's answer |
  *
  * A WRITE is handed to memory, and its queue pair is written as if it were done ([[RoceWrites]]). What comes behind it is looked at meanwhile: packets of
  * other queue pairs as ever; one of the same queue pair when the engine has granted the WRITE, and only if it is a WRITE, too. All else of that queue
  * pair, and all commands, wait until its WRITEs have ended.
  */
class RoceResponder(val r: RoceConfig) extends Component {
  val io = new Bundle {
    val arrivals = slave(Stream(RoceArrival(r.slots)))
    /** A beat of a packet that has come; the answer comes in the cycle after. */
    val read = master(Flow(StoreBeat(r.slots)))
    val packet = in Bits (512 bits)
    /** Places that are free again. */
    val released = master(Flow(UInt(r.slotBits bits)))
    val departures = master(Stream(RoceDeparture()))
    val payload = master(Stream(PayloadBeat()))
    val door = master(Door(r.c))
    /** Pages that are given up, of a board with a leaf unit. */
    val frees = r.leaf.map(l => master(FreeDoor(l))).orNull
    val orders = slave(Stream(RoceOrder(r)))
    val ordered = master(Flow(RoceAnswer()))
    /** For who gives packets their places ([[RoceOwners]]). */
    val owners = master(Flow(RoceOwner(r.shares)))
    /** What became of a packet, or was sent: a RoceCounter number. */
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
    /** READs and atomics that are still to be answered. */
    val jobs = out UInt (8 bits)
    /** The tables have been emptied. */
    val ready = out Bool ()
    /** Nothing is done, and nothing waits to be sent. */
    val rests = out Bool ()
  }

  object State extends SpinalEnum {
    val empty, idle, load = newElement()
    val judge, act, access, refuse, write = newElement()
    val scan, scanned, skips, compares, matches = newElement()
    val pick, entry, check, answer, answerAccess, emit, fail = newElement()
    val order = newElement()
    val ended, retire = newElement()
    val store = newElement()
    val free = newElement()
  }
  val state = RegInit(State.empty)
  state.simPublic()
  def at(here: SpinalEnumElement[State.type]): Bool = state === here

  /** Queue pairs that have something to send. */
  val turns = RoceTurns(r)
  /** How fast each may. */
  val rates = ReactionPoint(r.queuePairs)

  // --- Tables. Each is read in one cycle and looked at in the next.
  val settingsMem = Mem(QueuePairSettings(), r.queuePairs)
  val stateMem = Mem(QueuePairState(), r.queuePairs)
  val regionMem = Mem(Region(), r.regions)
  val rememberedMem = Mem(Remembered(), r.queuePairs * RoceConfig.REMEMBERED)
  /** Of each queue pair the share of its process; of each share the READs and atomics that are still to be answered. */
  val shareMem = Mem(UInt(r.queuePairBits bits), r.queuePairs)
  val placesMem = Mem(UInt(8 bits), r.queuePairs)

  /** What is done now, and about which queue pair. */
  object Owner extends SpinalEnum {
    val order, arrival, answer, flight, wake = newElement()
  }
  val owner = Reg(Owner())
  val index = Reg(UInt(r.queuePairBits bits))
  val qp = Reg(QueuePairState())
  val settings = Reg(QueuePairSettings())
  val now = CounterFreeRun(BigInt(1) << 32).value
  val jobs = Reg(UInt(8 bits)) init 0
  io.jobs := jobs

  val access = new PacketAccess(r)
  io.door <> access.io.door
  access.io.packet := io.packet
  val packer = new AnswerPacker
  packer.io.data << access.io.data
  // The responder begins an answer only with room for all of its pieces.
  val chunks = StreamFifo(Chunk(), 4 * r.tokens, latency = 1)
  chunks.io.push << access.io.chunks
  packer.io.chunks << chunks.io.pop.m2sPipe()
  io.payload << packer.io.beats
  val departures = StreamFifo(RoceDeparture(), 4, latency = 1)
  // What the transmitter works out of it does not begin at a memory's output.
  io.departures << departures.io.pop.m2sPipe()
  io.rests := at(
    State.idle
  ) && !access.io.held.orR && access.io.commands.ready && !departures.io.pop.valid && !io.departures.valid && !chunks.io.pop.valid && !packer.io.chunks.valid && turns.io.empty && jobs === 0
  departures.io.push.valid := False
  departures.io.push.payload.assignDontCare()

  // --- Counters. A step counts one event, and one more when its queue pair is written.
  val event = io.counted
  event.valid := False
  event.payload.assignDontCare()
  private val later = Reg(Flow(UInt(RoceCounters.BITS bits)))
  later.valid.init(False)
  def count(reason: UInt): Unit = {
    event.valid := True
    event.payload := reason
  }
  def count(reason: Int): Unit = count(U(reason, RoceCounters.BITS bits))
  def countLater(reason: Int): Unit = {
    later.valid := True
    later.payload := reason
  }

  // --- After a reset all rows of all tables are emptied.
  private val sweep = Reg(UInt(log2Up(r.queuePairs max r.regions) bits)) init 0
  io.ready := !at(State.empty)
  val regionWrite = Flow(Region())
  val regionRow = UInt(r.regionBits bits)
  regionWrite.valid := at(State.empty)
  regionWrite.payload.assignDontCare()
  regionWrite.valid.allowOverride()
  regionWrite.payload.valid := False
  regionRow := sweep.resized
  when(at(State.empty)) {
    sweep := sweep + 1
    when(sweep.andR)(state := State.idle)
  }
  val shares = RoceShares(r)
  for (clear <- Seq(turns.io.clear, shares.io.clear)) {
    clear.valid := at(State.empty)
    clear.payload := sweep.resized
  }
  shares.io.seeks := io.orders.valid && io.orders.command === Wire.RoceCommand.CREATE_QUEUE_PAIR
  shares.io.pid := io.orders.settings.pid
  shares.io.ends := io.orders.fire

  /** Beats of data of answers that the transmitter has not taken yet. */
  private val ahead = Reg(UInt(10 bits)) init 0
  val answered = UInt(7 bits)
  answered := 0
  ahead := ahead + answered - io.payload.fire.asUInt

  // --- Who is next.
  /** Packets that come and answers take turns. */
  private val turn = RegInit(False)
  /** A cycle old: nobody but this component fills them, and there is room for what it may have put into them since. */
  val departs = RegNext(departures.io.availability > 1) init False
  private val room = RegNext(departures.io.availability > 1 && chunks.io.availability >= 2 * r.tokens && ahead <= RoceConfig.AHEAD) init False
  private val flies = access.io.held.orR
  /** A WRITE has failed: what was behind it comes to its end before anything else is taken. */
  val draining = RegInit(False)
  when(!flies)(draining := False)
  /** Of each flight its queue pair; which of them are of the one whose packet is looked at. */
  val flightPairs = Vec.fill(r.flights)(Reg(UInt(r.queuePairBits bits)))
  val own = Reg(Bits(r.flights bits))
  private val takesFlight = access.io.over.valid
  private val mayArrive = io.arrivals.valid && access.io.commands.ready && access.io.room && !draining
  private val mayAnswer = turns.io.pop.valid && room && access.io.commands.ready
  /** A queue pair that is to be made waits for its share; everything else goes on meanwhile. */
  private val orders = RegNext(io.orders.valid && !io.orders.ready && (!shares.io.seeks || shares.io.found)) init False
  private val takesOrder = orders && !flies
  private val takesWake = !takesFlight && rates.io.wakes.valid
  private val takesAnswer = !takesFlight && !takesWake && !orders && mayAnswer && (turn || !mayArrive)
  private val takesArrival = !takesFlight && !takesWake && !orders && !takesAnswer && mayArrive
  private val asked = takesOrder ? io.orders.settings.qpn | (takesAnswer ? turns.io.pop.payload.resize(24) | io.arrivals.headers.destQp)
  val nextIndex = takesFlight ? flightPairs(access.io.oldest) | (takesWake ? rates.io.wakes.payload | asked.resize(r.queuePairBits))
  val settingsRead = settingsMem.readSync(nextIndex)
  val stateRead = stateMem.readSync(nextIndex)
  turns.io.pop.ready := at(State.idle) && takesAnswer
  rates.io.wakes.ready := at(State.idle) && takesWake
  when(at(State.idle)) {
    index := nextIndex
    owner := takesFlight ? Owner.flight() | (takesWake ? Owner.wake() | (takesOrder ? Owner.order() | (takesAnswer ? Owner.answer() | Owner.arrival())))
    own := access.io.held & B(flightPairs.map(_ === io.arrivals.headers.destQp.resize(r.queuePairBits)))
    when(takesFlight || takesWake || takesOrder || takesAnswer || takesArrival)(state := State.load)
    when(takesAnswer)(turn := False)
    when(takesArrival)(turn := True)
  }

  // --- Its share, and what its process has to have answered, from the cycle after `load` on.
  val shareRead = shareMem.readSync(nextIndex)
  val share = RegNextWhen(shareRead, at(State.load))
  private val shareHere = at(State.load) ? shareRead | share
  shares.io.of := shareHere
  private val ofProcess = placesMem.readSync(shareHere)
  /** A process may have as many places for READs and atomics as are free, so that there is always one for the next process. */
  private val free = RegNext(U(r.jobs, 8 bits) - jobs)
  val hasJob = ofProcess < free
  private val ofProcessNext = CombInit(ofProcess)
  private val jobsChange = False
  placesMem.write(at(State.empty) ? sweep.resize(r.queuePairBits) | share, ofProcessNext, at(State.empty) || jobsChange)
  when(at(State.empty))(ofProcessNext := 0)
  /** So many more, or fewer, are to be answered. */
  def oneJobMore(): Unit = {
    jobs := jobs + 1
    ofProcessNext := ofProcess + 1
    jobsChange := True
  }
  def fewerJobs(by: UInt): Unit = {
    jobs := jobs - by
    ofProcessNext := ofProcess - by
    jobsChange := True
  }

  // --- The queue pair is there, and names a region.
  when(at(State.load)) {
    qp := stateRead
    settings := settingsRead
    when(owner === Owner.order)(state := State.order)
      .elsewhen(owner === Owner.answer) {
        qp.scheduled := False
        state := State.pick
      }
      .elsewhen(owner === Owner.flight)(state := State.ended)
      .elsewhen(owner === Owner.wake)(state := State.store)
      // The engine has not granted all WRITEs of the queue pair before: it is looked at again.
      .otherwise(state := (own & ~access.io.passed).orR ? State.idle | State.judge)
  }
  /** Of READs and atomics: the place that is looked at. */
  val place = UInt(4 bits)
  val remembered = rememberedMem.readSync(index @@ place)
  val remember = Flow(Remembered())
  remember.valid := False
  remember.payload.assignDontCare()
  val rememberAt = UInt(4 bits)
  rememberedMem.write(index @@ rememberAt, remember.payload, remember.valid)
  place := qp.order(0)
  rememberAt := qp.order(0)
  private val kind = OpcodeKind.of(io.arrivals.headers.opcode)
  private val named = (kind.write && stateRead.running) ? stateRead.rkey | io.arrivals.headers.rkey
  private val key = (owner === Owner.order) ? io.orders.region.key | ((owner === Owner.answer) ? remembered.rkey | named)
  val region = regionMem.readSync(key.asUInt.resize(r.regionBits))
  regionMem.write(regionRow, regionWrite.payload, regionWrite.valid)

  access.io.commands.valid := False
  access.io.commands.payload.assignDontCare()
  io.ordered.valid := False
  io.ordered.payload.assignDontCare()

  // --- Its rate.
  rates.io.pair := index
  /** Its answers wait for its rate. */
  val waits = RegNext(rates.io.holds)
  /** It has been found so when it was its turn: it stands in the queue again when it is woken. */
  private val parks = RegNext(at(State.pick) && qp.valid && !qp.mustNotify && qp.jobs =/= 0 && waits) init False
  rates.io.changes.valid := False
  rates.io.changes.pair := index
  rates.io.changes.cuts := owner =/= Owner.order
  rates.io.changes.cap := (io.orders.rate === 0) ? U(Wire.ROCE_RATE_LINE, RateRow.BITS bits) | io.orders.rate.resized

  // --- The queue pair is written, and stands in the queue when it has something to send.
  private val stores = at(State.store)
  private val enters = qp.hasAnswer && !qp.scheduled && !parks
  private val written = QueuePairState()
  written := qp
  when(enters)(written.scheduled := True)
  when(at(State.empty)) {
    written.valid := False
    written.scheduled := False
  }
  stateMem.write(at(State.empty) ? sweep.resize(r.queuePairBits) | index, written, at(State.empty) || stores)
  turns.io.push.valid := stores && enters
  turns.io.push.share := share
  turns.io.push.pair := index
  io.arrivals.ready := stores && owner === Owner.arrival
  io.orders.ready := stores && owner === Owner.order
  /** The packet that is looked at has been handed to memory: its place is needed longer. */
  val handed = Reg(Bool())
  val flight = Reg(RoceFlight(r))
  access.io.retire := stores && owner === Owner.flight
  io.released.valid := access.io.retire || (io.arrivals.ready && !handed)
  io.released.payload := access.io.retire ? flight.slot | io.arrivals.slot
  when(stores) {
    when(later.valid)(count(later.payload))
    later.valid := False
    state := State.idle
  }

  /** All that waits is forgotten. */
  def forget(): Unit = {
    qp.jobs := 0
    qp.unread := 0
    qp.pending := Pending.none
    fewerJobs(qp.jobs)
  }

  val requests = new RoceRequests(this)
  val answers = new RoceAnswers(this)
  val writes = new RoceWrites(this)
  val slow = new RoceOrders(this)
  val freeing: Option[RoceFreeing] = r.leaf.map(l => new RoceFreeing(this, l))
  io.read << access.io.read
  // It reads while no WRITE does.
  for (own <- freeing) when(at(State.free)) {
    io.read.valid := own.reads.valid
    io.read.payload := own.reads.payload
  }
}

object RoceResponder {
  /** An acknowledge that counts no credits. */
  def ACK: Bits = B(0x1f, 8 bits)
}
