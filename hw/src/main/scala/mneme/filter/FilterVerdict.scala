package mneme.filter

import mneme.{CBoardConfig, Control, Request}
import mneme.wire.Wire.{Cause, Counter, Status}
import spinal.core._

/** What the filter says to a request (contracts §2, steps 1 and 2). */
object FilterVerdict extends SpinalEnum {
  val conflict, pending, replay, repeat, expired, clock, full, reopen, insert = newElement()

  /** Each verdict's counter. */
  def counters: Seq[(SpinalEnumElement[FilterVerdict.type], Int)] = Seq(
    insert -> Counter.FILTER_INSERT,
    replay -> Counter.FILTER_REPLAY,
    repeat -> Counter.FILTER_REPEAT,
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

  /** Puts the verdict into the request; `before` is how the operation ended, if it did. */
  def apply(request: Request, control: Control, before: FilterEnd): Unit = {
    request.filterEntry := entry.resized
    request.tickFilter := tick
    switch(verdict) {
      is(FilterVerdict.insert, FilterVerdict.reopen)(request.filtered := True)
      is(FilterVerdict.conflict)(request.fail(Status.CONFLICT, Cause.NONE))
      is(FilterVerdict.pending)(request.fail(Status.BUSY, Cause.PENDING, control.busyHint))
      is(FilterVerdict.expired)(request.fail(Status.EXPIRED, Cause.WINDOW))
      is(FilterVerdict.clock)(request.fail(Status.BUSY, Cause.CLOCK, control.busyHint))
      is(FilterVerdict.full)(request.fail(Status.BUSY, Cause.FILTER, control.busyHint))
      is(FilterVerdict.replay) {
        request.answered := True
        request.status := Status.OK
      }
      is(FilterVerdict.repeat) {
        request.answered := True
        request.status := before.status
        request.detailVa := before.result(63 downto 16)
        request.detailLength := before.result(15 downto 0)
      }
    }
  }
}

/** What of a request waits for its verdict: all that dispatch filled in. */
case class ParkedRequest(c: CBoardConfig) extends Bundle {
  /** A verdict comes. */
  val filters = Bool()
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opcode = Bits(8 bits)
  val keyPhase, timed = Bool()
  val pid = UInt(24 bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  val time = UInt(24 bits)
  val va = UInt(48 bits)
  val length = UInt(16 bits)
  val slot = UInt(log2Up(c.packetSlots) bits)
  val operand0, operand1 = Bits(64 bits)
  val answered = Bool()
  val status = Bits(5 bits)
  /** An answer of dispatch is made of these two and zeros. */
  val cause = Bits(8 bits)
  val hint = Bits(32 bits)

  /** The request as it was; what later stages fill in is zero. */
  def request: Request = {
    val request = Request(c)
    request.assignSomeByName(this)
    request.detailVa := cause ## B(0, 8 bits) ## hint
    request.detailLength := 0
    for (later <- Seq(request.result, request.filterEntry, request.tickFilter, request.tickResume, request.address)) later.clearAll()
    for (later <- Seq(request.filtered, request.resumed, request.slow, request.zeros, request.generation)) later := False
    request
  }
}

object ParkedRequest {
  def apply(c: CBoardConfig, request: Request, filters: Bool): ParkedRequest = {
    val parked = ParkedRequest(c)
    parked.assignSomeByName(request)
    parked.cause := request.detailVa(47 downto 40)
    parked.hint := request.detailVa(31 downto 0)
    parked.filters := filters
    parked
  }
}
