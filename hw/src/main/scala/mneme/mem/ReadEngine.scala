package mneme.mem

import mneme.chain.ReplyReader
import mneme.engine.PayloadBeat
import mneme.{apart, CBoardConfig, Faults, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Reads memory: for reads, whose bytes it hands to their doors, byte 0 of each in data(7 downto 0) of its first beat; for atomics, whose words it passes on.
  *
  * Bursts that may go → AR; R → rotator → realigner → the door's buffer. AR of a read leaves only with room in the buffer of its door, so R is
  * never refused: a door that takes no data holds up nobody but itself, and who waits for its reads to end.
  */
class ReadEngine(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    /** Reads, as soon as they are known. */
    val commands = Vec(slave(Flow(ReadCommand(c))), c.doors)
    /** Every burst that may go; those of writes are not looked at. */
    val started = slave(Flow(StartedBurst(c)))
    val payload = Vec(master(Stream(PayloadBeat())), c.doors)
    val atomicReturned = master(Flow(ReturnedBeat()))
    val mem = master(Axi4ReadOnly(MemoryBus.config(c)))
    /** The last data of a read have arrived. */
    val done = master(Flow(AccessEnd(c)))
    /** A read that met an error, some cycles later. */
    val failed = master(Flow(ReadCommand(c)))
    val freed = master(Flow(UInt(log2Up(c.burstPlaces) bits)))
  }

  private val burstLines = MemoryAccess.burstBeats min c.accessLines
  /** Beats that memory may still be asked for: behind what it owes stand walks and atomics. */
  private val unasked = new Room(c.readBeats min MemoryAccess.askedBeats, margin = 3 * burstLines)

  /** A door's reads that may go, and its buffer. With several doors an access goes whole, since the realigner takes one after the other. */
  private class DoorReads(door: Int) extends Area {
    // Who reads frames has few reads inside, for all of which there is room: so none waits for room with places of bursts that others need.
    private val ofFrames = c.framesDoor && door == c.doors - 1
    private val margin = 2 * burstLines + (if (c.doors == 1) burstLines else c.accessLines)
    private val beats = if (ofFrames) 1 << log2Up(ReplyReader.INSIDE * c.accessLines + margin) else c.readBeats
    val buffer = StreamFifo(PayloadBeat(), beats)
    buffer.logic.ram.addAttribute("ram_style", if (ofFrames) "block" else c.memories)
    if (c.smallLutRam) apart(buffer.logic.ram)
    io.payload(door) << buffer.io.pop
    val room = new Room(beats, margin)
    // One more than contexts, as docs/reference/doors.md has it: who gives that of a read away when the answer's header leaves, which its data follow.
    val commands = bounded(io.commands(door).toStream).lutQueue(c.contexts).m2sPipe()
    private def bounded(coming: Stream[ReadCommand]): Stream[ReadCommand] = {
      if (c.doors > 1) assert(!coming.isStall, s"door $door has more reads inside than it may have", FAILURE)
      coming
    }

    // Each burst has a place, so this queue never overflows.
    private val mine = io.started.burst.work.read && io.started.burst.owner.door(door)
    private val bursts = io.started.takeWhen(mine).toStream.lutQueue(c.burstPlaces)
    private val begun = if (c.doors > 1) RegInit(False) else False
    /** An address that is offered stays offered. */
    private val offered = RegInit(False)
    private val enough = faults.choose(MemoryFault.NoReservation, wrong = True, right = offered || (unasked.fits && (room.fits || begun)))
    val addresses = bursts.continueWhen(enough)
    offered := addresses.isStall
    if (c.doors > 1) when(addresses.fire)(begun := !addresses.burst.last)
  }
  private val doors = (0 until c.doors).map(new DoorReads(_))

  // --- Addresses: reads of each door, and atomics, which need no room.
  private val ofAtomics = io.started.takeWhen(io.started.burst.work.atomic).toStream.lutQueue(c.places)
  private val turns = StreamArbiterFactory().roundRobin
  private val address = (if (c.doors == 1) turns.transactionLock else turns.lambdaLock[StartedBurst](_.burst.last))
    .on(doors.map(_.addresses) :+ ofAtomics)
  private val burst = address.burst
  io.mem.ar.arbitrationFrom(address)
  io.mem.ar.addr := burst.line @@ U(0, 6 bits)
  io.mem.ar.id := burst.work.atomic ? U(MemoryAccess.ATOMIC_ID, MemoryBus.MASTER_ID_BITS bits) | U(MemoryAccess.PLAIN_ID, MemoryBus.MASTER_ID_BITS bits)
  io.mem.ar.len := faults.choose(MemoryFault.NoBurstSplit, wrong = U(MemoryAccess.burstBeats - 1, 8 bits), right = burst.len.resized)
  io.mem.ar.setFullSize()
  io.mem.ar.setBurstINCR()
  private val leaves = address.toFlowFire.takeWhen(burst.work.read)

  // --- Data.
  private val returned = io.mem.r.toFlow.translateWith {
    val beat = ReturnedBeat()
    beat.data := io.mem.r.data
    beat.error := faults.choose(MemoryFault.ErrorIgnored, wrong = False, right = !io.mem.r.isOKAY())
    beat
  }
  private val ofAtomic = io.mem.r.id === MemoryAccess.ATOMIC_ID
  io.atomicReturned << returned.takeWhen(ofAtomic)
  private val ofRead = returned.throwWhen(ofAtomic)

  private val tracker = new BurstTracker(c, faults)
  tracker.io.sent << MemoryAccess.sent(c, leaves)
  private val failedEarlier = RegInit(False)
  tracker.io.ended.valid := ofRead.valid && io.mem.r.last
  tracker.io.ended.payload := ofRead.error || failedEarlier
  when(ofRead.valid) { failedEarlier := !io.mem.r.last && (ofRead.error || failedEarlier) }
  tracker.io.done >> io.done
  tracker.io.freed >> io.freed

  private val aligner = new ReadAligner(c, faults)
  aligner.io.returned << ofRead
  io.failed << aligner.io.failed
  /** Whose read comes next: as AR has asked for them. */
  private val door = if (c.doors == 1) B(1, 1 bits)
  else {
    val first = RegInit(True)
    when(leaves.valid)(first := burst.last)
    val order = leaves.takeWhen(first).translateWith(burst.owner.door).toStream.lutQueue(c.burstPlaces)
    order.ready := aligner.io.commands.ready
    order.payload
  }
  aligner.io.door := door
  // A command is there when a line of it comes back: it asked for the line.
  aligner.io.commands.valid := (B(doors.map(_.commands.valid)) & door).orR
  aligner.io.commands.payload := MuxOH.or(door, doors.map(_.commands.payload), bypassIfSingle = true)

  private val lines = burst.len +^ U(1)
  unasked.count(leaves.valid, lines, ofRead.valid.asUInt)
  for ((reads, i) <- doors.zipWithIndex) {
    reads.commands.ready := aligner.io.commands.ready && door(i)
    reads.buffer.io.push.valid := aligner.io.payload.valid && aligner.io.payload.door(i)
    reads.buffer.io.push.payload := aligner.io.payload.beat
    reads.room.count(leaves.valid && burst.owner.door(i), lines, reads.buffer.io.pop.fire.asUInt +^ aligner.io.tail(i).asUInt)
  }
}

/** A line as memory returned it. */
case class ReturnedBeat() extends Bundle {
  val data = Bits(512 bits)
  val error = Bool()
}
