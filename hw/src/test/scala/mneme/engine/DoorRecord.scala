package mneme.engine

import mneme.wire.Wire
import spinal.core.{ClockDomain, SpinalEnumElement}
import spinal.core.sim._

import scala.collection.mutable

/** What a guest asks of the engine: the fields of a token, and what it keeps for it. */
case class Asked(
    context: Int,
    operation: SpinalEnumElement[Operation.type],
    va: Int = 0,
    length: Int = 0,
    dataOffset: Int = 0,
    fence: Boolean = false,
    bytes: Seq[Int] = Nil,
    operands: BigInt = 0
)

/** What a wire shows in a cycle: '0' or '1', 'x' where it means nothing, or a label in the colour of a context. */
case class Shown(wave: Char, label: String = "")

/** A guest at a door that takes everything at once, and remembers what each wire of the door shows in each cycle. */
class DoorRecord(port: Door, pid: Int, domain: ClockDomain) {
  private val toAsk = mutable.Queue[Asked]()
  private val kept = mutable.Map[Int, Asked]()
  private var fetched = Option.empty[(Int, BigInt)]
  private var operandsOf = 0
  private val columns = mutable.ArrayBuffer[Map[(String, String), Shown]]()
  /** In which of the columns a beat of data came. */
  private val beats = mutable.ArrayBuffer[Int]()
  /** Contexts whose data come, a beat each, as completions tell. */
  private val due = mutable.ArrayBuffer[Int]()
  /** Completions since then: context, status, old word; beats of data since then. */
  val completed = mutable.ArrayBuffer[(Int, Int, BigInt)]()
  val data = mutable.ArrayBuffer[BigInt]()

  port.tokens.valid #= false
  port.data.fetch.ready #= true
  port.data.fetched.valid #= false
  port.data.completions.ready #= true
  port.data.payload.ready #= true
  domain.onSamplings {
    columns += look()
    drive()
  }

  /** Wires by group and name, one per cycle since [[start]]. Data have the colour of their context, which the port does not tell: they come in the order of
    * completions.
    */
  def shown: Seq[Map[(String, String), Shown]] = {
    val data = ("payload", "data")
    beats.zip(due).foldLeft(columns.toVector) { case (all, (at, context)) =>
      all.updated(at, all(at) + (data -> word(context, all(at)(data).label)))
    }
  }

  /** From the next cycle on. */
  def start(asked: Asked*): Unit = {
    columns.clear()
    beats.clear()
    due.clear()
    completed.clear()
    data.clear()
    asked.foreach { one =>
      kept(one.context) = one
      toAsk += one
    }
  }
  /** Waits until that many have completed, with all their data, and some cycles more. */
  def await(completions: Int): Unit = {
    domain.waitSamplingWhere(completed.size == completions && beats.size == due.size)
    domain.waitSampling(3)
  }

  private def bit(value: Boolean) = Shown(if (value) '1' else '0')
  private def word(context: Int, label: Any) = Shown(('3' + context).toChar, label.toString)
  private def bytes(value: BigInt, count: Int): String =
    (0 until count).map(i => f"${((value >> 8 * i) & 0xff).toInt}%02x").mkString(" ")

  /** The wires of a stream: its handshake, and what it carries while it is valid. */
  private def stream(group: String, port: spinal.lib.Stream[_], context: => Int, fields: (String, () => Any)*): Seq[((String, String), Shown)] = {
    val valid = port.valid.toBoolean
    Seq((group, "valid") -> bit(valid), (group, "ready") -> bit(port.ready.toBoolean)) ++ fields.map { case (name, value) =>
      (group, name) -> (if (valid) word(context, value()) else Shown('x'))
    }
  }

  private def look(): Map[(String, String), Shown] = {
    val (tokens, fetch, done, payload) = (port.tokens, port.data.fetch, port.data.completions, port.data.payload)
    val token = toAsk.headOption
    operandsOf = port.data.operandsOf.toInt
    if (done.valid.toBoolean) {
      completed += ((done.context.toInt, done.report.outcome.status.toInt, done.old.toBigInt))
      val asked = kept(done.context.toInt)
      if (asked.operation == Operation.read && !done.report.zeros.toBoolean) due ++= Seq.fill((asked.length + 63) / 64)(asked.context)
    }
    if (payload.valid.toBoolean) {
      beats += columns.size
      data += payload.data.toBigInt
    }
    // Operands count in the cycle after an atomic's context is shown.
    val atomic = kept.get(shownBefore).filter(_.operands != 0)
    val asking = kept.get(operandsOf).filter(_.operands != 0)
    shownBefore = operandsOf
    val wires = stream(
      "tokens",
      tokens,
      token.fold(0)(_.context),
      "context" -> (() => token.get.context),
      "operation" -> (() => token.get.operation.getName()),
      "fence" -> (() => if (token.get.fence) 1 else 0),
      "va" -> (() => f"0x${token.get.va}%x"),
      "length" -> (() => token.get.length),
      "dataOffset" -> (() => token.get.dataOffset)
    ) ++ stream("fetch", fetch, fetch.context.toInt, "context" -> (() => fetch.context.toInt), "beat" -> (() => fetch.beat.toInt)) ++ stream(
      "completions",
      done,
      done.context.toInt,
      "context" -> (() => done.context.toInt),
      "status" -> (() => Wire.Status.all.find(_._2 == done.report.outcome.status.toInt).fold("?")(_._1)),
      "old" -> (() => done.old.toBigInt)
    ) ++ stream("payload", payload, 0, "data" -> (() => bytes(payload.data.toBigInt, 2) + " …"))
    wires.toMap ++ Map(
      ("fetched", "valid") -> bit(fetched.nonEmpty),
      ("fetched", "payload") -> fetched.fold(Shown('x')) { case (context, value) => word(context, bytes(value, 2) + " …") },
      ("operands", "operandsOf") -> asking.fold(Shown('x'))(one => word(one.context, one.context)),
      ("operands", "operands") -> atomic.fold(Shown('x'))(one => word(one.context, one.operands))
    )
  }
  private var shownBefore = 0

  private def drive(): Unit = {
    if (port.tokens.valid.toBoolean && port.tokens.ready.toBoolean) toAsk.dequeue()
    port.tokens.valid #= toAsk.nonEmpty
    for (token <- toAsk.headOption) {
      port.tokens.context #= token.context
      val demand = port.tokens.demand
      demand.operation #= token.operation
      demand.ordering.fence #= token.fence
      demand.ordering.windowed #= false
      demand.ordering.time #= 0
      demand.pid #= pid
      demand.va #= token.va
      demand.length #= token.length
      demand.dataOffset #= token.dataOffset
    }
    val fetch = port.data.fetch
    fetched = Option.when(fetch.valid.toBoolean) {
      val (context, beat) = (fetch.context.toInt, fetch.beat.toInt)
      val bytes = Seq.fill(kept(context).dataOffset)(0) ++ kept(context).bytes
      (context, bytes.slice(64 * beat, 64 * beat + 64).reverse.foldLeft(BigInt(0))((value, byte) => value << 8 | byte))
    }
    port.data.fetched.valid #= fetched.nonEmpty
    fetched.foreach { case (_, value) => port.data.fetched.payload #= value }
    port.data.operands #= kept.get(operandsOf).fold(BigInt(0))(_.operands)
  }
}
