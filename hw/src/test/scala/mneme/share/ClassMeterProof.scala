package mneme.share

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** What a class gets in a time is its rate and its burst at most, whatever the others do; it overdraws by two requests at most. */
object ClassMeterProof {
  private val FRACTION = 4
  private val CREDIT = ClassMeter.creditBits(FRACTION)
  private val SUM_BITS = 26

  /** Of one class, whose number and rates are any; the others do what they like. */
  class Harness(fault: Option[MeterFault.Value] = None) extends Component {
    private val dut = FormalDut(ClassMeter(FRACTION, Faults.one(MeterFault)(fault)))
    Proof.resetFirst()
    private val number = 5
    private val rate = anyconst(ClassRate(FRACTION))
    for ((port, i) <- dut.io.rates.zipWithIndex) port := (if (i == number) rate else anyseq(ClassRate(FRACTION)))
    dut.io.charge.valid := anyseq(Bool())
    dut.io.charge.payload := anyseq(ClassCharge())
    private val charged = dut.io.charge.valid && dut.io.charge.number === number
    // A request was let in by what `may` said a cycle ago.
    private val mayBefore = RegNext(dut.io.may(number)) init False
    assume(!charged || mayBefore)

    private val bucket = dut.buckets(number)
    private val turn = dut.turn.value.pull() === number
    for ((kept, speed, cost) <- Seq((bucket.operations, rate.operations, U(1, 8 bits)), (bucket.lines, rate.lines, dut.io.charge.lines))) {
      val credit = kept.credit.pull()
      val most = (S(1, CREDIT bits) |<< (rate.burstLog2 +^ U(FRACTION))).resize(CREDIT)
      // Sums of what was earned and what was paid, long enough that no run of a proof wraps them.
      val earned, paid = Reg(UInt(SUM_BITS bits)) init 0
      when(turn)(earned := earned + (speed @@ U(0, 4 bits)))
      when(charged)(paid := paid + (cost @@ U(0, FRACTION bits)))
      assume(earned < (BigInt(1) << (SUM_BITS - 1)) && paid < (BigInt(1) << (SUM_BITS - 1)))
      when(speed =/= 0) {
        // All that was let in was earned before, but for what is overdrawn.
        assert(paid.asSInt.resize(SUM_BITS + 1) + credit <= earned.asSInt.resize(SUM_BITS + 1))
        assert(credit <= most)
        // The last request was let in when there was some credit, before the one in front of it had paid.
        assert(!mayBefore || credit > -(255 << FRACTION))
        assert(credit > -(2 * 255 << FRACTION))
      } otherwise {
        assert(credit === 0)
      }
      cover(credit === most && speed =/= 0 && rate.burstLog2 === 2)
    }
    assert(dut.io.may(number) === ((rate.operations === 0 || bucket.operations.credit.pull() > 0) && (rate.lines === 0 || bucket.lines.credit.pull() > 0)))
  }
}

class ClassMeterProof extends Proof {
  import ClassMeterProof._

  proves("a class gets its rate and its burst, and overdraws by two requests", 2)(new Harness)
  reaches("a class that was quiet has its burst", 12)(new Harness)
  for (fault <- MeterFault.values) refutes(s"a meter with the fault $fault", 12)(new Harness(Some(fault)))
}
