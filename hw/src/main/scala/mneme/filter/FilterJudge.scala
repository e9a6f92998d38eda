package mneme.filter

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What the judge does in a cycle. */
object JudgeStep extends SpinalEnum { val compare, decide, choose, next = newElement() }

/** Decides about one operation at a time, two cycles for each: reads the entry that it may have, compares, and falls its verdict.
  *
  * {{{
  * cycle 0  a finding is taken; the entry with the fingerprint, if any, is asked for
  *       1  compare: key and end have come; a way is chosen for a new entry
  *       2  decide: the verdict                                  (the next one's cycle 0)
  * }}}
  *
  * An entry with the fingerprint and another key, or one whose window is over, costs four cycles more (choose, next, compare, decide): then the next one is looked at.
  */
class FilterJudge(c: CBoardConfig, planted: Faults[FilterFault.Value]) extends Component {
  private val ways = HardType(Vec(Bits(c.filterWays bits), 2))
  private val entryNumber = HardType(UInt(FilterMemory.entryBits(c) bits))

  val io = new Bundle {
    val clock = in(FilterClock())
    val finding = slave(Stream(FilterFinding(c)))
    /** What is judged. */
    val asked = master(Flow(FilterAsk(c)))
    /** New operations of its group must wait. */
    val refuses = in Bool ()
    /** It may not take the last free way of a row. */
    val yields = in Bool ()
    /** The verdict must wait. */
    val held = in Bool ()
    /** The entry that is asked for in this cycle; its key and end come in the next. */
    val ask = master(Flow(entryNumber))
    val key = in(FilterKey())
    val end = in(FilterEnd())
    /** A bit of either has flipped. */
    val keyDamaged, endDamaged = in Bool ()
    /** The entry that may be opened again: it must not be retired. */
    val guarded = master(Flow(entryNumber))
    /** The verdict. */
    val decided = master(Flow(FilterDecision(c)))
    /** With that verdict the operation goes on; does so with a new entry, at this place; is answered as before. */
    val goes, answers = out Bool ()
    val makes = master(Flow(FilterTarget(c)))
    /** How it ended before, of the last verdict: kept until the next. */
    val answer = out(FilterEnd())
  }

  private val valid = RegInit(False)
  private val asked = Reg(FilterAsk(c))
  private val matches, live, rooms = Reg(ways())
  /** The entry that is compared, if any. */
  private val candidate = Reg(ways())
  private val compares = Reg(Bool())
  private val candidateEntry = Reg(entryNumber())
  /** Choice 1 has the emptier row. */
  private val second = Reg(Bool())
  io.asked.valid := valid
  io.asked.payload := asked

  private val step = Reg(JudgeStep()) init JudgeStep.decide
  private val comparing = valid && step === JudgeStep.compare
  private val deciding = valid && step === JudgeStep.decide
  private val looking = step === JudgeStep.next
  /** What was compared is not the operation. */
  private val mistaken = Bool()
  /** This cycle ends it; a new finding may come. */
  private val done = deciding && !mistaken && !io.held
  io.finding.ready := !valid || done
  valid := io.finding.fire || (valid && !done)
  switch(step) {
    is(JudgeStep.compare)(step := JudgeStep.decide)
    is(JudgeStep.decide)(when(io.finding.fire)(step := JudgeStep.compare) elsewhen (deciding && mistaken)(step := JudgeStep.choose))
    is(JudgeStep.choose)(step := JudgeStep.next)
    is(JudgeStep.next)(step := JudgeStep.compare)
  }

  private def any(bits: Vec[Bits]): Bool = bits.map(_.orR).orR
  private def row(sets: Vec[UInt], bank: Bool): UInt = bank.asUInt @@ (bank ? sets(1) | sets(0))
  private def place(sets: Vec[UInt], way: Vec[Bits]): UInt = FilterMemory.entry(c, row(sets, way(1).orR), way(0) | way(1))

  // --- A finding comes in, and its first candidate is read; or the next one of the finding before.
  private val incoming = io.finding.payload
  private val others = Vec(matches.map(ways => RegNext(OHMasking.firstV2(ways))))
  private val firsts = Vec((0 to 1).map(b => looking ? others(b) | incoming.views(b).first))
  private val chosen = Vec(firsts(0), firsts(1) & B(c.filterWays bits, default -> !firsts(0).orR))
  private val chosenSets = Vec((0 to 1).map(b => looking ? asked.sets(b) | incoming.ask.sets(b)))
  private val again = valid && looking
  // While a finding waits nobody needs the port less, and who takes it is known late.
  io.ask.valid := io.finding.valid || again
  io.ask.payload := place(chosenSets, chosen)
  when(io.finding.fire) {
    asked := incoming.ask
    for (b <- 0 to 1) {
      live(b) := incoming.views(b).live
      rooms(b) := incoming.views(b).room
    }
    second := CountOne(incoming.views(1).room) > CountOne(incoming.views(0).room)
  }
  when(io.finding.fire || again) {
    candidate := chosen
    candidateEntry := io.ask.payload
    compares := any(firsts)
  }
  for (b <- 0 to 1) {
    when(io.finding.fire)(matches(b) := incoming.views(b).matches) elsewhen (deciding && mistaken)(matches(b) := matches(b) & ~candidate(b))
  }

  // --- The entry has come; the ways that the two operations ahead have taken since the rows were read are known by now.
  private val keyEqual, keyDamaged, endDamaged, notOver, sameOperation, isPending, isLive, attemptKnown, succeeded, tooOld, tooEarly, full = Reg(Bool())
  private val tick = Reg(UInt(24 bits))
  private val end = Reg(FilterEnd())
  private val target = Reg(FilterTarget(c))
  private val taken = Vec.fill(2)(Reg(FilterTarget(c)))
  taken.foreach(_.way.init(0))

  private val targets = new Area {
    private def after(bank: Int): Bits = {
      val ways = taken.foldLeft(rooms(bank))((ways, by) => by.leaves(U(bank, 1 bits) @@ asked.sets(bank), ways))
      planted.choose(FilterFault.NoForward, wrong = rooms(bank), right = ways)
    }
    val left = Vec(after(0), after(1))
    private def several(ways: Bits): Bool = (ways & ~OHMasking.firstV2(ways)).orR
    /** The rows that have a way for it. */
    val room = Vec(left.map(ways => ways.orR && (!io.yields || several(ways))))
    val bank = second ? room(1) | !room(0)
  }
  when(comparing) {
    keyEqual := planted.choose(FilterFault.FingerprintIsKey, wrong = True, right = io.key.sameKey(asked.key))
    val digestEqual = planted.choose(FilterFault.NoDigest, wrong = True, right = io.key.sameDigest(asked.key))
    sameOperation := digestEqual && io.key.pid === asked.key.pid && io.key.time === asked.key.time
    isPending := io.end.pending
    keyDamaged := io.keyDamaged
    endDamaged := io.endDamaged
    val inWindow = live.zip(candidate).map { case (b, here) => (b & here).orR }.orR
    notOver := inWindow
    isLive := inWindow && !io.clock.ended(io.key.time)
    attemptKnown := asked.key.attempt <= io.key.attempt
    val (old, early) = io.clock.outside(asked.key.time)
    tooOld := planted.choose(FilterFault.WindowOff, wrong = False, right = old)
    tooEarly := early
    tick := io.clock.tick
    end := io.end
    succeeded := io.end.done && io.end.status === Wire.Status.OK
    target.row := row(asked.sets, targets.bank)
    target.way := OHMasking.firstV2(targets.bank ? targets.left(1) | targets.left(0))
    full := io.refuses || !targets.room.orR
  }

  // --- The verdict. An entry that has a flipped bit may be the operation's, and may have taken effect: so it is told, and nothing executes.
  private val known = keyEqual && (isLive || isPending)
  private val damaged = compares && (keyDamaged ? (notOver || isPending) | (known && endDamaged))
  private val found = compares && !keyDamaged && known
  mistaken := compares && !found && !damaged
  private val verdict = FilterVerdict()
  when(damaged)(verdict := FilterVerdict.damaged)
    .elsewhen(found && !sameOperation)(verdict := FilterVerdict.conflict)
    .elsewhen(found && planted.choose(FilterFault.PendingExecutes, wrong = False, right = isPending))(verdict := FilterVerdict.pending)
    .elsewhen(found && succeeded)(verdict := FilterVerdict.replay)
    .elsewhen(found && planted.choose(FilterFault.FailedExecutes, wrong = False, right = end.done))(verdict := FilterVerdict.repeat)
    .elsewhen(found && planted.choose(FilterFault.LowerAttemptExecutes, wrong = False, right = attemptKnown))(verdict := FilterVerdict.repeat)
    .elsewhen(tooOld)(verdict := FilterVerdict.expired)
    .elsewhen(tooEarly)(verdict := FilterVerdict.clock)
    .elsewhen(found)(verdict := FilterVerdict.reopen)
    .elsewhen(full)(verdict := FilterVerdict.full)
    .otherwise(verdict := FilterVerdict.insert)

  io.decided.valid := done
  io.decided.verdict := verdict
  io.decided.entry := found ? candidateEntry | FilterMemory.entry(c, target.row, target.way)
  io.decided.tick := tick
  io.goes := done && (verdict === FilterVerdict.insert || verdict === FilterVerdict.reopen)
  io.answers := done && io.decided.answers
  private val answer = RegNextWhen(end, done)
  io.answer := answer
  io.makes.valid := done && verdict === FilterVerdict.insert
  io.makes.payload := target
  when(done) {
    taken(0).row := target.row
    taken(0).way := target.way.andMask(io.makes.valid)
    taken(1) := taken(0)
  }
  io.guarded.valid := valid && compares
  io.guarded.payload := candidateEntry
}
