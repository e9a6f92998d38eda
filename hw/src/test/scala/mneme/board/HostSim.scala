package mneme.board

import mneme.net.Frames
import mneme.trailer.TrailerReference
import mneme.wire.Wire
import mneme.wire.Wire.HostKind

/** A host that reaches a board's registers, as `docs/reference/ecpix5.md` §3 says it, byte by byte. */
class HostSim(val board: BigInt, val host: BigInt, key: Seq[Int]) {
  import TrailerReference.littleEndian
  var nonce = BigInt(0)
  var sequence = BigInt(0)

  /** Of a frame's first 48 bytes but the tag itself. */
  def tag(frame: Seq[Int]): Seq[Int] = TrailerReference.sipHash(key, frame.take(16) ++ frame.slice(24, 48) ++ Seq.fill(4)(0))
  def sealedUp(frame: Seq[Int]): Seq[Int] = frame.patch(Wire.HOST_TAG, tag(frame), 8)
  def frame(kind: Int, address: BigInt, data: BigInt, nonce: BigInt = nonce, sequence: BigInt = sequence): Seq[Int] = sealedUp(
    Frames.number(board, 6).toSeq ++ Frames.number(host, 6) ++ Frames.number(Wire.HOST_ETHERTYPE, 2) ++ Seq(kind, 0) ++ Seq.fill(8)(0) ++
      littleEndian(nonce, 8) ++ littleEndian(sequence, 8) ++ littleEndian(address, 4) ++ littleEndian(data, 4) ++ Seq.fill(16)(0)
  )
  def hello(challenge: BigInt): Seq[Int] = frame(HostKind.HELLO, 0, 0, nonce = 0, sequence = challenge)
  def access(kind: Int, address: BigInt, data: BigInt = 0): Seq[Int] = {
    sequence += 1
    frame(kind, address, data)
  }

  private def field(frame: Seq[Int], at: Int, count: Int): BigInt = TrailerReference.number(frame.slice(at, at + count))
  /** An answer's word; its tag and all that it repeats are right. */
  def word(answer: Seq[Int], asked: Seq[Int]): BigInt = {
    assert(answer.size == Wire.HOST_FRAME_BYTES && tag(answer) == answer.slice(Wire.HOST_TAG, Wire.HOST_TAG + 8), "an answer's tag")
    assert(answer.take(6) == asked.slice(6, 12) && answer.slice(6, 12) == asked.take(6))
    assert(answer(Wire.HOST_KIND) == (asked(Wire.HOST_KIND) | Wire.HOST_ANSWER))
    for ((at, count) <- Seq((Wire.HOST_SEQUENCE, 8), (Wire.HOST_ADDRESS, 4))) assert(answer.slice(at, at + count) == asked.slice(at, at + count))
    field(answer, Wire.HOST_DATA, 4)
  }
  def greeted(answer: Seq[Int], asked: Seq[Int]): Unit = {
    word(answer, asked)
    nonce = field(answer, Wire.HOST_NONCE, 8)
    sequence = 0
  }
}
