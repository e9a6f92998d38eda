package mneme.board

import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

import scala.collection.mutable
import scala.util.Random

/** Lines of the core as words of 64 bits, and back: many bursts on their way at once, errors of single words. */
class NarrowMemoryTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny
  private val size = 1 << 16
  private lazy val compiled = Simulation.config.compile(NarrowMemory(config))

  private case class Burst(line: Int, lines: Int, id: Int) {
    def address: Int = 64 * line
    /** Places of its 64-bit words. */
    def words: Range = line * 8 until (line + lines) * 8
  }

  /** A controller that answers in order, at random times; words in `broken` are errors. */
  private class Controller(port: Axi4, clock: ClockDomain, r: Random) {
    val words = Array.fill(size / 8)(BigInt(0))
    val broken = mutable.Set[Int]()
    private case class Asked(word: Int, count: Int)
    private val (reads, writes, answers) = (mutable.Queue[Int](), mutable.Queue[Asked](), mutable.Queue[Int]())
    private val came = mutable.Queue[(BigInt, Int, Boolean)]()
    private val lasts = mutable.Queue[Boolean]()
    var longest = 0
    private def asked(ax: Axi4Ax): Asked = {
      val (address, count) = (ax.addr.toInt, ax.len.toInt + 1)
      assert(ax.id.toInt == 0 && ax.size.toInt == 3 && ax.burst.toInt == 1 && address % 64 == 0 && count % 8 == 0)
      assert(address / 4096 == (address + 8 * count - 1) / 4096, "a burst ends within 4 KB")
      longest = longest max count
      Asked(address / 8, count)
    }
    private def resp(word: Int): Int = if (broken(word)) 2 else 0
    for (pin <- Seq(port.ar.ready, port.aw.ready, port.w.ready, port.r.valid, port.b.valid)) pin #= false
    clock.onSamplings {
      if (port.ar.valid.toBoolean && port.ar.ready.toBoolean) {
        val a = asked(port.ar.payload)
        for (i <- 0 until a.count) { reads += a.word + i; lasts += i == a.count - 1 }
      }
      if (port.aw.valid.toBoolean && port.aw.ready.toBoolean) writes += asked(port.aw.payload)
      if (port.w.valid.toBoolean && port.w.ready.toBoolean) came += ((port.w.data.toBigInt, port.w.strb.toInt, port.w.last.toBoolean))
      if (port.r.valid.toBoolean && port.r.ready.toBoolean) { reads.dequeue(); lasts.dequeue(); port.r.valid #= false }
      if (port.b.valid.toBoolean && port.b.ready.toBoolean) { answers.dequeue(); port.b.valid #= false }
      while (writes.nonEmpty && came.size >= writes.head.count) {
        val w = writes.dequeue()
        val given = Seq.fill(w.count)(came.dequeue())
        assert(given.map(_._3) == Seq.tabulate(w.count)(_ == w.count - 1), "last is wrong")
        for (((data, strobes, _), i) <- given.zipWithIndex; b <- 0 until 8 if (strobes >> b & 1) == 1) {
          val mask = BigInt(255) << 8 * b
          words(w.word + i) = (words(w.word + i) &~ mask) | (data & mask)
        }
        answers += (w.word until w.word + w.count).map(resp).max
      }
      // What is offered stays.
      val offersRead = port.r.valid.toBoolean && !port.r.ready.toBoolean
      if (!offersRead) port.r.valid #= reads.nonEmpty && r.nextInt(4) > 0
      for (word <- reads.headOption) { port.r.data #= words(word); port.r.resp #= resp(word); port.r.id #= 0; port.r.last #= lasts.head }
      val offersAnswer = port.b.valid.toBoolean && !port.b.ready.toBoolean
      if (!offersAnswer) port.b.valid #= answers.nonEmpty && r.nextInt(4) > 0
      for (answer <- answers.headOption) { port.b.resp #= answer; port.b.id #= 0 }
      for (ready <- Seq(port.ar.ready, port.aw.ready, port.w.ready)) ready #= r.nextInt(4) > 0
    }
  }

  /** Offers payloads one after the other, at random times. */
  private def offer[T <: Data](stream: Stream[T], clock: ClockDomain, r: Random)(items: Seq[T => Unit]): Unit = {
    stream.valid #= false
    fork {
      for (set <- items) {
        if (r.nextInt(3) == 0) clock.waitSampling(1 + r.nextInt(4))
        set(stream.payload)
        stream.valid #= true
        clock.waitSamplingWhere(stream.ready.toBoolean)
        stream.valid #= false
      }
    }
  }
  private def draw(r: Random): Burst = {
    val lines = if (r.nextInt(4) == 0) 33 + r.nextInt(32) else if (r.nextBoolean()) 1 else 1 + r.nextInt(32)
    Burst(r.nextInt(size / 4096) * 64 + r.nextInt(65 - lines), lines, r.nextInt(16))
  }

  for (seed <- 1 to 4) test(s"bursts of 1 to 64 lines, many at once, with errors; seed $seed") {
    compiled.doSim(s"bursts_$seed", seed) { dut =>
      SimTimeout(10L * 3000000)
      val r = new Random(seed)
      val (core, clock) = (dut.io.core, dut.clockDomain)
      val memory = new Controller(dut.io.port, clock, r)
      val expected = Array.fill(size / 8)(BigInt(0))
      for (stream <- Seq[Stream[_ <: Data]](core.ar, core.aw, core.w)) stream.valid #= false
      for (ready <- Seq(core.r.ready, core.b.ready)) ready #= false
      clock.forkStimulus(10)
      clock.onSamplings(for (ready <- Seq(core.r.ready, core.b.ready)) ready #= r.nextInt(4) > 0)
      clock.waitSampling(10)
      if (seed > 1) memory.broken ++= Seq.fill(300)(r.nextInt(size / 8))
      def ask(ax: Axi4Ax, b: Burst): Unit = { ax.addr #= b.address; ax.len #= b.lines - 1; ax.size #= 6; ax.burst #= 1; ax.id #= b.id }
      def isBroken(words: Range) = words.exists(memory.broken)

      val written = Seq.fill(80)(draw(r))
      val beats = for (b <- written; line <- 0 until b.lines) yield {
        val (words, strobes) = (Seq.fill(8)(BigInt(64, r)), if (r.nextBoolean()) (BigInt(1) << 64) - 1 else BigInt(64, r))
        for (i <- 0 until 8; byte <- 0 until 8 if strobes.testBit(8 * i + byte)) {
          val (at, mask) = ((b.line + line) * 8 + i, BigInt(255) << 8 * byte)
          expected(at) = (expected(at) &~ mask) | (words(i) & mask)
        }
        (words.zipWithIndex.map { case (w, i) => w << 64 * i }.sum, strobes, line == b.lines - 1)
      }
      offer(core.aw, clock, r)(written.map(b => (ax: Axi4Aw) => ask(ax, b)))
      offer(core.w, clock, r)(beats.map { case (data, strobes, last) => (w: Axi4W) => { w.data #= data; w.strb #= strobes; w.last #= last } })
      for (b <- written) {
        clock.waitSamplingWhere(core.b.valid.toBoolean && core.b.ready.toBoolean)
        assert(core.b.id.toInt == b.id && core.b.resp.toInt == (if (isBroken(b.words)) 2 else 0), s"the answer of $b")
      }
      assert(memory.words.toSeq == expected.toSeq)

      val asked = Seq.fill(120)(draw(r))
      offer(core.ar, clock, r)(asked.map(b => (ax: Axi4Ar) => ask(ax, b)))
      for (b <- asked; line <- 0 until b.lines) {
        clock.waitSamplingWhere(core.r.valid.toBoolean && core.r.ready.toBoolean)
        val words = (b.line + line) * 8 until (b.line + line + 1) * 8
        assert(core.r.data.toBigInt == words.map(expected).zipWithIndex.map { case (w, i) => w << 64 * i }.sum, s"line $line of $b")
        assert(core.r.id.toInt == b.id && core.r.last.toBoolean == (line == b.lines - 1) && core.r.resp.toInt == (if (isBroken(words)) 2 else 0))
      }
      assert(memory.longest == 256)
    }
  }
}
