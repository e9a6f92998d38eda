# Crossings between the clocks of Zcu106; generated, read it with `read_xdc -ref Zcu106`.
# In ns. A command that finds no cells is a critical warning of Vivado, and an error of the generator.
# crossing: CrossingReset
set_max_delay -datapath_only -from [get_cells {memoryReset_1/crossing/sender_held_reg[*]}] -to [get_cells {memoryReset_1/crossing/sender_held_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {memoryReset_1/crossing/receiver_spread_reg[*]}] -to [get_cells {memoryReset_1/crossing/receiver_spread_meta_reg[*]}] 4.000
# toRx: CrossingReset
set_max_delay -datapath_only -from [get_cells {port_1/resets/toRx/sender_held_reg[*]}] -to [get_cells {port_1/resets/toRx/sender_held_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/resets/toRx/receiver_spread_reg[*]}] -to [get_cells {port_1/resets/toRx/receiver_spread_meta_reg[*]}] 4.000
# toTx: CrossingReset
set_max_delay -datapath_only -from [get_cells {port_1/resets/toTx/sender_held_reg[*]}] -to [get_cells {port_1/resets/toTx/sender_held_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/resets/toTx/receiver_spread_reg[*]}] -to [get_cells {port_1/resets/toTx/receiver_spread_meta_reg[*]}] 4.000
# toCore_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toCore_crossing/sender_request_reg[*]}] -to [get_cells {port_1/receiveStore_1/toCore_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {port_1/receiveStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/receiveStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {port_1/receiveStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toCore_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/receiveStore_1/toCore_crossing/receiver_seen_meta_reg[*]}] 4.000
# toLine_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toLine_crossing/sender_request_reg[*]}] -to [get_cells {port_1/receiveStore_1/toLine_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {port_1/receiveStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/receiveStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {port_1/receiveStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/receiveStore_1/toLine_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/receiveStore_1/toLine_crossing/receiver_seen_meta_reg[*]}] 4.000
# toLine_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toLine_crossing/sender_request_reg[*]}] -to [get_cells {port_1/transmitStore_1/toLine_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {port_1/transmitStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/transmitStore_1/toLine_crossing/sender_held_reg[*]}] -to [get_cells {port_1/transmitStore_1/toLine_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toLine_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/transmitStore_1/toLine_crossing/receiver_seen_meta_reg[*]}] 4.000
# toCore_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toCore_crossing/sender_request_reg[*]}] -to [get_cells {port_1/transmitStore_1/toCore_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {port_1/transmitStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/transmitStore_1/toCore_crossing/sender_held_reg[*]}] -to [get_cells {port_1/transmitStore_1/toCore_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/transmitStore_1/toCore_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/transmitStore_1/toCore_crossing/receiver_seen_meta_reg[*]}] 4.000
# settingsRx_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/settingsRx_crossing/sender_request_reg[*]}] -to [get_cells {port_1/settingsRx_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/settingsRx_crossing/sender_held_reg[*]}] -to [get_cells {port_1/settingsRx_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/settingsRx_crossing/sender_held_reg[*]}] -to [get_cells {port_1/settingsRx_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/settingsRx_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/settingsRx_crossing/receiver_seen_meta_reg[*]}] 4.000
# settingsTx_crossing: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/settingsTx_crossing/sender_request_reg[*]}] -to [get_cells {port_1/settingsTx_crossing/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/settingsTx_crossing/sender_held_reg[*]}] -to [get_cells {port_1/settingsTx_crossing/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/settingsTx_crossing/sender_held_reg[*]}] -to [get_cells {port_1/settingsTx_crossing/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/settingsTx_crossing/receiver_seen_reg[*]}] -to [get_cells {port_1/settingsTx_crossing/receiver_seen_meta_reg[*]}] 4.000
# linkState: CrossingBits
set_max_delay -datapath_only -from [get_cells {port_1/linkState/sender_held_reg[*]}] -to [get_cells {port_1/linkState/sender_held_meta_reg[*]}] 4.000
# pauses: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/pauses/sender_request_reg[*]}] -to [get_cells {port_1/pauses/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/pauses/sender_held_reg[*]}] -to [get_cells {port_1/pauses/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/pauses/sender_held_reg[*]}] -to [get_cells {port_1/pauses/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/pauses/receiver_seen_reg[*]}] -to [get_cells {port_1/pauses/receiver_seen_meta_reg[*]}] 4.000
# rxCounts: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/rxCounts/sender_request_reg[*]}] -to [get_cells {port_1/rxCounts/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/rxCounts/sender_held_reg[*]}] -to [get_cells {port_1/rxCounts/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/rxCounts/sender_held_reg[*]}] -to [get_cells {port_1/rxCounts/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/rxCounts/receiver_seen_reg[*]}] -to [get_cells {port_1/rxCounts/receiver_seen_meta_reg[*]}] 4.000
# txCounts: CrossingWord
set_max_delay -datapath_only -from [get_cells {port_1/txCounts/sender_request_reg[*]}] -to [get_cells {port_1/txCounts/sender_request_meta_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/txCounts/sender_held_reg[*]}] -to [get_cells {port_1/txCounts/receiver_taken_reg[*]}] 4.000
set_bus_skew -from [get_cells {port_1/txCounts/sender_held_reg[*]}] -to [get_cells {port_1/txCounts/receiver_taken_reg[*]}] 4.000
set_max_delay -datapath_only -from [get_cells {port_1/txCounts/receiver_seen_reg[*]}] -to [get_cells {port_1/txCounts/receiver_seen_meta_reg[*]}] 4.000
# rxState: CrossingBits
set_max_delay -datapath_only -from [get_cells {port_1/rxState/sender_held_reg[*]}] -to [get_cells {port_1/rxState/sender_held_meta_reg[*]}] 4.000
# txState: CrossingBits
set_max_delay -datapath_only -from [get_cells {port_1/txState/sender_held_reg[*]}] -to [get_cells {port_1/txState/sender_held_meta_reg[*]}] 4.000
# ar: CrossingStream
set_max_delay -datapath_only -from [get_cells {memory/crossing/ar/sender_coded_reg[*]}] -to [get_cells {memory/crossing/ar/sender_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/ar/sender_coded_reg[*]}] -to [get_cells {memory/crossing/ar/sender_coded_meta_reg[*]}] 3.300
set_max_delay -datapath_only -from [get_cells {memory/crossing/ar/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/ar/receiver_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/ar/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/ar/receiver_coded_meta_reg[*]}] 3.300
# aw: CrossingStream
set_max_delay -datapath_only -from [get_cells {memory/crossing/aw/sender_coded_reg[*]}] -to [get_cells {memory/crossing/aw/sender_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/aw/sender_coded_reg[*]}] -to [get_cells {memory/crossing/aw/sender_coded_meta_reg[*]}] 3.300
set_max_delay -datapath_only -from [get_cells {memory/crossing/aw/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/aw/receiver_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/aw/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/aw/receiver_coded_meta_reg[*]}] 3.300
# w: CrossingStream
set_max_delay -datapath_only -from [get_cells {memory/crossing/w/sender_coded_reg[*]}] -to [get_cells {memory/crossing/w/sender_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/w/sender_coded_reg[*]}] -to [get_cells {memory/crossing/w/sender_coded_meta_reg[*]}] 3.300
set_max_delay -datapath_only -from [get_cells {memory/crossing/w/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/w/receiver_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/w/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/w/receiver_coded_meta_reg[*]}] 3.300
# r: CrossingStream
set_max_delay -datapath_only -from [get_cells {memory/crossing/r/sender_coded_reg[*]}] -to [get_cells {memory/crossing/r/sender_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/r/sender_coded_reg[*]}] -to [get_cells {memory/crossing/r/sender_coded_meta_reg[*]}] 3.300
set_max_delay -datapath_only -from [get_cells {memory/crossing/r/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/r/receiver_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/r/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/r/receiver_coded_meta_reg[*]}] 3.300
# b: CrossingStream
set_max_delay -datapath_only -from [get_cells {memory/crossing/b/sender_coded_reg[*]}] -to [get_cells {memory/crossing/b/sender_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/b/sender_coded_reg[*]}] -to [get_cells {memory/crossing/b/sender_coded_meta_reg[*]}] 3.300
set_max_delay -datapath_only -from [get_cells {memory/crossing/b/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/b/receiver_coded_meta_reg[*]}] 3.300
set_bus_skew -from [get_cells {memory/crossing/b/receiver_coded_reg[*]}] -to [get_cells {memory/crossing/b/receiver_coded_meta_reg[*]}] 3.300
