package mneme.vm

import mneme._
import spinal.core._
import spinal.lib._

/** Where tokens wait that found all miss entries taken, so that hits pass them: a list for each share of the TLB's sets, threaded through places.
  *
  * Example: eight pages are walked for, and a ninth is asked for. Its token enters the list of its page's set and leaves the stages of translation. When
  * an entry is free again, the list's oldest token is *tried*: it comes through the stages once more, and parks, or stays in its list.
  *
  * While somebody waits in any list, no new token takes a free entry; and none joins its page's entry while there are tokens in its own list, so tokens of
  * a page keep their order. The TLB gets no page of a list with tokens in it; whom it serves has nobody in front.
  *
  * The lists take turns. A turn ends with the token that was its list's last when the turn began, so no list waits for ever.
  *
  * A token enters or leaves at *look up* alone, one in a cycle.
  */
case class WaitingLists(c: CBoardConfig, planted: Faults[PlantedFault.Value]) extends Area {
  private val listBits = c.tlbSetsLog2 min WaitingLists.log2
  private val lists = 1 << listBits
  private val some = Reg(Bits(lists bits)) init 0
  private val heads, tails = Mem(UInt(c.placeBits bits), lists).addAttribute("ram_style", "distributed")
  private val next = Mem(UInt(c.placeBits bits), c.places).addAttribute("ram_style", "distributed")

  private def list(set: UInt): UInt = set.resize(listBits)

  /** Somebody waits in the list of this set; in any list. */
  def holds(set: UInt): Bool = some(list(set))
  val any = some.orR

  /** Set and place of the token at *look up*; it enters its list, or leaves it as its oldest. */
  val set = UInt(c.tlbSetsLog2 bits)
  val place = UInt(c.placeBits bits)
  val enters, leaves = Bool()

  private val at = list(set)
  val occupied = some(at)
  private val tail = tails.readAsync(at)
  // The tail of an empty list is a place that somebody else may have by now.
  next.write(tail, place, enable = enters && occupied)
  tails.write(at, place, enable = enters)
  private val second = planted.choose(PlantedFault.ListSkips, wrong = tail, right = next.readAsync(place))
  heads.write(at, Mux(leaves, second, place), enable = leaves || (enters && !occupied))
  when(leaves && place === tail)(some(at) := False)
  when(enters)(some(at) := True)

  /** The oldest token of the list whose turn it is is to be tried; it comes to *look up* (`tried`), parked or not. */
  val trial = Stream(UInt(c.placeBits bits))
  val tried = Bool()

  /** A miss entry will be free when it comes there. */
  val soon = Bool()

  val turns = new Area {
    val turn = Reg(UInt(listBits bits)) init 0
    val begun = RegInit(False)

    /** The token with which the turn ends. */
    val last = Reg(UInt(c.placeBits bits))
    val ends = Mux(begun, leaves && place === last, !some(turn))
    begun := Mux(begun, !ends, some(turn))
    when(!begun)(last := tails.readAsync(turn))
    when(ends)(turn := turn + 1)
    val away = RegInit(False) setWhen (trial.fire) clearWhen (tried)

    /** Who comes after one that parked may be of its page: he needs no free entry. */
    val follows = RegNextWhen(leaves, tried) init False
    trial.valid := begun && !away && (soon || follows)
    trial.payload := heads.readAsync(turn)
  }

  /** Nobody has left the lists for long. Entries may be kept by those who join them, one after the other, so for a while nobody does but from lists. */
  val starve = {
    val cycles = Reg(UInt(WaitingLists.patienceLog2 + 1 bits)) init 0
    when(leaves || !any)(cycles := 0) elsewhen (!cycles.msb)(cycles := cycles + 1)
    planted.choose(PlantedFault.ListsStarve, wrong = False, right = cycles.msb)
  }

  /** Whether the tokens that waited in one list when it was asked for have left. */
  val watch = new Area {
    val set = UInt(c.tlbSetsLog2 bits)

    /** Begins, of a list that is not empty; those that are left need not leave. */
    val asks, ends = Bool()
    val waits, begun = RegInit(False)
    private val here = turns.turn === list(set)
    private val whole = planted.choose(PlantedFault.TurnUnderWayCounts, wrong = True, right = begun)
    when(asks) {
      waits := holds(set)
      begun := False
    } otherwise {
      begun setWhen (here && !turns.begun)
      waits clearWhen (ends || (here && whole && turns.ends))
    }
  }
}

object WaitingLists {

  /** Eight lists, or one for each set of a smaller TLB. */
  val log2 = 3

  /** Cycles in which nobody leaves the lists: the accesses of a walk and a write-back take less, unless memory is slow. */
  val patienceLog2 = 8
}
