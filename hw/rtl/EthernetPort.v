// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : EthernetPort

`timescale 1ns/1ps

module EthernetPort (
  input  wire          rx_clock,
  input  wire          tx_clock,
  input  wire          rx_valid,
  input  wire [1:0]    rx_payload_header,
  input  wire [63:0]   rx_payload_data,
  input  wire          rx_signalOk,
  output wire          rx_slip,
  output wire [1:0]    tx_header,
  output wire [63:0]   tx_data,
  output wire          net_rx_tvalid,
  input  wire          net_rx_tready,
  output wire [511:0]  net_rx_tdata,
  output wire [63:0]   net_rx_tkeep,
  output wire          net_rx_tlast,
  output wire [0:0]    net_rx_tuser,
  input  wire          net_tx_tvalid,
  output wire          net_tx_tready,
  input  wire [511:0]  net_tx_tdata,
  input  wire [63:0]   net_tx_tkeep,
  input  wire          net_tx_tlast,
  input  wire [0:0]    net_tx_tuser,
  input  wire [47:0]   settings_address,
  input  wire          settings_sendPauses,
  output wire          status_lock,
  output wire          status_highErrorRate,
  output wire          status_localFault,
  output wire          status_remoteFault,
  output wire          status_paused,
  input  wire [4:0]    counter_index,
  output wire [31:0]   counter_value,
  input  wire          reset,
  input  wire          clk
);

  wire                settingsRx_crossing_io_in_valid;
  wire                settingsTx_crossing_io_in_valid;
  wire       [48:0]   settingsTx_crossing_io_in_payload;
  wire       [11:0]   receive_counts_io_events;
  wire       [2:0]    linkState_io_in;
  wire                transmit_sender_io_full;
  wire                transmit_mac_io_localFault;
  wire                transmit_mac_io_remoteFault;
  wire       [3:0]    transmit_counts_io_events;
  wire       [0:0]    txState_io_in;
  wire                resets_io_core;
  wire                resets_io_rx;
  wire                resets_io_tx;
  wire                receiveStore_1_io_overflow;
  wire                receiveStore_1_io_filling;
  wire                receiveStore_1_io_frames_valid;
  wire       [511:0]  receiveStore_1_io_frames_payload_data;
  wire       [63:0]   receiveStore_1_io_frames_payload_keep;
  wire                receiveStore_1_io_frames_payload_last;
  wire       [0:0]    receiveStore_1_io_frames_payload_user;
  wire                transmitStore_1_io_frames_ready;
  wire                transmitStore_1_io_tooLong;
  wire                transmitStore_1_io_words_valid;
  wire       [63:0]   transmitStore_1_io_words_payload_data;
  wire       [2:0]    transmitStore_1_io_words_payload_lastByte;
  wire                transmitStore_1_io_words_payload_last;
  wire                transmitStore_1_io_words_payload_damaged;
  wire                settingsRx_crossing_io_in_ready;
  wire                settingsRx_crossing_io_out_valid;
  wire       [47:0]   settingsRx_crossing_io_out_payload;
  wire                settingsTx_crossing_io_in_ready;
  wire                settingsTx_crossing_io_out_valid;
  wire       [48:0]   settingsTx_crossing_io_out_payload;
  wire                receive_pcs_io_slip;
  wire                receive_pcs_io_xgmii_valid;
  wire       [63:0]   receive_pcs_io_xgmii_payload_data;
  wire       [7:0]    receive_pcs_io_xgmii_payload_control;
  wire                receive_pcs_io_lock;
  wire                receive_pcs_io_highErrorRate;
  wire                receive_pcs_io_wrongHeader;
  wire                receive_pcs_io_badBlock;
  wire                receive_mac_io_words_valid;
  wire       [63:0]   receive_mac_io_words_payload_word_data;
  wire       [2:0]    receive_mac_io_words_payload_word_lastByte;
  wire                receive_mac_io_words_payload_word_last;
  wire                receive_mac_io_words_payload_word_damaged;
  wire                receive_mac_io_words_payload_first;
  wire                receive_mac_io_pause_valid;
  wire       [15:0]   receive_mac_io_pause_payload;
  wire                receive_mac_io_events_good;
  wire                receive_mac_io_events_badStart;
  wire                receive_mac_io_events_badCode;
  wire                receive_mac_io_events_tooLong;
  wire                receive_mac_io_events_tooShort;
  wire                receive_mac_io_events_badFcs;
  wire                receive_mac_io_events_pause;
  wire                receive_mac_io_events_control;
  wire                receive_fault_io_local;
  wire                receive_fault_io_remote;
  wire                receive_counts_io_counts_valid;
  wire       [4:0]    receive_counts_io_counts_payload_counter;
  wire       [7:0]    receive_counts_io_counts_payload_events;
  wire       [2:0]    linkState_io_out;
  wire                pauses_io_in_ready;
  wire                pauses_io_out_valid;
  wire       [15:0]   pauses_io_out_payload;
  wire                transmit_timer_io_paused;
  wire                transmit_sender_io_frames_valid;
  wire       [63:0]   transmit_sender_io_frames_payload_data;
  wire       [2:0]    transmit_sender_io_frames_payload_lastByte;
  wire                transmit_sender_io_frames_payload_last;
  wire                transmit_sender_io_frames_payload_damaged;
  wire                transmit_mac_io_frames_ready;
  wire                transmit_mac_io_control_ready;
  wire       [63:0]   transmit_mac_io_xgmii_data;
  wire       [7:0]    transmit_mac_io_xgmii_control;
  wire                transmit_mac_io_events_sent;
  wire                transmit_mac_io_events_pause;
  wire                transmit_mac_io_events_damaged;
  wire                transmit_mac_io_events_noLink;
  wire       [1:0]    transmit_pcs_io_block_header;
  wire       [63:0]   transmit_pcs_io_block_data;
  wire                transmit_counts_io_counts_valid;
  wire       [4:0]    transmit_counts_io_counts_payload_counter;
  wire       [7:0]    transmit_counts_io_counts_payload_events;
  wire                rxCounts_io_in_ready;
  wire                rxCounts_io_out_valid;
  wire       [4:0]    rxCounts_io_out_payload_counter;
  wire       [7:0]    rxCounts_io_out_payload_events;
  wire                txCounts_io_in_ready;
  wire                txCounts_io_out_valid;
  wire       [4:0]    txCounts_io_out_payload_counter;
  wire       [7:0]    txCounts_io_out_payload_events;
  wire       [3:0]    rxState_io_out;
  wire       [0:0]    txState_io_out;
  wire       [31:0]   counters_file_io_value;
  wire       [0:0]    _zz_io_events;
  wire       [0:0]    _zz_io_events_1;
  wire                rxReset;
  wire                txReset;
  wire                coreReset;
  wire       [47:0]   settings_address_1;
  wire                settings_sendPauses_1;
  reg        [47:0]   settingsRx_sender_last;
  wire                io_in_fire;
  reg        [47:0]   settingsRx_receiver_current;
  wire       [47:0]   settingsRx_value;
  reg        [48:0]   settingsTx_sender_last;
  wire                io_in_fire_1;
  reg        [48:0]   settingsTx_receiver_current;
  wire       [47:0]   settingsTx_value_address;
  wire                settingsTx_value_sendPauses;
  reg                 io_lock_regNext;
  wire                receive_lockLost;
  wire       [3:0]    receive_state;
  reg                 latest_waits;
  reg        [15:0]   latest_quanta;
  wire                io_in_fire_2;

  assign _zz_io_events = receive_mac_io_events_badStart;
  assign _zz_io_events_1 = receive_mac_io_events_good;
  PortReset resets (
    .io_core  (resets_io_core), //o
    .io_rx    (resets_io_rx  ), //o
    .io_tx    (resets_io_tx  ), //o
    .reset    (reset         ), //i
    .clk      (clk           ), //i
    .rx_clock (rx_clock      ), //i
    .tx_clock (tx_clock      )  //i
  );
  ReceiveStore receiveStore_1 (
    .io_words_valid                 (receive_mac_io_words_valid                     ), //i
    .io_words_payload_word_data     (receive_mac_io_words_payload_word_data[63:0]   ), //i
    .io_words_payload_word_lastByte (receive_mac_io_words_payload_word_lastByte[2:0]), //i
    .io_words_payload_word_last     (receive_mac_io_words_payload_word_last         ), //i
    .io_words_payload_word_damaged  (receive_mac_io_words_payload_word_damaged      ), //i
    .io_words_payload_first         (receive_mac_io_words_payload_first             ), //i
    .io_overflow                    (receiveStore_1_io_overflow                     ), //o
    .io_filling                     (receiveStore_1_io_filling                      ), //o
    .io_frames_valid                (receiveStore_1_io_frames_valid                 ), //o
    .io_frames_ready                (net_rx_tready                                  ), //i
    .io_frames_payload_data         (receiveStore_1_io_frames_payload_data[511:0]   ), //o
    .io_frames_payload_keep         (receiveStore_1_io_frames_payload_keep[63:0]    ), //o
    .io_frames_payload_last         (receiveStore_1_io_frames_payload_last          ), //o
    .io_frames_payload_user         (receiveStore_1_io_frames_payload_user          ), //o
    .rx_clock                       (rx_clock                                       ), //i
    .rxReset                        (rxReset                                        ), //i
    .clk                            (clk                                            ), //i
    .coreReset                      (coreReset                                      )  //i
  );
  TransmitStore transmitStore_1 (
    .io_frames_valid           (net_tx_tvalid                                 ), //i
    .io_frames_ready           (transmitStore_1_io_frames_ready               ), //o
    .io_frames_payload_data    (net_tx_tdata[511:0]                           ), //i
    .io_frames_payload_keep    (net_tx_tkeep[63:0]                            ), //i
    .io_frames_payload_last    (net_tx_tlast                                  ), //i
    .io_frames_payload_user    (net_tx_tuser                                  ), //i
    .io_tooLong                (transmitStore_1_io_tooLong                    ), //o
    .io_words_valid            (transmitStore_1_io_words_valid                ), //o
    .io_words_ready            (transmit_mac_io_frames_ready                  ), //i
    .io_words_payload_data     (transmitStore_1_io_words_payload_data[63:0]   ), //o
    .io_words_payload_lastByte (transmitStore_1_io_words_payload_lastByte[2:0]), //o
    .io_words_payload_last     (transmitStore_1_io_words_payload_last         ), //o
    .io_words_payload_damaged  (transmitStore_1_io_words_payload_damaged      ), //o
    .clk                       (clk                                           ), //i
    .coreReset                 (coreReset                                     ), //i
    .tx_clock                  (tx_clock                                      ), //i
    .txReset                   (txReset                                       )  //i
  );
  CrossingWord_4 settingsRx_crossing (
    .io_in_valid    (settingsRx_crossing_io_in_valid         ), //i
    .io_in_ready    (settingsRx_crossing_io_in_ready         ), //o
    .io_in_payload  (settings_address_1[47:0]                ), //i
    .io_out_valid   (settingsRx_crossing_io_out_valid        ), //o
    .io_out_payload (settingsRx_crossing_io_out_payload[47:0]), //o
    .clk            (clk                                     ), //i
    .coreReset      (coreReset                               ), //i
    .rx_clock       (rx_clock                                ), //i
    .rxReset        (rxReset                                 )  //i
  );
  CrossingWord_5 settingsTx_crossing (
    .io_in_valid    (settingsTx_crossing_io_in_valid         ), //i
    .io_in_ready    (settingsTx_crossing_io_in_ready         ), //o
    .io_in_payload  (settingsTx_crossing_io_in_payload[48:0] ), //i
    .io_out_valid   (settingsTx_crossing_io_out_valid        ), //o
    .io_out_payload (settingsTx_crossing_io_out_payload[48:0]), //o
    .clk            (clk                                     ), //i
    .coreReset      (coreReset                               ), //i
    .tx_clock       (tx_clock                                ), //i
    .txReset        (txReset                                 )  //i
  );
  PcsReceive receive_pcs (
    .io_blocks_valid          (rx_valid                                 ), //i
    .io_blocks_payload_header (rx_payload_header[1:0]                   ), //i
    .io_blocks_payload_data   (rx_payload_data[63:0]                    ), //i
    .io_signalOk              (rx_signalOk                              ), //i
    .io_slip                  (receive_pcs_io_slip                      ), //o
    .io_xgmii_valid           (receive_pcs_io_xgmii_valid               ), //o
    .io_xgmii_payload_data    (receive_pcs_io_xgmii_payload_data[63:0]  ), //o
    .io_xgmii_payload_control (receive_pcs_io_xgmii_payload_control[7:0]), //o
    .io_lock                  (receive_pcs_io_lock                      ), //o
    .io_highErrorRate         (receive_pcs_io_highErrorRate             ), //o
    .io_wrongHeader           (receive_pcs_io_wrongHeader               ), //o
    .io_badBlock              (receive_pcs_io_badBlock                  ), //o
    .rx_clock                 (rx_clock                                 ), //i
    .rxReset                  (rxReset                                  )  //i
  );
  MacReceive receive_mac (
    .io_xgmii_valid                 (receive_pcs_io_xgmii_valid                     ), //i
    .io_xgmii_payload_data          (receive_pcs_io_xgmii_payload_data[63:0]        ), //i
    .io_xgmii_payload_control       (receive_pcs_io_xgmii_payload_control[7:0]      ), //i
    .io_address                     (settingsRx_value[47:0]                         ), //i
    .io_words_valid                 (receive_mac_io_words_valid                     ), //o
    .io_words_payload_word_data     (receive_mac_io_words_payload_word_data[63:0]   ), //o
    .io_words_payload_word_lastByte (receive_mac_io_words_payload_word_lastByte[2:0]), //o
    .io_words_payload_word_last     (receive_mac_io_words_payload_word_last         ), //o
    .io_words_payload_word_damaged  (receive_mac_io_words_payload_word_damaged      ), //o
    .io_words_payload_first         (receive_mac_io_words_payload_first             ), //o
    .io_pause_valid                 (receive_mac_io_pause_valid                     ), //o
    .io_pause_payload               (receive_mac_io_pause_payload[15:0]             ), //o
    .io_events_good                 (receive_mac_io_events_good                     ), //o
    .io_events_badStart             (receive_mac_io_events_badStart                 ), //o
    .io_events_badCode              (receive_mac_io_events_badCode                  ), //o
    .io_events_tooLong              (receive_mac_io_events_tooLong                  ), //o
    .io_events_tooShort             (receive_mac_io_events_tooShort                 ), //o
    .io_events_badFcs               (receive_mac_io_events_badFcs                   ), //o
    .io_events_pause                (receive_mac_io_events_pause                    ), //o
    .io_events_control              (receive_mac_io_events_control                  ), //o
    .rx_clock                       (rx_clock                                       ), //i
    .rxReset                        (rxReset                                        )  //i
  );
  LinkFault receive_fault (
    .io_xgmii_valid           (receive_pcs_io_xgmii_valid               ), //i
    .io_xgmii_payload_data    (receive_pcs_io_xgmii_payload_data[63:0]  ), //i
    .io_xgmii_payload_control (receive_pcs_io_xgmii_payload_control[7:0]), //i
    .io_local                 (receive_fault_io_local                   ), //o
    .io_remote                (receive_fault_io_remote                  ), //o
    .rx_clock                 (rx_clock                                 ), //i
    .rxReset                  (rxReset                                  )  //i
  );
  CountSender receive_counts (
    .io_events                 (receive_counts_io_events[11:0]               ), //i
    .io_counts_valid           (receive_counts_io_counts_valid               ), //o
    .io_counts_ready           (rxCounts_io_in_ready                         ), //i
    .io_counts_payload_counter (receive_counts_io_counts_payload_counter[4:0]), //o
    .io_counts_payload_events  (receive_counts_io_counts_payload_events[7:0] ), //o
    .rx_clock                  (rx_clock                                     ), //i
    .rxReset                   (rxReset                                      )  //i
  );
  CrossingBits linkState (
    .io_in    (linkState_io_in[2:0] ), //i
    .io_out   (linkState_io_out[2:0]), //o
    .rx_clock (rx_clock             ), //i
    .rxReset  (rxReset              ), //i
    .tx_clock (tx_clock             ), //i
    .txReset  (txReset              )  //i
  );
  CrossingWord_6 pauses (
    .io_in_valid    (latest_waits               ), //i
    .io_in_ready    (pauses_io_in_ready         ), //o
    .io_in_payload  (latest_quanta[15:0]        ), //i
    .io_out_valid   (pauses_io_out_valid        ), //o
    .io_out_payload (pauses_io_out_payload[15:0]), //o
    .rx_clock       (rx_clock                   ), //i
    .rxReset        (rxReset                    ), //i
    .tx_clock       (tx_clock                   ), //i
    .txReset        (txReset                    )  //i
  );
  PauseTimer transmit_timer (
    .io_quanta_valid   (pauses_io_out_valid        ), //i
    .io_quanta_payload (pauses_io_out_payload[15:0]), //i
    .io_paused         (transmit_timer_io_paused   ), //o
    .tx_clock          (tx_clock                   ), //i
    .txReset           (txReset                    )  //i
  );
  PauseSender transmit_sender (
    .io_full                    (transmit_sender_io_full                        ), //i
    .io_address                 (settingsTx_value_address[47:0]                 ), //i
    .io_frames_valid            (transmit_sender_io_frames_valid                ), //o
    .io_frames_ready            (transmit_mac_io_control_ready                  ), //i
    .io_frames_payload_data     (transmit_sender_io_frames_payload_data[63:0]   ), //o
    .io_frames_payload_lastByte (transmit_sender_io_frames_payload_lastByte[2:0]), //o
    .io_frames_payload_last     (transmit_sender_io_frames_payload_last         ), //o
    .io_frames_payload_damaged  (transmit_sender_io_frames_payload_damaged      ), //o
    .tx_clock                   (tx_clock                                       ), //i
    .txReset                    (txReset                                        )  //i
  );
  MacTransmit transmit_mac (
    .io_frames_valid             (transmitStore_1_io_words_valid                 ), //i
    .io_frames_ready             (transmit_mac_io_frames_ready                   ), //o
    .io_frames_payload_data      (transmitStore_1_io_words_payload_data[63:0]    ), //i
    .io_frames_payload_lastByte  (transmitStore_1_io_words_payload_lastByte[2:0] ), //i
    .io_frames_payload_last      (transmitStore_1_io_words_payload_last          ), //i
    .io_frames_payload_damaged   (transmitStore_1_io_words_payload_damaged       ), //i
    .io_control_valid            (transmit_sender_io_frames_valid                ), //i
    .io_control_ready            (transmit_mac_io_control_ready                  ), //o
    .io_control_payload_data     (transmit_sender_io_frames_payload_data[63:0]   ), //i
    .io_control_payload_lastByte (transmit_sender_io_frames_payload_lastByte[2:0]), //i
    .io_control_payload_last     (transmit_sender_io_frames_payload_last         ), //i
    .io_control_payload_damaged  (transmit_sender_io_frames_payload_damaged      ), //i
    .io_paused                   (transmit_timer_io_paused                       ), //i
    .io_localFault               (transmit_mac_io_localFault                     ), //i
    .io_remoteFault              (transmit_mac_io_remoteFault                    ), //i
    .io_xgmii_data               (transmit_mac_io_xgmii_data[63:0]               ), //o
    .io_xgmii_control            (transmit_mac_io_xgmii_control[7:0]             ), //o
    .io_events_sent              (transmit_mac_io_events_sent                    ), //o
    .io_events_pause             (transmit_mac_io_events_pause                   ), //o
    .io_events_damaged           (transmit_mac_io_events_damaged                 ), //o
    .io_events_noLink            (transmit_mac_io_events_noLink                  ), //o
    .tx_clock                    (tx_clock                                       ), //i
    .txReset                     (txReset                                        )  //i
  );
  PcsTransmit transmit_pcs (
    .io_xgmii_data    (transmit_mac_io_xgmii_data[63:0]  ), //i
    .io_xgmii_control (transmit_mac_io_xgmii_control[7:0]), //i
    .io_block_header  (transmit_pcs_io_block_header[1:0] ), //o
    .io_block_data    (transmit_pcs_io_block_data[63:0]  ), //o
    .tx_clock         (tx_clock                          ), //i
    .txReset          (txReset                           )  //i
  );
  CountSender_1 transmit_counts (
    .io_events                 (transmit_counts_io_events[3:0]                ), //i
    .io_counts_valid           (transmit_counts_io_counts_valid               ), //o
    .io_counts_ready           (txCounts_io_in_ready                          ), //i
    .io_counts_payload_counter (transmit_counts_io_counts_payload_counter[4:0]), //o
    .io_counts_payload_events  (transmit_counts_io_counts_payload_events[7:0] ), //o
    .tx_clock                  (tx_clock                                      ), //i
    .txReset                   (txReset                                       )  //i
  );
  CrossingWord_7 rxCounts (
    .io_in_valid            (receive_counts_io_counts_valid               ), //i
    .io_in_ready            (rxCounts_io_in_ready                         ), //o
    .io_in_payload_counter  (receive_counts_io_counts_payload_counter[4:0]), //i
    .io_in_payload_events   (receive_counts_io_counts_payload_events[7:0] ), //i
    .io_out_valid           (rxCounts_io_out_valid                        ), //o
    .io_out_payload_counter (rxCounts_io_out_payload_counter[4:0]         ), //o
    .io_out_payload_events  (rxCounts_io_out_payload_events[7:0]          ), //o
    .rx_clock               (rx_clock                                     ), //i
    .rxReset                (rxReset                                      ), //i
    .clk                    (clk                                          ), //i
    .coreReset              (coreReset                                    )  //i
  );
  CrossingWord_8 txCounts (
    .io_in_valid            (transmit_counts_io_counts_valid               ), //i
    .io_in_ready            (txCounts_io_in_ready                          ), //o
    .io_in_payload_counter  (transmit_counts_io_counts_payload_counter[4:0]), //i
    .io_in_payload_events   (transmit_counts_io_counts_payload_events[7:0] ), //i
    .io_out_valid           (txCounts_io_out_valid                         ), //o
    .io_out_payload_counter (txCounts_io_out_payload_counter[4:0]          ), //o
    .io_out_payload_events  (txCounts_io_out_payload_events[7:0]           ), //o
    .tx_clock               (tx_clock                                      ), //i
    .txReset                (txReset                                       ), //i
    .clk                    (clk                                           ), //i
    .coreReset              (coreReset                                     )  //i
  );
  CrossingBits_1 rxState (
    .io_in     (receive_state[3:0] ), //i
    .io_out    (rxState_io_out[3:0]), //o
    .rx_clock  (rx_clock           ), //i
    .rxReset   (rxReset            ), //i
    .clk       (clk                ), //i
    .coreReset (coreReset          )  //i
  );
  CrossingBits_2 txState (
    .io_in     (txState_io_in ), //i
    .io_out    (txState_io_out), //o
    .tx_clock  (tx_clock      ), //i
    .txReset   (txReset       ), //i
    .clk       (clk           ), //i
    .coreReset (coreReset     )  //i
  );
  PortCounters counters_file (
    .io_rx_valid           (rxCounts_io_out_valid               ), //i
    .io_rx_payload_counter (rxCounts_io_out_payload_counter[4:0]), //i
    .io_rx_payload_events  (rxCounts_io_out_payload_events[7:0] ), //i
    .io_tx_valid           (txCounts_io_out_valid               ), //i
    .io_tx_payload_counter (txCounts_io_out_payload_counter[4:0]), //i
    .io_tx_payload_events  (txCounts_io_out_payload_events[7:0] ), //i
    .io_tooLong            (transmitStore_1_io_tooLong          ), //i
    .io_refused            (1'b0                                ), //i
    .io_index              (counter_index[4:0]                  ), //i
    .io_value              (counters_file_io_value[31:0]        ), //o
    .clk                   (clk                                 ), //i
    .coreReset             (coreReset                           )  //i
  );
  assign rxReset = resets_io_rx;
  assign txReset = resets_io_tx;
  assign coreReset = resets_io_core;
  assign net_rx_tvalid = receiveStore_1_io_frames_valid;
  assign net_rx_tdata = receiveStore_1_io_frames_payload_data;
  assign net_rx_tkeep = receiveStore_1_io_frames_payload_keep;
  assign net_rx_tlast = receiveStore_1_io_frames_payload_last;
  assign net_rx_tuser = receiveStore_1_io_frames_payload_user;
  assign net_tx_tready = transmitStore_1_io_frames_ready;
  assign settings_address_1 = settings_address;
  assign settings_sendPauses_1 = settings_sendPauses;
  assign settingsRx_crossing_io_in_valid = (settingsRx_sender_last != settings_address_1);
  assign io_in_fire = (settingsRx_crossing_io_in_valid && settingsRx_crossing_io_in_ready);
  assign settingsRx_value = settingsRx_receiver_current;
  assign settingsTx_crossing_io_in_valid = (settingsTx_sender_last != {settings_sendPauses_1,settings_address_1});
  assign settingsTx_crossing_io_in_payload = {settings_sendPauses_1,settings_address_1};
  assign io_in_fire_1 = (settingsTx_crossing_io_in_valid && settingsTx_crossing_io_in_ready);
  assign settingsTx_value_address = settingsTx_receiver_current[47 : 0];
  assign settingsTx_value_sendPauses = settingsTx_receiver_current[48];
  assign receive_lockLost = ((! receive_pcs_io_lock) && io_lock_regNext);
  assign receive_counts_io_events = {receive_lockLost,{receive_pcs_io_wrongHeader,{receive_pcs_io_badBlock,{receiveStore_1_io_overflow,{receive_mac_io_events_control,{receive_mac_io_events_pause,{receive_mac_io_events_badFcs,{receive_mac_io_events_tooShort,{receive_mac_io_events_tooLong,{receive_mac_io_events_badCode,{_zz_io_events,_zz_io_events_1}}}}}}}}}}};
  assign receive_state = {{{receive_fault_io_remote,receive_fault_io_local},receive_pcs_io_highErrorRate},receive_pcs_io_lock};
  assign rx_slip = receive_pcs_io_slip;
  assign linkState_io_in = {{receiveStore_1_io_filling,receive_fault_io_remote},receive_fault_io_local};
  assign io_in_fire_2 = (latest_waits && pauses_io_in_ready);
  assign transmit_sender_io_full = (linkState_io_out[2] && settingsTx_value_sendPauses);
  assign transmit_mac_io_localFault = linkState_io_out[0];
  assign transmit_mac_io_remoteFault = linkState_io_out[1];
  assign tx_header = transmit_pcs_io_block_header;
  assign tx_data = transmit_pcs_io_block_data;
  assign transmit_counts_io_events = {transmit_mac_io_events_noLink,{transmit_mac_io_events_damaged,{transmit_mac_io_events_pause,transmit_mac_io_events_sent}}};
  assign txState_io_in = transmit_timer_io_paused;
  assign status_lock = rxState_io_out[0];
  assign status_highErrorRate = rxState_io_out[1];
  assign status_localFault = rxState_io_out[2];
  assign status_remoteFault = rxState_io_out[3];
  assign status_paused = txState_io_out[0];
  assign counter_value = counters_file_io_value;
  always @(posedge clk) begin
    if(coreReset) begin
      settingsRx_sender_last <= 48'h0;
      settingsTx_sender_last <= 49'h0;
    end else begin
      if(io_in_fire) begin
        settingsRx_sender_last <= settings_address_1;
      end
      if(io_in_fire_1) begin
        settingsTx_sender_last <= {settings_sendPauses_1,settings_address_1};
      end
    end
  end

  always @(posedge rx_clock) begin
    if(rxReset) begin
      settingsRx_receiver_current <= 48'h0;
      io_lock_regNext <= 1'b0;
      latest_waits <= 1'b0;
    end else begin
      if(settingsRx_crossing_io_out_valid) begin
        settingsRx_receiver_current <= settingsRx_crossing_io_out_payload;
      end
      io_lock_regNext <= receive_pcs_io_lock;
      if(io_in_fire_2) begin
        latest_waits <= 1'b0;
      end
      if(receive_mac_io_pause_valid) begin
        latest_waits <= 1'b1;
      end
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      settingsTx_receiver_current <= 49'h0;
    end else begin
      if(settingsTx_crossing_io_out_valid) begin
        settingsTx_receiver_current <= settingsTx_crossing_io_out_payload;
      end
    end
  end

  always @(posedge rx_clock) begin
    if(receive_mac_io_pause_valid) begin
      latest_quanta <= receive_mac_io_pause_payload;
    end
  end


endmodule

module PortCounters (
  input  wire          io_rx_valid,
  input  wire [4:0]    io_rx_payload_counter,
  input  wire [7:0]    io_rx_payload_events,
  input  wire          io_tx_valid,
  input  wire [4:0]    io_tx_payload_counter,
  input  wire [7:0]    io_tx_payload_events,
  input  wire          io_tooLong,
  input  wire          io_refused,
  input  wire [4:0]    io_index,
  output wire [31:0]   io_value,
  input  wire          clk,
  input  wire          coreReset
);

  reg        [31:0]   _zz__zz_counters_0;
  wire       [31:0]   _zz__zz_counters_0_1;
  reg        [31:0]   _zz__zz_counters_12;
  wire       [31:0]   _zz__zz_counters_12_1;
  reg        [31:0]   _zz__zz_io_value;
  reg        [31:0]   counters_0;
  reg        [31:0]   counters_1;
  reg        [31:0]   counters_2;
  reg        [31:0]   counters_3;
  reg        [31:0]   counters_4;
  reg        [31:0]   counters_5;
  reg        [31:0]   counters_6;
  reg        [31:0]   counters_7;
  reg        [31:0]   counters_8;
  reg        [31:0]   counters_9;
  reg        [31:0]   counters_10;
  reg        [31:0]   counters_11;
  reg        [31:0]   counters_12;
  reg        [31:0]   counters_13;
  reg        [31:0]   counters_14;
  reg        [31:0]   counters_15;
  reg        [31:0]   counters_16;
  reg        [31:0]   counters_17;
  wire       [31:0]   _zz_counters_0;
  wire       [31:0]   _zz_counters_12;
  reg        [31:0]   _zz_io_value;

  assign _zz__zz_counters_0_1 = {24'd0, io_rx_payload_events};
  assign _zz__zz_counters_12_1 = {24'd0, io_tx_payload_events};
  always @(*) begin
    case(io_rx_payload_counter)
      5'b00000 : _zz__zz_counters_0 = counters_0;
      5'b00001 : _zz__zz_counters_0 = counters_1;
      5'b00010 : _zz__zz_counters_0 = counters_2;
      5'b00011 : _zz__zz_counters_0 = counters_3;
      5'b00100 : _zz__zz_counters_0 = counters_4;
      5'b00101 : _zz__zz_counters_0 = counters_5;
      5'b00110 : _zz__zz_counters_0 = counters_6;
      5'b00111 : _zz__zz_counters_0 = counters_7;
      5'b01000 : _zz__zz_counters_0 = counters_8;
      5'b01001 : _zz__zz_counters_0 = counters_9;
      5'b01010 : _zz__zz_counters_0 = counters_10;
      5'b01011 : _zz__zz_counters_0 = counters_11;
      5'b01100 : _zz__zz_counters_0 = counters_12;
      5'b01101 : _zz__zz_counters_0 = counters_13;
      5'b01110 : _zz__zz_counters_0 = counters_14;
      5'b01111 : _zz__zz_counters_0 = counters_15;
      5'b10000 : _zz__zz_counters_0 = counters_16;
      default : _zz__zz_counters_0 = counters_17;
    endcase
  end

  always @(*) begin
    case(io_tx_payload_counter)
      5'b00000 : _zz__zz_counters_12 = counters_0;
      5'b00001 : _zz__zz_counters_12 = counters_1;
      5'b00010 : _zz__zz_counters_12 = counters_2;
      5'b00011 : _zz__zz_counters_12 = counters_3;
      5'b00100 : _zz__zz_counters_12 = counters_4;
      5'b00101 : _zz__zz_counters_12 = counters_5;
      5'b00110 : _zz__zz_counters_12 = counters_6;
      5'b00111 : _zz__zz_counters_12 = counters_7;
      5'b01000 : _zz__zz_counters_12 = counters_8;
      5'b01001 : _zz__zz_counters_12 = counters_9;
      5'b01010 : _zz__zz_counters_12 = counters_10;
      5'b01011 : _zz__zz_counters_12 = counters_11;
      5'b01100 : _zz__zz_counters_12 = counters_12;
      5'b01101 : _zz__zz_counters_12 = counters_13;
      5'b01110 : _zz__zz_counters_12 = counters_14;
      5'b01111 : _zz__zz_counters_12 = counters_15;
      5'b10000 : _zz__zz_counters_12 = counters_16;
      default : _zz__zz_counters_12 = counters_17;
    endcase
  end

  always @(*) begin
    case(io_index)
      5'b00000 : _zz__zz_io_value = counters_0;
      5'b00001 : _zz__zz_io_value = counters_1;
      5'b00010 : _zz__zz_io_value = counters_2;
      5'b00011 : _zz__zz_io_value = counters_3;
      5'b00100 : _zz__zz_io_value = counters_4;
      5'b00101 : _zz__zz_io_value = counters_5;
      5'b00110 : _zz__zz_io_value = counters_6;
      5'b00111 : _zz__zz_io_value = counters_7;
      5'b01000 : _zz__zz_io_value = counters_8;
      5'b01001 : _zz__zz_io_value = counters_9;
      5'b01010 : _zz__zz_io_value = counters_10;
      5'b01011 : _zz__zz_io_value = counters_11;
      5'b01100 : _zz__zz_io_value = counters_12;
      5'b01101 : _zz__zz_io_value = counters_13;
      5'b01110 : _zz__zz_io_value = counters_14;
      5'b01111 : _zz__zz_io_value = counters_15;
      5'b10000 : _zz__zz_io_value = counters_16;
      default : _zz__zz_io_value = counters_17;
    endcase
  end

  assign _zz_counters_0 = (_zz__zz_counters_0 + _zz__zz_counters_0_1);
  assign _zz_counters_12 = (_zz__zz_counters_12 + _zz__zz_counters_12_1);
  assign io_value = _zz_io_value;
  always @(posedge clk) begin
    if(coreReset) begin
      counters_0 <= 32'h0;
      counters_1 <= 32'h0;
      counters_2 <= 32'h0;
      counters_3 <= 32'h0;
      counters_4 <= 32'h0;
      counters_5 <= 32'h0;
      counters_6 <= 32'h0;
      counters_7 <= 32'h0;
      counters_8 <= 32'h0;
      counters_9 <= 32'h0;
      counters_10 <= 32'h0;
      counters_11 <= 32'h0;
      counters_12 <= 32'h0;
      counters_13 <= 32'h0;
      counters_14 <= 32'h0;
      counters_15 <= 32'h0;
      counters_16 <= 32'h0;
      counters_17 <= 32'h0;
      _zz_io_value <= 32'h0;
    end else begin
      if((io_rx_valid && (io_rx_payload_counter == 5'h0))) begin
        counters_0 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h01))) begin
        counters_1 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h02))) begin
        counters_2 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h03))) begin
        counters_3 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h04))) begin
        counters_4 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h05))) begin
        counters_5 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h06))) begin
        counters_6 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h07))) begin
        counters_7 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h08))) begin
        counters_8 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h09))) begin
        counters_9 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h0a))) begin
        counters_10 <= _zz_counters_0;
      end
      if((io_rx_valid && (io_rx_payload_counter == 5'h0b))) begin
        counters_11 <= _zz_counters_0;
      end
      if((io_tx_valid && (io_tx_payload_counter == 5'h0c))) begin
        counters_12 <= _zz_counters_12;
      end
      if((io_tx_valid && (io_tx_payload_counter == 5'h0d))) begin
        counters_13 <= _zz_counters_12;
      end
      if((io_tx_valid && (io_tx_payload_counter == 5'h0e))) begin
        counters_14 <= _zz_counters_12;
      end
      if((io_tx_valid && (io_tx_payload_counter == 5'h0f))) begin
        counters_15 <= _zz_counters_12;
      end
      if(io_tooLong) begin
        counters_16 <= (counters_16 + 32'h00000001);
      end
      if(io_refused) begin
        counters_17 <= (counters_17 + 32'h00000001);
      end
      _zz_io_value <= ((io_index < 5'h12) ? _zz__zz_io_value : 32'h0);
    end
  end


endmodule

module CrossingBits_2 (
  input  wire [0:0]    io_in,
  output wire [0:0]    io_out,
  input  wire          tx_clock,
  input  wire          txReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [0:0]    sender_held;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_held_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_held_settled;

  assign io_out = sender_held_settled;
  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_held <= 1'b0;
    end else begin
      sender_held <= io_in;
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_held_meta <= 1'b0;
      sender_held_settled <= 1'b0;
    end else begin
      sender_held_meta <= sender_held;
      sender_held_settled <= sender_held_meta;
    end
  end


endmodule

module CrossingBits_1 (
  input  wire [3:0]    io_in,
  output wire [3:0]    io_out,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [3:0]    sender_held;
  (* dont_touch = "true" , async_reg = "true" *) reg        [3:0]    sender_held_meta;
  (* async_reg = "true" *) reg        [3:0]    sender_held_settled;

  assign io_out = sender_held_settled;
  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_held <= 4'b0000;
    end else begin
      sender_held <= io_in;
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_held_meta <= 4'b0000;
      sender_held_settled <= 4'b0000;
    end else begin
      sender_held_meta <= sender_held;
      sender_held_settled <= sender_held_meta;
    end
  end


endmodule

module CrossingWord_8 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [4:0]    io_in_payload_counter,
  input  wire [7:0]    io_in_payload_events,
  output wire          io_out_valid,
  output wire [4:0]    io_out_payload_counter,
  output wire [7:0]    io_out_payload_events,
  input  wire          tx_clock,
  input  wire          txReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [12:0]   sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [12:0]   receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload_counter = receiver_taken[4 : 0];
  assign io_out_payload_events = receiver_taken[12 : 5];
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_held <= 13'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= {io_in_payload_events,io_in_payload_counter};
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 13'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingWord_7 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [4:0]    io_in_payload_counter,
  input  wire [7:0]    io_in_payload_events,
  output wire          io_out_valid,
  output wire [4:0]    io_out_payload_counter,
  output wire [7:0]    io_out_payload_events,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [12:0]   sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [12:0]   receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload_counter = receiver_taken[4 : 0];
  assign io_out_payload_events = receiver_taken[12 : 5];
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_held <= 13'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= {io_in_payload_events,io_in_payload_counter};
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 13'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CountSender_1 (
  input  wire [3:0]    io_events,
  output wire          io_counts_valid,
  input  wire          io_counts_ready,
  output wire [4:0]    io_counts_payload_counter,
  output wire [7:0]    io_counts_payload_events,
  input  wire          tx_clock,
  input  wire          txReset
);

  reg        [7:0]    _zz__zz_io_counts_valid;
  reg        [4:0]    _zz_io_counts_payload_counter;
  wire       [7:0]    _zz_pending_0;
  wire       [0:0]    _zz_pending_0_1;
  wire       [7:0]    _zz_pending_1;
  wire       [0:0]    _zz_pending_1_1;
  wire       [7:0]    _zz_pending_2;
  wire       [0:0]    _zz_pending_2_1;
  wire       [7:0]    _zz_pending_3;
  wire       [0:0]    _zz_pending_3_1;
  wire       [1:0]    _zz_turn;
  reg        [1:0]    turn;
  reg        [7:0]    pending_0;
  reg        [7:0]    pending_1;
  reg        [7:0]    pending_2;
  reg        [7:0]    pending_3;
  wire       [7:0]    _zz_io_counts_valid;
  wire                io_counts_fire;

  assign _zz_pending_0_1 = io_events[0];
  assign _zz_pending_0 = {7'd0, _zz_pending_0_1};
  assign _zz_pending_1_1 = io_events[1];
  assign _zz_pending_1 = {7'd0, _zz_pending_1_1};
  assign _zz_pending_2_1 = io_events[2];
  assign _zz_pending_2 = {7'd0, _zz_pending_2_1};
  assign _zz_pending_3_1 = io_events[3];
  assign _zz_pending_3 = {7'd0, _zz_pending_3_1};
  assign _zz_turn = (turn + 2'b01);
  always @(*) begin
    case(turn)
      2'b00 : begin
        _zz__zz_io_counts_valid = pending_0;
        _zz_io_counts_payload_counter = 5'h0c;
      end
      2'b01 : begin
        _zz__zz_io_counts_valid = pending_1;
        _zz_io_counts_payload_counter = 5'h0d;
      end
      2'b10 : begin
        _zz__zz_io_counts_valid = pending_2;
        _zz_io_counts_payload_counter = 5'h0e;
      end
      default : begin
        _zz__zz_io_counts_valid = pending_3;
        _zz_io_counts_payload_counter = 5'h0f;
      end
    endcase
  end

  assign _zz_io_counts_valid = _zz__zz_io_counts_valid;
  assign io_counts_valid = (_zz_io_counts_valid != 8'h0);
  assign io_counts_payload_events = _zz_io_counts_valid;
  assign io_counts_payload_counter = _zz_io_counts_payload_counter;
  assign io_counts_fire = (io_counts_valid && io_counts_ready);
  always @(posedge tx_clock) begin
    if(txReset) begin
      turn <= 2'b00;
      pending_0 <= 8'h0;
      pending_1 <= 8'h0;
      pending_2 <= 8'h0;
      pending_3 <= 8'h0;
    end else begin
      pending_0 <= (((io_counts_fire && (turn == 2'b00)) ? 8'h0 : pending_0) + _zz_pending_0);
      pending_1 <= (((io_counts_fire && (turn == 2'b01)) ? 8'h0 : pending_1) + _zz_pending_1);
      pending_2 <= (((io_counts_fire && (turn == 2'b10)) ? 8'h0 : pending_2) + _zz_pending_2);
      pending_3 <= (((io_counts_fire && (turn == 2'b11)) ? 8'h0 : pending_3) + _zz_pending_3);
      if(io_counts_ready) begin
        turn <= ((turn == 2'b11) ? 2'b00 : _zz_turn);
      end
    end
  end


endmodule

module PcsTransmit (
  input  wire [63:0]   io_xgmii_data,
  input  wire [7:0]    io_xgmii_control,
  output wire [1:0]    io_block_header,
  output wire [63:0]   io_block_data,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire       [1:0]    encoder_io_out_header;
  wire       [63:0]   encoder_io_out_data;
  wire       [1:0]    scrambler_1_io_out_header;
  wire       [63:0]   scrambler_1_io_out_data;

  PcsEncoder encoder (
    .io_in_data    (io_xgmii_data[63:0]       ), //i
    .io_in_control (io_xgmii_control[7:0]     ), //i
    .io_out_header (encoder_io_out_header[1:0]), //o
    .io_out_data   (encoder_io_out_data[63:0] ), //o
    .tx_clock      (tx_clock                  ), //i
    .txReset       (txReset                   )  //i
  );
  Scrambler scrambler_1 (
    .io_in_header  (encoder_io_out_header[1:0]    ), //i
    .io_in_data    (encoder_io_out_data[63:0]     ), //i
    .io_out_header (scrambler_1_io_out_header[1:0]), //o
    .io_out_data   (scrambler_1_io_out_data[63:0] ), //o
    .tx_clock      (tx_clock                      ), //i
    .txReset       (txReset                       )  //i
  );
  assign io_block_header = scrambler_1_io_out_header;
  assign io_block_data = scrambler_1_io_out_data;

endmodule

module MacTransmit (
  input  wire          io_frames_valid,
  output reg           io_frames_ready,
  input  wire [63:0]   io_frames_payload_data,
  input  wire [2:0]    io_frames_payload_lastByte,
  input  wire          io_frames_payload_last,
  input  wire          io_frames_payload_damaged,
  input  wire          io_control_valid,
  output reg           io_control_ready,
  input  wire [63:0]   io_control_payload_data,
  input  wire [2:0]    io_control_payload_lastByte,
  input  wire          io_control_payload_last,
  input  wire          io_control_payload_damaged,
  input  wire          io_paused,
  input  wire          io_localFault,
  input  wire          io_remoteFault,
  output wire [63:0]   io_xgmii_data,
  output wire [7:0]    io_xgmii_control,
  output reg           io_events_sent,
  output reg           io_events_pause,
  output reg           io_events_damaged,
  output reg           io_events_noLink,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire       [1:0]    sequencer_gap_io_idleWords;
  wire                sequencer_gap_io_nextShifted;
  wire       [2:0]    _zz_sequencer_slot_word;
  wire                _zz_sequencer_slot_word_1;
  wire                _zz_sequencer_slot_word_2;
  wire                _zz_sequencer_slot_word_3;
  wire       [7:0]    _zz_sequencer_slot_word_4;
  wire       [7:0]    _zz_sequencer_slot_word_5;
  wire       [7:0]    _zz_sequencer_slot_word_6;
  wire       [23:0]   _zz_sequencer_slot_word_7;
  wire       [1:0]    _zz_sequencer_gapLeft;
  wire                _zz_when;
  wire                _zz_when_1;
  wire                _zz_when_2;
  reg        [7:0]    _zz_characters_places_0_0;
  reg                 _zz_characters_places_0_1;
  reg        [7:0]    _zz_characters_places_1_0;
  reg                 _zz_characters_places_1_1;
  reg        [7:0]    _zz_characters_places_2_0;
  reg                 _zz_characters_places_2_1;
  reg        [7:0]    _zz_characters_places_3_0;
  reg                 _zz_characters_places_3_1;
  reg        [7:0]    _zz_characters_places_4_0;
  reg                 _zz_characters_places_4_1;
  reg        [7:0]    _zz_characters_places_5_0;
  reg                 _zz_characters_places_5_1;
  reg        [7:0]    _zz_characters_places_6_0;
  reg                 _zz_characters_places_6_1;
  reg        [7:0]    _zz_characters_places_7_0;
  reg                 _zz_characters_places_7_1;
  reg        [7:0]    _zz_characters_places_8_0;
  reg                 _zz_characters_places_8_1;
  reg        [7:0]    _zz_characters_places_9_0;
  reg                 _zz_characters_places_9_1;
  reg        [7:0]    _zz_characters_places_10_0;
  reg                 _zz_characters_places_10_1;
  reg        [7:0]    _zz_characters_places_11_0;
  reg                 _zz_characters_places_11_1;
  reg        [7:0]    _zz_characters_places_12_0;
  reg                 _zz_characters_places_12_1;
  reg                 sequencer_idle;
  reg                 sequencer_sends;
  reg                 sequencer_pads;
  reg                 sequencer_tails;
  reg                 sequencer_drops;
  reg                 sequencer_isControl;
  reg                 sequencer_damaged;
  reg        [1:0]    sequencer_gapLeft;
  reg                 sequencer_nextShifted;
  reg                 sequencer_shifted;
  reg        [3:0]    sequencer_words;
  wire                sequencer_noLink;
  wire       [63:0]   sequencer_in_data;
  wire       [2:0]    sequencer_in_lastByte;
  wire                sequencer_in_last;
  wire                sequencer_in_damaged;
  reg                 sequencer_slot_start;
  reg                 sequencer_slot_data;
  reg                 sequencer_slot_last;
  reg                 sequencer_slot_tail;
  wire       [63:0]   sequencer_slot_word;
  wire                sequencer_slot_first;
  reg        [2:0]    sequencer_slot_lastByte;
  reg                 sequencer_slot_damaged;
  reg                 sequencer_slot_shifted;
  reg                 sequencer_ended;
  reg        [2:0]    sequencer_lane;
  wire                sequencer_ready;
  wire                sequencer_enough;
  wire                sequencer_short;
  wire                sequencer_ending;
  wire                sequencer_ends;
  wire                sequencer_grown;
  reg                 fcs_slot_data;
  reg                 fcs_slot_last;
  reg        [63:0]   fcs_slot_word;
  reg                 fcs_slot_first;
  reg        [2:0]    fcs_slot_lastByte;
  reg                 fcs_slot_damaged;
  reg                 fcs_slot_shifted;
  reg        [31:0]   _zz_fcs_share;
  reg        [31:0]   fcs_share;
  reg                 fcs_now_last;
  reg        [63:0]   fcs_now_word;
  reg                 fcs_now_first;
  reg        [2:0]    fcs_now_lastByte;
  reg                 fcs_now_damaged;
  reg                 fcs_now_shifted;
  reg        [31:0]   fcs_value;
  reg                 fcs_slot_data_regNext;
  reg        [31:0]   _zz_fcs_value;
  reg                 fcs_summed_last;
  reg        [63:0]   fcs_summed_word;
  reg        [2:0]    fcs_summed_lastByte;
  reg                 fcs_summed_damaged;
  reg                 fcs_summed_shifted;
  wire       [2:0]    _zz_fcs_right;
  reg        [31:0]   _zz_fcs_right_1;
  wire       [31:0]   _zz_fcs_right_2;
  reg        [31:0]   _zz_fcs_right_3;
  wire       [31:0]   _zz_fcs_right_4;
  reg        [31:0]   _zz_fcs_right_5;
  wire       [31:0]   fcs_right;
  reg        [31:0]   fcs_sequence;
  reg        [2:0]    fcs_lastByte;
  reg                 sequencer_slot_start_delay_1;
  reg                 sequencer_slot_start_delay_2;
  reg                 sequencer_slot_start_delay_3;
  reg                 fcs_start;
  reg                 sequencer_slot_data_delay_1;
  reg                 sequencer_slot_data_delay_2;
  reg                 sequencer_slot_data_delay_3;
  reg                 fcs_data;
  reg                 sequencer_slot_last_delay_1;
  reg                 sequencer_slot_last_delay_2;
  reg                 sequencer_slot_last_delay_3;
  reg                 fcs_last;
  reg                 sequencer_slot_tail_delay_1;
  reg                 sequencer_slot_tail_delay_2;
  reg                 sequencer_slot_tail_delay_3;
  reg                 fcs_tail;
  reg        [63:0]   fcs_word;
  reg                 fcs_shifted;
  wire       [7:0]    characters_behind_0_0;
  wire                characters_behind_0_1;
  wire       [7:0]    characters_behind_1_0;
  wire                characters_behind_1_1;
  wire       [7:0]    characters_behind_2_0;
  wire                characters_behind_2_1;
  wire       [7:0]    characters_behind_3_0;
  wire                characters_behind_3_1;
  wire       [7:0]    characters_behind_4_0;
  wire                characters_behind_4_1;
  wire       [7:0]    characters_idle_0;
  wire                characters_idle_1;
  wire       [7:0]    characters_places_0_0;
  wire                characters_places_0_1;
  wire       [7:0]    characters_places_1_0;
  wire                characters_places_1_1;
  wire       [7:0]    characters_places_2_0;
  wire                characters_places_2_1;
  wire       [7:0]    characters_places_3_0;
  wire                characters_places_3_1;
  wire       [7:0]    characters_places_4_0;
  wire                characters_places_4_1;
  wire       [7:0]    characters_places_5_0;
  wire                characters_places_5_1;
  wire       [7:0]    characters_places_6_0;
  wire                characters_places_6_1;
  wire       [7:0]    characters_places_7_0;
  wire                characters_places_7_1;
  wire       [7:0]    characters_places_8_0;
  wire                characters_places_8_1;
  wire       [7:0]    characters_places_9_0;
  wire                characters_places_9_1;
  wire       [7:0]    characters_places_10_0;
  wire                characters_places_10_1;
  wire       [7:0]    characters_places_11_0;
  wire                characters_places_11_1;
  wire       [7:0]    characters_places_12_0;
  wire                characters_places_12_1;
  reg        [63:0]   characters_out_data;
  reg        [7:0]    characters_out_control;
  reg                 characters_shifts;
  wire                characters_shift;
  reg        [31:0]   lateData;
  reg        [3:0]    lateControl;
  reg        [63:0]   sent_data;
  reg        [7:0]    sent_control;

  assign _zz_when = (io_control_valid || (io_frames_valid && (! io_paused)));
  assign _zz_when_1 = (sequencer_sends || sequencer_pads);
  assign _zz_when_2 = (io_frames_valid && io_frames_payload_last);
  assign _zz_sequencer_gapLeft = (sequencer_gap_io_idleWords - 2'b01);
  assign _zz_sequencer_slot_word = 3'b110;
  assign _zz_sequencer_slot_word_1 = (! sequencer_pads);
  assign _zz_sequencer_slot_word_2 = (3'b101 <= sequencer_in_lastByte);
  assign _zz_sequencer_slot_word_3 = ((! sequencer_pads) && (3'b100 <= sequencer_in_lastByte));
  assign _zz_sequencer_slot_word_4 = sequencer_in_data[39 : 32];
  assign _zz_sequencer_slot_word_5 = 8'h0;
  assign _zz_sequencer_slot_word_6 = (((! sequencer_pads) && (3'b011 <= sequencer_in_lastByte)) ? sequencer_in_data[31 : 24] : 8'h0);
  assign _zz_sequencer_slot_word_7 = {(((! sequencer_pads) && (3'b010 <= sequencer_in_lastByte)) ? sequencer_in_data[23 : 16] : 8'h0),{(((! sequencer_pads) && (3'b001 <= sequencer_in_lastByte)) ? sequencer_in_data[15 : 8] : 8'h0),(((! sequencer_pads) && 1'b1) ? sequencer_in_data[7 : 0] : 8'h0)}};
  FrameGap sequencer_gap (
    .io_ends        (sequencer_ended                ), //i
    .io_lane        (sequencer_lane[2:0]            ), //i
    .io_shifted     (sequencer_shifted              ), //i
    .io_idleWords   (sequencer_gap_io_idleWords[1:0]), //o
    .io_nextShifted (sequencer_gap_io_nextShifted   ), //o
    .tx_clock       (tx_clock                       ), //i
    .txReset        (txReset                        )  //i
  );
  always @(*) begin
    case(fcs_lastByte)
      3'b000 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = characters_behind_0_0;
        _zz_characters_places_1_1 = characters_behind_0_1;
        _zz_characters_places_2_0 = characters_behind_1_0;
        _zz_characters_places_2_1 = characters_behind_1_1;
        _zz_characters_places_3_0 = characters_behind_2_0;
        _zz_characters_places_3_1 = characters_behind_2_1;
        _zz_characters_places_4_0 = characters_behind_3_0;
        _zz_characters_places_4_1 = characters_behind_3_1;
        _zz_characters_places_5_0 = characters_behind_4_0;
        _zz_characters_places_5_1 = characters_behind_4_1;
        _zz_characters_places_6_0 = characters_idle_0;
        _zz_characters_places_6_1 = characters_idle_1;
        _zz_characters_places_7_0 = characters_idle_0;
        _zz_characters_places_7_1 = characters_idle_1;
        _zz_characters_places_8_0 = characters_idle_0;
        _zz_characters_places_8_1 = characters_idle_1;
        _zz_characters_places_9_0 = characters_idle_0;
        _zz_characters_places_9_1 = characters_idle_1;
        _zz_characters_places_10_0 = characters_idle_0;
        _zz_characters_places_10_1 = characters_idle_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b001 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = characters_behind_0_0;
        _zz_characters_places_2_1 = characters_behind_0_1;
        _zz_characters_places_3_0 = characters_behind_1_0;
        _zz_characters_places_3_1 = characters_behind_1_1;
        _zz_characters_places_4_0 = characters_behind_2_0;
        _zz_characters_places_4_1 = characters_behind_2_1;
        _zz_characters_places_5_0 = characters_behind_3_0;
        _zz_characters_places_5_1 = characters_behind_3_1;
        _zz_characters_places_6_0 = characters_behind_4_0;
        _zz_characters_places_6_1 = characters_behind_4_1;
        _zz_characters_places_7_0 = characters_idle_0;
        _zz_characters_places_7_1 = characters_idle_1;
        _zz_characters_places_8_0 = characters_idle_0;
        _zz_characters_places_8_1 = characters_idle_1;
        _zz_characters_places_9_0 = characters_idle_0;
        _zz_characters_places_9_1 = characters_idle_1;
        _zz_characters_places_10_0 = characters_idle_0;
        _zz_characters_places_10_1 = characters_idle_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b010 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = characters_behind_0_0;
        _zz_characters_places_3_1 = characters_behind_0_1;
        _zz_characters_places_4_0 = characters_behind_1_0;
        _zz_characters_places_4_1 = characters_behind_1_1;
        _zz_characters_places_5_0 = characters_behind_2_0;
        _zz_characters_places_5_1 = characters_behind_2_1;
        _zz_characters_places_6_0 = characters_behind_3_0;
        _zz_characters_places_6_1 = characters_behind_3_1;
        _zz_characters_places_7_0 = characters_behind_4_0;
        _zz_characters_places_7_1 = characters_behind_4_1;
        _zz_characters_places_8_0 = characters_idle_0;
        _zz_characters_places_8_1 = characters_idle_1;
        _zz_characters_places_9_0 = characters_idle_0;
        _zz_characters_places_9_1 = characters_idle_1;
        _zz_characters_places_10_0 = characters_idle_0;
        _zz_characters_places_10_1 = characters_idle_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b011 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = fcs_word[31 : 24];
        _zz_characters_places_3_1 = 1'b0;
        _zz_characters_places_4_0 = characters_behind_0_0;
        _zz_characters_places_4_1 = characters_behind_0_1;
        _zz_characters_places_5_0 = characters_behind_1_0;
        _zz_characters_places_5_1 = characters_behind_1_1;
        _zz_characters_places_6_0 = characters_behind_2_0;
        _zz_characters_places_6_1 = characters_behind_2_1;
        _zz_characters_places_7_0 = characters_behind_3_0;
        _zz_characters_places_7_1 = characters_behind_3_1;
        _zz_characters_places_8_0 = characters_behind_4_0;
        _zz_characters_places_8_1 = characters_behind_4_1;
        _zz_characters_places_9_0 = characters_idle_0;
        _zz_characters_places_9_1 = characters_idle_1;
        _zz_characters_places_10_0 = characters_idle_0;
        _zz_characters_places_10_1 = characters_idle_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b100 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = fcs_word[31 : 24];
        _zz_characters_places_3_1 = 1'b0;
        _zz_characters_places_4_0 = fcs_word[39 : 32];
        _zz_characters_places_4_1 = 1'b0;
        _zz_characters_places_5_0 = characters_behind_0_0;
        _zz_characters_places_5_1 = characters_behind_0_1;
        _zz_characters_places_6_0 = characters_behind_1_0;
        _zz_characters_places_6_1 = characters_behind_1_1;
        _zz_characters_places_7_0 = characters_behind_2_0;
        _zz_characters_places_7_1 = characters_behind_2_1;
        _zz_characters_places_8_0 = characters_behind_3_0;
        _zz_characters_places_8_1 = characters_behind_3_1;
        _zz_characters_places_9_0 = characters_behind_4_0;
        _zz_characters_places_9_1 = characters_behind_4_1;
        _zz_characters_places_10_0 = characters_idle_0;
        _zz_characters_places_10_1 = characters_idle_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b101 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = fcs_word[31 : 24];
        _zz_characters_places_3_1 = 1'b0;
        _zz_characters_places_4_0 = fcs_word[39 : 32];
        _zz_characters_places_4_1 = 1'b0;
        _zz_characters_places_5_0 = fcs_word[47 : 40];
        _zz_characters_places_5_1 = 1'b0;
        _zz_characters_places_6_0 = characters_behind_0_0;
        _zz_characters_places_6_1 = characters_behind_0_1;
        _zz_characters_places_7_0 = characters_behind_1_0;
        _zz_characters_places_7_1 = characters_behind_1_1;
        _zz_characters_places_8_0 = characters_behind_2_0;
        _zz_characters_places_8_1 = characters_behind_2_1;
        _zz_characters_places_9_0 = characters_behind_3_0;
        _zz_characters_places_9_1 = characters_behind_3_1;
        _zz_characters_places_10_0 = characters_behind_4_0;
        _zz_characters_places_10_1 = characters_behind_4_1;
        _zz_characters_places_11_0 = characters_idle_0;
        _zz_characters_places_11_1 = characters_idle_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      3'b110 : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = fcs_word[31 : 24];
        _zz_characters_places_3_1 = 1'b0;
        _zz_characters_places_4_0 = fcs_word[39 : 32];
        _zz_characters_places_4_1 = 1'b0;
        _zz_characters_places_5_0 = fcs_word[47 : 40];
        _zz_characters_places_5_1 = 1'b0;
        _zz_characters_places_6_0 = fcs_word[55 : 48];
        _zz_characters_places_6_1 = 1'b0;
        _zz_characters_places_7_0 = characters_behind_0_0;
        _zz_characters_places_7_1 = characters_behind_0_1;
        _zz_characters_places_8_0 = characters_behind_1_0;
        _zz_characters_places_8_1 = characters_behind_1_1;
        _zz_characters_places_9_0 = characters_behind_2_0;
        _zz_characters_places_9_1 = characters_behind_2_1;
        _zz_characters_places_10_0 = characters_behind_3_0;
        _zz_characters_places_10_1 = characters_behind_3_1;
        _zz_characters_places_11_0 = characters_behind_4_0;
        _zz_characters_places_11_1 = characters_behind_4_1;
        _zz_characters_places_12_0 = characters_idle_0;
        _zz_characters_places_12_1 = characters_idle_1;
      end
      default : begin
        _zz_characters_places_0_0 = fcs_word[7 : 0];
        _zz_characters_places_0_1 = 1'b0;
        _zz_characters_places_1_0 = fcs_word[15 : 8];
        _zz_characters_places_1_1 = 1'b0;
        _zz_characters_places_2_0 = fcs_word[23 : 16];
        _zz_characters_places_2_1 = 1'b0;
        _zz_characters_places_3_0 = fcs_word[31 : 24];
        _zz_characters_places_3_1 = 1'b0;
        _zz_characters_places_4_0 = fcs_word[39 : 32];
        _zz_characters_places_4_1 = 1'b0;
        _zz_characters_places_5_0 = fcs_word[47 : 40];
        _zz_characters_places_5_1 = 1'b0;
        _zz_characters_places_6_0 = fcs_word[55 : 48];
        _zz_characters_places_6_1 = 1'b0;
        _zz_characters_places_7_0 = fcs_word[63 : 56];
        _zz_characters_places_7_1 = 1'b0;
        _zz_characters_places_8_0 = characters_behind_0_0;
        _zz_characters_places_8_1 = characters_behind_0_1;
        _zz_characters_places_9_0 = characters_behind_1_0;
        _zz_characters_places_9_1 = characters_behind_1_1;
        _zz_characters_places_10_0 = characters_behind_2_0;
        _zz_characters_places_10_1 = characters_behind_2_1;
        _zz_characters_places_11_0 = characters_behind_3_0;
        _zz_characters_places_11_1 = characters_behind_3_1;
        _zz_characters_places_12_0 = characters_behind_4_0;
        _zz_characters_places_12_1 = characters_behind_4_1;
      end
    endcase
  end

  assign sequencer_noLink = (io_localFault || io_remoteFault);
  assign sequencer_in_data = (sequencer_isControl ? io_control_payload_data : io_frames_payload_data);
  assign sequencer_in_lastByte = (sequencer_isControl ? io_control_payload_lastByte : io_frames_payload_lastByte);
  assign sequencer_in_last = (sequencer_isControl ? io_control_payload_last : io_frames_payload_last);
  assign sequencer_in_damaged = (sequencer_isControl ? io_control_payload_damaged : io_frames_payload_damaged);
  always @(*) begin
    sequencer_slot_start = 1'b0;
    if(sequencer_ready) begin
      if(!sequencer_noLink) begin
        if(_zz_when) begin
          sequencer_slot_start = 1'b1;
        end
      end
    end
  end

  always @(*) begin
    sequencer_slot_data = 1'b0;
    if(_zz_when_1) begin
      sequencer_slot_data = 1'b1;
    end
  end

  always @(*) begin
    sequencer_slot_last = 1'b0;
    if(sequencer_ends) begin
      sequencer_slot_last = 1'b1;
    end
  end

  always @(*) begin
    sequencer_slot_tail = 1'b0;
    if(sequencer_tails) begin
      sequencer_slot_tail = 1'b1;
    end
  end

  assign sequencer_slot_first = (sequencer_words == 4'b0000);
  assign sequencer_slot_word = {(((! sequencer_pads) && (3'b111 <= sequencer_in_lastByte)) ? sequencer_in_data[63 : 56] : 8'h0),{(((! sequencer_pads) && (_zz_sequencer_slot_word <= sequencer_in_lastByte)) ? sequencer_in_data[55 : 48] : 8'h0),{((_zz_sequencer_slot_word_1 && _zz_sequencer_slot_word_2) ? sequencer_in_data[47 : 40] : 8'h0),{(_zz_sequencer_slot_word_3 ? _zz_sequencer_slot_word_4 : _zz_sequencer_slot_word_5),{_zz_sequencer_slot_word_6,_zz_sequencer_slot_word_7}}}}};
  always @(*) begin
    sequencer_slot_lastByte = sequencer_in_lastByte;
    if(_zz_when_1) begin
      if((sequencer_pads || ((sequencer_ending && (! sequencer_enough)) && (! sequencer_grown)))) begin
        sequencer_slot_lastByte = 3'b111;
      end
      if((sequencer_enough && (sequencer_pads || (sequencer_ending && sequencer_short)))) begin
        sequencer_slot_lastByte = 3'b011;
      end
    end
  end

  always @(*) begin
    sequencer_slot_damaged = sequencer_damaged;
    if(sequencer_sends) begin
      if(sequencer_in_last) begin
        sequencer_slot_damaged = sequencer_in_damaged;
      end
    end
  end

  always @(*) begin
    sequencer_slot_shifted = sequencer_shifted;
    if(sequencer_ready) begin
      if(!sequencer_noLink) begin
        if(_zz_when) begin
          sequencer_slot_shifted = sequencer_nextShifted;
        end
      end
    end
  end

  always @(*) begin
    io_frames_ready = 1'b0;
    if(sequencer_sends) begin
      io_frames_ready = (! sequencer_isControl);
    end
    if(sequencer_drops) begin
      io_frames_ready = 1'b1;
    end
  end

  always @(*) begin
    io_control_ready = 1'b0;
    if(sequencer_sends) begin
      io_control_ready = sequencer_isControl;
    end
  end

  always @(*) begin
    io_events_noLink = 1'b0;
    if(sequencer_drops) begin
      if(_zz_when_2) begin
        io_events_noLink = 1'b1;
      end
    end
  end

  always @(*) begin
    io_events_sent = 1'b0;
    if(sequencer_ends) begin
      io_events_sent = (! sequencer_isControl);
    end
  end

  always @(*) begin
    io_events_pause = 1'b0;
    if(sequencer_ends) begin
      io_events_pause = sequencer_isControl;
    end
  end

  always @(*) begin
    io_events_damaged = 1'b0;
    if(sequencer_ends) begin
      io_events_damaged = ((! sequencer_isControl) && sequencer_slot_damaged);
    end
  end

  assign sequencer_ready = ((sequencer_idle && (sequencer_gapLeft == 2'b00)) && (! sequencer_ended));
  assign sequencer_enough = (sequencer_words == 4'b0111);
  assign sequencer_short = (sequencer_enough && (sequencer_in_lastByte < 3'b011));
  assign sequencer_ending = (sequencer_sends && sequencer_in_last);
  assign sequencer_ends = ((sequencer_enough && (sequencer_pads || sequencer_ending)) || (sequencer_ending && (4'b0111 < sequencer_words)));
  assign sequencer_grown = (sequencer_words == 4'b1000);
  always @(*) begin
    _zz_fcs_share[0] = (^(fcs_slot_word & 64'h04d101df481b4e5a));
    _zz_fcs_share[1] = (^(fcs_slot_word & 64'h09a203be90369cb5));
    _zz_fcs_share[2] = (^(fcs_slot_word & 64'h1344077d206d396b));
    _zz_fcs_share[3] = (^(fcs_slot_word & 64'h26880efa40da72d7));
    _zz_fcs_share[4] = (^(fcs_slot_word & 64'h4d101df481b4e5af));
    _zz_fcs_share[5] = (^(fcs_slot_word & 64'h9a203be90369cb5e));
    _zz_fcs_share[6] = (^(fcs_slot_word & 64'h3091760d4ec8d8e6));
    _zz_fcs_share[7] = (^(fcs_slot_word & 64'h6122ec1a9d91b1cd));
    _zz_fcs_share[8] = (^(fcs_slot_word & 64'hc245d8353b23639a));
    _zz_fcs_share[9] = (^(fcs_slot_word & 64'h805ab1b53e5d896e));
    _zz_fcs_share[10] = (^(fcs_slot_word & 64'h046462b534a05c86));
    _zz_fcs_share[11] = (^(fcs_slot_word & 64'h08c8c56a6940b90c));
    _zz_fcs_share[12] = (^(fcs_slot_word & 64'h11918ad4d2817218));
    _zz_fcs_share[13] = (^(fcs_slot_word & 64'h232315a9a502e430));
    _zz_fcs_share[14] = (^(fcs_slot_word & 64'h46462b534a05c860));
    _zz_fcs_share[15] = (^(fcs_slot_word & 64'h8c8c56a6940b90c0));
    _zz_fcs_share[16] = (^(fcs_slot_word & 64'h1dc9ac92600c6fda));
    _zz_fcs_share[17] = (^(fcs_slot_word & 64'h3b935924c018dfb5));
    _zz_fcs_share[18] = (^(fcs_slot_word & 64'h7726b2498031bf6a));
    _zz_fcs_share[19] = (^(fcs_slot_word & 64'hee4d649300637ed5));
    _zz_fcs_share[20] = (^(fcs_slot_word & 64'hd84bc8f948ddb3f0));
    _zz_fcs_share[21] = (^(fcs_slot_word & 64'hb446902dd9a029bb));
    _zz_fcs_share[22] = (^(fcs_slot_word & 64'h6c5c2184fb5b1d2c));
    _zz_fcs_share[23] = (^(fcs_slot_word & 64'hd8b84309f6b63a59));
    _zz_fcs_share[24] = (^(fcs_slot_word & 64'hb5a187cca5773ae8));
    _zz_fcs_share[25] = (^(fcs_slot_word & 64'h6f920e4602f53b8a));
    _zz_fcs_share[26] = (^(fcs_slot_word & 64'hdf241c8c05ea7715));
    _zz_fcs_share[27] = (^(fcs_slot_word & 64'hba9938c743cfa071));
    _zz_fcs_share[28] = (^(fcs_slot_word & 64'h71e37051cf840eb8));
    _zz_fcs_share[29] = (^(fcs_slot_word & 64'he3c6e0a39f081d70));
    _zz_fcs_share[30] = (^(fcs_slot_word & 64'hc35cc098760b74bb));
    _zz_fcs_share[31] = (^(fcs_slot_word & 64'h826880efa40da72d));
  end

  always @(*) begin
    _zz_fcs_value[0] = (^(fcs_value & 32'h481b4e5a));
    _zz_fcs_value[1] = (^(fcs_value & 32'h90369cb5));
    _zz_fcs_value[2] = (^(fcs_value & 32'h206d396b));
    _zz_fcs_value[3] = (^(fcs_value & 32'h40da72d7));
    _zz_fcs_value[4] = (^(fcs_value & 32'h81b4e5af));
    _zz_fcs_value[5] = (^(fcs_value & 32'h0369cb5e));
    _zz_fcs_value[6] = (^(fcs_value & 32'h4ec8d8e6));
    _zz_fcs_value[7] = (^(fcs_value & 32'h9d91b1cd));
    _zz_fcs_value[8] = (^(fcs_value & 32'h3b23639a));
    _zz_fcs_value[9] = (^(fcs_value & 32'h3e5d896e));
    _zz_fcs_value[10] = (^(fcs_value & 32'h34a05c86));
    _zz_fcs_value[11] = (^(fcs_value & 32'h6940b90c));
    _zz_fcs_value[12] = (^(fcs_value & 32'hd2817218));
    _zz_fcs_value[13] = (^(fcs_value & 32'ha502e430));
    _zz_fcs_value[14] = (^(fcs_value & 32'h4a05c860));
    _zz_fcs_value[15] = (^(fcs_value & 32'h940b90c0));
    _zz_fcs_value[16] = (^(fcs_value & 32'h600c6fda));
    _zz_fcs_value[17] = (^(fcs_value & 32'hc018dfb5));
    _zz_fcs_value[18] = (^(fcs_value & 32'h8031bf6a));
    _zz_fcs_value[19] = (^(fcs_value & 32'h00637ed5));
    _zz_fcs_value[20] = (^(fcs_value & 32'h48ddb3f0));
    _zz_fcs_value[21] = (^(fcs_value & 32'hd9a029bb));
    _zz_fcs_value[22] = (^(fcs_value & 32'hfb5b1d2c));
    _zz_fcs_value[23] = (^(fcs_value & 32'hf6b63a59));
    _zz_fcs_value[24] = (^(fcs_value & 32'ha5773ae8));
    _zz_fcs_value[25] = (^(fcs_value & 32'h02f53b8a));
    _zz_fcs_value[26] = (^(fcs_value & 32'h05ea7715));
    _zz_fcs_value[27] = (^(fcs_value & 32'h43cfa071));
    _zz_fcs_value[28] = (^(fcs_value & 32'hcf840eb8));
    _zz_fcs_value[29] = (^(fcs_value & 32'h9f081d70));
    _zz_fcs_value[30] = (^(fcs_value & 32'h760b74bb));
    _zz_fcs_value[31] = (^(fcs_value & 32'ha40da72d));
  end

  assign _zz_fcs_right = (~ fcs_summed_lastByte);
  always @(*) begin
    _zz_fcs_right_1[0] = (^(fcs_value & 32'hab000000));
    _zz_fcs_right_1[1] = (^(fcs_value & 32'h56000000));
    _zz_fcs_right_1[2] = (^(fcs_value & 32'hac000000));
    _zz_fcs_right_1[3] = (^(fcs_value & 32'h58000000));
    _zz_fcs_right_1[4] = (^(fcs_value & 32'hb0000000));
    _zz_fcs_right_1[5] = (^(fcs_value & 32'h60000000));
    _zz_fcs_right_1[6] = (^(fcs_value & 32'h6b000000));
    _zz_fcs_right_1[7] = (^(fcs_value & 32'hd6000000));
    _zz_fcs_right_1[8] = (^(fcs_value & 32'hac000001));
    _zz_fcs_right_1[9] = (^(fcs_value & 32'hf3000002));
    _zz_fcs_right_1[10] = (^(fcs_value & 32'h4d000004));
    _zz_fcs_right_1[11] = (^(fcs_value & 32'h9a000008));
    _zz_fcs_right_1[12] = (^(fcs_value & 32'h34000010));
    _zz_fcs_right_1[13] = (^(fcs_value & 32'h68000020));
    _zz_fcs_right_1[14] = (^(fcs_value & 32'hd0000040));
    _zz_fcs_right_1[15] = (^(fcs_value & 32'ha0000080));
    _zz_fcs_right_1[16] = (^(fcs_value & 32'heb000100));
    _zz_fcs_right_1[17] = (^(fcs_value & 32'hd6000200));
    _zz_fcs_right_1[18] = (^(fcs_value & 32'hac000400));
    _zz_fcs_right_1[19] = (^(fcs_value & 32'h58000800));
    _zz_fcs_right_1[20] = (^(fcs_value & 32'h1b001000));
    _zz_fcs_right_1[21] = (^(fcs_value & 32'h9d002000));
    _zz_fcs_right_1[22] = (^(fcs_value & 32'h91004000));
    _zz_fcs_right_1[23] = (^(fcs_value & 32'h22008000));
    _zz_fcs_right_1[24] = (^(fcs_value & 32'hef010000));
    _zz_fcs_right_1[25] = (^(fcs_value & 32'h75020000));
    _zz_fcs_right_1[26] = (^(fcs_value & 32'hea040000));
    _zz_fcs_right_1[27] = (^(fcs_value & 32'h7f080000));
    _zz_fcs_right_1[28] = (^(fcs_value & 32'h55100000));
    _zz_fcs_right_1[29] = (^(fcs_value & 32'haa200000));
    _zz_fcs_right_1[30] = (^(fcs_value & 32'hff400000));
    _zz_fcs_right_1[31] = (^(fcs_value & 32'h55800000));
  end

  assign _zz_fcs_right_2 = (_zz_fcs_right[0] ? _zz_fcs_right_1 : fcs_value);
  always @(*) begin
    _zz_fcs_right_3[0] = (^(_zz_fcs_right_2 & 32'h1aab0000));
    _zz_fcs_right_3[1] = (^(_zz_fcs_right_2 & 32'h35560000));
    _zz_fcs_right_3[2] = (^(_zz_fcs_right_2 & 32'h6aac0000));
    _zz_fcs_right_3[3] = (^(_zz_fcs_right_2 & 32'hd5580000));
    _zz_fcs_right_3[4] = (^(_zz_fcs_right_2 & 32'haab00000));
    _zz_fcs_right_3[5] = (^(_zz_fcs_right_2 & 32'h55600000));
    _zz_fcs_right_3[6] = (^(_zz_fcs_right_2 & 32'hb06b0000));
    _zz_fcs_right_3[7] = (^(_zz_fcs_right_2 & 32'h60d60000));
    _zz_fcs_right_3[8] = (^(_zz_fcs_right_2 & 32'hc1ac0000));
    _zz_fcs_right_3[9] = (^(_zz_fcs_right_2 & 32'h99f30000));
    _zz_fcs_right_3[10] = (^(_zz_fcs_right_2 & 32'h294d0000));
    _zz_fcs_right_3[11] = (^(_zz_fcs_right_2 & 32'h529a0000));
    _zz_fcs_right_3[12] = (^(_zz_fcs_right_2 & 32'ha5340000));
    _zz_fcs_right_3[13] = (^(_zz_fcs_right_2 & 32'h4a680000));
    _zz_fcs_right_3[14] = (^(_zz_fcs_right_2 & 32'h94d00000));
    _zz_fcs_right_3[15] = (^(_zz_fcs_right_2 & 32'h29a00000));
    _zz_fcs_right_3[16] = (^(_zz_fcs_right_2 & 32'h49eb0001));
    _zz_fcs_right_3[17] = (^(_zz_fcs_right_2 & 32'h93d60002));
    _zz_fcs_right_3[18] = (^(_zz_fcs_right_2 & 32'h27ac0004));
    _zz_fcs_right_3[19] = (^(_zz_fcs_right_2 & 32'h4f580008));
    _zz_fcs_right_3[20] = (^(_zz_fcs_right_2 & 32'h841b0010));
    _zz_fcs_right_3[21] = (^(_zz_fcs_right_2 & 32'h129d0020));
    _zz_fcs_right_3[22] = (^(_zz_fcs_right_2 & 32'h3f910040));
    _zz_fcs_right_3[23] = (^(_zz_fcs_right_2 & 32'h7f220080));
    _zz_fcs_right_3[24] = (^(_zz_fcs_right_2 & 32'he4ef0100));
    _zz_fcs_right_3[25] = (^(_zz_fcs_right_2 & 32'hd3750200));
    _zz_fcs_right_3[26] = (^(_zz_fcs_right_2 & 32'ha6ea0400));
    _zz_fcs_right_3[27] = (^(_zz_fcs_right_2 & 32'h577f0800));
    _zz_fcs_right_3[28] = (^(_zz_fcs_right_2 & 32'hb4551000));
    _zz_fcs_right_3[29] = (^(_zz_fcs_right_2 & 32'h68aa2000));
    _zz_fcs_right_3[30] = (^(_zz_fcs_right_2 & 32'hcbff4000));
    _zz_fcs_right_3[31] = (^(_zz_fcs_right_2 & 32'h8d558000));
  end

  assign _zz_fcs_right_4 = (_zz_fcs_right[1] ? _zz_fcs_right_3 : _zz_fcs_right_2);
  always @(*) begin
    _zz_fcs_right_5[0] = (^(_zz_fcs_right_4 & 32'hc8851aab));
    _zz_fcs_right_5[1] = (^(_zz_fcs_right_4 & 32'h910a3556));
    _zz_fcs_right_5[2] = (^(_zz_fcs_right_4 & 32'h22146aac));
    _zz_fcs_right_5[3] = (^(_zz_fcs_right_4 & 32'h4428d558));
    _zz_fcs_right_5[4] = (^(_zz_fcs_right_4 & 32'h8851aab0));
    _zz_fcs_right_5[5] = (^(_zz_fcs_right_4 & 32'h10a35560));
    _zz_fcs_right_5[6] = (^(_zz_fcs_right_4 & 32'he9c3b06b));
    _zz_fcs_right_5[7] = (^(_zz_fcs_right_4 & 32'hd38760d6));
    _zz_fcs_right_5[8] = (^(_zz_fcs_right_4 & 32'ha70ec1ac));
    _zz_fcs_right_5[9] = (^(_zz_fcs_right_4 & 32'h869899f3));
    _zz_fcs_right_5[10] = (^(_zz_fcs_right_4 & 32'hc5b4294d));
    _zz_fcs_right_5[11] = (^(_zz_fcs_right_4 & 32'h8b68529a));
    _zz_fcs_right_5[12] = (^(_zz_fcs_right_4 & 32'h16d0a534));
    _zz_fcs_right_5[13] = (^(_zz_fcs_right_4 & 32'h2da14a68));
    _zz_fcs_right_5[14] = (^(_zz_fcs_right_4 & 32'h5b4294d0));
    _zz_fcs_right_5[15] = (^(_zz_fcs_right_4 & 32'hb68529a0));
    _zz_fcs_right_5[16] = (^(_zz_fcs_right_4 & 32'ha58f49eb));
    _zz_fcs_right_5[17] = (^(_zz_fcs_right_4 & 32'h4b1e93d6));
    _zz_fcs_right_5[18] = (^(_zz_fcs_right_4 & 32'h963d27ac));
    _zz_fcs_right_5[19] = (^(_zz_fcs_right_4 & 32'h2c7a4f58));
    _zz_fcs_right_5[20] = (^(_zz_fcs_right_4 & 32'h9071841b));
    _zz_fcs_right_5[21] = (^(_zz_fcs_right_4 & 32'he866129d));
    _zz_fcs_right_5[22] = (^(_zz_fcs_right_4 & 32'h18493f91));
    _zz_fcs_right_5[23] = (^(_zz_fcs_right_4 & 32'h30927f22));
    _zz_fcs_right_5[24] = (^(_zz_fcs_right_4 & 32'ha9a1e4ef));
    _zz_fcs_right_5[25] = (^(_zz_fcs_right_4 & 32'h9bc6d375));
    _zz_fcs_right_5[26] = (^(_zz_fcs_right_4 & 32'h378da6ea));
    _zz_fcs_right_5[27] = (^(_zz_fcs_right_4 & 32'ha79e577f));
    _zz_fcs_right_5[28] = (^(_zz_fcs_right_4 & 32'h87b9b455));
    _zz_fcs_right_5[29] = (^(_zz_fcs_right_4 & 32'h0f7368aa));
    _zz_fcs_right_5[30] = (^(_zz_fcs_right_4 & 32'hd663cbff));
    _zz_fcs_right_5[31] = (^(_zz_fcs_right_4 & 32'h64428d55));
  end

  assign fcs_right = ((_zz_fcs_right[2] ? _zz_fcs_right_5 : _zz_fcs_right_4) ^ ((! fcs_summed_damaged) ? 32'hffffffff : 32'h0));
  assign characters_behind_0_0 = fcs_sequence[7 : 0];
  assign characters_behind_0_1 = 1'b0;
  assign characters_behind_1_0 = fcs_sequence[15 : 8];
  assign characters_behind_1_1 = 1'b0;
  assign characters_behind_2_0 = fcs_sequence[23 : 16];
  assign characters_behind_2_1 = 1'b0;
  assign characters_behind_3_0 = fcs_sequence[31 : 24];
  assign characters_behind_3_1 = 1'b0;
  assign characters_behind_4_0 = 8'hfd;
  assign characters_behind_4_1 = 1'b1;
  assign characters_idle_0 = 8'h07;
  assign characters_idle_1 = 1'b1;
  assign characters_places_0_0 = _zz_characters_places_0_0;
  assign characters_places_0_1 = _zz_characters_places_0_1;
  assign characters_places_1_0 = _zz_characters_places_1_0;
  assign characters_places_1_1 = _zz_characters_places_1_1;
  assign characters_places_2_0 = _zz_characters_places_2_0;
  assign characters_places_2_1 = _zz_characters_places_2_1;
  assign characters_places_3_0 = _zz_characters_places_3_0;
  assign characters_places_3_1 = _zz_characters_places_3_1;
  assign characters_places_4_0 = _zz_characters_places_4_0;
  assign characters_places_4_1 = _zz_characters_places_4_1;
  assign characters_places_5_0 = _zz_characters_places_5_0;
  assign characters_places_5_1 = _zz_characters_places_5_1;
  assign characters_places_6_0 = _zz_characters_places_6_0;
  assign characters_places_6_1 = _zz_characters_places_6_1;
  assign characters_places_7_0 = _zz_characters_places_7_0;
  assign characters_places_7_1 = _zz_characters_places_7_1;
  assign characters_places_8_0 = _zz_characters_places_8_0;
  assign characters_places_8_1 = _zz_characters_places_8_1;
  assign characters_places_9_0 = _zz_characters_places_9_0;
  assign characters_places_9_1 = _zz_characters_places_9_1;
  assign characters_places_10_0 = _zz_characters_places_10_0;
  assign characters_places_10_1 = _zz_characters_places_10_1;
  assign characters_places_11_0 = _zz_characters_places_11_0;
  assign characters_places_11_1 = _zz_characters_places_11_1;
  assign characters_places_12_0 = _zz_characters_places_12_0;
  assign characters_places_12_1 = _zz_characters_places_12_1;
  always @(*) begin
    characters_out_data = (io_localFault ? 64'h0200009c0200009c : 64'h0707070707070707);
    if(fcs_start) begin
      characters_out_data = 64'hd5555555555555fb;
    end
    if(fcs_data) begin
      characters_out_data = fcs_word;
    end
    if(fcs_last) begin
      characters_out_data = {characters_places_7_0,{characters_places_6_0,{characters_places_5_0,{characters_places_4_0,{characters_places_3_0,{characters_places_2_0,{characters_places_1_0,characters_places_0_0}}}}}}};
    end
    if(fcs_tail) begin
      characters_out_data = {characters_idle_0,{characters_idle_0,{characters_idle_0,{characters_places_12_0,{characters_places_11_0,{characters_places_10_0,{characters_places_9_0,characters_places_8_0}}}}}}};
    end
  end

  always @(*) begin
    characters_out_control = (io_localFault ? 8'h11 : 8'hff);
    if(fcs_start) begin
      characters_out_control = 8'h01;
    end
    if(fcs_data) begin
      characters_out_control = 8'h0;
    end
    if(fcs_last) begin
      characters_out_control = {characters_places_7_1,{characters_places_6_1,{characters_places_5_1,{characters_places_4_1,{characters_places_3_1,{characters_places_2_1,{characters_places_1_1,characters_places_0_1}}}}}}};
    end
    if(fcs_tail) begin
      characters_out_control = {characters_idle_1,{characters_idle_1,{characters_idle_1,{characters_places_12_1,{characters_places_11_1,{characters_places_10_1,{characters_places_9_1,characters_places_8_1}}}}}}};
    end
  end

  assign characters_shift = (fcs_start ? fcs_shifted : characters_shifts);
  assign io_xgmii_data = sent_data;
  assign io_xgmii_control = sent_control;
  always @(posedge tx_clock) begin
    if(txReset) begin
      sequencer_idle <= 1'b1;
      sequencer_sends <= 1'b0;
      sequencer_pads <= 1'b0;
      sequencer_tails <= 1'b0;
      sequencer_drops <= 1'b0;
      sequencer_gapLeft <= 2'b00;
      sequencer_nextShifted <= 1'b0;
      sequencer_shifted <= 1'b0;
      sequencer_ended <= 1'b0;
      fcs_slot_data_regNext <= 1'b0;
      sequencer_slot_start_delay_1 <= 1'b0;
      sequencer_slot_start_delay_2 <= 1'b0;
      sequencer_slot_start_delay_3 <= 1'b0;
      fcs_start <= 1'b0;
      sequencer_slot_data_delay_1 <= 1'b0;
      sequencer_slot_data_delay_2 <= 1'b0;
      sequencer_slot_data_delay_3 <= 1'b0;
      fcs_data <= 1'b0;
      sequencer_slot_last_delay_1 <= 1'b0;
      sequencer_slot_last_delay_2 <= 1'b0;
      sequencer_slot_last_delay_3 <= 1'b0;
      fcs_last <= 1'b0;
      sequencer_slot_tail_delay_1 <= 1'b0;
      sequencer_slot_tail_delay_2 <= 1'b0;
      sequencer_slot_tail_delay_3 <= 1'b0;
      fcs_tail <= 1'b0;
      characters_shifts <= 1'b0;
      sent_data <= 64'h0707070707070707;
      sent_control <= 8'hff;
    end else begin
      if((sequencer_idle && (sequencer_gapLeft != 2'b00))) begin
        sequencer_gapLeft <= (sequencer_gapLeft - 2'b01);
      end
      if(sequencer_ended) begin
        sequencer_gapLeft <= (sequencer_tails ? sequencer_gap_io_idleWords : _zz_sequencer_gapLeft);
        sequencer_nextShifted <= sequencer_gap_io_nextShifted;
      end
      if(sequencer_ready) begin
        sequencer_nextShifted <= 1'b0;
        if(sequencer_noLink) begin
          if(io_frames_valid) begin
            sequencer_idle <= 1'b0;
            sequencer_drops <= 1'b1;
          end
        end else begin
          if(_zz_when) begin
            sequencer_shifted <= sequencer_nextShifted;
            sequencer_idle <= 1'b0;
            sequencer_sends <= 1'b1;
          end
        end
      end
      if(sequencer_sends) begin
        if(sequencer_in_last) begin
          sequencer_sends <= 1'b0;
          sequencer_pads <= (! sequencer_ends);
        end
      end
      if(sequencer_ends) begin
        sequencer_pads <= 1'b0;
        sequencer_tails <= (3'b011 <= sequencer_slot_lastByte);
        sequencer_idle <= (sequencer_slot_lastByte < 3'b011);
      end
      if(sequencer_tails) begin
        sequencer_tails <= 1'b0;
        sequencer_idle <= 1'b1;
      end
      if(sequencer_drops) begin
        if(_zz_when_2) begin
          sequencer_drops <= 1'b0;
          sequencer_idle <= 1'b1;
        end
      end
      sequencer_ended <= sequencer_ends;
      fcs_slot_data_regNext <= fcs_slot_data;
      sequencer_slot_start_delay_1 <= sequencer_slot_start;
      sequencer_slot_start_delay_2 <= sequencer_slot_start_delay_1;
      sequencer_slot_start_delay_3 <= sequencer_slot_start_delay_2;
      fcs_start <= sequencer_slot_start_delay_3;
      sequencer_slot_data_delay_1 <= sequencer_slot_data;
      sequencer_slot_data_delay_2 <= sequencer_slot_data_delay_1;
      sequencer_slot_data_delay_3 <= sequencer_slot_data_delay_2;
      fcs_data <= sequencer_slot_data_delay_3;
      sequencer_slot_last_delay_1 <= sequencer_slot_last;
      sequencer_slot_last_delay_2 <= sequencer_slot_last_delay_1;
      sequencer_slot_last_delay_3 <= sequencer_slot_last_delay_2;
      fcs_last <= sequencer_slot_last_delay_3;
      sequencer_slot_tail_delay_1 <= sequencer_slot_tail;
      sequencer_slot_tail_delay_2 <= sequencer_slot_tail_delay_1;
      sequencer_slot_tail_delay_3 <= sequencer_slot_tail_delay_2;
      fcs_tail <= sequencer_slot_tail_delay_3;
      characters_shifts <= characters_shift;
      sent_data <= characters_out_data;
      sent_control <= characters_out_control;
      if(characters_shift) begin
        sent_data <= {characters_out_data[31 : 0],lateData};
        sent_control <= {characters_out_control[3 : 0],lateControl};
      end
    end
  end

  always @(posedge tx_clock) begin
    if(sequencer_ready) begin
      sequencer_words <= 4'b0000;
      if(!sequencer_noLink) begin
        if(_zz_when) begin
          sequencer_isControl <= io_control_valid;
        end
      end
    end
    if(_zz_when_1) begin
      if((! sequencer_grown)) begin
        sequencer_words <= (sequencer_words + 4'b0001);
      end
    end
    if(sequencer_sends) begin
      if(sequencer_in_last) begin
        sequencer_damaged <= sequencer_in_damaged;
      end
    end
    sequencer_lane <= (sequencer_slot_lastByte + 3'b101);
    fcs_slot_data <= sequencer_slot_data;
    fcs_slot_last <= sequencer_slot_last;
    fcs_slot_word <= sequencer_slot_word;
    fcs_slot_first <= sequencer_slot_first;
    fcs_slot_lastByte <= sequencer_slot_lastByte;
    fcs_slot_damaged <= sequencer_slot_damaged;
    fcs_slot_shifted <= sequencer_slot_shifted;
    fcs_share <= _zz_fcs_share;
    fcs_now_last <= fcs_slot_last;
    fcs_now_word <= fcs_slot_word;
    fcs_now_first <= fcs_slot_first;
    fcs_now_lastByte <= fcs_slot_lastByte;
    fcs_now_damaged <= fcs_slot_damaged;
    fcs_now_shifted <= fcs_slot_shifted;
    if(fcs_slot_data_regNext) begin
      fcs_value <= (fcs_share ^ (fcs_now_first ? 32'h9add2096 : _zz_fcs_value));
    end
    fcs_summed_last <= fcs_now_last;
    fcs_summed_word <= fcs_now_word;
    fcs_summed_lastByte <= fcs_now_lastByte;
    fcs_summed_damaged <= fcs_now_damaged;
    fcs_summed_shifted <= fcs_now_shifted;
    if(fcs_summed_last) begin
      fcs_sequence <= fcs_right;
    end
    if(fcs_summed_last) begin
      fcs_lastByte <= fcs_summed_lastByte;
    end
    fcs_word <= fcs_summed_word;
    fcs_shifted <= fcs_summed_shifted;
    lateData <= characters_out_data[63 : 32];
    lateControl <= characters_out_control[7 : 4];
  end


endmodule

module PauseSender (
  input  wire          io_full,
  input  wire [47:0]   io_address,
  output wire          io_frames_valid,
  input  wire          io_frames_ready,
  output wire [63:0]   io_frames_payload_data,
  output wire [2:0]    io_frames_payload_lastByte,
  output wire          io_frames_payload_last,
  output wire          io_frames_payload_damaged,
  input  wire          tx_clock,
  input  wire          txReset
);

  reg        [63:0]   _zz_io_frames_payload_data;
  wire       [1:0]    _zz_second;
  reg                 told;
  reg        [17:0]   age;
  reg                 sends;
  reg                 stops;
  reg        [1:0]    second;
  wire                due;
  wire       [143:0]  bytes;
  wire       [191:0]  _zz_words_0;
  wire       [63:0]   _zz_words_2;
  wire       [63:0]   _zz_words_1;
  wire       [63:0]   _zz_words_0_1;
  wire       [63:0]   words_0;
  wire       [63:0]   words_1;
  wire       [63:0]   words_2;
  wire                io_frames_fire;

  assign _zz_second = (second + 2'b01);
  always @(*) begin
    case(second)
      2'b00 : _zz_io_frames_payload_data = words_0;
      2'b01 : _zz_io_frames_payload_data = words_1;
      default : _zz_io_frames_payload_data = words_2;
    endcase
  end

  assign due = (age == 18'h3ffff);
  assign bytes = {{{{48'h0180c2000001,io_address},16'h8808},16'h0001},(stops ? 16'hffff : 16'h0)};
  assign _zz_words_0 = {bytes,48'h0};
  assign _zz_words_2 = _zz_words_0[63 : 0];
  assign _zz_words_1 = _zz_words_0[127 : 64];
  assign _zz_words_0_1 = _zz_words_0[191 : 128];
  assign words_0 = {_zz_words_0_1[7 : 0],{_zz_words_0_1[15 : 8],{_zz_words_0_1[23 : 16],{_zz_words_0_1[31 : 24],{_zz_words_0_1[39 : 32],{_zz_words_0_1[47 : 40],{_zz_words_0_1[55 : 48],_zz_words_0_1[63 : 56]}}}}}}};
  assign words_1 = {_zz_words_1[7 : 0],{_zz_words_1[15 : 8],{_zz_words_1[23 : 16],{_zz_words_1[31 : 24],{_zz_words_1[39 : 32],{_zz_words_1[47 : 40],{_zz_words_1[55 : 48],_zz_words_1[63 : 56]}}}}}}};
  assign words_2 = {_zz_words_2[7 : 0],{_zz_words_2[15 : 8],{_zz_words_2[23 : 16],{_zz_words_2[31 : 24],{_zz_words_2[39 : 32],{_zz_words_2[47 : 40],{_zz_words_2[55 : 48],_zz_words_2[63 : 56]}}}}}}};
  assign io_frames_valid = sends;
  assign io_frames_payload_data = _zz_io_frames_payload_data;
  assign io_frames_payload_last = (second == 2'b10);
  assign io_frames_payload_lastByte = (io_frames_payload_last ? 3'b001 : 3'b111);
  assign io_frames_payload_damaged = 1'b0;
  assign io_frames_fire = (io_frames_valid && io_frames_ready);
  always @(posedge tx_clock) begin
    if(txReset) begin
      told <= 1'b0;
      age <= 18'h0;
      sends <= 1'b0;
      stops <= 1'b0;
      second <= 2'b00;
    end else begin
      if((told && (! due))) begin
        age <= (age + 18'h00001);
      end
      if(((! sends) && ((io_full != told) || (told && due)))) begin
        sends <= 1'b1;
        stops <= io_full;
        told <= io_full;
        age <= 18'h0;
      end
      if(io_frames_fire) begin
        second <= (io_frames_payload_last ? 2'b00 : _zz_second);
        if(io_frames_payload_last) begin
          sends <= 1'b0;
        end
      end
    end
  end


endmodule

module PauseTimer (
  input  wire          io_quanta_valid,
  input  wire [15:0]   io_quanta_payload,
  output wire          io_paused,
  input  wire          tx_clock,
  input  wire          txReset
);

  reg        [18:0]   left;

  assign io_paused = (left != 19'h0);
  always @(posedge tx_clock) begin
    if(txReset) begin
      left <= 19'h0;
    end else begin
      if((left != 19'h0)) begin
        left <= (left - 19'h00001);
      end
      if(io_quanta_valid) begin
        left <= {io_quanta_payload,3'b000};
      end
    end
  end


endmodule

module CrossingWord_6 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [15:0]   io_in_payload,
  output wire          io_out_valid,
  output wire [15:0]   io_out_payload,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          tx_clock,
  input  wire          txReset
);

  (* dont_touch = "true" *) reg        [15:0]   sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [15:0]   receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_held <= 16'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 16'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingBits (
  input  wire [2:0]    io_in,
  output wire [2:0]    io_out,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          tx_clock,
  input  wire          txReset
);

  (* dont_touch = "true" *) reg        [2:0]    sender_held;
  (* dont_touch = "true" , async_reg = "true" *) reg        [2:0]    sender_held_meta;
  (* async_reg = "true" *) reg        [2:0]    sender_held_settled;

  assign io_out = sender_held_settled;
  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_held <= 3'b000;
    end else begin
      sender_held <= io_in;
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_held_meta <= 3'b000;
      sender_held_settled <= 3'b000;
    end else begin
      sender_held_meta <= sender_held;
      sender_held_settled <= sender_held_meta;
    end
  end


endmodule

module CountSender (
  input  wire [11:0]   io_events,
  output wire          io_counts_valid,
  input  wire          io_counts_ready,
  output wire [4:0]    io_counts_payload_counter,
  output wire [7:0]    io_counts_payload_events,
  input  wire          rx_clock,
  input  wire          rxReset
);

  reg        [7:0]    _zz__zz_io_counts_valid;
  reg        [4:0]    _zz_io_counts_payload_counter;
  wire       [7:0]    _zz_pending_0;
  wire       [0:0]    _zz_pending_0_1;
  wire       [7:0]    _zz_pending_1;
  wire       [0:0]    _zz_pending_1_1;
  wire       [7:0]    _zz_pending_2;
  wire       [0:0]    _zz_pending_2_1;
  wire       [7:0]    _zz_pending_3;
  wire       [0:0]    _zz_pending_3_1;
  wire       [7:0]    _zz_pending_4;
  wire       [0:0]    _zz_pending_4_1;
  wire       [7:0]    _zz_pending_5;
  wire       [0:0]    _zz_pending_5_1;
  wire       [7:0]    _zz_pending_6;
  wire       [0:0]    _zz_pending_6_1;
  wire       [7:0]    _zz_pending_7;
  wire       [0:0]    _zz_pending_7_1;
  wire       [7:0]    _zz_pending_8;
  wire       [0:0]    _zz_pending_8_1;
  wire       [7:0]    _zz_pending_9;
  wire       [0:0]    _zz_pending_9_1;
  wire       [7:0]    _zz_pending_10;
  wire       [0:0]    _zz_pending_10_1;
  wire       [7:0]    _zz_pending_11;
  wire       [0:0]    _zz_pending_11_1;
  wire       [3:0]    _zz_turn;
  reg        [3:0]    turn;
  reg        [7:0]    pending_0;
  reg        [7:0]    pending_1;
  reg        [7:0]    pending_2;
  reg        [7:0]    pending_3;
  reg        [7:0]    pending_4;
  reg        [7:0]    pending_5;
  reg        [7:0]    pending_6;
  reg        [7:0]    pending_7;
  reg        [7:0]    pending_8;
  reg        [7:0]    pending_9;
  reg        [7:0]    pending_10;
  reg        [7:0]    pending_11;
  wire       [7:0]    _zz_io_counts_valid;
  wire                io_counts_fire;

  assign _zz_pending_0_1 = io_events[0];
  assign _zz_pending_0 = {7'd0, _zz_pending_0_1};
  assign _zz_pending_1_1 = io_events[1];
  assign _zz_pending_1 = {7'd0, _zz_pending_1_1};
  assign _zz_pending_2_1 = io_events[2];
  assign _zz_pending_2 = {7'd0, _zz_pending_2_1};
  assign _zz_pending_3_1 = io_events[3];
  assign _zz_pending_3 = {7'd0, _zz_pending_3_1};
  assign _zz_pending_4_1 = io_events[4];
  assign _zz_pending_4 = {7'd0, _zz_pending_4_1};
  assign _zz_pending_5_1 = io_events[5];
  assign _zz_pending_5 = {7'd0, _zz_pending_5_1};
  assign _zz_pending_6_1 = io_events[6];
  assign _zz_pending_6 = {7'd0, _zz_pending_6_1};
  assign _zz_pending_7_1 = io_events[7];
  assign _zz_pending_7 = {7'd0, _zz_pending_7_1};
  assign _zz_pending_8_1 = io_events[8];
  assign _zz_pending_8 = {7'd0, _zz_pending_8_1};
  assign _zz_pending_9_1 = io_events[9];
  assign _zz_pending_9 = {7'd0, _zz_pending_9_1};
  assign _zz_pending_10_1 = io_events[10];
  assign _zz_pending_10 = {7'd0, _zz_pending_10_1};
  assign _zz_pending_11_1 = io_events[11];
  assign _zz_pending_11 = {7'd0, _zz_pending_11_1};
  assign _zz_turn = (turn + 4'b0001);
  always @(*) begin
    case(turn)
      4'b0000 : begin
        _zz__zz_io_counts_valid = pending_0;
        _zz_io_counts_payload_counter = 5'h0;
      end
      4'b0001 : begin
        _zz__zz_io_counts_valid = pending_1;
        _zz_io_counts_payload_counter = 5'h01;
      end
      4'b0010 : begin
        _zz__zz_io_counts_valid = pending_2;
        _zz_io_counts_payload_counter = 5'h02;
      end
      4'b0011 : begin
        _zz__zz_io_counts_valid = pending_3;
        _zz_io_counts_payload_counter = 5'h03;
      end
      4'b0100 : begin
        _zz__zz_io_counts_valid = pending_4;
        _zz_io_counts_payload_counter = 5'h04;
      end
      4'b0101 : begin
        _zz__zz_io_counts_valid = pending_5;
        _zz_io_counts_payload_counter = 5'h05;
      end
      4'b0110 : begin
        _zz__zz_io_counts_valid = pending_6;
        _zz_io_counts_payload_counter = 5'h06;
      end
      4'b0111 : begin
        _zz__zz_io_counts_valid = pending_7;
        _zz_io_counts_payload_counter = 5'h07;
      end
      4'b1000 : begin
        _zz__zz_io_counts_valid = pending_8;
        _zz_io_counts_payload_counter = 5'h08;
      end
      4'b1001 : begin
        _zz__zz_io_counts_valid = pending_9;
        _zz_io_counts_payload_counter = 5'h09;
      end
      4'b1010 : begin
        _zz__zz_io_counts_valid = pending_10;
        _zz_io_counts_payload_counter = 5'h0a;
      end
      default : begin
        _zz__zz_io_counts_valid = pending_11;
        _zz_io_counts_payload_counter = 5'h0b;
      end
    endcase
  end

  assign _zz_io_counts_valid = _zz__zz_io_counts_valid;
  assign io_counts_valid = (_zz_io_counts_valid != 8'h0);
  assign io_counts_payload_events = _zz_io_counts_valid;
  assign io_counts_payload_counter = _zz_io_counts_payload_counter;
  assign io_counts_fire = (io_counts_valid && io_counts_ready);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      turn <= 4'b0000;
      pending_0 <= 8'h0;
      pending_1 <= 8'h0;
      pending_2 <= 8'h0;
      pending_3 <= 8'h0;
      pending_4 <= 8'h0;
      pending_5 <= 8'h0;
      pending_6 <= 8'h0;
      pending_7 <= 8'h0;
      pending_8 <= 8'h0;
      pending_9 <= 8'h0;
      pending_10 <= 8'h0;
      pending_11 <= 8'h0;
    end else begin
      pending_0 <= (((io_counts_fire && (turn == 4'b0000)) ? 8'h0 : pending_0) + _zz_pending_0);
      pending_1 <= (((io_counts_fire && (turn == 4'b0001)) ? 8'h0 : pending_1) + _zz_pending_1);
      pending_2 <= (((io_counts_fire && (turn == 4'b0010)) ? 8'h0 : pending_2) + _zz_pending_2);
      pending_3 <= (((io_counts_fire && (turn == 4'b0011)) ? 8'h0 : pending_3) + _zz_pending_3);
      pending_4 <= (((io_counts_fire && (turn == 4'b0100)) ? 8'h0 : pending_4) + _zz_pending_4);
      pending_5 <= (((io_counts_fire && (turn == 4'b0101)) ? 8'h0 : pending_5) + _zz_pending_5);
      pending_6 <= (((io_counts_fire && (turn == 4'b0110)) ? 8'h0 : pending_6) + _zz_pending_6);
      pending_7 <= (((io_counts_fire && (turn == 4'b0111)) ? 8'h0 : pending_7) + _zz_pending_7);
      pending_8 <= (((io_counts_fire && (turn == 4'b1000)) ? 8'h0 : pending_8) + _zz_pending_8);
      pending_9 <= (((io_counts_fire && (turn == 4'b1001)) ? 8'h0 : pending_9) + _zz_pending_9);
      pending_10 <= (((io_counts_fire && (turn == 4'b1010)) ? 8'h0 : pending_10) + _zz_pending_10);
      pending_11 <= (((io_counts_fire && (turn == 4'b1011)) ? 8'h0 : pending_11) + _zz_pending_11);
      if(io_counts_ready) begin
        turn <= ((turn == 4'b1011) ? 4'b0000 : _zz_turn);
      end
    end
  end


endmodule

module LinkFault (
  input  wire          io_xgmii_valid,
  input  wire [63:0]   io_xgmii_payload_data,
  input  wire [7:0]    io_xgmii_payload_control,
  output wire          io_local,
  output wire          io_remote,
  input  wire          rx_clock,
  input  wire          rxReset
);

  wire       [23:0]   _zz_low_0;
  wire                low_0;
  wire                low_1;
  wire       [23:0]   _zz_high_0;
  wire                high_0;
  wire                high_1;
  wire                lowAny;
  wire                highAny;
  reg                 any;
  reg                 both;
  reg                 kind;
  reg                 word;
  reg                 lastKind;
  reg        [2:0]    count;
  reg        [5:0]    quiet;
  reg                 fault;
  reg                 remote;
  wire       [2:0]    before_1;
  wire       [2:0]    now;

  assign _zz_low_0 = io_xgmii_payload_data[31 : 8];
  assign low_0 = (((io_xgmii_payload_control[3 : 0] == 4'b0001) && (io_xgmii_payload_data[7 : 0] == 8'h9c)) && (_zz_low_0 == 24'h010000));
  assign low_1 = (((io_xgmii_payload_control[3 : 0] == 4'b0001) && (io_xgmii_payload_data[7 : 0] == 8'h9c)) && (_zz_low_0 == 24'h020000));
  assign _zz_high_0 = io_xgmii_payload_data[63 : 40];
  assign high_0 = (((io_xgmii_payload_control[7 : 4] == 4'b0001) && (io_xgmii_payload_data[39 : 32] == 8'h9c)) && (_zz_high_0 == 24'h010000));
  assign high_1 = (((io_xgmii_payload_control[7 : 4] == 4'b0001) && (io_xgmii_payload_data[39 : 32] == 8'h9c)) && (_zz_high_0 == 24'h020000));
  assign lowAny = (low_0 || low_1);
  assign highAny = (high_0 || high_1);
  assign before_1 = (((count != 3'b000) && (kind == lastKind)) ? count : 3'b000);
  assign now = (before_1 + (both ? 3'b010 : 3'b001));
  assign io_local = (fault && (! remote));
  assign io_remote = (fault && remote);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      any <= 1'b0;
      word <= 1'b0;
      lastKind <= 1'b0;
      count <= 3'b000;
      quiet <= 6'h0;
      fault <= 1'b0;
      remote <= 1'b0;
    end else begin
      any <= (io_xgmii_valid && (lowAny || highAny));
      word <= io_xgmii_valid;
      if(any) begin
        lastKind <= kind;
        quiet <= 6'h0;
        count <= (now[2] ? 3'b100 : now);
        if(now[2]) begin
          fault <= 1'b1;
          remote <= kind;
        end
      end else begin
        if(word) begin
          quiet <= (quiet + 6'h01);
          if((&quiet)) begin
            fault <= 1'b0;
            count <= 3'b000;
          end
        end
      end
    end
  end

  always @(posedge rx_clock) begin
    both <= ((lowAny && highAny) && (low_0 == high_0));
    kind <= (highAny ? high_1 : low_1);
  end


endmodule

module MacReceive (
  input  wire          io_xgmii_valid,
  input  wire [63:0]   io_xgmii_payload_data,
  input  wire [7:0]    io_xgmii_payload_control,
  input  wire [47:0]   io_address,
  output wire          io_words_valid,
  output wire [63:0]   io_words_payload_word_data,
  output wire [2:0]    io_words_payload_word_lastByte,
  output wire          io_words_payload_word_last,
  output wire          io_words_payload_word_damaged,
  output wire          io_words_payload_first,
  output wire          io_pause_valid,
  output wire [15:0]   io_pause_payload,
  output wire          io_events_good,
  output wire          io_events_badStart,
  output wire          io_events_badCode,
  output wire          io_events_tooLong,
  output wire          io_events_tooShort,
  output wire          io_events_badFcs,
  output wire          io_events_pause,
  output wire          io_events_control,
  input  wire          rx_clock,
  input  wire          rxReset
);

  wire       [7:0]    _zz_aligned_word_control_ohFirst_masked;
  wire       [2:0]    _zz_looked_terminates;
  wire       [7:0]    _zz_looked_terminates_1;
  wire       [7:0]    _zz_looked_terminates_2;
  wire                _zz_looked_terminates_3;
  wire                _zz_looked_terminates_4;
  wire                _zz_looked_terminates_5;
  wire       [0:0]    _zz_looked_terminates_6;
  wire       [1:0]    _zz_looked_terminates_7;
  wire       [2:0]    _zz_held_out_payload_word_lastByte;
  wire       [2:0]    _zz_fcs_data;
  wire                _zz_fcs_data_1;
  wire                _zz_fcs_data_2;
  wire       [7:0]    _zz_fcs_data_3;
  wire       [7:0]    _zz_fcs_data_4;
  wire       [7:0]    _zz_fcs_data_5;
  wire       [15:0]   _zz_fcs_data_6;
  wire       [3:0]    _zz__zz_fcs_missing;
  wire                _zz_fcs_right_1;
  wire                _zz_fcs_right_2;
  wire                _zz_fcs_right_3;
  wire                _zz_fcs_right_4;
  wire       [2:0]    _zz_fcs_right_5;
  wire       [31:0]   _zz_fcs_right_6;
  reg        [63:0]   aligned_before_data;
  reg        [7:0]    aligned_before_control;
  wire                aligned_low;
  wire                aligned_high;
  reg                 aligned_shifts;
  wire                aligned_shift;
  reg                 aligned_valid;
  wire       [63:0]   aligned_now_data;
  wire       [7:0]    aligned_now_control;
  reg        [63:0]   aligned_word_data;
  reg        [7:0]    aligned_word_control;
  reg                 aligned_start;
  wire                looked_full;
  wire       [7:0]    aligned_word_control_ohFirst_input;
  wire       [7:0]    aligned_word_control_ohFirst_masked;
  wire       [7:0]    aligned_word_control_ohFirst_value;
  wire                _zz_looked_bytes;
  wire                _zz_looked_bytes_1;
  wire                _zz_looked_bytes_2;
  wire                _zz_looked_bytes_3;
  wire                _zz_looked_bytes_4;
  wire                _zz_looked_bytes_5;
  wire                _zz_looked_bytes_6;
  wire       [2:0]    looked_bytes;
  wire                looked_terminates;
  wire                looked_preamble;
  reg                 looked_open;
  wire                looked_begins;
  wire                looked_carries;
  wire                looked_ends;
  wire                looked_well;
  reg        [10:0]   looked_words;
  wire                looked_beyond;
  wire                looked_tooLong;
  wire                looked_tooShort;
  reg        [63:0]   held_word;
  reg                 held_valid;
  reg                 held_first;
  reg                 held_rest;
  reg        [63:0]   held_restData;
  reg        [2:0]    held_restLast;
  wire                held_ended;
  wire                held_out_valid;
  wire       [63:0]   held_out_payload_word_data;
  wire       [2:0]    held_out_payload_word_lastByte;
  wire                held_out_payload_word_last;
  wire                held_out_payload_first;
  wire       [63:0]   fcs_data;
  reg                 fcs_valid;
  reg        [31:0]   _zz_fcs_share;
  reg        [31:0]   fcs_share;
  reg                 fcs_first;
  reg        [31:0]   fcs_value;
  reg        [31:0]   _zz_fcs_value;
  reg        [3:0]    _zz_fcs_missing;
  reg        [3:0]    fcs_missing;
  wire       [2:0]    _zz_fcs_right;
  reg                 fcs_right;
  reg                 control_toUs;
  reg                 control_isControl;
  reg                 control_isPause;
  reg        [15:0]   control_quanta;
  reg                 looked_ends_delay_1;
  reg                 looked_ends_delay_2;
  reg                 verdict_ended;
  reg                 _zz_verdict_reasons_0_0;
  reg                 _zz_verdict_reasons_0_0_1;
  reg                 verdict_reasons_0_0;
  reg                 looked_tooLong_delay_1;
  reg                 looked_tooLong_delay_2;
  reg                 verdict_reasons_1_0;
  reg                 looked_tooShort_delay_1;
  reg                 looked_tooShort_delay_2;
  reg                 verdict_reasons_2_0;
  wire                verdict_reasons_3_0;
  reg                 _zz_verdict_reasons_4_0;
  reg                 _zz_verdict_reasons_4_0_1;
  reg                 verdict_reasons_4_0;
  reg                 control_isControl_delay_1;
  reg                 control_isControl_delay_2;
  reg                 verdict_reasons_5_0;
  wire                verdict_reasons_6_0;
  wire                _zz_io_events_badCode;
  wire                _zz_io_events_tooLong;
  wire                _zz_io_events_tooShort;
  wire                _zz_io_events_badFcs;
  wire                _zz_io_events_pause;
  wire                _zz_io_events_good;
  reg                 _zz_io_events_badStart;
  reg                 _zz_io_events_badStart_1;
  reg                 _zz_io_events_badStart_2;
  reg        [15:0]   control_quanta_delay_1;
  reg        [15:0]   control_quanta_delay_2;
  reg        [15:0]   control_quanta_delay_3;
  wire                verdict_bad;
  reg        [63:0]   held_out_delay_1_payload_word_data;
  reg        [2:0]    held_out_delay_1_payload_word_lastByte;
  reg                 held_out_delay_1_payload_word_last;
  reg                 held_out_delay_1_payload_first;
  reg        [63:0]   held_out_delay_2_payload_word_data;
  reg        [2:0]    held_out_delay_2_payload_word_lastByte;
  reg                 held_out_delay_2_payload_word_last;
  reg                 held_out_delay_2_payload_first;
  reg        [63:0]   verdict_out_payload_word_data;
  reg        [2:0]    verdict_out_payload_word_lastByte;
  reg                 verdict_out_payload_word_last;
  reg                 verdict_out_payload_first;
  reg                 held_rest_delay_1;
  reg                 held_rest_delay_2;
  reg                 verdict_rested;
  reg                 verdict_badBefore;
  reg                 held_out_valid_delay_1;
  reg                 held_out_valid_delay_2;
  reg                 held_out_valid_delay_3;

  assign _zz_aligned_word_control_ohFirst_masked = (aligned_word_control_ohFirst_input - 8'h01);
  assign _zz_held_out_payload_word_lastByte = (looked_bytes + 3'b011);
  assign _zz__zz_fcs_missing = {1'd0, looked_bytes};
  assign _zz_looked_terminates = 3'b101;
  assign _zz_looked_terminates_1 = aligned_word_data[47 : 40];
  assign _zz_looked_terminates_2 = 8'hfd;
  assign _zz_looked_terminates_3 = (looked_bytes == 3'b100);
  assign _zz_looked_terminates_4 = (aligned_word_data[39 : 32] == 8'hfd);
  assign _zz_looked_terminates_5 = ((looked_bytes == 3'b011) && (aligned_word_data[31 : 24] == 8'hfd));
  assign _zz_looked_terminates_6 = ((looked_bytes == 3'b010) && (aligned_word_data[23 : 16] == 8'hfd));
  assign _zz_looked_terminates_7 = {((looked_bytes == 3'b001) && (aligned_word_data[15 : 8] == 8'hfd)),((looked_bytes == 3'b000) && (aligned_word_data[7 : 0] == 8'hfd))};
  assign _zz_fcs_data = 3'b101;
  assign _zz_fcs_data_1 = (3'b100 < looked_bytes);
  assign _zz_fcs_data_2 = (looked_full || (3'b011 < looked_bytes));
  assign _zz_fcs_data_3 = aligned_word_data[31 : 24];
  assign _zz_fcs_data_4 = 8'h0;
  assign _zz_fcs_data_5 = ((looked_full || (3'b010 < looked_bytes)) ? aligned_word_data[23 : 16] : 8'h0);
  assign _zz_fcs_data_6 = {((looked_full || (3'b001 < looked_bytes)) ? aligned_word_data[15 : 8] : 8'h0),((looked_full || (3'b000 < looked_bytes)) ? aligned_word_data[7 : 0] : 8'h0)};
  assign _zz_fcs_right_1 = (((((_zz_fcs_right == 3'b000) && (fcs_value == 32'hdebb20e3)) || ((_zz_fcs_right == 3'b001) && (fcs_value == 32'h39dd08e2))) || ((_zz_fcs_right == 3'b010) && (fcs_value == 32'h4e3d5e5c))) || ((_zz_fcs_right == 3'b011) && (fcs_value == 32'h62932081)));
  assign _zz_fcs_right_2 = ((_zz_fcs_right == 3'b100) && (fcs_value == 32'h9add2096));
  assign _zz_fcs_right_3 = (_zz_fcs_right == 3'b101);
  assign _zz_fcs_right_4 = (fcs_value == 32'h19f6eb51);
  assign _zz_fcs_right_5 = 3'b110;
  assign _zz_fcs_right_6 = 32'h1c759789;
  assign aligned_low = (aligned_before_control[0] && (aligned_before_data[7 : 0] == 8'hfb));
  assign aligned_high = (aligned_before_control[4] && (aligned_before_data[39 : 32] == 8'hfb));
  assign aligned_shift = (aligned_high || (aligned_shifts && (! aligned_low)));
  assign aligned_now_data = (aligned_shift ? {io_xgmii_payload_data[31 : 0],aligned_before_data[63 : 32]} : aligned_before_data);
  assign aligned_now_control = (aligned_shift ? {io_xgmii_payload_control[3 : 0],aligned_before_control[7 : 4]} : aligned_before_control);
  assign looked_full = (aligned_word_control == 8'h0);
  assign aligned_word_control_ohFirst_input = aligned_word_control;
  assign aligned_word_control_ohFirst_masked = (aligned_word_control_ohFirst_input & (~ _zz_aligned_word_control_ohFirst_masked));
  assign aligned_word_control_ohFirst_value = aligned_word_control_ohFirst_masked;
  assign _zz_looked_bytes = aligned_word_control_ohFirst_value[3];
  assign _zz_looked_bytes_1 = aligned_word_control_ohFirst_value[5];
  assign _zz_looked_bytes_2 = aligned_word_control_ohFirst_value[6];
  assign _zz_looked_bytes_3 = aligned_word_control_ohFirst_value[7];
  assign _zz_looked_bytes_4 = (((aligned_word_control_ohFirst_value[1] || _zz_looked_bytes) || _zz_looked_bytes_1) || _zz_looked_bytes_3);
  assign _zz_looked_bytes_5 = (((aligned_word_control_ohFirst_value[2] || _zz_looked_bytes) || _zz_looked_bytes_2) || _zz_looked_bytes_3);
  assign _zz_looked_bytes_6 = (((aligned_word_control_ohFirst_value[4] || _zz_looked_bytes_1) || _zz_looked_bytes_2) || _zz_looked_bytes_3);
  assign looked_bytes = {_zz_looked_bytes_6,{_zz_looked_bytes_5,_zz_looked_bytes_4}};
  assign looked_terminates = (|{((looked_bytes == 3'b111) && (aligned_word_data[63 : 56] == 8'hfd)),{((looked_bytes == 3'b110) && (aligned_word_data[55 : 48] == 8'hfd)),{((looked_bytes == _zz_looked_terminates) && (_zz_looked_terminates_1 == _zz_looked_terminates_2)),{(_zz_looked_terminates_3 && _zz_looked_terminates_4),{_zz_looked_terminates_5,{_zz_looked_terminates_6,_zz_looked_terminates_7}}}}}});
  assign looked_preamble = ((aligned_word_data == 64'hd5555555555555fb) && (aligned_word_control == 8'h01));
  assign looked_begins = (aligned_valid && aligned_start);
  assign looked_carries = (((aligned_valid && looked_open) && (! aligned_start)) && looked_full);
  assign looked_ends = ((aligned_valid && looked_open) && (aligned_start || (! looked_full)));
  assign looked_well = ((! aligned_start) && looked_terminates);
  assign looked_beyond = (11'h4b0 < looked_words);
  assign looked_tooLong = (looked_beyond || ((looked_words == 11'h4b0) && (3'b100 < looked_bytes)));
  assign looked_tooShort = (looked_words < 11'h008);
  assign held_ended = (looked_ends && (! (looked_well && (3'b100 < looked_bytes))));
  assign held_out_valid = (held_rest || (held_valid && ((looked_carries && (! looked_beyond)) || looked_ends)));
  assign held_out_payload_first = (held_first && (! held_rest));
  assign held_out_payload_word_data = (held_rest ? held_restData : held_word);
  assign held_out_payload_word_last = (held_rest || held_ended);
  assign held_out_payload_word_lastByte = (held_rest ? held_restLast : (held_ended ? _zz_held_out_payload_word_lastByte : 3'b111));
  assign fcs_data = {((looked_full || 1'b0) ? aligned_word_data[63 : 56] : 8'h0),{((looked_full || (3'b110 < looked_bytes)) ? aligned_word_data[55 : 48] : 8'h0),{((looked_full || (_zz_fcs_data < looked_bytes)) ? aligned_word_data[47 : 40] : 8'h0),{((looked_full || _zz_fcs_data_1) ? aligned_word_data[39 : 32] : 8'h0),{(_zz_fcs_data_2 ? _zz_fcs_data_3 : _zz_fcs_data_4),{_zz_fcs_data_5,_zz_fcs_data_6}}}}}};
  always @(*) begin
    _zz_fcs_share[0] = (^(fcs_data & 64'h04d101df481b4e5a));
    _zz_fcs_share[1] = (^(fcs_data & 64'h09a203be90369cb5));
    _zz_fcs_share[2] = (^(fcs_data & 64'h1344077d206d396b));
    _zz_fcs_share[3] = (^(fcs_data & 64'h26880efa40da72d7));
    _zz_fcs_share[4] = (^(fcs_data & 64'h4d101df481b4e5af));
    _zz_fcs_share[5] = (^(fcs_data & 64'h9a203be90369cb5e));
    _zz_fcs_share[6] = (^(fcs_data & 64'h3091760d4ec8d8e6));
    _zz_fcs_share[7] = (^(fcs_data & 64'h6122ec1a9d91b1cd));
    _zz_fcs_share[8] = (^(fcs_data & 64'hc245d8353b23639a));
    _zz_fcs_share[9] = (^(fcs_data & 64'h805ab1b53e5d896e));
    _zz_fcs_share[10] = (^(fcs_data & 64'h046462b534a05c86));
    _zz_fcs_share[11] = (^(fcs_data & 64'h08c8c56a6940b90c));
    _zz_fcs_share[12] = (^(fcs_data & 64'h11918ad4d2817218));
    _zz_fcs_share[13] = (^(fcs_data & 64'h232315a9a502e430));
    _zz_fcs_share[14] = (^(fcs_data & 64'h46462b534a05c860));
    _zz_fcs_share[15] = (^(fcs_data & 64'h8c8c56a6940b90c0));
    _zz_fcs_share[16] = (^(fcs_data & 64'h1dc9ac92600c6fda));
    _zz_fcs_share[17] = (^(fcs_data & 64'h3b935924c018dfb5));
    _zz_fcs_share[18] = (^(fcs_data & 64'h7726b2498031bf6a));
    _zz_fcs_share[19] = (^(fcs_data & 64'hee4d649300637ed5));
    _zz_fcs_share[20] = (^(fcs_data & 64'hd84bc8f948ddb3f0));
    _zz_fcs_share[21] = (^(fcs_data & 64'hb446902dd9a029bb));
    _zz_fcs_share[22] = (^(fcs_data & 64'h6c5c2184fb5b1d2c));
    _zz_fcs_share[23] = (^(fcs_data & 64'hd8b84309f6b63a59));
    _zz_fcs_share[24] = (^(fcs_data & 64'hb5a187cca5773ae8));
    _zz_fcs_share[25] = (^(fcs_data & 64'h6f920e4602f53b8a));
    _zz_fcs_share[26] = (^(fcs_data & 64'hdf241c8c05ea7715));
    _zz_fcs_share[27] = (^(fcs_data & 64'hba9938c743cfa071));
    _zz_fcs_share[28] = (^(fcs_data & 64'h71e37051cf840eb8));
    _zz_fcs_share[29] = (^(fcs_data & 64'he3c6e0a39f081d70));
    _zz_fcs_share[30] = (^(fcs_data & 64'hc35cc098760b74bb));
    _zz_fcs_share[31] = (^(fcs_data & 64'h826880efa40da72d));
  end

  always @(*) begin
    _zz_fcs_value[0] = (^(fcs_value & 32'h481b4e5a));
    _zz_fcs_value[1] = (^(fcs_value & 32'h90369cb5));
    _zz_fcs_value[2] = (^(fcs_value & 32'h206d396b));
    _zz_fcs_value[3] = (^(fcs_value & 32'h40da72d7));
    _zz_fcs_value[4] = (^(fcs_value & 32'h81b4e5af));
    _zz_fcs_value[5] = (^(fcs_value & 32'h0369cb5e));
    _zz_fcs_value[6] = (^(fcs_value & 32'h4ec8d8e6));
    _zz_fcs_value[7] = (^(fcs_value & 32'h9d91b1cd));
    _zz_fcs_value[8] = (^(fcs_value & 32'h3b23639a));
    _zz_fcs_value[9] = (^(fcs_value & 32'h3e5d896e));
    _zz_fcs_value[10] = (^(fcs_value & 32'h34a05c86));
    _zz_fcs_value[11] = (^(fcs_value & 32'h6940b90c));
    _zz_fcs_value[12] = (^(fcs_value & 32'hd2817218));
    _zz_fcs_value[13] = (^(fcs_value & 32'ha502e430));
    _zz_fcs_value[14] = (^(fcs_value & 32'h4a05c860));
    _zz_fcs_value[15] = (^(fcs_value & 32'h940b90c0));
    _zz_fcs_value[16] = (^(fcs_value & 32'h600c6fda));
    _zz_fcs_value[17] = (^(fcs_value & 32'hc018dfb5));
    _zz_fcs_value[18] = (^(fcs_value & 32'h8031bf6a));
    _zz_fcs_value[19] = (^(fcs_value & 32'h00637ed5));
    _zz_fcs_value[20] = (^(fcs_value & 32'h48ddb3f0));
    _zz_fcs_value[21] = (^(fcs_value & 32'hd9a029bb));
    _zz_fcs_value[22] = (^(fcs_value & 32'hfb5b1d2c));
    _zz_fcs_value[23] = (^(fcs_value & 32'hf6b63a59));
    _zz_fcs_value[24] = (^(fcs_value & 32'ha5773ae8));
    _zz_fcs_value[25] = (^(fcs_value & 32'h02f53b8a));
    _zz_fcs_value[26] = (^(fcs_value & 32'h05ea7715));
    _zz_fcs_value[27] = (^(fcs_value & 32'h43cfa071));
    _zz_fcs_value[28] = (^(fcs_value & 32'hcf840eb8));
    _zz_fcs_value[29] = (^(fcs_value & 32'h9f081d70));
    _zz_fcs_value[30] = (^(fcs_value & 32'h760b74bb));
    _zz_fcs_value[31] = (^(fcs_value & 32'ha40da72d));
  end

  assign _zz_fcs_right = fcs_missing[2:0];
  assign verdict_reasons_3_0 = (! fcs_right);
  assign verdict_reasons_6_0 = 1'b1;
  assign _zz_io_events_badCode = 1'b0;
  assign io_events_badCode = ((verdict_ended && verdict_reasons_0_0) && (! _zz_io_events_badCode));
  assign _zz_io_events_tooLong = (_zz_io_events_badCode || verdict_reasons_0_0);
  assign io_events_tooLong = ((verdict_ended && verdict_reasons_1_0) && (! _zz_io_events_tooLong));
  assign _zz_io_events_tooShort = (_zz_io_events_tooLong || verdict_reasons_1_0);
  assign io_events_tooShort = ((verdict_ended && verdict_reasons_2_0) && (! _zz_io_events_tooShort));
  assign _zz_io_events_badFcs = (_zz_io_events_tooShort || verdict_reasons_2_0);
  assign io_events_badFcs = ((verdict_ended && verdict_reasons_3_0) && (! _zz_io_events_badFcs));
  assign _zz_io_events_pause = (_zz_io_events_badFcs || verdict_reasons_3_0);
  assign io_events_pause = ((verdict_ended && verdict_reasons_4_0) && (! _zz_io_events_pause));
  assign _zz_io_events_good = (_zz_io_events_pause || verdict_reasons_4_0);
  assign io_events_control = ((verdict_ended && verdict_reasons_5_0) && (! _zz_io_events_good));
  assign io_events_good = ((verdict_ended && verdict_reasons_6_0) && (! (_zz_io_events_good || verdict_reasons_5_0)));
  assign io_events_badStart = _zz_io_events_badStart_2;
  assign io_pause_valid = io_events_pause;
  assign io_pause_payload = control_quanta_delay_3;
  assign verdict_bad = (! io_events_good);
  assign io_words_valid = held_out_valid_delay_3;
  assign io_words_payload_first = verdict_out_payload_first;
  assign io_words_payload_word_data = verdict_out_payload_word_data;
  assign io_words_payload_word_lastByte = verdict_out_payload_word_lastByte;
  assign io_words_payload_word_last = verdict_out_payload_word_last;
  assign io_words_payload_word_damaged = (verdict_rested ? verdict_badBefore : verdict_bad);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      aligned_before_data <= 64'h0707070707070707;
      aligned_before_control <= 8'hff;
      aligned_shifts <= 1'b0;
      aligned_valid <= 1'b0;
      looked_open <= 1'b0;
      held_valid <= 1'b0;
      held_first <= 1'b0;
      held_rest <= 1'b0;
      fcs_valid <= 1'b0;
      looked_ends_delay_1 <= 1'b0;
      looked_ends_delay_2 <= 1'b0;
      verdict_ended <= 1'b0;
      _zz_io_events_badStart <= 1'b0;
      _zz_io_events_badStart_1 <= 1'b0;
      _zz_io_events_badStart_2 <= 1'b0;
      held_rest_delay_1 <= 1'b0;
      held_rest_delay_2 <= 1'b0;
      verdict_rested <= 1'b0;
      held_out_valid_delay_1 <= 1'b0;
      held_out_valid_delay_2 <= 1'b0;
      held_out_valid_delay_3 <= 1'b0;
    end else begin
      if(io_xgmii_valid) begin
        aligned_before_data <= io_xgmii_payload_data;
        aligned_before_control <= io_xgmii_payload_control;
      end
      if(io_xgmii_valid) begin
        aligned_shifts <= aligned_shift;
      end
      aligned_valid <= io_xgmii_valid;
      if(looked_ends) begin
        looked_open <= 1'b0;
      end
      if(looked_begins) begin
        looked_open <= looked_preamble;
      end
      held_rest <= ((looked_ends && looked_well) && (3'b100 < looked_bytes));
      if(looked_carries) begin
        held_valid <= 1'b1;
        held_first <= (! held_valid);
      end
      if((looked_ends || looked_begins)) begin
        held_valid <= 1'b0;
      end
      fcs_valid <= (looked_carries || (looked_ends && (! aligned_start)));
      looked_ends_delay_1 <= looked_ends;
      looked_ends_delay_2 <= looked_ends_delay_1;
      verdict_ended <= looked_ends_delay_2;
      _zz_io_events_badStart <= (looked_begins && (! looked_preamble));
      _zz_io_events_badStart_1 <= _zz_io_events_badStart;
      _zz_io_events_badStart_2 <= _zz_io_events_badStart_1;
      held_rest_delay_1 <= held_rest;
      held_rest_delay_2 <= held_rest_delay_1;
      verdict_rested <= held_rest_delay_2;
      held_out_valid_delay_1 <= held_out_valid;
      held_out_valid_delay_2 <= held_out_valid_delay_1;
      held_out_valid_delay_3 <= held_out_valid_delay_2;
    end
  end

  always @(posedge rx_clock) begin
    aligned_word_data <= aligned_now_data;
    aligned_word_control <= aligned_now_control;
    aligned_start <= (aligned_low || aligned_high);
    if((looked_carries && (! looked_beyond))) begin
      looked_words <= (looked_words + 11'h001);
    end
    if(looked_begins) begin
      looked_words <= 11'h0;
    end
    if(looked_carries) begin
      held_word <= aligned_word_data;
    end
    held_restData <= aligned_word_data;
    held_restLast <= (looked_bytes - 3'b101);
    fcs_share <= _zz_fcs_share;
    if(looked_begins) begin
      fcs_first <= 1'b1;
    end else begin
      if(fcs_valid) begin
        fcs_first <= 1'b0;
      end
    end
    if(fcs_valid) begin
      fcs_value <= (fcs_share ^ (fcs_first ? 32'h9add2096 : _zz_fcs_value));
    end
    _zz_fcs_missing <= (4'b1000 - _zz__zz_fcs_missing);
    fcs_missing <= _zz_fcs_missing;
    fcs_right <= ((((((_zz_fcs_right_1 || _zz_fcs_right_2) || (_zz_fcs_right_3 && _zz_fcs_right_4)) || ((_zz_fcs_right == _zz_fcs_right_5) && (fcs_value == _zz_fcs_right_6))) || ((_zz_fcs_right == 3'b111) && (fcs_value == 32'h94784e13))) && (! fcs_missing[3])) || ((fcs_value == 32'h842a3990) && fcs_missing[3]));
    if((looked_carries && (looked_words == 11'h0))) begin
      control_toUs <= (({{{{{aligned_word_data[7 : 0],aligned_word_data[15 : 8]},aligned_word_data[23 : 16]},aligned_word_data[31 : 24]},aligned_word_data[39 : 32]},aligned_word_data[47 : 40]} == 48'h0180c2000001) || ({{{{{aligned_word_data[7 : 0],aligned_word_data[15 : 8]},aligned_word_data[23 : 16]},aligned_word_data[31 : 24]},aligned_word_data[39 : 32]},aligned_word_data[47 : 40]} == io_address));
    end
    if((looked_carries && (looked_words == 11'h001))) begin
      control_isControl <= ({aligned_word_data[39 : 32],aligned_word_data[47 : 40]} == 16'h8808);
      control_isPause <= ({aligned_word_data[55 : 48],aligned_word_data[63 : 56]} == 16'h0001);
    end
    if((looked_carries && (looked_words == 11'h002))) begin
      control_quanta <= {aligned_word_data[7 : 0],aligned_word_data[15 : 8]};
    end
    _zz_verdict_reasons_0_0 <= (! looked_well);
    _zz_verdict_reasons_0_0_1 <= _zz_verdict_reasons_0_0;
    verdict_reasons_0_0 <= _zz_verdict_reasons_0_0_1;
    looked_tooLong_delay_1 <= looked_tooLong;
    looked_tooLong_delay_2 <= looked_tooLong_delay_1;
    verdict_reasons_1_0 <= looked_tooLong_delay_2;
    looked_tooShort_delay_1 <= looked_tooShort;
    looked_tooShort_delay_2 <= looked_tooShort_delay_1;
    verdict_reasons_2_0 <= looked_tooShort_delay_2;
    _zz_verdict_reasons_4_0 <= ((control_isControl && control_isPause) && control_toUs);
    _zz_verdict_reasons_4_0_1 <= _zz_verdict_reasons_4_0;
    verdict_reasons_4_0 <= _zz_verdict_reasons_4_0_1;
    control_isControl_delay_1 <= control_isControl;
    control_isControl_delay_2 <= control_isControl_delay_1;
    verdict_reasons_5_0 <= control_isControl_delay_2;
    control_quanta_delay_1 <= control_quanta;
    control_quanta_delay_2 <= control_quanta_delay_1;
    control_quanta_delay_3 <= control_quanta_delay_2;
    held_out_delay_1_payload_word_data <= held_out_payload_word_data;
    held_out_delay_1_payload_word_lastByte <= held_out_payload_word_lastByte;
    held_out_delay_1_payload_word_last <= held_out_payload_word_last;
    held_out_delay_1_payload_first <= held_out_payload_first;
    held_out_delay_2_payload_word_data <= held_out_delay_1_payload_word_data;
    held_out_delay_2_payload_word_lastByte <= held_out_delay_1_payload_word_lastByte;
    held_out_delay_2_payload_word_last <= held_out_delay_1_payload_word_last;
    held_out_delay_2_payload_first <= held_out_delay_1_payload_first;
    verdict_out_payload_word_data <= held_out_delay_2_payload_word_data;
    verdict_out_payload_word_lastByte <= held_out_delay_2_payload_word_lastByte;
    verdict_out_payload_word_last <= held_out_delay_2_payload_word_last;
    verdict_out_payload_first <= held_out_delay_2_payload_first;
    verdict_badBefore <= verdict_bad;
  end


endmodule

module PcsReceive (
  input  wire          io_blocks_valid,
  input  wire [1:0]    io_blocks_payload_header,
  input  wire [63:0]   io_blocks_payload_data,
  input  wire          io_signalOk,
  output wire          io_slip,
  output wire          io_xgmii_valid,
  output wire [63:0]   io_xgmii_payload_data,
  output wire [7:0]    io_xgmii_payload_control,
  output wire          io_lock,
  output wire          io_highErrorRate,
  output wire          io_wrongHeader,
  output wire          io_badBlock,
  input  wire          rx_clock,
  input  wire          rxReset
);

  wire                decoder_io_up;
  wire                lock_io_lock;
  wire                lock_io_slip;
  wire                lock_io_highErrorRate;
  wire                lock_io_wrong;
  wire                descrambler_1_io_out_valid;
  wire       [1:0]    descrambler_1_io_out_payload_header;
  wire       [63:0]   descrambler_1_io_out_payload_data;
  wire                decoder_io_out_valid;
  wire       [63:0]   decoder_io_out_payload_data;
  wire       [7:0]    decoder_io_out_payload_control;
  wire                decoder_io_bad;

  BlockLock lock (
    .io_headers_valid   (io_blocks_valid              ), //i
    .io_headers_payload (io_blocks_payload_header[1:0]), //i
    .io_signalOk        (io_signalOk                  ), //i
    .io_lock            (lock_io_lock                 ), //o
    .io_slip            (lock_io_slip                 ), //o
    .io_highErrorRate   (lock_io_highErrorRate        ), //o
    .io_wrong           (lock_io_wrong                ), //o
    .rx_clock           (rx_clock                     ), //i
    .rxReset            (rxReset                      )  //i
  );
  Descrambler descrambler_1 (
    .io_in_valid           (io_blocks_valid                         ), //i
    .io_in_payload_header  (io_blocks_payload_header[1:0]           ), //i
    .io_in_payload_data    (io_blocks_payload_data[63:0]            ), //i
    .io_out_valid          (descrambler_1_io_out_valid              ), //o
    .io_out_payload_header (descrambler_1_io_out_payload_header[1:0]), //o
    .io_out_payload_data   (descrambler_1_io_out_payload_data[63:0] ), //o
    .rx_clock              (rx_clock                                ), //i
    .rxReset               (rxReset                                 )  //i
  );
  PcsDecoder decoder (
    .io_in_valid            (descrambler_1_io_out_valid              ), //i
    .io_in_payload_header   (descrambler_1_io_out_payload_header[1:0]), //i
    .io_in_payload_data     (descrambler_1_io_out_payload_data[63:0] ), //i
    .io_up                  (decoder_io_up                           ), //i
    .io_out_valid           (decoder_io_out_valid                    ), //o
    .io_out_payload_data    (decoder_io_out_payload_data[63:0]       ), //o
    .io_out_payload_control (decoder_io_out_payload_control[7:0]     ), //o
    .io_bad                 (decoder_io_bad                          ), //o
    .rx_clock               (rx_clock                                ), //i
    .rxReset                (rxReset                                 )  //i
  );
  assign decoder_io_up = (lock_io_lock && (! lock_io_highErrorRate));
  assign io_slip = lock_io_slip;
  assign io_xgmii_valid = decoder_io_out_valid;
  assign io_xgmii_payload_data = decoder_io_out_payload_data;
  assign io_xgmii_payload_control = decoder_io_out_payload_control;
  assign io_lock = lock_io_lock;
  assign io_highErrorRate = lock_io_highErrorRate;
  assign io_wrongHeader = lock_io_wrong;
  assign io_badBlock = decoder_io_bad;

endmodule

module CrossingWord_5 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [48:0]   io_in_payload,
  output wire          io_out_valid,
  output wire [48:0]   io_out_payload,
  input  wire          clk,
  input  wire          coreReset,
  input  wire          tx_clock,
  input  wire          txReset
);

  (* dont_touch = "true" *) reg        [48:0]   sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [48:0]   receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge clk) begin
    if(coreReset) begin
      sender_held <= 49'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 49'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingWord_4 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [47:0]   io_in_payload,
  output wire          io_out_valid,
  output wire [47:0]   io_out_payload,
  input  wire          clk,
  input  wire          coreReset,
  input  wire          rx_clock,
  input  wire          rxReset
);

  (* dont_touch = "true" *) reg        [47:0]   sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [47:0]   receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge clk) begin
    if(coreReset) begin
      sender_held <= 48'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 48'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module TransmitStore (
  input  wire          io_frames_valid,
  output wire          io_frames_ready,
  input  wire [511:0]  io_frames_payload_data,
  input  wire [63:0]   io_frames_payload_keep,
  input  wire          io_frames_payload_last,
  input  wire [0:0]    io_frames_payload_user,
  output wire          io_tooLong,
  output wire          io_words_valid,
  input  wire          io_words_ready,
  output wire [63:0]   io_words_payload_data,
  output wire [2:0]    io_words_payload_lastByte,
  output wire          io_words_payload_last,
  output wire          io_words_payload_damaged,
  input  wire          clk,
  input  wire          coreReset,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire                memory_io_write_valid;
  wire       [8:0]    memory_io_write_payload_row;
  wire       [519:0]  memory_io_write_payload_data;
  wire                toLine_crossing_io_in_valid;
  wire       [9:0]    toLine_crossing_io_in_payload;
  wire                toCore_crossing_io_in_valid;
  wire       [9:0]    toCore_crossing_io_in_payload;
  wire       [519:0]  memory_io_row;
  wire                toLine_crossing_io_in_ready;
  wire                toLine_crossing_io_out_valid;
  wire       [9:0]    toLine_crossing_io_out_payload;
  wire                toCore_crossing_io_in_ready;
  wire                toCore_crossing_io_out_valid;
  wire       [9:0]    toCore_crossing_io_out_payload;
  wire       [1:0]    _zz_writer_beat_lastByte_10;
  wire       [9:0]    _zz_writer_came_ready;
  reg        [63:0]   _zz_reader_word_data;
  wire       [2:0]    _zz_reader_lane;
  reg        [9:0]    writer_whole;
  reg        [9:0]    writer_at;
  reg        [7:0]    writer_count;
  wire       [9:0]    writer_freed;
  wire                writer_came_valid;
  wire                writer_came_ready;
  wire       [511:0]  writer_came_payload_data;
  wire       [63:0]   writer_came_payload_keep;
  wire                writer_came_payload_last;
  wire       [0:0]    writer_came_payload_user;
  reg                 io_frames_rValidN;
  reg        [511:0]  io_frames_rData_data;
  reg        [63:0]   io_frames_rData_keep;
  reg                 io_frames_rData_last;
  reg        [0:0]    io_frames_rData_user;
  wire       [511:0]  writer_beat_data;
  wire       [5:0]    writer_beat_lastByte;
  wire                writer_beat_last;
  wire       [0:0]    writer_beat_user;
  wire       [63:0]   _zz_writer_beat_lastByte;
  wire                _zz_writer_beat_lastByte_1;
  wire       [31:0]   _zz_writer_beat_lastByte_2;
  wire                _zz_writer_beat_lastByte_3;
  wire       [15:0]   _zz_writer_beat_lastByte_4;
  wire                _zz_writer_beat_lastByte_5;
  wire       [7:0]    _zz_writer_beat_lastByte_6;
  wire                _zz_writer_beat_lastByte_7;
  wire       [3:0]    _zz_writer_beat_lastByte_8;
  wire                _zz_writer_beat_lastByte_9;
  wire                writer_beyond;
  wire                writer_over;
  wire                writer_came_fire;
  reg                 _zz_io_tooLong;
  reg        [9:0]    toLine_sender_last;
  wire                toLine_crossing_io_in_fire;
  reg        [9:0]    toLine_receiver_current;
  wire       [9:0]    toLine_value;
  reg        [9:0]    reader_at;
  wire                reader_wanted_valid;
  reg                 reader_wanted_ready;
  wire       [8:0]    reader_wanted_payload;
  wire                reader_wanted_fire;
  wire                reader_row_valid;
  wire                reader_row_ready;
  reg                 reader_wanted_rValid;
  wire       [511:0]  reader_beat_data;
  wire       [5:0]    reader_beat_lastByte;
  wire                reader_beat_last;
  wire       [0:0]    reader_beat_user;
  reg        [2:0]    reader_lane;
  wire                reader_lastLane;
  wire       [63:0]   reader_word_data;
  wire       [2:0]    reader_word_lastByte;
  wire                reader_word_last;
  wire                reader_word_damaged;
  wire                reader_words_valid;
  reg                 reader_words_ready;
  wire       [63:0]   reader_words_payload_data;
  wire       [2:0]    reader_words_payload_lastByte;
  wire                reader_words_payload_last;
  wire                reader_words_payload_damaged;
  wire                reader_words_fire;
  wire                reader_words_m2sPipe_valid;
  wire                reader_words_m2sPipe_ready;
  wire       [63:0]   reader_words_m2sPipe_payload_data;
  wire       [2:0]    reader_words_m2sPipe_payload_lastByte;
  wire                reader_words_m2sPipe_payload_last;
  wire                reader_words_m2sPipe_payload_damaged;
  reg                 reader_words_rValid;
  reg        [63:0]   reader_words_rData_data;
  reg        [2:0]    reader_words_rData_lastByte;
  reg                 reader_words_rData_last;
  reg                 reader_words_rData_damaged;
  reg        [9:0]    toCore_sender_last;
  wire                toCore_crossing_io_in_fire;
  reg        [9:0]    toCore_receiver_current;
  wire       [9:0]    toCore_value;

  assign _zz_writer_beat_lastByte_10 = (_zz_writer_beat_lastByte_9 ? _zz_writer_beat_lastByte_8[3 : 2] : _zz_writer_beat_lastByte_8[1 : 0]);
  assign _zz_writer_came_ready = (writer_at - writer_freed);
  assign _zz_reader_lane = (reader_lane + 3'b001);
  CrossingMemory_1 memory (
    .io_write_valid        (memory_io_write_valid              ), //i
    .io_write_payload_row  (memory_io_write_payload_row[8:0]   ), //i
    .io_write_payload_mask (1'b1                               ), //i
    .io_write_payload_data (memory_io_write_payload_data[519:0]), //i
    .io_read_valid         (reader_wanted_fire                 ), //i
    .io_read_payload       (reader_wanted_payload[8:0]         ), //i
    .io_row                (memory_io_row[519:0]               ), //o
    .clk                   (clk                                ), //i
    .tx_clock              (tx_clock                           )  //i
  );
  CrossingWord_2 toLine_crossing (
    .io_in_valid    (toLine_crossing_io_in_valid        ), //i
    .io_in_ready    (toLine_crossing_io_in_ready        ), //o
    .io_in_payload  (toLine_crossing_io_in_payload[9:0] ), //i
    .io_out_valid   (toLine_crossing_io_out_valid       ), //o
    .io_out_payload (toLine_crossing_io_out_payload[9:0]), //o
    .clk            (clk                                ), //i
    .coreReset      (coreReset                          ), //i
    .tx_clock       (tx_clock                           ), //i
    .txReset        (txReset                            )  //i
  );
  CrossingWord_3 toCore_crossing (
    .io_in_valid    (toCore_crossing_io_in_valid        ), //i
    .io_in_ready    (toCore_crossing_io_in_ready        ), //o
    .io_in_payload  (toCore_crossing_io_in_payload[9:0] ), //i
    .io_out_valid   (toCore_crossing_io_out_valid       ), //o
    .io_out_payload (toCore_crossing_io_out_payload[9:0]), //o
    .tx_clock       (tx_clock                           ), //i
    .txReset        (txReset                            ), //i
    .clk            (clk                                ), //i
    .coreReset      (coreReset                          )  //i
  );
  always @(*) begin
    case(reader_lane)
      3'b000 : _zz_reader_word_data = reader_beat_data[63 : 0];
      3'b001 : _zz_reader_word_data = reader_beat_data[127 : 64];
      3'b010 : _zz_reader_word_data = reader_beat_data[191 : 128];
      3'b011 : _zz_reader_word_data = reader_beat_data[255 : 192];
      3'b100 : _zz_reader_word_data = reader_beat_data[319 : 256];
      3'b101 : _zz_reader_word_data = reader_beat_data[383 : 320];
      3'b110 : _zz_reader_word_data = reader_beat_data[447 : 384];
      default : _zz_reader_word_data = reader_beat_data[511 : 448];
    endcase
  end

  assign io_frames_ready = io_frames_rValidN;
  assign writer_came_valid = (io_frames_valid || (! io_frames_rValidN));
  assign writer_came_payload_data = (io_frames_rValidN ? io_frames_payload_data : io_frames_rData_data);
  assign writer_came_payload_keep = (io_frames_rValidN ? io_frames_payload_keep : io_frames_rData_keep);
  assign writer_came_payload_last = (io_frames_rValidN ? io_frames_payload_last : io_frames_rData_last);
  assign writer_came_payload_user = (io_frames_rValidN ? io_frames_payload_user : io_frames_rData_user);
  assign writer_beat_data = writer_came_payload_data;
  assign writer_beat_last = writer_came_payload_last;
  assign writer_beat_user = writer_came_payload_user;
  assign _zz_writer_beat_lastByte = (writer_came_payload_keep >>> 1);
  assign _zz_writer_beat_lastByte_1 = _zz_writer_beat_lastByte[31];
  assign _zz_writer_beat_lastByte_2 = (_zz_writer_beat_lastByte_1 ? _zz_writer_beat_lastByte[63 : 32] : _zz_writer_beat_lastByte[31 : 0]);
  assign _zz_writer_beat_lastByte_3 = _zz_writer_beat_lastByte_2[15];
  assign _zz_writer_beat_lastByte_4 = (_zz_writer_beat_lastByte_3 ? _zz_writer_beat_lastByte_2[31 : 16] : _zz_writer_beat_lastByte_2[15 : 0]);
  assign _zz_writer_beat_lastByte_5 = _zz_writer_beat_lastByte_4[7];
  assign _zz_writer_beat_lastByte_6 = (_zz_writer_beat_lastByte_5 ? _zz_writer_beat_lastByte_4[15 : 8] : _zz_writer_beat_lastByte_4[7 : 0]);
  assign _zz_writer_beat_lastByte_7 = _zz_writer_beat_lastByte_6[3];
  assign _zz_writer_beat_lastByte_8 = (_zz_writer_beat_lastByte_7 ? _zz_writer_beat_lastByte_6[7 : 4] : _zz_writer_beat_lastByte_6[3 : 0]);
  assign _zz_writer_beat_lastByte_9 = _zz_writer_beat_lastByte_8[1];
  assign writer_beat_lastByte = {_zz_writer_beat_lastByte_1,{_zz_writer_beat_lastByte_3,{_zz_writer_beat_lastByte_5,{_zz_writer_beat_lastByte_7,{_zz_writer_beat_lastByte_9,_zz_writer_beat_lastByte_10[0]}}}}};
  assign writer_beyond = (writer_count == 8'h96);
  assign writer_over = (writer_beyond || (((writer_count == 8'h95) && 1'b0) && (6'h0 <= writer_beat_lastByte)));
  assign writer_came_ready = ((_zz_writer_came_ready != 10'h200) || writer_beyond);
  assign writer_came_fire = (writer_came_valid && writer_came_ready);
  assign memory_io_write_valid = (writer_came_fire && (! writer_beyond));
  assign memory_io_write_payload_row = writer_at[8:0];
  assign memory_io_write_payload_data = {writer_beat_user,{writer_beat_last,{writer_beat_lastByte,writer_beat_data}}};
  assign io_tooLong = _zz_io_tooLong;
  assign toLine_crossing_io_in_valid = (toLine_sender_last != writer_whole);
  assign toLine_crossing_io_in_payload = writer_whole;
  assign toLine_crossing_io_in_fire = (toLine_crossing_io_in_valid && toLine_crossing_io_in_ready);
  assign toLine_value = toLine_receiver_current;
  assign reader_wanted_valid = (reader_at != toLine_value);
  assign reader_wanted_payload = reader_at[8:0];
  assign reader_wanted_fire = (reader_wanted_valid && reader_wanted_ready);
  always @(*) begin
    reader_wanted_ready = reader_row_ready;
    if((! reader_row_valid)) begin
      reader_wanted_ready = 1'b1;
    end
  end

  assign reader_row_valid = reader_wanted_rValid;
  assign reader_beat_data = memory_io_row[511 : 0];
  assign reader_beat_lastByte = memory_io_row[517 : 512];
  assign reader_beat_last = memory_io_row[518];
  assign reader_beat_user = memory_io_row[519 : 519];
  assign reader_lastLane = (reader_lane == reader_beat_lastByte[5 : 3]);
  assign reader_word_data = _zz_reader_word_data;
  assign reader_word_last = (reader_beat_last && reader_lastLane);
  assign reader_word_lastByte = (reader_word_last ? reader_beat_lastByte[2 : 0] : 3'b111);
  assign reader_word_damaged = reader_beat_user[0];
  assign reader_words_valid = reader_row_valid;
  assign reader_words_payload_data = reader_word_data;
  assign reader_words_payload_lastByte = reader_word_lastByte;
  assign reader_words_payload_last = reader_word_last;
  assign reader_words_payload_damaged = reader_word_damaged;
  assign reader_row_ready = (reader_words_ready && reader_lastLane);
  assign reader_words_fire = (reader_words_valid && reader_words_ready);
  always @(*) begin
    reader_words_ready = reader_words_m2sPipe_ready;
    if((! reader_words_m2sPipe_valid)) begin
      reader_words_ready = 1'b1;
    end
  end

  assign reader_words_m2sPipe_valid = reader_words_rValid;
  assign reader_words_m2sPipe_payload_data = reader_words_rData_data;
  assign reader_words_m2sPipe_payload_lastByte = reader_words_rData_lastByte;
  assign reader_words_m2sPipe_payload_last = reader_words_rData_last;
  assign reader_words_m2sPipe_payload_damaged = reader_words_rData_damaged;
  assign io_words_valid = reader_words_m2sPipe_valid;
  assign reader_words_m2sPipe_ready = io_words_ready;
  assign io_words_payload_data = reader_words_m2sPipe_payload_data;
  assign io_words_payload_lastByte = reader_words_m2sPipe_payload_lastByte;
  assign io_words_payload_last = reader_words_m2sPipe_payload_last;
  assign io_words_payload_damaged = reader_words_m2sPipe_payload_damaged;
  assign toCore_crossing_io_in_valid = (toCore_sender_last != reader_at);
  assign toCore_crossing_io_in_payload = reader_at;
  assign toCore_crossing_io_in_fire = (toCore_crossing_io_in_valid && toCore_crossing_io_in_ready);
  assign toCore_value = toCore_receiver_current;
  assign writer_freed = toCore_value;
  always @(posedge clk) begin
    if(coreReset) begin
      writer_whole <= 10'h0;
      writer_at <= 10'h0;
      writer_count <= 8'h0;
      io_frames_rValidN <= 1'b1;
      _zz_io_tooLong <= 1'b0;
      toLine_sender_last <= 10'h0;
      toCore_receiver_current <= 10'h0;
    end else begin
      if(io_frames_valid) begin
        io_frames_rValidN <= 1'b0;
      end
      if(writer_came_ready) begin
        io_frames_rValidN <= 1'b1;
      end
      if(writer_came_fire) begin
        if((! writer_beyond)) begin
          writer_at <= (writer_at + 10'h001);
          writer_count <= (writer_count + 8'h01);
        end
        if(writer_came_payload_last) begin
          writer_count <= 8'h0;
          if(writer_over) begin
            writer_at <= writer_whole;
          end else begin
            writer_whole <= (writer_at + 10'h001);
          end
        end
      end
      _zz_io_tooLong <= ((writer_came_fire && writer_came_payload_last) && writer_over);
      if(toLine_crossing_io_in_fire) begin
        toLine_sender_last <= writer_whole;
      end
      if(toCore_crossing_io_out_valid) begin
        toCore_receiver_current <= toCore_crossing_io_out_payload;
      end
    end
  end

  always @(posedge clk) begin
    if(io_frames_ready) begin
      io_frames_rData_data <= io_frames_payload_data;
      io_frames_rData_keep <= io_frames_payload_keep;
      io_frames_rData_last <= io_frames_payload_last;
      io_frames_rData_user <= io_frames_payload_user;
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      toLine_receiver_current <= 10'h0;
      reader_at <= 10'h0;
      reader_wanted_rValid <= 1'b0;
      reader_lane <= 3'b000;
      reader_words_rValid <= 1'b0;
      toCore_sender_last <= 10'h0;
    end else begin
      if(toLine_crossing_io_out_valid) begin
        toLine_receiver_current <= toLine_crossing_io_out_payload;
      end
      if(reader_wanted_fire) begin
        reader_at <= (reader_at + 10'h001);
      end
      if(reader_wanted_ready) begin
        reader_wanted_rValid <= reader_wanted_valid;
      end
      if(reader_words_fire) begin
        reader_lane <= (reader_lastLane ? 3'b000 : _zz_reader_lane);
      end
      if(reader_words_ready) begin
        reader_words_rValid <= reader_words_valid;
      end
      if(toCore_crossing_io_in_fire) begin
        toCore_sender_last <= reader_at;
      end
    end
  end

  always @(posedge tx_clock) begin
    if(reader_words_ready) begin
      reader_words_rData_data <= reader_words_payload_data;
      reader_words_rData_lastByte <= reader_words_payload_lastByte;
      reader_words_rData_last <= reader_words_payload_last;
      reader_words_rData_damaged <= reader_words_payload_damaged;
    end
  end


endmodule

module ReceiveStore (
  input  wire          io_words_valid,
  input  wire [63:0]   io_words_payload_word_data,
  input  wire [2:0]    io_words_payload_word_lastByte,
  input  wire          io_words_payload_word_last,
  input  wire          io_words_payload_word_damaged,
  input  wire          io_words_payload_first,
  output wire          io_overflow,
  output wire          io_filling,
  output wire          io_frames_valid,
  input  wire          io_frames_ready,
  output wire [511:0]  io_frames_payload_data,
  output wire [63:0]   io_frames_payload_keep,
  output wire          io_frames_payload_last,
  output wire [0:0]    io_frames_payload_user,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          clk,
  input  wire          coreReset
);

  wire                memory_io_write_valid;
  wire       [8:0]    memory_io_write_payload_row;
  wire       [7:0]    memory_io_write_payload_mask;
  wire       [543:0]  memory_io_write_payload_data;
  wire                toCore_crossing_io_in_valid;
  wire       [9:0]    toCore_crossing_io_in_payload;
  wire                toLine_crossing_io_in_valid;
  wire       [9:0]    toLine_crossing_io_in_payload;
  wire       [543:0]  memory_io_row;
  wire                toCore_crossing_io_in_ready;
  wire                toCore_crossing_io_out_valid;
  wire       [9:0]    toCore_crossing_io_out_payload;
  wire                toLine_crossing_io_in_ready;
  wire                toLine_crossing_io_out_valid;
  wire       [9:0]    toLine_crossing_io_out_payload;
  wire       [9:0]    _zz_writer_noRoom;
  wire       [2:0]    _zz_io_write_payload_data;
  wire       [0:0]    _zz_io_write_payload_data_1;
  wire       [66:0]   _zz_io_write_payload_data_2;
  wire       [67:0]   _zz_io_write_payload_data_3;
  wire       [135:0]  _zz_io_write_payload_data_4;
  wire       [9:0]    _zz_writer_next;
  wire       [0:0]    _zz_writer_next_1;
  wire       [7:0]    _zz_reader_lasts_ohFirst_masked;
  reg        [2:0]    _zz_reader_lastByte;
  wire                _zz_reader_beat_keep;
  wire                _zz_reader_beat_keep_1;
  wire       [5:0]    _zz_reader_beat_keep_2;
  wire                _zz_reader_beat_keep_3;
  wire                _zz_reader_beat_keep_4;
  wire                _zz_reader_beat_keep_5;
  wire       [0:0]    _zz_reader_beat_keep_6;
  wire       [57:0]   _zz_reader_beat_keep_7;
  wire                _zz_reader_beat_keep_8;
  wire                _zz_reader_beat_keep_9;
  wire       [5:0]    _zz_reader_beat_keep_10;
  wire                _zz_reader_beat_keep_11;
  wire                _zz_reader_beat_keep_12;
  wire                _zz_reader_beat_keep_13;
  wire       [0:0]    _zz_reader_beat_keep_14;
  wire       [53:0]   _zz_reader_beat_keep_15;
  wire                _zz_reader_beat_keep_16;
  wire                _zz_reader_beat_keep_17;
  wire       [5:0]    _zz_reader_beat_keep_18;
  wire                _zz_reader_beat_keep_19;
  wire                _zz_reader_beat_keep_20;
  wire                _zz_reader_beat_keep_21;
  wire       [0:0]    _zz_reader_beat_keep_22;
  wire       [49:0]   _zz_reader_beat_keep_23;
  wire                _zz_reader_beat_keep_24;
  wire                _zz_reader_beat_keep_25;
  wire       [5:0]    _zz_reader_beat_keep_26;
  wire                _zz_reader_beat_keep_27;
  wire                _zz_reader_beat_keep_28;
  wire                _zz_reader_beat_keep_29;
  wire       [0:0]    _zz_reader_beat_keep_30;
  wire       [45:0]   _zz_reader_beat_keep_31;
  wire                _zz_reader_beat_keep_32;
  wire                _zz_reader_beat_keep_33;
  wire       [5:0]    _zz_reader_beat_keep_34;
  wire                _zz_reader_beat_keep_35;
  wire                _zz_reader_beat_keep_36;
  wire                _zz_reader_beat_keep_37;
  wire       [0:0]    _zz_reader_beat_keep_38;
  wire       [41:0]   _zz_reader_beat_keep_39;
  wire                _zz_reader_beat_keep_40;
  wire                _zz_reader_beat_keep_41;
  wire       [5:0]    _zz_reader_beat_keep_42;
  wire                _zz_reader_beat_keep_43;
  wire                _zz_reader_beat_keep_44;
  wire                _zz_reader_beat_keep_45;
  wire       [0:0]    _zz_reader_beat_keep_46;
  wire       [37:0]   _zz_reader_beat_keep_47;
  wire                _zz_reader_beat_keep_48;
  wire                _zz_reader_beat_keep_49;
  wire       [5:0]    _zz_reader_beat_keep_50;
  wire                _zz_reader_beat_keep_51;
  wire                _zz_reader_beat_keep_52;
  wire                _zz_reader_beat_keep_53;
  wire       [0:0]    _zz_reader_beat_keep_54;
  wire       [33:0]   _zz_reader_beat_keep_55;
  wire                _zz_reader_beat_keep_56;
  wire                _zz_reader_beat_keep_57;
  wire       [5:0]    _zz_reader_beat_keep_58;
  wire                _zz_reader_beat_keep_59;
  wire                _zz_reader_beat_keep_60;
  wire                _zz_reader_beat_keep_61;
  wire       [0:0]    _zz_reader_beat_keep_62;
  wire       [29:0]   _zz_reader_beat_keep_63;
  wire                _zz_reader_beat_keep_64;
  wire                _zz_reader_beat_keep_65;
  wire       [5:0]    _zz_reader_beat_keep_66;
  wire                _zz_reader_beat_keep_67;
  wire                _zz_reader_beat_keep_68;
  wire                _zz_reader_beat_keep_69;
  wire       [0:0]    _zz_reader_beat_keep_70;
  wire       [25:0]   _zz_reader_beat_keep_71;
  wire                _zz_reader_beat_keep_72;
  wire                _zz_reader_beat_keep_73;
  wire       [5:0]    _zz_reader_beat_keep_74;
  wire                _zz_reader_beat_keep_75;
  wire                _zz_reader_beat_keep_76;
  wire                _zz_reader_beat_keep_77;
  wire       [0:0]    _zz_reader_beat_keep_78;
  wire       [21:0]   _zz_reader_beat_keep_79;
  wire                _zz_reader_beat_keep_80;
  wire                _zz_reader_beat_keep_81;
  wire       [5:0]    _zz_reader_beat_keep_82;
  wire                _zz_reader_beat_keep_83;
  wire                _zz_reader_beat_keep_84;
  wire                _zz_reader_beat_keep_85;
  wire       [0:0]    _zz_reader_beat_keep_86;
  wire       [17:0]   _zz_reader_beat_keep_87;
  wire                _zz_reader_beat_keep_88;
  wire                _zz_reader_beat_keep_89;
  wire       [5:0]    _zz_reader_beat_keep_90;
  wire                _zz_reader_beat_keep_91;
  wire                _zz_reader_beat_keep_92;
  wire                _zz_reader_beat_keep_93;
  wire       [0:0]    _zz_reader_beat_keep_94;
  wire       [13:0]   _zz_reader_beat_keep_95;
  wire                _zz_reader_beat_keep_96;
  wire                _zz_reader_beat_keep_97;
  wire       [5:0]    _zz_reader_beat_keep_98;
  wire                _zz_reader_beat_keep_99;
  wire                _zz_reader_beat_keep_100;
  wire                _zz_reader_beat_keep_101;
  wire       [0:0]    _zz_reader_beat_keep_102;
  wire       [9:0]    _zz_reader_beat_keep_103;
  wire                _zz_reader_beat_keep_104;
  wire                _zz_reader_beat_keep_105;
  wire       [5:0]    _zz_reader_beat_keep_106;
  wire                _zz_reader_beat_keep_107;
  wire                _zz_reader_beat_keep_108;
  wire                _zz_reader_beat_keep_109;
  wire       [0:0]    _zz_reader_beat_keep_110;
  wire       [5:0]    _zz_reader_beat_keep_111;
  wire                _zz_reader_beat_keep_112;
  wire                _zz_reader_beat_keep_113;
  wire       [5:0]    _zz_reader_beat_keep_114;
  wire                _zz_reader_beat_keep_115;
  wire                _zz_reader_beat_keep_116;
  wire                _zz_reader_beat_keep_117;
  wire       [0:0]    _zz_reader_beat_keep_118;
  wire       [1:0]    _zz_reader_beat_keep_119;
  reg        [9:0]    writer_whole;
  reg        [9:0]    writer_at;
  reg        [2:0]    writer_lane;
  reg                 writer_missed;
  wire       [9:0]    writer_freed;
  wire       [9:0]    writer_beat;
  wire       [2:0]    writer_place;
  wire                writer_noRoom;
  wire                writer_lost;
  wire       [63:0]   writer_stored_data;
  wire       [2:0]    writer_stored_lastByte;
  wire                writer_stored_last;
  wire       [9:0]    writer_next;
  wire                writer_keeps;
  reg                 _zz_io_overflow;
  reg        [9:0]    writer_taken;
  reg                 writer_filling;
  reg        [9:0]    toCore_sender_last;
  wire                toCore_crossing_io_in_fire;
  reg        [9:0]    toCore_receiver_current;
  wire       [9:0]    toCore_value;
  reg        [9:0]    reader_at;
  wire                reader_wanted_valid;
  reg                 reader_wanted_ready;
  wire       [8:0]    reader_wanted_payload;
  wire                reader_wanted_fire;
  wire                reader_row_valid;
  wire                reader_row_ready;
  reg                 reader_wanted_rValid;
  wire       [63:0]   reader_words_0_data;
  wire       [2:0]    reader_words_0_lastByte;
  wire                reader_words_0_last;
  wire       [63:0]   reader_words_1_data;
  wire       [2:0]    reader_words_1_lastByte;
  wire                reader_words_1_last;
  wire       [63:0]   reader_words_2_data;
  wire       [2:0]    reader_words_2_lastByte;
  wire                reader_words_2_last;
  wire       [63:0]   reader_words_3_data;
  wire       [2:0]    reader_words_3_lastByte;
  wire                reader_words_3_last;
  wire       [63:0]   reader_words_4_data;
  wire       [2:0]    reader_words_4_lastByte;
  wire                reader_words_4_last;
  wire       [63:0]   reader_words_5_data;
  wire       [2:0]    reader_words_5_lastByte;
  wire                reader_words_5_last;
  wire       [63:0]   reader_words_6_data;
  wire       [2:0]    reader_words_6_lastByte;
  wire                reader_words_6_last;
  wire       [63:0]   reader_words_7_data;
  wire       [2:0]    reader_words_7_lastByte;
  wire                reader_words_7_last;
  wire       [67:0]   _zz_reader_words_0_data;
  wire       [67:0]   _zz_reader_words_1_data;
  wire       [67:0]   _zz_reader_words_2_data;
  wire       [67:0]   _zz_reader_words_3_data;
  wire       [67:0]   _zz_reader_words_4_data;
  wire       [67:0]   _zz_reader_words_5_data;
  wire       [67:0]   _zz_reader_words_6_data;
  wire       [67:0]   _zz_reader_words_7_data;
  wire       [7:0]    reader_lasts;
  wire       [7:0]    reader_lasts_ohFirst_input;
  wire       [7:0]    reader_lasts_ohFirst_masked;
  wire       [7:0]    reader_lasts_ohFirst_value;
  wire                _zz_reader_lastLane;
  wire                _zz_reader_lastLane_1;
  wire                _zz_reader_lastLane_2;
  wire                _zz_reader_lastLane_3;
  wire                _zz_reader_lastLane_4;
  wire                _zz_reader_lastLane_5;
  wire                _zz_reader_lastLane_6;
  wire       [2:0]    reader_lastLane;
  wire       [511:0]  reader_beat_data;
  wire       [63:0]   reader_beat_keep;
  wire                reader_beat_last;
  wire       [0:0]    reader_beat_user;
  wire       [5:0]    reader_lastByte;
  wire                reader_row_translated_valid;
  reg                 reader_row_translated_ready;
  wire       [511:0]  reader_row_translated_payload_data;
  wire       [63:0]   reader_row_translated_payload_keep;
  wire                reader_row_translated_payload_last;
  wire       [0:0]    reader_row_translated_payload_user;
  wire                reader_row_translated_m2sPipe_valid;
  wire                reader_row_translated_m2sPipe_ready;
  wire       [511:0]  reader_row_translated_m2sPipe_payload_data;
  wire       [63:0]   reader_row_translated_m2sPipe_payload_keep;
  wire                reader_row_translated_m2sPipe_payload_last;
  wire       [0:0]    reader_row_translated_m2sPipe_payload_user;
  reg                 reader_row_translated_rValid;
  reg        [511:0]  reader_row_translated_rData_data;
  reg        [63:0]   reader_row_translated_rData_keep;
  reg                 reader_row_translated_rData_last;
  reg        [0:0]    reader_row_translated_rData_user;
  reg        [9:0]    toLine_sender_last;
  wire                toLine_crossing_io_in_fire;
  reg        [9:0]    toLine_receiver_current;
  wire       [9:0]    toLine_value;

  assign _zz_writer_noRoom = (writer_beat - writer_freed);
  assign _zz_writer_next_1 = (((&writer_place) || io_words_payload_word_last) ? 1'b1 : 1'b0);
  assign _zz_writer_next = {9'd0, _zz_writer_next_1};
  assign _zz_reader_lasts_ohFirst_masked = (reader_lasts_ohFirst_input - 8'h01);
  assign _zz_io_write_payload_data = writer_stored_lastByte;
  assign _zz_io_write_payload_data_1 = writer_stored_last;
  assign _zz_io_write_payload_data_2 = {writer_stored_lastByte,writer_stored_data};
  assign _zz_io_write_payload_data_3 = {writer_stored_last,{writer_stored_lastByte,writer_stored_data}};
  assign _zz_io_write_payload_data_4 = {{writer_stored_last,{writer_stored_lastByte,writer_stored_data}},{writer_stored_last,{writer_stored_lastByte,writer_stored_data}}};
  assign _zz_reader_beat_keep = 1'b0;
  assign _zz_reader_beat_keep_1 = (! reader_beat_last);
  assign _zz_reader_beat_keep_2 = 6'h3d;
  assign _zz_reader_beat_keep_3 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_4 = (6'h3c <= reader_lastByte);
  assign _zz_reader_beat_keep_5 = ((1'b0 || (! reader_beat_last)) || (6'h3b <= reader_lastByte));
  assign _zz_reader_beat_keep_6 = ((1'b0 || (! reader_beat_last)) || (6'h3a <= reader_lastByte));
  assign _zz_reader_beat_keep_7 = {((_zz_reader_beat_keep_8 || _zz_reader_beat_keep_9) || (_zz_reader_beat_keep_10 <= reader_lastByte)),{(_zz_reader_beat_keep_11 || _zz_reader_beat_keep_12),{_zz_reader_beat_keep_13,{_zz_reader_beat_keep_14,_zz_reader_beat_keep_15}}}};
  assign _zz_reader_beat_keep_8 = 1'b0;
  assign _zz_reader_beat_keep_9 = (! reader_beat_last);
  assign _zz_reader_beat_keep_10 = 6'h39;
  assign _zz_reader_beat_keep_11 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_12 = (6'h38 <= reader_lastByte);
  assign _zz_reader_beat_keep_13 = ((1'b0 || (! reader_beat_last)) || (6'h37 <= reader_lastByte));
  assign _zz_reader_beat_keep_14 = ((1'b0 || (! reader_beat_last)) || (6'h36 <= reader_lastByte));
  assign _zz_reader_beat_keep_15 = {((_zz_reader_beat_keep_16 || _zz_reader_beat_keep_17) || (_zz_reader_beat_keep_18 <= reader_lastByte)),{(_zz_reader_beat_keep_19 || _zz_reader_beat_keep_20),{_zz_reader_beat_keep_21,{_zz_reader_beat_keep_22,_zz_reader_beat_keep_23}}}};
  assign _zz_reader_beat_keep_16 = 1'b0;
  assign _zz_reader_beat_keep_17 = (! reader_beat_last);
  assign _zz_reader_beat_keep_18 = 6'h35;
  assign _zz_reader_beat_keep_19 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_20 = (6'h34 <= reader_lastByte);
  assign _zz_reader_beat_keep_21 = ((1'b0 || (! reader_beat_last)) || (6'h33 <= reader_lastByte));
  assign _zz_reader_beat_keep_22 = ((1'b0 || (! reader_beat_last)) || (6'h32 <= reader_lastByte));
  assign _zz_reader_beat_keep_23 = {((_zz_reader_beat_keep_24 || _zz_reader_beat_keep_25) || (_zz_reader_beat_keep_26 <= reader_lastByte)),{(_zz_reader_beat_keep_27 || _zz_reader_beat_keep_28),{_zz_reader_beat_keep_29,{_zz_reader_beat_keep_30,_zz_reader_beat_keep_31}}}};
  assign _zz_reader_beat_keep_24 = 1'b0;
  assign _zz_reader_beat_keep_25 = (! reader_beat_last);
  assign _zz_reader_beat_keep_26 = 6'h31;
  assign _zz_reader_beat_keep_27 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_28 = (6'h30 <= reader_lastByte);
  assign _zz_reader_beat_keep_29 = ((1'b0 || (! reader_beat_last)) || (6'h2f <= reader_lastByte));
  assign _zz_reader_beat_keep_30 = ((1'b0 || (! reader_beat_last)) || (6'h2e <= reader_lastByte));
  assign _zz_reader_beat_keep_31 = {((_zz_reader_beat_keep_32 || _zz_reader_beat_keep_33) || (_zz_reader_beat_keep_34 <= reader_lastByte)),{(_zz_reader_beat_keep_35 || _zz_reader_beat_keep_36),{_zz_reader_beat_keep_37,{_zz_reader_beat_keep_38,_zz_reader_beat_keep_39}}}};
  assign _zz_reader_beat_keep_32 = 1'b0;
  assign _zz_reader_beat_keep_33 = (! reader_beat_last);
  assign _zz_reader_beat_keep_34 = 6'h2d;
  assign _zz_reader_beat_keep_35 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_36 = (6'h2c <= reader_lastByte);
  assign _zz_reader_beat_keep_37 = ((1'b0 || (! reader_beat_last)) || (6'h2b <= reader_lastByte));
  assign _zz_reader_beat_keep_38 = ((1'b0 || (! reader_beat_last)) || (6'h2a <= reader_lastByte));
  assign _zz_reader_beat_keep_39 = {((_zz_reader_beat_keep_40 || _zz_reader_beat_keep_41) || (_zz_reader_beat_keep_42 <= reader_lastByte)),{(_zz_reader_beat_keep_43 || _zz_reader_beat_keep_44),{_zz_reader_beat_keep_45,{_zz_reader_beat_keep_46,_zz_reader_beat_keep_47}}}};
  assign _zz_reader_beat_keep_40 = 1'b0;
  assign _zz_reader_beat_keep_41 = (! reader_beat_last);
  assign _zz_reader_beat_keep_42 = 6'h29;
  assign _zz_reader_beat_keep_43 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_44 = (6'h28 <= reader_lastByte);
  assign _zz_reader_beat_keep_45 = ((1'b0 || (! reader_beat_last)) || (6'h27 <= reader_lastByte));
  assign _zz_reader_beat_keep_46 = ((1'b0 || (! reader_beat_last)) || (6'h26 <= reader_lastByte));
  assign _zz_reader_beat_keep_47 = {((_zz_reader_beat_keep_48 || _zz_reader_beat_keep_49) || (_zz_reader_beat_keep_50 <= reader_lastByte)),{(_zz_reader_beat_keep_51 || _zz_reader_beat_keep_52),{_zz_reader_beat_keep_53,{_zz_reader_beat_keep_54,_zz_reader_beat_keep_55}}}};
  assign _zz_reader_beat_keep_48 = 1'b0;
  assign _zz_reader_beat_keep_49 = (! reader_beat_last);
  assign _zz_reader_beat_keep_50 = 6'h25;
  assign _zz_reader_beat_keep_51 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_52 = (6'h24 <= reader_lastByte);
  assign _zz_reader_beat_keep_53 = ((1'b0 || (! reader_beat_last)) || (6'h23 <= reader_lastByte));
  assign _zz_reader_beat_keep_54 = ((1'b0 || (! reader_beat_last)) || (6'h22 <= reader_lastByte));
  assign _zz_reader_beat_keep_55 = {((_zz_reader_beat_keep_56 || _zz_reader_beat_keep_57) || (_zz_reader_beat_keep_58 <= reader_lastByte)),{(_zz_reader_beat_keep_59 || _zz_reader_beat_keep_60),{_zz_reader_beat_keep_61,{_zz_reader_beat_keep_62,_zz_reader_beat_keep_63}}}};
  assign _zz_reader_beat_keep_56 = 1'b0;
  assign _zz_reader_beat_keep_57 = (! reader_beat_last);
  assign _zz_reader_beat_keep_58 = 6'h21;
  assign _zz_reader_beat_keep_59 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_60 = (6'h20 <= reader_lastByte);
  assign _zz_reader_beat_keep_61 = ((1'b0 || (! reader_beat_last)) || (6'h1f <= reader_lastByte));
  assign _zz_reader_beat_keep_62 = ((1'b0 || (! reader_beat_last)) || (6'h1e <= reader_lastByte));
  assign _zz_reader_beat_keep_63 = {((_zz_reader_beat_keep_64 || _zz_reader_beat_keep_65) || (_zz_reader_beat_keep_66 <= reader_lastByte)),{(_zz_reader_beat_keep_67 || _zz_reader_beat_keep_68),{_zz_reader_beat_keep_69,{_zz_reader_beat_keep_70,_zz_reader_beat_keep_71}}}};
  assign _zz_reader_beat_keep_64 = 1'b0;
  assign _zz_reader_beat_keep_65 = (! reader_beat_last);
  assign _zz_reader_beat_keep_66 = 6'h1d;
  assign _zz_reader_beat_keep_67 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_68 = (6'h1c <= reader_lastByte);
  assign _zz_reader_beat_keep_69 = ((1'b0 || (! reader_beat_last)) || (6'h1b <= reader_lastByte));
  assign _zz_reader_beat_keep_70 = ((1'b0 || (! reader_beat_last)) || (6'h1a <= reader_lastByte));
  assign _zz_reader_beat_keep_71 = {((_zz_reader_beat_keep_72 || _zz_reader_beat_keep_73) || (_zz_reader_beat_keep_74 <= reader_lastByte)),{(_zz_reader_beat_keep_75 || _zz_reader_beat_keep_76),{_zz_reader_beat_keep_77,{_zz_reader_beat_keep_78,_zz_reader_beat_keep_79}}}};
  assign _zz_reader_beat_keep_72 = 1'b0;
  assign _zz_reader_beat_keep_73 = (! reader_beat_last);
  assign _zz_reader_beat_keep_74 = 6'h19;
  assign _zz_reader_beat_keep_75 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_76 = (6'h18 <= reader_lastByte);
  assign _zz_reader_beat_keep_77 = ((1'b0 || (! reader_beat_last)) || (6'h17 <= reader_lastByte));
  assign _zz_reader_beat_keep_78 = ((1'b0 || (! reader_beat_last)) || (6'h16 <= reader_lastByte));
  assign _zz_reader_beat_keep_79 = {((_zz_reader_beat_keep_80 || _zz_reader_beat_keep_81) || (_zz_reader_beat_keep_82 <= reader_lastByte)),{(_zz_reader_beat_keep_83 || _zz_reader_beat_keep_84),{_zz_reader_beat_keep_85,{_zz_reader_beat_keep_86,_zz_reader_beat_keep_87}}}};
  assign _zz_reader_beat_keep_80 = 1'b0;
  assign _zz_reader_beat_keep_81 = (! reader_beat_last);
  assign _zz_reader_beat_keep_82 = 6'h15;
  assign _zz_reader_beat_keep_83 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_84 = (6'h14 <= reader_lastByte);
  assign _zz_reader_beat_keep_85 = ((1'b0 || (! reader_beat_last)) || (6'h13 <= reader_lastByte));
  assign _zz_reader_beat_keep_86 = ((1'b0 || (! reader_beat_last)) || (6'h12 <= reader_lastByte));
  assign _zz_reader_beat_keep_87 = {((_zz_reader_beat_keep_88 || _zz_reader_beat_keep_89) || (_zz_reader_beat_keep_90 <= reader_lastByte)),{(_zz_reader_beat_keep_91 || _zz_reader_beat_keep_92),{_zz_reader_beat_keep_93,{_zz_reader_beat_keep_94,_zz_reader_beat_keep_95}}}};
  assign _zz_reader_beat_keep_88 = 1'b0;
  assign _zz_reader_beat_keep_89 = (! reader_beat_last);
  assign _zz_reader_beat_keep_90 = 6'h11;
  assign _zz_reader_beat_keep_91 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_92 = (6'h10 <= reader_lastByte);
  assign _zz_reader_beat_keep_93 = ((1'b0 || (! reader_beat_last)) || (6'h0f <= reader_lastByte));
  assign _zz_reader_beat_keep_94 = ((1'b0 || (! reader_beat_last)) || (6'h0e <= reader_lastByte));
  assign _zz_reader_beat_keep_95 = {((_zz_reader_beat_keep_96 || _zz_reader_beat_keep_97) || (_zz_reader_beat_keep_98 <= reader_lastByte)),{(_zz_reader_beat_keep_99 || _zz_reader_beat_keep_100),{_zz_reader_beat_keep_101,{_zz_reader_beat_keep_102,_zz_reader_beat_keep_103}}}};
  assign _zz_reader_beat_keep_96 = 1'b0;
  assign _zz_reader_beat_keep_97 = (! reader_beat_last);
  assign _zz_reader_beat_keep_98 = 6'h0d;
  assign _zz_reader_beat_keep_99 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_100 = (6'h0c <= reader_lastByte);
  assign _zz_reader_beat_keep_101 = ((1'b0 || (! reader_beat_last)) || (6'h0b <= reader_lastByte));
  assign _zz_reader_beat_keep_102 = ((1'b0 || (! reader_beat_last)) || (6'h0a <= reader_lastByte));
  assign _zz_reader_beat_keep_103 = {((_zz_reader_beat_keep_104 || _zz_reader_beat_keep_105) || (_zz_reader_beat_keep_106 <= reader_lastByte)),{(_zz_reader_beat_keep_107 || _zz_reader_beat_keep_108),{_zz_reader_beat_keep_109,{_zz_reader_beat_keep_110,_zz_reader_beat_keep_111}}}};
  assign _zz_reader_beat_keep_104 = 1'b0;
  assign _zz_reader_beat_keep_105 = (! reader_beat_last);
  assign _zz_reader_beat_keep_106 = 6'h09;
  assign _zz_reader_beat_keep_107 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_108 = (6'h08 <= reader_lastByte);
  assign _zz_reader_beat_keep_109 = ((1'b0 || (! reader_beat_last)) || (6'h07 <= reader_lastByte));
  assign _zz_reader_beat_keep_110 = ((1'b0 || (! reader_beat_last)) || (6'h06 <= reader_lastByte));
  assign _zz_reader_beat_keep_111 = {((_zz_reader_beat_keep_112 || _zz_reader_beat_keep_113) || (_zz_reader_beat_keep_114 <= reader_lastByte)),{(_zz_reader_beat_keep_115 || _zz_reader_beat_keep_116),{_zz_reader_beat_keep_117,{_zz_reader_beat_keep_118,_zz_reader_beat_keep_119}}}};
  assign _zz_reader_beat_keep_112 = 1'b0;
  assign _zz_reader_beat_keep_113 = (! reader_beat_last);
  assign _zz_reader_beat_keep_114 = 6'h05;
  assign _zz_reader_beat_keep_115 = (1'b0 || (! reader_beat_last));
  assign _zz_reader_beat_keep_116 = (6'h04 <= reader_lastByte);
  assign _zz_reader_beat_keep_117 = ((1'b0 || (! reader_beat_last)) || (6'h03 <= reader_lastByte));
  assign _zz_reader_beat_keep_118 = ((1'b0 || (! reader_beat_last)) || (6'h02 <= reader_lastByte));
  assign _zz_reader_beat_keep_119 = {((1'b0 || (! reader_beat_last)) || (6'h01 <= reader_lastByte)),((1'b1 || (! reader_beat_last)) || (6'h0 <= reader_lastByte))};
  CrossingMemory memory (
    .io_write_valid        (memory_io_write_valid              ), //i
    .io_write_payload_row  (memory_io_write_payload_row[8:0]   ), //i
    .io_write_payload_mask (memory_io_write_payload_mask[7:0]  ), //i
    .io_write_payload_data (memory_io_write_payload_data[543:0]), //i
    .io_read_valid         (reader_wanted_fire                 ), //i
    .io_read_payload       (reader_wanted_payload[8:0]         ), //i
    .io_row                (memory_io_row[543:0]               ), //o
    .rx_clock              (rx_clock                           ), //i
    .clk                   (clk                                )  //i
  );
  CrossingWord toCore_crossing (
    .io_in_valid    (toCore_crossing_io_in_valid        ), //i
    .io_in_ready    (toCore_crossing_io_in_ready        ), //o
    .io_in_payload  (toCore_crossing_io_in_payload[9:0] ), //i
    .io_out_valid   (toCore_crossing_io_out_valid       ), //o
    .io_out_payload (toCore_crossing_io_out_payload[9:0]), //o
    .rx_clock       (rx_clock                           ), //i
    .rxReset        (rxReset                            ), //i
    .clk            (clk                                ), //i
    .coreReset      (coreReset                          )  //i
  );
  CrossingWord_1 toLine_crossing (
    .io_in_valid    (toLine_crossing_io_in_valid        ), //i
    .io_in_ready    (toLine_crossing_io_in_ready        ), //o
    .io_in_payload  (toLine_crossing_io_in_payload[9:0] ), //i
    .io_out_valid   (toLine_crossing_io_out_valid       ), //o
    .io_out_payload (toLine_crossing_io_out_payload[9:0]), //o
    .clk            (clk                                ), //i
    .coreReset      (coreReset                          ), //i
    .rx_clock       (rx_clock                           ), //i
    .rxReset        (rxReset                            )  //i
  );
  always @(*) begin
    case(reader_lastLane)
      3'b000 : _zz_reader_lastByte = reader_words_0_lastByte;
      3'b001 : _zz_reader_lastByte = reader_words_1_lastByte;
      3'b010 : _zz_reader_lastByte = reader_words_2_lastByte;
      3'b011 : _zz_reader_lastByte = reader_words_3_lastByte;
      3'b100 : _zz_reader_lastByte = reader_words_4_lastByte;
      3'b101 : _zz_reader_lastByte = reader_words_5_lastByte;
      3'b110 : _zz_reader_lastByte = reader_words_6_lastByte;
      default : _zz_reader_lastByte = reader_words_7_lastByte;
    endcase
  end

  assign writer_beat = (io_words_payload_first ? writer_whole : writer_at);
  assign writer_place = (io_words_payload_first ? 3'b000 : writer_lane);
  assign writer_noRoom = (_zz_writer_noRoom == 10'h200);
  assign writer_lost = (writer_noRoom || (writer_missed && (! io_words_payload_first)));
  assign writer_stored_data = io_words_payload_word_data;
  assign writer_stored_lastByte = io_words_payload_word_lastByte;
  assign writer_stored_last = io_words_payload_word_last;
  assign memory_io_write_valid = (io_words_valid && (! writer_lost));
  assign memory_io_write_payload_row = writer_beat[8:0];
  assign memory_io_write_payload_mask = (8'h01 <<< writer_place);
  assign memory_io_write_payload_data = {{writer_stored_last,{writer_stored_lastByte,writer_stored_data}},{{writer_stored_last,{writer_stored_lastByte,writer_stored_data}},{{writer_stored_last,{writer_stored_lastByte,writer_stored_data}},{{writer_stored_last,{_zz_io_write_payload_data,writer_stored_data}},{{_zz_io_write_payload_data_1,_zz_io_write_payload_data_2},{_zz_io_write_payload_data_3,_zz_io_write_payload_data_4}}}}}};
  assign writer_next = (writer_beat + _zz_writer_next);
  assign writer_keeps = ((io_words_valid && io_words_payload_word_last) && (! io_words_payload_word_damaged));
  assign io_overflow = _zz_io_overflow;
  assign io_filling = writer_filling;
  assign toCore_crossing_io_in_valid = (toCore_sender_last != writer_whole);
  assign toCore_crossing_io_in_payload = writer_whole;
  assign toCore_crossing_io_in_fire = (toCore_crossing_io_in_valid && toCore_crossing_io_in_ready);
  assign toCore_value = toCore_receiver_current;
  assign reader_wanted_valid = (reader_at != toCore_value);
  assign reader_wanted_payload = reader_at[8:0];
  assign reader_wanted_fire = (reader_wanted_valid && reader_wanted_ready);
  always @(*) begin
    reader_wanted_ready = reader_row_ready;
    if((! reader_row_valid)) begin
      reader_wanted_ready = 1'b1;
    end
  end

  assign reader_row_valid = reader_wanted_rValid;
  assign _zz_reader_words_0_data = memory_io_row[67 : 0];
  assign reader_words_0_data = _zz_reader_words_0_data[63 : 0];
  assign reader_words_0_lastByte = _zz_reader_words_0_data[66 : 64];
  assign reader_words_0_last = _zz_reader_words_0_data[67];
  assign _zz_reader_words_1_data = memory_io_row[135 : 68];
  assign reader_words_1_data = _zz_reader_words_1_data[63 : 0];
  assign reader_words_1_lastByte = _zz_reader_words_1_data[66 : 64];
  assign reader_words_1_last = _zz_reader_words_1_data[67];
  assign _zz_reader_words_2_data = memory_io_row[203 : 136];
  assign reader_words_2_data = _zz_reader_words_2_data[63 : 0];
  assign reader_words_2_lastByte = _zz_reader_words_2_data[66 : 64];
  assign reader_words_2_last = _zz_reader_words_2_data[67];
  assign _zz_reader_words_3_data = memory_io_row[271 : 204];
  assign reader_words_3_data = _zz_reader_words_3_data[63 : 0];
  assign reader_words_3_lastByte = _zz_reader_words_3_data[66 : 64];
  assign reader_words_3_last = _zz_reader_words_3_data[67];
  assign _zz_reader_words_4_data = memory_io_row[339 : 272];
  assign reader_words_4_data = _zz_reader_words_4_data[63 : 0];
  assign reader_words_4_lastByte = _zz_reader_words_4_data[66 : 64];
  assign reader_words_4_last = _zz_reader_words_4_data[67];
  assign _zz_reader_words_5_data = memory_io_row[407 : 340];
  assign reader_words_5_data = _zz_reader_words_5_data[63 : 0];
  assign reader_words_5_lastByte = _zz_reader_words_5_data[66 : 64];
  assign reader_words_5_last = _zz_reader_words_5_data[67];
  assign _zz_reader_words_6_data = memory_io_row[475 : 408];
  assign reader_words_6_data = _zz_reader_words_6_data[63 : 0];
  assign reader_words_6_lastByte = _zz_reader_words_6_data[66 : 64];
  assign reader_words_6_last = _zz_reader_words_6_data[67];
  assign _zz_reader_words_7_data = memory_io_row[543 : 476];
  assign reader_words_7_data = _zz_reader_words_7_data[63 : 0];
  assign reader_words_7_lastByte = _zz_reader_words_7_data[66 : 64];
  assign reader_words_7_last = _zz_reader_words_7_data[67];
  assign reader_lasts = {reader_words_7_last,{reader_words_6_last,{reader_words_5_last,{reader_words_4_last,{reader_words_3_last,{reader_words_2_last,{reader_words_1_last,reader_words_0_last}}}}}}};
  assign reader_lasts_ohFirst_input = reader_lasts;
  assign reader_lasts_ohFirst_masked = (reader_lasts_ohFirst_input & (~ _zz_reader_lasts_ohFirst_masked));
  assign reader_lasts_ohFirst_value = reader_lasts_ohFirst_masked;
  assign _zz_reader_lastLane = reader_lasts_ohFirst_value[3];
  assign _zz_reader_lastLane_1 = reader_lasts_ohFirst_value[5];
  assign _zz_reader_lastLane_2 = reader_lasts_ohFirst_value[6];
  assign _zz_reader_lastLane_3 = reader_lasts_ohFirst_value[7];
  assign _zz_reader_lastLane_4 = (((reader_lasts_ohFirst_value[1] || _zz_reader_lastLane) || _zz_reader_lastLane_1) || _zz_reader_lastLane_3);
  assign _zz_reader_lastLane_5 = (((reader_lasts_ohFirst_value[2] || _zz_reader_lastLane) || _zz_reader_lastLane_2) || _zz_reader_lastLane_3);
  assign _zz_reader_lastLane_6 = (((reader_lasts_ohFirst_value[4] || _zz_reader_lastLane_1) || _zz_reader_lastLane_2) || _zz_reader_lastLane_3);
  assign reader_lastLane = {_zz_reader_lastLane_6,{_zz_reader_lastLane_5,_zz_reader_lastLane_4}};
  assign reader_beat_data = {reader_words_7_data,{reader_words_6_data,{reader_words_5_data,{reader_words_4_data,{reader_words_3_data,{reader_words_2_data,{reader_words_1_data,reader_words_0_data}}}}}}};
  assign reader_beat_last = (|reader_lasts);
  assign reader_beat_user = 1'b0;
  assign reader_lastByte = {reader_lastLane,_zz_reader_lastByte};
  assign reader_beat_keep = {((1'b0 || (! reader_beat_last)) || (6'h3f <= reader_lastByte)),{((1'b0 || (! reader_beat_last)) || (6'h3e <= reader_lastByte)),{((_zz_reader_beat_keep || _zz_reader_beat_keep_1) || (_zz_reader_beat_keep_2 <= reader_lastByte)),{(_zz_reader_beat_keep_3 || _zz_reader_beat_keep_4),{_zz_reader_beat_keep_5,{_zz_reader_beat_keep_6,_zz_reader_beat_keep_7}}}}}};
  assign reader_row_translated_valid = reader_row_valid;
  assign reader_row_ready = reader_row_translated_ready;
  assign reader_row_translated_payload_data = reader_beat_data;
  assign reader_row_translated_payload_keep = reader_beat_keep;
  assign reader_row_translated_payload_last = reader_beat_last;
  assign reader_row_translated_payload_user = reader_beat_user;
  always @(*) begin
    reader_row_translated_ready = reader_row_translated_m2sPipe_ready;
    if((! reader_row_translated_m2sPipe_valid)) begin
      reader_row_translated_ready = 1'b1;
    end
  end

  assign reader_row_translated_m2sPipe_valid = reader_row_translated_rValid;
  assign reader_row_translated_m2sPipe_payload_data = reader_row_translated_rData_data;
  assign reader_row_translated_m2sPipe_payload_keep = reader_row_translated_rData_keep;
  assign reader_row_translated_m2sPipe_payload_last = reader_row_translated_rData_last;
  assign reader_row_translated_m2sPipe_payload_user = reader_row_translated_rData_user;
  assign io_frames_valid = reader_row_translated_m2sPipe_valid;
  assign reader_row_translated_m2sPipe_ready = io_frames_ready;
  assign io_frames_payload_data = reader_row_translated_m2sPipe_payload_data;
  assign io_frames_payload_keep = reader_row_translated_m2sPipe_payload_keep;
  assign io_frames_payload_last = reader_row_translated_m2sPipe_payload_last;
  assign io_frames_payload_user = reader_row_translated_m2sPipe_payload_user;
  assign toLine_crossing_io_in_valid = (toLine_sender_last != reader_at);
  assign toLine_crossing_io_in_payload = reader_at;
  assign toLine_crossing_io_in_fire = (toLine_crossing_io_in_valid && toLine_crossing_io_in_ready);
  assign toLine_value = toLine_receiver_current;
  assign writer_freed = toLine_value;
  always @(posedge rx_clock) begin
    if(rxReset) begin
      writer_whole <= 10'h0;
      writer_at <= 10'h0;
      writer_lane <= 3'b000;
      writer_missed <= 1'b0;
      _zz_io_overflow <= 1'b0;
      writer_taken <= 10'h0;
      writer_filling <= 1'b0;
      toCore_sender_last <= 10'h0;
      toLine_receiver_current <= 10'h0;
    end else begin
      if(io_words_valid) begin
        writer_at <= writer_next;
        writer_lane <= (writer_place + 3'b001);
        writer_missed <= writer_lost;
        if(io_words_payload_word_last) begin
          writer_missed <= 1'b0;
          if((writer_keeps && (! writer_lost))) begin
            writer_whole <= writer_next;
          end
        end
      end
      _zz_io_overflow <= (writer_keeps && writer_lost);
      writer_taken <= (writer_at - writer_freed);
      if((10'h180 <= writer_taken)) begin
        writer_filling <= 1'b1;
      end else begin
        if((writer_taken <= 10'h100)) begin
          writer_filling <= 1'b0;
        end
      end
      if(toCore_crossing_io_in_fire) begin
        toCore_sender_last <= writer_whole;
      end
      if(toLine_crossing_io_out_valid) begin
        toLine_receiver_current <= toLine_crossing_io_out_payload;
      end
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      toCore_receiver_current <= 10'h0;
      reader_at <= 10'h0;
      reader_wanted_rValid <= 1'b0;
      reader_row_translated_rValid <= 1'b0;
      toLine_sender_last <= 10'h0;
    end else begin
      if(toCore_crossing_io_out_valid) begin
        toCore_receiver_current <= toCore_crossing_io_out_payload;
      end
      if(reader_wanted_fire) begin
        reader_at <= (reader_at + 10'h001);
      end
      if(reader_wanted_ready) begin
        reader_wanted_rValid <= reader_wanted_valid;
      end
      if(reader_row_translated_ready) begin
        reader_row_translated_rValid <= reader_row_translated_valid;
      end
      if(toLine_crossing_io_in_fire) begin
        toLine_sender_last <= reader_at;
      end
    end
  end

  always @(posedge clk) begin
    if(reader_row_translated_ready) begin
      reader_row_translated_rData_data <= reader_row_translated_payload_data;
      reader_row_translated_rData_keep <= reader_row_translated_payload_keep;
      reader_row_translated_rData_last <= reader_row_translated_payload_last;
      reader_row_translated_rData_user <= reader_row_translated_payload_user;
    end
  end


endmodule

module PortReset (
  output wire          io_core,
  output wire          io_rx,
  output wire          io_tx,
  input  wire          reset,
  input  wire          clk,
  input  wire          rx_clock,
  input  wire          tx_clock
);

  wire                toRx_io_reset;
  wire                toRx_io_there;
  wire                toTx_io_reset;
  wire                toTx_io_there;
  reg                 kept_asked;
  reg                 kept_pending;
  wire       [1:0]    kept_there;

  CrossingReset toRx (
    .io_asked (kept_asked   ), //i
    .io_reset (toRx_io_reset), //o
    .io_there (toRx_io_there), //o
    .clk      (clk          ), //i
    .rx_clock (rx_clock     )  //i
  );
  CrossingReset_1 toTx (
    .io_asked (kept_asked   ), //i
    .io_reset (toTx_io_reset), //o
    .io_there (toTx_io_there), //o
    .clk      (clk          ), //i
    .tx_clock (tx_clock     )  //i
  );
  initial begin
    kept_asked = 1'b0;
    kept_pending = 1'b1;
  end

  assign kept_there = {toTx_io_there,toRx_io_there};
  assign io_core = (((reset || kept_pending) || kept_asked) || (|kept_there));
  assign io_rx = toRx_io_reset;
  assign io_tx = toTx_io_reset;
  always @(posedge clk) begin
    if(((kept_pending && (! kept_asked)) && (! (|kept_there)))) begin
      kept_asked <= 1'b1;
      kept_pending <= 1'b0;
    end
    if((kept_asked && (&kept_there))) begin
      kept_asked <= 1'b0;
    end
    if(reset) begin
      kept_pending <= 1'b1;
    end
  end


endmodule

module Scrambler (
  input  wire [1:0]    io_in_header,
  input  wire [63:0]   io_in_data,
  output wire [1:0]    io_out_header,
  output wire [63:0]   io_out_data,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire                _zz_scrambled_25;
  wire                _zz_scrambled_26;
  wire                _zz_scrambled_27;
  wire       [0:0]    _zz_scrambled_28;
  wire       [57:0]   _zz_scrambled_29;
  wire                _zz_scrambled_30;
  wire                _zz_scrambled_31;
  wire                _zz_scrambled_32;
  wire                _zz_scrambled_33;
  wire       [0:0]    _zz_scrambled_34;
  wire       [52:0]   _zz_scrambled_35;
  wire                _zz_scrambled_36;
  wire                _zz_scrambled_37;
  wire                _zz_scrambled_38;
  wire                _zz_scrambled_39;
  wire       [0:0]    _zz_scrambled_40;
  wire       [47:0]   _zz_scrambled_41;
  wire                _zz_scrambled_42;
  wire                _zz_scrambled_43;
  wire                _zz_scrambled_44;
  wire                _zz_scrambled_45;
  wire       [0:0]    _zz_scrambled_46;
  wire       [42:0]   _zz_scrambled_47;
  wire                _zz_scrambled_48;
  wire                _zz_scrambled_49;
  wire                _zz_scrambled_50;
  wire                _zz_scrambled_51;
  wire       [0:0]    _zz_scrambled_52;
  wire       [37:0]   _zz_scrambled_53;
  wire                _zz_scrambled_54;
  wire                _zz_scrambled_55;
  wire                _zz_scrambled_56;
  wire                _zz_scrambled_57;
  wire                _zz_scrambled_58;
  wire       [0:0]    _zz_scrambled_59;
  wire       [32:0]   _zz_scrambled_60;
  wire                _zz_scrambled_61;
  wire                _zz_scrambled_62;
  wire                _zz_scrambled_63;
  wire                _zz_scrambled_64;
  wire                _zz_scrambled_65;
  wire       [0:0]    _zz_scrambled_66;
  wire       [27:0]   _zz_scrambled_67;
  wire                _zz_scrambled_68;
  wire                _zz_scrambled_69;
  wire                _zz_scrambled_70;
  wire                _zz_scrambled_71;
  wire       [0:0]    _zz_scrambled_72;
  wire       [22:0]   _zz_scrambled_73;
  wire       [0:0]    _zz_scrambled_74;
  wire       [11:0]   _zz_scrambled_75;
  reg        [57:0]   sent;
  wire                _zz_scrambled;
  wire                _zz_scrambled_1;
  wire                _zz_scrambled_2;
  wire                _zz_scrambled_3;
  wire                _zz_scrambled_4;
  wire                _zz_scrambled_5;
  wire                _zz_scrambled_6;
  wire                _zz_scrambled_7;
  wire                _zz_scrambled_8;
  wire                _zz_scrambled_9;
  wire                _zz_scrambled_10;
  wire                _zz_scrambled_11;
  wire                _zz_scrambled_12;
  wire                _zz_scrambled_13;
  wire                _zz_scrambled_14;
  wire                _zz_scrambled_15;
  wire                _zz_scrambled_16;
  wire                _zz_scrambled_17;
  wire                _zz_scrambled_18;
  wire                _zz_scrambled_19;
  wire                _zz_scrambled_20;
  wire                _zz_scrambled_21;
  wire                _zz_scrambled_22;
  wire                _zz_scrambled_23;
  wire                _zz_scrambled_24;
  wire       [63:0]   scrambled;
  reg        [1:0]    block_header;
  reg        [63:0]   block_data;

  assign _zz_scrambled_25 = io_in_data[61];
  assign _zz_scrambled_26 = (io_in_data[60] ^ _zz_scrambled_21);
  assign _zz_scrambled_27 = ((io_in_data[59] ^ _zz_scrambled_20) ^ _zz_scrambled_1);
  assign _zz_scrambled_28 = ((io_in_data[58] ^ _zz_scrambled_19) ^ _zz_scrambled);
  assign _zz_scrambled_29 = {((io_in_data[57] ^ _zz_scrambled_18) ^ sent[57]),{((_zz_scrambled_30 ^ _zz_scrambled_17) ^ sent[56]),{(_zz_scrambled_31 ^ _zz_scrambled_32),{_zz_scrambled_33,{_zz_scrambled_34,_zz_scrambled_35}}}}};
  assign _zz_scrambled_30 = io_in_data[56];
  assign _zz_scrambled_31 = (io_in_data[55] ^ _zz_scrambled_16);
  assign _zz_scrambled_32 = sent[55];
  assign _zz_scrambled_33 = ((io_in_data[54] ^ _zz_scrambled_15) ^ sent[54]);
  assign _zz_scrambled_34 = ((io_in_data[53] ^ _zz_scrambled_14) ^ sent[53]);
  assign _zz_scrambled_35 = {((io_in_data[52] ^ _zz_scrambled_13) ^ sent[52]),{((_zz_scrambled_36 ^ _zz_scrambled_12) ^ sent[51]),{(_zz_scrambled_37 ^ _zz_scrambled_38),{_zz_scrambled_39,{_zz_scrambled_40,_zz_scrambled_41}}}}};
  assign _zz_scrambled_36 = io_in_data[51];
  assign _zz_scrambled_37 = (io_in_data[50] ^ _zz_scrambled_11);
  assign _zz_scrambled_38 = sent[50];
  assign _zz_scrambled_39 = ((io_in_data[49] ^ _zz_scrambled_10) ^ sent[49]);
  assign _zz_scrambled_40 = ((io_in_data[48] ^ _zz_scrambled_9) ^ sent[48]);
  assign _zz_scrambled_41 = {((io_in_data[47] ^ _zz_scrambled_8) ^ sent[47]),{((_zz_scrambled_42 ^ _zz_scrambled_7) ^ sent[46]),{(_zz_scrambled_43 ^ _zz_scrambled_44),{_zz_scrambled_45,{_zz_scrambled_46,_zz_scrambled_47}}}}};
  assign _zz_scrambled_42 = io_in_data[46];
  assign _zz_scrambled_43 = (io_in_data[45] ^ _zz_scrambled_6);
  assign _zz_scrambled_44 = sent[45];
  assign _zz_scrambled_45 = ((io_in_data[44] ^ _zz_scrambled_5) ^ sent[44]);
  assign _zz_scrambled_46 = ((io_in_data[43] ^ _zz_scrambled_4) ^ sent[43]);
  assign _zz_scrambled_47 = {((io_in_data[42] ^ _zz_scrambled_3) ^ sent[42]),{((_zz_scrambled_48 ^ _zz_scrambled_2) ^ sent[41]),{(_zz_scrambled_49 ^ _zz_scrambled_50),{_zz_scrambled_51,{_zz_scrambled_52,_zz_scrambled_53}}}}};
  assign _zz_scrambled_48 = io_in_data[41];
  assign _zz_scrambled_49 = (io_in_data[40] ^ _zz_scrambled_1);
  assign _zz_scrambled_50 = sent[40];
  assign _zz_scrambled_51 = ((io_in_data[39] ^ _zz_scrambled) ^ sent[39]);
  assign _zz_scrambled_52 = ((io_in_data[38] ^ sent[57]) ^ sent[38]);
  assign _zz_scrambled_53 = {((io_in_data[37] ^ sent[56]) ^ sent[37]),{((_zz_scrambled_54 ^ _zz_scrambled_55) ^ sent[36]),{(_zz_scrambled_56 ^ _zz_scrambled_57),{_zz_scrambled_58,{_zz_scrambled_59,_zz_scrambled_60}}}}};
  assign _zz_scrambled_54 = io_in_data[36];
  assign _zz_scrambled_55 = sent[55];
  assign _zz_scrambled_56 = (io_in_data[35] ^ sent[54]);
  assign _zz_scrambled_57 = sent[35];
  assign _zz_scrambled_58 = ((io_in_data[34] ^ sent[53]) ^ sent[34]);
  assign _zz_scrambled_59 = ((io_in_data[33] ^ sent[52]) ^ sent[33]);
  assign _zz_scrambled_60 = {((io_in_data[32] ^ sent[51]) ^ sent[32]),{((_zz_scrambled_61 ^ _zz_scrambled_62) ^ sent[31]),{(_zz_scrambled_63 ^ _zz_scrambled_64),{_zz_scrambled_65,{_zz_scrambled_66,_zz_scrambled_67}}}}};
  assign _zz_scrambled_61 = io_in_data[31];
  assign _zz_scrambled_62 = sent[50];
  assign _zz_scrambled_63 = (io_in_data[30] ^ sent[49]);
  assign _zz_scrambled_64 = sent[30];
  assign _zz_scrambled_65 = ((io_in_data[29] ^ sent[48]) ^ sent[29]);
  assign _zz_scrambled_66 = ((io_in_data[28] ^ sent[47]) ^ sent[28]);
  assign _zz_scrambled_67 = {((io_in_data[27] ^ sent[46]) ^ sent[27]),{((_zz_scrambled_68 ^ _zz_scrambled_69) ^ sent[26]),{(_zz_scrambled_70 ^ _zz_scrambled_71),{_zz_scrambled_24,{_zz_scrambled_72,_zz_scrambled_73}}}}};
  assign _zz_scrambled_68 = io_in_data[26];
  assign _zz_scrambled_69 = sent[45];
  assign _zz_scrambled_70 = (io_in_data[25] ^ sent[44]);
  assign _zz_scrambled_71 = sent[25];
  assign _zz_scrambled_72 = _zz_scrambled_23;
  assign _zz_scrambled_73 = {_zz_scrambled_22,{_zz_scrambled_21,{_zz_scrambled_20,{_zz_scrambled_19,{_zz_scrambled_18,{_zz_scrambled_17,{_zz_scrambled_16,{_zz_scrambled_15,{_zz_scrambled_14,{_zz_scrambled_13,{_zz_scrambled_74,_zz_scrambled_75}}}}}}}}}}};
  assign _zz_scrambled_74 = _zz_scrambled_12;
  assign _zz_scrambled_75 = {_zz_scrambled_11,{_zz_scrambled_10,{_zz_scrambled_9,{_zz_scrambled_8,{_zz_scrambled_7,{_zz_scrambled_6,{_zz_scrambled_5,{_zz_scrambled_4,{_zz_scrambled_3,{_zz_scrambled_2,{_zz_scrambled_1,_zz_scrambled}}}}}}}}}}};
  assign _zz_scrambled = ((io_in_data[0] ^ sent[19]) ^ sent[0]);
  assign _zz_scrambled_1 = ((io_in_data[1] ^ sent[20]) ^ sent[1]);
  assign _zz_scrambled_2 = ((io_in_data[2] ^ sent[21]) ^ sent[2]);
  assign _zz_scrambled_3 = ((io_in_data[3] ^ sent[22]) ^ sent[3]);
  assign _zz_scrambled_4 = ((io_in_data[4] ^ sent[23]) ^ sent[4]);
  assign _zz_scrambled_5 = ((io_in_data[5] ^ sent[24]) ^ sent[5]);
  assign _zz_scrambled_6 = ((io_in_data[6] ^ sent[25]) ^ sent[6]);
  assign _zz_scrambled_7 = ((io_in_data[7] ^ sent[26]) ^ sent[7]);
  assign _zz_scrambled_8 = ((io_in_data[8] ^ sent[27]) ^ sent[8]);
  assign _zz_scrambled_9 = ((io_in_data[9] ^ sent[28]) ^ sent[9]);
  assign _zz_scrambled_10 = ((io_in_data[10] ^ sent[29]) ^ sent[10]);
  assign _zz_scrambled_11 = ((io_in_data[11] ^ sent[30]) ^ sent[11]);
  assign _zz_scrambled_12 = ((io_in_data[12] ^ sent[31]) ^ sent[12]);
  assign _zz_scrambled_13 = ((io_in_data[13] ^ sent[32]) ^ sent[13]);
  assign _zz_scrambled_14 = ((io_in_data[14] ^ sent[33]) ^ sent[14]);
  assign _zz_scrambled_15 = ((io_in_data[15] ^ sent[34]) ^ sent[15]);
  assign _zz_scrambled_16 = ((io_in_data[16] ^ sent[35]) ^ sent[16]);
  assign _zz_scrambled_17 = ((io_in_data[17] ^ sent[36]) ^ sent[17]);
  assign _zz_scrambled_18 = ((io_in_data[18] ^ sent[37]) ^ sent[18]);
  assign _zz_scrambled_19 = ((io_in_data[19] ^ sent[38]) ^ sent[19]);
  assign _zz_scrambled_20 = ((io_in_data[20] ^ sent[39]) ^ sent[20]);
  assign _zz_scrambled_21 = ((io_in_data[21] ^ sent[40]) ^ sent[21]);
  assign _zz_scrambled_22 = ((io_in_data[22] ^ sent[41]) ^ sent[22]);
  assign _zz_scrambled_23 = ((io_in_data[23] ^ sent[42]) ^ sent[23]);
  assign _zz_scrambled_24 = ((io_in_data[24] ^ sent[43]) ^ sent[24]);
  assign scrambled = {((io_in_data[63] ^ _zz_scrambled_24) ^ _zz_scrambled_5),{((io_in_data[62] ^ _zz_scrambled_23) ^ _zz_scrambled_4),{((_zz_scrambled_25 ^ _zz_scrambled_22) ^ _zz_scrambled_3),{(_zz_scrambled_26 ^ _zz_scrambled_2),{_zz_scrambled_27,{_zz_scrambled_28,_zz_scrambled_29}}}}}};
  assign io_out_header = block_header;
  assign io_out_data = block_data;
  always @(posedge tx_clock) begin
    if(txReset) begin
      sent <= 58'h3ffffffffffffff;
      block_header <= 2'b01;
    end else begin
      sent <= scrambled[63 : 6];
      block_header <= io_in_header;
    end
  end

  always @(posedge tx_clock) begin
    block_data <= scrambled;
  end


endmodule

module PcsEncoder (
  input  wire [63:0]   io_in_data,
  input  wire [7:0]    io_in_control,
  output wire [1:0]    io_out_header,
  output wire [63:0]   io_out_data,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire       [6:0]    _zz_lanes_0_code;
  wire       [6:0]    _zz_lanes_0_code_1;
  wire       [6:0]    _zz_lanes_0_code_2;
  wire       [6:0]    _zz_lanes_0_code_3;
  wire       [6:0]    _zz_lanes_1_code;
  wire       [6:0]    _zz_lanes_1_code_1;
  wire       [6:0]    _zz_lanes_1_code_2;
  wire       [6:0]    _zz_lanes_1_code_3;
  wire       [6:0]    _zz_lanes_2_code;
  wire       [6:0]    _zz_lanes_2_code_1;
  wire       [6:0]    _zz_lanes_2_code_2;
  wire       [6:0]    _zz_lanes_2_code_3;
  wire       [6:0]    _zz_lanes_3_code;
  wire       [6:0]    _zz_lanes_3_code_1;
  wire       [6:0]    _zz_lanes_3_code_2;
  wire       [6:0]    _zz_lanes_3_code_3;
  wire       [6:0]    _zz_lanes_4_code;
  wire       [6:0]    _zz_lanes_4_code_1;
  wire       [6:0]    _zz_lanes_4_code_2;
  wire       [6:0]    _zz_lanes_4_code_3;
  wire       [6:0]    _zz_lanes_5_code;
  wire       [6:0]    _zz_lanes_5_code_1;
  wire       [6:0]    _zz_lanes_5_code_2;
  wire       [6:0]    _zz_lanes_5_code_3;
  wire       [6:0]    _zz_lanes_6_code;
  wire       [6:0]    _zz_lanes_6_code_1;
  wire       [6:0]    _zz_lanes_6_code_2;
  wire       [6:0]    _zz_lanes_6_code_3;
  wire       [6:0]    _zz_lanes_7_code;
  wire       [6:0]    _zz_lanes_7_code_1;
  wire       [6:0]    _zz_lanes_7_code_2;
  wire       [6:0]    _zz_lanes_7_code_3;
  wire                _zz_when;
  wire       [7:0]    lanes_0_character;
  wire                lanes_0_isData;
  wire                lanes_0_isStart;
  wire                lanes_0_isTerminate;
  wire                lanes_0_known_0;
  wire                lanes_0_known_1;
  wire                lanes_0_known_2;
  wire                lanes_0_known_3;
  wire                lanes_0_known_4;
  wire                lanes_0_known_5;
  wire                lanes_0_known_6;
  wire                lanes_0_known_7;
  wire                lanes_0_isCode;
  wire                lanes_0_isError;
  wire       [6:0]    lanes_0_code;
  wire                lanes_0_ordered_0;
  wire                lanes_0_ordered_1;
  wire       [3:0]    lanes_0_orderedCode;
  wire       [7:0]    lanes_1_character;
  wire                lanes_1_isData;
  wire                lanes_1_isTerminate;
  wire                lanes_1_known_0;
  wire                lanes_1_known_1;
  wire                lanes_1_known_2;
  wire                lanes_1_known_3;
  wire                lanes_1_known_4;
  wire                lanes_1_known_5;
  wire                lanes_1_known_6;
  wire                lanes_1_known_7;
  wire                lanes_1_isCode;
  wire                lanes_1_isError;
  wire       [6:0]    lanes_1_code;
  wire       [7:0]    lanes_2_character;
  wire                lanes_2_isData;
  wire                lanes_2_isTerminate;
  wire                lanes_2_known_0;
  wire                lanes_2_known_1;
  wire                lanes_2_known_2;
  wire                lanes_2_known_3;
  wire                lanes_2_known_4;
  wire                lanes_2_known_5;
  wire                lanes_2_known_6;
  wire                lanes_2_known_7;
  wire                lanes_2_isCode;
  wire                lanes_2_isError;
  wire       [6:0]    lanes_2_code;
  wire       [7:0]    lanes_3_character;
  wire                lanes_3_isData;
  wire                lanes_3_isTerminate;
  wire                lanes_3_known_0;
  wire                lanes_3_known_1;
  wire                lanes_3_known_2;
  wire                lanes_3_known_3;
  wire                lanes_3_known_4;
  wire                lanes_3_known_5;
  wire                lanes_3_known_6;
  wire                lanes_3_known_7;
  wire                lanes_3_isCode;
  wire                lanes_3_isError;
  wire       [6:0]    lanes_3_code;
  wire       [7:0]    lanes_4_character;
  wire                lanes_4_isData;
  wire                lanes_4_isStart;
  wire                lanes_4_isTerminate;
  wire                lanes_4_known_0;
  wire                lanes_4_known_1;
  wire                lanes_4_known_2;
  wire                lanes_4_known_3;
  wire                lanes_4_known_4;
  wire                lanes_4_known_5;
  wire                lanes_4_known_6;
  wire                lanes_4_known_7;
  wire                lanes_4_isCode;
  wire                lanes_4_isError;
  wire       [6:0]    lanes_4_code;
  wire                lanes_4_ordered_0;
  wire                lanes_4_ordered_1;
  wire       [3:0]    lanes_4_orderedCode;
  wire       [7:0]    lanes_5_character;
  wire                lanes_5_isData;
  wire                lanes_5_isTerminate;
  wire                lanes_5_known_0;
  wire                lanes_5_known_1;
  wire                lanes_5_known_2;
  wire                lanes_5_known_3;
  wire                lanes_5_known_4;
  wire                lanes_5_known_5;
  wire                lanes_5_known_6;
  wire                lanes_5_known_7;
  wire                lanes_5_isCode;
  wire                lanes_5_isError;
  wire       [6:0]    lanes_5_code;
  wire       [7:0]    lanes_6_character;
  wire                lanes_6_isData;
  wire                lanes_6_isTerminate;
  wire                lanes_6_known_0;
  wire                lanes_6_known_1;
  wire                lanes_6_known_2;
  wire                lanes_6_known_3;
  wire                lanes_6_known_4;
  wire                lanes_6_known_5;
  wire                lanes_6_known_6;
  wire                lanes_6_known_7;
  wire                lanes_6_isCode;
  wire                lanes_6_isError;
  wire       [6:0]    lanes_6_code;
  wire       [7:0]    lanes_7_character;
  wire                lanes_7_isData;
  wire                lanes_7_isTerminate;
  wire                lanes_7_known_0;
  wire                lanes_7_known_1;
  wire                lanes_7_known_2;
  wire                lanes_7_known_3;
  wire                lanes_7_known_4;
  wire                lanes_7_known_5;
  wire                lanes_7_known_6;
  wire                lanes_7_known_7;
  wire                lanes_7_isCode;
  wire                lanes_7_isError;
  wire       [6:0]    lanes_7_code;
  wire                low;
  wire                high;
  wire                orderedLow;
  wire                orderedHigh;
  wire                startHigh;
  wire                _zz_kind_control;
  wire                _zz_kind_control_1;
  wire                _zz_kind_control_2;
  wire                _zz_kind_control_3;
  wire                _zz_kind_start;
  wire                _zz_kind_start_1;
  wire                _zz_kind_start_2;
  wire                _zz_kind_terminate;
  wire                _zz_kind_terminate_1;
  wire                _zz_kind_terminate_2;
  wire                _zz_kind_terminate_3;
  wire                _zz_kind_terminate_4;
  wire                _zz_kind_terminate_5;
  wire                _zz_kind_terminate_6;
  wire                _zz_kind_terminate_7;
  wire                kind_control;
  wire                kind_start;
  wire                kind_terminate;
  wire                kind_data;
  wire                state_advance;
  wire                state_clear;
  reg                 state_inside;
  reg                 state_error;
  wire                state_ends;
  wire                state_inFrame;
  wire                state_passes;
  reg        [63:0]   _zz_payloads_0;
  wire       [63:0]   payloads_0;
  reg        [63:0]   _zz_payloads_1;
  wire       [63:0]   payloads_1;
  reg        [63:0]   _zz_payloads_2;
  wire       [63:0]   payloads_2;
  reg        [63:0]   _zz_payloads_3;
  wire       [63:0]   payloads_3;
  reg        [63:0]   _zz_payloads_4;
  wire       [63:0]   payloads_4;
  reg        [63:0]   _zz_payloads_5;
  wire       [63:0]   payloads_5;
  reg        [63:0]   _zz_payloads_6;
  wire       [63:0]   payloads_6;
  reg        [63:0]   _zz_payloads_7;
  wire       [63:0]   payloads_7;
  reg        [63:0]   _zz_payloads_8;
  wire       [63:0]   payloads_8;
  reg        [63:0]   _zz_payloads_9;
  wire       [63:0]   payloads_9;
  reg        [63:0]   _zz_payloads_10;
  wire       [63:0]   payloads_10;
  reg        [63:0]   _zz_payloads_11;
  wire       [63:0]   payloads_11;
  reg        [63:0]   _zz_payloads_12;
  wire       [63:0]   payloads_12;
  reg        [63:0]   _zz_payloads_13;
  wire       [63:0]   payloads_13;
  reg        [63:0]   _zz_payloads_14;
  wire       [63:0]   payloads_14;
  reg        [1:0]    block_header;
  reg        [63:0]   block_data;

  assign _zz_when = (! state_passes);
  assign _zz_lanes_0_code = (lanes_0_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_0_code_1 = (lanes_0_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_0_code_2 = 7'h33;
  assign _zz_lanes_0_code_3 = 7'h0;
  assign _zz_lanes_1_code = (lanes_1_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_1_code_1 = (lanes_1_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_1_code_2 = 7'h33;
  assign _zz_lanes_1_code_3 = 7'h0;
  assign _zz_lanes_2_code = (lanes_2_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_2_code_1 = (lanes_2_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_2_code_2 = 7'h33;
  assign _zz_lanes_2_code_3 = 7'h0;
  assign _zz_lanes_3_code = (lanes_3_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_3_code_1 = (lanes_3_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_3_code_2 = 7'h33;
  assign _zz_lanes_3_code_3 = 7'h0;
  assign _zz_lanes_4_code = (lanes_4_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_4_code_1 = (lanes_4_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_4_code_2 = 7'h33;
  assign _zz_lanes_4_code_3 = 7'h0;
  assign _zz_lanes_5_code = (lanes_5_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_5_code_1 = (lanes_5_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_5_code_2 = 7'h33;
  assign _zz_lanes_5_code_3 = 7'h0;
  assign _zz_lanes_6_code = (lanes_6_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_6_code_1 = (lanes_6_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_6_code_2 = 7'h33;
  assign _zz_lanes_6_code_3 = 7'h0;
  assign _zz_lanes_7_code = (lanes_7_known_0 ? 7'h0 : 7'h0);
  assign _zz_lanes_7_code_1 = (lanes_7_known_1 ? 7'h2d : 7'h0);
  assign _zz_lanes_7_code_2 = 7'h33;
  assign _zz_lanes_7_code_3 = 7'h0;
  assign lanes_0_character = io_in_data[7 : 0];
  assign lanes_0_isData = (! io_in_control[0]);
  assign lanes_0_isStart = (io_in_control[0] && (io_in_data[7 : 0] == 8'hfb));
  assign lanes_0_isTerminate = (io_in_control[0] && (io_in_data[7 : 0] == 8'hfd));
  assign lanes_0_known_0 = (lanes_0_character == 8'h07);
  assign lanes_0_known_1 = (lanes_0_character == 8'h1c);
  assign lanes_0_known_2 = (lanes_0_character == 8'h3c);
  assign lanes_0_known_3 = (lanes_0_character == 8'h7c);
  assign lanes_0_known_4 = (lanes_0_character == 8'hbc);
  assign lanes_0_known_5 = (lanes_0_character == 8'hdc);
  assign lanes_0_known_6 = (lanes_0_character == 8'hf7);
  assign lanes_0_known_7 = (lanes_0_character == 8'hfe);
  assign lanes_0_isCode = (io_in_control[0] && (|{lanes_0_known_7,{lanes_0_known_6,{lanes_0_known_5,{lanes_0_known_4,{lanes_0_known_3,{lanes_0_known_2,{lanes_0_known_1,lanes_0_known_0}}}}}}}));
  assign lanes_0_isError = (io_in_control[0] && (io_in_data[7 : 0] == 8'hfe));
  assign lanes_0_code = (((((((_zz_lanes_0_code | _zz_lanes_0_code_1) | (lanes_0_known_2 ? _zz_lanes_0_code_2 : _zz_lanes_0_code_3)) | (lanes_0_known_3 ? 7'h4b : 7'h0)) | (lanes_0_known_4 ? 7'h55 : 7'h0)) | (lanes_0_known_5 ? 7'h66 : 7'h0)) | (lanes_0_known_6 ? 7'h78 : 7'h0)) | (lanes_0_known_7 ? 7'h1e : 7'h0));
  assign lanes_0_ordered_0 = (io_in_control[0] && (io_in_data[7 : 0] == 8'h9c));
  assign lanes_0_ordered_1 = (io_in_control[0] && (io_in_data[7 : 0] == 8'h5c));
  assign lanes_0_orderedCode = ((lanes_0_ordered_0 ? 4'b0000 : 4'b0000) | (lanes_0_ordered_1 ? 4'b1111 : 4'b0000));
  assign lanes_1_character = io_in_data[15 : 8];
  assign lanes_1_isData = (! io_in_control[1]);
  assign lanes_1_isTerminate = (io_in_control[1] && (io_in_data[15 : 8] == 8'hfd));
  assign lanes_1_known_0 = (lanes_1_character == 8'h07);
  assign lanes_1_known_1 = (lanes_1_character == 8'h1c);
  assign lanes_1_known_2 = (lanes_1_character == 8'h3c);
  assign lanes_1_known_3 = (lanes_1_character == 8'h7c);
  assign lanes_1_known_4 = (lanes_1_character == 8'hbc);
  assign lanes_1_known_5 = (lanes_1_character == 8'hdc);
  assign lanes_1_known_6 = (lanes_1_character == 8'hf7);
  assign lanes_1_known_7 = (lanes_1_character == 8'hfe);
  assign lanes_1_isCode = (io_in_control[1] && (|{lanes_1_known_7,{lanes_1_known_6,{lanes_1_known_5,{lanes_1_known_4,{lanes_1_known_3,{lanes_1_known_2,{lanes_1_known_1,lanes_1_known_0}}}}}}}));
  assign lanes_1_isError = (io_in_control[1] && (io_in_data[15 : 8] == 8'hfe));
  assign lanes_1_code = (((((((_zz_lanes_1_code | _zz_lanes_1_code_1) | (lanes_1_known_2 ? _zz_lanes_1_code_2 : _zz_lanes_1_code_3)) | (lanes_1_known_3 ? 7'h4b : 7'h0)) | (lanes_1_known_4 ? 7'h55 : 7'h0)) | (lanes_1_known_5 ? 7'h66 : 7'h0)) | (lanes_1_known_6 ? 7'h78 : 7'h0)) | (lanes_1_known_7 ? 7'h1e : 7'h0));
  assign lanes_2_character = io_in_data[23 : 16];
  assign lanes_2_isData = (! io_in_control[2]);
  assign lanes_2_isTerminate = (io_in_control[2] && (io_in_data[23 : 16] == 8'hfd));
  assign lanes_2_known_0 = (lanes_2_character == 8'h07);
  assign lanes_2_known_1 = (lanes_2_character == 8'h1c);
  assign lanes_2_known_2 = (lanes_2_character == 8'h3c);
  assign lanes_2_known_3 = (lanes_2_character == 8'h7c);
  assign lanes_2_known_4 = (lanes_2_character == 8'hbc);
  assign lanes_2_known_5 = (lanes_2_character == 8'hdc);
  assign lanes_2_known_6 = (lanes_2_character == 8'hf7);
  assign lanes_2_known_7 = (lanes_2_character == 8'hfe);
  assign lanes_2_isCode = (io_in_control[2] && (|{lanes_2_known_7,{lanes_2_known_6,{lanes_2_known_5,{lanes_2_known_4,{lanes_2_known_3,{lanes_2_known_2,{lanes_2_known_1,lanes_2_known_0}}}}}}}));
  assign lanes_2_isError = (io_in_control[2] && (io_in_data[23 : 16] == 8'hfe));
  assign lanes_2_code = (((((((_zz_lanes_2_code | _zz_lanes_2_code_1) | (lanes_2_known_2 ? _zz_lanes_2_code_2 : _zz_lanes_2_code_3)) | (lanes_2_known_3 ? 7'h4b : 7'h0)) | (lanes_2_known_4 ? 7'h55 : 7'h0)) | (lanes_2_known_5 ? 7'h66 : 7'h0)) | (lanes_2_known_6 ? 7'h78 : 7'h0)) | (lanes_2_known_7 ? 7'h1e : 7'h0));
  assign lanes_3_character = io_in_data[31 : 24];
  assign lanes_3_isData = (! io_in_control[3]);
  assign lanes_3_isTerminate = (io_in_control[3] && (io_in_data[31 : 24] == 8'hfd));
  assign lanes_3_known_0 = (lanes_3_character == 8'h07);
  assign lanes_3_known_1 = (lanes_3_character == 8'h1c);
  assign lanes_3_known_2 = (lanes_3_character == 8'h3c);
  assign lanes_3_known_3 = (lanes_3_character == 8'h7c);
  assign lanes_3_known_4 = (lanes_3_character == 8'hbc);
  assign lanes_3_known_5 = (lanes_3_character == 8'hdc);
  assign lanes_3_known_6 = (lanes_3_character == 8'hf7);
  assign lanes_3_known_7 = (lanes_3_character == 8'hfe);
  assign lanes_3_isCode = (io_in_control[3] && (|{lanes_3_known_7,{lanes_3_known_6,{lanes_3_known_5,{lanes_3_known_4,{lanes_3_known_3,{lanes_3_known_2,{lanes_3_known_1,lanes_3_known_0}}}}}}}));
  assign lanes_3_isError = (io_in_control[3] && (io_in_data[31 : 24] == 8'hfe));
  assign lanes_3_code = (((((((_zz_lanes_3_code | _zz_lanes_3_code_1) | (lanes_3_known_2 ? _zz_lanes_3_code_2 : _zz_lanes_3_code_3)) | (lanes_3_known_3 ? 7'h4b : 7'h0)) | (lanes_3_known_4 ? 7'h55 : 7'h0)) | (lanes_3_known_5 ? 7'h66 : 7'h0)) | (lanes_3_known_6 ? 7'h78 : 7'h0)) | (lanes_3_known_7 ? 7'h1e : 7'h0));
  assign lanes_4_character = io_in_data[39 : 32];
  assign lanes_4_isData = (! io_in_control[4]);
  assign lanes_4_isStart = (io_in_control[4] && (io_in_data[39 : 32] == 8'hfb));
  assign lanes_4_isTerminate = (io_in_control[4] && (io_in_data[39 : 32] == 8'hfd));
  assign lanes_4_known_0 = (lanes_4_character == 8'h07);
  assign lanes_4_known_1 = (lanes_4_character == 8'h1c);
  assign lanes_4_known_2 = (lanes_4_character == 8'h3c);
  assign lanes_4_known_3 = (lanes_4_character == 8'h7c);
  assign lanes_4_known_4 = (lanes_4_character == 8'hbc);
  assign lanes_4_known_5 = (lanes_4_character == 8'hdc);
  assign lanes_4_known_6 = (lanes_4_character == 8'hf7);
  assign lanes_4_known_7 = (lanes_4_character == 8'hfe);
  assign lanes_4_isCode = (io_in_control[4] && (|{lanes_4_known_7,{lanes_4_known_6,{lanes_4_known_5,{lanes_4_known_4,{lanes_4_known_3,{lanes_4_known_2,{lanes_4_known_1,lanes_4_known_0}}}}}}}));
  assign lanes_4_isError = (io_in_control[4] && (io_in_data[39 : 32] == 8'hfe));
  assign lanes_4_code = (((((((_zz_lanes_4_code | _zz_lanes_4_code_1) | (lanes_4_known_2 ? _zz_lanes_4_code_2 : _zz_lanes_4_code_3)) | (lanes_4_known_3 ? 7'h4b : 7'h0)) | (lanes_4_known_4 ? 7'h55 : 7'h0)) | (lanes_4_known_5 ? 7'h66 : 7'h0)) | (lanes_4_known_6 ? 7'h78 : 7'h0)) | (lanes_4_known_7 ? 7'h1e : 7'h0));
  assign lanes_4_ordered_0 = (io_in_control[4] && (io_in_data[39 : 32] == 8'h9c));
  assign lanes_4_ordered_1 = (io_in_control[4] && (io_in_data[39 : 32] == 8'h5c));
  assign lanes_4_orderedCode = ((lanes_4_ordered_0 ? 4'b0000 : 4'b0000) | (lanes_4_ordered_1 ? 4'b1111 : 4'b0000));
  assign lanes_5_character = io_in_data[47 : 40];
  assign lanes_5_isData = (! io_in_control[5]);
  assign lanes_5_isTerminate = (io_in_control[5] && (io_in_data[47 : 40] == 8'hfd));
  assign lanes_5_known_0 = (lanes_5_character == 8'h07);
  assign lanes_5_known_1 = (lanes_5_character == 8'h1c);
  assign lanes_5_known_2 = (lanes_5_character == 8'h3c);
  assign lanes_5_known_3 = (lanes_5_character == 8'h7c);
  assign lanes_5_known_4 = (lanes_5_character == 8'hbc);
  assign lanes_5_known_5 = (lanes_5_character == 8'hdc);
  assign lanes_5_known_6 = (lanes_5_character == 8'hf7);
  assign lanes_5_known_7 = (lanes_5_character == 8'hfe);
  assign lanes_5_isCode = (io_in_control[5] && (|{lanes_5_known_7,{lanes_5_known_6,{lanes_5_known_5,{lanes_5_known_4,{lanes_5_known_3,{lanes_5_known_2,{lanes_5_known_1,lanes_5_known_0}}}}}}}));
  assign lanes_5_isError = (io_in_control[5] && (io_in_data[47 : 40] == 8'hfe));
  assign lanes_5_code = (((((((_zz_lanes_5_code | _zz_lanes_5_code_1) | (lanes_5_known_2 ? _zz_lanes_5_code_2 : _zz_lanes_5_code_3)) | (lanes_5_known_3 ? 7'h4b : 7'h0)) | (lanes_5_known_4 ? 7'h55 : 7'h0)) | (lanes_5_known_5 ? 7'h66 : 7'h0)) | (lanes_5_known_6 ? 7'h78 : 7'h0)) | (lanes_5_known_7 ? 7'h1e : 7'h0));
  assign lanes_6_character = io_in_data[55 : 48];
  assign lanes_6_isData = (! io_in_control[6]);
  assign lanes_6_isTerminate = (io_in_control[6] && (io_in_data[55 : 48] == 8'hfd));
  assign lanes_6_known_0 = (lanes_6_character == 8'h07);
  assign lanes_6_known_1 = (lanes_6_character == 8'h1c);
  assign lanes_6_known_2 = (lanes_6_character == 8'h3c);
  assign lanes_6_known_3 = (lanes_6_character == 8'h7c);
  assign lanes_6_known_4 = (lanes_6_character == 8'hbc);
  assign lanes_6_known_5 = (lanes_6_character == 8'hdc);
  assign lanes_6_known_6 = (lanes_6_character == 8'hf7);
  assign lanes_6_known_7 = (lanes_6_character == 8'hfe);
  assign lanes_6_isCode = (io_in_control[6] && (|{lanes_6_known_7,{lanes_6_known_6,{lanes_6_known_5,{lanes_6_known_4,{lanes_6_known_3,{lanes_6_known_2,{lanes_6_known_1,lanes_6_known_0}}}}}}}));
  assign lanes_6_isError = (io_in_control[6] && (io_in_data[55 : 48] == 8'hfe));
  assign lanes_6_code = (((((((_zz_lanes_6_code | _zz_lanes_6_code_1) | (lanes_6_known_2 ? _zz_lanes_6_code_2 : _zz_lanes_6_code_3)) | (lanes_6_known_3 ? 7'h4b : 7'h0)) | (lanes_6_known_4 ? 7'h55 : 7'h0)) | (lanes_6_known_5 ? 7'h66 : 7'h0)) | (lanes_6_known_6 ? 7'h78 : 7'h0)) | (lanes_6_known_7 ? 7'h1e : 7'h0));
  assign lanes_7_character = io_in_data[63 : 56];
  assign lanes_7_isData = (! io_in_control[7]);
  assign lanes_7_isTerminate = (io_in_control[7] && (io_in_data[63 : 56] == 8'hfd));
  assign lanes_7_known_0 = (lanes_7_character == 8'h07);
  assign lanes_7_known_1 = (lanes_7_character == 8'h1c);
  assign lanes_7_known_2 = (lanes_7_character == 8'h3c);
  assign lanes_7_known_3 = (lanes_7_character == 8'h7c);
  assign lanes_7_known_4 = (lanes_7_character == 8'hbc);
  assign lanes_7_known_5 = (lanes_7_character == 8'hdc);
  assign lanes_7_known_6 = (lanes_7_character == 8'hf7);
  assign lanes_7_known_7 = (lanes_7_character == 8'hfe);
  assign lanes_7_isCode = (io_in_control[7] && (|{lanes_7_known_7,{lanes_7_known_6,{lanes_7_known_5,{lanes_7_known_4,{lanes_7_known_3,{lanes_7_known_2,{lanes_7_known_1,lanes_7_known_0}}}}}}}));
  assign lanes_7_isError = (io_in_control[7] && (io_in_data[63 : 56] == 8'hfe));
  assign lanes_7_code = (((((((_zz_lanes_7_code | _zz_lanes_7_code_1) | (lanes_7_known_2 ? _zz_lanes_7_code_2 : _zz_lanes_7_code_3)) | (lanes_7_known_3 ? 7'h4b : 7'h0)) | (lanes_7_known_4 ? 7'h55 : 7'h0)) | (lanes_7_known_5 ? 7'h66 : 7'h0)) | (lanes_7_known_6 ? 7'h78 : 7'h0)) | (lanes_7_known_7 ? 7'h1e : 7'h0));
  assign low = (&{lanes_3_isCode,{lanes_2_isCode,{lanes_1_isCode,lanes_0_isCode}}});
  assign high = (&{lanes_7_isCode,{lanes_6_isCode,{lanes_5_isCode,lanes_4_isCode}}});
  assign orderedLow = ((|{lanes_0_ordered_1,lanes_0_ordered_0}) && (&{lanes_3_isData,{lanes_2_isData,lanes_1_isData}}));
  assign orderedHigh = ((|{lanes_4_ordered_1,lanes_4_ordered_0}) && (&{lanes_7_isData,{lanes_6_isData,lanes_5_isData}}));
  assign startHigh = (lanes_4_isStart && (&{lanes_7_isData,{lanes_6_isData,lanes_5_isData}}));
  assign _zz_kind_control = ((low && high) && (! (|{lanes_7_isError,{lanes_6_isError,{lanes_5_isError,{lanes_4_isError,{lanes_3_isError,{lanes_2_isError,{lanes_1_isError,lanes_0_isError}}}}}}})));
  assign _zz_kind_control_1 = (low && orderedHigh);
  assign _zz_kind_control_2 = (orderedLow && orderedHigh);
  assign _zz_kind_control_3 = (orderedLow && high);
  assign _zz_kind_start = (low && startHigh);
  assign _zz_kind_start_1 = (orderedLow && startHigh);
  assign _zz_kind_start_2 = (lanes_0_isStart && (&{lanes_7_isData,{lanes_6_isData,{lanes_5_isData,{lanes_4_isData,{lanes_3_isData,{lanes_2_isData,lanes_1_isData}}}}}}));
  assign _zz_kind_terminate = ((1'b1 && lanes_0_isTerminate) && (&{lanes_7_isCode,{lanes_6_isCode,{lanes_5_isCode,{lanes_4_isCode,{lanes_3_isCode,{lanes_2_isCode,lanes_1_isCode}}}}}}));
  assign _zz_kind_terminate_1 = (((&lanes_0_isData) && lanes_1_isTerminate) && (&{lanes_7_isCode,{lanes_6_isCode,{lanes_5_isCode,{lanes_4_isCode,{lanes_3_isCode,lanes_2_isCode}}}}}));
  assign _zz_kind_terminate_2 = (((&{lanes_1_isData,lanes_0_isData}) && lanes_2_isTerminate) && (&{lanes_7_isCode,{lanes_6_isCode,{lanes_5_isCode,{lanes_4_isCode,lanes_3_isCode}}}}));
  assign _zz_kind_terminate_3 = (((&{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}) && lanes_3_isTerminate) && (&{lanes_7_isCode,{lanes_6_isCode,{lanes_5_isCode,lanes_4_isCode}}}));
  assign _zz_kind_terminate_4 = (((&{lanes_3_isData,{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}}) && lanes_4_isTerminate) && (&{lanes_7_isCode,{lanes_6_isCode,lanes_5_isCode}}));
  assign _zz_kind_terminate_5 = (((&{lanes_4_isData,{lanes_3_isData,{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}}}) && lanes_5_isTerminate) && (&{lanes_7_isCode,lanes_6_isCode}));
  assign _zz_kind_terminate_6 = (((&{lanes_5_isData,{lanes_4_isData,{lanes_3_isData,{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}}}}) && lanes_6_isTerminate) && (&lanes_7_isCode));
  assign _zz_kind_terminate_7 = (((&{lanes_6_isData,{lanes_5_isData,{lanes_4_isData,{lanes_3_isData,{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}}}}}) && lanes_7_isTerminate) && 1'b1);
  assign kind_control = (|{_zz_kind_control_3,{_zz_kind_control_2,{_zz_kind_control_1,_zz_kind_control}}});
  assign kind_start = (|{_zz_kind_start_2,{_zz_kind_start_1,_zz_kind_start}});
  assign kind_terminate = (|{_zz_kind_terminate_7,{_zz_kind_terminate_6,{_zz_kind_terminate_5,{_zz_kind_terminate_4,{_zz_kind_terminate_3,{_zz_kind_terminate_2,{_zz_kind_terminate_1,_zz_kind_terminate}}}}}}});
  assign kind_data = (&{lanes_7_isData,{lanes_6_isData,{lanes_5_isData,{lanes_4_isData,{lanes_3_isData,{lanes_2_isData,{lanes_1_isData,lanes_0_isData}}}}}}});
  assign state_ends = (kind_terminate && 1'b1);
  assign state_inFrame = (state_inside || state_error);
  assign state_passes = (state_inFrame ? ((kind_data || state_ends) || (kind_control && state_error)) : (kind_control || kind_start));
  assign state_advance = 1'b1;
  assign state_clear = 1'b0;
  always @(*) begin
    _zz_payloads_0 = 64'h000000000000001e;
    _zz_payloads_0[14 : 8] = lanes_0_code;
    _zz_payloads_0[21 : 15] = lanes_1_code;
    _zz_payloads_0[28 : 22] = lanes_2_code;
    _zz_payloads_0[35 : 29] = lanes_3_code;
    _zz_payloads_0[42 : 36] = lanes_4_code;
    _zz_payloads_0[49 : 43] = lanes_5_code;
    _zz_payloads_0[56 : 50] = lanes_6_code;
    _zz_payloads_0[63 : 57] = lanes_7_code;
  end

  assign payloads_0 = (_zz_kind_control ? _zz_payloads_0 : 64'h0);
  always @(*) begin
    _zz_payloads_1 = 64'h000000000000002d;
    _zz_payloads_1[14 : 8] = lanes_0_code;
    _zz_payloads_1[21 : 15] = lanes_1_code;
    _zz_payloads_1[28 : 22] = lanes_2_code;
    _zz_payloads_1[35 : 29] = lanes_3_code;
    _zz_payloads_1[39 : 36] = lanes_4_orderedCode;
    _zz_payloads_1[47 : 40] = io_in_data[47 : 40];
    _zz_payloads_1[55 : 48] = io_in_data[55 : 48];
    _zz_payloads_1[63 : 56] = io_in_data[63 : 56];
  end

  assign payloads_1 = (_zz_kind_control_1 ? _zz_payloads_1 : 64'h0);
  always @(*) begin
    _zz_payloads_2 = 64'h0000000000000055;
    _zz_payloads_2[35 : 32] = lanes_0_orderedCode;
    _zz_payloads_2[15 : 8] = io_in_data[15 : 8];
    _zz_payloads_2[23 : 16] = io_in_data[23 : 16];
    _zz_payloads_2[31 : 24] = io_in_data[31 : 24];
    _zz_payloads_2[39 : 36] = lanes_4_orderedCode;
    _zz_payloads_2[47 : 40] = io_in_data[47 : 40];
    _zz_payloads_2[55 : 48] = io_in_data[55 : 48];
    _zz_payloads_2[63 : 56] = io_in_data[63 : 56];
  end

  assign payloads_2 = (_zz_kind_control_2 ? _zz_payloads_2 : 64'h0);
  always @(*) begin
    _zz_payloads_3 = 64'h000000000000004b;
    _zz_payloads_3[35 : 32] = lanes_0_orderedCode;
    _zz_payloads_3[15 : 8] = io_in_data[15 : 8];
    _zz_payloads_3[23 : 16] = io_in_data[23 : 16];
    _zz_payloads_3[31 : 24] = io_in_data[31 : 24];
    _zz_payloads_3[42 : 36] = lanes_4_code;
    _zz_payloads_3[49 : 43] = lanes_5_code;
    _zz_payloads_3[56 : 50] = lanes_6_code;
    _zz_payloads_3[63 : 57] = lanes_7_code;
  end

  assign payloads_3 = (_zz_kind_control_3 ? _zz_payloads_3 : 64'h0);
  always @(*) begin
    _zz_payloads_4 = 64'h0000000000000033;
    _zz_payloads_4[14 : 8] = lanes_0_code;
    _zz_payloads_4[21 : 15] = lanes_1_code;
    _zz_payloads_4[28 : 22] = lanes_2_code;
    _zz_payloads_4[35 : 29] = lanes_3_code;
    _zz_payloads_4[47 : 40] = io_in_data[47 : 40];
    _zz_payloads_4[55 : 48] = io_in_data[55 : 48];
    _zz_payloads_4[63 : 56] = io_in_data[63 : 56];
  end

  assign payloads_4 = (_zz_kind_start ? _zz_payloads_4 : 64'h0);
  always @(*) begin
    _zz_payloads_5 = 64'h0000000000000066;
    _zz_payloads_5[35 : 32] = lanes_0_orderedCode;
    _zz_payloads_5[15 : 8] = io_in_data[15 : 8];
    _zz_payloads_5[23 : 16] = io_in_data[23 : 16];
    _zz_payloads_5[31 : 24] = io_in_data[31 : 24];
    _zz_payloads_5[47 : 40] = io_in_data[47 : 40];
    _zz_payloads_5[55 : 48] = io_in_data[55 : 48];
    _zz_payloads_5[63 : 56] = io_in_data[63 : 56];
  end

  assign payloads_5 = (_zz_kind_start_1 ? _zz_payloads_5 : 64'h0);
  always @(*) begin
    _zz_payloads_6 = 64'h0000000000000078;
    _zz_payloads_6[15 : 8] = io_in_data[15 : 8];
    _zz_payloads_6[23 : 16] = io_in_data[23 : 16];
    _zz_payloads_6[31 : 24] = io_in_data[31 : 24];
    _zz_payloads_6[39 : 32] = io_in_data[39 : 32];
    _zz_payloads_6[47 : 40] = io_in_data[47 : 40];
    _zz_payloads_6[55 : 48] = io_in_data[55 : 48];
    _zz_payloads_6[63 : 56] = io_in_data[63 : 56];
  end

  assign payloads_6 = (_zz_kind_start_2 ? _zz_payloads_6 : 64'h0);
  always @(*) begin
    _zz_payloads_7 = 64'h0000000000000087;
    _zz_payloads_7[21 : 15] = lanes_1_code;
    _zz_payloads_7[28 : 22] = lanes_2_code;
    _zz_payloads_7[35 : 29] = lanes_3_code;
    _zz_payloads_7[42 : 36] = lanes_4_code;
    _zz_payloads_7[49 : 43] = lanes_5_code;
    _zz_payloads_7[56 : 50] = lanes_6_code;
    _zz_payloads_7[63 : 57] = lanes_7_code;
  end

  assign payloads_7 = (_zz_kind_terminate ? _zz_payloads_7 : 64'h0);
  always @(*) begin
    _zz_payloads_8 = 64'h0000000000000099;
    _zz_payloads_8[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_8[28 : 22] = lanes_2_code;
    _zz_payloads_8[35 : 29] = lanes_3_code;
    _zz_payloads_8[42 : 36] = lanes_4_code;
    _zz_payloads_8[49 : 43] = lanes_5_code;
    _zz_payloads_8[56 : 50] = lanes_6_code;
    _zz_payloads_8[63 : 57] = lanes_7_code;
  end

  assign payloads_8 = (_zz_kind_terminate_1 ? _zz_payloads_8 : 64'h0);
  always @(*) begin
    _zz_payloads_9 = 64'h00000000000000aa;
    _zz_payloads_9[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_9[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_9[35 : 29] = lanes_3_code;
    _zz_payloads_9[42 : 36] = lanes_4_code;
    _zz_payloads_9[49 : 43] = lanes_5_code;
    _zz_payloads_9[56 : 50] = lanes_6_code;
    _zz_payloads_9[63 : 57] = lanes_7_code;
  end

  assign payloads_9 = (_zz_kind_terminate_2 ? _zz_payloads_9 : 64'h0);
  always @(*) begin
    _zz_payloads_10 = 64'h00000000000000b4;
    _zz_payloads_10[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_10[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_10[31 : 24] = io_in_data[23 : 16];
    _zz_payloads_10[42 : 36] = lanes_4_code;
    _zz_payloads_10[49 : 43] = lanes_5_code;
    _zz_payloads_10[56 : 50] = lanes_6_code;
    _zz_payloads_10[63 : 57] = lanes_7_code;
  end

  assign payloads_10 = (_zz_kind_terminate_3 ? _zz_payloads_10 : 64'h0);
  always @(*) begin
    _zz_payloads_11 = 64'h00000000000000cc;
    _zz_payloads_11[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_11[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_11[31 : 24] = io_in_data[23 : 16];
    _zz_payloads_11[39 : 32] = io_in_data[31 : 24];
    _zz_payloads_11[49 : 43] = lanes_5_code;
    _zz_payloads_11[56 : 50] = lanes_6_code;
    _zz_payloads_11[63 : 57] = lanes_7_code;
  end

  assign payloads_11 = (_zz_kind_terminate_4 ? _zz_payloads_11 : 64'h0);
  always @(*) begin
    _zz_payloads_12 = 64'h00000000000000d2;
    _zz_payloads_12[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_12[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_12[31 : 24] = io_in_data[23 : 16];
    _zz_payloads_12[39 : 32] = io_in_data[31 : 24];
    _zz_payloads_12[47 : 40] = io_in_data[39 : 32];
    _zz_payloads_12[56 : 50] = lanes_6_code;
    _zz_payloads_12[63 : 57] = lanes_7_code;
  end

  assign payloads_12 = (_zz_kind_terminate_5 ? _zz_payloads_12 : 64'h0);
  always @(*) begin
    _zz_payloads_13 = 64'h00000000000000e1;
    _zz_payloads_13[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_13[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_13[31 : 24] = io_in_data[23 : 16];
    _zz_payloads_13[39 : 32] = io_in_data[31 : 24];
    _zz_payloads_13[47 : 40] = io_in_data[39 : 32];
    _zz_payloads_13[55 : 48] = io_in_data[47 : 40];
    _zz_payloads_13[63 : 57] = lanes_7_code;
  end

  assign payloads_13 = (_zz_kind_terminate_6 ? _zz_payloads_13 : 64'h0);
  always @(*) begin
    _zz_payloads_14 = 64'h00000000000000ff;
    _zz_payloads_14[15 : 8] = io_in_data[7 : 0];
    _zz_payloads_14[23 : 16] = io_in_data[15 : 8];
    _zz_payloads_14[31 : 24] = io_in_data[23 : 16];
    _zz_payloads_14[39 : 32] = io_in_data[31 : 24];
    _zz_payloads_14[47 : 40] = io_in_data[39 : 32];
    _zz_payloads_14[55 : 48] = io_in_data[47 : 40];
    _zz_payloads_14[63 : 56] = io_in_data[55 : 48];
  end

  assign payloads_14 = (_zz_kind_terminate_7 ? _zz_payloads_14 : 64'h0);
  assign io_out_header = block_header;
  assign io_out_data = block_data;
  always @(posedge tx_clock) begin
    if(txReset) begin
      state_inside <= 1'b0;
      state_error <= 1'b0;
      block_header <= 2'b01;
    end else begin
      if(state_advance) begin
        state_inside <= (state_passes && (kind_data || kind_start));
        state_error <= (! state_passes);
      end
      if(state_clear) begin
        state_inside <= 1'b0;
        state_error <= 1'b0;
      end
      if(_zz_when) begin
        block_header <= 2'b01;
      end else begin
        if(kind_data) begin
          block_header <= 2'b10;
        end else begin
          block_header <= 2'b01;
        end
      end
    end
  end

  always @(posedge tx_clock) begin
    if(_zz_when) begin
      block_data <= 64'h3c78f1e3c78f1e1e;
    end else begin
      if(kind_data) begin
        block_data <= io_in_data;
      end else begin
        block_data <= ((((payloads_0 | payloads_1) | (payloads_2 | payloads_3)) | ((payloads_4 | payloads_5) | (payloads_6 | payloads_7))) | (((payloads_8 | payloads_9) | (payloads_10 | payloads_11)) | ((payloads_12 | payloads_13) | payloads_14)));
      end
    end
  end


endmodule

module FrameGap (
  input  wire          io_ends,
  input  wire [2:0]    io_lane,
  input  wire          io_shifted,
  output wire [1:0]    io_idleWords,
  output wire          io_nextShifted,
  input  wire          tx_clock,
  input  wire          txReset
);

  wire       [2:0]    _zz_columns;
  wire       [2:0]    _zz_columns_1;
  wire       [2:0]    _zz_columns_2;
  wire       [0:0]    _zz_columns_3;
  wire       [2:0]    _zz_columns_4;
  wire       [0:0]    _zz_columns_5;
  wire       [2:0]    _zz_columns_6;
  wire       [0:0]    _zz_columns_7;
  reg        [1:0]    deficit;
  wire       [2:0]    sum;
  wire                inserts;
  wire       [2:0]    columns;

  assign _zz_columns = (_zz_columns_1 + _zz_columns_4);
  assign _zz_columns_1 = (3'b011 + _zz_columns_2);
  assign _zz_columns_3 = io_lane[2];
  assign _zz_columns_2 = {2'd0, _zz_columns_3};
  assign _zz_columns_5 = io_shifted;
  assign _zz_columns_4 = {2'd0, _zz_columns_5};
  assign _zz_columns_7 = inserts;
  assign _zz_columns_6 = {2'd0, _zz_columns_7};
  assign sum = ({1'b0,deficit} + {1'b0,io_lane[1 : 0]});
  assign inserts = sum[2];
  assign columns = (_zz_columns + _zz_columns_6);
  assign io_idleWords = (columns[2 : 1] - 2'b01);
  assign io_nextShifted = columns[0];
  always @(posedge tx_clock) begin
    if(txReset) begin
      deficit <= 2'b00;
    end else begin
      if(io_ends) begin
        deficit <= sum[1 : 0];
      end
    end
  end


endmodule

module PcsDecoder (
  input  wire          io_in_valid,
  input  wire [1:0]    io_in_payload_header,
  input  wire [63:0]   io_in_payload_data,
  input  wire          io_up,
  output wire          io_out_valid,
  output wire [63:0]   io_out_payload_data,
  output wire [7:0]    io_out_payload_control,
  output wire          io_bad,
  input  wire          rx_clock,
  input  wire          rxReset
);

  wire       [7:0]    _zz_decoded_lanes_0_character;
  wire       [7:0]    _zz_decoded_lanes_0_character_1;
  wire       [7:0]    _zz_decoded_lanes_0_character_2;
  wire       [7:0]    _zz_decoded_lanes_0_character_3;
  wire       [7:0]    _zz_decoded_lanes_1_character;
  wire       [7:0]    _zz_decoded_lanes_1_character_1;
  wire       [7:0]    _zz_decoded_lanes_1_character_2;
  wire       [7:0]    _zz_decoded_lanes_1_character_3;
  wire       [7:0]    _zz_decoded_lanes_2_character;
  wire       [7:0]    _zz_decoded_lanes_2_character_1;
  wire       [7:0]    _zz_decoded_lanes_2_character_2;
  wire       [7:0]    _zz_decoded_lanes_2_character_3;
  wire       [7:0]    _zz_decoded_lanes_3_character;
  wire       [7:0]    _zz_decoded_lanes_3_character_1;
  wire       [7:0]    _zz_decoded_lanes_3_character_2;
  wire       [7:0]    _zz_decoded_lanes_3_character_3;
  wire       [7:0]    _zz_decoded_lanes_4_character;
  wire       [7:0]    _zz_decoded_lanes_4_character_1;
  wire       [7:0]    _zz_decoded_lanes_4_character_2;
  wire       [7:0]    _zz_decoded_lanes_4_character_3;
  wire       [7:0]    _zz_decoded_lanes_5_character;
  wire       [7:0]    _zz_decoded_lanes_5_character_1;
  wire       [7:0]    _zz_decoded_lanes_5_character_2;
  wire       [7:0]    _zz_decoded_lanes_5_character_3;
  wire       [7:0]    _zz_decoded_lanes_6_character;
  wire       [7:0]    _zz_decoded_lanes_6_character_1;
  wire       [7:0]    _zz_decoded_lanes_6_character_2;
  wire       [7:0]    _zz_decoded_lanes_6_character_3;
  wire       [7:0]    _zz_decoded_lanes_7_character;
  wire       [7:0]    _zz_decoded_lanes_7_character_1;
  wire       [7:0]    _zz_decoded_lanes_7_character_2;
  wire       [7:0]    _zz_decoded_lanes_7_character_3;
  wire       [0:0]    _zz_decoded_now_kind_control;
  wire       [2:0]    _zz_decoded_now_kind_control_1;
  wire       [7:0]    _zz_decoded_now_kind_control_2;
  wire       [7:0]    _zz_decoded_now_kind_control_3;
  wire                _zz_decoded_now_kind_control_4;
  wire                _zz_decoded_now_kind_control_5;
  wire       [0:0]    _zz_decoded_now_kind_control_6;
  wire       [0:0]    _zz_decoded_now_kind_control_7;
  wire                _zz_decoded_now_kind_control_8;
  wire                _zz_decoded_now_kind_control_9;
  wire       [0:0]    _zz_decoded_now_kind_control_10;
  wire       [4:0]    _zz_decoded_now_kind_control_11;
  wire                _zz_decoded_now_kind_control_12;
  wire       [0:0]    _zz_decoded_now_kind_control_13;
  wire       [5:0]    _zz_decoded_now_kind_control_14;
  wire       [0:0]    _zz_decoded_now_kind_start;
  wire       [0:0]    _zz_decoded_now_kind_start_1;
  wire       [7:0]    _zz_decoded_now_kind_terminate;
  wire       [7:0]    _zz_decoded_now_kind_terminate_1;
  wire                _zz_decoded_now_kind_terminate_2;
  wire       [1:0]    _zz_decoded_now_kind_terminate_3;
  wire                _zz_decoded_now_kind_terminate_4;
  wire                _zz_decoded_now_kind_terminate_5;
  wire       [0:0]    _zz_decoded_now_kind_terminate_6;
  wire       [0:0]    _zz_decoded_now_kind_terminate_7;
  wire                _zz_decoded_now_kind_terminate_8;
  wire       [7:0]    _zz_decoded_now_kind_terminate_9;
  wire       [7:0]    _zz_decoded_now_kind_terminate_10;
  wire       [0:0]    _zz_decoded_now_kind_terminate_11;
  wire       [2:0]    _zz_decoded_now_kind_terminate_12;
  wire       [0:0]    _zz_decoded_now_kind_terminate_13;
  wire                _zz_decoded_now_kind_terminate_14;
  wire       [4:0]    _zz_decoded_now_kind_terminate_15;
  wire       [0:0]    _zz_decoded_now_kind_terminate_16;
  wire       [0:0]    _zz_decoded_now_kind_terminate_17;
  wire       [1:0]    _zz_decoded_now_kind_terminate_18;
  wire                _zz_decoded_now_kind_terminate_19;
  wire                _zz_decoded_now_kind_terminate_20;
  wire       [0:0]    _zz_decoded_now_kind_terminate_21;
  wire       [2:0]    _zz_decoded_now_kind_terminate_22;
  wire                _zz_decoded_now_kind_terminate_23;
  wire                _zz_decoded_now_kind_terminate_24;
  wire       [0:0]    _zz_decoded_now_kind_terminate_25;
  wire       [3:0]    _zz_decoded_now_kind_terminate_26;
  wire                decoded_lanes_0_known_0;
  wire                decoded_lanes_0_known_1;
  wire                decoded_lanes_0_known_2;
  wire                decoded_lanes_0_known_3;
  wire                decoded_lanes_0_known_4;
  wire                decoded_lanes_0_known_5;
  wire                decoded_lanes_0_known_6;
  wire                decoded_lanes_0_known_7;
  wire                decoded_lanes_0_isCode;
  wire                decoded_lanes_0_isError;
  wire       [7:0]    decoded_lanes_0_character;
  wire                decoded_lanes_1_known_0;
  wire                decoded_lanes_1_known_1;
  wire                decoded_lanes_1_known_2;
  wire                decoded_lanes_1_known_3;
  wire                decoded_lanes_1_known_4;
  wire                decoded_lanes_1_known_5;
  wire                decoded_lanes_1_known_6;
  wire                decoded_lanes_1_known_7;
  wire                decoded_lanes_1_isCode;
  wire                decoded_lanes_1_isError;
  wire       [7:0]    decoded_lanes_1_character;
  wire                decoded_lanes_2_known_0;
  wire                decoded_lanes_2_known_1;
  wire                decoded_lanes_2_known_2;
  wire                decoded_lanes_2_known_3;
  wire                decoded_lanes_2_known_4;
  wire                decoded_lanes_2_known_5;
  wire                decoded_lanes_2_known_6;
  wire                decoded_lanes_2_known_7;
  wire                decoded_lanes_2_isCode;
  wire                decoded_lanes_2_isError;
  wire       [7:0]    decoded_lanes_2_character;
  wire                decoded_lanes_3_known_0;
  wire                decoded_lanes_3_known_1;
  wire                decoded_lanes_3_known_2;
  wire                decoded_lanes_3_known_3;
  wire                decoded_lanes_3_known_4;
  wire                decoded_lanes_3_known_5;
  wire                decoded_lanes_3_known_6;
  wire                decoded_lanes_3_known_7;
  wire                decoded_lanes_3_isCode;
  wire                decoded_lanes_3_isError;
  wire       [7:0]    decoded_lanes_3_character;
  wire                decoded_lanes_4_known_0;
  wire                decoded_lanes_4_known_1;
  wire                decoded_lanes_4_known_2;
  wire                decoded_lanes_4_known_3;
  wire                decoded_lanes_4_known_4;
  wire                decoded_lanes_4_known_5;
  wire                decoded_lanes_4_known_6;
  wire                decoded_lanes_4_known_7;
  wire                decoded_lanes_4_isCode;
  wire                decoded_lanes_4_isError;
  wire       [7:0]    decoded_lanes_4_character;
  wire                decoded_lanes_5_known_0;
  wire                decoded_lanes_5_known_1;
  wire                decoded_lanes_5_known_2;
  wire                decoded_lanes_5_known_3;
  wire                decoded_lanes_5_known_4;
  wire                decoded_lanes_5_known_5;
  wire                decoded_lanes_5_known_6;
  wire                decoded_lanes_5_known_7;
  wire                decoded_lanes_5_isCode;
  wire                decoded_lanes_5_isError;
  wire       [7:0]    decoded_lanes_5_character;
  wire                decoded_lanes_6_known_0;
  wire                decoded_lanes_6_known_1;
  wire                decoded_lanes_6_known_2;
  wire                decoded_lanes_6_known_3;
  wire                decoded_lanes_6_known_4;
  wire                decoded_lanes_6_known_5;
  wire                decoded_lanes_6_known_6;
  wire                decoded_lanes_6_known_7;
  wire                decoded_lanes_6_isCode;
  wire                decoded_lanes_6_isError;
  wire       [7:0]    decoded_lanes_6_character;
  wire                decoded_lanes_7_known_0;
  wire                decoded_lanes_7_known_1;
  wire                decoded_lanes_7_known_2;
  wire                decoded_lanes_7_known_3;
  wire                decoded_lanes_7_known_4;
  wire                decoded_lanes_7_known_5;
  wire                decoded_lanes_7_known_6;
  wire                decoded_lanes_7_known_7;
  wire                decoded_lanes_7_isCode;
  wire                decoded_lanes_7_isError;
  wire       [7:0]    decoded_lanes_7_character;
  wire                decoded_low_is_0;
  wire                decoded_low_is_1;
  wire                decoded_low_known;
  wire       [7:0]    decoded_low_first;
  wire       [7:0]    decoded_low_characters_1_1;
  wire       [7:0]    decoded_low_characters_2_1;
  wire       [7:0]    decoded_low_characters_3_1;
  wire                decoded_high_is_0;
  wire                decoded_high_is_1;
  wire                decoded_high_known;
  wire       [7:0]    decoded_high_first;
  wire       [7:0]    decoded_high_characters_1_1;
  wire       [7:0]    decoded_high_characters_2_1;
  wire       [7:0]    decoded_high_characters_3_1;
  wire       [7:0]    decoded_startHigh_0_1;
  wire       [7:0]    decoded_startHigh_1_1;
  wire       [7:0]    decoded_startHigh_2_1;
  wire       [7:0]    decoded_startHigh_3_1;
  wire                decoded_isControl;
  wire                decoded_now_kind_control;
  wire                decoded_now_kind_start;
  wire                decoded_now_kind_terminate;
  wire                decoded_now_kind_data;
  wire       [63:0]   decoded_now_word_data;
  wire       [7:0]    decoded_now_word_control;
  wire       [63:0]   decoded_words_0_0;
  wire       [7:0]    decoded_words_0_1;
  wire       [63:0]   decoded_words_1_0;
  wire       [7:0]    decoded_words_1_1;
  wire       [63:0]   decoded_words_2_0;
  wire       [7:0]    decoded_words_2_1;
  wire       [63:0]   decoded_words_3_0;
  wire       [7:0]    decoded_words_3_1;
  wire       [63:0]   decoded_words_4_0;
  wire       [7:0]    decoded_words_4_1;
  wire       [63:0]   decoded_words_5_0;
  wire       [7:0]    decoded_words_5_1;
  wire       [63:0]   decoded_words_6_0;
  wire       [7:0]    decoded_words_6_1;
  wire       [63:0]   decoded_words_7_0;
  wire       [7:0]    decoded_words_7_1;
  wire       [63:0]   decoded_words_8_0;
  wire       [7:0]    decoded_words_8_1;
  wire       [63:0]   decoded_words_9_0;
  wire       [7:0]    decoded_words_9_1;
  wire       [63:0]   decoded_words_10_0;
  wire       [7:0]    decoded_words_10_1;
  wire       [63:0]   decoded_words_11_0;
  wire       [7:0]    decoded_words_11_1;
  wire       [63:0]   decoded_words_12_0;
  wire       [7:0]    decoded_words_12_1;
  wire       [63:0]   decoded_words_13_0;
  wire       [7:0]    decoded_words_13_1;
  wire       [63:0]   decoded_words_14_0;
  wire       [7:0]    decoded_words_14_1;
  reg                 next_kind_control;
  reg                 next_kind_start;
  reg                 next_kind_terminate;
  reg                 next_kind_data;
  reg        [63:0]   next_word_data;
  reg        [7:0]    next_word_control;
  reg                 current_kind_control;
  reg                 current_kind_start;
  reg                 current_kind_terminate;
  reg                 current_kind_data;
  reg        [63:0]   current_word_data;
  reg        [7:0]    current_word_control;
  wire                state_advance;
  wire                state_clear;
  reg                 state_inside;
  reg                 state_error;
  wire                state_ends;
  wire                state_inFrame;
  wire                state_passes;
  reg        [1:0]    held;
  wire                leaves;
  reg                 out_valid;
  reg        [63:0]   out_payload_data;
  reg        [7:0]    out_payload_control;
  reg                 _zz_io_bad;

  assign _zz_decoded_lanes_0_character = (decoded_lanes_0_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_0_character_1 = (decoded_lanes_0_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_0_character_2 = 8'h3c;
  assign _zz_decoded_lanes_0_character_3 = 8'h0;
  assign _zz_decoded_lanes_1_character = (decoded_lanes_1_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_1_character_1 = (decoded_lanes_1_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_1_character_2 = 8'h3c;
  assign _zz_decoded_lanes_1_character_3 = 8'h0;
  assign _zz_decoded_lanes_2_character = (decoded_lanes_2_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_2_character_1 = (decoded_lanes_2_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_2_character_2 = 8'h3c;
  assign _zz_decoded_lanes_2_character_3 = 8'h0;
  assign _zz_decoded_lanes_3_character = (decoded_lanes_3_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_3_character_1 = (decoded_lanes_3_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_3_character_2 = 8'h3c;
  assign _zz_decoded_lanes_3_character_3 = 8'h0;
  assign _zz_decoded_lanes_4_character = (decoded_lanes_4_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_4_character_1 = (decoded_lanes_4_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_4_character_2 = 8'h3c;
  assign _zz_decoded_lanes_4_character_3 = 8'h0;
  assign _zz_decoded_lanes_5_character = (decoded_lanes_5_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_5_character_1 = (decoded_lanes_5_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_5_character_2 = 8'h3c;
  assign _zz_decoded_lanes_5_character_3 = 8'h0;
  assign _zz_decoded_lanes_6_character = (decoded_lanes_6_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_6_character_1 = (decoded_lanes_6_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_6_character_2 = 8'h3c;
  assign _zz_decoded_lanes_6_character_3 = 8'h0;
  assign _zz_decoded_lanes_7_character = (decoded_lanes_7_known_0 ? 8'h07 : 8'h0);
  assign _zz_decoded_lanes_7_character_1 = (decoded_lanes_7_known_1 ? 8'h1c : 8'h0);
  assign _zz_decoded_lanes_7_character_2 = 8'h3c;
  assign _zz_decoded_lanes_7_character_3 = 8'h0;
  assign _zz_decoded_now_kind_control = decoded_lanes_7_isCode;
  assign _zz_decoded_now_kind_control_1 = {decoded_lanes_6_isCode,{decoded_lanes_5_isCode,decoded_lanes_4_isCode}};
  assign _zz_decoded_now_kind_control_2 = io_in_payload_data[7 : 0];
  assign _zz_decoded_now_kind_control_3 = 8'h55;
  assign _zz_decoded_now_kind_control_4 = (io_in_payload_data[7 : 0] == 8'h2d);
  assign _zz_decoded_now_kind_control_5 = (&{decoded_lanes_3_isCode,{decoded_lanes_2_isCode,{_zz_decoded_now_kind_control_6,_zz_decoded_now_kind_control_7}}});
  assign _zz_decoded_now_kind_control_8 = (io_in_payload_data[7 : 0] == 8'h1e);
  assign _zz_decoded_now_kind_control_9 = (&{decoded_lanes_7_isCode,{decoded_lanes_6_isCode,{_zz_decoded_now_kind_control_10,_zz_decoded_now_kind_control_11}}});
  assign _zz_decoded_now_kind_control_12 = (! (|{decoded_lanes_7_isError,{_zz_decoded_now_kind_control_13,_zz_decoded_now_kind_control_14}}));
  assign _zz_decoded_now_kind_control_6 = decoded_lanes_1_isCode;
  assign _zz_decoded_now_kind_control_7 = decoded_lanes_0_isCode;
  assign _zz_decoded_now_kind_control_10 = decoded_lanes_5_isCode;
  assign _zz_decoded_now_kind_control_11 = {decoded_lanes_4_isCode,{decoded_lanes_3_isCode,{decoded_lanes_2_isCode,{decoded_lanes_1_isCode,decoded_lanes_0_isCode}}}};
  assign _zz_decoded_now_kind_control_13 = decoded_lanes_6_isError;
  assign _zz_decoded_now_kind_control_14 = {decoded_lanes_5_isError,{decoded_lanes_4_isError,{decoded_lanes_3_isError,{decoded_lanes_2_isError,{decoded_lanes_1_isError,decoded_lanes_0_isError}}}}};
  assign _zz_decoded_now_kind_start = decoded_lanes_1_isCode;
  assign _zz_decoded_now_kind_start_1 = decoded_lanes_0_isCode;
  assign _zz_decoded_now_kind_terminate = io_in_payload_data[7 : 0];
  assign _zz_decoded_now_kind_terminate_1 = 8'he1;
  assign _zz_decoded_now_kind_terminate_2 = (io_in_payload_data[7 : 0] == 8'hd2);
  assign _zz_decoded_now_kind_terminate_3 = {decoded_lanes_7_isCode,decoded_lanes_6_isCode};
  assign _zz_decoded_now_kind_terminate_4 = (decoded_isControl && (io_in_payload_data[7 : 0] == 8'hcc));
  assign _zz_decoded_now_kind_terminate_5 = (&{decoded_lanes_7_isCode,{_zz_decoded_now_kind_terminate_6,_zz_decoded_now_kind_terminate_7}});
  assign _zz_decoded_now_kind_terminate_8 = ((decoded_isControl && (_zz_decoded_now_kind_terminate_9 == _zz_decoded_now_kind_terminate_10)) && (&{_zz_decoded_now_kind_terminate_11,_zz_decoded_now_kind_terminate_12}));
  assign _zz_decoded_now_kind_terminate_13 = ((decoded_isControl && _zz_decoded_now_kind_terminate_14) && (&_zz_decoded_now_kind_terminate_15));
  assign _zz_decoded_now_kind_terminate_18 = {(_zz_decoded_now_kind_terminate_19 && _zz_decoded_now_kind_terminate_20),(_zz_decoded_now_kind_terminate_23 && _zz_decoded_now_kind_terminate_24)};
  assign _zz_decoded_now_kind_terminate_6 = decoded_lanes_6_isCode;
  assign _zz_decoded_now_kind_terminate_7 = decoded_lanes_5_isCode;
  assign _zz_decoded_now_kind_terminate_9 = io_in_payload_data[7 : 0];
  assign _zz_decoded_now_kind_terminate_10 = 8'hb4;
  assign _zz_decoded_now_kind_terminate_11 = decoded_lanes_7_isCode;
  assign _zz_decoded_now_kind_terminate_12 = {decoded_lanes_6_isCode,{decoded_lanes_5_isCode,decoded_lanes_4_isCode}};
  assign _zz_decoded_now_kind_terminate_14 = (io_in_payload_data[7 : 0] == 8'haa);
  assign _zz_decoded_now_kind_terminate_15 = {decoded_lanes_7_isCode,{decoded_lanes_6_isCode,{decoded_lanes_5_isCode,{_zz_decoded_now_kind_terminate_16,_zz_decoded_now_kind_terminate_17}}}};
  assign _zz_decoded_now_kind_terminate_19 = (decoded_isControl && (io_in_payload_data[7 : 0] == 8'h99));
  assign _zz_decoded_now_kind_terminate_20 = (&{decoded_lanes_7_isCode,{decoded_lanes_6_isCode,{_zz_decoded_now_kind_terminate_21,_zz_decoded_now_kind_terminate_22}}});
  assign _zz_decoded_now_kind_terminate_23 = (decoded_isControl && (io_in_payload_data[7 : 0] == 8'h87));
  assign _zz_decoded_now_kind_terminate_24 = (&{decoded_lanes_7_isCode,{decoded_lanes_6_isCode,{_zz_decoded_now_kind_terminate_25,_zz_decoded_now_kind_terminate_26}}});
  assign _zz_decoded_now_kind_terminate_16 = decoded_lanes_4_isCode;
  assign _zz_decoded_now_kind_terminate_17 = decoded_lanes_3_isCode;
  assign _zz_decoded_now_kind_terminate_21 = decoded_lanes_5_isCode;
  assign _zz_decoded_now_kind_terminate_22 = {decoded_lanes_4_isCode,{decoded_lanes_3_isCode,decoded_lanes_2_isCode}};
  assign _zz_decoded_now_kind_terminate_25 = decoded_lanes_5_isCode;
  assign _zz_decoded_now_kind_terminate_26 = {decoded_lanes_4_isCode,{decoded_lanes_3_isCode,{decoded_lanes_2_isCode,decoded_lanes_1_isCode}}};
  assign decoded_lanes_0_known_0 = (io_in_payload_data[14 : 8] == 7'h0);
  assign decoded_lanes_0_known_1 = (io_in_payload_data[14 : 8] == 7'h2d);
  assign decoded_lanes_0_known_2 = (io_in_payload_data[14 : 8] == 7'h33);
  assign decoded_lanes_0_known_3 = (io_in_payload_data[14 : 8] == 7'h4b);
  assign decoded_lanes_0_known_4 = (io_in_payload_data[14 : 8] == 7'h55);
  assign decoded_lanes_0_known_5 = (io_in_payload_data[14 : 8] == 7'h66);
  assign decoded_lanes_0_known_6 = (io_in_payload_data[14 : 8] == 7'h78);
  assign decoded_lanes_0_known_7 = (io_in_payload_data[14 : 8] == 7'h1e);
  assign decoded_lanes_0_isCode = (|{decoded_lanes_0_known_7,{decoded_lanes_0_known_6,{decoded_lanes_0_known_5,{decoded_lanes_0_known_4,{decoded_lanes_0_known_3,{decoded_lanes_0_known_2,{decoded_lanes_0_known_1,decoded_lanes_0_known_0}}}}}}});
  assign decoded_lanes_0_isError = (io_in_payload_data[14 : 8] == 7'h1e);
  assign decoded_lanes_0_character = (((((((_zz_decoded_lanes_0_character | _zz_decoded_lanes_0_character_1) | (decoded_lanes_0_known_2 ? _zz_decoded_lanes_0_character_2 : _zz_decoded_lanes_0_character_3)) | (decoded_lanes_0_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_0_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_0_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_0_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_0_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_1_known_0 = (io_in_payload_data[21 : 15] == 7'h0);
  assign decoded_lanes_1_known_1 = (io_in_payload_data[21 : 15] == 7'h2d);
  assign decoded_lanes_1_known_2 = (io_in_payload_data[21 : 15] == 7'h33);
  assign decoded_lanes_1_known_3 = (io_in_payload_data[21 : 15] == 7'h4b);
  assign decoded_lanes_1_known_4 = (io_in_payload_data[21 : 15] == 7'h55);
  assign decoded_lanes_1_known_5 = (io_in_payload_data[21 : 15] == 7'h66);
  assign decoded_lanes_1_known_6 = (io_in_payload_data[21 : 15] == 7'h78);
  assign decoded_lanes_1_known_7 = (io_in_payload_data[21 : 15] == 7'h1e);
  assign decoded_lanes_1_isCode = (|{decoded_lanes_1_known_7,{decoded_lanes_1_known_6,{decoded_lanes_1_known_5,{decoded_lanes_1_known_4,{decoded_lanes_1_known_3,{decoded_lanes_1_known_2,{decoded_lanes_1_known_1,decoded_lanes_1_known_0}}}}}}});
  assign decoded_lanes_1_isError = (io_in_payload_data[21 : 15] == 7'h1e);
  assign decoded_lanes_1_character = (((((((_zz_decoded_lanes_1_character | _zz_decoded_lanes_1_character_1) | (decoded_lanes_1_known_2 ? _zz_decoded_lanes_1_character_2 : _zz_decoded_lanes_1_character_3)) | (decoded_lanes_1_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_1_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_1_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_1_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_1_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_2_known_0 = (io_in_payload_data[28 : 22] == 7'h0);
  assign decoded_lanes_2_known_1 = (io_in_payload_data[28 : 22] == 7'h2d);
  assign decoded_lanes_2_known_2 = (io_in_payload_data[28 : 22] == 7'h33);
  assign decoded_lanes_2_known_3 = (io_in_payload_data[28 : 22] == 7'h4b);
  assign decoded_lanes_2_known_4 = (io_in_payload_data[28 : 22] == 7'h55);
  assign decoded_lanes_2_known_5 = (io_in_payload_data[28 : 22] == 7'h66);
  assign decoded_lanes_2_known_6 = (io_in_payload_data[28 : 22] == 7'h78);
  assign decoded_lanes_2_known_7 = (io_in_payload_data[28 : 22] == 7'h1e);
  assign decoded_lanes_2_isCode = (|{decoded_lanes_2_known_7,{decoded_lanes_2_known_6,{decoded_lanes_2_known_5,{decoded_lanes_2_known_4,{decoded_lanes_2_known_3,{decoded_lanes_2_known_2,{decoded_lanes_2_known_1,decoded_lanes_2_known_0}}}}}}});
  assign decoded_lanes_2_isError = (io_in_payload_data[28 : 22] == 7'h1e);
  assign decoded_lanes_2_character = (((((((_zz_decoded_lanes_2_character | _zz_decoded_lanes_2_character_1) | (decoded_lanes_2_known_2 ? _zz_decoded_lanes_2_character_2 : _zz_decoded_lanes_2_character_3)) | (decoded_lanes_2_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_2_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_2_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_2_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_2_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_3_known_0 = (io_in_payload_data[35 : 29] == 7'h0);
  assign decoded_lanes_3_known_1 = (io_in_payload_data[35 : 29] == 7'h2d);
  assign decoded_lanes_3_known_2 = (io_in_payload_data[35 : 29] == 7'h33);
  assign decoded_lanes_3_known_3 = (io_in_payload_data[35 : 29] == 7'h4b);
  assign decoded_lanes_3_known_4 = (io_in_payload_data[35 : 29] == 7'h55);
  assign decoded_lanes_3_known_5 = (io_in_payload_data[35 : 29] == 7'h66);
  assign decoded_lanes_3_known_6 = (io_in_payload_data[35 : 29] == 7'h78);
  assign decoded_lanes_3_known_7 = (io_in_payload_data[35 : 29] == 7'h1e);
  assign decoded_lanes_3_isCode = (|{decoded_lanes_3_known_7,{decoded_lanes_3_known_6,{decoded_lanes_3_known_5,{decoded_lanes_3_known_4,{decoded_lanes_3_known_3,{decoded_lanes_3_known_2,{decoded_lanes_3_known_1,decoded_lanes_3_known_0}}}}}}});
  assign decoded_lanes_3_isError = (io_in_payload_data[35 : 29] == 7'h1e);
  assign decoded_lanes_3_character = (((((((_zz_decoded_lanes_3_character | _zz_decoded_lanes_3_character_1) | (decoded_lanes_3_known_2 ? _zz_decoded_lanes_3_character_2 : _zz_decoded_lanes_3_character_3)) | (decoded_lanes_3_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_3_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_3_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_3_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_3_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_4_known_0 = (io_in_payload_data[42 : 36] == 7'h0);
  assign decoded_lanes_4_known_1 = (io_in_payload_data[42 : 36] == 7'h2d);
  assign decoded_lanes_4_known_2 = (io_in_payload_data[42 : 36] == 7'h33);
  assign decoded_lanes_4_known_3 = (io_in_payload_data[42 : 36] == 7'h4b);
  assign decoded_lanes_4_known_4 = (io_in_payload_data[42 : 36] == 7'h55);
  assign decoded_lanes_4_known_5 = (io_in_payload_data[42 : 36] == 7'h66);
  assign decoded_lanes_4_known_6 = (io_in_payload_data[42 : 36] == 7'h78);
  assign decoded_lanes_4_known_7 = (io_in_payload_data[42 : 36] == 7'h1e);
  assign decoded_lanes_4_isCode = (|{decoded_lanes_4_known_7,{decoded_lanes_4_known_6,{decoded_lanes_4_known_5,{decoded_lanes_4_known_4,{decoded_lanes_4_known_3,{decoded_lanes_4_known_2,{decoded_lanes_4_known_1,decoded_lanes_4_known_0}}}}}}});
  assign decoded_lanes_4_isError = (io_in_payload_data[42 : 36] == 7'h1e);
  assign decoded_lanes_4_character = (((((((_zz_decoded_lanes_4_character | _zz_decoded_lanes_4_character_1) | (decoded_lanes_4_known_2 ? _zz_decoded_lanes_4_character_2 : _zz_decoded_lanes_4_character_3)) | (decoded_lanes_4_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_4_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_4_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_4_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_4_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_5_known_0 = (io_in_payload_data[49 : 43] == 7'h0);
  assign decoded_lanes_5_known_1 = (io_in_payload_data[49 : 43] == 7'h2d);
  assign decoded_lanes_5_known_2 = (io_in_payload_data[49 : 43] == 7'h33);
  assign decoded_lanes_5_known_3 = (io_in_payload_data[49 : 43] == 7'h4b);
  assign decoded_lanes_5_known_4 = (io_in_payload_data[49 : 43] == 7'h55);
  assign decoded_lanes_5_known_5 = (io_in_payload_data[49 : 43] == 7'h66);
  assign decoded_lanes_5_known_6 = (io_in_payload_data[49 : 43] == 7'h78);
  assign decoded_lanes_5_known_7 = (io_in_payload_data[49 : 43] == 7'h1e);
  assign decoded_lanes_5_isCode = (|{decoded_lanes_5_known_7,{decoded_lanes_5_known_6,{decoded_lanes_5_known_5,{decoded_lanes_5_known_4,{decoded_lanes_5_known_3,{decoded_lanes_5_known_2,{decoded_lanes_5_known_1,decoded_lanes_5_known_0}}}}}}});
  assign decoded_lanes_5_isError = (io_in_payload_data[49 : 43] == 7'h1e);
  assign decoded_lanes_5_character = (((((((_zz_decoded_lanes_5_character | _zz_decoded_lanes_5_character_1) | (decoded_lanes_5_known_2 ? _zz_decoded_lanes_5_character_2 : _zz_decoded_lanes_5_character_3)) | (decoded_lanes_5_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_5_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_5_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_5_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_5_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_6_known_0 = (io_in_payload_data[56 : 50] == 7'h0);
  assign decoded_lanes_6_known_1 = (io_in_payload_data[56 : 50] == 7'h2d);
  assign decoded_lanes_6_known_2 = (io_in_payload_data[56 : 50] == 7'h33);
  assign decoded_lanes_6_known_3 = (io_in_payload_data[56 : 50] == 7'h4b);
  assign decoded_lanes_6_known_4 = (io_in_payload_data[56 : 50] == 7'h55);
  assign decoded_lanes_6_known_5 = (io_in_payload_data[56 : 50] == 7'h66);
  assign decoded_lanes_6_known_6 = (io_in_payload_data[56 : 50] == 7'h78);
  assign decoded_lanes_6_known_7 = (io_in_payload_data[56 : 50] == 7'h1e);
  assign decoded_lanes_6_isCode = (|{decoded_lanes_6_known_7,{decoded_lanes_6_known_6,{decoded_lanes_6_known_5,{decoded_lanes_6_known_4,{decoded_lanes_6_known_3,{decoded_lanes_6_known_2,{decoded_lanes_6_known_1,decoded_lanes_6_known_0}}}}}}});
  assign decoded_lanes_6_isError = (io_in_payload_data[56 : 50] == 7'h1e);
  assign decoded_lanes_6_character = (((((((_zz_decoded_lanes_6_character | _zz_decoded_lanes_6_character_1) | (decoded_lanes_6_known_2 ? _zz_decoded_lanes_6_character_2 : _zz_decoded_lanes_6_character_3)) | (decoded_lanes_6_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_6_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_6_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_6_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_6_known_7 ? 8'hfe : 8'h0));
  assign decoded_lanes_7_known_0 = (io_in_payload_data[63 : 57] == 7'h0);
  assign decoded_lanes_7_known_1 = (io_in_payload_data[63 : 57] == 7'h2d);
  assign decoded_lanes_7_known_2 = (io_in_payload_data[63 : 57] == 7'h33);
  assign decoded_lanes_7_known_3 = (io_in_payload_data[63 : 57] == 7'h4b);
  assign decoded_lanes_7_known_4 = (io_in_payload_data[63 : 57] == 7'h55);
  assign decoded_lanes_7_known_5 = (io_in_payload_data[63 : 57] == 7'h66);
  assign decoded_lanes_7_known_6 = (io_in_payload_data[63 : 57] == 7'h78);
  assign decoded_lanes_7_known_7 = (io_in_payload_data[63 : 57] == 7'h1e);
  assign decoded_lanes_7_isCode = (|{decoded_lanes_7_known_7,{decoded_lanes_7_known_6,{decoded_lanes_7_known_5,{decoded_lanes_7_known_4,{decoded_lanes_7_known_3,{decoded_lanes_7_known_2,{decoded_lanes_7_known_1,decoded_lanes_7_known_0}}}}}}});
  assign decoded_lanes_7_isError = (io_in_payload_data[63 : 57] == 7'h1e);
  assign decoded_lanes_7_character = (((((((_zz_decoded_lanes_7_character | _zz_decoded_lanes_7_character_1) | (decoded_lanes_7_known_2 ? _zz_decoded_lanes_7_character_2 : _zz_decoded_lanes_7_character_3)) | (decoded_lanes_7_known_3 ? 8'h7c : 8'h0)) | (decoded_lanes_7_known_4 ? 8'hbc : 8'h0)) | (decoded_lanes_7_known_5 ? 8'hdc : 8'h0)) | (decoded_lanes_7_known_6 ? 8'hf7 : 8'h0)) | (decoded_lanes_7_known_7 ? 8'hfe : 8'h0));
  assign decoded_low_is_0 = (io_in_payload_data[35 : 32] == 4'b0000);
  assign decoded_low_is_1 = (io_in_payload_data[35 : 32] == 4'b1111);
  assign decoded_low_known = (|{decoded_low_is_1,decoded_low_is_0});
  assign decoded_low_first = ((decoded_low_is_0 ? 8'h9c : 8'h0) | (decoded_low_is_1 ? 8'h5c : 8'h0));
  assign decoded_low_characters_1_1 = io_in_payload_data[15 : 8];
  assign decoded_low_characters_2_1 = io_in_payload_data[23 : 16];
  assign decoded_low_characters_3_1 = io_in_payload_data[31 : 24];
  assign decoded_high_is_0 = (io_in_payload_data[39 : 36] == 4'b0000);
  assign decoded_high_is_1 = (io_in_payload_data[39 : 36] == 4'b1111);
  assign decoded_high_known = (|{decoded_high_is_1,decoded_high_is_0});
  assign decoded_high_first = ((decoded_high_is_0 ? 8'h9c : 8'h0) | (decoded_high_is_1 ? 8'h5c : 8'h0));
  assign decoded_high_characters_1_1 = io_in_payload_data[47 : 40];
  assign decoded_high_characters_2_1 = io_in_payload_data[55 : 48];
  assign decoded_high_characters_3_1 = io_in_payload_data[63 : 56];
  assign decoded_startHigh_0_1 = 8'hfb;
  assign decoded_startHigh_1_1 = io_in_payload_data[47 : 40];
  assign decoded_startHigh_2_1 = io_in_payload_data[55 : 48];
  assign decoded_startHigh_3_1 = io_in_payload_data[63 : 56];
  assign decoded_isControl = (io_in_payload_header == 2'b01);
  assign decoded_now_kind_data = (io_in_payload_header == 2'b10);
  assign decoded_now_kind_control = (|{((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h4b)) && (decoded_low_known && (&{_zz_decoded_now_kind_control,_zz_decoded_now_kind_control_1}))),{((decoded_isControl && (_zz_decoded_now_kind_control_2 == _zz_decoded_now_kind_control_3)) && (decoded_low_known && decoded_high_known)),{((decoded_isControl && _zz_decoded_now_kind_control_4) && (_zz_decoded_now_kind_control_5 && decoded_high_known)),((decoded_isControl && _zz_decoded_now_kind_control_8) && (_zz_decoded_now_kind_control_9 && _zz_decoded_now_kind_control_12))}}});
  assign decoded_now_kind_start = (|{((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h78)) && 1'b1),{((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h66)) && decoded_low_known),((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h33)) && (&{decoded_lanes_3_isCode,{decoded_lanes_2_isCode,{_zz_decoded_now_kind_start,_zz_decoded_now_kind_start_1}}}))}});
  assign decoded_now_kind_terminate = (|{((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hff)) && 1'b1),{((decoded_isControl && (_zz_decoded_now_kind_terminate == _zz_decoded_now_kind_terminate_1)) && (&decoded_lanes_7_isCode)),{((decoded_isControl && _zz_decoded_now_kind_terminate_2) && (&_zz_decoded_now_kind_terminate_3)),{(_zz_decoded_now_kind_terminate_4 && _zz_decoded_now_kind_terminate_5),{_zz_decoded_now_kind_terminate_8,{_zz_decoded_now_kind_terminate_13,_zz_decoded_now_kind_terminate_18}}}}}});
  assign decoded_words_0_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h1e)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{decoded_lanes_3_character,{decoded_lanes_2_character,{decoded_lanes_1_character,decoded_lanes_0_character}}}}}}} : 64'h0);
  assign decoded_words_0_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h1e)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,1'b1}}}}}}} : 8'h0);
  assign decoded_words_1_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h2d)) ? {decoded_high_characters_3_1,{decoded_high_characters_2_1,{decoded_high_characters_1_1,{decoded_high_first,{decoded_lanes_3_character,{decoded_lanes_2_character,{decoded_lanes_1_character,decoded_lanes_0_character}}}}}}} : 64'h0);
  assign decoded_words_1_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h2d)) ? {1'b0,{1'b0,{1'b0,{1'b1,{1'b1,{1'b1,{1'b1,1'b1}}}}}}} : 8'h0);
  assign decoded_words_2_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h55)) ? {decoded_high_characters_3_1,{decoded_high_characters_2_1,{decoded_high_characters_1_1,{decoded_high_first,{decoded_low_characters_3_1,{decoded_low_characters_2_1,{decoded_low_characters_1_1,decoded_low_first}}}}}}} : 64'h0);
  assign decoded_words_2_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h55)) ? {1'b0,{1'b0,{1'b0,{1'b1,{1'b0,{1'b0,{1'b0,1'b1}}}}}}} : 8'h0);
  assign decoded_words_3_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h4b)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{decoded_low_characters_3_1,{decoded_low_characters_2_1,{decoded_low_characters_1_1,decoded_low_first}}}}}}} : 64'h0);
  assign decoded_words_3_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h4b)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b0,{1'b0,{1'b0,1'b1}}}}}}} : 8'h0);
  assign decoded_words_4_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h33)) ? {decoded_startHigh_3_1,{decoded_startHigh_2_1,{decoded_startHigh_1_1,{decoded_startHigh_0_1,{decoded_lanes_3_character,{decoded_lanes_2_character,{decoded_lanes_1_character,decoded_lanes_0_character}}}}}}} : 64'h0);
  assign decoded_words_4_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h33)) ? {1'b0,{1'b0,{1'b0,{1'b1,{1'b1,{1'b1,{1'b1,1'b1}}}}}}} : 8'h0);
  assign decoded_words_5_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h66)) ? {decoded_startHigh_3_1,{decoded_startHigh_2_1,{decoded_startHigh_1_1,{decoded_startHigh_0_1,{decoded_low_characters_3_1,{decoded_low_characters_2_1,{decoded_low_characters_1_1,decoded_low_first}}}}}}} : 64'h0);
  assign decoded_words_5_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h66)) ? {1'b0,{1'b0,{1'b0,{1'b1,{1'b0,{1'b0,{1'b0,1'b1}}}}}}} : 8'h0);
  assign decoded_words_6_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h78)) ? {io_in_payload_data[63 : 56],{io_in_payload_data[55 : 48],{io_in_payload_data[47 : 40],{io_in_payload_data[39 : 32],{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],{io_in_payload_data[15 : 8],8'hfb}}}}}}} : 64'h0);
  assign decoded_words_6_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h78)) ? {1'b0,{1'b0,{1'b0,{1'b0,{1'b0,{1'b0,{1'b0,1'b1}}}}}}} : 8'h0);
  assign decoded_words_7_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h87)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{decoded_lanes_3_character,{decoded_lanes_2_character,{decoded_lanes_1_character,8'hfd}}}}}}} : 64'h0);
  assign decoded_words_7_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h87)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,1'b1}}}}}}} : 8'h0);
  assign decoded_words_8_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h99)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{decoded_lanes_3_character,{decoded_lanes_2_character,{8'hfd,io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_8_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'h99)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,1'b0}}}}}}} : 8'h0);
  assign decoded_words_9_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'haa)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{decoded_lanes_3_character,{8'hfd,{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_9_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'haa)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_words_10_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hb4)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{decoded_lanes_4_character,{8'hfd,{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_10_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hb4)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b1,{1'b0,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_words_11_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hcc)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{decoded_lanes_5_character,{8'hfd,{io_in_payload_data[39 : 32],{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_11_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hcc)) ? {1'b1,{1'b1,{1'b1,{1'b1,{1'b0,{1'b0,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_words_12_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hd2)) ? {decoded_lanes_7_character,{decoded_lanes_6_character,{8'hfd,{io_in_payload_data[47 : 40],{io_in_payload_data[39 : 32],{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_12_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hd2)) ? {1'b1,{1'b1,{1'b1,{1'b0,{1'b0,{1'b0,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_words_13_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'he1)) ? {decoded_lanes_7_character,{8'hfd,{io_in_payload_data[55 : 48],{io_in_payload_data[47 : 40],{io_in_payload_data[39 : 32],{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_13_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'he1)) ? {1'b1,{1'b1,{1'b0,{1'b0,{1'b0,{1'b0,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_words_14_0 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hff)) ? {8'hfd,{io_in_payload_data[63 : 56],{io_in_payload_data[55 : 48],{io_in_payload_data[47 : 40],{io_in_payload_data[39 : 32],{io_in_payload_data[31 : 24],{io_in_payload_data[23 : 16],io_in_payload_data[15 : 8]}}}}}}} : 64'h0);
  assign decoded_words_14_1 = ((decoded_isControl && (io_in_payload_data[7 : 0] == 8'hff)) ? {1'b1,{1'b0,{1'b0,{1'b0,{1'b0,{1'b0,{1'b0,1'b0}}}}}}} : 8'h0);
  assign decoded_now_word_data = (((((decoded_words_0_0 | decoded_words_1_0) | (decoded_words_2_0 | decoded_words_3_0)) | ((decoded_words_4_0 | decoded_words_5_0) | (decoded_words_6_0 | decoded_words_7_0))) | (((decoded_words_8_0 | decoded_words_9_0) | (decoded_words_10_0 | decoded_words_11_0)) | ((decoded_words_12_0 | decoded_words_13_0) | decoded_words_14_0))) | (decoded_now_kind_data ? io_in_payload_data : 64'h0));
  assign decoded_now_word_control = ((((decoded_words_0_1 | decoded_words_1_1) | (decoded_words_2_1 | decoded_words_3_1)) | ((decoded_words_4_1 | decoded_words_5_1) | (decoded_words_6_1 | decoded_words_7_1))) | (((decoded_words_8_1 | decoded_words_9_1) | (decoded_words_10_1 | decoded_words_11_1)) | ((decoded_words_12_1 | decoded_words_13_1) | decoded_words_14_1)));
  assign state_ends = (current_kind_terminate && (next_kind_start || next_kind_control));
  assign state_inFrame = (state_inside || state_error);
  assign state_passes = (state_inFrame ? ((current_kind_data || state_ends) || (current_kind_control && state_error)) : (current_kind_control || current_kind_start));
  assign leaves = (io_in_valid && (held == 2'b10));
  assign state_advance = leaves;
  assign state_clear = (! io_up);
  assign io_out_valid = out_valid;
  assign io_out_payload_data = out_payload_data;
  assign io_out_payload_control = out_payload_control;
  assign io_bad = _zz_io_bad;
  always @(posedge rx_clock) begin
    if(io_in_valid) begin
      next_kind_control <= decoded_now_kind_control;
      next_kind_start <= decoded_now_kind_start;
      next_kind_terminate <= decoded_now_kind_terminate;
      next_kind_data <= decoded_now_kind_data;
      next_word_data <= decoded_now_word_data;
      next_word_control <= decoded_now_word_control;
    end
    if(io_in_valid) begin
      current_kind_control <= next_kind_control;
      current_kind_start <= next_kind_start;
      current_kind_terminate <= next_kind_terminate;
      current_kind_data <= next_kind_data;
      current_word_data <= next_word_data;
      current_word_control <= next_word_control;
    end
    out_payload_data <= current_word_data;
    out_payload_control <= current_word_control;
    if((! state_passes)) begin
      out_payload_data <= 64'hfefefefefefefefe;
      out_payload_control <= 8'hff;
    end
    if((! io_up)) begin
      out_payload_data <= 64'h0100009c0100009c;
      out_payload_control <= 8'h11;
    end
  end

  always @(posedge rx_clock) begin
    if(rxReset) begin
      state_inside <= 1'b0;
      state_error <= 1'b0;
      held <= 2'b00;
      out_valid <= 1'b0;
      _zz_io_bad <= 1'b0;
    end else begin
      if(state_advance) begin
        state_inside <= (state_passes && (current_kind_data || current_kind_start));
        state_error <= (! state_passes);
      end
      if(state_clear) begin
        state_inside <= 1'b0;
        state_error <= 1'b0;
      end
      if((io_in_valid && (held != 2'b10))) begin
        held <= (held + 2'b01);
      end
      if((! io_up)) begin
        held <= 2'b00;
      end
      out_valid <= (leaves || (! io_up));
      _zz_io_bad <= ((leaves && io_up) && (! state_passes));
    end
  end


endmodule

module Descrambler (
  input  wire          io_in_valid,
  input  wire [1:0]    io_in_payload_header,
  input  wire [63:0]   io_in_payload_data,
  output wire          io_out_valid,
  output wire [1:0]    io_out_payload_header,
  output wire [63:0]   io_out_payload_data,
  input  wire          rx_clock,
  input  wire          rxReset
);

  reg        [57:0]   received;
  wire       [82:0]   line;
  wire       [1:0]    block_header;
  wire       [63:0]   block_data;
  reg                 io_in_valid_regNext;
  reg        [1:0]    block_regNext_header;
  reg        [63:0]   block_regNext_data;

  assign line = {io_in_payload_data[24 : 0],received};
  assign block_header = io_in_payload_header;
  assign block_data = ((io_in_payload_data ^ line[82 : 19]) ^ line[63 : 0]);
  assign io_out_valid = io_in_valid_regNext;
  assign io_out_payload_header = block_regNext_header;
  assign io_out_payload_data = block_regNext_data;
  always @(posedge rx_clock) begin
    if(io_in_valid) begin
      received <= io_in_payload_data[63 : 6];
    end
    block_regNext_header <= block_header;
    block_regNext_data <= block_data;
  end

  always @(posedge rx_clock) begin
    if(rxReset) begin
      io_in_valid_regNext <= 1'b0;
    end else begin
      io_in_valid_regNext <= io_in_valid;
    end
  end


endmodule

module BlockLock (
  input  wire          io_headers_valid,
  input  wire [1:0]    io_headers_payload,
  input  wire          io_signalOk,
  output wire          io_lock,
  output wire          io_slip,
  output wire          io_highErrorRate,
  output wire          io_wrong,
  input  wire          rx_clock,
  input  wire          rxReset
);

  wire       [5:0]    _zz_count;
  wire       [14:0]   _zz_rate_time;
  wire                right;
  reg                 locked;
  reg                 slips;
  reg        [5:0]    waiting;
  reg        [5:0]    count;
  reg        [3:0]    wrong;
  wire                tests;
  wire                ends;
  reg        [4:0]    rate_count;
  reg        [14:0]   rate_time;
  reg                 rate_high;
  wire                rate_reached;
  wire                rate_over;

  assign _zz_count = (count + 6'h01);
  assign _zz_rate_time = (rate_time + 15'h0001);
  assign right = (^io_headers_payload);
  assign tests = (io_headers_valid && (waiting == 6'h0));
  assign ends = (count == 6'h3f);
  assign io_lock = locked;
  assign io_slip = slips;
  assign io_wrong = ((tests && (! right)) && locked);
  assign rate_reached = (rate_count == 5'h10);
  assign rate_over = (rate_time == 15'h4c4a);
  assign io_highErrorRate = rate_high;
  always @(posedge rx_clock) begin
    if(rxReset) begin
      locked <= 1'b0;
      slips <= 1'b0;
      waiting <= 6'h0;
      count <= 6'h0;
      wrong <= 4'b0000;
      rate_count <= 5'h0;
      rate_time <= 15'h0;
      rate_high <= 1'b0;
    end else begin
      slips <= 1'b0;
      if((io_headers_valid && (waiting != 6'h0))) begin
        waiting <= (waiting - 6'h01);
      end
      if(tests) begin
        count <= (ends ? 6'h0 : _zz_count);
        if((! right)) begin
          wrong <= (wrong + 4'b0001);
        end
        if(ends) begin
          wrong <= 4'b0000;
          if(right) begin
            locked <= 1'b1;
          end
        end
        if(((! right) && ((wrong == 4'b1111) || (! locked)))) begin
          locked <= 1'b0;
          slips <= 1'b1;
          waiting <= 6'h20;
          count <= 6'h0;
          wrong <= 4'b0000;
        end
      end
      if((! io_signalOk)) begin
        locked <= 1'b0;
        count <= 6'h0;
        wrong <= 4'b0000;
      end
      if(io_headers_valid) begin
        rate_time <= (rate_over ? 15'h0 : _zz_rate_time);
        if(((! right) && (! rate_reached))) begin
          rate_count <= (rate_count + 5'h01);
        end
        if(((! right) && (rate_count == 5'h0f))) begin
          rate_high <= 1'b1;
        end
        if(rate_over) begin
          if(((! rate_reached) && (right || (rate_count != 5'h0f)))) begin
            rate_high <= 1'b0;
          end
          rate_count <= 5'h0;
        end
      end
      if((! locked)) begin
        rate_count <= 5'h0;
        rate_time <= 15'h0;
        rate_high <= 1'b0;
      end
    end
  end


endmodule

module CrossingWord_3 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [9:0]    io_in_payload,
  output wire          io_out_valid,
  output wire [9:0]    io_out_payload,
  input  wire          tx_clock,
  input  wire          txReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [9:0]    sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [9:0]    receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_held <= 10'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 10'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingWord_2 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [9:0]    io_in_payload,
  output wire          io_out_valid,
  output wire [9:0]    io_out_payload,
  input  wire          clk,
  input  wire          coreReset,
  input  wire          tx_clock,
  input  wire          txReset
);

  (* dont_touch = "true" *) reg        [9:0]    sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [9:0]    receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge clk) begin
    if(coreReset) begin
      sender_held <= 10'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge tx_clock) begin
    if(txReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 10'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingMemory_1 (
  input  wire          io_write_valid,
  input  wire [8:0]    io_write_payload_row,
  input  wire [0:0]    io_write_payload_mask,
  input  wire [519:0]  io_write_payload_data,
  input  wire          io_read_valid,
  input  wire [8:0]    io_read_payload,
  output wire [519:0]  io_row,
  input  wire          clk,
  input  wire          tx_clock
);

  reg        [519:0]  lane_0_spinal_port1;
  wire       [519:0]  _zz_lane_0_port;
  wire                _zz_lane_0_port_1;
  wire       [519:0]  reader_row;
  (* ram_style = "block" *) reg [519:0] lane_0 [0:511];

  assign _zz_lane_0_port = io_write_payload_data[519 : 0];
  assign _zz_lane_0_port_1 = (io_write_valid && io_write_payload_mask[0]);
  always @(posedge clk) begin
    if(_zz_lane_0_port_1) begin
      lane_0[io_write_payload_row] <= _zz_lane_0_port;
    end
  end

  always @(posedge tx_clock) begin
    if(io_read_valid) begin
      lane_0_spinal_port1 <= lane_0[io_read_payload];
    end
  end

  assign reader_row = lane_0_spinal_port1;
  assign io_row = reader_row;

endmodule

module CrossingWord_1 (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [9:0]    io_in_payload,
  output wire          io_out_valid,
  output wire [9:0]    io_out_payload,
  input  wire          clk,
  input  wire          coreReset,
  input  wire          rx_clock,
  input  wire          rxReset
);

  (* dont_touch = "true" *) reg        [9:0]    sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [9:0]    receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge clk) begin
    if(coreReset) begin
      sender_held <= 10'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 10'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingWord (
  input  wire          io_in_valid,
  output wire          io_in_ready,
  input  wire [9:0]    io_in_payload,
  output wire          io_out_valid,
  output wire [9:0]    io_out_payload,
  input  wire          rx_clock,
  input  wire          rxReset,
  input  wire          clk,
  input  wire          coreReset
);

  (* dont_touch = "true" *) reg        [9:0]    sender_held;
  (* dont_touch = "true" *) reg        [0:0]    sender_request;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_request_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_request_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_seen;
  (* dont_touch = "true" , async_reg = "true" *) reg        [9:0]    receiver_taken;
  reg                 receiver_valid;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_seen_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_seen_settled;
  wire                io_in_fire;

  assign io_out_valid = receiver_valid;
  assign io_out_payload = receiver_taken;
  assign io_in_ready = (receiver_seen_settled == sender_request);
  assign io_in_fire = (io_in_valid && io_in_ready);
  always @(posedge rx_clock) begin
    if(rxReset) begin
      sender_held <= 10'h0;
      sender_request <= 1'b0;
      receiver_seen_meta <= 1'b0;
      receiver_seen_settled <= 1'b0;
    end else begin
      receiver_seen_meta <= receiver_seen;
      receiver_seen_settled <= receiver_seen_meta;
      if(io_in_fire) begin
        sender_held <= io_in_payload;
        sender_request <= (~ sender_request);
      end
    end
  end

  always @(posedge clk) begin
    if(coreReset) begin
      sender_request_meta <= 1'b0;
      sender_request_settled <= 1'b0;
      receiver_seen <= 1'b0;
      receiver_taken <= 10'h0;
      receiver_valid <= 1'b0;
    end else begin
      sender_request_meta <= sender_request;
      sender_request_settled <= sender_request_meta;
      receiver_valid <= (sender_request_settled != receiver_seen);
      receiver_seen <= sender_request_settled;
      if((sender_request_settled != receiver_seen)) begin
        receiver_taken <= sender_held;
      end
    end
  end


endmodule

module CrossingMemory (
  input  wire          io_write_valid,
  input  wire [8:0]    io_write_payload_row,
  input  wire [7:0]    io_write_payload_mask,
  input  wire [543:0]  io_write_payload_data,
  input  wire          io_read_valid,
  input  wire [8:0]    io_read_payload,
  output wire [543:0]  io_row,
  input  wire          rx_clock,
  input  wire          clk
);

  reg        [67:0]   lane_0_spinal_port1;
  reg        [67:0]   lane_1_spinal_port1;
  reg        [67:0]   lane_2_spinal_port1;
  reg        [67:0]   lane_3_spinal_port1;
  reg        [67:0]   lane_4_spinal_port1;
  reg        [67:0]   lane_5_spinal_port1;
  reg        [67:0]   lane_6_spinal_port1;
  reg        [67:0]   lane_7_spinal_port1;
  wire       [67:0]   _zz_lane_0_port;
  wire                _zz_lane_0_port_1;
  wire       [67:0]   _zz_lane_1_port;
  wire                _zz_lane_1_port_1;
  wire       [67:0]   _zz_lane_2_port;
  wire                _zz_lane_2_port_1;
  wire       [67:0]   _zz_lane_3_port;
  wire                _zz_lane_3_port_1;
  wire       [67:0]   _zz_lane_4_port;
  wire                _zz_lane_4_port_1;
  wire       [67:0]   _zz_lane_5_port;
  wire                _zz_lane_5_port_1;
  wire       [67:0]   _zz_lane_6_port;
  wire                _zz_lane_6_port_1;
  wire       [67:0]   _zz_lane_7_port;
  wire                _zz_lane_7_port_1;
  wire       [543:0]  reader_row;
  (* ram_style = "block" *) reg [67:0] lane_0 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_1 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_2 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_3 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_4 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_5 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_6 [0:511];
  (* ram_style = "block" *) reg [67:0] lane_7 [0:511];

  assign _zz_lane_0_port = io_write_payload_data[67 : 0];
  assign _zz_lane_0_port_1 = (io_write_valid && io_write_payload_mask[0]);
  assign _zz_lane_1_port = io_write_payload_data[135 : 68];
  assign _zz_lane_1_port_1 = (io_write_valid && io_write_payload_mask[1]);
  assign _zz_lane_2_port = io_write_payload_data[203 : 136];
  assign _zz_lane_2_port_1 = (io_write_valid && io_write_payload_mask[2]);
  assign _zz_lane_3_port = io_write_payload_data[271 : 204];
  assign _zz_lane_3_port_1 = (io_write_valid && io_write_payload_mask[3]);
  assign _zz_lane_4_port = io_write_payload_data[339 : 272];
  assign _zz_lane_4_port_1 = (io_write_valid && io_write_payload_mask[4]);
  assign _zz_lane_5_port = io_write_payload_data[407 : 340];
  assign _zz_lane_5_port_1 = (io_write_valid && io_write_payload_mask[5]);
  assign _zz_lane_6_port = io_write_payload_data[475 : 408];
  assign _zz_lane_6_port_1 = (io_write_valid && io_write_payload_mask[6]);
  assign _zz_lane_7_port = io_write_payload_data[543 : 476];
  assign _zz_lane_7_port_1 = (io_write_valid && io_write_payload_mask[7]);
  always @(posedge rx_clock) begin
    if(_zz_lane_0_port_1) begin
      lane_0[io_write_payload_row] <= _zz_lane_0_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_0_spinal_port1 <= lane_0[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_1_port_1) begin
      lane_1[io_write_payload_row] <= _zz_lane_1_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_1_spinal_port1 <= lane_1[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_2_port_1) begin
      lane_2[io_write_payload_row] <= _zz_lane_2_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_2_spinal_port1 <= lane_2[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_3_port_1) begin
      lane_3[io_write_payload_row] <= _zz_lane_3_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_3_spinal_port1 <= lane_3[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_4_port_1) begin
      lane_4[io_write_payload_row] <= _zz_lane_4_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_4_spinal_port1 <= lane_4[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_5_port_1) begin
      lane_5[io_write_payload_row] <= _zz_lane_5_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_5_spinal_port1 <= lane_5[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_6_port_1) begin
      lane_6[io_write_payload_row] <= _zz_lane_6_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_6_spinal_port1 <= lane_6[io_read_payload];
    end
  end

  always @(posedge rx_clock) begin
    if(_zz_lane_7_port_1) begin
      lane_7[io_write_payload_row] <= _zz_lane_7_port;
    end
  end

  always @(posedge clk) begin
    if(io_read_valid) begin
      lane_7_spinal_port1 <= lane_7[io_read_payload];
    end
  end

  assign reader_row = {lane_7_spinal_port1,{lane_6_spinal_port1,{lane_5_spinal_port1,{lane_4_spinal_port1,{lane_3_spinal_port1,{lane_2_spinal_port1,{lane_1_spinal_port1,lane_0_spinal_port1}}}}}}};
  assign io_row = reader_row;

endmodule

module CrossingReset_1 (
  input  wire          io_asked,
  output wire          io_reset,
  output wire          io_there,
  input  wire          clk,
  input  wire          tx_clock
);

  (* dont_touch = "true" *) reg        [0:0]    sender_held;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_held_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_held_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_spread;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_spread_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_spread_settled;

  initial begin
    sender_held = 1'b1;
    sender_held_meta = 1'b1;
    sender_held_settled = 1'b1;
    receiver_spread = 1'b1;
    receiver_spread_meta = 1'b1;
    receiver_spread_settled = 1'b1;
  end

  assign io_reset = receiver_spread[0];
  assign io_there = receiver_spread_settled[0];
  always @(posedge clk) begin
    sender_held <= io_asked;
    receiver_spread_meta <= receiver_spread;
    receiver_spread_settled <= receiver_spread_meta;
  end

  always @(posedge tx_clock) begin
    sender_held_meta <= sender_held;
    sender_held_settled <= sender_held_meta;
    receiver_spread <= sender_held_settled;
  end


endmodule

module CrossingReset (
  input  wire          io_asked,
  output wire          io_reset,
  output wire          io_there,
  input  wire          clk,
  input  wire          rx_clock
);

  (* dont_touch = "true" *) reg        [0:0]    sender_held;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    sender_held_meta;
  (* async_reg = "true" *) reg        [0:0]    sender_held_settled;
  (* dont_touch = "true" *) reg        [0:0]    receiver_spread;
  (* dont_touch = "true" , async_reg = "true" *) reg        [0:0]    receiver_spread_meta;
  (* async_reg = "true" *) reg        [0:0]    receiver_spread_settled;

  initial begin
    sender_held = 1'b1;
    sender_held_meta = 1'b1;
    sender_held_settled = 1'b1;
    receiver_spread = 1'b1;
    receiver_spread_meta = 1'b1;
    receiver_spread_settled = 1'b1;
  end

  assign io_reset = receiver_spread[0];
  assign io_there = receiver_spread_settled[0];
  always @(posedge clk) begin
    sender_held <= io_asked;
    receiver_spread_meta <= receiver_spread;
    receiver_spread_settled <= receiver_spread_meta;
  end

  always @(posedge rx_clock) begin
    sender_held_meta <= sender_held;
    sender_held_settled <= sender_held_meta;
    receiver_spread <= sender_held_settled;
  end


endmodule
