package mneme.leaf

import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, LeafCounter, LeafOrder, LeafRegister, LeafResult, Opcode, Pte, ReplaceStatus, Status}
import mneme.{BoardBench, Reply, Simulation}

/** The leaf unit of a whole core: Mneme's requests reach pages of 4 KB, and the slow path makes and ends segments by its registers. */
class LeafBoardTest extends LeafBoard {
  test("requests of Mneme reach pages of 4 KB, within budget, ring and rights") {
    bench("frames", 1) { t =>
      import t._
      assert(create(3, table = 5, pages = 512, budget = 5) == LeafResult.DONE && create(3, 5, 512, 5) == LeafResult.TAKEN)
      assert(map(5, 3, 0) == LeafResult.DONE && map(6, 3, 256) == LeafResult.DONE)
      assert(order(99) == LeafResult.ORDER && order(LeafOrder.USED, LeafRegister.LEAF_SEGMENT -> 4) == LeafResult.UNKNOWN)
      split(0x40, 5)
      split(0x41, 6)
      val va = 0x40 * page
      assert(load(va + 8, 700) == zeros(700) && load(va + frame - 100, 200) == zeros(200) && used(3) == 0)
      assert(refused(store(va, data(8))) == ((Status.BUSY, Cause.FAULT)), "the ring is empty")
      assert(push(0, 5) == LeafResult.DONE && count == 5)
      // Across two pages, neither of which has a frame; then from and to pages without one.
      val across = data(300)
      assert(store(va + frame - 100, across).status == Status.OK && used(3) == 2)
      info(s"first WRITE of 300 bytes, which takes two frames: ${b.between} cycles from the last beat in to the first one out")
      assert(load(va + frame - 100, 300) == across)
      info(s"READ of them: ${b.between} cycles")
      assert(load(va + frame - 200, 100) == zeros(100) && load(va + frame + 200, 900) == zeros(900))
      assert(load(va + 2 * frame - 50, 100) == zeros(100))
      // The second board page's first page, and its neighbours.
      val far = data(1000)
      assert(store(va + page + 5, far).status == Status.OK && used(3) == 3)
      assert(load(va + page + 5, 1000) == far && load(va + page, 5) == zeros(5))
      val third = data(60)
      assert(store(va + 3 * frame + 10, third).status == Status.OK)
      assert(load(va + 3 * frame - 30, 100) == zeros(40) ++ third, "zeros, and then a frame")
      assert(load(va + 4 * frame - 1400, 1450) == zeros(1450))
      // An atomic gets a frame, too.
      val word = va + 7 * frame + 16
      assert(b.ask(Opcode.FETCH_ADD, word, 8, BoardBench.word(5)).payload == BoardBench.word(0) && used(3) == 5)
      assert(b.ask(Opcode.FETCH_ADD, word, 8, BoardBench.word(5)).status == Status.OK && load(word, 8) == BoardBench.word(10))
      assert(push(5, 1) == LeafResult.DONE)
      assert(refused(store(va + 8 * frame, data(8))) == ((Status.QUOTA, Cause.QUOTA_PAGES)))
      assert(counter(LeafCounter.BUDGET_SPENT) == 1 && counter(LeafCounter.RING_EMPTY) == 1 && counter(LeafCounter.TAKEN) == 5)
      assert(b.counter(Counter.PAGE_FAULT) == 5 && b.counter(Counter.FAULT_DRY) == 2 && counter(LeafCounter.ACCESSES) > 15)
      // What was there is there still, and may be written.
      assert(store(va + frame + 100, data(8)).status == Status.OK && load(va + frame - 100, 150) == across.take(150))
      info(s"READ of 150 bytes across two frames: ${b.between} cycles")
      assert(load(va + frame + 100, 8).size == 8)
      info(s"READ of 8 bytes of one frame: ${b.between} cycles")
      assert(store(va + frame + 100, data(8)).status == Status.OK)
      info(s"WRITE of 8 bytes of one frame: ${b.between} cycles")
      assert(b.replace(pid, 0x50, BoardBench.readWrite) == ReplaceStatus.DONE)
      for (_ <- 0 until 2) assert(store(0x50 * page, data(8)).status == Status.OK)
      info(s"WRITE of 8 bytes of a board page: ${b.between} cycles")
      assert(load(0x50 * page, 8).size == 8)
      info(s"READ of 8 bytes of a board page: ${b.between} cycles")
      // Rights are the segment's, and the entry's.
      assert(order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> 3, LeafRegister.LEAF_RIGHTS -> Wire.LEAF_RIGHT_READ) == LeafResult.DONE)
      assert(refused(store(va + frame, data(8))) == ((Status.DENIED, Cause.RIGHTS)))
      assert(load(word, 8) == BoardBench.word(10))
      // A page of the async buffer is the unit's from now on, while there is one.
      val level = b.read(Wire.Register.ASYNC_LEVEL).toInt
      assert(order(LeafOrder.TAKE_PAGE) == LeafResult.DONE && count == 2 && level == 1)
      assert(b.read(Wire.Register.ASYNC_LEVEL) == 0 && order(LeafOrder.TAKE_PAGE) == LeafResult.NO_PAGE)
      // The end: entries go, and then the segment. All frames come back.
      for (vpn <- 0x40 to 0x41) assert(b.replace(pid, vpn, 0) == ReplaceStatus.DONE)
      assert(refused(store(va, data(8)))._1 == Status.UNMAPPED)
      assert(order(LeafOrder.SWEEP, LeafRegister.LEAF_SEGMENT -> 3, LeafRegister.LEAF_PAGES -> 300) == LeafResult.TAKEN, "not closed")
      assert(order(LeafOrder.CLOSE) == LeafResult.DONE)
      assert(order(LeafOrder.SWEEP) == LeafResult.DONE && count == 212)
      assert(order(LeafOrder.SWEEP) == LeafResult.DONE && count == 0 && order(LeafOrder.USED) == LeafResult.UNKNOWN)
      for (table <- 5 to 6) assert(order(LeafOrder.UNMAP, LeafRegister.LEAF_TABLE -> table) == LeafResult.DONE)
      b.cycles(200)
      assert(Seq(LeafRegister.LEAF_TOTAL, LeafRegister.LEAF_USABLE, LeafRegister.LEAF_WAITING).map(read(_).toInt) == Seq(6, 6, 0))
      val back = for (_ <- 0 until 6) yield { assert(order(LeafOrder.POP) == LeafResult.DONE); count - framePage * 256 }
      assert(back.sorted == (0 until 6) && order(LeafOrder.POP) == LeafResult.RING_EMPTY && read(LeafRegister.LEAF_TOTAL) == 0)
      // A table that is nobody's; another process's segment.
      split(0x40, 5)
      assert(refused(store(va, data(8))) == ((Status.MEMERR, Cause.PARITY)))
      assert(create(4, 5, 256, 1, of = 8) == LeafResult.DONE && map(5, 4, 0) == LeafResult.DONE)
      assert(refused(b.ask(Opcode.READ, va, 8)) == ((Status.MEMERR, Cause.PARITY)))
    }
  }

  /** Cycles for each of many requests in a row, ten of them under way. */
  private def each(t: Bench, opcode: Int, length: Int, at: Int => BigInt): Double = {
    import t._
    // The filter has room for so many writes.
    val (count, atOnce) = (120, 10)
    b.lineRate()
    b.take(1f)
    val ends = for (i <- 0 until count + atOnce) yield {
      if (i < count) b.send(opcode, at(i), length, if (opcode == Opcode.WRITE) data(length) else Nil)
      if (i >= atOnce) {
        val reply = b.answer()
        assert(reply.status == Status.OK, reply)
        b.lastOut
      } else 0L
    }
    (ends(count) - ends(count - 80)) / 80.0
  }
  private val rows = Seq[(String, Double, Int => BigInt)](
    ("of one frame", 10, i => 0x10 * page + 64 * (i % 16)),
    ("of eight frames of a split page", 10, i => 0x10 * page + (i % 8) * frame),
    ("of two split pages", 10, i => (0x10 + i % 2) * page + (i / 2 % 8) * frame),
    ("across two frames", 16, i => 0x10 * page + (1 + i % 6) * frame - 32),
    ("of a board page", 2.2, i => 0x12 * page + (i % 8) * frame),
    ("of two board pages", 2.2, i => (0x12 + i % 2) * page + (i / 2 % 8) * frame)
  )
  // Where there is time each has a board of its own, whose filter has room for its WRITEs.
  for (some <- if (Simulation.long) rows.map(Seq(_)) else Seq(rows)) test(s"READs of 64 bytes in a row ${some.map(_._1).mkString(", ")}") {
    bench(s"rate ${some.head._1}", 6) { t =>
      import t._
      assert(create(1, table = 0, pages = 512, budget = 512) == LeafResult.DONE && map(0, 1, 0) == LeafResult.DONE && map(1, 1, 256) == LeafResult.DONE)
      assert(push(0, 250) == LeafResult.DONE)
      split(0x10, 0)
      split(0x11, 1)
      for (vpn <- 0x12 to 0x13) assert(b.replace(pid, vpn, BoardBench.readWrite) == ReplaceStatus.DONE)
      // Their entries are lines that are kept.
      for (vpn <- Seq(0x10, 0x11); i <- 0 until 8) assert(store(vpn * page + i * frame, data(64)).status == Status.OK)
      for (vpn <- Seq(0x12, 0x13)) assert(store(vpn * page, data(64)).status == Status.OK)
      for ((what, most, at) <- some) {
        val reads = each(t, Opcode.READ, 64, at)
        info(f"$what: READ $reads%.2f cycles")
        assert(reads <= most, what)
        // The bench's memory takes one write at a time: it is what WRITEs wait for, of board pages, too.
        if (Simulation.long) info(f"$what: WRITE ${each(t, Opcode.WRITE, 64, at)}%.2f cycles")
      }
    }
  }

  test("requests under way at once, of split and of board pages, each find their own bytes") {
    for (seed <- 2 to 4) bench(s"many$seed", seed, memory = if (seed == 2) BoardBench.steady else mneme.leaf.LeafBoardTest.moody) { t =>
      import t._
      assert(create(1, table = 0, pages = 256, budget = 256) == LeafResult.DONE && map(0, 1, 0) == LeafResult.DONE && push(0, 200) == LeafResult.DONE)
      split(0x10, 0)
      assert(b.replace(pid, 0x11, BoardBench.readWrite) == ReplaceStatus.DONE)
      val bases = Seq(0x10 * page, 0x11 * page)
      val bytes = bases.map(_ -> new Array[Int](32 * 4096)).toMap
      for (_ <- 0 until 40) {
        // Apart from each other, so that their order does not matter.
        val ranges = for (slot <- 0 until 6; base <- bases) yield {
          val length = 1 + b.random.nextInt(if (b.random.nextBoolean()) 1450 else 64)
          (base, slot * 20000 + b.random.nextInt(20000 - length), length)
        }
        val writes = ranges.filter(_ => b.random.nextBoolean())
        for ((base, at, length) <- writes) {
          val written = data(length)
          b.send(Opcode.WRITE, base + at, length, written)
          written.copyToArray(bytes(base), at)
        }
        for (_ <- writes) { val reply = b.answer(); assert(reply.status == Status.OK, reply) }
        val reads = for ((base, at, length) <- ranges) yield b.send(Opcode.READ, base + at, length) -> bytes(base).slice(at, at + length).toSeq
        val expected = reads.map { case (id, bytes) => BigInt(id) -> bytes }.toMap
        for (_ <- reads) {
          val reply = b.answer()
          assert(reply.status == Status.OK && reply.payload == expected(reply.opId), reply)
        }
      }
      assert(b.counter(Counter.DROP_INGRESS_FULL) == 0)
      b.cycles(500)
      // No access holds a frame back.
      assert(read(LeafRegister.LEAF_WAITING) == 0 && read(LeafRegister.LEAF_USABLE) == 200 - used(1) && used(1) > 20)
      assert(b.replace(pid, 0x10, 0) == ReplaceStatus.DONE && order(LeafOrder.CLOSE) == LeafResult.DONE)
      assert(order(LeafOrder.SWEEP, LeafRegister.LEAF_PAGES -> 256) == LeafResult.DONE && count == 0)
      b.cycles(500)
      assert(read(LeafRegister.LEAF_USABLE) == 200, "each access has ended, so all frames may be taken")
    }
  }

  test("an error of memory is told to who reads the same frames, and to no other process") {
    bench("failed", 7) { t =>
      import t._
      val (vpn, others) = (0x10, pid + 1)
      val words = Seq(pid, others).zipWithIndex.map { case (process, i) =>
        assert(create(i, table = i, pages = 256, budget = 8, of = process) == LeafResult.DONE && map(i, i, 0) == LeafResult.DONE)
        split(vpn, i, of = process)
        // The first page has no frame, the second one the frame of this number.
        assert(push(i, 1) == LeafResult.DONE)
        val written = data(200)
        assert(b.ask(Opcode.WRITE, vpn * page + frame, 200, written, pid = process).status == Status.OK && used(i) == 1)
        written
      }
      b.memory.failing += (framePage * page).toLong
      def read(process: Int): Reply = b.ask(Opcode.READ, vpn * page + frame - 100, 200, pid = process)
      def damaged = b.counter(Counter.TX_DAMAGED)
      def told(reply: Reply) = refused(reply) == ((Status.MEMERR, Cause.DRAM))
      assert(read(pid).status == Status.OK && damaged == 1, "the answer had begun when the error came")
      val sound = read(others)
      assert(sound.status == Status.OK && sound.payload == zeros(100) ++ words(1).take(100), sound)
      assert(told(read(pid)) && damaged == 1)
      // Told once: the next one goes to memory.
      assert(read(pid).status == Status.OK && damaged == 2)
      b.memory.failing.clear()
      assert(told(read(pid)) && read(pid).payload == zeros(100) ++ words(0).take(100) && damaged == 2)
    }
  }

  test("what is refused waits for an access of its page that waits, and other pages' accesses pass") {
    bench("order", 5) { t =>
      import t._
      assert(create(1, table = 0, pages = 256, budget = 256) == LeafResult.DONE && map(0, 1, 0) == LeafResult.DONE && push(0, 8) == LeafResult.DONE)
      // May be written alone: a READ is refused before the leaf unit is asked, a first WRITE waits for its frame's zeros.
      split(0x10, 0, rights = BigInt(1) << Pte.WRITE)
      val (va, other) = (0x10 * page, 0x11 * page)
      assert(b.replace(pid, 0x11, BoardBench.readWrite) == ReplaceStatus.DONE)
      for (round <- 0 until 4) {
        val ids = Seq(
          b.send(Opcode.WRITE, va + round * frame, 8, data(8)),
          b.send(Opcode.READ, va + round * frame, 8),
          b.send(Opcode.READ, other, 8)
        ).map(BigInt(_))
        val replies = ids.map(_ => b.answer())
        assert(replies.map(_.opId) == Seq(ids(2), ids(0), ids(1)), s"round $round")
        assert(replies.map(_.status) == Seq(Status.OK, Status.OK, Status.DENIED), s"round $round")
      }
      assert(used(1) == 4)
    }
  }
}

object LeafBoardTest {
  /** Memory that now and then stops for some cycles. */
  def moody = spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig(interruptProbability = 10, interruptMaxDelay = 5)
}
