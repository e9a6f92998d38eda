package mneme.rdma

import mneme.leaf.LeafConfig
import mneme.wire.Wire.RoceCounter
import spinal.core._

/** SENDs of queue pairs that give up pages of 4 KB: of boards with a leaf unit. One is done when no WRITE is on its way, and nothing else meanwhile. */
class RoceFreeing(p: RoceResponder, l: LeafConfig) extends Area {
  import p._
  private val rows = Mem(FreeRow(l), r.queuePairs)
  private val read = rows.readSync(nextIndex)
  /** Of the queue pair that is looked at, from the cycle after `load` on. */
  val row = RegNextWhen(read, at(State.load))
  rows.write(index, io.orders.frees, slow.writesSettings)

  private val list = FreeList(r, l)
  val reads = list.io.read
  list.io.packet := io.packet
  io.frees <> list.io.leaf
  requests.judge.io.frees := row.takes
  list.io.start.valid := requests.gives
  list.io.start.slot := io.arrivals.slot
  list.io.start.ranges := io.arrivals.headers.payload.drop(log2Up(FreeList.RANGE)).asUInt.resized
  list.io.start.row := row
  list.io.start.pid := settings.pid

  private val ended = list.io.ended
  when(at(State.free) && ended.valid) {
    state := State.write
    val failure = requests.failure
    failure.notReady := False
    def refuses(end: SpinalEnumElement[FreeEnd.type], nak: Int, reason: Int): Unit = when(ended.payload === end) {
      failure.nak := nak
      failure.reason := reason
      state := State.refuse
    }
    refuses(FreeEnd.invalid, 1, RoceCounter.MESSAGE)
    refuses(FreeEnd.denied, 2, RoceCounter.MEMORY_DENIED)
    refuses(FreeEnd.failed, 3, RoceCounter.MEMORY_FAILED)
  }
}
