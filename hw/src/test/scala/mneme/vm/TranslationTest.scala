package mneme.vm

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite

/** Translation as a whole against the model of contracts §3. */
class TranslationTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny
  private lazy val compiled = VmSim.config.compile(Translation(c, plantable = true))

  private def run(plan: Plan): Outcome = {
    var outcome: Option[Outcome] = None
    compiled.doSim(s"seed${plan.seed}", plan.seed.toInt) { dut => outcome = Some(new TranslationBench(dut, c, plan).run()) }
    outcome.get
  }

  test("random requests, replaces, faults and stalls are decided as contracts §3 says") {
    val outcomes = (1 to 6).map(seed => run(Plan(seed)))
    outcomes.foreach(o => assert(o.complaint.isEmpty, o.complaint.getOrElse("")))
    val seen = outcomes.flatMap(_.seen).groupMapReduce(_._1)(_._2)(_ + _)
    val kinds = Seq(
      "hit",
      "read miss",
      "write miss",
      "fault",
      "zeros",
      "dry",
      "exhausted",
      "denied",
      "hold",
      "away",
      "split",
      "unmapped",
      "table parity",
      "memory error",
      "expired"
    )
    for (kind <- kinds) assert(seen.getOrElse(kind, 0) >= 5, s"$kind came up too rarely in $seen")
  }
}
