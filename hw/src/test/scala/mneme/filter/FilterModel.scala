package mneme.filter

import mneme.CBoardConfig
import mneme.wire.Wire.{Cause, Status}
import scala.collection.mutable

/** What the filter sees of a request that it filters. */
case class Operation(srcIp: Long, srcPort: Int, opId: Long, pid: Int, opcode: Int, va: Long, length: Int, time: Int) {
  def sameKey(other: Operation): Boolean = srcIp == other.srcIp && srcPort == other.srcPort && opId == other.opId
}

/** States of an entry. */
object FilterState extends Enumeration {
  val PENDING, DONE, RELEASED = Value
}

/** How a request left the filter: `None` fields are not looked at. */
sealed trait Outcome
case object GoesOn extends Outcome
case class Answered(status: Int, detail: Option[BigInt], result: Option[BigInt]) extends Outcome

/** One reading of contracts §2: which rule applies, and what must then be seen. */
case class Verdict(rule: String, outcome: Outcome, entry: Option[Int] = None)

/** Contracts §2 on plain numbers, with a clock that never wraps; the places of entries are taken over from the design and checked.
  *
  * Boards that know tags are modelled as ones that ask every request for one.
  *
  * An entry's age counts absolutely: one that came alive again after a wrap of the 24-bit tick would be found.
  */
class FilterModel(c: CBoardConfig, window: Int, hint: Long) {
  case class Entry(operation: Operation, timeAbsolute: Long, var state: FilterState.Value, var attempt: Int, var status: Int, var result: BigInt) {
    /** The tick in which the operation ended, or ended again. */
    var endedAt = timeAbsolute
    def live(tick: Long): Boolean = tick - timeAbsolute <= window
    def pending: Boolean = state == FilterState.PENDING
  }
  private val entries = mutable.Map.empty[Int, Entry]
  private val wayBits = 32 - Integer.numberOfLeadingZeros(c.filterWays - 1)

  /** Every place where the operation may have its entry. */
  def places(o: Operation): Seq[Int] = {
    val (first, second) = FilterHash.software(c.filterSetsLog2, o.srcIp, o.srcPort, o.opId)
    for ((set, bank) <- Seq(first, second).zipWithIndex; way <- 0 until c.filterWays)
      yield (bank << (c.filterSetsLog2 + wayBits)) | (set << wayBits) | way
  }
  /** Whether the board may find no room at `tick`, which lies some way back: both sets are in use, or but for a way that the source's group leaves to
    * others once it holds its share, or it does so of a crowded filter. Entries are retired in the order in which they were made, those that were late behind all others: one whose turn would
    * have come waits for 1¼ windows at most, the time that an operation from ahead stays. A way whose row is damaged is nobody's.
    */
  def mayBeFull(o: Operation, tick: Long, damaged: Int => Boolean): Boolean = {
    def group(p: Operation) = FilterHash.softwareGroup(c, p.srcIp, Option.when(c.trailers)(p.pid >> 20))
    def inUse(e: Entry) = e.pending || tick - ((e.timeAbsolute + window) max e.endedAt) <= window * 5 / 4
    val used = entries.values.filter(inUse).toSeq
    val (own, others) = used.partition(e => group(e.operation) == group(o))
    val spent = own.size >= (c.filterEntries >> FilterHash.groupBits(c))
    val leaves = if (spent && others.nonEmpty && c.filterWays > 1) 1 else 0
    def full(row: Seq[Int]): Boolean = row.count(place => !damaged(place) && !entries.get(place).exists(inUse)) <= leaves
    (spent && 4 * used.size >= 3 * c.filterEntries) || places(o).grouped(c.filterWays).forall(full)
  }
  /** The place of an operation's entry that is pending or live. */
  def held(o: Operation, tick: Long): Option[Int] = places(o).find(p => entries.get(p).exists(e => e.operation.sameKey(o) && (e.pending || e.live(tick))))
  def replaceable(place: Int, tick: Long): Boolean = entries.get(place).forall(e => !e.pending && !e.live(tick))

  /** Age of a request's 24-bit time, ahead is negative. */
  def age(time: Int, tick: Long): Int = ((((tick - time) & 0xffffff) << 8).toInt) >> 8

  def busy(cause: Int) = Answered(Status.BUSY, Some((BigInt(cause) << 56) | (BigInt(hint) << 16)), None)

  def verdict(o: Operation, attempt: Int, tick: Long): Verdict = {
    val found = held(o, tick)
    found.map(p => p -> entries(p)) match {
      case Some((_, e)) if e.operation != o => Verdict("CONFLICT", Answered(Status.CONFLICT, Some(0), None))
      case Some((_, e)) if e.pending => Verdict("PENDING", busy(Cause.PENDING))
      case Some((_, e)) if e.state == FilterState.DONE && e.status == Status.OK => Verdict("REPLAY", Answered(Status.OK, None, Some(e.result)))
      case Some((_, e)) if e.state == FilterState.DONE => Verdict("REPEAT", Answered(e.status, Some(e.result), None))
      case Some((_, e)) if attempt <= e.attempt => Verdict("REPEAT", Answered(e.status, Some(e.result), None))
      case other =>
        if (age(o.time, tick) > window) Verdict("EXPIRED", Answered(Status.EXPIRED, Some(BigInt(Cause.WINDOW) << 56), None))
        else if (age(o.time, tick) < -(window / 4)) Verdict("CLOCK", busy(Cause.CLOCK))
        else if (other.nonEmpty) Verdict("REOPEN", GoesOn, found)
        else if (places(o).exists(replaceable(_, tick))) Verdict("INSERT", GoesOn)
        else Verdict("FULL", busy(Cause.FILTER))
    }
  }

  def begin(place: Int, o: Operation, attempt: Int, tick: Long): Unit =
    entries(place) = Entry(o, tick - age(o.time, tick), FilterState.PENDING, attempt, 0, 0)

  def end(place: Int, done: Boolean, attempt: Int, status: Int, result: BigInt, tick: Long): Unit = {
    val e = entries(place)
    e.endedAt = tick
    e.state = if (done) FilterState.DONE else FilterState.RELEASED
    e.attempt = attempt
    e.status = status
    e.result = result
  }
}
