package mneme.rdma

import mneme.CBoardConfig
import mneme.chain.ChainConfig
import mneme.leaf.LeafConfig
import mneme.wire.Wire
import spinal.core._

/** What an RDMA port holds. `slots` are places of packets between the wire and the responder. */
case class RoceConfig(
    c: CBoardConfig,
    queuePairs: Int = 1024,
    regions: Int = 1024,
    slots: Int = 32,
    /** READs and atomics of all queue pairs that may be unanswered. */
    jobs: Int = 64,
    /** WRITEs of all queue pairs that may be on their way to memory. */
    flights: Int = 8,
    /** Cycles between two congestion notifications of a queue pair: 50 µs. */
    notificationGap: Int = 12500,
    /** ODRP's chains at the same port: queue pairs whose numbers have bit `CHAIN_BIT`. */
    chains: Option[ChainConfig] = None
) {
  for ((name, count) <- Seq("queuePairs" -> queuePairs, "regions" -> regions))
    require(count >= 2 && count <= 4096 && Integer.bitCount(count) == 1, s"$name: a power of two from 2 to 4,096 is needed, not $count")
  require(slots >= 2 && slots <= 256, s"slots: $slots places of packets are outside 2 to 256")
  require(jobs >= 1 && jobs <= 255, s"jobs: $jobs READs and atomics are outside 1 to 255, to which registers count")
  require(flights >= 2 && flights <= 16 && Integer.bitCount(flights) == 1, s"flights: a power of two from 2 to 16 is needed, not $flights")

  val queuePairBits: Int = log2Up(queuePairs)
  val regionBits: Int = log2Up(regions)
  val slotBits: Int = log2Up(slots)
  /** Of packets that come. */
  val shares: ArrivalShares = ArrivalShares(queuePairs, chains.fold(0)(_.pairs))
  /** The leaf unit, of which queue pairs may give up pages. */
  val leaf: Option[LeafConfig] = if (c.leaf) Some(LeafConfig.board(c)) else None
  /** Tokens of the largest packet: pieces as long as the engine takes, and a page border. */
  val tokens: Int = (RoceReceive.PAYLOAD_MAX + c.maxPayload - 1) / c.maxPayload + 1

  /** Reads of which data may still come: those of a packet, and of the packets before it. Of these, when it begins, [[RoceResponder.chunks]] has twice as
    * many and the one that was added last, and behind that queue stands the one whose data are taken.
    */
  val reads: Int = tokens + 2 * tokens + 1 + 1
  require(
    reads <= c.contexts + 1,
    s"mtu: a packet of ${RoceReceive.PAYLOAD_MAX} bytes is $tokens tokens of ${c.maxPayload} bytes, so data of $reads reads may still come, and a door with ${c.contexts} contexts has ${c.contexts + 1} at most"
  )
}

object RoceConfig {
  /** Of a port with chains: numbers of chain queue pairs have it, those of others do not. */
  val CHAIN_BIT: Int = log2Up(Wire.CHAIN_QPN_BIT)
  /** READs and atomics that a queue pair remembers. */
  val REMEMBERED = 16
  /** Beats of data that may wait for the transmitter when another answer is begun: what the line takes until the answer's own data come. Whoever has nothing
    * that waits comes behind as many, and behind an answer or two.
    */
  val AHEAD = 64
  /** The last step of the timer of "not ready": 1.28 ms. */
  val NOT_READY_STEPS = 14
}
