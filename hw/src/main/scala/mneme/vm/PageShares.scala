package mneme.vm

import mneme.{CBoardConfig, Faults}
import spinal.core._

/** Who may take a free page of the async buffer (docs/reference/classes.md): some are kept for each group, the rest is for whoever comes first.
  *
  * Example: 3 pages are kept for group 1, none for the others, and the buffer holds 10. The others may take 7 and are refused then; group 1 finds a page
  * each time while it takes no more than come back. A page that comes is kept for a group that has less than its number, for all such in turn, before it is
  * for anybody.
  *
  * The pages themselves are all alike and stay in their order. What is counted is how many of them are whose. Nobody takes a page while the counts go on:
  * in the two cycles after one was taken, and while one changes hands.
  */
case class PageShares(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  private val n = ShareGroup.count
  private val levelBits = log2Up(c.asyncDepth + 1)
  val io = new Bundle {
    /** Pages to keep for each group; they have changed, and all begins anew. */
    val shares = in(Vec(UInt(8 bits), n))
    val begins = in Bool ()

    /** Memory is full: nothing is kept for anybody, so that no page is left over. */
    val exhausted = in Bool ()

    /** Pages in the buffer. */
    val level = in UInt (levelBits bits)

    /** A page was taken by the group. */
    val taken = in Bool ()
    val group = in UInt (ShareGroup.bits bits)

    /** Groups that may take a page, if there is one; but nobody while the counts go on. */
    val may = out Bits (n bits)
    val counts = out Bool ()

    /** Pages are kept for somebody. */
    val keeps = out Bool ()
  }

  private val keeps = RegNext(io.shares.map(_.orR).reduce(_ || _)) init False
  io.keeps := keeps

  /** Pages that are kept for each group, and for all of them. */
  val kept = Vec.fill(n)(Reg(UInt(levelBits bits)) init 0)
  val sum = Reg(UInt(levelBits bits)) init 0

  /** There are pages for anybody. */
  val common = RegInit(True)

  /** A page was taken, which was kept for nobody, or for the group. */
  val taken = new Area {
    val valid = RegNext(io.taken) init False
    val ofAnybody = RegNext(common) init True
    val group = RegNext(io.group) init 0
    val ofGroup = valid && !ofAnybody && kept(group) =/= 0
  }

  /** The group that is looked at: one that has less than its number, until it has got a page. */
  val look = new Area {
    val group = Reg(UInt(ShareGroup.bits bits)) init 0
    private val has = kept(group)
    // No group has more than its number, and no more pages are kept than there are, but for one that was just taken.
    val less = !io.exhausted && has.resize(8 bits) =/= io.shares(group)
    val more = io.exhausted && has =/= 0
    val spare = io.level =/= sum

    /** A page is kept from now on, or is for anybody again. */
    val moves, gives = RegInit(False)
    private val settles = RegNext(taken.valid || moves) init False
    val counts = taken.valid || moves || settles
    private val rests = !counts && !io.taken && !io.begins
    moves := rests && (more || (less && spare))
    gives := less

    /** So many groups in a row have their number. */
    val whole = Reg(UInt(log2Up(n + 1) bits)) init 0
    when(rests && !less && !more) {
      group := group + 1
      when(whole =/= n)(whole := whole + 1)
    }
    when(moves)(group := group + 1)
    when(less || taken.ofGroup || io.begins)(whole := 0)
  }
  io.counts := keeps && look.counts

  // One in a cycle: who takes, or whose page changes hands.
  private val ofGroup = taken.valid ? taken.group | look.group
  private val step = (taken.valid || !look.gives) ? U((1 << levelBits) - 1, levelBits bits) | U(1, levelBits bits)
  when(taken.ofGroup || look.moves) {
    kept(ofGroup) := kept(ofGroup) + step
    sum := sum + step
  }
  when(io.begins) {
    kept.foreach(_ := 0)
    sum := 0
  }

  private val forAnybody = look.spare && planted.choose(PlantedFault.PagesForTheFirst, wrong = True, right = look.whole === n)
  common := forAnybody
  private val may = RegInit(B((1 << n) - 1, n bits))
  for (i <- 0 until n) may(i) := !keeps || planted.choose(PlantedFault.PagesUnshared, wrong = True, right = forAnybody || kept(i) =/= 0)
  io.may := may
}
