package mneme.chain

import mneme.leaf.{LeafAnswer, LeafRequest, LeafStatus}
import mneme.mem._
import mneme.net.CountedBeat
import mneme.rdma.RoceReference._
import mneme.rdma.{RoceDeparture, RoceLocal, RocePacket, RoceTraffic, RoceTransmit}
import mneme.wire.Wire
import mneme.{MemoryBus, Simulation}
import org.scalatest.Assertions._
import spinal.core.{assert => _, _}
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4

import scala.collection.mutable
import scala.util.Random

/** Replies from their post to whole frames, with memory access behind a door of frames as a board has it. */
case class ReplyFrames(k: ChainConfig) extends Component {
  private val c = k.l.c
  private val m = c.inMemory
  val replies = ChainReplies(k)
  val reader = ReplyReader(k)
  val turns = SenderTurns()
  val transmit = RoceTransmit(writes = true)
  val entrance = FrameEntrance(c)
  val access = new MemoryAccess(m)
  val io = new Bundle {
    val commands = slave(Stream(ReplyCommand(k)))
    val posts = slave(Stream(ReplyPost(k)))
    val acks = slave(Stream(ReplyAck(k)))
    val time = in UInt (ChainConfig.TIME_BITS bits)
    val idle = out Bool ()
    val looks = master(Stream(LeafRequest(k.l)))
    val looked = slave(Stream(LeafAnswer(k.l)))
    val roomOf = in UInt (k.pairBits bits)
    val quiet = out Bool ()
    val ends = master(Flow(Bool()))
    val failed = master(Flow(UInt(k.pairBits bits)))
    val frames = master(Stream(CountedBeat()))
    val mem = master(Axi4(MemoryBus.config(c)))
  }
  replies.io.commands << io.commands
  replies.io.posts << io.posts
  replies.io.acks << io.acks
  replies.io.notified.valid := False
  replies.io.notified.payload := 0
  replies.io.time := io.time
  replies.io.roomOf := io.roomOf
  io.quiet := replies.io.quiet
  io.looks << replies.io.looks
  replies.io.looked << io.looked
  io.idle := replies.io.idle && reader.io.idle
  reader.io.departures << replies.io.departures
  io.ends << reader.io.ends
  io.failed << reader.io.failed
  turns.io.replies << reader.io.packets
  turns.io.replied << reader.io.payload
  private def nothing(streams: Stream[_ <: Data]*): Unit = for (stream <- streams) {
    stream.valid := False
    stream.payload.assignFromBits(B(0, widthOf(stream.payload) bits))
  }
  nothing(turns.io.answers, turns.io.acknowledges, turns.io.answered, entrance.io.translated)
  transmit.io.departures << turns.io.departures
  transmit.io.payload << turns.io.payload
  transmit.io.local.mac := B(RoceTraffic.mac, 48 bits)
  transmit.io.local.ip := B(RoceTraffic.ip, 32 bits)
  io.frames << transmit.io.frames
  entrance.io.frames << reader.io.frames.tokens
  access.io.tokens << entrance.io.tokens.m2sPipe()
  reader.io.frames.data <> access.io.doors.last
  for (door <- access.io.doors.init) {
    door.completions.ready := True
    door.payload.ready := True
    door.fetch.ready := True
    door.fetched.valid := False
    door.fetched.payload := 0
    door.operands := 0
  }
  io.mem <> access.io.mem
}

/** A reply as the bench posts it. */
case class Posted(pair: Int, word: Boolean, immediate: Boolean, page: Int, va: BigInt, rkey: BigInt, data: BigInt)

/** Posts replies, acknowledges them, and compares each frame with the one that the standards have. `bad` are lines that memory does not give; `line`: of 16
  * cycles, those in which nothing is taken.
  */
class ReplyFramesBench(dut: ReplyFrames, k: ChainConfig, r: Random, timing: Timing, line: Int, bad: Set[Int]) {
  import dut.io
  private val frames = 16
  private val base = BigInt(1) << 20
  private val bytes = { val all = new Array[Byte](frames * 4096); r.nextBytes(all); all }
  private val model = new MemoryModel(io.mem, base, bytes, BadLines(unreadable = bad), timing, r)
  private case class Peer(mtu: Int, mac: BigInt, ip: BigInt, qpn: Int, port: Int) { var psn = 0; var unanswered = 0 }
  private val peers = mutable.Map[Int, Peer]()
  private val posts = mutable.Queue[Posted]()
  /** By queue pair: frames to come; the last number of each reply; pairs that are told to have failed. */
  private val due = mutable.Map[Int, mutable.Queue[Bytes]]()
  private val lasts = mutable.Map[Int, mutable.Queue[Int]]()
  private val acks = mutable.Queue[(Int, Int, Int)]()
  private val broken, failed = mutable.ArrayBuffer[Int]()
  private val (begun, ended) = (Array(0, 0), Array(0, 0))
  private var (cycle, offeredPost, offeredAck) = (0, false, false)
  /** The next post's queue pair has been asked about for so many cycles. */
  private var asked = 0
  /** Of a look-up: when it is answered, and the page. */
  private var looking = Option.empty[(Int, Int)]
  private val frame = mutable.ArrayBuffer[Int]()
  /** Cycles in which posts come, of frames' first and last beats. */
  val posted, first, last = mutable.ArrayBuffer[Int]()
  var damaged = 0

  io.commands.valid #= false
  io.posts.valid #= false
  io.acks.valid #= false
  io.looks.ready #= false
  io.looked.valid #= false
  io.roomOf #= 0
  io.frames.ready #= false
  io.time #= 0
  dut.clockDomain.forkStimulus(10)
  model.reset()
  dut.clockDomain.waitSampling(5)

  def create(pair: Int, mtu: Int): Unit = {
    val peer = Peer(mtu, BigInt(48, r), BigInt(32, r), r.nextInt(1 << 24), r.nextInt(1 << 16))
    peers(pair) = peer
    due(pair) = mutable.Queue()
    lasts(pair) = mutable.Queue()
    // Near its wrap.
    peer.psn = (1 << 24) - 1 - r.nextInt(20)
    val command = io.commands.payload
    command.creates #= true
    command.pair #= pair
    command.psn #= peer.psn
    command.cap #= Wire.ROCE_RATE_LINE
    val to = command.peer
    to.mac #= peer.mac
    to.ip #= peer.ip
    to.qpn #= peer.qpn
    to.srcPort #= peer.port
    to.mtu #= mtu
    to.timeout #= 15
    to.segment #= 1
    to.pid #= 7
    to.share #= pair
    io.commands.valid #= true
    step(io.commands.ready.toBoolean)
    io.commands.valid #= false
  }

  def post(one: Posted): Unit = {
    posts += one
    val peer = peers(one.pair)
    val size = if (one.word) 8 else 256 << peer.mtu
    val count = if (one.word) 1 else 4096 / size
    for (i <- 0 until count) {
      val (begins, ends) = (i == 0, i == count - 1)
      val immediate = ends && one.immediate
      val opcode = if (begins && ends) 0x0a + (if (immediate) 1 else 0) else if (begins) 0x06 else if (ends) 0x08 + (if (immediate) 1 else 0) else 0x07
      val reth = if (begins) number(one.va, 8) ++ number(one.rkey, 4) ++ number(if (one.word) 8 else 4096, 4) else Nil
      val at = frameOf(one.page) * 4096 + i * size
      val payload = if (one.word) number(one.data, 8).reverse else bytes.slice(at, at + size).map(_ & 0xff).toSeq
      val packet = RocePacket(
        peer.mac,
        RoceTraffic.mac,
        peer.ip,
        RoceTraffic.ip,
        srcPort = peer.port,
        opcode = opcode,
        destQp = peer.qpn,
        ack = if (ends || i % 8 == 7) 0x80 else 0,
        psn = peer.psn,
        extension = reth ++ (if (immediate) number(one.page, 4) else Nil),
        payload = payload
      )
      due(one.pair) += packet.bytes
      if (ends) lasts(one.pair) += peer.psn
      if (!one.word && (at / 64 until (at + size) / 64).exists(bad)) broken += one.pair
      peer.psn = (peer.psn + 1) & 0xffffff
    }
  }

  private def frameOf(page: Int): Int = page % frames
  /** An access begins; its epoch. */
  private def begins(): Boolean = {
    val epoch = r.nextBoolean()
    begun(if (epoch) 1 else 0) += 1
    epoch
  }
  /** The leaf unit, as long as the real one takes for a page whose line it has. */
  private def look(): Unit = {
    if (io.looked.valid.toBoolean && io.looked.ready.toBoolean) io.looked.valid #= false
    if (io.looks.valid.toBoolean && io.looks.ready.toBoolean) looking = Some((cycle + ReplyFrames.LOOK, io.looks.page.toInt))
    io.looks.ready #= looking.isEmpty
    for ((at, page) <- looking if at <= cycle) {
      looking = None
      io.looked.valid #= true
      io.looked.status #= LeafStatus.DONE
      io.looked.frame #= (base >> 12) + frameOf(page)
      io.looked.epoch #= begins()
    }
  }

  private def take(): Unit = {
    if (frame.isEmpty) first += cycle
    val (data, count, ends) = (io.frames.data.toBigInt, io.frames.lastByte.toInt + 1, io.frames.last.toBoolean)
    frame ++= (0 until count).map(i => ((data >> (8 * i)) & 0xff).toInt)
    if (ends) {
      last += cycle
      val pair = peers.find(_._2.qpn == read(frame.toSeq, 47, 3).toInt).get._1
      val want = due(pair).dequeue()
      val isDamaged = io.frames.user.toInt == 1
      if (isDamaged) {
        damaged += 1
        // What memory did not give is anything, but the ICRC is wrong.
        assert(frame.size == want.size && icrc(frame.dropRight(4).toSeq) != frame.takeRight(4).toSeq)
      } else assert(frame.toSeq == want, s"a frame of queue pair $pair, opcode ${frame(42).toHexString}")
      val psn = read(frame.toSeq, 51, 3).toInt
      if (lasts(pair).headOption.contains(psn)) {
        lasts(pair).dequeue()
        acks += ((cycle + 20 + (if (line > 0) r.nextInt(200) else 0), pair, psn))
      }
      frame.clear()
    }
  }

  /** A cycle; whether `ready` was seen. */
  private def step(ready: => Boolean = true): Unit = Simulation.cycles(dut.clockDomain) {
    cycle += 1
    val seen = ready
    observe()
    model.step(cycle)
    drive()
    !seen
  }

  private def observe(): Unit = {
    look()
    if (io.frames.valid.toBoolean && io.frames.ready.toBoolean) take()
    if (io.ends.valid.toBoolean) ended(if (io.ends.payload.toBoolean) 1 else 0) += 1
    if (io.failed.valid.toBoolean) failed += io.failed.payload.toInt
    if (offeredPost && io.posts.ready.toBoolean) {
      peers(posts.dequeue().pair).unanswered += 1
      offeredPost = false
    }
    if (offeredAck && io.acks.ready.toBoolean) {
      peers(acks.dequeue()._2).unanswered -= 1
      offeredAck = false
    }
  }

  private def drive(): Unit = {
    io.frames.ready #= r.nextInt(16) >= line
    val may = !offeredPost && posts.nonEmpty && peers(posts.head.pair).unanswered < k.replies
    asked = if (may) asked + 1 else 0
    if (asked == 1) io.roomOf #= posts.head.pair
    if (asked == 3) {
      val one = posts.head
      val held = !one.word && io.quiet.toBoolean
      // It is seen in the next cycle.
      posted += cycle + 1
      offeredPost = true
      io.posts.pair #= one.pair
      io.posts.reply.word #= one.word
      io.posts.reply.immediate #= one.immediate
      io.posts.reply.page #= one.page
      io.posts.reply.va #= one.va
      io.posts.reply.rkey #= one.rkey
      val epoch = if (held && begins()) BigInt(1) else BigInt(0)
      io.posts.held #= held
      io.posts.reply.data #= (if (one.word) one.data else epoch << k.l.frameBits | ((base >> 12) + frameOf(one.page)))
    }
    io.posts.valid #= offeredPost
    if (!offeredAck) for ((at, pair, psn) <- acks.headOption if at <= cycle) {
      offeredAck = true
      io.acks.pair #= pair
      io.acks.psn #= psn
      io.acks.syndrome #= 0x1f
    }
    io.acks.valid #= offeredAck
  }

  def any(pair: Int): Posted = Posted(
    pair,
    r.nextInt(3) == 0,
    r.nextBoolean(),
    r.nextInt(1 << 10),
    BigInt(64, r),
    BigInt(32, r),
    BigInt(64, r)
  )

  def run(cycles: Int): Unit = { val until = cycle + cycles; step(cycle >= until) }
  def settle(): Unit = {
    val until = cycle + 500000
    def busy = posts.nonEmpty || due.values.exists(_.nonEmpty) || acks.nonEmpty || offeredAck || offeredPost
    step(!busy || cycle >= until)
    assert(!busy, s"${posts.size} posts and ${due.values.map(_.size).sum} frames are left")
    run(100)
    assert(io.idle.toBoolean && ended.toSeq == begun.toSeq, s"accesses that ended: ${ended.toSeq}, of ${begun.toSeq}")
    assert(failed.sorted == broken.sorted, "queue pairs under whose packets memory failed")
    assert(damaged == broken.size)
  }
}

object ReplyFrames {
  /** Cycles of a look-up behind the one that asks. */
  val LOOK = 8
}
