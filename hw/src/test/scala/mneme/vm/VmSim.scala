package mneme.vm

import mneme.Simulation
import spinal.core._
import spinal.core.sim._

/** How the benches of this package are built. */
object VmSim {
  def config: SpinalSimConfig = Simulation.of(SpinalConfig(defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC)))
}
