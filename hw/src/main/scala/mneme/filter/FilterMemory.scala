package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.core.sim._
import spinal.lib._

/** What a row tells of one way: 18 bits with a parity bit, two lanes of 9 bits (the write granularity of an UltraRAM). */
case class FilterTag() extends Bundle {
  val print = Bits(FilterHash.PRINT_BITS bits)
  /** The operation's window is not known to be over: false only of one that was still pending then. */
  val live = Bool()
  val used = Bool()
  /** Makes the number of ones even. */
  val parity = Bool()

  def lanes: Int = getBitsWidth / 9
  /** `odd`: the fingerprint has an odd number of ones. */
  def sealAs(print: Bits, odd: Bool, live: Bool, used: Bool): Unit = {
    this.print := print
    this.live := live
    this.used := used
    parity := odd ^ live ^ used
  }
  /** A bit has flipped. */
  def damaged: Bool = asBits.xorR
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
  /** It has an odd number of ones. `print`: its fingerprint has, and so have source and operation id. */
  def odd(print: Bool): Bool = print ^ (pid ## opcode ## va ## length ## time ## attempt).xorR
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

/** An entry in use: where it lies, whose it is, and what its row keeps of its key. */
class FilterUsed(c: CBoardConfig) extends Bundle {
  val entry = UInt(FilterMemory.entryBits(c) bits)
  val group = UInt(FilterHash.groupBits(c) bits)
  val print = Bits(FilterHash.PRINT_BITS bits)
  /** The fingerprint has an odd number of ones. */
  val odd = Bool()
}

/** The same in the order in which entries were made. */
case class FilterAged(c: CBoardConfig) extends FilterUsed(c) {
  /** Of the operation; any of one that is late. */
  val time = UInt(24 bits)
  /** Its window is over; it was pending when that was seen. */
  val late = Bool()
}

/** A read port: the word follows one cycle after its address. */
case class FilterRead[T <: Data](addressBits: Int, word: HardType[T]) extends Bundle with IMasterSlave {
  val address = UInt(addressBits bits)
  val data = word()
  override def asMaster(): Unit = { out(address); in(data) }
}

/** A word to write. */
case class FilterWrite[T <: Data](addressBits: Int, word: HardType[T]) extends Bundle {
  val address = UInt(addressBits bits)
  val data = word()
}

/** A tag to write into some ways of a row. */
case class FilterTagWrite(c: CBoardConfig) extends Bundle {
  val row = UInt(FilterMemory.rowBits(c) bits)
  val ways = Bits(c.filterWays bits)
  val tag = FilterTag()
}

/** Bits that a test turns round in what is written; of tags in those of ways in use. */
case class FilterFlips() extends Bundle {
  val tag = Bits(widthOf(FilterTag()) bits)
  val key = Bits(widthOf(FilterKey()) + 1 bits)
  val end = Bits(widthOf(FilterEnd()) + 1 bits)
}

/** All that the filter remembers, in four memories by who reads and writes them.
  *
  *   - tags: a whole row per read, all ways of a set; written lane by lane;
  *   - keys and ends: one entry per read;
  *   - ages: the entries in use, a ring.
  *
  * Each has one write port and one read port; a read in the cycle of a write to the same place sees the old word. An entry's number is choice, set, way.
  *
  * Tags, keys and ends have parity. Ages have none: a flipped one frees another way, or none.
  */
class FilterMemory(c: CBoardConfig, planted: Faults[FilterFault.Value] = Faults.none) extends Component {
  private val entryBits = FilterMemory.entryBits(c)
  private val lanes = FilterTag().lanes

  val io = new Bundle {
    val tags = slave(FilterMemory.tagRead(c))
    val tagWrite = slave(Flow(FilterTagWrite(c)))
    val key = slave(FilterRead(entryBits, FilterKey()))
    /** A bit of the word that is read has flipped. */
    val keyDamaged, endDamaged = out Bool ()
    val keyWrite = slave(Flow(FilterWrite(entryBits, FilterKey())))
    /** The fingerprint of the key that is written has an odd number of ones. */
    val printOdd = in Bool ()
    val end = slave(FilterRead(entryBits, FilterEnd()))
    val endWrite = slave(Flow(FilterWrite(entryBits, FilterEnd())))
    /** Addressed by the place in the ring. */
    val age = slave(FilterMemory.ageRead(c))
    val ageWrite = slave(Flow(FilterMemory.ageWrite(c)))
  }

  private val tagMemory = new LaneMemory(c.filterWays * lanes, 1 << FilterMemory.rowBits(c), c.memories)
  tagMemory.readAddress := io.tags.address
  io.tags.data.assignFromBits(tagMemory.readData)
  tagMemory.writeAddress := io.tagWrite.row
  tagMemory.writeLanes := Cat(io.tagWrite.ways.asBools.map(way => B(lanes bits, default -> (way && io.tagWrite.valid))))
  val flips = planted.present generate in(FilterFlips())
  if (planted.present) Seq(io.tagWrite, io.keyWrite, io.endWrite).flatMap(_.flatten).foreach(_.simPublic())
  private def flipped(word: Bits, mask: FilterFlips => Bits): Bits = if (planted.present) word ^ mask(flips) else word
  tagMemory.writeData := Cat(Seq.fill(c.filterWays)(flipped(io.tagWrite.tag.asBits, _.tag.andMask(io.tagWrite.tag.used))))

  // UltraRAM: few rows of all ways, and 336 bits per entry.
  private def memory[T <: Data](word: HardType[T]) = Mem(word, 1 << entryBits).addAttribute("ram_style", c.memories)
  /** A memory whose words have a parity bit; whether the word that is read has a flipped one. */
  private def guarded[T <: Data](read: FilterRead[T], write: Flow[FilterWrite[T]], odd: Bool, mask: FilterFlips => Bits): Bool = {
    val words = memory(Bits(widthOf(write.data) + 1 bits))
    val word = words.readSync(read.address)
    read.data.assignFromBits(word.dropHigh(1))
    words.write(write.address, flipped(odd ## write.data.asBits, mask), write.valid)
    planted.choose(FilterFault.EntryDamageIgnored, wrong = False, right = word.xorR)
  }
  io.keyDamaged := guarded(io.key, io.keyWrite, io.keyWrite.data.odd(io.printOdd), _.key)
  io.endDamaged := guarded(io.end, io.endWrite, io.endWrite.data.asBits.xorR, _.end)

  private val ages = memory(FilterAged(c))
  io.age.data := ages.readSync(io.age.address)
  ages.write(io.ageWrite.address, io.ageWrite.data, io.ageWrite.valid)
}

object FilterMemory {
  private def wayBits(c: CBoardConfig): Int = log2Up(c.filterWays)
  def rowBits(c: CBoardConfig): Int = c.filterSetsLog2 + 1
  def entryBits(c: CBoardConfig): Int = rowBits(c) + wayBits(c)

  /** Ports of users that have one. */
  def tagRead(c: CBoardConfig): FilterRead[Vec[FilterTag]] = FilterRead(rowBits(c), Vec(FilterTag(), c.filterWays))
  def ageRead(c: CBoardConfig): FilterRead[FilterAged] = FilterRead(entryBits(c), FilterAged(c))
  def ageWrite(c: CBoardConfig): FilterWrite[FilterAged] = FilterWrite(entryBits(c), FilterAged(c))

  /** The number of the entry in this row and way (one-hot); configurations may have one way, which takes no bits. */
  def entry(c: CBoardConfig, row: UInt, way: Bits): UInt = if (wayBits(c) == 0) row else row @@ OHToUInt(way).resize(wayBits(c))
  def row(c: CBoardConfig, entry: UInt): UInt = entry.drop(wayBits(c)).asUInt
  /** One-hot. */
  def way(c: CBoardConfig, entry: UInt): Bits =
    if (wayBits(c) == 0) B(1, 1 bits) else UIntToOh(entry.take(wayBits(c)).asUInt, c.filterWays)
}
