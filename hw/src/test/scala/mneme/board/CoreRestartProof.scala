package mneme.board

import mneme.{Faults, Proof}
import mneme.net.FrameBeat
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Resets of the core at any time, and frames that either side sends and takes when it likes: both see whole frames alone, but for damaged ones. Bit 0 of a
  * beat says that its frame begins with it.
  */
object CoreRestartProof {
  class Harness(fault: Option[RestartFault.Value] = None) extends Component {
    private val dut = FormalDut(CoreRestart(2, Faults.one(RestartFault)(fault)))
    Proof.resetFirst()
    dut.io.start := anyseq(Bool())
    private val closed = dut.io.busy

    private def sends(stream: Stream[FrameBeat], restarts: Bool): Unit = {
      stream.valid := anyseq(Bool())
      stream.payload.assignFromBits(anyseq(Bits(stream.payload.getBitsWidth bits)))
      val first = RegInit(True)
      when(stream.fire)(first := stream.last)
      when(restarts)(first := True)
      assume(!stream.valid || stream.data(0) === first)
      when(past(stream.isStall && !restarts) && !initstate())(assume(stream.valid && stream.payload.asBits === past(stream.payload.asBits)))
    }
    sends(dut.io.fromPort, False)
    sends(dut.io.fromCore, closed)
    dut.io.toCore.ready := anyseq(Bool())
    dut.io.toPort.ready := anyseq(Bool())

    private val (toCore, toPort) = (dut.io.toCore, dut.io.toPort)
    // --- The core, which forgets with its reset: a frame begins with its beginning, and goes on without a gap.
    private val coreInside = RegInit(False)
    when(closed)(assert(!toCore.valid))
    when(toCore.valid)(assert(toCore.data(0) === !coreInside && toCore.payload.asBits === dut.io.fromPort.payload.asBits))
    when(toCore.fire)(coreInside := !toCore.last)
    when(closed)(coreInside := False)
    // Nothing is dropped but what a reset met, and the rest of a frame that one cut into.
    when(dut.io.fromPort.fire && !closed && dut.io.fromPort.data(0))(assert(toCore.fire))
    assert(dut.io.fromPort.ready || !closed)

    // --- The port: what was cut off is ended as damaged before anything else comes.
    private val portInside, cut = RegInit(False)
    when(closed && portInside)(cut := True)
    when(toPort.fire) {
      portInside := !toPort.last
      cut := False
      when(cut)(assert(toPort.last && toPort.user === 1)) otherwise assert(
        toPort.data(0) === !portInside && toPort.payload.asBits === dut.io.fromCore.payload.asBits
      )
    }
    // What is cut off is offered its end in the next cycle, and as long as it is not taken.
    when(cut)(assert(toPort.valid))
    when(!closed && !cut)(assert(toPort.valid === dut.io.fromCore.valid))

    private val wasCut = RegInit(False) setWhen (cut && toPort.fire)
    private val tail = RegInit(False) setWhen (!closed && dut.io.fromPort.fire && !toCore.valid)
    cover(wasCut && tail && !closed && toPort.fire && toCore.fire && toCore.data(0))
  }
}

class CoreRestartProof extends Proof {
  import CoreRestartProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("the core and the port see whole frames, whenever the core is reset", 14)(new Harness)
  reaches("both sides go on after a reset that cut into a frame of each", 14)(new Harness)
  for (fault <- RestartFault.values) refutes(s"a restart with the fault $fault", 10)(new Harness(Some(fault)))
}
