package mneme.mem

import spinal.core.sim._
import spinal.lib.bus.amba4.axi.Axi4

import scala.collection.mutable
import scala.util.Random

/** The bench found a difference. */
class BenchFailure(message: String) extends Exception(message)

/** A port's willingness: the share of cycles in which it stalls changes every few hundred cycles. */
class Stall(random: Random, on: Boolean) {
  private var share = 0.0
  private var left = 0

  def go(): Boolean = {
    if (left == 0) {
      left = 50 + random.nextInt(300)
      share = Seq(0.0, 0.0, 0.1, 0.1, 0.5, 0.5, 0.9, 1.0)(random.nextInt(8))
    }
    left -= 1
    !on || random.nextDouble() >= share
  }
}

/** How long the memory model takes, in cycles. `jitter`: with random stalls on every channel, and effects early or late at random. */
case class Timing(latency: Int, jitter: Boolean)

/** An AXI4 memory of `memory.length` bytes at `base`, with checks of the rules a master must keep.
  *
  * Adversarial within AXI: a read takes its bytes when its address arrives or when its data leaves, a write takes effect when its data
  * arrives or when it is acknowledged, so a master that orders reads and writes by anything but R and B is found out.
  */
class MemoryModel(mem: Axi4, base: BigInt, val memory: Array[Byte], bad: BadLines, timing: Timing, random: Random, ids: Int = 4) {
  private case class Read(address: Int, beats: Int, id: Int, at: Long, early: Option[Array[Byte]])
  private case class Write(address: Int, beats: Int, id: Int, late: Boolean) {
    var next = 0
    var failed = false
    var at = 0L
    val effects = mutable.ArrayBuffer[(Int, Byte)]()
  }

  /** What went over the port. */
  var readBeats, writeBeats = 0
  /** Writes acknowledged, by id. */
  val acknowledged: Array[Int] = Array.fill(ids)(0)
  /** Told of each read's first byte, beats and id when its address comes, and of its id when its last beat has gone. */
  var onRead: (Int, Int, Int) => Unit = (_, _, _) => ()
  var onReadEnd: Int => Unit = _ => ()

  private val reads = mutable.Queue[Read]()
  private val writes = mutable.Queue[Write]()
  private val acknowledges = mutable.Queue[Write]()
  private var beat = 0
  private var rValid, bValid = false
  private val Seq(arStall, rStall, awStall, wStall, bStall) = Seq.fill(5)(new Stall(random, timing.jitter))

  private def fail(message: String) = throw new BenchFailure(s"memory port: $message")

  def reset(): Unit = {
    mem.ar.ready #= false
    mem.aw.ready #= false
    mem.w.ready #= false
    mem.r.valid #= false
    mem.b.valid #= false
  }

  private def check(address: BigInt, len: Int, size: Int, burst: Int, id: Int): Int = {
    val from = (address - base).toInt
    val bytes = (len + 1) * 64
    if (address < base || from + bytes > memory.length) fail(f"burst at 0x$address%x of ${len + 1} beats lies outside the window")
    if (size != 6 || burst != 1) fail(s"size $size, burst $burst: beats of 64 bytes, INCR, are wanted")
    if ((from & 63) != 0) fail(f"burst at 0x$address%x is not aligned to a line")
    if ((from >> 12) != ((from + bytes - 1) >> 12)) fail(f"burst at 0x$address%x of ${len + 1} beats crosses a 4 KB border")
    if (id >= ids) fail(s"id $id is not one of $ids")
    from
  }

  private def delay(): Int = timing.latency + (if (timing.jitter) random.nextInt(60) else 0)

  /** After a clock edge: takes what was handed over at that edge, then sets the next cycle's signals. */
  def step(cycle: Long): Unit = {
    takeAddresses(cycle)
    takeData(cycle)
    if (mem.r.valid.toBoolean && !mem.r.ready.toBoolean) fail("R was refused: an AR went out without room for its data")
    if (rValid) advanceRead()
    if (bValid && mem.b.ready.toBoolean) {
      val done = acknowledges.dequeue()
      done.effects.foreach { case (at, byte) => memory(at) = byte }
      acknowledged(done.id) += 1
      bValid = false
    }
    drive(cycle)
  }

  private def takeAddresses(cycle: Long): Unit = {
    if (mem.ar.valid.toBoolean && mem.ar.ready.toBoolean) {
      val from = check(mem.ar.addr.toBigInt, mem.ar.len.toInt, mem.ar.size.toInt, mem.ar.burst.toInt, mem.ar.id.toInt)
      val beats = mem.ar.len.toInt + 1
      val early = if (timing.jitter && random.nextBoolean()) Some(memory.slice(from, from + beats * 64)) else None
      reads += Read(from, beats, mem.ar.id.toInt, cycle + delay(), early)
      onRead(from, beats, mem.ar.id.toInt)
    }
    if (mem.aw.valid.toBoolean && mem.aw.ready.toBoolean) {
      val from = check(mem.aw.addr.toBigInt, mem.aw.len.toInt, mem.aw.size.toInt, mem.aw.burst.toInt, mem.aw.id.toInt)
      // Writes of one id take effect in order: nothing may overtake one that is late.
      val late = timing.jitter && ((writes ++ acknowledges).exists(_.late) || random.nextInt(4) == 0)
      writes += Write(from, mem.aw.len.toInt + 1, mem.aw.id.toInt, late)
    }
  }

  private def takeData(cycle: Long): Unit = if (mem.w.valid.toBoolean && mem.w.ready.toBoolean) {
    if (writes.isEmpty) fail("W came before its AW")
    val write = writes.head
    val from = write.address + 64 * write.next
    val data = mem.w.data.toBytes
    val strobe = mem.w.strb.toBigInt
    write.failed |= bad.write(from >> 6)
    for (i <- 0 until 64 if strobe.testBit(i) && !bad.lost(from >> 6))
      if (write.late) write.effects += ((from + i, data(i))) else memory(from + i) = data(i)
    write.next += 1
    writeBeats += 1
    if (mem.w.last.toBoolean != (write.next == write.beats)) fail(s"W last is wrong at beat ${write.next} of ${write.beats}")
    if (write.next == write.beats) {
      write.at = cycle + delay()
      acknowledges += writes.dequeue()
    }
  }

  private def advanceRead(): Unit = {
    rValid = false
    readBeats += 1
    beat += 1
    if (beat == reads.head.beats) {
      beat = 0
      onReadEnd(reads.dequeue().id)
    }
  }

  private def drive(cycle: Long): Unit = {
    mem.ar.ready #= arStall.go()
    mem.aw.ready #= awStall.go()
    mem.w.ready #= wStall.go()
    if (!rValid && reads.nonEmpty && reads.head.at <= cycle && rStall.go()) {
      val read = reads.head
      val from = read.address + 64 * beat
      rValid = true
      mem.r.data #= MemoryModel.toBigInt(read.early.map(_.slice(64 * beat, 64 * beat + 64)).getOrElse(memory.slice(from, from + 64)))
      mem.r.id #= read.id
      mem.r.last #= beat == read.beats - 1
      mem.r.resp #= (if (bad.read(from >> 6)) 2 else 0)
    }
    mem.r.valid #= rValid
    if (!bValid && acknowledges.nonEmpty && acknowledges.head.at <= cycle && bStall.go()) {
      bValid = true
      mem.b.id #= acknowledges.head.id
      mem.b.resp #= (if (acknowledges.head.failed) 2 else 0)
    }
    mem.b.valid #= bValid
  }
}

object MemoryModel {
  /** Little-endian bytes as a number without sign. */
  def toBigInt(bytes: Array[Byte]): BigInt = BigInt(1, bytes.reverse)
}
