package mneme.rdma

import mneme.Simulation
import mneme.engine.PayloadBeat
import mneme.rdma.RoceReference._
import mneme.wire.Wire.RoceCounter
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.sim.{StreamDriver, StreamReadyRandomizer}

import scala.collection.mutable
import scala.util.Random

/** One board's transmit side on another's receive side. */
case class RoceLink(slots: Int) extends Component {
  val io = new Bundle {
    val departures = slave(Stream(RoceDeparture()))
    val payload = slave(Stream(PayloadBeat()))
    val from, to = in(RoceLocal())
    val arrivals = master(Stream(RoceArrival(slots)))
    val read = slave(Flow(StoreBeat(slots)))
    val data = out Bits (512 bits)
    val giveBack = slave(Flow(UInt(log2Up(slots) bits)))
    val counted = master(Flow(UInt(RoceCounters.BITS bits)))
    val index = in UInt (RoceCounters.BITS bits)
    val value = out UInt (32 bits)
  }
  private val transmit = RoceTransmit()
  transmit.io.departures << io.departures
  transmit.io.payload << io.payload
  transmit.io.local := io.from
  private val receive = RoceReceive(slots, "block")
  receive.io.frames << transmit.io.frames
  receive.io.owners.setIdle()
  receive.io.local := io.to
  io.arrivals << receive.io.arrivals
  receive.io.read << io.read
  io.data := receive.io.data
  receive.io.giveBack << io.giveBack
  io.counted << receive.io.counted
  private val counters = RoceCounters()
  counters.io.receive << receive.io.counted
  counters.io.transmit << transmit.io.counted
  counters.io.responder.setIdle()
  counters.io.index := io.index
  io.value := counters.io.value
}

/** What leaves one board arrives at another, but for what was damaged. */
class RoceRoundTripTest extends AnyFunSuite {
  test("packets of one board arrive at another as they left, damaged ones do not") {
    Simulation.config.compile(RoceLink(16)).doSim("link", 1) { dut =>
      SimTimeout(10000000)
      import dut.io
      val r = new Random(1)
      val (mac, ip) = (BigInt("0200000000aa", 16), BigInt("0a0000aa", 16))
      val leaving = Seq.fill(800) {
        val any = Leaving.any(r, Leaving.answers)
        any.copy(packet = any.packet.copy(dstMac = mac, dstIp = ip))
      }
      val arriving = mutable.Queue.from(leaving.filter(_.failsAt.isEmpty).map(l => judge(l.frame, damaged = false, mac, ip).toOption.get))
      val counted = mutable.Map[Int, Int]().withDefaultValue(0)
      io.from.mac #= RoceTraffic.mac
      io.from.ip #= RoceTraffic.ip
      io.to.mac #= mac
      io.to.ip #= ip
      io.read.valid #= false
      io.giveBack.valid #= false
      io.index #= 0
      dut.clockDomain.forkStimulus(10)
      val (departures, payload) = (
        leaving.iterator,
        leaving.iterator.filter(_.beats > 0).flatMap { l =>
          l.packet.payload.grouped(64).zipWithIndex.map { case (bytes, i) => (bytes, l.failsAt.contains(i)) }
        }
      )
      StreamDriver(io.departures, dut.clockDomain) { p => departures.hasNext && { Leaving.drive(p, departures.next()); true } }
      StreamDriver(io.payload, dut.clockDomain) { p =>
        payload.hasNext && {
          val (bytes, fails) = payload.next()
          p.data #= bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
          p.error #= fails
          true
        }
      }
      StreamReadyRandomizer(io.arrivals, dut.clockDomain).setFactor(0.9f)
      dut.clockDomain.onSamplings {
        if (io.counted.valid.toBoolean) counted(io.counted.payload.toInt) += 1
        // Its place comes back at once: what is stored is RoceReceiveTest's matter.
        val comes = io.arrivals.valid.toBoolean && io.arrivals.ready.toBoolean
        io.giveBack.valid #= comes
        if (comes) {
          val (due, got) = (arriving.dequeue(), io.arrivals.payload)
          for ((name, element) <- got.headers.elements; value <- due.fields.get(name)) assert(RoceReceiveTest.value(element) == value, name)
          assert(got.malformed.toBoolean == due.malformed && got.offset.toInt == due.offset)
          io.giveBack.payload #= got.slot.toInt
        }
      }
      dut.clockDomain.waitSamplingWhere(counted.values.sum == leaving.size && arriving.isEmpty)
      val failed = leaving.count(_.failsAt.isDefined)
      assert(failed > 20 && counted.toMap == Map(RoceCounter.DROP_DAMAGED -> failed, RoceCounter.RX_PACKETS -> (leaving.size - failed)))
      dut.clockDomain.waitSampling(5)
      val read = for (index <- 0 until 1 << RoceCounters.BITS) yield {
        io.index #= index
        dut.clockDomain.waitSampling(2)
        index -> io.value.toBigInt.toInt
      }
      val sent = Map(RoceCounter.TX_PACKETS -> (leaving.size - failed), RoceCounter.TX_DAMAGED -> failed)
      assert(read.filter(_._2 != 0).toMap == counted.toMap ++ sent)
    }
  }
}
