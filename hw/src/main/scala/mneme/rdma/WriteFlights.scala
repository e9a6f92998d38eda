package mneme.rdma

import mneme.Faults
import spinal.core._
import spinal.lib._

/** The WRITEs that have been handed to memory and have not been finished, the oldest first: a *flight* each.
  *
  * A flight's tokens enter the engine one after the other. Two things become of each: the engine fetches its data, which tells that the page may be written
  * (docs/reference/doors.md), and it completes. A token that is refused completes without a fetch.
  *
  *   - A flight has *passed* when the data of all its tokens have been asked for, and none has failed: what comes behind it may be begun.
  *   - It is *over* when it has no more tokens and all have completed. The oldest one is told when it is, and stays until it is retired.
  */
case class WriteFlights(flights: Int, contexts: Int, tokens: Int, planted: Faults[FlightFault.Value] = Faults.none) extends Component {
  require(flights >= 2 && Integer.bitCount(flights) == 1, s"flights: a power of two from 2 on is needed, not $flights")
  private val bits = log2Up(flights)
  private val contextBits = log2Up(contexts)
  val io = new Bundle {
    /** A WRITE is handed over; only with `room`. It is the newest flight from the next cycle on. */
    val begins = in Bool ()
    /** A token of the newest flight has entered. */
    val entered = slave(Flow(UInt(contextBits bits)))
    /** The newest flight has no more tokens. */
    val walked = in Bool ()
    /** A beat of a token is asked for. */
    val fetched = slave(Flow(UInt(contextBits bits)))
    val completed = slave(Flow(FlightEnd(contextBits)))
    /** The oldest flight, which is over, is forgotten. */
    val retire = in Bool ()

    val room = out Bool ()
    /** Which flights there are, and which of them have passed. */
    val held, passed = out Bits (flights bits)
    val oldest = out UInt (bits bits)
    /** The one that begins next. */
    val next = out UInt (bits bits)
    /** The oldest is over, and ended so. */
    val over = master(Flow(AccessEnd()))
    /** A token of the newest flight has failed; data of one have not been asked for. */
    val newestFails, newestWaits = out Bool ()
  }

  case class Record() extends Bundle {
    val walked = Bool()
    /** Tokens that have not completed; of which no data have been asked for. */
    val inside, unasked = UInt(log2Up(tokens + 1) bits)
    val end = AccessEnd()
    def failed: Bool = end =/= AccessEnd.done
  }
  val held = Reg(Bits(flights bits)) init 0
  val records = Vec.fill(flights)(Reg(Record()))
  val oldest, next = Reg(UInt(bits bits)) init 0
  private val newest = next - 1

  /** Of each token: its flight, and whether its data have been asked for. */
  val owners = Mem(UInt(bits bits), contexts).addAttribute("ram_style", "distributed")
  val asked = Reg(Bits(contexts bits)) init 0
  owners.write(io.entered.payload, newest, io.entered.valid)

  // What the engine says is looked at a cycle later.
  val fetch = io.fetched.m2sPipe()
  val completion = io.completed.m2sPipe()
  val asks = fetch.valid && !asked(fetch.payload)
  // Without a fetch it was refused; a fetch in the same cycle is told above.
  val refused = completion.valid && !asked(completion.context) && !(fetch.valid && fetch.payload === completion.context)
  private val (asker, ender) = (owners.readAsync(fetch.payload), owners.readAsync(completion.context))
  when(fetch.valid)(asked(fetch.payload) := True)
  when(io.entered.valid)(asked(io.entered.payload) := False)

  for ((record, i) <- records.zipWithIndex) {
    val enters = io.entered.valid && newest === i
    val ends = completion.valid && ender === i
    val isAsked = asks && asker === i
    val isRefused = refused && ender === i
    record.inside := record.inside + enters.asUInt - ends.asUInt
    record.unasked := record.unasked + enters.asUInt - isAsked.asUInt - isRefused.asUInt
    when(io.walked && newest === i)(record.walked := True)
    val fails = completion.how =/= AccessEnd.done
    // The first failure is the one that is answered.
    when(ends && (planted.choose(FlightFault.FailureForgotten, wrong = True, right = fails && !record.failed)))(record.end := completion.how)
    when(io.begins && next === i) {
      record.walked := False
      record.inside := 0
      record.unasked := 0
      record.end := AccessEnd.done
    }
    val all = planted.choose(FlightFault.PassedEarly, wrong = True, right = record.walked)
    io.passed(i) := held(i) && all && record.unasked === 0 && planted.choose(FlightFault.FailedPasses, wrong = True, right = !record.failed)
  }
  private val begun = UIntToOh(next, flights).andMask(io.begins)
  private val gone = UIntToOh(oldest, flights).andMask(io.retire)
  held := (held | begun) & ~gone
  when(io.begins)(next := next + 1)
  when(io.retire)(oldest := oldest + 1)

  private val first = records(oldest)
  private val complete = planted.choose(FlightFault.OverEarly, wrong = True, right = first.walked)
  io.over.valid := held(oldest) && complete && first.inside === 0
  io.over.payload := first.end
  io.room := !held(next)
  io.held := held
  io.oldest := oldest
  io.next := next
  io.newestFails := records(newest).failed
  io.newestWaits := records(newest).unasked =/= 0
}

/** A token's end. */
case class FlightEnd(contextBits: Int) extends Bundle {
  val context = UInt(contextBits bits)
  val how = AccessEnd()
}

/** Defects that a proof plants, to show that it would refute them. No build of a board has one. */
object FlightFault extends Enumeration {
  val
  /** A flight counts as passed though more of its tokens are to come. */
  PassedEarly,
  /** One whose token was refused counts as passed. */
  FailedPasses,
  /** One is told to be over though more of its tokens are to come. */
  OverEarly,
  /** A token that is done hides that one before it was refused. */
  FailureForgotten = Value
}
