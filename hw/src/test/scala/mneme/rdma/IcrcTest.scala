package mneme.rdma

import mneme.Simulation
import mneme.rdma.RoceReference.{icrc, random}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.util.Random

/** What [[Icrc]] makes of registers. */
class IcrcParts extends Component {
  val io = new Bundle {
    val register = in Bits (32 bits)
    val words = in UInt (4 bits)
    val lastByte = in UInt (6 bits)
    val before, right = out Bits (32 bits)
  }
  private val more = (0 until 4).map(i => (io.words(i), 4 << i))
  io.before := Icrc.takeBack(Icrc.takeBack(io.register, 2, more.take(2)), 0, more.drop(2))
  io.right := Icrc.right(io.lastByte)
}

/** The parts of the ICRC that are no sum, all cases of them. The reference is the shift register of IEEE 802.3 3.2.9, bit by bit, from its polynomial. */
class IcrcTest extends AnyFunSuite {
  /** Powers of x below 32. A reflected register has the highest in its bit 0. */
  private val TERMS = Seq(26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0)
  private val taps = TERMS.map(t => BigInt(1) << (31 - t)).sum

  private def shift(register: BigInt, bit: Boolean): BigInt = if (register.testBit(0) != bit) (register >> 1) ^ taps else register >> 1
  private def zeros(register: BigInt, bytes: Int): BigInt = (0 until 8 * bytes).foldLeft(register)((r, _) => shift(r, bit = false))
  private def sum(register: BigInt, bytes: Seq[Int]): BigInt =
    bytes.foldLeft(register)((r, byte) => (0 until 8).foldLeft(r)((s, i) => shift(s, (byte >> i & 1) == 1)))

  test("the zeros behind a packet are taken back, and what is left of a right one is known") {
    Simulation.config.compile(new IcrcParts).doSim("parts", 1) { dut =>
      val r = new Random(1)
      // Both ways are linear, so what holds for each bit of a register, and for none, holds for all registers.
      for (register <- BigInt(0) +: (0 until 32).map(BigInt(1) << _); words <- 0 until 16) {
        dut.io.register #= zeros(register, 2 + 4 * words)
        dut.io.words #= words
        sleep(1)
        assert(dut.io.before.toBigInt == register, s"$register behind $words words")
      }
      for (lastByte <- 0 until 64) {
        // A packet without what routers change: the reference's masks and its eight ones are then bytes like others.
        val packet = random(r, 42 + r.nextInt(80))
        val masked = Seq(15, 22, 24, 25, 40, 41).foldLeft(packet)((p, i) => p.updated(i, 0xff))
        val counted = Seq.fill(8)(0xff) ++ (if (packet.size > 46) masked.updated(46, 0xff) else masked).drop(14)
        dut.io.lastByte #= lastByte
        sleep(1)
        val whole = sum(sum((BigInt(1) << 32) - 1, counted), icrc(packet))
        assert(dut.io.right.toBigInt == zeros(whole, 63 - lastByte), s"behind byte $lastByte")
      }
    }
  }
}
