package mneme.board

import mneme.regs.BuildStamp
import mneme.wire.Wire.Target
import mneme.{CBoard, CBoardConfig}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4SpecRenamer}

/** Everything of a ZCU106 that is ours: the core, a 10G Ethernet port, the way to DRAM, the slow path's rings and its registers (`docs/reference/zcu106.md`).
  *
  * Its ports are those of the vendor's parts around it: a transceiver with its gearbox, the DDR4 controller, the processor. `clk` is the core's, 250 MHz, and
  * that of all ports of the processor; `reset` is of that clock and may last a cycle. Other clocks need no relation to it.
  *
  * `ports` is 1, or 2: then SFP+ cage 1 has a port, too, and a [[PortSwitch]] is between both and the core. `c` other than the ZCU106's is for benches.
  */
case class Zcu106(c: CBoardConfig = CBoardConfig.zcu106, slots: Int = 256, ports: Int = 1) extends Component {
  require(ports == 1 || ports == 2, s"ports: a ZCU106 has two SFP+ cages, so one port or two, not $ports")
  setDefinitionName("Zcu106")
  noIoPrefix()
  private val ring = RingConfig(c.maxFrame, slots)

  val io = new Bundle {
    /** The transceiver of SFP+ cage 0, as [[EthernetPort]] has it. */
    val rx_clock, tx_clock = in Bool ()
    val rx = slave(Flow(Block()))
    val rx_signalOk = in Bool ()
    val rx_slip = out Bool ()
    val tx = out(Block())
    /** That of cage 1. */
    val second = (ports == 2) generate SecondLine()

    /** The DDR4 controller: its clock, and in it whether it is in reset, and calibrated. */
    val mem_clock, mem_reset, mem_calibrated = in Bool ()
    val mem = Axi4SpecRenamer(master(Axi4(BoardMemory.config(c))))

    /** The processor: its window onto DRAM, memory that the rings are in, registers. */
    val window = Axi4SpecRenamer(slave(Axi4(DramWindow.busConfig(c))))
    val ring = Axi4SpecRenamer(master(Axi4(Zcu106.this.ring.axi)))
    val regs = AxiLite4SpecRenamer(slave(AxiLite4(RegisterGate.busConfig)))
    val irq = out Bool ()
    val build = in(BuildStamp())
  }

  private val board = ClockDomain.current
  private val memReset = Bool()
  private val controller = ClockDomain(io.mem_clock, memReset, config = board.config, frequency = FixedFrequency(300 MHz))
  val memoryReset = MemoryReset(controller)
  memoryReset.io.ready := io.mem_calibrated && !io.mem_reset
  memReset := memoryReset.io.memory

  /** They have many loads. All but memory's are kept until DRAM answers; the core's is the daemon's to ask for, too. */
  private val restarts = Bool()
  val resets = new ClockingArea(Crossing.unreset(board)) {
    val memory = RegNext(memoryReset.io.core) init True
    private val all = memoryReset.io.core || board.isResetActive
    val shell = RegNext(all) init True
    val core = RegNext(all || restarts) init True
  }
  private val ofMemory = board.copy(reset = resets.memory)
  private val ofShell = board.copy(reset = resets.shell)
  private val ofCore = board.copy(reset = resets.core)

  val core = ofCore(CBoard(c))
  val restart = ofShell(CoreRestart())
  private val shared = ports > 1
  val port = ofShell(EthernetPort(shared = shared))
  val secondPort = shared generate ofShell(EthernetPort(shared = true))
  val switch = shared generate ofShell(PortSwitch(ports))
  val dma = ofShell(RingDma(ring))
  val block = ofShell(DeviceBlock(ring, Target.ZCU106, ports))
  restarts := restart.io.resets
  restart.io.start := block.io.restart
  block.io.restarting := restart.io.busy
  val gate = Crossing.unreset(board)(RegisterGate())
  val memory = ofMemory(BoardMemory(c, controller))

  port.io.rx_clock := io.rx_clock
  port.io.tx_clock := io.tx_clock
  port.io.rx << io.rx
  port.io.rx_signalOk := io.rx_signalOk
  io.rx_slip := port.io.rx_slip
  io.tx := port.io.tx
  core.io.net.rx << restart.io.toCore
  restart.io.fromCore << core.io.net.tx
  if (shared) {
    secondPort.io.rx_clock := io.second.rx_clock
    secondPort.io.tx_clock := io.second.tx_clock
    secondPort.io.rx << io.second.rx
    secondPort.io.rx_signalOk := io.second.rx_signalOk
    io.second.rx_slip := secondPort.io.rx_slip
    io.second.tx := secondPort.io.tx
    restart.io.fromPort << switch.io.toCore
    switch.io.fromCore << restart.io.toPort
  } else {
    restart.io.fromPort << port.io.net.rx
    port.io.net.tx << restart.io.toPort
  }
  for ((own, i) <- Seq(port, secondPort).take(ports).zipWithIndex) {
    if (shared) EthernetPort.toSwitch(own, switch.io.ports(i))
    // Pauses are sent to the board's own address, too.
    own.io.settings.address := core.registers.io.control.mac.pull()
    own.io.settings.sendPauses := block.io.ports(i).sendPauses
    block.io.ports(i).status := own.io.status
    own.io.counter.index := block.io.ports(i).counter
    block.io.ports(i).value := own.io.counter.value
  }

  dma.io.received << core.io.slow.tx
  core.io.slow.rx << dma.io.sent
  dma.io.registers <> block.io.ring
  dma.io.memory >> io.ring

  core.io.mem >> memory.io.core
  core.io.memReset := resets.memory
  memory.io.window << io.window
  memory.io.port >> io.mem

  gate.io.bus << io.regs
  gate.io.coreResets := resets.core
  gate.io.core >> core.io.regs
  gate.io.device >> block.io.bus
  block.io.memoryReady := !resets.memory
  io.irq := block.io.interrupt
  core.io.build := io.build
}

/** The transceiver of a second SFP+ cage. */
case class SecondLine() extends Bundle {
  val rx_clock, tx_clock = in Bool ()
  val rx = slave(Flow(Block()))
  val rx_signalOk = in Bool ()
  val rx_slip = out Bool ()
  val tx = out(Block())
}
