import spinal.core._
import spinal.lib._

package object mneme {
  /** What `assign` makes of it while `valid`, and anything at other times, when nobody looks. It costs no cells, since synthesis may do it always; a simulator, which
    * works out one statement after the other, leaves out those of `assign`. What is as wide as a line is best assigned piece by piece: Verilator takes
    * the parts of one large expression out of the condition again.
    */
  def known[T <: Data](valid: Bool, shape: HardType[T])(assign: T => Unit): T = {
    val result = shape()
    result.assignDontCare()
    when(valid)(assign(result))
    result
  }

  /** Says of a memory that nobody looks at a word that was read in the cycle of its write. Without, synthesis for a device whose block RAM leaves open what is read then
    * keeps the old word in registers beside the memory, as wide as it is, and chooses.
    */
  def apart[T <: Data](memory: Mem[T]): Mem[T] = memory.addAttribute("no_rw_check")

  /** Tells events that may come in one cycle one after the other, for counters, which take one in each. */
  def oneByOne(events: Seq[Bool]): Bool = {
    val pending = Reg(UInt(8 bits)) init 0
    val tells = pending =/= 0
    pending := pending + CountOne(events) - tells.asUInt
    tells
  }

  /** Bits that are known while `valid`, one by one. */
  def knownBits(valid: Bool, width: Int)(bit: Int => Bool): Bits = known(valid, Bits(width bits))(bits => for (i <- 0 until width) bits(i) := bit(i))

  /** 64 bytes that are known while `valid`, one by one. */
  def knownBytes(valid: Bool)(byte: Int => Bits): Bits = known(valid, Bits(512 bits))(line => for (i <- 0 until 64) line(8 * i, 8 bits) := byte(i))
}
