package mneme.rdma

import mneme.Faults
import mneme.wire.Wire.{RoceCommand, RoceResult}
import spinal.core._
import spinal.lib._

/** What a query told, as ROCE_EXPECTED, ROCE_MSN and ROCE_STATE have it. */
case class RoceTold() extends Bundle {
  val expected, msn = UInt(24 bits)
  val inError, running, unanswered = Bool()
  val jobs = UInt(5 bits)
}

/** The slow path's commands on their way to the responder: one at a time, and none before the tables are empty. `query` is the number of the command whose
  * answer is kept. Chains have one of their own ([[mneme.chain.ChainRegisters]]).
  *
  * `io.pending` holds from the write of a command until the responder has let go of it, so that what the responder sees beside the command stays as it was.
  */
case class RoceMailbox(planted: Faults[MailboxFault.Value] = Faults.none, query: Int = RoceCommand.QUERY_QUEUE_PAIR) extends Component {
  val io = new Bundle {
    /** A command is written: a RoceCommand number, or 0 for one that is none. */
    val written = slave(Flow(UInt(8 bits)))
    /** The tables have been emptied. */
    val ready = in Bool ()
    val command = master(Stream(UInt(8 bits)))
    val ordered = slave(Flow(RoceAnswer()))
    val pending = out Bool ()
    /** A RoceResult number. */
    val result = out UInt (8 bits)
    val told = out(RoceTold())
  }
  private val offers, answered = RegInit(False)
  private val emptied = RegInit(False) setWhen io.ready
  private val command = Reg(UInt(8 bits)) init 0
  /** How the last command ended that has been answered. */
  val result = Reg(UInt(8 bits)) init RoceResult.DONE
  private val told = Reg(RoceTold())
  for (part <- told.flatten) part match {
    case bool: Bool => bool init False
    case number: UInt => number init 0
  }

  private val busy = offers || planted.choose(MailboxFault.BeforeEmptied, wrong = False, right = !emptied)
  private val takes = io.written.valid && planted.choose(MailboxFault.TakenWhilePending, wrong = True, right = !busy)
  when(io.command.ready) {
    offers := False
    answered := False
  }
  when(takes) {
    offers := True
    command := io.written.payload
  }
  io.command.valid := offers
  io.command.payload := command

  when(io.ordered.valid) {
    result := io.ordered.result
    answered := True
    val queried = command === query && io.ordered.result === RoceResult.DONE
    when(planted.choose(MailboxFault.ToldByOthers, wrong = True, right = queried))(told.assignSomeByName(io.ordered.payload))
  }
  io.pending := busy && planted.choose(MailboxFault.EndsEarly, wrong = !answered, right = True)
  io.result := io.pending ? U(RoceResult.PENDING, 8 bits) | result
  io.told := told
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object MailboxFault extends Enumeration {
  /** A command that is written while another one is under way takes its place. */
  val TakenWhilePending = Value
  /** A command is taken while the tables are emptied. */
  val BeforeEmptied = Value
  /** A command counts as done when it is answered, and the responder still looks at it. */
  val EndsEarly = Value
  /** Whatever a command answers takes the place of what the last query told. */
  val ToldByOthers = Value
}
