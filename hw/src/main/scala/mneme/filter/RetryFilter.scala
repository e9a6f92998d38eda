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
  *                      ↑ FilterMemory ↓ (rows, entries)   ↓ writes
  *                FilterScrubber, FilterShare
  * }}}
  *
  * Requests stay in order. Reads, fences and answered requests pass, one per cycle; filtered ones enter every second cycle. From its start to
  * its verdict a lookup waits for nothing outside: decisions have room as long as the requests have.
  *
  * Updates wait for one cycle at most, whatever happens to the requests, so a full pipeline cannot deadlock through them.
  * After reset the filter frees every entry before it accepts anything.
  */
case class RetryFilter(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val requestsIn = slave Stream (Request(c))
    val requestsOut = master Stream (Request(c))
    val updates = slave Stream (FilterUpdate(c))
    val control = in(Control())
    val events = out(CounterEvents())
  }

  val plantedFaults = FilterFaults.port(plantable)
  private val planted = new FilterFaults(plantedFaults)

  val memory = FilterMemory(c)
  val lookup = new FilterLookup(c, memory, planted)
  val share = new FilterShare(c, planted.choose(FilterFault.NoShare, wrong = False, right = True))
  val judge = new FilterJudge(c, memory, share, planted)
  val scrubber = new FilterScrubber(c)

  // --- Requests come in: each is parked, the filtered ones are looked up.
  val head = io.requestsIn
  val filters = head.isWriteLike && !head.answered
  private val mayStart = lookup.free && !scrubber.insists
  val parking = head.haltWhen(scrubber.booting || (filters && !mayStart)).map { request =>
    val parked = ParkedRequest(c)
    parked.assignSomeByName(request)
    parked.tickFilter.removeAssignments() := io.control.tick
    parked.filters := filters
    parked
  }
  lookup.start.valid := (parking.fire && filters) || scrubber.taken
  lookup.start.payload := ask(head.payload, walks = scrubber.taken)

  private def ask(request: Request, walks: Bool): FilterAsk = {
    val now = io.control.tick
    val age = (now - request.time).asSInt.resize(25)
    val ask = FilterAsk(c)
    for ((set, hash) <- ask.sets.zip(FilterHash(c, request))) set := walks ? scrubber.set | hash
    ask.print := FilterHash.fingerprint(c, request)
    ask.key.assignSomeByName(request)
    ask.key.digest := FilterHash.digest(request)
    ask.time := request.time
    ask.looks := !walks
    ask.oldest := now - io.control.window
    ask.tooOld := age > io.control.window.resize(25).asSInt
    ask.tooEarly := age < -((io.control.window |>> 2).resize(25).asSInt)
    ask
  }

  // --- Lookups go to the judge in order; what it decides is written in the two cycles after.
  private val mayReopen = judge.valid && planted.choose(FilterFault.NoConflictWait, wrong = False, right = lookup.meets(judge.likely, judge.candidates))
  lookup.taken := lookup.full && judge.free && !lookup.mustWait && !mayReopen
  judge.finding.valid := lookup.taken
  judge.finding.payload := lookup.result

  val written = new Area {
    val effects = Vec(Reg(Flow(FilterEffect(c))), 4)
    effects.foreach(_.valid.init(False))
    effects(0).valid := judge.done
    effects(0).payload := judge.effect
    for (i <- 1 until 4) effects(i) := effects(i - 1)
    val key = RegNext(judge.asked.key)
    val groups = Vec(RegNext(judge.lostGroups(0)), RegNext(RegNext(judge.lostGroups(1))))
    val madeGroup = RegNext(judge.asked.group)
    val inserts = RegNext(judge.done && judge.inserts) init False
    val decision = RegNext(judge.decision)
    val decided = RegNext(judge.done && judge.asked.looks) init False

    lookup.ahead(0).valid := judge.valid
    lookup.ahead(0).payload := judge.likely
    for (i <- 0 until 4) lookup.ahead(i + 1) := effects(i)

    // Choice 0 in the first cycle, choice 1 in the second: lookups read them in this order.
    val turn = effects(0).valid ? U(0, 1 bits) | U(1, 1 bits)
    val now = effects(0).valid ? effects(0).payload | effects(1).payload
    memory.tagWrite.valid := scrubber.booting || effects(0).valid || effects(1).valid
    memory.tagWrite.row := scrubber.booting ? scrubber.bootRow | (turn @@ now.sets(turn))
    memory.tagWrite.set := scrubber.booting ? B(0, c.filterWays bits) | (now.take(turn) & B(c.filterWays bits, default -> insertsOf(turn)))
    memory.tagWrite.clear := scrubber.booting ? B(c.filterWays bits, default -> True) | now.clear(turn)
    memory.tagWrite.tag.time := now.time
    memory.tagWrite.tag.low := now.print.take(12)
    memory.tagWrite.tag.high := now.print.drop(12)
    memory.tagWrite.tag.valid := True

    private def insertsOf(turn: UInt): Bool = (turn === 0) ? inserts | RegNext(inserts)

    for (b <- 0 to 1) {
      val clears = effects(b).valid && effects(b).clear(b).orR
      if (b == 0) { share.lost.valid := clears; share.lost.payload := groups(0).asUInt }
      else when(clears) { share.lost.valid := True; share.lost.payload := groups(1).asUInt }
    }
    share.made.valid := inserts
    share.made.payload := madeGroup
  }

  val entries = new Area {
    private val taking = written.effects(0)
    private val takes = taking.valid && taking.takes
    private val update = io.updates.payload
    private val wayBits = log2Up(c.filterWays)
    io.updates.ready := !takes && !scrubber.booting

    memory.keyWrite.valid := takes
    memory.keyWrite.entry := written.decision.entry
    memory.keyWrite.data := written.key

    memory.endWrite.valid := io.updates.fire
    memory.endWrite.entry := update.entry.resized
    memory.endWrite.data.done := update.done
    memory.endWrite.data.status := update.status
    memory.endWrite.data.result := update.result

    private val ended = planted.choose(FilterFault.UpdateLost, wrong = False, right = io.updates.fire)
    memory.pendingWrite.valid := scrubber.booting || takes || ended
    memory.pendingWrite.pending := takes
    memory.pendingWrite.row := scrubber.booting ? scrubber.bootRow | (takes ? written.decision.entry | update.entry.resized).drop(wayBits).asUInt
    private val updatedWay = UIntToOh(update.entry.take(wayBits).asUInt, c.filterWays)
    memory.pendingWrite.ways := scrubber.booting ? B(c.filterWays bits, default -> True) | (takes ? (taking.take(0) | taking.take(1)) | updatedWay)
  }

  // --- The scrubber's walk, one lookup at a time.
  val walk = new Area {
    val under = RegInit(False)
    scrubber.idle := !(head.valid && filters)
    scrubber.taken := !scrubber.booting && lookup.free && scrubber.wants && !under
    val ends = judge.done && !judge.asked.looks
    under := scrubber.taken || (under && !ends)
    scrubber.clean := ends && !judge.effect.clear.map(_.orR).orR
  }

  // --- Verdicts meet their requests.
  val leaving = new Area {
    val queue = StreamFifo(ParkedRequest(c), RetryFilter.parked, latency = 1)
    queue.io.push << parking
    val parked = queue.io.pop
    val decisions = StreamFifo(FilterDecision(c), RetryFilter.parked, latency = 0)
    decisions.io.push.valid := written.decided
    decisions.io.push.payload := written.decision
    val request = parked.haltWhen(parked.filters && !decisions.io.pop.valid).map { p =>
      val request = p.request.allowOverride()
      when(p.filters)(decisions.io.pop.payload(request, io.control))
      request
    }
    decisions.io.pop.ready := request.fire && parked.filters
    io.requestsOut << request.m2sPipe()
  }

  // --- Counters.
  io.events := 0
  for ((verdict, counter) <- FilterVerdict.counters) io.events(counter) := written.decided && written.decision.verdict === verdict
  io.events(Wire.Counter.FILTER_SCRUBBED) := share.lost.valid
}

object RetryFilter {
  /** Requests that wait for verdicts, and those behind them. */
  val parked = 16
}
