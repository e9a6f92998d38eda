package mneme.chain

import mneme.Faults
import mneme.engine.PayloadBeat
import mneme.rdma.RoceDeparture
import spinal.core._
import spinal.lib._

/** One `RoceTransmit` for all that a port with chains sends: answers of the responder, replies of chains, acknowledges of the chains' responder.
  *
  * Who has a packet takes turns, packet by packet, so each waits for one of each other. A packet's beats follow it: those of the next one, whoever sends it,
  * stand behind them. So who offers a packet must be able to give its beats. A packet passes in a cycle.
  */
case class SenderTurns(plantable: Boolean = false) extends Component {
  import SenderTurns._
  val io = new Bundle {
    val answers, acknowledges = slave(Stream(RoceDeparture()))
    val replies = slave(Stream(RoceDeparture(writes = true)))
    val answered, replied = slave(Stream(PayloadBeat()))
    val departures = master(Stream(RoceDeparture(writes = true)))
    val payload = master(Stream(PayloadBeat()))
  }
  val plantedFaults: Option[Bits] = Faults.port(SenderFault, plantable)
  private val planted = new Faults[SenderFault.Value](plantedFaults)

  private def plain(from: Stream[RoceDeparture]): Stream[RoceDeparture] = from.map { departure =>
    val wide = RoceDeparture(writes = true)
    for ((name, to) <- wide.elements) if (name != "write") to := departure.find(name)
    wide.write.assignFromBits(B(0, widthOf(wide.write) bits))
    wide
  }
  private val senders = Seq(plain(io.answers), io.replies, plain(io.acknowledges))

  /** Whose beats come, and how many, less one. */
  private case class Beats() extends Bundle {
    val replies = Bool()
    val last = UInt(6 bits)
  }
  private val beats = StreamFifo(Beats(), AHEAD, latency = 1)
  private[chain] val last = Reg(Bits(senders.size bits)) init 1
  private val offers = B(senders.map(_.valid))
  private val turn = OHMasking.roundRobin(offers, last.rotateLeft(1))
  private val chosen = planted.choose(SenderFault.AnswersFirst, wrong = OHMasking.first(offers), right = turn)
  private val out = Stream(RoceDeparture(writes = true))
  out.valid := offers.orR && beats.io.push.ready
  out.payload := MuxOH(chosen, senders.map(_.payload))
  for ((sender, number) <- senders.zipWithIndex) sender.ready := out.ready && beats.io.push.ready && chosen(number)
  when(out.fire)(last := chosen)
  beats.io.push.valid := out.fire && out.payload.payload =/= 0
  beats.io.push.replies := chosen(1)
  beats.io.push.last := (out.payload.payload - planted.choose(SenderFault.PartDropped, wrong = U(64, 7 bits), right = U(1, 7 bits)))(11 downto 6)
  io.departures << out.m2sPipe()

  // --- Beats, in the order of their packets.
  private val whose = beats.io.pop
  private val beat = Reg(UInt(6 bits)) init 0
  private val fromReplies = planted.choose(SenderFault.BeatsCrossed, wrong = io.replied.valid, right = whose.replies)
  io.payload.valid := whose.valid && (fromReplies ? io.replied.valid | io.answered.valid)
  io.payload.payload := fromReplies ? io.replied.payload | io.answered.payload
  io.replied.ready := whose.valid && fromReplies && io.payload.ready
  io.answered.ready := whose.valid && !fromReplies && io.payload.ready
  private val isLast = beat === whose.last
  whose.ready := io.payload.fire && isLast
  when(io.payload.fire)(beat := isLast ? U(0) | beat + 1)
}

object SenderTurns {
  /** Packets that may have passed and whose beats have not. */
  private val AHEAD = 4
}

/** Defects that benches plant. No build of a board has one. */
object SenderFault extends Enumeration {
  val
  /** Answers do not wait for others. */
  AnswersFirst,
  /** Beats of replies go first, whoever sent the packet. */
  BeatsCrossed,
  /** A packet's last beat is the next one's, unless it is full. */
  PartDropped = Value
}
