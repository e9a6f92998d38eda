package mneme.leaf

import mneme.mem.Timing
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** Cycles and beats of memory of each operation (docs/reference/rdma-port.md). A page's own 64 beats are the caller's. */
class LeafCyclesTest extends AnyFunSuite {
  import LeafOperation._
  private val l = LeafBench.whole

  private case class Cost(cycles: Long, reads: Int, writes: Int)

  private def measure(name: String, latency: Int)(run: (LeafBench, LeafAsk => Cost) => Unit): Unit = test(s"$name, memory of $latency cycles") {
    LeafBench.config.compile(LeafUnit(l)).doSim(s"cycles_${name.map(c => if (c.isLetterOrDigit) c else '_')}_$latency", 1) { dut =>
      val b = new LeafBench(dut, l, Timing(latency, jitter = false), 1)
      b.start()
      def cost(ask: LeafAsk): Cost = {
        val (reads, writes) = (b.readBeats, b.writeBeats)
        val end = b.ask(ask)
        assert(end.status == LeafStatus.DONE, s"$ask: $end")
        val cycles = b.cycles
        b.rest(60 + 3 * latency)
        Cost(cycles, b.readBeats - reads, b.writeBeats - writes)
      }
      cost(LeafAsk(RING, page = 31, line = 0x400))
      cost(LeafAsk(CREATE, segment = 1, pid = 7, rights = 7, page = 1000, pages = 1000, line = 0x1000))
      cost(LeafAsk(PUSH, page = LeafBench.firstFrame, pages = 256))
      // The ring has gone to memory.
      b.settle()
      run(b, cost)
    }
  }

  private def store(page: Int, whole: Boolean = true) = LeafAsk(STORE, 1, 7, 2, page, first = true, whole = whole)
  private def look(page: Int) = LeafAsk(LOOK, 1, 7, 1, page, begins = false)
  private def free(page: Int, pages: Int) = LeafAsk(FREE, 1, 7, 2, page, pages)

  for (latency <- Seq(1, 25)) measure("each operation", latency) { (_, cost) =>
    val (stored, published) = (cost(store(0)), cost(LeafAsk(PUBLISH)))
    val kept = cost(look(0))
    val mapped = cost(store(0))
    // Whatever is kept at its place goes, as others have it.
    for (page <- 8 until 8 * 65 by 8) cost(LeafAsk(CHECK, 1, 7, 1, page, 1))
    val partial = cost(store(80, whole = false))
    val freed = cost(free(0, 1))
    for (page <- 160 until 168) {
      cost(store(page))
      cost(LeafAsk(PUBLISH))
    }
    val freedLine = cost(free(160, 8))
    info(s"unmapped STORE $stored, PUBLISH $published, LOOK kept $kept, mapped STORE $mapped, partial STORE $partial, FREE of one $freed, of eight $freedLine")
    // Of the ring an eighth of the stores has a beat that is read and one that is zeroed, an eighth of the frees one that is written.
    val memory = latency - 1
    assert(stored.reads <= 2 && stored.writes <= 1 && stored.cycles <= 14 + memory)
    assert(published.reads == 0 && published.writes <= 2 && published.cycles <= 9)
    assert(kept == Cost(5, 0, 0))
    assert(mapped == Cost(5, 0, 0))
    assert(partial.reads <= 2 && partial.writes <= 66 && partial.cycles <= 90 + 2 * memory)
    assert(freed.reads == 0 && freed.writes <= 2 && freed.cycles <= 10)
    assert(freedLine.reads == 0 && freedLine.writes <= 2 && freedLine.cycles <= 18)
  }

  for (latency <- Seq(1, 25)) measure("lines that are not kept", latency) { (b, cost) =>
    // Twice as many as are kept.
    val pages = 0 until 1000 by 8
    for (page <- pages) {
      cost(store(page))
      cost(LeafAsk(PUBLISH))
    }
    b.settle()
    val looks = pages.map(page => cost(look(page))).filter(_.reads > 0)
    val frees = pages.map(page => cost(free(page, 8))).filter(_.reads > 0)
    info(s"LOOK ${looks.distinct.mkString(", ")}; FREE of eight pages, one of which has a frame ${frees.distinct.mkString(", ")}")
    val memory = latency - 1
    assert(looks.size > 60 && looks.forall(one => one.reads == 1 && one.writes == 0 && one.cycles <= 9 + memory))
    assert(frees.size > 60 && frees.forall(one => one.reads == 1 && one.writes <= 2 && one.cycles <= 14 + memory))
  }

  measure("beats of the ring", 1) { (b, cost) =>
    // From the ring's memory: what is gathered and ahead without it is less than half of the frames.
    def beats(run: => Unit): (Int, Int) = {
      val (reads, writes) = (b.readBeats, b.writeBeats)
      run
      b.settle()
      (b.readBeats - reads, b.writeBeats - writes)
    }
    val pages = 96
    val stores = beats(for (page <- 0 until pages) {
      cost(store(page))
      cost(LeafAsk(PUBLISH))
    })
    val frees = beats(for (page <- 0 until pages by 8) cost(free(page, 8)))
    val single = beats(for (page <- 0 until pages) {
      cost(store(page))
      cost(LeafAsk(PUBLISH))
    })
    val ones = beats(for (page <- 0 until pages) cost(free(page, 1)))
    info(
      s"$pages stores read ${stores._1} and write ${stores._2} beats, frees by eight ${frees._1} and ${frees._2}; again ${single._1} and ${single._2}, one by one ${ones._1} and ${ones._2}"
    )
    // A line of entries for eight pages; of the ring an eighth read and an eighth zeroed; an entry each written.
    assert(stores._1 <= pages / 8 + pages / 8 && stores._2 <= pages + pages / 8)
    assert(single._1 <= pages / 8 + pages / 8 && single._2 <= pages + pages / 8 + pages / 8)
    // An entry's line for eight, and an eighth of a beat of the ring each.
    assert(frees._1 <= pages / 8 && frees._2 <= pages / 8 + pages / 8)
    assert(ones._1 <= pages / 8 && ones._2 <= pages + pages / 8)
  }
}
