package mneme.rdma

import mneme.mem.{MemoryModel, Stall}
import mneme.rdma.RoceReference._
import mneme.wire.Wire.{RoceCounter, RoceResult}
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A frame that comes, and whether the MAC says that it is damaged. */
case class FrameIn(bytes: Bytes, damaged: Boolean = false)

/** A whole port on a wire: frames in, frames out, its registers, and an access engine that the bench plays. With `noise`, others' frames, damaged and cut ones
  * come between the packets that matter; nothing may change by them but their counts.
  */
class PortBench(dut: RocePort, random: Random, jitter: Boolean, noise: Boolean = false) extends RocePlayer {
  import dut.io
  private val r = dut.r
  val door = new DoorModel(r.c, io.door, random, jitter)
  val registers = new PortRegisters(io.bus, random, jitter, () => cycle())
  private val Seq(comeStall, leaveStall) = Seq.fill(2)(new Stall(random, jitter))

  // --- What comes.
  private val toCome = mutable.Queue[FrameIn]()
  private var coming = Option.empty[(FrameIn, Int)]
  /** Places of the store that are in use, or may be, and the cycles in which those that come back are free. */
  private var inUse = 0
  private val back = mutable.ArrayBuffer[Long]()
  /** The sender heeds the store's room; else frames come as fast as the wire lets them. */
  private var polite = true
  def rushes(): Unit = polite = false
  /** When all is quiet: the store is empty. */
  def heeds(): Unit = {
    polite = true
    inUse = 0
    back.clear()
  }
  var now = 0L
  /** Cycles of the last beat of each frame that came, and of the first one of each that left. */
  val cameAt, leftAt = mutable.ArrayBuffer[Long]()
  /** Of the last one of each that left. */
  val goneAt = mutable.ArrayBuffer[Long]()
  /** Cycles in which the door was asked, told of an end, and gave data; in which a packet was done with. */
  val askedAt, endedAt, gaveAt, doneAt = mutable.ArrayBuffer[Long]()
  /** What is to be counted of what came and left, by RoceCounter number. */
  val due = mutable.Map[Int, Long]().withDefaultValue(0L)

  // --- What leaves.
  private val beats = mutable.ArrayBuffer[Byte]()
  val left = mutable.ArrayBuffer[Leaves]()
  /** Frames that left marked as damaged. */
  var damaged = 0
  /** Some frames have bytes behind their packet. */
  var padded = true
  /** Who takes what leaves takes nothing. */
  var stands = false
  /** Of nine cycles the line takes a beat in so many; 7 are 100 Gbit/s at 250 MHz. */
  var line = 9
  /** Memory takes nothing, and gives nothing back. */
  var holds = false
  private case class Peer(qp: MakeQueuePair, mac: BigInt, srcPort: Int)
  private val peers = mutable.Map[Int, Peer]()

  def start(): this.type = {
    io.local.mac #= RoceTraffic.mac
    io.local.ip #= RoceTraffic.ip
    idle()
    dut.clockDomain.forkStimulus(10)
    reset()
    this
  }
  private def idle(): Unit = {
    io.rx.valid #= false
    io.tx.ready #= false
    registers.reset()
    door.reset()
  }

  def reset(): Unit = reset(waits = true)
  /** Begins anew; `waits` until the tables have been emptied. */
  def reset(waits: Boolean): Unit = {
    dut.clockDomain.assertReset()
    for (part <- Seq(toCome, back, beats, left, cameAt, leftAt, goneAt, askedAt, endedAt, gaveAt, doneAt)) part.clear()
    due.clear()
    peers.clear()
    coming = None
    inUse = 0
    idle()
    // Nothing is sampled in a reset.
    dut.clockDomain.waitRisingEdge(3)
    dut.clockDomain.deassertReset()
    if (waits) assert(registers.result() == RoceResult.DONE, "the tables are empty")
  }

  def cycle(): Unit = {
    dut.clockDomain.waitSampling()
    now += 1
    door.observe()
    for ((stream, at) <- Seq(io.door.tokens -> askedAt, io.door.data.completions -> endedAt, io.door.data.payload -> gaveAt))
      if (stream.valid.toBoolean && stream.ready.toBoolean) at += now
    if (dut.responder.io.released.valid.toBoolean) {
      doneAt += now
      back += now + 4
    }
    inUse -= back.count(_ <= now)
    back.filterInPlace(_ > now)
    leave()
    come()
    door.drive(holds)
    io.tx.ready #= leaveStall.go() && !stands && now * line % 9 < line
  }

  private def come(): Unit = {
    if (io.rx.valid.toBoolean) {
      assert(io.rx.ready.toBoolean, "the port makes its sender wait")
      for ((frame, beat) <- coming) {
        val ends = 64 * (beat + 1) >= frame.bytes.size
        if (ends) came(frame)
        coming = if (ends) None else Some((frame, beat + 1))
      }
    }
    if (coming.isEmpty && toCome.nonEmpty && (!polite || inUse < PortBench.room(r.slots))) {
      coming = Some((toCome.dequeue(), 0))
      inUse += 1
    }
    val shows = coming.isDefined && comeStall.go()
    io.rx.valid #= shows
    for ((frame, beat) <- coming if shows) {
      val bytes = frame.bytes.slice(64 * beat, 64 * beat + 64)
      io.rx.data #= MemoryModel.toBigInt((bytes.map(_.toByte) ++ Array.fill(64 - bytes.size)(random.nextInt().toByte)).toArray)
      val last = 64 * (beat + 1) >= frame.bytes.size
      io.rx.last #= last
      io.rx.lastByte #= bytes.size - 1
      io.rx.user #= (if (last && frame.damaged) 1 else 0)
    }
  }

  private def came(frame: FrameIn): Unit = {
    cameAt += now
    val fate = judge(frame.bytes, frame.damaged, RoceTraffic.mac, RoceTraffic.ip)
    val counter = fate.fold(identity, arrived => if (arrived.malformed) RoceCounter.RX_MALFORMED else RoceCounter.RX_PACKETS)
    due(counter) += 1
    // A dropped one's place is free a little later.
    if (fate.isLeft) back += now + 8
  }

  private def leave(): Unit = if (io.tx.valid.toBoolean && io.tx.ready.toBoolean) {
    if (beats.isEmpty) leftAt += now
    val bytes = io.tx.data.toBytes
    val last = io.tx.last.toBoolean
    beats ++= (if (last) bytes.take(io.tx.lastByte.toInt + 1) else bytes)
    if (last) {
      goneAt += now
      depart(beats.map(_ & 0xff).toIndexedSeq, io.tx.user.toInt == 1)
      beats.clear()
    }
  }

  /** Every byte of a frame is as the standards have it, by what it says of itself. */
  private def depart(frame: IndexedSeq[Int], fails: Boolean): Unit = {
    def at(from: Int, bytes: Int) = RoceReference.read(frame, from, bytes)
    val peer = peers.values.find(p => at(47, 3) == p.qp.peerQpn && at(30, 4) == p.qp.peer)
    assert(peer.isDefined, s"an answer to nobody: ${frame.take(64)}")
    val (opcode, pad) = (frame(42), (frame(43) >> 4) & 3)
    val (headers, _) = layout(opcode)
    val transport = frame.slice(42, frame.size - 4)
    val body = transport.slice(12 + headers, transport.size - pad)
    val want = RocePacket(
      dstMac = peer.get.mac,
      srcMac = RoceTraffic.mac,
      dstIp = peer.get.qp.peer,
      srcIp = RoceTraffic.ip,
      srcPort = peer.get.srcPort,
      opcode = opcode,
      pkey = peer.get.qp.pkey,
      congestion = if (opcode == RoceOpcode.CNP) 0x40 else 0,
      destQp = peer.get.qp.peerQpn,
      psn = at(51, 3).toInt,
      extension = transport.slice(12, 12 + headers),
      payload = body
    ).bytes
    // What memory failed under has its ICRC turned round.
    val sound = if (fails) want.dropRight(4) ++ want.takeRight(4).map(_ ^ 0xff) else want
    assert(frame == sound, s"a frame of opcode $opcode, damaged: $fails")
    if (fails) damaged += 1
    due(if (fails) RoceCounter.TX_DAMAGED else RoceCounter.TX_PACKETS) += 1
    val aeth = opcode != 0x0e && opcode != RoceOpcode.CNP
    val payload = if (opcode == RoceOpcode.CNP) Nil else body
    left += Leaves(
      peer.get.qp.qpn,
      opcode,
      at(51, 3).toInt,
      if (aeth) frame(54) else 0,
      if (aeth) at(55, 3).toInt else 0,
      if (opcode == 0x12) at(58, 8) else 0,
      payload.size,
      RoceVectors.digest(payload.map(_.toByte).toArray),
      RoceVectors.digest(transport.map(_.toByte).toArray)
    )
  }

  // --- What comes, in bytes.
  def frame(comes: Comes): Bytes = packet(comes).bytes

  private def packet(comes: Comes): RocePacket = {
    val t = if (comes.transport.nonEmpty) comes.transport else PortBench.transport(comes)
    RocePacket(
      dstMac = RoceTraffic.mac,
      srcMac = BigInt(48, random),
      dstIp = RoceTraffic.ip,
      srcIp = comes.source,
      srcPort = random.nextInt(0x10000),
      tos = 4 * random.nextInt(64) + (if (comes.congested) 3 else random.nextInt(3)),
      id = random.nextInt(0x10000),
      ttl = random.nextInt(256),
      udpChecksum = random.nextInt(0x10000),
      opcode = t.head,
      solicited = (t(1) & 0x80) != 0,
      migrated = (t(1) & 0x40) != 0,
      pad = Some((t(1) >> 4) & 3),
      version = t(1) & 15,
      pkey = RoceReference.read(t, 2, 2).toInt,
      congestion = t(4),
      destQp = RoceReference.read(t, 5, 3).toInt,
      ack = t(8),
      psn = RoceReference.read(t, 9, 3).toInt,
      extension = t.drop(12),
      behind = if (padded && random.nextInt(4) == 0) anything(random.nextInt(20)) else Nil
    )
  }
  private def anything(bytes: Int): Bytes = RoceReference.random(random, bytes)

  /** The same packet with something wrong in it, or around it: dropped, by what the standards say. */
  private def spoilt(comes: Comes): Option[FrameIn] = {
    val right = packet(comes)
    val any = random.nextInt(8) match {
      case 0 => FrameIn(right.copy(icrcDelta = 1 + random.nextInt(255)).bytes)
      case 1 => FrameIn(right.copy(dstPort = 4791 ^ (1 << random.nextInt(16))).bytes)
      case 2 => FrameIn(right.copy(dstIp = RoceTraffic.ip ^ (BigInt(1) << random.nextInt(32))).bytes)
      case 3 => FrameIn(right.copy(cut = 1 + random.nextInt(right.bytes.size - 1)).bytes)
      case 4 => FrameIn(right.bytes, damaged = true)
      case 5 => FrameIn(right.copy(protocol = 6).bytes)
      case 6 =>
        val bytes = right.bytes
        val bit = random.nextInt(8 * bytes.size)
        FrameIn(bytes.updated(bit / 8, bytes(bit / 8) ^ (1 << (bit % 8))))
      case _ => FrameIn(RoceTraffic.any(random)._1)
    }
    // A defect that nobody can see, or a packet that happens to be sound, would be another packet for the queue pair.
    Some(any).filter(f => f.bytes.nonEmpty && judge(f.bytes, f.damaged, RoceTraffic.mac, RoceTraffic.ip).isLeft)
  }

  def begin(packets: Seq[Comes]): Unit = for (comes <- packets) {
    if (noise && random.nextInt(2) == 0) toCome ++= spoilt(comes)
    toCome += FrameIn(frame(comes))
  }
  def send(frames: Seq[FrameIn]): Unit = toCome ++= frames

  private def isQuiet: Boolean =
    toCome.isEmpty && coming.isEmpty && beats.isEmpty && !io.tx.valid.toBoolean && door.isIdle && io.rests.toBoolean

  def settle(packets: Seq[Comes]): Seq[Leaves] = {
    left.clear()
    begin(packets)
    var (quiet, cycles) = (0, 0)
    while (quiet < 24) {
      cycle()
      cycles += 1
      quiet = if (isQuiet) quiet + 1 else 0
      assert(cycles < 200000, s"nothing moves: ${toCome.size} frames are to come, $inUse places are in use")
    }
    left.toSeq
  }

  def create(qp: MakeQueuePair): Int = {
    val peer = Peer(qp, BigInt(48, random), random.nextInt(1 << 16))
    val result = registers.create(qp, peer.mac, peer.srcPort)
    if (result == RoceResult.DONE) peers(qp.qpn) = peer
    result
  }
  def create(region: MakeRegion): Int = registers.create(region)
  def remove(key: Long): Int = registers.remove(key)
  def query(qpn: Int): QueuePairEnd = registers.query(qpn)
  def seen(answer: Leaves): Leaves = answer
  def counted(number: Int): Long = registers.counter(number)

  /** What came and left is counted as it should be. */
  def checkFrames(): Unit = for ((name, number) <- RoceCounter.all if number < RoceCounter.WRITES)
    assert(counted(number) == due(number), s"$name, of ${due.toSeq.sorted}")
}

object PortBench {
  /** Packets that may wait at once for none to be refused a place, of whatever process each is ([[ArrivalTurns]]). */
  def room(slots: Int): Int = (2 * slots + 1) / 3

  /** A sound packet by its fields. */
  def transport(comes: Comes): Bytes = {
    val (headers, _) = layout(comes.opcode)
    val extension = headers match {
      case 0 => Nil
      case 4 => number(1, 4)
      case 16 | 20 => number(comes.va, 8) ++ number(comes.rkey, 4) ++ number(comes.length, 4) ++ Seq.fill(headers - 16)(1)
      case 28 => number(comes.va, 8) ++ number(comes.rkey, 4) ++ number(comes.swapAdd, 8) ++ number(comes.compare, 8)
    }
    val bth = Seq(comes.opcode, 0x40 | comes.pad << 4) ++ number(comes.pkey, 2) ++ Seq(0) ++ number(comes.qpn, 3) ++
      Seq(if (comes.ack) 0x80 else 0) ++ number(comes.psn, 3)
    bth ++ extension ++ (0 until comes.payload).map(comes.byte(_) & 0xff) ++ Seq.fill(comes.pad)(0)
  }
}
