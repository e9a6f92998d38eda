package mneme.chain

import mneme.MemoryBus
import mneme.leaf._
import mneme.rdma.{RoceArrival, RoceDeparture, StoreBeat}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4

/** All of chains but the port: responder, arguments, unit, replies and leaf unit, as a board will join them. The slow path's commands to the leaf unit
  * come between messages.
  */
case class ChainSide(k: ChainConfig, slots: Int, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val arrivals = slave(Stream(RoceArrival(slots)))
    val read = master(Stream(StoreBeat(slots)))
    val packet = in Bits (512 bits)
    val released = master(Stream(UInt(log2Up(slots) bits)))
    val departures = master(Stream(RoceDeparture()))
    val frames = master(FrameDoor(k.l.c))
    val orders = slave(Stream(ChainOrder(k)))
    val ordered = master(Flow(ChainAnswer()))
    val counted = master(Flow(UInt(mneme.rdma.RoceCounters.BITS bits)))
    val events = out(ChainArrivalEvents())
    val done = out(ChainEvents())
    val ready, rests = out Bool ()
    /** Replies that the unit has posted. */
    val posted = master(Flow(ReplyPost(k)))
    /** Whether replies leave; that a packet of one does. */
    val leaves = in Bool ()
    val leaving = out Bool ()
    val time = in UInt (ChainConfig.TIME_BITS bits)
    val request = slave(Stream(LeafRequest(k.l)))
    val answer = master(Stream(LeafAnswer(k.l)))
    val usable, waiting = out UInt (k.l.countBits bits)
    val mem = master(Axi4(MemoryBus.config(k.l.c)))
  }
  val responder = ChainResponder(k, slots, notificationGap = 1 << 30, plantable = plantable)
  val plantedFaults: Option[Bits] = responder.plantedFaults.map(inner => {
    val outer = in(Bits(widthOf(inner) bits)).setName("plantedFaults")
    inner := outer
    outer
  })
  private val (fields, unit, replies, leaf) = (ChainFields(k), ChainUnit(k), ChainReplies(k), LeafUnit(k.l))
  responder.io.arrivals << io.arrivals
  responder.io.read >> io.read
  responder.io.packet := io.packet
  responder.io.released >> io.released
  responder.io.owners.freeRun()
  responder.io.departures >> io.departures
  responder.io.frames <> io.frames
  responder.io.orders << io.orders
  responder.io.ordered >> io.ordered
  responder.io.counted >> io.counted
  io.events := responder.io.events
  io.done := unit.io.events
  io.ready := responder.io.ready
  io.rests := responder.io.rests && replies.io.idle

  ChainPort.join(responder, fields, unit, replies)
  replies.io.time := io.time
  private val failures = ChainFailures(k)
  failures.io.replies << replies.io.failed
  failures.io.reader.valid := False
  failures.io.reader.payload := 0
  responder.io.failed << failures.io.pairs
  io.posted << unit.io.posts.asFlow
  io.posted.valid.removeAssignments() := unit.io.posts.fire

  private val turns = ChainLeafTurns(k)
  ChainPort.join(unit, replies, turns)
  private val sent = replies.io.departures
  sent.ready := io.leaves
  io.leaving := sent.fire && sent.sends
  turns.io.readerEnds.valid := sent.fire && sent.ends
  turns.io.readerEnds.payload := sent.epoch
  ChainSide.share(turns.io.leaf, leaf, io.request, io.answer)
  io.usable := leaf.io.usable.resized
  io.waiting := leaf.io.waiting.resized
  leaf.io.mem >> io.mem
}

object ChainSide {
  /** A leaf unit for chains, and for the slow path's commands, which come between messages: none begins while one waits. */
  def share(chains: ChainLeafDoor, leaf: LeafUnit, request: Stream[LeafRequest], answer: Stream[LeafAnswer]): Unit = {
    val commands = RegInit(False)
    chains.mayBegin := !request.valid && !commands
    when(request.valid && RegNext(request.valid, False) && !chains.holds)(commands := True)
    when(answer.fire)(commands := False)
    leaf.io.request.valid := commands ? request.valid | chains.request.valid
    leaf.io.request.payload := commands ? request.payload | chains.request.payload
    request.ready := leaf.io.request.ready && commands
    chains.request.ready := leaf.io.request.ready && !commands
    answer.valid := leaf.io.answer.valid && commands
    chains.answer.valid := leaf.io.answer.valid && !commands
    answer.payload := leaf.io.answer.payload
    chains.answer.payload := leaf.io.answer.payload
    leaf.io.answer.ready := commands ? answer.ready | chains.answer.ready
    leaf.io.ends << chains.ends
  }
}
