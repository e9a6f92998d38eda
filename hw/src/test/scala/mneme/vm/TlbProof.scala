package mneme.vm

import mneme.{CBoardConfig, Faults, Proof}
import mneme.wire.Wire
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What the TLB answers for a page is what it was last filled with, and nothing after it was told to forget the page, or everything: no shoot-down leaves a
  * trace.
  *
  * One page, any, is followed through any lookups, uses, fills and evictions, one at a time, as translation does them: what is found is acted upon in the
  * next cycle, and the cycle after that belongs to nobody, since a read does not see a write of its own cycle.
  */
object TlbProof {

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(Tlb(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io

    private object Step extends SpinalEnum { val ask, act, rest = newElement() }
    private val step = RegInit(Step.ask)
    private val watched = anyconst(PageKey(c))

    // --- Ask for any page.
    io.key := anyseq(PageKey(c))
    io.set := TlbSet(c, io.key)
    io.load := step === Step.ask && io.ready && anyseq(Bool())
    private val asked = RegNextWhen(io.key, io.load)
    private val isWatched = asked === watched

    // --- Act upon what was found: use it, forget it, fill what was not there, or nothing.
    io.flush := anyseq(Bool())
    private val flushed = RegNext(io.flush) init False
    io.ways := anyseq(Bits(c.tlbWays bits))
    assume(io.ways.orR)
    private val acts = step === Step.act
    io.writes := anyseq(Bool())
    io.touch := acts && io.serves && anyseq(Bool())
    io.forget := acts && !io.touch && anyseq(Bool())
    io.filling := acts && !io.touch && !io.forget && !io.matches && anyseq(Bool())
    io.fill.valid := io.filling && anyseq(Bool())
    private val entry = anyseq(Bits(64 bits))
    io.fill.entry := entry
    io.fill.bucket := asked.bucket
    io.fill.set := TlbSet(c, asked)
    assume(!io.fill.valid || (Pte(c, entry).allocated && Pte(c, entry).tag === asked.tag))
    switch(step) {
      is(Step.ask)(when(io.load)(step := Step.act))
      is(Step.act)(step := Step.rest)
      is(Step.rest)(step := Step.ask)
    }

    // --- What the page's last fill was, if nothing has made it void since.
    private val known = RegInit(False)
    private val filled = Reg(Bits(64 bits))
    when(isWatched) {
      when(io.fill.valid && io.ready) {
        known := True
        filled := entry
      }
      when(io.forget)(known := False)
    }
    when(flushed)(known := False)
    when(acts && isWatched) {
      assert(CountOne(dut.show.matching.pull()) <= 1)
      when(io.matches)(assert(known))
      when(io.serves) {
        assert(io.entry === filled && (!io.writes || filled(Wire.Pte.DIRTY)))
        assert(io.damaged === filled.xorR)
      }
    }

    // --- What the TLB keeps, which induction needs: one way at most holds the page, as it was filled; stage 2 shows what the ways hold.
    private val peek = dut rework new Area {
      val key = in(PageKey(c)).setName("watched")
      val set = in(UInt(c.tlbSetsLog2 bits)).setName("watchedSet")
      private val ways = dut.lines.map(_.readAsync(set))
      private def isKey(line: Bits) =
        Pte(c, line(63 downto 0)).allocated && Pte(c, line(63 downto 0)).tag === key.tag && line.drop(64) === dut.guard(key.bucket)
      val holds = out(B(ways.map(isKey))).setName("watchedWays")
      val line = out(MuxOH.or(holds, ways)).setName("watchedLine")
      val swept = out(dut.sweep.msb || set < dut.sweep).setName("watchedSwept")
    }
    peek.key := watched
    peek.set := TlbSet(c, watched)
    when(peek.swept) {
      assert(CountOne(peek.holds) <= 1)
      when(peek.holds.orR)(assert(known && peek.line(63 downto 0) === filled))
    }
    when(acts) {
      assert(asked.asBits === RegNext(io.key).asBits)
      when(!io.ready)(assert(flushed || dut.show.matching.pull() === 0))
      when(isWatched && io.ready)(assert(dut.show.matching.pull() === peek.holds && dut.show.set.pull() === peek.set))
    }
  }
}

class TlbProof extends Proof {
  import TlbProof._

  private val c = CBoardConfig.tiny.copy(tlbEntries = 4, tlbWays = 2)
  proves("the TLB serves what it was filled with, and nothing that it was told to forget", 4)(new Harness(c))
  refutes("a TLB whose damage goes unseen", 12)(new Harness(c, Some(PlantedFault.TlbParityIgnored)))
}
