package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Reads the two rows of an operation, one per cycle, and compares all their ways: a lookup begins every second cycle.
  *
  * {{{
  * cycle 0  row of choice 0 asked for
  *       1  its tags compared; row of choice 1 asked for
  *       2  its tags compared                               (the next lookup's cycle 0)
  *       3  both views complete: to the judge, unless an operation ahead may be the same
  * }}}
  *
  * While the views wait, the next lookup repeats its cycles 0 and 1.
  */
class FilterLookup(c: CBoardConfig, memory: FilterMemory, planted: FilterFaults) extends Area {
  /** A lookup begins; only while `free`. */
  val start = Flow(FilterAsk(c))

  object Step extends SpinalEnum { val idle, again, first, second = newElement() }
  private val step = RegInit(Step.idle)
  private val ask = RegNextWhen(start.payload, start.valid)
  /** Decided by registers alone: it is ready towards dispatch. */
  val free: Bool = step === Step.idle || step === Step.second

  val full = RegInit(False)
  private val finding = Reg(FilterFinding(c))
  /** The views leave for the judge. */
  val taken = Bool()

  // Rows: choice 0 of what begins, choice 1 while choice 0 is compared.
  private val begins = start.valid ? start.payload | ask
  memory.readRow := (step === Step.first) ? (U(1, 1 bits) @@ ask.sets(1)) | (U(0, 1 bits) @@ begins.sets(0))
  private val view = FilterRows.view(c, ask, memory.tags, memory.pending, planted)

  private val room = !full || taken
  switch(step) {
    is(Step.again)(step := Step.first)
    is(Step.first)(step := room ? Step.second | Step.again)
    is(Step.second)(step := Step.idle)
  }
  when(start.valid)(step := Step.first)
  when(taken)(full := False)

  /** What lookups ahead do to their rows, the youngest first; the last has written it all by now. */
  val ahead = Vec(Flow(FilterEffect(c)), 5)
  for (b <- 0 to 1) finding.views(b) := FilterRows.overtaken(finding.views(b), finding.ask, b, ahead.last)
  when(step === Step.first && room) {
    finding.views(0) := view
    finding.ask := ask
  }
  when(step === Step.second) {
    finding.views(1) := view
    full := True
  }

  /** The views as the lookups ahead leave them. */
  val result = CombInit(finding).allowOverride()
  for (b <- 0 to 1) {
    val forwarded = FilterRows.forwarded(finding.views(b), finding.ask, b, ahead.toSeq)
    result.views(b) := planted.choose(FilterFault.NoForward, wrong = finding.views(b), right = forwarded)
  }
  /** An operation ahead may be the same, or may open an entry of these rows again: its end must be awaited. */
  val mustWait: Bool = planted.choose(FilterFault.NoConflictWait, wrong = False, right = ahead.map(FilterRows.conflict(finding.ask, _)).orR)
  /** Whether one of the ways that a lookup ahead may open again lies in these rows. */
  def meets(effect: FilterEffect, ways: Vec[Bits]): Bool = (0 to 1).map(b => effect.sets(b) === finding.ask.sets(b) && ways(b).orR).orR
}
