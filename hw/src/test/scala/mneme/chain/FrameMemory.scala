package mneme.chain

import mneme.mem.Stall
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Memory behind a way to frames, as `FrameDoor` tells it: writes in their order, data asked for beat by beat. It fails on a token that nobody may offer. */
class FrameMemory(door: FrameDoor, random: Random) {
  private case class Item(context: Int, address: Long, length: Int, offset: Int) {
    val beats: Int = (offset + length + 63) / 64
  }
  val frames = mutable.Map[Int, Array[Byte]]()
  /** Frames whose memory fails. */
  val breaks = mutable.Set[Int]()
  /** Cycles from a token to the first beat that is asked for, and from the last one to its end. */
  var (before, after) = (0, 0)
  private var now = 0L
  private val waiting = mutable.Queue[(Item, Long)]()
  private var current = Option.empty[(Item, mutable.ArrayBuffer[Array[Byte]])]
  private var asked = 0
  private val ended = mutable.Queue[(Item, Long)]()
  private var stalls = Seq.fill(3)(new Stall(random, false))

  def isIdle: Boolean = waiting.isEmpty && current.isEmpty && ended.isEmpty

  def reset(jitter: Boolean): Unit = {
    stalls = Seq.fill(3)(new Stall(random, jitter))
    before = if (jitter) random.nextInt(100) else 0
    after = if (jitter) random.nextInt(100) else 0
    for (queue <- Seq(waiting, ended)) queue.clear()
    for (map <- Seq(frames)) map.clear()
    breaks.clear()
    current = None
    asked = 0
    door.tokens.ready #= false
    door.data.fetch.valid #= false
    door.data.completions.valid #= false
    door.data.payload.valid #= false
  }

  /** Looks at one cycle, and sets what the next one shows. */
  def step(): Unit = {
    now += 1
    val (token, fetch, ends) = (door.tokens, door.data.fetch, door.data.completions)
    if (ends.valid.toBoolean && ends.ready.toBoolean) {
      ended.dequeue()
      ends.valid #= false
    }
    if (door.data.fetched.valid.toBoolean) current.get._2 += door.data.fetched.payload.toBytes
    val fetches = fetch.valid.toBoolean && fetch.ready.toBoolean
    if (fetches) asked += 1
    if (token.valid.toBoolean && token.ready.toBoolean) take()
    for ((item, beats) <- current if beats.size == item.beats) {
      write(item, beats.flatten.toArray)
      ended += ((item, now + after))
      current = None
    }
    if (current.isEmpty && waiting.headOption.exists(_._2 <= now)) {
      current = Some((waiting.dequeue()._1, mutable.ArrayBuffer()))
      asked = 0
    }
    if (!fetch.valid.toBoolean || fetches) {
      val wants = current.exists { case (item, _) => asked < item.beats } && stalls(0).go()
      fetch.valid #= wants
      for ((item, _) <- current if wants) {
        fetch.context #= item.context
        fetch.beat #= asked
      }
    }
    token.ready #= waiting.size < 8 && stalls(1).go()
    for ((item, due) <- ended.headOption if due <= now && !ends.valid.toBoolean && stalls(2).go()) {
      ends.valid #= true
      ends.context #= item.context
      ends.report.outcome.status #= (if (breaks((item.address >> 12).toInt)) mneme.wire.Wire.Status.MEMERR else mneme.wire.Wire.Status.OK)
    }
  }

  private def take(): Unit = {
    val t = door.tokens
    val item = Item(t.context.toInt, t.address.toLong, t.length.toInt, t.dataOffset.toInt)
    assert(t.writes.toBoolean && item.offset < 64 && item.length >= 1 && (item.address & 4095) + item.length <= 4096, s"$item")
    assert(!(waiting.map(_._1) ++ current.map(_._1) ++ ended.map(_._1)).exists(_.context == item.context), "a context is used twice")
    waiting += ((item, now + before))
  }

  private def write(item: Item, bytes: Array[Byte]): Unit = {
    val frame = frames.getOrElseUpdate((item.address >> 12).toInt, new Array[Byte](4096))
    System.arraycopy(bytes, item.offset, frame, (item.address & 4095).toInt, item.length)
  }
}
