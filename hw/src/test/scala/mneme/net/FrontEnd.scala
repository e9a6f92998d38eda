package mneme.net

import mneme.share.{ClassCharge, ClassMeter}
import mneme.wire.Wire
import mneme.{CBoardConfig, Control, CounterEvents, Faults, PacketReadPort, Request}
import spinal.core._
import spinal.lib._

/** Everything before the retry filter as the top connects it, with the memory stage's side open. */
case class FrontEnd(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val net = slave(Stream(FrameBeat()))
    val control = in(Control())
    val rows = in(Vec(MatRow(), Wire.MAT_ROWS))
    val may = in(Bits(ClassMeter.CLASSES bits))
    val charge = master(Flow(ClassCharge()))
    val requests = master(Stream(Request(c)))
    val slow = master(Stream(FrameBeat()))
    val packet = slave(PacketReadPort(c))
    val operandsOf = in UInt (log2Up(c.packetSlots) bits)
    val operands = out Bits (128 bits)
    val release = slave(Stream(UInt(log2Up(c.packetSlots) bits)))
    val events = out(CounterEvents())
    val faults = in(Faults.bits(NetFault))
  }
  private val planted = new Faults[NetFault.Value](Some(io.faults))
  val buffer = PacketBuffer(c, 2, 3)
  val ingress = Ingress(c, planted)
  val dispatch = Dispatch(c, planted)
  val slowPort = SlowPort(c)
  ingress.io.net << io.net
  ingress.io.control := io.control
  ingress.io.free << buffer.io.free
  ingress.io.write >> buffer.io.write
  dispatch.io.frames << ingress.io.frames
  dispatch.io.control := io.control
  dispatch.io.rows := io.rows
  dispatch.io.may := io.may
  dispatch.io.charge >> io.charge
  dispatch.io.requests >> io.requests
  slowPort.io.frames << dispatch.io.slow
  dispatch.io.slowRoom := slowPort.io.room
  slowPort.io.slow >> io.slow
  buffer.io.reads(0) <> io.packet
  buffer.io.operandsOf := io.operandsOf
  io.operands := buffer.io.operands
  buffer.io.reads(1) <> slowPort.io.packet
  buffer.io.releases(0) << io.release
  buffer.io.releases(1) << slowPort.io.release
  buffer.io.releases(2) << dispatch.io.release
  io.events := ingress.io.events | dispatch.io.events | slowPort.io.events
}
