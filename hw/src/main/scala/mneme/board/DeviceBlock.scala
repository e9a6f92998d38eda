package mneme.board

import mneme.regs.RegisterBlock
import mneme.wire.Wire
import mneme.wire.Wire.{DeviceRegister, PortRegister}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4SlaveFactory}
import spinal.lib.bus.misc.SizeMapping

/** What the device block has of one Ethernet port. */
case class PortSide() extends Bundle with IMasterSlave {
  val sendPauses = Bool()
  val status = PortStatus()
  val counter = UInt(log2Up(PortCounters.COUNT) bits)
  /** Of the cycle before's `counter`. */
  val value = UInt(32 bits)

  def asMaster(): Unit = {
    out(sendPauses, counter)
    in(status, value)
  }
}

/** The device block: what a board has around its core, as registers (`docs/reference/wire.md`, *Device registers*).
  *
  * Its bus has no reset, so that a board whose core is still in reset tells what it is and that DRAM is not there yet; the registers have the core's. The
  * bus is behind a [[RegisterGate]]: one access at a time, with an address that stays until it is answered.
  */
case class DeviceBlock(c: RingConfig, target: Int, ports: Int) extends Component {
  require(ports >= 1 && ports <= 8, s"$ports Ethernet ports are outside 1 to 8")
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterBlock.busConfig))
    val memoryReady = in Bool ()
    /** The core is to be reset; it is in reset. */
    val restart = out Bool ()
    val restarting = in Bool ()
    val ring = master(RingRegisters(c))
    val ports = Vec(master(PortSide()), DeviceBlock.this.ports)
    val interrupt = out Bool ()
  }
  private val bus = Crossing.unreset(ClockDomain.current)(new AxiLite4SlaveFactory(io.bus, useWriteStrobes = true))
  private def at(register: Int): Int = register - Wire.DEVICE_BASE
  /** The register is written, and with what. */
  private def written(register: Int): (Bool, Bits) = (bus.isWriting(at(register)), bus.nonStopWrite(Bits(32 bits)))
  private def tells(register: Int, value: Data): Unit = bus.read(value, at(register))

  for (
    (register, value) <- Seq(
      DeviceRegister.DEVICE_MAGIC -> Wire.DEVICE_MAGIC,
      DeviceRegister.DEVICE_VERSION -> Wire.DEVICE_VERSION,
      DeviceRegister.DEVICE_TARGET -> target,
      DeviceRegister.DEVICE_PORTS -> ports,
      DeviceRegister.RING_SLOTS -> c.slots,
      DeviceRegister.RING_SLOT_BYTES -> c.slotBytes
    )
  ) tells(register, B(value, 32 bits))
  tells(DeviceRegister.DEVICE_STATUS, io.restarting ## io.memoryReady)
  private val (restarts, word) = written(DeviceRegister.CORE_RESET)
  // With the rings at rest no frame between them and the core is under way.
  io.restart := restarts && word === Wire.DEVICE_MAGIC && !io.ring.running

  val rings = new Area {
    private val r = io.ring
    val control = Reg(Bits(2 bits)) init 0
    bus.readAndWrite(control, at(DeviceRegister.RING_CONTROL))
    r.enable := (control & Wire.RING_ENABLE) =/= 0
    io.interrupt := RegNext((control & Wire.RING_INTERRUPT) =/= 0 && r.pending.orR) init False

    val base = Reg(UInt(c.addressBits bits)) init 0
    for ((register, low) <- Seq(DeviceRegister.RING_BASE_LOW -> 0, DeviceRegister.RING_BASE_HIGH -> 32)) {
      val (writes, value) = written(register)
      val bits = (32 min c.addressBits - low) bits
      val part = base(low, bits)
      tells(register, part)
      when(writes && !r.running)(part := value.asUInt.resize(bits))
    }
    // A slot is made of whole lines.
    r.base := base(c.addressBits - 1 downto 6) @@ U(0, 6 bits)

    val (forgives, _) = written(DeviceRegister.RING_STATUS)
    tells(DeviceRegister.RING_STATUS, r.error ## r.running)
    r.forgives := forgives
    val (clears, ones) = written(DeviceRegister.RING_PENDING)
    tells(DeviceRegister.RING_PENDING, r.pending)
    r.clears := ones(1 downto 0).andMask(clears)
    for ((register, flow, value) <- Seq((DeviceRegister.RX_TAIL, r.taken, r.rxTail), (DeviceRegister.TX_HEAD, r.given, r.txHead))) {
      val (writes, count) = written(register)
      tells(register, value)
      flow.valid := writes
      flow.payload := count.asUInt
    }
    tells(DeviceRegister.RX_HEAD, r.rxHead)
    tells(DeviceRegister.TX_TAIL, r.txTail)
    tells(DeviceRegister.RING_LOST, r.lost)
    tells(DeviceRegister.RING_REFUSED, r.refusals)
  }

  for ((port, i) <- io.ports.zipWithIndex) {
    val begin = Wire.PORT_BASE + Wire.PORT_BYTES * i
    val control = Reg(Bits(1 bits)).setName(s"port_${i}_control") init 0
    bus.readAndWrite(control, at(begin + PortRegister.PORT_CONTROL))
    port.sendPauses := (control & Wire.PORT_SEND_PAUSES) =/= 0
    val s = port.status
    tells(begin + PortRegister.PORT_STATUS, s.paused ## s.remoteFault ## s.localFault ## s.highErrorRate ## s.lock)
    // The number goes out with the address, and the value is there when the bus looks at it, a cycle later.
    port.counter := (io.bus.ar.addr(7 downto 2) - Wire.PORT_COUNTERS / 4).resized
    bus.readPrimitive(port.value.asBits, SizeMapping(at(begin + Wire.PORT_COUNTERS), 4 * PortCounters.COUNT), 0, null)
  }
}
