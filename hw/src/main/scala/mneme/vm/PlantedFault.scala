package mneme.vm

/** Faults that tests switch on, to show that a bench finds them. */
object PlantedFault extends Enumeration {
  /** A replace leaves the TLB's copy alone. */
  val NoShootDown = Value
  /** A replace acknowledges while earlier requests still run. */
  val NoDrain = Value
  /** Requests of a page may go on while a replace works on it. */
  val NoBlock = Value
  /** The last burst of a page is not zeroed. */
  val SkipZero = Value
  /** A page is offered although its zeroing met an error. */
  val OfferDamaged = Value
  /** A hit does not make an entry the youngest. */
  val LruBroken = Value
  /** A walk does not look at parity. */
  val TableParityIgnored = Value
  /** A TLB hit does not look at parity. */
  val TlbParityIgnored = Value
  /** A page fault's entry is kept nowhere, so that the next touch takes another page. */
  val FaultTakesTwoPages = Value
  /** A write does not set the dirty bit. */
  val DirtyNotSet = Value
  /** A request that waited for a walk is not checked against the window again. */
  val NoWindowCheck = Value
  /** A TLB hit skips the rights. */
  val HitIgnoresRights = Value
  /** A walk is not held back until the answer of the write before it. */
  val WalkOvertakesWrite = Value
  /** A page that is being walked for gets a second entry. */
  val SecondEntry = Value
  /** A hit does not look whether earlier requests of its page still wait. */
  val HitOvertakes = Value
  /** A fence does not look whether earlier requests of its process still wait. */
  val FenceOvertakes = Value
  /** A page fault that found no page waits until one comes. */
  val WaitsForEver = Value
  /** While a page fault waits for a page, later requests of its page do not. */
  val PassesWaiting = Value
  /** Who waited behind a page fault that waited for a page is not said to be slow. */
  val SlowUntold = Value
  /** Who joined its page's list after that is. */
  val SlowTooLong = Value
  /** A hit goes ahead of parked requests that came before it. */
  val HitsGoFirst = Value
  /** One page fault more waits for a page than may. */
  val DryOverflows = Value
  /** A fault that waits gets its turn again before it has been decided. */
  val DryTurnTwice = Value
  /** A fault that goes on waiting is taken for one that does not. */
  val DryForgets = Value
  /** An entry that changes keeps its parity. */
  val UpdateUnsealed = Value
  /** A page fault that waits takes a page all the same. */
  val PostponedTakesPage = Value
  /** An entry is given up though its write-back met an error. */
  val WriteErrorIgnored = Value
  /** A new token takes a free miss entry though others of its page may wait in a list. */
  val PassesLists = Value
  /** A page comes into the TLB while requests of it may wait in a list. */
  val FillsListed = Value
  /** A fence does not look whether earlier requests of its process wait in a list. */
  val FenceIgnoresLists = Value
  /** A replace does not wait for earlier requests of its page that are in a list. */
  val ReplaceIgnoresLists = Value
  /** Who joins an entry of its page may keep it for ever, though others wait for one in lists. */
  val ListsStarve = Value
  /** After a list's oldest token comes its newest. */
  val ListSkips = Value
  /** A replace takes a turn of its page's list that had begun before for one in which all earlier requests leave. */
  val TurnUnderWayCounts = Value
  /** A fill takes the oldest entry of its set, whosever it is. */
  val SharesIgnored = Value
  /** A page takes any miss entry that is free. */
  val MissesUnshared = Value
  /** Any number of tokens of a group may wait for a miss entry. */
  val WaitsUnbounded = Value
  /** A group's lists wait for their turn behind those of groups whose miss entries are taken. */
  val GroupsInTurn = Value
  /** A page that is kept for a group goes to whoever asks. */
  val PagesUnshared = Value
  /** A page that comes is for anybody, though a group has less than its number. */
  val PagesForTheFirst = Value
  /** With new shares the TLB forgets nothing. */
  val SharesKeepEntries = Value
  /** Zeroing addresses bursts while earlier ones have not been sent. */
  val ZeroRunsAhead = Value
}
