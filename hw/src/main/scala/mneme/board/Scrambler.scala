package mneme.board

import spinal.core._
import spinal.lib._

/** The self-synchronous scrambler of 49.2.6, 1 + x^39^ + x^58^: each bit is sent XORed with those sent 39 and 58 bits before it. Headers pass as they are.
  *
  * A block in every cycle, one cycle of latency.
  */
case class Scrambler() extends Component {
  val io = new Bundle {
    val in = spinal.core.in(Block())
    val out = spinal.core.out(Block())
  }

  /** The last bits sent, the latest one highest. Anything but zeros, so that the first idles are no long run. */
  val sent = Reg(Bits(58 bits)) init B(58 bits, default -> true)
  private val scrambled = Scrambler.recursive(io.in.data, sent)
  sent := scrambled(63 downto 6)
  private val block = Reg(Block())
  block.header init Block.CONTROL
  block.header := io.in.header
  block.data := scrambled
  io.out := block
}

/** Its inverse (49.2.10): right after 58 bits, whatever came before. A damaged bit damages those 39 and 58 bits later. */
case class Descrambler() extends Component {
  val io = new Bundle {
    val in = slave(Flow(Block()))
    val out = master(Flow(Block()))
  }

  private val received = RegNextWhen(io.in.data(63 downto 6), io.in.valid)
  private val line = io.in.data(24 downto 0) ## received
  private val block = Block()
  block.header := io.in.header
  block.data := io.in.data ^ line(19, 64 bits) ^ line(0, 64 bits)
  io.out.valid := RegNext(io.in.valid) init False
  io.out.payload := RegNext(block)
}

object Scrambler {
  /** Bits of the word whose taps lie in the word itself are worked out through to those that do not, so that nothing refers to its own vector. */
  private def recursive(word: Bits, before: Bits): Bits = {
    val bits = scala.collection.mutable.ArrayBuffer[Bool]()
    for (i <- 0 until 64) {
      def back(n: Int): Bool = if (i >= n) bits(i - n) else before(58 + i - n)
      bits += word(i) ^ back(39) ^ back(58)
    }
    bits.asBits()
  }
}
