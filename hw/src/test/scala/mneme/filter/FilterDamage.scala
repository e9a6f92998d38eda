package mneme.filter

import mneme.CBoardConfig
import spinal.core.sim._
import scala.collection.mutable
import scala.util.Random

/** Turns bits round in what the filter writes, one in a word, and knows where they lie.
  *
  * A request may have been decided in any cycle since it was offered, so places are asked for what they have been since then.
  */
class FilterDamage(dut: RetryFilter, c: CBoardConfig, random: Random, on: Boolean) {
  private val memory = dut.memory.io
  /** Since when a word has had a flipped bit, and when one had it last, by its entry. */
  private class Words(bits: Range) {
    private val since, last = mutable.Map.empty[Int, Long]
    var flips = 0
    private var mask = BigInt(0)
    def draw(): BigInt = {
      mask = if (on && random.nextInt(3) == 0) BigInt(1) << bits(random.nextInt(bits.size)) else 0
      mask
    }
    def written(entry: Int, now: Long, whole: Boolean = false): Unit = {
      if (since.contains(entry)) last(entry) = now
      if (whole || mask == 0) since -= entry else { since(entry) = now; flips += 1 }
    }
    def mayBeAt(entry: Int, from: Long): Boolean = since.contains(entry) || last.get(entry).exists(_ >= from)
    def mustBeAt(entry: Int, from: Long): Boolean = since.get(entry).exists(_ < from)
  }
  private val keys = new Words(0 until dut.flips.key.getWidth)
  /** But for the bit that says that the operation is pending: when it ended could not be told. */
  private val ends = new Words(1 until dut.flips.end.getWidth)
  private val tags = new Words(0 until dut.flips.tag.getWidth)

  def mayBeAt(entry: Int, from: Long): Boolean = keys.mayBeAt(entry, from) || ends.mayBeAt(entry, from)
  def mustBeAt(entry: Int, from: Long): Boolean = keys.mustBeAt(entry, from) || ends.mustBeAt(entry, from)
  /** Its row has been damaged at some time. */
  def rows(entry: Int): Boolean = tags.mayBeAt(entry, 0)
  /** Words with a flipped bit that were written. */
  def flips: Int = keys.flips + ends.flips + tags.flips

  def start(): Unit = drive()
  /** Masks for the next cycle. */
  def drive(): Unit = {
    dut.flips.key #= keys.draw()
    dut.flips.end #= ends.draw()
    dut.flips.tag #= tags.draw()
  }
  /** What was written in this cycle with the masks of the last. */
  def sample(now: Long): Unit = {
    if (memory.keyWrite.valid.toBoolean) keys.written(memory.keyWrite.address.toInt, now)
    if (memory.endWrite.valid.toBoolean) ends.written(memory.endWrite.address.toInt, now)
    if (memory.tagWrite.valid.toBoolean) {
      val ways = memory.tagWrite.ways.toInt
      val wayBits = 32 - Integer.numberOfLeadingZeros(c.filterWays - 1)
      for (way <- 0 until c.filterWays if (ways >> way & 1) == 1)
        tags.written(memory.tagWrite.row.toInt << wayBits | way, now, whole = !memory.tagWrite.tag.used.toBoolean)
    }
  }
}
