package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Where an entry lives: choice, set, way. Its number is the three in this order. */
case class FilterPlace(c: CBoardConfig) extends Bundle {
  val bank = UInt(1 bits)
  val set = UInt(c.filterSetsLog2 bits)
  /** One-hot. */
  val way = Bits(c.filterWays bits)

  def row: UInt = bank @@ set
  /** The number of the entry; configurations may have one way, which takes no bits. */
  def number: UInt = {
    val bits = log2Up(c.filterWays)
    if (bits == 0) row else row @@ OHToUInt(way).resize(bits)
  }
}

/** What a row tells of one way: 45 bits, five lanes of 9 bits (the write granularity of an UltraRAM).
  *
  * The uppermost lane holds `valid`: clearing it alone takes an entry out of the window for good, and leaves what finds it while it is pending.
  */
case class FilterTag() extends Bundle {
  val time = UInt(24 bits)
  /** The fingerprint's low bits: they outlive `valid`. */
  val low = Bits(12 bits)
  val high = Bits(FilterHash.FINGERPRINT_BITS - 12 bits)
  val valid = Bool()

  def fingerprint: Bits = high ## low
  def lanes: Int = getBitsWidth / 9
}

/** What an operation was: written when its entry is made or opened again. */
case class FilterKey() extends Bundle {
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opId = Bits(32 bits)
  val pid = UInt(24 bits)
  val digest = Bits(32 bits)
  /** The attempt that is pending or ended. */
  val attempt = UInt(8 bits)

  def sameKey(other: FilterKey): Bool = srcIp === other.srcIp && srcPort === other.srcPort && opId === other.opId
}

/** How an operation ended: written by updates alone. */
case class FilterEnd() extends Bundle {
  val done = Bool()
  /** Status code of a released one. */
  val status = Bits(5 bits)
  /** done: the atomic's old word. released: detailVa ## detailLength. */
  val result = Bits(64 bits)
}

/** All that the filter remembers, in four memories by who reads and writes them.
  *
  *   - tags: a whole row per read, all ways of a set; written lane by lane;
  *   - pending: one bit per entry, read with its row, written one by one;
  *   - keys and ends: one entry per read.
  *
  * Each has one write port and one read port. Words follow an address by one cycle; a read in the cycle of a write to the same place sees the
  * old word.
  */
case class FilterMemory(c: CBoardConfig) extends Area {
  private val rows = 2 << c.filterSetsLog2
  private val entries = rows << log2Up(c.filterWays)
  private val lanes = FilterTag().lanes

  private val tagMemory = new LaneMemory(c.filterWays * lanes, rows)
  private val pendingMemory = Seq.fill(c.filterWays)(Mem(Bool(), rows))
  private val keyMemory = Mem(FilterKey(), entries)
  private val endMemory = Mem(FilterEnd(), entries)
  // UltraRAM: 45 bits per way in few rows, and 214 bits per entry in one column each.
  for (memory <- Seq(keyMemory, endMemory)) memory.addAttribute("ram_style", "ultra")

  /** The row to read. */
  val readRow = UInt(c.filterSetsLog2 + 1 bits)
  tagMemory.readAddress := readRow
  val tags: Vec[FilterTag] = Vec(tagMemory.readData.subdivideIn(c.filterWays slices).map(_.as(FilterTag())))
  val pending: Vec[Bool] = { val row = RegNext(readRow); Vec(pendingMemory.map(_.readAsync(row))) }
  /** The entry to read. */
  val readEntry = UInt(log2Up(entries) bits)
  val key: FilterKey = keyMemory.readSync(readEntry)
  val end: FilterEnd = endMemory.readSync(readEntry)

  case class TagWrite() extends Bundle {
    val row = UInt(c.filterSetsLog2 + 1 bits)
    /** Ways whose tag becomes `tag`, and ways that lose `valid`. */
    val set, clear = Bits(c.filterWays bits)
    val tag = FilterTag()
  }
  val tagWrite = Flow(TagWrite())
  private val tagLanes = Cat((0 until c.filterWays).map { w =>
    (tagWrite.set(w) || tagWrite.clear(w)) ## B(lanes - 1 bits, default -> tagWrite.set(w))
  })
  tagMemory.writeAddress := tagWrite.row
  tagMemory.writeLanes := tagLanes & B(tagLanes.getWidth bits, default -> tagWrite.valid)
  tagMemory.writeData := Cat((0 until c.filterWays).map { w =>
    (tagWrite.set(w) ? tagWrite.tag.asBits(44 downto 36) | B(0, 9 bits)) ## tagWrite.tag.asBits(35 downto 0)
  })

  case class PendingWrite() extends Bundle {
    val row = UInt(c.filterSetsLog2 + 1 bits)
    val ways = Bits(c.filterWays bits)
    val pending = Bool()
  }
  val pendingWrite = Flow(PendingWrite())
  for ((memory, w) <- pendingMemory.zipWithIndex)
    memory.write(pendingWrite.row, pendingWrite.pending, pendingWrite.valid && pendingWrite.ways(w))

  case class EntryWrite[T <: Data](word: HardType[T]) extends Bundle {
    val entry = UInt(log2Up(entries) bits)
    val data = word()
  }
  val keyWrite = Flow(EntryWrite(FilterKey()))
  keyMemory.write(keyWrite.entry, keyWrite.data, keyWrite.valid)
  val endWrite = Flow(EntryWrite(FilterEnd()))
  endMemory.write(endWrite.entry, endWrite.data, endWrite.valid)
}
