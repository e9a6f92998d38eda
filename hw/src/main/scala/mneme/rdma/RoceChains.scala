package mneme.rdma

import mneme.chain._
import spinal.core._
import spinal.lib._

/** What a port with chains has besides, seen from the port. */
case class ChainDoors(k: ChainConfig) extends Bundle with IMasterSlave {
  val frames = FrameDoor(k.l.c)
  val leaf = ChainLeafDoor(k.l)
  val orders = Stream(ChainOrder(k))
  val ordered = Flow(ChainAnswer())
  val events = ChainPortEvents()
  /** The tables have been emptied. */
  val ready = Bool()
  override def asMaster(): Unit = {
    master(frames, leaf, ordered)
    slave(orders)
    out(events, ready)
  }
}

/** Chains beside the port's responder: both have the store of packets, the transmitter and the counters.
  *
  * The responder goes first where it reads, gives a place back, or counts: what chains have waits. The responder reads no beat while it looks at a packet's
  * headers, and counts at most every second cycle in the long run, so chains get their turns.
  */
class RoceChains(p: RocePort, k: ChainConfig) extends Area {
  private val (own, receive) = (p.responder.io, p.receive.io)
  require(k.l.c == p.r.c, "chains are of the port's board")
  val port = ChainPort(k, p.r.slots, p.r.notificationGap, numbers = Some(RoceConfig.CHAIN_BIT))
  private val io = port.io
  private val doors = p.io.chains
  doors.frames <> io.frames
  doors.leaf <> io.leaf
  io.orders << doors.orders
  doors.ordered << io.ordered
  doors.events := io.events
  doors.ready := io.ready

  // --- The store of packets.
  io.arrivals << receive.chained
  io.packet := receive.data
  io.read.ready := !own.read.valid
  receive.read.valid := own.read.valid || io.read.valid
  receive.read.payload := own.read.valid ? own.read.payload | io.read.payload
  io.released.ready := !own.released.valid
  receive.giveBack.valid := own.released.valid || io.released.valid
  receive.giveBack.payload := own.released.valid ? own.released.payload | io.released.payload

  // --- Who has packets there. A command of chains takes many cycles, the next one comes later.
  io.owners.ready := !own.owners.valid
  receive.owners.valid := own.owners.valid || io.owners.valid
  private val owner = RoceOwner(p.r.shares)
  owner.assignSomeByName(io.owners.payload)
  owner.share.removeAssignments() := p.r.shares.ofChain(io.owners.share)
  receive.owners.payload := own.owners.valid ? own.owners.payload | owner

  // --- What leaves.
  val senders = SenderTurns()
  senders.io.answers << own.departures
  senders.io.answered << own.payload
  senders.io.replies << io.replies
  senders.io.replied << io.payload
  senders.io.acknowledges << io.acknowledges
  p.transmit.io.departures << senders.io.departures
  p.transmit.io.payload << senders.io.payload

  // --- Counters. A responder counts two events of a packet at most, which takes it five cycles.
  private val counted = own.counted.m2sPipe()
  private val waiting = StreamFifo(UInt(RoceCounters.BITS bits), 4, latency = 1)
  waiting.io.push.valid := io.counted.valid
  waiting.io.push.payload := io.counted.payload
  waiting.io.pop.ready := !counted.valid
  p.counters.io.responder.valid := counted.valid || waiting.io.pop.valid
  p.counters.io.responder.payload := counted.valid ? counted.payload | waiting.io.pop.payload

  // --- Ticks of 10 µs.
  private val cycle = Reg(UInt(log2Up(k.tick) bits)) init 0
  private val time = Reg(UInt(ChainConfig.TIME_BITS bits)) init 0
  private val ticks = cycle === k.tick - 1
  cycle := ticks ? U(0) | cycle + 1
  when(ticks)(time := time + 1)
  io.time := time

  p.registers.io.ready := own.ready && io.ready && receive.ready
  p.io.rests := own.rests && io.rests && !waiting.io.pop.valid
}
