package mneme.net

import mneme.CBoardConfig
import mneme.wire.Wire.{Cause, Counter, MatAction, Opcode, Status}

/** What becomes of a frame. */
sealed trait Outcome
/** No answer, this counter. */
case class Dropped(counter: Int) extends Outcome
/** A request that dispatch answers itself; `va` as in the answer. */
case class Answered(status: Int, va: BigInt) extends Outcome
/** A request for the filter and those behind it. */
case object Fast extends Outcome
/** The whole frame for the slow path; `mneme`: when its queue is full it is answered, else dropped. */
case class Slow(mneme: Boolean) extends Outcome

/** A match-action row: EtherType, protocol, opcode, port. */
case class RuleRow(value: (Int, Int, Int, Int), mask: (Int, Int, Int, Int), action: Int) {
  def matches(key: (Int, Int, Int, Int)): Boolean = {
    def one(k: Int, v: Int, m: Int) = ((k ^ v) & m) == 0
    one(key._1, value._1, mask._1) && one(key._2, value._2, mask._2) && one(key._3, value._3, mask._3) && one(key._4, value._4, mask._4)
  }
}

/** Checks 1 to 17 of contracts §1, read line by line from there. Requests of the service classes `closed` are BUSY. */
class ContractReference(c: CBoardConfig, mac: BigInt, ip: BigInt, port: Int, epoch: Int, rows: Seq[RuleRow], closed: Set[Int], hint: BigInt) {
  import Frames._

  def judge(frame: Bytes, damaged: Boolean): Outcome = {
    if (damaged) return Dropped(Counter.DROP_FCS)
    if (frame.length < 14) return Dropped(Counter.DROP_RUNT)
    if (frame.length > 14 + c.mtu) return Dropped(Counter.DROP_GIANT)
    val destination = read(frame, 0, 6)
    if (destination != mac && destination != BigInt("ffffffffffff", 16)) return Dropped(Counter.DROP_FOREIGN_MAC)
    read(frame, 12, 2).toInt match {
      case 0x0806 => table((0x0806, 0, 0, 0), None)
      case 0x0800 => ipv4(frame)
      case _ => Dropped(Counter.DROP_FOREIGN_ETHERTYPE)
    }
  }

  private def ipv4(frame: Bytes): Outcome = {
    if (frame.length < 34 || frame(14) >> 4 != 4) return Dropped(Counter.DROP_IP_HEADER)
    if ((frame(14) & 15) != 5) return Dropped(Counter.DROP_IP_OPTIONS)
    if (onesSum(frame.slice(14, 34).toSeq) != 0xffff) return Dropped(Counter.DROP_IP_CHECKSUM)
    if ((read(frame, 20, 2).toInt & 0x3fff) != 0) return Dropped(Counter.DROP_IP_FRAGMENT)
    val total = read(frame, 16, 2).toInt
    if (total < 20 || 14 + total > frame.length) return Dropped(Counter.DROP_IP_LENGTH)
    if (read(frame, 30, 4) != ip) return Dropped(Counter.DROP_FOREIGN_IP)
    frame(23) match {
      case 1 => table((0x0800, 1, 0, 0), None)
      case 17 => udp(frame, total)
      case _ => Dropped(Counter.DROP_FOREIGN_PROTOCOL)
    }
  }

  private def udp(frame: Bytes, total: Int): Outcome = {
    // A field past the frame's end counts as unequal to anything.
    val length = read(frame, 38, 2).toInt
    if (total < 28 || length < 8 || length != total - 20) return Dropped(Counter.DROP_UDP_LENGTH)
    if (read(frame, 36, 2).toInt != port) return Dropped(Counter.DROP_FOREIGN_PORT)
    if (length - 8 < 22) return Dropped(Counter.DROP_MNEME_SHORT)
    if (frame.length != 14 + total) return Dropped(Counter.DROP_IP_LENGTH)
    val datagram = frame.slice(34, 34 + length).toSeq
    val pseudo = frame.slice(26, 34).toSeq ++ Seq(0, 17, length >> 8, length & 255)
    if (read(frame, 40, 2) != 0 && onesSum(pseudo ++ datagram) != 0xffff) return Dropped(Counter.DROP_UDP_CHECKSUM)
    mneme(frame, length - 30)
  }

  private def mneme(frame: Bytes, payload: Int): Outcome = {
    val (flags, opcode) = (frame(42), frame(43))
    if ((opcode & 0x80) != 0) return Dropped(Counter.DROP_RESPONSE)
    if (flags >> 4 != 1) return answer(Status.UNSUPPORTED, Cause.VERSION)
    val mayBeTimed = Set(Opcode.READ, Opcode.WRITE, Opcode.COMPARE_SWAP, Opcode.FETCH_ADD, Opcode.SWAP, Opcode.FENCE)(opcode)
    if ((flags & 12) != 0 || ((flags & 1) != 0 && !mayBeTimed)) return answer(Status.UNSUPPORTED, Cause.TRAILER)
    table((0x0800, 17, opcode, port), Some((frame, payload)))
  }

  private def table(key: (Int, Int, Int, Int), packet: Option[(Bytes, Int)]): Outcome = rows.find(_.matches(key)) match {
    case None => Dropped(Counter.DROP_MAT_MISS)
    case Some(row) if row.action == MatAction.SLOW =>
      packet match {
        case Some((frame, _)) if !(frame(43) == Opcode.PING && frame(44) == 0) && frame(44) != epoch => stale
        case other => Slow(other.isDefined)
      }
    case Some(row) if row.action == MatAction.FAST && packet.isDefined => fast(packet.get._1, packet.get._2)
    case _ => Dropped(Counter.DROP_MAT_DROP)
  }

  private def fast(frame: Bytes, payload: Int): Outcome = {
    val opcode = frame(43)
    val (va, length) = (read(frame, 56, 6), read(frame, 62, 2).toInt)
    val page = BigInt(1) << c.pageBits
    val atomic = Set(Opcode.COMPARE_SWAP, Opcode.FETCH_ADD, Opcode.SWAP)(opcode)
    if (!atomic && !Set(Opcode.READ, Opcode.WRITE, Opcode.FENCE)(opcode)) return answer(Status.UNSUPPORTED, Cause.OPCODE)
    if (frame(44) != epoch) return stale
    if (read(frame, 45, 3) == 0) return answer(Status.BADREQUEST, Cause.PID)
    val lengths = opcode match {
      case Opcode.READ => payload == 0 && length >= 1 && length <= c.maxPayload
      case Opcode.WRITE => payload == length && length >= 1 && length <= c.maxPayload
      case Opcode.COMPARE_SWAP => payload == 16 && length == 8
      case Opcode.FETCH_ADD | Opcode.SWAP => payload == 8 && length == 8
      case _ => payload == 0 && length == 0
    }
    if (!lengths) return answer(Status.BADREQUEST, Cause.LENGTH)
    if (atomic && va % 8 != 0) return answer(Status.BADREQUEST, Cause.ALIGNMENT)
    if (va % page + length > page) return answer(Status.BADREQUEST, Cause.CROSSING)
    if (closed(frame(45) >> 4)) return answer(Status.BUSY, Cause.CLASS, hint)
    Fast
  }

  private def answer(status: Int, cause: Int, hint: BigInt = 0): Answered = Answered(status, (BigInt(cause) << 40) | hint)
  private def stale: Answered = answer(Status.STALE, Cause.EPOCH, epoch)
  /** The answer to a Mneme packet that found the slow queue full. */
  def crowded: Answered = answer(Status.BUSY, Cause.QUEUE, hint)
}
