package mneme.offload

import mneme.CBoardConfig
import mneme.engine._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A run of tokens: `count` of them, each `stride` bytes behind the one before. */
case class TrafficCommand(c: CBoardConfig) extends Bundle {
  /** What the first one asks. */
  val demand = Demand(c)
  /** Operands of an atomic. Their low 32 bits are also the seed of a write's data, and count up from token to token. */
  val operands = Bits(128 bits)
  val count = UInt(16 bits)
  val stride = UInt(16 bits)
}

/** How a token ended. */
case class TrafficResult(c: CBoardConfig) extends Bundle {
  /** Its place among all tokens since reset. */
  val number = UInt(16 bits)
  val report = Report()
  val old = Bits(64 bits)
  /** Of the beats that were read, 0 when none came; [[TrafficGenerator.fold]]. */
  val digest = Bits(64 bits)
  /** Memory failed to deliver some of them. */
  val damaged = Bool()
  /** From the token's offer to this. */
  val cycles = UInt(16 bits)
}

/** A guest at a door of the access engine that does what it is told: the second source of requests in tests and benches, and the pattern for who
  * adds an offload (docs/reference/doors.md).
  *
  * It needs what every guest does: a name for each token (`context`), a place for what its completion needs (`records`), data for writes, and a sink for those of reads.
  */
case class TrafficGenerator(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(TrafficCommand(c)))
    val results = master(Stream(TrafficResult(c)))
    val door = master(Door(c))
  }

  private case class Record() extends Bundle {
    val number, entered = UInt(16 bits)
    val read = Bool()
    val lastBeat = UInt(8 bits)
  }
  private val records = Mem(Record(), c.contexts)
  private val seeds = Mem(Bits(32 bits), c.contexts)
  private val operands = Mem(Bits(128 bits), c.contexts)
  private val now = CounterFreeRun(1 << 16).value

  // --- Tokens. A context is taken from here to its completion.
  private val taken = Reg(Bits(c.contexts bits)) init 0
  private val context = OHToUInt(OHMasking.first(~taken))
  private val number, done = Reg(UInt(16 bits)) init 0
  private val offset = Reg(UInt(Wire.VA_BITS bits)) init 0
  private val tokens = Stream(Token(c))
  private val last = done === io.commands.count - 1
  tokens.valid := io.commands.valid && !taken.andR
  tokens.context := context
  tokens.demand := io.commands.demand
  tokens.demand.va.removeAssignments() := io.commands.demand.va + offset
  io.commands.ready := tokens.fire && last
  // Which context is free may change while a token waits, and an offer must stay what it is: so a register.
  io.door.tokens << tokens.m2sPipe()

  private val record = Record()
  record.number := number
  record.entered := now
  record.read := io.commands.demand.operation === Operation.read
  record.lastBeat := (io.commands.demand.length - 1)(13 downto 6)
  records.write(context, record, enable = tokens.fire)
  private val ownSeed = (io.commands.operands(31 downto 0).asUInt + done).asBits
  private val ownOperands = io.commands.operands(127 downto 32) ## ownSeed
  seeds.write(context, ownSeed, enable = tokens.fire)
  operands.write(context, ownOperands, enable = tokens.fire)
  when(tokens.fire) {
    number := number + 1
    done := last ? U(0) | done + 1
    offset := last ? U(0) | offset + io.commands.stride
  }

  // --- What the engine asks for: both come in the next cycle.
  private val fetch = io.door.data.fetch
  fetch.ready := True
  private val seed = seeds.readSync(fetch.context).asUInt
  private val beat = RegNext(fetch.beat.resize(8))
  io.door.data.fetched.valid := RegNext(fetch.valid) init False
  io.door.data.fetched.payload := Vec((0 until 16).map(word => (seed + TrafficGenerator.pattern(beat, word)).asBits)).asBits
  io.door.data.operands := operands.readSync(io.door.data.operandsOf)

  // --- Completions: a result leaves with the last beat of its data.
  private val (completions, payload) = (io.door.data.completions, io.door.data.payload)
  private val ended = records.readAsync(completions.context)
  private val hasData = ended.read && completions.report.outcome.status === Wire.Status.OK && !completions.report.zeros
  private val come = Reg(UInt(8 bits)) init 0
  private val digest = Reg(Bits(64 bits)) init 0
  private val damaged = RegInit(False)
  private val digestNow = digest.rotateLeft(1) ^ TrafficGenerator.fold(payload.data)
  private val ends = !hasData || come === ended.lastBeat
  private val results = Stream(TrafficResult(c))
  results.valid := completions.valid && ends && (!hasData || payload.valid)
  completions.ready := results.fire
  payload.ready := completions.valid && hasData && (!ends || results.ready)
  when(payload.fire) {
    come := ends ? U(0) | come + 1
    digest := ends ? B(0) | digestNow
    damaged := !ends && (damaged || payload.error)
  }
  results.number := ended.number
  results.report := completions.report
  results.old := completions.old
  results.digest := hasData ? digestNow | B(0)
  results.damaged := hasData && (damaged || payload.error)
  results.cycles := now - ended.entered
  io.results << results.m2sPipe()

  private def oneOf(now: Bool, context: UInt): Bits = now ? UIntToOh(context, c.contexts) | B(0, c.contexts bits)
  taken := (taken | oneOf(tokens.fire, context)) & ~oneOf(completions.fire, completions.context)
}

object TrafficGenerator {
  /** What is added to the seed in a word of 32 bits: each byte of the data depends on its place. */
  def pattern(beat: UInt, word: Int): UInt = (beat ## B(word, 8 bits) ## beat ## B(word, 8 bits)).asUInt

  /** Eight words of 64 bits as one. They are turned, so that it matters which is where. */
  def fold(data: Bits): Bits = data.subdivideIn(64 bits).zipWithIndex.map { case (word, i) => word.rotateLeft(7 * i) }.reduce(_ ^ _)
}
