package mneme.rdma

import mneme.Faults
import spinal.core._

/** Where a packet's number lies to the expected one, around the wrap (IBTA volume 1, 9.7.5.1): numbers less than half the circle ahead are ahead, all others behind. */
case class PsnPlace() extends Bundle {
  val expected, ahead, behind = Bool()
}

object PsnJudge {
  def apply(psn: UInt, expected: UInt, planted: Faults[PsnFault.Value] = Faults.none): PsnPlace = {
    val place = PsnPlace()
    val distance = psn - expected
    place.expected := psn === expected
    place.behind := planted.choose(PsnFault.ComparedAsNumbers, wrong = psn < expected, right = isBefore(distance, planted))
    place.ahead := !place.expected && !place.behind
    place
  }

  private def isBefore(distance: UInt, planted: Faults[PsnFault.Value]): Bool =
    planted.choose(PsnFault.HalfIsAhead, wrong = distance > (BigInt(1) << (widthOf(distance) - 1)), right = distance.msb)

  /** Whether `psn` lies in the half of the circle behind `other`. */
  def isBefore(psn: UInt, other: UInt): Bool = (psn - other).msb
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object PsnFault extends Enumeration {
  /** The wrap is forgotten. */
  val ComparedAsNumbers = Value
  /** The number half a circle away counts as ahead. */
  val HalfIsAhead = Value
}
