package mneme.mem

import mneme._
import mneme.engine.{Fetch, Place}
import spinal.core._
import spinal.lib._

/** Reads the data of writes from their doors, one beat per cycle.
  *
  * A door answers one cycle after a command and cannot be held up, so a command leaves only with room for its answer.
  */
class PayloadFetch(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(WriteCommand(c)))
    val fetch = Vec(master(Stream(Fetch(c))), c.doors)
    val fetched = Vec(slave(Flow(Bits(512 bits))), c.doors)
    val payload = master(Stream(Bits(512 bits)))
  }

  private val door = Place.door(c, io.commands.place)
  private val fires = io.fetch.map(_.fire).orR
  private val room = Reg(UInt(log2Up(MemoryAccess.fetchBeats + 1) bits)) init MemoryAccess.fetchBeats
  // Counted a cycle late, as whether a line can go is known late in a cycle.
  private val left = RegNext(io.payload.fire) init False
  private val fired = RegNext(fires) init False
  room := room - U(fired) + U(left)
  private val fits = room > 1 || (room === 1 && !fired)

  private val index = Reg(UInt(8 bits)) init 0
  private val last = index === io.commands.lastFetched
  for ((fetch, i) <- io.fetch.zipWithIndex) {
    fetch.valid := io.commands.valid && fits && door(i)
    fetch.context := Place.context(c, io.commands.place)
    fetch.beat := (index + io.commands.dataOffset(7 downto 6)).resized
  }
  io.commands.ready := fires && last
  when(fires) { index := last ? U(0) | index + 1 }

  private val came = Flow(Bits(512 bits))
  came.valid := io.fetched.map(_.valid).orR
  came.payload := MuxOH.or(B(io.fetched.map(_.valid)), io.fetched.map(_.payload), bypassIfSingle = true)
  io.payload << came.toStream.lutQueue(MemoryAccess.fetchBeats)
}
