package mneme.board

import spinal.core._
import spinal.core.sim._

import scala.util.Random

/** A port between a line and the core's streams; each clock has a period of its own, in ps. */
class PortBench(dut: EthernetPort, seed: Int, core: Int = 4000, rx: Int = 6400, tx: Int = 6400)
    extends LineSim(LineSim.Pins(dut.io.rx_clock, dut.io.tx_clock, dut.io.rx, dut.io.rx_slip, dut.io.tx), new Random(seed), rx, tx)
    with CoreSide {
  val clock: ClockDomain = dut.clockDomain
  var address = BigInt("021122334455", 16)
  protected val patience = 200000
  protected def lineLeft: Int = toPort.size
  def forget(): Unit = forget(dut.io.net.tx)

  dut.io.rx_signalOk #= true
  dut.io.settings.address #= address
  dut.io.settings.sendPauses #= false
  restPorts(dut.io.net.rx, dut.io.net.tx, dut.io.counter.index, dut.io.counter.value)
  runLine()
  runCore(dut.io.net.rx, dut.io.net.tx, core)

  /** Waits for a link in both directions; before it, what the port sends is nothing that frames are in. */
  def up(): Unit = {
    // Before the first edges registers hold anything.
    cycles(50)
    until("a link")(dut.io.status.lock.toBoolean && !dut.io.status.localFault.toBoolean && !dut.io.status.remoteFault.toBoolean)
    cycles(100)
    fromPort.clear()
  }
}
