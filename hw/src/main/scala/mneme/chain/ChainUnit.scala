package mneme.chain

import mneme.Faults
import mneme.leaf.{LeafAnswer, LeafOperation, LeafRequest, LeafStatus}
import spinal.core._
import spinal.lib._

/** The four functions (ODRP, 4.3). */
object ChainFunction extends SpinalEnum {
  val LOAD, MAPPED_STORE, UNMAPPED_STORE, INVALIDATE = newElement()
}

/** What a chain queue pair does. */
case class ChainSettings(k: ChainConfig) extends Bundle {
  val function = ChainFunction()

  /** The last WRITE of an answer carries the page's number as immediate data. */
  val immediate = Bool()

  /** A load or an invalidate writes the magic as well; its profile has signal, magic and rkey. */
  val signal = Bool()

  /** A store for which no frame is to be had writes NOT magic. Else its packet is to come again. */
  val tellEmpty = Bool()
  val segment = UInt(k.l.segmentBits bits)
  val pid = UInt(24 bits)

  /** As whom it fills frames. */
  val filler = UInt(k.l.fillerBits bits)

  def stores: Bool = function === ChainFunction.MAPPED_STORE || function === ChainFunction.UNMAPPED_STORE
}

case class ChainSettingsWrite(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val value = ChainSettings(k)
}

/** A message whose arguments have come; of a store, its page has not. */
case class ChainMessage(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val arguments = ChainArguments(k)
}

/** What became of a store's page. */
object ChainPageEnd extends SpinalEnum {
  val
  /** Memory has all of it. */
  WRITTEN,
  /** Memory has failed. */
  FAILED,
  /** The queue pair has ended before the page had come. */
  ABANDONED,
  /** Not its end: memory has all that has come, and the access to the page's frame is to end until more comes; then the page's frame is wanted again. */
  PAUSED, AGAIN = newElement()
}

case class ChainPage(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val how = ChainPageEnd()
}

/** What the responder is told of a message. */
object ChainVerdict extends SpinalEnum {
  val
  /** It is done, and its replies are under way. */
  DONE,
  /** The bytes of its page go to `frame`; the message goes on by `pages`. */
  PAGE,
  /** So it does, but its bytes go nowhere. */
  DROP,
  /** NAK 0x62, NAK 0x63, "not ready": nothing was done. */
  DENIED, FAILED, NOT_READY,
  /** It was abandoned, and what it held is given back. */
  ABANDONED,
  /** Its access has ended. */
  PAUSED = newElement()
}

case class ChainTold(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val verdict = ChainVerdict()
  val frame = UInt(k.l.frameBits bits)

  /** Of a PAGE: an access to the frame has begun, which may end amid the page. Else nobody sees the frame yet. */
  val open = Bool()
}

/** What is counted, one a cycle each; names are those of `mneme_rdma::node::PagedCounters`. */
case class ChainEvents() extends Bundle {
  val loads, mappedStores, unmappedStores, freed, freedNothing = Bool()
  val unmapped, outside, wrongKey, right = Bool()
  val ringEmpty, budgetSpent, notStored, repliesFull = Bool()
}

/** A store between its arguments and its page's last byte. */
private[chain] case class ChainRunning(k: ChainConfig) extends Bundle {
  val page = UInt(k.l.countBits bits)
  val signal = UInt(64 bits)
  val magic = Bits(64 bits)
  val rkey = Bits(32 bits)

  /** Nobody else sees the frame yet; or an access goes on, which ends by its epoch; or the bytes go nowhere. None of them: the store pauses. */
  val hidden, open, epoch, drops = Bool()
}

/** What a message of a chain does. The golden model is `mneme_rdma::node::chain`.
  *
  * An example. An unmapped store comes. Its arguments tell page 7; there is room for its reply; LOOK finds no frame, so STORE takes one that nobody sees. The
  * responder is told to put the page's bytes there. Other queue pairs' messages are done meanwhile. When memory has the bytes, PUBLISH makes the frame the
  * page's, and the magic is posted.
  *
  * | function | leaf unit | then |
  * |---|---|---|
  * | load | LOOK; an access begins if the page would be sent at once | the page is posted, and with it the access; the magic |
  * | mapped store | LOOK, an access begins | page; the access ends; the magic |
  * | unmapped store | LOOK; with a frame as a mapped store, else STORE | page; PUBLISH; the magic |
  * | invalidate | FREE | the magic, if it is wanted |
  *
  * The access of a store whose client pauses ends (PAUSED), since frames that are given up wait for accesses. AGAIN looks for the page's frame, which may be
  * another one then. If it has none the mapped store is denied, and the unmapped one was before the page was given up: its bytes go nowhere.
  *
  * Refusals are in the model's order: secret, table, right, room for replies, frame. Where there is no room LOOK or CHECK tells whether there is an earlier reason.
  * The model judges a store when its page has come, this unit before: what is refused is refused at the packet that has the arguments.
  */
case class ChainUnit(k: ChainConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val settings = slave(Flow(ChainSettingsWrite(k)))
    val messages = slave(Stream(ChainMessage(k)))
    /** One for each PAGE and DROP, behind those of its pauses. */
    val pages = slave(Stream(ChainPage(k)))
    val told = master(Stream(ChainTold(k)))

    /** To the leaf unit, as `LeafDoor` has it. */
    val request = master(Stream(LeafRequest(k.l)))
    val answer = slave(Stream(LeafAnswer(k.l)))
    val ends = master(Flow(Bool()))
    val holds, wants = out Bool ()
    val mayBegin = in Bool ()

    /** To `ChainReplies`: replies that have room, a cycle after they were asked for, and whether a page would be sent at once. */
    val roomOf = out UInt (k.pairBits bits)
    val room = in UInt (k.replyBits + 1 bits)
    val quiet = in Bool ()
    val posts = master(Stream(ReplyPost(k)))
    val events = out(ChainEvents())
  }
  val plantedFaults: Option[Bits] = Faults.port(ChainFault, plantable)
  private val planted = new Faults[ChainFault.Value](plantedFaults)

  private object Step extends SpinalEnum {
    val idle, load, begin, ask, answer, page, signal, tell = newElement()
  }
  private val state = RegInit(Step.idle)
  private val isIdle = state === Step.idle
  private val settings = Mem(ChainSettings(k), k.pairs).addAttribute("ram_style", "block")
  settings.write(io.settings.pair, io.settings.value, io.settings.valid)
  private val running = Mem(ChainRunning(k), k.pairs).addAttribute("ram_style", "block")

  private val ofPage = Reg(Bool())
  private val pair = Reg(UInt(k.pairBits bits))
  private val pick = io.pages.valid ? io.pages.pair | io.messages.pair
  private val at = isIdle ? pick | pair
  private val own = settings.readSync(at)
  private val was = running.readSync(at)
  io.roomOf := at
  private val how = Reg(ChainPageEnd())
  private val stores = own.stores
  private val isLoad = own.function === ChainFunction.LOAD

  /** What the message holds, and what is to be done. */
  private val now = Reg(ChainRunning(k))
  private val operation = Reg(LeafOperation())
  private val needed = UInt(2 bits)
  needed := stores.asUInt.resize(2)
  when(isLoad || own.function === ChainFunction.INVALIDATE)(needed := isLoad.asUInt +^ own.signal.asUInt)
  private val fits = Reg(Bool())
  /** LOOK begins an access. Of a load it is handed over with the page. */
  private val begins = Reg(Bool())
  private val buffer = Reg(UInt(64 bits))
  private val frame = Reg(UInt(k.l.frameBits bits))
  private val verdict = Reg(ChainVerdict())
  private val inverted = Reg(Bool())
  private val wantsSignal, refused = Reg(Bool())

  private val events = Reg(ChainEvents())
  for ((_, event) <- events.elements) event.asInstanceOf[Bool] := False
  io.events := events
  private val ends = Reg(Flow(Bool()))
  ends.valid := False
  io.ends << ends

  private val request = LeafRequest(k.l)
  for ((name, part) <- request.elements) name match {
    case "operation" => request.operation := operation
    case "segment" => request.segment := own.segment
    case "pid" => request.pid := own.pid
    case "rights" =>
      request.rights.read := isLoad
      request.rights.write := !isLoad
      request.rights.atomic := False
    case "page" => request.page := now.page
    case "pages" => request.pages := 1
    case "begins" => request.begins := begins
    case "first" | "whole" => part.assignFromBits(B"1")
    case "filler" => request.filler := own.filler
    case _ => part.assignFromBits(B(0, widthOf(part) bits))
  }
  io.request.valid := state === Step.ask
  io.request.payload := request
  io.answer.ready := state === Step.answer
  io.holds := state === Step.ask || state === Step.answer
  private val again = ofPage && how === ChainPageEnd.AGAIN
  io.wants := state === Step.begin && !refused && (!ofPage || now.hidden || again)
  io.messages.ready := state === Step.load && !ofPage
  io.pages.ready := state === Step.load && ofPage

  private def tells(which: ChainVerdict.E): Unit = {
    verdict := which
    state := Step.tell
  }
  private def asks(which: LeafOperation.E): Unit = {
    operation := which
    state := Step.ask
  }
  private def endsAccess(epoch: Bool): Unit = {
    ends.valid := True
    ends.payload := epoch
  }
  /** The store is done: its reply. */
  private def stored(): Unit = {
    verdict := ChainVerdict.DONE
    inverted := now.drops
    state := Step.signal
    events.notStored := now.drops
    events.mappedStores := !now.drops && !now.hidden
    events.unmappedStores := !now.drops && now.hidden
  }
  private val arguments = io.messages.arguments
  private val status = io.answer.status

  switch(state) {
    is(Step.idle) {
      pair := pick
      ofPage := io.pages.valid
      when(io.pages.valid || io.messages.valid)(state := Step.load)
    }
    is(Step.load) {
      how := io.pages.how
      // A store that goes on had room when it began, and nothing of its queue pair was posted since.
      val enough = ofPage || io.room >= needed || planted.choose(ChainFault.RoomIgnored, wrong = True, right = False)
      fits := enough
      begins := enough && (!isLoad || io.quiet || planted.choose(ChainFault.QuietIgnored, wrong = True, right = False))
      now := was
      buffer := arguments.buffer
      inverted := False
      wantsSignal := stores || own.signal
      when(!ofPage) {
        now.page := arguments.page
        now.signal := arguments.signal
        now.magic := arguments.magic
        now.rkey := arguments.rkey
        now.hidden := False
        now.open := False
        now.drops := False
      }
      refused := !ofPage && (arguments.outside || (arguments.wrongKey && planted.choose(ChainFault.SecretIgnored, wrong = False, right = True)))
      events.wrongKey := !ofPage && arguments.wrongKey
      events.outside := !ofPage && !arguments.wrongKey && arguments.outside
      state := Step.begin
    }
    is(Step.begin) {
      when(refused)(tells(ChainVerdict.DENIED))
        .elsewhen(!ofPage) {
          when(io.mayBegin) {
            asks(LeafOperation.LOOK)
            when(own.function === ChainFunction.INVALIDATE)(operation := fits ? LeafOperation.FREE | LeafOperation.CHECK)
          }
        }
        .elsewhen(now.hidden) {
          when(io.mayBegin) {
            asks(LeafOperation.PUBLISH)
            when(how =/= ChainPageEnd.WRITTEN)(operation := LeafOperation.GIVE_UP)
          }
        }
        .elsewhen(again)(when(io.mayBegin)(asks(LeafOperation.LOOK)))
        .otherwise {
          val ended = planted.choose(ChainFault.EndedTwice, wrong = now.drops, right = !now.open)
          val kept = planted.choose(ChainFault.AccessKept, wrong = True, right = False) ||
            planted.choose(ChainFault.PauseIgnored, wrong = how === ChainPageEnd.PAUSED, right = False)
          when(!ended && !kept)(endsAccess(now.epoch))
          now.open := False
          when(how === ChainPageEnd.WRITTEN)(stored()).otherwise {
            tells(ChainVerdict.FAILED)
            when(how === ChainPageEnd.ABANDONED)(verdict := ChainVerdict.ABANDONED)
            when(how === ChainPageEnd.PAUSED)(verdict := ChainVerdict.PAUSED)
          }
        }
    }
    is(Step.ask)(when(io.request.ready)(state := Step.answer))
    is(Step.answer)(when(io.answer.valid) {
      frame := io.answer.frame
      now.epoch := io.answer.epoch
      switch(operation) {
        is(LeafOperation.LOOK) {
          when(status === LeafStatus.DONE) {
            state := Step.page
            when(stores) {
              now.open := True
              tells(ChainVerdict.PAGE)
            }
          } elsewhen (fits && status === LeafStatus.UNMAPPED) {
            when(own.function === ChainFunction.UNMAPPED_STORE) {
              when(again)(tells(ChainVerdict.DROP)).otherwise(asks(LeafOperation.STORE))
            }.otherwise {
              events.unmapped := True
              tells(ChainVerdict.DENIED)
            }
          }
        }
        is(LeafOperation.STORE) {
          now.hidden := True
          tells(ChainVerdict.PAGE)
          val empty = status === LeafStatus.RING_EMPTY || status === LeafStatus.BUDGET_SPENT
          when(empty && own.tellEmpty && planted.choose(ChainFault.EmptyHidden, wrong = False, right = True)) {
            now.hidden := False
            now.drops := True
            verdict := ChainVerdict.DROP
          } elsewhen (empty) {
            events.ringEmpty := status === LeafStatus.RING_EMPTY
            events.budgetSpent := status === LeafStatus.BUDGET_SPENT
            verdict := ChainVerdict.NOT_READY
          }
        }
        is(LeafOperation.FREE) {
          events.freed := status === LeafStatus.DONE && io.answer.count =/= 0
          events.freedNothing := status === LeafStatus.DONE && io.answer.count === 0
          verdict := ChainVerdict.DONE
          state := Mux(wantsSignal, Step.signal(), Step.tell())
        }
        is(LeafOperation.PUBLISH)(when(status === LeafStatus.DONE)(stored()))
        is(LeafOperation.GIVE_UP) {
          tells(ChainVerdict.FAILED)
          when(how === ChainPageEnd.ABANDONED)(verdict := ChainVerdict.ABANDONED)
        }
      }
      // --- No room, and why nothing is done at all.
      val looks = operation === LeafOperation.LOOK || operation === LeafOperation.CHECK
      when(looks && !fits && (status === LeafStatus.DONE || status === LeafStatus.UNMAPPED)) {
        events.repliesFull := True
        tells(ChainVerdict.NOT_READY)
      }
      val gives = operation === LeafOperation.GIVE_UP
      when(!gives && (status === LeafStatus.UNKNOWN || status === LeafStatus.OUTSIDE || status === LeafStatus.RIGHT || status === LeafStatus.NOTHING)) {
        events.outside := status === LeafStatus.OUTSIDE
        events.right := status === LeafStatus.RIGHT
        tells(ChainVerdict.DENIED)
      }
      when(!gives && status === LeafStatus.FAILED) {
        tells(ChainVerdict.FAILED)
        // The frame that it has filled stays its filler's.
        when(operation === LeafOperation.PUBLISH) {
          how := ChainPageEnd.FAILED
          asks(LeafOperation.GIVE_UP)
        }
      }
    })
    is(Step.page)(when(io.posts.ready) {
      events.loads := True
      verdict := ChainVerdict.DONE
      state := Mux(wantsSignal, Step.signal(), Step.tell())
    })
    is(Step.signal)(when(io.posts.ready)(state := Step.tell))
    is(Step.tell)(when(io.told.ready)(state := Step.idle))
  }
  running.write(pair, now, state === Step.tell)

  // --- Replies: the page first.
  private val post = io.posts.payload
  io.posts.valid := state === Step.page || state === Step.signal
  post.pair := pair
  post.held := begins && state === Step.page
  post.reply.word := state === Step.signal
  post.reply.immediate := own.immediate && (state === Step.signal || !wantsSignal || planted.choose(ChainFault.ImmediateTwice, wrong = True, right = False))
  post.reply.page := now.page
  post.reply.rkey := now.rkey
  post.reply.va := now.signal
  post.reply.data := planted.choose(ChainFault.NeverInverted, wrong = now.magic, right = now.magic ^ B(64 bits, default -> inverted))
  when(state === Step.page) {
    post.reply.va := buffer
    post.reply.setFrame(frame, now.epoch)
  }

  io.told.valid := state === Step.tell
  io.told.pair := pair
  io.told.verdict := verdict
  io.told.frame := frame
  io.told.open := now.open
}

/** Defects that benches plant. No build of a board has one. */
object ChainFault extends Enumeration {
  val
  /** Replies are posted though there is no room for them. */
  RoomIgnored,
  /** Another secret is as good. */
  SecretIgnored,
  /** The access of a mapped store goes on for ever. */
  AccessKept,
  /** It goes on while its client pauses. */
  PauseIgnored,
  /** An access that has ended amid its page ends at the page's end as well. */
  EndedTwice,
  /** A client that wants to be told that no frame is to be had is told to come again. */
  EmptyHidden,
  /** "Not stored" has the magic as it came. */
  NeverInverted,
  /** The page has an immediate though the magic comes behind it. */
  ImmediateTwice,
  /** A load begins an access though its page cannot be sent yet. */
  QuietIgnored = Value
}
