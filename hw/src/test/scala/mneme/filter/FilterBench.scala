package mneme.filter

import mneme.CBoardConfig
import mneme.vm.{Complaints, Leaves}
import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, Opcode, Status}
import spinal.core.sim._
import scala.collection.mutable
import scala.util.Random

/** Random requests, updates, times and stalls at a filter, everything that leaves it judged by [[FilterModel]]; perhaps with a planted fault.
  *
  * `alike`: the operations of one source that are often in the filter together, and that nothing but a comparison of the whole key tells apart.
  * `flips`: one bit in some of the words that the filter writes turns round.
  */
class FilterBench(
    dut: RetryFilter,
    c: CBoardConfig,
    seed: Int,
    requests: Int,
    planted: Option[FilterFault.Value],
    alike: Boolean = false,
    flips: Boolean = false
) {
  private val random = new Random(seed)
  private val window = 4000
  private val hint = 0x12345678L
  private val model = new FilterModel(c, window, hint)
  val damage = new FilterDamage(dut, c, random, flips)
  val complain = new Complaints

  /** A request between the bench's offer and the filter's output; cycle and tick of its offer. */
  private case class Sent(
      operation: Operation,
      attempt: Int,
      filtered: Boolean,
      leaves: Seq[BigInt],
      before: Option[Seq[BigInt]],
      since: Long,
      sinceTick: Long
  )
  private case class Ending(place: Int, done: Boolean, attempt: Int, status: Int, result: BigInt)

  /** What must pass through unchanged, whatever is decided. */
  private def carried(r: mneme.Request) = Leaves.of(r.header) :+ r.slot
  /** How a request that was answered before ends; it passes, too. */
  private def endOf(r: mneme.Request) = Leaves.of(r.outcome)

  private val recent = mutable.ArrayBuffer.empty[Operation]
  private val inside = mutable.Queue.empty[Sent]
  private case class Due(cycle: Long, tick: Long)
  private val endings = mutable.ArrayBuffer.empty[(Due, Ending)]
  private val ended = mutable.Queue.empty[(Long, Ending)]
  private var offered: Option[Sent] = None
  private var ending: Option[Ending] = None
  private var now, tick = 0L
  /** Ticks of the last cycles: as many as it may take to retire all entries whose turn has come. */
  private val ticks = mutable.Queue.empty[Long]
  private val retired = 1000
  private var speed = 0.0
  private var calm, refused = 0
  var sent, left = 0
  val rules: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
  val events: Array[Int] = Array.fill(Counter.all.size)(0)

  /** Runs to the end of all requests, or to the first complaint. */
  def run(): Unit = {
    dut.clockDomain.forkStimulus(10)
    dut.io.requestsIn.valid #= false
    dut.io.updates.valid #= false
    dut.io.requestsOut.ready #= false
    dut.io.control.window #= window
    if (c.trailers) dut.io.proven #= true
    damage.start()
    for (port <- dut.plantedFaults) port #= planted.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
    dut.io.control.busyHint #= hint
    tick = random.nextInt(1 << 24)
    dut.io.control.tick #= tick & 0xffffff
    dut.clockDomain.onSamplings(if (complain.first.isEmpty) step())
    val limit = 2000 + 400L * requests
    while (complain.first.isEmpty && left < requests && now < limit) dut.clockDomain.waitSampling(50)
    complain.require(left == requests, s"$left of $requests requests left the filter in $limit cycles")
    for ((name, number) <- Counter.all if name.startsWith("FILTER_") && name != "FILTER_SCRUBBED") {
      val rule = name.stripPrefix("FILTER_")
      complain.require(events(number) == rules(rule), s"$name counted ${events(number)} times, due ${rules(rule)}")
    }
  }

  private def step(): Unit = {
    now += 1
    val seen = dut.io.events.toBigInt
    for (i <- events.indices if seen.testBit(i)) events(i) += 1
    damage.sample(now)
    sampleUpdates()
    sampleInput()
    sampleOutput()
    passTime()
    drive()
  }

  private def sampleUpdates(): Unit = {
    val port = dut.io.updates
    // The first pass over all entries apart, updates wait for one cycle at most, whatever happens at the output.
    refused = if (port.ready.toBoolean) 0 else refused + 1
    complain.require(refused <= 1 || now < 8 + c.filterEntries, s"updates refused for $refused cycles")
    if (ending.nonEmpty && port.ready.toBoolean) {
      ended.enqueue(now -> ending.get)
      ending = None
    }
  }

  private def sampleInput(): Unit = for (sent <- offered if dut.io.requestsIn.ready.toBoolean) {
    inside.enqueue(sent)
    offered = None
  }

  private def sampleOutput(): Unit = if (dut.io.requestsOut.valid.toBoolean && dut.io.requestsOut.ready.toBoolean) {
    if (inside.isEmpty) complain("a request left that nobody sent")
    else judge(inside.dequeue())
    left += 1
  }

  private def judge(s: Sent): Unit = {
    val out = dut.io.requestsOut.payload
    complain.require(carried(out.request).map(Leaves.get) == s.leaves, s"request $left: a field changed, or the order")
    for (before <- s.before)
      complain.require(out.request.answered.toBoolean && endOf(out.request).map(Leaves.get) == before, s"request $left: an answer of before changed")
    val at = s.sinceTick + ((out.tickFilter.toLong - s.sinceTick) & 0xffffff)
    complain.require(at <= tick, s"request $left: tickFilter ${out.tickFilter.toLong} was never seen")
    if (!s.filtered) complain.require(!out.filtered.toBoolean, s"request $left: filtered without need")
    else {
      // Updates that came while the request was inside may have come before or after the filter looked.
      apply(_ < s.since)
      val shown = outcome(out)
      var reading = read(s, shown, out, at)
      while (reading.isEmpty && ended.nonEmpty) {
        applyOne()
        reading = read(s, shown, out, at)
      }
      reading match {
        case None =>
          complain(s"request $left of ${s.operation} attempt ${s.attempt} at $at: ${model.verdict(s.operation, s.attempt, at).rule} was due, $shown came")
        case Some(v) =>
          rules(v.rule) += 1
          if (shown == GoesOn) begin(s, v, out, at)
      }
    }
  }

  /** The rule that explains what came, as far as updates have been applied. */
  private def read(s: Sent, shown: Outcome, out: mneme.Filtered, at: Long): Option[Verdict] = {
    val due = model.verdict(s.operation, s.attempt, at)
    val full = model.busy(Cause.FILTER)
    val places = model.places(s.operation)
    // Its own entry is damaged, or one that may be its.
    val told = Answered(Status.MEMERR, Some(BigInt(Cause.DRAM) << 56), None)
    val own = model.held(s.operation, at)
    if (matches(told, shown) && places.exists(damage.mayBeAt(_, s.since))) return Some(Verdict("PARITY", told))
    if (own.exists(damage.mustBeAt(_, s.since))) return None
    if (due.rule == "INSERT" && matches(full, shown)) Option.when(model.mayBeFull(s.operation, ticks.head, damage.rows))(Verdict("FULL", full))
    else Option.when(matches(due.outcome, shown) && (due.rule != "INSERT" || model.replaceable(out.filterEntry.toInt, at)))(due)
  }

  private def apply(when: Long => Boolean): Unit = while (ended.headOption.exists(e => when(e._1))) applyOne()
  private def applyOne(): Unit = {
    val e = ended.dequeue()._2
    model.end(e.place, e.done, e.attempt, e.status, e.result, tick)
  }

  private def begin(s: Sent, v: Verdict, out: mneme.Filtered, at: Long): Unit = {
    val place = out.filterEntry.toInt
    v.entry match {
      case Some(known) => complain.require(place == known, s"entry $place goes on instead of $known")
      case None => complain.require(model.places(s.operation).contains(place), s"entry $place is in no set of ${s.operation}")
    }
    model.begin(place, s.operation, s.attempt, at)
    val done = random.nextInt(5) < 3
    val status = if (!done) 1 + random.nextInt(14) else if (random.nextInt(3) == 0) Wire.Status.MEMERR else Wire.Status.OK
    // Most end soon, some only after their window, or after the tick has gone round.
    val late = random.nextInt(100)
    val (cycles, ticks) = if (late == 0) (20000, (1 << 24) + window) else if (late < 5) (3000, 2 * window) else (random.nextInt(60), 2 * window)
    endings += Due(now + cycles, at + ticks) -> Ending(place, done, s.attempt, status, BigInt(64, random))
  }

  private def outcome(out: mneme.Filtered): Outcome =
    if (!out.request.answered.toBoolean) { if (out.filtered.toBoolean) GoesOn else Answered(-1, None, None) }
    else if (out.filtered.toBoolean) Answered(-2, None, None)
    else {
      val end = out.request.outcome
      val details = (end.detailVa.toBigInt << 16) | end.detailLength.toInt
      // Those of an OK answer are the old word.
      Answered(end.status.toInt, Some(details), Some(details))
    }

  private def matches(due: Outcome, shown: Outcome): Boolean = (due, shown) match {
    case (Answered(s, detail, result), Answered(t, d, r)) => s == t && detail.forall(x => d.contains(x)) && result.forall(x => r.contains(x))
    case (a, b) => a == b
  }

  /** The tick stands, crawls, runs, or flies, so that borders of the window are met exactly and wraps happen often. */
  private def passTime(): Unit = {
    if (calm == 0) {
      speed = Seq(0.0, 0.05, 1.0, 40.0, 1000.0)(random.nextInt(5))
      calm = 100 + random.nextInt(2500)
    }
    calm -= 1
    tick += (random.nextDouble() * 2 * speed + random.nextDouble()).toLong
    dut.io.control.tick #= tick & 0xffffff
    ticks.enqueue(tick)
    if (ticks.size > retired) ticks.dequeue()
  }

  private def drive(): Unit = {
    damage.drive()
    dut.io.requestsOut.ready #= random.nextInt(8) < (if (calm % 200 < 20) 0 else 6)
    if (offered.isEmpty && sent < requests && random.nextInt(4) != 0) offer()
    dut.io.requestsIn.valid #= offered.nonEmpty
    if (ending.isEmpty && random.nextInt(3) != 0) {
      val ready = endings.indices.filter(i => endings(i)._1.cycle <= now || endings(i)._1.tick <= tick)
      if (ready.nonEmpty) {
        ending = Some(endings.remove(ready(random.nextInt(ready.size)))._2)
        val u = dut.io.updates.payload
        u.entry #= ending.get.place
        u.done #= ending.get.done
        u.attempt #= ending.get.attempt
        u.status #= ending.get.status
        u.result #= ending.get.result
      }
    }
    dut.io.updates.valid #= ending.nonEmpty
  }

  private def offer(): Unit = {
    val (o, attempt) = operation()
    val passes = random.nextInt(6)
    val (answered, opcode) = (passes == 0, if (passes == 1) Seq(Opcode.READ, Opcode.FENCE)(random.nextInt(2)) else o.opcode)
    val chosen = Map[String, BigInt](
      "srcIp" -> o.srcIp,
      "srcPort" -> o.srcPort,
      "opId" -> o.opId,
      "pid" -> o.pid,
      "va" -> o.va,
      "length" -> o.length,
      "time" -> o.time,
      "attempt" -> attempt,
      "opcode" -> opcode
    )
    val request = dut.io.requestsIn.payload
    def set(leaf: spinal.core.BaseType, chosen: Option[BigInt] = None): BigInt = {
      val value = chosen.getOrElse(BigInt(leaf.getBitsWidth, random))
      Leaves.set(leaf, value)
      value
    }
    val header = for ((name, field) <- request.header.elements.toSeq; leaf <- Leaves.of(field)) yield set(leaf, chosen.get(name))
    val leaves = header :+ set(request.slot)
    val end = endOf(request).map(set(_))
    request.answered #= answered
    sent += 1
    offered = Some(Sent(o, attempt, !answered && opcode == o.opcode, leaves, Option.when(answered)(end), now + 1, tick))
  }

  /** Operation ids that a source's rows cannot tell apart: the same sets, the same fingerprint. Everything in these is linear in the id, so
    * differences that they do not see are combinations of single bits that cancel out.
    */
  private val twins: Seq[Int] = {
    def seen(difference: Long) = {
      val (first, second) = FilterHash.software(c.filterSetsLog2, 0, 0, difference)
      FilterHash.softwareFingerprint(0, 0, difference) | (first.toLong << 20) | (second.toLong << 40)
    }
    val basis = mutable.Map.empty[Int, (Long, Long)]
    val unseen = (0 until 32).flatMap { bit =>
      var (image, ids) = (seen(1L << bit), 1L << bit)
      def top = 63 - java.lang.Long.numberOfLeadingZeros(image)
      while (image != 0 && basis.contains(top)) {
        val (i, d) = basis(top)
        image ^= i
        ids ^= d
      }
      if (image != 0) basis(top) = (image, ids)
      Option.when(image == 0)(ids.toInt)
    }
    val few = unseen.take(3)
    (0 until 1 << few.size).map(chosen => few.indices.filter(i => (chosen >> i & 1) == 1).map(few).foldLeft(5)(_ ^ _))
  }
  private val opcodes = Seq(Opcode.WRITE, Opcode.COMPARE_SWAP, Opcode.FETCH_ADD, Opcode.SWAP)

  /** A new operation, a retry of a recent one, or one that differs from it in one field but not in its key. */
  private def operation(): (Operation, Int) = {
    val attempt = if (random.nextInt(10) == 0) random.nextInt(256) else random.nextInt(4)
    if (recent.nonEmpty && random.nextInt(3) != 0) {
      val o = recent(random.nextInt(recent.size))
      val other = random.nextInt(16) match {
        case 0 => o.copy(pid = o.pid ^ (1 << random.nextInt(24)))
        case 1 => o.copy(time = o.time ^ (1 << random.nextInt(24)))
        case 2 => o.copy(va = o.va ^ (1L << random.nextInt(48)))
        case 3 => o.copy(length = o.length ^ (1 << random.nextInt(16)))
        case 4 => o.copy(opcode = opcodes(random.nextInt(4)))
        case _ => o
      }
      (other, attempt)
    } else {
      val border = if (alike) Seq(0)
      else Seq(0, window, window + 1, -window / 4, -window / 4 - 1, random.nextInt(window), -random.nextInt(window), random.nextInt(1 << 24))
      val time = ((tick - border(random.nextInt(border.size))) & 0xffffff).toInt
      // Few keys: they are used again after their window, and all sets are short of room.
      val o = Operation(
        0x0a000001L + (if (alike) 0 else random.nextInt(3)),
        40000 + (if (alike) 0 else random.nextInt(2)),
        if (alike || random.nextInt(8) == 0) twins(random.nextInt(twins.size)) & 0xffffffffL else random.nextInt(4 * c.filterWays << c.filterSetsLog2),
        random.nextInt(1 << 24),
        opcodes(random.nextInt(4)),
        random.nextLong() & 0xffffffffffffL,
        random.nextInt(65536),
        time
      )
      recent += o
      if (recent.size > 12) recent.remove(0)
      (o, attempt)
    }
  }
}
