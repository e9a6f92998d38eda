package mneme.mem

import mneme.{CBoardConfig, MemoryBus, PayloadBeat}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Fetches spans and hands out their bytes, byte 0 of each span in data(7 downto 0) of its first beat.
  *
  * Splitter → AR (only with room for the whole burst) ; R → data buffer → rotator → realigner. R is never refused,
  * so a slow consumer of payload cannot hold up memory for others.
  */
class ReadEngine(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(ReadCommand(c)))
    val payload = master(Stream(PayloadBeat()))
    val mem = master(Axi4ReadOnly(MemoryBus.config(c, MemoryAccess.engineIdBits)))
    /** The last data of a span that was fetched has arrived; true: with an error. */
    val done = master(Flow(Bool()))
  }

  private val (fetch, describe) = StreamFork2(io.commands)
  private val splitter = new BurstSplitter(c, faults)
  splitter.io.spans << fetch.throwWhen(fetch.zeros).map(_.span)

  private val buffer = StreamFifo(ReturnedBeat(), MemoryAccess.readBeats)
  private val room = Reg(UInt(log2Up(MemoryAccess.readBeats + 1) bits)) init MemoryAccess.readBeats
  private val wanted = splitter.io.bursts.len +^ U(1)
  private val enough = faults(MemoryFault.NoReservation)(True)(room >= wanted)
  private val tracker = new BurstTracker(faults)
  private val address = splitter.io.bursts.haltWhen(!enough || !tracker.io.sent.ready)
  room := room - (address.fire ? wanted | U(0)).resized + buffer.io.pop.fire.asUInt

  tracker.io.sent.valid := address.fire
  tracker.io.sent.payload := address.last
  tracker.io.done >> io.done

  io.mem.ar.arbitrationFrom(address)
  io.mem.ar.addr := address.line @@ U(0, 6 bits)
  io.mem.ar.id := 0
  io.mem.ar.len := address.len
  io.mem.ar.setFullSize()
  io.mem.ar.setBurstINCR()

  private val failed = !io.mem.r.isOKAY()
  private val failedEarlier = RegInit(False)
  tracker.io.ended.valid := io.mem.r.fire && io.mem.r.last
  tracker.io.ended.payload := failed || failedEarlier
  when(io.mem.r.fire) { failedEarlier := !io.mem.r.last && (failed || failedEarlier) }
  buffer.io.push << io.mem.r.map { r =>
    val beat = ReturnedBeat()
    beat.data := r.data
    beat.error := faults(MemoryFault.ErrorIgnored)(False)(!r.isOKAY())
    beat
  }

  private val aligner = new ReadAligner(c, faults)
  aligner.io.commands << describe.queue(MemoryAccess.inFlight)
  aligner.io.returned << buffer.io.pop
  io.payload << aligner.io.payload
}

/** A line as memory returned it. */
case class ReturnedBeat() extends Bundle {
  val data = Bits(512 bits)
  val error = Bool()
}
