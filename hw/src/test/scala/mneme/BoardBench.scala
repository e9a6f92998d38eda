package mneme

import mneme.net.{FrameSpec, Frames}
import mneme.wire.Wire
import mneme.wire.Wire.{MatAction, Opcode, Pte, Register, ReplaceStatus}
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.sim.{AxiMemorySim, AxiMemorySimConfig}
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver
import spinal.lib.sim.{StreamDriver, StreamMonitor, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** An answer of the board, without what is the same in each. */
case class Reply(status: Int, slow: Boolean, va: BigInt, length: Int, payload: Seq[Int], opId: BigInt, kind: Int, timed: Boolean, time: Int)

/** A board as the slow path has it: registers, boot, requests in, answers out. What goes to the slow path comes back as an answer of status OK. */
class BoardBench(dut: CBoard, config: CBoardConfig, seed: Int, memoryConfig: AxiMemorySimConfig = BoardBench.moody) {
  val random = new Random(seed)
  val domain = dut.clockDomain
  domain.forkStimulus(10)
  dut.io.memReset #= true
  fork { domain.waitSampling(); dut.io.memReset #= false }
  SimTimeout(100000000)
  private val memory = AxiMemorySim(dut.io.mem, domain, memoryConfig)
  memory.start()
  if (config.doors > 1 && !config.traffic) for (door <- dut.io.doors) {
    door.tokens.valid #= false
    door.data.fetched.valid #= false
  }
  private val driver = AxiLite4Driver(dut.io.regs, domain)
  def read(address: Int): BigInt = driver.read(address)
  def write(address: Int, value: BigInt): Unit = driver.write(address, value)
  def counter(index: Int): Int = read(Wire.COUNTER_BASE + 4 * index).toInt

  val mac = BigInt("0200c0ffee01", 16)
  val ip = BigInt("0a000001", 16)
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
  private var takes: Float => Unit = _ => ()
  /** The share of cycles in which egress is taken. */
  def take(share: Float): Unit = takes(share)
  for ((port, sink) <- Seq[(spinal.lib.Stream[net.FrameBeat], Seq[Int] => Unit)](dut.io.net.tx -> parse, dut.io.slow.tx -> serve)) {
    val ready = StreamReadyRandomizer(port, domain)
    ready.setFactor(0.9f)
    if (port == dut.io.net.tx) takes = share => ready.setFactor(share)
    var bytes = Seq[Int]()
    StreamMonitor(port, domain) { p =>
      bytes ++= Frames.bytesOf(p.data.toBigInt, p.keep.toBigInt)
      if (p.last.toBoolean) { sink(bytes); bytes = Nil }
    }
  }
  private def parse(bytes: Seq[Int]): Unit = {
    val frame = bytes.toArray
    frames.enqueue(bytes)
    lastOut = cycle
    assert(Frames.onesSum(bytes.slice(14, 34)) == 0xffff && Frames.read(frame, 16, 2) == frame.length - 14)
    answers.enqueue(Reply(
      frame(44) & ~Wire.STATUS_SLOW_BIT,
      (frame(44) & Wire.STATUS_SLOW_BIT) != 0,
      Frames.read(frame, 56, 6),
      Frames.read(frame, 62, 2).toInt,
      bytes.drop(64),
      Frames.read(frame, 48, 4),
      (frame(42) >> 2) & 3,
      (frame(42) & Wire.TIMED_BIT) != 0,
      Frames.read(frame, 53, 3).toInt
    ))
  }

  /** The slow path's part: PING is answered, ARP only taken. */
  private def serve(bytes: Seq[Int]): Unit =
    if (Frames.read(bytes.toArray, 12, 2) == 0x0800)
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
  /** A request that is right in every field. */
  def request(opcode: Int, va: BigInt, length: Int, payload: Seq[Int], pid: Int, id: Int): FrameSpec =
    FrameSpec(
      dstMac = mac,
      srcMac = BigInt("020000000002", 16),
      dstIp = ip,
      dstPort = 19790,
      opcode = opcode,
      epoch = 9,
      pid = pid,
      opId = id,
      time = time,
      va = va,
      length = length,
      payload = payload
    )
  private var time = 0
  /** The time that requests carry from now on; a retry carries that of its first attempt. */
  def stamp(): Unit = time = read(Register.TICK).toInt
  def answer(): Reply = {
    domain.waitSamplingWhere(answers.nonEmpty)
    answers.dequeue()
  }
  def ask(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, pid: Int = 7, opId: Int = 0, kind: Int = 0, timed: Boolean = false): Reply = {
    send(opcode, va, length, payload, pid, opId, kind, timed)
    answer()
  }

  /** Zeroes the table, fills the async buffer, writes the table of rules, enables. */
  def boot(): Unit = {
    domain.waitSampling(200)
    assert(read(Register.MAGIC) == Wire.MAGIC)
    push(BigInt(1) << 31)
    while (read(Register.ZERO_PENDING) != 0) domain.waitSampling(50)
    for (page <- 1 to config.asyncDepth) push(page)
    while (read(Register.ASYNC_LEVEL) != config.asyncDepth) domain.waitSampling(50)
    write(Register.MAC_LOW, mac & 0xffffffffL)
    write(Register.MAC_HIGH, mac >> 32)
    write(Register.IP, ip)
    write(Register.EPOCH, 9)
    write(Register.WINDOW, 1 << 16)
    val rows = Seq(
      (0x08001100L, 0xfffffff0L, MatAction.FAST),
      (0x08060000L, 0xffff0000L, MatAction.SLOW),
      (0x08001100L | Opcode.PING, 0xffffffffL, MatAction.SLOW)
    )
    for (((value, mask, action), row) <- rows.zipWithIndex) {
      write(Register.MAT_VALUE0, value)
      write(Register.MAT_VALUE1, 0)
      write(Register.MAT_MASK0, mask)
      write(Register.MAT_MASK1, 0)
      write(Register.MAT_COMMIT, row | (action << 8) | (1 << 16))
    }
    write(Register.CONTROL, 1)
    stamp()
  }
  def push(page: BigInt): Unit = {
    while (read(Register.ZERO_SPACE) == 0) domain.waitSampling(50)
    write(Register.ZERO_PUSH, page)
  }

  /** Sets the entry of a page whole; gives the status of the command. */
  def replace(pid: Int, vpn: BigInt, entry: BigInt): Int = {
    write(Register.REPLACE_PID, pid)
    write(Register.REPLACE_VPN, vpn)
    for (word <- Seq(Register.REPLACE_COMPARE_LOW, Register.REPLACE_COMPARE_HIGH, Register.REPLACE_EXPECTED_LOW, Register.REPLACE_EXPECTED_HIGH))
      write(word, 0)
    write(Register.REPLACE_WRITE_LOW, 0xffffffffL)
    write(Register.REPLACE_WRITE_HIGH, 0xffffffffL)
    write(Register.REPLACE_NEW_LOW, entry & 0xffffffffL)
    write(Register.REPLACE_NEW_HIGH, entry >> 32)
    write(Register.REPLACE_GO, 1)
    while (read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING) domain.waitSampling(10)
    read(Register.REPLACE_STATUS).toInt
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
