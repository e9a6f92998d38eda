package mneme.rdma

import mneme.CBoardConfig
import mneme.net.NetSim
import mneme.wire.Wire
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

  /** Lets the bench do what a program says, as far as `until`. */
  private def play(b: ResponderBench, program: RoceProgram, until: Int): Unit = for ((deed, i) <- program.deeds.take(until).zipWithIndex) {
    deed match {
      case qp: MakeQueuePair => assert(b.create(qp) == RoceResult.DONE)
      case region: MakeRegion => assert(b.create(region) == RoceResult.DONE)
      case RemoveRegion(key) => assert(b.remove(key) == RoceResult.DONE)
      case SetPage(pid, page, Wire.Status.OK) => b.door.faults.remove((pid, page))
      case SetPage(pid, page, status) => b.door.faults((pid, page)) = status
      case Group(packets, answers) =>
        val got = b.settle(packets)
        val what = s"program ${program.seed}, deed $i, ${packets.size} packets, the last one ${packets.lastOption}"
        // One packet: one thing after the other, and no room for a difference.
        if (packets.size <= 1) assert(got == answers, what)
        else for (qpn <- packets.map(_.qpn).distinct) compare(answers.filter(_.qpn == qpn), got.filter(_.qpn == qpn), s"$what, queue pair ${qpn.toHexString}")
    }
  }

  /** What may differ when packets come back to back: an acknowledge says what those before it would have said; an answer to a READ or an atomic says
    * that all before it is done, and so does what was refused, and was done then.
    */
  private def compare(want: Seq[Leaves], got: Seq[Leaves], what: String): Unit = {
    def rest(all: Seq[Leaves]) = all.filterNot(a => a.isAck || a.isRefusal)
    assert(rest(got) == rest(want), what)
    // Each is one that the model gave, in its order, ...
    val told = want.iterator
    for (answer <- got) assert(told.contains(answer), s"$what: $answer is not among $want or comes late")
    // ... and what holds in the end is told. A refusal says of all before its packet what an acknowledge of them would, so a
    // refusal that still waits when such an acknowledge falls due stands for it.
    val same = (want.lastOption, got.lastOption) match {
      case (Some(ack), Some(refusal)) if ack.isAck && refusal.isRefusal => refusal.psn == ((ack.psn + 1) & 0xffffff) && refusal.msn == ack.msn
      case (wanted, told) => told == wanted
    }
    assert(same, s"$what: ends with ${got.lastOption} instead of ${want.lastOption}")
  }

  private def check(b: ResponderBench, program: RoceProgram): Unit = {
    for (end <- program.ends) assert(b.query(end.qpn) == end, s"program ${program.seed}")
    val pages = b.door.pages.map { case (key, bytes) => key -> RoceVectors.digest(bytes) }
    assert(pages == program.memory, s"program ${program.seed}")
    // Where packets come back to back, an acknowledge may say what several would have.
    val alone = program.deeds.forall { case Group(packets, _) => packets.size <= 1; case _ => true }
    for ((name, number) <- RoceCounter.all if alone || number != RoceCounter.ACKNOWLEDGES)
      assert(b.counts(number) == program.counts(number), s"program ${program.seed}: $name")
    assert(b.counts(RoceCounter.ACKNOWLEDGES) <= program.counts(RoceCounter.ACKNOWLEDGES))
  }

  test("programs have packets alone and back to back") {
    val groups = programs.flatMap(_.deeds).collect { case Group(packets, _) => packets.size }
    assert(groups.contains(1) && groups.exists(_ > 4))
    assert(programs.map(_.counts(RoceCounter.IMMEDIATES)).sum > 0)
  }

  private val programs = RoceVectors.read(sys.env.getOrElse("MNEME_RDMA_VECTORS", "src/test/resources/rdma/responder.txt"))

  /** All programs, one after the other; with stalls each after a part of itself that a reset cuts off anywhere. */
  private def all(b: ResponderBench, jitter: Boolean): Unit = {
    val random = new Random(2)
    for (program <- programs) {
      if (jitter) {
        b.reset()
        play(b, program, 12 + random.nextInt(20))
        b.begin(program.deeds.collect { case Group(packets, _) => packets }.flatten.take(20).toSeq)
        for (_ <- 0 until random.nextInt(300)) b.cycle()
      }
      b.reset()
      play(b, program, program.deeds.size)
      check(b, program)
    }
  }

  for (jitter <- Seq(false, true))
    test(s"programs are answered as the golden model answers them${if (jitter) ", when everything stalls, and after resets" else ""}") {
      assert(programs.nonEmpty)
      bench(s"programs$jitter", 1, jitter)(all(_, jitter))
    }

  private val drawnSeed = sys.env.get("MNEME_RDMA_CONFIG").map(_.toInt).getOrElse(1)
  test(s"programs are answered so in a configuration that is drawn, $drawnSeed, too") {
    bench("drawn", drawnSeed, jitter = true, NetSim.config.compile(new RoceResponder(drawn(drawnSeed))))(all(_, jitter = true))
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
