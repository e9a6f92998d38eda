package mneme.chain

import mneme.Simulation
import mneme.leaf.LeafOperation
import mneme.mem.{BadLines, MemoryModel, Stall, Timing}
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A packet that comes: what the responder looks at, and its payload. */
case class Packet(
    qpn: Int,
    source: Long,
    opcode: Int,
    psn: Int,
    payload: Seq[Byte] = Nil,
    asks: Boolean = true,
    congested: Boolean = false,
    pkey: Int = 0xffff,
    malformed: Boolean = false,
    bytes: Int = 0,
    immediate: Long = 0
)
case class SentAnswer(pair: Int, opcode: Int, psn: Int, syndrome: Int, msn: Int)
case class PairSettings(
    qpn: Int,
    peerQpn: Int,
    peer: Long,
    code: Int,
    first: Int,
    reply: Int,
    function: Int,
    immediate: Boolean,
    signal: Boolean,
    tellEmpty: Boolean,
    segment: Int,
    hardened: Boolean,
    length: Int,
    keyed: Boolean,
    key: BigInt,
    base: BigInt,
    rows: Seq[(Int, Int)],
    rate: Long = 0
)

/** Gives the responder packets out of a store, and is everything around it but what `ChainSide` has. */
class ArrivalBench(dut: ChainSide, k: ChainConfig, slots: Int, random: Random) {
  val frames = new FrameMemory(dut.io.frames, random)
  val sent = mutable.ArrayBuffer[SentAnswer]()
  val posted = mutable.Map[Int, mutable.ArrayBuffer[UnitReply]]().withDefault(_ => mutable.ArrayBuffer())
  val counts = mutable.Map[Int, Int]().withDefaultValue(0)
  val events = mutable.Map[String, Int]().withDefaultValue(0)
  val answered = mutable.Queue[(ChainResult.E, Int, Int, Boolean, Boolean)]()
  val peers = mutable.Map[Int, Int]()
  var now = 0L
  /** Nobody takes departures; nobody takes packets of replies. */
  var (keepsDepartures, keepsReplies) = (false, false)
  /** Packets of replies that have left. */
  var replied = 0
  /** Cycles in which the last packet was offered first, the last answer left, and the last reply was posted. */
  var (offeredAt, sentAt, postedAt) = (0L, 0L, 0L)

  private var memory: MemoryModel = _
  private val bytes = new Array[Byte](1 << k.l.c.memBits)
  private val store = Array.fill(slots)(new Array[Byte](64 * 66))
  private val free = mutable.Queue[Int]()
  private val queue = mutable.Queue[Packet]()
  private var slot = 0
  private var stall: Stall = _
  private val named = (dut.io.events.elements ++ dut.io.done.elements).map { case (name, event) => name -> event.asInstanceOf[spinal.core.Bool] }
  /** Of the places of packets that have come: nobody has given one back twice. */
  private val held = mutable.Set[Int]()

  def start(): Unit = {
    dut.clockDomain.forkStimulus(10)
    reset()
  }

  def reset(stalls: Boolean = false, planted: Option[ChainArrivalFault.Value] = None): Unit = {
    dut.plantedFaults.foreach(_ #= planted.map(fault => BigInt(1) << fault.id).getOrElse(BigInt(0)))
    for (valid <- Seq(dut.io.arrivals.valid, dut.io.orders.valid, dut.io.request.valid)) valid #= false
    for (ready <- Seq(dut.io.read.ready, dut.io.released.ready, dut.io.departures.ready, dut.io.leaves)) ready #= false
    dut.io.answer.ready #= true
    dut.io.time #= 0
    stall = new Stall(random, stalls)
    keepsDepartures = false
    keepsReplies = false
    replied = 0
    frames.reset(stalls)
    java.util.Arrays.fill(bytes, 0, 1 << 20, 0.toByte)
    memory = new MemoryModel(dut.io.mem, 0, bytes, new BadLines(), Timing(5, jitter = stalls), random)
    memory.reset()
    dut.clockDomain.assertReset()
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    for (map <- Seq(posted, counts, events, peers)) map.clear()
    for (list <- Seq(sent)) list.clear()
    for (waiting <- Seq(queue, answered, free)) waiting.clear()
    held.clear()
    free ++= 0 until slots
    dut.clockDomain.waitSampling()
    until(5000, "the tables are not emptied")(dut.io.ready.toBoolean)
    command(LeafOperation.RING, segment = 0, page = 3, line = 0x400)
  }

  private def step(): Unit = {
    now += 1
    memory.step(now)
    frames.step()
    if (dut.io.counted.valid.toBoolean) counts(dut.io.counted.payload.toInt) += 1
    for ((name, event) <- named if event.toBoolean) events(name) += 1
    if (dut.io.ordered.valid.toBoolean) {
      val a = dut.io.ordered
      answered += ((a.result.toEnum, a.expected.toInt, a.msn.toInt, a.inError.toBoolean, a.running.toBoolean))
    }
    if (dut.io.posted.valid.toBoolean) post()
    if (dut.io.leaving.toBoolean) replied += 1
    dut.io.leaves #= stall.go() && !keepsReplies
    // The store. Where nobody has asked for anything the bytes are any.
    if (dut.io.read.valid.toBoolean && dut.io.read.ready.toBoolean) {
      val (of, beat) = (dut.io.read.slot.toInt, dut.io.read.beat.toInt)
      dut.io.packet #= MemoryModel.toBigInt(store(of).slice(64 * beat, 64 * beat + 64))
    } else dut.io.packet.randomize()
    dut.io.read.ready #= stall.go()
    if (dut.io.released.valid.toBoolean && dut.io.released.ready.toBoolean) {
      val back = dut.io.released.payload.toInt
      assert(held.remove(back), "a place is given back that nobody has")
      random.nextBytes(store(back))
      free += back
    }
    dut.io.released.ready #= stall.go()
    if (dut.io.departures.valid.toBoolean && dut.io.departures.ready.toBoolean) depart()
    dut.io.departures.ready #= stall.go() && !keepsDepartures
    offer()
  }

  private def depart(): Unit = {
    val d = dut.io.departures
    val pair = peers.getOrElse(d.destQp.toInt, fail(s"a packet to nobody: ${d.destQp.toInt}"))
    val opcode = d.opcode.toInt
    assert((
      d.dstMac.toLong,
      d.srcPort.toInt,
      d.pkey.toInt,
      d.payload.payload.toInt,
      d.ackRequest.toBoolean
    ) == ((0x1000 + pair, 0xc000 + pair, 0xffff, 0, false)))
    sent += SentAnswer(pair, opcode, d.psn.toInt, d.syndrome.toInt, d.msn.toInt)
    sentAt = now
  }

  private def post(): Unit = {
    val reply = dut.io.posted.reply
    val word = reply.word.toBoolean
    val magic = if (word) RepliesBench.swapped(reply.data.toBigInt) else BigInt(0)
    posted.getOrElseUpdate(dut.io.posted.pair.toInt, mutable.ArrayBuffer()) +=
      UnitReply(word, reply.page.toInt, reply.va.toBigInt, reply.rkey.toLong, reply.immediate.toBoolean, magic)
    postedAt = now
  }

  private def offer(): Unit = {
    val to = dut.io.arrivals
    if (to.valid.toBoolean && to.ready.toBoolean) to.valid #= false
    if ((!to.valid.toBoolean || to.ready.toBoolean) && queue.nonEmpty && free.nonEmpty && stall.go()) {
      val p = queue.dequeue()
      slot = free.dequeue()
      held += slot
      val h = to.headers
      h.destQp #= p.qpn
      h.srcIp #= p.source
      h.opcode #= p.opcode
      h.ackRequest #= p.asks
      h.congested #= p.congested
      h.pkey #= p.pkey
      h.psn #= p.psn
      h.payload #= (if (p.payload.nonEmpty) p.payload.size else p.bytes)
      h.immediate #= p.immediate
      to.malformed #= p.malformed
      to.slot #= slot
      to.offset #= (if (p.opcode == 3 || p.opcode == 5) 58 else 54)
      p.payload.copyToArray(store(slot), 54)
      to.valid #= true
      offeredAt = now
    }
  }

  def until(most: Int, what: => String)(done: => Boolean): Unit = {
    var left = most
    Simulation.cycles(dut.clockDomain) {
      step()
      left -= 1
      val goesOn = !done
      if (left < 0 && goesOn) fail(what)
      goesOn
    }
  }
  def rest(cycles: Int): Unit = {
    val end = now + cycles
    until(cycles, "")(now >= end)
  }

  private def isQuiet: Boolean = queue.isEmpty && !dut.io.arrivals.valid.toBoolean && dut.io.rests.toBoolean && frames.isIdle
  /** Nothing goes on any more. */
  def settle(): Unit = {
    var quiet = 0
    until(400000, "the responder does not come to rest") {
      quiet = if (isQuiet) quiet + 1 else 0
      quiet > 6
    }
    assert(held.isEmpty || held.size == free.size - slots, "a place is lost")
  }

  def give(packet: Packet): Unit = queue += packet

  // --- The slow path.
  def command(operation: LeafOperation.E, segment: Int, page: Int, pages: Int = 0, line: Int = 0, pid: Int = 0, rights: Int = 7): (String, Int) = {
    val to = dut.io.request
    to.operation #= operation
    to.segment #= segment
    to.pid #= pid
    to.rights.read #= (rights & 1) != 0
    to.rights.write #= (rights & 2) != 0
    to.rights.atomic #= (rights & 4) != 0
    to.page #= page
    to.pages #= pages
    to.line #= line
    for (flag <- Seq(to.begins, to.first, to.whole, to.also)) flag #= false
    to.filler #= 0
    to.valid #= true
    until(20000, "the leaf unit takes no command")(to.ready.toBoolean)
    to.valid #= false
    var answer = ("", 0)
    until(20000, "the leaf unit does not answer") {
      val done = dut.io.answer.valid.toBoolean
      if (done) answer = (dut.io.answer.status.toEnum.getName(), dut.io.answer.frame.toInt)
      done
    }
    answer
  }
  /** Frames that may be taken, or will be. */
  def free(settles: Int = 300): (Int, Int) = {
    rest(settles)
    (dut.io.usable.toInt, dut.io.waiting.toInt)
  }

  private def order(what: ChainCommand.E, qpn: Int)(rest: => Unit = ()): (ChainResult.E, Int, Int, Boolean, Boolean) = {
    val to = dut.io.orders
    to.command #= what
    to.pair.qpn #= qpn
    rest
    to.valid #= true
    until(100000, "a command is not done")(to.ready.toBoolean)
    to.valid #= false
    answered.dequeue()
  }
  def create(s: PairSettings): ChainResult.E = {
    val place = s.qpn % k.pairs
    peers(s.peerQpn) = place
    posted.remove(place)
    val to = dut.io.orders
    order(ChainCommand.CREATE, s.qpn) {
      to.pair.peerQpn #= s.peerQpn
      to.pair.peerIp #= s.peer
      to.pair.peerMac #= 0x1000 + place
      to.pair.srcPort #= 0xc000 + place
      to.pair.mtuCode #= s.code
      to.pair.hardened #= s.hardened
      to.pair.length #= s.length
      to.psn #= s.first
      to.firstReply #= s.reply
      for ((row, i) <- to.rows.zipWithIndex) {
        val (end, field) = if (i < s.rows.size) s.rows(i) else (random.nextInt(8192), random.nextInt(8))
        row.field #= field
        row.end #= end
        row.last #= (if (i < s.rows.size) i + 1 == s.rows.size else random.nextBoolean())
      }
      to.secrets.keyed #= s.keyed
      to.secrets.key #= s.key
      to.secrets.base #= s.base
      val own = to.settings
      own.function #= ChainFunction.elements(s.function)
      own.immediate #= s.immediate
      own.signal #= s.signal
      own.tellEmpty #= s.tellEmpty
      own.segment #= s.segment
      own.pid #= 7 + s.segment
      own.filler #= 0
      to.timeout #= 15
      to.rate #= s.rate
    }._1
  }
  def destroy(qpn: Int, stays: Boolean = false): ChainResult.E = order(if (stays) ChainCommand.END else ChainCommand.DESTROY, qpn)()._1
  /** Expected number, MSN, whether in error, whether a message runs. */
  def query(qpn: Int): (ChainResult.E, Int, Int, Boolean, Boolean) = order(ChainCommand.QUERY, qpn)()
}
