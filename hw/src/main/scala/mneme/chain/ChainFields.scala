package mneme.chain

import mneme.Faults
import spinal.core._
import spinal.lib._

/** An argument of a message, by the number that profiles have for it (`mneme_rdma::codec::profile`). A page has no row, nor have bytes that are skipped. */
object ChainField extends Enumeration {
  val TtAddr: Value = Value(1)
  val Buffer, Signal, Magic, Rkey, Key = Value
}

/** A row of a profile: where an argument ends. Rows are in the order of the message. */
case class ChainFieldRow() extends Bundle {
  val field = UInt(3 bits)

  /** The message's byte that is the argument's last one. An argument has 8 bytes, `rkey` 4. */
  val end = UInt(ChainFields.MESSAGE_BITS bits)

  /** No argument comes behind it. */
  val last = Bool()
}

case class ChainFieldWrite(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val row = UInt(log2Up(ChainFields.ROWS) bits)
  val value = ChainFieldRow()
}

/** What arguments are held against. */
case class ChainSecrets() extends Bundle {
  /** The secret that each message must have, if there is one: the number that the bytes are, the first one highest. */
  val keyed = Bool()
  val key = UInt(64 bits)

  /** The address that stands for the table's first entry: a multiple of 8. */
  val base = UInt(64 bits)
}

case class ChainSecretsWrite(k: ChainConfig) extends Bundle {
  val pair = UInt(k.pairBits bits)
  val value = ChainSecrets()
}

/** The arguments of a message. What its profile does not have is of no meaning. */
case class ChainArguments(k: ChainConfig) extends Bundle {
  /** Another secret than the queue pair's. */
  val wrongKey = Bool()

  /** `ttAddr` is before the table, or so far behind that no table reaches there; else it is that of `page`. */
  val outside = Bool()
  val page = UInt(k.l.countBits bits)
  val buffer, signal = UInt(64 bits)

  /** As it came: the first byte in the lowest bits. */
  val magic = Bits(64 bits)
  val rkey = Bits(32 bits)
}

/** Takes the arguments out of a message, by its queue pair's profile.
  *
  * An example. A profile has 8 bytes of `tt_addr`, 4 of `rkey`, 60 that are skipped, and 8 of `buffer`. Its rows are (`tt_addr`, ends at 7), (`rkey`, 11),
  * (`buffer`, 79, last). The first beat gives two arguments, one in a cycle. The third one ends in the second beat, so the first one is taken, and its last
  * seven bytes are kept.
  *
  * One extractor takes the eight bytes that end at any of a beat's bytes. The beat in which the last argument ends is not taken: behind the arguments it may
  * have the first bytes of the page. Arguments come `COST` cycles after the message, one more for each beat before.
  */
case class ChainFields(k: ChainConfig, plantable: Boolean = false) extends Component {
  import ChainFields._
  val io = new Bundle {
    val rows = slave(Flow(ChainFieldWrite(k)))
    val secrets = slave(Flow(ChainSecretsWrite(k)))
    /** A message of a queue pair. */
    val messages = slave(Stream(UInt(k.pairBits bits)))
    /** Its bytes, 64 a beat, the message's first one in the lowest bits. */
    val beats = slave(Stream(Bits(512 bits)))
    val arguments = master(Stream(ChainArguments(k)))
  }
  val plantedFaults: Option[Bits] = Faults.port(ChainFieldFault, plantable)
  private val planted = new Faults[ChainFieldFault.Value](plantedFaults)

  private object Step extends SpinalEnum {
    val idle, extract, last, subtract, judge, done = newElement()
  }
  private val state = RegInit(Step.idle)
  private val rows = Mem(ChainFieldRow(), k.pairs * ROWS).addAttribute("ram_style", "block")
  private val secrets = Mem(ChainSecrets(), k.pairs).addAttribute("ram_style", "block")
  rows.write(io.rows.pair @@ io.rows.row, io.rows.value, io.rows.valid)
  secrets.write(io.secrets.pair, io.secrets.value, io.secrets.valid)

  private val isIdle = state === Step.idle
  private val pair = RegNextWhen(io.messages.payload, isIdle)
  private val own = isIdle ? io.messages.payload | pair
  private val at = Reg(UInt(log2Up(ROWS) bits))
  private val next = UInt(log2Up(ROWS) bits)
  private val row = rows.readSync(own @@ next)
  private val secret = secrets.readSync(own)
  at := next

  // --- The beat, and the eight bytes that end at one of its bytes.
  private val beat = Reg(UInt(MESSAGE_BITS - 6 bits))
  private val before = RegNextWhen(io.beats.payload(511 downto 512 - 56), io.beats.fire)
  private val inside = row.end(MESSAGE_BITS - 1 downto 6) === beat
  private val window = io.beats.payload ## planted.choose(ChainFieldFault.BeatBeforeLost, wrong = B(0, 56 bits), right = before)
  // In two steps: one of 64 places at once would take twice the look-up tables.
  private val near = Vec((0 until 8).map(i => window(64 * i, 120 bits)))(row.end(5 downto 3))
  private val bytes = Vec((0 until 8).map(i => near(8 * i, 64 bits)))(row.end(2 downto 0))
  private val extracts = state === Step.extract && io.beats.valid && inside
  io.beats.ready := state === Step.extract && !inside
  next := isIdle ? U(0, at.getWidth bits) | (at + extracts.asUInt)

  private val taken = RegNext(extracts) init False
  private val field = RegNext(row.field)
  private val value = RegNext(bytes)
  private val (tt, key, buffer, signal) = (Reg(Bits(64 bits)), Reg(Bits(64 bits)), Reg(Bits(64 bits)), Reg(Bits(64 bits)))
  private val (magic, rkey) = (Reg(Bits(64 bits)), Reg(Bits(32 bits)))
  when(taken) {
    val number = EndiannessSwap(value)
    switch(field) {
      is(ChainField.TtAddr.id)(tt := number)
      is(ChainField.Buffer.id)(buffer := number)
      is(ChainField.Signal.id)(signal := number)
      is(ChainField.Magic.id)(magic := planted.choose(ChainFieldFault.MagicSwapped, wrong = number, right = value))
      is(ChainField.Rkey.id)(rkey := planted.choose(ChainFieldFault.RkeyShifted, wrong = number(63 downto 32), right = number(31 downto 0)))
      is(ChainField.Key.id)(key := number)
    }
  }

  // --- Which page, and whether the secret is right.
  private val address = planted.choose(ChainFieldFault.LowBitsCount, wrong = tt.asUInt + 7, right = tt.asUInt)
  private val difference = Reg(UInt(62 bits))
  private val wrong = Reg(Bits(4 bits))
  private val (wrongKey, outside) = (Reg(Bool()), Reg(Bool()))
  private val page = Reg(UInt(k.l.countBits bits))
  switch(state) {
    is(Step.idle) {
      beat := 0
      when(io.messages.valid)(state := Step.extract)
    }
    is(Step.extract) {
      when(io.beats.fire)(beat := beat + 1)
      when(extracts && row.last)(state := Step.last)
    }
    is(Step.last)(state := Step.subtract)
    is(Step.subtract) {
      // The low three bits are of no meaning; the table's first address has none.
      difference := (U(0, 1 bits) @@ address(63 downto 3)) - (U(0, 1 bits) @@ secret.base(63 downto 3))
      for (i <- 0 until 4) wrong(i) := key(16 * i, 16 bits) =/= secret.key(16 * i, 16 bits).asBits
      state := Step.judge
    }
    is(Step.judge) {
      wrongKey := secret.keyed && planted.choose(ChainFieldFault.HalfKey, wrong = wrong(1 downto 0).orR, right = wrong.orR)
      val far = difference(60 downto k.l.countBits).orR
      outside := difference.msb || planted.choose(ChainFieldFault.PageWraps, wrong = False, right = far)
      page := difference.resize(k.l.countBits)
      state := Step.done
    }
    is(Step.done)(when(io.arguments.ready)(state := Step.idle))
  }
  io.messages.ready := isIdle
  io.arguments.valid := state === Step.done
  io.arguments.wrongKey := wrongKey
  io.arguments.outside := outside
  io.arguments.page := page
  io.arguments.buffer := buffer.asUInt
  io.arguments.signal := signal.asUInt
  io.arguments.magic := magic
  io.arguments.rkey := rkey
}

object ChainFields {
  /** Of a byte's place in a message: messages of memories have 8,192 bytes at most. */
  val MESSAGE_BITS = 13

  /** Of a profile: it has six arguments at most. */
  val ROWS = 8

  /** Cycles from a message to its arguments, beside one for each argument and for each beat before the last argument's end. */
  val COST = 4
}

/** Defects that benches plant. No build of a board has one. */
object ChainFieldFault extends Enumeration {
  val
  /** An argument across two beats loses its first bytes. */
  BeatBeforeLost,
  /** The magic is written the other way round. */
  MagicSwapped,
  /** `rkey` is taken from the bytes before it. */
  RkeyShifted,
  /** The low three bits of `tt_addr` are rounded up. */
  LowBitsCount,
  /** Of the secret one half is compared. */
  HalfKey,
  /** An address far behind the table is that of a page in it. */
  PageWraps = Value
}
