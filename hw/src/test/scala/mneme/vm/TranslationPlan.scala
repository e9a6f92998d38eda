package mneme.vm

/** What a run of the bench does; rates are per cycle. */
case class Plan(
    seed: Long,
    requests: Int = 10000,
    inputStall: Double = 0.3,
    outputStall: Double = 0.3,
    memoryStall: Double = 0.3,
    memoryLatency: Int = 20,
    retireLatency: Int = 40,
    /** Rate of pages offered. */
    pageSupply: Double = 0.03,
    replaceRate: Double = 0.005,
    /** A replace takes no longer than this from its offer to its answer. */
    replaceBound: Int = 1500,
    pages: Int = 24,
    damagedTable: Boolean = true,
    /** How often, per request, the bench lets the pipeline run dry and flips a bit of a TLB entry. */
    flipRate: Double = 0,
    /** The slow path says now and then that memory is full. */
    exhaustions: Boolean = true,
    fences: Boolean = true,
    /** Share of requests that go to a page of the last few. */
    locality: Double = 0.7,
    /** Every page may be read and written, and nothing is wrong anywhere. */
    plain: Boolean = false,
    /** Leaves everything as it is after so many cycles. */
    stopAfter: Option[Int] = None,
    /** All requests go to so many unmapped pages in turn, but for one in a thousand, which goes to a page of another TLB set. */
    streams: Option[Int] = None,
    /** One request at a time. */
    alone: Boolean = false,
    /** Share of writes of entries that meet an error. */
    writeErrors: Double = 0,
    /** No more entries at a time than can be pinned. */
    pinnable: Boolean = true,
    /** How often shares change, which processes have of different groups. */
    shareRate: Double = 0,
    /** Each process has a class of its own, and the first is seldom asked for. */
    classes: Boolean = false,
    /** The first process has one half of the miss entries, the others have the other. */
    halves: Boolean = false,
    /** So many requests of the others may wait then; 0: any number. */
    waiting: Int = 0,
    /** So many pages are kept for the first process then. */
    keptPages: Int = 0,
    /** Pages that the async buffer holds. */
    buffered: Int = 1,
    planted: Set[PlantedFault.Value] = Set.empty
)

/** What a run found. */
case class Outcome(
    complaint: Option[String],
    seen: Map[String, Int],
    replaced: Map[Int, Int],
    longestReplace: Int,
    cycles: Long,
    /** The shortest and the longest way of a request through translation, in cycles, by outcome; "joined": behind others of its page. */
    shortest: Map[String, Long],
    longest: Map[String, Long],
    /** Requests that came out before an earlier one. */
    overtaken: Int,
    /** Walks in flight, at most. */
    mostWalks: Int,
    /** Requests whose answers have to be called slow. */
    slow: Int,
    /** Writes of entries that met an error. */
    refused: Int,
    /** More of them at a time than can be pinned. */
    lost: Boolean,
    /** Changes of shares. */
    shareChanges: Int
)

/** Times of the bench. */
object BenchTimes {
  /** Ticks. */
  val window = 64
  val tickCycles = 8
  /** A page fault that finds no page waits for so many cycles, and up to a tick less. */
  val faultPatience: Int = window / 4 * tickCycles
}
