package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import scala.collection.mutable

/** A virtual page. */
case class Page(pid: Int, vpn: Long)

/** Page-table arithmetic on plain numbers, written after `wire::pte::Geometry` and not after the hardware. */
case class Geometry(c: CBoardConfig) {
  private val buckets = 1L << c.bucketBits
  private val tagMask = ((1L << c.tagBits) - 1) << c.tagShift
  val ppnMask: Long = (1L << c.ppnBits) - 1

  private val highBits = c.vpnBits - c.bucketBits

  def tag(page: Page): Long = (page.pid.toLong << highBits) | (page.vpn >> c.bucketBits)

  private def fold(tag: Long): Long = {
    var rest = tag
    var fold = 0L
    while (rest != 0) {
      fold ^= rest & (buckets - 1)
      rest >>>= c.bucketBits
    }
    fold
  }
  def bucket(page: Page): Long = (page.vpn & (buckets - 1)) ^ fold(tag(page))

  /** The page that an entry with this tag in this bucket stands for. */
  def pageOf(bucket: Long, tag: Long): Page =
    Page((tag >> highBits).toInt, (tag & ((1L << highBits) - 1)) << c.bucketBits | (bucket ^ fold(tag)))
  def entryTag(entry: Long): Long = (entry & tagMask) >>> c.tagShift
  def withTag(entry: Long, page: Page): Long = (entry & ~tagMask) | (tag(page) << c.tagShift)
}

object Entry {
  import Wire.Pte
  def bit(position: Int): Long = 1L << position
  def has(entry: Long, position: Int): Boolean = (entry >>> position & 1) == 1
  def state(entry: Long): Int = (entry >>> Pte.STATE & 3).toInt
  def odd(entry: Long): Boolean = java.lang.Long.bitCount(entry) % 2 == 1
  def seal(entry: Long): Long = {
    val bare = entry & ~bit(Pte.PARITY)
    if (odd(bare)) bare | bit(Pte.PARITY) else bare
  }
}

/** How a walk ends. */
sealed trait Walk
case class Found(address: Long, entry: Long) extends Walk
case object Unmapped extends Walk
case object OddParity extends Walk

/** A replace command and its answer. */
case class ReplaceOf(page: Page, compare: Long, expected: Long, write: Long, value: Long)
case class Replaced(status: Int, old: Long)

/** The page table of contracts §3 on a sparse memory of 8-byte words. */
class TableModel(val geometry: Geometry) {
  val words = mutable.LongMap.empty[Long]
  def word(address: Long): Long = words.getOrElse(address, 0L)

  /** What other memory has otherwise, in words. */
  def differences(other: collection.Map[Long, Long]): Iterator[String] = {
    val pairs = (words.keys ++ other.keys).toSeq.distinct.iterator.map(address => (address, word(address), other.getOrElse(address, 0L)))
    pairs.collect { case (address, expected, got) if expected != got => s"memory at $address is ${got.toHexString}, expected ${expected.toHexString}" }
  }
  def slots(page: Page): Seq[Long] = (0 until Wire.BUCKET_ENTRIES).map(i => geometry.bucket(page) * 64 + 8 * i)

  def walk(page: Page): Walk = {
    val entries = slots(page).map(address => Found(address, word(address)))
    entries
      .find(e => !Entry.odd(e.entry) && Entry.has(e.entry, Wire.Pte.ALLOCATED) && geometry.entryTag(e.entry) == geometry.tag(page))
      .getOrElse(if (entries.exists(e => Entry.odd(e.entry))) OddParity else Unmapped)
  }

  def freeSlot(page: Page): Option[Long] =
    slots(page).find(address => !Entry.odd(word(address)) && !Entry.has(word(address), Wire.Pte.ALLOCATED))

  def replace(command: ReplaceOf): Replaced = {
    val place = walk(command.page) match {
      case Found(address, entry) => Some(address -> entry)
      case _ => freeSlot(command.page).map(_ -> 0L)
    }
    place match {
      case None => Replaced(Wire.ReplaceStatus.FULL, 0)
      case Some((_, old)) if ((old ^ command.expected) & command.compare) != 0 => Replaced(Wire.ReplaceStatus.MISMATCH, old)
      case Some((address, old)) =>
        val value = (old & ~command.write) | (command.value & command.write)
        words(address) = if (Entry.has(value, Wire.Pte.ALLOCATED)) Entry.seal(geometry.withTag(value, command.page)) else 0L
        Replaced(Wire.ReplaceStatus.DONE, old)
    }
  }
}

/** A TLB with true LRU as a list, the youngest first. */
class TlbModel(entries: Int) {
  private var order = List.empty[(Page, Long)]
  def peek(page: Page): Option[Long] = order.find(_._1 == page).map(_._2)
  def touch(page: Page): Unit = order = order.filter(_._1 == page) ++ order.filter(_._1 != page)
  def fill(page: Page, entry: Long): Unit = order = ((page, entry) :: order.filter(_._1 != page)).take(entries)
  def forget(page: Page): Unit = order = order.filter(_._1 != page)
  def pages: Seq[Page] = order.map(_._1)
  def clear(): Unit = order = Nil
  /** Bits flip in an entry. */
  def flip(page: Page, mask: Long): Unit = order = order.map { case (p, e) => (p, if (p == page) e ^ mask else e) }
}
