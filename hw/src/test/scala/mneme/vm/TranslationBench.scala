package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import scala.collection.mutable
import scala.util.Random

/** What a run of the bench does; rates are per cycle. */
case class Plan(
    seed: Long,
    requests: Int = 10000,
    inputStall: Double = 0.3,
    outputStall: Double = 0.3,
    memoryStall: Double = 0.3,
    memoryLatency: Int = 20,
    retireLatency: Int = 40,
    /** Rate of pages offered. */
    pageSupply: Double = 0.03,
    replaceRate: Double = 0.005,
    /** A replace takes no longer than this from its offer to its answer. */
    replaceBound: Int = 1500,
    pages: Int = 24,
    damagedTable: Boolean = true,
    /** How often, per request, the bench lets the pipeline run dry and flips a bit of a TLB entry. */
    flipRate: Double = 0,
    /** Share of requests that go to a page of the last few. */
    locality: Double = 0.7,
    /** Every page may be read and written, and nothing is wrong anywhere. */
    plain: Boolean = false,
    /** Leaves everything as it is after so many cycles. */
    stopAfter: Option[Int] = None,
    planted: Set[PlantedFault.Value] = Set.empty
)

/** What a run found. */
case class Outcome(
    complaint: Option[String],
    seen: Map[String, Int],
    replaced: Map[Int, Int],
    longestReplace: Int,
    cycles: Long,
    /** The shortest way of a request through translation, in cycles, by outcome. */
    shortest: Map[String, Long]
)

/** Drives Translation with random requests, replaces, free pages and stalls, and checks every answer against [[TranslationModel]].
  *
  * Requests and replaces are one sequence, in the order in which they entered; the model executes them one by one, which is what
  * blocking and draining promise. The DUT tells the model nothing but the tick of the window check and, at the async buffer's port,
  * whether a page was there.
  */
class TranslationBench(dut: Translation, c: CBoardConfig, plan: Plan) {
  private val random = new Random(plan.seed)
  private val complain = new Complaints
  private val geometry = Geometry(c)
  private val window = 64
  private val busyHint = 0x12345678L
  private val awayRows =
    Seq.fill(64)((Seq(Wire.Status.BUSY, Wire.Status.MOVED, Wire.Status.MEMERR)(random.nextInt(3)), random.nextLong() & 0xffffffffffffL, random.nextInt(65536)))
  private val pages = Seq.fill(plan.pages)(Page(1 + random.nextInt(3), random.nextInt(1 << 8) | (random.nextInt(3).toLong << (c.vpnBits - 2))))
  private val damaged: Set[Long] = if (plan.damagedTable && !plan.plain) Set(geometry.bucket(pages.head)) else Set.empty
  private val model = new TranslationModel(c, new TableModel(geometry), busyHint, window, awayRows, damaged)
  private val memory = new BucketMemorySim(dut.io.mem, random, plan.memoryStall, plan.memoryLatency, damaged, complain)

  private sealed trait Event
  private case class Entered(asked: Asked, values: Seq[BigInt], tick: Int, cycle: Long) extends Event
  private case class Started(command: ReplaceOf) extends Event
  private val log = mutable.Queue.empty[Event]
  private val unretired = mutable.Queue.empty[Long]
  private var now, progress = 0L
  private var sent, came, tick = 0
  private var offered: Option[(Asked, Seq[BigInt])] = None
  private var commanding: Option[(ReplaceOf, Long)] = None
  private var nextPage = 1L
  private var exhausted, drought, flipping, alone = false
  private val recent = mutable.Queue.empty[Page]
  private val replaced = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private var longestReplace = 0L
  private val shortest = mutable.Map.empty[String, Long]
  private var over = false

  private val inLeaves = Leaves.of(dut.io.requestsIn.payload)
  private val outLeaves = Leaves.of(dut.io.requestsOut.payload)
  private val names = inLeaves.map(_.getName().stripPrefix("io_requestsIn_payload_"))
  private def index(name: String) = names.indexOf(name)
  private val verdictFields = Seq("answered", "status", "detailVa", "detailLength").map(index)
  private val translationFields = Seq("resumed", "tickResume", "zeros", "address").map(index)

  /** Runs the plan; `again` when the clock runs already and an earlier bench left the DUT in mid-run. */
  def run(again: Boolean = false): Outcome = {
    populate()
    reset(again)
    dut.clockDomain.onSamplings(if (complain.first.isEmpty && !over) step())
    forkSensitive(dut.io.awayIndex)(if (!over) {
      val (status, va, length) = awayRows(dut.io.awayIndex.toInt)
      dut.io.awayRow.status #= status
      dut.io.awayRow.va #= va
      dut.io.awayRow.length #= length
    })
    while (complain.first.isEmpty && !done && !plan.stopAfter.exists(_ <= now)) {
      dut.clockDomain.waitSampling(plan.stopAfter.fold(100)(_ => 1))
      if (now - progress > 20000) complain(s"nothing has moved since cycle $progress")
    }
    over = true
    if (complain.first.isEmpty && plan.stopAfter.isEmpty) finish()
    Outcome(complain.first.map(_ + s" (seed ${plan.seed}, cycle $now)"), model.seen.toMap, replaced.toMap, longestReplace.toInt, now, shortest.toMap)
  }

  private def done = sent >= plan.requests && came == sent && log.isEmpty && commanding.isEmpty && !memory.busy

  private def reset(again: Boolean): Unit = {
    dut.io.requestsIn.valid #= false
    dut.io.requestsOut.ready #= false
    dut.io.retired #= false
    dut.io.replace.valid #= false
    dut.io.freePages.valid #= false
    dut.io.control.window #= window
    dut.io.control.busyHint #= busyHint
    dut.io.control.tick #= 0
    dut.io.control.exhausted #= false
    dut.plantedFaults.foreach(_ #= plan.planted.toSeq.map(f => BigInt(1) << f.id).sum)
    if (again) {
      dut.clockDomain.assertReset()
      dut.clockDomain.waitRisingEdge(3)
      dut.clockDomain.deassertReset()
    } else dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(10)
  }

  private def populate(): Unit = {
    for (page <- pages.distinct if plan.plain || random.nextDouble() < 0.85; address <- model.table.freeSlot(page)) {
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
    // Requests enter, then replaces: one that is taken in the same cycle comes after.
    takeInput()
    takeReplace()
    takePages()
    takeOutput()
    takeReplaceResult()
    memory.step()
    retire()
    if (now % 8 == 0) tick = (tick + 1) & 0xffffff
    dut.io.control.tick #= tick
    if (random.nextInt(200) == 0) exhausted = !exhausted
    if (random.nextInt(1000) == 0) drought = !drought
    dut.io.control.exhausted #= exhausted
  }

  private def fires(stream: spinal.lib.Stream[_ <: Data]) = stream.valid.toBoolean && stream.ready.toBoolean

  private def takeInput(): Unit = {
    val port = dut.io.requestsIn
    if (fires(port)) {
      val (asked, values) = offered.get
      log += Entered(asked, values, tick, now)
      offered = None
      progress = now
    }
    if (flipping) {
      // Requests for the damaged entry run alone: those behind could still find the entry that the first makes the TLB forget.
      if (offered.isEmpty && log.isEmpty && commanding.isEmpty) {
        flipping = false
        flip().foreach(page => offer(page))
      }
    } else if (!alone && offered.isEmpty && sent < plan.requests && random.nextDouble() >= plan.inputStall) {
      offer(if (recent.nonEmpty && random.nextDouble() < plan.locality) recent(random.nextInt(recent.size)) else pages(random.nextInt(pages.size)))
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

  private def offer(page: Page): Unit = {
    offered = Some(Iterator.continually(ask(page)).find(_._1.translated || !alone).get)
    sent += 1
    for ((leaf, value) <- inLeaves.zip(offered.get._2)) Leaves.set(leaf, value)
  }

  /** Flips a bit of an intact TLB entry, outside of the tag, which would only hide it: parity finds one flip and not two. */
  private def flip(): Option[Page] = {
    val entries = dut.tlb.entries
    val held = entries.map(_.toBigInt)
    def only(i: Int) = held.count(_ == held(i)) == 1 && !Entry.odd(held(i).toLong)
    val candidates = for (page <- model.tlb.pages; i <- held.indices if held(i).toLong == model.tlb.peek(page).get && only(i)) yield (page, i)
    candidates.headOption.map { case (page, i) =>
      val outside = (0 until 64).filter(bit => bit < c.tagShift || bit >= Wire.Pte.TAG_TOP)
      val bit = outside(random.nextInt(outside.size))
      entries(i) #= held(i).flipBit(bit)
      model.tlb.flip(page, 1L << bit)
      alone = true
      page
    }
  }

  private def ask(page: Page): (Asked, Seq[BigInt]) = {
    import Wire.Opcode._
    val opcode = Seq(READ, READ, READ, READ, READ, READ, WRITE, WRITE, WRITE, WRITE, FENCE, COMPARE_SWAP, FETCH_ADD, SWAP)(random.nextInt(14))
    recent.enqueue(page)
    if (recent.size > 4) recent.dequeue()
    val age = if (random.nextInt(6) == 0) window - 6 + random.nextInt(9) else random.nextInt(window / 2) - 8
    val asked = Asked(sent, opcode, page, random.nextInt(1 << c.pageBits), (tick - age) & 0xffffff, random.nextInt(20) == 0)
    val fixed = Map[String, BigInt](
      "opcode" -> opcode,
      "pid" -> page.pid,
      "opId" -> asked.id,
      "time" -> asked.time,
      "va" -> (BigInt(page.vpn) << c.pageBits | asked.offset),
      "answered" -> (if (asked.answered) 1 else 0),
      "resumed" -> 0,
      "zeros" -> 0
    )
    (asked, inLeaves.indices.map(i => fixed.getOrElse(names(i), BigInt(inLeaves(i).getBitsWidth, random))))
  }

  private def takeReplace(): Unit = {
    val port = dut.io.replace
    if (fires(port)) {
      log += Started(commanding.get._1)
      port.valid #= false
    }
    if (commanding.isEmpty && !flipping && !alone && random.nextDouble() < plan.replaceRate && came < plan.requests) {
      val command = replaceCommand()
      commanding = Some(command -> now)
      port.pid #= command.page.pid
      port.vpn #= command.page.vpn
      for ((leaf, value) <- Seq(port.compare -> command.compare, port.expected -> command.expected, port.write -> command.write, port.value -> command.value))
        leaf #= BigInt(value) & BigInt("ffffffffffffffff", 16)
      port.valid #= true
    }
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
    if (fires(port) || !port.valid.toBoolean) {
      port.valid #= !drought && random.nextDouble() < plan.pageSupply
      port.payload #= nextPage
      nextPage = (nextPage + 1) % (1L << (c.memBits - c.pageBits))
    }
  }

  private def takeOutput(): Unit = {
    val port = dut.io.requestsOut
    if (fires(port)) {
      came += 1
      progress = now
      unretired += now + random.nextInt(plan.retireLatency + 1)
      val values = outLeaves.map(Leaves.get)
      log.headOption match {
        case Some(entered: Entered) => log.dequeue(); check(entered, values)
        case other => complain(s"request ${values(index("opId"))} came out, but $other is next")
      }
    }
    port.ready #= random.nextDouble() >= plan.outputStall
  }

  private def check(entered: Entered, values: Seq[BigInt]): Unit = {
    val asked = entered.asked
    def value(name: String) = values(index(name))
    val decided = if (asked.translated) Some(model.decide(asked, value("tickResume").toInt)) else None
    val failed = decided.exists(_.status != Wire.Status.OK)
    val changed = translationFields ++ (if (failed) verdictFields else Nil)
    for (i <- values.indices if !changed.contains(i))
      complain.require(values(i) == entered.values(i), s"$asked: field ${names(i)} was ${entered.values(i)} and is ${values(i)}")
    def same(name: String, expected: BigInt): Unit =
      complain.require(value(name) == expected, s"$asked: $name is ${value(name)}, expected $expected of $decided")
    same("resumed", if (decided.exists(_.walked)) 1 else 0)
    same("zeros", if (decided.exists(_.zeros)) 1 else 0)
    if (decided.exists(_.walked)) {
      val since = value("tickResume") - entered.tick
      complain.require(
        since >= 0 && value("tickResume") <= tick,
        s"$asked: its window was checked at tick ${value("tickResume")}, not between ${entered.tick} and $tick"
      )
    }
    for (d <- decided) {
      shortest(model.latest) = shortest.getOrElse(model.latest, Long.MaxValue) min (now - entered.cycle)
      if (failed) {
        same("answered", 1)
        same("status", d.status)
        same("detailVa", d.detailVa)
        same("detailLength", d.detailLength)
      } else if (!d.zeros) same("address", d.address)
    }
  }

  private def takeReplaceResult(): Unit = {
    val port = dut.io.replaceResult
    if (port.valid.toBoolean) {
      progress = now
      log.headOption match {
        case Some(Started(command)) =>
          log.dequeue()
          val expected = model.replace(command)
          val got = Replaced(port.status.toInt, port.old.toBigInt.toLong)
          complain.require(got == expected, s"$command answered $got, expected $expected")
          complain.require(got.status != Wire.ReplaceStatus.DONE || unretired.isEmpty, s"$command acknowledged with ${unretired.size} requests running")
          replaced(got.status) += 1
        case other => complain(s"a replace was acknowledged, but $other is next")
      }
      val took = now - commanding.get._2
      longestReplace = longestReplace max took
      complain.require(took <= plan.replaceBound, s"a replace took $took cycles, the bound is ${plan.replaceBound}")
      commanding = None
    }
  }

  private def retire(): Unit = {
    if (dut.io.retired.toBoolean) unretired.dequeue()
    dut.io.retired #= unretired.headOption.exists(_ <= now) && !dut.io.retired.toBoolean
  }

  private def finish(): Unit = {
    complain.require(model.pageEvents.isEmpty, s"page events that no request explains: ${model.pageEvents}")
    for (address <- (model.table.words.keys ++ memory.words.keys).toSeq.distinct) {
      val (expected, got) = (model.table.word(address), memory.words.getOrElse(address, 0L))
      complain.require(expected == got, s"memory at $address is ${got.toHexString}, expected ${expected.toHexString}")
    }
  }
}
