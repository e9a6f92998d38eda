package mneme

import mneme.net.Frames
import mneme.wire.Wire
import mneme.wire.Wire.Pte
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.sim.AxiMemorySimConfig
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** An answer of the board, without what is the same in each. */
case class Reply(status: Int, slow: Boolean, va: BigInt, length: Int, payload: Seq[Int], opId: BigInt, kind: Int, timed: Boolean, time: Int)

object Reply {
  /** Of an answer's frame, which is right in its headers. */
  def of(bytes: Seq[Int]): Reply = {
    val frame = bytes.toArray
    assert(Frames.onesSum(bytes.slice(14, 34)) == 0xffff && Frames.read(frame, 16, 2) == frame.length - 14)
    Reply(
      frame(44) & ~Wire.STATUS_SLOW_BIT,
      (frame(44) & Wire.STATUS_SLOW_BIT) != 0,
      Frames.read(frame, 56, 6),
      Frames.read(frame, 62, 2).toInt,
      bytes.drop(64),
      Frames.read(frame, 48, 4),
      (frame(42) >> 2) & 3,
      (frame(42) & Wire.TIMED_BIT) != 0,
      Frames.read(frame, 53, 3).toInt
    )
  }
}

/** A board as the slow path has it: registers, boot, requests in, answers out. What goes to the slow path comes back as an answer of status OK. */
class BoardBench(dut: CBoard, config: CBoardConfig, seed: Int, memoryConfig: AxiMemorySimConfig = BoardBench.moody) extends BoardRegisters(config) {
  val random = new Random(seed)
  val domain = dut.clockDomain
  domain.forkStimulus(10)
  dut.io.memReset #= true
  fork { domain.waitSampling(); dut.io.memReset #= false }
  SimTimeout(100000000)
  val memory = new BenchMemory(dut.io.mem, domain, memoryConfig)
  if (config.doors > 1 && !config.traffic && config.rdma == 0) for (door <- dut.io.doors) {
    door.tokens.valid #= false
    door.data.fetched.valid #= false
  }
  private val driver = AxiLite4Driver(dut.io.regs, domain)
  def read(address: Int): BigInt = driver.read(address)
  def write(address: Int, value: BigInt): Unit = {
    // Others may drive this bus, too, and leave answers untaken.
    dut.io.regs.b.ready #= true
    driver.write(address, value)
  }
  def cycles(count: Int): Unit = domain.waitSampling(count)

  private val toSend = mutable.Queue[(BigInt, BigInt, Boolean, Boolean)]()
  val answers = mutable.Queue[Reply]()
  /** The same as whole frames, and the cycle in which the last of them ended. */
  val frames = mutable.Queue[Seq[Int]]()
  var lastOut = 0L
  private val receive = StreamDriver(dut.io.net.rx, domain) { p =>
    if (toSend.isEmpty) false
    else {
      val (data, keep, last, damaged) = toSend.dequeue()
      p.data #= data; p.keep #= keep; p.last #= last; p.user #= (if (last && damaged) 1 else 0)
      true
    }
  }
  receive.setFactor(0.9f)
  private var cycle, lastIn, firstOut = 0L
  private var answering = false
  /** Cycles from the last request's last beat at the port to the last answer's first there. */
  def between: Long = firstOut - lastIn
  domain.onSamplings {
    val (rx, tx) = (dut.io.net.rx, dut.io.net.tx)
    cycle += 1
    if (rx.valid.toBoolean && rx.last.toBoolean) lastIn = cycle
    if (tx.valid.toBoolean && !answering) firstOut = cycle
    answering = tx.valid.toBoolean && !(tx.ready.toBoolean && tx.last.toBoolean) || !tx.valid.toBoolean && answering
  }
  def lineRate(): Unit = receive.setFactor(1f)
  def sending: Boolean = toSend.nonEmpty
  private val fromSlow = mutable.Queue[(BigInt, BigInt, Boolean)]()
  StreamDriver(dut.io.slow.rx, domain) { p =>
    if (fromSlow.isEmpty) false
    else { val (data, keep, last) = fromSlow.dequeue(); p.data #= data; p.keep #= keep; p.last #= last; p.user #= 0; true }
  }
  private var takes, takesSlow: Float => Unit = _ => ()
  /** The share of cycles in which egress is taken. */
  def take(share: Float): Unit = takes(share)
  /** The same of what goes to the slow path. */
  def takeSlow(share: Float): Unit = takesSlow(share)
  for ((port, sink) <- Seq[(spinal.lib.Stream[net.FrameBeat], Seq[Int] => Unit)](dut.io.net.tx -> parse, dut.io.slow.tx -> serve)) {
    val ready = StreamReadyRandomizer(port, domain)
    ready.setFactor(0.9f)
    if (port == dut.io.net.tx) takes = share => ready.setFactor(share) else takesSlow = share => ready.setFactor(share)
    var bytes = Seq[Int]()
    StreamMonitor(port, domain) { p =>
      bytes ++= Frames.bytesOf(p.data.toBigInt, p.keep.toBigInt)
      if (p.last.toBoolean) { sink(bytes); bytes = Nil }
    }
  }
  /** Who takes frames for himself, before anybody else sees them. */
  var taken: Seq[Int] => Boolean = _ => false
  private def parse(bytes: Seq[Int]): Unit = {
    lastOut = cycle
    if (!taken(bytes)) {
      frames.enqueue(bytes)
      answers.enqueue(Reply.of(bytes))
    }
  }

  /** Frames of RoCEv2 that came to the slow path. */
  val management = mutable.Queue[Seq[Int]]()

  /** The slow path's part: PING is answered, ARP and RoCEv2 only taken. */
  private def serve(bytes: Seq[Int]): Unit =
    if (Frames.read(bytes.toArray, 36, 2) == 4791) management.enqueue(bytes)
    else if (Frames.read(bytes.toArray, 12, 2) == 0x0800)
      Frames.beats(bytes.updated(43, bytes(43) | 0x80).updated(44, 0).toArray).foreach(fromSlow.enqueue(_))

  /** A frame as it is. */
  def sendFrame(bytes: Array[Int], damaged: Boolean = false): Unit =
    for ((data, keep, last) <- Frames.beats(bytes)) toSend.enqueue((data, keep, last, damaged))

  private var nextId = 1
  def send(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, pid: Int = 7, opId: Int = 0, kind: Int = 0, timed: Boolean = false): Int = {
    val id = if (opId != 0) opId else { nextId += 1; nextId }
    sendFrame(request(opcode, va, length, payload, pid, id).copy(flags = 0x10 | (kind << 2) | (if (timed) Wire.TIMED_BIT else 0)).bytes)
    id
  }
  def answer(): Reply = {
    domain.waitSamplingWhere(answers.nonEmpty)
    answers.dequeue()
  }
  def ask(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, pid: Int = 7, opId: Int = 0, kind: Int = 0, timed: Boolean = false): Reply = {
    send(opcode, va, length, payload, pid, opId, kind, timed)
    answer()
  }
}

object BoardBench {
  /** Memory that now and then stops for some cycles. */
  private val moody = AxiMemorySimConfig(interruptProbability = 10, interruptMaxDelay = 5)
  /** Memory that takes as long each time. */
  def steady: AxiMemorySimConfig = AxiMemorySimConfig(readResponseDelay = 10, writeResponseDelay = 10)
  val readWrite: BigInt = (BigInt(1) << Pte.ALLOCATED) | (BigInt(1) << Pte.READ) | (BigInt(1) << Pte.WRITE)
  /** The bytes of a word. */
  def word(value: BigInt): Seq[Int] = Seq.tabulate(8)(i => ((value >> (8 * i)) & 0xff).toInt)
}
