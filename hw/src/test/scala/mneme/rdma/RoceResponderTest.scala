package mneme.rdma

import mneme.CBoardConfig
import mneme.net.NetSim
import mneme.wire.Wire.{RoceCounter, RoceResult}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** The responder in hardware answers as the golden model does: the same packets, memory and counts. */
class RoceResponderTest extends AnyFunSuite {
  private val config = RoceConfig(CBoardConfig.sim, queuePairs = 16, regions = 16, slots = 8, notificationGap = 1000)
  private lazy val compiled = NetSim.config.compile(new RoceResponder(config))

  /** Another legal configuration for each seed; the tables hold all that programs make. */
  private def drawn(seed: Int): RoceConfig = {
    val random = new Random(seed)
    def power(from: Int, to: Int) = 1 << (from + random.nextInt(to - from + 1))
    RoceConfig(CBoardConfig.sim, queuePairs = power(4, 10), regions = power(4, 10), slots = 2 + random.nextInt(31), notificationGap = 1000)
  }

  private def bench(name: String, seed: Int, jitter: Boolean, compiled: => SimCompiled[RoceResponder] = compiled)(body: ResponderBench => Unit): Unit =
    compiled.doSim(name, seed) { dut => body(new ResponderBench(dut, new Random(seed), jitter).start()) }

  test("programs have packets alone and back to back") {
    val groups = programs.flatMap(_.deeds).collect { case Group(packets, _) => packets.size }
    assert(groups.contains(1) && groups.exists(_ > 4))
    assert(programs.map(_.counts(RoceCounter.IMMEDIATES)).sum > 0)
  }

  private val programs = RocePrograms.kept

  for (jitter <- Seq(false, true))
    test(s"programs are answered as the golden model answers them${if (jitter) ", when everything stalls, and after resets" else ""}") {
      assert(programs.nonEmpty)
      bench(s"programs$jitter", 1, jitter)(RocePrograms.all(_, programs, resets = jitter))
    }

  private val drawnSeed = sys.env.get("MNEME_RDMA_CONFIG").map(_.toInt).getOrElse(1)
  test(s"programs are answered so in a configuration that is drawn, $drawnSeed, too") {
    bench("drawn", drawnSeed, jitter = true, NetSim.config.compile(new RoceResponder(drawn(drawnSeed))))(RocePrograms.all(_, programs, resets = true))
  }

  private val WRITE = 0x0a
  private val READ = 0x0c
  private val qp = MakeQueuePair(qpn = 0x105, peerQpn = 0x77, peer = 0x0a000002L, pid = 7, psn = 100, mtu = 5, hardened = false, pkey = 0xffff)
  private val region = MakeRegion(key = 0x12345603L, pid = 7, va = BigInt("7f0000000000", 16), length = 1 << 20, rights = 7)

  /** A packet of the peer's; WRITEs and READs of one packet. */
  private def packet(opcode: Int, psn: Int, length: Int, congested: Boolean) = Comes(
    qp.qpn,
    qp.peer,
    opcode,
    ack = true,
    pad = (4 - length % 4) % 4,
    qp.pkey,
    psn,
    region.va,
    region.key,
    length,
    swapAdd = 0,
    compare = 0,
    payload = if (opcode == WRITE) length else 0,
    seed = 5,
    malformed = false,
    congested
  )
  private def write(psn: Int, length: Int) = packet(WRITE, psn, length, congested = false)
  private def read(psn: Int, length: Int) = packet(READ, psn, length, congested = false)

  private def ready(b: ResponderBench): Unit = {
    assert(b.create(qp) == RoceResult.DONE)
    assert(b.create(region) == RoceResult.DONE)
  }

  test("congestion is told to a sound packet's sender, once in a gap") {
    bench("congestion", 3, jitter = false) { b =>
      ready(b)
      def told = b.left.count(_.opcode == RoceOpcode.CNP)
      b.settle((100 until 104).map(packet(WRITE, _, 64, congested = true)))
      assert(told == 1, "four packets within the gap")
      b.settle(Seq(write(104, 64)))
      assert(told == 0, "a packet that met none")
      for (_ <- 0 until config.notificationGap) b.cycle()
      b.settle(Seq(packet(WRITE, 105, 64, congested = true)))
      assert(told == 1, "after the gap")
      for (_ <- 0 until config.notificationGap) b.cycle()
      b.settle(Seq(packet(WRITE, 106, 64, congested = true).copy(source = qp.peer + 1)))
      assert(told == 0, "somebody else's")
      assert(b.counts(RoceCounter.NOTIFICATIONS) == 2)
      assert(b.query(qp.qpn) == QueuePairEnd(qp.qpn, 106, 6, inError = false))
    }
  }

  test("data that memory could not read leave marked, and those of the next READ do not") {
    bench("damaged", 4, jitter = false) { b =>
      ready(b)
      b.settle(Seq(write(100, 1000)))
      b.door.damages = true
      assert(b.settle(Seq(read(101, 1000), read(102, 1000))).map(_.opcode) == Seq(0x10, 0x10))
      assert(b.damaged == Set(0))
    }
  }

  test("a transmitter that takes nothing for long loses nothing") {
    bench("standing", 5, jitter = true) { b =>
      ready(b)
      val reads = (101 until 117).map(read(_, 700))
      val want = b.settle(write(100, 700) +: reads)
      assert(want.filter(_.opcode == 0x10).map(_.psn) == (101 until 117))
      b.stands = true
      b.begin((117 until 133).map(read(_, 700)))
      for (_ <- 0 until 3000) b.cycle()
      assert(b.left.count(_.psn >= 117) == 0)
      b.stands = false
      val got = b.settle(Nil)
      assert(got.filter(_.opcode == 0x10).map(a => (a.psn, a.digest)) == (117 until 133).map((_, want.last.digest)))
      assert(b.counts(RoceCounter.READS) == 32)
    }
  }
}
