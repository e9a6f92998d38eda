package mneme.mem

import mneme._
import mneme.engine.PayloadBeat
import spinal.core._
import spinal.lib._

/** Shifts returned lines to payload beats. Output beat j takes its low bytes from line j and the others from line j + 1:
  * all lines are turned by the same amount, so each byte already stands where it is wanted and a choice per byte remains.
  *
  * Nothing here waits: a line may come in every cycle, and a beat leaves for each at most.
  */
class ReadAligner(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    /** The reads that lines come for, in order. */
    val commands = slave(Stream(ReadCommand(c)))
    /** Whose the first of these reads is (one-hot). */
    val door = in Bits (c.doors bits)
    val returned = slave(Flow(ReturnedBeat()))
    val payload = master(Flow(AlignedBeat(c)))
    /** A line of this door passed from which no beat comes. */
    val tail = out Bits (c.doors bits)
    /** The last line of a translated read has come, and one of its lines met an error. */
    val failed = master(Flow(ReadCommand(c)))
  }

  /** What the realigner must know of a line. */
  case class LineInfo() extends Bundle {
    val error = Bool()
    val door = Bits(c.doors bits)
    /** Index of the last byte of payload in the beat that begins in this line. */
    val lastByte = UInt(6 bits)
    /** The beat that begins in this line ends in the next one. */
    val spills = Bool()
    /** No beat begins in this line: it only completes the one before. */
    val tail = Bool()
  }

  /** Lines with what is known of them, in the order of the commands. */
  private val index = Reg(UInt(8 bits)) init 0
  private val extent = io.commands.extent
  private val lastBeat = index === extent.lastBeat
  /** The line behind the one in which the last beat began. */
  private val tail = Reg(Bool()) init False
  private val lastLine = tail || lastBeat && !extent.spills
  private val lastByte = extent.lastByte(5 downto 0)

  private val rotator = new ByteRotator(LineInfo())
  private val line = rotator.io.beats
  line.valid := io.returned.valid
  line.data := io.returned.data
  line.amount := extent.offset
  line.info.error := io.returned.error
  line.info.door := io.door
  line.info.lastByte := lastBeat ? faults.choose(MemoryFault.LengthOffByOne, wrong = lastByte + 1, right = lastByte) | U(63, 6 bits)
  line.info.spills := !lastLine
  line.info.tail := tail
  io.commands.ready := io.returned.valid && lastLine
  io.tail := RegNext(io.door.andMask(io.returned.valid && tail)) init 0
  private val earlier = RegInit(False)
  when(io.returned.valid) {
    index := lastLine ? U(0) | index + 1
    tail := lastBeat && !lastLine
    earlier := !lastLine && (earlier || io.returned.error)
  }
  private def tells: Bool = {
    val fails = io.returned.valid && lastLine && (earlier || io.returned.error)
    if (c.framesDoor) fails && !faults.choose(MemoryFault.FrameErrorKept, wrong = False, right = io.door.msb) else fails
  }
  io.failed.valid := RegNext(tells) init False
  io.failed.payload := RegNext(io.commands.payload)

  /** The line whose beat goes out next; the one after it stands at the rotator's end. */
  private val next = rotator.io.turned
  private val heldValid = RegInit(False)
  private val held = Reg(rotator.Beat())
  next.ready := True
  io.payload.valid := heldValid && (!held.info.spills || next.valid)
  when(io.payload.valid) { heldValid := False }
  when(next.valid) {
    heldValid := !next.info.tail
    held := next.payload
  }

  private val amount = U(64, 7 bits) - held.amount
  io.payload.door := held.info.door
  io.payload.beat.data := knownBytes(heldValid) { i =>
    val byte = (U(i, 7 bits) < amount) ? held.data(8 * i, 8 bits) | next.data(8 * i, 8 bits)
    byte.andMask(ByteMask.through(i, held.info.lastByte))
  }
  io.payload.beat.error := held.info.error || (held.info.spills && held.amount =/= 0 && next.info.error)
}

/** A beat of payload for a door's buffer. */
case class AlignedBeat(c: CBoardConfig) extends Bundle {
  val beat = PayloadBeat()
  val door = Bits(c.doors bits)
}
