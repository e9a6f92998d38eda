package mneme

import mneme.net.FrameSpec
import mneme.wire.Wire.{Cause, Counter, Opcode, Pte, Register, ReplaceStatus, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Good requests at line rate, far more than the board can serve: misses, refusals, first touches, retries. Every frame is answered or counted as
  * dropped; what was answered OK has happened once, everything else has not; pings come back all the while, and nothing waits for ever.
  */
class OverloadTest extends AnyFunSuite {
  import BoardBench.{readWrite, word}

  private val config = Boards.queues
  private val page = BigInt(1) << config.pageBits
  private def bit(number: Int): BigInt = BigInt(1) << number

  /** Operation ids of a flood's requests and pings; those of `BoardBench` are lower. */
  private val (firstId, firstPing) = (0x10000, 0x40000000)
  /** Requests for each ping. */
  private val share = 8
  /** Longer than the watchdog waits, in thousands of cycles. */
  private val patience = 150

  /** What became of a flood: its answers in their order, those of pings left out, and by how much each counter went up. */
  private case class Outcome(answers: Seq[Reply], counted: Int => Int) {
    /** For requests that were each sent once. */
    val byId: Map[BigInt, Reply] = answers.map(a => a.opId -> a).toMap
    def count(status: Int): Int = answers.count(_.status == status)
    /** Requests that the filter answered. */
    def repeats: Int = Seq(Counter.FILTER_REPLAY, Counter.FILTER_REPEAT, Counter.FILTER_PENDING).map(counted).sum
    def executed: Int = counted(Counter.FILTER_INSERT) + counted(Counter.FILTER_REOPEN)
  }

  private def counters(b: BoardBench): Map[Int, Int] = Counter.all.map { case (_, number) => number -> b.counter(number) }.toMap

  /** Sends the frames back to back, pings between them, and accounts for every one. */
  private def flood(b: BoardBench, frames: Seq[FrameSpec])(meanwhile: => Unit): Outcome = {
    b.lineRate()
    val before = counters(b)
    val groups = frames.grouped(share).toSeq
    for ((group, i) <- groups.zipWithIndex) {
      group.foreach(frame => b.sendFrame(frame.bytes))
      b.send(Opcode.PING, 0, 0, opId = firstPing + i)
    }
    val sent = frames.size + groups.size
    meanwhile
    // What is done meanwhile must end in time; where that is nothing, no time has passed.
    assert(b.sending, "all of that must happen during the flood")
    b.domain.waitSamplingWhere(!b.sending)
    val quarters = b.answers.filter(_.opId >= firstPing).map(a => ((a.opId - firstPing) * 4 / groups.size).toInt).toSet
    assert(Set(0, 1, 2).subsetOf(quarters), "pings must come back while the flood goes on")
    def dropped: Int = b.counter(Counter.DROP_INGRESS_FULL) - before(Counter.DROP_INGRESS_FULL)
    val settled = (0 until patience).exists { _ => b.domain.waitSampling(1000); b.answers.size + dropped == sent }
    val after = counters(b)
    assert(settled && after(Counter.WATCHDOG) == 0, s"${b.answers.size} answered, $dropped dropped, of $sent")
    val (pings, answers) = b.answers.toSeq.partition(_.opId >= firstPing)
    b.answers.clear()
    val outcome = Outcome(answers, counter => after(counter) - before(counter))
    account(outcome, sent, pings)
    assert(b.ask(Opcode.PING, 0, 0).status == Status.OK)
    outcome
  }

  /** All counters that have to agree with the answers, whatever was asked. */
  private def account(o: Outcome, sent: Int, pings: Seq[Reply]): Unit = {
    val total = o.answers.size + pings.size
    val drops = (Counter.DROP_FCS to Counter.DROP_SLOW_FULL).map(o.counted)
    info(s"$sent frames: ${o.answers.size} requests and ${pings.size} pings answered, ${drops.sum} dropped")
    assert(o.counted(Counter.RX_FRAMES) == sent && o.counted(Counter.TX_FRAMES) == total)
    assert(total + drops.sum == sent && drops.sum == o.counted(Counter.DROP_INGRESS_FULL), "each frame has an answer or a reason")
    assert(pings.forall(_.status == Status.OK) && pings.map(_.opId).distinct.size == pings.size)
    assert(o.counted(Counter.SLOW_TX) == pings.size && o.counted(Counter.SLOW_RX) == pings.size)
    for (counter <- Counter.STATUS_OK to Counter.STATUS_UNAUTHENTICATED)
      assert(o.counted(counter) == o.count(counter - Counter.STATUS_OK + Status.OK), s"status ${counter - Counter.STATUS_OK}")
    for (never <- Seq(Counter.FILTER_CONFLICT, Counter.FILTER_EXPIRED, Counter.FILTER_CLOCK, Counter.FILTER_FULL, Counter.RESUME_EXPIRED, Counter.MEM_ERROR))
      assert(o.counted(never) == 0, s"counter $never")
    assert(o.counted(Counter.TLB_HIT) + o.counted(Counter.TLB_MISS) == o.answers.size - o.repeats)
  }

  private def overload(name: String)(body: BoardBench => Unit): Unit = test(name) {
    Boards(config).doSim(name.filter(_.isLetter), 7) { dut =>
      val b = new BoardBench(dut, config, 7)
      b.boot()
      body(b)
    }
  }

  private def map(b: BoardBench, vpn: Int, entry: BigInt): Unit = assert(b.replace(7, vpn, entry) == ReplaceStatus.DONE)
  /** An entry of a page that is in memory: the page number of its own behind those of the async buffer. */
  private def inMemory(vpn: Int): BigInt = readWrite | bit(Pte.VALID) | (config.asyncDepth + 1 + vpn)
  private def shuffled(r: Random, pages: Int, rounds: Int): Seq[Int] = Seq.fill(rounds)(r.shuffle(Seq.range(0, pages))).flatten

  overload("misses: reads of many pages, in memory and never written") { b =>
    val (pages, written) = (160, 48)
    for (vpn <- 0 until pages) map(b, vpn, if (vpn < written) inMemory(vpn) else readWrite)
    val data = Seq.tabulate(pages)(vpn => if (vpn < written) FrameSpec.payload(b.random, 64) else Seq.fill(64)(0))
    for (vpn <- 0 until written) assert(b.ask(Opcode.WRITE, vpn * page, 64, data(vpn)).status == Status.OK)
    val vpns = shuffled(b.random, pages, rounds = 100)
    val frames = for ((vpn, i) <- vpns.zipWithIndex) yield {
      val from = b.random.nextInt(64)
      b.request(Opcode.READ, vpn * page + from, 1 + b.random.nextInt(64 - from), Nil, 7, firstId + i)
    }
    val o = flood(b, frames)(())
    assert(o.answers.size == o.byId.size && o.answers.size > 10 * config.tlbEntries)
    for (a <- o.answers) {
      val (vpn, asked) = (vpns(a.opId.toInt - firstId), frames(a.opId.toInt - firstId))
      val from = (asked.va % page).toInt
      assert(a.status == Status.OK && a.va == asked.va && a.payload == data(vpn).slice(from, from + asked.length), s"page $vpn")
    }
    val inMemories = o.answers.count(a => vpns(a.opId.toInt - firstId) < written)
    assert(o.counted(Counter.TLB_MISS) > 9 * o.counted(Counter.TLB_HIT), "nearly all miss")
    assert(o.counted(Counter.MEM_READ_BEATS) == inMemories && o.counted(Counter.ZERO_READ) == o.answers.size - inMemories)
    for (never <- Seq(Counter.MEM_WRITE_BEATS, Counter.PAGE_FAULT, Counter.PTE_WRITE_BACK)) assert(o.counted(never) == 0, s"counter $never")
  }

  /** A request that is refused: its operation, its page and process, the status that it gets. */
  private case class Refusal(opcode: Int, vpn: Int, pid: Int, status: Int)

  overload("refusals: pages that are not mapped or not permitted") { b =>
    val allocated = bit(Pte.ALLOCATED)
    // Every set of rights, in memory and not; all other pages are not allocated.
    val rights = Seq(bit(Pte.READ), bit(Pte.WRITE), BigInt(0), readWrite)
    // Those in memory are one physical page, which is read and written through page 100.
    val entries = for (there <- Seq(true, false); right <- rights) yield allocated | right | (if (there) inMemory(0) &~ readWrite else BigInt(0))
    val data = FrameSpec.payload(b.random, 64)
    map(b, 100, inMemory(0))
    assert(b.ask(Opcode.WRITE, 100 * page, 64, data).status == Status.OK)
    for ((entry, vpn) <- entries.zipWithIndex) map(b, vpn, entry)
    val (reads, writes, both) = (Seq(Opcode.READ), Seq(Opcode.WRITE), Seq(Opcode.FETCH_ADD, Opcode.SWAP, Opcode.COMPARE_SWAP))
    val denied = for {
      (entry, vpn) <- entries.zipWithIndex
      opcode <- (if (entry.testBit(Pte.READ)) Nil else reads) ++ (if (entry.testBit(Pte.WRITE)) Nil else writes) ++ (if ((entry & readWrite) == readWrite) Nil
                                                                                                                     else both)
    } yield Refusal(opcode, vpn, 7, Status.DENIED)
    val unmapped = for ((vpn, pid) <- Seq(50 -> 7, 77 -> 7, 0 -> 8, 3 -> 8); opcode <- reads ++ writes ++ both) yield Refusal(opcode, vpn, pid, Status.UNMAPPED)
    val refusals = Seq.fill(100)(b.random.shuffle(denied ++ unmapped)).flatten
    val frames = for ((refusal, i) <- refusals.zipWithIndex) yield {
      val payload = if (refusal.opcode == Opcode.READ) Nil else if (refusal.opcode == Opcode.COMPARE_SWAP) data.take(8) ++ word(i) else word(i)
      b.request(refusal.opcode, refusal.vpn * page, 8, payload, refusal.pid, firstId + i)
    }
    val o = flood(b, frames)(())
    assert(o.answers.size == o.byId.size)
    for (a <- o.answers) {
      val refusal = refusals(a.opId.toInt - firstId)
      val cause = if (refusal.status == Status.DENIED) Cause.RIGHTS else Cause.NONE
      assert(a.status == refusal.status && a.va == BigInt(cause) << 40 && a.length == 0 && a.payload.isEmpty, s"$refusal")
    }
    assert(o.answers.map(a => refusals(a.opId.toInt - firstId)).toSet == refusals.toSet, "of each kind one at least was decided")
    assert(o.executed == o.answers.count(a => refusals(a.opId.toInt - firstId).opcode != Opcode.READ) && o.repeats == 0)
    for (never <- Seq(Counter.MEM_READ_BEATS, Counter.MEM_WRITE_BEATS, Counter.ATOMICS, Counter.PAGE_FAULT, Counter.ZERO_READ, Counter.PTE_WRITE_BACK))
      assert(o.counted(never) == 0, s"counter $never")
    assert(b.ask(Opcode.READ, 100 * page, 64).payload == data && b.ask(Opcode.READ, 7 * page, 64).payload == Seq.fill(64)(0))
  }

  overload("first touches: writes of more pages than there are") { b =>
    val (pages, rounds, late) = (120, 80, 6)
    for (vpn <- 0 until pages) map(b, vpn, readWrite)
    // Who waits for a page does so for 2^15 cycles at most.
    b.write(Register.WINDOW, 4 << (15 - config.tickLog2))
    b.stamp()
    // Each request has a word of its own.
    val vpns = shuffled(b.random, pages, rounds)
    val frames = for ((vpn, i) <- vpns.zipWithIndex) yield b.request(Opcode.WRITE, vpn * page + 8 * (i / pages), 8, word(firstId + i), 7, firstId + i)
    val o = flood(b, frames)(for (number <- 1 to late) b.push(config.asyncDepth + number))
    assert(o.answers.size == o.byId.size && o.executed == o.answers.size && o.repeats == 0)
    val (stored, refused) = o.answers.partition(_.status == Status.OK)
    assert(refused.forall(a => a.status == Status.BUSY && (a.va >> 40) == Cause.FAULT && a.length == 0))
    val touched = stored.map(a => vpns(a.opId.toInt - firstId)).toSet
    assert(touched.size > config.asyncDepth && refused.nonEmpty && o.counted(Counter.FAULT_WAIT) > 0)
    assert(o.answers.count(_.slow) >= o.counted(Counter.FAULT_WAIT), "who waited says so")
    assert(o.counted(Counter.PAGE_FAULT) == touched.size && o.counted(Counter.PTE_WRITE_BACK) == touched.size, "a page each")
    assert(o.counted(Counter.FAULT_DRY) == refused.size && o.counted(Counter.MEM_WRITE_BEATS) == stored.size)
    while (b.read(Register.ZERO_PENDING) != 0) b.domain.waitSampling(50)
    assert(touched.size + b.read(Register.ASYNC_LEVEL) == config.asyncDepth + late, "no page is lost")
    // Refused writes are tried again while the pages last, and then have happened once.
    val spare = b.read(Register.ASYNC_LEVEL).toInt + 1
    b.push(config.asyncDepth + late + 1)
    val again = refused.map(_.opId.toInt - firstId).filterNot(i => touched(vpns(i))).distinctBy(vpns).take(spare)
    for (i <- again) {
      b.sendFrame(frames(i).copy(attempt = 1).bytes)
      assert(b.answer().status == Status.OK)
    }
    val happened = stored.map(_.opId.toInt - firstId).toSet ++ again
    assert(again.size == spare && b.counter(Counter.FILTER_REOPEN) - spare == o.counted(Counter.FILTER_REOPEN))
    val expected = vpns.indices.groupBy(vpns).view.mapValues(_.flatMap(i => if (happened(i)) word(firstId + i) else word(0)))
    for (vpn <- 0 until pages) assert(b.ask(Opcode.READ, vpn * page, 8 * rounds).payload == expected(vpn), s"page $vpn")
    assert(b.counter(Counter.WATCHDOG) == 0)
  }

  /** Words in memory, to which the answers are applied in their order: an operation takes effect with its first answer. */
  private class Words(operations: Map[BigInt, FrameSpec], readOnly: Int) {
    val values = mutable.Map[BigInt, BigInt]().withDefaultValue(0)
    val ended = mutable.Map[BigInt, Reply]()
    private def number(bytes: Seq[Int]): BigInt = bytes.reverse.foldLeft(BigInt(0))((v, x) => (v << 8) | x)
    def answered(a: Reply): Unit = {
      val asked = operations(a.opId)
      if (a.status == Status.BUSY) assert((a.va >> 40) == Cause.PENDING)
      else if (asked.va / page == readOnly) assert(a.status == Status.DENIED && (a.va >> 40) == Cause.RIGHTS)
      else {
        assert(a.status == Status.OK && a.va == asked.va)
        for (before <- ended.get(a.opId)) assert(a.payload == before.payload, "a retry gives the recorded word")
        if (!ended.contains(a.opId)) execute(asked, a)
      }
      if (a.status != Status.BUSY) ended(a.opId) = a
    }
    private def execute(asked: FrameSpec, a: Reply): Unit = {
      val (old, operand) = (values(asked.va), number(asked.payload.takeRight(8)))
      assert(a.payload == (if (asked.opcode == Opcode.WRITE) Nil else word(old)), s"$asked")
      values(asked.va) = asked.opcode match {
        case Opcode.FETCH_ADD => old + operand
        case Opcode.COMPARE_SWAP => if (old == number(asked.payload.take(8))) operand else old
        case _ => operand
      }
    }
  }

  /** Of the words of a page the first is added to and nothing else, so that it counts operations; the others are written in every way. */
  private def operation(b: BoardBench, pages: Int, id: Int): FrameSpec = {
    val (vpn, at) = (b.random.nextInt(pages), b.random.nextInt(4))
    val opcode = if (at == 0) Opcode.FETCH_ADD else Seq(Opcode.WRITE, Opcode.FETCH_ADD, Opcode.SWAP, Opcode.COMPARE_SWAP)(b.random.nextInt(4))
    val payload = if (at == 0) word(1) else if (opcode == Opcode.COMPARE_SWAP) word(0) ++ word(id) else word(id)
    b.request(opcode, vpn * page + 8 * at, 8, payload, 7, id)
  }

  overload("retries: many copies of the same writes and atomics") { b =>
    val (pages, ids, copies, last) = (4, 400, 24, 40)
    val readOnly = pages - 1
    val data = FrameSpec.payload(b.random, 32)
    map(b, readOnly, inMemory(readOnly))
    assert(b.ask(Opcode.WRITE, readOnly * page, 32, data).status == Status.OK)
    for (vpn <- 0 until pages) map(b, vpn, if (vpn == readOnly) inMemory(vpn) &~ bit(Pte.WRITE) else readWrite)
    val operations = Seq.tabulate(ids)(i => operation(b, pages, firstId + i))
    // Copies in a row, copies among those of some other operations, and stragglers; half of them of the first attempt.
    val frames = operations.grouped(20).toSeq.flatMap { some =>
      val more = for (o <- some; n <- 1 until copies - 4) yield o.copy(attempt = if (n % 2 == 0) 0 else n)
      some.flatMap(Seq.fill(4)(_)) ++ b.random.shuffle(more)
    } ++ b.random.shuffle(operations)
    val o = flood(b, frames)(())
    val words = new Words(operations.map(o => o.opId -> o).toMap, readOnly)
    o.answers.foreach(words.answered)
    val first = words.ended.values.toSeq
    val denied = first.count(_.status == Status.DENIED)
    assert(o.counted(Counter.FILTER_INSERT) == first.size, "an entry for each operation")
    assert(o.counted(Counter.FILTER_PENDING) == o.count(Status.BUSY) && o.counted(Counter.FILTER_REPLAY) == o.count(Status.OK) - (first.size - denied))
    assert(o.counted(Counter.FILTER_REPEAT) + o.counted(Counter.FILTER_REOPEN) == o.count(Status.DENIED) - denied)
    for (some <- Seq(Counter.FILTER_PENDING, Counter.FILTER_REPLAY, Counter.FILTER_REPEAT, Counter.FILTER_REOPEN)) assert(o.counted(some) > 0, s"counter $some")
    def atomics(ended: Iterable[Reply]): Int = ended.count(a => a.status == Status.OK && operations(a.opId.toInt - firstId).opcode != Opcode.WRITE)
    assert(o.counted(Counter.ATOMICS) == atomics(first) && o.counted(Counter.PAGE_FAULT) == readOnly)
    // One attempt more of each: nothing changes but for those of which the flood let none through.
    for (operation <- operations) {
      b.sendFrame(operation.copy(attempt = last).bytes)
      words.answered(b.answer())
    }
    assert(words.ended.size == ids && b.counter(Counter.FILTER_INSERT) == ids + 1 && b.counter(Counter.ATOMICS) == atomics(words.ended.values))
    for (vpn <- 0 until readOnly) {
      val counted = operations.count(_.va == vpn * page)
      assert(b.ask(Opcode.FETCH_ADD, vpn * page, 8, word(0)).payload == word(counted), "each operation counts once")
      for (at <- 1 until 4) assert(b.ask(Opcode.READ, vpn * page + 8 * at, 8).payload == word(words.values(vpn * page + 8 * at)))
    }
    assert(b.ask(Opcode.READ, readOnly * page, 32).payload == data && b.counter(Counter.WATCHDOG) == 0)
  }
}
