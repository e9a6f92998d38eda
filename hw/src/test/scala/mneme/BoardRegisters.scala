package mneme

import mneme.net.FrameSpec
import mneme.wire.Wire
import mneme.wire.Wire.{MatAction, Opcode, Register, ReplaceStatus}

/** A core as the slow path sees it by its registers: boot, pages, rules; and requests that it takes. */
abstract class BoardRegisters(config: CBoardConfig) {
  def read(address: Int): BigInt
  def write(address: Int, value: BigInt): Unit
  /** Lets time pass. */
  def cycles(count: Int): Unit
  def counter(index: Int): Int = read(Wire.COUNTER_BASE + 4 * index).toInt

  val mac = BigInt("0200c0ffee01", 16)
  val ip = BigInt("0a000001", 16)

  /** A request that is right in every field. */
  def request(opcode: Int, va: BigInt, length: Int, payload: Seq[Int], pid: Int, id: Int): FrameSpec =
    FrameSpec(
      dstMac = mac,
      srcMac = BigInt("020000000002", 16),
      dstIp = ip,
      dstPort = 19790,
      opcode = opcode,
      epoch = 9,
      pid = pid,
      opId = id,
      time = time,
      va = va,
      length = length,
      payload = payload
    )
  private var time = 0
  /** The time that requests carry from now on; a retry carries that of its first attempt. */
  def stamp(): Unit = time = read(Register.TICK).toInt

  /** Zeroes the table, offers `pages` free pages, writes the table of rules, enables. */
  def boot(pages: Int = config.asyncDepth): Unit = {
    cycles(200)
    assert(read(Register.MAGIC) == Wire.MAGIC)
    push(BigInt(1) << 31)
    while (read(Register.ZERO_PENDING) != 0) cycles(50)
    for (page <- 1 to pages) push(page)
    while (read(Register.ASYNC_LEVEL) != pages) cycles(50)
    write(Register.MAC_LOW, mac & 0xffffffffL)
    write(Register.MAC_HIGH, mac >> 32)
    write(Register.IP, ip)
    write(Register.EPOCH, 9)
    write(Register.WINDOW, 1 << 16)
    val rows = Seq(
      (0x08001100L, 0xfffffff0L, MatAction.FAST),
      (0x08060000L, 0xffff0000L, MatAction.SLOW),
      (0x08001100L | Opcode.PING, 0xffffffffL, MatAction.SLOW)
    )
    for (((value, mask, action), row) <- rows.zipWithIndex) {
      write(Register.MAT_VALUE0, value)
      write(Register.MAT_VALUE1, 0)
      write(Register.MAT_MASK0, mask)
      write(Register.MAT_MASK1, 0)
      write(Register.MAT_COMMIT, row | (action << 8) | (1 << 16))
    }
    write(Register.CONTROL, 1)
    stamp()
  }
  def push(page: BigInt): Unit = {
    while (read(Register.ZERO_SPACE) == 0) cycles(50)
    write(Register.ZERO_PUSH, page)
  }

  /** Sets the entry of a page whole; gives the status of the command. */
  def replace(pid: Int, vpn: BigInt, entry: BigInt): Int = {
    write(Register.REPLACE_PID, pid)
    write(Register.REPLACE_VPN, vpn)
    for (word <- Seq(Register.REPLACE_COMPARE_LOW, Register.REPLACE_COMPARE_HIGH, Register.REPLACE_EXPECTED_LOW, Register.REPLACE_EXPECTED_HIGH))
      write(word, 0)
    write(Register.REPLACE_WRITE_LOW, 0xffffffffL)
    write(Register.REPLACE_WRITE_HIGH, 0xffffffffL)
    write(Register.REPLACE_NEW_LOW, entry & 0xffffffffL)
    write(Register.REPLACE_NEW_HIGH, entry >> 32)
    write(Register.REPLACE_GO, 1)
    while (read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING) cycles(10)
    read(Register.REPLACE_STATUS).toInt
  }
}
