package mneme.rdma

import mneme.CBoardConfig
import mneme.engine.{Door, Operation}
import mneme.mem.{MemoryModel, Stall}
import mneme.wire.Wire
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** The access engine behind a door, as docs/reference/doors.md tells it: tokens of one page are done in their order, those of different pages in any;
  * a page that was never written reads as zeros, without data. Data of a write are asked for while the last beats of the one before come, a beat in each
  * cycle without jitter. It fails on a token that no door may offer.
  */
class DoorModel(c: CBoardConfig, door: Door, random: Random, jitter: Boolean) {
  private case class Item(context: Int, operation: Int, pid: Int, va: BigInt, length: Int, offset: Int, at: Long) {
    val page: BigInt = va >> c.pageBits
    val first: Int = (va & ((BigInt(1) << c.pageBits) - 1)).toInt
  }
  private case class Ended(context: Int, status: Int, zeros: Boolean, old: BigInt, due: Long)

  val pages = mutable.Map[(Int, BigInt), Array[Byte]]()
  /** Statuses of pages whose accesses are not done. */
  val faults = mutable.Map[(Int, BigInt), Int]()
  /** Cycles from a token to its page's being known; from a write's last beat to its completion. */
  var (grantsAfter, endsAfter) = (0, 0)
  private var now = 0L
  /** Pages whose memory fails under a write, after its data have been asked for. */
  val breaks = mutable.Set[(Int, BigInt)]()
  /** The next read's data are marked as damaged. */
  var damages = false
  /** No data of reads come. */
  var keepsData = false
  /** Reads whose data have not all been taken, and most of them at a time. */
  private var reads = 0
  var mostReads = 0

  private val inside = mutable.ArrayBuffer[Item]()
  private val completions = mutable.Queue[Ended]()
  /** A beat, whether it is marked, and whether it is its read's last one. */
  private val payload = mutable.Queue[(Array[Byte], Boolean, Boolean)]()
  /** Writes whose data are asked for, in order, with the beats that have come, and how many of the last one's have been asked for. */
  private case class Writing(item: Item) { val beats = mutable.ArrayBuffer[Array[Byte]]() }
  private val writing = mutable.Queue[Writing]()
  private var asked = 0
  private var operandsFor = Option.empty[(Item, Int)]
  private val Seq(tokenStall, fetchStall, endStall, dataStall) = Seq.fill(4)(new Stall(random, jitter))

  def isIdle: Boolean = inside.isEmpty && writing.isEmpty && operandsFor.isEmpty && completions.isEmpty && payload.isEmpty

  def reset(): Unit = {
    inside.clear()
    completions.clear()
    payload.clear()
    reads = 0
    writing.clear()
    operandsFor = None
    pages.clear()
    faults.clear()
    breaks.clear()
    door.tokens.ready #= false
    door.data.fetch.valid #= false
    door.data.completions.valid #= false
    door.data.payload.valid #= false
    door.data.operandsOf #= 0
  }

  private def fires(stream: spinal.lib.Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

  /** Looks at one cycle. */
  def observe(): Unit = {
    now += 1
    if (fires(door.data.completions)) completions.dequeue()
    if (fires(door.data.payload) && payload.dequeue()._3) reads -= 1
    if (fires(door.data.fetch)) asked += 1
    if (door.data.fetched.valid.toBoolean) writing.find(w => w.beats.size < beatsOf(w.item)).get.beats += door.data.fetched.payload.toBytes
    if (fires(door.tokens)) take()
  }

  private def take(): Unit = {
    val (token, demand) = (door.tokens, door.tokens.demand)
    val item =
      Item(token.context.toInt, demand.operation.toEnum.position, demand.pid.toInt, demand.va.toBigInt, demand.length.toInt, demand.dataOffset.toInt, now)
    val others = inside ++ writing.map(_.item) ++ operandsFor.map(_._1)
    assert(!others.exists(_.context == item.context) && !completions.exists(_.context == item.context), s"context ${item.context} is used twice")
    val most = if (item.operation == Operation.read.position || item.operation == Operation.write.position) c.maxPayload else 8
    assert(item.length >= 1 && item.length <= most, s"a token of ${item.length} bytes")
    assert(item.first + item.length <= (1 << c.pageBits), f"a token at ${item.va}%x of ${item.length} bytes crosses a page")
    inside += item
    if (isRead(item)) reads += 1
    mostReads = mostReads max reads
  }
  private def isRead(item: Item): Boolean = item.operation == Operation.read.position

  /** Sets what the next cycle shows; `holds`: it begins nothing. */
  def drive(holds: Boolean = false): Unit = {
    while (writing.headOption.exists(w => w.beats.size == beatsOf(w.item))) endWrite(writing.dequeue())
    if (!holds && operandsFor.isEmpty && !asks) begin()
    operandsFor match {
      case Some((item, 0)) => endAtomic(item)
      case Some((item, left)) => operandsFor = Some((item, left - 1))
      case None =>
    }
    val fetch = door.data.fetch
    if (!(fetch.valid.toBoolean && !fetch.ready.toBoolean)) {
      val wants = asks && fetchStall.go()
      fetch.valid #= wants
      for (Writing(item) <- writing.lastOption if wants) {
        fetch.context #= item.context
        fetch.beat #= item.offset / 64 + asked
      }
    }
    door.tokens.ready #= tokenStall.go()
    val ends = door.data.completions
    if (!(ends.valid.toBoolean && completions.nonEmpty && !ends.ready.toBoolean)) {
      val tells = completions.headOption.exists(_.due <= now) && endStall.go()
      ends.valid #= tells
      if (tells) tell(completions.head)
    }
    val data = payload.nonEmpty && dataStall.go() && !keepsData
    if (!(door.data.payload.valid.toBoolean && payload.nonEmpty)) door.data.payload.valid #= data
    for ((bytes, error, _) <- payload.headOption) {
      door.data.payload.data #= MemoryModel.toBigInt(bytes)
      door.data.payload.error #= error
    }
    if (payload.isEmpty) door.data.payload.valid #= false
  }

  private def tell(ended: Ended): Unit = {
    val out = door.data.completions
    out.context #= ended.context
    out.report.outcome.status #= ended.status
    out.report.zeros #= ended.zeros
    out.old #= ended.old
  }

  private def asks: Boolean = writing.lastOption.exists(w => asked < beatsOf(w.item))
  private def beatsOf(item: Item): Int = (item.offset + item.length - 1) / 64 - item.offset / 64 + 1

  /** One token that no earlier one of its page stands before: a write may follow a write whose data have been asked for. */
  private def begin(): Unit = {
    def stands(other: Item, item: Item) = other.pid == item.pid && other.page == item.page
    val isWrite = (item: Item) => item.operation == Operation.write.position
    val ready = inside.zipWithIndex.collect {
      case (item, i)
          if item.at + grantsAfter <= now && !inside.take(i).exists(stands(_, item)) && (isWrite(item) || !writing.exists(w => stands(w.item, item))) => item
    }
    if (ready.nonEmpty && (!jitter || random.nextInt(3) == 0)) {
      val item = if (jitter) ready(random.nextInt(ready.size)) else ready.head
      val key = (item.pid, item.page)
      if (faults.contains(key)) end(item, faults(key))
      else if (item.operation == Operation.read.position) endRead(item)
      else if (item.operation == Operation.write.position) {
        inside -= item
        writing += Writing(item)
        asked = 0
      } else {
        inside -= item
        door.data.operandsOf #= item.context
        operandsFor = Some((item, 2))
      }
    }
  }

  private def end(item: Item, status: Int = Wire.Status.OK, zeros: Boolean = false, old: BigInt = 0, after: Int = 0): Unit = {
    inside -= item // Where it has not begun.
    if (isRead(item) && (zeros || status != Wire.Status.OK)) reads -= 1
    completions += Ended(item.context, status, zeros, old, now + after)
  }
  private def page(item: Item): Array[Byte] = pages.getOrElseUpdate((item.pid, item.page), new Array[Byte](1 << c.pageBits))

  private def endRead(item: Item): Unit = pages.get((item.pid, item.page)) match {
    case None => end(item, zeros = true)
    case Some(bytes) =>
      end(item)
      val beats = bytes.slice(item.first, item.first + item.length).grouped(64).map(_.padTo(64, 0.toByte)).toSeq
      payload ++= beats.zipWithIndex.map { case (beat, i) => (beat, damages, i == beats.size - 1) }
      damages = false
  }

  private def endWrite(w: Writing): Unit = {
    val item = w.item
    val bytes = w.beats.flatten.slice(item.offset % 64, item.offset % 64 + item.length).toArray
    if (breaks((item.pid, item.page))) end(item, Wire.Status.MEMERR, after = endsAfter)
    else {
      bytes.copyToArray(page(item), item.first)
      end(item, after = endsAfter)
    }
  }

  private def endAtomic(item: Item): Unit = {
    val mask = (BigInt(1) << 64) - 1
    val operands = door.data.operands.toBigInt
    val (low, high) = (operands & mask, operands >> 64)
    val bytes = page(item)
    val old = MemoryModel.toBigInt(bytes.slice(item.first, item.first + 8))
    val word =
      if (item.operation == Operation.fetchAdd.position) (old + low) & mask
      else if (old == low) high
      else old
    for (i <- 0 until 8) bytes(item.first + i) = (word >> (8 * i)).toByte
    operandsFor = None
    end(item, old = old)
  }
}
