package mneme.board

import spinal.core._
import spinal.lib._

/** Eight bytes of a frame without preamble and check sequence, byte 0 lowest. */
case class FrameWord() extends Bundle {
  val data = Bits(64 bits)
  /** 7 in every word but the last. */
  val lastByte = UInt(3 bits)
  val last = Bool()
  /** With the last word: the frame is not to be taken; when sending: it leaves with a wrong check sequence. */
  val damaged = Bool()
}

/** A word of a frame as it comes. A frame that never ended is one whose next word is `first`. */
case class ReceivedWord() extends Bundle {
  val word = FrameWord()
  val first = Bool()
}

/** What became of frames, each an event of one cycle. */
case class ReceiveEvents() extends Bundle {
  /** A frame that goes on to the core, if there is room. */
  val good = Bool()
  /** Dropped: the preamble is none; an error or another control character within; longer than allowed; under 64 bytes; wrong check sequence. */
  val badStart, badCode, tooLong, tooShort, badFcs = Bool()
  /** Taken by the MAC itself: a pause, another frame of MAC control. */
  val pause, control = Bool()
}

/** XGMII to frames (IEEE 802.3 clauses 3, 4 and 46), in the recovered clock.
  *
  * | cycle | what happens                                                                       |
  * |-------|------------------------------------------------------------------------------------|
  * | 0, 1  | a frame that starts in lane 4 is moved to lane 0                                     |
  * | 2     | preamble, end and errors are looked at; the word waits, as the last four bytes go    |
  * | 3 to 5 | the check sequence; then the word leaves, the last one with the verdict            |
  *
  * A frame that is dropped still leaves, `damaged` with its last word: who stores it takes it back. `maxFrame` is in bytes without the check sequence.
  */
case class MacReceive(maxFrame: Int) extends Component {
  import MacReceive._

  val io = new Bundle {
    val xgmii = slave(Flow(Xgmii()))
    /** Pauses may be sent to this address too, its first byte highest. */
    val address = in Bits (48 bits)
    val words = master(Flow(ReceivedWord()))
    /** A pause was received: for so many times 512 bits nothing is to be sent. */
    val pause = master(Flow(UInt(16 bits)))
    val events = out(ReceiveEvents())
  }

  /** The word with its start, if it has one, in lane 0. */
  private val aligned = new Area {
    private val before = RegNextWhen(io.xgmii.payload, io.xgmii.valid) init Xgmii.idle
    private val (low, high) = (before.is(0, Xgmii.START), before.is(4, Xgmii.START))
    private val shifts = Reg(Bool()) init False
    private val shift = high || (shifts && !low)
    when(io.xgmii.valid)(shifts := shift)
    val valid = RegNext(io.xgmii.valid) init False
    private val now = Xgmii()
    now.data := shift ? (io.xgmii.data(31 downto 0) ## before.data(63 downto 32)) | before.data
    now.control := shift ? (io.xgmii.control(3 downto 0) ## before.control(7 downto 4)) | before.control
    val word = RegNext(now)
    val start = RegNext(low || high)
  }

  /** What the word is to the frame. */
  private val looked = new Area {
    private val word = aligned.word
    val full = word.control === 0
    /** Bytes in front of the first control character. */
    val bytes = OHToUInt(OHMasking.first(word.control)).resize(3)
    private val terminates = (0 until 8).map(i => bytes === i && word.lane(i) === Xgmii.TERMINATE).orR
    val preamble = word.data === B(Xgmii.PREAMBLE, 64 bits) && word.control === 1
    val open = RegInit(False)
    val begins = aligned.valid && aligned.start
    val carries = aligned.valid && open && !aligned.start && full
    val ends = aligned.valid && open && (aligned.start || !full)
    val well = !aligned.start && terminates
    when(ends)(open := False)
    when(begins)(open := preamble)
    /** Full words so far, as far as it matters. */
    val words = Reg(UInt(log2Up(maxFrame / 8 + 4) bits))
    private val most = (maxFrame + 4) / 8
    val beyond = words > most
    val tooLong = beyond || (words === most && bytes > (maxFrame + 4) % 8)
    val tooShort = words < MIN_FRAME / 8
    when(carries && !beyond)(words := words + 1)
    when(begins)(words := 0)
  }

  /** The last word that came waits, as the check sequence may be in it; what follows it tells. */
  private val held = new Area {
    val word = RegNextWhen(aligned.word.data, looked.carries)
    val valid, first = RegInit(False)
    /** The end's first bytes are a word of their own. */
    val rest = RegNext(looked.ends && looked.well && looked.bytes > 4) init False
    private val restData = RegNext(aligned.word.data)
    private val restLast = RegNext((looked.bytes - 5).resize(3))
    when(looked.carries) {
      valid := True
      first := !valid
    }
    when(looked.ends || looked.begins)(valid := False)

    private val ended = looked.ends && !(looked.well && looked.bytes > 4)
    val out = Flow(ReceivedWord())
    out.valid := rest || (valid && ((looked.carries && !looked.beyond) || looked.ends))
    out.first := first && !rest
    out.word.data := rest ? restData | word
    out.word.last := rest || ended
    out.word.lastByte := rest ? restLast | (ended ? (looked.bytes + 3).resize(3) | U(7, 3 bits))
    out.word.damaged := False
  }

  /** The check sequence. The last word is summed with zeros behind its end. */
  private val fcs = new Area {
    private val data = (0 until 8).map(i => aligned.word.lane(i).andMask(looked.full || (if (i == 7) False else looked.bytes > i))).asBits()
    // The word with which another frame starts belongs to that one.
    private val valid = RegNext(looked.carries || (looked.ends && !aligned.start)) init False
    private val share = RegNext(Fcs.share(data))
    private val first = Reg(Bool())
    when(looked.begins)(first := True) elsewhen (valid)(first := False)
    private val value = Reg(Bits(32 bits))
    when(valid)(value := share ^ (first ? Fcs.begun | Fcs.next(value)))
    private val missing = Delay((U(8, 4 bits) - looked.bytes).resize(4), 2)
    // No byte in the last word: the one before was full, and the register then has eight bytes of zeros more.
    val right = RegNext(Fcs.isRight(value, missing.resize(3)) && !missing(3) || value === B(Fcs.advance(Fcs.RESIDUE, 8), 32 bits) && missing(3))
  }

  /** MAC control (clause 31): by EtherType; a pause by its address and opcode too (31B.3). Fields are read as they pass. */
  private val control = new Area {
    private val word = aligned.word
    private def at(byte: Int, count: Int): Bits = (0 until count).map(i => word.lane(byte % 8 + i)).reduce(_ ## _)
    val toUs, isControl, isPause = Reg(Bool())
    val quanta = Reg(UInt(16 bits))
    when(looked.carries && looked.words === 0)(toUs := at(0, 6) === B(PAUSE_ADDRESS, 48 bits) || at(0, 6) === io.address)
    when(looked.carries && looked.words === 1) {
      isControl := at(12, 2) === CONTROL_ETHERTYPE
      isPause := at(14, 2) === PAUSE_OPCODE
    }
    when(looked.carries && looked.words === 2)(quanta := at(16, 2).asUInt)
  }

  /** The frame's end, with all that is known of it when the check sequence is. */
  val verdict = new Area {
    private def later[T <: Data](value: T): T = Delay(value, 3)
    private val ended = Delay(looked.ends, 3, init = False)
    private val reasons = Seq(
      later(!looked.well) -> io.events.badCode,
      later(looked.tooLong) -> io.events.tooLong,
      later(looked.tooShort) -> io.events.tooShort,
      !fcs.right -> io.events.badFcs,
      later(control.isControl && control.isPause && control.toUs) -> io.events.pause,
      later(control.isControl) -> io.events.control,
      True -> io.events.good
    )
    reasons.foldLeft(False) { case (earlier, (holds, event)) =>
      event := ended && holds && !earlier
      earlier || holds
    }
    io.events.badStart := Delay(looked.begins && !looked.preamble, 3, init = False)
    io.pause.valid := io.events.pause
    io.pause.payload := later(control.quanta)
    private val bad = !io.events.good
    // The end's own word leaves a cycle after the others' ends.
    private val out = Delay(held.out, 3)
    private val rested = Delay(held.rest, 3, init = False)
    private val badBefore = RegNext(bad)
    io.words.valid := Delay(held.out.valid, 3, init = False)
    io.words.first := out.first
    io.words.word.data := out.word.data
    io.words.word.lastByte := out.word.lastByte
    io.words.word.last := out.word.last
    io.words.word.damaged := rested ? badBefore | bad
  }
}

object MacReceive {
  /** With the check sequence (4.4.2). */
  val MIN_FRAME = 64
  /** Annex 31B: where pauses are sent to, their EtherType and opcode. */
  val PAUSE_ADDRESS: BigInt = BigInt("0180c2000001", 16)
  val CONTROL_ETHERTYPE = 0x8808
  val PAUSE_OPCODE = 0x0001
}
