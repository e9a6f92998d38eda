package mneme.trailer

import spinal.core._

/** SipHash's state: four words of 64 bits (Aumasson and Bernstein, *SipHash: a fast short-input PRF*, §2). */
case class SipState() extends Bundle {
  val v0, v1, v2, v3 = UInt(64 bits)

  /** The same but for one word. */
  def withV3(value: UInt): SipState = {
    val state = SipState()
    state.v0 := v0
    state.v1 := v1
    state.v2 := v2
    state.v3 := value
    state
  }

  /** All words in one, which is what the hash tells. */
  def folded: Bits = (v0 ^ v1 ^ v2 ^ v3).asBits
}

object SipState {
  private val initial = Seq("736f6d6570736575", "646f72616e646f6d", "6c7967656e657261", "7465646279746573").map(BigInt(_, 16))

  /** The state of a key that has absorbed no word. `wide`: of the hash with 128 bits. */
  def begun(key: Bits, wide: Boolean): SipState = {
    val state = SipState()
    val constants = initial.updated(1, initial(1) ^ (if (wide) 0xee else 0))
    val Seq(v0, v1, v2, v3) = constants.zipWithIndex.map { case (constant, i) => key(64 * (i % 2), 64 bits).asUInt ^ U(constant, 64 bits) }
    state.v0 := v0
    state.v1 := v1
    state.v2 := v2
    state.v3 := v3
    state
  }
}

object SipRound {
  /** One round: two additions in a row, which is a cycle's work. */
  def apply(s: SipState): SipState = {
    val next = SipState()
    val a0 = s.v0 + s.v1
    val a2 = s.v2 + s.v3
    val a1 = s.v1.rotateLeft(13) ^ a0
    val a3 = s.v3.rotateLeft(16) ^ a2
    val b2 = a2 + a1
    val b0 = a0.rotateLeft(32) + a3
    next.v0 := b0
    next.v1 := a1.rotateLeft(17) ^ b2
    next.v2 := b2.rotateLeft(32)
    next.v3 := a3.rotateLeft(21) ^ b0
    next
  }
}
