package mneme.trailer

import mneme.wire.Wire.Trailer
import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Beats leave sealing in their order, each once and with its bytes; behind a frame's come as many bytes as its kind has, and damage is told at its end. */
object TrailerSealProof {
  private val countBits = 4

  /** Stands for the sum of a frame: any, in its time. */
  class AnyCrc extends CrcWorker {
    io.sums.valid := Delay(io.beats.valid && io.beats.last, FrameCrc.LATENCY, init = False)
    io.sums.payload := anyseq(Bits(32 bits))
  }

  /** `byte`: the one of each beat that is looked at. */
  class Harness(byte: Int, fault: Option[TrailerFault.Value] = None) extends Component {
    private val dut = FormalDut(new TrailerSeal(1, new SipPoolProof.AnyWorker, new AnyCrc, depth = 2, Faults.one(TrailerFault)(fault)))
    Proof.resetFirst()
    private val (in, out) = (dut.io.beats, dut.io.sealedBeats)
    // What is offered stands.
    private val offered = RegNext(in.isStall) init False
    in.valid := offered || anyseq(Bool())
    in.payload := offered ? RegNext(in.payload) | anyseq(UnsealedBeat())
    out.ready := anyseq(Bool())
    private val beat = in.payload.beat

    // --- Frames: only last beats are partial, and never the first one; the kind stays.
    private val first = RegNextWhen(beat.last, in.fire) init True
    assume(beat.lastByte === 63 || (beat.last && !first))
    assume(first || in.kind === RegNextWhen(in.kind, in.fire))

    // --- What came: of all beats, whether their trailer needs another one; of one, any, everything.
    private def counter(moves: Bool) = { val count = Reg(UInt(countBits bits)) init 0; when(moves)(count := count + 1); count }
    private val came = counter(in.fire)
    private val trails = in.kind === Trailer.TAG || in.kind === Trailer.CRC32C
    private val end = beat.lastByte +^ ((in.kind === Trailer.TAG) ? U(8, 4 bits) | (trails ? U(4, 4 bits) | U(0, 4 bits)))
    private val overflowing = Vec.fill(1 << countBits)(Reg(Bool()))
    when(in.fire)(overflowing(came) := beat.last && end.msb)
    private val chosen = anyconst(UInt(countBits bits))
    private val takes = in.fire && came === chosen
    private val (kept, keptEnd) = (RegNextWhen(beat, takes), RegNextWhen(end, takes))

    // --- What leaves.
    private val extra = RegInit(False)
    private val ownEnds = out.fire && (!overflowing(left) || extra)
    private lazy val left: UInt = Reg(UInt(countBits bits)) init 0
    when(out.fire)(extra := overflowing(left) && !extra)
    when(ownEnds)(left := left + 1)
    // Within the run no counter goes round.
    when(out.valid)(assert(left < came))
    when(out.valid && left === chosen) {
      val overflows = kept.last && keptEnd.msb
      assert(out.last === (kept.last && (!overflows || extra)))
      when(!extra && byte <= kept.lastByte)(assert(out.data(8 * byte, 8 bits) === kept.data(8 * byte, 8 bits)))
      when(out.last) {
        assert(out.lastByte === keptEnd(5 downto 0) || !kept.last)
        assert(out.user === kept.user)
      } otherwise {
        assert(out.lastByte === 63)
      }
    }
    private val stalled = RegNext(out.isStall) init False
    assert(!stalled || out.valid)
    cover(extra && out.fire && chosen === 1 && left === 1)
  }
}

class TrailerSealProof extends Proof {
  import TrailerSealProof._
  override protected def engine: SmtBmc = Proof.Sat

  for (byte <- if (short) Seq(37) else Seq(0, 37)) bounded(s"beats, their byte $byte and their ends", 12)(new Harness(byte))
  reaches("a trailer in a beat of its own", 16)(new Harness(0))
  for (fault <- Seq(TrailerFault.BeatLeftOut, TrailerFault.DamageEarly)) refutes(s"beats of a seal with $fault", 14)(new Harness(0, Some(fault)))
}
