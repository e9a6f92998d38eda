package mneme.leaf

import mneme.net.FrameSpec
import mneme.wire.Wire
import mneme.wire.Wire.{LeafOrder, LeafRegister, LeafResult, Opcode, PageState, Pte, ReplaceStatus, Status}
import mneme.{BoardBench, Boards, CBoard, CBoardConfig, Reply}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim.SimCompiled

/** A whole core with a leaf unit, booted, with an empty ring. */
trait LeafBoard extends AnyFunSuite {
  protected def chains: Int = 0
  protected val config = CBoardConfig.tiny.copy(
    name = "leaf",
    pageBits = 20,
    memBits = 26,
    filterSetsLog2 = 6,
    filterWays = 4,
    packetSlots = if (chains > 0) 32 else 16,
    doors = 2,
    rdma = 16,
    leaf = true,
    chains = chains
  )
  protected def compiled: SimCompiled[CBoard] = Boards(config)
  protected val page = BigInt(1) << config.pageBits
  protected val frame = BigInt(1) << 12
  /** Board pages of leaf tables, of which the last frame is the one of zeros, of the ring, and of frames. */
  protected val (tablePage, ringPage, framePage) = (20, 21, 22)
  protected val pid = 7
  protected val bothRights = BigInt(1) << Pte.READ | BigInt(1) << Pte.WRITE

  protected class Bench(val dut: CBoard, seed: Int, memory: spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig) {
    val b = new BoardBench(dut, config, seed, memory)
    b.boot(2)
    for (zeroed <- Seq(tablePage, ringPage)) b.push(BigInt(1) << 31 | zeroed)
    while (b.read(Wire.Register.ZERO_PENDING) != 0) b.cycles(100)
    def read(register: Int): BigInt = b.read(Wire.LEAF_BASE + register)
    def write(register: Int, value: BigInt): Unit = b.write(Wire.LEAF_BASE + register, value)
    def counter(number: Int): Int = read(Wire.LEAF_COUNTERS + 4 * number).toInt
    def order(number: BigInt, registers: (Int, BigInt)*): Int = {
      for ((register, value) <- b.random.shuffle(registers)) write(register, value)
      write(LeafRegister.LEAF_COMMAND, number)
      var (result, looks) = (LeafResult.PENDING, 0)
      while (result == LeafResult.PENDING) {
        result = read(LeafRegister.LEAF_RESULT).toInt
        looks += 1
        assert(looks < 5000, "a command never ends")
      }
      result
    }
    def count: Int = read(LeafRegister.LEAF_COUNT).toInt
    def line(table: Int): BigInt = (tablePage * page + table * page / 512) / 64
    def create(segment: Int, table: Int, pages: Int, budget: Int, of: Int = pid): Int = order(
      LeafOrder.CREATE,
      LeafRegister.LEAF_SEGMENT -> segment,
      LeafRegister.LEAF_PID -> of,
      LeafRegister.LEAF_RIGHTS -> 7,
      LeafRegister.LEAF_PAGES -> pages,
      LeafRegister.LEAF_PAGE -> budget,
      LeafRegister.LEAF_LINE -> line(table)
    )
    def map(table: Int, segment: Int, first: Int): Int =
      order(LeafOrder.MAP, LeafRegister.LEAF_TABLE -> table, LeafRegister.LEAF_SEGMENT -> segment, LeafRegister.LEAF_PAGE -> first)
    def push(first: Int, frames: Int): Int =
      order(LeafOrder.PUSH, LeafRegister.LEAF_PAGE -> (framePage * 256 + first), LeafRegister.LEAF_PAGES -> frames)
    def used(segment: Int): Int = {
      assert(order(LeafOrder.USED, LeafRegister.LEAF_SEGMENT -> segment) == LeafResult.DONE)
      count
    }
    def split(vpn: Int, table: Int, rights: BigInt = bothRights, of: Int = pid): Unit = {
      val entry = BoardBench.readWrite &~ bothRights | rights | BigInt(PageState.SPLIT) << Pte.STATE | table
      assert(b.replace(of, vpn, entry) == ReplaceStatus.DONE)
    }

    assert(read(LeafRegister.LEAF_MAGIC) == Wire.LEAF_MAGIC && read(LeafRegister.LEAF_SIZES) == (7 << 8 | 8))
    assert((b.read(Wire.Register.BUILD_FLAGS) & Wire.BUILD_LEAF) != 0)
    write(LeafRegister.LEAF_ZEROS, tablePage * 256 + 255)
    assert(order(LeafOrder.RING, LeafRegister.LEAF_LINE -> ringPage * page / 64, LeafRegister.LEAF_PAGE -> 63) == LeafResult.DONE)

    def store(va: BigInt, data: Seq[Int]): Reply = b.ask(Opcode.WRITE, va, data.size, data)
    def load(va: BigInt, length: Int): Seq[Int] = {
      val reply = b.ask(Opcode.READ, va, length)
      assert(reply.status == Status.OK, reply)
      reply.payload
    }
    def refused(reply: Reply): (Int, Int) = (reply.status, (reply.va >> 40).toInt)
    def zeros(count: Int): Seq[Int] = Seq.fill(count)(0)
    def data(count: Int): Seq[Int] = FrameSpec.payload(b.random, count)
  }
  protected def bench(name: String, seed: Int, memory: spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig = BoardBench.steady)(body: Bench => Unit): Unit =
    compiled.doSim(name, seed) { dut =>
      prepare(dut)
      body(new Bench(dut, seed, memory))
    }

  /** What else is driven before a reset. */
  protected def prepare(dut: CBoard): Unit = ()
}
