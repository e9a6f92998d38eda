package mneme

import mneme.chain.{ChainConfig, ChainPort, ChainRegisters}
import mneme.engine.{AccessEngine, Door, Place}
import mneme.filter.RetryFilter
import mneme.leaf.{LeafConfig, LeafPort}
import mneme.net._
import mneme.offload.{TrafficCommand, TrafficGenerator, TrafficResult}
import mneme.trailer.{TrailerGate, TrailerPolicy}
import mneme.rdma.{RoceConfig, RocePort, RoceSteer}
import mneme.regs.{BuildStamp, Observer, RegisterBlock, RegisterSplit, Rest}
import mneme.share.ClassMeter
import mneme.vm.Zeroing
import mneme.wire.Wire.Counter
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.{Axi4, Axi4SpecRenamer}
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4SpecRenamer}

/** The fast path as one component without pins or vendor parts; ports as in `docs/reference/contracts.md` §5. It only assembles.
  *
  * ingress → dispatch → retry filter → access engine → response builder with egress. The network is door 0 of the engine; who builds a board with
  * more doors finds the others among the ports.
  */
case class CBoard(c: CBoardConfig) extends Component {
  setDefinitionName(s"CBoard_${c.name}")
  noIoPrefix()

  val io = new Bundle {
    val net = new Bundle {
      val rx = FrameBeat.axiNames(slave(Stream(FrameBeat())))
      val tx = FrameBeat.axiNames(master(Stream(FrameBeat())))
    }
    val slow = new Bundle {
      val tx = FrameBeat.axiNames(master(Stream(FrameBeat())))
      val rx = FrameBeat.axiNames(slave(Stream(FrameBeat())))
    }
    val mem = Axi4SpecRenamer(master(Axi4(MemoryBus.config(c, MemoryBus.PORT_ID_BITS))))
    /** Resets the memory side of `mem`, which lives through the core's reset; raised with it only. */
    val memReset = in(Bool()).setName("mem_reset")
    val regs = AxiLite4SpecRenamer(slave(AxiLite4(RegisterBlock.busConfig)))
    val build = in(BuildStamp())
    val trace = master(Flow(TraceBeat()))
    /** Doors 1 and up of the access engine (docs/reference/doors.md). */
    val doors = (c.doors > 1 && !c.traffic && c.rdma == 0) generate Vec(slave(Door(c)), c.doors - 1)
    /** Or a traffic generator at door 1, for tests: what it does, what came of it, and the doors of tokens in the order in which these leave translation. */
    val traffic = c.traffic generate new Bundle {
      val commands = slave(Stream(TrafficCommand(c)))
      val results = master(Stream(TrafficResult(c)))
      val order = master(Flow(Bits(c.doors bits)))
    }

    /** A page fault waits for a page: nothing may move at the ports, and yet there is an answer to come. */
    val waiting = out Bool ()
  }

  require(!c.framesDoor, s"doors: the door of frames comes with chains: a board has two others, not ${c.doors}")
  private val needed = if (c.chains > 0) ChainPort.contexts(c.maxPayload) else 0
  require(c.contexts >= needed, s"packetSlots: chains need a door of frames with $needed contexts, and a door has as many as there are slots, ${c.packetSlots}")
  val registers = RegisterBlock(c)
  val buffer = PacketBuffer(c, readers = 2, releasers = 3)
  val ingress = Ingress(c)
  val dispatch = Dispatch(c)
  val slowPort = SlowPort(c)
  val filter = RetryFilter(c)
  val door = MnemeDoor(c)
  val engine = new AccessEngine(c)
  val zeroing = Zeroing(c)
  val builder = ResponseBuilder(c)
  val watchdog = Watchdog(c)
  val memory = MemoryArbiter(c)
  val observer = Observer(c)
  val rest = Rest(c)
  val meter = ClassMeter()

  val control = registers.io.control
  val split = (c.rdma > 0) generate RegisterSplit(c.leaf, c.chains > 0)
  if (c.rdma > 0) {
    split.io.bus << io.regs
    registers.io.bus << split.io.core
  } else registers.io.bus << io.regs
  registers.io.build := io.build
  ingress.io.control := control
  dispatch.io.control := control
  dispatch.io.rows := registers.io.rows
  meter.io.set << registers.io.classRate
  meter.io.charge << dispatch.io.charge
  dispatch.io.may := meter.io.may
  filter.io.control := control
  engine.io.control := control
  engine.io.weights := registers.io.doorWeights
  builder.io.control := control
  observer.io.slot := builder.io.slot
  builder.io.cycles := observer.io.cycles

  // The way of a request. Where two components meet, one of them or a pipe here registers ready: its chains are the long paths.
  val steer = (c.rdma > 0) generate RoceSteer()
  if (c.rdma > 0) steer.io.frames << io.net.rx
  ingress.io.net << (if (c.rdma > 0) steer.io.others else io.net.rx)
  ingress.io.free << buffer.io.free
  ingress.io.write >> buffer.io.write
  val gate = c.trailers generate TrailerGate(c)
  if (c.trailers) {
    gate.io.control := control
    gate.io.trailers := registers.io.trailers
    gate.io.frames << ingress.io.frames
    gate.io.tails << ingress.io.tails
    gate.io.slot := builder.io.slot
    builder.io.seal := gate.io.seal
    dispatch.io.tagMode := registers.io.trailers.mode
    filter.io.proven := RegNext(TrailerPolicy.all(registers.io.trailers.mode)) init False
  }
  dispatch.io.frames << (if (c.trailers) gate.io.checked else ingress.io.frames)
  filter.io.requestsIn << dispatch.io.requests.s2mPipe()
  door.io.requests << filter.io.requestsOut
  private val network = engine.io.doors(0)
  network.tokens << door.io.tokens
  door.io.completions << network.data.completions
  builder.io.answers << door.io.answers
  builder.io.payload << network.data.payload
  if (c.doors > 1 && !c.traffic && c.rdma == 0) for ((inside, outside) <- engine.io.doors.tail.zip(io.doors)) inside <> outside
  val generator = c.traffic generate TrafficGenerator(c)
  if (c.traffic) {
    generator.io.commands << io.traffic.commands
    generator.io.results >> io.traffic.results
    generator.io.door <> engine.io.doors(1)
    io.traffic.order << engine.io.translated.map(Place.door(c, _))
  }
  private val chained = if (c.chains > 0) Some(ChainConfig(LeafConfig.board(c), pairs = c.chains)) else None
  val roce = (c.rdma > 0) generate RocePort(RoceConfig(c, queuePairs = c.rdma, regions = c.rdma, chains = chained), c.memories)
  if (c.rdma > 0) {
    roce.io.rx << steer.io.roce
    roce.io.local.mac := control.mac
    roce.io.local.ip := control.ip
    roce.io.bus << split.io.roce
    roce.io.door <> engine.io.doors(1)
  }
  val chains = chained.map(ChainRegisters(_)).orNull
  if (c.chains > 0) {
    val doors = roce.io.chains
    engine.io.frames <> doors.frames
    chains.io.bus << split.io.chains
    chains.io.ready := doors.ready
    chains.io.events := doors.events
    doors.orders << chains.io.orders
    chains.io.ordered << doors.ordered
  }
  // Four updates may wait while the filter writes entries, one in two cycles at most, so that answers of writes leave in every cycle however many come
  // in a row. They are in it nine cycles later at most, which a retry that the answer provokes cannot undercut: egress, ingress and dispatch alone take
  // as long, and the look-up reads what the update writes after that.
  filter.io.updates << builder.io.updates.queueLowLatency(4, latency = 1)
  private val frames =
    if (c.rdma == 0) builder.io.frames
    else {
      // Whole frames, in turn.
      val answers = StreamArbiterFactory().roundRobin.lambdaLock[FrameBeat](_.last)
      answers.buildOn(builder.io.frames, roce.io.tx.map(_.frameBeat(roce.io.tx.valid))).io.output.m2sPipe()
    }
  frames >> io.net.tx
  io.trace << builder.io.trace

  slowPort.io.frames << dispatch.io.slow
  dispatch.io.slowRoom := slowPort.io.room
  slowPort.io.slow >> io.slow.tx
  builder.io.slow << io.slow.rx

  buffer.io.reads(0).cmd << network.data.fetch.map { fetch =>
    val beat = PacketBeatAddress(c)
    beat.slot := fetch.context
    beat.beat := fetch.beat
    beat
  }
  network.data.fetched << buffer.io.reads(0).rsp
  buffer.io.operandsOf := network.data.operandsOf
  network.data.operands := buffer.io.operands
  buffer.io.reads(1) <> slowPort.io.packet
  // As many may wait as there are slots.
  buffer.io.releases(0) << builder.io.release.toStream.queueLowLatency(c.packetSlots, latency = 1)
  buffer.io.releases(1) << slowPort.io.release
  buffer.io.releases(2) << dispatch.io.release

  // Pages: the page table's replace command, free pages, rows of pages that are elsewhere.
  engine.io.replace << registers.io.replace
  registers.io.replaceResult << engine.io.replaceResult
  engine.io.shares := registers.io.shares
  engine.io.shareCommit := registers.io.shareCommit
  registers.io.sharePending := engine.io.sharePending
  registers.io.awayIndex := engine.io.awayIndex
  engine.io.awayRow := registers.io.awayRow
  registers.io.pinned <> engine.io.pinned
  zeroing.io.commands << registers.io.zero
  if (!c.leaf) engine.io.freePages << zeroing.io.freePages
  engine.io.freeLevel := zeroing.io.level.resized
  registers.io.asyncLevel := zeroing.io.level
  registers.io.zeroPending := zeroing.io.pending
  registers.io.zeroSpace := zeroing.io.space

  val leaf = c.leaf generate LeafPort(LeafConfig.board(c))
  if (c.leaf) {
    leaf.io.bus << split.io.leaf
    leaf.io.door <> engine.io.leaf
    leaf.io.frees <> roce.io.frees
    if (c.chains > 0) leaf.io.chains <> roce.io.chains.leaf
    leaf.io.accesses := engine.io.splitAccesses
    leaf.io.mem >> memory.io.leaf
    // Its pages come out of the async buffer, too, but none that is kept for a group, by counts that may be some cycles old.
    val kept = RegNext(registers.io.shares.pages.map(_.resize(10)).reduce(_ + _)) init 0
    val spare = kept === 0 || zeroing.io.level > kept + 4
    val pages = zeroing.io.freePages
    leaf.io.freePages.valid := pages.valid && spare
    leaf.io.freePages.payload := pages.payload
    val toLeaf = leaf.io.freePages.ready && spare
    engine.io.freePages.valid := pages.valid && !toLeaf
    engine.io.freePages.payload := pages.payload
    pages.ready := engine.io.freePages.ready || toLeaf
  }
  engine.io.tableMemory >> memory.io.translation
  engine.io.dataMemory >> memory.io.access
  zeroing.io.mem >> memory.io.zero
  memory.io.port >> io.mem
  memory.io.portReset := io.memReset

  private val dispatched = dispatch.io.requests.toFlowFire.translateWith(dispatch.io.requests.slot)
  watchdog.io.entered << dispatched
  watchdog.io.released << buffer.io.returned
  watchdog.io.retired := builder.io.retired
  watchdog.io.paused := engine.io.waits
  io.waiting := engine.io.waits

  // What the histograms and marks are made of.
  observer.io.arriving << buffer.io.write.translateWith(buffer.io.write.slot)
  private val completed = network.data.completions
  observer.io.dispatched << dispatched
  observer.io.filtered << filter.io.requestsOut.toFlowFire.translateWith(filter.io.requestsOut.request.slot)
  observer.io.translated << engine.io.translated.takeWhen(Place.door(c, engine.io.translated.payload)(0)).map(Place.context(c, _))
  observer.io.accessed << completed.toFlowFire.translateWith(completed.context)
  observer.io.answered << builder.io.release
  observer.io.slotTaken := buffer.io.free.fire
  observer.io.slotReturned := buffer.io.returned.valid
  observer.io.slowTaken := dispatch.io.slow.valid
  observer.io.slowReturned := slowPort.io.release.fire
  observer.io.faulted := engine.io.pageFault
  observer.io.asyncLevel := zeroing.io.level
  observer.io.read <> registers.io.observed

  rest.io.slotTaken := buffer.io.free.fire
  rest.io.slotReturned := buffer.io.returned.valid
  rest.io.slowTaken := dispatch.io.slow.valid
  rest.io.slowReturned := slowPort.io.release.fire
  rest.io.entered := dispatch.io.requests.fire
  rest.io.retired := builder.io.retired
  rest.io.sending := (if (c.trailers) builder.io.frames.valid || builder.io.sealing else builder.io.frames.valid)
  registers.io.rests := rest.io.board
  registers.io.memoryRests := memory.io.rests

  registers.io.counted := Seq(
    registers.io.events,
    ingress.io.events,
    dispatch.io.events,
    slowPort.io.events,
    filter.io.events,
    engine.io.events,
    zeroing.io.events,
    builder.io.events,
    watchdog.io.events
  ).reduce(_ | _)
  registers.io.memoryErrors := engine.io.memoryErrors + zeroing.io.events(Counter.MEM_ERROR).asUInt
}
