package mneme.chain

import mneme.MemoryBus
import mneme.engine.Door
import mneme.leaf._
import mneme.mem.MemoryAccess
import mneme.net.CountedBeat
import mneme.rdma._
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4

/** A port with chains, the leaf unit, and memory access behind the door of frames. The port's other door is the bench's. */
case class ChainPortBoard(r: RoceConfig) extends Component {
  private val k = r.chains.get
  private val c = r.c
  val port = RocePort(r, "block")
  private val (leaf, entrance) = (LeafUnit(k.l), FrameEntrance(c))
  private val access = new MemoryAccess(c.inMemory)
  val io = new Bundle {
    val rx = slave(Stream(CountedBeat()))
    val tx = master(Stream(CountedBeat()))
    val local = in(RoceLocal())
    val door = master(Door(c))
    val bus = slave(AxiLite4(RoceRegisters.busConfig))
    val rests = out Bool ()
    val orders = slave(Stream(ChainOrder(k)))
    val ordered = master(Flow(ChainAnswer()))
    val events = out(ChainPortEvents())
    val request = slave(Stream(LeafRequest(k.l)))
    val answer = master(Stream(LeafAnswer(k.l)))
    val usable, waiting = out UInt (k.l.countBits bits)
    /** The door of frames takes a token. */
    val asks = out Bool ()
    val mem, leafMem = master(Axi4(MemoryBus.config(c)))
  }
  port.receive.io.giveBack.valid.simPublic()
  port.io.rx << io.rx
  port.io.tx >> io.tx
  port.io.local := io.local
  port.io.door <> io.door
  port.io.bus << io.bus
  io.rests := port.io.rests
  private val chains = port.io.chains
  chains.orders << io.orders
  chains.ordered >> io.ordered
  io.events := chains.events
  private def nothing(streams: Stream[_ <: Data]*): Unit = for (stream <- streams) {
    stream.valid := False
    stream.payload.assignFromBits(B(0, widthOf(stream.payload) bits))
  }
  port.io.frees.request.ready := False
  port.io.frees.mayBegin := False
  nothing(port.io.frees.answer, entrance.io.translated)

  entrance.io.frames << chains.frames.tokens
  access.io.tokens << entrance.io.tokens.m2sPipe()
  chains.frames.data <> access.io.doors.last
  for (door <- access.io.doors.init) {
    door.completions.ready := True
    door.payload.ready := True
    door.fetch.ready := True
    door.fetched.valid := False
    door.fetched.payload := 0
    door.operands := 0
  }
  io.mem <> access.io.mem
  io.asks := chains.frames.tokens.fire

  ChainSide.share(chains.leaf, leaf, io.request, io.answer)
  io.usable := leaf.io.usable.resized
  io.waiting := leaf.io.waiting.resized
  leaf.io.mem >> io.leafMem
}
