package mneme.vm

import mneme.CBoardConfig
import mneme.engine.{Operation, Report}
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
}
