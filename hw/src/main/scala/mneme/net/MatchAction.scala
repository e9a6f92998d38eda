package mneme.net

import spinal.core._

/** What the match-action table looks at. */
case class MatKey() extends Bundle {
  val etherType = Bits(16 bits)
  val protocol = Bits(8 bits)
  val opcode = Bits(8 bits)
  val port = Bits(16 bits)
}

/** A ternary row: it matches where `mask` has a one and value and key agree. */
case class MatRow() extends Bundle {
  val valid = Bool()
  val value, mask = MatKey()
  /** A MatAction number. */
  val action = Bits(2 bits)

  def matches(key: MatKey): Bool = valid && ((key.asBits ^ value.asBits) & mask.asBits) === 0
}
