package mneme.mem

import mneme.engine.Fetch
import mneme.{CBoardConfig, Faults, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Writes memory: data of doors → rotator → realigner → W, and the words of atomics.
  *
  * A write's payload is fetched as soon as the write is known; its lines wait until its bursts may go. AW of both are sent in turn, and their W in the order of these AW.
  * W of a burst waits for its AW, so that memory controllers which need that order are served too.
  */
class WriteEngine(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    /** Writes, in order, as soon as they are known; never more than the commit queue holds. */
    val commands = slave(Flow(WriteCommand(c)))
    /** Every burst that may go; those of writes alone are looked at. */
    val started = slave(Flow(StartedBurst(c)))
    /** Lines and words that atomics store. */
    val atomicLines = slave(Stream(UInt(c.memBits - 6 bits)))
    val atomicWords = slave(Stream(StoredWord()))
    val fetch = Vec(master(Stream(Fetch(c))), c.doors)
    val fetched = Vec(slave(Flow(Bits(512 bits))), c.doors)
    val mem = master(Axi4WriteOnly(MemoryBus.config(c)))
    /** A write is in memory: all B have come. */
    val done = master(Flow(AccessEnd(c)))
    /** A word is; true: with an error. */
    val atomicDone = master(Flow(Bool()))
    val freed = master(Flow(UInt(log2Up(c.burstPlaces) bits)))
  }

  private val (fetched, aligned) = StreamFork2(io.commands.toStream.lutQueue(c.places))
  private val fetch = new PayloadFetch(c)
  fetch.io.commands << fetched
  for ((door, i) <- fetch.io.fetch.zipWithIndex) io.fetch(i) << door
  for ((door, i) <- fetch.io.fetched.zipWithIndex) door << io.fetched(i)
  private val aligner = new WriteAligner(c, faults)
  aligner.io.commands << aligned.lutQueue(2 * MemoryAccess.fetchBeats)
  aligner.io.payload << fetch.io.payload

  /** Addresses of writes and of atomics in turn. Each burst has a place, so no queue here ever overflows. */
  private val addresses = new Area {
    case class Address() extends Bundle {
      val line = UInt(c.memBits - 6 bits)
      val len = UInt(6 bits)
      val atomic = Bool()
    }
    val ofWrites = io.started.takeWhen(io.started.burst.work.write).translateWith {
      val address = Address()
      address.assignSomeByName(io.started.burst)
      address.atomic := False
      address
    }
    val ofAtomics = io.atomicLines.map { line =>
      val address = Address()
      address.line := line
      address.len := 0
      address.atomic := True
      address
    }
    val turns = StreamArbiterFactory().roundRobin.noLock.build(Address(), 2)
    turns.io.inputs(0) << ofWrites.toStream.lutQueue(c.burstPlaces)
    turns.io.inputs(1) << ofAtomics
    val chosen = turns.io.output.m2sPipe()
    /** Whose data is next: an atomic's. */
    val route = turns.io.output.toFlowFire.translateWith(turns.io.output.atomic).toStream.lutQueue(c.burstPlaces)
  }
  io.mem.aw.arbitrationFrom(addresses.chosen)
  io.mem.aw.addr := addresses.chosen.line @@ U(0, 6 bits)
  io.mem.aw.id := addresses.chosen.atomic ? U(MemoryAccess.ATOMIC_ID, MemoryBus.MASTER_ID_BITS bits) | U(MemoryAccess.PLAIN_ID, MemoryBus.MASTER_ID_BITS bits)
  io.mem.aw.len := faults.choose(MemoryFault.NoBurstSplit, wrong = U(MemoryAccess.burstBeats - 1, 8 bits), right = addresses.chosen.len.resized)
  io.mem.aw.setFullSize()
  io.mem.aw.setBurstINCR()

  // --- Data: lines of writes and words of atomics, in the order of their addresses.
  private val ofAtomicNext = addresses.route.payload
  private val word = io.atomicWords.payload
  private val line = Stream(WriteLine())
  line.valid := addresses.route.valid && (ofAtomicNext ? io.atomicWords.valid | aligner.io.lines.valid)
  line.payload := aligner.io.lines.payload
  when(ofAtomicNext) {
    line.data := Repeat(word.value, 8)
    line.strobe := Cat((0 until 8).map(i => Repeat(word.index === i, 8)))
    line.last := True
  }
  io.atomicWords.ready := line.ready && addresses.route.valid && ofAtomicNext
  aligner.io.lines.ready := line.ready && addresses.route.valid && !ofAtomicNext
  addresses.route.ready := line.fire && line.last

  /** Bursts whose AW has left and whose last W has not. */
  private val open = Reg(UInt(log2Up(c.burstPlaces + 1) bits)) init 0
  private val closes = io.mem.w.fire && io.mem.w.last
  // Who is served is known late: it enables the count, and is not added.
  when(io.mem.aw.fire =/= closes)(open := closes ? (open - 1) | (open + 1))
  private val data = line.m2sPipe().haltWhen(open === 0)
  io.mem.w.arbitrationFrom(data)
  io.mem.w.data := data.data
  io.mem.w.strb := data.strobe
  io.mem.w.last := data.last

  private val tracker = new BurstTracker(c, faults)
  private val failed = faults.choose(MemoryFault.ErrorIgnored, wrong = False, right = !io.mem.b.isOKAY())
  private val ofAtomic = io.mem.b.id === MemoryAccess.ATOMIC_ID
  io.mem.b.ready := True
  tracker.io.sent << MemoryAccess.sent(c, io.started.takeWhen(io.started.burst.work.write))
  tracker.io.ended.valid := io.mem.b.valid && !ofAtomic
  tracker.io.ended.payload := failed
  tracker.io.freed >> io.freed
  io.atomicDone.valid := io.mem.b.valid && ofAtomic
  io.atomicDone.payload := failed
  private val early = aligner.io.lines.fire && aligner.io.lines.last
  io.done.valid := faults.choose(MemoryFault.OkBeforeB, wrong = early, right = tracker.io.done.valid)
  io.done.owner := tracker.io.done.owner
  // A board with this defect has one door.
  if (faults.present) when(faults.choose(MemoryFault.OkBeforeB, wrong = True, right = False))(io.done.owner.door.setAll())
  io.done.error := faults.choose(MemoryFault.OkBeforeB, wrong = False, right = tracker.io.done.error)
}

/** A word to store, at its place in the line. */
case class StoredWord() extends Bundle {
  val value = Bits(64 bits)
  val index = UInt(3 bits)
}
