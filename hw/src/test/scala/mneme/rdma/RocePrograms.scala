package mneme.rdma

import mneme.wire.Wire
import mneme.wire.Wire.{RoceCounter, RoceResult}
import org.scalatest.Assertions._

import scala.util.Random

/** Something that the golden model's programs are played on: a responder, or a whole port. */
trait RocePlayer {
  def door: DoorModel
  /** Everything begins anew, whatever is under way. */
  def reset(): Unit
  def cycle(): Unit

  // Commands of the slow path; each gives a RoceResult number.
  def create(qp: MakeQueuePair): Int
  def create(region: MakeRegion): Int
  def remove(key: Long): Int
  def query(qpn: Int): QueuePairEnd

  /** Packets are to come from now on. */
  def begin(packets: Seq[Comes]): Unit
  /** Lets packets come, and waits until all is answered. */
  def settle(packets: Seq[Comes]): Seq[Leaves]
  /** What can be seen here of an answer that the model gave. */
  def seen(answer: Leaves): Leaves
  /** Of a RoceCounter number. */
  def counted(number: Int): Long
}

/** The golden model's programs (rdma/world/src/vectors), and how answers are compared. */
object RocePrograms {
  /** Those that are kept, or those of the file that the environment names. */
  lazy val kept: Seq[RoceProgram] = RoceVectors.read(sys.env.getOrElse("MNEME_RDMA_VECTORS", "src/test/resources/rdma/responder.txt"))

  /** All programs, one after the other; with `resets` each after a part of itself that a reset cuts off anywhere. */
  def all(b: RocePlayer, programs: Seq[RoceProgram], resets: Boolean): Unit = {
    val random = new Random(2)
    for (program <- programs) {
      if (resets) {
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

  /** Does what a program says, as far as `until`. */
  private def play(b: RocePlayer, program: RoceProgram, until: Int): Unit = for ((deed, i) <- program.deeds.take(until).zipWithIndex) {
    deed match {
      case qp: MakeQueuePair => assert(b.create(qp) == RoceResult.DONE)
      case region: MakeRegion => assert(b.create(region) == RoceResult.DONE)
      case RemoveRegion(key) => assert(b.remove(key) == RoceResult.DONE)
      case SetPage(pid, page, Wire.Status.OK) => b.door.faults.remove((pid, page))
      case SetPage(pid, page, status) => b.door.faults((pid, page)) = status
      case Group(packets, answers) =>
        val (want, got) = (answers.map(b.seen), b.settle(packets))
        val what = s"program ${program.seed}, deed $i, ${packets.size} packets, the last one ${packets.lastOption.map(_.copy(transport = Nil))}"
        // One packet: one thing after the other, and no room for a difference.
        if (packets.size <= 1) assert(got == want, what)
        else for (qpn <- packets.map(_.qpn).distinct) compare(want.filter(_.qpn == qpn), got.filter(_.qpn == qpn), s"$what, queue pair ${qpn.toHexString}")
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
    // ... and what holds in the end is told. A refusal says of all before its packet what an acknowledge of them would, so a
    // refusal that still waits when such an acknowledge falls due stands for it.
    val same = (want.lastOption, got.lastOption) match {
      case (Some(ack), Some(refusal)) if ack.isAck && refusal.isRefusal => refusal.psn == ((ack.psn + 1) & 0xffffff) && refusal.msn == ack.msn
      case (wanted, told) => told == wanted
    }
    assert(same, s"$what: ends with ${got.lastOption} instead of ${want.lastOption}")
  }

  private def check(b: RocePlayer, program: RoceProgram): Unit = {
    for (end <- program.ends) assert(b.query(end.qpn) == end, s"program ${program.seed}")
    val pages = b.door.pages.map { case (key, bytes) => key -> RoceVectors.digest(bytes) }
    assert(pages == program.memory, s"program ${program.seed}")
    // Where packets come back to back, an acknowledge may say what several would have.
    val alone = program.deeds.forall { case Group(packets, _) => packets.size <= 1; case _ => true }
    // The model is no port: what comes before and behind it the bench knows.
    for ((name, number) <- RoceCounter.all if number >= RoceCounter.WRITES && (alone || number != RoceCounter.ACKNOWLEDGES))
      assert(b.counted(number) == program.counts(number), s"program ${program.seed}: $name")
    assert(b.counted(RoceCounter.ACKNOWLEDGES) <= program.counts(RoceCounter.ACKNOWLEDGES))
  }
}
