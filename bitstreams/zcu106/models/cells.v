// Ports of the device's cells, by UG974. There is nothing inside. Lint and Yosys look at the wrapper's connections with
// it; Vivado never reads it.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off DECLFILENAME */
`default_nettype none

// A differential input.
(* blackbox *)
module IBUFDS (
  input  wire I,
  input  wire IB,
  output wire O
);
endmodule

// A clock's tree.
(* blackbox *)
module BUFG (
  input  wire I,
  output wire O
);
endmodule

// A transceiver's reference clock.
(* blackbox *)
module IBUFDS_GTE4 (
  input  wire I,
  input  wire IB,
  input  wire CEB,
  output wire O,
  output wire ODIV2
);
endmodule

`default_nettype wire
