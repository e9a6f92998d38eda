package mneme.filter

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** What a lookup asks: the operation, where it may live, and whose it is. */
case class FilterAsk(c: CBoardConfig) extends Bundle {
  val sets = Vec(UInt(c.filterSetsLog2 bits), 2)
  val print = Bits(FilterHash.PRINT_BITS bits)
  val group = UInt(FilterHash.groupBits(c) bits)
  val key = FilterKey()

  /** Both may be the same operation; false of the same one never. */
  def resembles(other: FilterAsk): Bool = print === other.print && sets(0) === other.sets(0)
}

/** What one row has for a lookup, a bit per way. */
case class FilterView(c: CBoardConfig) extends Bundle {
  private def ways = Bits(c.filterWays bits)
  /** In use, with the fingerprint; the first of them. */
  val matches, first = ways
  /** The window of the entry's operation is not known to be over. */
  val live = ways
  /** Not in use. */
  val room = ways
}

object FilterRows {
  /** Compares a row with a fingerprint. Of a way with a flipped bit nothing is believed: its entry's key is looked at, and nobody takes it. */
  def view(c: CBoardConfig, print: Bits, tags: Vec[FilterTag], planted: Faults[FilterFault.Value]): FilterView = {
    val view = FilterView(c)
    for ((tag, w) <- tags.zipWithIndex) {
      val damaged = planted.choose(FilterFault.RowDamageIgnored, wrong = False, right = tag.damaged)
      view.matches(w) := damaged || (tag.used && tag.print === print)
      view.live(w) := damaged || tag.live
      view.room(w) := planted.choose(FilterFault.LiveReplaced, wrong = True, right = !damaged && !tag.used)
    }
    view.first := OHMasking.firstV2(view.matches)
    view
  }
}

/** A way that an operation takes. */
case class FilterTarget(c: CBoardConfig) extends Bundle {
  val row = UInt(c.filterSetsLog2 + 1 bits)
  /** One-hot; zero for no way at all. */
  val way = Bits(c.filterWays bits)

  /** The ways of a row that are not taken by this. */
  def leaves(row: UInt, ways: Bits): Bits = ways & ~(way & B(way.getWidth bits, default -> (this.row === row)))
}
