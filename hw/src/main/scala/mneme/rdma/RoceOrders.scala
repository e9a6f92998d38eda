package mneme.rdma

import mneme.wire.Wire.{RoceCommand, RoceResult}
import spinal.core._

/** What the responder does for the slow path: one queue pair or region at a time. */
class RoceOrders(p: RoceResponder) extends Area {
  import p._
  private val order = io.orders.payload
  private val answer = io.ordered
  private val sound = RoceOrder.judge(r, order)
  private val here = qp.valid && settings.qpn === order.settings.qpn

  val writesSettings = False
  settingsMem.write(index, order.settings, writesSettings)
  shareMem.write(index, shares.io.share, writesSettings)
  shares.io.takes := writesSettings
  shares.io.gives := False
  io.owners.valid := writesSettings || shares.io.gives
  io.owners.payload.valid := writesSettings
  io.owners.qpn := order.settings.qpn
  io.owners.peerIp := order.settings.peerIp
  io.owners.share := shares.io.share.resized

  private def ends(result: Int): Unit = answer.result := result

  when(at(State.order)) {
    state := State.store
    answer.valid := True
    answer.result := sound
    answer.expected := qp.expected
    answer.msn := qp.msn
    answer.inError := qp.inError
    answer.running := qp.running
    answer.unanswered := qp.hasAnswer
    answer.jobs := qp.jobs
    regionRow := order.region.key.asUInt.resize(r.regionBits)
    regionWrite.payload := order.region
  }
  private val sounds = at(State.order) && sound === RoceResult.DONE
  private val command = order.command
  when(sounds) {
    switch(command) {
      is(RoceCommand.CREATE_QUEUE_PAIR) {
        when(qp.valid)(ends(RoceResult.TAKEN)).otherwise {
          writesSettings := True
          rates.io.changes.valid := True
          begin()
        }
      }
      is(RoceCommand.DESTROY_QUEUE_PAIR)(when(here) {
        shares.io.gives := True
        end(stays = False)
      }.otherwise(ends(RoceResult.UNKNOWN)))
      is(RoceCommand.END_QUEUE_PAIR)(when(here)(end(stays = True)).otherwise(ends(RoceResult.UNKNOWN)))
      is(RoceCommand.QUERY_QUEUE_PAIR)(when(!here)(ends(RoceResult.UNKNOWN)))
      is(RoceCommand.CREATE_REGION) {
        when(region.valid)(ends(RoceResult.TAKEN)).otherwise(regionWrite.valid := True)
        regionWrite.payload.valid := True
      }
      is(RoceCommand.REMOVE_REGION) {
        when(region.valid && region.key === order.region.key)(regionWrite.valid := True).otherwise(ends(RoceResult.UNKNOWN))
        regionWrite.payload.valid := False
      }
      default(ends(RoceResult.COMMAND))
    }
  }

  /** A queue pair that has seen nothing. Whether its place stands in the queue of those who send stays as it is. */
  private def begin(): Unit = {
    qp.valid := True
    qp.inError := False
    qp.expected := order.psn
    qp.msn := 0
    qp.running := False
    qp.gapTold := False
    qp.notReady := 0
    qp.mustNotify := False
    qp.notified := False
    qp.oldest := 0
    qp.remembered := 0
    qp.jobs := 0
    qp.unread := 0
    qp.pending := Pending.none
  }

  /** Nothing that waits is answered any more. */
  private def end(stays: Bool): Unit = {
    qp.valid := stays
    qp.inError := True
    forget()
  }
}
