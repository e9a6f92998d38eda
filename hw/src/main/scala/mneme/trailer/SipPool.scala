package mneme.trailer

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Several engines, each in its turn: tags come in the order of the jobs. `workers` engines take a job in `SipEngine.CYCLES / workers` cycles. */
class SipPool(workers: Int, worker: => SipWorker = new SipEngine, planted: Faults[TrailerFault.Value] = Faults.none) extends SipWorker {
  require(workers >= 1 && workers <= 16, s"$workers engines in a pool are outside 1 to 16")
  val engines = Seq.fill(workers)(worker)

  private class Turn(moves: Bool) {
    private val turn = Reg(UInt(log2Up(workers) max 1 bits)) init 0
    when(moves)(turn := (turn === workers - 1) ? U(0, widthOf(turn) bits) | turn + 1)
    def is(i: Int): Bool = turn === i
  }
  private val jobTurn = new Turn(io.jobs.fire)
  private val lastTurn = new Turn(io.lasts.fire)
  private val tagTurn = new Turn(io.tags.fire)

  for ((engine, i) <- engines.zipWithIndex) {
    engine.io.jobs.valid := io.jobs.valid && jobTurn.is(i)
    engine.io.jobs.payload := io.jobs.payload
    engine.io.lasts.valid := io.lasts.valid && planted.choose(TrailerFault.LastsToAll, wrong = True, right = lastTurn.is(i))
    engine.io.lasts.payload := io.lasts.payload
    engine.io.tags.ready := io.tags.ready && planted.choose(TrailerFault.TagsOutOfTurn, wrong = True, right = tagTurn.is(i))
  }
  private def chosen(turn: Turn)(of: SipWorker => Bool): Bool = engines.zipWithIndex.map { case (engine, i) => of(engine) && turn.is(i) }.orR
  io.jobs.ready := chosen(jobTurn)(_.io.jobs.ready)
  io.lasts.ready := chosen(lastTurn)(_.io.lasts.ready)
  io.tags.valid := chosen(tagTurn)(_.io.tags.valid)
  io.tags.payload := engines.zipWithIndex.map { case (engine, i) => engine.io.tags.payload.andMask(tagTurn.is(i)) }.reduce(_ | _)
}
