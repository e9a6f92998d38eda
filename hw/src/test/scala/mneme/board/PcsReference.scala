package mneme.board

import scala.collection.mutable

/** The 10GBASE-R PCS as clause 49 has it, bit by bit and table by table: what the hardware is held against. */
object PcsReference {
  /** A character of XGMII. */
  case class Lane(control: Boolean, value: Int)
  type Word = Seq[Lane]
  def data(value: Int): Lane = Lane(control = false, value)
  def control(value: Int): Lane = Lane(control = true, value)
  def idle: Word = Seq.fill(8)(control(0x07))
  def errors: Word = Seq.fill(8)(control(0xfe))
  private def faultColumn(kind: Int): Word = Seq(control(0x9c), data(0), data(0), data(kind))
  def fault(kind: Int): Word = faultColumn(kind) ++ faultColumn(kind)

  /** Figure 49-7, block by block: type, what the eight characters are, and the fields behind the type, in the order on the line. A field of n bits without
    * meaning is -n.
    */
  private val formats = Seq(
    (0x1e, "CCCCCCCC", "C0 C1 C2 C3 C4 C5 C6 C7"),
    (0x2d, "CCCCODDD", "C0 C1 C2 C3 O4 D5 D6 D7"),
    (0x33, "CCCCSDDD", "C0 C1 C2 C3 -4 D5 D6 D7"),
    (0x66, "ODDDSDDD", "D1 D2 D3 O0 -4 D5 D6 D7"),
    (0x55, "ODDDODDD", "D1 D2 D3 O0 O4 D5 D6 D7"),
    (0x78, "SDDDDDDD", "D1 D2 D3 D4 D5 D6 D7"),
    (0x4b, "ODDDCCCC", "D1 D2 D3 O0 C4 C5 C6 C7"),
    (0x87, "TCCCCCCC", "-7 C1 C2 C3 C4 C5 C6 C7"),
    (0x99, "DTCCCCCC", "D0 -6 C2 C3 C4 C5 C6 C7"),
    (0xaa, "DDTCCCCC", "D0 D1 -5 C3 C4 C5 C6 C7"),
    (0xb4, "DDDTCCCC", "D0 D1 D2 -4 C4 C5 C6 C7"),
    (0xcc, "DDDDTCCC", "D0 D1 D2 D3 -3 C5 C6 C7"),
    (0xd2, "DDDDDTCC", "D0 D1 D2 D3 D4 -2 C6 C7"),
    (0xe1, "DDDDDDTC", "D0 D1 D2 D3 D4 D5 -1 C7"),
    (0xff, "DDDDDDDT", "D0 D1 D2 D3 D4 D5 D6")
  )
  val types: Seq[Int] = formats.map(_._1)

  /** Table 49-1. */
  val codes: Map[Int, Int] =
    Map(0x07 -> 0x00, 0x1c -> 0x2d, 0x3c -> 0x33, 0x7c -> 0x4b, 0xbc -> 0x55, 0xdc -> 0x66, 0xf7 -> 0x78, 0xfe -> 0x1e)
  private val orders = Map(0x9c -> 0x0, 0x5c -> 0xf)

  private def letter(lane: Lane): Char = lane match {
    case Lane(false, _) => 'D'
    case Lane(true, 0xfb) => 'S'
    case Lane(true, 0xfd) => 'T'
    case Lane(true, v) if orders.contains(v) => 'O'
    case Lane(true, v) if codes.contains(v) => 'C'
    case _ => '?'
  }

  /** Bits in the order on the line. */
  private def bits(value: Int, count: Int): Seq[Boolean] = (0 until count).map(i => ((value >> i) & 1) == 1)
  private def number(bits: Seq[Boolean]): Int = bits.zipWithIndex.collect { case (true, i) => 1 << i }.sum

  /** A kind of 49.2.13.2.3, and the bits of the block where it is none of E. */
  def encode(word: Word): (Char, Seq[Boolean]) = {
    val letters = word.map(letter).mkString
    if (letters == "DDDDDDDD") ('D', Seq(false, true) ++ word.flatMap(lane => bits(lane.value, 8)))
    else formats.find(_._2 == letters) match {
      case Some((kind, _, fields)) if !(kind == 0x1e && word.exists(_.value == 0xfe)) =>
        val rest = fields.split(' ').toSeq.flatMap { field =>
          val place = field.drop(1).toInt
          field.head match {
            case 'D' => bits(word(place).value, 8)
            case 'C' => bits(codes(word(place).value), 7)
            case 'O' => bits(orders(word(place).value), 4)
            case _ => bits(0, place)
          }
        }
        (kindOf(letters), Seq(true, false) ++ bits(kind, 8) ++ rest)
      case _ => ('E', Nil)
    }
  }

  private def kindOf(letters: String): Char = if (letters.contains('S')) 'S' else if (letters.contains('T')) 'T' else 'C'

  /** What a block of 66 bits says, None for an E. */
  def decode(block: Seq[Boolean]): (Char, Option[Word]) = {
    val payload = block.drop(2)
    if (block.take(2) == Seq(false, true)) ('D', Some(payload.grouped(8).map(b => data(number(b))).toSeq))
    else if (block.take(2) != Seq(true, false)) ('E', None)
    else formats.find(_._1 == number(payload.take(8))) match {
      case None => ('E', None)
      case Some((kind, letters, fields)) =>
        val word = mutable.ArrayBuffer.from(letters.map { case 'S' => control(0xfb); case 'T' => control(0xfd); case _ => control(-1) })
        var rest = payload.drop(8)
        var valid = true
        for (field <- fields.split(' ')) {
          val place = field.drop(1).toInt
          val length = field.head match { case 'D' => 8; case 'C' => 7; case 'O' => 4; case _ => place }
          val value = number(rest.take(length))
          rest = rest.drop(length)
          val known = field.head match {
            case 'C' => codes.find(_._2 == value).map(c => control(c._1))
            case 'O' => orders.find(_._2 == value).map(c => control(c._1))
            case _ => Some(data(value))
          }
          if (field.head != '-') word(place) = known.getOrElse(control(-1))
          valid &&= known.isDefined
        }
        if (!valid || (kind == 0x1e && word.contains(control(0xfe)))) ('E', None) else (kindOf(letters), Some(word.toSeq))
    }
  }

  /** The state diagrams of 49.2.13.3: from a state by the kind to the next one. T is a frame's end that the next block confirms, t one that it does not. */
  private val between = Map('C' -> "C", 'S' -> "D").withDefaultValue("E")
  private val diagram = Map(
    "INIT" -> between,
    "C" -> between,
    "T" -> between,
    "D" -> Map('D' -> "D", 'T' -> "T").withDefaultValue("E"),
    "E" -> Map('D' -> "D", 'T' -> "T", 'C' -> "C").withDefaultValue("E")
  )

  /** A transmitter from XGMII to bits on the line, before scrambling. */
  class Encoder {
    private var state = "INIT"
    private val errorBlock = Seq(true, false) ++ bits(0x1e, 8) ++ Seq.fill(8)(bits(0x1e, 7)).flatten
    def apply(word: Word): Seq[Boolean] = {
      val (kind, block) = encode(word)
      state = diagram(state)(kind)
      if (state == "E") errorBlock else block
    }
  }

  /** A receiver from bits, after descrambling, to XGMII. It needs the block after. */
  class Decoder {
    private var state = "INIT"
    def apply(block: Seq[Boolean], next: Seq[Boolean]): Word = {
      val (kind, word) = decode(block)
      val confirmed = Set('S', 'C').contains(decode(next)._1)
      state = diagram(state)(if (kind == 'T' && !confirmed) 't' else kind)
      if (state == "E") errors else word.get
    }
  }

  /** The shift register of figures 49-8 and 49-10, a bit at a time. */
  class Shift {
    private val register = mutable.Queue.fill(58)(true)
    private def taps: Boolean = register(58 - 39) ^ register(0)
    private def shift(bit: Boolean): Unit = { register.dequeue(); register.enqueue(bit) }
    def scramble(block: Seq[Boolean]): Seq[Boolean] = block.take(2) ++ block.drop(2).map { bit =>
      val sent = bit ^ taps
      shift(sent)
      sent
    }
    def descramble(block: Seq[Boolean]): Seq[Boolean] = block.take(2) ++ block.drop(2).map { bit =>
      val said = bit ^ taps
      shift(bit)
      said
    }
  }
}
