package mneme.rdma

import mneme.mem.Stall
import mneme.wire.Wire.{RoceCommand, RoceResult}
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A responder between a receiver, a transmitter, a slow path and an access engine that the bench plays. */
class ResponderBench(dut: RoceResponder, random: Random, jitter: Boolean) extends RocePlayer {
  private val r = dut.r
  val door = new DoorModel(r.c, dut.io.door, random, jitter)
  private val store = Array.fill(r.slots)(new Array[Byte](64 << RoceStore.BEAT_BITS))
  private val free = mutable.Queue.from(0 until r.slots)
  private var offered = Option.empty[(Comes, Int)]
  private val toCome = mutable.Queue[Comes]()
  private val headersOut = mutable.Queue[Leaves]()
  private val beatsOut = mutable.Queue[(Array[Byte], Boolean)]()
  private val Seq(arriveStall, departStall, payloadStall) = Seq.fill(3)(new Stall(random, jitter))

  /** What has left, whole. */
  val left = mutable.ArrayBuffer[Leaves]()
  /** Payloads that were marked as damaged, by their place in `left`. */
  val damaged = mutable.Set[Int]()
  /** The transmitter takes nothing. */
  var stands = false
  private val numbers = mutable.Map[Int, Int]()
  /** Packets are departures here, and no bytes yet. */
  def seen(answer: Leaves): Leaves = answer.copy(whole = 0)
  def counted(number: Int): Long = counts(number)
  /** What was counted, by RoceCounter number. */
  val counts = mutable.Map[Int, Long]().withDefaultValue(0L)

  private def fires(stream: spinal.lib.Stream[_]): Boolean = stream.valid.toBoolean && stream.ready.toBoolean

  def start(): this.type = {
    dut.io.arrivals.valid #= false
    dut.io.orders.valid #= false
    dut.clockDomain.forkStimulus(10)
    reset()
    this
  }

  /** Everything begins anew, whatever is under way. */
  def reset(): Unit = {
    dut.clockDomain.assertReset()
    for (part <- Seq(toCome, headersOut, beatsOut)) part.clear()
    left.clear()
    numbers.clear()
    counts.clear()
    offered = None
    free.clear()
    free ++= 0 until r.slots
    dut.io.arrivals.valid #= false
    dut.io.orders.valid #= false
    dut.io.departures.ready #= false
    dut.io.payload.ready #= false
    door.reset()
    // Nothing is sampled in a reset.
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    var waited = 0
    while (!dut.io.ready.toBoolean) {
      dut.clockDomain.waitSampling()
      waited += 1
      assert(waited < 5000, "the tables are never emptied")
    }
  }

  def cycle(): Unit = {
    dut.clockDomain.waitSampling()
    val (slot, beat) = (dut.io.read.slot.toInt, dut.io.read.beat.toInt)
    door.observe()
    if (dut.io.counted.valid.toBoolean) counts(dut.io.counted.payload.toInt) += 1
    if (fires(dut.io.arrivals)) offered = None
    if (dut.io.released.valid.toBoolean) {
      val slot = dut.io.released.payload.toInt
      assert(!free.contains(slot), s"place $slot is given back twice")
      random.nextBytes(store(slot))
      free += slot
    }
    if (fires(dut.io.departures)) depart()
    if (fires(dut.io.payload)) beatsOut += ((dut.io.payload.data.toBytes, dut.io.payload.error.toBoolean))
    join()
    door.drive()
    dut.io.packet #= mneme.mem.MemoryModel.toBigInt(store(slot % r.slots).slice(beat * 64, beat * 64 + 64))
    dut.io.departures.ready #= departStall.go() && !stands
    dut.io.payload.ready #= payloadStall.go() && !stands
    if (offered.isEmpty && toCome.nonEmpty && free.nonEmpty && arriveStall.go()) offer(toCome.dequeue())
    dut.io.arrivals.valid #= offered.isDefined
  }

  private def offer(comes: Comes): Unit = {
    val slot = free.dequeue()
    val offset = 54 + 4 * random.nextInt(6)
    for (i <- 0 until comes.payload) store(slot)(offset + i) = comes.byte(i)
    val (arrival, h) = (dut.io.arrivals, dut.io.arrivals.headers)
    arrival.slot #= slot
    arrival.offset #= offset
    h.srcMac #= BigInt(48, random)
    h.srcIp #= comes.source
    h.srcPort #= random.nextInt(1 << 16)
    h.congested #= comes.congested
    h.opcode #= comes.opcode
    h.solicited #= random.nextBoolean()
    h.ackRequest #= comes.ack
    h.pad #= comes.pad
    h.pkey #= comes.pkey
    h.destQp #= comes.qpn
    h.psn #= comes.psn
    h.va #= comes.va
    h.rkey #= comes.rkey
    h.dmaLength #= comes.length
    h.swapAdd #= comes.swapAdd
    h.compare #= comes.compare
    h.immediate #= BigInt(32, random)
    h.payload #= comes.payload
    arrival.malformed #= comes.malformed
    offered = Some((comes, slot))
  }

  private def depart(): Unit = {
    val d = dut.io.departures.payload
    val number = d.destQp.toInt
    val qp = numbers.find(_._2 == number).map(_._1)
    assert(qp.isDefined, s"an answer to queue pair $number of nobody")
    val (opcode, bytes) = (d.opcode.toInt, d.payload.toInt)
    assert(!d.ackRequest.toBoolean)
    assert(bytes == 0 || (opcode >= 0x0d && opcode <= 0x10), s"$bytes bytes behind opcode $opcode")
    val aeth = opcode != 0x0e && opcode != 0x81
    headersOut += Leaves(
      qp.get,
      opcode,
      d.psn.toInt,
      if (aeth) d.syndrome.toInt else 0,
      if (aeth) d.msn.toInt else 0,
      if (opcode == 0x12) d.original.toBigInt else BigInt(0),
      bytes,
      0
    )
  }

  /** An answer is whole when its payload is here. */
  private def join(): Unit = {
    while (headersOut.nonEmpty && beatsOut.size >= (headersOut.head.bytes + 63) / 64) {
      val header = headersOut.dequeue()
      val beats = Seq.fill((header.bytes + 63) / 64)(beatsOut.dequeue())
      val bytes = beats.flatMap(_._1).toArray
      assert(bytes.drop(header.bytes).forall(_ == 0), "zeros follow a payload")
      if (beats.exists(_._2)) damaged += left.size
      left += header.copy(digest = RoceVectors.digest(bytes.take(header.bytes)))
    }
  }

  /** READs and atomics that are still to be answered. */
  def jobs: Int = dut.io.jobs.toInt

  def isQuiet: Boolean = toCome.isEmpty && offered.isEmpty && headersOut.isEmpty && beatsOut.isEmpty && door.isIdle && dut.io.rests.toBoolean

  /** Lets packets come, and waits until all is answered. */
  def settle(packets: Seq[Comes]): Seq[Leaves] = {
    left.clear()
    damaged.clear()
    begin(packets)
    var (quiet, cycles) = (0, 0)
    while (quiet < 12) {
      cycle()
      cycles += 1
      quiet = if (isQuiet) quiet + 1 else 0
      assert(cycles < 200000, s"nothing moves: ${toCome.size} packets are to come, $offered is offered, ${dut.state.toEnum}")
    }
    left.toSeq
  }
  def begin(packets: Seq[Comes]): Unit = toCome ++= packets

  private var told = QueuePairEnd(-1, 0, 0, inError = false)

  /** Of queue pairs that are made: bytes a period; 0: as can. */
  var rate = 0
  def order(command: Int)(fill: RoceOrder => Unit): Int = {
    val orders = dut.io.orders
    orders.command #= command
    orders.rate #= rate
    fill(orders.payload)
    orders.valid #= true
    var result = -1
    var taken = false
    var cycles = 0
    while (!taken) {
      cycle()
      cycles += 1
      assert(cycles < 20000, s"order $command is never taken: ${dut.state.toEnum}")
      val answer = dut.io.ordered
      if (answer.valid.toBoolean) {
        result = answer.result.toInt
        told = QueuePairEnd(-1, answer.expected.toInt, answer.msn.toInt, answer.inError.toBoolean)
      }
      taken = orders.ready.toBoolean
    }
    orders.valid #= false
    result
  }

  def create(qp: MakeQueuePair): Int = {
    numbers(qp.qpn) = qp.peerQpn
    order(RoceCommand.CREATE_QUEUE_PAIR) { o =>
      val s = o.settings
      s.qpn #= qp.qpn
      s.peerQpn #= qp.peerQpn
      s.peerIp #= qp.peer
      s.peerMac #= BigInt(48, random)
      s.srcPort #= random.nextInt(1 << 16)
      s.pkey #= qp.pkey
      s.pid #= qp.pid
      s.mtuCode #= qp.mtu
      s.hardened #= qp.hardened
      o.psn #= qp.psn
    }
  }
  def create(region: MakeRegion): Int = order(RoceCommand.CREATE_REGION) { o =>
    o.region.key #= region.key
    o.region.pid #= region.pid
    o.region.va #= region.va
    o.region.length #= region.length
    o.region.rights #= region.rights
  }
  def remove(key: Long): Int = order(RoceCommand.REMOVE_REGION)(_.region.key #= key)
  def about(command: Int, qpn: Int): Int = order(command)(_.settings.qpn #= qpn)

  def query(qpn: Int): QueuePairEnd = {
    assert(about(RoceCommand.QUERY_QUEUE_PAIR, qpn) == RoceResult.DONE)
    told.copy(qpn = qpn)
  }
}
