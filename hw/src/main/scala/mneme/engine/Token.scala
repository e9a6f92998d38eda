package mneme.engine

import mneme.CBoardConfig
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** What a token asks of memory. */
object Operation extends SpinalEnum {
  val nothing, read, write, compareSwap, fetchAdd, swap = newElement()

  def isAtomic(operation: Operation.C): Bool = Seq(compareSwap, fetchAdd, swap).map(operation === _).orR
  def reads(operation: Operation.C): Bool = operation =/= nothing && operation =/= write
  def writes(operation: Operation.C): Bool = operation =/= nothing && operation =/= read
}

/** What a token must wait for, and until when it may take effect. */
case class Ordering() extends Bundle {
  /** Its completion follows those of all earlier tokens of its door and pid. It asks for nothing else. */
  val fence = Bool()

  /** It takes effect only while the board's tick is not past `time` by more than the retry window; else it ends with EXPIRED. */
  val windowed = Bool()
  val time = UInt(24 bits)
}

/** What a door asks, whoever it is. */
case class Demand(c: CBoardConfig) extends Bundle {
  val operation = Operation()
  val ordering = Ordering()

  /** Its door does nothing else before it has ended: it waits for no free page, nor behind who does. Of a board with a RoCEv2 port, whose door is the one. */
  val impatient = (c.rdma > 0) generate Bool()
  val pid = UInt(Wire.PID_BITS bits)

  /** First byte. The access lies inside one page; an atomic is on an aligned word. */
  val va = UInt(Wire.VA_BITS bits)

  /** Bytes, 1 to the largest payload; 8 of an atomic. */
  val length = UInt(16 bits)

  /** Where the data of a write begin among the bytes that the door keeps for this context. */
  val dataOffset = UInt(8 bits)
}

/** A request at a door. `context` is the door's own name for it; no two tokens inside have the same. */
case class Token(c: CBoardConfig) extends Bundle {
  val context = UInt(c.contextBits bits)
  val demand = Demand(c)
}

/** A token inside the engine: `place` is the door's number above the context. */
case class Ticket(c: CBoardConfig) extends Bundle {
  val place = UInt(c.placeBits bits)
  val demand = Demand(c)
}

object Place {
  def of(c: CBoardConfig, door: Int, context: UInt): UInt =
    if (c.doors == 1) CombInit(context) else U(door, c.placeBits - c.contextBits bits) @@ context

  def context(c: CBoardConfig, place: UInt): UInt = place.resize(c.contextBits bits)

  /** One-hot. */
  def door(c: CBoardConfig, place: UInt): Bits = if (c.doors == 1) B(1, 1 bits) else UIntToOh(place.drop(c.contextBits).asUInt, c.doors)
}

/** How a token ended: `status` is a Status number; what is not OK has a cause and a detail. */
case class Outcome() extends Bundle {
  val status = Bits(5 bits)

  /** The `va` and `length` fields of an answer that is not OK: cause (8 bits), zeros (8), hint (32); of MOVED what the away row says. */
  val detailVa = Bits(48 bits)
  val detailLength = Bits(16 bits)

  def cause: Bits = detailVa(47 downto 40)

  def succeed(): Unit = {
    status := Wire.Status.OK
    detailVa := 0
    detailLength := 0
  }

  def fail(status: Int, cause: Int, hint: Bits = B(0, 32 bits)): Unit = {
    this.status := status
    detailVa := B(cause, 8 bits) ## B(0, 8 bits) ## hint
    detailLength := 0
  }
}

/** What translation found out about a token, all of it known before memory is asked. */
case class Report() extends Bundle {
  val outcome = Outcome()

  /** A read of an allocated page that nobody wrote: its bytes are zeros, and no data come. */
  val zeros = Bool()

  /** The token walked. */
  val resumed = Bool()

  /** It waited for a free page, or behind a token of its page that did. */
  val slow = Bool()
  /** The tick against which its window was checked, of a token with a page. */
  val tickResume = UInt(24 bits)
}

/** The end of a token. */
case class Completion(c: CBoardConfig) extends Bundle {
  val context = UInt(c.contextBits bits)
  val report = Report()

  /** The word that an atomic found. */
  val old = Bits(64 bits)
}

/** A beat of data that a door keeps for one of its contexts. */
case class Fetch(c: CBoardConfig) extends Bundle {
  val context = UInt(c.contextBits bits)
  val beat = UInt(log2Up(c.slotBeats) bits)
}

/** A beat of read data, byte 0 of the payload in data(7 downto 0) of its first beat; zero past the length. */
case class PayloadBeat() extends Bundle {
  val data = Bits(512 bits)

  /** The memory controller reported an error for one of these bytes. */
  val error = Bool()
}

/** What memory access and a door have to do with each other: data in, data and completions out. The engine is the master. */
case class DoorData(c: CBoardConfig) extends Bundle with IMasterSlave {
  /** Data of writes, wanted by the engine. They are there when the token is: an answer comes in the cycle after its command. */
  val fetch = Stream(Fetch(c))
  val fetched = Flow(Bits(512 bits))

  /** Operands of an atomic (swap and addend low; compare-and-swap: expected low, new high), asked for in one cycle and taken in the next. */
  val operandsOf = UInt(c.contextBits bits)
  val operands = Bits(128 bits)

  /** In the order in which tokens left translation, which is that of their arrival for those of one page. A read completes before its data come. */
  val completions = Stream(Completion(c))

  /** ceil(length / 64) beats for each read that completed OK and not as zeros, in the order of completions. */
  val payload = Stream(PayloadBeat())

  override def asMaster(): Unit = {
    master(fetch, completions, payload)
    slave(fetched)
    out(operandsOf)
    in(operands)
  }
}

/** A way into the access engine, seen from who uses it (docs/reference/doors.md). */
case class Door(c: CBoardConfig) extends Bundle with IMasterSlave {
  val tokens = Stream(Token(c))
  val data = DoorData(c)
  override def asMaster(): Unit = {
    master(tokens)
    slave(data)
  }
}
