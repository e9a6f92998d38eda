package mneme.chain

import mneme.Simulation
import mneme.leaf.LeafConfig
import mneme.rdma.PortRegisters
import mneme.wire.Wire
import mneme.wire.Wire.{ChainCounter, ChainRegister, RoceRegister}
import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Commands by registers, to a responder that takes its time: what it is told, how its answers are told, that nothing changes meanwhile, and what is counted. */
class ChainRegistersTest extends AnyFunSuite {
  private val k = ChainConfig(LeafConfig(CBoardConfig.sim, segments = 8, fillers = 8, lines = 4, ahead = 2), pairs = 8, replies = 16)
  private lazy val compiled = Simulation.config.compile(ChainRegisters(k))

  /** What can be written: the bits of each register. */
  private val writable: Seq[(Int, BigInt)] = Seq(
    ChainRegister.CHAIN_QPN -> 24,
    ChainRegister.CHAIN_PEER_QPN -> 24,
    ChainRegister.CHAIN_PEER_IP -> 32,
    ChainRegister.CHAIN_PEER_MAC_LOW -> 32,
    ChainRegister.CHAIN_PEER_MAC_HIGH -> 16,
    ChainRegister.CHAIN_PORT -> 16,
    ChainRegister.CHAIN_PID -> 24,
    ChainRegister.CHAIN_PSN -> 24,
    ChainRegister.CHAIN_REPLY_PSN -> 24,
    ChainRegister.CHAIN_RATE -> 32,
    ChainRegister.CHAIN_LENGTH -> 14,
    ChainRegister.CHAIN_SEGMENT -> k.l.segmentBits,
    ChainRegister.CHAIN_KEY_LOW -> 32,
    ChainRegister.CHAIN_KEY_HIGH -> 32,
    ChainRegister.CHAIN_BASE_LOW -> 32,
    ChainRegister.CHAIN_BASE_HIGH -> 32
  ).map { case (register, bits) => register -> ((BigInt(1) << bits) - 1) } ++
    Seq(ChainRegister.CHAIN_OPTIONS -> BigInt(0xf1f37)) ++ (0 until 6).map(i => ChainRegister.CHAIN_ROW_0 + 4 * i -> BigInt(0x1fff000f))

  private val commands = Map(
    Wire.ChainCommand.CREATE -> ChainCommand.CREATE,
    Wire.ChainCommand.DESTROY -> ChainCommand.DESTROY,
    Wire.ChainCommand.END -> ChainCommand.END,
    Wire.ChainCommand.QUERY -> ChainCommand.QUERY
  )
  private val results = Seq(
    ChainResult.DONE -> Wire.ChainResult.DONE,
    ChainResult.TAKEN -> Wire.ChainResult.TAKEN,
    ChainResult.UNKNOWN -> Wire.ChainResult.UNKNOWN,
    ChainResult.NUMBER -> Wire.ChainResult.NUMBER,
    ChainResult.PATH_MTU -> Wire.ChainResult.PATH_MTU,
    ChainResult.PROFILE -> Wire.ChainResult.PROFILE,
    ChainResult.RATE -> Wire.ChainResult.RATE
  )

  /** The registers' values that an order has been made of, and its command. Rows that no register has are zeros. */
  private def valuesOf(order: ChainOrder): (ChainCommand.E, Map[Int, BigInt]) = {
    val (pair, settings, secrets) = (order.pair, order.settings, order.secrets)
    def low(value: BigInt) = value & 0xffffffffL
    def flag(bit: Bool, mask: Int) = if (bit.toBoolean) mask else 0
    val function = Seq(ChainFunction.LOAD, ChainFunction.MAPPED_STORE, ChainFunction.UNMAPPED_STORE, ChainFunction.INVALIDATE).indexOf(settings.function.toEnum)
    val options = pair.mtuCode.toInt | function << 4 | order.timeout.toInt << 16 | Seq(
      pair.hardened -> Wire.CHAIN_HARDENED,
      settings.immediate -> Wire.CHAIN_IMMEDIATE,
      settings.signal -> Wire.CHAIN_SIGNAL,
      settings.tellEmpty -> Wire.CHAIN_TELL_EMPTY,
      secrets.keyed -> Wire.CHAIN_KEYED
    ).map { case (bit, mask) => flag(bit, mask) }.sum
    val rows = order.rows.map(row => BigInt(row.field.toInt | flag(row.last, Wire.CHAIN_ROW_LAST) | row.end.toInt << 16))
    assert(rows.drop(6).forall(_ == 0))
    val registers = Map[Int, BigInt](
      ChainRegister.CHAIN_QPN -> pair.qpn.toBigInt,
      ChainRegister.CHAIN_PEER_QPN -> pair.peerQpn.toBigInt,
      ChainRegister.CHAIN_PEER_IP -> pair.peerIp.toBigInt,
      ChainRegister.CHAIN_PEER_MAC_LOW -> low(pair.peerMac.toBigInt),
      ChainRegister.CHAIN_PEER_MAC_HIGH -> (pair.peerMac.toBigInt >> 32),
      ChainRegister.CHAIN_PORT -> pair.srcPort.toBigInt,
      ChainRegister.CHAIN_PID -> settings.pid.toBigInt,
      ChainRegister.CHAIN_PSN -> order.psn.toBigInt,
      ChainRegister.CHAIN_REPLY_PSN -> order.firstReply.toBigInt,
      ChainRegister.CHAIN_OPTIONS -> options,
      ChainRegister.CHAIN_RATE -> order.rate.toBigInt,
      ChainRegister.CHAIN_LENGTH -> pair.length.toBigInt,
      ChainRegister.CHAIN_SEGMENT -> settings.segment.toBigInt,
      ChainRegister.CHAIN_KEY_LOW -> low(secrets.key.toBigInt),
      ChainRegister.CHAIN_KEY_HIGH -> (secrets.key.toBigInt >> 32),
      ChainRegister.CHAIN_BASE_LOW -> low(secrets.base.toBigInt),
      ChainRegister.CHAIN_BASE_HIGH -> (secrets.base.toBigInt >> 32)
    )
    (order.command.toEnum, registers ++ rows.take(6).zipWithIndex.map { case (row, i) => ChainRegister.CHAIN_ROW_0 + 4 * i -> row })
  }

  private class Bench(dut: ChainRegisters, seed: Int) {
    val random = new Random(seed)
    val asked = mutable.Queue[(ChainCommand.E, Map[Int, BigInt])]()
    /** What the responder answers; whether it does. */
    var (result, expected, msn, inError, running) = (ChainResult.DONE: ChainResult.E, 0, 0, false, false)
    var holds = false
    /** Of the command that is offered: cycles until it is answered, and let go of. */
    private var (answersIn, takesIn) = (-1, -1)
    private var seen = (ChainCommand.QUERY: ChainCommand.E, Map[Int, BigInt]())
    private val events = ChainRegisters.counted(dut.io.events)
    val counted = Array.fill(32)(0L)
    /** Of 16 cycles in how many each event comes. */
    var often = 0
    var ready = true
    assert(RoceRegister.ROCE_COMMAND == ChainRegister.CHAIN_COMMAND && RoceRegister.ROCE_RESULT == ChainRegister.CHAIN_RESULT, "so both have one driver")
    val registers = new PortRegisters(dut.io.bus, random, jitter = true, () => cycle())
    dut.clockDomain.forkStimulus(10)
    SimTimeout(1000000000L)
    reset()

    def reset(): Unit = {
      registers.reset()
      dut.io.orders.ready #= false
      dut.io.ordered.valid #= false
      dut.io.ready #= false
      for ((event, _) <- events) event #= false
      java.util.Arrays.fill(counted, 0)
      asked.clear()
      answersIn = -1
      dut.clockDomain.assertReset()
      dut.clockDomain.waitRisingEdge(3)
      dut.clockDomain.deassertReset()
      dut.clockDomain.waitSampling()
    }
    private def cycle(): Unit = {
      dut.clockDomain.waitSampling()
      for ((event, counter) <- events) {
        if (event.toBoolean) counted(counter) += 1
        event #= random.nextInt(16) < often
      }
      dut.io.ready #= ready
      // Until it is let go of, what it says stays as it is.
      if (dut.io.orders.valid.toBoolean) {
        val now = valuesOf(dut.io.orders.payload)
        if (answersIn < 0) {
          seen = now
          answersIn = 1 + random.nextInt(30)
          takesIn = answersIn + random.nextInt(10)
          asked += now
        }
        assert(now == seen, "an order changes")
        if (dut.io.orders.ready.toBoolean) answersIn = -1
        else if (!holds || answersIn > 1) {
          answersIn = (answersIn - 1) max 0
          takesIn -= 1
        }
      }
      val offered = answersIn >= 0 && dut.io.orders.valid.toBoolean
      val answers = offered && answersIn == 0 && !answered
      dut.io.ordered.valid #= answers
      answered = offered && (answered || answers)
      dut.io.ordered.result #= result
      dut.io.ordered.expected #= expected
      dut.io.ordered.msn #= msn
      dut.io.ordered.inError #= inError
      dut.io.ordered.running #= running
      dut.io.orders.ready #= offered && takesIn <= 0 && answered
    }
    private var answered = false
    def cycles(count: Int): Unit = for (_ <- 0 until count) cycle()
    def fill(): Map[Int, BigInt] = {
      val values = writable.map { case (register, bits) => register -> (BigInt(32, random), bits) }
      for ((register, (value, _)) <- random.shuffle(values)) registers.write(register, value)
      values.map { case (register, (value, bits)) => register -> (value & bits) }.toMap
    }
    def counter(number: Int): Long = registers.read(Wire.CHAIN_COUNTERS + 4 * number).toLong
    def told: (Int, Int, Int) = {
      val Seq(a, b, c) = Seq(ChainRegister.CHAIN_EXPECTED, ChainRegister.CHAIN_MSN, ChainRegister.CHAIN_STATE).map(registers.read(_).toInt)
      (a, b, c)
    }
  }
  private def bench(name: String, seed: Int)(body: Bench => Unit): Unit = compiled.doSim(name, seed)(dut => body(new Bench(dut, seed)))

  test("each command tells the responder what its registers say, and its answer is told") {
    for (seed <- 1 to 2) bench(s"commands$seed", seed) { t =>
      import t._
      assert(registers.read(ChainRegister.CHAIN_MAGIC) == Wire.CHAIN_MAGIC && registers.read(ChainRegister.CHAIN_SIZES) == (4 << 8 | 3))
      var last = (0, 0, 0)
      assert(registers.result() == Wire.ChainResult.DONE && told == last)
      for (round <- 0 until 60) {
        val values = fill()
        val (tells, number) = results(random.nextInt(results.size))
        result = tells
        expected = random.nextInt(1 << 24)
        msn = random.nextInt(1 << 24)
        inError = random.nextBoolean()
        running = random.nextBoolean()
        val command = 1 + round % 4
        registers.write(ChainRegister.CHAIN_COMMAND, command)
        assert(registers.result() == number, s"$command, $tells")
        if (command == Wire.ChainCommand.QUERY && tells == ChainResult.DONE)
          last = (expected, msn, (if (inError) Wire.CHAIN_IN_ERROR else 0) | (if (running) Wire.CHAIN_RUNNING else 0))
        assert(told == last)
        assert(asked.dequeue() == ((commands(command), values)) && asked.isEmpty)
        for ((register, value) <- values) assert(registers.read(register) == value, f"register 0x$register%x")
      }
      // Others give zeros, and take nothing.
      for (address <- Seq(0x6c, 0x7c, ChainRegister.CHAIN_COMMAND)) assert(registers.read(address) == 0)
      for (number <- Seq[BigInt](0, 5, 255, 256 + 1, BigInt(1) << 31)) assert(registers.command(number) == Wire.ChainResult.COMMAND)
      assert(asked.isEmpty && told == last)
    }
  }

  test("writes while a command is under way do nothing, nor before the tables are empty") {
    bench("pending", 3) { t =>
      import t._
      ready = false
      reset()
      def silent(): Unit = {
        registers.write(ChainRegister.CHAIN_COMMAND, Wire.ChainCommand.DESTROY)
        registers.write(ChainRegister.CHAIN_PSN, 18)
        cycles(random.nextInt(100))
        assert(registers.read(ChainRegister.CHAIN_RESULT) == Wire.ChainResult.PENDING)
      }
      silent()
      ready = true
      assert(registers.result() == Wire.ChainResult.DONE && registers.read(ChainRegister.CHAIN_PSN) == 0 && asked.isEmpty)
      for (_ <- 0 until 5) {
        val values = fill()
        holds = true
        registers.write(ChainRegister.CHAIN_COMMAND, Wire.ChainCommand.CREATE)
        silent()
        assert(registers.read(ChainRegister.CHAIN_PSN) == values(ChainRegister.CHAIN_PSN))
        holds = false
        assert(registers.result() == Wire.ChainResult.DONE)
        cycles(100)
        assert(asked.dequeue() == ((ChainCommand.CREATE, values)) && asked.isEmpty)
      }
    }
  }

  test("every event is counted, however many come at once, and a reset begins anew") {
    bench("counted", 4) { t =>
      import t._
      for (share <- Seq(16, 1, 8)) {
        often = share
        cycles(700)
        // While they come no count runs backwards, nor ahead.
        for (number <- 0 until 32) {
          val before = counted(number)
          val read = counter(number)
          assert(read >= (before - 40 max 0) && read <= counted(number), s"counter $number")
        }
        often = 0
        cycles(40)
        for (number <- 0 until 32) assert(counter(number) == counted(number), s"counter $number")
        assert(ChainCounter.all.forall { case (_, number) => counted(number) > 30 } && counted.drop(ChainCounters.NUMBER).forall(_ == 0))
        if (share == 1) {
          reset()
          // The first round has not ended: nothing of what was there before shows.
          for (number <- 0 until 32) assert(counter(number) == 0)
        }
      }
    }
  }

  private lazy val counters = Simulation.config.compile(ChainCounters(plantable = true))
  private def counts(fault: Option[ChainCounterFault.Value]): Unit =
    counters.doSim(fault.fold("sound")(_.toString), 5) { dut =>
      val random = new Random(5)
      dut.plantedFaults.get #= fault.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
      dut.io.events #= 0
      dut.io.index #= 0
      dut.clockDomain.forkStimulus(10)
      for (_ <- 0 until 3) {
        dut.clockDomain.assertReset()
        dut.io.events #= 0
        dut.clockDomain.waitRisingEdge(3)
        dut.clockDomain.deassertReset()
        val counted = Array.fill(ChainCounters.NUMBER)(0L)
        dut.clockDomain.waitSampling()
        for (_ <- 0 until 300 + random.nextInt(100)) {
          dut.clockDomain.waitSampling()
          val now = dut.io.events.toBigInt
          for (i <- counted.indices if now.testBit(i)) counted(i) += 1
          dut.io.events #= BigInt(ChainCounters.NUMBER, random)
        }
        dut.clockDomain.waitSampling()
        for (i <- counted.indices if dut.io.events.toBigInt.testBit(i)) counted(i) += 1
        dut.io.events #= 0
        dut.clockDomain.waitSampling(40)
        for (i <- counted.indices) {
          dut.io.index #= i
          dut.clockDomain.waitSampling(2)
          assert(dut.io.value.toLong == counted(i), s"counter $i")
        }
      }
    }
  test("planted faults of the counters are found") {
    counts(None)
    for (fault <- ChainCounterFault.values) intercept[Throwable](counts(Some(fault)))
  }
}
