package mneme

import spinal.lib.bus.amba4.axi.Axi4Config

/** The one shape of AXI4 in the core: 512 bits, INCR bursts, nothing optional (contracts §5). */
object MemoryBus {
  /** Id bits of one master inside the core; the arbiter puts the master's number above them. */
  val MASTER_ID_BITS = 2
  /** Id bits at the core's memory port. */
  val PORT_ID_BITS = 4

  def config(c: CBoardConfig, idBits: Int = MASTER_ID_BITS): Axi4Config = Axi4Config(
    addressWidth = c.memBits,
    dataWidth = 512,
    idWidth = idBits,
    useRegion = false,
    useLock = false,
    useCache = false,
    useQos = false,
    useProt = false
  )
}
