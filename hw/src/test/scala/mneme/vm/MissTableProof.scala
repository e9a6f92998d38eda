package mneme.vm

import mneme.{CBoardConfig, Proof}

class MissTableProof extends Proof {
  import PlantedFault._

  override protected def engine = Proof.Sat

  private val c = CBoardConfig.tiny.copy(name = "misses")
  proves("requests that wait for pages: in their order, none lost, no page walked for by two", 2)(new MissTableKeeps(c))
  reaches("lists are served, entries begin anew, pinned ones are written once more", 18)(new MissTableReached(c))
  private def finds(fault: Value): Unit = refutes(s"requests that wait for pages, with $fault", 12)(new MissTableClaims(c, Some(fault)))
  Seq(SecondEntry, HitOvertakes, FenceOvertakes, PassesWaiting, WalkOvertakesWrite, WriteErrorIgnored).foreach(finds)
  refutes("requests that wait for pages, with SlowTooLong", 14)(new MissTableCalm(c, Some(SlowTooLong)))
  // A number of entries that is no power of two.
  private val three = c.copy(misses = 3)
  long {
    finds(SlowUntold)
    proves("requests that wait for three pages", 3)(new MissTableKeeps(three))
  }
}
