// The ZCU106's Ethernet port between a foreign XGMII, behind a PCS of ours, and a foreign AXI stream.
`timescale 1ns / 1ps
module ethernet (
  input  wire         clk,
  input  wire         line_clock,
  input  wire         reset,
  input  wire         line_reset,
  input  wire [63:0]  xgmii_in_data,
  input  wire [7:0]   xgmii_in_control,
  output wire [63:0]  xgmii_out_data,
  output wire [7:0]   xgmii_out_control,
  output wire         xgmii_out_valid,
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
  output wire         locked,
  output wire         paused,
  input  wire [4:0]   counter_index,
  output wire [31:0]  counter_value
);
  wire [1:0]  in_header, out_header;
  wire [63:0] in_data, out_data;
  wire [63:0] left_data;
`ifdef PLANTED
  // Lane 0 is the last one.
  assign xgmii_out_data = {left_data[7:0], left_data[63:8]};
`else
  assign xgmii_out_data = left_data;
`endif
  wire        port_locked, peer_locked, local_fault, remote_fault;
  assign locked = port_locked & peer_locked & ~local_fault & ~remote_fault;

  PcsTransmit peer_transmit (
    .io_xgmii_data(xgmii_in_data), .io_xgmii_control(xgmii_in_control),
    .io_block_header(in_header), .io_block_data(in_data),
    .tx_clock(line_clock), .txReset(line_reset)
  );
  PcsReceive peer_receive (
    .io_blocks_valid(1'b1), .io_blocks_payload_header(out_header), .io_blocks_payload_data(out_data),
    .io_signalOk(1'b1), .io_slip(), .io_xgmii_valid(xgmii_out_valid), .io_xgmii_payload_data(left_data),
    .io_xgmii_payload_control(xgmii_out_control), .io_lock(peer_locked), .io_highErrorRate(), .io_wrongHeader(),
    .io_badBlock(), .rx_clock(line_clock), .rxReset(line_reset)
  );
  EthernetPort port (
    .rx_clock(line_clock), .tx_clock(line_clock), .rx_valid(1'b1), .rx_payload_header(in_header),
    .rx_payload_data(in_data), .rx_signalOk(1'b1), .rx_slip(), .tx_header(out_header), .tx_data(out_data),
    .net_rx_tvalid(net_rx_tvalid), .net_rx_tready(net_rx_tready), .net_rx_tdata(net_rx_tdata),
    .net_rx_tkeep(net_rx_tkeep), .net_rx_tlast(net_rx_tlast), .net_rx_tuser(net_rx_tuser),
    .net_tx_tvalid(net_tx_tvalid), .net_tx_tready(net_tx_tready), .net_tx_tdata(net_tx_tdata),
    .net_tx_tkeep(net_tx_tkeep), .net_tx_tlast(net_tx_tlast), .net_tx_tuser(net_tx_tuser),
    .settings_address(48'h0200c0ffee01), .settings_sendPauses(1'b0), .status_lock(port_locked),
    .status_highErrorRate(), .status_localFault(local_fault), .status_remoteFault(remote_fault),
    .status_paused(paused), .counter_index(counter_index), .counter_value(counter_value), .resets_shell(reset),
    .clk(clk)
  );
endmodule
