package mneme

import mneme.vm.{Geometry, Page, TlbSet}
import mneme.wire.Wire
import mneme.wire.Wire.{Opcode, Pte, Register, ReplaceStatus, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.util.Random

/** What a tenant can tell of another's use of the TLB, and of free pages. Of the TLB: it fills a set with pages of its own (primes), lets the other do something or nothing, and times its
  * pages once more (probes). Cycles are those between a request's last beat at the board's port and its answer's first.
  *
  * The attacker's guess of a secret bit is the best that there is: it has seen the timings of both cases before, and compares.
  */
class SideChannelTest extends AnyFunSuite {
  private val config = CBoardConfig.sim.copy(name = "sidechannel", filterSetsLog2 = 4, asyncDepth = 8)
  private lazy val compiled = Simulation.config.compile(CBoard(config))
  private val geometry = Geometry(config)
  private def of(serviceClass: Int): Int = serviceClass << (Wire.PID_BITS - Wire.CLASS_BITS) | 7
  private val (attacker, victim) = (of(2), of(5))

  /** As many pages of a process as asked for that lie in a set of the TLB. */
  private def pagesOf(pid: Int, set: Int, count: Int): Seq[Int] =
    (0 until 4096).filter(vpn => TlbSet.software(config, geometry.bucket(Page(pid, vpn)), pid) == set).take(count)

  private val set = 1
  private val primed = pagesOf(attacker, set, config.tlbWays)
  private val touched = pagesOf(victim, set, config.tlbWays)

  /** Pages that the attacker touches first, as many as the async buffer holds. */
  private val fresh = (4096 until 4096 + config.asyncDepth).toSeq

  private class Bench(dut: CBoard) {
    private val b = new BoardBench(dut, config, 5, BoardBench.steady)
    b.boot()
    b.lineRate()
    b.take(1)
    // Pages that are in memory: others' entries are not kept.
    for (((pid, vpn), i) <- (primed.map(attacker -> _) ++ touched.map(victim -> _)).zipWithIndex)
      assert(b.replace(pid, vpn, BoardBench.readWrite | BigInt(1) << Pte.VALID | config.asyncDepth + 1 + i) == ReplaceStatus.DONE)

    private def at(vpn: Int): BigInt = BigInt(vpn) << config.pageBits

    /** Cycles that a read of a page takes. */
    private def time(pid: Int, vpn: Int): Long = {
      b.domain.waitSampling(100)
      assert(b.ask(Opcode.READ, at(vpn), 8, pid = pid).status == Status.OK)
      b.between
    }

    /** Group 1 for the attacker's class, group 2 for the victim's, and a half of the ways each. */
    def part(): Unit = {
      b.write(Register.SHARE_GROUPS, (BigInt(1) << 2 * 2) | (BigInt(2) << 2 * 5))
      val half = (1 << config.tlbWays / 2) - 1
      b.write(Register.SHARE_WAYS, half << 8 | (half << config.tlbWays / 2) << 16)
      b.write(Register.SHARE_COMMIT, 0)
      while (b.read(Register.SHARE_COMMIT) != 0) b.domain.waitSampling(10)
    }

    /** Half of the free pages for each. */
    def partPages(): Unit = {
      b.write(Register.SHARE_PAGES, (config.asyncDepth / 2) * 0x10100)
      part()
    }

    /** A write; its status, and the cycles that it takes. */
    private def touch(pid: Int, vpn: Int): (Int, Long) = {
      b.domain.waitSampling(100)
      b.stamp()
      val reply = b.ask(Opcode.WRITE, at(vpn), 8, BoardBench.word(vpn), pid = pid)
      (reply.status, b.between)
    }

    /** What the attacker sees of its first touches when the victim has touched so many pages first: all pages are free, and the async buffer is full. */
    def attackPages(touches: Int): Seq[(Int, Long)] = {
      // Short, so that the filter forgets.
      b.write(Register.WINDOW, 8)
      for ((pid, vpn) <- fresh.map(attacker -> _) ++ touched.map(victim -> _)) assert(b.replace(pid, vpn, BoardBench.readWrite) == ReplaceStatus.DONE)
      for (page <- 1 to config.asyncDepth - b.read(Register.ASYNC_LEVEL).toInt) b.push(page)
      while (b.read(Register.ASYNC_LEVEL) != config.asyncDepth) b.domain.waitSampling(50)
      b.domain.waitSampling(1000)
      for (vpn <- touched.take(touches)) assert(touch(victim, vpn)._1 == Status.OK)
      b.domain.waitSampling(500)
      // The bench's memory has a phase of its own when it wakes up.
      touch(attacker, primed.head)
      fresh.map(touch(attacker, _))
    }

    /** What the attacker sees when the victim touches `touches` of its pages. The clock goes on by the same cycles in each case. */
    def attack(touches: Int): Seq[Long] = {
      for (vpn <- primed ++ primed) time(attacker, vpn)
      for (vpn <- touched.take(touches)) time(victim, vpn)
      b.domain.waitSampling(500)
      primed.reverse.map(time(attacker, _))
    }
  }

  /** Attacks as often as there are bits; gives how many of them the attacker has guessed, and what it saw in each case. */
  private def guesses(parted: Boolean, seed: Int): (Int, Int, Map[Boolean, Set[Seq[Long]]]) = {
    val bits = { val random = new Random(seed); Seq.fill(40)(random.nextBoolean()) }
    var right = 0
    var seen = Map.empty[Boolean, Set[Seq[Long]]].withDefaultValue(Set.empty)
    compiled.doSim(s"parted$parted$seed", seed) { dut =>
      val bench = new Bench(dut)
      if (parted) bench.part()
      val learned = Seq(false, true).map(bit => bench.attack(if (bit) touched.size else 0))
      val coin = new Random(seed + 1)
      for (bit <- bits) {
        // From one page to as many as there are ways.
        val times = bench.attack(if (bit) 1 + coin.nextInt(touched.size) else 0)
        seen = seen.updated(bit, seen(bit) + times)
        // Told apart by whether it looks as it did without a touch, if both cases ever looked different.
        val guess = if (learned.head == learned.last) coin.nextBoolean() else times != learned.head
        if (guess == bit) right += 1
      }
    }
    (right, bits.size, seen)
  }

  /** The same of first touches: bits guessed, and what the attacker saw in each case. */
  private def pageGuesses(parted: Boolean, seed: Int): (Int, Int, Map[Boolean, Set[Seq[(Int, Long)]]]) = {
    val bits = { val random = new Random(seed); Seq.fill(if (Simulation.long) 20 else 6)(random.nextBoolean()) }
    var right = 0
    var seen = Map.empty[Boolean, Set[Seq[(Int, Long)]]].withDefaultValue(Set.empty)
    compiled.doSim(s"pages$parted$seed", seed) { dut =>
      val bench = new Bench(dut)
      if (parted) bench.partPages()
      val learned = Seq(false, true).map(bit => bench.attackPages(if (bit) touched.size else 0))
      val coin = new Random(seed + 1)
      for (bit <- bits) {
        val outcome = bench.attackPages(if (bit) 1 + coin.nextInt(touched.size) else 0)
        seen = seen.updated(bit, seen(bit) + outcome)
        val guess = if (learned.head == learned.last) coin.nextBoolean() else outcome != learned.head
        if (guess == bit) right += 1
      }
    }
    (right, bits.size, seen)
  }

  test("without shares of free pages a tenant's first touches tell whether another touched a page first, each time") {
    val (right, of, seen) = pageGuesses(parted = false, 3)
    info(s"$right of $of bits guessed; statuses seen: ${seen.view.mapValues(_.map(_.map(_._1))).toMap}")
    assert(right == of && seen(true).map(_.map(_._1)).intersect(seen(false).map(_.map(_._1))).isEmpty)
  }

  test("with shares of free pages a tenant's first touches are answered the same, to the cycle, whatever the other touches") {
    val (right, of, seen) = pageGuesses(parted = true, 4)
    info(s"$right of $of bits guessed; seen: $seen")
    assert((seen(true) ++ seen(false)).size == 1, "answers or timings differ")
    // It had its own share of them, and no more.
    assert(seen(false).head.count(_._1 == Status.OK) == config.asyncDepth / 2)
  }

  test("without shares of the TLB a tenant's timings tell whether another touched a page, each time") {
    val (right, of, seen) = guesses(parted = false, 1)
    info(s"$right of $of bits guessed; seen: $seen")
    assert(right == of && seen(true).intersect(seen(false)).isEmpty)
  }

  test("with shares a tenant's timings are the same to the cycle whatever the other does, and its guess is a coin's") {
    val (right, of, seen) = guesses(parted = true, 2)
    info(s"$right of $of bits guessed; seen: $seen")
    assert((seen(true) ++ seen(false)).size == 1, "timings differ")
    // Of 40 fair coins 8 to 32 fall right but once in 10^5 times.
    assert(right > of / 5 && right < of * 4 / 5)
  }
}
