package mneme.leaf

import mneme.wire.Wire
import mneme.wire.Wire.{LeafCounter, LeafOrder, LeafRegister, LeafResult}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4Config, AxiLite4SlaveFactory}

/** The leaf unit's registers over AXI4-Lite, as `wire/src/leaf.rs` has them: one command at a time, how it ended, and what is counted.
  *
  * While a command is under way, registers keep what they hold: writes do nothing. Reads of write-only and unassigned words give 0, writes to read-only and
  * unassigned words do nothing. One read at a time.
  */
case class LeafRegisters(l: LeafConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(LeafRegisters.busConfig))
    val request = master(Stream(LeafRequest(l)))
    val answer = slave(Stream(LeafAnswer(l)))
    /** A command waits for the unit, or for its answer. */
    val pending = out Bool ()
    val tables = master(Flow(LeafTableWrite(l)))
    val freePages = slave(Stream(UInt(l.c.memBits - l.c.pageBits bits)))
    val zeros = out UInt (l.frameBits bits)
    val total, usable, waiting = in UInt (l.countBits bits)
    val stuck, clean = in Bool ()
    val events = in(LeafEvents())
    val accesses = in Bool ()
  }
  private val offers, awaits = RegInit(False)
  private val pending = offers || awaits
  private val result = Reg(UInt(8 bits)) init LeafResult.DONE
  private val count = Reg(UInt(32 bits)) init 0
  private val command = Reg(UInt(8 bits)) init 0
  io.pending := pending

  // What is read is there in a register of the answer: a counter goes on while the answer waits to be taken.
  private val answering = AxiLite4(LeafRegisters.busConfig)
  private val reading = RegInit(False) setWhen answering.ar.fire clearWhen io.bus.r.fire
  answering.aw << io.bus.aw
  answering.w << io.bus.w.map { word =>
    val kept = CombInit(word)
    when(pending)(kept.strb := 0)
    kept
  }
  answering.ar << io.bus.ar.haltWhen(reading)
  io.bus.b << answering.b
  io.bus.r << answering.r.m2sPipe()
  private val bus = new AxiLite4SlaveFactory(answering, useWriteStrobes = true)

  bus.read(B(Wire.LEAF_MAGIC, 32 bits), LeafRegister.LEAF_MAGIC)
  bus.read(B(l.tableBits << 8 | l.segmentBits, 32 bits), LeafRegister.LEAF_SIZES)
  private def number(address: Int, width: Int): UInt = {
    val value = Reg(UInt(width bits)) init 0
    bus.readAndWrite(value, address)
    value
  }
  private val request = io.request.payload
  request.segment := number(LeafRegister.LEAF_SEGMENT, l.segmentBits)
  request.pid := number(LeafRegister.LEAF_PID, Wire.PID_BITS)
  private val rights = number(LeafRegister.LEAF_RIGHTS, 3)
  for (
    (right, bit) <- Seq(
      request.rights.read -> Wire.LEAF_RIGHT_READ,
      request.rights.write -> Wire.LEAF_RIGHT_WRITE,
      request.rights.atomic -> Wire.LEAF_RIGHT_ATOMIC
    )
  ) right := rights(log2Up(bit))
  request.page := number(LeafRegister.LEAF_PAGE, l.countBits)
  request.pages := number(LeafRegister.LEAF_PAGES, l.countBits)
  request.line := number(LeafRegister.LEAF_LINE, l.lineBits)
  request.filler := 0
  Seq(request.begins, request.first, request.whole, request.also).foreach(_ := False)
  io.tables.table := number(LeafRegister.LEAF_TABLE, l.tableBits)
  io.tables.row.valid := command === LeafOrder.MAP
  io.tables.row.segment := request.segment
  io.tables.row.index := request.page.drop(l.c.pageBits - LeafConfig.FRAME_LOG2).asUInt.resized
  io.zeros := number(LeafRegister.LEAF_ZEROS, l.frameBits)

  private val orders = Seq(
    LeafOrder.CREATE -> LeafOperation.CREATE,
    LeafOrder.SET_RIGHTS -> LeafOperation.SET_RIGHTS,
    LeafOrder.CLOSE -> LeafOperation.CLOSE,
    LeafOrder.SWEEP -> LeafOperation.SWEEP,
    LeafOrder.PUSH -> LeafOperation.PUSH,
    LeafOrder.POP -> LeafOperation.POP,
    LeafOrder.RING -> LeafOperation.RING,
    LeafOrder.USED -> LeafOperation.USED
  )
  private val word = bus.nonStopWrite(Bits(32 bits))
  private val whole = answering.w.strb.andR
  bus.onWrite(LeafRegister.LEAF_COMMAND) {
    when(!pending && whole) {
      // A number that names no command is none.
      command := word(7 downto 0).asUInt.andMask(word(31 downto 8) === 0)
      offers := True
    }
  }
  // What the unit has nothing to do with ends at once.
  private val ofUnit = orders.map { case (order, _) => command === order }.orR
  private val ofTables = command === LeafOrder.MAP || command === LeafOrder.UNMAP
  io.tables.valid := offers && ofTables
  io.request.valid := offers && ofUnit
  request.operation := LeafOperation.USED
  for ((order, operation) <- orders) when(command === order)(request.operation := operation)
  private val takesPage = command === LeafOrder.TAKE_PAGE
  io.freePages.ready := offers && takesPage
  when(offers && !ofUnit) {
    offers := False
    result := ofTables ? U(LeafResult.DONE, 8 bits) | U(LeafResult.ORDER, 8 bits)
    when(takesPage) {
      count := io.freePages.payload.resized
      result := io.freePages.valid ? U(LeafResult.DONE, 8 bits) | U(LeafResult.NO_PAGE, 8 bits)
    }
  }
  when(io.request.fire) {
    offers := False
    awaits := True
  }
  io.answer.ready := awaits
  when(io.answer.fire) {
    awaits := False
    count := (command === LeafOrder.POP) ? io.answer.frame.resize(32) | io.answer.count.resize(32)
    result := LeafResult.BAD_RANGE
    for (
      (status, told) <- Seq(
        LeafStatus.DONE -> LeafResult.DONE,
        LeafStatus.UNKNOWN -> LeafResult.UNKNOWN,
        LeafStatus.RING_EMPTY -> LeafResult.RING_EMPTY,
        LeafStatus.FAILED -> LeafResult.FAILED,
        LeafStatus.TAKEN -> LeafResult.TAKEN,
        LeafStatus.FULL -> LeafResult.FULL
      )
    ) when(io.answer.status === status)(result := told)
  }
  bus.read(pending ? U(LeafResult.PENDING, 8 bits) | result, LeafRegister.LEAF_RESULT)
  bus.read(count, LeafRegister.LEAF_COUNT)
  bus.read(io.total, LeafRegister.LEAF_TOTAL)
  bus.read(io.usable, LeafRegister.LEAF_USABLE)
  bus.read(io.waiting, LeafRegister.LEAF_WAITING)
  for ((flag, bit) <- Seq(io.stuck -> Wire.LEAF_STUCK, io.clean -> Wire.LEAF_CLEAN)) bus.read(flag, LeafRegister.LEAF_STATE, log2Up(bit))

  private val e = io.events
  for (
    (event, counter) <- Seq(
      e.right -> LeafCounter.RIGHT,
      e.outside -> LeafCounter.OUTSIDE,
      e.unmapped -> LeafCounter.UNMAPPED,
      e.ringEmpty -> LeafCounter.RING_EMPTY,
      e.budgetSpent -> LeafCounter.BUDGET_SPENT,
      e.taken -> LeafCounter.TAKEN,
      e.freed -> LeafCounter.FREED,
      e.memoryError -> LeafCounter.MEMORY_ERROR,
      e.lineLost -> LeafCounter.LINE_LOST,
      io.accesses -> LeafCounter.ACCESSES
    )
  ) {
    val counted = Reg(UInt(32 bits)) init 0
    when(event)(counted := counted + 1)
    bus.read(counted, Wire.LEAF_COUNTERS + 4 * counter)
  }
}

object LeafRegisters {
  require(Wire.LEAF_COUNTERS + 4 * LeafCounter.all.size <= Wire.LEAF_BYTES)
  val busConfig: AxiLite4Config = AxiLite4Config(addressWidth = log2Up(Wire.LEAF_BYTES), dataWidth = 32)
}
