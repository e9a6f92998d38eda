package mneme.trailer

import mneme.wire.Wire.Trailer
import spinal.core._

/** Kinds of trailers, Trailer numbers in two bits. */
object TrailerKind {
  val TAG_BYTES = 8
  val CRC_BYTES = 4

  def isTag(kind: Bits): Bool = kind === Trailer.TAG
  def isCrc(kind: Bits): Bool = kind === Trailer.CRC32C
  /** Something follows the payload. */
  def trails(kind: Bits): Bool = isTag(kind) || isCrc(kind)
  def unassigned(kind: Bits): Bool = kind =/= Trailer.NONE && !trails(kind)

  /** What holds for a kind's number of bytes. */
  def choose[T <: Data](kind: Bits)(of: Int => T): T = Mux(isTag(kind), of(TAG_BYTES), Mux(isCrc(kind), of(CRC_BYTES), of(0)))
}
