package mneme.vm

import mneme.{AwayRow, CBoardConfig, Control}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A request that the TLB cannot serve. */
case class MissRequest(c: CBoardConfig) extends Bundle {
  val key = PageKey(c)
  val access = Access()

  /** Tick of the request's first attempt. */
  val time = UInt(24 bits)
}

/** How translation ended: a place in memory, zeros, or an answer. */
case class Verdict(c: CBoardConfig) extends Bundle {
  val failed = Bool()
  val status = Bits(5 bits)
  val detailVa = Bits(48 bits)
  val detailLength = Bits(16 bits)
  val zeros = Bool()
  val ppn = UInt(c.memBits - c.pageBits bits)

  /** The page's bytes are at `ppn`. */
  def serve(ppn: UInt): Unit = {
    failed := False
    status := Wire.Status.OK
    detailVa := 0
    detailLength := 0
    zeros := False
    this.ppn := ppn
  }

  /** The answer is `status` with a cause and a hint. */
  def fail(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    failed := True
    this.status := status
    detailVa := B(cause, 8 bits) ## B(0, 8 bits) ## hint
    detailLength := 0
  }
}

/** The answer to a miss. */
case class MissResult(c: CBoardConfig) extends Bundle {
  val verdict = Verdict(c)

  /** The tick that the window was checked against. */
  val tick = UInt(24 bits)
}

/** What the fault unit counts, one cycle each. */
case class FaultEvents() extends Bundle {
  val pageFault, dry, zeroRead, writeBack, parity, expired = Bool()
}

/** Decides a miss once its bucket is known, in the order of contracts §3: window, match, state, rights, hold, page fault, bits to set.
  *
  * A page fault takes its page in the cycle of the decision, so it costs no more than a miss. The entry goes to the TLB and to memory
  * at the same time; the next walk waits for the write's answer, which is why two first touches of a page take one page.
  * One miss at a time; `miss` and `result` are streams, so that a unit with several needs no other pipeline around it.
  */
case class FaultUnit(c: CBoardConfig, planted: PlantedFaults = PlantedFaults.none) extends Component {
  val io = new Bundle {
    val miss = slave Stream (MissRequest(c))
    val result = master Stream (MissResult(c))
    val walk = master Stream (PageKey(c))
    val walked = slave Stream (Walked(c))
    val freePages = slave Stream (UInt(c.memBits - c.pageBits bits))
    val writeBack = master Stream (EntryWrite(c))

    /** A cycle before `result`, so that the next lookup sees it. */
    val fill = master Flow (TlbFill(c))
    val awayIndex = out UInt (Wire.PPN_BITS_MIN bits)
    val awayRow = in(AwayRow())
    val control = in(Control())
    val events = out(FaultEvents())
  }

  private val busy, asked, answered = RegInit(False)
  private val miss = RegNextWhen(io.miss.payload, io.miss.fire)
  io.miss.ready := !busy
  when(io.miss.fire) {
    busy := True
    asked := False
    answered := False
  }
  io.walk.valid := busy && !asked
  io.walk.payload := miss.key
  asked.setWhen(io.walk.fire)

  /** Both registers belong to the same tick. */
  private val window = new Area {
    val tick = RegNext(io.control.tick)
    val age = (io.control.tick - miss.time).asSInt
    val passed = RegNext(age.resize(25 bits) > io.control.window.asBits.resize(25 bits).asSInt)
    val expired = planted.choose(PlantedFault.NoWindowCheck, wrong = False, right = passed && miss.access.writes)
  }

  private val pte = Pte(c, io.walked.entry)
  io.awayIndex := pte.awayRow

  /** A new page is needed, and nothing stands against it but perhaps a dry buffer. */
  private val faults = False
  /** The page has a place in memory. */
  private val lives = False

  private val verdict = Verdict(c)
  verdict.serve(Mux(pte.valid, pte.ppn, io.freePages.payload))
  when(window.expired) {
    verdict.fail(Wire.Status.EXPIRED, Wire.Cause.WINDOW)
  } elsewhen (io.walked.memoryError) {
    verdict.fail(Wire.Status.MEMERR, Wire.Cause.DRAM)
  } elsewhen (!io.walked.found) {
    verdict.fail(Wire.Status.UNMAPPED, Wire.Cause.NONE)
    when(io.walked.parityError)(verdict.fail(Wire.Status.MEMERR, Wire.Cause.PARITY))
  } elsewhen (pte.isState(Wire.PageState.SPLIT)) {
    verdict.fail(Wire.Status.UNSUPPORTED, Wire.Cause.SPLIT)
  } elsewhen (pte.isState(Wire.PageState.AWAY)) {
    verdict.failed := True
    verdict.status := io.awayRow.status
    verdict.detailVa := io.awayRow.va
    verdict.detailLength := io.awayRow.length
  } elsewhen (pte.denies(miss.access)) {
    verdict.fail(Wire.Status.DENIED, Wire.Cause.RIGHTS)
  } elsewhen (pte.holds(miss.access)) {
    verdict.fail(Wire.Status.BUSY, Wire.Cause.HOLD, io.control.busyHint)
  } elsewhen (pte.valid) {
    lives := True
  } elsewhen (!miss.access.writes) {
    verdict.zeros := True
  } otherwise {
    faults := True
    when(!io.freePages.valid) {
      verdict.fail(Wire.Status.BUSY, Wire.Cause.FAULT, io.control.busyHint)
      when(io.control.exhausted)(verdict.fail(Wire.Status.NOMEM, Wire.Cause.NONE))
    } otherwise {
      lives := True
    }
  }

  private val update = new Area {
    val bits = CombInit(io.walked.entry)
    when(!pte.valid) {
      bits(0, c.ppnBits bits) := io.freePages.payload.asBits.resized
    }
    bits(Wire.Pte.VALID) := True
    bits(Wire.Pte.ACCESSED) := True
    bits(Wire.Pte.DIRTY) := pte.dirty || planted.choose(PlantedFault.DirtyNotSet, wrong = False, right = miss.access.writes)
    val entry = Pte.seal(bits)
    val kept = lives && planted.choose(PlantedFault.FaultTakesTwoPages, wrong = pte.valid, right = True)
    val needed = kept && (!pte.valid || !pte.accessed || (miss.access.writes && !pte.dirty))
  }

  private val deciding = busy && !answered && io.walked.valid
  private val decided = deciding && (!update.needed || io.writeBack.ready)
  private val takes = faults && io.freePages.valid
  io.walked.ready := decided
  io.freePages.ready := decided && faults
  io.writeBack.valid := deciding && update.needed
  io.writeBack.bucket := miss.key.bucket
  io.writeBack.slot := io.walked.slot
  io.writeBack.entry := update.entry
  io.fill.valid := decided && update.kept
  io.fill.bucket := miss.key.bucket
  io.fill.entry := update.entry

  answered.setWhen(decided)
  io.result.valid := busy && answered
  io.result.verdict := RegNextWhen(verdict, decided)
  io.result.tick := RegNextWhen(window.tick, decided)
  busy.clearWhen(io.result.fire)

  private val refused = window.expired || io.walked.memoryError
  io.events.pageFault := decided && takes
  io.events.dry := decided && faults && !io.freePages.valid
  io.events.zeroRead := decided && verdict.zeros && !verdict.failed
  io.events.writeBack := io.writeBack.fire
  io.events.parity := decided && !refused && !io.walked.found && io.walked.parityError
  io.events.expired := decided && window.expired
}
