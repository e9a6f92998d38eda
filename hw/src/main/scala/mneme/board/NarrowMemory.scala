package mneme.board

import mneme.{CBoardConfig, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** The core's memory port of 512 bits onto one of 64, for boards whose wires are few.
  *
  * A line of 64 bytes becomes eight words, a burst of `n` lines one of `8 n` words; AXI4 has 256 words in a burst at most, so bursts of more than 32 lines
  * become two. All that goes out has id 0, so answers must come in the order of what was asked; the core's ids wait here. Errors of any of a line's words,
  * or of either half of a write, are told with the line, or with the write.
  */
case class NarrowMemory(c: CBoardConfig) extends Component {
  import NarrowMemory._

  val io = new Bundle {
    val core = slave(Axi4(MemoryBus.config(c, MemoryBus.PORT_ID_BITS)))
    val port = master(Axi4(config(c)))
  }

  /** A burst whose answer is to come. */
  private case class Asked() extends Bundle {
    val id = UInt(MemoryBus.PORT_ID_BITS bits)
    /** Lines, less one; a burst lies within 4 KB. */
    val lines = UInt(6 bits)
    def halves: Bool = lines.msb
  }

  /** Cuts a burst in two where it must, and remembers it. */
  private def addresses[T <: Axi4Ax](in: Stream[T], out: Stream[T]): Stream[Asked] = new Composite(in, "addresses") {
    val second = RegInit(False)
    val asked = Stream(Asked())
    private val halves = asked.halves
    private val ends = !halves || second
    out.valid := in.valid && asked.ready
    // The first half of a burst that is cut is 2 KB.
    out.addr := in.addr + (U(HALF_BYTES, c.memBits bits).andMask(second))
    out.len := ((halves && !second) ? U(HALF_LINES - 1, 5 bits) | asked.lines(4 downto 0)) @@ U(WORDS - 1, 3 bits)
    out.id := 0
    out.size := log2Up(WORD_BYTES)
    out.burst := Axi4.burst.INCR
    in.ready := out.ready && asked.ready && ends
    when(out.fire)(second := !ends)
    asked.valid := in.fire
    asked.id := in.id
    asked.lines := in.len.resized
    val waiting = asked.queueLowLatency(OPEN, latency = 1)
  }.waiting

  val reads = new Area {
    private val asked = addresses(io.core.ar, io.port.ar)
    private val (in, out) = (io.port.r, io.core.r)
    val line = Vec(Reg(Bits(8 * WORD_BYTES bits)), WORDS)
    val resp = Reg(Bits(2 bits))
    val lane = Reg(UInt(log2Up(WORDS) bits)) init 0
    val count = Reg(UInt(6 bits)) init 0
    val full = RegInit(False)
    in.ready := !full || out.ready
    when(out.fire)(full := False)
    when(in.fire) {
      for (i <- 0 until WORDS) when(lane === i)(line(i) := in.data)
      resp := (lane === 0) ? in.resp | (resp | in.resp)
      lane := lane + 1
      when(lane.andR)(full := True)
    }
    out.valid := full
    out.data := line.asBits
    out.resp := resp
    out.id := asked.id
    out.last := count === asked.lines
    asked.ready := out.fire && out.last
    when(out.fire)(count := out.last ? U(0) | count + 1)
  }

  val writes = new Area {
    private val asked = addresses(io.core.aw, io.port.aw)
    private val (in, out) = (io.core.w, io.port.w)
    /** The word that goes next is lowest. */
    val line = Reg(Bits(8 * LINE_BYTES bits))
    val strobes = Reg(Bits(LINE_BYTES bits))
    val holds, last = RegInit(False)
    val lane = Reg(UInt(log2Up(WORDS) bits)) init 0
    val count = Reg(UInt(5 bits)) init 0
    private val empties = out.fire && lane.andR
    in.ready := !holds || empties
    when(out.fire) {
      line := line |>> 8 * WORD_BYTES
      strobes := strobes |>> WORD_BYTES
      lane := lane + 1
    }
    when(empties) {
      holds := False
      // Behind 32 lines, too, it is 0 again.
      count := last ? U(0) | count + 1
    }
    when(in.fire) {
      holds := True
      line := in.data
      strobes := in.strb
      last := in.last
    }
    out.valid := holds
    out.data := line(8 * WORD_BYTES - 1 downto 0)
    out.strb := strobes(WORD_BYTES - 1 downto 0)
    out.last := lane.andR && (last || count.andR)

    /** The first half's answer has come, and what it was. */
    val half = RegInit(False)
    val kept = Reg(Bits(2 bits)) init 0
    private val (answer, told) = (io.port.b, io.core.b)
    private val waits = asked.halves && !half
    answer.ready := asked.valid && (waits || told.ready)
    told.valid := answer.valid && asked.valid && !waits
    told.id := asked.id
    told.resp := answer.resp | kept
    asked.ready := told.fire
    when(answer.fire) {
      half := waits
      kept := waits ? answer.resp | B(0, 2 bits)
    }
  }
}

object NarrowMemory {
  val LINE_BYTES = 64
  val WORD_BYTES = 8
  val WORDS: Int = LINE_BYTES / WORD_BYTES
  private val HALF_LINES = 256 / WORDS
  private val HALF_BYTES = HALF_LINES * LINE_BYTES
  /** Bursts whose answers are to come, each way. */
  private val OPEN = 8

  /** 64 bits, one id, INCR bursts of up to 256 words. */
  def config(c: CBoardConfig): Axi4Config = MemoryBus.config(c, 1).copy(dataWidth = 8 * WORD_BYTES)
}
