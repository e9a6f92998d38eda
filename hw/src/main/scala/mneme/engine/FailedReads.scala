package mneme.engine

import mneme.CBoardConfig
import mneme.leaf.LeafConfig
import mneme.mem.ReadCommand
import mneme.vm.Translated
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Remembers the last reads that met an error of memory, and tells it to the next token that reads the same bytes.
  *
  * A read completes before its data come, so the completion may have said OK, and the data were marked as damaged. Who asked asks again, and shall
  * hear MEMERR instead of damage for ever. What was told is forgotten: the read after that goes to memory.
  *
  * Of a split page both frames are compared: reads that begin in a page without a frame all begin in the frame of zeros, whosever they are.
  */
class FailedReads(val c: CBoardConfig) extends Component {
  val io = new Bundle {
    val failed = slave(Flow(ReadCommand(c)))
    val translated = slave(Stream(Translated(c)))
    val tokens = master(Stream(Translated(c)))
  }

  private case class Span() extends Bundle {
    val address = UInt(c.memBits bits)
    val length = UInt(14 bits)
    val next = c.leaf generate UInt(c.memBits - LeafConfig.FRAME_LOG2 bits)
  }
  private val valid = Reg(Bits(FailedReads.kept bits)) init 0
  private val spans = Vec.fill(FailedReads.kept)(Reg(Span()))
  private val next = Counter(FailedReads.kept)
  private val token = io.translated.payload
  private val matching = B(spans.map { span =>
    val same = span.address === token.address && span.length === token.length(13 downto 0)
    if (c.leaf) same && span.next === token.leaf.next else same
  }) & valid
  private val tells = matching.orR && token.operation === Operation.read

  when(io.translated.fire && tells)(valid := valid & ~matching)
  when(io.failed.valid) {
    spans(next).address := io.failed.address
    spans(next).length := (io.failed.lastByte +^ U(1)).resized
    if (c.leaf) spans(next).next := io.failed.next
    valid(next) := True
    next.increment()
  }

  io.tokens << io.translated.map { token =>
    val told = CombInit(token)
    when(tells) {
      told.operation := Operation.nothing
      told.report.outcome.fail(Wire.Status.MEMERR, Wire.Cause.DRAM)
    }
    told
  }
}

object FailedReads {
  val kept = 4
}
