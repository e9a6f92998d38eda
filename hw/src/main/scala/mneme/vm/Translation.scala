package mneme.vm

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Virtual to physical, in order (contracts §3): an assembly of TLB, walker, fault unit and replace.
  *
  * Four stages, one request per cycle while it hits: compare · choose · check · answer. A miss waits in `choose` for the fault unit and
  * holds up what is behind it; requests that need no translation pass through in their place.
  */
case class Translation(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val requestsIn = slave Stream (Request(c))
    val requestsOut = master Stream (Request(c))

    /** A request that came out of here has been answered; its memory accesses have ended. */
    val retired = in Bool ()
    val replace = slave Stream (ReplaceCommand(c))
    val replaceResult = master Flow (ReplaceResult())
    val freePages = slave Stream (UInt(c.memBits - c.pageBits bits))

    /** The away row asked for, read in the same cycle. */
    val awayIndex = out UInt (Wire.PPN_BITS_MIN bits)
    val awayRow = in(AwayRow())
    val control = in(Control())
    val mem = master(Axi4(MemoryBus.config(c)))
    val events = out(CounterEvents())
  }

  /** A request on its way through the stages. */
  case class Translating() extends Bundle {
    val request = Request(c)
    val key = PageKey(c)

    /** The request has a page; the others pass untouched. */
    val needed = Bool()
    val access = Access()
  }

  /** A request whose translation is known, or lies in the TLB's last stage. */
  case class Checking() extends Bundle {
    val request = Request(c)
    val access = Access()
    val needed, walked = Bool()
    val miss = MissResult(c)
  }

  val plantedFaults = PlantedFaults.port(plantable)
  private val planted = new PlantedFaults(plantedFaults)

  val tlb = Tlb(c, planted)
  private val walker = Walker(c, planted)
  private val faultUnit = FaultUnit(c, planted)
  private val replace = Replace(c, planted)
  private val memory = BucketMemory(c, planted)

  private val entering = io.requestsIn.haltWhen(replace.io.block)
  private val compare = entering.translateWith(arrive(io.requestsIn.payload)).m2sPipe()
  tlb.io.key := Mux(replace.io.lookup, replace.io.key, compare.key)
  tlb.io.writes := compare.access.writes
  tlb.io.load := compare.fire || replace.io.lookup
  tlb.io.invalidate := replace.io.invalidate

  private val choose = compare.m2sPipe()
  private val misses = choose.needed && !tlb.io.hit
  private val settled = choose.haltWhen(misses && !faultUnit.io.result.valid)
  val missing = new Area {
    val asked = RegInit(False) setWhen (faultUnit.io.miss.fire) clearWhen (settled.fire)
    faultUnit.io.miss.valid := choose.valid && misses && !asked
    faultUnit.io.miss.key := choose.key
    faultUnit.io.miss.access := choose.access
    faultUnit.io.miss.time := choose.request.time
    faultUnit.io.result.ready := settled.fire && misses
    tlb.io.fill << faultUnit.io.fill
  }
  tlb.io.select := settled.fire
  tlb.io.touch := choose.needed

  private val check = settled.translateWith(checking()).m2sPipe()
  private val hitArrives = RegNext(settled.fire && choose.needed && !misses) init False
  tlb.io.drop := hitArrives && tlb.io.parityError
  private val answer = check.translateWith(conclude()).m2sPipe()
  // The ready of the stages behind begins at a register here.
  private val outgoing = answer.s2mPipe()
  io.requestsOut << outgoing

  val draining = new Area {
    /** Requests that came out and are not answered yet; the pipeline behind holds far fewer than this counts. */
    val inFlight = Reg(UInt(12 bits)) init 0
    when(io.requestsOut.fire =/= io.retired) {
      inFlight := Mux(io.retired, inFlight - 1, inFlight + 1)
    }
    replace.io.drained := RegNext(inFlight === 0) init True
    replace.io.quiet := !compare.valid && !choose.valid && !check.valid && !answer.valid && !outgoing.valid
    replace.io.waiting := io.requestsIn.valid
    replace.io.entering := io.requestsIn.fire
    replace.io.command << io.replace
    io.replaceResult << replace.io.result
  }

  val table = new Area {
    // The fault unit and replace never walk at the same time: replace waits until no request is inside. So one of them is the asker.
    val replacing = replace.io.walk.valid || replace.io.walked.ready
    walker.io.walk << StreamArbiterFactory().roundRobin.noLock.on(Seq(faultUnit.io.walk, replace.io.walk))
    faultUnit.io.walked.valid := walker.io.walked.valid && !replacing
    faultUnit.io.walked.payload := walker.io.walked.payload
    replace.io.walked.valid := walker.io.walked.valid && replacing
    replace.io.walked.payload := walker.io.walked.payload
    walker.io.walked.ready := Mux(replacing, replace.io.walked.ready, faultUnit.io.walked.ready)
    memory.io.read << walker.io.read
    walker.io.bucket << memory.io.bucket
    memory.io.write << StreamArbiterFactory().roundRobin.noLock.on(Seq(faultUnit.io.writeBack, replace.io.write))
    replace.io.written << memory.io.written
    io.mem << memory.io.mem
  }

  faultUnit.io.freePages << io.freePages
  faultUnit.io.control := io.control
  faultUnit.io.awayRow := io.awayRow
  io.awayIndex := faultUnit.io.awayIndex
  count()

  private def arrive(request: Request): Translating = {
    val arriving = Translating()
    arriving.request := request
    arriving.key := PageKey.of(c, request.pid, request.va(Wire.VA_BITS - 1 downto c.pageBits))
    arriving.needed := !request.answered && !request.isOp(Wire.Opcode.FENCE)
    arriving.access.reads := !request.isOp(Wire.Opcode.WRITE)
    arriving.access.writes := request.isWriteLike
    arriving
  }

  private def checking(): Checking = {
    val checking = Checking()
    checking.request := choose.request
    checking.access := choose.access
    checking.needed := choose.needed
    checking.walked := misses
    checking.miss := faultUnit.io.result.payload
    checking
  }

  /** The decision on a hit, in the order of contracts §3, or what the fault unit decided, put into the request. */
  private def conclude(): Request = {
    val hit, verdict = Verdict(c)
    val pte = Pte(c, tlb.io.entry)
    hit.serve(pte.ppn)
    when(tlb.io.parityError) {
      hit.fail(Wire.Status.MEMERR, Wire.Cause.PARITY)
    } elsewhen (planted.choose(PlantedFault.HitIgnoresRights, wrong = False, right = pte.denies(check.access))) {
      hit.fail(Wire.Status.DENIED, Wire.Cause.RIGHTS)
    } elsewhen (pte.holds(check.access)) {
      hit.fail(Wire.Status.BUSY, Wire.Cause.HOLD, io.control.busyHint)
    }
    verdict := Mux(check.walked, check.miss.verdict, hit)

    val request = CombInit(check.request).allowOverride()
    request.resumed := check.walked
    request.tickResume := check.miss.tick
    request.zeros := check.needed && verdict.zeros
    request.address := verdict.ppn @@ check.request.va(c.pageBits - 1 downto 0)
    when(check.needed && verdict.failed) {
      request.answered := True
      request.status := verdict.status
      request.detailVa := verdict.detailVa
      request.detailLength := verdict.detailLength
    }
    request
  }

  private def count(): Unit = {
    import Wire.Counter._
    val events = Bits(CounterEvents.width bits)
    events := 0
    events(TLB_HIT) := hitArrives
    events(TLB_MISS) := faultUnit.io.miss.fire
    events(PAGE_FAULT) := faultUnit.io.events.pageFault
    events(FAULT_DRY) := faultUnit.io.events.dry
    events(ZERO_READ) := faultUnit.io.events.zeroRead
    events(PTE_WRITE_BACK) := faultUnit.io.events.writeBack
    events(PTE_PARITY) := faultUnit.io.events.parity
    events(TLB_PARITY) := tlb.io.drop
    events(RESUME_EXPIRED) := faultUnit.io.events.expired
    events(REPLACE_DONE) := replace.io.result.valid && replace.io.result.status === Wire.ReplaceStatus.DONE
    events(REPLACE_REFUSED) := replace.io.result.valid && replace.io.result.status =/= Wire.ReplaceStatus.DONE
    events(MEM_ERROR) := (memory.io.bucket.valid && memory.io.bucket.error) || (memory.io.written.valid && memory.io.written.payload)
    io.events := RegNext(events) init 0
  }
}
