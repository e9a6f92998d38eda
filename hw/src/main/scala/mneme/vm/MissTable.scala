package mneme.vm

import mneme.{CBoardConfig, Faults}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A request that must wait for its page. */
case class Park(c: CBoardConfig) extends Bundle {

  /** Nobody else has it, so it names the token. */
  val place = UInt(c.placeBits bits)

  /** The miss entry (one-hot): the one that the page has, or a free one, which becomes the page's. */
  val entry = Bits(c.misses bits)

  /** A replace works on the page: the entry's walk must wait for it. */
  val held = Bool()

  /** As in [[mneme.engine.Demand]]. */
  val impatient = (c.rdma > 0) generate Bool()
}

/** The next request whose page is known. */
case class Turn(c: CBoardConfig) extends Bundle {
  val entry = Bits(c.misses bits)
  val place = UInt(c.placeBits bits)

  /** It waited for a page. */
  val waited = Bool()

  /** It waited for a page, or behind a request of its page that did: its answer says so. */
  val slow = Bool()

  /** No request: a pinned entry is to be written once more. */
  val trial = Bool()
}

/** The pages that are being walked for: one entry per page, and a list of requests for each, oldest first.
  *
  * An entry lives from its first request until its list is empty, every request of it has left, and memory has answered its write-backs (B).
  * So a page is never walked for by two, and what a walk finds is never about to change. Lists are threaded through places:
  * each token waits in the place that it has anyway, and no list can overflow.
  *
  * An entry whose write-back met an error is *pinned*: it stays, since what it knows of its page is true and memory may hold something older. It serves its
  * page without a walk until a later write of it succeeds: one that a request needs anyway, or a trial, for which replace asks. Half of the entries may be
  * pinned. What cannot be is lost, and told for good.
  */
case class MissTable(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  private val n = c.misses
  val io = new Bundle {

    /** The page of the request that goes to stage 2 when `load`; it is that of stage 2 until the next `load`. */
    val coming = in(PageKey(c))
    val load = in Bool ()

    /** The page of stage 2. */
    val key = in(PageKey(c))

    /** The entry of this page. */
    val matching = out Bits (n bits)

    /** The page's entry waits for a replace; has requests that have not left; is being filled into the TLB. */
    val held, busy, filling = out Bool ()

    /** What the TLB says of the page of stage 2 is out of date. */
    val filled = out Bool ()

    /** Some page of the process has requests that have not left. */
    val processBusy = out Bool ()

    /** The entries that it may take. */
    val mine = in Bits (n bits)

    /** A free entry of those; zero when there is none. */
    val free = out Bits (n bits)

    /** Fewer than two entries may be free. */
    val tight = out Bool ()

    /** Entries that are free, or have nothing left but to let their last request go. */
    val soon = out Bits (n bits)
    val park = slave Flow (Park(c))

    /** The held entry, if any, may be walked for. */
    val release = in Bool ()
    val heldEntry = out Bits (n bits)

    /** Replace waits for the page's entry to end; the entry that it still waits for. */
    val await = in Bool ()
    val awaited = out Bits (n bits)

    /** A walk has ended: its entry's requests can be decided. */
    val walked = in Bits (n bits)
    val turn = master Stream (Turn(c))

    /** A request that waited for a page goes before others. */
    val again = slave Stream (Waiting(c))

    /** Entries of requests that wait for a page; the one of a request that is being decided, and then may. */
    val dry, unsure = in Bits (n bits)

    /** An impatient request waits behind one that waits for a page. */
    val hurries = (c.rdma > 0) generate (out Bool ())

    /** Entries of which a fault is refused; the one whose turn it is had one refused. */
    val refused = in Bits (n bits)
    val spent = out Bool ()

    /** The number of its entry. */
    val number = out UInt (log2Up(n) bits)

    /** Entries of the request that is being decided, of the one on its way out, of the fill on its way to the TLB. */
    val deciding, leaving, fillNow = in Bits (n bits)

    /** Entries of which a write-back starts, of which one ends; that one met an error. */
    val writeStarts, writeEnds = in Bits (n bits)
    val writeFails = in Bool ()

    /** The entry that replace waits for is pinned, and nothing else keeps it. It is written once more, and replace waits again. */
    val stuck = out Bool ()
    val trial = slave(Event)

    /** Pinned entries, one after the other; whether there is one. */
    val pinned = master(PinnedPages(c))
    val pins = out Bool ()
    val pinnedEntries = out Bits (n bits)

    /** Entries with requests that are not being decided yet, those left out that wait for a page: they are not filled meanwhile. */
    val waiting = out Bits (n bits)
  }

  private[vm] val valid, waiting, known, held, spent, pinned = Reg(Bits(n bits)) init 0
  private[vm] val keys = Vec.fill(n)(Reg(PageKey(c)))
  private[vm] val heads, tails = Vec.fill(n)(Reg(UInt(c.placeBits bits)))
  private[vm] val next = Mem(UInt(c.placeBits bits), c.places).addAttribute("ram_style", "distributed")
  private[vm] val writing = Vec.fill(n)(Reg(UInt(2 bits)) init 0)
  private[vm] val filled = RegNext(io.fillNow) init 0
  private val filling = io.fillNow | filled

  /** The request whose turn it is: no entry when there is none. */
  private[vm] val turn = Reg(Turn(c))
  turn.entry.init(0)
  turn.slow := False
  private val queued = waiting | turn.entry
  private val undecided = queued | io.dry

  /** Requests in the entry's list waited behind one that waited for a page: all up to the one in place `lastBehind`. */
  private[vm] val behind = Reg(Bits(n bits)) init 0
  private[vm] val lastBehind = Vec.fill(n)(Reg(UInt(c.placeBits bits)))

  private def pid(key: PageKey): Bits = key.tag(c.tagBits - 1 downto c.tagBits - Wire.PID_BITS)

  val look = new Area {
    // Compared a stage before; an entry that began in that cycle is the one of the request in front.
    val equal = RegNextWhen(B((0 until n).map(i => valid(i) && keys(i) === io.coming)), io.load) init 0
    val same = RegNextWhen(io.coming === io.key, io.load) init False
    val begun = RegNextWhen((io.park.entry & ~valid).andMask(io.park.valid), io.load) init 0
    val matching = valid & (equal | begun.andMask(same))
    // Who waits in stage 2 is the only one that could begin another entry.
    val ofProcess = RegNextWhen(B((0 until n).map(i => valid(i) && pid(keys(i)) === pid(io.coming))), io.load) init 0
    val sameProcess = RegNextWhen(pid(io.coming) === pid(io.key), io.load) init False
    val present = planted.choose(PlantedFault.SecondEntry, wrong = B(0, n bits), right = matching)
    val busy = undecided | io.deciding | io.leaving
    io.matching := present
    io.held := (matching & held).orR
    io.busy := planted.choose(PlantedFault.HitOvertakes, wrong = False, right = (matching & busy).orR)
    io.filling := (matching & filling).orR
    io.filled := (matching & filled).orR
    io.processBusy := planted.choose(
      PlantedFault.FenceOvertakes,
      wrong = False,
      right = (busy & (ofProcess | begun.andMask(sameProcess))).orR
    )
    io.free := OHMasking.firstV2(~valid & planted.choose(PlantedFault.MissesUnshared, wrong = B((BigInt(1) << n) - 1, n bits), right = io.mine))
    // The lowest are taken first.
    io.tight := valid.takeHigh(2).orR
    io.heldEntry := held & valid
    io.waiting := queued
  }

  /** Every request of it has been decided, and every write-back answered. */
  private val ending = Bits(n bits)

  /** Nothing keeps the entry but that it may be pinned. */
  private val idle = ending & ~io.leaving & ~filling
  io.soon := RegNext(~valid | (ending & ~pinned)) init 0

  /** What replace waits for: until it has ended, or stands pinned. */
  val awaiting = new Area {
    val awaited, stuck = Reg(Bits(n bits)) init 0
    private val rests = awaited & idle & pinned
    when(io.await) {
      awaited := look.matching & ~held
      stuck := 0
    } elsewhen (io.trial.fire) {
      awaited := stuck
      stuck := 0
    } otherwise {
      awaited := awaited & valid & ~rests
      stuck := stuck | rests
    }
    io.awaited := awaited
    io.stuck := stuck.orR
  }

  /** Round robin over the entries whose requests can be decided. The choice is made a cycle before its turn, in the one in which the walk
    * ends at the earliest, so that what is known of the entry and its request are read with registers.
    */
  val choose = new Area {
    val number = Reg(UInt(log2Up(n) bits))
    // An outcome may change what the page's next request finds.
    val halted = (turn.entry & io.deciding).orR
    io.turn.valid := turn.entry.orR && !halted
    io.turn.payload := turn
    val wasBehind = planted.choose(PlantedFault.SlowUntold, wrong = False, right = (turn.entry & behind).orR)
    io.turn.slow.allowOverride() := turn.waited || wasBehind
    io.number := number
    io.spent := (turn.entry & spent).orR
    val advances = !turn.entry.orR || io.turn.fire

    val decidable = waiting & (known | io.walked) & ~planted.choose(PlantedFault.PassesWaiting, wrong = B(0, n bits), right = io.dry | io.unsure)
    val after = Reg(Bits(n bits)) init 0
    // The one whose turn it is was the last to be chosen, so it is none of those behind.
    val late = decidable & after
    val ready = decidable & ~turn.entry
    // Both choices side by side.
    val firstLate = OHMasking.firstV2(late)
    val firstReady = OHMasking.firstV2(ready)
    private def choice[T <: Data](of: Bits => T): T = Mux(late.orR, of(firstLate), of(firstReady))
    val entry = choice(first => first)
    when(advances) {
      turn.waited := io.again.valid
      turn.trial := io.trial.fire
      // A trial is no request, and has no place.
      turn.place := Mux(io.again.valid, io.again.place, choice(MuxOH.or(_, heads)))
      when(io.again.valid) {
        turn.entry := UIntToOh(io.again.number, n)
        number := io.again.number
      } elsewhen (io.trial.valid) {
        turn.entry := awaiting.stuck
        number := OHToUInt(awaiting.stuck)
      } otherwise {
        turn.entry := entry
        number := choice(OHToUInt(_))
      }
    }
    io.again.ready := advances
    io.trial.ready := advances && !io.again.valid
    val chooses = advances && !io.again.valid && !io.trial.valid
    // The entries behind the one that was chosen.
    when(chooses && ready.orR)(after := B((0 until n).map(i => if (i == 0) False else entry(i - 1 downto 0).orR)))
    // The list moves on one cycle later, which nobody sees: it is the entry's turn then.
    val taken = RegNext(entry.andMask(chooses)) init 0
    val following = next.readAsync(turn.place)
  }

  private val parks = io.park.entry.andMask(io.park.valid)

  /** Each entry's requests, oldest first. */
  val lists = new Area {
    // The tail of an empty list is a place that somebody else may have by now.
    next.write(MuxOH.or(io.park.entry, tails), io.park.place, enable = (parks & waiting).orR)
    val single = B((0 until n).map(i => heads(i) === tails(i)))
    waiting := (waiting & ~(choose.taken & single)) | parks
    for (i <- 0 until n) {
      // The head of an empty list means nothing, so it may follow whatever comes: the next to park, if any, is the first.
      when(!waiting(i) || choose.taken(i)) {
        heads(i) := Mux(!waiting(i) || single(i), io.park.place, choose.following)
      }
      when(parks(i))(tails(i) := io.park.place)
    }
  }

  /** Each entry's write-backs that memory has not answered yet. */
  val writes = new Area {
    for (i <- 0 until n) {
      val starts = io.writeStarts(i)
      when(starts =/= io.writeEnds(i)) {
        writing(i) := Mux(starts, writing(i) + 1, writing(i) - 1)
      }
    }
    val answered = planted.choose(PlantedFault.WalkOvertakesWrite, wrong = B((BigInt(1) << n) - 1, n bits), right = B(writing.map(_ === 0)))
  }

  /** An entry begins with its first request, and ends when nothing keeps it. */
  val life = new Area {
    ending := known & ~undecided & ~io.deciding & writes.answered
    val ends = idle & ~pinned & ~parks
    valid := (valid & ~ends) | parks
    known := (known | io.walked) & ~ends
    // Page and block of a free entry mean nothing, so they may follow whatever comes.
    for (i <- 0 until n) when(!valid(i))(keys(i) := io.key)
    held := ((held & valid) | (~valid).andMask(io.park.held)).andMask(!io.release)
  }

  /** Requests that wait because of a page fault that waits for a page. */
  val slow = new Area {
    // The list as it is when a fault that waited is decided. Who joins later has not waited for a page.
    val wasLast = B((0 until n).map(i => planted.choose(PlantedFault.SlowTooLong, wrong = !waiting(i), right = turn.place === lastBehind(i))))
    behind := (behind & ~(turn.entry & wasLast).andMask(io.turn.fire) & ~io.dry) | (waiting & io.dry)
    for (i <- 0 until n) when(io.dry(i))(lastBehind(i) := tails(i))
    // Who waited behind a fault has waited as long: it does not begin anew.
    spent := valid & (spent | io.refused)
    if (c.rdma > 0) {
      // Of a list that has one, or has had one since it was empty.
      val impatient = Reg(Bits(n bits)) init 0
      impatient := (impatient & waiting) | parks.andMask(io.park.impatient)
      io.hurries := (impatient & io.dry).orR
    }
  }

  /** Memory answers an entry's writes in their order, so the last answer tells of the newest. */
  val pinning = new Area {
    val room = CountOne(pinned) < MissTable.pinnable(c)
    val fails = planted.choose(PlantedFault.WriteErrorIgnored, wrong = False, right = io.writeFails)
    for (i <- 0 until n) when(io.writeEnds(i))(pinned(i) := fails && (room || pinned(i)))
    val lost = RegInit(False) setWhen (fails && !room && (io.writeEnds & ~pinned).orR)
    // It stops at each until somebody has seen it, or it is pinned no more.
    val shown = Counter(n)
    io.pins := pinned.orR
    io.pinnedEntries := pinned
    io.pinned.valid := pinned(shown)
    io.pinned.bucket := Vec(keys.map(_.bucket))(shown)
    io.pinned.lost := lost
    when(!io.pinned.valid || io.pinned.next)(shown.increment())
  }
}

/** Pages whose entries could not be written to memory, for the slow path: where the entry of one of them belongs, and whether any has been lost. */
case class PinnedPages(c: CBoardConfig) extends Bundle with IMasterSlave {
  val valid = Bool()
  val bucket = UInt(c.bucketBits bits)

  /** More failed than can be pinned. A page without a place in memory may have had one. */
  val lost = Bool()

  /** Show another. */
  val next = Bool()

  override def asMaster(): Unit = {
    out(valid, bucket, lost)
    in(next)
  }
}

object MissTable {

  /** Entries that may be pinned: the others are left to pages that have to be walked for. */
  def pinnable(c: CBoardConfig): Int = (c.misses / 2) max 1
}
