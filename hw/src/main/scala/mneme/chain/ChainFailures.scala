package mneme.chain

import mneme.Faults
import spinal.core._
import spinal.lib._

/** Queue pairs whose replies have failed: for the peer's answers or its silence ([[ChainReplies]]), or for memory under a packet ([[ReplyReader]]).
  *
  * An example. Memory fails under four packets of queue pair 7. It is told once, and stays offered until it has ended. What is told of it meanwhile is
  * dropped: each queue pair waits once, so the queue has room for all of them.
  */
case class ChainFailures(k: ChainConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    /** Neither tells in two cycles in a row. */
    val replies = slave(Flow(ReplyFailed(k)))
    val reader = slave(Flow(UInt(k.pairBits bits)))
    /** Taken when it has ended. */
    val pairs = master(Stream(UInt(k.pairBits bits)))
    val empty = out Bool ()
  }
  val plantedFaults: Option[Bits] = Faults.port(FailuresFault, plantable)
  private val planted = new Faults[FailuresFault.Value](plantedFaults)
  private val waits = Reg(Bits(k.pairs bits)) init 0
  private val queue = StreamFifo(UInt(k.pairBits bits), k.pairs)

  // Where both tell in the same cycle, one goes a cycle later.
  private val later = Reg(Flow(UInt(k.pairBits bits)))
  later.valid init False
  when(planted.choose(FailuresFault.LaterLost, wrong = True, right = !io.reader.valid))(later.valid := False)
  when(io.replies.valid) {
    later.valid := True
    later.payload := io.replies.pair
  }
  private val told = io.reader.valid ? io.reader.payload | later.payload
  queue.io.push.valid := (io.reader.valid || later.valid) && planted.choose(FailuresFault.ToldTwice, wrong = True, right = !waits(told))
  queue.io.push.payload := told
  when(io.pairs.fire)(waits(io.pairs.payload) := False)
  when(queue.io.push.valid)(waits(told) := True)
  io.pairs << queue.io.pop
  io.empty := waits === 0 && !later.valid && !io.replies.valid && !io.reader.valid
}

/** Defects that proofs plant. No build of a board has one. */
object FailuresFault extends Enumeration {
  val
  /** A queue pair that waits is told again. */
  ToldTwice,
  /** What has to wait for the reader's is forgotten. */
  LaterLost = Value
}
