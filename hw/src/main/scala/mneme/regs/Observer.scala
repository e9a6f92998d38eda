package mneme.regs

import mneme.CBoardConfig
import mneme.wire.Wire
import mneme.wire.Wire.{Mark, Stage}
import spinal.core._
import spinal.lib._

/** Histograms of the time that requests spend in each stage, and high-water marks of the queues; it watches and changes nothing.
  *
  * A request is known by its packet slot, which it has until its answer's header has left.
  * Times are 24 bits of cycles: a page fault may wait for long. Every request is counted, one per stage and cycle: nothing is sampled.
  */
case class Observer(c: CBoardConfig) extends Component {
  private def slotType = UInt(log2Up(c.packetSlots) bits)

  val io = new Bundle {
    /** A beat of a frame goes into this slot: the last one counts. */
    val arriving = slave(Flow(slotType))
    /** The request in this slot leaves dispatch, the filter, translation, memory access; its answer's header left the response builder a cycle ago. */
    val dispatched, filtered, translated, accessed, answered = slave(Flow(slotType))
    /** The request in this slot: its time between the ports, if its header is built in the next cycle. */
    val slot = in(slotType)
    val cycles = out(UInt(24 bits))
    val slotTaken, slotReturned = in Bool ()
    val slowTaken, slowReturned = in Bool ()
    /** A page is taken from the async buffer, which has `asyncLevel` left. */
    val faulted = in Bool ()
    val asyncLevel = in UInt (32 bits)
    val read = slave(ObserverRead())
  }

  private def delayed(flow: Flow[UInt]): Flow[UInt] = flow.m2sPipe()
  private def timeType = UInt(24 bits)
  private val now = Reg(timeType) init 0
  now := now + 1
  private val clock = Reg(timeType) init Observer.AROUND
  clock := clock + 1

  // After reset the cells are cleared, one a cycle; no request comes before that: the board is not enabled.
  private val sweep = Reg(UInt(5 bits)) init 0
  private val sweeping = !sweep.msb
  when(sweeping)(sweep := sweep + 1)

  /** Counts events in powers of two of cycles, the last bucket all that are longer; one per cycle. */
  private case class Histogram(valid: Bool, cycles: UInt) extends Area {
    private val log2 = U(0, 4 bits)
    for (bit <- 1 until 15) when(cycles(bit))(log2 := bit)
    when(cycles.dropLow(15).orR)(log2 := 15)
    val counts = RegNext(valid) init False
    val bucket = RegNext(log2)
    val cells = Mem(UInt(32 bits), Wire.HISTOGRAM_BUCKETS)
    cells.write(
      address = sweeping ? sweep.resize(4 bits) | bucket,
      data = sweeping ? U(0, 32 bits) | cells.readAsync(bucket) + 1,
      enable = counts || sweeping
    )
  }

  /** When each slot's request was last seen at a point of the pipeline. */
  private case class Stamps(seen: Flow[UInt]) extends Area {
    private val times = Mem(timeType, c.packetSlots)
    times.write(seen.payload, now, seen.valid)
    def of(slot: UInt): UInt = times.readAsync(slot)
    def since(event: Flow[UInt]): Histogram = Histogram(event.valid, now - of(event.payload))
  }

  private val dispatched = delayed(io.dispatched)
  private val filtered = delayed(io.filtered)
  private val translated = delayed(io.translated)
  private val accessed = delayed(io.accessed)
  private val arrivals = Stamps(delayed(io.arriving))
  io.cycles := clock - arrivals.of(io.slot)

  private val histograms: Map[Int, Histogram] = Map(
    Stage.STAGE_DISPATCH -> arrivals.since(dispatched),
    Stage.STAGE_FILTER -> Stamps(dispatched).since(filtered),
    Stage.STAGE_TRANSLATION -> Stamps(filtered).since(translated),
    Stage.STAGE_MEMORY -> Stamps(translated).since(accessed),
    Stage.STAGE_RESPONSE -> Stamps(accessed).since(io.answered),
    Stage.STAGE_WHOLE -> arrivals.since(io.answered)
  )

  /** How many are in between two points. */
  private def between(enters: Bool, leaves: Bool): UInt = {
    val inside = Reg(UInt(8 bits)) init 0
    inside := inside + U(enters) - U(leaves)
    inside
  }
  /** The highest level so far. None is over 255: `CBoardConfig` bounds packet slots and async buffer accordingly. */
  private def most(level: UInt): UInt = {
    val mark = Reg(UInt(8 bits)) init 0
    when(level > mark)(mark := level.resized)
    mark
  }
  private val empty = RegNextWhen(U(c.asyncDepth, 8 bits) - io.asyncLevel.resize(8), io.faulted) init 0
  private val marks: Map[Int, UInt] = Map(
    Mark.MARK_PACKET_SLOTS -> most(between(RegNext(io.slotTaken) init False, RegNext(io.slotReturned) init False)),
    Mark.MARK_TRANSLATION -> most(between(filtered.valid, translated.valid)),
    Mark.MARK_MEMORY -> most(between(translated.valid, accessed.valid)),
    Mark.MARK_RESPONSE -> most(between(accessed.valid, io.answered.valid)),
    Mark.MARK_SLOW_QUEUE -> most(between(RegNext(io.slowTaken) init False, RegNext(io.slowReturned) init False)),
    Mark.MARK_ASYNC_EMPTY -> most(empty)
  )

  /** A cell or a mark by its number; 0 for numbers that are neither. */
  val answer = new Area {
    private val cells = for ((stage, histogram) <- histograms.toSeq) yield {
      val first = Wire.HISTOGRAM_BASE + stage * Wire.HISTOGRAM_BUCKETS
      (io.read.number(9 downto 4) === first >> 4, histogram.cells.readAsync(io.read.number(3 downto 0)).asBits)
    }
    private val words = for ((number, mark) <- marks.toSeq) yield (io.read.number === number, mark.asBits.resize(32))
    // One number has one word at most. A tree, since counters are behind it in the same cycle.
    io.read.data := (cells ++ words).map { case (asked, word) => word.andMask(asked) }.reduceBalancedTree(_ | _)
  }
}

object Observer {
  /** Cycles of a request on the board that lie neither between its arrival here, two after its last beat at the port, nor the look at `cycles`, one before
    * its header goes to egress and two before it can be at the port.
    */
  val AROUND = 4
}

/** A word by its counter number, in the same cycle. */
case class ObserverRead() extends Bundle with IMasterSlave {
  val number = UInt(10 bits)
  val data = Bits(32 bits)
  override def asMaster(): Unit = { out(number); in(data) }
}
