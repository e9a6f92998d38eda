package mneme.vm

import mneme.CBoardConfig
import mneme.engine.{Demand, Ordering, Ticket}
import spinal.core._

/** A token that waits for its page. */
case class Parked(c: CBoardConfig) extends Bundle {
  val demand = Demand(c)

  /** It went to a waiting list, and a replace of its page had come before it. */
  val held = Bool()
}

/** Counts the tokens that enter. */
object Age {

  /** Tokens of which neither has left are so few apart. */
  private def apart(c: CBoardConfig): Int = c.placeBits
  def apply(c: CBoardConfig): UInt = UInt(apart(c) + 2 bits)

  /** Whether a parked token entered before one that never waited. It may have waited for so long that the count has come round: then it is
    * taken for a later one while no more tokens pass than may be inside.
    */
  def before(c: CBoardConfig, parked: UInt, other: UInt): Bool = (parked - other).drop(apart(c)).orR
}

/** What the decision on a token needs of it. */
case class Asking(c: CBoardConfig) extends Bundle {
  val access = Access()
  val ordering = Ordering()

  /** As in [[mneme.engine.Demand]]. */
  val impatient = (c.rdma > 0) generate Bool()
}

/** Where tokens wait for their pages: a place for each that can be inside, so there is always room. */
case class Parking(c: CBoardConfig) extends Area {
  private val tokens = Mem(Parked(c), c.places).addAttribute("ram_style", "distributed")
  private val ages = Mem(Age(c), c.places).addAttribute("ram_style", "distributed")
  private val questions = Mem(Asking(c), c.places).addAttribute("ram_style", "distributed")

  def write(ticket: Ticket, age: UInt, held: Bool, enable: Bool): Unit = {
    val parked = Parked(c)
    parked.demand := ticket.demand
    parked.held := held
    tokens.write(ticket.place, parked, enable = enable)
    ages.write(ticket.place, age, enable = enable)
    val asking = Asking(c)
    asking.access := Access.of(ticket.demand.operation)
    asking.ordering := ticket.demand.ordering
    if (c.rdma > 0) asking.impatient := ticket.demand.impatient
    questions.write(ticket.place, asking, enable = enable)
  }

  /** The place to read, and its token in the same cycle. */
  val reads = UInt(c.placeBits bits)
  val read: Parked = tokens.readAsync(reads)

  /** When a token entered, in the same cycle. */
  def age(place: UInt): UInt = ages.readAsync(place)

  /** What the decision on a token needs of it, in the same cycle. */
  def question(place: UInt): Asking = questions.readAsync(place)
}
