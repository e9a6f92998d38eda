package mneme.rdma

import mneme.mem.{BenchFailure, Stall}
import mneme.Simulation
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.io.Source
import scala.util.Random

/** Rates of queue pairs: each row that the hardware writes is the model's, and the model is the golden one. */
class ReactionPointTest extends AnyFunSuite {
  private def compiled(pairs: Int) = Simulation.config.compile(ReactionPoint(pairs, plantable = true))
  private lazy val few = compiled(4)
  private lazy val many = compiled(256)

  test("the model is the golden model's") {
    val source = Source.fromResource("rdma/rates.txt")
    var rate = RateModel.fresh(1)
    var lines = 0
    def number(text: String) = Integer.parseInt(text, 16)
    for (line <- source.getLines()) {
      val words = line.split(' ').toSeq
      words.head match {
        case "cap" => rate = RateModel.fresh(number(words(1)))
        case "pass" => for (_ <- 0 until number(words(1))) rate = rate.pass
        case "sent" => rate = rate.sent(number(words(1)) + Wire.ROCE_RATE_HEADERS)
        case "cut" => rate = rate.cut
        case "=" =>
          val RateModel(_, own, target, alpha, timer, units, stages, credit) = rate
          assert(words.tail.map(number) == Seq(own, target, alpha, timer, units) ++ stages :+ credit, s"line $lines")
      }
      lines += 1
    }
    source.close()
    assert(lines > 5000)
  }

  private def check(holds: Boolean, otherwise: => String): Unit = if (!holds) throw new BenchFailure(otherwise)

  private class Bench(dut: ReactionPoint, seed: Int, pairs: Int, faults: Int = 0) {
    val random = new Random(seed)
    private val stall = new Stall(random, true)
    val rows: mutable.ArrayBuffer[RateModel] = mutable.ArrayBuffer.fill(pairs)(RateModel.fresh(Wire.ROCE_RATE_LINE))
    /** What was told and has not been done. */
    private val changes, sents = mutable.Queue[(Int, Option[Int])]()
    private val passes = Array.fill(pairs)(0)
    /** Whose answers wait, as far as is known: they ask when they are woken. */
    private val waits = mutable.Set[Int]()
    var (wakes, cuts, grown, lost) = (0, 0, 0, 0)
    private var cycle, changed, left = 0

    def start(): this.type = {
      dut.io.changes.valid #= false
      dut.io.sent.valid #= false
      dut.io.wakes.ready #= false
      dut.io.pair #= 0
      dut.plantedFaults.foreach(_ #= faults)
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(2)
      while (dut.sweeps.toBoolean) dut.clockDomain.waitSampling()
      this
    }

    private def row: RateModel = {
      val r = dut.seen
      RateModel(
        r.cap.toInt,
        r.rate.toInt,
        r.target.toInt,
        r.alpha.toInt,
        r.timer.toInt,
        r.units.toInt,
        r.stages.map(_.toInt).toSeq,
        r.credit.toInt
      )
    }
    private def written(): Unit = {
      val pair = dut.work.pair.toInt
      def told(queue: mutable.Queue[(Int, Option[Int])]): Option[Int] = {
        val (whose, amount) = queue.dequeue()
        check(whose == pair, s"row $pair is worked on before $whose")
        amount
      }
      val before = rows(pair)
      import dut.Op
      val after = dut.work.op.toEnum match {
        case Op.pass =>
          passes(pair) += 1
          before.pass
        case Op.sent =>
          before.sent(told(sents).get)
        case Op.cut =>
          check(told(changes).isEmpty, s"row $pair is not a new one's")
          cuts += 1
          before.cut
        case Op.set =>
          waits -= pair
          RateModel.fresh(told(changes).get)
      }
      check(row == after, s"row $pair, which was $before: $row instead of $after")
      if (after.rate > before.rate && before.low) grown += 1
      rows(pair) = after
    }

    private var telling = Option.empty[(Int, Option[Int])]
    private var (asked, ready, begun) = (0, false, false)
    /** What came of the inputs. */
    private def observe(): Unit = {
      cycle += 1
      for (told <- telling) if (told._2.isDefined || dut.io.room.toBoolean) changes.enqueue(told) else lost += 1
      telling = None
      val holds = dut.io.holds.toBoolean
      check(holds == rows(asked).holds, s"whether $asked waits")
      if (holds) waits += asked
      if (dut.work.valid.toBoolean) written()
      if (ready && dut.io.wakes.valid.toBoolean) {
        waits -= dut.io.wakes.payload.toInt
        wakes += 1
      }
    }
    /** A new one, or a notification: such are lost when more than a few wait. */
    def tell(pair: Int, cap: Option[Int]): Unit = {
      dut.io.changes.valid #= true
      dut.io.changes.pair #= pair
      dut.io.changes.cuts #= cap.isEmpty
      dut.io.changes.cap #= cap.fold(0)(own => own)
      telling = Some((pair, cap))
      changed = cycle
    }
    def send(pair: Int, payload: Int): Unit = {
      dut.io.sent.valid #= true
      dut.io.sent.pair #= pair
      dut.io.sent.bytes #= payload
      sents.enqueue((pair, Some(payload + Wire.ROCE_RATE_HEADERS)))
      left = cycle
    }
    /** So many cycles, in each of which something may be told. */
    def run(cycles: Int, stalls: Boolean = false)(tells: => Unit): Unit = {
      var rest = cycles
      Simulation.cycles(dut.clockDomain) {
        if (begun) observe()
        begun = true
        dut.io.changes.valid #= false
        dut.io.sent.valid #= false
        rest -= 1
        if (rest >= 0) tells
        ready = !stalls || stall.go()
        dut.io.wakes.ready #= ready
        asked = random.nextInt(pairs)
        dut.io.pair #= asked
        rest >= 0
      }
    }
    def mayChange: Boolean = cycle - changed >= 8
    def maySend: Boolean = cycle - left >= 8
    /** Whoever waited was woken, when nobody has to wait any more. */
    def settle(periods: Int): Unit = {
      run(periods * Wire.ROCE_RATE_PERIOD)(())
      check(changes.isEmpty && sents.isEmpty, "what was told is not done")
      check(waits.forall(rows(_).holds), s"nobody wakes ${waits.filterNot(rows(_).holds)}")
      check(passes.max - passes.min <= 1, "rows are looked at once a period each")
    }
    def passed: Int = passes.min
  }

  /** Few queue pairs, of which notifications and packets come in a row. */
  private def mixed(dut: ReactionPoint, seed: Int, faults: Int = 0, cycles: Int = 60000): Bench = {
    val b = new Bench(dut, seed, dut.pairs, faults).start()
    // So many notifications are still to come, one behind the other.
    var burst = 0
    b.run(cycles, stalls = true) {
      val pair = b.random.nextInt(dut.pairs)
      burst = if (burst > 0) burst - 1 else if (b.random.nextInt(20000) == 0) 40 else 0
      if (burst > 0) b.tell(1, None)
      else if (b.mayChange) b.random.nextInt(2000) match {
        case 0 => b.tell(pair, Some(Seq(Wire.ROCE_RATE_LINE, Wire.ROCE_RATE_LINE, 128 + b.random.nextInt(100000))(b.random.nextInt(3))))
        case 1 | 2 => b.tell(pair, None)
        case 3 => b.tell(b.random.nextInt(2), None)
        case _ =>
      }
      // Mostly those send that need not wait. Some have begun before they had to.
      val mayGo = !b.rows(pair).holds || b.random.nextInt(400) == 0
      if (b.maySend && b.random.nextInt(16) == 0 && mayGo) b.send(pair, b.random.nextInt(4097))
    }
    b.settle(3)
    b
  }

  /** Queue pair 0 has nothing to send, 1 always has, 2 has a cap: all come back. */
  private def back(dut: ReactionPoint, faults: Int = 0): Bench = {
    val b = new Bench(dut, 5, dut.pairs, faults).start()
    val told = mutable.Queue[(Int, Option[Int])]((2, Some(5000)), (0, None), (1, None), (1, None), (2, None))
    var rates = Seq.empty[Int]
    def periods(count: Int, until: => Boolean): Unit = for (_ <- 0 until count) if (!until) b.run(Wire.ROCE_RATE_PERIOD) {
      if (told.nonEmpty && b.mayChange) (b.tell _).tupled(told.dequeue())
      if (b.maySend && !b.rows(1).holds && b.random.nextInt(12) == 0) b.send(1, 4096)
      if (!rates.lastOption.contains(b.rows(0).rate)) rates :+= b.rows(0).rate
    }
    val line = Wire.ROCE_RATE_LINE
    periods(150, b.rows(0).rate == line - 3 && b.rows(0).timer == 4)
    check(rates == line +: rates.tail.sorted && rates(1) > 65000 && rates(1) < 66500 && rates.last == line - 3, s"rates $rates")
    // The last step by bytes, amid a debt: 8 MiB, in the time of one step.
    b.run(9 * Wire.ROCE_RATE_PERIOD)(if (b.maySend && b.rows(0).limited) b.send(0, 4096))
    check(b.rows(0).stages(1) == 1, s"${b.rows(0)} is not back by bytes")
    check(b.rows(0).rate == line, s"${b.rows(0)} is not back")
    b.settle(1)
    told ++= Seq((0, None), (2, None))
    periods(2, until = false)
    check(b.rows(1).stages.head > 0 && b.rows(1).rate > 2 * 33000, s"${b.rows(1)}")
    check(b.rows(2).cap == 5000 && b.rows(2).rate < 2600, s"${b.rows(2)}")
    b.settle(1)
    b
  }

  test("each row is the model's, whatever happens in whichever order") {
    for ((compiled, pairs) <- Seq((few, 4), (many, 256))) compiled.doSim(s"mixed $pairs", pairs) { dut =>
      val b = mixed(dut, 3)
      assert(b.cuts > 50 && b.wakes > 8 && b.grown > 10, s"${b.cuts} notifications, ${b.wakes} wakes, ${b.grown} growths")
      assert(b.passed >= 28 && b.lost > 20)
    }
  }

  test("a rate comes back to the line by time, and by bytes, and one with a cap to that")(few.doSim("back", 5)(back(_)))

  for (fault <- RateFault.values) test(s"planted: $fault is found") {
    few.doSim(s"planted $fault", 7) { dut =>
      val rare = Set(RateFault.AlphaKept, RateFault.StagesKept, RateFault.PastCap, RateFault.WokenByPassAlone)(fault)
      val found = intercept[BenchFailure](if (rare) back(dut, 1 << fault.id) else mixed(dut, 7, 1 << fault.id))
      info(found.getMessage)
    }
  }
}
