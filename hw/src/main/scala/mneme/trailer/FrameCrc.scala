package mneme.trailer

import mneme.filter.Crc32c
import spinal.core._
import spinal.lib._

/** Linear functions of bits, as XOR trees that are worked out at elaboration. */
object Gf2 {
  /** `function` is linear; it takes and gives numbers whose bit 0 is the vector's. */
  def apply(vector: Bits, width: Int)(function: BigInt => BigInt): Bits = {
    val columns = (0 until vector.getWidth).map(i => function(BigInt(1) << i))
    val result = Bits(width bits)
    for (row <- 0 until width) {
      val mask = columns.zipWithIndex.collect { case (column, i) if column.testBit(row) => BigInt(1) << i }.foldLeft(BigInt(0))(_ | _)
      result(row) := (vector & B(mask, vector.getWidth bits)).xorR
    }
    result
  }

  /** CRC-32C's register after so many bytes of zeros; fewer than none take bytes of zeros back. */
  def advance(state: BigInt, bytes: Int): BigInt = {
    val polynomial = BigInt("82f63b78", 16)
    def step(s: BigInt) = if (s.testBit(0)) (s >> 1) ^ polynomial else s >> 1
    def back(s: BigInt) = if (s.testBit(31)) ((s ^ polynomial) << 1) | 1 else s << 1
    (0 until 8 * bytes.abs).foldLeft(state)((s, _) => if (bytes > 0) step(s) else back(s))
  }

  /** What bytes do to the register, the first one lowest. */
  def absorb(bytes: BigInt, count: Int): BigInt = Crc32c.softwareLinear((0 until count).map(i => ((bytes >> (8 * i)) & 0xff).toInt))
}

/** One beat for [[FrameCrc]]. The first one of a frame is full. */
case class CrcBeat() extends Bundle {
  val data = Bits(512 bits)
  val lastByte = UInt(6 bits)
  val first, last = Bool()
  /** Addresses, ports and header count as well as the payload; of interest with the first beat. */
  val headers = Bool()
}

/** Something that sums frames: [[FrameCrc]], or what stands for it in a proof. */
abstract class CrcWorker extends Component {
  val io = new Bundle {
    val beats = slave(Flow(CrcBeat()))
    val sums = master(Flow(Bits(32 bits)))
  }
}

/** CRC-32C's register after a frame's last byte, without the final XOR: of its payload, or of addresses, ports, header and payload.
  *
  * It takes a beat in every cycle, and the sum comes `FrameCrc.LATENCY` cycles after the last one. A beat is summed as if it were full, bytes behind the end
  * as zeros, and these zeros are then taken back: the register's step is invertible.
  */
case class FrameCrc() extends CrcWorker {
  import FrameCrc._

  /** The bytes that count; of a first beat's, addresses and ports stand right before the header. */
  private val masked = new Area {
    val valid = RegNext(io.beats.valid) init False
    val (first, last, lastByte, headers) = (RegNext(io.beats.first), RegNext(io.beats.last), RegNext(io.beats.lastByte), RegNext(io.beats.headers))
    val data = Reg(Bits(512 bits))
    private val from = HEADER_START - ADDRESSES
    for (i <- 0 until 64) {
      val byte = io.beats.data(8 * i, 8 bits)
      val own = if (i == 0) byte else byte.andMask(io.beats.lastByte >= i)
      val ofFirst = if (i < from) B(0, 8 bits) else if (i < HEADER_START) io.beats.data(8 * (i - from + ADDRESS_START), 8 bits) else byte
      data(8 * i, 8 bits) := io.beats.first ? ofFirst | own
    }
  }
  private val share = new Area {
    val valid = RegNext(masked.valid) init False
    val (first, last, lastByte, headers) = (RegNext(masked.first), RegNext(masked.last), RegNext(masked.lastByte), RegNext(masked.headers))
    val value = RegNext(Gf2(masked.data, 32)(Gf2.absorb(_, 64)))
  }
  private val register = new Area {
    val ended = RegNext(share.valid && share.last) init False
    val missing = RegNext(~share.lastByte)
    val value = Reg(Bits(32 bits))
    private val begun = B(Gf2.advance(ONES, ADDRESSES + 64 - HEADER_START), 32 bits)
    when(share.valid) {
      value := share.value ^ Gf2(value, 32)(Gf2.advance(_, 64))
      when(share.first)(value := share.headers ? (share.value ^ begun) | B(ONES, 32 bits))
    }
  }
  /** Two bits of the number of missing bytes in each cycle. */
  private val taken = (0 until 6 by 2).foldLeft((register.ended, register.missing.asBits, register.value)) { case ((valid, missing, value), bit) =>
    val once = missing(bit) ? Gf2(value, 32)(Gf2.advance(_, -(1 << bit))) | value
    val twice = missing(bit + 1) ? Gf2(once, 32)(Gf2.advance(_, -(2 << bit))) | once
    (RegNext(valid) init False, RegNext(missing), RegNext(twice))
  }
  io.sums.valid := taken._1
  io.sums.payload := taken._3
}

object FrameCrc {
  /** Cycles from the last beat to the sum. */
  val LATENCY = 6
  val ONES: BigInt = BigInt("ffffffff", 16)
  private val ADDRESS_START = mneme.net.FrameField.SRC_IP._1
  private val ADDRESSES = 12
  private val HEADER_START = mneme.net.FrameField.MNEME_START
}
