package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** Reads the two rows of an operation, one per cycle, and compares all their ways: a lookup begins every second cycle.
  *
  * {{{
  * cycle 0  the operation is taken
  *       1  row of choice 0 asked for, unless an operation ahead may be the same
  *       2  its tags compared; row of choice 1 asked for        (the next lookup's cycle 0)
  *       3  its tags compared
  *       4  both views complete: to the judge
  * }}}
  *
  * While the views wait, the next lookup repeats its cycles 1 and 2.
  */
class FilterLookup(c: CBoardConfig, memory: FilterMemory, planted: Faults[FilterFault.Value]) extends Area {
  /** A lookup begins; only while `free`. */
  val start = Flow(FilterAsk(c))
  /** The operation that is judged. */
  val judged = Flow(FilterAsk(c))

  object Step extends SpinalEnum { val idle, first, second = newElement() }
  private val step = RegInit(Step.idle)
  private val ask = RegNextWhen(start.payload, start.valid)

  /** Both views are complete. */
  val full = RegInit(False)
  /** The second view is being read. */
  private val completes = RegInit(False)
  val finding = Reg(FilterFinding(c))
  /** The views leave for the judge. */
  val taken = Bool()
  private val room = !full || taken
  val free: Bool = step === Step.idle || (step === Step.second && room)

  // What an operation ahead does to its rows and to its entry must be written before the same operation looks.
  private val ahead = ((full || completes) && ask.resembles(finding.ask)) || (judged.valid && ask.resembles(judged.payload))
  private val waits = planted.choose(FilterFault.NoConflictWait, wrong = False, right = ahead)

  memory.readRow := (step === Step.second) ? (U(1, 1 bits) @@ ask.sets(1)) | (U(0, 1 bits) @@ ask.sets(0))
  private val view = FilterRows.view(c, RegNext(ask.print), memory.tags, planted)
  when(step === Step.first && !waits)(step := Step.second)
  when(step === Step.second)(step := room ? Step.idle | Step.first)
  when(start.valid)(step := Step.first)

  when(taken)(full := False)
  completes := step === Step.second && room
  when(step === Step.second && room) {
    finding.views(0) := view
    finding.ask := ask
  }
  when(completes) {
    finding.views(1) := view
    full := True
  }
}
