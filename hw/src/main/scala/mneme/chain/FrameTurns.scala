package mneme.chain

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** One door of frames for two: replies, which read, and stores, which write. Each names half of the contexts, by all bits but the highest one.
  *
  * Tokens take turns. What comes back goes by the context's highest bit: completions and fetches. Beats of reads are the reader's alone. Completions are in
  * the order of tokens, so who does not take his holds up the other's.
  */
case class FrameTurns(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val reads, writes = slave(FrameDoor(c))
    val frames = master(FrameDoor(c))
  }
  val plantedFaults: Option[Bits] = Faults.port(FrameTurnsFault, plantable)
  private val planted = new Faults[FrameTurnsFault.Value](plantedFaults)
  private val top = c.contextBits - 1
  private def writer(context: UInt): Bool = context(top)

  // --- Tokens. What is offered stays offered.
  private[chain] val last = RegInit(False)
  private[chain] val holds = RegNext(io.frames.tokens.isStall) init False
  private[chain] val held = Reg(Bool())
  private val turn = io.writes.tokens.valid && (!io.reads.tokens.valid || !planted.choose(FrameTurnsFault.WritesFirst, wrong = False, right = last))
  private val chosen = planted.choose(FrameTurnsFault.OfferChanges, wrong = turn, right = holds ? held | turn)
  held := chosen
  private val out = StreamMux(chosen.asUInt, Seq(io.reads.tokens, io.writes.tokens))
  io.frames.tokens.arbitrationFrom(out)
  io.frames.tokens.payload := out.payload
  io.frames.tokens.writes.removeAssignments() := chosen
  io.frames.tokens.context.removeAssignments() := chosen.asUInt @@ out.context.resize(top bits)
  when(out.fire)(last := chosen)

  // --- What comes back.
  private val data = io.frames.data
  private def split[T <: Data](from: Stream[T], ofWriter: Bool, reader: Stream[T], writer: Stream[T])(name: T => UInt): Unit = {
    for ((to, there) <- Seq(reader -> !ofWriter, writer -> ofWriter)) {
      to.valid := from.valid && there
      to.payload := from.payload
      name(to.payload).removeAssignments() := name(from.payload).resize(top bits).resized
    }
    from.ready := ofWriter ? writer.ready | reader.ready
  }
  private val completes = planted.choose(FrameTurnsFault.CompletionCrossed, wrong = last, right = writer(data.completions.context))
  split(data.completions, completes, io.reads.data.completions, io.writes.data.completions)(_.context)
  split(data.fetch, writer(data.fetch.context), io.reads.data.fetch, io.writes.data.fetch)(_.context)
  io.reads.data.payload << data.payload
  io.writes.data.payload.valid := False
  io.writes.data.payload.payload.assignFromBits(B(0, widthOf(data.payload.payload) bits))
  // An answer comes in the cycle after its command, and only writes fetch.
  data.fetched << io.writes.data.fetched
  // No token is an atomic.
  data.operands := 0
  for (user <- Seq(io.reads, io.writes)) user.data.operandsOf := 0
}

/** Defects that benches plant. No build of a board has one. */
object FrameTurnsFault extends Enumeration {
  val
  /** Tokens that write do not wait for others. */
  WritesFirst,
  /** A token that is offered gives way to another one. */
  OfferChanges,
  /** A completion goes to who asked last. */
  CompletionCrossed = Value
}
