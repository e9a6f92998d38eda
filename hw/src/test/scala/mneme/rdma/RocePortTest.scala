package mneme.rdma

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire
import mneme.wire.Wire.{RoceCommand, RoceCounter, RoceRegister, RoceResult}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** The whole port answers frames as the golden model does, byte by byte, and is told what to do by its registers alone. */
class RocePortTest extends AnyFunSuite {
  import RocePortTest._

  /** Another legal configuration for each seed; the tables hold all that programs make, and of a process as many READs and atomics as one group of packets may
    * have.
    */
  private def drawn(seed: Int): RoceConfig = {
    val random = new Random(seed)
    def power(from: Int, to: Int) = 1 << (from + random.nextInt(to - from + 1))
    val (queuePairs, regions, slots, jobs) = (power(4, 10), power(4, 10), 2 + random.nextInt(31), 20 + random.nextInt(45))
    RoceConfig(CBoardConfig.sim, queuePairs, regions, slots, jobs, flights = power(1, 4), notificationGap = 1000)
  }

  private def bench(name: String, seed: Int, jitter: Boolean, noise: Boolean = false, compiled: => SimCompiled[RocePort] = compiled)(
      body: PortBench => Unit
  ): Unit = compiled.doSim(name, seed) { dut => body(new PortBench(dut, new Random(seed), jitter, noise).start()) }

  private val programs = RocePrograms.kept

  /** All programs, and behind each what the port counted of frames. */
  private def all(b: PortBench, resets: Boolean): Unit = for (program <- programs) {
    RocePrograms.all(b, Seq(program), resets)
    b.checkFrames()
  }

  test("programs are answered as the golden model answers them, frame by frame") {
    bench("programs", 1, jitter = false)(all(_, resets = false))
  }
  test("programs are answered so when everything stalls, among others' frames and damaged ones, and after resets") {
    bench("stalls", 2, jitter = true, noise = true)(all(_, resets = true))
  }
  private val drawnSeed = sys.env.get("MNEME_RDMA_CONFIG").map(_.toInt).getOrElse(1)
  test(s"programs are answered so in a configuration that is drawn, $drawnSeed, too") {
    bench("drawn", drawnSeed, jitter = true, noise = true, compile(drawn(drawnSeed)))(all(_, resets = true))
  }

  test("each register keeps the bits that it has, and the others do nothing") {
    bench("registers", 3, jitter = true) { b =>
      val (bus, r) = (b.registers, new Random(3))
      assert(bus.read(RoceRegister.ROCE_MAGIC) == Wire.ROCE_MAGIC)
      assert(bus.read(RoceRegister.ROCE_SIZES) == (4 | 8 << 8))
      val kept = collection.mutable.Map.from(writable.keys.map(_ -> BigInt(0)))
      for (_ <- 0 until 400) {
        val (address, value, strobe) = (4 * r.nextInt(Wire.ROCE_COUNTERS / 4), BigInt(32, r), if (r.nextBoolean()) 15 else r.nextInt(16))
        if (address != RoceRegister.ROCE_COMMAND) {
          bus.write(address, value, strobe)
          val bytes = (0 until 4).filter(i => ((strobe >> i) & 1) == 1).map(i => BigInt(0xff) << (8 * i)).sum
          for (bits <- writable.get(address)) kept(address) = (kept(address) & ~bytes | value & bytes) & bits
        }
        val look = 4 * r.nextInt(Wire.ROCE_COUNTERS / 4)
        val want = look match {
          case RoceRegister.ROCE_MAGIC => BigInt(Wire.ROCE_MAGIC)
          case RoceRegister.ROCE_SIZES => BigInt(4 | 8 << 8)
          case RoceRegister.ROCE_RESULT => BigInt(RoceResult.DONE)
          case _ => kept.getOrElse(look, BigInt(0))
        }
        assert(bus.read(look) == want, f"0x$look%x")
      }
      assert(kept.values.count(_ != 0) > 12)
      for (number <- 0 until 64) assert(bus.counter(number) == 0)
    }
  }

  test("commands end as they should") {
    bench("commands", 4, jitter = true) { b =>
      import RoceResult._
      val bus = b.registers
      assert(b.create(qp) == DONE && b.create(qp) == TAKEN)
      // The same place, another number.
      assert(b.create(qp.copy(qpn = qp.qpn + 16)) == TAKEN && bus.about(RoceCommand.QUERY_QUEUE_PAIR, qp.qpn + 16) == UNKNOWN)
      assert(b.create(qp.copy(qpn = 1)) == NUMBER)
      for (
        (rate, result) <- Seq(1 -> RATE, Wire.ROCE_RATE_LEAST - 1 -> RATE, Wire.ROCE_RATE_LINE + 1 -> RATE, -1 -> RATE, Wire.ROCE_RATE_LEAST -> DONE, 0 -> DONE)
      ) {
        bus.rate = rate
        assert(b.create(qp.copy(qpn = 0x107)) == result, s"rate $rate")
        if (result == DONE) assert(bus.about(RoceCommand.DESTROY_QUEUE_PAIR, 0x107) == DONE)
      }
      for (mtu <- Seq(0, 6, 7)) assert(b.create(qp.copy(qpn = 0x106, mtu = mtu)) == PATH_MTU)
      assert(b.create(region) == DONE && b.create(region) == TAKEN && b.remove(region.key ^ 0x100) == UNKNOWN)
      assert(b.create(region.copy(key = 5, va = (BigInt(1) << 48) - 4096, length = 4097)) == RANGE)
      assert(b.create(region.copy(key = 5, va = (BigInt(1) << 48) - 4096, length = 4096)) == DONE)
      for (number <- Seq(BigInt(0), BigInt(7), BigInt(0x101), BigInt(0xffffffffL))) assert(bus.command(number) == COMMAND, number)

      assert(b.settle(Seq(write(100, 64))).map(_.psn) == Seq(100))
      assert(bus.query(qp.qpn) == QueuePairEnd(qp.qpn, 101, 1, inError = false))
      // What a query told stays, whatever is done after it.
      assert(b.create(qp.copy(qpn = 0x106)) == DONE && bus.about(RoceCommand.QUERY_QUEUE_PAIR, 0x999) == UNKNOWN)
      assert(bus.read(RoceRegister.ROCE_EXPECTED) == 101 && bus.read(RoceRegister.ROCE_MSN) == 1 && bus.read(RoceRegister.ROCE_STATE) == 0)
      assert(bus.about(RoceCommand.END_QUEUE_PAIR, qp.qpn) == DONE)
      assert(b.settle(Seq(write(101, 64))).isEmpty && b.counted(RoceCounter.QUEUE_PAIR_IN_ERROR) == 1)
      assert(bus.query(qp.qpn) == QueuePairEnd(qp.qpn, 101, 1, inError = true))
      assert(bus.about(RoceCommand.DESTROY_QUEUE_PAIR, qp.qpn) == DONE && bus.about(RoceCommand.DESTROY_QUEUE_PAIR, qp.qpn) == UNKNOWN)
      assert(b.settle(Seq(write(101, 64))).isEmpty && b.counted(RoceCounter.UNKNOWN_QUEUE_PAIR) == 1)
      assert(b.create(qp) == DONE && b.settle(Seq(write(100, 64))).map(_.psn) == Seq(100))
      assert(b.remove(region.key) == DONE && b.remove(region.key) == UNKNOWN)
      assert(b.settle(Seq(write(101, 64))).map(_.syndrome) == Seq(0x62) && b.counted(RoceCounter.KEY) == 1)
    }
  }

  test("while a command is under way writes do nothing") {
    bench("pending", 5, jitter = false) { b =>
      val bus = b.registers
      assert(b.create(region) == RoceResult.DONE && b.create(qp) == RoceResult.DONE)
      // Memory that gives nothing back holds the responder.
      b.holds = true
      b.begin(Seq(write(100, 64)))
      for (_ <- 0 until 60) b.cycle()
      bus.write(RoceRegister.ROCE_QPN, qp.qpn)
      bus.write(RoceRegister.ROCE_COMMAND, RoceCommand.QUERY_QUEUE_PAIR)
      for (_ <- 0 until 3) {
        assert(bus.read(RoceRegister.ROCE_RESULT) == RoceResult.PENDING)
        for (address <- writable.keys) bus.write(address, 0xffffffffL)
        bus.write(RoceRegister.ROCE_COMMAND, RoceCommand.DESTROY_QUEUE_PAIR)
      }
      assert(bus.read(RoceRegister.ROCE_QPN) == qp.qpn && bus.read(RoceRegister.ROCE_JOBS) == 0)
      b.holds = false
      assert(bus.result() == RoceResult.DONE)
      assert(bus.read(RoceRegister.ROCE_EXPECTED) == 101, "of the packet that was under way")
      b.settle(Nil)
      assert(bus.query(qp.qpn) == QueuePairEnd(qp.qpn, 101, 1, inError = false))
    }
  }
  test("after a reset, until the tables are empty, writes do nothing") {
    bench("emptied", 6, jitter = false) { b =>
      assert(b.create(qp) == RoceResult.DONE && b.create(region) == RoceResult.DONE)
      b.reset(waits = false)
      assert(b.registers.read(RoceRegister.ROCE_RESULT) == RoceResult.PENDING)
      b.registers.write(RoceRegister.ROCE_QPN, qp.qpn)
      b.registers.write(RoceRegister.ROCE_COMMAND, RoceCommand.CREATE_QUEUE_PAIR)
      assert(b.registers.read(RoceRegister.ROCE_RESULT) == RoceResult.PENDING)
      assert(b.registers.result() == RoceResult.DONE && b.registers.read(RoceRegister.ROCE_QPN) == 0)
      assert(b.registers.about(RoceCommand.QUERY_QUEUE_PAIR, qp.qpn) == RoceResult.UNKNOWN)
    }
  }

  test("unanswered READs show in the registers, and leave nothing when their queue pair is ended") {
    bench("jobs", 7, jitter = false) { b =>
      assert(b.create(qp) == RoceResult.DONE && b.create(region) == RoceResult.DONE)
      b.settle(Seq(write(100, 700)))
      b.stands = true
      b.begin((101 until 117).map(read(_, 700)))
      for (_ <- 0 until 2000) b.cycle()
      b.query(qp.qpn)
      val (jobs, state) = (b.registers.read(RoceRegister.ROCE_JOBS).toInt, b.registers.read(RoceRegister.ROCE_STATE).toInt)
      assert(jobs > 4 && jobs < 16 && state == (jobs << 8 | Wire.ROCE_UNANSWERED), s"$jobs, $state")
      assert(b.registers.about(RoceCommand.END_QUEUE_PAIR, qp.qpn) == RoceResult.DONE)
      assert(b.registers.read(RoceRegister.ROCE_JOBS) == 0)
      b.stands = false
      val got = b.settle(Nil)
      assert(got.map(_.psn) == (101 until 117 - jobs), "those that were made leave whole")
      b.checkFrames()
    }
  }

  test("of a process that has its share of the store what comes is dropped with a count, and it goes on where it was") {
    bench("full", 8, jitter = false) { b =>
      assert(b.create(qp) == RoceResult.DONE && b.create(region) == RoceResult.DONE)
      b.rushes()
      b.holds = true
      val packets = (100 until 160).map(write(_, 64))
      b.begin(packets)
      for (_ <- 0 until 500) b.cycle()
      b.holds = false
      b.settle(Nil)
      val full = b.counted(RoceCounter.DROP_SHARE).toInt
      val taken = b.counted(RoceCounter.RX_PACKETS).toInt
      assert(taken == PortBench.room(config.slots) && full == packets.size - taken, s"$taken, $full")
      assert(b.query(qp.qpn) == QueuePairEnd(qp.qpn, 100 + taken, taken, inError = false))
      b.heeds()
      b.settle(packets.drop(taken))
      assert(b.query(qp.qpn) == QueuePairEnd(qp.qpn, 160, 60, inError = false))
    }
  }

  test("data that memory could not read leave in a frame that nobody takes for sound; congestion is told") {
    bench("damaged", 9, jitter = false) { b =>
      assert(b.create(qp) == RoceResult.DONE && b.create(region) == RoceResult.DONE)
      b.settle(Seq(write(100, 1000)))
      b.door.damages = true
      assert(b.settle(Seq(read(101, 1000), read(102, 1000).copy(congested = true))).map(_.opcode).sorted == Seq(0x10, 0x10, 0x81))
      assert(b.damaged == 1)
      b.checkFrames()
      assert(b.counted(RoceCounter.NOTIFICATIONS) == 1)
    }
  }
}

object RocePortTest {
  val config: RoceConfig = RoceConfig(CBoardConfig.sim, queuePairs = 16, regions = 256, notificationGap = 1000)
  lazy val compiled: SimCompiled[RocePort] = compile(config)

  /** With what the bench must know to heed the store's room. */
  def compile(r: RoceConfig): SimCompiled[RocePort] = Simulation.config.compile {
    val dut = RocePort(r, "block")
    dut.responder.io.released.valid.simPublic()
    dut
  }

  /** Readable and writable registers with their bits. */
  val writable: Map[Int, BigInt] = {
    import RoceRegister._
    val whole = Seq(ROCE_RATE, ROCE_PEER_IP, ROCE_PEER_MAC_LOW, ROCE_PORT_PKEY, ROCE_KEY, ROCE_VA_LOW, ROCE_LENGTH_LOW).map(_ -> BigInt(0xffffffffL))
    val numbers = Seq(ROCE_QPN, ROCE_PEER_QPN, ROCE_PID, ROCE_PSN).map(_ -> BigInt(0xffffff))
    val high = Seq(ROCE_PEER_MAC_HIGH, ROCE_VA_HIGH, ROCE_LENGTH_HIGH).map(_ -> BigInt(0xffff))
    (whole ++ numbers ++ high ++ Seq(ROCE_OPTIONS -> BigInt(Wire.ROCE_HARDENED | 7), ROCE_RIGHTS -> BigInt(7))).toMap
  }

  val WRITE = 0x0a
  val READ = 0x0c
  val qp: MakeQueuePair = MakeQueuePair(qpn = 0x105, peerQpn = 0x77, peer = 0x0a000002L, pid = 7, psn = 100, mtu = 5, hardened = false, pkey = 0xffff)
  val region: MakeRegion = MakeRegion(key = 0x12345603L, pid = 7, va = BigInt("7f0000000000", 16), length = 1 << 20, rights = 7)

  /** A packet of the peer's: a READ, or a WRITE of one packet. */
  private def packet(opcode: Int, psn: Int, length: Int, of: MakeQueuePair) = Comes(
    of.qpn,
    of.peer,
    opcode,
    ack = true,
    pad = if (opcode == WRITE) (4 - length % 4) % 4 else 0,
    of.pkey,
    psn,
    region.va,
    region.key,
    length,
    swapAdd = 0,
    compare = 0,
    payload = if (opcode == WRITE) length else 0,
    seed = 5,
    malformed = false
  )
  def write(psn: Int, length: Int, of: MakeQueuePair = qp): Comes = packet(WRITE, psn, length, of)
  def read(psn: Int, length: Int, of: MakeQueuePair = qp): Comes = packet(READ, psn, length, of)
}
