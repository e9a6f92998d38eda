package mneme.vm

import spinal.core._
import spinal.core.sim._
import spinal.lib.bus.amba4.axi._
import scala.collection.mutable
import scala.util.Random

/** The first thing that went wrong; a bench stops there. */
class Complaints {
  var first: Option[String] = None
  def apply(what: => String): Unit = if (first.isEmpty) first = Some(what)
  def require(holds: Boolean, what: => String): Unit = if (!holds) apply(what)
}

/** Reads and writes whole bundles leaf by leaf. */
object Leaves {
  def of(data: Data): Seq[BaseType] = data.flatten.toSeq
  def get(leaf: BaseType): BigInt = leaf match {
    case b: Bool => if (b.toBoolean) 1 else 0
    case v: BitVector => v.toBigInt
  }
  def set(leaf: BaseType, value: BigInt): Unit = leaf match {
    case b: Bool => b #= (value & 1) != 0
    case v: BitVector => v #= value & ((BigInt(1) << v.getWidth) - 1)
  }
}

/** Memory behind an AXI4 port that reads buckets and writes single entries: stalls and answers when it likes.
  *
  * Data reach the memory only when the write is answered, and a read sees memory as it is when it is answered.
  */
class BucketMemorySim(axi: Axi4, random: Random, stall: Double, latency: Int, damaged: Long => Boolean, complain: Complaints) {
  val words = mutable.LongMap.empty[Long]
  var reads, writes = 0
  private var now = 0L
  private var read: Option[(Long, Long)] = None
  private var address, data: Option[Long] = None
  private var dataWords = Seq.empty[(Int, Long)]
  private var writeDue: Option[Long] = None

  axi.ar.ready #= false
  axi.aw.ready #= false
  axi.w.ready #= false
  axi.r.valid #= false
  axi.b.valid #= false
  def busy: Boolean = read.nonEmpty || address.nonEmpty || data.nonEmpty || writeDue.nonEmpty

  def step(): Unit = {
    now += 1
    takeRead()
    takeWrite()
    val offer = random.nextDouble() >= stall
    axi.ar.ready #= offer && read.isEmpty
    axi.aw.ready #= random.nextDouble() >= stall
    axi.w.ready #= random.nextDouble() >= stall
  }

  private def later = now + random.nextInt(latency + 1)

  private def single(ax: Axi4Ax): Unit =
    complain.require(
      ax.len.toInt == 0 && ax.size.toInt == 6 && ax.burst.toInt == 1 && ax.addr.toLong % 64 == 0,
      s"an access at ${ax.addr.toLong} is not one whole INCR beat"
    )

  private def takeRead(): Unit = {
    if (axi.r.valid.toBoolean && axi.r.ready.toBoolean) {
      axi.r.valid #= false
      read = None
    }
    if (axi.ar.valid.toBoolean && axi.ar.ready.toBoolean) {
      single(axi.ar)
      reads += 1
      read = Some(axi.ar.addr.toLong -> later)
    }
    for ((at, due) <- read if due <= now && !axi.r.valid.toBoolean) {
      val bad = damaged(at / 64)
      axi.r.valid #= true
      axi.r.last #= true
      axi.r.id #= 0
      axi.r.resp #= (if (bad) 2 else 0)
      axi.r.data #= (0 until 8).map { i =>
        val word = if (bad) random.nextLong() else words.getOrElse(at + 8 * i, 0L)
        (BigInt(word) & BigInt("ffffffffffffffff", 16)) << (64 * i)
      }.reduce(_ | _)
    }
  }

  private def takeWrite(): Unit = {
    if (axi.b.valid.toBoolean && axi.b.ready.toBoolean) axi.b.valid #= false
    if (axi.aw.valid.toBoolean && axi.aw.ready.toBoolean) {
      single(axi.aw)
      complain.require(address.isEmpty, "a second write before the answer of the first")
      address = Some(axi.aw.addr.toLong)
    }
    if (axi.w.valid.toBoolean && axi.w.ready.toBoolean) {
      complain.require(axi.w.last.toBoolean, "a single beat is not marked as last")
      val strobe = axi.w.strb.toBigInt
      val beat = axi.w.data.toBigInt
      val chosen = (0 until 8).filter(i => ((strobe >> 8 * i) & 0xff) == 0xff)
      complain.require(chosen.size == 1 && strobe.bitCount == 8, s"strobe ${strobe.toString(16)} does not choose one entry")
      dataWords = chosen.map(i => i -> (beat >> 64 * i).toLong)
      data = Some(0)
    }
    if (address.nonEmpty && data.nonEmpty && writeDue.isEmpty) writeDue = Some(later)
    if (writeDue.exists(_ <= now) && !axi.b.valid.toBoolean) {
      writes += 1
      for ((i, word) <- dataWords) words(address.get + 8 * i) = word
      axi.b.valid #= true
      axi.b.id #= 0
      axi.b.resp #= 0
      address = None
      data = None
      writeDue = None
    }
  }
}
