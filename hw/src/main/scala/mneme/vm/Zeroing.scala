package mneme.vm

import mneme.{CBoardConfig, CounterEvents, Faults, MemoryBus, ZeroCommand}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Zeroes pages and keeps the zeroed ones ready: zeroing queue → engine → async buffer (contracts §3).
  *
  * A page reaches the async buffer only after memory has answered every write of zeros. One whose zeroing met an error is not offered:
  * what it holds is unknown.
  */
case class Zeroing(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val commands = slave Stream (ZeroCommand(c))
    val freePages = master Stream (UInt(c.memBits - c.pageBits bits))

    /** Free zeroed pages; pages queued or being zeroed; free places in the queue. */
    val level, pending, space = out UInt (32 bits)
    val mem = master(Axi4WriteOnly(MemoryBus.config(c)))
    val events = out(CounterEvents())
  }

  val plantedFaults = Faults.port(PlantedFault, plantable)
  private val planted = new Faults[PlantedFault.Value](plantedFaults)

  private val queue = StreamFifo(ZeroCommand(c), c.zeroQueueDepth)
  private val engine = ZeroEngine(c, planted)
  private val buffer = StreamFifo(UInt(c.memBits - c.pageBits bits), c.asyncDepth)
  queue.io.push << io.commands
  engine.io.command << queue.io.pop
  buffer.io.push << engine.io.zeroed
  io.freePages << buffer.io.pop
  io.mem << engine.io.mem

  io.level := buffer.io.occupancy.resized
  io.pending := RegNext(queue.io.occupancy.resize(32 bits) + engine.io.busy.asUInt) init 0
  io.space := queue.io.availability.resized

  private val events = Bits(CounterEvents.width bits)
  events := 0
  events(Wire.Counter.ZERO_PAGES) := engine.io.finished
  events(Wire.Counter.MEM_ERROR) := engine.io.error
  io.events := RegNext(events) init 0
}

/** Zeroes one page after the other with short bursts, since all writes go to memory in the order of their addresses: whoever writes waits for the beats
  * that are addressed and not sent, of which there are two bursts at most. Memory may owe the answers of more, so zeroing has memory's whole rate
  * while nobody else writes, where an answer comes within 100 cycles.
  */
case class ZeroEngine(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  import ZeroEngine._
  val io = new Bundle {
    val command = slave Stream (ZeroCommand(c))
    val zeroed = master Stream (UInt(c.memBits - c.pageBits bits))
    val mem = master(Axi4WriteOnly(MemoryBus.config(c)))
    val busy = out Bool ()

    /** A page is zero from end to end; a write met an error. */
    val finished, error = out Bool ()
  }

  private val countBits = c.pageBits - burstBytesLog2 + 1

  /** All bursts of the page have been counted: their number is a power of two. */
  private def every(count: UInt): Bool = planted.choose(PlantedFault.SkipZero, wrong = count.msb || count.resize(countBits - 1).andR, right = count.msb)

  private[vm] val busy, failed = RegInit(False)
  private[vm] val command = RegNextWhen(io.command.payload, io.command.fire)
  private[vm] val addressed = Reg(UInt(countBits bits)) init 0

  /** Bursts addressed and not answered; not sent: a short count, for whether there is data is asked by all masters of the memory port. */
  private[vm] val outstanding = Reg(UInt(log2Up(owed + 1) bits)) init 0
  private[vm] val unsent = Reg(UInt(log2Up(ahead + 1) bits)) init 0
  private[vm] val beat = Reg(UInt(log2Up(burstBeats) bits)) init 0
  private val sent = io.mem.w.fire && io.mem.w.last

  /** A burst is to be addressed; a register, for who is served is decided behind it, for all masters of the memory port. */
  private[vm] val wants = RegInit(False)

  /** There is room for one more, if so many are counted and one may end now. */
  private def room(count: UInt, most: Int, ends: Bool): Bool = count =/= most || ends
  private def mayAddress(counted: UInt, more: Int): Bool =
    !every(counted) && room(outstanding, owed - more, io.mem.b.fire) &&
      room(unsent, ahead - more, planted.choose(PlantedFault.ZeroRunsAhead, wrong = True, right = sent))
  // Served or not is known late.
  wants := busy && Mux(io.mem.aw.fire, mayAddress(addressed + 1, 1), mayAddress(addressed, 0))
  io.mem.aw.valid := wants
  io.mem.aw.id := 0
  io.mem.aw.addr := command.ppn @@ addressed.resize(countBits - 1 bits) @@ U(0, burstBytesLog2 bits)
  io.mem.aw.len := burstBeats - 1
  io.mem.aw.size := 6
  io.mem.aw.setBurstINCR()
  // Who is served is known late: it enables the count, and is not added.
  when(io.mem.aw.fire)(addressed := addressed + 1)

  io.mem.w.valid := unsent =/= 0
  io.mem.w.data := 0
  io.mem.w.strb.setAll()
  io.mem.w.last := beat === burstBeats - 1
  when(io.mem.w.fire)(beat := beat + 1)
  when(io.mem.aw.fire =/= sent)(unsent := Mux(sent, unsent - 1, unsent + 1))

  io.mem.b.ready := True
  io.error := io.mem.b.fire && !io.mem.b.isOKAY()
  failed.setWhen(io.error)
  when(io.mem.aw.fire =/= io.mem.b.fire) {
    outstanding := Mux(io.mem.b.fire, outstanding - 1, outstanding + 1)
  }

  private val done = busy && every(addressed) && outstanding === 0
  private val offers = command.offer && planted.choose(PlantedFault.OfferDamaged, wrong = True, right = !failed)
  io.zeroed.valid := done && offers
  io.zeroed.payload := command.ppn
  private val ends = done && (io.zeroed.ready || !offers)
  busy.clearWhen(ends)
  io.finished := ends && !failed
  io.busy := busy
  io.command.ready := !busy
  when(io.command.fire) {
    busy := True
    wants := True
    failed := False
    addressed := 0
  }
}

object ZeroEngine {

  /** Beats of a burst, 1 KB. */
  val burstBeats = 16
  val burstBytesLog2: Int = 6 + log2Up(burstBeats)

  /** Bursts that are addressed and not sent, so that data go on while an address waits for its turn; bursts without an answer. */
  val (ahead, owed) = (2, 8)
}
