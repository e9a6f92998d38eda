package mneme.mem

import mneme.{CBoardConfig, PacketReadPort}
import spinal.core._
import spinal.lib._

/** Reads the payload of writes out of their packet slots, one beat per cycle.
  *
  * The packet buffer answers one cycle after a command and cannot be held up, so a command leaves only with room for its answer.
  */
class PayloadFetch(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(WriteCommand(c)))
    val packet = master(PacketReadPort(c))
    val payload = master(Stream(Bits(512 bits)))
  }

  private val room = Reg(UInt(log2Up(MemoryAccess.fetchBeats + 1) bits)) init MemoryAccess.fetchBeats
  room := room - io.packet.cmd.fire.asUInt + io.payload.fire.asUInt

  private val index = Reg(UInt(8 bits)) init 0
  private val last = index === io.commands.extent.lastBeat
  io.packet.cmd.valid := io.commands.valid && room =/= 0
  io.packet.cmd.slot := io.commands.slot
  // Payload begins at beat 1; beat 0 holds the headers.
  io.packet.cmd.beat := (index + 1).resized
  io.commands.ready := io.packet.cmd.fire && last
  when(io.packet.cmd.fire) { index := last ? U(0) | index + 1 }

  io.payload << io.packet.rsp.toStream.lutQueue(MemoryAccess.fetchBeats)
}
