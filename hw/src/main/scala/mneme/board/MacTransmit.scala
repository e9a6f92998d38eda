package mneme.board

import spinal.core._
import spinal.lib._

/** Events of one cycle. */
case class TransmitEvents() extends Bundle {
  /** A frame has left; so has a pause. */
  val sent, pause = Bool()
  /** A frame left with a wrong check sequence, as the core said that it is damaged. */
  val damaged = Bool()
  /** A frame was dropped, as there is no link. */
  val noLink = Bool()
}

/** Frames to XGMII (IEEE 802.3 clauses 3, 4 and 46): preamble, padding to 60 bytes, check sequence, gap. Five cycles from a frame's first word to /S/.
  *
  * Once a frame has begun, a word must be there in every cycle: who feeds this has it whole. While there is a fault, frames are dropped whole, idles are
  * sent at a remote fault, and remote faults at a local one (46.3.4).
  */
case class MacTransmit() extends Component {
  import MacTransmit._

  val io = new Bundle {
    val frames = slave(Stream(FrameWord()))
    /** Frames of the MAC itself, before others, paused or not. */
    val control = slave(Stream(FrameWord()))
    val paused = in Bool ()
    val localFault, remoteFault = in Bool ()
    val xgmii = out(Xgmii())
    val events = out(TransmitEvents())
  }

  /** One word on its way, in its frame's own alignment. */
  private case class Slot() extends Bundle {
    val start, data, last, tail = Bool()
    val word = Bits(64 bits)
    val first = Bool()
    /** Bytes of the last data word, less one. */
    val lastByte = UInt(3 bits)
    val damaged = Bool()
    /** The frame starts in lane 4. */
    val shifted = Bool()
  }

  /** What is sent next. */
  private val sequencer = new Area {
    private val gap = FrameGap()
    private val (idle, sends, pads, tails, drops) = (RegInit(True), RegInit(False), RegInit(False), RegInit(False), RegInit(False))
    private val isControl, damaged = Reg(Bool())
    private val gapLeft = Reg(UInt(2 bits)) init 0
    private val nextShifted = Reg(Bool()) init False
    private val shifted = Reg(Bool()) init False
    /** Words sent of the frame, as far as padding asks. */
    private val words = Reg(UInt(4 bits))
    private val noLink = io.localFault || io.remoteFault
    private val in = FrameWord()
    in := isControl ? io.control.payload | io.frames.payload

    val slot = Slot()
    slot.start := False
    slot.data := False
    slot.last := False
    slot.tail := False
    slot.first := words === 0
    slot.word := (0 until 8).map(i => in.data(8 * i, 8 bits).andMask(!pads && (if (i == 0) True else in.lastByte >= i))).asBits()
    slot.lastByte := in.lastByte
    slot.damaged := damaged
    slot.shifted := shifted
    io.frames.ready := False
    io.control.ready := False
    io.events.noLink := False
    io.events.sent := False
    io.events.pause := False
    io.events.damaged := False

    // Behind a frame's last word there is always one of check sequence or of gap, in which the gap is worked out.
    private val ended = RegInit(False)
    private val lane = Reg(UInt(3 bits))
    private val ready = idle && gapLeft === 0 && !ended
    when(idle && gapLeft =/= 0)(gapLeft := gapLeft - 1)
    when(ended) {
      gapLeft := tails ? gap.io.idleWords | (gap.io.idleWords - 1)
      nextShifted := gap.io.nextShifted
    }
    when(ready) {
      // Who does not start at once starts in lane 0, when it does.
      nextShifted := False
      words := 0
      when(noLink) {
        when(io.frames.valid) {
          idle := False
          drops := True
        }
      } elsewhen (io.control.valid || (io.frames.valid && !io.paused)) {
        slot.start := True
        slot.shifted := nextShifted
        shifted := nextShifted
        isControl := io.control.valid
        idle := False
        sends := True
      }
    }

    private val enough = words === MIN_WORDS - 1
    private val short = enough && in.lastByte < MIN_LAST
    private val ending = sends && in.last
    private val ends = enough && (pads || ending) || ending && words > MIN_WORDS - 1
    private val grown = words === MIN_WORDS
    when(sends || pads) {
      slot.data := True
      when(!grown)(words := words + 1)
      when(pads || (ending && !enough && !grown))(slot.lastByte := 7)
      when(enough && (pads || (ending && short)))(slot.lastByte := MIN_LAST)
    }
    when(sends) {
      io.frames.ready := !isControl
      io.control.ready := isControl
      when(in.last) {
        damaged := in.damaged
        slot.damaged := in.damaged
        sends := False
        pads := !ends
      }
    }
    when(ends) {
      slot.last := True
      pads := False
      tails := slot.lastByte >= 3
      idle := slot.lastByte < 3
      io.events.sent := !isControl
      io.events.pause := isControl
      io.events.damaged := !isControl && slot.damaged
    }
    when(tails) {
      slot.tail := True
      tails := False
      idle := True
    }
    when(drops) {
      io.frames.ready := True
      when(io.frames.valid && io.frames.last) {
        drops := False
        idle := True
        io.events.noLink := True
      }
    }
    ended := ends
    // Behind the last byte there are four of check sequence; eight lanes on is the tail's word.
    lane := slot.lastByte + 5
    gap.io.ends := ended
    gap.io.lane := lane
    gap.io.shifted := shifted
  }

  /** The check sequence, three cycles behind. */
  private val fcs = new Area {
    private val slot = RegNext(sequencer.slot)
    private val share = RegNext(Fcs.share(slot.word))
    private val now = RegNext(slot)
    private val value = Reg(Bits(32 bits))
    when(RegNext(slot.data, init = False))(value := share ^ (now.first ? Fcs.begun | Fcs.next(value)))
    private val summed = RegNext(now)
    // A damaged frame gets the register itself in place of its complement.
    private val right = Fcs.takeBack(value, ~summed.lastByte) ^ B(Fcs.ONES, 32 bits).andMask(!summed.damaged)
    /** The last word's stays for the tail. */
    val sequence = RegNextWhen(right, summed.last)
    val lastByte = RegNextWhen(summed.lastByte, summed.last)
    private def flag(now: Bool): Bool = Delay(now, 4, init = False)
    val (start, data) = (flag(sequencer.slot.start), flag(sequencer.slot.data))
    val (last, tail) = (flag(sequencer.slot.last), flag(sequencer.slot.tail))
    val word = RegNext(summed.word)
    val shifted = RegNext(summed.shifted)
  }

  /** Characters: behind the data the check sequence, /T/ and idles, from lane `lastByte + 1` of the last word on. */
  private val characters = new Area {
    private val behind: Seq[(Bits, Bool)] = (0 until 4).map(i => (fcs.sequence(8 * i, 8 bits), False)) :+ ((B(Xgmii.TERMINATE, 8 bits), True))
    private val idle = (B(Xgmii.IDLE, 8 bits), True)
    /** The character of a place, counted from the last word's start. */
    private def at(place: Int): (Bits, Bool) = {
      val choices = (0 until 8).map { lastByte =>
        val p = place - lastByte - 1
        if (p < 0) (fcs.word(8 * (place % 8), 8 bits), False) else if (p < 5) behind(p) else idle
      }
      (Vec(choices.map(_._1)).read(fcs.lastByte), Vec(choices.map(_._2)).read(fcs.lastByte))
    }
    private val places = (0 until 13).map(at) ++ Seq.fill(3)(idle)
    private def word(characters: Seq[(Bits, Bool)]): Xgmii = {
      val word = Xgmii()
      word.data := characters.map(_._1).asBits()
      word.control := characters.map(_._2).asBits()
      word
    }
    val out = Xgmii()
    out := io.localFault ? Xgmii.fault(REMOTE) | Xgmii.idle
    when(fcs.start)(out := Xgmii.words(Xgmii.PREAMBLE, 1))
    when(fcs.data) {
      out.data := fcs.word
      out.control := 0
    }
    when(fcs.last)(out := word(places.take(8)))
    when(fcs.tail)(out := word(places.drop(8)))
    /** That of the frame which the word is of, or of the last one. */
    val shifts = Reg(Bool()) init False
    val shift = fcs.start ? fcs.shifted | shifts
    shifts := shift
  }

  /** Half a word later, for frames that start in lane 4. */
  private val lateData = RegNext(characters.out.data(63 downto 32))
  private val lateControl = RegNext(characters.out.control(7 downto 4))
  private val sent = Reg(Xgmii()) init Xgmii.idle
  sent := characters.out
  when(characters.shift) {
    sent.data := characters.out.data(31 downto 0) ## lateData
    sent.control := characters.out.control(3 downto 0) ## lateControl
  }
  io.xgmii := sent
}

object MacTransmit {
  /** A frame without its check sequence is 60 bytes at least (4.4.2): eight words, and in the last of them four bytes. */
  private val MIN_WORDS = 8
  private val MIN_LAST = 3
  private val REMOTE = 2
}
