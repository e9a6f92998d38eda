package mneme.rdma

import mneme.{Faults, Simulation}
import mneme.net.FrameField
import mneme.rdma.RoceReceiveTest.NOBODY
import mneme.rdma.RoceReference._
import mneme.wire.Wire.RoceCounter
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** The receive side with the switches of planted faults. */
case class RoceReceiveBench(slots: Int) extends Component {
  val faults = in(Faults.bits(RoceFault))
  val receive = RoceReceive(slots, "block", new Faults[RoceFault.Value](Some(faults)), ArrivalShares(pairs = 16))
  val io = receive.io.toIo()
}

/** Frames against [[RoceReference.judge]]: each comes out as it says, or is counted by the reason that it says. */
class RoceReceiveTest extends AnyFunSuite {
  private val slots = 32
  private lazy val compiled = Simulation.config.compile(RoceReceiveBench(slots))

  /** How a run goes: pauses of the sender within frames and of who takes packets, cycles until a place comes back,
    * and between two packets that are taken.
    */
  private case class Pace(gaps: Int = 0, stalls: Int = 0, holds: Int = 0, every: Int = 1)

  private class Bench(dut: RoceReceiveBench, r: Random, pace: Pace) {
    import dut.io
    private val clock = dut.clockDomain
    val counted = mutable.Map[Int, Int]().withDefaultValue(0)
    val latencies = mutable.ArrayBuffer[Int]()
    var (full, cycle, keepPlaces) = (0, 0, false)
    /** What was asked for before a reset is of no meaning after it. */
    private var resets = 0
    /** Frames whose fate is not known: what is due, how many places were in use when it began, and when it ended. */
    private case class Due(fate: Either[Int, Arrived], share: Int, inUse: Int, var ended: Int = 0, var before: Int = 0)
    private val due = mutable.Queue[Due]()
    /** Those that are taken, by the share whose they are: of each they come out in their order. */
    private val arriving = mutable.Map[Int, mutable.Queue[Due]]()
    private def toArrive: Int = arriving.values.map(_.size).sum
    /** What has come out in this cycle, whose fate is told two cycles later at the latest. */
    private case class Shown(fields: Map[String, BigInt], malformed: Boolean, offset: Int, slot: Int, at: Int)
    private val shown = mutable.Queue[Shown]()
    /** Of each share what was refused, and how many packets came out while each of its own waited. */
    val refusals = mutable.Map[Int, Int]().withDefaultValue(0)
    val behind = mutable.Map[Int, Int]().withDefaultValue(0)
    private var cameOut = 0
    private case class Task(slot: Int, from: Int, left: mutable.Queue[Int], arrived: Arrived)
    private val tasks = mutable.Queue[Task]()
    private val returns = mutable.Queue[(Int, Int)]()
    /** Places of packets that came out, with their shares. */
    private val used = mutable.Map[Int, Int]()
    private def inUse: Int = due.size + toArrive + used.size

    io.frames.valid #= false
    io.local.mac #= RoceTraffic.mac
    io.local.ip #= RoceTraffic.ip
    io.arrivals.ready #= pace.stalls == 0
    io.read.valid #= false
    io.giveBack.valid #= false
    io.owners.valid #= false
    clock.forkStimulus(10)
    clock.onSamplings {
      cycle += 1
      count()
      arrive()
      show()
      io.arrivals.ready #= keepPlaces || (cycle % pace.every == 0 && (pace.stalls == 0 || r.nextInt(pace.stalls + 1) == 0))
      giveBack()
    }
    fork(reader())

    private def count(): Unit = if (io.counted.valid.toBoolean) {
      val counter = io.counted.payload.toInt
      counted(counter) += 1
      val frame = due.dequeue()
      frame.fate match {
        case Left(reason) => assert(counter == reason, s"counted as ${name(counter)}, not ${name(reason)}")
        case Right(_) if counter == RoceCounter.DROP_FULL =>
          assert(frame.inUse >= slots - 3, s"only ${frame.inUse} places were in use")
          refusals(frame.share) += 1
          full += 1
        case Right(_) if counter == RoceCounter.DROP_SHARE =>
          // Of those in use at least one has been of others.
          val own = waiting(frame.share)
          assert(3 * (own + used.values.count(_ == frame.share)) >= 2 * (slots - inUse), s"a share with $own packets that wait is refused a place")
          refusals(frame.share) += 1
        case Right(arrived) =>
          assert(counter == (if (arrived.malformed) RoceCounter.RX_MALFORMED else RoceCounter.RX_PACKETS), s"counted as ${name(counter)}")
          arriving.getOrElseUpdate(frame.share, mutable.Queue[Due]()) += frame
      }
    }
    private def waiting(share: Int): Int = arriving.get(share).fold(0)(_.size)
    private def name(counter: Int): String = RoceCounter.all.find(_._2 == counter).fold(counter.toString)(_._1)

    private def show(): Unit = if (io.arrivals.valid.toBoolean && io.arrivals.ready.toBoolean) {
      val got = io.arrivals.payload
      val fields = got.headers.elements.map { case (name, element) => name -> RoceReceiveTest.value(element) }.toMap
      shown += Shown(fields, got.malformed.toBoolean, got.offset.toInt, got.slot.toInt, cycle)
      cameOut += 1
    }
    private def arrive(): Unit = while (shown.headOption.exists(_.at < cycle)) {
      val got = shown.dequeue()
      val share = RoceReceiveTest.share(got.fields("destQp"), got.fields("srcIp"))
      assert(waiting(share) > 0, s"a packet of share $share that is not due")
      val frame = arriving(share).dequeue()
      val arrived = frame.fate.toOption.get
      latencies += got.at - frame.ended
      behind(share) = behind(share).max(cameOut - shown.size - 1 - frame.before)
      for ((name, value) <- got.fields; expected <- arrived.fields.get(name)) assert(value == expected, name)
      assert(got.malformed == arrived.malformed)
      if (!arrived.malformed) assert(got.offset == arrived.offset)
      val slot = got.slot
      assert(used.put(slot, share).isEmpty, "a place is given twice")
      val beats = if (arrived.payload.isEmpty) Nil else arrived.offset / 64 to (arrived.offset + arrived.payload.size - 1) / 64
      tasks += Task(slot, arrived.offset, mutable.Queue.from(beats), arrived)
    }

    private def giveBack(): Unit = {
      val next = returns.headOption.filter { case (at, _) => at <= cycle && !keepPlaces }
      io.giveBack.valid #= next.isDefined
      for ((_, slot) <- next) {
        io.giveBack.payload #= slot
        returns.dequeue()
        used -= slot
      }
    }

    /** A beat in every cycle, of the packets in their order; its answer is there in the next one. */
    private def reader(): Unit = {
      var asked: Option[(Task, Int)] = None
      while (true) {
        val before = resets
        while (tasks.headOption.exists(_.left.isEmpty)) {
          val done = tasks.dequeue()
          returns += ((cycle + (if (pace.holds == 0) 1 else r.nextInt(pace.holds)), done.slot))
        }
        val next = tasks.headOption.map(task => (task, task.left.dequeue()))
        io.read.valid #= next.isDefined
        for ((task, beat) <- next) {
          io.read.slot #= task.slot
          io.read.beat #= beat
        }
        clock.waitSampling()
        for ((task, beat) <- asked if resets == before) {
          val data = io.data.toBigInt
          for (i <- 0 until 64; at = 64 * beat + i - task.from if at >= 0 && at < task.arrived.payload.size)
            assert(((data >> (8 * i)) & 0xff) == task.arrived.payload(at), s"byte $at of a payload")
        }
        asked = next.filter(_ => resets == before)
      }
    }

    def send(frame: Bytes, damaged: Boolean): Unit = {
      val fate = judge(frame, damaged, RoceTraffic.mac, RoceTraffic.ip)
      val beats = frame.grouped(64).toSeq
      for ((beat, i) <- beats.zipWithIndex) {
        while (pace.gaps > 0 && r.nextInt(pace.gaps + 1) > 0) { io.frames.valid #= false; clock.waitSampling() }
        val last = i == beats.size - 1
        io.frames.valid #= true
        // Bytes behind the last one are anything.
        io.frames.data #= (beat ++ random(r, 64 - beat.size)).reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
        io.frames.lastByte #= beat.size - 1
        io.frames.last #= last
        io.frames.user #= (if (last && damaged || !last && r.nextBoolean()) 1 else 0)
        if (i == 0) due += Due(fate, RoceReceiveTest.shareOf(frame), inUse)
        val mine = due.last
        clock.waitSampling()
        assert(io.frames.ready.toBoolean)
        if (last) {
          mine.ended = cycle
          mine.before = cameOut
        }
      }
      io.frames.valid #= false
    }
    def settle(): Unit = {
      clock.waitSampling(50)
      var waited = 0
      while (!keepPlaces && inUse > 0 && waited < 20000) { clock.waitSampling(); waited += 1 }
      assert(due.isEmpty && toArrive == 0 && (keepPlaces || used.isEmpty), s"${due.size} frames without a fate, $toArrive did not come out")
    }

    /** As many packets as there are places come out while none comes back, and no more. */
    def countPlaces(): Unit = {
      settle()
      keepPlaces = true
      val before = (counted(RoceCounter.RX_PACKETS), full)
      for (_ <- 0 until slots + 3) { send(RoceTraffic.sound(r, 0x0a, 40).bytes, damaged = false); clock.waitSampling(5) }
      settle()
      assert(counted(RoceCounter.RX_PACKETS) - before._1 == slots && full - before._2 == 3, s"${counted(RoceCounter.RX_PACKETS) - before._1} places are left")
      keepPlaces = false
      settle()
    }
    def reset(): Unit = {
      Seq(io.frames.valid, io.giveBack.valid, io.read.valid).foreach(_ #= false)
      clock.assertReset()
      // In reset there are no samplings.
      clock.waitActiveEdge(1 + r.nextInt(3))
      clock.deassertReset()
      Seq(due, tasks, returns, shown).foreach(_.clear())
      arriving.clear()
      used.clear()
      resets += 1
      makeOwners()
    }
    /** Queue pairs of all shares. */
    def makeOwners(): Unit = {
      while (!io.ready.toBoolean) clock.waitSampling()
      for ((qpn, (peer, share)) <- RoceTraffic.pairs) {
        io.owners.valid #= true
        io.owners.payload.valid #= true
        io.owners.qpn #= qpn
        io.owners.peerIp #= peer
        io.owners.share #= share
        clock.waitSampling()
      }
      io.owners.valid #= false
    }
    def pause(cycles: Int): Unit = if (cycles > 0) clock.waitSampling(cycles)
  }

  private def run(name: String, seed: Int, pace: Pace = Pace(), faults: Set[RoceFault.Value] = Set.empty)(body: (Bench, Random) => Unit): Unit =
    compiled.doSim(s"$name$seed${faults.mkString}", seed) { dut =>
      SimTimeout(100000000)
      dut.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
      val r = new Random(seed)
      val bench = new Bench(dut, r, pace)
      dut.clockDomain.waitSampling(5)
      bench.makeOwners()
      body(bench, r)
    }

  test("sound packets of every opcode and length come out at line rate") {
    run("sound", 1) { (bench, r) =>
      val opcodes = layout.keys.toSeq.sorted ++ Seq(0x15, 0x64)
      for (opcode <- opcodes; length <- (0 to 9) ++ (50 to 70) ++ Seq(127, 128, 255, 256, 257, 1023, 1024, 2048, 4092, 4095, 4096)) {
        bench.send(RoceTraffic.sound(r, opcode, length).bytes, damaged = false)
      }
      bench.countPlaces()
      // Small packets behind a long one, which is read meanwhile, may find no place.
      assert(bench.counted.keySet == Set(RoceCounter.RX_PACKETS, RoceCounter.DROP_FULL))
    }
  }

  test("packets that scapy made, and a ConnectX, have a right ICRC; no other byte of theirs would") {
    run("scapy", 2) { (bench, r) =>
      // Ours are other addresses, and the first is of an unreliable connection.
      for (frame <- RoceTraffic.scapy) {
        val ours = number(RoceTraffic.mac, 6) ++ frame.drop(6)
        assert(icrc(frame.dropRight(4)) == frame.takeRight(4), "the reference has another ICRC")
        bench.send(ours, damaged = false)
        for (at <- 26 until frame.size) bench.send(ours.updated(at, ours(at) ^ (1 << r.nextInt(8))), damaged = false)
      }
      bench.settle()
      assert(bench.counted(RoceCounter.RX_PACKETS) >= 3 && bench.counted(RoceCounter.DROP_ICRC) > 150)
    }
  }

  test(s"a packet comes out ${RoceReceive.LATENCY} cycles after its last beat") {
    run("latency", 3) { (bench, r) =>
      for (length <- Seq(0, 4, 100, 1000, 4096); opcode <- Seq(0x0a, 0x0c, 0x13)) {
        bench.send(RoceTraffic.sound(r, opcode, length).bytes, damaged = false)
        bench.settle()
      }
      assert(bench.latencies.toSet == Set(RoceReceive.LATENCY), bench.latencies)
    }
  }

  private def mixed(seed: Int, pace: Pace, faults: Set[RoceFault.Value] = Set.empty): Unit = run("mixed", seed, pace, faults) { (bench, r) =>
    for (_ <- 0 until 1500) {
      val (frame, damaged) = RoceTraffic.any(r)
      bench.send(frame, damaged)
    }
    bench.countPlaces()
    val reasons = (RoceCounter.RX_PACKETS to RoceCounter.DROP_FULL).filter(bench.counted(_) == 0)
    assert(reasons.isEmpty, s"not reached: $reasons")
  }
  for (seed <- Seq(4, 8)) test(s"damaged and malformed packets in a row, everything taken at once (seed $seed)")(mixed(seed, Pace()))
  test("damaged and malformed packets with pauses, packets taken late")(mixed(5, Pace(gaps = 1, stalls = 3)))
  for (seed <- Seq(6, 8)) test(s"a full store drops packets whole and loses no place (seed $seed)")(mixed(seed, Pace(holds = 600)))

  test("resets in mid-frame leave all places free") {
    run("resets", 7, Pace(gaps = 1, stalls = 2, holds = 20)) { (bench, r) =>
      for (_ <- 0 until 40) {
        val sending = fork(for (_ <- 0 until 60) bench.send(RoceTraffic.any(r)._1, damaged = r.nextInt(4) == 0))
        sleep(10 * (1 + r.nextInt(300)))
        sending.terminate()
        bench.reset()
        for (_ <- 0 until 3) bench.send(RoceTraffic.sound(r).bytes, damaged = false)
        bench.settle()
      }
      bench.countPlaces()
    }
  }

  /** Short packets of all processes, far more than are taken. */
  private def rush(seed: Int, faults: Set[RoceFault.Value] = Set.empty): Unit = run("rush", seed, Pace(stalls = 4, holds = 20), faults) { (bench, r) =>
    for (i <- 0 until 4000) {
      bench.send(RoceTraffic.sound(r, 0x04, 4).copy(behind = Nil).bytes, damaged = false)
      // Times at which hardly anybody waits, and such at which all do.
      bench.pause(if (i / 400 % 2 == 1) r.nextInt(3) else if (r.nextInt(3) == 0) 0 else 10)
    }
    bench.countPlaces()
    assert(Seq(RoceCounter.RX_PACKETS, RoceCounter.DROP_SHARE).forall(bench.counted(_) > 500), bench.counted)
  }
  for (seed <- Seq(9, 10)) test(s"packets of a process come out in their order, however many come (seed $seed)")(rush(seed))

  /** Frames of one beat, of some processes and of nobody, as fast as a line of 100 Gbit/s brings them or one in each cycle; every 50th is of a process that
    * sends nothing else. One packet is taken in six cycles.
    */
  private def flood(seed: Int, by: Seq[Int], line: Boolean, faults: Set[RoceFault.Value] = Set.empty): Unit =
    run("flood", seed, Pace(holds = 8, every = 6), faults) { (bench, r) =>
      val (quiet, pairs) = (10, RoceTraffic.pairs.toSeq.sortBy(_._1))
      def packet(of: Int): RocePacket = {
        val plain = RoceTraffic.sound(r, 0x04, 4).copy(behind = Nil)
        val own = pairs.filter(_._2._2 == of)
        val (qpn, (peer, _)) = if (of == NOBODY) (BigInt(0x1234), (BigInt(32, r), of)) else own(r.nextInt(own.size))
        plain.copy(destQp = qpn.toInt, srcIp = peer)
      }
      for (i <- 0 until 5000) {
        bench.send(packet(if (i % 50 == 49) quiet else by(i % by.size)).bytes, damaged = false)
        // 86 bytes with preamble, FCS and gap are 1.72 cycles.
        if (line) bench.pause(if (i % 7 < 5) 1 else 0)
      }
      bench.settle()
      assert(bench.counted(RoceCounter.DROP_SHARE) > 2000)
      assert(bench.refusals(quiet) == 0, s"${bench.refusals(quiet)} of 100 packets of the quiet process are dropped")
      // One that is out already, one of each of the others, and one that left while it was judged.
      assert(bench.behind(quiet) <= by.size + 2, s"a packet of the quiet process waits for ${bench.behind(quiet)}")
    }
  test("a flood of one process, or of packets that are nobody's, neither drops nor delays another's packets")(for (by <- Seq(3, NOBODY))
    flood(11, Seq(by), line = false))
  test("nor does that of three together, as fast as the line is")(flood(12, Seq(3, 5, NOBODY), line = true))

  for (fault <- Seq(RoceFault.SharesIgnored, RoceFault.BoundIgnored))
    test(s"the flood notices $fault")(assertThrows[Throwable](flood(11, Seq(3), line = false, faults = Set(fault))))
  for (fault <- Seq(RoceFault.Overtaken, RoceFault.EndMissed, RoceFault.LastKept))
    test(s"the rush notices $fault")(assertThrows[Throwable](rush(9, Set(fault))))

  private val ofReceive = Set(
    RoceFault.CongestionCovered,
    RoceFault.IcrcAccepted,
    RoceFault.PaddingCovered,
    RoceFault.PlaceLost,
    RoceFault.FullAccepted,
    RoceFault.FragmentAccepted,
    RoceFault.PadAccepted,
    RoceFault.PadCounted
  )
  for (fault <- RoceFault.values if ofReceive(fault)) test(s"the bench notices $fault") {
    assertThrows[Throwable](mixed(8, Pace(holds = if (fault == RoceFault.FullAccepted) 600 else 0), faults = Set(fault)))
  }
}

object RoceReceiveTest {
  /** Whose a frame is, if it is from the peer of a queue pair that is there. */
  def share(qpn: BigInt, source: BigInt): Int = RoceTraffic.pairs.get(qpn).filter(_._1 == source).fold(NOBODY)(_._2)
  def shareOf(frame: Bytes): Int = {
    def field(position: (Int, Int)) = frame.slice(position._1, position._1 + position._2).foldLeft(BigInt(0))((v, b) => (v << 8) | b)
    share(field(RoceField.DEST_QP), field(FrameField.SRC_IP))
  }
  val NOBODY = -1

  def value(element: Data): BigInt = element match {
    case bool: Bool => if (bool.toBoolean) 1 else 0
    case bits: Bits => bits.toBigInt
    case number: UInt => number.toBigInt
  }
}
