package mneme.vm

import mneme.{CBoardConfig, knownBits}
import spinal.core._
import spinal.lib._

/** A token that goes to the waiting room. */
case class Entering(c: CBoardConfig) extends Bundle {
  val place = UInt(c.placeBits bits)
  val fence = Bool()
}

/** Where tokens wait that cannot be decided now, so that others need not wait behind them: those that found all miss entries taken, later ones of
  * their pages, and fences whose process has tokens inside. Hits of other pages pass.
  *
  * The oldest one is tried again, through the stages of translation, when it has become the oldest and whenever a miss entry has become free. A trial takes
  * three cycles, so while somebody waits here new tokens may take miss entries, too, but the last free one: the oldest gets every one that becomes free
  * alone. There is a place for each token that can be inside.
  *
  * Pages are compared by a fold of their key: what looks like a page of somebody here and is another one waits for nothing, but in its order.
  */
case class WaitingRoom(c: CBoardConfig) extends Component {
  val io = new Bundle {

    /** The page of the token that goes to *look up* when `load`; the one of the token that is there. */
    val coming, key = in(PageKey(c))
    val load = in Bool ()

    /** The page of the token at *look up* may have a token here. */
    val contains = out Bool ()
    val empty = out Bool ()

    /** Some fence is here. */
    val fences = out Bool ()
    val enter = slave Flow (Entering(c))

    /** The place of the oldest token, to be tried. Then it `leaves`, or it `stays`. */
    val trial = master Stream (UInt(c.placeBits bits))
    val leaves, stays = in Bool ()

    /** A miss entry has become free. */
    val changed = in Bool ()
  }

  private val queue = StreamFifo(Entering(c), c.places, latency = 1)
  queue.io.push << io.enter.toStream
  private val oldest = queue.io.pop
  oldest.ready := io.leaves
  io.empty := !oldest.valid

  val tries = new Area {
    val trying, hopeful = RegInit(False)
    trying := io.trial.fire || (trying && !io.leaves && !io.stays)
    hopeful := io.changed || io.leaves || (hopeful && !io.trial.fire)
    io.trial.valid := oldest.valid && hopeful && !trying
    io.trial.payload := oldest.place
  }

  private val fences = Reg(UInt(c.placeBits + 1 bits)) init 0
  fences := fences + (io.enter.valid && io.enter.fence).asUInt - (io.leaves && oldest.fence).asUInt
  io.fences := fences =/= 0

  val look = new Area {
    val prints = Vec.fill(WaitingRoom.printBits)(Reg(Bits(c.places bits)))
    val waiting = Reg(Bits(c.places bits)) init 0
    val (comes, here) = (WaitingRoom.fold(io.coming), WaitingRoom.fold(io.key))
    when(io.enter.valid) {
      for ((row, bit) <- prints.zip(here.asBools)) row(io.enter.place) := bit
    }
    waiting := (waiting | UIntToOh(io.enter.place, c.places).andMask(io.enter.valid && !io.enter.fence)) &
      ~UIntToOh(oldest.place, c.places).andMask(io.leaves)

    val some = waiting.orR
    val equal = knownBits(some, c.places)(i => !prints.zip(comes.asBools).map { case (row, bit) => row(i) ^ bit }.orR)
    val before = some && (equal & waiting).orR
    val justNow = io.enter.valid && !io.enter.fence && comes === here
    io.contains := RegNextWhen(before || justNow, io.load) init False
  }
}

object WaitingRoom {

  /** 64 tokens look like a page that is not theirs once in 500 times at most. */
  val printBits = 15

  def fold(key: PageKey): Bits = (key.bucket ## key.tag).subdivideIn(printBits bits, strict = false).map(_.resize(printBits)).reduce(_ ^ _)
}
