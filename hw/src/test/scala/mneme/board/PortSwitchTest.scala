package mneme.board

import mneme.Simulation
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Frames come from several ports and leave at those where they should, whole, in order, and within a bounded time. */
class PortSwitchTest extends AnyFunSuite {
  private val (rows, patience) = (16, 40)
  private val compiled = mutable.Map[Int, SimCompiled[PortSwitch]]()
  private def model(ports: Int) = compiled.getOrElseUpdate(ports, Simulation.config.compile(PortSwitch(ports, rows, patience, plantable = true)))

  /** A frame in beats, each of which has the frame's number, so that it tells whose it is. */
  private case class Sent(id: Int, to: BigInt, from: BigInt, beats: Int)

  private class Bench(dut: PortSwitch, ports: Int, seed: Int, faults: Seq[SwitchFault.Value]) {
    val r = new Random(seed)
    val (up, room) = (Array.fill(ports)(true), Array.fill(ports)(true))
    var stalls = false
    private val coming = Array.fill(ports)(mutable.Queue[Sent]())
    private val leaving = mutable.Queue[Sent]()
    private val frames = mutable.Map[Int, Sent]()
    private var nextId = 0
    /** Frames as they came out, by where; and how often a port refused one. */
    val atCore = mutable.ArrayBuffer[Sent]()
    val atPort = Array.fill(ports)(mutable.ArrayBuffer[Sent]())
    val refused = Array.fill(ports)(0)
    /** Cycles since a beat of the core's was taken while one was offered. */
    var (waited, longest) = (0, 0)

    dut.plantedFaults.foreach(_ #= faults.map(f => BigInt(1) << f.id).sum)
    private val places = dut.io.ports.map(_.rx) :+ dut.io.fromCore
    places.foreach(_.valid #= false)
    dut.clockDomain.forkStimulus(10)

    def frame(to: BigInt, from: BigInt, beats: Int = 1 + r.nextInt(4)): Sent = {
      nextId += 1
      frames(nextId) = Sent(nextId, to, from, beats)
      frames(nextId)
    }
    def come(port: Int, frame: Sent): Unit = coming(port) += frame
    def leave(frame: Sent): Unit = leaving += frame

    /** Byte 0 lowest: destination, source, number, and the beat's own. */
    private def bytes(value: BigInt): BigInt = (0 until 6).map(i => ((value >> (8 * (5 - i))) & 0xff) << (8 * i)).sum
    private def data(frame: Sent, beat: Int): BigInt =
      bytes(frame.to) | (bytes(frame.from) << 48) | (BigInt(frame.id) << 96) | (BigInt(beat) << 128)

    private class Source(queue: mutable.Queue[Sent]) {
      var beat = 0
      var offered = false
      def offer(port: spinal.lib.Stream[mneme.net.FrameBeat]): Unit = {
        offered = offered || (queue.nonEmpty && !(stalls && r.nextInt(3) == 0))
        port.valid #= offered
        if (offered) {
          port.data #= data(queue.head, beat)
          port.keep #= (BigInt(1) << 64) - 1
          port.last #= beat == queue.head.beats - 1
          port.user #= 0
        }
      }
      def taken(): Unit = {
        beat += 1
        offered = false
        if (beat == queue.head.beats) { queue.dequeue(); beat = 0 }
      }
    }
    private class Sink(to: mutable.ArrayBuffer[Sent]) {
      private var beat = 0
      private var now = 0
      def take(port: spinal.lib.Stream[mneme.net.FrameBeat]): Unit = {
        val word = port.data.toBigInt
        val id = ((word >> 96) & 0xffffffffL).toInt
        if (beat == 0) now = id
        assert(id == now && ((word >> 128) & 0xff) == beat, s"beat $beat of frame $now is that of frame $id")
        beat += 1
        if (port.last.toBoolean) { assert(beat == frames(id).beats); to += frames(id); beat = 0 }
      }
    }
    private val sources = coming.map(new Source(_)) :+ new Source(leaving)
    private val core = new Sink(atCore)
    private val sinks = atPort.map(new Sink(_))

    def cycle(): Unit = {
      for ((source, place) <- sources.zip(places)) source.offer(place)
      dut.io.toCore.ready #= !(stalls && r.nextInt(3) == 0)
      for ((port, i) <- dut.io.ports.zipWithIndex) {
        port.up #= up(i)
        port.room #= room(i)
        port.tx.ready #= !(stalls && r.nextInt(8) == 0)
      }
      dut.clockDomain.waitSampling()
      for ((source, place) <- sources.zip(places)) if (place.valid.toBoolean && place.ready.toBoolean) source.taken()
      waited = if (dut.io.fromCore.valid.toBoolean && !dut.io.fromCore.ready.toBoolean) waited + 1 else 0
      longest = longest max waited
      if (dut.io.toCore.valid.toBoolean && dut.io.toCore.ready.toBoolean) core.take(dut.io.toCore)
      for ((port, i) <- dut.io.ports.zipWithIndex) {
        if (port.tx.valid.toBoolean && port.tx.ready.toBoolean) sinks(i).take(port.tx)
        if (port.refused.toBoolean) refused(i) += 1
      }
    }
    def cycles(count: Int): Unit = (0 until count).foreach(_ => cycle())
    /** Until nothing waits, and what was taken last has come through. */
    def quiet(): Unit = {
      var left = 20000
      while (coming.exists(_.nonEmpty) || leaving.nonEmpty) { cycle(); left -= 1; assert(left > 0, "somebody waits for ever") }
      cycles(3 * patience)
    }
    cycles(rows + 10)

    /** Where a frame to this address leaves, and where it is refused. */
    def leaves(to: BigInt): (Set[Int], Set[Int]) = {
      atPort.foreach(_.clear())
      val before = refused.toSeq
      leave(frame(to, 1))
      quiet()
      atPort.foreach(queue => assert(queue.size <= 1))
      (atPort.indices.filter(atPort(_).nonEmpty).toSet, refused.indices.filter(i => refused(i) == before(i) + 1).toSet)
    }
  }
  private def bench(name: String, ports: Int = 2, seed: Int = 1, faults: Seq[SwitchFault.Value] = Nil)(body: Bench => Unit): Unit =
    model(ports).doSim(name, seed)(dut => body(new Bench(dut, ports, seed, faults)))

  private val peers = Seq.tabulate(3)(i => BigInt("020000000010", 16) + i)
  private val GROUP = BigInt("ffffffffffff", 16)

  /** The rules of the table, one by one. */
  private def rules(b: Bench): Unit = {
    import b._
    val (all, none) = (Set(0, 1), Set[Int]())
    assert(leaves(peers(0)) == ((all, none)), "nobody knows it")
    come(1, frame(2, peers(0)))
    come(0, frame(2, peers(1)))
    come(1, frame(2, GROUP))
    quiet()
    assert(leaves(peers(0)) == ((Set(1), none)) && leaves(peers(1)) == ((Set(0), none)))
    assert(leaves(peers(2)) == ((all, none)) && leaves(GROUP) == ((all, none)))
    come(0, frame(2, peers(0)))
    quiet()
    assert(leaves(peers(0)) == ((Set(0), none)), "it has moved")
    up(0) = false
    assert(leaves(peers(0)) == ((Set(1), none)) && leaves(GROUP) == ((Set(1), none)), "without its link")
    up(1) = false
    assert(leaves(peers(0)) == ((none, all)), "nobody has a link")
    up(0) = true
    up(1) = true
    assert(leaves(peers(0)) == ((Set(0), none)))
    room(0) = false
    longest = 0
    assert(leaves(peers(0)) == ((none, Set(0))) && longest >= patience && longest < patience + 8)
    longest = 0
    assert(leaves(peers(0)) == ((none, Set(0))) && leaves(GROUP) == ((Set(1), Set(0))) && longest < 8, "it waits once")
    room(0) = true
    assert(leaves(peers(0)) == ((Set(0), none)), "there is room again")
    room(0) = false
    leave(frame(peers(0), 1))
    cycles(patience / 2)
    room(0) = true
    assert(refused(0) == 4 && { quiet(); atPort(0).size == 2 } && refused(0) == 4, "room came in time")
  }
  test("where frames leave: known addresses, unknown ones, groups, no links, no room") { bench("rules")(rules) }

  /** Everything at once: links and room come and go, all sides stall. */
  private def traffic(b: Bench, ports: Int): Unit = {
    import b._
    stalls = true
    val (in, out) = (Array.fill(ports)(mutable.ArrayBuffer[Sent]()), mutable.ArrayBuffer[Sent]())
    for (_ <- 0 until 400) {
      for (p <- 0 until ports) for (_ <- 0 until r.nextInt(4)) {
        val next = frame(2, peers(r.nextInt(peers.size)))
        in(p) += next
        come(p, next)
      }
      for (_ <- 0 until r.nextInt(4)) {
        val next = frame(if (r.nextInt(5) == 0) GROUP else peers(r.nextInt(peers.size)), 1)
        out += next
        leave(next)
      }
      for (p <- 0 until ports) { up(p) = r.nextInt(5) != 0; room(p) = r.nextInt(4) != 0 }
      cycles(r.nextInt(60))
    }
    quiet()
    assert(longest < patience + 60, s"a frame waited for $longest cycles")
    assert(atCore.sortBy(_.id) == in.toSeq.flatten.sortBy(_.id))
    for (p <- 0 until ports) {
      assert(atCore.filter(in(p).contains) == in(p), s"the order of port $p")
      assert(atPort(p) == out.filter(atPort(p).contains) && atPort(p).distinct == atPort(p))
    }
    val copies = atPort.map(_.size).sum + refused.sum
    info(s"${atCore.size} frames came, ${out.size} left as $copies, of which ${refused.sum} were refused")
    assert(copies > out.size && refused.sum > 20)
    assert(out.count(gone => !atPort.exists(_.contains(gone))) <= refused.sum, "each has left or was counted")
  }
  for (ports <- Seq(2, 3))
    test(s"$ports ports: frames come whole and in their order while links and room come and go") { bench("traffic", ports, 7)(traffic(_, ports)) }

  test("planted faults are found") {
    def fails(faults: SwitchFault.Value*): Boolean = Seq[Bench => Unit](rules, traffic(_, 2)).exists { trial =>
      try { bench(s"planted${faults.mkString}", faults = faults)(trial); false }
      catch { case _: Throwable => true }
    }
    assert(!fails(), "nothing is planted")
    for (fault <- SwitchFault.values) assert(fails(fault), s"$fault")
  }
}
