package mneme.vm

import mneme.{CBoardConfig, Proof}

class MissTableProof extends Proof {
  import PlantedFault._

  override protected def engine = Proof.Sat
  private val c = CBoardConfig.tiny.copy(name = "misses")
  proves("turns", 1)(new MissTableKeeps(c))
  bounded("short", 8)(new MissTableClaims(c, None))
}
