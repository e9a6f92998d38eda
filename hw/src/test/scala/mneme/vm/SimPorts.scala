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

/** Memory behind an AXI4 port that reads buckets and writes single entries: stalls and answers when it likes, each direction in order.
  *
  * Data reach the memory only when the write is answered, and a read sees memory as it is when it is answered.
  */
class BucketMemorySim(axi: Axi4, random: Random, stall: Double, latency: Int, damaged: Long => Boolean, complain: Complaints) {
  private case class Due(address: Long, at: Long)
  val words = mutable.LongMap.empty[Long]
  var reads, writes = 0
  /** Share of writes that answer with an error: half of these take effect all the same. */
  var writeErrors = 0.0
  /** So many words at most are behind what was written to them. */
  var mostBehind = Int.MaxValue
  private val behind = mutable.Set.empty[Long]
  /** Such writes: where, what, whether it took effect, when. */
  case class Refused(address: Long, word: Long, applied: Boolean, at: Long)
  val refused = mutable.ArrayBuffer.empty[Refused]
  /** Reads and writes in flight, the most that there were. */
  var mostReads, mostWrites = 0
  private var now = 0L
  private val reading = mutable.Queue.empty[Due]
  private val addressed = mutable.Queue.empty[Long]
  private val given = mutable.Queue.empty[(Int, Long)]
  private val writing = mutable.Queue.empty[(Due, (Int, Long))]

  def start(): Unit = {
    Seq(axi.ar.ready, axi.aw.ready, axi.w.ready, axi.r.valid, axi.b.valid).foreach(_ #= false)
    Seq(reading, addressed, given, writing).foreach(_.clear())
  }
  start()
  def busy: Boolean = Seq(reading, addressed, given, writing).exists(_.nonEmpty)

  def step(): Unit = {
    now += 1
    takeRead()
    takeWrite()
    Seq(axi.ar.ready, axi.aw.ready, axi.w.ready).foreach(_ #= random.nextDouble() >= stall)
  }

  private def later = now + random.nextInt(latency + 1)

  private def single(ax: Axi4Ax): Unit =
    complain.require(
      ax.len.toInt == 0 && ax.size.toInt == 6 && ax.burst.toInt == 1 && ax.addr.toLong % 64 == 0,
      s"an access at ${ax.addr.toLong} is not one whole INCR beat"
    )

  private def takeRead(): Unit = {
    if (axi.r.valid.toBoolean) {
      complain.require(axi.r.ready.toBoolean, "data of a read is not taken at once")
      axi.r.valid #= false
    }
    if (axi.ar.valid.toBoolean && axi.ar.ready.toBoolean) {
      single(axi.ar)
      reads += 1
      reading += Due(axi.ar.addr.toLong, later)
      mostReads = mostReads max reading.size
    }
    for (read <- reading.headOption if read.at <= now && (latency == 0 || random.nextDouble() >= stall)) {
      reading.dequeue()
      val bad = damaged(read.address / 64)
      axi.r.valid #= true
      axi.r.last #= true
      axi.r.id #= 0
      axi.r.resp #= (if (bad) 2 else 0)
      axi.r.data #= (0 until 8).map { i =>
        val word = if (bad) random.nextLong() else words.getOrElse(read.address + 8 * i, 0L)
        (BigInt(word) & BigInt("ffffffffffffffff", 16)) << (64 * i)
      }.reduce(_ | _)
    }
  }

  private def takeWrite(): Unit = {
    if (axi.b.valid.toBoolean) {
      complain.require(axi.b.ready.toBoolean, "the answer of a write is not taken at once")
      axi.b.valid #= false
    }
    if (axi.aw.valid.toBoolean && axi.aw.ready.toBoolean) {
      single(axi.aw)
      addressed += axi.aw.addr.toLong
    }
    if (axi.w.valid.toBoolean && axi.w.ready.toBoolean) {
      complain.require(axi.w.last.toBoolean, "a single beat is not marked as last")
      val strobe = axi.w.strb.toBigInt
      val beat = axi.w.data.toBigInt
      val chosen = (0 until 8).filter(i => ((strobe >> 8 * i) & 0xff) == 0xff)
      complain.require(chosen.size == 1 && strobe.bitCount == 8, s"strobe ${strobe.toString(16)} does not choose one entry")
      for (i <- chosen) given += i -> (beat >> 64 * i).toLong
    }
    if (addressed.nonEmpty && given.nonEmpty) writing += Due(addressed.dequeue(), later) -> given.dequeue()
    mostWrites = mostWrites max writing.size
    for ((due, (slot, word)) <- writing.headOption if due.at <= now) {
      writing.dequeue()
      writes += 1
      val address = due.address + 8 * slot
      val fails = writeErrors > 0 && random.nextDouble() < writeErrors && (behind(address) || behind.size < mostBehind)
      if (fails) behind += address else behind -= address
      val applied = !fails || random.nextBoolean()
      if (fails) refused += Refused(address, word, applied, now)
      if (applied) words(address) = word
      axi.b.valid #= true
      axi.b.id #= 0
      axi.b.resp #= (if (fails) 2 else 0)
    }
  }
}
