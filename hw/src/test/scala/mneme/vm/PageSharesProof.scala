package mneme.vm

import mneme.{CBoardConfig, Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Shares of free pages: what is kept for a group is there, nobody else takes it, and a page that comes is for anybody only while all groups have theirs.
  *
  * Pages come as they like while there is room, and groups that may take one do as they like; shares are any, and change.
  */
object PageSharesProof {

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(PageShares(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io
    private val n = ShareGroup.count
    private val kept = dut.kept.map(_.pull())
    private val sum = dut.sum.pull()

    // --- The buffer.
    private val pages = Reg(UInt(widthOf(io.level) bits)) init 0
    private val (comes, takes) = (anyseq(Bool()), anyseq(Bool()))
    assume(!comes || pages < c.asyncDepth)
    assume(!takes || pages =/= 0)
    pages := pages + comes.asUInt - takes.asUInt
    io.level := pages
    io.group := anyseq(UInt(ShareGroup.bits bits))
    io.taken := takes
    // Who may not take a page does not, and nobody does while the counts go on.
    assume(!takes || (io.may(io.group) && !io.counts))

    // --- Shares, any, which change whole.
    private val begins = anyseq(Bool())
    private val wanted = Vec.fill(n)(Reg(UInt(8 bits)) init 0)
    when(begins)(wanted := anyseq(Vec(UInt(8 bits), n)))
    for ((share, want) <- io.shares.zip(wanted)) share := want
    io.begins := RegNext(begins) init False
    io.exhausted := anyseq(Bool())
    private val full = RegInit(False) setWhen io.exhausted clearWhen begins

    // --- What is kept is there.
    private val pending = dut.taken.ofGroup.pull()
    assert(sum.resize(widthOf(sum) + 3) === kept.map(_.resize(widthOf(sum) + 3)).reduce(_ + _))
    assert(pages +^ pending.asUInt >= sum)

    // --- Nobody takes what is kept for another: the count of a group goes down when it takes, when memory is full, or when all begins anew.
    private val (took, by) = (RegNext(dut.taken.valid.pull()) init False, RegNext(dut.taken.group.pull()))
    private val began = RegNext(io.begins) init False
    for ((count, group) <- kept.zipWithIndex) {
      val before = RegNext(count) init 0
      val lost = count < before
      assert(!lost || began || full || RegNext(full) || (took && by === group))
      // And a group that has pages of its own may take one, as soon as the counts are right.
      assert(io.counts || io.begins || began || count === 0 || io.may(group))
    }

    // --- A page is for anybody only while every group has its number.
    private val ready = !io.begins && !began && !full
    private val whole = Vec(kept.zip(wanted).map { case (count, want) => count >= want })
    when(takes && io.keeps && ready && dut.common.pull()) {
      assert(whole.andR)
    }
    private val ofAnybody = takes && io.keeps && Vec(kept.map(_ === 0))(io.group)
    when(ofAnybody && ready)(assert(whole.andR))

    // --- What the machine keeps.
    private val look = dut.look.group.pull()
    private val counted = dut.look.whole.pull()
    for (back <- 1 to n) {
      val group = look - U(back % n, ShareGroup.bits bits)
      when(counted >= back && ready)(assert(whole(group)))
    }
    assert(counted <= n)
    private val (moves, gives) = (dut.look.moves.pull(), dut.look.gives.pull())
    when(!io.begins) {
      for ((count, want) <- kept.zip(wanted)) assert(count <= want)
      // Nothing is taken back but when memory is full.
      assert(!moves || (gives ? (Vec(kept)(look) < wanted(look)) | (full && Vec(kept)(look) =/= 0)))
    }
    // What is said of pages is true whenever somebody may take one.
    when(io.keeps && !io.counts && !io.begins && !began) {
      assert(!dut.common.pull() || pages > sum)
      for ((count, group) <- kept.zipWithIndex) assert(!io.may(group) || dut.common.pull() || count =/= 0)
    }
    // Only who finds a page over gives it to somebody, and only from who has one it is taken back.
    when(moves && !io.begins)(assert(gives ? (pages > sum) | (Vec(kept)(look) =/= 0)))
    assert(!moves || !dut.taken.valid.pull())
    private val keeps = RegNext(wanted.map(_.orR).reduce(_ || _)) init False
    assert(io.keeps === keeps)

    // --- What is reached.
    cover(ofAnybody && wanted(1) === 2 && kept(1) === 2)
    cover(takes && io.keeps && !dut.common.pull() && sum === pages && pages === 1)
    cover(full && sum =/= 0 && RegNext(sum) > sum && io.keeps && !took)
  }
}

class PageSharesProof extends Proof {
  import PageSharesProof._

  override protected def engine = Proof.Sat

  private val c = CBoardConfig.tiny
  proves("pages that are kept for a group are there, and nobody else takes them", 4)(new Harness(c))
  reaches("groups have their pages, take them, and give them back when memory is full", 28)(new Harness(c))
  for (fault <- Seq(PlantedFault.PagesUnshared, PlantedFault.PagesForTheFirst)) refutes(s"shares of pages with $fault", 14)(new Harness(c, Some(fault)))
}
