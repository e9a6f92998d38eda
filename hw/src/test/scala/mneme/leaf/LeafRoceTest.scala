package mneme.leaf

import mneme.BoardBench
import mneme.rdma.RocePeer
import mneme.wire.Wire
import mneme.wire.Wire.{LeafCounter, LeafOrder, LeafRegister, LeafResult, ReplaceStatus, RoceCounter, Status}

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

      for ((name, at, mostRead, mostWrite) <- Seq(("a page of 4 KB", va, 42, 62), ("a board page", va + page, 31, 47))) {
        // Entries, lines of entries and both tables are kept.
        for (_ <- 0 until 2) { written(at + 20 * frame, data(64)); assert(does(peer.read(at + 20 * frame, 64))._1 == 0x10) }
        info(s"READ of 64 bytes of $name: ${b.between} cycles from the last beat in to the first one out")
        assert(b.between <= mostRead)
        assert(does(peer.write(at + 20 * frame, data(64))) == acknowledged)
        info(s"WRITE of 64 bytes of $name: ${b.between} cycles")
        assert(b.between <= mostWrite)
      }

      // Rights are the segment's, too. Refused for good, so that the queue pair ends.
      assert(order(LeafOrder.SET_RIGHTS, LeafRegister.LEAF_SEGMENT -> 3, LeafRegister.LEAF_RIGHTS -> Wire.LEAF_RIGHT_READ) == LeafResult.DONE)
      assert(does(peer.read(va + frame + 50, 700)) == ((0x10, 0x1f, other)))
      assert(does(peer.write(va + frame, data(8))) == ((0x11, 0x62, Nil)))
      assert(registers(peer, RoceCounter.MEMORY_DENIED) == 1)
      assert(mneme(load(va + frame + 50, 700)) == other)
    }
  }

  private def registers(peer: RocePeer, counter: Int): Long = peer.registers.counter(counter)
}
