package mneme.chain

import mneme.Faults
import mneme.leaf.{LeafAnswer, LeafConfig, LeafRequest}
import spinal.core._
import spinal.lib._

/** Between chains, the master, and the leaf unit. */
case class ChainLeafDoor(l: LeafConfig) extends Bundle with IMasterSlave {
  val request = Stream(LeafRequest(l))
  val answer = Stream(LeafAnswer(l))
  val ends = Flow(Bool())

  /** From the first request of a message to its last answer: nobody else asks in between. It holds from the cycle on that comes after `mayBegin`. */
  val holds, mayBegin = Bool()

  /** It would begin if it may. */
  val wants = Bool()

  override def asMaster(): Unit = {
    master(request, ends)
    slave(answer)
    out(holds, wants)
    in(mayBegin)
  }
}

/** One leaf unit for messages ([[ChainUnit]]) and for look-ups of pages that are sent without an access ([[ChainReplies]]).
  *
  * A look-up goes before the next message, and never amid one. Between two of them a message may begin, as [[ChainReplies]] does other things meanwhile.
  *
  * Ends of accesses come from the unit and, in bursts, from the reader of replies. The reader's go first. A burst is no longer than the packets inside the
  * reader, and the unit ends an access every fifth cycle at most: its queue has room for those of a burst.
  */
case class ChainLeafTurns(k: ChainConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val request = slave(Stream(LeafRequest(k.l)))
    val answer = master(Stream(LeafAnswer(k.l)))
    val holds, wants = in Bool ()
    val mayBegin = out Bool ()
    val looks = slave(Stream(LeafRequest(k.l)))
    val looked = master(Stream(LeafAnswer(k.l)))
    val unitEnds, readerEnds = slave(Flow(Bool()))
    val leaf = master(ChainLeafDoor(k.l))
    val rests = out Bool ()
  }
  val plantedFaults: Option[Bits] = Faults.port(LeafTurnsFault, plantable)
  private val planted = new Faults[LeafTurnsFault.Value](plantedFaults)
  private val leaf = io.leaf
  private[chain] val looking = RegInit(False)
  when(io.looks.valid && leaf.mayBegin && !io.holds)(looking := True)
  when(io.looked.fire)(looking := False)
  io.mayBegin := leaf.mayBegin && !looking && planted.choose(LeafTurnsFault.BothBegin, wrong = True, right = !io.looks.valid)
  leaf.holds := io.holds || looking
  leaf.wants := io.wants || io.looks.valid

  leaf.request.valid := looking ? io.looks.valid | io.request.valid
  leaf.request.payload := looking ? io.looks.payload | io.request.payload
  io.looks.ready := leaf.request.ready && looking
  io.request.ready := leaf.request.ready && !looking
  private val ofLook = planted.choose(LeafTurnsFault.AnswerCrossed, wrong = io.looks.valid, right = looking)
  io.looked.valid := leaf.answer.valid && ofLook
  io.answer.valid := leaf.answer.valid && !ofLook
  io.looked.payload := leaf.answer.payload
  io.answer.payload := leaf.answer.payload
  leaf.answer.ready := looking ? io.looked.ready | io.answer.ready

  private[chain] val ends = StreamFifo(Bool(), ChainLeafTurns.ENDS, latency = 1)
  ends.io.push.valid := io.unitEnds.valid
  ends.io.push.payload := io.unitEnds.payload
  ends.io.pop.ready := planted.choose(LeafTurnsFault.EndOverrun, wrong = True, right = !io.readerEnds.valid)
  leaf.ends.valid := io.readerEnds.valid || ends.io.pop.valid
  leaf.ends.payload := io.readerEnds.valid ? io.readerEnds.payload | ends.io.pop.payload
  io.rests := !ends.io.pop.valid && !io.unitEnds.valid && !leaf.holds
}

object ChainLeafTurns {
  private val ENDS = 8
}

/** Defects that proofs plant. No build of a board has one. */
object LeafTurnsFault extends Enumeration {
  val
  /** A message and a look-up begin in the same cycle. */
  BothBegin,
  /** What a look-up is answered goes to the message, once it has been asked. */
  AnswerCrossed,
  /** An end of the unit's is lost when the reader has one. */
  EndOverrun = Value
}
