package mneme.leaf

import mneme.{CBoardConfig, Simulation}
import mneme.mem.{BadLines, MemoryModel, Timing}
import org.scalatest.Assertions._
import spinal.core.{assert => _, _}
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** An operation as it is asked for. */
case class LeafAsk(
    operation: LeafOperation.E,
    segment: Int = 0,
    pid: Int = 0,
    rights: Int = 0,
    page: Int = 0,
    pages: Int = 0,
    begins: Boolean = false,
    first: Boolean = false,
    whole: Boolean = false,
    also: Boolean = false,
    filler: Int = 0,
    line: Int = 0
)

/** How it ended. */
case class LeafEnd(status: LeafStatus.E, frame: Int = 0, hidden: Boolean = false, count: Int = 0)

/** Memory whose accesses fail by chance, or at the places that it refuses to take, or to give; half of the beats that it does not take are there all the same. */
class FlakyLines(random: Random) extends BadLines() {
  var (reads, writes) = (0.0, 0.0)
  var refuses, keeps: Int => Boolean = _ => false
  private var loses = false
  override def read(line: Int): Boolean = keeps(line) || random.nextDouble() < reads
  override def write(line: Int): Boolean = {
    val fails = refuses(line) || random.nextDouble() < writes
    loses = fails && random.nextBoolean()
    fails
  }
  override def lost(line: Int): Boolean = loses
}

/** Asks a leaf unit, and is its memory. */
class LeafBench(dut: LeafUnit, l: LeafConfig, timing: Timing, seed: Int) {
  val random = new Random(seed)
  val bytes = new Array[Byte](1 << l.c.memBits)
  val bad = new FlakyLines(random)
  private var memory: MemoryModel = _
  private var now = 0L
  /** Cycles from an operation's request to its answer, of the last one. */
  var cycles = 0L
  val counts = mutable.Map[String, Int]().withDefaultValue(0)

  private val events = {
    val e = dut.io.events
    Seq(
      "right" -> e.right,
      "outside" -> e.outside,
      "unmapped" -> e.unmapped,
      "ringEmpty" -> e.ringEmpty,
      "budgetSpent" -> e.budgetSpent,
      "taken" -> e.taken,
      "freed" -> e.freed,
      "memoryError" -> e.memoryError,
      "lineLost" -> e.lineLost
    )
  }

  def readBeats: Int = memory.readBeats
  def writeBeats: Int = memory.writeBeats

  def start(): Unit = {
    dut.clockDomain.forkStimulus(10)
    reset()
  }

  def reset(planted: Option[LeafFault.Value] = None): Unit = {
    dut.plantedFaults.foreach(_ #= planted.map(fault => BigInt(1) << fault.id).getOrElse(BigInt(0)))
    java.util.Arrays.fill(bytes, 0.toByte)
    // Frames have somebody's old bytes.
    java.util.Arrays.fill(bytes, LeafBench.firstFrame << 12, bytes.length, 0xa5.toByte)
    memory = new MemoryModel(dut.io.mem, 0, bytes, bad, timing, random)
    memory.reset()
    dut.io.request.valid #= false
    dut.io.answer.ready #= false
    dut.io.ends.valid #= false
    dut.clockDomain.assertReset()
    // Nothing is sampled under reset.
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    counts.clear()
    dut.clockDomain.waitSampling()
  }

  private def step(): Unit = {
    now += 1
    memory.step(now)
    for ((name, event) <- events) if (event.toBoolean) counts(name) += 1
  }
  /** Cycles until it is done: one at least. */
  private def until(most: Int, what: => String)(done: => Boolean): Unit = {
    var left = most
    Simulation.cycles(dut.clockDomain) {
      step()
      left -= 1
      val goesOn = !done
      assert(left >= 0, what)
      goesOn
    }
  }

  def cycle(): Unit = rest(1)
  def rest(cycles: Int): Unit = {
    val end = now + cycles
    if (cycles > 0) until(cycles, "")(now == end)
  }

  def offer(ask: LeafAsk): Unit = {
    val to = dut.io.request
    to.operation #= ask.operation
    to.segment #= ask.segment
    to.pid #= ask.pid
    to.rights.read #= (ask.rights & 1) != 0
    to.rights.write #= (ask.rights & 2) != 0
    to.rights.atomic #= (ask.rights & 4) != 0
    to.page #= ask.page
    to.pages #= ask.pages
    to.begins #= ask.begins
    to.first #= ask.first
    to.whole #= ask.whole
    to.also #= ask.also
    to.filler #= ask.filler
    to.line #= ask.line
    to.valid #= true
  }

  /** Also gives the epoch. */
  def askBegin(ask: LeafAsk): (LeafEnd, Boolean) = {
    offer(ask)
    def wait(done: => Boolean): Unit = until(100000, s"$ask is not answered")(done)
    wait(dut.io.request.ready.toBoolean)
    dut.io.request.valid #= false
    val asked = now
    // Who asks may take its time, in which nothing changes.
    val slow = if (timing.jitter && random.nextInt(4) == 0) random.nextInt(20) else 0
    dut.io.answer.ready #= (slow == 0)
    wait(dut.io.answer.valid.toBoolean)
    cycles = now - asked
    val from = dut.io.answer
    val end = LeafEnd(from.status.toEnum, from.frame.toInt, from.hidden.toBoolean, from.count.toInt)
    val epoch = from.epoch.toBoolean
    if (slow > 0) {
      rest(slow)
      assert(from.valid.toBoolean && from.frame.toInt == end.frame)
      dut.io.answer.ready #= true
      cycle()
    }
    dut.io.answer.ready #= false
    (end, epoch)
  }

  def ask(ask: LeafAsk): LeafEnd = askBegin(ask)._1

  def end(epoch: Boolean): Unit = {
    dut.io.ends.valid #= true
    dut.io.ends.payload #= epoch
    cycle()
    dut.io.ends.valid #= false
    // It is seen, and the epochs change places twice at most.
    rest(4)
  }

  def total: Int = dut.io.total.toInt
  def usable: Int = dut.io.usable.toInt
  def waiting: Int = dut.io.waiting.toInt
  def stuck: Boolean = dut.io.stuck.toBoolean

  /** Entries are in memory, and the ring has settled. */
  def settle(): Unit = {
    val last = now + 2000
    if (!dut.io.clean.toBoolean) until(2000, "")(dut.io.clean.toBoolean || now == last)
    rest(600 + 20 * timing.latency)
  }

  /** The entry at an address. */
  def entry(address: Int): Long = (0 until 8).foldLeft(0L)((value, i) => value << 8 | (bytes(address + i) & 0xff))

  def isZero(from: Int, length: Int): Boolean = (from until from + length).forall(bytes(_) == 0)
  def soil(frame: Int): Unit = java.util.Arrays.fill(bytes, frame << 12, (frame + 1) << 12, 0xa5.toByte)
}

object LeafBench {
  /** Memory of the tiny board has 4,096 frames; the golden model's programs use the last of them. */
  val firstFrame: Int = 4096 - 256

  /** All limits are near; and as many of everything as a board has, but for memory. */
  val small: LeafConfig = LeafConfig(CBoardConfig.tiny, segments = 8, fillers = 8, lines = 4, ahead = 2)
  val whole: LeafConfig = LeafConfig(CBoardConfig.tiny)

  def config: SpinalSimConfig =
    SimConfig.withVerilator.withConfig(SpinalConfig(defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC))).workspacePath("simWorkspace")
}
