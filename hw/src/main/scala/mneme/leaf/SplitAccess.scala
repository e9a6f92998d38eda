package mneme.leaf

import mneme.{Control, Faults}
import mneme.engine.Operation
import mneme.vm.Translated
import mneme.wire.Wire.{Cause, Status}
import spinal.core._
import spinal.lib._

/** Finds the frames of accesses to split pages; all others pass by.
  *
  * An example. A write of 200 bytes begins 100 bytes before a border of 4 KB. Both pages are looked up; the second one has no frame. It gets one, which the
  * leaf unit zeroes, and both are looked up again. The token then goes to memory with the first frame in its address and the second one beside.
  *
  * | access | a page without a frame |
  * |---|---|
  * | read | gives zeros: none come from memory or, where the other page has a frame, they are read from the frame of zeros |
  * | write, atomic | gets one; there must be frames for both before either is taken, else the access is refused and nothing is written |
  *
  * One access at a time is looked up, in the order of their arrival; the leaf unit is nobody else's meanwhile. A fence waits for those before it. So does what
  * is refused, or meets another entry, of a page with an access that waits; pages are told apart by four bits, so one of sixteen others waits, too. All tokens
  * of the engine have room to wait here, so no other one ever waits. The first look that finds a frame begins an access of the leaf unit's: no frame that is
  * freed from then on is another page's before the access has ended.
  */
case class SplitAccess(l: LeafConfig, plantable: Boolean = false) extends Component {
  private val c = l.c
  val io = new Bundle {
    val translated = slave(Stream(Translated(c)))
    val tokens = master(Stream(Translated(c)))
    val door = master(LeafDoor(l))
    /** Accesses that have ended in this cycle, by epoch. */
    val ended = in(Vec(UInt(log2Up(c.doors + 2) bits), 2))
    val control = in(Control())
    /** There are no free board pages. */
    val dry = in Bool ()
    /** One cycle each: a page got a frame, got none; a read has no frame at all; an access to a split page. */
    val pageFault, faultDry, zeroRead, accesses = out Bool ()
  }
  val plantedFaults = Faults.port(SplitFault, plantable)
  private val planted = new Faults[SplitFault.Value](plantedFaults)
  object State extends SpinalEnum {
    val IDLE, ROW, ASK, ANSWER, DECIDE, LEAVE = newElement()
  }
  private val state = RegInit(State.IDLE)

  // --- Whose leaf tables are. After a reset they are nobody's.
  private val tables = Mem(LeafTable(l), 1 << l.tableBits)
  private val clean = Reg(UInt(l.tableBits + 1 bits)) init 0
  private val cleaned = clean.msb
  when(!cleaned)(clean := clean + 1)
  private val written = CombInit(io.door.tables.row)
  when(!cleaned)(written.valid := False)
  tables.write(cleaned ? io.door.tables.table | clean.resize(l.tableBits), written, enable = !cleaned || io.door.tables.valid)

  // --- Who waits, and who passes.
  private val queue = StreamFifo(Translated(c), c.places)
  private val order = SplitOrder(c.places, widthOf(io.translated.leaf.order), planted)
  private val found = Stream(Translated(c))
  order.io.arrives.arbitrationFrom(io.translated)
  order.io.arrives.order := io.translated.leaf.order
  order.io.arrives.split := io.translated.leaf.split
  order.io.arrives.fence := io.translated.fence
  queue.io.push.arbitrationFrom(order.io.waits)
  queue.io.push.payload := io.translated.payload
  order.io.found.arbitrationFrom(found)
  order.io.found.payload := found.leaf.order
  io.tokens.arbitrationFrom(order.io.leaves)
  io.tokens.payload := order.io.leaves.payload ? found.payload | io.translated.payload

  // --- The access that is looked up.
  private val token = Reg(Translated(c))
  private val offset = token.address(11 downto 0)
  private val row = tables.readSync(queue.io.pop.leaf.tableTop.asUInt @@ queue.io.pop.address.drop(c.pageBits).asUInt, queue.io.pop.fire)
  private val segment = Reg(UInt(l.segmentBits bits))
  /** The first of its pages; whether it has two, which of them it is about, which have a frame, and where. */
  private val page = Reg(UInt(l.countBits bits))
  private val two, second, storing = Reg(Bool())
  private val has = Reg(Bits(2 bits))
  private val frames = Vec.fill(2)(Reg(UInt(l.frameBits bits)))
  private val epoch = Reg(Bits(2 bits))
  private val missing = ~has & (two ## True)

  private def refuse(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    token.operation := Operation.nothing
    token.report.outcome.fail(status, cause, hint)
    state := State.LEAVE
  }

  private val request = io.door.request
  request.valid := state === State.ASK
  request.operation := storing ? LeafOperation.STORE | LeafOperation.LOOK
  request.segment := segment
  request.pid := token.leaf.pid
  request.rights.read := token.operation === Operation.read
  private val atomic = Operation.isAtomic(token.operation)
  request.rights.write := token.operation === Operation.write || (atomic && planted.choose(SplitFault.AtomicWrites, wrong = True, right = False))
  request.rights.atomic := atomic && planted.choose(SplitFault.AtomicWrites, wrong = False, right = True)
  request.page := page + planted.choose(SplitFault.SecondForgotten, wrong = U(0, 1 bits), right = second.asUInt)
  request.pages := 0
  request.begins := planted.choose(SplitFault.NotBegun, wrong = False, right = planted.choose(SplitFault.BeginsTwice, wrong = True, right = epoch === 0))
  // Nobody sees the bytes of a page that is stored in part before it is zeroed, and is the page's.
  request.first := True
  request.whole := False
  request.also := planted.choose(SplitFault.OtherUnasked, wrong = False, right = missing.andR)
  request.filler := 0
  request.line := 0
  private val answer = io.door.answer
  answer.ready := state === State.ANSWER
  // The unit's first command waits until the tables are clean, too: what it tells of one before would be lost.
  io.door.holds := state =/= State.IDLE || !cleaned

  Seq(io.pageFault, io.faultDry, io.zeroRead, io.accesses).foreach(_ := False)
  queue.io.pop.ready := state === State.IDLE && io.door.mayBegin && cleaned
  switch(state) {
    is(State.IDLE) {
      token := queue.io.pop.payload
      second := False
      storing := False
      has := 0
      epoch := 0
      // Stays so of one page: who remembers reads compares it.
      frames(1) := 0
      when(queue.io.pop.fire)(state := queue.io.pop.leaf.split ? State.ROW | State.LEAVE)
    }
    is(State.ROW) {
      io.accesses := True
      segment := row.segment
      page := (row.index @@ token.address(c.pageBits - 1 downto 12)).resized
      two := (offset +^ token.length.resize(13)) > planted.choose(SplitFault.BorderMissed, wrong = U((1 << 12) - 1, 13 bits), right = U(1 << 12, 13 bits))
      state := State.ASK
      // As damaged as an entry of odd parity.
      when(planted.choose(SplitFault.TableUnchecked, wrong = False, right = !row.valid))(refuse(Status.MEMERR, Cause.PARITY))
    }
    is(State.ASK)(when(request.ready)(state := State.ANSWER))
    is(State.ANSWER)(when(answer.valid)(answered()))
    is(State.DECIDE) {
      state := State.LEAVE
      when(missing =/= 0) {
        when(token.operation === Operation.read) {
          for ((frame, i) <- frames.zipWithIndex) when(planted.choose(SplitFault.ZerosUnread, wrong = False, right = missing(i)))(frame := io.door.zeros)
          when(has === 0) {
            token.operation := Operation.nothing
            token.report.zeros := True
            io.zeroRead := True
          }
        }.otherwise {
          storing := True
          second := !missing(0)
          state := State.ASK
        }
      }
    }
    is(State.LEAVE)(when(found.ready)(state := State.IDLE))
  }

  private def answered(): Unit = {
    val other = two && !second
    state := State.DECIDE
    switch(answer.status) {
      is(LeafStatus.DONE) {
        has(second.asUInt) := True
        frames(second.asUInt) := answer.frame
        when(storing) {
          io.pageFault := True
          state := State.ASK
          second := missing.andR
          // All have one, and are looked up once more, which begins the access.
          storing := missing.andR
        }.otherwise {
          when(epoch === 0)(epoch := UIntToOh(answer.epoch.asUInt, 2))
          when(other) {
            second := True
            state := State.ASK
          }
        }
      }
      is(LeafStatus.UNMAPPED) {
        when(other) {
          second := True
          state := State.ASK
        }
      }
      is(LeafStatus.RIGHT)(refuse(Status.DENIED, Cause.RIGHTS))
      is(LeafStatus.BUDGET_SPENT) {
        io.faultDry := True
        refuse(Status.QUOTA, Cause.QUOTA_PAGES)
      }
      is(LeafStatus.RING_EMPTY) {
        io.faultDry := True
        refuse(Status.BUSY, Cause.FAULT, io.control.busyHint)
        when(io.control.exhausted && io.dry)(refuse(Status.NOMEM, Cause.NONE))
      }
      is(LeafStatus.FAILED)(refuse(Status.MEMERR, Cause.DRAM))
      // No such segment, or not inside of it: as damaged as an entry of odd parity.
      default(refuse(Status.MEMERR, Cause.PARITY))
    }
  }

  found.valid := state === State.LEAVE
  found.payload := token
  when(token.leaf.split) {
    found.payload.address := frames(0) @@ offset
    found.payload.leaf.split := False
    found.payload.leaf.next := frames(1)
    // Refused, too: what has begun ends as any access does.
    found.payload.leaf.epoch := planted.choose(SplitFault.RefusedKept, wrong = epoch.andMask(token.operation =/= Operation.nothing), right = epoch)
  }

  // --- Ends, told one by one.
  private val owed = Vec.fill(2)(Reg(UInt(log2Up(c.places + 1) bits)) init 0)
  io.door.ends.valid := owed.map(_ =/= 0).orR
  io.door.ends.payload := owed(0) === 0
  for (((count, ended), of) <- owed.zip(io.ended).zipWithIndex)
    count := count + planted.choose(
      SplitFault.EndLost,
      wrong = (ended =/= 0).asUInt.resized,
      right = ended
    ) - (io.door.ends.valid && io.door.ends.payload === Bool(of == 1)).asUInt
}
