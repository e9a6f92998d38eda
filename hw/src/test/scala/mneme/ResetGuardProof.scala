package mneme

import spinal.core._
import spinal.core.formal._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Whatever resets of the core come, and however memory takes its time: the port keeps AXI's rules, bursts get their data, and no life sees another one's
  * answers.
  */
object ResetGuardProof {
  private val axi = Axi4Config(
    addressWidth = 4,
    dataWidth = 8,
    idWidth = 2,
    useRegion = false,
    useLock = false,
    useCache = false,
    useQos = false,
    useProt = false
  )
  private val places = 2

  class Harness(fault: Option[ResetFault.Value] = None) extends Component {
    private val dut = FormalDut(ResetGuard(axi, masterBits = 1, bursts = places, Faults.one(ResetFault)(fault)))
    Proof.resetFirst()
    private val (core, port) = (dut.io.core, dut.io.port)
    private val coreResets = anyseq(Bool())
    dut.io.coreResets := coreResets
    for (any <- Seq[Stream[_ <: Data]](core.ar, core.aw, core.w, port.r, port.b)) {
      any.valid := anyseq(Bool())
      any.payload.assignFromBits(anyseq(Bits(any.payload.getBitsWidth bits)))
    }
    for (ready <- Seq(core.r.ready, core.b.ready, port.ar.ready, port.aw.ready, port.w.ready)) ready := anyseq(Bool())

    private def count(up: Bool, down: Bool, clears: Bool = False): UInt = {
      val counter = Reg(UInt(5 bits)) init 0
      counter := clears ? U(0) | counter + up.asUInt - down.asUInt
      counter
    }
    private val (readEnds, writeEnds) = (port.r.fire && port.r.last, port.b.fire)
    // Everything that is open, and what of it is this life's: nothing, once the core was reset.
    private val openReads = count(core.ar.fire, readEnds)
    private val openWrites = count(core.aw.fire, writeEnds)
    private val lifeReads = count(core.ar.fire, core.r.fire && core.r.last, clears = coreResets)
    private val lifeWrites = count(core.aw.fire, core.b.fire, clears = coreResets)
    assume(openReads < 8 && openWrites < 8)

    // --- Memory answers what it has got, each once.
    assume(!port.r.valid || count(port.ar.fire, readEnds) =/= 0)
    private val dataWhole = port.w.fire && port.w.last
    assume(!port.b.valid || (count(port.aw.fire, writeEnds) =/= 0 && count(dataWhole, writeEnds) =/= 0))

    // --- The bursts whose data are not whole, oldest first, and how many beats of the first have gone.
    private val lens = Vec.fill(places + 1)(Reg(UInt(8 bits)))
    private val owed = Reg(UInt(2 bits)) init 0
    private val beat = Reg(UInt(2 bits)) init 0
    assume(core.aw.len <= 2)
    private val first = (owed === 0) ? core.aw.len | lens(0)
    private val owes = owed =/= 0 || core.aw.fire
    private val rest = owed - dataWhole.asUInt
    owed := rest + core.aw.fire.asUInt
    when(dataWhole)(for (i <- 0 until places) lens(i) := lens(i + 1))
    when(core.aw.fire)(lens(rest) := core.aw.len)
    when(port.w.fire)(beat := port.w.last ? U(0) | beat + 1)
    assert(owed <= places)
    // The core sends data in its turn, as many beats as it said.
    assume(!core.w.valid || (dut.io.turn.valid && core.w.last === (beat === first)))
    assert(!dut.io.turn.valid || owes)
    when(port.w.valid)(assert(owes && port.w.last === (beat === first)))

    // --- What is at the port is what the core gave, and stays until it is taken.
    private def passes[T <: Data](in: Stream[T], out: Stream[T]): Bool = {
      val waits = RegNext(out.isStall) init False
      val was = RegNext(out.payload)
      assert(!waits || (out.valid && out.payload === was))
      assert(!in.fire || (!waits && out.valid && out.payload === in.payload))
      waits || in.fire
    }
    assert(port.ar.valid === passes(core.ar, port.ar))
    assert(port.aw.valid === passes(core.aw, port.aw))
    // Other data go in place of an earlier life's, and change nothing.
    private val given = passes(core.w, port.w)
    when(port.w.valid && !given)(assert(port.w.strb === 0 && lifeWrites === 0 && openWrites =/= 0))

    // --- A life begins when memory owes nothing, and gets its own answers, all of them.
    when(core.ar.fire || core.aw.fire)(assert(openReads === lifeReads && openWrites === lifeWrites))
    when(core.r.valid)(assert(lifeReads =/= 0 && port.r.valid && core.r.payload === port.r.payload))
    when(core.b.valid)(assert(lifeWrites =/= 0 && port.b.valid && core.b.payload === port.b.payload))
    when(port.r.fire && lifeReads =/= 0)(assert(core.r.fire))
    when(port.b.fire && lifeWrites =/= 0)(assert(core.b.fire))

    // --- Nothing waits for ever.
    private val silent, calm = Reg(UInt(3 bits)) init 0
    silent := (owed =/= 0 && lifeWrites === 0 && !port.w.valid) ? (silent + 1) | U(0)
    assert(silent < 4)
    private val nothingOpen = openReads === 0 && openWrites === 0
    calm := (nothingOpen && !coreResets) ? (calm + U(!calm.andR)) | U(0)
    when(nothingOpen && calm.andR)(assert(core.ar.ready && core.aw.ready && dut.io.rests))

    private val underTraffic = RegInit(False) setWhen (coreResets && lifeReads =/= 0 && owed =/= 0)
    private val readsAgain = RegInit(False) setWhen (underTraffic && core.r.fire)
    private val writesAgain = RegInit(False) setWhen (underTraffic && core.b.fire)
    cover(readsAgain && writesAgain)
  }
}

class ResetGuardProof extends Proof {
  import ResetGuardProof._

  bounded("resets of the core, whatever is open", 12)(new Harness)
  long { bounded("resets of the core, whatever is open, for longer", 16)(new Harness) }
  reaches("a reset under traffic is survived, and traffic goes on", 24)(new Harness)
  for (fault <- ResetFault.values) refutes(s"a guard with the fault $fault", 18)(new Harness(Some(fault)))
}
