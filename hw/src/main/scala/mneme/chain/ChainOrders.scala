package mneme.chain

import mneme.rdma.{Pending, RateRow}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What the responder of chains does for the slow path: one queue pair at a time. */
private[chain] class ChainOrders(p: ChainResponder) extends Area {
  import p._
  private val order = io.orders.payload
  private val here = qp.valid && pair.qpn === order.pair.qpn

  // --- Whether its arguments come in one packet, and what has no page does, too.
  private val lasts = order.rows.map(_.last)
  private val end = PriorityMux(lasts, order.rows.map(_.end))
  private val fits = lasts.orR && end < order.pair.mtu && (order.settings.stores || order.pair.length <= order.pair.mtu)
  private val sound = ChainResult()
  sound := ChainResult.DONE
  when(!fits)(sound := ChainResult.PROFILE)
  when(order.pair.mtuCode === 0 || order.pair.mtuCode > 5)(sound := ChainResult.PATH_MTU)
  private val limited = order.rate =/= 0
  when(limited && (order.rate < Wire.ROCE_RATE_LEAST || order.rate > Wire.ROCE_RATE_LINE))(sound := ChainResult.RATE)
  when(order.pair.qpn < 2)(sound := ChainResult.NUMBER)
  for (bit <- numbers) when(!order.pair.qpn(bit))(sound := ChainResult.NUMBER)
  when(qp.valid)(sound := ChainResult.TAKEN)

  private val creates = order.command === ChainCommand.CREATE
  val writes = at(State.order) && creates && sound === ChainResult.DONE
  val written = ChainPairRow(k)
  written.pair := order.pair
  written.stores := order.settings.stores
  written.share := shares.io.share
  shares.io.takes := writes

  // --- The command is there for as long as this takes.
  private val tells = RegInit(False)
  when(io.owners.ready)(tells := False)
  when(writes || (at(State.order) && here && order.command === ChainCommand.DESTROY))(tells := True)
  io.owners.valid := tells
  io.owners.payload.valid := creates
  io.owners.qpn := order.pair.qpn
  io.owners.peerIp := order.pair.peerIp
  io.owners.share := shares.io.share

  private val answer = io.ordered
  answer.valid := at(State.order)
  answer.result := ChainResult.DONE
  answer.expected := qp.expected
  answer.msn := qp.msn
  answer.inError := qp.inError
  answer.running := qp.running
  private val count = Reg(UInt(log2Up(ChainFields.ROWS) bits))
  when(at(State.order)) {
    count := 0
    state := State.store
    when(creates) {
      answer.result := sound
      when(writes)(state := State.rows)
    }.elsewhen(!here)(answer.result := ChainResult.UNKNOWN)
      .elsewhen(order.command =/= ChainCommand.QUERY)(state := State.end)
  }

  // --- A queue pair that has seen nothing. Whether its place stands in the queue of those who send stays as it is.
  io.rows.valid := at(State.rows)
  io.rows.pair := index
  io.rows.row := count
  io.rows.value := order.rows(count)
  io.secrets.valid := at(State.rows)
  io.secrets.pair := index
  io.secrets.value := order.secrets
  io.settings.valid := at(State.rows)
  io.settings.pair := index
  io.settings.value := order.settings
  io.settings.value.filler.removeAssignments() := index.resized
  when(at(State.rows)) {
    count := count + 1
    row := written
    qp.valid := True
    qp.inError := False
    qp.expected := order.psn
    qp.msn := 0
    qp.running := False
    qp.gapTold := False
    qp.notReady := 0
    qp.mustNotify := False
    qp.notified := False
    qp.pending := Pending.none
    when(count.andR)(state := State.command)
  }

  // --- Its replies.
  private val to = io.commands
  private val begins = owner === Owner.order && creates
  to.valid := at(State.command)
  to.creates := begins
  to.pair := index
  to.psn := order.firstReply
  to.cap := limited ? order.rate.resize(RateRow.BITS) | Wire.ROCE_RATE_LINE
  to.peer.mac := order.pair.peerMac
  to.peer.ip := order.pair.peerIp
  to.peer.qpn := order.pair.peerQpn
  to.peer.srcPort := order.pair.srcPort
  to.peer.mtu := order.pair.mtuCode - 1
  to.peer.timeout := order.timeout
  to.peer.segment := order.settings.segment
  to.peer.pid := order.settings.pid
  to.peer.share := row.share
  when(to.fire)(state := begins ? State.store | State.gone)
}
