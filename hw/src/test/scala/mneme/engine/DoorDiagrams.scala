package mneme.engine

import mneme.wire.Wire.{Register, ReplaceStatus, Status}
import mneme.{BoardBench, CBoard}
import spinal.core.sim._

import java.nio.file.{Files, Path}

/** The timing diagrams of docs/reference/doors.md, from a run of a whole board with a guest at door 1. */
object DoorDiagrams {
  private val pid = 7
  private val pageBits = 18
  private val (first, second) = (1 << pageBits, 2 << pageBits)
  private val tokens = "tokens" -> Seq("valid", "ready", "context", "operation", "va", "length")
  private val completions = "completions" -> Seq("valid", "ready", "context", "status")
  private val payload = "payload" -> Seq("valid", "ready", "data")

  /** Name and text of each diagram. */
  def run(dut: CBoard, b: BoardBench): Seq[(String, String)] = {
    b.boot()
    val door = new DoorRecord(dut.io.doors(0), pid, b.domain)
    for (vpn <- 1 to 2) assert(b.replace(pid, vpn, BoardBench.readWrite) == ReplaceStatus.DONE)
    // Pages that were written are in memory and in the TLB.
    for (va <- Seq(first, second)) {
      door.start(Asked(0, Operation.write, va, 256, bytes = (0 until 256).map(_ ^ va >> pageBits + 1 << 7)))
      door.await(1)
    }
    def drawn(name: String, title: String, groups: (String, Seq[String])*)(asked: Asked*): (String, String) = {
      b.domain.waitSampling(50)
      door.start(asked: _*)
      door.await(asked.size)
      assert(door.completed.forall(_._2 == Status.OK), s"$name: ${door.completed}")
      (name, WaveJson(title, door.shown, groups))
    }
    def order(contexts: Int*): Unit = assert(door.completed.map(_._1) == contexts, s"completions ${door.completed}")
    val read = drawn("read", "A read of 16 bytes that hits the TLB", tokens, completions, payload)(Asked(0, Operation.read, first + 32, 16))
    assert(door.data == Seq((32 until 48).reverse.foldLeft(BigInt(0))((value, byte) => value << 8 | byte)))

    val withOffset = "tokens" -> (tokens._2 :+ "dataOffset")
    val fetch = Seq("fetch" -> Seq("valid", "ready", "context", "beat"), "fetched" -> Seq("valid", "payload"))
    val write = drawn("write", "A write of 150 bytes, which the door keeps from byte 10 on", withOffset +: fetch :+ completions: _*)(
      Asked(0, Operation.write, first + 37, 150, dataOffset = 10, bytes = (0 until 150).map(_ + 100))
    )
    door.start(Asked(0, Operation.swap, first + 128, 8, operands = 41))
    door.await(1)
    val withOld = "completions" -> (completions._2 :+ "old")
    val atomic = drawn("atomic", "A fetch-and-add of 1 to a word that holds 41", tokens, "operands" -> Seq("operandsOf", "operands"), withOld)(
      Asked(0, Operation.fetchAdd, first + 128, 8, operands = 1)
    )
    assert(door.completed.map(_._3) == Seq(41))

    forget(b, 2)
    val miss = drawn("miss", "A read that misses the TLB, overtaken by one of another page that hits", tokens, completions, payload)(
      Asked(0, Operation.read, second, 16),
      Asked(1, Operation.read, first, 16)
    )
    order(1, 0)
    forget(b, 2)
    val withFence = "tokens" -> Seq("valid", "ready", "context", "operation", "fence", "va", "length")
    val fence = drawn("fence", "A fence behind a write that misses the TLB", withFence, completions)(
      Asked(0, Operation.write, second, 64, bytes = Seq.fill(64)(1)),
      Asked(1, Operation.nothing, fence = true),
      Asked(2, Operation.read, first, 16)
    )
    assert(door.completed.indexWhere(_._1 == 1) > door.completed.indexWhere(_._1 == 0), "the fence follows the write")
    Seq(read, write, atomic, miss, fence)
  }

  /** Changes nothing of a page's entry; the TLB forgets it all the same. */
  private def forget(b: BoardBench, vpn: Int): Unit = {
    for (register <- Seq(Register.REPLACE_COMPARE_LOW, Register.REPLACE_COMPARE_HIGH, Register.REPLACE_WRITE_LOW, Register.REPLACE_WRITE_HIGH))
      b.write(register, 0)
    b.write(Register.REPLACE_PID, pid)
    b.write(Register.REPLACE_VPN, vpn)
    b.write(Register.REPLACE_GO, 1)
    while (b.read(Register.REPLACE_STATUS) == ReplaceStatus.RUNNING) b.domain.waitSampling(10)
    assert(b.read(Register.REPLACE_STATUS) == ReplaceStatus.DONE)
  }

  private def file(folder: Path, name: String) = folder.resolve(s"$name.json")

  def write(folder: Path, diagrams: Seq[(String, String)]): Unit =
    for ((name, text) <- diagrams) Files.writeString(file(folder, name), text)

  /** Names of diagrams that are not in the folder, or not as they are now. */
  def stale(folder: Path, diagrams: Seq[(String, String)]): Seq[String] =
    diagrams.collect { case (name, text) if !Files.exists(file(folder, name)) || Files.readString(file(folder, name)) != text => name }
}
