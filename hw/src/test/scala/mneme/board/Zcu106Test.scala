package mneme.board

import mneme.BoardBench.readWrite
import mneme.{CBoardConfig, Simulation}
import mneme.board.XgmiiSim.{bytes, characters, padded}
import mneme.net.Frames
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister._
import mneme.wire.Wire.{Counter, Opcode, PortCounter, Register, ReplaceStatus, Status, Target}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

/** The whole board between its vendor's parts: frames at the transceiver's boundary, a controller of DRAM, a processor with a daemon. */
class Zcu106Test extends AnyFunSuite {
  // The ZCU106's core in all but the size of memory and pages, so that zeroing is short.
  private val config = CBoardConfig.zcu106.copy(pageBits = 18, memBits = 26)
  private val slots = 16
  private lazy val compiled = Simulation.config.compile(Zcu106(config, slots))
  private def board(name: String, rx: Int = 6400, tx: Int = 6400)(body: (Zcu106, Zcu106Bench) => Unit): Unit =
    compiled.doSim(name, 1)(dut => body(dut, new Zcu106Bench(dut, config, slots, name.hashCode, rx, tx)))
  private def page(n: Int): BigInt = BigInt(n) << config.pageBits
  private def portCounter(b: Zcu106Bench, counter: Int): Int = b.read(Wire.PORT_BASE + Wire.PORT_COUNTERS + 4 * counter).toInt

  /** What a reset has left over on the line is gone. */
  private def settle(b: Zcu106Bench): Unit = {
    b.until("the line's end")(b.line.toPort.isEmpty && b.rings.idle)
    b.cycles(2000)
    b.received.clear()
  }
  /** A board that has booted anew takes a page and keeps its bytes. */
  private def serves(b: Zcu106Bench, round: Int): Unit = {
    assert(b.replace(7, 6, readWrite) == ReplaceStatus.DONE)
    val data = bytes(b.r, 1000)
    assert(b.ask(Opcode.WRITE, page(6), data.size, data).status == Status.OK && b.ask(Opcode.READ, page(6), data.size).payload == data, s"round $round")
  }

  test("a board without DRAM answers its processor, and boots when DRAM comes; a frame's bytes go to DRAM and back") {
    board("life") { (dut, b) =>
      b.cycles(300)
      assert(b.read(DEVICE_MAGIC) == Wire.DEVICE_MAGIC && b.read(DEVICE_TARGET) == Target.ZCU106 && b.read(DEVICE_STATUS) == 0)
      assert(b.read(Register.MAGIC) == 0 && b.read(RING_SLOTS) == slots)
      b.write(Register.CONTROL, 1)
      b.up()
      assert(b.read(Register.BUILD_HASH) == 0x12345678L)
      assert(b.ask(Opcode.READ, page(5), 16).status == Status.UNMAPPED)
      assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
      val data = bytes(b.r, 1450)
      assert(b.ask(Opcode.WRITE, page(5) + 64, data.size, data).status == Status.OK)
      assert(b.ask(Opcode.READ, page(5) + 64, data.size).payload == data)
      // The first free page was page 1: the processor sees it there, and the network what the processor writes.
      val at = (1L << config.pageBits) + 64
      for (i <- 0 until 1450 / 16) assert(b.look(at + 16 * i) == data.slice(16 * i, 16 * i + 16), s"word $i")
      b.store(at + 16, data.reverse.take(16))
      assert(b.ask(Opcode.READ, page(5) + 64, 48).payload == data.take(16) ++ data.reverse.take(16) ++ data.slice(32, 48))
      assert(b.counter(Counter.WATCHDOG) == 0 && portCounter(b, PortCounter.RX_FRAMES) == 4 && portCounter(b, PortCounter.TX_FRAMES) == 4 && b.retries == 0)
      // As the board's document tells them; who changes one by more than a twentieth measures anew.
      for (
        (name, size, write, read) <- Seq(("16 bytes", 16, 104, 96), ("1 KB", 1024, 134, 110), ("1,450 bytes", 1450, 149, 118));
        (what, opcode, told) <- Seq(("write", Opcode.WRITE, write), ("read", Opcode.READ, read))
      ) {
        val payload = if (opcode == Opcode.WRITE) data.take(size) else Nil
        val times = Seq.fill(12)(b.timed(opcode, page(5) + 64, size, payload)).sorted
        val cycles = times.map(_ / 4)
        info(
          f"$what of $name: from the request's end to the answer's start ${times.head}%.0f to ${times.last}%.0f ns, ${cycles.head}%.1f to ${cycles.last}%.1f cycles, ${cycles(6)}%.0f in the middle"
        )
        assert(cycles.head > 0.95 * told && cycles.last < 1.05 * told, s"$what of $name: not about $told cycles")
      }
    }
  }

  test("the slow path through the rings: ARP and PING are answered by the daemon, fast requests meanwhile") {
    board("slow") { (dut, b) =>
      b.up()
      b.work()
      b.until("rings")((b.read(RING_STATUS) & Wire.RING_RUNNING) == 1)
      val theirs = Frames.number(BigInt("020000000002", 16), 6).toSeq
      val arp = Seq.fill(6)(0xff) ++ theirs ++ Seq(8, 6, 0, 1, 8, 0, 6, 4, 0, 1) ++ theirs ++ Seq(10, 0, 0, 2) ++ Seq.fill(6)(0) ++ Frames.number(b.ip, 4)
      b.send(arp)
      b.until("an ARP answer")(b.received.nonEmpty)
      val answer = b.received.dequeue()
      assert(answer.take(6) == theirs && answer.slice(20, 22) == Seq(0, 2) && answer.slice(22, 28) == Frames.number(b.mac, 6).toSeq)
      assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
      // More than the rings have slots.
      for (i <- 0 until 3 * slots) {
        assert(b.pings(1) == 1)
        if (i % 8 == 0) {
          val word = bytes(b.r, 8)
          assert(b.ask(Opcode.WRITE, page(5) + 8 * i, 8, word).status == Status.OK && b.ask(Opcode.READ, page(5) + 8 * i, 8).payload == word)
        }
      }
      assert(b.served == 3 * slots + 1 && b.retries == 0 && b.read(RING_LOST) == 0 && b.read(RING_REFUSED) == 0)
      assert(b.read(RX_HEAD) == b.served && b.read(TX_TAIL) == b.served && b.counter(Counter.SLOW_TX) == b.served)
    }
  }

  for ((name, rx, tx) <- Seq(("100 ppm fast", 6399, 6401), ("100 ppm slow", 6401, 6399)))
    test(s"clocks $name, damaged frames, pauses, a link that is lost: every word is right in the end") {
      board(s"rough_$rx", rx, tx) { (dut, b) =>
        b.up()
        b.write(Wire.PORT_BASE, Wire.PORT_SEND_PAUSES)
        assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
        b.line.damagePerMillion = 8
        b.line.gearboxPauses = true
        val pause = characters(padded(Seq(0x01, 0x80, 0xc2, 0, 0, 1) ++ bytes(b.r, 6) ++ Seq(0x88, 0x08, 0, 1, 0, 60)))
        val words = Array.fill(32)(Seq.fill(64)(0))
        for (i <- 0 until 60) {
          val at = b.r.nextInt(words.length)
          if (i % 10 == 3) b.line.line(Seq(pause))
          // Bits are out of step, or the signal is gone for a while, with a request on its way.
          if (i % 20 == 7) fork { b.cycles(b.r.nextInt(100)); b.line.lose = 1 + b.r.nextInt(60) }
          if (i % 20 == 17) fork { b.cycles(b.r.nextInt(100)); dut.io.rx_signalOk #= false; b.cycles(40); dut.io.rx_signalOk #= true }
          b.stamp()
          if (b.r.nextBoolean()) {
            words(at) = bytes(b.r, 64)
            assert(b.ask(Opcode.WRITE, page(5) + 64 * at, 64, words(at)).status == Status.OK)
          } else assert(b.ask(Opcode.READ, page(5) + 64 * at, 64).payload == words(at), s"word $at in step $i")
        }
        b.line.damagePerMillion = 0
        assert(b.ask(Opcode.READ, page(5), 1024).payload == words.take(16).flatten.toSeq)
        info(s"${b.retries} retries, ${portCounter(b, PortCounter.RX_LOCK_LOST)} losses of lock, ${portCounter(b, PortCounter.RX_PAUSE)} pauses")
        assert(b.retries >= 3 && portCounter(b, PortCounter.RX_LOCK_LOST) >= 6 && portCounter(b, PortCounter.RX_PAUSE) >= 3 && b.damaged == 0)
        assert(b.counter(Counter.WATCHDOG) == 0)
      }
    }

  test("resets of the processor's in mid-traffic: the memory's port is whole, and the board boots again; so when DRAM goes") {
    board("resets") { (dut, b) =>
      b.up()
      for (round <- 0 until 4) {
        assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
        b.daemon.start()
        for (i <- 0 until 6) {
          b.send(b.request(Opcode.WRITE, page(5) + 2048 * i, 1024, bytes(b.r, 1024), 7, 1000 * round + i + 100000).bytes.toSeq)
          b.send(b.request(Opcode.PING, 0, 0, Nil, 7, 1000 * round + i + 200000).bytes.toSeq)
        }
        b.cycles(300 + b.r.nextInt(1500))
        if (round == 3) {
          dut.io.mem_calibrated #= false
          b.cycles(30)
          assert(b.read(DEVICE_STATUS) == 0 && b.read(Register.MAGIC) == 0)
        } else {
          b.clock.assertReset()
          sleep(4000 * (1 + b.r.nextInt(20)) + 1000)
          b.clock.deassertReset()
        }
        settle(b)
        b.up()
        serves(b, round)
      }
      assert(b.counter(Counter.WATCHDOG) == 0)
    }
  }

  test("the daemon resets the core alone, in mid-traffic: whole frames on both sides, ports and rings stay, the board boots again") {
    board("restart") { (dut, b) =>
      b.up()
      for (round <- 0 until 5) {
        assert(b.replace(7, 5, readWrite) == ReplaceStatus.DONE)
        b.daemon.start()
        // Not while the rings run, and not without the word for it.
        b.write(CORE_RESET, Wire.DEVICE_MAGIC)
        b.cycles(30)
        assert((b.read(DEVICE_STATUS) & Wire.DEVICE_RESETTING) == 0 && b.read(Register.CONTROL) == 1)
        b.daemon.stop()
        b.write(CORE_RESET, 1)
        b.cycles(30)
        assert(b.read(Register.CONTROL) == 1)
        for (i <- 0 until 8) {
          if (round % 2 == 0) b.send(b.request(Opcode.WRITE, page(5) + 2048 * i, 1024, bytes(b.r, 1024), 7, 1000 * round + i + 100000).bytes.toSeq)
          // Alone their answers fill the port's store, and the core waits in the midst of one.
          for (k <- 0 to 3 * (round % 2))
            b.send(b.request(Opcode.READ, page(5) + 2048 * i, 1400, Nil, 7, 1000 * round + 10 * i + k + 200000).bytes.toSeq)
        }
        b.cycles(400 + b.r.nextInt(1500))
        val frames = portCounter(b, PortCounter.RX_FRAMES)
        b.write(CORE_RESET, Wire.DEVICE_MAGIC)
        b.until("the core")((b.read(DEVICE_STATUS) & Wire.DEVICE_RESETTING) == 0)
        assert(b.read(Register.CONTROL) == 0 && b.read(Register.MAGIC) == Wire.MAGIC && portCounter(b, PortCounter.RX_FRAMES) >= frames)
        settle(b)
        b.boot(pages = 4)
        serves(b, round)
        // Of no frame did the core see the rest without the beginning.
        val taken = Seq(Counter.STATUS_OK, Counter.SLOW_TX).map(b.counter).sum
        // Until its packet slots are handed out, a core has no room for any; then it drops all, until it is told not to.
        val dropped = Seq(Counter.DROP_INGRESS_FULL, Counter.DROP_DISABLED).map(b.counter).sum
        assert(b.counter(Counter.RX_FRAMES) == taken + dropped, s"round $round")
      }
      info(s"${b.damaged} frames were cut off and left damaged")
      assert(b.damaged > 0 && portCounter(b, PortCounter.TX_DAMAGED) == b.damaged && b.counter(Counter.WATCHDOG) == 0)
    }
  }
}
