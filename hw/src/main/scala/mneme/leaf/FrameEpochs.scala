package mneme.leaf

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Which frames of the ring may be taken: those that were freed before all accesses that go on.
  *
  * The ring is in order of freeing, so frames that wait are its newest ones, and three counts are enough: `usable` frames, then `closing` ones, then `open`
  * ones. An access begins in the epoch of the moment. A frame that is freed is open. When no access of the other epoch goes on, closing frames become usable,
  * open ones closing, and the epochs change places. So a frame waits for the accesses of its epoch and of the one before.
  */
case class FrameEpochs(countBits: Int, accessBits: Int = 16, planted: Faults[LeafFault.Value] = Faults.none, both: Boolean = false) extends Component {
  val io = new Bundle {
    /** An access begins, in epoch `now`; one ends that began in the epoch given. */
    val begins = in Bool ()
    val now = out Bool ()
    val ends = slave Flow (Bool())
    /** Another one, which may end in the same cycle. */
    val others = both generate slave(Flow(Bool()))

    /** A frame was freed; one came that nobody has accessed. It waits only for those before it. */
    val freed, came = in Bool ()
    /** The oldest frame was taken; only where one is usable. */
    val taken = in Bool ()
    val usable, waiting = out UInt (countBits bits)
  }

  val now = RegInit(False)
  val begun = Vec.fill(2)(Reg(UInt(accessBits bits)) init 0)
  val usable, closing, open = Reg(UInt(countBits bits)) init 0
  val waits = RegInit(False)

  for (e <- 0 to 1) {
    val begins = io.begins && now === Bool(e == 1)
    val ends = io.ends.valid && io.ends.payload === Bool(e == 1)
    val left = begun(e) + begins.asUInt - ends.asUInt
    begun(e) := (if (both) left - (io.others.valid && io.others.payload === Bool(e == 1)).asUInt else left)
  }
  private val quiet = planted.choose(LeafFault.EpochsCollide, wrong = True, right = begun((!now).asUInt) === 0)
  private val directly = (io.came && !waits) || planted.choose(LeafFault.FreedAtOnce, wrong = io.freed, right = False)
  private val opens = (io.came || io.freed) && !directly
  private val turns = quiet && open =/= 0

  usable := usable + Mux(quiet, closing, U(0, countBits bits)) + directly.asUInt - io.taken.asUInt
  when(quiet)(closing := open)
  open := Mux(quiet, U(0, countBits bits), open) + opens.asUInt
  now := now ^ turns
  // Something is closing or open.
  waits := opens || open =/= 0 || (closing =/= 0 && !quiet)

  io.now := now
  io.usable := usable
  io.waiting := closing + open
}
