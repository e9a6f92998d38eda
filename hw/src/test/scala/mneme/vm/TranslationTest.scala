package mneme.vm

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import scala.util.Random

/** Translation as a whole against the model of contracts §3. */
class TranslationTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny.copy(tlbEntries = 8, tlbWays = 2, misses = 8, packetSlots = 32, asyncDepth = 16)
  private lazy val compiled = VmSim.config.compile(Translation(c, plantable = true))

  /** Plans one after the other on one DUT, a reset between them. */
  private def run(plans: Plan*): Outcome = run(compiled, c, plans)

  private def run(compiled: SimCompiled[Translation], c: CBoardConfig, plans: Seq[Plan]): Outcome = {
    var outcomes = Seq.empty[Outcome]
    val plan = plans.head
    compiled.doSim(s"seed${plan.seed}-${plan.planted.mkString("-")}", plan.seed.toInt) { dut =>
      for (plan <- plans) outcomes :+= new TranslationBench(dut, c, plan).run(again = outcomes.nonEmpty)
    }
    outcomes.find(_.complaint.nonEmpty).getOrElse(outcomes.last)
  }

  private def clean(plans: Plan*): Outcome = {
    val outcome = run(plans: _*)
    assert(outcome.complaint.isEmpty, outcome.complaint.getOrElse(""))
    outcome
  }

  test("random requests, replaces, faults and stalls are decided as contracts §3 says") {
    val seen = (1 to 8).map(seed => clean(Plan(seed))).flatMap(_.seen).groupMapReduce(_._1)(_._2)(_ + _)
    info(seen.toSeq.sorted.mkString(", "))
    val kinds = Seq(
      "hit",
      "read miss",
      "write miss",
      "fault",
      "zeros",
      "dry",
      "exhausted",
      "denied",
      "hold",
      "away",
      "split",
      "unmapped",
      "table parity",
      "memory error",
      "expired",
      "expired hit"
    )
    for (kind <- kinds) assert(seen.getOrElse(kind, 0) >= 20, s"$kind came up too rarely")
  }

  test("without stalls, and with a memory that answers at once, the decisions are the same") {
    for (seed <- 11 to 14)
      clean(Plan(seed, inputStall = 0, outputStall = 0, memoryStall = 0, memoryLatency = 0, retireLatency = 0, replaceRate = 0.05))
  }

  test("configurations at random are decided as contracts §3 says") {
    val random = new Random(7)
    for (i <- 1 to (if (Simulation.long) 3 else 2)) {
      val ways = 2 + random.nextInt(7)
      val c = CBoardConfig.odd.copy(
        name = s"random$i",
        memBits = 25 + random.nextInt(6),
        pageBits = 19,
        slotsLog2 = 1 + random.nextInt(3),
        tlbEntries = ways << 1 + random.nextInt(3),
        tlbWays = ways,
        misses = 2 + random.nextInt(31),
        packetSlots = 4 << random.nextInt(5),
        doors = 1 + random.nextInt(3)
      )
      info(s"$c")
      val compiled = VmSim.config.compile(Translation(c, plantable = true))
      for (seed <- 1 to 3) {
        val outcome = run(compiled, c, Seq(Plan(seed, pages = 40, memoryLatency = 60)))
        assert(outcome.complaint.isEmpty, outcome.complaint.getOrElse(""))
      }
    }
  }

  test("hits pass one per cycle") {
    val requests = 5000
    val outcome =
      clean(Plan(61, requests, inputStall = 0, outputStall = 0, memoryStall = 0, memoryLatency = 0, replaceRate = 0, pages = c.tlbWays, plain = true))
    assert(outcome.cycles < requests + 400)
  }

  test("a miss takes 6 cycles more than a hit, memory's answer in the cycle after the question, and a page fault no more than a miss") {
    val outcome =
      clean(Plan(62, alone = true, outputStall = 0, memoryStall = 0, memoryLatency = 0, replaceRate = 0.002, pageSupply = 0.5, plain = true))
    info(outcome.shortest.toSeq.sorted.mkString(", "))
    val hit = outcome.shortest("hit")
    assert(hit == 3)
    for (kind <- Seq("read miss", "write miss", "fault")) assert(outcome.shortest(kind) == hit + 6)
    assert(outcome.shortest("fault") == outcome.shortest("write miss"))
  }

  test("a reset in mid-run leaves nothing behind") {
    for (seed <- 77 to 80) clean(Plan(seed, pageSupply = 0.001, stopAfter = Some(500 + seed)), Plan(seed + 100, requests = 500))
    for (seed <- 71 to 76) clean(Plan(seed, stopAfter = Some(200 + seed % 7 * 13)), Plan(seed + 100, stopAfter = Some(seed)), Plan(seed + 200, requests = 500))
  }

  private val patience = BenchTimes.faultPatience
  private val tick = BenchTimes.tickCycles
  /** Pages are rare, and nothing else holds up anybody. */
  private val dry = Plan(
    0,
    requests = 3000,
    outputStall = 0,
    memoryStall = 0,
    memoryLatency = 0,
    replaceRate = 0,
    pages = 150,
    locality = 0,
    plain = true,
    exhaustions = false,
    fences = false
  )

  test("a page fault that finds no page waits for one, and is refused after a quarter of the window") {
    val outcome = clean(dry.copy(seed = 65, alone = true, pageSupply = 0.01))
    info(s"${outcome.seen}, ${outcome.shortest}, ${outcome.longest}")
    assert(outcome.seen("fault") >= 20 && outcome.seen("dry") >= 20)
    assert(outcome.longest("fault") > patience / 2 && outcome.longest("fault") < patience + 30)
    assert(outcome.shortest("dry") > patience - tick && outcome.longest("dry") < patience + 30)
  }

  test("a page fault that finds no page is refused at once when memory is full") {
    val outcome = clean(dry.copy(seed = 66, alone = true, pageSupply = 0, exhaustions = true))
    info(s"${outcome.seen}, ${outcome.shortest}, ${outcome.longest}")
    assert(outcome.seen("exhausted") >= 20 && outcome.shortest("exhausted") == outcome.shortest("read miss"))
  }

  test("faults that wait for a page hold up no other page") {
    val calm = clean(dry.copy(seed = 67, inputStall = 0.95, pageSupply = 0.002))
    info(s"calm: ${calm.seen}, ${calm.longest}")
    assert(calm.seen("dry") >= 20 && calm.longest("dry") >= patience)
    for (kind <- Seq("hit", "read miss")) assert(calm.longest(kind) < patience / 2, kind)
    // At full load their packet slots are needed before.
    val busy = clean(dry.copy(seed = 68, inputStall = 0, pageSupply = 0, requests = 20000))
    info(s"busy: ${busy.seen}, ${busy.longest}, ${busy.cycles} cycles")
    assert(busy.seen("dry") >= 1000 && busy.cycles < 4 * 20000)
  }

  test("many misses are in flight, and hits overtake them") {
    val outcome = clean(Plan(63, inputStall = 0, outputStall = 0, memoryStall = 0, memoryLatency = 60, replaceRate = 0, pages = 64, plain = true))
    info(s"${outcome.overtaken} of 10000 requests overtook another, ${outcome.mostWalks} walks in flight")
    assert(outcome.mostWalks == c.misses && outcome.overtaken >= 500)
  }

  test("replaces under continuous load end within a bound and starve nobody") {
    val outcomes = (21 to 24).map { seed =>
      clean(Plan(seed, inputStall = 0, outputStall = 0.1, replaceRate = 1, damagedTable = false))
    }
    val done = outcomes.map(_.replaced.getOrElse(Wire.ReplaceStatus.DONE, 0)).sum
    info(s"$done replaces done, the longest took ${outcomes.map(_.longestReplace).max} cycles")
    assert(done >= 400)
  }

  test("an entry that is damaged in the TLB is answered with a memory error and forgotten") {
    val seen = (51 to 52).map(seed => clean(Plan(seed, flipRate = 0.1))).flatMap(_.seen).groupMapReduce(_._1)(_._2)(_ + _)
    assert(seen.getOrElse("tlb parity", 0) >= 100)
  }

  test("a bucket without a free slot refuses a new page, and a comparison that fails changes nothing") {
    val replaced = (31 to 54).map(seed => clean(Plan(seed, pages = 600, replaceRate = 0.05))).flatMap(_.replaced).groupMapReduce(_._1)(_._2)(_ + _)
    info(replaced.toSeq.sorted.mkString(", "))
    for (status <- Seq(Wire.ReplaceStatus.DONE, Wire.ReplaceStatus.MISMATCH, Wire.ReplaceStatus.FULL, Wire.ReplaceStatus.ERROR))
      assert(replaced.getOrElse(status, 0) >= 20, s"status $status came up too rarely")
  }

  private val refusing = Plan(0, pageSupply = 0.3, pages = 60, locality = 0.3, writeErrors = 0.1, replaceRate = 0.02, replaceBound = 5000)

  test("an entry that memory did not take is kept, and nothing is lost") {
    val outcomes = (81 to 86).map(seed => clean(refusing.copy(seed = seed)))
    val quick = clean(refusing.copy(seed = 87, inputStall = 0, outputStall = 0, memoryStall = 0, memoryLatency = 0))
    val errors = (outcomes :+ quick).map(_.replaced.getOrElse(Wire.ReplaceStatus.ERROR, 0)).sum
    info(s"${(outcomes :+ quick).map(_.refused).sum} writes refused, $errors replaces failed")
    assert(outcomes.map(_.refused).sum >= 100 && errors >= 20 && !(outcomes :+ quick).exists(_.lost))
  }

  test("when more entries are refused than can be kept, no page is taken for one that nobody wrote") {
    // Only what was allocated has a page to lose, and a replace would be told of another entry than the one that was lost.
    val outcomes = (91 to 94).map(seed => clean(refusing.copy(seed = seed, writeErrors = 0.5, pinnable = false, replaceRate = 0, damagedTable = false)))
    val seen = outcomes.flatMap(_.seen).groupMapReduce(_._1)(_._2)(_ + _)
    info(s"$seen, lost in ${outcomes.count(_.lost)} of ${outcomes.size} runs")
    assert(outcomes.forall(_.lost) && seen.getOrElse("lost", 0) >= 100)
  }

  test("the bench finds the planted fault WriteErrorIgnored") {
    val complaint = (81 to 86).iterator.flatMap(seed => run(refusing.copy(seed = seed, planted = Set(PlantedFault.WriteErrorIgnored))).complaint).nextOption()
    info(complaint.getOrElse("nothing was found"))
    assert(complaint.nonEmpty)
  }

  test("the bench finds the planted fault HitOvertakes") {
    // Reads of a few pages that write-backs keep in the miss table, while their requests wait to get out.
    val plan = Plan(
      0,
      inputStall = 0,
      outputStall = 0.6,
      memoryStall = 0,
      memoryLatency = 30,
      pageSupply = 0.9,
      replaceRate = 0.02,
      replaceBound = 5000,
      pages = 4,
      plain = true
    )
    clean(plan.copy(seed = 40))
    val complaint = (41 to 48).iterator.flatMap(seed => run(plan.copy(seed = seed, planted = Set(PlantedFault.HitOvertakes))).complaint).nextOption()
    info(complaint.getOrElse("nothing was found"))
    assert(complaint.nonEmpty)
  }

  test("the bench finds the planted fault WalkOvertakesWrite") {
    // A page is walked for again while its write is under way: long ways to memory, and no room in the TLB.
    val plan = Plan(
      0,
      inputStall = 0.1,
      memoryStall = 0,
      memoryLatency = 200,
      pageSupply = 0.9,
      replaceRate = 0.02,
      replaceBound = 5000,
      pages = 60,
      locality = 0,
      plain = true
    )
    clean(plan.copy(seed = 40))
    val complaint = (41 to 44).iterator.flatMap(seed => run(plan.copy(seed = seed, planted = Set(PlantedFault.WalkOvertakesWrite))).complaint).nextOption()
    info(complaint.getOrElse("nothing was found"))
    assert(complaint.nonEmpty)
  }

  test("who waited for a page, or behind it, is called slow, and who joined later is not") {
    // Few pages, seldom free, and outputs so rare that lists never run empty.
    val plan = dry.copy(seed = 91, inputStall = 0, outputStall = 0.6, pages = 60, locality = 0.6, pageSupply = 0.01, replaceRate = 0.05, replaceBound = 10000)
    val outcome = clean(plan)
    info(s"${outcome.slow} of ${plan.requests} are slow")
    assert(outcome.slow >= 50 && outcome.slow <= plan.requests / 2)
    val complaint = (92 to 99).iterator.flatMap(seed => run(plan.copy(seed = seed, planted = Set(PlantedFault.SlowTooLong))).complaint).nextOption()
    info(complaint.getOrElse("nothing was found"))
    assert(complaint.exists(_.contains("slow is true")))
  }

  test("the bench finds the planted fault WaitsForEver") {
    val plan = dry.copy(seed = 69, alone = true, pageSupply = 0, requests = 500)
    clean(plan)
    val complaint = run(plan.copy(planted = Set(PlantedFault.WaitsForEver))).complaint
    info(complaint.getOrElse("nothing was found"))
    assert(complaint.nonEmpty)
  }

  /** Far more pages at a time than miss entries. */
  private val crowded = Plan(0, inputStall = 0, memoryLatency = 60, pages = 40, locality = 0.5, replaceRate = 0.05, replaceBound = 6000)

  test("tokens that find all miss entries taken keep their order, and nobody waits for ever") {
    val outcomes = (111 to 116).map(seed => clean(crowded.copy(seed = seed))) :+
      clean(crowded.copy(seed = 117, outputStall = 0, memoryStall = 0, writeErrors = 0.05)) :+
      clean(crowded.copy(seed = 118, pageSupply = 0.002, replaceBound = 20000))
    val longest = outcomes.map(_.longest.values.max)
    info(s"the longest replace took ${outcomes.map(_.longestReplace).max} cycles, the longest requests $longest, ${outcomes.map(_.overtaken)} overtook another")
    // Replace walks as well.
    assert(outcomes.forall(o => o.mostWalks >= c.misses && o.overtaken >= 500))
  }

  test("whatever shares there are and however often they change, requests are decided the same") {
    val outcomes = (131 to 136).map(seed => clean(Plan(seed, shareRate = 0.002, inputStall = 0.1))) :+
      clean(crowded.copy(seed = 137, shareRate = 0.001)) :+
      clean(crowded.copy(seed = 138, shareRate = 0.001, pageSupply = 0.002, replaceBound = 20000))
    info(s"shares changed ${outcomes.map(_.shareChanges)} times; the longest requests ${outcomes.map(_.longest.values.max)}")
    assert(outcomes.forall(_.shareChanges >= 10))
  }

  /** Processes that miss as fast as they can, and a quiet one, which has a page of each twenty requests. */
  private val flood = Plan(
    0,
    inputStall = 0,
    outputStall = 0,
    memoryStall = 0,
    memoryLatency = 30,
    retireLatency = 0,
    pageSupply = 0.9,
    replaceRate = 0,
    pages = 120,
    plain = true,
    exhaustions = false,
    fences = false,
    classes = true
  )

  test("with shares of miss entries a flood of misses keeps no other group waiting, and what may not wait is refused") {
    def quiet(outcome: Outcome) = outcome.longest("class 1")
    val (open, shared) = (clean(flood.copy(seed = 141)), clean(flood.copy(seed = 141, halves = true)))
    // Where others are refused, the quiet process itself comes far more often.
    val bounded = clean(flood.copy(seed = 141, halves = true, waiting = 4))
    info(s"the longest request of the quiet process took ${quiet(open)} cycles without shares, ${quiet(shared)} with, ${quiet(bounded)} with a bound; " +
      s"${bounded.seen.getOrElse("refused", 0)} refused")
    assert(quiet(shared) < quiet(open) / 2 && shared.seen.getOrElse("refused", 0) == 0)
    assert(bounded.seen.getOrElse("refused", 0) > 1000)
    for ((fault, waiting, sound) <- Seq((PlantedFault.MissesUnshared, 0, shared), (PlantedFault.GroupsInTurn, 4, bounded))) {
      val broken = run(flood.copy(seed = 141, halves = true, waiting = waiting, planted = Set(fault)))
      info(s"with $fault: ${quiet(broken)}")
      assert(quiet(broken) > quiet(sound), fault)
    }
    assert(!run(flood.copy(seed = 141, halves = true, waiting = 4, planted = Set(PlantedFault.WaitsUnbounded))).seen.contains("refused"))
  }

  /** Processes that touch new pages as fast as they can, with a page for the buffer once in 50 cycles, and a quiet one that does so once in a while. Pages are
    * freed and allocated anew all the time.
    */
  private val touches =
    flood.copy(pages = 300, requests = 20000, pageSupply = 0.02, buffered = c.asyncDepth, halves = true, waiting = 4, inputStall = 0.5, replaceRate = 0.05)

  test("with shares of free pages a flood of first touches takes none that are kept for another group") {
    def of(outcome: Outcome, kind: String, number: Int): Int = outcome.seen.getOrElse(s"$kind, class $number", 0)
    def turnedAway(outcome: Outcome): Int = of(outcome, "dry", 1) + of(outcome, "kept", 1)
    val (open, shared) = (clean(touches.copy(seed = 151)), clean(touches.copy(seed = 151, keptPages = 8)))
    for ((name, o) <- Seq("without" -> open, "with" -> shared))
      info(s"$name shares: the quiet process had ${of(o, "fault", 1)} pages and was turned away ${turnedAway(o)} times; " +
        s"the others had ${of(o, "fault", 2) + of(o, "fault", 3)}, were refused ${of(o, "kept", 2) + of(o, "kept", 3)} times and found none ${of(o, "dry", 2) + of(o, "dry", 3)} times")
    assert(turnedAway(open) > 0 && turnedAway(shared) == 0 && of(shared, "fault", 1) >= 20)
    assert(of(shared, "kept", 2) + of(shared, "kept", 3) >= 100 && of(open, "kept", 2) == 0)
    val broken = run(touches.copy(seed = 151, keptPages = 8, planted = Set(PlantedFault.PagesUnshared)))
    info(s"with ${PlantedFault.PagesUnshared}: turned away ${turnedAway(broken)} times")
    assert(broken.complaint.isEmpty && turnedAway(broken) > 0)
  }

  test("streams to as many unmapped pages as there are miss entries keep no other page waiting") {
    // The TLB gets none of them and their entries never run empty, so nothing but the lists' patience makes room.
    val plan = Plan(
      121,
      requests = 20000,
      inputStall = 0,
      outputStall = 0.85,
      memoryStall = 0,
      memoryLatency = 0,
      retireLatency = 0,
      pageSupply = 0.9,
      replaceRate = 0,
      pages = 4 * c.misses,
      plain = true,
      exhaustions = false,
      fences = false,
      streams = Some(c.misses)
    )
    def longest(outcome: Outcome) = outcome.longest.values.max
    val (bound, starved) = (longest(clean(plan)), longest(run(plan.copy(planted = Set(PlantedFault.ListsStarve)))))
    info(s"the longest request took $bound cycles, without patience $starved")
    assert(bound < 600 && starved > 2000)
  }

  for (fault <- Seq(PlantedFault.PassesLists, PlantedFault.FillsListed, PlantedFault.FenceIgnoresLists, PlantedFault.ReplaceIgnoresLists))
    test(s"the bench finds the planted fault $fault") {
      val complaint = (111 to 116).iterator.flatMap(seed => run(crowded.copy(seed = seed, planted = Set(fault))).complaint).nextOption()
      info(complaint.getOrElse("nothing was found"))
      assert(complaint.nonEmpty)
    }

  {
    import PlantedFault._
    for (
      fault <- Seq(
        NoShootDown,
        NoDrain,
        NoBlock,
        TableParityIgnored,
        TlbParityIgnored,
        FaultTakesTwoPages,
        DirtyNotSet,
        NoWindowCheck,
        HitIgnoresRights,
        SecondEntry,
        FenceOvertakes,
        PassesWaiting,
        SlowUntold,
        HitsGoFirst
      )
    )
      test(s"the bench finds the planted fault $fault") {
        val complaint = (41 to 44).iterator.flatMap(seed => run(Plan(seed, flipRate = 0.1, planted = Set(fault))).complaint).nextOption()
        info(complaint.getOrElse("nothing was found"))
        assert(complaint.nonEmpty)
      }
  }
}
