# Of a board with both cages: what crossings.xdc has of the first one. Read beside it.
set_false_path -from [get_cells {watch1/found_reg}] -to [get_cells {watch1/found_meta_reg}]
set_false_path -to [get_cells {watch1/ready_meta_reg}]
set_false_path -from [get_cells {watch1/restart_reg}]
set_false_path -to [get_ports {sfp1_enable}]
