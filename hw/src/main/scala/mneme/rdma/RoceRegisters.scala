package mneme.rdma

import mneme.leaf.LeafConfig
import mneme.wire.Wire
import mneme.wire.Wire.RoceRegister
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4Config, AxiLite4SlaveFactory}
import spinal.lib.bus.misc.SizeMapping

/** The port's registers over AXI4-Lite, as `wire/src/roce.rs` has them: commands to the responder, how they ended, what the port has counted.
  *
  * While a command is under way, registers keep what they hold: writes do nothing. Reads of write-only and unassigned words give 0, writes to read-only and
  * unassigned words do nothing. One read at a time.
  */
case class RoceRegisters(r: RoceConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RoceRegisters.busConfig))
    val orders = master(Stream(RoceOrder(r)))
    val ordered = slave(Flow(RoceAnswer()))
    /** The tables have been emptied. */
    val ready = in Bool ()
    val jobs = in UInt (8 bits)
    /** A RoceCounter number; its value comes a cycle later. */
    val index = out(UInt(RoceCounters.BITS bits))
    val value = in UInt (32 bits)
  }
  private val commands = RoceMailbox()
  commands.io.ready := io.ready
  commands.io.ordered << io.ordered

  // What is read is there in a register of the answer: a counter goes on while the answer waits to be taken.
  private val answering = AxiLite4(RoceRegisters.busConfig)
  private val reading = RegInit(False) setWhen answering.ar.fire clearWhen io.bus.r.fire
  answering.aw << io.bus.aw
  answering.w << io.bus.w.map { word =>
    val kept = CombInit(word)
    when(commands.io.pending)(kept.strb := 0)
    kept
  }
  answering.ar << io.bus.ar.haltWhen(reading)
  io.bus.b << answering.b
  io.bus.r << answering.r.m2sPipe()
  private val bus = new AxiLite4SlaveFactory(answering, useWriteStrobes = true)

  bus.read(B(Wire.ROCE_MAGIC, 32 bits), RoceRegister.ROCE_MAGIC)
  bus.read(B(r.regionBits << 8 | r.queuePairBits, 32 bits), RoceRegister.ROCE_SIZES)

  private val order = io.orders.payload
  private def register(address: Int, width: Int, bit: Int = 0): Bits = {
    val value = Reg(Bits(width bits)) init 0
    bus.readAndWrite(value, address, bit)
    value
  }
  private def number(address: Int, width: Int): UInt = register(address, width).asUInt
  private def long(low: Int, high: Int): Bits = { val (l, h) = (register(low, 32), register(high, 16)); h ## l }
  private val settings = order.settings
  settings.qpn := number(RoceRegister.ROCE_QPN, 24)
  settings.peerQpn := number(RoceRegister.ROCE_PEER_QPN, 24)
  settings.peerIp := register(RoceRegister.ROCE_PEER_IP, 32)
  settings.peerMac := long(RoceRegister.ROCE_PEER_MAC_LOW, RoceRegister.ROCE_PEER_MAC_HIGH)
  private val portPkey = register(RoceRegister.ROCE_PORT_PKEY, 32)
  settings.srcPort := portPkey(15 downto 0)
  settings.pkey := portPkey(31 downto 16)
  settings.pid := number(RoceRegister.ROCE_PID, Wire.PID_BITS)
  order.psn := number(RoceRegister.ROCE_PSN, 24)
  order.rate := number(RoceRegister.ROCE_RATE, 32)
  settings.mtuCode := register(RoceRegister.ROCE_OPTIONS, 3).asUInt
  settings.hardened := register(RoceRegister.ROCE_OPTIONS, 1, log2Up(Wire.ROCE_HARDENED)).asBool
  order.region.valid := False
  order.region.key := register(RoceRegister.ROCE_KEY, 32)
  order.region.pid := settings.pid
  order.region.va := long(RoceRegister.ROCE_VA_LOW, RoceRegister.ROCE_VA_HIGH).asUInt
  order.region.length := long(RoceRegister.ROCE_LENGTH_LOW, RoceRegister.ROCE_LENGTH_HIGH).asUInt
  order.region.rights := register(RoceRegister.ROCE_RIGHTS, 3)

  for (l <- r.leaf) {
    val frees = order.frees
    frees.takes := register(RoceRegister.ROCE_OPTIONS, 1, log2Up(Wire.ROCE_FREES)).asBool
    frees.segment := number(RoceRegister.ROCE_FREE_SEGMENT, l.segmentBits)
    frees.first := number(RoceRegister.ROCE_FREE_PAGE, l.countBits)
    frees.base := order.region.va.drop(LeafConfig.FRAME_LOG2).asUInt
    frees.pages := order.region.length.drop(LeafConfig.FRAME_LOG2).asUInt.resized
  }

  private val word = bus.nonStopWrite(Bits(32 bits))
  commands.io.written.valid := bus.isWriting(RoceRegister.ROCE_COMMAND)
  // A number that names no command is none.
  commands.io.written.payload := word(7 downto 0).asUInt.andMask(word(31 downto 8) === 0)
  io.orders.valid := commands.io.command.valid
  order.command := commands.io.command.payload
  commands.io.command.ready := io.orders.ready

  private val told = commands.io.told
  bus.read(commands.io.result, RoceRegister.ROCE_RESULT)
  bus.read(told.expected, RoceRegister.ROCE_EXPECTED)
  bus.read(told.msn, RoceRegister.ROCE_MSN)
  for ((flag, bit) <- Seq(told.inError -> Wire.ROCE_IN_ERROR, told.running -> Wire.ROCE_RUNNING, told.unanswered -> Wire.ROCE_UNANSWERED))
    bus.read(flag, RoceRegister.ROCE_STATE, log2Up(bit))
  bus.read(told.jobs, RoceRegister.ROCE_STATE, 8)
  bus.read(io.jobs, RoceRegister.ROCE_JOBS)

  // Of the address that is taken: it may change in the cycle after, in which the value is looked at.
  io.index := answering.ar.addr(2, RoceCounters.BITS bits)
  bus.readPrimitive(io.value.asBits, SizeMapping(Wire.ROCE_COUNTERS, 4 << RoceCounters.BITS), 0, null)
}

object RoceRegisters {
  require(Wire.ROCE_COUNTERS % (4 << RoceCounters.BITS) == 0 && Wire.ROCE_COUNTERS + (4 << RoceCounters.BITS) <= Wire.ROCE_BYTES)
  val busConfig: AxiLite4Config = AxiLite4Config(addressWidth = log2Up(Wire.ROCE_BYTES), dataWidth = 32)
}
