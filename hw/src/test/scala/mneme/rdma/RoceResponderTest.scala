package mneme.rdma

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire
import mneme.wire.Wire.{RoceCommand, RoceCounter, RoceResult}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** The responder in hardware answers as the golden model does: the same packets, memory and counts. */
class RoceResponderTest extends AnyFunSuite {
  private val config = RoceConfig(CBoardConfig.sim, queuePairs = 16, regions = 16, slots = 8, notificationGap = 1000)
  private lazy val compiled = Simulation.config.compile(new RoceResponder(config))

  /** Another legal configuration for each seed; the tables hold all that programs make. */
  private def drawn(seed: Int): RoceConfig = {
    val random = new Random(seed)
    def power(from: Int, to: Int) = 1 << (from + random.nextInt(to - from + 1))
    RoceConfig(
      CBoardConfig.sim,
      queuePairs = power(4, 10),
      regions = power(4, 10),
      slots = 2 + random.nextInt(31),
      flights = power(1, 4),
      notificationGap = 1000
    )
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
    bench("drawn", drawnSeed, jitter = true, Simulation.config.compile(new RoceResponder(drawn(drawnSeed))))(RocePrograms.all(_, programs, resets = true))
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

  test("of reads whose data do not come it has no more inside than memory access has room for") {
    assert(intercept[IllegalArgumentException](RoceConfig(CBoardConfig.tiny)).getMessage.contains("data of 14 reads may still come"))
    assert(config.reads == 14 && RoceConfig(CBoardConfig.tiny.copy(packetSlots = 16)).reads == 14)
    bench("inside", 12, jitter = false) { b =>
      ready(b)
      val packet = b.settle(Seq(write(100, 4096), read(101, 4096))).last
      b.door.keepsData = true
      b.begin((102 until 118).map(read(_, 4096)))
      for (_ <- 0 until 3000) b.cycle()
      info(s"${b.door.mostReads} of ${config.reads} reads")
      // No more are begun while so much waits for the line.
      assert(b.door.mostReads > config.tokens && b.door.mostReads <= config.reads)
      b.door.keepsData = false
      assert(b.settle(Nil).map(answer => (answer.psn, answer.digest)) == (102 until 118).map((_, packet.digest)))
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

  for (jitter <- Seq(false, true)) {
    val stalls = if (jitter) ", when everything stalls" else ""
    test(s"a process has as many places for READs as are free, and its turns, however many queue pairs it has$stalls") {
      bench(s"shares$jitter", 10, jitter) { b =>
        ready(b)
        // Seven more of process 7, and one of process 9.
        val own = qp +: (1 until 8).map(i => qp.copy(qpn = qp.qpn + i, peerQpn = qp.peerQpn + i))
        val victim = qp.copy(qpn = 0x10e, peerQpn = 0x99, pid = 9)
        for (pair <- own.tail :+ victim) assert(b.create(pair) == RoceResult.DONE)
        val other = region.copy(key = 0x12345604L, pid = 9)
        assert(b.create(other) == RoceResult.DONE)
        // Five packets each.
        def reads(pair: MakeQueuePair, count: Int) = (0 until count).map(i => read(100 + 5 * i, 5 * 4096).copy(qpn = pair.qpn))
        b.settle(Seq(write(100, 64)))
        val first = reads(qp, 17).tail.map(r => r.copy(psn = r.psn - 4))
        b.stands = true
        b.begin(first ++ own.tail.flatMap(reads(_, 16)))
        for (_ <- 0 until 4000) b.cycle()
        assert(b.jobs == config.jobs / 2 && b.counts(RoceCounter.READS) == config.jobs / 2, "of 128")
        assert(b.counts(RoceCounter.QUEUE_FULL) == 6, "one of each queue pair that was told")
        b.begin(reads(victim, 3).map(_.copy(rkey = other.key)))
        for (_ <- 0 until 1000) b.cycle()
        assert(b.jobs == config.jobs / 2 + 3)
        b.stands = false
        val answers = b.settle(Nil)
        // What was made before stays in front.
        val at = answers.zipWithIndex.collect { case (a, i) if a.qpn == victim.qpn => i }
        assert(at.size == 15 && answers.count(!_.isRefusal) == 5 * (config.jobs / 2 + 3))
        assert(at.sliding(2).forall { case Seq(a, b) => b - a == 2 }, s"every second packet: $at")
        assert(at.head < 20)
        // All places are free again, also those of queue pairs that are gone.
        b.stands = true
        b.begin(reads(own(7), 16))
        for (_ <- 0 until 2000) b.cycle()
        assert(b.jobs == 16)
        for (pair <- own) assert(b.about(RoceCommand.DESTROY_QUEUE_PAIR, pair.qpn) == RoceResult.DONE)
        assert(b.jobs == 0)
        b.stands = false
        b.settle(Nil)
      }
    }
  }

  private def notified(pair: MakeQueuePair): Comes = packet(RoceOpcode.CNP, 0, 0, congested = false).copy(qpn = pair.qpn)
  /** Cycles that so many READs of 4 KB take, of which the first has this number. */
  private def takes(b: ResponderBench, pair: MakeQueuePair, psn: Int, reads: Int = 16): Long = {
    val before = simTime()
    val answers = b.settle((0 until reads).map(i => read(psn + i, 4096).copy(qpn = pair.qpn)))
    assert(answers.filter(_.opcode == 0x10).map(_.psn) == (psn until psn + reads))
    (simTime() - before) / 10
  }

  for (jitter <- Seq(false, true))
    test(s"notifications lower the rate of their peer's queue pair, and of no other${if (jitter) ", when everything stalls" else ""}") {
      bench(s"rates$jitter", 11, jitter) { b =>
        ready(b)
        val other = qp.copy(qpn = 0x106, peerQpn = 0x78)
        assert(b.create(other) == RoceResult.DONE)
        b.settle(Seq(write(100, 4096)))
        val alone = takes(b, qp, 101)
        val sound = notified(qp)
        b.settle(Seq(sound.copy(source = qp.peer + 1), sound.copy(pkey = 1), sound.copy(qpn = 0x10f), sound.copy(malformed = true)))
        assert(b.counts(RoceCounter.CONGESTION_NOTIFIED) == 4 && b.counts(RoceCounter.RATE_CUTS) == 0)
        assert(takes(b, qp, 117) < alone + alone / 4 && b.counts(RoceCounter.HELD) == 0)
        b.settle(Seq.fill(3)(sound))
        assert(b.counts(RoceCounter.CONGESTION_NOTIFIED) == 7 && b.counts(RoceCounter.RATE_CUTS) == 3)
        // An eighth of 64 bytes a cycle: 67,072 bytes, less what the first period has at once.
        val slow = takes(b, qp, 133)
        assert(slow > 6000 && slow < 11000, s"$slow cycles, alone $alone")
        assert(b.counts(RoceCounter.HELD) >= 3)
        assert(takes(b, other, 100) < alone + alone / 4)
        // What is no answer to a READ or atomic does not wait, and others' answers do not wait behind one that does.
        for (_ <- 0 until 40) b.begin(Seq(sound))
        b.begin(Seq(read(149, 4096), read(150, 4096), read(151, 4096)) :+ read(116, 4096).copy(qpn = other.qpn))
        for (_ <- 0 until 3000) b.cycle()
        val before = b.left.filter(_.qpn == qp.qpn).count(_.opcode == 0x10)
        assert(before < 3 && b.left.exists(a => a.qpn == other.qpn && a.psn == 116), s"$before")
        b.begin(Seq(packet(WRITE, 117, 64, congested = true).copy(qpn = other.qpn), packet(READ, 152, 64, congested = true)))
        for (_ <- 0 until 600) b.cycle()
        assert(b.left.count(_.opcode == RoceOpcode.CNP) == 2 && b.left.exists(a => a.qpn == other.qpn && a.psn == 117))
        // Whoever waits may be ended, and the next one in its place has nothing of it.
        assert(b.jobs > 0 && b.about(RoceCommand.DESTROY_QUEUE_PAIR, qp.qpn) == RoceResult.DONE && b.jobs == 0)
        b.settle(Nil)
        assert(b.create(qp) == RoceResult.DONE)
        assert(takes(b, qp, 100) < alone + alone / 4)
      }
    }

  test("a queue pair with a cap sends no more, and one that waited for long goes on") {
    bench("cap", 12, jitter = true) { b =>
      b.rate = 4192
      ready(b)
      b.rate = 0
      b.settle(Seq(write(100, 4096)))
      // A packet a period.
      val slow = takes(b, qp, 101, 8)
      assert(slow > 6 * Wire.ROCE_RATE_PERIOD && slow < 9 * Wire.ROCE_RATE_PERIOD, s"$slow cycles")
      val atomic = packet(0x14, 109, 8, congested = false).copy(payload = 0, pad = 0, swapAdd = 1)
      assert(b.settle((0 until 8).map(i => atomic.copy(psn = 109 + i))).map(_.psn) == (109 until 117))
      val one = packet(READ, 117, 1, congested = false).copy(pad = 0)
      assert(b.settle(Seq(one.copy(length = 0, pad = 0))).map(_.bytes) == Seq(0))
    }
  }

  /** Pages of the region that the following tests write: one, the next one. */
  private val page = region.va >> CBoardConfig.sim.pageBits
  private def at(packet: Comes, offset: Int, seed: Int = 5): Comes = packet.copy(va = region.va + offset, seed = seed)
  private def written(b: ResponderBench, offset: Int): Byte = b.door.pages.get((qp.pid, page)).map(_(offset)).getOrElse(0.toByte)

  for (jitter <- Seq(false, true)) {
    val stalls = if (jitter) ", when everything stalls" else ""
    test(s"what comes behind a WRITE that is refused changes nothing, and is taken when it comes again$stalls") {
      bench(s"refused$jitter", 6, jitter) { b =>
        ready(b)
        val packets = (100 until 108).map(psn => at(write(psn, 256), 256 * (psn - 100), psn))
        b.door.faults((qp.pid, page)) = Wire.Status.BUSY
        // The last one goes to another page, which is there.
        val refused = b.settle(packets :+ at(write(108, 64), 1 << CBoardConfig.sim.pageBits))
        assert(refused.map(a => (a.psn, a.syndrome)) == Seq((100, 0x21)) && b.door.pages.isEmpty)
        assert(b.query(qp.qpn) == QueuePairEnd(qp.qpn, 100, 0, inError = false))
        assert(b.counts(RoceCounter.MEMORY_NOT_READY) == 1 && b.counts(RoceCounter.AHEAD_OF_NOT_READY) == 8)
        b.door.faults.clear()
        assert(b.settle(packets).last == refused.head.copy(psn = 107, syndrome = 0x1f, msn = 8))
        for (i <- 0 until 8) assert(written(b, 256 * i) == packets(i).byte(0))
      }
    }

    test(s"a READ behind WRITEs reads them, and an atomic behind them adds to what they wrote$stalls") {
      bench(s"behind$jitter", 7, jitter) { b =>
        ready(b)
        for (round <- 0 until 20) {
          val psn = 100 + 6 * round
          val writes = (0 until 4).map(i => at(write(psn + i, 512), 512 * i, psn + i))
          val add = at(write(psn + 4, 8), 0).copy(opcode = 0x14, length = 8, payload = 0, pad = 0, swapAdd = 1)
          val answers = b.settle((writes :+ add) :+ at(read(psn + 5, 2048), 0))
          val word = BigInt(1, (7 to 0 by -1).map(writes(0).byte).toArray)
          assert(answers.find(_.opcode == 0x12).get.original == word)
          val bytes = writes.flatMap(w => (0 until 512).map(w.byte)).toArray
          val sum = (word + 1) & ((BigInt(1) << 64) - 1)
          for (i <- 0 until 8) bytes(i) = (sum >> (8 * i)).toByte
          assert(answers.last.digest == RoceVectors.digest(bytes))
        }
      }
    }

    test(s"memory that fails under a WRITE late: it is refused with its own number, and nothing behind it is acknowledged or counted$stalls") {
      bench(s"late$jitter", 8, jitter) { b =>
        ready(b)
        val next = MakeQueuePair(qpn = 0x106, peerQpn = 0x78, peer = 0x0a000002L, pid = 7, psn = 100, mtu = 5, hardened = true, pkey = 0xffff)
        assert(b.create(next) == RoceResult.DONE)
        for ((pair, hardened) <- Seq(qp -> false, next -> true)) {
          b.door.breaks.clear()
          val writes = (100 until 112).map { psn =>
            // The fourth one goes to the page that fails; those behind it do not.
            val offset = if (psn == 103) 1 << CBoardConfig.sim.pageBits else 512 * (psn - 100)
            at(write(psn, 512), offset, psn).copy(qpn = pair.qpn)
          }
          b.door.breaks += ((qp.pid, page + 1))
          val (before, counted) = (b.counts(RoceCounter.WRITES), b.counts(RoceCounter.MEMORY_FAILED))
          val answers = b.settle(writes)
          assert(b.counts(RoceCounter.MEMORY_FAILED) == counted + 1)
          assert(answers.filter(_.isAck).forall(_.psn < 103))
          assert(b.query(pair.qpn) == QueuePairEnd(pair.qpn, 103, 3, inError = !hardened))
          assert(b.counts(RoceCounter.WRITES) == before + 3)
          // Hardened: as if it had not come, so that the next one tells of a gap.
          assert(answers.filter(_.isRefusal).map(a => (a.psn, a.syndrome)).toSet.subsetOf(Set((103, if (hardened) 0x60 else 0x63))))
          if (hardened) {
            b.door.breaks.clear()
            assert(b.settle(writes.drop(3)).last.psn == 111 && b.query(pair.qpn) == QueuePairEnd(pair.qpn, 112, 12, inError = false))
          } else assert(answers.last.syndrome == 0x63)
        }
      }
    }

    test(s"WRITEs of eight packets of a page that only some may write, at its border$stalls") {
      bench(s"border$jitter", 9, jitter) { b =>
        ready(b)
        val size = 1 << CBoardConfig.sim.pageBits
        b.door.faults((qp.pid, page + 1)) = Wire.Status.DENIED
        val packets = (100 until 106).map(psn => at(write(psn, 4096), size - 4 * 4096 - 1000 + 4096 * (psn - 100), psn))
        val answers = b.settle(packets)
        assert(answers.last.psn == 104 && answers.last.syndrome == 0x62 && !b.door.pages.contains((qp.pid, page + 1)))
        // What lies before the border is done.
        assert(written(b, size - 1) == packets(4).byte(999) && b.counts(RoceCounter.QUEUE_PAIR_IN_ERROR) == 1)
        assert(b.query(qp.qpn) == QueuePairEnd(qp.qpn, 104, 4, inError = true))
      }
    }
  }
}
