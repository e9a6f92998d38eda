package mneme.filter

import mneme.{CBoardConfig, Control, Filtered, Request}
import mneme.wire.Wire.{Cause, Counter, Status}
import spinal.core._

/** What the filter says to a request (contracts §2, steps 1 and 2). */
object FilterVerdict extends SpinalEnum {
  val conflict, pending, replay, repeat, damaged, expired, clock, full, reopen, insert = newElement()

  /** Each verdict's counter. */
  def counters: Seq[(SpinalEnumElement[FilterVerdict.type], Int)] = Seq(
    insert -> Counter.FILTER_INSERT,
    replay -> Counter.FILTER_REPLAY,
    repeat -> Counter.FILTER_REPEAT,
    damaged -> Counter.FILTER_PARITY,
    reopen -> Counter.FILTER_REOPEN,
    pending -> Counter.FILTER_PENDING,
    conflict -> Counter.FILTER_CONFLICT,
    expired -> Counter.FILTER_EXPIRED,
    clock -> Counter.FILTER_CLOCK,
    full -> Counter.FILTER_FULL
  )
}

/** A verdict on its way to its request. */
case class FilterDecision(c: CBoardConfig) extends Bundle {
  val verdict = FilterVerdict()
  /** The entry of a request that goes on. */
  val entry = UInt(FilterMemory.entryBits(c) bits)
  /** The tick that decided. */
  val tick = UInt(24 bits)

  /** It is answered as it was before. */
  def answers: Bool = verdict === FilterVerdict.replay || verdict === FilterVerdict.repeat

  /** The request as it leaves with this verdict; `before` is how the operation ended, if it did. */
  def applied(parked: Request, control: Control, before: FilterEnd): Filtered = {
    val judged = Filtered(c)
    val request = judged.request
    request := parked
    judged.filtered := verdict === FilterVerdict.insert || verdict === FilterVerdict.reopen
    judged.filterEntry := entry.resized
    judged.tickFilter := tick
    switch(verdict) {
      is(FilterVerdict.conflict)(request.fail(Status.CONFLICT, Cause.NONE))
      is(FilterVerdict.pending)(request.fail(Status.BUSY, Cause.PENDING, control.busyHint))
      is(FilterVerdict.damaged)(request.fail(Status.MEMERR, Cause.DRAM))
      is(FilterVerdict.expired)(request.fail(Status.EXPIRED, Cause.WINDOW))
      is(FilterVerdict.clock)(request.fail(Status.BUSY, Cause.CLOCK, control.busyHint))
      is(FilterVerdict.full)(request.fail(Status.BUSY, Cause.FILTER, control.busyHint))
      is(FilterVerdict.replay, FilterVerdict.repeat) {
        request.answered := True
        request.outcome.status := (verdict === FilterVerdict.replay) ? B(Status.OK, 5 bits) | before.status
        request.outcome.detailVa := before.result(63 downto 16)
        request.outcome.detailLength := before.result(15 downto 0)
      }
    }
    judged
  }
}
