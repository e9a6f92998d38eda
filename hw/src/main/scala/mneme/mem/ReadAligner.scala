package mneme.mem

import mneme._
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
    val error, zeros = Bool()
    /** Index of the last byte of payload in the beat that begins in this line. */
    val lastByte = UInt(6 bits)
    /** The beat that begins in this line ends in the next one. */
    val spills = Bool()
    /** No beat begins in this line: it only completes the one before. */
    val tail = Bool()
  }

  /** Lines with what is known of them, in the order of the commands; `zeros` commands make lines of their own. */
  private val index = Reg(UInt(8 bits)) init 0
  private val extent = io.commands.extent
  private val zeros = io.commands.zeros
  private val lastBeat = index === extent.lastBeat
  /** The line behind the one in which the last beat began. */
  private val tail = Reg(Bool()) init False
  private val lastLine = tail || lastBeat && (zeros || !extent.spills)
  private val lastByte = extent.lastByte(5 downto 0)

  private val rotator = new ByteRotator(LineInfo())
  private val line = rotator.io.beats
  line.valid := io.commands.valid && (zeros || io.returned.valid)
  line.data := io.returned.data
  line.amount := extent.offset
  line.info.error := io.returned.error && !zeros
  line.info.zeros := zeros
  line.info.lastByte := lastBeat ? faults(MemoryFault.LengthOffByOne)(lastByte + 1)(lastByte) | U(63, 6 bits)
  line.info.spills := !lastLine
  line.info.tail := tail
  io.returned.ready := line.ready && io.commands.valid && !zeros
  io.commands.ready := line.fire && lastLine
  when(line.fire) {
    index := lastLine ? U(0) | index + 1
    tail := lastBeat && !lastLine
  }

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

  private val amount = U(64, 7 bits) - held.amount
  out.data := knownBytes(heldValid) { i =>
    val byte = (U(i, 7 bits) < amount) ? held.data(8 * i, 8 bits) | next.data(8 * i, 8 bits)
    byte.andMask(ByteMask.through(i, held.info.lastByte) && !held.info.zeros)
  }
  out.error := held.info.error || (held.info.spills && held.amount =/= 0 && next.info.error)
  io.payload << out.m2sPipe()
}
