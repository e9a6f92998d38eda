package mneme.board

import mneme.board.XgmiiSim.Bytes
import mneme.net.FrameBeat
import spinal.core._
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** The core's side of a port to a network, whatever its line: frames are taken and offered beat by beat, as often as is said, and the port's counters are
  * read.
  */
trait CoreSide {
  def r: Random
  def clock: ClockDomain

  /** Pieces of the line that have not come to the port yet. */
  protected def lineLeft: Int

  /** Cycles of the core that `until` waits for at most. */
  protected def patience: Int

  /** How often the core takes a beat, and offers one, in percent. */
  var (takes, offers) = (100, 100)
  val received = mutable.ArrayBuffer[Bytes]()
  val toSend = mutable.Queue[Bytes]()

  /** Marks the next frames as damaged. */
  var damaged = false

  /** Times of the first beat that came, and of the last one that was taken. */
  var (firstBeatOut, lastBeatIn) = (0L, 0L)
  private val coming = mutable.ArrayBuffer[Int]()
  private val beats = mutable.Queue[(Bytes, Boolean)]()
  private var readCounter: Int => Int = _

  private def takeBeat(port: Stream[FrameBeat]): Unit = {
    if (port.valid.toBoolean && port.ready.toBoolean) {
      if (firstBeatOut == 0) firstBeatOut = simTime()
      val (data, keep) = (port.data.toBigInt, port.keep.toBigInt)
      val count = keep.bitCount
      assert(keep == (BigInt(1) << count) - 1 && count > 0 && (port.last.toBoolean || count == 64), "a beat is full, or a frame's last one")
      assert(port.user.toInt == 0)
      coming ++= (0 until count).map(i => ((data >> (8 * i)) & 0xff).toInt)
      if (port.last.toBoolean) { received += coming.toSeq; coming.clear() }
    }
    port.ready #= r.nextInt(100) < takes
  }
  private def giveBeat(port: Stream[FrameBeat]): Unit = {
    val taken = port.valid.toBoolean && port.ready.toBoolean
    if (taken) { lastBeatIn = simTime(); beats.dequeue() }
    if (taken || !port.valid.toBoolean) {
      if (beats.isEmpty && toSend.nonEmpty) {
        val parts = toSend.dequeue().grouped(64).toSeq
        beats ++= parts.zipWithIndex.map { case (part, i) => (part, i == parts.size - 1) }
      }
      val offered = beats.nonEmpty && r.nextInt(100) < offers
      port.valid #= offered
      if (offered) {
        val (part, last) = beats.head
        port.data #= part.zipWithIndex.foldLeft(BigInt(0)) { case (n, (b, i)) => n | (BigInt(b) << (8 * i)) }
        port.keep #= (BigInt(1) << part.size) - 1
        port.last #= last
        port.user #= (if (damaged && last) 1 else 0)
      }
    }
  }

  /** Nothing comes and goes yet, and no counter is asked for. */
  protected def restPorts(rx: Stream[FrameBeat], tx: Stream[FrameBeat], index: UInt, value: UInt): Unit = {
    tx.valid #= false
    rx.ready #= false
    index #= 0
    readCounter = counter => {
      index #= counter
      cycles(3)
      value.toBigInt.toInt
    }
  }
  protected def runCore(rx: Stream[FrameBeat], tx: Stream[FrameBeat], period: Int): Unit = {
    clock.forkStimulus(period)
    clock.onSamplings { takeBeat(rx); giveBeat(tx) }
  }

  /** A reset of the core ends what was on its way at its ports. */
  protected def forget(tx: Stream[FrameBeat]): Unit = { coming.clear(); beats.clear(); tx.valid #= false }

  def cycles(count: Int): Unit = clock.waitSampling(count)
  def until(what: String)(condition: => Boolean): Unit = {
    var left = patience
    while (!condition) {
      cycles(10)
      left -= 10
      assert(left > 0, s"never: $what; ${received.size} frames received, ${toSend.size} to send, $lineLeft pieces of the line to come, ${counted()}")
    }
  }
  def count(counter: Int): Int = readCounter(counter)

  /** All counters that are not 0, once everything has been told. */
  def counted(): Map[Int, Int] = { cycles(600); (0 until PortCounters.COUNT).map(c => c -> count(c)).filter(_._2 > 0).toMap }
}
