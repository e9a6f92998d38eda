package mneme

import java.io.File
import java.nio.file.{Files, Path}

/** One configuration that somebody wrote down: `cargo xtask board my.toml`. */
object OwnConfig {

  /** A configuration of this name, from a kept one (or the defaults) with some fields set: `tlbWays` -> `8`.
    *
    * All fields are set at once, since a board between two legal ones need not be legal. Throws an `IllegalArgumentException` in words
    * when there is no such base or field, a value is of another type, or the board is not legal.
    */
  def apply(name: String, base: Option[String], fields: Map[String, String]): CBoardConfig = {
    def kept(wanted: String): CBoardConfig = CBoardConfig.named.find(_.name == wanted).getOrElse {
      throw new IllegalArgumentException(s"base: there is no configuration '$wanted': there are ${CBoardConfig.named.map(_.name).mkString(", ")}")
    }
    val from = base.map(kept).getOrElse(CBoardConfig(name))
    val left = collection.mutable.Map.from(fields)
    def value[T](field: String, otherwise: T, kind: String)(read: String => Option[T]): T = left.remove(field) match {
      case None => otherwise
      case Some(text) => read(text).getOrElse(throw new IllegalArgumentException(s"$field: '$text' is no $kind"))
    }
    def number(field: String, otherwise: Int): Int = value(field, otherwise, "whole number")(_.toIntOption)
    def flag(field: String, otherwise: Boolean): Boolean = value(field, otherwise, "true or false")(_.toBooleanOption)
    // Read before the board is made, whose own complaints come last.
    val make = {
      val pageBits = number("pageBits", from.pageBits)
      val memBits = number("memBits", from.memBits)
      val slotsLog2 = number("slotsLog2", from.slotsLog2)
      val tlbEntries = number("tlbEntries", from.tlbEntries)
      val tlbWays = number("tlbWays", from.tlbWays)
      val misses = number("misses", from.misses)
      val filterSetsLog2 = number("filterSetsLog2", from.filterSetsLog2)
      val filterWays = number("filterWays", from.filterWays)
      val asyncDepth = number("asyncDepth", from.asyncDepth)
      val zeroQueueDepth = number("zeroQueueDepth", from.zeroQueueDepth)
      val packetSlots = number("packetSlots", from.packetSlots)
      val mtu = number("mtu", from.mtu)
      val tickLog2 = number("tickLog2", from.tickLog2)
      val doors = number("doors", from.doors)
      val waitingLists = flag("waitingLists", from.waitingLists)
      val traffic = flag("traffic", from.traffic)
      val burstPlaces = number("burstPlaces", from.burstPlaces)
      val readBeats = number("readBeats", from.readBeats)
      val memories = value("memories", from.memories, "name")(Some(_))
      val trailers = flag("trailers", from.trailers)
      val rdma = number("rdma", from.rdma)
      val leaf = flag("leaf", from.leaf)
      val chains = number("chains", from.chains)
      val simulated = flag("simulated", from.simulated)
      () =>
        CBoardConfig(
          name,
          pageBits,
          memBits,
          slotsLog2,
          tlbEntries,
          tlbWays,
          misses,
          filterSetsLog2,
          filterWays,
          asyncDepth,
          zeroQueueDepth,
          packetSlots,
          mtu,
          tickLog2,
          doors,
          waitingLists,
          traffic,
          burstPlaces,
          readBeats,
          memories,
          trailers,
          simulated,
          rdma,
          leaf,
          chains
        )
    }
    for (field <- left.keys.toSeq.sorted.headOption) throw new IllegalArgumentException(s"$field: a configuration has no such field")
    make()
  }

  /** Writes `CBoard_NAME.v`, and `NAME.json` for who loads the board: the parameters that the golden model has to know, and those that the shim
    * around a Verilated board asks for.
    */
  def write(folder: String, c: CBoardConfig): Unit = {
    Generate.config(folder).generateVerilog(CBoard(c))
    Files.writeString(Path.of(folder, s"${c.name}.json"), shape(c))
  }

  private def shape(c: CBoardConfig): String = {
    def flag(set: Boolean) = if (set) 1 else 0
    val values = Seq(
      "page_bits" -> c.pageBits,
      "mem_bits" -> c.memBits,
      "slots_log2" -> c.slotsLog2,
      "tlb_entries" -> c.tlbEntries,
      "filter_sets_log2" -> c.filterSetsLog2,
      "filter_ways" -> c.filterWays,
      "async_depth" -> c.asyncDepth,
      "zero_queue_depth" -> c.zeroQueueDepth,
      "packet_slots" -> c.packetSlots,
      "mtu" -> c.mtu,
      "tick_log2" -> c.tickLog2,
      "waiting_lists" -> flag(c.waitingLists),
      "trailers" -> flag(c.trailers),
      "traffic" -> flag(c.traffic),
      "rdma" -> c.rdma,
      "leaf" -> flag(c.leaf),
      "chains" -> c.chains,
      "simulated" -> flag(c.simulated)
    )
    values.map { case (name, value) => s"  \"$name\": $value" }.mkString("{\n", ",\n", "\n}\n")
  }

  /** Where a refusal is left, in words. */
  private val REFUSED = "refused.txt"

  /** Arguments: folder, name, base or `-`, then `field=value` each. Writes what [[write]] does, or why there is no such board to `refused.txt`. */
  def main(args: Array[String]): Unit = asked(args)(write)

  /** What [[main]] is told, with another writer. */
  def asked(args: Array[String])(write: (String, CBoardConfig) => Unit): Unit = {
    val Array(folder, name, base) = args.take(3)
    new File(folder).mkdirs()
    val fields = args.drop(3).map { argument =>
      val at = argument.indexOf('=')
      argument.take(at) -> argument.drop(at + 1)
    }
    try write(folder, OwnConfig(name, Option.when(base != "-")(base), fields.toMap))
    catch {
      case refusal: IllegalArgumentException =>
        Files.writeString(Path.of(folder, REFUSED), refusal.getMessage.stripPrefix("requirement failed: "))
    }
  }
}
