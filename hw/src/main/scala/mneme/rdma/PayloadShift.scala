package mneme.rdma

import spinal.core._
import spinal.lib._

/** Moves a payload that comes in beats from byte 0 on to where it begins in its frame: the last bytes of each beat go before the next one's.
  *
  * `starts` are the places, in bytes of a beat, that a payload may begin at; `start` is the number of one of them. There is no latency. Bytes before a
  * payload's first one, and behind its last one, are of no meaning.
  */
case class PayloadShift(starts: Seq[Int]) extends Component {
  val io = new Bundle {
    val start = in UInt (log2Up(starts.size) bits)
    val payload = in Bits (512 bits)
    /** The beat is used in this cycle, and what is left of it belongs to the next one. */
    val taken = in Bool ()
    val shifted = out Bits (512 bits)
  }
  private val turned = Vec(starts.map(start => io.payload.rotateLeft(8 * start))).read(io.start)
  private val before = Reg(Bits(8 * starts.max bits))
  when(io.taken)(before := turned.resized)
  private val bytes = (0 until 64).map { i =>
    val here = turned(8 * i, 8 bits)
    if (i < starts.min) before(8 * i, 8 bits)
    else if (i >= starts.max) here
    else starts.zipWithIndex.collect { case (start, number) if i < start => io.start === number }.orR ? before(8 * i, 8 bits) | here
  }
  io.shifted := bytes.asBits()
}
