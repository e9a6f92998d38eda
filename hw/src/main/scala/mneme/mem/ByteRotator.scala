package mneme.mem

import mneme.known
import spinal.core._
import spinal.lib._

/** Turns 64-byte beats right by `amount` bytes (byte `amount` becomes byte 0) in three steps of a choice of four each, a look-up table per bit:
  * by 16 and by 4, a register, then by 1 on the way out, where its user's own choice of bytes follows.
  *
  * `info` travels along. Latency 1 cycle, one beat per cycle.
  */
class ByteRotator[T <: Data](info: HardType[T]) extends Component {
  case class Beat() extends Bundle {
    val data = Bits(512 bits)
    val amount = UInt(6 bits)
    val info = ByteRotator.this.info()
  }

  val io = new Bundle {
    val beats = slave(Stream(Beat()))
    val turned = master(Stream(Beat()))
  }

  /** Turns right by the bits `from` and `from + 1` of `amount`: two choices of two, which synthesis makes one look-up table, and not a `switch`, whose decoded cases it keeps. */
  private def turn(valid: Bool, beat: Beat, from: Int): Beat = {
    val turned = cloneOf(beat)
    turned.amount := beat.amount
    turned.info := beat.info
    turned.data := Seq(from + 1, from).foldLeft(beat.data) { (data, i) =>
      known(valid, Bits(512 bits))(_ := (beat.amount(i) ? data.rotateRight(8 << i) | data))
    }
    turned
  }

  private val turning = io.beats.map(beat => turn(io.beats.valid, turn(io.beats.valid, beat, 4), 2)).m2sPipe()
  io.turned << turning.map(turn(turning.valid, _, 0))
}

/** Bytes of a line by their number. The comparison of the first or last of them is a constant, which a linter would find. */
object ByteMask {
  def below(byte: Int, end: UInt): Bool = if (byte == 63) False else U(byte, 6 bits) < end
  def through(byte: Int, last: UInt): Bool = if (byte == 0) True else U(byte, 6 bits) <= last
}
