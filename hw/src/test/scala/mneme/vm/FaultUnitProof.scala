package mneme.vm

import mneme.{AwayRow, CBoardConfig, Control, Faults, Proof}
import mneme.wire.Wire
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What becomes of a request whose page is known (contracts §3): it is decided once, in that order, and a page is taken when its fault takes it,
  * never else.
  *
  * The request, what its walk found, pages, time and all who take something are any.
  */
object FaultUnitProof {

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(FaultUnit(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io

    private val asked = anyseq(Undecided(c))
    private val control = anyseq(Control())
    private val page = anyseq(UInt(c.memBits - c.pageBits bits))
    private val row = anyseq(AwayRow())
    private val free = Seq(io.undecided.valid, io.freePages.valid, io.queued, io.urgent, io.learnBusy, io.lost, io.kept)
    private val takers = Seq(io.resolved.ready, io.waits.ready, io.writeBack.ready)
    for (signal <- free ++ takers) signal := anyseq(Bool())
    io.undecided.payload := asked
    io.control := control
    io.freePages.payload := page
    io.awayRow := row
    // What is kept for others is not there for it.
    assume(!(io.kept && io.freePages.valid))
    // A request has a page and does something to it; what a walk finds is intact.
    assume(!io.undecided.valid || CountOne(asked.turn.entry) === 1)
    assume(asked.access.reads || asked.access.writes)
    assume(!asked.walked.entry.xorR)
    // An entry that was written once is of a page in use.
    private def pinned(walked: Walked): Bool = walked.found && !walked.memoryError && Pte(c, walked.entry).valid && Pte(c, walked.entry).accessed
    assume(!asked.turn.trial || pinned(asked.walked))

    // --- The request that is being decided; it leaves decided or postponed, once.
    private val present = RegNextWhen(io.undecided.valid, io.undecided.ready) init False
    private val request = RegNextWhen(asked, io.undecided.ready)
    private val decided = io.resolved.fire
    private val postponed = io.waits.valid || io.staysWaiting
    private val trial = present && request.turn.trial
    private val tried = trial && io.writeBack.ready && !io.learnBusy
    assert(!io.resolved.valid || (present && !trial))
    assert(!(decided && postponed) && !(io.waits.valid && io.staysWaiting))
    assert((present && io.undecided.ready) === (decided || postponed || tried))
    assert(io.decidedWaiting === (decided && request.turn.waited))
    assert(!present || !(io.resolved.ready && io.writeBack.ready && !io.learnBusy) || decided || postponed || tried)
    assert(!present || io.resolved.turn === request.turn)
    assert(io.deciding === request.turn.entry.andMask(present))
    assert(io.unsure === request.turn.entry.andMask(present && request.access.writes && !Pte(c, request.walked.entry).valid))

    // --- What it must be: the first of these.
    private val walked = request.walked
    private val pte = Pte(c, walked.entry)
    // The age is judged a cycle before, by a tick of the cycle before that.
    private val (tick, window) = (RegNext(RegNext(control.tick)), RegNext(RegNext(control.window)))
    private val age = (tick - request.ordering.time).asSInt
    private val old = request.ordering.windowed && !window.msb && age >= 0 && age.asUInt > window
    private var open: Bool = True
    private def first(condition: Bool): Bool = {
      val now = open && condition
      open = open && !condition
      now
    }
    private val expired = first(old)
    private val memoryError = first(walked.memoryError)
    private val unknown = first(!walked.found)
    private val split = first(pte.state === Wire.PageState.SPLIT)
    private val away = first(pte.state === Wire.PageState.AWAY)
    private val denied = first((request.access.reads && !pte.read) || (request.access.writes && !pte.write))
    private val held = first(pte.state === Wire.PageState.HOLD && request.access.writes)
    private val lives = first(pte.valid)
    private val lost = first(io.lost)
    private val zeros = first(!request.access.writes)
    private val faults = open
    private val takes = decided && faults && io.freePages.valid
    private val dry = decided && faults && !io.freePages.valid

    private val verdict = io.resolved.verdict
    private def fails(when: Bool, status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
      val outcome = verdict.outcome
      val detail = B(cause, 8 bits) ## B(0, 8 bits) ## hint
      assert(!when || (verdict.failed && outcome.status === status && outcome.detailVa === detail && outcome.detailLength === 0))
    }
    when(decided) {
      fails(expired, Wire.Status.EXPIRED, Wire.Cause.WINDOW)
      fails(memoryError, Wire.Status.MEMERR, Wire.Cause.DRAM)
      fails(unknown && walked.parityError, Wire.Status.MEMERR, Wire.Cause.PARITY)
      fails(unknown && !walked.parityError, Wire.Status.UNMAPPED, Wire.Cause.NONE)
      fails(split, Wire.Status.UNSUPPORTED, Wire.Cause.SPLIT)
      fails(denied, Wire.Status.DENIED, Wire.Cause.RIGHTS)
      fails(held, Wire.Status.BUSY, Wire.Cause.HOLD, control.busyHint)
      fails(lost, Wire.Status.MEMERR, Wire.Cause.DRAM)
      fails(dry && io.kept, Wire.Status.BUSY, Wire.Cause.SHARE, control.busyHint)
      fails(dry && !io.kept && !control.exhausted, Wire.Status.BUSY, Wire.Cause.FAULT, control.busyHint)
      fails(dry && !io.kept && control.exhausted, Wire.Status.NOMEM, Wire.Cause.NONE)
      assert(!away || (verdict.failed && verdict.outcome.asBits === row.asBits && io.awayIndex === pte.awayRow))
      assert((lives || zeros || takes) === !verdict.failed && (verdict.failed || verdict.zeros === zeros))
      assert(!(lives || takes) || verdict.ppn === (lives ? pte.ppn | page))
      assert(io.resolved.tick === tick)
    }
    assert(io.refused === request.turn.entry.andMask(dry))

    // --- Pages: one for each fault that takes one, and none for who waits.
    assert((io.freePages.valid && io.freePages.ready) === takes)
    assert(io.events.pageFault === takes)
    assert(io.events.dry === (dry && !io.kept) && io.events.overShare === (dry && io.kept))
    when(postponed) {
      assert(faults && !io.urgent && !io.resolved.valid)
      assert(!io.writeBack.valid && !io.learned.valid && !io.fill.valid && !io.freePages.fire)
      assert(io.waits.valid ? (!request.turn.waited && request.mayWait && io.waits.ready) | (request.turn.waited && !io.freePages.valid))
      // Those that wait already come first.
      assert(!io.freePages.valid || io.queued)
    }
    when(io.waits.valid)(assert(io.waits.place === request.turn.place && io.waits.number === request.asker.resized))

    // --- The entry: memory, the TLB and the page's next request get the same, when it changes.
    private val entry = {
      val others = CombInit(walked.entry)
      when(faults)(others(0, c.ppnBits bits) := page.asBits.resized)
      for (bit <- Seq(Wire.Pte.VALID, Wire.Pte.ACCESSED)) others(bit) := True
      when(request.access.writes)(others(Wire.Pte.DIRTY) := True)
      others(Wire.Pte.PARITY) := False
      val whole = CombInit(others)
      whole(Wire.Pte.PARITY) := others.xorR
      whole
    }
    private val served = decided && (lives || takes)
    private val changes = served && entry =/= walked.entry
    assert(io.fill.valid === served && io.writeBack.valid === (changes || tried) && io.learned.valid === changes)
    assert(io.events.writeBack === (changes || tried))
    // A trial writes what is known, and asks for nothing else.
    when(tried)(assert(!io.freePages.ready && !postponed))
    when(tried)(assert(io.writeBack.entry === walked.entry))
    when(changes || tried) {
      assert(io.writeBack.bucket === walked.bucket && io.writeBack.slot === walked.slot && io.writeBack.asker === request.asker)
    }
    when(changes) {
      assert(io.writeBack.ready && !io.learnBusy)
      assert(io.writeBack.entry === entry && io.writeBack.bucket === walked.bucket && io.writeBack.slot === walked.slot)
      assert(io.writeBack.asker === request.asker && io.learned.asker === request.asker)
      val learned = io.learned.walked
      assert(learned.entry === entry && learned.bucket === walked.bucket && learned.slot === walked.slot)
      assert(learned.found && !learned.memoryError)
    }
    when(served) {
      assert(io.fill.entry === request.turn.entry && io.fill.line.entry === entry && io.fill.line.bucket === walked.bucket)
    }

    // --- What the machine keeps.
    private val stage = dut.stage.pull()
    assert(stage.valid === present && (!present || stage.payload.asBits === request.asBits))
    when(present) {
      val update = trial || !pte.valid || !pte.accessed || (request.access.writes && !pte.dirty)
      assert(dut.mayUpdate.pull() === update)
      assert(CountOne(request.turn.entry) === 1 && !walked.entry.xorR && (!trial || pinned(walked)) && (request.access.reads || request.access.writes))
    }

    // --- What is reached.
    cover(takes && io.queued && request.turn.waited)
    cover(io.waits.valid && io.freePages.valid)
    cover(io.staysWaiting)
    cover(dry && control.exhausted)
    cover(dry && io.kept && control.exhausted)
    cover(served && !changes && !io.writeBack.ready)
    cover(held && decided)
  }
}

class FaultUnitProof extends Proof {
  import FaultUnitProof._

  private val c = CBoardConfig.tiny
  proves("a request is decided once, in order, and its page taken once", 3)(new Harness(c))
  reaches("pages are taken, waited for and missed", 6)(new Harness(c))
  import PlantedFault._
  for (fault <- Seq(NoWindowCheck, DirtyNotSet, FaultTakesTwoPages, UpdateUnsealed, PostponedTakesPage))
    refutes(s"decisions with $fault", 6)(new Harness(c, Some(fault)))
}
