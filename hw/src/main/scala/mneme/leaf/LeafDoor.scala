package mneme.leaf

import spinal.core._
import spinal.lib._

/** A leaf table is a segment's, from the page on with which the table of that `index` begins. */
case class LeafTable(l: LeafConfig) extends Bundle {
  val valid = Bool()
  val segment = UInt(l.segmentBits bits)
  val index = UInt(l.tableBits bits)
}

/** What the slow path tells of a leaf table. */
case class LeafTableWrite(l: LeafConfig) extends Bundle {
  val table = UInt(l.tableBits bits)
  val row = LeafTable(l)
}

/** Between the RoCEv2 port, the master, which gives up lists of pages, and the leaf unit. */
case class FreeDoor(l: LeafConfig) extends Bundle with IMasterSlave {
  val request = Stream(LeafRequest(l))
  val answer = Stream(LeafAnswer(l))

  /** From before the first request of a list to behind the last answer: no command of the slow path is done in between. It may begin when `mayBegin`. */
  val holds, mayBegin = Bool()

  override def asMaster(): Unit = {
    master(request)
    slave(answer)
    out(holds)
    in(mayBegin)
  }
}

/** Between those whose accesses need frames, the master, and the leaf unit with the slow path's registers. */
case class LeafDoor(l: LeafConfig) extends Bundle with IMasterSlave {
  val request = Stream(LeafRequest(l))
  val answer = Stream(LeafAnswer(l))
  val ends = Flow(Bool())

  /** From the first request of an access to the last answer: nobody else asks in between. It may begin when `mayBegin`. */
  val holds, mayBegin = Bool()

  val tables = Flow(LeafTableWrite(l))
  val zeros = UInt(l.frameBits bits)

  override def asMaster(): Unit = {
    master(request, ends)
    slave(answer, tables)
    out(holds)
    in(mayBegin, zeros)
  }
}
