package mneme.leaf

import mneme.MemoryBus
import mneme.chain.ChainLeafDoor
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.bus.amba4.axilite.AxiLite4

/** The leaf unit of a board: the slow path's commands, the engine's accesses and the RoCEv2 port's lists of pages that are given up come to it in turn.
  *
  * A command waits for the access that is being looked up, and is done before the next one. A list is an operation after the other, and accesses get their
  * turns between them, one or two each. A command waits for the whole list, which has few pages, and is done before the next one.
  *
  * With chains their messages, and look-ups of pages that are sent without an access, take turns with the engine's accesses. Who waits for what, at most:
  *
  * | who | waits for |
  * |---|---|
  * | an access | a message of chains; two operations of a list, with a message between; a command |
  * | a message | an access, or the cycle in which one may begin; two operations of a list, with an access between; a command |
  * | an operation of a list | the access or the message that has begun |
  * | a command | the access or the message that has begun, or the list |
  *
  * A list leaves one turn between two operations. If chains had the one before, it is the engine's, whether it has an access or not; else it is theirs, if
  * they want it.
  */
case class LeafPort(l: LeafConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(LeafRegisters.busConfig))
    val door = slave(LeafDoor(l))
    val frees = slave(FreeDoor(l))
    val chains = (l.c.chains > 0) generate slave(ChainLeafDoor(l))
    /** An access to a split page, to be counted. */
    val accesses = in Bool ()
    val freePages = slave(Stream(UInt(l.c.memBits - l.c.pageBits bits)))
    val mem = master(Axi4(MemoryBus.config(l.c)))
  }
  private val hasChains = l.c.chains > 0
  val unit = LeafUnit(l, both = hasChains)
  val registers = LeafRegisters(l)
  registers.io.bus << io.bus
  registers.io.freePages << io.freePages
  unit.io.mem >> io.mem
  unit.io.ends << io.door.ends
  io.door.tables << registers.io.tables
  io.door.zeros := registers.io.zeros

  private val ofDoor = io.door.holds
  private val ofList = io.frees.holds
  /** An access or a message has begun. */
  private val begun = if (hasChains) ofDoor || io.chains.holds else ofDoor
  /** The next turn is the list's: an access that has begun ends, and no other one begins. */
  private val listsTurn = RegInit(False) setWhen (io.frees.request.valid && !begun) clearWhen io.frees.answer.fire
  if (!hasChains) io.door.mayBegin := !(registers.io.pending && !ofList) && !listsTurn
  io.frees.mayBegin := !registers.io.pending
  // Lists and commands exclude each other, and stand behind accesses.
  private val (listed, ordered) = (!begun && ofList && listsTurn, !begun && !ofList)
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

  val chains = hasChains generate new Area {
    private val door = io.chains
    /** The next turn is theirs, if they want it. Behind one of theirs the engine may begin first, for a cycle. */
    private val first = RegInit(True) clearWhen door.holds setWhen (!door.holds && (io.door.mayBegin || ofDoor))
    private val free = !(registers.io.pending && !ofList) && !listsTurn
    door.mayBegin := free && !begun && first
    io.door.mayBegin := free && !door.holds && !(door.wants && first)
    door.request.ready := unit.io.request.ready && door.holds
    door.answer.valid := unit.io.answer.valid && door.holds
    door.answer.payload := unit.io.answer.payload
    when(door.holds) {
      unit.io.request.valid := door.request.valid
      unit.io.request.payload := door.request.payload
      unit.io.answer.ready := door.answer.ready
    }
    unit.io.others << door.ends
  }

  registers.io.total := unit.io.total
  registers.io.usable := unit.io.usable
  registers.io.waiting := unit.io.waiting
  registers.io.stuck := unit.io.stuck
  registers.io.clean := unit.io.clean
  registers.io.events := unit.io.events
  registers.io.accesses := io.accesses
}
