package mneme.engine

import mneme.{CBoardConfig, Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Whose token enters, of two doors: one at a time, kept until it is taken, and none waits for more than the other door's credit and a token. */
object DoorArbiterProof {
  /** Tokens of up to so many lines: fewer than the least quantum, so that a refill always leaves credit. */
  private val mostLines = 4
  private val mostWeight = 3

  class Harness(c: CBoardConfig, fault: Option[DoorFault.Value] = None) extends Component {
    private val dut = FormalDut(new DoorArbiter(c, Faults.one(DoorFault)(fault)))
    Proof.resetFirst()
    private val out = dut.io.tickets
    out.ready := anyseq(Bool())
    private val weights = Vec.fill(2)(anyconst(UInt(8 bits)))
    dut.io.weights := weights
    for (weight <- weights) assume(weight >= 1 && weight <= mostWeight)
    for (door <- dut.io.doors) {
      door.valid := anyseq(Bool())
      door.payload := anyseq(Token(c))
      val offered = RegNext(door.isStall) init False
      assume(!offered || (door.valid && door.payload === RegNext(door.payload)))
      assume(door.demand.length < 64 * mostLines)
    }

    // --- One at a time, with its own fields.
    private val chosen = Place.door(c, out.place)
    for ((door, i) <- dut.io.doors.zipWithIndex) {
      assert(door.ready === (out.valid && out.ready && chosen(i)))
      when(out.valid && chosen(i)) {
        assert(door.valid && out.demand === door.demand && Place.context(c, out.place) === door.context)
      }
    }

    // --- What is offered stays offered.
    private val stalled = RegNext(out.isStall) init False
    assert(!stalled || (out.valid && out.payload === RegNext(out.payload)))

    // --- What the machine keeps.
    private val choose = dut.choose
    private val (held, last, credits) = (choose.held.pull(), choose.last.pull(), choose.credits.map(_.pull()))
    private val quanta = weights.map(weight => (weight @@ U(0, 3 bits)).resize(14).asSInt)
    assert(held === 0 || (held === 1 || held === 2) && stalled)
    assert(last === 1 || last === 2)
    for ((credit, quantum) <- credits.zip(quanta)) assert(credit <= quantum && credit > -mostLines)
    for ((door, i) <- dut.io.doors.zipWithIndex) {
      assert(!held(i) || (door.valid && credits(i) > 0))
      // A token costs its lines.
      val lines = (door.demand.length(13 downto 6) +^ U(1)).resize(14).asSInt
      when(RegNext(door.fire) init False)(assert(credits(i) === RegNext(credits(i) - lines)))
    }

    // --- How long one waits: tokens of the other that enter meanwhile, all of them and those since it has credit.
    for ((me, other) <- Seq((0, 1), (1, 0))) {
      val door = dut.io.doors(me)
      val waited, since = Reg(UInt(6 bits)) init 0
      val left = (credits(other) > 0) ? credits(other) | S(0)
      when(door.isStall && out.fire) {
        waited := waited + 1
        when(credits(me) > 0)(since := since + 1)
      }
      when(door.fire || !door.valid) {
        waited := 0
        since := 0
      }
      val bound = quanta(other).asUInt.resize(6)
      when(credits(me) > 0) {
        assert(since <= 1 && (since === 0 || (last(other) && !held(other))))
        assert(waited <= bound + since)
      } otherwise {
        assert(since === 0 && waited +^ left.asUInt.resize(6) <= bound.resized)
      }
      assert(waited <= bound + 1)
      // One waits for all of the other's credit.
      cover(waited === bound)
    }
  }
}

class DoorArbiterProof extends Proof {
  import DoorArbiterProof._

  private val config = CBoardConfig.tiny.copy(name = "two", doors = 2)

  proves("one token at a time, kept until it is taken, none waits for long", 2)(new Harness(config))
  reaches("a door waits as long as it may", 24)(new Harness(config))
  for (fault <- DoorFault.values) {
    refutes(s"an arbiter with the fault $fault", 14)(new Harness(config, Some(fault)))
  }
}
