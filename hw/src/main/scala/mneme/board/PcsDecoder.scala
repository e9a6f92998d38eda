package mneme.board

import spinal.core._
import spinal.lib._

/** Descrambled blocks to XGMII (49.2.11), with the receive state diagram of 49.2.13.3. Two blocks of latency: a frame's end is known to be one by
  * what follows it.
  *
  * While `up` is low, a local fault leaves in every cycle, whether there are blocks or not (LBLOCK_R).
  */
case class PcsDecoder() extends Component {
  import Block._

  val io = new Bundle {
    val in = slave(Flow(Block()))
    /** The receiver has block lock and no high error rate. */
    val up = spinal.core.in Bool ()
    val out = master(Flow(Xgmii()))
    /** A block of errors left in the place of what came. */
    val bad = spinal.core.out Bool ()
  }

  /** One block and what it is. */
  private case class Decoded() extends Bundle {
    val kind = BlockKind()
    val word = Xgmii()
  }

  private val decoded = new Area {
    private val block = io.in.payload
    private val lanes = for (i <- 0 until 8) yield new Area {
      private val known = CODES.map { case (_, code) => block.data(codeAt(i), 7 bits) === code }
      val isCode = known.orR
      val isError = block.data(codeAt(i), 7 bits) === ERROR_CODE
      val character = CODES.zip(known).map { case ((character, _), is) => B(character, 8 bits).andMask(is) }.reduce(_ | _)
    }
    private def codes(range: Range): Bool = range.map(lanes(_).isCode).andR

    /** A block type: its further conditions, and its characters, control ones first of each pair. */
    private case class Form(kind: Int, holds: Bool, characters: Seq[(Boolean, Bits)])
    private def getCodes(range: Range): Seq[(Boolean, Bits)] = range.map(i => true -> lanes(i).character)
    private def getBytes(range: Range, at: Int => Int): Seq[(Boolean, Bits)] = range.map(i => false -> block.data(at(i), 8 bits))
    private def ordered(lane: Int) = new Area {
      private val is = ORDERED.map { case (_, code) => block.data(orderedAt(lane), 4 bits) === code }
      val known = is.orR
      private val first = ORDERED.zip(is).map { case ((character, _), is) => B(character, 8 bits).andMask(is) }.reduce(_ | _)
      val characters: Seq[(Boolean, Bits)] = Seq(true -> first) ++ getBytes(lane + 1 to lane + 3, byteAt)
    }
    private def character(value: Int): Seq[(Boolean, Bits)] = Seq(true -> B(value, 8 bits))

    private val (low, high) = (ordered(0), ordered(4))
    private val startHigh = character(Xgmii.START) ++ getBytes(5 to 7, byteAt)
    private val controls = Seq(
      Form(C8, codes(0 to 7) && !lanes.map(_.isError).orR, getCodes(0 to 7)),
      Form(C4_O4, codes(0 to 3) && high.known, getCodes(0 to 3) ++ high.characters),
      Form(O4_O4, low.known && high.known, low.characters ++ high.characters),
      Form(O4_C4, low.known && codes(4 to 7), low.characters ++ getCodes(4 to 7))
    )
    private val starts = Seq(
      Form(C4_S4, codes(0 to 3), getCodes(0 to 3) ++ startHigh),
      Form(O4_S4, low.known, low.characters ++ startHigh),
      Form(S8, True, character(Xgmii.START) ++ getBytes(1 to 7, byteAt))
    )
    private val terminates = for (lane <- 0 until 8) yield Form(
      TERMINATES(lane),
      codes(lane + 1 to 7),
      getBytes(0 until lane, i => byteAt(i + 1)) ++ character(Xgmii.TERMINATE) ++ getCodes(lane + 1 to 7)
    )
    private val isControl = block.header === CONTROL
    private def is(form: Form): Bool = isControl && block.data(7 downto 0) === form.kind
    private def any(forms: Seq[Form]): Bool = forms.map(form => is(form) && form.holds).orR

    val now = Decoded()
    now.kind.data := block.header === DATA
    now.kind.control := any(controls)
    now.kind.start := any(starts)
    now.kind.terminate := any(terminates)
    private val forms = controls ++ starts ++ terminates
    private val words = forms.map { form =>
      require(form.characters.size == 8, "a block has eight characters")
      (form.characters.map(_._2).asBits().andMask(is(form)), form.characters.map(c => Bool(c._1)).asBits().andMask(is(form)))
    }
    now.word.data := words.map(_._1).reduceBalancedTree(_ | _) | block.data.andMask(now.kind.data)
    now.word.control := words.map(_._2).reduceBalancedTree(_ | _)
  }

  /** The block that came last, and the one in front of it, which leaves when it is known what follows. */
  private val next = RegNextWhen(decoded.now, io.in.valid)
  private val current = RegNextWhen(next, io.in.valid)
  private val state = PcsState(current.kind, terminateEnds = next.kind.start || next.kind.control)
  /** How many of the two are blocks since the link is up. */
  private val held = Reg(UInt(2 bits)) init 0
  private val leaves = io.in.valid && held === 2
  when(io.in.valid && held =/= 2)(held := held + 1)
  when(!io.up)(held := 0)
  state.advance := leaves
  state.clear := !io.up

  private val out = Reg(Flow(Xgmii()))
  out.valid init False
  out.valid := leaves || !io.up
  out.payload := current.word
  when(!state.passes)(out.payload := Xgmii.all(Xgmii.ERROR))
  when(!io.up)(out.payload := Xgmii.fault(1))
  io.out << out
  io.bad := RegNext(leaves && io.up && !state.passes) init False
}
