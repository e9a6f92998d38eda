package mneme.board

import spinal.core._
import spinal.core.formal._

/** A clock that has an edge when it likes: any two of them may meet in any way. For proofs of what crosses. */
case class FreeClock() extends Area {
  val edge = anyseq(Bool())
  val domain: ClockDomain = ClockDomain.current.copy(clockEnable = edge, config = ClockDomain.current.config.copy(clockEnableActiveLevel = HIGH))
}

/** Claims that each word that is sent comes once, in order, as it was sent. `shown` is what the receiver sees, while `shows`; it takes it when it `comes`. No
  * more than `most` are on their way.
  */
case class WordsInOrder(most: Int)(sends: Bool, word: Bits)(comes: Bool, shows: Bool, shown: Bits) extends Area {
  private val placeBits = log2Up(most + 1)
  private val words = Vec.fill(1 << placeBits)(Reg(cloneOf(word)) init 0)
  /** What was sent, and how much of it has come. */
  val sent, come = Reg(UInt(placeBits bits)) init 0
  when(comes)(come := come + 1)
  when(sends) {
    sent := sent + 1
    words(sent) := word
  }
  assert(sent - come <= most)
  when(shows)(assert(sent =/= come && shown === words(come)))
}
