package mneme

import spinal.core.{ClockDomain, SpinalConfig}
import spinal.core.sim._

/** How benches are built. */
object Simulation {

  /** One file of C++ for a model: with SpinalSim's own limit, most of the time that compilers take goes into the headers that each file includes. */
  private val split = 1 << 30

  /** Whether there is time for all: `cargo xtask hw-test` has it, CI has not. */
  val long: Boolean = sys.env.get("MNEME_HW_TESTS").contains("long")

  /** All of these where there is time, else each fifth. */
  def some[A](all: Seq[A]): Seq[A] = if (long) all else all.grouped(5).map(_.last).toSeq

  def of(spinal: SpinalConfig): SpinalSimConfig =
    SimConfig.withVerilator.withConfig(spinal).workspacePath("simWorkspace").addSimulatorFlag(s"--output-split $split")

  /** Does `cycle` at each sampling until it answers false. A bench that waits for each one does the same, but its thread's turns take longer than most
    * models' cycles.
    */
  def cycles(clock: ClockDomain)(cycle: => Boolean): Unit = {
    var failure = Option.empty[Throwable]
    clock.waitSamplingWhere(
      try !cycle
      catch { case e: Throwable => failure = Some(e); true }
    )
    failure.foreach(throw _)
  }

  /** With the settings of the generator. */
  def config: SpinalSimConfig = of(Generate.config("simWorkspace"))
}
