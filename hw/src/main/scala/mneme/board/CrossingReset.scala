package mneme.board

import spinal.core._

/** A reset on its way into another clock and the word that it has come: a level that is asked for, and the level that is there.
  *
  * Its registers have no reset but the values that they begin with, as they make resets. At first both are high.
  */
case class CrossingReset(from: ClockDomain, to: ClockDomain) extends Crossing {
  val io = new Bundle {
    /** From a register of `from`. */
    val asked = in Bool ()
    /** The reset, in `to`. */
    val reset = out Bool ()
    /** The same, seen in `from`. */
    val there = out Bool ()
  }

  val sender = new ClockingArea(Crossing.unreset(from)) {
    val held = RegNext(io.asked.asBits) init 1
  }
  val receiver = new ClockingArea(Crossing.unreset(to)) {
    val reset = settle(sender.held, start = true)
    // One more, so that what has many loads is no part of the synchroniser.
    val spread = RegNext(reset) init 1
  }
  val answered = new ClockingArea(Crossing.unreset(from)) {
    val there = settle(receiver.spread, start = true)
  }
  io.reset := receiver.spread.asBool
  io.there := answered.there.asBool
}

/** The resets of the core's side of a port and of both line clocks.
  *
  * A reset of the core may last a single cycle, shorter than one of a line clock. So it is kept until both lines are in reset, and the core's side stays in
  * reset until both have left it again: no side ever works while another one does not yet. A line clock that stands still keeps the port in reset.
  */
case class PortReset(rx: ClockDomain, tx: ClockDomain) extends Component {
  val io = new Bundle {
    /** For the core's side; high from the cycle of the core's own reset on. */
    val core = out Bool ()
    val rx = out Bool ()
    val tx = out Bool ()
  }
  private val core = ClockDomain.current
  private val (toRx, toTx) = (CrossingReset(core, PortReset.this.rx), CrossingReset(core, PortReset.this.tx))
  private val kept = new ClockingArea(Crossing.unreset(core)) {
    val asked = RegInit(False)
    val pending = RegInit(True)
    val there = toTx.io.there ## toRx.io.there
    when(pending && !asked && !there.orR) {
      asked := True
      pending := False
    }
    when(asked && there.andR)(asked := False)
    when(core.isResetActive)(pending := True)
    io.core := core.isResetActive || pending || asked || there.orR
  }
  for (way <- Seq(toRx, toTx)) way.io.asked := kept.asked
  io.rx := toRx.io.reset
  io.tx := toTx.io.reset
}
