package mneme.rdma

import mneme.Faults
import mneme.board.Fcs
import mneme.trailer.Gf2
import spinal.core._
import spinal.lib._

/** The invariant CRC: Ethernet's CRC-32 over what no router changes of a packet (IBTA volume 1, 7.8.1 and annex A17.3).
  *
  * Eight bytes of ones go before the IPv4 header, for a route header that RoCEv2 does not have. They take the place of the last eight bytes of Ethernet's
  * header, so the bytes of a beat stay where they are.
  */
object Icrc {
  val BYTES = 4

  /** First byte of a frame that counts. */
  private val START = 6

  /** The route header; type of service, time to live and checksum of IPv4; checksum of UDP; the byte with the congestion bits. */
  private val ONES = (START until 14).toSet ++ Set(15, 22, 24, 25, 40, 41, RoceField.CONGESTION._1)

  /** The register behind a frame's first beat, but for the beat's share. */
  private val BEGUN = Fcs.advance(Fcs.ONES, 64 - START)

  /** A frame's first beat with ones where routers may change it. */
  def invariant(beat: Bits, planted: Faults[RoceFault.Value] = Faults.none): Bits = {
    val counted = (0 until 64).map { i =>
      val byte = beat(8 * i, 8 bits)
      if (i < START) B(0, 8 bits)
      else if (i == RoceField.CONGESTION._1) planted.choose(RoceFault.CongestionCovered, wrong = byte, right = B(0xff, 8 bits))
      else if (ONES(i)) B(0xff, 8 bits)
      else byte
    }
    counted.asBits()
  }

  /** The register behind a packet with a right ICRC and as many zeros as its last beat has bytes behind `lastByte`. */
  def right(lastByte: UInt): Bits = Vec((0 until 64).map(last => B(Fcs.advance(Fcs.RESIDUE, 63 - last), 32 bits))).read(lastByte)

  /** Takes `bytes` zeros back, and so many more for each choice of `more`. Behind a packet without its ICRC a beat has 2 zeros and 4 for each word that it
    * has too few, since all headers but Ethernet's are whole words: four choices instead of six.
    */
  def takeBack(register: Bits, bytes: Int, more: Seq[(Bool, Int)]): Bits =
    more.foldLeft(if (bytes == 0) register else Gf2(register, 32)(Fcs.advance(_, -bytes))) { case (value, (taken, count)) =>
      taken ? Gf2(value, 32)(Fcs.advance(_, -count)) | value
    }

  /** A beat that is summed. */
  def next(register: Bits, share: Bits, first: Bool): Bits = share ^ (first ? B(BEGUN, 32 bits) | Fcs.next(register, 64))
}

/** A beat for [[IcrcRegister]]: a first one is [[Icrc.invariant]], the last one has zeros behind its end. */
case class IcrcBeat() extends Bundle {
  val data = Bits(512 bits)
  val first, last = Bool()
}

/** The CRC's register behind the beats of packets, one in each cycle; it shows a beat two cycles later, and stays until the next one. */
case class IcrcRegister() extends Component {
  val io = new Bundle {
    val beats = slave(Flow(IcrcBeat()))
    /** Valid with a packet's last beat. */
    val sums = master(Flow(Bits(32 bits)))
  }
  private val share = new Area {
    val valid = RegNext(io.beats.valid) init False
    val (first, last) = (RegNext(io.beats.first), RegNext(io.beats.last))
    val value = RegNextWhen(Fcs.share(io.beats.data), io.beats.valid)
  }
  private val register = Reg(Bits(32 bits))
  when(share.valid)(register := Icrc.next(register, share.value, share.first))
  io.sums.valid := RegNext(share.valid && share.last) init False
  io.sums.payload := register
}
