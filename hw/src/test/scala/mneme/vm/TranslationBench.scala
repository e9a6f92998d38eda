package mneme.vm

import mneme.CBoardConfig
import mneme.engine.Operation
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import scala.collection.mutable
import scala.util.Random

/** Drives Translation with random requests, replaces, free pages and stalls, and checks every answer against [[TranslationModel]].
  *
  * Requests come out in any order, but those of a page in the order in which they entered, and a fence after its process's earlier ones.
  * Requests and replaces are one sequence, in the order in which they entered; the model executes them one by one in that order, as soon as
  * it has their answers. The DUT tells the model nothing but whether a request walked, the tick of its window check and, at the async
  * buffer's port, whether a page was there.
  */
class TranslationBench(dut: Translation, c: CBoardConfig, plan: Plan) {
  private val random = new Random(plan.seed)
  private val complain = new Complaints
  private val geometry = Geometry(c)
  private val window = BenchTimes.window
  private val busyHint = 0x12345678L
  private val awayRows =
    Seq.fill(64)((Seq(Wire.Status.BUSY, Wire.Status.MOVED, Wire.Status.MEMERR)(random.nextInt(3)), random.nextLong() & 0xffffffffffffL, random.nextInt(65536)))
  /** Where shares change, each process has a class of its own. */
  private def pid(number: Int): Int = if (plan.shareRate > 0 || plan.classes) number << Wire.PID_BITS - Wire.CLASS_BITS | number else number
  private val shares = new ShareDriver(dut, c, plan, random)
  private val pages = Seq.fill(plan.pages)(Page(pid(1 + random.nextInt(3)), random.nextInt(1 << 8) | (random.nextInt(3).toLong << (c.vpnBits - 2))))
  /** Pages of other TLB sets than the last one's. */
  private lazy val streamed = {
    def set(page: Page) = TlbSet.software(c, geometry.bucket(page), page.pid)
    pages.distinct.filter(set(_) != set(pages.last))
  }
  private val damaged: Set[Long] = if (plan.damagedTable && !plan.plain) Set(geometry.bucket(pages.head)) else Set.empty
  private val model = new TranslationModel(c, new TableModel(geometry), busyHint, window, awayRows, damaged)
  private val memory = new BucketMemorySim(dut.io.mem, random, plan.memoryStall, plan.memoryLatency, damaged, complain)

  private sealed trait Event
  private case class Entered(asked: Asked, tick: Int, cycle: Long) extends Event {
    var came: Option[Came] = None
  }
  private case class Started(command: ReplaceOf, earlier: Set[Long], cycle: Long) extends Event {
    var result: Option[Replaced] = None
  }
  private val log = mutable.Queue.empty[Event]
  /** Requests inside, by number: in translation, and after it. */
  private val inside = mutable.LinkedHashMap.empty[Long, Entered]
  private case class Running(id: Long, due: Long, generation: Boolean)
  private val running = mutable.ArrayBuffer.empty[Running]
  /** Who is inside at each place; nobody's places are free. */
  private val atPlace = mutable.Map.empty[Int, Long]
  private val freePlaces = mutable.Queue.from(0 until c.doors * c.contexts)
  private var overtaken = 0
  private var now, progress = 0L
  private var sent, came, tick = 0
  private var offered: Option[Asked] = None
  private var commanding: Option[(ReplaceOf, Long)] = None
  private var nextPage = 1L
  /** Pages of the async buffer. */
  private val buffer = mutable.Queue.empty[Long]
  private var exhausted, drought, flipping, alone = false
  private val recent = mutable.Queue.empty[Page]
  private val replaced = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private var longestReplace = 0L
  /** Cycles since an entry was last shown as pinned. */
  private var sincePinned = 0
  private var lost = false
  private val slowWatch = new SlowWatch(dut)
  private val ageWatch = new AgeWatch(dut, complain(_))
  private var slowAnswers = 0
  private val shortest, longest = mutable.Map.empty[String, Long]
  /** When each page's latest request left. */
  private val left = mutable.Map.empty[Page, Long]
  private var over = false

  /** Runs the plan; `again` when the clock runs already and an earlier bench left the DUT in mid-run. */
  def run(again: Boolean = false): Outcome = {
    populate()
    reset(again)
    dut.clockDomain.onSamplings(if (complain.first.isEmpty && !over) step())
    // The index may be the one that an earlier bench left.
    answerAway()
    forkSensitive(dut.io.awayIndex)(if (!over) answerAway())
    while (complain.first.isEmpty && !done && !plan.stopAfter.exists(_ <= now)) {
      dut.clockDomain.waitSampling(plan.stopAfter.fold(100)(_ => 1))
      if (now - progress > 20000) complain(s"nothing has moved since cycle $progress")
    }
    over = true
    if (complain.first.isEmpty && plan.stopAfter.isEmpty) finish()
    Outcome(
      complain.first.map(_ + s" (seed ${plan.seed}, cycle $now)"),
      model.seen.toMap,
      replaced.toMap,
      longestReplace.toInt,
      now,
      shortest.toMap,
      longest.toMap,
      overtaken,
      memory.mostReads,
      slowAnswers,
      memory.refused.size,
      lost,
      shares.changes
    )
  }

  private def answerAway(): Unit = {
    val (status, va, length) = awayRows(dut.io.awayIndex.toInt)
    dut.io.awayRow.status #= status
    dut.io.awayRow.va #= va
    dut.io.awayRow.length #= length
  }

  private def done =
    sent >= plan.requests && came == sent && log.isEmpty && commanding.isEmpty && !memory.busy && sincePinned > 2 * c.misses

  private def reset(again: Boolean): Unit = {
    dut.io.tickets.valid #= false
    dut.io.translated.ready #= false
    dut.io.retired.foreach(_ #= 0)
    dut.io.replace.valid #= false
    dut.io.freePages.valid #= false
    dut.io.freeLevel #= 0
    dut.io.pinned.next #= false
    dut.io.control.window #= window
    dut.io.control.busyHint #= busyHint
    dut.io.control.tick #= 0
    dut.io.control.exhausted #= false
    shares.begin()
    dut.plantedFaults.foreach(_ #= plan.planted.toSeq.map(f => BigInt(1) << f.id).sum)
    if (again) {
      dut.clockDomain.assertReset()
      dut.clockDomain.waitRisingEdge(3)
      dut.clockDomain.deassertReset()
    } else dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling()
    dut.io.shareCommit #= false
    dut.clockDomain.waitSampling(10)
  }

  private def populate(): Unit = {
    // Streams go where no page is, so that the TLB never serves them.
    val streams = if (plan.streams.isEmpty) Set.empty[Page] else streamed.toSet
    for (page <- pages.distinct if !streams(page) && (plan.plain || random.nextDouble() < 0.85); address <- model.table.freeSlot(page)) {
      val good = Entry.seal(geometry.withTag(attributes(), page))
      model.table.words(address) = if (plan.damagedTable && !plan.plain && random.nextInt(12) == 0) good ^ (1L << random.nextInt(64)) else good
    }
    memory.words ++= model.table.words
  }

  /** A random allocated entry without tag and parity; most are plain. */
  private def attributes(): Long = {
    import Wire.Pte._
    if (plan.plain) return Entry.bit(ALLOCATED) | Entry.bit(READ) | Entry.bit(WRITE) | (if (random.nextBoolean()) Entry.bit(VALID) else 0)
    val state = if (random.nextInt(4) > 0) 0 else random.nextInt(4)
    val rights = Seq(READ, WRITE).filter(_ => random.nextInt(8) > 0).map(Entry.bit).sum
    val flags = Seq(ACCESSED, DIRTY).filter(_ => random.nextBoolean()).map(Entry.bit).sum + (if (random.nextInt(3) == 0) Entry.bit(VALID) else 0)
    Entry.bit(ALLOCATED) | rights | flags | state.toLong << STATE | (random.nextLong() & geometry.ppnMask)
  }

  private def step(): Unit = {
    now += 1
    slowWatch.step(now)
    ageWatch.step()
    // Requests enter, then replaces: one that is taken in the same cycle comes after.
    takeInput()
    takeReplace()
    takePages()
    shares.step()
    lookAtPinned()
    takeOutput()
    takeReplaceResult()
    memory.step()
    retire()
    explain()
    if (now % BenchTimes.tickCycles == 0) tick = (tick + 1) & 0xffffff
    dut.io.control.tick #= tick
    if (plan.exhaustions && random.nextInt(200) == 0) exhausted = !exhausted
    if (random.nextInt(1000) == 0) drought = !drought
    dut.io.control.exhausted #= exhausted
  }

  private def fires(stream: spinal.lib.Stream[_ <: Data]) = stream.valid.toBoolean && stream.ready.toBoolean

  private def takeInput(): Unit = {
    val port = dut.io.tickets
    if (fires(port)) {
      val asked = offered.get
      val entered = Entered(asked, tick, now)
      log += entered
      inside(asked.id) = entered
      offered = None
      progress = now
    }
    if (flipping) {
      // Requests for the damaged entry run alone: those behind could still find the entry that the first makes the TLB forget.
      if (offered.isEmpty && log.isEmpty && commanding.isEmpty) {
        flipping = false
        flip().foreach(page => offer(page))
      }
    } else if (
      !alone && offered.isEmpty && sent < plan.requests && freePlaces.nonEmpty && !(plan.alone && log.nonEmpty) && random.nextDouble() >= plan.inputStall
    ) {
      offer(choosePage())
      flipping = random.nextDouble() < plan.flipRate
    }
    if (alone && offered.isEmpty && log.isEmpty)
      model.tlb.pages.find(page => Entry.odd(model.tlb.peek(page).get)) match {
        // A write that walked and was refused has left the entry as it is.
        case Some(page) => offer(page)
        case None => alone = false
      }
    port.valid #= offered.nonEmpty
  }

  private def choosePage(): Page = plan.streams match {
    case Some(_) if sent % 1000 == 999 => pages.last
    case Some(streams) => streamed(sent % streams)
    case None if plan.classes =>
      val (quiet, others) = pages.partition(_.pid >> Wire.PID_BITS - Wire.CLASS_BITS == 1)
      val from = if (sent % 20 == 19) quiet else others
      from(random.nextInt(from.size))
    case None if recent.nonEmpty && random.nextDouble() < plan.locality => recent(random.nextInt(recent.size))
    case None => pages(random.nextInt(pages.size))
  }

  private def offer(page: Page): Unit = {
    val asked = ask(page)
    offered = Some(asked)
    sent += 1
    atPlace(asked.place) = asked.id
    val ticket = dut.io.tickets.payload
    ticket.place #= asked.place
    ticket.demand.operation #= asked.operation
    ticket.demand.ordering.fence #= asked.fence
    ticket.demand.ordering.windowed #= asked.windowed
    ticket.demand.ordering.time #= asked.time
    ticket.demand.pid #= page.pid
    ticket.demand.va #= BigInt(page.vpn) << c.pageBits | asked.offset
    ticket.demand.length #= asked.length
    ticket.demand.dataOffset #= asked.dataOffset
  }

  /** Flips a bit of an intact TLB line, outside of the tag and of *allocated*, which would only hide it: parity finds one flip and not two. */
  private def flip(): Option[Page] = {
    val candidates = for {
      (way, set) <- dut.tlb.lines.flatMap(way => (0 until 1 << c.tlbSetsLog2).map(way -> _))
      line = way.getBigInt(set)
      entry = line.toLong
      if Entry.has(entry, Wire.Pte.ALLOCATED)
      high = (line >> 64).toLong & ((1L << c.bucketBits - c.tlbSetsLog2) - 1)
      // The set's choice undoes itself: the id's share in it, and the bucket's low bits are left.
      low = TlbSet.software(c, set, (geometry.entryTag(entry) >> c.tagBits - Wire.PID_BITS).toInt)
      page = geometry.pageOf(high << c.tlbSetsLog2 | low, geometry.entryTag(entry))
      if model.tlb.peek(page).contains(entry)
    } yield (way, set, line, page)
    Option.when(candidates.nonEmpty)(candidates(random.nextInt(candidates.size))).map { case (way, set, line, page) =>
      val outside = (0 until 64).filter(bit => (bit < c.tagShift || bit >= Wire.Pte.TAG_TOP) && bit != Wire.Pte.ALLOCATED)
      val bit = outside(random.nextInt(outside.size))
      way.setBigInt(set, line.flipBit(bit))
      model.tlb.flip(page, 1L << bit)
      alone = true
      page
    }
  }

  private def ask(page: Page): Asked = {
    import Operation._
    val reads = Seq.fill(6)(read)
    val writes = Seq(write, write, write, write, compareSwap, fetchAdd, swap)
    val fence = !alone && plan.fences && random.nextInt(14) == 0
    val operation =
      if (fence || !alone && plan.streams.isEmpty && random.nextInt(20) == 0) nothing else (reads ++ writes)(random.nextInt(13))
    recent.enqueue(page)
    if (recent.size > 4) recent.dequeue()
    val age = if (random.nextInt(6) == 0) window - 6 + random.nextInt(9) else random.nextInt(window / 2) - 8
    // As the network asks, and in some cases the other way round.
    val windowed = (operation != read) ^ (!plan.plain && random.nextInt(16) == 0)
    val offset = random.nextInt(1 << c.pageBits)
    Asked(sent, freePlaces.dequeue(), operation, fence, page, offset, windowed, (tick - age) & 0xffffff, random.nextInt(1 << 16), random.nextInt(256))
  }

  private def takeReplace(): Unit = {
    val port = dut.io.replace
    if (fires(port)) {
      // Requests of other pages that have no translation yet go on, and may wait for a page.
      val command = commanding.get._1
      val concerned = inside.valuesIterator.filter(e => e.asked.translated && e.asked.page == command.page).map(_.asked.id)
      log += Started(command, concerned.toSet ++ running.map(_.id), now)
      port.valid #= false
    }
    val repairs = commanding.isEmpty && came == plan.requests && log.isEmpty && dut.io.pinned.valid.toBoolean
    if (repairs || commanding.isEmpty && !flipping && !alone && random.nextDouble() < plan.replaceRate && came < plan.requests) {
      val command = if (repairs) repair() else replaceCommand()
      commanding = Some(command -> now)
      port.pid #= command.page.pid
      port.vpn #= command.page.vpn
      for ((leaf, value) <- Seq(port.compare -> command.compare, port.expected -> command.expected, port.write -> command.write, port.value -> command.value))
        leaf #= BigInt(value) & BigInt("ffffffffffffffff", 16)
      port.valid #= true
    }
  }

  /** Writes an entry of the bucket that is shown as it is. */
  private def repair(): ReplaceOf = {
    val concerned = pages.distinct.filter(page => geometry.bucket(page) == dut.io.pinned.bucket.toLong)
    if (concerned.isEmpty) complain(s"an entry of bucket ${dut.io.pinned.bucket.toLong} is said to be pinned, which has no page")
    ReplaceOf(concerned.applyOrElse(random.nextInt(concerned.size max 1), (_: Int) => pages.head), 0, 0, 0, 0)
  }

  /** At the end memory takes everything, and the slow path writes what is pinned once more. */
  private def lookAtPinned(): Unit = {
    sincePinned = if (dut.io.pinned.valid.toBoolean) 0 else sincePinned + 1
    if (dut.io.pinned.lost.toBoolean) lost = true
    if (plan.pinnable) memory.mostBehind = MissTable.pinnable(c)
    memory.writeErrors = if (came < plan.requests) plan.writeErrors else 0
    if (plan.writeErrors > 0) dut.io.pinned.next #= random.nextInt(16) == 0
  }

  /** Allocates, frees, protects, holds or changes anything, mostly with a comparison that holds when the page is as it was at the start. */
  private def replaceCommand(): ReplaceOf = {
    import Wire.Pte._
    val page = if (recent.nonEmpty && random.nextBoolean()) recent(random.nextInt(recent.size)) else pages(random.nextInt(pages.size))
    val expected = model.table.walk(page) match {
      case Found(_, entry) => entry
      case _ => 0L
    }
    val compare = Seq(0L, Entry.bit(ALLOCATED), Entry.bit(ALLOCATED) | Entry.bit(VALID), -1L)(random.nextInt(4))
    val all = -1L
    val rights = Entry.bit(READ) | Entry.bit(WRITE)
    random.nextInt(8) match {
      case 0 => ReplaceOf(page, compare, expected, all, 0)
      case 1 => ReplaceOf(page, compare, expected, rights, random.nextLong())
      case 2 => ReplaceOf(page, compare, expected, 3L << STATE, if (random.nextBoolean()) 0 else random.nextLong())
      case 3 => ReplaceOf(page, compare, expected, Entry.bit(ACCESSED) | Entry.bit(DIRTY), 0)
      case _ => ReplaceOf(page, compare, expected, all, attributes())
    }
  }

  private def takePages(): Unit = {
    val port = dut.io.freePages
    if (port.ready.toBoolean) model.pageEvents += (if (port.valid.toBoolean) Taken(port.payload.toLong) else Dry(dut.io.control.exhausted.toBoolean))
    if (fires(port)) buffer.dequeue()
    if (buffer.size < plan.buffered && !drought && random.nextDouble() < plan.pageSupply) {
      buffer.enqueue(nextPage)
      nextPage = (nextPage + 1) % (1L << (c.memBits - c.pageBits))
    }
    port.valid #= buffer.nonEmpty
    buffer.headOption.foreach(port.payload #= _)
    dut.io.freeLevel #= buffer.size
  }

  private def takeOutput(): Unit = {
    val port = dut.io.translated
    if (fires(port)) {
      came += 1
      progress = now
      atPlace.remove(port.place.toInt).flatMap(inside.remove) match {
        case None => complain(s"a token of place ${port.place.toInt} came out, which is not inside")
        case Some(entered) => takeToken(entered)
      }
    }
    port.ready #= random.nextDouble() >= plan.outputStall
  }

  private def takeToken(entered: Entered): Unit = {
    val out = dut.io.translated
    val asked = entered.asked
    val report = out.report
    entered.came = Some(Came(
      out.operation.toEnum,
      out.address.toBigInt,
      report.outcome.status.toInt,
      report.outcome.detailVa.toBigInt,
      report.outcome.detailLength.toInt,
      report.zeros.toBoolean,
      report.resumed.toBoolean,
      report.tickResume.toInt,
      now
    ))
    complain.require(
      out.fence.toBoolean == asked.fence && out.length.toInt == asked.length && out.dataOffset.toInt == asked.dataOffset,
      s"$asked: a field that translation leaves alone has changed"
    )
    val slow = slowWatch.expected(asked.place)
    complain.require(report.slow.toBoolean == slow, s"$asked: slow is ${!slow}, expected $slow")
    if (slow) slowAnswers += 1
    running += Running(asked.id, now + random.nextInt(plan.retireLatency + 1), out.generation.toBoolean)
    freePlaces.enqueue(asked.place)
    inOrder(entered)
  }

  private def inOrder(entered: Entered): Unit = {
    val asked = entered.asked
    val earlier = inside.valuesIterator.takeWhile(_.asked.id < asked.id).map(_.asked).toSeq
    if (earlier.nonEmpty) overtaken += 1
    // Who is refused has done nothing, so it waits for nobody of its page.
    if (asked.translated && !entered.came.exists(_.refused))
      for (e <- earlier) complain.require(!e.translated || e.page != asked.page, s"$asked overtook $e of its page")
    if (asked.fence)
      for (e <- earlier) complain.require(!e.translated || e.page.pid != asked.page.pid, s"fence $asked overtook $e of its process")
  }

  /** Gives the model what has come, in the order in which it entered. */
  private def explain(): Unit = {
    var ready = true
    while (ready && log.nonEmpty && complain.first.isEmpty) log.head match {
      case entered: Entered if entered.came.nonEmpty => log.dequeue(); check(entered)
      case started: Started if started.result.nonEmpty => log.dequeue(); checkReplaced(started)
      case _ => ready = false
    }
  }

  /** What the token must have met at the async buffer, should it have been there. */
  private def pageEvent(came: Came): PageEvent =
    if (came.keptForOthers) Kept
    else if (came.status != Wire.Status.OK) Dry(came.status == Wire.Status.NOMEM) else Taken((came.address >> c.pageBits).toLong)

  private def check(entered: Entered): Unit = {
    val asked = entered.asked
    val came = entered.came.get
    if (came.refused) complain.require(plan.waiting > 0 || plan.shareRate > 0, s"$asked was refused, though any number may wait")
    val decided =
      if (asked.translated && came.refused) Some(model.refuse())
      else if (asked.translated) Some(model.decide(asked, came.tickResume, came.resumed, pageEvent(came), lost && came.status == Wire.Status.MEMERR)) else None
    val failed = decided.exists(_.status != Wire.Status.OK)
    val zeros = decided.exists(_.zeros)
    def same[T](name: String, got: T, expected: T): Unit = complain.require(got == expected, s"$asked: $name is $got, expected $expected of $decided")
    same("resumed", came.resumed, decided.exists(_.walked))
    same("zeros", came.zeros, zeros)
    same("status", came.status, decided.fold(Wire.Status.OK)(_.status))
    same("operation", came.operation, if (failed || zeros) Operation.nothing else asked.operation)
    if (came.resumed) complain.require(
      came.tickResume >= entered.tick && came.tickResume <= tick,
      s"$asked: its window was checked at tick ${came.tickResume}, not between ${entered.tick} and $tick"
    )
    for (d <- decided) {
      val joined = left.get(asked.page).exists(_ >= entered.cycle)
      val kind = if (joined && !Set("fault", "dry")(model.latest)) "joined" else model.latest
      left(asked.page) = came.cycle
      shortest(kind) = shortest.getOrElse(kind, Long.MaxValue) min (came.cycle - entered.cycle)
      if (decided.exists(_.status == Wire.Status.BUSY) && model.latest == "kept")
        complain.require(plan.keptPages > 0 || plan.shareRate > 0, s"$asked found pages that are kept for others, though nothing is")
      val ofClass = s"class ${asked.page.pid >> Wire.PID_BITS - Wire.CLASS_BITS}"
      if (plan.classes) model.seen(s"${model.latest}, $ofClass") += 1
      longest(ofClass) = longest.getOrElse(ofClass, 0L) max (came.cycle - entered.cycle)
      longest(kind) = longest.getOrElse(kind, 0L) max (came.cycle - entered.cycle)
      if (failed) {
        same("detailVa", came.detailVa, BigInt(d.detailVa))
        same("detailLength", came.detailLength, d.detailLength)
      } else if (!d.zeros) same("address", came.address, BigInt(d.address))
    }
  }

  private def takeReplaceResult(): Unit = {
    val port = dut.io.replaceResult
    if (port.valid.toBoolean) {
      progress = now
      log.collectFirst { case started: Started if started.result.isEmpty => started } match {
        case Some(started) =>
          started.result = Some(Replaced(port.status.toInt, port.old.toBigInt.toLong))
          val still = (inside.keySet ++ running.map(_.id)) & started.earlier
          complain.require(still.isEmpty, s"${started.command} acknowledged while requests $still from before it run")
        case None => complain("a replace was acknowledged that was not given")
      }
      val took = now - commanding.get._2
      longestReplace = longestReplace max took
      complain.require(took <= plan.replaceBound, s"a replace took $took cycles, the bound is ${plan.replaceBound}")
      commanding = None
    }
  }

  private def checkReplaced(started: Started): Unit = {
    val got = started.result.get
    val refused = memory.refused.filter(_.at >= started.cycle).map(r => (r.address, r.word, r.applied))
    val failed = got.status == Wire.ReplaceStatus.ERROR && refused.nonEmpty
    if (failed) model.replaceRefused(started.command, refused.toSeq)
    else {
      val expected = model.replace(started.command)
      complain.require(got == expected || lost, s"${started.command} answered $got, expected $expected")
    }
    replaced(got.status) += 1
  }

  /** Answers leave in any order, of each door one in a cycle and the data of one read. */
  private def retire(): Unit = {
    val due = random.shuffle(running.filter(_.due <= now).toSeq).take(random.nextInt(c.doors + 2))
    running --= due
    for ((port, generation) <- dut.io.retired.zip(Seq(false, true))) port #= due.count(_.generation == generation)
  }

  private def finish(): Unit = {
    complain.require(model.pageEvents.isEmpty, s"page events that no request explains: ${model.pageEvents}")
    // What was lost is not in memory, and nobody claims it.
    if (lost) return
    model.table.differences(memory.words).foreach(complain(_))
  }
}
