package mneme.rdma

import mneme.Faults
import mneme.leaf.{FreeDoor, LeafConfig, LeafOperation, LeafStatus}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Which pages of 4 KB a queue pair may give up: `pages` of one segment from the address `base` on, which is the segment's page `first`. */
case class FreeRow(l: LeafConfig) extends Bundle {
  val takes = Bool()
  val segment = UInt(l.segmentBits bits)
  val base = UInt(Wire.VA_BITS - LeafConfig.FRAME_LOG2 bits)
  val first, pages = UInt(l.countBits bits)
}

/** How a list has ended: done, or why not. Of one that is `invalid` or `denied` nothing is done. */
object FreeEnd extends SpinalEnum {
  val done, invalid, denied, failed = newElement()
}

/** A list of pages in a packet's place. */
case class FreeStart(r: RoceConfig, l: LeafConfig) extends Bundle {
  val slot = UInt(r.slotBits bits)
  /** Ranges, from 1 on. */
  val ranges = UInt(FreeList.INDEX_BITS + 1 bits)
  val row = FreeRow(l)
  val pid = UInt(Wire.PID_BITS bits)
}

/** Gives up the pages that a SEND lists: first all ranges are checked, then all are given up. The golden model is `mneme_rdma::node::door`.
  *
  * An example. A SEND of 32 bytes lists 3 pages at 0x4000_5000 and one at 0x4000_9000; the queue pair's pages begin at 0x4000_0000. Both ranges are taken out
  * of the packet, five cycles each. Then pages 5 to 7 are given up by one operation of the leaf unit, and page 9 by another one.
  *
  * | a range | refused as |
  * |---|---|
  * | does not begin with a page, has none, or is not inside the queue pair's pages | denied |
  * | has more pages, with those before it, than a list may have | invalid |
  *
  * | then the leaf unit says | refused as |
  * |---|---|
  * | no such segment of the process, no right to write | denied |
  * | memory has failed | failed; pages before are given up |
  *
  * An operation of the unit is about the pages of one line of entries, so that accesses wait for one line at most. All are about the same segment, and no
  * command of the slow path comes in between, so that the first one tells of process and right, when nothing is given up.
  */
case class FreeList(r: RoceConfig, l: LeafConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    /** Nothing is under way. */
    val start = slave(Flow(FreeStart(r, l)))
    /** A beat of the packet; the answer comes in the cycle after. */
    val read = master(Flow(StoreBeat(r.slots)))
    val packet = in Bits (512 bits)
    val leaf = master(FreeDoor(l))
    val ended = master(Flow(FreeEnd()))
  }
  val plantedFaults = Faults.port(FreeFault, plantable)
  private val planted = new Faults[FreeFault.Value](plantedFaults)

  object State extends SpinalEnum {
    val IDLE, FIRST, TAIL, FETCH, TAKE, DISTANCE, SUM, JUDGE = newElement()
    val BEGIN, RANGE, FREE, FREED, END = newElement()
  }
  private val state = RegInit(State.IDLE)
  private val list = RegNextWhen(io.start.payload, io.start.valid)
  private val row = list.row
  private val index = Reg(UInt(FreeList.INDEX_BITS bits))
  private val isLast = index +^ U(1) === list.ranges
  private val end = Reg(FreeEnd())
  private def ends(how: SpinalEnumElement[FreeEnd.type]): Unit = {
    end := how
    state := State.END
  }

  // --- Ranges of a packet: the payload begins at byte 54 of its place, so every fourth one begins at the end of the beat before.
  private val tail = Reg(Bits(8 * (64 - FreeList.OFFSET) bits))
  private val range = Reg(Bits(128 bits))
  private val (va, pages) = (range(63 downto 0).asUInt, range(127 downto 64).asUInt)
  io.read.valid := state === State.FIRST || state === State.FETCH
  io.read.slot := list.slot
  io.read.beat := ((state === State.FIRST) ? U(0) | (index(FreeList.INDEX_BITS - 1 downto 2) +^ U(1))).resized

  /** Pages that the ranges before have. */
  private val total = Reg(UInt(FreeList.TOTAL_BITS bits))
  private val many = Reg(Bool())
  /** From the queue pair's first page on; the highest bit tells that it lies before. */
  private val distance = Reg(UInt(65 - LeafConfig.FRAME_LOG2 bits))
  private val whole, near = Reg(Bool())
  private val behind = Reg(UInt(l.countBits + 1 bits))
  private val firsts = Mem(UInt(l.countBits bits), Wire.ROCE_FREE_RANGES.toInt).addAttribute("ram_style", "distributed")
  private val lengths = Mem(UInt(FreeList.TOTAL_BITS - 1 bits), Wire.ROCE_FREE_RANGES.toInt).addAttribute("ram_style", "distributed")
  private val inside = near && behind <= planted.choose(FreeFault.EndUnchecked, wrong = behind, right = row.pages.resize(l.countBits + 1))
  private val some = pages.resize(l.countBits)
  firsts.write(index, row.first + distance.resize(l.countBits), state === State.JUDGE)
  lengths.write(index, pages.resize(FreeList.TOTAL_BITS - 1), state === State.JUDGE)

  // --- Pages of the range that is given up.
  private val page = Reg(UInt(l.countBits bits))
  private val left = Reg(UInt(FreeList.TOTAL_BITS - 1 bits))
  private val inLine = U(LeafConfig.LANES, 4 bits) - page(2 downto 0)
  private val count = Reg(UInt(4 bits))
  private val gives = List(State.RANGE, State.FREE, State.FREED).map(state === _).orR
  io.leaf.holds := planted.choose(FreeFault.NotHeld, wrong = False, right = gives)
  private val request = io.leaf.request
  request.valid := state === State.FREE
  request.operation := LeafOperation.FREE
  request.segment := row.segment
  request.pid := list.pid
  request.rights.read := False
  request.rights.write := True
  request.rights.atomic := False
  request.page := page
  private val most = (left < inLine) ? left.resize(4) | inLine
  request.pages := most.resize(l.countBits)
  Seq(request.begins, request.first, request.whole, request.also).foreach(_ := False)
  request.filler := 0
  request.line := 0
  private val answer = io.leaf.answer
  answer.ready := state === State.FREED
  io.ended.valid := state === State.END
  io.ended.payload := end

  switch(state) {
    is(State.IDLE) {
      index := 0
      total := 0
      many := False
      when(io.start.valid)(state := State.FIRST)
    }
    is(State.FIRST)(state := State.TAIL)
    is(State.TAIL) {
      tail := io.packet(8 * FreeList.OFFSET, widthOf(tail) bits)
      state := State.FETCH
    }

    // --- Each range is checked.
    is(State.FETCH)(state := State.TAKE)
    is(State.TAKE) {
      val start = io.packet(0, 128 - widthOf(tail) bits) ## tail
      range := index(1 downto 0).mux(0 -> start, 1 -> FreeList.at(io.packet, 1), 2 -> FreeList.at(io.packet, 2), 3 -> FreeList.at(io.packet, 3))
      tail := planted.choose(FreeFault.TailKept, wrong = tail, right = io.packet(8 * FreeList.OFFSET, widthOf(tail) bits))
      state := State.DISTANCE
    }
    is(State.DISTANCE) {
      distance := va.drop(LeafConfig.FRAME_LOG2).asUInt -^ row.base.resize(64 - LeafConfig.FRAME_LOG2)
      whole := (planted.choose(FreeFault.AnyAddress, wrong = True, right = va(LeafConfig.FRAME_LOG2 - 1 downto 0) === 0)) && pages =/= 0
      state := State.SUM
    }
    is(State.SUM) {
      near := whole && distance.drop(l.countBits) === 0 && pages.drop(l.countBits) === 0
      behind := distance.resize(l.countBits) +^ some
      many := some.drop(FreeList.TOTAL_BITS - 1) =/= 0
      total := total + some.resize(FreeList.TOTAL_BITS - 1)
      state := State.JUDGE
    }
    is(State.JUDGE) {
      index := index + 1
      state := State.FETCH
      when(isLast) {
        index := 0
        state := State.BEGIN
      }
      when(planted.choose(FreeFault.TotalUnchecked, wrong = False, right = many || total > Wire.ROCE_FREE_PAGES))(ends(FreeEnd.invalid))
      when(!inside)(ends(FreeEnd.denied))
    }

    // --- Then all are given up.
    is(State.BEGIN)(when(io.leaf.mayBegin)(state := State.RANGE))
    is(State.RANGE) {
      page := firsts.readAsync(index)
      left := lengths.readAsync(index)
      state := State.FREE
    }
    is(State.FREE) {
      count := request.pages.resized
      when(request.ready)(state := State.FREED)
    }
    is(State.FREED) {
      when(answer.valid) {
        page := page + count
        left := left - count
        state := State.FREE
        when(planted.choose(FreeFault.LineForWhole, wrong = True, right = left === count)) {
          index := index + 1
          state := State.RANGE
          when(isLast)(ends(FreeEnd.done))
        }
        when(answer.status =/= LeafStatus.DONE)(ends(FreeEnd.denied))
        when(answer.status === LeafStatus.FAILED)(ends(FreeEnd.failed))
      }
    }
    is(State.END)(state := State.IDLE)
  }
}

object FreeList {
  /** Where a SEND's payload begins in its place. */
  val OFFSET: Int = 54
  /** Bytes of a range. */
  val RANGE: Int = 16
  val INDEX_BITS: Int = log2Up(Wire.ROCE_FREE_RANGES)
  /** Of pages of a list, and those of one range more, which are no more than the list's. */
  val TOTAL_BITS: Int = log2Up(Wire.ROCE_FREE_PAGES + 1) + 1
  require(Wire.ROCE_FREE_PAGES == BigInt(1) << (TOTAL_BITS - 2), "pages of a list: a power of two")

  /** A range that a beat has whole. */
  private def at(beat: Bits, index: Int): Bits = beat(8 * ((OFFSET + RANGE * index) % 64), 8 * RANGE bits)
}

/** Defects that benches plant. No build of a board has one. */
object FreeFault extends Enumeration {
  val
  /** A range may end behind the queue pair's pages. */
  EndUnchecked,
  /** A range need not begin with a page. */
  AnyAddress,
  /** Pages behind a range's first line of entries are forgotten. */
  LineForWhole,
  /** What lies across two beats is begun with bytes of the first one always. */
  TailKept,
  /** A list may have more pages. */
  TotalUnchecked,
  /** Commands of the slow path may come amid a list. */
  NotHeld = Value
}
