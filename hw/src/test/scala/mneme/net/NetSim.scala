package mneme.net

import mneme.Generate
import spinal.core.sim._

/** How the benches of this package are built: with the settings of the generator. */
object NetSim {
  def config: SpinalSimConfig = SimConfig.withVerilator.withConfig(Generate.config("simWorkspace")).workspacePath("simWorkspace")
}
