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
  val entry = UInt(c.filterSetsLog2 + 1 + log2Up(c.filterWays) bits)
  /** How the operation ended before. */
  val status = Bits(5 bits)
  val result = Bits(64 bits)

  /** Puts the verdict into the request. */
  def apply(request: Request, control: Control): Unit = {
    request.filterEntry := entry.resized
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
        request.result := result
      }
      is(FilterVerdict.repeat) {
        request.answered := True
        request.status := status
        request.detailVa := result(63 downto 16)
        request.detailLength := result(15 downto 0)
      }
    }
  }
}

/** What of a request waits for its verdict: all that dispatch filled in, and the tick that decides. */
case class ParkedRequest(c: CBoardConfig) extends Bundle {
  /** A verdict comes. */
  val filters = Bool()
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opcode = Bits(8 bits)
  val keyPhase = Bool()
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
  val detailVa = Bits(48 bits)
  val detailLength = Bits(16 bits)
  val tickFilter = UInt(24 bits)

  /** The request as it was; what later stages fill in is zero. */
  def request: Request = {
    val request = Request(c)
    request.assignSomeByName(this)
    for (later <- Seq(request.result, request.filterEntry, request.tickResume, request.address)) later.clearAll()
    for (later <- Seq(request.filtered, request.resumed, request.zeros, request.generation)) later := False
    request
  }
}
