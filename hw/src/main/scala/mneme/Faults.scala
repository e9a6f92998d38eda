package mneme

import spinal.core._

/** Switches of planted faults: defects that a bench or a proof plants into a component, to show that it would notice them. One bit each, by their numbers
  * in an enumeration of the component's package. No build of a board has one: without switches every choice is the right one and leaves no trace in the Verilog.
  */
class Faults[F <: Enumeration#Value](switches: Option[Bits]) {
  def choose[T <: Data](fault: F, wrong: => T, right: T): T = switches match {
    case Some(bits) => Mux(bits.pull()(fault.id), wrong, right)
    case None => right
  }

  def present: Boolean = switches.isDefined
}

object Faults {
  def none[F <: Enumeration#Value]: Faults[F] = new Faults[F](None)

  /** The switches as an input of the component under test. All faults are in one build, so that one compiled model serves every one. */
  def port(kinds: Enumeration, plantable: Boolean): Option[Bits] =
    if (plantable) Some(in(bits(kinds)).setName("plantedFaults")) else None

  /** A switch for each. */
  def bits(kinds: Enumeration): Bits = Bits(kinds.maxId bits)

  /** For a proof's machine: one fault for good, or none. */
  def one(kinds: Enumeration)(fault: Option[kinds.Value]): Faults[kinds.Value] = new Faults[kinds.Value](fault.map(f => B(BigInt(1) << f.id, kinds.maxId bits)))
}
