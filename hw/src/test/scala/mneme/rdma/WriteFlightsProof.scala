package mneme.rdma

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** WRITEs are begun, their tokens enter, are asked for, refused and completed at any time, contexts are used again at once: a flight has passed only when all its
  * tokens were asked for, and is over exactly when all have completed, with the first failure.
  */
object WriteFlightsProof {
  private val (flights, contexts, tokens) = (2, 2, 2)

  class Harness(fault: Option[FlightFault.Value] = None) extends Component {
    private val dut = FormalDut(WriteFlights(flights, contexts, tokens, Faults.one(FlightFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io
    private val (next, oldest, held) = (dut.next.pull(), dut.oldest.pull(), dut.held.pull())
    private val newest = next - 1

    // --- What the port and the engine may do.
    /** The newest flight's tokens are offered. */
    private val walking = RegInit(False)
    private val busy, asked = Reg(Bits(contexts bits)) init 0
    private val owner = Vec.fill(contexts)(Reg(UInt(log2Up(flights) bits)) init 0)
    private case class Seen() extends Bundle {
      val walked, refused = Bool()
      val entered = UInt(2 bits)
      val end = AccessEnd()
    }
    private val seen = Vec.fill(flights)(Reg(Seen()))

    io.begins := anyseq(Bool())
    assume(!io.begins || (io.room && !walking))
    io.entered.valid := anyseq(Bool())
    io.entered.payload := anyseq(UInt(log2Up(contexts) bits))
    assume(!io.entered.valid || (walking && !busy(io.entered.payload) && seen(newest).entered < tokens))
    io.walked := anyseq(Bool())
    assume(!io.walked || (walking && !io.entered.valid && seen(newest).entered =/= 0))
    io.fetched.valid := anyseq(Bool())
    io.fetched.payload := anyseq(UInt(log2Up(contexts) bits))
    assume(!io.fetched.valid || busy(io.fetched.payload))
    io.completed.valid := anyseq(Bool())
    io.completed.context := anyseq(UInt(log2Up(contexts) bits))
    io.completed.how := anyseq(AccessEnd())
    private val ends = io.completed
    private val done = ends.how === AccessEnd.done
    assume(!ends.valid || (busy(ends.context) && (asked(ends.context) || !done)))
    assume(!(ends.valid && io.fetched.valid && ends.context === io.fetched.payload))
    io.retire := anyseq(Bool())
    assume(!io.retire || io.over.valid)

    // --- What there is.
    when(io.begins)(walking := True)
    when(io.walked)(walking := False)
    private def bit(on: Bool, at: UInt): Bits = UIntToOh(at, contexts).andMask(on)
    busy := (busy | bit(io.entered.valid, io.entered.payload)) & ~bit(ends.valid, ends.context)
    asked := (asked | bit(io.fetched.valid, io.fetched.payload)) & ~bit(io.entered.valid, io.entered.payload)
    when(io.entered.valid)(owner(io.entered.payload) := newest)
    for ((flight, i) <- seen.zipWithIndex) {
      when(io.entered.valid && newest === i)(flight.entered := flight.entered + 1)
      when(io.walked && newest === i)(flight.walked := True)
      when(ends.valid && owner(ends.context) === i && !done) {
        when(!asked(ends.context))(flight.refused := True)
        when(flight.end === AccessEnd.done)(flight.end := ends.how)
      }
      when(io.begins && next === i) {
        flight.walked := False
        flight.refused := False
        flight.entered := 0
        flight.end := AccessEnd.done
      }
    }

    // --- What is told. The machine looks at what the engine says a cycle later.
    private val (fetch, completion) = (dut.fetch.pull(), dut.completion.pull())
    private val told = dut.asked.pull()
    private val records = dut.records.map(_.pull())
    private val (asks, refused) = (dut.asks.pull(), dut.refused.pull())
    for ((flight, i) <- seen.zipWithIndex) {
      def count(which: Int => Bool): UInt = CountOne((0 until contexts).map(c => busy(c) && owner(c) === i && which(c))).resize(3)
      val inside = count(_ => True)
      val unasked = count(!asked(_))
      val ending = completion.valid && owner(completion.context) === i
      val record = records(i)
      when(held(i)) {
        assert(record.inside.resize(3) === inside + ending.asUInt)
        val asking = asks && owner(fetch.payload) === i
        assert(record.unasked.resize(3) === unasked + asking.asUInt + (refused && ending).asUInt)
        assert(record.inside.resize(3) <= flight.entered.resize(3) && flight.entered <= tokens)
        assert(record.walked === flight.walked && flight.walked === !(walking && newest === i))
        when(!ending)(assert(record.end === flight.end))
        when(ending && record.end =/= AccessEnd.done)(assert(record.end === flight.end))
        when(ending && record.end === AccessEnd.done)(assert(flight.end === completion.how))
        assert(!flight.refused || flight.end =/= AccessEnd.done)
        when(flight.refused && record.end === AccessEnd.done)(assert(ending && refused))
      }.otherwise(assert(inside === 0 && !ending && !(asks && owner(fetch.payload) === i)))
      assert(!io.passed(i) || (held(i) && flight.walked && unasked === 0 && !flight.refused))
      when(io.over.valid && oldest === i)(assert(flight.walked && inside === 0 && io.over.payload === flight.end))
      when(held(i) && oldest === i && flight.walked && inside === 0 && !ending)(assert(io.over.valid))
    }
    private val owners = for (c <- 0 until contexts) yield dut.rework(CombInit(dut.owners.readAsync(U(c, log2Up(contexts) bits)))).pull()
    for (c <- 0 until contexts) when(busy(c)) {
      assert(held(owner(c)) && owners(c) === owner(c))
      assert(asked(c) === (told(c) || (fetch.valid && fetch.payload === c)))
    }
    when(fetch.valid)(assert(busy(fetch.payload)))
    when(completion.valid) {
      val context = completion.context
      assert(!busy(context) && told(context) === asked(context) && Vec(owners)(context) === owner(context))
      assert(asked(context) || completion.how =/= AccessEnd.done)
    }
    // The flights are a ring.
    when(next === oldest)(assert(held === 0 || held.andR)).otherwise(assert(held === UIntToOh(oldest, flights)))
    when(walking)(assert(held(newest)))
    cover(held.andR && io.passed(0) && io.over.valid)
    cover(io.over.valid && io.over.payload === AccessEnd.failed && io.passed =/= 0)
  }
}

class WriteFlightsProof extends Proof {
  import WriteFlightsProof._

  proves("a flight has passed when all its tokens were asked for, and is over when all have completed", 3)(new Harness)
  reaches("two flights are over, and one fails late", 16)(new Harness)
  for (fault <- FlightFault.values.toSeq) refutes(s"flights with the fault $fault", 12)(new Harness(Some(fault)))
}
