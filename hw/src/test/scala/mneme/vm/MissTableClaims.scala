package mneme.vm

import mneme.CBoardConfig
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What the miss table's ports say in each cycle is what is true of its entries, and its turns are those that are due. */
class MissTableClaims(c: CBoardConfig, fault: Option[PlantedFault.Value]) extends MissTableWorld(c, fault) {
  import ReplacePhase._

  // --- Entries: one for a page. It is free again when nothing keeps it, not before and not later.
  for (i <- 0 until n; j <- 0 until i) assert(!(live(i) && live(j)) || pages(i) =/= pages(j))
  private val vacant = ~live
  private val open = vacant & io.mine
  assert(io.free === (open & (~open.asUInt + 1).asBits))
  assert(io.tight || CountOne(vacant) >= 2)
  assert(io.soon === (RegNext(vacant | (quiet & ~pinned)) init 0))
  // Nobody walks for a page, or reads its entry for replace, while a write to it is unanswered or a request of it may still change something.
  for (i <- 0 until n) {
    assert(!walking(i) || (writes(i) === 0 && !io.deciding(i) && !known(i)))
    assert(!(phase === work && clean) || !(live(i) && pages(i) === replaced) || (held(i) && writes(i) === 0))
  }

  // --- What stage 2 is told of its page, of its process, and of replace's page.
  protected val present: Bits = matching.andMask(has)
  when(has) {
    assert(io.matching === matching)
    assert(io.held === (matching & held).orR)
    assert(io.busy === (matching & busy).orR)
    assert(io.filled === (matching & filled).orR)
    assert(io.filling === (matching & (fillNow | filled)).orR)
    assert(io.processBusy === (0 until n).map(i => busy(i) && pages(i).msb === asked.msb).reduce(_ || _))
  }
  assert(io.waiting === (entries(lists(_).count =/= 0) | again | trialed))
  assert(io.heldEntry === held && CountOne(held) <= 1)

  // --- Turns: the oldest of its page's list; a fault that waited, before those behind it; or a trial. None before the walk's end, or while one of the
  // page is being decided.
  protected val turn: Turn = io.turn.payload
  protected val oldest: Bits = entries(i => lists(i).count =/= 0 && lists(i).places(0) === turn.place)
  protected val oldestBehind: Bits = entries(i => lists(i).behind(0))
  when(io.turn.valid) {
    assert(CountOne(turn.entry) === 1 && io.number === OHToUInt(turn.entry))
    assert((turn.entry & known & ~io.deciding).orR)
    assert(!(turn.waited && turn.trial))
    when(turn.trial) {
      assert(turn.entry === trialed && (turn.entry & pinned).orR && (turn.entry & entries(i => lists(i).count === 0)).orR)
    } elsewhen (turn.waited) {
      assert(turn.entry === again && turn.place === dryPlace && turn.slow)
    } otherwise {
      assert((turn.entry & oldest & ~dry).orR)
      // Slow is who waited behind a fault that waited for a page, and nobody who joined later.
      assert(turn.slow === (turn.entry & oldestBehind).orR)
    }
    assert(io.spent === (turn.entry & spent).orR)
  }
  when(RegNext(io.turn.isStall) init False) {
    assert(io.turn.valid && turn.asBits === RegNext(turn.asBits))
  }

  // --- Nobody waits for nothing: when somebody could be decided whose page has no turn yet, there is a turn in the next cycle.
  protected val inTurn: Bits = turn.entry.andMask(!turn.waited && !turn.trial)
  protected val due: Bits = entries(i => lists(i).count =/= 0 && !turn.entry(i) && (known(i) || io.walked(i)) && !dry(i) && !io.unsure(i))
  private val wasDue = RegNext(due) init 0
  assert(!wasDue.orR || turn.entry.orR)
  // The turn is a new one.
  protected val advances: Bool = RegNext(!turn.entry.orR || io.turn.fire) init False
  protected val chosen: Bits = inTurn.andMask(advances)
  protected val lastChosen = Reg(Bits(n bits)) init 0
  when(chosen.orR)(lastChosen := chosen)
  // Of two that are due, none has two turns before the other.
  for (i <- 0 until n) assert(!chosen(i) || !lastChosen(i) || (wasDue & ~chosen) === 0)
  // A fault that waited, and a trial, have the next one.
  assert(io.again.ready === (!turn.entry.orR || io.turn.fire))
  assert(io.trial.ready === (io.again.ready && !io.again.valid))

  // --- Pinned entries: those whose last write failed, as many as may be. What cannot be is lost, and told.
  assert(CountOne(pinned) <= MissTable.pinnable(c) && (pinned & ~live) === 0)
  assert(io.pins === pinned.orR && io.pinnedEntries === pinned && io.pinned.lost === lost)
  protected val shows: Bits = entries(i => pinned(i) && page(pages(i)).bucket === io.pinned.bucket)
  assert(!io.pinned.valid || shows.orR)
  private val hidden = Reg(UInt(log2Up(n + 1) bits)) init 0
  hidden := (io.pins && !io.pinned.valid) ? (hidden + 1) | U(0)
  assert(hidden < n - 1 || !io.pins || io.pinned.valid)

  // --- Replace: when it need not wait, the page has no entry of requests before it, or one that is pinned and that nothing else keeps.
  protected val target: Bits = entries(i => live(i) && pages(i) === replaced && !held(i))
  when(phase === pending && !io.awaited.orR) {
    assert(io.stuck === target.orR)
    assert(!io.stuck || (target & idleNow & pinned).orR)
  }
  assert(phase =/= trial || (target & idleNow & pinned).orR)
  assert(phase =/= work || !clean || !target.orR)
  // It waits no longer than that.
  private val over = RegNext((idleNow & pinned) | ~live) init 0
  private val asksAnew = RegNext(io.await || io.trial.fire) init False
  assert(asksAnew || (io.awaited & over) === 0)
}

/** One page alone, without replace and writes: a fault that shows late and needs none of them is found sooner. */
class MissTableCalm(c: CBoardConfig, fault: Option[PlantedFault.Value]) extends MissTableClaims(c, fault) {
  assume(phase === ReplacePhase.idle && !changes && asked === 0)
}

/** With what is reached. */
class MissTableReached(c: CBoardConfig) extends MissTableClaims(c, None) {
  private val (one, other) = (live(0), live(1))
  // Two requests wait in a list, both have their turns, and the entry begins anew for another page.
  private val two = RegInit(False) setWhen (lists(0).count === 2)
  private val first = RegNextWhen(pages(0), one && two && finishes(0))
  private val ended = RegInit(False) setWhen (two && finishes(0))
  cover(ended && one && pages(0) =/= first)
  // A fault waits for a page; who was behind it is told, and who came later is not.
  private val slow = RegInit(False) setWhen (io.turn.fire && turn.slow && !turn.waited)
  cover(slow && io.turn.fire && !turn.slow && turn.entry(0) && RegNext(io.turn.entry(0)))
  // A pinned entry is written once more and ends.
  private val retried = RegInit(False) setWhen (io.turn.fire && turn.trial)
  cover(retried && !io.pins && !one && !other)
  // Memory refuses it again, and replace gives up.
  cover(retried && io.pins && io.release)
  // Replace's page has an entry that waits for it, and is walked for when it lets go.
  cover(RegNext(io.release && held.orR).init(False) && walking.orR)
  cover(lost)
  cover(busy.andR && has && io.processBusy && !matching.orR)
}
