package mneme.vm

import spinal.core._
import spinal.core.sim._

/** How the benches of this package are built. */
object VmSim {
  def config: SpinalSimConfig = SimConfig.withVerilator
    .withConfig(SpinalConfig(defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC)))
    .workspacePath("simWorkspace")
}
