package mneme.chain

import mneme.leaf.{LeafConfig, LeafOperation}
import mneme.wire.Wire
import mneme.wire.Wire.RoceCounter
import mneme.{CBoardConfig, Simulation}
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

import scala.util.{Failure, Random, Try}

/** Packets of chain queue pairs against the golden model's programs: answers, replies, pages, tables and counters. */
class ChainResponderTest extends AnyFunSuite {
  import ChainResponderTest._
  private val k = ChainConfig(LeafConfig(CBoardConfig.sim, segments = 8, fillers = 8, lines = 4, ahead = 2), pairs = 8)
  private val slots = 8
  private lazy val compiled = Simulation.config.compile(ChainSide(k, slots, plantable = true))

  private def bench(name: String, seed: Int)(run: (ArrivalBench, Random) => Unit): Unit =
    compiled.doSim(name.map(c => if (c.isLetterOrDigit) c else '_'), seed) { dut =>
      val random = new Random(seed)
      val b = new ArrivalBench(dut, k, slots, random)
      b.start()
      run(b, random)
    }

  for (stalls <- Seq(false, true); hasty <- Seq(false, true))
    test(s"the golden model's programs, stalls $stalls, back to back $hasty")(bench(s"programs $stalls $hasty", 1) { (b, _) =>
      for (program <- ArrivalPrograms.kept) {
        b.reset(stalls)
        ArrivalPrograms.play(b, k, program, hasty)
      }
    })

  test("the golden model's programs after resets amid others")(bench("resets", 2) { (b, random) =>
    for (program <- ArrivalPrograms.kept) {
      b.reset()
      ArrivalPrograms.play(b, k, program, hasty = true, until = 20 + random.nextInt(300))
      b.reset()
      ArrivalPrograms.play(b, k, program)
    }
  })

  // --- What no program has: memory that fails, segments and replies that end, commands, departures that nobody takes.
  /** Four frames and a segment of 16 pages; queue pairs 0 to 3 of the four functions, 4 an unmapped store's. */
  private def prepare(b: ArrivalBench, code: Int = 3, hardened: Boolean = false): Unit = {
    b.command(LeafOperation.PUSH, 0, 0x100, pages = 4)
    assert(b.command(LeafOperation.CREATE, 0, 8, pages = 16, line = 0x1000, pid = 7)._1 == "DONE")
    for (place <- 0 to 4) assert(b.create(settings(place, if (place == 4) 2 else place, code, hardened)) == ChainResult.DONE)
  }
  private def send(b: ArrivalBench, packets: Seq[Packet]): Seq[SentAnswer] = {
    b.sent.clear()
    for (packet <- packets) b.give(packet)
    b.settle()
    b.sent.toSeq
  }
  private def look(b: ArrivalBench, page: Int) = b.command(LeafOperation.LOOK, 0, page, pid = 7, rights = 0)

  private def memoryFails(b: ArrivalBench, hardened: Boolean): Unit = {
    prepare(b, hardened = hardened)
    assert(send(b, packets(2, 5, 0)) == Seq(SentAnswer(2, 0x11, 4, 0x1f, 1)))
    val frame = look(b, 5)._2
    for ((place, psn) <- Seq(2 -> 5, 4 -> 0, 1 -> 0)) {
      b.frames.breaks ++= 0x100 to 0x103
      val parts = packets(place, if (place == 1) 5 else 6, psn)
      assert(send(b, parts.take(2)) == Nil)
      if (place != 2) b.frames.breaks.clear()
      assert(send(b, parts.drop(2)) == Seq(SentAnswer(place, 0x11, psn + 4, 0x63, if (place == 2) 1 else 0)))
      assert(b.query(0x100 + place)._4 && b.free() == ((3, 0)) && look(b, 5) == (("DONE", frame)) && look(b, 6)._1 == "UNMAPPED")
    }
    assert(b.counts(RoceCounter.MEMORY_FAILED) == 3 && b.counts(RoceCounter.HARDENED) == 0 && b.events("abandoned") == 0)
  }
  for (hardened <- Seq(false, true))
    test(s"memory that fails under a packet of a page ends the queue pair at the last one, hardened $hardened")(bench(s"fails $hardened", 3)((b, _) =>
      memoryFails(b, hardened)
    ))

  private def memoryIsSlow(b: ArrivalBench): Unit = {
    prepare(b)
    b.frames.before = 300
    for (packet <- packets(2, 5, 0)) b.give(packet)
    b.until(5000, "the store has no reply")(b.posted(2).nonEmpty)
    assert(b.frames.isIdle && look(b, 5)._1 == "DONE")
    b.frames.before = 0
    b.settle()
  }
  test("a store is done when memory has all of it")(bench("slow", 10)((b, _) => memoryIsSlow(b)))

  private def repliesEnd(b: ArrivalBench): Unit = {
    prepare(b, code = 1)
    send(b, packets(2, 5, 0, code = 1))
    // Of the page some packets have left, others may: its access goes on.
    b.keepsReplies = true
    for (place <- Seq(0, 3)) {
      for (packet <- packets(place, 5, 0, code = 1)) b.give(packet)
      b.rest(400)
    }
    assert(b.free() == ((3, 1)))
    b.give(packets(0, 5, 1, code = 1).head.copy(opcode = 0xc))
    b.rest(400)
    val before = b.replied
    b.keepsReplies = false
    b.settle()
    assert(b.free() == ((4, 0)) && b.sent.contains(SentAnswer(0, 0x11, 1, 0x61, 1)))
    // An invalidate has no reply here.
    assert(b.replied - before < 4, "the queue pair's replies go on")
  }
  test("the replies of a queue pair that ends are no more")(bench("ends", 11)((b, _) => repliesEnd(b)))

  test("a segment that ends amid a store, whose queue pair ends at the page's last byte")(bench("segment", 4) { (b, _) =>
    prepare(b)
    val parts = packets(2, 5, 0)
    send(b, parts.init)
    assert(b.command(LeafOperation.CLOSE, 0, 0)._1 == "DONE")
    assert(send(b, parts.takeRight(1)) == Seq(SentAnswer(2, 0x11, 4, 0x62, 0)) && b.free() == ((4, 0)))
    assert(b.query(0x102)._4 && b.counts(RoceCounter.MEMORY_DENIED) == 1 && b.posted(2).isEmpty)
  })

  for (stays <- Seq(false, true))
    test(s"a command waits for bytes on their way to memory, and gives the frame back, stays $stays")(bench(s"commands $stays", 5) { (b, _) =>
      prepare(b)
      b.frames.before = 500
      for (place <- Seq(2, 1)) {
        if (place == 1) {
          b.frames.before = 0
          send(b, packets(4, 5, 0))
          b.frames.before = 500
        }
        for (packet <- packets(place, 5, 0).take(2)) b.give(packet)
        b.rest(100)
        assert(!b.frames.isIdle)
        assert(b.destroy(0x100 + place, stays) == ChainResult.DONE && b.frames.isIdle)
        b.settle()
        val free = b.free()
        assert(free == ((if (place == 2) 4 else 3, 0)))
      }
      assert(b.events("abandoned") == 2)
      val (result, expected, _, error, running) = b.query(0x102)
      assert(if (stays) (result, expected, error, running) == ((ChainResult.DONE, 2, true, false)) else result == ChainResult.UNKNOWN)
      b.frames.before = 0
      if (stays) assert(send(b, packets(2, 7, 2)) == Nil && b.counts(RoceCounter.QUEUE_PAIR_IN_ERROR) == 5 && b.destroy(0x102) == ChainResult.DONE)
      assert(b.create(settings(2, 2)) == ChainResult.DONE && send(b, packets(2, 7, 0)) == Seq(SentAnswer(2, 0x11, 4, 0x1f, 1)))
    })

  test("replies that a peer refuses end the queue pair, amid a store too")(bench("replies", 6) { (b, _) =>
    prepare(b)
    send(b, packets(2, 5, 0))
    send(b, packets(2, 6, 5).take(3))
    def answer(place: Int, syndrome: Long) = Packet(0x100 + place, 0x0a010200 + place, 0x11, 0, asks = false, immediate = syndrome << 24)
    assert(send(b, Seq(answer(2, 0x62))) == Nil && b.query(0x102)._4 && b.free() == ((3, 0)))
    assert(b.events("abandoned") == 1 && b.events("repliesFailed") == 1)
    // Who is in error has no replies.
    assert(send(b, packets(2, 6, 8) :+ answer(2, 0x1f)) == Nil && b.counts(RoceCounter.QUEUE_PAIR_IN_ERROR) == 5 && b.counts(RoceCounter.RESPONSES) == 1)
    // Answers to READs and atomics are not those of a chain's peer; nor is one that was cut off.
    send(b, Seq(0xd, 0x10, 0x12).map(opcode => Packet(0x100, 0x0a010200, opcode, 0)) :+ answer(0, 0x1f).copy(malformed = true))
    assert(b.counts(RoceCounter.RESPONSES) == 4 && b.events("answerMalformed") == 1)
  })

  test("departures that nobody takes are replaced by what tells more, and nothing is lost")(bench("departures", 7) { (b, _) =>
    prepare(b)
    send(b, packets(2, 5, 0))
    b.keepsDepartures = true
    b.sent.clear()
    for (psn <- 0 until 20) b.give(packets(0, 5, psn).head)
    // Another one is refused meanwhile, and one is told of a gap, and then of what came behind it.
    for (packet <- Seq(packets(1, 9, 0).head, packets(3, 9, 1).head)) b.give(packet)
    b.rest(3000)
    assert(b.posted(0).size == 20 && b.query(0x100)._3 == 20)
    b.keepsDepartures = false
    b.settle()
    assert(b.sent.last.psn <= 19 && b.sent.filter(_.pair == 0).last == SentAnswer(0, 0x11, 19, 0x1f, 20) && b.sent.size < 20)
    assert(b.sent.filter(_.pair == 1) == Seq(SentAnswer(1, 0x11, 0, 0x62, 0)) && b.sent.filter(_.pair == 3) == Seq(SentAnswer(3, 0x11, 0, 0x60, 0)))
  })

  test("a queue pair is refused that could not be served")(bench("refused", 8) { (b, _) =>
    prepare(b)
    import ChainResult._
    val s = settings(5, 2)
    assert(b.create(settings(0, 0)) == TAKEN && b.create(s.copy(qpn = 0x205)) == DONE && b.create(s) == TAKEN && b.destroy(0x105) == UNKNOWN)
    assert(b.destroy(0x205) == DONE && b.query(0x205)._1 == UNKNOWN && b.create(s.copy(code = 0)) == PATH_MTU && b.create(s.copy(code = 6)) == PATH_MTU)
    for (
      (rate, result) <-
        Seq(1L -> RATE, Wire.ROCE_RATE_LEAST - 1L -> RATE, Wire.ROCE_RATE_LINE + 1L -> RATE, 0xffffffffL -> RATE, Wire.ROCE_RATE_LEAST.toLong -> DONE)
    )
      assert(b.create(s.copy(rate = rate)) == result, s"rate $rate")
    assert(b.destroy(0x105) == DONE)
    for (qpn <- 0 to 1) {
      b.destroy(0x100 + qpn)
      assert(b.create(settings(qpn, 0).copy(qpn = qpn)) == NUMBER)
    }
    def ends(end: Int, code: Int, function: Int, length: Int) =
      b.create(settings(5, function, code).copy(rows = Seq((7, 1), (end, 5)), length = length)) match {
        case DONE => b.destroy(0x105) == DONE
        case PROFILE => false
      }
    assert(ends(255, 1, 2, 4352) && !ends(256, 1, 2, 4353) && ends(256, 2, 2, 4353) && ends(4095, 5, 1, 8192) && !ends(4096, 5, 1, 8192))
    assert(ends(11, 1, 0, 256) && !ends(11, 1, 0, 257) && ends(11, 2, 3, 257) && ends(11, 5, 3, 4096) && !ends(11, 5, 3, 4097))
  })

  private def answers(place: Int, psn: Int, syndrome: Int, msn: Int) = Seq(SentAnswer(place, 0x11, psn, syndrome, msn))
  private def stored(b: ArrivalBench, frame: Int) = ArrivalPrograms.digest(b.frames.frames(frame))
  private def pauses(b: ArrivalBench): Unit = {
    prepare(b)
    for ((page, psn) <- Seq(5 -> 0, 6 -> 5)) send(b, packets(2, page, psn))
    val old = look(b, 5)._2
    val parts = packets(1, 5, 0)
    assert(send(b, parts.take(2)) == Nil && send(b, packets(3, 5, 0)) == answers(3, 0, 0x1f, 1) && b.free() == ((3, 0)))
    // Its frame is another page's, and its page has another frame. The rest goes there.
    for ((page, psn) <- Seq(7 -> 10, 5 -> 15, 8 -> 20)) send(b, packets(2, page, psn))
    def bytes(parts: Seq[Packet]) = ArrivalPrograms.digest(parts.flatMap(_.payload).drop(64).toArray)
    assert(look(b, 8)._2 == old && send(b, parts.drop(2)) == answers(1, 4, 0x1f, 1) && b.posted(1).size == 1)
    assert(stored(b, old) == bytes(packets(2, 8, 20)))
    assert(stored(b, look(b, 5)._2) == bytes(packets(2, 5, 15).take(2) ++ parts.drop(2)))
    // An unmapped store was done before its page was given up, if it found a frame.
    val late = packets(4, 7, 0)
    assert(send(b, late.take(1)) == Nil && send(b, packets(3, 7, 1)) == answers(3, 1, 0x1f, 2) && b.free() == ((1, 0)))
    assert(send(b, late.drop(1)) == answers(4, 4, 0x1f, 1) && b.posted(4).size == 1 && look(b, 7)._1 == "UNMAPPED" && b.free() == ((1, 0)))
    // A mapped one is denied.
    assert(send(b, packets(1, 6, 5).take(3)) == Nil && send(b, packets(3, 6, 2)) == answers(3, 2, 0x1f, 3) && b.free() == ((2, 0)))
    assert(send(b, packets(1, 6, 5).drop(3).take(1)) == answers(1, 8, 0x62, 1) && b.query(0x101)._4)
    assert(b.events("abandoned") == 0 && stored(b, old) == bytes(packets(2, 8, 20)))
  }
  test("a store that pauses keeps no frame from others, and never writes one that it has not any more")(bench("pauses", 12)((b, _) => pauses(b)))

  test("after a reset amid a store nobody has an access")(bench("reset amid a store", 15) { (b, _) =>
    prepare(b)
    send(b, packets(2, 5, 0))
    b.frames.before = 2000
    b.give(packets(1, 5, 0).head)
    b.rest(200)
    b.reset()
    assert(b.query(0x101)._1 == ChainResult.UNKNOWN)
    prepare(b)
    send(b, packets(2, 5, 0))
    assert(send(b, packets(3, 5, 0)) == answers(3, 0, 0x1f, 1) && b.free() == ((4, 0)))
  })

  test("packets that are done already keep no access")(bench("duplicates", 13) { (b, _) =>
    prepare(b)
    send(b, packets(2, 5, 0))
    val parts = packets(1, 5, 0)
    for (packet <- parts.take(2) ++ Seq.fill(3)(parts(1)) ++ packets(3, 5, 0) ++ Seq.fill(400)(parts(1))) b.give(packet)
    b.rest(800)
    assert(b.free(0) == ((4, 0)) && b.counts(RoceCounter.DUPLICATE_WRITES) < 400)
    b.settle()
    assert(send(b, parts.drop(2)) == answers(1, 2, 0x62, 0))
  })

  test("stores that pause anywhere, while their pages are given up and replaced")(bench("pausing", 14) { (b, random) =>
    val all = for (round <- 0 until 12) yield {
      b.reset(stalls = round % 2 == 1)
      val stores = new PausingStores(b, random)
      for (_ <- 0 until 80) stores.step()
      stores.end()
      Seq(stores.denied, stores.nowhere, stores.moved)
    }
    info(s"denied, went nowhere, went to another frame: ${all.transpose.map(_.sum).mkString(", ")}")
    assert(all.transpose.forall(_.sum > 2))
  })

  test("cycles of a load, and of a mapped store's last packet behind a pause")(bench("cycles", 9) { (b, _) =>
    prepare(b, code = 5)
    send(b, packets(2, 5, 0, code = 5))
    def next(place: Int) = packets(place, 5, b.query(0x100 + place)._2, code = 5)
    // The second of two: the page's entry is in the leaf unit then.
    for (place <- Seq(0, 0)) send(b, next(place))
    val (load, loaded) = (b.postedAt - b.offeredAt, b.sentAt - b.offeredAt)
    for (place <- Seq(1, 1)) send(b, next(place))
    val row = b.sentAt - b.offeredAt
    val parts = next(1)
    send(b, parts.init)
    send(b, parts.takeRight(1))
    val (mapped, magic) = (b.sentAt - b.offeredAt, b.postedAt - b.offeredAt)
    send(b, next(3))
    send(b, next(3))
    val frees = b.sentAt - b.offeredAt
    info(
      s"a load's reply after $load, its acknowledge after $loaded; a mapped store's that has paused after $magic and $mapped, right behind the packet before $row; an invalidate's $frees"
    )
    assert(load <= 23 && loaded <= 27 && magic <= 31 && mapped <= 35 && row <= 88 && frees <= 26)
  })

  private def tried(fault: Option[ChainArrivalFault.Value]): Try[Unit] = Try(bench(s"planted ${fault.mkString}", 6) { (b, _) =>
    for (program <- ArrivalPrograms.kept) {
      b.reset(planted = fault)
      ArrivalPrograms.play(b, k, program)
    }
    // What programs do not have.
    for (more <- Seq[ArrivalBench => Unit](memoryIsSlow, memoryFails(_, hardened = false), repliesEnd, pauses)) {
      b.reset(planted = fault)
      more(b)
    }
  })
  private lazy val passes = tried(None).get
  for (fault <- ChainArrivalFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    passes
    val found = tried(Some(fault))
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    // An assertion, and nothing else.
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}

object ChainResponderTest {
  def settings(place: Int, function: Int, code: Int = 3, hardened: Boolean = false) = {
    val stores = function == 1 || function == 2
    val rows = Seq((7, 1), (11, 5), (19, if (function == 0) 2 else 3)) ++ (if (function == 0) Nil else Seq((27, 4)))
    val length = if (stores) 64 + 4096 else 64
    PairSettings(
      0x100 + place,
      0x900 + place,
      0x0a010200 + place,
      code,
      0,
      0,
      function,
      immediate = false,
      signal = false,
      tellEmpty = false,
      0,
      hardened,
      length,
      keyed = false,
      0,
      0,
      rows
    )
  }
  def packets(place: Int, page: Int, psn: Int, code: Int = 3): Seq[Packet] = {
    val stores = place == 1 || place == 2 || place == 4
    val head = (BigInt(8 * page).toByteArray.reverse.padTo(8, 0.toByte).reverse ++ Seq.tabulate(56)(i => (i + page).toByte)).toSeq
    val message = if (stores) head ++ Seq.tabulate(4096)(i => (i * 7 + page + psn).toByte) else head
    val parts = message.grouped(128 << code).toSeq
    for ((part, i) <- parts.zipWithIndex) yield {
      val (begins, ends) = (i == 0, i + 1 == parts.size)
      val opcode = if (begins && ends) 4 else if (begins) 0 else if (ends) 2 else 1
      Packet(0x100 + place, 0x0a010200 + place, opcode, psn + i, part, asks = ends)
    }
  }
}
