package mneme.rdma

import mneme.mem.Stall
import mneme.wire.Wire
import mneme.wire.Wire.{RoceCommand, RoceRegister, RoceResult}
import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.AxiLite4

import scala.util.Random

/** The slow path of a port: all that it does goes over the bus. `cycle` lets one pass, in which everything else goes on. */
class PortRegisters(bus: AxiLite4, random: Random, jitter: Boolean, cycle: () => Unit, base: Int = 0) {
  private val Seq(answerStall, dataStall, addressStall) = Seq.fill(3)(new Stall(random, jitter))

  def reset(): Unit = {
    for (stream <- Seq(bus.aw.valid, bus.w.valid, bus.ar.valid, bus.b.ready, bus.r.ready)) stream #= false
    bus.aw.prot #= 0
    bus.ar.prot #= 0
  }

  /** Cycles until `done`, which is asked in each of them. */
  private def until(what: String)(done: => Boolean): Unit = {
    var (over, cycles) = (false, 0)
    while (!over) {
      cycle()
      cycles += 1
      assert(cycles < 50000, s"$what: the bus does not answer")
      over = done
    }
  }

  def write(address: Int, value: BigInt, strobe: Int = 15): Unit = {
    bus.aw.addr #= base + address
    bus.w.data #= value
    bus.w.strb #= strobe
    bus.aw.valid #= addressStall.go()
    bus.w.valid #= dataStall.go()
    var (addressed, given) = (false, false)
    until(f"write of 0x$address%x") {
      addressed |= bus.aw.valid.toBoolean && bus.aw.ready.toBoolean
      given |= bus.w.valid.toBoolean && bus.w.ready.toBoolean
      val answered = bus.b.valid.toBoolean && bus.b.ready.toBoolean
      bus.aw.valid #= !addressed && (bus.aw.valid.toBoolean || addressStall.go())
      bus.w.valid #= !given && (bus.w.valid.toBoolean || dataStall.go())
      bus.b.ready #= !answered && answerStall.go()
      answered
    }
  }

  def read(address: Int): BigInt = {
    bus.ar.addr #= base + address
    bus.ar.valid #= true
    var value = BigInt(0)
    var held = Option.empty[BigInt]
    until(f"read of 0x$address%x") {
      if (bus.ar.valid.toBoolean && bus.ar.ready.toBoolean) {
        bus.ar.valid #= false
        // An address is of no meaning when it has been taken.
        bus.ar.addr #= random.nextInt(1 << bus.ar.addr.getWidth)
      }
      val shown = bus.r.valid.toBoolean
      if (shown) {
        value = bus.r.data.toBigInt
        for (before <- held) assert(before == value, "an answer changes while it waits")
        held = Some(value)
      }
      val answered = shown && bus.r.ready.toBoolean
      bus.r.ready #= !answered && answerStall.go()
      answered
    }
    value
  }

  def counter(number: Int): Long = read(Wire.ROCE_COUNTERS + 4 * number).toLong

  /** Waits until no command is under way, and gives how the last one ended. */
  def result(): Int = {
    var (result, reads) = (RoceResult.PENDING, 0)
    while (result == RoceResult.PENDING) {
      result = read(RoceRegister.ROCE_RESULT).toInt
      reads += 1
      assert(reads < 20000, "a command never ends")
    }
    result
  }

  /** Writes the registers, in any order, and then the command. */
  def command(number: BigInt, registers: (Int, BigInt)*): Int = {
    for ((register, value) <- random.shuffle(registers)) write(register, value)
    write(RoceRegister.ROCE_COMMAND, number)
    result()
  }

  private def low(value: BigInt): BigInt = value & 0xffffffffL

  /** Pages of 4 KB that the next queue pair may give up, if any. */
  var pages = Option.empty[MakeRegion]
  /** Of queue pairs that are made: bytes a period; 0: as can. */
  var rate = 0
  def create(qp: MakeQueuePair, mac: BigInt, srcPort: Int): Int = command(
    RoceCommand.CREATE_QUEUE_PAIR,
    Seq[(Int, BigInt)](
      RoceRegister.ROCE_QPN -> qp.qpn,
      RoceRegister.ROCE_PEER_QPN -> qp.peerQpn,
      RoceRegister.ROCE_PEER_IP -> qp.peer,
      RoceRegister.ROCE_PEER_MAC_LOW -> low(mac),
      RoceRegister.ROCE_PEER_MAC_HIGH -> (mac >> 32),
      RoceRegister.ROCE_PORT_PKEY -> (BigInt(qp.pkey) << 16 | srcPort),
      RoceRegister.ROCE_PID -> qp.pid,
      RoceRegister.ROCE_PSN -> qp.psn,
      RoceRegister.ROCE_RATE -> (BigInt(rate) & 0xffffffffL),
      RoceRegister.ROCE_OPTIONS -> (qp.mtu | (if (qp.hardened) Wire.ROCE_HARDENED else 0) | (if (pages.isDefined) Wire.ROCE_FREES else 0))
    ) ++ pages.toSeq.flatMap(range): _*
  )
  private def range(region: MakeRegion): Seq[(Int, BigInt)] = Seq(
    RoceRegister.ROCE_VA_LOW -> low(region.va),
    RoceRegister.ROCE_VA_HIGH -> (region.va >> 32),
    RoceRegister.ROCE_LENGTH_LOW -> low(region.length),
    RoceRegister.ROCE_LENGTH_HIGH -> (region.length >> 32)
  )
  def create(region: MakeRegion): Int = command(
    RoceCommand.CREATE_REGION,
    RoceRegister.ROCE_KEY -> region.key,
    RoceRegister.ROCE_PID -> region.pid,
    RoceRegister.ROCE_VA_LOW -> low(region.va),
    RoceRegister.ROCE_VA_HIGH -> (region.va >> 32),
    RoceRegister.ROCE_LENGTH_LOW -> low(region.length),
    RoceRegister.ROCE_LENGTH_HIGH -> (region.length >> 32),
    RoceRegister.ROCE_RIGHTS -> region.rights
  )
  def remove(key: Long): Int = command(RoceCommand.REMOVE_REGION, RoceRegister.ROCE_KEY -> key)
  def about(number: Int, qpn: Int): Int = command(number, RoceRegister.ROCE_QPN -> qpn)

  def query(qpn: Int): QueuePairEnd = {
    assert(about(RoceCommand.QUERY_QUEUE_PAIR, qpn) == RoceResult.DONE)
    val state = read(RoceRegister.ROCE_STATE).toInt
    QueuePairEnd(qpn, read(RoceRegister.ROCE_EXPECTED).toInt, read(RoceRegister.ROCE_MSN).toInt, (state & Wire.ROCE_IN_ERROR) != 0)
  }
}
