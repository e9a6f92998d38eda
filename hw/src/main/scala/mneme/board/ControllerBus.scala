package mneme.board

import spinal.core._
import spinal.lib._

/** An access to a register of the DRAM controller. */
case class ControllerCommand() extends Bundle {
  val writes = Bool()
  /** In bytes. */
  val address = UInt(ControllerBus.ADDRESS_BITS bits)
  val data = Bits(32 bits)
}

/** Accesses, one at a time, each of which has a result. */
case class ControllerSide() extends Bundle with IMasterSlave {
  val commands = Stream(ControllerCommand())
  val results = Flow(Bits(32 bits))
  override def asMaster(): Unit = { master(commands); slave(results) }
}

/** What a controller has of Wishbone (B4, classic cycles): `stb` and all beside it stay until `ack`. */
case class ControllerRegisters() extends Bundle with IMasterSlave {
  /** In words. */
  val adr = UInt(ControllerBus.ADDRESS_BITS - 2 bits)
  val dat_w, dat_r = Bits(32 bits)
  val stb, we, ack = Bool()
  override def asMaster(): Unit = { out(adr, dat_w, stb, we); in(dat_r, ack) }
}

/** The way from the board's registers to those of the DRAM controller, in its clock: its initialisation and levelling are the host's business.
  *
  * It belongs into a clock without reset, and has none in the other one: both are needed before the controller is calibrated. An access to a controller in
  * reset waits until it is not.
  */
case class ControllerBus(controller: ClockDomain) extends Component {
  val io = new Bundle {
    val side = slave(ControllerSide())
    val registers = master(ControllerRegisters())
  }
  private val (here, there) = (ClockDomain.current, Crossing.unreset(controller))
  val commands = CrossingWord(ControllerCommand(), here, there)
  val results = CrossingWord(Bits(32 bits), there, here)
  commands.io.in << io.side.commands
  io.side.results << results.io.out

  val access = new ClockingArea(there) {
    val asks, answers = RegInit(False)
    val word = RegNextWhen(io.registers.dat_r, io.registers.ack)
    val command = commands.io.out.payload
    when(commands.io.out.valid)(asks := True)
    when(asks && io.registers.ack) {
      asks := False
      answers := True
    }
    when(results.io.in.fire)(answers := False)
    io.registers.stb := asks
    io.registers.we := command.writes
    io.registers.adr := command.address.drop(2).asUInt
    io.registers.dat_w := command.data
    results.io.in.valid := answers
    results.io.in.payload := word
  }
}

object ControllerBus {
  val ADDRESS_BITS = 16
}
