package mneme.leaf

import mneme.MemoryBus
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4

/** The leaf unit of a board: the slow path's commands and the engine's accesses come to it in turn.
  *
  * A command waits for the access that is being looked up, and is done before the next one.
  */
case class LeafPort(l: LeafConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(LeafRegisters.busConfig))
    val door = slave(LeafDoor(l))
    /** An access to a split page, to be counted. */
    val accesses = in Bool ()
    val freePages = slave(Stream(UInt(l.c.memBits - l.c.pageBits bits)))
    val mem = master(Axi4(MemoryBus.config(l.c)))
  }
  val unit = LeafUnit(l)
  val registers = LeafRegisters(l)
  registers.io.bus << io.bus
  registers.io.freePages << io.freePages
  unit.io.mem >> io.mem
  unit.io.ends << io.door.ends
  io.door.tables << registers.io.tables
  io.door.zeros := registers.io.zeros
  io.door.mayBegin := !registers.io.pending

  private val ofDoor = io.door.holds
  unit.io.request.valid := ofDoor ? io.door.request.valid | registers.io.request.valid
  unit.io.request.payload := ofDoor ? io.door.request.payload | registers.io.request.payload
  io.door.request.ready := unit.io.request.ready && ofDoor
  registers.io.request.ready := unit.io.request.ready && !ofDoor
  unit.io.answer.ready := ofDoor ? io.door.answer.ready | registers.io.answer.ready
  io.door.answer.valid := unit.io.answer.valid && ofDoor
  registers.io.answer.valid := unit.io.answer.valid && !ofDoor
  io.door.answer.payload := unit.io.answer.payload
  registers.io.answer.payload := unit.io.answer.payload

  registers.io.total := unit.io.total
  registers.io.usable := unit.io.usable
  registers.io.waiting := unit.io.waiting
  registers.io.stuck := unit.io.stuck
  registers.io.clean := unit.io.clean
  registers.io.events := unit.io.events
  registers.io.accesses := io.accesses
}
