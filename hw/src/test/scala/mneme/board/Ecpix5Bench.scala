package mneme.board

import mneme.board.RgmiiSim.{Cycle, idle, onLine}
import mneme.board.XgmiiSim.{fcs, padded}
import mneme.net.Frames
import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister._
import mneme.wire.Wire.HostKind
import mneme.wire.Wire.HostRegister._
import mneme.{BoardRegisters, CBoardConfig, Reply}
import spinal.core._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** An ECPIX-5 from RGMII's pins to DRAM; its only way in is the line, for the host's register accesses too. Periods are in ps. */
class Ecpix5Bench(dut: Ecpix5, config: CBoardConfig, seed: Int, core: Int = 25000, rx: Int = 8000, tx: Int = 8000, controller: Int = 13333)
    extends BoardRegisters(config) {
  val r = new Random(seed)
  val clock: ClockDomain = dut.clockDomain
  SimTimeout(25000L * 4000000)
  private val key = Seq.tabulate(16)(i => 7 * i + 2)
  val peer = new HostSim(mac, BigInt("020000000009", 16), key)
  dut.io.identity.board #= peer.board
  dut.io.identity.host #= peer.host
  dut.io.identity.key #= key.zipWithIndex.map { case (b, i) => BigInt(b) << 8 * i }.sum
  dut.io.build.hash #= 0x12345678L
  dut.io.build.date #= 1
  dut.io.mem_reset #= true
  dut.io.mem_calibrated #= false
  // 150 ns, about what a small controller of DDR3 takes.
  private val memory = new DramSim(dut.io.mem, ClockDomain(dut.io.mem_clock), 1 << config.memBits, latency = 11, () => dut.io.mem_calibrated.toBoolean)
  // The controller's registers; the one at 0 says that it is calibrated.
  private val controllerRegisters = mutable.Map[Int, BigInt]()
  dut.io.ctrl.ack #= false
  ClockDomain(dut.io.mem_clock).onSamplings {
    val c = dut.io.ctrl
    val acks = c.stb.toBoolean && !c.ack.toBoolean && !dut.io.mem_reset.toBoolean && r.nextInt(3) > 0
    c.ack #= acks
    if (acks) {
      if (c.we.toBoolean) controllerRegisters(4 * c.adr.toInt) = c.dat_w.toBigInt
      c.dat_r #= (if (c.we.toBoolean) BigInt(32, r) else controllerRegisters.getOrElse(4 * c.adr.toInt, BigInt(0)))
      dut.io.mem_calibrated #= controllerRegisters.get(0).contains(BigInt(1))
    }
  }

  // --- The line.
  val toPort = mutable.Queue[Cycle]()
  var damagePerMillion = 0
  /** What came back, without check sequences: the host's answers, and all others; how many had wrong ones. */
  val (received, answers) = (mutable.Queue[Seq[Int]](), mutable.Queue[Seq[Int]]())
  var damaged = 0
  /** The cycle in which the line's last byte went in, and that in which the first frame's preamble came out. */
  var (lastIn, firstOut) = (0L, 0L)
  private val coming = mutable.ArrayBuffer[Int]()
  private def drive(): Unit = {
    val cycle = if (toPort.isEmpty) idle else toPort.dequeue()
    if (cycle.valid) lastIn = simTime()
    RgmiiSim.drive(dut.io.rx, if (cycle.valid && r.nextInt(1000000) < damagePerMillion) cycle.copy(byte = cycle.byte ^ 1 << r.nextInt(8)) else cycle)
  }
  private def look(): Unit = {
    val cycle = RgmiiSim.read(dut.io.tx)
    if (cycle.valid) {
      if (firstOut == 0) firstOut = simTime()
      coming += cycle.byte
    } else if (coming.nonEmpty) {
      val bytes = coming.drop(8).toSeq
      if (fcs(bytes.dropRight(4)) != bytes.takeRight(4)) damaged += 1
      else (if (bytes.slice(12, 14) == Seq(0x88, 0xb6)) answers else received) += bytes.dropRight(4)
      coming.clear()
    }
  }
  RgmiiSim.drive(dut.io.rx, idle)
  LineSim.run(dut.io.rx_clock, rx)
  LineSim.run(dut.io.tx_clock, tx)
  LineSim.run(dut.io.mem_clock, controller)
  ClockDomain(dut.io.rx_clock).onSamplings(drive())
  ClockDomain(dut.io.tx_clock).onSamplings(look())
  clock.forkStimulus(core)

  def forget(): Unit = { received.clear(); answers.clear(); damaged = 0 }
  def send(frame: Seq[Int]): Unit = toPort ++= onLine(padded(frame)) ++ Seq.fill(12)(idle)
  // Lets time pass, whether the core is in reset or not.
  def cycles(count: Int): Unit = sleep(core.toLong * count)
  def until(what: String, most: Int = 200000)(condition: => Boolean): Unit = {
    var left = most
    while (!condition) { cycles(10); left -= 10; assert(left > 0, s"never: $what") }
  }

  // --- The host. A frame that is lost is sent again as it was.
  var hostRetries = 0
  private def exchange(asked: Seq[Int]): Seq[Int] = {
    // An answer to an earlier frame that was repeated may come yet.
    def isOurs(answer: Seq[Int]) = answer.slice(Wire.HOST_SEQUENCE, Wire.HOST_SEQUENCE + 8) == asked.slice(Wire.HOST_SEQUENCE, Wire.HOST_SEQUENCE + 8)
    for (attempt <- 0 until 20) {
      send(asked)
      until("the line")(toPort.isEmpty)
      var left = 800
      while (left > 0) {
        while (answers.nonEmpty) {
          val answer = answers.dequeue()
          if (isOurs(answer)) return answer
        }
        cycles(4)
        left -= 4
      }
      hostRetries += 1
    }
    fail("no answer of the registers in 20 attempts")
  }
  private def fail(words: String): Nothing = throw new AssertionError(words)
  private def access(kind: Int, address: Int, data: BigInt): BigInt = {
    val asked = peer.access(kind, address, data)
    peer.word(exchange(asked), asked)
  }
  def read(address: Int): BigInt = access(HostKind.READ, address, 0)
  def write(address: Int, value: BigInt): Unit = access(HostKind.WRITE, address, value)
  def greet(): Unit = {
    val hello = peer.hello(BigInt(64, r))
    peer.greeted(exchange(hello), hello)
  }

  // --- The slow path on the host: frames through the mail's registers.
  private val inbox = mutable.ArrayBuffer[Int]()
  /** Takes what is there; the frame when it is whole. */
  def takeMail(): Option[Seq[Int]] = {
    var whole = Option.empty[Seq[Int]]
    while (whole.isEmpty && (read(MAIL_STATUS) & Wire.MAIL_HAS) != 0) {
      val told = read(MAIL_BEAT).toInt
      val words = (0 to (told & Wire.MAIL_LAST_BYTE_MASK) / 4).map(i => read(Wire.MAIL_IN + 4 * i))
      inbox ++= words.flatMap(w => Frames.number(w, 4).reverse).take((told & Wire.MAIL_LAST_BYTE_MASK) + 1)
      write(MAIL_BEAT, 0)
      if ((told & Wire.MAIL_LAST) != 0) { whole = Some(inbox.toSeq); inbox.clear() }
    }
    whole
  }
  def giveMail(frame: Seq[Int]): Unit = for ((part, i) <- frame.grouped(64).zipWithIndex) {
    for ((word, k) <- part.grouped(4).zipWithIndex) write(Wire.MAIL_OUT + 4 * k, word.zipWithIndex.map { case (b, j) => BigInt(b) << 8 * j }.sum)
    while ((read(MAIL_STATUS) & Wire.MAIL_ROOM) == 0) cycles(10)
    write(MAIL_SEND, (part.size - 1) | (if (64 * (i + 1) >= frame.size) Wire.MAIL_LAST else 0))
  }

  // --- Requests, sent again until they are answered.
  private var nextId = 1
  var retries = 0
  def ask(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil): Reply = {
    nextId += 1
    val id = nextId
    for (attempt <- 0 until 20) {
      send(request(opcode, va, length, payload, 7, id).copy(attempt = attempt).bytes.toSeq)
      var left = 4000
      while (left > 0) {
        cycles(4)
        left -= 4
        while (received.nonEmpty) {
          val frame = received.dequeue()
          // Short answers are padded on the line.
          val reply = Reply.of(frame.take(14 + Frames.read(frame.toArray, 16, 2).toInt))
          if (reply.opId == id) return reply
        }
      }
      retries += 1
    }
    fail("no answer in 20 attempts")
  }
  /** From the cycle with the request's last byte to that with the answer's first of its preamble, in ns. */
  def timed(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil): Double = {
    cycles(100 + r.nextInt(50))
    firstOut = 0
    assert(ask(opcode, va, length, payload).status == 0)
    (firstOut - lastIn) / 1000.0
  }

  def readController(address: Int): BigInt = {
    write(DRAM_ADDRESS, address)
    write(DRAM_READ, 0)
    until("the controller")((read(DRAM_STATUS) & Wire.DRAM_BUSY) == 0)
    read(DRAM_DATA)
  }
  def writeController(address: Int, value: BigInt): Unit = {
    write(DRAM_ADDRESS, address)
    write(DRAM_DATA, value)
    until("the controller")((read(DRAM_STATUS) & Wire.DRAM_BUSY) == 0)
  }
  def calibrate(): Unit = {
    dut.io.mem_reset #= false
    writeController(0x1014, 0xfeedbeefL)
    assert(readController(0x1014) == 0xfeedbeefL)
    writeController(0, 1)
    until("DRAM")((read(DEVICE_STATUS) & Wire.DEVICE_MEMORY_READY) != 0)
  }
  def up(): Unit = {
    greet()
    calibrate()
    boot(pages = 1)
  }
}
