package mneme.net

import mneme.{CBoardConfig, Simulation}
import mneme.engine.Operation
import mneme.wire.Wire.Opcode
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** The network's door: requests become tokens in their order, and each completion finds its request by the packet slot. */
class MnemeDoorTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny.copy(name = "door", packetSlots = 16)
  private lazy val compiled = Simulation.config.compile(MnemeDoor(config))

  private val operations = Map(
    Opcode.READ -> Operation.read,
    Opcode.WRITE -> Operation.write,
    Opcode.COMPARE_SWAP -> Operation.compareSwap,
    Opcode.FETCH_ADD -> Operation.fetchAdd,
    Opcode.SWAP -> Operation.swap,
    Opcode.FENCE -> Operation.nothing
  )
  private val opcodes = operations.keys.toSeq.sorted

  /** Values for all fields of a bundle, by their names. */
  private type Fields = Map[String, BigInt]
  private def leaves(data: Data): Seq[BaseType] = data.flatten.toSeq.filterNot(_.isInstanceOf[SpinalEnumCraft[_]])
  private def name(leaf: BaseType): String = leaf.getName().replaceFirst("^io_[a-z]+_payload_", "")
  private def get(data: Data): Fields = leaves(data).map {
    case b: Bool => name(b) -> BigInt(b.toBoolean.toInt)
    case v: BitVector => name(v) -> v.toBigInt
  }.toMap
  private def set(data: Data, random: Random, chosen: Fields): Fields = leaves(data).map { leaf =>
    val value = chosen.getOrElse(name(leaf), BigInt(leaf.getBitsWidth, random))
    leaf match {
      case b: Bool => b #= value != 0
      case v: BitVector => v #= value
    }
    name(leaf) -> value
  }.toMap

  /** A request, and how the engine ends it. */
  private case class Asked(request: Fields, end: Fields = Map.empty) {
    def slot: BigInt = request("request_slot")
    def opcode: Int = request("request_header_opcode").toInt
    def answered: Boolean = request("request_answered") == 1
  }

  private class Bench(dut: MnemeDoor, seed: Int, count: Int) {
    private val random = new Random(seed)
    private val free = mutable.ArrayBuffer.from(0 until config.packetSlots)
    private val toToken, toAnswer = mutable.Queue[Asked]()
    private val inside = mutable.ArrayBuffer[Asked]()
    private var sent, done = 0
    private var cycle = 0

    private def fires(stream: Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

    def run(): Unit = {
      for (valid <- Seq(dut.io.requests.valid, dut.io.completions.valid)) valid #= false
      for (ready <- Seq(dut.io.tokens.ready, dut.io.answers.ready)) ready #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(2)
      while (done < count) {
        dut.clockDomain.waitSampling()
        cycle += 1
        assert(cycle < 100 * count, s"$sent of $count requests sent, $done answered")
        if (fires(dut.io.tokens)) take()
        if (fires(dut.io.answers)) check()
        val mayAsk = !dut.io.requests.valid.toBoolean || dut.io.requests.ready.toBoolean
        val mayEnd = !dut.io.completions.valid.toBoolean || dut.io.completions.ready.toBoolean
        if (mayAsk) ask()
        if (mayEnd) end()
        dut.io.tokens.ready #= random.nextInt(5) < 3
        dut.io.answers.ready #= random.nextInt(5) < 3
      }
      assert(toToken.isEmpty && toAnswer.isEmpty && inside.isEmpty && free.size == config.packetSlots)
    }

    private def ask(): Unit = {
      val may = sent < count && free.nonEmpty && random.nextInt(4) > 0
      dut.io.requests.valid #= may
      if (may) {
        sent += 1
        // Dispatch answers what it does not know.
        val opcode = if (random.nextInt(8) == 0) 0x55 else opcodes(random.nextInt(opcodes.size))
        val answered = opcode == 0x55 || random.nextInt(4) == 0
        val slot = free.remove(random.nextInt(free.size))
        val chosen = Map("request_slot" -> slot, "request_header_opcode" -> opcode, "request_answered" -> answered.toInt)
        toToken += Asked(set(dut.io.requests.payload, random, chosen.map { case (field, value) => field -> BigInt(value) }))
      }
    }

    private def take(): Unit = {
      val asked = toToken.dequeue()
      val token = dut.io.tokens
      val demand = token.demand
      def header(field: String) = asked.request(s"request_header_$field")
      assert(token.context.toInt == asked.slot.toInt)
      assert(demand.operation.toEnum == (if (asked.answered) Operation.nothing else operations(asked.opcode)), s"opcode ${asked.opcode}")
      assert(demand.ordering.fence.toBoolean == (!asked.answered && asked.opcode == Opcode.FENCE))
      val writes = operations.get(asked.opcode).exists(operation => operation != Operation.read && operation != Operation.nothing)
      if (!asked.answered) assert(demand.ordering.windowed.toBoolean == writes)
      assert(demand.ordering.time.toBigInt == header("time") && demand.pid.toBigInt == header("pid"))
      assert(demand.va.toBigInt == header("va") && demand.length.toBigInt == header("length"))
      assert(demand.dataOffset.toInt == 64, "the payload begins behind the frame's first beat")
      inside += asked
    }

    /** Pages overtake each other. */
    private def end(): Unit = {
      val may = inside.nonEmpty && random.nextInt(4) > 0
      dut.io.completions.valid #= may
      if (may) {
        val asked = inside.remove(random.nextInt(inside.size))
        toAnswer += asked.copy(end = set(dut.io.completions.payload, random, Map("context" -> asked.slot)))
      }
    }

    private def check(): Unit = {
      val asked = toAnswer.dequeue()
      val answer = get(dut.io.answers.payload)
      for ((field, value) <- asked.request) assert(answer(s"filtered_$field") == value, s"$field of the request")
      for (field <- Seq("status", "detailVa", "detailLength")) {
        val due = if (asked.answered) asked.request(s"request_outcome_$field") else asked.end(s"report_outcome_$field")
        assert(answer(s"outcome_$field") == due, s"$field of a request that was answered before: ${asked.answered}")
      }
      val word = (asked.request("request_outcome_detailVa") << 16) | asked.request("request_outcome_detailLength")
      assert(answer("result") == (if (asked.answered) word else asked.end("old")), "the old word")
      for (field <- Seq("zeros", "resumed", "slow", "tickResume")) assert(answer(field) == asked.end(s"report_$field"), field)
      free += asked.slot.toInt
      done += 1
    }
  }

  for (seed <- 1 to 3) test(s"requests under random stalls, completed in any order (seed $seed)") {
    compiled.doSim(s"door$seed", seed)(dut => new Bench(dut, seed, 4000).run())
  }

  test("what the network writes begins behind the headers of its frame")(assert(FrameField.HEADERS == 64))
}
