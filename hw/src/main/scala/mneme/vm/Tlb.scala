package mneme.vm

import mneme.CBoardConfig
import spinal.core._
import spinal.core.sim._
import spinal.lib._

/** A page's entry for the TLB. */
case class TlbFill(c: CBoardConfig) extends Bundle {
  val bucket = UInt(c.bucketBits bits)
  val entry = Bits(64 bits)
}

/** Fully associative TLB with true LRU, in registers (architecture §4).
  *
  * Stage 1 compares `key` with all entries and keeps the matches when `load`; stage 2 (`hit`) chooses the entry and keeps it when
  * `select`; stage 3 shows it (`entry`, `parityError`). An entry is the whole page-table entry, so its parity guards it here too.
  * `fill`, `invalidate` and `drop` may change entries only while no match of another page waits in stage 2: the pipeline around sees to it.
  */
case class Tlb(c: CBoardConfig, planted: PlantedFaults = PlantedFaults.none) extends Component {
  private val n = c.tlbEntries
  val io = new Bundle {
    val key = in(PageKey(c))

    /** The access writes, so a clean entry does not serve it. */
    val writes = in Bool ()
    val load = in Bool ()

    /** Stage 2 holds a match that serves the access. */
    val hit = out Bool ()

    /** Stage 2 moves on; `touch` makes its entry the youngest. */
    val select, touch = in Bool ()
    val entry = out Bits (64 bits)
    val parityError = out Bool ()

    /** Forgets the entry of stage 3. */
    val drop = in Bool ()

    /** Forgets the entry of stage 2. */
    val invalidate = in Bool ()

    /** Takes the place of the match of stage 2, if any, else of the oldest entry. */
    val fill = slave Flow (TlbFill(c))
  }

  private val valid = Vec.fill(n)(RegInit(False))
  private val buckets = Vec.fill(n)(Reg(UInt(c.bucketBits bits)))
  /** Tests flip bits in here. */
  val entries = Vec.fill(n)(Reg(Bits(64 bits)))
  if (planted.present) entries.foreach(_.simPublic())

  private val compare = new Area {
    val matching, serving = Bits(n bits)
    for (i <- 0 until n) {
      val entry = Pte(c, entries(i))
      matching(i) := valid(i) && buckets(i) === io.key.bucket && entry.tag === io.key.tag
      serving(i) := matching(i) && !(io.writes && !entry.dirty)
    }
  }

  private val choose = new Area {
    val matching = RegNextWhen(compare.matching, io.load) init 0
    val serving = RegNextWhen(compare.serving, io.load) init 0
    io.hit := serving.orR
    val entry = MuxOH.or(serving, entries)
  }

  private val show = new Area {
    val chosen = RegNextWhen(choose.serving, io.select) init 0
    val entry = RegNextWhen(choose.entry, io.select)
    io.entry := entry
    io.parityError := planted.choose(PlantedFault.TlbParityIgnored, wrong = False, right = entry.xorR)
  }

  private val order = LruOrder(n)
  private val place = Mux(choose.matching.orR, choose.matching, order.io.oldest)
  private val filled = place.andMask(io.fill.valid)
  private val forgotten = show.chosen.andMask(io.drop) | choose.matching.andMask(io.invalidate)
  private val used = choose.serving.andMask(io.select && io.touch)
  order.io.young := filled | planted.choose(PlantedFault.LruBroken, wrong = B(0, n bits), right = used)
  order.io.old := forgotten

  for (i <- 0 until n) {
    when(filled(i)) {
      valid(i) := True
      buckets(i) := io.fill.bucket
      entries(i) := io.fill.entry
    }
    when(forgotten(i)) {
      valid(i) := False
    }
  }
}

/** The order of use of `n` entries as a triangle of bits: bit (i, j), i < j, says that i was used after j.
  *
  * A use sets a row and clears a column, so every bit is one LUT and the oldest entry one wide AND; counters or a list would carry.
  */
case class LruOrder(n: Int) extends Component {
  val io = new Bundle {

    /** One-hot or zero: becomes the youngest. */
    val young = in Bits (n bits)

    /** One-hot or zero: becomes the oldest, also when it is in `young`. */
    val old = in Bits (n bits)

    /** One-hot. */
    val oldest = out Bits (n bits)
  }

  private val younger = Seq.tabulate(n, n)((i, j) => if (i < j) RegInit(False).setName(s"younger_${i}_$j") else null)
  for (i <- 0 until n; j <- i + 1 until n) {
    when(io.old(i)) {
      younger(i)(j) := False
    } elsewhen (io.old(j)) {
      younger(i)(j) := True
    } elsewhen (io.young(i)) {
      younger(i)(j) := True
    } elsewhen (io.young(j)) {
      younger(i)(j) := False
    }
  }
  for (i <- 0 until n) {
    val youngerThan = (0 until n).filter(_ != i).map(j => if (i < j) younger(i)(j) else !younger(j)(i))
    io.oldest(i) := !youngerThan.reduceBalancedTree(_ || _)
  }
}
