// A receiver that never slips is left alone; one that slips on is reset, again and again; one that stands still is, too.
module LinkWatchBench;
  localparam QUIET = 4, RETRY = 8, HELD = 2;
  reg clk = 0, rx_clock = 0, rx_slip = 0, rx_ready = 0, rx_runs = 1;
  wire rx_restart, locked;
  always #4 clk = !clk;
  // Of another speed, so that the two meet at all phases.
  always #3.2 rx_clock = rx_runs && !rx_clock;

  LinkWatch #(.QUIET_LOG2(QUIET), .RETRY_LOG2(RETRY), .HELD_LOG2(HELD)) watch (
    .clk(clk), .rx_clock(rx_clock), .rx_slip(rx_slip), .rx_ready(rx_ready), .rx_restart(rx_restart), .locked(locked)
  );

  integer phase, restarts = 0, mark = 0, held = 0, shortest = 1000;
  reg was = 0;
  always @(posedge clk) begin
    was <= rx_restart;
    if (rx_restart) held <= held + 1;
    if (rx_restart && !was) restarts <= restarts + 1;
    if (!rx_restart && was) begin
      if (held < shortest) shortest <= held;
      held <= 0;
    end
  end

  task check(input ok, input [8*64-1:0] what);
    if (!ok) begin
      $display("LinkWatch: %0s", what);
      $fatal;
    end
  endtask

  // Slips once in so many blocks, as a PCS that finds none does.
  integer block = 0;
  reg slips = 0;
  always @(posedge rx_clock) begin
    block <= block + 1;
    rx_slip <= slips && block % 10 == 0;
  end

  initial begin
    // Ready and quiet: locked within some cycles, and for ever.
    rx_ready = 1;
    repeat (60) @(posedge clk);
    check(locked, "a quiet receiver is not locked");
    repeat (4 << RETRY) @(posedge clk);
    check(restarts == 0, "a quiet receiver was reset");
    // It slips: no lock, and a reset after each wait.
    slips = 1;
    repeat (20) @(posedge clk);
    check(!locked, "a receiver that slips is locked");
    repeat (4 << RETRY) @(posedge clk);
    check(restarts == 4 || restarts == 3, "resets are not one in a wait");
    check(shortest == 1 << HELD, "a reset is too short or too long");
    // It stops slipping: locked, no more resets.
    slips = 0;
    repeat (60) @(posedge clk);
    mark = restarts;
    check(locked, "a receiver that found its place is not locked");
    repeat (4 << RETRY) @(posedge clk);
    check(restarts == mark, "a receiver that found its place was reset");
    // It slips anew at any time: it has a whole wait, and finds its place.
    for (phase = 0; phase < 16; phase = phase + 1) begin
      repeat (20 * phase) @(posedge clk);
      slips = 1;
      repeat ((1 << RETRY) - 40) @(posedge clk);
      check(!locked && restarts == mark, "a receiver that has lost its place had no whole wait");
      slips = 0;
      repeat (60) @(posedge clk);
      check(locked, "a receiver that found its place again is not locked");
    end
    // Its clock stands, and it says that it is not ready: not locked, reset.
    rx_ready = 0;
    rx_runs = 0;
    repeat (2 << RETRY) @(posedge clk);
    check(!locked && restarts > mark, "a receiver that stands is left alone");
    // Ready again before it runs: what was found before its reset does not count for ever.
    rx_runs = 1;
    repeat (3) @(posedge rx_clock);
    rx_ready = 1;
    repeat (60) @(posedge clk);
    check(locked, "a receiver that came back is not locked");
    $finish;
  end
endmodule
