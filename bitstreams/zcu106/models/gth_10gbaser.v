// Ports of the vendor's IP as ip.tcl makes it, by its documents: gtwizard_ultrascale, PG182; the signals of the
// transceiver, UG576. There is nothing inside. Lint and Yosys look at the wrapper's connections with it; Vivado never
// reads it.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
`default_nettype none

// One GTH channel with its PLL, clocks and reset controller.
(* blackbox *)
module gth_10gbaser (
  input  wire gtwiz_reset_clk_freerun_in,
  input  wire gtwiz_reset_all_in,
  input  wire gtwiz_userclk_tx_reset_in,
  output wire gtwiz_userclk_tx_srcclk_out,
  output wire gtwiz_userclk_tx_usrclk_out,
  output wire gtwiz_userclk_tx_usrclk2_out,
  output wire gtwiz_userclk_tx_active_out,
  input  wire gtwiz_userclk_rx_reset_in,
  output wire gtwiz_userclk_rx_srcclk_out,
  output wire gtwiz_userclk_rx_usrclk_out,
  output wire gtwiz_userclk_rx_usrclk2_out,
  output wire gtwiz_userclk_rx_active_out,
  input  wire gtwiz_reset_tx_pll_and_datapath_in,
  input  wire gtwiz_reset_tx_datapath_in,
  input  wire gtwiz_reset_rx_pll_and_datapath_in,
  input  wire gtwiz_reset_rx_datapath_in,
  output wire gtwiz_reset_rx_cdr_stable_out,
  output wire gtwiz_reset_tx_done_out,
  output wire gtwiz_reset_rx_done_out,
  input  wire [63:0]   gtwiz_userdata_tx_in,
  output wire [63:0]   gtwiz_userdata_rx_out,
  input  wire gtrefclk00_in,
`ifdef SECOND_SFP
  output wire qpll0lock_out,
`endif
  output wire qpll0outclk_out,
  output wire qpll0outrefclk_out,
  input  wire gthrxp_in,
  input  wire gthrxn_in,
  output wire gthtxp_out,
  output wire gthtxn_out,
  input  wire rxgearboxslip_in,
  input  wire [5:0]    txheader_in,
  input  wire [6:0]    txsequence_in,
  output wire gtpowergood_out,
  output wire [1:0]    rxdatavalid_out,
  output wire [5:0]    rxheader_out,
  output wire [1:0]    rxheadervalid_out,
  output wire rxpmaresetdone_out,
  output wire rxprgdivresetdone_out,
  output wire [1:0]    rxstartofseq_out,
  output wire txpmaresetdone_out,
  output wire txprgdivresetdone_out
);
endmodule

`default_nettype wire
