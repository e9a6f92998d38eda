package mneme.leaf

import org.scalatest.Assertions._

import scala.collection.mutable
import scala.io.Source

sealed trait LeafStep
/** `zeroed`: the frame was taken and zeroed just now. Frames that may be taken, that wait, and that segments have, after it. */
case class LeafDeed(ask: LeafAsk, end: LeafEnd, zeroed: Boolean, usable: Int, waiting: Int, used: Int) extends LeafStep
case class AccessEnds(which: Int) extends LeafStep

/** A program of the golden model (rdma/world/src/leaf.rs), and the entries that are left. */
class LeafProgram(val seed: Long) {
  val steps = mutable.ArrayBuffer[LeafStep]()
  val entries = mutable.Map[Int, Long]()
}

object LeafPrograms {
  /** Those that are kept, or those of the file that the environment names. */
  lazy val kept: Seq[LeafProgram] = read(sys.env.getOrElse("MNEME_LEAF_VECTORS", "src/test/resources/rdma/leaf.txt"))

  private def read(path: String): Seq[LeafProgram] = {
    val source = Source.fromFile(path)
    try parse(source.getLines().toSeq)
    finally source.close()
  }

  private def named[T <: spinal.core.SpinalEnum](kind: T, name: String): spinal.core.SpinalEnumElement[T] =
    kind.elements.find(_.getName() == name).getOrElse(fail(s"no $name")).asInstanceOf[spinal.core.SpinalEnumElement[T]]

  private def parse(lines: Seq[String]): Seq[LeafProgram] = {
    val programs = mutable.ArrayBuffer[LeafProgram]()
    for (line <- lines) {
      val words = line.split(' ')
      def int(i: Int) = Integer.parseInt(words(i), 16)
      words(0) match {
        case "program" => programs += new LeafProgram(words(1).toLong)
        case "o" =>
          val flags = int(7)
          def flag(bit: Int) = (flags & bit) != 0
          val ask = LeafAsk(named(LeafOperation, words(1)), int(2), int(3), int(4), int(5), int(6), flag(1), flag(2), flag(4), flag(8), int(8), int(9))
          val end = LeafEnd(named(LeafStatus, words(10)), int(11), int(12) == 1, int(13))
          programs.last.steps += LeafDeed(ask, end, int(12) == 2, int(14), int(15), int(16))
        case "end" => programs.last.steps += AccessEnds(int(1))
        case "entry" => programs.last.entries(int(1)) = int(2)
        case other => throw new IllegalArgumentException(s"a line begins with '$other'")
      }
    }
    programs.toSeq
  }

  /** Does what a program says, as far as `until`: each operation ends as the model's, and every frame is where the model has it. */
  def play(b: LeafBench, program: LeafProgram, until: Int = Int.MaxValue): Unit = {
    val epochs = mutable.ArrayBuffer[Boolean]()
    for ((step, i) <- program.steps.take(until).zipWithIndex) step match {
      case AccessEnds(which) => b.end(epochs(which))
      case LeafDeed(ask, end, zeroed, usable, waiting, used) =>
        val (got, epoch) = b.askBegin(ask)
        val what = s"program ${program.seed}, step $i, $ask"
        assert(got == end, what)
        if (ask.begins && end.status == LeafStatus.DONE) epochs += epoch
        if (zeroed) {
          assert(b.isZero(end.frame << 12, 4096), what)
          b.soil(end.frame)
        }
        // The epochs change places while nothing is asked.
        b.rest(3)
        assert((b.usable, b.waiting, b.total) == ((usable, waiting, usable + waiting + used)), what)
    }
  }

  /** Tables are the model's, and the ring has no frame any more. */
  def check(b: LeafBench, program: LeafProgram): Unit = {
    b.settle()
    for (address <- 0 until LeafBench.firstFrame << 12 by 8) {
      val (want, got) = (program.entries.getOrElse(address, 0L) << 12, b.entry(address))
      // A text for each entry would take longer than all else.
      if (got != want) fail(f"program ${program.seed}, at 0x$address%x: 0x$got%x instead of 0x$want%x")
    }
  }

  /** What the steps must have been counted as. */
  def counts(program: LeafProgram): Map[String, Int] = {
    val deeds = program.steps.collect { case deed: LeafDeed => deed }
    def ended(status: LeafStatus.E, of: LeafOperation.E*) = deeds.count(deed => deed.end.status == status && (of.isEmpty || of.contains(deed.ask.operation)))
    Map(
      "right" -> ended(LeafStatus.RIGHT),
      "outside" -> ended(LeafStatus.OUTSIDE),
      "unmapped" -> ended(LeafStatus.UNMAPPED),
      "ringEmpty" -> ended(LeafStatus.RING_EMPTY, LeafOperation.STORE),
      "budgetSpent" -> ended(LeafStatus.BUDGET_SPENT),
      "memoryError" -> 0,
      "lineLost" -> 0
    )
  }
}
