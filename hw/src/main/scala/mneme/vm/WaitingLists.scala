package mneme.vm

import mneme._
import spinal.core._
import spinal.lib._

/** Whose turn it is among a group's lists. */
case class ListTurn(c: CBoardConfig) extends Bundle {
  val list = UInt(WaitingLists.log2 bits)
  val begun = Bool()

  /** The token with which the turn ends. */
  val last = UInt(c.placeBits bits)
}

/** Where tokens wait that found all miss entries taken, so that hits pass them: eight lists, threaded through places. All are of shares of the TLB's sets;
  * or, where classes have groups, each group has two.
  *
  * Example: eight pages are walked for, and a ninth is asked for. Its token enters the list of its page's set and leaves the stages of translation. When
  * an entry is free again, the list's oldest token is *tried*: it comes through the stages once more, and parks, or stays in its list.
  *
  * While somebody waits in any list of its group, no new token takes a free entry; and none joins its page's entry while there are tokens in its own list, so tokens of
  * a page keep their order. The TLB gets no page of a list with tokens in it; whom it serves has nobody in front.
  *
  * The lists of a group take turns. A turn ends with the token that was its list's last when the turn began, so no list waits for ever. Groups go on
  * beside each other: whose turn is not over stands still while no entry is free for its group and one is for another's, and after each trial.
  *
  * A token enters or leaves at *look up* alone, one in a cycle.
  */
case class WaitingLists(c: CBoardConfig, planted: Faults[PlantedFault.Value]) extends Area {
  import WaitingLists._
  private val groups = ShareGroup.count
  private val some = Reg(Bits(count bits)) init 0
  private val heads, tails = Mem(UInt(c.placeBits bits), count).addAttribute("ram_style", "distributed")
  private val next = Mem(UInt(c.placeBits bits), c.places).addAttribute("ram_style", "distributed")

  /** Lists are of groups. It changes in the cycle after `changes`, while nobody is in any. */
  val parted, changes = Bool()

  /** The list of a page. */
  def of(set: UInt, group: UInt): UInt = Mux(parted, group @@ set(0, log2 - ShareGroup.bits bits), set.resize(log2))

  /** Whether somebody waits in a list; in any list. */
  def holds(list: UInt): Bool = some(list)
  val any = some.orR

  /** The lists of a group. */
  def ofGroup(group: UInt): Bits = {
    val each = count / groups
    Mux(parted, UIntToOh(group, groups).asBools.map(Bits(each bits).setAllTo(_)).reverse.reduce(_ ## _), B((1 << setLists(c)) - 1, count bits))
  }
  private val waits = B((0 until groups).map(group => (some & ofGroup(U(group, ShareGroup.bits bits))).orR && (parted || Bool(group == 0))))

  /** Whether somebody waits in one of these lists. */
  def holdsAny(lists: Bits): Bool = (some & lists).orR

  /** Each group has tokens in its lists. */
  def ofGroups: Bits = waits

  /** List and place of the token at *look up*; it enters its list, or leaves it as its oldest. */
  val at = UInt(log2 bits)
  val place = UInt(c.placeBits bits)
  val enters, leaves = Bool()

  val occupied = some(at)
  private val tail = tails.readAsync(at)
  // The tail of an empty list is a place that somebody else may have by now.
  next.write(tail, place, enable = enters && occupied)
  tails.write(at, place, enable = enters)
  private val second = planted.choose(PlantedFault.ListSkips, wrong = tail, right = next.readAsync(place))
  heads.write(at, Mux(leaves, second, place), enable = leaves || (enters && !occupied))
  when(leaves && place === tail)(some(at) := False)
  when(enters)(some(at) := True)

  /** The group of the token that enters. */
  val group = UInt(ShareGroup.bits bits)

  /** Groups of which so many tokens wait as may (`bounds`; 0: no bound): known two cycles after who enters. */
  def full(bounds: Vec[UInt]): Bits = B(for ((bound, i) <- bounds.zipWithIndex) yield {
    val waiting = Reg(UInt(c.placeBits + 1 bits)) init 0
    val (comes, goes) = (enters && group === i, leaves && turns.group === i)
    when(comes =/= goes)(waiting := Mux(comes, waiting + 1, waiting - 1))
    RegNext(bound =/= 0 && waiting >= bound) init False
  })

  /** The oldest token of the list whose turn it is is to be tried; it comes to *look up* (`tried`), parked or not. */
  val trial = Stream(UInt(c.placeBits bits))
  val tried = Bool()

  /** A miss entry that the group may take will be free when its token comes there. */
  val soon = Bits(groups bits)

  val turns = new Area {
    private val kept = Vec.fill(groups)(Reg(ListTurn(c)))
    kept.foreach(turn => { turn.begun init False; turn.list init 0 })

    /** The group whose lists go on. */
    val group = Reg(UInt(ShareGroup.bits bits)) init 0
    private val now = kept(group)
    val begun = now.begun
    val list = of(now.list, group)
    val ends = Mux(begun, leaves && place === now.last, !some(list))
    private val later = now.list + 1
    kept(group).begun := Mux(begun, !ends, some(list))
    when(!begun)(kept(group).last := tails.readAsync(list))
    when(ends)(kept(group).list := Mux(parted, later, later & (setLists(c) - 1)))
    val away = RegInit(False) setWhen (trial.fire) clearWhen (tried)

    private val able = waits & soon
    private val others = able & ~UIntToOh(group, groups)
    private val rests = planted.choose(PlantedFault.GroupsInTurn, wrong = !waits(group), right = tried || (!away && !trial.valid && !able(group)))
    val switches = others.orR && rests
    // Round robin: the next above, else the lowest.
    private val above = others & B((0 until groups).map(i => if (i == 0) False else group < i))
    when(switches)(group := Mux(above.orR, OHToUInt(OHMasking.firstV2(above)), OHToUInt(OHMasking.firstV2(others))))
    when(changes) {
      group := 0
      kept.foreach(_.begun := False)
    }

    /** Who comes after one that parked may be of its page: he needs no free entry. */
    val follows = RegNextWhen(leaves && !switches, tried) init False
    trial.valid := begun && !away && (soon(group) || follows)
    trial.payload := heads.readAsync(list)
  }

  /** Groups whose lists nobody has left for long. Entries may be kept by those who join them, one after the other, so for a while nobody does but from
    * lists.
    */
  val starve = {
    val cycles = CounterFreeRun(1 << patienceLog2 - 2)
    val starved = for (i <- 0 until groups) yield {
      val age = Reg(UInt(3 bits)) init 0
      when((leaves && turns.group === i) || !waits(i))(age := 0) elsewhen (cycles.willOverflow && !age.msb)(age := age + 1)
      age.msb
    }
    planted.choose(PlantedFault.ListsStarve, wrong = B(0, groups bits), right = B(starved))
  }

  /** Whether the tokens that waited in one list when it was asked for have left. */
  val watch = new Area {
    val list = UInt(log2 bits)

    /** Begins, of a list that is not empty; those that are left need not leave. */
    val asks, ends = Bool()
    val waits, begun = RegInit(False)
    private val here = turns.list === list
    private val whole = planted.choose(PlantedFault.TurnUnderWayCounts, wrong = True, right = begun)
    when(asks) {
      waits := holds(list)
      begun := False
    } otherwise {
      begun setWhen (here && !turns.begun)
      // Its group's turns may stand still once it is empty.
      waits clearWhen (ends || (here && whole && turns.ends) || !holds(list))
    }
  }
}

object WaitingLists {

  /** Eight lists. */
  val log2 = 3
  val count: Int = 1 << log2

  /** Lists that are used while they are not of groups: one for each set of a smaller TLB. */
  def setLists(c: CBoardConfig): Int = 1 << (c.tlbSetsLog2 min log2)

  /** Cycles in which nobody leaves the lists: the accesses of a walk and a write-back take less, unless memory is slow. */
  val patienceLog2 = 8
}
