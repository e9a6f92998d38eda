package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** A stream between two clocks of which each has an edge when it likes: each word comes once, in order, as it was sent, and places change one bit at a time. */
object CrossingStreamProof {
  class Harness(fault: Option[StreamFault.Value] = None) extends Component {
    private val (from, to) = (FreeClock(), FreeClock())
    private val dut = FormalDut(CrossingStream(Bits(2 bits), 4, from.domain, to.domain, Faults.one(StreamFault)(fault)))
    Proof.resetFirst()
    dut.io.in.valid := anyseq(Bool())
    dut.io.in.payload := anyseq(Bits(2 bits))
    dut.io.out.ready := anyseq(Bool())
    private val comes = dut.io.out.fire && to.edge
    // Four words in memory, two behind it.
    private val words = WordsInOrder(most = 6)(dut.io.in.fire && from.edge, dut.io.in.payload)(comes, dut.io.out.valid, dut.io.out.payload)
    for (place <- Seq(dut.sender.coded.pull(), dut.receiver.coded.pull())) assert(CountOne(place ^ (RegNext(place) init 0)) <= 1)
    private val waited = RegInit(False) setWhen (dut.io.in.valid && !dut.io.in.ready)
    cover(waited && comes && words.come === 5)
  }

  private def CountOne(bits: Bits): UInt = spinal.lib.CountOne(bits)
}

class CrossingStreamProof extends Proof {
  import CrossingStreamProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("words come once, in order and whole", 16)(new Harness)
  reaches("a full crossing goes on", 24)(new Harness)
  for (fault <- StreamFault.values) refutes(s"a stream with the fault $fault", 16)(new Harness(Some(fault)))
}
