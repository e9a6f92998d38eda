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
    /** TAG_MODE asks every request for a tag. */
    val proven = c.trailers generate in(Bool())
    val events = out(CounterEvents())
  }

  val plantedFaults = Faults.port(FilterFault, plantable)
  private val planted = new Faults[FilterFault.Value](plantedFaults)

  val flips = plantable generate in(FilterFlips())
  private val clock = FilterClock.of(io.control)
  val memory = new FilterMemory(c, planted)
  if (plantable) memory.flips := flips
  private val lookup = new FilterLookup(c, planted)
  private val judge = new FilterJudge(c, planted)
  private val scrubber = new FilterScrubber(c, planted)
  private val share = new FilterShare(c, planted)
  private val booting = scrubber.io.booting

  // --- Requests come in: each is parked, the filtered ones are looked up.
  private val head = io.requestsIn
  private def mayAct(request: Request): Bool = request.header.isWriteLike && !request.answered
  private val filters = mayAct(head.payload)
  private val parking = head.haltWhen(booting || (filters && !lookup.io.free))
  lookup.io.start.valid := parking.fire && filters
  lookup.io.start.sets := FilterHash(c, head.header, head.valid && filters)
  lookup.io.start.print := FilterHash.fingerprint(head.header)
  lookup.io.start.group := FilterHash.group(c, head.header, head.valid && filters, Option.when(c.trailers)(io.proven))
  lookup.io.start.key.assignSomeByName(head.header)

  // --- Lookups go to the judge in order; what it decides is written in the same cycle.
  private val asked = judge.io.asked.payload
  /** Its fingerprint has an odd number of ones: once for row, order and key. */
  private val odd = asked.print.xorR
  judge.io.clock := clock
  judge.io.finding << lookup.io.found
  lookup.io.judged << judge.io.asked
  lookup.io.tags <> memory.io.tags
  share.io.group := asked.group
  judge.io.refuses := share.io.refuses
  judge.io.yields := share.io.yields

  private val rows = new Area {
    private val (made, leaves) = (judge.io.makes, scrubber.io.leaves)
    scrubber.io.oldest := clock.oldest
    scrubber.io.made.valid := made.valid
    scrubber.io.made.entry := FilterMemory.entry(c, made.row, made.way)
    scrubber.io.made.time := asked.key.time
    scrubber.io.made.group := asked.group
    scrubber.io.made.print := asked.print
    scrubber.io.made.odd := odd
    scrubber.io.made.late := False
    scrubber.io.guarded << judge.io.guarded
    scrubber.io.age <> memory.io.age
    memory.io.ageWrite << scrubber.io.ageWrite

    private val lost = FilterMemory.row(c, leaves.entry.entry)
    private val lostWay = FilterMemory.way(c, leaves.entry.entry)
    memory.io.tagWrite.valid := made.valid || leaves.valid || booting
    memory.io.tagWrite.row := made.valid ? made.row | (booting ? scrubber.io.bootRow | lost)
    memory.io.tagWrite.ways := (made.valid ? made.way | lostWay) | B(c.filterWays bits, default -> booting)
    private val again = leaves.valid && leaves.stays
    // Of an entry that leaves nothing is kept: a flipped bit in the order would make the free way look damaged.
    memory.io.tagWrite.tag.sealAs(
      print = again ? leaves.entry.print | asked.print,
      odd = again ? leaves.entry.odd | odd,
      live = made.valid,
      used = made.valid || again
    )

    val scrubbed = leaves.valid && !leaves.stays
    share.io.booting := booting
    share.io.inUse := scrubber.io.inUse
    share.io.changes.valid := made.valid || scrubbed
    share.io.changes.made := made.valid
    share.io.changes.group := made.valid ? asked.group | (booting ? scrubber.io.bootRow.resize(FilterHash.groupBits(c)) | leaves.entry.group)
  }

  private val entries = new Area {
    private val update = io.updates.payload
    private val (ask, decision, goes) = (judge.io.ask, judge.io.decided, judge.io.goes)
    io.updates.ready := !goes && !booting

    memory.io.keyWrite.valid := goes
    memory.io.keyWrite.address := decision.entry
    memory.io.keyWrite.data := asked.key
    memory.io.printOdd := odd

    private val ended = planted.choose(FilterFault.UpdateLost, wrong = False, right = io.updates.fire)
    memory.io.endWrite.valid := goes || ended
    memory.io.endWrite.address := goes ? decision.entry | update.entry.resized
    memory.io.endWrite.data.pending := goes
    memory.io.endWrite.data.done := update.done
    memory.io.endWrite.data.status := update.status
    memory.io.endWrite.data.result := update.result

    memory.io.key.address := ask.payload
    judge.io.key := memory.io.key.data
    judge.io.keyDamaged := memory.io.keyDamaged
    judge.io.endDamaged := memory.io.endDamaged
    // The judge goes before the scrubber.
    memory.io.end.address := ask.valid ? ask.payload | scrubber.io.ask.payload
    scrubber.io.ask.ready := !ask.valid
    judge.io.end := memory.io.end.data
    scrubber.io.pending := memory.io.end.data.pending
  }

  // --- Verdicts meet their requests.
  private val leaving = new Area {
    val queue = StreamFifo(Request(c), room, latency = 1)
    queue.io.push << parking
    val parked = queue.io.pop
    val filters = mayAct(parked.payload)
    val decisions = StreamFifo(FilterDecision(c), room, latency = 1)
    decisions.io.push.valid := judge.io.decided.valid
    decisions.io.push.payload := judge.io.decided.payload
    val decision = decisions.io.pop
    val judged = parked.haltWhen(filters && !decision.valid).map { request =>
      filters ? decision.applied(request, io.control, judge.io.answer) | passed(request)
    }
    decision.ready := judged.fire && filters
    // The answer of before waits in the judge.
    val answering = RegInit(False) setWhen (judge.io.answers) clearWhen (decision.fire && decision.answers)
    judge.io.held := answering
    io.requestsOut << judged
  }

  /** A request that the filter has nothing to say about. */
  private def passed(request: Request): Filtered = {
    val passed = Filtered(c)
    passed.request := request
    passed.filtered := False
    passed.filterEntry := 0
    passed.tickFilter := clock.tick
    passed
  }

  // --- Counters.
  private val decided = RegNext(judge.io.decided.valid) init False
  private val verdict = RegNext(judge.io.decided.verdict)
  io.events := 0
  for ((counted, counter) <- FilterVerdict.counters) io.events(counter) := decided && verdict === counted
  io.events(Wire.Counter.FILTER_SCRUBBED) := RegNext(rows.scrubbed) init False
}

object RetryFilter {
  /** Requests that wait for verdicts, and those behind them. */
  val parked = 16
}
