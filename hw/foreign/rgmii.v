// The ECPIX-5's Ethernet port between a foreign RGMII, behind cells for both edges of a clock, and a foreign AXI stream.
`timescale 1ns / 1ps
module rgmii (
  input  wire         clk,
  input  wire         rx_clock,
  input  wire         tx_clock,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire         sink_clock,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire         reset,
  input  wire [3:0]   rxd,
  input  wire         rx_ctl,
  output wire [3:0]   txd,
  output wire         tx_ctl,
  output wire         net_rx_tvalid,
  input  wire         net_rx_tready,
  output wire [511:0] net_rx_tdata,
  output wire [63:0]  net_rx_tkeep,
  output wire         net_rx_tlast,
  output wire         net_rx_tuser,
  input  wire         net_tx_tvalid,
  output wire         net_tx_tready,
  input  wire [511:0] net_tx_tdata,
  input  wire [63:0]  net_tx_tkeep,
  input  wire         net_tx_tlast,
  input  wire         net_tx_tuser,
  input  wire [4:0]   counter_index,
  output wire [31:0]  counter_value
);
  // IDDRX1F: both edges' bits come out together, at the next rising edge.
  reg [4:0] high, low, rise, fall;
  always @(posedge rx_clock) high <= {rx_ctl, rxd};
  always @(negedge rx_clock) low <= {rx_ctl, rxd};
  always @(posedge rx_clock) {rise, fall} <= {high, low};
  // ODDRX1F.
  wire [4:0] tx_rise, tx_fall;
`ifdef PLANTED
  // High nibble first.
  assign {tx_ctl, txd} = tx_clock ? tx_fall : tx_rise;
`else
  assign {tx_ctl, txd} = tx_clock ? tx_rise : tx_fall;
`endif

  RgmiiPort port (
    .rx_clock(rx_clock), .tx_clock(tx_clock), .rx_rise_data(rise[3:0]), .rx_rise_control(rise[4]),
    .rx_fall_data(fall[3:0]), .rx_fall_control(fall[4]), .tx_rise_data(tx_rise[3:0]), .tx_rise_control(tx_rise[4]),
    .tx_fall_data(tx_fall[3:0]), .tx_fall_control(tx_fall[4]), .net_rx_tvalid(net_rx_tvalid),
    .net_rx_tready(net_rx_tready), .net_rx_tdata(net_rx_tdata), .net_rx_tkeep(net_rx_tkeep),
    .net_rx_tlast(net_rx_tlast), .net_rx_tuser(net_rx_tuser), .net_tx_tvalid(net_tx_tvalid),
    .net_tx_tready(net_tx_tready), .net_tx_tdata(net_tx_tdata), .net_tx_tkeep(net_tx_tkeep),
    .net_tx_tlast(net_tx_tlast), .net_tx_tuser(net_tx_tuser), .link_up(), .link_gigabit(), .link_fullDuplex(),
    .counter_index(counter_index), .counter_value(counter_value), .resets_shell(reset), .clk(clk)
  );
endmodule
