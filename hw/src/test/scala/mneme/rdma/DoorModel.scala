package mneme.rdma

import mneme.CBoardConfig
import mneme.engine.{Door, Operation}
import mneme.mem.{MemoryModel, Stall}
import mneme.wire.Wire
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** The access engine behind a door, as docs/reference/doors.md tells it: tokens of one page are done in their order, those of different pages in any;
  * a page that was never written reads as zeros, without data. It fails on a token that no door may offer.
  */
class DoorModel(c: CBoardConfig, door: Door, random: Random, jitter: Boolean) {
  private case class Item(context: Int, operation: Int, pid: Int, va: BigInt, length: Int, offset: Int) {
    val page: BigInt = va >> c.pageBits
    val first: Int = (va & ((BigInt(1) << c.pageBits) - 1)).toInt
  }
  private case class Ended(context: Int, status: Int, zeros: Boolean, old: BigInt)

  val pages = mutable.Map[(Int, BigInt), Array[Byte]]()
  /** Statuses of pages whose accesses are not done. */
  val faults = mutable.Map[(Int, BigInt), Int]()
  /** The next read's data are marked as damaged. */
  var damages = false

  private val inside = mutable.ArrayBuffer[Item]()
  private val completions = mutable.Queue[Ended]()
  private val payload = mutable.Queue[(Array[Byte], Boolean)]()
  /** The token whose data are fetched: beats so far, and how many have been asked for. */
  private var writing = Option.empty[Item]
  private val beats = mutable.ArrayBuffer[Array[Byte]]()
  private var asked = 0
  private var operandsFor = Option.empty[(Item, Int)]
  private val Seq(tokenStall, fetchStall, endStall, dataStall) = Seq.fill(4)(new Stall(random, jitter))

  def isIdle: Boolean = inside.isEmpty && completions.isEmpty && payload.isEmpty

  def reset(): Unit = {
    inside.clear()
    completions.clear()
    payload.clear()
    writing = None
    operandsFor = None
    beats.clear()
    pages.clear()
    faults.clear()
    door.tokens.ready #= false
    door.data.fetch.valid #= false
    door.data.completions.valid #= false
    door.data.payload.valid #= false
    door.data.operandsOf #= 0
  }

  private def fires(stream: spinal.lib.Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

  /** Looks at one cycle. */
  def observe(): Unit = {
    if (fires(door.data.completions)) completions.dequeue()
    if (fires(door.data.payload)) payload.dequeue()
    if (fires(door.data.fetch)) asked += 1
    if (door.data.fetched.valid.toBoolean) beats += door.data.fetched.payload.toBytes
    if (fires(door.tokens)) take()
  }

  private def take(): Unit = {
    val (token, demand) = (door.tokens, door.tokens.demand)
    val item =
      Item(token.context.toInt, demand.operation.toEnum.position, demand.pid.toInt, demand.va.toBigInt, demand.length.toInt, demand.dataOffset.toInt)
    assert(!inside.exists(_.context == item.context), s"context ${item.context} is used twice")
    val most = if (item.operation == Operation.read.position || item.operation == Operation.write.position) c.maxPayload else 8
    assert(item.length >= 1 && item.length <= most, s"a token of ${item.length} bytes")
    assert(item.first + item.length <= (1 << c.pageBits), f"a token at ${item.va}%x of ${item.length} bytes crosses a page")
    inside += item
  }

  /** Sets what the next cycle shows; `holds`: it begins nothing. */
  def drive(holds: Boolean = false): Unit = {
    if (!holds && writing.isEmpty && operandsFor.isEmpty) begin()
    for (item <- writing if beats.size == beatsOf(item)) endWrite(item)
    operandsFor match {
      case Some((item, 0)) => endAtomic(item)
      case Some((item, left)) => operandsFor = Some((item, left - 1))
      case None =>
    }
    val fetch = door.data.fetch
    if (!(fetch.valid.toBoolean && !fetch.ready.toBoolean)) {
      val wants = writing.exists(asked < beatsOf(_)) && fetchStall.go()
      fetch.valid #= wants
      for (item <- writing if wants) {
        fetch.context #= item.context
        fetch.beat #= item.offset / 64 + asked
      }
    }
    door.tokens.ready #= tokenStall.go()
    val ends = door.data.completions
    if (!(ends.valid.toBoolean && completions.nonEmpty && !ends.ready.toBoolean)) {
      val tells = completions.nonEmpty && endStall.go()
      ends.valid #= tells
      if (tells) tell(completions.head)
    }
    val data = payload.nonEmpty && dataStall.go()
    if (!(door.data.payload.valid.toBoolean && payload.nonEmpty)) door.data.payload.valid #= data
    for ((bytes, error) <- payload.headOption) {
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

  private def beatsOf(item: Item): Int = (item.offset + item.length - 1) / 64 - item.offset / 64 + 1

  /** One token that no earlier one of its page stands before. */
  private def begin(): Unit = {
    val ready = inside.zipWithIndex.collect { case (item, i) if !inside.take(i).exists(other => other.pid == item.pid && other.page == item.page) => item }
    if (ready.nonEmpty && (!jitter || random.nextInt(3) == 0)) {
      val item = if (jitter) ready(random.nextInt(ready.size)) else ready.head
      val key = (item.pid, item.page)
      if (faults.contains(key)) end(item, faults(key))
      else if (item.operation == Operation.read.position) endRead(item)
      else if (item.operation == Operation.write.position) {
        writing = Some(item)
        beats.clear()
        asked = 0
      } else {
        door.data.operandsOf #= item.context
        operandsFor = Some((item, 2))
      }
    }
  }

  private def end(item: Item, status: Int = Wire.Status.OK, zeros: Boolean = false, old: BigInt = 0): Unit = {
    inside -= item
    completions += Ended(item.context, status, zeros, old)
  }
  private def page(item: Item): Array[Byte] = pages.getOrElseUpdate((item.pid, item.page), new Array[Byte](1 << c.pageBits))

  private def endRead(item: Item): Unit = pages.get((item.pid, item.page)) match {
    case None => end(item, zeros = true)
    case Some(bytes) =>
      end(item)
      payload ++= bytes.slice(item.first, item.first + item.length).grouped(64).map(beat => (beat.padTo(64, 0.toByte), damages))
      damages = false
  }

  private def endWrite(item: Item): Unit = {
    val bytes = beats.flatten.slice(item.offset % 64, item.offset % 64 + item.length)
    bytes.copyToArray(page(item), item.first)
    writing = None
    end(item)
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
