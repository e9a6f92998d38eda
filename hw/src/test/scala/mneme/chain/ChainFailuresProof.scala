package mneme.chain

import mneme.Proof
import mneme.leaf.LeafConfig
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Queue pairs fail in any order, for peer or memory or both at once: each is offered, once at a time, until it has ended. */
object ChainFailuresProof {
  private val k = ChainConfig(LeafConfig(TurnsProof.board, segments = 2, fillers = 4, lines = 2, ahead = 2), pairs = 4)

  class Harness(fault: Option[FailuresFault.Value] = None) extends Component {
    private val dut = FormalDut(ChainFailures(k, plantable = fault.isDefined))
    for (port <- dut.plantedFaults) port := BigInt(1) << fault.get.id
    Proof.resetFirst()
    TurnsProof.anyInputs(dut)
    private val (replies, reader, pairs) = (dut.io.replies, dut.io.reader, dut.io.pairs)
    // Neither tells in two cycles in a row.
    for (valid <- Seq(replies.valid, reader.valid)) assume(!(RegNext(valid) init False) || !valid)

    // --- Any one queue pair.
    private val ours = anyconst(UInt(k.pairBits bits))
    private val tells = (replies.valid && replies.pair === ours) || (reader.valid && reader.payload === ours)
    private val offered = pairs.valid && pairs.payload === ours
    private val ends = offered && pairs.ready
    private val stalled = RegNext(pairs.isStall) init False
    assert(!stalled || (pairs.valid && pairs.payload === RegNext(pairs.payload)))
    // What is told while it ends may be told of it once more, or not: nobody makes another one before all is empty.
    private val recent = tells || (RegNext(tells) init False)
    private val may = RegInit(False) setWhen tells clearWhen (ends && !recent)
    assert(!offered || may)

    // --- It comes when those before it have ended: the three others, which each may fail again meanwhile.
    private val must = RegInit(False)
    when(tells)(must := True)
    when(ends)(must := False)
    private val waited = Reg(UInt(5 bits)) init 0
    when(must && pairs.ready)(waited := waited + 1)
    when(!must || ends)(waited := 0)
    assert(waited <= ChainFailuresProof.longest)
    assert(!must || !dut.io.empty)
    cover(waited === 3)
    cover(replies.valid && reader.valid && must)
  }

  /** Cycles in which the one offered ends at once: three others before, and one until what is told is offered. */
  private val longest = 4
}

class ChainFailuresProof extends Proof {
  import ChainFailuresProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("a queue pair that has failed is offered until it has ended, and once", 14)(new Harness)
  reaches("one waits for others, and two are told at once", 14)(new Harness)
  for (fault <- FailuresFault.values) refutes(s"failures with the fault $fault", 14)(new Harness(Some(fault)))
}
