package mneme.mem

import mneme.{CBoardConfig, PayloadBeat}
import spinal.core._
import spinal.lib._

/** Shifts returned lines to payload beats. Output beat j takes its low bytes from line j and the others from line j + 1:
  * all lines are turned by the same amount, so each byte already stands where it is wanted and a choice per byte remains.
  */
class ReadAligner(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(ReadCommand(c)))
    val returned = slave(Stream(ReturnedBeat()))
    val payload = master(Stream(PayloadBeat()))
  }

  /** What the realigner must know of a line. */
  case class LineInfo() extends Bundle {
    val error = Bool()
    /** Bytes of payload in the beat that begins in this line. */
    val bytes = UInt(7 bits)
    /** The beat that begins in this line ends in the next one. */
    val spills = Bool()
    /** No beat begins in this line: it only completes the one before. */
    val tail = Bool()
  }

  /** Lines with what is known of them, in the order of the commands; `zeros` commands make lines of their own. */
  private val index = Reg(UInt(8 bits)) init 0
  private val span = io.commands.span
  private val zeros = io.commands.zeros
  private val beats = span.beats
  private val lines = zeros ? beats | span.lines
  private val lastBeat = index === beats - 1
  private val lastLine = index === lines - 1
  private val lastBytes = ((span.length - 1)(5 downto 0) +^ U(1)).resize(7)

  private val rotator = new ByteRotator(LineInfo())
  private val line = rotator.io.beats
  line.valid := io.commands.valid && (zeros || io.returned.valid)
  line.data := io.returned.data
  line.amount := span.offset
  line.info.error := io.returned.error && !zeros
  line.info.bytes := U(64, 7 bits)
  when(lastBeat) { line.info.bytes := faults(MemoryFault.LengthOffByOne)(lastBytes + 1)(lastBytes) }
  when(zeros) { line.info.bytes := 0 }
  line.info.spills := !lastLine
  line.info.tail := index === beats
  io.returned.ready := line.ready && io.commands.valid && !zeros
  io.commands.ready := line.fire && lastLine
  when(line.fire) { index := lastLine ? U(0) | index + 1 }

  /** The line whose beat goes out next; the one after it stands at the rotator's end. */
  private val next = rotator.io.turned
  private val heldValid = RegInit(False)
  private val held = Reg(rotator.Beat())
  private val out = Stream(PayloadBeat())
  out.valid := heldValid && (!held.info.spills || next.valid)
  next.ready := !heldValid || out.ready
  when(out.fire) { heldValid := False }
  when(next.fire) {
    heldValid := !next.info.tail
    held := next.payload
  }

  private val own = ByteMask.bits(ByteMask.below(U(64, 7 bits) - held.amount))
  private val present = ByteMask.bits(ByteMask.below(held.info.bytes))
  out.data := ((held.data & own) | (next.data & ~own)) & present
  out.error := held.info.error || (held.info.spills && held.amount =/= 0 && next.info.error)
  io.payload << out.m2sPipe()
}
