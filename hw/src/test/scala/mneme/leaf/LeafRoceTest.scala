package mneme.leaf

import mneme.BoardBench
import mneme.net.Frames
import mneme.rdma.RocePeer
import mneme.wire.Wire
import mneme.wire.Wire.{LeafCounter, LeafOrder, LeafRegister, LeafResult, Opcode, ReplaceStatus, RoceCounter, RoceRegister, Status}
import spinal.core.sim._

/** Pages of 4 KB by the RoCEv2 port: stock frames and Mneme's requests meet there. */
class LeafRoceTest extends LeafBoard {
  private val acknowledged = (0x11, 0x1f, Nil)
  private def notReady(repeats: Int) = (0x11, 0x20 | repeats, Nil)

  test("stock frames get frames of 4 KB, wait for them, and find what others wrote") {
    bench("roce", 11) { t =>
      import t._
      val va = 0x40 * page
      val peer = new RocePeer(dut, b, 11)
      peer.join(va.toLong, (2 * page).toLong)
      assert(create(3, table = 5, pages = 256, budget = 5) == LeafResult.DONE && map(5, 3, 0) == LeafResult.DONE)
      split(0x40, 5)
      assert(b.replace(pid, 0x41, BoardBench.readWrite) == ReplaceStatus.DONE)
      def does(what: => Unit): (Int, Int, Seq[Int]) = { what; peer.answer() }
      def mneme[T](what: => T): T = { val done = what; b.frames.clear(); done }
      def written(at: BigInt, bytes: Seq[Int]): Unit = {
        assert(does(peer.write(at, bytes)) == acknowledged)
        assert(does(peer.read(at, bytes.size)) == ((0x10, 0x1f, bytes)))
        // Mneme's requests end with a board page.
        val first = (page - at % page).toInt min bytes.size
        assert(mneme(load(at, first)) == bytes.take(first))
      }

      // A READ needs no frame, a WRITE finds none: told once, told again, and done when there are some.
      assert(does(peer.read(va + frame - 50, 100)) == ((0x10, 0x1f, zeros(100))))
      val across = data(300)
      for (repeats <- 1 to 2) {
        assert(does(peer.write(va + frame - 100, across)) == notReady(repeats))
        peer.again()
      }
      assert(push(0, 1) == LeafResult.DONE)
      assert(does(peer.write(va + frame - 100, across)) == notReady(3), "one frame is too few for two pages")
      peer.again()
      assert(used(3) == 0 && push(1, 7) == LeafResult.DONE)
      written(va + frame - 100, across)
      assert(used(3) == 2 && registers(peer, RoceCounter.MEMORY_NOT_READY) == 3 && counter(LeafCounter.RING_EMPTY) == 3)

      // What Mneme wrote a stock READ finds, and an atomic takes a frame, too.
      val other = data(700)
      assert(mneme(store(va + frame + 50, other)).status == Status.OK)
      assert(does(peer.read(va + frame + 50, 700)) == ((0x10, 0x1f, other)))
      assert(does(peer.send(0x14, va + 9 * frame, 8, add = 5))._1 == 0x12)
      assert(mneme(load(va + 9 * frame, 8)) == BoardBench.word(5) && used(3) == 3)
      // From the last page of 4 KB to a board page.
      written(va + page - 64, data(128))
      // The budget: one more is the last one.
      written(va + 20 * frame, data(64))
      assert(does(peer.write(va + 30 * frame, data(64))) == notReady(1) && counter(LeafCounter.BUDGET_SPENT) == 1)
      peer.again()

      for ((name, at, mostRead, mostWrite) <- Seq(("a page of 4 KB", va, 42, 56), ("a board page", va + page, 31, 45))) {
        // Entries, lines of entries and both tables are kept.
        for (_ <- 0 until 2) { written(at + 20 * frame, data(64)); assert(does(peer.read(at + 20 * frame, 64))._1 == 0x10) }
        info(s"READ of 64 bytes of $name: ${b.between} cycles from the last beat in to the first one out")
        assert(b.between <= mostRead)
        // The memory looks for writes once in ten cycles: each moment of them.
        val writes = for (wait <- 0 until 10) yield {
          b.domain.waitSampling(1 + wait)
          assert(does(peer.write(at + 20 * frame, data(64))) == acknowledged)
          b.between
        }
        info(s"WRITE of 64 bytes of $name: ${writes.min} to ${writes.max} cycles")
        assert(writes.min <= mostWrite && writes.max < mostWrite + 10)
      }

      // Rights are the segment's, too. Refused for good, so that the queue pair ends.
      assert(order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> 3, LeafRegister.LEAF_RIGHTS -> Wire.LEAF_RIGHT_READ) == LeafResult.DONE)
      assert(does(peer.read(va + frame + 50, 700)) == ((0x10, 0x1f, other)))
      assert(does(peer.write(va + frame, data(8))) == ((0x11, 0x62, Nil)))
      assert(registers(peer, RoceCounter.MEMORY_DENIED) == 1)
      assert(mneme(load(va + frame + 50, 700)) == other)
    }
  }

  test("a SEND gives pages of 4 KB up, all or none, while others access theirs") {
    bench("frees", 12) { t =>
      import t._
      val va = 0x40 * page
      val peer = new RocePeer(dut, b, 12)
      assert(create(3, table = 5, pages = 512, budget = 300) == LeafResult.DONE && map(5, 3, 0) == LeafResult.DONE && map(6, 3, 256) == LeafResult.DONE)
      // Half a board page before its region.
      val first = 128
      peer.joinFrees((va + first * frame).toLong, (384 * frame).toLong, 3, first)
      split(0x40, 5)
      split(0x41, 6)
      assert(push(0, 256) == LeafResult.DONE && push(256, 60) == LeafResult.DONE)
      def does(what: => Unit): (Int, Int, Seq[Int]) = { what; peer.answer() }
      def mneme[T](what: => T): T = { val done = what; b.frames.clear(); done }
      def at(page: Int): BigInt = va + page * frame
      def fill(pages: Range): Unit = for (page <- pages) assert(does(peer.write(at(page), data(64))) == acknowledged)
      def held: (Int, Int) = (used(3), 316 - read(LeafRegister.LEAF_USABLE).toInt - read(LeafRegister.LEAF_WAITING).toInt)

      // Across a border of board pages and of lines, with pages that have no frame, and Mneme's below the region.
      assert(mneme(store(at(3), data(64))).status == Status.OK)
      fill(250 until 262)
      assert(held == (13, 13))
      assert(does(peer.free(at(251) -> 8, at(400) -> 3)) == acknowledged)
      assert(held == (5, 5) && registers(peer, RoceCounter.SENDS) == 1 && counter(LeafCounter.FREED) == 8)
      assert(does(peer.read(at(251), 64)) == ((0x10, 0x1f, zeros(64))))
      // It had come before: not done again.
      fill(251 until 253)
      for (_ <- 0 until 4) peer.again()
      assert(does(peer.free(at(251) -> 8, at(400) -> 3)) == acknowledged)
      assert(held == (7, 7) && registers(peer, RoceCounter.DUPLICATE_WRITES) == 1)
      for (_ <- 0 until 3) peer.skip()

      for ((pages, most) <- Seq(1 -> 44, 8 -> 54, 256 -> 1400)) {
        fill(136 until 136 + pages)
        val before = used(3)
        assert(does(peer.free(at(136) -> pages)) == acknowledged)
        info(s"FREE of $pages pages: ${b.between} cycles from the last beat in to the first one out")
        assert(b.between <= most && used(3) == before - pages)
      }
      // A page of 4 KB is read while a long list is given up, which has as many lines of entries as before.
      assert(mneme(load(at(3), 8)).size == 8)
      peer.free(at(136) -> 256)
      b.send(Opcode.READ, at(3), 8)
      b.domain.waitSamplingWhere(b.frames.size == 2)
      assert(Frames.read(b.frames.head.toArray, 36, 2) != 4791, "a list of many pages stops all others")
      b.frames.clear()
      b.answers.clear()

      // What is refused changes nothing, and ends the queue pair: it is tried by a queue pair each.
      fill(131 until 133)
      val both = held
      val lists = Seq[(Seq[(BigInt, BigInt)], Int, Int)](
        (Seq(at(131) -> 1, at(127) -> 1), 0x62, RoceCounter.MEMORY_DENIED),
        (Seq(at(131) -> 1, at(511) -> 2), 0x62, RoceCounter.MEMORY_DENIED),
        (Seq(at(131) -> 1, (at(132) + 8) -> 1), 0x62, RoceCounter.MEMORY_DENIED),
        (Seq(at(131) -> 0), 0x62, RoceCounter.MEMORY_DENIED),
        (Seq(at(131) -> 300, at(131) -> 213), 0x61, RoceCounter.MESSAGE),
        (Seq.fill(65)(at(131) -> BigInt(1)), 0x61, RoceCounter.MESSAGE),
        (Nil, 0x61, RoceCounter.MESSAGE)
      )
      for (((ranges, syndrome, reason), i) <- lists.zipWithIndex) {
        val before = registers(peer, reason)
        assert(does(peer.free(ranges: _*)) == ((0x11, syndrome, Nil)), s"list $i")
        assert(registers(peer, reason) == before + 1 && held == both, s"list $i")
        peer.renew()
      }
      // Another process's segment is nobody's, though the slow path should name it.
      assert(create(4, table = 7, pages = 256, budget = 300, of = pid + 1) == LeafResult.DONE)
      peer.registers.write(RoceRegister.ROCE_FREE_SEGMENT, 4)
      peer.renew()
      assert(does(peer.free(at(131) -> 2)) == ((0x11, 0x62, Nil)) && held == both)
      peer.registers.write(RoceRegister.ROCE_FREE_SEGMENT, 3)
      peer.renew()
      // A right that is gone is the segment's.
      assert(order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> 3, LeafRegister.LEAF_RIGHTS -> Wire.LEAF_RIGHT_READ) == LeafResult.DONE)
      assert(does(peer.free(at(131) -> 2)) == ((0x11, 0x62, Nil)) && held == both)
    }
  }

  private def registers(peer: RocePeer, counter: Int): Long = peer.registers.counter(counter)
}
