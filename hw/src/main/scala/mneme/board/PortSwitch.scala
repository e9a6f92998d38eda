package mneme.board

import mneme.Faults
import mneme.net.{FrameBeat, FrameBytes, FrameField}
import spinal.core._
import spinal.lib._

/** Between the switch, the slave, and one of several Ethernet ports. */
case class SwitchedPort() extends Bundle with IMasterSlave {
  val rx = Stream(FrameBeat())
  val tx = Stream(FrameBeat())
  /** It has a link. It has room for the longest frame: one that begins now is taken without a break. */
  val up, room = Bool()
  /** A frame that should have left here did not. */
  val refused = Bool()

  def asMaster(): Unit = {
    master(rx)
    slave(tx)
    out(up, room)
    in(refused)
  }
}

/** A core with several Ethernet ports (docs/reference/ethernet-port.md, *Two ports*). It is no bridge: nothing that comes in at a port leaves at another one.
  *
  * An example. A request from 02-00-00-00-00-07 comes in at port 1, and that address's row says so from then on. The answer goes there, so it leaves at port
  * 1. The port's cable is pulled out: answers to that address leave at port 0, until a frame of its own comes in somewhere.
  *
  * | a frame of the core's for | leaves at |
  * |---|---|
  * | an address that has been seen at a port with a link | that port |
  * | any other one, or a group | all ports with a link |
  *
  * Frames that come take turns, whole. One that leaves waits until its ports have room for it, `patience` cycles at most. A port that has none then is passed
  * over until it has: what a peer that pauses for long costs the others is one wait. A frame that does not leave at a port where it should is counted there.
  */
case class PortSwitch(ports: Int, rows: Int = PortSwitch.ROWS, patience: Int = PortSwitch.PATIENCE, plantable: Boolean = false) extends Component {
  require(ports >= 2 && ports <= 8, s"$ports ports are outside 2 to 8")
  require(rows >= 2 && Integer.bitCount(rows) == 1, s"$rows rows are no power of two")
  val io = new Bundle {
    val ports = Vec(slave(SwitchedPort()), PortSwitch.this.ports)
    val toCore = master(Stream(FrameBeat()))
    val fromCore = slave(Stream(FrameBeat()))
  }
  val plantedFaults: Option[Bits] = Faults.port(SwitchFault, plantable)
  private val planted = new Faults[SwitchFault.Value](plantedFaults)
  private val rowBits = log2Up(rows)
  private val up = B(io.ports.map(_.up))

  private case class Row() extends Bundle {
    val valid = Bool()
    val address = Bits(48 bits)
    val port = UInt(log2Up(ports) bits)
  }
  /** Addresses have their first byte highest. */
  private def isGroup(address: Bits): Bool = address(40)
  /** All bits count, the last bytes in the lowest ones: makers count there. */
  private def place(address: Bits): UInt = address.subdivideIn(rowBits bits, strict = false).map(_.resize(rowBits)).reduce(_ ^ _).asUInt
  private val addresses = Mem(Row(), rows).addAttribute("ram_style", "block")

  // --- Frames that come, and who they are from.
  private val arbiter = StreamArbiterFactory().roundRobin.lambdaLock[FrameBeat](beat => planted.choose(SwitchFault.FramesMixed, True, beat.last))
  private val chosen = arbiter.build(FrameBeat(), ports)
  for ((input, port) <- chosen.io.inputs.zip(io.ports)) input << port.rx
  io.toCore << chosen.io.output
  private val learn = new Area {
    private val first = RegInit(True)
    when(io.toCore.fire)(first := io.toCore.last)
    private val from = FrameBytes.read(io.toCore.data, FrameField.SRC_MAC)
    private val seen = RegNext(io.toCore.fire && first && planted.choose(SwitchFault.GroupLearned, wrong = True, right = !isGroup(from))) init False
    private val address = RegNext(from)
    private val port = RegNext(chosen.io.chosen)
    /** After a reset all rows are emptied; what comes meanwhile is not learned. */
    private val sweep = Reg(UInt(rowBits + 1 bits)) init 0
    private val sweeps = !sweep.msb
    when(sweeps)(sweep := sweep + 1)
    val write = Flow(UInt(rowBits bits))
    write.valid := sweeps || seen
    write.payload := sweeps ? sweep.resize(rowBits) | place(address)
    private val row = Row()
    row.valid := !sweeps
    row.address := address
    row.port := port
    addresses.write(write.payload, row, write.valid)
  }

  // --- Frames that leave: looked up, then they wait for room, then all beats in a row.
  val leave = new Area {
    object State extends SpinalEnum {
      val look, choose, waits, sends = newElement()
    }
    private val state = RegInit(State.look)
    private val beat = io.fromCore.m2sPipe()
    private val to = FrameBytes.read(beat.data, FrameField.DST_MAC)
    private val row = addresses.readSync(place(to))
    /** Who reads a row that is written finds nothing there. */
    private val written = RegNext(learn.write.valid && learn.write.payload === place(to))
    private val known = row.valid && row.address === to && !written
    private val own = UIntToOh(row.port, ports)
    private val linked = planted.choose(SwitchFault.LinkIgnored, wrong = True, right = (own & up).orR)
    private val targets, sending, stuck = Reg(Bits(ports bits))
    stuck.init(0)
    private val room = B(io.ports.map(_.room))
    private val left = Reg(UInt(log2Up(patience + 1) bits))
    private val missing = targets & up & ~room & ~stuck
    private val goes = state === State.waits && (missing === 0 || left === 0)
    private val takes = targets & up & room
    stuck := stuck & ~planted.choose(SwitchFault.StuckForEver, wrong = B(0, ports bits), right = room) | missing.andMask(goes)
    private val allReady = (B(io.ports.map(_.tx.ready)) | ~sending).andR

    switch(state) {
      is(State.look)(when(beat.valid)(state := State.choose))
      is(State.choose) {
        targets := (known && linked) ? own | (up.orR ? up | ~B(0, ports bits))
        left := patience
        state := State.waits
      }
      is(State.waits) {
        left := left - 1
        sending := takes
        when(goes)(state := State.sends)
      }
      is(State.sends)(when(beat.fire && beat.last)(state := State.look))
    }
    beat.ready := state === State.sends && allReady
    for ((port, i) <- io.ports.zipWithIndex) {
      port.tx.valid := state === State.sends && beat.valid && sending(i) && allReady
      port.tx.payload := beat.payload
      port.refused := RegNext(goes && targets(i) && !takes(i) && planted.choose(SwitchFault.NotCounted, wrong = False, right = True)) init False
    }
  }
}

object PortSwitch {
  /** Addresses whose port is kept: one block RAM. Two that share a row take turns in it, and answers to the other one leave at all ports. */
  val ROWS = 512

  /** 16 us of 250 MHz. A line frees the room of a frame of 9,600 bytes in half of it. */
  val PATIENCE = 4000
}

/** Defects that a bench plants. No build of a board has one. */
object SwitchFault extends Enumeration {
  val
  /** Ports take turns by beats. */
  FramesMixed,
  /** A group's address is learned, so that what is for all leaves at one port. */
  GroupLearned,
  /** An answer leaves where its address was seen, link or not. */
  LinkIgnored,
  /** A port that had no room is passed over for good. */
  StuckForEver,
  /** A frame that does not leave is not counted. */
  NotCounted = Value
}
