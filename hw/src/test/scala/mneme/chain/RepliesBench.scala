package mneme.chain

import mneme.leaf.{LeafConfig, LeafOperation, LeafStatus}
import mneme.mem.Stall
import mneme.wire.Wire
import mneme.{CBoardConfig, Simulation}
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** What a queue pair has sent: the packet, whose it is, the whole headers' constants checked already. */
case class SentReply(pair: Int, packet: ReplyPacket, cycle: Long)

/** Gives the requester replies, answers and time, is its leaf unit, and reads what it sends. */
class RepliesBench(dut: ChainReplies, k: ChainConfig, random: Random) {
  val sent = mutable.ArrayBuffer[SentReply]()
  val failed = mutable.ArrayBuffer[(Int, ReplyFailure.E)]()
  val counts = mutable.Map[String, Int]().withDefaultValue(0)
  /** The frame of (segment, page). */
  val mapped = mutable.Map[(Int, Int), Int]()
  val peers = mutable.Map[Int, PeerSettings]()
  /** Accesses of each queue pair that go on: their frames and epochs. */
  private val accesses = mutable.Map[Int, mutable.ArrayBuffer[(Int, Boolean)]]()
  def open: Int = accesses.values.map(_.size).sum
  /** Look-ups, of pages that have been sent and of others. */
  var looks = 0
  /** Nobody takes departures. */
  var keepsDepartures = false
  var failsLooks = false
  var now = 0L
  /** `answers` are given. */
  var drives = false
  private var slow = 0
  private var answerIn = -1
  private var asked: (Int, Int) = _
  private var asker = 0
  private var stall: Stall = _
  private val events = dut.io.events.elements.map { case (name, event) => name -> event.asInstanceOf[spinal.core.Bool] }

  def start(): Unit = {
    dut.clockDomain.forkStimulus(10)
    reset()
  }

  /** `slow`: cycles that the leaf unit may take. */
  def reset(stalls: Boolean = false, slow: Int = 0, planted: Option[ReplyFault.Value] = None): Unit = {
    this.slow = slow
    stall = new Stall(random, stalls)
    dut.plantedFaults.foreach(_ #= planted.map(fault => BigInt(1) << fault.id).getOrElse(BigInt(0)))
    dut.io.commands.valid #= false
    dut.io.posts.valid #= false
    dut.io.acks.valid #= false
    dut.io.notified.valid #= false
    dut.io.departures.ready #= false
    dut.io.looks.ready #= false
    dut.io.looked.valid #= false
    dut.io.time #= 0
    dut.io.roomOf #= 0
    dut.clockDomain.assertReset()
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    for (map <- Seq(mapped, peers, accesses)) map.clear()
    sent.clear()
    failed.clear()
    counts.clear()
    looks = 0
    keepsDepartures = false
    cap = Wire.ROCE_RATE_LINE
    answerIn = -1
    failsLooks = false
    drives = false
    answers.clear()
    now = 0
    cycle()
    settle()
  }

  private def step(): Unit = {
    now += 1
    for ((name, event) <- events if event.toBoolean) counts(name) += 1
    if (dut.io.failed.valid.toBoolean) failed += ((dut.io.failed.pair.toInt, dut.io.failed.why.toEnum))
    if (dut.io.departures.valid.toBoolean && dut.io.departures.ready.toBoolean) departed()
    dut.io.departures.ready #= !keepsDepartures && stall.go()
    if (drives) answer()
    // The leaf unit.
    if (dut.io.looked.valid.toBoolean && dut.io.looked.ready.toBoolean) dut.io.looked.valid #= false
    if (dut.io.looks.valid.toBoolean && dut.io.looks.ready.toBoolean) {
      val ask = dut.io.looks
      assert(ask.operation.toEnum == LeafOperation.LOOK && ask.begins.toBoolean && ask.pages.toInt == 1)
      assert(!ask.rights.read.toBoolean && !ask.rights.write.toBoolean && !ask.rights.atomic.toBoolean)
      asked = (ask.segment.toInt, ask.page.toInt)
      asker = ask.pid.toInt - RepliesBench.PID
      assert(peers.get(asker).exists(_.segment == asked._1))
      looks += 1
      answerIn = random.nextInt(slow + 1)
    }
    dut.io.looks.ready #= answerIn < 0 && !dut.io.looked.valid.toBoolean && stall.go()
    if (answerIn == 0) {
      val frame = mapped.get(asked).filter(_ != 0)
      val epoch = random.nextBoolean()
      dut.io.looked.valid #= true
      dut.io.looked.status #= (if (failsLooks) LeafStatus.FAILED else if (frame.isDefined) LeafStatus.DONE else LeafStatus.UNMAPPED)
      val number: Int = frame.getOrElse(0)
      dut.io.looked.frame #= number
      dut.io.looked.epoch #= epoch
      if (!failsLooks) frame.foreach(begins(asker, _, epoch))
    }
    if (answerIn >= 0) answerIn -= 1
  }

  /** Answers that come one after the other, whatever else goes on. */
  val answers = mutable.Queue[Acks]()
  private def answer(): Unit = {
    val to = dut.io.acks
    if (to.valid.toBoolean && to.ready.toBoolean) to.valid #= false
    else if (!to.valid.toBoolean && answers.nonEmpty && random.nextInt(3) == 0) {
      val ack = answers.dequeue()
      to.pair #= ack.pair
      to.psn #= ack.psn
      to.syndrome #= ack.syndrome
      to.valid #= true
    }
  }

  private def begins(pair: Int, frame: Int, epoch: Boolean): Unit = accesses.getOrElseUpdate(pair, mutable.ArrayBuffer()) += ((frame, epoch))

  /** A packet is of a frame to which an access goes on, and ends no other one's. */
  private def checkAccess(): Unit = {
    val d = dut.io.departures
    val own = accesses.getOrElseUpdate(d.pair.toInt, mutable.ArrayBuffer())
    val reads = d.sends.toBoolean && d.source.toEnum == ReplySource.FRAME
    val frame = d.frame.toInt
    if (reads) assert(own.exists(_._1 == frame), s"bytes of frame $frame without an access")
    if (d.ends.toBoolean) {
      val at = own.indexWhere(access => access._2 == d.epoch.toBoolean && (!reads || access._1 == frame))
      assert(at >= 0, "an access ends that does not go on")
      own.remove(at)
    }
  }

  private def departed(): Unit = {
    val d = dut.io.departures
    checkAccess()
    if (d.sends.toBoolean) {
      val h = d.packet
      val opcode = h.opcode.toInt
      // Queue pairs of the bench have different peers.
      val (pair, peer) = peers.find(_._2.qpn == h.destQp.toInt).getOrElse(fail(s"a packet to nobody: ${h.destQp.toInt}"))
      assert((h.dstMac.toLong, h.dstIp.toLong, h.srcPort.toInt, h.pkey.toInt) == ((peer.mac, peer.ip, peer.port, 0xffff)))
      val (hasReth, hasImmediate) = (Seq(6, 10, 11).contains(opcode), Seq(9, 11).contains(opcode))
      def reth[T](value: T, none: T): T = if (hasReth) value else none
      val source = d.source.toEnum
      val (number, place, offset) =
        if (source == ReplySource.FRAME) (0, BigInt(d.frame.toInt), d.offset.toInt)
        else if (source == ReplySource.ZEROS) (1, BigInt(0), 0)
        else (2, RepliesBench.swapped(d.word.toBigInt), 0)
      sent += SentReply(
        pair,
        ReplyPacket(
          opcode,
          h.psn.toInt,
          h.ackRequest.toBoolean,
          reth(d.va.toBigInt, BigInt(0)),
          reth(d.rkey.toLong, 0L),
          reth(d.length.toLong.toInt, 0),
          if (hasImmediate) d.immediate.toLong else 0,
          h.payload.toInt,
          number,
          place,
          offset
        ),
        now
      )
    }
  }

  def cycle(cycles: Int = 1): Unit = {
    val end = now + cycles
    until(cycles, "")(now >= end)
  }

  private def until(most: Int, what: => String)(done: => Boolean): Unit = {
    var left = most
    Simulation.cycles(dut.clockDomain) {
      step()
      left -= 1
      val goesOn = !done
      if (left < 0 && goesOn) fail(what)
      goesOn
    }
  }

  /** Nothing goes on any more. The first cycles are those in which it begins. */
  def settle(): Unit = {
    cycle(4)
    until(200000, "the requester does not come to rest")(dut.io.idle.toBoolean && answerIn < 0)
  }

  /** Of queue pairs that are made, in bytes a period. */
  var cap: Int = Wire.ROCE_RATE_LINE
  private def create(command: Creates): Unit = {
    val to = dut.io.commands
    to.creates #= true
    to.pair #= command.pair
    to.psn #= command.psn
    to.cap #= cap
    val peer = command.peer
    to.peer.mac #= peer.mac
    to.peer.ip #= peer.ip
    to.peer.qpn #= peer.qpn
    to.peer.srcPort #= peer.port
    to.peer.mtu #= peer.mtu
    to.peer.timeout #= peer.timeout
    to.peer.segment #= peer.segment
    to.peer.pid #= RepliesBench.PID + command.pair
    to.peer.share #= peer.share
    peers(command.pair) = peer
  }
  private def commanded(): Unit = {
    dut.io.commands.valid #= true
    until(20000, "a command is not done")(dut.io.commands.ready.toBoolean)
    dut.io.commands.valid #= false
  }

  /** What a program's line says. What it causes may come later. */
  def does(step: ReplyStep): Unit = step match {
    case Maps(segment, page, frame) => mapped((segment, page)) = frame
    case command: Creates =>
      create(command)
      commanded()
    case Destroys(pair) =>
      dut.io.commands.creates #= false
      dut.io.commands.pair #= pair
      commanded()
    case Posts(pair, reply) =>
      assert(room(pair) >= 1, s"room for a reply of queue pair $pair")
      post(pair, reply, held = dut.io.quiet.toBoolean)
    case Full(pair, replies) => assert(room(pair) < replies, s"no room for $replies replies of queue pair $pair")
    case Acks(pair, psn, syndrome) => acknowledge(pair, psn, syndrome)
    case Time(ticks) => dut.io.time #= (ticks & ((1L << ChainConfig.TIME_BITS) - 1)).toInt
    case _ => fail(s"$step is nothing to be done")
  }

  def room(pair: Int): Int = {
    dut.io.roomOf #= pair
    cycle(2)
    dut.io.room.toInt
  }

  /** Whether a page would be sent at once. */
  def quiet(pair: Int): Boolean = {
    room(pair)
    dut.io.quiet.toBoolean
  }

  /** `held`: an access has begun to its page. */
  def offer(pair: Int, reply: PostedReply, held: Boolean): Unit = {
    val to = dut.io.posts
    val epoch = random.nextBoolean()
    val begun = held && !reply.word
    to.pair #= pair
    to.held #= begun
    to.reply.word #= reply.word
    to.reply.immediate #= reply.immediate
    to.reply.page #= reply.page
    to.reply.va #= reply.va
    to.reply.rkey #= reply.rkey
    to.reply.data #= (if (reply.word) RepliesBench.swapped(reply.magic) else BigInt(reply.frame) | BigInt(if (epoch) 1 else 0) << k.l.frameBits)
    to.valid #= true
    if (begun) begins(pair, reply.frame, epoch)
  }
  def post(pair: Int, reply: PostedReply, held: Boolean): Unit = {
    offer(pair, reply, held)
    until(200000, "a reply is not taken")(dut.io.posts.ready.toBoolean)
    dut.io.posts.valid #= false
  }

  def acknowledge(pair: Int, psn: Int, syndrome: Int): Unit = {
    dut.io.acks.pair #= pair
    dut.io.acks.psn #= psn
    dut.io.acks.syndrome #= syndrome
    dut.io.acks.valid #= true
    until(200000, "an answer is not taken")(dut.io.acks.ready.toBoolean)
    dut.io.acks.valid #= false
  }

  /** Congestion notifications of its peer. */
  def notify(pair: Int, times: Int): Unit = for (_ <- 0 until times) {
    dut.io.notified.payload #= pair
    dut.io.notified.valid #= true
    cycle()
    dut.io.notified.valid #= false
    cycle(8)
  }

  /** Cycles from a reply's offer to its first packet's. */
  def latency(pair: Int, reply: PostedReply): Int = {
    val held = quiet(pair)
    val from = now
    offer(pair, reply, held)
    val before = sent.size
    var taken = false
    until(200, "no packet comes") {
      if (!taken && dut.io.posts.ready.toBoolean) {
        taken = true
        dut.io.posts.valid #= false
      }
      sent.size > before
    }
    (sent.last.cycle - from).toInt
  }
}

object RepliesBench {
  /** By its process a look-up tells whose it is: queue pair 0 is of this one, 1 of the next one, and so on. */
  private val PID = 0x100

  /** As the golden model's programs have it; and as many of everything as a board has. */
  val small: ChainConfig = ChainConfig(LeafConfig(CBoardConfig.sim, segments = 8), pairs = 8)
  val whole: ChainConfig = ChainConfig(LeafConfig(CBoardConfig.sim))

  /** Eight bytes the other way round: programs have the first one highest. */
  def swapped(word: BigInt): BigInt = (0 until 8).foldLeft(BigInt(0))((sum, i) => sum << 8 | (word >> (8 * i)) & 0xff)

  def play(b: RepliesBench, program: ReplyProgram, until: Int = Int.MaxValue): Unit =
    for ((step, i) <- program.steps.take(until).zipWithIndex) {
      val what = s"program ${program.seed}, step $i"
      step match {
        case Looked(count) => assert(b.looks >= count && b.counts("looked") == count, what)
        case Settled(packets, failed, open) =>
          b.settle()
          val got = b.sent.toSeq.groupMap(_.pair)(_.packet)
          for (pair <- (packets.keySet ++ got.keySet).toSeq.sorted) {
            val (want, has) = (packets.getOrElse(pair, Nil), got.getOrElse(pair, Nil))
            for (((w, h), n) <- want.zip(has).zipWithIndex) assert(h == w, s"$what, queue pair $pair, packet $n")
            if (has.size != want.size) fail(s"$what, queue pair $pair: ${has.size} packets instead of ${want.size}")
          }
          assert(b.failed.map(_._1).toSet == failed, what)
          assert(b.open == open, s"$what: accesses go on")
          b.sent.clear()
          b.failed.clear()
        case step => b.does(step)
      }
    }
}
