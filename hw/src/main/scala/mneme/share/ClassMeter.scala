package mneme.share

import mneme.Faults
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a service class may ask for: operations and lines of 64 bytes in 2^16 cycles, and how much of it may come at once.
  *
  * A rate of 0 sets no bound. At 250 MHz a unit is 3,815 operations a second, or 244 KB/s.
  */
case class ClassRate(fractionBits: Int = ClassMeter.FRACTION_BITS) extends Bundle {
  val operations, lines = UInt(fractionBits bits)
  /** log2 of the operations, and of the lines, that a class that was quiet may ask for at once. */
  val burstLog2 = UInt(4 bits)
}

/** What a request costs its class: an operation, and its lines. */
case class ClassCharge() extends Bundle {
  val number = UInt(Wire.CLASS_BITS bits)
  val lines = UInt(8 bits)
}

/** Two token buckets for each of the 16 service classes, which are the top bits of the pid: whether a class may ask for more now (docs/reference/classes.md).
  *
  * | cycle | what happens                                                              |
  * |-------|---------------------------------------------------------------------------|
  * | 0     | `charge`: a request of a class was let in, and its credits fall           |
  * | 1     | `may` tells by the credits as they are then                               |
  * | each  | the credits of one class in turn grow by 16 cycles' worth, up to the burst |
  *
  * A class may ask while both of its credits are above zero, so a request is compared with nothing: it may overdraw, and its class waits until that is
  * paid off. A class without a bound pays nothing. A credit of 2^`fractionBits` is one operation, or line; fewer bits are for proofs.
  */
case class ClassMeter(fractionBits: Int = ClassMeter.FRACTION_BITS, planted: Faults[MeterFault.Value] = Faults.none) extends Component {
  import ClassMeter._

  val io = new Bundle {
    val rates = in(Vec(ClassRate(fractionBits), CLASSES))
    /** By number of the class. */
    val may = out(Bits(CLASSES bits))
    val charge = slave(Flow(ClassCharge()))
  }

  private val creditBits = ClassMeter.creditBits(fractionBits)

  /** The class whose credits grow in this cycle. */
  val turn = Counter(CLASSES, True)

  val buckets = for (number <- 0 until CLASSES) yield new Area {
    val rate = io.rates(number)
    val grows = turn.value === number
    val charged = io.charge.valid && io.charge.number === number
    val operations = bucket(rate.operations, U(1, 8 bits))
    val lines = bucket(rate.lines, planted.choose(MeterFault.LinesAreFree, wrong = U(0, 8 bits), right = io.charge.lines))
    io.may(number) := operations.open && lines.open

    private def bucket(rate: UInt, cost: UInt) = new Area {
      val most = (S(1, creditBits bits) |<< (io.rates(number).burstLog2 +^ U(fractionBits))).resize(creditBits bits)
      val bounded = rate =/= 0
      val credit = Reg(SInt(creditBits bits)) init 0
      val grown = credit + ((rate @@ U(0, log2Up(CLASSES) bits)).resize(creditBits).asSInt)
      val capped = (grown > most) ? most | grown
      val before = grows ? planted.choose(MeterFault.NoBurst, wrong = grown, right = capped) | credit
      val price = (cost @@ U(0, fractionBits bits)).resize(creditBits).asSInt
      when(!bounded)(credit := 0) elsewhen (charged)(credit := before - price) otherwise (credit := before)
      val open = !bounded || credit > 0
    }
  }
}

object ClassMeter {
  val CLASSES: Int = 1 << Wire.CLASS_BITS
  /** Bits of a rate, and of a credit behind its point. */
  val FRACTION_BITS: Int = 16
  /** The largest burst is 2^15; what is overdrawn is the requests of two cycles at most, of 255 lines each. */
  def creditBits(fractionBits: Int): Int = 1 + 15 + 1 + fractionBits
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object MeterFault extends Enumeration {
  /** Credits grow without end while nothing is asked for. */
  val NoBurst = Value
  /** Only operations are counted. */
  val LinesAreFree = Value
}
