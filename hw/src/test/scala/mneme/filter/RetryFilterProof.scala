package mneme.filter

import mneme.{CBoardConfig, HeaderFields, Proof}
import mneme.wire.Wire
import mneme.wire.Wire.Status
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Exactly once (architecture §3): an operation that is under way or done goes on never again, whatever its copies, their attempts, other operations,
  * stalls and the time do.
  *
  * One operation, any, is followed. Its copies carry any attempt. What goes on ends some time later, by an update.
  */
object RetryFilterProof {

  /** `flips`: a bit of any word that is written may turn round, but for that which says that an operation is pending. */
  class Harness(c: CBoardConfig, fault: Option[FilterFault.Value] = None, flips: Boolean = false) extends Component {
    private val dut = FormalDut(RetryFilter(c, plantable = fault.nonEmpty || flips, room = 2))
    for (port <- dut.plantedFaults) port := fault.fold(BigInt(0))(BigInt(1) << _.id)
    if (dut.flips != null) for (mask <- Seq(dut.flips.tag, dut.flips.key, dut.flips.end)) {
      if (flips) {
        mask := anyseq(Bits(widthOf(mask) bits))
        assume((mask & (mask.asUInt - 1).asBits) === 0)
      } else mask.clearAll()
    }
    if (flips) assume(!dut.flips.end.lsb)
    Proof.resetFirst()
    private val io = dut.io

    // --- Time passes by a tick in some cycles.
    private val ticks = Reg(UInt(4 bits)) init 0
    when(anyseq(Bool()) && !ticks.andR)(ticks := ticks + 1)
    private val control = io.control
    control.assignFromBits(B(0, widthOf(control) bits))
    control.window.allowOverride() := 6
    control.tick.allowOverride() := U(0x1, 20 bits) @@ ticks

    // --- Requests: four operation ids, each with two digests, two processes, any times around the window, any attempts.
    private case class Free() extends Bundle {
      val id, attempt = Bits(2 bits)
      val time = UInt(5 bits)
      val word, process = Bits(1 bit)
    }
    private val watched = anyconst(Free())
    private val asked = anyseq(Free())
    private def isWatched(r: HeaderFields): Bool =
      r.opId === watched.id.resize(32) && r.va(3).asBits === watched.word && r.pid(0).asBits === watched.process && r.time(4 downto 0) === watched.time
    private val requests = io.requestsIn
    requests.valid := anyseq(Bool())
    requests.payload.assignFromBits(B(0, widthOf(requests.payload) bits))
    private val header = requests.header
    for (set <- Seq(header.opcode, header.opId, header.attempt, header.time, header.va, header.pid)) set.allowOverride()
    header.opcode := Wire.Opcode.SWAP
    header.opId := asked.id.resized
    header.attempt := asked.attempt.asUInt.resized
    header.time := U(0, 19 bits) @@ asked.time
    header.va := (asked.word ## B(0, 3 bits)).asUInt.resized
    header.pid := asked.process.asUInt.resized
    private val stalled = RegNext(requests.isStall) init False
    private val before = RegNext(asked.asBits)
    assume(!stalled || (requests.valid && asked.asBits === before))

    // --- What went on is under way until an update tells how it ended.
    private val places = 1 << FilterMemory.entryBits(c)
    private val running = RegInit(B(0, places bits))
    private val updates = io.updates
    updates.valid := anyseq(Bool())
    updates.payload.assignFromBits(B(0, widthOf(updates.payload) bits))
    for (set <- Seq(updates.entry, updates.done, updates.status, updates.result)) set.allowOverride()
    private val place = anyseq(UInt(FilterMemory.entryBits(c) bits))
    private val result = anyseq(Bits(2 bits))
    updates.entry := place.resized
    updates.done := anyseq(Bool())
    private val failing = anyseq(Bool())
    updates.status := updates.done ? (failing ? B(Status.MEMERR, 5 bits) | B(Status.OK, 5 bits)) | B(Status.DENIED, 5 bits)
    updates.result := result.resized
    private val offer = updates.done ## failing ## place ## result
    private val waited = RegNext(updates.isStall) init False
    private val offered = RegNext(offer)
    assume(!waited || (updates.valid && offer === offered))
    assume(!updates.valid || running(place))

    io.requestsOut.ready := anyseq(Bool())
    private val left = io.requestsOut
    private val answer = left.request
    private val details = answer.outcome.detailVa ## answer.outcome.detailLength
    private val goesOn = left.fire && left.filtered
    /** What is told of an entry that has a flipped bit: nothing of its operation but that it may have taken effect. */
    private val unknown = Bool(flips) && answer.outcome.status === Status.MEMERR && details === (B(Wire.Cause.DRAM, 8 bits) ## B(0, 56 bits))
    private val joins = UIntToOh(left.filterEntry.resize(FilterMemory.entryBits(c)), places) & Repeat(goesOn, places)
    private val ends = UIntToOh(place, places) & Repeat(updates.fire, places)
    running := (running | joins) & ~ends
    // Two operations never share an entry.
    assert((joins & running) === 0)

    // --- The watched operation.
    private val under, done, failed, released = RegInit(False)
    private val entry = Reg(UInt(FilterMemory.entryBits(c) bits))
    private val attempt = Reg(UInt(8 bits))
    private val end = Reg(Bits(64 bits))
    private val copy = left.fire && isWatched(answer.header)
    when(copy && left.filtered) {
      assert(!under && !done)
      assert(!released || answer.header.attempt > attempt)
      under := True
      released := False
      entry := left.filterEntry.resized
      attempt := answer.header.attempt
    }
    when(updates.fire && under && place === entry) {
      under := False
      done := updates.done
      failed := updates.done && failing
      released := !updates.done
      end := updates.result
    }
    // Whoever does not go on is answered: done is done with its result, and refused what was refused.
    when(left.fire)(assert(left.filtered =/= answer.answered))
    when(copy && answer.answered) {
      when(answer.outcome.status === Status.OK)(assert(done && !failed && details === end))
      when(answer.outcome.status === Status.MEMERR)(assert(unknown || (failed && details === end)))
      when(answer.outcome.status === Status.DENIED)(assert(released && answer.header.attempt <= attempt && details === end))
    }

    // --- What is reached: it ends, and copies of it are answered, each in its way.
    private def answers(status: Int): Bool = copy && answer.answered && answer.outcome.status === status
    cover(answers(Status.OK) && end =/= 0)
    cover(answers(Status.MEMERR))
    cover(answers(Status.DENIED))
    // It goes on again after it was refused.
    cover(copy && left.filtered && released)
  }
}

class RetryFilterProof extends Proof {
  import RetryFilterProof._
  import FilterFault._

  override protected def engine = Proof.Sat

  // A row of one way in each choice: every other operation is in the way.
  private val c = CBoardConfig.tiny.copy(filterSetsLog2 = 1, filterWays = 1)
  private def finds(fault: FilterFault.Value): Unit = refutes(s"an operation takes effect once, with $fault", 23)(new Harness(c, Some(fault)))
  bounded("an operation takes effect once", if (short) 18 else 23)(new Harness(c))
  finds(NoConflictWait)
  bounded("an operation takes effect once, whatever bit of an entry flips", if (short) 16 else 20)(new Harness(c, flips = true))
  long {
    refutes("flipped bits that go unseen", 20)(new Harness(c, Some(EntryDamageIgnored), flips = true))
    refutes("flipped bits of rows that go unseen", 20)(new Harness(c, Some(RowDamageIgnored), flips = true))
    reaches("an operation ends, copies are answered and go on again", 23)(new Harness(c))
    bounded("an operation takes effect once, more cycles", 25)(new Harness(c))
    Seq(PendingExecutes, LowerAttemptExecutes, FailedExecutes, NoDigest).foreach(finds)
  }
}
