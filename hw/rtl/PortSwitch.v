// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : PortSwitch

`timescale 1ns/1ps

module PortSwitch (
  input  wire          io_ports_0_rx_valid,
  output wire          io_ports_0_rx_ready,
  input  wire [511:0]  io_ports_0_rx_payload_data,
  input  wire [63:0]   io_ports_0_rx_payload_keep,
  input  wire          io_ports_0_rx_payload_last,
  input  wire [0:0]    io_ports_0_rx_payload_user,
  output wire          io_ports_0_tx_valid,
  input  wire          io_ports_0_tx_ready,
  output wire [511:0]  io_ports_0_tx_payload_data,
  output wire [63:0]   io_ports_0_tx_payload_keep,
  output wire          io_ports_0_tx_payload_last,
  output wire [0:0]    io_ports_0_tx_payload_user,
  input  wire          io_ports_0_up,
  input  wire          io_ports_0_room,
  output wire          io_ports_0_refused,
  input  wire          io_ports_1_rx_valid,
  output wire          io_ports_1_rx_ready,
  input  wire [511:0]  io_ports_1_rx_payload_data,
  input  wire [63:0]   io_ports_1_rx_payload_keep,
  input  wire          io_ports_1_rx_payload_last,
  input  wire [0:0]    io_ports_1_rx_payload_user,
  output wire          io_ports_1_tx_valid,
  input  wire          io_ports_1_tx_ready,
  output wire [511:0]  io_ports_1_tx_payload_data,
  output wire [63:0]   io_ports_1_tx_payload_keep,
  output wire          io_ports_1_tx_payload_last,
  output wire [0:0]    io_ports_1_tx_payload_user,
  input  wire          io_ports_1_up,
  input  wire          io_ports_1_room,
  output wire          io_ports_1_refused,
  output wire          io_toCore_valid,
  input  wire          io_toCore_ready,
  output wire [511:0]  io_toCore_payload_data,
  output wire [63:0]   io_toCore_payload_keep,
  output wire          io_toCore_payload_last,
  output wire [0:0]    io_toCore_payload_user,
  input  wire          io_fromCore_valid,
  output reg           io_fromCore_ready,
  input  wire [511:0]  io_fromCore_payload_data,
  input  wire [63:0]   io_fromCore_payload_keep,
  input  wire          io_fromCore_payload_last,
  input  wire [0:0]    io_fromCore_payload_user,
  input  wire          clk,
  input  wire          reset
);
  localparam State_look = 2'd0;
  localparam State_choose = 2'd1;
  localparam State_waits = 2'd2;
  localparam State_sends = 2'd3;

  reg        [49:0]   addresses_spinal_port1;
  wire                chosen_io_inputs_0_ready;
  wire                chosen_io_inputs_1_ready;
  wire                chosen_io_output_valid;
  wire       [511:0]  chosen_io_output_payload_data;
  wire       [63:0]   chosen_io_output_payload_keep;
  wire                chosen_io_output_payload_last;
  wire       [0:0]    chosen_io_output_payload_user;
  wire       [0:0]    chosen_io_chosen;
  wire       [1:0]    chosen_io_chosenOH;
  wire       [8:0]    _zz_learn_write_payload;
  wire       [8:0]    _zz_learn_write_payload_1;
  wire       [2:0]    _zz_learn_write_payload_2;
  wire       [49:0]   _zz_addresses_port;
  wire       [8:0]    _zz__zz_leave_row_valid;
  wire       [2:0]    _zz__zz_leave_row_valid_1;
  wire                _zz_addresses_port_1;
  wire                _zz__zz_leave_row_valid_1_1;
  wire       [8:0]    _zz_leave_written;
  wire       [2:0]    _zz_leave_written_1;
  wire       [1:0]    up;
  reg                 learn_first;
  wire                io_toCore_fire;
  wire       [47:0]   learn_from;
  reg                 learn_seen;
  reg        [47:0]   learn_address;
  reg        [0:0]    learn_port;
  reg        [9:0]    learn_sweep;
  wire                learn_sweeps;
  wire                learn_write_valid;
  wire       [8:0]    learn_write_payload;
  wire                learn_row_valid;
  wire       [47:0]   learn_row_address;
  wire       [0:0]    learn_row_port;
  reg        [1:0]    leave_state;
  wire                leave_beat_valid;
  wire                leave_beat_ready;
  wire       [511:0]  leave_beat_payload_data;
  wire       [63:0]   leave_beat_payload_keep;
  wire                leave_beat_payload_last;
  wire       [0:0]    leave_beat_payload_user;
  reg                 io_fromCore_rValid;
  reg        [511:0]  io_fromCore_rData_data;
  reg        [63:0]   io_fromCore_rData_keep;
  reg                 io_fromCore_rData_last;
  reg        [0:0]    io_fromCore_rData_user;
  wire       [47:0]   leave_to;
  wire       [8:0]    _zz_leave_row_valid;
  wire                leave_row_valid;
  wire       [47:0]   leave_row_address;
  wire       [0:0]    leave_row_port;
  wire       [49:0]   _zz_leave_row_valid_1;
  reg                 leave_written;
  wire                leave_known;
  wire       [1:0]    leave_own;
  wire                leave_linked;
  reg        [1:0]    leave_targets;
  reg        [1:0]    leave_sending;
  reg        [1:0]    leave_stuck;
  wire       [1:0]    leave_room;
  reg        [11:0]   leave_left;
  wire       [1:0]    leave_missing;
  wire                leave_goes;
  wire       [1:0]    leave_takes;
  wire                leave_allReady;
  wire                leave_beat_fire;
  reg                 _zz_io_ports_0_refused;
  reg                 _zz_io_ports_1_refused;
  (* ram_style = "block" *) reg [49:0] addresses [0:511];

  assign _zz_learn_write_payload = learn_sweep[8:0];
  assign _zz_learn_write_payload_2 = learn_address[47 : 45];
  assign _zz_learn_write_payload_1 = {6'd0, _zz_learn_write_payload_2};
  assign _zz__zz_leave_row_valid_1 = leave_to[47 : 45];
  assign _zz__zz_leave_row_valid = {6'd0, _zz__zz_leave_row_valid_1};
  assign _zz_leave_written_1 = leave_to[47 : 45];
  assign _zz_leave_written = {6'd0, _zz_leave_written_1};
  assign _zz_addresses_port = {learn_row_port,{learn_row_address,learn_row_valid}};
  assign _zz__zz_leave_row_valid_1_1 = 1'b1;
  always @(posedge clk) begin
    if(learn_write_valid) begin
      addresses[learn_write_payload] <= _zz_addresses_port;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_leave_row_valid_1_1) begin
      addresses_spinal_port1 <= addresses[_zz_leave_row_valid];
    end
  end

  StreamArbiter chosen (
    .io_inputs_0_valid        (io_ports_0_rx_valid                 ), //i
    .io_inputs_0_ready        (chosen_io_inputs_0_ready            ), //o
    .io_inputs_0_payload_data (io_ports_0_rx_payload_data[511:0]   ), //i
    .io_inputs_0_payload_keep (io_ports_0_rx_payload_keep[63:0]    ), //i
    .io_inputs_0_payload_last (io_ports_0_rx_payload_last          ), //i
    .io_inputs_0_payload_user (io_ports_0_rx_payload_user          ), //i
    .io_inputs_1_valid        (io_ports_1_rx_valid                 ), //i
    .io_inputs_1_ready        (chosen_io_inputs_1_ready            ), //o
    .io_inputs_1_payload_data (io_ports_1_rx_payload_data[511:0]   ), //i
    .io_inputs_1_payload_keep (io_ports_1_rx_payload_keep[63:0]    ), //i
    .io_inputs_1_payload_last (io_ports_1_rx_payload_last          ), //i
    .io_inputs_1_payload_user (io_ports_1_rx_payload_user          ), //i
    .io_output_valid          (chosen_io_output_valid              ), //o
    .io_output_ready          (io_toCore_ready                     ), //i
    .io_output_payload_data   (chosen_io_output_payload_data[511:0]), //o
    .io_output_payload_keep   (chosen_io_output_payload_keep[63:0] ), //o
    .io_output_payload_last   (chosen_io_output_payload_last       ), //o
    .io_output_payload_user   (chosen_io_output_payload_user       ), //o
    .io_chosen                (chosen_io_chosen                    ), //o
    .io_chosenOH              (chosen_io_chosenOH[1:0]             ), //o
    .clk                      (clk                                 ), //i
    .reset                    (reset                               )  //i
  );
  assign up = {io_ports_1_up,io_ports_0_up};
  assign io_ports_0_rx_ready = chosen_io_inputs_0_ready;
  assign io_ports_1_rx_ready = chosen_io_inputs_1_ready;
  assign io_toCore_valid = chosen_io_output_valid;
  assign io_toCore_payload_data = chosen_io_output_payload_data;
  assign io_toCore_payload_keep = chosen_io_output_payload_keep;
  assign io_toCore_payload_last = chosen_io_output_payload_last;
  assign io_toCore_payload_user = chosen_io_output_payload_user;
  assign io_toCore_fire = (io_toCore_valid && io_toCore_ready);
  assign learn_from = {{{{{io_toCore_payload_data[55 : 48],io_toCore_payload_data[63 : 56]},io_toCore_payload_data[71 : 64]},io_toCore_payload_data[79 : 72]},io_toCore_payload_data[87 : 80]},io_toCore_payload_data[95 : 88]};
  assign learn_sweeps = (! learn_sweep[9]);
  assign learn_write_valid = (learn_sweeps || learn_seen);
  assign learn_write_payload = (learn_sweeps ? _zz_learn_write_payload : (((((learn_address[8 : 0] ^ learn_address[17 : 9]) ^ learn_address[26 : 18]) ^ learn_address[35 : 27]) ^ learn_address[44 : 36]) ^ _zz_learn_write_payload_1));
  assign learn_row_valid = (! learn_sweeps);
  assign learn_row_address = learn_address;
  assign learn_row_port = learn_port;
  always @(*) begin
    io_fromCore_ready = leave_beat_ready;
    if((! leave_beat_valid)) begin
      io_fromCore_ready = 1'b1;
    end
  end

  assign leave_beat_valid = io_fromCore_rValid;
  assign leave_beat_payload_data = io_fromCore_rData_data;
  assign leave_beat_payload_keep = io_fromCore_rData_keep;
  assign leave_beat_payload_last = io_fromCore_rData_last;
  assign leave_beat_payload_user = io_fromCore_rData_user;
  assign leave_to = {{{{{leave_beat_payload_data[7 : 0],leave_beat_payload_data[15 : 8]},leave_beat_payload_data[23 : 16]},leave_beat_payload_data[31 : 24]},leave_beat_payload_data[39 : 32]},leave_beat_payload_data[47 : 40]};
  assign _zz_leave_row_valid = (((((leave_to[8 : 0] ^ leave_to[17 : 9]) ^ leave_to[26 : 18]) ^ leave_to[35 : 27]) ^ leave_to[44 : 36]) ^ _zz__zz_leave_row_valid);
  assign _zz_leave_row_valid_1 = addresses_spinal_port1;
  assign leave_row_valid = _zz_leave_row_valid_1[0];
  assign leave_row_address = _zz_leave_row_valid_1[48 : 1];
  assign leave_row_port = _zz_leave_row_valid_1[49 : 49];
  assign leave_known = ((leave_row_valid && (leave_row_address == leave_to)) && (! leave_written));
  assign leave_own = (2'b01 <<< leave_row_port);
  assign leave_linked = (|(leave_own & up));
  assign leave_room = {io_ports_1_room,io_ports_0_room};
  assign leave_missing = (((leave_targets & up) & (~ leave_room)) & (~ leave_stuck));
  assign leave_goes = ((leave_state == State_waits) && ((leave_missing == 2'b00) || (leave_left == 12'h0)));
  assign leave_takes = ((leave_targets & up) & leave_room);
  assign leave_allReady = (&({io_ports_1_tx_ready,io_ports_0_tx_ready} | (~ leave_sending)));
  assign leave_beat_fire = (leave_beat_valid && leave_beat_ready);
  assign leave_beat_ready = ((leave_state == State_sends) && leave_allReady);
  assign io_ports_0_tx_valid = ((((leave_state == State_sends) && leave_beat_valid) && leave_sending[0]) && leave_allReady);
  assign io_ports_0_tx_payload_data = leave_beat_payload_data;
  assign io_ports_0_tx_payload_keep = leave_beat_payload_keep;
  assign io_ports_0_tx_payload_last = leave_beat_payload_last;
  assign io_ports_0_tx_payload_user = leave_beat_payload_user;
  assign io_ports_0_refused = _zz_io_ports_0_refused;
  assign io_ports_1_tx_valid = ((((leave_state == State_sends) && leave_beat_valid) && leave_sending[1]) && leave_allReady);
  assign io_ports_1_tx_payload_data = leave_beat_payload_data;
  assign io_ports_1_tx_payload_keep = leave_beat_payload_keep;
  assign io_ports_1_tx_payload_last = leave_beat_payload_last;
  assign io_ports_1_tx_payload_user = leave_beat_payload_user;
  assign io_ports_1_refused = _zz_io_ports_1_refused;
  always @(posedge clk) begin
    if(reset) begin
      learn_first <= 1'b1;
      learn_seen <= 1'b0;
      learn_sweep <= 10'h0;
      leave_state <= State_look;
      io_fromCore_rValid <= 1'b0;
      leave_stuck <= 2'b00;
      _zz_io_ports_0_refused <= 1'b0;
      _zz_io_ports_1_refused <= 1'b0;
    end else begin
      if(io_toCore_fire) begin
        learn_first <= io_toCore_payload_last;
      end
      learn_seen <= ((io_toCore_fire && learn_first) && (! learn_from[40]));
      if(learn_sweeps) begin
        learn_sweep <= (learn_sweep + 10'h001);
      end
      if(io_fromCore_ready) begin
        io_fromCore_rValid <= io_fromCore_valid;
      end
      leave_stuck <= ((leave_stuck & (~ leave_room)) | (leave_goes ? leave_missing : 2'b00));
      case(leave_state)
        State_look : begin
          if(leave_beat_valid) begin
            leave_state <= State_choose;
          end
        end
        State_choose : begin
          leave_state <= State_waits;
        end
        State_waits : begin
          if(leave_goes) begin
            leave_state <= State_sends;
          end
        end
        default : begin
          if((leave_beat_fire && leave_beat_payload_last)) begin
            leave_state <= State_look;
          end
        end
      endcase
      _zz_io_ports_0_refused <= (((leave_goes && leave_targets[0]) && (! leave_takes[0])) && 1'b1);
      _zz_io_ports_1_refused <= (((leave_goes && leave_targets[1]) && (! leave_takes[1])) && 1'b1);
    end
  end

  always @(posedge clk) begin
    learn_address <= learn_from;
    learn_port <= chosen_io_chosen;
    if(io_fromCore_ready) begin
      io_fromCore_rData_data <= io_fromCore_payload_data;
      io_fromCore_rData_keep <= io_fromCore_payload_keep;
      io_fromCore_rData_last <= io_fromCore_payload_last;
      io_fromCore_rData_user <= io_fromCore_payload_user;
    end
    leave_written <= (learn_write_valid && (learn_write_payload == (((((leave_to[8 : 0] ^ leave_to[17 : 9]) ^ leave_to[26 : 18]) ^ leave_to[35 : 27]) ^ leave_to[44 : 36]) ^ _zz_leave_written)));
    case(leave_state)
      State_look : begin
      end
      State_choose : begin
        leave_targets <= ((leave_known && leave_linked) ? leave_own : ((|up) ? up : (~ 2'b00)));
        leave_left <= 12'hfa0;
      end
      State_waits : begin
        leave_left <= (leave_left - 12'h001);
        leave_sending <= leave_takes;
      end
      default : begin
      end
    endcase
  end


endmodule

module StreamArbiter (
  input  wire          io_inputs_0_valid,
  output wire          io_inputs_0_ready,
  input  wire [511:0]  io_inputs_0_payload_data,
  input  wire [63:0]   io_inputs_0_payload_keep,
  input  wire          io_inputs_0_payload_last,
  input  wire [0:0]    io_inputs_0_payload_user,
  input  wire          io_inputs_1_valid,
  output wire          io_inputs_1_ready,
  input  wire [511:0]  io_inputs_1_payload_data,
  input  wire [63:0]   io_inputs_1_payload_keep,
  input  wire          io_inputs_1_payload_last,
  input  wire [0:0]    io_inputs_1_payload_user,
  output wire          io_output_valid,
  input  wire          io_output_ready,
  output wire [511:0]  io_output_payload_data,
  output wire [63:0]   io_output_payload_keep,
  output wire          io_output_payload_last,
  output wire [0:0]    io_output_payload_user,
  output wire [0:0]    io_chosen,
  output wire [1:0]    io_chosenOH,
  input  wire          clk,
  input  wire          reset
);

  wire       [3:0]    _zz__zz_maskProposal_0_2;
  wire       [3:0]    _zz__zz_maskProposal_0_2_1;
  wire       [1:0]    _zz__zz_maskProposal_0_2_2;
  reg                 locked;
  wire                maskProposal_0;
  wire                maskProposal_1;
  reg                 maskLocked_0;
  reg                 maskLocked_1;
  wire                maskRouted_0;
  wire                maskRouted_1;
  wire       [1:0]    _zz_maskProposal_0;
  wire       [3:0]    _zz_maskProposal_0_1;
  wire       [3:0]    _zz_maskProposal_0_2;
  wire       [1:0]    _zz_maskProposal_0_3;
  wire                io_output_fire;
  wire                _zz_io_chosen;

  assign _zz__zz_maskProposal_0_2 = (_zz_maskProposal_0_1 - _zz__zz_maskProposal_0_2_1);
  assign _zz__zz_maskProposal_0_2_2 = {maskLocked_0,maskLocked_1};
  assign _zz__zz_maskProposal_0_2_1 = {2'd0, _zz__zz_maskProposal_0_2_2};
  assign maskRouted_0 = (locked ? maskLocked_0 : maskProposal_0);
  assign maskRouted_1 = (locked ? maskLocked_1 : maskProposal_1);
  assign _zz_maskProposal_0 = {io_inputs_1_valid,io_inputs_0_valid};
  assign _zz_maskProposal_0_1 = {_zz_maskProposal_0,_zz_maskProposal_0};
  assign _zz_maskProposal_0_2 = (_zz_maskProposal_0_1 & (~ _zz__zz_maskProposal_0_2));
  assign _zz_maskProposal_0_3 = (_zz_maskProposal_0_2[3 : 2] | _zz_maskProposal_0_2[1 : 0]);
  assign maskProposal_0 = _zz_maskProposal_0_3[0];
  assign maskProposal_1 = _zz_maskProposal_0_3[1];
  assign io_output_fire = (io_output_valid && io_output_ready);
  assign io_output_valid = ((io_inputs_0_valid && maskRouted_0) || (io_inputs_1_valid && maskRouted_1));
  assign io_output_payload_data = (maskRouted_0 ? io_inputs_0_payload_data : io_inputs_1_payload_data);
  assign io_output_payload_keep = (maskRouted_0 ? io_inputs_0_payload_keep : io_inputs_1_payload_keep);
  assign io_output_payload_last = (maskRouted_0 ? io_inputs_0_payload_last : io_inputs_1_payload_last);
  assign io_output_payload_user = (maskRouted_0 ? io_inputs_0_payload_user : io_inputs_1_payload_user);
  assign io_inputs_0_ready = (maskRouted_0 && io_output_ready);
  assign io_inputs_1_ready = (maskRouted_1 && io_output_ready);
  assign io_chosenOH = {maskRouted_1,maskRouted_0};
  assign _zz_io_chosen = io_chosenOH[1];
  assign io_chosen = _zz_io_chosen;
  always @(posedge clk) begin
    if(reset) begin
      locked <= 1'b0;
      maskLocked_0 <= 1'b0;
      maskLocked_1 <= 1'b1;
    end else begin
      if(io_output_valid) begin
        maskLocked_0 <= maskRouted_0;
        maskLocked_1 <= maskRouted_1;
      end
      if(io_output_valid) begin
        locked <= 1'b1;
      end
      if((io_output_fire && io_output_payload_last)) begin
        locked <= 1'b0;
      end
    end
  end


endmodule
