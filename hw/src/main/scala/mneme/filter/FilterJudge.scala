package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** What a lookup found in its two rows. */
case class FilterFinding(c: CBoardConfig) extends Bundle {
  val ask = FilterAsk(c)
  val views = Vec(FilterView(c), 2)
}

/** Decides about one operation at a time, two cycles for each: reads the entry that it may have, compares, and falls its verdict.
  *
  * An entry with the fingerprint and another key costs three cycles more; then the next one is looked at.
  */
class FilterJudge(c: CBoardConfig, memory: FilterMemory, share: FilterShare, planted: FilterFaults) extends Area {
  private val ways = HardType(Vec(Bits(c.filterWays bits), 2))

  /** A finding, taken in a cycle in which `free`. */
  val finding = Flow(FilterFinding(c))

  val valid = RegInit(False)
  /** What is judged. */
  val asked = Reg(FilterAsk(c))
  private val matches, pendings, sameTimes = Reg(ways())
  /** The entry that is compared. */
  private val candidate = Reg(ways())
  private val found = Reg(Bool())
  /** The way that a new entry takes if the operation has none; no way when there can be no new entry. */
  private val target = Reg(ways())
  private val tooOld = Reg(Bool())
  private val lost = Reg(ways())
  /** Groups of the entries that leave their rows. */
  val lostGroups = Reg(Vec(Bits(FilterHash.groupBits(c) bits), 2))

  object Step extends SpinalEnum { val compare, decide, next = newElement() }
  private val step = Reg(Step())

  private def firstOf(bits: Vec[Bits]): Vec[Bits] = {
    val firsts = bits.map(FilterRows.first)
    Vec(firsts(0), firsts(1) & B(c.filterWays bits, default -> !bits(0).orR))
  }
  private def any(bits: Vec[Bits]): Bool = bits.map(_.orR).orR
  private def at(bits: Vec[Bits]): Bool = bits.zip(candidate).map { case (b, here) => (b & here).orR }.orR
  private def place(sets: Vec[UInt], way: Vec[Bits]): FilterPlace = {
    val place = FilterPlace(c)
    place.bank(0) := way(1).orR
    place.set := sets(place.bank)
    place.way := way(0) | way(1)
    place
  }

  // --- A finding comes in, and its first candidate is read.
  private val incoming = finding.payload
  private val incomingFirst = firstOf(Vec(incoming.views.map(_.matches)))
  private val nextFirst = firstOf(matches)
  memory.readEntry := Mux(step === Step.next, place(asked.sets, nextFirst).number, place(incoming.ask.sets, incomingFirst).number)

  private val targets = incoming.views.map(_.target)
  private val rooms = incoming.views.map(v => CountOne(v.room))
  /** The emptier choice; the first when they are equal. */
  private val second = rooms(1) > rooms(0)
  private val outside = planted.choose(FilterFault.WindowOff, wrong = False, right = incoming.ask.tooOld)
  private val mayInsert = incoming.ask.looks && !outside && !incoming.ask.tooEarly && !share.refuses(incoming.ask.group)
  when(finding.valid) {
    asked := incoming.ask
    for (b <- 0 to 1) {
      matches(b) := incoming.views(b).matches
      pendings(b) := incoming.views(b).pending
      sameTimes(b) := incoming.views(b).sameTime
      lost(b) := incoming.views(b).lost
      lostGroups(b) := incoming.views(b).lostGroup
      target(b) := targets(b) & B(c.filterWays bits, default -> (mayInsert && second === Bool(b == 1)))
    }
    candidate := incomingFirst
    found := any(Vec(incoming.views.map(_.matches)))
    tooOld := outside
    step := Step.compare
  }

  // --- The entry has come.
  private val keyEqual, sameOperation, isPending = Reg(Bool())
  private val attempt = Reg(UInt(8 bits))
  private val end = Reg(FilterEnd())
  when(step === Step.compare) {
    step := Step.decide
    keyEqual := planted.choose(FilterFault.FingerprintIsKey, wrong = True, right = memory.key.sameKey(asked.key))
    val digestEqual = planted.choose(FilterFault.NoDigest, wrong = True, right = memory.key.digest === asked.key.digest)
    sameOperation := digestEqual && memory.key.pid === asked.key.pid && at(sameTimes)
    isPending := at(pendings)
    attempt := memory.key.attempt
    end := memory.end
  }

  // --- The verdict.
  private val deciding = valid && step === Step.decide
  private val mistaken = found && !keyEqual
  when(deciding && mistaken) {
    matches := Vec(matches.zip(candidate).map { case (m, here) => m & ~here })
    step := Step.next
  }
  when(step === Step.next) {
    candidate := nextFirst
    found := any(matches)
    step := Step.compare
  }
  private val attemptKnown = planted.choose(FilterFault.LowerAttemptExecutes, wrong = False, right = asked.key.attempt <= attempt)
  val verdict = FilterVerdict()
  when(found && !sameOperation)(verdict := FilterVerdict.conflict)
    .elsewhen(found && planted.choose(FilterFault.PendingExecutes, wrong = False, right = isPending))(verdict := FilterVerdict.pending)
    .elsewhen(found && end.done)(verdict := FilterVerdict.replay)
    .elsewhen(found && attemptKnown)(verdict := FilterVerdict.repeat)
    .elsewhen(tooOld)(verdict := FilterVerdict.expired)
    .elsewhen(asked.tooEarly)(verdict := FilterVerdict.clock)
    .elsewhen(found)(verdict := FilterVerdict.reopen)
    .elsewhen(!any(target))(verdict := FilterVerdict.full)
    .otherwise(verdict := FilterVerdict.insert)

  /** This cycle ends it; a new finding may come. */
  val done: Bool = deciding && !mistaken
  val free: Bool = !valid || done
  when(finding.valid)(valid := True) elsewhen (done)(valid := False)

  private def only(condition: Bool, bits: Vec[Bits]): Vec[Bits] = Vec(bits.map(_ & B(c.filterWays bits, default -> condition)))
  private val reopens = verdict === FilterVerdict.reopen && asked.looks

  /** What the lookup does to its rows, from registers alone: right once `done`, but for an entry that is opened again. */
  val likely = FilterEffect(c)
  likely.sets := asked.sets
  likely.print := asked.print
  likely.time := asked.time
  likely.clear := lost
  likely.take := only(!found, target)
  /** An entry may be opened again: its way. */
  val candidates: Vec[Bits] = only(found, candidate)

  /** Whether the lookup makes an entry, once `done`; what it does to its rows. */
  val inserts: Bool = !found && any(target)
  val effect: FilterEffect = CombInit(likely).allowOverride()
  effect.take := Vec(only(!found, target).zip(only(reopens, candidate)).map { case (a, b) => a | b })

  val decision = FilterDecision(c)
  decision.verdict := verdict
  decision.entry := place(asked.sets, effect.take).number
  decision.status := end.status
  decision.result := end.result
}
