package mneme.vm

import mneme._
import mneme.engine._
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Virtual to physical (contracts §3): an assembly of TLB, miss table, walker, fault unit and replace.
  *
  * Four stages, one token per cycle: arrive · look up · check · answer. A token that the TLB cannot serve, or whose page has waiting
  * tokens, leaves the stages at *look up* and is parked; it comes back behind *check* when its page's walk has ended. Tokens of one
  * page stay in order, hits of other pages overtake. `translated` ends in no register.
  */
case class Translation(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val tickets = slave Stream (Ticket(c))
    val translated = master Stream (Translated(c))

    /** Memory accesses of tokens that came out of here have ended: so many of each generation. */
    val retired = in Vec (UInt(log2Up(c.doors + 2) bits), 2)
    val replace = slave Stream (ReplaceCommand(c))
    val replaceResult = master Flow (ReplaceResult())
    val freePages = slave Stream (UInt(c.memBits - c.pageBits bits))

    /** Pages of the async buffer. */
    val freeLevel = in UInt (log2Up(c.asyncDepth + 1) bits)

    /** The away row asked for, read in the same cycle. */
    val awayIndex = out UInt (Wire.PPN_BITS_MIN bits)
    val awayRow = in(AwayRow())
    val control = in(Control())

    /** Shares as they were written; they are, whole; they are not yet in force. */
    val shares = in(ShareSettings(c))
    val shareCommit = in Bool ()
    val sharePending = out Bool ()
    val mem = master(Axi4(MemoryBus.config(c)))
    val events = out(CounterEvents())
    val pinned = master(PinnedPages(c))

    /** A page fault waits for a page, and its time is not over: nothing needs to move. */
    val waits = out Bool ()
  }

  val plantedFaults = Faults.port(PlantedFault, plantable)
  private val planted = new Faults[PlantedFault.Value](plantedFaults)

  val tlb = Tlb(c, planted)
  private[vm] val misses = MissTable(c, planted)
  private val parking = Parking(c)
  private[mneme] val lists = WaitingLists(c, planted)
  private val walker = Walker(c, planted)
  private[vm] val faultUnit = FaultUnit(c, planted)
  private[vm] val dry = DryQueue(c, planted)
  private[vm] val shares = Shares(c, planted)
  private val pageShares = PageShares(c, planted)
  private val replace = Replace(c, planted)
  private val memory = BucketMemory(c)
  private val replaceSet = TlbSet(c, replace.io.key)

  /** Changes with each replace. Who is translated takes it along, so that the command can wait for those before it. */
  private val generation = RegInit(False)
  generation := generation ^ replace.io.newGeneration

  /** Of the request that enters next. */
  private val age = Reg(Age(c)) init 0
  when(io.tickets.fire)(age := age + 1)

  private val arriving = Stream(Translating(c))
  private val arrived = arriving.m2sPipe()
  private val lookup = arrived.m2sPipe()
  private val served = Stream(Checking(c))
  private[vm] val check = served.m2sPipe()
  private val fill = faultUnit.io.fill.stage()
  private val resuming = faultUnit.io.resolved.translateWith(resume(faultUnit.io.resolved.payload))
  private[vm] val resumed = resuming.m2sPipe()

  /** What enters: a probe, or a token that waits in a list, or a new one. What is parked is read where no token comes back. */
  val entrance = new Area {
    val probes = replace.io.probe.valid
    val comesBack = faultUnit.io.deciding.orR
    parking.reads := Mux(comesBack, faultUnit.io.resolved.turn.place, lists.trial.payload)
    val again = lists.trial.valid && !comesBack && !probes
    // A fence waits for those in lists: here, since they have to come by. So it does for who may enter one.
    val listed = planted.choose(PlantedFault.FenceIgnoresLists, wrong = False, right = lists.any)
    // Free entries may be another group's.
    val tight = misses.io.tight || shares.restricted
    val fence = io.tickets.demand.ordering.fence && (listed || replace.io.probes || ((tight || replace.io.holds) && (arrived.valid || lookup.valid)))
    val waits = fence || shares.pending
    val fenceWaits = io.tickets.valid && waits
    val ready = arriving.ready && tlb.io.ready
    arriving.valid := (probes || again || (io.tickets.valid && !waits)) && tlb.io.ready
    arriving.payload := arrive(io.tickets.payload, again)
    io.tickets.ready := ready && !probes && !again && !waits
    replace.io.probe.ready := ready
    lists.trial.ready := ready && again
  }

  /** Shares change when nobody is under way, or waits for a miss entry. */
  val sharing = new Area {
    shares.written := io.shares
    shares.commit := io.shareCommit
    shares.quiet := !arrived.valid && !lookup.valid && !lists.any
    io.sharePending := shares.pending
    tlb.io.flush := shares.changes
    // A cycle late, as the fill; of what comes in the cycle of a change the TLB forgets everything.
    private val fillGroup = shares.of(Pte(c, faultUnit.io.fill.line.entry).tag)
    tlb.io.ways := RegNext(shares.ways(fillGroup))
    val fillList = RegNext(lists.of(faultUnit.io.fill.line.set, fillGroup))
    // Of the token at *look up*, known a stage before.
    private val coming = shares.of(arrived.key.tag)
    lists.group := ofLookup(coming)
    private def ofLookup[T <: Data](of: T): T = RegNextWhen(of, arrived.fire)
    val list = ofLookup(lists.of(arrived.set, coming))
    val groupLists = ofLookup(lists.ofGroup(coming))
    val starved = ofLookup(lists.starve(coming))
    misses.io.mine := ofLookup(shares.entries(coming))
    val full = if (c.waitingLists)
      ofLookup(planted.choose(PlantedFault.WaitsUnbounded, wrong = B(0, ShareGroup.count bits), right = lists.full(shares.waiting))(coming))
    else False
    shares.pinned := misses.io.pinnedEntries
    lists.parted := shares.parted
    lists.changes := shares.changes
    lists.soon := B(shares.entries.map(entries => (misses.io.soon & entries).orR))
  }

  /** The decision at *look up*. What the TLB said stays true while a request waits, but for a fill of its own page, and for a replace that made the TLB forget
    * it: then it is asked again.
    */
  val decide = new Area {
    val isNew = !lookup.again
    // Of a token that comes back nobody asks what the TLB serves, and it does not stay.
    val asks = lookup.valid && isNew && (lookup.needed || lookup.probe)
    val again = RegInit(False)
    tlb.io.key := Mux(again, lookup.key, arrived.key)
    tlb.io.set := Mux(again, lookup.set, arrived.set)
    tlb.io.load := arrived.fire || again
    tlb.io.writes := lookup.access.writes
    misses.io.coming := arrived.key
    misses.io.load := arrived.fire
    misses.io.key := lookup.key

    val request = lookup.valid && lookup.needed
    // Compared a stage before. A request that is inside already when a command begins comes before it, though it may have come after the one before.
    private val after = arrived.late && arrived.generation === generation
    private val waitedHeld = RegNextWhen(parking.read.held, arriving.ready)
    private val ofReplace = Reg(Bool())
    when(io.replace.fire) {
      ofReplace := False
    } elsewhen (arrived.fire) {
      ofReplace := Mux(arrived.again, waitedHeld, after) && arrived.key === replace.io.key
    }
    val held = replace.io.holds && ofReplace
    again := asks && (misses.io.filled || (held && replace.io.release))
    val found = misses.io.matching.orR
    // Looked up while the one in front, which went to a list, made the TLB forget something: perhaps this page.
    private val stale = Reg(Bool()) init False
    val serves = tlb.io.serves && !stale
    val parks = Mux(found, misses.io.busy, False) || !serves || held || lookup.again
    // The TLB is being written, by a fill of the page or in the set's place that this request would change; whether a fill is the page's
    // last is known too late for that.
    val conflict = misses.io.filling || again || (fill.valid && tlb.io.matches)
    // A held page's earlier requests come first; and one that is just let go is looked at again.
    val waits = held && ((found && !misses.io.held) || replace.io.release)
    val room = found || (misses.io.free.orR && !replace.io.walk.valid && !replace.io.release)
    val fence = lookup.ticket.demand.ordering.fence

    val fenceWaits = lookup.valid && !lookup.probe && fence && misses.io.processBusy
    // Who has somebody of his list in front of him goes there too, if the TLB does not say that there is none of his page. New pages get an entry
    // from their lists alone while there are any; and who waits for earlier requests of his page to leave does so there.
    val inFront = planted.choose(PlantedFault.PassesLists, wrong = False, right = lists.occupied && (!serves || held))
    val elsewhere = Mux(found, held && !misses.io.held, lists.holdsAny(sharing.groupLists) || !misses.io.free.orR)
    val queues = Bool(c.waitingLists) && isNew && parks && !conflict && !(held && replace.io.release) && (inFront || elsewhere || sharing.starved)

    // One of a held page waits in any case: that is replace's doing.
    val refuses = lookup.needed && queues && sharing.full && !held
    val enlists = queues && !refuses

    val mayPark = parks && room && !waits && !conflict && !queues
    val mayPass = Mux(lookup.needed, !parks && !conflict, !(fence && misses.io.processBusy))
    served.valid := lookup.valid && !lookup.probe && (mayPass || refuses)
    served.payload := serve(refuses)
    private def moves = mayPark || enlists || lookup.again || (refuses && served.ready)
    lookup.ready := Mux(lookup.probe, !conflict, Mux(lookup.needed && parks, moves, mayPass && served.ready))
    val parked = request && mayPark
    // It leaves the stages for the first time, to an entry or to a list.
    val stepsAside = isNew && (mayPark || enlists)
    val hit = request && mayPass && served.ready

    lists.at := sharing.list
    lists.place := lookup.ticket.place
    lists.enters := request && enlists
    lists.leaves := parked && lookup.again
    when(arrived.fire)(stale := lists.enters && tlb.io.matches)
    lists.tried := lookup.valid && lookup.again

    tlb.io.touch := hit && !tlb.io.damaged
    val shotDown = planted.choose(PlantedFault.NoShootDown, wrong = False, right = lookup.valid && lookup.probe && !conflict)
    tlb.io.forget := tlb.io.matches && (parked || lists.enters || (hit && tlb.io.damaged) || shotDown)
    misses.io.park.valid := parked
    misses.io.park.place := lookup.ticket.place
    misses.io.park.entry := Mux(found, misses.io.matching, misses.io.free)
    misses.io.park.held := held
    if (c.rdma > 0) misses.io.park.impatient := lookup.ticket.demand.impatient
    parking.write(lookup.ticket, lookup.age, held, enable = request && stepsAside)
    replace.io.probed := lookup.fire && lookup.probe
    lists.watch.list := lists.of(replaceSet, shares.of(replace.io.key.tag))
    lists.watch.asks := replace.io.watches
    // Who comes behind the command is the oldest of its list, so all before the command have left.
    lists.watch.ends := lookup.valid && lookup.again && held
    replace.io.listed := planted.choose(PlantedFault.ReplaceIgnoresLists, wrong = False, right = lists.watch.waits)
    misses.io.await := replace.io.probed
    replace.io.awaited := misses.io.awaited.orR
    replace.io.stuck := misses.io.stuck
    misses.io.trial << replace.io.trial
  }

  /** Walks begin with an entry's first request, with replace, or when replace lets go of an entry. */
  val walking = new Area {
    val begins = decide.parked && !decide.found && !decide.held
    val released = replace.io.release && misses.io.heldEntry.orR
    replace.io.walk.ready := True
    val ofReplace = replace.io.walk.valid || released
    walker.io.walk.valid := begins || ofReplace
    walker.io.walk.key := Mux(ofReplace, replace.io.key, lookup.key)
    private val entry = OHToUInt(Mux(released, misses.io.heldEntry, misses.io.free)).resize(Walker.askerBits(c))
    walker.io.walk.asker := Mux(replace.io.walk.valid, U(Walker.replace(c), Walker.askerBits(c) bits), entry)
    misses.io.release := replace.io.release
    memory.io.read << walker.io.read
    walker.io.bucket << memory.io.bucket

    val ended = walker.io.ended
    val ofEntry = ended.valid && ended.asker =/= Walker.replace(c)
    misses.io.walked := ended.missEntry
    replace.io.walked.valid := ended.valid && !ofEntry
    replace.io.walked.payload := ended.payload
  }

  /** What is known of each entry's page, and the requests whose turn it is to be decided with it. */
  val deciding = new Area {
    val known = Mem(Walked(c), c.misses).addAttribute("ram_style", "distributed")
    /** What a decision changed waits for a cycle in which no walk ends. Its page's next request is not decided before that. */
    val learned = RegNextWhen(faultUnit.io.learned.payload, faultUnit.io.learned.valid)
    val learning = RegInit(False)
    val learner = Reg(Bits(c.misses bits)) init 0
    learning := faultUnit.io.learned.valid || (learning && walking.ofEntry)
    learner := Mux(faultUnit.io.learned.valid, faultUnit.io.deciding, learner.andMask(walking.ofEntry))
    faultUnit.io.learnBusy := (learning && walking.ofEntry) || pageShares.io.counts
    val asker = Mux(walking.ofEntry, walker.io.ended.asker, learned.asker)
    known.write(asker.resized, Mux(walking.ofEntry, walker.io.ended.walked, learned.walked), enable = walking.ofEntry || learning)

    val turn = misses.io.turn
    val number = misses.io.number
    val undecided = faultUnit.io.undecided
    undecided.arbitrationFrom(turn)
    undecided.turn := turn.payload
    undecided.asker := number.resized
    undecided.walked := known.readAsync(number)
    undecided.mayWait := !misses.io.spent
    asked(parking.question(turn.place))
    private def asked(question: Asking): Unit = {
      undecided.payload.assignSomeByName(question)
      if (c.rdma > 0) when(question.impatient)(undecided.mayWait := False)
    }
    misses.io.deciding := faultUnit.io.deciding | learner
    misses.io.leaving := resumed.resolved.turn.entry.andMask(resumed.valid)
  }

  /** Page faults without a page. They end at once when others would have to wait for them: a fence of the process, a replace of the page, an impatient
    * token of the page, and a door for its contexts, once as many as half of these are parked.
    */
  val waiting = new Area {
    dry.io.fault << faultUnit.io.waits
    dry.io.decided := faultUnit.io.decidedWaiting
    dry.io.stays := faultUnit.io.staysWaiting
    dry.io.page := io.freePages.valid
    dry.io.control := io.control
    misses.io.again << dry.io.turn
    misses.io.dry := dry.io.entries
    misses.io.unsure := faultUnit.io.unsure
    misses.io.refused := faultUnit.io.refused
    faultUnit.io.urgent := dry.io.urgent
    val queued = dry.io.entries.orR
    faultUnit.io.queued := queued
    io.waits := queued && !dry.io.urgent

    val parked = Reg(UInt(c.placeBits + 1 bits)) init 0
    val (comes, goes) = (RegNext(decide.parked) init False, RegNext(resumed.fire) init False)
    when(comes =/= goes)(parked := Mux(comes, parked + 1, parked - 1))
    val crowded = parked >= c.contexts / 2
    // Faults without a page may have all entries of their group, but for pinned ones.
    private val keep = dry.io.entries | misses.io.pinnedEntries
    val starves = RegNext(shares.entries.zip(lists.ofGroups.asBools).map { case (entries, wait) => wait && !(entries & ~keep).orR }.reduce(_ || _)) init False
    val inTheWay = (Seq(crowded, decide.fenceWaits, entrance.fenceWaits, starves) ++ Option.when(c.rdma > 0)(misses.io.hurries)).reduce(_ || _)
    // Nor do they wait while groups have shares of the pages: those of one would stand in the queue before another's.
    dry.io.hurry := RegNext(inTheWay || pageShares.io.keeps || (misses.io.awaited & dry.io.entries).orR) init False
  }

  /** The entry goes into the TLB after its page's last waiting request: those behind wait in their order all the same. Not when replace
    * is about to change it.
    */
  val filling = new Area {
    val entry = fill.entry.andMask(fill.valid)
    misses.io.fillNow := entry
    val behind = planted.choose(PlantedFault.FillsListed, wrong = False, right = lists.holds(sharing.fillList))
    tlb.io.fill.valid := fill.valid && !(fill.entry & (misses.io.waiting | misses.io.awaited)).orR && !behind
    tlb.io.fill.payload := fill.line
    // Who looks up a page that the TLB knows waits meanwhile (`conflict`), so nothing is touched or forgotten.
    tlb.io.filling := fill.valid
  }

  val writing = new Area {
    val writeBack = faultUnit.io.writeBack
    // Replace first, which seldom writes: so its turn does not hang on a decision of the fault unit, which is known late.
    memory.io.write << StreamArbiterFactory().lowerFirst.transactionLock.on(Seq(replace.io.write, writeBack.s2mPipe()))
    misses.io.writeStarts := UIntToOh(writeBack.asker, c.misses).andMask(writeBack.fire)
    val ended = memory.io.written
    val ofReplace = ended.asker === Walker.replace(c)
    misses.io.writeEnds := UIntToOh(ended.asker, c.misses).andMask(ended.valid && !ofReplace)
    misses.io.writeFails := ended.error
    io.pinned <> misses.io.pinned
    faultUnit.io.lost := misses.io.pinned.lost
    replace.io.written.valid := ended.valid && ofReplace
    replace.io.written.payload := ended.error
    io.mem <> memory.io.mem
  }

  private val window = new RetryWindow(io.control, planted)
  private val lateHit = window.expired(check.ticket.demand.ordering)

  /** Who entered first goes first, so what stood in *check* when a later request of its page came back does. Were they to go in turn, requests
    * that wait behind misses of busy pages would grow old while later hits pass.
    */
  val leave = new Area {
    // Compared while they come into their registers, each with whom it may meet there.
    private def meets(age: UInt) = Mux(served.ready, Age.before(c, age, lookup.age), Age.before(c, age, check.age))
    val before = RegNext(Mux(resuming.ready, meets(resuming.age), meets(resumed.age))) init False
    val first = planted.choose(PlantedFault.HitsGoFirst, wrong = False, right = before)
    val resumes = resumed.valid && (!check.valid || first)
    io.translated.valid := check.valid || resumed.valid
    io.translated.payload := conclude(resumes)
    check.ready := io.translated.ready && !resumes
    resumed.ready := io.translated.ready && resumes
  }

  /** Who has got a translation may use it until its accesses have ended; who waits has none yet. */
  val draining = new Area {
    /** Tokens that were translated and have not ended, of each generation; those of the last cycle are not in it. */
    val running = Vec.fill(2)(Reg(UInt(12 bits)) init 0)
    val passed, returned = RegInit(False)
    passed := served.fire
    returned := resumed.fire
    val ofGeneration = RegNext(generation) init False
    for ((count, of) <- running.zipWithIndex) {
      val begin = (U(passed) +^ U(returned)).andMask(ofGeneration === Bool(of == 1))
      count := count + begin - io.retired(of)
    }
    val drained = Mux(generation, running(0), running(1)) === 0 && ofGeneration === generation
    replace.io.drained := RegNext(drained) init True
    replace.io.command << io.replace
    io.replaceResult << replace.io.result
  }

  /** Whether the request that is being decided may take a free page. */
  val sharingPages = new Area {
    pageShares.io.shares := shares.pages
    pageShares.io.begins := RegNext(shares.changes) init False
    pageShares.io.exhausted := io.control.exhausted
    pageShares.io.level := io.freeLevel
    pageShares.io.taken := io.freePages.fire
    pageShares.io.group := RegNextWhen(shares.of(Pte(c, deciding.undecided.walked.entry).tag), deciding.undecided.ready)
    val kept = io.freePages.valid && !pageShares.io.may(pageShares.io.group)
    faultUnit.io.freePages << io.freePages.haltWhen(kept)
    faultUnit.io.kept := kept
  }

  faultUnit.io.control := io.control
  faultUnit.io.awayRow := io.awayRow
  io.awayIndex := faultUnit.io.awayIndex
  count()
  if (plantable) Seq(misses.io.park, faultUnit.io.resolved, dry.io.entries, check, resumed).foreach(_.simPublic())

  private def arrive(ticket: Ticket, again: Bool): Translating = {
    val arriving = Translating(c)
    val demand = ticket.demand
    arriving.ticket := ticket
    when(again)(arriving.ticket.place := lists.trial.payload)
    arriving.generation := generation
    def page(demand: Demand) = PageKey.of(c, demand.pid, demand.va(Wire.VA_BITS - 1 downto c.pageBits))
    arriving.probe := replace.io.probe.valid
    arriving.again := again
    arriving.key := Mux(replace.io.probe.valid, replace.io.key, Mux(again, page(parking.read.demand), page(demand)))
    arriving.set := TlbSet(c, arriving.key)
    arriving.needed := (again || demand.operation =/= Operation.nothing) && !replace.io.probe.valid
    arriving.access := Access.of(demand.operation)
    arriving.late := replace.io.holds
    arriving.age := age
    arriving
  }

  private def serve(refuses: Bool): Checking = {
    val checking = Checking(c)
    checking.ticket := lookup.ticket
    checking.generation := generation
    checking.access := lookup.access
    checking.needed := lookup.needed
    checking.damaged := tlb.io.damaged
    checking.refused := refuses
    checking.entry := tlb.io.entry
    checking.age := lookup.age
    checking
  }

  private def resume(resolved: Resolved): Resuming = {
    val resuming = Resuming(c)
    resuming.parked := parking.read
    // At its own place, whoever else may be read there: whose turn it is among the lists is known late.
    resuming.age := parking.age(resolved.turn.place)
    resuming.resolved := resolved
    resuming
  }

  /** The decision on a hit, in the order of contracts §3. */
  private def serveHit(): Verdict = {
    val hit = Verdict(c)
    val pte = Pte(c, check.entry)
    hit.serve(pte.ppn)
    when(check.refused) {
      hit.fail(Wire.Status.BUSY, Wire.Cause.SHARE, io.control.busyHint)
    } elsewhen (lateHit) {
      hit.fail(Wire.Status.EXPIRED, Wire.Cause.WINDOW)
    } elsewhen (check.damaged) {
      hit.fail(Wire.Status.MEMERR, Wire.Cause.PARITY)
    } elsewhen (planted.choose(PlantedFault.HitIgnoresRights, wrong = False, right = pte.denies(check.access))) {
      hit.fail(Wire.Status.DENIED, Wire.Cause.RIGHTS)
    } elsewhen (pte.holds(check.access)) {
      hit.fail(Wire.Status.BUSY, Wire.Cause.HOLD, io.control.busyHint)
    }
    if (c.leaf) when(pte.isState(Wire.PageState.SPLIT))(hit.serveSplit(pte))
    hit
  }

  /** The token that leaves, with its verdict. */
  private def conclude(resumes: Bool): Translated = {
    val verdict = Mux(resumes, resumed.resolved.verdict, serveHit())
    val needed = resumes || check.needed
    val demand = Mux(resumes, resumed.parked.demand, check.ticket.demand)
    val t = Translated(c)
    t.place := Mux(resumes, resumed.resolved.turn.place, check.ticket.place)
    t.generation := Mux(resumes, generation, check.generation)
    t.fence := demand.ordering.fence
    t.operation := Mux(needed && (verdict.failed || verdict.zeros), Operation.nothing, demand.operation)
    t.length := demand.length
    t.dataOffset := demand.dataOffset
    t.address := verdict.ppn @@ demand.va(c.pageBits - 1 downto 0)
    if (c.leaf) {
      t.leaf.split := needed && verdict.split && !verdict.failed
      t.leaf.tableTop := verdict.tableTop
      t.leaf.pid := demand.pid
      t.leaf.order := demand.va(c.pageBits, 4 bits) ^ demand.pid(3 downto 0)
      t.leaf.next := 0
      t.leaf.epoch := 0
    }
    t.report.outcome.succeed()
    when(needed)(t.report.outcome := verdict.outcome)
    t.report.zeros := needed && verdict.zeros && !verdict.failed
    t.report.resumed := resumes
    t.report.slow := resumes && resumed.resolved.turn.slow
    t.report.tickResume := Mux(resumes, resumed.resolved.tick, window.tick)
    t
  }

  private def count(): Unit = {
    import Wire.Counter._
    val events = Bits(CounterEvents.width bits)
    events := 0
    events(TLB_HIT) := decide.hit
    events(TLB_MISS) := decide.parked
    events(PAGE_FAULT) := faultUnit.io.events.pageFault
    events(FAULT_DRY) := faultUnit.io.events.dry
    events(SHARE_BUSY) := oneByOne(Seq(faultUnit.io.events.overShare, check.fire && check.refused).map(RegNext(_) init False))
    events(FAULT_WAIT) := faultUnit.io.events.waits
    events(ZERO_READ) := faultUnit.io.events.zeroRead
    events(PTE_WRITE_BACK) := faultUnit.io.events.writeBack
    events(PTE_PARITY) := faultUnit.io.events.parity
    events(TLB_PARITY) := decide.hit && tlb.io.damaged
    events(RESUME_EXPIRED) := oneByOne(Seq(faultUnit.io.events.expired, check.fire && check.needed && !check.refused && lateHit))
    events(REPLACE_DONE) := replace.io.result.valid && replace.io.result.status === Wire.ReplaceStatus.DONE
    events(REPLACE_REFUSED) := replace.io.result.valid && replace.io.result.status =/= Wire.ReplaceStatus.DONE
    events(MEM_ERROR) := oneByOne(Seq(memory.io.bucket.valid && memory.io.bucket.error, memory.io.written.valid && memory.io.written.error))
    io.events := RegNext(events) init 0
  }
}
