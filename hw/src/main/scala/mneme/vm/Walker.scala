package mneme.vm

import mneme.{CBoardConfig, Faults, knownBits}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A walk to make, and for whom: the number of a miss entry, or `replace` of [[Walker]]. */
case class WalkRequest(c: CBoardConfig) extends Bundle {
  val key = PageKey(c)
  val asker = UInt(Walker.askerBits(c) bits)
}

/** What a walk found in a bucket. */
case class Walked(c: CBoardConfig) extends Bundle {
  val bucket = UInt(c.bucketBits bits)

  /** An intact entry of the page; `slot` (one-hot) and `entry` are its place and value, else zero. */
  val found = Bool()
  val slot = Bits(Wire.BUCKET_ENTRIES bits)
  val entry = Bits(64 bits)

  /** Some entry of the bucket has odd parity. */
  val parityError = Bool()

  /** The memory controller reported an error; everything else means nothing. */
  val memoryError = Bool()
}

/** The end of a walk. */
case class WalkEnd(c: CBoardConfig) extends Bundle {
  val asker = UInt(Walker.askerBits(c) bits)

  /** The asker as one of the miss entries; zero when it is none, or no walk has ended. */
  val missEntry = Bits(c.misses bits)
  val walked = Walked(c)

  /** The first intact slot that belongs to no page (one-hot, zero when there is none). */
  val free = Bits(Wire.BUCKET_ENTRIES bits)
}

/** Walks the page table: one read of a bucket each, eight tags compared, parity checked (contracts §3).
  *
  * Walks are read and end in the order in which they came, one per cycle. Every miss entry and replace have one walk at most, so the ring
  * of walks never overflows, and every end is taken: a stalled pipeline never holds up the memory port.
  */
case class Walker(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val walk = slave Flow (WalkRequest(c))
    val ended = master Flow (WalkEnd(c))
    val read = master Stream (UInt(c.bucketBits bits))
    val bucket = slave Flow (Bucket())
  }

  private val ring = Mem(WalkRequest(c), 1 << Walker.askerBits(c)).addAttribute("ram_style", "distributed")
  private val pointerBits = Walker.askerBits(c) + 1
  private val came, asked, answered = Reg(UInt(pointerBits bits)) init 0
  private def place(pointer: UInt): UInt = pointer.resize(pointerBits - 1)
  ring.write(place(came), io.walk.payload, enable = io.walk.valid)
  came := came + io.walk.valid.asUInt

  io.read.valid := came =/= asked
  io.read.payload := ring.readAsync(place(asked)).key.bucket
  // Who is served is known late: it enables the count, and is not added.
  when(io.read.fire)(asked := asked + 1)

  private val walk = ring.readAsync(place(answered))
  answered := answered + io.bucket.valid.asUInt
  private val entries = io.bucket.data.subdivideIn(64 bits).map(Pte(c, _))

  private val compared = new Area {
    val matching, unused = Reg(Bits(Wire.BUCKET_ENTRIES bits))
    private val came = io.bucket.valid
    val odd = knownBits(came, Wire.BUCKET_ENTRIES) { i =>
      planted.choose(PlantedFault.TableParityIgnored, wrong = False, right = entries(i).parityOdd)
    }
    when(came) {
      for ((entry, i) <- entries.zipWithIndex) {
        matching(i) := entry.allocated && entry.tag === walk.key.tag && !odd(i)
        unused(i) := !entry.allocated && !odd(i)
      }
    }
    val entry = entries.map(entry => RegNextWhen(entry.bits, came))
    val parityError = RegNextWhen(odd.orR, came)
    val memoryError = RegNextWhen(io.bucket.error, came)
    val asker = RegNextWhen(walk.asker, came)
    val missEntry = RegNext(UIntToOh(walk.asker, c.misses).andMask(io.bucket.valid)) init 0
    val bucket = RegNextWhen(walk.key.bucket, came)
    val valid = RegNext(io.bucket.valid) init False
  }

  io.ended.valid := compared.valid
  io.ended.asker := compared.asker
  io.ended.missEntry := compared.missEntry
  io.ended.free := OHMasking.firstV2(compared.unused)
  io.ended.walked.bucket := compared.bucket
  io.ended.walked.found := compared.matching.orR
  io.ended.walked.slot := OHMasking.firstV2(compared.matching)
  io.ended.walked.entry := MuxOH.or(io.ended.walked.slot, compared.entry)
  io.ended.walked.parityError := compared.parityError
  io.ended.walked.memoryError := compared.memoryError
}

object Walker {

  /** The asker that is no miss entry. */
  def replace(c: CBoardConfig): Int = c.misses

  def askerBits(c: CBoardConfig): Int = log2Up(c.misses + 1)
}
