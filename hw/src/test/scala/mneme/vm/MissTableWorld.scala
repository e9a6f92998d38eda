package mneme.vm

import mneme.{CBoardConfig, Faults, Proof}
import mneme.wire.Wire
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** How far replace is with its page. `listed`: it waits for those in the page's list. `work`: the page is its own, or it gives up. */
object ReplacePhase extends SpinalEnum {
  val idle, probe, listed, pending, trial, work = newElement()
}

/** A page's requests, oldest first, each with whether it has waited behind a fault that waited for a page. */
case class PageList(c: CBoardConfig) extends Bundle {
  val places = Vec(UInt(c.placeBits bits), c.places)
  val behind = Bits(c.places bits)
  val count = UInt(log2Up(c.places + 1) bits)
  def has(slot: Int): Bool = count > slot
}

/** What stands around the miss table, as any environment that keeps to what Translation, Walker, FaultUnit, DryQueue and Replace promise; and what the miss
  * table should know, kept beside it.
  *
  * Each assumption is named by where Translation makes it true. Whatever they leave open is any, in every cycle.
  */
abstract class MissTableWorld(c: CBoardConfig, fault: Option[PlantedFault.Value]) extends Component {
  protected val n: Int = c.misses
  require(DryQueue.depth(c) == 1, "the world keeps one fault that waits for a page")
  protected val dut: MissTable = FormalDut(MissTable(c, Faults.one(PlantedFault)(fault)))
  Proof.resetFirst()
  protected val io = dut.io
  protected def any: Bool = anyseq(Bool())
  private def anyEntry: Bits = anyseq(Bits(n bits))
  protected def entries(of: Int => Bool): Bits = B((0 until n).map(of))
  private def flags: Bits = Reg(Bits(n bits)) init 0

  /** Four pages: two of each of two processes. */
  protected def page(number: UInt): PageKey = {
    val key = PageKey(c)
    key.bucket := number(0, 1 bits).resized
    key.tag := number(1, 1 bits).asBits.resize(c.tagBits) |<< (c.tagBits - Wire.PID_BITS)
    key
  }
  private def pageNumber: UInt = UInt(2 bits)

  // --- What the miss table should know of each entry: it lives; its walk has ended; it waits for replace; a fault was refused; it is pinned.
  protected val live, known, held, spent, pinned = flags
  protected val pages = Vec.fill(n)(Reg(pageNumber))
  protected val lists = Vec.fill(n)(Reg(PageList(c)))
  lists.foreach(_.count.init(0))
  // Writes that memory has not answered; changes since the walk.
  protected val writes, updates = Vec.fill(n)(Reg(UInt(2 bits)) init 0)
  protected val walking = flags
  // Places of requests that have parked and not left.
  protected val inside = Reg(Bits(c.places bits)) init 0
  protected val lost = RegInit(False)

  // --- Replace: one page at a time.
  import ReplacePhase._
  protected val phase = RegInit(idle)
  protected val replaced = Reg(pageNumber)
  protected val looked, tried, clean, missed = RegInit(False)
  protected val holding: Bool = phase =/= idle
  io.release := phase === work && any
  io.trial.valid := phase === trial

  // --- Stage 2 (`lookup`, a register behind `arrived`): what is in it leaves it or stays.
  protected val has = RegInit(False)
  protected val asked = Reg(pageNumber)
  private val coming = anyseq(pageNumber)
  protected val leaves: Bool = has && any
  private val comes = any && (!has || leaves)
  when(!has || leaves) {
    has := comes
    asked := coming
  }
  io.coming := page(coming)
  io.load := comes
  io.key := page(asked)
  protected val matching: Bits = entries(i => live(i) && pages(i) === asked)

  // --- A request parks.
  protected val parks: Bool = leaves && any
  private val place = anyseq(UInt(c.placeBits bits))
  protected val found: Bool = io.matching.orR
  // `decide.held`: it is of replace's page, and came later.
  private val late = any
  io.park.valid := parks
  io.park.entry := found ? io.matching | io.free
  io.park.place := place
  io.park.held := late
  protected val joins: Bits = io.park.entry.andMask(parks)
  protected val begins: Bool = parks && !found
  assume(!(parks && late) || (holding && asked === replaced))
  // `sharing`: which entries it may take, any, and perhaps none that is free.
  io.mine := anyEntry
  // `decide.room`: there is an entry, and the walker is not needed for that which replace lets go.
  assume(!begins || (io.free.orR && !io.release))
  // `decide.conflict`: nobody parks while his page goes into the TLB.
  assume(!parks || !io.filling)
  // `decide.waits`: requests that came before the command end first.
  assume(!(parks && late) || !(io.release || (found && !io.held)))
  // The other way round: those before the command are in front of those behind it, in the stages and in the lists.
  assume(!(parks && !late && found) || !io.held)
  // The place is the token's own.
  assume(!parks || !inside(place))
  // When replace has followed those before it through stages and lists, none is left.
  protected val early: Bool = parks && !late && holding && asked === replaced
  assume(!early || phase === probe || phase === listed)

  // --- Replace goes on.
  // The probe is a token of stage 2, which waits for `decide.conflict` as a request does.
  io.await := phase === probe && has && leaves && !parks && asked === replaced && !io.filling && any
  private val goesOn, finds = any
  private val commanded = anyseq(pageNumber)
  switch(phase) {
    is(idle) {
      looked := False
      tried := False
      when(any) {
        phase := probe
        replaced := commanded
      }
    }
    is(probe) {
      missed := False
      when(io.await)(phase := looked ? pending | listed)
    }
    is(listed) {
      // Somebody of the page's list parked: then the list was not empty, and the page is followed once more.
      missed setWhen (early)
      when(goesOn) {
        looked := finds || missed || early
        phase := (finds || missed || early) ? probe | pending
      }
    }
    is(pending) {
      clean := !io.stuck
      when(!io.awaited.orR)(phase := (io.stuck && !tried) ? trial | work)
    }
    is(trial) {
      tried := True
      when(io.trial.fire)(phase := pending)
    }
    is(work)(when(io.release)(phase := idle))
  }

  // --- A walk ends some time after it began, one in a cycle.
  io.walked := anyEntry
  assume(CountOne(io.walked) <= 1 && (io.walked & ~walking) === 0)
  walking := (walking & ~io.walked) | joins.andMask(begins && !late) | held.andMask(io.release)

  // --- Page faults that wait for a page (DryQueue): one, which is half of two or three entries. It is asked again when there is a page or no
  // more time, at any time therefore, and not while it is being decided.
  protected val dry = flags
  protected val dryPlace = Reg(UInt(c.placeBits bits))
  protected val away = RegInit(False)
  io.dry := dry
  io.again.valid := dry.orR && !away && any
  io.again.number := OHToUInt(dry)
  io.again.place := dryPlace

  // --- The request that is being decided (FaultUnit's stage): decided, postponed, or no request but a trial. Who is decided leaves through one register
  // (`resumed`), and its page comes into the TLB through another (`fill`).
  protected val stage = Reg(Turn(c))
  stage.entry.init(0)
  protected val unsure = RegInit(False)
  private val mayWait = Reg(Bool())
  protected val leaving, learner, fillNow = flags
  protected val leavingPlace = Reg(UInt(c.placeBits bits))
  protected val there: Bool = stage.entry.orR
  private val out = leaving.orR && any
  protected val decides: Bool = there && !stage.trial && any && (!leaving.orR || out)
  // Only who writes to a page without a place in memory waits; no longer where one was refused; and while there is room.
  private val postpones = there && !stage.trial && any && unsure && (stage.waited || (mayWait && !dry.orR))
  // `learnBusy`: what a decision changed is written when no walk ends; no other may change anything before.
  private val learnBusy = learner.orR && io.walked.orR
  private val tries = there && stage.trial && any && !learnBusy
  private val ends = decides || postpones || tries
  assume(!(decides && postpones))
  // A page is touched for the first time once, and written for the first time once.
  protected val changes: Bool = decides && any && !learnBusy && (updates(OHToUInt(stage.entry)) < 2)
  private val fills = changes || (decides && any)
  private val refuses = decides && unsure && any && !fills
  private val undecided = any
  io.turn.ready := any && (!there || ends)
  when(ends)(stage.entry := 0)
  when(io.turn.fire) {
    stage := io.turn.payload
    // A pinned page has its place in memory.
    unsure := undecided && !io.turn.trial
    mayWait := !io.spent
  }
  io.deciding := stage.entry | learner
  io.unsure := stage.entry.andMask(unsure)
  io.refused := stage.entry.andMask(refuses)
  learner := changes ? stage.entry | learner.andMask(io.walked.orR)
  fillNow := stage.entry.andMask(fills)
  io.fillNow := fillNow
  io.leaving := leaving
  when(out)(leaving := 0)
  when(decides) {
    leaving := stage.entry
    leavingPlace := stage.place
  }
  when(postpones && !stage.waited) {
    dry := stage.entry
    dryPlace := stage.place
  }
  when(decides && stage.waited)(dry := 0)
  away setWhen (io.again.fire) clearWhen (stage.waited && (decides || postpones))

  // --- Memory answers writes some time later, one in a cycle.
  io.writeStarts := stage.entry.andMask(changes || tries)
  io.writeEnds := anyEntry
  io.writeFails := any
  assume(CountOne(io.writeEnds) <= 1 && (io.writeEnds & ~entries(writes(_) =/= 0)) === 0)
  io.pinned.next := any

  // --- Turns that are no longer asked for and have not come: of a fault that waited, and of a trial.
  protected val again, trialed = flags
  private def turns(when: Bool): Bits = io.turn.entry.andMask(io.turn.fire && when)
  again := io.again.fire ? dry | (again & ~turns(io.turn.waited))
  private val stuckEntry = entries(i => live(i) && pages(i) === replaced && !held(i))
  trialed := io.trial.fire ? stuckEntry | (trialed & ~turns(io.turn.trial))
  protected val pops: Bits = turns(!io.turn.waited && !io.turn.trial)

  // --- Each entry: what keeps it, and what becomes of it.
  protected val filled: Bits = RegNext(fillNow) init 0
  protected val queued: Bits = entries(i => lists(i).count =/= 0) | again | trialed
  protected val busy: Bits = queued | dry | io.deciding | leaving
  protected val quiet: Bits = known & ~queued & ~dry & ~io.deciding & entries(writes(_) === 0)
  protected val idleNow: Bits = quiet & ~leaving & ~fillNow & ~filled
  protected val finishes: Bits = idleNow & ~pinned & ~joins
  protected val room: Bool = CountOne(pinned) < MissTable.pinnable(c)
  live := (live & ~finishes) | joins
  known := (known | io.walked) & ~finishes
  held := ((held & ~finishes) | joins.andMask(begins && late)).andMask(!io.release)
  spent := (spent | io.refused) & ~finishes
  lost setWhen (io.writeFails && !room && (io.writeEnds & ~pinned).orR)
  for (i <- 0 until n) {
    when(begins && joins(i))(pages(i) := asked)
    writes(i) := writes(i) + U(io.writeStarts(i)) - U(io.writeEnds(i))
    when(begins && joins(i)) {
      updates(i) := 0
    } elsewhen (changes && stage.entry(i))(updates(i) := updates(i) + 1)
    when(io.writeEnds(i))(pinned(i) := io.writeFails && (room || pinned(i)))
    moves(i)
  }
  inside := (inside | UIntToOh(place, c.places).andMask(parks)) & ~UIntToOh(leavingPlace, c.places).andMask(out)

  /** The list of entry `i` in the next cycle. */
  private def moves(i: Int): Unit = {
    val list = lists(i)
    val behind = B((0 until c.places).map(slot => list.behind(slot) || (dry(i) && list.has(slot))))
    for (slot <- 0 until c.places) {
      val after = (slot + 1) min (c.places - 1)
      list.places(slot) := pops(i) ? list.places(after) | list.places(slot)
      list.behind(slot) := pops(i) ? behind(after) | behind(slot)
      when(joins(i) && list.count - U(pops(i)) === slot) {
        list.places(slot) := place
        list.behind(slot) := False
      }
    }
    list.count := list.count + U(joins(i)) - U(pops(i))
  }
}
