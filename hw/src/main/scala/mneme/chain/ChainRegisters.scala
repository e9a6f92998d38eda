package mneme.chain

import mneme.rdma.RoceMailbox
import mneme.wire.Wire
import mneme.wire.Wire.{ChainCounter, ChainRegister, RoceResult}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4Config, AxiLite4SlaveFactory}
import spinal.lib.bus.misc.SizeMapping

/** The registers of chains over AXI4-Lite, as `wire/src/chain.rs` has them: commands about chain queue pairs, how they ended, what chains count.
  *
  * An example. The slow path writes number, peer, profile and settings of a queue pair, and CREATE. CHAIN_RESULT is PENDING until the responder has made it,
  * or has told why not.
  *
  * The rules are those of the port's registers. While a command is under way, and after a reset until the tables are empty, registers keep what they hold:
  * writes do nothing. Reads of write-only and unassigned words give 0, writes to read-only and unassigned words do nothing. One read at a time. A command that
  * nobody knows ends at once.
  */
case class ChainRegisters(k: ChainConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(ChainRegisters.busConfig))
    val orders = master(Stream(ChainOrder(k)))
    val ordered = slave(Flow(ChainAnswer()))
    /** The tables have been emptied. */
    val ready = in Bool ()
    val events = in(ChainPortEvents())
  }
  private val commands = RoceMailbox(query = Wire.ChainCommand.QUERY)
  private val counters = ChainCounters()
  commands.io.ready := io.ready

  // What is read is there in a register of the answer: a counter goes on while the answer waits to be taken.
  private val answering = AxiLite4(ChainRegisters.busConfig)
  private val reading = RegInit(False) setWhen answering.ar.fire clearWhen io.bus.r.fire
  answering.aw << io.bus.aw
  answering.w << io.bus.w.map { word =>
    val kept = CombInit(word)
    when(commands.io.pending)(kept.strb := 0)
    kept
  }
  answering.ar << io.bus.ar.haltWhen(reading)
  io.bus.b << answering.b
  io.bus.r << answering.r.m2sPipe()
  private val bus = new AxiLite4SlaveFactory(answering, useWriteStrobes = true)

  bus.read(B(Wire.CHAIN_MAGIC, 32 bits), ChainRegister.CHAIN_MAGIC)
  bus.read(B(k.replyBits << 8 | k.pairBits, 32 bits), ChainRegister.CHAIN_SIZES)

  // --- What a command is about.
  private def register(address: Int, width: Int, bit: Int = 0): Bits = {
    val value = Reg(Bits(width bits)) init 0
    bus.readAndWrite(value, address, bit)
    value
  }
  private def number(address: Int, width: Int, bit: Int = 0): UInt = register(address, width, bit).asUInt
  private def long(low: Int, high: Int, width: Int): Bits = { val (l, h) = (register(low, 32), register(high, width - 32)); h ## l }
  private def option(flag: Int): Bool = register(ChainRegister.CHAIN_OPTIONS, 1, log2Up(flag)).asBool
  private val order = io.orders.payload
  private val (pair, settings, secrets) = (order.pair, order.settings, order.secrets)
  pair.qpn := number(ChainRegister.CHAIN_QPN, 24)
  pair.peerQpn := number(ChainRegister.CHAIN_PEER_QPN, 24)
  pair.peerIp := register(ChainRegister.CHAIN_PEER_IP, 32)
  pair.peerMac := long(ChainRegister.CHAIN_PEER_MAC_LOW, ChainRegister.CHAIN_PEER_MAC_HIGH, 48)
  pair.srcPort := register(ChainRegister.CHAIN_PORT, 16)
  pair.mtuCode := number(ChainRegister.CHAIN_OPTIONS, 3)
  pair.hardened := option(Wire.CHAIN_HARDENED)
  pair.length := number(ChainRegister.CHAIN_LENGTH, ChainPair.LENGTH_BITS)
  order.psn := number(ChainRegister.CHAIN_PSN, 24)
  order.firstReply := number(ChainRegister.CHAIN_REPLY_PSN, 24)
  order.timeout := number(ChainRegister.CHAIN_OPTIONS, 4, bit = 16)
  order.rate := number(ChainRegister.CHAIN_RATE, 32)
  settings.function.assignFromBits(register(ChainRegister.CHAIN_OPTIONS, 2, bit = 4))
  settings.immediate := option(Wire.CHAIN_IMMEDIATE)
  settings.signal := option(Wire.CHAIN_SIGNAL)
  settings.tellEmpty := option(Wire.CHAIN_TELL_EMPTY)
  settings.segment := number(ChainRegister.CHAIN_SEGMENT, k.l.segmentBits)
  settings.pid := number(ChainRegister.CHAIN_PID, Wire.PID_BITS)
  // Its place, which the responder knows.
  settings.filler := 0
  secrets.keyed := option(Wire.CHAIN_KEYED)
  secrets.key := long(ChainRegister.CHAIN_KEY_LOW, ChainRegister.CHAIN_KEY_HIGH, 64).asUInt
  secrets.base := long(ChainRegister.CHAIN_BASE_LOW, ChainRegister.CHAIN_BASE_HIGH, 64).asUInt
  for ((row, i) <- order.rows.zipWithIndex) {
    val address = ChainRegister.CHAIN_ROW_0 + 4 * i
    if (address <= ChainRegister.CHAIN_ROW_5) {
      row.field := number(address, 3)
      row.last := register(address, 1, log2Up(Wire.CHAIN_ROW_LAST)).asBool
      row.end := number(address, ChainFields.MESSAGE_BITS, bit = 16)
    } else {
      // No register has these. Where none of the others is the last one, the responder refuses the profile.
      row.field := 0
      row.last := False
      row.end := 0
    }
  }

  // --- The command, and how it ended.
  private val word = bus.nonStopWrite(Bits(32 bits))
  commands.io.written.valid := bus.isWriting(ChainRegister.CHAIN_COMMAND)
  // A number that names no command is none.
  commands.io.written.payload := word(7 downto 0).asUInt.andMask(word(31 downto 8) === 0)
  private val named = ChainRegisters.commands.map { case (number, _) => commands.io.command.payload === number }
  private val known = named.orR
  order.command := ChainCommand.QUERY
  for (((_, command), named) <- ChainRegisters.commands.zip(named)) when(named)(order.command := command)
  io.orders.valid := commands.io.command.valid && known
  commands.io.command.ready := io.orders.ready || !known

  private val ordered = commands.io.ordered
  ordered.valid := commands.io.command.valid && (io.ordered.valid || !known)
  ordered.result := Wire.ChainResult.COMMAND
  for ((result, number) <- ChainRegisters.results) when(known && io.ordered.result === result)(ordered.result := number)
  ordered.expected := io.ordered.expected
  ordered.msn := io.ordered.msn
  ordered.inError := io.ordered.inError
  ordered.running := io.ordered.running
  ordered.unanswered := False
  ordered.jobs := 0

  private val told = commands.io.told
  bus.read(commands.io.result, ChainRegister.CHAIN_RESULT)
  bus.read(told.expected, ChainRegister.CHAIN_EXPECTED)
  bus.read(told.msn, ChainRegister.CHAIN_MSN)
  for ((flag, bit) <- Seq(told.inError -> Wire.CHAIN_IN_ERROR, told.running -> Wire.CHAIN_RUNNING)) bus.read(flag, ChainRegister.CHAIN_STATE, log2Up(bit))

  // --- What is counted.
  for ((event, counter) <- ChainRegisters.counted(io.events)) counters.io.events(counter) := event
  // Of the address that is taken: it may change in the cycle after, in which the value is looked at.
  counters.io.index := answering.ar.addr(2, ChainCounters.BITS bits)
  bus.readPrimitive(counters.io.value.asBits, SizeMapping(Wire.CHAIN_COUNTERS, 4 << ChainCounters.BITS), 0, null)
}

object ChainRegisters {
  require(Wire.CHAIN_COUNTERS % (4 << ChainCounters.BITS) == 0 && Wire.CHAIN_COUNTERS + (4 << ChainCounters.BITS) <= Wire.CHAIN_BYTES)
  require(Wire.ChainResult.PENDING == RoceResult.PENDING && Wire.ChainResult.DONE == RoceResult.DONE, "both have one mailbox")
  require(ChainFields.MESSAGE_BITS == 13 && ChainPair.LENGTH_BITS == 14)
  val busConfig: AxiLite4Config = AxiLite4Config(addressWidth = log2Up(Wire.CHAIN_BYTES), dataWidth = 32)

  private def commands = Seq(
    Wire.ChainCommand.CREATE -> ChainCommand.CREATE,
    Wire.ChainCommand.DESTROY -> ChainCommand.DESTROY,
    Wire.ChainCommand.END -> ChainCommand.END,
    Wire.ChainCommand.QUERY -> ChainCommand.QUERY
  )
  private def results = Seq(
    ChainResult.DONE -> Wire.ChainResult.DONE,
    ChainResult.TAKEN -> Wire.ChainResult.TAKEN,
    ChainResult.UNKNOWN -> Wire.ChainResult.UNKNOWN,
    ChainResult.NUMBER -> Wire.ChainResult.NUMBER,
    ChainResult.PATH_MTU -> Wire.ChainResult.PATH_MTU,
    ChainResult.PROFILE -> Wire.ChainResult.PROFILE,
    ChainResult.RATE -> Wire.ChainResult.RATE
  )

  /** Each event, and which counter counts it. */
  def counted(events: ChainPortEvents): Seq[(Bool, Int)] = {
    val (a, m, r) = (events.arrivals, events.messages, events.replies)
    Seq(
      m.loads -> ChainCounter.LOADS,
      m.mappedStores -> ChainCounter.MAPPED_STORES,
      m.unmappedStores -> ChainCounter.UNMAPPED_STORES,
      m.freed -> ChainCounter.FREED,
      m.freedNothing -> ChainCounter.FREED_NOTHING,
      m.unmapped -> ChainCounter.UNMAPPED,
      m.outside -> ChainCounter.OUTSIDE,
      m.wrongKey -> ChainCounter.WRONG_KEY,
      m.right -> ChainCounter.RIGHT,
      m.ringEmpty -> ChainCounter.RING_EMPTY,
      m.budgetSpent -> ChainCounter.BUDGET_SPENT,
      m.notStored -> ChainCounter.NOT_STORED,
      m.repliesFull -> ChainCounter.REPLIES_FULL,
      a.receiveLength -> ChainCounter.RECEIVE_LENGTH,
      a.abandoned -> ChainCounter.ABANDONED,
      a.answerMalformed -> ChainCounter.ANSWER_MALFORMED,
      a.repliesFailed -> ChainCounter.REPLIES_FAILED,
      r.sent -> ChainCounter.REPLY_PACKETS,
      r.again -> ChainCounter.REPLIES_AGAIN,
      r.looked -> ChainCounter.LOOKED_AGAIN,
      r.timeout -> ChainCounter.REPLY_TIMEOUTS,
      r.gap -> ChainCounter.REPLY_GAPS,
      r.notReady -> ChainCounter.REPLY_NOT_READY,
      r.stale -> ChainCounter.ANSWERS_STALE,
      r.malformed -> ChainCounter.ANSWERS_UNKNOWN,
      r.held -> ChainCounter.REPLIES_HELD
    )
  }
}
