package mneme.mem

import spinal.core._
import spinal.core.sim._

/** Defects that a test can plant into [[MemoryAccess]] to show that its bench would notice them. No build of a board has one. */
sealed abstract class MemoryFault(val number: Int)

object MemoryFault {
  /** A read's last beat carries one byte more than was asked for. */
  case object LengthOffByOne extends MemoryFault(0)
  /** Write strobes sit one byte too high. */
  case object StrobeShifted extends MemoryFault(1)
  /** A burst of a write ends when its last beat has left, not when memory acknowledged it. */
  case object OkBeforeB extends MemoryFault(2)
  /** A read does not wait for writes in flight; nor an atomic. */
  case object ReadOvertakesWrite extends MemoryFault(3)
  /** Bursts of the largest size wherever they begin, across 4 KB borders. */
  case object NoBurstSplit extends MemoryFault(4)
  /** A compare-and-swap stores its new word whatever it finds. */
  case object SwapAlways extends MemoryFault(5)
  /** The response codes of memory are ignored. */
  case object ErrorIgnored extends MemoryFault(6)
  /** A token that asks for nothing has no end. */
  case object EndLost extends MemoryFault(7)
  /** A fence does not wait. */
  case object FenceIgnored extends MemoryFault(8)
  /** AR is sent without room for its data. */
  case object NoReservation extends MemoryFault(9)
  /** A write does not wait for reads in flight; nor an atomic. */
  case object WriteOvertakesRead extends MemoryFault(10)
  /** Nothing waits for atomics in flight. */
  case object AtomicsUnordered extends MemoryFault(11)
  /** The access just ahead, which has no place yet, is not waited for. */
  case object AheadOverlooked extends MemoryFault(12)

  val all: Seq[MemoryFault] = Seq(
    LengthOffByOne,
    StrobeShifted,
    OkBeforeB,
    ReadOvertakesWrite,
    NoBurstSplit,
    SwapAlways,
    ErrorIgnored,
    EndLost,
    FenceIgnored,
    NoReservation,
    WriteOvertakesRead,
    AtomicsUnordered,
    AheadOverlooked
  )
}

/** Switches of the planted faults.
  *
  * They exist in benches alone (`present`), all in one build, so that one compiled model
  * serves every fault. They have no reset value: the bench sets them first of all.
  */
class FaultSwitches(val present: Boolean) extends Area {
  val switches = present generate Reg(Bits(MemoryFault.all.size bits)).simPublic()
  if (present) switches := switches

  def on(fault: MemoryFault): Bool = switches.pull()(fault.number)

  /** `sound`, or `broken` while the fault is switched on. */
  def apply[T <: Data](fault: MemoryFault)(broken: => T)(sound: T): T =
    if (present) Mux(on(fault), broken, sound) else sound
}
