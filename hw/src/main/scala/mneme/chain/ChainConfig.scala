package mneme.chain

import mneme.leaf.LeafConfig
import mneme.rdma.RoceConfig
import spinal.core._

/** What ODRP's chains on a RoCEv2 port hold. The golden model is `mneme_rdma::node`. */
case class ChainConfig(
    l: LeafConfig,
    /** Chain queue pairs. */
    pairs: Int = 128,
    /** Replies of each that may be unanswered. */
    replies: Int = 32,
    /** Cycles of 10 µs, a tick of replies' times. */
    tick: Int = 2500
) {
  require(tick >= 2, s"tick: at least 2 cycles are needed, not $tick")
  require(pairs >= 2 && pairs <= 1024 && Integer.bitCount(pairs) == 1, s"pairs: a power of two from 2 to 1,024 is needed, not $pairs")
  require(replies >= 2 && replies <= 32 && Integer.bitCount(replies) == 1, s"replies: a power of two from 2 to 32 is needed, not $replies")
  require(pairs <= l.fillers, s"pairs: $pairs chain queue pairs fill frames, and the leaf unit knows ${l.fillers} fillers")
  val pairBits: Int = log2Up(pairs)
  val replyBits: Int = log2Up(replies)

  /** Chains take turns as the port's queue pairs do, by lists of their own. */
  def turns: RoceConfig = RoceConfig(l.c, queuePairs = pairs, regions = 2)
}

object ChainConfig {
  /** Packets of a queue pair that may be unanswered. */
  val WINDOW = 32

  /** How often in a row a reply is sent again without progress; then the queue pair has ended. */
  val RETRIES = 7

  /** Of times in ticks: they are compared around the wrap, and the longest wait is 65,537. */
  val TIME_BITS = 18

  /** Ticks of 10 µs that a peer's "not ready" of each code asks for (IBTA volume 1, table 45). */
  val NOT_READY: Seq[Int] = Seq(65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144,
    8192, 12288, 16384, 24576, 32768, 49152)
}
