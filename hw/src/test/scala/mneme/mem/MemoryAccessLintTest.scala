package mneme.mem

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._

import java.nio.file.Files
import scala.sys.process._

/** The generated Verilog of every configuration passes `verilator --lint-only -Wall`. */
class MemoryAccessLintTest extends AnyFunSuite {
  /** The generator writes one file of many modules, names every bundle field whether read or not, and declares enumerations in every module. */
  private val waived = Seq("-Wno-DECLFILENAME", "-Wno-UNUSEDSIGNAL", "-Wno-UNUSEDPARAM")

  CBoardConfig.all.foreach { c =>
    test(s"${c.name} is lint clean") {
      val folder = Files.createTempDirectory("memory-access")
      SpinalConfig(targetDirectory = folder.toString, defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH))
        .generateVerilog(new MemoryAccess(c))
      val said = new StringBuilder
      val code = Process(Seq("verilator", "--lint-only", "-Wall") ++ waived ++ Seq(s"$folder/MemoryAccess.v")).!(ProcessLogger(line => said ++= line + "\n"))
      assert(!Files.readString(folder.resolve("MemoryAccess.v")).contains("faults"), "a board has no planted faults")
      assert(code == 0 && said.isEmpty, said)
    }
  }
}
