package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** What a lookup asks: the operation, where it may live, and how it stands to the window. */
case class FilterAsk(c: CBoardConfig) extends Bundle {
  val sets = Vec(UInt(c.filterSetsLog2 bits), 2)
  val print = Bits(FilterHash.FINGERPRINT_BITS bits)
  val key = FilterKey()
  val time = UInt(24 bits)
  /** A request's; else the scrubber's walk, which looks for nothing. */
  val looks = Bool()
  /** The oldest time that is inside the window, by the tick that decides. */
  val oldest = UInt(24 bits)
  val tooOld, tooEarly = Bool()

  def group: UInt = print.takeHigh(FilterHash.groupBits(c)).asUInt
}

/** What one row has for a lookup, a bit per way. */
case class FilterView(c: CBoardConfig) extends Bundle {
  private def ways = Bits(c.filterWays bits)
  /** Live or pending, with the fingerprint. */
  val matches = ways
  /** Those whose operation is pending; whose time is the request's. */
  val pending, sameTime = ways
  /** Neither live nor pending. */
  val room = ways
  /** Counted as in use, though past the window. */
  val dead = ways
  val groups = Vec(Bits(FilterHash.groupBits(c) bits), c.filterWays)

  /** The entry that the lookup takes out of the row: one that a new entry can replace, if there is any. */
  def lost: Bits = FilterRows.first((dead & room).orR ? (dead & room) | dead)
  /** The way that a new entry takes: that of the entry which leaves, if it can. */
  def target: Bits = FilterRows.first((dead & room).orR ? (dead & room) | room)
  def lostGroup: Bits = FilterRows.choose(lost, groups.toSeq)
}

/** What a lookup does to its rows: a bit per way and choice. */
case class FilterEffect(c: CBoardConfig) extends Bundle {
  val sets = Vec(UInt(c.filterSetsLog2 bits), 2)
  /** The way whose entry is made or opened again. */
  val take = Vec(Bits(c.filterWays bits), 2)
  /** The way that is no longer counted. */
  val clear = Vec(Bits(c.filterWays bits), 2)
  val print = Bits(FilterHash.FINGERPRINT_BITS bits)
  val time = UInt(24 bits)

  def takes: Bool = take.map(_.orR).orR
}

object FilterRows {
  /** The lowest bit that is set. */
  def first(bits: Bits): Bits = {
    val all = bits.asBools
    Vec(all.indices.map(i => if (i == 0) all(0) else all(i) && !all.take(i).orR)).asBits
  }

  /** The element that the one-hot `index` names; zero when it names none. */
  def choose(index: Bits, elements: Seq[Bits]): Bits =
    elements.zip(index.asBools).map { case (element, here) => element & B(element.getWidth bits, default -> here) }.reduceBalancedTree(_ | _)

  /** Compares a row with a request. */
  def view(c: CBoardConfig, ask: FilterAsk, tags: Vec[FilterTag], pending: Vec[Bool], planted: FilterFaults): FilterView = {
    val view = FilterView(c)
    for ((tag, w) <- tags.zipWithIndex) {
      // One subtraction: entries that go out of the window lose `valid` long before half the tick's range has passed.
      val inside = !(tag.time - ask.oldest).msb
      val live = tag.valid && inside
      // An entry whose time is past loses the lane with its fingerprint's high bits, and its fingerprint is the low ones alone.
      val equal = tag.low === ask.print(11 downto 0) && (!tag.valid || tag.high === ask.print.dropLow(12))
      view.matches(w) := ask.looks && (pending(w) || live) && equal
      view.pending(w) := pending(w)
      view.sameTime(w) := tag.time === ask.time
      view.room(w) := !pending(w) && planted.choose(FilterFault.LiveReplaced, wrong = True, right = !live)
      view.dead(w) := planted.choose(FilterFault.NoScrub, wrong = False, right = tag.valid && !inside)
      view.groups(w) := tag.high.takeHigh(FilterHash.groupBits(c))
    }
    view
  }

  /** A view as lookups leave it that are ahead and have not written yet. */
  def forwarded(view: FilterView, ask: FilterAsk, bank: Int, ahead: Seq[Flow[FilterEffect]]): FilterView = {
    val seen = CombInit(view).allowOverride()
    val same = ahead.map(e => e.valid && e.sets(bank) === ask.sets(bank))
    def of(ways: FilterEffect => Bits) = ahead.zip(same).map { case (e, s) => ways(e) & B(view.room.getWidth bits, default -> s) }.reduce(_ | _)
    val taken = of(_.take(bank))
    seen.room := view.room & ~taken
    seen.dead := view.dead & ~taken & ~of(_.clear(bank))
    seen
  }

  /** A view after the entry of `effect` has been written. */
  def overtaken(view: FilterView, ask: FilterAsk, bank: Int, effect: Flow[FilterEffect]): FilterView = {
    val seen = CombInit(forwarded(view, ask, bank, Seq(effect))).allowOverride()
    val same = effect.valid && effect.sets(bank) === ask.sets(bank)
    for (w <- 0 until view.room.getWidth) when(same && effect.take(bank)(w)) {
      seen.matches(w) := ask.looks && effect.print === ask.print
      seen.pending(w) := True
      seen.sameTime(w) := effect.time === ask.time
    }
    seen
  }

  /** An operation ahead may be the same: who looks must wait until it is written. */
  def conflict(ask: FilterAsk, effect: Flow[FilterEffect]): Bool = {
    val meets = (0 to 1).map(b => effect.sets(b) === ask.sets(b) && effect.take(b).orR).orR
    effect.valid && ask.looks && meets && effect.print === ask.print
  }
}
