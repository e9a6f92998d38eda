package mneme.rdma

import mneme.leaf.{LeafOperation, LeafStatus}
import mneme.wire.Wire
import mneme.{CBoardConfig, Simulation}
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.{Failure, Random, Try}

/** Lists of pages out of packets, against a reference that is written from docs/reference/rdma.md: which are refused, and what is given up, all or nothing. */
class FreeListTest extends AnyFunSuite {
  private val c =
    CBoardConfig.tiny.copy(name = "leaf", pageBits = 20, memBits = 26, filterSetsLog2 = 6, filterWays = 4, packetSlots = 16, doors = 2, rdma = 16, leaf = true)
  private val r = RoceConfig(c, queuePairs = 16, regions = 16, slots = 8)
  private lazy val compiled = Simulation.config.compile(FreeList(r, r.leaf.get, plantable = true))

  private case class Range(va: BigInt, pages: BigInt)
  private case class Row(segment: Int, pid: Int, base: Int, first: Int, pages: Int)

  private class Bench(dut: FreeList, seed: Int, faults: Set[FreeFault.Value]) {
    val random = new Random(seed)
    private val ports = dut.io
    private val store = mutable.Map[(Int, Int), BigInt]()
    private val answers = mutable.Queue[(Int, LeafStatus.E)]()
    private val gone = mutable.ArrayBuffer[Int]()
    private var row = Row(0, 0, 0, 0, 1)
    /** The segment may be written; a command of the slow path waits that turns it round; the next operation of this number fails. */
    private var (writable, pending, turns, failsAt) = (true, false, 0, -1)
    var (cycles, operations) = (0, 0)
    private var end = Option.empty[FreeEnd.E]

    private def number(bytes: Seq[Byte]): BigInt = BigInt(1, bytes.reverse.toArray)

    dut.plantedFaults.foreach(_ #= faults.map(f => BigInt(1) << f.id).sum)
    ports.start.valid #= false
    ports.leaf.answer.valid #= false
    ports.leaf.request.ready #= false
    ports.leaf.mayBegin #= true
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(2)

    /** A cycle of those around. */
    private def cycle(): Unit = {
      dut.clockDomain.waitSampling()
      cycles += 1
      assert(cycles < 20000, "a list never ends")
      if (ports.read.valid.toBoolean) {
        val at = (ports.read.slot.toInt, ports.read.beat.toInt)
        assert(store.contains(at), s"beat $at is not the packet's")
        ports.packet #= store(at)
      }
      if (ports.ended.valid.toBoolean) end = Some(ports.ended.payload.toEnum)
      val (request, answer) = (ports.leaf.request, ports.leaf.answer)
      if (answer.valid.toBoolean && answer.ready.toBoolean) {
        answer.valid #= false
        answers.dequeue()
      }
      if (request.valid.toBoolean && request.ready.toBoolean) operate()
      // As LeafPort has it: a command is done when no list is under way, and then the next list may begin.
      if (pending && !ports.leaf.holds.toBoolean && answers.isEmpty) {
        writable = !writable
        turns += 1
        pending = false
      }
      ports.leaf.mayBegin #= !pending
      request.ready #= answers.isEmpty && random.nextInt(3) > 0
      if (answers.nonEmpty && !answer.valid.toBoolean) {
        if (answers.head._1 == 0) {
          answer.valid #= true
          answer.status #= answers.head._2
        } else answers(0) = (answers.head._1 - 1, answers.head._2)
      }
    }
    private def operate(): Unit = {
      val request = ports.leaf.request
      val (page, pages) = (request.page.toInt, request.pages.toInt)
      assert(request.operation.toEnum == LeafOperation.FREE && request.segment.toInt == row.segment && request.pid.toInt == row.pid)
      assert(request.rights.write.toBoolean && !request.rights.read.toBoolean && !request.rights.atomic.toBoolean)
      assert(pages >= 1 && page % 8 + pages <= 8, s"$pages pages from $page on are no line")
      val status = if (operations == failsAt) LeafStatus.FAILED else if (writable) LeafStatus.DONE else LeafStatus.RIGHT
      if (status == LeafStatus.DONE) gone ++= page until page + pages
      operations += 1
      answers.enqueue((random.nextInt(6), status))
    }

    /** Lets a list come. Answers how it ended, and which pages were given up, in order. */
    def list(of: Row, ranges: Seq[Range], commandAt: Int = -1, fails: Int = -1): (FreeEnd.E, Seq[Int]) = {
      row = of
      val slot = random.nextInt(r.slots)
      val bytes = Array.fill(54)(random.nextInt().toByte) ++
        ranges.flatMap(range => Seq(range.va, range.pages).flatMap(word => (0 until 8).map(i => (word >> (8 * i)).toByte))) ++
        Array.fill(64)(random.nextInt().toByte)
      store.clear()
      for ((beat, i) <- bytes.grouped(64).zipWithIndex) store((slot, i)) = number(beat.toSeq)
      gone.clear()
      end = None
      failsAt = fails
      cycles = 0
      operations = 0
      val start = ports.start
      start.valid #= true
      start.slot #= slot
      start.ranges #= ranges.size
      start.pid #= row.pid
      start.row.takes #= random.nextBoolean()
      start.row.segment #= row.segment
      start.row.base #= row.base
      start.row.first #= row.first
      start.row.pages #= row.pages
      cycle()
      start.valid #= false
      start.payload.row.segment.randomize()
      start.payload.row.base.randomize()
      while (end.isEmpty) {
        if (cycles == commandAt) pending = true
        cycle()
      }
      (end.get, gone.toSeq)
    }
    def mayWrite: Boolean = writable
    def commands: Int = turns
  }

  /** What becomes of a list. */
  private def expected(row: Row, ranges: Seq[Range]): (FreeEnd.E, Seq[Int]) = {
    var total = BigInt(0)
    for (range <- ranges) {
      val inside = range.va % 4096 == 0 && range.pages > 0 && range.va / 4096 >= row.base && range.va / 4096 + range.pages <= row.base + row.pages
      if (!inside) return (FreeEnd.denied, Nil)
      total += range.pages
      if (total > Wire.ROCE_FREE_PAGES) return (FreeEnd.invalid, Nil)
    }
    (FreeEnd.done, ranges.flatMap(range => (0 until range.pages.toInt).map(row.first + (range.va / 4096).toInt - row.base + _)))
  }

  private def runs(b: Bench, lists: Int): Map[FreeEnd.E, Int] = {
    import b.random
    val seen = mutable.Map[FreeEnd.E, Int]().withDefaultValue(0)
    def number(bits: Int) = BigInt(bits, random)
    for (_ <- 0 until lists) {
      val pages = if (random.nextInt(3) == 0) 1 + random.nextInt(12) else 1 + random.nextInt(700)
      val row = Row(random.nextInt(256), random.nextInt(1 << 24), 1 + random.nextInt(1 << 20), random.nextInt(1000), pages)
      val few = random.nextInt(4) > 0
      val wild = random.nextInt(3) == 0
      val ranges = Seq.fill(if (random.nextInt(5) == 0) 64 else 1 + random.nextInt(8)) {
        val from = random.nextInt(pages)
        val most = if (few) 1 + random.nextInt(9) else 1 + random.nextInt(pages)
        val range = Range(BigInt(row.base + from) << 12, BigInt(most.min(pages - from)))
        if (!wild || random.nextInt(6) > 0) range
        else random.nextInt(9) match {
          case 0 => range.copy(pages = 0)
          case 1 => range.copy(pages = pages - from + 1)
          case 2 => range.copy(va = range.va + 1 + random.nextInt(4095))
          case 3 => range.copy(va = BigInt(row.base - 1) << 12)
          case 4 => range.copy(va = range.va + (BigInt(1) << (12 + random.nextInt(52)).min(63)))
          case 5 => range.copy(pages = range.pages + (BigInt(1) << (9 + random.nextInt(55))))
          case 6 => Range(number(64), number(64))
          case 7 => range.copy(va = BigInt(row.base + pages) << 12)
          case _ => range.copy(va = (BigInt(1) << 64) - 4096, pages = 2 + row.base)
        }
      }
      val before = (b.mayWrite, b.commands)
      val (end, gone) = b.list(row, ranges, commandAt = if (random.nextInt(4) == 0) random.nextInt(120) else -1)
      val (wanted, all) = expected(row, ranges)
      val told = s"$row, ${ranges.size} ranges from ${ranges.head} on: $end, wanted $wanted"
      if (wanted != FreeEnd.done) assert(end == wanted && gone.isEmpty, told)
      else if (end == FreeEnd.denied) assert(gone.isEmpty && (!before._1 || b.commands > before._2), told)
      else assert(end == FreeEnd.done && gone == all, told)
      if (wanted == FreeEnd.done && b.commands == before._2) assert((end == FreeEnd.done) == before._1, told)
      seen(end) += 1
    }
    seen.toMap
  }

  test("lists are given up whole, or refused whole") {
    compiled.doSim("lists", 1) { dut =>
      val b = new Bench(dut, 1, Set.empty)
      val seen = runs(b, if (Simulation.long) 20000 else 3000)
      for (end <- Seq(FreeEnd.done, FreeEnd.denied, FreeEnd.invalid)) assert(seen.getOrElse(end, 0) > 100, seen)
      assert(b.commands > 100)
    }
  }

  test("where memory fails pages before are given up, and it is told") {
    compiled.doSim("failures", 2) { dut =>
      val b = new Bench(dut, 2, Set.empty)
      for (fails <- 0 until 5) {
        val (end, gone) = b.list(Row(3, 7, 0x400, 5, 64), Seq(Range(BigInt(0x403) << 12, 20), Range(BigInt(0x420) << 12, 9)), fails = fails)
        assert(end == FreeEnd.failed && b.operations == fails + 1 && gone == ((8 until 28) ++ (37 until 46)).take(gone.size))
      }
      assert(b.list(Row(3, 7, 0x400, 5, 64), Seq(Range(BigInt(0x403) << 12, 20)))._1 == FreeEnd.done)
    }
  }

  for (fault <- FreeFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    val found = Try(compiled.doSim(fault.toString, 3)(dut => runs(new Bench(dut, 3, Set(fault)), 3000)))
    found match {
      case Failure(_: TestFailedException) =>
      case Failure(other) if Iterator.iterate(other: Throwable)(_.getCause).takeWhile(_ != null).exists(_.isInstanceOf[TestFailedException]) =>
      case other => fail(s"$fault is not found: $other")
    }
  }
}
