# Builds the bitstream of a ZCU106 in Vivado, in batch and without a project; `cargo xtask bitstream zcu106` calls it.
#
#     vivado -mode batch -source build.tcl -tclargs root=DIR out=DIR hardware=DIR part=... version=... ...
#
# Leaves Zcu106Board.bit, reports and checkpoints in `out`. Ends with an error, and without a bitstream, where a clock is missed, a
# critical warning was given or the version is another one.

set here [file dirname [file normalize [info script]]]
source [file join $here ip.tcl]

# Ends the build with a line that its caller finds.
proc refuse {text} {
    puts "ERROR: \[mneme\] $text"
    exit 1
}

# What the caller said.
foreach word $argv {
    if {![regexp {^([a-z_]+)=(.*)$} $word -> name value]} { refuse "`$word` is no setting of the form name=value" }
    set given($name) $value
}
foreach name {root out hardware part version memory_part channels clock_mhz build_hash build_date} {
    if {![info exists given($name)]} { refuse "the setting $name=... is missing" }
}
proc given {name} { return $::given($name) }

# A file of the repository, which must be there.
proc source_file {name} {
    set path [file join [given root] $name]
    if {![file isfile $path]} { refuse "$path is missing" }
    return $path
}

# One of the folder of generated files: hw/rtl, or that of a core of one's own.
proc hardware_file {name} {
    set path [file join [given hardware] $name]
    if {![file isfile $path]} { refuse "$path is missing" }
    return $path
}

# Critical warnings are errors, wherever they come from: a constraint that matches nothing is one.
proc refuse_critical {stage} {
    set count [get_msg_config -count -severity {CRITICAL WARNING}]
    if {$count > 0} { refuse "$stage gave $count critical warning(s): they are above, and in the log" }
}

# The worst path of one kind must have time left.
proc refuse_slack {kind} {
    set path [get_timing_paths -max_paths 1 -nworst 1 $kind]
    if {[llength $path] == 0} { refuse "no path is timed ($kind): a clock has no constraint" }
    set slack [get_property SLACK $path]
    if {$slack eq "" || $slack < 0} {
        refuse "negative slack: $slack ns ($kind) from [get_property STARTPOINT_PIN $path] to [get_property ENDPOINT_PIN $path]"
    }
}

proc reports {} {
    report_timing_summary -delay_type min_max -report_unconstrained -check_timing_verbose -max_paths 10 -file [file join [given out] timing.rpt]
    report_utilization -file [file join [given out] utilization.rpt]
    report_clock_interaction -file [file join [given out] clocks.rpt]
    report_bus_skew -file [file join [given out] skew.rpt]
    report_drc -file [file join [given out] drc.rpt]
}

if {[version -short] ne [given version]} { refuse "this is Vivado [version -short], and the build is made for [given version]" }
file mkdir [given out]

create_project -in_memory -part [given part]
set_property target_language Verilog [current_project]
make_parts [file join [given out] ip] [given clock_mhz] [given memory_part] [split [given channels] ,]
refuse_critical "making the vendor's parts"

read_verilog [list [hardware_file Zcu106.v] [source_file bitstreams/zcu106/LinkWatch.v] [source_file bitstreams/zcu106/Zcu106Board.v]]
read_xdc [source_file bitstreams/zcu106/board.xdc]
# Two channels: both SFP+ cages are in use.
set both [expr {[llength [split [given channels] ,]] == 2}]
set macros {}
if {$both} {
    read_xdc [source_file bitstreams/zcu106/sfp1.xdc]
    set macros {-verilog_define SECOND_SFP}
}
synth_design -top Zcu106Board -part [given part] -flatten_hierarchy rebuilt {*}$macros \
    -generic BUILD_HASH=32'h[given build_hash] -generic BUILD_DATE=32'd[given build_date]
refuse_critical synthesis

# Now that there are cells: what names none gives a critical warning.
read_xdc -ref Zcu106 [hardware_file Zcu106.xdc]
read_xdc [source_file bitstreams/zcu106/crossings.xdc]
if {$both} { read_xdc [source_file bitstreams/zcu106/sfp1_crossings.xdc] }
refuse_critical "reading the crossings' constraints"
write_checkpoint -force [file join [given out] synthesised.dcp]

opt_design
place_design
phys_opt_design
route_design
write_checkpoint -force [file join [given out] routed.dcp]
reports
refuse_critical "placing and routing"
refuse_slack -setup
refuse_slack -hold

write_bitstream -force [file join [given out] Zcu106Board.bit]
refuse_critical "writing the bitstream"
