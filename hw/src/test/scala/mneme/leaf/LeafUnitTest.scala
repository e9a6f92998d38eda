package mneme.leaf

import mneme.mem.Timing
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

import scala.util.{Failure, Random, Try}

class LeafUnitTest extends AnyFunSuite {
  import LeafBench.{small, whole}
  private lazy val smallUnit = LeafBench.config.compile(LeafUnit(small, plantable = true))
  private lazy val wholeUnit = LeafBench.config.compile(LeafUnit(whole))

  private def withSmall(name: String, timing: Timing, seed: Int)(run: LeafBench => Unit): Unit =
    smallUnit.doSim(name.map(c => if (c.isLetterOrDigit) c else '_'), seed) { dut =>
      val b = new LeafBench(dut, small, timing, seed)
      b.start()
      run(b)
    }

  private def all(b: LeafBench): Unit = for (program <- LeafPrograms.kept) {
    b.reset()
    LeafPrograms.play(b, program)
    LeafPrograms.check(b, program)
    for ((name, count) <- LeafPrograms.counts(program)) assert(b.counts(name) == count, s"program ${program.seed}: $name")
  }

  for (timing <- Seq(Timing(1, jitter = false), Timing(25, jitter = false), Timing(3, jitter = true)))
    test(s"the golden model's programs, $timing")(withSmall(s"programs ${timing.latency} ${timing.jitter}", timing, 1)(all))

  test("the golden model's programs, as many of everything as a board has") {
    wholeUnit.doSim("programs", 2) { dut =>
      val b = new LeafBench(dut, whole, Timing(5, jitter = true), 2)
      b.start()
      all(b)
    }
  }

  test("the golden model's programs after resets amid others")(withSmall("resets", Timing(4, jitter = true), 3) { b =>
    val random = new Random(3)
    for (program <- LeafPrograms.kept) {
      b.reset()
      LeafPrograms.play(b, program, 50 + random.nextInt(200))
      b.offer(program.steps.collect { case deed: LeafDeed => deed.ask }.apply(random.nextInt(200)))
      for (_ <- 0 until random.nextInt(40)) b.cycle()
      b.reset()
      LeafPrograms.play(b, program)
      LeafPrograms.check(b, program)
    }
  })

  private def world(b: LeafBench, reads: Double, writes: Double, steps: Int): LeafWorld = {
    b.bad.reads = 0
    b.bad.writes = 0
    b.bad.refuses = _ => false
    b.reset()
    val world = new LeafWorld(b)
    world.start()
    b.bad.reads = reads
    b.bad.writes = writes
    for (_ <- 0 until steps) world.step()
    b.bad.reads = 0
    b.bad.writes = 0
    b.bad.refuses = _ => false
    // The ring tries again after a while.
    b.rest(600)
    world.walk()
    world.audit()
    b.settle()
    world.memoryHolds()
    world
  }

  for ((reads, writes) <- Seq((0.0, 0.0), (0.1, 0.0), (0.0, 0.3), (0.5, 0.5)))
    test(s"memory fails under reads at $reads, under writes at $writes: no frame is in two places")(
      withSmall(s"fails $reads $writes", Timing(3, jitter = true), 4) { b =>
        val ended = (0 until 4).map(_ => world(b, reads, writes, 500).ended)
        val failed = ended.flatMap(_.toSeq).filter(_._1.endsWith("FAILED")).map(_._2).sum
        assert((failed > 0) == (reads + writes > 0), "what memory gives or takes too late is answered as failed")
        assert((b.counts("memoryError") > 0) == (reads + writes > 0))
      }
    )

  test("a ring whose memory takes nothing refuses what would lose a frame, and goes on when memory does")(
    withSmall("stuck", Timing(2, jitter = false), 5) { b =>
      b.reset()
      val world = new LeafWorld(b)
      world.start()
      b.bad.refuses = line => line >= 0x400 && line < 0x410
      for (_ <- 0 until 1500) world.step()
      assert(b.stuck)
      b.bad.refuses = _ => false
      for (_ <- 0 until 300) world.step()
      b.rest(600)
      assert(!b.stuck)
      world.audit()
    }
  )

  test("a line of the ring that memory does not give is lost, counted, and nobody gets its frames")(withSmall("lost", Timing(2, jitter = false), 6) { b =>
    b.reset()
    val world = new LeafWorld(b)
    world.start()
    b.bad.keeps = line => line >= 0x404 && line < 0x406
    for (_ <- 0 until 2000) world.step()
    b.bad.keeps = _ => false
    world.audit()
    assert(b.counts("lineLost") >= 2)
  })

  test("what the slow path may not do")(withSmall("slow path", Timing(2, jitter = false), 7) { b =>
    import LeafOperation._
    import LeafStatus._
    b.reset()
    assert(b.ask(LeafAsk(PUSH, page = 4000, pages = 1)).status == FULL)
    assert(b.ask(LeafAsk(RING, page = 1, line = 0x400)).status == DONE)
    assert(b.ask(LeafAsk(PUSH, page = 4000, pages = 17)).status == FULL)
    assert(b.ask(LeafAsk(PUSH, page = 4090, pages = 7)).status == BAD_RANGE)
    assert(b.ask(LeafAsk(PUSH, page = 0, pages = 1)).status == BAD_RANGE)
    assert(b.ask(LeafAsk(PUSH, page = 4000, pages = 16)) == LeafEnd(DONE, count = 16))
    assert(b.ask(LeafAsk(PUSH, page = 4016, pages = 1)).status == FULL)
    assert(b.ask(LeafAsk(RING, page = 1, line = 0x400)).status == TAKEN)
    for (i <- 0 until 16) assert(b.ask(LeafAsk(POP)) == LeafEnd(DONE, frame = 4000 + i))
    assert(b.ask(LeafAsk(POP)).status == RING_EMPTY)
    assert(b.ask(LeafAsk(RING, page = 3, line = 0x400)).status == DONE)
  })

  /** Runs come and frames are taken while memory is slow: the oldest comes first. */
  private def inTurn(b: LeafBench): Unit = {
    import LeafOperation._
    val queue = scala.collection.mutable.Queue[Int]()
    assert(b.ask(LeafAsk(RING, page = 31, line = 0x400)).status == LeafStatus.DONE)
    var next = LeafBench.firstFrame
    for (_ <- 0 until 12) {
      val run = (1 + b.random.nextInt(40)) min (4096 - next)
      if (run > 0) assert(b.ask(LeafAsk(PUSH, page = next, pages = run)).status == LeafStatus.DONE)
      queue ++= next until next + run
      next += run
      for (_ <- 0 until b.random.nextInt(20) if queue.nonEmpty) assert(b.ask(LeafAsk(POP)) == LeafEnd(LeafStatus.DONE, frame = queue.dequeue()))
    }
    while (queue.nonEmpty) assert(b.ask(LeafAsk(POP)) == LeafEnd(LeafStatus.DONE, frame = queue.dequeue()))
    b.settle()
    assert(b.isZero(0x400 * 64, 32 * 64), "the ring's places are zeros")
  }

  for (latency <- Seq(1, 60))
    test(s"the ring is first in, first out, memory of $latency cycles")(withSmall(s"in turn $latency", Timing(latency, jitter = false), 9) { b =>
      for (_ <- 0 until 5) {
        b.reset()
        inTurn(b)
      }
    })

  for (fault <- LeafFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    smallUnit
    val found = Try(withSmall(s"planted $fault", Timing(40, jitter = true), 8) { b =>
      for (_ <- 0 until 5) {
        b.reset(Some(fault))
        inTurn(b)
      }
      for (program <- LeafPrograms.kept.take(6)) {
        b.reset(Some(fault))
        LeafPrograms.play(b, program)
        LeafPrograms.check(b, program)
      }
      for (_ <- 0 until 4) {
        b.reset(Some(fault))
        val world = new LeafWorld(b)
        world.start()
        b.bad.writes = 0.3
        for (_ <- 0 until 500) world.step()
        b.bad.writes = 0
        b.rest(600)
        world.walk()
        world.audit()
      }
    })
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    // An assertion, and nothing else.
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}
