package mneme.chain

import mneme.{BoardBench, CBoard, Simulation}
import mneme.leaf.{LeafBoard, LeafBoardTest}
import mneme.rdma.RoceReference.{read => bytesAt, _}
import mneme.rdma.{PortRegisters, RocePacket, RocePeer}
import mneme.wire.Wire
import mneme.wire.Wire.{ChainCounter, ChainRegister, LeafRegister, LeafResult, RoceCounter, Status}
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** Chains of a whole board: the slow path makes segment and queue pairs by registers, clients load, store and invalidate, and stock frames and Mneme's requests
  * reach the same pages.
  */
class ChainBoardTest extends LeafBoard {
  override protected def chains: Int = 16
  override protected lazy val compiled: SimCompiled[CBoard] = Simulation.config.compile {
    val dut = CBoard(config)
    // With what the bench must know to heed the store's room.
    dut.roce.receive.io.giveBack.valid.simPublic()
    dut
  }
  private val segment = 3
  private val va = 0x40 * page
  private def at(number: Int): BigInt = va + number * frame
  private val acknowledged = (0x11, 0x1f, Nil)

  /** Clients, and the slow path's registers of chains. */
  private class Chains(val t: Bench, seed: Int, loss: Int = 0) extends ChainWork {
    import t.b
    protected val random = new Random(seed)
    val peer = new RocePeer(t.dut, b, seed)
    val registers = new PortRegisters(t.dut.io.regs, random, jitter = true, () => b.domain.waitSampling(), Wire.CHAIN_BASE)
    /** They begin messages by themselves. */
    var going = false
    var now = 0L
    /** Cycles from the last beat in to the first one out, of the first frame of each opcode since the mark. */
    val between = mutable.Map[Int, Long]()

    /** Packets in the port's store of 32, and how many clients let it have. */
    private var inside = 0
    var most = 28
    private var begins = true
    private val rx = t.dut.io.net.rx
    b.domain.onSamplings {
      now += 1
      if (rx.valid.toBoolean && rx.ready.toBoolean) {
        if (begins && rx.data.toBytes.slice(36, 38).map(_ & 0xff).toSeq == number(4791, 2)) inside += 1
        begins = rx.last.toBoolean
      }
      if (t.dut.roce.receive.io.giveBack.valid.toBoolean) inside -= 1
      if (going) beginSome(2)
      for (client <- clients.values if !b.sending && inside < most; packet <- client.next(now)) b.sendFrame(packet.bytes.toArray)
    }
    b.taken = frame => {
      val own = if (bytesAt(frame, 36, 2) == 4791) clients.values.find(_.link.peerQpn == bytesAt(frame, 47, 3)) else None
      own.foreach(comes(_, frame))
      own.isDefined
    }
    private def comes(client: ChainClient, frame: Bytes): Unit = {
      val opcode = frame(42)
      between.getOrElseUpdate(opcode, b.between)
      val (headers, transport) = (layout(opcode)._1, frame.slice(42, frame.size - 4))
      val body = transport.slice(12 + headers, transport.size - ((frame(43) >> 4) & 3))
      val (asks, psn, extension) = ((frame(50) & 0x80) != 0, bytesAt(frame, 51, 3).toInt, transport.slice(12, 12 + headers))
      val link = client.link
      val want = RocePacket(
        link.mac,
        b.mac,
        link.ip,
        b.ip,
        srcPort = link.port,
        opcode = opcode,
        destQp = link.peerQpn,
        ack = if (asks) 0x80 else 0,
        psn = psn,
        extension = extension,
        payload = body
      )
      assert(frame == want.bytes, s"a frame of opcode $opcode")
      client.comes(opcode, psn, asks, extension, body, now)
    }

    private def low(value: BigInt) = value & 0xffffffffL
    private def settings(link: ChainLink): Map[Int, BigInt] = {
      val rows = (0 until 6).map { i =>
        val (end, field) = link.rows.lift(i).getOrElse((0, 0))
        ChainRegister.CHAIN_ROW_0 + 4 * i -> BigInt(end << 16 | field | (if (i + 1 == link.rows.size) Wire.CHAIN_ROW_LAST else 0))
      }
      Map[Int, BigInt](
        ChainRegister.CHAIN_QPN -> link.qpn,
        ChainRegister.CHAIN_PEER_QPN -> link.peerQpn,
        ChainRegister.CHAIN_PEER_IP -> link.ip,
        ChainRegister.CHAIN_PEER_MAC_LOW -> low(link.mac),
        ChainRegister.CHAIN_PEER_MAC_HIGH -> (link.mac >> 32),
        ChainRegister.CHAIN_PORT -> link.port,
        ChainRegister.CHAIN_RATE -> 0,
        ChainRegister.CHAIN_PID -> pid,
        ChainRegister.CHAIN_PSN -> ChainClient.FIRST,
        ChainRegister.CHAIN_REPLY_PSN -> ChainClient.FIRST_REPLY,
        ChainRegister.CHAIN_OPTIONS -> (link.code | link.function << 4 | 2 << 16 |
          (if (link.immediate) Wire.CHAIN_IMMEDIATE else 0) | (if (link.signal) Wire.CHAIN_SIGNAL else 0)),
        ChainRegister.CHAIN_LENGTH -> link.length,
        ChainRegister.CHAIN_SEGMENT -> segment,
        ChainRegister.CHAIN_BASE_LOW -> low(ChainClient.BASE),
        ChainRegister.CHAIN_BASE_HIGH -> (ChainClient.BASE >> 32)
      ) ++ rows
    }
    /** A queue pair, some of whose registers are others. */
    def create(link: ChainLink, others: (Int, BigInt)*): Int = {
      val result = registers.command(Wire.ChainCommand.CREATE, (settings(link) ++ others).toSeq: _*)
      if (result == Wire.ChainResult.DONE) clients(link.place) = new ChainClient(link, random, loss, page => pages(page), done, b.mac)
      result
    }
    def about(command: Int, qpn: Int): Int = registers.command(command, ChainRegister.CHAIN_QPN -> qpn)
    /** Messages done, and the state. */
    def query(link: ChainLink): (Int, Int) = {
      assert(about(Wire.ChainCommand.QUERY, link.qpn) == Wire.ChainResult.DONE)
      (registers.read(ChainRegister.CHAIN_MSN).toInt, registers.read(ChainRegister.CHAIN_STATE).toInt)
    }
    def counter(number: Int): Int = registers.read(Wire.CHAIN_COUNTERS + 4 * number).toInt
    def settle(): Unit = {
      going = false
      var left = 400000
      while (busy) {
        b.cycles(20)
        left -= 20
        assert(left > 0, s"nothing moves: ${clients.values.filter(!_.isIdle).map(_.link)}")
      }
      b.cycles(400)
    }
    /** One message, and nothing else. */
    def one(place: Int, page: Int): Unit = {
      assert(begin(place, page))
      settle()
    }

    // --- Others, at a page that no message is about.
    private def does(what: => Unit): (Int, Int, Seq[Int]) = { what; peer.answer() }
    private def mneme[T](what: => T): T = { val done = what; b.frames.dequeue(); done }
    def others(): Unit = {
      val number = random.nextInt(16)
      if (uses(number) > 0) b.cycles(200)
      else {
        uses(number) += 1
        storing += number
        val is = pages.getOrElse(number, t.zeros(4096))
        val (from, bytes) = (random.nextInt(3000), t.data(700))
        random.nextInt(8) match {
          case 0 | 1 => assert(does(peer.read(at(number), 4096)) == ((0x10, 0x1f, is)))
          case 2 | 3 =>
            assert(does(peer.write(at(number) + from, bytes)) == acknowledged)
            pages(number) = is.patch(from, bytes, bytes.size)
          case 4 => assert(mneme(t.load(at(number) + from, 700)) == is.slice(from, from + 700))
          case 5 | 6 =>
            assert(mneme(t.store(at(number) + from, bytes)).status == Status.OK)
            pages(number) = is.patch(from, bytes, bytes.size)
          case _ =>
            assert(does(peer.free(at(number) -> 1, at(100) -> 9)) == acknowledged)
            pages -= number
        }
        done(number)
      }
    }

    assert((b.read(Wire.Register.BUILD_FLAGS) & Wire.BUILD_CHAINS) != 0)
    assert(registers.read(ChainRegister.CHAIN_MAGIC) == Wire.CHAIN_MAGIC && registers.read(ChainRegister.CHAIN_SIZES) == (5 << 8 | 4))
    assert(registers.result() == Wire.ChainResult.DONE)
    assert(t.create(segment, table = 5, pages = 256, budget = 64) == LeafResult.DONE && t.map(5, segment, 0) == LeafResult.DONE)
    t.split(0x40, 5)
    assert(t.push(0, 64) == LeafResult.DONE)
    peer.joinFrees(va.toLong, page.toLong, segment, 0)
  }
  private def chained(name: String, seed: Int, loss: Int = 0, steady: Boolean = true)(body: Chains => Unit): Unit =
    bench(name, seed, if (steady) BoardBench.steady else LeafBoardTest.moody)(t => body(new Chains(t, seed, loss)))

  private def links: Seq[ChainLink] =
    for (place <- 0 until 8) yield ChainLink(place, Seq(0, 1, 2, 3, 0, 2, 0, 1)(place), 1 + (place + 2) % 5, place != 4, place % 2 == 0)

  private def mixed(x: Chains, rounds: Int): Unit = {
    import x._
    for (link <- links) assert(create(link) == Wire.ChainResult.DONE)
    going = true
    for (round <- 1 to rounds) {
      others()
      if (round % 8 == 0) assert(t.used(segment) <= 64 && counter(ChainCounter.REPLY_PACKETS) > 0)
    }
    settle()
    val free = Seq(LeafRegister.LEAF_TOTAL, LeafRegister.LEAF_USABLE, LeafRegister.LEAF_WAITING).map(t.read(_).toInt)
    assert(free == Seq(64, 64 - pages.size, 0) && t.used(segment) == pages.size, s"$free, ${pages.size} pages have frames")
    for (number <- Seq(ChainCounter.LOADS, ChainCounter.MAPPED_STORES, ChainCounter.UNMAPPED_STORES, ChainCounter.FREED)) assert(begun(number) > 0)
    for (number <- pages.keys) one(0, number)
    for ((place, client) <- clients) assert(query(client.link) == ((begunBy(place), 0)), s"queue pair $place")
    // Eight chains of one process may have more packets on their way than it has places; those come again.
    assert(Seq(RoceCounter.UNKNOWN_QUEUE_PAIR, RoceCounter.DROP_FULL).forall(peer.registers.counter(_) == 0) && t.b.counter(Wire.Counter.MEM_ERROR) == 0)
    info(s"${begunBy.values.sum} messages, ${counter(ChainCounter.REPLY_PACKETS)} packets of replies, $now cycles")
  }

  test("chains, stock frames and Mneme's requests meet in the same pages") {
    chained("meet", 1) { x =>
      mixed(x, if (Simulation.long) 120 else 60)
      for ((number, count) <- x.begun) assert(x.counter(number) == count, s"counter $number")
      // The numbers that others than messages move.
      for (number <- Seq(ChainCounter.UNMAPPED, ChainCounter.OUTSIDE, ChainCounter.RIGHT, ChainCounter.RING_EMPTY, ChainCounter.REPLIES_FAILED))
        assert(x.counter(number) == 0)
    }
  }
  test("the same with memory that stalls, and with packets and answers that are lost") {
    chained("lost", 2, loss = 4, steady = false) { x =>
      mixed(x, 150)
      assert(x.counter(ChainCounter.REPLIES_AGAIN) > 0 && x.counter(ChainCounter.LOADS) == x.begun(ChainCounter.LOADS))
    }
  }

  test("where clients send more than the port's store takes, it is dropped, counted, and comes again") {
    chained("floods", 5) { x =>
      import x._
      most = 1000
      for (place <- 0 until 8) assert(create(ChainLink(place, if (place == 0) 0 else 2, 1)) == Wire.ChainResult.DONE)
      t.b.lineRate()
      going = true
      t.b.cycles(12000)
      settle()
      val dropped = Seq(RoceCounter.DROP_FULL, RoceCounter.DROP_SHARE).map(peer.registers.counter(_)).sum
      info(s"${begunBy.values.sum} messages, $dropped packets dropped")
      assert(dropped > 0)
      for (number <- pages.keys) one(0, number)
      assert(t.used(segment) == pages.size && t.read(LeafRegister.LEAF_USABLE) == 64 - pages.size)
    }
  }

  test("queue pairs that cannot be, that are refused, and that end; frames that run out") {
    chained("ends", 3) { x =>
      import x._
      import Wire.ChainResult._
      val Seq(load, mapped, unmapped, invalidate) = (0 to 3).map(function => ChainLink(function, function, 4))
      assert(create(load, ChainRegister.CHAIN_QPN -> 0x1003) == NUMBER && create(load, ChainRegister.CHAIN_OPTIONS -> 6) == PATH_MTU && create(
        load,
        ChainRegister.CHAIN_RATE -> 127
      ) == RATE)
      assert(create(load, (0 until 6).map(i => ChainRegister.CHAIN_ROW_0 + 4 * i -> BigInt(7 << 16 | 1)): _*) == PROFILE, "no row is the last one")
      assert(about(Wire.ChainCommand.QUERY, load.qpn) == UNKNOWN && about(9, load.qpn) == COMMAND)
      for (link <- Seq(load, mapped, unmapped, invalidate)) assert(create(link) == DONE && create(link) == TAKEN)
      // A page without a frame.
      pages(20) = Nil
      clients(0).begin(20)
      t.b.cycles(2000)
      assert(clients(0).refused.contains(0x62) && query(load)._2 == Wire.CHAIN_IN_ERROR && counter(ChainCounter.UNMAPPED) == 1)
      pages -= 20
      assert(about(Wire.ChainCommand.DESTROY, load.qpn) == DONE && about(Wire.ChainCommand.DESTROY, load.qpn) == UNKNOWN && create(load) == DONE)
      // A store amid which the queue pair ends: its frame goes back.
      for (number <- 0 until 63) one(2, number)
      clients(2).begin(100, zeros(4096))
      t.b.domain.waitSamplingWhere(t.b.sending)
      clients -= 2
      t.b.cycles(500)
      assert(query(unmapped) == ((63, Wire.CHAIN_RUNNING)) && t.used(segment) == 64)
      assert(about(Wire.ChainCommand.END, unmapped.qpn) == DONE && query(unmapped) == ((63, Wire.CHAIN_IN_ERROR)))
      assert(counter(ChainCounter.ABANDONED) == 1 && t.used(segment) == 63)
      assert(about(Wire.ChainCommand.DESTROY, unmapped.qpn) == DONE && create(unmapped) == DONE)
      one(2, 63)
      // There is none any more: the packet comes again until there is one.
      val before = counter(ChainCounter.BUDGET_SPENT)
      begin(2, 64)
      t.b.cycles(3000)
      assert(busy && counter(ChainCounter.BUDGET_SPENT) > before)
      one(3, 5)
      settle()
      assert(t.used(segment) == 64)
      // The segment ends, and its frames are all there again.
      for (link <- Seq(load, mapped, unmapped, invalidate)) assert(about(Wire.ChainCommand.DESTROY, link.qpn) == DONE)
      clients.clear()
      assert(t.b.replace(pid, 0x40, 0) == Wire.ReplaceStatus.DONE)
      assert(t.order(Wire.LeafOrder.CLOSE, LeafRegister.LEAF_SEGMENT -> segment) == LeafResult.DONE)
      assert(t.order(Wire.LeafOrder.SWEEP, LeafRegister.LEAF_SEGMENT -> segment, LeafRegister.LEAF_PAGES -> 256) == LeafResult.DONE)
      t.b.cycles(300)
      assert(Seq(LeafRegister.LEAF_USABLE, LeafRegister.LEAF_WAITING).map(t.read(_).toInt) == Seq(64, 0))
    }
  }
  private def zeros(count: Int) = Seq.fill(count)(0)

  // --- Cycles: the figures of docs/reference/rdma-chains-hw.md.
  test("cycles of chains over READs and WRITEs of the same pages") {
    chained("cycles", 4) { x =>
      import x._
      for (place <- 0 to 3) assert(create(ChainLink(place, place, 5, signal = place == 3)) == Wire.ChainResult.DONE)
      t.b.lineRate()
      t.b.take(1f)
      for (number <- 0 to 3) one(2, number)
      /** The least of some: the requester looks at its queue pairs' times once a tick. */
      def least(what: String, opcode: Int)(run: => Unit): Long = {
        val all = for (_ <- 0 until 8) yield { between.clear(); run; between(opcode) }
        info(s"$what: ${all.min} to ${all.max} cycles from the last beat in to the first one out")
        all.min
      }
      def native(opcode: Int)(ask: => Unit): Unit = {
        ask
        assert(peer.answer()._1 == opcode)
        between(opcode) = t.b.between
        t.b.cycles(200)
      }
      val load = least("a load", 0x0b)(one(0, 1))
      val read = least("a READ", 0x10)(native(0x10)(peer.read(at(1), 4096)))
      val mapped = least("a mapped store to its reply", 0x0b)(one(1, 1))
      val acknowledge = least("a mapped store to its acknowledge", 0x11)(one(1, 1))
      val unmapped = least("an unmapped store to its reply", 0x0b) { one(3, 2); between.clear(); one(2, 2) }
      val write = least("a WRITE", 0x11)(native(0x11)(peer.write(at(1), t.data(4096))))
      // In two packets, the last one of 64 bytes, as a store's message.
      val two = least("a WRITE of 4,160 bytes, in two packets", 0x11) {
        peer.send(0x06, at(1), 4160, t.data(4096))
        peer.send(0x08, at(1), 0, t.data(64), bare = true)
        t.b.cycles(800)
        assert(t.b.frames.last.apply(42) == 0x11)
        between(0x11) = t.b.between
        t.b.frames.clear()
        t.b.answers.clear()
      }
      info(s"a load is ${load - read} cycles over a READ")
      for ((what, base) <- Seq("a WRITE of a page" -> write, "one of two packets" -> two))
        info(s"over $what a mapped store is ${mapped - base}, its acknowledge ${acknowledge - base}, an unmapped one ${unmapped - base}")
      assert(load - read <= 16)
      // Over as many packets. The design's goal for the unmapped store is 20, which it misses.
      assert(mapped - two <= 16 && unmapped - two <= 31)
    }
  }
}
