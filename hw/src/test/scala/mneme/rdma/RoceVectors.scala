package mneme.rdma

import scala.collection.mutable
import scala.io.Source

/** A packet that comes, by the lines of the golden model (rdma/world/src/vectors). */
case class Comes(
    qpn: Int,
    source: Long,
    opcode: Int,
    ack: Boolean,
    pad: Int,
    pkey: Int,
    psn: Int,
    va: BigInt,
    rkey: Long,
    length: Long,
    swapAdd: BigInt,
    compare: BigInt,
    payload: Int,
    seed: Long,
    malformed: Boolean,
    congested: Boolean = false,
    /** The packet from its base transport header to its pad, where the model has told it. */
    transport: Seq[Int] = Nil
) {
  /** Byte `i` of the payload. */
  def byte(i: Int): Byte = ((((seed + i * 7919L) & 0xffffffffL) * 0x9e3779b1L >> 24) & 0xff).toByte
}

/** An answer; `digest` of its payload, `whole` of the packet from its base transport header to its pad. */
case class Leaves(qpn: Int, opcode: Int, psn: Int, syndrome: Int, msn: Int, original: BigInt, bytes: Int, digest: Long, whole: Long = 0) {
  def isAck: Boolean = opcode == 0x11 && syndrome == 0x1f
  def isRefusal: Boolean = opcode == 0x11 && syndrome != 0x1f
}

sealed trait Deed
case class MakeQueuePair(qpn: Int, peerQpn: Int, peer: Long, pid: Int, psn: Int, mtu: Int, hardened: Boolean, pkey: Int) extends Deed
case class MakeRegion(key: Long, pid: Int, va: BigInt, length: BigInt, rights: Int) extends Deed
case class RemoveRegion(key: Long) extends Deed
case class SetPage(pid: Int, page: BigInt, status: Int) extends Deed
/** Packets that come back to back, and what the model answers, one after the other. */
case class Group(packets: Seq[Comes], answers: Seq[Leaves]) extends Deed

case class QueuePairEnd(qpn: Int, expected: Int, msn: Int, inError: Boolean)

class RoceProgram(val seed: Long) {
  val deeds = mutable.ArrayBuffer[Deed]()
  val ends = mutable.ArrayBuffer[QueuePairEnd]()
  val counts = mutable.Map[Int, Long]().withDefaultValue(0L)
  val memory = mutable.Map[(Int, BigInt), Long]()
}

object RoceVectors {
  /** FNV-1a of 64 bits. */
  def digest(bytes: Array[Byte]): Long = {
    var hash = 0xcbf29ce484222325L
    for (byte <- bytes) hash = (hash ^ (byte & 0xff)) * 0x100000001b3L
    hash
  }

  def read(path: String): Seq[RoceProgram] = {
    val source = Source.fromFile(path)
    try parse(source.getLines().toSeq)
    finally source.close()
  }

  private def parse(lines: Seq[String]): Seq[RoceProgram] = {
    val programs = mutable.ArrayBuffer[RoceProgram]()
    val packets = mutable.ArrayBuffer[Comes]()
    for (line <- lines) {
      val words = line.split(' ')
      def big(i: Int) = BigInt(words(i), 16)
      def long(i: Int) = big(i).toLong
      def int(i: Int) = big(i).toInt
      def deed(what: Deed) = programs.last.deeds += what
      words(0) match {
        case "program" => programs += new RoceProgram(words(1).toLong)
        case "qp" => deed(MakeQueuePair(int(1), int(2), long(3), int(4), int(5), int(6), int(7) == 1, int(8)))
        case "region" => deed(MakeRegion(long(1), int(2), big(3), big(4), int(5)))
        case "remove" => deed(RemoveRegion(long(1)))
        case "page" => deed(SetPage(int(1), big(2), int(3)))
        case "a" =>
          packets += Comes(
            int(1),
            long(2),
            int(3),
            int(4) == 1,
            int(5),
            int(6),
            int(7),
            big(8),
            long(9),
            long(10),
            big(11),
            big(12),
            int(13),
            long(14),
            int(15) == 1
          )
        case "w" =>
          val (size, from, to) = (int(1), int(2), int(3))
          val head = words(4).grouped(2).map(Integer.parseInt(_, 16)).toSeq
          val comes = packets.last
          val rest = (head.size until size).map(i => if (i < to) comes.byte(i - from) & 0xff else 0)
          packets(packets.size - 1) = comes.copy(transport = (head ++ rest).toIndexedSeq)
        case "go" =>
          deed(Group(packets.toSeq, Nil))
          packets.clear()
        case "d" =>
          val group = programs.last.deeds.last.asInstanceOf[Group]
          val answer = Leaves(int(1), int(2), int(3), int(4), int(5), big(6), int(7), long(8), long(9))
          programs.last.deeds(programs.last.deeds.size - 1) = group.copy(answers = group.answers :+ answer)
        case "state" => programs.last.ends += QueuePairEnd(int(1), int(2), int(3), int(4) == 1)
        case "count" => programs.last.counts(int(1)) = long(2)
        case "memory" => programs.last.memory((int(1), big(2))) = long(3)
        case other => throw new IllegalArgumentException(s"a line begins with '$other'")
      }
    }
    programs.toSeq
  }
}
