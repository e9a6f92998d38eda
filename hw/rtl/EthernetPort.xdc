# Crossings between the clocks of EthernetPort; generated, read it with `read_xdc -ref EthernetPort`.
# In ns. A command that finds no cells is a critical warning of Vivado, and an error of the generator.
# toRx: CrossingReset
set_max_delay -datapath_only -from [get_cells {resets/toRx/sender_held_reg[*]}] -to [get_cells {resets/toRx/sender_held_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {resets/toRx/receiver_spread_reg[*]}] -to [get_cells {resets/toRx/receiver_spread_meta_reg[*]}] 4.000
# toTx: CrossingReset
set_max_delay -datapath_only -from [get_cells {resets/toTx/sender_held_reg[*]}] -to [get_cells {resets/toTx/sender_held_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {resets/toTx/receiver_spread_reg[*]}] -to [get_cells {resets/toTx/receiver_spread_meta_reg[*]}] 4.000
# toCore_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toCore_crossing/sender_request_reg[*]}] -to [get_cells {receiveStore_1/toCore_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {receiveStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {receiveStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {receiveStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toCore_crossing/receiver_seen_reg[*]}] -to [get_cells {receiveStore_1/toCore_crossing/receiver_seen_meta_reg[*]}] 4.000
# toLine_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toLine_crossing/sender_request_reg[*]}] -to [get_cells {receiveStore_1/toLine_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {receiveStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {receiveStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {receiveStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {receiveStore_1/toLine_crossing/receiver_seen_reg[*]}] -to [get_cells {receiveStore_1/toLine_crossing/receiver_seen_meta_reg[*]}] 4.000
# toLine_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toLine_crossing/sender_request_reg[*]}] -to [get_cells {transmitStore_1/toLine_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {transmitStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {transmitStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {transmitStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toLine_crossing/receiver_seen_reg[*]}] -to [get_cells {transmitStore_1/toLine_crossing/receiver_seen_meta_reg[*]}] 4.000
# toCore_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toCore_crossing/sender_request_reg[*]}] -to [get_cells {transmitStore_1/toCore_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {transmitStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {transmitStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {transmitStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {transmitStore_1/toCore_crossing/receiver_seen_reg[*]}] -to [get_cells {transmitStore_1/toCore_crossing/receiver_seen_meta_reg[*]}] 4.000
# settingsRx_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {settingsRx_crossing/sender_request_reg[*]}] -to [get_cells {settingsRx_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {settingsRx_crossing/sender_held_reg[*]}] -to [get_cells {settingsRx_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {settingsRx_crossing/sender_held_reg[*]}] -to [get_cells {settingsRx_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {settingsRx_crossing/receiver_seen_reg[*]}] -to [get_cells {settingsRx_crossing/receiver_seen_meta_reg[*]}] 4.000
# settingsTx_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {settingsTx_crossing/sender_request_reg[*]}] -to [get_cells {settingsTx_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {settingsTx_crossing/sender_held_reg[*]}] -to [get_cells {settingsTx_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {settingsTx_crossing/sender_held_reg[*]}] -to [get_cells {settingsTx_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {settingsTx_crossing/receiver_seen_reg[*]}] -to [get_cells {settingsTx_crossing/receiver_seen_meta_reg[*]}] 4.000
# linkState: CrossingBits
set_max_delay -datapath_only -from [get_cells {linkState/sender_held_reg[*]}] -to [get_cells {linkState/sender_held_meta_reg[*]}] 4.000
# pauses: CrossingWord
set_max_delay -datapath_only -from [get_cells {pauses/sender_request_reg[*]}] -to [get_cells {pauses/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {pauses/sender_held_reg[*]}] -to [get_cells {pauses/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {pauses/sender_held_reg[*]}] -to [get_cells {pauses/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {pauses/receiver_seen_reg[*]}] -to [get_cells {pauses/receiver_seen_meta_reg[*]}] 4.000
# rxCounts: CrossingWord
set_max_delay -datapath_only -from [get_cells {rxCounts/sender_request_reg[*]}] -to [get_cells {rxCounts/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {rxCounts/sender_held_reg[*]}] -to [get_cells {rxCounts/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {rxCounts/sender_held_reg[*]}] -to [get_cells {rxCounts/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {rxCounts/receiver_seen_reg[*]}] -to [get_cells {rxCounts/receiver_seen_meta_reg[*]}] 4.000
# txCounts: CrossingWord
set_max_delay -datapath_only -from [get_cells {txCounts/sender_request_reg[*]}] -to [get_cells {txCounts/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {txCounts/sender_held_reg[*]}] -to [get_cells {txCounts/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {txCounts/sender_held_reg[*]}] -to [get_cells {txCounts/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {txCounts/receiver_seen_reg[*]}] -to [get_cells {txCounts/receiver_seen_meta_reg[*]}] 4.000
# rxState: CrossingBits
set_max_delay -datapath_only -from [get_cells {rxState/sender_held_reg[*]}] -to [get_cells {rxState/sender_held_meta_reg[*]}] 4.000
# txState: CrossingBits
set_max_delay -datapath_only -from [get_cells {txState/sender_held_reg[*]}] -to [get_cells {txState/sender_held_meta_reg[*]}] 4.000
