package mneme.board

import mneme.regs.RegisterBlock
import mneme.wire.Wire
import mneme.wire.Wire.{DeviceRegister, HostRegister, PortRegister}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4SlaveFactory}
import spinal.lib.bus.misc.SizeMapping

/** The device block of a board whose slow path is a host: what it is, its port's state and counters, what became of the host's frames, the slow ring.
  *
  * Numbers are those of [[DeviceBlock]], and of `wire/src/host.rs`. There are no rings in memory: RING_SLOTS is 0. Bus and registers are as there.
  */
case class HostBlock(target: Int) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterBlock.busConfig))
    val memoryReady = in Bool ()
    /** The core is to be reset; it is in reset. */
    val restart = out Bool ()
    val restarting = in Bool ()
    val link = in(RgmiiLink())
    val counter = new Bundle {
      val index = out(UInt(log2Up(PortCounters.COUNT) bits))
      /** Of the cycle before's `index`. */
      val value = in UInt (32 bits)
    }
    val events = in(HostEvents())
    val mail = master(HostMail())
    val controller = master(ControllerSide())
  }
  private val bus = Crossing.unreset(ClockDomain.current)(new AxiLite4SlaveFactory(io.bus, useWriteStrobes = true))
  private def at(register: Int): Int = register - Wire.DEVICE_BASE
  for (
    (register, value) <- Seq(
      DeviceRegister.DEVICE_MAGIC -> Wire.DEVICE_MAGIC,
      DeviceRegister.DEVICE_VERSION -> Wire.DEVICE_VERSION,
      DeviceRegister.DEVICE_TARGET -> target,
      DeviceRegister.DEVICE_PORTS -> 1,
      DeviceRegister.RING_SLOTS -> 0
    )
  ) bus.read(B(value, 32 bits), at(register))
  bus.read(io.restarting ## io.memoryReady, at(DeviceRegister.DEVICE_STATUS))
  io.restart := bus.isWriting(at(DeviceRegister.CORE_RESET)) && bus.nonStopWrite(Bits(32 bits)) === Wire.DEVICE_MAGIC

  // A link that is up, and of this port's speed, is what lock is elsewhere.
  bus.read((io.link.up && io.link.gigabit && io.link.fullDuplex).asBits, at(Wire.PORT_BASE + PortRegister.PORT_STATUS))
  io.counter.index := (io.bus.ar.addr(7 downto 2) - Wire.PORT_COUNTERS / 4).resized
  bus.readPrimitive(io.counter.value.asBits, SizeMapping(at(Wire.PORT_BASE + Wire.PORT_COUNTERS), 4 * PortCounters.COUNT), 0, null)

  for (
    (event, register) <- Seq(
      io.events.foreign -> HostRegister.HOST_FOREIGN,
      io.events.badTag -> HostRegister.HOST_BAD_TAG,
      io.events.stale -> HostRegister.HOST_STALE,
      io.events.busy -> HostRegister.HOST_BUSY
    )
  ) {
    val count = Reg(UInt(32 bits)) init 0
    when(event)(count := count + 1)
    bus.read(count, at(register))
  }
  HostMail(bus, Wire.DEVICE_BASE, io.mail)

  // As the way there, it has no reset: an answer that is under way belongs to its question.
  val controller = new ClockingArea(Crossing.unreset(ClockDomain.current)) {
    private val side = io.controller
    val address = Reg(UInt(ControllerBus.ADDRESS_BITS bits)) init 0
    val busy, offers = RegInit(False)
    val command = Reg(ControllerCommand())
    val result = RegNextWhen(side.results.payload, side.results.valid) init 0
    bus.readAndWrite(address, at(HostRegister.DRAM_ADDRESS))
    bus.read(result, at(HostRegister.DRAM_DATA))
    bus.read(busy.asBits, at(HostRegister.DRAM_STATUS))
    private val writes = bus.isWriting(at(HostRegister.DRAM_DATA))
    private val reads = bus.isWriting(at(HostRegister.DRAM_READ))
    private val word = bus.nonStopWrite(Bits(32 bits))
    side.commands.valid := offers
    side.commands.payload := command
    when(side.commands.fire)(offers := False)
    when(side.results.valid)(busy := False)
    when(!busy && (writes || reads)) {
      busy := True
      offers := True
      command.writes := writes
      command.address := address
      command.data := word
    }
  }
}
