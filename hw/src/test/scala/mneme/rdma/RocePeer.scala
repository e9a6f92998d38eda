package mneme.rdma

import mneme.net.Frames
import mneme.rdma.RoceReference.icrc
import mneme.wire.Wire
import mneme.wire.Wire.{RoceCommand, RoceRegister, RoceResult}
import mneme.{BoardBench, CBoard}
import spinal.core.sim._

import scala.util.Random

/** The other end of one queue pair of a whole core's port; of a second one beside `first`, of the same process and region. */
class RocePeer(dut: CBoard, val b: BoardBench, seed: Int, first: Option[RocePeer] = None) {
  import RocePortTest.{READ, WRITE}
  private val random = new Random(seed)
  val registers: PortRegisters = first.map(_.registers).getOrElse {
    val own = new PortRegisters(dut.io.regs, random, jitter = true, () => dut.clockDomain.waitSampling(), Wire.ROCE_BASE)
    own.reset()
    own
  }
  val qp: MakeQueuePair = RocePortTest.qp.copy(qpn = first.fold(0x1105)(_.qp.qpn + 1))
  private var region: MakeRegion = first.fold(RocePortTest.region)(_.region)
  private var psn = qp.psn

  if (first.isDefined) assert(registers.create(qp, BigInt("0200000000bb", 16), 0xc000) == RoceResult.DONE)

  /** The slow path makes the queue pair and its region. */
  def join(va: Long, length: Long): Unit = {
    region = region.copy(va = va, length = length)
    assert(registers.result() == RoceResult.DONE)
    assert(registers.create(qp, BigInt("0200000000bb", 16), 0xc000) == RoceResult.DONE && registers.create(region) == RoceResult.DONE)
  }

  /** The same, and it may give up pages of 4 KB: those of its region, the first of which is the `first` of a segment. */
  def joinFrees(va: Long, length: Long, segment: Int, first: Int): Unit = {
    for ((register, value) <- Seq(RoceRegister.ROCE_FREE_SEGMENT -> segment, RoceRegister.ROCE_FREE_PAGE -> first)) registers.write(register, value)
    registers.pages = Some(region.copy(va = va, length = length))
    join(va, length)
  }

  /** A packet of the peer's, as a frame. */
  def send(opcode: Int, va: BigInt, length: Int, payload: Seq[Int] = Nil, add: BigInt = 0, destQp: Int = qp.qpn, bare: Boolean = false): Unit = {
    val reth = Frames.number(va, 8) ++ Frames.number(BigInt(region.key), 4)
    val rest = if (opcode == 0x14) Frames.number(add, 8) ++ Frames.number(0, 8) else Frames.number(BigInt(length), 4)
    b.sendFrame(RocePacket(
      dstMac = b.mac,
      srcMac = BigInt("0200000000bb", 16),
      dstIp = b.ip,
      srcIp = qp.peer,
      opcode = opcode,
      pkey = qp.pkey,
      destQp = destQp,
      ack = 0x80,
      psn = psn,
      extension = if (bare) Nil else (reth ++ rest).toSeq,
      payload = payload
    ).bytes.toArray)
    psn += 1
  }
  def write(va: BigInt, payload: Seq[Int]): Unit = send(WRITE, va, payload.size, payload)
  def read(va: BigInt, length: Int): Unit = send(READ, va, length)
  /** Pages are given up: addresses and how many. */
  def free(ranges: (BigInt, BigInt)*): Unit =
    send(
      RoceOpcode.SEND_ONLY,
      0,
      0,
      ranges.flatMap { case (va, pages) => (Frames.number(va, 8).reverse ++ Frames.number(pages, 8).reverse).toSeq },
      bare = true
    )

  /** The next frame that leaves, which is the port's: opcode, syndrome, and what is behind the acknowledge's header, pad included. */
  def answer(): (Int, Int, Seq[Int]) = {
    dut.clockDomain.waitSamplingWhere(b.frames.nonEmpty)
    val frame = b.frames.dequeue()
    b.answers.dequeue()
    assert(Frames.read(frame.toArray, 34, 4) == (BigInt(0xc000) << 16 | 4791) && frame.slice(0, 6) == Seq(2, 0, 0, 0, 0, 0xbb))
    assert(icrc(frame.dropRight(4)) == frame.takeRight(4))
    (frame(42), frame(54), frame.slice(58, frame.size - 4))
  }
  /** The last packet comes once more; one does not come once more. */
  def again(): Unit = psn -= 1
  def skip(): Unit = psn += 1

  /** The queue pair has ended in an error: the slow path makes it anew. */
  def renew(): Unit = {
    assert(registers.about(RoceCommand.DESTROY_QUEUE_PAIR, qp.qpn) == RoceResult.DONE)
    psn = qp.psn
    assert(registers.create(qp, BigInt("0200000000bb", 16), 0xc000) == RoceResult.DONE)
  }
}
