package mneme.board

import spinal.core._
import spinal.lib._

/** XGMII to blocks before scrambling (49.2.4), with the transmit state diagram of 49.2.13.3. One cycle of latency.
  *
  * What the state machine does not let pass, such as data outside a frame, leaves as a block of errors, which every receiver tells from a frame.
  */
case class PcsEncoder() extends Component {
  import Block._

  val io = new Bundle {
    val in = spinal.core.in(Xgmii())
    val out = spinal.core.out(Block())
  }

  /** What each lane holds; `code` is that of a control character. */
  private val lanes = for (i <- 0 until 8) yield new Area {
    private val character = io.in.lane(i)
    val isData = !io.in.control(i)
    val isStart = io.in.is(i, Xgmii.START)
    val isTerminate = io.in.is(i, Xgmii.TERMINATE)
    private val known = CODES.map { case (c, _) => character === c }
    val isCode = io.in.control(i) && known.orR
    val isError = io.in.is(i, Xgmii.ERROR)
    val code = CODES.zip(known).map { case ((_, code), is) => B(code, 7 bits).andMask(is) }.reduce(_ | _)
    val ordered = ORDERED.map { case (c, _) => io.in.is(i, c) }
    val orderedCode = ORDERED.zip(ordered).map { case ((_, code), is) => B(code, 4 bits).andMask(is) }.reduce(_ | _)
  }
  private def codes(range: Range): Bool = range.map(lanes(_).isCode).andR
  private def data(range: Range): Bool = range.map(lanes(_).isData).andR
  private def orderedSet(lane: Int): Bool = lanes(lane).ordered.orR && data(lane + 1 to lane + 3)

  /** Type, what it is of, and the payload behind the type. */
  private case class Form(kind: Int, holds: Bool, pieces: Seq[(Int, Bits)])
  private def putCodes(range: Range): Seq[(Int, Bits)] = range.map(i => codeAt(i) -> lanes(i).code)
  private def putBytes(range: Range, at: Int => Int): Seq[(Int, Bits)] = range.map(i => at(i) -> io.in.lane(i))
  private def putOrdered(lane: Int): Seq[(Int, Bits)] = Seq(orderedAt(lane) -> lanes(lane).orderedCode) ++ putBytes(lane + 1 to lane + 3, byteAt)

  private val (low, high) = (codes(0 to 3), codes(4 to 7))
  private val (orderedLow, orderedHigh) = (orderedSet(0), orderedSet(4))
  private val startHigh = lanes(4).isStart && data(5 to 7)
  private val controls = Seq(
    Form(C8, low && high && !lanes.map(_.isError).orR, putCodes(0 to 7)),
    Form(C4_O4, low && orderedHigh, putCodes(0 to 3) ++ putOrdered(4)),
    Form(O4_O4, orderedLow && orderedHigh, putOrdered(0) ++ putOrdered(4)),
    Form(O4_C4, orderedLow && high, putOrdered(0) ++ putCodes(4 to 7))
  )
  private val starts = Seq(
    Form(C4_S4, low && startHigh, putCodes(0 to 3) ++ putBytes(5 to 7, byteAt)),
    Form(O4_S4, orderedLow && startHigh, putOrdered(0) ++ putBytes(5 to 7, byteAt)),
    Form(S8, lanes(0).isStart && data(1 to 7), putBytes(1 to 7, byteAt))
  )
  private val terminates = for (lane <- 0 until 8) yield Form(
    TERMINATES(lane),
    data(0 until lane) && lanes(lane).isTerminate && codes(lane + 1 to 7),
    putBytes(0 until lane, i => byteAt(i + 1)) ++ putCodes(lane + 1 to 7)
  )

  private val kind = BlockKind()
  kind.control := controls.map(_.holds).orR
  kind.start := starts.map(_.holds).orR
  kind.terminate := terminates.map(_.holds).orR
  kind.data := data(0 to 7)

  /** TX_INIT, TX_C and TX_T are one state here, as all of them go on in the same way. */
  private val state = PcsState(kind, terminateEnds = True)
  state.advance := True
  state.clear := False

  private val payloads = (controls ++ starts ++ terminates).map { form =>
    val payload = Bits(64 bits)
    payload := form.kind
    for ((at, bits) <- form.pieces) payload(at, widthOf(bits) bits) := bits
    payload.andMask(form.holds)
  }
  private val block = Reg(Block())
  block.header init CONTROL
  when(!state.passes) {
    block.header := CONTROL
    block.data := ERRORS
  } elsewhen (kind.data) {
    block.header := DATA
    block.data := io.in.data
  } otherwise {
    block.header := CONTROL
    block.data := payloads.reduceBalancedTree(_ | _)
  }
  io.out := block
}

/** What the transmit and the receive state diagram have in common: whether a block passes as it is, by what came before it. */
case class PcsState(kind: BlockKind, terminateEnds: Bool) extends Area {
  /** A block is looked at in this cycle. */
  val advance = Bool()
  /** Back to the beginning. */
  val clear = Bool()
  /** Within a frame (TX_D, RX_D); behind an error (TX_E, RX_E); neither: between frames. */
  val inside, error = RegInit(False)
  private val ends = kind.terminate && terminateEnds
  private val inFrame = inside || error
  val passes = Mux(inFrame, kind.data || ends || (kind.control && error), kind.control || kind.start)
  when(advance) {
    inside := passes && (kind.data || kind.start)
    error := !passes
  }
  when(clear) {
    inside := False
    error := False
  }
}
