# SFP+ cage 1, of a board with both: GTHE4_CHANNEL_X0Y11, quad 225. Read beside board.xdc.
set_property PACKAGE_PIN W2 [get_ports {sfp1_rx_p}]
set_property PACKAGE_PIN W1 [get_ports {sfp1_rx_n}]
set_property PACKAGE_PIN W6 [get_ports {sfp1_tx_p}]
set_property PACKAGE_PIN W5 [get_ports {sfp1_tx_n}]
set_property -dict {PACKAGE_PIN AF20 IOSTANDARD LVCMOS12 SLEW SLOW DRIVE 8} [get_ports {sfp1_enable}]
