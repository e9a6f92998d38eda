package mneme.board

import mneme.Faults
import spinal.core._

/** When the next frame may start: the gap of 12 bytes, with a deficit idle count (IEEE 802.3 46.3.1.4, 4.4.2).
  *
  * A frame starts at a column of four bytes, so a gap is up to 3 bytes shorter or longer than 12. The count of bytes that were left out stays between 0 and
  * 3, so the gaps of frames in a row are 12 on average. Example: a frame whose /T/ is in lane 2 with a count of 0 is followed by a gap of 10 and a count
  * of 2; with a count of 2 by one of 14 and a count of 0.
  *
  * Combinational but for the count. Words have eight bytes, so the answer is how many idle words come behind the one with /T/, and in which half the next
  * frame starts.
  */
case class FrameGap(faults: Faults[GapFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    /** A frame ends in this cycle. */
    val ends = in Bool ()
    /** Lane of its /T/, in a word that is counted from the frame's own start. */
    val lane = in UInt (3 bits)
    /** The frame itself started in lane 4. */
    val shifted = in Bool ()
    val idleWords = out UInt (2 bits)
    val nextShifted = out Bool ()
  }

  val deficit = Reg(UInt(2 bits)) init 0
  private val sum = deficit +^ io.lane(1 downto 0)
  private val inserts = sum.msb
  when(io.ends)(deficit := faults.choose(GapFault.CountForgotten, U(0, 2 bits), sum(1 downto 0)))
  // Columns from the first one of the word with /T/ to the next frame's: 3 or 4 behind that of /T/.
  private val columns = U(3, 3 bits) + io.lane(2).asUInt + io.shifted.asUInt + faults.choose(GapFault.NeverInserts, False, inserts).asUInt
  io.idleWords := (columns(2 downto 1) - 1).resized
  io.nextShifted := columns(0)
}

/** Defects that a proof plants. */
object GapFault extends Enumeration {
  /** Each frame is on its own. */
  val CountForgotten = Value
  /** Gaps are never longer than 12 bytes. */
  val NeverInserts = Value
}
