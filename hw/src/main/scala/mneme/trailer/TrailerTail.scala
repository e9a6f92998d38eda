package mneme.trailer

import spinal.core._
import spinal.lib._

/** What a frame's trailer is held against: known a few cycles after its last beat. */
case class Tail() extends Bundle {
  /** It is as long as a tag; else as a CRC-32C. */
  val isTag = Bool()
  val crcRight = Bool()
  /** As the frame has it. */
  val tag = Bits(64 bits)
  /** CRC-32C of the payload alone, which the tag covers. */
  val payloadCrc = Bits(32 bits)
}

/** Sums frames that have a trailer while they pass, a beat in every cycle.
  *
  * The sum includes the trailer, so that nobody has to know where it begins: with a right CRC-32C it is a constant, and a tag's eight bytes are taken back.
  */
case class TrailerTail() extends Component {
  val io = new Bundle {
    val beats = slave(Flow(CrcBeat()))
    val tails = master(Flow(Tail()))
  }
  private val crc = FrameCrc()
  crc.io.beats << io.beats

  /** The last eight bytes, some of which may be those of the beat before: by their places modulo eight first, then in their order. */
  private val gathered = new Area {
    private val before = RegNextWhen(io.beats.data(511 downto 448), io.beats.valid)
    private val words = (io.beats.data ## before).subdivideIn(64 bits).toSeq
    private val (word, place) = (io.beats.lastByte(5 downto 3), io.beats.lastByte(2 downto 0))
    private val lanes = Vec((0 until 8).map { lane =>
      val bytes = words.map((word: Bits) => word(8 * lane, 8 bits))
      val (here, before) = (Vec(bytes.tail), Vec(bytes.init))
      if (lane == 0) here(word) else Mux(place >= lane, here(word), before(word))
    })
    private val placed = RegNext(lanes.asBits)
    private val turn = RegNext(place + 1)
    val tag: Bits = RegNext(placed.rotateRight(turn << 3))
  }
  private val tag = Delay(gathered.tag, FrameCrc.LATENCY - 2)
  private val headers = Delay(io.beats.headers, FrameCrc.LATENCY)

  private val sum = crc.io.sums.payload
  io.tails.valid := RegNext(crc.io.sums.valid) init False
  io.tails.isTag := RegNext(!headers)
  io.tails.tag := RegNext(tag)
  io.tails.crcRight := RegNext(sum === B(Gf2.advance(FrameCrc.ONES, 4), 32 bits))
  private val back = Gf2(sum, 32)(Gf2.advance(_, -8)) ^ Gf2(tag, 32)(tag => Gf2.advance(Gf2.absorb(tag, 8), -8))
  io.tails.payloadCrc := RegNext(~back)
}

object TrailerTail {
  /** Cycles from the last beat. */
  val LATENCY: Int = FrameCrc.LATENCY + 1
}
