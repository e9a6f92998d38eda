// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : RoceReceive

`timescale 1ns/1ps

module RoceReceive (
  input  wire          io_frames_valid,
  output wire          io_frames_ready,
  input  wire [511:0]  io_frames_payload_data,
  input  wire [5:0]    io_frames_payload_lastByte,
  input  wire          io_frames_payload_last,
  input  wire [0:0]    io_frames_payload_user,
  input  wire [47:0]   io_local_mac,
  input  wire [31:0]   io_local_ip,
  output wire          io_arrivals_valid,
  input  wire          io_arrivals_ready,
  output wire [47:0]   io_arrivals_payload_headers_srcMac,
  output wire [31:0]   io_arrivals_payload_headers_srcIp,
  output wire [15:0]   io_arrivals_payload_headers_srcPort,
  output wire          io_arrivals_payload_headers_congested,
  output wire [7:0]    io_arrivals_payload_headers_opcode,
  output wire          io_arrivals_payload_headers_solicited,
  output wire          io_arrivals_payload_headers_ackRequest,
  output wire [1:0]    io_arrivals_payload_headers_pad,
  output wire [15:0]   io_arrivals_payload_headers_pkey,
  output wire [23:0]   io_arrivals_payload_headers_destQp,
  output wire [23:0]   io_arrivals_payload_headers_psn,
  output wire [63:0]   io_arrivals_payload_headers_va,
  output wire [31:0]   io_arrivals_payload_headers_rkey,
  output wire [31:0]   io_arrivals_payload_headers_dmaLength,
  output wire [63:0]   io_arrivals_payload_headers_swapAdd,
  output wire [63:0]   io_arrivals_payload_headers_compare,
  output wire [31:0]   io_arrivals_payload_headers_immediate,
  output wire [12:0]   io_arrivals_payload_headers_payload,
  output wire [4:0]    io_arrivals_payload_slot,
  output wire [6:0]    io_arrivals_payload_offset,
  output wire          io_arrivals_payload_malformed,
  input  wire          io_read_valid,
  input  wire [4:0]    io_read_payload_slot,
  input  wire [6:0]    io_read_payload_beat,
  output wire [511:0]  io_data,
  input  wire          io_giveBack_valid,
  input  wire [4:0]    io_giveBack_payload,
  input  wire          io_owners_valid,
  input  wire          io_owners_payload_valid,
  input  wire [23:0]   io_owners_payload_qpn,
  input  wire [31:0]   io_owners_payload_peerIp,
  input  wire [10:0]   io_owners_payload_share,
  output wire          io_ready,
  output wire          io_counted_valid,
  output wire [5:0]    io_counted_payload,
  input  wire          clk,
  input  wire          reset
);

  wire                store_io_write_valid;
  wire                store_io_free_ready;
  wire                store_io_returns_1_valid;
  wire                owners_io_asked_valid;
  wire       [23:0]   owners_io_asked_payload;
  wire                leaving_turns_io_comes_valid;
  wire       [486:0]  leaving_told_spinal_port1;
  wire       [511:0]  store_io_data;
  wire                store_io_free_valid;
  wire       [4:0]    store_io_free_payload;
  wire                owners_io_owner_valid;
  wire       [23:0]   owners_io_owner_qpn;
  wire       [31:0]   owners_io_owner_peerIp;
  wire       [10:0]   owners_io_owner_share;
  wire                owners_io_ready;
  wire       [31:0]   seen_icrc_io_sums_payload;
  wire                leaving_turns_io_refused;
  wire                leaving_turns_io_leaves_0_valid;
  wire       [4:0]    leaving_turns_io_leaves_0_payload;
  wire       [6:0]    _zz_coming_index;
  wire       [16:0]   _zz_coming_end;
  wire       [16:0]   _zz_coming_end_1;
  wire       [4:0]    _zz_coming_end_2;
  wire       [10:0]   _zz_coming_here;
  wire       [10:0]   _zz_coming_before;
  wire       [383:0]  _zz_coming_data;
  wire       [255:0]  _zz_coming_data_1;
  wire       [127:0]  _zz_coming_data_2;
  wire       [7:0]    _zz__zz_io_beats_payload_data;
  wire       [431:0]  _zz__zz_io_beats_payload_data_1;
  wire       [7:0]    _zz__zz_io_beats_payload_data_2;
  wire       [303:0]  _zz__zz_io_beats_payload_data_3;
  wire       [7:0]    _zz__zz_io_beats_payload_data_4;
  wire       [175:0]  _zz__zz_io_beats_payload_data_5;
  wire       [7:0]    _zz__zz_io_beats_payload_data_6;
  wire       [47:0]   _zz__zz_io_beats_payload_data_7;
  wire       [7:0]    _zz_parsed_headers_congested;
  reg        [31:0]   _zz_parsed_right;
  wire       [5:0]    _zz_parsed_right_1;
  wire       [7:0]    _zz_parsed_pad;
  wire       [7:0]    _zz_parsed_known;
  wire                _zz_parsed_known_1;
  wire       [0:0]    _zz_parsed_known_2;
  wire       [16:0]   _zz_parsed_known_3;
  wire       [7:0]    _zz_parsed_known_4;
  wire                _zz_parsed_known_5;
  wire       [0:0]    _zz_parsed_known_6;
  wire       [8:0]    _zz_parsed_known_7;
  wire       [7:0]    _zz_parsed_known_8;
  wire                _zz_parsed_known_9;
  wire       [0:0]    _zz_parsed_known_10;
  wire       [0:0]    _zz_parsed_known_11;
  wire       [6:0]    _zz_parsed_others;
  wire       [5:0]    _zz_parsed_others_1;
  wire       [4:0]    _zz_parsed_others_2;
  wire                _zz_parsed_others_3;
  wire       [0:0]    _zz_parsed_others_4;
  wire       [5:0]    _zz_parsed_others_5;
  wire       [7:0]    _zz_parsed_others_6;
  wire                _zz_parsed_others_7;
  wire       [0:0]    _zz_parsed_others_8;
  wire       [1:0]    _zz_parsed_others_9;
  wire       [4:0]    _zz_parsed_others_10;
  wire                _zz_parsed_others_11;
  wire       [0:0]    _zz_parsed_others_12;
  wire       [6:0]    _zz_parsed_others_13;
  wire       [7:0]    _zz_parsed_others_14;
  wire                _zz_parsed_others_15;
  wire       [0:0]    _zz_parsed_others_16;
  wire       [2:0]    _zz_parsed_others_17;
  wire                _zz_parsed_others_18;
  wire       [4:0]    _zz_parsed_others_19;
  wire       [4:0]    _zz_parsed_others_20;
  wire       [2:0]    _zz_parsed_others_21;
  wire       [7:0]    _zz_parsed_others_22;
  wire       [7:0]    _zz_parsed_others_23;
  wire                _zz_parsed_others_24;
  wire                _zz_parsed_others_25;
  wire                _zz_parsed_others_26;
  wire       [5:0]    _zz_parsed_others_27;
  wire       [2:0]    _zz_parsed_others_28;
  wire                _zz_parsed_extension;
  wire       [7:0]    _zz_parsed_extension_1;
  wire                _zz_parsed_extension_2;
  wire       [0:0]    _zz_parsed_extension_3;
  wire       [3:0]    _zz_parsed_extension_4;
  wire       [7:0]    _zz_parsed_extension_5;
  wire       [7:0]    _zz_parsed_extension_6;
  wire       [4:0]    _zz_parsed_extension_7;
  wire       [4:0]    _zz_parsed_extension_8;
  wire                _zz_parsed_extension_9;
  wire       [7:0]    _zz_parsed_extension_10;
  wire                _zz_parsed_extension_11;
  wire       [0:0]    _zz_parsed_extension_12;
  wire       [4:0]    _zz_parsed_extension_13;
  wire       [7:0]    _zz_parsed_extension_14;
  wire                _zz_parsed_extension_15;
  wire                _zz_parsed_extension_16;
  wire       [4:0]    _zz_parsed_extension_17;
  wire       [4:0]    _zz_parsed_extension_18;
  wire       [0:0]    _zz_parsed_extension_19;
  wire       [0:0]    _zz_parsed_extension_20;
  wire       [1:0]    _zz_parsed_extension_21;
  wire       [7:0]    _zz_parsed_extension_22;
  wire       [7:0]    _zz_parsed_extension_23;
  wire       [7:0]    _zz_parsed_extension_24;
  wire       [18:0]   _zz_parsed_sums_0;
  wire       [17:0]   _zz_parsed_sums_0_1;
  wire       [16:0]   _zz_parsed_sums_0_2;
  wire       [17:0]   _zz_parsed_sums_0_3;
  wire       [17:0]   _zz_parsed_sums_0_4;
  wire       [16:0]   _zz_parsed_sums_0_5;
  wire       [16:0]   _zz_parsed_sums_0_6;
  wire       [18:0]   _zz_parsed_sums_1;
  wire       [17:0]   _zz_parsed_sums_1_1;
  wire       [16:0]   _zz_parsed_sums_1_2;
  wire       [17:0]   _zz_parsed_sums_1_3;
  wire       [17:0]   _zz_parsed_sums_1_4;
  wire       [16:0]   _zz_parsed_sums_1_5;
  wire       [16:0]   _zz_parsed_sums_1_6;
  wire       [7:0]    _zz_parsed_faults_2_1;
  wire       [7:0]    _zz_parsed_faults_3_1;
  wire       [15:0]   _zz_parsed_faults_4_1;
  wire       [16:0]   _zz_parsed_faults_8_1;
  wire       [16:0]   _zz_parsed_faults_8_1_1;
  wire       [5:0]    _zz_parsed_faults_8_1_2;
  wire       [16:0]   _zz_parsed_faults_8_1_3;
  wire       [7:0]    _zz_parsed_faults_10_1;
  wire       [16:0]   _zz_parsed_cut;
  wire       [12:0]   _zz_parsed_cut_1;
  wire       [15:0]   _zz_judged_badSum_1;
  wire       [3:0]    _zz_judged_badSum_2;
  wire       [16:0]   _zz__zz_judged_between;
  wire       [16:0]   _zz__zz_judged_between_1;
  wire       [12:0]   _zz_judged_payload;
  wire       [16:0]   _zz_judged_payload_1;
  wire       [0:0]    _zz_judged_drops;
  wire       [5:0]    _zz_judged_drops_1;
  wire       [5:0]    _zz_judged_count;
  wire       [5:0]    _zz_judged_count_1;
  wire       [6:0]    _zz_leaving_arrival_offset;
  wire       [486:0]  _zz_leaving_told_port;
  wire                _zz_leaving_told_port_1;
  reg                 coming_first;
  reg        [6:0]    coming_index;
  wire                coming_beyond;
  reg        [4:0]    coming_place;
  reg                 coming_found;
  wire       [4:0]    coming_slot;
  wire                coming_present;
  wire       [15:0]   coming_total;
  reg        [16:0]   coming_endKept;
  wire       [16:0]   coming_end;
  wire                coming_here;
  wire                coming_before;
  wire                coming_covered;
  wire       [7:0]    coming_bytes_0;
  wire       [7:0]    coming_bytes_1;
  wire       [7:0]    coming_bytes_2;
  wire       [7:0]    coming_bytes_3;
  wire       [7:0]    coming_bytes_4;
  wire       [7:0]    coming_bytes_5;
  wire       [7:0]    coming_bytes_6;
  wire       [7:0]    coming_bytes_7;
  wire       [7:0]    coming_bytes_8;
  wire       [7:0]    coming_bytes_9;
  wire       [7:0]    coming_bytes_10;
  wire       [7:0]    coming_bytes_11;
  wire       [7:0]    coming_bytes_12;
  wire       [7:0]    coming_bytes_13;
  wire       [7:0]    coming_bytes_14;
  wire       [7:0]    coming_bytes_15;
  wire       [7:0]    coming_bytes_16;
  wire       [7:0]    coming_bytes_17;
  wire       [7:0]    coming_bytes_18;
  wire       [7:0]    coming_bytes_19;
  wire       [7:0]    coming_bytes_20;
  wire       [7:0]    coming_bytes_21;
  wire       [7:0]    coming_bytes_22;
  wire       [7:0]    coming_bytes_23;
  wire       [7:0]    coming_bytes_24;
  wire       [7:0]    coming_bytes_25;
  wire       [7:0]    coming_bytes_26;
  wire       [7:0]    coming_bytes_27;
  wire       [7:0]    coming_bytes_28;
  wire       [7:0]    coming_bytes_29;
  wire       [7:0]    coming_bytes_30;
  wire       [7:0]    coming_bytes_31;
  wire       [7:0]    coming_bytes_32;
  wire       [7:0]    coming_bytes_33;
  wire       [7:0]    coming_bytes_34;
  wire       [7:0]    coming_bytes_35;
  wire       [7:0]    coming_bytes_36;
  wire       [7:0]    coming_bytes_37;
  wire       [7:0]    coming_bytes_38;
  wire       [7:0]    coming_bytes_39;
  wire       [7:0]    coming_bytes_40;
  wire       [7:0]    coming_bytes_41;
  wire       [7:0]    coming_bytes_42;
  wire       [7:0]    coming_bytes_43;
  wire       [7:0]    coming_bytes_44;
  wire       [7:0]    coming_bytes_45;
  wire       [7:0]    coming_bytes_46;
  wire       [7:0]    coming_bytes_47;
  wire       [7:0]    coming_bytes_48;
  wire       [7:0]    coming_bytes_49;
  wire       [7:0]    coming_bytes_50;
  wire       [7:0]    coming_bytes_51;
  wire       [7:0]    coming_bytes_52;
  wire       [7:0]    coming_bytes_53;
  wire       [7:0]    coming_bytes_54;
  wire       [7:0]    coming_bytes_55;
  wire       [7:0]    coming_bytes_56;
  wire       [7:0]    coming_bytes_57;
  wire       [7:0]    coming_bytes_58;
  wire       [7:0]    coming_bytes_59;
  wire       [7:0]    coming_bytes_60;
  wire       [7:0]    coming_bytes_61;
  wire       [7:0]    coming_bytes_62;
  wire       [7:0]    coming_bytes_63;
  wire       [511:0]  coming_data;
  reg                 seen_ended;
  reg                 _zz_io_beats_valid;
  reg        [511:0]  _zz_io_beats_payload_data;
  reg                 coming_first_regNextWhen;
  reg        [511:0]  seen_head;
  reg        [143:0]  seen_tail;
  reg        [6:0]    seen_index;
  reg        [5:0]    seen_lastByte;
  reg        [16:0]   seen_end;
  reg                 seen_damaged;
  reg        [4:0]    seen_slot;
  reg                 seen_present;
  wire       [655:0]  seen_bytes;
  wire       [10:0]   seen_share;
  reg                 parsed_ended;
  wire       [7:0]    _zz_parsed_headers_opcode;
  wire       [7:0]    _zz_parsed_headers_solicited;
  reg        [47:0]   parsed_headers_srcMac;
  reg        [31:0]   parsed_headers_srcIp;
  reg        [15:0]   parsed_headers_srcPort;
  reg                 parsed_headers_congested;
  reg        [7:0]    parsed_headers_opcode;
  reg                 parsed_headers_solicited;
  reg                 parsed_headers_ackRequest;
  reg        [1:0]    parsed_headers_pad;
  reg        [15:0]   parsed_headers_pkey;
  reg        [23:0]   parsed_headers_destQp;
  reg        [23:0]   parsed_headers_psn;
  reg        [63:0]   parsed_headers_va;
  reg        [31:0]   parsed_headers_rkey;
  reg        [31:0]   parsed_headers_dmaLength;
  reg        [63:0]   parsed_headers_swapAdd;
  reg        [63:0]   parsed_headers_compare;
  reg        [31:0]   parsed_headers_immediate;
  reg        [10:0]   parsed_share;
  reg        [4:0]    parsed_slot;
  reg                 parsed_present;
  reg        [31:0]   parsed_right;
  wire       [7:0]    parsed_opcode;
  wire       [1:0]    parsed_pad;
  reg                 parsed_known;
  reg                 parsed_bare;
  reg                 parsed_notification;
  reg        [15:0]   parsed_total;
  reg        [6:0]    parsed_others;
  reg        [4:0]    parsed_extension;
  wire       [15:0]   parsed_words_0;
  wire       [15:0]   parsed_words_1;
  wire       [15:0]   parsed_words_2;
  wire       [15:0]   parsed_words_3;
  wire       [15:0]   parsed_words_4;
  wire       [15:0]   parsed_words_5;
  wire       [15:0]   parsed_words_6;
  wire       [15:0]   parsed_words_7;
  wire       [15:0]   parsed_words_8;
  wire       [15:0]   parsed_words_9;
  reg        [18:0]   parsed_sums_0;
  reg        [18:0]   parsed_sums_1;
  wire       [15:0]   _zz_parsed_faults_5_1;
  reg                 parsed_faults_0_1;
  reg                 parsed_faults_1_1;
  reg                 parsed_faults_2_1;
  reg                 parsed_faults_3_1;
  reg                 parsed_faults_4_1;
  reg                 parsed_faults_5_1;
  reg                 parsed_faults_6_1;
  reg                 parsed_faults_7_1;
  reg                 parsed_faults_8_1;
  reg                 parsed_faults_9_1;
  reg                 parsed_faults_10_1;
  reg                 parsed_damaged;
  reg                 parsed_short;
  reg                 parsed_giant;
  reg                 parsed_cut;
  reg                 judged_ended;
  reg        [47:0]   judged_headers_srcMac;
  reg        [31:0]   judged_headers_srcIp;
  reg        [15:0]   judged_headers_srcPort;
  reg                 judged_headers_congested;
  reg        [7:0]    judged_headers_opcode;
  reg                 judged_headers_solicited;
  reg                 judged_headers_ackRequest;
  reg        [1:0]    judged_headers_pad;
  reg        [15:0]   judged_headers_pkey;
  reg        [23:0]   judged_headers_destQp;
  reg        [23:0]   judged_headers_psn;
  reg        [63:0]   judged_headers_va;
  reg        [31:0]   judged_headers_rkey;
  reg        [31:0]   judged_headers_dmaLength;
  reg        [63:0]   judged_headers_swapAdd;
  reg        [63:0]   judged_headers_compare;
  reg        [31:0]   judged_headers_immediate;
  reg        [10:0]   judged_share;
  reg        [4:0]    judged_slot;
  reg                 judged_present;
  reg        [31:0]   judged_right;
  wire       [19:0]   _zz_judged_badSum;
  reg                 judged_badSum;
  wire                judged_badIcrc;
  reg                 judged_faults_0_1;
  reg                 judged_faults_1_1;
  reg                 judged_faults_2_1;
  reg                 judged_faults_3_1;
  reg                 judged_faults_4_1;
  reg                 judged_faults_5_1;
  reg                 judged_faults_6_1;
  reg                 judged_faults_7_1;
  reg                 judged_faults_8_1;
  reg                 judged_faults_9_1;
  reg                 judged_faults_10_1;
  reg                 judged_found_0_1;
  reg                 judged_found_1_1;
  reg                 judged_found_2_1;
  wire                judged_found_16_1;
  reg                 judged_cut;
  wire                judged_reasons_9_1;
  reg        [16:0]   _zz_judged_between;
  wire       [16:0]   judged_between;
  reg                 judged_some;
  reg                 judged_known;
  reg                 judged_bare;
  reg                 judged_notification;
  wire                judged_tooMany;
  wire                judged_negative;
  reg                 judged_partial;
  wire                judged_malformed;
  wire                judged_carries;
  wire       [12:0]   judged_payload;
  reg        [4:0]    judged_extension;
  wire                judged_drops;
  wire       [5:0]    judged_outcome;
  wire       [5:0]    judged_count;
  wire       [47:0]   leaving_arrival_headers_srcMac;
  wire       [31:0]   leaving_arrival_headers_srcIp;
  wire       [15:0]   leaving_arrival_headers_srcPort;
  wire                leaving_arrival_headers_congested;
  wire       [7:0]    leaving_arrival_headers_opcode;
  wire                leaving_arrival_headers_solicited;
  wire                leaving_arrival_headers_ackRequest;
  wire       [1:0]    leaving_arrival_headers_pad;
  wire       [15:0]   leaving_arrival_headers_pkey;
  wire       [23:0]   leaving_arrival_headers_destQp;
  wire       [23:0]   leaving_arrival_headers_psn;
  wire       [63:0]   leaving_arrival_headers_va;
  wire       [31:0]   leaving_arrival_headers_rkey;
  wire       [31:0]   leaving_arrival_headers_dmaLength;
  wire       [63:0]   leaving_arrival_headers_swapAdd;
  wire       [63:0]   leaving_arrival_headers_compare;
  wire       [31:0]   leaving_arrival_headers_immediate;
  wire       [12:0]   leaving_arrival_headers_payload;
  wire       [4:0]    leaving_arrival_slot;
  wire       [6:0]    leaving_arrival_offset;
  wire                leaving_arrival_malformed;
  wire       [486:0]  _zz_io_arrivals_payload_offset;
  wire       [473:0]  _zz_io_arrivals_payload_headers_srcMac;
  reg                 leaving_dropped;
  reg        [4:0]    judged_slot_regNext;
  reg                 leaving_known;
  reg        [5:0]    leaving_before;
  reg                 leaving_known_regNext;
  reg        [5:0]    _zz_io_counted_payload;
  (* ram_style = "distributed" *) reg [486:0] leaving_told [0:31];

  assign _zz_coming_index = (coming_index + 7'h01);
  assign _zz_coming_end = ({1'b0,coming_total} + _zz_coming_end_1);
  assign _zz_coming_end_2 = {1'b0,4'b1101};
  assign _zz_coming_end_1 = {12'd0, _zz_coming_end_2};
  assign _zz_coming_here = {4'd0, coming_index};
  assign _zz_coming_before = {4'd0, coming_index};
  assign _zz_parsed_headers_congested = seen_bytes[127 : 120];
  assign _zz_parsed_pad = seen_bytes[351 : 344];
  assign _zz_parsed_others_1 = ({1'b0,(((((_zz_parsed_others_2 | _zz_parsed_others_10) | (_zz_parsed_others_18 ? _zz_parsed_others_19 : _zz_parsed_others_20)) | ((|_zz_parsed_others_21) ? 5'h10 : 5'h0)) | ((|_zz_parsed_others_24) ? 5'h14 : 5'h0)) | ((|{_zz_parsed_others_25,_zz_parsed_others_26}) ? 5'h1c : 5'h0))} + _zz_parsed_others_27);
  assign _zz_parsed_others = {1'd0, _zz_parsed_others_1};
  assign _zz_parsed_others_28 = {1'b0,parsed_pad};
  assign _zz_parsed_others_27 = {3'd0, _zz_parsed_others_28};
  assign _zz_parsed_sums_0_1 = {1'b0,_zz_parsed_sums_0_2};
  assign _zz_parsed_sums_0 = {1'd0, _zz_parsed_sums_0_1};
  assign _zz_parsed_sums_0_2 = ({1'b0,parsed_words_0} + {1'b0,parsed_words_1});
  assign _zz_parsed_sums_0_3 = (_zz_parsed_sums_0_4 + {1'b0,_zz_parsed_sums_0_6});
  assign _zz_parsed_sums_0_5 = {1'b0,parsed_words_2};
  assign _zz_parsed_sums_0_4 = {1'd0, _zz_parsed_sums_0_5};
  assign _zz_parsed_sums_0_6 = ({1'b0,parsed_words_3} + {1'b0,parsed_words_4});
  assign _zz_parsed_sums_1_1 = {1'b0,_zz_parsed_sums_1_2};
  assign _zz_parsed_sums_1 = {1'd0, _zz_parsed_sums_1_1};
  assign _zz_parsed_sums_1_2 = ({1'b0,parsed_words_5} + {1'b0,parsed_words_6});
  assign _zz_parsed_sums_1_3 = (_zz_parsed_sums_1_4 + {1'b0,_zz_parsed_sums_1_6});
  assign _zz_parsed_sums_1_5 = {1'b0,parsed_words_7};
  assign _zz_parsed_sums_1_4 = {1'd0, _zz_parsed_sums_1_5};
  assign _zz_parsed_sums_1_6 = ({1'b0,parsed_words_8} + {1'b0,parsed_words_9});
  assign _zz_parsed_faults_2_1 = seen_bytes[119 : 112];
  assign _zz_parsed_faults_3_1 = seen_bytes[119 : 112];
  assign _zz_parsed_faults_4_1 = {seen_bytes[167 : 160],seen_bytes[175 : 168]};
  assign _zz_parsed_faults_8_1 = ({1'b0,{seen_bytes[311 : 304],seen_bytes[319 : 312]}} + _zz_parsed_faults_8_1_1);
  assign _zz_parsed_faults_8_1_2 = {1'b0,5'h14};
  assign _zz_parsed_faults_8_1_1 = {11'd0, _zz_parsed_faults_8_1_2};
  assign _zz_parsed_faults_8_1_3 = {1'd0, _zz_parsed_faults_5_1};
  assign _zz_parsed_faults_10_1 = seen_bytes[351 : 344];
  assign _zz_parsed_cut_1 = {seen_index,seen_lastByte};
  assign _zz_parsed_cut = {4'd0, _zz_parsed_cut_1};
  assign _zz_judged_badSum_2 = _zz_judged_badSum[19 : 16];
  assign _zz_judged_badSum_1 = {12'd0, _zz_judged_badSum_2};
  assign _zz__zz_judged_between = {1'd0, parsed_total};
  assign _zz__zz_judged_between_1 = {10'd0, parsed_others};
  assign _zz_judged_payload_1 = judged_between;
  assign _zz_judged_payload = _zz_judged_payload_1[12:0];
  assign _zz_leaving_arrival_offset = {2'd0, judged_extension};
  assign _zz_leaving_told_port = {leaving_arrival_malformed,{leaving_arrival_offset,{leaving_arrival_slot,{leaving_arrival_headers_payload,{leaving_arrival_headers_immediate,{leaving_arrival_headers_compare,{leaving_arrival_headers_swapAdd,{leaving_arrival_headers_dmaLength,{leaving_arrival_headers_rkey,{leaving_arrival_headers_va,{leaving_arrival_headers_psn,{leaving_arrival_headers_destQp,{leaving_arrival_headers_pkey,{leaving_arrival_headers_pad,{leaving_arrival_headers_ackRequest,{leaving_arrival_headers_solicited,{leaving_arrival_headers_opcode,{leaving_arrival_headers_congested,{leaving_arrival_headers_srcPort,{leaving_arrival_headers_srcIp,leaving_arrival_headers_srcMac}}}}}}}}}}}}}}}}}}}};
  assign _zz_leaving_told_port_1 = (judged_ended && judged_present);
  assign _zz_parsed_right_1 = seen_end[5 : 0];
  assign _zz_coming_data = {coming_bytes_47,{coming_bytes_46,{coming_bytes_45,{coming_bytes_44,{coming_bytes_43,{coming_bytes_42,{coming_bytes_41,{coming_bytes_40,{coming_bytes_39,{coming_bytes_38,{coming_bytes_37,{coming_bytes_36,{coming_bytes_35,{coming_bytes_34,{coming_bytes_33,{coming_bytes_32,_zz_coming_data_1}}}}}}}}}}}}}}}};
  assign _zz_coming_data_1 = {coming_bytes_31,{coming_bytes_30,{coming_bytes_29,{coming_bytes_28,{coming_bytes_27,{coming_bytes_26,{coming_bytes_25,{coming_bytes_24,{coming_bytes_23,{coming_bytes_22,{coming_bytes_21,{coming_bytes_20,{coming_bytes_19,{coming_bytes_18,{coming_bytes_17,{coming_bytes_16,_zz_coming_data_2}}}}}}}}}}}}}}}};
  assign _zz_coming_data_2 = {coming_bytes_15,{coming_bytes_14,{coming_bytes_13,{coming_bytes_12,{coming_bytes_11,{coming_bytes_10,{coming_bytes_9,{coming_bytes_8,{coming_bytes_7,{coming_bytes_6,{coming_bytes_5,{coming_bytes_4,{coming_bytes_3,{coming_bytes_2,{coming_bytes_1,coming_bytes_0}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data = coming_data[439 : 432];
  assign _zz__zz_io_beats_payload_data_1 = {coming_data[431 : 424],{coming_data[423 : 416],{coming_data[415 : 408],{coming_data[407 : 400],{coming_data[399 : 392],{coming_data[391 : 384],{coming_data[383 : 376],{8'hff,{coming_data[367 : 360],{coming_data[359 : 352],{coming_data[351 : 344],{coming_data[343 : 336],{8'hff,{8'hff,{coming_data[319 : 312],{_zz__zz_io_beats_payload_data_2,_zz__zz_io_beats_payload_data_3}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_2 = coming_data[311 : 304];
  assign _zz__zz_io_beats_payload_data_3 = {coming_data[303 : 296],{coming_data[295 : 288],{coming_data[287 : 280],{coming_data[279 : 272],{coming_data[271 : 264],{coming_data[263 : 256],{coming_data[255 : 248],{coming_data[247 : 240],{coming_data[239 : 232],{coming_data[231 : 224],{coming_data[223 : 216],{coming_data[215 : 208],{8'hff,{8'hff,{coming_data[191 : 184],{_zz__zz_io_beats_payload_data_4,_zz__zz_io_beats_payload_data_5}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_4 = 8'hff;
  assign _zz__zz_io_beats_payload_data_5 = {coming_data[175 : 168],{coming_data[167 : 160],{coming_data[159 : 152],{coming_data[151 : 144],{coming_data[143 : 136],{coming_data[135 : 128],{8'hff,{coming_data[119 : 112],{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{_zz__zz_io_beats_payload_data_6,_zz__zz_io_beats_payload_data_7}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_6 = 8'hff;
  assign _zz__zz_io_beats_payload_data_7 = {8'h0,{8'h0,{8'h0,{8'h0,{8'h0,8'h0}}}}};
  assign _zz_parsed_known = 8'h13;
  assign _zz_parsed_known_1 = (parsed_opcode == 8'h12);
  assign _zz_parsed_known_2 = (parsed_opcode == 8'h11);
  assign _zz_parsed_known_3 = {(parsed_opcode == 8'h10),{(parsed_opcode == 8'h0f),{(parsed_opcode == 8'h0e),{(parsed_opcode == 8'h0d),{(parsed_opcode == 8'h0c),{(parsed_opcode == _zz_parsed_known_4),{_zz_parsed_known_5,{_zz_parsed_known_6,_zz_parsed_known_7}}}}}}}};
  assign _zz_parsed_known_4 = 8'h0b;
  assign _zz_parsed_known_5 = (parsed_opcode == 8'h0a);
  assign _zz_parsed_known_6 = (parsed_opcode == 8'h09);
  assign _zz_parsed_known_7 = {(parsed_opcode == 8'h08),{(parsed_opcode == 8'h07),{(parsed_opcode == 8'h06),{(parsed_opcode == 8'h05),{(parsed_opcode == 8'h04),{(parsed_opcode == _zz_parsed_known_8),{_zz_parsed_known_9,{_zz_parsed_known_10,_zz_parsed_known_11}}}}}}}};
  assign _zz_parsed_known_8 = 8'h03;
  assign _zz_parsed_known_9 = (parsed_opcode == 8'h02);
  assign _zz_parsed_known_10 = (parsed_opcode == 8'h01);
  assign _zz_parsed_known_11 = (parsed_opcode == 8'h0);
  assign _zz_parsed_others_2 = ((|{_zz_parsed_others_3,{_zz_parsed_others_4,_zz_parsed_others_5}}) ? 5'h0 : 5'h0);
  assign _zz_parsed_others_10 = ((|{_zz_parsed_others_11,{_zz_parsed_others_12,_zz_parsed_others_13}}) ? 5'h04 : 5'h0);
  assign _zz_parsed_others_18 = (|(parsed_opcode == 8'h12));
  assign _zz_parsed_others_19 = 5'h0c;
  assign _zz_parsed_others_20 = 5'h0;
  assign _zz_parsed_others_21 = {(parsed_opcode == 8'h0c),{(parsed_opcode == _zz_parsed_others_22),(parsed_opcode == _zz_parsed_others_23)}};
  assign _zz_parsed_others_24 = (parsed_opcode == 8'h0b);
  assign _zz_parsed_others_25 = (parsed_opcode == 8'h14);
  assign _zz_parsed_others_26 = (parsed_opcode == 8'h13);
  assign _zz_parsed_others_3 = (parsed_opcode == 8'h81);
  assign _zz_parsed_others_4 = (parsed_opcode == 8'h0e);
  assign _zz_parsed_others_5 = {(parsed_opcode == 8'h08),{(parsed_opcode == _zz_parsed_others_6),{_zz_parsed_others_7,{_zz_parsed_others_8,_zz_parsed_others_9}}}};
  assign _zz_parsed_others_11 = (parsed_opcode == 8'h17);
  assign _zz_parsed_others_12 = (parsed_opcode == 8'h16);
  assign _zz_parsed_others_13 = {(parsed_opcode == 8'h11),{(parsed_opcode == _zz_parsed_others_14),{_zz_parsed_others_15,{_zz_parsed_others_16,_zz_parsed_others_17}}}};
  assign _zz_parsed_others_22 = 8'h0a;
  assign _zz_parsed_others_23 = 8'h06;
  assign _zz_parsed_others_6 = 8'h07;
  assign _zz_parsed_others_7 = (parsed_opcode == 8'h04);
  assign _zz_parsed_others_8 = (parsed_opcode == 8'h02);
  assign _zz_parsed_others_9 = {(parsed_opcode == 8'h01),(parsed_opcode == 8'h0)};
  assign _zz_parsed_others_14 = 8'h10;
  assign _zz_parsed_others_15 = (parsed_opcode == 8'h0f);
  assign _zz_parsed_others_16 = (parsed_opcode == 8'h0d);
  assign _zz_parsed_others_17 = {(parsed_opcode == 8'h09),{(parsed_opcode == 8'h05),(parsed_opcode == 8'h03)}};
  assign _zz_parsed_extension = (|{(parsed_opcode == 8'h81),{(parsed_opcode == _zz_parsed_extension_1),{_zz_parsed_extension_2,{_zz_parsed_extension_3,_zz_parsed_extension_4}}}});
  assign _zz_parsed_extension_7 = 5'h0;
  assign _zz_parsed_extension_8 = 5'h0;
  assign _zz_parsed_extension_9 = (|{(parsed_opcode == 8'h17),{(parsed_opcode == _zz_parsed_extension_10),{_zz_parsed_extension_11,{_zz_parsed_extension_12,_zz_parsed_extension_13}}}});
  assign _zz_parsed_extension_17 = 5'h04;
  assign _zz_parsed_extension_18 = 5'h0;
  assign _zz_parsed_extension_19 = (parsed_opcode == 8'h12);
  assign _zz_parsed_extension_20 = (parsed_opcode == 8'h0c);
  assign _zz_parsed_extension_21 = {(parsed_opcode == 8'h0a),(parsed_opcode == 8'h06)};
  assign _zz_parsed_extension_22 = 8'h0b;
  assign _zz_parsed_extension_23 = 8'h14;
  assign _zz_parsed_extension_24 = 8'h13;
  assign _zz_parsed_extension_1 = 8'h0e;
  assign _zz_parsed_extension_2 = (parsed_opcode == 8'h08);
  assign _zz_parsed_extension_3 = (parsed_opcode == 8'h07);
  assign _zz_parsed_extension_4 = {(parsed_opcode == 8'h04),{(parsed_opcode == 8'h02),{(parsed_opcode == _zz_parsed_extension_5),(parsed_opcode == _zz_parsed_extension_6)}}};
  assign _zz_parsed_extension_10 = 8'h16;
  assign _zz_parsed_extension_11 = (parsed_opcode == 8'h11);
  assign _zz_parsed_extension_12 = (parsed_opcode == 8'h10);
  assign _zz_parsed_extension_13 = {(parsed_opcode == 8'h0f),{(parsed_opcode == 8'h0d),{(parsed_opcode == _zz_parsed_extension_14),{_zz_parsed_extension_15,_zz_parsed_extension_16}}}};
  assign _zz_parsed_extension_5 = 8'h01;
  assign _zz_parsed_extension_6 = 8'h0;
  assign _zz_parsed_extension_14 = 8'h09;
  assign _zz_parsed_extension_15 = (parsed_opcode == 8'h05);
  assign _zz_parsed_extension_16 = (parsed_opcode == 8'h03);
  assign _zz_judged_drops = judged_faults_3_1;
  assign _zz_judged_drops_1 = {judged_faults_2_1,{judged_faults_1_1,{judged_faults_0_1,{judged_found_2_1,{judged_found_1_1,judged_found_0_1}}}}};
  assign _zz_judged_count = 6'h0c;
  assign _zz_judged_count_1 = (judged_faults_7_1 ? 6'h0d : (judged_faults_8_1 ? 6'h0e : (judged_faults_9_1 ? 6'h0f : (judged_badIcrc ? 6'h10 : (judged_faults_10_1 ? 6'h11 : (judged_found_16_1 ? 6'h12 : judged_outcome))))));
  always @(posedge clk) begin
    if(_zz_leaving_told_port_1) begin
      leaving_told[judged_slot] <= _zz_leaving_told_port;
    end
  end

  assign leaving_told_spinal_port1 = leaving_told[leaving_turns_io_leaves_0_payload];
  RoceStore store (
    .io_write_valid        (store_io_write_valid         ), //i
    .io_write_payload_slot (coming_slot[4:0]             ), //i
    .io_write_payload_beat (coming_index[6:0]            ), //i
    .io_written            (io_frames_payload_data[511:0]), //i
    .io_read_valid         (io_read_valid                ), //i
    .io_read_payload_slot  (io_read_payload_slot[4:0]    ), //i
    .io_read_payload_beat  (io_read_payload_beat[6:0]    ), //i
    .io_data               (store_io_data[511:0]         ), //o
    .io_free_valid         (store_io_free_valid          ), //o
    .io_free_ready         (store_io_free_ready          ), //i
    .io_free_payload       (store_io_free_payload[4:0]   ), //o
    .io_returns_0_valid    (io_giveBack_valid            ), //i
    .io_returns_0_payload  (io_giveBack_payload[4:0]     ), //i
    .io_returns_1_valid    (store_io_returns_1_valid     ), //i
    .io_returns_1_payload  (judged_slot_regNext[4:0]     ), //i
    .clk                   (clk                          ), //i
    .reset                 (reset                        )  //i
  );
  RoceOwners owners (
    .io_changes_valid          (io_owners_valid               ), //i
    .io_changes_payload_valid  (io_owners_payload_valid       ), //i
    .io_changes_payload_qpn    (io_owners_payload_qpn[23:0]   ), //i
    .io_changes_payload_peerIp (io_owners_payload_peerIp[31:0]), //i
    .io_changes_payload_share  (io_owners_payload_share[10:0] ), //i
    .io_asked_valid            (owners_io_asked_valid         ), //i
    .io_asked_payload          (owners_io_asked_payload[23:0] ), //i
    .io_owner_valid            (owners_io_owner_valid         ), //o
    .io_owner_qpn              (owners_io_owner_qpn[23:0]     ), //o
    .io_owner_peerIp           (owners_io_owner_peerIp[31:0]  ), //o
    .io_owner_share            (owners_io_owner_share[10:0]   ), //o
    .io_ready                  (owners_io_ready               ), //o
    .clk                       (clk                           ), //i
    .reset                     (reset                         )  //i
  );
  IcrcRegister seen_icrc (
    .io_beats_valid         (_zz_io_beats_valid              ), //i
    .io_beats_payload_data  (_zz_io_beats_payload_data[511:0]), //i
    .io_beats_payload_first (coming_first_regNextWhen        ), //i
    .io_sums_payload        (seen_icrc_io_sums_payload[31:0] ), //o
    .clk                    (clk                             ), //i
    .reset                  (reset                           )  //i
  );
  ArrivalTurns leaving_turns (
    .io_comes_valid         (leaving_turns_io_comes_valid          ), //i
    .io_comes_payload_slot  (judged_slot[4:0]                      ), //i
    .io_comes_payload_share (judged_share[10:0]                    ), //i
    .io_refused             (leaving_turns_io_refused              ), //o
    .io_leaves_0_valid      (leaving_turns_io_leaves_0_valid       ), //o
    .io_leaves_0_ready      (io_arrivals_ready                     ), //i
    .io_leaves_0_payload    (leaving_turns_io_leaves_0_payload[4:0]), //o
    .io_gone_valid          (io_giveBack_valid                     ), //i
    .io_gone_payload        (io_giveBack_payload[4:0]              ), //i
    .clk                    (clk                                   ), //i
    .reset                  (reset                                 )  //i
  );
  always @(*) begin
    case(_zz_parsed_right_1)
      6'b000000 : _zz_parsed_right = 32'hfd817843;
      6'b000001 : _zz_parsed_right = 32'he381391a;
      6'b000010 : _zz_parsed_right = 32'he2320888;
      6'b000011 : _zz_parsed_right = 32'h8a729cc9;
      6'b000100 : _zz_parsed_right = 32'h1755251b;
      6'b000101 : _zz_parsed_right = 32'he29b589e;
      6'b000110 : _zz_parsed_right = 32'h23228ac9;
      6'b000111 : _zz_parsed_right = 32'hfbed76f7;
      6'b001000 : _zz_parsed_right = 32'h393a925f;
      6'b001001 : _zz_parsed_right = 32'h39219de3;
      6'b001010 : _zz_parsed_right = 32'h222e21e3;
      6'b001011 : _zz_parsed_right = 32'h2c375ab6;
      6'b001100 : _zz_parsed_right = 32'heec43dbe;
      6'b001101 : _zz_parsed_right = 32'hca5c9202;
      6'b001110 : _zz_parsed_right = 32'he65088f1;
      6'b001111 : _zz_parsed_right = 32'h33d4f04f;
      6'b010000 : _zz_parsed_right = 32'hd7edaa6d;
      6'b010001 : _zz_parsed_right = 32'he07883e1;
      6'b010010 : _zz_parsed_right = 32'had6aff0a;
      6'b010011 : _zz_parsed_right = 32'h0d774c6a;
      6'b010100 : _zz_parsed_right = 32'h1a26548a;
      6'b010101 : _zz_parsed_right = 32'hfc80f714;
      6'b010110 : _zz_parsed_right = 32'h397f685b;
      6'b010111 : _zz_parsed_right = 32'h7cdb99e3;
      6'b011000 : _zz_parsed_right = 32'h077654ce;
      6'b011001 : _zz_parsed_right = 32'h1b90d704;
      6'b011010 : _zz_parsed_right = 32'h91727f55;
      6'b011011 : _zz_parsed_right = 32'h1613c24e;
      6'b011100 : _zz_parsed_right = 32'h7f0d0bdf;
      6'b011101 : _zz_parsed_right = 32'h6706644c;
      6'b011110 : _zz_parsed_right = 32'hdb2e809b;
      6'b011111 : _zz_parsed_right = 32'h95494d2a;
      6'b100000 : _zz_parsed_right = 32'hf607a8c8;
      6'b100001 : _zz_parsed_right = 32'hbe8e93d5;
      6'b100010 : _zz_parsed_right = 32'h8583c572;
      6'b100011 : _zz_parsed_right = 32'he6f5aa52;
      6'b100100 : _zz_parsed_right = 32'h96f6534f;
      6'b100101 : _zz_parsed_right = 32'hfffbc14a;
      6'b100110 : _zz_parsed_right = 32'hf4ab3ad9;
      6'b100111 : _zz_parsed_right = 32'h7f8f8816;
      6'b101000 : _zz_parsed_right = 32'he585ad4c;
      6'b101001 : _zz_parsed_right = 32'h501341cd;
      6'b101010 : _zz_parsed_right = 32'h1630f170;
      6'b101011 : _zz_parsed_right = 32'h5c3e35df;
      6'b101100 : _zz_parsed_right = 32'h8d5fdbbb;
      6'b101101 : _zz_parsed_right = 32'h57d64e1f;
      6'b101110 : _zz_parsed_right = 32'hbefb3a74;
      6'b101111 : _zz_parsed_right = 32'hf02a6472;
      6'b110000 : _zz_parsed_right = 32'h25f73690;
      6'b110001 : _zz_parsed_right = 32'h98e430b2;
      6'b110010 : _zz_parsed_right = 32'h36100e42;
      6'b110011 : _zz_parsed_right = 32'h1344b4aa;
      6'b110100 : _zz_parsed_right = 32'h282cfc18;
      6'b110101 : _zz_parsed_right = 32'h2e448638;
      6'b110110 : _zz_parsed_right = 32'hf08bb97d;
      6'b110111 : _zz_parsed_right = 32'h842a3990;
      6'b111000 : _zz_parsed_right = 32'h94784e13;
      6'b111001 : _zz_parsed_right = 32'h1c759789;
      6'b111010 : _zz_parsed_right = 32'h19f6eb51;
      6'b111011 : _zz_parsed_right = 32'h9add2096;
      6'b111100 : _zz_parsed_right = 32'h62932081;
      6'b111101 : _zz_parsed_right = 32'h4e3d5e5c;
      6'b111110 : _zz_parsed_right = 32'h39dd08e2;
      default : _zz_parsed_right = 32'hdebb20e3;
    endcase
  end

  assign io_frames_ready = 1'b1;
  assign io_data = store_io_data;
  assign coming_beyond = (coming_index == 7'h42);
  assign coming_slot = (coming_first ? store_io_free_payload : coming_place);
  assign coming_present = (coming_first ? store_io_free_valid : coming_found);
  assign store_io_free_ready = (io_frames_valid && coming_first);
  assign store_io_write_valid = ((io_frames_valid && coming_present) && (! coming_beyond));
  assign coming_total = {io_frames_payload_data[135 : 128],io_frames_payload_data[143 : 136]};
  assign coming_end = (coming_first ? _zz_coming_end : coming_endKept);
  assign coming_here = (_zz_coming_here == coming_end[16 : 6]);
  assign coming_before = (_zz_coming_before < coming_end[16 : 6]);
  assign coming_covered = (coming_here || coming_before);
  assign coming_bytes_0 = ((coming_before || (coming_here && 1'b1)) ? io_frames_payload_data[7 : 0] : 8'h0);
  assign coming_bytes_1 = ((coming_before || (coming_here && (6'h01 <= coming_end[5 : 0]))) ? io_frames_payload_data[15 : 8] : 8'h0);
  assign coming_bytes_2 = ((coming_before || (coming_here && (6'h02 <= coming_end[5 : 0]))) ? io_frames_payload_data[23 : 16] : 8'h0);
  assign coming_bytes_3 = ((coming_before || (coming_here && (6'h03 <= coming_end[5 : 0]))) ? io_frames_payload_data[31 : 24] : 8'h0);
  assign coming_bytes_4 = ((coming_before || (coming_here && (6'h04 <= coming_end[5 : 0]))) ? io_frames_payload_data[39 : 32] : 8'h0);
  assign coming_bytes_5 = ((coming_before || (coming_here && (6'h05 <= coming_end[5 : 0]))) ? io_frames_payload_data[47 : 40] : 8'h0);
  assign coming_bytes_6 = ((coming_before || (coming_here && (6'h06 <= coming_end[5 : 0]))) ? io_frames_payload_data[55 : 48] : 8'h0);
  assign coming_bytes_7 = ((coming_before || (coming_here && (6'h07 <= coming_end[5 : 0]))) ? io_frames_payload_data[63 : 56] : 8'h0);
  assign coming_bytes_8 = ((coming_before || (coming_here && (6'h08 <= coming_end[5 : 0]))) ? io_frames_payload_data[71 : 64] : 8'h0);
  assign coming_bytes_9 = ((coming_before || (coming_here && (6'h09 <= coming_end[5 : 0]))) ? io_frames_payload_data[79 : 72] : 8'h0);
  assign coming_bytes_10 = ((coming_before || (coming_here && (6'h0a <= coming_end[5 : 0]))) ? io_frames_payload_data[87 : 80] : 8'h0);
  assign coming_bytes_11 = ((coming_before || (coming_here && (6'h0b <= coming_end[5 : 0]))) ? io_frames_payload_data[95 : 88] : 8'h0);
  assign coming_bytes_12 = ((coming_before || (coming_here && (6'h0c <= coming_end[5 : 0]))) ? io_frames_payload_data[103 : 96] : 8'h0);
  assign coming_bytes_13 = ((coming_before || (coming_here && (6'h0d <= coming_end[5 : 0]))) ? io_frames_payload_data[111 : 104] : 8'h0);
  assign coming_bytes_14 = ((coming_before || (coming_here && (6'h0e <= coming_end[5 : 0]))) ? io_frames_payload_data[119 : 112] : 8'h0);
  assign coming_bytes_15 = ((coming_before || (coming_here && (6'h0f <= coming_end[5 : 0]))) ? io_frames_payload_data[127 : 120] : 8'h0);
  assign coming_bytes_16 = ((coming_before || (coming_here && (6'h10 <= coming_end[5 : 0]))) ? io_frames_payload_data[135 : 128] : 8'h0);
  assign coming_bytes_17 = ((coming_before || (coming_here && (6'h11 <= coming_end[5 : 0]))) ? io_frames_payload_data[143 : 136] : 8'h0);
  assign coming_bytes_18 = ((coming_before || (coming_here && (6'h12 <= coming_end[5 : 0]))) ? io_frames_payload_data[151 : 144] : 8'h0);
  assign coming_bytes_19 = ((coming_before || (coming_here && (6'h13 <= coming_end[5 : 0]))) ? io_frames_payload_data[159 : 152] : 8'h0);
  assign coming_bytes_20 = ((coming_before || (coming_here && (6'h14 <= coming_end[5 : 0]))) ? io_frames_payload_data[167 : 160] : 8'h0);
  assign coming_bytes_21 = ((coming_before || (coming_here && (6'h15 <= coming_end[5 : 0]))) ? io_frames_payload_data[175 : 168] : 8'h0);
  assign coming_bytes_22 = ((coming_before || (coming_here && (6'h16 <= coming_end[5 : 0]))) ? io_frames_payload_data[183 : 176] : 8'h0);
  assign coming_bytes_23 = ((coming_before || (coming_here && (6'h17 <= coming_end[5 : 0]))) ? io_frames_payload_data[191 : 184] : 8'h0);
  assign coming_bytes_24 = ((coming_before || (coming_here && (6'h18 <= coming_end[5 : 0]))) ? io_frames_payload_data[199 : 192] : 8'h0);
  assign coming_bytes_25 = ((coming_before || (coming_here && (6'h19 <= coming_end[5 : 0]))) ? io_frames_payload_data[207 : 200] : 8'h0);
  assign coming_bytes_26 = ((coming_before || (coming_here && (6'h1a <= coming_end[5 : 0]))) ? io_frames_payload_data[215 : 208] : 8'h0);
  assign coming_bytes_27 = ((coming_before || (coming_here && (6'h1b <= coming_end[5 : 0]))) ? io_frames_payload_data[223 : 216] : 8'h0);
  assign coming_bytes_28 = ((coming_before || (coming_here && (6'h1c <= coming_end[5 : 0]))) ? io_frames_payload_data[231 : 224] : 8'h0);
  assign coming_bytes_29 = ((coming_before || (coming_here && (6'h1d <= coming_end[5 : 0]))) ? io_frames_payload_data[239 : 232] : 8'h0);
  assign coming_bytes_30 = ((coming_before || (coming_here && (6'h1e <= coming_end[5 : 0]))) ? io_frames_payload_data[247 : 240] : 8'h0);
  assign coming_bytes_31 = ((coming_before || (coming_here && (6'h1f <= coming_end[5 : 0]))) ? io_frames_payload_data[255 : 248] : 8'h0);
  assign coming_bytes_32 = ((coming_before || (coming_here && (6'h20 <= coming_end[5 : 0]))) ? io_frames_payload_data[263 : 256] : 8'h0);
  assign coming_bytes_33 = ((coming_before || (coming_here && (6'h21 <= coming_end[5 : 0]))) ? io_frames_payload_data[271 : 264] : 8'h0);
  assign coming_bytes_34 = ((coming_before || (coming_here && (6'h22 <= coming_end[5 : 0]))) ? io_frames_payload_data[279 : 272] : 8'h0);
  assign coming_bytes_35 = ((coming_before || (coming_here && (6'h23 <= coming_end[5 : 0]))) ? io_frames_payload_data[287 : 280] : 8'h0);
  assign coming_bytes_36 = ((coming_before || (coming_here && (6'h24 <= coming_end[5 : 0]))) ? io_frames_payload_data[295 : 288] : 8'h0);
  assign coming_bytes_37 = ((coming_before || (coming_here && (6'h25 <= coming_end[5 : 0]))) ? io_frames_payload_data[303 : 296] : 8'h0);
  assign coming_bytes_38 = ((coming_before || (coming_here && (6'h26 <= coming_end[5 : 0]))) ? io_frames_payload_data[311 : 304] : 8'h0);
  assign coming_bytes_39 = ((coming_before || (coming_here && (6'h27 <= coming_end[5 : 0]))) ? io_frames_payload_data[319 : 312] : 8'h0);
  assign coming_bytes_40 = ((coming_before || (coming_here && (6'h28 <= coming_end[5 : 0]))) ? io_frames_payload_data[327 : 320] : 8'h0);
  assign coming_bytes_41 = ((coming_before || (coming_here && (6'h29 <= coming_end[5 : 0]))) ? io_frames_payload_data[335 : 328] : 8'h0);
  assign coming_bytes_42 = ((coming_before || (coming_here && (6'h2a <= coming_end[5 : 0]))) ? io_frames_payload_data[343 : 336] : 8'h0);
  assign coming_bytes_43 = ((coming_before || (coming_here && (6'h2b <= coming_end[5 : 0]))) ? io_frames_payload_data[351 : 344] : 8'h0);
  assign coming_bytes_44 = ((coming_before || (coming_here && (6'h2c <= coming_end[5 : 0]))) ? io_frames_payload_data[359 : 352] : 8'h0);
  assign coming_bytes_45 = ((coming_before || (coming_here && (6'h2d <= coming_end[5 : 0]))) ? io_frames_payload_data[367 : 360] : 8'h0);
  assign coming_bytes_46 = ((coming_before || (coming_here && (6'h2e <= coming_end[5 : 0]))) ? io_frames_payload_data[375 : 368] : 8'h0);
  assign coming_bytes_47 = ((coming_before || (coming_here && (6'h2f <= coming_end[5 : 0]))) ? io_frames_payload_data[383 : 376] : 8'h0);
  assign coming_bytes_48 = ((coming_before || (coming_here && (6'h30 <= coming_end[5 : 0]))) ? io_frames_payload_data[391 : 384] : 8'h0);
  assign coming_bytes_49 = ((coming_before || (coming_here && (6'h31 <= coming_end[5 : 0]))) ? io_frames_payload_data[399 : 392] : 8'h0);
  assign coming_bytes_50 = ((coming_before || (coming_here && (6'h32 <= coming_end[5 : 0]))) ? io_frames_payload_data[407 : 400] : 8'h0);
  assign coming_bytes_51 = ((coming_before || (coming_here && (6'h33 <= coming_end[5 : 0]))) ? io_frames_payload_data[415 : 408] : 8'h0);
  assign coming_bytes_52 = ((coming_before || (coming_here && (6'h34 <= coming_end[5 : 0]))) ? io_frames_payload_data[423 : 416] : 8'h0);
  assign coming_bytes_53 = ((coming_before || (coming_here && (6'h35 <= coming_end[5 : 0]))) ? io_frames_payload_data[431 : 424] : 8'h0);
  assign coming_bytes_54 = ((coming_before || (coming_here && (6'h36 <= coming_end[5 : 0]))) ? io_frames_payload_data[439 : 432] : 8'h0);
  assign coming_bytes_55 = ((coming_before || (coming_here && (6'h37 <= coming_end[5 : 0]))) ? io_frames_payload_data[447 : 440] : 8'h0);
  assign coming_bytes_56 = ((coming_before || (coming_here && (6'h38 <= coming_end[5 : 0]))) ? io_frames_payload_data[455 : 448] : 8'h0);
  assign coming_bytes_57 = ((coming_before || (coming_here && (6'h39 <= coming_end[5 : 0]))) ? io_frames_payload_data[463 : 456] : 8'h0);
  assign coming_bytes_58 = ((coming_before || (coming_here && (6'h3a <= coming_end[5 : 0]))) ? io_frames_payload_data[471 : 464] : 8'h0);
  assign coming_bytes_59 = ((coming_before || (coming_here && (6'h3b <= coming_end[5 : 0]))) ? io_frames_payload_data[479 : 472] : 8'h0);
  assign coming_bytes_60 = ((coming_before || (coming_here && (6'h3c <= coming_end[5 : 0]))) ? io_frames_payload_data[487 : 480] : 8'h0);
  assign coming_bytes_61 = ((coming_before || (coming_here && (6'h3d <= coming_end[5 : 0]))) ? io_frames_payload_data[495 : 488] : 8'h0);
  assign coming_bytes_62 = ((coming_before || (coming_here && (6'h3e <= coming_end[5 : 0]))) ? io_frames_payload_data[503 : 496] : 8'h0);
  assign coming_bytes_63 = ((coming_before || (coming_here && (6'h3f <= coming_end[5 : 0]))) ? io_frames_payload_data[511 : 504] : 8'h0);
  assign coming_data = {coming_bytes_63,{coming_bytes_62,{coming_bytes_61,{coming_bytes_60,{coming_bytes_59,{coming_bytes_58,{coming_bytes_57,{coming_bytes_56,{coming_bytes_55,{coming_bytes_54,{coming_bytes_53,{coming_bytes_52,{coming_bytes_51,{coming_bytes_50,{coming_bytes_49,{coming_bytes_48,_zz_coming_data}}}}}}}}}}}}}}}};
  assign owners_io_asked_valid = (io_frames_valid && coming_first);
  assign owners_io_asked_payload = {{io_frames_payload_data[383 : 376],io_frames_payload_data[391 : 384]},io_frames_payload_data[399 : 392]};
  assign io_ready = owners_io_ready;
  assign seen_bytes = {seen_tail,seen_head};
  assign seen_share = ((((owners_io_ready && owners_io_owner_valid) && (owners_io_owner_qpn == {{seen_bytes[383 : 376],seen_bytes[391 : 384]},seen_bytes[399 : 392]})) && (owners_io_owner_peerIp == {{{seen_bytes[215 : 208],seen_bytes[223 : 216]},seen_bytes[231 : 224]},seen_bytes[239 : 232]})) ? owners_io_owner_share : 11'h400);
  assign _zz_parsed_headers_solicited = seen_bytes[351 : 344];
  assign _zz_parsed_headers_opcode = seen_bytes[343 : 336];
  assign parsed_opcode = seen_bytes[343 : 336];
  assign parsed_pad = _zz_parsed_pad[5 : 4];
  assign parsed_words_0 = {seen_head[119 : 112],seen_head[127 : 120]};
  assign parsed_words_1 = {seen_head[135 : 128],seen_head[143 : 136]};
  assign parsed_words_2 = {seen_head[151 : 144],seen_head[159 : 152]};
  assign parsed_words_3 = {seen_head[167 : 160],seen_head[175 : 168]};
  assign parsed_words_4 = {seen_head[183 : 176],seen_head[191 : 184]};
  assign parsed_words_5 = {seen_head[199 : 192],seen_head[207 : 200]};
  assign parsed_words_6 = {seen_head[215 : 208],seen_head[223 : 216]};
  assign parsed_words_7 = {seen_head[231 : 224],seen_head[239 : 232]};
  assign parsed_words_8 = {seen_head[247 : 240],seen_head[255 : 248]};
  assign parsed_words_9 = {seen_head[263 : 256],seen_head[271 : 264]};
  assign _zz_parsed_faults_5_1 = {seen_bytes[135 : 128],seen_bytes[143 : 136]};
  assign _zz_judged_badSum = ({1'b0,parsed_sums_0} + {1'b0,parsed_sums_1});
  assign judged_badIcrc = (seen_icrc_io_sums_payload != judged_right);
  assign judged_found_16_1 = (! judged_present);
  assign judged_reasons_9_1 = (judged_faults_5_1 || judged_cut);
  assign judged_between = _zz_judged_between;
  assign judged_tooMany = ($signed(17'h01000) < $signed(judged_between));
  assign judged_negative = judged_between[16];
  assign judged_malformed = (judged_known && (judged_bare ? (judged_some || ($signed(judged_between) != $signed(17'h0))) : (judged_notification ? (judged_some || ($signed(judged_between) != $signed(17'h00010))) : ((judged_partial || judged_negative) || judged_tooMany))));
  assign judged_carries = (((judged_known && (! judged_bare)) && (! judged_notification)) && (! judged_malformed));
  assign judged_payload = (judged_carries ? _zz_judged_payload : 13'h0);
  assign judged_drops = (|{judged_found_16_1,{judged_faults_10_1,{judged_badIcrc,{judged_faults_9_1,{judged_faults_8_1,{judged_faults_7_1,{judged_faults_6_1,{judged_reasons_9_1,{judged_faults_4_1,{judged_badSum,{_zz_judged_drops,_zz_judged_drops_1}}}}}}}}}}});
  assign judged_outcome = (judged_malformed ? 6'h01 : 6'h0);
  assign judged_count = (judged_found_0_1 ? 6'h02 : (judged_found_1_1 ? 6'h03 : (judged_found_2_1 ? 6'h04 : (judged_faults_0_1 ? 6'h05 : (judged_faults_1_1 ? 6'h06 : (judged_faults_2_1 ? 6'h07 : (judged_faults_3_1 ? 6'h08 : (judged_badSum ? 6'h09 : (judged_faults_4_1 ? 6'h0a : (judged_reasons_9_1 ? 6'h0b : (judged_faults_6_1 ? _zz_judged_count : _zz_judged_count_1)))))))))));
  assign leaving_turns_io_comes_valid = (judged_ended && (! judged_drops));
  assign leaving_arrival_headers_srcMac = judged_headers_srcMac;
  assign leaving_arrival_headers_srcIp = judged_headers_srcIp;
  assign leaving_arrival_headers_srcPort = judged_headers_srcPort;
  assign leaving_arrival_headers_congested = judged_headers_congested;
  assign leaving_arrival_headers_opcode = judged_headers_opcode;
  assign leaving_arrival_headers_solicited = judged_headers_solicited;
  assign leaving_arrival_headers_ackRequest = judged_headers_ackRequest;
  assign leaving_arrival_headers_pad = judged_headers_pad;
  assign leaving_arrival_headers_pkey = judged_headers_pkey;
  assign leaving_arrival_headers_destQp = judged_headers_destQp;
  assign leaving_arrival_headers_psn = judged_headers_psn;
  assign leaving_arrival_headers_va = judged_headers_va;
  assign leaving_arrival_headers_rkey = judged_headers_rkey;
  assign leaving_arrival_headers_dmaLength = judged_headers_dmaLength;
  assign leaving_arrival_headers_swapAdd = judged_headers_swapAdd;
  assign leaving_arrival_headers_compare = judged_headers_compare;
  assign leaving_arrival_headers_immediate = judged_headers_immediate;
  assign leaving_arrival_headers_payload = judged_payload;
  assign leaving_arrival_slot = judged_slot;
  assign leaving_arrival_offset = (_zz_leaving_arrival_offset + 7'h36);
  assign leaving_arrival_malformed = judged_malformed;
  assign io_arrivals_valid = leaving_turns_io_leaves_0_valid;
  assign _zz_io_arrivals_payload_offset = leaving_told_spinal_port1;
  assign _zz_io_arrivals_payload_headers_srcMac = _zz_io_arrivals_payload_offset[473 : 0];
  assign io_arrivals_payload_headers_srcMac = _zz_io_arrivals_payload_headers_srcMac[47 : 0];
  assign io_arrivals_payload_headers_srcIp = _zz_io_arrivals_payload_headers_srcMac[79 : 48];
  assign io_arrivals_payload_headers_srcPort = _zz_io_arrivals_payload_headers_srcMac[95 : 80];
  assign io_arrivals_payload_headers_congested = _zz_io_arrivals_payload_headers_srcMac[96];
  assign io_arrivals_payload_headers_opcode = _zz_io_arrivals_payload_headers_srcMac[104 : 97];
  assign io_arrivals_payload_headers_solicited = _zz_io_arrivals_payload_headers_srcMac[105];
  assign io_arrivals_payload_headers_ackRequest = _zz_io_arrivals_payload_headers_srcMac[106];
  assign io_arrivals_payload_headers_pad = _zz_io_arrivals_payload_headers_srcMac[108 : 107];
  assign io_arrivals_payload_headers_pkey = _zz_io_arrivals_payload_headers_srcMac[124 : 109];
  assign io_arrivals_payload_headers_destQp = _zz_io_arrivals_payload_headers_srcMac[148 : 125];
  assign io_arrivals_payload_headers_psn = _zz_io_arrivals_payload_headers_srcMac[172 : 149];
  assign io_arrivals_payload_headers_va = _zz_io_arrivals_payload_headers_srcMac[236 : 173];
  assign io_arrivals_payload_headers_rkey = _zz_io_arrivals_payload_headers_srcMac[268 : 237];
  assign io_arrivals_payload_headers_dmaLength = _zz_io_arrivals_payload_headers_srcMac[300 : 269];
  assign io_arrivals_payload_headers_swapAdd = _zz_io_arrivals_payload_headers_srcMac[364 : 301];
  assign io_arrivals_payload_headers_compare = _zz_io_arrivals_payload_headers_srcMac[428 : 365];
  assign io_arrivals_payload_headers_immediate = _zz_io_arrivals_payload_headers_srcMac[460 : 429];
  assign io_arrivals_payload_headers_payload = _zz_io_arrivals_payload_headers_srcMac[473 : 461];
  assign io_arrivals_payload_offset = _zz_io_arrivals_payload_offset[485 : 479];
  assign io_arrivals_payload_malformed = _zz_io_arrivals_payload_offset[486];
  assign io_arrivals_payload_slot = leaving_turns_io_leaves_0_payload;
  assign store_io_returns_1_valid = (leaving_dropped || leaving_turns_io_refused);
  assign io_counted_valid = leaving_known_regNext;
  assign io_counted_payload = _zz_io_counted_payload;
  always @(posedge clk) begin
    if(reset) begin
      coming_first <= 1'b1;
      coming_index <= 7'h0;
      seen_ended <= 1'b0;
      _zz_io_beats_valid <= 1'b0;
      parsed_ended <= 1'b0;
      judged_ended <= 1'b0;
      leaving_dropped <= 1'b0;
      leaving_known <= 1'b0;
      leaving_known_regNext <= 1'b0;
    end else begin
      if(io_frames_valid) begin
        coming_first <= io_frames_payload_last;
      end
      if(io_frames_valid) begin
        coming_index <= (io_frames_payload_last ? 7'h0 : (coming_beyond ? coming_index : _zz_coming_index));
      end
      seen_ended <= (io_frames_valid && io_frames_payload_last);
      _zz_io_beats_valid <= (io_frames_valid && coming_covered);
      parsed_ended <= seen_ended;
      judged_ended <= parsed_ended;
      leaving_dropped <= (((judged_ended && judged_drops) && judged_present) && 1'b1);
      leaving_known <= judged_ended;
      leaving_known_regNext <= leaving_known;
    end
  end

  always @(posedge clk) begin
    if(io_frames_valid) begin
      coming_place <= coming_slot;
      coming_found <= coming_present;
    end
    if(io_frames_valid) begin
      coming_endKept <= coming_end;
    end
    if(io_frames_valid) begin
      _zz_io_beats_payload_data <= (coming_first ? {coming_data[511 : 504],{coming_data[503 : 496],{coming_data[495 : 488],{coming_data[487 : 480],{coming_data[479 : 472],{coming_data[471 : 464],{coming_data[463 : 456],{coming_data[455 : 448],{coming_data[447 : 440],{_zz__zz_io_beats_payload_data,_zz__zz_io_beats_payload_data_1}}}}}}}}}} : coming_data);
    end
    if(io_frames_valid) begin
      coming_first_regNextWhen <= coming_first;
    end
    if((io_frames_valid && coming_first)) begin
      seen_head <= io_frames_payload_data;
    end
    if((io_frames_valid && (coming_index == 7'h01))) begin
      seen_tail <= io_frames_payload_data[143 : 0];
    end
    if(io_frames_valid) begin
      seen_index <= coming_index;
    end
    if(io_frames_valid) begin
      seen_lastByte <= io_frames_payload_lastByte;
    end
    if(io_frames_valid) begin
      seen_end <= coming_end;
    end
    if(io_frames_valid) begin
      seen_damaged <= io_frames_payload_user[0];
    end
    if(io_frames_valid) begin
      seen_slot <= coming_slot;
    end
    if(io_frames_valid) begin
      seen_present <= coming_present;
    end
    if(seen_ended) begin
      parsed_headers_srcMac <= {{{{{seen_bytes[55 : 48],seen_bytes[63 : 56]},seen_bytes[71 : 64]},seen_bytes[79 : 72]},seen_bytes[87 : 80]},seen_bytes[95 : 88]};
      parsed_headers_srcIp <= {{{seen_bytes[215 : 208],seen_bytes[223 : 216]},seen_bytes[231 : 224]},seen_bytes[239 : 232]};
      parsed_headers_srcPort <= {seen_bytes[279 : 272],seen_bytes[287 : 280]};
      parsed_headers_congested <= (&_zz_parsed_headers_congested[1 : 0]);
      parsed_headers_opcode <= _zz_parsed_headers_opcode;
      parsed_headers_solicited <= _zz_parsed_headers_solicited[7];
      parsed_headers_ackRequest <= seen_bytes[407];
      parsed_headers_pad <= _zz_parsed_headers_solicited[5 : 4];
      parsed_headers_pkey <= {seen_bytes[359 : 352],seen_bytes[367 : 360]};
      parsed_headers_destQp <= {{seen_bytes[383 : 376],seen_bytes[391 : 384]},seen_bytes[399 : 392]};
      parsed_headers_psn <= {{seen_bytes[415 : 408],seen_bytes[423 : 416]},seen_bytes[431 : 424]};
      parsed_headers_va <= {{{{{{{seen_bytes[439 : 432],seen_bytes[447 : 440]},seen_bytes[455 : 448]},seen_bytes[463 : 456]},seen_bytes[471 : 464]},seen_bytes[479 : 472]},seen_bytes[487 : 480]},seen_bytes[495 : 488]};
      parsed_headers_rkey <= {{{seen_bytes[503 : 496],seen_bytes[511 : 504]},seen_bytes[519 : 512]},seen_bytes[527 : 520]};
      parsed_headers_dmaLength <= {{{seen_bytes[535 : 528],seen_bytes[543 : 536]},seen_bytes[551 : 544]},seen_bytes[559 : 552]};
      parsed_headers_swapAdd <= {{{{{{{seen_bytes[535 : 528],seen_bytes[543 : 536]},seen_bytes[551 : 544]},seen_bytes[559 : 552]},seen_bytes[567 : 560]},seen_bytes[575 : 568]},seen_bytes[583 : 576]},seen_bytes[591 : 584]};
      parsed_headers_compare <= {{{{{{{seen_bytes[599 : 592],seen_bytes[607 : 600]},seen_bytes[615 : 608]},seen_bytes[623 : 616]},seen_bytes[631 : 624]},seen_bytes[639 : 632]},seen_bytes[647 : 640]},seen_bytes[655 : 648]};
      parsed_headers_immediate <= ((_zz_parsed_headers_opcode == 8'h0b) ? {{{seen_bytes[567 : 560],seen_bytes[575 : 568]},seen_bytes[583 : 576]},seen_bytes[591 : 584]} : {{{seen_bytes[439 : 432],seen_bytes[447 : 440]},seen_bytes[455 : 448]},seen_bytes[463 : 456]});
    end
    if(seen_ended) begin
      parsed_share <= seen_share;
    end
    if(seen_ended) begin
      parsed_slot <= seen_slot;
    end
    if(seen_ended) begin
      parsed_present <= seen_present;
    end
    if(seen_ended) begin
      parsed_right <= _zz_parsed_right;
    end
    if(seen_ended) begin
      parsed_known <= (|{(parsed_opcode == 8'h81),{(parsed_opcode == 8'h17),{(parsed_opcode == 8'h16),{(parsed_opcode == 8'h14),{(parsed_opcode == _zz_parsed_known),{_zz_parsed_known_1,{_zz_parsed_known_2,_zz_parsed_known_3}}}}}}});
    end
    if(seen_ended) begin
      parsed_bare <= (|{(parsed_opcode == 8'h14),{(parsed_opcode == 8'h13),{(parsed_opcode == 8'h12),{(parsed_opcode == 8'h11),(parsed_opcode == 8'h0c)}}}});
    end
    if(seen_ended) begin
      parsed_notification <= (parsed_opcode == 8'h81);
    end
    if(seen_ended) begin
      parsed_total <= {seen_bytes[135 : 128],seen_bytes[143 : 136]};
    end
    if(seen_ended) begin
      parsed_others <= (_zz_parsed_others + 7'h2c);
    end
    if(seen_ended) begin
      parsed_extension <= ((((((_zz_parsed_extension ? _zz_parsed_extension_7 : _zz_parsed_extension_8) | (_zz_parsed_extension_9 ? _zz_parsed_extension_17 : _zz_parsed_extension_18)) | ((|_zz_parsed_extension_19) ? 5'h0c : 5'h0)) | ((|{_zz_parsed_extension_20,_zz_parsed_extension_21}) ? 5'h10 : 5'h0)) | ((|(parsed_opcode == _zz_parsed_extension_22)) ? 5'h14 : 5'h0)) | ((|{(parsed_opcode == _zz_parsed_extension_23),(parsed_opcode == _zz_parsed_extension_24)}) ? 5'h1c : 5'h0));
    end
    if(seen_ended) begin
      parsed_sums_0 <= (_zz_parsed_sums_0 + {1'b0,_zz_parsed_sums_0_3});
    end
    if(seen_ended) begin
      parsed_sums_1 <= (_zz_parsed_sums_1 + {1'b0,_zz_parsed_sums_1_3});
    end
    if(seen_ended) begin
      parsed_faults_0_1 <= ({{{{{seen_bytes[7 : 0],seen_bytes[15 : 8]},seen_bytes[23 : 16]},seen_bytes[31 : 24]},seen_bytes[39 : 32]},seen_bytes[47 : 40]} != io_local_mac);
    end
    if(seen_ended) begin
      parsed_faults_1_1 <= ({seen_bytes[103 : 96],seen_bytes[111 : 104]} != 16'h0800);
    end
    if(seen_ended) begin
      parsed_faults_2_1 <= (_zz_parsed_faults_2_1[7 : 4] != 4'b0100);
    end
    if(seen_ended) begin
      parsed_faults_3_1 <= (_zz_parsed_faults_3_1[3 : 0] != 4'b0101);
    end
    if(seen_ended) begin
      parsed_faults_4_1 <= (_zz_parsed_faults_4_1[13 : 0] != 14'h0);
    end
    if(seen_ended) begin
      parsed_faults_5_1 <= (_zz_parsed_faults_5_1 < 16'h002c);
    end
    if(seen_ended) begin
      parsed_faults_6_1 <= ({{{seen_bytes[247 : 240],seen_bytes[255 : 248]},seen_bytes[263 : 256]},seen_bytes[271 : 264]} != io_local_ip);
    end
    if(seen_ended) begin
      parsed_faults_7_1 <= (seen_bytes[191 : 184] != 8'h11);
    end
    if(seen_ended) begin
      parsed_faults_8_1 <= (_zz_parsed_faults_8_1 != _zz_parsed_faults_8_1_3);
    end
    if(seen_ended) begin
      parsed_faults_9_1 <= ({seen_bytes[295 : 288],seen_bytes[303 : 296]} != 16'h12b7);
    end
    if(seen_ended) begin
      parsed_faults_10_1 <= (_zz_parsed_faults_10_1[3 : 0] != 4'b0000);
    end
    if(seen_ended) begin
      parsed_damaged <= seen_damaged;
    end
    if(seen_ended) begin
      parsed_short <= ((seen_index == 7'h0) && (seen_lastByte < 6'h39));
    end
    if(seen_ended) begin
      parsed_giant <= (seen_index == 7'h42);
    end
    if(seen_ended) begin
      parsed_cut <= (_zz_parsed_cut < seen_end);
    end
    if(parsed_ended) begin
      judged_headers_srcMac <= parsed_headers_srcMac;
      judged_headers_srcIp <= parsed_headers_srcIp;
      judged_headers_srcPort <= parsed_headers_srcPort;
      judged_headers_congested <= parsed_headers_congested;
      judged_headers_opcode <= parsed_headers_opcode;
      judged_headers_solicited <= parsed_headers_solicited;
      judged_headers_ackRequest <= parsed_headers_ackRequest;
      judged_headers_pad <= parsed_headers_pad;
      judged_headers_pkey <= parsed_headers_pkey;
      judged_headers_destQp <= parsed_headers_destQp;
      judged_headers_psn <= parsed_headers_psn;
      judged_headers_va <= parsed_headers_va;
      judged_headers_rkey <= parsed_headers_rkey;
      judged_headers_dmaLength <= parsed_headers_dmaLength;
      judged_headers_swapAdd <= parsed_headers_swapAdd;
      judged_headers_compare <= parsed_headers_compare;
      judged_headers_immediate <= parsed_headers_immediate;
    end
    if(parsed_ended) begin
      judged_share <= parsed_share;
    end
    if(parsed_ended) begin
      judged_slot <= parsed_slot;
    end
    if(parsed_ended) begin
      judged_present <= parsed_present;
    end
    if(parsed_ended) begin
      judged_right <= parsed_right;
    end
    if(parsed_ended) begin
      judged_badSum <= (! (_zz_judged_badSum[15 : 0] == (~ _zz_judged_badSum_1)));
    end
    if(parsed_ended) begin
      judged_faults_0_1 <= parsed_faults_0_1;
    end
    if(parsed_ended) begin
      judged_faults_1_1 <= parsed_faults_1_1;
    end
    if(parsed_ended) begin
      judged_faults_2_1 <= parsed_faults_2_1;
    end
    if(parsed_ended) begin
      judged_faults_3_1 <= parsed_faults_3_1;
    end
    if(parsed_ended) begin
      judged_faults_4_1 <= parsed_faults_4_1;
    end
    if(parsed_ended) begin
      judged_faults_5_1 <= parsed_faults_5_1;
    end
    if(parsed_ended) begin
      judged_faults_6_1 <= parsed_faults_6_1;
    end
    if(parsed_ended) begin
      judged_faults_7_1 <= parsed_faults_7_1;
    end
    if(parsed_ended) begin
      judged_faults_8_1 <= parsed_faults_8_1;
    end
    if(parsed_ended) begin
      judged_faults_9_1 <= parsed_faults_9_1;
    end
    if(parsed_ended) begin
      judged_faults_10_1 <= parsed_faults_10_1;
    end
    if(parsed_ended) begin
      judged_found_0_1 <= parsed_damaged;
    end
    if(parsed_ended) begin
      judged_found_1_1 <= parsed_short;
    end
    if(parsed_ended) begin
      judged_found_2_1 <= parsed_giant;
    end
    if(parsed_ended) begin
      judged_cut <= parsed_cut;
    end
    if(parsed_ended) begin
      _zz_judged_between <= (_zz__zz_judged_between - _zz__zz_judged_between_1);
    end
    if(parsed_ended) begin
      judged_some <= ((parsed_total[1 : 0] != 2'b00) || (parsed_headers_pad != 2'b00));
    end
    if(parsed_ended) begin
      judged_known <= parsed_known;
    end
    if(parsed_ended) begin
      judged_bare <= parsed_bare;
    end
    if(parsed_ended) begin
      judged_notification <= parsed_notification;
    end
    if(parsed_ended) begin
      judged_partial <= (parsed_total[1 : 0] != 2'b00);
    end
    if(parsed_ended) begin
      judged_extension <= parsed_extension;
    end
    judged_slot_regNext <= judged_slot;
    leaving_before <= judged_count;
    _zz_io_counted_payload <= (leaving_turns_io_refused ? 6'h13 : leaving_before);
  end


endmodule

module ArrivalTurns (
  input  wire          io_comes_valid,
  input  wire [4:0]    io_comes_payload_slot,
  input  wire [10:0]   io_comes_payload_share,
  output wire          io_refused,
  output wire          io_leaves_0_valid,
  input  wire          io_leaves_0_ready,
  output wire [4:0]    io_leaves_0_payload,
  input  wire          io_gone_valid,
  input  wire [4:0]    io_gone_payload,
  input  wire          clk,
  input  wire          reset
);

  wire                exits_0_queue_io_push_valid;
  wire       [4:0]    exits_0_queue_io_push_payload;
  wire                exits_0_queue_io_pop_ready;
  wire       [4:0]    behind_spinal_port1;
  wire                exits_0_queue_io_push_ready;
  wire                exits_0_queue_io_pop_valid;
  wire       [4:0]    exits_0_queue_io_pop_payload;
  wire                _zz_comes_same;
  wire       [0:0]    _zz_comes_same_1;
  wire       [23:0]   _zz_comes_same_2;
  wire                _zz_comes_same_3;
  wire       [0:0]    _zz_comes_same_4;
  wire       [15:0]   _zz_comes_same_5;
  wire                _zz_comes_same_6;
  wire       [0:0]    _zz_comes_same_7;
  wire       [7:0]    _zz_comes_same_8;
  reg        [2:0]    _zz_comes_sums_0_9;
  wire       [2:0]    _zz_comes_sums_0_10;
  reg        [2:0]    _zz_comes_sums_0_11;
  wire       [2:0]    _zz_comes_sums_0_12;
  reg        [2:0]    _zz_comes_sums_1_8;
  wire       [2:0]    _zz_comes_sums_1_9;
  reg        [2:0]    _zz_comes_sums_1_10;
  wire       [2:0]    _zz_comes_sums_1_11;
  reg        [2:0]    _zz_comes_sums_2_8;
  wire       [2:0]    _zz_comes_sums_2_9;
  reg        [2:0]    _zz_comes_sums_2_10;
  wire       [2:0]    _zz_comes_sums_2_11;
  reg        [2:0]    _zz_comes_sums_3_8;
  wire       [2:0]    _zz_comes_sums_3_9;
  reg        [2:0]    _zz_comes_sums_3_10;
  wire       [2:0]    _zz_comes_sums_3_11;
  reg        [2:0]    _zz_comes_sums_4_8;
  wire       [2:0]    _zz_comes_sums_4_9;
  reg        [2:0]    _zz_comes_sums_4_10;
  wire       [2:0]    _zz_comes_sums_4_11;
  reg        [1:0]    _zz_comes_sums_5;
  wire       [1:0]    _zz_comes_sums_5_1;
  wire       [4:0]    _zz_links_own;
  wire       [3:0]    _zz_links_own_1;
  wire       [3:0]    _zz_links_own_2;
  wire       [5:0]    _zz_links_own_3;
  wire       [4:0]    _zz_links_own_4;
  wire       [3:0]    _zz_links_own_5;
  wire       [3:0]    _zz_links_own_6;
  wire       [2:0]    _zz_links_own_7;
  wire       [6:0]    _zz_io_refused;
  wire       [4:0]    _zz_behind_port;
  wire                _zz_behind_port_1;
  wire       [31:0]   _zz_links_becomes;
  wire                _zz_when;
  wire       [31:0]   _zz_came;
  wire       [31:0]   _zz_went;
  wire       [31:0]   _zz_held;
  wire       [5:0]    _zz_free;
  wire       [5:0]    _zz_free_1;
  wire       [5:0]    _zz_free_2;
  wire       [0:0]    _zz_free_3;
  wire       [5:0]    _zz_free_4;
  wire       [0:0]    _zz_free_5;
  wire       [5:0]    _zz_free_6;
  wire       [0:0]    _zz_free_7;
  wire       [31:0]   _zz_lasts;
  reg        [31:0]   held;
  reg        [31:0]   lasts;
  reg        [10:0]   owners_0;
  reg        [10:0]   owners_1;
  reg        [10:0]   owners_2;
  reg        [10:0]   owners_3;
  reg        [10:0]   owners_4;
  reg        [10:0]   owners_5;
  reg        [10:0]   owners_6;
  reg        [10:0]   owners_7;
  reg        [10:0]   owners_8;
  reg        [10:0]   owners_9;
  reg        [10:0]   owners_10;
  reg        [10:0]   owners_11;
  reg        [10:0]   owners_12;
  reg        [10:0]   owners_13;
  reg        [10:0]   owners_14;
  reg        [10:0]   owners_15;
  reg        [10:0]   owners_16;
  reg        [10:0]   owners_17;
  reg        [10:0]   owners_18;
  reg        [10:0]   owners_19;
  reg        [10:0]   owners_20;
  reg        [10:0]   owners_21;
  reg        [10:0]   owners_22;
  reg        [10:0]   owners_23;
  reg        [10:0]   owners_24;
  reg        [10:0]   owners_25;
  reg        [10:0]   owners_26;
  reg        [10:0]   owners_27;
  reg        [10:0]   owners_28;
  reg        [10:0]   owners_29;
  reg        [10:0]   owners_30;
  reg        [10:0]   owners_31;
  reg        [5:0]    free;
  wire       [31:0]   comes_same;
  wire       [31:0]   _zz_comes_sums_0;
  wire       [2:0]    _zz_comes_sums_0_1;
  wire       [2:0]    _zz_comes_sums_0_2;
  wire       [2:0]    _zz_comes_sums_0_3;
  wire       [2:0]    _zz_comes_sums_0_4;
  wire       [2:0]    _zz_comes_sums_0_5;
  wire       [2:0]    _zz_comes_sums_0_6;
  wire       [2:0]    _zz_comes_sums_0_7;
  wire       [2:0]    _zz_comes_sums_0_8;
  wire       [2:0]    comes_sums_0;
  wire       [2:0]    _zz_comes_sums_1;
  wire       [2:0]    _zz_comes_sums_1_1;
  wire       [2:0]    _zz_comes_sums_1_2;
  wire       [2:0]    _zz_comes_sums_1_3;
  wire       [2:0]    _zz_comes_sums_1_4;
  wire       [2:0]    _zz_comes_sums_1_5;
  wire       [2:0]    _zz_comes_sums_1_6;
  wire       [2:0]    _zz_comes_sums_1_7;
  wire       [2:0]    comes_sums_1;
  wire       [2:0]    _zz_comes_sums_2;
  wire       [2:0]    _zz_comes_sums_2_1;
  wire       [2:0]    _zz_comes_sums_2_2;
  wire       [2:0]    _zz_comes_sums_2_3;
  wire       [2:0]    _zz_comes_sums_2_4;
  wire       [2:0]    _zz_comes_sums_2_5;
  wire       [2:0]    _zz_comes_sums_2_6;
  wire       [2:0]    _zz_comes_sums_2_7;
  wire       [2:0]    comes_sums_2;
  wire       [2:0]    _zz_comes_sums_3;
  wire       [2:0]    _zz_comes_sums_3_1;
  wire       [2:0]    _zz_comes_sums_3_2;
  wire       [2:0]    _zz_comes_sums_3_3;
  wire       [2:0]    _zz_comes_sums_3_4;
  wire       [2:0]    _zz_comes_sums_3_5;
  wire       [2:0]    _zz_comes_sums_3_6;
  wire       [2:0]    _zz_comes_sums_3_7;
  wire       [2:0]    comes_sums_3;
  wire       [2:0]    _zz_comes_sums_4;
  wire       [2:0]    _zz_comes_sums_4_1;
  wire       [2:0]    _zz_comes_sums_4_2;
  wire       [2:0]    _zz_comes_sums_4_3;
  wire       [2:0]    _zz_comes_sums_4_4;
  wire       [2:0]    _zz_comes_sums_4_5;
  wire       [2:0]    _zz_comes_sums_4_6;
  wire       [2:0]    _zz_comes_sums_4_7;
  wire       [2:0]    comes_sums_4;
  wire       [1:0]    comes_sums_5;
  wire                comes_passes;
  reg                 links_valid;
  reg        [4:0]    links_p_slot;
  reg        [31:0]   links_same;
  reg        [2:0]    comes_sums_0_regNext;
  reg        [2:0]    comes_sums_1_regNext;
  reg        [2:0]    comes_sums_2_regNext;
  reg        [2:0]    comes_sums_3_regNext;
  reg        [2:0]    comes_sums_4_regNext;
  reg        [1:0]    comes_sums_5_regNext;
  wire       [5:0]    links_own;
  wire       [6:0]    links_most;
  wire                links_goes;
  wire       [31:0]   links_found;
  wire                _zz_links_last;
  wire                _zz_links_last_1;
  wire                _zz_links_last_2;
  wire                _zz_links_last_3;
  wire                _zz_links_last_4;
  wire                _zz_links_last_5;
  wire                _zz_links_last_6;
  wire                _zz_links_last_7;
  wire                _zz_links_last_8;
  wire                _zz_links_last_9;
  wire                _zz_links_last_10;
  wire                _zz_links_last_11;
  wire                _zz_links_last_12;
  wire                _zz_links_last_13;
  wire                _zz_links_last_14;
  wire                _zz_links_last_15;
  wire                _zz_links_last_16;
  wire                _zz_links_last_17;
  wire                _zz_links_last_18;
  wire                _zz_links_last_19;
  wire                _zz_links_last_20;
  wire                _zz_links_last_21;
  wire                _zz_links_last_22;
  wire                _zz_links_last_23;
  wire                _zz_links_last_24;
  wire                _zz_links_last_25;
  wire                _zz_links_last_26;
  wire                _zz_links_last_27;
  wire                _zz_links_last_28;
  wire                _zz_links_last_29;
  wire                _zz_links_last_30;
  wire       [4:0]    links_last;
  wire                links_over;
  wire                links_joins;
  wire                links_begins;
  wire       [31:0]   links_noMore;
  wire       [31:0]   links_becomes;
  reg                 exits_0_shown_valid;
  reg        [4:0]    exits_0_shown_payload;
  wire                exits_0_empties;
  reg                 exits_0_again_valid;
  reg        [4:0]    exits_0_again_payload;
  wire                exits_0_fetches;
  wire                exits_0_ends;
  wire                exits_0_begins;
  wire                exits_0_nobody;
  wire                exits_0_passes;
  wire       [31:0]   came;
  wire       [31:0]   went;
  (* ram_style = "distributed" *) reg [4:0] behind [0:31];

  assign _zz_when = (io_comes_valid && exits_0_passes);
  assign _zz_links_own = ({1'b0,_zz_links_own_1} + {1'b0,_zz_links_own_2});
  assign _zz_links_own_1 = ({1'b0,comes_sums_0_regNext} + {1'b0,comes_sums_1_regNext});
  assign _zz_links_own_2 = ({1'b0,comes_sums_2_regNext} + {1'b0,comes_sums_3_regNext});
  assign _zz_links_own_4 = {1'b0,_zz_links_own_5};
  assign _zz_links_own_3 = {1'd0, _zz_links_own_4};
  assign _zz_links_own_5 = ({1'b0,comes_sums_4_regNext} + _zz_links_own_6);
  assign _zz_links_own_7 = {1'b0,comes_sums_5_regNext};
  assign _zz_links_own_6 = {1'd0, _zz_links_own_7};
  assign _zz_io_refused = {1'd0, links_own};
  assign _zz_links_becomes = (32'h00000001 <<< links_p_slot);
  assign _zz_came = (32'h00000001 <<< io_comes_payload_slot);
  assign _zz_went = (32'h00000001 <<< io_gone_payload);
  assign _zz_held = (32'h00000001 <<< links_p_slot);
  assign _zz_free = (_zz_free_1 + _zz_free_4);
  assign _zz_free_1 = (free - _zz_free_2);
  assign _zz_free_3 = io_comes_valid;
  assign _zz_free_2 = {5'd0, _zz_free_3};
  assign _zz_free_5 = io_gone_valid;
  assign _zz_free_4 = {5'd0, _zz_free_5};
  assign _zz_free_7 = io_refused;
  assign _zz_free_6 = {5'd0, _zz_free_7};
  assign _zz_lasts = (32'h00000001 <<< exits_0_queue_io_pop_payload);
  assign _zz_behind_port = links_p_slot;
  assign _zz_behind_port_1 = (links_goes && links_joins);
  assign _zz_comes_sums_0_10 = {_zz_comes_sums_0[2],{_zz_comes_sums_0[1],_zz_comes_sums_0[0]}};
  assign _zz_comes_sums_0_12 = {_zz_comes_sums_0[5],{_zz_comes_sums_0[4],_zz_comes_sums_0[3]}};
  assign _zz_comes_sums_1_9 = {_zz_comes_sums_0[8],{_zz_comes_sums_0[7],_zz_comes_sums_0[6]}};
  assign _zz_comes_sums_1_11 = {_zz_comes_sums_0[11],{_zz_comes_sums_0[10],_zz_comes_sums_0[9]}};
  assign _zz_comes_sums_2_9 = {_zz_comes_sums_0[14],{_zz_comes_sums_0[13],_zz_comes_sums_0[12]}};
  assign _zz_comes_sums_2_11 = {_zz_comes_sums_0[17],{_zz_comes_sums_0[16],_zz_comes_sums_0[15]}};
  assign _zz_comes_sums_3_9 = {_zz_comes_sums_0[20],{_zz_comes_sums_0[19],_zz_comes_sums_0[18]}};
  assign _zz_comes_sums_3_11 = {_zz_comes_sums_0[23],{_zz_comes_sums_0[22],_zz_comes_sums_0[21]}};
  assign _zz_comes_sums_4_9 = {_zz_comes_sums_0[26],{_zz_comes_sums_0[25],_zz_comes_sums_0[24]}};
  assign _zz_comes_sums_4_11 = {_zz_comes_sums_0[29],{_zz_comes_sums_0[28],_zz_comes_sums_0[27]}};
  assign _zz_comes_sums_5_1 = {_zz_comes_sums_0[31],_zz_comes_sums_0[30]};
  assign _zz_comes_same = (owners_25 == io_comes_payload_share);
  assign _zz_comes_same_1 = (owners_24 == io_comes_payload_share);
  assign _zz_comes_same_2 = {(owners_23 == io_comes_payload_share),{(owners_22 == io_comes_payload_share),{(owners_21 == io_comes_payload_share),{(owners_20 == io_comes_payload_share),{(owners_19 == io_comes_payload_share),{(owners_18 == io_comes_payload_share),{_zz_comes_same_3,{_zz_comes_same_4,_zz_comes_same_5}}}}}}}};
  assign _zz_comes_same_3 = (owners_17 == io_comes_payload_share);
  assign _zz_comes_same_4 = (owners_16 == io_comes_payload_share);
  assign _zz_comes_same_5 = {(owners_15 == io_comes_payload_share),{(owners_14 == io_comes_payload_share),{(owners_13 == io_comes_payload_share),{(owners_12 == io_comes_payload_share),{(owners_11 == io_comes_payload_share),{(owners_10 == io_comes_payload_share),{_zz_comes_same_6,{_zz_comes_same_7,_zz_comes_same_8}}}}}}}};
  assign _zz_comes_same_6 = (owners_9 == io_comes_payload_share);
  assign _zz_comes_same_7 = (owners_8 == io_comes_payload_share);
  assign _zz_comes_same_8 = {(owners_7 == io_comes_payload_share),{(owners_6 == io_comes_payload_share),{(owners_5 == io_comes_payload_share),{(owners_4 == io_comes_payload_share),{(owners_3 == io_comes_payload_share),{(owners_2 == io_comes_payload_share),{(owners_1 == io_comes_payload_share),(owners_0 == io_comes_payload_share)}}}}}}};
  always @(posedge clk) begin
    if(_zz_behind_port_1) begin
      behind[links_last] <= _zz_behind_port;
    end
  end

  assign behind_spinal_port1 = behind[exits_0_queue_io_pop_payload];
  StreamFifo exits_0_queue (
    .io_push_valid   (exits_0_queue_io_push_valid       ), //i
    .io_push_ready   (exits_0_queue_io_push_ready       ), //o
    .io_push_payload (exits_0_queue_io_push_payload[4:0]), //i
    .io_pop_valid    (exits_0_queue_io_pop_valid        ), //o
    .io_pop_ready    (exits_0_queue_io_pop_ready        ), //i
    .io_pop_payload  (exits_0_queue_io_pop_payload[4:0] ), //o
    .io_flush        (1'b0                              ), //i
    .clk             (clk                               ), //i
    .reset           (reset                             )  //i
  );
  always @(*) begin
    case(_zz_comes_sums_0_10)
      3'b000 : _zz_comes_sums_0_9 = _zz_comes_sums_0_1;
      3'b001 : _zz_comes_sums_0_9 = _zz_comes_sums_0_2;
      3'b010 : _zz_comes_sums_0_9 = _zz_comes_sums_0_3;
      3'b011 : _zz_comes_sums_0_9 = _zz_comes_sums_0_4;
      3'b100 : _zz_comes_sums_0_9 = _zz_comes_sums_0_5;
      3'b101 : _zz_comes_sums_0_9 = _zz_comes_sums_0_6;
      3'b110 : _zz_comes_sums_0_9 = _zz_comes_sums_0_7;
      default : _zz_comes_sums_0_9 = _zz_comes_sums_0_8;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_0_12)
      3'b000 : _zz_comes_sums_0_11 = _zz_comes_sums_0_1;
      3'b001 : _zz_comes_sums_0_11 = _zz_comes_sums_0_2;
      3'b010 : _zz_comes_sums_0_11 = _zz_comes_sums_0_3;
      3'b011 : _zz_comes_sums_0_11 = _zz_comes_sums_0_4;
      3'b100 : _zz_comes_sums_0_11 = _zz_comes_sums_0_5;
      3'b101 : _zz_comes_sums_0_11 = _zz_comes_sums_0_6;
      3'b110 : _zz_comes_sums_0_11 = _zz_comes_sums_0_7;
      default : _zz_comes_sums_0_11 = _zz_comes_sums_0_8;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_1_9)
      3'b000 : _zz_comes_sums_1_8 = _zz_comes_sums_1;
      3'b001 : _zz_comes_sums_1_8 = _zz_comes_sums_1_1;
      3'b010 : _zz_comes_sums_1_8 = _zz_comes_sums_1_2;
      3'b011 : _zz_comes_sums_1_8 = _zz_comes_sums_1_3;
      3'b100 : _zz_comes_sums_1_8 = _zz_comes_sums_1_4;
      3'b101 : _zz_comes_sums_1_8 = _zz_comes_sums_1_5;
      3'b110 : _zz_comes_sums_1_8 = _zz_comes_sums_1_6;
      default : _zz_comes_sums_1_8 = _zz_comes_sums_1_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_1_11)
      3'b000 : _zz_comes_sums_1_10 = _zz_comes_sums_1;
      3'b001 : _zz_comes_sums_1_10 = _zz_comes_sums_1_1;
      3'b010 : _zz_comes_sums_1_10 = _zz_comes_sums_1_2;
      3'b011 : _zz_comes_sums_1_10 = _zz_comes_sums_1_3;
      3'b100 : _zz_comes_sums_1_10 = _zz_comes_sums_1_4;
      3'b101 : _zz_comes_sums_1_10 = _zz_comes_sums_1_5;
      3'b110 : _zz_comes_sums_1_10 = _zz_comes_sums_1_6;
      default : _zz_comes_sums_1_10 = _zz_comes_sums_1_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_2_9)
      3'b000 : _zz_comes_sums_2_8 = _zz_comes_sums_2;
      3'b001 : _zz_comes_sums_2_8 = _zz_comes_sums_2_1;
      3'b010 : _zz_comes_sums_2_8 = _zz_comes_sums_2_2;
      3'b011 : _zz_comes_sums_2_8 = _zz_comes_sums_2_3;
      3'b100 : _zz_comes_sums_2_8 = _zz_comes_sums_2_4;
      3'b101 : _zz_comes_sums_2_8 = _zz_comes_sums_2_5;
      3'b110 : _zz_comes_sums_2_8 = _zz_comes_sums_2_6;
      default : _zz_comes_sums_2_8 = _zz_comes_sums_2_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_2_11)
      3'b000 : _zz_comes_sums_2_10 = _zz_comes_sums_2;
      3'b001 : _zz_comes_sums_2_10 = _zz_comes_sums_2_1;
      3'b010 : _zz_comes_sums_2_10 = _zz_comes_sums_2_2;
      3'b011 : _zz_comes_sums_2_10 = _zz_comes_sums_2_3;
      3'b100 : _zz_comes_sums_2_10 = _zz_comes_sums_2_4;
      3'b101 : _zz_comes_sums_2_10 = _zz_comes_sums_2_5;
      3'b110 : _zz_comes_sums_2_10 = _zz_comes_sums_2_6;
      default : _zz_comes_sums_2_10 = _zz_comes_sums_2_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_3_9)
      3'b000 : _zz_comes_sums_3_8 = _zz_comes_sums_3;
      3'b001 : _zz_comes_sums_3_8 = _zz_comes_sums_3_1;
      3'b010 : _zz_comes_sums_3_8 = _zz_comes_sums_3_2;
      3'b011 : _zz_comes_sums_3_8 = _zz_comes_sums_3_3;
      3'b100 : _zz_comes_sums_3_8 = _zz_comes_sums_3_4;
      3'b101 : _zz_comes_sums_3_8 = _zz_comes_sums_3_5;
      3'b110 : _zz_comes_sums_3_8 = _zz_comes_sums_3_6;
      default : _zz_comes_sums_3_8 = _zz_comes_sums_3_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_3_11)
      3'b000 : _zz_comes_sums_3_10 = _zz_comes_sums_3;
      3'b001 : _zz_comes_sums_3_10 = _zz_comes_sums_3_1;
      3'b010 : _zz_comes_sums_3_10 = _zz_comes_sums_3_2;
      3'b011 : _zz_comes_sums_3_10 = _zz_comes_sums_3_3;
      3'b100 : _zz_comes_sums_3_10 = _zz_comes_sums_3_4;
      3'b101 : _zz_comes_sums_3_10 = _zz_comes_sums_3_5;
      3'b110 : _zz_comes_sums_3_10 = _zz_comes_sums_3_6;
      default : _zz_comes_sums_3_10 = _zz_comes_sums_3_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_4_9)
      3'b000 : _zz_comes_sums_4_8 = _zz_comes_sums_4;
      3'b001 : _zz_comes_sums_4_8 = _zz_comes_sums_4_1;
      3'b010 : _zz_comes_sums_4_8 = _zz_comes_sums_4_2;
      3'b011 : _zz_comes_sums_4_8 = _zz_comes_sums_4_3;
      3'b100 : _zz_comes_sums_4_8 = _zz_comes_sums_4_4;
      3'b101 : _zz_comes_sums_4_8 = _zz_comes_sums_4_5;
      3'b110 : _zz_comes_sums_4_8 = _zz_comes_sums_4_6;
      default : _zz_comes_sums_4_8 = _zz_comes_sums_4_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_4_11)
      3'b000 : _zz_comes_sums_4_10 = _zz_comes_sums_4;
      3'b001 : _zz_comes_sums_4_10 = _zz_comes_sums_4_1;
      3'b010 : _zz_comes_sums_4_10 = _zz_comes_sums_4_2;
      3'b011 : _zz_comes_sums_4_10 = _zz_comes_sums_4_3;
      3'b100 : _zz_comes_sums_4_10 = _zz_comes_sums_4_4;
      3'b101 : _zz_comes_sums_4_10 = _zz_comes_sums_4_5;
      3'b110 : _zz_comes_sums_4_10 = _zz_comes_sums_4_6;
      default : _zz_comes_sums_4_10 = _zz_comes_sums_4_7;
    endcase
  end

  always @(*) begin
    case(_zz_comes_sums_5_1)
      2'b00 : _zz_comes_sums_5 = 2'b00;
      2'b01 : _zz_comes_sums_5 = 2'b01;
      2'b10 : _zz_comes_sums_5 = 2'b01;
      default : _zz_comes_sums_5 = 2'b10;
    endcase
  end

  assign comes_same = {(owners_31 == io_comes_payload_share),{(owners_30 == io_comes_payload_share),{(owners_29 == io_comes_payload_share),{(owners_28 == io_comes_payload_share),{(owners_27 == io_comes_payload_share),{(owners_26 == io_comes_payload_share),{_zz_comes_same,{_zz_comes_same_1,_zz_comes_same_2}}}}}}}};
  assign _zz_comes_sums_0 = (comes_same & held);
  assign _zz_comes_sums_0_1 = 3'b000;
  assign _zz_comes_sums_0_2 = 3'b001;
  assign _zz_comes_sums_0_3 = 3'b001;
  assign _zz_comes_sums_0_4 = 3'b010;
  assign _zz_comes_sums_0_5 = 3'b001;
  assign _zz_comes_sums_0_6 = 3'b010;
  assign _zz_comes_sums_0_7 = 3'b010;
  assign _zz_comes_sums_0_8 = 3'b011;
  assign comes_sums_0 = (_zz_comes_sums_0_9 + _zz_comes_sums_0_11);
  assign _zz_comes_sums_1 = 3'b000;
  assign _zz_comes_sums_1_1 = 3'b001;
  assign _zz_comes_sums_1_2 = 3'b001;
  assign _zz_comes_sums_1_3 = 3'b010;
  assign _zz_comes_sums_1_4 = 3'b001;
  assign _zz_comes_sums_1_5 = 3'b010;
  assign _zz_comes_sums_1_6 = 3'b010;
  assign _zz_comes_sums_1_7 = 3'b011;
  assign comes_sums_1 = (_zz_comes_sums_1_8 + _zz_comes_sums_1_10);
  assign _zz_comes_sums_2 = 3'b000;
  assign _zz_comes_sums_2_1 = 3'b001;
  assign _zz_comes_sums_2_2 = 3'b001;
  assign _zz_comes_sums_2_3 = 3'b010;
  assign _zz_comes_sums_2_4 = 3'b001;
  assign _zz_comes_sums_2_5 = 3'b010;
  assign _zz_comes_sums_2_6 = 3'b010;
  assign _zz_comes_sums_2_7 = 3'b011;
  assign comes_sums_2 = (_zz_comes_sums_2_8 + _zz_comes_sums_2_10);
  assign _zz_comes_sums_3 = 3'b000;
  assign _zz_comes_sums_3_1 = 3'b001;
  assign _zz_comes_sums_3_2 = 3'b001;
  assign _zz_comes_sums_3_3 = 3'b010;
  assign _zz_comes_sums_3_4 = 3'b001;
  assign _zz_comes_sums_3_5 = 3'b010;
  assign _zz_comes_sums_3_6 = 3'b010;
  assign _zz_comes_sums_3_7 = 3'b011;
  assign comes_sums_3 = (_zz_comes_sums_3_8 + _zz_comes_sums_3_10);
  assign _zz_comes_sums_4 = 3'b000;
  assign _zz_comes_sums_4_1 = 3'b001;
  assign _zz_comes_sums_4_2 = 3'b001;
  assign _zz_comes_sums_4_3 = 3'b010;
  assign _zz_comes_sums_4_4 = 3'b001;
  assign _zz_comes_sums_4_5 = 3'b010;
  assign _zz_comes_sums_4_6 = 3'b010;
  assign _zz_comes_sums_4_7 = 3'b011;
  assign comes_sums_4 = (_zz_comes_sums_4_8 + _zz_comes_sums_4_10);
  assign comes_sums_5 = _zz_comes_sums_5;
  assign links_own = ({1'b0,_zz_links_own} + _zz_links_own_3);
  assign links_most = {free,1'b0};
  assign io_refused = ((links_valid && (links_most < _zz_io_refused)) && 1'b1);
  assign links_goes = (links_valid && (! io_refused));
  assign links_found = (lasts & links_same);
  assign _zz_links_last = links_found[3];
  assign _zz_links_last_1 = links_found[5];
  assign _zz_links_last_2 = links_found[6];
  assign _zz_links_last_3 = links_found[7];
  assign _zz_links_last_4 = links_found[9];
  assign _zz_links_last_5 = links_found[10];
  assign _zz_links_last_6 = links_found[11];
  assign _zz_links_last_7 = links_found[12];
  assign _zz_links_last_8 = links_found[13];
  assign _zz_links_last_9 = links_found[14];
  assign _zz_links_last_10 = links_found[15];
  assign _zz_links_last_11 = links_found[17];
  assign _zz_links_last_12 = links_found[18];
  assign _zz_links_last_13 = links_found[19];
  assign _zz_links_last_14 = links_found[20];
  assign _zz_links_last_15 = links_found[21];
  assign _zz_links_last_16 = links_found[22];
  assign _zz_links_last_17 = links_found[23];
  assign _zz_links_last_18 = links_found[24];
  assign _zz_links_last_19 = links_found[25];
  assign _zz_links_last_20 = links_found[26];
  assign _zz_links_last_21 = links_found[27];
  assign _zz_links_last_22 = links_found[28];
  assign _zz_links_last_23 = links_found[29];
  assign _zz_links_last_24 = links_found[30];
  assign _zz_links_last_25 = links_found[31];
  assign _zz_links_last_26 = (((((((((((((((links_found[1] || _zz_links_last) || _zz_links_last_1) || _zz_links_last_3) || _zz_links_last_4) || _zz_links_last_6) || _zz_links_last_8) || _zz_links_last_10) || _zz_links_last_11) || _zz_links_last_13) || _zz_links_last_15) || _zz_links_last_17) || _zz_links_last_19) || _zz_links_last_21) || _zz_links_last_23) || _zz_links_last_25);
  assign _zz_links_last_27 = (((((((((((((((links_found[2] || _zz_links_last) || _zz_links_last_2) || _zz_links_last_3) || _zz_links_last_5) || _zz_links_last_6) || _zz_links_last_9) || _zz_links_last_10) || _zz_links_last_12) || _zz_links_last_13) || _zz_links_last_16) || _zz_links_last_17) || _zz_links_last_20) || _zz_links_last_21) || _zz_links_last_24) || _zz_links_last_25);
  assign _zz_links_last_28 = (((((((((((((((links_found[4] || _zz_links_last_1) || _zz_links_last_2) || _zz_links_last_3) || _zz_links_last_7) || _zz_links_last_8) || _zz_links_last_9) || _zz_links_last_10) || _zz_links_last_14) || _zz_links_last_15) || _zz_links_last_16) || _zz_links_last_17) || _zz_links_last_22) || _zz_links_last_23) || _zz_links_last_24) || _zz_links_last_25);
  assign _zz_links_last_29 = (((((((((((((((links_found[8] || _zz_links_last_4) || _zz_links_last_5) || _zz_links_last_6) || _zz_links_last_7) || _zz_links_last_8) || _zz_links_last_9) || _zz_links_last_10) || _zz_links_last_18) || _zz_links_last_19) || _zz_links_last_20) || _zz_links_last_21) || _zz_links_last_22) || _zz_links_last_23) || _zz_links_last_24) || _zz_links_last_25);
  assign _zz_links_last_30 = (((((((((((((((links_found[16] || _zz_links_last_11) || _zz_links_last_12) || _zz_links_last_13) || _zz_links_last_14) || _zz_links_last_15) || _zz_links_last_16) || _zz_links_last_17) || _zz_links_last_18) || _zz_links_last_19) || _zz_links_last_20) || _zz_links_last_21) || _zz_links_last_22) || _zz_links_last_23) || _zz_links_last_24) || _zz_links_last_25);
  assign links_last = {_zz_links_last_30,{_zz_links_last_29,{_zz_links_last_28,{_zz_links_last_27,_zz_links_last_26}}}};
  assign links_joins = ((|links_found) && (! links_over));
  assign links_begins = (links_goes && (! links_joins));
  assign links_noMore = ((links_goes && 1'b1) ? links_found : 32'h0);
  assign links_becomes = (links_goes ? _zz_links_becomes : 32'h0);
  assign io_leaves_0_valid = exits_0_shown_valid;
  assign io_leaves_0_payload = exits_0_shown_payload;
  assign exits_0_empties = ((! exits_0_shown_valid) || io_leaves_0_ready);
  assign exits_0_fetches = ((exits_0_empties && exits_0_queue_io_pop_valid) && (! exits_0_again_valid));
  assign exits_0_ends = (exits_0_fetches && lasts[exits_0_queue_io_pop_payload]);
  assign exits_0_begins = (links_begins && (1'b0 == 1'b0));
  assign exits_0_queue_io_pop_ready = (exits_0_empties && (! exits_0_again_valid));
  assign exits_0_queue_io_push_valid = (exits_0_begins || exits_0_again_valid);
  assign exits_0_queue_io_push_payload = (exits_0_begins ? links_p_slot : exits_0_again_payload);
  assign exits_0_nobody = (((! exits_0_queue_io_pop_valid) && (! exits_0_again_valid)) && (! (links_valid && (1'b0 == 1'b0))));
  assign exits_0_passes = ((exits_0_empties && exits_0_nobody) && (1'b0 == 1'b0));
  assign comes_passes = (|exits_0_passes);
  assign links_over = (|(exits_0_ends && (exits_0_queue_io_pop_payload == links_last)));
  assign came = (io_comes_valid ? _zz_came : 32'h0);
  assign went = (io_gone_valid ? _zz_went : 32'h0);
  always @(posedge clk) begin
    if(reset) begin
      held <= 32'h0;
      lasts <= 32'h0;
      free <= 6'h20;
      links_valid <= 1'b0;
      exits_0_shown_valid <= 1'b0;
      exits_0_again_valid <= 1'b0;
    end else begin
      links_valid <= (io_comes_valid && (! comes_passes));
      if((! exits_0_begins)) begin
        exits_0_again_valid <= 1'b0;
      end
      if(exits_0_fetches) begin
        exits_0_again_valid <= (! exits_0_ends);
      end
      if(io_leaves_0_ready) begin
        exits_0_shown_valid <= 1'b0;
      end
      if(exits_0_fetches) begin
        exits_0_shown_valid <= 1'b1;
      end
      if(_zz_when) begin
        exits_0_shown_valid <= 1'b1;
      end
      held <= (((held | came) & (~ went)) & (~ (io_refused ? _zz_held : 32'h0)));
      free <= (_zz_free + _zz_free_6);
      lasts <= (((lasts & (~ links_noMore)) & (~ (exits_0_ends ? _zz_lasts : 32'h0))) | links_becomes);
    end
  end

  always @(posedge clk) begin
    if((io_comes_valid && (io_comes_payload_slot == 5'h0))) begin
      owners_0 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h01))) begin
      owners_1 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h02))) begin
      owners_2 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h03))) begin
      owners_3 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h04))) begin
      owners_4 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h05))) begin
      owners_5 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h06))) begin
      owners_6 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h07))) begin
      owners_7 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h08))) begin
      owners_8 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h09))) begin
      owners_9 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0a))) begin
      owners_10 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0b))) begin
      owners_11 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0c))) begin
      owners_12 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0d))) begin
      owners_13 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0e))) begin
      owners_14 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h0f))) begin
      owners_15 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h10))) begin
      owners_16 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h11))) begin
      owners_17 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h12))) begin
      owners_18 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h13))) begin
      owners_19 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h14))) begin
      owners_20 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h15))) begin
      owners_21 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h16))) begin
      owners_22 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h17))) begin
      owners_23 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h18))) begin
      owners_24 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h19))) begin
      owners_25 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1a))) begin
      owners_26 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1b))) begin
      owners_27 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1c))) begin
      owners_28 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1d))) begin
      owners_29 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1e))) begin
      owners_30 <= io_comes_payload_share;
    end
    if((io_comes_valid && (io_comes_payload_slot == 5'h1f))) begin
      owners_31 <= io_comes_payload_share;
    end
    links_p_slot <= io_comes_payload_slot;
    links_same <= comes_same;
    comes_sums_0_regNext <= comes_sums_0;
    comes_sums_1_regNext <= comes_sums_1;
    comes_sums_2_regNext <= comes_sums_2;
    comes_sums_3_regNext <= comes_sums_3;
    comes_sums_4_regNext <= comes_sums_4;
    comes_sums_5_regNext <= comes_sums_5;
    if(exits_0_fetches) begin
      exits_0_again_payload <= behind_spinal_port1;
    end
    if(exits_0_fetches) begin
      exits_0_shown_payload <= exits_0_queue_io_pop_payload;
    end
    if(_zz_when) begin
      exits_0_shown_payload <= io_comes_payload_slot;
    end
  end


endmodule

module IcrcRegister (
  input  wire          io_beats_valid,
  input  wire [511:0]  io_beats_payload_data,
  input  wire          io_beats_payload_first,
  output wire [31:0]   io_sums_payload,
  input  wire          clk,
  input  wire          reset
);

  reg                 share_valid;
  reg                 share_first;
  reg        [31:0]   _zz_share_value;
  reg        [31:0]   share_value;
  reg        [31:0]   register_1;
  reg        [31:0]   _zz_register;

  always @(*) begin
    _zz_share_value[0] = (^(io_beats_payload_data & 512'h04d101df481b4e5af182fa07eb46de2f17830a34c6f00657cee3d50174482112a998da2757f68d2fc30eedb88e65954877971b956500d811d04d951be5fe1c77));
    _zz_share_value[1] = (^(io_beats_payload_data & 512'h09a203be90369cb5e305f40fd68dbc5e2f0614698de00caf9dc7aa02e89042255331b44eafed1a5f861ddb711ccb2a90ef2e372aca01b023a09b2a37cbfc38ee));
    _zz_share_value[2] = (^(io_beats_payload_data & 512'h1344077d206d396bc60be81fad1b78bc5e0c28d31bc0195f3b8f5405d120844aa663689d5fda34bf0c3bb6e239965521de5c6e55940360474136546f97f871dd));
    _zz_share_value[3] = (^(io_beats_payload_data & 512'h26880efa40da72d78c17d03f5a36f178bc1851a6378032be771ea80ba24108954cc6d13abfb4697e18776dc4732caa43bcb8dcab2806c08e826ca8df2ff0e3ba));
    _zz_share_value[4] = (^(io_beats_payload_data & 512'h4d101df481b4e5af182fa07eb46de2f17830a34c6f00657cee3d50174482112a998da2757f68d2fc30eedb88e65954877971b956500d811d04d951be5fe1c775));
    _zz_share_value[5] = (^(io_beats_payload_data & 512'h9a203be90369cb5e305f40fd68dbc5e2f0614698de00caf9dc7aa02e89042255331b44eafed1a5f861ddb711ccb2a90ef2e372aca01b023a09b2a37cbfc38eea));
    _zz_share_value[6] = (^(io_beats_payload_data & 512'h3091760d4ec8d8e6913c7bfd3af155eaf74187057af193a47616955c664065b8cfae53f2aa55c6df00b5839b1700c7559251fecc2536dc65c328d3e29a7901a2));
    _zz_share_value[7] = (^(io_beats_payload_data & 512'h6122ec1a9d91b1cd2278f7fa75e2abd5ee830e0af5e32748ec2d2ab8cc80cb719f5ca7e554ab8dbe016b07362e018eab24a3fd984a6db8cb8651a7c534f20345));
    _zz_share_value[8] = (^(io_beats_payload_data & 512'hc245d8353b23639a44f1eff4ebc557abdd061c15ebc64e91d85a5571990196e33eb94fcaa9571b7c02d60e6c5c031d564947fb3094db71970ca34f8a69e4068b));
    _zz_share_value[9] = (^(io_beats_payload_data & 512'h805ab1b53e5d896e786125ee3ccc7178ad8f321f117c9b747e577fe2464b0cd4d4ea45b20558bbd7c6a2f1603663afe4e518edf44cb63b3fc90b0a0f36361160));
    _zz_share_value[10] = (^(io_beats_payload_data & 512'h046462b534a05c860140b1db92de3cde4c9d6e0ae40930bf324d2ac5f8de38bb004c51435d47fa804e4b0f78e2a2ca81bda6c07dfc6cae6e425b810589923eb7));
    _zz_share_value[11] = (^(io_beats_payload_data & 512'h08c8c56a6940b90c028163b725bc79bc993adc15c812617e649a558bf1bc71760098a286ba8ff5009c961ef1c54595037b4d80fbf8d95cdc84b7020b13247d6f));
    _zz_share_value[12] = (^(io_beats_payload_data & 512'h11918ad4d28172180502c76e4b78f3793275b82b9024c2fcc934ab17e378e2ec0131450d751fea01392c3de38a8b2a06f69b01f7f1b2b9b9096e04162648fade));
    _zz_share_value[13] = (^(io_beats_payload_data & 512'h232315a9a502e4300a058edc96f1e6f264eb7057204985f99269562fc6f1c5d802628a1aea3fd40272587bc71516540ded3603efe365737212dc082c4c91f5bd));
    _zz_share_value[14] = (^(io_beats_payload_data & 512'h46462b534a05c860140b1db92de3cde4c9d6e0ae40930bf324d2ac5f8de38bb004c51435d47fa804e4b0f78e2a2ca81bda6c07dfc6cae6e425b810589923eb7a));
    _zz_share_value[15] = (^(io_beats_payload_data & 512'h8c8c56a6940b90c028163b725bc79bc993adc15c812617e649a558bf1bc71760098a286ba8ff5009c961ef1c54595037b4d80fbf8d95cdc84b7020b13247d6f4));
    _zz_share_value[16] = (^(io_beats_payload_data & 512'h1dc9ac92600c6fdaa1ae8ce35cc9e9bc30d8888dc4bc299b5da9647f43c60fd2ba8c8af006082d3c51cd338026d735271e2704ea7e2b438146add4798171b19f));
    _zz_share_value[17] = (^(io_beats_payload_data & 512'h3b935924c018dfb5435d19c6b993d37861b1111b89785336bb52c8fe878c1fa5751915e00c105a78a39a67004dae6a4e3c4e09d4fc5687028d5ba8f302e3633e));
    _zz_share_value[18] = (^(io_beats_payload_data & 512'h7726b2498031bf6a86ba338d7327a6f0c362223712f0a66d76a591fd0f183f4aea322bc01820b4f14734ce009b5cd49c789c13a9f8ad0e051ab751e605c6c67d));
    _zz_share_value[19] = (^(io_beats_payload_data & 512'hee4d649300637ed50d74671ae64f4de186c4446e25e14cdaed4b23fa1e307e95d4645780304169e28e699c0136b9a938f1382753f15a1c0a356ea3cc0b8d8cfa));
    _zz_share_value[20] = (^(io_beats_payload_data & 512'hd84bc8f948ddb3f0eb6a343227d845ec1a0b82e88d329fe2147592f54828dc390150752737745eeadfddd5bae316c73995e7553287b4e005ba90d283f2e50583));
    _zz_share_value[21] = (^(io_beats_payload_data & 512'hb446902dd9a029bb27569263a4f655f723940fe5dc953993e608f0ebe4199960ab383069391e30fa7cb546cd48481b3b5c59b1f06a69181aa56c301c00341771));
    _zz_share_value[22] = (^(io_beats_payload_data & 512'h6c5c2184fb5b1d2cbf2fdec0a2aa75c150ab15ff7fda757002f234d6bc7b13d3ffe8baf525caecdb3a6460221ef5a33ecf247875b1d2e8249a95f523e5963294));
    _zz_share_value[23] = (^(io_beats_payload_data & 512'hd8b84309f6b63a597e5fbd814554eb82a1562bfeffb4eae005e469ad78f627a7ffd175ea4b95d9b674c8c0443deb467d9e48f0eb63a5d049352bea47cb2c6528));
    _zz_share_value[24] = (^(io_beats_payload_data & 512'hb5a187cca5773ae80d3d810561ef092a552f5dc93999d397c52b065b85a46e5d563a31f3c0dd3e432a9f6d30f5b319b34b06fa43a24b7883ba1a419473a6d627));
    _zz_share_value[25] = (^(io_beats_payload_data & 512'h6f920e4602f53b8aebf9f80d2898cc7bbdddb1a6b5c3a17844b5d9b67f00fda805ecb9c0d64cf1a9963037d96503a62ee19aef1221962916a479163302b3b039));
    _zz_share_value[26] = (^(io_beats_payload_data & 512'hdf241c8c05ea7715d7f3f01a513198f77bbb634d6b8742f0896bb36cfe01fb500bd97381ac99e3532c606fb2ca074c5dc335de24432c522d48f22c6605676073));
    _zz_share_value[27] = (^(io_beats_payload_data & 512'hba9938c743cfa0715e651a334925efc1e0f5ccae11fe83b6dc34b3d8884bd7b2be2a3d240ec54b899bce32dd1a6b0df3f1fca7dde3587c4b41a9cdd7ef30dc91));
    _zz_share_value[28] = (^(io_beats_payload_data & 512'h71e37051cf840eb84d48ce61790d01acd6689368e50d013a768ab2b064df8e77d5cca06f4a7c1a3cf4928802bab38eaf946e542ea3b02087531e0eb43b9fa554));
    _zz_share_value[29] = (^(io_beats_payload_data & 512'he3c6e0a39f081d709a919cc2f21a0359acd126d1ca1a0274ed156560c9bf1cefab9940de94f83479e925100575671d5f28dca85d4760410ea63c1d68773f4aa8));
    _zz_share_value[30] = (^(io_beats_payload_data & 512'hc35cc098760b74bbc4a1c3820f72d89c4e21479752c402be14c91fc0e73618cdfeaa5b9a7e06e5dc1144cdb264abaff6262e4b2febc05a0c9c35afcb0b808926));
    _zz_share_value[31] = (^(io_beats_payload_data & 512'h826880efa40da72d78c17d03f5a36f178bc1851a6378032be771ea80ba24108954cc6d13abfb4697e18776dc4732caa43bcb8dcab2806c08e826ca8df2ff0e3b));
  end

  always @(*) begin
    _zz_register[0] = (^(register_1 & 32'he5fe1c77));
    _zz_register[1] = (^(register_1 & 32'hcbfc38ee));
    _zz_register[2] = (^(register_1 & 32'h97f871dd));
    _zz_register[3] = (^(register_1 & 32'h2ff0e3ba));
    _zz_register[4] = (^(register_1 & 32'h5fe1c775));
    _zz_register[5] = (^(register_1 & 32'hbfc38eea));
    _zz_register[6] = (^(register_1 & 32'h9a7901a2));
    _zz_register[7] = (^(register_1 & 32'h34f20345));
    _zz_register[8] = (^(register_1 & 32'h69e4068b));
    _zz_register[9] = (^(register_1 & 32'h36361160));
    _zz_register[10] = (^(register_1 & 32'h89923eb7));
    _zz_register[11] = (^(register_1 & 32'h13247d6f));
    _zz_register[12] = (^(register_1 & 32'h2648fade));
    _zz_register[13] = (^(register_1 & 32'h4c91f5bd));
    _zz_register[14] = (^(register_1 & 32'h9923eb7a));
    _zz_register[15] = (^(register_1 & 32'h3247d6f4));
    _zz_register[16] = (^(register_1 & 32'h8171b19f));
    _zz_register[17] = (^(register_1 & 32'h02e3633e));
    _zz_register[18] = (^(register_1 & 32'h05c6c67d));
    _zz_register[19] = (^(register_1 & 32'h0b8d8cfa));
    _zz_register[20] = (^(register_1 & 32'hf2e50583));
    _zz_register[21] = (^(register_1 & 32'h00341771));
    _zz_register[22] = (^(register_1 & 32'he5963294));
    _zz_register[23] = (^(register_1 & 32'hcb2c6528));
    _zz_register[24] = (^(register_1 & 32'h73a6d627));
    _zz_register[25] = (^(register_1 & 32'h02b3b039));
    _zz_register[26] = (^(register_1 & 32'h05676073));
    _zz_register[27] = (^(register_1 & 32'hef30dc91));
    _zz_register[28] = (^(register_1 & 32'h3b9fa554));
    _zz_register[29] = (^(register_1 & 32'h773f4aa8));
    _zz_register[30] = (^(register_1 & 32'h0b808926));
    _zz_register[31] = (^(register_1 & 32'hf2ff0e3b));
  end

  assign io_sums_payload = register_1;
  always @(posedge clk) begin
    if(reset) begin
      share_valid <= 1'b0;
    end else begin
      share_valid <= io_beats_valid;
    end
  end

  always @(posedge clk) begin
    share_first <= io_beats_payload_first;
    if(io_beats_valid) begin
      share_value <= _zz_share_value;
    end
    if(share_valid) begin
      register_1 <= (share_value ^ (share_first ? 32'h39219de3 : _zz_register));
    end
  end


endmodule

module RoceOwners (
  input  wire          io_changes_valid,
  input  wire          io_changes_payload_valid,
  input  wire [23:0]   io_changes_payload_qpn,
  input  wire [31:0]   io_changes_payload_peerIp,
  input  wire [10:0]   io_changes_payload_share,
  input  wire          io_asked_valid,
  input  wire [23:0]   io_asked_payload,
  output wire          io_owner_valid,
  output wire [23:0]   io_owner_qpn,
  output wire [31:0]   io_owner_peerIp,
  output wire [10:0]   io_owner_share,
  output wire          io_ready,
  input  wire          clk,
  input  wire          reset
);

  reg        [67:0]   rows_spinal_port1;
  wire       [9:0]    _zz_rows_port;
  wire       [9:0]    _zz_rows_port_1;
  wire       [9:0]    _zz_rows_port_2;
  wire       [67:0]   _zz_rows_port_3;
  wire                _zz_rows_port_4;
  reg        [10:0]   sweep;
  reg                 written_valid;
  wire       [23:0]   written_qpn;
  wire       [31:0]   written_peerIp;
  wire       [10:0]   written_share;
  wire       [9:0]    _zz_io_owner_valid;
  wire       [67:0]   _zz_io_owner_valid_1;
  reg [67:0] rows [0:1023];

  assign _zz_rows_port_1 = io_changes_payload_qpn[9:0];
  assign _zz_rows_port_2 = sweep[9:0];
  assign _zz_rows_port = (io_ready ? _zz_rows_port_1 : _zz_rows_port_2);
  assign _zz_rows_port_3 = {written_share,{written_peerIp,{written_qpn,written_valid}}};
  assign _zz_rows_port_4 = (io_changes_valid || (! io_ready));
  always @(posedge clk) begin
    if(_zz_rows_port_4) begin
      rows[_zz_rows_port] <= _zz_rows_port_3;
    end
  end

  always @(posedge clk) begin
    if(io_asked_valid) begin
      rows_spinal_port1 <= rows[_zz_io_owner_valid];
    end
  end

  assign io_ready = (11'h400 <= sweep);
  always @(*) begin
    written_valid = io_changes_payload_valid;
    if((! io_ready)) begin
      written_valid = 1'b0;
    end
  end

  assign written_qpn = io_changes_payload_qpn;
  assign written_peerIp = io_changes_payload_peerIp;
  assign written_share = io_changes_payload_share;
  assign _zz_io_owner_valid = io_asked_payload[9:0];
  assign _zz_io_owner_valid_1 = rows_spinal_port1;
  assign io_owner_valid = _zz_io_owner_valid_1[0];
  assign io_owner_qpn = _zz_io_owner_valid_1[24 : 1];
  assign io_owner_peerIp = _zz_io_owner_valid_1[56 : 25];
  assign io_owner_share = _zz_io_owner_valid_1[67 : 57];
  always @(posedge clk) begin
    if(reset) begin
      sweep <= 11'h0;
    end else begin
      if((! io_ready)) begin
        sweep <= (sweep + 11'h001);
      end
    end
  end


endmodule

module RoceStore (
  input  wire          io_write_valid,
  input  wire [4:0]    io_write_payload_slot,
  input  wire [6:0]    io_write_payload_beat,
  input  wire [511:0]  io_written,
  input  wire          io_read_valid,
  input  wire [4:0]    io_read_payload_slot,
  input  wire [6:0]    io_read_payload_beat,
  output wire [511:0]  io_data,
  output wire          io_free_valid,
  input  wire          io_free_ready,
  output wire [4:0]    io_free_payload,
  input  wire          io_returns_0_valid,
  input  wire [4:0]    io_returns_0_payload,
  input  wire          io_returns_1_valid,
  input  wire [4:0]    io_returns_1_payload,
  input  wire          clk,
  input  wire          reset
);

  reg        [511:0]  memory_spinal_port1;
  wire                places_io_free_valid;
  wire       [4:0]    places_io_free_payload;
  wire       [11:0]   _zz_memory_port;
  wire       [11:0]   _zz_memory_port_1;
  wire       [5:0]    _zz_memory_port_2;
  wire       [11:0]   _zz_memory_port_3;
  wire       [10:0]   _zz_memory_port_4;
  wire       [11:0]   _zz__zz_io_data;
  wire       [5:0]    _zz__zz_io_data_1;
  wire       [11:0]   _zz__zz_io_data_2;
  wire       [10:0]   _zz__zz_io_data_3;
  wire       [11:0]   _zz_io_data;
  (* ram_style = "ultra" *) reg [511:0] memory [0:2111];

  assign _zz_memory_port_2 = {io_write_payload_slot,io_write_payload_beat[0]};
  assign _zz_memory_port_1 = {6'd0, _zz_memory_port_2};
  assign _zz_memory_port_4 = {io_write_payload_slot,io_write_payload_beat[5 : 0]};
  assign _zz_memory_port_3 = {1'd0, _zz_memory_port_4};
  assign _zz__zz_io_data_1 = {io_read_payload_slot,io_read_payload_beat[0]};
  assign _zz__zz_io_data = {6'd0, _zz__zz_io_data_1};
  assign _zz__zz_io_data_3 = {io_read_payload_slot,io_read_payload_beat[5 : 0]};
  assign _zz__zz_io_data_2 = {1'd0, _zz__zz_io_data_3};
  assign _zz_memory_port = (io_write_payload_beat[6] ? (12'h800 | _zz_memory_port_1) : _zz_memory_port_3);
  always @(posedge clk) begin
    if(io_write_valid) begin
      memory[_zz_memory_port] <= io_written;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      memory_spinal_port1 <= memory[_zz_io_data];
    end
  end

  RoceFreeList places (
    .io_free_valid        (places_io_free_valid       ), //o
    .io_free_ready        (io_free_ready              ), //i
    .io_free_payload      (places_io_free_payload[4:0]), //o
    .io_returns_0_valid   (io_returns_0_valid         ), //i
    .io_returns_0_payload (io_returns_0_payload[4:0]  ), //i
    .io_returns_1_valid   (io_returns_1_valid         ), //i
    .io_returns_1_payload (io_returns_1_payload[4:0]  ), //i
    .clk                  (clk                        ), //i
    .reset                (reset                      )  //i
  );
  assign _zz_io_data = (io_read_payload_beat[6] ? (12'h800 | _zz__zz_io_data) : _zz__zz_io_data_2);
  assign io_data = memory_spinal_port1;
  assign io_free_valid = places_io_free_valid;
  assign io_free_payload = places_io_free_payload;

endmodule

module StreamFifo (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [4:0]    io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [4:0]    io_pop_payload,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  wire       [4:0]    logic_ram_spinal_port1;
  wire       [4:0]    _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [5:0]    logic_ptr_push;
  reg        [5:0]    logic_ptr_pop;
  wire       [5:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [4:0]    logic_push_onRam_write_payload_address;
  wire       [4:0]    logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [4:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [4:0]    logic_pop_async_readed;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [4:0]    logic_pop_addressGen_translated_payload;
  (* ram_style = "distributed" *) reg [4:0] logic_ram [0:31];

  assign _zz_logic_ram_port = logic_push_onRam_write_payload_data;
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  assign logic_ram_spinal_port1 = logic_ram[logic_pop_addressGen_payload];
  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 6'h20) == 6'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[4:0];
  assign logic_push_onRam_write_payload_data = io_push_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[4:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign logic_pop_async_readed = logic_ram_spinal_port1;
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload = logic_pop_async_readed;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload = logic_pop_addressGen_translated_payload;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 6'h0;
      logic_ptr_pop <= 6'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 6'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 6'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 6'h0;
        logic_ptr_pop <= 6'h0;
      end
    end
  end


endmodule

module RoceFreeList (
  output wire          io_free_valid,
  input  wire          io_free_ready,
  output wire [4:0]    io_free_payload,
  input  wire          io_returns_0_valid,
  input  wire [4:0]    io_returns_0_payload,
  input  wire          io_returns_1_valid,
  input  wire [4:0]    io_returns_1_payload,
  input  wire          clk,
  input  wire          reset
);

  wire       [31:0]   _zz_back;
  wire       [31:0]   _zz_back_1;
  reg        [31:0]   pool;
  reg        [4:0]    offer;
  reg                 offered;
  wire       [31:0]   _zz_pool_bools_0;
  wire                pool_bools_0;
  wire                pool_bools_1;
  wire                pool_bools_2;
  wire                pool_bools_3;
  wire                pool_bools_4;
  wire                pool_bools_5;
  wire                pool_bools_6;
  wire                pool_bools_7;
  wire                pool_bools_8;
  wire                pool_bools_9;
  wire                pool_bools_10;
  wire                pool_bools_11;
  wire                pool_bools_12;
  wire                pool_bools_13;
  wire                pool_bools_14;
  wire                pool_bools_15;
  wire                pool_bools_16;
  wire                pool_bools_17;
  wire                pool_bools_18;
  wire                pool_bools_19;
  wire                pool_bools_20;
  wire                pool_bools_21;
  wire                pool_bools_22;
  wire                pool_bools_23;
  wire                pool_bools_24;
  wire                pool_bools_25;
  wire                pool_bools_26;
  wire                pool_bools_27;
  wire                pool_bools_28;
  wire                pool_bools_29;
  wire                pool_bools_30;
  wire                pool_bools_31;
  reg        [31:0]   _zz_choice;
  wire                pool_range_0_to_1;
  wire                pool_range_0_to_2;
  wire                pool_range_0_to_3;
  wire                pool_range_4_to_5;
  wire                pool_range_4_to_6;
  wire                pool_range_4_to_7;
  wire                pool_range_0_to_7;
  wire                pool_range_8_to_9;
  wire                pool_range_8_to_10;
  wire                pool_range_8_to_11;
  wire                pool_range_0_to_11;
  wire                pool_range_12_to_13;
  wire                pool_range_12_to_14;
  wire                pool_range_12_to_15;
  wire                pool_range_0_to_15;
  wire                pool_range_16_to_17;
  wire                pool_range_16_to_18;
  wire                pool_range_16_to_19;
  wire                pool_range_20_to_21;
  wire                pool_range_20_to_22;
  wire                pool_range_20_to_23;
  wire                pool_range_16_to_23;
  wire                pool_range_24_to_25;
  wire                pool_range_24_to_26;
  wire                pool_range_24_to_27;
  wire                pool_range_16_to_27;
  wire                pool_range_28_to_29;
  wire                pool_range_28_to_30;
  wire       [31:0]   choice;
  wire                refills;
  wire                _zz_offer;
  wire                _zz_offer_1;
  wire                _zz_offer_2;
  wire                _zz_offer_3;
  wire                _zz_offer_4;
  wire                _zz_offer_5;
  wire                _zz_offer_6;
  wire                _zz_offer_7;
  wire                _zz_offer_8;
  wire                _zz_offer_9;
  wire                _zz_offer_10;
  wire                _zz_offer_11;
  wire                _zz_offer_12;
  wire                _zz_offer_13;
  wire                _zz_offer_14;
  wire                _zz_offer_15;
  wire                _zz_offer_16;
  wire                _zz_offer_17;
  wire                _zz_offer_18;
  wire                _zz_offer_19;
  wire                _zz_offer_20;
  wire                _zz_offer_21;
  wire                _zz_offer_22;
  wire                _zz_offer_23;
  wire                _zz_offer_24;
  wire                _zz_offer_25;
  wire                _zz_offer_26;
  wire                _zz_offer_27;
  wire                _zz_offer_28;
  wire                _zz_offer_29;
  wire                _zz_offer_30;
  wire       [31:0]   back;
  wire       [31:0]   chosen;

  assign _zz_back = (32'h00000001 <<< io_returns_0_payload);
  assign _zz_back_1 = (32'h00000001 <<< io_returns_1_payload);
  assign _zz_pool_bools_0 = pool;
  assign pool_bools_0 = _zz_pool_bools_0[0];
  assign pool_bools_1 = _zz_pool_bools_0[1];
  assign pool_bools_2 = _zz_pool_bools_0[2];
  assign pool_bools_3 = _zz_pool_bools_0[3];
  assign pool_bools_4 = _zz_pool_bools_0[4];
  assign pool_bools_5 = _zz_pool_bools_0[5];
  assign pool_bools_6 = _zz_pool_bools_0[6];
  assign pool_bools_7 = _zz_pool_bools_0[7];
  assign pool_bools_8 = _zz_pool_bools_0[8];
  assign pool_bools_9 = _zz_pool_bools_0[9];
  assign pool_bools_10 = _zz_pool_bools_0[10];
  assign pool_bools_11 = _zz_pool_bools_0[11];
  assign pool_bools_12 = _zz_pool_bools_0[12];
  assign pool_bools_13 = _zz_pool_bools_0[13];
  assign pool_bools_14 = _zz_pool_bools_0[14];
  assign pool_bools_15 = _zz_pool_bools_0[15];
  assign pool_bools_16 = _zz_pool_bools_0[16];
  assign pool_bools_17 = _zz_pool_bools_0[17];
  assign pool_bools_18 = _zz_pool_bools_0[18];
  assign pool_bools_19 = _zz_pool_bools_0[19];
  assign pool_bools_20 = _zz_pool_bools_0[20];
  assign pool_bools_21 = _zz_pool_bools_0[21];
  assign pool_bools_22 = _zz_pool_bools_0[22];
  assign pool_bools_23 = _zz_pool_bools_0[23];
  assign pool_bools_24 = _zz_pool_bools_0[24];
  assign pool_bools_25 = _zz_pool_bools_0[25];
  assign pool_bools_26 = _zz_pool_bools_0[26];
  assign pool_bools_27 = _zz_pool_bools_0[27];
  assign pool_bools_28 = _zz_pool_bools_0[28];
  assign pool_bools_29 = _zz_pool_bools_0[29];
  assign pool_bools_30 = _zz_pool_bools_0[30];
  assign pool_bools_31 = _zz_pool_bools_0[31];
  always @(*) begin
    _zz_choice[0] = (pool_bools_0 && (! 1'b0));
    _zz_choice[1] = (pool_bools_1 && (! pool_bools_0));
    _zz_choice[2] = (pool_bools_2 && (! pool_range_0_to_1));
    _zz_choice[3] = (pool_bools_3 && (! pool_range_0_to_2));
    _zz_choice[4] = (pool_bools_4 && (! pool_range_0_to_3));
    _zz_choice[5] = (pool_bools_5 && (! (pool_bools_4 || pool_range_0_to_3)));
    _zz_choice[6] = (pool_bools_6 && (! (pool_range_4_to_5 || pool_range_0_to_3)));
    _zz_choice[7] = (pool_bools_7 && (! (pool_range_4_to_6 || pool_range_0_to_3)));
    _zz_choice[8] = (pool_bools_8 && (! (pool_range_4_to_7 || pool_range_0_to_3)));
    _zz_choice[9] = (pool_bools_9 && (! (pool_bools_8 || pool_range_0_to_7)));
    _zz_choice[10] = (pool_bools_10 && (! (pool_range_8_to_9 || pool_range_0_to_7)));
    _zz_choice[11] = (pool_bools_11 && (! (pool_range_8_to_10 || pool_range_0_to_7)));
    _zz_choice[12] = (pool_bools_12 && (! (pool_range_8_to_11 || pool_range_0_to_7)));
    _zz_choice[13] = (pool_bools_13 && (! (pool_bools_12 || pool_range_0_to_11)));
    _zz_choice[14] = (pool_bools_14 && (! (pool_range_12_to_13 || pool_range_0_to_11)));
    _zz_choice[15] = (pool_bools_15 && (! (pool_range_12_to_14 || pool_range_0_to_11)));
    _zz_choice[16] = (pool_bools_16 && (! (pool_range_12_to_15 || pool_range_0_to_11)));
    _zz_choice[17] = (pool_bools_17 && (! (pool_bools_16 || pool_range_0_to_15)));
    _zz_choice[18] = (pool_bools_18 && (! (pool_range_16_to_17 || pool_range_0_to_15)));
    _zz_choice[19] = (pool_bools_19 && (! (pool_range_16_to_18 || pool_range_0_to_15)));
    _zz_choice[20] = (pool_bools_20 && (! (pool_range_16_to_19 || pool_range_0_to_15)));
    _zz_choice[21] = (pool_bools_21 && (! (pool_bools_20 || (pool_range_16_to_19 || pool_range_0_to_15))));
    _zz_choice[22] = (pool_bools_22 && (! (pool_range_20_to_21 || (pool_range_16_to_19 || pool_range_0_to_15))));
    _zz_choice[23] = (pool_bools_23 && (! (pool_range_20_to_22 || (pool_range_16_to_19 || pool_range_0_to_15))));
    _zz_choice[24] = (pool_bools_24 && (! (pool_range_20_to_23 || (pool_range_16_to_19 || pool_range_0_to_15))));
    _zz_choice[25] = (pool_bools_25 && (! (pool_bools_24 || (pool_range_16_to_23 || pool_range_0_to_15))));
    _zz_choice[26] = (pool_bools_26 && (! (pool_range_24_to_25 || (pool_range_16_to_23 || pool_range_0_to_15))));
    _zz_choice[27] = (pool_bools_27 && (! (pool_range_24_to_26 || (pool_range_16_to_23 || pool_range_0_to_15))));
    _zz_choice[28] = (pool_bools_28 && (! (pool_range_24_to_27 || (pool_range_16_to_23 || pool_range_0_to_15))));
    _zz_choice[29] = (pool_bools_29 && (! (pool_bools_28 || (pool_range_16_to_27 || pool_range_0_to_15))));
    _zz_choice[30] = (pool_bools_30 && (! (pool_range_28_to_29 || (pool_range_16_to_27 || pool_range_0_to_15))));
    _zz_choice[31] = (pool_bools_31 && (! (pool_range_28_to_30 || (pool_range_16_to_27 || pool_range_0_to_15))));
  end

  assign pool_range_0_to_1 = (|{pool_bools_1,pool_bools_0});
  assign pool_range_0_to_2 = (|{pool_bools_2,{pool_bools_1,pool_bools_0}});
  assign pool_range_0_to_3 = (|{pool_bools_3,{pool_bools_2,{pool_bools_1,pool_bools_0}}});
  assign pool_range_4_to_5 = (|{pool_bools_5,pool_bools_4});
  assign pool_range_4_to_6 = (|{pool_bools_6,{pool_bools_5,pool_bools_4}});
  assign pool_range_4_to_7 = (|{pool_bools_7,{pool_bools_6,{pool_bools_5,pool_bools_4}}});
  assign pool_range_0_to_7 = (|{pool_range_4_to_7,pool_range_0_to_3});
  assign pool_range_8_to_9 = (|{pool_bools_9,pool_bools_8});
  assign pool_range_8_to_10 = (|{pool_bools_10,{pool_bools_9,pool_bools_8}});
  assign pool_range_8_to_11 = (|{pool_bools_11,{pool_bools_10,{pool_bools_9,pool_bools_8}}});
  assign pool_range_0_to_11 = (|{pool_range_8_to_11,{pool_range_4_to_7,pool_range_0_to_3}});
  assign pool_range_12_to_13 = (|{pool_bools_13,pool_bools_12});
  assign pool_range_12_to_14 = (|{pool_bools_14,{pool_bools_13,pool_bools_12}});
  assign pool_range_12_to_15 = (|{pool_bools_15,{pool_bools_14,{pool_bools_13,pool_bools_12}}});
  assign pool_range_0_to_15 = (|{pool_range_12_to_15,{pool_range_8_to_11,{pool_range_4_to_7,pool_range_0_to_3}}});
  assign pool_range_16_to_17 = (|{pool_bools_17,pool_bools_16});
  assign pool_range_16_to_18 = (|{pool_bools_18,{pool_bools_17,pool_bools_16}});
  assign pool_range_16_to_19 = (|{pool_bools_19,{pool_bools_18,{pool_bools_17,pool_bools_16}}});
  assign pool_range_20_to_21 = (|{pool_bools_21,pool_bools_20});
  assign pool_range_20_to_22 = (|{pool_bools_22,{pool_bools_21,pool_bools_20}});
  assign pool_range_20_to_23 = (|{pool_bools_23,{pool_bools_22,{pool_bools_21,pool_bools_20}}});
  assign pool_range_16_to_23 = (|{pool_range_20_to_23,pool_range_16_to_19});
  assign pool_range_24_to_25 = (|{pool_bools_25,pool_bools_24});
  assign pool_range_24_to_26 = (|{pool_bools_26,{pool_bools_25,pool_bools_24}});
  assign pool_range_24_to_27 = (|{pool_bools_27,{pool_bools_26,{pool_bools_25,pool_bools_24}}});
  assign pool_range_16_to_27 = (|{pool_range_24_to_27,{pool_range_20_to_23,pool_range_16_to_19}});
  assign pool_range_28_to_29 = (|{pool_bools_29,pool_bools_28});
  assign pool_range_28_to_30 = (|{pool_bools_30,{pool_bools_29,pool_bools_28}});
  assign choice = _zz_choice;
  assign refills = ((! offered) || io_free_ready);
  assign _zz_offer = choice[3];
  assign _zz_offer_1 = choice[5];
  assign _zz_offer_2 = choice[6];
  assign _zz_offer_3 = choice[7];
  assign _zz_offer_4 = choice[9];
  assign _zz_offer_5 = choice[10];
  assign _zz_offer_6 = choice[11];
  assign _zz_offer_7 = choice[12];
  assign _zz_offer_8 = choice[13];
  assign _zz_offer_9 = choice[14];
  assign _zz_offer_10 = choice[15];
  assign _zz_offer_11 = choice[17];
  assign _zz_offer_12 = choice[18];
  assign _zz_offer_13 = choice[19];
  assign _zz_offer_14 = choice[20];
  assign _zz_offer_15 = choice[21];
  assign _zz_offer_16 = choice[22];
  assign _zz_offer_17 = choice[23];
  assign _zz_offer_18 = choice[24];
  assign _zz_offer_19 = choice[25];
  assign _zz_offer_20 = choice[26];
  assign _zz_offer_21 = choice[27];
  assign _zz_offer_22 = choice[28];
  assign _zz_offer_23 = choice[29];
  assign _zz_offer_24 = choice[30];
  assign _zz_offer_25 = choice[31];
  assign _zz_offer_26 = (((((((((((((((choice[1] || _zz_offer) || _zz_offer_1) || _zz_offer_3) || _zz_offer_4) || _zz_offer_6) || _zz_offer_8) || _zz_offer_10) || _zz_offer_11) || _zz_offer_13) || _zz_offer_15) || _zz_offer_17) || _zz_offer_19) || _zz_offer_21) || _zz_offer_23) || _zz_offer_25);
  assign _zz_offer_27 = (((((((((((((((choice[2] || _zz_offer) || _zz_offer_2) || _zz_offer_3) || _zz_offer_5) || _zz_offer_6) || _zz_offer_9) || _zz_offer_10) || _zz_offer_12) || _zz_offer_13) || _zz_offer_16) || _zz_offer_17) || _zz_offer_20) || _zz_offer_21) || _zz_offer_24) || _zz_offer_25);
  assign _zz_offer_28 = (((((((((((((((choice[4] || _zz_offer_1) || _zz_offer_2) || _zz_offer_3) || _zz_offer_7) || _zz_offer_8) || _zz_offer_9) || _zz_offer_10) || _zz_offer_14) || _zz_offer_15) || _zz_offer_16) || _zz_offer_17) || _zz_offer_22) || _zz_offer_23) || _zz_offer_24) || _zz_offer_25);
  assign _zz_offer_29 = (((((((((((((((choice[8] || _zz_offer_4) || _zz_offer_5) || _zz_offer_6) || _zz_offer_7) || _zz_offer_8) || _zz_offer_9) || _zz_offer_10) || _zz_offer_18) || _zz_offer_19) || _zz_offer_20) || _zz_offer_21) || _zz_offer_22) || _zz_offer_23) || _zz_offer_24) || _zz_offer_25);
  assign _zz_offer_30 = (((((((((((((((choice[16] || _zz_offer_11) || _zz_offer_12) || _zz_offer_13) || _zz_offer_14) || _zz_offer_15) || _zz_offer_16) || _zz_offer_17) || _zz_offer_18) || _zz_offer_19) || _zz_offer_20) || _zz_offer_21) || _zz_offer_22) || _zz_offer_23) || _zz_offer_24) || _zz_offer_25);
  assign back = (((io_returns_0_valid && 1'b1) ? _zz_back : 32'h0) | ((io_returns_1_valid && 1'b1) ? _zz_back_1 : 32'h0));
  assign chosen = (refills ? choice : 32'h0);
  assign io_free_valid = offered;
  assign io_free_payload = offer;
  always @(posedge clk) begin
    if(reset) begin
      pool <= 32'hfffffffe;
      offer <= 5'h0;
      offered <= 1'b1;
    end else begin
      if(refills) begin
        offered <= (|pool);
        offer <= {_zz_offer_30,{_zz_offer_29,{_zz_offer_28,{_zz_offer_27,_zz_offer_26}}}};
      end
      pool <= ((pool & (~ chosen)) | back);
    end
  end


endmodule
