package mneme.trailer

import spinal.core._

/** What the register block tells those who check and seal. */
case class TrailerControl() extends Bundle {
  /** The board's keys by phase, k1 ## k0; which of them there are; and that one is another one than a cycle before. */
  val keys = Vec(Bits(128 bits), 2)
  val phases = Bits(2 bits)
  val changed = Bool()
  /** A TagMode number. */
  val mode = Bits(2 bits)
  /** The tick with all its bits. */
  val tick = UInt(64 bits)
}
