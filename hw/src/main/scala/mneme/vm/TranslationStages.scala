package mneme.vm

import mneme.CBoardConfig
import mneme.engine.Ticket
import spinal.core._

/** A token on its way through the stages, or replace's probe, which only looks up. */
private[vm] case class Translating(c: CBoardConfig) extends Bundle {
  val ticket = Ticket(c)
  val generation = Bool()
  val key = PageKey(c)
  val set = UInt(c.tlbSetsLog2 bits)
  val probe = Bool()

  /** It comes from a waiting list; of its ticket there is the place alone. */
  val again = Bool()

  /** The request has a page; the others pass untouched. */
  val needed = Bool()
  val access = Access()

  /** It came after a replace command, which may be of its page. */
  val late = Bool()
  val age = Age(c)
}

/** A request that the TLB serves, or that needs no translation. */
private[vm] case class Checking(c: CBoardConfig) extends Bundle {
  val ticket = Ticket(c)
  val generation = Bool()
  val access = Access()
  val needed, damaged = Bool()
  /** As many of its group wait for a miss entry as may. */
  val refused = Bool()
  val entry = Bits(64 bits)
  val age = Age(c)
}

/** A parked request on its way back. */
private[vm] case class Resuming(c: CBoardConfig) extends Bundle {
  val parked = Parked(c)
  val age = Age(c)
  val resolved = Resolved(c)
}
