package mneme.leaf

import mneme.engine.Operation
import mneme.mem.Timing
import mneme.wire.Wire.{Cause, LeafOrder, LeafRegister, LeafResult, Status}
import mneme.{CBoardConfig, Simulation}
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

import scala.collection.mutable
import scala.util.{Failure, Try}

/** Accesses to split pages beside others, against a model of segments: how each ends, of which frames it is, and that every frame is found at the end. */
class SplitAccessTest extends AnyFunSuite {
  private val c =
    CBoardConfig.tiny.copy(name = "leaf", pageBits = 20, memBits = 26, filterSetsLog2 = 6, filterWays = 4, packetSlots = 16, doors = 2, rdma = 16, leaf = true)
  private val l = LeafConfig(c, segments = 8, fillers = 8, lines = 4, ahead = 2)
  private lazy val compiled = Simulation.config.compile(SplitWhole(l))
  private def bench[T](name: String, seed: Int, timing: Timing, faults: Set[SplitFault.Value] = Set.empty)(body: SplitBench => Unit): Unit =
    compiled.doSim(name, seed)(dut => body(new SplitBench(dut, l, timing, seed, faults)))

  private class Segment(val number: Int, val pid: Int, val tables: Seq[Int]) {
    var (rights, budget, used) = (7, 0, 0)
    /** Frames of its pages; 0: not seen yet. */
    val frames = mutable.Map[Int, Int]()
  }
  private val rightOf =
    Map[Operation.E, Int](Operation.read -> 1, Operation.write -> 2, Operation.fetchAdd -> 4, Operation.swap -> 4, Operation.compareSwap -> 4)

  /** What must become of tokens. Those to split pages are looked up in the order of their arrival. */
  private class World(b: SplitBench) {
    import b._
    val segments = Seq(new Segment(1, 7, Seq(5, 6)), new Segment(2, 8, Seq(64 + 7)))
    /** The first is nobody's any more, the second was never anybody's. */
    private val strays = Seq(9, 10)
    var (total, free, faults, dry, zeroReads) = (0, 0, 0, 0, 0)
    private var pages = Set[Int]()

    def start(): Unit = {
      for (s <- segments) {
        s.budget = 8 + random.nextInt(40)
        create(s.number, s.pid, s.rights, s.budget, s.tables: _*)
      }
      order(LeafOrder.MAP, LeafRegister.LEAF_TABLE -> strays.head, LeafRegister.LEAF_SEGMENT -> 1, LeafRegister.LEAF_PAGE -> 0)
      order(LeafOrder.UNMAP)
      push(2 + random.nextInt(30))
    }
    def push(frames: Int): Unit = {
      val first = SplitBench.firstFrame + total
      assert(order(LeafOrder.PUSH, LeafRegister.LEAF_PAGE -> first, LeafRegister.LEAF_PAGES -> frames) == LeafResult.DONE)
      total += frames
      free += frames
    }
    def setRights(): Unit = {
      val s = segments(random.nextInt(2))
      s.rights = if (random.nextBoolean()) 7 else random.nextInt(8)
      order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> s.number, LeafRegister.LEAF_RIGHTS -> s.rights)
    }

    private def refused(status: Int, cause: Int, epoch: Boolean) = (Operation.nothing: Operation.E, status, cause, false, epoch)
    /** Operation, status, cause, zeros, whether it has begun. */
    private def expect(t: SplitToken): (Operation.E, Int, Int, Boolean, Boolean) = {
      val owner = segments.find(s => t.table.exists(s.tables.contains(_)) && s.pid == t.pid)
      owner.fold(refused(Status.MEMERR, Cause.PARITY, epoch = false)) { s =>
        val has = pagesOf(s, t).map(s.frames.contains)
        val missing = has.count(!_)
        if ((s.rights & rightOf(t.operation)) == 0) refused(Status.DENIED, Cause.RIGHTS, epoch = false)
        else if (missing == 0) (t.operation, Status.OK, 0, false, true)
        else if (t.operation == Operation.read) {
          if (missing == has.size) { zeroReads += 1; (Operation.nothing, Status.OK, 0, true, false) }
          else (t.operation, Status.OK, 0, false, true)
        } else if (s.used + missing > s.budget) { dry += 1; refused(Status.QUOTA, Cause.QUOTA_PAGES, has.contains(true)) }
        else if (free < missing) { dry += 1; refused(Status.BUSY, Cause.FAULT, has.contains(true)) }
        else {
          s.used += missing
          free -= missing
          faults += missing
          for (page <- pagesOf(s, t) if !s.frames.contains(page)) s.frames(page) = 0
          (t.operation, Status.OK, 0, false, true)
        }
      }
    }
    private def pagesOf(s: Segment, t: SplitToken): Seq[Int] = {
      val first = 256 * s.tables.indexOf(t.table.get) + (t.offset >> 12)
      if ((t.offset & 4095) + t.length > 4096) Seq(first, first + 1) else Seq(first)
    }

    /** The frame is the page's: as before, or one that is no other page's. */
    private def learn(s: Segment, page: Int, frame: Int, what: => String): Unit =
      s.frames.get(page) match {
        case None => assert(frame == SplitBench.zeros, s"$what: page $page has no frame")
        case Some(0) =>
          assert(frame >= SplitBench.firstFrame && frame < SplitBench.firstFrame + total && !pages(frame), s"$what: frame $frame of page $page")
          pages += frame
          s.frames(page) = frame
        case Some(before) => assert(frame == before, s"$what: page $page")
      }

    private def token(place: Int): SplitToken = {
      val operation = Seq(Operation.read, Operation.read, Operation.write, Operation.write, Operation.fetchAdd)(random.nextInt(5))
      val atomic = operation == Operation.fetchAdd
      val order = random.nextInt(16)
      random.nextInt(16) match {
        case 0 => SplitToken(place, Operation.nothing, order, fence = true)
        case 1 => SplitToken(place, Operation.nothing, order)
        case 2 | 3 | 4 => SplitToken(place, operation, order, offset = 8 * random.nextInt(1000), length = 8)
        case kind =>
          val s = segments(random.nextInt(2))
          val table = if (kind == 5) strays(random.nextInt(2)) else s.tables(random.nextInt(s.tables.size))
          val pid = if (kind == 6) 99 else if (kind == 5) 7 else s.pid
          val page = if (random.nextBoolean()) random.nextInt(4) else random.nextInt(30)
          val length = if (atomic) 8 else 1 + random.nextInt(if (random.nextBoolean()) 1450 else 64)
          // Often up to the page's end, and across it.
          val at = random.nextInt(4) match {
            case 0 => 4096 - length
            case 1 if !atomic => 4096 - length / 2
            case _ => random.nextInt(4096 - length) & ~7
          }
          SplitToken(place, operation, (table * 7 + pid) & 15, table = Some(table), pid = pid, offset = 4096 * page + at, length = length)
      }
    }

    /** As many tokens as there may be at a time. */
    def round(): Unit = {
      val tokens = random.shuffle((0 until c.places).toList).take(1 + random.nextInt(c.places)).map(token)
      tokens.foreach(send)
      drain()
      val ends = Iterator.continually(ended).takeWhile(_.nonEmpty).map(_.dequeue()).toMap
      for (t <- tokens) {
        val end = ends(t)
        val what = s"$t: $end"
        if (t.table.isEmpty) assert(end == SplitEnd(t.operation, Status.OK, 0, zeros = false, (3 * 256 + (t.offset >> 12), end.frames._2), 0), what)
        else {
          val (operation, status, cause, zeros, begun) = expect(t)
          assert((end.operation, end.status, end.cause, end.zeros) == ((operation, status, cause, zeros)), what)
          if (operation != Operation.nothing) {
            val s = segments.find(_.tables.contains(t.table.get)).get
            val frames = Seq(end.frames._1, end.frames._2)
            for ((page, frame) <- pagesOf(s, t).zip(frames)) learn(s, page, frame, what)
          }
          assert((end.epoch != 0) == begun, what)
        }
      }
      rest()
      check()
    }
    def check(): Unit = {
      assert((pageFaults, faultsDry, b.zeroReads) == ((faults, dry, zeroReads)))
      for (s <- segments) assert(used(s.number) == s.used)
      // No access holds a frame back.
      assert((read(LeafRegister.LEAF_USABLE), read(LeafRegister.LEAF_WAITING)) == ((free, 0)))
    }
    /** All frames of a segment go back, as an access to it goes on. */
    def end(s: Segment): Unit = {
      val some = s.frames.keys.find(_ < 256)
      holds = true
      s.rights = 7
      order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> s.number, LeafRegister.LEAF_RIGHTS -> 7)
      for (page <- some) send(SplitToken(0, Operation.read, 3, table = Some(s.tables.head), pid = s.pid, offset = 4096 * page, length = 64))
      drain()
      ended.clear()
      assert(order(LeafOrder.CLOSE, LeafRegister.LEAF_SEGMENT -> s.number) == LeafResult.DONE)
      assert(order(LeafOrder.SWEEP, LeafRegister.LEAF_SEGMENT -> s.number, LeafRegister.LEAF_PAGES -> 256 * s.tables.size) == LeafResult.DONE && count == 0)
      cycles(40)
      if (some.isDefined)
        assert(read(LeafRegister.LEAF_USABLE) == free && read(LeafRegister.LEAF_WAITING) == s.used, "a frame may be taken though an access goes on")
      holds = false
      rest()
      free += s.used
      for (frame <- s.frames.values) pages -= frame
      s.frames.clear()
      s.used = 0
      create(s.number, s.pid, 7, s.budget, s.tables: _*)
      check()
    }
  }

  private def play(b: SplitBench, rounds: Int): Unit = {
    val world = new World(b)
    world.start()
    for (round <- 1 to rounds) {
      world.round()
      b.random.nextInt(6) match {
        case 0 => world.setRights()
        case 1 if world.total < 200 => world.push(1 + b.random.nextInt(4))
        case 2 => world.end(world.segments(b.random.nextInt(2)))
        case _ =>
      }
    }
    for (s <- world.segments) world.end(s)
    assert(world.free == world.total)
  }

  for ((timing, seed) <- Seq(Timing(1, jitter = false), Timing(5, jitter = true), Timing(40, jitter = true)).zip(Stream.from(1)))
    test(s"accesses end as the model's, memory of ${timing.latency} cycles${if (timing.jitter) ", stalls" else ""}")(
      bench(s"split$seed", seed, timing)(play(_, rounds = 150))
    )

  for (
    (what, offset, most) <- Seq(("of one frame", 0, 10.0), ("across two frames", 4096 - 32, 16.0));
    (name, operation) <- Seq[(String, Operation.E)]("reads" -> Operation.read, "writes" -> Operation.write)
  )
    test(s"$name $what in a row: at most $most cycles each") {
      bench(s"rate$name$offset", 1, Timing(1, jitter = false)) { b =>
        b.create(1, 7, 7, 100, 5)
        assert(b.order(LeafOrder.PUSH, LeafRegister.LEAF_PAGE -> SplitBench.firstFrame, LeafRegister.LEAF_PAGES -> 20) == LeafResult.DONE)
        def all(operation: Operation.E): Unit =
          for (i <- 0 until c.places) b.send(SplitToken(i, operation, 5, table = Some(5), pid = 7, offset = 4096 * (i % 7) + offset, length = 64))
        all(Operation.write)
        b.rest()
        b.ended.clear()
        all(operation)
        while (b.ended.isEmpty) b.cycles(1)
        val first = b.leftAt
        b.drain()
        val cycles = (b.leftAt - first) / (c.places - 1).toDouble
        info(f"$cycles%.2f cycles")
        assert(cycles <= most && b.ended.forall { case (_, end) => end.status == Status.OK && !end.zeros })
      }
    }

  for (fault <- SplitFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    compiled
    val found = Try(for (seed <- 1 to 4) bench(s"planted$fault$seed", seed, Timing(5, jitter = true), Set(fault))(play(_, rounds = 40)))
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}
