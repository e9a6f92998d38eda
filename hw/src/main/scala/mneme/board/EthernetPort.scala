package mneme.board

import mneme.net.FrameBeat
import spinal.core._
import spinal.lib._

/** States of a port, for whoever reads them. */
case class PortStatus() extends Bundle {
  /** Block lock; more wrong headers than a link has. */
  val lock, highErrorRate = Bool()
  /** What the other side told, or our own receiver. */
  val localFault, remoteFault = Bool()
  /** The other side has asked for a pause. */
  val paused = Bool()
}

/** How a port behaves; it may change at any time. */
case class PortSettings() extends Bundle {
  /** First byte of the address highest: pauses are taken that are sent to it, and ours come from it. */
  val address = Bits(48 bits)
  /** Pauses are sent when the receive store fills up. */
  val sendPauses = Bool()
}

/** One 10GBASE-R Ethernet port from the transceiver's boundary to the core's stream (IEEE 802.3 clauses 4, 31B, 46, 49).
  *
  * Three clocks, whatever their phases and drifts: `rx_clock` is recovered from the line, `tx_clock` is the transmitter's, both 156.25 MHz; the component's
  * own is the core's, 250 MHz. A block crosses the boundary in every cycle, received ones when `rx_valid` is high: the transceiver's gearbox works for 66
  * bits in each cycle of its clock. Bit 0 is first on the line.
  *
  * `shared` is one of several behind a [[PortSwitch]].
  */
case class EthernetPort(
    maxFrame: Int = EthernetPort.MAX_FRAME,
    beats: Int = EthernetPort.BEATS,
    pauseRefresh: Int = PauseSender.REFRESH,
    shared: Boolean = false
) extends Component {
  setDefinitionName("EthernetPort")
  noIoPrefix()

  val io = new Bundle {
    val rx_clock, tx_clock = in Bool ()
    /** The transceiver's receive side, in `rx_clock`. */
    val rx = slave(Flow(Block()))
    /** Its receiver has a signal and its own lock. */
    val rx_signalOk = in Bool ()
    /** Blocks are to begin one bit later; high for a cycle. */
    val rx_slip = out Bool ()
    /** Its transmit side, in `tx_clock`. */
    val tx = out(Block())
    val net = new Bundle {
      val rx = FrameBeat.axiNames(master(Stream(FrameBeat())))
      val tx = FrameBeat.axiNames(slave(Stream(FrameBeat())))
      /** Of one that is shared: there is room for the longest frame; a frame for this port was not given to it. */
      val room = shared generate (out Bool ())
      val refused = shared generate (in Bool ())
    }
    val settings = in(PortSettings())
    val status = out(PortStatus())
    val counter = new Bundle {
      /** A number of `PortCounter`; its value comes a cycle later. */
      val index = in(UInt(log2Up(PortCounters.COUNT) bits))
      val value = out UInt (32 bits)
    }
  }

  private def line(clock: Bool, reset: Bool): ClockDomain =
    ClockDomain(clock, reset, config = ClockDomain.current.config, frequency = FixedFrequency(156.25 MHz))
  private val (rxReset, txReset, coreReset) = (Bool(), Bool(), Bool())
  private val rxDomain = line(io.rx_clock, rxReset)
  private val txDomain = line(io.tx_clock, txReset)
  private val coreDomain = ClockDomain.current.copy(reset = coreReset)
  val resets = PortReset(rxDomain, txDomain)
  rxReset := resets.io.rx
  txReset := resets.io.tx
  coreReset := resets.io.core

  val receiveStore = ReceiveStore(beats, rxDomain, coreDomain)
  val transmitStore = TransmitStore(beats, maxFrame, txDomain, coreDomain, shared)
  io.net.rx << receiveStore.io.frames
  transmitStore.io.frames << io.net.tx
  if (shared) io.net.room := transmitStore.io.room

  private val settings = PortSettings()
  settings := io.settings
  val settingsRx = Follower(settings.address, coreDomain, rxDomain)
  val settingsTx = Follower(settings, coreDomain, txDomain)

  val receive = new ClockingArea(rxDomain) {
    val pcs = PcsReceive()
    val mac = MacReceive(maxFrame)
    val fault = LinkFault()
    val counts = CountSender(PortCounters.ofRx)
    pcs.io.blocks << io.rx
    pcs.io.signalOk := io.rx_signalOk
    mac.io.xgmii << pcs.io.xgmii
    mac.io.address := settingsRx.value
    fault.io.xgmii << pcs.io.xgmii
    receiveStore.io.words << mac.io.words
    private val lockLost = pcs.io.lock.fall(False)
    private val e = mac.io.events
    counts.io.events := Vec(
      e.good,
      e.badStart,
      e.badCode,
      e.tooLong,
      e.tooShort,
      e.badFcs,
      e.pause,
      e.control,
      receiveStore.io.overflow,
      pcs.io.badBlock,
      pcs.io.wrongHeader,
      lockLost
    ).asBits
    val state = fault.io.remote ## fault.io.local ## pcs.io.highErrorRate ## pcs.io.lock
  }
  io.rx_slip := receive.pcs.io.slip

  // From the receiver to the sender: faults, pauses, the store's level.
  val linkState = CrossingBits(3, rxDomain, txDomain)
  linkState.io.in := receiveStore.io.filling ## receive.fault.io.remote ## receive.fault.io.local
  val pauses = CrossingWord(UInt(16 bits), rxDomain, txDomain)
  // A later pause replaces an earlier one that has not gone over yet.
  val latest = new ClockingArea(rxDomain) {
    val waits = RegInit(False)
    val quanta = RegNextWhen(receive.mac.io.pause.payload, receive.mac.io.pause.valid)
    pauses.io.in.valid := waits
    pauses.io.in.payload := quanta
    when(pauses.io.in.fire)(waits := False)
    when(receive.mac.io.pause.valid)(waits := True)
  }

  val transmit = new ClockingArea(txDomain) {
    val timer = PauseTimer()
    val sender = PauseSender(pauseRefresh)
    val mac = MacTransmit()
    val pcs = PcsTransmit()
    val counts = CountSender(PortCounters.ofTx)
    timer.io.quanta << pauses.io.out
    sender.io.full := linkState.io.out(2) && settingsTx.value.sendPauses
    sender.io.address := settingsTx.value.address
    mac.io.control << sender.io.frames
    mac.io.frames << transmitStore.io.words
    mac.io.paused := timer.io.paused
    mac.io.localFault := linkState.io.out(0)
    mac.io.remoteFault := linkState.io.out(1)
    pcs.io.xgmii := mac.io.xgmii
    io.tx := pcs.io.block
    counts.io.events := Vec(mac.io.events.sent, mac.io.events.pause, mac.io.events.damaged, mac.io.events.noLink).asBits
  }

  // What the core's side is told.
  val rxCounts = CrossingWord(Count(), rxDomain, coreDomain)
  val txCounts = CrossingWord(Count(), txDomain, coreDomain)
  rxCounts.io.in << receive.counts.io.counts
  txCounts.io.in << transmit.counts.io.counts
  val rxState = CrossingBits(4, rxDomain, coreDomain)
  val txState = CrossingBits(1, txDomain, coreDomain)
  rxState.io.in := receive.state
  txState.io.in := transmit.timer.io.paused.asBits
  io.status.lock := rxState.io.out(0)
  io.status.highErrorRate := rxState.io.out(1)
  io.status.localFault := rxState.io.out(2)
  io.status.remoteFault := rxState.io.out(3)
  io.status.paused := txState.io.out(0)

  val counters = new ClockingArea(coreDomain) {
    val file = PortCounters()
    file.io.rx << rxCounts.io.out
    file.io.tx << txCounts.io.out
    file.io.tooLong := transmitStore.io.tooLong
    file.io.refused := (if (shared) io.net.refused else False)
    file.io.index := io.counter.index
    io.counter.value := file.io.value
  }
}

object EthernetPort {
  /** A port of several, as the switch has it. */
  def toSwitch(port: EthernetPort, side: SwitchedPort): Unit = {
    side.rx << port.io.net.rx
    port.io.net.tx << side.tx
    side.up := port.io.status.lock && !port.io.status.localFault && !port.io.status.remoteFault
    side.room := port.io.net.room
    port.io.net.refused := side.refused
  }

  /** The largest frame of any configuration, without its check sequence: an MTU of 9,000, and some more for tags. */
  val MAX_FRAME = 9600
  /** 32 KB in each direction: three of the largest frames. */
  val BEATS = 512
}
