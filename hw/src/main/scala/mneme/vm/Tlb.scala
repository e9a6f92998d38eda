package mneme.vm

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import spinal.lib._

/** A page's entry for the TLB. */
case class TlbFill(c: CBoardConfig) extends Bundle {
  val bucket = UInt(c.bucketBits bits)
  val set = UInt(c.tlbSetsLog2 bits)
  val entry = Bits(64 bits)
}

/** Set-associative TLB in LUT memory, true LRU in each set, which [[TlbSet]] chooses.
  *
  * Stage 1 reads the set of `key` and compares its ways; stage 2 shows what was found when `load`, until the next `load`. A line is the
  * whole page-table entry, so its parity guards it here too, and one more bit guards what the line keeps of the bucket. A line that is
  * not allocated holds nothing. What is read in the cycle of a write is what was there before it.
  */
case class Tlb(c: CBoardConfig, faults: Faults[PlantedFault.Value] = Faults.none, plantable: Boolean = false) extends Component {
  private val ways = c.tlbWays
  private val sets = 1 << c.tlbSetsLog2
  val io = new Bundle {
    val key = in(PageKey(c))

    /** Its set, as [[TlbSet]] tells. */
    val set = in UInt (c.tlbSetsLog2 bits)
    val load = in Bool ()

    /** The access in stage 2 writes, so a clean entry does not serve it. */
    val writes = in Bool ()

    /** A way holds the page; one holds it that serves the access; that one has odd parity. */
    val matches, serves, damaged = out Bool ()
    val entry = out Bits (64 bits)

    /** The way that serves becomes the youngest of its set; ways that match are forgotten. Not in the cycle of a fill. */
    val touch, forget = in Bool ()

    /** Takes the place of the oldest entry of its set, among `ways`. The page is not in the TLB: whoever asked for it has forgotten it. */
    val fill = slave Flow (TlbFill(c))

    /** The ways that the fill may take: of its share, one at least. Another share's entries, and in what order they were used, neither change by
      * it nor decide anything.
      */
    val ways = in Bits (c.tlbWays bits)

    /** A fill may come in this cycle, and nothing else changes: known earlier than whether it does. */
    val filling = in Bool ()

    /** Everything is forgotten: from the second cycle on nothing is found, and fills come to nothing while it is not ready. */
    val flush = in Bool ()

    /** Empty after reset, and after a flush: before, nothing new may be asked. */
    val ready = out Bool ()
  }

  /** The bucket's bits that the set does not tell, and their parity. */
  private[vm] def guard(bucket: UInt): Bits = {
    val rest = bucket.asBits.drop(c.tlbSetsLog2)
    if (c.bucketBits == c.tlbSetsLog2) B(0, 1 bits) else rest.xorR ## rest
  }
  private val lineBits = 64 + c.bucketBits - c.tlbSetsLog2 + 1

  val plantedFaults = Faults.port(PlantedFault, plantable)
  private val planted = if (plantable) new Faults[PlantedFault.Value](plantedFaults) else faults

  /** Tests flip bits in here. */
  val lines = Seq.fill(ways)(Mem(Bits(lineBits bits), sets).addAttribute("ram_style", "distributed"))
  if (planted.present) lines.foreach(_.simPublic())

  private[vm] val sweep = Reg(UInt(c.tlbSetsLog2 + 1 bits)) init 0
  io.ready := sweep.msb
  when(!sweep.msb)(sweep := sweep + 1)
  when(planted.choose(PlantedFault.SharesKeepEntries, wrong = False, right = io.flush))(sweep := 0)

  val show = new Area {
    val read = lines.map(way => way.readAsync(io.set))
    val found = B(for (line <- read) yield {
      val entry = Pte(c, line(63 downto 0))
      entry.allocated && entry.tag === io.key.tag && line.drop(64) === guard(io.key.bucket)
    })
    val matching = RegNextWhen(found, io.load)
    when(!sweep.msb)(matching := 0)
    val odd = RegNextWhen(B(read.map(_.xorR)), io.load)
    val entries = read.map(line => Pte(c, RegNextWhen(line(63 downto 0), io.load)))
    val set = RegNextWhen(io.set, io.load)
    val serving = B(for ((entry, i) <- entries.zipWithIndex) yield matching(i) && !(io.writes && !entry.dirty))
    io.matches := matching.orR
    io.serves := serving.orR
    io.damaged := planted.choose(PlantedFault.TlbParityIgnored, wrong = False, right = (serving & odd).orR)
    io.entry := MuxOH.or(serving, entries.map(_.bits))
  }

  val change = new Area {
    val order = LruOrder(ways)
    val orders = Mem(Bits(order.bits bits), sets).addAttribute("ram_style", "distributed")
    val set = Mux(io.filling, io.fill.set, show.set)
    val before = orders.readAsync(set)
    private val among = planted.choose(PlantedFault.SharesIgnored, wrong = B((1 << ways) - 1, ways bits), right = io.ways)
    val oldest = order.oldest(before, among)
    val fills = io.fill.valid && sweep.msb
    val touched = planted.choose(PlantedFault.LruBroken, wrong = False, right = io.touch)
    val after = Mux(fills, order.young(before, oldest), Mux(io.forget, order.old(before, show.matching), order.young(before, show.serving)))
    val address = Mux(sweep.msb, set, sweep.resized)
    orders.write(address, after.andMask(sweep.msb), enable = !sweep.msb || fills || io.forget || touched)
    val line = (guard(io.fill.bucket) ## io.fill.entry).andMask(fills)
    for ((way, i) <- lines.zipWithIndex)
      way.write(address, line, enable = !sweep.msb || (fills && oldest(i)) || (io.forget && show.matching(i)))
  }
}

/** The set of a page: the low bits of its bucket, so that consecutive pages of a process lie in different sets, and the process id folded to as
  * many bits, so that the same page of consecutive processes does too: they have the same address more often than not.
  *
  * The bucket holds the id already, shifted by an amount that depends on the configuration: where its low bits tell enough of it nothing is
  * added; elsewhere the fold is turned so that both together tell ids apart.
  */
object TlbSet {

  /** By how much the fold is turned, if there is one: the first choice by which the lowest id bits reach all sets. */
  private def turn(c: CBoardConfig): Option[Int] = {
    val s = c.tlbSetsLog2
    def reaches(turn: Option[Int]): Boolean = {
      val images = (0 until s).map { i =>
        val inBucket = (c.tagBits - Wire.PID_BITS + i) % c.bucketBits
        (if (inBucket < s) 1 << inBucket else 0) ^ turn.map(by => 1 << (i + by) % s).getOrElse(0)
      }
      (1 until 1 << s).forall(ids => (0 until s).filter(i => (ids >> i & 1) == 1).map(images).reduce(_ ^ _) != 0)
    }
    (None +: (0 until s).map(Some(_))).find(reaches).getOrElse(None)
  }

  def apply(c: CBoardConfig, key: PageKey): UInt = {
    val s = c.tlbSetsLog2
    val (bucket, tag) = (key.bucket, key.tag)
    val pid = tag.takeHigh(Wire.PID_BITS)
    val fold = turn(c).map(by => B((0 until s).map(bit => (0 until Wire.PID_BITS).filter(i => (i + by) % s == bit).map(pid(_)).reduce(_ ^ _))))
    fold.map(_.asUInt ^ bucket.resize(s)).getOrElse(bucket.resize(s))
  }

  /** The set in software. */
  def software(c: CBoardConfig, bucket: Long, pid: Int): Int = {
    val s = c.tlbSetsLog2
    val fold = turn(c).map(by => (0 until Wire.PID_BITS).map(i => (pid >> i & 1) << (i + by) % s).reduce(_ ^ _))
    (bucket & ((1 << s) - 1)).toInt ^ fold.getOrElse(0)
  }
}

/** The order of use of `n` ways as a triangle of bits: bit (i, j), i < j, says that i was used after j. Zero is an order. */
case class LruOrder(n: Int) {
  private val pairs = for (i <- 0 until n; j <- i + 1 until n) yield (i, j)
  val bits: Int = pairs.size

  /** The oldest of some ways, one-hot: the order of the others is not looked at. */
  def oldest(order: Bits, among: Bits): Bits = B((0 until n).map { i =>
    among(i) && pairs.zipWithIndex.collect { case ((`i`, j), at) => !order(at) || !among(j); case ((j, `i`), at) => order(at) || !among(j) }.reduce(_ && _)
  })

  /** The order after a use of `way` (one-hot). */
  def young(order: Bits, way: Bits): Bits = B(pairs.zipWithIndex.map { case ((i, j), at) => way(i) || (order(at) && !way(j)) })

  /** The order after `way` (one-hot) was given up. */
  def old(order: Bits, way: Bits): Bits = B(pairs.zipWithIndex.map { case ((i, j), at) => way(j) || (order(at) && !way(i)) })
}
