package mneme.board

import mneme.BoardBench.readWrite
import mneme.board.XgmiiSim.{bytes, characters, padded}
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister.DEVICE_PORTS
import mneme.wire.Wire.{Counter, Opcode, PortCounter, ReplaceStatus, Status}
import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** A ZCU106 with both SFP+ cages: a peer at each, bits at the transceivers' boundaries. */
class TwoPortsTest extends AnyFunSuite {
  private val config = CBoardConfig.zcu106.copy(pageBits = 18, memBits = 26)
  private val slots = 16
  private lazy val compiled = Simulation.config.compile(Zcu106(config, slots, ports = 2))
  private val page = BigInt(5) << config.pageBits

  private def board(name: String)(body: (Zcu106, Zcu106Bench) => Unit): Unit = compiled.doSim(name, 1) { dut =>
    val b = new Zcu106Bench(dut, config, slots, name.hashCode)
    b.up()
    assert(b.read(DEVICE_PORTS) == 2 && b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
    body(dut, b)
    assert(b.counter(Counter.WATCHDOG) == 0 && b.peers.forall(_.damaged == 0))
  }
  private def counter(b: Zcu106Bench, port: Int, counter: Int): Int =
    b.read(Wire.PORT_BASE + Wire.PORT_BYTES * port + Wire.PORT_COUNTERS + 4 * counter).toInt
  private def works(b: Zcu106Bench, at: Int): Unit = {
    val data = bytes(b.r, 200)
    assert(b.ask(Opcode.WRITE, page, data.size, data, at).status == Status.OK)
    assert(b.ask(Opcode.READ, page, data.size, at = 1 - at).payload == data && b.ask(Opcode.READ, page, data.size, at = at).payload == data)
  }

  test("a peer at each cage: both have the same memory, and each gets its own answers alone") {
    board("both") { (_, b) =>
      for (at <- Seq(0, 1, 1, 0)) works(b, at)
      val sent = (0 to 1).map(counter(b, _, PortCounter.TX_FRAMES))
      assert(sent == Seq(6, 6) && b.retries == 0, s"$sent")
      // At once, too.
      val both = (0 to 1).map(at =>
        fork {
          for (i <- 0 until 20) {
            val (va, data) = (page + 4096 * (at + 1) + 64 * i, bytes(b.r, 64))
            assert(b.ask(Opcode.WRITE, va, 64, data, at).status == Status.OK && b.ask(Opcode.READ, va, 64, at = at).payload == data)
          }
        }
      )
      both.foreach(_.join())
      assert(b.retries == 0 && (0 to 1).map(counter(b, _, PortCounter.TX_FRAMES)) == Seq(46, 46))
    }
  }

  test("a cable that is pulled out: its peer is served at the other cage, and at its own when it is back") {
    board("cable") { (dut, b) =>
      works(b, 1)
      dut.io.second.rx_signalOk #= false
      b.cycles(300)
      // An answer to a request that was on its way.
      b.peers.foreach(_.received.clear())
      b.send(b.from(1, b.request(Opcode.READ, page, 16, Nil, 7, 90001)))
      b.until("an answer at the cage that is left")(b.peers.head.received.nonEmpty)
      assert(b.ask(Opcode.READ, page, 16).status == Status.OK)
      dut.io.second.rx_signalOk #= true
      b.cycles(60000)
      works(b, 1)
      assert(counter(b, 1, PortCounter.RX_LOCK_LOST) == 1 && counter(b, 0, PortCounter.TX_REFUSED) == 0)
    }
  }

  test("a peer that pauses for ever: the other one's answers come, and it is served again afterwards") {
    board("pause") { (_, b) =>
      def pause(quanta: Int): Unit =
        b.peers(1).line.line(Seq(characters(padded(Seq(0x01, 0x80, 0xc2, 0, 0, 1) ++ bytes(b.r, 6) ++ Seq(0x88, 0x08, 0, 1, quanta >> 8, quanta & 0xff)))))
      works(b, 1)
      pause(0xffff)
      // Its answers fill the store of its port and more.
      for (i <- 0 until 40) b.peers(1).send(b.from(1, b.request(Opcode.READ, page, 1400, Nil, 7, 95000 + i)))
      var longest = 0L
      for (_ <- 0 until 60) {
        val begun = simTime()
        assert(b.ask(Opcode.READ, page, 1000).status == Status.OK)
        longest = longest max (simTime() - begun)
      }
      val refused = counter(b, 1, PortCounter.TX_REFUSED)
      info(s"${longest / 1000} ns at most; $refused of the other's answers were not given to its port")
      // One wait of 16 us, and the answers that were before it.
      assert(refused > 5 && longest < 30L * 1000 * 1000 && b.retries == 0 && counter(b, 0, PortCounter.TX_REFUSED) == 0)
      pause(0)
      // Two answers came before; of all others each has left or was counted.
      b.until("what the store has")(counter(b, 1, PortCounter.TX_FRAMES) == 2 + 40 - refused)
      b.cycles(2000)
      b.peers(1).received.clear()
      works(b, 1)
      assert(counter(b, 1, PortCounter.TX_REFUSED) == refused)
    }
  }

  test("both lines are full at once") {
    board("rate") { (_, b) =>
      for (at <- 0 to 1) works(b, at)
      b.peers.foreach(_.received.clear())
      val count = 120
      val asked = Array(0, 0)
      def answers(at: Int): Int = b.peers(at).received.size
      // As many under way as the core has room for.
      def ask(): Unit = for (at <- 0 to 1) while (asked(at) < answers(at) + 20) {
        b.peers(at).send(b.from(at, b.request(Opcode.READ, page, 1024, Nil, 7, 97000 + 1000 * at + asked(at))))
        asked(at) += 1
      }
      // Of the middle.
      b.until("some") { ask(); (0 to 1).forall(answers(_) >= 20) }
      val (begun, before) = (simTime(), (0 to 1).map(answers))
      b.until("most of them") { ask(); (0 to 1).forall(answers(_) >= count) }
      val ns = (simTime() - begun) / 1000.0
      val rates = (0 to 1).map(at => (answers(at) - before(at)) * 1024 * 8 / ns)
      info(f"answers of 1 KB: ${rates(0)}%.2f and ${rates(1)}%.2f Gbit/s of data")
      // A frame of 1,088 bytes takes 1,112 of a line: 9.21 Gbit/s.
      assert(rates.forall(_ > 8.7))
    }
  }
}
