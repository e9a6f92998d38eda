package mneme.chain

import mneme.leaf.LeafOperation
import mneme.mem.{BadLines, MemoryModel, Stall, Timing}
import mneme.rdma.RoceReference._
import mneme.rdma._
import mneme.wire.Wire.RoceResult
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A port with chains on a wire: clients of chain queue pairs, and peers of others that write and read. Every frame that leaves is, byte by byte, the one that
  * the standards have.
  */
class ChainPortBench(dut: ChainPortBoard, protected val random: Random, timing: Timing, loss: Int = 0, bad: BadLines = new BadLines()) extends ChainWork {
  import dut.io
  private val r = dut.r
  private val jitter = timing.jitter
  val door = new DoorModel(r.c, io.door, random, jitter)
  private val registers = new PortRegisters(io.bus, random, jitter, () => cycle())
  private val Seq(comeStall, leaveStall) = Seq.fill(2)(new Stall(random, jitter))
  private val bytes = new Array[Byte](1 << 21)
  private var memories = Seq[MemoryModel]()
  var now = 0L

  // --- Chains.
  private val answered = mutable.Queue[ChainResult.E]()
  val events = mutable.Map[String, Int]().withDefaultValue(0)
  private val named = io.events.elements.flatMap(_._2.asInstanceOf[spinal.core.Bundle].elements).map { case (n, e) => n -> e.asInstanceOf[spinal.core.Bool] }

  // --- Others: one WRITE or READ of each is on its way.
  private class Native(val qp: MakeQueuePair) {
    var (psn, number) = (qp.psn, 0)
    var written = Seq[Int]()
    var waitsFor = Option.empty[(Int, Seq[Int])]
  }
  private val natives = mutable.ArrayBuffer[Native]()
  var nativesGo = true
  var nativesDone = 0

  private val toCome = mutable.Queue[RocePacket]()
  private var coming = Option.empty[(Bytes, Int)]
  private var inUse = 0
  private val back = mutable.ArrayBuffer[Long]()
  private val beats = mutable.ArrayBuffer[Int]()
  /** Cycles of the first beat of each frame that left, with its opcode; of the first token of each door since the mark. */
  val leftAt = mutable.ArrayBuffer[(Int, Long)]()
  private var begunAt = 0L
  private var (frameAskedAt, doorAskedAt) = (0L, 0L)
  var damaged = 0

  def start(): this.type = {
    io.local.mac #= RoceTraffic.mac
    io.local.ip #= RoceTraffic.ip
    dut.clockDomain.forkStimulus(10)
    reset()
    this
  }

  def reset(): Unit = {
    clearWork()
    events.clear()
    for (list <- Seq(natives, back, beats, leftAt)) list.clear()
    for (queue <- Seq(toCome, answered)) queue.clear()
    coming = None
    inUse = 0
    dut.clockDomain.assertReset()
    for (valid <- Seq(io.rx.valid, io.orders.valid, io.request.valid)) valid #= false
    io.tx.ready #= false
    io.answer.ready #= true
    registers.reset()
    door.reset()
    java.util.Arrays.fill(bytes, 0.toByte)
    memories = Seq(io.mem, io.leafMem).map(new MemoryModel(_, 0, bytes, bad, timing, random))
    memories.foreach(_.reset())
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    assert(registers.result() == RoceResult.DONE)
  }

  def cycle(): Unit = {
    dut.clockDomain.waitSampling()
    now += 1
    door.observe()
    memories.foreach(_.step(now))
    for ((name, event) <- named if event.toBoolean) events(name) += 1
    if (io.ordered.valid.toBoolean) answered += io.ordered.result.toEnum
    if (io.asks.toBoolean && frameAskedAt == 0) frameAskedAt = now
    if (io.door.tokens.valid.toBoolean && io.door.tokens.ready.toBoolean && doorAskedAt == 0) doorAskedAt = now
    if (dut.port.receive.io.giveBack.valid.toBoolean) back += now + 4
    inUse -= back.count(_ <= now)
    back.filterInPlace(_ > now)
    leave()
    for (client <- clients.values if toCome.size < 4) toCome ++= client.next(now)
    if (nativesGo) for (native <- natives if native.waitsFor.isEmpty && toCome.size < 4) ask(native)
    come()
    door.drive()
    io.tx.ready #= leaveStall.go()
  }

  private def come(): Unit = {
    if (io.rx.valid.toBoolean) {
      assert(io.rx.ready.toBoolean, "the port makes its sender wait")
      for ((frame, beat) <- coming) {
        val ends = 64 * (beat + 1) >= frame.size
        // A request's own frame: an acknowledge of what it brought comes later.
        if (ends && marked && frame(42) != 0x11) markedAt = now
        coming = if (ends) None else Some((frame, beat + 1))
      }
    }
    if (coming.isEmpty && toCome.nonEmpty && inUse < PortBench.room(r.slots)) {
      coming = Some((toCome.dequeue().bytes, 0))
      inUse += 1
    }
    val shows = coming.isDefined && comeStall.go()
    io.rx.valid #= shows
    for ((frame, beat) <- coming if shows) {
      val part = frame.slice(64 * beat, 64 * beat + 64)
      io.rx.data #= MemoryModel.toBigInt(part.padTo(64, 0xaa).map(_.toByte).toArray)
      io.rx.last #= 64 * (beat + 1) >= frame.size
      io.rx.lastByte #= part.size - 1
      io.rx.user #= 0
    }
  }

  private def leave(): Unit = if (io.tx.valid.toBoolean && io.tx.ready.toBoolean) {
    if (beats.isEmpty) begunAt = now
    val last = io.tx.last.toBoolean
    beats ++= io.tx.data.toBytes.take(if (last) io.tx.lastByte.toInt + 1 else 64).map(_ & 0xff)
    if (last) {
      depart(beats.toSeq, io.tx.user.toInt == 1)
      beats.clear()
    }
  }

  private def depart(frame: Bytes, fails: Boolean): Unit = {
    def at(from: Int, bytes: Int) = read(frame, from, bytes)
    val opcode = frame(42)
    leftAt += ((opcode, begunAt))
    val (headers, _) = layout(opcode)
    val transport = frame.slice(42, frame.size - 4)
    val body = transport.slice(12 + headers, transport.size - ((frame(43) >> 4) & 3))
    val client = clients.values.find(_.link.peerQpn == at(47, 3))
    val native = natives.find(_.qp.peerQpn == at(47, 3))
    assert(client.isDefined || native.isDefined, s"a frame to nobody: ${frame.take(64)}")
    val (mac, ip, port) = client.fold((BigInt(0x2000), BigInt(native.get.qp.peer), 0xb000))(c => (c.link.mac, c.link.ip, c.link.port))
    val asks = (frame(50) & 0x80) != 0
    val want = RocePacket(
      mac,
      RoceTraffic.mac,
      ip,
      RoceTraffic.ip,
      srcPort = port,
      opcode = opcode,
      destQp = at(47, 3).toInt,
      ack = if (asks) 0x80 else 0,
      psn = at(51, 3).toInt,
      extension = transport.slice(12, 12 + headers),
      payload = body
    ).bytes
    if (fails) {
      damaged += 1
      assert(frame.dropRight(4) == want.dropRight(4) && frame != want)
    } else {
      assert(frame == want, s"a frame of opcode $opcode")
      client.foreach(_.comes(opcode, at(51, 3).toInt, asks, transport.slice(12, 12 + headers), body, now))
      if (!streams) native.foreach(answers(_, opcode, at(51, 3).toInt, transport.slice(12, 12 + headers), body))
    }
  }

  // --- Cycles from the last beat of the frame that carried the request, which was marked, to what comes of it.
  private var (marked, markedAt) = (false, 0L)
  def marks(): Unit = {
    leftAt.clear()
    frameAskedAt = 0
    doorAskedAt = 0
    marked = true
  }
  def firstAfter(opcode: Int): Long = leftAt.find(_._1 == opcode).get._2 - markedAt
  def tokenAfter: Long = frameAskedAt - markedAt
  def doorAfter: Long = doorAskedAt - markedAt
  /** One WRITE, or READ, of the first of others, and nothing else. */
  def alone(): Unit = {
    marks()
    ask(natives.head, 4096)
    settle()
    nativesGo = false
  }
  /** So many READs of a page of the first of others, all under way as far as the port lets them. */
  def reads(count: Int): Unit = {
    val before = leftAt.size
    val page = natives.head.written
    var sent = 0
    streams = true
    until(200000, "READs do not end") {
      while (sent < count && sent - (leftAt.size - before) < 12 && toCome.size < 4) {
        toCome += request(natives(sent % 4), reads = true, 4096, natives(sent % 4).psn)
        natives(sent % 4).psn += 1
        sent += 1
      }
      leftAt.size - before == count
    }
    streams = false
    assert(page.size == 4096)
  }
  /** READs stand behind each other: their answers are not compared. */
  private var streams = false

  // --- Others' traffic: a WRITE, and a READ of what it wrote.
  def join(count: Int): Unit = {
    assert(registers.create(RocePortTest.region) == RoceResult.DONE)
    for (i <- 0 until count) {
      val qp = RocePortTest.qp.copy(qpn = 0x1000 + i, peerQpn = 0x300 + i)
      assert(registers.create(qp, 0x2000, 0xb000) == RoceResult.DONE)
      natives += new Native(qp)
    }
    val refused = registers.create(RocePortTest.qp.copy(qpn = 0x801007), 0x2000, 0xb000)
    assert(refused == RoceResult.NUMBER, "a number of chains")
  }
  private def ask(native: Native, size: Int = 0): Unit = {
    val reads = native.number % 2 == 1
    val length = if (reads) native.written.size else if (size > 0) size else Seq(8, 64, 1000, 4096)(random.nextInt(4))
    if (!reads) native.written = RoceReference.random(random, length)
    toCome += request(native, reads, length, native.psn)
    native.waitsFor = Some((if (reads) 0x10 else 0x11, if (reads) native.written else Nil))
    native.number += 1
  }
  private def request(native: Native, reads: Boolean, length: Int, psn: Int): RocePacket = {
    val own = native.qp
    val va = RocePortTest.region.va + (own.qpn & 15) * 8192
    RocePacket(
      RoceTraffic.mac,
      0x2000,
      RoceTraffic.ip,
      own.peer,
      opcode = if (reads) 0x0c else 0x0a,
      destQp = own.qpn,
      ack = 0x80,
      psn = psn,
      extension = number(va, 8) ++ number(RocePortTest.region.key, 4) ++ number(length, 4),
      payload = if (reads) Nil else native.written
    )
  }
  private def answers(native: Native, opcode: Int, psn: Int, extension: Bytes, body: Bytes): Unit = {
    assert(native.waitsFor.contains((opcode, body)) && psn == native.psn && extension.head == 0x1f, s"an answer of opcode $opcode")
    native.psn += 1
    nativesDone += 1
    native.waitsFor = None
  }

  // --- The slow path.
  def until(most: Int, what: => String)(done: => Boolean): Unit = {
    var left = most
    do {
      cycle()
      left -= 1
      if (left < 0) fail(what)
    } while (!done)
  }
  def command(operation: LeafOperation.E, page: Int, pages: Int = 0, line: Int = 0): Unit = {
    val to = io.request
    to.operation #= operation
    to.segment #= 0
    to.pid #= 7
    to.page #= page
    to.pages #= pages
    to.line #= line
    for (right <- Seq(to.rights.read, to.rights.write, to.rights.atomic)) right #= true
    for (flag <- Seq(to.begins, to.first, to.whole, to.also)) flag #= false
    to.filler #= 0
    to.valid #= true
    until(20000, "the leaf unit takes no command")(to.ready.toBoolean)
    to.valid #= false
    var status = ""
    until(20000, "the leaf unit does not answer") {
      if (io.answer.valid.toBoolean) status = io.answer.status.toEnum.getName()
      status != ""
    }
    assert(status == "DONE", s"$operation: $status")
  }
  /** `frames` free ones, and a segment of 16 pages. */
  def prepare(frames: Int = 64): Unit = {
    command(LeafOperation.RING, page = 15, line = 0x400)
    command(LeafOperation.PUSH, page = 0x100, pages = frames)
    command(LeafOperation.CREATE, page = 64, pages = 16, line = 0x1000)
  }
  private def order(what: ChainCommand.E, qpn: Int): ChainResult.E = {
    val to = io.orders
    to.command #= what
    to.pair.qpn #= qpn
    to.valid #= true
    until(200000, s"$what is not done")(to.ready.toBoolean)
    to.valid #= false
    answered.dequeue()
  }
  def destroy(place: Int): ChainResult.E = {
    val link = clients(place).link
    val result = order(ChainCommand.DESTROY, link.qpn)
    // What has left before may still be on its way out.
    until(100000, "its packets do not leave")(!io.tx.valid.toBoolean || !jitter)
    result
  }
  def create(link: ChainLink): ChainResult.E = {
    val to = io.orders
    to.pair.peerQpn #= link.peerQpn
    to.pair.peerIp #= link.ip
    to.pair.peerMac #= link.mac
    to.pair.srcPort #= link.port
    to.pair.mtuCode #= link.code
    to.pair.hardened #= false
    to.pair.length #= link.length
    to.psn #= ChainClient.FIRST
    to.firstReply #= ChainClient.FIRST_REPLY
    for ((row, i) <- to.rows.zipWithIndex) {
      val (end, field) = link.rows.lift(i).getOrElse((0, 0))
      row.field #= field
      row.end #= end
      row.last #= i + 1 == link.rows.size
    }
    to.secrets.keyed #= false
    to.secrets.key #= 0
    to.secrets.base #= ChainClient.BASE
    to.settings.function #= ChainFunction.elements(link.function)
    to.settings.immediate #= link.immediate
    to.settings.signal #= link.signal
    to.settings.tellEmpty #= false
    to.settings.segment #= 0
    to.settings.pid #= 7
    to.settings.filler #= 0
    to.timeout #= 5
    to.rate #= 0
    val result = order(ChainCommand.CREATE, link.qpn)
    if (result == ChainResult.DONE) clients(link.place) = new ChainClient(link, random, loss, page => pages(page), done)
    result
  }
  // --- What clients do.
  /** All clients send messages about any pages, each `most` at a time; then all is answered. */
  def traffic(cycles: Int, most: Int = 3): Unit = {
    val end = now + cycles
    while (now < end) {
      beginSome(most)
      cycle()
    }
  }
  def settle(): Unit = {
    nativesGo = false
    until(1000000, s"nothing moves: ${clients.values.filter(!_.isIdle).map(_.link)}")(!busy && natives.forall(_.waitsFor.isEmpty) && toCome.isEmpty)
    var quiet = 0
    until(100000, "the port does not come to rest") {
      quiet = if (io.rests.toBoolean && !io.tx.valid.toBoolean) quiet + 1 else 0
      quiet > 100
    }
    nativesGo = true
    assert(inUse == 0, s"$inUse places are lost")
  }
  /** Frames that may be taken, or will be. */
  def free: (Int, Int) = {
    for (_ <- 0 until 400) cycle()
    (io.usable.toInt, io.waiting.toInt)
  }
  def counter(number: Int): Long = registers.counter(number)
}
