package mneme.leaf

import mneme.Faults
import spinal.core._
import spinal.lib._

/** The leaf unit: sole writer of the entries of pages of 4 KB, and of the ring of free frames.
  *
  * An example. A queue pair has the first packet of a WRITE that covers page 5 of segment 2. It asks for a place to STORE: the page has no frame, so one is
  * taken from the ring, and nobody else sees it. The queue pair fills it. When memory has acknowledged its last byte it asks to PUBLISH: entry 5 of segment 2
  * is the frame's address from then on. Does the queue pair end before, then it gives the frame up.
  *
  * One operation is done at a time, so each is atomic, and refuses what the golden model (`mneme_rdma::node`) refuses, in its order: no such segment, outside,
  * rights; then for a store that needs a frame the budget, then the ring. Memory's answers to changed entries are not awaited (LeafLines), and the ring works
  * beside (FrameRing). Ends of accesses come at a port of their own: nothing here waits for one.
  *
  * | a partial store to a page without frame | one that has all of the page |
  * |---|---|
  * | the frame is zeroed and published; `hidden` is not set | the frame is `hidden` until PUBLISH; what the filler had before goes back |
  *
  * The slow path gives tables whose lines are zeros. A table that has been swept is zeros again. A reset forgets segments, ring, and all that is kept here.
  */
case class LeafUnit(l: LeafConfig, plantable: Boolean = false, both: Boolean = false) extends Component {
  val io = LeafPorts(l, both)
  val plantedFaults = Faults.port(LeafFault, plantable)
  private val planted = new Faults[LeafFault.Value](plantedFaults)

  private val state = RegInit(LeafState.CLEAN)
  private val r = RegNextWhen(io.request.payload, io.request.fire)
  private def does(operation: LeafOperation.E*): Bool = operation.map(r.operation === _).reduce(_ || _)
  private val answer = Reg(LeafAnswer(l))
  private val events = LeafEvents()
  events.flatten.foreach { case event: Bool => event := False }
  io.events := RegNext(events)

  // --- Parts.
  private val memory = LeafMemory(l)
  private val lines = LeafLines(l, planted)
  private val ring = FrameRing(l.frameBits, LeafConfig.LANES, l.ahead, l.lineBits, planted = planted)
  private val epochs = FrameEpochs(l.countBits, planted = planted, both = both)
  io.mem << memory.io.mem
  memory.io.read(LeafMemory.entries) << lines.io.read
  lines.io.got << memory.io.got(LeafMemory.entries)
  memory.io.write(LeafMemory.entries) << lines.io.write
  lines.io.written << memory.io.written(LeafMemory.entries)
  memory.io.read(LeafMemory.ring) << ring.io.read
  ring.io.got << memory.io.got(LeafMemory.ring)
  private val ringWrite = memory.io.write(LeafMemory.ring)
  ringWrite.arbitrationFrom(ring.io.write)
  ringWrite.line := ring.io.write.line
  ringWrite.frames := ring.io.write.frames
  ringWrite.zeros := False
  ring.io.written << memory.io.written(LeafMemory.ring)
  io.tellEnds(epochs)
  private val unzeroed = memory.io.written(LeafMemory.zeros)
  events.memoryError setWhen (lines.io.memoryError || ring.io.memoryError || (unzeroed.valid && unzeroed.payload))
  events.lineLost setWhen (ring.io.lineLost)

  // --- Tables.
  private val walk = Reg(UInt(l.fillerBits max l.segmentBits bits)) init 0
  private val segments = Mem(LeafSegment(l), l.segments)
  private val fillers = Mem(Filling(l), l.fillers)
  private val idle = state === LeafState.IDLE
  /** Whose record is read or written. */
  private val target = Reg(UInt(l.segmentBits bits))
  private val record = Reg(LeafSegment(l))
  private val filling = Reg(Filling(l))
  private val readRecord = segments.readSync(idle ? io.request.segment | target)
  private val readFilling = fillers.readSync(idle ? io.request.filler | walk.resize(l.fillerBits))
  private val storesRecord, storesFilling = False
  private val stored = CombInit(record)
  private val storedFilling = Filling(l)
  storedFilling.valid := False
  storedFilling.segment := r.segment
  storedFilling.page := r.page
  storedFilling.frame := answer.frame
  private val filler = CombInit(r.filler)
  segments.write((state === LeafState.CLEAN) ? walk.resize(l.segmentBits) | target, stored, storesRecord)
  fillers.write(filler, storedFilling, storesFilling)

  // --- The ring and the epochs, from most of the states.
  private val capacity = Reg(UInt(l.countBits bits)) init 0
  private val total = Reg(UInt(l.countBits bits)) init 0
  private val ringBase, ringMask = Reg(UInt(l.lineBits bits)) init 0
  ring.io.base := ringBase
  ring.io.mask := ringMask
  ring.io.pop.ready := state === LeafState.POP
  ring.io.push.valid := False
  ring.io.push.payload := answer.frame
  epochs.io.taken := ring.io.pop.fire
  epochs.io.came := ring.io.push.fire && does(LeafOperation.PUSH)
  epochs.io.freed := ring.io.push.fire && !does(LeafOperation.PUSH)
  epochs.io.begins := False
  /** A frame can go back now; none can, and that will not change soon. */
  private val room = ring.io.room
  private val noRoom = !room && ring.io.stuck
  private def oneLess(): Unit = record.used := record.used - 1

  // --- Lines of entries. `page` is the one that is worked on, `end` the one behind the last.
  private val page = Reg(UInt(l.countBits bits))
  private val end = Reg(UInt(l.countBits + 1 bits))
  private val wanted = Reg(UInt(l.lineBits bits))
  /** SWEEP knows its first line. */
  private val swept = Reg(Bool())
  private val lane = page.resize(3)
  private val entry = lines.io.line(lane)
  private val todo = Reg(Bits(LeafConfig.LANES bits))
  lines.io.ask.valid := False
  lines.io.ask.payload := wanted
  lines.io.change.valid := state === LeafState.CHANGE
  private val loops = does(LeafOperation.FREE, LeafOperation.SWEEP)
  /** Those of the line that are freed; nothing is left; it is the last line. `page` and `end` stand for some cycles before anybody looks at these. */
  private val inRange = RegNext(B((0 until LeafConfig.LANES).map { i =>
    val at = page(l.countBits - 1 downto 3) @@ U(i, 3 bits)
    at >= page && at.resize(l.countBits + 1) < end
  }))
  private val isEnd = RegNext(page.resize(l.countBits + 1) === end)
  private val isLast = RegNext((page(l.countBits - 1 downto 3) +^ U(1)) @@ U(0, 3 bits) >= end)
  for ((frame, i) <- lines.io.change.payload.zipWithIndex) {
    frame := lines.io.line(i)
    when(loops && inRange(i))(frame := planted.choose(LeafFault.EntryKept, wrong = lines.io.line(i), right = U(0, l.frameBits bits)))
    when(!loops && lane === i)(frame := answer.frame)
  }

  // --- What is judged by, worked out while the record comes from its memory, so that no comparison stands before the next state.
  private val known, inside, allowed, own, spent, exceeds, noFrames = Reg(Bool())
  /** What is left of a segment when it has been swept. */
  private val left = Reg(UInt(l.countBits bits))
  private val needed = U(1, 2 bits) + r.also.asUInt.resized
  /** So many frames may not be taken now. */
  private val tooFew = epochs.io.usable(l.countBits - 1 downto 1) === 0 && (r.also || !epochs.io.usable(0))
  private def loads(): Unit = {
    record := readRecord
    wanted := readRecord.lineOf(page)
    known := readRecord.valid && readRecord.pid === r.pid
    inside := end <= readRecord.entries.resize(l.countBits + 1) && (does(LeafOperation.LOOK, LeafOperation.STORE) || r.pages =/= 0)
    allowed := (r.rights.asBits & ~readRecord.rights.asBits) === 0
    spent := readRecord.used +^ needed > readRecord.budget.resize(l.countBits + 1)
    left := (r.pages < readRecord.entries) ? (readRecord.entries - r.pages) | U(0)
    state := LeafState.JUDGE
  }

  private def ends(status: LeafStatus.E): Unit = {
    answer.status := status
    state := LeafState.ANSWER
  }
  private def refuses(event: Bool, status: LeafStatus.E): Unit = {
    event := True
    ends(status)
  }
  private def stores(status: LeafStatus.E): Unit = {
    answer.status := status
    state := LeafState.STORE_RECORD
  }
  private def ask(): Unit = {
    lines.io.ask.valid := True
    when(lines.io.ask.ready)(state := LeafState.LINE)
  }

  // --- Zeros.
  private val bursts = Reg(UInt(3 bits))
  private val owed = Reg(UInt(3 bits)) init 0
  private val zeroFailed = Reg(Bool())
  private val zeroBursts = (1 << LeafConfig.FRAME_LOG2) / 64 / LeafMemory.zeroBeats
  private val zeroing = memory.io.write(LeafMemory.zeros)
  zeroing.valid := state === LeafState.ZERO
  zeroing.line := answer.frame @@ bursts.resize(log2Up(zeroBursts)) @@ U(0, log2Up(LeafMemory.zeroBeats) bits)
  zeroing.frames.foreach(_ := 0)
  zeroing.zeros := True
  owed := owed + zeroing.fire.asUInt - unzeroed.valid.asUInt
  when(unzeroed.valid && unzeroed.payload)(zeroFailed := True)

  io.request.ready := idle
  io.answer.valid := state === LeafState.ANSWER
  io.answer.payload := answer
  io.total := total
  io.usable := epochs.io.usable
  io.waiting := epochs.io.waiting
  io.stuck := ring.io.stuck
  io.clean := lines.io.clean

  switch(state) {
    is(LeafState.CLEAN) {
      storesRecord := True
      stored.valid := False
      filler := walk.resized
      storesFilling := True
      walk := walk + 1
      when(walk.andR)(state := LeafState.IDLE)
    }
    is(LeafState.IDLE) {
      target := io.request.segment
      page := io.request.page
      answer.frame := 0
      answer.count := 0
      answer.hidden := False
      answer.epoch := False
      walk := 0
      bursts := 0
      zeroFailed := False
      swept := False
      end := (io.request.page +^ 1).resized
      when(io.request.hasRange)(end := io.request.page +^ io.request.pages)
      when(io.request.valid)(state := LeafState.LOAD)
    }
    is(LeafState.LOAD) {
      loads()
      filling := readFilling
      own := readFilling.valid && readFilling.segment === r.segment && readFilling.page === r.page && !r.first
      exceeds := total +^ r.pages > capacity.resize(l.countBits + 1)
      noFrames := r.page === 0 || end > (BigInt(1) << l.frameBits)
      when(does(LeafOperation.PUBLISH, LeafOperation.GIVE_UP)) {
        target := readFilling.segment
        page := readFilling.page
        when(readFilling.valid) {
          answer.frame := readFilling.frame
          state := LeafState.RELOAD
        }.otherwise(ends(LeafStatus.NOTHING))
      }
    }
    is(LeafState.RELOAD)(state := LeafState.LOADED)
    is(LeafState.LOADED)(loads())
    is(LeafState.JUDGE)(judge())
    is(LeafState.LINE)(when(lines.io.ended.valid)(took()))

    // --- A frame is needed.
    is(LeafState.SHORT) {
      // What goes back must find its place, whatever happens.
      when(planted.choose(LeafFault.BudgetIgnored, wrong = False, right = spent))(refuses(
        events.budgetSpent,
        LeafStatus.BUDGET_SPENT
      )).elsewhen(tooFew)(refuses(
        events.ringEmpty,
        LeafStatus.RING_EMPTY
      )).elsewhen(noRoom)(ends(LeafStatus.FAILED)).elsewhen(room)(state := LeafState.POP)
    }
    is(LeafState.POP) {
      when(ring.io.pop.fire) {
        answer.frame := ring.io.pop.payload
        // A null stands for a frame that memory has lost.
        state := does(LeafOperation.POP) ? LeafState.JUDGE | LeafState.SHORT
        when(ring.io.pop.payload =/= 0) {
          state := LeafState.TAKEN
          record.used := record.used + 1
          when(does(LeafOperation.POP)) {
            total := total - 1
            ends(LeafStatus.DONE)
          }
        }
      }
    }
    is(LeafState.TAKEN) {
      storesRecord := True
      events.taken := True
      state := LeafState.ZERO
      when(planted.choose(LeafFault.NotZeroed, wrong = True, right = False))(state := LeafState.CHANGE)
      when(r.whole && r.first) {
        target := filling.segment
        state := LeafState.HIDE
        when(filling.valid && !planted.choose(LeafFault.HiddenKept, wrong = True, right = False))(state := LeafState.OLD_READ)
      }
    }
    is(LeafState.OLD_READ)(state := LeafState.OLD_LOAD)
    is(LeafState.OLD_LOAD) {
      record := readRecord
      state := LeafState.OLD_PUSH
    }
    is(LeafState.OLD_PUSH) {
      ring.io.push.valid := True
      ring.io.push.payload := filling.frame
      when(ring.io.push.ready) {
        oneLess()
        state := LeafState.OLD_STORE
      }
    }
    is(LeafState.OLD_STORE) {
      storesRecord := True
      state := LeafState.HIDE
    }
    is(LeafState.HIDE) {
      storedFilling.valid := True
      storesFilling := True
      answer.hidden := True
      ends(LeafStatus.DONE)
    }
    is(LeafState.ZERO) {
      when(zeroing.fire) {
        bursts := bursts + 1
        when(bursts === zeroBursts - 1)(state := LeafState.ZEROED)
      }
    }
    is(LeafState.ZEROED)(when(owed === 0)(state := zeroFailed ? LeafState.UNZEROED | LeafState.CHANGE))
    is(LeafState.UNZEROED) {
      ring.io.push.valid := True
      when(ring.io.push.ready) {
        oneLess()
        stores(LeafStatus.FAILED)
      }
    }

    // --- Frames go back.
    is(LeafState.REPLACE) {
      ring.io.push.valid := room
      ring.io.push.payload := does(LeafOperation.PUBLISH) ? entry | answer.frame
      when(noRoom)(ends(LeafStatus.FAILED))
      when(ring.io.push.fire) {
        oneLess()
        events.freed := True
        state := LeafState.CHANGE
        when(does(LeafOperation.GIVE_UP)) {
          events.freed := False
          storesFilling := True
          stores(LeafStatus.DONE)
        }
      }
    }
    is(LeafState.ROOM) {
      when(room)(state := LeafState.GATHER)
      when(noRoom)(stores(LeafStatus.FAILED))
    }
    is(LeafState.GATHER) {
      // Without a carry, which stands before the next state.
      val rest = B((0 until LeafConfig.LANES).map(i => todo(i) && todo.asBools.take(i).foldLeft(False)(_ || _)))
      ring.io.push.valid := True
      ring.io.push.payload := MuxOH(todo & ~rest, lines.io.line)
      when(ring.io.push.ready) {
        todo := rest
        oneLess()
        answer.count := answer.count + 1
        events.freed := True
        when(!rest.orR)(state := LeafState.CHANGE)
      }
    }
    is(LeafState.CHANGE) {
      when(lines.io.change.ready) {
        state := LeafState.NEXT
        when(!loops) {
          stores(LeafStatus.DONE)
          storesFilling := does(LeafOperation.PUBLISH)
        }
      }
    }
    is(LeafState.NEXT) {
      page := (page(l.countBits - 1 downto 3) + 1) @@ U(0, 3 bits)
      wanted := wanted + 1
      state := LeafState.JUDGE
      when(isLast) {
        stores(LeafStatus.DONE)
        when(does(LeafOperation.SWEEP)) {
          // `count` is what is left.
          record.entries := left
          record.valid := left =/= 0
        }
      }
    }
    is(LeafState.WALK)(state := LeafState.WALKED)
    is(LeafState.WALKED) {
      val matches = readFilling.valid && readFilling.segment === r.segment
      filler := walk.resize(l.fillerBits)
      ring.io.push.valid := matches && room
      ring.io.push.payload := readFilling.frame
      when(matches && noRoom)(stores(LeafStatus.FAILED))
      when(!matches || ring.io.push.fire) {
        walk := walk + 1
        state := LeafState.WALK
        when(matches) {
          oneLess()
          storesFilling := True
        }
        when(walk === l.fillers - 1)(stores(LeafStatus.DONE))
      }
    }
    is(LeafState.PUSH) {
      ring.io.push.valid := !isEnd && room
      ring.io.push.payload := page.resized
      when(ring.io.push.fire) {
        page := page + 1
        isEnd := page +^ U(1) === end
        total := total + 1
        answer.count := answer.count + 1
      }
      when(isEnd)(ends(LeafStatus.DONE)).elsewhen(noRoom)(ends(LeafStatus.FAILED))
    }
    is(LeafState.STORE_RECORD) {
      storesRecord := True
      state := LeafState.ANSWER
      when(does(LeafOperation.SWEEP) && answer.status === LeafStatus.DONE)(answer.count := record.valid ? record.entries | U(0))
    }
    is(LeafState.ANSWER)(when(io.answer.ready)(state := LeafState.IDLE))
  }

  /** The request's segment is known. */
  private def judge(): Unit = {
    import LeafOperation._
    switch(r.operation) {
      is(LOOK, STORE, CHECK, FREE) {
        when(!known)(ends(LeafStatus.UNKNOWN)).elsewhen(!inside)(refuses(events.outside, LeafStatus.OUTSIDE)).elsewhen(!allowed)(refuses(
          events.right,
          LeafStatus.RIGHT
        )).elsewhen(does(CHECK))(ends(LeafStatus.DONE)).elsewhen(does(STORE) && own) {
          answer.frame := filling.frame
          answer.hidden := True
          ends(LeafStatus.DONE)
        }.otherwise(ask())
      }
      is(PUBLISH)(ask())
      is(GIVE_UP)(state := LeafState.REPLACE)
      is(CREATE) {
        record.valid := True
        record.closed := False
        record.pid := r.pid
        record.rights := r.rights
        record.line := r.line
        record.entries := r.pages
        record.budget := r.page
        record.used := 0
        stores(LeafStatus.DONE)
        when(record.valid)(ends(LeafStatus.TAKEN))
        when(r.pages === 0)(ends(LeafStatus.BAD_RANGE))
      }
      is(SET_RIGHTS) {
        record.rights := r.rights
        stores(LeafStatus.DONE)
        when(!record.valid || record.closed)(ends(LeafStatus.UNKNOWN))
      }
      is(CLOSE) {
        record.rights.assignFromBits(B(0, 3 bits))
        record.closed := True
        state := LeafState.WALK
        when(!record.valid)(ends(LeafStatus.UNKNOWN))
      }
      is(SWEEP) {
        // The first line is known a cycle later; those behind it are asked for here.
        when(!record.valid)(ends(LeafStatus.UNKNOWN)).elsewhen(!record.closed)(ends(LeafStatus.TAKEN)).elsewhen(r.pages === 0) {
          answer.count := record.entries
          ends(LeafStatus.DONE)
        }.elsewhen(!swept) {
          swept := True
          page := left
          end := record.entries.resized
          wanted := record.lineOf(left)
        }.otherwise(ask())
      }
      is(PUSH) {
        state := LeafState.PUSH
        when(exceeds)(ends(LeafStatus.FULL))
        when(noFrames)(ends(LeafStatus.BAD_RANGE))
      }
      is(POP) {
        when(epochs.io.usable === 0)(ends(LeafStatus.RING_EMPTY)).otherwise(state := LeafState.POP)
      }
      is(RING) {
        ends(LeafStatus.TAKEN)
        when(total === 0) {
          ringBase := r.line
          ringMask := r.page.resized
          capacity := ((r.page + 1) << 3).resized
          ends(LeafStatus.DONE)
        }
      }
      is(USED) {
        ends(LeafStatus.UNKNOWN)
        when(record.valid) {
          answer.count := record.used
          ends(LeafStatus.DONE)
        }
      }
    }
  }

  /** The line of `page` is there, or could not be had. */
  private def took(): Unit = {
    import LeafOperation._
    when(lines.io.ended.payload) {
      stores(LeafStatus.FAILED)
    }.otherwise {
      switch(r.operation) {
        is(LOOK) {
          answer.frame := entry
          answer.epoch := epochs.io.now
          when(!lines.io.there(lane))(refuses(events.unmapped, LeafStatus.UNMAPPED)).otherwise {
            epochs.io.begins := r.begins
            ends(LeafStatus.DONE)
          }
        }
        is(STORE) {
          answer.frame := entry
          state := LeafState.SHORT
          when(lines.io.there(lane))(ends(LeafStatus.DONE))
        }
        is(PUBLISH)(state := lines.io.there(lane) ? LeafState.REPLACE | LeafState.CHANGE)
        default {
          val frames = inRange & lines.io.there
          todo := frames
          state := (frames === 0) ? LeafState.NEXT | LeafState.ROOM
        }
      }
    }
  }
}
