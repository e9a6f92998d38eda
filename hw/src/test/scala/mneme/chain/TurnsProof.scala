package mneme.chain

import mneme.engine.{Operation, Place}
import mneme.{CBoardConfig, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Machines where chains take turns with others: one has the turn, what it offered passes once and as it was, and nobody waits for more than his turn. */
object TurnsProof {
  val board: CBoardConfig = CBoardConfig.tiny.copy(
    name = "turns",
    pageBits = 20,
    memBits = 26,
    packetSlots = 16,
    doors = 2,
    rdma = 16,
    leaf = true,
    chains = 16
  )

  /** Inputs are any, in every cycle. */
  def anyInputs(dut: Component): Unit = for (port <- dut.getAllIo if port.isInput && port.getName() != "plantedFaults") port := anyseq(cloneOf(port))

  /** Who offers keeps to it. */
  def keepsOffer[T <: Data](stream: Stream[T]): Unit = {
    val stalled = RegNext(stream.isStall) init False
    assume(!stalled || (stream.valid && stream.payload === RegNext(stream.payload)))
  }

  /** How many of the others' have passed while this one waited. */
  def passed(waits: Stream[_ <: Data], other: Bool): UInt = {
    val count = Reg(UInt(3 bits)) init 0
    when(waits.isStall && other)(count := count + 1)
    when(!waits.isStall)(count := 0)
    count
  }

  class Entrance(fault: Option[EntranceFault.Value] = None) extends Component {
    private val dut = FormalDut(FrameEntrance(board, plantable = fault.isDefined))
    for (port <- dut.plantedFaults) port := BigInt(1) << fault.get.id
    Proof.resetFirst()
    anyInputs(dut)
    private val (translated, frames, out) = (dut.io.translated, dut.io.frames, dut.io.tokens)
    Seq(translated, frames).foreach(keepsOffer(_))

    assert(out.fire === (translated.fire ^ frames.fire) && !(translated.fire && frames.fire))
    assert(out.valid === (translated.valid || frames.valid))
    when(translated.fire) {
      assert(out.place === translated.place.resized)
      for ((name, to) <- out.payload.elements if name != "place") assert(to.asBits === translated.payload.find(name).asBits)
    }
    when(frames.fire) {
      assert(out.place === Place.of(board.inMemory, board.doors, frames.context))
      assert(out.address === frames.address && out.length === frames.length && out.leaf.epoch === 0)
      assert((out.operation === Operation.write) === frames.writes && (out.operation === Operation.read) === !frames.writes)
    }

    private val last = dut.last.pull()
    for ((waits, other, theirs) <- Seq((translated, frames, True), (frames, translated, False))) {
      val count = passed(waits, other.fire)
      assert(count <= 1 && (count === 0 || last === theirs))
      cover(count === 1)
    }
  }

  class Frames(fault: Option[FrameTurnsFault.Value] = None) extends Component {
    private val dut = FormalDut(FrameTurns(board, plantable = fault.isDefined))
    for (port <- dut.plantedFaults) port := BigInt(1) << fault.get.id
    Proof.resetFirst()
    anyInputs(dut)
    private val (reads, writes, out) = (dut.io.reads.tokens, dut.io.writes.tokens, dut.io.frames.tokens)
    Seq(reads, writes).foreach(keepsOffer(_))
    private val top = board.contextBits - 1

    // --- One at a time, as it was, and it stays offered.
    assert(out.fire === (reads.fire ^ writes.fire) && !(reads.fire && writes.fire))
    assert(out.valid === (reads.valid || writes.valid))
    when(out.valid) {
      val own = out.writes ? writes.payload | reads.payload
      assert(out.context(top) === out.writes && out.context.resize(top bits) === own.context.resize(top bits))
      assert(out.address === own.address && out.length === own.length && out.dataOffset === own.dataOffset)
      assert(out.writes ? writes.valid | reads.valid)
    }
    private val stalled = RegNext(out.isStall) init False
    assert(!stalled || (out.valid && out.payload === RegNext(out.payload)))
    private val (last, holds, held) = (dut.last.pull(), dut.holds.pull(), dut.held.pull())
    assert(holds === stalled && (!holds || (held ? writes.valid | reads.valid)))
    for ((waits, other, theirs) <- Seq((reads, writes, True), (writes, reads, False))) {
      val count = passed(waits, other.fire)
      // What was offered before the other one came passes first.
      assert(count <= 1 && (count === 0 || last === theirs))
      assert(count === 0 || !holds || held =/= theirs)
      cover(count === 1)
    }

    // --- What comes back goes to whom it belongs.
    private val data = dut.io.frames.data
    for (
      (back, reader, writer, ofWriter) <- Seq(
        (data.completions, dut.io.reads.data.completions, dut.io.writes.data.completions, data.completions.context(top)),
        (data.fetch, dut.io.reads.data.fetch, dut.io.writes.data.fetch, data.fetch.context(top))
      )
    ) {
      assert(back.fire === (reader.fire ^ writer.fire) && !(reader.fire && writer.fire))
      when(writer.valid)(assert(ofWriter))
      when(reader.valid)(assert(!ofWriter))
    }
    assert(dut.io.reads.data.payload.valid === data.payload.valid && data.payload.ready === dut.io.reads.data.payload.ready)
  }

  /** Payloads have so many bytes at most, so that runs are short. */
  private val mostBytes = 130

  class Senders(fault: Option[SenderFault.Value] = None) extends Component {
    private val dut = FormalDut(SenderTurns(plantable = fault.isDefined))
    for (port <- dut.plantedFaults) port := BigInt(1) << fault.get.id
    Proof.resetFirst()
    anyInputs(dut)
    private val io = dut.io
    private val senders = Seq(io.answers, io.replies, io.acknowledges)
    Seq(io.answers, io.acknowledges).foreach(keepsOffer(_))
    keepsOffer(io.replies)
    assume(io.answers.payload.payload <= mostBytes && io.replies.payload.payload <= mostBytes && io.acknowledges.payload.payload === 0)
    private val fires = senders.map(_.fire)
    assert(CountOne(fires) <= 1)

    // --- Who waits sees one of each other pass.
    private val last = dut.last.pull()
    assert(CountOne(last) === 1)
    /** How many go before this one, if all want. */
    private def place(sender: Int): UInt = Seq(0, 1, 2).map(l => Mux(last(l), U((sender + 2 - l) % 3, 2 bits), U(0, 2 bits))).reduce(_ | _)
    for ((waits, me) <- senders.zipWithIndex; other <- senders.indices if other != me) {
      val count = passed(waits, fires(other))
      assert(count <= 1 && (count === 0 || place(other) > place(me)))
      cover(count === 1)
    }

    // --- Beats: as many as each packet needs, and in the order of packets. Any one packet among the others.
    private def beats(of: UInt): UInt = (of +^ 63)(12 downto 6).resize(6)
    private val firing = io.replies.fire || io.answers.fire
    private val needs = beats(io.replies.fire ? io.replies.payload.payload | io.answers.payload.payload).andMask(firing)
    private val owed = Reg(UInt(6 bits)) init 0
    assert(io.payload.fire === (io.answered.fire ^ io.replied.fire) && !(io.answered.fire && io.replied.fire))
    assert(!io.payload.fire || owed =/= 0)
    owed := owed + needs - io.payload.fire.asUInt
    private val chosen = anyseq(Bool())
    private val marked = RegInit(False)
    private val ofReplies = Reg(Bool())
    private val (before, own) = (Reg(UInt(6 bits)), Reg(UInt(6 bits)))
    when(!marked && chosen && firing && needs =/= 0) {
      marked := True
      ofReplies := io.replies.fire
      before := owed - io.payload.fire.asUInt
      own := needs
    }
    when(marked && io.payload.fire) {
      when(before =/= 0)(before := before - 1).otherwise {
        assert(io.replied.fire === ofReplies)
        own := own - 1
        when(own === 1)(marked := False)
      }
    }
    cover(marked && before === 4 && own === 3)
  }

  /** Ends of the reader's in a row: those that are queued, and two on their way. In the long run they come five cycles apart, as [[ChainReplies]] makes them,
    * and so do those of the unit.
    */
  private val (burst, apart) = (ReplyReader.QUEUED + 2, 5)

  class Leaf(fault: Option[LeafTurnsFault.Value] = None) extends Component {
    private val k = ChainConfig(mneme.leaf.LeafConfig(board, segments = 2, fillers = 16, lines = 2, ahead = 2), pairs = 16)
    private val dut = FormalDut(ChainLeafTurns(k, plantable = fault.isDefined))
    for (port <- dut.plantedFaults) port := BigInt(1) << fault.get.id
    Proof.resetFirst()
    anyInputs(dut)
    private val io = dut.io
    private val leaf = io.leaf
    private val began = RegNext(io.mayBegin) init False
    private val held = RegNext(io.holds) init False
    private val looking = dut.looking.pull()
    // A message begins in the cycle after it may, and asks as long as it holds the unit. Nobody may begin meanwhile.
    assume(!io.holds || held || (began && RegNext(io.wants)))
    assume(!io.request.valid || io.holds)
    assume(!(leaf.holds && leaf.mayBegin))
    keepsOffer(io.looks)
    // The leaf unit answers once who has asked.
    private val asked = RegInit(False) setWhen leaf.request.fire clearWhen leaf.answer.fire
    assume(!leaf.answer.valid || asked)
    assume(!(leaf.request.valid && asked) || !leaf.request.ready)
    assume(io.holds || !held || !asked || looking)

    assert(!(io.holds && looking))
    assert(!io.request.ready || !io.looks.ready)
    assert(!io.answer.valid || (!looking && leaf.answer.valid))
    assert(!io.looked.valid || (looking && leaf.answer.valid))
    assert(leaf.request.fire === (io.request.fire ^ io.looks.fire))
    assert(!io.mayBegin || (!looking && !io.looks.valid))
    // A look-up waits for the message that has begun, and for no other one.
    private val others = passed(io.looks, io.holds.rise(False))
    assert(others <= 1)
    cover(others === 1 && looking)

    // --- Ends: each comes out once.
    private val (unit, reader) = (io.unitEnds, io.readerEnds)
    private val pause = Reg(UInt(3 bits)) init 0
    when(pause =/= 0)(pause := pause - 1)
    when(unit.valid)(pause := 4)
    assume(!unit.valid || pause === 0)
    private val credit = Reg(UInt(6 bits)) init burst
    private val phase = Counter(apart)
    phase.increment()
    assume(!reader.valid || credit =/= 0)
    credit := ((credit +^ phase.willOverflow.asUInt - reader.valid.asUInt) min burst).resized
    private val stands = Reg(UInt(5 bits)) init 0
    assert(leaf.ends.valid || !reader.valid)
    when(reader.valid)(assert(leaf.ends.payload === reader.payload))
    private val leaves = leaf.ends.valid && !reader.valid
    assert(!leaves || stands =/= 0)
    stands := stands + unit.valid.asUInt - leaves.asUInt
    // Nothing is lost: there is room whenever one comes, and what stands is in the queue.
    assert(!unit.valid || dut.ends.io.push.ready.pull())
    assert(stands <= 8 && dut.ends.io.occupancy.pull() === stands.resized)
    assert(!io.rests || (stands === 0 && !leaf.holds))
    cover(stands === 4)
  }
}

class TurnsProof extends Proof {
  import TurnsProof._

  proves("tokens of frames and of pages, each in its turn and as it was", 2)(new Entrance)
  reaches("each kind waits for the other", 6)(new Entrance)
  for (fault <- EntranceFault.values) refutes(s"an entrance with the fault $fault", 8)(new Entrance(Some(fault)))

  proves("tokens of replies and of stores, and what comes back", 2)(new Frames)
  reaches("replies and stores wait for each other", 6)(new Frames)
  for (fault <- FrameTurnsFault.values) refutes(s"two at a door of frames with the fault $fault", 8)(new Frames(Some(fault)))
}

class SenderTurnsProof extends Proof {
  import TurnsProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("three senders, each waits for one of each other, and beats follow their packet", 10)(new Senders)
  reaches("a packet waits for the beats of others", 10)(new Senders)
  for (fault <- SenderFault.values) refutes(s"senders with the fault $fault", 10)(new Senders(Some(fault)))
}

class ChainLeafTurnsProof extends Proof {
  import TurnsProof._

  override protected def engine: SmtBmc = Proof.Sat
  bounded("messages and look-ups at one leaf unit, and no end of an access is lost", if (short) 24 else 40)(new Leaf)
  reaches("ends wait, and a look-up waits for a message", 30)(new Leaf)
  for (fault <- LeafTurnsFault.values) refutes(s"two at a leaf unit with the fault $fault", 12)(new Leaf(Some(fault)))
}
