package mneme.vm

import mneme.engine.{Ordering, Outcome}
import mneme.{AwayRow, CBoardConfig, Control, Faults}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A request whose walk has ended, and what is known of its page. */
case class Undecided(c: CBoardConfig) extends Bundle {
  val turn = Turn(c)
  val asker = UInt(Walker.askerBits(c) bits)
  val access = Access()
  val ordering = Ordering()
  val walked = Walked(c)

  /** A fault without a page may wait for one. */
  val mayWait = Bool()
}

/** How translation ended: a place in memory, zeros, or an answer. */
case class Verdict(c: CBoardConfig) extends Bundle {
  val failed = Bool()
  val outcome = Outcome()
  val zeros = Bool()
  val ppn = UInt(c.memBits - c.pageBits bits)

  /** Of a board with a leaf unit: `ppn` are the low bits of a leaf table's number, which has one more. */
  val split, tableTop = c.leaf generate Bool()

  /** The page's bytes are at `ppn`. */
  def serve(ppn: UInt): Unit = {
    failed := False
    outcome.succeed()
    zeros := False
    this.ppn := ppn
    if (c.leaf) Seq(split, tableTop).foreach(_ := False)
  }

  /** Its frames are behind the leaf table of a split entry. */
  def serveSplit(pte: Pte): Unit = {
    split := True
    tableTop := pte.tableTop
    ppn := pte.ppn
  }

  /** The answer is `status` with a cause and a hint. */
  def fail(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    failed := True
    outcome.fail(status, cause, hint)
  }
}

/** The decision on a request that waited. */
case class Resolved(c: CBoardConfig) extends Bundle {
  val turn = Turn(c)
  val verdict = Verdict(c)

  /** The tick that the window was checked against. */
  val tick = UInt(24 bits)
}

/** A page's entry for the TLB, and the miss entry that it comes from. */
case class Fill(c: CBoardConfig) extends Bundle {
  val entry = Bits(c.misses bits)
  val line = TlbFill(c)
}

/** What is known of a miss entry's page from now on. */
case class Learned(c: CBoardConfig) extends Bundle {
  val asker = UInt(Walker.askerBits(c) bits)
  val walked = Walked(c)
}

/** What the fault unit counts, one cycle each. */
case class FaultEvents() extends Bundle {
  val pageFault, dry, overShare, waits, zeroRead, writeBack, parity, expired = Bool()
}

/** Decides one request per cycle once its bucket is known, in the order of contracts §3: window, match, state, rights, hold, page fault,
  * bits to set.
  *
  * A page fault takes its page in the cycle of the decision, so it costs no more than a miss. The entry goes to memory, to the TLB and to
  * the page's next request at the same time; the miss entry outlives the write's answer, which is why two first touches of a page take
  * one page.
  */
case class FaultUnit(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val undecided = slave Stream (Undecided(c))
    val resolved = master Stream (Resolved(c))

    /** The miss entry of the request that is being decided. */
    val deciding = out Bits (c.misses bits)
    val freePages = slave Stream (UInt(c.memBits - c.pageBits bits))

    /** There are pages, but they are kept for other groups than that of the request that is being decided. */
    val kept = in Bool ()

    /** Its request may have to wait for a page. */
    val unsure = out Bits (c.misses bits)

    /** A fault that waits for a page; others do already; nobody may. */
    val waits = master Stream (Waiting(c))
    val queued, urgent = in Bool ()

    /** The entry of a fault that is refused. */
    val refused = out Bits (c.misses bits)

    /** A fault that waited has been decided, or goes on waiting. */
    val decidedWaiting, staysWaiting = out Bool ()
    val writeBack = master Stream (EntryWrite(c))

    /** An entry was lost: a page without a place in memory may have had one. */
    val lost = in Bool ()

    /** The entry changed; not while `learnBusy`. */
    val learned = master Flow (Learned(c))
    val learnBusy = in Bool ()
    val fill = master Flow (Fill(c))
    val awayIndex = out UInt (Wire.PPN_BITS_MIN bits)
    val awayRow = in(AwayRow())
    val control = in(Control())
    val events = out(FaultEvents())
  }

  private[vm] val stage = io.undecided.m2sPipe()
  private val walked = stage.walked
  private val access = stage.access
  // Registers of their own, zero where the stage is empty: who looks up waits for them.
  private val entering = io.undecided.turn.entry.andMask(io.undecided.valid)
  io.deciding := RegNextWhen(entering, io.undecided.ready) init 0
  private val coming = Pte(c, io.undecided.walked.entry)
  io.unsure := RegNextWhen(entering.andMask(io.undecided.access.writes && !coming.valid), io.undecided.ready) init 0
  private[vm] val mayUpdate =
    RegNextWhen(io.undecided.turn.trial || !coming.valid || !coming.accessed || (io.undecided.access.writes && !coming.dirty), io.undecided.ready)

  /** Judged a cycle before, of the request that comes or of the one that stays: what follows from it has a long way. */
  private val window = new Area {
    private val now = new RetryWindow(io.control, planted)
    private val passed = RegNext(Mux(io.undecided.ready, now.passed(io.undecided.ordering), now.passed(stage.ordering)))
    val expired = now.ends(stage.ordering, passed)

    /** The tick that decided. */
    val tick = RegNext(now.tick)
  }

  private val pte = Pte(c, walked.entry)
  io.awayIndex := pte.awayRow

  /** What becomes of a page fault, known beside whether it is one. Those that wait already come first, while there is room. */
  private val page = new Area {
    val queues = stage.mayWait && io.waits.ready && (io.queued || !io.freePages.valid)
    val waits = !io.urgent && Mux(stage.turn.waited, !io.freePages.valid, queues)
    val taken = io.freePages.valid && !waits
  }

  /** A new page is needed, and nothing stands against it but perhaps a dry buffer. */
  private val faults = False
  /** The page has a place in memory. */
  private val lives = False
  /** The page is split, and a leaf unit has its places. */
  private val splits = c.leaf generate False

  private val verdict = Verdict(c)
  verdict.serve(Mux(pte.valid, pte.ppn, io.freePages.payload))
  private val unserved = when(window.expired) {
    verdict.fail(Wire.Status.EXPIRED, Wire.Cause.WINDOW)
  } elsewhen (walked.memoryError) {
    verdict.fail(Wire.Status.MEMERR, Wire.Cause.DRAM)
  } elsewhen (!walked.found) {
    verdict.fail(Wire.Status.UNMAPPED, Wire.Cause.NONE)
    when(walked.parityError)(verdict.fail(Wire.Status.MEMERR, Wire.Cause.PARITY))
  }
  private val judged =
    (if (c.leaf) unserved else unserved.elsewhen(pte.isState(Wire.PageState.SPLIT))(verdict.fail(Wire.Status.UNSUPPORTED, Wire.Cause.SPLIT)))
      .elsewhen(pte.isState(Wire.PageState.AWAY)) {
        verdict.failed := True
        verdict.outcome.status := io.awayRow.status
        verdict.outcome.detailVa := io.awayRow.va
        verdict.outcome.detailLength := io.awayRow.length
      } elsewhen (pte.denies(access)) {
      verdict.fail(Wire.Status.DENIED, Wire.Cause.RIGHTS)
    } elsewhen (pte.holds(access)) {
      verdict.fail(Wire.Status.BUSY, Wire.Cause.HOLD, io.control.busyHint)
    }
  (if (!c.leaf) judged
   else
     judged.elsewhen(pte.isState(Wire.PageState.SPLIT)) {
       splits := True
       verdict.serveSplit(pte)
     }).elsewhen(pte.valid) {
    lives := True
  } elsewhen (io.lost) {
    verdict.fail(Wire.Status.MEMERR, Wire.Cause.DRAM)
  } elsewhen (!access.writes) {
    verdict.zeros := True
  } otherwise {
    faults := True
    when(page.taken) {
      lives := True
    } otherwise {
      verdict.fail(Wire.Status.BUSY, Wire.Cause.FAULT, io.control.busyHint)
      when(io.kept) {
        verdict.fail(Wire.Status.BUSY, Wire.Cause.SHARE, io.control.busyHint)
      } elsewhen (io.control.exhausted) {
        verdict.fail(Wire.Status.NOMEM, Wire.Cause.NONE)
      }
    }
  }

  private val update = new Area {
    val bits = CombInit(walked.entry)
    // A split entry is for the TLB alone, which takes it as it is, but for a bit without which it would not serve writes.
    when(if (c.leaf) !pte.valid && !splits else !pte.valid) {
      bits(0, c.ppnBits bits) := io.freePages.payload.asBits.resized
    }
    bits(Wire.Pte.VALID) := True
    bits(Wire.Pte.ACCESSED) := True
    bits(Wire.Pte.DIRTY) := pte.dirty || planted.choose(PlantedFault.DirtyNotSet, wrong = False, right = access.writes && !stage.turn.trial)
    if (c.leaf) when(splits)(bits(Wire.Pte.DIRTY) := True)
    val entry = planted.choose(PlantedFault.UpdateUnsealed, wrong = CombInit(bits), right = Pte.seal(bits))
    val kept = lives && planted.choose(PlantedFault.FaultTakesTwoPages, wrong = pte.valid, right = True)
    val needed = kept && (!pte.valid || !pte.accessed || (access.writes && !pte.dirty))
  }

  /** Known before the verdict, which is a long way: whether the entry would change if the request is served. */
  private val free = !mayUpdate || (io.writeBack.ready && !io.learnBusy)
  private val waits = faults && page.waits
  /** A trial asks for nothing but the write of what is known; there is no request to decide. */
  private val trial = stage.turn.trial
  stage.ready := free && (io.resolved.ready || trial)
  io.resolved.valid := stage.valid && free && !waits && !trial
  private val decided = io.resolved.fire
  private val postponed = stage.fire && waits && !trial
  io.waits.valid := postponed && !stage.turn.waited
  io.waits.number := stage.asker.resized
  io.waits.place := stage.turn.place
  io.decidedWaiting := decided && stage.turn.waited
  io.staysWaiting := postponed && stage.turn.waited
  io.resolved.turn := stage.turn
  io.resolved.verdict := verdict
  io.resolved.tick := window.tick

  private val takes = faults && page.taken
  io.refused := stage.turn.entry.andMask(decided && faults && !page.taken)
  io.freePages.ready := planted.choose(PlantedFault.PostponedTakesPage, wrong = decided || postponed, right = decided) && faults
  io.writeBack.valid := decided && update.needed || stage.fire && trial
  io.writeBack.bucket := walked.bucket
  io.writeBack.slot := walked.slot
  io.writeBack.entry := update.entry
  io.writeBack.asker := stage.asker
  io.learned.valid := decided && update.needed
  io.learned.asker := stage.asker
  io.learned.walked := walked
  io.learned.walked.entry.allowOverride() := update.entry
  // The entry's tag is that of its page.
  private val filled = PageKey(c)
  filled.bucket := walked.bucket
  filled.tag := pte.tag
  io.fill.valid := decided && (if (c.leaf) update.kept || splits else update.kept)
  io.fill.entry := stage.turn.entry
  io.fill.line.bucket := walked.bucket
  io.fill.line.set := TlbSet(c, filled)
  io.fill.line.entry := update.entry

  private val refused = window.expired || walked.memoryError
  io.events.pageFault := decided && takes
  io.events.dry := decided && faults && !io.freePages.valid && !io.kept
  io.events.overShare := decided && faults && io.kept
  io.events.waits := io.waits.fire
  io.events.zeroRead := decided && verdict.zeros && !verdict.failed
  io.events.writeBack := io.writeBack.fire
  io.events.parity := decided && !refused && !walked.found && walked.parityError
  io.events.expired := decided && window.expired
}
