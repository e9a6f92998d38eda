package mneme.filter

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a lookup found in its two rows. */
case class FilterFinding(c: CBoardConfig) extends Bundle {
  val ask = FilterAsk(c)
  val views = Vec(FilterView(c), 2)
}

/** Decides about one operation at a time, two cycles for each: reads the entry that it may have, compares, and falls its verdict.
  *
  * An entry with the fingerprint and another key, or one whose window is over, costs four cycles more; then the next one is looked at.
  */
class FilterJudge(c: CBoardConfig, memory: FilterMemory, clock: FilterClock, planted: Faults[FilterFault.Value]) extends Area {
  private val ways = HardType(Vec(Bits(c.filterWays bits), 2))
  private val entry = HardType(UInt(FilterMemory.entryBits(c) bits))

  /** A finding, taken in a cycle in which `free`. */
  val finding = Flow(FilterFinding(c))
  /** The verdict must wait. */
  val held = Bool()
  /** New operations of the group must wait. */
  val refuses = Bool()

  val valid = RegInit(False)
  /** What is judged. */
  val asked = Reg(FilterAsk(c))
  private val matches, live, rooms = Reg(ways())
  /** The entry that is compared, if any. */
  private val candidate = Reg(ways())
  private val compares = Reg(Bool())
  private val candidateEntry = Reg(entry())
  /** Choice 1 has the emptier row. */
  private val second = Reg(Bool())

  object Step extends SpinalEnum { val compare, decide, choose, next = newElement() }
  private val step = Reg(Step()) init Step.decide

  private def any(bits: Vec[Bits]): Bool = bits.map(_.orR).orR
  private def row(sets: Vec[UInt], bank: Bool): UInt = bank.asUInt @@ (bank ? sets(1) | sets(0))
  private def place(sets: Vec[UInt], way: Vec[Bits]): UInt = FilterMemory.entry(c, row(sets, way(1).orR), way(0) | way(1))

  // --- A finding comes in, and its first candidate is read.
  private val incoming = finding.payload
  private val looking = step === Step.next
  private val others = Vec(matches.map(ways => RegNext(FilterRows.first(ways))))
  private val firsts = Vec((0 to 1).map(b => looking ? others(b) | incoming.views(b).first))
  private val chosen = Vec(firsts(0), firsts(1) & B(c.filterWays bits, default -> !firsts(0).orR))
  private val chosenSets = Vec((0 to 1).map(b => looking ? asked.sets(b) | incoming.ask.sets(b)))
  /** The entry to read, and whether it may be read in this cycle. */
  val readEntry: UInt = place(chosenSets, chosen)
  val again: Bool = valid && looking
  memory.readKey := readEntry
  when(finding.valid) {
    asked := incoming.ask
    for (b <- 0 to 1) {
      matches(b) := incoming.views(b).matches
      live(b) := incoming.views(b).live
      rooms(b) := incoming.views(b).room
    }
    second := CountOne(incoming.views(1).room) > CountOne(incoming.views(0).room)
  }
  when(finding.valid || again) {
    candidate := chosen
    candidateEntry := readEntry
    compares := any(firsts)
    step := Step.compare
  }

  // --- The entry has come; the ways that the two operations ahead have taken since the rows were read are known by now.
  private val keyEqual, sameOperation, isPending, isLive, attemptKnown, succeeded, tooOld, tooEarly, full = Reg(Bool())
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
    val bank = second ? left(1).orR | !left(0).orR
  }
  when(valid && step === Step.compare) {
    step := Step.decide
    keyEqual := planted.choose(FilterFault.FingerprintIsKey, wrong = True, right = memory.key.sameKey(asked.key))
    val digestEqual = planted.choose(FilterFault.NoDigest, wrong = True, right = memory.key.sameDigest(asked.key))
    sameOperation := digestEqual && memory.key.pid === asked.key.pid && memory.key.time === asked.key.time
    isPending := memory.end.pending
    isLive := live.zip(candidate).map { case (b, here) => (b & here).orR }.orR && !clock.ended(memory.key.time)
    attemptKnown := asked.key.attempt <= memory.key.attempt
    val (old, early) = clock.outside(asked.key.time)
    tooOld := planted.choose(FilterFault.WindowOff, wrong = False, right = old)
    tooEarly := early
    tick := clock.tick
    end := memory.end
    succeeded := memory.end.done && memory.end.status === Wire.Status.OK
    target.row := row(asked.sets, targets.bank)
    target.way := FilterRows.first(targets.bank ? targets.left(1) | targets.left(0))
    full := refuses || !any(targets.left)
  }

  // --- The verdict.
  private val deciding = valid && step === Step.decide
  private val found = compares && keyEqual && (isLive || isPending)
  private val mistaken = compares && !found
  when(deciding && mistaken) {
    matches := Vec(matches.zip(candidate).map { case (m, here) => m & ~here })
    step := Step.choose
  }
  when(step === Step.choose)(step := Step.next)
  val verdict = FilterVerdict()
  when(found && !sameOperation)(verdict := FilterVerdict.conflict)
    .elsewhen(found && planted.choose(FilterFault.PendingExecutes, wrong = False, right = isPending))(verdict := FilterVerdict.pending)
    .elsewhen(found && succeeded)(verdict := FilterVerdict.replay)
    .elsewhen(found && planted.choose(FilterFault.FailedExecutes, wrong = False, right = end.done))(verdict := FilterVerdict.repeat)
    .elsewhen(found && planted.choose(FilterFault.LowerAttemptExecutes, wrong = False, right = attemptKnown))(verdict := FilterVerdict.repeat)
    .elsewhen(tooOld)(verdict := FilterVerdict.expired)
    .elsewhen(tooEarly)(verdict := FilterVerdict.clock)
    .elsewhen(found)(verdict := FilterVerdict.reopen)
    .elsewhen(full)(verdict := FilterVerdict.full)
    .otherwise(verdict := FilterVerdict.insert)

  /** This cycle ends it; a new finding may come. */
  val done: Bool = deciding && !mistaken && !held
  val free: Bool = !valid || done
  when(finding.valid)(valid := True) elsewhen (done)(valid := False)

  /** It ends with a new entry, with one opened again; what it then does to its row. */
  val inserts: Bool = done && verdict === FilterVerdict.insert
  val goes: Bool = done && (verdict === FilterVerdict.insert || verdict === FilterVerdict.reopen)
  val makes: FilterTarget = target
  when(done) {
    taken(0) := target
    when(!inserts)(taken(0).way := 0)
    taken(1) := taken(0)
  }
  /** What it ended with before, until the next one ends that must be answered again. */
  val answers: Bool = done && (verdict === FilterVerdict.replay || verdict === FilterVerdict.repeat)
  val answer = RegNextWhen(end, done)

  /** The entry that may be opened again: it must not be retired. */
  val guarded = Flow(entry())
  guarded.valid := valid && compares
  guarded.payload := candidateEntry

  val decision = FilterDecision(c)
  decision.verdict := verdict
  decision.entry := found ? candidateEntry | FilterMemory.entry(c, target.row, target.way)
  decision.tick := tick
}
