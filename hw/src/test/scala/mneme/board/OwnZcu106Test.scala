package mneme.board

import mneme.CBoardConfig
import org.scalatest.funsuite.AnyFunSuite

import java.nio.file.{Files, Path}
import scala.jdk.CollectionConverters._

class OwnZcu106Test extends AnyFunSuite {
  private def text(folder: Path, name: String): String = Files.readString(folder.resolve(name))

  /** What the generator leaves, by file. */
  private def generated(arguments: String*): Map[String, String] = {
    val folder = Files.createTempDirectory("zcu106")
    OwnZcu106.main(Array(folder.toString) ++ arguments)
    val files = Files.list(folder).iterator.asScala.toSeq
    val texts = files.map(file => file.getFileName.toString -> Files.readString(file)).toMap
    (files :+ folder).foreach(Files.delete)
    texts
  }

  test("the kept configuration is the board that is committed") {
    val texts = generated("zcu106", "zcu106")
    for (name <- Seq("Zcu106.v", "Zcu106.xdc")) assert(texts(name) == text(Path.of("rtl"), name), name)
  }

  test("a core with trailers has the same board around it") {
    val texts = generated("tagged", "zcu106", "trailers=true")
    val ports = (verilog: String) => verilog.drop(verilog.indexOf("module Zcu106 ")).takeWhile(_ != ';')
    assert(texts("Zcu106.v").contains("TrailerSeal") && !text(Path.of("rtl"), "Zcu106.v").contains("TrailerSeal"))
    assert(ports(texts("Zcu106.v")) == ports(text(Path.of("rtl"), "Zcu106.v")))
    assert(texts("Zcu106.xdc") == text(Path.of("rtl"), "Zcu106.xdc"), "the same registers cross")
  }

  test("what does not fit the board is refused in words that begin with the field") {
    val zcu106 = CBoardConfig.zcu106
    val wrong = Seq(
      "memBits" -> zcu106.copy(memBits = 32),
      "mtu" -> zcu106.copy(mtu = 9000, readBeats = 8192),
      "rdma" -> CBoardConfig.rdma.copy(memBits = zcu106.memBits, simulated = false),
      "doors" -> zcu106.copy(doors = 2),
      "simulated" -> zcu106.copy(simulated = true)
    )
    for ((field, c) <- wrong) {
      val refusal = intercept[IllegalArgumentException](OwnZcu106.check(c)).getMessage
      assert(refusal.stripPrefix("requirement failed: ").startsWith(s"$field: "), refusal)
    }
    assert(generated("own", "zcu106", "mtu=9000")("refused.txt").startsWith("mtu: "))
    assert(generated("own", "sim")("refused.txt").startsWith("memBits: "))
  }
}
