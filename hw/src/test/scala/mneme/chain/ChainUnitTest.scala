package mneme.chain

import mneme.Simulation
import mneme.leaf.LeafOperation
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

import scala.io.Source
import scala.util.{Failure, Random, Try}

/** Messages of chains against the golden model's programs: verdicts, replies, tables and counters. */
class ChainUnitTest extends AnyFunSuite {
  import ChainVerdict._
  private val k = RepliesBench.small
  private lazy val compiled = Simulation.config.compile(ChainUnit(k, plantable = true))
  private lazy val programs: Seq[Seq[String]] = {
    val source = Source.fromFile(sys.env.getOrElse("MNEME_MESSAGE_VECTORS", "src/test/resources/rdma/messages.txt"))
    try
      source.getLines().foldLeft(Vector[Vector[String]]())((all, line) =>
        if (line.startsWith("program")) all :+ Vector(line) else all.init :+ (all.last :+ line)
      )
    finally source.close()
  }

  private def bench(name: String, seed: Int)(run: (ChainUnitBench, Random) => Unit): Unit =
    compiled.doSim(name.map(c => if (c.isLetterOrDigit) c else '_'), seed) { dut =>
      val random = new Random(seed)
      val b = new ChainUnitBench(dut, k, random)
      b.start()
      run(b, random)
    }

  for (stalls <- Seq(false, true))
    test(s"the golden model's programs, stalls $stalls")(bench(s"programs $stalls", 1) { (b, _) =>
      for (program <- programs) {
        b.reset(stalls)
        ChainUnitBench.play(b, program)
      }
    })

  test("the golden model's programs after resets amid others")(bench("resets", 2) { (b, random) =>
    for (program <- programs) {
      b.reset()
      ChainUnitBench.play(b, program, 20 + random.nextInt(100))
      b.reset()
      ChainUnitBench.play(b, program)
    }
  })

  private def prepare(b: ChainUnitBench): Unit = {
    b.leaf.free ++= 1 to 4
    b.leaf.segments(0) = ChainSegment(7, 16, 8, 3)
    for (function <- 0 to 3) b.create(function, function, immediate = false, signal = true, tellEmpty = false, 0)
    b.create(4, 2, immediate = false, signal = false, tellEmpty = false, 0)
  }
  private def message(pair: Int, page: Int) = UnitMessage(pair, wrong = false, outside = false, page, 0x1000, 0x2000, 0x1234, 77, 32)

  test("other queue pairs' messages are done between a store's arguments and its page")(bench("between", 3) { (b, _) =>
    prepare(b)
    val (first, one) = b.begin(message(2, 5))
    assert(first == PAGE && b.message(message(0, 5)) == DENIED, "nobody sees a page before its last byte")
    val (second, other) = b.begin(message(4, 5))
    assert(second == PAGE && other != one)
    assert(b.page(2, ChainPageEnd.WRITTEN) == DONE && b.leaf.frames((0, 5)) == one)
    assert(b.message(message(0, 5)) == DONE)
    // The later one replaces the earlier one, whose frame goes back.
    assert(b.page(4, ChainPageEnd.WRITTEN) == DONE && b.leaf.frames((0, 5)) == other && b.leaf.free.size == 3)
    assert(b.begin(message(1, 5)) == ((PAGE, other)) && b.message(message(3, 5)) == DONE)
    assert(b.leaf.open.sum == 1, "the store goes on")
    assert(b.page(1, ChainPageEnd.WRITTEN) == DONE && b.leaf.open.sum == 0)
    assert(b.posted.count(_.word) == 5 && b.posted.count(!_.word) == 1)
  })

  private def pauses(b: ChainUnitBench): Unit = {
    prepare(b)
    def pause(pair: Int): Unit = assert(b.page(pair, ChainPageEnd.PAUSED) == PAUSED && b.leaf.open.sum == 0)
    def begin(pair: Int, page: Int): Unit = {
      assert(b.begin(message(pair, page)) == ((PAGE, b.leaf.frames((0, page)))))
      pause(pair)
    }
    assert(b.message(message(2, 5)) == DONE && b.message(message(2, 6)) == DONE)
    b.posted.clear()
    // The page has another frame meanwhile.
    begin(1, 5)
    val old = b.leaf.frames((0, 5))
    assert(b.message(message(3, 5)) == DONE && b.message(message(2, 7)) == DONE && b.message(message(2, 5)) == DONE && b.leaf.frames((0, 5)) != old)
    assert(b.again(1) == ((PAGE, b.leaf.frames((0, 5)))) && b.leaf.open.sum == 1 && b.page(1, ChainPageEnd.WRITTEN) == DONE)
    // There is no room any more: this queue pair has its own.
    begin(1, 5)
    b.message(message(1, 16).copy(pair = 3, room = 0))
    assert(b.again(1)._1 == PAGE && b.page(1, ChainPageEnd.WRITTEN) == DONE && b.leaf.open.sum == 0)
    b.posted.clear()
    // It has none: a mapped store is denied, an unmapped one was before that.
    for (pair <- Seq(1, 2)) begin(pair, 6)
    assert(b.message(message(3, 6)) == DONE && b.counts("unmapped") == 0)
    val stores = b.counts("mappedStores")
    b.posted.clear()
    assert(b.again(1)._1 == DENIED && b.counts("unmapped") == 1)
    assert(b.again(2)._1 == DROP && b.page(2, ChainPageEnd.WRITTEN) == DONE && b.counts("mappedStores") == stores + 1 && b.counts("notStored") == 0)
    assert(b.posted.map(_.magic) == Seq(BigInt(0x1234)) && b.leaf.open.sum == 0 && b.leaf.filling.isEmpty)
    // It ends amid its pause, or memory fails; or a segment that is another process's has its number.
    for (how <- Seq(ChainPageEnd.ABANDONED -> ABANDONED, ChainPageEnd.FAILED -> FAILED)) {
      begin(1, 5)
      assert(b.page(1, how._1) == how._2 && b.leaf.open.sum == 0)
    }
    begin(1, 5)
    b.leaf.fails = Set(LeafOperation.LOOK)
    assert(b.again(1)._1 == FAILED && b.leaf.open.sum == 0)
    b.leaf.fails = Set()
    begin(1, 5)
    b.leaf.segments(0) = ChainSegment(8, 16, 8, 3)
    assert(b.again(1)._1 == DENIED && b.leaf.open.sum == 0 && b.posted.size == 1)
  }
  test("a store that pauses has no access, and looks for its page's frame again")(bench("pauses", 7)((b, _) => pauses(b)))

  test("what fails or is abandoned gives everything back, and has no reply")(bench("fails", 4) { (b, _) =>
    prepare(b)
    for ((how, end) <- Seq(ChainPageEnd.FAILED -> FAILED, ChainPageEnd.ABANDONED -> ABANDONED)) {
      assert(b.begin(message(2, 5))._1 == PAGE && b.page(2, how) == end && b.leaf.filling.isEmpty && b.leaf.free.size == 4)
      assert(b.message(message(2, 6)) == DONE)
      b.posted.clear()
      assert(b.begin(message(1, 6))._1 == PAGE && b.page(1, how) == end && b.leaf.open.sum == 0)
      assert(b.message(message(3, 6)) == DONE)
      b.posted.clear()
    }
    for (operation <- Seq(LeafOperation.LOOK, LeafOperation.STORE)) {
      b.leaf.fails = Set(operation)
      assert(b.message(message(2, 5)) == FAILED && b.leaf.free.size == 4)
    }
    b.leaf.fails = Set(LeafOperation.PUBLISH)
    assert(b.message(message(2, 5)) == FAILED && b.leaf.free.size == 4 && b.leaf.filling.isEmpty)
    b.leaf.fails = Set(LeafOperation.FREE)
    assert(b.message(message(3, 5)) == FAILED && b.posted.isEmpty)
    // A segment that ends takes what is filled for it.
    b.leaf.fails = Set()
    assert(b.begin(message(2, 5))._1 == PAGE)
    b.leaf.filling.clear()
    assert(b.page(2, ChainPageEnd.WRITTEN) == DENIED && b.posted.isEmpty)
  })

  test("cycles of a message, the leaf unit answering in the next one")(bench("cycles", 5) { (b, _) =>
    prepare(b)
    def took(work: => Any): Long = { val from = b.now; work; b.now - from }
    val begins = took(b.begin(message(2, 5)))
    val publishes = took(b.page(2, ChainPageEnd.WRITTEN))
    val load = took(b.message(message(0, 5)))
    val looks = took(b.begin(message(1, 5)))
    val pauses = took(b.page(1, ChainPageEnd.PAUSED))
    val again = took(b.again(1))
    val ends = took(b.page(1, ChainPageEnd.WRITTEN))
    val frees = took(b.message(message(3, 5)))
    info(
      s"a load $load, an unmapped store $begins and $publishes behind its page, a mapped store $looks and $ends, its pause $pauses and $again, an invalidate $frees"
    )
    assert(load <= 9 && begins <= 10 && publishes <= 8 && looks <= 8 && ends <= 6 && pauses <= 5 && again <= 7 && frees <= 8)
  })

  for (fault <- ChainFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    compiled
    val found = Try(bench(s"planted $fault", 6) { (b, _) =>
      for (program <- programs) {
        b.reset(planted = Some(fault))
        ChainUnitBench.play(b, program)
      }
      b.reset(planted = Some(fault))
      pauses(b)
    })
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    // An assertion, and nothing else.
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}
