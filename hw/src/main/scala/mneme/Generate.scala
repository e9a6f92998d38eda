package mneme

import mneme.board.{CrossingConstraints, Ecpix5, EthernetPort, PortSwitch, Zcu106}
import mneme.chain.{ChainConfig, ChainFields, ChainReplies, ChainResponder, ChainUnit, ReplyReader}
import mneme.leaf.{LeafConfig, LeafUnit}
import mneme.rdma.{RoceConfig, RocePort, RoceReceive, RoceTransmit}

import java.io.File
import spinal.core._

/** Writes the Verilog of every kept configuration, of the Ethernet port and the ZCU106 with their constraints, of the switch of a
  * board with two ports, of the ECPIX-5, and of the RoCEv2 port, its
  * two sides, the leaf unit and parts of chains, into the folder given (default `rtl`, run from `hw/`); the same text every time.
  */
object Generate {
  def config(folder: String): SpinalConfig = SpinalConfig(
    targetDirectory = folder,
    defaultConfigForClockDomains = ClockDomainConfig(clockEdge = RISING, resetKind = SYNC, resetActiveLevel = HIGH),
    // Neither hash nor date: CI compares the text.
    headerWithDate = false,
    headerWithRepoHash = false,
    // Nor line numbers of the sources: a changed comment is no change of the hardware.
    nameWhenByFile = false,
    removePruned = true
  ).withoutEnumString()

  def main(args: Array[String]): Unit = {
    val folder = args.headOption.getOrElse("rtl")
    new File(folder).mkdirs()
    for (c <- CBoardConfig.all) config(folder).generateVerilog(CBoard(c))
    val leaf = LeafConfig(CBoardConfig.zcu106)
    val port = Seq(
      () => RoceReceive(),
      () => RoceTransmit(),
      () => RocePort(RoceConfig(CBoardConfig.zcu106)),
      () => LeafUnit(leaf),
      () => ChainReplies(ChainConfig(leaf)),
      () => ChainFields(ChainConfig(leaf)),
      () => ChainUnit(ChainConfig(leaf)),
      () => ReplyReader(ChainConfig(leaf)),
      () => ChainResponder(ChainConfig(leaf))
    )
    for (top <- port) config(folder).generateVerilog(top())
    for (top <- Seq(() => EthernetPort(), () => Zcu106())) CrossingConstraints.write(config(folder).generateVerilog(top()).toplevel, folder)
    config(folder).generateVerilog(PortSwitch(2))
    CrossingConstraints.check(config(folder).generateVerilog(Ecpix5()).toplevel)
  }
}
