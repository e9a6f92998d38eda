package mneme.board

import spinal.core._
import spinal.lib._

/** The transmit half of the 10GBASE-R PCS (IEEE 802.3 clause 49): XGMII to scrambled blocks, one in every cycle of 156.25 MHz. Two cycles. */
case class PcsTransmit() extends Component {
  val io = new Bundle {
    val xgmii = in(Xgmii())
    val block = out(Block())
  }
  private val encoder = PcsEncoder()
  private val scrambler = Scrambler()
  encoder.io.in := io.xgmii
  scrambler.io.in := encoder.io.out
  io.block := scrambler.io.out
}

/** The receive half: blocks of the transceiver to XGMII, in the recovered clock. Four blocks of latency. */
case class PcsReceive(slipWait: Int = BlockLock.SLIP_WAIT, window: Int = BlockLock.WINDOW) extends Component {
  val io = new Bundle {
    /** `valid` where the transceiver's gearbox has a block. */
    val blocks = slave(Flow(Block()))
    val signalOk = in Bool ()
    val slip = out Bool ()
    val xgmii = master(Flow(Xgmii()))
    val lock, highErrorRate = out Bool ()
    val wrongHeader, badBlock = out Bool ()
  }
  private val lock = BlockLock(slipWait, window)
  private val descrambler = Descrambler()
  private val decoder = PcsDecoder()
  lock.io.headers << io.blocks.translateWith(io.blocks.header)
  lock.io.signalOk := io.signalOk
  descrambler.io.in << io.blocks
  decoder.io.in << descrambler.io.out
  // PCS_status (49.2.14.1).
  decoder.io.up := lock.io.lock && !lock.io.highErrorRate
  io.slip := lock.io.slip
  io.xgmii << decoder.io.out
  io.lock := lock.io.lock
  io.highErrorRate := lock.io.highErrorRate
  io.wrongHeader := lock.io.wrong
  io.badBlock := decoder.io.bad
}
