package mneme

import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.formal._
import scala.util.Try

/** Proofs of small machines with SymbiYosys and z3: inputs are any that the harness's assumptions allow, in every cycle.
  *
  * `proves` holds for runs of any length (induction over `depth` cycles); `bounded` for all runs of `depth` cycles from reset. Each machine is also
  * given planted faults, which `refutes` must find: a proof whose assumptions exclude everything would hold too. They are half of the time, so CI plants
  * one in each machine (`MNEME_FORMAL` is `short`).
  *
  * `cargo xtask formal` installs the tools and puts them into PATH; where they are missing the tests are cancelled, unless `MNEME_FORMAL` is set.
  */
abstract class Proof extends AnyFunSuite {
  /** What solves the suite's proofs. */
  protected def engine: SmtBmc = Proof.Smt
  private lazy val tools = Try(new ProcessBuilder("sby", "--version").start().waitFor() == 0).getOrElse(false)

  private def config(modes: SpinalFormalConfig => SpinalFormalConfig): SpinalFormalConfig =
    modes(FormalConfig.withEngies(Seq(engine)).workspacePath("simWorkspace/formal"))

  private def needTools(): Unit = {
    if (!tools && sys.env.contains("MNEME_FORMAL")) fail("sby does not run: `cargo xtask formal` installs it")
    assume(tools, "sby does not run: `cargo xtask formal` installs it")
  }

  private def check(name: String, modes: SpinalFormalConfig => SpinalFormalConfig)(machine: => Component): Unit = {
    needTools()
    config(modes).doVerify(machine)(name.map(c => if (c.isLetterOrDigit) c else '_'))
  }

  /** Proofs that take minutes each run where `MNEME_FORMAL` is `long`, which `cargo xtask formal --long` says. */
  def long(proofs: => Unit): Unit = if (sys.env.get("MNEME_FORMAL").contains("long")) proofs

  /** Holds in every state that can be reached. */
  def proves(name: String, depth: Int)(machine: => Component): Unit =
    test(s"proof: $name")(check(name, _.withProve(depth))(machine))

  /** Holds in every state that can be reached in `depth` cycles. */
  def bounded(name: String, depth: Int)(machine: => Component): Unit =
    test(s"proof of $depth cycles: $name")(check(name, _.withBMC(depth))(machine))

  /** A run of at most `depth` cycles reaches each `cover` of the harness: its assumptions leave room for what is proven about it. */
  def reaches(name: String, depth: Int)(machine: => Component): Unit =
    test(s"reached: $name")(check(name, _.withCover(depth))(machine))

  /** CI's: proofs of fewer cycles. */
  protected def short: Boolean = sys.env.get("MNEME_FORMAL").contains("short") && !Simulation.long

  private val planted = scala.collection.mutable.Set[String]()

  /** Whether there is time for a fault: its name is the machine's, "with", and its own. */
  private def hasTime(name: String): Boolean =
    !short || planted.add(name.split(" with ").head)

  /** A run of at most `depth` cycles breaks the assertions. */
  def refutes(name: String, depth: Int)(machine: => Component): Unit = if (hasTime(name)) refuses(s"refuted: $name", _.withBMC(depth))(machine)

  /** For faults that show too late for a run: the induction that proves the sound machine fails. */
  def unproven(name: String, depth: Int)(machine: => Component): Unit = if (hasTime(name)) refuses(s"unproven: $name", _.withProve(depth))(machine)

  private def refuses(name: String, modes: SpinalFormalConfig => SpinalFormalConfig)(machine: => Component): Unit = test(name) {
    // Not within the interception, which would take their absence for a refusal.
    needTools()
    val refusal = intercept[Exception](check(name, modes)(machine))
    assert(refusal.getMessage.contains("issue.triggered.from"), "no assertion was refuted, something else failed")
  }
}

object Proof {
  /** z3's solver of theories: best where a proof is by induction, and little state is wide. */
  val Smt: SmtBmc = SmtBmc(solver = SmtBmcSolver.Z3, nomem = true)

  /** z3's solver of finite domains, for which all cycles become one formula of bits: many times faster where there are many cycles, or much state of few bits. */
  val Sat: SmtBmc = new SmtBmc(solver = SmtBmcSolver.Z3, nomem = true, unroll = Some(true)) {
    override def command: String = super.command + " -- --logic QF_FD"
  }

  /** What every harness begins with: reset comes first. */
  def resetFirst(): Unit = assumeInitial(ClockDomain.current.isResetActive)
}
