package mneme.board

import mneme.{CBoardConfig, Generate, OwnConfig}

/** A ZCU106 whose core somebody configured: `cargo xtask bitstream zcu106 --config my.toml --ports 2`. */
object OwnZcu106 {

  /** Throws an `IllegalArgumentException` in words where the board around the core does not fit: what it has of DRAM, ring memory and wires is fixed. */
  def check(c: CBoardConfig): Unit = {
    val kept = CBoardConfig.zcu106
    require(c.memBits == kept.memBits, s"memBits: a ZCU106 has 2^${kept.memBits} bytes of DRAM, not 2^${c.memBits}")
    require(c.mtu <= kept.mtu, s"mtu: the slots of a ZCU106's rings hold frames of an MTU of ${kept.mtu}, not of ${c.mtu}")
    require(c.rdma == 0, "rdma: a ZCU106 has no wires for a RoCEv2 port yet")
    require(c.doors == 1, s"doors: a ZCU106 has one source of requests, not ${c.doors}")
    require(!c.simulated, "simulated: a tick that can be told to jump is for simulation alone")
  }

  /** Writes `Zcu106.v` and its constraints. */
  def write(folder: String, c: CBoardConfig, ports: Int): Unit = {
    check(c)
    CrossingConstraints.write(Generate.config(folder).generateVerilog(Zcu106(c, ports = ports)).toplevel, folder)
  }

  /** Arguments and refusals are those of [[OwnConfig]]; `ports=2` beside the fields is the board's second Ethernet port. */
  def main(args: Array[String]): Unit = {
    val (ports, fields) = args.partition(_.startsWith(PORTS))
    OwnConfig.asked(fields)(write(_, _, ports.lastOption.fold(1)(_.drop(PORTS.length).toInt)))
  }
  private val PORTS = "ports="
}
