package mneme.mem

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Starts requests in the order in which they come, so that accesses to the same bytes take effect in this order.
  *
  * Memory keeps the order of reads among themselves and of writes among themselves, each of one AXI id. Between kinds nobody does, so a request waits until no
  * access of another kind is in flight in its blocks (4 KB): a read for writes, a write for reads, both for atomics. An atomic waits for reads and
  * writes of its block and for atomics on its word; a fence for everything. Others flow by each other. A request over a
  * block border looks at one block per cycle.
  */
class IssueOrder(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val requests = slave(Stream(Request(c)))
    val reads = master(Stream(ReadCommand(c)))
    val writes = master(Stream(WriteCommand(c)))
    val atomics = master(Stream(AtomicCommand(c)))
    /** Every request, for the commit queue. */
    val ordered = master(Stream(Request(c)))
    /** One fetched read, write, atomic is complete. */
    val readDone, writeDone, atomicDone = in Bool ()
  }

  private val request = io.requests.payload
  private val executes = !request.answered
  private val isRead = executes && request.isOp(Wire.Opcode.READ)
  private val isWrite = executes && request.isOp(Wire.Opcode.WRITE)
  private val isAtomic = executes && request.isAtomic
  private val isFence = executes && request.isOp(Wire.Opcode.FENCE)
  private val fetches = isRead && !request.zeros

  private def blind(fault: MemoryFault)(hits: Bool): Bool = faults(fault)(False)(hits)
  private val reads = new BlocksInFlight(c, blind(MemoryFault.WriteOvertakesRead))
  private val writes = new BlocksInFlight(c, blind(MemoryFault.ReadOvertakesWrite))
  private val atomics = new WordsInFlight(c, blind(MemoryFault.AtomicsUnordered))

  private val blockBits = MemoryAccess.blockBits(c)
  private val first = request.address(c.memBits - 1 downto blockBits)
  private val offset = request.address(blockBits - 1 downto 0)
  /** The span goes on in the next block; a page holds whole blocks, so both are the request's. */
  private val crosses = (offset +^ request.length) > (1 << blockBits)
  /** The first block's place is taken, the second is looked at. */
  private val second = RegInit(False)
  private val block = second ? (first + 1) | first

  private val clear = True
  when(fetches)(clear := reads.room && !writes.hits(block) && !atomics.hitsBlock(block))
  when(isWrite)(clear := writes.room && !reads.hits(block) && !atomics.hitsBlock(block))
  when(isAtomic)(clear := atomics.room && !reads.hits(block) && !writes.hits(block) && !atomics.hits(request.address.drop(3).asUInt))
  when(isFence)(clear := faults(MemoryFault.FenceIgnored)(True)(!reads.busy && !writes.busy && !atomics.busy))
  private val plain = fetches || isWrite
  private val half = plain && crosses && !second

  /** Queue and engine take the request in the same cycle. */
  private val engineReady = (!isRead || io.reads.ready) && (!isWrite || io.writes.ready) && (!isAtomic || io.atomics.ready)
  private val may = clear && !half
  private val starts = io.requests.valid && may && io.ordered.ready
  io.ordered.valid := io.requests.valid && may && engineReady
  io.ordered.payload := request
  io.requests.ready := may && engineReady && io.ordered.ready
  io.reads.valid := starts && isRead
  io.writes.valid := starts && isWrite
  io.atomics.valid := starts && isAtomic

  private val joins = (io.requests.valid && half && clear) || io.requests.fire
  second := (second || (io.requests.valid && half && clear)) && !io.requests.fire
  for ((table, kind, done) <- Seq((reads, fetches, io.readDone), (writes, isWrite, io.writeDone))) {
    table.joins.valid := joins && kind
    table.joins.payload := block
    table.joinsMore := half
    table.ended := done
  }
  atomics.joins.valid := io.atomics.fire
  atomics.joins.payload := request.address.drop(3).asUInt
  atomics.ended := io.atomicDone

  private val span = Span(c)
  span.address := request.address
  span.length := request.length.resized
  io.reads.span := span
  io.reads.zeros := request.zeros
  io.writes.span := span
  io.writes.slot := request.slot
  io.atomics.address := request.address
  io.atomics.operand0 := request.operand0
  io.atomics.operand1 := request.operand1
  io.atomics.op := AtomicOp.swap
  when(request.isOp(Wire.Opcode.COMPARE_SWAP))(io.atomics.op := AtomicOp.compareSwap)
  when(request.isOp(Wire.Opcode.FETCH_ADD))(io.atomics.op := AtomicOp.fetchAdd)
}
