package mneme.mem

import mneme._
import spinal.core._
import spinal.lib._

/** Shifts payload beats to the lines of memory: line j takes its bytes from `offset` up from beat j and those below from beat j − 1.
  * `lines` ends in no register: the choice between them and the words of atomics is made in the same look-up table.
  */
class WriteAligner(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(WriteCommand(c)))
    val payload = slave(Stream(Bits(512 bits)))
    val lines = master(Stream(WriteLine()))
  }

  /** What the realigner must know of a beat. */
  case class BeatInfo() extends Bundle {
    val offset = UInt(6 bits)
    val first = Bool()
    val last = Bool()
    /** After the last beat one more line holds its upper bytes. */
    val spills = Bool()
    /** Index of the write's last byte in its last line. */
    val endByte = UInt(6 bits)
    /** Line within the 4 KB block where the write begins. */
    val line = UInt(6 bits)
  }

  private val index = Reg(UInt(8 bits)) init 0
  private val extent = io.commands.extent
  private val lastBeat = index === extent.lastBeat

  private val rotator = new ByteRotator(BeatInfo())
  private val beat = rotator.io.beats
  beat.valid := io.commands.valid && io.payload.valid
  beat.data := io.payload.payload
  beat.amount := U(0, 6 bits) - extent.offset
  beat.info.offset := extent.offset
  beat.info.first := index === 0
  beat.info.last := lastBeat
  beat.info.spills := extent.spills
  beat.info.endByte := extent.offset + extent.lastByte(5 downto 0)
  beat.info.line := io.commands.line
  io.payload.ready := beat.ready && io.commands.valid
  io.commands.ready := beat.fire && lastBeat
  when(beat.fire) { index := lastBeat ? U(0) | index + 1 }

  private val now = rotator.io.turned
  private val before = Reg(Bits(512 bits))
  private val spill = RegInit(False)
  private val spillEnd = Reg(UInt(6 bits))
  private val count = Reg(UInt(6 bits))
  private val first = !spill && now.info.first
  private val line = first ? now.info.line | count

  io.lines.valid := spill || now.valid
  now.ready := io.lines.ready && !spill
  when(io.lines.fire) {
    spill := !spill && now.info.last && now.info.spills
    count := line + 1
  }
  when(now.fire) {
    before := now.data
    spillEnd := now.info.endByte
  }

  private val goes = io.lines.valid
  private def below(i: Int): Bool = ByteMask.below(i, now.info.offset)
  private val ends = spill || (now.info.last && !now.info.spills)
  private val endByte = spill ? spillEnd | now.info.endByte
  private val strobe = knownBits(goes, 64)(i => !(first && below(i)) && (!ends || ByteMask.through(i, endByte)))
  io.lines.data := knownBytes(goes)(i => (below(i) || spill) ? before(8 * i, 8 bits) | now.data(8 * i, 8 bits))
  io.lines.strobe := faults(MemoryFault.StrobeShifted)(strobe |<< 1)(strobe)
  io.lines.last := ends || line === 63
  io.lines.end := ends
}

/** A line towards the write data channel. */
case class WriteLine() extends Bundle {
  val data = Bits(512 bits)
  val strobe = Bits(64 bits)
  /** Last of its burst. */
  val last = Bool()
  /** Last of its write. */
  val end = Bool()
}
