// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : RoceTransmit

`timescale 1ns/1ps

module RoceTransmit (
  input  wire          io_departures_valid,
  output wire          io_departures_ready,
  input  wire [47:0]   io_departures_payload_dstMac,
  input  wire [31:0]   io_departures_payload_dstIp,
  input  wire [15:0]   io_departures_payload_srcPort,
  input  wire [7:0]    io_departures_payload_opcode,
  input  wire [15:0]   io_departures_payload_pkey,
  input  wire [23:0]   io_departures_payload_destQp,
  input  wire [23:0]   io_departures_payload_psn,
  input  wire          io_departures_payload_ackRequest,
  input  wire [7:0]    io_departures_payload_syndrome,
  input  wire [23:0]   io_departures_payload_msn,
  input  wire [63:0]   io_departures_payload_original,
  input  wire [12:0]   io_departures_payload_payload,
  input  wire          io_payload_valid,
  output wire          io_payload_ready,
  input  wire [511:0]  io_payload_payload_data,
  input  wire          io_payload_payload_error,
  input  wire [47:0]   io_local_mac,
  input  wire [31:0]   io_local_ip,
  output wire          io_frames_valid,
  input  wire          io_frames_ready,
  output wire [511:0]  io_frames_payload_data,
  output wire [5:0]    io_frames_payload_lastByte,
  output wire          io_frames_payload_last,
  output wire [0:0]    io_frames_payload_user,
  output wire          io_counted_valid,
  output wire [5:0]    io_counted_payload,
  input  wire          clk,
  input  wire          reset
);

  wire                summed_queue_io_pop_ready;
  wire                leaving_queue_io_pop_ready;
  wire       [511:0]  shift_io_shifted;
  wire                summed_register_io_sums_valid;
  wire       [31:0]   summed_register_io_sums_payload;
  wire                summed_queue_io_push_ready;
  wire                summed_queue_io_pop_valid;
  wire       [31:0]   summed_queue_io_pop_payload;
  wire                leaving_queue_io_push_ready;
  wire                leaving_queue_io_pop_valid;
  wire       [511:0]  leaving_queue_io_pop_payload_data;
  wire                leaving_queue_io_pop_payload_last;
  wire                leaving_queue_io_pop_payload_covered;
  wire       [3:0]    leaving_queue_io_pop_payload_word;
  wire                leaving_queue_io_pop_payload_failed;
  wire       [18:0]   _zz__zz_ours;
  wire       [17:0]   _zz__zz_ours_1;
  wire       [16:0]   _zz__zz_ours_2;
  wire       [15:0]   _zz__zz_ours_1_1;
  wire       [2:0]    _zz__zz_ours_1_2;
  wire       [16:0]   _zz_ours_2;
  wire       [15:0]   _zz_ours_3;
  wire       [0:0]    _zz_ours_4;
  wire       [7:0]    _zz__zz_io_departures_map_payload_start;
  wire       [7:0]    _zz__zz_io_departures_map_payload_start_1;
  wire       [7:0]    _zz__zz_io_departures_map_payload_start_2;
  wire                _zz__zz_io_departures_map_payload_start_3;
  wire       [0:0]    _zz__zz_io_departures_map_payload_start_4;
  wire       [0:0]    _zz__zz_io_departures_map_payload_start_5;
  wire       [11:0]   _zz__zz_io_departures_map_payload_end;
  wire       [11:0]   _zz__zz_io_departures_map_payload_end_1;
  wire       [1:0]    _zz__zz_io_departures_map_payload_end_2;
  wire       [13:0]   _zz__zz_io_departures_map_payload_end_3;
  wire       [7:0]    _zz__zz_io_departures_map_payload_end_4;
  wire       [7:0]    _zz__zz_io_departures_map_payload_end_5;
  wire       [5:0]    _zz__zz_io_departures_map_payload_end_6;
  wire       [13:0]   _zz_io_departures_map_payload_until;
  wire       [13:0]   _zz_io_departures_map_payload_until_1;
  wire       [6:0]    _zz_io_departures_map_payload_until_2;
  wire       [6:0]    _zz_io_departures_map_payload_until_3;
  wire       [13:0]   _zz_io_departures_map_payload_beats;
  wire       [13:0]   _zz_io_departures_map_payload_beats_1;
  wire       [6:0]    _zz_io_departures_map_payload_beats_2;
  wire       [16:0]   _zz_io_departures_map_payload_sum;
  wire       [16:0]   _zz_io_departures_map_payload_sum_1;
  wire       [16:0]   _zz_io_departures_map_payload_sum_2;
  wire       [14:0]   _zz_io_departures_map_payload_sum_3;
  wire       [13:0]   _zz_io_departures_map_payload_sum_4;
  wire       [13:0]   _zz_build_last;
  wire       [15:0]   _zz__zz_build_bytes_0_3;
  wire       [1:0]    _zz__zz_build_bytes_0_3_1;
  wire       [15:0]   _zz__zz_build_bytes_0_5;
  wire       [15:0]   _zz__zz_build_bytes_0_8;
  wire       [16:0]   _zz__zz_build_bytes_0_8_1;
  wire       [15:0]   _zz__zz_build_bytes_0_8_2;
  wire       [0:0]    _zz__zz_build_bytes_0_8_3;
  wire       [15:0]   _zz__zz_build_bytes_0_10;
  wire       [13:0]   _zz__zz_build_bytes_0_10_1;
  wire       [7:0]    _zz__zz_build_bytes_0;
  wire       [7:0]    _zz__zz_build_bytes_0_1;
  wire       [7:0]    _zz__zz_build_bytes_0_2;
  wire       [7:0]    _zz__zz_build_bytes_0_4;
  wire                _zz_build_bytes_0_15;
  wire                _zz_build_bytes_0_16;
  wire                _zz_build_bytes_0_17;
  wire                _zz_build_bytes_1;
  wire                _zz_build_bytes_1_1;
  wire                _zz_build_bytes_1_2;
  wire                _zz_build_bytes_2;
  wire                _zz_build_bytes_2_1;
  wire                _zz_build_bytes_2_2;
  wire                _zz_build_bytes_2_3;
  wire       [5:0]    _zz_build_bytes_2_4;
  wire       [5:0]    _zz_build_bytes_2_5;
  wire                _zz_build_bytes_3;
  wire                _zz_build_bytes_3_1;
  wire                _zz_build_bytes_3_2;
  wire                _zz_build_bytes_3_3;
  wire       [5:0]    _zz_build_bytes_3_4;
  wire       [5:0]    _zz_build_bytes_3_5;
  wire                _zz_build_bytes_4;
  wire                _zz_build_bytes_4_1;
  wire                _zz_build_bytes_4_2;
  wire                _zz_build_bytes_4_3;
  wire       [5:0]    _zz_build_bytes_4_4;
  wire       [5:0]    _zz_build_bytes_4_5;
  wire                _zz_build_bytes_5;
  wire                _zz_build_bytes_5_1;
  wire                _zz_build_bytes_5_2;
  wire                _zz_build_bytes_5_3;
  wire       [5:0]    _zz_build_bytes_5_4;
  wire       [5:0]    _zz_build_bytes_5_5;
  wire                _zz_build_bytes_6;
  wire                _zz_build_bytes_6_1;
  wire                _zz_build_bytes_6_2;
  wire                _zz_build_bytes_6_3;
  wire       [5:0]    _zz_build_bytes_6_4;
  wire       [5:0]    _zz_build_bytes_6_5;
  wire                _zz_build_bytes_7;
  wire                _zz_build_bytes_7_1;
  wire                _zz_build_bytes_7_2;
  wire                _zz_build_bytes_7_3;
  wire       [5:0]    _zz_build_bytes_7_4;
  wire       [5:0]    _zz_build_bytes_7_5;
  wire                _zz_build_bytes_8;
  wire                _zz_build_bytes_8_1;
  wire                _zz_build_bytes_8_2;
  wire                _zz_build_bytes_8_3;
  wire       [5:0]    _zz_build_bytes_8_4;
  wire       [5:0]    _zz_build_bytes_8_5;
  wire                _zz_build_bytes_9;
  wire                _zz_build_bytes_9_1;
  wire                _zz_build_bytes_9_2;
  wire                _zz_build_bytes_9_3;
  wire       [5:0]    _zz_build_bytes_9_4;
  wire       [5:0]    _zz_build_bytes_9_5;
  wire                _zz_build_bytes_10;
  wire                _zz_build_bytes_10_1;
  wire                _zz_build_bytes_10_2;
  wire                _zz_build_bytes_10_3;
  wire       [5:0]    _zz_build_bytes_10_4;
  wire       [5:0]    _zz_build_bytes_10_5;
  wire                _zz_build_bytes_11;
  wire                _zz_build_bytes_11_1;
  wire                _zz_build_bytes_11_2;
  wire                _zz_build_bytes_11_3;
  wire       [5:0]    _zz_build_bytes_11_4;
  wire       [5:0]    _zz_build_bytes_11_5;
  wire                _zz_build_bytes_12;
  wire                _zz_build_bytes_12_1;
  wire                _zz_build_bytes_12_2;
  wire                _zz_build_bytes_12_3;
  wire       [5:0]    _zz_build_bytes_12_4;
  wire       [5:0]    _zz_build_bytes_12_5;
  wire                _zz_build_bytes_13;
  wire                _zz_build_bytes_13_1;
  wire                _zz_build_bytes_13_2;
  wire                _zz_build_bytes_13_3;
  wire       [5:0]    _zz_build_bytes_13_4;
  wire       [5:0]    _zz_build_bytes_13_5;
  wire                _zz_build_bytes_14;
  wire                _zz_build_bytes_14_1;
  wire                _zz_build_bytes_14_2;
  wire                _zz_build_bytes_14_3;
  wire       [5:0]    _zz_build_bytes_14_4;
  wire       [5:0]    _zz_build_bytes_14_5;
  wire                _zz_build_bytes_15;
  wire                _zz_build_bytes_15_1;
  wire                _zz_build_bytes_15_2;
  wire                _zz_build_bytes_15_3;
  wire       [5:0]    _zz_build_bytes_15_4;
  wire       [5:0]    _zz_build_bytes_15_5;
  wire                _zz_build_bytes_16;
  wire                _zz_build_bytes_16_1;
  wire                _zz_build_bytes_16_2;
  wire                _zz_build_bytes_16_3;
  wire       [5:0]    _zz_build_bytes_16_4;
  wire       [5:0]    _zz_build_bytes_16_5;
  wire                _zz_build_bytes_17;
  wire                _zz_build_bytes_17_1;
  wire                _zz_build_bytes_17_2;
  wire                _zz_build_bytes_17_3;
  wire       [5:0]    _zz_build_bytes_17_4;
  wire       [5:0]    _zz_build_bytes_17_5;
  wire                _zz_build_bytes_18;
  wire                _zz_build_bytes_18_1;
  wire                _zz_build_bytes_18_2;
  wire                _zz_build_bytes_18_3;
  wire       [5:0]    _zz_build_bytes_18_4;
  wire       [5:0]    _zz_build_bytes_18_5;
  wire                _zz_build_bytes_19;
  wire                _zz_build_bytes_19_1;
  wire                _zz_build_bytes_19_2;
  wire                _zz_build_bytes_19_3;
  wire       [5:0]    _zz_build_bytes_19_4;
  wire       [5:0]    _zz_build_bytes_19_5;
  wire                _zz_build_bytes_20;
  wire                _zz_build_bytes_20_1;
  wire                _zz_build_bytes_20_2;
  wire                _zz_build_bytes_20_3;
  wire       [5:0]    _zz_build_bytes_20_4;
  wire       [5:0]    _zz_build_bytes_20_5;
  wire                _zz_build_bytes_21;
  wire                _zz_build_bytes_21_1;
  wire                _zz_build_bytes_21_2;
  wire                _zz_build_bytes_21_3;
  wire       [5:0]    _zz_build_bytes_21_4;
  wire       [5:0]    _zz_build_bytes_21_5;
  wire                _zz_build_bytes_22;
  wire                _zz_build_bytes_22_1;
  wire                _zz_build_bytes_22_2;
  wire                _zz_build_bytes_22_3;
  wire       [5:0]    _zz_build_bytes_22_4;
  wire       [5:0]    _zz_build_bytes_22_5;
  wire                _zz_build_bytes_23;
  wire                _zz_build_bytes_23_1;
  wire                _zz_build_bytes_23_2;
  wire                _zz_build_bytes_23_3;
  wire       [5:0]    _zz_build_bytes_23_4;
  wire       [5:0]    _zz_build_bytes_23_5;
  wire                _zz_build_bytes_24;
  wire                _zz_build_bytes_24_1;
  wire                _zz_build_bytes_24_2;
  wire                _zz_build_bytes_24_3;
  wire       [5:0]    _zz_build_bytes_24_4;
  wire       [5:0]    _zz_build_bytes_24_5;
  wire                _zz_build_bytes_25;
  wire                _zz_build_bytes_25_1;
  wire                _zz_build_bytes_25_2;
  wire                _zz_build_bytes_25_3;
  wire       [5:0]    _zz_build_bytes_25_4;
  wire       [5:0]    _zz_build_bytes_25_5;
  wire                _zz_build_bytes_26;
  wire                _zz_build_bytes_26_1;
  wire                _zz_build_bytes_26_2;
  wire                _zz_build_bytes_26_3;
  wire       [5:0]    _zz_build_bytes_26_4;
  wire       [5:0]    _zz_build_bytes_26_5;
  wire                _zz_build_bytes_27;
  wire                _zz_build_bytes_27_1;
  wire                _zz_build_bytes_27_2;
  wire                _zz_build_bytes_27_3;
  wire       [5:0]    _zz_build_bytes_27_4;
  wire       [5:0]    _zz_build_bytes_27_5;
  wire                _zz_build_bytes_28;
  wire                _zz_build_bytes_28_1;
  wire                _zz_build_bytes_28_2;
  wire                _zz_build_bytes_28_3;
  wire       [5:0]    _zz_build_bytes_28_4;
  wire       [5:0]    _zz_build_bytes_28_5;
  wire                _zz_build_bytes_29;
  wire                _zz_build_bytes_29_1;
  wire                _zz_build_bytes_29_2;
  wire                _zz_build_bytes_29_3;
  wire       [5:0]    _zz_build_bytes_29_4;
  wire       [5:0]    _zz_build_bytes_29_5;
  wire                _zz_build_bytes_30;
  wire                _zz_build_bytes_30_1;
  wire                _zz_build_bytes_30_2;
  wire                _zz_build_bytes_30_3;
  wire       [5:0]    _zz_build_bytes_30_4;
  wire       [5:0]    _zz_build_bytes_30_5;
  wire                _zz_build_bytes_31;
  wire                _zz_build_bytes_31_1;
  wire                _zz_build_bytes_31_2;
  wire                _zz_build_bytes_31_3;
  wire       [5:0]    _zz_build_bytes_31_4;
  wire       [5:0]    _zz_build_bytes_31_5;
  wire                _zz_build_bytes_32;
  wire                _zz_build_bytes_32_1;
  wire                _zz_build_bytes_32_2;
  wire                _zz_build_bytes_32_3;
  wire       [5:0]    _zz_build_bytes_32_4;
  wire       [5:0]    _zz_build_bytes_32_5;
  wire                _zz_build_bytes_33;
  wire                _zz_build_bytes_33_1;
  wire                _zz_build_bytes_33_2;
  wire                _zz_build_bytes_33_3;
  wire       [5:0]    _zz_build_bytes_33_4;
  wire       [5:0]    _zz_build_bytes_33_5;
  wire                _zz_build_bytes_34;
  wire                _zz_build_bytes_34_1;
  wire                _zz_build_bytes_34_2;
  wire                _zz_build_bytes_34_3;
  wire       [5:0]    _zz_build_bytes_34_4;
  wire       [5:0]    _zz_build_bytes_34_5;
  wire                _zz_build_bytes_35;
  wire                _zz_build_bytes_35_1;
  wire                _zz_build_bytes_35_2;
  wire                _zz_build_bytes_35_3;
  wire       [5:0]    _zz_build_bytes_35_4;
  wire       [5:0]    _zz_build_bytes_35_5;
  wire                _zz_build_bytes_36;
  wire                _zz_build_bytes_36_1;
  wire                _zz_build_bytes_36_2;
  wire                _zz_build_bytes_36_3;
  wire       [5:0]    _zz_build_bytes_36_4;
  wire       [5:0]    _zz_build_bytes_36_5;
  wire                _zz_build_bytes_37;
  wire                _zz_build_bytes_37_1;
  wire                _zz_build_bytes_37_2;
  wire                _zz_build_bytes_37_3;
  wire       [5:0]    _zz_build_bytes_37_4;
  wire       [5:0]    _zz_build_bytes_37_5;
  wire                _zz_build_bytes_38;
  wire                _zz_build_bytes_38_1;
  wire                _zz_build_bytes_38_2;
  wire                _zz_build_bytes_38_3;
  wire       [5:0]    _zz_build_bytes_38_4;
  wire       [5:0]    _zz_build_bytes_38_5;
  wire                _zz_build_bytes_39;
  wire                _zz_build_bytes_39_1;
  wire                _zz_build_bytes_39_2;
  wire                _zz_build_bytes_39_3;
  wire       [5:0]    _zz_build_bytes_39_4;
  wire       [5:0]    _zz_build_bytes_39_5;
  wire                _zz_build_bytes_40;
  wire                _zz_build_bytes_40_1;
  wire                _zz_build_bytes_40_2;
  wire                _zz_build_bytes_40_3;
  wire       [5:0]    _zz_build_bytes_40_4;
  wire       [5:0]    _zz_build_bytes_40_5;
  wire                _zz_build_bytes_41;
  wire                _zz_build_bytes_41_1;
  wire                _zz_build_bytes_41_2;
  wire                _zz_build_bytes_41_3;
  wire       [5:0]    _zz_build_bytes_41_4;
  wire       [5:0]    _zz_build_bytes_41_5;
  wire                _zz_build_bytes_42;
  wire                _zz_build_bytes_42_1;
  wire                _zz_build_bytes_42_2;
  wire                _zz_build_bytes_42_3;
  wire       [5:0]    _zz_build_bytes_42_4;
  wire       [5:0]    _zz_build_bytes_42_5;
  wire                _zz_build_bytes_43;
  wire                _zz_build_bytes_43_1;
  wire                _zz_build_bytes_43_2;
  wire                _zz_build_bytes_43_3;
  wire       [5:0]    _zz_build_bytes_43_4;
  wire       [5:0]    _zz_build_bytes_43_5;
  wire                _zz_build_bytes_44;
  wire                _zz_build_bytes_44_1;
  wire                _zz_build_bytes_44_2;
  wire                _zz_build_bytes_44_3;
  wire       [5:0]    _zz_build_bytes_44_4;
  wire       [5:0]    _zz_build_bytes_44_5;
  wire                _zz_build_bytes_45;
  wire                _zz_build_bytes_45_1;
  wire                _zz_build_bytes_45_2;
  wire                _zz_build_bytes_45_3;
  wire       [5:0]    _zz_build_bytes_45_4;
  wire       [5:0]    _zz_build_bytes_45_5;
  wire                _zz_build_bytes_46;
  wire                _zz_build_bytes_46_1;
  wire                _zz_build_bytes_46_2;
  wire                _zz_build_bytes_46_3;
  wire       [5:0]    _zz_build_bytes_46_4;
  wire       [5:0]    _zz_build_bytes_46_5;
  wire                _zz_build_bytes_47;
  wire                _zz_build_bytes_47_1;
  wire                _zz_build_bytes_47_2;
  wire                _zz_build_bytes_47_3;
  wire       [5:0]    _zz_build_bytes_47_4;
  wire       [5:0]    _zz_build_bytes_47_5;
  wire                _zz_build_bytes_48;
  wire                _zz_build_bytes_48_1;
  wire                _zz_build_bytes_48_2;
  wire                _zz_build_bytes_48_3;
  wire       [5:0]    _zz_build_bytes_48_4;
  wire       [5:0]    _zz_build_bytes_48_5;
  wire                _zz_build_bytes_49;
  wire                _zz_build_bytes_49_1;
  wire                _zz_build_bytes_49_2;
  wire                _zz_build_bytes_49_3;
  wire       [5:0]    _zz_build_bytes_49_4;
  wire       [5:0]    _zz_build_bytes_49_5;
  wire                _zz_build_bytes_50;
  wire                _zz_build_bytes_50_1;
  wire                _zz_build_bytes_50_2;
  wire                _zz_build_bytes_50_3;
  wire       [5:0]    _zz_build_bytes_50_4;
  wire       [5:0]    _zz_build_bytes_50_5;
  wire                _zz_build_bytes_51;
  wire                _zz_build_bytes_51_1;
  wire                _zz_build_bytes_51_2;
  wire                _zz_build_bytes_51_3;
  wire       [5:0]    _zz_build_bytes_51_4;
  wire       [5:0]    _zz_build_bytes_51_5;
  wire                _zz_build_bytes_52;
  wire                _zz_build_bytes_52_1;
  wire                _zz_build_bytes_52_2;
  wire                _zz_build_bytes_52_3;
  wire       [5:0]    _zz_build_bytes_52_4;
  wire       [5:0]    _zz_build_bytes_52_5;
  wire                _zz_build_bytes_53;
  wire                _zz_build_bytes_53_1;
  wire                _zz_build_bytes_53_2;
  wire                _zz_build_bytes_53_3;
  wire       [5:0]    _zz_build_bytes_53_4;
  wire       [5:0]    _zz_build_bytes_53_5;
  wire                _zz_build_bytes_54;
  wire                _zz_build_bytes_54_1;
  wire                _zz_build_bytes_54_2;
  wire                _zz_build_bytes_54_3;
  wire       [5:0]    _zz_build_bytes_54_4;
  wire       [5:0]    _zz_build_bytes_54_5;
  wire                _zz_build_bytes_55;
  wire                _zz_build_bytes_55_1;
  wire                _zz_build_bytes_55_2;
  wire                _zz_build_bytes_55_3;
  wire       [5:0]    _zz_build_bytes_55_4;
  wire       [5:0]    _zz_build_bytes_55_5;
  wire                _zz_build_bytes_56;
  wire                _zz_build_bytes_56_1;
  wire                _zz_build_bytes_56_2;
  wire                _zz_build_bytes_56_3;
  wire       [5:0]    _zz_build_bytes_56_4;
  wire       [5:0]    _zz_build_bytes_56_5;
  wire                _zz_build_bytes_57;
  wire                _zz_build_bytes_57_1;
  wire                _zz_build_bytes_57_2;
  wire                _zz_build_bytes_57_3;
  wire       [5:0]    _zz_build_bytes_57_4;
  wire       [5:0]    _zz_build_bytes_57_5;
  wire                _zz_build_bytes_58;
  wire                _zz_build_bytes_58_1;
  wire                _zz_build_bytes_58_2;
  wire                _zz_build_bytes_58_3;
  wire       [5:0]    _zz_build_bytes_58_4;
  wire       [5:0]    _zz_build_bytes_58_5;
  wire                _zz_build_bytes_59;
  wire                _zz_build_bytes_59_1;
  wire                _zz_build_bytes_59_2;
  wire                _zz_build_bytes_59_3;
  wire       [5:0]    _zz_build_bytes_59_4;
  wire       [5:0]    _zz_build_bytes_59_5;
  wire                _zz_build_bytes_60;
  wire                _zz_build_bytes_60_1;
  wire                _zz_build_bytes_60_2;
  wire                _zz_build_bytes_60_3;
  wire       [5:0]    _zz_build_bytes_60_4;
  wire       [5:0]    _zz_build_bytes_60_5;
  wire                _zz_build_bytes_61;
  wire                _zz_build_bytes_61_1;
  wire                _zz_build_bytes_61_2;
  wire                _zz_build_bytes_61_3;
  wire       [5:0]    _zz_build_bytes_61_4;
  wire       [5:0]    _zz_build_bytes_61_5;
  wire                _zz_build_bytes_62;
  wire                _zz_build_bytes_62_1;
  wire                _zz_build_bytes_62_2;
  wire                _zz_build_bytes_62_3;
  wire       [5:0]    _zz_build_bytes_62_4;
  wire       [5:0]    _zz_build_bytes_62_5;
  wire       [0:0]    _zz_build_bytes_63;
  wire       [0:0]    _zz_build_bytes_63_1;
  wire       [383:0]  _zz_build_out_payload_data;
  wire       [255:0]  _zz_build_out_payload_data_1;
  wire       [127:0]  _zz_build_out_payload_data_2;
  wire       [7:0]    _zz_build_index;
  wire       [7:0]    _zz_build_taken;
  wire       [7:0]    _zz_build_taken_1;
  wire       [0:0]    _zz_build_taken_2;
  wire       [7:0]    _zz__zz_io_beats_payload_data;
  wire       [431:0]  _zz__zz_io_beats_payload_data_1;
  wire       [7:0]    _zz__zz_io_beats_payload_data_2;
  wire       [303:0]  _zz__zz_io_beats_payload_data_3;
  wire       [7:0]    _zz__zz_io_beats_payload_data_4;
  wire       [175:0]  _zz__zz_io_beats_payload_data_5;
  wire       [7:0]    _zz__zz_io_beats_payload_data_6;
  wire       [47:0]   _zz__zz_io_beats_payload_data_7;
  wire       [383:0]  _zz_io_frames_payload_data;
  wire       [255:0]  _zz_io_frames_payload_data_1;
  wire       [127:0]  _zz_io_frames_payload_data_2;
  wire       [5:0]    _zz_io_frames_payload_lastByte;
  wire       [18:0]   _zz_ours;
  reg        [16:0]   _zz_ours_1;
  reg        [15:0]   ours;
  wire       [13:0]   _zz_io_departures_map_payload_end;
  wire       [4:0]    _zz_io_departures_map_payload_start;
  wire                _zz_io_departures_map_payload_notification;
  wire                io_departures_map_valid;
  reg                 io_departures_map_ready;
  wire       [47:0]   io_departures_map_payload_departure_dstMac;
  wire       [31:0]   io_departures_map_payload_departure_dstIp;
  wire       [15:0]   io_departures_map_payload_departure_srcPort;
  wire       [7:0]    io_departures_map_payload_departure_opcode;
  wire       [15:0]   io_departures_map_payload_departure_pkey;
  wire       [23:0]   io_departures_map_payload_departure_destQp;
  wire       [23:0]   io_departures_map_payload_departure_psn;
  wire                io_departures_map_payload_departure_ackRequest;
  wire       [7:0]    io_departures_map_payload_departure_syndrome;
  wire       [23:0]   io_departures_map_payload_departure_msn;
  wire       [63:0]   io_departures_map_payload_departure_original;
  wire       [0:0]    io_departures_map_payload_start;
  wire       [1:0]    io_departures_map_payload_pad;
  wire       [13:0]   io_departures_map_payload_until;
  wire       [13:0]   io_departures_map_payload_end;
  wire       [7:0]    io_departures_map_payload_beats;
  wire                io_departures_map_payload_hasAeth;
  wire                io_departures_map_payload_isAtomic;
  wire                io_departures_map_payload_notification;
  wire       [17:0]   io_departures_map_payload_sum;
  wire                prepared_valid;
  wire                prepared_ready;
  wire       [47:0]   prepared_payload_departure_dstMac;
  wire       [31:0]   prepared_payload_departure_dstIp;
  wire       [15:0]   prepared_payload_departure_srcPort;
  wire       [7:0]    prepared_payload_departure_opcode;
  wire       [15:0]   prepared_payload_departure_pkey;
  wire       [23:0]   prepared_payload_departure_destQp;
  wire       [23:0]   prepared_payload_departure_psn;
  wire                prepared_payload_departure_ackRequest;
  wire       [7:0]    prepared_payload_departure_syndrome;
  wire       [23:0]   prepared_payload_departure_msn;
  wire       [63:0]   prepared_payload_departure_original;
  wire       [0:0]    prepared_payload_start;
  wire       [1:0]    prepared_payload_pad;
  wire       [13:0]   prepared_payload_until;
  wire       [13:0]   prepared_payload_end;
  wire       [7:0]    prepared_payload_beats;
  wire                prepared_payload_hasAeth;
  wire                prepared_payload_isAtomic;
  wire                prepared_payload_notification;
  wire       [17:0]   prepared_payload_sum;
  reg                 io_departures_map_rValid;
  reg        [47:0]   io_departures_map_rData_departure_dstMac;
  reg        [31:0]   io_departures_map_rData_departure_dstIp;
  reg        [15:0]   io_departures_map_rData_departure_srcPort;
  reg        [7:0]    io_departures_map_rData_departure_opcode;
  reg        [15:0]   io_departures_map_rData_departure_pkey;
  reg        [23:0]   io_departures_map_rData_departure_destQp;
  reg        [23:0]   io_departures_map_rData_departure_psn;
  reg                 io_departures_map_rData_departure_ackRequest;
  reg        [7:0]    io_departures_map_rData_departure_syndrome;
  reg        [23:0]   io_departures_map_rData_departure_msn;
  reg        [63:0]   io_departures_map_rData_departure_original;
  reg        [0:0]    io_departures_map_rData_start;
  reg        [1:0]    io_departures_map_rData_pad;
  reg        [13:0]   io_departures_map_rData_until;
  reg        [13:0]   io_departures_map_rData_end;
  reg        [7:0]    io_departures_map_rData_beats;
  reg                 io_departures_map_rData_hasAeth;
  reg                 io_departures_map_rData_isAtomic;
  reg                 io_departures_map_rData_notification;
  reg        [17:0]   io_departures_map_rData_sum;
  reg        [7:0]    build_index;
  reg        [7:0]    build_taken;
  reg                 build_failed;
  wire                build_first;
  wire                build_second;
  wire                build_carries;
  wire                build_waits;
  wire                build_wants;
  wire                build_out_valid;
  wire                build_out_ready;
  wire       [511:0]  build_out_payload_data;
  wire                build_out_payload_last;
  wire                build_out_payload_covered;
  wire       [3:0]    build_out_payload_word;
  wire                build_out_payload_failed;
  wire                build_valid;
  wire                build_takes;
  wire                build_covered;
  wire       [3:0]    build_word;
  wire                build_last;
  wire                build_atEnd;
  wire                build_pastEnd;
  reg        [527:0]  _zz_build_bytes_0;
  wire       [15:0]   _zz_build_bytes_0_1;
  wire       [15:0]   _zz_build_bytes_0_2;
  wire       [16:0]   _zz_build_bytes_0_3;
  wire       [13:0]   _zz_build_bytes_0_4;
  wire       [15:0]   _zz_build_bytes_0_5;
  wire       [15:0]   _zz_build_bytes_0_6;
  wire       [15:0]   _zz_build_bytes_0_7;
  wire       [15:0]   _zz_build_bytes_0_8;
  wire       [15:0]   _zz_build_bytes_0_9;
  wire       [15:0]   _zz_build_bytes_0_10;
  wire       [23:0]   _zz_build_bytes_0_11;
  wire       [23:0]   _zz_build_bytes_0_12;
  wire       [23:0]   _zz_build_bytes_0_13;
  wire       [63:0]   _zz_build_bytes_0_14;
  wire       [7:0]    build_bytes_0;
  wire       [7:0]    build_bytes_1;
  wire       [7:0]    build_bytes_2;
  wire       [7:0]    build_bytes_3;
  wire       [7:0]    build_bytes_4;
  wire       [7:0]    build_bytes_5;
  wire       [7:0]    build_bytes_6;
  wire       [7:0]    build_bytes_7;
  wire       [7:0]    build_bytes_8;
  wire       [7:0]    build_bytes_9;
  wire       [7:0]    build_bytes_10;
  wire       [7:0]    build_bytes_11;
  wire       [7:0]    build_bytes_12;
  wire       [7:0]    build_bytes_13;
  wire       [7:0]    build_bytes_14;
  wire       [7:0]    build_bytes_15;
  wire       [7:0]    build_bytes_16;
  wire       [7:0]    build_bytes_17;
  wire       [7:0]    build_bytes_18;
  wire       [7:0]    build_bytes_19;
  wire       [7:0]    build_bytes_20;
  wire       [7:0]    build_bytes_21;
  wire       [7:0]    build_bytes_22;
  wire       [7:0]    build_bytes_23;
  wire       [7:0]    build_bytes_24;
  wire       [7:0]    build_bytes_25;
  wire       [7:0]    build_bytes_26;
  wire       [7:0]    build_bytes_27;
  wire       [7:0]    build_bytes_28;
  wire       [7:0]    build_bytes_29;
  wire       [7:0]    build_bytes_30;
  wire       [7:0]    build_bytes_31;
  wire       [7:0]    build_bytes_32;
  wire       [7:0]    build_bytes_33;
  wire       [7:0]    build_bytes_34;
  wire       [7:0]    build_bytes_35;
  wire       [7:0]    build_bytes_36;
  wire       [7:0]    build_bytes_37;
  wire       [7:0]    build_bytes_38;
  wire       [7:0]    build_bytes_39;
  wire       [7:0]    build_bytes_40;
  wire       [7:0]    build_bytes_41;
  wire       [7:0]    build_bytes_42;
  wire       [7:0]    build_bytes_43;
  wire       [7:0]    build_bytes_44;
  wire       [7:0]    build_bytes_45;
  wire       [7:0]    build_bytes_46;
  wire       [7:0]    build_bytes_47;
  wire       [7:0]    build_bytes_48;
  wire       [7:0]    build_bytes_49;
  wire       [7:0]    build_bytes_50;
  wire       [7:0]    build_bytes_51;
  wire       [7:0]    build_bytes_52;
  wire       [7:0]    build_bytes_53;
  wire       [7:0]    build_bytes_54;
  wire       [7:0]    build_bytes_55;
  wire       [7:0]    build_bytes_56;
  wire       [7:0]    build_bytes_57;
  wire       [7:0]    build_bytes_58;
  wire       [7:0]    build_bytes_59;
  wire       [7:0]    build_bytes_60;
  wire       [7:0]    build_bytes_61;
  wire       [7:0]    build_bytes_62;
  wire       [7:0]    build_bytes_63;
  wire                build_fails;
  wire                build_out_fire;
  reg                 _zz_io_beats_valid;
  reg        [511:0]  _zz_io_beats_payload_data;
  reg                 build_first_regNextWhen;
  reg                 build_out_payload_covered_regNextWhen;
  reg        [3:0]    _zz_summed_missing;
  reg        [3:0]    _zz_summed_missing_1;
  reg        [3:0]    summed_missing;
  reg                 summed_half_valid;
  reg        [1:0]    summed_half_rest;
  reg        [31:0]   _zz_summed_half_value;
  reg        [31:0]   _zz_summed_half_value_1;
  wire       [31:0]   _zz_summed_half_value_2;
  reg        [31:0]   _zz_summed_half_value_3;
  reg        [31:0]   summed_half_value;
  reg                 summed_half_valid_regNext;
  reg        [31:0]   _zz_io_push_payload;
  wire       [31:0]   _zz_io_push_payload_1;
  reg        [31:0]   _zz_io_push_payload_2;
  reg        [31:0]   _zz_io_push_payload_3;
  wire                leaving_second;
  wire                leaving_wants;
  wire       [31:0]   leaving_sum;
  wire       [7:0]    leaving_bytes_0;
  wire       [7:0]    leaving_bytes_1;
  wire       [7:0]    leaving_bytes_2;
  wire       [7:0]    leaving_bytes_3;
  wire       [7:0]    leaving_bytes_4;
  wire       [7:0]    leaving_bytes_5;
  wire       [7:0]    leaving_bytes_6;
  wire       [7:0]    leaving_bytes_7;
  wire       [7:0]    leaving_bytes_8;
  wire       [7:0]    leaving_bytes_9;
  wire       [7:0]    leaving_bytes_10;
  wire       [7:0]    leaving_bytes_11;
  wire       [7:0]    leaving_bytes_12;
  wire       [7:0]    leaving_bytes_13;
  wire       [7:0]    leaving_bytes_14;
  wire       [7:0]    leaving_bytes_15;
  wire       [7:0]    leaving_bytes_16;
  wire       [7:0]    leaving_bytes_17;
  wire       [7:0]    leaving_bytes_18;
  wire       [7:0]    leaving_bytes_19;
  wire       [7:0]    leaving_bytes_20;
  wire       [7:0]    leaving_bytes_21;
  wire       [7:0]    leaving_bytes_22;
  wire       [7:0]    leaving_bytes_23;
  wire       [7:0]    leaving_bytes_24;
  wire       [7:0]    leaving_bytes_25;
  wire       [7:0]    leaving_bytes_26;
  wire       [7:0]    leaving_bytes_27;
  wire       [7:0]    leaving_bytes_28;
  wire       [7:0]    leaving_bytes_29;
  wire       [7:0]    leaving_bytes_30;
  wire       [7:0]    leaving_bytes_31;
  wire       [7:0]    leaving_bytes_32;
  wire       [7:0]    leaving_bytes_33;
  wire       [7:0]    leaving_bytes_34;
  wire       [7:0]    leaving_bytes_35;
  wire       [7:0]    leaving_bytes_36;
  wire       [7:0]    leaving_bytes_37;
  wire       [7:0]    leaving_bytes_38;
  wire       [7:0]    leaving_bytes_39;
  wire       [7:0]    leaving_bytes_40;
  wire       [7:0]    leaving_bytes_41;
  wire       [7:0]    leaving_bytes_42;
  wire       [7:0]    leaving_bytes_43;
  wire       [7:0]    leaving_bytes_44;
  wire       [7:0]    leaving_bytes_45;
  wire       [7:0]    leaving_bytes_46;
  wire       [7:0]    leaving_bytes_47;
  wire       [7:0]    leaving_bytes_48;
  wire       [7:0]    leaving_bytes_49;
  wire       [7:0]    leaving_bytes_50;
  wire       [7:0]    leaving_bytes_51;
  wire       [7:0]    leaving_bytes_52;
  wire       [7:0]    leaving_bytes_53;
  wire       [7:0]    leaving_bytes_54;
  wire       [7:0]    leaving_bytes_55;
  wire       [7:0]    leaving_bytes_56;
  wire       [7:0]    leaving_bytes_57;
  wire       [7:0]    leaving_bytes_58;
  wire       [7:0]    leaving_bytes_59;
  wire       [7:0]    leaving_bytes_60;
  wire       [7:0]    leaving_bytes_61;
  wire       [7:0]    leaving_bytes_62;
  wire       [7:0]    leaving_bytes_63;
  wire                io_frames_fire;
  reg                 io_pop_ready_regNext;
  reg        [5:0]    _zz_io_counted_payload;

  assign _zz__zz_ours_1 = {1'b0,_zz__zz_ours_2};
  assign _zz__zz_ours = {1'd0, _zz__zz_ours_1};
  assign _zz__zz_ours_2 = ({1'b0,io_local_ip[31 : 16]} + {1'b0,io_local_ip[15 : 0]});
  assign _zz__zz_ours_1_2 = _zz_ours[18 : 16];
  assign _zz__zz_ours_1_1 = {13'd0, _zz__zz_ours_1_2};
  assign _zz_ours_2 = ({1'b0,_zz_ours_1[15 : 0]} + {1'b0,_zz_ours_3});
  assign _zz_ours_4 = _zz_ours_1[16 : 16];
  assign _zz_ours_3 = {15'd0, _zz_ours_4};
  assign _zz__zz_io_departures_map_payload_end = ({1'b0,io_departures_payload_payload[12 : 2]} + _zz__zz_io_departures_map_payload_end_1);
  assign _zz__zz_io_departures_map_payload_end_2 = {1'b0,(|io_departures_payload_payload[1 : 0])};
  assign _zz__zz_io_departures_map_payload_end_1 = {10'd0, _zz__zz_io_departures_map_payload_end_2};
  assign _zz__zz_io_departures_map_payload_end_4 = (_zz__zz_io_departures_map_payload_end_5 + {1'b0,7'h36});
  assign _zz__zz_io_departures_map_payload_end_3 = {6'd0, _zz__zz_io_departures_map_payload_end_4};
  assign _zz__zz_io_departures_map_payload_end_6 = {1'b0,(_zz_io_departures_map_payload_start | (_zz_io_departures_map_payload_notification ? 5'h10 : 5'h0))};
  assign _zz__zz_io_departures_map_payload_end_5 = {2'd0, _zz__zz_io_departures_map_payload_end_6};
  assign _zz_io_departures_map_payload_until = {1'd0, io_departures_payload_payload};
  assign _zz_io_departures_map_payload_until_2 = (_zz_io_departures_map_payload_until_3 + 7'h36);
  assign _zz_io_departures_map_payload_until_1 = {7'd0, _zz_io_departures_map_payload_until_2};
  assign _zz_io_departures_map_payload_until_3 = {2'd0, _zz_io_departures_map_payload_start};
  assign _zz_io_departures_map_payload_beats = ({1'b0,io_departures_payload_payload} + _zz_io_departures_map_payload_beats_1);
  assign _zz_io_departures_map_payload_beats_2 = {1'b0,6'h3f};
  assign _zz_io_departures_map_payload_beats_1 = {7'd0, _zz_io_departures_map_payload_beats_2};
  assign _zz_io_departures_map_payload_sum = ({1'b0,io_departures_payload_dstIp[31 : 16]} + {1'b0,ours});
  assign _zz_io_departures_map_payload_sum_1 = ({1'b0,io_departures_payload_dstIp[15 : 0]} + _zz_io_departures_map_payload_sum_2);
  assign _zz_io_departures_map_payload_sum_3 = {1'b0,_zz_io_departures_map_payload_sum_4};
  assign _zz_io_departures_map_payload_sum_2 = {2'd0, _zz_io_departures_map_payload_sum_3};
  assign _zz_io_departures_map_payload_sum_4 = (_zz_io_departures_map_payload_end - 14'h000a);
  assign _zz_build_last = (prepared_payload_end + 14'h0003);
  assign _zz__zz_build_bytes_0_3_1 = prepared_payload_sum[17 : 16];
  assign _zz__zz_build_bytes_0_3 = {14'd0, _zz__zz_build_bytes_0_3_1};
  assign _zz__zz_build_bytes_0_5 = {2'd0, _zz_build_bytes_0_4};
  assign _zz__zz_build_bytes_0_8_1 = ({1'b0,_zz_build_bytes_0_3[15 : 0]} + {1'b0,_zz__zz_build_bytes_0_8_2});
  assign _zz__zz_build_bytes_0_8 = _zz__zz_build_bytes_0_8_1[15:0];
  assign _zz__zz_build_bytes_0_8_3 = _zz_build_bytes_0_3[16 : 16];
  assign _zz__zz_build_bytes_0_8_2 = {15'd0, _zz__zz_build_bytes_0_8_3};
  assign _zz__zz_build_bytes_0_10_1 = (_zz_build_bytes_0_4 - 14'h0014);
  assign _zz__zz_build_bytes_0_10 = {2'd0, _zz__zz_build_bytes_0_10_1};
  assign _zz__zz_build_bytes_0 = {{2'b01,prepared_payload_pad},4'b0000};
  assign _zz__zz_build_bytes_0_1 = {{1'b0,prepared_payload_notification},6'h0};
  assign _zz__zz_build_bytes_0_2 = {prepared_payload_departure_ackRequest,7'h0};
  assign _zz__zz_build_bytes_0_4 = (prepared_payload_hasAeth ? prepared_payload_departure_syndrome : 8'h0);
  assign _zz_build_index = (build_index + 8'h01);
  assign _zz_build_taken = (build_taken + _zz_build_taken_1);
  assign _zz_build_taken_2 = build_takes;
  assign _zz_build_taken_1 = {7'd0, _zz_build_taken_2};
  assign _zz_io_frames_payload_lastByte = ({leaving_queue_io_pop_payload_word,2'b10} + 6'h03);
  assign _zz__zz_io_departures_map_payload_start = 8'h81;
  assign _zz__zz_io_departures_map_payload_start_1 = 8'h0e;
  assign _zz__zz_io_departures_map_payload_start_2 = 8'h11;
  assign _zz__zz_io_departures_map_payload_start_3 = (io_departures_payload_opcode == 8'h10);
  assign _zz__zz_io_departures_map_payload_start_4 = (io_departures_payload_opcode == 8'h0f);
  assign _zz__zz_io_departures_map_payload_start_5 = (io_departures_payload_opcode == 8'h0d);
  assign _zz_build_bytes_0_15 = ((prepared_payload_start == 1'b1) && (! build_first));
  assign _zz_build_bytes_0_16 = ((prepared_payload_start == 1'b0) && (! build_first));
  assign _zz_build_bytes_0_17 = (6'h0 < prepared_payload_until[5 : 0]);
  assign _zz_build_bytes_1 = ((prepared_payload_start == 1'b1) && (! build_first));
  assign _zz_build_bytes_1_1 = ((prepared_payload_start == 1'b0) && (! build_first));
  assign _zz_build_bytes_1_2 = (6'h01 < prepared_payload_until[5 : 0]);
  assign _zz_build_bytes_2 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_2_1 = (! build_first);
  assign _zz_build_bytes_2_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_2_3 = (! build_first);
  assign _zz_build_bytes_2_4 = 6'h02;
  assign _zz_build_bytes_2_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_3 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_3_1 = (! build_first);
  assign _zz_build_bytes_3_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_3_3 = (! build_first);
  assign _zz_build_bytes_3_4 = 6'h03;
  assign _zz_build_bytes_3_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_4 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_4_1 = (! build_first);
  assign _zz_build_bytes_4_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_4_3 = (! build_first);
  assign _zz_build_bytes_4_4 = 6'h04;
  assign _zz_build_bytes_4_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_5 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_5_1 = (! build_first);
  assign _zz_build_bytes_5_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_5_3 = (! build_first);
  assign _zz_build_bytes_5_4 = 6'h05;
  assign _zz_build_bytes_5_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_6 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_6_1 = (! build_first);
  assign _zz_build_bytes_6_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_6_3 = (! build_first);
  assign _zz_build_bytes_6_4 = 6'h06;
  assign _zz_build_bytes_6_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_7 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_7_1 = (! build_first);
  assign _zz_build_bytes_7_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_7_3 = (! build_first);
  assign _zz_build_bytes_7_4 = 6'h07;
  assign _zz_build_bytes_7_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_8 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_8_1 = (! build_first);
  assign _zz_build_bytes_8_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_8_3 = (! build_first);
  assign _zz_build_bytes_8_4 = 6'h08;
  assign _zz_build_bytes_8_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_9 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_9_1 = (! build_first);
  assign _zz_build_bytes_9_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_9_3 = (! build_first);
  assign _zz_build_bytes_9_4 = 6'h09;
  assign _zz_build_bytes_9_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_10 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_10_1 = (! build_first);
  assign _zz_build_bytes_10_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_10_3 = (! build_first);
  assign _zz_build_bytes_10_4 = 6'h0a;
  assign _zz_build_bytes_10_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_11 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_11_1 = (! build_first);
  assign _zz_build_bytes_11_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_11_3 = (! build_first);
  assign _zz_build_bytes_11_4 = 6'h0b;
  assign _zz_build_bytes_11_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_12 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_12_1 = (! build_first);
  assign _zz_build_bytes_12_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_12_3 = (! build_first);
  assign _zz_build_bytes_12_4 = 6'h0c;
  assign _zz_build_bytes_12_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_13 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_13_1 = (! build_first);
  assign _zz_build_bytes_13_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_13_3 = (! build_first);
  assign _zz_build_bytes_13_4 = 6'h0d;
  assign _zz_build_bytes_13_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_14 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_14_1 = (! build_first);
  assign _zz_build_bytes_14_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_14_3 = (! build_first);
  assign _zz_build_bytes_14_4 = 6'h0e;
  assign _zz_build_bytes_14_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_15 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_15_1 = (! build_first);
  assign _zz_build_bytes_15_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_15_3 = (! build_first);
  assign _zz_build_bytes_15_4 = 6'h0f;
  assign _zz_build_bytes_15_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_16 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_16_1 = (! build_first);
  assign _zz_build_bytes_16_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_16_3 = (! build_first);
  assign _zz_build_bytes_16_4 = 6'h10;
  assign _zz_build_bytes_16_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_17 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_17_1 = (! build_first);
  assign _zz_build_bytes_17_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_17_3 = (! build_first);
  assign _zz_build_bytes_17_4 = 6'h11;
  assign _zz_build_bytes_17_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_18 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_18_1 = (! build_first);
  assign _zz_build_bytes_18_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_18_3 = (! build_first);
  assign _zz_build_bytes_18_4 = 6'h12;
  assign _zz_build_bytes_18_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_19 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_19_1 = (! build_first);
  assign _zz_build_bytes_19_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_19_3 = (! build_first);
  assign _zz_build_bytes_19_4 = 6'h13;
  assign _zz_build_bytes_19_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_20 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_20_1 = (! build_first);
  assign _zz_build_bytes_20_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_20_3 = (! build_first);
  assign _zz_build_bytes_20_4 = 6'h14;
  assign _zz_build_bytes_20_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_21 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_21_1 = (! build_first);
  assign _zz_build_bytes_21_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_21_3 = (! build_first);
  assign _zz_build_bytes_21_4 = 6'h15;
  assign _zz_build_bytes_21_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_22 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_22_1 = (! build_first);
  assign _zz_build_bytes_22_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_22_3 = (! build_first);
  assign _zz_build_bytes_22_4 = 6'h16;
  assign _zz_build_bytes_22_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_23 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_23_1 = (! build_first);
  assign _zz_build_bytes_23_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_23_3 = (! build_first);
  assign _zz_build_bytes_23_4 = 6'h17;
  assign _zz_build_bytes_23_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_24 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_24_1 = (! build_first);
  assign _zz_build_bytes_24_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_24_3 = (! build_first);
  assign _zz_build_bytes_24_4 = 6'h18;
  assign _zz_build_bytes_24_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_25 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_25_1 = (! build_first);
  assign _zz_build_bytes_25_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_25_3 = (! build_first);
  assign _zz_build_bytes_25_4 = 6'h19;
  assign _zz_build_bytes_25_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_26 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_26_1 = (! build_first);
  assign _zz_build_bytes_26_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_26_3 = (! build_first);
  assign _zz_build_bytes_26_4 = 6'h1a;
  assign _zz_build_bytes_26_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_27 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_27_1 = (! build_first);
  assign _zz_build_bytes_27_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_27_3 = (! build_first);
  assign _zz_build_bytes_27_4 = 6'h1b;
  assign _zz_build_bytes_27_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_28 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_28_1 = (! build_first);
  assign _zz_build_bytes_28_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_28_3 = (! build_first);
  assign _zz_build_bytes_28_4 = 6'h1c;
  assign _zz_build_bytes_28_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_29 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_29_1 = (! build_first);
  assign _zz_build_bytes_29_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_29_3 = (! build_first);
  assign _zz_build_bytes_29_4 = 6'h1d;
  assign _zz_build_bytes_29_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_30 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_30_1 = (! build_first);
  assign _zz_build_bytes_30_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_30_3 = (! build_first);
  assign _zz_build_bytes_30_4 = 6'h1e;
  assign _zz_build_bytes_30_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_31 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_31_1 = (! build_first);
  assign _zz_build_bytes_31_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_31_3 = (! build_first);
  assign _zz_build_bytes_31_4 = 6'h1f;
  assign _zz_build_bytes_31_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_32 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_32_1 = (! build_first);
  assign _zz_build_bytes_32_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_32_3 = (! build_first);
  assign _zz_build_bytes_32_4 = 6'h20;
  assign _zz_build_bytes_32_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_33 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_33_1 = (! build_first);
  assign _zz_build_bytes_33_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_33_3 = (! build_first);
  assign _zz_build_bytes_33_4 = 6'h21;
  assign _zz_build_bytes_33_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_34 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_34_1 = (! build_first);
  assign _zz_build_bytes_34_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_34_3 = (! build_first);
  assign _zz_build_bytes_34_4 = 6'h22;
  assign _zz_build_bytes_34_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_35 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_35_1 = (! build_first);
  assign _zz_build_bytes_35_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_35_3 = (! build_first);
  assign _zz_build_bytes_35_4 = 6'h23;
  assign _zz_build_bytes_35_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_36 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_36_1 = (! build_first);
  assign _zz_build_bytes_36_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_36_3 = (! build_first);
  assign _zz_build_bytes_36_4 = 6'h24;
  assign _zz_build_bytes_36_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_37 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_37_1 = (! build_first);
  assign _zz_build_bytes_37_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_37_3 = (! build_first);
  assign _zz_build_bytes_37_4 = 6'h25;
  assign _zz_build_bytes_37_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_38 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_38_1 = (! build_first);
  assign _zz_build_bytes_38_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_38_3 = (! build_first);
  assign _zz_build_bytes_38_4 = 6'h26;
  assign _zz_build_bytes_38_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_39 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_39_1 = (! build_first);
  assign _zz_build_bytes_39_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_39_3 = (! build_first);
  assign _zz_build_bytes_39_4 = 6'h27;
  assign _zz_build_bytes_39_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_40 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_40_1 = (! build_first);
  assign _zz_build_bytes_40_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_40_3 = (! build_first);
  assign _zz_build_bytes_40_4 = 6'h28;
  assign _zz_build_bytes_40_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_41 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_41_1 = (! build_first);
  assign _zz_build_bytes_41_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_41_3 = (! build_first);
  assign _zz_build_bytes_41_4 = 6'h29;
  assign _zz_build_bytes_41_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_42 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_42_1 = (! build_first);
  assign _zz_build_bytes_42_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_42_3 = (! build_first);
  assign _zz_build_bytes_42_4 = 6'h2a;
  assign _zz_build_bytes_42_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_43 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_43_1 = (! build_first);
  assign _zz_build_bytes_43_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_43_3 = (! build_first);
  assign _zz_build_bytes_43_4 = 6'h2b;
  assign _zz_build_bytes_43_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_44 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_44_1 = (! build_first);
  assign _zz_build_bytes_44_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_44_3 = (! build_first);
  assign _zz_build_bytes_44_4 = 6'h2c;
  assign _zz_build_bytes_44_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_45 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_45_1 = (! build_first);
  assign _zz_build_bytes_45_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_45_3 = (! build_first);
  assign _zz_build_bytes_45_4 = 6'h2d;
  assign _zz_build_bytes_45_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_46 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_46_1 = (! build_first);
  assign _zz_build_bytes_46_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_46_3 = (! build_first);
  assign _zz_build_bytes_46_4 = 6'h2e;
  assign _zz_build_bytes_46_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_47 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_47_1 = (! build_first);
  assign _zz_build_bytes_47_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_47_3 = (! build_first);
  assign _zz_build_bytes_47_4 = 6'h2f;
  assign _zz_build_bytes_47_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_48 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_48_1 = (! build_first);
  assign _zz_build_bytes_48_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_48_3 = (! build_first);
  assign _zz_build_bytes_48_4 = 6'h30;
  assign _zz_build_bytes_48_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_49 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_49_1 = (! build_first);
  assign _zz_build_bytes_49_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_49_3 = (! build_first);
  assign _zz_build_bytes_49_4 = 6'h31;
  assign _zz_build_bytes_49_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_50 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_50_1 = (! build_first);
  assign _zz_build_bytes_50_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_50_3 = (! build_first);
  assign _zz_build_bytes_50_4 = 6'h32;
  assign _zz_build_bytes_50_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_51 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_51_1 = (! build_first);
  assign _zz_build_bytes_51_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_51_3 = (! build_first);
  assign _zz_build_bytes_51_4 = 6'h33;
  assign _zz_build_bytes_51_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_52 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_52_1 = (! build_first);
  assign _zz_build_bytes_52_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_52_3 = (! build_first);
  assign _zz_build_bytes_52_4 = 6'h34;
  assign _zz_build_bytes_52_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_53 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_53_1 = (! build_first);
  assign _zz_build_bytes_53_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_53_3 = (! build_first);
  assign _zz_build_bytes_53_4 = 6'h35;
  assign _zz_build_bytes_53_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_54 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_54_1 = (! build_first);
  assign _zz_build_bytes_54_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_54_3 = 1'b1;
  assign _zz_build_bytes_54_4 = 6'h36;
  assign _zz_build_bytes_54_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_55 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_55_1 = (! build_first);
  assign _zz_build_bytes_55_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_55_3 = 1'b1;
  assign _zz_build_bytes_55_4 = 6'h37;
  assign _zz_build_bytes_55_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_56 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_56_1 = (! build_first);
  assign _zz_build_bytes_56_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_56_3 = 1'b1;
  assign _zz_build_bytes_56_4 = 6'h38;
  assign _zz_build_bytes_56_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_57 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_57_1 = (! build_first);
  assign _zz_build_bytes_57_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_57_3 = 1'b1;
  assign _zz_build_bytes_57_4 = 6'h39;
  assign _zz_build_bytes_57_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_58 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_58_1 = 1'b1;
  assign _zz_build_bytes_58_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_58_3 = 1'b1;
  assign _zz_build_bytes_58_4 = 6'h3a;
  assign _zz_build_bytes_58_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_59 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_59_1 = 1'b1;
  assign _zz_build_bytes_59_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_59_3 = 1'b1;
  assign _zz_build_bytes_59_4 = 6'h3b;
  assign _zz_build_bytes_59_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_60 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_60_1 = 1'b1;
  assign _zz_build_bytes_60_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_60_3 = 1'b1;
  assign _zz_build_bytes_60_4 = 6'h3c;
  assign _zz_build_bytes_60_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_61 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_61_1 = 1'b1;
  assign _zz_build_bytes_61_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_61_3 = 1'b1;
  assign _zz_build_bytes_61_4 = 6'h3d;
  assign _zz_build_bytes_61_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_62 = (prepared_payload_start == 1'b1);
  assign _zz_build_bytes_62_1 = 1'b1;
  assign _zz_build_bytes_62_2 = (prepared_payload_start == 1'b0);
  assign _zz_build_bytes_62_3 = 1'b1;
  assign _zz_build_bytes_62_4 = 6'h3e;
  assign _zz_build_bytes_62_5 = prepared_payload_until[5 : 0];
  assign _zz_build_bytes_63 = 1'b1;
  assign _zz_build_bytes_63_1 = 1'b0;
  assign _zz_build_out_payload_data = {build_bytes_47,{build_bytes_46,{build_bytes_45,{build_bytes_44,{build_bytes_43,{build_bytes_42,{build_bytes_41,{build_bytes_40,{build_bytes_39,{build_bytes_38,{build_bytes_37,{build_bytes_36,{build_bytes_35,{build_bytes_34,{build_bytes_33,{build_bytes_32,_zz_build_out_payload_data_1}}}}}}}}}}}}}}}};
  assign _zz_build_out_payload_data_1 = {build_bytes_31,{build_bytes_30,{build_bytes_29,{build_bytes_28,{build_bytes_27,{build_bytes_26,{build_bytes_25,{build_bytes_24,{build_bytes_23,{build_bytes_22,{build_bytes_21,{build_bytes_20,{build_bytes_19,{build_bytes_18,{build_bytes_17,{build_bytes_16,_zz_build_out_payload_data_2}}}}}}}}}}}}}}}};
  assign _zz_build_out_payload_data_2 = {build_bytes_15,{build_bytes_14,{build_bytes_13,{build_bytes_12,{build_bytes_11,{build_bytes_10,{build_bytes_9,{build_bytes_8,{build_bytes_7,{build_bytes_6,{build_bytes_5,{build_bytes_4,{build_bytes_3,{build_bytes_2,{build_bytes_1,build_bytes_0}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data = build_out_payload_data[439 : 432];
  assign _zz__zz_io_beats_payload_data_1 = {build_out_payload_data[431 : 424],{build_out_payload_data[423 : 416],{build_out_payload_data[415 : 408],{build_out_payload_data[407 : 400],{build_out_payload_data[399 : 392],{build_out_payload_data[391 : 384],{build_out_payload_data[383 : 376],{8'hff,{build_out_payload_data[367 : 360],{build_out_payload_data[359 : 352],{build_out_payload_data[351 : 344],{build_out_payload_data[343 : 336],{8'hff,{8'hff,{build_out_payload_data[319 : 312],{_zz__zz_io_beats_payload_data_2,_zz__zz_io_beats_payload_data_3}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_2 = build_out_payload_data[311 : 304];
  assign _zz__zz_io_beats_payload_data_3 = {build_out_payload_data[303 : 296],{build_out_payload_data[295 : 288],{build_out_payload_data[287 : 280],{build_out_payload_data[279 : 272],{build_out_payload_data[271 : 264],{build_out_payload_data[263 : 256],{build_out_payload_data[255 : 248],{build_out_payload_data[247 : 240],{build_out_payload_data[239 : 232],{build_out_payload_data[231 : 224],{build_out_payload_data[223 : 216],{build_out_payload_data[215 : 208],{8'hff,{8'hff,{build_out_payload_data[191 : 184],{_zz__zz_io_beats_payload_data_4,_zz__zz_io_beats_payload_data_5}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_4 = 8'hff;
  assign _zz__zz_io_beats_payload_data_5 = {build_out_payload_data[175 : 168],{build_out_payload_data[167 : 160],{build_out_payload_data[159 : 152],{build_out_payload_data[151 : 144],{build_out_payload_data[143 : 136],{build_out_payload_data[135 : 128],{8'hff,{build_out_payload_data[119 : 112],{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{8'hff,{_zz__zz_io_beats_payload_data_6,_zz__zz_io_beats_payload_data_7}}}}}}}}}}}}}}}};
  assign _zz__zz_io_beats_payload_data_6 = 8'hff;
  assign _zz__zz_io_beats_payload_data_7 = {8'h0,{8'h0,{8'h0,{8'h0,{8'h0,8'h0}}}}};
  assign _zz_io_frames_payload_data = {leaving_bytes_47,{leaving_bytes_46,{leaving_bytes_45,{leaving_bytes_44,{leaving_bytes_43,{leaving_bytes_42,{leaving_bytes_41,{leaving_bytes_40,{leaving_bytes_39,{leaving_bytes_38,{leaving_bytes_37,{leaving_bytes_36,{leaving_bytes_35,{leaving_bytes_34,{leaving_bytes_33,{leaving_bytes_32,_zz_io_frames_payload_data_1}}}}}}}}}}}}}}}};
  assign _zz_io_frames_payload_data_1 = {leaving_bytes_31,{leaving_bytes_30,{leaving_bytes_29,{leaving_bytes_28,{leaving_bytes_27,{leaving_bytes_26,{leaving_bytes_25,{leaving_bytes_24,{leaving_bytes_23,{leaving_bytes_22,{leaving_bytes_21,{leaving_bytes_20,{leaving_bytes_19,{leaving_bytes_18,{leaving_bytes_17,{leaving_bytes_16,_zz_io_frames_payload_data_2}}}}}}}}}}}}}}}};
  assign _zz_io_frames_payload_data_2 = {leaving_bytes_15,{leaving_bytes_14,{leaving_bytes_13,{leaving_bytes_12,{leaving_bytes_11,{leaving_bytes_10,{leaving_bytes_9,{leaving_bytes_8,{leaving_bytes_7,{leaving_bytes_6,{leaving_bytes_5,{leaving_bytes_4,{leaving_bytes_3,{leaving_bytes_2,{leaving_bytes_1,leaving_bytes_0}}}}}}}}}}}}}}};
  PayloadShift shift (
    .io_start   (prepared_payload_start        ), //i
    .io_payload (io_payload_payload_data[511:0]), //i
    .io_taken   (build_takes                   ), //i
    .io_shifted (shift_io_shifted[511:0]       ), //o
    .clk        (clk                           ), //i
    .reset      (reset                         )  //i
  );
  IcrcRegister summed_register (
    .io_beats_valid         (_zz_io_beats_valid                   ), //i
    .io_beats_payload_data  (_zz_io_beats_payload_data[511:0]     ), //i
    .io_beats_payload_first (build_first_regNextWhen              ), //i
    .io_beats_payload_last  (build_out_payload_covered_regNextWhen), //i
    .io_sums_valid          (summed_register_io_sums_valid        ), //o
    .io_sums_payload        (summed_register_io_sums_payload[31:0]), //o
    .clk                    (clk                                  ), //i
    .reset                  (reset                                )  //i
  );
  StreamFifo summed_queue (
    .io_push_valid   (summed_half_valid_regNext        ), //i
    .io_push_ready   (summed_queue_io_push_ready       ), //o
    .io_push_payload (_zz_io_push_payload_3[31:0]      ), //i
    .io_pop_valid    (summed_queue_io_pop_valid        ), //o
    .io_pop_ready    (summed_queue_io_pop_ready        ), //i
    .io_pop_payload  (summed_queue_io_pop_payload[31:0]), //o
    .io_flush        (1'b0                             ), //i
    .clk             (clk                              ), //i
    .reset           (reset                            )  //i
  );
  StreamFifo_1 leaving_queue (
    .io_push_valid           (build_out_valid                         ), //i
    .io_push_ready           (leaving_queue_io_push_ready             ), //o
    .io_push_payload_data    (build_out_payload_data[511:0]           ), //i
    .io_push_payload_last    (build_out_payload_last                  ), //i
    .io_push_payload_covered (build_out_payload_covered               ), //i
    .io_push_payload_word    (build_out_payload_word[3:0]             ), //i
    .io_push_payload_failed  (build_out_payload_failed                ), //i
    .io_pop_valid            (leaving_queue_io_pop_valid              ), //o
    .io_pop_ready            (leaving_queue_io_pop_ready              ), //i
    .io_pop_payload_data     (leaving_queue_io_pop_payload_data[511:0]), //o
    .io_pop_payload_last     (leaving_queue_io_pop_payload_last       ), //o
    .io_pop_payload_covered  (leaving_queue_io_pop_payload_covered    ), //o
    .io_pop_payload_word     (leaving_queue_io_pop_payload_word[3:0]  ), //o
    .io_pop_payload_failed   (leaving_queue_io_pop_payload_failed     ), //o
    .io_flush                (1'b0                                    ), //i
    .clk                     (clk                                     ), //i
    .reset                   (reset                                   )  //i
  );
  assign _zz_ours = ({1'b0,18'h0c511} + _zz__zz_ours);
  assign _zz_io_departures_map_payload_start = ((((|{(io_departures_payload_opcode == _zz__zz_io_departures_map_payload_start),(io_departures_payload_opcode == _zz__zz_io_departures_map_payload_start_1)}) ? 5'h0 : 5'h0) | ((|{(io_departures_payload_opcode == _zz__zz_io_departures_map_payload_start_2),{_zz__zz_io_departures_map_payload_start_3,{_zz__zz_io_departures_map_payload_start_4,_zz__zz_io_departures_map_payload_start_5}}}) ? 5'h04 : 5'h0)) | ((|(io_departures_payload_opcode == 8'h12)) ? 5'h0c : 5'h0));
  assign _zz_io_departures_map_payload_notification = (io_departures_payload_opcode == 8'h81);
  assign _zz_io_departures_map_payload_end = ({_zz__zz_io_departures_map_payload_end,2'b00} + _zz__zz_io_departures_map_payload_end_3);
  assign io_departures_map_valid = io_departures_valid;
  assign io_departures_ready = io_departures_map_ready;
  assign io_departures_map_payload_departure_dstMac = io_departures_payload_dstMac;
  assign io_departures_map_payload_departure_dstIp = io_departures_payload_dstIp;
  assign io_departures_map_payload_departure_srcPort = io_departures_payload_srcPort;
  assign io_departures_map_payload_departure_opcode = io_departures_payload_opcode;
  assign io_departures_map_payload_departure_pkey = io_departures_payload_pkey;
  assign io_departures_map_payload_departure_destQp = io_departures_payload_destQp;
  assign io_departures_map_payload_departure_psn = io_departures_payload_psn;
  assign io_departures_map_payload_departure_ackRequest = io_departures_payload_ackRequest;
  assign io_departures_map_payload_departure_syndrome = io_departures_payload_syndrome;
  assign io_departures_map_payload_departure_msn = io_departures_payload_msn;
  assign io_departures_map_payload_departure_original = io_departures_payload_original;
  assign io_departures_map_payload_start = (1'b0 | ((_zz_io_departures_map_payload_start == 5'h04) ? 1'b1 : 1'b0));
  assign io_departures_map_payload_pad = (2'b00 - io_departures_payload_payload[1 : 0]);
  assign io_departures_map_payload_until = (_zz_io_departures_map_payload_until + _zz_io_departures_map_payload_until_1);
  assign io_departures_map_payload_end = _zz_io_departures_map_payload_end;
  assign io_departures_map_payload_beats = _zz_io_departures_map_payload_beats[13 : 6];
  assign io_departures_map_payload_hasAeth = (_zz_io_departures_map_payload_start != 5'h0);
  assign io_departures_map_payload_isAtomic = (io_departures_payload_opcode == 8'h12);
  assign io_departures_map_payload_notification = _zz_io_departures_map_payload_notification;
  assign io_departures_map_payload_sum = ({1'b0,_zz_io_departures_map_payload_sum} + {1'b0,_zz_io_departures_map_payload_sum_1});
  always @(*) begin
    io_departures_map_ready = prepared_ready;
    if((! prepared_valid)) begin
      io_departures_map_ready = 1'b1;
    end
  end

  assign prepared_valid = io_departures_map_rValid;
  assign prepared_payload_departure_dstMac = io_departures_map_rData_departure_dstMac;
  assign prepared_payload_departure_dstIp = io_departures_map_rData_departure_dstIp;
  assign prepared_payload_departure_srcPort = io_departures_map_rData_departure_srcPort;
  assign prepared_payload_departure_opcode = io_departures_map_rData_departure_opcode;
  assign prepared_payload_departure_pkey = io_departures_map_rData_departure_pkey;
  assign prepared_payload_departure_destQp = io_departures_map_rData_departure_destQp;
  assign prepared_payload_departure_psn = io_departures_map_rData_departure_psn;
  assign prepared_payload_departure_ackRequest = io_departures_map_rData_departure_ackRequest;
  assign prepared_payload_departure_syndrome = io_departures_map_rData_departure_syndrome;
  assign prepared_payload_departure_msn = io_departures_map_rData_departure_msn;
  assign prepared_payload_departure_original = io_departures_map_rData_departure_original;
  assign prepared_payload_start = io_departures_map_rData_start;
  assign prepared_payload_pad = io_departures_map_rData_pad;
  assign prepared_payload_until = io_departures_map_rData_until;
  assign prepared_payload_end = io_departures_map_rData_end;
  assign prepared_payload_beats = io_departures_map_rData_beats;
  assign prepared_payload_hasAeth = io_departures_map_rData_hasAeth;
  assign prepared_payload_isAtomic = io_departures_map_rData_isAtomic;
  assign prepared_payload_notification = io_departures_map_rData_notification;
  assign prepared_payload_sum = io_departures_map_rData_sum;
  assign build_first = (build_index == 8'h0);
  assign build_second = (build_index == 8'h01);
  assign build_carries = (prepared_payload_beats != 8'h0);
  assign build_waits = (build_first && 1'b0);
  assign build_wants = ((build_taken != prepared_payload_beats) && (! build_waits));
  assign build_valid = (prepared_valid && ((! build_wants) || io_payload_valid));
  assign build_out_valid = build_valid;
  assign io_payload_ready = ((prepared_valid && build_wants) && build_out_ready);
  assign build_takes = (io_payload_valid && io_payload_ready);
  assign build_covered = (build_index == prepared_payload_end[13 : 6]);
  assign build_word = prepared_payload_end[5 : 2];
  assign build_last = (build_index == _zz_build_last[13 : 6]);
  assign build_atEnd = (build_index == prepared_payload_until[13 : 6]);
  assign build_pastEnd = (prepared_payload_until[13 : 6] < build_index);
  always @(*) begin
    _zz_build_bytes_0 = 528'h0;
    _zz_build_bytes_0[7 : 0] = prepared_payload_departure_dstMac[47 : 40];
    _zz_build_bytes_0[15 : 8] = prepared_payload_departure_dstMac[39 : 32];
    _zz_build_bytes_0[23 : 16] = prepared_payload_departure_dstMac[31 : 24];
    _zz_build_bytes_0[31 : 24] = prepared_payload_departure_dstMac[23 : 16];
    _zz_build_bytes_0[39 : 32] = prepared_payload_departure_dstMac[15 : 8];
    _zz_build_bytes_0[47 : 40] = prepared_payload_departure_dstMac[7 : 0];
    _zz_build_bytes_0[55 : 48] = io_local_mac[47 : 40];
    _zz_build_bytes_0[63 : 56] = io_local_mac[39 : 32];
    _zz_build_bytes_0[71 : 64] = io_local_mac[31 : 24];
    _zz_build_bytes_0[79 : 72] = io_local_mac[23 : 16];
    _zz_build_bytes_0[87 : 80] = io_local_mac[15 : 8];
    _zz_build_bytes_0[95 : 88] = io_local_mac[7 : 0];
    _zz_build_bytes_0[103 : 96] = _zz_build_bytes_0_1[15 : 8];
    _zz_build_bytes_0[111 : 104] = _zz_build_bytes_0_1[7 : 0];
    _zz_build_bytes_0[119 : 112] = _zz_build_bytes_0_2[15 : 8];
    _zz_build_bytes_0[127 : 120] = _zz_build_bytes_0_2[7 : 0];
    _zz_build_bytes_0[135 : 128] = _zz_build_bytes_0_5[15 : 8];
    _zz_build_bytes_0[143 : 136] = _zz_build_bytes_0_5[7 : 0];
    _zz_build_bytes_0[167 : 160] = _zz_build_bytes_0_6[15 : 8];
    _zz_build_bytes_0[175 : 168] = _zz_build_bytes_0_6[7 : 0];
    _zz_build_bytes_0[183 : 176] = _zz_build_bytes_0_7[15 : 8];
    _zz_build_bytes_0[191 : 184] = _zz_build_bytes_0_7[7 : 0];
    _zz_build_bytes_0[199 : 192] = _zz_build_bytes_0_8[15 : 8];
    _zz_build_bytes_0[207 : 200] = _zz_build_bytes_0_8[7 : 0];
    _zz_build_bytes_0[215 : 208] = io_local_ip[31 : 24];
    _zz_build_bytes_0[223 : 216] = io_local_ip[23 : 16];
    _zz_build_bytes_0[231 : 224] = io_local_ip[15 : 8];
    _zz_build_bytes_0[239 : 232] = io_local_ip[7 : 0];
    _zz_build_bytes_0[247 : 240] = prepared_payload_departure_dstIp[31 : 24];
    _zz_build_bytes_0[255 : 248] = prepared_payload_departure_dstIp[23 : 16];
    _zz_build_bytes_0[263 : 256] = prepared_payload_departure_dstIp[15 : 8];
    _zz_build_bytes_0[271 : 264] = prepared_payload_departure_dstIp[7 : 0];
    _zz_build_bytes_0[279 : 272] = prepared_payload_departure_srcPort[15 : 8];
    _zz_build_bytes_0[287 : 280] = prepared_payload_departure_srcPort[7 : 0];
    _zz_build_bytes_0[295 : 288] = _zz_build_bytes_0_9[15 : 8];
    _zz_build_bytes_0[303 : 296] = _zz_build_bytes_0_9[7 : 0];
    _zz_build_bytes_0[311 : 304] = _zz_build_bytes_0_10[15 : 8];
    _zz_build_bytes_0[319 : 312] = _zz_build_bytes_0_10[7 : 0];
    _zz_build_bytes_0[343 : 336] = prepared_payload_departure_opcode[7 : 0];
    _zz_build_bytes_0[351 : 344] = _zz__zz_build_bytes_0[7 : 0];
    _zz_build_bytes_0[359 : 352] = prepared_payload_departure_pkey[15 : 8];
    _zz_build_bytes_0[367 : 360] = prepared_payload_departure_pkey[7 : 0];
    _zz_build_bytes_0[375 : 368] = _zz__zz_build_bytes_0_1[7 : 0];
    _zz_build_bytes_0[383 : 376] = _zz_build_bytes_0_11[23 : 16];
    _zz_build_bytes_0[391 : 384] = _zz_build_bytes_0_11[15 : 8];
    _zz_build_bytes_0[399 : 392] = _zz_build_bytes_0_11[7 : 0];
    _zz_build_bytes_0[407 : 400] = _zz__zz_build_bytes_0_2[7 : 0];
    _zz_build_bytes_0[415 : 408] = _zz_build_bytes_0_12[23 : 16];
    _zz_build_bytes_0[423 : 416] = _zz_build_bytes_0_12[15 : 8];
    _zz_build_bytes_0[431 : 424] = _zz_build_bytes_0_12[7 : 0];
    _zz_build_bytes_0[439 : 432] = _zz__zz_build_bytes_0_4[7 : 0];
    _zz_build_bytes_0[447 : 440] = _zz_build_bytes_0_13[23 : 16];
    _zz_build_bytes_0[455 : 448] = _zz_build_bytes_0_13[15 : 8];
    _zz_build_bytes_0[463 : 456] = _zz_build_bytes_0_13[7 : 0];
    _zz_build_bytes_0[471 : 464] = _zz_build_bytes_0_14[63 : 56];
    _zz_build_bytes_0[479 : 472] = _zz_build_bytes_0_14[55 : 48];
    _zz_build_bytes_0[487 : 480] = _zz_build_bytes_0_14[47 : 40];
    _zz_build_bytes_0[495 : 488] = _zz_build_bytes_0_14[39 : 32];
    _zz_build_bytes_0[503 : 496] = _zz_build_bytes_0_14[31 : 24];
    _zz_build_bytes_0[511 : 504] = _zz_build_bytes_0_14[23 : 16];
    _zz_build_bytes_0[519 : 512] = _zz_build_bytes_0_14[15 : 8];
    _zz_build_bytes_0[527 : 520] = _zz_build_bytes_0_14[7 : 0];
  end

  assign _zz_build_bytes_0_1 = 16'h0800;
  assign _zz_build_bytes_0_2 = 16'h4500;
  assign _zz_build_bytes_0_3 = ({1'b0,prepared_payload_sum[15 : 0]} + {1'b0,_zz__zz_build_bytes_0_3});
  assign _zz_build_bytes_0_4 = (prepared_payload_end - 14'h000a);
  assign _zz_build_bytes_0_5 = _zz__zz_build_bytes_0_5;
  assign _zz_build_bytes_0_6 = 16'h4000;
  assign _zz_build_bytes_0_7 = 16'h4011;
  assign _zz_build_bytes_0_8 = (~ _zz__zz_build_bytes_0_8);
  assign _zz_build_bytes_0_9 = 16'h12b7;
  assign _zz_build_bytes_0_10 = _zz__zz_build_bytes_0_10;
  assign _zz_build_bytes_0_11 = prepared_payload_departure_destQp;
  assign _zz_build_bytes_0_12 = prepared_payload_departure_psn;
  assign _zz_build_bytes_0_13 = (prepared_payload_hasAeth ? prepared_payload_departure_msn : 24'h0);
  assign _zz_build_bytes_0_14 = (prepared_payload_isAtomic ? prepared_payload_departure_original : 64'h0);
  assign build_bytes_0 = (((build_first ? _zz_build_bytes_0[7 : 0] : 8'h0) | ((((|{_zz_build_bytes_0_15,_zz_build_bytes_0_16}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! _zz_build_bytes_0_17))))) ? shift_io_shifted[7 : 0] : 8'h0)) | (build_second ? _zz_build_bytes_0[519 : 512] : 8'h0));
  assign build_bytes_1 = (((build_first ? _zz_build_bytes_0[15 : 8] : 8'h0) | ((((|{_zz_build_bytes_1,_zz_build_bytes_1_1}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! _zz_build_bytes_1_2))))) ? shift_io_shifted[15 : 8] : 8'h0)) | (build_second ? _zz_build_bytes_0[527 : 520] : 8'h0));
  assign build_bytes_2 = ((build_first ? _zz_build_bytes_0[23 : 16] : 8'h0) | ((((|{(_zz_build_bytes_2 && _zz_build_bytes_2_1),(_zz_build_bytes_2_2 && _zz_build_bytes_2_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_2_4 < _zz_build_bytes_2_5)))))) ? shift_io_shifted[23 : 16] : 8'h0));
  assign build_bytes_3 = ((build_first ? _zz_build_bytes_0[31 : 24] : 8'h0) | ((((|{(_zz_build_bytes_3 && _zz_build_bytes_3_1),(_zz_build_bytes_3_2 && _zz_build_bytes_3_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_3_4 < _zz_build_bytes_3_5)))))) ? shift_io_shifted[31 : 24] : 8'h0));
  assign build_bytes_4 = ((build_first ? _zz_build_bytes_0[39 : 32] : 8'h0) | ((((|{(_zz_build_bytes_4 && _zz_build_bytes_4_1),(_zz_build_bytes_4_2 && _zz_build_bytes_4_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_4_4 < _zz_build_bytes_4_5)))))) ? shift_io_shifted[39 : 32] : 8'h0));
  assign build_bytes_5 = ((build_first ? _zz_build_bytes_0[47 : 40] : 8'h0) | ((((|{(_zz_build_bytes_5 && _zz_build_bytes_5_1),(_zz_build_bytes_5_2 && _zz_build_bytes_5_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_5_4 < _zz_build_bytes_5_5)))))) ? shift_io_shifted[47 : 40] : 8'h0));
  assign build_bytes_6 = ((build_first ? _zz_build_bytes_0[55 : 48] : 8'h0) | ((((|{(_zz_build_bytes_6 && _zz_build_bytes_6_1),(_zz_build_bytes_6_2 && _zz_build_bytes_6_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_6_4 < _zz_build_bytes_6_5)))))) ? shift_io_shifted[55 : 48] : 8'h0));
  assign build_bytes_7 = ((build_first ? _zz_build_bytes_0[63 : 56] : 8'h0) | ((((|{(_zz_build_bytes_7 && _zz_build_bytes_7_1),(_zz_build_bytes_7_2 && _zz_build_bytes_7_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_7_4 < _zz_build_bytes_7_5)))))) ? shift_io_shifted[63 : 56] : 8'h0));
  assign build_bytes_8 = ((build_first ? _zz_build_bytes_0[71 : 64] : 8'h0) | ((((|{(_zz_build_bytes_8 && _zz_build_bytes_8_1),(_zz_build_bytes_8_2 && _zz_build_bytes_8_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_8_4 < _zz_build_bytes_8_5)))))) ? shift_io_shifted[71 : 64] : 8'h0));
  assign build_bytes_9 = ((build_first ? _zz_build_bytes_0[79 : 72] : 8'h0) | ((((|{(_zz_build_bytes_9 && _zz_build_bytes_9_1),(_zz_build_bytes_9_2 && _zz_build_bytes_9_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_9_4 < _zz_build_bytes_9_5)))))) ? shift_io_shifted[79 : 72] : 8'h0));
  assign build_bytes_10 = ((build_first ? _zz_build_bytes_0[87 : 80] : 8'h0) | ((((|{(_zz_build_bytes_10 && _zz_build_bytes_10_1),(_zz_build_bytes_10_2 && _zz_build_bytes_10_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_10_4 < _zz_build_bytes_10_5)))))) ? shift_io_shifted[87 : 80] : 8'h0));
  assign build_bytes_11 = ((build_first ? _zz_build_bytes_0[95 : 88] : 8'h0) | ((((|{(_zz_build_bytes_11 && _zz_build_bytes_11_1),(_zz_build_bytes_11_2 && _zz_build_bytes_11_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_11_4 < _zz_build_bytes_11_5)))))) ? shift_io_shifted[95 : 88] : 8'h0));
  assign build_bytes_12 = ((build_first ? _zz_build_bytes_0[103 : 96] : 8'h0) | ((((|{(_zz_build_bytes_12 && _zz_build_bytes_12_1),(_zz_build_bytes_12_2 && _zz_build_bytes_12_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_12_4 < _zz_build_bytes_12_5)))))) ? shift_io_shifted[103 : 96] : 8'h0));
  assign build_bytes_13 = ((build_first ? _zz_build_bytes_0[111 : 104] : 8'h0) | ((((|{(_zz_build_bytes_13 && _zz_build_bytes_13_1),(_zz_build_bytes_13_2 && _zz_build_bytes_13_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_13_4 < _zz_build_bytes_13_5)))))) ? shift_io_shifted[111 : 104] : 8'h0));
  assign build_bytes_14 = ((build_first ? _zz_build_bytes_0[119 : 112] : 8'h0) | ((((|{(_zz_build_bytes_14 && _zz_build_bytes_14_1),(_zz_build_bytes_14_2 && _zz_build_bytes_14_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_14_4 < _zz_build_bytes_14_5)))))) ? shift_io_shifted[119 : 112] : 8'h0));
  assign build_bytes_15 = ((build_first ? _zz_build_bytes_0[127 : 120] : 8'h0) | ((((|{(_zz_build_bytes_15 && _zz_build_bytes_15_1),(_zz_build_bytes_15_2 && _zz_build_bytes_15_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_15_4 < _zz_build_bytes_15_5)))))) ? shift_io_shifted[127 : 120] : 8'h0));
  assign build_bytes_16 = ((build_first ? _zz_build_bytes_0[135 : 128] : 8'h0) | ((((|{(_zz_build_bytes_16 && _zz_build_bytes_16_1),(_zz_build_bytes_16_2 && _zz_build_bytes_16_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_16_4 < _zz_build_bytes_16_5)))))) ? shift_io_shifted[135 : 128] : 8'h0));
  assign build_bytes_17 = ((build_first ? _zz_build_bytes_0[143 : 136] : 8'h0) | ((((|{(_zz_build_bytes_17 && _zz_build_bytes_17_1),(_zz_build_bytes_17_2 && _zz_build_bytes_17_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_17_4 < _zz_build_bytes_17_5)))))) ? shift_io_shifted[143 : 136] : 8'h0));
  assign build_bytes_18 = ((build_first ? _zz_build_bytes_0[151 : 144] : 8'h0) | ((((|{(_zz_build_bytes_18 && _zz_build_bytes_18_1),(_zz_build_bytes_18_2 && _zz_build_bytes_18_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_18_4 < _zz_build_bytes_18_5)))))) ? shift_io_shifted[151 : 144] : 8'h0));
  assign build_bytes_19 = ((build_first ? _zz_build_bytes_0[159 : 152] : 8'h0) | ((((|{(_zz_build_bytes_19 && _zz_build_bytes_19_1),(_zz_build_bytes_19_2 && _zz_build_bytes_19_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_19_4 < _zz_build_bytes_19_5)))))) ? shift_io_shifted[159 : 152] : 8'h0));
  assign build_bytes_20 = ((build_first ? _zz_build_bytes_0[167 : 160] : 8'h0) | ((((|{(_zz_build_bytes_20 && _zz_build_bytes_20_1),(_zz_build_bytes_20_2 && _zz_build_bytes_20_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_20_4 < _zz_build_bytes_20_5)))))) ? shift_io_shifted[167 : 160] : 8'h0));
  assign build_bytes_21 = ((build_first ? _zz_build_bytes_0[175 : 168] : 8'h0) | ((((|{(_zz_build_bytes_21 && _zz_build_bytes_21_1),(_zz_build_bytes_21_2 && _zz_build_bytes_21_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_21_4 < _zz_build_bytes_21_5)))))) ? shift_io_shifted[175 : 168] : 8'h0));
  assign build_bytes_22 = ((build_first ? _zz_build_bytes_0[183 : 176] : 8'h0) | ((((|{(_zz_build_bytes_22 && _zz_build_bytes_22_1),(_zz_build_bytes_22_2 && _zz_build_bytes_22_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_22_4 < _zz_build_bytes_22_5)))))) ? shift_io_shifted[183 : 176] : 8'h0));
  assign build_bytes_23 = ((build_first ? _zz_build_bytes_0[191 : 184] : 8'h0) | ((((|{(_zz_build_bytes_23 && _zz_build_bytes_23_1),(_zz_build_bytes_23_2 && _zz_build_bytes_23_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_23_4 < _zz_build_bytes_23_5)))))) ? shift_io_shifted[191 : 184] : 8'h0));
  assign build_bytes_24 = ((build_first ? _zz_build_bytes_0[199 : 192] : 8'h0) | ((((|{(_zz_build_bytes_24 && _zz_build_bytes_24_1),(_zz_build_bytes_24_2 && _zz_build_bytes_24_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_24_4 < _zz_build_bytes_24_5)))))) ? shift_io_shifted[199 : 192] : 8'h0));
  assign build_bytes_25 = ((build_first ? _zz_build_bytes_0[207 : 200] : 8'h0) | ((((|{(_zz_build_bytes_25 && _zz_build_bytes_25_1),(_zz_build_bytes_25_2 && _zz_build_bytes_25_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_25_4 < _zz_build_bytes_25_5)))))) ? shift_io_shifted[207 : 200] : 8'h0));
  assign build_bytes_26 = ((build_first ? _zz_build_bytes_0[215 : 208] : 8'h0) | ((((|{(_zz_build_bytes_26 && _zz_build_bytes_26_1),(_zz_build_bytes_26_2 && _zz_build_bytes_26_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_26_4 < _zz_build_bytes_26_5)))))) ? shift_io_shifted[215 : 208] : 8'h0));
  assign build_bytes_27 = ((build_first ? _zz_build_bytes_0[223 : 216] : 8'h0) | ((((|{(_zz_build_bytes_27 && _zz_build_bytes_27_1),(_zz_build_bytes_27_2 && _zz_build_bytes_27_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_27_4 < _zz_build_bytes_27_5)))))) ? shift_io_shifted[223 : 216] : 8'h0));
  assign build_bytes_28 = ((build_first ? _zz_build_bytes_0[231 : 224] : 8'h0) | ((((|{(_zz_build_bytes_28 && _zz_build_bytes_28_1),(_zz_build_bytes_28_2 && _zz_build_bytes_28_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_28_4 < _zz_build_bytes_28_5)))))) ? shift_io_shifted[231 : 224] : 8'h0));
  assign build_bytes_29 = ((build_first ? _zz_build_bytes_0[239 : 232] : 8'h0) | ((((|{(_zz_build_bytes_29 && _zz_build_bytes_29_1),(_zz_build_bytes_29_2 && _zz_build_bytes_29_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_29_4 < _zz_build_bytes_29_5)))))) ? shift_io_shifted[239 : 232] : 8'h0));
  assign build_bytes_30 = ((build_first ? _zz_build_bytes_0[247 : 240] : 8'h0) | ((((|{(_zz_build_bytes_30 && _zz_build_bytes_30_1),(_zz_build_bytes_30_2 && _zz_build_bytes_30_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_30_4 < _zz_build_bytes_30_5)))))) ? shift_io_shifted[247 : 240] : 8'h0));
  assign build_bytes_31 = ((build_first ? _zz_build_bytes_0[255 : 248] : 8'h0) | ((((|{(_zz_build_bytes_31 && _zz_build_bytes_31_1),(_zz_build_bytes_31_2 && _zz_build_bytes_31_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_31_4 < _zz_build_bytes_31_5)))))) ? shift_io_shifted[255 : 248] : 8'h0));
  assign build_bytes_32 = ((build_first ? _zz_build_bytes_0[263 : 256] : 8'h0) | ((((|{(_zz_build_bytes_32 && _zz_build_bytes_32_1),(_zz_build_bytes_32_2 && _zz_build_bytes_32_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_32_4 < _zz_build_bytes_32_5)))))) ? shift_io_shifted[263 : 256] : 8'h0));
  assign build_bytes_33 = ((build_first ? _zz_build_bytes_0[271 : 264] : 8'h0) | ((((|{(_zz_build_bytes_33 && _zz_build_bytes_33_1),(_zz_build_bytes_33_2 && _zz_build_bytes_33_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_33_4 < _zz_build_bytes_33_5)))))) ? shift_io_shifted[271 : 264] : 8'h0));
  assign build_bytes_34 = ((build_first ? _zz_build_bytes_0[279 : 272] : 8'h0) | ((((|{(_zz_build_bytes_34 && _zz_build_bytes_34_1),(_zz_build_bytes_34_2 && _zz_build_bytes_34_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_34_4 < _zz_build_bytes_34_5)))))) ? shift_io_shifted[279 : 272] : 8'h0));
  assign build_bytes_35 = ((build_first ? _zz_build_bytes_0[287 : 280] : 8'h0) | ((((|{(_zz_build_bytes_35 && _zz_build_bytes_35_1),(_zz_build_bytes_35_2 && _zz_build_bytes_35_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_35_4 < _zz_build_bytes_35_5)))))) ? shift_io_shifted[287 : 280] : 8'h0));
  assign build_bytes_36 = ((build_first ? _zz_build_bytes_0[295 : 288] : 8'h0) | ((((|{(_zz_build_bytes_36 && _zz_build_bytes_36_1),(_zz_build_bytes_36_2 && _zz_build_bytes_36_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_36_4 < _zz_build_bytes_36_5)))))) ? shift_io_shifted[295 : 288] : 8'h0));
  assign build_bytes_37 = ((build_first ? _zz_build_bytes_0[303 : 296] : 8'h0) | ((((|{(_zz_build_bytes_37 && _zz_build_bytes_37_1),(_zz_build_bytes_37_2 && _zz_build_bytes_37_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_37_4 < _zz_build_bytes_37_5)))))) ? shift_io_shifted[303 : 296] : 8'h0));
  assign build_bytes_38 = ((build_first ? _zz_build_bytes_0[311 : 304] : 8'h0) | ((((|{(_zz_build_bytes_38 && _zz_build_bytes_38_1),(_zz_build_bytes_38_2 && _zz_build_bytes_38_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_38_4 < _zz_build_bytes_38_5)))))) ? shift_io_shifted[311 : 304] : 8'h0));
  assign build_bytes_39 = ((build_first ? _zz_build_bytes_0[319 : 312] : 8'h0) | ((((|{(_zz_build_bytes_39 && _zz_build_bytes_39_1),(_zz_build_bytes_39_2 && _zz_build_bytes_39_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_39_4 < _zz_build_bytes_39_5)))))) ? shift_io_shifted[319 : 312] : 8'h0));
  assign build_bytes_40 = ((build_first ? _zz_build_bytes_0[327 : 320] : 8'h0) | ((((|{(_zz_build_bytes_40 && _zz_build_bytes_40_1),(_zz_build_bytes_40_2 && _zz_build_bytes_40_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_40_4 < _zz_build_bytes_40_5)))))) ? shift_io_shifted[327 : 320] : 8'h0));
  assign build_bytes_41 = ((build_first ? _zz_build_bytes_0[335 : 328] : 8'h0) | ((((|{(_zz_build_bytes_41 && _zz_build_bytes_41_1),(_zz_build_bytes_41_2 && _zz_build_bytes_41_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_41_4 < _zz_build_bytes_41_5)))))) ? shift_io_shifted[335 : 328] : 8'h0));
  assign build_bytes_42 = ((build_first ? _zz_build_bytes_0[343 : 336] : 8'h0) | ((((|{(_zz_build_bytes_42 && _zz_build_bytes_42_1),(_zz_build_bytes_42_2 && _zz_build_bytes_42_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_42_4 < _zz_build_bytes_42_5)))))) ? shift_io_shifted[343 : 336] : 8'h0));
  assign build_bytes_43 = ((build_first ? _zz_build_bytes_0[351 : 344] : 8'h0) | ((((|{(_zz_build_bytes_43 && _zz_build_bytes_43_1),(_zz_build_bytes_43_2 && _zz_build_bytes_43_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_43_4 < _zz_build_bytes_43_5)))))) ? shift_io_shifted[351 : 344] : 8'h0));
  assign build_bytes_44 = ((build_first ? _zz_build_bytes_0[359 : 352] : 8'h0) | ((((|{(_zz_build_bytes_44 && _zz_build_bytes_44_1),(_zz_build_bytes_44_2 && _zz_build_bytes_44_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_44_4 < _zz_build_bytes_44_5)))))) ? shift_io_shifted[359 : 352] : 8'h0));
  assign build_bytes_45 = ((build_first ? _zz_build_bytes_0[367 : 360] : 8'h0) | ((((|{(_zz_build_bytes_45 && _zz_build_bytes_45_1),(_zz_build_bytes_45_2 && _zz_build_bytes_45_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_45_4 < _zz_build_bytes_45_5)))))) ? shift_io_shifted[367 : 360] : 8'h0));
  assign build_bytes_46 = ((build_first ? _zz_build_bytes_0[375 : 368] : 8'h0) | ((((|{(_zz_build_bytes_46 && _zz_build_bytes_46_1),(_zz_build_bytes_46_2 && _zz_build_bytes_46_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_46_4 < _zz_build_bytes_46_5)))))) ? shift_io_shifted[375 : 368] : 8'h0));
  assign build_bytes_47 = ((build_first ? _zz_build_bytes_0[383 : 376] : 8'h0) | ((((|{(_zz_build_bytes_47 && _zz_build_bytes_47_1),(_zz_build_bytes_47_2 && _zz_build_bytes_47_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_47_4 < _zz_build_bytes_47_5)))))) ? shift_io_shifted[383 : 376] : 8'h0));
  assign build_bytes_48 = ((build_first ? _zz_build_bytes_0[391 : 384] : 8'h0) | ((((|{(_zz_build_bytes_48 && _zz_build_bytes_48_1),(_zz_build_bytes_48_2 && _zz_build_bytes_48_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_48_4 < _zz_build_bytes_48_5)))))) ? shift_io_shifted[391 : 384] : 8'h0));
  assign build_bytes_49 = ((build_first ? _zz_build_bytes_0[399 : 392] : 8'h0) | ((((|{(_zz_build_bytes_49 && _zz_build_bytes_49_1),(_zz_build_bytes_49_2 && _zz_build_bytes_49_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_49_4 < _zz_build_bytes_49_5)))))) ? shift_io_shifted[399 : 392] : 8'h0));
  assign build_bytes_50 = ((build_first ? _zz_build_bytes_0[407 : 400] : 8'h0) | ((((|{(_zz_build_bytes_50 && _zz_build_bytes_50_1),(_zz_build_bytes_50_2 && _zz_build_bytes_50_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_50_4 < _zz_build_bytes_50_5)))))) ? shift_io_shifted[407 : 400] : 8'h0));
  assign build_bytes_51 = ((build_first ? _zz_build_bytes_0[415 : 408] : 8'h0) | ((((|{(_zz_build_bytes_51 && _zz_build_bytes_51_1),(_zz_build_bytes_51_2 && _zz_build_bytes_51_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_51_4 < _zz_build_bytes_51_5)))))) ? shift_io_shifted[415 : 408] : 8'h0));
  assign build_bytes_52 = ((build_first ? _zz_build_bytes_0[423 : 416] : 8'h0) | ((((|{(_zz_build_bytes_52 && _zz_build_bytes_52_1),(_zz_build_bytes_52_2 && _zz_build_bytes_52_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_52_4 < _zz_build_bytes_52_5)))))) ? shift_io_shifted[423 : 416] : 8'h0));
  assign build_bytes_53 = ((build_first ? _zz_build_bytes_0[431 : 424] : 8'h0) | ((((|{(_zz_build_bytes_53 && _zz_build_bytes_53_1),(_zz_build_bytes_53_2 && _zz_build_bytes_53_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_53_4 < _zz_build_bytes_53_5)))))) ? shift_io_shifted[431 : 424] : 8'h0));
  assign build_bytes_54 = ((build_first ? _zz_build_bytes_0[439 : 432] : 8'h0) | ((((|{(_zz_build_bytes_54 && _zz_build_bytes_54_1),(_zz_build_bytes_54_2 && _zz_build_bytes_54_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_54_4 < _zz_build_bytes_54_5)))))) ? shift_io_shifted[439 : 432] : 8'h0));
  assign build_bytes_55 = ((build_first ? _zz_build_bytes_0[447 : 440] : 8'h0) | ((((|{(_zz_build_bytes_55 && _zz_build_bytes_55_1),(_zz_build_bytes_55_2 && _zz_build_bytes_55_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_55_4 < _zz_build_bytes_55_5)))))) ? shift_io_shifted[447 : 440] : 8'h0));
  assign build_bytes_56 = ((build_first ? _zz_build_bytes_0[455 : 448] : 8'h0) | ((((|{(_zz_build_bytes_56 && _zz_build_bytes_56_1),(_zz_build_bytes_56_2 && _zz_build_bytes_56_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_56_4 < _zz_build_bytes_56_5)))))) ? shift_io_shifted[455 : 448] : 8'h0));
  assign build_bytes_57 = ((build_first ? _zz_build_bytes_0[463 : 456] : 8'h0) | ((((|{(_zz_build_bytes_57 && _zz_build_bytes_57_1),(_zz_build_bytes_57_2 && _zz_build_bytes_57_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_57_4 < _zz_build_bytes_57_5)))))) ? shift_io_shifted[463 : 456] : 8'h0));
  assign build_bytes_58 = ((build_first ? _zz_build_bytes_0[471 : 464] : 8'h0) | ((((|{(_zz_build_bytes_58 && _zz_build_bytes_58_1),(_zz_build_bytes_58_2 && _zz_build_bytes_58_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_58_4 < _zz_build_bytes_58_5)))))) ? shift_io_shifted[471 : 464] : 8'h0));
  assign build_bytes_59 = ((build_first ? _zz_build_bytes_0[479 : 472] : 8'h0) | ((((|{(_zz_build_bytes_59 && _zz_build_bytes_59_1),(_zz_build_bytes_59_2 && _zz_build_bytes_59_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_59_4 < _zz_build_bytes_59_5)))))) ? shift_io_shifted[479 : 472] : 8'h0));
  assign build_bytes_60 = ((build_first ? _zz_build_bytes_0[487 : 480] : 8'h0) | ((((|{(_zz_build_bytes_60 && _zz_build_bytes_60_1),(_zz_build_bytes_60_2 && _zz_build_bytes_60_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_60_4 < _zz_build_bytes_60_5)))))) ? shift_io_shifted[487 : 480] : 8'h0));
  assign build_bytes_61 = ((build_first ? _zz_build_bytes_0[495 : 488] : 8'h0) | ((((|{(_zz_build_bytes_61 && _zz_build_bytes_61_1),(_zz_build_bytes_61_2 && _zz_build_bytes_61_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_61_4 < _zz_build_bytes_61_5)))))) ? shift_io_shifted[495 : 488] : 8'h0));
  assign build_bytes_62 = ((build_first ? _zz_build_bytes_0[503 : 496] : 8'h0) | ((((|{(_zz_build_bytes_62 && _zz_build_bytes_62_1),(_zz_build_bytes_62_2 && _zz_build_bytes_62_3)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! (_zz_build_bytes_62_4 < _zz_build_bytes_62_5)))))) ? shift_io_shifted[503 : 496] : 8'h0));
  assign build_bytes_63 = ((build_first ? _zz_build_bytes_0[511 : 504] : 8'h0) | ((((|{((prepared_payload_start == _zz_build_bytes_63) && 1'b1),((prepared_payload_start == _zz_build_bytes_63_1) && 1'b1)}) && build_carries) && ((! build_pastEnd) && (! (build_atEnd && (! 1'b0))))) ? shift_io_shifted[511 : 504] : 8'h0));
  assign build_out_payload_data = {build_bytes_63,{build_bytes_62,{build_bytes_61,{build_bytes_60,{build_bytes_59,{build_bytes_58,{build_bytes_57,{build_bytes_56,{build_bytes_55,{build_bytes_54,{build_bytes_53,{build_bytes_52,{build_bytes_51,{build_bytes_50,{build_bytes_49,{build_bytes_48,_zz_build_out_payload_data}}}}}}}}}}}}}}}};
  assign build_out_payload_last = build_last;
  assign build_out_payload_word = build_word;
  assign build_out_payload_covered = build_covered;
  assign build_fails = (build_failed || (build_takes && io_payload_payload_error));
  assign build_out_payload_failed = build_fails;
  assign prepared_ready = ((build_out_ready && build_last) && ((! build_wants) || io_payload_valid));
  assign build_out_fire = (build_out_valid && build_out_ready);
  always @(*) begin
    _zz_summed_half_value[0] = (^(summed_register_io_sums_payload & 32'h1aab0000));
    _zz_summed_half_value[1] = (^(summed_register_io_sums_payload & 32'h35560000));
    _zz_summed_half_value[2] = (^(summed_register_io_sums_payload & 32'h6aac0000));
    _zz_summed_half_value[3] = (^(summed_register_io_sums_payload & 32'hd5580000));
    _zz_summed_half_value[4] = (^(summed_register_io_sums_payload & 32'haab00000));
    _zz_summed_half_value[5] = (^(summed_register_io_sums_payload & 32'h55600000));
    _zz_summed_half_value[6] = (^(summed_register_io_sums_payload & 32'hb06b0000));
    _zz_summed_half_value[7] = (^(summed_register_io_sums_payload & 32'h60d60000));
    _zz_summed_half_value[8] = (^(summed_register_io_sums_payload & 32'hc1ac0000));
    _zz_summed_half_value[9] = (^(summed_register_io_sums_payload & 32'h99f30000));
    _zz_summed_half_value[10] = (^(summed_register_io_sums_payload & 32'h294d0000));
    _zz_summed_half_value[11] = (^(summed_register_io_sums_payload & 32'h529a0000));
    _zz_summed_half_value[12] = (^(summed_register_io_sums_payload & 32'ha5340000));
    _zz_summed_half_value[13] = (^(summed_register_io_sums_payload & 32'h4a680000));
    _zz_summed_half_value[14] = (^(summed_register_io_sums_payload & 32'h94d00000));
    _zz_summed_half_value[15] = (^(summed_register_io_sums_payload & 32'h29a00000));
    _zz_summed_half_value[16] = (^(summed_register_io_sums_payload & 32'h49eb0001));
    _zz_summed_half_value[17] = (^(summed_register_io_sums_payload & 32'h93d60002));
    _zz_summed_half_value[18] = (^(summed_register_io_sums_payload & 32'h27ac0004));
    _zz_summed_half_value[19] = (^(summed_register_io_sums_payload & 32'h4f580008));
    _zz_summed_half_value[20] = (^(summed_register_io_sums_payload & 32'h841b0010));
    _zz_summed_half_value[21] = (^(summed_register_io_sums_payload & 32'h129d0020));
    _zz_summed_half_value[22] = (^(summed_register_io_sums_payload & 32'h3f910040));
    _zz_summed_half_value[23] = (^(summed_register_io_sums_payload & 32'h7f220080));
    _zz_summed_half_value[24] = (^(summed_register_io_sums_payload & 32'he4ef0100));
    _zz_summed_half_value[25] = (^(summed_register_io_sums_payload & 32'hd3750200));
    _zz_summed_half_value[26] = (^(summed_register_io_sums_payload & 32'ha6ea0400));
    _zz_summed_half_value[27] = (^(summed_register_io_sums_payload & 32'h577f0800));
    _zz_summed_half_value[28] = (^(summed_register_io_sums_payload & 32'hb4551000));
    _zz_summed_half_value[29] = (^(summed_register_io_sums_payload & 32'h68aa2000));
    _zz_summed_half_value[30] = (^(summed_register_io_sums_payload & 32'hcbff4000));
    _zz_summed_half_value[31] = (^(summed_register_io_sums_payload & 32'h8d558000));
  end

  always @(*) begin
    _zz_summed_half_value_1[0] = (^(_zz_summed_half_value & 32'hc8851aab));
    _zz_summed_half_value_1[1] = (^(_zz_summed_half_value & 32'h910a3556));
    _zz_summed_half_value_1[2] = (^(_zz_summed_half_value & 32'h22146aac));
    _zz_summed_half_value_1[3] = (^(_zz_summed_half_value & 32'h4428d558));
    _zz_summed_half_value_1[4] = (^(_zz_summed_half_value & 32'h8851aab0));
    _zz_summed_half_value_1[5] = (^(_zz_summed_half_value & 32'h10a35560));
    _zz_summed_half_value_1[6] = (^(_zz_summed_half_value & 32'he9c3b06b));
    _zz_summed_half_value_1[7] = (^(_zz_summed_half_value & 32'hd38760d6));
    _zz_summed_half_value_1[8] = (^(_zz_summed_half_value & 32'ha70ec1ac));
    _zz_summed_half_value_1[9] = (^(_zz_summed_half_value & 32'h869899f3));
    _zz_summed_half_value_1[10] = (^(_zz_summed_half_value & 32'hc5b4294d));
    _zz_summed_half_value_1[11] = (^(_zz_summed_half_value & 32'h8b68529a));
    _zz_summed_half_value_1[12] = (^(_zz_summed_half_value & 32'h16d0a534));
    _zz_summed_half_value_1[13] = (^(_zz_summed_half_value & 32'h2da14a68));
    _zz_summed_half_value_1[14] = (^(_zz_summed_half_value & 32'h5b4294d0));
    _zz_summed_half_value_1[15] = (^(_zz_summed_half_value & 32'hb68529a0));
    _zz_summed_half_value_1[16] = (^(_zz_summed_half_value & 32'ha58f49eb));
    _zz_summed_half_value_1[17] = (^(_zz_summed_half_value & 32'h4b1e93d6));
    _zz_summed_half_value_1[18] = (^(_zz_summed_half_value & 32'h963d27ac));
    _zz_summed_half_value_1[19] = (^(_zz_summed_half_value & 32'h2c7a4f58));
    _zz_summed_half_value_1[20] = (^(_zz_summed_half_value & 32'h9071841b));
    _zz_summed_half_value_1[21] = (^(_zz_summed_half_value & 32'he866129d));
    _zz_summed_half_value_1[22] = (^(_zz_summed_half_value & 32'h18493f91));
    _zz_summed_half_value_1[23] = (^(_zz_summed_half_value & 32'h30927f22));
    _zz_summed_half_value_1[24] = (^(_zz_summed_half_value & 32'ha9a1e4ef));
    _zz_summed_half_value_1[25] = (^(_zz_summed_half_value & 32'h9bc6d375));
    _zz_summed_half_value_1[26] = (^(_zz_summed_half_value & 32'h378da6ea));
    _zz_summed_half_value_1[27] = (^(_zz_summed_half_value & 32'ha79e577f));
    _zz_summed_half_value_1[28] = (^(_zz_summed_half_value & 32'h87b9b455));
    _zz_summed_half_value_1[29] = (^(_zz_summed_half_value & 32'h0f7368aa));
    _zz_summed_half_value_1[30] = (^(_zz_summed_half_value & 32'hd663cbff));
    _zz_summed_half_value_1[31] = (^(_zz_summed_half_value & 32'h64428d55));
  end

  assign _zz_summed_half_value_2 = (summed_missing[0] ? _zz_summed_half_value_1 : _zz_summed_half_value);
  always @(*) begin
    _zz_summed_half_value_3[0] = (^(_zz_summed_half_value_2 & 32'hd33ca1fe));
    _zz_summed_half_value_3[1] = (^(_zz_summed_half_value_2 & 32'ha67943fd));
    _zz_summed_half_value_3[2] = (^(_zz_summed_half_value_2 & 32'h4cf287fb));
    _zz_summed_half_value_3[3] = (^(_zz_summed_half_value_2 & 32'h99e50ff6));
    _zz_summed_half_value_3[4] = (^(_zz_summed_half_value_2 & 32'h33ca1fec));
    _zz_summed_half_value_3[5] = (^(_zz_summed_half_value_2 & 32'h67943fd9));
    _zz_summed_half_value_3[6] = (^(_zz_summed_half_value_2 & 32'h1c14de4c));
    _zz_summed_half_value_3[7] = (^(_zz_summed_half_value_2 & 32'h3829bc99));
    _zz_summed_half_value_3[8] = (^(_zz_summed_half_value_2 & 32'h70537933));
    _zz_summed_half_value_3[9] = (^(_zz_summed_half_value_2 & 32'h339a5399));
    _zz_summed_half_value_3[10] = (^(_zz_summed_half_value_2 & 32'hb40806cd));
    _zz_summed_half_value_3[11] = (^(_zz_summed_half_value_2 & 32'h68100d9b));
    _zz_summed_half_value_3[12] = (^(_zz_summed_half_value_2 & 32'hd0201b37));
    _zz_summed_half_value_3[13] = (^(_zz_summed_half_value_2 & 32'ha040366e));
    _zz_summed_half_value_3[14] = (^(_zz_summed_half_value_2 & 32'h40806cdc));
    _zz_summed_half_value_3[15] = (^(_zz_summed_half_value_2 & 32'h8100d9b8));
    _zz_summed_half_value_3[16] = (^(_zz_summed_half_value_2 & 32'hd13d128f));
    _zz_summed_half_value_3[17] = (^(_zz_summed_half_value_2 & 32'ha27a251f));
    _zz_summed_half_value_3[18] = (^(_zz_summed_half_value_2 & 32'h44f44a3e));
    _zz_summed_half_value_3[19] = (^(_zz_summed_half_value_2 & 32'h89e8947d));
    _zz_summed_half_value_3[20] = (^(_zz_summed_half_value_2 & 32'hc0ed8904));
    _zz_summed_half_value_3[21] = (^(_zz_summed_half_value_2 & 32'h52e7b3f7));
    _zz_summed_half_value_3[22] = (^(_zz_summed_half_value_2 & 32'h76f3c611));
    _zz_summed_half_value_3[23] = (^(_zz_summed_half_value_2 & 32'hede78c22));
    _zz_summed_half_value_3[24] = (^(_zz_summed_half_value_2 & 32'h08f3b9ba));
    _zz_summed_half_value_3[25] = (^(_zz_summed_half_value_2 & 32'hc2dbd28b));
    _zz_summed_half_value_3[26] = (^(_zz_summed_half_value_2 & 32'h85b7a517));
    _zz_summed_half_value_3[27] = (^(_zz_summed_half_value_2 & 32'hd853ebd0));
    _zz_summed_half_value_3[28] = (^(_zz_summed_half_value_2 & 32'h639b765f));
    _zz_summed_half_value_3[29] = (^(_zz_summed_half_value_2 & 32'hc736ecbf));
    _zz_summed_half_value_3[30] = (^(_zz_summed_half_value_2 & 32'h5d517880));
    _zz_summed_half_value_3[31] = (^(_zz_summed_half_value_2 & 32'h699e50ff));
  end

  always @(*) begin
    _zz_io_push_payload[0] = (^(summed_half_value & 32'h9074ce54));
    _zz_io_push_payload[1] = (^(summed_half_value & 32'h20e99ca9));
    _zz_io_push_payload[2] = (^(summed_half_value & 32'h41d33952));
    _zz_io_push_payload[3] = (^(summed_half_value & 32'h83a672a5));
    _zz_io_push_payload[4] = (^(summed_half_value & 32'h074ce54a));
    _zz_io_push_payload[5] = (^(summed_half_value & 32'h0e99ca95));
    _zz_io_push_payload[6] = (^(summed_half_value & 32'h8d475b7f));
    _zz_io_push_payload[7] = (^(summed_half_value & 32'h1a8eb6ff));
    _zz_io_push_payload[8] = (^(summed_half_value & 32'h351d6dfe));
    _zz_io_push_payload[9] = (^(summed_half_value & 32'hfa4e15a9));
    _zz_io_push_payload[10] = (^(summed_half_value & 32'h64e8e507));
    _zz_io_push_payload[11] = (^(summed_half_value & 32'hc9d1ca0e));
    _zz_io_push_payload[12] = (^(summed_half_value & 32'h93a3941c));
    _zz_io_push_payload[13] = (^(summed_half_value & 32'h27472839));
    _zz_io_push_payload[14] = (^(summed_half_value & 32'h4e8e5072));
    _zz_io_push_payload[15] = (^(summed_half_value & 32'h9d1ca0e4));
    _zz_io_push_payload[16] = (^(summed_half_value & 32'haa4d8f9c));
    _zz_io_push_payload[17] = (^(summed_half_value & 32'h549b1f39));
    _zz_io_push_payload[18] = (^(summed_half_value & 32'ha9363e72));
    _zz_io_push_payload[19] = (^(summed_half_value & 32'h526c7ce4));
    _zz_io_push_payload[20] = (^(summed_half_value & 32'h34ac379c));
    _zz_io_push_payload[21] = (^(summed_half_value & 32'hf92ca16d));
    _zz_io_push_payload[22] = (^(summed_half_value & 32'h622d8c8e));
    _zz_io_push_payload[23] = (^(summed_half_value & 32'hc45b191d));
    _zz_io_push_payload[24] = (^(summed_half_value & 32'h18c2fc6e));
    _zz_io_push_payload[25] = (^(summed_half_value & 32'ha1f13688));
    _zz_io_push_payload[26] = (^(summed_half_value & 32'h43e26d11));
    _zz_io_push_payload[27] = (^(summed_half_value & 32'h17b01477));
    _zz_io_push_payload[28] = (^(summed_half_value & 32'hbf14e6ba));
    _zz_io_push_payload[29] = (^(summed_half_value & 32'h7e29cd75));
    _zz_io_push_payload[30] = (^(summed_half_value & 32'h6c2754bf));
    _zz_io_push_payload[31] = (^(summed_half_value & 32'h483a672a));
  end

  assign _zz_io_push_payload_1 = (summed_half_rest[0] ? _zz_io_push_payload : summed_half_value);
  always @(*) begin
    _zz_io_push_payload_2[0] = (^(_zz_io_push_payload_1 & 32'hbe88e8cc));
    _zz_io_push_payload_2[1] = (^(_zz_io_push_payload_1 & 32'h7d11d199));
    _zz_io_push_payload_2[2] = (^(_zz_io_push_payload_1 & 32'hfa23a332));
    _zz_io_push_payload_2[3] = (^(_zz_io_push_payload_1 & 32'hf4474665));
    _zz_io_push_payload_2[4] = (^(_zz_io_push_payload_1 & 32'he88e8cca));
    _zz_io_push_payload_2[5] = (^(_zz_io_push_payload_1 & 32'hd11d1995));
    _zz_io_push_payload_2[6] = (^(_zz_io_push_payload_1 & 32'h1cb2dbe6));
    _zz_io_push_payload_2[7] = (^(_zz_io_push_payload_1 & 32'h3965b7cd));
    _zz_io_push_payload_2[8] = (^(_zz_io_push_payload_1 & 32'h72cb6f9b));
    _zz_io_push_payload_2[9] = (^(_zz_io_push_payload_1 & 32'h5b1e37fa));
    _zz_io_push_payload_2[10] = (^(_zz_io_push_payload_1 & 32'h08b48738));
    _zz_io_push_payload_2[11] = (^(_zz_io_push_payload_1 & 32'h11690e70));
    _zz_io_push_payload_2[12] = (^(_zz_io_push_payload_1 & 32'h22d21ce1));
    _zz_io_push_payload_2[13] = (^(_zz_io_push_payload_1 & 32'h45a439c2));
    _zz_io_push_payload_2[14] = (^(_zz_io_push_payload_1 & 32'h8b487384));
    _zz_io_push_payload_2[15] = (^(_zz_io_push_payload_1 & 32'h1690e708));
    _zz_io_push_payload_2[16] = (^(_zz_io_push_payload_1 & 32'h93a926dc));
    _zz_io_push_payload_2[17] = (^(_zz_io_push_payload_1 & 32'h27524db8));
    _zz_io_push_payload_2[18] = (^(_zz_io_push_payload_1 & 32'h4ea49b70));
    _zz_io_push_payload_2[19] = (^(_zz_io_push_payload_1 & 32'h9d4936e1));
    _zz_io_push_payload_2[20] = (^(_zz_io_push_payload_1 & 32'h841a850f));
    _zz_io_push_payload_2[21] = (^(_zz_io_push_payload_1 & 32'hb6bde2d2));
    _zz_io_push_payload_2[22] = (^(_zz_io_push_payload_1 & 32'hd3f32d69));
    _zz_io_push_payload_2[23] = (^(_zz_io_push_payload_1 & 32'ha7e65ad2));
    _zz_io_push_payload_2[24] = (^(_zz_io_push_payload_1 & 32'hf1445d69));
    _zz_io_push_payload_2[25] = (^(_zz_io_push_payload_1 & 32'h5c00521e));
    _zz_io_push_payload_2[26] = (^(_zz_io_push_payload_1 & 32'hb800a43c));
    _zz_io_push_payload_2[27] = (^(_zz_io_push_payload_1 & 32'hce89a0b5));
    _zz_io_push_payload_2[28] = (^(_zz_io_push_payload_1 & 32'h239ba9a6));
    _zz_io_push_payload_2[29] = (^(_zz_io_push_payload_1 & 32'h4737534c));
    _zz_io_push_payload_2[30] = (^(_zz_io_push_payload_1 & 32'h30e64e55));
    _zz_io_push_payload_2[31] = (^(_zz_io_push_payload_1 & 32'hdf447466));
  end

  assign build_out_ready = leaving_queue_io_push_ready;
  assign leaving_second = ((! leaving_queue_io_pop_payload_covered) && leaving_queue_io_pop_payload_last);
  assign leaving_wants = (leaving_queue_io_pop_payload_covered || leaving_second);
  assign leaving_sum = (summed_queue_io_pop_payload ^ (leaving_queue_io_pop_payload_failed ? 32'hffffffff : 32'h0));
  assign leaving_bytes_0 = (leaving_queue_io_pop_payload_data[7 : 0] | (leaving_second ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_1 = (leaving_queue_io_pop_payload_data[15 : 8] | (leaving_second ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_2 = (leaving_queue_io_pop_payload_data[23 : 16] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0000)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_3 = (leaving_queue_io_pop_payload_data[31 : 24] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0000)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_4 = (leaving_queue_io_pop_payload_data[39 : 32] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0000)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_5 = (leaving_queue_io_pop_payload_data[47 : 40] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0000)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_6 = (leaving_queue_io_pop_payload_data[55 : 48] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0001)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_7 = (leaving_queue_io_pop_payload_data[63 : 56] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0001)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_8 = (leaving_queue_io_pop_payload_data[71 : 64] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0001)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_9 = (leaving_queue_io_pop_payload_data[79 : 72] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0001)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_10 = (leaving_queue_io_pop_payload_data[87 : 80] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0010)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_11 = (leaving_queue_io_pop_payload_data[95 : 88] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0010)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_12 = (leaving_queue_io_pop_payload_data[103 : 96] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0010)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_13 = (leaving_queue_io_pop_payload_data[111 : 104] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0010)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_14 = (leaving_queue_io_pop_payload_data[119 : 112] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0011)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_15 = (leaving_queue_io_pop_payload_data[127 : 120] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0011)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_16 = (leaving_queue_io_pop_payload_data[135 : 128] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0011)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_17 = (leaving_queue_io_pop_payload_data[143 : 136] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0011)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_18 = (leaving_queue_io_pop_payload_data[151 : 144] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0100)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_19 = (leaving_queue_io_pop_payload_data[159 : 152] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0100)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_20 = (leaving_queue_io_pop_payload_data[167 : 160] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0100)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_21 = (leaving_queue_io_pop_payload_data[175 : 168] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0100)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_22 = (leaving_queue_io_pop_payload_data[183 : 176] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0101)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_23 = (leaving_queue_io_pop_payload_data[191 : 184] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0101)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_24 = (leaving_queue_io_pop_payload_data[199 : 192] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0101)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_25 = (leaving_queue_io_pop_payload_data[207 : 200] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0101)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_26 = (leaving_queue_io_pop_payload_data[215 : 208] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0110)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_27 = (leaving_queue_io_pop_payload_data[223 : 216] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0110)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_28 = (leaving_queue_io_pop_payload_data[231 : 224] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0110)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_29 = (leaving_queue_io_pop_payload_data[239 : 232] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0110)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_30 = (leaving_queue_io_pop_payload_data[247 : 240] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0111)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_31 = (leaving_queue_io_pop_payload_data[255 : 248] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0111)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_32 = (leaving_queue_io_pop_payload_data[263 : 256] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0111)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_33 = (leaving_queue_io_pop_payload_data[271 : 264] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b0111)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_34 = (leaving_queue_io_pop_payload_data[279 : 272] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1000)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_35 = (leaving_queue_io_pop_payload_data[287 : 280] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1000)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_36 = (leaving_queue_io_pop_payload_data[295 : 288] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1000)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_37 = (leaving_queue_io_pop_payload_data[303 : 296] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1000)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_38 = (leaving_queue_io_pop_payload_data[311 : 304] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1001)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_39 = (leaving_queue_io_pop_payload_data[319 : 312] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1001)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_40 = (leaving_queue_io_pop_payload_data[327 : 320] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1001)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_41 = (leaving_queue_io_pop_payload_data[335 : 328] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1001)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_42 = (leaving_queue_io_pop_payload_data[343 : 336] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1010)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_43 = (leaving_queue_io_pop_payload_data[351 : 344] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1010)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_44 = (leaving_queue_io_pop_payload_data[359 : 352] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1010)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_45 = (leaving_queue_io_pop_payload_data[367 : 360] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1010)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_46 = (leaving_queue_io_pop_payload_data[375 : 368] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1011)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_47 = (leaving_queue_io_pop_payload_data[383 : 376] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1011)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_48 = (leaving_queue_io_pop_payload_data[391 : 384] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1011)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_49 = (leaving_queue_io_pop_payload_data[399 : 392] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1011)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_50 = (leaving_queue_io_pop_payload_data[407 : 400] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1100)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_51 = (leaving_queue_io_pop_payload_data[415 : 408] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1100)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_52 = (leaving_queue_io_pop_payload_data[423 : 416] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1100)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_53 = (leaving_queue_io_pop_payload_data[431 : 424] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1100)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_54 = (leaving_queue_io_pop_payload_data[439 : 432] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1101)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_55 = (leaving_queue_io_pop_payload_data[447 : 440] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1101)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_56 = (leaving_queue_io_pop_payload_data[455 : 448] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1101)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_57 = (leaving_queue_io_pop_payload_data[463 : 456] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1101)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_58 = (leaving_queue_io_pop_payload_data[471 : 464] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1110)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_59 = (leaving_queue_io_pop_payload_data[479 : 472] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1110)) ? leaving_sum[15 : 8] : 8'h0));
  assign leaving_bytes_60 = (leaving_queue_io_pop_payload_data[487 : 480] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1110)) ? leaving_sum[23 : 16] : 8'h0));
  assign leaving_bytes_61 = (leaving_queue_io_pop_payload_data[495 : 488] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1110)) ? leaving_sum[31 : 24] : 8'h0));
  assign leaving_bytes_62 = (leaving_queue_io_pop_payload_data[503 : 496] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1111)) ? leaving_sum[7 : 0] : 8'h0));
  assign leaving_bytes_63 = (leaving_queue_io_pop_payload_data[511 : 504] | ((leaving_queue_io_pop_payload_covered && (leaving_queue_io_pop_payload_word == 4'b1111)) ? leaving_sum[15 : 8] : 8'h0));
  assign io_frames_valid = (leaving_queue_io_pop_valid && ((! leaving_wants) || summed_queue_io_pop_valid));
  assign io_frames_payload_data = {leaving_bytes_63,{leaving_bytes_62,{leaving_bytes_61,{leaving_bytes_60,{leaving_bytes_59,{leaving_bytes_58,{leaving_bytes_57,{leaving_bytes_56,{leaving_bytes_55,{leaving_bytes_54,{leaving_bytes_53,{leaving_bytes_52,{leaving_bytes_51,{leaving_bytes_50,{leaving_bytes_49,{leaving_bytes_48,_zz_io_frames_payload_data}}}}}}}}}}}}}}}};
  assign io_frames_payload_lastByte = (leaving_queue_io_pop_payload_last ? (leaving_second ? 6'h01 : _zz_io_frames_payload_lastByte) : 6'h3f);
  assign io_frames_payload_last = leaving_queue_io_pop_payload_last;
  assign io_frames_payload_user[0] = (leaving_queue_io_pop_payload_last && leaving_queue_io_pop_payload_failed);
  assign leaving_queue_io_pop_ready = (io_frames_ready && ((! leaving_wants) || summed_queue_io_pop_valid));
  assign io_frames_fire = (io_frames_valid && io_frames_ready);
  assign summed_queue_io_pop_ready = (io_frames_fire && leaving_queue_io_pop_payload_last);
  assign io_counted_valid = io_pop_ready_regNext;
  assign io_counted_payload = _zz_io_counted_payload;
  always @(posedge clk) begin
    _zz_ours_1 <= ({1'b0,_zz_ours[15 : 0]} + {1'b0,_zz__zz_ours_1_1});
    ours <= _zz_ours_2[15:0];
    if(io_departures_map_ready) begin
      io_departures_map_rData_departure_dstMac <= io_departures_map_payload_departure_dstMac;
      io_departures_map_rData_departure_dstIp <= io_departures_map_payload_departure_dstIp;
      io_departures_map_rData_departure_srcPort <= io_departures_map_payload_departure_srcPort;
      io_departures_map_rData_departure_opcode <= io_departures_map_payload_departure_opcode;
      io_departures_map_rData_departure_pkey <= io_departures_map_payload_departure_pkey;
      io_departures_map_rData_departure_destQp <= io_departures_map_payload_departure_destQp;
      io_departures_map_rData_departure_psn <= io_departures_map_payload_departure_psn;
      io_departures_map_rData_departure_ackRequest <= io_departures_map_payload_departure_ackRequest;
      io_departures_map_rData_departure_syndrome <= io_departures_map_payload_departure_syndrome;
      io_departures_map_rData_departure_msn <= io_departures_map_payload_departure_msn;
      io_departures_map_rData_departure_original <= io_departures_map_payload_departure_original;
      io_departures_map_rData_start <= io_departures_map_payload_start;
      io_departures_map_rData_pad <= io_departures_map_payload_pad;
      io_departures_map_rData_until <= io_departures_map_payload_until;
      io_departures_map_rData_end <= io_departures_map_payload_end;
      io_departures_map_rData_beats <= io_departures_map_payload_beats;
      io_departures_map_rData_hasAeth <= io_departures_map_payload_hasAeth;
      io_departures_map_rData_isAtomic <= io_departures_map_payload_isAtomic;
      io_departures_map_rData_notification <= io_departures_map_payload_notification;
      io_departures_map_rData_sum <= io_departures_map_payload_sum;
    end
    if(build_out_fire) begin
      _zz_io_beats_payload_data <= (build_first ? {build_out_payload_data[511 : 504],{build_out_payload_data[503 : 496],{build_out_payload_data[495 : 488],{build_out_payload_data[487 : 480],{build_out_payload_data[479 : 472],{build_out_payload_data[471 : 464],{build_out_payload_data[463 : 456],{build_out_payload_data[455 : 448],{build_out_payload_data[447 : 440],{_zz__zz_io_beats_payload_data,_zz__zz_io_beats_payload_data_1}}}}}}}}}} : build_out_payload_data);
    end
    if(build_out_fire) begin
      build_first_regNextWhen <= build_first;
    end
    if(build_out_fire) begin
      build_out_payload_covered_regNextWhen <= build_out_payload_covered;
    end
    if(build_out_fire) begin
      _zz_summed_missing <= (~ build_out_payload_word);
    end
    _zz_summed_missing_1 <= _zz_summed_missing;
    summed_missing <= _zz_summed_missing_1;
    summed_half_rest <= summed_missing[3 : 2];
    summed_half_value <= (summed_missing[1] ? _zz_summed_half_value_3 : _zz_summed_half_value_2);
    _zz_io_push_payload_3 <= (~ (summed_half_rest[1] ? _zz_io_push_payload_2 : _zz_io_push_payload_1));
    _zz_io_counted_payload <= (leaving_queue_io_pop_payload_failed ? 6'h15 : 6'h14);
  end

  always @(posedge clk) begin
    if(reset) begin
      io_departures_map_rValid <= 1'b0;
      build_index <= 8'h0;
      build_taken <= 8'h0;
      build_failed <= 1'b0;
      _zz_io_beats_valid <= 1'b0;
      summed_half_valid <= 1'b0;
      summed_half_valid_regNext <= 1'b0;
      io_pop_ready_regNext <= 1'b0;
    end else begin
      if(io_departures_map_ready) begin
        io_departures_map_rValid <= io_departures_map_valid;
      end
      if(build_out_fire) begin
        build_index <= (build_last ? 8'h0 : _zz_build_index);
        build_taken <= (build_last ? 8'h0 : _zz_build_taken);
        build_failed <= (build_fails && (! build_last));
      end
      _zz_io_beats_valid <= (build_out_fire && (! (build_out_payload_last && (! build_out_payload_covered))));
      summed_half_valid <= summed_register_io_sums_valid;
      summed_half_valid_regNext <= summed_half_valid;
      io_pop_ready_regNext <= summed_queue_io_pop_ready;
    end
  end


endmodule

module StreamFifo_1 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [511:0]  io_push_payload_data,
  input  wire          io_push_payload_last,
  input  wire          io_push_payload_covered,
  input  wire [3:0]    io_push_payload_word,
  input  wire          io_push_payload_failed,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [511:0]  io_pop_payload_data,
  output wire          io_pop_payload_last,
  output wire          io_pop_payload_covered,
  output wire [3:0]    io_pop_payload_word,
  output wire          io_pop_payload_failed,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  wire       [518:0]  logic_ram_spinal_port1;
  wire       [518:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire       [511:0]  logic_push_onRam_write_payload_data_data;
  wire                logic_push_onRam_write_payload_data_last;
  wire                logic_push_onRam_write_payload_data_covered;
  wire       [3:0]    logic_push_onRam_write_payload_data_word;
  wire                logic_push_onRam_write_payload_data_failed;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [511:0]  logic_pop_async_readed_data;
  wire                logic_pop_async_readed_last;
  wire                logic_pop_async_readed_covered;
  wire       [3:0]    logic_pop_async_readed_word;
  wire                logic_pop_async_readed_failed;
  wire       [518:0]  _zz_logic_pop_async_readed_data;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [511:0]  logic_pop_addressGen_translated_payload_data;
  wire                logic_pop_addressGen_translated_payload_last;
  wire                logic_pop_addressGen_translated_payload_covered;
  wire       [3:0]    logic_pop_addressGen_translated_payload_word;
  wire                logic_pop_addressGen_translated_payload_failed;
  (* ram_style = "distributed" *) reg [518:0] logic_ram [0:15];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_failed,{logic_push_onRam_write_payload_data_word,{logic_push_onRam_write_payload_data_covered,{logic_push_onRam_write_payload_data_last,logic_push_onRam_write_payload_data_data}}}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 5'h10) == 5'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[3:0];
  assign logic_push_onRam_write_payload_data_data = io_push_payload_data;
  assign logic_push_onRam_write_payload_data_last = io_push_payload_last;
  assign logic_push_onRam_write_payload_data_covered = io_push_payload_covered;
  assign logic_push_onRam_write_payload_data_word = io_push_payload_word;
  assign logic_push_onRam_write_payload_data_failed = io_push_payload_failed;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_data = logic_ram_spinal_port1;
  assign logic_pop_async_readed_data = _zz_logic_pop_async_readed_data[511 : 0];
  assign logic_pop_async_readed_last = _zz_logic_pop_async_readed_data[512];
  assign logic_pop_async_readed_covered = _zz_logic_pop_async_readed_data[513];
  assign logic_pop_async_readed_word = _zz_logic_pop_async_readed_data[517 : 514];
  assign logic_pop_async_readed_failed = _zz_logic_pop_async_readed_data[518];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_data = logic_pop_async_readed_data;
  assign logic_pop_addressGen_translated_payload_last = logic_pop_async_readed_last;
  assign logic_pop_addressGen_translated_payload_covered = logic_pop_async_readed_covered;
  assign logic_pop_addressGen_translated_payload_word = logic_pop_async_readed_word;
  assign logic_pop_addressGen_translated_payload_failed = logic_pop_async_readed_failed;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_data = logic_pop_addressGen_translated_payload_data;
  assign io_pop_payload_last = logic_pop_addressGen_translated_payload_last;
  assign io_pop_payload_covered = logic_pop_addressGen_translated_payload_covered;
  assign io_pop_payload_word = logic_pop_addressGen_translated_payload_word;
  assign io_pop_payload_failed = logic_pop_addressGen_translated_payload_failed;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 5'h0;
      logic_ptr_pop <= 5'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 5'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 5'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 5'h0;
        logic_ptr_pop <= 5'h0;
      end
    end
  end


endmodule

module StreamFifo (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [31:0]   io_push_payload,
  output reg           io_pop_valid,
  input  wire          io_pop_ready,
  output reg  [31:0]   io_pop_payload,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  wire       [31:0]   logic_ram_spinal_port1;
  reg                 _zz_1;
  reg                 logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire       [31:0]   logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [31:0]   logic_pop_async_readed;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [31:0]   logic_pop_addressGen_translated_payload;
  (* ram_style = "distributed" *) reg [31:0] logic_ram [0:15];

  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= logic_push_onRam_write_payload_data;
    end
  end

  assign logic_ram_spinal_port1 = logic_ram[logic_pop_addressGen_payload];
  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 5'h10) == 5'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  always @(*) begin
    logic_ptr_doPush = io_push_fire;
    if(logic_ptr_empty) begin
      if(io_pop_ready) begin
        logic_ptr_doPush = 1'b0;
      end
    end
  end

  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[3:0];
  assign logic_push_onRam_write_payload_data = io_push_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign logic_pop_async_readed = logic_ram_spinal_port1;
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload = logic_pop_async_readed;
  always @(*) begin
    io_pop_valid = logic_pop_addressGen_translated_valid;
    if(logic_ptr_empty) begin
      io_pop_valid = io_push_valid;
    end
  end

  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  always @(*) begin
    io_pop_payload = logic_pop_addressGen_translated_payload;
    if(logic_ptr_empty) begin
      io_pop_payload = io_push_payload;
    end
  end

  assign logic_ptr_popOnIo = logic_ptr_pop;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 5'h0;
      logic_ptr_pop <= 5'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 5'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 5'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 5'h0;
        logic_ptr_pop <= 5'h0;
      end
    end
  end


endmodule

module IcrcRegister (
  input  wire          io_beats_valid,
  input  wire [511:0]  io_beats_payload_data,
  input  wire          io_beats_payload_first,
  input  wire          io_beats_payload_last,
  output wire          io_sums_valid,
  output wire [31:0]   io_sums_payload,
  input  wire          clk,
  input  wire          reset
);

  reg                 share_valid;
  reg                 share_first;
  reg                 share_last;
  reg        [31:0]   _zz_share_value;
  reg        [31:0]   share_value;
  reg        [31:0]   register_1;
  reg        [31:0]   _zz_register;
  reg                 _zz_io_sums_valid;

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

  assign io_sums_valid = _zz_io_sums_valid;
  assign io_sums_payload = register_1;
  always @(posedge clk) begin
    if(reset) begin
      share_valid <= 1'b0;
      _zz_io_sums_valid <= 1'b0;
    end else begin
      share_valid <= io_beats_valid;
      _zz_io_sums_valid <= (share_valid && share_last);
    end
  end

  always @(posedge clk) begin
    share_first <= io_beats_payload_first;
    share_last <= io_beats_payload_last;
    if(io_beats_valid) begin
      share_value <= _zz_share_value;
    end
    if(share_valid) begin
      register_1 <= (share_value ^ (share_first ? 32'h39219de3 : _zz_register));
    end
  end


endmodule

module PayloadShift (
  input  wire [0:0]    io_start,
  input  wire [511:0]  io_payload,
  input  wire          io_taken,
  output wire [511:0]  io_shifted,
  input  wire          clk,
  input  wire          reset
);

  reg        [511:0]  _zz_turned;
  wire       [383:0]  _zz_io_shifted;
  wire       [255:0]  _zz_io_shifted_1;
  wire       [127:0]  _zz_io_shifted_2;
  wire       [511:0]  turned;
  reg        [463:0]  before_1;
  wire       [7:0]    bytes_0;
  wire       [7:0]    bytes_1;
  wire       [7:0]    bytes_2;
  wire       [7:0]    bytes_3;
  wire       [7:0]    bytes_4;
  wire       [7:0]    bytes_5;
  wire       [7:0]    bytes_6;
  wire       [7:0]    bytes_7;
  wire       [7:0]    bytes_8;
  wire       [7:0]    bytes_9;
  wire       [7:0]    bytes_10;
  wire       [7:0]    bytes_11;
  wire       [7:0]    bytes_12;
  wire       [7:0]    bytes_13;
  wire       [7:0]    bytes_14;
  wire       [7:0]    bytes_15;
  wire       [7:0]    bytes_16;
  wire       [7:0]    bytes_17;
  wire       [7:0]    bytes_18;
  wire       [7:0]    bytes_19;
  wire       [7:0]    bytes_20;
  wire       [7:0]    bytes_21;
  wire       [7:0]    bytes_22;
  wire       [7:0]    bytes_23;
  wire       [7:0]    bytes_24;
  wire       [7:0]    bytes_25;
  wire       [7:0]    bytes_26;
  wire       [7:0]    bytes_27;
  wire       [7:0]    bytes_28;
  wire       [7:0]    bytes_29;
  wire       [7:0]    bytes_30;
  wire       [7:0]    bytes_31;
  wire       [7:0]    bytes_32;
  wire       [7:0]    bytes_33;
  wire       [7:0]    bytes_34;
  wire       [7:0]    bytes_35;
  wire       [7:0]    bytes_36;
  wire       [7:0]    bytes_37;
  wire       [7:0]    bytes_38;
  wire       [7:0]    bytes_39;
  wire       [7:0]    bytes_40;
  wire       [7:0]    bytes_41;
  wire       [7:0]    bytes_42;
  wire       [7:0]    bytes_43;
  wire       [7:0]    bytes_44;
  wire       [7:0]    bytes_45;
  wire       [7:0]    bytes_46;
  wire       [7:0]    bytes_47;
  wire       [7:0]    bytes_48;
  wire       [7:0]    bytes_49;
  wire       [7:0]    bytes_50;
  wire       [7:0]    bytes_51;
  wire       [7:0]    bytes_52;
  wire       [7:0]    bytes_53;
  wire       [7:0]    bytes_54;
  wire       [7:0]    bytes_55;
  wire       [7:0]    bytes_56;
  wire       [7:0]    bytes_57;
  wire       [7:0]    bytes_58;
  wire       [7:0]    bytes_59;
  wire       [7:0]    bytes_60;
  wire       [7:0]    bytes_61;
  wire       [7:0]    bytes_62;
  wire       [7:0]    bytes_63;

  assign _zz_io_shifted = {bytes_47,{bytes_46,{bytes_45,{bytes_44,{bytes_43,{bytes_42,{bytes_41,{bytes_40,{bytes_39,{bytes_38,{bytes_37,{bytes_36,{bytes_35,{bytes_34,{bytes_33,{bytes_32,_zz_io_shifted_1}}}}}}}}}}}}}}}};
  assign _zz_io_shifted_1 = {bytes_31,{bytes_30,{bytes_29,{bytes_28,{bytes_27,{bytes_26,{bytes_25,{bytes_24,{bytes_23,{bytes_22,{bytes_21,{bytes_20,{bytes_19,{bytes_18,{bytes_17,{bytes_16,_zz_io_shifted_2}}}}}}}}}}}}}}}};
  assign _zz_io_shifted_2 = {bytes_15,{bytes_14,{bytes_13,{bytes_12,{bytes_11,{bytes_10,{bytes_9,{bytes_8,{bytes_7,{bytes_6,{bytes_5,{bytes_4,{bytes_3,{bytes_2,{bytes_1,bytes_0}}}}}}}}}}}}}}};
  always @(*) begin
    case(io_start)
      1'b0 : _zz_turned = {io_payload[79 : 0],io_payload[511 : 80]};
      default : _zz_turned = {io_payload[47 : 0],io_payload[511 : 48]};
    endcase
  end

  assign turned = _zz_turned;
  assign bytes_0 = before_1[7 : 0];
  assign bytes_1 = before_1[15 : 8];
  assign bytes_2 = before_1[23 : 16];
  assign bytes_3 = before_1[31 : 24];
  assign bytes_4 = before_1[39 : 32];
  assign bytes_5 = before_1[47 : 40];
  assign bytes_6 = before_1[55 : 48];
  assign bytes_7 = before_1[63 : 56];
  assign bytes_8 = before_1[71 : 64];
  assign bytes_9 = before_1[79 : 72];
  assign bytes_10 = before_1[87 : 80];
  assign bytes_11 = before_1[95 : 88];
  assign bytes_12 = before_1[103 : 96];
  assign bytes_13 = before_1[111 : 104];
  assign bytes_14 = before_1[119 : 112];
  assign bytes_15 = before_1[127 : 120];
  assign bytes_16 = before_1[135 : 128];
  assign bytes_17 = before_1[143 : 136];
  assign bytes_18 = before_1[151 : 144];
  assign bytes_19 = before_1[159 : 152];
  assign bytes_20 = before_1[167 : 160];
  assign bytes_21 = before_1[175 : 168];
  assign bytes_22 = before_1[183 : 176];
  assign bytes_23 = before_1[191 : 184];
  assign bytes_24 = before_1[199 : 192];
  assign bytes_25 = before_1[207 : 200];
  assign bytes_26 = before_1[215 : 208];
  assign bytes_27 = before_1[223 : 216];
  assign bytes_28 = before_1[231 : 224];
  assign bytes_29 = before_1[239 : 232];
  assign bytes_30 = before_1[247 : 240];
  assign bytes_31 = before_1[255 : 248];
  assign bytes_32 = before_1[263 : 256];
  assign bytes_33 = before_1[271 : 264];
  assign bytes_34 = before_1[279 : 272];
  assign bytes_35 = before_1[287 : 280];
  assign bytes_36 = before_1[295 : 288];
  assign bytes_37 = before_1[303 : 296];
  assign bytes_38 = before_1[311 : 304];
  assign bytes_39 = before_1[319 : 312];
  assign bytes_40 = before_1[327 : 320];
  assign bytes_41 = before_1[335 : 328];
  assign bytes_42 = before_1[343 : 336];
  assign bytes_43 = before_1[351 : 344];
  assign bytes_44 = before_1[359 : 352];
  assign bytes_45 = before_1[367 : 360];
  assign bytes_46 = before_1[375 : 368];
  assign bytes_47 = before_1[383 : 376];
  assign bytes_48 = before_1[391 : 384];
  assign bytes_49 = before_1[399 : 392];
  assign bytes_50 = before_1[407 : 400];
  assign bytes_51 = before_1[415 : 408];
  assign bytes_52 = before_1[423 : 416];
  assign bytes_53 = before_1[431 : 424];
  assign bytes_54 = ((|(io_start == 1'b1)) ? before_1[439 : 432] : turned[439 : 432]);
  assign bytes_55 = ((|(io_start == 1'b1)) ? before_1[447 : 440] : turned[447 : 440]);
  assign bytes_56 = ((|(io_start == 1'b1)) ? before_1[455 : 448] : turned[455 : 448]);
  assign bytes_57 = ((|(io_start == 1'b1)) ? before_1[463 : 456] : turned[463 : 456]);
  assign bytes_58 = turned[471 : 464];
  assign bytes_59 = turned[479 : 472];
  assign bytes_60 = turned[487 : 480];
  assign bytes_61 = turned[495 : 488];
  assign bytes_62 = turned[503 : 496];
  assign bytes_63 = turned[511 : 504];
  assign io_shifted = {bytes_63,{bytes_62,{bytes_61,{bytes_60,{bytes_59,{bytes_58,{bytes_57,{bytes_56,{bytes_55,{bytes_54,{bytes_53,{bytes_52,{bytes_51,{bytes_50,{bytes_49,{bytes_48,_zz_io_shifted}}}}}}}}}}}}}}}};
  always @(posedge clk) begin
    if(io_taken) begin
      before_1 <= turned[463:0];
    end
  end


endmodule
