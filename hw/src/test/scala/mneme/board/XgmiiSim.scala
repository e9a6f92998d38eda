package mneme.board

import mneme.board.PcsReference.{Lane, Word, control, data}

import java.util.zip.CRC32
import scala.collection.mutable
import scala.util.Random

/** Frames as characters of XGMII, and back: what a MAC is held against. */
object XgmiiSim {
  type Bytes = Seq[Int]

  def fcs(frame: Bytes): Bytes = {
    val crc = new CRC32
    crc.update(frame.map(_.toByte).toArray)
    (0 until 4).map(i => ((crc.getValue >> (8 * i)) & 0xff).toInt)
  }
  def padded(frame: Bytes): Bytes = frame.padTo(60, 0)
  private val preamble: Word = control(0xfb) +: (Seq.fill(6)(data(0x55)) :+ data(0xd5))
  /** All characters of a frame, from /S/ to /T/; `frame` has no check sequence. */
  def characters(frame: Bytes): Word = onLine(frame ++ fcs(frame))
  def onLine(bytes: Bytes): Word = preamble ++ bytes.map(data) :+ control(0xfd)
  def bytes(r: Random, count: Int): Bytes = Seq.fill(count)(r.nextInt(256))

  /** A stream of characters that frames are put into, at lanes 0 and 4. */
  class Line {
    private val characters = mutable.ArrayBuffer[Lane]()
    def idle(count: Int): Unit = characters ++= Seq.fill(count)(control(0x07))
    /** Idles up to where a frame may start. */
    def align(): Unit = idle((4 - characters.size % 4) % 4)
    def put(word: Word): Unit = characters ++= word
    private var owed = 0
    /** Idles behind /T/ up to where the next frame starts: so many on average, as a sender's deficit idle count has it. */
    def gap(average: Int): Unit = {
      val over = (characters.size + average) % 4
      val idles = if (owed + over <= 3) { owed += over; average - over }
      else { owed -= 4 - over; average + 4 - over }
      idle(idles)
    }
    def words: Seq[Word] = { idle((8 - characters.size % 8) % 8); characters.grouped(8).map(_.toSeq).toSeq }
  }

  /** A frame that was sent: what stood between preamble and /T/, where it began and ended, in characters. */
  case class Sent(bytes: Bytes, start: Int, end: Int)

  /** Takes a line apart; anything but frames and idles, or a frame that starts elsewhere than at a column, is an error. */
  def frames(characters: Word): Seq[Sent] = {
    val line = characters.toIndexedSeq
    val found = mutable.ArrayBuffer[Sent]()
    var i = 0
    while (i < line.size) {
      if (line(i) == control(0xfb)) {
        require(i % 4 == 0, s"a frame starts at character $i")
        val end = line.indexWhere(_.control, i + 1)
        if (end < 0) i = line.size
        else {
          require(line.slice(i, i + 8) == preamble, s"no preamble at $i: ${line.slice(i, i + 8)}")
          require(line(end) == control(0xfd), s"a frame ends with ${line(end)}")
          found += Sent(line.slice(i + 8, end).map(_.value), i, end)
          i = end + 1
        }
      } else {
        require(line(i) == control(0x07), s"${line(i)} between frames")
        i += 1
      }
    }
    found.toSeq
  }
}
