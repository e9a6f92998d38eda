package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** What a lookup found in its two rows. */
case class FilterFinding(c: CBoardConfig) extends Bundle {
  val ask = FilterAsk(c)
  val views = Vec(FilterView(c), 2)
}

/** Which row a lookup reads. */
object LookupStep extends SpinalEnum { val idle, first, second = newElement() }

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
class FilterLookup(c: CBoardConfig, planted: Faults[FilterFault.Value]) extends Component {
  val io = new Bundle {
    /** A lookup begins; only while `free`. */
    val start = slave(Flow(FilterAsk(c)))
    val free = out Bool ()
    /** The operation that is judged. */
    val judged = slave(Flow(FilterAsk(c)))
    val tags = master(FilterMemory.tagRead(c))
    /** Both views, once they are complete. */
    val found = master(Stream(FilterFinding(c)))
  }

  private val step = RegInit(LookupStep.idle)
  private val ask = RegNextWhen(io.start.payload, io.start.valid)

  /** Both views are complete. */
  private val full = RegInit(False)
  /** The second view is being read. */
  private val completes = RegInit(False)
  private val finding = Reg(FilterFinding(c))
  private val room = !full || io.found.ready
  private val leaves = step === LookupStep.second && room
  io.free := step === LookupStep.idle || leaves
  io.found.valid := full
  io.found.payload := finding

  // What an operation ahead does to its rows and to its entry must be written before the same operation looks.
  private val ahead = ((full || completes) && ask.resembles(finding.ask)) || (io.judged.valid && ask.resembles(io.judged.payload))
  private val waits = planted.choose(FilterFault.NoConflictWait, wrong = False, right = ahead)

  io.tags.address := (step === LookupStep.second) ? (U(1, 1 bits) @@ ask.sets(1)) | (U(0, 1 bits) @@ ask.sets(0))
  private val view = FilterRows.view(c, RegNext(ask.print), io.tags.data, planted)
  switch(step) {
    is(LookupStep.idle)(when(io.start.valid)(step := LookupStep.first))
    is(LookupStep.first)(when(!waits)(step := LookupStep.second))
    is(LookupStep.second)(step := ((room && !io.start.valid) ? LookupStep.idle | LookupStep.first))
  }

  completes := leaves
  full := completes || (full && !io.found.ready)
  when(leaves) {
    finding.views(0) := view
    finding.ask := ask
  }
  when(completes)(finding.views(1) := view)
}
