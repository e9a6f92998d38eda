package mneme.share

import mneme.Faults
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a service class may ask for: operations and lines of 64 bytes in 2^`fractionBits` cycles, and how much of it may come at once.
  *
  * A rate of 0 sets no bound. With 16 bits, at 250 MHz, a unit is 3,815 operations a second, or 244 KB/s.
  */
case class ClassRate(fractionBits: Int = ClassMeter.FRACTION_BITS) extends Bundle {
  val operations, lines = UInt(fractionBits bits)
  /** log2 of the operations, and of the lines, that a class that was quiet may ask for at once. */
  val burstLog2 = UInt(4 bits)
}

/** Gives a class its rate. */
case class ClassSetting(fractionBits: Int = ClassMeter.FRACTION_BITS, classBits: Int = Wire.CLASS_BITS) extends Bundle {
  val number = UInt(classBits bits)
  val rate = ClassRate(fractionBits)
}

/** What a request costs its class: an operation, and its lines. */
case class ClassCharge(classBits: Int = Wire.CLASS_BITS) extends Bundle {
  val number = UInt(classBits bits)
  val lines = UInt(8 bits)
}

/** Two token buckets for each of the service classes, which are the top bits of the pid: whether a class may ask for more now (docs/reference/classes.md).
  *
  * All classes share one adder: each has its turn once in a round of as many cycles as there are classes.
  *
  * | cycle          | what happens                                                                                   |
  * |----------------|------------------------------------------------------------------------------------------------|
  * | any            | `charge`: a request of a class was let in, which is noted                                      |
  * | a class's turn | a round's earnings come to its credits, up to the burst; what was noted is taken up            |
  * | the next one   | what was noted is paid; the class is open if both credits are above zero, and `may` says so then |
  *
  * A request is compared with nothing: a class may ask for anything until its next turn, may overdraw so, and waits until that is paid off. Fewer bits are
  * for proofs.
  *
  * What was let in is noted in counts that only grow and go round; a turn takes up what they have grown by since the last one. So two memories do, with an
  * adder each, where a pair of registers for each class would need one each.
  */
case class ClassMeter(fractionBits: Int = ClassMeter.FRACTION_BITS, classBits: Int = Wire.CLASS_BITS, planted: Faults[MeterFault.Value] = Faults.none)
    extends Component {
  private val classes = 1 << classBits
  private val creditBits = ClassMeter.creditBits(fractionBits, classBits)

  val io = new Bundle {
    val set = slave(Flow(ClassSetting(fractionBits, classBits)))
    /** By number of the class. */
    val may = out(Bits(classes bits))
    val charge = slave(Flow(ClassCharge(classBits)))
  }

  val rates = Mem(ClassRate(fractionBits), classes).addAttribute("ram_style", "distributed")
  /** Both credits of each class: operations and lines. */
  val credits = Mem(Vec(SInt(creditBits bits), 2), classes).addAttribute("ram_style", "distributed")
  /** Classes with a bound. What the memories hold of others, after a reset say, means nothing. */
  val bounded = Reg(Bits(classes bits)) init 0
  /** Got its bound since its last turn: it has no credit yet. */
  val fresh = Reg(Bits(classes bits)) init 0
  val open = Reg(Bits(classes bits)) init (BigInt(1) << classes) - 1
  io.may := open

  /** What was let in of each class, and how much of that its turns have taken up. The difference is not paid yet. */
  val noted, taken = Mem(ClassNotes(classBits), classes).addAttribute("ram_style", "distributed")
  private val before = noted.readAsync(io.charge.number)
  private val sum = ClassNotes(classBits)
  sum.operations := before.operations + 1
  sum.lines := before.lines + io.charge.lines
  noted.write(io.charge.number, sum, io.charge.valid)

  /** A class's turn, of which the second half is the next cycle's. */
  val turn = new Area {
    val number = Reg(UInt(classBits bits)) init 0
    number := number + 1
    private val rate = rates.readAsync(number)
    private val before = credits.readAsync(number)
    private val none = fresh(number)
    // The burst is a power of two: who has so much has one of these bits, or of those above.
    private val most = B((0 until creditBits).map(i => if (i < fractionBits || i >= fractionBits + 16) False else rate.burstLog2 === i - fractionBits))
    private val above =
      B((0 until creditBits).map(i => if (i < fractionBits) False else if (i >= fractionBits + 15) True else rate.burstLog2 <= i - fractionBits))

    private def earned(speed: UInt, credit: SInt): SInt = {
      val grown = (none ? S(0, creditBits bits) | credit) + (speed @@ U(0, classBits bits)).resize(creditBits).asSInt
      val full = !grown.msb && (grown.asBits & above).orR
      planted.choose(MeterFault.NoBurst, wrong = grown, right = full ? most.asSInt | grown)
    }
    // A memory holds anything after a reset: in the first round nothing is paid.
    val started = RegInit(False) setWhen number.andR
    private val (now, last) = (noted.readAsync(number), taken.readAsync(number))
    private val takesUp = ClassNotes(classBits)
    takesUp.operations := now.operations
    takesUp.lines := planted.choose(MeterFault.PaidTwice, wrong = last.lines, right = now.lines)
    taken.write(number, takesUp)

    val held = new Area {
      val valid = RegNext(True) init False
      val at = RegNext(number) init 0
      val binds = RegNext(Vec(bounded(number) && rate.operations =/= 0, bounded(number) && rate.lines =/= 0))
      val credit = RegNext(Vec(earned(rate.operations, before(0)), earned(rate.lines, before(1))))
      val operations = RegNext((now.operations - last.operations).andMask(started)) init 0
      val lines = RegNext((now.lines - last.lines).andMask(started)) init 0
    }
    private def paid(credit: SInt, noted: UInt): SInt = credit - (noted @@ U(0, fractionBits bits)).resize(creditBits).asSInt
    // A credit that binds nobody means nothing, until its class gets a rate and begins anew.
    val after = Vec(
      paid(held.credit(0), held.operations),
      paid(held.credit(1), planted.choose(MeterFault.LinesAreFree, wrong = U(0, widthOf(held.lines) bits), right = held.lines))
    )
    credits.write(held.at, after, held.valid)
    // Who got a bound in this turn begins with the next one.
    when(held.valid && !fresh(held.at))(open(held.at) := after.zip(held.binds).map { case (credit, binds) => !binds || credit > 0 }.andR)
  }

  fresh(turn.number) := False
  rates.write(io.set.number, io.set.rate, io.set.valid)
  when(io.set.valid) {
    val binds = io.set.rate.operations =/= 0 || io.set.rate.lines =/= 0
    bounded(io.set.number) := binds
    fresh(io.set.number) := True
    open(io.set.number) := !binds
  }
}

/** Requests of a class and their lines, modulo more than come between two turns. */
case class ClassNotes(classBits: Int) extends Bundle {
  val operations = UInt(ClassMeter.notedBits(classBits, 1) bits)
  val lines = UInt(ClassMeter.notedBits(classBits, 255) bits)
}

object ClassMeter {
  val CLASSES: Int = 1 << Wire.CLASS_BITS
  /** Bits of a rate, and of a credit behind its point. */
  val FRACTION_BITS: Int = 16
  /** The largest burst is 2^15; what is overdrawn is the requests of a round and two cycles at most, of 255 lines each. */
  def creditBits(fractionBits: Int, classBits: Int): Int = 1 + 15 + 1 + fractionBits + (classBits - Wire.CLASS_BITS).max(0)
  /** Bits that hold what a round's requests cost. */
  private[share] def notedBits(classBits: Int, each: Int): Int = log2Up((each << classBits) + 1)
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object MeterFault extends Enumeration {
  /** Credits grow without end while nothing is asked for. */
  val NoBurst = Value
  /** Only operations are counted. */
  val LinesAreFree = Value
  /** Lines that were paid are noted still. */
  val PaidTwice = Value
}
