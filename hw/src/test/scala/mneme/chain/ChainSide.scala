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
    /** Whether replies leave. */
    val leaves = in Bool ()
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
  unit.io.mayBegin := True
  private val failures = ChainFailures(k)
  failures.io.replies << replies.io.failed
  failures.io.reader.valid := False
  failures.io.reader.payload := 0
  responder.io.failed << failures.io.pairs
  io.posted << unit.io.posts.asFlow
  io.posted.valid.removeAssignments() := unit.io.posts.fire

  // Replies that are sent again are ChainReplies's own bench's.
  replies.io.looks.ready := False
  replies.io.looked.valid := False
  replies.io.looked.payload.assignDontCare()
  private val sent = replies.io.departures
  sent.ready := io.leaves && !unit.io.ends.valid
  leaf.io.ends.valid := unit.io.ends.valid || (sent.fire && sent.ends)
  leaf.io.ends.payload := unit.io.ends.valid ? unit.io.ends.payload | sent.epoch

  ChainSide.share(unit, leaf, io.request, io.answer)
  io.usable := leaf.io.usable.resized
  io.waiting := leaf.io.waiting.resized
  leaf.io.mem >> io.mem
}

object ChainSide {
  /** A leaf unit for messages, and for the slow path's commands between them. */
  def share(unit: ChainUnit, leaf: LeafUnit, request: Stream[LeafRequest], answer: Stream[LeafAnswer]): Unit = {
    val holds = unit.io.holds
    leaf.io.request.valid := holds ? unit.io.request.valid | request.valid
    leaf.io.request.payload := holds ? unit.io.request.payload | request.payload
    unit.io.request.ready := leaf.io.request.ready && holds
    request.ready := leaf.io.request.ready && !holds
    unit.io.answer.valid := leaf.io.answer.valid && holds
    answer.valid := leaf.io.answer.valid && !holds
    unit.io.answer.payload := leaf.io.answer.payload
    answer.payload := leaf.io.answer.payload
    leaf.io.answer.ready := holds ? unit.io.answer.ready | answer.ready
  }
}
