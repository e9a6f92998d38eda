package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** What a row tells of one way: 18 bits, two lanes of 9 bits (the write granularity of an UltraRAM). */
case class FilterTag() extends Bundle {
  val print = Bits(FilterHash.PRINT_BITS bits)
  /** The operation's window is not known to be over: false only of one that was still pending then. */
  val live = Bool()
  val used = Bool()

  def lanes: Int = getBitsWidth / 9
}

/** What an operation was: written when its entry is made or opened again. */
case class FilterKey() extends Bundle {
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opId = Bits(32 bits)
  val pid = UInt(24 bits)
  val opcode = Bits(8 bits)
  val va = UInt(48 bits)
  val length = UInt(16 bits)
  val time = UInt(24 bits)
  /** The attempt that is pending or ended. */
  val attempt = UInt(8 bits)

  def sameKey(other: FilterKey): Bool = srcIp === other.srcIp && srcPort === other.srcPort && opId === other.opId
  /** What the digest of contracts §2 stands for: a memory has room for the fields themselves, and a CRC costs more than comparing them. */
  def sameDigest(other: FilterKey): Bool = opcode === other.opcode && va === other.va && length === other.length
}

/** How an operation ended, or that it has not. */
case class FilterEnd() extends Bundle {
  val pending = Bool()
  /** For good: no attempt executes any more. */
  val done = Bool()
  val status = Bits(5 bits)
  /** OK: the atomic's old word. Else: detailVa ## detailLength. */
  val result = Bits(64 bits)
}

/** An entry in the order in which entries were made. */
case class FilterAged(c: CBoardConfig) extends Bundle {
  val entry = UInt(FilterMemory.entryBits(c) bits)
  val time = UInt(24 bits)
  val group = UInt(FilterHash.groupBits(c) bits)
  val print = Bits(FilterHash.PRINT_BITS bits)
  /** Its window is over; it was pending when that was seen. */
  val late = Bool()
}

/** All that the filter remembers, in four memories by who reads and writes them.
  *
  *   - tags: a whole row per read, all ways of a set; written lane by lane;
  *   - keys and ends: one entry per read;
  *   - ages: the entries in use, a ring.
  *
  * Each has one write port and one read port. Words follow an address by one cycle; a read in the cycle of a write to the same place sees the
  * old word. An entry's number is choice, set, way.
  */
case class FilterMemory(c: CBoardConfig) extends Area {
  private val rows = 2 << c.filterSetsLog2
  private val entryBits = FilterMemory.entryBits(c)
  private val lanes = FilterTag().lanes

  private val tagMemory = new LaneMemory(c.filterWays * lanes, rows)
  private val keyMemory = Mem(FilterKey(), 1 << entryBits)
  private val endMemory = Mem(FilterEnd(), 1 << entryBits)
  private val ageMemory = Mem(FilterAged(c), 1 << entryBits)
  // UltraRAM: few rows of all ways, and 335 bits per entry.
  for (memory <- Seq(keyMemory, endMemory, ageMemory)) memory.addAttribute("ram_style", c.memories)

  /** The row to read. */
  val readRow = UInt(c.filterSetsLog2 + 1 bits)
  tagMemory.readAddress := readRow
  val tags: Vec[FilterTag] = Vec(tagMemory.readData.subdivideIn(c.filterWays slices).map(_.as(FilterTag())))
  /** The entry whose key, and the one whose end, to read; the place in the ring. */
  val readKey, readEnd, readAge = UInt(entryBits bits)
  val key: FilterKey = keyMemory.readSync(readKey)
  val end: FilterEnd = endMemory.readSync(readEnd)
  val age: FilterAged = ageMemory.readSync(readAge)

  case class TagWrite() extends Bundle {
    val row = UInt(c.filterSetsLog2 + 1 bits)
    val ways = Bits(c.filterWays bits)
    val tag = FilterTag()
  }
  val tagWrite = Flow(TagWrite())
  tagMemory.writeAddress := tagWrite.row
  tagMemory.writeLanes := Cat(tagWrite.ways.asBools.map(way => B(lanes bits, default -> (way && tagWrite.valid))))
  tagMemory.writeData := Cat(Seq.fill(c.filterWays)(tagWrite.tag.asBits))

  case class EntryWrite[T <: Data](word: HardType[T]) extends Bundle {
    val entry = UInt(entryBits bits)
    val data = word()
  }
  val keyWrite = Flow(EntryWrite(FilterKey()))
  keyMemory.write(keyWrite.entry, keyWrite.data, keyWrite.valid)
  val endWrite = Flow(EntryWrite(FilterEnd()))
  endMemory.write(endWrite.entry, endWrite.data, endWrite.valid)
  val ageWrite = Flow(EntryWrite(FilterAged(c)))
  ageMemory.write(ageWrite.entry, ageWrite.data, ageWrite.valid)
}

object FilterMemory {
  private def wayBits(c: CBoardConfig): Int = log2Up(c.filterWays)
  def entryBits(c: CBoardConfig): Int = c.filterSetsLog2 + 1 + wayBits(c)

  /** The number of the entry in this row and way (one-hot); configurations may have one way, which takes no bits. */
  def entry(c: CBoardConfig, row: UInt, way: Bits): UInt = if (wayBits(c) == 0) row else row @@ OHToUInt(way).resize(wayBits(c))
  def row(c: CBoardConfig, entry: UInt): UInt = entry.drop(wayBits(c)).asUInt
  /** One-hot. */
  def way(c: CBoardConfig, entry: UInt): Bits =
    if (wayBits(c) == 0) B(1, 1 bits) else UIntToOh(entry.take(wayBits(c)).asUInt, c.filterWays)
}
