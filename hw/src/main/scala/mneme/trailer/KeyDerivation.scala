package mneme.trailer

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Whose key is wanted, and what goes along. */
case class KeyAsk[T <: Data](context: HardType[T]) extends Bundle {
  val pid = UInt(24 bits)
  val phase = Bool()
  val payload = context()
}

case class KeyAnswer[T <: Data](context: HardType[T]) extends Bundle {
  val key = Bits(128 bits)
  val payload = context()
}

/** A process's key: SipHash-2-4-128 of its pid under the board's key of the phase (docs/reference/trailers.md §2).
  *
  * Keys of late are kept, by the pid's low bits and the phase: one that is there costs a cycle, another one 13, during which those behind it wait. The cache is
  * empty after reset and after a board's key has changed; a key that is being worked out then is begun again.
  */
class KeyDerivation[T <: Data](context: HardType[T], entries: Int = 32, planted: Faults[TrailerFault.Value] = Faults.none) extends Component {
  require(entries >= 2 && entries <= 64 && Integer.bitCount(entries) == 1, s"a cache of $entries keys: a power of two from 2 to 64 is needed")

  val io = new Bundle {
    /** The board's keys by phase: k1 ## k0. */
    val keys = in(Vec(Bits(128 bits), 2))
    /** One of them is another one than in the cycle before. */
    val changed = in Bool ()
    val asks = slave(Stream(KeyAsk(context)))
    val answers = master(Stream(KeyAnswer(context)))
  }

  private val indexBits = log2Up(entries)
  private case class Entry() extends Bundle {
    val tag = Bits(25 - indexBits bits)
    val key = Bits(128 bits)
  }
  private def tagOf(ask: KeyAsk[T]): Bits = ask.phase ## ask.pid(23 downto indexBits)
  /** The phase turns one bit, so that both keys of a process have a place while clients change from one to the other. */
  private def indexOf(ask: KeyAsk[T]): UInt = ask.pid(indexBits - 1 downto 0) ^ ask.phase.asUInt.resized

  private val cache = Mem(Entry(), entries).addAttribute("ram_style", "distributed")
  private val valid = RegInit(B(0, entries bits))

  private val held = RegInit(False)
  private val ask = RegNextWhen(io.asks.payload, io.asks.fire)
  private val known = RegInit(False)
  private val key = Reg(Bits(128 bits))
  io.answers.valid := held && known
  io.answers.key := key
  io.answers.payload.payload := ask.payload
  io.asks.ready := !held || io.answers.fire

  private val deriving = new Area {
    val busy = RegInit(False)
    val round = Reg(UInt(4 bits))
    val state = Reg(SipState())
    val word = (B(7, 8 bits) ## B(0, 32 bits) ## ask.pid).asUInt
    val next = SipRound(state)
    when(busy) {
      round := round + 1
      state.v0 := next.v0 ^ word.andMask(round === 1)
      state.v1 := next.v1 ^ U(0xdd, 64 bits).andMask(round === 5)
      state.v2 := next.v2 ^ U(0xee, 64 bits).andMask(round === 1)
      state.v3 := next.v3
    }
    // The half that was folded, without what the second one begins with.
    when(busy && round === 6)(key(63 downto 0) := state.folded ^ 0xdd)
    val ended = busy && round === 10
    when(ended) {
      busy := False
      known := True
      key(127 downto 64) := state.folded
    }
    when(held && !known && !busy) {
      busy := True
      round := 0
      val begun = SipState.begun(io.keys(ask.phase.asUInt), wide = true)
      state := begun.withV3(begun.v3 ^ word)
    }
  }

  private val entry = Entry()
  entry.tag := tagOf(ask)
  entry.key := deriving.state.folded ## key(63 downto 0)
  cache.write(indexOf(ask), entry, enable = deriving.ended)
  when(deriving.ended)(valid(indexOf(ask)) := True)

  when(io.answers.fire)(held := False)
  when(io.asks.fire) {
    val found = cache.readAsync(indexOf(io.asks.payload))
    held := True
    known := valid(indexOf(io.asks.payload)) && found.tag === tagOf(io.asks.payload)
    key := found.key
  }
  private val forgets = planted.choose(TrailerFault.CacheKept, wrong = False, right = io.changed)
  when(forgets) {
    valid := 0
    deriving.busy := False
    // What is offered stays offered: it was asked for before.
    when(io.asks.fire || !io.answers.valid)(known := False)
  }
}
