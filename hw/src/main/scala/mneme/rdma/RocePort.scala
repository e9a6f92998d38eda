package mneme.rdma

import mneme.engine.Door
import mneme.leaf.FreeDoor
import mneme.net.CountedBeat
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.AxiLite4

/** The RoCEv2 port: frames come and go, memory is behind a door of the access engine, and the slow path makes queue pairs and regions by registers
  * (docs/reference/rdma-port.md). It only assembles.
  *
  * {{{
  * frames in → RoceReceive → RoceResponder → RoceTransmit → frames out
  *                              ↕ door         registers: RoceRegisters, RoceCounters
  * }}}
  *
  * It never makes who sends to it wait. Who takes nothing from it stops answers alone: packets that come are taken in and executed until READs and atomics have
  * no place left, which their queue pairs are told. A door that answers nothing stops all, and a full store drops what comes, with a count.
  *
  * With chains there is a second responder, [[mneme.chain.ChainPort]], for packets of its own, and one transmitter for both ([[RoceChains]]).
  */
case class RocePort(r: RoceConfig, memories: String = "ultra") extends Component {
  val io = new Bundle {
    val rx = slave(Stream(CountedBeat()))
    val tx = master(Stream(CountedBeat()))
    val local = in(RoceLocal())
    val door = master(Door(r.c))
    /** Pages that are given up, of a board with a leaf unit. */
    val frees = r.leaf.map(l => master(FreeDoor(l))).orNull
    /** Of a port with chains. */
    val chains = r.chains.map(k => master(ChainDoors(k))).orNull
    val bus = slave(AxiLite4(RoceRegisters.busConfig))
    /** Nothing is done, and nothing waits to be sent. Frames that are coming, or leave, are not looked at. */
    val rests = out Bool ()
  }
  val receive = RoceReceive(r.slots, memories, shares = r.shares)
  val responder = new RoceResponder(r)
  val transmit = RoceTransmit(writes = r.chains.isDefined)
  val registers = RoceRegisters(r)
  val counters = RoceCounters()

  receive.io.frames << io.rx
  receive.io.local := io.local
  responder.io.arrivals << receive.io.arrivals
  responder.io.packet := receive.io.data
  val chains = r.chains.map(k => new RoceChains(this, k))
  transmit.io.local := io.local
  io.tx << transmit.io.frames
  io.door <> responder.io.door
  if (r.leaf.isDefined) io.frees <> responder.io.frees

  registers.io.bus << io.bus
  responder.io.orders << registers.io.orders
  registers.io.ordered << responder.io.ordered
  registers.io.jobs := responder.io.jobs
  counters.io.receive << receive.io.counted
  counters.io.transmit << transmit.io.counted
  counters.io.index := registers.io.index
  registers.io.value := counters.io.value

  if (r.chains.isEmpty) {
    receive.io.owners << responder.io.owners
    receive.io.read << responder.io.read
    receive.io.giveBack << responder.io.released
    transmit.io.departures << responder.io.departures
    transmit.io.payload << responder.io.payload
    registers.io.ready := responder.io.ready && receive.io.ready
    // What is counted is known late in a cycle.
    counters.io.responder << responder.io.counted.m2sPipe()
    io.rests := responder.io.rests
  }
}
