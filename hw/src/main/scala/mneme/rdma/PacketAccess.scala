package mneme.rdma

import mneme.engine._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A packet's bytes of memory, or an atomic's word. */
case class AccessCommand(r: RoceConfig) extends Bundle {
  val operation = Operation()
  val pid = UInt(Wire.PID_BITS bits)
  val va = UInt(Wire.VA_BITS bits)
  /** 1 to 4,096; 8 of an atomic. */
  val bytes = UInt(13 bits)
  /** Of a write: the packet's place, and where its payload begins there. */
  val slot = UInt(r.slotBits bits)
  val offset = UInt(7 bits)
  val operands = Bits(128 bits)
}

/** How an access ended: done, or why not. */
object AccessEnd extends SpinalEnum {
  val done, notReady, denied, failed = newElement()
}

case class AccessEnded() extends Bundle {
  val how = AccessEnd()
  /** The word that an atomic found. */
  val old = Bits(64 bits)
}

/** Does the access of a packet as tokens of the access engine: none crosses a page, none is longer than the engine takes.
  *
  * The tokens of a page are offered one after the other. Those of the next page follow when the page before is done, of a WRITE when its data are asked for:
  * bytes of a read come in order, and a packet that may not go on at a border changes nothing behind it.
  *
  * One read or atomic is done at a time, and `ended` tells its end. WRITEs are handed over, and go on beside what comes behind them ([[WriteFlights]]).
  */
class PacketAccess(r: RoceConfig) extends Component {
  private val c = r.c
  val io = new Bundle {
    val commands = slave(Stream(AccessCommand(r)))
    /** Of a read or an atomic. */
    val ended = master(Flow(AccessEnded()))
    /** As [[WriteFlights]] has them. A WRITE is taken only with `room`. */
    val room = out Bool ()
    val held, passed = out Bits (r.flights bits)
    val oldest, next = out UInt (log2Up(r.flights) bits)
    val over = master(Flow(AccessEnd()))
    val retire = in Bool ()
    val door = master(Door(c))
    /** A beat of a packet; the answer comes in the cycle after. */
    val read = master(Flow(StoreBeat(r.slots)))
    val packet = in Bits (512 bits)
    /** Of reads: what comes on `data`. */
    val chunks = master(Stream(Chunk()))
    val data = master(Stream(PayloadBeat()))
  }
  private object State extends SpinalEnum {
    val idle, walk, tell = newElement()
  }
  private val state = RegInit(State.idle)
  private val command = Reg(AccessCommand(r))
  private val (va, left) = (command.va, command.bytes)
  /** Where the next token's bytes lie in the packet's place. */
  private val source = Reg(UInt(13 bits))
  private val writes = command.operation === Operation.write
  /** Contexts are used in a ring: the next token's, and the command's first one. */
  private val context = Reg(UInt(c.contextBits bits)) init 0
  private val begin = Reg(UInt(c.contextBits bits))
  private val busy = Reg(Bits(c.contexts bits)) init 0
  /** Those of WRITEs. */
  private val flying = Reg(Bits(c.contexts bits))
  /** Of a read or an atomic: tokens inside. */
  private val inside = Reg(UInt(c.contextBits + 1 bits)) init 0
  /** The next token begins a page. */
  private val border, failed, offered = Reg(Bool())
  private val end = Reg(AccessEnd())
  private val done, zeros = Reg(Bits(c.contexts bits))
  private val lengths = Mem(UInt(13 bits), c.contexts).addAttribute("ram_style", "distributed")
  private val slots = Mem(UInt(r.slotBits bits), c.contexts).addAttribute("ram_style", "distributed")
  private val bases = Mem(UInt(RoceStore.BEAT_BITS bits), c.contexts).addAttribute("ram_style", "distributed")

  io.commands.ready := state === State.idle
  when(io.commands.fire) {
    command := io.commands.payload
    source := io.commands.offset.resized
    begin := context
    border := False
    failed := False
    offered := False
    end := AccessEnd.done
    done := 0
    state := State.walk
  }

  val flights = WriteFlights(r.flights, c.contexts, r.tokens)
  io.room := flights.io.room
  io.held := flights.io.held
  io.passed := flights.io.passed
  io.oldest := flights.io.oldest
  io.next := flights.io.next
  io.over << flights.io.over
  flights.io.retire := io.retire
  flights.io.begins := io.commands.fire && io.commands.operation === Operation.write

  // --- Tokens.
  private val tokens = io.door.tokens
  private val pageRest = U(4096, 13 bits) - va(11 downto 0)
  private val lastBlock = va(c.pageBits - 1 downto 12).andR
  private val longest = (left > c.maxPayload) ? U(c.maxPayload, 13 bits) | left
  private val crosses = lastBlock && pageRest < longest
  private val bytes = crosses ? pageRest | longest
  private val stops = writes ? flights.io.newestFails | failed
  private val waits = border && (writes ? flights.io.newestWaits | (inside =/= 0))
  /** Whether the context is free is known in the cycle after it became the next one. */
  private val free = RegInit(False)
  free := !busy(context) && !tokens.fire
  // What was offered stays offered, whatever comes back meanwhile.
  tokens.valid := state === State.walk && left =/= 0 && free && (offered || !(waits || stops))
  tokens.context := context
  tokens.demand.operation := command.operation
  tokens.demand.ordering.fence := False
  tokens.demand.ordering.windowed := False
  tokens.demand.ordering.time := 0
  // One token that waits for a free page would keep the packets of all queue pairs: who asked is told to ask again.
  if (c.rdma > 0) tokens.demand.impatient := True
  tokens.demand.pid := command.pid
  tokens.demand.va := va
  tokens.demand.length := bytes.resized
  tokens.demand.dataOffset := source(5 downto 0).resized
  when(state === State.walk)(offered := tokens.isStall)
  lengths.write(context, bytes, tokens.fire)
  slots.write(context, command.slot, tokens.fire)
  bases.write(context, source(12 downto 6), tokens.fire)
  when(tokens.fire) {
    // A border is where the page ends: what is added needs not be chosen first.
    va := crosses ? ((va(Wire.VA_BITS - 1 downto 12) + 1) @@ U(0, 12 bits)) | (va + longest)
    left := left - bytes
    source := source + bytes
    context := context + 1
    border := lastBlock && pageRest === bytes
    flying(context) := writes
  }
  flights.io.entered.valid := tokens.fire && writes
  flights.io.entered.payload := context
  flights.io.walked := state === State.walk && writes && !tokens.valid && (left === 0 || stops)
  when(flights.io.walked)(state := State.idle)

  // --- Data and operands, in the next cycle.
  private val fetch = io.door.data.fetch
  fetch.ready := True
  io.read.valid := fetch.valid
  io.read.slot := slots.readAsync(fetch.context)
  io.read.beat := bases.readAsync(fetch.context) + fetch.beat.resized
  io.door.data.fetched.valid := RegNext(fetch.valid) init False
  io.door.data.fetched.payload := io.packet
  io.door.data.operands := command.operands
  io.data << io.door.data.payload
  flights.io.fetched.valid := fetch.fire
  flights.io.fetched.payload := fetch.context

  // --- Completions.
  private val completions = io.door.data.completions
  private val means = PacketAccess.means(completions.report.outcome.status)
  completions.ready := True
  busy := (busy | UIntToOh(context, c.contexts).andMask(tokens.fire)) & ~UIntToOh(completions.context, c.contexts).andMask(completions.fire)
  private val ofWrite = flying(completions.context)
  flights.io.completed.valid := completions.fire && ofWrite
  flights.io.completed.context := completions.context
  flights.io.completed.how := means

  // --- Those of a read or an atomic.
  private val completes = completions.fire && !ofWrite
  private val fails = completes && means =/= AccessEnd.done
  inside := inside + (tokens.fire && !writes).asUInt - completes.asUInt
  when(completes) {
    done(completions.context) := !fails
    zeros(completions.context) := completions.report.zeros
    when(fails && !failed) {
      failed := True
      end := means
    }
  }
  private val over = left === 0 || failed || fails
  private val empties = inside === completes.asUInt.resized
  io.ended.valid := state === State.walk && !writes && over && empties && !tokens.valid
  io.ended.how := (fails && !failed) ? means | end
  io.ended.old := completions.old

  // --- What the data of a read are.
  private val told = Reg(UInt(c.contextBits bits))
  when(io.ended.valid) {
    told := begin
    state := (command.operation === Operation.read) ? State.tell | State.idle
  }
  private val last = told + 1 === context
  private val comes = done(told) && !(failed && zeros(told))
  io.chunks.valid := state === State.tell && comes
  io.chunks.bytes := lengths.readAsync(told)
  io.chunks.zeros := zeros(told)
  io.chunks.drop := failed
  io.chunks.last := last
  when(state === State.tell && (!comes || io.chunks.ready)) {
    told := told + 1
    when(last)(state := State.idle)
  }
}

object PacketAccess {
  /** No page now, and a page in motion, may be one later. So may a frame of 4 KB: of an empty ring (BUSY, NOMEM), or of a budget that is spent (QUOTA). */
  def means(status: Bits): AccessEnd.C = {
    val end = AccessEnd()
    end := AccessEnd.denied
    when(status === Wire.Status.OK)(end := AccessEnd.done)
    when(Seq(Wire.Status.BUSY, Wire.Status.NOMEM, Wire.Status.QUOTA).map(status === _).reduce(_ || _))(end := AccessEnd.notReady)
    when(status === Wire.Status.MEMERR)(end := AccessEnd.failed)
    end
  }
}
