package mneme.mem

import mneme.{CBoardConfig, Simulation}
import mneme.chain.FrameToken
import mneme.engine.{DoorData, Operation}
import mneme.vm.Translated
import mneme.wire.Wire
import spinal.core.{Bits, ClockDomain, UInt}
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.{Flow, Stream}

import scala.collection.mutable
import scala.util.Random

/** The ports of a [[MemoryAccess]], and tokens of frames, which are its last door's. */
case class MemoryPorts(
    clock: ClockDomain,
    tokens: Stream[Translated],
    doors: Seq[DoorData],
    mem: Axi4,
    retired: Seq[UInt],
    events: Bits,
    failedRead: Flow[ReadCommand],
    epochs: Option[Seq[UInt]] = None,
    frames: Option[Stream[FrameToken]] = None
)

object MemoryPorts {
  def apply(dut: MemoryAccess): MemoryPorts =
    MemoryPorts(dut.clockDomain, dut.io.tokens, dut.io.doors.toSeq, dut.io.mem, dut.io.retired.toSeq, dut.io.events, dut.io.failedRead)
}

/** Runs lists of requests, one for each door, through [[MemoryAccess]] and compares everything that comes out with [[Reference]], which executes them in
  * the order in which they enter.
  *
  * One loop per clock cycle, no threads: the seed alone decides what happens. Throws [[BenchFailure]] at the first difference. With several doors the
  * bench tells whose a read on the memory port is by its first line: every second one, or third one, is one door's ([[MemoryBench.ofDoor]]).
  */
class MemoryBench(ports: MemoryPorts, c: CBoardConfig, windowBytes: Int, bad: BadLines, timing: Timing, seed: Int) {
  val random = new Random(seed)
  /** The window lies at the top of memory, so that no address bit is idle. */
  private val base = (BigInt(1) << c.memBits) - windowBytes
  private val initial = { val b = new Array[Byte](windowBytes); random.nextBytes(b); b }
  private val reference = new Reference(initial.clone, bad)
  private val model = new MemoryModel(ports.mem, base, initial.clone, bad, timing, random)
  model.onRead = sendRead
  model.onReadEnd = endRead

  private def fail(message: String) = throw new BenchFailure(s"cycle $cycle, seed $seed: $message")

  val sides: Seq[DoorSide] = ports.doors.zipWithIndex.map { case (port, i) => new DoorSide(c, i, port, random, timing.jitter) }.toSeq
  /** Its tokens are frames', which count for nobody. */
  private def ofFrames(door: Int): Boolean = ports.frames.isDefined && door == sides.size - 1
  private val translated = sides.indices.filterNot(ofFrames)
  /** Cycle of each token's hand-over. */
  val entered = mutable.ArrayBuffer[Long]()
  def left: mutable.ArrayBuffer[Long] = sides.head.completedAt
  def payloadAt: mutable.ArrayBuffer[(Long, Long)] = sides.head.payloadAt
  var cycle = 0L
  /** Last cycle in which anything moved. Silence for longer than all stalls together is a failure. */
  private var moved = 0L
  private val patience = 5000

  private var asks = Seq.empty[Seq[Ask]]
  private var offered: Option[Given] = None
  private val events = new Array[Int](Wire.Counter.all.size)
  private val inStalls = sides.map(_ => new Stall(random, timing.jitter))

  private var writesDue, atomicsDue, totalReadBeats, totalWriteBeats = 0
  /** Bursts of reads on the memory port, oldest first: the read, if it is its last one. */
  private val reading = mutable.Queue[Option[Given]]()
  /** The door whose read is on its way and has further bursts to send. */
  private var sending: Option[DoorSide] = None
  /** Tokens that entered, whose data came from memory, that retired: by generation. */
  private val came, readsEnded, retired = Array.fill(2)(0)
  /** The same, by the leaf unit's epoch. */
  private val cameIn, endedIn = Array.fill(2)(0)
  private val failedReads = mutable.ArrayBuffer[(Int, Int)]()

  private val watches = Seq(
    new Watch("AR", ports.mem.ar, () => (ports.mem.ar.addr.toBigInt, ports.mem.ar.len.toInt)),
    new Watch("AW", ports.mem.aw, () => (ports.mem.aw.addr.toBigInt, ports.mem.aw.len.toInt)),
    new Watch("W", ports.mem.w, () => (ports.mem.w.data.toBigInt, ports.mem.w.strb.toBigInt, ports.mem.w.last.toBoolean))
  ) ++ ports.doors.flatMap { door =>
    val completion = door.completions
    Seq(
      new Watch("completions", completion, () => (completion.context.toInt, completion.report.outcome.status.toInt, completion.report.tickResume.toInt)),
      new Watch("payload", door.payload, () => (door.payload.data.toBigInt, door.payload.error.toBoolean)),
      new Watch("fetch", door.fetch, () => (door.fetch.context.toInt, door.fetch.beat.toInt))
    )
  }

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
  def runFor(cycles: Int, asks: Seq[Ask]*): Unit = {
    begin(asks)
    if (cycles > 0) until(step())(cycle >= cycles)
  }

  /** Runs all requests to their end. */
  def run(asks: Seq[Ask]*): Unit = {
    begin(asks)
    end()
  }

  /** Runs all requests of door 0 to their end while door 1 takes nothing; then those of door 1. */
  def runBeside(asks: Seq[Ask]*): Unit = {
    begin(asks)
    sides(1).stands = true
    until {
      step()
      if (cycle > moved + patience) fail(s"door 0 stands still beside door 1: ${sides.map(_.state).mkString("; ")}")
    }(sides.head.completed >= asks.head.size && sides.head.isIdle)
    sides(1).stands = false
    end()
  }

  private def begin(asks: Seq[Seq[Ask]]): Unit = {
    this.asks = asks
    reset()
  }

  private def end(): Unit = {
    var idle = 0
    until {
      step()
      idle = if (sides.zip(asks).forall { case (side, asks) => side.completed == asks.size && side.isIdle }) idle + 1 else 0
      if (cycle > moved + patience) fail(s"stuck: ${entered.size} of ${asks.map(_.size).sum} tokens in; ${sides.map(_.state).mkString("; ")}")
    }(idle >= 20)
    compareEnd()
  }

  private def until(body: => Unit)(done: => Boolean): Unit = Simulation.cycles(ports.clock) { body; !done }

  private def step(): Unit = {
    cycle += 1
    watches.foreach(_.step())
    observe()
    model.step(cycle)
    checkRetired()
    drive()
  }

  /** Brings all inputs to rest and resets the component, whatever it was doing. */
  private def reset(): Unit = {
    model.reset()
    ports.tokens.valid #= false
    ports.frames.foreach(_.valid #= false)
    sides.foreach(_.reset())
    ports.clock.assertReset()
    ports.clock.waitActiveEdge(3)
    ports.clock.deassertReset()
    ports.clock.waitSampling()
  }

  private def observe(): Unit = {
    val raised = ports.events.toBigInt
    if (raised != 0) for (i <- events.indices if raised.testBit(i)) events(i) += 1
    for (token <- offered if (if (ofFrames(token.door)) ports.frames.get.ready else ports.tokens.ready).toBoolean) {
      entered += cycle
      moved = cycle
      if (!ofFrames(token.door)) came(token.generation) += 1
      offered = None
    }
    val acknowledged = (model.acknowledged(MemoryAccess.PLAIN_ID), model.acknowledged(MemoryAccess.ATOMIC_ID))
    for (side <- sides if side.observe(cycle, acknowledged)) moved = cycle
    val failed = ports.failedRead
    if (failed.valid.toBoolean) failedReads += (((failed.address.toBigInt - base).toInt, failed.lastByte.toInt + 1))
  }

  /** An AR of a read is the burst that its door must send next. */
  private def sendRead(from: Int, beats: Int, id: Int): Unit = if (id == MemoryAccess.PLAIN_ID) {
    moved = cycle
    val side = sending.getOrElse(sides((from >> 6) % sides.size))
    if (side.bursts.isEmpty) fail(s"a read of $beats lines at $from that nobody asked for")
    val (wantFrom, wantBeats, last) = side.bursts.dequeue()
    if ((from, beats) != (wantFrom, wantBeats)) fail(s"a read of $beats lines at $from instead of $wantBeats at $wantFrom")
    sending = Option.when(last.isEmpty)(side)
    reading += last
  }

  private def endRead(id: Int): Unit = if (id == MemoryAccess.PLAIN_ID) for (token <- reading.dequeue()) {
    sides(token.door).readsEnded += 1
    if (!ofFrames(token.door)) readsEnded(token.generation) += 1
  }

  /** A token retires once: a read in the cycle of its last R, any other in the cycle in which it enters the register of its completion. */
  private def checkRetired(): Unit = for ((count, generation) <- ports.retired.zipWithIndex) {
    ports.epochs.foreach(epochs => endedIn(generation) += epochs(generation).toInt)
    retired(generation) += count.toInt
    val least = readsEnded(generation) + completions(generation)
    val most = least + translated.map(sides(_)).count(s => s.completed < s.given.size && isOther(s.given(s.completed), generation))
    if (retired(generation) < least || retired(generation) > most)
      fail(s"${retired(generation)} tokens of generation $generation retired, $least to $most have ended")
  }

  private def isOther(token: Given, generation: Int): Boolean = token.generation == generation && !token.ask.isRead

  /** Completions so far of tokens that are no reads. */
  private val counted = sides.map(_ => Array.fill(2)(0))
  private val looked = Array.fill(sides.size)(0)
  private def completions(generation: Int): Int = translated.map { i =>
    while (looked(i) < sides(i).completed) {
      val token = sides(i).given(looked(i))
      if (!token.ask.isRead) counted(i)(token.generation) += 1
      looked(i) += 1
    }
    counted(i)(generation)
  }.sum

  private def drive(): Unit = {
    sides.foreach(_.drive())
    if (offered.isEmpty) {
      val able = sides.indices.filter(i => inStalls(i).go() && sides(i).given.size < asks(i).size && sides(i).mayOffer)
      if (able.nonEmpty) {
        val i = able(random.nextInt(able.size))
        val ask = asks(i)(sides(i).given.size)
        val moved = if (sides.size == 1) ask else MemoryBench.ofDoor(i, sides.size, ask, windowBytes)
        offer(i, if (ofFrames(i)) MemoryBench.inFrame(moved) else moved)
      }
    }
    ports.tokens.valid #= offered.exists(token => !ofFrames(token.door))
    ports.frames.foreach(_.valid #= offered.exists(token => ofFrames(token.door)))
  }

  private var generation = 0

  private def offer(door: Int, ask: Ask): Unit = {
    val want = reference.execute(ask)
    if (random.nextInt(50) == 0) generation ^= 1
    val token = sides(door).offer(want, generation, if (ofFrames(door)) _ => MemoryBench.silent else report)
    if (want.stores && ask.isWrite) writesDue += ask.spans.size
    if (want.stores && !ask.isWrite) atomicsDue += 1
    token.writesAcknowledged = if (ask.isWrite) writesDue else 0
    token.atomicsAcknowledged = if (ask.isAtomic) atomicsDue else 0
    totalReadBeats += (if (ask.isRead) ask.lines.size else if (ask.isAtomic) 1 else 0)
    totalWriteBeats += (if (ask.isWrite) ask.lines.size else if (want.stores) 1 else 0)
    if (ofFrames(door)) setFrame(token) else set(token)
    offered = Some(token)
  }

  /** Of a token that goes to memory the outcome is OK so far. */
  private def report(answered: Option[Int]): Reported = Reported(
    answered.getOrElse(Wire.Status.OK),
    BigInt(48, random),
    random.nextInt(1 << 16),
    random.nextBoolean(),
    random.nextBoolean(),
    random.nextBoolean(),
    random.nextInt(1 << 24)
  )

  private def set(token: Given): Unit = {
    val (t, ask, report) = (ports.tokens.payload, token.ask, token.report)
    val busy = ask.isRead || ask.isWrite || ask.isAtomic
    t.place #= token.door * c.contexts + token.context
    t.operation #= MemoryBench.operation(ask)
    t.fence #= ask.isFence
    // Of a token that asks for nothing they mean nothing.
    t.length #= (if (busy) ask.length else random.nextInt(1 << 16))
    t.address #= (if (busy) base + ask.address else BigInt(c.memBits, random))
    t.dataOffset #= token.dataOffset
    t.generation #= token.generation == 1
    t.report.outcome.status #= report.status
    t.report.outcome.detailVa #= report.detailVa
    t.report.outcome.detailLength #= report.detailLength
    t.report.zeros #= report.zeros
    t.report.resumed #= report.resumed
    t.report.slow #= report.slow
    t.report.tickResume #= report.tickResume
    if (t.leaf != null) {
      val epoch = random.nextInt(3)
      if (epoch > 0) cameIn(epoch - 1) += 1
      t.leaf.epoch #= epoch
      t.leaf.next #= (base + ask.address + 4096) >> 12 & ((BigInt(1) << (c.memBits - 12)) - 1)
    }
  }

  private def setFrame(token: Given): Unit = {
    val (t, ask) = (ports.frames.get.payload, token.ask)
    t.context #= token.context
    t.writes #= ask.isWrite
    t.address #= base + ask.address
    t.length #= ask.length
    t.dataOffset #= token.dataOffset
  }

  private def compareEnd(): Unit = {
    val at = reference.memory.indices.find(i => reference.memory(i) != model.memory(i))
    at.foreach(i => fail(f"memory differs at $i: 0x${model.memory(i)}%02x instead of 0x${reference.memory(i)}%02x"))
    def broken(sides: Seq[DoorSide]) =
      sides.flatMap(_.given).map(_.want.ask).filter(ask => ask.isRead && ask.lines.exists(bad.read)).map(ask => (ask.address, ask.length))
    val expected = sides.flatMap(_.given).map(_.want)
    val told = broken(translated.map(sides(_)))
    if (failedReads.sorted != told.sorted) fail(s"reads told as failed: ${failedReads.sorted}; those that met an error: ${told.sorted}")
    if (endedIn.toSeq != cameIn.toSeq && ports.epochs.isDefined) fail(s"accesses that ended by epoch: ${endedIn.toSeq}; that came: ${cameIn.toSeq}")
    for (generation <- 0 to 1 if retired(generation) != came(generation))
      fail(s"${retired(generation)} of ${came(generation)} tokens of generation $generation retired")
    val failedStores = expected.count(e => e.ask.answered.isEmpty && e.status == Wire.Status.MEMERR)
    Seq(
      Wire.Counter.MEM_READ_BEATS -> totalReadBeats,
      Wire.Counter.MEM_WRITE_BEATS -> totalWriteBeats,
      Wire.Counter.MEM_ERROR -> (broken(sides).size + failedStores),
      Wire.Counter.ATOMICS -> expected.count(e => e.ask.isAtomic && e.status == Wire.Status.OK),
      Wire.Counter.FENCES -> expected.count(_.ask.isFence)
    ).foreach { case (counter, want) => if (events(counter) != want) fail(s"counter $counter is ${events(counter)} instead of $want") }
    if (model.readBeats != totalReadBeats || model.writeBeats != totalWriteBeats) fail("beats on the memory port differ from what the requests need")
  }
}

object MemoryBench {
  def operation(ask: Ask): spinal.core.SpinalEnumElement[Operation.type] =
    if (ask.isRead) Operation.read
    else if (ask.isWrite) Operation.write
    else if (!ask.isAtomic) Operation.nothing
    else ask.opcode match {
      case Wire.Opcode.COMPARE_SWAP => Operation.compareSwap
      case Wire.Opcode.FETCH_ADD => Operation.fetchAdd
      case _ => Operation.swap
    }

  /** What is told of a frame's token that goes well. */
  private val silent = Reported(Wire.Status.OK, 0, 0, zeros = false, resumed = false, slow = false, 0)

  /** The request, moved by some lines if it is a read which begins in one of another door. */
  def ofDoor(door: Int, doors: Int, ask: Ask, windowBytes: Int): Ask = if (!ask.isRead) ask
  else {
    val moved = ask.address + 64 * (door - (ask.address >> 6) % doors)
    ask.copy(address = if (moved + ask.length <= windowBytes) moved else moved - 64 * doors)
  }

  /** As much of a request as lies in its first frame. */
  private def inFrame(ask: Ask): Ask = {
    val length = ask.length min (4096 - ask.address % 4096)
    ask.copy(length = length, payload = ask.payload.take(length))
  }
}
