package mneme

import mneme.regs.Rest
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** The last stage before memory, which lives through the core's reset: it has the reset of what lies behind the port.
  *
  * A reset of the core ends a *life*; memory does not know of it. So what was offered at the port stays offered as it is, bursts whose data are owed get
  * them, with strobes of 0, and late answers end here. The next life's addresses wait until memory owes nothing. Requests pass through a pipe
  * of registered ready, as they would without a guard, and these registers keep what is offered.
  *
  * Data never run ahead of their address, which a reset would take away: a burst has its turn once its address has been taken from the core.
  */
case class ResetGuard(axi: Axi4Config, masterBits: Int, bursts: Int = 8, faults: Faults[ResetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    /** In this cycle the core still does what it does; in the next one nothing of it is left. */
    val coreResets = in Bool ()
    val core = slave(Axi4(axi))
    val port = master(Axi4(axi))
    /** Whose burst of data is next: the top bits of its id. */
    val turn = master(Flow(UInt(masterBits bits)))
    /** Memory owes nothing, and is owed nothing. */
    val rests = out Bool ()
  }

  /** The core's requests wait and its answers are thrown away. */
  val closed = RegInit(True)
  private val settled = Bool()
  private val closes = io.coreResets || (closed && !settled)
  closed := closes

  /** A pipe of registered ready. What it has offered stays offered, whatever becomes of the core. */
  case class Pipe[T <: Data](in: Stream[T], out: Stream[T], room: Bool = True) extends Area {
    val takes = RegInit(False)
    val holds = RegInit(False)
    val kept = RegNextWhen(in.payload, takes)
    in.ready := takes && room
    out.valid := faults.choose(ResetFault.OfferWithdrawn, holds && !closed, holds) || in.fire
    out.payload := takes ? in.payload | kept
    holds := out.isStall
    takes := !out.isStall && !closes
  }

  // --- Addresses.
  private case class Turn() extends Bundle {
    val master = UInt(masterBits bits)
    // Bursts end within 4 KB.
    val len = UInt(6 bits)
  }
  private val begun = Stream(Turn())
  val ar = Pipe(io.core.ar, io.port.ar)
  val aw = Pipe(io.core.aw, io.port.aw, room = begun.ready)
  begun.valid := io.core.aw.valid && aw.takes
  begun.master := io.core.aw.id.takeHigh(masterBits).asUInt
  begun.len := io.core.aw.len.resized
  private val turns = begun.queueLowLatency(bursts)
  io.turn.valid := turns.valid
  io.turn.payload := turns.master

  // --- Data: the core's, and in its place, when it is gone, beats that change nothing.
  val data = new Area {
    private val (in, out) = (io.core.w, io.port.w)
    val takes = RegInit(False)
    val holds = RegInit(False)
    val drains = RegNext(closed && !holds) init False
    val beat = Reg(UInt(6 bits)) init 0
    val kept = RegNextWhen(in.payload, takes)
    private val ends = beat === faults.choose(ResetFault.EndsEarly, turns.len >> 1, turns.len).resized
    // A reset of these registers, so that the way of the core's strobes has no gate.
    when(faults.choose(ResetFault.StrobesKept, False, closed && !holds))(kept.strb := 0)
    in.ready := takes
    private val owed = faults.choose(ResetFault.BeatsForgotten, False, drains && turns.valid)
    out.valid := takes ? in.valid | (holds || owed)
    out.payload := takes ? in.payload | kept
    out.last.removeAssignments() := takes ? in.last | ends
    turns.ready := out.fire && out.last
    holds := out.isStall
    takes := !out.isStall && !closes
    when(out.fire)(beat := out.last ? U(0) | beat + 1)
  }

  // --- Answers.
  private val swallows = faults.choose(ResetFault.LateAnswersPass, False, closed)
  io.core.r.valid := io.port.r.valid && !swallows
  io.core.r.payload := io.port.r.payload
  io.port.r.ready := io.core.r.ready || swallows
  io.core.b.valid := io.port.b.valid && !swallows
  io.core.b.payload := io.port.b.payload
  io.port.b.ready := io.core.b.ready || swallows

  // --- What is open, from where the core cannot take it back any more.
  val reads = Rest.count(io.core.ar.fire)(io.port.r.fire && io.port.r.last)
  val writes = Rest.count(io.core.aw.fire)(io.port.b.fire)
  io.rests := RegNext(reads === 0 && writes === 0) init False
  // What the core did in its last cycle is in the counts by then.
  private val seen = History(closed, 1 to 2, init = False).andR && closed
  settled := faults.choose(ResetFault.OpensEarly, True, seen && io.rests)
}

/** Defects that a proof plants. */
object ResetFault extends Enumeration {
  /** An address that was offered when the reset came is taken back. */
  val OfferWithdrawn = Value
  /** Data that are owed are never sent. */
  val BeatsForgotten = Value
  /** Data sent in place of the core's have strobes. */
  val StrobesKept = Value
  /** Such a burst ends before its length. */
  val EndsEarly = Value
  /** Answers to an earlier life reach the core. */
  val LateAnswersPass = Value
  /** The new life begins while memory still owes answers. */
  val OpensEarly = Value
}
