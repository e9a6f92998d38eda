package mneme.chain

import mneme.rdma.{RoceField, RoceReceive, StoreBeat}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Bytes of a packet's place that go to a frame. */
case class FrameWrite(k: ChainConfig, slots: Int) extends Bundle {
  val slot = UInt(log2Up(slots) bits)

  /** Where they begin in the place, and how many there are: 1 to 4,096. */
  val source, bytes = UInt(13 bits)
  val address = UInt(k.l.c.memBits bits)
}

/** Moves packets' bytes into frames: pieces as long as a token may be, packets side by side.
  *
  * An example. 4,032 bytes come of one packet, and 64 of the next one. Tokens of 1,450, 1,450 and 1,132 bytes are offered, and then one of 64. Memory asks
  * for their data, beat by beat, and completes them. Packets end in their order, each when its last token is complete.
  */
case class FrameWrites(k: ChainConfig, slots: Int) extends Component {
  import FrameWrites._
  private val c = k.l.c
  private val tokens = (RoceReceive.PAYLOAD_MAX + c.maxPayload - 1) / c.maxPayload
  private val tokenBits = log2Up(tokens) max 1
  require(FLIGHTS << tokenBits <= c.contexts, s"a packet is $tokens tokens; $FLIGHTS packets at a time need more than ${c.contexts} contexts")

  val io = new Bundle {
    val commands = slave(Stream(FrameWrite(k, slots)))
    /** The number of the packet that is taken next, those that have not been retired, and the oldest of them. */
    val next, oldest = out UInt (log2Up(FLIGHTS) bits)
    val held = out Bits (FLIGHTS bits)
    /** The oldest one has ended; whether memory has failed under it. */
    val over = master(Flow(Bool()))
    val retire = in Bool ()
    /** A beat of a place; the answer comes in the cycle after it is taken. */
    val read = master(Stream(StoreBeat(slots)))
    val packet = in Bits (512 bits)
    val frames = master(FrameDoor(c))
  }

  private val (next, oldest, flight) = (Reg(UInt(log2Up(FLIGHTS) bits)) init 0, Reg(UInt(log2Up(FLIGHTS) bits)) init 0, Reg(UInt(log2Up(FLIGHTS) bits)))
  private val held = Reg(Bits(FLIGHTS bits)) init 0
  private val failed = Reg(Bits(FLIGHTS bits))
  private val inside = Vec.fill(FLIGHTS)(Reg(UInt(tokenBits + 1 bits)) init 0)
  private val walks = RegInit(False)
  private val slot = Reg(UInt(log2Up(slots) bits))
  private val (source, left) = (Reg(UInt(13 bits)), Reg(UInt(13 bits)))
  private val address = Reg(UInt(c.memBits bits))
  private val index = Reg(UInt(tokenBits bits))
  io.next := next
  io.oldest := oldest
  io.held := held
  io.commands.ready := !walks && !held(next)

  // --- Tokens.
  private val token = io.frames.tokens
  private val longest = (left > c.maxPayload) ? U(c.maxPayload, 13 bits) | left
  token.valid := walks
  token.context := (flight @@ index).resized
  token.writes := True
  token.address := address
  token.length := longest.resized
  token.dataOffset := source(5 downto 0).resized
  private val places = Mem(StoreBeat(slots), FLIGHTS << tokenBits).addAttribute("ram_style", "distributed")
  private val place = StoreBeat(slots)
  place.slot := slot
  place.beat := source(12 downto 6)
  places.write(flight @@ index, place, token.fire)
  when(token.fire) {
    index := index + 1
    left := left - longest
    source := source + longest
    address := address + longest
    when(left === longest)(walks := False)
  }

  // --- Data, in the cycle after.
  private val fetch = io.frames.data.fetch
  private val from = places.readAsync(fetch.context.resize(log2Up(FLIGHTS) + tokenBits))
  io.read.valid := fetch.valid
  io.read.slot := from.slot
  io.read.beat := from.beat + fetch.beat.resized
  fetch.ready := io.read.ready
  io.frames.data.fetched.valid := RegNext(fetch.fire) init False
  io.frames.data.fetched.payload := io.packet
  io.frames.data.operands := 0
  io.frames.data.payload.ready := True

  // --- Completions.
  private val completion = io.frames.data.completions
  private val of = completion.context(tokenBits, log2Up(FLIGHTS) bits)
  completion.ready := True
  for ((count, i) <- inside.zipWithIndex) {
    val comes = token.fire && flight === i
    val goes = completion.valid && of === i
    count := count + comes.asUInt - goes.asUInt
    when(goes && completion.report.outcome.status =/= Wire.Status.OK)(failed(i) := True)
  }
  io.over.valid := held(oldest) && inside(oldest) === 0 && !(walks && flight === oldest)
  io.over.payload := failed(oldest)

  when(io.retire) {
    held(oldest) := False
    oldest := oldest + 1
  }
  when(io.commands.fire) {
    walks := True
    flight := next
    next := next + 1
    held(next) := True
    failed(next) := False
    slot := io.commands.slot
    source := io.commands.source
    left := io.commands.bytes
    address := io.commands.address
    index := 0
  }
}

object FrameWrites {
  /** Packets that may be on their way to memory. */
  val FLIGHTS = 4

  /** Where the payload of a SEND without extended header begins in its place. */
  val PAYLOAD: Int = RoceField.EXTENSION
}
