package mneme.chain

import mneme.Faults
import mneme.engine.PayloadBeat
import mneme.mem._
import mneme.rdma.RoceDeparture
import spinal.core._
import spinal.lib._

/** Gives replies' packets their bytes: takes what [[ChainReplies]] sends, and hands it on as `RoceTransmit` takes it.
  *
  * An example. A page's packet of 4,096 bytes comes, and memory takes 1,450 bytes at a time. Three tokens go to the frame, of 1,408, 1,408 and 1,280 bytes.
  * Meanwhile the next packet's tokens are asked for, as long as no more than `inside` are inside. When the packet's first beat has come back, it leaves, and
  * its beats follow. With the last one the access ends, if it is the one that needed the frame last.
  *
  * A packet never leaves before its first beat is there: a frame that began would keep the line while memory is asked. Packets leave in the order in which
  * they came, and so do ends of accesses. A token is inside until both its completion and its last beat have come.
  *
  * Where memory failed the packet's queue pair is told with its last beat, and the frame leaves as damaged. Who is told that ends the queue pair, and makes no
  * other one of its number before `idle`: packets of the one that ended may still be inside.
  */
case class ReplyReader(k: ChainConfig, inside: Int = ReplyReader.INSIDE, plantable: Boolean = false) extends Component {
  private val c = k.l.c
  require(inside >= 2 && inside <= c.contexts && Integer.bitCount(inside) == 1, s"inside: a power of two from 2 to ${c.contexts} is needed, not $inside")
  val io = new Bundle {
    val departures = slave(Stream(ReplyDeparture(k)))
    val frames = master(FrameDoor(c))
    val packets = master(Stream(RoceDeparture(writes = true)))
    val payload = master(Stream(PayloadBeat()))
    /** An access has ended that began in this epoch. */
    val ends = master(Flow(Bool()))
    /** Memory failed under a packet of this queue pair. */
    val failed = master(Flow(UInt(k.pairBits bits)))
    /** Packets and ends that are inside, and that one is over. */
    val inside = out UInt (log2Up(ReplyReader.QUEUED + 1) bits)
    val over = out Bool ()
    /** Nothing is inside. */
    val idle = out Bool ()
  }
  val plantedFaults: Option[Bits] = Faults.port(ReaderFault, plantable)
  private val planted = new Faults[ReaderFault.Value](plantedFaults)

  /** What is to be done for a packet, or for an end alone, in order. */
  private case class Job() extends Bundle {
    val sends = Bool()
    val source = ReplySource()
    val pair = UInt(k.pairBits bits)
    val lastBeat = UInt(6 bits)
    val word = Bits(64 bits)
    val ends, epoch = Bool()
  }

  // --- In: tokens of a packet, one after the other; with the first one the packet is queued.
  private val departure = io.departures.payload
  private val jobs = StreamFifo(Job(), ReplyReader.QUEUED, latency = 1)
  private val packets = StreamFifo(RoceDeparture(writes = true), ReplyReader.QUEUED, latency = 1)
  private val asks = departure.sends && departure.source === ReplySource.FRAME
  private val asked = Reg(UInt(13 bits)) init 0
  private val isFirst = asked === 0
  private val room = !isFirst || (jobs.io.push.ready && packets.io.push.ready)
  private val rest = departure.packet.payload - asked
  private val isLast = rest <= ReplyReader.piece(k)
  private val context = Reg(UInt(log2Up(inside) bits)) init 0
  /** Tokens that have not completed, and those whose last beat has not come. */
  private val open, unread = Reg(UInt(log2Up(inside + 1) bits)) init 0
  private val free = planted.choose(ReaderFault.CompletionIgnored, wrong = True, right = open =/= inside) && unread =/= inside
  private val tokens = io.frames.tokens
  tokens.valid := io.departures.valid && asks && room && free
  tokens.context := context.resized
  tokens.writes := False
  private val at = planted.choose(ReaderFault.PieceRepeated, wrong = departure.offset, right = departure.offset + asked.resize(12))
  tokens.address := departure.frame @@ at
  tokens.length := (isLast ? rest | U(ReplyReader.piece(k), 13 bits)).resized
  tokens.dataOffset := 0
  when(tokens.fire) {
    context := context + 1
    asked := isLast ? U(0) | asked + ReplyReader.piece(k)
  }
  io.departures.ready := room && (!asks || (tokens.ready && free && isLast))
  private val takes = isFirst && (asks ? tokens.fire | io.departures.fire)
  jobs.io.push.valid := takes
  jobs.io.push.payload.assignSomeByName(departure)
  jobs.io.push.lastBeat := (departure.packet.payload - 1)(11 downto 6)
  packets.io.push.valid := takes && departure.sends
  packets.io.push.payload.assignSomeByName(departure.packet)
  packets.io.push.write.assignSomeByName(departure)

  // --- Out: the beats of the oldest packet.
  private val job = jobs.io.pop
  private val data = io.frames.data.payload
  private val reads = job.source === ReplySource.FRAME
  private val beat = Reg(UInt(6 bits)) init 0
  private val isEnd = beat === job.lastBeat
  private val beats = Stream(PayloadBeat())
  beats.valid := job.valid && job.sends && (!reads || data.valid)
  beats.data := data.data
  when(!reads)(beats.data := job.word.andMask(planted.choose(ReaderFault.ZerosLeak, wrong = True, right = job.source === ReplySource.WORD)).resized)
  beats.error := reads && data.error
  data.ready := job.valid && job.sends && reads && beats.ready
  job.ready := !job.sends || (beats.ready && (!reads || data.valid) && isEnd)
  io.inside := jobs.io.occupancy.resized
  io.over := job.fire
  private val broken = RegInit(False)
  private val breaks = planted.choose(ReaderFault.EarlyErrorLost, wrong = False, right = broken) || beats.error
  when(beats.fire) {
    beat := isEnd ? U(0) | beat + 1
    broken := breaks && !isEnd
  }
  io.payload << beats.m2sPipe()

  /** Packets whose first beat has come and that have not left. */
  private val begun = Reg(UInt(log2Up(ReplyReader.QUEUED + 1) bits)) init 0
  private val begins = beats.fire && beat === 0
  private val may = planted.choose(ReaderFault.HeaderEarly, wrong = True, right = begun =/= 0 || begins)
  io.packets << packets.io.pop.continueWhen(may)
  begun := begun + begins.asUInt - io.packets.fire.asUInt

  // --- What ends.
  private val piece = Reg(UInt(6 bits)) init 0
  private val pieceEnds = isEnd || piece === ReplyReader.piece(k) / 64 - 1
  when(data.fire)(piece := pieceEnds ? U(0) | piece + 1)
  io.frames.data.completions.ready := True
  open := open + tokens.fire.asUInt - io.frames.data.completions.fire.asUInt
  unread := unread + tokens.fire.asUInt - (data.fire && pieceEnds).asUInt
  private val over = planted.choose(
    ReaderFault.EndsEarly,
    wrong = Mux(job.sends, begins, job.fire),
    right = planted.choose(ReaderFault.EndAloneLost, wrong = job.fire && job.sends, right = job.fire)
  )
  io.ends.valid := RegNext(over && job.ends) init False
  io.ends.payload := RegNext(job.epoch)
  io.failed.valid := RegNext(beats.fire && isEnd && breaks) init False
  io.failed.payload := RegNext(planted.choose(ReaderFault.OtherPair, wrong = departure.pair, right = job.pair))
  io.idle := !io.departures.valid && !job.valid && !packets.io.pop.valid && open === 0 && !io.payload.valid && !io.ends.valid && !io.failed.valid

  // No token writes.
  io.frames.data.fetch.ready := True
  io.frames.data.fetched.valid := False
  io.frames.data.fetched.payload := 0
  io.frames.data.operands := 0
}

object ReplyReader {
  /** Packets that may be inside. A LUTRAM of 32 costs no less. */
  val QUEUED = 16

  /** Tokens that may be inside: each has not completed, or has beats that have not been taken. */
  val INSIDE = 8

  /** The largest token: whole beats. */
  def piece(k: ChainConfig): Int = (k.l.c.maxPayload / 64 * 64) min 4096
}

/** Defects that benches plant. No build of a board has one. */
object ReaderFault extends Enumeration {
  val
  /** A token's context is used again though it has not completed. */
  CompletionIgnored,
  /** A packet's second token asks for the bytes of its first one. */
  PieceRepeated,
  /** A page without a frame is sent with what a word would be. */
  ZerosLeak,
  /** Of a packet's beats the last one's error alone counts. */
  EarlyErrorLost,
  /** A packet leaves before its bytes are there. */
  HeaderEarly,
  /** An access ends with the first beat of its last packet. */
  EndsEarly,
  /** An end without a packet is forgotten. */
  EndAloneLost,
  /** The packet that comes in is told to have failed. */
  OtherPair = Value
}
