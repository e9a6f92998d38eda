package mneme.chain

import mneme.Faults
import mneme.rdma._
import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** What is to be done about a packet of a chain queue pair. */
private[chain] object ArrivalStep extends SpinalEnum {
  val drop, reply, gap, refuse, duplicate,
  /** The message begins, and its arguments are here; its page goes on; nothing but its number counts. */
  begins, page, moves = newElement()
}

private[chain] case class ArrivalJudgement() extends Bundle {
  val step = ArrivalStep()

  /** What is counted, of a packet that is not done; `byLength`: it has no number, see [[ChainArrivalEvents]]. */
  val reason = UInt(RoceCounters.BITS bits)
  val byLength = Bool()

  /** A sound queue pair takes it: it may ask for a congestion notification. */
  val known = Bool()

  /** It is a congestion notification, and lowers the queue pair's rate. */
  val cuts = Bool()

  /** It is the last one of its message. */
  val ends = Bool()
}

/** Judges a packet by its queue pair: the rules of docs/reference/rdma-port.md in their order, the first that holds. It keeps nothing. */
private[chain] case class ArrivalJudge(k: ChainConfig, planted: Faults[ChainArrivalFault.Value]) extends Area {
  import ChainArrivalFault._
  val h = RoceHeaders()
  val malformed = Bool()
  val row = ChainPairRow(k)
  val qp = ChainPairState(k)
  val judgement = ArrivalJudgement()

  private val j = judgement
  private val pair = row.pair
  private val kind = OpcodeKind.of(h.opcode)
  private val place = PsnJudge(h.psn, qp.expected)
  private def among(numbers: Int*): Bool = numbers.map(h.opcode === _).orR
  private val begins = among(0x00, 0x04, 0x05, 0x17)
  private val ends = among(0x02, 0x03, 0x04, 0x05, 0x16, 0x17)
  private val immediate = among(0x03, 0x05)
  private val invalidates = among(0x16, 0x17)
  j.ends := ends

  private def says(step: ArrivalStep.E, reason: Int): Unit = {
    j.step := step
    j.reason := reason
  }
  private def invalid(holds: Bool, reason: Int): Unit = when(holds)(says(ArrivalStep.refuse, reason))
  private def unless(fault: Value, holds: Bool): Bool = planted.choose(fault, wrong = False, right = holds)

  // --- The packet that is expected. Later rules are written first.
  private val fits = Mux(ends, h.payload <= pair.mtu && (begins || h.payload =/= 0), h.payload === pair.mtu)
  private val end = (qp.running ? qp.filled | U(0)) +^ h.payload
  private val whole = (end === pair.length) || (!ends && end < pair.length)
  j.byLength := unless(AnyLength, !whole)
  says(ArrivalStep.moves, 0)
  when(row.stores) {
    j.step := ArrivalStep.page
    when(begins)(j.step := ArrivalStep.begins)
  }.elsewhen(ends)(j.step := ArrivalStep.begins)
  when(j.byLength)(says(ArrivalStep.refuse, 0))
  private def otherwise(holds: Bool, reason: Int): Unit = {
    invalid(holds, reason)
    when(holds)(j.byLength := False)
  }
  otherwise(unless(ImmediateAccepted, immediate), RoceCounter.OPCODE)
  otherwise(unless(AnyPayload, !fits), RoceCounter.LENGTH)
  otherwise(unless(AnyOrder, qp.running === begins), RoceCounter.ORDER)
  otherwise(!kind.send || invalidates, RoceCounter.OPCODE)
  otherwise(malformed, RoceCounter.LAYOUT)
  otherwise(!kind.known, RoceCounter.OPCODE)

  // --- One ahead of it.
  when(place.ahead) {
    j.byLength := False
    says(ArrivalStep.gap, RoceCounter.GAP)
    when(unless(GapToldTwice, qp.gapTold))(says(ArrivalStep.drop, RoceCounter.AHEAD_OF_GAP))
    when(qp.notReady =/= 0)(says(ArrivalStep.drop, RoceCounter.AHEAD_OF_NOT_READY))
  }
  // --- One that was done before. READs and atomics never were.
  when(unless(DuplicateExecuted, place.behind)) {
    j.byLength := False
    says(ArrivalStep.drop, RoceCounter.DUPLICATES_FORGOTTEN)
    when(kind.send || kind.write)(says(ArrivalStep.duplicate, RoceCounter.DUPLICATE_WRITES))
    when(!kind.known || malformed)(says(ArrivalStep.drop, RoceCounter.DUPLICATES_MALFORMED))
  }

  // --- Before all of that.
  private val strange = !qp.valid || pair.qpn =/= h.destQp
  private val foreign = unless(AnySource, pair.peerIp =/= h.srcIp)
  private val over = unless(ErrorServed, qp.inError)
  private val answers = h.opcode.asUInt >= 0xd && h.opcode.asUInt <= 0x12
  private val silent = Seq(
    (h.opcode === RoceOpcode.CNP) -> RoceCounter.CONGESTION_NOTIFIED,
    (h.opcode.asUInt >= 0x20) -> RoceCounter.OTHER_TRANSPORT,
    answers -> RoceCounter.RESPONSES,
    strange -> RoceCounter.UNKNOWN_QUEUE_PAIR,
    foreign -> RoceCounter.WRONG_SOURCE,
    (h.pkey =/= ChainPair.PKEY) -> RoceCounter.WRONG_PARTITION,
    over -> RoceCounter.QUEUE_PAIR_IN_ERROR
  )
  j.known := !silent.map(_._1).orR
  // Nobody but the peer lowers the rate of a sound queue pair.
  j.cuts := h.opcode === RoceOpcode.CNP && !malformed && !silent.drop(3).map(_._1).orR
  for ((holds, reason) <- silent.reverse) when(holds) {
    j.byLength := False
    says(ArrivalStep.drop, reason)
  }
  when(h.opcode === RoceOpcode.ACKNOWLEDGE && !strange && !foreign && !qp.inError)(j.step := ArrivalStep.reply)
}
