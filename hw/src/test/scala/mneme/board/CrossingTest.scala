package mneme.board

import mneme.{Generate, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._

import java.nio.file.{Files, Paths}
import scala.collection.mutable
import scala.util.Random

/** Crossings between clocks of any two speeds, and the constraints that belong to them. */
class CrossingTest extends AnyFunSuite {
  /** Words between two clocks, and resets from the bench's own into two more: one model for both, as most of a bench's time is the compiler's. */
  private class Ways extends Component {
    val io = new Bundle {
      val from, to, fromReset, toReset, rx, tx = in Bool ()
      val offered = slave(Stream(UInt(32 bits)))
      val taken = master(Flow(UInt(32 bits)))
      val core, ofRx, ofTx = out Bool ()
    }
    private def domain(clock: Bool, reset: Bool) = ClockDomain(clock, reset, config = ClockDomain.current.config)
    private val crossing = CrossingWord(UInt(32 bits), domain(io.from, io.fromReset), domain(io.to, io.toReset))
    crossing.io.in << io.offered
    io.taken << crossing.io.out
    private val resets = PortReset(domain(io.rx, False), domain(io.tx, False))
    io.core := resets.io.core
    io.ofRx := resets.io.rx
    io.ofTx := resets.io.tx
  }
  private lazy val ways = Simulation.config.compile(new Ways)

  for ((from, to) <- Seq((4000, 6400), (6400, 4000), (6400, 6401), (1000, 9000), (9000, 1000)))
    test(s"each word comes once and in order, from a clock of $from ps to one of $to ps") {
      ways.doSim(s"words_${from}_$to", 1) { dut =>
        val r = new Random(from + to)
        val fromClock = ClockDomain(dut.io.from, dut.io.fromReset, config = ClockDomainConfig(resetKind = SYNC))
        val toClock = ClockDomain(dut.io.to, dut.io.toReset, config = ClockDomainConfig(resetKind = SYNC))
        dut.io.offered.valid #= false
        fromClock.forkStimulus(from)
        toClock.forkStimulus(to)
        val got = mutable.ArrayBuffer[Long]()
        sleep(20 * (from max to))
        toClock.onSamplings(if (dut.io.taken.valid.toBoolean) got += dut.io.taken.payload.toLong)
        val sent = Seq.fill(300)(r.nextInt().toLong & 0xffffffffL)
        for (word <- sent) {
          dut.io.offered.valid #= true
          dut.io.offered.payload #= word
          fromClock.waitSamplingWhere(dut.io.offered.ready.toBoolean)
          dut.io.offered.valid #= false
          if (r.nextBoolean()) fromClock.waitSampling(r.nextInt(10))
        }
        toClock.waitSampling(10)
        assert(got == sent)
      }
    }

  for ((rx, tx) <- Seq((6400, 6400), (640, 64000), (64000, 640)))
    test(s"a reset of one cycle reaches lines of $rx and $tx ps, and the core's side begins last") {
      ways.doSim(s"resets_${rx}_$tx", 1) { dut =>
        SimTimeout(4000L * 100000)
        val r = new Random(rx + tx)
        dut.clockDomain.deassertReset()
        dut.clockDomain.forkStimulus(4000, resetCycles = 1)
        LineSim.run(dut.io.rx, rx)
        LineSim.run(dut.io.tx, tx)
        def all = dut.io.core.toBoolean && dut.io.ofRx.toBoolean && dut.io.ofTx.toBoolean
        def none = !dut.io.core.toBoolean && !dut.io.ofRx.toBoolean && !dut.io.ofTx.toBoolean
        def settled(): Unit = {
          dut.clockDomain.waitSamplingWhere(!dut.io.core.toBoolean); assert(none, "the core's side begins when no line is in reset any more")
        }
        settled()
        for (_ <- 0 until 100) {
          dut.clockDomain.waitSampling(1 + r.nextInt(if (r.nextBoolean()) 4 else 60))
          var reached = false
          val watch = fork { while (!reached) { sleep(100); if (all) reached = true } }
          for (_ <- 0 to r.nextInt(3)) {
            dut.clockDomain.assertReset()
            // A clock domain in reset is not sampled.
            sleep(4000 * (1 + r.nextInt(2)) + 1000)
            dut.clockDomain.deassertReset()
            sleep(1)
            assert(dut.io.core.toBoolean, "the core's side is in reset with the core")
            dut.clockDomain.waitSampling(r.nextInt(20))
          }
          settled()
          assert(reached, "all sides were in reset at a time")
          watch.join()
        }
      }
    }

  private lazy val (port, verilog) = {
    val folder = "target/board-test"
    Files.createDirectories(Paths.get(folder))
    val report = Generate.config(folder).generateVerilog(EthernetPort())
    (report.toplevel, new String(Files.readAllBytes(Paths.get(folder, "EthernetPort.v"))))
  }

  test("each crossing of the port has its constraint, and each constraint names registers of the Verilog") {
    val text = CrossingConstraints.text(port)
    assert(CrossingConstraints.missing(text, verilog, "EthernetPort") == Nil)
    assert(CrossingConstraints.unconstrained(port) == Nil)
    val (delays, skews) = (text.linesIterator.count(_.startsWith("set_max_delay")), text.linesIterator.count(_.startsWith("set_bus_skew")))
    info(s"$delays delays, $skews skews")
    assert(delays > skews && skews > 5)
  }

  test("a constraint whose registers are gone or have another name is told") {
    val text = CrossingConstraints.text(port)
    for (name <- Seq("receiver_taken", "sender_held", "receiver_spread")) {
      val renamed = verilog.replace(name, s"${name}_else")
      assert(renamed != verilog, s"the Verilog has $name")
      assert(CrossingConstraints.missing(text, renamed, "EthernetPort").nonEmpty, name)
    }
    assert(CrossingConstraints.missing(text, verilog.replace(" pauses (", " gone ("), "EthernetPort").nonEmpty)
    assert(CrossingConstraints.missing("", verilog, "EthernetPort").nonEmpty, "no constraint at all")
  }

  test("a register that samples another clock outside of a crossing is told") {
    class Sampler extends Component {
      val other, d = in Bool ()
      val q = out Bool ()
      private val first = RegNext(d)
      new ClockingArea(ClockDomain(other)) { q := RegNext(first).addTag(crossClockDomain).setName("sampled") }
    }
    val folder = "target/board-test"
    Files.createDirectories(Paths.get(folder))
    assert(CrossingConstraints.unconstrained(Generate.config(folder).generateVerilog(new Sampler).toplevel) == Seq("sampled_reg"))
  }
}
