package mneme.board

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Gaps of frames in a row, of any lengths: none is under 9 bytes, and what was left out of 12 is 0 to 3 bytes in sum, at any time. */
object FrameGapProof {
  class Harness(fault: Option[GapFault.Value] = None) extends Component {
    private val dut = FormalDut(FrameGap(Faults.one(GapFault)(fault)))
    Proof.resetFirst()
    private val (ends, lane) = (anyseq(Bool()), anyseq(UInt(3 bits)))
    dut.io.ends := ends
    dut.io.lane := lane
    /** The frame that ends started where the one before it made it start. */
    private val shifted = Reg(Bool()) init False
    dut.io.shifted := shifted
    when(ends)(shifted := dut.io.nextShifted)
    // Bytes from the word with /T/: that of /T/ itself, and the next frame's first.
    private val place = (((dut.io.idleWords +^ U(1, 2 bits)) << 3).resize(6) + (dut.io.nextShifted ? U(4, 6 bits) | U(0, 6 bits))).resize(6)
    private val at = (lane.resize(6) + (shifted ? U(4, 6 bits) | U(0, 6 bits))).resize(6)
    private val gap = place - at
    private val missing = Reg(SInt(8 bits)) init 0
    private val nowMissing = missing + 12 - gap.resize(7).asSInt
    when(ends) {
      missing := nowMissing
      assert(place > at && gap >= 9 && gap <= 15)
      assert(nowMissing >= 0 && nowMissing <= 3)
    }
    assert(missing >= 0 && missing <= 3 && missing.asUInt === dut.deficit.pull().resized)
    cover(ends && gap === 9)
    cover(ends && gap === 15)
  }
}

class FrameGapProof extends Proof {
  import FrameGapProof._

  proves("gaps are 12 bytes on average, with a deficit of 3 at most", 2)(new Harness)
  reaches("gaps are as short and as long as may be", 8)(new Harness)
  for (fault <- GapFault.values) refutes(s"a gap with the fault $fault", 8)(new Harness(Some(fault)))
}
