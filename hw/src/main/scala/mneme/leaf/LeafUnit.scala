package mneme.leaf

import mneme.{Faults, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** A run of leaf tables, as `mneme_rdma::node::SegmentConfig` has it. */
case class LeafSegment(l: LeafConfig) extends Bundle {
  val valid, closed = Bool()
  val pid = UInt(24 bits)
  val rights = LeafRights()
  /** The first line of its table. */
  val line = UInt(l.lineBits bits)
  /** Pages; frames that it may have, and that it has, those included that are being filled. */
  val entries, budget, used = UInt(l.countBits bits)
}

/** A frame that nobody else sees, and whose page it will be. */
case class Filling(l: LeafConfig) extends Bundle {
  val valid = Bool()
  val segment = UInt(l.segmentBits bits)
  val page = UInt(l.countBits bits)
  val frame = UInt(l.frameBits bits)
}

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
case class LeafUnit(l: LeafConfig, plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val request = slave Stream (LeafRequest(l))
    val answer = master Stream (LeafAnswer(l))
    /** An access ends, which LOOK began in this epoch. */
    val ends = slave Flow (Bool())
    val mem = master(Axi4(MemoryBus.config(l.c)))
    val events = out(LeafEvents())

    /** Frames that were given; that may be taken; that wait for accesses to end. */
    val total, usable, waiting = out UInt (l.countBits bits)
    /** The ring's memory takes no lines; all entries are in memory. */
    val stuck, clean = out Bool ()
  }
  val plantedFaults = Faults.port(LeafFault, plantable)
  private val planted = new Faults[LeafFault.Value](plantedFaults)

  private object State extends SpinalEnum {
    val CLEAN, IDLE, LOAD, RELOAD, LOADED, JUDGE, LINE, SHORT, POP, TAKEN, OLD_READ, OLD_LOAD, OLD_PUSH, OLD_STORE, HIDE, ZERO, ZEROED, UNZEROED, REPLACE, ROOM,
        GATHER, CHANGE, NEXT, WALK, WALKED, PUSH, STORE_RECORD, ANSWER = newElement()
  }
  private val state = RegInit(State.CLEAN)
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
  private val epochs = FrameEpochs(l.countBits, planted = planted)
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
  epochs.io.ends << io.ends
  private val unzeroed = memory.io.written(LeafMemory.zeros)
  events.memoryError setWhen (lines.io.memoryError || ring.io.memoryError || (unzeroed.valid && unzeroed.payload))
  events.lineLost setWhen (ring.io.lineLost)

  // --- Tables.
  private val walk = Reg(UInt(l.fillerBits max l.segmentBits bits)) init 0
  private val segments = Mem(LeafSegment(l), l.segments)
  private val fillers = Mem(Filling(l), l.fillers)
  private val idle = state === State.IDLE
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
  segments.write((state === State.CLEAN) ? walk.resize(l.segmentBits) | target, stored, storesRecord)
  fillers.write(filler, storedFilling, storesFilling)

  // --- The ring and the epochs, from most of the states.
  private val capacity = Reg(UInt(l.countBits bits)) init 0
  private val total = Reg(UInt(l.countBits bits)) init 0
  private val ringBase, ringMask = Reg(UInt(l.lineBits bits)) init 0
  ring.io.base := ringBase
  ring.io.mask := ringMask
  ring.io.pop.ready := state === State.POP
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
  lines.io.change.valid := state === State.CHANGE
  private val loops = does(LeafOperation.FREE, LeafOperation.SWEEP)
  /** Those of the line that are freed. */
  private val inRange = Reg(Bits(LeafConfig.LANES bits))
  for ((frame, i) <- lines.io.change.payload.zipWithIndex) {
    frame := lines.io.line(i)
    when(loops && inRange(i))(frame := planted.choose(LeafFault.EntryKept, wrong = lines.io.line(i), right = U(0, l.frameBits bits)))
    when(!loops && lane === i)(frame := answer.frame)
  }

  private def lineOf(record: LeafSegment, page: UInt): UInt = record.line + (page >> 3).resize(l.lineBits)
  private def ends(status: LeafStatus.E): Unit = {
    answer.status := status
    state := State.ANSWER
  }
  private def ask(): Unit = {
    lines.io.ask.valid := True
    when(lines.io.ask.ready)(state := State.LINE)
  }

  // --- Zeros.
  private val bursts = Reg(UInt(3 bits))
  private val owed = Reg(UInt(3 bits)) init 0
  private val zeroFailed = Reg(Bool())
  private val zeroBursts = (1 << LeafConfig.FRAME_LOG2) / 64 / LeafMemory.zeroBeats
  private val zeroing = memory.io.write(LeafMemory.zeros)
  zeroing.valid := state === State.ZERO
  zeroing.line := answer.frame @@ bursts.resize(log2Up(zeroBursts)) @@ U(0, log2Up(LeafMemory.zeroBeats) bits)
  zeroing.frames.foreach(_ := 0)
  zeroing.zeros := True
  owed := owed + zeroing.fire.asUInt - unzeroed.valid.asUInt
  when(unzeroed.valid && unzeroed.payload)(zeroFailed := True)

  io.request.ready := idle
  io.answer.valid := state === State.ANSWER
  io.answer.payload := answer
  io.total := total
  io.usable := epochs.io.usable
  io.waiting := epochs.io.waiting
  io.stuck := ring.io.stuck
  io.clean := lines.io.clean

  switch(state) {
    is(State.CLEAN) {
      storesRecord := True
      stored.valid := False
      filler := walk.resized
      storesFilling := True
      walk := walk + 1
      when(walk.andR)(state := State.IDLE)
    }
    is(State.IDLE) {
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
      when(io.request.operation === LeafOperation.FREE || io.request.operation === LeafOperation.CHECK || io.request.operation === LeafOperation.PUSH)(
        end := io.request.page +^ io.request.pages
      )
      when(io.request.valid)(state := State.LOAD)
    }
    is(State.LOAD) {
      record := readRecord
      filling := readFilling
      wanted := lineOf(readRecord, page)
      state := State.JUDGE
      when(does(LeafOperation.PUBLISH, LeafOperation.GIVE_UP)) {
        target := readFilling.segment
        page := readFilling.page
        when(readFilling.valid) {
          answer.frame := readFilling.frame
          state := State.RELOAD
        }.otherwise(ends(LeafStatus.NOTHING))
      }
    }
    is(State.RELOAD)(state := State.LOADED)
    is(State.LOADED) {
      record := readRecord
      wanted := lineOf(readRecord, page)
      state := State.JUDGE
    }
    is(State.JUDGE)(judge())
    is(State.LINE)(when(lines.io.ended.valid)(took()))

    // --- A frame is needed.
    is(State.SHORT) {
      val needed = U(1, 2 bits) + r.also.asUInt.resized
      val spent = record.used +^ needed > record.budget.resize(l.countBits + 1)
      // What goes back must find its place, whatever happens.
      when(planted.choose(LeafFault.BudgetIgnored, wrong = False, right = spent)) {
        events.budgetSpent := True
        ends(LeafStatus.BUDGET_SPENT)
      }.elsewhen(epochs.io.usable < needed) {
        events.ringEmpty := True
        ends(LeafStatus.RING_EMPTY)
      }.elsewhen(noRoom)(ends(LeafStatus.FAILED)).elsewhen(room)(state := State.POP)
    }
    is(State.POP) {
      when(ring.io.pop.fire) {
        answer.frame := ring.io.pop.payload
        // A null stands for a frame that memory has lost.
        state := does(LeafOperation.POP) ? State.JUDGE | State.SHORT
        when(ring.io.pop.payload =/= 0) {
          state := State.TAKEN
          record.used := record.used + 1
          when(does(LeafOperation.POP)) {
            total := total - 1
            ends(LeafStatus.DONE)
          }
        }
      }
    }
    is(State.TAKEN) {
      storesRecord := True
      events.taken := True
      state := State.ZERO
      when(planted.choose(LeafFault.NotZeroed, wrong = True, right = False))(state := State.CHANGE)
      when(r.whole && r.first) {
        target := filling.segment
        state := State.HIDE
        when(filling.valid && !planted.choose(LeafFault.HiddenKept, wrong = True, right = False))(state := State.OLD_READ)
      }
    }
    is(State.OLD_READ)(state := State.OLD_LOAD)
    is(State.OLD_LOAD) {
      record := readRecord
      state := State.OLD_PUSH
    }
    is(State.OLD_PUSH) {
      ring.io.push.valid := True
      ring.io.push.payload := filling.frame
      when(ring.io.push.ready) {
        oneLess()
        state := State.OLD_STORE
      }
    }
    is(State.OLD_STORE) {
      storesRecord := True
      state := State.HIDE
    }
    is(State.HIDE) {
      storedFilling.valid := True
      storesFilling := True
      answer.hidden := True
      ends(LeafStatus.DONE)
    }
    is(State.ZERO) {
      when(zeroing.fire) {
        bursts := bursts + 1
        when(bursts === zeroBursts - 1)(state := State.ZEROED)
      }
    }
    is(State.ZEROED)(when(owed === 0)(state := zeroFailed ? State.UNZEROED | State.CHANGE))
    is(State.UNZEROED) {
      ring.io.push.valid := True
      when(ring.io.push.ready) {
        oneLess()
        answer.status := LeafStatus.FAILED
        state := State.STORE_RECORD
      }
    }

    // --- Frames go back.
    is(State.REPLACE) {
      ring.io.push.valid := room
      ring.io.push.payload := does(LeafOperation.PUBLISH) ? entry | answer.frame
      when(noRoom)(ends(LeafStatus.FAILED))
      when(ring.io.push.fire) {
        oneLess()
        events.freed := True
        state := State.CHANGE
        when(does(LeafOperation.GIVE_UP)) {
          events.freed := False
          storesFilling := True
          answer.status := LeafStatus.DONE
          state := State.STORE_RECORD
        }
      }
    }
    is(State.ROOM) {
      when(room)(state := State.GATHER)
      when(noRoom) {
        answer.status := LeafStatus.FAILED
        state := State.STORE_RECORD
      }
    }
    is(State.GATHER) {
      val first = OHMasking.first(todo)
      ring.io.push.valid := True
      ring.io.push.payload := MuxOH(first, lines.io.line)
      when(ring.io.push.ready) {
        todo := todo & ~first
        oneLess()
        answer.count := answer.count + 1
        events.freed := True
        when((todo & ~first) === 0)(state := State.CHANGE)
      }
    }
    is(State.CHANGE) {
      when(lines.io.change.ready) {
        state := State.NEXT
        when(!loops) {
          answer.status := LeafStatus.DONE
          state := State.STORE_RECORD
          storesFilling := does(LeafOperation.PUBLISH)
        }
      }
    }
    is(State.NEXT) {
      page := (page(l.countBits - 1 downto 3) + 1) @@ U(0, 3 bits)
      wanted := wanted + 1
      state := State.JUDGE
      when((page(l.countBits - 1 downto 3) +^ U(1)) @@ U(0, 3 bits) >= end) {
        answer.status := LeafStatus.DONE
        state := State.STORE_RECORD
        when(does(LeafOperation.SWEEP)) {
          // `count` is what is left.
          record.entries := left
          record.valid := left =/= 0
        }
      }
    }
    is(State.WALK)(state := State.WALKED)
    is(State.WALKED) {
      val matches = readFilling.valid && readFilling.segment === r.segment
      filler := walk.resize(l.fillerBits)
      ring.io.push.valid := matches && room
      ring.io.push.payload := readFilling.frame
      when(matches && noRoom) {
        answer.status := LeafStatus.FAILED
        state := State.STORE_RECORD
      }
      when(!matches || ring.io.push.fire) {
        walk := walk + 1
        state := State.WALK
        when(matches) {
          oneLess()
          storesFilling := True
        }
        when(walk === l.fillers - 1) {
          answer.status := LeafStatus.DONE
          state := State.STORE_RECORD
        }
      }
    }
    is(State.PUSH) {
      ring.io.push.valid := page.resize(l.countBits + 1) =/= end && room
      ring.io.push.payload := page.resized
      when(ring.io.push.fire) {
        page := page + 1
        total := total + 1
        answer.count := answer.count + 1
      }
      when(page.resize(l.countBits + 1) === end)(ends(LeafStatus.DONE)).elsewhen(noRoom)(ends(LeafStatus.FAILED))
    }
    is(State.STORE_RECORD) {
      storesRecord := True
      state := State.ANSWER
      when(does(LeafOperation.SWEEP) && answer.status === LeafStatus.DONE)(answer.count := record.valid ? record.entries | U(0))
    }
    is(State.ANSWER)(when(io.answer.ready)(state := State.IDLE))
  }

  /** What is left of a segment when it has been swept. */
  private def left: UInt = (r.pages < record.entries) ? (record.entries - r.pages) | U(0)

  /** The request's segment is known. */
  private def judge(): Unit = {
    import LeafOperation._
    val known = record.valid && record.pid === r.pid
    val inside = end <= record.entries.resize(l.countBits + 1) && (does(LOOK, STORE) || r.pages =/= 0)
    val allowed = (r.rights.asBits & ~record.rights.asBits) === 0
    val own = filling.valid && filling.segment === r.segment && filling.page === r.page && !r.first
    switch(r.operation) {
      is(LOOK, STORE, CHECK, FREE) {
        when(!known)(ends(LeafStatus.UNKNOWN)).elsewhen(!inside) {
          events.outside := True
          ends(LeafStatus.OUTSIDE)
        }.elsewhen(!allowed) {
          events.right := True
          ends(LeafStatus.RIGHT)
        }.elsewhen(does(CHECK))(ends(LeafStatus.DONE)).elsewhen(does(STORE) && own) {
          answer.frame := filling.frame
          answer.hidden := True
          ends(LeafStatus.DONE)
        }.otherwise(ask())
      }
      is(PUBLISH)(ask())
      is(GIVE_UP)(state := State.REPLACE)
      is(CREATE) {
        record.valid := True
        record.closed := False
        record.pid := r.pid
        record.rights := r.rights
        record.line := r.line
        record.entries := r.pages
        record.budget := r.page
        record.used := 0
        answer.status := LeafStatus.DONE
        state := State.STORE_RECORD
        when(record.valid)(ends(LeafStatus.TAKEN))
        when(r.pages === 0)(ends(LeafStatus.BAD_RANGE))
      }
      is(SET_RIGHTS) {
        record.rights := r.rights
        answer.status := LeafStatus.DONE
        state := State.STORE_RECORD
        when(!record.valid || record.closed)(ends(LeafStatus.UNKNOWN))
      }
      is(CLOSE) {
        record.rights.assignFromBits(B(0, 3 bits))
        record.closed := True
        state := State.WALK
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
          wanted := lineOf(record, left)
        }.otherwise(ask())
      }
      is(PUSH) {
        state := State.PUSH
        when(total +^ r.pages > capacity.resize(l.countBits + 1))(ends(LeafStatus.FULL))
        when(r.page === 0 || end > (BigInt(1) << l.frameBits))(ends(LeafStatus.BAD_RANGE))
      }
      is(POP) {
        when(epochs.io.usable === 0)(ends(LeafStatus.RING_EMPTY)).otherwise(state := State.POP)
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
      answer.status := LeafStatus.FAILED
      state := State.STORE_RECORD
    }.otherwise {
      switch(r.operation) {
        is(LOOK) {
          answer.frame := entry
          answer.epoch := epochs.io.now
          when(entry === 0) {
            events.unmapped := True
            ends(LeafStatus.UNMAPPED)
          }.otherwise {
            epochs.io.begins := r.begins
            ends(LeafStatus.DONE)
          }
        }
        is(STORE) {
          answer.frame := entry
          state := State.SHORT
          when(entry =/= 0)(ends(LeafStatus.DONE))
        }
        is(PUBLISH)(state := (entry =/= 0) ? State.REPLACE | State.CHANGE)
        default {
          val lanes = Bits(LeafConfig.LANES bits)
          for (i <- 0 until LeafConfig.LANES) {
            val at = page(l.countBits - 1 downto 3) @@ U(i, 3 bits)
            lanes(i) := at >= page && at.resize(l.countBits + 1) < end
          }
          inRange := lanes
          val frames = lanes & B(lines.io.line.map(_ =/= 0))
          todo := frames
          state := (frames === 0) ? State.NEXT | State.ROOM
        }
      }
    }
  }
}
