package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Lock and error rate of any headers: lock comes after the right ones in a row and ends where the clause says, and the rate is high where it must be.
  *
  * The numbers are small ones in place of 64, 16 and 125 µs; nothing in the machine depends on them.
  */
object BlockLockProof {
  private val (slipWait, window, tested, wrongs) = (2, 6, 5, 2)

  class Harness(fault: Option[LockFault.Value] = None) extends Component {
    private val dut = FormalDut(BlockLock(slipWait, window, tested, wrongs, Faults.one(LockFault)(fault)))
    Proof.resetFirst()
    private val (valid, header, signalOk) = (anyseq(Bool()), anyseq(Bits(2 bits)), anyseq(Bool()))
    dut.io.headers.valid := valid
    dut.io.headers.payload := header
    dut.io.signalOk := signalOk
    private val right = header.xorR

    // What the state diagrams say, counted from the last slip or the last loss of the signal.
    private val deaf = Reg(UInt(2 bits)) init 0
    private val seen, bad = Reg(UInt(4 bits)) init 0
    private val locked = RegInit(False)
    private val slipped = RegNext(dut.io.slip) init False
    private val counts = valid && deaf === 0
    private val newBad = bad + U(!right).resized
    private val lost = !right && (!locked || newBad === wrongs)
    private val whole = seen === tested - 1
    when(valid && deaf =/= 0)(deaf := deaf - 1)
    when(counts) {
      seen := whole ? U(0) | seen + 1
      bad := whole ? U(0) | newBad
      when(whole && newBad === 0)(locked := True)
      when(lost) {
        seen := 0
        bad := 0
        locked := False
        deaf := slipWait
      }
    }
    when(!signalOk) {
      seen := 0
      bad := 0
      locked := False
    }
    assert(dut.io.lock === locked)
    // The transceiver is asked once, and never again before it can have done it.
    assert(!slipped || !dut.io.slip)
    assert(!dut.io.slip || !locked)

    // The error rate: a window's wrong headers, from where lock came.
    private val time, rate = Reg(UInt(5 bits)) init 0
    private val high = RegInit(False)
    private val newRate = rate + U(!right).resized
    when(valid) {
      time := (time === window - 1) ? U(0) | time + 1
      rate := (time === window - 1) ? U(0) | newRate
      when(newRate >= wrongs)(high := True) elsewhen (time === window - 1)(high := False)
    }
    when(!locked) {
      time := 0
      rate := 0
      high := False
    }
    assert(dut.io.highErrorRate === high)
    // A loop that is proven by what both count.
    assert(dut.count.pull() === seen && dut.wrong.pull() === bad && seen < tested && bad < wrongs)
    assert(dut.rate.time.pull() === time && time < window && dut.rate.count.pull() === ((rate > wrongs) ? U(wrongs, 5 bits) | rate))
    assert(!dut.io.slip || deaf === slipWait)
    assert(locked || bad === 0)
    assert(rate < wrongs || high)
    assert(rate <= time && dut.waiting.pull() === deaf && deaf <= slipWait)

    private val wasHigh = RegInit(False) setWhen high
    cover(locked && wasHigh && !high)
    cover(RegNext(locked) && !locked && signalOk && RegNext(signalOk))
  }
}

class BlockLockProof extends Proof {
  import BlockLockProof._

  proves("lock and error rate are those of the state diagrams", 2)(new Harness)
  reaches("lock is lost by headers, and a high error rate ends", 30)(new Harness)
  for (fault <- LockFault.values) refutes(s"a lock with the fault $fault", 20)(new Harness(Some(fault)))
}
