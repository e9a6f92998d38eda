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

  private val buffer = StreamFifo(Bits(512 bits), MemoryAccess.fetchBeats, latency = 1)
  private val room = Reg(UInt(log2Up(MemoryAccess.fetchBeats + 1) bits)) init MemoryAccess.fetchBeats
  room := room - io.packet.cmd.fire.asUInt + buffer.io.pop.fire.asUInt

  /** Payload begins at beat 1; beat 0 holds the headers. */
  private val beat = Reg(UInt(log2Up(c.slotBeats) bits)) init 1
  private val last = beat === io.commands.span.beats.resized
  io.packet.cmd.valid := io.commands.valid && room =/= 0
  io.packet.cmd.slot := io.commands.slot
  io.packet.cmd.beat := beat
  io.commands.ready := io.packet.cmd.fire && last
  when(io.packet.cmd.fire) { beat := last ? U(1) | beat + 1 }

  buffer.io.push.valid := io.packet.rsp.valid
  buffer.io.push.payload := io.packet.rsp.payload
  io.payload << buffer.io.pop
}
