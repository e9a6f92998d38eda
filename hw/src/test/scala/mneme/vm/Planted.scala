package mneme.vm

import spinal.core._

/** The switches of a proof's machine: one fault for good, or none. */
object Planted {
  def apply(fault: Option[PlantedFault.Value]): PlantedFaults =
    fault.map(f => new PlantedFaults(Some(B(BigInt(1) << f.id, PlantedFault.maxId bits)))).getOrElse(PlantedFaults.none)
}
