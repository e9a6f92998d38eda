package mneme.net

import mneme.Answer
import mneme.wire.Wire
import mneme.wire.Wire.Status
import spinal.core._

/** What the trace port tells of a request when its answer leaves (contracts §5). */
case class TraceBeat() extends Bundle {
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  val opcode = Bits(8 bits)
  val status = Bits(5 bits)
  /** 0 where the answer's va field holds no cause: OK and MOVED. */
  val cause = Bits(8 bits)
  val tickFilter = UInt(Wire.Field.TIME._2 * 8 bits)
  val tickResume = UInt(Wire.Field.TIME._2 * 8 bits)
  val resumed = Bool()
  /** When the header left; a timed answer does not say. */
  val tick = UInt(Wire.Field.TIME._2 * 8 bits)

  def assignFrom(answer: Answer, now: UInt): Unit = {
    this.assignSomeByName(answer.header)
    val outcome = answer.outcome
    status := outcome.status
    tickFilter := answer.filtered.tickFilter
    tickResume := answer.tickResume
    resumed := answer.resumed
    tick := now
    cause := (outcome.status === Status.OK || outcome.status === Status.MOVED) ? B(0, 8 bits) | outcome.cause
  }
}
