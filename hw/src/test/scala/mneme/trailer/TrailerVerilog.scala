package mneme.trailer

import mneme.{CBoard, CBoardConfig}

import spinal.core._

import java.io.File

/** Writes the Verilog of each component of trailers, and of the device's core with all of them (`CBoard_zcu106_tags`), for `cargo xtask synth --verilog`: the
  * device's configuration has none of them.
  */
object TrailerVerilog {
  private class UpperTimeAlone extends Component {
    setDefinitionName("UpperTime")
    val tick = in UInt (64 bits)
    val low = in UInt (24 bits)
    val upper = out(RegNext(UpperTime(RegNext(tick), RegNext(low))))
  }

  def main(args: Array[String]): Unit = {
    val folder = args.headOption.getOrElse("target/trailer")
    new File(folder).mkdirs()
    val config = mneme.Generate.config(folder)
    // What goes with a frame through the check: as many bits as a frame's description has.
    val described = 440
    config.generateVerilog(new SipEngine)
    config.generateVerilog(new SipPool(4))
    config.generateVerilog(new KeyDerivation(Vec(Bits(64 bits), TagMessage.KNOWN_WORDS)))
    config.generateVerilog(FrameCrc())
    config.generateVerilog(TrailerTail())
    config.generateVerilog(new TrailerCheck(Bits(described bits), 4))
    config.generateVerilog(new TrailerSeal(4))
    config.generateVerilog(new UpperTimeAlone)
    config.generateVerilog(CBoard(CBoardConfig.zcu106.copy(name = "zcu106_tags", trailers = true)))
  }
}
