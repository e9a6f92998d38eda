package mneme.rdma

import mneme.engine.Operation
import mneme.wire.Wire
import mneme.wire.Wire.RoceCounter
import spinal.core._

/** What the responder sends: the next packet of a queue pair. There is room for it. */
class RoceAnswers(p: RoceResponder) extends Area {
  import p._
  private val entry = Reg(Remembered())
  private val rest = entry.rest
  private val mtu = settings.mtu
  /** Of a READ: bytes of this response, and whether it is the last one. */
  private val bytes = Reg(UInt(13 bits))
  private val ends = Reg(Bool())
  private val look = Reg(RegionLook())
  private val grant = look.grant(entry.isRead ? bytes.resize(32) | U(8, 32 bits))

  private val out = departures.io.push
  def sends(opcode: Bits, psn: UInt, syndrome: Bits = B(0, 8 bits), msn: UInt = U(0, 24 bits), bytes: UInt = U(0, 13 bits)): Unit = {
    out.valid := True
    out.dstMac := settings.peerMac
    out.dstIp := settings.peerIp
    out.srcPort := settings.srcPort
    out.opcode := opcode
    out.pkey := settings.pkey
    out.destQp := settings.peerQpn
    out.psn := psn
    out.ackRequest := False
    out.syndrome := syndrome
    out.msn := msn
    out.original := entry.original
    out.payload.payload := bytes
  }

  // --- What comes next: a notification, the oldest READ or atomic, or what waits behind all of them.
  when(at(State.pick)) {
    state := State.store
    when(qp.valid) {
      when(qp.mustNotify) {
        qp.mustNotify := False
        sends(B(RoceOpcode.CNP, 8 bits), U(0, 24 bits))
        count(RoceCounter.NOTIFICATIONS)
      }.elsewhen(qp.jobs =/= 0) {
        // Whoever waits for its rate comes again when that lets it go, or when something else is to be done about it.
        when(waits)(countLater(RoceCounter.HELD)).otherwise(state := State.entry)
      }
        .elsewhen(qp.pending =/= Pending.none) {
          qp.pending := Pending.none
          sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), qp.pendingPsn, qp.pendingSyndrome, qp.pendingMsn)
          when(qp.pending === Pending.ack)(count(RoceCounter.ACKNOWLEDGES))
        }
    }
  }
  private val coming = remembered.rest.length
  private val short = coming <= mtu.resize(32)
  when(at(State.entry)) {
    entry := remembered
    bytes := short ? coming.resize(13) | mtu
    ends := short
    state := State.check
  }

  // --- Rights are looked at again: the region may be gone.
  private val right = entry.isRead ? B(Wire.ROCE_RIGHT_READ, 3 bits) | B(Wire.ROCE_RIGHT_ATOMIC, 3 bits)
  private val va = entry.isRead ? rest.va.resize(64) | entry.va
  when(at(State.check)) {
    look := Region.look(region, entry.rkey, settings.pid, va, right)
    state := State.answer
  }

  private val silent = entry.isRead ? (bytes === 0) | entry.found
  private val why = Reg(AccessEnd())
  private val reason = Reg(UInt(RoceCounters.BITS bits))
  when(at(State.answer)) {
    why := AccessEnd.denied
    reason := grant.reason
    val command = access.io.commands.payload
    command.operation := entry.kind.mux(
      RememberedKind.read -> Operation.read(),
      RememberedKind.compareSwap -> Operation.compareSwap(),
      RememberedKind.fetchAdd -> Operation.fetchAdd()
    )
    command.pid := settings.pid
    command.va := va.resized
    command.bytes := entry.isRead ? bytes | U(8, 13 bits)
    command.slot := 0
    command.offset := 0
    command.operands := entry.operands
    when(silent)(state := State.emit)
      .elsewhen(!grant.granted)(state := State.fail)
      .otherwise {
        access.io.commands.valid := True
        state := State.answerAccess
      }
  }
  when(at(State.answerAccess) && access.io.ended.valid) {
    val end = access.io.ended
    state := State.emit
    when(end.how =/= AccessEnd.done) {
      why := end.how
      reason := RoceRequests.reason(end.how)
      state := State.fail
    }.elsewhen(!entry.isRead) {
      entry.found := True
      entry.setAtomic(entry.swapAdd, entry.compare, end.old)
      qp.unread := qp.unread - 1
      countLater(RoceCounter.ATOMICS)
    }
  }

  // --- The answer.
  rates.io.sent.valid := at(State.emit)
  rates.io.sent.pair := index
  rates.io.sent.bytes := bytes.andMask(entry.isRead)
  when(at(State.emit)) {
    state := State.store
    remember.valid := True
    remember.payload := entry
    when(entry.isRead) {
      val opcode = rest.begins ? (ends ? B(0x10, 8 bits) | B(0x0d, 8 bits)) | (ends ? B(0x0f, 8 bits) | B(0x0e, 8 bits))
      sends(opcode, rest.psn, RoceResponder.ACK, entry.msn, bytes)
      answered := (bytes +^ 63)(12 downto 6)
      count(RoceCounter.READ_RESPONSES)
      val after = ReadRest()
      after.psn := rest.psn + 1
      after.va := rest.va + bytes
      after.length := rest.length - bytes
      after.begins := False
      remember.payload.setRead(entry.length, after)
    }.otherwise(sends(B(RoceOpcode.ATOMIC_ACKNOWLEDGE, 8 bits), entry.psn, RoceResponder.ACK, entry.msn))
    when(!entry.isRead || ends) {
      for (i <- 0 until RoceConfig.REMEMBERED - 1) qp.order(i) := qp.order(i + 1)
      qp.jobs := qp.jobs - 1
      fewerJobs(U(1))
      when(entry.isRead)(qp.unread := qp.unread - 1)
    }
  }

  // --- It cannot be done. What waits behind it is forgotten: the requester asks for all of it again.
  when(at(State.fail)) {
    state := State.store
    count(reason)
    forget()
    val psn = entry.isRead ? rest.psn | entry.psn
    when(why === AccessEnd.notReady)(sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), psn, B(0x21, 8 bits), entry.msn))
      .elsewhen(settings.hardened)(countLater(RoceCounter.HARDENED))
      .otherwise {
        qp.inError := True
        sends(B(RoceOpcode.ACKNOWLEDGE, 8 bits), psn, (why === AccessEnd.denied) ? B(0x62, 8 bits) | B(0x63, 8 bits), entry.msn)
      }
  }
}
