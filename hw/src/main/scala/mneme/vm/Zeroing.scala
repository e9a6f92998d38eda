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

/** Zeroes one page after the other with bursts of 4 KB, the largest that AXI allows without crossing a 4 KB border. */
case class ZeroEngine(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val command = slave Stream (ZeroCommand(c))
    val zeroed = master Stream (UInt(c.memBits - c.pageBits bits))
    val mem = master(Axi4WriteOnly(MemoryBus.config(c)))
    val busy = out Bool ()

    /** A page is zero from end to end; a write met an error. */
    val finished, error = out Bool ()
  }

  /** Bursts without an answer, at most: the arbiter in front of memory can give way only between bursts. */
  private val ahead = 2
  private val beatsPerBurst = 64
  private val burstBytesLog2 = 12
  private val countBits = c.pageBits - burstBytesLog2 + 1

  /** All bursts of the page have been counted: their number is a power of two. */
  private def every(count: UInt): Bool = planted.choose(PlantedFault.SkipZero, wrong = count.msb || count.resize(countBits - 1).andR, right = count.msb)

  private[vm] val busy, failed = RegInit(False)
  private[vm] val command = RegNextWhen(io.command.payload, io.command.fire)
  private[vm] val addressed, answered = Reg(UInt(countBits bits)) init 0

  /** Bursts addressed and not answered; not sent: a short count, for whether there is data is asked by all masters of the memory port. */
  private[vm] val outstanding, unsent = Reg(UInt(log2Up(ahead + 1) bits)) init 0
  private[vm] val beat = Reg(UInt(log2Up(beatsPerBurst) bits)) init 0

  /** A burst is to be addressed; a register, for who is served is decided behind it, for all masters of the memory port. */
  private[vm] val wants = RegInit(False)
  // Served or not is known late.
  wants := busy && Mux(
    io.mem.aw.fire,
    !every(addressed + 1) && (outstanding =/= ahead - 1 || io.mem.b.fire),
    !every(addressed) && (outstanding =/= ahead || io.mem.b.fire)
  )
  io.mem.aw.valid := wants
  io.mem.aw.id := 0
  io.mem.aw.addr := command.ppn @@ addressed.resize(countBits - 1 bits) @@ U(0, burstBytesLog2 bits)
  io.mem.aw.len := beatsPerBurst - 1
  io.mem.aw.size := 6
  io.mem.aw.setBurstINCR()
  // Who is served is known late: it enables the count, and is not added.
  when(io.mem.aw.fire)(addressed := addressed + 1)

  io.mem.w.valid := unsent =/= 0
  io.mem.w.data := 0
  io.mem.w.strb.setAll()
  io.mem.w.last := beat === beatsPerBurst - 1
  when(io.mem.w.fire)(beat := beat + 1)
  private val sent = io.mem.w.fire && io.mem.w.last
  when(io.mem.aw.fire =/= sent)(unsent := Mux(sent, unsent - 1, unsent + 1))

  io.mem.b.ready := True
  io.error := io.mem.b.fire && !io.mem.b.isOKAY()
  failed.setWhen(io.error)
  when(io.mem.b.fire)(answered := answered + 1)
  when(io.mem.aw.fire =/= io.mem.b.fire) {
    outstanding := Mux(io.mem.b.fire, outstanding - 1, outstanding + 1)
  }

  private val done = busy && every(answered)
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
    answered := 0
  }
}
