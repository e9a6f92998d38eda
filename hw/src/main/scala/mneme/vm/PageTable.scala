package mneme.vm

import mneme.CBoardConfig
import mneme.engine.Operation
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Where the entry of a virtual page lives: its bucket, and the tag that tells the bucket's pages apart.
  *
  * The map from (pid, vpn) is invertible, so the pair is as good a name for the page as (pid, vpn) (architecture §4, `wire::pte`).
  */
case class PageKey(c: CBoardConfig) extends Bundle {
  val bucket = UInt(c.bucketBits bits)
  val tag = Bits(c.tagBits bits)
}

object PageKey {

  /** The key of a page: a fixed XOR tree, no carry chain. */
  def of(c: CBoardConfig, pid: UInt, vpn: UInt): PageKey = {
    val key = PageKey(c)
    val b = c.bucketBits
    key.tag := pid.asBits ## vpn(c.vpnBits - 1 downto b)
    val chunks = (0 until c.tagBits by b).map(low => key.tag(low until ((low + b) min c.tagBits)).resize(b bits))
    key.bucket := (vpn(b - 1 downto 0).asBits ^ chunks.reduceBalancedTree(_ ^ _)).asUInt
    key
  }
}

/** A page-table entry read through its meaning; the bits stay where they are (`docs/reference/wire.md`). */
class Pte(c: CBoardConfig, val bits: Bits) {
  def valid: Bool = bits(Wire.Pte.VALID)
  def allocated: Bool = bits(Wire.Pte.ALLOCATED)
  def read: Bool = bits(Wire.Pte.READ)
  def write: Bool = bits(Wire.Pte.WRITE)
  def accessed: Bool = bits(Wire.Pte.ACCESSED)
  def dirty: Bool = bits(Wire.Pte.DIRTY)
  def state: Bits = bits(Wire.Pte.STATE, 2 bits)
  def tag: Bits = bits(c.tagShift, c.tagBits bits)
  def ppn: UInt = bits(0, c.memBits - c.pageBits bits).asUInt

  /** Top bit of a leaf table's number, whose other bits are where a page's are. */
  def tableTop: Bool = bits(c.memBits - c.pageBits)
  def awayRow: UInt = bits(0, Wire.PPN_BITS_MIN bits).asUInt

  /** A bit flipped: an intact entry has an even number of ones. */
  def parityOdd: Bool = bits.xorR
  def isState(state: Int): Bool = this.state === state

  /** The page's rights do not allow this access. */
  def denies(access: Access): Bool = (access.reads && !read) || (access.writes && !write)

  /** The slow path works on the page and lets nobody write. */
  def holds(access: Access): Bool = access.writes && isState(Wire.PageState.HOLD)

}

object Pte {
  def apply(c: CBoardConfig, bits: Bits): Pte = new Pte(c, bits)

  /** The entry with its parity bit made right. */
  def seal(entry: Bits): Bits = {
    val sealedEntry = CombInit(entry)
    val others = CombInit(entry)
    others(Wire.Pte.PARITY) := False
    sealedEntry(Wire.Pte.PARITY) := others.xorR
    sealedEntry
  }
}

/** What a token does to its page: an atomic does both. */
case class Access() extends Bundle {
  val reads, writes = Bool()
}

object Access {
  def of(operation: Operation.C): Access = {
    val access = Access()
    access.reads := Operation.reads(operation)
    access.writes := Operation.writes(operation)
    access
  }
}

/** One entry to write, the other seven of its bucket untouched. */
case class EntryWrite(c: CBoardConfig) extends Bundle {
  val bucket = UInt(c.bucketBits bits)

  /** One-hot. */
  val slot = Bits(Wire.BUCKET_ENTRIES bits)
  val entry = Bits(64 bits)

  /** For whom, as in [[WalkRequest]]. */
  val asker = UInt(Walker.askerBits(c) bits)
}
