package mneme.net

import mneme.wire.Wire.Counter
import mneme.{CBoardConfig, CounterEvents}
import spinal.core._
import spinal.lib._

/** Lets responses and the slow path's frames leave in turn, whole frames each. */
case class Egress(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val responses = slave(Stream(FrameBeat()))
    val slow = slave(Stream(FrameBeat()))
    val net = master(Stream(FrameBeat()))
    val events = out(CounterEvents())
  }

  private val arbiter = StreamArbiterFactory().roundRobin.lambdaLock[FrameBeat](_.last).buildOn(io.responses, io.slow)
  arbiter.io.output >> io.net

  private val events = CounterEvents()
  events := 0
  events(Counter.TX_FRAMES) := io.net.fire && io.net.last
  events(Counter.SLOW_RX) := io.slow.fire && io.slow.last
  io.events := RegNext(events) init 0
}
