package mneme.rdma

import mneme.engine.PayloadBeat
import mneme.mem.{ByteMask, ByteRotator}
import spinal.core._
import spinal.lib._

/** The bytes of a read that came by one token. */
case class Chunk() extends Bundle {
  /** 1 to 4,096. */
  val bytes = UInt(13 bits)
  /** The page was never written: no data come, and the bytes are zeros. */
  val zeros = Bool()
  /** The packet is not sent. */
  val drop = Bool()
  /** The packet ends with it. */
  val last = Bool()
}

/** Makes one row of beats of the reads of a packet: the data of each token begin at byte 0 of a beat, those of the packet's second one
  * go on where the first one's end. Zeros follow the packet's last byte. One beat in a cycle; a cycle more where the last beat spills.
  */
class AnswerPacker extends Component {
  val io = new Bundle {
    val chunks = slave(Stream(Chunk()))
    val data = slave(Stream(PayloadBeat()))
    val beats = master(Stream(PayloadBeat()))
  }

  private case class Info() extends Bundle {
    /** Bytes of the packet's beat that are there already. */
    val fill = UInt(6 bits)
    /** The beat is full with these, and some are left over, or none. */
    val fills, spills = Bool()
    val last = Bool()
    val error = Bool()
  }
  private val rotator = new ByteRotator(Info())
  private val beat = rotator.io.beats

  // --- In: pieces of 64 bytes of chunks.
  private val chunk = io.chunks.payload
  private val before = Reg(UInt(13 bits)) init 0
  private val fill = Reg(UInt(6 bits)) init 0
  private val rest = chunk.bytes - before
  private val bytes = (rest > 64) ? U(64, 7 bits) | rest.resize(7)
  private val ends = rest <= 64
  private val there = io.chunks.valid && (chunk.zeros || io.data.valid)
  private val sum = fill +^ bytes
  beat.valid := there && !chunk.drop
  beat.data := chunk.zeros ? B(0, 512 bits) | io.data.data
  beat.amount := 0 - fill
  beat.info.fill := fill
  beat.info.fills := sum >= 64
  beat.info.spills := sum > 64
  beat.info.last := ends && chunk.last
  beat.info.error := !chunk.zeros && io.data.error
  private val goes = there && (chunk.drop || beat.ready)
  io.data.ready := goes && !chunk.zeros
  io.chunks.ready := goes && ends
  when(goes) {
    before := ends ? U(0) | before + 64
    when(!chunk.drop)(fill := (ends && chunk.last) ? U(0) | sum.resize(6))
  }

  // --- Out.
  private val turned = rotator.io.turned
  private val held = Reg(Bits(512 bits)) init 0
  private val heldError = RegInit(False)
  private val flush = RegInit(False)
  private val info = turned.info
  private def merged(i: Int): Bits = held(8 * i, 8 bits) | turned.data(8 * i, 8 bits).andMask(!ByteMask.below(i, info.fill))
  private def over(i: Int): Bits = turned.data(8 * i, 8 bits).andMask(ByteMask.below(i, info.fill))
  private val sends = info.fills || info.last
  io.beats.valid := flush || (turned.valid && sends)
  io.beats.data := flush ? held | Vec((0 until 64).map(merged)).asBits
  io.beats.error := heldError || (!flush && info.error)
  turned.ready := !flush && (!sends || io.beats.ready)
  when(turned.fire) {
    held := sends ? Vec((0 until 64).map(over)).asBits | Vec((0 until 64).map(merged)).asBits
    heldError := info.error && (!sends || info.spills) || (!sends && heldError)
    flush := info.last && info.spills
    when(info.last && !info.spills)(held := 0)
  }
  when(flush && io.beats.ready) {
    flush := False
    held := 0
    heldError := False
  }
}
