package mneme.mem

import mneme._
import spinal.core._
import spinal.lib._

/** Shifts beats of data to the lines of memory. All beats are turned by the same amount, from the place of the first byte at the door to its place in
  * its line; a line takes its upper bytes from one turned beat and those below from the beat before. Where the first byte moves down, the first
  * beat fills no line by itself.
  *
  * `lines` ends in no register: the choice between them and the words of atomics is made in the same look-up table.
  */
class WriteAligner(c: CBoardConfig, faults: Faults[MemoryFault.Value]) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(WriteCommand(c)))
    val payload = slave(Stream(Bits(512 bits)))
    val lines = master(Stream(WriteLine()))
  }

  /** What the realigner must know of a beat. */
  case class BeatInfo() extends Bundle {
    /** Bytes below come from the beat before. */
    val turn = UInt(6 bits)
    /** Place of the write's first byte in its first line, of its last byte in its last line. */
    val beginByte, endByte = UInt(6 bits)
    /** The first beat, and the first byte moves down: no line ends here. */
    val primes = Bool()
    val last = Bool()
    /** After the last beat one more line holds its upper bytes. */
    val spills = Bool()
    /** Line within the 4 KB block where the write begins. */
    val line = UInt(6 bits)
  }

  /** What all beats of a write have in common. It is worked out in a stage of its own, while the first beat is fetched. */
  private case class Plan() extends Bundle {
    val amount, turn, beginByte, endByte, line = UInt(6 bits)
    val lastFetched = UInt(8 bits)
    val movesDown, spills = Bool()
  }
  private val plans = io.commands.map { command =>
    val plan = Plan()
    val (extent, source) = (command.extent, command.source)
    plan.amount := source.offset - extent.offset
    plan.turn := extent.offset - source.offset
    plan.beginByte := extent.offset
    plan.endByte := extent.offset + extent.lastByte(5 downto 0)
    plan.line := command.line
    plan.lastFetched := command.lastFetched
    plan.movesDown := extent.offset < source.offset
    plan.spills := plan.movesDown ? (extent.spills === source.spills) | (extent.spills && !source.spills)
    plan
  }.m2sPipe()

  private val index = Reg(UInt(8 bits)) init 0
  private val lastBeat = index === plans.lastFetched

  private val rotator = new ByteRotator(BeatInfo())
  private val beat = rotator.io.beats
  beat.valid := plans.valid && io.payload.valid
  beat.data := io.payload.payload
  beat.amount := plans.amount
  beat.info.assignSomeByName(plans.payload)
  beat.info.primes := index === 0 && plans.movesDown
  beat.info.last := lastBeat
  io.payload.ready := beat.ready && plans.valid
  plans.ready := beat.fire && lastBeat
  when(beat.fire) { index := lastBeat ? U(0) | index + 1 }

  private val now = rotator.io.turned
  private val before = RegNextWhen(now.data, now.fire)
  private val earlier = RegNextWhen(now.info, now.fire)
  private val spill = RegInit(False)
  private val info = spill ? earlier | now.info
  /** The next line is the write's first; else its number. */
  private val first = RegInit(True)
  private val count = Reg(UInt(6 bits))
  private val line = first ? info.line | count

  io.lines.valid := spill || (now.valid && !now.info.primes)
  now.ready := !spill && (io.lines.ready || now.info.primes)
  when(io.lines.fire || now.fire) {
    spill := now.fire && now.info.last && now.info.spills
  }
  private val ends = spill || (now.info.last && !now.info.spills)
  when(io.lines.fire) {
    first := ends
    count := line + 1
  }

  private val goes = io.lines.valid
  private val strobe =
    knownBits(goes, 64)(i => !(first && ByteMask.below(i, info.beginByte)) && (!ends || ByteMask.through(i, info.endByte)))
  io.lines.data := knownBytes(goes)(i => (ByteMask.below(i, now.info.turn) || spill) ? before(8 * i, 8 bits) | now.data(8 * i, 8 bits))
  io.lines.strobe := faults.choose(MemoryFault.StrobeShifted, wrong = strobe |<< 1, right = strobe)
  io.lines.last := ends || line === 63
}

/** A line towards the write data channel. */
case class WriteLine() extends Bundle {
  val data = Bits(512 bits)
  val strobe = Bits(64 bits)
  /** Last of its burst. */
  val last = Bool()
}
