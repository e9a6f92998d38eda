package mneme.trailer

import mneme.net.FrameDescriptor
import mneme.wire.Wire.{Trailer, WIRE_VERSION}
import mneme.{CBoardConfig, Control}
import spinal.core._
import spinal.lib._

/** What an answer is sealed with. */
case class Seal() extends Bundle {
  /** A Trailer number. */
  val kind = Bits(2 bits)
  val key = Bits(128 bits)
  /** The upper bits of the request's time. */
  val upper = UInt(40 bits)
}

/** Between ingress and dispatch: frames get what their trailers are worth, and what their answers are sealed with is kept by packet slot. */
case class TrailerGate(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val control = in(Control())
    val trailers = in(TrailerControl())
    val frames = slave(Stream(FrameDescriptor(c)))
    val tails = slave(Stream(Tail()))
    val checked = master(Stream(FrameDescriptor(c)))
    /** The packet slot of the answer that is next, and what it is sealed with, in the same cycle. */
    val slot = in UInt (log2Up(c.packetSlots) bits)
    val seal = out(Seal())
  }

  private case class Timed() extends Bundle {
    val frame = FrameDescriptor(c)
    val upper = UInt(40 bits)
  }

  private val check = new TrailerCheck(Timed(), TrailerGate.WORKERS)
  check.io.keys := io.trailers.keys
  check.io.phases := io.trailers.phases
  check.io.changed := io.trailers.changed
  check.io.tails << io.tails
  check.io.frames << io.frames.map(unchecked)

  private def unchecked(frame: FrameDescriptor): Unchecked[Timed] = {
    val unchecked = Unchecked(Timed())
    val header = frame.header
    val upper = UpperTime(io.trailers.tick, header.fields.time)
    unchecked.payload.frame := frame
    unchecked.payload.upper := upper
    unchecked.kind := header.kind
    unchecked.pid := header.fields.pid
    unchecked.phase := header.fields.keyPhase
    unchecked.words := words(frame, upper)
    unchecked
  }

  /** From the fields: a frame of another version or epoch is told so before its tag counts. */
  private def words(frame: FrameDescriptor, upper: UInt): Vec[Bits] = {
    val (header, r) = (frame.header, frame.header.fields)
    // Numbers are big-endian on the wire.
    def wire(fields: Bits*): Bits = fields.map(_.subdivideIn(8 bits).reduce(_ ## _)).reverse.reduce(_ ## _)
    val epoch = io.control.epoch.andMask(!header.firstPing)
    TagMessage.words(
      addresses = wire(r.srcIp, header.dstIp, r.srcPort, header.dstPort),
      header = wire(
        B(WIRE_VERSION, 4 bits) ## header.kind ## r.keyPhase ## r.timed,
        r.opcode,
        epoch,
        r.pid.asBits,
        r.opId,
        r.attempt.asBits,
        r.time.asBits,
        r.va.asBits,
        r.length.asBits
      ),
      upper
    )
  }

  private val checked = check.io.checked
  io.checked << checked.map { checked =>
    val frame = FrameDescriptor(c)
    frame := checked.payload.frame
    frame.trailer.allowOverride()
    frame.trailer := checked.verdict
    frame
  }

  private val seals = Mem(Seal(), c.packetSlots).addAttribute("ram_style", "distributed")
  private val seal = Seal()
  seal.kind := Trailer.NONE
  when(checked.verdict === TrailerVerdict.crcRight)(seal.kind := Trailer.CRC32C)
  when(checked.verdict === TrailerVerdict.tagRight)(seal.kind := Trailer.TAG)
  seal.key := checked.key
  seal.upper := checked.payload.payload.upper
  seals.write(checked.payload.payload.frame.slot, seal, enable = checked.fire)
  io.seal := seals.readAsync(io.slot)
}

object TrailerGate {
  /** Engines in each direction: a tag in four cycles. */
  val WORKERS = 4
}
