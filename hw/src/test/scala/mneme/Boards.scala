package mneme

import spinal.core.sim.SimCompiled

import scala.collection.mutable

/** Whole boards are what takes compilers longest: suites whose boards are the same share one. */
object Boards {
  private val models = mutable.Map[CBoardConfig, SimCompiled[CBoard]]()
  def apply(config: CBoardConfig): SimCompiled[CBoard] = models.synchronized(models.getOrElseUpdate(config, Simulation.config.compile(CBoard(config))))

  /** The tiny board with packet slots for a queue in front of every stage, so that no frame of a flood is lost in the front end, and a filter that holds all
    * that a flood writes.
    */
  val queues: CBoardConfig = CBoardConfig.tiny.copy(name = "queues", filterSetsLog2 = 9, filterWays = 4, packetSlots = 128)
}
