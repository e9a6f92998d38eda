package mneme.vm

import mneme.CBoardConfig
import mneme.engine.{Operation, Report}
import mneme.leaf.LeafConfig
import mneme.wire.Wire
import spinal.core._

/** A token with its translation, or with the reason why it has none. */
case class Translated(c: CBoardConfig) extends Bundle {
  val place = UInt(c.placeBits bits)

  /** What is left to do in memory: nothing where translation ended it. */
  val operation = Operation()
  val fence = Bool()
  val length = UInt(16 bits)
  val dataOffset = UInt(8 bits)

  /** Physical byte address. */
  val address = UInt(c.memBits bits)
  val report = Report()

  /** Alternates with every replace: tells the tokens that were translated before it. */
  val generation = Bool()

  /** Of a board with a leaf unit. */
  val leaf = c.leaf generate SplitPage(c)
}

/** What is known of an access to a split page: before [[mneme.leaf.SplitAccess]] the first four, behind it the others. */
case class SplitPage(c: CBoardConfig) extends Bundle {
  /** In the address the leaf table stands in the page's place, but for its number's top bit. */
  val split, tableTop = Bool()
  val pid = UInt(Wire.PID_BITS bits)

  /** The same of all tokens of a page: none of them leaves before those that came before. */
  val order = UInt(4 bits)

  /** The frame of the bytes that lie behind the first frame's end; 0 if there are none. */
  val next = UInt(c.memBits - LeafConfig.FRAME_LOG2 bits)

  /** The leaf unit's epoch in which the access began, one-hot; 0: the page is not split. */
  val epoch = Bits(2 bits)
}
