package mneme.leaf

import mneme.MemoryBus
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** A line to write, or `zeros`: so many bytes of zeros from it on, a burst. */
case class LineWrite(l: LeafConfig) extends Bundle {
  val line = UInt(l.lineBits bits)
  val frames = FrameLine(l)
  val zeros = Bool()
}

/** The leaf unit's memory port: lines of entries, lines of the ring, and zeros, told apart by their ids. Answers are always taken. */
case class LeafMemory(l: LeafConfig) extends Component {
  import LeafMemory._
  val io = new Bundle {
    val read = Vec(slave(Stream(UInt(l.lineBits bits))), 2)
    val got = Vec(master(Flow(RingLine(l.frameBits, LeafConfig.LANES))), 2)
    val write = Vec(slave(Stream(LineWrite(l))), 3)
    /** An error, or none. */
    val written = Vec(master(Flow(Bool())), 3)
    val mem = master(Axi4(MemoryBus.config(l.c)))
  }

  private def address(ax: Axi4Ax, line: UInt, id: UInt): Unit = {
    ax.id := id.resized
    ax.len := 0
    ax.size := 6
    ax.setBurstINCR()
    ax.addr := line @@ U(0, 6 bits)
  }

  private val reads = StreamArbiterFactory().roundRobin.build(UInt(l.lineBits bits), 2)
  for ((input, read) <- reads.io.inputs.zip(io.read)) input << read
  io.mem.ar.arbitrationFrom(reads.io.output)
  address(io.mem.ar.payload, reads.io.output.payload, reads.io.chosen)
  private val came = io.mem.r.toFlow.m2sPipe()
  for ((got, id) <- io.got.zipWithIndex) {
    got.valid := came.valid && came.id === id
    got.frames := FrameLine.read(l, came.data)
    got.error := !came.payload.isOKAY()
  }

  private val writes = StreamArbiterFactory().roundRobin.build(LineWrite(l), 3)
  for ((input, write) <- writes.io.inputs.zip(io.write)) input << write
  private val (toAddresses, toData) = StreamFork2(writes.io.output)
  private val chosen = toAddresses.translateWith(writes.io.chosen ## writes.io.output.zeros ## writes.io.output.line).m2sPipe()
  io.mem.aw.arbitrationFrom(chosen)
  address(io.mem.aw.payload, chosen.payload.resize(l.lineBits).asUInt, chosen.payload.takeHigh(2).asUInt)
  when(chosen.payload(l.lineBits))(io.mem.aw.len := zeroBeats - 1)

  private val data = toData.m2sPipe()
  private val beat = Reg(UInt(log2Up(zeroBeats) bits)) init 0
  private val last = !data.zeros || beat === zeroBeats - 1
  /** Writes whose address has left, and whose data have not: data come behind it. */
  private val addressed = Reg(UInt(2 bits)) init 0
  addressed := addressed + io.mem.aw.fire.asUInt - (io.mem.w.fire && last).asUInt
  io.mem.w.valid := data.valid && addressed =/= 0
  io.mem.w.data := FrameLine.beat(data.frames)
  io.mem.w.strb.setAll()
  io.mem.w.last := last
  data.ready := io.mem.w.ready && last && addressed =/= 0
  when(io.mem.w.fire)(beat := Mux(last, U(0), beat + 1))

  private val answered = io.mem.b.toFlow.m2sPipe()
  for ((written, id) <- io.written.zipWithIndex) {
    written.valid := answered.valid && answered.id === id
    written.payload := !answered.payload.isOKAY()
  }
}

object LeafMemory {
  /** Which port is whose, and so which id. */
  val (entries, ring, zeros) = (0, 1, 2)

  /** Beats of a burst of zeros, 1 KB: others' writes wait for no more. */
  val zeroBeats = 16
}
