package mneme.chain

import mneme.rdma.RoceReference._
import mneme.rdma.{RocePacket, RoceTraffic}
import org.scalatest.Assertions._

import scala.collection.mutable
import scala.util.Random

/** What a client's chain queue pair is: function 0 to 3 as `ChainFunction` has them, path MTU of 128 << `code`. */
case class ChainLink(place: Int, function: Int, code: Int, signal: Boolean = true, immediate: Boolean = true) {
  val qpn: Int = 0x805000 + place
  val peerQpn: Int = 0x900 + place
  val ip: BigInt = 0x0a010200 + place
  val mac: BigInt = 0x1000 + place
  val port: Int = 0xc000 + place
  val stores: Boolean = function == 1 || function == 2
  val length: Int = 64 + (if (stores) 4096 else 0)

  /** Bytes of a message at which arguments end, and their numbers in a profile. */
  val rows: Seq[(Int, Int)] = Seq(7 -> 1, 11 -> 5) ++ (if (function == 0) Seq(19 -> 2) else Nil) ++ (if (words) Seq(27 -> 3, 35 -> 4) else Nil)
  def words: Boolean = stores || signal
}

/** A WRITE that is to come: where, its bytes, and its immediate data. */
private case class Awaited(va: BigInt, rkey: BigInt, bytes: Seq[Int], immediate: Option[Int])

/** A client of one queue pair, as a network card has it: it sends its messages until they are acknowledged, and takes WRITEs in their order. Of 100 packets
  * that it sends, and that it gets, `loss` are lost. `done` is told of the page of each message whose last WRITE has come.
  */
class ChainClient(
    val link: ChainLink,
    random: Random,
    loss: Int,
    bytesAreThere: Int => Seq[Int],
    done: Int => Unit,
    board: BigInt = RoceTraffic.mac
) {
  private case class Sent(psn: Long, packet: RocePacket, ends: Boolean)
  private val unacknowledged = mutable.ArrayBuffer[Sent]()
  private val awaited = mutable.Queue[(Awaited, Option[Int])]()
  private val out = mutable.Queue[RocePacket]()
  private var (cursor, messages, acknowledged) = (0, 0, 0)
  private var (psn, reply) = (ChainClient.FIRST, ChainClient.FIRST_REPLY)
  private var (pausesUntil, progress) = (0L, 0L)
  private var gapTold = false
  private val got = mutable.ArrayBuffer[Int]()
  /** Packets of replies that came in order, and those that came again. */
  var (packets, again) = (0, 0)
  /** The queue pair's refusal, if it was refused. */
  var refused = Option.empty[Int]

  def isIdle: Boolean = unacknowledged.isEmpty && awaited.isEmpty && out.isEmpty
  def open: Int = messages - acknowledged max awaited.size
  private def lost: Boolean = random.nextInt(100) < loss
  private def low(number: Long): Int = (number & 0xffffff).toInt
  /** The number near `near` that has these low 24 bits. */
  private def whole(low: Int, near: Long): Long = near + (((low - near) << 40) >> 40)

  private def packet(opcode: Int, psn: Long, asks: Boolean, extension: Bytes = Nil, payload: Bytes = Nil) = RocePacket(
    board,
    link.mac,
    RoceTraffic.ip,
    link.ip,
    opcode = opcode,
    destQp = link.qpn,
    ack = if (asks) 0x80 else 0,
    psn = low(psn),
    extension = extension,
    payload = payload
  )

  /** A message about a page; of a store, with its bytes. */
  def begin(page: Int, bytes: Seq[Int] = Nil): Unit = {
    val (buffer, signal, rkey, magic) = (BigInt(64, random), BigInt(64, random), BigInt(32, random), mneme.rdma.RoceReference.random(random, 8))
    val arguments = number(ChainClient.BASE + 8 * page, 8) ++ number(rkey, 4) ++ number(if (link.function == 0) buffer else 0, 8) ++ number(signal, 8) ++ magic
    val parts = (arguments.padTo(64, 0x5a) ++ bytes).grouped(128 << link.code).toSeq
    messages += 1
    for ((part, i) <- parts.zipWithIndex) {
      val (begins, ends) = (i == 0, i + 1 == parts.size)
      val opcode = if (begins && ends) 4 else if (begins) 0 else if (ends) 2 else 1
      unacknowledged += Sent(psn, packet(opcode, psn, asks = ends, payload = part), ends)
      psn += 1
    }
    val number4 = if (link.immediate) Some(page) else None
    if (link.function == 0) {
      val last = !link.words
      awaited += ((Awaited(buffer, rkey, bytesAreThere(page), if (last) number4 else None), if (last) Some(page) else None))
    }
    if (link.words) awaited += ((Awaited(signal, rkey, magic, number4), Some(page)))
  }

  /** The next packet that goes to the port, if there is one. */
  def next(now: Long): Option[RocePacket] = {
    if (unacknowledged.nonEmpty && cursor >= unacknowledged.size && now - progress > 6000) {
      cursor = 0
      progress = now
    }
    if (out.nonEmpty) Some(out.dequeue())
    else if (cursor < unacknowledged.size && now >= pausesUntil && refused.isEmpty) {
      val sent = unacknowledged(cursor)
      cursor += 1
      progress = now
      if (lost) None else Some(sent.packet)
    } else None
  }

  /** A frame of the port's to this queue pair, from its base transport header to its pad. */
  def comes(opcode: Int, number: Int, asks: Boolean, extension: Bytes, payload: Bytes, now: Long): Unit =
    if (opcode == 0x11) answered(extension.head, number, read(extension, 1, 3).toInt, now)
    else if (!lost) {
      val n = whole(number, reply)
      if (n > reply) {
        if (!gapTold) answer(0x60, reply)
        gapTold = true
      } else if (n < reply) {
        again += 1
        answer(0x1f, reply - 1)
      } else if (loss > 0 && random.nextInt(40) == 0) answer(0x21, reply)
      else {
        gapTold = false
        packets += 1
        take(opcode, extension, payload)
        reply += 1
        if (asks) answer(0x1f, n)
      }
    }
  private def answer(syndrome: Int, psn: Long): Unit = if (!lost) out += packet(0x11, psn, asks = false, extension = syndrome +: number(0, 3))

  private def answered(syndrome: Int, number: Int, msn: Int, now: Long): Unit = {
    val n = whole(number, psn)
    assert(n < psn, s"an answer to $n, which was never sent")
    val until = if (syndrome == 0x1f) n + 1 else n
    val stale = until < unacknowledged.headOption.map(_.psn).getOrElse(psn)
    while (unacknowledged.headOption.exists(_.psn < until)) {
      val sent = unacknowledged.remove(0)
      cursor = (cursor - 1) max 0
      if (sent.ends) acknowledged += 1
      progress = now
    }
    assert(stale || msn == acknowledged, s"$msn messages are told to be done, not $acknowledged")
    if (syndrome == 0x60 || syndrome >> 5 == 1) cursor = 0
    if (syndrome >> 5 == 1) pausesUntil = now + 300
    if (syndrome > 0x60) refused = Some(syndrome)
  }

  private def take(opcode: Int, extension: Bytes, payload: Bytes): Unit = {
    assert(awaited.nonEmpty, s"a WRITE that nobody waits for: opcode $opcode")
    val (due, page) = awaited.head
    val (begins, ends) = (Set(0x06, 0x0a, 0x0b)(opcode), Set(0x08, 0x09, 0x0a, 0x0b)(opcode))
    assert(begins == got.isEmpty && payload.size == ((due.bytes.size - got.size) min (128 << link.code)))
    val reth = if (begins) number(due.va, 8) ++ number(due.rkey, 4) ++ number(due.bytes.size, 4) else Nil
    val immediate = if (ends) due.immediate.toSeq.flatMap(number(_, 4)) else Nil
    assert(extension == reth ++ immediate && Set(0x09, 0x0b)(opcode) == (ends && due.immediate.isDefined), s"headers of opcode $opcode")
    got ++= payload
    assert(ends == (got.size == due.bytes.size))
    if (ends) {
      assert(got.toSeq == due.bytes, s"bytes of a reply of ${due.bytes.size}")
      got.clear()
      awaited.dequeue()
      page.foreach(done)
    }
  }
}

object ChainClient {
  /** Numbers near their wrap. */
  val FIRST = 0xffffe0L
  val FIRST_REPLY = 0xfffff0L
  val BASE = BigInt("7f0000000000", 16)
}
