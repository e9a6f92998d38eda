package mneme.board

import mneme.board.PcsReference._
import spinal.core.sim._

import scala.util.Random

/** Words and blocks between benches, reference and ports. */
object PcsSim {
  def put(port: Xgmii, word: Word): Unit = {
    port.data #= word.zipWithIndex.map { case (lane, i) => BigInt(lane.value) << (8 * i) }.foldLeft(BigInt(0))(_ | _)
    port.control #= word.zipWithIndex.map { case (lane, i) => BigInt(if (lane.control) 1 << i else 0) }.sum
  }
  def word(port: Xgmii): Word = {
    val (data, flags) = (port.data.toBigInt, port.control.toInt)
    (0 until 8).map(i => Lane(((flags >> i) & 1) == 1, ((data >> (8 * i)) & 0xff).toInt))
  }
  private def number(bits: Seq[Boolean]): BigInt = bits.zipWithIndex.foldLeft(BigInt(0)) { case (n, (bit, i)) => if (bit) n.setBit(i) else n }
  def put(port: Block, bits: Seq[Boolean]): Unit = {
    port.header #= number(bits.take(2))
    port.data #= number(bits.drop(2))
  }
  def bits(port: Block): Seq[Boolean] = {
    val (header, payload) = (port.header.toBigInt, port.data.toBigInt)
    (0 until 2).map(header.testBit) ++ (0 until 64).map(payload.testBit)
  }

  private def anyCode(r: Random): Lane = if (r.nextInt(4) > 0) control(0x07) else control(codes.keys.toSeq.sorted.apply(r.nextInt(codes.size)))
  private def bytes(r: Random, count: Int): Word = Seq.fill(count)(data(r.nextInt(256)))
  private def someOrdered(r: Random): Word = control(if (r.nextInt(3) > 0) 0x9c else 0x5c) +: bytes(r, 3)
  private def someCodes(r: Random, count: Int): Word = Seq.fill(count)(anyCode(r))

  /** A word of a kind that clause 49 names, or now and then one that has no block. */
  def someWord(r: Random): Word = r.nextInt(12) match {
    case 0 | 1 => Seq.fill(8)(control(0x07))
    case 2 => someCodes(r, 8)
    case 3 => (if (r.nextBoolean()) someOrdered(r) else someCodes(r, 4)) ++ (if (r.nextBoolean()) someOrdered(r) else someCodes(r, 4))
    case 4 | 5 =>
      if (r.nextBoolean()) control(0xfb) +: bytes(r, 7)
      else (if (r.nextBoolean()) someOrdered(r) else someCodes(r, 4)) ++ (control(0xfb) +: bytes(r, 3))
    case 6 | 7 =>
      val lane = r.nextInt(8)
      bytes(r, lane) ++ (control(0xfd) +: someCodes(r, 7 - lane))
    case 8 =>
      val broken = someWord(r)
      broken.updated(r.nextInt(8), Lane(r.nextInt(3) > 0, r.nextInt(256)))
    case 9 => Seq.fill(8)(Seq(control(0xfb), control(0xfd), control(0x9c), control(0x07), control(0xfe), data(0x55)).apply(r.nextInt(6)))
    case _ => bytes(r, 8)
  }
}
