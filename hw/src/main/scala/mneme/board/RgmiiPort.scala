package mneme.board

import mneme.net.FrameBeat
import mneme.wire.Wire
import mneme.wire.Wire.PortCounter._
import spinal.core._
import spinal.lib._

/** One Ethernet port of 1 Gbit/s from the pins of RGMII to the core's stream (IEEE 802.3 clauses 3 and 4, `docs/reference/ecpix5.md`).
  *
  * Three clocks, whatever their phases and drifts: `rx_clock` is the transceiver's, `tx_clock` is ours, both 125 MHz; the component's own is the core's, 16 MHz
  * at least, as a word of eight bytes must be there every 64 ns. Only bytes are handled in the line's clocks; stores are in the core's.
  */
case class RgmiiPort(maxFrame: Int = RgmiiPort.MAX_FRAME, stored: Int = RgmiiPort.STORED) extends Component {
  setDefinitionName("RgmiiPort")
  noIoPrefix()

  val io = new Bundle {
    val rx_clock, tx_clock = in Bool ()
    /** Both edges of the pins, in `rx_clock` and in `tx_clock`. */
    val rx = in(RgmiiWord())
    val tx = out(RgmiiWord())
    val net = new Bundle {
      val rx = FrameBeat.axiNames(master(Stream(FrameBeat())))
      val tx = FrameBeat.axiNames(slave(Stream(FrameBeat())))
    }
    val link = out(RgmiiLink())
    val counter = new Bundle {
      /** A number of `PortCounter`; its value comes a cycle later. */
      val index = in(UInt(log2Up(PortCounters.COUNT) bits))
      val value = out UInt (32 bits)
    }
  }

  private def line(clock: Bool, reset: Bool): ClockDomain =
    ClockDomain(clock, reset, config = ClockDomain.current.config, frequency = FixedFrequency(125 MHz))
  private val (rxReset, txReset, coreReset) = (Bool(), Bool(), Bool())
  private val rxDomain = line(io.rx_clock, rxReset)
  private val txDomain = line(io.tx_clock, txReset)
  private val coreDomain = ClockDomain.current.copy(reset = coreReset)
  val resets = PortReset(rxDomain, txDomain)
  rxReset := resets.io.rx
  txReset := resets.io.tx
  coreReset := resets.io.core

  val receiveStore = coreDomain(NarrowReceiveStore(stored))
  val transmitStore = coreDomain(NarrowTransmitStore(stored, maxFrame))
  io.net.rx << receiveStore.io.frames
  transmitStore.io.frames << io.net.tx

  val received = CrossingStream(ReceivedWord(), RgmiiPort.WORDS, rxDomain, coreDomain)
  val sent = CrossingStream(FrameWord(), RgmiiPort.WORDS, coreDomain, txDomain)
  receiveStore.io.words << received.io.out.toFlow
  sent.io.in << transmitStore.io.words

  val receive = new ClockingArea(rxDomain) {
    val mac = RgmiiReceive(maxFrame)
    val counts = CountSender(RgmiiPort.ofRx)
    mac.io.pins := io.rx
    /** A word of the frame met a full crossing, as the core's clock stood still. */
    val lost = RegInit(False)
    private val word = mac.io.words
    private val misses = word.valid && !received.io.in.ready
    private val loses = misses || (lost && !word.first)
    received.io.in.valid := word.valid
    received.io.in.payload := word.payload
    received.io.in.word.damaged.removeAssignments() := word.word.damaged || loses
    when(word.valid)(lost := loses && !word.word.last)
    private val e = mac.io.events
    counts.io.events := Vec(
      e.good,
      e.badStart,
      e.badCode,
      e.tooLong,
      e.tooShort,
      e.badFcs,
      e.control,
      word.valid && word.word.last && !word.word.damaged && loses
    ).asBits
    val link = mac.io.link.asBits
  }

  val transmit = new ClockingArea(txDomain) {
    val mac = RgmiiTransmit()
    val counts = CountSender(RgmiiPort.ofTx)
    mac.io.frames << sent.io.out
    io.tx := mac.io.pins
    counts.io.events := Vec(mac.io.events.sent, mac.io.events.damaged).asBits
  }

  // What the core's side is told.
  val rxCounts = CrossingWord(Count(), rxDomain, coreDomain)
  val txCounts = CrossingWord(Count(), txDomain, coreDomain)
  rxCounts.io.in << receive.counts.io.counts
  txCounts.io.in << transmit.counts.io.counts
  val linkState = CrossingBits(widthOf(io.link), rxDomain, coreDomain)
  linkState.io.in := receive.link
  io.link.assignFromBits(linkState.io.out)

  val counters = new ClockingArea(coreDomain) {
    val file = PortCounters()
    val ours = CountSender(Seq(RX_OVERFLOW, RX_LOCK_LOST))
    ours.io.events := Vec(receiveStore.io.overflow, io.link.up.fall(False)).asBits
    // The line's counts first; the core's wait, of which there are far fewer. Who counts must be ready without being asked, to look further.
    ours.io.counts.ready := !rxCounts.io.out.valid
    file.io.rx.valid := rxCounts.io.out.valid || ours.io.counts.valid
    file.io.rx.payload := rxCounts.io.out.valid ? rxCounts.io.out.payload | ours.io.counts.payload
    file.io.tx << txCounts.io.out
    file.io.tooLong := transmitStore.io.tooLong
    file.io.refused := False
    file.io.index := io.counter.index
    io.counter.value := file.io.value
  }
}

object RgmiiPort {
  /** The largest frame of a board with this port, without its check sequence. */
  val MAX_FRAME: Int = Wire.MAIL_FRAME_MAX
  /** Words of eight bytes in each direction: 16 KB, ten of the largest frames. */
  val STORED = 2048
  /** Words of eight bytes on their way over: a frame's worth of none, as both sides keep up. */
  val WORDS = 64
  /** What is counted in the receiver's clock, in the order of the events. */
  val ofRx: Seq[Int] = Seq(RX_FRAMES, RX_BAD_START, RX_BAD_CODE, RX_TOO_LONG, RX_TOO_SHORT, RX_BAD_FCS, RX_CONTROL, RX_OVERFLOW)
  val ofTx: Seq[Int] = Seq(TX_FRAMES, TX_DAMAGED)
}
