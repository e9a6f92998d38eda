package mneme.mem

import mneme.{CBoardConfig, MemoryBus, PacketReadPort}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Stores payloads: packet buffer → rotator → realigner → W, while the splitter sends AW.
  *
  * W of a burst waits for its AW, so that memory controllers which need that order are served too.
  */
class WriteEngine(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(WriteCommand(c)))
    val packet = master(PacketReadPort(c))
    val mem = master(Axi4WriteOnly(MemoryBus.config(c, MemoryAccess.engineIdBits)))
    /** A write is in memory (all B have come); true: with an error. */
    val done = master(Flow(Bool()))
  }

  private val forks = StreamFork(io.commands, 3)
  private val splitter = new BurstSplitter(c, faults)
  splitter.io.spans << forks(0).map(_.span)

  private val fetch = new PayloadFetch(c)
  fetch.io.commands << forks(1)
  io.packet <> fetch.io.packet

  private val aligner = new WriteAligner(c, faults)
  aligner.io.spans << forks(2).map(_.span).queue(4)
  aligner.io.payload << fetch.io.payload

  private val tracker = new BurstTracker(faults)
  private val address = splitter.io.bursts.haltWhen(!tracker.io.sent.ready)
  tracker.io.sent.valid := address.fire
  tracker.io.sent.payload := address.last
  io.mem.aw.arbitrationFrom(address)
  io.mem.aw.addr := address.line @@ U(0, 6 bits)
  io.mem.aw.id := 0
  io.mem.aw.len := address.len
  io.mem.aw.setFullSize()
  io.mem.aw.setBurstINCR()

  /** Bursts whose AW has left and whose last W has not. */
  private val open = Reg(UInt(log2Up(MemoryAccess.bursts + 1) bits)) init 0
  open := open + io.mem.aw.fire.asUInt - (io.mem.w.fire && io.mem.w.last).asUInt
  private val data = aligner.io.lines.haltWhen(open === 0)
  io.mem.w.arbitrationFrom(data)
  io.mem.w.data := data.data
  io.mem.w.strb := data.strobe
  io.mem.w.last := data.last

  io.mem.b.ready := True
  tracker.io.ended.valid := io.mem.b.valid
  tracker.io.ended.payload := !io.mem.b.isOKAY()
  io.done.valid := faults(MemoryFault.OkBeforeB)(data.fire && data.end)(tracker.io.done.valid)
  io.done.payload := faults(MemoryFault.OkBeforeB)(False)(tracker.io.done.payload)
}

/** A line towards the write data channel. */
case class WriteLine() extends Bundle {
  val data = Bits(512 bits)
  val strobe = Bits(64 bits)
  /** Last of its burst. */
  val last = Bool()
  /** Last of its span. */
  val end = Bool()
}
