package mneme.rdma

import spinal.core._
import spinal.lib._

/** A queue pair that has something to send, and the share of its process. */
case class RoceTurn(r: RoceConfig) extends Bundle {
  val share, pair = UInt(r.queuePairBits bits)
}

/** Whose turn it is to send: processes in turn, and of each process its queue pairs in turn.
  *
  * An example. Process 7 has 64 queue pairs with something to send, process 3 has one. 3 and 7 stand in the queue of processes, 64 in the list of 7. The next
  * packets are of 7's first, of 3's, of 7's second: who has sent a packet comes back at the end of its list, and its process at the end of the queue.
  *
  * The next one is fetched ahead, while the one before it sends. Where nobody waits, who comes is the next one a cycle later. A list is a chain of queue pairs by their places, so all lists
  * together have the room of one. `push` comes every fourth cycle at most: one takes two cycles, fetching three.
  */
case class RoceTurns(r: RoceConfig) extends Component {
  val io = new Bundle {
    /** Stands in the queue from now on; it does not yet. */
    val push = slave Flow (RoceTurn(r))
    val pop = master Stream (UInt(r.queuePairBits bits))
    /** After a reset: a share whose list is empty. */
    val clear = slave Flow (UInt(r.queuePairBits bits))
    val empty = out Bool ()
  }

  /** The queue pairs of a process that wait. */
  private case class Waiting() extends Bundle {
    val some = Bool()
    val first, last = UInt(r.queuePairBits bits)
  }
  private val lists = Mem(Waiting(), r.queuePairs)
  private val behind = Mem(UInt(r.queuePairBits bits), r.queuePairs)
  /** Processes that have somebody in their lists. */
  private val processes = StreamFifo(UInt(r.queuePairBits bits), r.queuePairs)

  private object State extends SpinalEnum {
    val idle, push, fetch, next = newElement()
  }
  private val state = RegInit(State.idle)
  private val idle = state === State.idle
  private val comes = Reg(Flow(RoceTurn(r)))
  comes.valid init False
  private val candidate = Reg(Flow(UInt(r.queuePairBits bits)))
  candidate.valid init False
  /** The candidate's process, when others of it wait: it stands in the queue again when the candidate has gone, behind whoever was sending meanwhile. */
  private val again = Reg(Flow(UInt(r.queuePairBits bits)))
  again.valid init False

  private val returns = idle && !comes.valid && !candidate.valid && again.valid
  private val fetches = idle && !comes.valid && !candidate.valid && !again.valid && processes.io.pop.valid
  private val process = Reg(UInt(r.queuePairBits bits))
  private val asked = comes.valid ? comes.share | processes.io.pop.payload
  private val list = lists.readSync(idle ? asked | process)
  private val second = behind.readSync(list.first)
  private val one = list.first === list.last
  when(idle)(process := asked)
  processes.io.pop.ready := fetches
  processes.io.push.valid := False
  processes.io.push.payload := returns ? again.payload | process

  private val changed = CombInit(list)
  private val changes = False
  lists.write(io.clear.valid ? io.clear.payload | process, changed, changes || io.clear.valid)
  behind.write(list.last, comes.pair, state === State.push && list.some)

  io.pop.valid := candidate.valid
  io.pop.payload := candidate.payload
  io.empty := idle && !comes.valid && !candidate.valid && !again.valid && processes.io.occupancy === 0
  when(io.pop.ready)(candidate.valid := False)

  switch(state) {
    is(State.idle) {
      when(comes.valid)(state := State.push).elsewhen(fetches)(state := State.fetch)
      when(returns) {
        processes.io.push.valid := True
        again.valid := False
      }
    }
    is(State.push) {
      comes.valid := False
      changes := True
      changed.some := True
      changed.last := comes.pair
      when(!list.some) {
        changed.first := comes.pair
        processes.io.push.valid := True
      }
      state := State.idle
    }
    is(State.fetch) {
      candidate.valid := True
      candidate.payload := list.first
      state := State.next
      when(one) {
        changes := True
        changed.some := False
        state := State.idle
      }
    }
    is(State.next) {
      changes := True
      changed.first := second
      again.valid := True
      again.payload := process
      state := State.idle
    }
  }
  when(io.push.valid) {
    when(io.empty) {
      candidate.valid := True
      candidate.payload := io.push.pair
    }.otherwise {
      comes.valid := True
      comes.payload := io.push.payload
    }
  }
  when(io.clear.valid)(changed.some := False)
}
