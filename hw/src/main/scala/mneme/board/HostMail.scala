package mneme.board

import mneme.net.{CountedBeat, FrameBeat}
import mneme.wire.Wire
import mneme.wire.Wire.HostRegister
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.AxiLite4SlaveFactory
import spinal.lib.bus.misc.SizeMapping

/** The slow ring as registers (`docs/reference/wire.md`, *Registers of a board whose slow path is a host*): a beat of 64 bytes of a frame each way. */
case class HostMail() extends Bundle with IMasterSlave {
  /** The beat that is there, for the slow path; taken with `takes`. */
  val in = Stream(CountedBeat())
  val out = Stream(CountedBeat())
  override def asMaster(): Unit = { master(out); slave(in) }
}

object HostMail {
  /** Puts the mail's registers onto a bus whose addresses are from `base` on. */
  def apply(bus: AxiLite4SlaveFactory, base: Int, mail: HostMail): Unit = new Area {
    private def at(register: Int): Int = register - base
    bus.read(mail.out.ready ## mail.in.valid, at(HostRegister.MAIL_STATUS))
    bus.read(mail.in.last ## B(0, 2 bits) ## mail.in.lastByte, at(HostRegister.MAIL_BEAT))
    mail.in.ready := bus.isWriting(at(HostRegister.MAIL_BEAT))
    private val words = mail.in.data.subdivideIn(32 bits)
    for (i <- 0 until 16) bus.read(words(i), at(Wire.MAIL_IN) + 4 * i)
    val line = Vec(Reg(Bits(32 bits)), 16)
    private val value = bus.nonStopWrite(Bits(32 bits))
    // Whoever takes a beat takes its words from here, until there is room again.
    for (i <- 0 until 16) when(bus.isWriting(at(Wire.MAIL_OUT) + 4 * i) && mail.out.ready)(line(i) := value)
    // Without room the write does nothing: an offer that is not taken at once could not stay.
    mail.out.valid := bus.isWriting(at(HostRegister.MAIL_SEND)) && mail.out.ready
    mail.out.data := line.asBits
    mail.out.lastByte := value(5 downto 0).asUInt
    mail.out.last := value(8)
    mail.out.user := 0
  }
}
