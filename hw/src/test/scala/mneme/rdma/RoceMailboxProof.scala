package mneme.rdma

import mneme.{Faults, Proof}
import mneme.wire.Wire.{RoceCommand, RoceResult}
import spinal.core._
import spinal.core.formal._

/** Commands are written at any time, and a responder answers each at any time: one is under way at a time, it stays as it was written until the responder has
  * let go of it, what is written meanwhile does nothing, and the result is that of the last one.
  */
object RoceMailboxProof {
  class Harness(fault: Option[MailboxFault.Value] = None) extends Component {
    private val dut = FormalDut(RoceMailbox(Faults.one(MailboxFault)(fault)))
    Proof.resetFirst()
    private val (written, command, ordered) = (dut.io.written, dut.io.command, dut.io.ordered)
    written.valid := anyseq(Bool())
    written.payload := anyseq(UInt(8 bits))
    command.ready := anyseq(Bool())
    ordered.valid := anyseq(Bool())
    ordered.payload := anyseq(RoceAnswer())
    dut.io.ready := anyseq(Bool())

    // The responder answers what it is offered, once, and lets go of it in a later cycle; it answers nothing while its tables are emptied.
    private val emptied = RegInit(False) setWhen dut.io.ready
    private val answered = RegInit(False)
    assume(!emptied || dut.io.ready)
    assume(!ordered.valid || command.valid && !answered && emptied)
    assume(!command.ready || answered)
    when(ordered.valid)(answered := True)
    when(command.ready)(answered := False)

    private val underWay = RegInit(False)
    private val number = Reg(UInt(8 bits)) init 0
    private val result = Reg(UInt(8 bits)) init RoceResult.DONE
    private val told = Reg(RoceTold())
    for (part <- told.flatten) part match {
      case bool: Bool => bool init False
      case number: UInt => number init 0
    }
    private val pending = underWay || !emptied
    when(command.ready)(underWay := False)
    when(written.valid && !pending) {
      underWay := True
      number := written.payload
    }
    when(ordered.valid) {
      result := ordered.result
      when(number === RoceCommand.QUERY_QUEUE_PAIR && ordered.result === RoceResult.DONE)(told.assignSomeByName(ordered.payload))
    }

    assert(command.valid === underWay && (!underWay || command.payload === number))
    assert(!answered || underWay)
    assert(!underWay || emptied)
    assert(dut.io.pending === pending)
    assert(dut.result.pull() === result)
    assert(dut.io.result === (pending ? U(RoceResult.PENDING, 8 bits) | result))
    assert(dut.io.told.asBits === told.asBits)
    cover(underWay && written.valid && answered)
    cover(!pending && result === RoceResult.TAKEN && told.msn === 5)
  }
}

class RoceMailboxProof extends Proof {
  import RoceMailboxProof._

  proves("a command at a time, and its result", 2)(new Harness)
  reaches("a write beside an answer, and a query's words behind a later refusal", 12)(new Harness)
  for (fault <- MailboxFault.values.toSeq) refutes(s"a mailbox with the fault $fault", 10)(new Harness(Some(fault)))
}
