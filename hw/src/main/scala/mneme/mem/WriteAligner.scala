package mneme.mem

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** Shifts payload beats to the lines of memory: line j takes its bytes from `offset` up from beat j and those below from beat j − 1. */
class WriteAligner(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val spans = slave(Stream(Span(c)))
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
    /** Bytes up to the end of the span in its last line. */
    val endBytes = UInt(7 bits)
    /** Line within the 4 KB block where the span begins. */
    val line = UInt(6 bits)
  }

  private val index = Reg(UInt(8 bits)) init 0
  private val span = io.spans.payload
  private val beats = span.beats
  private val lastBeat = index === beats - 1
  private val end = span.offset +^ span.length

  private val rotator = new ByteRotator(BeatInfo())
  private val beat = rotator.io.beats
  beat.valid := io.spans.valid && io.payload.valid
  beat.data := io.payload.payload
  beat.amount := U(0, 6 bits) - span.offset
  beat.info.offset := span.offset
  beat.info.first := index === 0
  beat.info.last := lastBeat
  beat.info.spills := span.lines =/= beats
  beat.info.endBytes := ((end - 1)(5 downto 0) +^ U(1)).resize(7)
  beat.info.line := span.address(11 downto 6)
  io.payload.ready := beat.ready && io.spans.valid
  io.spans.ready := beat.fire && lastBeat
  when(beat.fire) { index := lastBeat ? U(0) | index + 1 }

  private val now = rotator.io.turned
  private val before = Reg(Bits(512 bits))
  private val spill = RegInit(False)
  private val spillEnd = Reg(UInt(7 bits))
  private val count = Reg(UInt(6 bits))
  private val line = (!spill && now.info.first) ? now.info.line | count

  private val out = Stream(WriteLine())
  out.valid := spill || now.valid
  now.ready := out.ready && !spill
  when(out.fire) {
    spill := !spill && now.info.last && now.info.spills
    count := line + 1
  }
  when(now.fire) {
    before := now.data
    spillEnd := now.info.endBytes
  }

  private val below = ByteMask.below(now.info.offset.resize(7))
  private val older = spill ? B(64 bits, default -> True) | below
  private val olderBits = ByteMask.bits(older)
  private val ends = spill || (now.info.last && !now.info.spills)
  private val notBefore = (!spill && now.info.first) ? ~below | B(64 bits, default -> True)
  private val notAfter = ends ? ByteMask.below(spill ? spillEnd | now.info.endBytes) | B(64 bits, default -> True)
  private val strobe = notBefore & notAfter
  out.data := (before & olderBits) | (now.data & ~olderBits)
  out.strobe := faults(MemoryFault.StrobeShifted)(strobe |<< 1)(strobe)
  out.last := ends || line === 63
  out.end := ends
  io.lines << out.m2sPipe()
}
