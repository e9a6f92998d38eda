package mneme.trailer

import spinal.core._

/** What was found of a frame's trailer. */
object TrailerVerdict extends SpinalEnum {
  val none, crcRight, crcWrong, tagRight, tagWrong = newElement()
}

/** The checks of docs/reference/trailers.md §3 behind the lengths, in their order. */
object TrailerPolicy {
  case class Refusal() extends Bundle {
    val unauthenticated, nack = Bool()
  }

  /** TAG_MODE asks every request for a tag. */
  def all(mode: Bits): Bool = mode(1)

  /** `mode`: TAG_MODE; `isSlow`: the request is the slow path's; `open`: PING with pid 0 or OPEN, which never need a tag. */
  def apply(verdict: SpinalEnumCraft[TrailerVerdict.type], mode: Bits, isSlow: Bool, open: Bool): Refusal = {
    val refusal = Refusal()
    val tagged = verdict === TrailerVerdict.tagRight || verdict === TrailerVerdict.tagWrong
    val wanted = all(mode) || (mode(0) && isSlow)
    refusal.unauthenticated := (wanted && !open && !tagged) || verdict === TrailerVerdict.tagWrong
    refusal.nack := !refusal.unauthenticated && verdict === TrailerVerdict.crcWrong
    refusal
  }
}
