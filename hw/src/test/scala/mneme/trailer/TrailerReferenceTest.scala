package mneme.trailer

import mneme.trailer.TrailerReference._
import org.scalatest.funsuite.AnyFunSuite

/** The reference against published vectors. */
class TrailerReferenceTest extends AnyFunSuite {
  private def hex(bytes: Bytes): String = bytes.map(b => f"$b%02x").mkString
  private val key = 0 to 15

  test("CRC-32C of 123456789 and of RFC 3720 B.4") {
    assert(crc32c("123456789".map(_.toInt)) == BigInt("e3069283", 16))
    assert(crc32c(Seq.fill(32)(0)) == BigInt("8a9136aa", 16))
    assert(crc32c(Seq.fill(32)(0xff)) == BigInt("62a8ab43", 16))
    assert(crc32c(0 to 31) == BigInt("46dd794e", 16))
    assert(crc32c(Nil) == 0)
  }

  test("SipHash-2-4: vectors of the authors' reference, 64 bits") {
    val vectors = Map(0 -> "310e0edd47db6f72", 1 -> "fd67dc93c539f874", 15 -> "e545be4961ca29a1")
    for ((length, tag) <- vectors) assert(hex(sipHash(key, 0 until length)) == tag, s"$length bytes")
  }

  test("SipHash-2-4: vectors of the authors' reference, 128 bits") {
    assert(hex(sipHash(key, Nil, wide = true)) == "a3817f04ba25a8e66df67214c7550293")
    assert(hex(sipHash(key, Seq(0), wide = true)) == "da87c1d86b99af44347659119b22fc45")
  }

  test("the contract's vectors (docs/reference/trailers.md §4)") {
    val addresses = Seq(10, 0, 0, 2, 10, 0, 0, 1) ++ bigEndian(40000, 2) ++ bigEndian(19790, 2)
    def frame(kind: Int, timed: Int, opcode: Int, payload: Bytes, length: Int): Bytes = {
      val header = Seq((1 << 4) | (kind << 2) | 2 | timed, opcode, 7) ++ bigEndian(0x123, 3) ++ bigEndian(BigInt("89abcdef", 16), 4) ++ Seq(2) ++
        bigEndian(0x123456, 3) ++ bigEndian(BigInt("7fff0000beef", 16), 6) ++ bigEndian(length, 2)
      Seq.fill(26)(0) ++ addresses ++ Seq.fill(4)(0) ++ header ++ payload
    }
    val processKey = TrailerReference.processKey(key, 0x123)
    assert(hex(processKey) == "3bbb54a97fea8a1035a630d48189ceba")
    val hello = "hello".map(_.toInt)
    val vectors =
      Seq((2, 0, hello, 5, "979ecf81", "be0ba8ce94b70c10"), (2, 1, hello, 5, "370cf1df", "ae94e851be3d5ee7"), (1, 0, Nil, 64, "84ed3ad1", "a0736cf6f9b48ba7"))
    for ((opcode, timed, payload, length, crc, tag) <- vectors) {
      assert(hex(crcTrailer(frame(3, timed, opcode, payload, length))) == crc)
      assert(hex(tagTrailer(frame(2, timed, opcode, payload, length), processKey, BigInt("01020304ab", 16))) == tag)
    }
  }
}
