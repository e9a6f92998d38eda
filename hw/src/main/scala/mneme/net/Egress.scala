package mneme.net

import mneme.wire.Wire.Counter
import mneme.{CBoardConfig, CounterEvents, Faults}
import spinal.core._
import spinal.lib._

/** Lets responses and the slow path's frames leave in turn, whole frames each. The latter are taken whole before.
  *
  * Behind the choice stands a small queue in LUTRAM: it registers ready, as a pair of pipes would, with half their look-up tables. Where LUTRAM is small, one
  * register stands there instead, and a beat leaves in every other cycle at most.
  */
case class Egress(c: CBoardConfig, planted: Faults[NetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val responses = slave(Stream(CountedBeat()))
    val slow = slave(Stream(FrameBeat()))
    val net = master(Stream(FrameBeat()))
    val events = out(CounterEvents())
  }

  private val inbox = SlowInbox(c, planted)
  inbox.io.frames << io.slow.map(CountedBeat.of)
  private val arbiter = StreamArbiterFactory().roundRobin.lambdaLock[CountedBeat](_.last).buildOn(io.responses, inbox.io.whole)
  private val queue = !c.smallLutRam generate StreamFifo(CountedBeat(), Egress.QUEUE_BEATS, latency = 1)
  if (!c.smallLutRam) queue.io.push << arbiter.io.output
  private val leaving = if (c.smallLutRam) arbiter.io.output.halfPipe() else queue.io.pop
  io.net << leaving.map(_.frameBeat(leaving.valid))

  private val events = CounterEvents()
  events := 0
  private val sent = io.net.fire && io.net.last
  events(Counter.TX_FRAMES) := sent
  events(Counter.TX_DAMAGED) := planted.choose(NetFault.DamageUncounted, wrong = False, right = sent && io.net.user(0))
  events(Counter.SLOW_RX) := inbox.io.whole.fire && inbox.io.whole.last
  io.events := RegNext(events | inbox.io.events) init 0
}

object Egress {
  /** A LUTRAM of up to 32 words costs the same. */
  val QUEUE_BEATS = 16
}
