# Ways between clocks in what is around Zcu106; those within it have a file of their own. Read after synthesis, so that a name
# which matches nothing is a critical warning.
set_false_path -from [get_cells {watch/found_reg}] -to [get_cells {watch/found_meta_reg}]
set_false_path -to [get_cells {watch/ready_meta_reg}]
# The processor's reset begins at any time and ends with the clock.
set_false_path -to [get_pins {resets_reg[*]/PRE}]
# The vendor's parts take their resets at any time.
set_false_path -from [get_cells {asleep_reg}]
set_false_path -from [get_cells {watch/restart_reg}]
set_false_path -to [get_ports {led[*] sfp0_enable ddr4_reset_n}]
