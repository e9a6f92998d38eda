// Ports of the ECP5's cells, by Project Trellis and FPGA-TN-02035. There is nothing inside. Lint looks at the board's connections with
// it; synthesis has its own.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off DECLFILENAME */
`default_nettype none

// A PLL.
module EHXPLLL #(
  parameter PLLRST_ENA = "DISABLED", INTFB_WAKE = "DISABLED", STDBY_ENABLE = "DISABLED", DPHASE_SOURCE = "DISABLED",
  parameter OUTDIVIDER_MUXA = "DIVA", OUTDIVIDER_MUXB = "DIVB", OUTDIVIDER_MUXC = "DIVC", OUTDIVIDER_MUXD = "DIVD",
  parameter FEEDBK_PATH = "CLKOP", CLKOP_ENABLE = "ENABLED", CLKOS_ENABLE = "DISABLED",
  parameter integer CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 8, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0,
  parameter integer CLKOS_DIV = 8, CLKOS_CPHASE = 0, CLKOS_FPHASE = 0
) (
  input  wire RST,
  input  wire STDBY,
  input  wire CLKI,
  input  wire CLKFB,
  input  wire PHASESEL0,
  input  wire PHASESEL1,
  input  wire PHASEDIR,
  input  wire PHASESTEP,
  input  wire PHASELOADREG,
  input  wire PLLWAKESYNC,
  input  wire ENCLKOP,
  output wire CLKOP,
  output wire CLKOS,
  output wire CLKINTFB,
  output wire LOCK
);
endmodule

// Both edges of a pin that comes in.
module IDDRX1F (
  input  wire D,
  input  wire SCLK,
  input  wire RST,
  output wire Q0,
  output wire Q1
);
endmodule

// Both edges of a pin that goes out.
module ODDRX1F (
  input  wire D0,
  input  wire D1,
  input  wire SCLK,
  input  wire RST,
  output wire Q
);
endmodule

// A delay in steps of 25 ps.
module DELAYG #(
  parameter DEL_MODE = "USER_DEFINED",
  parameter integer DEL_VALUE = 0
) (
  input  wire A,
  output wire Z
);
endmodule

`default_nettype wire
