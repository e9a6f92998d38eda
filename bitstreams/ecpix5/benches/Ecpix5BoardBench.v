// The ECPIX-5's board at its pins, for `cargo xtask bitstream ecpix5 --check`, which is at the other end of standard input and output.
// A line `s` and bytes in hexadecimal sends them on RGMII as they are, preamble and check sequence too; `r` and nanoseconds lets so much
// time pass; `m` and a number in hexadecimal tells that word of DRAM, behind `m`. The bytes of each frame that the board has sent come
// behind `f`. Each line is answered last with `t`, the time in nanoseconds, the light and the transceiver's reset.
module Ecpix5BoardBench #(
  parameter [47:0]  BOARD_MAC  = 48'h0,
  parameter [47:0]  HOST_MAC   = 48'h0,
  parameter [127:0] HOST_KEY   = 128'h0,
  parameter [31:0]  BUILD_HASH = 32'h0,
  parameter [31:0]  BUILD_DATE = 32'h0
);
  localparam STDIN = 32'h8000_0000;
  reg clk100 = 1'b0;
  always #5 clk100 = !clk100;
  reg rst_n = 1'b0;

  wire tx_clk, tx_ctl, eth_rst_n, led_n;
  wire [3:0] tx_data;
  reg rx_clk = 1'b0, rx_ctl = 1'b0;
  reg [3:0] rx_data = 4'hd;
  Ecpix5Board #(
    .BOARD_MAC(BOARD_MAC), .HOST_MAC(HOST_MAC), .HOST_KEY(HOST_KEY), .BUILD_HASH(BUILD_HASH), .BUILD_DATE(BUILD_DATE)
  ) dut (
    .clk100(clk100), .rst_n(rst_n),
    .eth_tx_clk(tx_clk), .eth_tx_ctl(tx_ctl), .eth_tx_data(tx_data),
    .eth_rx_clk(rx_clk), .eth_rx_ctl(rx_ctl), .eth_rx_data(rx_data), .eth_rst_n(eth_rst_n), .eth_mdc(),
    .ddram_a(), .ddram_ba(), .ddram_ras_n(), .ddram_cas_n(), .ddram_we_n(), .ddram_dm(), .ddram_dq(), .ddram_dqs_p(),
    .ddram_clk_p(), .ddram_cke(), .ddram_odt(), .led_n(led_n)
  );

  // --- To the board: a byte in each cycle, its low half at the rising edge. The transceiver's clock comes 2 ns behind the data. Between
  // frames the line tells a link of 1 Gbit/s, full duplex.
  reg [7:0] coming[$];
  reg [7:0] now;
  reg valid;
  always begin
    valid = coming.size() != 0;
    now = 8'hdd;
    if (valid) now = coming.pop_front();
    {rx_ctl, rx_data} = {valid, now[3:0]};
    #2 rx_clk = 1'b1;
    #2 {rx_ctl, rx_data} = {valid, now[7:4]};
    #2 rx_clk = 1'b0;
    #2;
  end

  // --- From the board, as a transceiver without a delay of its own takes it.
  reg rises;
  reg [3:0] low;
  reg [7:0] gone[$];
  always @(posedge tx_clk) {rises, low} = {tx_ctl, tx_data};
  always @(negedge tx_clk)
    if (rises && tx_ctl) gone.push_back({tx_data, low});
    else begin
      if (rises != tx_ctl) $display("e the board marks an error");
      if (gone.size() != 0) begin
        $write("f ");
        while (gone.size() != 0) $write("%02h", gone.pop_front());
        $write("\n");
      end
    end

  // --- What is asked for.
  function automatic [3:0] digit(input [7:0] letter);
    digit = letter[6] ? letter[3:0] + 4'd9 : letter[3:0];
  endfunction
  string line;
  integer at, span;
  reg [25:0] word;
  initial begin
    #100 rst_n = 1'b1;
    // Of the transceiver's 10 ms in reset these are the last microseconds.
    #20 dut.settled = 21'h0fff00;
    while ($fgets(line, STDIN) != 0) begin
      if (line.getc(0) == "s")
        for (at = 2; at + 1 < line.len() - 1; at = at + 2) coming.push_back({digit(line.getc(at)), digit(line.getc(at + 1))});
      else if ($sscanf(line, "r %d", span) == 1) #(span);
      else if ($sscanf(line, "m %h", word) == 1) $display("m %h", dut.dram.word(word));
      $display("t %0d %b %b", $rtoi($realtime), !led_n, eth_rst_n);
      $fflush();
    end
    $finish;
  end
endmodule
