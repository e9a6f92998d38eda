package mneme.leaf

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Frames come and are taken, memory takes its time and fails at any time: each is counted in one place, and none is forgotten. That they come out in their
  * turn is a matter of the benches.
  */
object FrameRingProof {
  private val (elementBits, lanes, ahead, lineBits) = (1, 2, 2, 3)
  /** The ring's lines in memory, half of those that there are, and the frames that it has room for. */
  private val ringLines = 4
  private val capacity = lanes * ringLines

  class Places(fault: Option[LeafFault.Value] = None) extends Component {
    val dut = FormalDut(FrameRing(elementBits, lanes, ahead, lineBits, attempts = 2, rest = 1, planted = Faults.one(LeafFault)(fault)))
    Proof.resetFirst()
    val io = dut.io
    io.base := 0
    io.mask := ringLines - 1
    io.push.valid := anyseq(Bool())
    io.push.payload := anyseq(UInt(elementBits bits))
    io.pop.ready := anyseq(Bool())
    io.read.ready := anyseq(Bool())
    io.write.ready := anyseq(Bool())
    io.got.valid := anyseq(Bool())
    io.written.valid := anyseq(Bool())
    private val error = anyseq(Bool())

    // --- Memory: what it holds does not count here.
    val reading, writing = RegInit(False)
    when(io.read.fire)(reading := True)
    when(io.write.fire)(writing := True)
    assume(!io.got.valid || reading)
    assume(!io.written.valid || writing)
    when(io.got.valid)(reading := False)
    when(io.written.valid)(writing := False)
    io.got.error := error
    io.got.frames := anyseq(Vec.fill(lanes)(UInt(elementBits bits)))
    io.written.payload := error
    assert(!io.read.valid || io.read.payload < ringLines)
    assert(!io.write.valid || io.write.line < ringLines)
    assert(!(reading && writing))
    assert(!(reading && (io.read.valid || io.write.valid)) && !(writing && (io.read.valid || io.write.valid)))

    val total = Reg(UInt(4 bits)) init 0
    assume(!io.push.valid || total < capacity)
    total := total + io.push.fire.asUInt - io.pop.fire.asUInt

    // --- Each frame is counted in one place.
    private val (lines, state) = (dut.lines.pull(), dut.state.pull())
    private val (gathered, fetched) = (dut.gathered.io.occupancy.pull(), dut.fetched.io.occupancy.pull())
    private val (packed, left) = (dut.packed.pull(), dut.left.pull())
    private val whole = (gathered.resize(6) + lines.resize(6) + fetched.resize(6)) |<< 1
    assert(packed.resize(6) + whole + left.resize(6) === total.resize(6))
    assert(packed <= lanes && left <= lanes && total <= capacity)
    assert(gathered <= ahead && fetched <= ahead)
    private val states = dut.State
    assert(reading === (state === states.GOT))
    assert(writing === (state === states.WRITTEN || state === states.ZEROED))
    when(state === states.READ || state === states.GOT)(assert(lines =/= 0 && fetched < ahead))
    // What was there when the packer's frames were chosen to move is there when they do.
    when(dut.moving.pull())(assert(left === 0 && fetched === 0 && gathered === 0 && lines === 0 && packed =/= 0 && state === states.IDLE))
    cover(state === states.ZEROED && io.written.valid)
    when(state === states.WRITE || state === states.WRITTEN)(assert(gathered =/= 0))
  }
}

class FrameRingProof extends Proof {
  import FrameRingProof._

  proves("each frame of the ring is in one place", 3)(new Places)
  reaches("a line goes to memory, and its frames come back", 30)(new Places)
  refutes("a ring that forgets a line which memory refuses", 30)(new Places(Some(LeafFault.RefusedLineForgotten)))
}
