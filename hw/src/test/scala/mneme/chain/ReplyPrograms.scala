package mneme.chain

import scala.collection.mutable
import scala.io.Source

/** A packet of a reply. `source`: 0 a frame, its number and the first byte; 1 zeros; 2 a word. */
case class ReplyPacket(
    opcode: Int,
    psn: Int,
    asks: Boolean,
    va: BigInt,
    rkey: Long,
    length: Int,
    immediate: Long,
    bytes: Int,
    source: Int,
    place: BigInt,
    offset: Int
)

case class PeerSettings(mac: Long, ip: Long, qpn: Int, port: Int, mtu: Int, timeout: Int, segment: Int, pid: Int, share: Int)
case class PostedReply(word: Boolean, page: Int, frame: Int, magic: BigInt, va: BigInt, rkey: Long, immediate: Boolean)

/** A line of a program (rdma/world/src/replies.rs). */
sealed trait ReplyStep
case class Maps(segment: Int, page: Int, frame: Int) extends ReplyStep
case class Creates(pair: Int, psn: Int, peer: PeerSettings) extends ReplyStep
case class Destroys(pair: Int) extends ReplyStep
case class Posts(pair: Int, reply: PostedReply) extends ReplyStep
case class Full(pair: Int, replies: Int) extends ReplyStep
case class Acks(pair: Int, psn: Int, syndrome: Int) extends ReplyStep
case class Time(ticks: Long) extends ReplyStep
/** What the steps before it have caused: packets and failures by queue pair, and accesses that go on. */
case class Settled(packets: Map[Int, Seq[ReplyPacket]], failed: Set[Int], open: Int) extends ReplyStep
case class Looked(count: Int) extends ReplyStep

class ReplyProgram(val seed: Long) {
  val steps = mutable.ArrayBuffer[ReplyStep]()
}

object ReplyPrograms {
  /** Those that are kept, or those of the file that the environment names. */
  lazy val kept: Seq[ReplyProgram] = {
    val source = Source.fromFile(sys.env.getOrElse("MNEME_REPLY_VECTORS", "src/test/resources/rdma/replies.txt"))
    try parse(source.getLines().toSeq)
    finally source.close()
  }

  private def parse(lines: Seq[String]): Seq[ReplyProgram] = {
    val programs = mutable.ArrayBuffer[ReplyProgram]()
    val packets = mutable.LinkedHashMap[Int, mutable.ArrayBuffer[ReplyPacket]]()
    val failed = mutable.Set[Int]()
    for (line <- lines) {
      val words = line.split(' ')
      def big(i: Int) = BigInt(words(i), 16)
      def int(i: Int) = big(i).toInt
      def add(step: ReplyStep): Unit = programs.last.steps += step
      words(0) match {
        case "program" => programs += new ReplyProgram(words(1).toLong)
        case "map" => add(Maps(int(1), int(2), int(3)))
        case "create" => add(Creates(int(1), int(2), PeerSettings(big(3).toLong, big(4).toLong, int(5), int(6), int(7), int(8), int(9), int(10), int(11))))
        case "destroy" => add(Destroys(int(1)))
        case "post" => add(Posts(int(1), PostedReply(int(2) == 1, int(3), int(4), big(5), big(6), big(7).toLong, int(8) == 1)))
        case "full" => add(Full(int(1), int(2)))
        case "ack" => add(Acks(int(1), int(2), int(3)))
        case "time" => add(Time(big(1).toLong))
        case "p" =>
          val place = if (words.length > 11) big(11) else BigInt(0)
          val offset = if (words.length > 12) int(12) else 0
          packets.getOrElseUpdate(int(1), mutable.ArrayBuffer()) +=
            ReplyPacket(int(2), int(3), int(4) == 1, big(5), big(6).toLong, int(7), big(8).toLong, int(9), int(10), place, offset)
        case "failed" => failed += int(1)
        case "open" =>
          add(Settled(packets.view.mapValues(_.toSeq).toMap, failed.toSet, int(1)))
          packets.clear()
          failed.clear()
        case "looked" => add(Looked(int(1)))
        case other => throw new IllegalArgumentException(s"a line begins with '$other'")
      }
    }
    programs.toSeq
  }
}
