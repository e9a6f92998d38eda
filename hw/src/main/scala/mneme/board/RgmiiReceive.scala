package mneme.board

import spinal.core._
import spinal.lib._

/** What the other end says of the link between frames (RGMII 2.0, 3.4.1). A transceiver that does not say it leaves `up` low; nothing depends on it. */
case class RgmiiLink() extends Bundle {
  val up, gigabit, fullDuplex = Bool()
}

/** RGMII to frames (IEEE 802.3 clauses 3 and 4), a byte in each cycle of the transceiver's receive clock.
  *
  * | cycle | what happens                                                                                    |
  * |-------|-------------------------------------------------------------------------------------------------|
  * | 0     | pins                                                                                            |
  * | 1     | preamble, data, end; the last four bytes wait, as the check sequence may be in them              |
  * | 2     | bytes become words of eight; behind the end: whether the check sequence was right                |
  * | 3     | the last word leaves with the verdict                                                           |
  *
  * A frame that is dropped still leaves, `damaged` with its last word: who stores it takes it back. `maxFrame` is in bytes without the check sequence.
  * A preamble may have lost bytes on its way, but not its delimiter (35.2.3.2.1). The port takes no part in flow control: frames of MAC control are
  * dropped and counted, pauses among them.
  */
case class RgmiiReceive(maxFrame: Int) extends Component {
  require(maxFrame >= Rgmii.MIN_FRAME, s"a longest frame of $maxFrame bytes is shorter than the shortest one")
  val io = new Bundle {
    val pins = in(RgmiiWord())
    val words = master(Flow(ReceivedWord()))
    val events = out(ReceiveEvents())
    val link = out(RgmiiLink())
  }

  private val pins = RegNext(io.pins)
  private val (byte, valid, error) = (pins.byte, pins.valid, pins.error)

  /** Where in a frame the byte is. */
  private val place = new Area {
    val idle = RegInit(True)
    val preamble, data = RegInit(False)
    private val delimiter = byte === Rgmii.DELIMITER && !error
    private val filler = byte === Rgmii.PREAMBLE && !error
    val starts = valid && (idle || preamble) && delimiter
    /** What is no preamble is looked at no more until it ends. */
    val wrong = RegNext((idle && valid || preamble) && !(valid && (delimiter || filler))) init False
    val carries = valid && data
    val ends = !valid && data
    when(valid && (idle || preamble)) {
      idle := False
      preamble := filler
      data := delimiter
    }
    when(!valid) {
      idle := True
      preamble := False
      data := False
    }
  }

  /** What is known of the frame so far. */
  private val frame = new Area {
    private val most = maxFrame + 4
    val count = Reg(UInt(log2Up(most + 2) bits))
    val crc = Reg(Bits(32 bits))
    val isWrong, high, isControl = Reg(Bool())
    val beyond = Reg(Bool())
    when(place.carries) {
      crc := Rgmii.next(crc, byte)
      when(error)(isWrong := True)
      when(!beyond)(count := count + 1)
      beyond := count >= most
      // The EtherType, in bytes 12 and 13.
      when(count === 12)(high := byte === B(MacReceive.CONTROL_ETHERTYPE >> 8, 8 bits))
      when(count === 13)(isControl := high && byte === B(MacReceive.CONTROL_ETHERTYPE & 0xff, 8 bits))
    }
    when(place.starts) {
      count := 0
      crc := B(Fcs.ONES, 32 bits)
      isWrong := False
      isControl := False
      beyond := False
    }
  }

  /** Words of eight bytes. The one that is being filled, or is full, waits until it is known whether it is the last one. */
  private val words = new Area {
    private val waiting = Vec(Reg(Bits(8 bits)), 4)
    when(place.carries)(waiting := Vec(waiting.tail :+ byte))
    private val comes = RegNext(place.carries && frame.count >= 4 && !frame.beyond) init False
    private val coming = RegNext(waiting.head)
    val data = Vec(Reg(Bits(8 bits)), 8)
    val filled = Reg(UInt(4 bits)) init 0
    val first = Reg(Bool())
    val full = filled === 8
    private val at = full ? U(0, 3 bits) | filled.resize(3)
    when(comes) {
      for (i <- 0 until 8) when(at === i)(data(i) := coming)
      filled := at +^ U(1)
    }
    /** The frame's verdict is there. */
    val closes = Delay(place.ends, 2, init = False)
    private val leaves = comes && full || closes && filled =/= 0
    when(leaves)(first := False)
    when(closes)(filled := 0)
    // Behind the verdict of the frame before, however soon this one follows.
    when(Delay(place.starts, 2, init = False))(first := True)
    val out = Flow(ReceivedWord())
    out.valid := leaves
    out.first := first
    out.word.data := data.asBits
    out.word.last := closes
    out.word.lastByte := (filled - 1).resize(3)
  }

  private val verdict = new Area {
    private val right = RegNext(frame.crc === B(Fcs.RESIDUE, 32 bits))
    private val reasons = Seq(
      RegNext(frame.isWrong) -> io.events.badCode,
      RegNext(frame.beyond) -> io.events.tooLong,
      RegNext(frame.count < Rgmii.MIN_FRAME + 4) -> io.events.tooShort,
      !right -> io.events.badFcs,
      RegNext(frame.isControl) -> io.events.control,
      True -> io.events.good
    )
    private val now = RegNext(place.ends) init False
    private val choices = Vec(Bool(), reasons.size)
    reasons.zip(choices).foldLeft(False) { case (earlier, ((holds, event), choice)) =>
      choice := now && holds && !earlier
      event := RegNext(choice) init False
      earlier || holds
    }
    io.events.badStart := place.wrong
    io.events.pause := False
    words.out.word.damaged := words.closes && !io.events.good
  }
  private val left = RegNext(words.out)
  left.valid.init(False)
  io.words << left

  /** Told between frames, when neither control bit is set; it counts when it is told twice alike. */
  private val told = new Area {
    private val now = RegNextWhen(pins.rise.data, !valid && !error) init 0
    private val link = Reg(Bits(4 bits)) init 0
    when(!valid && !error && pins.rise.data === now)(link := now)
    io.link.up := link(0)
    io.link.gigabit := link(2 downto 1) === 2
    io.link.fullDuplex := link(3)
  }
}
