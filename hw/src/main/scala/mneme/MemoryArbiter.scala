package mneme

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Puts the core's masters onto its one memory port: translation, memory access and a leaf unit in turn, the zero engine behind them.
  *
  * The reset guard stands at the port: what is open there when the core is reset is its business.
  *
  * A zero burst starts when no other master asks for anything, or after it has waited for `patience` cycles, so neither starves: one of 16 beats in 64
  * cycles at least.
  */
case class MemoryArbiter(c: CBoardConfig, patience: Int = 64) extends Component {
  val io = new Bundle {
    val translation, access = slave(Axi4(MemoryBus.config(c)))
    val zero = slave(Axi4WriteOnly(MemoryBus.config(c)))
    val leaf = c.leaf generate slave(Axi4(MemoryBus.config(c)))
    val port = master(Axi4(MemoryBus.config(c, MemoryBus.PORT_ID_BITS)))
    /** Resets what lies behind the port, and the guard with it; raised with the core's reset only. */
    val portReset = in Bool ()
    /** Memory owes nothing. */
    val rests = out Bool ()
  }

  private val plain = Seq(io.translation, io.access) ++ Option(io.leaf)

  /** Registered ready: the masters' own logic hangs on it. */
  val guard = ClockDomain.current.copy(reset = io.portReset)(
    ResetGuard(io.port.config, masterBits = MemoryBus.PORT_ID_BITS - MemoryBus.MASTER_ID_BITS)
  )
  guard.io.coreResets := ClockDomain.current.isResetActive
  guard.io.port >> io.port
  io.rests := guard.io.rests

  val gate = new Area {
    val waited = Counter(patience)
    // A cycle late, which costs the others a beat at most: whether one asks is known late in a cycle.
    val others = RegNext(plain.map(m => m.aw.valid || m.ar.valid).orR) init False
    /** An offered address stays offered. */
    val offered = RegInit(False)
    /** It has waited long enough; a register, for all masters' ready lies behind it. */
    val late = RegInit(False)
    val open = offered || !others || late
    val aw = io.zero.aw.continueWhen(open)
    offered := aw.isStall
    when(aw.fire || !io.zero.aw.valid) {
      waited.clear()
      late := False
    } elsewhen (!open) {
      waited.increment()
      late := waited === patience - 2
    }
  }

  val reads = new Area {
    val arbiter = Axi4ReadOnlyArbiter(MemoryBus.config(c, MemoryBus.MASTER_ID_BITS + log2Up(plain.size)), plain.size)
    for ((input, m) <- arbiter.io.inputs.zip(plain)) {
      input.ar << m.ar
      m.r << input.r
    }
    arbiter.io.output.ar drive guard.io.core.ar
    guard.io.core.r drive arbiter.io.output.r
  }

  val writes = new Area {
    private val inputs = Seq(io.translation.toWriteOnly(), io.access.toWriteOnly(), io.zero) ++ Option(io.leaf).map(_.toWriteOnly())
    private val core = guard.io.core
    val arbiter = FewInTurn(Axi4Aw(io.zero.config), inputs.size)
    for ((input, m) <- arbiter.io.inputs.zip(inputs)) input << (if (m == io.zero) gate.aw else m.aw)
    core.aw.arbitrationFrom(arbiter.io.output)
    core.aw.payload.assignSomeByName(arbiter.io.output.payload)
    core.aw.id.removeAssignments() := arbiter.io.chosen @@ arbiter.io.output.id

    private val turn = guard.io.turn
    core.w.valid := turn.valid && Vec(inputs.map(_.w.valid)).read(turn.payload)
    core.w.payload := Vec(inputs.map(_.w.payload)).read(turn.payload)
    private val answered = core.b.id.takeHigh(2).asUInt
    core.b.ready := Vec(inputs.map(_.b.ready)).read(answered)
    for ((m, i) <- inputs.zipWithIndex) {
      m.w.ready := turn.valid && core.w.ready && turn.payload === i
      m.b.valid := core.b.valid && answered === i
      m.b.id := core.b.id.resized
      m.b.resp := core.b.resp
    }
  }
}

/** Streams in turn, of which one that is offered stays offered: as the library's round robin, but for its subtraction. Of few inputs look-up tables say as
  * much, and a carry chain would be on the way of every write.
  */
case class FewInTurn[T <: Data](payload: HardType[T], count: Int) extends Component {
  val io = new Bundle {
    val inputs = Vec(slave(Stream(payload)), count)
    val output = master(Stream(payload))
    val chosen = out UInt (log2Up(count) bits)
  }

  /** Who was offered last, as one bit; it is offered still. */
  private val last = Reg(Bits(count bits)) init (BigInt(1) << count - 1)
  private val stays = RegInit(False) setWhen io.output.valid clearWhen io.output.fire
  private val asks = io.inputs.map(_.valid)
  // The next behind the last comes first.
  private val next = B((0 until count).map { i =>
    val turns = for (behind <- 1 to count) yield {
      val between = (1 until behind).map(k => asks((i - k + count) % count))
      last((i - behind + count) % count) && !between.foldLeft(False)(_ || _)
    }
    asks(i) && turns.reduce(_ || _)
  })
  private val now = stays ? last | next
  when(io.output.valid)(last := now)
  io.output.valid := (now & B(asks)).orR
  io.output.payload := MuxOH(now, io.inputs.map(_.payload))
  for ((input, i) <- io.inputs.zipWithIndex) input.ready := now(i) && io.output.ready
  io.chosen := OHToUInt(now)
}
