package mneme.leaf

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Frames come and are taken, memory takes its time and fails at any time: each comes out once, in its turn, or is told to be lost. */
object FrameRingProof {
  private val (elementBits, lanes, ahead, lineBits) = (2, 2, 2, 1)
  /** Frames that the ring has room for: as many as its lines in memory have. */
  private val capacity = lanes << lineBits

  /** What is of the ring, and what is of memory: common to both proofs. */
  class World(fault: Option[LeafFault.Value], fails: Boolean, most: Int) extends Component {
    val dut = FormalDut(FrameRing(elementBits, lanes, ahead, lineBits, attempts = 2, rest = 1, planted = Faults.one(LeafFault)(fault)))
    Proof.resetFirst()
    val io = dut.io
    io.base := 0
    io.mask.setAll()
    io.push.valid := anyseq(Bool())
    io.push.payload := anyseq(UInt(elementBits bits))
    io.pop.ready := anyseq(Bool())
    io.read.ready := anyseq(Bool())
    io.write.ready := anyseq(Bool())
    io.got.valid := anyseq(Bool())
    io.written.valid := anyseq(Bool())
    private val error = anyseq(Bool())
    if (!fails) assume(!error)

    // --- Memory: a line that it refuses may be in it all the same.
    val memory = Vec.fill(1 << lineBits)(Vec.fill(lanes)(Reg(UInt(elementBits bits))))
    val reading, writing = RegInit(False)
    private val place = Reg(UInt(lineBits bits))
    private val data = Reg(Vec.fill(lanes)(UInt(elementBits bits)))
    when(io.read.fire) {
      reading := True
      place := io.read.payload
    }
    when(io.write.fire) {
      writing := True
      place := io.write.line
      data := io.write.frames
    }
    assume(!io.got.valid || reading)
    assume(!io.written.valid || writing)
    when(io.got.valid)(reading := False)
    when(io.written.valid)(writing := False)
    private val kept = anyseq(Bool())
    when(io.written.valid && (!error || kept)) {
      for ((line, i) <- memory.zipWithIndex) when(place === i)(line := data)
    }
    io.got.error := error
    io.got.frames := anyseq(Vec.fill(lanes)(UInt(elementBits bits)))
    when(!error)(assume(io.got.frames.asBits === memory(place).asBits))
    io.written.payload := error
    assert(!(reading && writing))
    assert(!(reading && (io.read.valid || io.write.valid)) && !(writing && (io.read.valid || io.write.valid)))

    val total = Reg(UInt(4 bits)) init 0
    assume(!io.push.valid || total < most)
    total := total + io.push.fire.asUInt - io.pop.fire.asUInt
  }

  /** However long it runs: each frame is counted in one place. */
  class Places(fault: Option[LeafFault.Value] = None) extends World(fault, fails = true, most = capacity) {
    private val (lines, state) = (dut.lines.pull(), dut.state.pull())
    private val (gathered, fetched) = (dut.gathered.io.occupancy.pull(), dut.fetched.io.occupancy.pull())
    private val (packed, left) = (dut.packed.pull(), dut.left.pull())
    private val whole = (gathered.resize(4) + lines.resize(4) + fetched.resize(4)) |<< 1
    assert(packed.resize(4) + whole + left.resize(4) === total)
    assert(packed <= lanes && left <= lanes && total <= capacity)
    assert(gathered <= ahead && fetched <= ahead)
    private val states = dut.State
    assert(reading === (state === states.GOT))
    assert(writing === (state === states.WRITTEN || state === states.ZEROED))
    when(state === states.READ || state === states.GOT)(assert(lines =/= 0 && fetched < ahead))
    when(state === states.WRITE || state === states.WRITTEN)(assert(gathered =/= 0))
  }

  /** From reset on: each frame comes out in its turn. One is marked, all others look the same. */
  class Turns(fault: Option[LeafFault.Value] = None, fails: Boolean = true) extends World(fault, fails, most = capacity) {
    private val (mark, other) = (1, 2)
    private val marked, gone = RegInit(False)
    private val before = Reg(UInt(4 bits)) init 0
    private val lost = RegInit(False) setWhen (io.lineLost)
    assume(!io.push.valid || io.push.payload === mark || io.push.payload === other)
    assume(!(io.push.valid && io.push.payload === mark && (marked || gone)))
    when(io.push.fire && io.push.payload === mark) {
      marked := True
      before := total - io.pop.fire.asUInt
    }
    when(io.pop.fire) {
      val turn = marked && before === 0
      assert(io.pop.payload === (turn ? U(mark, 2 bits) | U(other, 2 bits)) || (io.pop.payload === 0 && lost))
      when(marked)(before := before - 1)
      when(turn) {
        marked := False
        gone := True
      }
    }
    private val state = dut.state.pull()
    cover(marked && state === dut.State.ZERO && io.write.fire && io.pop.payload === mark)
    if (fails) cover(lost && io.pop.fire && io.pop.payload === 0)
  }
}

class FrameRingProof extends Proof {
  import FrameRingProof._
  override protected def engine: spinal.core.formal.SmtBmc = Proof.Sat

  bounded("each frame comes out in its turn, or is told to be lost", 26)(new Turns)
  reaches("a frame goes through memory, and one is lost", 30)(new Turns)
  for (fault <- Seq(LeafFault.RingOverwrites, LeafFault.RefusedLineForgotten, LeafFault.RingOvertakes))
    refutes(s"a ring with the fault $fault", 30)(new Turns(Some(fault)))
}
