package mneme.rdma

import mneme.CBoardConfig
import mneme.net.NetSim
import mneme.wire.Wire
import mneme.wire.Wire.{RoceCommand, RoceCounter, RoceResult}
import org.scalatest.funsuite.AnyFunSuite

import scala.util.Random

/** The responder in hardware answers as the golden model does: the same packets, memory and counts. */
class RoceResponderTest extends AnyFunSuite {
  private val config = RoceConfig(CBoardConfig.sim, queuePairs = 16, regions = 16, slots = 8, notificationGap = 1000)
  private lazy val compiled = NetSim.config.compile(new RoceResponder(config))

  private def bench(name: String, seed: Int, jitter: Boolean)(body: ResponderBench => Unit): Unit =
    compiled.doSim(name, seed) { dut => body(new ResponderBench(dut, new Random(seed), jitter).start()) }

  /** Lets the bench do what a program says, as far as `until`. */
  private def play(b: ResponderBench, program: RoceProgram, until: Int): Unit = for ((deed, i) <- program.deeds.take(until).zipWithIndex) {
    deed match {
      case qp: MakeQueuePair => assert(b.create(qp) == RoceResult.DONE)
      case region: MakeRegion => assert(b.create(region) == RoceResult.DONE)
      case RemoveRegion(key) => assert(b.remove(key) == RoceResult.DONE)
      case SetPage(pid, page, Wire.Status.OK) => b.door.faults.remove((pid, page))
      case SetPage(pid, page, status) => b.door.faults((pid, page)) = status
      case Group(packets, answers) =>
        val got = b.settle(packets)
        val what = s"program ${program.seed}, deed $i, ${packets.size} packets, the last one ${packets.lastOption}"
        // One packet: one thing after the other, and no room for a difference.
        if (packets.size <= 1) assert(got == answers, what)
        else for (qpn <- packets.map(_.qpn).distinct) compare(answers.filter(_.qpn == qpn), got.filter(_.qpn == qpn), s"$what, queue pair ${qpn.toHexString}")
    }
  }

  /** What may differ when packets come back to back: an acknowledge says what those before it would have said; an answer to a READ or an atomic says
    * that all before it is done, and so does what was refused, and was done then.
    */
  private def compare(want: Seq[Leaves], got: Seq[Leaves], what: String): Unit = {
    def rest(all: Seq[Leaves]) = all.filterNot(a => a.isAck || a.isRefusal)
    assert(rest(got) == rest(want), what)
    // Each is one that the model gave, in its order, ...
    val told = want.iterator
    for (answer <- got) assert(told.contains(answer), s"$what: $answer is not among $want or comes late")
    // ... and what holds in the end is told.
    def last(all: Seq[Leaves]) = all.lastOption
    assert(last(got) == last(want), what)
  }

  private def check(b: ResponderBench, program: RoceProgram): Unit = {
    for (end <- program.ends) assert(b.query(end.qpn) == end, s"program ${program.seed}")
    val pages = b.door.pages.map { case (key, bytes) => key -> RoceVectors.digest(bytes) }
    assert(pages == program.memory, s"program ${program.seed}")
    for ((name, number) <- RoceCounter.all if number != RoceCounter.ACKNOWLEDGES && number != RoceCounter.IMMEDIATES)
      assert(b.counts(number) == program.counts(number), s"program ${program.seed}: $name")
    assert(b.counts(RoceCounter.ACKNOWLEDGES) <= program.counts(RoceCounter.ACKNOWLEDGES))
  }

  private val programs = RoceVectors.read(sys.env.getOrElse("MNEME_RDMA_VECTORS", "src/test/resources/rdma/responder.txt"))

  for (jitter <- Seq(false, true))
    test(s"programs are answered as the golden model answers them${if (jitter) ", when everything stalls, and after resets" else ""}") {
      assert(programs.nonEmpty)
      bench(s"programs$jitter", 1, jitter) { b =>
        val random = new Random(2)
        for (program <- programs) {
          if (jitter) {
            // A part of the program, cut off anywhere.
            b.reset()
            play(b, program, 12 + random.nextInt(20))
            b.begin(program.deeds.collect { case Group(packets, _) => packets }.flatten.take(20).toSeq)
            for (_ <- 0 until random.nextInt(300)) b.cycle()
          }
          b.reset()
          play(b, program, program.deeds.size)
          check(b, program)
        }
      }
    }
}
