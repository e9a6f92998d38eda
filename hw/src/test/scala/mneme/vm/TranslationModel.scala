package mneme.vm

import mneme.CBoardConfig
import mneme.engine.Operation
import mneme.wire.Wire
import spinal.core.SpinalEnumElement
import scala.collection.mutable

/** What a bench asks of translation. */
case class Asked(
    id: Long,
    place: Int,
    operation: SpinalEnumElement[Operation.type],
    fence: Boolean,
    page: Page,
    offset: Long,
    windowed: Boolean,
    time: Int,
    length: Int,
    dataOffset: Int
) {
  def reads: Boolean = operation != Operation.write
  def writes: Boolean = operation != Operation.read
  def translated: Boolean = operation != Operation.nothing
}

/** A token as it came out. */
case class Came(
    operation: SpinalEnumElement[Operation.type],
    address: BigInt,
    status: Int,
    detailVa: BigInt,
    detailLength: Int,
    zeros: Boolean,
    resumed: Boolean,
    tickResume: Int,
    cycle: Long
) {
  /** The pages that were left were kept for other groups. An away row may say the same. */
  def keptForOthers: Boolean = resumed && status == Wire.Status.BUSY && (detailVa >> 40).toInt == Wire.Cause.SHARE

  /** As many of its group waited as may. An away row may say the same of a page that was walked for. */
  def refused: Boolean = !resumed && status == Wire.Status.BUSY && (detailVa >> 40).toInt == Wire.Cause.SHARE
}

/** What translation decided. `detailVa` and `detailLength` count for a status that is not OK alone. */
case class Decided(status: Int, detailVa: Long = 0, detailLength: Int = 0, zeros: Boolean = false, address: Long = 0, walked: Boolean = false)

/** What the bench saw at the async buffer in the cycle of a page fault. */
sealed trait PageEvent
case class Taken(ppn: Long) extends PageEvent
case class Dry(exhausted: Boolean) extends PageEvent
/** There were pages, but not for its group: the port shows nothing of it. */
case object Kept extends PageEvent

/** Contracts §3 on plain numbers: one request or replace after the other, nothing in parallel. */
class TranslationModel(c: CBoardConfig, val table: TableModel, busyHint: Long, window: Int, awayRows: Seq[(Int, Long, Int)], damaged: Set[Long]) {
  import Wire.{Cause, Status}
  /** Every entry that the TLB may hold. */
  val tlb = new TlbModel(Int.MaxValue)
  /** Page faults as they were seen; every one must be asked for. */
  val pageEvents = mutable.Queue.empty[PageEvent]
  /** How often each outcome came up. */
  val seen = mutable.Map.empty[String, Int].withDefaultValue(0)
  private val geometry = table.geometry

  private def fail(status: Int, cause: Int, hint: Long = 0) = Decided(status, cause.toLong << 40 | hint)
  /** The outcome that came up last. */
  var latest = ""
  private def note(what: String, decided: Decided): Decided = {
    seen(what) += 1
    latest = what
    decided
  }

  def expired(time: Int, tick: Int): Boolean = {
    val age = (tick - time) << 8 >> 8
    age > window
  }

  /** What is decided on a request. Whether it walked is the board's to say, since what a TLB holds depends on time; a hit needs a reason.
    * `event` is what the board met at the async buffer, if it was there; `lost`, that entries are lost, and that it refused for that.
    */
  def decide(asked: Asked, tick: Int, walked: Boolean, event: PageEvent, lost: Boolean): Decided =
    if (walked) walk(asked, tick, event, lost).copy(walked = true)
    else
      tlb.peek(asked.page) match {
        case Some(entry) if asked.writes && !Entry.has(entry, Wire.Pte.DIRTY) => note("write hit of a clean entry", Decided(-1))
        case Some(entry) if asked.windowed && expired(asked.time, tick) =>
          if (Entry.odd(entry)) tlb.forget(asked.page)
          note("expired hit", fail(Status.EXPIRED, Cause.WINDOW))
        case Some(entry) if Entry.odd(entry) =>
          tlb.forget(asked.page)
          note("tlb parity", fail(Status.MEMERR, Cause.PARITY))
        case Some(entry) => refusal(asked, entry).getOrElse(note("hit", at(asked, entry)))
        case None => note("hit without an entry", Decided(-1))
      }

  /** As many of its group wait as may. */
  def refuse(): Decided = note("refused", fail(Status.BUSY, Cause.SHARE, busyHint))

  private def at(asked: Asked, entry: Long): Decided =
    Decided(Status.OK, address = ((entry & geometry.ppnMask) << c.pageBits | asked.offset) & ((1L << c.memBits) - 1))

  private def refusal(asked: Asked, entry: Long): Option[Decided] = {
    val state = Entry.state(entry)
    if (state == Wire.PageState.SPLIT) Some(note("split", fail(Status.UNSUPPORTED, Cause.SPLIT)))
    else if (state == Wire.PageState.AWAY) {
      val (status, va, length) = awayRows((entry & 63).toInt)
      Some(note("away", Decided(status, va, length)))
    } else if (asked.reads && !Entry.has(entry, Wire.Pte.READ) || asked.writes && !Entry.has(entry, Wire.Pte.WRITE))
      Some(note("denied", fail(Status.DENIED, Cause.RIGHTS)))
    else if (asked.writes && state == Wire.PageState.HOLD) Some(note("hold", fail(Status.BUSY, Cause.HOLD, busyHint)))
    else None
  }

  private def walk(asked: Asked, tick: Int, event: PageEvent, lost: Boolean): Decided = {
    tlb.forget(asked.page)
    if (asked.windowed && expired(asked.time, tick)) note("expired", fail(Status.EXPIRED, Cause.WINDOW))
    else if (damaged(geometry.bucket(asked.page))) note("memory error", fail(Status.MEMERR, Cause.DRAM))
    else
      table.walk(asked.page) match {
        case Unmapped => note("unmapped", fail(Status.UNMAPPED, Cause.NONE))
        case OddParity => note("table parity", fail(Status.MEMERR, Cause.PARITY))
        // The entry that was lost may be this page's.
        case Found(_, entry) if lost && refusal(asked, entry).isEmpty => note("lost", fail(Status.MEMERR, Cause.DRAM))
        case Found(address, entry) => refusal(asked, entry).getOrElse(touch(asked, address, entry, event))
      }
  }

  private def touch(asked: Asked, address: Long, entry: Long, event: PageEvent): Decided = {
    val used = Entry.bit(Wire.Pte.ACCESSED) | (if (asked.writes) Entry.bit(Wire.Pte.DIRTY) else 0)
    if (Entry.has(entry, Wire.Pte.VALID)) keep(asked, address, Entry.seal(entry | used), if (asked.writes) "write miss" else "read miss")
    else if (!asked.writes) note("zeros", Decided(Status.OK, zeros = true))
    else if (event == Kept) note("kept", fail(Status.BUSY, Cause.SHARE, busyHint))
    else
      pageEvents.dequeueFirst(_ == event) match {
        case None => note("no page event", Decided(-1))
        case Some(Dry(true)) => note("exhausted", fail(Status.NOMEM, Cause.NONE))
        case Some(Dry(false)) => note("dry", fail(Status.BUSY, Cause.FAULT, busyHint))
        case Some(Kept) => throw new IllegalStateException("no port shows that")
        case Some(Taken(ppn)) =>
          keep(asked, address, Entry.seal(entry & ~geometry.ppnMask | ppn | used | Entry.bit(Wire.Pte.VALID)), "fault")
      }
  }

  private def keep(asked: Asked, address: Long, entry: Long, what: String): Decided = {
    table.words(address) = entry
    tlb.fill(asked.page, entry)
    note(what, at(asked, entry))
  }

  /** A replace that met a write which memory refused, of those of (address, word, took effect): the page's pinned entry, and nothing has changed, or its own.
    * What is in the table then is what memory has.
    */
  def replaceRefused(command: ReplaceOf, refused: Seq[(Long, Long, Boolean)]): Unit = {
    tlb.forget(command.page)
    val before = table.words.clone()
    table.replace(command)
    for (address <- table.slots(command.page) if table.word(address) != before.getOrElse(address, 0L))
      if (!refused.contains((address, table.word(address), true))) table.words(address) = before.getOrElse(address, 0L)
  }

  /** A replace on a damaged bucket reads nothing. */
  def replace(command: ReplaceOf): Replaced = {
    tlb.forget(command.page)
    if (damaged(geometry.bucket(command.page))) Replaced(Wire.ReplaceStatus.ERROR, 0)
    else table.replace(command)
  }
}
