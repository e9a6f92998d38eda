package mneme.chain

import mneme.Faults
import mneme.rdma._
import spinal.core._
import spinal.lib._

/** Takes packets of chain queue pairs: SENDs in their order, and what a peer answers to replies. The golden model is `mneme_rdma::responder` with messages that
  * memory executes.
  *
  * An example. A store of 4,160 bytes comes in five packets of path MTU 1,024. The first one has the arguments: `ChainFields` takes them out, `ChainUnit` names
  * a frame, and the packet's other 960 bytes go there. The next four bring the rest. When memory has all of it the unit is told, the reply is posted, and
  * the last packet is acknowledged. Between the packets those of other queue pairs are done. Where the next packet lets wait for itself, the access to the
  * page's frame ends, and begins again with that packet.
  *
  * It does one thing at a time: packets whose bytes memory has, replies that have failed, commands, a packet that has come, or the next departure of a queue pair.
  * Only bytes on their way to frames go beside. What comes of the same queue pair waits for them, unless it is the next packet of that page.
  *
  * `numbers`: the bit that the numbers of its queue pairs have, if they are told from others by one.
  */
case class ChainResponder(k: ChainConfig, slots: Int = 32, notificationGap: Int = 12500, numbers: Option[Int] = None, plantable: Boolean = false)
    extends Component {
  val io = new Bundle {
    /** Packets of chain queue pairs; all others go elsewhere. */
    val arrivals = slave(Stream(RoceArrival(slots)))
    /** A beat of a packet that has come: the answer comes in the cycle after it is taken. Until then it may become another one. */
    val read = master(Stream(StoreBeat(slots)))
    val packet = in Bits (512 bits)
    /** Places that are free again. */
    val released = master(Stream(UInt(log2Up(slots) bits)))
    val departures = master(Stream(RoceDeparture()))
    val frames = master(FrameDoor(k.l.c))
    val orders = slave(Stream(ChainOrder(k)))
    val ordered = master(Flow(ChainAnswer()))
    /** A queue pair is made, or destroyed: taken within some cycles. */
    val owners = master(Stream(ChainOwner(k)))

    /** `ChainFields`. */
    val rows = master(Flow(ChainFieldWrite(k)))
    val secrets = master(Flow(ChainSecretsWrite(k)))
    val fields = master(Stream(UInt(k.pairBits bits)))
    val beats = master(Stream(Bits(512 bits)))
    val arguments = slave(Stream(ChainArguments(k)))
    /** `ChainUnit`. */
    val settings = master(Flow(ChainSettingsWrite(k)))
    val messages = master(Stream(ChainMessage(k)))
    val pages = master(Stream(ChainPage(k)))
    val told = slave(Stream(ChainTold(k)))
    /** `ChainReplies`. */
    val commands = master(Stream(ReplyCommand(k)))
    val acks = master(Stream(ReplyAck(k)))
    /** A congestion notification; one that finds no room is lost. */
    val notified = master(Flow(UInt(k.pairBits bits)))
    val mayNotify = in Bool ()
    /** Queue pairs whose replies have failed ([[ChainFailures]]): taken when they have ended. */
    val failed = slave(Stream(UInt(k.pairBits bits)))

    /** What became of a packet, or was sent: a RoceCounter number. */
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
    val events = out(ChainArrivalEvents())
    /** The tables have been emptied. */
    val ready = out Bool ()
    /** Nothing is done, and nothing waits to be sent. */
    val rests = out Bool ()
  }
  val plantedFaults: Option[Bits] = Faults.port(ChainArrivalFault, plantable)
  val planted = new Faults[ChainArrivalFault.Value](plantedFaults)

  object State extends SpinalEnum {
    val empty, idle, load = newElement()
    val judge, act, arguments, told, move, page, write, refuse, reply = newElement()
    val flight, end, command, gone, pick, order, rows, store = newElement()
  }
  val state = RegInit(State.empty)
  def at(here: State.E): Bool = state === here

  /** What is done now, and about which queue pair. */
  object Owner extends SpinalEnum {
    val flight, failure, order, arrival, answer = newElement()
  }
  val owner = Reg(Owner())
  val index = Reg(UInt(k.pairBits bits))
  val qp = Reg(ChainPairState(k))
  val row = Reg(ChainPairRow(k))
  def pair: ChainPair = row.pair
  private val rowMem = Mem(ChainPairRow(k), k.pairs).addAttribute("ram_style", "block")
  private val stateMem = Mem(ChainPairState(k), k.pairs).addAttribute("ram_style", "block")
  val now = CounterFreeRun(BigInt(1) << 32).value

  val turns = RoceTurns(k.turns)
  val shares = RoceShares(k.turns)
  val writes = FrameWrites(k, slots)
  io.frames <> writes.io.frames
  writes.io.packet := io.packet
  val departures = StreamFifo(RoceDeparture(), 4, latency = 1)
  io.departures << departures.io.pop.m2sPipe()
  departures.io.push.valid := False
  departures.io.push.payload.assignDontCare()
  /** A cycle old: nobody but this component fills it. */
  val departs = RegNext(departures.io.availability > 1) init False

  // --- Counters. A step counts one event, and one more when its queue pair is written.
  private val later = Reg(Flow(UInt(RoceCounters.BITS bits)))
  later.valid.init(False)
  io.counted.valid := False
  io.counted.payload.assignDontCare()
  def count(reason: UInt): Unit = {
    io.counted.valid := True
    io.counted.payload := reason
  }
  def count(reason: Int): Unit = count(U(reason, RoceCounters.BITS bits))
  def countLater(reason: Int): Unit = {
    later.valid := True
    later.payload := reason
  }
  val events = ChainArrivalEvents()
  for ((_, event) <- events.elements) event.asInstanceOf[Bool] := False
  io.events := RegNext(events)

  // --- After a reset all rows of all tables are emptied.
  private val sweep = Reg(UInt(k.pairBits bits)) init 0
  io.ready := !at(State.empty)
  when(at(State.empty)) {
    sweep := sweep + 1
    when(sweep.andR)(state := State.idle)
  }
  for (clear <- Seq(turns.io.clear, shares.io.clear)) {
    clear.valid := at(State.empty)
    clear.payload := sweep
  }

  // --- Who is next. Packets that come and departures take turns.
  private val releases = RegInit(False)
  private val place = Reg(UInt(log2Up(slots) bits))
  when(io.released.ready)(releases := False)
  io.released.valid := releases
  io.released.payload := place
  private val order = io.orders.payload
  private val creates = order.command === ChainCommand.CREATE
  shares.io.seeks := io.orders.valid && creates
  shares.io.pid := order.settings.pid
  shares.io.ends := io.orders.fire
  private val turn = RegInit(False)
  private val orders = RegNext(io.orders.valid && !io.orders.ready && (!creates || shares.io.found)) init False
  private val flies = writes.io.held.orR
  private val takesFlight = writes.io.over.valid && !releases
  private val takesFailure = io.failed.valid
  private val takesOrder = orders && !flies
  private val mayArrive = io.arrivals.valid && writes.io.commands.ready && !releases
  private val mayAnswer = turns.io.pop.valid && departs
  private val quiet = !takesFlight && !takesFailure && !orders
  private val takesAnswer = quiet && mayAnswer && (turn || !mayArrive)
  val takesArrival = quiet && !takesAnswer && mayArrive
  /** Of each packet on its way to memory its queue pair; which of them are of this one, and whether one is its message's last. */
  private val flightPairs = Vec.fill(FrameWrites.FLIGHTS)(Reg(UInt(k.pairBits bits)))
  private val flightSlots = Vec.fill(FrameWrites.FLIGHTS)(Reg(UInt(log2Up(slots) bits)))
  private val flightEnds, flightAsks = Reg(Bits(FrameWrites.FLIGHTS bits))
  private val own = Reg(Bits(FrameWrites.FLIGHTS bits))
  private val oldest = writes.io.oldest
  private val asked = takesOrder ? order.pair.qpn.resize(k.pairBits) | (takesAnswer ? turns.io.pop.payload | io.arrivals.headers.destQp.resize(k.pairBits))
  val nextIndex = takesFlight ? flightPairs(oldest) | (takesFailure ? io.failed.payload | asked)
  private val rowRead = rowMem.readSync(nextIndex)
  private val stateRead = stateMem.readSync(nextIndex)
  turns.io.pop.ready := at(State.idle) && takesAnswer
  when(at(State.idle)) {
    index := nextIndex
    owner := Owner.arrival
    when(takesAnswer)(owner := Owner.answer)
    when(takesOrder)(owner := Owner.order)
    when(takesFailure)(owner := Owner.failure)
    when(takesFlight)(owner := Owner.flight)
    own := writes.io.held & B(flightPairs.map(_ === nextIndex))
    when(takesFlight || takesFailure || takesOrder || takesAnswer || takesArrival)(state := State.load)
    when(takesAnswer)(turn := False)
    when(takesArrival)(turn := True)
  }
  private val nothing = !flies && !releases && !io.failed.valid && !departures.io.pop.valid && !io.departures.valid && turns.io.empty
  io.rests := at(State.idle) && nothing && !io.arrivals.valid

  // --- The queue pair is there.
  private val waits = own.orR
  when(at(State.load)) {
    qp := stateRead
    row := rowRead
    switch(owner) {
      is(Owner.flight)(state := State.flight)
      is(Owner.failure)(state := waits ? State.idle | State.end)
      is(Owner.order)(state := State.order)
      is(Owner.arrival)(state := State.judge)
      is(Owner.answer) {
        qp.scheduled := False
        state := State.pick
      }
    }
  }
  shares.io.of := row.share

  val arrival = io.arrivals.payload
  /** Of the packet that memory has: whether it is its message's last one, and asks for an acknowledge. */
  private val flightLast = Reg(Bool())
  private val flightAsk = Reg(Bool())
  val asks = (owner === Owner.flight) ? flightAsk | arrival.headers.ackRequest
  /** Others of this queue pair's packets are on their way; the last one of its message is. */
  def isWriting: Bool = waits
  def isClosing: Bool = (own & flightEnds).orR
  val message = new ChainArrivals(this)
  val slow = new ChainOrders(this)
  rowMem.write(index, slow.written, slow.writes)

  // --- Packets on their way to memory.
  private val handed = writes.io.commands.fire
  when(handed) {
    flightPairs(writes.io.next) := index
    flightSlots(writes.io.next) := arrival.slot
    flightEnds(writes.io.next) := message.j.ends
    flightAsks(writes.io.next) := arrival.headers.ackRequest
  }
  when(at(State.load)) {
    flightLast := flightEnds(oldest)
    flightAsk := flightAsks(oldest)
  }
  when(at(State.flight)) {
    when(writes.io.over.payload && planted.choose(ChainArrivalFault.FailureForgotten, wrong = False, right = True))(qp.failed := True)
    state := State.store
    when(flightLast && planted.choose(ChainArrivalFault.DoneEarly, wrong = False, right = True))(message.tellsPage(ChainPageEnd.WRITTEN))
  }
  /** The packet has been handed to memory: its place is needed longer. */
  private val keeps = RegInit(False)
  when(handed)(keeps := True)
  // --- Frames that anybody gives up wait for accesses. So that of a store ends when memory has all that has come of it. Where its queue pair's next
  // packet waits already, that one's end decides again: a store whose packets come one behind the other has one access.
  private val others = own & ~((owner === Owner.flight) ? UIntToOh(oldest, FrameWrites.FLIGHTS) | B(0, FrameWrites.FLIGHTS bits))
  private val follows = owner =/= Owner.arrival && io.arrivals.valid && io.arrivals.headers.destQp.resize(k.pairBits) === index
  private val rests = qp.open && qp.running && !others.orR && !keeps && !follows
  private val pauses = at(State.store) && planted.choose(ChainArrivalFault.PauseForgotten, wrong = False, right = rests)
  when(pauses)(message.tellsPage(ChainPageEnd.PAUSED))
  // --- The queue pair is written, and stands in the queue when it has something to send.
  private val stores = at(State.store) && !pauses
  private val enters = qp.hasAnswer && !qp.scheduled
  private val written = ChainPairState(k)
  written := qp
  when(enters)(written.scheduled := True)
  when(at(State.empty)) {
    written.valid := False
    written.scheduled := False
    // Also packets and commands that name nobody write a row.
    written.open := False
  }
  stateMem.write(at(State.empty) ? sweep | index, written, at(State.empty) || stores)
  turns.io.push.valid := stores && enters
  turns.io.push.share := row.share
  turns.io.push.pair := index
  io.arrivals.ready := stores && owner === Owner.arrival
  io.orders.ready := stores && owner === Owner.order
  io.failed.ready := stores && owner === Owner.failure
  writes.io.retire := stores && owner === Owner.flight
  when(stores) {
    keeps := False
    when(later.valid)(count(later.payload))
    later.valid := False
    when(writes.io.retire || (io.arrivals.ready && !keeps)) {
      releases := True
      place := writes.io.retire ? flightSlots(oldest) | arrival.slot
    }
    state := State.idle
  }
}
