package mneme

import spinal.core.ClockDomain
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig
import spinal.lib.bus.amba4.axi.{Axi4, Axi4Ax}

import scala.collection.mutable

/** A memory with the times of SpinalHDL's `AxiMemorySim`, for incrementing bursts of whole words. That one's threads take a turn in each cycle, which takes
  * longer than most boards' cycles; and it makes a MiB of rubbish for each read of what nobody wrote.
  */
class BenchMemory(axi: Axi4, domain: ClockDomain, config: AxiMemorySimConfig) {
  import BenchMemory._
  private case class Burst(address: Long, beats: Int, id: Long)
  private val wordBytes = axi.config.dataWidth / 8
  private val pages = mutable.LongMap[Array[Byte]]()
  private def page(address: Long): Array[Byte] = pages.getOrElseUpdate(address >> PAGE_BITS, Array.fill(1 << PAGE_BITS)(RUBBISH))
  private def within(address: Long): Int = (address & ((1 << PAGE_BITS) - 1)).toInt

  /** Lines whose reads meet an error, by their first byte. */
  val failing: mutable.Set[Long] = mutable.Set[Long]()

  def write(address: Long, bytes: Array[Byte]): Unit = for (i <- bytes.indices) page(address + i)(within(address + i)) = bytes(i)
  def read(address: Long, count: Int): Array[Byte] = Array.tabulate(count)(i => page(address + i)(within(address + i)))
  /** Of a word, the first byte last, as numbers have it. */
  private def word(address: Long): BigInt = {
    val (from, base) = (page(address), within(address))
    val bytes = new Array[Byte](wordBytes)
    for (i <- 0 until wordBytes) bytes(i) = from(base + wordBytes - 1 - i)
    BigInt(1, bytes)
  }
  private def write(address: Long, word: BigInt, strobes: BigInt): Unit = {
    val (to, base, bytes) = (page(address), within(address), word.toByteArray)
    for (i <- 0 until wordBytes if strobes.testBit(i)) to(base + i) = if (i < bytes.length) bytes(bytes.length - 1 - i) else 0
  }

  /** Where commands come, as long as not too many wait. */
  private class Commands(stream: spinal.lib.Stream[_ <: Axi4Ax], most: Int) {
    val waiting = mutable.Queue[Burst]()
    private var open = true
    stream.ready #= true
    def step(): Unit = {
      if (!open) open = waiting.size < most
      else if (stream.valid.toBoolean) {
        val command = stream.payload
        val burst = Burst(command.addr.toLong, if (axi.config.useLen) command.len.toInt + 1 else 1, if (axi.config.useId) command.id.toLong else 0)
        assert(!axi.config.useSize || 1 << command.size.toInt == wordBytes, "a beat is a word")
        assert(!axi.config.useBurst || command.burst.toInt == 1, "a burst goes on from word to word")
        assert((burst.address & -wordBytes & 4095) + burst.beats * wordBytes <= 4096, s"a burst over a bound of 4 KiB: $burst")
        waiting.enqueue(burst)
        open = waiting.size < most
      }
      stream.ready #= open
    }
  }

  private val reads = new Commands(axi.ar, config.maxOutstandingReads)
  private object answers {
    private var beat, rest = 0
    private var shown = false
    private val r = axi.r
    r.valid #= false
    private def offer(): Unit = {
      val burst = reads.waiting.front
      // As long as it does not stop.
      while (rest == 0 && !shown)
        if (config.interruptProbability > 0 && simRandom.nextInt(100) < config.interruptProbability) {
          r.valid #= false
          rest = simRandom.nextInt(config.interruptMaxDelay + 1)
        } else {
          r.valid #= true
          if (axi.config.useLast) r.last #= beat == burst.beats - 1
          if (axi.config.useId) r.id #= burst.id
          val at = (burst.address & -wordBytes) + beat * wordBytes
          if (axi.config.useResp) r.resp #= (if (failing.contains(at & -64)) SLVERR else 0)
          r.data #= word(at)
          shown = true
        }
    }
    def step(): Unit = {
      if (rest > 0) rest -= 1
      if (shown && r.ready.toBoolean) {
        shown = false
        beat += 1
        if (beat == reads.waiting.front.beats) {
          beat = 0
          reads.waiting.dequeue()
          r.valid #= false
          if (axi.config.useLast) r.last #= false
        }
      }
      if (reads.waiting.nonEmpty) offer()
    }
  }

  private val writes = new Commands(axi.aw, config.maxOutstandingWrites)
  private object stores {
    private var beat = 0
    private var (rest, taking, done) = (LOOKS, false, false)
    axi.w.ready #= false
    axi.b.valid #= false
    private def look(): Unit =
      if (writes.waiting.isEmpty) rest = LOOKS
      else {
        taking = true
        axi.w.ready #= true
      }
    private def take(): Unit = {
      val burst = writes.waiting.front
      write((burst.address & -wordBytes) + beat * wordBytes, axi.w.data.toBigInt, if (axi.config.useStrb) axi.w.strb.toBigInt else all)
      beat += 1
      if (beat == burst.beats) {
        beat = 0
        taking = false
        axi.w.ready #= false
        rest = config.writeResponseDelay
        done = true
        if (rest == 0) answer()
      }
    }
    private def answer(): Unit = {
      axi.b.valid #= true
      if (axi.config.useId) axi.b.id #= writes.waiting.front.id
      if (axi.config.useResp) axi.b.resp #= 0
    }
    def step(): Unit =
      if (rest > 0) {
        rest -= 1
        if (rest == 0) if (done) answer() else look()
      } else if (taking) {
        if (axi.w.valid.toBoolean) take()
      } else if (axi.b.ready.toBoolean) {
        axi.b.valid #= false
        writes.waiting.dequeue()
        done = false
        rest = LOOKS
      }
  }
  private val all = (BigInt(1) << wordBytes) - 1

  // Their lines are still from the start.
  private val (answering, storing) = (answers, stores)
  domain.onSamplings {
    reads.step()
    answering.step()
    writes.step()
    storing.step()
  }
}

object BenchMemory {
  private val PAGE_BITS = 12
  /** What a byte is that nobody wrote. */
  private val RUBBISH = 0xcd.toByte
  private val SLVERR = 2
  /** Cycles after which it looks for writes once more. */
  private val LOOKS = 10
}
