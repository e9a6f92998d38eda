package mneme.vm

import mneme.{CBoardConfig, Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Waiting lists: each token that entered is in one list, leaves it as its oldest, and whoever watches a list is told when those in it have left.
  *
  * Tokens enter as they like, in places of their own; the one that is tried comes to *look up* when it likes, and leaves or not.
  */
object WaitingListsProof {

  /** The lists with ports of their own. */
  class Lists(c: CBoardConfig, fault: Option[PlantedFault.Value]) extends Component {
    private val lists = WaitingLists(c, Faults.one(PlantedFault)(fault))
    val io = new Bundle {
      val parted = in(Bool())
      val list, watched = in(UInt(WaitingLists.log2 bits))
      val soon = in(Bits(ShareGroup.count bits))
      val place = in(UInt(c.placeBits bits))
      val enters, leaves, tried, asks = in(Bool())
      val trial = master(Stream(UInt(c.placeBits bits)))
      val any, waits = out(Bool())
      val holds = out(Bits(WaitingLists.count bits))
    }
    lists.parted := io.parted
    lists.changes := False
    lists.at := io.list
    lists.place := io.place
    lists.enters := io.enters
    lists.leaves := io.leaves
    lists.tried := io.tried
    lists.soon := io.soon
    lists.watch.list := io.watched
    lists.watch.asks := io.asks
    lists.watch.ends := False
    io.trial << lists.trial
    io.any := lists.any
    io.waits := lists.watch.waits
    io.holds := B((0 until WaitingLists.count).map(list => lists.holds(U(list, WaitingLists.log2 bits))))
  }

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val lists = FormalDut(new Lists(c, fault)).io
    Proof.resetFirst()

    // --- One token at *look up* in a cycle: one that is tried, or a new one.
    private val inside = Reg(Bits(c.places bits)) init 0
    private val sets = Vec.fill(c.places)(Reg(UInt(WaitingLists.log2 bits)))
    private val flying = RegInit(False)
    private val flown = RegNextWhen(lists.trial.payload, lists.trial.fire)
    private val newPlace = anyseq(UInt(c.placeBits bits))
    private val newSet = anyseq(UInt(WaitingLists.log2 bits))
    // Of groups or not, for good: it changes while nobody is in any list.
    lists.parted := anyconst(Bool())
    assume(lists.parted || newSet < WaitingLists.setLists(c))
    // Two lists of one group and one of another: what the others would add is more of the same.
    assume(newSet < 3)
    private val comes, arrives, parks, moves = anyseq(Bool())
    lists.trial.ready := moves
    lists.soon := anyseq(Bits(ShareGroup.count bits))
    lists.tried := flying && arrives
    lists.leaves := lists.tried && parks
    lists.enters := !lists.tried && comes && !inside(newPlace)
    lists.place := lists.tried ? flown | newPlace
    lists.list := lists.tried ? sets(flown) | newSet
    flying := (flying && !lists.tried) || lists.trial.fire
    when(lists.enters) {
      inside(newPlace) := True
      sets(newPlace) := newSet
    }
    when(lists.leaves)(inside(flown) := False)

    // --- Nobody is lost, or in a list that is not his.
    private val full = Vec.tabulate(WaitingLists.count)(set => B((0 until c.places).map(p => inside(p) && sets(p) === set)))
    assert(lists.any === inside.orR)
    assert(lists.holds === B(full.map(_.orR)))
    assert(!lists.trial.valid || (inside(lists.trial.payload) && !flying))

    // --- One token, any: it leaves when those have left that were in its list before it.
    private val one = anyconst(UInt(c.placeBits bits))
    private val ahead = Reg(UInt(c.placeBits + 1 bits))
    private val inFront = lists.leaves && inside(one) && lists.list === sets(one)
    when(lists.enters && newPlace === one)(ahead := CountOne(full(newSet)).resized)
    when(inFront)(ahead := ahead - 1)
    assert(!inFront || (flown === one) === (ahead === 0))

    // --- A watch that began while it was in the list lasts until it has left. Who watches waits for its end.
    private val watched = anyconst(UInt(WaitingLists.log2 bits))
    lists.watched := watched
    lists.asks := anyseq(Bool())
    assume(!lists.asks || !lists.waits)
    private val meant = RegInit(False) setWhen (lists.asks && inside(one) && sets(one) === watched)
    meant clearWhen (lists.leaves && flown === one)
    assert(!meant || lists.waits)

    // --- What is proven is of lists that fill and empty, and of watches that end.
    private val two = RegInit(False) setWhen (ahead === 1 && inside(one))
    cover(two && !inside.orR)
    cover(RegNext(lists.waits).init(False) && !lists.waits)
  }
}

class WaitingListsProof extends Proof {
  import WaitingListsProof._

  override protected def engine = Proof.Sat

  private val c = CBoardConfig.tiny
  private val cycles = 10
  bounded("waiting lists keep their order and lose nobody", if (short) 8 else cycles)(new Harness(c))
  reaches("waiting lists fill and empty", 12)(new Harness(c))
  refutes("waiting lists with ListSkips", cycles)(new Harness(c, Some(PlantedFault.ListSkips)))
  refutes("waiting lists with TurnUnderWayCounts", cycles)(new Harness(c, Some(PlantedFault.TurnUnderWayCounts)))
  long {
    bounded("waiting lists keep their order and lose nobody, more cycles", 13)(new Harness(c))
  }
}
