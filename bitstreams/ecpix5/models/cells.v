// What the ECP5's cells around the board do, by Project Trellis and FPGA-TN-02035: their ports for lint, and enough of what is inside
// for the board's simulation at its pins (`../benches/Ecpix5BoardBench.v`). Synthesis has its own.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off BLKSEQ */
`default_nettype none

// A PLL whose feedback is CLKOP: CLKOP runs at CLKI / CLKI_DIV * CLKFB_DIV, and CLKOS is CLKOP * CLKOP_DIV / CLKOS_DIV. It locks when it
// has seen some cycles of CLKI.
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
  output reg  CLKOP,
  output reg  CLKOS,
  output wire CLKINTFB,
  output reg  LOCK
);
  assign CLKINTFB = 1'b0;
  initial {CLKOP, CLKOS, LOCK} = 3'b000;

  // Half a cycle of each, of the period of CLKI that was measured.
  realtime edge_before, period, op_half, os_half;
  initial begin
    @(posedge CLKI) edge_before = $realtime;
    @(posedge CLKI) period = $realtime - edge_before;
    op_half = period * CLKI_DIV / CLKFB_DIV / 2;
    os_half = op_half * CLKOS_DIV / CLKOP_DIV;
    fork
      forever #(op_half) CLKOP = !CLKOP;
      forever #(os_half) CLKOS = !CLKOS;
    join_none
    repeat (100) @(posedge CLKI);
    LOCK = 1'b1;
  end
endmodule

// Both edges of a pin that comes in. Q0 is what the rising edge saw and Q1 what the falling edge behind it saw; both come at the next
// rising edge.
module IDDRX1F (
  input  wire D,
  input  wire SCLK,
  input  wire RST,
  output reg  Q0,
  output reg  Q1
);
  reg rise, fall;
  always @(posedge SCLK) begin
    rise <= D;
    Q0 <= rise;
    Q1 <= fall;
  end
  always @(negedge SCLK) fall <= D;
endmodule

// Both edges of a pin that goes out: D0 from the rising edge on, D1 from the falling one.
module ODDRX1F (
  input  wire D0,
  input  wire D1,
  input  wire SCLK,
  input  wire RST,
  output wire Q
);
  reg first, second;
  always @(posedge SCLK) {first, second} <= {D0, D1};
  assign Q = SCLK ? first : second;
endmodule

// A delay in steps of 25 ps, shorter than what it delays.
module DELAYG #(
  parameter DEL_MODE = "USER_DEFINED",
  parameter integer DEL_VALUE = 0
) (
  input  wire A,
  output reg  Z
);
  always @(A) begin
    #(DEL_VALUE * 0.025);
    Z = A;
  end
endmodule

`default_nettype wire
