package mneme.chain

import mneme.leaf.LeafOperation
import mneme.wire.Wire.RoceCounter
import org.scalatest.Assertions._

import scala.collection.mutable
import scala.util.Random

/** Stores that pause amid their pages, whose pages are given up or replaced meanwhile. A model says what is in every page, how every queue pair is answered,
  * and how many frames are free: none waits for a store that pauses.
  */
class PausingStores(b: ArrivalBench, random: Random) {
  import ChainResponderTest.{packets, settings}
  private case class Run(parts: Seq[Packet], page: Int, hidden: Option[Array[Byte]], var done: Int = 0, var gone: Boolean = false)
  private val total = 6
  private val pages = mutable.Map[Int, Array[Byte]]()
  private val runs = mutable.Map[Int, Run]()
  private val (numbers, messages) = (mutable.Map[Int, Int]().withDefaultValue(0), mutable.Map[Int, Int]().withDefaultValue(0))
  /** What happened to stores that paused: denied, their bytes went nowhere, into another frame. */
  var (denied, nowhere, moved) = (0, 0, 0)
  private val frames = mutable.Map[Int, Int]()

  b.command(LeafOperation.PUSH, 0, 0x100, pages = total)
  b.command(LeafOperation.CREATE, 0, 8, pages = 16, line = 0x1000, pid = 7)
  for (place <- 1 to 4) b.create(settings(place, if (place == 4) 2 else place))

  private def send(packets: Seq[Packet]): Seq[SentAnswer] = {
    b.sent.clear()
    packets.foreach(b.give)
    b.settle()
    b.sent.toSeq
  }
  private def begin(place: Int): Unit = {
    val page = random.nextInt(2)
    if ((place != 1 || pages.contains(page)) && messages(place) < 30) {
      val hidden = if (pages.contains(page)) None else Some(new Array[Byte](4096))
      runs(place) = Run(packets(place, page, numbers(place)), page, hidden)
      messages(place) += 1
    }
  }
  private def free(): Unit = {
    val page = random.nextInt(2)
    assert(send(packets(3, page, numbers(3))) == Seq(SentAnswer(3, 0x11, numbers(3), 0x1f, numbers(3) + 1)))
    numbers(3) += 1
    pages -= page
  }
  /** The queue pair is made anew: its messages and its packets count from 0. */
  private def renew(place: Int): Unit = {
    assert(b.destroy(0x100 + place) == ChainResult.DONE && b.create(settings(place, if (place == 4) 2 else place)) == ChainResult.DONE)
    for (map <- Seq(numbers, messages)) map(place) = 0
    runs -= place
  }
  private def goOn(place: Int, run: Run): Unit = {
    val some = run.parts.slice(run.done, run.done + 1 + random.nextInt(5))
    val first = numbers(place)
    val answers = send(some)
    val ends = run.done + some.size == run.parts.size
    if (run.hidden.isEmpty && !run.gone && !pages.contains(run.page)) {
      if (place == 1) {
        denied += 1
        assert(answers == Seq(SentAnswer(1, 0x11, first, 0x62, messages(1) - 1)) && b.query(0x101)._4)
        return renew(1)
      }
      nowhere += 1
      run.gone = true
    }
    if (run.done > 0 && run.hidden.isEmpty && !run.gone && frames(place) != frame(run.page)) moved += 1
    for (to <- if (run.gone) None else run.hidden.orElse(pages.get(run.page))) {
      val before = 1024 * run.done - 64
      val bytes = some.flatMap(_.payload)
      bytes.drop(if (run.done == 0) 64 else 0).copyToArray(to, before max 0)
    }
    numbers(place) += some.size
    run.done += some.size
    assert(answers == (if (ends) Seq(SentAnswer(place, 0x11, numbers(place) - 1, 0x1f, messages(place))) else Nil))
    if (ends) {
      for (page <- run.hidden) pages(run.page) = page
      runs -= place
    } else for (page <- pages.get(run.page)) frames(place) = frame(run.page)
  }
  private def look(page: Int) = b.command(LeafOperation.LOOK, 0, page, pid = 7, rights = 0)
  private def frame(page: Int): Int = look(page)._2

  private def compare(): Unit = {
    for (page <- 0 until 2) {
      val (status, frame) = look(page)
      assert((status == "DONE") == pages.contains(page))
      for (bytes <- pages.get(page)) assert(b.frames.frames(frame).sameElements(bytes), s"page $page")
    }
    assert(b.free() == ((total - pages.size - runs.values.count(_.hidden.isDefined), 0)))
  }
  def step(): Unit = {
    val place = 1 + random.nextInt(4)
    if (place == 3) free()
    else if (random.nextInt(20) == 0) renew(place)
    else {
      if (!runs.contains(place)) begin(place)
      runs.get(place).foreach(goOn(place, _))
    }
    compare()
  }
  def end(): Unit = assert(b.counts(RoceCounter.MEMORY_DENIED) == denied)
}
