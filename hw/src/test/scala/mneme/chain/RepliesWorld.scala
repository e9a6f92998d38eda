package mneme.chain

import org.scalatest.Assertions._

import scala.collection.mutable
import scala.util.Random

/** Peers that lose packets, answers that are lost, and time that passes while everything else goes on. Each peer must get every reply once and in order, whole,
  * from frames that its page has had. Each packet is of a frame to which an access goes on (`RepliesBench`).
  */
class RepliesWorld(b: RepliesBench, random: Random, pairs: Int, replies: Int = 32) {
  private class Peer(val pair: Int, psn: Int, val mtu: Int) {
    var expected: Int = psn
    var told = false
    /** Replies that were given and have not come whole, and bytes of the first one that have come. */
    val due = mutable.Queue[PostedReply]()
    var bytes = 0
    /** Behind the packets that have left once. */
    var sentTo: Int = psn
    var done = 0
  }
  private val peers = mutable.Map[Int, Peer]()
  private val frames = mutable.Map[(Int, Int), mutable.Set[Int]]()
  var (loss, ticks) = (0.0, 0L)

  private def plus(psn: Int, more: Int): Int = (psn + more) & 0xffffff
  private def ahead(psn: Int, of: Int): Boolean = psn != of && ((psn - of) & 0xffffff) < 0x800000

  def start(): Unit = {
    for (pair <- 0 until pairs) {
      val peer = new Peer(pair, plus(0, -random.nextInt(60)), random.nextInt(5))
      peers(pair) = peer
      b.does(Creates(pair, peer.expected, PeerSettings(0x1000 + pair, 0x0a000000 + pair, 0x100 + pair, 0xc000 + pair, peer.mtu, 3, pair % 4, 7, pair % 4)))
    }
    for (segment <- 0 until 4; page <- 0 until 8) remap(segment, page)
    b.drives = true
  }

  private def remap(segment: Int, page: Int): Unit = {
    val frame = 1 + random.nextInt(200)
    b.does(Maps(segment, page, frame))
    frames.getOrElseUpdate((segment, page), mutable.Set()) += frame
  }

  /** What has left since: the peers take it, or it is lost. */
  private def delivered(): Unit = {
    for (SentReply(pair, packet, _) <- b.sent) {
      val peer = peers(pair)
      if (!ahead(peer.sentTo, packet.psn)) {
        assert(packet.psn == peer.sentTo, "packets leave in order for the first time")
        peer.sentTo = plus(packet.psn, 1)
      }
      if (random.nextDouble() >= loss) arrives(peer, packet)
    }
    b.sent.clear()
  }

  private def answer(peer: Peer, psn: Int, syndrome: Int): Unit = if (random.nextDouble() >= loss) b.answers += Acks(peer.pair, psn, syndrome)

  private def arrives(peer: Peer, packet: ReplyPacket): Unit =
    if (packet.psn == peer.expected) {
      if (loss > 0 && random.nextInt(20) == 0) answer(peer, packet.psn, 0x20 | (1 + random.nextInt(4)))
      else {
        takes(peer, packet)
        peer.told = false
        peer.expected = plus(peer.expected, 1)
        if (packet.asks) answer(peer, packet.psn, 0x1f)
      }
    } else if (ahead(packet.psn, peer.expected)) {
      if (!peer.told) answer(peer, peer.expected, 0x60)
      peer.told = true
    } else answer(peer, plus(peer.expected, -1), 0x1f)

  private def takes(peer: Peer, packet: ReplyPacket): Unit = {
    val reply = peer.due.headOption.getOrElse(fail(s"nothing is due to queue pair ${peer.pair}: $packet"))
    val all = if (reply.word) 8 else 4096
    val (begins, ends) = (peer.bytes == 0, peer.bytes + packet.bytes == all)
    val immediate = if (reply.immediate) 1 else 0
    val opcode = if (begins && ends) 0x0a + immediate else if (begins) 6 else if (ends) 8 + immediate else 7
    assert(packet.opcode == opcode && packet.immediate == (if (ends && reply.immediate) reply.page else 0))
    if (begins) assert((packet.va, packet.rkey, packet.length) == ((reply.va, reply.rkey, all)))
    if (reply.word) assert((packet.source, packet.place) == ((2, reply.magic)))
    else {
      assert(packet.bytes == (256 << peer.mtu) && packet.offset == (if (packet.source == 1) 0 else peer.bytes))
      assert(packet.source == 0 && frames((peer.pair % 4, reply.page)).contains(packet.place.toInt))
    }
    peer.bytes += packet.bytes
    if (ends) {
      peer.due.dequeue()
      peer.bytes = 0
      peer.done += 1
    }
  }

  private def step(posts: Boolean): Unit = {
    val pair = random.nextInt(pairs)
    if (posts && random.nextInt(4) == 0 && b.room(pair) > 0) {
      val held = b.quiet(pair)
      val word = random.nextInt(3) != 0
      val (segment, page) = (pair % 4, random.nextInt(8))
      def number = BigInt(64, random)
      val reply = PostedReply(word, page, b.mapped((segment, page)), number, number, random.nextInt() & 0xffffffffL, random.nextBoolean())
      peers(pair).due += reply
      b.post(pair, reply, held)
    }
    if (random.nextInt(50) == 0) remap(random.nextInt(4), random.nextInt(8))
    b.cycle(1 + random.nextInt(30))
    delivered()
  }
  private def tick(): Unit = {
    ticks += 1
    b.does(Time(ticks))
  }

  /** What may be sent has been sent: no peer that takes no more keeps a frame. */
  private def rests(): Unit = {
    b.settle()
    assert(b.open == 0, "an access goes on though nothing may be sent")
  }

  def run(steps: Int): Unit = for (i <- 0 until steps) {
    step(posts = true)
    if (i % 60 == 0) tick()
    if (i % 200 == 0) rests()
  }

  /** Once nothing is lost any more everything ends. Answers how many replies have come. */
  def heal(): Int = {
    loss = 0
    var left = 40000
    while (peers.values.exists(_.due.nonEmpty) || b.answers.nonEmpty) {
      step(posts = false)
      if (left % 30 == 0) tick()
      left -= 1
      assert(left > 0, s"replies that never come: ${peers.values.map(peer => (peer.pair, peer.due.size))}")
    }
    // What was answered is told to everybody who asks.
    for (_ <- 0 until 200) {
      step(posts = false)
      tick()
    }
    rests()
    delivered()
    assert(b.failed.isEmpty, "no queue pair ends")
    b.drives = false
    for (pair <- 0 until pairs) assert(b.room(pair) == replies, s"queue pair $pair is not empty")
    peers.values.map(_.done).sum
  }
}
