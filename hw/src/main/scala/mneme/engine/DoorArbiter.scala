package mneme.engine

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** Lets the tokens of all doors in, each door by its weight in lines of memory.
  *
  * Each door has a credit; a token takes as many lines of it as it touches, and a token that costs nothing counts as one. A door whose credit is
  * spent waits while others have some; when all that want to enter have spent theirs, each door gets `weight` × 8 lines, and a cycle passes. A token may overdraw
  * its door's credit, so the longest one enters at any weight, and is paid off later. Doors with credit enter in turn.
  *
  * So a door that always has a token gets its weight's share of the lines, and waits for no more than the other doors' credits and one token each.
  */
class DoorArbiter(c: CBoardConfig, planted: Faults[DoorFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val doors = Vec(slave(Stream(Token(c))), c.doors)
    /** 0 counts as 1. */
    val weights = in(Vec(UInt(8 bits), c.doors))
    val tickets = master(Stream(Ticket(c)))
  }

  private def ticket(token: Token, door: Int): Ticket = {
    val ticket = Ticket(c)
    ticket.place := Place.of(c, door, token.context)
    ticket.demand := token.demand
    ticket
  }

  val choose = (c.doors > 1) generate new Area {
    private val creditBits = 14
    val credits = Vec.fill(c.doors)(Reg(SInt(creditBits bits)) init 0)
    val wants = B(io.doors.map(_.valid))
    val may = wants & B(credits.map(_ > 0))
    /** The door whose token is offered; it stays until that has gone. */
    val held = Reg(Bits(c.doors bits)) init 0
    val last = Reg(Bits(c.doors bits)) init 1
    val turn = OHMasking.roundRobin(may, last.rotateLeft(1))
    val chosen = held.orR ? held | turn

    io.tickets.valid := chosen.orR
    io.tickets.payload := MuxOH.or(chosen, io.doors.zipWithIndex.map { case (door, i) => ticket(door.payload, i) })
    for ((door, i) <- io.doors.zipWithIndex) door.ready := io.tickets.ready && chosen(i)
    held := planted.choose(DoorFault.OfferChanges, wrong = B(0, c.doors bits), right = io.tickets.isStall ? chosen | B(0))
    when(io.tickets.fire)(last := planted.choose(DoorFault.TurnStays, wrong = last, right = chosen))

    val spent = !may.orR && !held.orR && wants.orR
    for (((credit, door), weight) <- credits.zip(io.doors).zip(io.weights)) {
      val quantum = ((weight === 0) ? U(1, 8 bits) | weight) @@ U(0, 3 bits)
      val most = quantum.resize(creditBits).asSInt
      val lines = (door.demand.length(13 downto 6) +^ U(1)).resize(creditBits).asSInt
      when(spent)(credit := (credit >= 0) ? most | credit + most)
      when(door.fire)(credit := planted.choose(DoorFault.NothingCharged, wrong = credit, right = credit - lines))
    }
  }

  // A lone door has nobody to share with.
  if (c.doors == 1) io.tickets << io.doors.head.translateWith(ticket(io.doors.head.payload, 0))
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object DoorFault extends Enumeration {
  /** A token costs its door nothing. */
  val NothingCharged = Value
  /** The turn never goes on. */
  val TurnStays = Value
  /** An offer is not kept until it is taken. */
  val OfferChanges = Value
}
