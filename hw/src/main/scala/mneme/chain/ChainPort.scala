package mneme.chain

import mneme.engine.PayloadBeat
import mneme.rdma._
import spinal.core._
import spinal.lib._

/** What chains count beside RoceCounter's numbers, one a cycle each. */
case class ChainPortEvents() extends Bundle {
  val arrivals = ChainArrivalEvents()
  val messages = ChainEvents()
  val replies = ReplyEvents()
}

/** ODRP's chains at a RoCEv2 port (docs/reference/rdma-chains-hw.md).
  *
  * {{{
  * arrivals → ChainResponder ⇄ ChainFields, ChainUnit → ChainReplies → ReplyReader → replies
  *               ↓ acknowledges           ↕ leaf unit                     ↕ frames, by FrameTurns
  * }}}
  *
  * It assembles. Besides, a queue pair is made only when packets of the one that had its place before have left: memory may yet fail under them, which would
  * end the new one.
  */
case class ChainPort(k: ChainConfig, slots: Int = 32, notificationGap: Int = 12500, numbers: Option[Int] = None) extends Component {
  private val needs = ChainPort.contexts(k.l.c.maxPayload)
  require(k.l.c.contexts >= needs, s"chains need a door of frames with $needs contexts, not ${k.l.c.contexts}")
  val io = new Bundle {
    /** As [[ChainResponder]] has them. */
    val arrivals = slave(Stream(RoceArrival(slots)))
    val read = master(Stream(StoreBeat(slots)))
    val packet = in Bits (512 bits)
    val released = master(Stream(UInt(log2Up(slots) bits)))
    /** As [[ChainResponder]] has them. */
    val owners = master(Stream(ChainOwner(k)))
    val acknowledges = master(Stream(RoceDeparture()))
    /** As [[ReplyReader]] has them. */
    val replies = master(Stream(RoceDeparture(writes = true)))
    val payload = master(Stream(PayloadBeat()))
    val frames = master(FrameDoor(k.l.c))
    val leaf = master(ChainLeafDoor(k.l))
    val orders = slave(Stream(ChainOrder(k)))
    val ordered = master(Flow(ChainAnswer()))
    val time = in UInt (ChainConfig.TIME_BITS bits)
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
    val events = out(ChainPortEvents())
    val ready, rests = out Bool ()
  }
  val responder = ChainResponder(k, slots, notificationGap, numbers)
  val fields = ChainFields(k)
  val unit = ChainUnit(k)
  val replies = ChainReplies(k)
  val reader = ReplyReader(k)
  val failures = ChainFailures(k)
  val leaf = ChainLeafTurns(k)
  val turns = FrameTurns(k.l.c)

  responder.io.arrivals << io.arrivals
  io.read << responder.io.read
  responder.io.packet := io.packet
  io.released << responder.io.released
  io.owners << responder.io.owners
  io.acknowledges << responder.io.departures
  ChainPort.join(responder, fields, unit, replies)
  replies.io.time := io.time
  reader.io.departures << replies.io.departures
  io.replies << reader.io.packets
  io.payload << reader.io.payload

  ChainPort.join(unit, replies, leaf)
  leaf.io.readerEnds << reader.io.ends
  leaf.io.leaf <> io.leaf
  turns.io.reads <> reader.io.frames
  turns.io.writes <> responder.io.frames
  io.frames <> turns.io.frames

  failures.io.replies << replies.io.failed
  failures.io.reader << reader.io.failed
  responder.io.failed << failures.io.pairs

  /** Whether a queue pair may be made: what was inside the reader when that was asked for has left, and so have its failures. */
  private val making = new Area {
    val asked = io.orders.valid && io.orders.command === ChainCommand.CREATE
    val waits = RegInit(False)
    /** Packets before, and two that may stand between the requester and the reader. */
    val left = Reg(UInt(log2Up(ReplyReader.QUEUED + 4) bits))
    val gone = left === 0 || reader.io.idle
    val quiet = Reg(UInt(3 bits))
    val over = waits && quiet.andR && failures.io.empty
    when(reader.io.over && left =/= 0)(left := left - 1)
    when(!quiet.andR)(quiet := gone ? (quiet + 1) | U(0))
    when(!waits) {
      waits := asked
      left := reader.io.inside.resize(left.getWidth) + 2
      quiet := 0
    }
    when(io.orders.fire)(waits := False)
  }
  responder.io.orders << io.orders.haltWhen(making.asked && !making.over)
  io.ordered << responder.io.ordered

  io.counted << responder.io.counted
  io.events.arrivals := responder.io.events
  io.events.messages := unit.io.events
  io.events.replies := replies.io.events
  io.ready := responder.io.ready
  io.rests := responder.io.rests && replies.io.idle && reader.io.idle && failures.io.empty && leaf.io.rests
}

object ChainPort {
  /** What the parts of a message have to do with each other. */
  def join(responder: ChainResponder, fields: ChainFields, unit: ChainUnit, replies: ChainReplies): Unit = {
    fields.io.rows << responder.io.rows
    fields.io.secrets << responder.io.secrets
    fields.io.messages << responder.io.fields
    fields.io.beats << responder.io.beats
    responder.io.arguments << fields.io.arguments
    unit.io.settings << responder.io.settings
    unit.io.messages << responder.io.messages
    unit.io.pages << responder.io.pages
    responder.io.told << unit.io.told
    replies.io.commands << responder.io.commands
    replies.io.acks << responder.io.acks
    replies.io.notified << responder.io.notified
    responder.io.mayNotify := replies.io.mayNotify
    replies.io.posts << unit.io.posts
    replies.io.roomOf := unit.io.roomOf
    unit.io.room := replies.io.room
    unit.io.quiet := replies.io.quiet
  }

  /** Whom the leaf unit serves. */
  def join(unit: ChainUnit, replies: ChainReplies, leaf: ChainLeafTurns): Unit = {
    leaf.io.request << unit.io.request
    unit.io.answer << leaf.io.answer
    leaf.io.holds := unit.io.holds
    leaf.io.wants := unit.io.wants
    unit.io.mayBegin := leaf.io.mayBegin
    leaf.io.unitEnds << unit.io.ends
    leaf.io.looks << replies.io.looks
    replies.io.looked << leaf.io.looked
  }

  /** Contexts that a door of frames needs: half of them are the stores'. */
  def contexts(maxPayload: Int): Int = {
    val tokens = (RoceReceive.PAYLOAD_MAX + maxPayload - 1) / maxPayload
    2 * (FrameWrites.FLIGHTS << (log2Up(tokens) max 1))
  }
}
