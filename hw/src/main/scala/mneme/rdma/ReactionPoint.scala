package mneme.rdma

import mneme.Faults
import mneme.wire.Wire
import spinal.core._
import spinal.core.sim._
import spinal.lib._

/** The rate of a queue pair. Rates are bytes a period ([[Wire.ROCE_RATE_PERIOD]] cycles). */
case class RateRow() extends Bundle {
  /** The most that it may be, what it is, and where it comes back to. */
  val cap, rate, target = UInt(RateRow.BITS bits)
  /** How congested the way is. */
  val alpha = UInt(Wire.ROCE_RATE_ALPHA_BITS bits)
  /** Periods since it grew by time, units of 256 bytes since it grew by them. */
  val timer = UInt(3 bits)
  val units = UInt(Wire.ROCE_RATE_BYTES_LOG bits)
  /** How often it grew by time, and by bytes, since the last notification; no further than 7. */
  val stages = Vec(UInt(3 bits), 2)
  /** Bytes in hand; below 0: a debt. */
  val credit = SInt(RateRow.BITS + 1 bits)

  def limited: Bool = !rate.andR
  /** A notification has lowered it, and it is not back. */
  def low: Bool = rate =/= cap
  def holds: Bool = limited && credit.msb
}

object RateRow {
  val BITS: Int = log2Up(Wire.ROCE_RATE_LINE)
  def fresh(cap: UInt): RateRow = {
    val row = RateRow()
    for (rate <- Seq(row.cap, row.rate, row.target)) rate := cap
    row.alpha.setAll()
    row.timer := 0
    row.units := 0
    row.stages.foreach(_ := 0)
    row.credit := 0
    row
  }
}

/** A queue pair's rate is lowered by a notification, or is a new one's. */
case class RateChange(pairs: Int) extends Bundle {
  val pair = UInt(log2Up(pairs) bits)
  val cuts = Bool()
  /** Of a new one its cap. */
  val cap = UInt(RateRow.BITS bits)
}

/** A packet of a queue pair has left, with so many bytes of payload. */
case class RateSent(pairs: Int) extends Bundle {
  val pair = UInt(log2Up(pairs) bits)
  val bytes = UInt(13 bits)
}

/** How fast answers of each queue pair leave: a cap, and the reaction point of DCQCN (Zhu et al., SIGCOMM 2015, §3.1; docs/reference/rdma-rates.md). The golden
  * model is `mneme_rdma::responder::Rate`.
  *
  * An example. Queue pair 5 answers READs as fast as it can. Its peer sends a notification: half as much from now on. It is in debt after each packet, and
  * `io.holds` tells so; with the period in which that ends `io.wakes` has a 5, and the next packet goes. 57 µs later three quarters may go.
  *
  * Each row is looked at once a period, one row a cycle; changes and packets that have left come between. A row is read, worked out in three steps, and written:
  * six cycles, in which nothing else takes it.
  *
  * Whoever sends is told a few cycles late, so a packet or two may leave besides: the debt has them. Who takes `io.wakes` late makes periods longer.
  */
case class ReactionPoint(pairs: Int, plantable: Boolean = false) extends Component {
  require(pairs >= 2 && pairs <= 4096 && Integer.bitCount(pairs) == 1, s"pairs: a power of two from 2 to 4,096 is needed, not $pairs")
  private val bits = log2Up(pairs)
  val io = new Bundle {
    /** A notification is lost while there is no `room` for it, as when somebody sends one behind the other: three wait. New ones never are. */
    val changes = slave Flow (RateChange(pairs))
    val room = out Bool ()
    /** Of one queue pair at most one in six cycles in the long run; four wait. */
    val sent = slave Flow (RateSent(pairs))
    /** Whether this queue pair's next answer must wait, in the same cycle. */
    val pair = in UInt (bits bits)
    val holds = out Bool ()
    /** A queue pair whose answers had to wait; they need not any more. */
    val wakes = master Stream (UInt(bits bits))
  }
  val plantedFaults: Option[Bits] = Faults.port(RateFault, plantable)
  private val planted = new Faults[RateFault.Value](plantedFaults)

  object Op extends SpinalEnum {
    val pass, sent, cut, set = newElement()
  }
  case class Work() extends Bundle {
    val op = Op()
    val pair = UInt(bits bits)
    /** Bytes that have left, or a cap. */
    val amount = UInt(RateRow.BITS bits)
  }
  private def step() = {
    val flow = Reg(Flow(Work()))
    flow.valid init False
    flow
  }
  // A row's address, its memory's output, at hand, and what three steps make of it. It is read again when the last one has been written.
  private val read, loaded, atHand, added, aimed, done = step()
  private val flying = Seq(read, loaded, atHand, added, aimed)
  for ((next, before) <- flying.tail.zip(flying) :+ (done, aimed)) next := before
  private def isFree(pair: UInt): Bool =
    planted.choose(RateFault.RowsOverlap, wrong = True, right = !flying.map(work => work.valid && work.pair === pair).orR)

  private val rows = Mem(RateRow(), pairs).addAttribute("ram_style", "block")
  private val held = Mem(Bool(), pairs).addAttribute("ram_style", "distributed")
  io.holds := held.readAsync(io.pair)

  // --- After a reset all rows are new ones.
  private val sweep = Reg(UInt(bits bits)) init 0
  val sweeps = RegInit(True).simPublic()
  when(sweeps) {
    sweep := sweep + 1
    sweeps clearWhen sweep.andR
  }

  // --- Periods. One that begins while rows are looked at begins when all have been.
  private val period = CounterFreeRun(Wire.ROCE_RATE_PERIOD)
  private val due, passes = RegInit(False)
  private val next = Reg(UInt(bits bits)) init 0
  due setWhen period.willOverflow
  when(due && !passes && !sweeps) {
    due := period.willOverflow
    passes := True
  }

  // --- Who is next.
  private val changes = StreamFifo(RateChange(pairs), 4)
  private val sents = StreamFifo(RateSent(pairs), 4)
  io.room := RegNext(changes.io.occupancy < 2) init False
  changes.io.push.valid := io.changes.valid && (io.room || !io.changes.cuts)
  changes.io.push.payload := io.changes.payload
  sents.io.push.valid := io.sent.valid
  sents.io.push.payload := io.sent.payload
  for (fifo <- Seq(changes.io.push, sents.io.push)) assert(!fifo.valid || fifo.ready, "a change of a rate is lost", FAILURE)
  private val (change, sent) = (changes.io.pop, sents.io.pop)
  private val room = Bool()
  private val takesPass = !sweeps && !change.valid && !sent.valid && passes && room && isFree(next)
  change.ready := !sweeps && !sent.valid && isFree(change.pair)
  sent.ready := !sweeps && isFree(sent.pair)
  read.valid := change.fire || sent.fire || takesPass
  read.op := Op.pass
  read.pair := next
  read.amount := sent.bytes.resize(RateRow.BITS) + Wire.ROCE_RATE_HEADERS
  when(sent.valid) {
    read.op := Op.sent
    read.pair := sent.pair
  }.elsewhen(change.valid) {
    read.op := change.cuts ? Op.cut() | Op.set()
    read.pair := change.pair
    read.amount := change.cap
  }
  when(takesPass) {
    next := next + 1
    when(next.andR)(passes := False)
  }

  // --- At hand.
  private val row = RegNext(rows.readSync(read.pair))

  // --- First step: what it has in hand, clocks, and by how much a notification lowers it.
  private def is(work: Flow[Work], op: SpinalEnumElement[Op.type]): Bool = work.op === op
  private val (isPass, isSent, isCut, isSet) = (is(atHand, Op.pass), is(atHand, Op.sent), is(atHand, Op.cut), is(atHand, Op.set))
  private val (limited, low) = (row.limited, row.low)
  private val nothing = S(0, RateRow.BITS + 1 bits)
  private val first = Reg(RateRow())
  private val grows = Reg(Bool())
  private val wasHeld = Reg(Bool())
  private val alpha = low ? row.alpha | U((1 << Wire.ROCE_RATE_ALPHA_BITS) - 1, Wire.ROCE_RATE_ALPHA_BITS bits)
  private val by = RegNext(planted.choose(RateFault.AlphaKept, wrong = row.alpha, right = alpha).dropLow(Wire.ROCE_RATE_ALPHA_BITS - 8).asUInt)
  wasHeld := row.holds
  grows := False
  first := row
  private val debt = row.credit.msb ? row.credit | nothing
  private val inHand = isSent ? row.credit | planted.choose(RateFault.DebtForgotten, wrong = nothing, right = debt)
  private val more = isSent ? -(B"0" ## atHand.amount).asSInt | (B"0" ## row.rate).asSInt
  private val credit = inHand +| more
  private val units = row.units +^ (atHand.amount +^ U(255)).dropLow(8).asUInt.resize(row.units.getWidth)
  private val clock = isSent.asUInt
  private val ticks = isPass && row.timer === Wire.ROCE_RATE_TIMER - 1
  when(limited && (isPass || isSent)) {
    first.credit := credit
    when(low && isPass) {
      first.timer := ticks ? U(0) | row.timer + 1
      when(ticks)(first.alpha := row.alpha - row.alpha.dropLow(8).asUInt)
    }
    when(low && isSent)(first.units := units.resized)
    when(low && (ticks || (isSent && units.msb))) {
      grows := True
      for (i <- 0 until 2) when(clock === i && !row.stages(i).andR)(first.stages(i) := row.stages(i) + 1)
    }
  }
  when(isCut) {
    first.credit := limited ? debt | nothing
    first.target := row.rate
    first.alpha := alpha + (~alpha).dropLow(8).asUInt
    first.timer := 0
    first.units := 0
    when(planted.choose(RateFault.StagesKept, wrong = False, right = True))(first.stages.foreach(_ := 0))
  }
  when(isSet)(first := RateRow.fresh(atHand.amount))

  // --- Second step: where it comes back to. A product is of sums: a multiplier of the device is slower than they, unless it has registers inside.
  private val second = Reg(RateRow())
  private val secondGrows = RegNext(grows)
  private val secondHeld = RegNext(wasHeld)
  private def over(stage: UInt) = stage > Wire.ROCE_RATE_STAGES
  private def under(stage: UInt) = stage < Wire.ROCE_RATE_STAGES
  private val step2 = UInt(9 bits)
  step2 := Wire.ROCE_RATE_ADDITIVE
  when(first.stages.map(under).andR)(step2 := 0)
  when(first.stages.map(over).andR)(step2 := Wire.ROCE_RATE_HYPER)
  private val target = first.target +^ step2
  second := first
  when(grows) {
    second.target := target.resized
    when(planted.choose(RateFault.PastCap, wrong = target.msb, right = target > first.cap))(second.target := first.cap)
  }
  private def product(digit: UInt): UInt = {
    val terms = digit.asBools.zipWithIndex.map { case (bit, i) => (first.rate << i).resize(RateRow.BITS + 4).andMask(bit) }
    RegNext((terms(0) + terms(1)) + (terms(2) + terms(3)))
  }
  private val (low4, high4) = (product(by(3 downto 0)), product(by(7 downto 4)))

  // --- Third step: what it is.
  private val third = Reg(RateRow())
  private val thirdHeld = RegNext(secondHeld)
  private val middle = ((second.rate +^ second.target) +^ U(1)).dropLow(1).asUInt
  third := second
  when(secondGrows)(third.rate := middle.resized)
  private val part = (high4 << 4) +^ low4
  when(is(aimed, Op.cut))(third.rate := second.rate - part.dropLow(9).asUInt.resize(RateRow.BITS))

  // --- It is written.
  private val written = CombInit(third)
  when(!third.limited)(written.credit := 0)
  when(is(done, Op.cut) && third.rate < Wire.ROCE_RATE_LEAST)(written.rate := Wire.ROCE_RATE_LEAST)
  private val holds = written.holds
  rows.write(sweeps ? sweep | done.pair, sweeps ? RateRow.fresh(U(Wire.ROCE_RATE_LINE, RateRow.BITS bits)) | written, sweeps || done.valid)
  held.write(sweeps ? sweep | done.pair, holds && !sweeps, sweeps || done.valid)
  private val waking = StreamFifo(UInt(bits bits), 16, latency = 1)
  private val wakes = thirdHeld && !holds && planted.choose(RateFault.WokenByPassAlone, wrong = is(done, Op.pass), right = !is(done, Op.set))
  waking.io.push.valid := done.valid && wakes
  waking.io.push.payload := done.pair
  assert(!waking.io.push.valid || waking.io.push.ready, "a queue pair that may go on is not told so", FAILURE)
  io.wakes << waking.io.pop
  room := RegNext(waking.io.occupancy < 8) init False

  // Benches compare each row that is written with the model's.
  Seq(done.valid, done.op, done.pair).foreach(_.simPublic())
  written.flatten.foreach(_.simPublic())
  val seen: RateRow = written
  val work: Flow[Work] = done
}

/** Defects that a bench plants, to show that it would notice them. */
object RateFault extends Enumeration {
  /** A row is taken while it is worked on. */
  val RowsOverlap = Value
  /** A first notification lowers by what alpha was long ago. */
  val AlphaKept = Value
  /** A period's bytes come without the debt before it. */
  val DebtForgotten = Value
  /** A notification leaves the stages as they are. */
  val StagesKept = Value
  /** The target grows past the cap. */
  val PastCap = Value
  /** A rate that is back at the line by bytes wakes nobody. */
  val WokenByPassAlone = Value
}
