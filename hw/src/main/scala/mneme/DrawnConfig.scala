package mneme

import java.io.File
import scala.util.{Random, Success, Try}

/** Legal configurations at random: what is legal must generate, and behave. */
object DrawnConfig {
  /** Draws until the parameters fit each other. `simulated`: of a size that a Verilated board is built and filled in seconds. */
  def apply(name: String, r: Random, simulated: Boolean): CBoardConfig =
    Iterator.continually(Try(draw(name, r, simulated))).collectFirst { case Success(c) => c }.get

  private def draw(name: String, r: Random, simulated: Boolean): CBoardConfig = {
    def upTo(from: Int, all: Int, small: Int) = from + r.nextInt((if (simulated) small else all) - from + 1)
    val pageBits = upTo(18, all = 30, small = 20)
    val tlbWays = upTo(2, all = 8, small = 8)
    CBoardConfig(
      name,
      pageBits = pageBits,
      memBits = pageBits + upTo(4, all = 14, small = 8),
      slotsLog2 = r.nextInt(7),
      tlbEntries = tlbWays << upTo(1, all = 6, small = 3),
      tlbWays = tlbWays,
      misses = upTo(2, all = 32, small = 32),
      filterSetsLog2 = upTo(1, all = 8, small = 6),
      filterWays = upTo(1, all = 16, small = 16),
      asyncDepth = upTo(2, all = 64, small = 32),
      zeroQueueDepth = upTo(2, all = 64, small = 16),
      packetSlots = 4 << r.nextInt(5),
      mtu = upTo(576, all = 9000, small = 9000),
      tickLog2 = upTo(4, all = 20, small = 11),
      burstPlaces = 8 << r.nextInt(5),
      readBeats = 1024 << r.nextInt(3),
      waitingLists = r.nextInt(4) != 0,
      trailers = r.nextBoolean()
    )
  }

  /** Arguments: folder, seed, how many. Writes `CBoard_drawnN.v` and `drawnN.json`, N from 0; the same for a seed every time. */
  def main(args: Array[String]): Unit = {
    val Array(folder, seed, count) = args
    new File(folder).mkdirs()
    for (number <- 0 until count.toInt) {
      val c = DrawnConfig(s"drawn$number", new Random(seed.toLong * 1000 + number), simulated = true)
      println(c)
      OwnConfig.write(folder, c)
    }
  }
}
