package mneme.leaf

import mneme.engine.Operation
import mneme.mem.{BadLines, MemoryModel, Stall, Timing}
import mneme.rdma.PortRegisters
import mneme.vm.Translated
import mneme.wire.Wire.{LeafOrder, LeafRegister, LeafResult, Status}
import mneme.{Control, Faults, MemoryBus}
import org.scalatest.Assertions._
import spinal.core.{assert => _, _}
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4

import scala.collection.mutable
import scala.util.Random

/** Accesses to split pages with the leaf unit that they ask. */
case class SplitWhole(l: LeafConfig) extends Component {
  val io = new Bundle {
    val translated = slave(Stream(Translated(l.c)))
    val tokens = master(Stream(Translated(l.c)))
    val ended = in(Vec(UInt(log2Up(l.c.doors + 2) bits), 2))
    val control = in(Control())
    val dry = in Bool ()
    val pageFault, faultDry, zeroRead = out Bool ()
    val bus = slave(AxiLite4(LeafRegisters.busConfig))
    val mem = master(Axi4(MemoryBus.config(l.c)))
  }
  val split = SplitAccess(l, plantable = true)
  val plantedFaults = in(Faults.bits(SplitFault))
  split.plantedFaults.foreach(_ := plantedFaults)
  private val port = LeafPort(l)
  split.io.translated << io.translated
  split.io.tokens >> io.tokens
  split.io.ended := io.ended
  split.io.control := io.control
  split.io.dry := io.dry
  io.pageFault := split.io.pageFault
  io.faultDry := split.io.faultDry
  io.zeroRead := split.io.zeroRead
  split.io.door <> port.io.door
  port.io.accesses := split.io.accesses
  // Nobody lists pages here.
  port.io.frees.request.setIdle()
  port.io.frees.answer.ready := False
  port.io.frees.holds := False
  port.io.freePages.valid := False
  port.io.freePages.payload := 0
  port.io.bus << io.bus
  port.io.mem >> io.mem
}

/** A token on its way in. `table`: of a split page. */
case class SplitToken(
    place: Int,
    operation: Operation.E,
    order: Int,
    fence: Boolean = false,
    table: Option[Int] = None,
    pid: Int = 0,
    offset: Int = 0,
    length: Int = 0
)

/** What became of it: `frames` of its pages, the second one only where it has two; `epoch` one-hot. */
case class SplitEnd(operation: Operation.E, status: Int, cause: Int, zeros: Boolean, frames: (Int, Int), epoch: Int)

/** Drives accesses, is their memory, and sees that none overtakes another one of its page. */
class SplitBench(dut: SplitWhole, l: LeafConfig, timing: Timing, seed: Int, faults: Set[SplitFault.Value] = Set.empty) {
  val random = new Random(seed)
  val bytes = new Array[Byte](1 << l.c.memBits)
  private val memory = new MemoryModel(dut.io.mem, 0, bytes, BadLines(), timing, random)
  private val outStall = new Stall(random, timing.jitter)
  private val toSend = mutable.Queue[SplitToken]()
  /** Those inside, in the order of their arrival; and how those have ended that have left. */
  private val inside = mutable.ArrayBuffer[SplitToken]()
  val ended = mutable.Queue[(SplitToken, SplitEnd)]()
  private val owed = Array(0, 0)
  /** No access ends. */
  var holds = false
  /** When the last one left. */
  var leftAt = 0L
  var (now, pageFaults, faultsDry, zeroReads) = (0L, 0, 0, 0)
  dut.clockDomain.forkStimulus(10)
  val registers = new PortRegisters(dut.io.bus, random, jitter = false, () => cycle())

  private val in = dut.io.translated
  private def offer(): Unit = {
    in.valid #= toSend.nonEmpty
    for (t <- toSend.headOption) {
      val p = in.payload
      p.place #= t.place
      p.operation #= t.operation
      p.fence #= t.fence
      p.length #= t.length
      p.leaf.order #= t.order
      p.leaf.pid #= t.pid
      p.leaf.split #= t.table.isDefined
      p.leaf.tableTop #= t.table.exists(_ >> (l.tableBits - 1) != 0)
      val page = t.table.getOrElse(3) & ((1 << (l.tableBits - 1)) - 1)
      p.address #= (page.toLong << l.c.pageBits) + t.offset
    }
  }

  private def leaves(): Unit = {
    val p = dut.io.tokens.payload
    val at = inside.indexWhere(_.place == p.place.toInt)
    assert(at >= 0, "a token leaves that never came, or twice")
    val token = inside.remove(at)
    val earlier = inside.take(at)
    assert(!earlier.exists(_.order == token.order), s"$token overtakes another one of its page")
    assert(!token.fence || earlier.isEmpty, s"the fence $token overtakes")
    val address = p.address.toLong
    if (token.table.isDefined) assert((address & 4095) == (token.offset & 4095) && !p.leaf.split.toBoolean)
    val outcome = p.report.outcome
    val (status, cause) = (outcome.status.toInt, (outcome.detailVa.toLong >> 40).toInt)
    val epoch = p.leaf.epoch.toInt
    leftAt = now
    ended.enqueue(token -> SplitEnd(p.operation.toEnum, status, cause, p.report.zeros.toBoolean, ((address >> 12).toInt, p.leaf.next.toInt), epoch))
    assert(epoch <= 2)
    if (token.table.isDefined && epoch != 0) owed(epoch >> 1) += 1
  }

  private def cycle(): Unit = {
    dut.clockDomain.waitSampling()
    now += 1
    memory.step(now)
    val out = dut.io.tokens.valid.toBoolean && dut.io.tokens.ready.toBoolean
    if (in.valid.toBoolean && in.ready.toBoolean) {
      val token = toSend.dequeue()
      val waits = token.table.isDefined || inside.exists(_.order == token.order) || (token.fence && inside.nonEmpty)
      assert(waits || (out && dut.io.tokens.payload.place.toInt == token.place), s"$token waits for nobody")
      inside += token
    }
    if (out) leaves()
    if (dut.io.pageFault.toBoolean) pageFaults += 1
    if (dut.io.faultDry.toBoolean) faultsDry += 1
    if (dut.io.zeroRead.toBoolean) zeroReads += 1
    offer()
    dut.io.tokens.ready #= outStall.go()
    for ((count, e) <- dut.io.ended.zipWithIndex) {
      val most = if (holds || (timing.jitter && random.nextInt(8) != 0)) 0 else owed(e) min 3
      owed(e) -= most
      count #= most
    }
  }
  def cycles(count: Int): Unit = for (_ <- 0 until count) cycle()
  def send(token: SplitToken): Unit = toSend.enqueue(token)
  /** Until all have left. */
  def drain(): Unit = {
    val last = now + 400000
    while (toSend.nonEmpty || inside.nonEmpty) {
      cycle()
      assert(now < last, s"tokens wait for ever: ${inside.size} inside, the first ${inside.headOption}")
    }
  }
  /** Until all that have begun have ended, and what they freed may be taken. */
  def rest(): Unit = {
    drain()
    while (owed.sum > 0) cycle()
    cycles(40)
  }

  def order(number: BigInt, all: (Int, BigInt)*): Int = {
    for ((register, value) <- all) registers.write(register, value)
    registers.write(LeafRegister.LEAF_COMMAND, number)
    registers.result()
  }
  def count: Int = registers.read(LeafRegister.LEAF_COUNT).toInt
  def read(register: Int): Int = registers.read(register).toInt
  def create(segment: Int, pid: Int, rights: Int, budget: Int, tables: Int*): Unit = {
    assert(
      order(
        LeafOrder.CREATE,
        LeafRegister.LEAF_SEGMENT -> segment,
        LeafRegister.LEAF_PID -> pid,
        LeafRegister.LEAF_RIGHTS -> rights,
        LeafRegister.LEAF_PAGES -> 256 * tables.size,
        LeafRegister.LEAF_PAGE -> budget,
        LeafRegister.LEAF_LINE -> (SplitBench.tableLine + tables.head * 32)
      ) == LeafResult.DONE
    )
    for ((table, i) <- tables.zipWithIndex)
      order(LeafOrder.MAP, LeafRegister.LEAF_TABLE -> table, LeafRegister.LEAF_SEGMENT -> segment, LeafRegister.LEAF_PAGE -> 256 * i)
  }
  def used(segment: Int): Int = {
    assert(order(LeafOrder.USED, LeafRegister.LEAF_SEGMENT -> segment) == LeafResult.DONE)
    count
  }

  dut.plantedFaults #= faults.map(f => BigInt(1) << f.id).sum
  memory.reset()
  registers.reset()
  in.valid #= false
  dut.io.tokens.ready #= false
  dut.io.ended.foreach(_ #= 0)
  dut.io.dry #= false
  dut.io.control.exhausted #= false
  dut.io.control.busyHint #= 0
  in.payload.report.outcome.status #= Status.OK
  in.payload.report.outcome.detailVa #= 0
  in.payload.report.zeros #= false
  in.payload.leaf.epoch #= 0
  dut.clockDomain.assertReset()
  dut.clockDomain.waitRisingEdge(3)
  dut.clockDomain.deassertReset()
  dut.clockDomain.waitSampling()
  registers.write(LeafRegister.LEAF_ZEROS, SplitBench.zeros)
  assert(order(LeafOrder.RING, LeafRegister.LEAF_LINE -> SplitBench.ringLine, LeafRegister.LEAF_PAGE -> 31) == LeafResult.DONE)
}

object SplitBench {
  /** Board pages of 1 MB: tables in 20, the ring in 21, frames from 22 on. */
  private val pageLines = 1 << 14
  val (tableLine, ringLine) = (20 * pageLines, 21 * pageLines)
  val (firstFrame, zeros) = (22 * 256, 20 * 256 + 255)
}
