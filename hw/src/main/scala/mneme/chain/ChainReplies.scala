package mneme.chain

import mneme.Faults
import mneme.leaf.{LeafAnswer, LeafOperation, LeafRequest, LeafStatus}
import mneme.rdma.{RateRow, ReactionPoint, RoceTurns}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** The requester of chains' replies: RDMA WRITEs of a page or of a word into the client's memory, sent until they are acknowledged. The golden model is
  * `mneme_rdma::requester` with `mneme_rdma::node::chain`.
  *
  * An example. A queue pair of path MTU 1,024 is given a page, and then a word. Four packets of the page leave, and one of the word, numbers 7 to 11. The
  * peer acknowledges 8 and later tells that 10 is missing (NAK 0x60): the page's third packet is done, too, and 10 and 11 are sent again. Meanwhile the page
  * may have a new frame, so the leaf unit is asked again. An acknowledge of 11 ends both replies.
  *
  * An access to a frame goes on only while the next packet of its page may be sent at once, and a queue pair has one at most: a peer that takes nothing keeps no
  * frame from others. Who posts a page hands an access over if the queue pair is `quiet`. The access ends with the page's last packet, or with the one that
  * fills the window. Where what was sent is to be sent again, or a rate holds what is next ([[ReactionPoint]]), it ends by a departure of its own. Packets
  * without an access have their page looked up.
  *
  * One machine does one thing at a time, each with a queue pair's state out of memory and back into it.
  *
  * | what | cycles |
  * |---|---|
  * | a packet | 6; one whose page is looked up has the leaf unit's time besides |
  * | a post | 4 |
  * | an answer of a peer | 6, and one for each reply that it reaches |
  * | a look at a queue pair's times, once a tick | 5 |
  * | the end of a queue pair, or of an access without a packet | 5 |
  *
  * Commands come first; answers, posts, times and packets take turns.
  */
case class ChainReplies(k: ChainConfig, plantable: Boolean = false) extends Component {
  import ChainConfig.{RETRIES, TIME_BITS, WINDOW}
  val io = new Bundle {
    val commands = slave(Stream(ReplyCommand(k)))
    /** Dropped where there is no room; who asks for it before never sees that. */
    val posts = slave(Stream(ReplyPost(k)))
    val acks = slave(Stream(ReplyAck(k)))
    /** A peer's congestion notification; one that finds no room is lost. */
    val notified = slave(Flow(UInt(k.pairBits bits)))
    val mayNotify = out Bool ()
    val departures = master(Stream(ReplyDeparture(k)))
    /** LOOK of pages that are sent again, or have no access. */
    val looks = master(Stream(LeafRequest(k.l)))
    val looked = slave(Stream(LeafAnswer(k.l)))
    /** Replies of `pair` for which there was room a cycle ago, 0 of one that does not exist, and whether a page would have been sent at once. */
    val roomOf = in UInt (k.pairBits bits)
    val room = out UInt (k.replyBits + 1 bits)
    val quiet = out Bool ()
    /** Ticks of 10 µs since any moment. */
    val time = in UInt (TIME_BITS bits)
    val failed = master(Flow(ReplyFailed(k)))
    val events = out(ReplyEvents())
    /** After a reset its memories are cleared first. */
    val idle = out Bool ()
  }
  val plantedFaults: Option[Bits] = Faults.port(ReplyFault, plantable)
  private val planted = new Faults[ReplyFault.Value](plantedFaults)

  private object Op extends SpinalEnum {
    val command, ack, post, time, send, wake = newElement()
  }
  private object Step extends SpinalEnum {
    val clear, idle, load, judge, walk, answered, made, look, looked, emit, ending, write = newElement()
  }
  private val state = RegInit(Step.clear)
  private val op = Reg(Op())
  private val pair = Reg(UInt(k.pairBits bits))
  private val s = Reg(ReplyState(k))
  private val isIdle = state === Step.idle

  // --- Who comes next.
  private val turns = RoceTurns(k.turns)
  private val times = new Area {
    val pair = Reg(UInt(k.pairBits bits)) init 0
    val seen = Reg(UInt(TIME_BITS bits)) init 0
    val goes = RegInit(False)
    val next = pair + 1
  }
  private val slot = Reg(ReplyDeparture(k))
  private val full = RegInit(False)
  private val left = Stream(ReplyDeparture(k))
  left.valid := full
  left.payload := slot
  io.departures << left.m2sPipe()
  when(left.ready)(full := False)

  private val rates = ReactionPoint(k.pairs)
  private val creates = Bool()
  private val wants = B(Seq(io.acks.valid, io.posts.valid, times.goes, turns.io.pop.valid && !full, rates.io.wakes.valid))
  private val first = Reg(Bits(5 bits)) init 1
  private val chosen = OHMasking.roundRobin(wants, first)
  private val pick = Mux(
    io.commands.valid,
    io.commands.pair,
    MuxOH(chosen, Seq(io.acks.pair, io.posts.pair, times.pair, turns.io.pop.payload, rates.io.wakes.payload))
  )
  turns.io.pop.ready := isIdle && !io.commands.valid && chosen(3)
  rates.io.wakes.ready := isIdle && !io.commands.valid && chosen(4)
  private val now = RegNextWhen(io.time, isIdle)

  // --- Its rate. What may not go on has no access, and comes again when it is woken.
  rates.io.pair := pair
  private val held = RegNext(planted.choose(ReplyFault.RateIgnored, wrong = False, right = rates.io.holds))
  // No notification comes while its queue pair is made.
  rates.io.changes.valid := io.notified.valid || creates
  rates.io.changes.pair := creates ? pair | io.notified.payload
  rates.io.changes.cuts := !creates
  rates.io.changes.cap := planted.choose(ReplyFault.CapIgnored, wrong = U(Wire.ROCE_RATE_LINE, RateRow.BITS bits), right = io.commands.cap)
  io.mayNotify := rates.io.room

  // --- What is kept. Settings stay at the memory's output while a queue pair is worked on.
  private val states = Mem(Bits(widthOf(s) bits), k.pairs).addAttribute("ram_style", "block")
  private val peers = Mem(ReplyPeer(k), k.pairs).addAttribute("ram_style", "block")
  private val replies = Mem(Reply(k), k.pairs * k.replies).addAttribute("ram_style", k.l.c.memories)
  private val rooms = Mem(Bits(k.replyBits + 2 bits), k.pairs).addAttribute("ram_style", "distributed")
  /** Frame and epoch of the access that goes on. */
  private val accesses = Mem(Bits(k.l.frameBits + 1 bits), k.pairs).addAttribute("ram_style", "distributed")
  private val loaded = states.readSync(pick, isIdle).as(ReplyState(k))
  private val peer = peers.readSync(isIdle ? pick | pair)
  private val writes = state === Step.write
  private val clears = state === Step.clear
  private val cleared = Reg(UInt(k.pairBits bits)) init 0
  private val kept = ReplyState(k)
  states.write(clears ? cleared | pair, kept.asBits, writes || clears)
  creates := writes && op === Op.command && io.commands.creates
  peers.write(pair, io.commands.peer, creates)
  private val free = Mux(creates, U(k.replies), Mux(s.valid && !clears, U(k.replies) - s.count, U(0, k.replyBits + 1 bits)))
  private val quiet = s.quiet && !held
  rooms.write(clears ? cleared | pair, (creates || (quiet && !clears)) ## free, writes || clears)
  private val asked = RegNext(rooms.readAsync(io.roomOf))
  private val roomed = asked(k.replyBits downto 0).asUInt
  io.room := planted.choose(ReplyFault.RoomWrong, wrong = roomed + 1, right = roomed)
  io.quiet := asked.msb

  // --- A reply.
  private val reply = replies.readSync(pair @@ (s.head + s.cursor.resize(k.replyBits)), state === Step.judge)
  private val room = s.valid && s.count =/= k.replies
  private val tail = RegNext(s.head + s.count.resize(k.replyBits))
  private val posts = writes && op === Op.post && RegNext(room && state === Step.judge)
  replies.write(pair @@ tail, io.posts.reply, posts)

  /** Packets of a reply, but one. */
  private def lastOf(word: Bool): UInt = Vec((0 to 4).map(mtu => U((4096 >> (8 + mtu)) - 1, 4 bits)))(peer.mtu.min(4)).andMask(!word)

  // --- An answer, and times.
  private val since = Reg(UInt(24 bits))
  private val fresh, isTimeout, isReady = Reg(Bool())
  private val answered = Reg(UInt(6 bits))
  private val rest = Reg(UInt(6 bits))
  private val popped = Reg(UInt(k.replyBits + 1 bits))
  private val syndrome = io.acks.syndrome
  private def kind(code: Int): Bool = syndrome(7 downto 5) === code
  private val timeout = Reg(UInt(TIME_BITS bits))
  private val pause = Reg(UInt(TIME_BITS bits))
  private val fails = Reg(Bool())
  private val why = Reg(ReplyFailure())

  // --- A packet.
  private val maySend = s.hasRest && !s.pauses && planted.choose(ReplyFault.WindowIgnored, wrong = s.next < 48, right = s.next < WINDOW)
  private val may, again = Reg(Bool())
  private val look = Reg(LeafAnswer(k.l))
  private val looksUp, hasLooked = Reg(Bool())
  private val (begins, last) = (s.at === 0, s.at === lastOf(reply.word))
  // What is sent again never has an access.
  private val bare = planted.choose(
    ReplyFault.RepeatKeepsFrame,
    wrong = !s.open && !again,
    right = planted.choose(ReplyFault.FrameKept, wrong = again || (!s.open && begins), right = !s.open)
  )
  private val seeks = !reply.word && bare

  // --- An access to the page that is sent: it has been posted, or has begun with the look-up of a packet.
  private val access = RegNext(accesses.readAsync(pair))
  private val holds = s.open || hasLooked
  private val fills = planted.choose(ReplyFault.FullKeepsAccess, wrong = False, right = s.next + 1 === WINDOW)
  private val stops = again || last || fills
  accesses.write(
    pair,
    (op === Op.post) ? io.posts.reply.data.resize(k.l.frameBits + 1) | look.epoch ## look.frame,
    (posts && io.posts.held) || (writes && op === Op.send && hasLooked)
  )
  /** An access that ends without a packet: the queue pair's own, or one that comes with a reply for which there is no room. */
  private val owed = s.open || s.closes || op === Op.post

  private val events = Reg(ReplyEvents())
  for ((_, event) <- events.elements) event.asInstanceOf[Bool] := False
  io.events := events
  io.failed.valid := writes && fails
  io.failed.pair := pair
  io.failed.why := why
  io.commands.ready := writes && op === Op.command
  io.acks.ready := writes && op === Op.ack
  io.posts.ready := writes && op === Op.post
  io.idle := isIdle && wants === 0 && !io.commands.valid && !full && !io.departures.valid
  turns.io.clear.valid := clears
  turns.io.clear.payload := cleared

  private val request = LeafRequest(k.l)
  for ((name, part) <- request.elements) name match {
    case "operation" => request.operation := LeafOperation.LOOK
    case "segment" => request.segment := peer.segment
    case "pid" => request.pid := peer.pid
    case "page" => request.page := reply.page
    case "pages" => request.pages := 1
    case "begins" => request.begins := True
    // Of rights none is asked for: an entry that is there may be sent.
    case _ => part.assignFromBits(B(0, widthOf(part) bits))
  }
  io.looks.valid := state === Step.look
  io.looks.payload := request
  io.looked.ready := state === Step.looked

  /** Everything unanswered is sent again. */
  private def goBack(): Unit = {
    s.next := 0
    s.cursor := 0
    s.at := s.done
  }
  /** No packet needs the access any more. */
  private def closes(): Unit = {
    s.open := False
    when(s.open && planted.choose(ReplyFault.BackKeepsAccess, wrong = False, right = True))(s.closes := True)
  }

  private val left1 = lastOf(s.words(0)) - s.done
  private val replyEnds = rest > left1

  switch(state) {
    is(Step.clear) {
      cleared := cleared + 1
      when(cleared.andR)(state := Step.idle)
    }
    is(Step.idle) {
      pair := pick
      op := Op.command
      fails := False
      looksUp := False
      hasLooked := False
      when(!io.commands.valid) {
        first := chosen.orR ? chosen.rotateLeft(1) | first
        for ((kind, i) <- Seq(Op.ack, Op.post, Op.time, Op.send, Op.wake).zipWithIndex) when(chosen(i))(op := kind)
        when(chosen(2)) {
          times.pair := times.next
          when(times.pair.andR)(times.goes := False)
        }
      }
      when(io.commands.valid || wants.orR)(state := Step.load)
    }
    is(Step.load) {
      s := loaded
      since := io.acks.psn - loaded.unanswered
      state := Step.judge
    }
    is(Step.judge) {
      timeout := (U(1) << peer.timeout).resized
      pause := Vec(ChainConfig.NOT_READY.map(ticks => U(ticks, TIME_BITS bits)))(syndrome(4 downto 0).asUInt)
      val wrapless = !(io.acks.psn < s.unanswered) && io.acks.psn < s.unanswered + s.sent
      val inside = planted.choose(ReplyFault.NoWrap, wrong = wrapless, right = since < s.sent.resize(24))
      fresh := s.valid && planted.choose(ReplyFault.StaleAccepted, wrong = s.sent =/= 0, right = inside)
      for (count <- Seq(answered, rest)) count := since.resize(6) + kind(0).asUInt
      popped := 0
      isTimeout := s.valid && s.waits && !(now - s.deadline).msb
      isReady := s.valid && s.pauses && !(now - s.ready).msb
      may := s.valid && maySend
      again := s.next < s.sent
      state := Step.write
      switch(op) {
        is(Op.command)(state := Mux(s.valid, Step.ending(), Step.write()))
        is(Op.ack)(state := Step.walk)
        is(Op.post) {
          when(room) {
            s.count := s.count + 1
            for (i <- 0 until k.replies) when(s.count === i)(s.words(i) := io.posts.reply.word)
            // It may be quiet no more: an answer may have come since that was asked.
            val opens = quiet || planted.choose(ReplyFault.HeldAnyway, wrong = True, right = False)
            when(io.posts.held) {
              s.open := opens
              s.closes := !opens
            }
          } elsewhen (io.posts.held)(state := Step.ending)
        }
        is(Op.time)(state := Step.answered)
        is(Op.send)(state := Step.made)
        // Whether it has something to send shows when it is written.
        is(Op.wake)(state := Step.write)
      }
    }
    // --- An answer: the replies that it ends, one after the other.
    is(Step.walk) {
      val reserved = !kind(0) && !kind(1) && !kind(3)
      when(!fresh || reserved) {
        events.stale := !fresh
        events.malformed := fresh
        state := Step.write
      } elsewhen (rest === 0 || planted.choose(ReplyFault.OneCompleted, wrong = popped =/= 0, right = False)) {
        state := Step.answered
      } otherwise {
        rest := replyEnds ? (rest - left1 - 1) | U(0)
        s.done := replyEnds ? U(0, 4 bits) | (s.done + rest.resize(4))
        when(replyEnds) {
          s.head := s.head + 1
          s.count := s.count - 1
          s.words := s.words |>> 1
          popped := popped + 1
        }
      }
    }
    is(Step.answered) {
      state := Step.write
      when(op === Op.time) {
        when(isReady)(s.pauses := False)
        when(isTimeout) {
          events.timeout := True
          s.retries := s.retries + 1
          s.wentBack := False
          s.deadline := now + timeout
          goBack()
          closes()
          when(s.retries === RETRIES && planted.choose(ReplyFault.RetriesEndless, wrong = False, right = True)) {
            fails := True
            why := ReplyFailure.SILENT
            state := Step.ending
          }
        }
      } otherwise {
        val moves = answered =/= 0
        val passed = answered >= s.next
        s.unanswered := s.unanswered + answered
        s.sent := s.sent - answered
        s.next := s.next - answered
        s.cursor := s.cursor - popped
        when(moves) {
          s.retries := 0
          s.wentBack := False
          s.waits := s.sent =/= answered
          when(planted.choose(ReplyFault.DeadlineKept, wrong = False, right = True))(s.deadline := now + timeout + 1)
        }
        val follows = kind(3) && (moves || !s.wentBack || planted.choose(ReplyFault.GapFollowedTwice, wrong = True, right = False))
        val stops = kind(1) && !s.pauses
        // What passes all that was sent since leaves the next packet where it is, if that has an access.
        when(passed || follows || stops)(goBack())
        when(follows || stops)(closes())
        when(follows) {
          events.gap := True
          s.wentBack := True
        }
        when(kind(1) && s.pauses)(events.stale := True)
        when(stops) {
          events.notReady := True
          s.wentBack := False
          s.waits := False
          s.retries := 0
          s.pauses := planted.choose(ReplyFault.NotReadyIgnored, wrong = False, right = True)
          s.ready := now + pause + planted.choose(ReplyFault.PauseShort, wrong = U(0), right = U(1))
        }
        when(kind(3) && syndrome(4 downto 0) =/= 0) {
          fails := True
          why := ReplyFailure.REFUSED
          state := Step.ending
        }
      }
    }
    // --- A packet.
    is(Step.made) {
      looksUp := seeks
      s.queued := False
      state := Step.write
      val waits = may && held
      events.held := waits && !s.closes
      when(s.closes || (waits && s.open && planted.choose(ReplyFault.RateKeepsAccess, wrong = False, right = True))) {
        full := True
        s.closes := planted.choose(ReplyFault.EndedTwice, wrong = True, right = False)
        when(!s.closes)(s.open := False)
      } elsewhen (may && !held)(state := Mux(seeks, Step.look(), Step.emit()))
    }
    is(Step.look)(when(io.looks.ready) {
      events.looked := again
      state := Step.looked
    })
    is(Step.looked)(when(io.looked.valid) {
      look := io.looked.payload
      hasLooked := io.looked.status === LeafStatus.DONE
      state := Step.emit
      when(io.looked.status === LeafStatus.FAILED) {
        fails := True
        why := ReplyFailure.MEMORY
        state := Step.ending
      }
    })
    is(Step.emit) {
      state := Step.write
      full := True
      events.sent := True
      events.again := again
      s.open := holds && !stops
      s.next := s.next + 1
      when(!again)(s.sent := s.next + 1)
      s.at := s.at + 1
      when(last) {
        s.at := 0
        s.cursor := s.cursor + 1
      }
      s.waits := True
      when(!s.waits)(s.deadline := now + timeout)
    }
    // --- The end of a queue pair, or no room for a reply.
    is(Step.ending)(when(!owed || !full) {
      state := Step.write
      when(owed && planted.choose(ReplyFault.AccessKept, wrong = False, right = True))(full := True)
      when(op =/= Op.post) {
        s.valid := False
        s.open := False
        s.closes := False
      }
    })
    is(Step.write) {
      state := Step.idle
    }
  }

  // --- What is written back, and who has something to send now.
  kept := s
  when(clears || creates) {
    for ((name, part) <- kept.elements) name match {
      case "valid" => kept.valid := creates
      case "queued" => kept.queued := creates && s.queued
      case "unanswered" => kept.unanswered := io.commands.psn
      case _ => part.assignFromBits(B(0, widthOf(part) bits))
    }
  }
  private val queues = writes && s.valid && !s.queued && ((maySend && !held) || s.closes || (s.open && held)) && !creates
  when(queues)(kept.queued := True)
  turns.io.push.valid := queues
  turns.io.push.pair := pair
  turns.io.push.share := peer.share

  // --- Time.
  when(io.time =/= times.seen && !times.goes && !clears) {
    times.goes := True
    times.seen := io.time
    times.pair := 0
  }

  // --- The packet.
  private val immediate = last && reply.immediate
  private val bytes = Vec((0 to 4).map(mtu => U(256 << mtu, 13 bits)))(peer.mtu.min(4))
  when(!full)(slot.pair := pair)
  rates.io.sent.valid := state === Step.emit
  rates.io.sent.pair := pair
  private val payload = reply.word ? U(8, 13 bits) | bytes
  rates.io.sent.bytes := payload
  when(state === Step.emit) {
    slot.sends := True
    slot.packet.dstMac := peer.mac
    slot.packet.dstIp := peer.ip
    slot.packet.srcPort := peer.srcPort
    // FIRST 06, MIDDLE 07, LAST 08, with immediate 09; ONLY 0a, with immediate 0b.
    val code = UInt(8 bits)
    code := 0x07
    when(last)(code := U(0x08, 8 bits) | immediate.asUInt.resized)
    when(begins)(code := 0x06)
    when(begins && last)(code := U(0x0a, 8 bits) | immediate.asUInt.resized)
    slot.packet.opcode := code.asBits
    slot.packet.pkey := 0xffff
    slot.packet.destQp := peer.qpn
    slot.packet.psn := s.unanswered + s.next
    // Of every eighth packet of a message, and of the last one.
    slot.packet.ackRequest := last || s.at(2 downto 0).andR
    slot.packet.syndrome := 0
    slot.packet.msn := 0
    slot.packet.original := 0
    slot.packet.payload := payload
    slot.va := reply.va
    slot.rkey := reply.rkey
    slot.length := reply.word ? U(8, 32 bits) | U(4096, 32 bits)
    slot.immediate := reply.page.resize(32).asBits
    slot.source := Mux(reply.word, ReplySource.WORD(), ReplySource.FRAME())
    when(looksUp && !hasLooked)(slot.source := ReplySource.ZEROS)
    slot.frame := looksUp ? look.frame | access(k.l.frameBits - 1 downto 0).asUInt
    slot.offset := (s.at << (peer.mtu.min(4) + 8)).resize(12)
    slot.word := reply.data
    val ends = planted.choose(ReplyFault.EndsEarly, wrong = again || begins, right = stops)
    slot.ends := holds && ends && !(again && planted.choose(ReplyFault.LookKept, wrong = True, right = False))
    slot.epoch := looksUp ? look.epoch | access.msb
  }
  when(state === Step.made || (state === Step.ending && !full)) {
    slot.sends := False
    slot.ends := True
    slot.epoch := (op === Op.post) ? io.posts.reply.epoch | access.msb
  }
}
