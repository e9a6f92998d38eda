package mneme.net

import mneme.Simulation
import spinal.core.sim._

/** How the benches of this package are built: with the settings of the generator. */
object NetSim {
  def config: SpinalSimConfig = Simulation.config
}
