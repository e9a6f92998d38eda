package mneme.leaf

import mneme.rdma.PortRegisters
import mneme.wire.Wire
import mneme.wire.Wire.{LeafCounter, LeafOrder, LeafRegister, LeafResult, RoceRegister}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Commands by registers, to a unit that takes its time: what it is asked for, how that is told, and that nothing changes meanwhile. */
class LeafRegistersTest extends AnyFunSuite {
  private val l = LeafBench.whole
  private lazy val compiled = LeafBench.config.compile(LeafRegisters(l))
  private val fields = Seq(
    LeafRegister.LEAF_SEGMENT -> l.segmentBits,
    LeafRegister.LEAF_PID -> 24,
    LeafRegister.LEAF_RIGHTS -> 3,
    LeafRegister.LEAF_PAGE -> l.countBits,
    LeafRegister.LEAF_PAGES -> l.countBits,
    LeafRegister.LEAF_LINE -> l.lineBits,
    LeafRegister.LEAF_TABLE -> l.tableBits,
    LeafRegister.LEAF_ZEROS -> l.frameBits
  )
  private val operations = Map(
    LeafOrder.CREATE -> LeafOperation.CREATE,
    LeafOrder.SET_RIGHTS -> LeafOperation.SET_RIGHTS,
    LeafOrder.CLOSE -> LeafOperation.CLOSE,
    LeafOrder.SWEEP -> LeafOperation.SWEEP,
    LeafOrder.PUSH -> LeafOperation.PUSH,
    LeafOrder.POP -> LeafOperation.POP,
    LeafOrder.RING -> LeafOperation.RING,
    LeafOrder.USED -> LeafOperation.USED
  )
  private val results = Map(
    LeafStatus.DONE -> LeafResult.DONE,
    LeafStatus.UNKNOWN -> LeafResult.UNKNOWN,
    LeafStatus.RING_EMPTY -> LeafResult.RING_EMPTY,
    LeafStatus.FAILED -> LeafResult.FAILED,
    LeafStatus.TAKEN -> LeafResult.TAKEN,
    LeafStatus.BAD_RANGE -> LeafResult.BAD_RANGE,
    LeafStatus.FULL -> LeafResult.FULL
  )

  private class Bench(dut: LeafRegisters, seed: Int) {
    val random = new Random(seed)
    /** What the unit was asked for, and what it answers. */
    val asked = mutable.Queue[(LeafOperation.E, Map[Int, BigInt])]()
    var (status, frame, count) = (LeafStatus.DONE: LeafStatus.E, 0, 0)
    val tables = mutable.Queue[(Int, Boolean, Int, Int)]()
    var pages = 0
    private var working = 0
    /** It does not answer. */
    var holds = false
    dut.clockDomain.forkStimulus(10)
    assert(RoceRegister.ROCE_COMMAND == LeafRegister.LEAF_COMMAND && RoceRegister.ROCE_RESULT == LeafRegister.LEAF_RESULT, "so both have one driver")
    val registers = new PortRegisters(dut.io.bus, random, jitter = true, () => cycle())
    registers.reset()
    dut.io.request.ready #= false
    dut.io.answer.valid #= false
    dut.io.freePages.valid #= false
    Seq(dut.io.total, dut.io.usable, dut.io.waiting).foreach(_ #= 0)
    dut.io.stuck #= false
    dut.io.clean #= true
    dut.io.accesses #= false
    private val e = dut.io.events
    private val events = Seq(e.right, e.outside, e.unmapped, e.ringEmpty, e.budgetSpent, e.taken, e.freed, e.memoryError, e.lineLost)
    events.foreach(_ #= false)
    val counted = Array.fill(10)(0L)
    var counts = true
    dut.clockDomain.waitSampling(5)

    private def cycle(): Unit = {
      dut.clockDomain.waitSampling()
      for ((event, i) <- (events :+ dut.io.accesses).zipWithIndex) {
        if (event.toBoolean) counted(i) += 1
        event #= counts && random.nextInt(8) == 0
      }
      val q = dut.io.request
      if (q.valid.toBoolean && q.ready.toBoolean) {
        val rights = Seq(q.rights.read, q.rights.write, q.rights.atomic).zipWithIndex.map { case (right, bit) => if (right.toBoolean) 1 << bit else 0 }.sum
        asked.enqueue(q.operation.toEnum -> Map(
          LeafRegister.LEAF_SEGMENT -> q.segment.toBigInt,
          LeafRegister.LEAF_PID -> q.pid.toBigInt,
          LeafRegister.LEAF_RIGHTS -> BigInt(rights),
          LeafRegister.LEAF_PAGE -> q.page.toBigInt,
          LeafRegister.LEAF_PAGES -> q.pages.toBigInt,
          LeafRegister.LEAF_LINE -> q.line.toBigInt
        ))
        working = 1 + random.nextInt(60)
      }
      q.ready #= random.nextInt(10) == 0
      if (dut.io.answer.valid.toBoolean && dut.io.answer.ready.toBoolean) dut.io.answer.valid #= false
      if (working > 0 && !holds) {
        working -= 1
        if (working == 0) {
          dut.io.answer.valid #= true
          dut.io.answer.status #= status
          dut.io.answer.frame #= frame
          dut.io.answer.count #= count
        }
      }
      val t = dut.io.tables
      if (t.valid.toBoolean) tables.enqueue((t.table.toInt, t.row.valid.toBoolean, t.row.segment.toInt, t.row.index.toInt))
      if (dut.io.freePages.valid.toBoolean && dut.io.freePages.ready.toBoolean) pages -= 1
      dut.io.freePages.valid #= pages > 0
      dut.io.freePages.payload #= 40 + pages
    }
    def cycles(count: Int): Unit = for (_ <- 0 until count) cycle()
  }

  test("each command asks the unit for what its registers say, and nothing changes until it has ended") {
    for (seed <- 1 to 3) compiled.doSim(s"commands$seed", seed) { dut =>
      val t = new Bench(dut, seed)
      import t._
      assert(registers.read(LeafRegister.LEAF_MAGIC) == Wire.LEAF_MAGIC)
      assert(registers.read(LeafRegister.LEAF_SIZES) == (l.tableBits << 8 | l.segmentBits) && registers.result() == LeafResult.DONE)
      for (round <- 0 until 60) {
        val values = fields.map { case (register, bits) => register -> BigInt(bits, random) }
        for ((register, value) <- random.shuffle(values)) registers.write(register, value)
        status = random.shuffle(results.keys.toSeq).head
        frame = random.nextInt(1 << l.frameBits)
        count = random.nextInt(1 << l.countBits)
        val order = 1 + round % 8
        registers.write(LeafRegister.LEAF_COMMAND, order)
        assert(registers.result() == results(status), s"$order, $status")
        val (operation, told) = asked.dequeue()
        assert(operation == operations(order) && asked.isEmpty)
        for ((register, value) <- told) assert(value == values.toMap.apply(register), f"register 0x$register%x")
        assert(registers.read(LeafRegister.LEAF_COUNT).toInt == (if (order == LeafOrder.POP) frame else count))
        for ((register, value) <- values) assert(registers.read(register) == value)
        assert(dut.io.zeros.toBigInt == values.last._2)
      }
    }
  }

  test("writes while a command is under way do nothing") {
    compiled.doSim("pending", 4) { dut =>
      val t = new Bench(dut, 4)
      import t._
      for (order <- Seq(LeafOrder.PUSH, LeafOrder.MAP, LeafOrder.TAKE_PAGE, 77)) {
        registers.write(LeafRegister.LEAF_PAGE, 17)
        holds = true
        registers.write(LeafRegister.LEAF_COMMAND, LeafOrder.SWEEP)
        registers.write(LeafRegister.LEAF_COMMAND, order)
        registers.write(LeafRegister.LEAF_PAGE, 18)
        cycles(random.nextInt(200))
        assert(registers.read(LeafRegister.LEAF_RESULT) == LeafResult.PENDING && registers.read(LeafRegister.LEAF_PAGE) == 17)
        holds = false
        assert(registers.result() == LeafResult.DONE)
        cycles(200)
        val (operation, told) = asked.dequeue()
        assert(operation == LeafOperation.SWEEP && told(LeafRegister.LEAF_PAGE) == 17 && asked.isEmpty && tables.isEmpty)
        registers.write(LeafRegister.LEAF_PAGE, 18)
        assert(registers.read(LeafRegister.LEAF_PAGE) == 18)
      }
    }
  }

  test("leaf tables, pages of the async buffer, unknown commands, and what is counted") {
    compiled.doSim("others", 5) { dut =>
      val t = new Bench(dut, 5)
      import t._
      val perPage = 1 << (l.c.pageBits - LeafConfig.FRAME_LOG2)
      def map(order: Int): Int =
        registers.command(order, LeafRegister.LEAF_TABLE -> 9, LeafRegister.LEAF_SEGMENT -> 77, LeafRegister.LEAF_PAGE -> 3 * perPage)
      assert(map(LeafOrder.MAP) == LeafResult.DONE && map(LeafOrder.UNMAP) == LeafResult.DONE)
      assert(tables.toSeq == Seq((9, true, 77, 3), (9, false, 77, 3)))
      assert(registers.command(LeafOrder.TAKE_PAGE) == LeafResult.NO_PAGE)
      pages = 2
      cycles(3)
      for (page <- Seq(42, 41)) assert(registers.command(LeafOrder.TAKE_PAGE) == LeafResult.DONE && registers.read(LeafRegister.LEAF_COUNT) == page)
      assert(registers.command(LeafOrder.TAKE_PAGE) == LeafResult.NO_PAGE)
      for (number <- Seq[BigInt](0, 12, 256 + LeafOrder.POP, BigInt(1) << 31)) assert(registers.command(number) == LeafResult.ORDER)
      assert(asked.isEmpty)
      for (
        (port, register) <- Seq(dut.io.total -> LeafRegister.LEAF_TOTAL, dut.io.usable -> LeafRegister.LEAF_USABLE, dut.io.waiting -> LeafRegister.LEAF_WAITING)
      ) {
        port #= register
        assert(registers.read(register) == register)
      }
      dut.io.stuck #= true
      assert(registers.read(LeafRegister.LEAF_STATE) == (Wire.LEAF_STUCK | Wire.LEAF_CLEAN))
      cycles(500)
      counts = false
      cycles(5)
      for (counter <- 0 until LeafCounter.all.size) {
        assert(counted(counter) > 20)
        assert(registers.read(Wire.LEAF_COUNTERS + 4 * counter).toLong == counted(counter))
      }
    }
  }
}
