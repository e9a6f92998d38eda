package mneme.chain

import mneme.leaf.LeafOperation
import org.scalatest.Assertions._

import scala.collection.mutable
import scala.io.Source

object ArrivalPrograms {
  /** Those that are kept, or those of the file that the environment names. */
  lazy val kept: Seq[Seq[String]] = {
    val source = Source.fromFile(sys.env.getOrElse("MNEME_CHAIN_VECTORS", "src/test/resources/rdma/chain-packets.txt"))
    try
      source.getLines().foldLeft(Vector[Vector[String]]())((all, line) =>
        if (line.startsWith("program")) all :+ Vector(line) else all.init :+ (all.last :+ line)
      )
    finally source.close()
  }

  /** As the programs have it (rdma/world/src/chain_packets). */
  def byte(seed: Int, i: Int): Byte = (((seed + i * 7919) * 0x9e3779b1) >>> 24).toByte
  def digest(bytes: Array[Byte]): BigInt =
    bytes.foldLeft(BigInt("cbf29ce484222325", 16))((hash, byte) => ((hash ^ (byte & 0xff)) * BigInt("100000001b3", 16)) & ((BigInt(1) << 64) - 1))

  /** A refusal or an acknowledge that has not left may be replaced by what comes behind it; a notification may leave earlier or later. */
  private def agree(has: Seq[SentAnswer], due: Seq[SentAnswer], exactly: Boolean, what: => String): Unit = {
    val (hasNotes, hasAnswers) = has.partition(_.opcode == 0x81)
    val (dueNotes, dueAnswers) = due.partition(_.opcode == 0x81)
    assert(hasNotes == dueNotes, what)
    if (exactly) assert(hasAnswers == dueAnswers, what)
    else {
      val left = dueAnswers.iterator
      for (answer <- hasAnswers) if (!left.contains(answer)) fail(s"$what: $answer is not among $dueAnswers, or too late")
      assert(hasAnswers.lastOption == dueAnswers.lastOption, what)
    }
  }

  /** Does a program's lines, and compares. `hasty`: packets come back to back. */
  def play(b: ArrivalBench, k: ChainConfig, lines: Seq[String], hasty: Boolean = false, until: Int = Int.MaxValue): Unit = new Play(b, k, lines, hasty, until)

  private class Play(b: ArrivalBench, k: ChainConfig, lines: Seq[String], hasty: Boolean, until: Int) {
    private val due = mutable.ArrayBuffer[SentAnswer]()
    private val replies = mutable.Map[Int, mutable.ArrayBuffer[UnitReply]]()
    private val numbers = mutable.Map[Int, Int]()
    private val counted = mutable.Map[Int, Int]()

    private def settle(what: => String): Unit = {
      b.settle()
      for (pair <- (due ++ b.sent).map(_.pair).distinct) agree(b.sent.toSeq.filter(_.pair == pair), due.toSeq.filter(_.pair == pair), !hasty, what)
      due.clear()
      b.sent.clear()
    }
    private def compareReplies(place: Int, whole: Boolean, what: => String): Unit = {
      val (has, wants) = (b.posted(place).toSeq, replies.get(place).map(_.toSeq).getOrElse(Nil))
      assert(has.take(wants.size) == wants, what)
      if (whole) assert(has.size == wants.size, what)
    }

    for ((line, i) <- lines.take(until).zipWithIndex) {
      val words = line.split(' ')
      def big(n: Int) = BigInt(words(n), 16)
      def int(n: Int) = big(n).toInt
      def flag(n: Int) = int(n) == 1
      def what = s"${lines.head}, line $i: ${line.take(160)}"
      // What a line before has sent stands behind it.
      if (!Seq("d", "r").contains(words(0)) && (!hasty || words(0) != "a")) settle(what)
      words(0) match {
        case "program" =>
        case "ring" => b.command(LeafOperation.PUSH, 0, 0x100, pages = int(1))
        case "segment" =>
          val status = b.command(LeafOperation.CREATE, int(1), int(4), pages = int(3), line = 0x1000 + 0x100 * int(1), pid = int(2), rights = int(5))
          assert(status._1 == "DONE")
        case "create" =>
          val rows = (18 until words.length by 2).map(n => (int(n), int(n + 1)))
          val place = int(1)
          val s = PairSettings(
            int(2),
            int(3),
            big(4).toLong,
            int(5),
            int(6),
            int(7),
            int(8),
            flag(9),
            flag(10),
            flag(11),
            int(12),
            flag(13),
            int(14),
            flag(15),
            big(16),
            big(17),
            rows
          )
          replies.remove(place)
          numbers(place) = s.qpn
          assert(b.create(s) == ChainResult.DONE, what)
        case "a" =>
          val (seed, from, bytes) = (big(10).toLong.toInt, int(11), int(8))
          val head = if (words.length > 12) words(12).grouped(2).map(Integer.parseInt(_, 16).toByte).toSeq else Nil
          val payload = head ++ (from + head.size until from + bytes).map(byte(seed, _))
          b.give(Packet(int(1), big(2).toLong, int(3), int(7), payload, flag(4), flag(5), int(6), flag(9)))
        case "k" => b.give(Packet(int(1), big(2).toLong, 0x11, int(3), asks = false, immediate = big(4).toLong << 24))
        case "go" => b.rest(60)
        case "d" => due += SentAnswer(int(1), int(2), int(3), int(4), int(5))
        case "r" => replies.getOrElseUpdate(int(1), mutable.ArrayBuffer()) += UnitReply(flag(2), int(3), big(4), big(5).toLong, flag(6), big(7))
        case "destroy" =>
          compareReplies(int(1), whole = false, what)
          assert(b.destroy(numbers(int(1))) == ChainResult.DONE, what)
        case "state" =>
          val (result, expected, msn, error, _) = b.query(numbers(int(1)))
          assert((result, expected, msn, error) == ((ChainResult.DONE, int(2), int(3), flag(4))), what)
          compareReplies(int(1), whole = false, what)
        case "mapped" =>
          for (segment <- 0 to 1) {
            val mapped = (0 until 16).filter(page => b.command(LeafOperation.LOOK, segment, page, pid = 7 + segment, rights = 0)._1 == "DONE")
            assert(mapped.map(1 << _).sum == int(1 + segment), what)
          }
          val (usable, waiting) = b.free()
          assert(usable == int(3), s"$what: $usable, and $waiting wait")
        case "page" =>
          val (status, frame) = b.command(LeafOperation.LOOK, int(1), int(2), pid = 7 + int(1), rights = 0)
          assert(status == "DONE" && digest(b.frames.frames(frame)) == big(3), what)
        case "count" =>
          counted(int(1)) = int(2)
          assert(b.counts(int(1)) == int(2), what)
        case "length" => assert(b.events("receiveLength") == int(1), what)
        case "done" =>
          assert(b.counts.toMap == counted.toMap, what)
          for ((name, n) <- ChainUnitBench.names.zipWithIndex) assert(b.events(name) == int(1 + n), s"$what: $name")
        case other => fail(s"a line begins with '$other'")
      }
    }
  }
}
