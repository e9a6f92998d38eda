package mneme.board

import mneme.BoardBench.readWrite
import mneme.{CBoardConfig, Simulation}
import mneme.board.XgmiiSim.bytes
import mneme.net.Frames
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister._
import mneme.wire.Wire.HostRegister._
import mneme.wire.Wire.{Counter, Opcode, PortCounter, PortRegister, Register, ReplaceStatus, Status, Target}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** The whole board between its vendor's cells: nibbles of RGMII and a controller of DRAM. The host is on the line, too. */
class Ecpix5Test extends AnyFunSuite {
  // The ECPIX-5's core in all but the size of memory and pages, so that zeroing is short.
  private val config = CBoardConfig.ecpix5.copy(pageBits = 18, memBits = 26)
  private lazy val compiled = Simulation.config.compile(Ecpix5(config))
  // Picoseconds of a cycle of `clk` in the bitstream: 41.7 MHz.
  private val bitstream = 24000
  private def board(name: String, core: Int = 25000, rx: Int = 8000, tx: Int = 8000)(body: (Ecpix5, Ecpix5Bench) => Unit): Unit =
    compiled.doSim(name, 1) { dut =>
      val bench = new Ecpix5Bench(dut, config, name.hashCode, core, rx, tx)
      // Before the first edges registers hold anything.
      bench.cycles(100)
      bench.forget()
      body(dut, bench)
    }
  private def page(n: Int): BigInt = BigInt(n) << config.pageBits
  private def portCounter(b: Ecpix5Bench, counter: Int): Int = b.read(Wire.PORT_BASE + Wire.PORT_COUNTERS + 4 * counter).toInt

  test("a board without DRAM tells its host what it is, and boots when DRAM comes; a frame's bytes go to DRAM and back") {
    board("life", bitstream) { (dut, b) =>
      b.greet()
      assert(b.read(DEVICE_MAGIC) == Wire.DEVICE_MAGIC && b.read(DEVICE_TARGET) == Target.ECPIX5 && b.read(DEVICE_STATUS) == 0)
      assert(b.read(Register.MAGIC) == 0 && b.read(RING_SLOTS) == 0)
      assert(b.read(Wire.PORT_BASE + PortRegister.PORT_STATUS) == Wire.PORT_LOCKED)
      b.calibrate()
      b.boot(pages = 1)
      assert(b.read(Register.BUILD_HASH) == 0x12345678L)
      assert(b.ask(Opcode.READ, page(5), 16).status == Status.UNMAPPED)
      assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
      val data = bytes(b.r, 1450)
      assert(b.ask(Opcode.WRITE, page(5) + 64, data.size, data).status == Status.OK)
      assert(b.ask(Opcode.READ, page(5) + 64, data.size).payload == data)
      assert(b.counter(Counter.WATCHDOG) == 0 && b.retries == 0 && b.hostRetries == 0 && b.damaged == 0)
      // As the board's document tells them; who changes one by more than a twentieth measures anew.
      for (
        (name, size, write, read) <- Seq(("16 bytes", 16, 78, 63), ("1 KB", 1024, 324, 196), ("1,450 bytes", 1450, 434, 250));
        (what, opcode, told) <- Seq(("write", Opcode.WRITE, write), ("read", Opcode.READ, read))
      ) {
        val payload = if (opcode == Opcode.WRITE) data.take(size) else Nil
        val times = Seq.fill(8)(b.timed(opcode, page(5) + 64, size, payload)).sorted
        val cycles = times.map(_ * 1000 / bitstream)
        info(
          f"$what of $name: from the request's last byte to the answer's first ${times.head}%.0f to ${times.last}%.0f ns, ${cycles.head}%.1f to ${cycles.last}%.1f cycles, ${cycles(4)}%.0f in the middle"
        )
        assert(cycles.head > 0.95 * told && cycles.last < 1.05 * told, s"$what of $name: not about $told cycles")
      }
    }
  }

  test("the slow path on the host: ARP and PING through the mail, fast requests meanwhile") {
    board("slow") { (dut, b) =>
      b.up()
      val theirs = Frames.number(BigInt("020000000002", 16), 6).toSeq
      val arp = Seq.fill(6)(0xff) ++ theirs ++ Seq(8, 6, 0, 1, 8, 0, 6, 4, 0, 1) ++ theirs ++ Seq(10, 0, 0, 2) ++ Seq.fill(6)(0) ++ Frames.number(b.ip, 4)
      b.send(arp)
      var mail = Option.empty[Seq[Int]]
      b.until("the ARP request")({ mail = b.takeMail(); mail.isDefined })
      assert(mail.get == arp.padTo(60, 0))
      val ours = Frames.number(b.mac, 6).toSeq
      val answer = theirs ++ ours ++ arp.slice(12, 20) ++ Seq(0, 2) ++ ours ++ arp.slice(38, 42) ++ theirs ++ Seq(10, 0, 0, 2)
      b.giveMail(answer)
      b.until("the ARP answer")(b.received.nonEmpty)
      assert(b.received.dequeue() == answer.padTo(60, 0))
      assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
      for (size <- Seq(0, 100, 1400)) {
        // A frame of the slow path's with a payload, as long as a frame may be; its answer is itself.
        val ping = b.request(Opcode.PING, 0, 0, bytes(b.r, size), 7, 1000000 + size).bytes.toSeq
        b.send(ping)
        b.until("the ping")({ mail = b.takeMail(); mail.isDefined })
        assert(mail.get == ping)
        val word = bytes(b.r, 8)
        assert(b.ask(Opcode.WRITE, page(5), 8, word).status == Status.OK && b.ask(Opcode.READ, page(5), 8).payload == word)
        b.giveMail(ping)
        b.until("its answer")(b.received.nonEmpty)
        assert(b.received.dequeue() == ping)
      }
      assert(b.counter(Counter.SLOW_TX) == 4 && b.hostRetries == 0)
    }
  }

  for ((name, core, rx, tx) <- Seq(("lines 100 ppm fast", 25000, 7999, 7999), ("lines 100 ppm apart, a core of 50 MHz", 20000, 8001, 7999)))
    test(s"$name, damaged frames, strangers: every word is right in the end, of registers and of memory") {
      board(s"rough_$core", core, rx, tx) { (dut, b) =>
        b.up()
        assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
        b.damagePerMillion = 1000
        val words = Array.fill(32)(Seq.fill(64)(0))
        val stranger = new HostSim(b.peer.board, b.peer.host, Seq.fill(16)(9))
        stranger.nonce = b.peer.nonce
        stranger.sequence = BigInt(1) << 40
        for (i <- 0 until 60) {
          val at = b.r.nextInt(words.length)
          b.stamp()
          b.send(stranger.access(Wire.HostKind.WRITE, Register.CONTROL))
          if (b.r.nextBoolean()) {
            words(at) = bytes(b.r, 64)
            assert(b.ask(Opcode.WRITE, page(5) + 64 * at, 64, words(at)).status == Status.OK)
          } else assert(b.ask(Opcode.READ, page(5) + 64 * at, 64).payload == words(at), s"word $at in step $i")
        }
        b.damagePerMillion = 0
        b.cycles(2000)
        assert(b.ask(Opcode.READ, page(5), 1024).payload == words.take(16).flatten.toSeq)
        info(s"${b.retries} retries of requests, ${b.hostRetries} of register accesses, ${portCounter(b, PortCounter.RX_BAD_FCS)} damaged frames")
        assert(b.retries + b.hostRetries >= 3 && portCounter(b, PortCounter.RX_BAD_FCS) >= 3 && b.damaged == 0)
        assert(b.read(HOST_BAD_TAG) >= 50 && b.read(Register.CONTROL) == 1 && b.counter(Counter.WATCHDOG) == 0)
      }
    }

  test("the host resets the core alone in mid-traffic, DRAM goes and comes: the board boots again and keeps its words") {
    board("restart") { (dut, b) =>
      b.up()
      for (round <- 0 until (if (Simulation.long) 4 else 2)) {
        assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
        for (i <- 0 until 4) b.send(b.request(Opcode.WRITE, page(5) + 2048 * i, 1024, bytes(b.r, 1024), 7, 1000 * round + i + 100000).bytes.toSeq)
        b.cycles(b.r.nextInt(2000))
        if (round % 2 == 0) b.write(CORE_RESET, Wire.DEVICE_MAGIC)
        else {
          dut.io.mem_calibrated #= false
          b.cycles(30)
          assert(b.read(DEVICE_STATUS) == 0 && b.read(Register.MAGIC) == 0)
          b.calibrate()
        }
        b.until("the core")((b.read(DEVICE_STATUS) & Wire.DEVICE_RESETTING) == 0)
        assert(b.read(Register.CONTROL) == 0 && b.read(Register.MAGIC) == Wire.MAGIC)
        b.until("the line's end")(b.toPort.isEmpty)
        b.cycles(2000)
        b.received.clear()
        b.boot(pages = 1)
        assert(b.replace(7, 6, readWrite) == ReplaceStatus.DONE)
        val data = bytes(b.r, 1000)
        assert(b.ask(Opcode.WRITE, page(6), data.size, data).status == Status.OK && b.ask(Opcode.READ, page(6), data.size).payload == data, s"round $round")
      }
      assert(b.counter(Counter.WATCHDOG) == 0)
    }
  }
}
