// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : RocePort

`timescale 1ns/1ps

module RocePort (
  input  wire          io_rx_valid,
  output wire          io_rx_ready,
  input  wire [511:0]  io_rx_payload_data,
  input  wire [5:0]    io_rx_payload_lastByte,
  input  wire          io_rx_payload_last,
  input  wire [0:0]    io_rx_payload_user,
  output wire          io_tx_valid,
  input  wire          io_tx_ready,
  output wire [511:0]  io_tx_payload_data,
  output wire [5:0]    io_tx_payload_lastByte,
  output wire          io_tx_payload_last,
  output wire [0:0]    io_tx_payload_user,
  input  wire [47:0]   io_local_mac,
  input  wire [31:0]   io_local_ip,
  output wire          io_door_tokens_valid,
  input  wire          io_door_tokens_ready,
  output wire [5:0]    io_door_tokens_payload_context,
  output wire [2:0]    io_door_tokens_payload_demand_operation,
  output wire          io_door_tokens_payload_demand_ordering_fence,
  output wire          io_door_tokens_payload_demand_ordering_windowed,
  output wire [23:0]   io_door_tokens_payload_demand_ordering_time,
  output wire [23:0]   io_door_tokens_payload_demand_pid,
  output wire [47:0]   io_door_tokens_payload_demand_va,
  output wire [15:0]   io_door_tokens_payload_demand_length,
  output wire [7:0]    io_door_tokens_payload_demand_dataOffset,
  input  wire          io_door_data_fetch_valid,
  output wire          io_door_data_fetch_ready,
  input  wire [5:0]    io_door_data_fetch_payload_context,
  input  wire [4:0]    io_door_data_fetch_payload_beat,
  output wire          io_door_data_fetched_valid,
  output wire [511:0]  io_door_data_fetched_payload,
  input  wire [5:0]    io_door_data_operandsOf,
  output wire [127:0]  io_door_data_operands,
  input  wire          io_door_data_completions_valid,
  output wire          io_door_data_completions_ready,
  input  wire [5:0]    io_door_data_completions_payload_context,
  input  wire [4:0]    io_door_data_completions_payload_report_outcome_status,
  input  wire [47:0]   io_door_data_completions_payload_report_outcome_detailVa,
  input  wire [15:0]   io_door_data_completions_payload_report_outcome_detailLength,
  input  wire          io_door_data_completions_payload_report_zeros,
  input  wire          io_door_data_completions_payload_report_resumed,
  input  wire          io_door_data_completions_payload_report_slow,
  input  wire [23:0]   io_door_data_completions_payload_report_tickResume,
  input  wire [63:0]   io_door_data_completions_payload_old,
  input  wire          io_door_data_payload_valid,
  output wire          io_door_data_payload_ready,
  input  wire [511:0]  io_door_data_payload_payload_data,
  input  wire          io_door_data_payload_payload_error,
  input  wire          io_bus_aw_valid,
  output wire          io_bus_aw_ready,
  input  wire [8:0]    io_bus_aw_payload_addr,
  input  wire [2:0]    io_bus_aw_payload_prot,
  input  wire          io_bus_w_valid,
  output wire          io_bus_w_ready,
  input  wire [31:0]   io_bus_w_payload_data,
  input  wire [3:0]    io_bus_w_payload_strb,
  output wire          io_bus_b_valid,
  input  wire          io_bus_b_ready,
  output wire [1:0]    io_bus_b_payload_resp,
  input  wire          io_bus_ar_valid,
  output wire          io_bus_ar_ready,
  input  wire [8:0]    io_bus_ar_payload_addr,
  input  wire [2:0]    io_bus_ar_payload_prot,
  output wire          io_bus_r_valid,
  input  wire          io_bus_r_ready,
  output wire [31:0]   io_bus_r_payload_data,
  output wire [1:0]    io_bus_r_payload_resp,
  output wire          io_rests,
  input  wire          clk,
  input  wire          reset
);
  localparam Operation_nothing = 3'd0;
  localparam Operation_read = 3'd1;
  localparam Operation_write = 3'd2;
  localparam Operation_compareSwap = 3'd3;
  localparam Operation_fetchAdd = 3'd4;
  localparam Operation_swap = 3'd5;

  wire                registers_io_ready;
  wire                receive_io_frames_ready;
  wire                receive_io_arrivals_valid;
  wire       [31:0]   receive_io_arrivals_payload_headers_srcIp;
  wire                receive_io_arrivals_payload_headers_congested;
  wire       [7:0]    receive_io_arrivals_payload_headers_opcode;
  wire                receive_io_arrivals_payload_headers_ackRequest;
  wire       [15:0]   receive_io_arrivals_payload_headers_pkey;
  wire       [23:0]   receive_io_arrivals_payload_headers_destQp;
  wire       [23:0]   receive_io_arrivals_payload_headers_psn;
  wire       [63:0]   receive_io_arrivals_payload_headers_va;
  wire       [31:0]   receive_io_arrivals_payload_headers_rkey;
  wire       [31:0]   receive_io_arrivals_payload_headers_dmaLength;
  wire       [63:0]   receive_io_arrivals_payload_headers_swapAdd;
  wire       [63:0]   receive_io_arrivals_payload_headers_compare;
  wire       [12:0]   receive_io_arrivals_payload_headers_payload;
  wire       [4:0]    receive_io_arrivals_payload_slot;
  wire       [6:0]    receive_io_arrivals_payload_offset;
  wire                receive_io_arrivals_payload_malformed;
  wire       [511:0]  receive_io_data;
  wire                receive_io_ready;
  wire                receive_io_counted_valid;
  wire       [5:0]    receive_io_counted_payload;
  wire                responder_io_arrivals_ready;
  wire                responder_io_read_valid;
  wire       [4:0]    responder_io_read_payload_slot;
  wire       [6:0]    responder_io_read_payload_beat;
  wire                responder_io_released_valid;
  wire       [4:0]    responder_io_released_payload;
  wire                responder_io_departures_valid;
  wire       [47:0]   responder_io_departures_payload_dstMac;
  wire       [31:0]   responder_io_departures_payload_dstIp;
  wire       [15:0]   responder_io_departures_payload_srcPort;
  wire       [7:0]    responder_io_departures_payload_opcode;
  wire       [15:0]   responder_io_departures_payload_pkey;
  wire       [23:0]   responder_io_departures_payload_destQp;
  wire       [23:0]   responder_io_departures_payload_psn;
  wire                responder_io_departures_payload_ackRequest;
  wire       [7:0]    responder_io_departures_payload_syndrome;
  wire       [23:0]   responder_io_departures_payload_msn;
  wire       [63:0]   responder_io_departures_payload_original;
  wire       [12:0]   responder_io_departures_payload_payload;
  wire                responder_io_payload_valid;
  wire       [511:0]  responder_io_payload_payload_data;
  wire                responder_io_payload_payload_error;
  wire                responder_io_door_tokens_valid;
  wire       [5:0]    responder_io_door_tokens_payload_context;
  wire       [2:0]    responder_io_door_tokens_payload_demand_operation;
  wire                responder_io_door_tokens_payload_demand_ordering_fence;
  wire                responder_io_door_tokens_payload_demand_ordering_windowed;
  wire       [23:0]   responder_io_door_tokens_payload_demand_ordering_time;
  wire       [23:0]   responder_io_door_tokens_payload_demand_pid;
  wire       [47:0]   responder_io_door_tokens_payload_demand_va;
  wire       [15:0]   responder_io_door_tokens_payload_demand_length;
  wire       [7:0]    responder_io_door_tokens_payload_demand_dataOffset;
  wire                responder_io_door_data_fetch_ready;
  wire                responder_io_door_data_completions_ready;
  wire                responder_io_door_data_payload_ready;
  wire                responder_io_door_data_fetched_valid;
  wire       [511:0]  responder_io_door_data_fetched_payload;
  wire       [127:0]  responder_io_door_data_operands;
  wire                responder_io_orders_ready;
  wire                responder_io_ordered_valid;
  wire       [7:0]    responder_io_ordered_payload_result;
  wire       [23:0]   responder_io_ordered_payload_expected;
  wire       [23:0]   responder_io_ordered_payload_msn;
  wire                responder_io_ordered_payload_inError;
  wire                responder_io_ordered_payload_running;
  wire                responder_io_ordered_payload_unanswered;
  wire       [4:0]    responder_io_ordered_payload_jobs;
  wire                responder_io_owners_valid;
  wire                responder_io_owners_payload_valid;
  wire       [23:0]   responder_io_owners_payload_qpn;
  wire       [31:0]   responder_io_owners_payload_peerIp;
  wire       [10:0]   responder_io_owners_payload_share;
  wire                responder_io_counted_valid;
  wire       [5:0]    responder_io_counted_payload;
  wire       [7:0]    responder_io_jobs;
  wire                responder_io_ready;
  wire                responder_io_rests;
  wire                transmit_io_departures_ready;
  wire                transmit_io_payload_ready;
  wire                transmit_io_frames_valid;
  wire       [511:0]  transmit_io_frames_payload_data;
  wire       [5:0]    transmit_io_frames_payload_lastByte;
  wire                transmit_io_frames_payload_last;
  wire       [0:0]    transmit_io_frames_payload_user;
  wire                transmit_io_counted_valid;
  wire       [5:0]    transmit_io_counted_payload;
  wire                registers_io_bus_aw_ready;
  wire                registers_io_bus_w_ready;
  wire                registers_io_bus_b_valid;
  wire       [1:0]    registers_io_bus_b_payload_resp;
  wire                registers_io_bus_ar_ready;
  wire                registers_io_bus_r_valid;
  wire       [31:0]   registers_io_bus_r_payload_data;
  wire       [1:0]    registers_io_bus_r_payload_resp;
  wire                registers_io_orders_valid;
  wire       [7:0]    registers_io_orders_payload_command;
  wire       [23:0]   registers_io_orders_payload_settings_qpn;
  wire       [23:0]   registers_io_orders_payload_settings_peerQpn;
  wire       [31:0]   registers_io_orders_payload_settings_peerIp;
  wire       [47:0]   registers_io_orders_payload_settings_peerMac;
  wire       [15:0]   registers_io_orders_payload_settings_srcPort;
  wire       [15:0]   registers_io_orders_payload_settings_pkey;
  wire       [23:0]   registers_io_orders_payload_settings_pid;
  wire       [2:0]    registers_io_orders_payload_settings_mtuCode;
  wire                registers_io_orders_payload_settings_hardened;
  wire       [23:0]   registers_io_orders_payload_psn;
  wire       [31:0]   registers_io_orders_payload_rate;
  wire                registers_io_orders_payload_region_valid;
  wire       [31:0]   registers_io_orders_payload_region_key;
  wire       [23:0]   registers_io_orders_payload_region_pid;
  wire       [47:0]   registers_io_orders_payload_region_va;
  wire       [47:0]   registers_io_orders_payload_region_length;
  wire       [2:0]    registers_io_orders_payload_region_rights;
  wire       [5:0]    registers_io_index;
  wire       [31:0]   counters_io_value;
  reg                 io_counted_regNext_valid;
  reg        [5:0]    io_counted_regNext_payload;

  RoceReceive receive (
    .io_frames_valid                        (io_rx_valid                                        ), //i
    .io_frames_ready                        (receive_io_frames_ready                            ), //o
    .io_frames_payload_data                 (io_rx_payload_data[511:0]                          ), //i
    .io_frames_payload_lastByte             (io_rx_payload_lastByte[5:0]                        ), //i
    .io_frames_payload_last                 (io_rx_payload_last                                 ), //i
    .io_frames_payload_user                 (io_rx_payload_user                                 ), //i
    .io_local_mac                           (io_local_mac[47:0]                                 ), //i
    .io_local_ip                            (io_local_ip[31:0]                                  ), //i
    .io_arrivals_valid                      (receive_io_arrivals_valid                          ), //o
    .io_arrivals_ready                      (responder_io_arrivals_ready                        ), //i
    .io_arrivals_payload_headers_srcIp      (receive_io_arrivals_payload_headers_srcIp[31:0]    ), //o
    .io_arrivals_payload_headers_congested  (receive_io_arrivals_payload_headers_congested      ), //o
    .io_arrivals_payload_headers_opcode     (receive_io_arrivals_payload_headers_opcode[7:0]    ), //o
    .io_arrivals_payload_headers_ackRequest (receive_io_arrivals_payload_headers_ackRequest     ), //o
    .io_arrivals_payload_headers_pkey       (receive_io_arrivals_payload_headers_pkey[15:0]     ), //o
    .io_arrivals_payload_headers_destQp     (receive_io_arrivals_payload_headers_destQp[23:0]   ), //o
    .io_arrivals_payload_headers_psn        (receive_io_arrivals_payload_headers_psn[23:0]      ), //o
    .io_arrivals_payload_headers_va         (receive_io_arrivals_payload_headers_va[63:0]       ), //o
    .io_arrivals_payload_headers_rkey       (receive_io_arrivals_payload_headers_rkey[31:0]     ), //o
    .io_arrivals_payload_headers_dmaLength  (receive_io_arrivals_payload_headers_dmaLength[31:0]), //o
    .io_arrivals_payload_headers_swapAdd    (receive_io_arrivals_payload_headers_swapAdd[63:0]  ), //o
    .io_arrivals_payload_headers_compare    (receive_io_arrivals_payload_headers_compare[63:0]  ), //o
    .io_arrivals_payload_headers_payload    (receive_io_arrivals_payload_headers_payload[12:0]  ), //o
    .io_arrivals_payload_slot               (receive_io_arrivals_payload_slot[4:0]              ), //o
    .io_arrivals_payload_offset             (receive_io_arrivals_payload_offset[6:0]            ), //o
    .io_arrivals_payload_malformed          (receive_io_arrivals_payload_malformed              ), //o
    .io_read_valid                          (responder_io_read_valid                            ), //i
    .io_read_payload_slot                   (responder_io_read_payload_slot[4:0]                ), //i
    .io_read_payload_beat                   (responder_io_read_payload_beat[6:0]                ), //i
    .io_data                                (receive_io_data[511:0]                             ), //o
    .io_giveBack_valid                      (responder_io_released_valid                        ), //i
    .io_giveBack_payload                    (responder_io_released_payload[4:0]                 ), //i
    .io_owners_valid                        (responder_io_owners_valid                          ), //i
    .io_owners_payload_valid                (responder_io_owners_payload_valid                  ), //i
    .io_owners_payload_qpn                  (responder_io_owners_payload_qpn[23:0]              ), //i
    .io_owners_payload_peerIp               (responder_io_owners_payload_peerIp[31:0]           ), //i
    .io_owners_payload_share                (responder_io_owners_payload_share[10:0]            ), //i
    .io_ready                               (receive_io_ready                                   ), //o
    .io_counted_valid                       (receive_io_counted_valid                           ), //o
    .io_counted_payload                     (receive_io_counted_payload[5:0]                    ), //o
    .clk                                    (clk                                                ), //i
    .reset                                  (reset                                              )  //i
  );
  RoceResponder responder (
    .io_arrivals_valid                                      (receive_io_arrivals_valid                                  ), //i
    .io_arrivals_ready                                      (responder_io_arrivals_ready                                ), //o
    .io_arrivals_payload_headers_srcIp                      (receive_io_arrivals_payload_headers_srcIp[31:0]            ), //i
    .io_arrivals_payload_headers_congested                  (receive_io_arrivals_payload_headers_congested              ), //i
    .io_arrivals_payload_headers_opcode                     (receive_io_arrivals_payload_headers_opcode[7:0]            ), //i
    .io_arrivals_payload_headers_ackRequest                 (receive_io_arrivals_payload_headers_ackRequest             ), //i
    .io_arrivals_payload_headers_pkey                       (receive_io_arrivals_payload_headers_pkey[15:0]             ), //i
    .io_arrivals_payload_headers_destQp                     (receive_io_arrivals_payload_headers_destQp[23:0]           ), //i
    .io_arrivals_payload_headers_psn                        (receive_io_arrivals_payload_headers_psn[23:0]              ), //i
    .io_arrivals_payload_headers_va                         (receive_io_arrivals_payload_headers_va[63:0]               ), //i
    .io_arrivals_payload_headers_rkey                       (receive_io_arrivals_payload_headers_rkey[31:0]             ), //i
    .io_arrivals_payload_headers_dmaLength                  (receive_io_arrivals_payload_headers_dmaLength[31:0]        ), //i
    .io_arrivals_payload_headers_swapAdd                    (receive_io_arrivals_payload_headers_swapAdd[63:0]          ), //i
    .io_arrivals_payload_headers_compare                    (receive_io_arrivals_payload_headers_compare[63:0]          ), //i
    .io_arrivals_payload_headers_payload                    (receive_io_arrivals_payload_headers_payload[12:0]          ), //i
    .io_arrivals_payload_slot                               (receive_io_arrivals_payload_slot[4:0]                      ), //i
    .io_arrivals_payload_offset                             (receive_io_arrivals_payload_offset[6:0]                    ), //i
    .io_arrivals_payload_malformed                          (receive_io_arrivals_payload_malformed                      ), //i
    .io_read_valid                                          (responder_io_read_valid                                    ), //o
    .io_read_payload_slot                                   (responder_io_read_payload_slot[4:0]                        ), //o
    .io_read_payload_beat                                   (responder_io_read_payload_beat[6:0]                        ), //o
    .io_packet                                              (receive_io_data[511:0]                                     ), //i
    .io_released_valid                                      (responder_io_released_valid                                ), //o
    .io_released_payload                                    (responder_io_released_payload[4:0]                         ), //o
    .io_departures_valid                                    (responder_io_departures_valid                              ), //o
    .io_departures_ready                                    (transmit_io_departures_ready                               ), //i
    .io_departures_payload_dstMac                           (responder_io_departures_payload_dstMac[47:0]               ), //o
    .io_departures_payload_dstIp                            (responder_io_departures_payload_dstIp[31:0]                ), //o
    .io_departures_payload_srcPort                          (responder_io_departures_payload_srcPort[15:0]              ), //o
    .io_departures_payload_opcode                           (responder_io_departures_payload_opcode[7:0]                ), //o
    .io_departures_payload_pkey                             (responder_io_departures_payload_pkey[15:0]                 ), //o
    .io_departures_payload_destQp                           (responder_io_departures_payload_destQp[23:0]               ), //o
    .io_departures_payload_psn                              (responder_io_departures_payload_psn[23:0]                  ), //o
    .io_departures_payload_ackRequest                       (responder_io_departures_payload_ackRequest                 ), //o
    .io_departures_payload_syndrome                         (responder_io_departures_payload_syndrome[7:0]              ), //o
    .io_departures_payload_msn                              (responder_io_departures_payload_msn[23:0]                  ), //o
    .io_departures_payload_original                         (responder_io_departures_payload_original[63:0]             ), //o
    .io_departures_payload_payload                          (responder_io_departures_payload_payload[12:0]              ), //o
    .io_payload_valid                                       (responder_io_payload_valid                                 ), //o
    .io_payload_ready                                       (transmit_io_payload_ready                                  ), //i
    .io_payload_payload_data                                (responder_io_payload_payload_data[511:0]                   ), //o
    .io_payload_payload_error                               (responder_io_payload_payload_error                         ), //o
    .io_door_tokens_valid                                   (responder_io_door_tokens_valid                             ), //o
    .io_door_tokens_ready                                   (io_door_tokens_ready                                       ), //i
    .io_door_tokens_payload_context                         (responder_io_door_tokens_payload_context[5:0]              ), //o
    .io_door_tokens_payload_demand_operation                (responder_io_door_tokens_payload_demand_operation[2:0]     ), //o
    .io_door_tokens_payload_demand_ordering_fence           (responder_io_door_tokens_payload_demand_ordering_fence     ), //o
    .io_door_tokens_payload_demand_ordering_windowed        (responder_io_door_tokens_payload_demand_ordering_windowed  ), //o
    .io_door_tokens_payload_demand_ordering_time            (responder_io_door_tokens_payload_demand_ordering_time[23:0]), //o
    .io_door_tokens_payload_demand_pid                      (responder_io_door_tokens_payload_demand_pid[23:0]          ), //o
    .io_door_tokens_payload_demand_va                       (responder_io_door_tokens_payload_demand_va[47:0]           ), //o
    .io_door_tokens_payload_demand_length                   (responder_io_door_tokens_payload_demand_length[15:0]       ), //o
    .io_door_tokens_payload_demand_dataOffset               (responder_io_door_tokens_payload_demand_dataOffset[7:0]    ), //o
    .io_door_data_fetch_valid                               (io_door_data_fetch_valid                                   ), //i
    .io_door_data_fetch_ready                               (responder_io_door_data_fetch_ready                         ), //o
    .io_door_data_fetch_payload_context                     (io_door_data_fetch_payload_context[5:0]                    ), //i
    .io_door_data_fetch_payload_beat                        (io_door_data_fetch_payload_beat[4:0]                       ), //i
    .io_door_data_fetched_valid                             (responder_io_door_data_fetched_valid                       ), //o
    .io_door_data_fetched_payload                           (responder_io_door_data_fetched_payload[511:0]              ), //o
    .io_door_data_operands                                  (responder_io_door_data_operands[127:0]                     ), //o
    .io_door_data_completions_valid                         (io_door_data_completions_valid                             ), //i
    .io_door_data_completions_ready                         (responder_io_door_data_completions_ready                   ), //o
    .io_door_data_completions_payload_context               (io_door_data_completions_payload_context[5:0]              ), //i
    .io_door_data_completions_payload_report_outcome_status (io_door_data_completions_payload_report_outcome_status[4:0]), //i
    .io_door_data_completions_payload_report_zeros          (io_door_data_completions_payload_report_zeros              ), //i
    .io_door_data_completions_payload_old                   (io_door_data_completions_payload_old[63:0]                 ), //i
    .io_door_data_payload_valid                             (io_door_data_payload_valid                                 ), //i
    .io_door_data_payload_ready                             (responder_io_door_data_payload_ready                       ), //o
    .io_door_data_payload_payload_data                      (io_door_data_payload_payload_data[511:0]                   ), //i
    .io_door_data_payload_payload_error                     (io_door_data_payload_payload_error                         ), //i
    .io_orders_valid                                        (registers_io_orders_valid                                  ), //i
    .io_orders_ready                                        (responder_io_orders_ready                                  ), //o
    .io_orders_payload_command                              (registers_io_orders_payload_command[7:0]                   ), //i
    .io_orders_payload_settings_qpn                         (registers_io_orders_payload_settings_qpn[23:0]             ), //i
    .io_orders_payload_settings_peerQpn                     (registers_io_orders_payload_settings_peerQpn[23:0]         ), //i
    .io_orders_payload_settings_peerIp                      (registers_io_orders_payload_settings_peerIp[31:0]          ), //i
    .io_orders_payload_settings_peerMac                     (registers_io_orders_payload_settings_peerMac[47:0]         ), //i
    .io_orders_payload_settings_srcPort                     (registers_io_orders_payload_settings_srcPort[15:0]         ), //i
    .io_orders_payload_settings_pkey                        (registers_io_orders_payload_settings_pkey[15:0]            ), //i
    .io_orders_payload_settings_pid                         (registers_io_orders_payload_settings_pid[23:0]             ), //i
    .io_orders_payload_settings_mtuCode                     (registers_io_orders_payload_settings_mtuCode[2:0]          ), //i
    .io_orders_payload_settings_hardened                    (registers_io_orders_payload_settings_hardened              ), //i
    .io_orders_payload_psn                                  (registers_io_orders_payload_psn[23:0]                      ), //i
    .io_orders_payload_rate                                 (registers_io_orders_payload_rate[31:0]                     ), //i
    .io_orders_payload_region_valid                         (registers_io_orders_payload_region_valid                   ), //i
    .io_orders_payload_region_key                           (registers_io_orders_payload_region_key[31:0]               ), //i
    .io_orders_payload_region_pid                           (registers_io_orders_payload_region_pid[23:0]               ), //i
    .io_orders_payload_region_va                            (registers_io_orders_payload_region_va[47:0]                ), //i
    .io_orders_payload_region_length                        (registers_io_orders_payload_region_length[47:0]            ), //i
    .io_orders_payload_region_rights                        (registers_io_orders_payload_region_rights[2:0]             ), //i
    .io_ordered_valid                                       (responder_io_ordered_valid                                 ), //o
    .io_ordered_payload_result                              (responder_io_ordered_payload_result[7:0]                   ), //o
    .io_ordered_payload_expected                            (responder_io_ordered_payload_expected[23:0]                ), //o
    .io_ordered_payload_msn                                 (responder_io_ordered_payload_msn[23:0]                     ), //o
    .io_ordered_payload_inError                             (responder_io_ordered_payload_inError                       ), //o
    .io_ordered_payload_running                             (responder_io_ordered_payload_running                       ), //o
    .io_ordered_payload_unanswered                          (responder_io_ordered_payload_unanswered                    ), //o
    .io_ordered_payload_jobs                                (responder_io_ordered_payload_jobs[4:0]                     ), //o
    .io_owners_valid                                        (responder_io_owners_valid                                  ), //o
    .io_owners_payload_valid                                (responder_io_owners_payload_valid                          ), //o
    .io_owners_payload_qpn                                  (responder_io_owners_payload_qpn[23:0]                      ), //o
    .io_owners_payload_peerIp                               (responder_io_owners_payload_peerIp[31:0]                   ), //o
    .io_owners_payload_share                                (responder_io_owners_payload_share[10:0]                    ), //o
    .io_counted_valid                                       (responder_io_counted_valid                                 ), //o
    .io_counted_payload                                     (responder_io_counted_payload[5:0]                          ), //o
    .io_jobs                                                (responder_io_jobs[7:0]                                     ), //o
    .io_ready                                               (responder_io_ready                                         ), //o
    .io_rests                                               (responder_io_rests                                         ), //o
    .clk                                                    (clk                                                        ), //i
    .reset                                                  (reset                                                      )  //i
  );
  RoceTransmit transmit (
    .io_departures_valid              (responder_io_departures_valid                 ), //i
    .io_departures_ready              (transmit_io_departures_ready                  ), //o
    .io_departures_payload_dstMac     (responder_io_departures_payload_dstMac[47:0]  ), //i
    .io_departures_payload_dstIp      (responder_io_departures_payload_dstIp[31:0]   ), //i
    .io_departures_payload_srcPort    (responder_io_departures_payload_srcPort[15:0] ), //i
    .io_departures_payload_opcode     (responder_io_departures_payload_opcode[7:0]   ), //i
    .io_departures_payload_pkey       (responder_io_departures_payload_pkey[15:0]    ), //i
    .io_departures_payload_destQp     (responder_io_departures_payload_destQp[23:0]  ), //i
    .io_departures_payload_psn        (responder_io_departures_payload_psn[23:0]     ), //i
    .io_departures_payload_ackRequest (responder_io_departures_payload_ackRequest    ), //i
    .io_departures_payload_syndrome   (responder_io_departures_payload_syndrome[7:0] ), //i
    .io_departures_payload_msn        (responder_io_departures_payload_msn[23:0]     ), //i
    .io_departures_payload_original   (responder_io_departures_payload_original[63:0]), //i
    .io_departures_payload_payload    (responder_io_departures_payload_payload[12:0] ), //i
    .io_payload_valid                 (responder_io_payload_valid                    ), //i
    .io_payload_ready                 (transmit_io_payload_ready                     ), //o
    .io_payload_payload_data          (responder_io_payload_payload_data[511:0]      ), //i
    .io_payload_payload_error         (responder_io_payload_payload_error            ), //i
    .io_local_mac                     (io_local_mac[47:0]                            ), //i
    .io_local_ip                      (io_local_ip[31:0]                             ), //i
    .io_frames_valid                  (transmit_io_frames_valid                      ), //o
    .io_frames_ready                  (io_tx_ready                                   ), //i
    .io_frames_payload_data           (transmit_io_frames_payload_data[511:0]        ), //o
    .io_frames_payload_lastByte       (transmit_io_frames_payload_lastByte[5:0]      ), //o
    .io_frames_payload_last           (transmit_io_frames_payload_last               ), //o
    .io_frames_payload_user           (transmit_io_frames_payload_user               ), //o
    .io_counted_valid                 (transmit_io_counted_valid                     ), //o
    .io_counted_payload               (transmit_io_counted_payload[5:0]              ), //o
    .clk                              (clk                                           ), //i
    .reset                            (reset                                         )  //i
  );
  RoceRegisters registers (
    .io_bus_aw_valid                     (io_bus_aw_valid                                   ), //i
    .io_bus_aw_ready                     (registers_io_bus_aw_ready                         ), //o
    .io_bus_aw_payload_addr              (io_bus_aw_payload_addr[8:0]                       ), //i
    .io_bus_w_valid                      (io_bus_w_valid                                    ), //i
    .io_bus_w_ready                      (registers_io_bus_w_ready                          ), //o
    .io_bus_w_payload_data               (io_bus_w_payload_data[31:0]                       ), //i
    .io_bus_w_payload_strb               (io_bus_w_payload_strb[3:0]                        ), //i
    .io_bus_b_valid                      (registers_io_bus_b_valid                          ), //o
    .io_bus_b_ready                      (io_bus_b_ready                                    ), //i
    .io_bus_b_payload_resp               (registers_io_bus_b_payload_resp[1:0]              ), //o
    .io_bus_ar_valid                     (io_bus_ar_valid                                   ), //i
    .io_bus_ar_ready                     (registers_io_bus_ar_ready                         ), //o
    .io_bus_ar_payload_addr              (io_bus_ar_payload_addr[8:0]                       ), //i
    .io_bus_r_valid                      (registers_io_bus_r_valid                          ), //o
    .io_bus_r_ready                      (io_bus_r_ready                                    ), //i
    .io_bus_r_payload_data               (registers_io_bus_r_payload_data[31:0]             ), //o
    .io_bus_r_payload_resp               (registers_io_bus_r_payload_resp[1:0]              ), //o
    .io_orders_valid                     (registers_io_orders_valid                         ), //o
    .io_orders_ready                     (responder_io_orders_ready                         ), //i
    .io_orders_payload_command           (registers_io_orders_payload_command[7:0]          ), //o
    .io_orders_payload_settings_qpn      (registers_io_orders_payload_settings_qpn[23:0]    ), //o
    .io_orders_payload_settings_peerQpn  (registers_io_orders_payload_settings_peerQpn[23:0]), //o
    .io_orders_payload_settings_peerIp   (registers_io_orders_payload_settings_peerIp[31:0] ), //o
    .io_orders_payload_settings_peerMac  (registers_io_orders_payload_settings_peerMac[47:0]), //o
    .io_orders_payload_settings_srcPort  (registers_io_orders_payload_settings_srcPort[15:0]), //o
    .io_orders_payload_settings_pkey     (registers_io_orders_payload_settings_pkey[15:0]   ), //o
    .io_orders_payload_settings_pid      (registers_io_orders_payload_settings_pid[23:0]    ), //o
    .io_orders_payload_settings_mtuCode  (registers_io_orders_payload_settings_mtuCode[2:0] ), //o
    .io_orders_payload_settings_hardened (registers_io_orders_payload_settings_hardened     ), //o
    .io_orders_payload_psn               (registers_io_orders_payload_psn[23:0]             ), //o
    .io_orders_payload_rate              (registers_io_orders_payload_rate[31:0]            ), //o
    .io_orders_payload_region_valid      (registers_io_orders_payload_region_valid          ), //o
    .io_orders_payload_region_key        (registers_io_orders_payload_region_key[31:0]      ), //o
    .io_orders_payload_region_pid        (registers_io_orders_payload_region_pid[23:0]      ), //o
    .io_orders_payload_region_va         (registers_io_orders_payload_region_va[47:0]       ), //o
    .io_orders_payload_region_length     (registers_io_orders_payload_region_length[47:0]   ), //o
    .io_orders_payload_region_rights     (registers_io_orders_payload_region_rights[2:0]    ), //o
    .io_ordered_valid                    (responder_io_ordered_valid                        ), //i
    .io_ordered_payload_result           (responder_io_ordered_payload_result[7:0]          ), //i
    .io_ordered_payload_expected         (responder_io_ordered_payload_expected[23:0]       ), //i
    .io_ordered_payload_msn              (responder_io_ordered_payload_msn[23:0]            ), //i
    .io_ordered_payload_inError          (responder_io_ordered_payload_inError              ), //i
    .io_ordered_payload_running          (responder_io_ordered_payload_running              ), //i
    .io_ordered_payload_unanswered       (responder_io_ordered_payload_unanswered           ), //i
    .io_ordered_payload_jobs             (responder_io_ordered_payload_jobs[4:0]            ), //i
    .io_ready                            (registers_io_ready                                ), //i
    .io_jobs                             (responder_io_jobs[7:0]                            ), //i
    .io_index                            (registers_io_index[5:0]                           ), //o
    .io_value                            (counters_io_value[31:0]                           ), //i
    .clk                                 (clk                                               ), //i
    .reset                               (reset                                             )  //i
  );
  RoceCounters counters (
    .io_receive_valid     (receive_io_counted_valid        ), //i
    .io_receive_payload   (receive_io_counted_payload[5:0] ), //i
    .io_transmit_valid    (transmit_io_counted_valid       ), //i
    .io_transmit_payload  (transmit_io_counted_payload[5:0]), //i
    .io_responder_valid   (io_counted_regNext_valid        ), //i
    .io_responder_payload (io_counted_regNext_payload[5:0] ), //i
    .io_index             (registers_io_index[5:0]         ), //i
    .io_value             (counters_io_value[31:0]         ), //o
    .clk                  (clk                             ), //i
    .reset                (reset                           )  //i
  );
  assign io_rx_ready = receive_io_frames_ready;
  assign io_tx_valid = transmit_io_frames_valid;
  assign io_tx_payload_data = transmit_io_frames_payload_data;
  assign io_tx_payload_lastByte = transmit_io_frames_payload_lastByte;
  assign io_tx_payload_last = transmit_io_frames_payload_last;
  assign io_tx_payload_user = transmit_io_frames_payload_user;
  assign io_door_tokens_valid = responder_io_door_tokens_valid;
  assign io_door_tokens_payload_context = responder_io_door_tokens_payload_context;
  assign io_door_tokens_payload_demand_operation = responder_io_door_tokens_payload_demand_operation;
  assign io_door_tokens_payload_demand_ordering_fence = responder_io_door_tokens_payload_demand_ordering_fence;
  assign io_door_tokens_payload_demand_ordering_windowed = responder_io_door_tokens_payload_demand_ordering_windowed;
  assign io_door_tokens_payload_demand_ordering_time = responder_io_door_tokens_payload_demand_ordering_time;
  assign io_door_tokens_payload_demand_pid = responder_io_door_tokens_payload_demand_pid;
  assign io_door_tokens_payload_demand_va = responder_io_door_tokens_payload_demand_va;
  assign io_door_tokens_payload_demand_length = responder_io_door_tokens_payload_demand_length;
  assign io_door_tokens_payload_demand_dataOffset = responder_io_door_tokens_payload_demand_dataOffset;
  assign io_door_data_fetch_ready = responder_io_door_data_fetch_ready;
  assign io_door_data_fetched_valid = responder_io_door_data_fetched_valid;
  assign io_door_data_fetched_payload = responder_io_door_data_fetched_payload;
  assign io_door_data_operands = responder_io_door_data_operands;
  assign io_door_data_completions_ready = responder_io_door_data_completions_ready;
  assign io_door_data_payload_ready = responder_io_door_data_payload_ready;
  assign io_bus_aw_ready = registers_io_bus_aw_ready;
  assign io_bus_w_ready = registers_io_bus_w_ready;
  assign io_bus_b_valid = registers_io_bus_b_valid;
  assign io_bus_b_payload_resp = registers_io_bus_b_payload_resp;
  assign io_bus_ar_ready = registers_io_bus_ar_ready;
  assign io_bus_r_valid = registers_io_bus_r_valid;
  assign io_bus_r_payload_data = registers_io_bus_r_payload_data;
  assign io_bus_r_payload_resp = registers_io_bus_r_payload_resp;
  assign registers_io_ready = (responder_io_ready && receive_io_ready);
  assign io_rests = responder_io_rests;
  always @(posedge clk) begin
    if(reset) begin
      io_counted_regNext_valid <= 1'b0;
    end else begin
      io_counted_regNext_valid <= responder_io_counted_valid;
    end
  end

  always @(posedge clk) begin
    io_counted_regNext_payload <= responder_io_counted_payload;
  end


endmodule

module RoceCounters (
  input  wire          io_receive_valid,
  input  wire [5:0]    io_receive_payload,
  input  wire          io_transmit_valid,
  input  wire [5:0]    io_transmit_payload,
  input  wire          io_responder_valid,
  input  wire [5:0]    io_responder_payload,
  input  wire [5:0]    io_index,
  output wire [31:0]   io_value,
  input  wire          clk,
  input  wire          reset
);

  wire       [31:0]   _zz_1_spinal_port0;
  wire       [31:0]   _zz_1_spinal_port2;
  wire       [31:0]   _zz_7_spinal_port0;
  wire       [31:0]   _zz_7_spinal_port2;
  wire       [31:0]   _zz_13_spinal_port0;
  wire       [31:0]   _zz_13_spinal_port2;
  wire       [5:0]    _zz__zz_3;
  wire       [4:0]    _zz__zz_1_port;
  wire       [5:0]    _zz__zz_1_port_1;
  wire       [31:0]   _zz__zz_1_port_2;
  wire       [31:0]   _zz__zz_1_port_3;
  wire       [4:0]    _zz__zz_1_port_4;
  wire       [5:0]    _zz__zz_1_port_5;
  wire       [4:0]    _zz__zz_values_0;
  wire       [5:0]    _zz__zz_values_0_1;
  wire       [5:0]    _zz__zz_values_0_1_1;
  wire       [4:0]    _zz_values_0_2;
  wire       [5:0]    _zz_values_0_3;
  wire       [5:0]    _zz__zz_9;
  wire       [0:0]    _zz__zz_7_port;
  wire       [5:0]    _zz__zz_7_port_1;
  wire       [31:0]   _zz__zz_7_port_2;
  wire       [31:0]   _zz__zz_7_port_3;
  wire       [0:0]    _zz__zz_7_port_4;
  wire       [5:0]    _zz__zz_7_port_5;
  wire       [0:0]    _zz__zz_values_1;
  wire       [5:0]    _zz__zz_values_1_1;
  wire       [5:0]    _zz__zz_values_1_1_1;
  wire       [0:0]    _zz_values_1_2;
  wire       [5:0]    _zz_values_1_3;
  wire       [5:0]    _zz__zz_13_port;
  wire       [31:0]   _zz__zz_13_port_1;
  wire       [31:0]   _zz__zz_13_port_2;
  wire       [5:0]    _zz__zz_13_port_3;
  wire       [5:0]    _zz__zz_values_2;
  wire       [5:0]    _zz_values_2_2;
  reg        [19:0]   _zz_values_0;
  wire                _zz_2;
  wire       [4:0]    _zz_3;
  wire       [4:0]    _zz_values_0_1;
  wire       [31:0]   values_0;
  reg        [1:0]    _zz_values_1;
  wire                _zz_8;
  wire       [0:0]    _zz_9;
  wire       [0:0]    _zz_values_1_1;
  wire       [31:0]   values_1;
  reg        [40:0]   _zz_values_2;
  wire                _zz_14;
  wire       [5:0]    _zz_15;
  wire       [5:0]    _zz_values_2_1;
  wire       [31:0]   values_2;
  reg        [31:0]   _zz_io_value;
  (* ram_style = "distributed" *) reg [31:0] _zz_1 [0:31];
  (* ram_style = "distributed" *) reg [31:0] _zz_7 [0:1];
  (* ram_style = "distributed" *) reg [31:0] _zz_13 [0:63];

  assign _zz__zz_3 = (io_receive_payload - 6'h0);
  assign _zz__zz_1_port_1 = (io_receive_payload - 6'h0);
  assign _zz__zz_1_port = _zz__zz_1_port_1[4:0];
  assign _zz__zz_1_port_3 = ((((io_receive_payload <= 6'h13) && _zz_values_0[_zz__zz_1_port_4]) ? _zz_1_spinal_port0 : 32'h0) + 32'h00000001);
  assign _zz__zz_1_port_5 = (io_receive_payload - 6'h0);
  assign _zz__zz_1_port_4 = _zz__zz_1_port_5[4:0];
  assign _zz__zz_values_0_1 = (io_receive_payload - 6'h0);
  assign _zz__zz_values_0 = _zz__zz_values_0_1[4:0];
  assign _zz__zz_values_0_1_1 = (io_index - 6'h0);
  assign _zz_values_0_3 = (io_index - 6'h0);
  assign _zz_values_0_2 = _zz_values_0_3[4:0];
  assign _zz__zz_9 = (io_transmit_payload - 6'h14);
  assign _zz__zz_7_port_1 = (io_transmit_payload - 6'h14);
  assign _zz__zz_7_port = _zz__zz_7_port_1[0:0];
  assign _zz__zz_7_port_3 = (((((6'h14 <= io_transmit_payload) && (io_transmit_payload <= 6'h15)) && _zz_values_1[_zz__zz_7_port_4]) ? _zz_7_spinal_port0 : 32'h0) + 32'h00000001);
  assign _zz__zz_7_port_5 = (io_transmit_payload - 6'h14);
  assign _zz__zz_7_port_4 = _zz__zz_7_port_5[0:0];
  assign _zz__zz_values_1_1 = (io_transmit_payload - 6'h14);
  assign _zz__zz_values_1 = _zz__zz_values_1_1[0:0];
  assign _zz__zz_values_1_1_1 = (io_index - 6'h14);
  assign _zz_values_1_3 = (io_index - 6'h14);
  assign _zz_values_1_2 = _zz_values_1_3[0:0];
  assign _zz__zz_13_port = (io_responder_payload - 6'h16);
  assign _zz__zz_13_port_2 = (((((6'h16 <= io_responder_payload) && (io_responder_payload <= 6'h3e)) && _zz_values_2[_zz__zz_13_port_3]) ? _zz_13_spinal_port0 : 32'h0) + 32'h00000001);
  assign _zz__zz_13_port_3 = (io_responder_payload - 6'h16);
  assign _zz__zz_values_2 = (io_responder_payload - 6'h16);
  assign _zz_values_2_2 = (io_index - 6'h16);
  assign _zz__zz_1_port_2 = _zz__zz_1_port_3;
  assign _zz__zz_7_port_2 = _zz__zz_7_port_3;
  assign _zz__zz_13_port_1 = _zz__zz_13_port_2;
  assign _zz_1_spinal_port0 = _zz_1[_zz_3];
  always @(posedge clk) begin
    if(_zz_2) begin
      _zz_1[_zz__zz_1_port] <= _zz__zz_1_port_2;
    end
  end

  assign _zz_1_spinal_port2 = _zz_1[_zz_values_0_1];
  assign _zz_7_spinal_port0 = _zz_7[_zz_9];
  always @(posedge clk) begin
    if(_zz_8) begin
      _zz_7[_zz__zz_7_port] <= _zz__zz_7_port_2;
    end
  end

  assign _zz_7_spinal_port2 = _zz_7[_zz_values_1_1];
  assign _zz_13_spinal_port0 = _zz_13[_zz_15];
  always @(posedge clk) begin
    if(_zz_14) begin
      _zz_13[_zz__zz_13_port] <= _zz__zz_13_port_1;
    end
  end

  assign _zz_13_spinal_port2 = _zz_13[_zz_values_2_1];
  assign _zz_2 = (io_receive_valid && (io_receive_payload <= 6'h13));
  assign _zz_3 = _zz__zz_3[4:0];
  assign _zz_values_0_1 = _zz__zz_values_0_1_1[4:0];
  assign values_0 = (((io_index <= 6'h13) && _zz_values_0[_zz_values_0_2]) ? _zz_1_spinal_port2 : 32'h0);
  assign _zz_8 = (io_transmit_valid && ((6'h14 <= io_transmit_payload) && (io_transmit_payload <= 6'h15)));
  assign _zz_9 = _zz__zz_9[0:0];
  assign _zz_values_1_1 = _zz__zz_values_1_1_1[0:0];
  assign values_1 = ((((6'h14 <= io_index) && (io_index <= 6'h15)) && _zz_values_1[_zz_values_1_2]) ? _zz_7_spinal_port2 : 32'h0);
  assign _zz_14 = (io_responder_valid && ((6'h16 <= io_responder_payload) && (io_responder_payload <= 6'h3e)));
  assign _zz_15 = (io_responder_payload - 6'h16);
  assign _zz_values_2_1 = (io_index - 6'h16);
  assign values_2 = ((((6'h16 <= io_index) && (io_index <= 6'h3e)) && _zz_values_2[_zz_values_2_2]) ? _zz_13_spinal_port2 : 32'h0);
  assign io_value = _zz_io_value;
  always @(posedge clk) begin
    if(reset) begin
      _zz_values_0 <= 20'h0;
      _zz_values_1 <= 2'b00;
      _zz_values_2 <= 41'h0;
      _zz_io_value <= 32'h0;
    end else begin
      if(_zz_2) begin
        _zz_values_0[_zz__zz_values_0] <= 1'b1;
      end
      if(_zz_8) begin
        _zz_values_1[_zz__zz_values_1] <= 1'b1;
      end
      if(_zz_14) begin
        _zz_values_2[_zz__zz_values_2] <= 1'b1;
      end
      _zz_io_value <= ((values_0 | values_1) | values_2);
    end
  end


endmodule

module RoceRegisters (
  input  wire          io_bus_aw_valid,
  output wire          io_bus_aw_ready,
  input  wire [8:0]    io_bus_aw_payload_addr,
  input  wire          io_bus_w_valid,
  output wire          io_bus_w_ready,
  input  wire [31:0]   io_bus_w_payload_data,
  input  wire [3:0]    io_bus_w_payload_strb,
  output wire          io_bus_b_valid,
  input  wire          io_bus_b_ready,
  output wire [1:0]    io_bus_b_payload_resp,
  input  wire          io_bus_ar_valid,
  output wire          io_bus_ar_ready,
  input  wire [8:0]    io_bus_ar_payload_addr,
  output wire          io_bus_r_valid,
  input  wire          io_bus_r_ready,
  output wire [31:0]   io_bus_r_payload_data,
  output wire [1:0]    io_bus_r_payload_resp,
  output wire          io_orders_valid,
  input  wire          io_orders_ready,
  output wire [7:0]    io_orders_payload_command,
  output wire [23:0]   io_orders_payload_settings_qpn,
  output wire [23:0]   io_orders_payload_settings_peerQpn,
  output wire [31:0]   io_orders_payload_settings_peerIp,
  output wire [47:0]   io_orders_payload_settings_peerMac,
  output wire [15:0]   io_orders_payload_settings_srcPort,
  output wire [15:0]   io_orders_payload_settings_pkey,
  output wire [23:0]   io_orders_payload_settings_pid,
  output wire [2:0]    io_orders_payload_settings_mtuCode,
  output wire          io_orders_payload_settings_hardened,
  output wire [23:0]   io_orders_payload_psn,
  output wire [31:0]   io_orders_payload_rate,
  output wire          io_orders_payload_region_valid,
  output wire [31:0]   io_orders_payload_region_key,
  output wire [23:0]   io_orders_payload_region_pid,
  output wire [47:0]   io_orders_payload_region_va,
  output wire [47:0]   io_orders_payload_region_length,
  output wire [2:0]    io_orders_payload_region_rights,
  input  wire          io_ordered_valid,
  input  wire [7:0]    io_ordered_payload_result,
  input  wire [23:0]   io_ordered_payload_expected,
  input  wire [23:0]   io_ordered_payload_msn,
  input  wire          io_ordered_payload_inError,
  input  wire          io_ordered_payload_running,
  input  wire          io_ordered_payload_unanswered,
  input  wire [4:0]    io_ordered_payload_jobs,
  input  wire          io_ready,
  input  wire [7:0]    io_jobs,
  output wire [5:0]    io_index,
  input  wire [31:0]   io_value,
  input  wire          clk,
  input  wire          reset
);

  wire       [7:0]    commands_io_written_payload;
  wire                commands_io_command_valid;
  wire       [7:0]    commands_io_command_payload;
  wire                commands_io_pending;
  wire       [7:0]    commands_io_result;
  wire       [23:0]   commands_io_told_expected;
  wire       [23:0]   commands_io_told_msn;
  wire                commands_io_told_inError;
  wire                commands_io_told_running;
  wire                commands_io_told_unanswered;
  wire       [4:0]    commands_io_told_jobs;
  wire                answering_aw_valid;
  wire                answering_aw_ready;
  wire       [8:0]    answering_aw_payload_addr;
  wire                answering_w_valid;
  wire                answering_w_ready;
  wire       [31:0]   answering_w_payload_data;
  wire       [3:0]    answering_w_payload_strb;
  wire                answering_b_valid;
  wire                answering_b_ready;
  wire       [1:0]    answering_b_payload_resp;
  wire                answering_ar_valid;
  wire                answering_ar_ready;
  wire       [8:0]    answering_ar_payload_addr;
  wire                answering_r_valid;
  reg                 answering_r_ready;
  wire       [31:0]   answering_r_payload_data;
  wire       [1:0]    answering_r_payload_resp;
  reg                 reading;
  wire                answering_ar_fire;
  wire                io_bus_r_fire;
  reg        [3:0]    _zz_io_bus_w_map_payload_strb;
  wire                io_bus_w_map_valid;
  wire                io_bus_w_map_ready;
  wire       [31:0]   io_bus_w_map_payload_data;
  wire       [3:0]    io_bus_w_map_payload_strb;
  wire                _zz_io_bus_ar_ready;
  wire                io_bus_ar_haltWhen_valid;
  wire                io_bus_ar_haltWhen_ready;
  wire       [8:0]    io_bus_ar_haltWhen_payload_addr;
  wire                answering_r_m2sPipe_valid;
  wire                answering_r_m2sPipe_ready;
  wire       [31:0]   answering_r_m2sPipe_payload_data;
  wire       [1:0]    answering_r_m2sPipe_payload_resp;
  reg                 answering_r_rValid;
  reg        [31:0]   answering_r_rData_data;
  reg        [1:0]    answering_r_rData_resp;
  wire                bus_readErrorFlag;
  wire                bus_writeErrorFlag;
  wire                bus_readHaltRequest;
  wire                bus_writeHaltRequest;
  wire                bus_writeJoinEvent_valid;
  wire                bus_writeJoinEvent_ready;
  wire                bus_writeOccur;
  reg        [1:0]    bus_writeRsp_resp;
  wire                bus_writeJoinEvent_translated_valid;
  wire                bus_writeJoinEvent_translated_ready;
  wire       [1:0]    bus_writeJoinEvent_translated_payload_resp;
  wire                _zz_bus_writeJoinEvent_translated_ready;
  wire                bus_writeJoinEvent_translated_haltWhen_valid;
  wire                bus_writeJoinEvent_translated_haltWhen_ready;
  wire       [1:0]    bus_writeJoinEvent_translated_haltWhen_payload_resp;
  wire                bus_writeJoinEvent_translated_haltWhen_halfPipe_valid;
  wire                bus_writeJoinEvent_translated_haltWhen_halfPipe_ready;
  wire       [1:0]    bus_writeJoinEvent_translated_haltWhen_halfPipe_payload_resp;
  reg                 bus_writeJoinEvent_translated_haltWhen_rValid;
  wire                bus_writeJoinEvent_translated_haltWhen_halfPipe_fire;
  reg        [1:0]    bus_writeJoinEvent_translated_haltWhen_rData_resp;
  wire                bus_readDataStage_valid;
  wire                bus_readDataStage_ready;
  wire       [8:0]    bus_readDataStage_payload_addr;
  reg                 answering_ar_rValid;
  wire                bus_readDataStage_fire;
  reg        [8:0]    answering_ar_rData_addr;
  reg        [31:0]   bus_readRsp_data;
  reg        [1:0]    bus_readRsp_resp;
  wire                _zz_bus_readDataStage_ready;
  wire                bus_readDataStage_haltWhen_valid;
  wire                bus_readDataStage_haltWhen_ready;
  wire                bus_readDataStage_haltWhen_translated_valid;
  wire                bus_readDataStage_haltWhen_translated_ready;
  wire       [31:0]   bus_readDataStage_haltWhen_translated_payload_data;
  wire       [1:0]    bus_readDataStage_haltWhen_translated_payload_resp;
  wire       [8:0]    bus_readAddressMasked;
  wire       [8:0]    bus_writeAddressMasked;
  reg        [23:0]   _zz_io_orders_payload_settings_qpn;
  reg        [23:0]   _zz_io_orders_payload_settings_peerQpn;
  reg        [31:0]   _zz_io_orders_payload_settings_peerIp;
  reg        [31:0]   _zz_io_orders_payload_settings_peerMac;
  reg        [15:0]   _zz_io_orders_payload_settings_peerMac_1;
  reg        [31:0]   portPkey;
  reg        [23:0]   _zz_io_orders_payload_settings_pid;
  reg        [23:0]   _zz_io_orders_payload_psn;
  reg        [31:0]   _zz_io_orders_payload_rate;
  reg        [2:0]    _zz_io_orders_payload_settings_mtuCode;
  reg        [0:0]    _zz_io_orders_payload_settings_hardened;
  reg        [31:0]   _zz_io_orders_payload_region_key;
  reg        [31:0]   _zz_io_orders_payload_region_va;
  reg        [15:0]   _zz_io_orders_payload_region_va_1;
  reg        [31:0]   _zz_io_orders_payload_region_length;
  reg        [15:0]   _zz_io_orders_payload_region_length_1;
  reg        [2:0]    _zz_io_orders_payload_region_rights;
  wire       [31:0]   word;
  reg                 _zz_io_written_valid;

  RoceMailbox commands (
    .io_written_valid              (_zz_io_written_valid             ), //i
    .io_written_payload            (commands_io_written_payload[7:0] ), //i
    .io_ready                      (io_ready                         ), //i
    .io_command_valid              (commands_io_command_valid        ), //o
    .io_command_ready              (io_orders_ready                  ), //i
    .io_command_payload            (commands_io_command_payload[7:0] ), //o
    .io_ordered_valid              (io_ordered_valid                 ), //i
    .io_ordered_payload_result     (io_ordered_payload_result[7:0]   ), //i
    .io_ordered_payload_expected   (io_ordered_payload_expected[23:0]), //i
    .io_ordered_payload_msn        (io_ordered_payload_msn[23:0]     ), //i
    .io_ordered_payload_inError    (io_ordered_payload_inError       ), //i
    .io_ordered_payload_running    (io_ordered_payload_running       ), //i
    .io_ordered_payload_unanswered (io_ordered_payload_unanswered    ), //i
    .io_ordered_payload_jobs       (io_ordered_payload_jobs[4:0]     ), //i
    .io_pending                    (commands_io_pending              ), //o
    .io_result                     (commands_io_result[7:0]          ), //o
    .io_told_expected              (commands_io_told_expected[23:0]  ), //o
    .io_told_msn                   (commands_io_told_msn[23:0]       ), //o
    .io_told_inError               (commands_io_told_inError         ), //o
    .io_told_running               (commands_io_told_running         ), //o
    .io_told_unanswered            (commands_io_told_unanswered      ), //o
    .io_told_jobs                  (commands_io_told_jobs[4:0]       ), //o
    .clk                           (clk                              ), //i
    .reset                         (reset                            )  //i
  );
  assign answering_ar_fire = (answering_ar_valid && answering_ar_ready);
  assign io_bus_r_fire = (io_bus_r_valid && io_bus_r_ready);
  assign answering_aw_valid = io_bus_aw_valid;
  assign io_bus_aw_ready = answering_aw_ready;
  assign answering_aw_payload_addr = io_bus_aw_payload_addr;
  always @(*) begin
    _zz_io_bus_w_map_payload_strb = io_bus_w_payload_strb;
    if(commands_io_pending) begin
      _zz_io_bus_w_map_payload_strb = 4'b0000;
    end
  end

  assign io_bus_w_map_valid = io_bus_w_valid;
  assign io_bus_w_ready = io_bus_w_map_ready;
  assign io_bus_w_map_payload_data = io_bus_w_payload_data;
  assign io_bus_w_map_payload_strb = _zz_io_bus_w_map_payload_strb;
  assign answering_w_valid = io_bus_w_map_valid;
  assign io_bus_w_map_ready = answering_w_ready;
  assign answering_w_payload_data = io_bus_w_map_payload_data;
  assign answering_w_payload_strb = io_bus_w_map_payload_strb;
  assign _zz_io_bus_ar_ready = (! reading);
  assign io_bus_ar_haltWhen_valid = (io_bus_ar_valid && _zz_io_bus_ar_ready);
  assign io_bus_ar_ready = (io_bus_ar_haltWhen_ready && _zz_io_bus_ar_ready);
  assign io_bus_ar_haltWhen_payload_addr = io_bus_ar_payload_addr;
  assign answering_ar_valid = io_bus_ar_haltWhen_valid;
  assign io_bus_ar_haltWhen_ready = answering_ar_ready;
  assign answering_ar_payload_addr = io_bus_ar_haltWhen_payload_addr;
  assign io_bus_b_valid = answering_b_valid;
  assign answering_b_ready = io_bus_b_ready;
  assign io_bus_b_payload_resp = answering_b_payload_resp;
  always @(*) begin
    answering_r_ready = answering_r_m2sPipe_ready;
    if((! answering_r_m2sPipe_valid)) begin
      answering_r_ready = 1'b1;
    end
  end

  assign answering_r_m2sPipe_valid = answering_r_rValid;
  assign answering_r_m2sPipe_payload_data = answering_r_rData_data;
  assign answering_r_m2sPipe_payload_resp = answering_r_rData_resp;
  assign io_bus_r_valid = answering_r_m2sPipe_valid;
  assign answering_r_m2sPipe_ready = io_bus_r_ready;
  assign io_bus_r_payload_data = answering_r_m2sPipe_payload_data;
  assign io_bus_r_payload_resp = answering_r_m2sPipe_payload_resp;
  assign bus_readErrorFlag = 1'b0;
  assign bus_writeErrorFlag = 1'b0;
  assign bus_readHaltRequest = 1'b0;
  assign bus_writeHaltRequest = 1'b0;
  assign bus_writeOccur = (bus_writeJoinEvent_valid && bus_writeJoinEvent_ready);
  assign bus_writeJoinEvent_valid = (answering_aw_valid && answering_w_valid);
  assign answering_aw_ready = bus_writeOccur;
  assign answering_w_ready = bus_writeOccur;
  assign bus_writeJoinEvent_translated_valid = bus_writeJoinEvent_valid;
  assign bus_writeJoinEvent_ready = bus_writeJoinEvent_translated_ready;
  assign bus_writeJoinEvent_translated_payload_resp = bus_writeRsp_resp;
  assign _zz_bus_writeJoinEvent_translated_ready = (! bus_writeHaltRequest);
  assign bus_writeJoinEvent_translated_haltWhen_valid = (bus_writeJoinEvent_translated_valid && _zz_bus_writeJoinEvent_translated_ready);
  assign bus_writeJoinEvent_translated_ready = (bus_writeJoinEvent_translated_haltWhen_ready && _zz_bus_writeJoinEvent_translated_ready);
  assign bus_writeJoinEvent_translated_haltWhen_payload_resp = bus_writeJoinEvent_translated_payload_resp;
  assign bus_writeJoinEvent_translated_haltWhen_halfPipe_fire = (bus_writeJoinEvent_translated_haltWhen_halfPipe_valid && bus_writeJoinEvent_translated_haltWhen_halfPipe_ready);
  assign bus_writeJoinEvent_translated_haltWhen_ready = (! bus_writeJoinEvent_translated_haltWhen_rValid);
  assign bus_writeJoinEvent_translated_haltWhen_halfPipe_valid = bus_writeJoinEvent_translated_haltWhen_rValid;
  assign bus_writeJoinEvent_translated_haltWhen_halfPipe_payload_resp = bus_writeJoinEvent_translated_haltWhen_rData_resp;
  assign answering_b_valid = bus_writeJoinEvent_translated_haltWhen_halfPipe_valid;
  assign bus_writeJoinEvent_translated_haltWhen_halfPipe_ready = answering_b_ready;
  assign answering_b_payload_resp = bus_writeJoinEvent_translated_haltWhen_halfPipe_payload_resp;
  assign bus_readDataStage_fire = (bus_readDataStage_valid && bus_readDataStage_ready);
  assign answering_ar_ready = (! answering_ar_rValid);
  assign bus_readDataStage_valid = answering_ar_rValid;
  assign bus_readDataStage_payload_addr = answering_ar_rData_addr;
  assign _zz_bus_readDataStage_ready = (! bus_readHaltRequest);
  assign bus_readDataStage_haltWhen_valid = (bus_readDataStage_valid && _zz_bus_readDataStage_ready);
  assign bus_readDataStage_ready = (bus_readDataStage_haltWhen_ready && _zz_bus_readDataStage_ready);
  assign bus_readDataStage_haltWhen_translated_valid = bus_readDataStage_haltWhen_valid;
  assign bus_readDataStage_haltWhen_ready = bus_readDataStage_haltWhen_translated_ready;
  assign bus_readDataStage_haltWhen_translated_payload_data = bus_readRsp_data;
  assign bus_readDataStage_haltWhen_translated_payload_resp = bus_readRsp_resp;
  assign answering_r_valid = bus_readDataStage_haltWhen_translated_valid;
  assign bus_readDataStage_haltWhen_translated_ready = answering_r_ready;
  assign answering_r_payload_data = bus_readDataStage_haltWhen_translated_payload_data;
  assign answering_r_payload_resp = bus_readDataStage_haltWhen_translated_payload_resp;
  always @(*) begin
    if(bus_writeErrorFlag) begin
      bus_writeRsp_resp = 2'b10;
    end else begin
      bus_writeRsp_resp = 2'b00;
    end
  end

  always @(*) begin
    if(bus_readErrorFlag) begin
      bus_readRsp_resp = 2'b10;
    end else begin
      bus_readRsp_resp = 2'b00;
    end
  end

  always @(*) begin
    bus_readRsp_data = 32'h0;
    case(bus_readAddressMasked)
      9'h0 : begin
        bus_readRsp_data[31 : 0] = 32'h50524e4d;
      end
      9'h004 : begin
        bus_readRsp_data[31 : 0] = 32'h00000a0a;
      end
      9'h010 : begin
        bus_readRsp_data[23 : 0] = _zz_io_orders_payload_settings_qpn;
      end
      9'h014 : begin
        bus_readRsp_data[23 : 0] = _zz_io_orders_payload_settings_peerQpn;
      end
      9'h018 : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_settings_peerIp;
      end
      9'h01c : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_settings_peerMac;
      end
      9'h020 : begin
        bus_readRsp_data[15 : 0] = _zz_io_orders_payload_settings_peerMac_1;
      end
      9'h024 : begin
        bus_readRsp_data[31 : 0] = portPkey;
      end
      9'h028 : begin
        bus_readRsp_data[23 : 0] = _zz_io_orders_payload_settings_pid;
      end
      9'h02c : begin
        bus_readRsp_data[23 : 0] = _zz_io_orders_payload_psn;
      end
      9'h064 : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_rate;
      end
      9'h030 : begin
        bus_readRsp_data[2 : 0] = _zz_io_orders_payload_settings_mtuCode;
        bus_readRsp_data[8 : 8] = _zz_io_orders_payload_settings_hardened;
      end
      9'h034 : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_region_key;
      end
      9'h038 : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_region_va;
      end
      9'h03c : begin
        bus_readRsp_data[15 : 0] = _zz_io_orders_payload_region_va_1;
      end
      9'h040 : begin
        bus_readRsp_data[31 : 0] = _zz_io_orders_payload_region_length;
      end
      9'h044 : begin
        bus_readRsp_data[15 : 0] = _zz_io_orders_payload_region_length_1;
      end
      9'h048 : begin
        bus_readRsp_data[2 : 0] = _zz_io_orders_payload_region_rights;
      end
      9'h00c : begin
        bus_readRsp_data[7 : 0] = commands_io_result;
      end
      9'h04c : begin
        bus_readRsp_data[23 : 0] = commands_io_told_expected;
      end
      9'h050 : begin
        bus_readRsp_data[23 : 0] = commands_io_told_msn;
      end
      9'h054 : begin
        bus_readRsp_data[0 : 0] = commands_io_told_inError;
        bus_readRsp_data[1 : 1] = commands_io_told_running;
        bus_readRsp_data[2 : 2] = commands_io_told_unanswered;
        bus_readRsp_data[12 : 8] = commands_io_told_jobs;
      end
      9'h058 : begin
        bus_readRsp_data[7 : 0] = io_jobs;
      end
      default : begin
      end
    endcase
    if(((bus_readAddressMasked & (~ 9'h0ff)) == 9'h100)) begin
      bus_readRsp_data[31 : 0] = io_value;
    end
  end

  assign bus_readAddressMasked = (bus_readDataStage_payload_addr & (~ 9'h003));
  assign bus_writeAddressMasked = (answering_aw_payload_addr & (~ 9'h003));
  assign io_orders_payload_settings_qpn = _zz_io_orders_payload_settings_qpn;
  assign io_orders_payload_settings_peerQpn = _zz_io_orders_payload_settings_peerQpn;
  assign io_orders_payload_settings_peerIp = _zz_io_orders_payload_settings_peerIp;
  assign io_orders_payload_settings_peerMac = {_zz_io_orders_payload_settings_peerMac_1,_zz_io_orders_payload_settings_peerMac};
  assign io_orders_payload_settings_srcPort = portPkey[15 : 0];
  assign io_orders_payload_settings_pkey = portPkey[31 : 16];
  assign io_orders_payload_settings_pid = _zz_io_orders_payload_settings_pid;
  assign io_orders_payload_psn = _zz_io_orders_payload_psn;
  assign io_orders_payload_rate = _zz_io_orders_payload_rate;
  assign io_orders_payload_settings_mtuCode = _zz_io_orders_payload_settings_mtuCode;
  assign io_orders_payload_settings_hardened = _zz_io_orders_payload_settings_hardened[0];
  assign io_orders_payload_region_valid = 1'b0;
  assign io_orders_payload_region_key = _zz_io_orders_payload_region_key;
  assign io_orders_payload_region_pid = io_orders_payload_settings_pid;
  assign io_orders_payload_region_va = {_zz_io_orders_payload_region_va_1,_zz_io_orders_payload_region_va};
  assign io_orders_payload_region_length = {_zz_io_orders_payload_region_length_1,_zz_io_orders_payload_region_length};
  assign io_orders_payload_region_rights = _zz_io_orders_payload_region_rights;
  always @(*) begin
    _zz_io_written_valid = 1'b0;
    case(bus_writeAddressMasked)
      9'h008 : begin
        if(bus_writeOccur) begin
          _zz_io_written_valid = 1'b1;
        end
      end
      default : begin
      end
    endcase
  end

  assign commands_io_written_payload = ((word[31 : 8] == 24'h0) ? word[7 : 0] : 8'h0);
  assign io_orders_valid = commands_io_command_valid;
  assign io_orders_payload_command = commands_io_command_payload;
  assign io_index = answering_ar_payload_addr[7 : 2];
  assign word = answering_w_payload_data[31 : 0];
  always @(posedge clk) begin
    if(reset) begin
      reading <= 1'b0;
      answering_r_rValid <= 1'b0;
      bus_writeJoinEvent_translated_haltWhen_rValid <= 1'b0;
      answering_ar_rValid <= 1'b0;
      _zz_io_orders_payload_settings_qpn <= 24'h0;
      _zz_io_orders_payload_settings_peerQpn <= 24'h0;
      _zz_io_orders_payload_settings_peerIp <= 32'h0;
      _zz_io_orders_payload_settings_peerMac <= 32'h0;
      _zz_io_orders_payload_settings_peerMac_1 <= 16'h0;
      portPkey <= 32'h0;
      _zz_io_orders_payload_settings_pid <= 24'h0;
      _zz_io_orders_payload_psn <= 24'h0;
      _zz_io_orders_payload_rate <= 32'h0;
      _zz_io_orders_payload_settings_mtuCode <= 3'b000;
      _zz_io_orders_payload_settings_hardened <= 1'b0;
      _zz_io_orders_payload_region_key <= 32'h0;
      _zz_io_orders_payload_region_va <= 32'h0;
      _zz_io_orders_payload_region_va_1 <= 16'h0;
      _zz_io_orders_payload_region_length <= 32'h0;
      _zz_io_orders_payload_region_length_1 <= 16'h0;
      _zz_io_orders_payload_region_rights <= 3'b000;
    end else begin
      if(answering_ar_fire) begin
        reading <= 1'b1;
      end
      if(io_bus_r_fire) begin
        reading <= 1'b0;
      end
      if(answering_r_ready) begin
        answering_r_rValid <= answering_r_valid;
      end
      if(bus_writeJoinEvent_translated_haltWhen_valid) begin
        bus_writeJoinEvent_translated_haltWhen_rValid <= 1'b1;
      end
      if(bus_writeJoinEvent_translated_haltWhen_halfPipe_fire) begin
        bus_writeJoinEvent_translated_haltWhen_rValid <= 1'b0;
      end
      if(answering_ar_valid) begin
        answering_ar_rValid <= 1'b1;
      end
      if(bus_readDataStage_fire) begin
        answering_ar_rValid <= 1'b0;
      end
      case(bus_writeAddressMasked)
        9'h010 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_qpn[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_qpn[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_settings_qpn[23 : 16] <= answering_w_payload_data[23 : 16];
            end
          end
        end
        9'h014 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_peerQpn[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_peerQpn[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_settings_peerQpn[23 : 16] <= answering_w_payload_data[23 : 16];
            end
          end
        end
        9'h018 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_peerIp[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_peerIp[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_settings_peerIp[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_settings_peerIp[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h01c : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_peerMac[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_peerMac[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_settings_peerMac[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_settings_peerMac[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h020 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_peerMac_1[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_peerMac_1[15 : 8] <= answering_w_payload_data[15 : 8];
            end
          end
        end
        9'h024 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              portPkey[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              portPkey[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              portPkey[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              portPkey[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h028 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_pid[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_pid[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_settings_pid[23 : 16] <= answering_w_payload_data[23 : 16];
            end
          end
        end
        9'h02c : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_psn[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_psn[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_psn[23 : 16] <= answering_w_payload_data[23 : 16];
            end
          end
        end
        9'h064 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_rate[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_rate[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_rate[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_rate[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h030 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_settings_mtuCode[2 : 0] <= answering_w_payload_data[2 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_settings_hardened[0 : 0] <= answering_w_payload_data[8 : 8];
            end
          end
        end
        9'h034 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_key[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_region_key[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_region_key[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_region_key[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h038 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_va[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_region_va[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_region_va[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_region_va[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h03c : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_va_1[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_region_va_1[15 : 8] <= answering_w_payload_data[15 : 8];
            end
          end
        end
        9'h040 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_length[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_region_length[15 : 8] <= answering_w_payload_data[15 : 8];
            end
            if(answering_w_payload_strb[2]) begin
              _zz_io_orders_payload_region_length[23 : 16] <= answering_w_payload_data[23 : 16];
            end
            if(answering_w_payload_strb[3]) begin
              _zz_io_orders_payload_region_length[31 : 24] <= answering_w_payload_data[31 : 24];
            end
          end
        end
        9'h044 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_length_1[7 : 0] <= answering_w_payload_data[7 : 0];
            end
            if(answering_w_payload_strb[1]) begin
              _zz_io_orders_payload_region_length_1[15 : 8] <= answering_w_payload_data[15 : 8];
            end
          end
        end
        9'h048 : begin
          if(bus_writeOccur) begin
            if(answering_w_payload_strb[0]) begin
              _zz_io_orders_payload_region_rights[2 : 0] <= answering_w_payload_data[2 : 0];
            end
          end
        end
        default : begin
        end
      endcase
    end
  end

  always @(posedge clk) begin
    if(answering_r_ready) begin
      answering_r_rData_data <= answering_r_payload_data;
      answering_r_rData_resp <= answering_r_payload_resp;
    end
    if(bus_writeJoinEvent_translated_haltWhen_ready) begin
      bus_writeJoinEvent_translated_haltWhen_rData_resp <= bus_writeJoinEvent_translated_haltWhen_payload_resp;
    end
    if(answering_ar_ready) begin
      answering_ar_rData_addr <= answering_ar_payload_addr;
    end
  end


endmodule

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
  reg                 summed_queue_io_pop_ready_regNext;
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
  IcrcRegister_1 summed_register (
    .io_beats_valid         (_zz_io_beats_valid                   ), //i
    .io_beats_payload_data  (_zz_io_beats_payload_data[511:0]     ), //i
    .io_beats_payload_first (build_first_regNextWhen              ), //i
    .io_beats_payload_last  (build_out_payload_covered_regNextWhen), //i
    .io_sums_valid          (summed_register_io_sums_valid        ), //o
    .io_sums_payload        (summed_register_io_sums_payload[31:0]), //o
    .clk                    (clk                                  ), //i
    .reset                  (reset                                )  //i
  );
  StreamFifo_7 summed_queue (
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
  StreamFifo_8 leaving_queue (
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
  assign io_counted_valid = summed_queue_io_pop_ready_regNext;
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
      summed_queue_io_pop_ready_regNext <= 1'b0;
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
      summed_queue_io_pop_ready_regNext <= summed_queue_io_pop_ready;
    end
  end


endmodule

module RoceResponder (
  input  wire          io_arrivals_valid,
  output wire          io_arrivals_ready,
  input  wire [31:0]   io_arrivals_payload_headers_srcIp,
  input  wire          io_arrivals_payload_headers_congested,
  input  wire [7:0]    io_arrivals_payload_headers_opcode,
  input  wire          io_arrivals_payload_headers_ackRequest,
  input  wire [15:0]   io_arrivals_payload_headers_pkey,
  input  wire [23:0]   io_arrivals_payload_headers_destQp,
  input  wire [23:0]   io_arrivals_payload_headers_psn,
  input  wire [63:0]   io_arrivals_payload_headers_va,
  input  wire [31:0]   io_arrivals_payload_headers_rkey,
  input  wire [31:0]   io_arrivals_payload_headers_dmaLength,
  input  wire [63:0]   io_arrivals_payload_headers_swapAdd,
  input  wire [63:0]   io_arrivals_payload_headers_compare,
  input  wire [12:0]   io_arrivals_payload_headers_payload,
  input  wire [4:0]    io_arrivals_payload_slot,
  input  wire [6:0]    io_arrivals_payload_offset,
  input  wire          io_arrivals_payload_malformed,
  output wire          io_read_valid,
  output wire [4:0]    io_read_payload_slot,
  output wire [6:0]    io_read_payload_beat,
  input  wire [511:0]  io_packet,
  output wire          io_released_valid,
  output wire [4:0]    io_released_payload,
  output wire          io_departures_valid,
  input  wire          io_departures_ready,
  output wire [47:0]   io_departures_payload_dstMac,
  output wire [31:0]   io_departures_payload_dstIp,
  output wire [15:0]   io_departures_payload_srcPort,
  output wire [7:0]    io_departures_payload_opcode,
  output wire [15:0]   io_departures_payload_pkey,
  output wire [23:0]   io_departures_payload_destQp,
  output wire [23:0]   io_departures_payload_psn,
  output wire          io_departures_payload_ackRequest,
  output wire [7:0]    io_departures_payload_syndrome,
  output wire [23:0]   io_departures_payload_msn,
  output wire [63:0]   io_departures_payload_original,
  output wire [12:0]   io_departures_payload_payload,
  output wire          io_payload_valid,
  input  wire          io_payload_ready,
  output wire [511:0]  io_payload_payload_data,
  output wire          io_payload_payload_error,
  output wire          io_door_tokens_valid,
  input  wire          io_door_tokens_ready,
  output wire [5:0]    io_door_tokens_payload_context,
  output wire [2:0]    io_door_tokens_payload_demand_operation,
  output wire          io_door_tokens_payload_demand_ordering_fence,
  output wire          io_door_tokens_payload_demand_ordering_windowed,
  output wire [23:0]   io_door_tokens_payload_demand_ordering_time,
  output wire [23:0]   io_door_tokens_payload_demand_pid,
  output wire [47:0]   io_door_tokens_payload_demand_va,
  output wire [15:0]   io_door_tokens_payload_demand_length,
  output wire [7:0]    io_door_tokens_payload_demand_dataOffset,
  input  wire          io_door_data_fetch_valid,
  output wire          io_door_data_fetch_ready,
  input  wire [5:0]    io_door_data_fetch_payload_context,
  input  wire [4:0]    io_door_data_fetch_payload_beat,
  output wire          io_door_data_fetched_valid,
  output wire [511:0]  io_door_data_fetched_payload,
  output wire [127:0]  io_door_data_operands,
  input  wire          io_door_data_completions_valid,
  output wire          io_door_data_completions_ready,
  input  wire [5:0]    io_door_data_completions_payload_context,
  input  wire [4:0]    io_door_data_completions_payload_report_outcome_status,
  input  wire          io_door_data_completions_payload_report_zeros,
  input  wire [63:0]   io_door_data_completions_payload_old,
  input  wire          io_door_data_payload_valid,
  output wire          io_door_data_payload_ready,
  input  wire [511:0]  io_door_data_payload_payload_data,
  input  wire          io_door_data_payload_payload_error,
  input  wire          io_orders_valid,
  output wire          io_orders_ready,
  input  wire [7:0]    io_orders_payload_command,
  input  wire [23:0]   io_orders_payload_settings_qpn,
  input  wire [23:0]   io_orders_payload_settings_peerQpn,
  input  wire [31:0]   io_orders_payload_settings_peerIp,
  input  wire [47:0]   io_orders_payload_settings_peerMac,
  input  wire [15:0]   io_orders_payload_settings_srcPort,
  input  wire [15:0]   io_orders_payload_settings_pkey,
  input  wire [23:0]   io_orders_payload_settings_pid,
  input  wire [2:0]    io_orders_payload_settings_mtuCode,
  input  wire          io_orders_payload_settings_hardened,
  input  wire [23:0]   io_orders_payload_psn,
  input  wire [31:0]   io_orders_payload_rate,
  input  wire          io_orders_payload_region_valid,
  input  wire [31:0]   io_orders_payload_region_key,
  input  wire [23:0]   io_orders_payload_region_pid,
  input  wire [47:0]   io_orders_payload_region_va,
  input  wire [47:0]   io_orders_payload_region_length,
  input  wire [2:0]    io_orders_payload_region_rights,
  output reg           io_ordered_valid,
  output reg  [7:0]    io_ordered_payload_result,
  output reg  [23:0]   io_ordered_payload_expected,
  output reg  [23:0]   io_ordered_payload_msn,
  output reg           io_ordered_payload_inError,
  output reg           io_ordered_payload_running,
  output reg           io_ordered_payload_unanswered,
  output reg  [4:0]    io_ordered_payload_jobs,
  output wire          io_owners_valid,
  output wire          io_owners_payload_valid,
  output wire [23:0]   io_owners_payload_qpn,
  output wire [31:0]   io_owners_payload_peerIp,
  output wire [10:0]   io_owners_payload_share,
  output reg           io_counted_valid,
  output reg  [5:0]    io_counted_payload,
  output wire [7:0]    io_jobs,
  output wire          io_ready,
  output wire          io_rests,
  input  wire          clk,
  input  wire          reset
);
  localparam Operation_nothing = 3'd0;
  localparam Operation_read = 3'd1;
  localparam Operation_write = 3'd2;
  localparam Operation_compareSwap = 3'd3;
  localparam Operation_fetchAdd = 3'd4;
  localparam Operation_swap = 3'd5;
  localparam State_empty = 5'd0;
  localparam State_idle = 5'd1;
  localparam State_load = 5'd2;
  localparam State_judge = 5'd3;
  localparam State_act = 5'd4;
  localparam State_access_1 = 5'd5;
  localparam State_refuse = 5'd6;
  localparam State_write = 5'd7;
  localparam State_scan = 5'd8;
  localparam State_scanned = 5'd9;
  localparam State_skips = 5'd10;
  localparam State_compares = 5'd11;
  localparam State_matches_1 = 5'd12;
  localparam State_pick = 5'd13;
  localparam State_entry = 5'd14;
  localparam State_check = 5'd15;
  localparam State_answer = 5'd16;
  localparam State_answerAccess = 5'd17;
  localparam State_emit = 5'd18;
  localparam State_fail = 5'd19;
  localparam State_order = 5'd20;
  localparam State_ended = 5'd21;
  localparam State_retire = 5'd22;
  localparam State_store = 5'd23;
  localparam State_free = 5'd24;
  localparam Owner_order = 3'd0;
  localparam Owner_arrival = 3'd1;
  localparam Owner_answer = 3'd2;
  localparam Owner_flight = 3'd3;
  localparam Owner_wake = 3'd4;
  localparam Pending_none = 2'd0;
  localparam Pending_ack = 2'd1;
  localparam Pending_refusal = 2'd2;
  localparam RememberedKind_read = 2'd0;
  localparam RememberedKind_compareSwap = 2'd1;
  localparam RememberedKind_fetchAdd = 2'd2;
  localparam Step_drop = 4'd0;
  localparam Step_gap = 4'd1;
  localparam Step_refuse = 4'd2;
  localparam Step_notReady = 4'd3;
  localparam Step_duplicateWrite = 4'd4;
  localparam Step_duplicateOther = 4'd5;
  localparam Step_write = 4'd6;
  localparam Step_read = 4'd7;
  localparam Step_atomic = 4'd8;
  localparam Step_free = 4'd9;
  localparam AccessEnd_done = 2'd0;
  localparam AccessEnd_notReady = 2'd1;
  localparam AccessEnd_denied = 2'd2;
  localparam AccessEnd_failed = 2'd3;

  wire                turns_io_push_valid;
  wire                turns_io_pop_ready;
  wire                turns_io_clear_valid;
  reg                 rates_io_changes_valid;
  wire                rates_io_changes_payload_cuts;
  wire       [16:0]   rates_io_changes_payload_cap;
  wire                rates_io_sent_valid;
  wire       [12:0]   rates_io_sent_payload_bytes;
  wire                rates_io_wakes_ready;
  reg                 access_1_io_commands_valid;
  reg        [2:0]    access_1_io_commands_payload_operation;
  reg        [23:0]   access_1_io_commands_payload_pid;
  reg        [47:0]   access_1_io_commands_payload_va;
  reg        [12:0]   access_1_io_commands_payload_bytes;
  reg        [4:0]    access_1_io_commands_payload_slot;
  reg        [6:0]    access_1_io_commands_payload_offset;
  reg        [127:0]  access_1_io_commands_payload_operands;
  wire                access_1_io_retire;
  reg                 chunks_io_pop_ready;
  reg                 departures_io_push_valid;
  reg        [47:0]   departures_io_push_payload_dstMac;
  reg        [31:0]   departures_io_push_payload_dstIp;
  reg        [15:0]   departures_io_push_payload_srcPort;
  reg        [7:0]    departures_io_push_payload_opcode;
  reg        [15:0]   departures_io_push_payload_pkey;
  reg        [23:0]   departures_io_push_payload_destQp;
  reg        [23:0]   departures_io_push_payload_psn;
  reg                 departures_io_push_payload_ackRequest;
  reg        [7:0]    departures_io_push_payload_syndrome;
  reg        [23:0]   departures_io_push_payload_msn;
  reg        [63:0]   departures_io_push_payload_original;
  reg        [12:0]   departures_io_push_payload_payload;
  reg                 departures_io_pop_ready;
  wire                shares_io_seeks;
  reg                 shares_io_gives;
  wire                shares_io_clear_valid;
  reg        [187:0]  settingsMem_spinal_port0;
  reg        [343:0]  stateMem_spinal_port0;
  reg        [155:0]  regionMem_spinal_port0;
  reg        [338:0]  rememberedMem_spinal_port0;
  reg        [9:0]    shareMem_spinal_port0;
  reg        [7:0]    placesMem_spinal_port0;
  wire       [173:0]  writes_kept_spinal_port1;
  wire                turns_io_pop_valid;
  wire       [9:0]    turns_io_pop_payload;
  wire                turns_io_empty;
  wire                rates_io_room;
  wire                rates_io_holds;
  wire                rates_io_wakes_valid;
  wire       [9:0]    rates_io_wakes_payload;
  wire                access_1_io_commands_ready;
  wire                access_1_io_ended_valid;
  wire       [1:0]    access_1_io_ended_payload_how;
  wire       [63:0]   access_1_io_ended_payload_old;
  wire                access_1_io_room;
  wire       [7:0]    access_1_io_held;
  wire       [7:0]    access_1_io_passed;
  wire       [2:0]    access_1_io_oldest;
  wire       [2:0]    access_1_io_next;
  wire                access_1_io_over_valid;
  wire       [1:0]    access_1_io_over_payload;
  wire                access_1_io_door_tokens_valid;
  wire       [5:0]    access_1_io_door_tokens_payload_context;
  wire       [2:0]    access_1_io_door_tokens_payload_demand_operation;
  wire                access_1_io_door_tokens_payload_demand_ordering_fence;
  wire                access_1_io_door_tokens_payload_demand_ordering_windowed;
  wire       [23:0]   access_1_io_door_tokens_payload_demand_ordering_time;
  wire       [23:0]   access_1_io_door_tokens_payload_demand_pid;
  wire       [47:0]   access_1_io_door_tokens_payload_demand_va;
  wire       [15:0]   access_1_io_door_tokens_payload_demand_length;
  wire       [7:0]    access_1_io_door_tokens_payload_demand_dataOffset;
  wire                access_1_io_door_data_fetch_ready;
  wire                access_1_io_door_data_completions_ready;
  wire                access_1_io_door_data_payload_ready;
  wire                access_1_io_door_data_fetched_valid;
  wire       [511:0]  access_1_io_door_data_fetched_payload;
  wire       [127:0]  access_1_io_door_data_operands;
  wire                access_1_io_read_valid;
  wire       [4:0]    access_1_io_read_payload_slot;
  wire       [6:0]    access_1_io_read_payload_beat;
  wire                access_1_io_chunks_valid;
  wire       [12:0]   access_1_io_chunks_payload_bytes;
  wire                access_1_io_chunks_payload_zeros;
  wire                access_1_io_chunks_payload_drop;
  wire                access_1_io_chunks_payload_last;
  wire                access_1_io_data_valid;
  wire       [511:0]  access_1_io_data_payload_data;
  wire                access_1_io_data_payload_error;
  wire                packer_io_chunks_ready;
  wire                packer_io_data_ready;
  wire                packer_io_beats_valid;
  wire       [511:0]  packer_io_beats_payload_data;
  wire                packer_io_beats_payload_error;
  wire                chunks_io_push_ready;
  wire                chunks_io_pop_valid;
  wire       [12:0]   chunks_io_pop_payload_bytes;
  wire                chunks_io_pop_payload_zeros;
  wire                chunks_io_pop_payload_drop;
  wire                chunks_io_pop_payload_last;
  wire       [4:0]    chunks_io_availability;
  wire                departures_io_push_ready;
  wire                departures_io_pop_valid;
  wire       [47:0]   departures_io_pop_payload_dstMac;
  wire       [31:0]   departures_io_pop_payload_dstIp;
  wire       [15:0]   departures_io_pop_payload_srcPort;
  wire       [7:0]    departures_io_pop_payload_opcode;
  wire       [15:0]   departures_io_pop_payload_pkey;
  wire       [23:0]   departures_io_pop_payload_destQp;
  wire       [23:0]   departures_io_pop_payload_psn;
  wire                departures_io_pop_payload_ackRequest;
  wire       [7:0]    departures_io_pop_payload_syndrome;
  wire       [23:0]   departures_io_pop_payload_msn;
  wire       [63:0]   departures_io_pop_payload_original;
  wire       [12:0]   departures_io_pop_payload_payload;
  wire       [2:0]    departures_io_availability;
  wire                shares_io_found;
  wire       [9:0]    shares_io_share;
  wire       [3:0]    requests_judge_io_judgement_step;
  wire       [5:0]    requests_judge_io_judgement_reason;
  wire       [1:0]    requests_judge_io_judgement_nak;
  wire                requests_judge_io_judgement_known;
  wire                requests_judge_io_judgement_cuts;
  wire       [63:0]   requests_judge_io_judgement_va;
  wire       [31:0]   requests_judge_io_judgement_rkey;
  wire       [31:0]   requests_judge_io_judgement_left;
  wire                requests_judge_io_judgement_looks;
  wire       [31:0]   requests_judge_io_judgement_bytes;
  wire                requests_judge_io_judgement_region_key;
  wire                requests_judge_io_judgement_region_process;
  wire                requests_judge_io_judgement_region_inside;
  wire                requests_judge_io_judgement_region_right;
  wire       [47:0]   requests_judge_io_judgement_region_offset;
  wire       [47:0]   requests_judge_io_judgement_region_length;
  wire       [23:0]   requests_judge_io_judgement_packets;
  wire       [31:0]   _zz__zz_qp_notifiedAt_1;
  wire       [0:0]    _zz__zz_qp_notifiedAt_1_1;
  wire       [9:0]    _zz_ahead;
  wire       [9:0]    _zz_ahead_1;
  wire       [9:0]    _zz_ahead_2;
  wire       [0:0]    _zz_ahead_3;
  wire       [23:0]   _zz_asked;
  reg        [9:0]    _zz_nextIndex;
  wire       [9:0]    _zz_nextIndex_1;
  wire                _zz_settingsMem_port;
  wire                _zz__zz_settingsRead_qpn;
  wire                _zz_stateMem_port;
  wire                _zz__zz_stateRead_valid;
  wire                _zz_when;
  wire       [9:0]    _zz_own;
  wire       [9:0]    _zz_own_1;
  wire       [9:0]    _zz_own_2;
  wire       [9:0]    _zz_own_3;
  wire       [9:0]    _zz_own_4;
  wire       [9:0]    _zz_own_5;
  wire       [9:0]    _zz_own_6;
  wire       [9:0]    _zz_own_7;
  wire                _zz_shareMem_port;
  wire                _zz_shareRead;
  wire                _zz_placesMem_port;
  wire                _zz_ofProcess;
  wire       [9:0]    _zz_placesMem_port_1;
  wire       [7:0]    _zz_placesMem_port_2;
  wire                _zz_placesMem_port_3;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire                _zz_when_3;
  wire                _zz_rememberedMem_port;
  wire                _zz__zz_remembered_psn_1;
  wire       [13:0]   _zz_rememberedMem_port_1;
  wire       [338:0]  _zz_rememberedMem_port_2;
  wire       [31:0]   _zz__zz_region_valid;
  wire                _zz_regionMem_port;
  wire                _zz__zz_region_valid_1;
  wire       [155:0]  _zz_regionMem_port_1;
  wire       [16:0]   _zz_io_changes_payload_cap;
  wire                _zz_when_4;
  wire       [9:0]    _zz_stateMem_port_1;
  wire       [343:0]  _zz_stateMem_port_2;
  wire                _zz_stateMem_port_3;
  wire                _zz_when_5;
  wire       [23:0]   _zz_requests_thisEarlier;
  wire       [23:0]   _zz_requests_doneEarlier;
  wire       [48:0]   _zz__zz_requests_grant_granted;
  wire       [47:0]   _zz__zz_requests_grant_granted_1;
  wire       [48:0]   _zz__zz_requests_grant_granted_2;
  wire                _zz_when_6;
  wire       [31:0]   _zz_when_7;
  wire                _zz_when_8;
  wire                _zz_when_9;
  wire                _zz_when_10;
  wire                _zz_when_11;
  wire                _zz_when_12;
  wire       [3:0]    _zz__zz_qp_notReady;
  wire       [7:0]    _zz_qp_pendingSyndrome;
  wire       [3:0]    _zz_qp_pendingSyndrome_1;
  wire       [7:0]    _zz_qp_pendingSyndrome_2;
  wire       [1:0]    _zz_qp_pendingSyndrome_3;
  wire                _zz_when_13;
  wire       [63:0]   _zz_qp_va;
  wire       [63:0]   _zz_qp_va_1;
  wire       [31:0]   _zz_qp_left;
  wire                _zz_when_14;
  wire       [3:0]    _zz_rememberAt;
  wire       [136:0]  _zz_remember_payload_words;
  wire       [47:0]   _zz_remember_payload_words_1;
  wire       [3:0]    _zz__zz_qp_order_0;
  wire       [3:0]    _zz__zz_11;
  wire       [4:0]    _zz_qp_unread;
  wire       [0:0]    _zz_qp_unread_1;
  wire       [3:0]    _zz_requests_here;
  wire                _zz_when_15;
  wire                _zz_when_16;
  wire                _zz_when_17;
  wire                _zz_when_18;
  wire       [35:0]   _zz_requests_bytes;
  wire       [3:0]    _zz_requests_bytes_1;
  wire                _zz_when_19;
  wire       [35:0]   _zz_requests_within;
  wire       [31:0]   _zz_requests_within_1;
  wire       [63:0]   _zz_requests_there;
  wire       [31:0]   _zz_requests_rest;
  wire       [4:0]    _zz_requests_queued;
  wire                _zz_requests_queued_1;
  wire                _zz_requests_queued_2;
  wire                _zz_requests_queued_3;
  wire       [0:0]    _zz_requests_queued_4;
  wire       [9:0]    _zz_requests_queued_5;
  wire       [4:0]    _zz_requests_queued_6;
  wire                _zz_requests_queued_7;
  wire                _zz_requests_queued_8;
  wire                _zz_requests_queued_9;
  wire       [0:0]    _zz_requests_queued_10;
  wire       [4:0]    _zz_requests_queued_11;
  wire       [4:0]    _zz_requests_queued_12;
  wire                _zz_requests_queued_13;
  wire                _zz_requests_queued_14;
  wire                _zz_requests_queued_15;
  wire                _zz_requests_queued_16;
  wire                _zz_when_20;
  wire                _zz_when_21;
  wire                _zz_when_22;
  wire       [136:0]  _zz_remember_payload_words_2;
  wire       [47:0]   _zz_remember_payload_words_3;
  wire                _zz_when_23;
  wire       [3:0]    _zz__zz_12;
  wire       [4:0]    _zz_qp_unread_2;
  wire       [0:0]    _zz_qp_unread_3;
  wire       [48:0]   _zz__zz_answers_grant_granted;
  wire       [47:0]   _zz__zz_answers_grant_granted_1;
  wire       [31:0]   _zz__zz_answers_grant_granted_2;
  wire       [31:0]   _zz__zz_answers_grant_granted_3;
  wire       [48:0]   _zz__zz_answers_grant_granted_4;
  wire                _zz_when_24;
  wire                _zz_when_25;
  wire                _zz_when_26;
  wire                _zz_when_27;
  wire       [104:0]  _zz__zz_answers_bytes;
  wire       [31:0]   _zz_answers_short;
  wire                _zz_when_28;
  wire       [12:0]   _zz_answers_bytes_1;
  wire       [63:0]   _zz_answers_va;
  wire                _zz_when_29;
  wire       [63:0]   _zz__zz_answers_look_inside;
  wire                _zz_when_30;
  wire                _zz_when_31;
  wire                _zz_when_32;
  wire                _zz_when_33;
  wire                _zz_when_34;
  wire                _zz_when_35;
  wire                _zz_when_36;
  wire       [13:0]   _zz_answered;
  wire       [13:0]   _zz_answered_1;
  wire       [6:0]    _zz_answered_2;
  wire       [136:0]  _zz_remember_payload_words_4;
  wire       [31:0]   _zz_remember_payload_words_5;
  wire       [31:0]   _zz_remember_payload_words_6;
  wire       [47:0]   _zz_remember_payload_words_7;
  wire       [47:0]   _zz_remember_payload_words_8;
  wire       [23:0]   _zz_remember_payload_words_9;
  wire                _zz_when_37;
  wire       [7:0]    _zz_jobs_1;
  wire       [7:0]    _zz_ofProcessNext;
  wire                _zz_when_38;
  wire       [7:0]    _zz_jobs_2;
  wire       [7:0]    _zz_ofProcessNext_1;
  wire                _zz_when_39;
  wire       [173:0]  _zz_writes_kept_port;
  wire                _zz_writes_kept_port_1;
  wire                _zz_when_40;
  wire       [23:0]   _zz_writes_stale;
  wire       [23:0]   _zz_writes_earlier;
  wire       [23:0]   _zz_writes_msn;
  wire                _zz_when_41;
  wire                _zz_when_42;
  wire                _zz_when_43;
  wire                _zz_when_44;
  wire       [48:0]   _zz_when_45;
  wire       [187:0]  _zz_settingsMem_port_1;
  wire       [9:0]    _zz_shareMem_port_1;
  wire                _zz_when_46;
  wire       [31:0]   _zz_regionRow;
  wire       [7:0]    _zz_jobs_3;
  wire       [7:0]    _zz_ofProcessNext_2;
  wire       [7:0]    _zz_jobs_4;
  wire       [7:0]    _zz_ofProcessNext_3;
  wire                _zz_when_47;
  reg        [4:0]    state_3;
  reg        [2:0]    owner_1;
  reg        [9:0]    index;
  reg                 qp_valid;
  reg                 qp_inError;
  reg        [23:0]   qp_expected;
  reg        [23:0]   qp_msn;
  reg                 qp_running;
  reg        [47:0]   qp_va;
  reg        [31:0]   qp_rkey;
  reg        [31:0]   qp_left;
  reg                 qp_gapTold;
  reg        [3:0]    qp_notReady;
  reg                 qp_mustNotify;
  reg                 qp_notified;
  reg        [31:0]   qp_notifiedAt;
  reg        [3:0]    qp_oldest;
  reg        [4:0]    qp_remembered;
  reg        [3:0]    qp_order_0;
  reg        [3:0]    qp_order_1;
  reg        [3:0]    qp_order_2;
  reg        [3:0]    qp_order_3;
  reg        [3:0]    qp_order_4;
  reg        [3:0]    qp_order_5;
  reg        [3:0]    qp_order_6;
  reg        [3:0]    qp_order_7;
  reg        [3:0]    qp_order_8;
  reg        [3:0]    qp_order_9;
  reg        [3:0]    qp_order_10;
  reg        [3:0]    qp_order_11;
  reg        [3:0]    qp_order_12;
  reg        [3:0]    qp_order_13;
  reg        [3:0]    qp_order_14;
  reg        [3:0]    qp_order_15;
  reg        [4:0]    qp_jobs;
  reg        [4:0]    qp_unread;
  reg        [1:0]    qp_pending;
  reg        [23:0]   qp_pendingPsn;
  reg        [23:0]   qp_pendingMsn;
  reg        [7:0]    qp_pendingSyndrome;
  reg                 qp_scheduled;
  reg        [23:0]   settings_qpn;
  reg        [23:0]   settings_peerQpn;
  reg        [31:0]   settings_peerIp;
  reg        [47:0]   settings_peerMac;
  reg        [15:0]   settings_srcPort;
  reg        [15:0]   settings_pkey;
  reg        [23:0]   settings_pid;
  reg        [2:0]    settings_mtuCode;
  reg                 settings_hardened;
  wire                _zz_qp_notifiedAt;
  reg        [31:0]   _zz_qp_notifiedAt_1;
  reg        [31:0]   _zz_qp_notifiedAt_2;
  reg        [7:0]    jobs;
  wire                chunks_io_pop_m2sPipe_valid;
  wire                chunks_io_pop_m2sPipe_ready;
  wire       [12:0]   chunks_io_pop_m2sPipe_payload_bytes;
  wire                chunks_io_pop_m2sPipe_payload_zeros;
  wire                chunks_io_pop_m2sPipe_payload_drop;
  wire                chunks_io_pop_m2sPipe_payload_last;
  reg                 chunks_io_pop_rValid;
  reg        [12:0]   chunks_io_pop_rData_bytes;
  reg                 chunks_io_pop_rData_zeros;
  reg                 chunks_io_pop_rData_drop;
  reg                 chunks_io_pop_rData_last;
  wire                departures_io_pop_m2sPipe_valid;
  wire                departures_io_pop_m2sPipe_ready;
  wire       [47:0]   departures_io_pop_m2sPipe_payload_dstMac;
  wire       [31:0]   departures_io_pop_m2sPipe_payload_dstIp;
  wire       [15:0]   departures_io_pop_m2sPipe_payload_srcPort;
  wire       [7:0]    departures_io_pop_m2sPipe_payload_opcode;
  wire       [15:0]   departures_io_pop_m2sPipe_payload_pkey;
  wire       [23:0]   departures_io_pop_m2sPipe_payload_destQp;
  wire       [23:0]   departures_io_pop_m2sPipe_payload_psn;
  wire                departures_io_pop_m2sPipe_payload_ackRequest;
  wire       [7:0]    departures_io_pop_m2sPipe_payload_syndrome;
  wire       [23:0]   departures_io_pop_m2sPipe_payload_msn;
  wire       [63:0]   departures_io_pop_m2sPipe_payload_original;
  wire       [12:0]   departures_io_pop_m2sPipe_payload_payload;
  reg                 departures_io_pop_rValid;
  reg        [47:0]   departures_io_pop_rData_dstMac;
  reg        [31:0]   departures_io_pop_rData_dstIp;
  reg        [15:0]   departures_io_pop_rData_srcPort;
  reg        [7:0]    departures_io_pop_rData_opcode;
  reg        [15:0]   departures_io_pop_rData_pkey;
  reg        [23:0]   departures_io_pop_rData_destQp;
  reg        [23:0]   departures_io_pop_rData_psn;
  reg                 departures_io_pop_rData_ackRequest;
  reg        [7:0]    departures_io_pop_rData_syndrome;
  reg        [23:0]   departures_io_pop_rData_msn;
  reg        [63:0]   departures_io_pop_rData_original;
  reg        [12:0]   departures_io_pop_rData_payload;
  reg                 later_valid;
  reg        [5:0]    later_payload;
  reg        [9:0]    sweep;
  reg                 regionWrite_valid;
  reg                 regionWrite_payload_valid;
  reg        [31:0]   regionWrite_payload_key;
  reg        [23:0]   regionWrite_payload_pid;
  reg        [47:0]   regionWrite_payload_va;
  reg        [47:0]   regionWrite_payload_length;
  reg        [2:0]    regionWrite_payload_rights;
  reg        [9:0]    regionRow;
  wire                io_orders_fire;
  reg        [9:0]    ahead;
  reg        [6:0]    answered;
  wire                io_payload_fire;
  reg                 turn;
  reg                 departs;
  reg                 room;
  wire                flies;
  reg                 draining;
  reg        [9:0]    flightPairs_0;
  reg        [9:0]    flightPairs_1;
  reg        [9:0]    flightPairs_2;
  reg        [9:0]    flightPairs_3;
  reg        [9:0]    flightPairs_4;
  reg        [9:0]    flightPairs_5;
  reg        [9:0]    flightPairs_6;
  reg        [9:0]    flightPairs_7;
  reg        [7:0]    own;
  wire                mayArrive;
  wire                mayAnswer;
  reg                 orders;
  wire                takesOrder;
  wire                takesWake;
  wire                takesAnswer;
  wire                takesArrival;
  wire       [23:0]   asked;
  wire       [9:0]    nextIndex;
  wire       [23:0]   settingsRead_qpn;
  wire       [23:0]   settingsRead_peerQpn;
  wire       [31:0]   settingsRead_peerIp;
  wire       [47:0]   settingsRead_peerMac;
  wire       [15:0]   settingsRead_srcPort;
  wire       [15:0]   settingsRead_pkey;
  wire       [23:0]   settingsRead_pid;
  wire       [2:0]    settingsRead_mtuCode;
  wire                settingsRead_hardened;
  wire       [187:0]  _zz_settingsRead_qpn;
  wire                stateRead_valid;
  wire                stateRead_inError;
  wire       [23:0]   stateRead_expected;
  wire       [23:0]   stateRead_msn;
  wire                stateRead_running;
  wire       [47:0]   stateRead_va;
  wire       [31:0]   stateRead_rkey;
  wire       [31:0]   stateRead_left;
  wire                stateRead_gapTold;
  wire       [3:0]    stateRead_notReady;
  wire                stateRead_mustNotify;
  wire                stateRead_notified;
  wire       [31:0]   stateRead_notifiedAt;
  wire       [3:0]    stateRead_oldest;
  wire       [4:0]    stateRead_remembered;
  wire       [3:0]    stateRead_order_0;
  wire       [3:0]    stateRead_order_1;
  wire       [3:0]    stateRead_order_2;
  wire       [3:0]    stateRead_order_3;
  wire       [3:0]    stateRead_order_4;
  wire       [3:0]    stateRead_order_5;
  wire       [3:0]    stateRead_order_6;
  wire       [3:0]    stateRead_order_7;
  wire       [3:0]    stateRead_order_8;
  wire       [3:0]    stateRead_order_9;
  wire       [3:0]    stateRead_order_10;
  wire       [3:0]    stateRead_order_11;
  wire       [3:0]    stateRead_order_12;
  wire       [3:0]    stateRead_order_13;
  wire       [3:0]    stateRead_order_14;
  wire       [3:0]    stateRead_order_15;
  wire       [4:0]    stateRead_jobs;
  wire       [4:0]    stateRead_unread;
  wire       [1:0]    stateRead_pending;
  wire       [23:0]   stateRead_pendingPsn;
  wire       [23:0]   stateRead_pendingMsn;
  wire       [7:0]    stateRead_pendingSyndrome;
  wire                stateRead_scheduled;
  wire       [343:0]  _zz_stateRead_valid;
  wire       [63:0]   _zz_stateRead_order_0;
  wire       [1:0]    _zz_stateRead_pending;
  wire       [2:0]    _zz_owner;
  wire       [2:0]    _zz_owner_1;
  wire       [2:0]    _zz_owner_2;
  wire       [2:0]    _zz_owner_3;
  wire       [9:0]    shareRead;
  reg        [9:0]    share;
  wire       [9:0]    shareHere;
  wire       [7:0]    ofProcess;
  reg        [7:0]    free;
  wire                hasJob;
  reg        [7:0]    ofProcessNext;
  reg                 jobsChange;
  wire       [4:0]    _zz_state;
  reg        [3:0]    place;
  wire       [13:0]   _zz_remembered_psn;
  wire       [1:0]    remembered_kind;
  wire       [23:0]   remembered_psn;
  wire       [23:0]   remembered_msn;
  wire       [63:0]   remembered_va;
  wire       [31:0]   remembered_rkey;
  wire                remembered_found;
  wire       [191:0]  remembered_words;
  wire       [338:0]  _zz_remembered_psn_1;
  wire       [1:0]    _zz_remembered_kind;
  reg                 remember_valid;
  reg        [1:0]    remember_payload_kind;
  reg        [23:0]   remember_payload_psn;
  reg        [23:0]   remember_payload_msn;
  reg        [63:0]   remember_payload_va;
  reg        [31:0]   remember_payload_rkey;
  reg                 remember_payload_found;
  reg        [191:0]  remember_payload_words;
  reg        [3:0]    rememberAt;
  wire                kind_write;
  wire       [31:0]   named;
  wire       [31:0]   key;
  wire       [9:0]    _zz_region_valid;
  wire                region_valid;
  wire       [31:0]   region_key;
  wire       [23:0]   region_pid;
  wire       [47:0]   region_va;
  wire       [47:0]   region_length;
  wire       [2:0]    region_rights;
  wire       [155:0]  _zz_region_valid_1;
  reg                 waits;
  reg                 parks;
  wire                stores;
  wire                enters;
  reg                 written_valid;
  wire                written_inError;
  wire       [23:0]   written_expected;
  wire       [23:0]   written_msn;
  wire                written_running;
  wire       [47:0]   written_va;
  wire       [31:0]   written_rkey;
  wire       [31:0]   written_left;
  wire                written_gapTold;
  wire       [3:0]    written_notReady;
  wire                written_mustNotify;
  wire                written_notified;
  wire       [31:0]   written_notifiedAt;
  wire       [3:0]    written_oldest;
  wire       [4:0]    written_remembered;
  wire       [3:0]    written_order_0;
  wire       [3:0]    written_order_1;
  wire       [3:0]    written_order_2;
  wire       [3:0]    written_order_3;
  wire       [3:0]    written_order_4;
  wire       [3:0]    written_order_5;
  wire       [3:0]    written_order_6;
  wire       [3:0]    written_order_7;
  wire       [3:0]    written_order_8;
  wire       [3:0]    written_order_9;
  wire       [3:0]    written_order_10;
  wire       [3:0]    written_order_11;
  wire       [3:0]    written_order_12;
  wire       [3:0]    written_order_13;
  wire       [3:0]    written_order_14;
  wire       [3:0]    written_order_15;
  wire       [4:0]    written_jobs;
  wire       [4:0]    written_unread;
  wire       [1:0]    written_pending;
  wire       [23:0]   written_pendingPsn;
  wire       [23:0]   written_pendingMsn;
  wire       [7:0]    written_pendingSyndrome;
  reg                 written_scheduled;
  reg                 handed;
  reg        [4:0]    flight_slot;
  reg        [23:0]   flight_psn;
  reg                 flight_ackRequest;
  reg                 flight_ends;
  reg                 flight_immediate;
  reg        [23:0]   flight_msn;
  reg                 flight_running;
  reg        [47:0]   flight_va;
  reg        [31:0]   flight_rkey;
  reg        [31:0]   flight_left;
  reg                 flight_gapTold;
  reg        [3:0]    flight_notReady;
  reg                 requests_kind_send;
  reg                 requests_kind_write;
  reg                 requests_kind_read;
  reg                 requests_kind_compareSwap;
  reg                 requests_kind_fetchAdd;
  reg                 requests_kind_begins;
  reg                 requests_kind_ends;
  reg                 requests_kind_immediate;
  reg        [3:0]    requests_j_step;
  reg        [5:0]    requests_j_reason;
  reg        [1:0]    requests_j_nak;
  reg                 requests_j_known;
  reg                 requests_j_cuts;
  reg        [63:0]   requests_j_va;
  reg        [31:0]   requests_j_rkey;
  reg        [31:0]   requests_j_left;
  reg                 requests_j_looks;
  reg        [31:0]   requests_j_bytes;
  reg                 requests_j_region_key;
  reg                 requests_j_region_process;
  reg                 requests_j_region_inside;
  reg                 requests_j_region_right;
  reg        [47:0]   requests_j_region_offset;
  reg        [47:0]   requests_j_region_length;
  reg        [23:0]   requests_j_packets;
  reg                 requests_failure_notReady;
  reg        [1:0]    requests_failure_nak;
  reg        [5:0]    requests_failure_reason;
  reg                 requests_executed;
  reg        [63:0]   requests_original;
  reg        [4:0]    requests_looked;
  reg                 requests_thisEarlier;
  reg                 requests_doneEarlier;
  wire                requests_grant_granted;
  reg        [5:0]    requests_grant_reason;
  wire                _zz_requests_grant_granted;
  wire                requests_denied;
  wire                requests_writes;
  wire                requests_frees;
  wire                requests_waits;
  wire       [4:0]    _zz_state_1;
  wire       [2:0]    _zz_io_commands_payload_operation;
  wire       [2:0]    _zz_io_commands_payload_operation_1;
  reg        [5:0]    _zz_requests_failure_reason;
  wire                requests_early;
  wire       [3:0]    _zz_qp_notReady;
  wire       [23:0]   _zz_qp_msn;
  wire                _zz_qp_running;
  wire       [1:0]    _zz_remember_payload_kind;
  wire       [1:0]    _zz_remember_payload_kind_1;
  wire       [3:0]    _zz_qp_order_0;
  wire       [15:0]   _zz_11;
  reg        [1:0]    requests_entry_kind;
  reg        [23:0]   requests_entry_psn;
  reg        [23:0]   requests_entry_msn;
  reg        [63:0]   requests_entry_va;
  reg        [31:0]   requests_entry_rkey;
  reg                 requests_entry_found;
  reg        [191:0]  requests_entry_words;
  wire       [3:0]    requests_here;
  reg        [23:0]   requests_skipped;
  reg        [63:0]   requests_moved;
  reg                 requests_sameKey;
  reg                 requests_sameAtomic;
  wire                requests_sameKind;
  wire       [35:0]   requests_bytes;
  reg        [31:0]   requests_rest;
  reg                 requests_within;
  reg                 requests_there;
  reg                 requests_first;
  reg                 requests_queued;
  wire                requests_sameRead;
  wire       [15:0]   _zz_12;
  reg        [1:0]    answers_entry_kind;
  reg        [23:0]   answers_entry_psn;
  reg        [23:0]   answers_entry_msn;
  reg        [63:0]   answers_entry_va;
  reg        [31:0]   answers_entry_rkey;
  reg                 answers_entry_found;
  reg        [191:0]  answers_entry_words;
  wire       [23:0]   answers_rest_psn;
  wire       [47:0]   answers_rest_va;
  wire       [31:0]   answers_rest_length;
  wire                answers_rest_begins;
  wire       [104:0]  _zz_answers_rest_psn;
  wire       [12:0]   answers_mtu;
  reg        [12:0]   answers_bytes;
  reg                 answers_ends;
  reg                 answers_look_key;
  reg                 answers_look_process;
  reg                 answers_look_inside;
  reg                 answers_look_right;
  reg        [47:0]   answers_look_offset;
  reg        [47:0]   answers_look_length;
  wire                answers_grant_granted;
  reg        [5:0]    answers_grant_reason;
  wire                _zz_answers_grant_granted;
  wire       [31:0]   _zz_answers_bytes;
  wire                answers_short;
  wire       [2:0]    answers_right;
  wire       [63:0]   answers_va;
  wire       [64:0]   _zz_answers_look_inside;
  wire                answers_silent;
  reg        [1:0]    answers_why;
  reg        [5:0]    answers_reason;
  reg        [2:0]    _zz_io_commands_payload_operation_2;
  reg        [5:0]    _zz_answers_reason;
  wire       [0:0]    _zz_jobs;
  wire       [23:0]   _zz_io_push_payload_psn;
  wire                writes_kind_ends;
  wire                writes_kind_immediate;
  wire       [4:0]    writes_begun_slot;
  wire       [23:0]   writes_begun_psn;
  wire                writes_begun_ackRequest;
  wire                writes_begun_ends;
  wire                writes_begun_immediate;
  wire       [23:0]   writes_begun_msn;
  wire                writes_begun_running;
  wire       [47:0]   writes_begun_va;
  wire       [31:0]   writes_begun_rkey;
  wire       [31:0]   writes_begun_left;
  wire                writes_begun_gapTold;
  wire       [3:0]    writes_begun_notReady;
  wire       [7:0]    _zz_14;
  reg        [1:0]    writes_how;
  wire       [173:0]  _zz_flight_slot;
  reg                 writes_stale;
  reg                 writes_earlier;
  wire                writes_done;
  wire       [23:0]   writes_msn;
  wire                writes_atOnce;
  reg        [5:0]    _zz_requests_failure_reason_1;
  reg        [7:0]    slow_sound;
  wire                slow_here;
  reg                 slow_writesSettings;
  wire                slow_sounds;
  reg [187:0] settingsMem [0:1023];
  reg [343:0] stateMem [0:1023];
  reg [155:0] regionMem [0:1023];
  reg [338:0] rememberedMem [0:16383];
  reg [9:0] shareMem [0:1023];
  reg [7:0] placesMem [0:1023];
  (* ram_style = "distributed" *) reg [173:0] writes_kept [0:7];

  assign _zz_when_24 = (state_3 == State_pick);
  assign _zz_when_25 = (qp_jobs != 5'h0);
  assign _zz_when_26 = (qp_pending != Pending_none);
  assign _zz_when_35 = (state_3 == State_emit);
  assign _zz_when_36 = (answers_entry_kind == RememberedKind_read);
  assign _zz_when_38 = (state_3 == State_fail);
  assign _zz_when_39 = (answers_why == AccessEnd_notReady);
  assign _zz_when_41 = (state_3 == State_retire);
  assign _zz_when_42 = ((! writes_stale) && writes_done);
  assign _zz_when_43 = (flight_ackRequest && (! qp_inError));
  assign _zz_when_6 = (state_3 == State_act);
  assign _zz_when_12 = ((state_3 == State_refuse) && (! requests_early));
  assign _zz_when_13 = (state_3 == State_write);
  assign _zz_when_14 = (! handed);
  assign _zz_when_15 = (state_3 == State_scan);
  assign _zz_when_16 = (requests_looked == qp_remembered);
  assign _zz_when_20 = (state_3 == State_matches_1);
  assign _zz_when_21 = (requests_sameKey && (requests_sameRead || (requests_sameAtomic && requests_first)));
  assign _zz_when_22 = (requests_entry_kind == RememberedKind_read);
  assign _zz_when_27 = (qp_pending == Pending_ack);
  assign _zz_when_47 = (region_valid && (region_key == io_orders_payload_region_key));
  assign _zz_when_46 = (state_3 == State_order);
  assign _zz_when_23 = (! requests_queued);
  assign _zz_when_37 = ((! (answers_entry_kind == RememberedKind_read)) || answers_ends);
  assign _zz_when_30 = (state_3 == State_answer);
  assign _zz_when_31 = (! answers_grant_granted);
  assign _zz_when_9 = (state_3 == State_act);
  assign _zz_when_8 = (requests_j_cuts && rates_io_room);
  assign _zz_when_4 = (state_3 == State_empty);
  assign _zz_when = (state_3 == State_idle);
  assign _zz_when_1 = (state_3 == State_load);
  assign _zz_when_2 = (owner_1 == Owner_order);
  assign _zz_when_3 = (owner_1 == Owner_answer);
  assign _zz_when_5 = (state_3 == State_judge);
  assign _zz_when_10 = ((state_3 == State_access_1) && access_1_io_ended_valid);
  assign _zz_when_11 = (access_1_io_ended_payload_how != AccessEnd_done);
  assign _zz_when_17 = (state_3 == State_scanned);
  assign _zz_when_18 = (state_3 == State_skips);
  assign _zz_when_19 = (state_3 == State_compares);
  assign _zz_when_28 = (state_3 == State_entry);
  assign _zz_when_29 = (state_3 == State_check);
  assign _zz_when_32 = ((state_3 == State_answerAccess) && access_1_io_ended_valid);
  assign _zz_when_33 = (access_1_io_ended_payload_how != AccessEnd_done);
  assign _zz_when_34 = (! (answers_entry_kind == RememberedKind_read));
  assign _zz_when_40 = (state_3 == State_ended);
  assign _zz_when_44 = ((! writes_stale) && (! writes_done));
  assign _zz__zz_qp_notifiedAt_1_1 = _zz_qp_notifiedAt;
  assign _zz__zz_qp_notifiedAt_1 = {31'd0, _zz__zz_qp_notifiedAt_1_1};
  assign _zz_ahead = (ahead + _zz_ahead_1);
  assign _zz_ahead_1 = {3'd0, answered};
  assign _zz_ahead_3 = io_payload_fire;
  assign _zz_ahead_2 = {9'd0, _zz_ahead_3};
  assign _zz_asked = {14'd0, turns_io_pop_payload};
  assign _zz_nextIndex_1 = asked[9:0];
  assign _zz_own = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_1 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_2 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_3 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_4 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_5 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_6 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz_own_7 = io_arrivals_payload_headers_destQp[9:0];
  assign _zz__zz_region_valid = key;
  assign _zz_io_changes_payload_cap = io_orders_payload_rate[16:0];
  assign _zz_requests_thisEarlier = (io_arrivals_payload_headers_psn - qp_pendingPsn);
  assign _zz_requests_doneEarlier = (qp_expected + (~ qp_pendingPsn));
  assign _zz__zz_requests_grant_granted = ({1'b0,requests_j_region_offset} + {1'b0,_zz__zz_requests_grant_granted_1});
  assign _zz__zz_requests_grant_granted_1 = {16'd0, requests_j_bytes};
  assign _zz__zz_requests_grant_granted_2 = {1'd0, requests_j_region_length};
  assign _zz_when_7 = (_zz_qp_notifiedAt_2 - qp_notifiedAt);
  assign _zz__zz_qp_notReady = (qp_notReady + 4'b0001);
  assign _zz_qp_pendingSyndrome_1 = _zz_qp_notReady;
  assign _zz_qp_pendingSyndrome = {4'd0, _zz_qp_pendingSyndrome_1};
  assign _zz_qp_pendingSyndrome_3 = requests_failure_nak;
  assign _zz_qp_pendingSyndrome_2 = {6'd0, _zz_qp_pendingSyndrome_3};
  assign _zz_qp_va = (requests_j_va + _zz_qp_va_1);
  assign _zz_qp_va_1 = {51'd0, io_arrivals_payload_headers_payload};
  assign _zz_qp_left = {19'd0, io_arrivals_payload_headers_payload};
  assign _zz_rememberAt = qp_remembered[3:0];
  assign _zz_remember_payload_words = {{1'b1,{io_arrivals_payload_headers_dmaLength,{_zz_remember_payload_words_1,io_arrivals_payload_headers_psn}}},io_arrivals_payload_headers_dmaLength};
  assign _zz_remember_payload_words_1 = io_arrivals_payload_headers_va[47:0];
  assign _zz__zz_qp_order_0 = qp_remembered[3:0];
  assign _zz__zz_11 = qp_jobs[3:0];
  assign _zz_qp_unread_1 = (! requests_executed);
  assign _zz_qp_unread = {4'd0, _zz_qp_unread_1};
  assign _zz_requests_here = requests_looked[3:0];
  assign _zz_requests_bytes = {12'd0, requests_skipped};
  assign _zz_requests_bytes_1 = ({1'b0,settings_mtuCode} + {1'b0,3'b111});
  assign _zz_requests_within_1 = requests_entry_words[31 : 0];
  assign _zz_requests_within = {4'd0, _zz_requests_within_1};
  assign _zz_requests_there = {28'd0, requests_bytes};
  assign _zz_requests_rest = requests_bytes[31:0];
  assign _zz_remember_payload_words_2 = {{1'b1,{io_arrivals_payload_headers_dmaLength,{_zz_remember_payload_words_3,io_arrivals_payload_headers_psn}}},requests_entry_words[31 : 0]};
  assign _zz_remember_payload_words_3 = io_arrivals_payload_headers_va[47:0];
  assign _zz__zz_12 = qp_jobs[3:0];
  assign _zz_qp_unread_3 = ((requests_entry_kind == RememberedKind_read) || (! requests_entry_found));
  assign _zz_qp_unread_2 = {4'd0, _zz_qp_unread_3};
  assign _zz__zz_answers_grant_granted = ({1'b0,answers_look_offset} + {1'b0,_zz__zz_answers_grant_granted_1});
  assign _zz__zz_answers_grant_granted_2 = ((answers_entry_kind == RememberedKind_read) ? _zz__zz_answers_grant_granted_3 : 32'h00000008);
  assign _zz__zz_answers_grant_granted_1 = {16'd0, _zz__zz_answers_grant_granted_2};
  assign _zz__zz_answers_grant_granted_3 = {19'd0, answers_bytes};
  assign _zz__zz_answers_grant_granted_4 = {1'd0, answers_look_length};
  assign _zz__zz_answers_bytes = remembered_words[136 : 32];
  assign _zz_answers_short = {19'd0, answers_mtu};
  assign _zz_answers_bytes_1 = _zz_answers_bytes[12:0];
  assign _zz_answers_va = {16'd0, answers_rest_va};
  assign _zz__zz_answers_look_inside = {16'd0, region_va};
  assign _zz_answered = ({1'b0,answers_bytes} + _zz_answered_1);
  assign _zz_answered_2 = {1'b0,6'h3f};
  assign _zz_answered_1 = {7'd0, _zz_answered_2};
  assign _zz_remember_payload_words_4 = {{1'b0,{_zz_remember_payload_words_5,{_zz_remember_payload_words_7,_zz_remember_payload_words_9}}},answers_entry_words[31 : 0]};
  assign _zz_remember_payload_words_5 = (answers_rest_length - _zz_remember_payload_words_6);
  assign _zz_remember_payload_words_6 = {19'd0, answers_bytes};
  assign _zz_remember_payload_words_7 = (answers_rest_va + _zz_remember_payload_words_8);
  assign _zz_remember_payload_words_8 = {35'd0, answers_bytes};
  assign _zz_remember_payload_words_9 = (answers_rest_psn + 24'h000001);
  assign _zz_jobs_1 = {7'd0, _zz_jobs};
  assign _zz_ofProcessNext = {7'd0, _zz_jobs};
  assign _zz_jobs_2 = {3'd0, qp_jobs};
  assign _zz_ofProcessNext_1 = {3'd0, qp_jobs};
  assign _zz_writes_stale = (flight_psn - qp_expected);
  assign _zz_writes_earlier = (flight_psn - qp_pendingPsn);
  assign _zz_writes_msn = (flight_msn + 24'h000001);
  assign _zz_when_45 = ({1'b0,io_orders_payload_region_va} + {1'b0,io_orders_payload_region_length});
  assign _zz_regionRow = io_orders_payload_region_key;
  assign _zz_jobs_3 = {3'd0, qp_jobs};
  assign _zz_ofProcessNext_2 = {3'd0, qp_jobs};
  assign _zz_jobs_4 = {3'd0, qp_jobs};
  assign _zz_ofProcessNext_3 = {3'd0, qp_jobs};
  assign _zz__zz_settingsRead_qpn = 1'b1;
  assign _zz_settingsMem_port_1 = {io_orders_payload_settings_hardened,{io_orders_payload_settings_mtuCode,{io_orders_payload_settings_pid,{io_orders_payload_settings_pkey,{io_orders_payload_settings_srcPort,{io_orders_payload_settings_peerMac,{io_orders_payload_settings_peerIp,{io_orders_payload_settings_peerQpn,io_orders_payload_settings_qpn}}}}}}}};
  assign _zz__zz_stateRead_valid = 1'b1;
  assign _zz_stateMem_port_1 = ((state_3 == State_empty) ? sweep : index);
  assign _zz_stateMem_port_2 = {written_scheduled,{written_pendingSyndrome,{written_pendingMsn,{written_pendingPsn,{written_pending,{written_unread,{written_jobs,{{written_order_15,{written_order_14,{written_order_13,{written_order_12,{written_order_11,{written_order_10,{written_order_9,{written_order_8,{written_order_7,{written_order_6,{written_order_5,{written_order_4,{written_order_3,{written_order_2,{written_order_1,written_order_0}}}}}}}}}}}}}}},{written_remembered,{written_oldest,{written_notifiedAt,{written_notified,{written_mustNotify,{written_notReady,{written_gapTold,{written_left,{written_rkey,{written_va,{written_running,{written_msn,{written_expected,{written_inError,written_valid}}}}}}}}}}}}}}}}}}}}}};
  assign _zz_stateMem_port_3 = ((state_3 == State_empty) || stores);
  assign _zz__zz_region_valid_1 = 1'b1;
  assign _zz_regionMem_port_1 = {regionWrite_payload_rights,{regionWrite_payload_length,{regionWrite_payload_va,{regionWrite_payload_pid,{regionWrite_payload_key,regionWrite_payload_valid}}}}};
  assign _zz__zz_remembered_psn_1 = 1'b1;
  assign _zz_rememberedMem_port_1 = {index,rememberAt};
  assign _zz_rememberedMem_port_2 = {remember_payload_words,{remember_payload_found,{remember_payload_rkey,{remember_payload_va,{remember_payload_msn,{remember_payload_psn,remember_payload_kind}}}}}};
  assign _zz_shareRead = 1'b1;
  assign _zz_shareMem_port_1 = shares_io_share;
  assign _zz_ofProcess = 1'b1;
  assign _zz_placesMem_port_1 = ((state_3 == State_empty) ? sweep : share);
  assign _zz_placesMem_port_2 = ofProcessNext;
  assign _zz_placesMem_port_3 = ((state_3 == State_empty) || jobsChange);
  assign _zz_writes_kept_port = {writes_begun_notReady,{writes_begun_gapTold,{writes_begun_left,{writes_begun_rkey,{writes_begun_va,{writes_begun_running,{writes_begun_msn,{writes_begun_immediate,{writes_begun_ends,{writes_begun_ackRequest,{writes_begun_psn,writes_begun_slot}}}}}}}}}}};
  assign _zz_writes_kept_port_1 = (state_3 == State_act);
  assign _zz_requests_queued = 5'h0d;
  assign _zz_requests_queued_1 = (5'h0c < qp_jobs);
  assign _zz_requests_queued_2 = (qp_order_12 == requests_here);
  assign _zz_requests_queued_3 = ((5'h0b < qp_jobs) && (qp_order_11 == requests_here));
  assign _zz_requests_queued_4 = ((5'h0a < qp_jobs) && (qp_order_10 == requests_here));
  assign _zz_requests_queued_5 = {((5'h09 < qp_jobs) && (qp_order_9 == requests_here)),{((_zz_requests_queued_6 < qp_jobs) && (qp_order_8 == requests_here)),{(_zz_requests_queued_7 && _zz_requests_queued_8),{_zz_requests_queued_9,{_zz_requests_queued_10,_zz_requests_queued_11}}}}};
  assign _zz_requests_queued_6 = 5'h08;
  assign _zz_requests_queued_7 = (5'h07 < qp_jobs);
  assign _zz_requests_queued_8 = (qp_order_7 == requests_here);
  assign _zz_requests_queued_9 = ((5'h06 < qp_jobs) && (qp_order_6 == requests_here));
  assign _zz_requests_queued_10 = ((5'h05 < qp_jobs) && (qp_order_5 == requests_here));
  assign _zz_requests_queued_11 = {((5'h04 < qp_jobs) && (qp_order_4 == requests_here)),{((_zz_requests_queued_12 < qp_jobs) && (qp_order_3 == requests_here)),{(_zz_requests_queued_13 && _zz_requests_queued_14),{_zz_requests_queued_15,_zz_requests_queued_16}}}};
  assign _zz_requests_queued_12 = 5'h03;
  assign _zz_requests_queued_13 = (5'h02 < qp_jobs);
  assign _zz_requests_queued_14 = (qp_order_2 == requests_here);
  assign _zz_requests_queued_15 = ((5'h01 < qp_jobs) && (qp_order_1 == requests_here));
  assign _zz_requests_queued_16 = ((5'h0 < qp_jobs) && (qp_order_0 == requests_here));
  always @(posedge clk) begin
    if(_zz__zz_settingsRead_qpn) begin
      settingsMem_spinal_port0 <= settingsMem[nextIndex];
    end
  end

  always @(posedge clk) begin
    if(slow_writesSettings) begin
      settingsMem[index] <= _zz_settingsMem_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_stateRead_valid) begin
      stateMem_spinal_port0 <= stateMem[nextIndex];
    end
  end

  always @(posedge clk) begin
    if(_zz_stateMem_port_3) begin
      stateMem[_zz_stateMem_port_1] <= _zz_stateMem_port_2;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_region_valid_1) begin
      regionMem_spinal_port0 <= regionMem[_zz_region_valid];
    end
  end

  always @(posedge clk) begin
    if(regionWrite_valid) begin
      regionMem[regionRow] <= _zz_regionMem_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_remembered_psn_1) begin
      rememberedMem_spinal_port0 <= rememberedMem[_zz_remembered_psn];
    end
  end

  always @(posedge clk) begin
    if(remember_valid) begin
      rememberedMem[_zz_rememberedMem_port_1] <= _zz_rememberedMem_port_2;
    end
  end

  always @(posedge clk) begin
    if(_zz_shareRead) begin
      shareMem_spinal_port0 <= shareMem[nextIndex];
    end
  end

  always @(posedge clk) begin
    if(slow_writesSettings) begin
      shareMem[index] <= _zz_shareMem_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz_ofProcess) begin
      placesMem_spinal_port0 <= placesMem[shareHere];
    end
  end

  always @(posedge clk) begin
    if(_zz_placesMem_port_3) begin
      placesMem[_zz_placesMem_port_1] <= _zz_placesMem_port_2;
    end
  end

  always @(posedge clk) begin
    if(_zz_writes_kept_port_1) begin
      writes_kept[access_1_io_next] <= _zz_writes_kept_port;
    end
  end

  assign writes_kept_spinal_port1 = writes_kept[access_1_io_oldest];
  RoceTurns turns (
    .io_push_valid         (turns_io_push_valid      ), //i
    .io_push_payload_share (share[9:0]               ), //i
    .io_push_payload_pair  (index[9:0]               ), //i
    .io_pop_valid          (turns_io_pop_valid       ), //o
    .io_pop_ready          (turns_io_pop_ready       ), //i
    .io_pop_payload        (turns_io_pop_payload[9:0]), //o
    .io_clear_valid        (turns_io_clear_valid     ), //i
    .io_clear_payload      (sweep[9:0]               ), //i
    .io_empty              (turns_io_empty           ), //o
    .clk                   (clk                      ), //i
    .reset                 (reset                    )  //i
  );
  ReactionPoint rates (
    .io_changes_valid        (rates_io_changes_valid            ), //i
    .io_changes_payload_pair (index[9:0]                        ), //i
    .io_changes_payload_cuts (rates_io_changes_payload_cuts     ), //i
    .io_changes_payload_cap  (rates_io_changes_payload_cap[16:0]), //i
    .io_room                 (rates_io_room                     ), //o
    .io_sent_valid           (rates_io_sent_valid               ), //i
    .io_sent_payload_pair    (index[9:0]                        ), //i
    .io_sent_payload_bytes   (rates_io_sent_payload_bytes[12:0] ), //i
    .io_pair                 (index[9:0]                        ), //i
    .io_holds                (rates_io_holds                    ), //o
    .io_wakes_valid          (rates_io_wakes_valid              ), //o
    .io_wakes_ready          (rates_io_wakes_ready              ), //i
    .io_wakes_payload        (rates_io_wakes_payload[9:0]       ), //o
    .clk                     (clk                               ), //i
    .reset                   (reset                             )  //i
  );
  PacketAccess access_1 (
    .io_commands_valid                                      (access_1_io_commands_valid                                 ), //i
    .io_commands_ready                                      (access_1_io_commands_ready                                 ), //o
    .io_commands_payload_operation                          (access_1_io_commands_payload_operation[2:0]                ), //i
    .io_commands_payload_pid                                (access_1_io_commands_payload_pid[23:0]                     ), //i
    .io_commands_payload_va                                 (access_1_io_commands_payload_va[47:0]                      ), //i
    .io_commands_payload_bytes                              (access_1_io_commands_payload_bytes[12:0]                   ), //i
    .io_commands_payload_slot                               (access_1_io_commands_payload_slot[4:0]                     ), //i
    .io_commands_payload_offset                             (access_1_io_commands_payload_offset[6:0]                   ), //i
    .io_commands_payload_operands                           (access_1_io_commands_payload_operands[127:0]               ), //i
    .io_ended_valid                                         (access_1_io_ended_valid                                    ), //o
    .io_ended_payload_how                                   (access_1_io_ended_payload_how[1:0]                         ), //o
    .io_ended_payload_old                                   (access_1_io_ended_payload_old[63:0]                        ), //o
    .io_room                                                (access_1_io_room                                           ), //o
    .io_held                                                (access_1_io_held[7:0]                                      ), //o
    .io_passed                                              (access_1_io_passed[7:0]                                    ), //o
    .io_oldest                                              (access_1_io_oldest[2:0]                                    ), //o
    .io_next                                                (access_1_io_next[2:0]                                      ), //o
    .io_over_valid                                          (access_1_io_over_valid                                     ), //o
    .io_over_payload                                        (access_1_io_over_payload[1:0]                              ), //o
    .io_retire                                              (access_1_io_retire                                         ), //i
    .io_door_tokens_valid                                   (access_1_io_door_tokens_valid                              ), //o
    .io_door_tokens_ready                                   (io_door_tokens_ready                                       ), //i
    .io_door_tokens_payload_context                         (access_1_io_door_tokens_payload_context[5:0]               ), //o
    .io_door_tokens_payload_demand_operation                (access_1_io_door_tokens_payload_demand_operation[2:0]      ), //o
    .io_door_tokens_payload_demand_ordering_fence           (access_1_io_door_tokens_payload_demand_ordering_fence      ), //o
    .io_door_tokens_payload_demand_ordering_windowed        (access_1_io_door_tokens_payload_demand_ordering_windowed   ), //o
    .io_door_tokens_payload_demand_ordering_time            (access_1_io_door_tokens_payload_demand_ordering_time[23:0] ), //o
    .io_door_tokens_payload_demand_pid                      (access_1_io_door_tokens_payload_demand_pid[23:0]           ), //o
    .io_door_tokens_payload_demand_va                       (access_1_io_door_tokens_payload_demand_va[47:0]            ), //o
    .io_door_tokens_payload_demand_length                   (access_1_io_door_tokens_payload_demand_length[15:0]        ), //o
    .io_door_tokens_payload_demand_dataOffset               (access_1_io_door_tokens_payload_demand_dataOffset[7:0]     ), //o
    .io_door_data_fetch_valid                               (io_door_data_fetch_valid                                   ), //i
    .io_door_data_fetch_ready                               (access_1_io_door_data_fetch_ready                          ), //o
    .io_door_data_fetch_payload_context                     (io_door_data_fetch_payload_context[5:0]                    ), //i
    .io_door_data_fetch_payload_beat                        (io_door_data_fetch_payload_beat[4:0]                       ), //i
    .io_door_data_fetched_valid                             (access_1_io_door_data_fetched_valid                        ), //o
    .io_door_data_fetched_payload                           (access_1_io_door_data_fetched_payload[511:0]               ), //o
    .io_door_data_operands                                  (access_1_io_door_data_operands[127:0]                      ), //o
    .io_door_data_completions_valid                         (io_door_data_completions_valid                             ), //i
    .io_door_data_completions_ready                         (access_1_io_door_data_completions_ready                    ), //o
    .io_door_data_completions_payload_context               (io_door_data_completions_payload_context[5:0]              ), //i
    .io_door_data_completions_payload_report_outcome_status (io_door_data_completions_payload_report_outcome_status[4:0]), //i
    .io_door_data_completions_payload_report_zeros          (io_door_data_completions_payload_report_zeros              ), //i
    .io_door_data_completions_payload_old                   (io_door_data_completions_payload_old[63:0]                 ), //i
    .io_door_data_payload_valid                             (io_door_data_payload_valid                                 ), //i
    .io_door_data_payload_ready                             (access_1_io_door_data_payload_ready                        ), //o
    .io_door_data_payload_payload_data                      (io_door_data_payload_payload_data[511:0]                   ), //i
    .io_door_data_payload_payload_error                     (io_door_data_payload_payload_error                         ), //i
    .io_read_valid                                          (access_1_io_read_valid                                     ), //o
    .io_read_payload_slot                                   (access_1_io_read_payload_slot[4:0]                         ), //o
    .io_read_payload_beat                                   (access_1_io_read_payload_beat[6:0]                         ), //o
    .io_packet                                              (io_packet[511:0]                                           ), //i
    .io_chunks_valid                                        (access_1_io_chunks_valid                                   ), //o
    .io_chunks_ready                                        (chunks_io_push_ready                                       ), //i
    .io_chunks_payload_bytes                                (access_1_io_chunks_payload_bytes[12:0]                     ), //o
    .io_chunks_payload_zeros                                (access_1_io_chunks_payload_zeros                           ), //o
    .io_chunks_payload_drop                                 (access_1_io_chunks_payload_drop                            ), //o
    .io_chunks_payload_last                                 (access_1_io_chunks_payload_last                            ), //o
    .io_data_valid                                          (access_1_io_data_valid                                     ), //o
    .io_data_ready                                          (packer_io_data_ready                                       ), //i
    .io_data_payload_data                                   (access_1_io_data_payload_data[511:0]                       ), //o
    .io_data_payload_error                                  (access_1_io_data_payload_error                             ), //o
    .clk                                                    (clk                                                        ), //i
    .reset                                                  (reset                                                      )  //i
  );
  AnswerPacker packer (
    .io_chunks_valid         (chunks_io_pop_m2sPipe_valid              ), //i
    .io_chunks_ready         (packer_io_chunks_ready                   ), //o
    .io_chunks_payload_bytes (chunks_io_pop_m2sPipe_payload_bytes[12:0]), //i
    .io_chunks_payload_zeros (chunks_io_pop_m2sPipe_payload_zeros      ), //i
    .io_chunks_payload_drop  (chunks_io_pop_m2sPipe_payload_drop       ), //i
    .io_chunks_payload_last  (chunks_io_pop_m2sPipe_payload_last       ), //i
    .io_data_valid           (access_1_io_data_valid                   ), //i
    .io_data_ready           (packer_io_data_ready                     ), //o
    .io_data_payload_data    (access_1_io_data_payload_data[511:0]     ), //i
    .io_data_payload_error   (access_1_io_data_payload_error           ), //i
    .io_beats_valid          (packer_io_beats_valid                    ), //o
    .io_beats_ready          (io_payload_ready                         ), //i
    .io_beats_payload_data   (packer_io_beats_payload_data[511:0]      ), //o
    .io_beats_payload_error  (packer_io_beats_payload_error            ), //o
    .clk                     (clk                                      ), //i
    .reset                   (reset                                    )  //i
  );
  StreamFifo_5 chunks (
    .io_push_valid         (access_1_io_chunks_valid              ), //i
    .io_push_ready         (chunks_io_push_ready                  ), //o
    .io_push_payload_bytes (access_1_io_chunks_payload_bytes[12:0]), //i
    .io_push_payload_zeros (access_1_io_chunks_payload_zeros      ), //i
    .io_push_payload_drop  (access_1_io_chunks_payload_drop       ), //i
    .io_push_payload_last  (access_1_io_chunks_payload_last       ), //i
    .io_pop_valid          (chunks_io_pop_valid                   ), //o
    .io_pop_ready          (chunks_io_pop_ready                   ), //i
    .io_pop_payload_bytes  (chunks_io_pop_payload_bytes[12:0]     ), //o
    .io_pop_payload_zeros  (chunks_io_pop_payload_zeros           ), //o
    .io_pop_payload_drop   (chunks_io_pop_payload_drop            ), //o
    .io_pop_payload_last   (chunks_io_pop_payload_last            ), //o
    .io_flush              (1'b0                                  ), //i
    .io_availability       (chunks_io_availability[4:0]           ), //o
    .clk                   (clk                                   ), //i
    .reset                 (reset                                 )  //i
  );
  StreamFifo_6 departures (
    .io_push_valid              (departures_io_push_valid                 ), //i
    .io_push_ready              (departures_io_push_ready                 ), //o
    .io_push_payload_dstMac     (departures_io_push_payload_dstMac[47:0]  ), //i
    .io_push_payload_dstIp      (departures_io_push_payload_dstIp[31:0]   ), //i
    .io_push_payload_srcPort    (departures_io_push_payload_srcPort[15:0] ), //i
    .io_push_payload_opcode     (departures_io_push_payload_opcode[7:0]   ), //i
    .io_push_payload_pkey       (departures_io_push_payload_pkey[15:0]    ), //i
    .io_push_payload_destQp     (departures_io_push_payload_destQp[23:0]  ), //i
    .io_push_payload_psn        (departures_io_push_payload_psn[23:0]     ), //i
    .io_push_payload_ackRequest (departures_io_push_payload_ackRequest    ), //i
    .io_push_payload_syndrome   (departures_io_push_payload_syndrome[7:0] ), //i
    .io_push_payload_msn        (departures_io_push_payload_msn[23:0]     ), //i
    .io_push_payload_original   (departures_io_push_payload_original[63:0]), //i
    .io_push_payload_payload    (departures_io_push_payload_payload[12:0] ), //i
    .io_pop_valid               (departures_io_pop_valid                  ), //o
    .io_pop_ready               (departures_io_pop_ready                  ), //i
    .io_pop_payload_dstMac      (departures_io_pop_payload_dstMac[47:0]   ), //o
    .io_pop_payload_dstIp       (departures_io_pop_payload_dstIp[31:0]    ), //o
    .io_pop_payload_srcPort     (departures_io_pop_payload_srcPort[15:0]  ), //o
    .io_pop_payload_opcode      (departures_io_pop_payload_opcode[7:0]    ), //o
    .io_pop_payload_pkey        (departures_io_pop_payload_pkey[15:0]     ), //o
    .io_pop_payload_destQp      (departures_io_pop_payload_destQp[23:0]   ), //o
    .io_pop_payload_psn         (departures_io_pop_payload_psn[23:0]      ), //o
    .io_pop_payload_ackRequest  (departures_io_pop_payload_ackRequest     ), //o
    .io_pop_payload_syndrome    (departures_io_pop_payload_syndrome[7:0]  ), //o
    .io_pop_payload_msn         (departures_io_pop_payload_msn[23:0]      ), //o
    .io_pop_payload_original    (departures_io_pop_payload_original[63:0] ), //o
    .io_pop_payload_payload     (departures_io_pop_payload_payload[12:0]  ), //o
    .io_flush                   (1'b0                                     ), //i
    .io_availability            (departures_io_availability[2:0]          ), //o
    .clk                        (clk                                      ), //i
    .reset                      (reset                                    )  //i
  );
  RoceShares shares (
    .io_seeks         (shares_io_seeks                     ), //i
    .io_pid           (io_orders_payload_settings_pid[23:0]), //i
    .io_found         (shares_io_found                     ), //o
    .io_share         (shares_io_share[9:0]                ), //o
    .io_ends          (io_orders_fire                      ), //i
    .io_takes         (slow_writesSettings                 ), //i
    .io_gives         (shares_io_gives                     ), //i
    .io_of            (shareHere[9:0]                      ), //i
    .io_clear_valid   (shares_io_clear_valid               ), //i
    .io_clear_payload (sweep[9:0]                          ), //i
    .clk              (clk                                 ), //i
    .reset            (reset                               )  //i
  );
  RequestJudge requests_judge (
    .io_headers_srcIp            (io_arrivals_payload_headers_srcIp[31:0]        ), //i
    .io_headers_opcode           (io_arrivals_payload_headers_opcode[7:0]        ), //i
    .io_headers_pkey             (io_arrivals_payload_headers_pkey[15:0]         ), //i
    .io_headers_destQp           (io_arrivals_payload_headers_destQp[23:0]       ), //i
    .io_headers_psn              (io_arrivals_payload_headers_psn[23:0]          ), //i
    .io_headers_va               (io_arrivals_payload_headers_va[63:0]           ), //i
    .io_headers_rkey             (io_arrivals_payload_headers_rkey[31:0]         ), //i
    .io_headers_dmaLength        (io_arrivals_payload_headers_dmaLength[31:0]    ), //i
    .io_headers_payload          (io_arrivals_payload_headers_payload[12:0]      ), //i
    .io_kind_send                (requests_kind_send                             ), //i
    .io_kind_write               (requests_kind_write                            ), //i
    .io_kind_read                (requests_kind_read                             ), //i
    .io_kind_compareSwap         (requests_kind_compareSwap                      ), //i
    .io_kind_fetchAdd            (requests_kind_fetchAdd                         ), //i
    .io_kind_begins              (requests_kind_begins                           ), //i
    .io_kind_ends                (requests_kind_ends                             ), //i
    .io_malformed                (io_arrivals_payload_malformed                  ), //i
    .io_settings_qpn             (settings_qpn[23:0]                             ), //i
    .io_settings_peerIp          (settings_peerIp[31:0]                          ), //i
    .io_settings_pkey            (settings_pkey[15:0]                            ), //i
    .io_settings_pid             (settings_pid[23:0]                             ), //i
    .io_settings_mtuCode         (settings_mtuCode[2:0]                          ), //i
    .io_qp_valid                 (qp_valid                                       ), //i
    .io_qp_inError               (qp_inError                                     ), //i
    .io_qp_expected              (qp_expected[23:0]                              ), //i
    .io_qp_running               (qp_running                                     ), //i
    .io_qp_va                    (qp_va[47:0]                                    ), //i
    .io_qp_rkey                  (qp_rkey[31:0]                                  ), //i
    .io_qp_left                  (qp_left[31:0]                                  ), //i
    .io_qp_gapTold               (qp_gapTold                                     ), //i
    .io_qp_notReady              (qp_notReady[3:0]                               ), //i
    .io_qp_oldest                (qp_oldest[3:0]                                 ), //i
    .io_qp_remembered            (qp_remembered[4:0]                             ), //i
    .io_qp_order_0               (qp_order_0[3:0]                                ), //i
    .io_qp_order_1               (qp_order_1[3:0]                                ), //i
    .io_qp_order_2               (qp_order_2[3:0]                                ), //i
    .io_qp_order_3               (qp_order_3[3:0]                                ), //i
    .io_qp_order_4               (qp_order_4[3:0]                                ), //i
    .io_qp_order_5               (qp_order_5[3:0]                                ), //i
    .io_qp_order_6               (qp_order_6[3:0]                                ), //i
    .io_qp_order_7               (qp_order_7[3:0]                                ), //i
    .io_qp_order_8               (qp_order_8[3:0]                                ), //i
    .io_qp_order_9               (qp_order_9[3:0]                                ), //i
    .io_qp_order_10              (qp_order_10[3:0]                               ), //i
    .io_qp_order_11              (qp_order_11[3:0]                               ), //i
    .io_qp_order_12              (qp_order_12[3:0]                               ), //i
    .io_qp_order_13              (qp_order_13[3:0]                               ), //i
    .io_qp_order_14              (qp_order_14[3:0]                               ), //i
    .io_qp_order_15              (qp_order_15[3:0]                               ), //i
    .io_qp_jobs                  (qp_jobs[4:0]                                   ), //i
    .io_region_valid             (region_valid                                   ), //i
    .io_region_key               (region_key[31:0]                               ), //i
    .io_region_pid               (region_pid[23:0]                               ), //i
    .io_region_va                (region_va[47:0]                                ), //i
    .io_region_length            (region_length[47:0]                            ), //i
    .io_region_rights            (region_rights[2:0]                             ), //i
    .io_hasJob                   (hasJob                                         ), //i
    .io_judgement_step           (requests_judge_io_judgement_step[3:0]          ), //o
    .io_judgement_reason         (requests_judge_io_judgement_reason[5:0]        ), //o
    .io_judgement_nak            (requests_judge_io_judgement_nak[1:0]           ), //o
    .io_judgement_known          (requests_judge_io_judgement_known              ), //o
    .io_judgement_cuts           (requests_judge_io_judgement_cuts               ), //o
    .io_judgement_va             (requests_judge_io_judgement_va[63:0]           ), //o
    .io_judgement_rkey           (requests_judge_io_judgement_rkey[31:0]         ), //o
    .io_judgement_left           (requests_judge_io_judgement_left[31:0]         ), //o
    .io_judgement_looks          (requests_judge_io_judgement_looks              ), //o
    .io_judgement_bytes          (requests_judge_io_judgement_bytes[31:0]        ), //o
    .io_judgement_region_key     (requests_judge_io_judgement_region_key         ), //o
    .io_judgement_region_process (requests_judge_io_judgement_region_process     ), //o
    .io_judgement_region_inside  (requests_judge_io_judgement_region_inside      ), //o
    .io_judgement_region_right   (requests_judge_io_judgement_region_right       ), //o
    .io_judgement_region_offset  (requests_judge_io_judgement_region_offset[47:0]), //o
    .io_judgement_region_length  (requests_judge_io_judgement_region_length[47:0]), //o
    .io_judgement_packets        (requests_judge_io_judgement_packets[23:0]      )  //o
  );
  always @(*) begin
    case(access_1_io_oldest)
      3'b000 : _zz_nextIndex = flightPairs_0;
      3'b001 : _zz_nextIndex = flightPairs_1;
      3'b010 : _zz_nextIndex = flightPairs_2;
      3'b011 : _zz_nextIndex = flightPairs_3;
      3'b100 : _zz_nextIndex = flightPairs_4;
      3'b101 : _zz_nextIndex = flightPairs_5;
      3'b110 : _zz_nextIndex = flightPairs_6;
      default : _zz_nextIndex = flightPairs_7;
    endcase
  end

  always @(*) begin
    _zz_qp_notifiedAt_1 = (_zz_qp_notifiedAt_2 + _zz__zz_qp_notifiedAt_1);
    if(1'b0) begin
      _zz_qp_notifiedAt_1 = 32'h0;
    end
  end

  assign _zz_qp_notifiedAt = 1'b1;
  assign io_jobs = jobs;
  assign io_door_tokens_valid = access_1_io_door_tokens_valid;
  assign io_door_tokens_payload_context = access_1_io_door_tokens_payload_context;
  assign io_door_tokens_payload_demand_operation = access_1_io_door_tokens_payload_demand_operation;
  assign io_door_tokens_payload_demand_ordering_fence = access_1_io_door_tokens_payload_demand_ordering_fence;
  assign io_door_tokens_payload_demand_ordering_windowed = access_1_io_door_tokens_payload_demand_ordering_windowed;
  assign io_door_tokens_payload_demand_ordering_time = access_1_io_door_tokens_payload_demand_ordering_time;
  assign io_door_tokens_payload_demand_pid = access_1_io_door_tokens_payload_demand_pid;
  assign io_door_tokens_payload_demand_va = access_1_io_door_tokens_payload_demand_va;
  assign io_door_tokens_payload_demand_length = access_1_io_door_tokens_payload_demand_length;
  assign io_door_tokens_payload_demand_dataOffset = access_1_io_door_tokens_payload_demand_dataOffset;
  assign io_door_data_fetch_ready = access_1_io_door_data_fetch_ready;
  assign io_door_data_fetched_valid = access_1_io_door_data_fetched_valid;
  assign io_door_data_fetched_payload = access_1_io_door_data_fetched_payload;
  assign io_door_data_operands = access_1_io_door_data_operands;
  assign io_door_data_completions_ready = access_1_io_door_data_completions_ready;
  assign io_door_data_payload_ready = access_1_io_door_data_payload_ready;
  always @(*) begin
    chunks_io_pop_ready = chunks_io_pop_m2sPipe_ready;
    if((! chunks_io_pop_m2sPipe_valid)) begin
      chunks_io_pop_ready = 1'b1;
    end
  end

  assign chunks_io_pop_m2sPipe_valid = chunks_io_pop_rValid;
  assign chunks_io_pop_m2sPipe_payload_bytes = chunks_io_pop_rData_bytes;
  assign chunks_io_pop_m2sPipe_payload_zeros = chunks_io_pop_rData_zeros;
  assign chunks_io_pop_m2sPipe_payload_drop = chunks_io_pop_rData_drop;
  assign chunks_io_pop_m2sPipe_payload_last = chunks_io_pop_rData_last;
  assign chunks_io_pop_m2sPipe_ready = packer_io_chunks_ready;
  assign io_payload_valid = packer_io_beats_valid;
  assign io_payload_payload_data = packer_io_beats_payload_data;
  assign io_payload_payload_error = packer_io_beats_payload_error;
  always @(*) begin
    departures_io_pop_ready = departures_io_pop_m2sPipe_ready;
    if((! departures_io_pop_m2sPipe_valid)) begin
      departures_io_pop_ready = 1'b1;
    end
  end

  assign departures_io_pop_m2sPipe_valid = departures_io_pop_rValid;
  assign departures_io_pop_m2sPipe_payload_dstMac = departures_io_pop_rData_dstMac;
  assign departures_io_pop_m2sPipe_payload_dstIp = departures_io_pop_rData_dstIp;
  assign departures_io_pop_m2sPipe_payload_srcPort = departures_io_pop_rData_srcPort;
  assign departures_io_pop_m2sPipe_payload_opcode = departures_io_pop_rData_opcode;
  assign departures_io_pop_m2sPipe_payload_pkey = departures_io_pop_rData_pkey;
  assign departures_io_pop_m2sPipe_payload_destQp = departures_io_pop_rData_destQp;
  assign departures_io_pop_m2sPipe_payload_psn = departures_io_pop_rData_psn;
  assign departures_io_pop_m2sPipe_payload_ackRequest = departures_io_pop_rData_ackRequest;
  assign departures_io_pop_m2sPipe_payload_syndrome = departures_io_pop_rData_syndrome;
  assign departures_io_pop_m2sPipe_payload_msn = departures_io_pop_rData_msn;
  assign departures_io_pop_m2sPipe_payload_original = departures_io_pop_rData_original;
  assign departures_io_pop_m2sPipe_payload_payload = departures_io_pop_rData_payload;
  assign io_departures_valid = departures_io_pop_m2sPipe_valid;
  assign departures_io_pop_m2sPipe_ready = io_departures_ready;
  assign io_departures_payload_dstMac = departures_io_pop_m2sPipe_payload_dstMac;
  assign io_departures_payload_dstIp = departures_io_pop_m2sPipe_payload_dstIp;
  assign io_departures_payload_srcPort = departures_io_pop_m2sPipe_payload_srcPort;
  assign io_departures_payload_opcode = departures_io_pop_m2sPipe_payload_opcode;
  assign io_departures_payload_pkey = departures_io_pop_m2sPipe_payload_pkey;
  assign io_departures_payload_destQp = departures_io_pop_m2sPipe_payload_destQp;
  assign io_departures_payload_psn = departures_io_pop_m2sPipe_payload_psn;
  assign io_departures_payload_ackRequest = departures_io_pop_m2sPipe_payload_ackRequest;
  assign io_departures_payload_syndrome = departures_io_pop_m2sPipe_payload_syndrome;
  assign io_departures_payload_msn = departures_io_pop_m2sPipe_payload_msn;
  assign io_departures_payload_original = departures_io_pop_m2sPipe_payload_original;
  assign io_departures_payload_payload = departures_io_pop_m2sPipe_payload_payload;
  assign io_rests = (((((((((state_3 == State_idle) && (! (|access_1_io_held))) && access_1_io_commands_ready) && (! departures_io_pop_valid)) && (! io_departures_valid)) && (! chunks_io_pop_valid)) && (! chunks_io_pop_m2sPipe_valid)) && turns_io_empty) && (jobs == 8'h0));
  always @(*) begin
    departures_io_push_valid = 1'b0;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_valid = 1'b1;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_valid = 1'b1;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_valid = 1'b1;
      end else begin
        departures_io_push_valid = 1'b1;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_valid = 1'b1;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_valid = 1'b1;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_valid = 1'b1;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_dstMac = 48'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_dstMac = settings_peerMac;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_dstMac = settings_peerMac;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_dstMac = settings_peerMac;
      end else begin
        departures_io_push_payload_dstMac = settings_peerMac;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_dstMac = settings_peerMac;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_dstMac = settings_peerMac;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_dstMac = settings_peerMac;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_dstIp = 32'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_dstIp = settings_peerIp;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_dstIp = settings_peerIp;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_dstIp = settings_peerIp;
      end else begin
        departures_io_push_payload_dstIp = settings_peerIp;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_dstIp = settings_peerIp;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_dstIp = settings_peerIp;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_dstIp = settings_peerIp;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_srcPort = 16'bxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_srcPort = settings_srcPort;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_srcPort = settings_srcPort;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_srcPort = settings_srcPort;
      end else begin
        departures_io_push_payload_srcPort = settings_srcPort;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_srcPort = settings_srcPort;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_srcPort = settings_srcPort;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_srcPort = settings_srcPort;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_opcode = 8'bxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_opcode = 8'h81;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_opcode = 8'h11;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_opcode = (answers_rest_begins ? (answers_ends ? 8'h10 : 8'h0d) : (answers_ends ? 8'h0f : 8'h0e));
      end else begin
        departures_io_push_payload_opcode = 8'h12;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_opcode = 8'h11;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_opcode = 8'h11;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_opcode = 8'h11;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_pkey = 16'bxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_pkey = settings_pkey;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_pkey = settings_pkey;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_pkey = settings_pkey;
      end else begin
        departures_io_push_payload_pkey = settings_pkey;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_pkey = settings_pkey;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_pkey = settings_pkey;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_pkey = settings_pkey;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_destQp = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_destQp = settings_peerQpn;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_destQp = settings_peerQpn;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_destQp = settings_peerQpn;
      end else begin
        departures_io_push_payload_destQp = settings_peerQpn;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_destQp = settings_peerQpn;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_destQp = settings_peerQpn;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_destQp = settings_peerQpn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_psn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_psn = 24'h0;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_psn = qp_pendingPsn;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_psn = answers_rest_psn;
      end else begin
        departures_io_push_payload_psn = answers_entry_psn;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_psn = _zz_io_push_payload_psn;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_psn = _zz_io_push_payload_psn;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_psn = flight_psn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_ackRequest = 1'bx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_ackRequest = 1'b0;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_ackRequest = 1'b0;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_ackRequest = 1'b0;
      end else begin
        departures_io_push_payload_ackRequest = 1'b0;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_ackRequest = 1'b0;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_ackRequest = 1'b0;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_ackRequest = 1'b0;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_syndrome = 8'bxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_syndrome = 8'h0;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_syndrome = qp_pendingSyndrome;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_syndrome = 8'h1f;
      end else begin
        departures_io_push_payload_syndrome = 8'h1f;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_syndrome = 8'h21;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_syndrome = ((answers_why == AccessEnd_denied) ? 8'h62 : 8'h63);
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_syndrome = 8'h1f;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_msn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_msn = 24'h0;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_msn = qp_pendingMsn;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_msn = answers_entry_msn;
      end else begin
        departures_io_push_payload_msn = answers_entry_msn;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_msn = answers_entry_msn;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_msn = answers_entry_msn;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_msn = writes_msn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_original = 64'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_original = answers_entry_words[191 : 128];
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_original = answers_entry_words[191 : 128];
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_original = answers_entry_words[191 : 128];
      end else begin
        departures_io_push_payload_original = answers_entry_words[191 : 128];
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_original = answers_entry_words[191 : 128];
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_original = answers_entry_words[191 : 128];
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_original = answers_entry_words[191 : 128];
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_payload = 13'bxxxxxxxxxxxxx;
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_payload = 13'h0;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              departures_io_push_payload_payload = 13'h0;
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        departures_io_push_payload_payload = answers_bytes;
      end else begin
        departures_io_push_payload_payload = 13'h0;
      end
    end
    if(_zz_when_38) begin
      if(_zz_when_39) begin
        departures_io_push_payload_payload = 13'h0;
      end else begin
        if(!settings_hardened) begin
          departures_io_push_payload_payload = 13'h0;
        end
      end
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            departures_io_push_payload_payload = 13'h0;
          end
        end
      end
    end
  end

  always @(*) begin
    io_counted_valid = 1'b0;
    if(stores) begin
      if(later_valid) begin
        io_counted_valid = 1'b1;
      end
    end
    if(_zz_when_6) begin
      if(!requests_waits) begin
        case(requests_j_step)
          Step_drop : begin
            io_counted_valid = 1'b1;
          end
          Step_gap : begin
            io_counted_valid = 1'b1;
          end
          Step_duplicateWrite : begin
            io_counted_valid = 1'b1;
          end
          default : begin
          end
        endcase
      end
    end
    if(_zz_when_12) begin
      io_counted_valid = 1'b1;
    end
    if(_zz_when_13) begin
      if(requests_kind_write) begin
        if(_zz_when_14) begin
          if(_zz_qp_running) begin
            io_counted_valid = 1'b1;
          end
        end
      end else begin
        if(requests_frees) begin
          io_counted_valid = 1'b1;
        end else begin
          if(requests_kind_read) begin
            io_counted_valid = 1'b1;
          end
          if(requests_executed) begin
            io_counted_valid = 1'b1;
          end
        end
      end
    end
    if(_zz_when_15) begin
      if(_zz_when_16) begin
        io_counted_valid = 1'b1;
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        if(_zz_when_22) begin
          io_counted_valid = 1'b1;
        end else begin
          io_counted_valid = 1'b1;
        end
      end
    end
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          io_counted_valid = 1'b1;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              if(_zz_when_27) begin
                io_counted_valid = 1'b1;
              end
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        io_counted_valid = 1'b1;
      end
    end
    if(_zz_when_38) begin
      io_counted_valid = 1'b1;
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(flight_ends) begin
          io_counted_valid = 1'b1;
        end
      end
    end
  end

  always @(*) begin
    io_counted_payload = 6'bxxxxxx;
    if(stores) begin
      if(later_valid) begin
        io_counted_payload = later_payload;
      end
    end
    if(_zz_when_6) begin
      if(!requests_waits) begin
        case(requests_j_step)
          Step_drop : begin
            io_counted_payload = requests_j_reason;
          end
          Step_gap : begin
            io_counted_payload = requests_j_reason;
          end
          Step_duplicateWrite : begin
            io_counted_payload = requests_j_reason;
          end
          default : begin
          end
        endcase
      end
    end
    if(_zz_when_12) begin
      io_counted_payload = requests_failure_reason;
    end
    if(_zz_when_13) begin
      if(requests_kind_write) begin
        if(_zz_when_14) begin
          if(_zz_qp_running) begin
            io_counted_payload = 6'h16;
          end
        end
      end else begin
        if(requests_frees) begin
          io_counted_payload = 6'h3b;
        end else begin
          if(requests_kind_read) begin
            io_counted_payload = 6'h17;
          end
          if(requests_executed) begin
            io_counted_payload = 6'h18;
          end
        end
      end
    end
    if(_zz_when_15) begin
      if(_zz_when_16) begin
        io_counted_payload = 6'h1c;
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        if(_zz_when_22) begin
          io_counted_payload = 6'h1a;
        end else begin
          io_counted_payload = 6'h1b;
        end
      end
    end
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          io_counted_payload = 6'h39;
        end else begin
          if(!_zz_when_25) begin
            if(_zz_when_26) begin
              if(_zz_when_27) begin
                io_counted_payload = 6'h37;
              end
            end
          end
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        io_counted_payload = 6'h38;
      end
    end
    if(_zz_when_38) begin
      io_counted_payload = answers_reason;
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(flight_ends) begin
          io_counted_payload = 6'h16;
        end
      end
    end
  end

  assign io_ready = (! (state_3 == State_empty));
  always @(*) begin
    regionWrite_valid = (state_3 == State_empty);
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
        end
        8'h02 : begin
        end
        8'h03 : begin
        end
        8'h04 : begin
        end
        8'h05 : begin
          if(!region_valid) begin
            regionWrite_valid = 1'b1;
          end
        end
        8'h06 : begin
          if(_zz_when_47) begin
            regionWrite_valid = 1'b1;
          end
        end
        default : begin
        end
      endcase
    end
  end

  always @(*) begin
    regionWrite_payload_valid = 1'bx;
    regionWrite_payload_valid = 1'b0;
    if(_zz_when_46) begin
      regionWrite_payload_valid = io_orders_payload_region_valid;
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
        end
        8'h02 : begin
        end
        8'h03 : begin
        end
        8'h04 : begin
        end
        8'h05 : begin
          regionWrite_payload_valid = 1'b1;
        end
        8'h06 : begin
          regionWrite_payload_valid = 1'b0;
        end
        default : begin
        end
      endcase
    end
  end

  always @(*) begin
    regionWrite_payload_key = 32'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      regionWrite_payload_key = io_orders_payload_region_key;
    end
  end

  always @(*) begin
    regionWrite_payload_pid = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      regionWrite_payload_pid = io_orders_payload_region_pid;
    end
  end

  always @(*) begin
    regionWrite_payload_va = 48'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      regionWrite_payload_va = io_orders_payload_region_va;
    end
  end

  always @(*) begin
    regionWrite_payload_length = 48'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      regionWrite_payload_length = io_orders_payload_region_length;
    end
  end

  always @(*) begin
    regionWrite_payload_rights = 3'bxxx;
    if(_zz_when_46) begin
      regionWrite_payload_rights = io_orders_payload_region_rights;
    end
  end

  always @(*) begin
    regionRow = sweep;
    if(_zz_when_46) begin
      regionRow = _zz_regionRow[9:0];
    end
  end

  assign turns_io_clear_valid = (state_3 == State_empty);
  assign shares_io_clear_valid = (state_3 == State_empty);
  assign shares_io_seeks = (io_orders_valid && (io_orders_payload_command == 8'h01));
  assign io_orders_fire = (io_orders_valid && io_orders_ready);
  always @(*) begin
    answered = 7'h0;
    if(_zz_when_35) begin
      if(_zz_when_36) begin
        answered = _zz_answered[12 : 6];
      end
    end
  end

  assign io_payload_fire = (io_payload_valid && io_payload_ready);
  assign flies = (|access_1_io_held);
  assign mayArrive = (((io_arrivals_valid && access_1_io_commands_ready) && access_1_io_room) && (! draining));
  assign mayAnswer = ((turns_io_pop_valid && room) && access_1_io_commands_ready);
  assign takesOrder = (orders && (! flies));
  assign takesWake = ((! access_1_io_over_valid) && rates_io_wakes_valid);
  assign takesAnswer = (((((! access_1_io_over_valid) && (! takesWake)) && (! orders)) && mayAnswer) && (turn || (! mayArrive)));
  assign takesArrival = (((((! access_1_io_over_valid) && (! takesWake)) && (! orders)) && (! takesAnswer)) && mayArrive);
  assign asked = (takesOrder ? io_orders_payload_settings_qpn : (takesAnswer ? _zz_asked : io_arrivals_payload_headers_destQp));
  assign nextIndex = (access_1_io_over_valid ? _zz_nextIndex : (takesWake ? rates_io_wakes_payload : _zz_nextIndex_1));
  assign _zz_settingsRead_qpn = settingsMem_spinal_port0;
  assign settingsRead_qpn = _zz_settingsRead_qpn[23 : 0];
  assign settingsRead_peerQpn = _zz_settingsRead_qpn[47 : 24];
  assign settingsRead_peerIp = _zz_settingsRead_qpn[79 : 48];
  assign settingsRead_peerMac = _zz_settingsRead_qpn[127 : 80];
  assign settingsRead_srcPort = _zz_settingsRead_qpn[143 : 128];
  assign settingsRead_pkey = _zz_settingsRead_qpn[159 : 144];
  assign settingsRead_pid = _zz_settingsRead_qpn[183 : 160];
  assign settingsRead_mtuCode = _zz_settingsRead_qpn[186 : 184];
  assign settingsRead_hardened = _zz_settingsRead_qpn[187];
  assign _zz_stateRead_valid = stateMem_spinal_port0;
  assign stateRead_valid = _zz_stateRead_valid[0];
  assign stateRead_inError = _zz_stateRead_valid[1];
  assign stateRead_expected = _zz_stateRead_valid[25 : 2];
  assign stateRead_msn = _zz_stateRead_valid[49 : 26];
  assign stateRead_running = _zz_stateRead_valid[50];
  assign stateRead_va = _zz_stateRead_valid[98 : 51];
  assign stateRead_rkey = _zz_stateRead_valid[130 : 99];
  assign stateRead_left = _zz_stateRead_valid[162 : 131];
  assign stateRead_gapTold = _zz_stateRead_valid[163];
  assign stateRead_notReady = _zz_stateRead_valid[167 : 164];
  assign stateRead_mustNotify = _zz_stateRead_valid[168];
  assign stateRead_notified = _zz_stateRead_valid[169];
  assign stateRead_notifiedAt = _zz_stateRead_valid[201 : 170];
  assign stateRead_oldest = _zz_stateRead_valid[205 : 202];
  assign stateRead_remembered = _zz_stateRead_valid[210 : 206];
  assign _zz_stateRead_order_0 = _zz_stateRead_valid[274 : 211];
  assign stateRead_order_0 = _zz_stateRead_order_0[3 : 0];
  assign stateRead_order_1 = _zz_stateRead_order_0[7 : 4];
  assign stateRead_order_2 = _zz_stateRead_order_0[11 : 8];
  assign stateRead_order_3 = _zz_stateRead_order_0[15 : 12];
  assign stateRead_order_4 = _zz_stateRead_order_0[19 : 16];
  assign stateRead_order_5 = _zz_stateRead_order_0[23 : 20];
  assign stateRead_order_6 = _zz_stateRead_order_0[27 : 24];
  assign stateRead_order_7 = _zz_stateRead_order_0[31 : 28];
  assign stateRead_order_8 = _zz_stateRead_order_0[35 : 32];
  assign stateRead_order_9 = _zz_stateRead_order_0[39 : 36];
  assign stateRead_order_10 = _zz_stateRead_order_0[43 : 40];
  assign stateRead_order_11 = _zz_stateRead_order_0[47 : 44];
  assign stateRead_order_12 = _zz_stateRead_order_0[51 : 48];
  assign stateRead_order_13 = _zz_stateRead_order_0[55 : 52];
  assign stateRead_order_14 = _zz_stateRead_order_0[59 : 56];
  assign stateRead_order_15 = _zz_stateRead_order_0[63 : 60];
  assign stateRead_jobs = _zz_stateRead_valid[279 : 275];
  assign stateRead_unread = _zz_stateRead_valid[284 : 280];
  assign _zz_stateRead_pending = _zz_stateRead_valid[286 : 285];
  assign stateRead_pending = _zz_stateRead_pending;
  assign stateRead_pendingPsn = _zz_stateRead_valid[310 : 287];
  assign stateRead_pendingMsn = _zz_stateRead_valid[334 : 311];
  assign stateRead_pendingSyndrome = _zz_stateRead_valid[342 : 335];
  assign stateRead_scheduled = _zz_stateRead_valid[343];
  assign turns_io_pop_ready = ((state_3 == State_idle) && takesAnswer);
  assign rates_io_wakes_ready = ((state_3 == State_idle) && takesWake);
  assign _zz_owner = (takesAnswer ? Owner_answer : Owner_arrival);
  assign _zz_owner_1 = (takesOrder ? Owner_order : _zz_owner);
  assign _zz_owner_2 = (takesWake ? Owner_wake : _zz_owner_1);
  assign _zz_owner_3 = (access_1_io_over_valid ? Owner_flight : _zz_owner_2);
  assign shareRead = shareMem_spinal_port0;
  assign shareHere = ((state_3 == State_load) ? shareRead : share);
  assign ofProcess = placesMem_spinal_port0;
  assign hasJob = (ofProcess < free);
  always @(*) begin
    ofProcessNext = ofProcess;
    if((state_3 == State_empty)) begin
      ofProcessNext = 8'h0;
    end
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          ofProcessNext = (ofProcess + 8'h01);
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        if(_zz_when_23) begin
          ofProcessNext = (ofProcess + 8'h01);
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_37) begin
        ofProcessNext = (ofProcess - _zz_ofProcessNext);
      end
    end
    if(_zz_when_38) begin
      ofProcessNext = (ofProcess - _zz_ofProcessNext_1);
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
        end
        8'h02 : begin
          if(slow_here) begin
            ofProcessNext = (ofProcess - _zz_ofProcessNext_2);
          end
        end
        8'h03 : begin
          if(slow_here) begin
            ofProcessNext = (ofProcess - _zz_ofProcessNext_3);
          end
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end

  always @(*) begin
    jobsChange = 1'b0;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          jobsChange = 1'b1;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        if(_zz_when_23) begin
          jobsChange = 1'b1;
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_37) begin
        jobsChange = 1'b1;
      end
    end
    if(_zz_when_38) begin
      jobsChange = 1'b1;
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
        end
        8'h02 : begin
          if(slow_here) begin
            jobsChange = 1'b1;
          end
        end
        8'h03 : begin
          if(slow_here) begin
            jobsChange = 1'b1;
          end
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end

  assign _zz_state = ((|(own & (~ access_1_io_passed))) ? State_idle : State_judge);
  assign _zz_remembered_psn = {index,place};
  assign _zz_remembered_psn_1 = rememberedMem_spinal_port0;
  assign _zz_remembered_kind = _zz_remembered_psn_1[1 : 0];
  assign remembered_kind = _zz_remembered_kind;
  assign remembered_psn = _zz_remembered_psn_1[25 : 2];
  assign remembered_msn = _zz_remembered_psn_1[49 : 26];
  assign remembered_va = _zz_remembered_psn_1[113 : 50];
  assign remembered_rkey = _zz_remembered_psn_1[145 : 114];
  assign remembered_found = _zz_remembered_psn_1[146];
  assign remembered_words = _zz_remembered_psn_1[338 : 147];
  always @(*) begin
    remember_valid = 1'b0;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_valid = 1'b1;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        if(_zz_when_22) begin
          remember_valid = 1'b1;
        end
      end
    end
    if(_zz_when_35) begin
      remember_valid = 1'b1;
    end
  end

  always @(*) begin
    remember_payload_kind = (2'bxx);
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_kind = _zz_remember_payload_kind_1;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_kind = requests_entry_kind;
      end
    end
    if(_zz_when_35) begin
      remember_payload_kind = answers_entry_kind;
    end
  end

  always @(*) begin
    remember_payload_psn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_psn = io_arrivals_payload_headers_psn;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_psn = requests_entry_psn;
      end
    end
    if(_zz_when_35) begin
      remember_payload_psn = answers_entry_psn;
    end
  end

  always @(*) begin
    remember_payload_msn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_msn = _zz_qp_msn;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_msn = requests_entry_msn;
      end
    end
    if(_zz_when_35) begin
      remember_payload_msn = answers_entry_msn;
    end
  end

  always @(*) begin
    remember_payload_va = 64'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_va = io_arrivals_payload_headers_va;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_va = requests_entry_va;
      end
    end
    if(_zz_when_35) begin
      remember_payload_va = answers_entry_va;
    end
  end

  always @(*) begin
    remember_payload_rkey = 32'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_rkey = io_arrivals_payload_headers_rkey;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_rkey = requests_entry_rkey;
      end
    end
    if(_zz_when_35) begin
      remember_payload_rkey = answers_entry_rkey;
    end
  end

  always @(*) begin
    remember_payload_found = 1'bx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          remember_payload_found = requests_executed;
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_found = requests_entry_found;
      end
    end
    if(_zz_when_35) begin
      remember_payload_found = answers_entry_found;
    end
  end

  always @(*) begin
    remember_payload_words = 192'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          if(requests_kind_read) begin
            remember_payload_words = {55'd0, _zz_remember_payload_words};
          end else begin
            remember_payload_words = {{requests_original,io_arrivals_payload_headers_compare},io_arrivals_payload_headers_swapAdd};
          end
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        remember_payload_words = requests_entry_words;
        if(_zz_when_22) begin
          remember_payload_words = {55'd0, _zz_remember_payload_words_2};
        end
      end
    end
    if(_zz_when_35) begin
      remember_payload_words = answers_entry_words;
      if(_zz_when_36) begin
        remember_payload_words = {55'd0, _zz_remember_payload_words_4};
      end
    end
  end

  always @(*) begin
    place = qp_order_0;
    if(_zz_when_15) begin
      place = requests_here;
    end
  end

  always @(*) begin
    rememberAt = qp_order_0;
    if(_zz_when_13) begin
      if(!requests_kind_write) begin
        if(!requests_frees) begin
          rememberAt = (qp_oldest + _zz_rememberAt);
        end
      end
    end
    if(_zz_when_20) begin
      if(_zz_when_21) begin
        rememberAt = requests_here;
      end
    end
  end

  assign kind_write = ((8'h06 <= io_arrivals_payload_headers_opcode) && (io_arrivals_payload_headers_opcode <= 8'h0b));
  assign named = ((kind_write && stateRead_running) ? stateRead_rkey : io_arrivals_payload_headers_rkey);
  assign key = ((owner_1 == Owner_order) ? io_orders_payload_region_key : ((owner_1 == Owner_answer) ? remembered_rkey : named));
  assign _zz_region_valid = _zz__zz_region_valid[9:0];
  assign _zz_region_valid_1 = regionMem_spinal_port0;
  assign region_valid = _zz_region_valid_1[0];
  assign region_key = _zz_region_valid_1[32 : 1];
  assign region_pid = _zz_region_valid_1[56 : 33];
  assign region_va = _zz_region_valid_1[104 : 57];
  assign region_length = _zz_region_valid_1[152 : 105];
  assign region_rights = _zz_region_valid_1[155 : 153];
  always @(*) begin
    access_1_io_commands_valid = 1'b0;
    if(_zz_when_6) begin
      if(!requests_waits) begin
        case(requests_j_step)
          Step_write : begin
            access_1_io_commands_valid = (requests_writes && (! requests_denied));
          end
          Step_atomic : begin
            access_1_io_commands_valid = ((qp_unread == 5'h0) && (! requests_denied));
          end
          default : begin
          end
        endcase
      end
    end
    if(_zz_when_30) begin
      if(!answers_silent) begin
        if(!_zz_when_31) begin
          access_1_io_commands_valid = 1'b1;
        end
      end
    end
  end

  always @(*) begin
    access_1_io_commands_payload_operation = (3'bxxx);
    if(_zz_when_9) begin
      access_1_io_commands_payload_operation = _zz_io_commands_payload_operation_1;
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_operation = _zz_io_commands_payload_operation_2;
    end
  end

  always @(*) begin
    access_1_io_commands_payload_pid = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_pid = settings_pid;
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_pid = settings_pid;
    end
  end

  always @(*) begin
    access_1_io_commands_payload_va = 48'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_va = requests_j_va[47:0];
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_va = answers_va[47:0];
    end
  end

  always @(*) begin
    access_1_io_commands_payload_bytes = 13'bxxxxxxxxxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_bytes = (requests_kind_write ? io_arrivals_payload_headers_payload : 13'h0008);
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_bytes = ((answers_entry_kind == RememberedKind_read) ? answers_bytes : 13'h0008);
    end
  end

  always @(*) begin
    access_1_io_commands_payload_slot = 5'bxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_slot = io_arrivals_payload_slot;
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_slot = 5'h0;
    end
  end

  always @(*) begin
    access_1_io_commands_payload_offset = 7'bxxxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_offset = io_arrivals_payload_offset;
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_offset = 7'h0;
    end
  end

  always @(*) begin
    access_1_io_commands_payload_operands = 128'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_9) begin
      access_1_io_commands_payload_operands = (requests_kind_compareSwap ? {io_arrivals_payload_headers_swapAdd,io_arrivals_payload_headers_compare} : {io_arrivals_payload_headers_compare,io_arrivals_payload_headers_swapAdd});
    end
    if(_zz_when_30) begin
      access_1_io_commands_payload_operands = ((answers_entry_kind == RememberedKind_compareSwap) ? {answers_entry_words[63 : 0],answers_entry_words[127 : 64]} : {answers_entry_words[127 : 64],answers_entry_words[63 : 0]});
    end
  end

  always @(*) begin
    io_ordered_valid = 1'b0;
    if(_zz_when_46) begin
      io_ordered_valid = 1'b1;
    end
  end

  always @(*) begin
    io_ordered_payload_result = 8'bxxxxxxxx;
    if(_zz_when_46) begin
      io_ordered_payload_result = slow_sound;
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
          if(qp_valid) begin
            io_ordered_payload_result = 8'h03;
          end
        end
        8'h02 : begin
          if(!slow_here) begin
            io_ordered_payload_result = 8'h02;
          end
        end
        8'h03 : begin
          if(!slow_here) begin
            io_ordered_payload_result = 8'h02;
          end
        end
        8'h04 : begin
          if((! slow_here)) begin
            io_ordered_payload_result = 8'h02;
          end
        end
        8'h05 : begin
          if(region_valid) begin
            io_ordered_payload_result = 8'h03;
          end
        end
        8'h06 : begin
          if(!_zz_when_47) begin
            io_ordered_payload_result = 8'h02;
          end
        end
        default : begin
          io_ordered_payload_result = 8'h07;
        end
      endcase
    end
  end

  always @(*) begin
    io_ordered_payload_expected = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      io_ordered_payload_expected = qp_expected;
    end
  end

  always @(*) begin
    io_ordered_payload_msn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_46) begin
      io_ordered_payload_msn = qp_msn;
    end
  end

  always @(*) begin
    io_ordered_payload_inError = 1'bx;
    if(_zz_when_46) begin
      io_ordered_payload_inError = qp_inError;
    end
  end

  always @(*) begin
    io_ordered_payload_running = 1'bx;
    if(_zz_when_46) begin
      io_ordered_payload_running = qp_running;
    end
  end

  always @(*) begin
    io_ordered_payload_unanswered = 1'bx;
    if(_zz_when_46) begin
      io_ordered_payload_unanswered = (qp_valid && ((qp_mustNotify || (qp_jobs != 5'h0)) || (qp_pending != Pending_none)));
    end
  end

  always @(*) begin
    io_ordered_payload_jobs = 5'bxxxxx;
    if(_zz_when_46) begin
      io_ordered_payload_jobs = qp_jobs;
    end
  end

  always @(*) begin
    rates_io_changes_valid = 1'b0;
    if(_zz_when_6) begin
      if(!requests_waits) begin
        case(requests_j_step)
          Step_drop : begin
            if(_zz_when_8) begin
              rates_io_changes_valid = 1'b1;
            end
          end
          default : begin
          end
        endcase
      end
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
          if(!qp_valid) begin
            rates_io_changes_valid = 1'b1;
          end
        end
        8'h02 : begin
        end
        8'h03 : begin
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end

  assign rates_io_changes_payload_cuts = (owner_1 != Owner_order);
  assign rates_io_changes_payload_cap = ((io_orders_payload_rate == 32'h0) ? 17'h1ffff : _zz_io_changes_payload_cap);
  assign stores = (state_3 == State_store);
  assign enters = (((qp_valid && ((qp_mustNotify || (qp_jobs != 5'h0)) || (qp_pending != Pending_none))) && (! qp_scheduled)) && (! parks));
  always @(*) begin
    written_valid = qp_valid;
    if(_zz_when_4) begin
      written_valid = 1'b0;
    end
  end

  assign written_inError = qp_inError;
  assign written_expected = qp_expected;
  assign written_msn = qp_msn;
  assign written_running = qp_running;
  assign written_va = qp_va;
  assign written_rkey = qp_rkey;
  assign written_left = qp_left;
  assign written_gapTold = qp_gapTold;
  assign written_notReady = qp_notReady;
  assign written_mustNotify = qp_mustNotify;
  assign written_notified = qp_notified;
  assign written_notifiedAt = qp_notifiedAt;
  assign written_oldest = qp_oldest;
  assign written_remembered = qp_remembered;
  assign written_order_0 = qp_order_0;
  assign written_order_1 = qp_order_1;
  assign written_order_2 = qp_order_2;
  assign written_order_3 = qp_order_3;
  assign written_order_4 = qp_order_4;
  assign written_order_5 = qp_order_5;
  assign written_order_6 = qp_order_6;
  assign written_order_7 = qp_order_7;
  assign written_order_8 = qp_order_8;
  assign written_order_9 = qp_order_9;
  assign written_order_10 = qp_order_10;
  assign written_order_11 = qp_order_11;
  assign written_order_12 = qp_order_12;
  assign written_order_13 = qp_order_13;
  assign written_order_14 = qp_order_14;
  assign written_order_15 = qp_order_15;
  assign written_jobs = qp_jobs;
  assign written_unread = qp_unread;
  assign written_pending = qp_pending;
  assign written_pendingPsn = qp_pendingPsn;
  assign written_pendingMsn = qp_pendingMsn;
  assign written_pendingSyndrome = qp_pendingSyndrome;
  always @(*) begin
    written_scheduled = qp_scheduled;
    if(enters) begin
      written_scheduled = 1'b1;
    end
    if(_zz_when_4) begin
      written_scheduled = 1'b0;
    end
  end

  assign turns_io_push_valid = (stores && enters);
  assign io_arrivals_ready = (stores && (owner_1 == Owner_arrival));
  assign io_orders_ready = (stores && (owner_1 == Owner_order));
  assign access_1_io_retire = (stores && (owner_1 == Owner_flight));
  assign io_released_valid = (access_1_io_retire || (io_arrivals_ready && (! handed)));
  assign io_released_payload = (access_1_io_retire ? flight_slot : io_arrivals_payload_slot);
  assign _zz_requests_grant_granted = (requests_j_region_inside && (_zz__zz_requests_grant_granted <= _zz__zz_requests_grant_granted_2));
  assign requests_grant_granted = (&{requests_j_region_right,{_zz_requests_grant_granted,{requests_j_region_process,requests_j_region_key}}});
  always @(*) begin
    requests_grant_reason = 6'h31;
    if((! _zz_requests_grant_granted)) begin
      requests_grant_reason = 6'h30;
    end
    if((! requests_j_region_process)) begin
      requests_grant_reason = 6'h2f;
    end
    if((! requests_j_region_key)) begin
      requests_grant_reason = 6'h2e;
    end
  end

  assign requests_denied = (requests_j_looks && (! requests_grant_granted));
  assign requests_writes = ((requests_j_step == Step_write) && (io_arrivals_payload_headers_payload != 13'h0));
  assign requests_frees = 1'b0;
  assign requests_waits = (((|own) && (! requests_writes)) || (requests_frees && (|access_1_io_held)));
  assign _zz_state_1 = ((qp_unread == 5'h0) ? State_access_1 : State_write);
  assign _zz_io_commands_payload_operation = (requests_kind_compareSwap ? Operation_compareSwap : Operation_fetchAdd);
  assign _zz_io_commands_payload_operation_1 = ((requests_j_step == Step_write) ? Operation_write : _zz_io_commands_payload_operation);
  always @(*) begin
    _zz_requests_failure_reason = 6'h33;
    if((access_1_io_ended_payload_how == AccessEnd_notReady)) begin
      _zz_requests_failure_reason = 6'h34;
    end
    if((access_1_io_ended_payload_how == AccessEnd_denied)) begin
      _zz_requests_failure_reason = 6'h32;
    end
  end

  assign requests_early = ((owner_1 == Owner_arrival) && (|own));
  assign _zz_qp_notReady = ((qp_notReady == 4'b1110) ? qp_notReady : _zz__zz_qp_notReady);
  assign _zz_qp_msn = (qp_msn + 24'h000001);
  assign _zz_qp_running = ((! requests_kind_write) || requests_kind_ends);
  assign _zz_remember_payload_kind = (requests_kind_compareSwap ? RememberedKind_compareSwap : RememberedKind_fetchAdd);
  assign _zz_remember_payload_kind_1 = (requests_kind_read ? RememberedKind_read : _zz_remember_payload_kind);
  assign _zz_qp_order_0 = (qp_oldest + _zz__zz_qp_order_0);
  assign _zz_11 = ({15'd0,1'b1} <<< _zz__zz_11);
  assign requests_here = (qp_oldest + _zz_requests_here);
  assign requests_sameKind = (requests_kind_compareSwap ? ((requests_entry_kind == RememberedKind_compareSwap) && (io_arrivals_payload_headers_compare == requests_entry_words[127 : 64])) : (requests_entry_kind == RememberedKind_fetchAdd));
  assign requests_bytes = (_zz_requests_bytes <<< _zz_requests_bytes_1);
  assign requests_sameRead = (((((requests_entry_kind == RememberedKind_read) && requests_kind_read) && requests_within) && requests_there) && (io_arrivals_payload_headers_dmaLength <= requests_rest));
  assign _zz_12 = ({15'd0,1'b1} <<< _zz__zz_12);
  assign _zz_answers_rest_psn = answers_entry_words[136 : 32];
  assign answers_rest_psn = _zz_answers_rest_psn[23 : 0];
  assign answers_rest_va = _zz_answers_rest_psn[71 : 24];
  assign answers_rest_length = _zz_answers_rest_psn[103 : 72];
  assign answers_rest_begins = _zz_answers_rest_psn[104];
  assign answers_mtu = (13'h0080 <<< settings_mtuCode);
  assign _zz_answers_grant_granted = (answers_look_inside && (_zz__zz_answers_grant_granted <= _zz__zz_answers_grant_granted_4));
  assign answers_grant_granted = (&{answers_look_right,{_zz_answers_grant_granted,{answers_look_process,answers_look_key}}});
  always @(*) begin
    answers_grant_reason = 6'h31;
    if((! _zz_answers_grant_granted)) begin
      answers_grant_reason = 6'h30;
    end
    if((! answers_look_process)) begin
      answers_grant_reason = 6'h2f;
    end
    if((! answers_look_key)) begin
      answers_grant_reason = 6'h2e;
    end
  end

  assign _zz_answers_bytes = _zz__zz_answers_bytes[103 : 72];
  assign answers_short = (_zz_answers_bytes <= _zz_answers_short);
  assign answers_right = ((answers_entry_kind == RememberedKind_read) ? 3'b001 : 3'b100);
  assign answers_va = ((answers_entry_kind == RememberedKind_read) ? _zz_answers_va : answers_entry_va);
  assign _zz_answers_look_inside = ({1'b0,answers_va} - {1'b0,_zz__zz_answers_look_inside});
  assign answers_silent = ((answers_entry_kind == RememberedKind_read) ? (answers_bytes == 13'h0) : answers_entry_found);
  always @(*) begin
    case(answers_entry_kind)
      RememberedKind_read : begin
        _zz_io_commands_payload_operation_2 = Operation_read;
      end
      RememberedKind_compareSwap : begin
        _zz_io_commands_payload_operation_2 = Operation_compareSwap;
      end
      default : begin
        _zz_io_commands_payload_operation_2 = Operation_fetchAdd;
      end
    endcase
  end

  always @(*) begin
    _zz_answers_reason = 6'h33;
    if((access_1_io_ended_payload_how == AccessEnd_notReady)) begin
      _zz_answers_reason = 6'h34;
    end
    if((access_1_io_ended_payload_how == AccessEnd_denied)) begin
      _zz_answers_reason = 6'h32;
    end
  end

  assign rates_io_sent_valid = (state_3 == State_emit);
  assign rates_io_sent_payload_bytes = ((answers_entry_kind == RememberedKind_read) ? answers_bytes : 13'h0);
  assign _zz_jobs = 1'b1;
  assign _zz_io_push_payload_psn = ((answers_entry_kind == RememberedKind_read) ? answers_rest_psn : answers_entry_psn);
  assign writes_kind_ends = (|{(io_arrivals_payload_headers_opcode == 8'h0b),{(io_arrivals_payload_headers_opcode == 8'h0a),{(io_arrivals_payload_headers_opcode == 8'h09),(io_arrivals_payload_headers_opcode == 8'h08)}}});
  assign writes_kind_immediate = (|{(io_arrivals_payload_headers_opcode == 8'h0b),(io_arrivals_payload_headers_opcode == 8'h09)});
  assign writes_begun_psn = qp_expected;
  assign writes_begun_msn = qp_msn;
  assign writes_begun_running = qp_running;
  assign writes_begun_va = qp_va;
  assign writes_begun_rkey = qp_rkey;
  assign writes_begun_left = qp_left;
  assign writes_begun_gapTold = qp_gapTold;
  assign writes_begun_notReady = qp_notReady;
  assign writes_begun_slot = io_arrivals_payload_slot;
  assign writes_begun_ackRequest = io_arrivals_payload_headers_ackRequest;
  assign writes_begun_ends = writes_kind_ends;
  assign writes_begun_immediate = writes_kind_immediate;
  assign _zz_14 = ({7'd0,1'b1} <<< access_1_io_next);
  assign _zz_flight_slot = writes_kept_spinal_port1;
  assign writes_done = (writes_how == AccessEnd_done);
  assign writes_msn = (flight_ends ? _zz_writes_msn : flight_msn);
  assign writes_atOnce = (((departs && (qp_jobs == 5'h0)) && (! ((qp_pending == Pending_refusal) && writes_earlier))) && (! flight_immediate));
  always @(*) begin
    _zz_requests_failure_reason_1 = 6'h33;
    if((writes_how == AccessEnd_notReady)) begin
      _zz_requests_failure_reason_1 = 6'h34;
    end
    if((writes_how == AccessEnd_denied)) begin
      _zz_requests_failure_reason_1 = 6'h32;
    end
  end

  always @(*) begin
    slow_sound = 8'h01;
    if((io_orders_payload_command == 8'h01)) begin
      if(((io_orders_payload_settings_mtuCode == 3'b000) || (3'b101 < io_orders_payload_settings_mtuCode))) begin
        slow_sound = 8'h05;
      end
      if(((io_orders_payload_rate != 32'h0) && ((io_orders_payload_rate < 32'h00000080) || (32'h0001ffff < io_orders_payload_rate)))) begin
        slow_sound = 8'h08;
      end
      if((io_orders_payload_settings_qpn < 24'h000002)) begin
        slow_sound = 8'h04;
      end
    end
    if((io_orders_payload_command == 8'h05)) begin
      if((49'h1000000000000 < _zz_when_45)) begin
        slow_sound = 8'h06;
      end
    end
  end

  assign slow_here = (qp_valid && (settings_qpn == io_orders_payload_settings_qpn));
  always @(*) begin
    slow_writesSettings = 1'b0;
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
          if(!qp_valid) begin
            slow_writesSettings = 1'b1;
          end
        end
        8'h02 : begin
        end
        8'h03 : begin
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end

  always @(*) begin
    shares_io_gives = 1'b0;
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
        end
        8'h02 : begin
          if(slow_here) begin
            shares_io_gives = 1'b1;
          end
        end
        8'h03 : begin
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end

  assign io_owners_valid = (slow_writesSettings || shares_io_gives);
  assign io_owners_payload_valid = slow_writesSettings;
  assign io_owners_payload_qpn = io_orders_payload_settings_qpn;
  assign io_owners_payload_peerIp = io_orders_payload_settings_peerIp;
  assign io_owners_payload_share = {1'd0, shares_io_share};
  assign slow_sounds = ((state_3 == State_order) && (slow_sound == 8'h01));
  assign io_read_valid = access_1_io_read_valid;
  assign io_read_payload_slot = access_1_io_read_payload_slot;
  assign io_read_payload_beat = access_1_io_read_payload_beat;
  always @(posedge clk) begin
    if(reset) begin
      state_3 <= State_empty;
      _zz_qp_notifiedAt_2 <= 32'h0;
      jobs <= 8'h0;
      chunks_io_pop_rValid <= 1'b0;
      departures_io_pop_rValid <= 1'b0;
      later_valid <= 1'b0;
      sweep <= 10'h0;
      ahead <= 10'h0;
      turn <= 1'b0;
      departs <= 1'b0;
      room <= 1'b0;
      draining <= 1'b0;
      orders <= 1'b0;
      parks <= 1'b0;
    end else begin
      _zz_qp_notifiedAt_2 <= _zz_qp_notifiedAt_1;
      if(chunks_io_pop_ready) begin
        chunks_io_pop_rValid <= chunks_io_pop_valid;
      end
      if(departures_io_pop_ready) begin
        departures_io_pop_rValid <= departures_io_pop_valid;
      end
      if((state_3 == State_empty)) begin
        sweep <= (sweep + 10'h001);
        if((&sweep)) begin
          state_3 <= State_idle;
        end
      end
      ahead <= (_zz_ahead - _zz_ahead_2);
      departs <= (3'b001 < departures_io_availability);
      room <= (((3'b001 < departures_io_availability) && (5'h08 <= chunks_io_availability)) && (ahead <= 10'h040));
      if((! flies)) begin
        draining <= 1'b0;
      end
      orders <= ((io_orders_valid && (! io_orders_ready)) && ((! shares_io_seeks) || shares_io_found));
      if(_zz_when) begin
        if(((((access_1_io_over_valid || takesWake) || takesOrder) || takesAnswer) || takesArrival)) begin
          state_3 <= State_load;
        end
        if(takesAnswer) begin
          turn <= 1'b0;
        end
        if(takesArrival) begin
          turn <= 1'b1;
        end
      end
      if(_zz_when_1) begin
        if(_zz_when_2) begin
          state_3 <= State_order;
        end else begin
          if(_zz_when_3) begin
            state_3 <= State_pick;
          end else begin
            if((owner_1 == Owner_flight)) begin
              state_3 <= State_ended;
            end else begin
              if((owner_1 == Owner_wake)) begin
                state_3 <= State_store;
              end else begin
                state_3 <= _zz_state;
              end
            end
          end
        end
      end
      parks <= (((((state_3 == State_pick) && qp_valid) && (! qp_mustNotify)) && (qp_jobs != 5'h0)) && waits);
      if(stores) begin
        later_valid <= 1'b0;
        state_3 <= State_idle;
      end
      if(_zz_when_5) begin
        state_3 <= State_act;
      end
      if(_zz_when_6) begin
        if(requests_waits) begin
          state_3 <= State_idle;
        end else begin
          case(requests_j_step)
            Step_drop : begin
              if(_zz_when_8) begin
                later_valid <= 1'b1;
              end
              state_3 <= State_store;
            end
            Step_gap : begin
              state_3 <= State_store;
            end
            Step_refuse, Step_notReady : begin
              state_3 <= State_refuse;
            end
            Step_duplicateWrite : begin
              state_3 <= State_store;
            end
            Step_duplicateOther : begin
              state_3 <= State_scan;
            end
            Step_read : begin
              state_3 <= State_write;
            end
            Step_write : begin
              state_3 <= State_write;
            end
            Step_atomic : begin
              state_3 <= _zz_state_1;
            end
            default : begin
            end
          endcase
        end
        if(requests_denied) begin
          state_3 <= State_refuse;
        end
      end
      if(_zz_when_10) begin
        state_3 <= State_write;
        if(_zz_when_11) begin
          state_3 <= State_refuse;
        end
      end
      if(((state_3 == State_refuse) && requests_early)) begin
        state_3 <= State_idle;
      end
      if(_zz_when_12) begin
        state_3 <= State_store;
        if(!requests_failure_notReady) begin
          if(settings_hardened) begin
            later_valid <= 1'b1;
          end
        end
      end
      if(_zz_when_13) begin
        state_3 <= State_store;
        if(requests_kind_write) begin
          if(_zz_when_14) begin
            if(requests_kind_immediate) begin
              later_valid <= 1'b1;
            end
          end
        end else begin
          if(!requests_frees) begin
            jobs <= (jobs + 8'h01);
          end
        end
      end
      if(_zz_when_15) begin
        state_3 <= State_scanned;
        if(_zz_when_16) begin
          state_3 <= State_store;
        end
      end
      if(_zz_when_17) begin
        state_3 <= State_skips;
      end
      if(_zz_when_18) begin
        state_3 <= State_compares;
      end
      if(_zz_when_19) begin
        state_3 <= State_matches_1;
      end
      if(_zz_when_20) begin
        state_3 <= State_scan;
        if(_zz_when_21) begin
          state_3 <= State_store;
          if(_zz_when_23) begin
            jobs <= (jobs + 8'h01);
          end
        end
      end
      if(_zz_when_24) begin
        state_3 <= State_store;
        if(qp_valid) begin
          if(!qp_mustNotify) begin
            if(_zz_when_25) begin
              if(waits) begin
                later_valid <= 1'b1;
              end else begin
                state_3 <= State_entry;
              end
            end
          end
        end
      end
      if(_zz_when_28) begin
        state_3 <= State_check;
      end
      if(_zz_when_29) begin
        state_3 <= State_answer;
      end
      if(_zz_when_30) begin
        if(answers_silent) begin
          state_3 <= State_emit;
        end else begin
          if(_zz_when_31) begin
            state_3 <= State_fail;
          end else begin
            state_3 <= State_answerAccess;
          end
        end
      end
      if(_zz_when_32) begin
        state_3 <= State_emit;
        if(_zz_when_33) begin
          state_3 <= State_fail;
        end else begin
          if(_zz_when_34) begin
            later_valid <= 1'b1;
          end
        end
      end
      if(_zz_when_35) begin
        state_3 <= State_store;
        if(_zz_when_37) begin
          jobs <= (jobs - _zz_jobs_1);
        end
      end
      if(_zz_when_38) begin
        state_3 <= State_store;
        jobs <= (jobs - _zz_jobs_2);
        if(!_zz_when_39) begin
          if(settings_hardened) begin
            later_valid <= 1'b1;
          end
        end
      end
      if(_zz_when_40) begin
        state_3 <= State_retire;
      end
      if(_zz_when_41) begin
        state_3 <= State_store;
        if(_zz_when_42) begin
          if(flight_immediate) begin
            later_valid <= 1'b1;
          end
          if(_zz_when_43) begin
            if(writes_atOnce) begin
              later_valid <= 1'b1;
            end
          end
        end
        if(_zz_when_44) begin
          draining <= 1'b1;
          if((! qp_inError)) begin
            state_3 <= State_refuse;
          end
        end
      end
      if(_zz_when_46) begin
        state_3 <= State_store;
      end
      if(slow_sounds) begin
        case(io_orders_payload_command)
          8'h01 : begin
          end
          8'h02 : begin
            if(slow_here) begin
              jobs <= (jobs - _zz_jobs_3);
            end
          end
          8'h03 : begin
            if(slow_here) begin
              jobs <= (jobs - _zz_jobs_4);
            end
          end
          8'h04 : begin
          end
          8'h05 : begin
          end
          8'h06 : begin
          end
          default : begin
          end
        endcase
      end
    end
  end

  always @(posedge clk) begin
    if(chunks_io_pop_ready) begin
      chunks_io_pop_rData_bytes <= chunks_io_pop_payload_bytes;
      chunks_io_pop_rData_zeros <= chunks_io_pop_payload_zeros;
      chunks_io_pop_rData_drop <= chunks_io_pop_payload_drop;
      chunks_io_pop_rData_last <= chunks_io_pop_payload_last;
    end
    if(departures_io_pop_ready) begin
      departures_io_pop_rData_dstMac <= departures_io_pop_payload_dstMac;
      departures_io_pop_rData_dstIp <= departures_io_pop_payload_dstIp;
      departures_io_pop_rData_srcPort <= departures_io_pop_payload_srcPort;
      departures_io_pop_rData_opcode <= departures_io_pop_payload_opcode;
      departures_io_pop_rData_pkey <= departures_io_pop_payload_pkey;
      departures_io_pop_rData_destQp <= departures_io_pop_payload_destQp;
      departures_io_pop_rData_psn <= departures_io_pop_payload_psn;
      departures_io_pop_rData_ackRequest <= departures_io_pop_payload_ackRequest;
      departures_io_pop_rData_syndrome <= departures_io_pop_payload_syndrome;
      departures_io_pop_rData_msn <= departures_io_pop_payload_msn;
      departures_io_pop_rData_original <= departures_io_pop_payload_original;
      departures_io_pop_rData_payload <= departures_io_pop_payload_payload;
    end
    if(_zz_when) begin
      index <= nextIndex;
      owner_1 <= _zz_owner_3;
      own <= (access_1_io_held & {(flightPairs_7 == _zz_own),{(flightPairs_6 == _zz_own_1),{(flightPairs_5 == _zz_own_2),{(flightPairs_4 == _zz_own_3),{(flightPairs_3 == _zz_own_4),{(flightPairs_2 == _zz_own_5),{(flightPairs_1 == _zz_own_6),(flightPairs_0 == _zz_own_7)}}}}}}});
    end
    if((state_3 == State_load)) begin
      share <= shareRead;
    end
    free <= (8'h40 - jobs);
    if(_zz_when_1) begin
      qp_valid <= stateRead_valid;
      qp_inError <= stateRead_inError;
      qp_expected <= stateRead_expected;
      qp_msn <= stateRead_msn;
      qp_running <= stateRead_running;
      qp_va <= stateRead_va;
      qp_rkey <= stateRead_rkey;
      qp_left <= stateRead_left;
      qp_gapTold <= stateRead_gapTold;
      qp_notReady <= stateRead_notReady;
      qp_mustNotify <= stateRead_mustNotify;
      qp_notified <= stateRead_notified;
      qp_notifiedAt <= stateRead_notifiedAt;
      qp_oldest <= stateRead_oldest;
      qp_remembered <= stateRead_remembered;
      qp_order_0 <= stateRead_order_0;
      qp_order_1 <= stateRead_order_1;
      qp_order_2 <= stateRead_order_2;
      qp_order_3 <= stateRead_order_3;
      qp_order_4 <= stateRead_order_4;
      qp_order_5 <= stateRead_order_5;
      qp_order_6 <= stateRead_order_6;
      qp_order_7 <= stateRead_order_7;
      qp_order_8 <= stateRead_order_8;
      qp_order_9 <= stateRead_order_9;
      qp_order_10 <= stateRead_order_10;
      qp_order_11 <= stateRead_order_11;
      qp_order_12 <= stateRead_order_12;
      qp_order_13 <= stateRead_order_13;
      qp_order_14 <= stateRead_order_14;
      qp_order_15 <= stateRead_order_15;
      qp_jobs <= stateRead_jobs;
      qp_unread <= stateRead_unread;
      qp_pending <= stateRead_pending;
      qp_pendingPsn <= stateRead_pendingPsn;
      qp_pendingMsn <= stateRead_pendingMsn;
      qp_pendingSyndrome <= stateRead_pendingSyndrome;
      qp_scheduled <= stateRead_scheduled;
      settings_qpn <= settingsRead_qpn;
      settings_peerQpn <= settingsRead_peerQpn;
      settings_peerIp <= settingsRead_peerIp;
      settings_peerMac <= settingsRead_peerMac;
      settings_srcPort <= settingsRead_srcPort;
      settings_pkey <= settingsRead_pkey;
      settings_pid <= settingsRead_pid;
      settings_mtuCode <= settingsRead_mtuCode;
      settings_hardened <= settingsRead_hardened;
      if(!_zz_when_2) begin
        if(_zz_when_3) begin
          qp_scheduled <= 1'b0;
        end
      end
    end
    waits <= rates_io_holds;
    requests_kind_send <= ((io_arrivals_payload_headers_opcode <= 8'h05) || (|{(io_arrivals_payload_headers_opcode == 8'h17),(io_arrivals_payload_headers_opcode == 8'h16)}));
    requests_kind_write <= ((8'h06 <= io_arrivals_payload_headers_opcode) && (io_arrivals_payload_headers_opcode <= 8'h0b));
    requests_kind_read <= (io_arrivals_payload_headers_opcode == 8'h0c);
    requests_kind_compareSwap <= (io_arrivals_payload_headers_opcode == 8'h13);
    requests_kind_fetchAdd <= (io_arrivals_payload_headers_opcode == 8'h14);
    requests_kind_begins <= (|{(io_arrivals_payload_headers_opcode == 8'h0b),{(io_arrivals_payload_headers_opcode == 8'h0a),(io_arrivals_payload_headers_opcode == 8'h06)}});
    requests_kind_ends <= (|{(io_arrivals_payload_headers_opcode == 8'h0b),{(io_arrivals_payload_headers_opcode == 8'h0a),{(io_arrivals_payload_headers_opcode == 8'h09),(io_arrivals_payload_headers_opcode == 8'h08)}}});
    requests_kind_immediate <= (|{(io_arrivals_payload_headers_opcode == 8'h0b),(io_arrivals_payload_headers_opcode == 8'h09)});
    if(_zz_when_5) begin
      requests_j_step <= requests_judge_io_judgement_step;
      requests_j_reason <= requests_judge_io_judgement_reason;
      requests_j_nak <= requests_judge_io_judgement_nak;
      requests_j_known <= requests_judge_io_judgement_known;
      requests_j_cuts <= requests_judge_io_judgement_cuts;
      requests_j_va <= requests_judge_io_judgement_va;
      requests_j_rkey <= requests_judge_io_judgement_rkey;
      requests_j_left <= requests_judge_io_judgement_left;
      requests_j_looks <= requests_judge_io_judgement_looks;
      requests_j_bytes <= requests_judge_io_judgement_bytes;
      requests_j_region_key <= requests_judge_io_judgement_region_key;
      requests_j_region_process <= requests_judge_io_judgement_region_process;
      requests_j_region_inside <= requests_judge_io_judgement_region_inside;
      requests_j_region_right <= requests_judge_io_judgement_region_right;
      requests_j_region_offset <= requests_judge_io_judgement_region_offset;
      requests_j_region_length <= requests_judge_io_judgement_region_length;
      requests_j_packets <= requests_judge_io_judgement_packets;
    end
    requests_thisEarlier <= _zz_requests_thisEarlier[23];
    requests_doneEarlier <= _zz_requests_doneEarlier[23];
    if(_zz_when_6) begin
      handed <= requests_writes;
      requests_failure_notReady <= ((requests_j_step == Step_notReady) && (! requests_denied));
      requests_failure_nak <= (requests_denied ? 2'b10 : requests_j_nak);
      requests_failure_reason <= (requests_denied ? requests_grant_reason : requests_j_reason);
      requests_executed <= 1'b0;
      if(((requests_j_known && io_arrivals_payload_headers_congested) && ((! qp_notified) || (32'h000030d4 <= _zz_when_7)))) begin
        qp_mustNotify <= 1'b1;
        qp_notified <= 1'b1;
        qp_notifiedAt <= _zz_qp_notifiedAt_2;
      end
      if(!requests_waits) begin
        case(requests_j_step)
          Step_drop : begin
            if(_zz_when_8) begin
              later_payload <= 6'h3d;
            end
          end
          Step_gap : begin
            qp_gapTold <= 1'b1;
            qp_pending <= Pending_refusal;
            qp_pendingPsn <= qp_expected;
            qp_pendingMsn <= qp_msn;
            qp_pendingSyndrome <= 8'h60;
          end
          Step_duplicateWrite : begin
            if((! ((qp_pending == Pending_refusal) && requests_doneEarlier))) begin
              qp_pending <= Pending_ack;
              qp_pendingPsn <= (qp_expected - 24'h000001);
              qp_pendingMsn <= qp_msn;
              qp_pendingSyndrome <= 8'h1f;
            end
          end
          Step_duplicateOther : begin
            requests_looked <= 5'h0;
          end
          default : begin
          end
        endcase
      end
    end
    if(_zz_when_10) begin
      requests_executed <= (requests_kind_compareSwap || requests_kind_fetchAdd);
      requests_original <= access_1_io_ended_payload_old;
      if(_zz_when_11) begin
        requests_failure_notReady <= (access_1_io_ended_payload_how == AccessEnd_notReady);
        requests_failure_nak <= ((access_1_io_ended_payload_how == AccessEnd_denied) ? 2'b10 : 2'b11);
        requests_failure_reason <= _zz_requests_failure_reason;
      end
    end
    if(_zz_when_12) begin
      handed <= 1'b0;
      if(requests_failure_notReady) begin
        qp_notReady <= _zz_qp_notReady;
        qp_pending <= Pending_refusal;
        qp_pendingPsn <= qp_expected;
        qp_pendingMsn <= qp_msn;
        qp_pendingSyndrome <= (8'h20 | _zz_qp_pendingSyndrome);
      end else begin
        if(settings_hardened) begin
          later_payload <= 6'h36;
        end else begin
          qp_pending <= Pending_refusal;
          qp_pendingPsn <= qp_expected;
          qp_pendingMsn <= qp_msn;
          qp_pendingSyndrome <= (8'h60 | _zz_qp_pendingSyndrome_2);
          qp_inError <= 1'b1;
        end
      end
    end
    if(_zz_when_13) begin
      qp_expected <= (qp_expected + (requests_kind_read ? requests_j_packets : 24'h000001));
      qp_gapTold <= 1'b0;
      qp_notReady <= 4'b0000;
      if(_zz_qp_running) begin
        qp_msn <= _zz_qp_msn;
      end
      if(requests_kind_write) begin
        qp_running <= (! _zz_qp_running);
        qp_va <= _zz_qp_va[47:0];
        qp_rkey <= requests_j_rkey;
        qp_left <= (requests_j_left - _zz_qp_left);
        if(_zz_when_14) begin
          if(requests_kind_immediate) begin
            later_payload <= 6'h3a;
          end
          if(io_arrivals_payload_headers_ackRequest) begin
            if((! ((qp_pending == Pending_refusal) && requests_thisEarlier))) begin
              qp_pending <= Pending_ack;
              qp_pendingPsn <= io_arrivals_payload_headers_psn;
              qp_pendingMsn <= (_zz_qp_running ? _zz_qp_msn : qp_msn);
              qp_pendingSyndrome <= 8'h1f;
            end
          end
        end
      end else begin
        if(requests_frees) begin
          if(io_arrivals_payload_headers_ackRequest) begin
            if((! ((qp_pending == Pending_refusal) && requests_thisEarlier))) begin
              qp_pending <= Pending_ack;
              qp_pendingPsn <= io_arrivals_payload_headers_psn;
              qp_pendingMsn <= _zz_qp_msn;
              qp_pendingSyndrome <= 8'h1f;
            end
          end
        end else begin
          if(qp_remembered[4]) begin
            qp_oldest <= (qp_oldest + 4'b0001);
          end else begin
            qp_remembered <= (qp_remembered + 5'h01);
          end
          qp_pending <= Pending_none;
          if(_zz_11[0]) begin
            qp_order_0 <= _zz_qp_order_0;
          end
          if(_zz_11[1]) begin
            qp_order_1 <= _zz_qp_order_0;
          end
          if(_zz_11[2]) begin
            qp_order_2 <= _zz_qp_order_0;
          end
          if(_zz_11[3]) begin
            qp_order_3 <= _zz_qp_order_0;
          end
          if(_zz_11[4]) begin
            qp_order_4 <= _zz_qp_order_0;
          end
          if(_zz_11[5]) begin
            qp_order_5 <= _zz_qp_order_0;
          end
          if(_zz_11[6]) begin
            qp_order_6 <= _zz_qp_order_0;
          end
          if(_zz_11[7]) begin
            qp_order_7 <= _zz_qp_order_0;
          end
          if(_zz_11[8]) begin
            qp_order_8 <= _zz_qp_order_0;
          end
          if(_zz_11[9]) begin
            qp_order_9 <= _zz_qp_order_0;
          end
          if(_zz_11[10]) begin
            qp_order_10 <= _zz_qp_order_0;
          end
          if(_zz_11[11]) begin
            qp_order_11 <= _zz_qp_order_0;
          end
          if(_zz_11[12]) begin
            qp_order_12 <= _zz_qp_order_0;
          end
          if(_zz_11[13]) begin
            qp_order_13 <= _zz_qp_order_0;
          end
          if(_zz_11[14]) begin
            qp_order_14 <= _zz_qp_order_0;
          end
          if(_zz_11[15]) begin
            qp_order_15 <= _zz_qp_order_0;
          end
          qp_jobs <= (qp_jobs + 5'h01);
          qp_unread <= (qp_unread + _zz_qp_unread);
        end
      end
    end
    if(_zz_when_17) begin
      requests_entry_kind <= remembered_kind;
      requests_entry_psn <= remembered_psn;
      requests_entry_msn <= remembered_msn;
      requests_entry_va <= remembered_va;
      requests_entry_rkey <= remembered_rkey;
      requests_entry_found <= remembered_found;
      requests_entry_words <= remembered_words;
    end
    if(_zz_when_18) begin
      requests_skipped <= (io_arrivals_payload_headers_psn - requests_entry_psn);
      requests_moved <= (io_arrivals_payload_headers_va - requests_entry_va);
      requests_sameKey <= (io_arrivals_payload_headers_rkey == requests_entry_rkey);
      requests_sameAtomic <= (((requests_kind_compareSwap || requests_kind_fetchAdd) && requests_sameKind) && (io_arrivals_payload_headers_swapAdd == requests_entry_words[63 : 0]));
    end
    if(_zz_when_19) begin
      requests_within <= ((requests_bytes < _zz_requests_within) || (requests_skipped == 24'h0));
      requests_there <= (requests_moved == _zz_requests_there);
      requests_first <= ((requests_skipped == 24'h0) && (requests_moved == 64'h0));
      requests_rest <= (requests_entry_words[31 : 0] - _zz_requests_rest);
      requests_queued <= (|{((5'h0f < qp_jobs) && (qp_order_15 == requests_here)),{((5'h0e < qp_jobs) && (qp_order_14 == requests_here)),{((_zz_requests_queued < qp_jobs) && (qp_order_13 == requests_here)),{(_zz_requests_queued_1 && _zz_requests_queued_2),{_zz_requests_queued_3,{_zz_requests_queued_4,_zz_requests_queued_5}}}}}});
    end
    if(_zz_when_20) begin
      requests_looked <= (requests_looked + 5'h01);
      if(_zz_when_21) begin
        if(_zz_when_23) begin
          if(_zz_12[0]) begin
            qp_order_0 <= requests_here;
          end
          if(_zz_12[1]) begin
            qp_order_1 <= requests_here;
          end
          if(_zz_12[2]) begin
            qp_order_2 <= requests_here;
          end
          if(_zz_12[3]) begin
            qp_order_3 <= requests_here;
          end
          if(_zz_12[4]) begin
            qp_order_4 <= requests_here;
          end
          if(_zz_12[5]) begin
            qp_order_5 <= requests_here;
          end
          if(_zz_12[6]) begin
            qp_order_6 <= requests_here;
          end
          if(_zz_12[7]) begin
            qp_order_7 <= requests_here;
          end
          if(_zz_12[8]) begin
            qp_order_8 <= requests_here;
          end
          if(_zz_12[9]) begin
            qp_order_9 <= requests_here;
          end
          if(_zz_12[10]) begin
            qp_order_10 <= requests_here;
          end
          if(_zz_12[11]) begin
            qp_order_11 <= requests_here;
          end
          if(_zz_12[12]) begin
            qp_order_12 <= requests_here;
          end
          if(_zz_12[13]) begin
            qp_order_13 <= requests_here;
          end
          if(_zz_12[14]) begin
            qp_order_14 <= requests_here;
          end
          if(_zz_12[15]) begin
            qp_order_15 <= requests_here;
          end
          qp_jobs <= (qp_jobs + 5'h01);
          qp_unread <= (qp_unread + _zz_qp_unread_2);
        end
      end
    end
    if(_zz_when_24) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          qp_mustNotify <= 1'b0;
        end else begin
          if(_zz_when_25) begin
            if(waits) begin
              later_payload <= 6'h3e;
            end
          end else begin
            if(_zz_when_26) begin
              qp_pending <= Pending_none;
            end
          end
        end
      end
    end
    if(_zz_when_28) begin
      answers_entry_kind <= remembered_kind;
      answers_entry_psn <= remembered_psn;
      answers_entry_msn <= remembered_msn;
      answers_entry_va <= remembered_va;
      answers_entry_rkey <= remembered_rkey;
      answers_entry_found <= remembered_found;
      answers_entry_words <= remembered_words;
      answers_bytes <= (answers_short ? _zz_answers_bytes_1 : answers_mtu);
      answers_ends <= answers_short;
    end
    if(_zz_when_29) begin
      answers_look_key <= (region_valid && (region_key == answers_entry_rkey));
      answers_look_process <= (region_pid == settings_pid);
      answers_look_inside <= ((! _zz_answers_look_inside[64]) && (_zz_answers_look_inside[63 : 48] == 16'h0));
      answers_look_right <= (|(region_rights & answers_right));
      answers_look_offset <= _zz_answers_look_inside[47 : 0];
      answers_look_length <= region_length;
    end
    if(_zz_when_30) begin
      answers_why <= AccessEnd_denied;
      answers_reason <= answers_grant_reason;
    end
    if(_zz_when_32) begin
      if(_zz_when_33) begin
        answers_why <= access_1_io_ended_payload_how;
        answers_reason <= _zz_answers_reason;
      end else begin
        if(_zz_when_34) begin
          answers_entry_found <= 1'b1;
          answers_entry_words <= {{access_1_io_ended_payload_old,answers_entry_words[127 : 64]},answers_entry_words[63 : 0]};
          qp_unread <= (qp_unread - 5'h01);
          later_payload <= 6'h18;
        end
      end
    end
    if(_zz_when_35) begin
      if(_zz_when_37) begin
        qp_order_0 <= qp_order_1;
        qp_order_1 <= qp_order_2;
        qp_order_2 <= qp_order_3;
        qp_order_3 <= qp_order_4;
        qp_order_4 <= qp_order_5;
        qp_order_5 <= qp_order_6;
        qp_order_6 <= qp_order_7;
        qp_order_7 <= qp_order_8;
        qp_order_8 <= qp_order_9;
        qp_order_9 <= qp_order_10;
        qp_order_10 <= qp_order_11;
        qp_order_11 <= qp_order_12;
        qp_order_12 <= qp_order_13;
        qp_order_13 <= qp_order_14;
        qp_order_14 <= qp_order_15;
        qp_jobs <= (qp_jobs - 5'h01);
        if((answers_entry_kind == RememberedKind_read)) begin
          qp_unread <= (qp_unread - 5'h01);
        end
      end
    end
    if(_zz_when_38) begin
      qp_jobs <= 5'h0;
      qp_unread <= 5'h0;
      qp_pending <= Pending_none;
      if(!_zz_when_39) begin
        if(settings_hardened) begin
          later_payload <= 6'h36;
        end else begin
          qp_inError <= 1'b1;
        end
      end
    end
    if((state_3 == State_act)) begin
      if(_zz_14[0]) begin
        flightPairs_0 <= index;
      end
      if(_zz_14[1]) begin
        flightPairs_1 <= index;
      end
      if(_zz_14[2]) begin
        flightPairs_2 <= index;
      end
      if(_zz_14[3]) begin
        flightPairs_3 <= index;
      end
      if(_zz_14[4]) begin
        flightPairs_4 <= index;
      end
      if(_zz_14[5]) begin
        flightPairs_5 <= index;
      end
      if(_zz_14[6]) begin
        flightPairs_6 <= index;
      end
      if(_zz_14[7]) begin
        flightPairs_7 <= index;
      end
    end
    if((state_3 == State_load)) begin
      flight_slot <= _zz_flight_slot[4 : 0];
      flight_psn <= _zz_flight_slot[28 : 5];
      flight_ackRequest <= _zz_flight_slot[29];
      flight_ends <= _zz_flight_slot[30];
      flight_immediate <= _zz_flight_slot[31];
      flight_msn <= _zz_flight_slot[55 : 32];
      flight_running <= _zz_flight_slot[56];
      flight_va <= _zz_flight_slot[104 : 57];
      flight_rkey <= _zz_flight_slot[136 : 105];
      flight_left <= _zz_flight_slot[168 : 137];
      flight_gapTold <= _zz_flight_slot[169];
      flight_notReady <= _zz_flight_slot[173 : 170];
      writes_how <= access_1_io_over_payload;
    end
    if(_zz_when_40) begin
      writes_stale <= (! _zz_writes_stale[23]);
      writes_earlier <= _zz_writes_earlier[23];
    end
    if(_zz_when_41) begin
      if(_zz_when_42) begin
        if(flight_immediate) begin
          later_payload <= 6'h3a;
        end
        if(_zz_when_43) begin
          if(writes_atOnce) begin
            qp_pending <= Pending_none;
            later_payload <= 6'h37;
          end else begin
            if((! ((qp_pending == Pending_refusal) && writes_earlier))) begin
              qp_pending <= Pending_ack;
              qp_pendingPsn <= flight_psn;
              qp_pendingMsn <= writes_msn;
              qp_pendingSyndrome <= 8'h1f;
            end
          end
        end
      end
      if(_zz_when_44) begin
        qp_expected <= flight_psn;
        qp_msn <= flight_msn;
        qp_running <= flight_running;
        qp_va <= flight_va;
        qp_rkey <= flight_rkey;
        qp_left <= flight_left;
        qp_gapTold <= flight_gapTold;
        qp_notReady <= flight_notReady;
        requests_failure_notReady <= (writes_how == AccessEnd_notReady);
        requests_failure_nak <= ((writes_how == AccessEnd_denied) ? 2'b10 : 2'b11);
        requests_failure_reason <= _zz_requests_failure_reason_1;
      end
    end
    if(slow_sounds) begin
      case(io_orders_payload_command)
        8'h01 : begin
          if(!qp_valid) begin
            qp_valid <= 1'b1;
            qp_inError <= 1'b0;
            qp_expected <= io_orders_payload_psn;
            qp_msn <= 24'h0;
            qp_running <= 1'b0;
            qp_gapTold <= 1'b0;
            qp_notReady <= 4'b0000;
            qp_mustNotify <= 1'b0;
            qp_notified <= 1'b0;
            qp_oldest <= 4'b0000;
            qp_remembered <= 5'h0;
            qp_jobs <= 5'h0;
            qp_unread <= 5'h0;
            qp_pending <= Pending_none;
          end
        end
        8'h02 : begin
          if(slow_here) begin
            qp_valid <= 1'b0;
            qp_inError <= 1'b1;
            qp_jobs <= 5'h0;
            qp_unread <= 5'h0;
            qp_pending <= Pending_none;
          end
        end
        8'h03 : begin
          if(slow_here) begin
            qp_valid <= 1'b1;
            qp_inError <= 1'b1;
            qp_jobs <= 5'h0;
            qp_unread <= 5'h0;
            qp_pending <= Pending_none;
          end
        end
        8'h04 : begin
        end
        8'h05 : begin
        end
        8'h06 : begin
        end
        default : begin
        end
      endcase
    end
  end


endmodule

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
  output wire [31:0]   io_arrivals_payload_headers_srcIp,
  output wire          io_arrivals_payload_headers_congested,
  output wire [7:0]    io_arrivals_payload_headers_opcode,
  output wire          io_arrivals_payload_headers_ackRequest,
  output wire [15:0]   io_arrivals_payload_headers_pkey,
  output wire [23:0]   io_arrivals_payload_headers_destQp,
  output wire [23:0]   io_arrivals_payload_headers_psn,
  output wire [63:0]   io_arrivals_payload_headers_va,
  output wire [31:0]   io_arrivals_payload_headers_rkey,
  output wire [31:0]   io_arrivals_payload_headers_dmaLength,
  output wire [63:0]   io_arrivals_payload_headers_swapAdd,
  output wire [63:0]   io_arrivals_payload_headers_compare,
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
  wire       [473:0]  _zz_io_arrivals_payload_headers_srcIp;
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
  assign _zz_io_arrivals_payload_headers_srcIp = _zz_io_arrivals_payload_offset[473 : 0];
  assign io_arrivals_payload_headers_srcIp = _zz_io_arrivals_payload_headers_srcIp[79 : 48];
  assign io_arrivals_payload_headers_congested = _zz_io_arrivals_payload_headers_srcIp[96];
  assign io_arrivals_payload_headers_opcode = _zz_io_arrivals_payload_headers_srcIp[104 : 97];
  assign io_arrivals_payload_headers_ackRequest = _zz_io_arrivals_payload_headers_srcIp[106];
  assign io_arrivals_payload_headers_pkey = _zz_io_arrivals_payload_headers_srcIp[124 : 109];
  assign io_arrivals_payload_headers_destQp = _zz_io_arrivals_payload_headers_srcIp[148 : 125];
  assign io_arrivals_payload_headers_psn = _zz_io_arrivals_payload_headers_srcIp[172 : 149];
  assign io_arrivals_payload_headers_va = _zz_io_arrivals_payload_headers_srcIp[236 : 173];
  assign io_arrivals_payload_headers_rkey = _zz_io_arrivals_payload_headers_srcIp[268 : 237];
  assign io_arrivals_payload_headers_dmaLength = _zz_io_arrivals_payload_headers_srcIp[300 : 269];
  assign io_arrivals_payload_headers_swapAdd = _zz_io_arrivals_payload_headers_srcIp[364 : 301];
  assign io_arrivals_payload_headers_compare = _zz_io_arrivals_payload_headers_srcIp[428 : 365];
  assign io_arrivals_payload_headers_payload = _zz_io_arrivals_payload_headers_srcIp[473 : 461];
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

module RoceMailbox (
  input  wire          io_written_valid,
  input  wire [7:0]    io_written_payload,
  input  wire          io_ready,
  output wire          io_command_valid,
  input  wire          io_command_ready,
  output wire [7:0]    io_command_payload,
  input  wire          io_ordered_valid,
  input  wire [7:0]    io_ordered_payload_result,
  input  wire [23:0]   io_ordered_payload_expected,
  input  wire [23:0]   io_ordered_payload_msn,
  input  wire          io_ordered_payload_inError,
  input  wire          io_ordered_payload_running,
  input  wire          io_ordered_payload_unanswered,
  input  wire [4:0]    io_ordered_payload_jobs,
  output wire          io_pending,
  output wire [7:0]    io_result,
  output wire [23:0]   io_told_expected,
  output wire [23:0]   io_told_msn,
  output wire          io_told_inError,
  output wire          io_told_running,
  output wire          io_told_unanswered,
  output wire [4:0]    io_told_jobs,
  input  wire          clk,
  input  wire          reset
);

  reg                 offers;
  reg                 emptied;
  reg        [7:0]    command;
  reg        [7:0]    result;
  reg        [23:0]   told_expected;
  reg        [23:0]   told_msn;
  reg                 told_inError;
  reg                 told_running;
  reg                 told_unanswered;
  reg        [4:0]    told_jobs;
  wire                busy;
  wire                takes;

  assign busy = (offers || (! emptied));
  assign takes = (io_written_valid && (! busy));
  assign io_command_valid = offers;
  assign io_command_payload = command;
  assign io_pending = (busy && 1'b1);
  assign io_result = (io_pending ? 8'h0 : result);
  assign io_told_expected = told_expected;
  assign io_told_msn = told_msn;
  assign io_told_inError = told_inError;
  assign io_told_running = told_running;
  assign io_told_unanswered = told_unanswered;
  assign io_told_jobs = told_jobs;
  always @(posedge clk) begin
    if(reset) begin
      offers <= 1'b0;
      emptied <= 1'b0;
      command <= 8'h0;
      result <= 8'h01;
      told_expected <= 24'h0;
      told_msn <= 24'h0;
      told_inError <= 1'b0;
      told_running <= 1'b0;
      told_unanswered <= 1'b0;
      told_jobs <= 5'h0;
    end else begin
      if(io_ready) begin
        emptied <= 1'b1;
      end
      if(io_command_ready) begin
        offers <= 1'b0;
      end
      if(takes) begin
        offers <= 1'b1;
        command <= io_written_payload;
      end
      if(io_ordered_valid) begin
        result <= io_ordered_payload_result;
        if(((command == 8'h04) && (io_ordered_payload_result == 8'h01))) begin
          told_expected <= io_ordered_payload_expected;
          told_msn <= io_ordered_payload_msn;
          told_inError <= io_ordered_payload_inError;
          told_running <= io_ordered_payload_running;
          told_unanswered <= io_ordered_payload_unanswered;
          told_jobs <= io_ordered_payload_jobs;
        end
      end
    end
  end


endmodule

module StreamFifo_8 (
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

module StreamFifo_7 (
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

module IcrcRegister_1 (
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

module RequestJudge (
  input  wire [31:0]   io_headers_srcIp,
  input  wire [7:0]    io_headers_opcode,
  input  wire [15:0]   io_headers_pkey,
  input  wire [23:0]   io_headers_destQp,
  input  wire [23:0]   io_headers_psn,
  input  wire [63:0]   io_headers_va,
  input  wire [31:0]   io_headers_rkey,
  input  wire [31:0]   io_headers_dmaLength,
  input  wire [12:0]   io_headers_payload,
  input  wire          io_kind_send,
  input  wire          io_kind_write,
  input  wire          io_kind_read,
  input  wire          io_kind_compareSwap,
  input  wire          io_kind_fetchAdd,
  input  wire          io_kind_begins,
  input  wire          io_kind_ends,
  input  wire          io_malformed,
  input  wire [23:0]   io_settings_qpn,
  input  wire [31:0]   io_settings_peerIp,
  input  wire [15:0]   io_settings_pkey,
  input  wire [23:0]   io_settings_pid,
  input  wire [2:0]    io_settings_mtuCode,
  input  wire          io_qp_valid,
  input  wire          io_qp_inError,
  input  wire [23:0]   io_qp_expected,
  input  wire          io_qp_running,
  input  wire [47:0]   io_qp_va,
  input  wire [31:0]   io_qp_rkey,
  input  wire [31:0]   io_qp_left,
  input  wire          io_qp_gapTold,
  input  wire [3:0]    io_qp_notReady,
  input  wire [3:0]    io_qp_oldest,
  input  wire [4:0]    io_qp_remembered,
  input  wire [3:0]    io_qp_order_0,
  input  wire [3:0]    io_qp_order_1,
  input  wire [3:0]    io_qp_order_2,
  input  wire [3:0]    io_qp_order_3,
  input  wire [3:0]    io_qp_order_4,
  input  wire [3:0]    io_qp_order_5,
  input  wire [3:0]    io_qp_order_6,
  input  wire [3:0]    io_qp_order_7,
  input  wire [3:0]    io_qp_order_8,
  input  wire [3:0]    io_qp_order_9,
  input  wire [3:0]    io_qp_order_10,
  input  wire [3:0]    io_qp_order_11,
  input  wire [3:0]    io_qp_order_12,
  input  wire [3:0]    io_qp_order_13,
  input  wire [3:0]    io_qp_order_14,
  input  wire [3:0]    io_qp_order_15,
  input  wire [4:0]    io_qp_jobs,
  input  wire          io_region_valid,
  input  wire [31:0]   io_region_key,
  input  wire [23:0]   io_region_pid,
  input  wire [47:0]   io_region_va,
  input  wire [47:0]   io_region_length,
  input  wire [2:0]    io_region_rights,
  input  wire          io_hasJob,
  output reg  [3:0]    io_judgement_step,
  output reg  [5:0]    io_judgement_reason,
  output reg  [1:0]    io_judgement_nak,
  output wire          io_judgement_known,
  output wire          io_judgement_cuts,
  output wire [63:0]   io_judgement_va,
  output wire [31:0]   io_judgement_rkey,
  output wire [31:0]   io_judgement_left,
  output reg           io_judgement_looks,
  output wire [31:0]   io_judgement_bytes,
  output wire          io_judgement_region_key,
  output wire          io_judgement_region_process,
  output wire          io_judgement_region_inside,
  output wire          io_judgement_region_right,
  output wire [47:0]   io_judgement_region_offset,
  output wire [47:0]   io_judgement_region_length,
  output wire [23:0]   io_judgement_packets
);
  localparam Step_drop = 4'd0;
  localparam Step_gap = 4'd1;
  localparam Step_refuse = 4'd2;
  localparam Step_notReady = 4'd3;
  localparam Step_duplicateWrite = 4'd4;
  localparam Step_duplicateOther = 4'd5;
  localparam Step_write = 4'd6;
  localparam Step_read = 4'd7;
  localparam Step_atomic = 4'd8;
  localparam Step_free = 4'd9;

  wire       [23:0]   _zz_place_behind;
  wire       [63:0]   _zz_restarts;
  wire       [63:0]   _zz_io_judgement_va;
  wire       [32:0]   _zz_blocks;
  wire       [31:0]   _zz_blocks_1;
  wire       [12:0]   _zz_blocks_2;
  wire       [3:0]    _zz_blocks_3;
  wire       [23:0]   _zz_io_judgement_packets;
  wire       [63:0]   _zz__zz_io_judgement_region_inside;
  wire                _zz_when;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire                _zz_when_3;
  wire                _zz_when_4;
  wire                _zz_when_5;
  wire                _zz_when_6;
  wire                _zz_when_7;
  wire                _zz_when_8;
  wire                _zz_when_9;
  wire                _zz_when_10;
  wire                _zz_when_11;
  wire                place_expected;
  wire                place_ahead;
  wire                place_behind;
  wire                restarts;
  wire                order;
  wire       [12:0]   mtu;
  wire                fits;
  wire       [31:0]   most;
  wire       [31:0]   payload;
  wire                whole;
  wire                tooMany;
  wire       [32:0]   blocks;
  wire       [31:0]   bytes;
  wire       [2:0]    right;
  wire       [64:0]   _zz_io_judgement_region_inside;
  wire                silent_0_0;
  wire                silent_1_0;
  wire                silent_2_0;
  wire                silent_3_0;
  wire                silent_4_0;
  wire                silent_5_0;

  assign _zz_when = ((((io_kind_send || io_kind_write) || io_kind_read) || (io_kind_compareSwap || io_kind_fetchAdd)) && io_malformed);
  assign _zz_when_1 = ((! whole) || (most < io_judgement_left));
  assign _zz_when_2 = (! fits);
  assign _zz_when_3 = (! order);
  assign _zz_when_4 = (! (io_hasJob && ((! io_qp_remembered[4]) || (! (|{((5'h0f < io_qp_jobs) && (io_qp_order_15 == io_qp_oldest)),{((5'h0e < io_qp_jobs) && (io_qp_order_14 == io_qp_oldest)),{((5'h0d < io_qp_jobs) && (io_qp_order_13 == io_qp_oldest)),{((5'h0c < io_qp_jobs) && (io_qp_order_12 == io_qp_oldest)),{((5'h0b < io_qp_jobs) && (io_qp_order_11 == io_qp_oldest)),{((5'h0a < io_qp_jobs) && (io_qp_order_10 == io_qp_oldest)),{((5'h09 < io_qp_jobs) && (io_qp_order_9 == io_qp_oldest)),{((5'h08 < io_qp_jobs) && (io_qp_order_8 == io_qp_oldest)),{((5'h07 < io_qp_jobs) && (io_qp_order_7 == io_qp_oldest)),{((5'h06 < io_qp_jobs) && (io_qp_order_6 == io_qp_oldest)),{((5'h05 < io_qp_jobs) && (io_qp_order_5 == io_qp_oldest)),{((5'h04 < io_qp_jobs) && (io_qp_order_4 == io_qp_oldest)),{((5'h03 < io_qp_jobs) && (io_qp_order_3 == io_qp_oldest)),{((5'h02 < io_qp_jobs) && (io_qp_order_2 == io_qp_oldest)),{((5'h01 < io_qp_jobs) && (io_qp_order_1 == io_qp_oldest)),((5'h0 < io_qp_jobs) && (io_qp_order_0 == io_qp_oldest))}}}}}}}}}}}}}}})))));
  assign _zz_when_5 = ((most < io_headers_dmaLength) || tooMany);
  assign _zz_when_6 = (io_kind_compareSwap || io_kind_fetchAdd);
  assign _zz_when_7 = (! (io_hasJob && ((! io_qp_remembered[4]) || (! (|{((5'h0f < io_qp_jobs) && (io_qp_order_15 == io_qp_oldest)),{((5'h0e < io_qp_jobs) && (io_qp_order_14 == io_qp_oldest)),{((5'h0d < io_qp_jobs) && (io_qp_order_13 == io_qp_oldest)),{((5'h0c < io_qp_jobs) && (io_qp_order_12 == io_qp_oldest)),{((5'h0b < io_qp_jobs) && (io_qp_order_11 == io_qp_oldest)),{((5'h0a < io_qp_jobs) && (io_qp_order_10 == io_qp_oldest)),{((5'h09 < io_qp_jobs) && (io_qp_order_9 == io_qp_oldest)),{((5'h08 < io_qp_jobs) && (io_qp_order_8 == io_qp_oldest)),{((5'h07 < io_qp_jobs) && (io_qp_order_7 == io_qp_oldest)),{((5'h06 < io_qp_jobs) && (io_qp_order_6 == io_qp_oldest)),{((5'h05 < io_qp_jobs) && (io_qp_order_5 == io_qp_oldest)),{((5'h04 < io_qp_jobs) && (io_qp_order_4 == io_qp_oldest)),{((5'h03 < io_qp_jobs) && (io_qp_order_3 == io_qp_oldest)),{((5'h02 < io_qp_jobs) && (io_qp_order_2 == io_qp_oldest)),{((5'h01 < io_qp_jobs) && (io_qp_order_1 == io_qp_oldest)),((5'h0 < io_qp_jobs) && (io_qp_order_0 == io_qp_oldest))}}}}}}}}}}}}}}})))));
  assign _zz_when_8 = (io_headers_va[2 : 0] != 3'b000);
  assign _zz_when_9 = (io_qp_notReady != 4'b0000);
  assign _zz_when_10 = (io_kind_send || io_kind_write);
  assign _zz_when_11 = ((! (((io_kind_send || io_kind_write) || io_kind_read) || (io_kind_compareSwap || io_kind_fetchAdd))) || io_malformed);
  assign _zz_place_behind = (io_headers_psn - io_qp_expected);
  assign _zz_restarts = {16'd0, io_qp_va};
  assign _zz_io_judgement_va = {16'd0, io_qp_va};
  assign _zz_blocks = ({1'b0,io_headers_dmaLength} + {1'b0,_zz_blocks_1});
  assign _zz_blocks_2 = (mtu - 13'h0001);
  assign _zz_blocks_1 = {19'd0, _zz_blocks_2};
  assign _zz_blocks_3 = ({1'b0,io_settings_mtuCode} + {1'b0,3'b111});
  assign _zz_io_judgement_packets = blocks[23:0];
  assign _zz__zz_io_judgement_region_inside = {16'd0, io_region_va};
  assign place_expected = (io_headers_psn == io_qp_expected);
  assign place_behind = _zz_place_behind[23];
  assign place_ahead = ((! place_expected) && (! place_behind));
  assign restarts = (((io_headers_va == _zz_restarts) && (io_headers_rkey == io_qp_rkey)) && (io_headers_dmaLength == io_qp_left));
  assign order = (io_qp_running ? ((! io_kind_begins) || restarts) : io_kind_begins);
  assign mtu = (13'h0080 <<< io_settings_mtuCode);
  assign fits = (io_kind_ends ? ((io_headers_payload <= mtu) && (io_kind_begins || (io_headers_payload != 13'h0))) : (io_headers_payload == mtu));
  assign most = 32'h80000000;
  assign io_judgement_va = ((io_kind_write && io_qp_running) ? _zz_io_judgement_va : io_headers_va);
  assign io_judgement_rkey = ((io_kind_write && io_qp_running) ? io_qp_rkey : io_headers_rkey);
  assign io_judgement_left = (io_kind_write ? (io_qp_running ? io_qp_left : io_headers_dmaLength) : io_headers_dmaLength);
  assign payload = {19'd0, io_headers_payload};
  assign whole = (io_kind_ends ? (payload == io_judgement_left) : (payload < io_judgement_left));
  assign tooMany = ((io_settings_mtuCode == 3'b001) && (32'h7fffff00 < io_headers_dmaLength));
  assign blocks = (_zz_blocks >>> _zz_blocks_3);
  assign io_judgement_packets = ((io_headers_dmaLength == 32'h0) ? 24'h000001 : _zz_io_judgement_packets);
  assign bytes = ((io_kind_compareSwap || io_kind_fetchAdd) ? 32'h00000008 : io_judgement_left);
  assign right = (io_kind_write ? 3'b010 : (io_kind_read ? 3'b001 : 3'b100));
  assign io_judgement_bytes = bytes;
  assign _zz_io_judgement_region_inside = ({1'b0,io_judgement_va} - {1'b0,_zz__zz_io_judgement_region_inside});
  assign io_judgement_region_key = (io_region_valid && (io_region_key == io_judgement_rkey));
  assign io_judgement_region_process = (io_region_pid == io_settings_pid);
  assign io_judgement_region_inside = ((! _zz_io_judgement_region_inside[64]) && (_zz_io_judgement_region_inside[63 : 48] == 16'h0));
  assign io_judgement_region_right = (|(io_region_rights & right));
  assign io_judgement_region_offset = _zz_io_judgement_region_inside[47 : 0];
  assign io_judgement_region_length = io_region_length;
  assign silent_0_0 = (io_headers_opcode == 8'h81);
  assign silent_1_0 = (8'h20 <= io_headers_opcode);
  assign silent_2_0 = ((8'h0d <= io_headers_opcode) && (io_headers_opcode <= 8'h12));
  assign silent_3_0 = ((! io_qp_valid) || (io_settings_qpn != io_headers_destQp));
  assign silent_4_0 = (io_settings_peerIp != io_headers_srcIp);
  assign silent_5_0 = (io_settings_pkey != io_headers_pkey);
  assign io_judgement_known = (! (|{io_qp_inError,{silent_5_0,{silent_4_0,{silent_3_0,{silent_2_0,{silent_1_0,silent_0_0}}}}}}));
  assign io_judgement_cuts = (((io_headers_opcode == 8'h81) && (! io_malformed)) && (! (|{io_qp_inError,{silent_5_0,{silent_4_0,silent_3_0}}})));
  always @(*) begin
    io_judgement_step = Step_refuse;
    if(_zz_when) begin
      io_judgement_step = Step_refuse;
    end else begin
      if(io_kind_write) begin
        io_judgement_step = Step_write;
        if(_zz_when_1) begin
          io_judgement_step = Step_refuse;
        end
        if(_zz_when_2) begin
          io_judgement_step = Step_refuse;
        end
        if(_zz_when_3) begin
          io_judgement_step = Step_refuse;
        end
      end else begin
        if(io_kind_read) begin
          io_judgement_step = Step_read;
          if(_zz_when_4) begin
            io_judgement_step = Step_notReady;
          end
          if(_zz_when_5) begin
            io_judgement_step = Step_refuse;
          end
          if(io_qp_running) begin
            io_judgement_step = Step_refuse;
          end
        end else begin
          if(_zz_when_6) begin
            io_judgement_step = Step_atomic;
            if(_zz_when_7) begin
              io_judgement_step = Step_notReady;
            end
            if(_zz_when_8) begin
              io_judgement_step = Step_refuse;
            end
            if(io_qp_running) begin
              io_judgement_step = Step_refuse;
            end
          end
        end
      end
    end
    if(place_ahead) begin
      io_judgement_step = Step_gap;
      if(io_qp_gapTold) begin
        io_judgement_step = Step_drop;
      end
      if(_zz_when_9) begin
        io_judgement_step = Step_drop;
      end
    end
    if(place_behind) begin
      io_judgement_step = Step_duplicateOther;
      if(_zz_when_10) begin
        io_judgement_step = Step_duplicateWrite;
      end
      if(_zz_when_11) begin
        io_judgement_step = Step_drop;
      end
    end
    if(io_qp_inError) begin
      io_judgement_step = Step_drop;
    end
    if(silent_5_0) begin
      io_judgement_step = Step_drop;
    end
    if(silent_4_0) begin
      io_judgement_step = Step_drop;
    end
    if(silent_3_0) begin
      io_judgement_step = Step_drop;
    end
    if(silent_2_0) begin
      io_judgement_step = Step_drop;
    end
    if(silent_1_0) begin
      io_judgement_step = Step_drop;
    end
    if(silent_0_0) begin
      io_judgement_step = Step_drop;
    end
  end

  always @(*) begin
    io_judgement_reason = 6'h28;
    if(_zz_when) begin
      io_judgement_reason = 6'h29;
    end else begin
      if(io_kind_write) begin
        io_judgement_reason = 6'h0;
        if(_zz_when_1) begin
          io_judgement_reason = 6'h2c;
        end
        if(_zz_when_2) begin
          io_judgement_reason = 6'h2b;
        end
        if(_zz_when_3) begin
          io_judgement_reason = 6'h2a;
        end
      end else begin
        if(io_kind_read) begin
          io_judgement_reason = 6'h0;
          if(_zz_when_4) begin
            io_judgement_reason = 6'h35;
          end
          if(_zz_when_5) begin
            io_judgement_reason = 6'h2c;
          end
          if(io_qp_running) begin
            io_judgement_reason = 6'h2a;
          end
        end else begin
          if(_zz_when_6) begin
            io_judgement_reason = 6'h0;
            if(_zz_when_7) begin
              io_judgement_reason = 6'h35;
            end
            if(_zz_when_8) begin
              io_judgement_reason = 6'h2d;
            end
            if(io_qp_running) begin
              io_judgement_reason = 6'h2a;
            end
          end
        end
      end
    end
    if(place_ahead) begin
      io_judgement_reason = 6'h25;
      if(io_qp_gapTold) begin
        io_judgement_reason = 6'h26;
      end
      if(_zz_when_9) begin
        io_judgement_reason = 6'h27;
      end
    end
    if(place_behind) begin
      io_judgement_reason = 6'h1c;
      if(_zz_when_10) begin
        io_judgement_reason = 6'h19;
      end
      if(_zz_when_11) begin
        io_judgement_reason = 6'h1d;
      end
    end
    if(io_qp_inError) begin
      io_judgement_reason = 6'h24;
    end
    if(silent_5_0) begin
      io_judgement_reason = 6'h23;
    end
    if(silent_4_0) begin
      io_judgement_reason = 6'h22;
    end
    if(silent_3_0) begin
      io_judgement_reason = 6'h21;
    end
    if(silent_2_0) begin
      io_judgement_reason = 6'h1f;
    end
    if(silent_1_0) begin
      io_judgement_reason = 6'h1e;
    end
    if(silent_0_0) begin
      io_judgement_reason = 6'h20;
    end
  end

  always @(*) begin
    io_judgement_nak = 2'b01;
    if(_zz_when) begin
      io_judgement_nak = 2'b01;
    end else begin
      if(io_kind_write) begin
        io_judgement_nak = 2'b00;
        if(_zz_when_1) begin
          io_judgement_nak = 2'b01;
        end
        if(_zz_when_2) begin
          io_judgement_nak = 2'b01;
        end
        if(_zz_when_3) begin
          io_judgement_nak = 2'b01;
        end
      end else begin
        if(io_kind_read) begin
          io_judgement_nak = 2'b00;
          if(_zz_when_4) begin
            io_judgement_nak = 2'b00;
          end
          if(_zz_when_5) begin
            io_judgement_nak = 2'b01;
          end
          if(io_qp_running) begin
            io_judgement_nak = 2'b01;
          end
        end else begin
          if(_zz_when_6) begin
            io_judgement_nak = 2'b00;
            if(_zz_when_7) begin
              io_judgement_nak = 2'b00;
            end
            if(_zz_when_8) begin
              io_judgement_nak = 2'b01;
            end
            if(io_qp_running) begin
              io_judgement_nak = 2'b01;
            end
          end
        end
      end
    end
    if(place_ahead) begin
      io_judgement_nak = 2'b00;
      if(io_qp_gapTold) begin
        io_judgement_nak = 2'b00;
      end
      if(_zz_when_9) begin
        io_judgement_nak = 2'b00;
      end
    end
    if(place_behind) begin
      io_judgement_nak = 2'b00;
      if(_zz_when_10) begin
        io_judgement_nak = 2'b00;
      end
      if(_zz_when_11) begin
        io_judgement_nak = 2'b00;
      end
    end
    if(io_qp_inError) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_5_0) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_4_0) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_3_0) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_2_0) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_1_0) begin
      io_judgement_nak = 2'b00;
    end
    if(silent_0_0) begin
      io_judgement_nak = 2'b00;
    end
  end

  always @(*) begin
    io_judgement_looks = 1'b0;
    if(_zz_when) begin
      io_judgement_looks = 1'b0;
    end else begin
      if(io_kind_write) begin
        io_judgement_looks = (bytes != 32'h0);
        if(_zz_when_1) begin
          io_judgement_looks = 1'b0;
        end
        if(_zz_when_2) begin
          io_judgement_looks = 1'b0;
        end
        if(_zz_when_3) begin
          io_judgement_looks = 1'b0;
        end
      end else begin
        if(io_kind_read) begin
          io_judgement_looks = (bytes != 32'h0);
          if(_zz_when_5) begin
            io_judgement_looks = 1'b0;
          end
          if(io_qp_running) begin
            io_judgement_looks = 1'b0;
          end
        end else begin
          if(_zz_when_6) begin
            io_judgement_looks = (bytes != 32'h0);
            if(_zz_when_8) begin
              io_judgement_looks = 1'b0;
            end
            if(io_qp_running) begin
              io_judgement_looks = 1'b0;
            end
          end
        end
      end
    end
    if(place_ahead) begin
      io_judgement_looks = 1'b0;
      if(io_qp_gapTold) begin
        io_judgement_looks = 1'b0;
      end
      if(_zz_when_9) begin
        io_judgement_looks = 1'b0;
      end
    end
    if(place_behind) begin
      io_judgement_looks = 1'b0;
      if(_zz_when_10) begin
        io_judgement_looks = 1'b0;
      end
      if(_zz_when_11) begin
        io_judgement_looks = 1'b0;
      end
    end
    if(io_qp_inError) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_5_0) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_4_0) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_3_0) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_2_0) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_1_0) begin
      io_judgement_looks = 1'b0;
    end
    if(silent_0_0) begin
      io_judgement_looks = 1'b0;
    end
  end


endmodule

module RoceShares (
  input  wire          io_seeks,
  input  wire [23:0]   io_pid,
  output wire          io_found,
  output wire [9:0]    io_share,
  input  wire          io_ends,
  input  wire          io_takes,
  input  wire          io_gives,
  input  wire [9:0]    io_of,
  input  wire          io_clear_valid,
  input  wire [9:0]    io_clear_payload,
  input  wire          clk,
  input  wire          reset
);

  reg        [34:0]   rows_spinal_port0;
  wire       [9:0]    _zz__zz_row_pid;
  wire                _zz_rows_port;
  wire                _zz__zz_row_pid_1;
  wire                _zz_when;
  wire       [34:0]   _zz_rows_port_1;
  wire                _zz_rows_port_2;
  reg                 found;
  reg        [10:0]   next_1;
  wire                searches;
  wire       [9:0]    _zz_row_pid;
  wire       [23:0]   row_pid;
  wire       [10:0]   row_pairs;
  wire       [34:0]   _zz_row_pid_1;
  reg                 looked;
  reg        [9:0]    at;
  reg        [9:0]    share;
  reg        [10:0]   pairs;
  reg                 some;
  wire                own;
  reg        [23:0]   written_pid;
  reg        [10:0]   written_pairs;
  reg        [9:0]    where;
  reg [34:0] rows [0:1023];

  assign _zz_when = (own || ((row_pairs == 11'h0) && (! some)));
  assign _zz__zz_row_pid = next_1[9:0];
  assign _zz__zz_row_pid_1 = 1'b1;
  assign _zz_rows_port_1 = {written_pairs,written_pid};
  assign _zz_rows_port_2 = ((io_takes || io_gives) || io_clear_valid);
  always @(posedge clk) begin
    if(_zz__zz_row_pid_1) begin
      rows_spinal_port0 <= rows[_zz_row_pid];
    end
  end

  always @(posedge clk) begin
    if(_zz_rows_port_2) begin
      rows[where] <= _zz_rows_port_1;
    end
  end

  assign searches = (io_seeks && (! found));
  assign _zz_row_pid = (searches ? _zz__zz_row_pid : io_of);
  assign _zz_row_pid_1 = rows_spinal_port0;
  assign row_pid = _zz_row_pid_1[23 : 0];
  assign row_pairs = _zz_row_pid_1[34 : 24];
  assign own = ((row_pairs != 11'h0) && (row_pid == io_pid));
  assign io_found = found;
  assign io_share = share;
  always @(*) begin
    where = share;
    if(io_gives) begin
      where = io_of;
    end
    if(io_clear_valid) begin
      where = io_clear_payload;
    end
  end

  always @(*) begin
    written_pid = io_pid;
    if(io_gives) begin
      written_pid = row_pid;
    end
  end

  always @(*) begin
    written_pairs = (pairs + 11'h001);
    if(io_gives) begin
      written_pairs = (row_pairs - 11'h001);
    end
    if(io_clear_valid) begin
      written_pairs = 11'h0;
    end
  end

  always @(posedge clk) begin
    if(reset) begin
      found <= 1'b0;
      next_1 <= 11'h0;
      looked <= 1'b0;
      some <= 1'b0;
    end else begin
      looked <= (searches && (! next_1[10]));
      if(searches) begin
        if((! next_1[10])) begin
          next_1 <= (next_1 + 11'h001);
        end
        if(looked) begin
          if(_zz_when) begin
            some <= 1'b1;
          end
          if((own || (&at))) begin
            found <= 1'b1;
          end
        end
      end
      if(io_ends) begin
        found <= 1'b0;
        some <= 1'b0;
        next_1 <= 11'h0;
      end
    end
  end

  always @(posedge clk) begin
    at <= next_1[9:0];
    if(searches) begin
      if(looked) begin
        if(_zz_when) begin
          share <= at;
          pairs <= row_pairs;
        end
      end
    end
  end


endmodule

module StreamFifo_6 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [47:0]   io_push_payload_dstMac,
  input  wire [31:0]   io_push_payload_dstIp,
  input  wire [15:0]   io_push_payload_srcPort,
  input  wire [7:0]    io_push_payload_opcode,
  input  wire [15:0]   io_push_payload_pkey,
  input  wire [23:0]   io_push_payload_destQp,
  input  wire [23:0]   io_push_payload_psn,
  input  wire          io_push_payload_ackRequest,
  input  wire [7:0]    io_push_payload_syndrome,
  input  wire [23:0]   io_push_payload_msn,
  input  wire [63:0]   io_push_payload_original,
  input  wire [12:0]   io_push_payload_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [47:0]   io_pop_payload_dstMac,
  output wire [31:0]   io_pop_payload_dstIp,
  output wire [15:0]   io_pop_payload_srcPort,
  output wire [7:0]    io_pop_payload_opcode,
  output wire [15:0]   io_pop_payload_pkey,
  output wire [23:0]   io_pop_payload_destQp,
  output wire [23:0]   io_pop_payload_psn,
  output wire          io_pop_payload_ackRequest,
  output wire [7:0]    io_pop_payload_syndrome,
  output wire [23:0]   io_pop_payload_msn,
  output wire [63:0]   io_pop_payload_original,
  output wire [12:0]   io_pop_payload_payload,
  input  wire          io_flush,
  output wire [2:0]    io_availability,
  input  wire          clk,
  input  wire          reset
);

  wire       [277:0]  logic_ram_spinal_port1;
  wire       [277:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [2:0]    logic_ptr_push;
  reg        [2:0]    logic_ptr_pop;
  wire       [2:0]    logic_ptr_occupancy;
  wire       [2:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [1:0]    logic_push_onRam_write_payload_address;
  wire       [47:0]   logic_push_onRam_write_payload_data_dstMac;
  wire       [31:0]   logic_push_onRam_write_payload_data_dstIp;
  wire       [15:0]   logic_push_onRam_write_payload_data_srcPort;
  wire       [7:0]    logic_push_onRam_write_payload_data_opcode;
  wire       [15:0]   logic_push_onRam_write_payload_data_pkey;
  wire       [23:0]   logic_push_onRam_write_payload_data_destQp;
  wire       [23:0]   logic_push_onRam_write_payload_data_psn;
  wire                logic_push_onRam_write_payload_data_ackRequest;
  wire       [7:0]    logic_push_onRam_write_payload_data_syndrome;
  wire       [23:0]   logic_push_onRam_write_payload_data_msn;
  wire       [63:0]   logic_push_onRam_write_payload_data_original;
  wire       [12:0]   logic_push_onRam_write_payload_data_payload;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [47:0]   logic_pop_async_readed_dstMac;
  wire       [31:0]   logic_pop_async_readed_dstIp;
  wire       [15:0]   logic_pop_async_readed_srcPort;
  wire       [7:0]    logic_pop_async_readed_opcode;
  wire       [15:0]   logic_pop_async_readed_pkey;
  wire       [23:0]   logic_pop_async_readed_destQp;
  wire       [23:0]   logic_pop_async_readed_psn;
  wire                logic_pop_async_readed_ackRequest;
  wire       [7:0]    logic_pop_async_readed_syndrome;
  wire       [23:0]   logic_pop_async_readed_msn;
  wire       [63:0]   logic_pop_async_readed_original;
  wire       [12:0]   logic_pop_async_readed_payload;
  wire       [277:0]  _zz_logic_pop_async_readed_dstMac;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [47:0]   logic_pop_addressGen_translated_payload_dstMac;
  wire       [31:0]   logic_pop_addressGen_translated_payload_dstIp;
  wire       [15:0]   logic_pop_addressGen_translated_payload_srcPort;
  wire       [7:0]    logic_pop_addressGen_translated_payload_opcode;
  wire       [15:0]   logic_pop_addressGen_translated_payload_pkey;
  wire       [23:0]   logic_pop_addressGen_translated_payload_destQp;
  wire       [23:0]   logic_pop_addressGen_translated_payload_psn;
  wire                logic_pop_addressGen_translated_payload_ackRequest;
  wire       [7:0]    logic_pop_addressGen_translated_payload_syndrome;
  wire       [23:0]   logic_pop_addressGen_translated_payload_msn;
  wire       [63:0]   logic_pop_addressGen_translated_payload_original;
  wire       [12:0]   logic_pop_addressGen_translated_payload_payload;
  (* ram_style = "distributed" *) reg [277:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_payload,{logic_push_onRam_write_payload_data_original,{logic_push_onRam_write_payload_data_msn,{logic_push_onRam_write_payload_data_syndrome,{logic_push_onRam_write_payload_data_ackRequest,{logic_push_onRam_write_payload_data_psn,{logic_push_onRam_write_payload_data_destQp,{logic_push_onRam_write_payload_data_pkey,{logic_push_onRam_write_payload_data_opcode,{logic_push_onRam_write_payload_data_srcPort,{logic_push_onRam_write_payload_data_dstIp,logic_push_onRam_write_payload_data_dstMac}}}}}}}}}}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
  assign logic_push_onRam_write_payload_data_dstMac = io_push_payload_dstMac;
  assign logic_push_onRam_write_payload_data_dstIp = io_push_payload_dstIp;
  assign logic_push_onRam_write_payload_data_srcPort = io_push_payload_srcPort;
  assign logic_push_onRam_write_payload_data_opcode = io_push_payload_opcode;
  assign logic_push_onRam_write_payload_data_pkey = io_push_payload_pkey;
  assign logic_push_onRam_write_payload_data_destQp = io_push_payload_destQp;
  assign logic_push_onRam_write_payload_data_psn = io_push_payload_psn;
  assign logic_push_onRam_write_payload_data_ackRequest = io_push_payload_ackRequest;
  assign logic_push_onRam_write_payload_data_syndrome = io_push_payload_syndrome;
  assign logic_push_onRam_write_payload_data_msn = io_push_payload_msn;
  assign logic_push_onRam_write_payload_data_original = io_push_payload_original;
  assign logic_push_onRam_write_payload_data_payload = io_push_payload_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_dstMac = logic_ram_spinal_port1;
  assign logic_pop_async_readed_dstMac = _zz_logic_pop_async_readed_dstMac[47 : 0];
  assign logic_pop_async_readed_dstIp = _zz_logic_pop_async_readed_dstMac[79 : 48];
  assign logic_pop_async_readed_srcPort = _zz_logic_pop_async_readed_dstMac[95 : 80];
  assign logic_pop_async_readed_opcode = _zz_logic_pop_async_readed_dstMac[103 : 96];
  assign logic_pop_async_readed_pkey = _zz_logic_pop_async_readed_dstMac[119 : 104];
  assign logic_pop_async_readed_destQp = _zz_logic_pop_async_readed_dstMac[143 : 120];
  assign logic_pop_async_readed_psn = _zz_logic_pop_async_readed_dstMac[167 : 144];
  assign logic_pop_async_readed_ackRequest = _zz_logic_pop_async_readed_dstMac[168];
  assign logic_pop_async_readed_syndrome = _zz_logic_pop_async_readed_dstMac[176 : 169];
  assign logic_pop_async_readed_msn = _zz_logic_pop_async_readed_dstMac[200 : 177];
  assign logic_pop_async_readed_original = _zz_logic_pop_async_readed_dstMac[264 : 201];
  assign logic_pop_async_readed_payload = _zz_logic_pop_async_readed_dstMac[277 : 265];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_dstMac = logic_pop_async_readed_dstMac;
  assign logic_pop_addressGen_translated_payload_dstIp = logic_pop_async_readed_dstIp;
  assign logic_pop_addressGen_translated_payload_srcPort = logic_pop_async_readed_srcPort;
  assign logic_pop_addressGen_translated_payload_opcode = logic_pop_async_readed_opcode;
  assign logic_pop_addressGen_translated_payload_pkey = logic_pop_async_readed_pkey;
  assign logic_pop_addressGen_translated_payload_destQp = logic_pop_async_readed_destQp;
  assign logic_pop_addressGen_translated_payload_psn = logic_pop_async_readed_psn;
  assign logic_pop_addressGen_translated_payload_ackRequest = logic_pop_async_readed_ackRequest;
  assign logic_pop_addressGen_translated_payload_syndrome = logic_pop_async_readed_syndrome;
  assign logic_pop_addressGen_translated_payload_msn = logic_pop_async_readed_msn;
  assign logic_pop_addressGen_translated_payload_original = logic_pop_async_readed_original;
  assign logic_pop_addressGen_translated_payload_payload = logic_pop_async_readed_payload;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_dstMac = logic_pop_addressGen_translated_payload_dstMac;
  assign io_pop_payload_dstIp = logic_pop_addressGen_translated_payload_dstIp;
  assign io_pop_payload_srcPort = logic_pop_addressGen_translated_payload_srcPort;
  assign io_pop_payload_opcode = logic_pop_addressGen_translated_payload_opcode;
  assign io_pop_payload_pkey = logic_pop_addressGen_translated_payload_pkey;
  assign io_pop_payload_destQp = logic_pop_addressGen_translated_payload_destQp;
  assign io_pop_payload_psn = logic_pop_addressGen_translated_payload_psn;
  assign io_pop_payload_ackRequest = logic_pop_addressGen_translated_payload_ackRequest;
  assign io_pop_payload_syndrome = logic_pop_addressGen_translated_payload_syndrome;
  assign io_pop_payload_msn = logic_pop_addressGen_translated_payload_msn;
  assign io_pop_payload_original = logic_pop_addressGen_translated_payload_original;
  assign io_pop_payload_payload = logic_pop_addressGen_translated_payload_payload;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_availability = (3'b100 - logic_ptr_occupancy);
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 3'b001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 3'b001);
      end
      if(io_flush) begin
        logic_ptr_push <= 3'b000;
        logic_ptr_pop <= 3'b000;
      end
    end
  end


endmodule

module StreamFifo_5 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [12:0]   io_push_payload_bytes,
  input  wire          io_push_payload_zeros,
  input  wire          io_push_payload_drop,
  input  wire          io_push_payload_last,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [12:0]   io_pop_payload_bytes,
  output wire          io_pop_payload_zeros,
  output wire          io_pop_payload_drop,
  output wire          io_pop_payload_last,
  input  wire          io_flush,
  output wire [4:0]    io_availability,
  input  wire          clk,
  input  wire          reset
);

  wire       [15:0]   logic_ram_spinal_port1;
  wire       [15:0]   _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_occupancy;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire       [12:0]   logic_push_onRam_write_payload_data_bytes;
  wire                logic_push_onRam_write_payload_data_zeros;
  wire                logic_push_onRam_write_payload_data_drop;
  wire                logic_push_onRam_write_payload_data_last;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [12:0]   logic_pop_async_readed_bytes;
  wire                logic_pop_async_readed_zeros;
  wire                logic_pop_async_readed_drop;
  wire                logic_pop_async_readed_last;
  wire       [15:0]   _zz_logic_pop_async_readed_bytes;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [12:0]   logic_pop_addressGen_translated_payload_bytes;
  wire                logic_pop_addressGen_translated_payload_zeros;
  wire                logic_pop_addressGen_translated_payload_drop;
  wire                logic_pop_addressGen_translated_payload_last;
  (* ram_style = "distributed" *) reg [15:0] logic_ram [0:15];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_last,{logic_push_onRam_write_payload_data_drop,{logic_push_onRam_write_payload_data_zeros,logic_push_onRam_write_payload_data_bytes}}};
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
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[3:0];
  assign logic_push_onRam_write_payload_data_bytes = io_push_payload_bytes;
  assign logic_push_onRam_write_payload_data_zeros = io_push_payload_zeros;
  assign logic_push_onRam_write_payload_data_drop = io_push_payload_drop;
  assign logic_push_onRam_write_payload_data_last = io_push_payload_last;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_bytes = logic_ram_spinal_port1;
  assign logic_pop_async_readed_bytes = _zz_logic_pop_async_readed_bytes[12 : 0];
  assign logic_pop_async_readed_zeros = _zz_logic_pop_async_readed_bytes[13];
  assign logic_pop_async_readed_drop = _zz_logic_pop_async_readed_bytes[14];
  assign logic_pop_async_readed_last = _zz_logic_pop_async_readed_bytes[15];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_bytes = logic_pop_async_readed_bytes;
  assign logic_pop_addressGen_translated_payload_zeros = logic_pop_async_readed_zeros;
  assign logic_pop_addressGen_translated_payload_drop = logic_pop_async_readed_drop;
  assign logic_pop_addressGen_translated_payload_last = logic_pop_async_readed_last;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_bytes = logic_pop_addressGen_translated_payload_bytes;
  assign io_pop_payload_zeros = logic_pop_addressGen_translated_payload_zeros;
  assign io_pop_payload_drop = logic_pop_addressGen_translated_payload_drop;
  assign io_pop_payload_last = logic_pop_addressGen_translated_payload_last;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_availability = (5'h10 - logic_ptr_occupancy);
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

module AnswerPacker (
  input  wire          io_chunks_valid,
  output wire          io_chunks_ready,
  input  wire [12:0]   io_chunks_payload_bytes,
  input  wire          io_chunks_payload_zeros,
  input  wire          io_chunks_payload_drop,
  input  wire          io_chunks_payload_last,
  input  wire          io_data_valid,
  output wire          io_data_ready,
  input  wire [511:0]  io_data_payload_data,
  input  wire          io_data_payload_error,
  output wire          io_beats_valid,
  input  wire          io_beats_ready,
  output wire [511:0]  io_beats_payload_data,
  output wire          io_beats_payload_error,
  input  wire          clk,
  input  wire          reset
);

  wire                rotator_io_beats_valid;
  wire       [511:0]  rotator_io_beats_payload_data;
  wire       [5:0]    rotator_io_beats_payload_amount;
  wire                rotator_io_beats_payload_info_fills;
  wire                rotator_io_beats_payload_info_spills;
  wire                rotator_io_beats_payload_info_last;
  wire                rotator_io_beats_payload_info_error;
  wire                rotator_io_turned_ready;
  wire                rotator_io_beats_ready;
  wire                rotator_io_turned_valid;
  wire       [511:0]  rotator_io_turned_payload_data;
  wire       [5:0]    rotator_io_turned_payload_info_fill;
  wire                rotator_io_turned_payload_info_fills;
  wire                rotator_io_turned_payload_info_spills;
  wire                rotator_io_turned_payload_info_last;
  wire                rotator_io_turned_payload_info_error;
  wire       [6:0]    _zz_bytes;
  wire       [7:0]    _zz_sum;
  wire       [6:0]    _zz_sum_1;
  wire       [12:0]   _zz_before_1;
  wire       [5:0]    _zz_fill;
  wire                _zz_io_beats_payload_data;
  wire                _zz_io_beats_payload_data_1;
  wire       [7:0]    _zz_io_beats_payload_data_2;
  wire       [7:0]    _zz_io_beats_payload_data_3;
  wire       [7:0]    _zz_io_beats_payload_data_4;
  wire       [7:0]    _zz_io_beats_payload_data_5;
  wire       [7:0]    _zz_io_beats_payload_data_6;
  wire       [5:0]    _zz_io_beats_payload_data_7;
  wire       [471:0]  _zz_io_beats_payload_data_8;
  wire                _zz_io_beats_payload_data_9;
  wire                _zz_io_beats_payload_data_10;
  wire       [7:0]    _zz_io_beats_payload_data_11;
  wire       [7:0]    _zz_io_beats_payload_data_12;
  wire       [7:0]    _zz_io_beats_payload_data_13;
  wire       [7:0]    _zz_io_beats_payload_data_14;
  wire       [7:0]    _zz_io_beats_payload_data_15;
  wire       [5:0]    _zz_io_beats_payload_data_16;
  wire       [439:0]  _zz_io_beats_payload_data_17;
  wire                _zz_io_beats_payload_data_18;
  wire                _zz_io_beats_payload_data_19;
  wire       [7:0]    _zz_io_beats_payload_data_20;
  wire       [7:0]    _zz_io_beats_payload_data_21;
  wire       [7:0]    _zz_io_beats_payload_data_22;
  wire       [7:0]    _zz_io_beats_payload_data_23;
  wire       [7:0]    _zz_io_beats_payload_data_24;
  wire       [5:0]    _zz_io_beats_payload_data_25;
  wire       [407:0]  _zz_io_beats_payload_data_26;
  wire                _zz_io_beats_payload_data_27;
  wire                _zz_io_beats_payload_data_28;
  wire       [7:0]    _zz_io_beats_payload_data_29;
  wire       [7:0]    _zz_io_beats_payload_data_30;
  wire       [7:0]    _zz_io_beats_payload_data_31;
  wire       [7:0]    _zz_io_beats_payload_data_32;
  wire       [7:0]    _zz_io_beats_payload_data_33;
  wire       [5:0]    _zz_io_beats_payload_data_34;
  wire       [375:0]  _zz_io_beats_payload_data_35;
  wire                _zz_io_beats_payload_data_36;
  wire                _zz_io_beats_payload_data_37;
  wire       [7:0]    _zz_io_beats_payload_data_38;
  wire       [7:0]    _zz_io_beats_payload_data_39;
  wire       [7:0]    _zz_io_beats_payload_data_40;
  wire       [7:0]    _zz_io_beats_payload_data_41;
  wire       [7:0]    _zz_io_beats_payload_data_42;
  wire       [5:0]    _zz_io_beats_payload_data_43;
  wire       [343:0]  _zz_io_beats_payload_data_44;
  wire                _zz_io_beats_payload_data_45;
  wire                _zz_io_beats_payload_data_46;
  wire       [7:0]    _zz_io_beats_payload_data_47;
  wire       [7:0]    _zz_io_beats_payload_data_48;
  wire       [7:0]    _zz_io_beats_payload_data_49;
  wire       [7:0]    _zz_io_beats_payload_data_50;
  wire       [7:0]    _zz_io_beats_payload_data_51;
  wire       [5:0]    _zz_io_beats_payload_data_52;
  wire       [311:0]  _zz_io_beats_payload_data_53;
  wire                _zz_io_beats_payload_data_54;
  wire                _zz_io_beats_payload_data_55;
  wire       [7:0]    _zz_io_beats_payload_data_56;
  wire       [7:0]    _zz_io_beats_payload_data_57;
  wire       [7:0]    _zz_io_beats_payload_data_58;
  wire       [7:0]    _zz_io_beats_payload_data_59;
  wire       [7:0]    _zz_io_beats_payload_data_60;
  wire       [5:0]    _zz_io_beats_payload_data_61;
  wire       [279:0]  _zz_io_beats_payload_data_62;
  wire                _zz_io_beats_payload_data_63;
  wire                _zz_io_beats_payload_data_64;
  wire       [7:0]    _zz_io_beats_payload_data_65;
  wire       [7:0]    _zz_io_beats_payload_data_66;
  wire       [7:0]    _zz_io_beats_payload_data_67;
  wire       [7:0]    _zz_io_beats_payload_data_68;
  wire       [7:0]    _zz_io_beats_payload_data_69;
  wire       [5:0]    _zz_io_beats_payload_data_70;
  wire       [247:0]  _zz_io_beats_payload_data_71;
  wire                _zz_io_beats_payload_data_72;
  wire                _zz_io_beats_payload_data_73;
  wire       [7:0]    _zz_io_beats_payload_data_74;
  wire       [7:0]    _zz_io_beats_payload_data_75;
  wire       [7:0]    _zz_io_beats_payload_data_76;
  wire       [7:0]    _zz_io_beats_payload_data_77;
  wire       [7:0]    _zz_io_beats_payload_data_78;
  wire       [5:0]    _zz_io_beats_payload_data_79;
  wire       [215:0]  _zz_io_beats_payload_data_80;
  wire                _zz_io_beats_payload_data_81;
  wire                _zz_io_beats_payload_data_82;
  wire       [7:0]    _zz_io_beats_payload_data_83;
  wire       [7:0]    _zz_io_beats_payload_data_84;
  wire       [7:0]    _zz_io_beats_payload_data_85;
  wire       [7:0]    _zz_io_beats_payload_data_86;
  wire       [7:0]    _zz_io_beats_payload_data_87;
  wire       [5:0]    _zz_io_beats_payload_data_88;
  wire       [183:0]  _zz_io_beats_payload_data_89;
  wire                _zz_io_beats_payload_data_90;
  wire                _zz_io_beats_payload_data_91;
  wire       [7:0]    _zz_io_beats_payload_data_92;
  wire       [7:0]    _zz_io_beats_payload_data_93;
  wire       [7:0]    _zz_io_beats_payload_data_94;
  wire       [7:0]    _zz_io_beats_payload_data_95;
  wire       [7:0]    _zz_io_beats_payload_data_96;
  wire       [5:0]    _zz_io_beats_payload_data_97;
  wire       [151:0]  _zz_io_beats_payload_data_98;
  wire                _zz_io_beats_payload_data_99;
  wire                _zz_io_beats_payload_data_100;
  wire       [7:0]    _zz_io_beats_payload_data_101;
  wire       [7:0]    _zz_io_beats_payload_data_102;
  wire       [7:0]    _zz_io_beats_payload_data_103;
  wire       [7:0]    _zz_io_beats_payload_data_104;
  wire       [7:0]    _zz_io_beats_payload_data_105;
  wire       [5:0]    _zz_io_beats_payload_data_106;
  wire       [119:0]  _zz_io_beats_payload_data_107;
  wire                _zz_io_beats_payload_data_108;
  wire                _zz_io_beats_payload_data_109;
  wire       [7:0]    _zz_io_beats_payload_data_110;
  wire       [7:0]    _zz_io_beats_payload_data_111;
  wire       [7:0]    _zz_io_beats_payload_data_112;
  wire       [7:0]    _zz_io_beats_payload_data_113;
  wire       [7:0]    _zz_io_beats_payload_data_114;
  wire       [5:0]    _zz_io_beats_payload_data_115;
  wire       [87:0]   _zz_io_beats_payload_data_116;
  wire                _zz_io_beats_payload_data_117;
  wire                _zz_io_beats_payload_data_118;
  wire       [7:0]    _zz_io_beats_payload_data_119;
  wire       [7:0]    _zz_io_beats_payload_data_120;
  wire       [7:0]    _zz_io_beats_payload_data_121;
  wire       [7:0]    _zz_io_beats_payload_data_122;
  wire       [7:0]    _zz_io_beats_payload_data_123;
  wire       [5:0]    _zz_io_beats_payload_data_124;
  wire       [55:0]   _zz_io_beats_payload_data_125;
  wire                _zz_io_beats_payload_data_126;
  wire                _zz_io_beats_payload_data_127;
  wire       [7:0]    _zz_io_beats_payload_data_128;
  wire       [7:0]    _zz_io_beats_payload_data_129;
  wire       [7:0]    _zz_io_beats_payload_data_130;
  wire       [7:0]    _zz_io_beats_payload_data_131;
  wire       [7:0]    _zz_io_beats_payload_data_132;
  wire       [5:0]    _zz_io_beats_payload_data_133;
  wire       [23:0]   _zz_io_beats_payload_data_134;
  wire                _zz_io_beats_payload_data_135;
  wire                _zz_io_beats_payload_data_136;
  wire       [7:0]    _zz_io_beats_payload_data_137;
  wire       [7:0]    _zz_io_beats_payload_data_138;
  wire                _zz_io_beats_payload_data_139;
  wire       [7:0]    _zz_io_beats_payload_data_140;
  wire       [7:0]    _zz_io_beats_payload_data_141;
  wire       [5:0]    _zz_held;
  wire                _zz_held_1;
  wire       [7:0]    _zz_held_2;
  wire       [7:0]    _zz_held_3;
  wire       [7:0]    _zz_held_4;
  wire       [479:0]  _zz_held_5;
  wire       [5:0]    _zz_held_6;
  wire                _zz_held_7;
  wire       [7:0]    _zz_held_8;
  wire       [7:0]    _zz_held_9;
  wire       [7:0]    _zz_held_10;
  wire       [455:0]  _zz_held_11;
  wire       [5:0]    _zz_held_12;
  wire                _zz_held_13;
  wire       [7:0]    _zz_held_14;
  wire       [7:0]    _zz_held_15;
  wire       [7:0]    _zz_held_16;
  wire       [431:0]  _zz_held_17;
  wire       [5:0]    _zz_held_18;
  wire                _zz_held_19;
  wire       [7:0]    _zz_held_20;
  wire       [7:0]    _zz_held_21;
  wire       [7:0]    _zz_held_22;
  wire       [407:0]  _zz_held_23;
  wire       [5:0]    _zz_held_24;
  wire                _zz_held_25;
  wire       [7:0]    _zz_held_26;
  wire       [7:0]    _zz_held_27;
  wire       [7:0]    _zz_held_28;
  wire       [383:0]  _zz_held_29;
  wire       [5:0]    _zz_held_30;
  wire                _zz_held_31;
  wire       [7:0]    _zz_held_32;
  wire       [7:0]    _zz_held_33;
  wire       [7:0]    _zz_held_34;
  wire       [359:0]  _zz_held_35;
  wire       [5:0]    _zz_held_36;
  wire                _zz_held_37;
  wire       [7:0]    _zz_held_38;
  wire       [7:0]    _zz_held_39;
  wire       [7:0]    _zz_held_40;
  wire       [335:0]  _zz_held_41;
  wire       [5:0]    _zz_held_42;
  wire                _zz_held_43;
  wire       [7:0]    _zz_held_44;
  wire       [7:0]    _zz_held_45;
  wire       [7:0]    _zz_held_46;
  wire       [311:0]  _zz_held_47;
  wire       [5:0]    _zz_held_48;
  wire                _zz_held_49;
  wire       [7:0]    _zz_held_50;
  wire       [7:0]    _zz_held_51;
  wire       [7:0]    _zz_held_52;
  wire       [287:0]  _zz_held_53;
  wire       [5:0]    _zz_held_54;
  wire                _zz_held_55;
  wire       [7:0]    _zz_held_56;
  wire       [7:0]    _zz_held_57;
  wire       [7:0]    _zz_held_58;
  wire       [263:0]  _zz_held_59;
  wire       [5:0]    _zz_held_60;
  wire                _zz_held_61;
  wire       [7:0]    _zz_held_62;
  wire       [7:0]    _zz_held_63;
  wire       [7:0]    _zz_held_64;
  wire       [239:0]  _zz_held_65;
  wire       [5:0]    _zz_held_66;
  wire                _zz_held_67;
  wire       [7:0]    _zz_held_68;
  wire       [7:0]    _zz_held_69;
  wire       [7:0]    _zz_held_70;
  wire       [215:0]  _zz_held_71;
  wire       [5:0]    _zz_held_72;
  wire                _zz_held_73;
  wire       [7:0]    _zz_held_74;
  wire       [7:0]    _zz_held_75;
  wire       [7:0]    _zz_held_76;
  wire       [191:0]  _zz_held_77;
  wire       [5:0]    _zz_held_78;
  wire                _zz_held_79;
  wire       [7:0]    _zz_held_80;
  wire       [7:0]    _zz_held_81;
  wire       [7:0]    _zz_held_82;
  wire       [167:0]  _zz_held_83;
  wire       [5:0]    _zz_held_84;
  wire                _zz_held_85;
  wire       [7:0]    _zz_held_86;
  wire       [7:0]    _zz_held_87;
  wire       [7:0]    _zz_held_88;
  wire       [143:0]  _zz_held_89;
  wire       [5:0]    _zz_held_90;
  wire                _zz_held_91;
  wire       [7:0]    _zz_held_92;
  wire       [7:0]    _zz_held_93;
  wire       [7:0]    _zz_held_94;
  wire       [119:0]  _zz_held_95;
  wire       [5:0]    _zz_held_96;
  wire                _zz_held_97;
  wire       [7:0]    _zz_held_98;
  wire       [7:0]    _zz_held_99;
  wire       [7:0]    _zz_held_100;
  wire       [95:0]   _zz_held_101;
  wire       [5:0]    _zz_held_102;
  wire                _zz_held_103;
  wire       [7:0]    _zz_held_104;
  wire       [7:0]    _zz_held_105;
  wire       [7:0]    _zz_held_106;
  wire       [71:0]   _zz_held_107;
  wire       [5:0]    _zz_held_108;
  wire                _zz_held_109;
  wire       [7:0]    _zz_held_110;
  wire       [7:0]    _zz_held_111;
  wire       [7:0]    _zz_held_112;
  wire       [47:0]   _zz_held_113;
  wire       [5:0]    _zz_held_114;
  wire                _zz_held_115;
  wire       [7:0]    _zz_held_116;
  wire       [7:0]    _zz_held_117;
  wire       [7:0]    _zz_held_118;
  wire       [23:0]   _zz_held_119;
  wire       [5:0]    _zz_held_120;
  wire                _zz_held_121;
  wire       [7:0]    _zz_held_122;
  wire       [7:0]    _zz_held_123;
  wire                _zz_held_124;
  wire       [7:0]    _zz_held_125;
  wire       [7:0]    _zz_held_126;
  wire                _zz_held_127;
  wire                _zz_held_128;
  wire       [7:0]    _zz_held_129;
  wire       [7:0]    _zz_held_130;
  wire       [7:0]    _zz_held_131;
  wire       [7:0]    _zz_held_132;
  wire       [5:0]    _zz_held_133;
  wire       [7:0]    _zz_held_134;
  wire                _zz_held_135;
  wire       [479:0]  _zz_held_136;
  wire                _zz_held_137;
  wire       [7:0]    _zz_held_138;
  wire       [7:0]    _zz_held_139;
  wire       [7:0]    _zz_held_140;
  wire       [7:0]    _zz_held_141;
  wire       [5:0]    _zz_held_142;
  wire       [7:0]    _zz_held_143;
  wire                _zz_held_144;
  wire       [455:0]  _zz_held_145;
  wire                _zz_held_146;
  wire       [7:0]    _zz_held_147;
  wire       [7:0]    _zz_held_148;
  wire       [7:0]    _zz_held_149;
  wire       [7:0]    _zz_held_150;
  wire       [5:0]    _zz_held_151;
  wire       [7:0]    _zz_held_152;
  wire                _zz_held_153;
  wire       [431:0]  _zz_held_154;
  wire                _zz_held_155;
  wire       [7:0]    _zz_held_156;
  wire       [7:0]    _zz_held_157;
  wire       [7:0]    _zz_held_158;
  wire       [7:0]    _zz_held_159;
  wire       [5:0]    _zz_held_160;
  wire       [7:0]    _zz_held_161;
  wire                _zz_held_162;
  wire       [407:0]  _zz_held_163;
  wire                _zz_held_164;
  wire       [7:0]    _zz_held_165;
  wire       [7:0]    _zz_held_166;
  wire       [7:0]    _zz_held_167;
  wire       [7:0]    _zz_held_168;
  wire       [5:0]    _zz_held_169;
  wire       [7:0]    _zz_held_170;
  wire                _zz_held_171;
  wire       [383:0]  _zz_held_172;
  wire                _zz_held_173;
  wire       [7:0]    _zz_held_174;
  wire       [7:0]    _zz_held_175;
  wire       [7:0]    _zz_held_176;
  wire       [7:0]    _zz_held_177;
  wire       [5:0]    _zz_held_178;
  wire       [7:0]    _zz_held_179;
  wire                _zz_held_180;
  wire       [359:0]  _zz_held_181;
  wire                _zz_held_182;
  wire       [7:0]    _zz_held_183;
  wire       [7:0]    _zz_held_184;
  wire       [7:0]    _zz_held_185;
  wire       [7:0]    _zz_held_186;
  wire       [5:0]    _zz_held_187;
  wire       [7:0]    _zz_held_188;
  wire                _zz_held_189;
  wire       [335:0]  _zz_held_190;
  wire                _zz_held_191;
  wire       [7:0]    _zz_held_192;
  wire       [7:0]    _zz_held_193;
  wire       [7:0]    _zz_held_194;
  wire       [7:0]    _zz_held_195;
  wire       [5:0]    _zz_held_196;
  wire       [7:0]    _zz_held_197;
  wire                _zz_held_198;
  wire       [311:0]  _zz_held_199;
  wire                _zz_held_200;
  wire       [7:0]    _zz_held_201;
  wire       [7:0]    _zz_held_202;
  wire       [7:0]    _zz_held_203;
  wire       [7:0]    _zz_held_204;
  wire       [5:0]    _zz_held_205;
  wire       [7:0]    _zz_held_206;
  wire                _zz_held_207;
  wire       [287:0]  _zz_held_208;
  wire                _zz_held_209;
  wire       [7:0]    _zz_held_210;
  wire       [7:0]    _zz_held_211;
  wire       [7:0]    _zz_held_212;
  wire       [7:0]    _zz_held_213;
  wire       [5:0]    _zz_held_214;
  wire       [7:0]    _zz_held_215;
  wire                _zz_held_216;
  wire       [263:0]  _zz_held_217;
  wire                _zz_held_218;
  wire       [7:0]    _zz_held_219;
  wire       [7:0]    _zz_held_220;
  wire       [7:0]    _zz_held_221;
  wire       [7:0]    _zz_held_222;
  wire       [5:0]    _zz_held_223;
  wire       [7:0]    _zz_held_224;
  wire                _zz_held_225;
  wire       [239:0]  _zz_held_226;
  wire                _zz_held_227;
  wire       [7:0]    _zz_held_228;
  wire       [7:0]    _zz_held_229;
  wire       [7:0]    _zz_held_230;
  wire       [7:0]    _zz_held_231;
  wire       [5:0]    _zz_held_232;
  wire       [7:0]    _zz_held_233;
  wire                _zz_held_234;
  wire       [215:0]  _zz_held_235;
  wire                _zz_held_236;
  wire       [7:0]    _zz_held_237;
  wire       [7:0]    _zz_held_238;
  wire       [7:0]    _zz_held_239;
  wire       [7:0]    _zz_held_240;
  wire       [5:0]    _zz_held_241;
  wire       [7:0]    _zz_held_242;
  wire                _zz_held_243;
  wire       [191:0]  _zz_held_244;
  wire                _zz_held_245;
  wire       [7:0]    _zz_held_246;
  wire       [7:0]    _zz_held_247;
  wire       [7:0]    _zz_held_248;
  wire       [7:0]    _zz_held_249;
  wire       [5:0]    _zz_held_250;
  wire       [7:0]    _zz_held_251;
  wire                _zz_held_252;
  wire       [167:0]  _zz_held_253;
  wire                _zz_held_254;
  wire       [7:0]    _zz_held_255;
  wire       [7:0]    _zz_held_256;
  wire       [7:0]    _zz_held_257;
  wire       [7:0]    _zz_held_258;
  wire       [5:0]    _zz_held_259;
  wire       [7:0]    _zz_held_260;
  wire                _zz_held_261;
  wire       [143:0]  _zz_held_262;
  wire                _zz_held_263;
  wire       [7:0]    _zz_held_264;
  wire       [7:0]    _zz_held_265;
  wire       [7:0]    _zz_held_266;
  wire       [7:0]    _zz_held_267;
  wire       [5:0]    _zz_held_268;
  wire       [7:0]    _zz_held_269;
  wire                _zz_held_270;
  wire       [119:0]  _zz_held_271;
  wire                _zz_held_272;
  wire       [7:0]    _zz_held_273;
  wire       [7:0]    _zz_held_274;
  wire       [7:0]    _zz_held_275;
  wire       [7:0]    _zz_held_276;
  wire       [5:0]    _zz_held_277;
  wire       [7:0]    _zz_held_278;
  wire                _zz_held_279;
  wire       [95:0]   _zz_held_280;
  wire                _zz_held_281;
  wire       [7:0]    _zz_held_282;
  wire       [7:0]    _zz_held_283;
  wire       [7:0]    _zz_held_284;
  wire       [7:0]    _zz_held_285;
  wire       [5:0]    _zz_held_286;
  wire       [7:0]    _zz_held_287;
  wire                _zz_held_288;
  wire       [71:0]   _zz_held_289;
  wire                _zz_held_290;
  wire       [7:0]    _zz_held_291;
  wire       [7:0]    _zz_held_292;
  wire       [7:0]    _zz_held_293;
  wire       [7:0]    _zz_held_294;
  wire       [5:0]    _zz_held_295;
  wire       [7:0]    _zz_held_296;
  wire                _zz_held_297;
  wire       [47:0]   _zz_held_298;
  wire                _zz_held_299;
  wire       [7:0]    _zz_held_300;
  wire       [7:0]    _zz_held_301;
  wire       [7:0]    _zz_held_302;
  wire       [7:0]    _zz_held_303;
  wire       [5:0]    _zz_held_304;
  wire       [7:0]    _zz_held_305;
  wire                _zz_held_306;
  wire       [23:0]   _zz_held_307;
  wire                _zz_held_308;
  wire       [7:0]    _zz_held_309;
  wire       [7:0]    _zz_held_310;
  wire       [7:0]    _zz_held_311;
  wire       [7:0]    _zz_held_312;
  wire       [7:0]    _zz_held_313;
  wire       [7:0]    _zz_held_314;
  reg        [12:0]   before_1;
  reg        [5:0]    fill;
  wire       [12:0]   rest;
  wire       [6:0]    bytes;
  wire                ends;
  wire                there;
  wire       [7:0]    sum;
  wire                goes;
  reg        [511:0]  held;
  reg                 heldError;
  reg                 flush;
  wire                sends;
  wire                rotator_io_turned_fire;

  assign _zz_bytes = rest[6:0];
  assign _zz_sum_1 = {1'b0,fill};
  assign _zz_sum = {1'd0, _zz_sum_1};
  assign _zz_before_1 = (before_1 + 13'h0040);
  assign _zz_fill = sum[5:0];
  assign _zz_io_beats_payload_data = (6'h3e < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_1 = (! (6'h3d < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_2 = rotator_io_turned_payload_data[495 : 488];
  assign _zz_io_beats_payload_data_3 = 8'h0;
  assign _zz_io_beats_payload_data_4 = held[487 : 480];
  assign _zz_io_beats_payload_data_5 = ((! (6'h3c < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[487 : 480] : 8'h0);
  assign _zz_io_beats_payload_data_6 = (held[479 : 472] | ((! (_zz_io_beats_payload_data_7 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[479 : 472] : 8'h0));
  assign _zz_io_beats_payload_data_8 = {(held[471 : 464] | ((! _zz_io_beats_payload_data_9) ? rotator_io_turned_payload_data[471 : 464] : 8'h0)),{(held[463 : 456] | (_zz_io_beats_payload_data_10 ? _zz_io_beats_payload_data_11 : _zz_io_beats_payload_data_12)),{(_zz_io_beats_payload_data_13 | _zz_io_beats_payload_data_14),{_zz_io_beats_payload_data_15,_zz_io_beats_payload_data_17}}}};
  assign _zz_io_beats_payload_data_7 = 6'h3b;
  assign _zz_io_beats_payload_data_9 = (6'h3a < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_10 = (! (6'h39 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_11 = rotator_io_turned_payload_data[463 : 456];
  assign _zz_io_beats_payload_data_12 = 8'h0;
  assign _zz_io_beats_payload_data_13 = held[455 : 448];
  assign _zz_io_beats_payload_data_14 = ((! (6'h38 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[455 : 448] : 8'h0);
  assign _zz_io_beats_payload_data_15 = (held[447 : 440] | ((! (_zz_io_beats_payload_data_16 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[447 : 440] : 8'h0));
  assign _zz_io_beats_payload_data_17 = {(held[439 : 432] | ((! _zz_io_beats_payload_data_18) ? rotator_io_turned_payload_data[439 : 432] : 8'h0)),{(held[431 : 424] | (_zz_io_beats_payload_data_19 ? _zz_io_beats_payload_data_20 : _zz_io_beats_payload_data_21)),{(_zz_io_beats_payload_data_22 | _zz_io_beats_payload_data_23),{_zz_io_beats_payload_data_24,_zz_io_beats_payload_data_26}}}};
  assign _zz_io_beats_payload_data_16 = 6'h37;
  assign _zz_io_beats_payload_data_18 = (6'h36 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_19 = (! (6'h35 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_20 = rotator_io_turned_payload_data[431 : 424];
  assign _zz_io_beats_payload_data_21 = 8'h0;
  assign _zz_io_beats_payload_data_22 = held[423 : 416];
  assign _zz_io_beats_payload_data_23 = ((! (6'h34 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[423 : 416] : 8'h0);
  assign _zz_io_beats_payload_data_24 = (held[415 : 408] | ((! (_zz_io_beats_payload_data_25 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[415 : 408] : 8'h0));
  assign _zz_io_beats_payload_data_26 = {(held[407 : 400] | ((! _zz_io_beats_payload_data_27) ? rotator_io_turned_payload_data[407 : 400] : 8'h0)),{(held[399 : 392] | (_zz_io_beats_payload_data_28 ? _zz_io_beats_payload_data_29 : _zz_io_beats_payload_data_30)),{(_zz_io_beats_payload_data_31 | _zz_io_beats_payload_data_32),{_zz_io_beats_payload_data_33,_zz_io_beats_payload_data_35}}}};
  assign _zz_io_beats_payload_data_25 = 6'h33;
  assign _zz_io_beats_payload_data_27 = (6'h32 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_28 = (! (6'h31 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_29 = rotator_io_turned_payload_data[399 : 392];
  assign _zz_io_beats_payload_data_30 = 8'h0;
  assign _zz_io_beats_payload_data_31 = held[391 : 384];
  assign _zz_io_beats_payload_data_32 = ((! (6'h30 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[391 : 384] : 8'h0);
  assign _zz_io_beats_payload_data_33 = (held[383 : 376] | ((! (_zz_io_beats_payload_data_34 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[383 : 376] : 8'h0));
  assign _zz_io_beats_payload_data_35 = {(held[375 : 368] | ((! _zz_io_beats_payload_data_36) ? rotator_io_turned_payload_data[375 : 368] : 8'h0)),{(held[367 : 360] | (_zz_io_beats_payload_data_37 ? _zz_io_beats_payload_data_38 : _zz_io_beats_payload_data_39)),{(_zz_io_beats_payload_data_40 | _zz_io_beats_payload_data_41),{_zz_io_beats_payload_data_42,_zz_io_beats_payload_data_44}}}};
  assign _zz_io_beats_payload_data_34 = 6'h2f;
  assign _zz_io_beats_payload_data_36 = (6'h2e < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_37 = (! (6'h2d < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_38 = rotator_io_turned_payload_data[367 : 360];
  assign _zz_io_beats_payload_data_39 = 8'h0;
  assign _zz_io_beats_payload_data_40 = held[359 : 352];
  assign _zz_io_beats_payload_data_41 = ((! (6'h2c < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[359 : 352] : 8'h0);
  assign _zz_io_beats_payload_data_42 = (held[351 : 344] | ((! (_zz_io_beats_payload_data_43 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[351 : 344] : 8'h0));
  assign _zz_io_beats_payload_data_44 = {(held[343 : 336] | ((! _zz_io_beats_payload_data_45) ? rotator_io_turned_payload_data[343 : 336] : 8'h0)),{(held[335 : 328] | (_zz_io_beats_payload_data_46 ? _zz_io_beats_payload_data_47 : _zz_io_beats_payload_data_48)),{(_zz_io_beats_payload_data_49 | _zz_io_beats_payload_data_50),{_zz_io_beats_payload_data_51,_zz_io_beats_payload_data_53}}}};
  assign _zz_io_beats_payload_data_43 = 6'h2b;
  assign _zz_io_beats_payload_data_45 = (6'h2a < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_46 = (! (6'h29 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_47 = rotator_io_turned_payload_data[335 : 328];
  assign _zz_io_beats_payload_data_48 = 8'h0;
  assign _zz_io_beats_payload_data_49 = held[327 : 320];
  assign _zz_io_beats_payload_data_50 = ((! (6'h28 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[327 : 320] : 8'h0);
  assign _zz_io_beats_payload_data_51 = (held[319 : 312] | ((! (_zz_io_beats_payload_data_52 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[319 : 312] : 8'h0));
  assign _zz_io_beats_payload_data_53 = {(held[311 : 304] | ((! _zz_io_beats_payload_data_54) ? rotator_io_turned_payload_data[311 : 304] : 8'h0)),{(held[303 : 296] | (_zz_io_beats_payload_data_55 ? _zz_io_beats_payload_data_56 : _zz_io_beats_payload_data_57)),{(_zz_io_beats_payload_data_58 | _zz_io_beats_payload_data_59),{_zz_io_beats_payload_data_60,_zz_io_beats_payload_data_62}}}};
  assign _zz_io_beats_payload_data_52 = 6'h27;
  assign _zz_io_beats_payload_data_54 = (6'h26 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_55 = (! (6'h25 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_56 = rotator_io_turned_payload_data[303 : 296];
  assign _zz_io_beats_payload_data_57 = 8'h0;
  assign _zz_io_beats_payload_data_58 = held[295 : 288];
  assign _zz_io_beats_payload_data_59 = ((! (6'h24 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[295 : 288] : 8'h0);
  assign _zz_io_beats_payload_data_60 = (held[287 : 280] | ((! (_zz_io_beats_payload_data_61 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[287 : 280] : 8'h0));
  assign _zz_io_beats_payload_data_62 = {(held[279 : 272] | ((! _zz_io_beats_payload_data_63) ? rotator_io_turned_payload_data[279 : 272] : 8'h0)),{(held[271 : 264] | (_zz_io_beats_payload_data_64 ? _zz_io_beats_payload_data_65 : _zz_io_beats_payload_data_66)),{(_zz_io_beats_payload_data_67 | _zz_io_beats_payload_data_68),{_zz_io_beats_payload_data_69,_zz_io_beats_payload_data_71}}}};
  assign _zz_io_beats_payload_data_61 = 6'h23;
  assign _zz_io_beats_payload_data_63 = (6'h22 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_64 = (! (6'h21 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_65 = rotator_io_turned_payload_data[271 : 264];
  assign _zz_io_beats_payload_data_66 = 8'h0;
  assign _zz_io_beats_payload_data_67 = held[263 : 256];
  assign _zz_io_beats_payload_data_68 = ((! (6'h20 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[263 : 256] : 8'h0);
  assign _zz_io_beats_payload_data_69 = (held[255 : 248] | ((! (_zz_io_beats_payload_data_70 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[255 : 248] : 8'h0));
  assign _zz_io_beats_payload_data_71 = {(held[247 : 240] | ((! _zz_io_beats_payload_data_72) ? rotator_io_turned_payload_data[247 : 240] : 8'h0)),{(held[239 : 232] | (_zz_io_beats_payload_data_73 ? _zz_io_beats_payload_data_74 : _zz_io_beats_payload_data_75)),{(_zz_io_beats_payload_data_76 | _zz_io_beats_payload_data_77),{_zz_io_beats_payload_data_78,_zz_io_beats_payload_data_80}}}};
  assign _zz_io_beats_payload_data_70 = 6'h1f;
  assign _zz_io_beats_payload_data_72 = (6'h1e < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_73 = (! (6'h1d < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_74 = rotator_io_turned_payload_data[239 : 232];
  assign _zz_io_beats_payload_data_75 = 8'h0;
  assign _zz_io_beats_payload_data_76 = held[231 : 224];
  assign _zz_io_beats_payload_data_77 = ((! (6'h1c < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[231 : 224] : 8'h0);
  assign _zz_io_beats_payload_data_78 = (held[223 : 216] | ((! (_zz_io_beats_payload_data_79 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[223 : 216] : 8'h0));
  assign _zz_io_beats_payload_data_80 = {(held[215 : 208] | ((! _zz_io_beats_payload_data_81) ? rotator_io_turned_payload_data[215 : 208] : 8'h0)),{(held[207 : 200] | (_zz_io_beats_payload_data_82 ? _zz_io_beats_payload_data_83 : _zz_io_beats_payload_data_84)),{(_zz_io_beats_payload_data_85 | _zz_io_beats_payload_data_86),{_zz_io_beats_payload_data_87,_zz_io_beats_payload_data_89}}}};
  assign _zz_io_beats_payload_data_79 = 6'h1b;
  assign _zz_io_beats_payload_data_81 = (6'h1a < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_82 = (! (6'h19 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_83 = rotator_io_turned_payload_data[207 : 200];
  assign _zz_io_beats_payload_data_84 = 8'h0;
  assign _zz_io_beats_payload_data_85 = held[199 : 192];
  assign _zz_io_beats_payload_data_86 = ((! (6'h18 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[199 : 192] : 8'h0);
  assign _zz_io_beats_payload_data_87 = (held[191 : 184] | ((! (_zz_io_beats_payload_data_88 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[191 : 184] : 8'h0));
  assign _zz_io_beats_payload_data_89 = {(held[183 : 176] | ((! _zz_io_beats_payload_data_90) ? rotator_io_turned_payload_data[183 : 176] : 8'h0)),{(held[175 : 168] | (_zz_io_beats_payload_data_91 ? _zz_io_beats_payload_data_92 : _zz_io_beats_payload_data_93)),{(_zz_io_beats_payload_data_94 | _zz_io_beats_payload_data_95),{_zz_io_beats_payload_data_96,_zz_io_beats_payload_data_98}}}};
  assign _zz_io_beats_payload_data_88 = 6'h17;
  assign _zz_io_beats_payload_data_90 = (6'h16 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_91 = (! (6'h15 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_92 = rotator_io_turned_payload_data[175 : 168];
  assign _zz_io_beats_payload_data_93 = 8'h0;
  assign _zz_io_beats_payload_data_94 = held[167 : 160];
  assign _zz_io_beats_payload_data_95 = ((! (6'h14 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[167 : 160] : 8'h0);
  assign _zz_io_beats_payload_data_96 = (held[159 : 152] | ((! (_zz_io_beats_payload_data_97 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[159 : 152] : 8'h0));
  assign _zz_io_beats_payload_data_98 = {(held[151 : 144] | ((! _zz_io_beats_payload_data_99) ? rotator_io_turned_payload_data[151 : 144] : 8'h0)),{(held[143 : 136] | (_zz_io_beats_payload_data_100 ? _zz_io_beats_payload_data_101 : _zz_io_beats_payload_data_102)),{(_zz_io_beats_payload_data_103 | _zz_io_beats_payload_data_104),{_zz_io_beats_payload_data_105,_zz_io_beats_payload_data_107}}}};
  assign _zz_io_beats_payload_data_97 = 6'h13;
  assign _zz_io_beats_payload_data_99 = (6'h12 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_100 = (! (6'h11 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_101 = rotator_io_turned_payload_data[143 : 136];
  assign _zz_io_beats_payload_data_102 = 8'h0;
  assign _zz_io_beats_payload_data_103 = held[135 : 128];
  assign _zz_io_beats_payload_data_104 = ((! (6'h10 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[135 : 128] : 8'h0);
  assign _zz_io_beats_payload_data_105 = (held[127 : 120] | ((! (_zz_io_beats_payload_data_106 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[127 : 120] : 8'h0));
  assign _zz_io_beats_payload_data_107 = {(held[119 : 112] | ((! _zz_io_beats_payload_data_108) ? rotator_io_turned_payload_data[119 : 112] : 8'h0)),{(held[111 : 104] | (_zz_io_beats_payload_data_109 ? _zz_io_beats_payload_data_110 : _zz_io_beats_payload_data_111)),{(_zz_io_beats_payload_data_112 | _zz_io_beats_payload_data_113),{_zz_io_beats_payload_data_114,_zz_io_beats_payload_data_116}}}};
  assign _zz_io_beats_payload_data_106 = 6'h0f;
  assign _zz_io_beats_payload_data_108 = (6'h0e < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_109 = (! (6'h0d < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_110 = rotator_io_turned_payload_data[111 : 104];
  assign _zz_io_beats_payload_data_111 = 8'h0;
  assign _zz_io_beats_payload_data_112 = held[103 : 96];
  assign _zz_io_beats_payload_data_113 = ((! (6'h0c < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[103 : 96] : 8'h0);
  assign _zz_io_beats_payload_data_114 = (held[95 : 88] | ((! (_zz_io_beats_payload_data_115 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[95 : 88] : 8'h0));
  assign _zz_io_beats_payload_data_116 = {(held[87 : 80] | ((! _zz_io_beats_payload_data_117) ? rotator_io_turned_payload_data[87 : 80] : 8'h0)),{(held[79 : 72] | (_zz_io_beats_payload_data_118 ? _zz_io_beats_payload_data_119 : _zz_io_beats_payload_data_120)),{(_zz_io_beats_payload_data_121 | _zz_io_beats_payload_data_122),{_zz_io_beats_payload_data_123,_zz_io_beats_payload_data_125}}}};
  assign _zz_io_beats_payload_data_115 = 6'h0b;
  assign _zz_io_beats_payload_data_117 = (6'h0a < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_118 = (! (6'h09 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_119 = rotator_io_turned_payload_data[79 : 72];
  assign _zz_io_beats_payload_data_120 = 8'h0;
  assign _zz_io_beats_payload_data_121 = held[71 : 64];
  assign _zz_io_beats_payload_data_122 = ((! (6'h08 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[71 : 64] : 8'h0);
  assign _zz_io_beats_payload_data_123 = (held[63 : 56] | ((! (_zz_io_beats_payload_data_124 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[63 : 56] : 8'h0));
  assign _zz_io_beats_payload_data_125 = {(held[55 : 48] | ((! _zz_io_beats_payload_data_126) ? rotator_io_turned_payload_data[55 : 48] : 8'h0)),{(held[47 : 40] | (_zz_io_beats_payload_data_127 ? _zz_io_beats_payload_data_128 : _zz_io_beats_payload_data_129)),{(_zz_io_beats_payload_data_130 | _zz_io_beats_payload_data_131),{_zz_io_beats_payload_data_132,_zz_io_beats_payload_data_134}}}};
  assign _zz_io_beats_payload_data_124 = 6'h07;
  assign _zz_io_beats_payload_data_126 = (6'h06 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_127 = (! (6'h05 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_128 = rotator_io_turned_payload_data[47 : 40];
  assign _zz_io_beats_payload_data_129 = 8'h0;
  assign _zz_io_beats_payload_data_130 = held[39 : 32];
  assign _zz_io_beats_payload_data_131 = ((! (6'h04 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[39 : 32] : 8'h0);
  assign _zz_io_beats_payload_data_132 = (held[31 : 24] | ((! (_zz_io_beats_payload_data_133 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[31 : 24] : 8'h0));
  assign _zz_io_beats_payload_data_134 = {(held[23 : 16] | ((! _zz_io_beats_payload_data_135) ? rotator_io_turned_payload_data[23 : 16] : 8'h0)),{(held[15 : 8] | (_zz_io_beats_payload_data_136 ? _zz_io_beats_payload_data_137 : _zz_io_beats_payload_data_138)),(held[7 : 0] | (_zz_io_beats_payload_data_139 ? _zz_io_beats_payload_data_140 : _zz_io_beats_payload_data_141))}};
  assign _zz_io_beats_payload_data_133 = 6'h03;
  assign _zz_io_beats_payload_data_135 = (6'h02 < rotator_io_turned_payload_info_fill);
  assign _zz_io_beats_payload_data_136 = (! (6'h01 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_137 = rotator_io_turned_payload_data[15 : 8];
  assign _zz_io_beats_payload_data_138 = 8'h0;
  assign _zz_io_beats_payload_data_139 = (! (6'h0 < rotator_io_turned_payload_info_fill));
  assign _zz_io_beats_payload_data_140 = rotator_io_turned_payload_data[7 : 0];
  assign _zz_io_beats_payload_data_141 = 8'h0;
  assign _zz_held = 6'h3e;
  assign _zz_held_1 = (6'h3d < rotator_io_turned_payload_info_fill);
  assign _zz_held_2 = rotator_io_turned_payload_data[495 : 488];
  assign _zz_held_3 = 8'h0;
  assign _zz_held_4 = ((6'h3c < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[487 : 480] : 8'h0);
  assign _zz_held_5 = {((_zz_held_6 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[479 : 472] : 8'h0),{(_zz_held_7 ? _zz_held_8 : _zz_held_9),{_zz_held_10,_zz_held_11}}};
  assign _zz_held_127 = 1'b0;
  assign _zz_held_128 = (! (6'h3e < rotator_io_turned_payload_info_fill));
  assign _zz_held_129 = rotator_io_turned_payload_data[503 : 496];
  assign _zz_held_130 = 8'h0;
  assign _zz_held_131 = held[495 : 488];
  assign _zz_held_132 = ((! (_zz_held_133 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[495 : 488] : 8'h0);
  assign _zz_held_134 = (held[487 : 480] | ((! _zz_held_135) ? rotator_io_turned_payload_data[487 : 480] : 8'h0));
  assign _zz_held_136 = {(held[479 : 472] | (_zz_held_137 ? _zz_held_138 : _zz_held_139)),{(_zz_held_140 | _zz_held_141),{_zz_held_143,_zz_held_145}}};
  assign _zz_held_6 = 6'h3b;
  assign _zz_held_7 = (6'h3a < rotator_io_turned_payload_info_fill);
  assign _zz_held_8 = rotator_io_turned_payload_data[471 : 464];
  assign _zz_held_9 = 8'h0;
  assign _zz_held_10 = ((6'h39 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[463 : 456] : 8'h0);
  assign _zz_held_11 = {((_zz_held_12 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[455 : 448] : 8'h0),{(_zz_held_13 ? _zz_held_14 : _zz_held_15),{_zz_held_16,_zz_held_17}}};
  assign _zz_held_133 = 6'h3d;
  assign _zz_held_135 = (6'h3c < rotator_io_turned_payload_info_fill);
  assign _zz_held_137 = (! (6'h3b < rotator_io_turned_payload_info_fill));
  assign _zz_held_138 = rotator_io_turned_payload_data[479 : 472];
  assign _zz_held_139 = 8'h0;
  assign _zz_held_140 = held[471 : 464];
  assign _zz_held_141 = ((! (_zz_held_142 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[471 : 464] : 8'h0);
  assign _zz_held_143 = (held[463 : 456] | ((! _zz_held_144) ? rotator_io_turned_payload_data[463 : 456] : 8'h0));
  assign _zz_held_145 = {(held[455 : 448] | (_zz_held_146 ? _zz_held_147 : _zz_held_148)),{(_zz_held_149 | _zz_held_150),{_zz_held_152,_zz_held_154}}};
  assign _zz_held_12 = 6'h38;
  assign _zz_held_13 = (6'h37 < rotator_io_turned_payload_info_fill);
  assign _zz_held_14 = rotator_io_turned_payload_data[447 : 440];
  assign _zz_held_15 = 8'h0;
  assign _zz_held_16 = ((6'h36 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[439 : 432] : 8'h0);
  assign _zz_held_17 = {((_zz_held_18 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[431 : 424] : 8'h0),{(_zz_held_19 ? _zz_held_20 : _zz_held_21),{_zz_held_22,_zz_held_23}}};
  assign _zz_held_142 = 6'h3a;
  assign _zz_held_144 = (6'h39 < rotator_io_turned_payload_info_fill);
  assign _zz_held_146 = (! (6'h38 < rotator_io_turned_payload_info_fill));
  assign _zz_held_147 = rotator_io_turned_payload_data[455 : 448];
  assign _zz_held_148 = 8'h0;
  assign _zz_held_149 = held[447 : 440];
  assign _zz_held_150 = ((! (_zz_held_151 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[447 : 440] : 8'h0);
  assign _zz_held_152 = (held[439 : 432] | ((! _zz_held_153) ? rotator_io_turned_payload_data[439 : 432] : 8'h0));
  assign _zz_held_154 = {(held[431 : 424] | (_zz_held_155 ? _zz_held_156 : _zz_held_157)),{(_zz_held_158 | _zz_held_159),{_zz_held_161,_zz_held_163}}};
  assign _zz_held_18 = 6'h35;
  assign _zz_held_19 = (6'h34 < rotator_io_turned_payload_info_fill);
  assign _zz_held_20 = rotator_io_turned_payload_data[423 : 416];
  assign _zz_held_21 = 8'h0;
  assign _zz_held_22 = ((6'h33 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[415 : 408] : 8'h0);
  assign _zz_held_23 = {((_zz_held_24 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[407 : 400] : 8'h0),{(_zz_held_25 ? _zz_held_26 : _zz_held_27),{_zz_held_28,_zz_held_29}}};
  assign _zz_held_151 = 6'h37;
  assign _zz_held_153 = (6'h36 < rotator_io_turned_payload_info_fill);
  assign _zz_held_155 = (! (6'h35 < rotator_io_turned_payload_info_fill));
  assign _zz_held_156 = rotator_io_turned_payload_data[431 : 424];
  assign _zz_held_157 = 8'h0;
  assign _zz_held_158 = held[423 : 416];
  assign _zz_held_159 = ((! (_zz_held_160 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[423 : 416] : 8'h0);
  assign _zz_held_161 = (held[415 : 408] | ((! _zz_held_162) ? rotator_io_turned_payload_data[415 : 408] : 8'h0));
  assign _zz_held_163 = {(held[407 : 400] | (_zz_held_164 ? _zz_held_165 : _zz_held_166)),{(_zz_held_167 | _zz_held_168),{_zz_held_170,_zz_held_172}}};
  assign _zz_held_24 = 6'h32;
  assign _zz_held_25 = (6'h31 < rotator_io_turned_payload_info_fill);
  assign _zz_held_26 = rotator_io_turned_payload_data[399 : 392];
  assign _zz_held_27 = 8'h0;
  assign _zz_held_28 = ((6'h30 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[391 : 384] : 8'h0);
  assign _zz_held_29 = {((_zz_held_30 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[383 : 376] : 8'h0),{(_zz_held_31 ? _zz_held_32 : _zz_held_33),{_zz_held_34,_zz_held_35}}};
  assign _zz_held_160 = 6'h34;
  assign _zz_held_162 = (6'h33 < rotator_io_turned_payload_info_fill);
  assign _zz_held_164 = (! (6'h32 < rotator_io_turned_payload_info_fill));
  assign _zz_held_165 = rotator_io_turned_payload_data[407 : 400];
  assign _zz_held_166 = 8'h0;
  assign _zz_held_167 = held[399 : 392];
  assign _zz_held_168 = ((! (_zz_held_169 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[399 : 392] : 8'h0);
  assign _zz_held_170 = (held[391 : 384] | ((! _zz_held_171) ? rotator_io_turned_payload_data[391 : 384] : 8'h0));
  assign _zz_held_172 = {(held[383 : 376] | (_zz_held_173 ? _zz_held_174 : _zz_held_175)),{(_zz_held_176 | _zz_held_177),{_zz_held_179,_zz_held_181}}};
  assign _zz_held_30 = 6'h2f;
  assign _zz_held_31 = (6'h2e < rotator_io_turned_payload_info_fill);
  assign _zz_held_32 = rotator_io_turned_payload_data[375 : 368];
  assign _zz_held_33 = 8'h0;
  assign _zz_held_34 = ((6'h2d < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[367 : 360] : 8'h0);
  assign _zz_held_35 = {((_zz_held_36 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[359 : 352] : 8'h0),{(_zz_held_37 ? _zz_held_38 : _zz_held_39),{_zz_held_40,_zz_held_41}}};
  assign _zz_held_169 = 6'h31;
  assign _zz_held_171 = (6'h30 < rotator_io_turned_payload_info_fill);
  assign _zz_held_173 = (! (6'h2f < rotator_io_turned_payload_info_fill));
  assign _zz_held_174 = rotator_io_turned_payload_data[383 : 376];
  assign _zz_held_175 = 8'h0;
  assign _zz_held_176 = held[375 : 368];
  assign _zz_held_177 = ((! (_zz_held_178 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[375 : 368] : 8'h0);
  assign _zz_held_179 = (held[367 : 360] | ((! _zz_held_180) ? rotator_io_turned_payload_data[367 : 360] : 8'h0));
  assign _zz_held_181 = {(held[359 : 352] | (_zz_held_182 ? _zz_held_183 : _zz_held_184)),{(_zz_held_185 | _zz_held_186),{_zz_held_188,_zz_held_190}}};
  assign _zz_held_36 = 6'h2c;
  assign _zz_held_37 = (6'h2b < rotator_io_turned_payload_info_fill);
  assign _zz_held_38 = rotator_io_turned_payload_data[351 : 344];
  assign _zz_held_39 = 8'h0;
  assign _zz_held_40 = ((6'h2a < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[343 : 336] : 8'h0);
  assign _zz_held_41 = {((_zz_held_42 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[335 : 328] : 8'h0),{(_zz_held_43 ? _zz_held_44 : _zz_held_45),{_zz_held_46,_zz_held_47}}};
  assign _zz_held_178 = 6'h2e;
  assign _zz_held_180 = (6'h2d < rotator_io_turned_payload_info_fill);
  assign _zz_held_182 = (! (6'h2c < rotator_io_turned_payload_info_fill));
  assign _zz_held_183 = rotator_io_turned_payload_data[359 : 352];
  assign _zz_held_184 = 8'h0;
  assign _zz_held_185 = held[351 : 344];
  assign _zz_held_186 = ((! (_zz_held_187 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[351 : 344] : 8'h0);
  assign _zz_held_188 = (held[343 : 336] | ((! _zz_held_189) ? rotator_io_turned_payload_data[343 : 336] : 8'h0));
  assign _zz_held_190 = {(held[335 : 328] | (_zz_held_191 ? _zz_held_192 : _zz_held_193)),{(_zz_held_194 | _zz_held_195),{_zz_held_197,_zz_held_199}}};
  assign _zz_held_42 = 6'h29;
  assign _zz_held_43 = (6'h28 < rotator_io_turned_payload_info_fill);
  assign _zz_held_44 = rotator_io_turned_payload_data[327 : 320];
  assign _zz_held_45 = 8'h0;
  assign _zz_held_46 = ((6'h27 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[319 : 312] : 8'h0);
  assign _zz_held_47 = {((_zz_held_48 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[311 : 304] : 8'h0),{(_zz_held_49 ? _zz_held_50 : _zz_held_51),{_zz_held_52,_zz_held_53}}};
  assign _zz_held_187 = 6'h2b;
  assign _zz_held_189 = (6'h2a < rotator_io_turned_payload_info_fill);
  assign _zz_held_191 = (! (6'h29 < rotator_io_turned_payload_info_fill));
  assign _zz_held_192 = rotator_io_turned_payload_data[335 : 328];
  assign _zz_held_193 = 8'h0;
  assign _zz_held_194 = held[327 : 320];
  assign _zz_held_195 = ((! (_zz_held_196 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[327 : 320] : 8'h0);
  assign _zz_held_197 = (held[319 : 312] | ((! _zz_held_198) ? rotator_io_turned_payload_data[319 : 312] : 8'h0));
  assign _zz_held_199 = {(held[311 : 304] | (_zz_held_200 ? _zz_held_201 : _zz_held_202)),{(_zz_held_203 | _zz_held_204),{_zz_held_206,_zz_held_208}}};
  assign _zz_held_48 = 6'h26;
  assign _zz_held_49 = (6'h25 < rotator_io_turned_payload_info_fill);
  assign _zz_held_50 = rotator_io_turned_payload_data[303 : 296];
  assign _zz_held_51 = 8'h0;
  assign _zz_held_52 = ((6'h24 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[295 : 288] : 8'h0);
  assign _zz_held_53 = {((_zz_held_54 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[287 : 280] : 8'h0),{(_zz_held_55 ? _zz_held_56 : _zz_held_57),{_zz_held_58,_zz_held_59}}};
  assign _zz_held_196 = 6'h28;
  assign _zz_held_198 = (6'h27 < rotator_io_turned_payload_info_fill);
  assign _zz_held_200 = (! (6'h26 < rotator_io_turned_payload_info_fill));
  assign _zz_held_201 = rotator_io_turned_payload_data[311 : 304];
  assign _zz_held_202 = 8'h0;
  assign _zz_held_203 = held[303 : 296];
  assign _zz_held_204 = ((! (_zz_held_205 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[303 : 296] : 8'h0);
  assign _zz_held_206 = (held[295 : 288] | ((! _zz_held_207) ? rotator_io_turned_payload_data[295 : 288] : 8'h0));
  assign _zz_held_208 = {(held[287 : 280] | (_zz_held_209 ? _zz_held_210 : _zz_held_211)),{(_zz_held_212 | _zz_held_213),{_zz_held_215,_zz_held_217}}};
  assign _zz_held_54 = 6'h23;
  assign _zz_held_55 = (6'h22 < rotator_io_turned_payload_info_fill);
  assign _zz_held_56 = rotator_io_turned_payload_data[279 : 272];
  assign _zz_held_57 = 8'h0;
  assign _zz_held_58 = ((6'h21 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[271 : 264] : 8'h0);
  assign _zz_held_59 = {((_zz_held_60 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[263 : 256] : 8'h0),{(_zz_held_61 ? _zz_held_62 : _zz_held_63),{_zz_held_64,_zz_held_65}}};
  assign _zz_held_205 = 6'h25;
  assign _zz_held_207 = (6'h24 < rotator_io_turned_payload_info_fill);
  assign _zz_held_209 = (! (6'h23 < rotator_io_turned_payload_info_fill));
  assign _zz_held_210 = rotator_io_turned_payload_data[287 : 280];
  assign _zz_held_211 = 8'h0;
  assign _zz_held_212 = held[279 : 272];
  assign _zz_held_213 = ((! (_zz_held_214 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[279 : 272] : 8'h0);
  assign _zz_held_215 = (held[271 : 264] | ((! _zz_held_216) ? rotator_io_turned_payload_data[271 : 264] : 8'h0));
  assign _zz_held_217 = {(held[263 : 256] | (_zz_held_218 ? _zz_held_219 : _zz_held_220)),{(_zz_held_221 | _zz_held_222),{_zz_held_224,_zz_held_226}}};
  assign _zz_held_60 = 6'h20;
  assign _zz_held_61 = (6'h1f < rotator_io_turned_payload_info_fill);
  assign _zz_held_62 = rotator_io_turned_payload_data[255 : 248];
  assign _zz_held_63 = 8'h0;
  assign _zz_held_64 = ((6'h1e < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[247 : 240] : 8'h0);
  assign _zz_held_65 = {((_zz_held_66 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[239 : 232] : 8'h0),{(_zz_held_67 ? _zz_held_68 : _zz_held_69),{_zz_held_70,_zz_held_71}}};
  assign _zz_held_214 = 6'h22;
  assign _zz_held_216 = (6'h21 < rotator_io_turned_payload_info_fill);
  assign _zz_held_218 = (! (6'h20 < rotator_io_turned_payload_info_fill));
  assign _zz_held_219 = rotator_io_turned_payload_data[263 : 256];
  assign _zz_held_220 = 8'h0;
  assign _zz_held_221 = held[255 : 248];
  assign _zz_held_222 = ((! (_zz_held_223 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[255 : 248] : 8'h0);
  assign _zz_held_224 = (held[247 : 240] | ((! _zz_held_225) ? rotator_io_turned_payload_data[247 : 240] : 8'h0));
  assign _zz_held_226 = {(held[239 : 232] | (_zz_held_227 ? _zz_held_228 : _zz_held_229)),{(_zz_held_230 | _zz_held_231),{_zz_held_233,_zz_held_235}}};
  assign _zz_held_66 = 6'h1d;
  assign _zz_held_67 = (6'h1c < rotator_io_turned_payload_info_fill);
  assign _zz_held_68 = rotator_io_turned_payload_data[231 : 224];
  assign _zz_held_69 = 8'h0;
  assign _zz_held_70 = ((6'h1b < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[223 : 216] : 8'h0);
  assign _zz_held_71 = {((_zz_held_72 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[215 : 208] : 8'h0),{(_zz_held_73 ? _zz_held_74 : _zz_held_75),{_zz_held_76,_zz_held_77}}};
  assign _zz_held_223 = 6'h1f;
  assign _zz_held_225 = (6'h1e < rotator_io_turned_payload_info_fill);
  assign _zz_held_227 = (! (6'h1d < rotator_io_turned_payload_info_fill));
  assign _zz_held_228 = rotator_io_turned_payload_data[239 : 232];
  assign _zz_held_229 = 8'h0;
  assign _zz_held_230 = held[231 : 224];
  assign _zz_held_231 = ((! (_zz_held_232 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[231 : 224] : 8'h0);
  assign _zz_held_233 = (held[223 : 216] | ((! _zz_held_234) ? rotator_io_turned_payload_data[223 : 216] : 8'h0));
  assign _zz_held_235 = {(held[215 : 208] | (_zz_held_236 ? _zz_held_237 : _zz_held_238)),{(_zz_held_239 | _zz_held_240),{_zz_held_242,_zz_held_244}}};
  assign _zz_held_72 = 6'h1a;
  assign _zz_held_73 = (6'h19 < rotator_io_turned_payload_info_fill);
  assign _zz_held_74 = rotator_io_turned_payload_data[207 : 200];
  assign _zz_held_75 = 8'h0;
  assign _zz_held_76 = ((6'h18 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[199 : 192] : 8'h0);
  assign _zz_held_77 = {((_zz_held_78 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[191 : 184] : 8'h0),{(_zz_held_79 ? _zz_held_80 : _zz_held_81),{_zz_held_82,_zz_held_83}}};
  assign _zz_held_232 = 6'h1c;
  assign _zz_held_234 = (6'h1b < rotator_io_turned_payload_info_fill);
  assign _zz_held_236 = (! (6'h1a < rotator_io_turned_payload_info_fill));
  assign _zz_held_237 = rotator_io_turned_payload_data[215 : 208];
  assign _zz_held_238 = 8'h0;
  assign _zz_held_239 = held[207 : 200];
  assign _zz_held_240 = ((! (_zz_held_241 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[207 : 200] : 8'h0);
  assign _zz_held_242 = (held[199 : 192] | ((! _zz_held_243) ? rotator_io_turned_payload_data[199 : 192] : 8'h0));
  assign _zz_held_244 = {(held[191 : 184] | (_zz_held_245 ? _zz_held_246 : _zz_held_247)),{(_zz_held_248 | _zz_held_249),{_zz_held_251,_zz_held_253}}};
  assign _zz_held_78 = 6'h17;
  assign _zz_held_79 = (6'h16 < rotator_io_turned_payload_info_fill);
  assign _zz_held_80 = rotator_io_turned_payload_data[183 : 176];
  assign _zz_held_81 = 8'h0;
  assign _zz_held_82 = ((6'h15 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[175 : 168] : 8'h0);
  assign _zz_held_83 = {((_zz_held_84 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[167 : 160] : 8'h0),{(_zz_held_85 ? _zz_held_86 : _zz_held_87),{_zz_held_88,_zz_held_89}}};
  assign _zz_held_241 = 6'h19;
  assign _zz_held_243 = (6'h18 < rotator_io_turned_payload_info_fill);
  assign _zz_held_245 = (! (6'h17 < rotator_io_turned_payload_info_fill));
  assign _zz_held_246 = rotator_io_turned_payload_data[191 : 184];
  assign _zz_held_247 = 8'h0;
  assign _zz_held_248 = held[183 : 176];
  assign _zz_held_249 = ((! (_zz_held_250 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[183 : 176] : 8'h0);
  assign _zz_held_251 = (held[175 : 168] | ((! _zz_held_252) ? rotator_io_turned_payload_data[175 : 168] : 8'h0));
  assign _zz_held_253 = {(held[167 : 160] | (_zz_held_254 ? _zz_held_255 : _zz_held_256)),{(_zz_held_257 | _zz_held_258),{_zz_held_260,_zz_held_262}}};
  assign _zz_held_84 = 6'h14;
  assign _zz_held_85 = (6'h13 < rotator_io_turned_payload_info_fill);
  assign _zz_held_86 = rotator_io_turned_payload_data[159 : 152];
  assign _zz_held_87 = 8'h0;
  assign _zz_held_88 = ((6'h12 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[151 : 144] : 8'h0);
  assign _zz_held_89 = {((_zz_held_90 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[143 : 136] : 8'h0),{(_zz_held_91 ? _zz_held_92 : _zz_held_93),{_zz_held_94,_zz_held_95}}};
  assign _zz_held_250 = 6'h16;
  assign _zz_held_252 = (6'h15 < rotator_io_turned_payload_info_fill);
  assign _zz_held_254 = (! (6'h14 < rotator_io_turned_payload_info_fill));
  assign _zz_held_255 = rotator_io_turned_payload_data[167 : 160];
  assign _zz_held_256 = 8'h0;
  assign _zz_held_257 = held[159 : 152];
  assign _zz_held_258 = ((! (_zz_held_259 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[159 : 152] : 8'h0);
  assign _zz_held_260 = (held[151 : 144] | ((! _zz_held_261) ? rotator_io_turned_payload_data[151 : 144] : 8'h0));
  assign _zz_held_262 = {(held[143 : 136] | (_zz_held_263 ? _zz_held_264 : _zz_held_265)),{(_zz_held_266 | _zz_held_267),{_zz_held_269,_zz_held_271}}};
  assign _zz_held_90 = 6'h11;
  assign _zz_held_91 = (6'h10 < rotator_io_turned_payload_info_fill);
  assign _zz_held_92 = rotator_io_turned_payload_data[135 : 128];
  assign _zz_held_93 = 8'h0;
  assign _zz_held_94 = ((6'h0f < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[127 : 120] : 8'h0);
  assign _zz_held_95 = {((_zz_held_96 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[119 : 112] : 8'h0),{(_zz_held_97 ? _zz_held_98 : _zz_held_99),{_zz_held_100,_zz_held_101}}};
  assign _zz_held_259 = 6'h13;
  assign _zz_held_261 = (6'h12 < rotator_io_turned_payload_info_fill);
  assign _zz_held_263 = (! (6'h11 < rotator_io_turned_payload_info_fill));
  assign _zz_held_264 = rotator_io_turned_payload_data[143 : 136];
  assign _zz_held_265 = 8'h0;
  assign _zz_held_266 = held[135 : 128];
  assign _zz_held_267 = ((! (_zz_held_268 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[135 : 128] : 8'h0);
  assign _zz_held_269 = (held[127 : 120] | ((! _zz_held_270) ? rotator_io_turned_payload_data[127 : 120] : 8'h0));
  assign _zz_held_271 = {(held[119 : 112] | (_zz_held_272 ? _zz_held_273 : _zz_held_274)),{(_zz_held_275 | _zz_held_276),{_zz_held_278,_zz_held_280}}};
  assign _zz_held_96 = 6'h0e;
  assign _zz_held_97 = (6'h0d < rotator_io_turned_payload_info_fill);
  assign _zz_held_98 = rotator_io_turned_payload_data[111 : 104];
  assign _zz_held_99 = 8'h0;
  assign _zz_held_100 = ((6'h0c < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[103 : 96] : 8'h0);
  assign _zz_held_101 = {((_zz_held_102 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[95 : 88] : 8'h0),{(_zz_held_103 ? _zz_held_104 : _zz_held_105),{_zz_held_106,_zz_held_107}}};
  assign _zz_held_268 = 6'h10;
  assign _zz_held_270 = (6'h0f < rotator_io_turned_payload_info_fill);
  assign _zz_held_272 = (! (6'h0e < rotator_io_turned_payload_info_fill));
  assign _zz_held_273 = rotator_io_turned_payload_data[119 : 112];
  assign _zz_held_274 = 8'h0;
  assign _zz_held_275 = held[111 : 104];
  assign _zz_held_276 = ((! (_zz_held_277 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[111 : 104] : 8'h0);
  assign _zz_held_278 = (held[103 : 96] | ((! _zz_held_279) ? rotator_io_turned_payload_data[103 : 96] : 8'h0));
  assign _zz_held_280 = {(held[95 : 88] | (_zz_held_281 ? _zz_held_282 : _zz_held_283)),{(_zz_held_284 | _zz_held_285),{_zz_held_287,_zz_held_289}}};
  assign _zz_held_102 = 6'h0b;
  assign _zz_held_103 = (6'h0a < rotator_io_turned_payload_info_fill);
  assign _zz_held_104 = rotator_io_turned_payload_data[87 : 80];
  assign _zz_held_105 = 8'h0;
  assign _zz_held_106 = ((6'h09 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[79 : 72] : 8'h0);
  assign _zz_held_107 = {((_zz_held_108 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[71 : 64] : 8'h0),{(_zz_held_109 ? _zz_held_110 : _zz_held_111),{_zz_held_112,_zz_held_113}}};
  assign _zz_held_277 = 6'h0d;
  assign _zz_held_279 = (6'h0c < rotator_io_turned_payload_info_fill);
  assign _zz_held_281 = (! (6'h0b < rotator_io_turned_payload_info_fill));
  assign _zz_held_282 = rotator_io_turned_payload_data[95 : 88];
  assign _zz_held_283 = 8'h0;
  assign _zz_held_284 = held[87 : 80];
  assign _zz_held_285 = ((! (_zz_held_286 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[87 : 80] : 8'h0);
  assign _zz_held_287 = (held[79 : 72] | ((! _zz_held_288) ? rotator_io_turned_payload_data[79 : 72] : 8'h0));
  assign _zz_held_289 = {(held[71 : 64] | (_zz_held_290 ? _zz_held_291 : _zz_held_292)),{(_zz_held_293 | _zz_held_294),{_zz_held_296,_zz_held_298}}};
  assign _zz_held_108 = 6'h08;
  assign _zz_held_109 = (6'h07 < rotator_io_turned_payload_info_fill);
  assign _zz_held_110 = rotator_io_turned_payload_data[63 : 56];
  assign _zz_held_111 = 8'h0;
  assign _zz_held_112 = ((6'h06 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[55 : 48] : 8'h0);
  assign _zz_held_113 = {((_zz_held_114 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[47 : 40] : 8'h0),{(_zz_held_115 ? _zz_held_116 : _zz_held_117),{_zz_held_118,_zz_held_119}}};
  assign _zz_held_286 = 6'h0a;
  assign _zz_held_288 = (6'h09 < rotator_io_turned_payload_info_fill);
  assign _zz_held_290 = (! (6'h08 < rotator_io_turned_payload_info_fill));
  assign _zz_held_291 = rotator_io_turned_payload_data[71 : 64];
  assign _zz_held_292 = 8'h0;
  assign _zz_held_293 = held[63 : 56];
  assign _zz_held_294 = ((! (_zz_held_295 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[63 : 56] : 8'h0);
  assign _zz_held_296 = (held[55 : 48] | ((! _zz_held_297) ? rotator_io_turned_payload_data[55 : 48] : 8'h0));
  assign _zz_held_298 = {(held[47 : 40] | (_zz_held_299 ? _zz_held_300 : _zz_held_301)),{(_zz_held_302 | _zz_held_303),{_zz_held_305,_zz_held_307}}};
  assign _zz_held_114 = 6'h05;
  assign _zz_held_115 = (6'h04 < rotator_io_turned_payload_info_fill);
  assign _zz_held_116 = rotator_io_turned_payload_data[39 : 32];
  assign _zz_held_117 = 8'h0;
  assign _zz_held_118 = ((6'h03 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[31 : 24] : 8'h0);
  assign _zz_held_119 = {((_zz_held_120 < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[23 : 16] : 8'h0),{(_zz_held_121 ? _zz_held_122 : _zz_held_123),(_zz_held_124 ? _zz_held_125 : _zz_held_126)}};
  assign _zz_held_295 = 6'h07;
  assign _zz_held_297 = (6'h06 < rotator_io_turned_payload_info_fill);
  assign _zz_held_299 = (! (6'h05 < rotator_io_turned_payload_info_fill));
  assign _zz_held_300 = rotator_io_turned_payload_data[47 : 40];
  assign _zz_held_301 = 8'h0;
  assign _zz_held_302 = held[39 : 32];
  assign _zz_held_303 = ((! (_zz_held_304 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[39 : 32] : 8'h0);
  assign _zz_held_305 = (held[31 : 24] | ((! _zz_held_306) ? rotator_io_turned_payload_data[31 : 24] : 8'h0));
  assign _zz_held_307 = {(held[23 : 16] | (_zz_held_308 ? _zz_held_309 : _zz_held_310)),{(_zz_held_311 | _zz_held_312),(_zz_held_313 | _zz_held_314)}};
  assign _zz_held_120 = 6'h02;
  assign _zz_held_121 = (6'h01 < rotator_io_turned_payload_info_fill);
  assign _zz_held_122 = rotator_io_turned_payload_data[15 : 8];
  assign _zz_held_123 = 8'h0;
  assign _zz_held_124 = (6'h0 < rotator_io_turned_payload_info_fill);
  assign _zz_held_125 = rotator_io_turned_payload_data[7 : 0];
  assign _zz_held_126 = 8'h0;
  assign _zz_held_304 = 6'h04;
  assign _zz_held_306 = (6'h03 < rotator_io_turned_payload_info_fill);
  assign _zz_held_308 = (! (6'h02 < rotator_io_turned_payload_info_fill));
  assign _zz_held_309 = rotator_io_turned_payload_data[23 : 16];
  assign _zz_held_310 = 8'h0;
  assign _zz_held_311 = held[15 : 8];
  assign _zz_held_312 = ((! (6'h01 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[15 : 8] : 8'h0);
  assign _zz_held_313 = held[7 : 0];
  assign _zz_held_314 = ((! (6'h0 < rotator_io_turned_payload_info_fill)) ? rotator_io_turned_payload_data[7 : 0] : 8'h0);
  ByteRotator rotator (
    .io_beats_valid                (rotator_io_beats_valid                  ), //i
    .io_beats_ready                (rotator_io_beats_ready                  ), //o
    .io_beats_payload_data         (rotator_io_beats_payload_data[511:0]    ), //i
    .io_beats_payload_amount       (rotator_io_beats_payload_amount[5:0]    ), //i
    .io_beats_payload_info_fill    (fill[5:0]                               ), //i
    .io_beats_payload_info_fills   (rotator_io_beats_payload_info_fills     ), //i
    .io_beats_payload_info_spills  (rotator_io_beats_payload_info_spills    ), //i
    .io_beats_payload_info_last    (rotator_io_beats_payload_info_last      ), //i
    .io_beats_payload_info_error   (rotator_io_beats_payload_info_error     ), //i
    .io_turned_valid               (rotator_io_turned_valid                 ), //o
    .io_turned_ready               (rotator_io_turned_ready                 ), //i
    .io_turned_payload_data        (rotator_io_turned_payload_data[511:0]   ), //o
    .io_turned_payload_info_fill   (rotator_io_turned_payload_info_fill[5:0]), //o
    .io_turned_payload_info_fills  (rotator_io_turned_payload_info_fills    ), //o
    .io_turned_payload_info_spills (rotator_io_turned_payload_info_spills   ), //o
    .io_turned_payload_info_last   (rotator_io_turned_payload_info_last     ), //o
    .io_turned_payload_info_error  (rotator_io_turned_payload_info_error    ), //o
    .clk                           (clk                                     ), //i
    .reset                         (reset                                   )  //i
  );
  assign rest = (io_chunks_payload_bytes - before_1);
  assign bytes = ((13'h0040 < rest) ? 7'h40 : _zz_bytes);
  assign ends = (rest <= 13'h0040);
  assign there = (io_chunks_valid && (io_chunks_payload_zeros || io_data_valid));
  assign sum = (_zz_sum + {1'b0,bytes});
  assign rotator_io_beats_valid = (there && (! io_chunks_payload_drop));
  assign rotator_io_beats_payload_data = (io_chunks_payload_zeros ? 512'h0 : io_data_payload_data);
  assign rotator_io_beats_payload_amount = (6'h0 - fill);
  assign rotator_io_beats_payload_info_fills = (8'h40 <= sum);
  assign rotator_io_beats_payload_info_spills = (8'h40 < sum);
  assign rotator_io_beats_payload_info_last = (ends && io_chunks_payload_last);
  assign rotator_io_beats_payload_info_error = ((! io_chunks_payload_zeros) && io_data_payload_error);
  assign goes = (there && (io_chunks_payload_drop || rotator_io_beats_ready));
  assign io_data_ready = (goes && (! io_chunks_payload_zeros));
  assign io_chunks_ready = (goes && ends);
  assign sends = (rotator_io_turned_payload_info_fills || rotator_io_turned_payload_info_last);
  assign io_beats_valid = (flush || (rotator_io_turned_valid && sends));
  assign io_beats_payload_data = (flush ? held : {(held[511 : 504] | ((! 1'b0) ? rotator_io_turned_payload_data[511 : 504] : 8'h0)),{(held[503 : 496] | ((! _zz_io_beats_payload_data) ? rotator_io_turned_payload_data[503 : 496] : 8'h0)),{(held[495 : 488] | (_zz_io_beats_payload_data_1 ? _zz_io_beats_payload_data_2 : _zz_io_beats_payload_data_3)),{(_zz_io_beats_payload_data_4 | _zz_io_beats_payload_data_5),{_zz_io_beats_payload_data_6,_zz_io_beats_payload_data_8}}}}});
  assign io_beats_payload_error = (heldError || ((! flush) && rotator_io_turned_payload_info_error));
  assign rotator_io_turned_ready = ((! flush) && ((! sends) || io_beats_ready));
  assign rotator_io_turned_fire = (rotator_io_turned_valid && rotator_io_turned_ready);
  always @(posedge clk) begin
    if(reset) begin
      before_1 <= 13'h0;
      fill <= 6'h0;
      held <= 512'h0;
      heldError <= 1'b0;
      flush <= 1'b0;
    end else begin
      if(goes) begin
        before_1 <= (ends ? 13'h0 : _zz_before_1);
        if((! io_chunks_payload_drop)) begin
          fill <= ((ends && io_chunks_payload_last) ? 6'h0 : _zz_fill);
        end
      end
      if(rotator_io_turned_fire) begin
        held <= (sends ? {8'h0,{((_zz_held < rotator_io_turned_payload_info_fill) ? rotator_io_turned_payload_data[503 : 496] : 8'h0),{(_zz_held_1 ? _zz_held_2 : _zz_held_3),{_zz_held_4,_zz_held_5}}}} : {(held[511 : 504] | ((! _zz_held_127) ? rotator_io_turned_payload_data[511 : 504] : 8'h0)),{(held[503 : 496] | (_zz_held_128 ? _zz_held_129 : _zz_held_130)),{(_zz_held_131 | _zz_held_132),{_zz_held_134,_zz_held_136}}}});
        heldError <= ((rotator_io_turned_payload_info_error && ((! sends) || rotator_io_turned_payload_info_spills)) || ((! sends) && heldError));
        flush <= (rotator_io_turned_payload_info_last && rotator_io_turned_payload_info_spills);
        if((rotator_io_turned_payload_info_last && (! rotator_io_turned_payload_info_spills))) begin
          held <= 512'h0;
        end
      end
      if((flush && io_beats_ready)) begin
        flush <= 1'b0;
        held <= 512'h0;
        heldError <= 1'b0;
      end
    end
  end


endmodule

module PacketAccess (
  input  wire          io_commands_valid,
  output wire          io_commands_ready,
  input  wire [2:0]    io_commands_payload_operation,
  input  wire [23:0]   io_commands_payload_pid,
  input  wire [47:0]   io_commands_payload_va,
  input  wire [12:0]   io_commands_payload_bytes,
  input  wire [4:0]    io_commands_payload_slot,
  input  wire [6:0]    io_commands_payload_offset,
  input  wire [127:0]  io_commands_payload_operands,
  output wire          io_ended_valid,
  output wire [1:0]    io_ended_payload_how,
  output wire [63:0]   io_ended_payload_old,
  output wire          io_room,
  output wire [7:0]    io_held,
  output wire [7:0]    io_passed,
  output wire [2:0]    io_oldest,
  output wire [2:0]    io_next,
  output wire          io_over_valid,
  output wire [1:0]    io_over_payload,
  input  wire          io_retire,
  output wire          io_door_tokens_valid,
  input  wire          io_door_tokens_ready,
  output wire [5:0]    io_door_tokens_payload_context,
  output wire [2:0]    io_door_tokens_payload_demand_operation,
  output wire          io_door_tokens_payload_demand_ordering_fence,
  output wire          io_door_tokens_payload_demand_ordering_windowed,
  output wire [23:0]   io_door_tokens_payload_demand_ordering_time,
  output wire [23:0]   io_door_tokens_payload_demand_pid,
  output wire [47:0]   io_door_tokens_payload_demand_va,
  output wire [15:0]   io_door_tokens_payload_demand_length,
  output wire [7:0]    io_door_tokens_payload_demand_dataOffset,
  input  wire          io_door_data_fetch_valid,
  output wire          io_door_data_fetch_ready,
  input  wire [5:0]    io_door_data_fetch_payload_context,
  input  wire [4:0]    io_door_data_fetch_payload_beat,
  output wire          io_door_data_fetched_valid,
  output wire [511:0]  io_door_data_fetched_payload,
  output wire [127:0]  io_door_data_operands,
  input  wire          io_door_data_completions_valid,
  output wire          io_door_data_completions_ready,
  input  wire [5:0]    io_door_data_completions_payload_context,
  input  wire [4:0]    io_door_data_completions_payload_report_outcome_status,
  input  wire          io_door_data_completions_payload_report_zeros,
  input  wire [63:0]   io_door_data_completions_payload_old,
  input  wire          io_door_data_payload_valid,
  output wire          io_door_data_payload_ready,
  input  wire [511:0]  io_door_data_payload_payload_data,
  input  wire          io_door_data_payload_payload_error,
  output wire          io_read_valid,
  output wire [4:0]    io_read_payload_slot,
  output wire [6:0]    io_read_payload_beat,
  input  wire [511:0]  io_packet,
  output wire          io_chunks_valid,
  input  wire          io_chunks_ready,
  output wire [12:0]   io_chunks_payload_bytes,
  output wire          io_chunks_payload_zeros,
  output wire          io_chunks_payload_drop,
  output wire          io_chunks_payload_last,
  output wire          io_data_valid,
  input  wire          io_data_ready,
  output wire [511:0]  io_data_payload_data,
  output wire          io_data_payload_error,
  input  wire          clk,
  input  wire          reset
);
  localparam Operation_nothing = 3'd0;
  localparam Operation_read = 3'd1;
  localparam Operation_write = 3'd2;
  localparam Operation_compareSwap = 3'd3;
  localparam Operation_fetchAdd = 3'd4;
  localparam Operation_swap = 3'd5;
  localparam AccessEnd_done = 2'd0;
  localparam AccessEnd_notReady = 2'd1;
  localparam AccessEnd_denied = 2'd2;
  localparam AccessEnd_failed = 2'd3;
  localparam State_2_idle = 2'd0;
  localparam State_2_walk = 2'd1;
  localparam State_2_tell = 2'd2;

  wire                flights_io_begins;
  wire                flights_io_entered_valid;
  wire                flights_io_walked;
  wire                flights_io_completed_valid;
  wire       [12:0]   lengths_spinal_port1;
  wire       [4:0]    slots_spinal_port1;
  wire       [6:0]    bases_spinal_port1;
  wire                flights_io_room;
  wire       [7:0]    flights_io_held;
  wire       [7:0]    flights_io_passed;
  wire       [2:0]    flights_io_oldest;
  wire       [2:0]    flights_io_next;
  wire                flights_io_over_valid;
  wire       [1:0]    flights_io_over_payload;
  wire                flights_io_newestFails;
  wire                flights_io_newestWaits;
  wire       [12:0]   _zz_pageRest;
  wire       [11:0]   _zz_pageRest_1;
  wire       [5:0]    _zz_io_door_tokens_payload_demand_dataOffset;
  wire       [12:0]   _zz_lengths_port;
  wire       [4:0]    _zz_slots_port;
  wire       [6:0]    _zz_bases_port;
  wire       [35:0]   _zz_command_va;
  wire       [47:0]   _zz_command_va_1;
  wire       [47:0]   _zz_command_va_2;
  wire       [6:0]    _zz_io_read_payload_beat;
  wire       [63:0]   _zz_busy;
  wire       [63:0]   _zz_busy_1;
  wire       [6:0]    _zz_inside_1;
  wire       [6:0]    _zz_inside_1_1;
  wire       [0:0]    _zz_inside_1_2;
  wire       [6:0]    _zz_inside_1_3;
  wire       [0:0]    _zz_inside_1_4;
  wire       [6:0]    _zz_empties;
  wire       [0:0]    _zz_empties_1;
  wire       [5:0]    _zz_last;
  wire                _zz_when;
  reg        [1:0]    state_3;
  reg        [2:0]    command_operation;
  reg        [23:0]   command_pid;
  reg        [47:0]   command_va;
  reg        [12:0]   command_bytes;
  reg        [4:0]    command_slot;
  reg        [127:0]  command_operands;
  reg        [12:0]   source;
  wire                writes;
  reg        [5:0]    context_1;
  reg        [5:0]    begin_1;
  reg        [63:0]   busy;
  reg        [63:0]   flying;
  reg        [6:0]    inside_1;
  reg                 border;
  reg                 failed;
  reg                 offered;
  reg        [1:0]    end_1;
  reg        [63:0]   done;
  reg        [63:0]   zeros;
  wire                io_commands_fire;
  wire       [12:0]   pageRest;
  wire                lastBlock;
  wire       [12:0]   longest;
  wire                crosses;
  wire       [12:0]   bytes;
  wire                stops;
  wire                waits;
  reg                 free;
  wire                io_door_tokens_fire;
  wire                io_door_tokens_isStall;
  reg                 io_door_data_fetch_valid_regNext;
  wire                io_door_data_fetch_fire;
  reg        [1:0]    means;
  wire                io_door_data_completions_fire;
  wire                ofWrite;
  wire                completes;
  wire                fails;
  wire                over;
  wire                empties;
  wire       [1:0]    _zz_io_ended_payload_how;
  reg        [5:0]    told;
  wire       [1:0]    _zz_state;
  wire                last;
  wire                comes;
  (* ram_style = "distributed" *) reg [12:0] lengths [0:63];
  (* ram_style = "distributed" *) reg [4:0] slots [0:63];
  (* ram_style = "distributed" *) reg [6:0] bases [0:63];

  assign _zz_when = ((state_3 == State_2_tell) && ((! comes) || io_chunks_ready));
  assign _zz_pageRest_1 = command_va[11 : 0];
  assign _zz_pageRest = {1'd0, _zz_pageRest_1};
  assign _zz_io_door_tokens_payload_demand_dataOffset = source[5 : 0];
  assign _zz_command_va = (command_va[47 : 12] + 36'h000000001);
  assign _zz_command_va_1 = (command_va + _zz_command_va_2);
  assign _zz_command_va_2 = {35'd0, longest};
  assign _zz_io_read_payload_beat = {2'd0, io_door_data_fetch_payload_beat};
  assign _zz_busy = (64'h0000000000000001 <<< context_1);
  assign _zz_busy_1 = (64'h0000000000000001 <<< io_door_data_completions_payload_context);
  assign _zz_inside_1 = (inside_1 + _zz_inside_1_1);
  assign _zz_inside_1_2 = (io_door_tokens_fire && (! writes));
  assign _zz_inside_1_1 = {6'd0, _zz_inside_1_2};
  assign _zz_inside_1_4 = completes;
  assign _zz_inside_1_3 = {6'd0, _zz_inside_1_4};
  assign _zz_empties_1 = completes;
  assign _zz_empties = {6'd0, _zz_empties_1};
  assign _zz_last = (told + 6'h01);
  assign _zz_lengths_port = bytes;
  assign _zz_slots_port = command_slot;
  assign _zz_bases_port = source[12 : 6];
  always @(posedge clk) begin
    if(io_door_tokens_fire) begin
      lengths[context_1] <= _zz_lengths_port;
    end
  end

  assign lengths_spinal_port1 = lengths[told];
  always @(posedge clk) begin
    if(io_door_tokens_fire) begin
      slots[context_1] <= _zz_slots_port;
    end
  end

  assign slots_spinal_port1 = slots[io_door_data_fetch_payload_context];
  always @(posedge clk) begin
    if(io_door_tokens_fire) begin
      bases[context_1] <= _zz_bases_port;
    end
  end

  assign bases_spinal_port1 = bases[io_door_data_fetch_payload_context];
  WriteFlights flights (
    .io_begins                    (flights_io_begins                            ), //i
    .io_entered_valid             (flights_io_entered_valid                     ), //i
    .io_entered_payload           (context_1[5:0]                               ), //i
    .io_walked                    (flights_io_walked                            ), //i
    .io_fetched_valid             (io_door_data_fetch_fire                      ), //i
    .io_fetched_payload           (io_door_data_fetch_payload_context[5:0]      ), //i
    .io_completed_valid           (flights_io_completed_valid                   ), //i
    .io_completed_payload_context (io_door_data_completions_payload_context[5:0]), //i
    .io_completed_payload_how     (means[1:0]                                   ), //i
    .io_retire                    (io_retire                                    ), //i
    .io_room                      (flights_io_room                              ), //o
    .io_held                      (flights_io_held[7:0]                         ), //o
    .io_passed                    (flights_io_passed[7:0]                       ), //o
    .io_oldest                    (flights_io_oldest[2:0]                       ), //o
    .io_next                      (flights_io_next[2:0]                         ), //o
    .io_over_valid                (flights_io_over_valid                        ), //o
    .io_over_payload              (flights_io_over_payload[1:0]                 ), //o
    .io_newestFails               (flights_io_newestFails                       ), //o
    .io_newestWaits               (flights_io_newestWaits                       ), //o
    .clk                          (clk                                          ), //i
    .reset                        (reset                                        )  //i
  );
  assign writes = (command_operation == Operation_write);
  assign io_commands_ready = (state_3 == State_2_idle);
  assign io_commands_fire = (io_commands_valid && io_commands_ready);
  assign io_room = flights_io_room;
  assign io_held = flights_io_held;
  assign io_passed = flights_io_passed;
  assign io_oldest = flights_io_oldest;
  assign io_next = flights_io_next;
  assign io_over_valid = flights_io_over_valid;
  assign io_over_payload = flights_io_over_payload;
  assign flights_io_begins = (io_commands_fire && (io_commands_payload_operation == Operation_write));
  assign pageRest = (13'h1000 - _zz_pageRest);
  assign lastBlock = (&command_va[21 : 12]);
  assign longest = ((13'h05aa < command_bytes) ? 13'h05aa : command_bytes);
  assign crosses = (lastBlock && (pageRest < longest));
  assign bytes = (crosses ? pageRest : longest);
  assign stops = (writes ? flights_io_newestFails : failed);
  assign waits = (border && (writes ? flights_io_newestWaits : (inside_1 != 7'h0)));
  assign io_door_tokens_fire = (io_door_tokens_valid && io_door_tokens_ready);
  assign io_door_tokens_valid = ((((state_3 == State_2_walk) && (command_bytes != 13'h0)) && free) && (offered || (! (waits || stops))));
  assign io_door_tokens_payload_context = context_1;
  assign io_door_tokens_payload_demand_operation = command_operation;
  assign io_door_tokens_payload_demand_ordering_fence = 1'b0;
  assign io_door_tokens_payload_demand_ordering_windowed = 1'b0;
  assign io_door_tokens_payload_demand_ordering_time = 24'h0;
  assign io_door_tokens_payload_demand_pid = command_pid;
  assign io_door_tokens_payload_demand_va = command_va;
  assign io_door_tokens_payload_demand_length = {3'd0, bytes};
  assign io_door_tokens_payload_demand_dataOffset = {2'd0, _zz_io_door_tokens_payload_demand_dataOffset};
  assign io_door_tokens_isStall = (io_door_tokens_valid && (! io_door_tokens_ready));
  assign flights_io_entered_valid = (io_door_tokens_fire && writes);
  assign flights_io_walked = ((((state_3 == State_2_walk) && writes) && (! io_door_tokens_valid)) && ((command_bytes == 13'h0) || stops));
  assign io_door_data_fetch_ready = 1'b1;
  assign io_read_valid = io_door_data_fetch_valid;
  assign io_read_payload_slot = slots_spinal_port1;
  assign io_read_payload_beat = (bases_spinal_port1 + _zz_io_read_payload_beat);
  assign io_door_data_fetched_valid = io_door_data_fetch_valid_regNext;
  assign io_door_data_fetched_payload = io_packet;
  assign io_door_data_operands = command_operands;
  assign io_data_valid = io_door_data_payload_valid;
  assign io_door_data_payload_ready = io_data_ready;
  assign io_data_payload_data = io_door_data_payload_payload_data;
  assign io_data_payload_error = io_door_data_payload_payload_error;
  assign io_door_data_fetch_fire = (io_door_data_fetch_valid && io_door_data_fetch_ready);
  always @(*) begin
    means = AccessEnd_denied;
    if((io_door_data_completions_payload_report_outcome_status == 5'h0)) begin
      means = AccessEnd_done;
    end
    if((((io_door_data_completions_payload_report_outcome_status == 5'h01) || (io_door_data_completions_payload_report_outcome_status == 5'h0a)) || (io_door_data_completions_payload_report_outcome_status == 5'h0b))) begin
      means = AccessEnd_notReady;
    end
    if((io_door_data_completions_payload_report_outcome_status == 5'h0d)) begin
      means = AccessEnd_failed;
    end
  end

  assign io_door_data_completions_ready = 1'b1;
  assign io_door_data_completions_fire = (io_door_data_completions_valid && io_door_data_completions_ready);
  assign ofWrite = flying[io_door_data_completions_payload_context];
  assign flights_io_completed_valid = (io_door_data_completions_fire && ofWrite);
  assign completes = (io_door_data_completions_fire && (! ofWrite));
  assign fails = (completes && (means != AccessEnd_done));
  assign over = (((command_bytes == 13'h0) || failed) || fails);
  assign empties = (inside_1 == _zz_empties);
  assign io_ended_valid = (((((state_3 == State_2_walk) && (! writes)) && over) && empties) && (! io_door_tokens_valid));
  assign _zz_io_ended_payload_how = ((fails && (! failed)) ? means : end_1);
  assign io_ended_payload_how = _zz_io_ended_payload_how;
  assign io_ended_payload_old = io_door_data_completions_payload_old;
  assign _zz_state = ((command_operation == Operation_read) ? State_2_tell : State_2_idle);
  assign last = (_zz_last == context_1);
  assign comes = (done[told] && (! (failed && zeros[told])));
  assign io_chunks_valid = ((state_3 == State_2_tell) && comes);
  assign io_chunks_payload_bytes = lengths_spinal_port1;
  assign io_chunks_payload_zeros = zeros[told];
  assign io_chunks_payload_drop = failed;
  assign io_chunks_payload_last = last;
  always @(posedge clk) begin
    if(reset) begin
      state_3 <= State_2_idle;
      context_1 <= 6'h0;
      busy <= 64'h0;
      inside_1 <= 7'h0;
      free <= 1'b0;
      io_door_data_fetch_valid_regNext <= 1'b0;
    end else begin
      if(io_commands_fire) begin
        state_3 <= State_2_walk;
      end
      free <= ((! busy[context_1]) && (! io_door_tokens_fire));
      if(io_door_tokens_fire) begin
        context_1 <= (context_1 + 6'h01);
      end
      if(flights_io_walked) begin
        state_3 <= State_2_idle;
      end
      io_door_data_fetch_valid_regNext <= io_door_data_fetch_valid;
      busy <= ((busy | (io_door_tokens_fire ? _zz_busy : 64'h0)) & (~ (io_door_data_completions_fire ? _zz_busy_1 : 64'h0)));
      inside_1 <= (_zz_inside_1 - _zz_inside_1_3);
      if(io_ended_valid) begin
        state_3 <= _zz_state;
      end
      if(_zz_when) begin
        if(last) begin
          state_3 <= State_2_idle;
        end
      end
    end
  end

  always @(posedge clk) begin
    if(io_commands_fire) begin
      command_operation <= io_commands_payload_operation;
      command_pid <= io_commands_payload_pid;
      command_va <= io_commands_payload_va;
      command_bytes <= io_commands_payload_bytes;
      command_slot <= io_commands_payload_slot;
      command_operands <= io_commands_payload_operands;
      source <= {6'd0, io_commands_payload_offset};
      begin_1 <= context_1;
      border <= 1'b0;
      failed <= 1'b0;
      offered <= 1'b0;
      end_1 <= AccessEnd_done;
      done <= 64'h0;
    end
    if((state_3 == State_2_walk)) begin
      offered <= io_door_tokens_isStall;
    end
    if(io_door_tokens_fire) begin
      command_va <= (crosses ? {_zz_command_va,12'h0} : _zz_command_va_1);
      command_bytes <= (command_bytes - bytes);
      source <= (source + bytes);
      border <= (lastBlock && (pageRest == bytes));
      flying[context_1] <= writes;
    end
    if(completes) begin
      done[io_door_data_completions_payload_context] <= (! fails);
      zeros[io_door_data_completions_payload_context] <= io_door_data_completions_payload_report_zeros;
      if((fails && (! failed))) begin
        failed <= 1'b1;
        end_1 <= means;
      end
    end
    if(io_ended_valid) begin
      told <= begin_1;
    end
    if(_zz_when) begin
      told <= (told + 6'h01);
    end
  end


endmodule

module ReactionPoint (
  input  wire          io_changes_valid,
  input  wire [9:0]    io_changes_payload_pair,
  input  wire          io_changes_payload_cuts,
  input  wire [16:0]   io_changes_payload_cap,
  output wire          io_room,
  input  wire          io_sent_valid,
  input  wire [9:0]    io_sent_payload_pair,
  input  wire [12:0]   io_sent_payload_bytes,
  input  wire [9:0]    io_pair,
  output wire          io_holds,
  output wire          io_wakes_valid,
  input  wire          io_wakes_ready,
  output wire [9:0]    io_wakes_payload,
  input  wire          clk,
  input  wire          reset
);
  localparam Op_pass = 2'd0;
  localparam Op_sent = 2'd1;
  localparam Op_cut = 2'd2;
  localparam Op_set = 2'd3;

  wire                changes_io_push_valid;
  wire                changes_io_pop_ready;
  wire                sents_io_pop_ready;
  wire                waking_io_push_valid;
  reg        [107:0]  rows_spinal_port0;
  wire       [0:0]    held_spinal_port0;
  wire                changes_io_push_ready;
  wire                changes_io_pop_valid;
  wire       [9:0]    changes_io_pop_payload_pair;
  wire                changes_io_pop_payload_cuts;
  wire       [16:0]   changes_io_pop_payload_cap;
  wire       [2:0]    changes_io_occupancy;
  wire                sents_io_push_ready;
  wire                sents_io_pop_valid;
  wire       [9:0]    sents_io_pop_payload_pair;
  wire       [12:0]   sents_io_pop_payload_bytes;
  wire                waking_io_push_ready;
  wire                waking_io_pop_valid;
  wire       [9:0]    waking_io_pop_payload;
  wire       [4:0]    waking_io_occupancy;
  wire       [10:0]   _zz_period_valueNext;
  wire       [0:0]    _zz_period_valueNext_1;
  wire                _zz_takesPass;
  wire                _zz_takesPass_1;
  wire       [0:0]    _zz_takesPass_2;
  wire       [0:0]    _zz_takesPass_3;
  wire                _zz_io_pop_ready;
  wire                _zz_io_pop_ready_1;
  wire       [16:0]   _zz_read_payload_amount;
  wire                _zz_rows_port;
  wire                _zz__zz_row_cap;
  wire       [17:0]   _zz_more;
  wire       [17:0]   _zz_more_1;
  wire       [17:0]   _zz_more_2;
  wire       [18:0]   _zz__zz_credit;
  wire       [18:0]   _zz__zz_credit_1;
  wire       [1:0]    _zz_when;
  wire       [0:0]    _zz_when_1;
  wire       [14:0]   _zz_units_1;
  wire       [9:0]    _zz_units_1_1;
  wire       [17:0]   _zz_units_1_2;
  wire       [17:0]   _zz_units_1_3;
  wire       [8:0]    _zz_units_1_4;
  wire       [2:0]    _zz_first_timer;
  wire       [14:0]   _zz_first_alpha;
  wire       [6:0]    _zz_first_alpha_1;
  wire       [14:0]   _zz_first_alpha_2;
  wire       [6:0]    _zz_first_alpha_3;
  wire       [14:0]   _zz_first_alpha_4;
  wire       [17:0]   _zz_target;
  wire       [9:0]    _zz_target_1;
  wire       [17:0]   _zz_when_2;
  wire       [20:0]   _zz_low4_1;
  wire       [20:0]   _zz_low4_2;
  wire       [20:0]   _zz_low4_3;
  wire       [17:0]   _zz_low4_4;
  wire       [20:0]   _zz_low4_5;
  wire       [20:0]   _zz_low4_6;
  wire       [18:0]   _zz_low4_7;
  wire       [20:0]   _zz_low4_8;
  wire       [19:0]   _zz_low4_9;
  wire       [20:0]   _zz_high4_1;
  wire       [20:0]   _zz_high4_2;
  wire       [20:0]   _zz_high4_3;
  wire       [17:0]   _zz_high4_4;
  wire       [20:0]   _zz_high4_5;
  wire       [20:0]   _zz_high4_6;
  wire       [18:0]   _zz_high4_7;
  wire       [20:0]   _zz_high4_8;
  wire       [19:0]   _zz_high4_9;
  wire       [18:0]   _zz_middle;
  wire       [17:0]   _zz_middle_1;
  wire       [18:0]   _zz_middle_2;
  wire       [1:0]    _zz_middle_3;
  wire       [24:0]   _zz_part;
  wire       [25:0]   _zz_part_1;
  wire       [21:0]   _zz_part_2;
  wire       [9:0]    _zz_rows_port_1;
  wire       [107:0]  _zz_rows_port_2;
  wire       [17:0]   _zz_rows_port_3;
  wire                _zz_rows_port_4;
  wire       [9:0]    _zz_held_port;
  wire       [0:0]    _zz_held_port_1;
  wire                _zz_held_port_2;
  reg                 read_valid;
  reg        [1:0]    read_payload_op;
  reg        [9:0]    read_payload_pair;
  reg        [16:0]   read_payload_amount;
  reg                 loaded_valid;
  reg        [1:0]    loaded_payload_op;
  reg        [9:0]    loaded_payload_pair;
  reg        [16:0]   loaded_payload_amount;
  reg                 atHand_valid;
  reg        [1:0]    atHand_payload_op;
  reg        [9:0]    atHand_payload_pair;
  reg        [16:0]   atHand_payload_amount;
  reg                 added_valid;
  reg        [1:0]    added_payload_op;
  reg        [9:0]    added_payload_pair;
  reg                 aimed_valid;
  reg        [1:0]    aimed_payload_op;
  reg        [9:0]    aimed_payload_pair;
  reg                 done_valid;
  reg        [1:0]    done_payload_op;
  reg        [9:0]    done_payload_pair;
  reg        [9:0]    sweep;
  reg                 sweeps;
  wire                period_willIncrement;
  wire                period_willClear;
  reg        [10:0]   period_valueNext;
  reg        [10:0]   period_value;
  wire                period_willOverflowIfInc;
  wire                period_willOverflow;
  reg                 due;
  reg                 passes;
  reg        [9:0]    next_1;
  reg                 _zz_io_room;
  wire                room;
  wire                takesPass;
  wire                changes_io_pop_fire;
  wire                sents_io_pop_fire;
  wire       [1:0]    _zz_read_payload_op;
  wire       [107:0]  _zz_row_cap;
  wire       [5:0]    _zz_row_stages_0;
  reg        [16:0]   row_cap;
  reg        [16:0]   row_rate;
  reg        [16:0]   row_target;
  reg        [14:0]   row_alpha;
  reg        [2:0]    row_timer;
  reg        [14:0]   row_units;
  reg        [2:0]    row_stages_0;
  reg        [2:0]    row_stages_1;
  reg        [17:0]   row_credit;
  wire                isPass;
  wire                isSent;
  wire                isCut;
  wire                isSet;
  wire                limited;
  wire                low;
  wire       [17:0]   nothing;
  reg        [16:0]   first_cap;
  reg        [16:0]   first_rate;
  reg        [16:0]   first_target;
  reg        [14:0]   first_alpha;
  reg        [2:0]    first_timer;
  reg        [14:0]   first_units;
  reg        [2:0]    first_stages_0;
  reg        [2:0]    first_stages_1;
  reg        [17:0]   first_credit;
  reg                 grows;
  reg                 wasHeld;
  wire       [14:0]   alpha;
  reg        [7:0]    by;
  wire       [17:0]   debt;
  wire       [17:0]   inHand;
  wire       [17:0]   more;
  wire       [18:0]   _zz_credit;
  reg        [17:0]   credit;
  wire       [15:0]   units_1;
  wire       [0:0]    clock;
  wire                ticks;
  reg        [16:0]   second_cap;
  reg        [16:0]   second_rate;
  reg        [16:0]   second_target;
  reg        [14:0]   second_alpha;
  reg        [2:0]    second_timer;
  reg        [14:0]   second_units;
  reg        [2:0]    second_stages_0;
  reg        [2:0]    second_stages_1;
  reg        [17:0]   second_credit;
  reg                 secondGrows;
  reg                 secondHeld;
  reg        [8:0]    step2;
  wire       [17:0]   target;
  wire       [3:0]    _zz_low4;
  reg        [20:0]   low4;
  wire       [3:0]    _zz_high4;
  reg        [20:0]   high4;
  reg        [16:0]   third_cap;
  reg        [16:0]   third_rate;
  reg        [16:0]   third_target;
  reg        [14:0]   third_alpha;
  reg        [2:0]    third_timer;
  reg        [14:0]   third_units;
  reg        [2:0]    third_stages_0;
  reg        [2:0]    third_stages_1;
  reg        [17:0]   third_credit;
  reg                 thirdHeld;
  wire       [17:0]   middle;
  wire       [25:0]   part;
  wire       [16:0]   written_cap;
  reg        [16:0]   written_rate;
  wire       [16:0]   written_target;
  wire       [14:0]   written_alpha;
  wire       [2:0]    written_timer;
  wire       [14:0]   written_units;
  wire       [2:0]    written_stages_0;
  wire       [2:0]    written_stages_1;
  reg        [17:0]   written_credit;
  wire                holds;
  wire       [16:0]   _zz_3;
  wire                wakes;
  reg                 _zz_room;
  (* ram_style = "block" *) reg [107:0] rows [0:1023];
  (* ram_style = "distributed" *) reg [0:0] held [0:1023];

  assign _zz_period_valueNext_1 = period_willIncrement;
  assign _zz_period_valueNext = {10'd0, _zz_period_valueNext_1};
  assign _zz_read_payload_amount = {4'd0, sents_io_pop_payload_bytes};
  assign _zz_more = (- _zz_more_1);
  assign _zz_more_1 = {1'b0,atHand_payload_amount};
  assign _zz_more_2 = {1'b0,row_rate};
  assign _zz__zz_credit = {inHand[17],inHand};
  assign _zz__zz_credit_1 = {more[17],more};
  assign _zz_when = _zz_credit[18 : 17];
  assign _zz_when_1 = _zz_credit[17 : 17];
  assign _zz_units_1_1 = _zz_units_1_2[17 : 8];
  assign _zz_units_1 = {5'd0, _zz_units_1_1};
  assign _zz_units_1_2 = ({1'b0,atHand_payload_amount} + _zz_units_1_3);
  assign _zz_units_1_4 = {1'b0,8'hff};
  assign _zz_units_1_3 = {9'd0, _zz_units_1_4};
  assign _zz_first_timer = (row_timer + 3'b001);
  assign _zz_first_alpha_1 = row_alpha[14 : 8];
  assign _zz_first_alpha = {8'd0, _zz_first_alpha_1};
  assign _zz_first_alpha_3 = _zz_first_alpha_4[14 : 8];
  assign _zz_first_alpha_2 = {8'd0, _zz_first_alpha_3};
  assign _zz_first_alpha_4 = (~ alpha);
  assign _zz_target_1 = {1'b0,step2};
  assign _zz_target = {8'd0, _zz_target_1};
  assign _zz_when_2 = {1'd0, first_cap};
  assign _zz_low4_1 = ((_zz_low4[0] ? _zz_low4_2 : 21'h0) + (_zz_low4[1] ? _zz_low4_3 : 21'h0));
  assign _zz_low4_2 = {4'd0, first_rate};
  assign _zz_low4_4 = ({1'd0,first_rate} <<< 1'd1);
  assign _zz_low4_3 = {3'd0, _zz_low4_4};
  assign _zz_low4_5 = ((_zz_low4[2] ? _zz_low4_6 : 21'h0) + (_zz_low4[3] ? _zz_low4_8 : 21'h0));
  assign _zz_low4_7 = ({2'd0,first_rate} <<< 2'd2);
  assign _zz_low4_6 = {2'd0, _zz_low4_7};
  assign _zz_low4_9 = ({3'd0,first_rate} <<< 2'd3);
  assign _zz_low4_8 = {1'd0, _zz_low4_9};
  assign _zz_high4_1 = ((_zz_high4[0] ? _zz_high4_2 : 21'h0) + (_zz_high4[1] ? _zz_high4_3 : 21'h0));
  assign _zz_high4_2 = {4'd0, first_rate};
  assign _zz_high4_4 = ({1'd0,first_rate} <<< 1'd1);
  assign _zz_high4_3 = {3'd0, _zz_high4_4};
  assign _zz_high4_5 = ((_zz_high4[2] ? _zz_high4_6 : 21'h0) + (_zz_high4[3] ? _zz_high4_8 : 21'h0));
  assign _zz_high4_7 = ({2'd0,first_rate} <<< 2'd2);
  assign _zz_high4_6 = {2'd0, _zz_high4_7};
  assign _zz_high4_9 = ({3'd0,first_rate} <<< 2'd3);
  assign _zz_high4_8 = {1'd0, _zz_high4_9};
  assign _zz_middle = ({1'b0,_zz_middle_1} + _zz_middle_2);
  assign _zz_middle_1 = ({1'b0,second_rate} + {1'b0,second_target});
  assign _zz_middle_3 = {1'b0,1'b1};
  assign _zz_middle_2 = {17'd0, _zz_middle_3};
  assign _zz_part = ({4'd0,high4} <<< 3'd4);
  assign _zz_part_2 = {1'b0,low4};
  assign _zz_part_1 = {4'd0, _zz_part_2};
  assign _zz_rows_port_3 = (sweeps ? 18'h0 : written_credit);
  assign _zz__zz_row_cap = 1'b1;
  assign _zz_rows_port_1 = (sweeps ? sweep : done_payload_pair);
  assign _zz_rows_port_2 = {_zz_rows_port_3,{{(sweeps ? 3'b000 : written_stages_1),(sweeps ? 3'b000 : written_stages_0)},{(sweeps ? 15'h0 : written_units),{(sweeps ? 3'b000 : written_timer),{(sweeps ? 15'h7fff : written_alpha),{(sweeps ? _zz_3 : written_target),{(sweeps ? _zz_3 : written_rate),(sweeps ? _zz_3 : written_cap)}}}}}}};
  assign _zz_rows_port_4 = (sweeps || done_valid);
  assign _zz_held_port = (sweeps ? sweep : done_payload_pair);
  assign _zz_held_port_1 = (holds && (! sweeps));
  assign _zz_held_port_2 = (sweeps || done_valid);
  assign _zz_takesPass = (added_payload_pair == next_1);
  assign _zz_takesPass_1 = (atHand_valid && (atHand_payload_pair == next_1));
  assign _zz_takesPass_2 = (loaded_valid && (loaded_payload_pair == next_1));
  assign _zz_takesPass_3 = (read_valid && (read_payload_pair == next_1));
  assign _zz_io_pop_ready = (loaded_payload_pair == changes_io_pop_payload_pair);
  assign _zz_io_pop_ready_1 = (read_payload_pair == changes_io_pop_payload_pair);
  always @(posedge clk) begin
    if(_zz__zz_row_cap) begin
      rows_spinal_port0 <= rows[read_payload_pair];
    end
  end

  always @(posedge clk) begin
    if(_zz_rows_port_4) begin
      rows[_zz_rows_port_1] <= _zz_rows_port_2;
    end
  end

  assign held_spinal_port0 = held[io_pair];
  always @(posedge clk) begin
    if(_zz_held_port_2) begin
      held[_zz_held_port] <= _zz_held_port_1;
    end
  end

  StreamFifo_2 changes (
    .io_push_valid        (changes_io_push_valid           ), //i
    .io_push_ready        (changes_io_push_ready           ), //o
    .io_push_payload_pair (io_changes_payload_pair[9:0]    ), //i
    .io_push_payload_cuts (io_changes_payload_cuts         ), //i
    .io_push_payload_cap  (io_changes_payload_cap[16:0]    ), //i
    .io_pop_valid         (changes_io_pop_valid            ), //o
    .io_pop_ready         (changes_io_pop_ready            ), //i
    .io_pop_payload_pair  (changes_io_pop_payload_pair[9:0]), //o
    .io_pop_payload_cuts  (changes_io_pop_payload_cuts     ), //o
    .io_pop_payload_cap   (changes_io_pop_payload_cap[16:0]), //o
    .io_flush             (1'b0                            ), //i
    .io_occupancy         (changes_io_occupancy[2:0]       ), //o
    .clk                  (clk                             ), //i
    .reset                (reset                           )  //i
  );
  StreamFifo_3 sents (
    .io_push_valid         (io_sent_valid                   ), //i
    .io_push_ready         (sents_io_push_ready             ), //o
    .io_push_payload_pair  (io_sent_payload_pair[9:0]       ), //i
    .io_push_payload_bytes (io_sent_payload_bytes[12:0]     ), //i
    .io_pop_valid          (sents_io_pop_valid              ), //o
    .io_pop_ready          (sents_io_pop_ready              ), //i
    .io_pop_payload_pair   (sents_io_pop_payload_pair[9:0]  ), //o
    .io_pop_payload_bytes  (sents_io_pop_payload_bytes[12:0]), //o
    .io_flush              (1'b0                            ), //i
    .clk                   (clk                             ), //i
    .reset                 (reset                           )  //i
  );
  StreamFifo_4 waking (
    .io_push_valid   (waking_io_push_valid      ), //i
    .io_push_ready   (waking_io_push_ready      ), //o
    .io_push_payload (done_payload_pair[9:0]    ), //i
    .io_pop_valid    (waking_io_pop_valid       ), //o
    .io_pop_ready    (io_wakes_ready            ), //i
    .io_pop_payload  (waking_io_pop_payload[9:0]), //o
    .io_flush        (1'b0                      ), //i
    .io_occupancy    (waking_io_occupancy[4:0]  ), //o
    .clk             (clk                       ), //i
    .reset           (reset                     )  //i
  );
  assign io_holds = held_spinal_port0[0];
  assign period_willClear = 1'b0;
  assign period_willOverflowIfInc = (period_value == 11'h7ff);
  assign period_willOverflow = (period_willOverflowIfInc && period_willIncrement);
  always @(*) begin
    period_valueNext = (period_value + _zz_period_valueNext);
    if(period_willClear) begin
      period_valueNext = 11'h0;
    end
  end

  assign period_willIncrement = 1'b1;
  assign io_room = _zz_io_room;
  assign changes_io_push_valid = (io_changes_valid && (io_room || (! io_changes_payload_cuts)));
  assign takesPass = ((((((! sweeps) && (! changes_io_pop_valid)) && (! sents_io_pop_valid)) && passes) && room) && (! (|{(aimed_valid && (aimed_payload_pair == next_1)),{(added_valid && _zz_takesPass),{_zz_takesPass_1,{_zz_takesPass_2,_zz_takesPass_3}}}})));
  assign changes_io_pop_ready = (((! sweeps) && (! sents_io_pop_valid)) && (! (|{(aimed_valid && (aimed_payload_pair == changes_io_pop_payload_pair)),{(added_valid && (added_payload_pair == changes_io_pop_payload_pair)),{(atHand_valid && (atHand_payload_pair == changes_io_pop_payload_pair)),{(loaded_valid && _zz_io_pop_ready),(read_valid && _zz_io_pop_ready_1)}}}})));
  assign sents_io_pop_ready = ((! sweeps) && (! (|{(aimed_valid && (aimed_payload_pair == sents_io_pop_payload_pair)),{(added_valid && (added_payload_pair == sents_io_pop_payload_pair)),{(atHand_valid && (atHand_payload_pair == sents_io_pop_payload_pair)),{(loaded_valid && (loaded_payload_pair == sents_io_pop_payload_pair)),(read_valid && (read_payload_pair == sents_io_pop_payload_pair))}}}})));
  assign changes_io_pop_fire = (changes_io_pop_valid && changes_io_pop_ready);
  assign sents_io_pop_fire = (sents_io_pop_valid && sents_io_pop_ready);
  assign _zz_read_payload_op = (changes_io_pop_payload_cuts ? Op_cut : Op_set);
  assign _zz_row_cap = rows_spinal_port0;
  assign _zz_row_stages_0 = _zz_row_cap[89 : 84];
  assign isPass = (atHand_payload_op == Op_pass);
  assign isSent = (atHand_payload_op == Op_sent);
  assign isCut = (atHand_payload_op == Op_cut);
  assign isSet = (atHand_payload_op == Op_set);
  assign limited = (! (&row_rate));
  assign low = (row_rate != row_cap);
  assign nothing = 18'h0;
  assign alpha = (low ? row_alpha : 15'h7fff);
  assign debt = (row_credit[17] ? row_credit : nothing);
  assign inHand = (isSent ? row_credit : debt);
  assign more = (isSent ? _zz_more : _zz_more_2);
  assign _zz_credit = ($signed(_zz__zz_credit) + $signed(_zz__zz_credit_1));
  always @(*) begin
    if(_zz_credit[18]) begin
      if((! (&_zz_when))) begin
        credit = 18'h20000;
      end else begin
        credit = _zz_credit[17 : 0];
      end
    end else begin
      if((|_zz_when_1)) begin
        credit = 18'h1ffff;
      end else begin
        credit = _zz_credit[17 : 0];
      end
    end
  end

  assign units_1 = ({1'b0,row_units} + {1'b0,_zz_units_1});
  assign clock = isSent;
  assign ticks = (isPass && (row_timer == 3'b110));
  always @(*) begin
    step2 = 9'h029;
    if((&{(first_stages_1 < 3'b101),(first_stages_0 < 3'b101)})) begin
      step2 = 9'h0;
    end
    if((&{(3'b101 < first_stages_1),(3'b101 < first_stages_0)})) begin
      step2 = 9'h19a;
    end
  end

  assign target = ({1'b0,first_target} + _zz_target);
  assign _zz_low4 = by[3 : 0];
  assign _zz_high4 = by[7 : 4];
  assign middle = _zz_middle[18 : 1];
  assign part = ({1'b0,_zz_part} + _zz_part_1);
  assign written_cap = third_cap;
  always @(*) begin
    written_rate = third_rate;
    if(((done_payload_op == Op_cut) && (third_rate < 17'h00080))) begin
      written_rate = 17'h00080;
    end
  end

  assign written_target = third_target;
  assign written_alpha = third_alpha;
  assign written_timer = third_timer;
  assign written_units = third_units;
  assign written_stages_0 = third_stages_0;
  assign written_stages_1 = third_stages_1;
  always @(*) begin
    written_credit = third_credit;
    if((! (! (&third_rate)))) begin
      written_credit = 18'h0;
    end
  end

  assign holds = ((! (&written_rate)) && written_credit[17]);
  assign _zz_3 = 17'h1ffff;
  assign wakes = ((thirdHeld && (! holds)) && (! (done_payload_op == Op_set)));
  assign waking_io_push_valid = (done_valid && wakes);
  assign io_wakes_valid = waking_io_pop_valid;
  assign io_wakes_payload = waking_io_pop_payload;
  assign room = _zz_room;
  always @(posedge clk) begin
    if(reset) begin
      read_valid <= 1'b0;
      loaded_valid <= 1'b0;
      atHand_valid <= 1'b0;
      added_valid <= 1'b0;
      aimed_valid <= 1'b0;
      done_valid <= 1'b0;
      sweep <= 10'h0;
      sweeps <= 1'b1;
      period_value <= 11'h0;
      due <= 1'b0;
      passes <= 1'b0;
      next_1 <= 10'h0;
      _zz_io_room <= 1'b0;
      _zz_room <= 1'b0;
    end else begin
      loaded_valid <= read_valid;
      atHand_valid <= loaded_valid;
      added_valid <= atHand_valid;
      aimed_valid <= added_valid;
      done_valid <= aimed_valid;
      if(sweeps) begin
        sweep <= (sweep + 10'h001);
        if((&sweep)) begin
          sweeps <= 1'b0;
        end
      end
      period_value <= period_valueNext;
      if(period_willOverflow) begin
        due <= 1'b1;
      end
      if(((due && (! passes)) && (! sweeps))) begin
        due <= period_willOverflow;
        passes <= 1'b1;
      end
      _zz_io_room <= (changes_io_occupancy < 3'b010);
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! changes_io_push_valid) || changes_io_push_ready)); // ReactionPoint.scala:L137
        `else
          if(!((! changes_io_push_valid) || changes_io_push_ready)) begin
            $display("FAILURE a change of a rate is lost"); // ReactionPoint.scala:L137
            $finish;
          end
        `endif
      `endif
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! io_sent_valid) || sents_io_push_ready)); // ReactionPoint.scala:L137
        `else
          if(!((! io_sent_valid) || sents_io_push_ready)) begin
            $display("FAILURE a change of a rate is lost"); // ReactionPoint.scala:L137
            $finish;
          end
        `endif
      `endif
      read_valid <= ((changes_io_pop_fire || sents_io_pop_fire) || takesPass);
      if(takesPass) begin
        next_1 <= (next_1 + 10'h001);
        if((&next_1)) begin
          passes <= 1'b0;
        end
      end
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! waking_io_push_valid) || waking_io_push_ready)); // ReactionPoint.scala:L247
        `else
          if(!((! waking_io_push_valid) || waking_io_push_ready)) begin
            $display("FAILURE a queue pair that may go on is not told so"); // ReactionPoint.scala:L247
            $finish;
          end
        `endif
      `endif
      _zz_room <= (waking_io_occupancy < 5'h08);
    end
  end

  always @(posedge clk) begin
    loaded_payload_op <= read_payload_op;
    loaded_payload_pair <= read_payload_pair;
    loaded_payload_amount <= read_payload_amount;
    atHand_payload_op <= loaded_payload_op;
    atHand_payload_pair <= loaded_payload_pair;
    atHand_payload_amount <= loaded_payload_amount;
    added_payload_op <= atHand_payload_op;
    added_payload_pair <= atHand_payload_pair;
    aimed_payload_op <= added_payload_op;
    aimed_payload_pair <= added_payload_pair;
    done_payload_op <= aimed_payload_op;
    done_payload_pair <= aimed_payload_pair;
    read_payload_op <= Op_pass;
    read_payload_pair <= next_1;
    read_payload_amount <= (_zz_read_payload_amount + 17'h00060);
    if(sents_io_pop_valid) begin
      read_payload_op <= Op_sent;
      read_payload_pair <= sents_io_pop_payload_pair;
    end else begin
      if(changes_io_pop_valid) begin
        read_payload_op <= _zz_read_payload_op;
        read_payload_pair <= changes_io_pop_payload_pair;
        read_payload_amount <= changes_io_pop_payload_cap;
      end
    end
    row_cap <= _zz_row_cap[16 : 0];
    row_rate <= _zz_row_cap[33 : 17];
    row_target <= _zz_row_cap[50 : 34];
    row_alpha <= _zz_row_cap[65 : 51];
    row_timer <= _zz_row_cap[68 : 66];
    row_units <= _zz_row_cap[83 : 69];
    row_stages_0 <= _zz_row_stages_0[2 : 0];
    row_stages_1 <= _zz_row_stages_0[5 : 3];
    row_credit <= _zz_row_cap[107 : 90];
    by <= alpha[14 : 7];
    wasHeld <= ((! (&row_rate)) && row_credit[17]);
    grows <= 1'b0;
    first_cap <= row_cap;
    first_rate <= row_rate;
    first_target <= row_target;
    first_alpha <= row_alpha;
    first_timer <= row_timer;
    first_units <= row_units;
    first_stages_0 <= row_stages_0;
    first_stages_1 <= row_stages_1;
    first_credit <= row_credit;
    if((limited && (isPass || isSent))) begin
      first_credit <= credit;
      if((low && isPass)) begin
        first_timer <= (ticks ? 3'b000 : _zz_first_timer);
        if(ticks) begin
          first_alpha <= (row_alpha - _zz_first_alpha);
        end
      end
      if((low && isSent)) begin
        first_units <= units_1[14:0];
      end
      if((low && (ticks || (isSent && units_1[15])))) begin
        grows <= 1'b1;
        if(((clock == 1'b0) && (! (&row_stages_0)))) begin
          first_stages_0 <= (row_stages_0 + 3'b001);
        end
        if(((clock == 1'b1) && (! (&row_stages_1)))) begin
          first_stages_1 <= (row_stages_1 + 3'b001);
        end
      end
    end
    if(isCut) begin
      first_credit <= (limited ? debt : nothing);
      first_target <= row_rate;
      first_alpha <= (alpha + _zz_first_alpha_2);
      first_timer <= 3'b000;
      first_units <= 15'h0;
      if(1'b1) begin
        first_stages_0 <= 3'b000;
        first_stages_1 <= 3'b000;
      end
    end
    if(isSet) begin
      first_cap <= atHand_payload_amount;
      first_rate <= atHand_payload_amount;
      first_target <= atHand_payload_amount;
      first_alpha <= 15'h7fff;
      first_timer <= 3'b000;
      first_units <= 15'h0;
      first_stages_0 <= 3'b000;
      first_stages_1 <= 3'b000;
      first_credit <= 18'h0;
    end
    secondGrows <= grows;
    secondHeld <= wasHeld;
    second_cap <= first_cap;
    second_rate <= first_rate;
    second_target <= first_target;
    second_alpha <= first_alpha;
    second_timer <= first_timer;
    second_units <= first_units;
    second_stages_0 <= first_stages_0;
    second_stages_1 <= first_stages_1;
    second_credit <= first_credit;
    if(grows) begin
      second_target <= target[16:0];
      if((_zz_when_2 < target)) begin
        second_target <= first_cap;
      end
    end
    low4 <= (_zz_low4_1 + _zz_low4_5);
    high4 <= (_zz_high4_1 + _zz_high4_5);
    thirdHeld <= secondHeld;
    third_cap <= second_cap;
    third_rate <= second_rate;
    third_target <= second_target;
    third_alpha <= second_alpha;
    third_timer <= second_timer;
    third_units <= second_units;
    third_stages_0 <= second_stages_0;
    third_stages_1 <= second_stages_1;
    third_credit <= second_credit;
    if(secondGrows) begin
      third_rate <= middle[16:0];
    end
    if((aimed_payload_op == Op_cut)) begin
      third_rate <= (second_rate - part[25 : 9]);
    end
  end


endmodule

module RoceTurns (
  input  wire          io_push_valid,
  input  wire [9:0]    io_push_payload_share,
  input  wire [9:0]    io_push_payload_pair,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [9:0]    io_pop_payload,
  input  wire          io_clear_valid,
  input  wire [9:0]    io_clear_payload,
  output wire          io_empty,
  input  wire          clk,
  input  wire          reset
);
  localparam State_1_idle = 2'd0;
  localparam State_1_push = 2'd1;
  localparam State_1_fetch = 2'd2;
  localparam State_1_next_1 = 2'd3;

  reg                 processes_io_push_valid;
  wire       [9:0]    processes_io_push_payload;
  reg        [20:0]   lists_spinal_port0;
  reg        [9:0]    behind_spinal_port0;
  wire                processes_io_push_ready;
  wire                processes_io_pop_valid;
  wire       [9:0]    processes_io_pop_payload;
  wire       [10:0]   processes_io_occupancy;
  wire                _zz_lists_port;
  wire                _zz__zz_list_some_1;
  wire                _zz_behind_port;
  wire                _zz_second;
  wire       [9:0]    _zz_lists_port_1;
  wire       [20:0]   _zz_lists_port_2;
  wire                _zz_lists_port_3;
  wire       [9:0]    _zz_behind_port_1;
  wire                _zz_behind_port_2;
  wire                _zz_when;
  reg        [1:0]    state_3;
  wire                idle;
  reg                 comes_valid;
  reg        [9:0]    comes_payload_share;
  reg        [9:0]    comes_payload_pair;
  reg                 candidate_valid;
  reg        [9:0]    candidate_payload;
  reg                 again_valid;
  reg        [9:0]    again_payload;
  wire                returns;
  wire                fetches;
  reg        [9:0]    process_1;
  wire       [9:0]    asked;
  wire       [9:0]    _zz_list_some;
  wire                list_some;
  wire       [9:0]    list_first;
  wire       [9:0]    list_last;
  wire       [20:0]   _zz_list_some_1;
  wire       [9:0]    second;
  wire                one;
  reg                 changed_some;
  reg        [9:0]    changed_first;
  reg        [9:0]    changed_last;
  reg                 changes;
  reg [20:0] lists [0:1023];
  reg [9:0] behind [0:1023];

  assign _zz_when = (! list_some);
  assign _zz__zz_list_some_1 = 1'b1;
  assign _zz_lists_port_1 = (io_clear_valid ? io_clear_payload : process_1);
  assign _zz_lists_port_2 = {changed_last,{changed_first,changed_some}};
  assign _zz_lists_port_3 = (changes || io_clear_valid);
  assign _zz_second = 1'b1;
  assign _zz_behind_port_1 = comes_payload_pair;
  assign _zz_behind_port_2 = ((state_3 == State_1_push) && list_some);
  always @(posedge clk) begin
    if(_zz__zz_list_some_1) begin
      lists_spinal_port0 <= lists[_zz_list_some];
    end
  end

  always @(posedge clk) begin
    if(_zz_lists_port_3) begin
      lists[_zz_lists_port_1] <= _zz_lists_port_2;
    end
  end

  always @(posedge clk) begin
    if(_zz_second) begin
      behind_spinal_port0 <= behind[list_first];
    end
  end

  always @(posedge clk) begin
    if(_zz_behind_port_2) begin
      behind[list_last] <= _zz_behind_port_1;
    end
  end

  StreamFifo_1 processes (
    .io_push_valid   (processes_io_push_valid       ), //i
    .io_push_ready   (processes_io_push_ready       ), //o
    .io_push_payload (processes_io_push_payload[9:0]), //i
    .io_pop_valid    (processes_io_pop_valid        ), //o
    .io_pop_ready    (fetches                       ), //i
    .io_pop_payload  (processes_io_pop_payload[9:0] ), //o
    .io_flush        (1'b0                          ), //i
    .io_occupancy    (processes_io_occupancy[10:0]  ), //o
    .clk             (clk                           ), //i
    .reset           (reset                         )  //i
  );
  assign idle = (state_3 == State_1_idle);
  assign returns = (((idle && (! comes_valid)) && (! candidate_valid)) && again_valid);
  assign fetches = ((((idle && (! comes_valid)) && (! candidate_valid)) && (! again_valid)) && processes_io_pop_valid);
  assign asked = (comes_valid ? comes_payload_share : processes_io_pop_payload);
  assign _zz_list_some = (idle ? asked : process_1);
  assign _zz_list_some_1 = lists_spinal_port0;
  assign list_some = _zz_list_some_1[0];
  assign list_first = _zz_list_some_1[10 : 1];
  assign list_last = _zz_list_some_1[20 : 11];
  assign second = behind_spinal_port0;
  assign one = (list_first == list_last);
  always @(*) begin
    processes_io_push_valid = 1'b0;
    case(state_3)
      State_1_idle : begin
        if(returns) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_1_push : begin
        if(_zz_when) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_1_fetch : begin
      end
      default : begin
      end
    endcase
  end

  assign processes_io_push_payload = (returns ? again_payload : process_1);
  always @(*) begin
    changed_some = list_some;
    case(state_3)
      State_1_idle : begin
      end
      State_1_push : begin
        changed_some = 1'b1;
      end
      State_1_fetch : begin
        if(one) begin
          changed_some = 1'b0;
        end
      end
      default : begin
      end
    endcase
    if(io_clear_valid) begin
      changed_some = 1'b0;
    end
  end

  always @(*) begin
    changed_first = list_first;
    case(state_3)
      State_1_idle : begin
      end
      State_1_push : begin
        if(_zz_when) begin
          changed_first = comes_payload_pair;
        end
      end
      State_1_fetch : begin
      end
      default : begin
        changed_first = second;
      end
    endcase
  end

  always @(*) begin
    changed_last = list_last;
    case(state_3)
      State_1_idle : begin
      end
      State_1_push : begin
        changed_last = comes_payload_pair;
      end
      State_1_fetch : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    changes = 1'b0;
    case(state_3)
      State_1_idle : begin
      end
      State_1_push : begin
        changes = 1'b1;
      end
      State_1_fetch : begin
        if(one) begin
          changes = 1'b1;
        end
      end
      default : begin
        changes = 1'b1;
      end
    endcase
  end

  assign io_pop_valid = candidate_valid;
  assign io_pop_payload = candidate_payload;
  assign io_empty = ((((idle && (! comes_valid)) && (! candidate_valid)) && (! again_valid)) && (processes_io_occupancy == 11'h0));
  always @(posedge clk) begin
    if(reset) begin
      state_3 <= State_1_idle;
      comes_valid <= 1'b0;
      candidate_valid <= 1'b0;
      again_valid <= 1'b0;
    end else begin
      if(io_pop_ready) begin
        candidate_valid <= 1'b0;
      end
      case(state_3)
        State_1_idle : begin
          if(comes_valid) begin
            state_3 <= State_1_push;
          end else begin
            if(fetches) begin
              state_3 <= State_1_fetch;
            end
          end
          if(returns) begin
            again_valid <= 1'b0;
          end
        end
        State_1_push : begin
          comes_valid <= 1'b0;
          state_3 <= State_1_idle;
        end
        State_1_fetch : begin
          candidate_valid <= 1'b1;
          state_3 <= State_1_next_1;
          if(one) begin
            state_3 <= State_1_idle;
          end
        end
        default : begin
          again_valid <= 1'b1;
          state_3 <= State_1_idle;
        end
      endcase
      if(io_push_valid) begin
        if(io_empty) begin
          candidate_valid <= 1'b1;
        end else begin
          comes_valid <= 1'b1;
        end
      end
    end
  end

  always @(posedge clk) begin
    if(idle) begin
      process_1 <= asked;
    end
    case(state_3)
      State_1_idle : begin
      end
      State_1_push : begin
      end
      State_1_fetch : begin
        candidate_payload <= list_first;
      end
      default : begin
        again_payload <= process_1;
      end
    endcase
    if(io_push_valid) begin
      if(io_empty) begin
        candidate_payload <= io_push_payload_pair;
      end else begin
        comes_payload_share <= io_push_payload_share;
        comes_payload_pair <= io_push_payload_pair;
      end
    end
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

module ByteRotator (
  input  wire          io_beats_valid,
  output wire          io_beats_ready,
  input  wire [511:0]  io_beats_payload_data,
  input  wire [5:0]    io_beats_payload_amount,
  input  wire [5:0]    io_beats_payload_info_fill,
  input  wire          io_beats_payload_info_fills,
  input  wire          io_beats_payload_info_spills,
  input  wire          io_beats_payload_info_last,
  input  wire          io_beats_payload_info_error,
  output wire          io_turned_valid,
  input  wire          io_turned_ready,
  output wire [511:0]  io_turned_payload_data,
  output wire [5:0]    io_turned_payload_info_fill,
  output wire          io_turned_payload_info_fills,
  output wire          io_turned_payload_info_spills,
  output wire          io_turned_payload_info_last,
  output wire          io_turned_payload_info_error,
  input  wire          clk,
  input  wire          reset
);

  wire       [511:0]  _zz_io_beats_map_payload_data;
  wire       [5:0]    _zz_io_beats_map_payload_amount;
  reg        [511:0]  _zz_io_beats_map_payload_data_1;
  reg        [511:0]  _zz_io_beats_map_payload_data_2;
  reg        [511:0]  _zz_io_beats_map_payload_data_3;
  reg        [511:0]  _zz_io_beats_map_payload_data_4;
  wire                io_beats_map_valid;
  reg                 io_beats_map_ready;
  wire       [511:0]  io_beats_map_payload_data;
  wire       [5:0]    io_beats_map_payload_amount;
  wire       [5:0]    io_beats_map_payload_info_fill;
  wire                io_beats_map_payload_info_fills;
  wire                io_beats_map_payload_info_spills;
  wire                io_beats_map_payload_info_last;
  wire                io_beats_map_payload_info_error;
  wire                turning_valid;
  wire                turning_ready;
  wire       [511:0]  turning_payload_data;
  wire       [5:0]    turning_payload_amount;
  wire       [5:0]    turning_payload_info_fill;
  wire                turning_payload_info_fills;
  wire                turning_payload_info_spills;
  wire                turning_payload_info_last;
  wire                turning_payload_info_error;
  reg                 io_beats_map_rValid;
  reg        [511:0]  io_beats_map_rData_data;
  reg        [5:0]    io_beats_map_rData_amount;
  reg        [5:0]    io_beats_map_rData_info_fill;
  reg                 io_beats_map_rData_info_fills;
  reg                 io_beats_map_rData_info_spills;
  reg                 io_beats_map_rData_info_last;
  reg                 io_beats_map_rData_info_error;
  reg        [511:0]  _zz_turning_map_payload_data;
  reg        [511:0]  _zz_turning_map_payload_data_1;
  wire                turning_map_valid;
  wire                turning_map_ready;
  wire       [511:0]  turning_map_payload_data;
  wire       [5:0]    turning_map_payload_info_fill;
  wire                turning_map_payload_info_fills;
  wire                turning_map_payload_info_spills;
  wire                turning_map_payload_info_last;
  wire                turning_map_payload_info_error;

  assign _zz_io_beats_map_payload_amount = io_beats_payload_amount;
  always @(*) begin
    _zz_io_beats_map_payload_data_1 = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(io_beats_valid) begin
      _zz_io_beats_map_payload_data_1 = (io_beats_payload_amount[5] ? {io_beats_payload_data[255 : 0],io_beats_payload_data[511 : 256]} : io_beats_payload_data);
    end
  end

  always @(*) begin
    _zz_io_beats_map_payload_data_2 = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(io_beats_valid) begin
      _zz_io_beats_map_payload_data_2 = (io_beats_payload_amount[4] ? {_zz_io_beats_map_payload_data_1[127 : 0],_zz_io_beats_map_payload_data_1[511 : 128]} : _zz_io_beats_map_payload_data_1);
    end
  end

  assign _zz_io_beats_map_payload_data = _zz_io_beats_map_payload_data_2;
  always @(*) begin
    _zz_io_beats_map_payload_data_3 = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(io_beats_valid) begin
      _zz_io_beats_map_payload_data_3 = (_zz_io_beats_map_payload_amount[3] ? {_zz_io_beats_map_payload_data[63 : 0],_zz_io_beats_map_payload_data[511 : 64]} : _zz_io_beats_map_payload_data);
    end
  end

  always @(*) begin
    _zz_io_beats_map_payload_data_4 = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(io_beats_valid) begin
      _zz_io_beats_map_payload_data_4 = (_zz_io_beats_map_payload_amount[2] ? {_zz_io_beats_map_payload_data_3[31 : 0],_zz_io_beats_map_payload_data_3[511 : 32]} : _zz_io_beats_map_payload_data_3);
    end
  end

  assign io_beats_map_valid = io_beats_valid;
  assign io_beats_ready = io_beats_map_ready;
  assign io_beats_map_payload_data = _zz_io_beats_map_payload_data_4;
  assign io_beats_map_payload_amount = _zz_io_beats_map_payload_amount;
  assign io_beats_map_payload_info_fill = io_beats_payload_info_fill;
  assign io_beats_map_payload_info_fills = io_beats_payload_info_fills;
  assign io_beats_map_payload_info_spills = io_beats_payload_info_spills;
  assign io_beats_map_payload_info_last = io_beats_payload_info_last;
  assign io_beats_map_payload_info_error = io_beats_payload_info_error;
  always @(*) begin
    io_beats_map_ready = turning_ready;
    if((! turning_valid)) begin
      io_beats_map_ready = 1'b1;
    end
  end

  assign turning_valid = io_beats_map_rValid;
  assign turning_payload_data = io_beats_map_rData_data;
  assign turning_payload_amount = io_beats_map_rData_amount;
  assign turning_payload_info_fill = io_beats_map_rData_info_fill;
  assign turning_payload_info_fills = io_beats_map_rData_info_fills;
  assign turning_payload_info_spills = io_beats_map_rData_info_spills;
  assign turning_payload_info_last = io_beats_map_rData_info_last;
  assign turning_payload_info_error = io_beats_map_rData_info_error;
  always @(*) begin
    _zz_turning_map_payload_data = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(turning_valid) begin
      _zz_turning_map_payload_data = (turning_payload_amount[1] ? {turning_payload_data[15 : 0],turning_payload_data[511 : 16]} : turning_payload_data);
    end
  end

  always @(*) begin
    _zz_turning_map_payload_data_1 = 512'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(turning_valid) begin
      _zz_turning_map_payload_data_1 = (turning_payload_amount[0] ? {_zz_turning_map_payload_data[7 : 0],_zz_turning_map_payload_data[511 : 8]} : _zz_turning_map_payload_data);
    end
  end

  assign turning_map_valid = turning_valid;
  assign turning_ready = turning_map_ready;
  assign turning_map_payload_data = _zz_turning_map_payload_data_1;
  assign turning_map_payload_info_fill = turning_payload_info_fill;
  assign turning_map_payload_info_fills = turning_payload_info_fills;
  assign turning_map_payload_info_spills = turning_payload_info_spills;
  assign turning_map_payload_info_last = turning_payload_info_last;
  assign turning_map_payload_info_error = turning_payload_info_error;
  assign io_turned_valid = turning_map_valid;
  assign turning_map_ready = io_turned_ready;
  assign io_turned_payload_data = turning_map_payload_data;
  assign io_turned_payload_info_fill = turning_map_payload_info_fill;
  assign io_turned_payload_info_fills = turning_map_payload_info_fills;
  assign io_turned_payload_info_spills = turning_map_payload_info_spills;
  assign io_turned_payload_info_last = turning_map_payload_info_last;
  assign io_turned_payload_info_error = turning_map_payload_info_error;
  always @(posedge clk) begin
    if(reset) begin
      io_beats_map_rValid <= 1'b0;
    end else begin
      if(io_beats_map_ready) begin
        io_beats_map_rValid <= io_beats_map_valid;
      end
    end
  end

  always @(posedge clk) begin
    if(io_beats_map_ready) begin
      io_beats_map_rData_data <= io_beats_map_payload_data;
      io_beats_map_rData_amount <= io_beats_map_payload_amount;
      io_beats_map_rData_info_fill <= io_beats_map_payload_info_fill;
      io_beats_map_rData_info_fills <= io_beats_map_payload_info_fills;
      io_beats_map_rData_info_spills <= io_beats_map_payload_info_spills;
      io_beats_map_rData_info_last <= io_beats_map_payload_info_last;
      io_beats_map_rData_info_error <= io_beats_map_payload_info_error;
    end
  end


endmodule

module WriteFlights (
  input  wire          io_begins,
  input  wire          io_entered_valid,
  input  wire [5:0]    io_entered_payload,
  input  wire          io_walked,
  input  wire          io_fetched_valid,
  input  wire [5:0]    io_fetched_payload,
  input  wire          io_completed_valid,
  input  wire [5:0]    io_completed_payload_context,
  input  wire [1:0]    io_completed_payload_how,
  input  wire          io_retire,
  output wire          io_room,
  output wire [7:0]    io_held,
  output reg  [7:0]    io_passed,
  output wire [2:0]    io_oldest,
  output wire [2:0]    io_next,
  output wire          io_over_valid,
  output wire [1:0]    io_over_payload,
  output wire          io_newestFails,
  output wire          io_newestWaits,
  input  wire          clk,
  input  wire          reset
);
  localparam AccessEnd_done = 2'd0;
  localparam AccessEnd_notReady = 2'd1;
  localparam AccessEnd_denied = 2'd2;
  localparam AccessEnd_failed = 2'd3;

  wire       [2:0]    owners_spinal_port1;
  wire       [2:0]    owners_spinal_port2;
  wire       [2:0]    _zz_owners_port;
  wire       [2:0]    _zz_records_0_inside_2;
  wire       [2:0]    _zz_records_0_inside_3;
  wire       [0:0]    _zz_records_0_inside_4;
  wire       [2:0]    _zz_records_0_inside_5;
  wire       [0:0]    _zz_records_0_inside_6;
  wire       [2:0]    _zz_records_0_unasked;
  wire       [2:0]    _zz_records_0_unasked_1;
  wire       [2:0]    _zz_records_0_unasked_2;
  wire       [0:0]    _zz_records_0_unasked_3;
  wire       [2:0]    _zz_records_0_unasked_4;
  wire       [0:0]    _zz_records_0_unasked_5;
  wire       [2:0]    _zz_records_0_unasked_6;
  wire       [0:0]    _zz_records_0_unasked_7;
  wire       [2:0]    _zz_records_1_inside_2;
  wire       [2:0]    _zz_records_1_inside_3;
  wire       [0:0]    _zz_records_1_inside_4;
  wire       [2:0]    _zz_records_1_inside_5;
  wire       [0:0]    _zz_records_1_inside_6;
  wire       [2:0]    _zz_records_1_unasked;
  wire       [2:0]    _zz_records_1_unasked_1;
  wire       [2:0]    _zz_records_1_unasked_2;
  wire       [0:0]    _zz_records_1_unasked_3;
  wire       [2:0]    _zz_records_1_unasked_4;
  wire       [0:0]    _zz_records_1_unasked_5;
  wire       [2:0]    _zz_records_1_unasked_6;
  wire       [0:0]    _zz_records_1_unasked_7;
  wire       [2:0]    _zz_records_2_inside_2;
  wire       [2:0]    _zz_records_2_inside_3;
  wire       [0:0]    _zz_records_2_inside_4;
  wire       [2:0]    _zz_records_2_inside_5;
  wire       [0:0]    _zz_records_2_inside_6;
  wire       [2:0]    _zz_records_2_unasked;
  wire       [2:0]    _zz_records_2_unasked_1;
  wire       [2:0]    _zz_records_2_unasked_2;
  wire       [0:0]    _zz_records_2_unasked_3;
  wire       [2:0]    _zz_records_2_unasked_4;
  wire       [0:0]    _zz_records_2_unasked_5;
  wire       [2:0]    _zz_records_2_unasked_6;
  wire       [0:0]    _zz_records_2_unasked_7;
  wire       [2:0]    _zz_records_3_inside_2;
  wire       [2:0]    _zz_records_3_inside_3;
  wire       [0:0]    _zz_records_3_inside_4;
  wire       [2:0]    _zz_records_3_inside_5;
  wire       [0:0]    _zz_records_3_inside_6;
  wire       [2:0]    _zz_records_3_unasked;
  wire       [2:0]    _zz_records_3_unasked_1;
  wire       [2:0]    _zz_records_3_unasked_2;
  wire       [0:0]    _zz_records_3_unasked_3;
  wire       [2:0]    _zz_records_3_unasked_4;
  wire       [0:0]    _zz_records_3_unasked_5;
  wire       [2:0]    _zz_records_3_unasked_6;
  wire       [0:0]    _zz_records_3_unasked_7;
  wire       [2:0]    _zz_records_4_inside_2;
  wire       [2:0]    _zz_records_4_inside_3;
  wire       [0:0]    _zz_records_4_inside_4;
  wire       [2:0]    _zz_records_4_inside_5;
  wire       [0:0]    _zz_records_4_inside_6;
  wire       [2:0]    _zz_records_4_unasked;
  wire       [2:0]    _zz_records_4_unasked_1;
  wire       [2:0]    _zz_records_4_unasked_2;
  wire       [0:0]    _zz_records_4_unasked_3;
  wire       [2:0]    _zz_records_4_unasked_4;
  wire       [0:0]    _zz_records_4_unasked_5;
  wire       [2:0]    _zz_records_4_unasked_6;
  wire       [0:0]    _zz_records_4_unasked_7;
  wire       [2:0]    _zz_records_5_inside_2;
  wire       [2:0]    _zz_records_5_inside_3;
  wire       [0:0]    _zz_records_5_inside_4;
  wire       [2:0]    _zz_records_5_inside_5;
  wire       [0:0]    _zz_records_5_inside_6;
  wire       [2:0]    _zz_records_5_unasked;
  wire       [2:0]    _zz_records_5_unasked_1;
  wire       [2:0]    _zz_records_5_unasked_2;
  wire       [0:0]    _zz_records_5_unasked_3;
  wire       [2:0]    _zz_records_5_unasked_4;
  wire       [0:0]    _zz_records_5_unasked_5;
  wire       [2:0]    _zz_records_5_unasked_6;
  wire       [0:0]    _zz_records_5_unasked_7;
  wire       [2:0]    _zz_records_6_inside_2;
  wire       [2:0]    _zz_records_6_inside_3;
  wire       [0:0]    _zz_records_6_inside_4;
  wire       [2:0]    _zz_records_6_inside_5;
  wire       [0:0]    _zz_records_6_inside_6;
  wire       [2:0]    _zz_records_6_unasked;
  wire       [2:0]    _zz_records_6_unasked_1;
  wire       [2:0]    _zz_records_6_unasked_2;
  wire       [0:0]    _zz_records_6_unasked_3;
  wire       [2:0]    _zz_records_6_unasked_4;
  wire       [0:0]    _zz_records_6_unasked_5;
  wire       [2:0]    _zz_records_6_unasked_6;
  wire       [0:0]    _zz_records_6_unasked_7;
  wire       [2:0]    _zz_records_7_inside_2;
  wire       [2:0]    _zz_records_7_inside_3;
  wire       [0:0]    _zz_records_7_inside_4;
  wire       [2:0]    _zz_records_7_inside_5;
  wire       [0:0]    _zz_records_7_inside_6;
  wire       [2:0]    _zz_records_7_unasked;
  wire       [2:0]    _zz_records_7_unasked_1;
  wire       [2:0]    _zz_records_7_unasked_2;
  wire       [0:0]    _zz_records_7_unasked_3;
  wire       [2:0]    _zz_records_7_unasked_4;
  wire       [0:0]    _zz_records_7_unasked_5;
  wire       [2:0]    _zz_records_7_unasked_6;
  wire       [0:0]    _zz_records_7_unasked_7;
  wire       [7:0]    _zz_begun;
  wire       [7:0]    _zz_gone;
  reg                 _zz_first_walked;
  reg        [2:0]    _zz_first_inside;
  reg        [1:0]    _zz_first_end;
  reg        [1:0]    _zz__zz_io_newestFails;
  reg        [2:0]    _zz_io_newestWaits;
  reg        [7:0]    held;
  reg                 records_0_walked;
  reg        [2:0]    records_0_inside;
  reg        [2:0]    records_0_unasked;
  reg        [1:0]    records_0_end;
  reg                 records_1_walked;
  reg        [2:0]    records_1_inside;
  reg        [2:0]    records_1_unasked;
  reg        [1:0]    records_1_end;
  reg                 records_2_walked;
  reg        [2:0]    records_2_inside;
  reg        [2:0]    records_2_unasked;
  reg        [1:0]    records_2_end;
  reg                 records_3_walked;
  reg        [2:0]    records_3_inside;
  reg        [2:0]    records_3_unasked;
  reg        [1:0]    records_3_end;
  reg                 records_4_walked;
  reg        [2:0]    records_4_inside;
  reg        [2:0]    records_4_unasked;
  reg        [1:0]    records_4_end;
  reg                 records_5_walked;
  reg        [2:0]    records_5_inside;
  reg        [2:0]    records_5_unasked;
  reg        [1:0]    records_5_end;
  reg                 records_6_walked;
  reg        [2:0]    records_6_inside;
  reg        [2:0]    records_6_unasked;
  reg        [1:0]    records_6_end;
  reg                 records_7_walked;
  reg        [2:0]    records_7_inside;
  reg        [2:0]    records_7_unasked;
  reg        [1:0]    records_7_end;
  reg        [2:0]    oldest;
  reg        [2:0]    next_1;
  wire       [2:0]    newest;
  reg        [63:0]   asked;
  reg                 fetch_valid;
  reg        [5:0]    fetch_payload;
  reg                 completion_valid;
  reg        [5:0]    completion_payload_context;
  reg        [1:0]    completion_payload_how;
  wire                asks;
  wire                refused;
  wire       [2:0]    asker;
  wire       [2:0]    ender;
  wire                _zz_records_0_inside;
  wire                _zz_records_0_inside_1;
  wire                _zz_records_1_inside;
  wire                _zz_records_1_inside_1;
  wire                _zz_records_2_inside;
  wire                _zz_records_2_inside_1;
  wire                _zz_records_3_inside;
  wire                _zz_records_3_inside_1;
  wire                _zz_records_4_inside;
  wire                _zz_records_4_inside_1;
  wire                _zz_records_5_inside;
  wire                _zz_records_5_inside_1;
  wire                _zz_records_6_inside;
  wire                _zz_records_6_inside_1;
  wire                _zz_records_7_inside;
  wire                _zz_records_7_inside_1;
  wire       [7:0]    begun;
  wire       [7:0]    gone;
  wire                first_walked;
  wire       [2:0]    first_inside;
  wire       [1:0]    first_end;
  wire       [1:0]    _zz_io_newestFails;
  (* ram_style = "distributed" *) reg [2:0] owners [0:63];

  assign _zz_records_0_inside_2 = (records_0_inside + _zz_records_0_inside_3);
  assign _zz_records_0_inside_4 = _zz_records_0_inside;
  assign _zz_records_0_inside_3 = {2'd0, _zz_records_0_inside_4};
  assign _zz_records_0_inside_6 = _zz_records_0_inside_1;
  assign _zz_records_0_inside_5 = {2'd0, _zz_records_0_inside_6};
  assign _zz_records_0_unasked = (_zz_records_0_unasked_1 - _zz_records_0_unasked_4);
  assign _zz_records_0_unasked_1 = (records_0_unasked + _zz_records_0_unasked_2);
  assign _zz_records_0_unasked_3 = _zz_records_0_inside;
  assign _zz_records_0_unasked_2 = {2'd0, _zz_records_0_unasked_3};
  assign _zz_records_0_unasked_5 = (asks && (asker == 3'b000));
  assign _zz_records_0_unasked_4 = {2'd0, _zz_records_0_unasked_5};
  assign _zz_records_0_unasked_7 = (refused && (ender == 3'b000));
  assign _zz_records_0_unasked_6 = {2'd0, _zz_records_0_unasked_7};
  assign _zz_records_1_inside_2 = (records_1_inside + _zz_records_1_inside_3);
  assign _zz_records_1_inside_4 = _zz_records_1_inside;
  assign _zz_records_1_inside_3 = {2'd0, _zz_records_1_inside_4};
  assign _zz_records_1_inside_6 = _zz_records_1_inside_1;
  assign _zz_records_1_inside_5 = {2'd0, _zz_records_1_inside_6};
  assign _zz_records_1_unasked = (_zz_records_1_unasked_1 - _zz_records_1_unasked_4);
  assign _zz_records_1_unasked_1 = (records_1_unasked + _zz_records_1_unasked_2);
  assign _zz_records_1_unasked_3 = _zz_records_1_inside;
  assign _zz_records_1_unasked_2 = {2'd0, _zz_records_1_unasked_3};
  assign _zz_records_1_unasked_5 = (asks && (asker == 3'b001));
  assign _zz_records_1_unasked_4 = {2'd0, _zz_records_1_unasked_5};
  assign _zz_records_1_unasked_7 = (refused && (ender == 3'b001));
  assign _zz_records_1_unasked_6 = {2'd0, _zz_records_1_unasked_7};
  assign _zz_records_2_inside_2 = (records_2_inside + _zz_records_2_inside_3);
  assign _zz_records_2_inside_4 = _zz_records_2_inside;
  assign _zz_records_2_inside_3 = {2'd0, _zz_records_2_inside_4};
  assign _zz_records_2_inside_6 = _zz_records_2_inside_1;
  assign _zz_records_2_inside_5 = {2'd0, _zz_records_2_inside_6};
  assign _zz_records_2_unasked = (_zz_records_2_unasked_1 - _zz_records_2_unasked_4);
  assign _zz_records_2_unasked_1 = (records_2_unasked + _zz_records_2_unasked_2);
  assign _zz_records_2_unasked_3 = _zz_records_2_inside;
  assign _zz_records_2_unasked_2 = {2'd0, _zz_records_2_unasked_3};
  assign _zz_records_2_unasked_5 = (asks && (asker == 3'b010));
  assign _zz_records_2_unasked_4 = {2'd0, _zz_records_2_unasked_5};
  assign _zz_records_2_unasked_7 = (refused && (ender == 3'b010));
  assign _zz_records_2_unasked_6 = {2'd0, _zz_records_2_unasked_7};
  assign _zz_records_3_inside_2 = (records_3_inside + _zz_records_3_inside_3);
  assign _zz_records_3_inside_4 = _zz_records_3_inside;
  assign _zz_records_3_inside_3 = {2'd0, _zz_records_3_inside_4};
  assign _zz_records_3_inside_6 = _zz_records_3_inside_1;
  assign _zz_records_3_inside_5 = {2'd0, _zz_records_3_inside_6};
  assign _zz_records_3_unasked = (_zz_records_3_unasked_1 - _zz_records_3_unasked_4);
  assign _zz_records_3_unasked_1 = (records_3_unasked + _zz_records_3_unasked_2);
  assign _zz_records_3_unasked_3 = _zz_records_3_inside;
  assign _zz_records_3_unasked_2 = {2'd0, _zz_records_3_unasked_3};
  assign _zz_records_3_unasked_5 = (asks && (asker == 3'b011));
  assign _zz_records_3_unasked_4 = {2'd0, _zz_records_3_unasked_5};
  assign _zz_records_3_unasked_7 = (refused && (ender == 3'b011));
  assign _zz_records_3_unasked_6 = {2'd0, _zz_records_3_unasked_7};
  assign _zz_records_4_inside_2 = (records_4_inside + _zz_records_4_inside_3);
  assign _zz_records_4_inside_4 = _zz_records_4_inside;
  assign _zz_records_4_inside_3 = {2'd0, _zz_records_4_inside_4};
  assign _zz_records_4_inside_6 = _zz_records_4_inside_1;
  assign _zz_records_4_inside_5 = {2'd0, _zz_records_4_inside_6};
  assign _zz_records_4_unasked = (_zz_records_4_unasked_1 - _zz_records_4_unasked_4);
  assign _zz_records_4_unasked_1 = (records_4_unasked + _zz_records_4_unasked_2);
  assign _zz_records_4_unasked_3 = _zz_records_4_inside;
  assign _zz_records_4_unasked_2 = {2'd0, _zz_records_4_unasked_3};
  assign _zz_records_4_unasked_5 = (asks && (asker == 3'b100));
  assign _zz_records_4_unasked_4 = {2'd0, _zz_records_4_unasked_5};
  assign _zz_records_4_unasked_7 = (refused && (ender == 3'b100));
  assign _zz_records_4_unasked_6 = {2'd0, _zz_records_4_unasked_7};
  assign _zz_records_5_inside_2 = (records_5_inside + _zz_records_5_inside_3);
  assign _zz_records_5_inside_4 = _zz_records_5_inside;
  assign _zz_records_5_inside_3 = {2'd0, _zz_records_5_inside_4};
  assign _zz_records_5_inside_6 = _zz_records_5_inside_1;
  assign _zz_records_5_inside_5 = {2'd0, _zz_records_5_inside_6};
  assign _zz_records_5_unasked = (_zz_records_5_unasked_1 - _zz_records_5_unasked_4);
  assign _zz_records_5_unasked_1 = (records_5_unasked + _zz_records_5_unasked_2);
  assign _zz_records_5_unasked_3 = _zz_records_5_inside;
  assign _zz_records_5_unasked_2 = {2'd0, _zz_records_5_unasked_3};
  assign _zz_records_5_unasked_5 = (asks && (asker == 3'b101));
  assign _zz_records_5_unasked_4 = {2'd0, _zz_records_5_unasked_5};
  assign _zz_records_5_unasked_7 = (refused && (ender == 3'b101));
  assign _zz_records_5_unasked_6 = {2'd0, _zz_records_5_unasked_7};
  assign _zz_records_6_inside_2 = (records_6_inside + _zz_records_6_inside_3);
  assign _zz_records_6_inside_4 = _zz_records_6_inside;
  assign _zz_records_6_inside_3 = {2'd0, _zz_records_6_inside_4};
  assign _zz_records_6_inside_6 = _zz_records_6_inside_1;
  assign _zz_records_6_inside_5 = {2'd0, _zz_records_6_inside_6};
  assign _zz_records_6_unasked = (_zz_records_6_unasked_1 - _zz_records_6_unasked_4);
  assign _zz_records_6_unasked_1 = (records_6_unasked + _zz_records_6_unasked_2);
  assign _zz_records_6_unasked_3 = _zz_records_6_inside;
  assign _zz_records_6_unasked_2 = {2'd0, _zz_records_6_unasked_3};
  assign _zz_records_6_unasked_5 = (asks && (asker == 3'b110));
  assign _zz_records_6_unasked_4 = {2'd0, _zz_records_6_unasked_5};
  assign _zz_records_6_unasked_7 = (refused && (ender == 3'b110));
  assign _zz_records_6_unasked_6 = {2'd0, _zz_records_6_unasked_7};
  assign _zz_records_7_inside_2 = (records_7_inside + _zz_records_7_inside_3);
  assign _zz_records_7_inside_4 = _zz_records_7_inside;
  assign _zz_records_7_inside_3 = {2'd0, _zz_records_7_inside_4};
  assign _zz_records_7_inside_6 = _zz_records_7_inside_1;
  assign _zz_records_7_inside_5 = {2'd0, _zz_records_7_inside_6};
  assign _zz_records_7_unasked = (_zz_records_7_unasked_1 - _zz_records_7_unasked_4);
  assign _zz_records_7_unasked_1 = (records_7_unasked + _zz_records_7_unasked_2);
  assign _zz_records_7_unasked_3 = _zz_records_7_inside;
  assign _zz_records_7_unasked_2 = {2'd0, _zz_records_7_unasked_3};
  assign _zz_records_7_unasked_5 = (asks && (asker == 3'b111));
  assign _zz_records_7_unasked_4 = {2'd0, _zz_records_7_unasked_5};
  assign _zz_records_7_unasked_7 = (refused && (ender == 3'b111));
  assign _zz_records_7_unasked_6 = {2'd0, _zz_records_7_unasked_7};
  assign _zz_begun = (8'h01 <<< next_1);
  assign _zz_gone = (8'h01 <<< oldest);
  assign _zz_owners_port = newest;
  always @(posedge clk) begin
    if(io_entered_valid) begin
      owners[io_entered_payload] <= _zz_owners_port;
    end
  end

  assign owners_spinal_port1 = owners[fetch_payload];
  assign owners_spinal_port2 = owners[completion_payload_context];
  always @(*) begin
    case(oldest)
      3'b000 : begin
        _zz_first_walked = records_0_walked;
        _zz_first_inside = records_0_inside;
        _zz_first_end = records_0_end;
      end
      3'b001 : begin
        _zz_first_walked = records_1_walked;
        _zz_first_inside = records_1_inside;
        _zz_first_end = records_1_end;
      end
      3'b010 : begin
        _zz_first_walked = records_2_walked;
        _zz_first_inside = records_2_inside;
        _zz_first_end = records_2_end;
      end
      3'b011 : begin
        _zz_first_walked = records_3_walked;
        _zz_first_inside = records_3_inside;
        _zz_first_end = records_3_end;
      end
      3'b100 : begin
        _zz_first_walked = records_4_walked;
        _zz_first_inside = records_4_inside;
        _zz_first_end = records_4_end;
      end
      3'b101 : begin
        _zz_first_walked = records_5_walked;
        _zz_first_inside = records_5_inside;
        _zz_first_end = records_5_end;
      end
      3'b110 : begin
        _zz_first_walked = records_6_walked;
        _zz_first_inside = records_6_inside;
        _zz_first_end = records_6_end;
      end
      default : begin
        _zz_first_walked = records_7_walked;
        _zz_first_inside = records_7_inside;
        _zz_first_end = records_7_end;
      end
    endcase
  end

  always @(*) begin
    case(newest)
      3'b000 : begin
        _zz__zz_io_newestFails = records_0_end;
        _zz_io_newestWaits = records_0_unasked;
      end
      3'b001 : begin
        _zz__zz_io_newestFails = records_1_end;
        _zz_io_newestWaits = records_1_unasked;
      end
      3'b010 : begin
        _zz__zz_io_newestFails = records_2_end;
        _zz_io_newestWaits = records_2_unasked;
      end
      3'b011 : begin
        _zz__zz_io_newestFails = records_3_end;
        _zz_io_newestWaits = records_3_unasked;
      end
      3'b100 : begin
        _zz__zz_io_newestFails = records_4_end;
        _zz_io_newestWaits = records_4_unasked;
      end
      3'b101 : begin
        _zz__zz_io_newestFails = records_5_end;
        _zz_io_newestWaits = records_5_unasked;
      end
      3'b110 : begin
        _zz__zz_io_newestFails = records_6_end;
        _zz_io_newestWaits = records_6_unasked;
      end
      default : begin
        _zz__zz_io_newestFails = records_7_end;
        _zz_io_newestWaits = records_7_unasked;
      end
    endcase
  end

  assign newest = (next_1 - 3'b001);
  assign asks = (fetch_valid && (! asked[fetch_payload]));
  assign refused = ((completion_valid && (! asked[completion_payload_context])) && (! (fetch_valid && (fetch_payload == completion_payload_context))));
  assign asker = owners_spinal_port1;
  assign ender = owners_spinal_port2;
  assign _zz_records_0_inside = (io_entered_valid && (newest == 3'b000));
  assign _zz_records_0_inside_1 = (completion_valid && (ender == 3'b000));
  always @(*) begin
    io_passed[0] = (((held[0] && records_0_walked) && (records_0_unasked == 3'b000)) && (! (records_0_end != AccessEnd_done)));
    io_passed[1] = (((held[1] && records_1_walked) && (records_1_unasked == 3'b000)) && (! (records_1_end != AccessEnd_done)));
    io_passed[2] = (((held[2] && records_2_walked) && (records_2_unasked == 3'b000)) && (! (records_2_end != AccessEnd_done)));
    io_passed[3] = (((held[3] && records_3_walked) && (records_3_unasked == 3'b000)) && (! (records_3_end != AccessEnd_done)));
    io_passed[4] = (((held[4] && records_4_walked) && (records_4_unasked == 3'b000)) && (! (records_4_end != AccessEnd_done)));
    io_passed[5] = (((held[5] && records_5_walked) && (records_5_unasked == 3'b000)) && (! (records_5_end != AccessEnd_done)));
    io_passed[6] = (((held[6] && records_6_walked) && (records_6_unasked == 3'b000)) && (! (records_6_end != AccessEnd_done)));
    io_passed[7] = (((held[7] && records_7_walked) && (records_7_unasked == 3'b000)) && (! (records_7_end != AccessEnd_done)));
  end

  assign _zz_records_1_inside = (io_entered_valid && (newest == 3'b001));
  assign _zz_records_1_inside_1 = (completion_valid && (ender == 3'b001));
  assign _zz_records_2_inside = (io_entered_valid && (newest == 3'b010));
  assign _zz_records_2_inside_1 = (completion_valid && (ender == 3'b010));
  assign _zz_records_3_inside = (io_entered_valid && (newest == 3'b011));
  assign _zz_records_3_inside_1 = (completion_valid && (ender == 3'b011));
  assign _zz_records_4_inside = (io_entered_valid && (newest == 3'b100));
  assign _zz_records_4_inside_1 = (completion_valid && (ender == 3'b100));
  assign _zz_records_5_inside = (io_entered_valid && (newest == 3'b101));
  assign _zz_records_5_inside_1 = (completion_valid && (ender == 3'b101));
  assign _zz_records_6_inside = (io_entered_valid && (newest == 3'b110));
  assign _zz_records_6_inside_1 = (completion_valid && (ender == 3'b110));
  assign _zz_records_7_inside = (io_entered_valid && (newest == 3'b111));
  assign _zz_records_7_inside_1 = (completion_valid && (ender == 3'b111));
  assign begun = (io_begins ? _zz_begun : 8'h0);
  assign gone = (io_retire ? _zz_gone : 8'h0);
  assign first_walked = _zz_first_walked;
  assign first_inside = _zz_first_inside;
  assign first_end = _zz_first_end;
  assign io_over_valid = ((held[oldest] && first_walked) && (first_inside == 3'b000));
  assign io_over_payload = first_end;
  assign io_room = (! held[next_1]);
  assign io_held = held;
  assign io_oldest = oldest;
  assign io_next = next_1;
  assign _zz_io_newestFails = _zz__zz_io_newestFails;
  assign io_newestFails = (_zz_io_newestFails != AccessEnd_done);
  assign io_newestWaits = (_zz_io_newestWaits != 3'b000);
  always @(posedge clk) begin
    if(reset) begin
      held <= 8'h0;
      oldest <= 3'b000;
      next_1 <= 3'b000;
      asked <= 64'h0;
      fetch_valid <= 1'b0;
      completion_valid <= 1'b0;
    end else begin
      fetch_valid <= io_fetched_valid;
      completion_valid <= io_completed_valid;
      if(fetch_valid) begin
        asked[fetch_payload] <= 1'b1;
      end
      if(io_entered_valid) begin
        asked[io_entered_payload] <= 1'b0;
      end
      held <= ((held | begun) & (~ gone));
      if(io_begins) begin
        next_1 <= (next_1 + 3'b001);
      end
      if(io_retire) begin
        oldest <= (oldest + 3'b001);
      end
    end
  end

  always @(posedge clk) begin
    fetch_payload <= io_fetched_payload;
    completion_payload_context <= io_completed_payload_context;
    completion_payload_how <= io_completed_payload_how;
    records_0_inside <= (_zz_records_0_inside_2 - _zz_records_0_inside_5);
    records_0_unasked <= (_zz_records_0_unasked - _zz_records_0_unasked_6);
    if((io_walked && (newest == 3'b000))) begin
      records_0_walked <= 1'b1;
    end
    if((_zz_records_0_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_0_end != AccessEnd_done))))) begin
      records_0_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b000))) begin
      records_0_walked <= 1'b0;
      records_0_inside <= 3'b000;
      records_0_unasked <= 3'b000;
      records_0_end <= AccessEnd_done;
    end
    records_1_inside <= (_zz_records_1_inside_2 - _zz_records_1_inside_5);
    records_1_unasked <= (_zz_records_1_unasked - _zz_records_1_unasked_6);
    if((io_walked && (newest == 3'b001))) begin
      records_1_walked <= 1'b1;
    end
    if((_zz_records_1_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_1_end != AccessEnd_done))))) begin
      records_1_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b001))) begin
      records_1_walked <= 1'b0;
      records_1_inside <= 3'b000;
      records_1_unasked <= 3'b000;
      records_1_end <= AccessEnd_done;
    end
    records_2_inside <= (_zz_records_2_inside_2 - _zz_records_2_inside_5);
    records_2_unasked <= (_zz_records_2_unasked - _zz_records_2_unasked_6);
    if((io_walked && (newest == 3'b010))) begin
      records_2_walked <= 1'b1;
    end
    if((_zz_records_2_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_2_end != AccessEnd_done))))) begin
      records_2_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b010))) begin
      records_2_walked <= 1'b0;
      records_2_inside <= 3'b000;
      records_2_unasked <= 3'b000;
      records_2_end <= AccessEnd_done;
    end
    records_3_inside <= (_zz_records_3_inside_2 - _zz_records_3_inside_5);
    records_3_unasked <= (_zz_records_3_unasked - _zz_records_3_unasked_6);
    if((io_walked && (newest == 3'b011))) begin
      records_3_walked <= 1'b1;
    end
    if((_zz_records_3_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_3_end != AccessEnd_done))))) begin
      records_3_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b011))) begin
      records_3_walked <= 1'b0;
      records_3_inside <= 3'b000;
      records_3_unasked <= 3'b000;
      records_3_end <= AccessEnd_done;
    end
    records_4_inside <= (_zz_records_4_inside_2 - _zz_records_4_inside_5);
    records_4_unasked <= (_zz_records_4_unasked - _zz_records_4_unasked_6);
    if((io_walked && (newest == 3'b100))) begin
      records_4_walked <= 1'b1;
    end
    if((_zz_records_4_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_4_end != AccessEnd_done))))) begin
      records_4_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b100))) begin
      records_4_walked <= 1'b0;
      records_4_inside <= 3'b000;
      records_4_unasked <= 3'b000;
      records_4_end <= AccessEnd_done;
    end
    records_5_inside <= (_zz_records_5_inside_2 - _zz_records_5_inside_5);
    records_5_unasked <= (_zz_records_5_unasked - _zz_records_5_unasked_6);
    if((io_walked && (newest == 3'b101))) begin
      records_5_walked <= 1'b1;
    end
    if((_zz_records_5_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_5_end != AccessEnd_done))))) begin
      records_5_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b101))) begin
      records_5_walked <= 1'b0;
      records_5_inside <= 3'b000;
      records_5_unasked <= 3'b000;
      records_5_end <= AccessEnd_done;
    end
    records_6_inside <= (_zz_records_6_inside_2 - _zz_records_6_inside_5);
    records_6_unasked <= (_zz_records_6_unasked - _zz_records_6_unasked_6);
    if((io_walked && (newest == 3'b110))) begin
      records_6_walked <= 1'b1;
    end
    if((_zz_records_6_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_6_end != AccessEnd_done))))) begin
      records_6_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b110))) begin
      records_6_walked <= 1'b0;
      records_6_inside <= 3'b000;
      records_6_unasked <= 3'b000;
      records_6_end <= AccessEnd_done;
    end
    records_7_inside <= (_zz_records_7_inside_2 - _zz_records_7_inside_5);
    records_7_unasked <= (_zz_records_7_unasked - _zz_records_7_unasked_6);
    if((io_walked && (newest == 3'b111))) begin
      records_7_walked <= 1'b1;
    end
    if((_zz_records_7_inside_1 && ((completion_payload_how != AccessEnd_done) && (! (records_7_end != AccessEnd_done))))) begin
      records_7_end <= completion_payload_how;
    end
    if((io_begins && (next_1 == 3'b111))) begin
      records_7_walked <= 1'b0;
      records_7_inside <= 3'b000;
      records_7_unasked <= 3'b000;
      records_7_end <= AccessEnd_done;
    end
  end


endmodule

module StreamFifo_4 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [9:0]    io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [9:0]    io_pop_payload,
  input  wire          io_flush,
  output wire [4:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  wire       [9:0]    logic_ram_spinal_port1;
  wire       [9:0]    _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_occupancy;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire       [9:0]    logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [9:0]    logic_pop_async_readed;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [9:0]    logic_pop_addressGen_translated_payload;
  (* ram_style = "distributed" *) reg [9:0] logic_ram [0:15];

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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 5'h10) == 5'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
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
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload = logic_pop_addressGen_translated_payload;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_occupancy = logic_ptr_occupancy;
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

module StreamFifo_3 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [9:0]    io_push_payload_pair,
  input  wire [12:0]   io_push_payload_bytes,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [9:0]    io_pop_payload_pair,
  output wire [12:0]   io_pop_payload_bytes,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  reg        [22:0]   logic_ram_spinal_port1;
  wire       [22:0]   _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [2:0]    logic_ptr_push;
  reg        [2:0]    logic_ptr_pop;
  wire       [2:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [1:0]    logic_push_onRam_write_payload_address;
  wire       [9:0]    logic_push_onRam_write_payload_data_pair;
  wire       [12:0]   logic_push_onRam_write_payload_data_bytes;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [1:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [9:0]    logic_pop_sync_readPort_rsp_pair;
  wire       [12:0]   logic_pop_sync_readPort_rsp_bytes;
  wire       [22:0]   _zz_logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [1:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [9:0]    logic_pop_sync_readArbitration_translated_payload_pair;
  wire       [12:0]   logic_pop_sync_readArbitration_translated_payload_bytes;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [2:0]    logic_pop_sync_popReg;
  reg [22:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_bytes,logic_push_onRam_write_payload_data_pair};
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  always @(posedge clk) begin
    if(logic_pop_sync_readPort_cmd_valid) begin
      logic_ram_spinal_port1 <= logic_ram[logic_pop_sync_readPort_cmd_payload];
    end
  end

  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
  assign logic_push_onRam_write_payload_data_pair = io_push_payload_pair;
  assign logic_push_onRam_write_payload_data_bytes = io_push_payload_bytes;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign _zz_logic_pop_sync_readPort_rsp_pair = logic_ram_spinal_port1;
  assign logic_pop_sync_readPort_rsp_pair = _zz_logic_pop_sync_readPort_rsp_pair[9 : 0];
  assign logic_pop_sync_readPort_rsp_bytes = _zz_logic_pop_sync_readPort_rsp_pair[22 : 10];
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload_pair = logic_pop_sync_readPort_rsp_pair;
  assign logic_pop_sync_readArbitration_translated_payload_bytes = logic_pop_sync_readPort_rsp_bytes;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload_pair = logic_pop_sync_readArbitration_translated_payload_pair;
  assign io_pop_payload_bytes = logic_pop_sync_readArbitration_translated_payload_bytes;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 3'b000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 3'b001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 3'b001);
      end
      if(io_flush) begin
        logic_ptr_push <= 3'b000;
        logic_ptr_pop <= 3'b000;
      end
      if(logic_pop_addressGen_ready) begin
        logic_pop_addressGen_rValid <= logic_pop_addressGen_valid;
      end
      if(io_flush) begin
        logic_pop_addressGen_rValid <= 1'b0;
      end
      if(logic_pop_sync_readArbitration_fire) begin
        logic_pop_sync_popReg <= logic_ptr_pop;
      end
      if(io_flush) begin
        logic_pop_sync_popReg <= 3'b000;
      end
    end
  end


endmodule

module StreamFifo_2 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [9:0]    io_push_payload_pair,
  input  wire          io_push_payload_cuts,
  input  wire [16:0]   io_push_payload_cap,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [9:0]    io_pop_payload_pair,
  output wire          io_pop_payload_cuts,
  output wire [16:0]   io_pop_payload_cap,
  input  wire          io_flush,
  output wire [2:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  reg        [27:0]   logic_ram_spinal_port1;
  wire       [27:0]   _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [2:0]    logic_ptr_push;
  reg        [2:0]    logic_ptr_pop;
  wire       [2:0]    logic_ptr_occupancy;
  wire       [2:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [1:0]    logic_push_onRam_write_payload_address;
  wire       [9:0]    logic_push_onRam_write_payload_data_pair;
  wire                logic_push_onRam_write_payload_data_cuts;
  wire       [16:0]   logic_push_onRam_write_payload_data_cap;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [1:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [9:0]    logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_sync_readPort_rsp_cuts;
  wire       [16:0]   logic_pop_sync_readPort_rsp_cap;
  wire       [27:0]   _zz_logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [1:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [9:0]    logic_pop_sync_readArbitration_translated_payload_pair;
  wire                logic_pop_sync_readArbitration_translated_payload_cuts;
  wire       [16:0]   logic_pop_sync_readArbitration_translated_payload_cap;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [2:0]    logic_pop_sync_popReg;
  reg [27:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_cap,{logic_push_onRam_write_payload_data_cuts,logic_push_onRam_write_payload_data_pair}};
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  always @(posedge clk) begin
    if(logic_pop_sync_readPort_cmd_valid) begin
      logic_ram_spinal_port1 <= logic_ram[logic_pop_sync_readPort_cmd_payload];
    end
  end

  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
  assign logic_push_onRam_write_payload_data_pair = io_push_payload_pair;
  assign logic_push_onRam_write_payload_data_cuts = io_push_payload_cuts;
  assign logic_push_onRam_write_payload_data_cap = io_push_payload_cap;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign _zz_logic_pop_sync_readPort_rsp_pair = logic_ram_spinal_port1;
  assign logic_pop_sync_readPort_rsp_pair = _zz_logic_pop_sync_readPort_rsp_pair[9 : 0];
  assign logic_pop_sync_readPort_rsp_cuts = _zz_logic_pop_sync_readPort_rsp_pair[10];
  assign logic_pop_sync_readPort_rsp_cap = _zz_logic_pop_sync_readPort_rsp_pair[27 : 11];
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload_pair = logic_pop_sync_readPort_rsp_pair;
  assign logic_pop_sync_readArbitration_translated_payload_cuts = logic_pop_sync_readPort_rsp_cuts;
  assign logic_pop_sync_readArbitration_translated_payload_cap = logic_pop_sync_readPort_rsp_cap;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload_pair = logic_pop_sync_readArbitration_translated_payload_pair;
  assign io_pop_payload_cuts = logic_pop_sync_readArbitration_translated_payload_cuts;
  assign io_pop_payload_cap = logic_pop_sync_readArbitration_translated_payload_cap;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 3'b000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 3'b001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 3'b001);
      end
      if(io_flush) begin
        logic_ptr_push <= 3'b000;
        logic_ptr_pop <= 3'b000;
      end
      if(logic_pop_addressGen_ready) begin
        logic_pop_addressGen_rValid <= logic_pop_addressGen_valid;
      end
      if(io_flush) begin
        logic_pop_addressGen_rValid <= 1'b0;
      end
      if(logic_pop_sync_readArbitration_fire) begin
        logic_pop_sync_popReg <= logic_ptr_pop;
      end
      if(io_flush) begin
        logic_pop_sync_popReg <= 3'b000;
      end
    end
  end


endmodule

module StreamFifo_1 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [9:0]    io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [9:0]    io_pop_payload,
  input  wire          io_flush,
  output wire [10:0]   io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  reg        [9:0]    logic_ram_spinal_port1;
  wire       [9:0]    _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [10:0]   logic_ptr_push;
  reg        [10:0]   logic_ptr_pop;
  wire       [10:0]   logic_ptr_occupancy;
  wire       [10:0]   logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [9:0]    logic_push_onRam_write_payload_address;
  wire       [9:0]    logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [9:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [9:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [9:0]    logic_pop_sync_readPort_rsp;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [9:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [9:0]    logic_pop_sync_readArbitration_translated_payload;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [10:0]   logic_pop_sync_popReg;
  reg [9:0] logic_ram [0:1023];

  assign _zz_logic_ram_port = logic_push_onRam_write_payload_data;
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  always @(posedge clk) begin
    if(logic_pop_sync_readPort_cmd_valid) begin
      logic_ram_spinal_port1 <= logic_ram[logic_pop_sync_readPort_cmd_payload];
    end
  end

  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 11'h400) == 11'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[9:0];
  assign logic_push_onRam_write_payload_data = io_push_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[9:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign logic_pop_sync_readPort_rsp = logic_ram_spinal_port1;
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload = logic_pop_sync_readPort_rsp;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload = logic_pop_sync_readArbitration_translated_payload;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 11'h0;
      logic_ptr_pop <= 11'h0;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 11'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 11'h001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 11'h001);
      end
      if(io_flush) begin
        logic_ptr_push <= 11'h0;
        logic_ptr_pop <= 11'h0;
      end
      if(logic_pop_addressGen_ready) begin
        logic_pop_addressGen_rValid <= logic_pop_addressGen_valid;
      end
      if(io_flush) begin
        logic_pop_addressGen_rValid <= 1'b0;
      end
      if(logic_pop_sync_readArbitration_fire) begin
        logic_pop_sync_popReg <= logic_ptr_pop;
      end
      if(io_flush) begin
        logic_pop_sync_popReg <= 11'h0;
      end
    end
  end


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
