package mneme.filter

import mneme._
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.fsm._

/** Makes writes and atomics take effect once, however often their packets arrive (contracts §2; architecture §3, "Exactly once").
  *
  * Requests stay in order. Reads, fences and answered requests pass, one per cycle. A filtered one stays at the head for
  * `filterWays` + 4 cycles: hash, one cycle per way in both choices at once, verdict, answer. Doing the ways one after the other makes
  * each bank one narrow memory and two comparators, whatever the number of ways.
  *
  * Updates wait for at most two cycles in a row, whatever happens to the requests, so a full pipeline cannot deadlock through them.
  * After reset the filter frees every entry before it accepts anything.
  */
case class RetryFilter(c: CBoardConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val requestsIn = slave Stream (Request(c))
    val requestsOut = master Stream (Request(c))
    val updates = slave Stream (FilterUpdate(c))
    val control = in(Control())
    val events = out(CounterEvents())
  }

  private val wayBits = log2Up(c.filterWays)
  private val addressBits = c.filterSetsLog2 + wayBits
  val plantedFaults = FilterFaults.port(plantable)
  private val planted = new FilterFaults(plantedFaults)

  io.events := 0
  private def count(counter: Int): Unit = io.events(counter) := True

  val banks = Seq.fill(2)(FilterBank(c))
  /** Address {set, way}; configurations may have one way, which takes no bits. */
  private def address(set: UInt, way: UInt): UInt = (set ## way).asUInt.resize(addressBits)

  /** Not older than the window; ahead counts as live. */
  private def inWindow(time: UInt, now: UInt): Bool = (now - time).asSInt.resize(25) <= io.control.window.resize(25).asSInt

  // --- The request at the head.
  val head = io.requestsIn
  val filters = head.isWriteLike && !head.answered
  val sets = RegNext(FilterHash(c, head.payload))
  val digest = RegNext(FilterHash.digest(head.payload))
  /** The tick that decides: taken once, so that all comparisons of one request agree. */
  val now = Reg(UInt(24 bits))

  // --- The scan: way by way, both choices at once.
  val way = Reg(UInt(wayBits max 1 bits)) init 0
  val scanning = Bool()
  val checking = RegNext(scanning) init False
  val checkedWay = RegNext(way)

  val found = Reg(Bool())
  val foundBank = Reg(UInt(1 bits))
  val foundWay = Reg(UInt(wayBits max 1 bits))
  val foundSame = Reg(Bool())
  val foundProgress = Reg(FilterProgress())
  /** Per choice: replaceable ways, and the first of them. */
  val room = Vec.fill(2)(Reg(UInt(log2Up(c.filterWays + 1) bits)))
  val roomWay = Vec.fill(2)(Reg(UInt(wayBits max 1 bits)))

  private def clearScan(): Unit = {
    way := 0
    found := False
    room.foreach(_ := 0)
  }

  for ((bank, i) <- banks.zipWithIndex) {
    val entry = bank.key
    val pending = bank.progress.state === FilterState.PENDING
    val occupied = bank.progress.state =/= FilterState.FREE
    val live = inWindow(entry.time, now)
    val keyEqual = entry.srcIp === head.srcIp && entry.srcPort === head.srcPort && entry.opId === head.opId
    val digestEqual = planted.choose(FilterFault.NoDigest, wrong = True, right = entry.digest === digest)
    when(checking && occupied && (pending || live) && keyEqual) {
      found := True
      foundBank := i
      foundWay := checkedWay
      foundSame := digestEqual && entry.pid === head.pid && entry.time === head.time
      foundProgress := bank.progress
    }
    val replaceable = !occupied || (!pending && planted.choose(FilterFault.LiveReplaced, wrong = True, right = !live))
    when(checking && replaceable) {
      room(i) := room(i) + 1
      when(room(i) === 0)(roomWay(i) := checkedWay)
    }
  }

  // --- The verdict (contracts §2, steps 1 and 2).
  val isPending = foundProgress.state === FilterState.PENDING
  val isDone = foundProgress.state === FilterState.DONE
  val attemptKnown = planted.choose(FilterFault.LowerAttemptExecutes, wrong = False, right = head.attempt <= foundProgress.attempt)
  val tooOld = planted.choose(FilterFault.WindowOff, wrong = False, right = !inWindow(head.time, now))
  val tooEarly = (now - head.time).asSInt.resize(25) < -((io.control.window |>> 2).resize(25).asSInt)
  /** The emptier choice; the first when they are equal. */
  val target = (room(1) > room(0)).asUInt
  val anyRoom = room.map(_ =/= 0).orR

  object Verdict extends SpinalEnum {
    val conflict, pending, replay, repeat, expired, clock, full, reopen, insert = newElement()
  }
  val verdict = Verdict()
  when(found && !foundSame)(verdict := Verdict.conflict)
    .elsewhen(found && planted.choose(FilterFault.PendingExecutes, wrong = False, right = isPending))(verdict := Verdict.pending)
    .elsewhen(found && isDone)(verdict := Verdict.replay)
    .elsewhen(found && attemptKnown)(verdict := Verdict.repeat)
    .elsewhen(tooOld)(verdict := Verdict.expired)
    .elsewhen(tooEarly)(verdict := Verdict.clock)
    .elsewhen(found)(verdict := Verdict.reopen)
    .elsewhen(!anyRoom)(verdict := Verdict.full)
    .otherwise(verdict := Verdict.insert)
  /** The entry of a request that goes on. */
  val entryBank = found ? foundBank | target
  val entryWay = found ? foundWay | roomWay(target)
  val entryAddress = address(sets(entryBank), entryWay.resize(wayBits))
  val deciding = Bool()
  val decided = RegNextWhen(verdict, deciding)
  val decidedBank = RegNextWhen(entryBank, deciding)
  val decidedAddress = RegNextWhen(entryAddress, deciding)

  // --- Entries change by three hands: the verdict, the scrubber (also after reset), updates; in this order.
  val scrubber = new FilterScrubber(addressBits, planted.choose(FilterFault.NoScrub, wrong = False, right = True))
  for (i <- 0 to 1) scrubber.dead(i) := banks(i).progress.state =/= FilterState.FREE &&
    banks(i).progress.state =/= FilterState.PENDING && !inWindow(banks(i).key.time, io.control.tick)
  when(scrubber.freed)(count(Wire.Counter.FILTER_SCRUBBED))

  val goesOn = verdict === Verdict.insert || verdict === Verdict.reopen
  val decisionWrites = deciding && goesOn
  io.updates.ready := !decisionWrites && !scrubber.writing.orR
  val update = io.updates.payload
  for ((bank, i) <- banks.zipWithIndex) {
    val byVerdict = decisionWrites && entryBank === i
    val byUpdate = io.updates.fire && update.entry.msb === Bool(i == 1)
    val inserted = FilterKey()
    inserted.assignSomeByName(head.payload)
    inserted.digest := digest
    bank.keyWrite.valid := byVerdict && !found
    bank.keyWrite.payload := inserted

    bank.progressWrite.valid := byVerdict || scrubber.writing(i) || planted.choose(FilterFault.UpdateLost, wrong = False, right = byUpdate)
    bank.progressWrite.attempt := update.attempt
    bank.progressWrite.status := update.status
    bank.progressWrite.state := Mux(update.done, U(FilterState.DONE), U(FilterState.RELEASED))
    bank.writeAddress := update.entry.resize(addressBits)
    when(scrubber.writing(i)) {
      bank.progressWrite.state := FilterState.FREE
      bank.writeAddress := scrubber.address
    }
    when(byVerdict) {
      bank.progressWrite.state := FilterState.PENDING
      bank.progressWrite.attempt := head.attempt
      bank.writeAddress := entryAddress
    }
    bank.resultWrite.valid := byUpdate
    bank.resultWrite.payload := update.result
    bank.resultAddress := entryAddress
    bank.readAddress := scanning ? address(sets(i), way.resize(wayBits)) | scrubber.address
  }

  // --- Control.
  val answer = Stream(Request(c))
  answer.valid := False
  answer.payload := head.payload
  answer.payload.allowOverride()
  answer.filtered := False
  answer.filterEntry := (decidedBank ## decidedAddress).asUInt
  answer.tickFilter := now
  head.ready := False
  scanning := False
  deciding := False
  scrubber.mayRead := False

  val control = new StateMachine {
    val clear: State = new State with EntryPoint {
      whenIsActive(when(scrubber.cleared)(goto(pass)))
    }
    val pass: State = new State {
      whenIsActive {
        scrubber.mayRead := True
        now := io.control.tick
        clearScan()
        when(filters) {
          when(head.valid)(goto(scan))
        } otherwise {
          answer.valid := head.valid
          answer.tickFilter := io.control.tick
          head.ready := answer.ready
        }
      }
    }
    val scan: State = new State {
      whenIsActive {
        scanning := True
        way := way + 1
        when(way === c.filterWays - 1)(goto(check))
      }
    }
    val check: State = new State {
      whenIsActive(goto(decide))
    }
    val decide: State = new State {
      whenIsActive {
        deciding := True
        goto(finish)
      }
    }
    val finish: State = new State {
      whenIsActive {
        answer.valid := True
        head.ready := answer.ready
        when(answer.ready)(goto(pass))
      }
    }
    val finishing: Bool = isActive(finish)
  }

  when(deciding) {
    switch(verdict) {
      is(Verdict.insert)(count(Wire.Counter.FILTER_INSERT))
      is(Verdict.replay)(count(Wire.Counter.FILTER_REPLAY))
      is(Verdict.repeat)(count(Wire.Counter.FILTER_REPEAT))
      is(Verdict.reopen)(count(Wire.Counter.FILTER_REOPEN))
      is(Verdict.pending)(count(Wire.Counter.FILTER_PENDING))
      is(Verdict.conflict)(count(Wire.Counter.FILTER_CONFLICT))
      is(Verdict.expired)(count(Wire.Counter.FILTER_EXPIRED))
      is(Verdict.clock)(count(Wire.Counter.FILTER_CLOCK))
      is(Verdict.full)(count(Wire.Counter.FILTER_FULL))
    }
  }

  // The result is read while the verdict falls, and held: the stored words cannot change before the answer leaves, since only
  // an insert or a reopening by this machine could start another end of the same entry.
  val stored = banks.map(_.result).read(decidedBank)
  when(control.finishing) {
    switch(decided) {
      is(Verdict.insert, Verdict.reopen)(answer.filtered := True)
      is(Verdict.conflict)(answer.fail(Wire.Status.CONFLICT, Wire.Cause.NONE))
      is(Verdict.pending)(answer.fail(Wire.Status.BUSY, Wire.Cause.PENDING, io.control.busyHint))
      is(Verdict.expired)(answer.fail(Wire.Status.EXPIRED, Wire.Cause.WINDOW))
      is(Verdict.clock)(answer.fail(Wire.Status.BUSY, Wire.Cause.CLOCK, io.control.busyHint))
      is(Verdict.full)(answer.fail(Wire.Status.BUSY, Wire.Cause.FILTER, io.control.busyHint))
      is(Verdict.replay) {
        answer.answered := True
        answer.status := Wire.Status.OK
        answer.result := stored
      }
      is(Verdict.repeat) {
        answer.answered := True
        answer.status := foundProgress.status
        answer.detailVa := stored(63 downto 16)
        answer.detailLength := stored(15 downto 0)
      }
    }
  }
  io.requestsOut << answer.m2sPipe()
}
