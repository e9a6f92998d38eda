package mneme.mem

import mneme.CBoardConfig
import mneme.wire.Wire

import scala.util.Random

/** A request as a bench asks for it. `address` is physical, inside the bench's window. */
case class Ask(
    opcode: Int,
    address: Int = 0,
    length: Int = 0,
    payload: Array[Byte] = Array.empty,
    operand0: Long = 0,
    operand1: Long = 0,
    answered: Option[Int] = None,
    zeros: Boolean = false,
    /** Where the data of a write begin at the door; anywhere. */
    dataOffset: Option[Int] = None
) {
  def isRead: Boolean = answered.isEmpty && !zeros && opcode == Wire.Opcode.READ
  def isWrite: Boolean = answered.isEmpty && opcode == Wire.Opcode.WRITE
  def isFence: Boolean = answered.isEmpty && opcode == Wire.Opcode.FENCE
  def isAtomic: Boolean = answered.isEmpty && Ask.atomics.contains(opcode)
  def lines: Range = (address >> 6) to ((address + length - 1) >> 6)
  /** Bursts on the memory port, none over a 4 KB border: first byte and lines. */
  def spans: Seq[(Int, Int)] = lines.groupBy(_ >> 6).toSeq.sortBy(_._1).map { case (_, lines) => (lines.head << 6, lines.size) }
}

object Ask {
  val atomics: Seq[Int] = Seq(Wire.Opcode.COMPARE_SWAP, Wire.Opcode.FETCH_ADD, Wire.Opcode.SWAP)
}

/** Lines whose accesses fail: `broken` for reads and writes, `readOnly` for writes alone, `unreadable` for reads alone. Writes change nothing in them, but for
  * those of `unsure`, which are told to have failed and take effect all the same.
  */
case class BadLines(broken: Set[Int] = Set.empty, readOnly: Set[Int] = Set.empty, unreadable: Set[Int] = Set.empty, unsure: Set[Int] = Set.empty) {
  def read(line: Int): Boolean = broken(line) || unreadable(line)
  def write(line: Int): Boolean = lost(line) || unsure(line)
  def lost(line: Int): Boolean = broken(line) || readOnly(line)
}

/** What must come out for a request. A payload byte that cannot be known (its beat failed) is None. */
case class Expected(ask: Ask, status: Int, result: Long, payload: Array[Byte], beatErrors: Seq[Boolean], stores: Boolean)

/** Requests executed one after another on an array of bytes: what the hardware must equal. */
class Reference(val memory: Array[Byte], bad: BadLines) {
  def execute(ask: Ask): Expected = ask.answered match {
    case Some(status) => Expected(ask, status, 0, Array.empty, Nil, stores = false)
    case None if ask.isRead => read(ask)
    case None if ask.isWrite => write(ask)
    case None if ask.isAtomic => atomic(ask)
    case None => Expected(ask, Wire.Status.OK, 0, Array.empty, Nil, stores = false)
  }

  private def read(ask: Ask): Expected = {
    val bytes = memory.slice(ask.address, ask.address + ask.length)
    val errors = (0 until ask.length by 64).map { from =>
      val lines = ((ask.address + from) >> 6) to ((ask.address + (from + 64 min ask.length) - 1) >> 6)
      lines.exists(bad.read)
    }
    Expected(ask, Wire.Status.OK, 0, bytes, errors, stores = false)
  }

  private def write(ask: Ask): Expected = {
    for (i <- 0 until ask.length if !bad.lost((ask.address + i) >> 6)) memory(ask.address + i) = ask.payload(i)
    Expected(ask, if (ask.lines.exists(bad.write)) Wire.Status.MEMERR else Wire.Status.OK, 0, Array.empty, Nil, stores = true)
  }

  private def atomic(ask: Ask): Expected = {
    val line = ask.address >> 6
    val old = (7 to 0 by -1).foldLeft(0L)((word, i) => (word << 8) | (memory(ask.address + i) & 0xff))
    val stores = !bad.read(line) && (ask.opcode != Wire.Opcode.COMPARE_SWAP || old == ask.operand0)
    val value = ask.opcode match {
      case Wire.Opcode.COMPARE_SWAP => ask.operand1
      case Wire.Opcode.FETCH_ADD => old + ask.operand0
      case _ => ask.operand0
    }
    if (stores && !bad.lost(line)) for (i <- 0 until 8) memory(ask.address + i) = (value >> (8 * i)).toByte
    val failed = bad.read(line) || (stores && bad.write(line))
    Expected(ask, if (failed) Wire.Status.MEMERR else Wire.Status.OK, old, Array.empty, Nil, stores)
  }
}

/** Seeded requests. */
class Stimulus(c: CBoardConfig, windowBytes: Int, random: Random) {
  private def bytes(n: Int): Array[Byte] = { val b = new Array[Byte](n); random.nextBytes(b); b }

  def write(address: Int, length: Int): Ask = Ask(Wire.Opcode.WRITE, address, length, bytes(length))
  def read(address: Int, length: Int): Ask = Ask(Wire.Opcode.READ, address, length)

  /** Sizes at which something changes, and a few others. */
  val sizes: Seq[Int] = Seq(1, 2, 7, 8, 31, 63, 64, 65, 127, 128, 129, 1 + random.nextInt(c.maxPayload), c.maxPayload - 1, c.maxPayload)

  /** Every offset within a line at every size, each written, then read back with its neighbours. */
  def everyAlignment: Seq[Ask] = for {
    offset <- 0 until 64
    size <- random.shuffle(sizes)
    base = random.nextInt((windowBytes - c.maxPayload - 128) / 64) * 64 + offset
    ask <- Seq(write(base, size), read(base, size))
  } yield ask

  /** Writes from every offset at the door to every offset within a line, of many sizes, each read back with its neighbours. */
  def everyShift: Seq[Ask] = for {
    (from, to) <- random.shuffle(for (from <- 0 until 64; to <- 0 until 64) yield (from, to))
    size = Seq(1 + random.nextInt(64), 64 - from, 64 - to, 1 + random.nextInt(200), sizes(random.nextInt(8)))(random.nextInt(5))
    base = 64 * (1 + random.nextInt((windowBytes - c.maxPayload) / 64 - 4)) + to
    ask <- Seq(write(base, size).copy(dataOffset = Some(from + 64 * random.nextInt(4))), read(base - 1 - random.nextInt(64), size + 66))
  } yield ask

  /** Spans around every 4 KB border of the window. */
  def everyBorder: Seq[Ask] = for {
    border <- 4096 until windowBytes by 4096
    before <- Seq(1, 63, 64, 65, 200)
    size <- Seq(before, before + 1, before + 64, c.maxPayload)
    if border - before + size <= windowBytes
    ask <- Seq(write(border - before, size), read(border - before, size))
  } yield ask

  /** A mix; most of it falls on `hot` bytes, so that requests meet each other's. */
  def mix(count: Int, hot: Int): Seq[Ask] = Seq.fill(count) {
    val span = if (random.nextInt(8) == 0) windowBytes else hot
    val length = size() min span
    val address = random.nextInt(span - length + 1)
    random.nextInt(20) match {
      case n if n < 7 => read(address, length)
      case n if n < 14 => write(address, length)
      case n if n < 16 => atomic(random.nextInt(hot / 8) * 8)
      // Its address means nothing.
      case 16 => Ask(Wire.Opcode.FENCE, address = random.nextInt(windowBytes))
      case 17 => read(address, length).copy(zeros = true)
      case _ => answered(address, length)
    }
  }

  /** Runs of one kind, so that directions hold and then change. */
  def runs(count: Int, hot: Int): Seq[Ask] = Iterator.continually {
    val writes = random.nextBoolean()
    Seq.fill(1 + random.nextInt(12)) {
      val length = 1 + random.nextInt(96)
      val address = random.nextInt(hot - length)
      if (writes) write(address, length) else read(address, length)
    }
  }.flatten.take(count).toSeq

  /** Reads alone, large ones: more data than the board can hold. */
  def largeReads(count: Int): Seq[Ask] = Seq.fill(count) {
    val length = c.maxPayload - random.nextInt(64)
    read(random.nextInt(windowBytes - length), length)
  }

  private def size(): Int = random.nextInt(6) match {
    case 0 => sizes(random.nextInt(sizes.size))
    case 1 => 1 + random.nextInt(c.maxPayload)
    case _ => 1 + random.nextInt(160)
  }

  private def atomic(address: Int): Ask = {
    val opcode = Ask.atomics(random.nextInt(3))
    // Words of few values, so that compare-and-swap finds what it expects now and then.
    Ask(opcode, address, 8, operand0 = random.nextInt(2).toLong, operand1 = random.nextInt(2).toLong)
  }

  private def answered(address: Int, length: Int): Ask = {
    val status = Wire.Status.all(random.nextInt(Wire.Status.all.size))._2
    val opcode = Seq(Wire.Opcode.READ, Wire.Opcode.WRITE, Wire.Opcode.SWAP, Wire.Opcode.FENCE, 0x7f)(random.nextInt(5))
    Ask(opcode, address, length, answered = Some(status))
  }
}
