package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** A stream between two clocks of which each has an edge when it likes: each word comes once, in order, as it was sent, and places change one bit at a time. */
object CrossingStreamProof {
  class Harness(fault: Option[StreamFault.Value] = None) extends Component {
    private val (fromEdge, toEdge) = (anyseq(Bool()), anyseq(Bool()))
    private def clock(edge: Bool) = ClockDomain.current.copy(clockEnable = edge, config = ClockDomain.current.config.copy(clockEnableActiveLevel = HIGH))
    private val dut = FormalDut(CrossingStream(Bits(2 bits), 4, clock(fromEdge), clock(toEdge), Faults.one(StreamFault)(fault)))
    Proof.resetFirst()
    dut.io.in.valid := anyseq(Bool())
    dut.io.in.payload := anyseq(Bits(2 bits))
    dut.io.out.ready := anyseq(Bool())
    private val sends = dut.io.in.fire && fromEdge
    private val comes = dut.io.out.fire && toEdge
    /** What was sent, and how much of it has come: four words in memory, two behind it. */
    private val words = Vec.fill(8)(Reg(Bits(2 bits)) init 0)
    private val sent, come = Reg(UInt(3 bits)) init 0
    when(comes)(come := come + 1)
    when(sends) {
      sent := sent + 1
      words(sent) := dut.io.in.payload
    }
    assert(sent - come <= 6)
    when(dut.io.out.valid)(assert(sent =/= come && dut.io.out.payload === words(come)))
    for (place <- Seq(dut.sender.coded.pull(), dut.receiver.coded.pull())) assert(CountOne(place ^ (RegNext(place) init 0)) <= 1)
    private val waited = RegInit(False) setWhen (dut.io.in.valid && !dut.io.in.ready)
    cover(waited && comes && come === 5)
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
