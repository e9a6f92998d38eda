`default_nettype none

// Starts a transceiver's receiver anew while it does not find blocks.
//
// A receiver that came up without a signal, or with another one, may have set its equaliser for what is not there any more. The
// PCS then asks for slip after slip and never locks. It tries all 66 places in about 15 us, so one that still slips after RETRY
// cycles of `clk` is reset, and again as long as it slips.
module LinkWatch #(
  parameter integer QUIET_LOG2 = 14,  // cycles of rx_clock without a slip that are lock: 105 us
  parameter integer RETRY_LOG2 = 23,  // cycles of clk between two resets: 67 ms at 125 MHz
  parameter integer HELD_LOG2 = 4     // cycles of clk that a reset lasts
) (
  input  wire clk,
  input  wire rx_clock,
  input  wire rx_slip,   // of rx_clock
  input  wire rx_ready,  // of rx_clock: the receiver has come out of its reset
  output wire rx_restart,  // of clk
  output wire locked       // of clk
);
  // Of rx_clock. It stands still while the receiver is in reset, so readiness is looked at in clk, too.
  reg [QUIET_LOG2:0] quiet = 0;
  always @(posedge rx_clock) begin
    if (rx_slip || !rx_ready) quiet <= 0;
    else if (!quiet[QUIET_LOG2]) quiet <= quiet + 1'b1;
  end

  reg found = 1'b0;
  always @(posedge rx_clock) found <= quiet[QUIET_LOG2] && rx_ready;

  (* ASYNC_REG = "TRUE" *) reg found_meta = 1'b0;
  (* ASYNC_REG = "TRUE" *) reg found_seen = 1'b0;
  (* ASYNC_REG = "TRUE" *) reg ready_meta = 1'b0;
  (* ASYNC_REG = "TRUE" *) reg ready_seen = 1'b0;
  always @(posedge clk) begin
    found_meta <= found;
    found_seen <= found_meta;
    ready_meta <= rx_ready;
    ready_seen <= ready_meta;
  end
  assign locked = found_seen && ready_seen;

  reg [RETRY_LOG2-1:0] waited = 0;
  always @(posedge clk) waited <= locked ? 0 : waited + 1'b1;

  reg restart = 1'b0;
  always @(posedge clk) restart <= !locked && (&waited[RETRY_LOG2-1:HELD_LOG2]);
  assign rx_restart = restart;
endmodule

`default_nettype wire
