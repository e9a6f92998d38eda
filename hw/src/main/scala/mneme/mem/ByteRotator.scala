package mneme.mem

import spinal.core._
import spinal.lib._

/** Turns 64-byte beats right by `amount` bytes (byte `amount` becomes byte 0) in two registered stages: eights, then ones.
  *
  * `info` travels along. Each stage is a register with valid, so latency is 2 cycles and throughput one beat per cycle.
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

  /** Turns right by the bits `from` and up of `amount`, three of them. */
  private def stage(beat: Stream[Beat], from: Int): Stream[Beat] = beat.map { b =>
    val turned = cloneOf(b)
    turned.assignSomeByName(b)
    turned.data.allowOverride()
    turned.data := (from until from + 3).foldLeft(b.data)((data, i) => b.amount(i) ? data.rotateRight(8 << i) | data)
    turned
  }

  io.turned << stage(stage(io.beats, 3).m2sPipe(), 0).m2sPipe()
}

object ByteMask {
  /** Bit i is set when i < count; count 0 to 64. */
  def below(count: UInt): Bits = Vec((0 until 64).map(i => U(i, 7 bits) < count.resize(7))).asBits
  /** Expands a mask of bytes to a mask of bits. */
  def bits(mask: Bits): Bits = Cat(mask.asBools.map(b => B(8 bits, default -> b)))
}
