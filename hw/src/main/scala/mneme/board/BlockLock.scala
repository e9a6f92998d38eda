package mneme.board

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Where blocks begin (IEEE 802.3 49.2.9), and whether too many headers are wrong: the lock and the BER monitor state diagrams of 49.2.13.3.
  *
  * `tested` right headers in a row are lock; `wrongs` wrong ones of as many end it. Without lock a wrong header asks the transceiver to `slip` by one bit,
  * and those of the next `slipWait` blocks do not count, as it takes some time to. `wrongs` wrong headers in `window` blocks, which is 125 µs, are a high
  * error rate; a window with fewer ends it. Other numbers than the clause's are for proofs.
  */
case class BlockLock(
    slipWait: Int = BlockLock.SLIP_WAIT,
    window: Int = BlockLock.WINDOW,
    tested: Int = BlockLock.TESTED,
    wrongs: Int = BlockLock.WRONG,
    faults: Faults[LockFault.Value] = Faults.none
) extends Component {
  val io = new Bundle {
    /** Two bits of header; different ones are right. */
    val headers = slave(Flow(Bits(2 bits)))
    /** The transceiver receives something. */
    val signalOk = in Bool ()
    val lock, slip, highErrorRate = out Bool ()
    /** A wrong header while there is lock. */
    val wrong = out Bool ()
  }

  private val right = io.headers.payload.xorR
  val locked = RegInit(False)
  val slips = RegInit(False)
  val waiting = Reg(UInt(log2Up(slipWait + 1) bits)) init 0
  val count = Reg(UInt(log2Up(tested) bits)) init 0
  val wrong = Reg(UInt(log2Up(wrongs) bits)) init 0
  private val tests = io.headers.valid && waiting === 0
  private val ends = count === faults.choose(LockFault.LockedEarly, U(tested - 2), U(tested - 1)).resized

  slips := False
  when(io.headers.valid && waiting =/= 0)(waiting := waiting - 1)
  when(tests) {
    count := ends ? U(0) | count + 1
    when(!right)(wrong := wrong + 1)
    when(ends) {
      wrong := faults.choose(LockFault.WrongOnesKept, wrong, U(0))
      when(right)(locked := True)
    }
    when(!right && (faults.choose(LockFault.NeverLost, False, wrong === wrongs - 1) || !locked)) {
      locked := False
      slips := True
      waiting := slipWait
      count := 0
      wrong := 0
    }
  }
  when(!io.signalOk) {
    locked := False
    count := 0
    wrong := 0
  }
  io.lock := locked
  io.slip := slips
  io.wrong := tests && !right && locked

  /** The error rate, within lock. */
  val rate = new Area {
    val count = Reg(UInt(log2Up(wrongs + 1) bits)) init 0
    val time = Reg(UInt(log2Up(window) bits)) init 0
    val high = RegInit(False)
    private val reached = count === wrongs
    private val over = time === window - 1
    when(io.headers.valid) {
      time := over ? U(0) | time + 1
      when(!right && !reached)(count := count + 1)
      when(!right && count === wrongs - 1)(high := True)
      when(over) {
        when(!reached && (right || count =/= wrongs - 1))(high := faults.choose(LockFault.RateStaysHigh, high, False))
        count := 0
      }
    }
    when(!locked) {
      count := 0
      time := 0
      high := False
    }
  }
  io.highErrorRate := rate.high
}

object BlockLock {
  /** Headers that decide about lock. */
  val TESTED = 64
  /** Wrong ones that end it, and that are a high error rate. */
  val WRONG = 16
  /** 125 µs of blocks at 156.25 MHz. */
  val WINDOW = 19531
  /** Blocks until a slip has taken effect: what transceivers of UltraScale+ ask for (UG576, receiver gearbox). */
  val SLIP_WAIT = 32
}

/** Defects that a proof plants. */
object LockFault extends Enumeration {
  /** One right header less is lock. */
  val LockedEarly = Value
  /** Wrong headers count beyond the headers that they are of. */
  val WrongOnesKept = Value
  /** Lock stays whatever comes. */
  val NeverLost = Value
  /** A high error rate does not end. */
  val RateStaysHigh = Value
}
