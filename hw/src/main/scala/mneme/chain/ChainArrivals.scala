package mneme.chain

import mneme.rdma._
import mneme.wire.Wire.RoceCounter
import spinal.core._

/** What the responder of chains does about a packet that has come, and what it sends. */
private[chain] class ChainArrivals(p: ChainResponder) extends Area {
  import p._
  private val h = arrival.headers

  // --- The message's bytes, for its arguments. Its first byte is not the first one of a beat of its place: ten are of the beat before.
  private val feed = new Area {
    private val lead = 64 - FrameWrites.PAYLOAD
    private val on = RegInit(False)
    private val begun = Reg(Bool())
    private val comes = RegInit(False)
    private val next = Reg(UInt(RoceStore.BEAT_BITS bits))
    private val before = Reg(Bits(8 * lead bits))
    private val beat = Reg(Bits(512 bits))
    private val full = RegInit(False)
    private val wants = on && !full && !(comes && begun)
    io.read.valid := writes.io.read.valid || wants
    io.read.payload := writes.io.read.payload
    writes.io.read.ready := io.read.ready
    when(!writes.io.read.valid) {
      io.read.slot := arrival.slot
      io.read.beat := next
    }
    private val goes = wants && io.read.ready && !writes.io.read.valid
    comes := goes
    when(goes)(next := next + 1)
    io.beats.valid := full && at(State.told)
    io.beats.payload := beat
    when(io.beats.fire)(full := False)
    when(comes) {
      begun := True
      before := io.packet(511 downto 512 - 8 * lead)
      beat := io.packet(8 * FrameWrites.PAYLOAD - 1 downto 0) ## before
      full := begun
    }
    when(at(State.store))(on := False)
    // Nothing else reads a packet's arguments: it may begin before the packet is judged.
    when(at(State.idle)) {
      on := takesArrival && (h.opcode === 0x00 || h.opcode === RoceOpcode.SEND_ONLY)
      begun := False
      comes := False
      next := 0
      full := False
    }
  }

  // --- The packet is judged.
  private val judge = ArrivalJudge(k, planted)
  judge.h := h
  judge.malformed := arrival.malformed
  judge.row := row
  judge.qp := qp
  val j = RegNextWhen(judge.judgement, at(State.judge))
  /** Whether an acknowledge of this packet, and of all before it, tells less than a refusal that waits. */
  private val thisEarlier = RegNextWhen(PsnJudge.isBefore(qp.expected, qp.pendingPsn), at(State.judge) || at(State.flight))
  private val doneEarlier = RegNextWhen(PsnJudge.isBefore(qp.expected - 1, qp.pendingPsn), at(State.judge))
  /** Bytes before the page, of this packet on; those before it are negative. */
  private val toPage = RegNextWhen((pair.length - ChainPair.PAGE).resize(ChainPair.LENGTH_BITS).intoSInt - filled.intoSInt, at(State.judge))
  private def filled: UInt = qp.running ? qp.filled | U(0)
  private val end = Reg(UInt(ChainPair.LENGTH_BITS bits))
  when(at(State.judge)) {
    end := (filled + h.payload).resized
    state := State.act
  }

  private val before = toPage.msb ? U(0, 13 bits) | toPage.asUInt.resize(13)
  private val skip = RegNextWhen(before, at(State.act))
  private val bytes = RegNextWhen((toPage > h.payload.intoSInt) ? U(0, 13 bits) | (h.payload - before), at(State.act))
  private val offset = RegNextWhen(toPage.msb ? (-toPage).asUInt.resize(12) | U(0, 12 bits), at(State.act))

  io.notified.valid := at(State.act) && j.step === ArrivalStep.drop && j.cuts
  io.notified.payload := index

  /** Why a packet is not done. */
  private val failure = new Area {
    val notReady = Reg(Bool())
    val nak = Reg(UInt(2 bits))
    val reason = Reg(UInt(RoceCounters.BITS bits))
    val byLength = Reg(Bool())
    /** Nothing is left of the message, though packets of it are done: no packet that comes could be the next one. */
    val over = Reg(Bool())
  }
  private def fails(nak: Int, reason: UInt, byLength: Bool = False, over: Bool = False, notReady: Bool = False): Unit = {
    failure.notReady := notReady
    failure.nak := nak
    failure.reason := reason
    failure.byLength := byLength
    failure.over := over
    state := State.refuse
  }
  private def number(reason: Int): UInt = U(reason, RoceCounters.BITS bits)
  private val goesOn = j.step === ArrivalStep.page || j.step === ArrivalStep.moves
  when(at(State.act)) {
    state := State.store
    when(j.known && h.congested && (!qp.notified || now - qp.notifiedAt >= notificationGap)) {
      qp.mustNotify := True
      qp.notified := True
      qp.notifiedAt := now
    }
    switch(j.step) {
      is(ArrivalStep.drop) {
        count(j.reason)
        when(j.cuts && io.mayNotify)(countLater(RoceCounter.RATE_CUTS))
      }
      is(ArrivalStep.reply) {
        when(arrival.malformed)(events.answerMalformed := True).otherwise(state := State.reply)
      }
      is(ArrivalStep.gap) {
        count(j.reason)
        qp.gapTold := True
        refuse(B(0x60, 8 bits))
      }
      is(ArrivalStep.duplicate) {
        count(j.reason)
        acknowledge(qp.expected - 1, doneEarlier, qp.msn)
      }
      is(ArrivalStep.refuse)(fails(1, j.reason, byLength = j.byLength))
      is(ArrivalStep.begins)(state := State.arguments)
      is(ArrivalStep.page)(state := State.move)
      is(ArrivalStep.moves)(state := State.write)
    }
    // Nothing has been changed yet: it is looked at again.
    when(j.known && (isClosing || (isWriting && !goesOn))) {
      state := State.idle
      io.counted.valid := False
    }
  }

  // --- Its arguments, and what the unit says to them.
  private val ofPage = Reg(Bool())
  io.fields.valid := at(State.arguments) || (at(State.act) && j.step === ArrivalStep.begins && !isWriting)
  io.fields.payload := index
  when(io.fields.fire) {
    ofPage := False
    state := State.told
  }
  io.messages.arbitrationFrom(io.arguments)
  io.messages.pair := index
  io.messages.arguments := io.arguments.payload
  io.told.ready := at(State.told)
  when(io.told.fire) {
    switch(io.told.verdict) {
      is(ChainVerdict.DONE)(state := State.write)
      is(ChainVerdict.PAGE, ChainVerdict.DROP) {
        qp.frame := io.told.frame
        qp.drops := io.told.verdict === ChainVerdict.DROP
        qp.open := io.told.open
        qp.bare := False
        when(!ofPage)(qp.failed := False)
        state := State.move
      }
      is(ChainVerdict.PAUSED) {
        qp.open := False
        qp.bare := True
        state := State.store
      }
      is(ChainVerdict.DENIED)(fails(2, number(RoceCounter.MEMORY_DENIED), over = ofPage))
      is(ChainVerdict.FAILED)(fails(3, number(RoceCounter.MEMORY_FAILED), over = ofPage))
      is(ChainVerdict.NOT_READY)(fails(0, number(RoceCounter.MEMORY_NOT_READY), notReady = True))
      is(ChainVerdict.ABANDONED) {
        qp.running := False
        events.abandoned := True
        state := State.end
      }
    }
  }

  /** What the unit is told of the page. */
  private val how = Reg(ChainPageEnd())
  def tellsPage(which: ChainPageEnd.E): Unit = {
    how := which
    state := State.page
  }

  // --- Its part of the page.
  private val to = writes.io.commands
  private val some = bytes =/= 0 && !qp.drops
  private val lacks = some && qp.bare && planted.choose(ChainArrivalFault.BareIgnored, wrong = False, right = True)
  to.valid := at(State.move) && some && !lacks
  to.slot := arrival.slot
  to.source := FrameWrites.PAYLOAD + skip
  to.bytes := bytes
  to.address := (qp.frame @@ planted.choose(ChainArrivalFault.PageOffsetLost, wrong = U(0, 12 bits), right = offset)).resized
  private val early = planted.choose(ChainArrivalFault.DoneEarly, wrong = True, right = False)
  when(at(State.move)) {
    when(lacks)(tellsPage(ChainPageEnd.AGAIN)).elsewhen(!some || to.ready) {
      state := State.write
      // The last one is done when memory has it.
      when(j.ends) {
        when(some && !early)(state := State.store).otherwise(tellsPage(ChainPageEnd.WRITTEN))
      }
    }
  }

  // --- All of the page is there, or never will be; or the store pauses, or goes on.
  io.pages.valid := at(State.page)
  io.pages.pair := index
  io.pages.how := how
  when(qp.failed && how === ChainPageEnd.WRITTEN)(io.pages.how := ChainPageEnd.FAILED)
  when(io.pages.fire) {
    ofPage := True
    state := State.told
  }

  // --- It is done.
  private val msn = qp.msn + 1
  private val ends = (owner === Owner.flight) || j.ends
  private val tells = ends || planted.choose(ChainArrivalFault.MessagePerPacket, wrong = True, right = False)
  when(at(State.write)) {
    state := State.store
    qp.expected := qp.expected + 1
    qp.gapTold := False
    qp.notReady := 0
    qp.running := !ends
    qp.filled := end
    when(tells)(qp.msn := msn)
    when(ends)(count(RoceCounter.SENDS))
    when(asks) {
      val count = tells ? msn | qp.msn
      // Nothing is to be sent before it: it needs no turn of its own.
      when(departs && !(qp.pending === Pending.refusal && thisEarlier)) {
        sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), qp.expected, RoceResponder.ACK, count)
        qp.pending := Pending.none
        countLater(RoceCounter.ACKNOWLEDGES)
      }.otherwise(acknowledge(qp.expected, thisEarlier, count))
    }
  }

  // --- It is not done.
  private val hardened = pair.hardened && planted.choose(ChainArrivalFault.HardenedEnds, wrong = False, right = True)
  when(at(State.refuse)) {
    when(failure.byLength)(events.receiveLength := True).otherwise(count(failure.reason))
    state := State.store
    when(failure.notReady) {
      val last = qp.notReady === RoceConfig.NOT_READY_STEPS
      val repeat = (last || planted.choose(ChainArrivalFault.NotReadyStays, wrong = qp.notReady =/= 0, right = False)) ? qp.notReady | qp.notReady + 1
      qp.notReady := repeat
      refuse(B(0x20, 8 bits) | repeat.asBits.resize(8))
    }.elsewhen(hardened && !failure.over)(countLater(RoceCounter.HARDENED))
      .otherwise {
        refuse(B(0x60, 8 bits) | failure.nak.asBits.resize(8))
        when(failure.over)(qp.running := False)
        state := State.end
      }
  }

  // --- The queue pair ends: first the store that runs, then its replies.
  private val stored = qp.running && row.stores && planted.choose(ChainArrivalFault.StoreKept, wrong = False, right = True)
  private val leaves = owner === Owner.order && io.orders.command === ChainCommand.DESTROY
  private val gone = owner === Owner.failure
  when(at(State.end)) {
    state := State.command
    when(qp.inError || !qp.valid || gone || planted.choose(ChainArrivalFault.RepliesKept, wrong = True, right = False))(state := State.gone)
    when(stored)(tellsPage(ChainPageEnd.ABANDONED))
    when(gone && (!qp.valid || qp.inError))(state := State.store)
  }
  when(at(State.gone)) {
    events.repliesFailed := gone
    qp.inError := True
    qp.running := False
    when(owner =/= Owner.arrival && owner =/= Owner.flight)(qp.pending := Pending.none)
    when(leaves)(qp.valid := False)
    state := State.store
  }
  shares.io.gives := at(State.gone) && leaves

  // --- An answer to a reply. Its syndrome is the first byte behind the base transport header.
  io.acks.valid := at(State.reply)
  io.acks.pair := index
  io.acks.psn := h.psn
  io.acks.syndrome := h.immediate(31 downto 24)
  when(at(State.reply) && io.acks.ready)(state := State.store)

  // --- What a queue pair sends.
  when(at(State.pick)) {
    state := State.store
    when(qp.valid) {
      when(qp.mustNotify) {
        qp.mustNotify := False
        sends(B(RoceOpcode.CNP, 8 bits), U(0, 24 bits), B(0, 8 bits), U(0, 24 bits))
        count(RoceCounter.NOTIFICATIONS)
      }.elsewhen(qp.pending =/= Pending.none) {
        qp.pending := Pending.none
        sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), qp.pendingPsn, qp.pendingSyndrome, qp.pendingMsn)
        when(qp.pending === Pending.ack)(count(RoceCounter.ACKNOWLEDGES))
      }
    }
  }
  private def sends(opcode: Bits, psn: UInt, syndrome: Bits, msn: UInt): Unit = {
    val out = departures.io.push
    out.valid := True
    out.dstMac := pair.peerMac
    out.dstIp := pair.peerIp
    out.srcPort := pair.srcPort
    out.opcode := opcode
    out.pkey := ChainPair.PKEY
    out.destQp := pair.peerQpn
    out.psn := psn
    out.ackRequest := False
    out.syndrome := syndrome
    out.msn := msn
    out.original := 0
    out.payload.payload := 0
  }
  /** All as far as `last` is done. A refusal that waits says the same of all before it; once its packet has been done, only the acknowledge is true. */
  private def acknowledge(last: UInt, earlier: Bool, msn: UInt): Unit = when(!(qp.pending === Pending.refusal && earlier)) {
    qp.pending := Pending.ack
    qp.pendingPsn := last
    qp.pendingMsn := msn
    qp.pendingSyndrome := RoceResponder.ACK
  }
  /** Says that all before the expected packet is done, so it replaces an acknowledge. */
  private def refuse(syndrome: Bits): Unit = {
    qp.pending := Pending.refusal
    qp.pendingPsn := qp.expected
    qp.pendingMsn := qp.msn
    qp.pendingSyndrome := syndrome
  }
}
