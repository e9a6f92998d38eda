package mneme.chain

import mneme.Simulation
import mneme.mem.Stall
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

case class UnitMessage(pair: Int, wrong: Boolean, outside: Boolean, page: Int, buffer: BigInt, signal: BigInt, magic: BigInt, rkey: Long, room: Int)
case class UnitReply(word: Boolean, page: Int, va: BigInt, rkey: Long, immediate: Boolean, magic: BigInt)

/** Gives the unit messages, is its leaf unit and the way of its replies, and writes pages. */
class ChainUnitBench(dut: ChainUnit, k: ChainConfig, random: Random) {
  val leaf = new ChainLeaf
  val posted = mutable.ArrayBuffer[UnitReply]()
  val counts = mutable.Map[String, Int]().withDefaultValue(0)
  var now = 0L
  private var room = 0
  /** Whether a page would be sent at once, for each message anew. */
  private var quiet = false
  private var stall: Stall = _
  private var asked = Option.empty[() => Unit]
  private var told = Option.empty[(Int, ChainVerdict.E, Int)]
  private val events = dut.io.events.elements.map { case (name, event) => name -> event.asInstanceOf[spinal.core.Bool] }

  def start(): Unit = {
    dut.clockDomain.forkStimulus(10)
    reset()
  }

  def reset(stalls: Boolean = false, planted: Option[ChainFault.Value] = None): Unit = {
    stall = new Stall(random, stalls)
    dut.plantedFaults.foreach(_ #= planted.map(fault => BigInt(1) << fault.id).getOrElse(BigInt(0)))
    for (valid <- Seq(dut.io.settings.valid, dut.io.messages.valid, dut.io.pages.valid, dut.io.answer.valid)) valid #= false
    for (ready <- Seq(dut.io.told.ready, dut.io.request.ready, dut.io.posts.ready, dut.io.mayBegin)) ready #= false
    dut.clockDomain.assertReset()
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    leaf.clear()
    posted.clear()
    counts.clear()
    asked = None
    told = None
    dut.clockDomain.waitSampling()
  }

  private def step(): Unit = {
    now += 1
    for ((name, event) <- events if event.toBoolean) counts(name) += 1
    if (dut.io.ends.valid.toBoolean) {
      val epoch = if (dut.io.ends.payload.toBoolean) 1 else 0
      leaf.open(epoch) -= 1
      assert(leaf.open(epoch) >= 0, "an access of an epoch ends that has none")
    }
    if (dut.io.answer.valid.toBoolean && dut.io.answer.ready.toBoolean) dut.io.answer.valid #= false
    for (answer <- asked if stall.go()) {
      answer()
      asked = None
    }
    val r = dut.io.request
    if (r.valid.toBoolean && r.ready.toBoolean) {
      assert(dut.io.holds.toBoolean && r.first.toBoolean && r.whole.toBoolean && !r.also.toBoolean && r.pages.toInt == 1)
      val rights = (if (r.rights.read.toBoolean) 1 else 0) | (if (r.rights.write.toBoolean) 2 else 0) | (if (r.rights.atomic.toBoolean) 4 else 0)
      val begins = r.begins.toBoolean
      val (operation, segment, pid, page, filler) = (r.operation.toEnum, r.segment.toInt, r.pid.toInt, r.page.toInt, r.filler.toInt)
      asked = Some { () =>
        val epoch = random.nextInt(2)
        val (status, frame, count) = leaf.does(operation, segment, pid, rights, page, filler, if (begins) Some(epoch) else None)
        dut.io.answer.valid #= true
        dut.io.answer.status #= status
        dut.io.answer.frame #= frame
        dut.io.answer.epoch #= epoch == 1
        dut.io.answer.hidden #= true
        dut.io.answer.count #= count
      }
    }
    r.ready #= asked.isEmpty && stall.go()
    dut.io.mayBegin #= stall.go()
    if (dut.io.posts.valid.toBoolean && dut.io.posts.ready.toBoolean) post()
    dut.io.posts.ready #= stall.go()
    if (dut.io.told.valid.toBoolean && dut.io.told.ready.toBoolean) {
      assert(told.isEmpty)
      if (dut.io.told.verdict.toEnum == ChainVerdict.PAGE)
        assert(dut.io.told.open.toBoolean != leaf.filling.contains(dut.io.told.pair.toInt), "an access to a page's frame")
      told = Some((dut.io.told.pair.toInt, dut.io.told.verdict.toEnum, dut.io.told.frame.toInt))
    }
    dut.io.told.ready #= stall.go()
    // The answer is of the cycle before; nobody else has room.
    dut.io.room #= room
    dut.io.quiet #= quiet
  }

  private def post(): Unit = {
    val reply = dut.io.posts.reply
    val word = reply.word.toBoolean
    val data = reply.data.toBigInt
    assert(dut.io.posts.held.toBoolean == (!word && quiet), "an access is handed over with a page that is sent at once")
    if (!word) {
      // The access ends when the page has been sent.
      val (frame, epoch) = ((data & ((BigInt(1) << k.l.frameBits) - 1)).toInt, if (data.testBit(k.l.frameBits)) 1 else 0)
      assert(leaf.frames.values.exists(_ == frame), "a page's frame")
      if (quiet) leaf.open(epoch) -= 1
      assert(leaf.open(epoch) >= 0)
    }
    posted += UnitReply(
      word,
      reply.page.toInt,
      reply.va.toBigInt,
      reply.rkey.toLong,
      reply.immediate.toBoolean,
      if (word) RepliesBench.swapped(data) else BigInt(0)
    )
  }

  def until(most: Int, what: => String)(done: => Boolean): Unit = {
    var left = most
    Simulation.cycles(dut.clockDomain) {
      step()
      left -= 1
      val goesOn = !done
      if (left < 0 && goesOn) fail(what)
      goesOn
    }
  }

  def create(pair: Int, function: Int, immediate: Boolean, signal: Boolean, tellEmpty: Boolean, segment: Int): Unit = {
    val s = dut.io.settings
    s.pair #= pair
    s.value.function #= ChainFunction.elements(function)
    s.value.immediate #= immediate
    s.value.signal #= signal
    s.value.tellEmpty #= tellEmpty
    s.value.segment #= segment
    s.value.pid #= 7 + segment
    s.value.filler #= pair
    s.valid #= true
    until(1, "")(true)
    s.valid #= false
  }

  private def verdict(pair: Int): (ChainVerdict.E, Int) = {
    until(5000, "nothing is told")(told.isDefined)
    val (of, verdict, frame) = told.get
    told = None
    assert(of == pair)
    (verdict, frame)
  }

  /** A message up to its page. */
  def begin(m: UnitMessage): (ChainVerdict.E, Int) = {
    val to = dut.io.messages
    room = m.room
    quiet = random.nextBoolean()
    to.pair #= m.pair
    val a = to.arguments
    a.wrongKey #= m.wrong
    a.outside #= m.outside
    a.page #= m.page
    a.buffer #= m.buffer
    a.signal #= m.signal
    a.magic #= RepliesBench.swapped(m.magic)
    a.rkey #= m.rkey
    to.valid #= true
    until(5000, "a message is not taken")(to.ready.toBoolean)
    to.valid #= false
    verdict(m.pair)
  }
  def page(pair: Int, how: ChainPageEnd.E): ChainVerdict.E = tells(pair, how)._1
  /** A store that pauses goes on. */
  def again(pair: Int): (ChainVerdict.E, Int) = tells(pair, ChainPageEnd.AGAIN)
  private def tells(pair: Int, how: ChainPageEnd.E): (ChainVerdict.E, Int) = {
    dut.io.pages.pair #= pair
    dut.io.pages.how #= how
    dut.io.pages.valid #= true
    until(5000, "a page is not taken")(dut.io.pages.ready.toBoolean)
    dut.io.pages.valid #= false
    verdict(pair)
  }

  /** All of a message; a store to a page's frame may pause amid its page. */
  def message(m: UnitMessage): ChainVerdict.E = begin(m) match {
    case (ChainVerdict.PAGE, frame) =>
      assert(leaf.frames.values.exists(_ == frame) || leaf.filling.get(m.pair).exists(_._3 == frame), "a page's frame, or one that is filled")
      if (!leaf.filling.contains(m.pair)) for (_ <- 0 until random.nextInt(3)) {
        assert(page(m.pair, ChainPageEnd.PAUSED) == ChainVerdict.PAUSED && leaf.open.sum == 0, "a store that pauses keeps its access")
        assert(again(m.pair) == ((ChainVerdict.PAGE, frame)))
      }
      page(m.pair, ChainPageEnd.WRITTEN)
    case (ChainVerdict.DROP, _) => page(m.pair, ChainPageEnd.WRITTEN)
    case (verdict, _) => verdict
  }
}

object ChainUnitBench {
  val names: Seq[String] = Seq(
    "loads",
    "mappedStores",
    "unmappedStores",
    "freed",
    "freedNothing",
    "unmapped",
    "outside",
    "wrongKey",
    "right",
    "ringEmpty",
    "budgetSpent",
    "notStored",
    "repliesFull"
  )

  /** Does a program's lines (rdma/world/src/messages.rs), and compares. */
  def play(b: ChainUnitBench, lines: Seq[String], until: Int = Int.MaxValue): Unit = {
    var due = Seq[UnitReply]()
    def compare(what: String): Unit = {
      assert(b.posted.toSeq == due, what)
      b.posted.clear()
      due = Nil
    }
    for ((line, i) <- lines.take(until).zipWithIndex) {
      val words = line.split(' ')
      def big(n: Int) = BigInt(words(n), 16)
      def int(n: Int) = big(n).toInt
      def flag(n: Int) = int(n) == 1
      val what = s"${lines.head}, line $i: $line"
      words(0) match {
        case "program" =>
        case "ring" => b.leaf.free ++= 0x100 until 0x100 + int(1)
        case "segment" => b.leaf.segments(int(1)) = ChainSegment(int(2), int(3), int(4), int(5))
        case "create" => b.create(int(1), int(2), flag(3), flag(4), flag(5), int(6))
        case "m" =>
          val verdict = b.message(UnitMessage(int(1), flag(2), flag(3), int(4), big(5), big(6), big(7), big(8).toLong, int(9)))
          assert(verdict == Seq(ChainVerdict.DONE, ChainVerdict.DENIED, ChainVerdict.NOT_READY)(int(10)), what)
        case "r" => due = due :+ UnitReply(flag(1), int(2), big(3), big(4).toLong, flag(5), big(6))
        case "mapped" =>
          compare(what)
          for (segment <- 0 to 1) assert((0 until 16).filter(page => b.leaf.frames.contains((segment, page))).map(1 << _).sum == int(1 + segment), what)
          assert(b.leaf.free.size == int(3) && b.leaf.filling.isEmpty && b.leaf.open.sum == 0, what)
        case "counts" => for ((name, n) <- names.zipWithIndex) assert(b.counts(name) == int(1 + n), s"$what: $name")
        case other => fail(s"a line begins with '$other'")
      }
    }
  }
}
