package mneme.board

import mneme.net.CountedBeat
import mneme.regs.BuildStamp
import mneme.wire.Wire.Target
import mneme.{CBoard, CBoardConfig}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Everything of an ECPIX-5 that is ours: the core, an Ethernet port of 1 Gbit/s, the way to DRAM, registers and slow ring for a host on that Ethernet
  * (`docs/reference/ecpix5.md`).
  *
  * Its ports are those of the cells around it: RGMII's pins with both their edges, a DDR3 controller of 64 bits. `clk` is the core's; `reset` is of that clock
  * and may last a cycle. Other clocks need no relation to it.
  *
  * `c` other than the ECPIX-5's is for benches.
  */
case class Ecpix5(c: CBoardConfig = CBoardConfig.ecpix5) extends Component {
  setDefinitionName("Ecpix5")
  noIoPrefix()

  val io = new Bundle {
    /** RGMII, as [[RgmiiPort]] has it. */
    val rx_clock, tx_clock = in Bool ()
    val rx = in(RgmiiWord())
    val tx = out(RgmiiWord())

    /** The DDR3 controller: its clock, and in it whether it is in reset, and calibrated. */
    val mem_clock, mem_reset, mem_calibrated = in Bool ()
    val mem = Axi4SpecRenamer(master(Axi4(NarrowMemory.config(c))))
    /** Its registers, with which the host calibrates it. */
    val ctrl = master(ControllerRegisters())

    /** Who may reach the registers. */
    val identity = in(HostIdentity())
    val build = in(BuildStamp())
  }

  private val board = ClockDomain.current
  private val memReset = Bool()
  private val controller = ClockDomain(io.mem_clock, memReset, config = board.config, frequency = FixedFrequency(75 MHz))
  val memoryReset = MemoryReset(controller)
  memoryReset.io.ready := io.mem_calibrated && !io.mem_reset
  memReset := memoryReset.io.memory

  // The host is to reach a board whose DRAM is not there, so only the core waits for it.
  private val restarts = Bool()
  val resets = new ClockingArea(Crossing.unreset(board)) {
    val memory = RegNext(memoryReset.io.core) init True
    val shell = RegNext(board.isResetActive) init True
    val core = RegNext(memoryReset.io.core || board.isResetActive || restarts) init True
  }
  private val ofMemory = board.copy(reset = resets.memory)
  private val ofShell = board.copy(reset = resets.shell)
  private val ofCore = board.copy(reset = resets.core)

  val core = ofCore(CBoard(c))
  val restart = ofShell(CoreRestart())
  val port = ofShell(RgmiiPort())
  val host = ofShell(HostPort())
  val block = ofShell(HostBlock(Target.ECPIX5))
  val gate = Crossing.unreset(board)(RegisterGate())
  val memory = ofMemory(NarrowMemory(c))
  val crossing = ofMemory(CrossingAxi(NarrowMemory.config(c), Ecpix5.DEPTH, ClockDomain.current, controller))

  val controllerBus = Crossing.unreset(board)(ControllerBus(controller))
  controllerBus.io.side <> block.io.controller
  io.ctrl <> controllerBus.io.registers

  port.io.rx_clock := io.rx_clock
  port.io.tx_clock := io.tx_clock
  port.io.rx := io.rx
  io.tx := port.io.tx
  host.io.fromPort << port.io.net.rx
  restart.io.fromPort << host.io.toCore
  core.io.net.rx << restart.io.toCore
  restart.io.fromCore << core.io.net.tx
  host.io.fromCore << restart.io.toPort
  port.io.net.tx << host.io.toPort

  host.io.identity := io.identity
  gate.io.bus << host.io.bus
  gate.io.coreResets := resets.core
  gate.io.core >> core.io.regs
  gate.io.device >> block.io.bus
  block.io.memoryReady := !resets.memory
  block.io.link := port.io.link
  port.io.counter.index := block.io.counter.index
  block.io.counter.value := port.io.counter.value
  block.io.events := host.io.events
  restarts := restart.io.resets
  restart.io.start := block.io.restart
  block.io.restarting := restart.io.busy

  // A beat of each way is kept in the core's reset: what a reset cuts off is gone with it. The words of the one to the core stay where the host wrote them.
  val mail = new ClockingArea(ofCore) {
    block.io.mail.in << core.io.slow.tx.translateWith(CountedBeat.of(core.io.slow.tx.payload)).halfPipe()
    private val out = block.io.mail.out
    private val sends = RegInit(False)
    private val sent = CountedBeat()
    sent.data := out.data
    sent.lastByte := RegNextWhen(out.lastByte, out.fire)
    sent.last := RegNextWhen(out.last, out.fire)
    sent.user := 0
    out.ready := !sends
    when(out.fire)(sends := True)
    when(core.io.slow.rx.fire)(sends := False)
    core.io.slow.rx.valid := sends
    core.io.slow.rx.payload := sent.frameBeat(sends)
  }

  core.io.mem >> memory.io.core
  core.io.memReset := resets.memory
  crossing.io.in << memory.io.port
  crossing.io.out >> io.mem
  core.io.build := io.build
}

object Ecpix5 {
  /** Words on their way to memory and back in each channel. */
  val DEPTH = 64
}
