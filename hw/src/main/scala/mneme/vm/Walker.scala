package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a walk found in a bucket. */
case class Walked(c: CBoardConfig) extends Bundle {

  /** An intact entry of the page; `slot` (one-hot) and `entry` are its place and value, else zero. */
  val found = Bool()
  val slot = Bits(Wire.BUCKET_ENTRIES bits)
  val entry = Bits(64 bits)

  /** The first intact slot that belongs to no page (one-hot, zero when there is none). */
  val free = Bits(Wire.BUCKET_ENTRIES bits)

  /** Some entry of the bucket has odd parity. */
  val parityError = Bool()

  /** The memory controller reported an error; everything else means nothing. */
  val memoryError = Bool()
}

/** Walks the page table: one read of a bucket, eight tags compared, parity checked (contracts §3).
  *
  * One walk at a time. Read, compare and choose are three stages; the result waits until it is taken.
  */
case class Walker(c: CBoardConfig, planted: PlantedFaults = PlantedFaults.none) extends Component {
  val io = new Bundle {
    val walk = slave Stream (PageKey(c))
    val walked = master Stream (Walked(c))
    val read = master Stream (UInt(c.bucketBits bits))
    val bucket = slave Flow (Bucket())
  }

  private val busy = RegInit(False) setWhen (io.walk.fire) clearWhen (io.walked.fire)
  private val tag = RegNextWhen(io.walk.tag, io.walk.fire)
  io.read.arbitrationFrom(io.walk.haltWhen(busy))
  io.read.payload := io.walk.bucket

  private val entries = io.bucket.data.subdivideIn(64 bits).map(Pte(c, _))

  private val compared = new Area {
    val odd = Bits(Wire.BUCKET_ENTRIES bits)
    val matching, unused = Reg(Bits(Wire.BUCKET_ENTRIES bits))
    for ((entry, i) <- entries.zipWithIndex) {
      odd(i) := planted.choose(PlantedFault.TableParityIgnored, wrong = False, right = entry.parityOdd)
      matching(i) := entry.allocated && entry.tag === tag && !odd(i)
      unused(i) := !entry.allocated && !odd(i)
    }
    val parityError = RegNext(odd.orR)
    val memoryError = RegNext(io.bucket.error)
    // The bucket's register holds until the next read, so the chosen entry is taken from there.
    val valid = RegNext(io.bucket.valid) init False
  }

  val chosen = new Area {
    val slot = Walker.lowest(compared.matching)
    val valid = RegInit(False) setWhen (compared.valid) clearWhen (io.walked.fire)
    io.walked.valid := valid
    io.walked.found := RegNextWhen(compared.matching.orR, compared.valid)
    io.walked.slot := RegNextWhen(slot, compared.valid)
    io.walked.entry := RegNextWhen(MuxOH.or(slot, entries.map(_.bits)), compared.valid)
    io.walked.free := RegNextWhen(Walker.lowest(compared.unused), compared.valid)
    io.walked.parityError := RegNextWhen(compared.parityError, compared.valid)
    io.walked.memoryError := RegNextWhen(compared.memoryError, compared.valid)
  }
}

object Walker {

  /** The lowest one of a short mask, one-hot; eight inputs make two LUT levels where a subtraction makes a carry chain. */
  def lowest(mask: Bits): Bits = Cat((0 until mask.getWidth).map { i =>
    if (i == 0) mask(0) else mask(i) && !mask(i - 1 downto 0).orR
  })
}
