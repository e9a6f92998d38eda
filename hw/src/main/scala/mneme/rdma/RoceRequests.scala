package mneme.rdma

import mneme.engine.Operation
import mneme.wire.Wire.RoceCounter
import spinal.core._

/** What the responder does about a packet that has come. */
class RoceRequests(p: RoceResponder) extends Area {
  import p._
  private val arrival = io.arrivals.payload
  private val h = arrival.headers
  /** The packet has been offered for two cycles when it is judged. */
  private val kind = RegNext(OpcodeKind.of(h.opcode))

  val judge = new RequestJudge(r)
  judge.io.headers := h
  judge.io.kind := kind
  judge.io.malformed := arrival.malformed
  judge.io.settings := settings
  judge.io.qp := qp
  judge.io.region := region
  judge.io.hasJob := hasJob
  private val j = Reg(Judgement())
  when(at(State.judge)) {
    j := judge.io.judgement
    state := State.act
  }

  /** Why a packet is not done. */
  case class Failure() extends Bundle {
    /** Now; else for good. */
    val notReady = Bool()
    /** What is added to 0x60. */
    val nak = UInt(2 bits)
    val reason = UInt(RoceCounters.BITS bits)
  }
  val failure = Reg(Failure())
  /** An atomic was executed, and found this. */
  private val executed = Reg(Bool())
  private val original = Reg(Bits(64 bits))
  /** READs and atomics that were looked at for a duplicate. */
  private val looked = Reg(UInt(5 bits))

  /** Whether this packet, and the last one that is done, come before the one that is refused; as it is before this packet changes anything. */
  private val thisEarlier = RegNext(PsnJudge.isBefore(h.psn, qp.pendingPsn))
  private val doneEarlier = RegNext((qp.expected + ~qp.pendingPsn).msb)

  // --- The packet has been judged, but for its region's end.
  private val grant = j.region.grant(j.bytes)
  private val denied = j.looks && !grant.granted
  /** Behind WRITEs of its queue pair that have not ended only another one is done: all else tells what has been done, or must see it. */
  private val writes = j.step === Step.write && h.payload =/= 0
  /** One that gives up pages reads its list where WRITEs read their data. */
  private val frees = if (r.leaf.isDefined) j.step === Step.free else False
  private val waits = (own.orR && !writes) || (frees && access.io.held.orR)
  val gives = at(State.act) && frees && !waits
  when(at(State.act)) {
    handed := writes
    failure.notReady := j.step === Step.notReady && !denied
    failure.nak := denied ? U(2, 2 bits) | j.nak
    failure.reason := denied ? grant.reason | j.reason
    executed := False
    when(j.known && h.congested && (!qp.notified || now - qp.notifiedAt >= r.notificationGap)) {
      qp.mustNotify := True
      qp.notified := True
      qp.notifiedAt := now
    }
    when(waits)(state := State.idle)
      .otherwise(switch(j.step) {
        is(Step.drop) {
          count(j.reason)
          when(j.cuts && rates.io.room) {
            countLater(RoceCounter.RATE_CUTS)
            rates.io.changes.valid := True
          }
          state := State.store
        }
        is(Step.gap) {
          count(j.reason)
          qp.gapTold := True
          refuse(qp.expected, B(0x60, 8 bits))
          state := State.store
        }
        is(Step.refuse, Step.notReady)(state := State.refuse)
        is(Step.duplicateWrite) {
          count(j.reason)
          acknowledge(qp.expected - 1, doneEarlier, qp.msn)
          state := State.store
        }
        is(Step.duplicateOther) {
          looked := 0
          state := State.scan
        }
        is(Step.read)(state := State.write)
        is(Step.write) {
          access.io.commands.valid := writes && !denied
          state := State.write
        }
        // It must not overtake READs (IBTA volume 1, table 79): behind one it is executed in its turn.
        is(Step.atomic) {
          access.io.commands.valid := qp.unread === 0 && !denied
          state := (qp.unread === 0) ? State.access | State.write
        }
      })
    when(denied)(state := State.refuse)
    if (r.leaf.isDefined) when(gives)(state := State.free)
  }
  when(at(State.act)) {
    val command = access.io.commands.payload
    command.operation := (j.step === Step.write) ? Operation.write() | (kind.compareSwap ? Operation.compareSwap() | Operation.fetchAdd())
    command.pid := settings.pid
    command.va := j.va.resized
    command.bytes := kind.write ? h.payload | U(8, 13 bits)
    command.slot := arrival.slot
    command.offset := arrival.offset
    command.operands := kind.compareSwap ? (h.swapAdd ## h.compare) | (h.compare ## h.swapAdd)
  }

  // --- Memory has answered.
  private val ended = access.io.ended
  when(at(State.access) && ended.valid) {
    executed := kind.atomic
    original := ended.old
    state := State.write
    when(ended.how =/= AccessEnd.done) {
      failure.notReady := ended.how === AccessEnd.notReady
      failure.nak := (ended.how === AccessEnd.denied) ? U(2, 2 bits) | U(3, 2 bits)
      failure.reason := RoceRequests.reason(ended.how)
      state := State.refuse
    }
  }

  // --- It is not done.
  private val early = owner === Owner.arrival && own.orR
  when(at(State.refuse) && early)(state := State.idle)
  when(at(State.refuse) && !early) {
    count(failure.reason)
    state := State.store
    handed := False
    when(failure.notReady) {
      val repeat = (qp.notReady === RoceConfig.NOT_READY_STEPS) ? qp.notReady | qp.notReady + 1
      qp.notReady := repeat
      refuse(qp.expected, B(0x20, 8 bits) | repeat.asBits.resize(8))
    }.elsewhen(settings.hardened)(countLater(RoceCounter.HARDENED))
      .otherwise {
        refuse(qp.expected, B(0x60, 8 bits) | failure.nak.asBits.resize(8))
        qp.inError := True
      }
  }

  // --- It is done.
  when(at(State.write)) {
    state := State.store
    val after = qp.expected + (kind.read ? j.packets | U(1, 24 bits))
    val msn = qp.msn + 1
    val ends = !kind.write || kind.ends
    qp.expected := after
    qp.gapTold := False
    qp.notReady := 0
    when(ends)(qp.msn := msn)
    when(kind.write) {
      qp.running := !ends
      qp.va := (j.va + h.payload).resized
      qp.rkey := j.rkey
      qp.left := j.left - h.payload
      // One that was handed to memory is counted and acknowledged when that has done it.
      when(!handed) {
        when(ends)(count(RoceCounter.WRITES))
        when(kind.immediate)(countLater(RoceCounter.IMMEDIATES))
        when(h.ackRequest)(acknowledge(h.psn, thisEarlier, ends ? msn | qp.msn))
      }
    }.elsewhen(frees) {
      count(RoceCounter.SENDS)
      when(h.ackRequest)(acknowledge(h.psn, thisEarlier, msn))
    }.otherwise {
      keep(msn)
      // Its answer tells what is done before it.
      qp.pending := Pending.none
      enqueue(qp.nextPlace, unread = !executed)
      when(kind.read)(count(RoceCounter.READS))
      when(executed)(count(RoceCounter.ATOMICS))
    }
  }

  /** Remembers a READ or an atomic, in the oldest one's place when all are taken. */
  private def keep(msn: UInt): Unit = {
    rememberAt := qp.nextPlace
    remember.valid := True
    val entry = remember.payload
    entry.kind := kind.read ? RememberedKind.read() | (kind.compareSwap ? RememberedKind.compareSwap() | RememberedKind.fetchAdd())
    entry.psn := h.psn
    entry.msn := msn
    entry.va := h.va
    entry.rkey := h.rkey
    entry.found := executed
    when(kind.read)(entry.setRead(h.dmaLength, asked))
      .otherwise(entry.setAtomic(h.swapAdd, h.compare, original))
    when(qp.remembered.msb)(qp.oldest := qp.oldest + 1)
      .otherwise(qp.remembered := qp.remembered + 1)
  }
  /** All of a READ, as the packet asks for it. */
  private def asked: ReadRest = {
    val rest = ReadRest()
    rest.psn := h.psn
    rest.va := h.va.resized
    rest.length := h.dmaLength
    rest.begins := True
    rest
  }

  // --- A duplicate of a READ or an atomic: looks for what is remembered, the oldest first, an entry in five cycles.
  private val entry = Reg(Remembered())
  private val here = qp.oldest + looked.resize(4)
  when(at(State.scan)) {
    place := here
    state := State.scanned
    when(looked === qp.remembered) {
      count(RoceCounter.DUPLICATES_FORGOTTEN)
      state := State.store
    }
  }
  when(at(State.scanned)) {
    entry := remembered
    state := State.skips
  }

  /** How far the packet is behind the entry's first: in packets, and in bytes by its address. */
  private val skipped = Reg(UInt(24 bits))
  private val moved = Reg(UInt(64 bits))
  private val sameKey, sameAtomic = Reg(Bool())
  private val sameKind =
    kind.compareSwap ? (entry.kind === RememberedKind.compareSwap && h.compare === entry.compare) | (entry.kind === RememberedKind.fetchAdd)
  when(at(State.skips)) {
    skipped := h.psn - entry.psn
    moved := h.va - entry.va
    sameKey := h.rkey === entry.rkey
    sameAtomic := kind.atomic && sameKind && h.swapAdd === entry.swapAdd
    state := State.compares
  }

  private val bytes = (skipped.resize(36) |<< (settings.mtuCode +^ U(7))).resize(36)
  private val rest = Reg(UInt(32 bits))
  private val within, there, first, queued = Reg(Bool())
  when(at(State.compares)) {
    within := bytes < entry.length.resize(36) || skipped === 0
    there := moved === bytes.resize(64)
    first := skipped === 0 && moved === 0
    rest := entry.length - bytes.resize(32)
    queued := qp.isQueued(here)
    state := State.matches
  }

  private val sameRead = entry.isRead && kind.read && within && there && h.dmaLength <= rest
  when(at(State.matches)) {
    looked := looked + 1
    state := State.scan
    when(sameKey && (sameRead || (sameAtomic && first))) {
      state := State.store
      rememberAt := here
      remember.payload := entry
      when(entry.isRead) {
        // If it is being answered, the answer goes on from here, so that a queue pair has one answer a request at most.
        remember.valid := True
        remember.payload.setRead(entry.length, asked)
        count(RoceCounter.DUPLICATE_READS)
      }.otherwise(count(RoceCounter.DUPLICATE_ATOMICS))
      when(!queued)(enqueue(here, unread = entry.isRead || !entry.found))
    }
  }

  // --- What a queue pair does in more than one place.
  /** All as far as `last` is done. A refusal that waits says the same of all before it; once its packet has been done, only the acknowledge is true. */
  def acknowledge(last: UInt, earlier: Bool, msn: UInt): Unit = {
    when(!(qp.pending === Pending.refusal && earlier)) {
      qp.pending := Pending.ack
      qp.pendingPsn := last
      qp.pendingMsn := msn
      qp.pendingSyndrome := RoceResponder.ACK
    }
  }
  /** Says that all before `psn` is done, so it replaces an acknowledge. */
  private def refuse(psn: UInt, syndrome: Bits): Unit = {
    qp.pending := Pending.refusal
    qp.pendingPsn := psn
    qp.pendingMsn := qp.msn
    qp.pendingSyndrome := syndrome
  }
  /** Adds a READ or atomic to those that are to be answered. */
  private def enqueue(where: UInt, unread: Bool): Unit = {
    qp.order(qp.jobs.resize(4)) := where
    qp.jobs := qp.jobs + 1
    qp.unread := qp.unread + unread.asUInt
    oneJobMore()
  }
}

object RoceRequests {
  /** What is counted of an access that was not done. */
  def reason(how: AccessEnd.C): UInt = {
    val reason = UInt(RoceCounters.BITS bits)
    reason := RoceCounter.MEMORY_FAILED
    when(how === AccessEnd.notReady)(reason := RoceCounter.MEMORY_NOT_READY)
    when(how === AccessEnd.denied)(reason := RoceCounter.MEMORY_DENIED)
    reason
  }
}
