package mneme.mem

import mneme.{CBoardConfig, MemoryBus, PayloadBeat}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Reads memory: for reads, whose bytes it hands out, byte 0 of each in data(7 downto 0) of its first beat; for atomics, whose words it passes on.
  *
  * Bursts that may go → AR (for reads only with room for the whole burst); R → data buffer → rotator → realigner. R is never refused,
  * so a slow consumer of payload cannot hold up memory for others.
  */
class ReadEngine(c: CBoardConfig, readBeats: Int, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    /** Reads, in order, as soon as they are known. */
    val commands = slave(Stream(ReadCommand(c)))
    /** Every burst that may go; those of writes are not looked at. */
    val started = slave(Flow(StartedBurst(c)))
    val payload = master(Stream(PayloadBeat()))
    val atomicReturned = master(Flow(ReturnedBeat()))
    val mem = master(Axi4ReadOnly(MemoryBus.config(c)))
    /** The last data of a read has arrived; true: with an error. */
    val done = master(Flow(Bool()))
    val freed = master(Flow(UInt(log2Up(MemoryAccess.places(c)) bits)))
  }

  private val burst = io.started.burst
  // Each burst has a place, so this queue never overflows.
  private val addresses = io.started.takeWhen(burst.work.read || burst.work.atomic).translateWith(burst).toStream.lutQueue(MemoryAccess.places(c))

  private val buffer = StreamFifo(ReturnedBeat(), readBeats)
  buffer.logic.ram.addAttribute("ram_style", "ultra")
  private val asked = readBeats min MemoryAccess.askedBeats
  private val room = Reg(UInt(log2Up(readBeats + 1) bits)) init readBeats
  private val unasked = Reg(UInt(log2Up(asked + 1) bits)) init asked
  /** Room for two bursts of the largest size: the next one, and one that left when this was found out. */
  private def fitsTwo(beats: UInt): Bool = beats >= 2 * MemoryAccess.burstBeats
  private val roomy = RegNext(fitsTwo(room) && fitsTwo(unasked)) init False
  /** An address that is offered stays offered. */
  private val offered = RegNext(io.mem.ar.isStall) init False
  private val enough = faults(MemoryFault.NoReservation)(True)(roomy || offered)
  private val address = addresses.continueWhen(addresses.work.atomic || enough)
  /** A cycle late: whether a line is taken is known late in a cycle. */
  private val taken, came = RegInit(False)
  taken := buffer.io.pop.fire
  came := buffer.io.push.valid
  // So is whether a burst is asked for, which therefore only chooses between two sums.
  for ((beats, more) <- Seq(room -> taken, unasked -> came)) {
    val kept = beats + more.asUInt
    val left = beats - (address.len +^ U(1)).resized + more.asUInt
    beats := (address.fire && address.work.read) ? left | kept
  }

  io.mem.ar.arbitrationFrom(address)
  io.mem.ar.addr := address.line @@ U(0, 6 bits)
  io.mem.ar.id := address.work.atomic ? U(MemoryAccess.ATOMIC_ID, MemoryBus.MASTER_ID_BITS bits) | U(MemoryAccess.PLAIN_ID, MemoryBus.MASTER_ID_BITS bits)
  io.mem.ar.len := faults(MemoryFault.NoBurstSplit)(U(MemoryAccess.burstBeats - 1, 8 bits))(address.len.resized)
  io.mem.ar.setFullSize()
  io.mem.ar.setBurstINCR()

  private val returned = io.mem.r.toFlow.translateWith {
    val beat = ReturnedBeat()
    beat.data := io.mem.r.data
    beat.error := faults(MemoryFault.ErrorIgnored)(False)(!io.mem.r.isOKAY())
    beat
  }
  private val ofAtomic = io.mem.r.id === MemoryAccess.ATOMIC_ID
  io.atomicReturned << returned.takeWhen(ofAtomic)
  private val ofRead = returned.throwWhen(ofAtomic)
  buffer.io.push << ofRead.toStream

  private val tracker = new BurstTracker(c, faults)
  tracker.io.sent << MemoryAccess.sent(c, io.started.takeWhen(burst.work.read))
  private val failedEarlier = RegInit(False)
  tracker.io.ended.valid := ofRead.valid && io.mem.r.last
  tracker.io.ended.payload := ofRead.error || failedEarlier
  when(ofRead.valid) { failedEarlier := !io.mem.r.last && (ofRead.error || failedEarlier) }
  tracker.io.done >> io.done
  tracker.io.freed >> io.freed

  private val aligner = new ReadAligner(c, faults)
  aligner.io.commands << io.commands.lutQueue(MemoryAccess.inFlight(c))
  aligner.io.returned << buffer.io.pop
  io.payload << aligner.io.payload
}

/** A line as memory returned it. */
case class ReturnedBeat() extends Bundle {
  val data = Bits(512 bits)
  val error = Bool()
}
