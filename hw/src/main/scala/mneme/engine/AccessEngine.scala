package mneme.engine

import mneme._
import mneme.chain.{FrameDoor, FrameEntrance}
import mneme.leaf.{LeafConfig, LeafDoor, SplitAccess}
import mneme.mem.MemoryAccess
import mneme.vm.{PinnedPages, ShareSettings, Translation}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4

/** Translation and memory access for all doors (docs/reference/doors.md). It knows tokens, pages and memory; nothing in here has heard of a packet.
  *
  * {{{
  * doors → DoorArbiter → Translation → FailedReads → MemoryAccess → completions and data of each door
  * }}}
  *
  * Of a board with a leaf unit [[SplitAccess]] stands behind translation; of one with chains tokens of frames join in before memory access.
  */
class AccessEngine(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val doors = Vec(slave(Door(c)), c.doors)
    /** Shares of the doors, in lines of memory. */
    val weights = in(Vec(UInt(8 bits), c.doors))
    val control = in(Control())

    // The page table: its replace command, free pages, rows of pages that are elsewhere.
    val replace = slave Stream (ReplaceCommand(c))
    val replaceResult = master Flow (ReplaceResult())
    val freePages = slave Stream (UInt(c.memBits - c.pageBits bits))
    val freeLevel = in UInt (log2Up(c.asyncDepth + 1) bits)
    val awayIndex = out UInt (Wire.PPN_BITS_MIN bits)
    val awayRow = in(AwayRow())
    val shares = in(ShareSettings(c))
    val shareCommit = in Bool ()
    val sharePending = out Bool ()
    val pinned = master(PinnedPages(c))

    /** The way to a leaf unit; an access to a split page. */
    val leaf = c.leaf generate master(LeafDoor(LeafConfig.board(c)))
    val splitAccesses = c.leaf generate (out Bool ())
    /** Chains' way to frames. */
    val frames = (c.chains > 0) generate slave(FrameDoor(c))

    val tableMemory, dataMemory = master(Axi4(MemoryBus.config(c)))
    /** The place of a token that leaves translation. */
    val translated = master Flow (UInt(c.placeBits bits))
    val events = out(CounterEvents())
    /** Memory errors of this cycle, of which there may be several; their wire in `events` tells less. */
    val memoryErrors = out UInt (2 bits)
    val pageFault = out Bool ()
    /** A page fault waits for a page, and its time is not over. */
    val waits = out Bool ()
  }

  private val arbiter = new DoorArbiter(c)
  private val translation = Translation(c)
  private val failedReads = new FailedReads(c)
  private val access = new MemoryAccess(c.inMemory)

  arbiter.io.weights := io.weights
  for (((entrance, data), door) <- arbiter.io.doors.zip(access.io.doors).zip(io.doors)) {
    entrance << door.tokens
    data <> door.data
  }
  translation.io.tickets << arbiter.io.tickets
  private val split = c.leaf generate SplitAccess(LeafConfig.board(c))
  if (c.leaf) {
    split.io.translated << translation.io.translated
    split.io.door <> io.leaf
    split.io.ended := Vec(access.io.epochs.map(RegNext(_) init 0))
    split.io.control := io.control
    split.io.dry := io.freeLevel === 0
    io.splitAccesses := split.io.accesses
  }
  failedReads.io.translated << (if (c.leaf) split.io.tokens else translation.io.translated)
  failedReads.io.failed << access.io.failedRead
  private val entrance = (c.chains > 0) generate FrameEntrance(c)
  if (c.chains > 0) {
    entrance.io.translated << failedReads.io.tokens
    entrance.io.frames << io.frames.tokens
    access.io.doors.last <> io.frames.data
  }
  private val tokens = (if (c.chains > 0) entrance.io.tokens else failedReads.io.tokens).m2sPipe()
  access.io.tokens << tokens
  io.translated << (
    if (c.chains == 0) tokens.toFlowFire.translateWith(tokens.place)
    else tokens.toFlowFire.throwWhen(Place.door(c.inMemory, tokens.place).msb).translateWith(tokens.place.resize(c.placeBits))
  )

  translation.io.control := io.control
  // A cycle late: when a token completes is known late in a cycle, and no replace is in a hurry.
  for ((retired, now) <- translation.io.retired.zip(access.io.retired)) retired := RegNext(now) init 0
  translation.io.replace << io.replace
  io.replaceResult << translation.io.replaceResult
  translation.io.freePages << io.freePages
  translation.io.freeLevel := io.freeLevel
  io.awayIndex := translation.io.awayIndex
  translation.io.awayRow := io.awayRow
  io.pinned <> translation.io.pinned
  translation.io.shares := io.shares
  translation.io.shareCommit := io.shareCommit
  io.sharePending := translation.io.sharePending
  io.waits := translation.io.waits
  translation.io.mem >> io.tableMemory
  access.io.mem >> io.dataMemory

  private val parts = Seq(translation.io.events, access.io.events)
  io.events := parts.reduce(_ | _)
  // Both may tell of one in a cycle.
  if (c.leaf) for (
    (counter, event) <- Seq(
      Wire.Counter.PAGE_FAULT -> split.io.pageFault,
      Wire.Counter.FAULT_DRY -> split.io.faultDry,
      Wire.Counter.ZERO_READ -> split.io.zeroRead
    )
  ) io.events(counter) := oneByOne(parts.map(_(counter)) :+ event)
  io.memoryErrors := CountOne(parts.map(_(Wire.Counter.MEM_ERROR)))
  io.pageFault := translation.io.events(Wire.Counter.PAGE_FAULT)
}
