# A recording stub of Vivado's Tcl: every command that the build calls is written down, and answered as Vivado would in a good
# build. STUB_CALLS names the file of calls; STUB_SLACK, STUB_CRITICAL, STUB_VERSION, STUB_PULSE, STUB_UNCLOCKED and STUB_NO_BITSTREAM
# make others. What a real Vivado would refuse, it refuses: files that are not there, parts that nobody made, another device.

set calls [open $env(STUB_CALLS) w]
proc setting {name default} { return [expr {[info exists ::env(STUB_$name)] ? $::env(STUB_$name) : $default}] }

# Folders differ from run to run.
proc plain {text} {
    return [string map [list $::folders(out) OUT $::folders(root) ROOT] $text]
}
proc record {name words} {
    puts $::calls [plain [string trim "$name [join $words { }]"]]
    flush $::calls
}
proc trouble {text} {
    puts "ERROR: $text"
    exit 1
}
proc option {words name} {
    set at [lsearch -exact $words $name]
    if {$at < 0} { trouble "\[Common 17-163\] Missing value for option '$name'" }
    return [lindex $words [expr {$at + 1}]]
}
proc must_exist {path} {
    if {![file isfile $path]} { trouble "\[Common 17-55\] File '$path' does not exist" }
}
proc put {path text} {
    set file [open $path w]
    fconfigure $file -translation binary
    puts -nonewline $file $text
    close $file
}

array set parts {}
set device ""
set design ""
set files {}

proc version {args} { return [setting VERSION 2024.1] }
proc current_project {} { return project }
proc create_project {args} {
    record create_project $args
    set ::device [option $args -part]
}
proc set_property {args} {
    record set_property $args
    set target [lindex $args end]
    if {$target ne "project" && ![info exists ::parts($target)]} { trouble "\[Common 17-162\] no $target" }
    if {[lindex $args 0] eq "-dict" && [llength [lindex $args 1]] % 2} { trouble "\[Common 17-161\] odd -dict" }
}
proc create_ip {args} {
    record create_ip $args
    if {![file isdirectory [option $args -dir]]} { trouble "\[Common 17-1\] no folder [option $args -dir]" }
    set ::parts([option $args -module_name]) [option $args -name]
}
proc get_ips {name} {
    if {![info exists ::parts($name)]} { trouble "\[Vivado 12-1\] no IP $name" }
    return $name
}
proc read_verilog {paths} {
    record read_verilog [list $paths]
    foreach path $paths { must_exist $path; lappend ::files [file rootname [file tail $path]] }
}
proc read_xdc {args} {
    record read_xdc $args
    must_exist [lindex $args end]
}
proc synth_design {args} {
    record synth_design $args
    if {[option $args -part] ne $::device} { trouble "\[Synth 8-1\] another device than the project's" }
    set ::design [option $args -top]
    if {$::design ni $::files} { trouble "\[Synth 8-439\] module '$::design' not found" }
    if {[setting CRITICAL 0]} {
        puts {CRITICAL WARNING: [Vivado 12-4739] set_max_delay:No valid object(s) found for '-from [get_cells lost_reg]'.}
    }
}
foreach name {generate_target synth_ip write_checkpoint opt_design place_design phys_opt_design route_design report_clock_interaction report_bus_skew report_drc} {
    proc $name {args} "record $name \$args"
}
proc report_timing_summary {args} {
    record report_timing_summary $args
    set text "| Design Timing Summary\n\n    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  THS Failing Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints  TPWS Total Endpoints\n"
    append text "    -------      -------  ---------------------  -------------------      -------      -------  ---------------------  -------------------     --------     --------  ----------------------  --------------------\n"
    append text "      [setting SLACK 0.052]        0.000                      0               123456        0.010        0.000                      0               123456        [setting PULSE 0.100]        0.000                       0                45678\n\n"
    set n 0
    foreach check {no_clock constant_clock pulse_width_clock unconstrained_internal_endpoints no_input_delay no_output_delay multiple_clock generated_clocks loops} {
        append text "[incr n]. checking $check ([expr {$check eq {no_clock} ? [setting UNCLOCKED 0] : 0}])\n"
    }
    put [option $args -file] $text
}
proc report_utilization {args} {
    record report_utilization $args
    set text "|          Site Type         |  Used | Fixed | Prohibited | Available | Util% |\n"
    foreach {name used there} {{CLB LUTs} 40001 230400 {CLB Registers} 41002 460800 {Block RAM Tile} 60.5 312 URAM 23 96 DSPs 3 1728} {
        append text "| $name | $used | 0 | 0 | $there | [format %.2f [expr {100.0 * $used / $there}]] |\n"
    }
    put [option $args -file] $text
}
proc get_msg_config {args} {
    if {$args ne {-count -severity {CRITICAL WARNING}}} { trouble "\[Common 17-2\] get_msg_config $args" }
    return [expr {$::design eq "" ? 0 : [setting CRITICAL 0]}]
}
proc get_timing_paths {args} { return path }
proc get_property {name object} {
    return [dict get [dict create SLACK [setting SLACK 0.052] STARTPOINT_PIN board/a_reg/C ENDPOINT_PIN board/b_reg/D] $name]
}
# As Vivado writes one: the head with its fields, then words for the device.
proc write_bitstream {args} {
    record write_bitstream $args
    if {[setting NO_BITSTREAM 0]} return
    set text [binary format SH18S 9 0ff00ff00ff00ff000 1]
    foreach {letter value} [list a "$::design;UserID=0XFFFFFFFF;Version=2024.1" b $::device c 2024/06/01 d 12:00:00] {
        append text $letter [binary format S [expr {[string length $value] + 1}]] $value \0
    }
    set words [string repeat \xff 64][binary format H* 000000bb11220044ffffffffffffffffaa99556620000000][string repeat [binary format H* 20000000] 64]
    append text e [binary format I [string length $words]] $words
    put [lindex $args end] $text
}

foreach word [lrange $argv 1 end] {
    if {[regexp {^(root|out)=(.*)$} $word -> name path]} { set folders($name) $path }
}
set script [lindex $argv 0]
set argv [lrange $argv 1 end]
source $script
