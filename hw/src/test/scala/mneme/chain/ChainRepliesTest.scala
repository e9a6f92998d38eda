package mneme.chain

import mneme.Simulation
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

import scala.util.{Failure, Random, Try}

/** Replies of chains against the golden model's programs, packet by packet. */
class ChainRepliesTest extends AnyFunSuite {
  import RepliesBench.{small, whole}
  private lazy val compiled = Simulation.config.compile(ChainReplies(small, plantable = true))
  private lazy val wholeCompiled = Simulation.config.compile(ChainReplies(whole))

  private def bench(name: String, seed: Int)(run: (RepliesBench, Random) => Unit): Unit =
    compiled.doSim(name.map(c => if (c.isLetterOrDigit) c else '_'), seed) { dut =>
      val random = new Random(seed)
      val b = new RepliesBench(dut, small, random)
      b.start()
      run(b, random)
    }

  for (stalls <- Seq(false, true))
    test(s"the golden model's programs, stalls $stalls")(bench(s"programs $stalls", 1) { (b, _) =>
      for (program <- ReplyPrograms.kept) {
        b.reset(stalls, if (stalls) 40 else 0)
        RepliesBench.play(b, program)
      }
    })

  test("the golden model's programs, as many queue pairs as a board has") {
    wholeCompiled.doSim("programs", 2) { dut =>
      val b = new RepliesBench(dut, whole, new Random(2))
      b.start()
      for (program <- ReplyPrograms.kept) {
        b.reset(stalls = true, slow = 10)
        RepliesBench.play(b, program)
      }
    }
  }

  test("the golden model's programs after resets amid others")(bench("resets", 3) { (b, random) =>
    for (program <- ReplyPrograms.kept) {
      b.reset(stalls = true, slow = 10)
      RepliesBench.play(b, program, 20 + random.nextInt(100))
      val (pair, reply) = (random.nextInt(8), PostedReply(random.nextBoolean(), 3, 5, 9, 0, 0, immediate = false))
      val held = random.nextBoolean()
      if (random.nextBoolean()) b.offer(pair, reply, held) else b.post(pair, reply, held)
      b.cycle(1 + random.nextInt(3))
      b.reset()
      RepliesBench.play(b, program)
    }
  })

  for ((loss, stalls) <- Seq((0.0, true), (0.1, false), (0.3, true)))
    test(s"every reply comes once and in order though a share of $loss is lost, stalls $stalls")(bench(s"world $loss $stalls", 5) { (b, random) =>
      for (_ <- 0 until 3) {
        b.reset(stalls, if (stalls) 30 else 3)
        val world = new RepliesWorld(b, random, 8)
        world.start()
        world.loss = loss
        world.run(3000)
        val done = world.heal()
        info(s"$done replies, ${b.counts("sent")} packets, ${b.counts("again")} of them again")
        assert(done > 300 && (b.counts("again") > 0) == (loss > 0))
      }
    })

  for ((pairs, replies) <- Seq((4, 2), (2, 16)))
    test(s"every reply comes once and in order with $pairs queue pairs of $replies replies") {
      val few = small.copy(pairs = pairs, replies = replies)
      Simulation.config.compile(ChainReplies(few)).doSim("few", 9) { dut =>
        val random = new Random(9)
        val b = new RepliesBench(dut, few, random)
        b.start()
        b.reset(stalls = true, slow = 10)
        val world = new RepliesWorld(b, random, pairs, replies)
        world.start()
        world.loss = 0.1
        world.run(3000)
        info(s"${world.heal()} replies")
      }
    }

  private def peer(qpn: Int, mtu: Int, share: Int) = PeerSettings(1, 2, qpn, 3, mtu, 10, 1, 7, share)
  private def page(frame: Int) = PostedReply(word = false, 5, frame, 0, 0x1000, 77, immediate = false)
  private def word = PostedReply(word = true, 5, 0, 99, 0x1000, 77, immediate = false)

  for ((what, run) <- RepliesInterrupted.all) test(s"no access goes on for a page that may not be sent: $what")(bench(what, 10)((b, _) => run(b)))

  test("processes take turns by packet, and so do queue pairs of each")(bench("turns", 6) { (b, _) =>
    // Two queue pairs of one process, one of another; pages of 16 packets.
    for ((pair, share) <- Seq((0, 0), (1, 0), (2, 1))) b.does(Creates(pair, 0, peer(0x10 + pair, 0, share)))
    for (pair <- 0 to 2) b.post(pair, page(9), held = true)
    b.settle()
    val order = b.sent.map(_.pair).slice(6, 30)
    assert(b.sent.size == 48 && order.count(_ == 2) >= 10 && order.count(_ == 0) >= 5 && order.count(_ == 1) >= 5, order)
  })

  test("memory that does not give an entry ends the queue pair, and its accesses")(bench("memory", 7) { (b, _) =>
    b.does(Creates(3, 5, peer(0x10, 0, 0)))
    b.does(Maps(1, 5, 9))
    for (held <- Seq(true, false, false)) b.post(3, page(9), held)
    b.settle()
    assert(b.sent.size == 32 && b.open == 0)
    b.failsLooks = true
    b.acknowledge(3, 5, 0x60)
    b.settle()
    assert(b.failed.toSeq == Seq((3, ReplyFailure.MEMORY)) && b.sent.size == 32 && b.open == 0 && b.room(3) == 0)
  })

  test("cycles of packets, answers and times")(wholeCompiled.doSim("cycles", 8) { dut =>
    val b = new RepliesBench(dut, whole, new Random(8))
    b.start()
    for (pair <- 0 until 128) b.does(Creates(pair, 0, peer(0x10 + pair, if (pair == 1) 0 else 4, pair)))
    b.settle()
    val (first, second) = (b.latency(0, page(9)), b.latency(2, word))
    info(s"from a reply to its packet: $first cycles of a page, $second of a word")
    assert(first <= 11 && second <= 11)
    b.settle()
    b.sent.clear()
    b.does(Maps(1, 5, 9))
    for (held <- Seq(true, false)) b.post(1, page(9), held)
    b.settle()
    val each = (b.sent.last.cycle - b.sent.head.cycle).toDouble / (b.sent.size - 1)
    info(f"a packet every $each%.1f cycles")
    assert(b.sent.size == 32 && each <= 6.6)
    val from = b.now
    b.acknowledge(1, 31, 0x1f)
    info(s"an answer that ends two replies takes ${b.now - from} cycles")
    assert(b.now - from <= 9)
    b.settle()
    val tick = b.now
    b.does(Time(1))
    b.settle()
    info(s"times of 128 queue pairs take ${b.now - tick} cycles of the 2,500 of a tick")
    assert(b.now - tick <= 660)
  })

  for (fault <- ReplyFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    compiled
    val found = Try(bench(s"planted $fault", 4) { (b, _) =>
      for (program <- ReplyPrograms.kept) {
        b.reset(planted = Some(fault))
        RepliesBench.play(b, program)
      }
      for ((_, run) <- RepliesInterrupted.all) {
        b.reset(planted = Some(fault))
        run(b)
      }
    })
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    // An assertion, and nothing else.
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}
