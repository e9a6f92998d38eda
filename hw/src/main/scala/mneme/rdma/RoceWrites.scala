package mneme.rdma

import mneme.wire.Wire
import mneme.wire.Wire.RoceCounter
import spinal.core._

/** A WRITE that has been handed to memory: what its end needs, and where its queue pair stood before it. */
case class RoceFlight(r: RoceConfig) extends Bundle {
  val slot = UInt(r.slotBits bits)
  val psn = UInt(24 bits)
  val ackRequest, ends, immediate = Bool()

  val msn = UInt(24 bits)
  val running = Bool()
  val va = UInt(Wire.VA_BITS bits)
  val rkey = Bits(32 bits)
  val left = UInt(32 bits)
  val gapTold = Bool()
  val notReady = UInt(4 bits)

  def keep(qp: QueuePairState): Unit = {
    psn := qp.expected
    msn := qp.msn
    running := qp.running
    va := qp.va
    rkey := qp.rkey
    left := qp.left
    gapTold := qp.gapTold
    notReady := qp.notReady
  }
  def restore(qp: QueuePairState): Unit = {
    qp.expected := psn
    qp.msn := msn
    qp.running := running
    qp.va := va
    qp.rkey := rkey
    qp.left := left
    qp.gapTold := gapTold
    qp.notReady := notReady
  }
}

/** WRITEs beside what comes behind them.
  *
  * An example. Packets 7, 8 and 9 of a queue pair are WRITEs. 7 is judged and handed to memory, and 8 is expected from then on. When the engine asks for 7's
  * data, it has granted the page: 8 is judged and handed over, and so is 9. Memory has done 7: it is acknowledged, and its place is free. Had the engine
  * refused 7, nobody would have looked at 8: 7 is expected again, and refused as any other packet.
  *
  * Only memory itself may fail later, under data that were asked for. Then 7 is refused in the same way. 8 and 9 may be in memory by then, but
  * nobody is told so: they are not acknowledged, not counted, and no packet is taken until they have ended.
  */
class RoceWrites(p: RoceResponder) extends Area {
  import p._
  private val h = io.arrivals.headers
  private val kind = OpcodeKind.of(h.opcode)
  private val kept = Mem(RoceFlight(r), r.flights).addAttribute("ram_style", "distributed")
  private val begun = RoceFlight(r)
  begun.keep(qp)
  begun.slot := io.arrivals.slot
  begun.ackRequest := h.ackRequest
  begun.ends := kind.ends
  begun.immediate := kind.immediate
  // Whether it is handed over is known late in the cycle: a place that no flight has may be written.
  kept.write(access.io.next, begun, at(State.act))
  when(at(State.act))(flightPairs(access.io.next) := index)

  private val how = Reg(AccessEnd())
  when(at(State.load)) {
    flight := kept.readAsync(access.io.oldest)
    how := access.io.over.payload
  }

  // --- The oldest has ended.
  /** One before it has failed, so that its number is yet to come. */
  private val stale = Reg(Bool())
  /** As RoceRequests has it. */
  private val earlier = Reg(Bool())
  when(at(State.ended)) {
    stale := !PsnJudge.isBefore(flight.psn, qp.expected)
    earlier := PsnJudge.isBefore(flight.psn, qp.pendingPsn)
    state := State.retire
  }
  private val done = how === AccessEnd.done
  private val msn = flight.ends ? (flight.msn + 1) | flight.msn
  /** Nothing is to be sent before its acknowledge, so that needs no turn of its own. The other events of the WRITE leave one to be counted. */
  private val atOnce = departs && qp.jobs === 0 && !(qp.pending === Pending.refusal && earlier) && !flight.immediate
  when(at(State.retire)) {
    state := State.store
    when(!stale && done) {
      when(flight.ends)(count(RoceCounter.WRITES))
      when(flight.immediate)(countLater(RoceCounter.IMMEDIATES))
      when(flight.ackRequest && !qp.inError) {
        when(atOnce) {
          answers.sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), flight.psn, RoceResponder.ACK, msn)
          qp.pending := Pending.none
          countLater(RoceCounter.ACKNOWLEDGES)
        }.otherwise(requests.acknowledge(flight.psn, earlier, msn))
      }
    }
    when(!stale && !done) {
      flight.restore(qp)
      draining := True
      requests.failure.notReady := how === AccessEnd.notReady
      requests.failure.nak := (how === AccessEnd.denied) ? U(2, 2 bits) | U(3, 2 bits)
      requests.failure.reason := RoceRequests.reason(how)
      when(!qp.inError)(state := State.refuse)
    }
  }
}
