package mneme.vm

import mneme.{CBoardConfig, Proof}

class MissTableProof extends Proof {
  import PlantedFault._

  override protected def engine = Proof.Sat

  private val c = CBoardConfig.tiny.copy(name = "misses")
  proves("requests that wait for pages: in their order, none lost, no page walked for by two", 2)(new MissTableKeeps(c))
  reaches("lists are served, entries begin anew, pinned ones are written once more", 18)(new MissTableReached(c))
  for (fault <- Seq(SecondEntry, HitOvertakes, FenceOvertakes, SlowUntold, PassesWaiting, WalkOvertakesWrite, WriteErrorIgnored))
    refutes(s"requests that wait for pages, with $fault", 12)(new MissTableClaims(c, Some(fault)))
  refutes("requests that wait for pages, with SlowTooLong", 14)(new MissTableCalm(c, Some(SlowTooLong)))
  // A number of entries that is no power of two.
  private val three = c.copy(misses = 3)
  proves("requests that wait for three pages", 3)(new MissTableKeeps(three))
}
