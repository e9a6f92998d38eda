package mneme.leaf

import org.scalatest.Assertions._

import scala.collection.mutable

/** Drawn operations on a leaf unit whose memory fails: what is answered as done is done, what is not is not, and each frame is in one place.
  *
  * Memory may answer differently each time, so no model can say what is answered. This says what must hold of any answer.
  */
class LeafWorld(b: LeafBench) {
  import LeafOperation._
  import LeafStatus._
  private val random = b.random
  private val (segments, fillers, entries, frames) = (3, 4, 24, 96)
  private val first = LeafBench.firstFrame
  private val tables = 0x1000
  /** Frames of pages; of fillers, with the page; all others that were given are free, or lost with a line of the ring. */
  private val mapped = mutable.Map[(Int, Int), Int]()
  private val hidden = mutable.Map[Int, ((Int, Int), Int)]()
  /** Epochs of accesses, and the frames that were freed during each: nobody may have them before it ends. */
  private val accesses = mutable.ArrayBuffer[(Boolean, mutable.Set[Int])]()
  val ended: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)

  private def done(ask: LeafAsk): LeafEnd = {
    val end = b.ask(ask)
    assert(end.status == DONE, s"$ask")
    end
  }

  def start(): Unit = {
    done(LeafAsk(RING, page = 15, line = 0x400))
    for (segment <- 0 until segments) done(LeafAsk(CREATE, segment, pid = 7, rights = 7, page = 20, pages = entries, line = tables + 4 * segment))
    assert(done(LeafAsk(PUSH, page = first, pages = frames)).count == frames)
  }

  private def isFree(frame: Int): Unit = {
    assert(frame >= first && frame < first + frames, s"$frame was never given")
    assert(!mapped.values.exists(_ == frame) && !hidden.values.exists(_._2 == frame), s"$frame is in use")
    assert(!accesses.exists(_._2(frame)), s"$frame is still accessed")
  }
  private def freed(frame: Int): Unit = accesses.foreach(_._2 += frame)

  def step(): Unit = {
    val page = (random.nextInt(segments), random.nextInt(entries))
    val filler = random.nextInt(fillers)
    random.nextInt(12) match {
      case 0 | 1 | 2 => look(page)
      case 3 | 4 | 5 | 6 => store(page, filler)
      case 7 | 8 => publish(filler)
      case 9 => giveUp(filler)
      case 10 => free(page)
      case 11 if accesses.nonEmpty => b.end(accesses.remove(random.nextInt(accesses.size))._1)
      case _ =>
    }
    b.rest(3)
    assert(b.usable + b.waiting + mapped.size + hidden.size <= b.total)
  }

  private def note(ask: LeafAsk, end: LeafEnd): Unit = ended(s"${ask.operation.getName()} ${end.status.getName()}") += 1

  private def look(page: (Int, Int)): Unit = {
    val ask = LeafAsk(LOOK, page._1, pid = 7, rights = 1, page = page._2, begins = random.nextBoolean())
    val (end, epoch) = b.askBegin(ask)
    note(ask, end)
    end.status match {
      case FAILED =>
      case UNMAPPED => assert(!mapped.contains(page), s"$ask")
      case DONE =>
        assert(mapped.get(page).contains(end.frame), s"$ask")
        if (ask.begins) accesses += ((epoch, mutable.Set.empty))
      case _ => fail(s"$ask: $end")
    }
  }

  private def store(page: (Int, Int), filler: Int): Unit = {
    val (begins, whole) = (random.nextInt(3) > 0, random.nextInt(3) > 0)
    val ask = LeafAsk(STORE, page._1, pid = 7, rights = 2, page = page._2, first = begins, whole = whole, filler = filler)
    val end = b.ask(ask)
    note(ask, end)
    val own = hidden.get(filler).filter(_._1 == page && !begins)
    end.status match {
      case FAILED =>
      case DONE if own.nonEmpty => assert(end.hidden && end.frame == own.get._2, s"$ask")
      case DONE if mapped.contains(page) => assert(!end.hidden && end.frame == mapped(page), s"$ask")
      case DONE =>
        isFree(end.frame)
        assert(end.hidden == (begins && whole), s"$ask")
        if (end.hidden) {
          hidden.get(filler).foreach(old => freed(old._2))
          hidden(filler) = (page, end.frame)
        } else {
          assert(b.isZero(end.frame << 12, 4096), s"$ask")
          b.soil(end.frame)
          mapped(page) = end.frame
        }
      case RING_EMPTY | BUDGET_SPENT => assert(own.isEmpty && !mapped.contains(page), s"$ask")
      case _ => fail(s"$ask: $end")
    }
    if (end.status == BUDGET_SPENT) assert(mapped.keys.count(_._1 == page._1) + hidden.values.count(_._1._1 == page._1) == 20, s"$ask")
  }

  private def publish(filler: Int): Unit = {
    val ask = LeafAsk(PUBLISH, filler = filler)
    val end = b.ask(ask)
    note(ask, end)
    end.status match {
      case NOTHING => assert(!hidden.contains(filler))
      case DONE =>
        val (page, frame) = hidden.remove(filler).get
        mapped.get(page).foreach(freed)
        mapped(page) = frame
      case _ => assert(end.status == FAILED, s"$ask")
    }
  }

  private def giveUp(filler: Int): Unit = {
    val ask = LeafAsk(GIVE_UP, filler = filler)
    val end = b.ask(ask)
    note(ask, end)
    end.status match {
      case NOTHING => assert(!hidden.contains(filler))
      case DONE => freed(hidden.remove(filler).get._2)
      case _ => assert(end.status == FAILED, s"$ask")
    }
  }

  private def free(page: (Int, Int)): Unit = {
    val pages = 1 + random.nextInt(entries - page._2)
    val ask = LeafAsk(FREE, page._1, pid = 7, rights = 2, page = page._2, pages = pages)
    val end = b.ask(ask)
    note(ask, end)
    // Those before the failure are free.
    val had = (page._2 until page._2 + pages).map(page._1 -> _).filter(mapped.contains)
    assert(end.status == DONE || end.status == FAILED, s"$ask")
    assert(if (end.status == DONE) end.count == had.size else end.count <= had.size, s"$ask")
    for (page <- had.take(end.count)) freed(mapped.remove(page).get)
  }

  /** Memory is sound again: every frame is found, once, but for those of lines that were lost. */
  def audit(): Unit = {
    accesses.foreach(access => b.end(access._1))
    accesses.clear()
    b.rest(400)
    for (((segment, page), frame) <- mapped) {
      val end = b.ask(LeafAsk(LOOK, segment, pid = 7, rights = 1, page = page))
      assert(end == LeafEnd(DONE, frame), s"page $page of segment $segment")
    }
    val free = mutable.ArrayBuffer[Int]()
    var end = b.ask(LeafAsk(POP))
    while (end.status == DONE) {
      isFree(end.frame)
      assert(!free.contains(end.frame), s"${end.frame} came twice")
      free += end.frame
      end = b.ask(LeafAsk(POP))
    }
    assert(end.status == RING_EMPTY && b.usable == 0 && b.waiting == 0)
    assert(free.size + mapped.size + hidden.size + 8 * b.counts("lineLost") == frames)
    for (segment <- 0 until segments) {
      val used = mapped.keys.count(_._1 == segment) + hidden.values.count(_._1._1 == segment)
      assert(done(LeafAsk(USED, segment)).count == used)
    }
  }

  /** Whatever memory has refused before is in it in the end, once it takes writes and the places are needed. */
  def memoryHolds(): Unit = for (segment <- 0 until segments; page <- 0 until entries) {
    val want = mapped.getOrElse((segment, page), 0).toLong << 12
    assert(b.entry((tables + 4 * segment) * 64 + 8 * page) == want, s"page $page of segment $segment")
  }

  /** Loads of all lines, so that each is needed and written. */
  def walk(): Unit = for (_ <- 0 until 2; segment <- 0 until segments; page <- 0 until entries by 8)
    assert(b.ask(LeafAsk(LOOK, segment, pid = 7, rights = 1, page = page)).status != FAILED)
}
