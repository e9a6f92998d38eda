package mneme.engine

import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Which door's token enters: none starves, shares follow the weights, and every token enters once, in the order of its door. */
class DoorArbiterTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(name = "doors", packetSlots = 64, doors = 4, mtu = 1500)
  private lazy val compiled = Simulation.config.compile(new DoorArbiter(config))
  private lazy val alone = Simulation.config.compile(new DoorArbiter(config.copy(doors = 1)))

  /** A token's cost in credit. */
  private def lines(length: Int): Int = length / 64 + 1

  /** What a door offers: `length` of each token, and whether it has one in this cycle. */
  private case class Asks(length: Random => Int, wants: Random => Boolean = _ => true)

  private class Bench(dut: DoorArbiter, c: CBoardConfig, seed: Int, weights: Seq[Int], asks: Seq[Asks], ready: Random => Boolean) {
    private val random = new Random(seed)
    /** A token that is offered: its length and number; numbers so far, and those that are due next. */
    private val offered = mutable.ArrayBuffer.fill(c.doors)(Option.empty[(Int, Int)])
    private val sent, due = Array.fill(c.doors)(0)
    /** Cycles, lines and tokens of each door so far; lines that the others had while a door's token waited, and the most. */
    var cycles = 0
    val taken, tokens, waited, longest = Array.fill(c.doors)(0L)
    private var stalled = Option.empty[(Int, Int)]

    dut.io.doors.foreach(_.valid #= false)
    dut.io.tickets.ready #= false
    for ((port, weight) <- dut.io.weights.zip(weights)) port #= weight
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(2)

    def run(count: Int): this.type = {
      for (_ <- 0 until count) step()
      this
    }

    private def step(): Unit = {
      dut.clockDomain.waitSampling()
      cycles += 1
      val out = dut.io.tickets
      val (valid, taken) = (out.valid.toBoolean, out.ready.toBoolean)
      val now = Option.when(valid)((out.place.toInt, out.demand.va.toLong.toInt))
      if (stalled.nonEmpty) assert(now == stalled, "a token that is offered stays offered")
      stalled = if (taken) None else now
      val fired = dut.io.doors.indices.filter(i => dut.io.doors(i).valid.toBoolean && dut.io.doors(i).ready.toBoolean)
      assert(fired.size == (if (valid && taken) 1 else 0))
      for (door <- fired) enter(door)
      for (door <- asks.indices) {
        if (offered(door).isEmpty && asks(door).wants(random)) offer(door)
        dut.io.doors(door).valid #= offered(door).nonEmpty
      }
      out.ready #= ready(random)
    }

    private def offer(door: Int): Unit = {
      val length = asks(door).length(random)
      val token = dut.io.doors(door)
      token.context #= sent(door) % c.contexts
      token.demand.length #= length
      token.demand.va #= sent(door)
      offered(door) = Some((length, sent(door)))
      sent(door) += 1
    }

    private def enter(door: Int): Unit = {
      val (length, number) = offered(door).get
      val out = dut.io.tickets
      assert(number == due(door), "the order of a door")
      assert(out.place.toInt == door * c.contexts + number % c.contexts && out.demand.va.toLong.toInt == number && out.demand.length.toInt == length)
      due(door) += 1
      taken(door) += lines(length)
      tokens(door) += 1
      offered(door) = None
      waited(door) = 0
      for (other <- asks.indices if other != door && offered(other).nonEmpty) {
        waited(other) += lines(length)
        longest(other) = longest(other) max waited(other)
      }
    }
  }

  private val most = lines(config.maxPayload)

  private def bench(name: String, weights: Seq[Int], asks: Seq[Asks], ready: Random => Boolean = _ => true)(count: Int): Bench = {
    var bench: Bench = null
    compiled.doSim(name, 1) { dut => bench = new Bench(dut, config, 1, weights, asks, ready).run(count) }
    bench
  }

  /** Between two payments a door uses its credit up: `quantum` lines, and its last token overdraws by less than a token. So over n payments it gets
    * n quanta, give or take one quantum that is begun and one token.
    */
  private def share(b: Bench, weights: Seq[Int]): Unit = {
    val quanta = weights.map(weight => 8.0 * (weight max 1))
    val rounds = b.taken.sum / quanta.sum
    info(s"lines ${b.taken.mkString(", ")} in ${b.cycles} cycles, weights ${weights.mkString(", ")}")
    for ((quantum, door) <- quanta.zipWithIndex) {
      val off = math.abs(b.taken(door) - rounds * quantum)
      // `rounds` itself is known to a quantum and a token of every door.
      val slack = quantum + most + (quanta.sum + quanta.size * most) / quanta.sum * quantum
      assert(off <= slack, s"door $door: ${b.taken(door)} lines, its share is ${rounds * quantum}, within $slack")
    }
  }

  for (weights <- Seq(Seq(1, 1, 1, 1), Seq(1, 2, 3, 10), Seq(0, 255, 1, 64), Seq(3, 1, 1, 1)))
    test(s"doors that always want something share by their weights ${weights.mkString(", ")}, whatever their sizes") {
      val asks = Seq(Asks(_ => 1), Asks(_ => config.maxPayload), Asks(r => 1 + r.nextInt(config.maxPayload)), Asks(r => if (r.nextBoolean()) 64 else 1400))
      val b = bench(s"shares${weights.mkString("_")}", weights, asks)(60000)
      share(b, weights)
      assert(b.tokens.forall(_ > 100))
    }

  test("no door starves: it waits for the credits of the others and one token of each at most") {
    val weights = Seq(1, 20, 7, 255)
    val asks = Seq(
      Asks(r => 1 + r.nextInt(config.maxPayload), _.nextInt(100) == 0),
      Asks(_ => config.maxPayload),
      Asks(r => 1 + r.nextInt(300), _.nextInt(3) == 0),
      Asks(_ => 1)
    )
    val b = bench("starve", weights, asks, _.nextInt(4) > 0)(60000)
    for (door <- weights.indices) {
      // Its last token may have overdrawn its credit, which takes so many payments to be positive again.
      val payments = (most - 1) / (8 * weights(door)) + 1
      // Before each the others use up what they have, a token more than that included; then each has its turn once.
      val bound = weights.indices.filter(_ != door).map(other => payments * (8L * weights(other) + most) + most).sum
      info(s"door $door waited for ${b.longest(door)} lines at most, the bound is $bound")
      assert(b.tokens(door) >= 10 && b.longest(door) <= bound)
    }
  }

  test("a door that is alone loses a cycle for each payment at most") {
    val weights = Seq(1, 1, 1, 1)
    val idle = Asks(_ => 1, _ => false)
    for ((length, least) <- Seq(1 -> 8.0 / 9, 511 -> 0.5)) {
      val b = bench(s"single$length", weights, Seq(idle, Asks(_ => length), idle, idle))(5000)
      info(f"tokens of $length bytes: ${b.tokens(1) / 5000.0}%.3f per cycle")
      assert(b.tokens(1) >= least * 5000 - 10 && b.taken(0) + b.taken(2) + b.taken(3) == 0)
    }
  }

  test("with one door every token passes in the cycle in which it comes") {
    alone.doSim("alone", 1) { dut =>
      val b = new Bench(dut, config.copy(doors = 1), 1, Seq(1), Seq(Asks(r => 1 + r.nextInt(1000))), _ => true).run(1000)
      assert(b.tokens(0) >= 998)
    }
  }
}
