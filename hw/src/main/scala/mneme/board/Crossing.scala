package mneme.board

import spinal.core._

import scala.collection.mutable

/** A component in which signals go from one clock to another. Nothing else of the board does that, so what the tools must be told of it is told here.
  *
  * Registers on both sides are kept by name. [[CrossingConstraints]] writes what belongs to them.
  */
abstract class Crossing extends Component {
  /** The ways over, from register to register. */
  val ways = mutable.ArrayBuffer[CrossingWay]()
  /** How late a signal may be on its way over, in ns: one period of the fastest clock of either side, 250 MHz of the core's. */
  def within: String = "4.000"

  /** Samples a register of another clock. More than one bit only where something else tells that it holds still, or where bits are independent. */
  protected def sample[T <: BaseType](from: T, to: T, together: Boolean = false): T = {
    for (register <- Seq(from, to)) register.addAttribute("dont_touch", "true")
    to.addTag(crossClockDomain)
    to := from
    ways += CrossingWay(from, to, together)
    to
  }

  /** Two registers behind each other, of which the second one may be looked at. `start` is what both hold at first; `together`: bits are of one code. */
  protected def settle(from: Bits, start: Boolean = false, together: Boolean = false): Bits = {
    val value = B(if (start) (BigInt(1) << from.getWidth) - 1 else BigInt(0), from.getWidth bits)
    val meta = Reg(cloneOf(from)).setCompositeName(from, "meta", weak = false) init value
    val settled = Reg(cloneOf(from)).setCompositeName(from, "settled", weak = false) init value
    sample(from, meta, together)
    settled := meta
    // The first one has it by its tag.
    settled.addAttribute("async_reg", "true")
    settled
  }
}

object Crossing {
  /** The same clock without its reset: registers have the values that they begin with. */
  def unreset(domain: ClockDomain): ClockDomain = domain.copy(reset = null, softReset = null, config = domain.config.copy(resetKind = BOOT))
}

/** From register to register; `together`: bits belong to one word, so they must not come further apart than a cycle of the receiver. */
case class CrossingWay(from: BaseType, to: BaseType, together: Boolean)
