package mneme.chain

import mneme.{CBoardConfig, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** Two at one door of frames: what comes back comes to who asked. */
class FrameTurnsTest extends AnyFunSuite {
  private val c = CBoardConfig.tiny
  private val half = c.contexts / 2
  private lazy val compiled = Simulation.config.compile(FrameTurns(c, plantable = true))
  private case class Asked(writes: Boolean, number: Int) { def context: Int = number % half }

  private class Bench(dut: FrameTurns, r: Random, pause: Int, busy: Boolean) {
    private val door = dut.io.frames
    private val sides = Seq(dut.io.reads, dut.io.writes)
    private val made, begun, ended, waits = Array(0, 0)
    private val offered = Array.fill(2)(Option.empty[Asked])
    private val open = Array.fill(2)(mutable.Queue[Asked]())
    private val completions = mutable.Queue[Asked]()
    private val fetches = mutable.Queue[(Asked, Int)]()
    private val beats, dueBeats = mutable.Queue[BigInt]()
    private var fetched = Option.empty[(Asked, Int)]
    private var stood = Option.empty[(BigInt, Boolean)]
    private var cycle = 0
    private def fires(stream: Stream[_]) = stream.valid.toBoolean && stream.ready.toBoolean
    private def goes = r.nextInt(16) >= pause
    private def tag(asked: Asked, beat: Int) = (BigInt(asked.number) << 200) | (BigInt(beat) << 1) | (if (asked.writes) 1 else 0)
    private def full(asked: Asked) = asked.context + (if (asked.writes) half else 0)

    private def tokens(): Unit = {
      val token = door.tokens
      val offer = Option.when(token.valid.toBoolean)((token.address.toBigInt, token.writes.toBoolean))
      for (before <- stood) assert(offer.contains(before), "what is offered stays offered")
      stood = if (token.ready.toBoolean) None else offer
      for ((side, i) <- sides.zipWithIndex if fires(side.tokens)) {
        val asked = offered(i).get
        assert(fires(token) && token.writes.toBoolean == asked.writes && token.context.toInt == full(asked) && token.address.toInt == asked.number)
        if (offered(1 - i).isDefined) waits(1 - i) += 1
        assert(waits.forall(_ <= 1), "one waits for two of the other")
        waits(i) = 0
        begun(i) += 1
        offered(i) = None
        open(i) += asked
        completions += asked
        for (beat <- 0 to asked.number % 3) if (asked.writes) fetches += ((asked, beat)) else { beats += tag(asked, beat); dueBeats += tag(asked, beat) }
      }
    }
    private def returns(): Unit = {
      for (asked <- fetched) {
        assert(door.data.fetched.valid.toBoolean && door.data.fetched.payload.toBigInt == tag(asked._1, asked._2), "data of a write")
        fetched = None
      }
      if (fires(door.data.completions)) completions.dequeue()
      for ((side, i) <- sides.zipWithIndex if fires(side.data.completions)) {
        val asked = open(i).dequeue()
        assert(side.data.completions.context.toInt == asked.context, "who completes")
        ended(i) += 1
      }
      assert(!fires(dut.io.reads.data.fetch), "a read fetches nothing")
      val fetch = dut.io.writes.data.fetch
      dut.io.writes.data.fetched.valid #= fires(fetch)
      if (fires(fetch)) {
        val (asked, beat) = fetches.dequeue()
        assert(fetch.context.toInt == asked.context && fetch.beat.toInt == beat)
        dut.io.writes.data.fetched.payload #= tag(asked, beat)
        fetched = Some((asked, beat))
      }
      if (fires(door.data.payload)) beats.dequeue()
      if (fires(dut.io.reads.data.payload)) assert(dut.io.reads.data.payload.data.toBigInt == dueBeats.dequeue())
      assert(!dut.io.writes.data.payload.valid.toBoolean)
    }
    private def drive(): Unit = {
      for ((side, i) <- sides.zipWithIndex) {
        if (offered(i).isEmpty && made(i) - ended(i) < half && made(i) < 500 && (busy || goes)) {
          val asked = Asked(i == 1, made(i))
          made(i) += 1
          offered(i) = Some(asked)
          side.tokens.context #= asked.context
          side.tokens.writes #= asked.writes
          side.tokens.address #= asked.number
        }
        side.tokens.valid #= offered(i).isDefined
        side.data.completions.ready #= goes
      }
      def next(stream: Stream[_], there: Boolean)(set: => Unit): Unit = {
        if (!stream.valid.toBoolean || stream.ready.toBoolean) stream.valid #= there && goes
        if (there) set
      }
      next(door.data.completions, completions.nonEmpty)(door.data.completions.context #= full(completions.head))
      next(door.data.fetch, fetches.nonEmpty) { door.data.fetch.context #= full(fetches.head._1); door.data.fetch.beat #= fetches.head._2 }
      next(door.data.payload, beats.nonEmpty)(door.data.payload.data #= beats.head)
      door.tokens.ready #= goes
      dut.io.writes.data.fetch.ready #= goes
      dut.io.reads.data.payload.ready #= goes
    }
    def run(): Unit = {
      for (stream <- sides.map(_.tokens) ++ Seq[Stream[_]](door.data.completions, door.data.fetch, door.data.payload))
        stream.asInstanceOf[Stream[_]].valid #= false
      dut.io.reads.data.fetch.ready #= true
      dut.io.writes.data.payload.ready #= true
      for (side <- sides) side.data.fetched.valid #= false
      door.tokens.ready #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(5)
      Simulation.cycles(dut.clockDomain) {
        cycle += 1
        tokens()
        returns()
        drive()
        ended.sum < 1000 && cycle < 100000
      }
      assert(ended.toSeq == Seq(500, 500), s"${ended.toSeq} tokens ended")
    }
  }

  private def all(fault: Option[FrameTurnsFault.Value] = None): Unit =
    for ((pause, busy) <- Seq((0, true), (5, true), (10, false))) compiled.doSim(s"turns$pause${fault.mkString}", pause + 1) { dut =>
      dut.plantedFaults.get #= fault.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
      new Bench(dut, new Random(pause), pause, busy).run()
    }
  test("tokens in turn, and what comes back")(all())
  for (fault <- FrameTurnsFault.values) test(s"planted fault $fault is found")(info(intercept[Throwable](all(Some(fault))).getMessage))
}
