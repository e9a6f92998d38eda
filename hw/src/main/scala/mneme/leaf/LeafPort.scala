package mneme.leaf

import mneme.MemoryBus
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4

/** The leaf unit of a board: the slow path's commands, the engine's accesses and the RoCEv2 port's lists of pages that are given up come to it in turn.
  *
  * A command waits for the access that is being looked up, and is done before the next one. A list is an operation after the other, and accesses get their
  * turns between them, one or two each. A command waits for the whole list, which has few pages, and is done before the next one.
  */
case class LeafPort(l: LeafConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(LeafRegisters.busConfig))
    val door = slave(LeafDoor(l))
    val frees = slave(FreeDoor(l))
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

  private val ofDoor = io.door.holds
  private val ofList = io.frees.holds
  /** The next turn is the list's: an access that has begun ends, and no other one begins. */
  private val listsTurn = RegInit(False) setWhen (io.frees.request.valid && !ofDoor) clearWhen io.frees.answer.fire
  io.door.mayBegin := !(registers.io.pending && !ofList) && !listsTurn
  io.frees.mayBegin := !registers.io.pending
  // Lists and commands exclude each other, and stand behind accesses.
  private val (listed, ordered) = (!ofDoor && ofList && listsTurn, !ofDoor && !ofList)
  unit.io.request.valid := Mux(ofDoor, io.door.request.valid, Mux(ofList, io.frees.request.valid && listsTurn, registers.io.request.valid))
  unit.io.request.payload := Mux(ofDoor, io.door.request.payload, Mux(ofList, io.frees.request.payload, registers.io.request.payload))
  io.door.request.ready := unit.io.request.ready && ofDoor
  io.frees.request.ready := unit.io.request.ready && listed
  registers.io.request.ready := unit.io.request.ready && ordered
  unit.io.answer.ready := Mux(ofDoor, io.door.answer.ready, Mux(ofList, io.frees.answer.ready, registers.io.answer.ready))
  for ((answer, own) <- Seq(io.door.answer -> ofDoor, io.frees.answer -> listed, registers.io.answer -> ordered)) {
    answer.valid := unit.io.answer.valid && own
    answer.payload := unit.io.answer.payload
  }

  registers.io.total := unit.io.total
  registers.io.usable := unit.io.usable
  registers.io.waiting := unit.io.waiting
  registers.io.stuck := unit.io.stuck
  registers.io.clean := unit.io.clean
  registers.io.events := unit.io.events
  registers.io.accesses := io.accesses
}
