package mneme.share

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** What a class gets in a time is its rate and its burst at most, whatever the others do; it overdraws by the requests of a round and two cycles at most. */
object ClassMeterProof {
  private val FRACTION = 3
  private val CLASS_BITS = 2
  private val CREDIT = ClassMeter.creditBits(FRACTION, CLASS_BITS)
  private val SUM_BITS = CREDIT + 2
  /** Of the longest request. */
  private val LINES = 7
  /** Requests that may be let in after the credit has gone: those of a round, and of the two cycles until `may` says so. */
  private val LATE = (1 << CLASS_BITS) + 2

  /** Of one class, whose rate is any; the others do what they like. */
  class Harness(fault: Option[MeterFault.Value] = None) extends Component {
    private val dut = FormalDut(ClassMeter(FRACTION, CLASS_BITS, Faults.one(MeterFault)(fault)))
    Proof.resetFirst()
    private val number = 2
    private val rate = anyconst(ClassRate(FRACTION))
    dut.io.set.valid := anyseq(Bool())
    dut.io.set.payload := anyseq(ClassSetting(FRACTION, CLASS_BITS))
    dut.io.charge.valid := anyseq(Bool())
    dut.io.charge.number := anyseq(UInt(CLASS_BITS bits))
    dut.io.charge.lines := anyseq(UInt(8 bits))
    private val setting = dut.io.set.valid && dut.io.set.number === number
    private val charged = dut.io.charge.valid && dut.io.charge.number === number
    /** The class got its rate, once and for all. */
    private val set = RegInit(False) setWhen setting
    assume(!(setting && set))
    assume(!setting || dut.io.set.rate.asBits === rate.asBits)
    // What asks before it has a bound is no concern of it.
    assume(!charged || set)
    // A request was let in by what `may` said in that cycle.
    assume(!charged || (dut.io.may(number) && dut.io.charge.lines <= LINES))

    private val (kept, keptRate) = dut.rework {
      (dut.credits.readAsync(U(number, CLASS_BITS bits)), dut.rates.readAsync(U(number, CLASS_BITS bits)))
    }
    private val held = dut.turn.held
    private val running = held.valid.pull() && held.at.pull() === number
    private val turn = dut.turn.number.pull() === number
    private val fresh = dut.fresh.pull()(number)
    private val bounded = dut.bounded.pull()(number)
    private val (noted, taken) = dut.rework {
      (dut.noted.readAsync(U(number, CLASS_BITS bits)), dut.taken.readAsync(U(number, CLASS_BITS bits)))
    }
    // Before the class's first turn after a reset the memories hold anything, and nothing was let in.
    private val first = RegInit(True) clearWhen dut.turn.number.pull() === number
    private val started = dut.turn.started.pull()
    private val notes = ClassNotes(CLASS_BITS)
    notes.operations := (noted.pull().operations - taken.pull().operations).andMask(!first)
    notes.lines := (noted.pull().lines - taken.pull().lines).andMask(!first)
    assert(started || dut.turn.number.pull() =/= 0 || first)
    assert(first === (!started && dut.turn.number.pull() <= number))
    assert(!first || fresh === set)
    when(set)(assert(keptRate.pull().asBits === rate.asBits))
    assert(bounded === (set && (rate.operations =/= 0 || rate.lines =/= 0)))
    assert(!fresh || set)
    // The turn goes round: its second half is the next cycle's.
    assert(!held.valid.pull() || held.at.pull() + 1 === dut.turn.number.pull())

    /** Cycles since the class's turn. */
    private val position = dut.turn.number.pull() - U(number, CLASS_BITS bits)
    private val open = dut.open.pull()(number)
    // One request in a cycle: no more are noted than cycles have gone by, and of a class that is not open those of two.
    private val count = notes.operations
    assert(count <= ((position === 0) ? U(1 << CLASS_BITS, 3 bits) | position.resize(3 bits)))
    assert(!bounded || open || count <= ((position === 1) ? U(0, 2 bits) | U(2, 2 bits)))
    assert(!fresh || open === !bounded)
    assert(!(fresh && bounded) || count === 0)
    when(running)(assert(held.operations.pull() <= (1 << CLASS_BITS) && (!bounded || open || held.operations.pull() <= 2)))
    assert(running === (position === 1 && held.valid.pull()))

    for ((i, speed) <- Seq(0 -> rate.operations, 1 -> rate.lines)) {
      val (cost, most) = if (i == 0) (U(1, 8 bits), 1) else (dut.io.charge.lines, LINES)
      val (unpaid, paid) = if (i == 0) (count, held.operations.pull()) else (notes.lines, held.lines.pull())
      if (i == 1) {
        assert(unpaid <= (count * U(LINES, 3 bits)))
        when(running)(assert(paid <= held.operations.pull() * U(LINES, 3 bits)))
      }
      def whole(count: UInt): SInt = (count @@ U(0, FRACTION bits)).resize(SUM_BITS).asSInt
      val burst = (S(1, CREDIT bits) |<< (rate.burstLog2 +^ U(FRACTION))).resize(CREDIT)
      val binds = set && speed =/= 0
      // A bucket as the books have it: a round's earnings at once, up to the burst, and every request is paid when it is let in.
      val ideal = Reg(SInt(SUM_BITS bits)) init 0
      val spent = charged ? whole(cost) | S(0, SUM_BITS bits)
      val grown = ideal + (turn ? (speed @@ U(0, CLASS_BITS bits)).resize(SUM_BITS).asSInt | S(0, SUM_BITS bits))
      when(binds)(ideal := ((grown > burst.resize(SUM_BITS)) ? burst.resize(SUM_BITS) | grown) - spent)
      // A turn that began before the class got its bound binds nothing.
      val counts = running && !fresh
      val stored = fresh ? S(0, CREDIT bits) | kept.pull()(i)
      val before = counts ? held.credit.pull()(i) | stored
      val credit = before.resize(SUM_BITS) - (counts ? whole(paid) | S(0, SUM_BITS bits))
      val owed = credit - whole(unpaid)
      when(counts)(assert(held.binds.pull()(i) === binds))
      when(binds) {
        // The class never has more than that bucket, which is overdrawn by so much at most.
        assert(owed <= ideal && ideal <= burst.resize(SUM_BITS))
        assert(before <= burst)
        assert(!open || before > 0)
        assert(owed >= -whole(U(LATE * most, 8 bits)))
      }
      when(!set)(assert(ideal === 0))
      cover(binds && credit === burst.resize(SUM_BITS) && rate.burstLog2 === 1)
    }
    when(!set)(assert(count === 0))
  }
}

class ClassMeterProof extends Proof {
  import ClassMeterProof._

  override protected def engine = Proof.Sat

  proves("a class gets its rate and its burst, and overdraws by a round's requests", 2)(new Harness)
  reaches("a class that was quiet has its burst", 24)(new Harness)
  for (fault <- MeterFault.values) refutes(s"a meter with the fault $fault", 24)(new Harness(Some(fault)))
}
