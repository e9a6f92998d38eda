package mneme.mem

import mneme.CBoardConfig
import mneme.wire.Wire
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** Runs a list of requests through [[MemoryAccess]] and compares everything that comes out with [[Reference]].
  *
  * One loop per clock cycle, no threads: the seed alone decides what happens. Throws [[BenchFailure]] at the first difference.
  */
class MemoryBench(dut: MemoryAccess, c: CBoardConfig, windowBytes: Int, bad: BadLines, timing: Timing, seed: Int) {
  val random = new Random(seed)
  /** The window lies at the top of memory, so that no address bit is idle. */
  private val base = (BigInt(1) << c.memBits) - windowBytes
  private val initial = { val b = new Array[Byte](windowBytes); random.nextBytes(b); b }
  private val reference = new Reference(initial.clone, bad)
  private val model = new MemoryModel(dut.io.mem, base, initial.clone, bad, timing, random)

  private def fail(message: String) = throw new BenchFailure(s"cycle $cycle, seed $seed: $message")

  /** Cycle of each request's hand-over at requestsIn and requestsOut; of each read's first and last payload beat. */
  val entered, left = mutable.ArrayBuffer[Long]()
  val payloadAt = mutable.ArrayBuffer[(Long, Long)]()
  var cycle = 0L
  /** Last cycle in which a request came in or left, or a slot or payload did. Silence for longer than all stalls together is a failure. */
  private var moved = 0L
  private val patience = 5000

  private var totalBursts, totalStores, totalReadBeats, totalWriteBeats = 0
  private val expected = mutable.ArrayBuffer[Expected]()
  private val slots = Array.fill(c.packetSlots)(new Array[Byte](c.slotBeats * 64))
  private val freeSlots = mutable.Queue.from(0 until c.packetSlots)
  private val slotBusy = Array.fill(c.packetSlots)(false)
  private val slotOf = mutable.ArrayBuffer[Int]()
  private val events = new Array[Int](Wire.Counter.all.size)
  private val Seq(inStall, outStall, payloadStall, packetStall, releaseStall) = Seq.fill(5)(new Stall(random, timing.jitter))
  private var offered = false
  private var released = 0
  private var answer: Option[BigInt] = None

  // Bursts and acknowledgements that earlier requests need: counted in arrival order.
  private val burstsBefore, acknowledgesThrough = mutable.ArrayBuffer[Int]()
  private val payloads = mutable.Queue[(Expected, Int)]()
  private var payloadIndex = 0
  private val watches = Seq(
    new Watch("AR", dut.io.mem.ar, () => (dut.io.mem.ar.addr.toBigInt, dut.io.mem.ar.len.toInt)),
    new Watch("AW", dut.io.mem.aw, () => (dut.io.mem.aw.addr.toBigInt, dut.io.mem.aw.len.toInt)),
    new Watch("W", dut.io.mem.w, () => (dut.io.mem.w.data.toBigInt, dut.io.mem.w.strb.toBigInt, dut.io.mem.w.last.toBoolean)),
    new Watch("requestsOut", dut.io.requestsOut, () => (dut.io.requestsOut.opId.toBigInt, dut.io.requestsOut.status.toInt)),
    new Watch("payload", dut.io.payload, () => (dut.io.payload.data.toBigInt, dut.io.payload.error.toBoolean)),
    new Watch("packet", dut.io.packet.cmd, () => (dut.io.packet.cmd.slot.toInt, dut.io.packet.cmd.beat.toInt)),
    new Watch("release", dut.io.release, () => dut.io.release.payload.toInt)
  )

  /** A stream's valid, once up, stays with its payload until ready. */
  private class Watch(name: String, stream: Stream[_], payload: () => Any) {
    private var waiting: Option[Any] = None
    def step(): Unit = {
      val valid = stream.valid.toBoolean
      waiting.foreach { before =>
        if (!valid) fail(s"$name: valid fell before ready")
        if (payload() != before) fail(s"$name: payload changed before ready")
      }
      waiting = if (valid && !stream.ready.toBoolean) Some(payload()) else None
    }
  }

  /** Runs requests for some cycles and leaves them in flight. */
  def runFor(cycles: Int, asks: Seq[Ask]): Unit = {
    reset()
    for (_ <- 0 until cycles) step(asks)
  }

  /** Runs all requests to their end. */
  def run(asks: Seq[Ask]): Unit = {
    reset()
    var idle = 0
    while (idle < 20) {
      step(asks)
      idle = if (left.size == asks.size && released == asks.size && payloads.isEmpty) idle + 1 else 0
      if (cycle > moved + patience)
        fail(s"stuck: ${entered.size} of ${asks.size} requests in, ${left.size} out, $released slots released, ${payloads.size} reads without payload")
    }
    compareEnd()
  }

  private def step(asks: Seq[Ask]): Unit = {
    dut.clockDomain.waitSampling()
    cycle += 1
    watches.foreach(_.step())
    observe()
    model.step(cycle)
    drive(asks)
  }

  /** Brings all inputs to rest and resets the component, whatever it was doing. */
  private def reset(): Unit = {
    model.reset()
    dut.io.requestsIn.valid #= false
    dut.io.requestsOut.ready #= false
    dut.io.payload.ready #= false
    dut.io.packet.cmd.ready #= false
    dut.io.packet.rsp.valid #= false
    dut.io.release.ready #= false
    dut.clockDomain.assertReset()
    dut.clockDomain.waitActiveEdge(3)
    dut.clockDomain.deassertReset()
    dut.clockDomain.waitSampling()
  }

  private def fires(stream: Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

  private def observe(): Unit = {
    val raised = dut.io.events.toBigInt
    if (raised != 0) for (i <- events.indices if raised.testBit(i)) events(i) += 1
    if (fires(dut.io.requestsIn)) {
      entered += cycle
      moved = cycle
      offered = false
    }
    if (fires(dut.io.packet.cmd)) {
      val slot = dut.io.packet.cmd.slot.toInt
      val beat = dut.io.packet.cmd.beat.toInt
      if (!slotBusy(slot)) fail(s"slot $slot is read after its release")
      answer = Some(MemoryModel.toBigInt(slots(slot).slice(beat * 64, beat * 64 + 64)))
    }
    if (fires(dut.io.release)) release(dut.io.release.payload.toInt)
    if (fires(dut.io.requestsOut)) finish()
    if (fires(dut.io.payload)) takePayload()
  }

  private def release(slot: Int): Unit = {
    moved = cycle
    if (!slotBusy(slot)) fail(s"slot $slot is released twice")
    random.nextBytes(slots(slot))
    slotBusy(slot) = false
    freeSlots += slot
    released += 1
  }

  private def finish(): Unit = {
    moved = cycle
    val i = left.size
    left += cycle
    val want = expected(i)
    val what = s"request $i (opcode ${want.ask.opcode}, address ${want.ask.address}, length ${want.ask.length})"
    val out = dut.io.requestsOut
    if (out.opId.toBigInt != i) fail(s"$what: came out as ${out.opId.toBigInt}")
    if (out.slot.toInt != slotOf(i)) fail(s"$what: slot ${out.slot.toInt} instead of ${slotOf(i)}")
    if (out.status.toInt != want.status) fail(s"$what: status ${out.status.toInt} instead of ${want.status}")
    if (want.ask.answered.isEmpty && want.status == Wire.Status.MEMERR) {
      val detail = BigInt(Wire.Cause.DRAM) << 40
      if (!out.answered.toBoolean || out.detailVa.toBigInt != detail || out.detailLength.toInt != 0) fail(s"$what: wrong detail of MEMERR")
    } else {
      if (out.answered.toBoolean != want.ask.answered.isDefined) fail(s"$what: answered changed")
      if (want.ask.answered.isDefined && out.detailVa.toBigInt != 0x5a5a + i) fail(s"$what: detail of an earlier verdict is lost")
      if (want.ask.isAtomic && out.result.toBigInt != (BigInt(want.result) & ((BigInt(1) << 64) - 1)))
        fail(f"$what: old word 0x${out.result.toBigInt}%x instead of 0x${want.result}%x")
    }
    if ((want.stores || want.ask.isFence) && model.acknowledged < acknowledgesThrough(i))
      fail(s"$what: answered before B (${model.acknowledged} of ${acknowledgesThrough(i)})")
    if (want.ask.isFence && model.readBursts < burstsBefore(i)) fail(s"$what: a fence passed reads in flight")
  }

  private def takePayload(): Unit = {
    moved = cycle
    if (payloads.isEmpty) fail("payload that nobody asked for")
    val (want, i) = payloads.head
    val from = payloadIndex * 64
    val beat = want.payload.slice(from, from + 64).padTo(64, 0.toByte)
    val error = dut.io.payload.error.toBoolean
    if (error != want.beatErrors(payloadIndex)) fail(s"read $i: error flag of beat $payloadIndex is $error")
    if (!error) {
      val got = dut.io.payload.data.toBytes
      val at = (0 until 64).find(k => got(k) != beat(k))
      at.foreach(k =>
        fail(f"read $i (address ${want.ask.address}, length ${want.ask.length}): byte ${from + k} is 0x${got(k)}%02x instead of 0x${beat(k)}%02x")
      )
    }
    if (payloadIndex == 0) payloadAt += ((cycle, cycle))
    payloadAt(payloadAt.size - 1) = (payloadAt.last._1, cycle)
    payloadIndex += 1
    if (payloadIndex == want.beatErrors.size) {
      payloads.dequeue()
      payloadIndex = 0
    }
  }

  private def drive(asks: Seq[Ask]): Unit = {
    dut.io.packet.rsp.valid #= answer.isDefined
    answer.foreach(dut.io.packet.rsp.payload #= _)
    answer = None
    dut.io.packet.cmd.ready #= packetStall.go()
    dut.io.requestsOut.ready #= outStall.go()
    dut.io.payload.ready #= payloadStall.go()
    dut.io.release.ready #= releaseStall.go()
    if (!offered && expected.size < asks.size && freeSlots.nonEmpty && inStall.go()) offer(asks(expected.size))
    dut.io.requestsIn.valid #= offered
  }

  private def offer(ask: Ask): Unit = {
    val i = expected.size
    val want = reference.execute(ask)
    val slot = freeSlots.dequeue()
    slotBusy(slot) = true
    random.nextBytes(slots(slot))
    ask.payload.copyToArray(slots(slot), 64)
    expected += want
    slotOf += slot
    val fetched = if (ask.isRead && !ask.zeros) ask.blocks else if (ask.isAtomic) 1 else 0
    val stored = if (want.stores) { if (ask.isWrite) ask.blocks else 1 }
    else 0
    burstsBefore += totalBursts
    totalBursts += fetched
    totalStores += stored
    acknowledgesThrough += totalStores
    totalReadBeats += (if (ask.isRead && !ask.zeros) ask.lines.size else fetched)
    totalWriteBeats += (if (ask.isWrite) ask.lines.size else stored)
    if (ask.isRead) payloads += ((want, i))
    set(ask, i, slot)
    offered = true
  }

  private def set(ask: Ask, i: Int, slot: Int): Unit = {
    val r = dut.io.requestsIn.payload
    r.flatten.foreach {
      case b: spinal.core.Bool => b #= random.nextBoolean()
      case v: spinal.core.BitVector => v #= BigInt(v.getWidth, random)
      case _ =>
    }
    r.opcode #= ask.opcode
    r.opId #= i
    r.slot #= slot
    r.length #= ask.length
    r.address #= base + ask.address
    r.operand0 #= BigInt(ask.operand0) & ((BigInt(1) << 64) - 1)
    r.operand1 #= BigInt(ask.operand1) & ((BigInt(1) << 64) - 1)
    r.answered #= ask.answered.isDefined
    r.zeros #= ask.zeros
    ask.answered.foreach(r.status #= _)
    r.detailVa #= 0x5a5a + i
  }

  private def compareEnd(): Unit = {
    val at = reference.memory.indices.find(i => reference.memory(i) != model.memory(i))
    at.foreach(i => fail(f"memory differs at $i: 0x${model.memory(i)}%02x instead of 0x${reference.memory(i)}%02x"))
    if (slotBusy.contains(true)) fail("a slot was never released")
    val failedReads = expected.count(e => e.ask.isRead && e.beatErrors.contains(true))
    val failedStores = expected.count(e => e.ask.answered.isEmpty && e.status == Wire.Status.MEMERR)
    Seq(
      Wire.Counter.MEM_READ_BEATS -> totalReadBeats,
      Wire.Counter.MEM_WRITE_BEATS -> totalWriteBeats,
      Wire.Counter.MEM_ERROR -> (failedReads + failedStores),
      Wire.Counter.ATOMICS -> expected.count(e => e.ask.isAtomic && e.status == Wire.Status.OK),
      Wire.Counter.FENCES -> expected.count(_.ask.isFence)
    ).foreach { case (counter, want) => if (events(counter) != want) fail(s"counter $counter is ${events(counter)} instead of $want") }
    if (model.readBeats != totalReadBeats || model.writeBeats != totalWriteBeats) fail("beats on the memory port differ from what the requests need")
  }
}
