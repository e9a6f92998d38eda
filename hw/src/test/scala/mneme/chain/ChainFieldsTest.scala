package mneme.chain

import mneme.Simulation
import mneme.mem.Stall
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.io.Source
import scala.util.{Failure, Random, Try}

/** A line of the golden model's messages (rdma/world/src/fields.rs). */
class FieldMessage(line: String) {
  private val words = line.split(' ')
  private def number(i: Int): Option[BigInt] = if (words(i) == "-") None else Some(BigInt(words(i), 16))
  /** Bytes and number of each field. */
  val pairs: Seq[(Int, Int)] = words(0).split(',').toSeq.map { pair =>
    val parts = pair.split(':')
    (Integer.parseInt(parts(0), 16), Integer.parseInt(parts(1), 16))
  }
  val keyed: Boolean = words(1) == "1"
  val (key, base) = (number(2).get, number(3).get)
  val bytes: Seq[Int] = words(4).grouped(2).map(Integer.parseInt(_, 16)).toSeq
  val (wrongKey, outside) = (words(5) == "1", words(6) == "1")
  val page: BigInt = number(7).get
  val (buffer, signal, magic, rkey) = (number(8), number(9), number(10), number(11))
  /** Where arguments end, and their numbers, as the slow path writes them. */
  val rows: Seq[(Int, Int)] = pairs.zip(pairs.scanLeft(0)(_ + _._1).tail).collect { case ((_, field), end) if field >= 1 && field <= 6 => (field, end - 1) }
  def beats: Seq[BigInt] = bytes.grouped(64).map(_.foldRight(BigInt(0))((byte, sum) => sum << 8 | byte)).toSeq
}

class ChainFieldsTest extends AnyFunSuite {
  private val k = RepliesBench.small
  private lazy val compiled = Simulation.config.compile(ChainFields(k, plantable = true))
  private lazy val messages: Seq[FieldMessage] = {
    val source = Source.fromFile(sys.env.getOrElse("MNEME_FIELD_VECTORS", "src/test/resources/rdma/fields.txt"))
    try source.getLines().map(new FieldMessage(_)).toSeq
    finally source.close()
  }

  private class Bench(dut: ChainFields, random: Random, stalls: Boolean) {
    private val stall = new Stall(random, stalls)
    def start(planted: Option[ChainFieldFault.Value] = None): this.type = {
      dut.plantedFaults.foreach(_ #= planted.map(fault => BigInt(1) << fault.id).getOrElse(BigInt(0)))
      dut.io.rows.valid #= false
      dut.io.secrets.valid #= false
      dut.io.messages.valid #= false
      dut.io.beats.valid #= false
      dut.io.arguments.ready #= false
      dut.clockDomain.forkStimulus(10)
      reset()
      this
    }
    def reset(): Unit = {
      dut.clockDomain.assertReset()
      dut.clockDomain.waitRisingEdge(2)
      dut.clockDomain.deassertReset()
      dut.clockDomain.waitSampling()
    }

    def profile(pair: Int, m: FieldMessage): Unit = {
      for (((field, end), i) <- m.rows.zipWithIndex) {
        dut.io.rows.valid #= true
        dut.io.rows.pair #= pair
        dut.io.rows.row #= i
        dut.io.rows.value.field #= field
        dut.io.rows.value.end #= end
        dut.io.rows.value.last #= i == m.rows.size - 1
        dut.clockDomain.waitSampling()
      }
      dut.io.rows.valid #= false
      dut.io.secrets.valid #= true
      dut.io.secrets.pair #= pair
      dut.io.secrets.value.keyed #= m.keyed
      dut.io.secrets.value.key #= m.key
      dut.io.secrets.value.base #= m.base
      dut.clockDomain.waitSampling()
      dut.io.secrets.valid #= false
    }

    /** Answers the cycles from the message to its arguments. `until`: those after which it is left as it is. */
    def message(pair: Int, m: FieldMessage, until: Int = Int.MaxValue): Int = {
      val beats = m.beats
      var (at, cycles, asked, done) = (0, 0, false, false)
      dut.io.messages.payload #= pair
      dut.io.messages.valid #= true
      while (!done && cycles < until) {
        dut.io.beats.valid #= at < beats.size && stall.go()
        dut.io.beats.payload #= beats.applyOrElse(at, (_: Int) => BigInt(512, random))
        dut.io.arguments.ready #= stall.go()
        dut.clockDomain.waitSampling()
        cycles += 1
        assert(cycles < 5000, "no arguments come")
        if (!asked && dut.io.messages.ready.toBoolean) {
          asked = true
          dut.io.messages.valid #= false
        }
        if (dut.io.beats.valid.toBoolean && dut.io.beats.ready.toBoolean) at += 1
        if (dut.io.arguments.valid.toBoolean && dut.io.arguments.ready.toBoolean) {
          done = true
          assert(at == beats.size - 1, "the beat of the last argument is not taken")
          val a = dut.io.arguments
          val what = s"a profile of ${m.pairs}"
          assert(a.wrongKey.toBoolean == m.wrongKey, what)
          assert(a.outside.toBoolean == m.outside, what)
          if (!m.outside) assert(a.page.toBigInt == m.page, what)
          for (buffer <- m.buffer) assert(a.buffer.toBigInt == buffer, what)
          for (signal <- m.signal) assert(a.signal.toBigInt == signal, what)
          for (magic <- m.magic) assert(RepliesBench.swapped(a.magic.toBigInt) == magic, what)
          for (rkey <- m.rkey) assert(a.rkey.toBigInt == rkey, what)
        }
      }
      for (valid <- Seq(dut.io.messages.valid, dut.io.beats.valid)) valid #= false
      dut.io.arguments.ready #= false
      cycles
    }
  }

  /** Each message by a queue pair of its own profile, then all once more in another order. */
  private def all(b: Bench, random: Random): Unit = for (some <- messages.grouped(k.pairs)) {
    for ((m, pair) <- some.zipWithIndex) b.profile(pair, m)
    for ((m, pair) <- some.zipWithIndex ++ random.shuffle(some.zipWithIndex)) b.message(pair, m)
  }

  for (stalls <- Seq(false, true))
    test(s"arguments are those that the golden model reads, stalls $stalls")(compiled.doSim(s"arguments_$stalls", 1) { dut =>
      val random = new Random(1)
      all(new Bench(dut, random, stalls).start(), random)
      info(s"${messages.size} profiles")
    })

  test("a message after a reset amid another")(compiled.doSim("resets", 2) { dut =>
    val random = new Random(2)
    val b = new Bench(dut, random, false).start()
    for (m <- messages.take(60)) {
      b.profile(0, m)
      b.message(0, m, 1 + random.nextInt(8))
      b.reset()
      b.message(0, m)
    }
  })

  test("an argument takes a cycle, a beat before the last one's end another")(compiled.doSim("cycles", 3) { dut =>
    val b = new Bench(dut, new Random(3), false).start()
    for (m <- messages) {
      b.profile(0, m)
      // The cycle in which arguments are taken is the last one.
      assert(b.message(0, m) == ChainFields.COST + m.rows.size + m.beats.size, s"a profile of ${m.pairs}")
    }
  })

  for (fault <- ChainFieldFault.values.toSeq) test(s"the bench finds the planted fault $fault") {
    compiled
    val found = Try(compiled.doSim(s"planted_$fault", 4) { dut =>
      val random = new Random(4)
      all(new Bench(dut, random, false).start(Some(fault)), random)
    })
    info(found match { case Failure(error) => error.getMessage.linesIterator.next(); case _ => "nothing was found" })
    // An assertion, and nothing else.
    assert(found.failed.toOption.exists(_.isInstanceOf[TestFailedException]))
  }
}
