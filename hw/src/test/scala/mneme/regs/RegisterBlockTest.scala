package mneme.regs

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire
import mneme.wire.Wire.{Counter, MatAction, Register, ReplaceStatus}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver
import spinal.lib.sim.FlowMonitor

import scala.collection.mutable
import scala.util.Random

/** Every register with its semantics, over the bus. */
class RegisterBlockTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(doors = 2)
  private lazy val compiled = Simulation.config.compile(RegisterBlock(config))

  private class Bench(dut: RegisterBlock, seed: Int) {
    val random = new Random(seed)
    dut.clockDomain.forkStimulus(10)
    dut.io.counted #= 0
    dut.io.memoryErrors #= 0
    dut.io.replace.ready #= false
    dut.io.replaceResult.valid #= false
    dut.io.zero.ready #= true
    dut.io.awayIndex #= 0
    dut.io.asyncLevel #= 0
    dut.io.pinned.valid #= false
    dut.io.pinned.lost #= false
    dut.io.pinned.bucket #= 0
    dut.io.zeroPending #= 0
    dut.io.zeroSpace #= 0
    dut.io.observed.data #= 0
    dut.io.sharePending #= false
    dut.io.rests #= true
    dut.io.memoryRests #= true
    dut.io.build.hash #= fixed(Register.BUILD_HASH)
    dut.io.build.date #= fixed(Register.BUILD_DATE)
    private val driver = AxiLite4Driver(dut.io.bus, dut.clockDomain)
    dut.clockDomain.waitSampling(5)
    def read(address: Int): BigInt = driver.read(address)
    def write(address: Int, value: BigInt): Unit = driver.write(address, value)
  }
  private def bench(seed: Int)(body: (RegisterBlock, Bench) => Unit): Unit =
    compiled.doSim(s"registers$seed", seed) { dut => SimTimeout(10000000); body(dut, new Bench(dut, seed)) }

  private val fixed = Map(
    Register.MAGIC -> BigInt(0x4d4e454d),
    Register.WIRE_VERSION -> BigInt(1),
    Register.PAGE_BITS -> BigInt(18),
    Register.MEM_BITS -> BigInt(24),
    Register.SLOTS_LOG2 -> BigInt(2),
    Register.TLB_ENTRIES -> BigInt(4),
    Register.FILTER_ENTRIES -> BigInt(16),
    Register.ASYNC_DEPTH -> BigInt(4),
    Register.MAX_PAYLOAD -> BigInt(1450),
    Register.TICK_LOG2 -> BigInt(6),
    Register.PACKET_SLOTS -> BigInt(4),
    Register.TLB_WAYS -> BigInt(2),
    Register.MISSES -> BigInt(2),
    Register.FILTER_WAYS -> BigInt(2),
    Register.ZERO_DEPTH -> BigInt(4),
    Register.BUILD_FLAGS -> BigInt(1 | 1 << 1 | 1 << 3),
    Register.BUILD_HASH -> BigInt("7b161b7c", 16),
    Register.BUILD_DATE -> BigInt("fedcba98", 16)
  )
  /** Readable and writable registers with their bits. */
  private val writable: Map[Int, Int] = Map(
    Register.CONTROL -> 2,
    Register.EPOCH -> 8,
    Register.WINDOW -> 24,
    Register.MAC_LOW -> 32,
    Register.MAC_HIGH -> 16,
    Register.IP -> 32,
    Register.UDP_PORT -> 16,
    Register.BUSY_HINT -> 32,
    Register.REPLACE_PID -> 24,
    Register.REPLACE_VPN -> 32,
    Register.REPLACE_COMPARE_LOW -> 32,
    Register.REPLACE_COMPARE_HIGH -> 32,
    Register.REPLACE_EXPECTED_LOW -> 32,
    Register.REPLACE_EXPECTED_HIGH -> 32,
    Register.REPLACE_WRITE_LOW -> 32,
    Register.REPLACE_WRITE_HIGH -> 32,
    Register.REPLACE_NEW_LOW -> 32,
    Register.REPLACE_NEW_HIGH -> 32,
    Register.MAT_VALUE0 -> 32,
    Register.MAT_VALUE1 -> 16,
    Register.MAT_MASK0 -> 32,
    Register.MAT_MASK1 -> 16,
    Register.AWAY_VA_LOW -> 32,
    Register.DOOR_WEIGHTS -> 16,
    Register.CLASS_RATE -> 32,
    Register.SHARE_GROUPS -> 32,
    Register.SHARE_WAYS -> 32,
    Register.SHARE_MISSES -> 32,
    Register.SHARE_WAITING -> 32,
    Register.SHARE_PAGES -> 32,
    Register.AWAY_VA_HIGH -> 32
  )
  private val writeOnly = Set(
    Register.SHARE_COMMIT,
    Register.TICK_SKIP,
    Register.ZERO_PUSH,
    Register.REPLACE_GO,
    Register.MAT_COMMIT,
    Register.AWAY_COMMIT,
    Register.CLASS_COMMIT
  )
  private val observed =
    Set(
      Register.TICK,
      Register.ASYNC_LEVEL,
      Register.ZERO_SPACE,
      Register.ZERO_PENDING,
      Register.REPLACE_STATUS,
      Register.REPLACE_OLD_LOW,
      Register.REPLACE_OLD_HIGH,
      Register.REST
    )

  /** Only boards with trailers have these. */
  private val ofTrailers =
    Register.all.collect { case (name, number) if name.startsWith("TAG_") || name.startsWith("TICK_") && number >= Register.TAG_MODE => number }.toSet

  test("the bench knows every register") {
    assert(fixed.keySet ++ writable.keySet ++ writeOnly ++ observed ++ ofTrailers + Register.TABLE_PINNED == Register.all.map(_._2).toSet)
  }

  test("registers of trailers, which this board does not have, are nothing") {
    bench(10) { (dut, b) =>
      val before = fixed.keySet.toSeq.map(b.read)
      for (register <- ofTrailers) {
        assert(b.read(register) == 0, register)
        b.write(register, 0xffffffffL)
        assert(b.read(register) == 0, register)
      }
      assert(fixed.keySet.toSeq.map(b.read) == before)
    }
  }

  test("entries that memory did not take are told, and a write asks for another") {
    bench(9) { (dut, b) =>
      assert(b.read(Register.TABLE_PINNED) == 0)
      dut.io.pinned.valid #= true
      dut.io.pinned.bucket #= 5
      assert(b.read(Register.TABLE_PINNED) == (BigInt(1) << 31 | 5))
      dut.io.pinned.lost #= true
      assert(b.read(Register.TABLE_PINNED) == (BigInt(3) << 30 | 5))
      var asked = 0
      dut.clockDomain.onSamplings(if (dut.io.pinned.next.toBoolean) asked += 1)
      b.write(Register.TABLE_PINNED, 0)
      b.write(Register.REPLACE_PID, 7)
      assert(asked == 1)
    }
  }

  test("what is writable keeps what is written; what is not, does not") {
    bench(1) { (dut, b) =>
      for ((address, value) <- fixed) {
        assert(b.read(address) == value, f"register $address%#x")
        b.write(address, ~value & 0xffffffffL)
        assert(b.read(address) == value, f"register $address%#x after a write")
      }
      assert(b.read(Register.UDP_PORT) == 19790)
      val expected = mutable.Map[Int, BigInt]()
      for (_ <- 0 until 3; (address, bits) <- b.random.shuffle(writable.toSeq)) {
        val value = BigInt(32, b.random)
        b.write(address, value)
        expected(address) = value & ((BigInt(1) << bits) - 1)
      }
      for ((address, value) <- expected) assert(b.read(address) == value, f"register $address%#x")
      for (address <- writeOnly) assert(b.read(address) == 0)
      assert(b.read(0x3fc) == 0 && b.read(0xffc) == 0)
      val c = dut.io.control
      assert(c.mac.toBigInt == (expected(Register.MAC_HIGH) << 32 | expected(Register.MAC_LOW)))
      assert(c.ip.toBigInt == expected(Register.IP) && c.udpPort.toBigInt == expected(Register.UDP_PORT))
      assert(c.epoch.toBigInt == expected(Register.EPOCH) && c.window.toBigInt == expected(Register.WINDOW))
      assert(c.busyHint.toBigInt == expected(Register.BUSY_HINT))
      assert(c.enable.toBoolean == expected(Register.CONTROL).testBit(0) && c.exhausted.toBoolean == expected(Register.CONTROL).testBit(1))
    }
  }

  test("a class gets its rate by one write, and no other does") {
    bench(11) { (dut, b) =>
      val seen = mutable.Queue[(Int, Int, Int, Int)]()
      FlowMonitor(dut.io.classRate, dut.clockDomain) { it =>
        seen.enqueue((it.number.toInt, it.rate.operations.toInt, it.rate.lines.toInt, it.rate.burstLog2.toInt))
      }
      for (number <- Seq.fill(30)(b.random.nextInt(24))) {
        val (operations, lines, burst) = (b.random.nextInt(1 << 16), b.random.nextInt(1 << 16), b.random.nextInt(16))
        b.write(Register.CLASS_RATE, BigInt(lines) << 16 | operations)
        assert(seen.isEmpty)
        b.write(Register.CLASS_COMMIT, number | burst << 8)
        dut.clockDomain.waitSampling(3)
        assert(seen.dequeueAll(_ => true).toSeq == (if (number < 16) Seq((number, operations, lines, burst)) else Nil), number)
      }
    }
  }

  test("the tick counts and skips") {
    bench(2) { (dut, b) =>
      var cycles = 0L
      dut.clockDomain.onSamplings(cycles += 1)
      var skipped = BigInt(0)
      val (start, from) = (b.read(Register.TICK), cycles)
      for (_ <- 0 until 20) {
        val skip = BigInt(b.random.nextInt(if (b.random.nextBoolean()) 5 else 1 << 24))
        b.write(Register.TICK_SKIP, skip)
        skipped += skip
        dut.clockDomain.waitSampling(b.random.nextInt(200))
        val now = (b.read(Register.TICK) - start - skipped) & 0xffffff
        val ticks = (cycles - from) / 64
        assert(now >= ticks - 1 && now <= ticks + 1, s"$now ticks after $ticks")
      }
    }
  }

  test("a build that is not for simulation has no TICK_SKIP") {
    Simulation.config.compile(RegisterBlock(config.copy(name = "device", simulated = false, doors = 3, waitingLists = false))).doSim("device", 5) { dut =>
      SimTimeout(1000000)
      val b = new Bench(dut, 5)
      assert(b.read(Register.BUILD_FLAGS) == 2 << 1)
      for (_ <- 0 until 20) b.write(Register.TICK_SKIP, 1000 + b.random.nextInt(1 << 24))
      assert(b.read(Register.TICK) < 100)
    }
  }

  test("shares are given out class by class and group by group, and a commit is told once and until it has happened") {
    bench(11) { (dut, b) =>
      var told = 0
      dut.clockDomain.onSamplings(if (dut.io.shareCommit.toBoolean) told += 1)
      for (round <- 1 to 50) {
        val Seq(groups, ways, misses, waiting, pages) = Seq.fill(5)(BigInt(32, b.random))
        b.write(Register.SHARE_GROUPS, groups)
        b.write(Register.SHARE_WAYS, ways)
        b.write(Register.SHARE_MISSES, misses)
        b.write(Register.SHARE_WAITING, waiting)
        b.write(Register.SHARE_PAGES, pages)
        for ((share, group) <- dut.io.shares.pages.zipWithIndex) assert(share.toInt == (pages >> 8 * group & 255).toInt)
        for ((share, group) <- dut.io.shares.waiting.zipWithIndex) assert(share.toInt == (waiting >> 8 * group & 255).toInt)
        for ((group, serviceClass) <- dut.io.shares.groups.zipWithIndex) assert(group.toInt == (groups >> 2 * serviceClass & 3).toInt)
        for ((share, group) <- dut.io.shares.ways.zipWithIndex) assert(share.toInt == (ways >> 8 * group & 3).toInt)
        // Of two entries one is in the first eighth, and one in the fifth.
        for ((share, group) <- dut.io.shares.misses.zipWithIndex)
          assert(share.toInt == (if (misses.testBit(8 * group)) 1 else 0) + (if (misses.testBit(8 * group + 4)) 2 else 0))
        b.write(Register.SHARE_COMMIT, BigInt(32, b.random))
        dut.io.sharePending #= true
        dut.clockDomain.waitSampling(2 + b.random.nextInt(20))
        assert(told == round && b.read(Register.SHARE_COMMIT) == 1)
        dut.io.sharePending #= false
        dut.clockDomain.waitSampling()
        assert(b.read(Register.SHARE_COMMIT) == 0)
      }
    }
  }

  test("an epoch takes effect when nothing of the old one is left") {
    bench(6) { (dut, b) =>
      b.write(Register.EPOCH, 1)
      b.write(Register.CONTROL, 1)
      dut.clockDomain.waitSampling(10)
      for (round <- 2 until 100) {
        val patience = b.random.nextInt(60)
        var (waited, changes) = (0, 0)
        dut.io.rests #= false
        dut.clockDomain.waitSampling(2)
        b.write(Register.EPOCH, round)
        assert(b.read(Register.EPOCH) == round && b.read(Register.REST) == 6)
        for (_ <- 0 until patience) {
          assert(dut.io.control.epoch.toInt == round - 1 && !dut.io.control.enable.toBoolean)
          dut.clockDomain.waitSampling()
        }
        dut.io.rests #= true
        dut.clockDomain.waitSampling(8)
        assert(dut.io.control.epoch.toInt == round && dut.io.control.enable.toBoolean && b.read(Register.REST) == 3)
      }
    }
  }

  test("a board that seems to rest as an epoch is written keeps frames out before it is believed") {
    bench(7) { (dut, b) =>
      b.write(Register.CONTROL, 1)
      dut.clockDomain.waitSampling(10)
      var kept = 0
      dut.clockDomain.onSamplings(if (!dut.io.control.enable.toBoolean) { kept += 1; assert(dut.io.control.epoch.toInt == 0) })
      b.write(Register.EPOCH, 9)
      dut.clockDomain.waitSampling(20)
      assert(kept >= RegisterBlock.SETTLE && dut.io.control.epoch.toInt == 9)
    }
  }

  test("every event counts in its counter") {
    bench(3) { (dut, b) =>
      val expected = mutable.Map[Int, Int]().withDefaultValue(0)
      for (_ <- 0 until 2000) {
        val errors = b.random.nextInt(4)
        val events = (0 until Counter.all.size).filter(i => i != Counter.MEM_ERROR && b.random.nextInt(4) == 0)
        events.foreach(expected(_) += 1)
        expected(Counter.MEM_ERROR) += errors
        dut.io.memoryErrors #= errors
        dut.io.counted #= events.map(BigInt(1) << _).sum
        dut.clockDomain.waitSampling()
      }
      dut.io.counted #= 0
      dut.io.memoryErrors #= 0
      dut.clockDomain.waitSampling(2)
      for ((name, i) <- Counter.all) assert(b.read(Wire.COUNTER_BASE + 4 * i) == expected(i), name)
    }
  }

  test("counters are exact while they count, however often they are read, and 0 after a reset") {
    bench(8) { (dut, b) =>
      dut.clockDomain.waitSampling(200)
      val all = (BigInt(1) << Counter.all.size) - 1 - (BigInt(1) << Counter.MEM_ERROR)
      def of(counter: Int): BigInt = b.read(Wire.COUNTER_BASE + 4 * counter)
      for (_ <- 0 until 2) {
        var cycles = 0
        dut.io.counted #= all
        dut.io.memoryErrors #= 3
        dut.clockDomain.onSamplings(if (dut.io.memoryErrors.toInt != 0) cycles += 1)
        // As fast as the bus can, of the same counter, of random ones, and with pauses: an answer has each event of the cycles before it.
        for (i <- 0 until 600) {
          val counter = if (i < 300) 3 else b.random.nextInt(Counter.all.size)
          val from = cycles
          val value = of(counter)
          val each = if (counter == Counter.MEM_ERROR) 3 else 1
          assert(value >= BigInt(from) * each && value <= BigInt(cycles) * each, s"counter $counter is $value, after $from to $cycles cycles")
          if (i % 7 == 0) dut.clockDomain.waitSampling(b.random.nextInt(300))
        }
        dut.io.counted #= 0
        dut.io.memoryErrors #= 0
        dut.clockDomain.waitSampling(2)
        val total = cycles
        for (_ <- 0 until 2; (name, i) <- Counter.all) assert(of(i) == (if (i == Counter.MEM_ERROR) 3 * total else total), name)
        dut.clockDomain.assertReset()
        sleep(30)
        dut.clockDomain.deassertReset()
        for ((name, i) <- Counter.all) assert(of(i) == 0, name)
      }
    }
  }

  test("rows of the match-action table arrive whole") {
    bench(4) { (dut, b) =>
      for (i <- 0 until Wire.MAT_ROWS) assert(!dut.io.rows(i).valid.toBoolean)
      for (_ <- 0 until 3; i <- b.random.shuffle((0 until Wire.MAT_ROWS).toList)) {
        val words = Seq(Register.MAT_VALUE0, Register.MAT_VALUE1, Register.MAT_MASK0, Register.MAT_MASK1).map { address =>
          val value = BigInt(32, b.random)
          b.write(address, value)
          value
        }
        val action = if (b.random.nextInt(4) == 0) b.random.nextInt(256) else b.random.nextInt(MatAction.all.size)
        b.write(Register.MAT_COMMIT, i | (action << 8) | (1 << 16))
        val row = dut.io.rows(i)
        assert(row.valid.toBoolean && row.action.toInt == (if (action < 4) action else MatAction.DROP))
        for ((key, (first, second)) <- Seq(row.value -> (words(0), words(1)), row.mask -> (words(2), words(3)))) {
          assert(key.etherType.toBigInt == first >> 16 && key.protocol.toBigInt == ((first >> 8) & 0xff) && key.opcode.toBigInt == (first & 0xff))
          assert(key.port.toBigInt == (second & 0xffff))
        }
      }
      b.write(Register.MAT_COMMIT, 2)
      b.write(Register.MAT_COMMIT, Wire.MAT_ROWS)
      for (i <- 0 until Wire.MAT_ROWS) assert(dut.io.rows(i).valid.toBoolean == (i != 2))
    }
  }

  test("an address without its word writes nothing, and a word without its address neither") {
    bench(10) { (dut, b) =>
      val bus = dut.io.bus
      def valid = (0 until Wire.MAT_ROWS).map(dut.io.rows(_).valid.toBoolean)
      // The first pass makes row after row valid, the second makes them invalid again.
      for (addressFirst <- Seq(true, false); row <- 0 until Wire.MAT_ROWS) {
        bus.aw.addr #= Register.MAT_COMMIT
        bus.w.data #= row | (if (addressFirst) 1 << 16 else 0)
        bus.aw.valid #= addressFirst
        bus.w.valid #= !addressFirst
        val before = valid
        dut.clockDomain.waitSampling(6)
        assert(!bus.b.valid.toBoolean && valid == before, s"row $row, address first: $addressFirst")
        bus.aw.valid #= true
        bus.w.valid #= true
        dut.clockDomain.waitSamplingWhere(bus.aw.ready.toBoolean && bus.w.ready.toBoolean)
        bus.aw.valid #= false
        bus.w.valid #= false
        dut.clockDomain.waitSamplingWhere(bus.b.valid.toBoolean)
        assert(valid == before.updated(row, addressFirst))
      }
    }
  }

  test("every write has its answer, however long nobody takes them") {
    bench(11) { (dut, b) =>
      val bus = dut.io.bus
      var (written, answered) = (0, 0)
      dut.clockDomain.onSamplings {
        if (bus.aw.valid.toBoolean && bus.aw.ready.toBoolean) written += 1
        if (bus.b.valid.toBoolean && bus.b.ready.toBoolean) answered += 1
      }
      for (_ <- 0 until 200) {
        bus.aw.addr #= Register.BUSY_HINT
        bus.aw.valid #= true
        bus.w.valid #= true
        bus.b.ready #= b.random.nextInt(4) == 0
        dut.clockDomain.waitSampling()
      }
      bus.aw.valid #= false
      bus.w.valid #= false
      bus.b.ready #= true
      dut.clockDomain.waitSampling(10)
      assert(written > 20 && answered == written)
    }
  }

  test("rows of the away table arrive whole") {
    bench(5) { (dut, b) =>
      val away = mutable.Map[Int, (Int, BigInt, BigInt)]()
      for (_ <- 0 until 200) {
        val (i, status, low, high) = (b.random.nextInt(Wire.AWAY_ROWS), b.random.nextInt(32), BigInt(32, b.random), BigInt(32, b.random))
        b.write(Register.AWAY_VA_LOW, low)
        b.write(Register.AWAY_VA_HIGH, high)
        b.write(Register.AWAY_COMMIT, i | (status << 8))
        away(i) = (status, ((high & 0xffff) << 32) | low, high >> 16)
      }
      b.write(Register.AWAY_COMMIT, Wire.AWAY_ROWS)
      for ((i, (status, va, length)) <- away) {
        dut.io.awayIndex #= i
        sleep(1)
        val row = dut.io.awayRow
        assert(row.status.toInt == status && row.va.toBigInt == va && row.length.toBigInt == length, s"away row $i")
      }
    }
  }

  test("replace runs one command at a time and keeps its result") {
    bench(6) { (dut, b) =>
      assert(b.read(Register.REPLACE_STATUS) == ReplaceStatus.IDLE)
      for (round <- 0 until 10) {
        val words = (Register.REPLACE_PID to Register.REPLACE_NEW_HIGH by 4).map { address => b.write(address, BigInt(32, b.random)); b.read(address) }
        b.write(Register.REPLACE_GO, round)
        assert(b.read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING)
        b.write(Register.REPLACE_GO, 1)
        dut.clockDomain.waitSampling(2 + b.random.nextInt(20))
        val command = dut.io.replace
        assert(command.valid.toBoolean && command.pid.toBigInt == words(0))
        assert(command.vpn.toBigInt == (words(1) & ((BigInt(1) << config.vpnBits) - 1)))
        for ((field, i) <- Seq(command.compare, command.expected, command.write, command.value).zipWithIndex)
          assert(field.toBigInt == ((words(3 + 2 * i) << 32) | words(2 + 2 * i)))
        command.ready #= true
        dut.clockDomain.waitSampling()
        command.ready #= false
        dut.clockDomain.waitSampling(1 + b.random.nextInt(20))
        assert(!command.valid.toBoolean, "the second write to GO started a command")
        assert(b.read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING)
        val (status, old) = (ReplaceStatus.DONE + b.random.nextInt(4), BigInt(64, b.random))
        dut.io.replaceResult.valid #= true
        dut.io.replaceResult.status #= status
        dut.io.replaceResult.old #= old
        dut.clockDomain.waitSampling()
        dut.io.replaceResult.valid #= false
        assert(b.read(Register.REPLACE_STATUS) == status)
        assert(b.read(Register.REPLACE_OLD_LOW) == (old & 0xffffffffL) && b.read(Register.REPLACE_OLD_HIGH) == old >> 32)
      }
    }
  }

  test("pages to zero are pushed once, or refused and counted") {
    bench(7) { (dut, b) =>
      val pushed = mutable.Queue[(Int, Boolean)]()
      var refused = 0
      dut.clockDomain.onSamplings {
        if (dut.io.zero.valid.toBoolean && dut.io.zero.ready.toBoolean) pushed.enqueue((dut.io.zero.ppn.toInt, dut.io.zero.offer.toBoolean))
        if (dut.io.events.toBigInt.testBit(Counter.ZERO_REFUSED)) refused += 1
      }
      var expectedRefused = 0
      for (_ <- 0 until 100) {
        val ready = b.random.nextBoolean()
        dut.io.zero.ready #= ready
        val page = if (b.random.nextInt(4) == 0) b.random.nextInt() & 0x7fffffff else b.random.nextInt(config.pages.toInt)
        val zeroOnly = b.random.nextBoolean()
        b.write(Register.ZERO_PUSH, BigInt(page) | (if (zeroOnly) BigInt(1) << 31 else BigInt(0)))
        if (ready && page < config.pages) assert(pushed.dequeue() == ((page, !zeroOnly))) else expectedRefused += 1
        assert(pushed.isEmpty && refused == expectedRefused)
      }
      for (
        (port, address) <- Seq(dut.io.asyncLevel -> Register.ASYNC_LEVEL, dut.io.zeroPending -> Register.ZERO_PENDING, dut.io.zeroSpace -> Register.ZERO_SPACE)
      ) {
        val value = BigInt(32, b.random)
        port #= value
        assert(b.read(address) == value)
      }
    }
  }
}
