package mneme

import mneme.filter.RetryFilter
import mneme.mem.MemoryAccess
import mneme.net._
import mneme.regs.{BuildStamp, Observer, RegisterBlock, Rest}
import mneme.vm.{Translation, Zeroing}
import mneme.wire.Wire.Counter
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.{Axi4, Axi4SpecRenamer}
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4SpecRenamer}

/** The fast path as one component without pins or vendor parts; ports as in `docs/contracts.md` §5. It only assembles.
  *
  * ingress → dispatch → retry filter → translation → memory access → response builder with egress, all in order.
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
    val regs = AxiLite4SpecRenamer(slave(AxiLite4(RegisterBlock.busConfig)))
    val build = in(BuildStamp())
    val trace = master(Flow(TraceBeat()))

    /** A page fault waits for a page: nothing may move at the ports, and yet there is an answer to come. */
    val waiting = out Bool ()
  }

  val registers = RegisterBlock(c)
  val buffer = PacketBuffer(c, readers = 2, releasers = 3)
  val ingress = Ingress(c)
  val dispatch = Dispatch(c)
  val slowPort = SlowPort(c)
  val filter = RetryFilter(c)
  val translation = Translation(c)
  val zeroing = Zeroing(c)
  val access = new MemoryAccess(c)
  val builder = ResponseBuilder(c)
  val watchdog = Watchdog(c)
  val memory = MemoryArbiter(c)
  val observer = Observer(c)
  val rest = Rest(c)

  val control = registers.io.control
  registers.io.bus << io.regs
  registers.io.build := io.build
  ingress.io.control := control
  dispatch.io.control := control
  dispatch.io.rows := registers.io.rows
  filter.io.control := control
  translation.io.control := control
  builder.io.control := control
  builder.io.clock := observer.io.clock

  // The way of a request. Where two components meet, one of them or a pipe here registers ready: its chains are the long paths.
  ingress.io.net << io.net.rx
  ingress.io.free << buffer.io.free
  ingress.io.write >> buffer.io.write
  dispatch.io.frames << ingress.io.frames
  filter.io.requestsIn << dispatch.io.requests.s2mPipe()
  translation.io.requestsIn << filter.io.requestsOut.s2mPipe()
  access.io.requestsIn << translation.io.requestsOut.map { request =>
    val stamped = CombInit(request)
    stamped.time.removeAssignments()
    stamped.time := observer.io.arrival
    stamped
  }
  builder.io.requests << access.io.requestsOut.s2mPipe()
  builder.io.payload << access.io.payload
  // Four updates may wait while the filter writes entries, one in two cycles at most, so that answers of writes leave in every cycle however many come
  // in a row. They are in it nine cycles later at most, which a retry that the answer provokes cannot undercut: egress, ingress and dispatch alone take
  // as long, and the look-up reads what the update writes after that.
  filter.io.updates << builder.io.updates.queueLowLatency(4, latency = 1)
  builder.io.frames >> io.net.tx
  io.trace << builder.io.trace

  slowPort.io.frames << dispatch.io.slow
  dispatch.io.slowRoom := slowPort.io.room
  slowPort.io.slow >> io.slow.tx
  builder.io.slow << io.slow.rx

  buffer.io.reads(0) <> access.io.packet
  buffer.io.reads(1) <> slowPort.io.packet
  buffer.io.releases(0) << access.io.release
  buffer.io.releases(1) << slowPort.io.release
  buffer.io.releases(2) << dispatch.io.release

  // Pages: the page table's replace command, free pages, rows of pages that are elsewhere.
  translation.io.retired.valid := builder.io.retired
  translation.io.retired.payload := builder.io.retiredGeneration
  translation.io.replace << registers.io.replace
  registers.io.replaceResult << translation.io.replaceResult
  registers.io.awayIndex := translation.io.awayIndex
  translation.io.awayRow := registers.io.awayRow
  zeroing.io.commands << registers.io.zero
  translation.io.freePages << zeroing.io.freePages
  registers.io.asyncLevel := zeroing.io.level
  registers.io.zeroPending := zeroing.io.pending
  registers.io.zeroSpace := zeroing.io.space

  translation.io.mem >> memory.io.translation
  access.io.mem >> memory.io.access
  zeroing.io.mem >> memory.io.zero
  memory.io.port >> io.mem

  private def slotOf(requests: Stream[Request]): Flow[UInt] = requests.toFlowFire.translateWith(requests.slot)
  watchdog.io.entered << slotOf(dispatch.io.requests)
  watchdog.io.released << buffer.io.returned
  watchdog.io.retired := builder.io.retired
  watchdog.io.paused := translation.io.waits
  io.waiting := translation.io.waits

  // What the histograms and marks are made of.
  observer.io.arriving << buffer.io.write.translateWith(buffer.io.write.slot)
  observer.io.dispatched << slotOf(dispatch.io.requests)
  observer.io.filtered << slotOf(filter.io.requestsOut)
  observer.io.translated << slotOf(translation.io.requestsOut)
  observer.io.accessed << access.io.committed
  observer.io.answered := builder.io.trace.valid
  observer.io.slotTaken := buffer.io.free.fire
  observer.io.slotReturned := buffer.io.returned.valid
  observer.io.slowTaken := dispatch.io.slow.valid
  observer.io.slowReturned := slowPort.io.release.fire
  observer.io.faulted := translation.io.events(Counter.PAGE_FAULT)
  observer.io.asyncLevel := zeroing.io.level
  observer.io.read <> registers.io.observed

  rest.io.slotTaken := buffer.io.free.fire
  rest.io.slotReturned := buffer.io.returned.valid
  rest.io.slowTaken := dispatch.io.slow.valid
  rest.io.slowReturned := slowPort.io.release.fire
  rest.io.entered := dispatch.io.requests.fire
  rest.io.retired := builder.io.retired
  rest.io.sending := builder.io.frames.valid
  rest.io.readBegun := io.mem.ar.fire
  rest.io.readEnded := io.mem.r.fire && io.mem.r.last
  rest.io.writeBegun := io.mem.aw.fire
  rest.io.writeEnded := io.mem.b.fire
  registers.io.rests := rest.io.board
  registers.io.memoryRests := rest.io.memory

  registers.io.counted := Seq(
    registers.io.events,
    ingress.io.events,
    dispatch.io.events,
    slowPort.io.events,
    filter.io.events,
    translation.io.events,
    zeroing.io.events,
    access.io.events,
    builder.io.events,
    watchdog.io.events
  ).reduce(_ | _)
  registers.io.memoryErrors := CountOne(Seq(translation.io.events, zeroing.io.events, access.io.events).map(_(Counter.MEM_ERROR)))
}
