package mneme.mem

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** The blocks that accesses of one kind, still in flight, touch: a ring of places, one per block, in the order of the accesses.
  *
  * Accesses of one kind end in the order in which they began (one AXI id). An access over a block border takes one place after the other.
  */
class BlocksInFlight(c: CBoardConfig, faultyHits: Bool => Bool) extends Area {
  private val depth = MemoryAccess.inFlight
  private val blockBits = c.memBits - MemoryAccess.blockBits(c)
  private val blocks = Vec.fill(depth)(Reg(UInt(blockBits bits)))
  private val taken = Vec.fill(depth)(RegInit(False))
  /** The access has more blocks: the next place ends with this one. */
  private val more = Vec.fill(depth)(Reg(Bool()))
  private val tail, head = Reg(UInt(log2Up(depth) bits)) init 0

  /** A block joins; `joinsMore`: another one of the same access follows. */
  val joins = Flow(UInt(blockBits bits))
  val joinsMore = Bool()
  /** The oldest access ends. */
  val ended = Bool()
  /** Room for a block. */
  val room: Bool = !taken(tail)
  val busy: Bool = taken(head)

  /** Whether an access in flight touches the block. */
  def hits(block: UInt): Bool = faultyHits(blocks.zip(taken).map { case (b, t) => t && b === block }.orR)

  private val second = head + 1
  private val two = more(head)
  when(ended) {
    taken(head) := False
    when(two)(taken(second) := False)
    head := head + (two ? U(2, 2 bits) | U(1, 2 bits))
  }
  when(joins.valid) {
    blocks(tail) := joins.payload
    more(tail) := joinsMore
    taken(tail) := True
    tail := tail + 1
  }
}

/** The words that atomics in flight work on. */
class WordsInFlight(c: CBoardConfig, faultyHits: Bool => Bool) extends Area {
  private val depth = MemoryAccess.atomics
  private val words = Vec.fill(depth)(Reg(UInt(c.memBits - 3 bits)))
  private val taken = Vec.fill(depth)(RegInit(False))
  private val tail, head = Reg(UInt(log2Up(depth) bits)) init 0

  val joins = Flow(UInt(c.memBits - 3 bits))
  val ended = Bool()
  val room: Bool = !taken(tail)
  val busy: Bool = taken(head)

  /** Whether an atomic in flight works on the word; in the block. */
  def hits(word: UInt): Bool = faultyHits(words.zip(taken).map { case (w, t) => t && w === word }.orR)
  def hitsBlock(block: UInt): Bool =
    faultyHits(words.zip(taken).map { case (w, t) => t && w.takeHigh(block.getWidth).asUInt === block }.orR)

  when(ended) {
    taken(head) := False
    head := head + 1
  }
  when(joins.valid) {
    words(tail) := joins.payload
    taken(tail) := True
    tail := tail + 1
  }
}
