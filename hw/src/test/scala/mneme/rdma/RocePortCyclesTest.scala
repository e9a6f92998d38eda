package mneme.rdma

import mneme.rdma.RocePortTest._
import mneme.wire.Wire.RoceResult
import org.scalatest.funsuite.AnyFunSuite

import scala.util.Random

/** How many cycles the port takes, with a memory that answers at once: what docs/reference/rdma.md says. */
class RocePortCyclesTest extends AnyFunSuite {
  private val MHZ = 250
  /** Bytes of a frame on the wire beside those that come: preamble, FCS, gap (IEEE 802.3). */
  private val AROUND = 24
  private val pairs = (0 until 8).map(i => qp.copy(qpn = 0x105 + i, peerQpn = 0x200 + i, psn = 0))

  private def bench(name: String)(body: PortBench => Unit): Unit = compiled.doSim(name, 1) { dut =>
    val b = new PortBench(dut, new Random(1), jitter = false).start()
    assert(b.create(region) == RoceResult.DONE)
    for (pair <- pairs) assert(b.create(pair) == RoceResult.DONE)
    b.settle(Seq(write(0, 4096, pairs.head)))
    body(b)
  }

  /** Cycles from a frame's last beat to the door, and from the door's word to the first beat of the answer. */
  private def latency(b: PortBench, packet: Comes): (Long, Long) = {
    for (times <- Seq(b.cameAt, b.askedAt, b.endedAt, b.leftAt)) times.clear()
    val answers = b.settle(Seq(packet))
    assert(answers.size == 1 && b.askedAt.size == 1 && !answers.head.isRefusal)
    (b.askedAt.head - b.cameAt.head, b.leftAt.head - b.endedAt.head)
  }
  for (
    (what, make, in, out) <- Seq(
      ("READ of 64 bytes", (psn: Int) => read(psn, 64, pairs.head), 16, 6),
      ("READ of 1 KB", (psn: Int) => read(psn, 1024, pairs.head), 16, 6),
      ("WRITE of 64 bytes", (psn: Int) => write(psn, 64, pairs.head), 8, 13),
      ("WRITE of 1 KB", (psn: Int) => write(psn, 1024, pairs.head), 8, 13)
    )
  )
    test(s"$what: at most $in cycles from its frame to the door, $out from the door to the answer's frame") {
      bench(what) { b =>
        val (asks, answers) = latency(b, make(1))
        info(s"$what: $asks cycles to the door, $answers from there")
        assert(asks <= in && answers <= out)
      }
    }

  /** Cycles for each of many in a row, of all queue pairs in turn; the first queue pair has seen a packet. */
  private def each(b: PortBench, make: (Int, MakeQueuePair) => Comes, times: => Seq[Long]): Double = {
    val count = 400
    b.settle((0 until count).map { i =>
      val pair = i % pairs.size
      make(i / pairs.size + (if (pair == 0) 1 else 0), pairs(pair))
    })
    val at = times
    assert(at.size >= count)
    val (first, last) = (at(at.size - 300), at(at.size - 50))
    (last - first) / 250.0
  }
  for (
    (what, make, most) <- Seq[(String, (Int, MakeQueuePair) => Comes, Double)](
      ("READ", read(_, 1024, _), 17.0),
      ("WRITE", write(_, 1024, _), 30.0)
    )
  )
    test(s"a $what of 1 KB in at most $most cycles") {
      bench(s"rate of $what") { b =>
        val cycles = each(b, make, if (what == "READ") b.leftAt.toSeq else b.doneAt.toSeq)
        // The frame with the bytes: headers, ICRC, and what Ethernet adds.
        val frame = 54 + (if (what == "READ") 4 else 16) + 1024 + 4
        def gbit(bytes: Int) = bytes * 8 * MHZ / cycles / 1000
        info(f"$what of 1 KB: $cycles%.2f cycles, ${gbit(1024)}%.1f Gbit/s of data, ${gbit(frame + AROUND)}%.1f Gbit/s on the wire at $MHZ MHz")
        assert(cycles <= most)
      }
    }
}
