package mneme.net

import mneme.wire.Wire
import mneme.{CBoardConfig, CounterEvents}
import spinal.core._
import spinal.lib._

/** Counts 2^16 cycles in which requests were in the pipeline and none left it, and 2^18 in which one of them kept its packet slot while others may
  * have passed it. Cycles in which a request had reason to wait are not counted.
  *
  * The slots are looked at one after the other, each until its request has left: whatever stays for ever is met in the end.
  */
case class Watchdog(c: CBoardConfig) extends Component {
  private def slotType = UInt(log2Up(c.packetSlots) bits)

  val io = new Bundle {
    /** A request left dispatch. */
    val entered = slave(Flow(slotType))
    /** A packet slot is free again, a request's or a slow frame's. */
    val released = slave(Flow(slotType))
    /** A request's answer has left. */
    val retired = in Bool ()
    /** A page fault waits for a page, which it does for a bounded time. */
    val paused = in Bool ()
    val events = out(CounterEvents())
  }
  // Requests that still hold a packet slot, and those whose answer waits behind the memory stage.
  private val inFlight = Reg(UInt(16 bits)) init 0
  inFlight := inFlight + U(io.entered.valid) - U(io.retired)

  private val silence = Counter(1 << Watchdog.silenceLog2)
  when(inFlight === 0 || io.retired)(silence.clear()) elsewhen (!io.paused)(silence.increment())

  /** One slot after the other; how long its request has been looked at. */
  private[net] val patrol = new Area {
    // Who hands over slots decides late.
    val (entered, released) = (io.entered.m2sPipe(), io.released.m2sPipe())
    // A slot's request is in it while these two differ: one is written by requests that enter, the other by slots that come back, so both
    // are LUTRAM. A slot never does both in one cycle: it is handed out in between.
    val entries, returns = Mem(Bool(), c.packetSlots)
    entries.addAttribute("ram_style", "distributed")
    returns.addAttribute("ram_style", "distributed")
    val at = Reg(slotType) init 0
    // After reset both are cleared, one slot a cycle, whatever they hold: until all have been, no slot is handed out (`PacketBuffer`). A memory
    // with two readers may be two, which a chip without a bitstream begins with different bits.
    val sweeping = RegInit(True) clearWhen at.andR
    private def update(memory: Mem[Bool], slot: UInt, value: Bool, valid: Bool): Unit =
      memory.write(sweeping ? at | slot, value && !sweeping, valid || sweeping)
    update(entries, entered.payload, !returns.readAsync(entered.payload), entered.valid)
    update(returns, released.payload, entries.readAsync(released.payload), released.valid)
    private val held = entries.readAsync(at) =/= returns.readAsync(at)
    val age = Counter(1 << Watchdog.stayLog2)
    // Of the slot of a cycle ago: after a step it is the former one's, and counts a cycle later.
    val stays = RegNext(held) init False
    val stepped = RegInit(True)
    val gone = sweeping || (!stays && !stepped) || (released.valid && released.payload === at)
    stepped := gone
    when(gone) {
      at := at + 1
      age.clear()
    } elsewhen (!io.paused)(age.increment())
  }

  io.events := 0
  io.events(Wire.Counter.WATCHDOG) := silence.willOverflow || patrol.age.willOverflow
}

object Watchdog {
  val silenceLog2 = 16

  /** A request may have to wait for all others that have a slot, each of which may take a few beats for each beat of the longest frame. */
  val stayLog2 = 18
}
