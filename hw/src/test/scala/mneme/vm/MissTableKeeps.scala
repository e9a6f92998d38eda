package mneme.vm

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** The claims with what the miss table and the world around it keep from cycle to cycle, which induction needs. */
class MissTableKeeps(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends MissTableClaims(c, fault) {
  import ReplacePhase._
  private def none(entry: Bits): Bool = entry === 0

  // --- The world: who is where.
  /** Everyone who has parked and not left, with whether he is there. */
  private val parked: Seq[(Bool, UInt)] =
    lists.toList.flatMap(list => (0 until c.places).map(slot => (list.has(slot), list.places(slot)))) ++ Seq(
      (dry.orR, dryPlace),
      (there && !stage.trial && !stage.waited, stage.place),
      (leaving.orR, leavingPlace)
    )
  for (i <- parked.indices; j <- 0 until i) assert(!(parked(i)._1 && parked(j)._1) || parked(i)._2 =/= parked(j)._2)
  assert(inside === parked.map { case (is, place) => UIntToOh(place, c.places).andMask(is) }.reduce(_ | _))
  for (of <- Seq(dry, stage.entry, leaving, learner, fillNow, filled, again, trialed)) assert(CountOne(of) <= 1 && none(of & ~known))
  assert(none(known & ~live) && none(held & ~live) && none(held & known) && none(spent & ~known) && none(pinned & ~known))
  assert(walking === (live & ~known & ~held))
  for (i <- 0 until n) {
    assert(lists(i).count <= c.places && (live(i) || lists(i).count === 0))
    assert(writes(i) <= updates(i) && updates(i) <= 2 && (known(i) || updates(i) === 0 || !live(i)) && (known(i) || writes(i) === 0))
    assert(!pinned(i) || updates(i) =/= 0)
    assert(!held(i) || (pages(i) === replaced && holding))
    // Requests of a fault's page wait behind it.
    assert(!(there && !stage.waited && !stage.trial && stage.entry(i)) || !dry(i))
  }
  assert(!(stage.waited && there) || (stage.entry === dry && stage.place === dryPlace && !stage.trial && stage.slow))
  assert(away === (again.orR || (stage.waited && there)) && (!away || dry.orR) && none(again & ~dry) && !(again.orR && stage.waited && there))

  // --- The world: replace, and its trial.
  private val tries = trialed | stage.entry.andMask(stage.trial)
  assert(none(trialed) || !(there && stage.trial))
  for (i <- 0 until n) {
    assert(!tries(i) || (phase === pending && tried && target(i) && pinned(i) && io.awaited(i)))
    assert(!tries(i) || (lists(i).count === 0 && writes(i) === 0 && !leaving(i) && !fillNow(i) && !filled(i) && !dry(i) && !learner(i)))
  }
  assert(none(trialed & stage.entry))

  // --- The table's registers say what is true.
  assert(dut.valid.pull() === live && dut.known.pull() === known && (dut.held.pull() & live) === held)
  assert((dut.spent.pull() & live) === spent && dut.pinned.pull() === pinned && dut.filled.pull() === filled)
  for (i <- 0 until n) {
    assert(dut.writing(i).pull() === writes(i))
    assert(!live(i) || dut.keys(i).pull().asBits === page(pages(i)).asBits)
  }
  assert(dut.pinning.shown.value.pull().resize(log2Up(n + 1) bits) < n)
  private val ofProcess = dut.look.ofProcess.pull() | dut.look.begun.pull().andMask(dut.look.sameProcess.pull())
  for (i <- 0 until n) assert(!has || !live(i) || ofProcess(i) === (pages(i).msb === asked.msb))

  // --- The turn.
  private val taken = dut.choose.taken.pull()
  assert(CountOne(turn.entry) <= 1 && (none(turn.entry) || dut.choose.number.pull() === OHToUInt(turn.entry)))
  assert(none(turn.entry) || !(turn.waited && turn.trial))
  assert(again === turn.entry.andMask(turn.waited) && trialed === turn.entry.andMask(turn.trial))
  assert(none(again) || turn.place === dryPlace)
  assert(none(taken) || taken === inTurn)
  for (i <- 0 until n) assert(!inTurn(i) || (known(i) && oldest(i) && !dry(i) && !io.unsure(i)))
  private val last = inTurn.orR ? inTurn | lastChosen
  assert(none(inTurn) || chosen.orR || inTurn === lastChosen)
  assert(dut.choose.after.pull() === entries(i => if (i == 0) False else last(i - 1 downto 0).orR))
  assert(CountOne(lastChosen) <= 1)

  // --- Its lists: behind the one whose turn it is.
  private val following = dut rework new Area {
    val words = Vec((0 until c.places).map(place => dut.next.readAsync(U(place, c.placeBits bits))))
    for ((word, i) <- words.zipWithIndex) out(word.setName(s"following$i"))
  }.words
  for (i <- 0 until n) {
    val list = lists(i)
    val gone = inTurn(i) && !taken(i)
    val left = list.count - U(gone)
    assert(dut.waiting.pull()(i) === (left =/= 0))
    when(left =/= 0) {
      assert(dut.heads(i).pull() === (gone ? list.places(1) | list.places(0)))
      assert(dut.tails(i).pull() === list.places((list.count - 1).resized))
    }
    for (slot <- 0 until c.places - 1) {
      val links = list.has(slot + 1) && (if (slot == 0) !gone else True)
      assert(!links || following(list.places(slot)) === list.places(slot + 1))
    }
    // Those that waited behind a fault are the oldest, up to one.
    val behind = B((0 until c.places).map(slot => list.has(slot) && list.behind(slot)))
    val until = B((0 until c.places).map(slot => list.has(slot) && list.places(slot) === dut.lastBehind(i).pull()))
    assert(dut.behind.pull()(i) === behind.orR)
    for (slot <- 0 until c.places) {
      val more = if (slot + 1 < c.places) behind(slot + 1) else False
      assert(!behind.orR || until(slot) === (behind(slot) && !more))
      if (slot > 0) assert(!behind(slot) || behind(slot - 1))
    }
  }

  // --- Replace's wait.
  private val (awaited, stuck) = (dut.awaiting.awaited.pull(), dut.awaiting.stuck.pull())
  private val current = (phase === listed && !missed) || phase === pending || phase === trial
  assert(CountOne(awaited | stuck) <= 1 && none(awaited & stuck))
  assert(phase === listed || phase === probe || phase === pending || none(awaited))
  when(current) {
    assert(none(target & ~awaited & ~stuck))
    assert(none(stuck & ~(target & idleNow & pinned)))
    assert(none(awaited & ~target & live))
    assert(phase =/= trial || stuck.orR && none(awaited))
  }
  when(phase === work) {
    assert(clean ? (none(target) && none(stuck)) | (none(stuck & ~(target & idleNow & pinned)) && stuck.orR))
  }
}
