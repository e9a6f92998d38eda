package mneme.mem

import mneme.CBoardConfig
import mneme.engine.DoorData
import mneme.wire.Wire
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A token as the bench gave it: what must come of it, and what is true by its end. */
class Given(val door: Int, val index: Int, val context: Int, val dataOffset: Int, val generation: Int, val want: Expected) {
  /** What the token carries to its completion. */
  var report: Reported = _
  /** Acknowledgements on the memory port, of writes and of atomics, by which this and all stores before it are in memory. */
  var writesAcknowledged, atomicsAcknowledged = 0
  /** Reads of its door that came before. */
  var readsBefore = 0

  def ask: Ask = want.ask
  def what: String = s"token $index of door $door (opcode ${ask.opcode}, address ${ask.address}, length ${ask.length})"
}

/** The fields of a report as numbers. */
case class Reported(status: Int, detailVa: BigInt, detailLength: Int, zeros: Boolean, resumed: Boolean, slow: Boolean, tickResume: Int)

/** What a door does: keeps data and operands by context, takes completions and data, and compares them with what the token must give. */
class DoorSide(c: CBoardConfig, number: Int, port: DoorData, random: Random, jitter: Boolean) {
  private var cycle = 0L
  private def fail(message: String) = throw new BenchFailure(s"cycle $cycle, door $number: $message")

  /** Cycle of each completion; of each read's first and last payload beat. */
  val completedAt = mutable.ArrayBuffer[Long]()
  val payloadAt = mutable.ArrayBuffer[(Long, Long)]()
  val given = mutable.ArrayBuffer[Given]()
  /** Tokens whose context is free again; reads so far. */
  private var freed = 0
  private var reads = 0
  /** Reads whose last data have come from memory. */
  var readsEnded = 0
  /** Bursts that its reads must send yet: first byte, beats, and the read if this is its last. */
  val bursts = mutable.Queue[(Int, Int, Option[Given])]()
  /** Takes neither completions nor data. */
  var stands = false
  /** Gives contexts of reads away with their completions, which no door may. */
  var hurries = false

  private val free = mutable.Queue.from(0 until c.contexts)
  private val inUse = mutable.Set[Int]()
  private val bytes = Array.fill(c.contexts)(new Array[Byte](c.slotBeats * 64))
  private val operands = Array.fill(c.contexts)(BigInt(0))
  private val payloads = mutable.Queue[Given]()
  private var payloadIndex = 0
  private val fetches = mutable.Queue[(Int, Int)]()
  private var answer: Option[BigInt] = None
  private var asked = 0
  private val Seq(outStall, payloadStall, fetchStall) = Seq.fill(3)(new Stall(random, jitter))

  def mayOffer: Boolean = free.nonEmpty
  def completed: Int = completedAt.size
  def isIdle: Boolean = freed == given.size && payloads.isEmpty
  def state: String = s"${given.size} tokens offered, $completed completed, ${payloads.size} reads without all their data"

  /** A token with a context of its own, where its data lie at any byte. */
  def offer(want: Expected, generation: Int, report: Option[Int] => Reported): Given = {
    val context = free.dequeue()
    if (!inUse.add(context)) fail(s"context $context is used twice")
    random.nextBytes(bytes(context))
    operands(context) = BigInt(128, random)
    val ask = want.ask
    val offset = ask.dataOffset.getOrElse(random.nextInt(256))
    ask.payload.copyToArray(bytes(context), offset)
    if (ask.isAtomic) {
      def word(value: Long) = BigInt(value) & ((BigInt(1) << 64) - 1)
      val high = if (ask.opcode == Wire.Opcode.COMPARE_SWAP) word(ask.operand1) else BigInt(64, random)
      operands(context) = (high << 64) | word(ask.operand0)
    }
    val token = new Given(number, given.size, context, offset, generation, want)
    token.report = report(ask.answered)
    token.readsBefore = reads
    given += token
    if (ask.isRead) {
      reads += 1
      payloads += token
      val spans = ask.spans
      for (((from, beats), i) <- spans.zipWithIndex) bursts += ((from, beats, Option.when(i == spans.size - 1)(token)))
    }
    if (ask.isWrite) for (beat <- offset / 64 to (offset + ask.length - 1) / 64) fetches += ((context, beat))
    token
  }

  def reset(): Unit = {
    port.completions.ready #= false
    port.payload.ready #= false
    port.fetch.ready #= false
    port.fetched.valid #= false
  }

  private def fires(stream: spinal.lib.Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

  /** Looks at one cycle; whether anything moved. `acknowledged`: of writes and of atomics so far. */
  def observe(now: Long, acknowledged: (Int, Int)): Boolean = {
    cycle = now
    asked = port.operandsOf.toInt
    if (fires(port.fetch)) fetch()
    if (fires(port.completions)) complete(acknowledged)
    if (fires(port.payload)) takePayload()
    // As the network's door does it: when an answer's header leaves, everything before it has left with its data.
    while (freed < completed && (hurries || payloads.headOption.forall(_.index >= freed))) {
      val context = given(freed).context
      inUse -= context
      random.nextBytes(bytes(context))
      operands(context) = BigInt(128, random)
      free += context
      freed += 1
    }
    fires(port.completions) || fires(port.payload) || fires(port.fetch)
  }

  def drive(): Unit = {
    port.fetched.valid #= answer.isDefined
    answer.foreach(port.fetched.payload #= _)
    answer = None
    port.operands #= operands(asked % c.contexts)
    port.fetch.ready #= fetchStall.go()
    port.completions.ready #= outStall.go() && !stands
    port.payload.ready #= payloadStall.go() && !stands
  }

  private def fetch(): Unit = {
    val (context, beat) = (port.fetch.context.toInt, port.fetch.beat.toInt)
    if (fetches.isEmpty) fail(s"beat $beat of context $context is fetched, which no write needs")
    val want = fetches.dequeue()
    if ((context, beat) != want) fail(s"beat $beat of context $context is fetched, ${want._2} of ${want._1} was due")
    answer = Some(MemoryModel.toBigInt(bytes(context).slice(beat * 64, beat * 64 + 64)))
  }

  private def complete(acknowledged: (Int, Int)): Unit = {
    if (completed == given.size) fail("a completion that nobody waits for")
    val token = given(completed)
    completedAt += cycle
    val out = port.completions
    val what = token.what
    if (out.context.toInt != token.context) fail(s"$what: context ${out.context.toInt} instead of ${token.context}")
    val report = out.report
    val got = Reported(
      report.outcome.status.toInt,
      report.outcome.detailVa.toBigInt,
      report.outcome.detailLength.toInt,
      report.zeros.toBoolean,
      report.resumed.toBoolean,
      report.slow.toBoolean,
      report.tickResume.toInt
    )
    val failed = token.ask.answered.isEmpty && token.want.status == Wire.Status.MEMERR
    val want =
      if (failed) token.report.copy(status = Wire.Status.MEMERR, detailVa = BigInt(Wire.Cause.DRAM) << 40, detailLength = 0) else token.report
    if (got != want) fail(s"$what: $got instead of $want")
    if (token.ask.isAtomic && !failed && out.old.toBigInt != (BigInt(token.want.result) & ((BigInt(1) << 64) - 1)))
      fail(f"$what: old word 0x${out.old.toBigInt}%x instead of 0x${token.want.result}%x")
    if (token.want.stores && (acknowledged._1 < token.writesAcknowledged || acknowledged._2 < token.atomicsAcknowledged))
      fail(s"$what: completed before B ($acknowledged of ${(token.writesAcknowledged, token.atomicsAcknowledged)})")
    if (token.ask.isFence && readsEnded < token.readsBefore) fail(s"$what: a fence passed reads in flight")
  }

  private def takePayload(): Unit = {
    if (payloads.isEmpty) fail("payload that nobody asked for")
    val token = payloads.head
    val (want, ask) = (token.want, token.ask)
    val from = payloadIndex * 64
    val beat = want.payload.slice(from, from + 64).padTo(64, 0.toByte)
    val error = port.payload.error.toBoolean
    if (error != want.beatErrors(payloadIndex)) fail(s"${token.what}: error flag of beat $payloadIndex is $error")
    if (!error) {
      val got = port.payload.data.toBytes
      val at = (0 until 64).find(k => got(k) != beat(k))
      at.foreach(k => fail(f"${token.what}: byte ${from + k} is 0x${got(k)}%02x instead of 0x${beat(k)}%02x"))
    }
    if (payloadIndex == 0) payloadAt += ((cycle, cycle))
    payloadAt(payloadAt.size - 1) = (payloadAt.last._1, cycle)
    payloadIndex += 1
    if (payloadIndex == want.beatErrors.size) {
      payloads.dequeue()
      payloadIndex = 0
    }
  }
}
