package mneme.board

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** An AXI4 port from a master's clock to a slave's, a [[CrossingStream]] for each channel. Bursts and their data may go over in any order. */
case class CrossingAxi(axi: Axi4Config, depth: Int, from: ClockDomain, to: ClockDomain) extends Component {
  val io = new Bundle {
    val in = slave(Axi4(axi))
    val out = master(Axi4(axi))
  }
  private def over[T <: Data](source: Stream[T], sink: Stream[T], from: ClockDomain, to: ClockDomain): CrossingStream[T] = {
    val crossing = CrossingStream(cloneOf(source.payload), depth, from, to)
    crossing.io.in << source
    sink << crossing.io.out
    crossing
  }
  val ar = over(io.in.ar, io.out.ar, from, to)
  val aw = over(io.in.aw, io.out.aw, from, to)
  val w = over(io.in.w, io.out.w, from, to)
  val r = over(io.out.r, io.in.r, to, from)
  val b = over(io.out.b, io.in.b, to, from)
}

/** The resets of both sides of a memory whose controller says when it is there.
  *
  * When it goes, the core's side is in reset first and the controller's after it; when it comes, in the other order, so nobody looks at what the other one
  * has lost. Both have the values that they begin with: in reset.
  */
case class MemoryReset(memory: ClockDomain) extends Component {
  val io = new Bundle {
    /** In the memory's clock: its controller is out of reset and calibrated. */
    val ready = in Bool ()
    /** In the core's clock, and in the memory's. */
    val core, memory = out Bool ()
  }
  val crossing = CrossingReset(MemoryReset.this.memory, ClockDomain.current)
  val kept = new ClockingArea(Crossing.unreset(memory)) {
    /** A controller that is gone for a cycle only is gone until the core knows. */
    val asked = RegInit(True)
    when(!io.ready)(asked := True) elsewhen (crossing.io.there)(asked := False)
    crossing.io.asked := asked
    io.memory := crossing.io.there
  }
  io.core := crossing.io.reset
}
