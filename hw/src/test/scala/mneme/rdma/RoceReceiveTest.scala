package mneme.rdma

import mneme.{Faults, Simulation}
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
  val receive = RoceReceive(slots, "block", new Faults[RoceFault.Value](Some(faults)))
  val io = receive.io.toIo()
}

/** Frames against [[RoceReference.judge]]: each comes out as it says, or is counted by the reason that it says. */
class RoceReceiveTest extends AnyFunSuite {
  private val slots = 16
  private lazy val compiled = Simulation.config.compile(RoceReceiveBench(slots))

  /** How a run goes: pauses of the sender within frames and of who takes packets, cycles until a place comes back. */
  private case class Pace(gaps: Int = 0, stalls: Int = 0, holds: Int = 0)

  private class Bench(dut: RoceReceiveBench, r: Random, pace: Pace) {
    import dut.io
    private val clock = dut.clockDomain
    val counted = mutable.Map[Int, Int]().withDefaultValue(0)
    val latencies = mutable.ArrayBuffer[Int]()
    var (full, cycle, keepPlaces) = (0, 0, false)
    /** What was asked for before a reset is of no meaning after it. */
    private var resets = 0
    /** Frames whose fate is not known: what is due, how many places were in use when it began, and when it ended. */
    private case class Due(fate: Either[Int, Arrived], inUse: Int, var ended: Int)
    private val due = mutable.Queue[Due]()
    private val arriving = mutable.Queue[Due]()
    private case class Read(slot: Int, beat: Int)
    private case class Task(slot: Int, from: Int, left: mutable.Queue[Int], arrived: Arrived)
    private val tasks = mutable.Queue[Task]()
    private val returns = mutable.Queue[(Int, Int)]()
    private val used = mutable.Set[Int]()
    private def inUse: Int = due.size + arriving.size + used.size

    io.frames.valid #= false
    io.local.mac #= RoceTraffic.mac
    io.local.ip #= RoceTraffic.ip
    io.arrivals.ready #= pace.stalls == 0
    io.read.valid #= false
    io.giveBack.valid #= false
    clock.forkStimulus(10)
    clock.onSamplings {
      cycle += 1
      count()
      arrive()
      io.arrivals.ready #= (pace.stalls == 0 || r.nextInt(pace.stalls + 1) == 0)
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
          full += 1
        case Right(arrived) =>
          assert(counter == (if (arrived.malformed) RoceCounter.RX_MALFORMED else RoceCounter.RX_PACKETS), s"counted as ${name(counter)}")
          arriving += frame
      }
    }
    private def name(counter: Int): String = RoceCounter.all.find(_._2 == counter).fold(counter.toString)(_._1)

    private def arrive(): Unit = if (io.arrivals.valid.toBoolean && io.arrivals.ready.toBoolean) {
      // A packet may come out in the cycle in which it is counted, and then it has been.
      val frame = arriving.dequeue()
      val arrived = frame.fate.toOption.get
      val got = io.arrivals.payload
      latencies += cycle - frame.ended
      for ((name, element) <- got.headers.elements; value <- arrived.fields.get(name)) assert(RoceReceiveTest.value(element) == value, name)
      assert(got.malformed.toBoolean == arrived.malformed)
      if (!arrived.malformed) assert(got.offset.toInt == arrived.offset)
      val slot = got.slot.toInt
      assert(used.add(slot), "a place is given twice")
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
        if (i == 0) due += Due(fate, inUse, 0)
        val mine = due.last
        clock.waitSampling()
        assert(io.frames.ready.toBoolean)
        if (last) mine.ended = cycle
      }
      io.frames.valid #= false
    }
    def settle(): Unit = {
      clock.waitSampling(50)
      var waited = 0
      while (!keepPlaces && inUse > 0 && waited < 20000) { clock.waitSampling(); waited += 1 }
      assert(due.isEmpty && arriving.isEmpty && (keepPlaces || used.isEmpty), s"${due.size} frames without a fate, ${arriving.size} did not come out")
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
      Seq(due, arriving, tasks, returns).foreach(_.clear())
      used.clear()
      resets += 1
    }
  }

  private def run(name: String, seed: Int, pace: Pace = Pace(), faults: Set[RoceFault.Value] = Set.empty)(body: (Bench, Random) => Unit): Unit =
    compiled.doSim(s"$name$seed${faults.mkString}", seed) { dut =>
      SimTimeout(100000000)
      dut.faults #= faults.toSeq.map(f => BigInt(1) << f.id).sum
      val r = new Random(seed)
      val bench = new Bench(dut, r, pace)
      dut.clockDomain.waitSampling(5)
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
  def value(element: Data): BigInt = element match {
    case bool: Bool => if (bool.toBoolean) 1 else 0
    case bits: Bits => bits.toBigInt
    case number: UInt => number.toBigInt
  }
}
