package mneme.trailer

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A pool's tags come in the order of their jobs, each of its own last word, none lost or doubled, however long each engine takes. */
object SipPoolProof {
  private val idBits = 6

  /** Stands for an engine: takes any time for anything, and its tag says of which job and of which last word it is. */
  class AnyWorker extends SipWorker {
    val busy, ended, offered = RegInit(False)
    private val job, last = Reg(Bits(idBits bits))
    io.jobs.ready := !busy && anyseq(Bool())
    io.lasts.ready := busy && !ended && anyseq(Bool())
    private val offers = offered || anyseq(Bool())
    io.tags.valid := busy && ended && offers
    io.tags.payload := (last ## job).resized
    offered := io.tags.isStall
    when(io.jobs.fire) {
      busy := True
      ended := False
      job := io.jobs.key(idBits - 1 downto 0)
    }
    when(io.lasts.fire) {
      ended := True
      last := io.lasts.payload(idBits - 1 downto 0)
    }
    when(io.tags.fire)(busy := False)
  }

  class Harness(workers: Int, fault: Option[TrailerFault.Value] = None) extends Component {
    private val dut = FormalDut(new SipPool(workers, new AnyWorker, Faults.one(TrailerFault)(fault)))
    Proof.resetFirst()
    private def counter(moves: Bool) = { val count = Reg(UInt(idBits bits)) init 0; when(moves)(count := count + 1); count }
    private val (jobs, lasts, tags) = (counter(dut.io.jobs.fire), counter(dut.io.lasts.fire), counter(dut.io.tags.fire))
    dut.io.jobs.valid := anyseq(Bool())
    dut.io.jobs.key := jobs.asBits.resized
    dut.io.jobs.words.foreach(_ := 0)
    dut.io.lasts.valid := anyseq(Bool())
    dut.io.lasts.payload := lasts.asBits.resized
    dut.io.tags.ready := anyseq(Bool())

    when(dut.io.tags.valid)(assert(dut.io.tags.payload === (tags ## tags).resized))
    private val busy = dut.engines.map(_.asInstanceOf[AnyWorker].busy.pull())
    assert(jobs - tags === CountOne(busy).resized)
    assert(lasts - tags <= jobs - tags)
    private val stalled = RegNext(dut.io.tags.isStall) init False
    assert(!stalled || (dut.io.tags.valid && dut.io.tags.payload === RegNext(dut.io.tags.payload)))
    cover(tags === 2 * workers)
    cover(busy.andR)
  }
}

class SipPoolProof extends Proof {
  import SipPoolProof._
  override protected def engine: SmtBmc = Proof.Sat

  for ((workers, depth) <- Seq(2 -> 16, 3 -> 11)) bounded(s"tags of $workers engines in their order", depth)(new Harness(workers))
  reaches("all engines work, and each twice", 16)(new Harness(2))
  for (fault <- Seq(TrailerFault.LastsToAll, TrailerFault.TagsOutOfTurn)) refutes(s"tags of a pool with $fault", 12)(new Harness(2, Some(fault)))
}
