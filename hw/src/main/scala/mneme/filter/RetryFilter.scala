package mneme.filter

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Makes writes and atomics take effect once, however often their packets arrive (contracts §2; architecture §3, "Exactly once").
  *
  * {{{
  * requestsIn ─┬→ parked ───────────────────────────────────────┬→ requestsOut
  *             └→ FilterLookup (two rows, all ways) → FilterJudge ┘
  *                      ↑ FilterMemory ↓ (rows, entries, ages)
  *               FilterScrubber, FilterShare
  * }}}
  *
  * Requests stay in order. Reads, fences and answered requests pass, one per cycle; filtered ones enter every second cycle. Decisions have
  * room as long as the requests have; one that repeats an answer holds up the next until it has left.
  *
  * Updates wait for one cycle at most, whatever happens to the requests, so a full pipeline cannot deadlock through them.
  * After reset the filter frees every entry before it accepts anything.
  */
case class RetryFilter(c: CBoardConfig, plantable: Boolean = false, room: Int = RetryFilter.parked) extends Component {
  val io = new Bundle {
    val requestsIn = slave Stream (Request(c))
    /** Ends in no register. */
    val requestsOut = master Stream (Filtered(c))
    val updates = slave Stream (FilterUpdate(c))
    val control = in(Control())
    val events = out(CounterEvents())
  }

  val plantedFaults = Faults.port(FilterFault, plantable)
  private val planted = new Faults[FilterFault.Value](plantedFaults)

  val clock = new FilterClock(io.control)
  val memory = FilterMemory(c)
  val lookup = new FilterLookup(c, memory, planted)
  val judge = new FilterJudge(c, memory, clock, planted)
  val scrubber = new FilterScrubber(c, memory, clock, planted)
  val share = new FilterShare(c, planted.choose(FilterFault.NoShare, wrong = False, right = True))

  // --- Requests come in: each is parked, the filtered ones are looked up.
  val head = io.requestsIn
  private def mayAct(request: Request): Bool = request.header.isWriteLike && !request.answered
  private val filters = mayAct(head.payload)
  val parking = head.haltWhen(scrubber.booting || (filters && !lookup.free))
  lookup.start.valid := parking.fire && filters
  lookup.start.sets := FilterHash(c, head.header, head.valid && filters)
  lookup.start.print := FilterHash.fingerprint(head.header)
  lookup.start.group := FilterHash.group(c, head.header, head.valid && filters)
  lookup.start.key.assignSomeByName(head.header)

  // --- Lookups go to the judge in order; what it decides is written in the same cycle.
  lookup.judged.valid := judge.valid
  lookup.judged.payload := judge.asked
  lookup.taken := lookup.full && judge.free
  judge.finding.valid := lookup.taken
  judge.finding.payload := lookup.finding
  judge.refuses := share.refuses(judge.asked.group)

  val rows = new Area {
    private val leaves = scrubber.leaves
    private val target = judge.makes
    scrubber.made.valid := judge.inserts
    scrubber.made.entry := FilterMemory.entry(c, target.row, target.way)
    scrubber.made.time := judge.asked.key.time
    scrubber.made.group := judge.asked.group
    scrubber.made.print := judge.asked.print
    scrubber.made.late := False
    scrubber.guarded << judge.guarded

    private val lost = FilterMemory.row(c, leaves.entry.entry)
    private val lostWay = FilterMemory.way(c, leaves.entry.entry)
    memory.tagWrite.valid := judge.inserts || leaves.valid || scrubber.booting
    memory.tagWrite.row := judge.inserts ? target.row | (scrubber.booting ? scrubber.bootRow | lost)
    memory.tagWrite.ways := (judge.inserts ? target.way | lostWay) | B(c.filterWays bits, default -> scrubber.booting)
    memory.tagWrite.tag.print := judge.inserts ? judge.asked.print | leaves.entry.print
    memory.tagWrite.tag.live := judge.inserts
    memory.tagWrite.tag.used := judge.inserts || (leaves.stays && !scrubber.booting)

    private val gone = leaves.valid && !leaves.stays
    share.booting := scrubber.booting
    share.inUse := scrubber.inUse
    share.made := judge.inserts
    share.changes.valid := judge.inserts || gone
    share.changes.payload := judge.inserts ? judge.asked.group | (scrubber.booting ? scrubber.bootRow.resize(FilterHash.groupBits(c)) | leaves.entry.group)
    val scrubbed: Bool = gone
  }

  val entries = new Area {
    private val update = io.updates.payload
    io.updates.ready := !judge.goes && !scrubber.booting

    memory.keyWrite.valid := judge.goes
    memory.keyWrite.entry := judge.decision.entry
    memory.keyWrite.data := judge.asked.key

    private val ended = planted.choose(FilterFault.UpdateLost, wrong = False, right = io.updates.fire)
    memory.endWrite.valid := judge.goes || ended
    memory.endWrite.entry := judge.goes ? judge.decision.entry | update.entry.resized
    memory.endWrite.data.pending := judge.goes
    memory.endWrite.data.done := update.done
    memory.endWrite.data.status := update.status
    memory.endWrite.data.result := update.result

    // The judge reads in the cycle in which it takes a finding, or looks at another entry.
    private val judgeReads = lookup.full || judge.again
    memory.readEnd := judgeReads ? judge.readEntry | scrubber.readEntry
    scrubber.readBusy := judgeReads
  }

  // --- Verdicts meet their requests.
  val leaving = new Area {
    val queue = StreamFifo(Request(c), room, latency = 1)
    queue.io.push << parking
    val parked = queue.io.pop
    val filters = mayAct(parked.payload)
    val decisions = StreamFifo(FilterDecision(c), room, latency = 1)
    decisions.io.push.valid := judge.done
    decisions.io.push.payload := judge.decision
    val decision = decisions.io.pop
    val judged = parked.haltWhen(filters && !decision.valid).map { request =>
      val judged = Filtered(c)
      judged.allowOverride()
      judged.request := request
      judged.filtered := False
      judged.filterEntry := 0
      judged.tickFilter := clock.tick
      when(filters)(decision.payload(judged, io.control, judge.answer))
      judged
    }
    decision.ready := judged.fire && filters
    // The answer of before waits in the judge.
    private val answering = RegInit(False) setWhen (judge.answers) clearWhen (decision.fire && decision.answers)
    judge.held := answering
    io.requestsOut << judged
  }

  // --- Counters.
  private val decided = RegNext(judge.done) init False
  private val verdict = RegNext(judge.verdict)
  io.events := 0
  for ((counted, counter) <- FilterVerdict.counters) io.events(counter) := decided && verdict === counted
  io.events(Wire.Counter.FILTER_SCRUBBED) := RegNext(rows.scrubbed) init False
}

object RetryFilter {
  /** Requests that wait for verdicts, and those behind them. */
  val parked = 16
}
