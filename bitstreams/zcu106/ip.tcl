# The vendor's parts around Zcu106, made by Tcl so that nothing of theirs is in the repository.
#
# Their names are those of the modules that Zcu106Board has. Versions are not named: those of the pinned Vivado are taken.

# Makes one, with its options.
proc make_ip {kind name folder settings} {
    create_ip -name $kind -vendor xilinx.com -library ip -module_name $name -dir $folder
    set_property -dict $settings [get_ips $name]
}

# Options as Vivado names them, from short names.
proc settings {prefix pairs} {
    set all {}
    foreach {name value} $pairs { lappend all CONFIG.$prefix$name $value }
    return $all
}

# The processor. What lies at its programmable logic is the whole of it; pins and memory of its own are the boot loader's, which
# comes with the board's image and not from here. Ports have 128 bits, as a reset of the processor leaves them.
proc make_processor {folder clock_mhz} {
    make_ip zynq_ultra_ps_e zynq_ps $folder [settings PSU__ [list \
        USE__M_AXI_GP0 1 MAXIGP0__DATA_WIDTH 128 \
        USE__M_AXI_GP1 0 \
        USE__M_AXI_GP2 1 MAXIGP2__DATA_WIDTH 128 \
        USE__S_AXI_GP0 1 SAXIGP0__DATA_WIDTH 128 \
        USE__IRQ0 1 \
        FPGA_PL0_ENABLE 1 CRL_APB__PL0_REF_CTRL__SRCSEL IOPLL CRL_APB__PL0_REF_CTRL__FREQMHZ $clock_mhz]]
}

# DRAM of the programmable logic: 64 bits at 1,200 MHz, so 512 bits of AXI at 300 MHz. Masks are needed: lines are written in part.
proc make_dram {folder part} {
    make_ip ddr4 ddr4_dram $folder [settings C0.DDR4_ [list \
        MemoryType Components MemoryPart $part DataWidth 64 DataMask DM_NO_DBI \
        TimePeriod 833 InputClockPeriod 3332 CasLatency 17 CasWriteLatency 12 \
        Mem_Add_Map ROW_COLUMN_BANK_INTLV \
        AxiSelection true AxiDataWidth 512 AxiIDWidth 5 AxiArbitrationScheme RD_PRI_REG]]
}

# A channel of 10GBASE-R with its clocks and reset controller: blocks through the asynchronous gearbox, 64 bits and a header in each
# cycle of 156.25 MHz. The reference is the second one of the quad above. The first channel has the quad's PLL (`common` is CORE), and
# tells others when that has locked; they have none (EXAMPLE_DESIGN, as the vendor calls what is outside).
proc make_transceiver {folder name channel common ports} {
    set lane {}
    foreach way {TX RX} {
        lappend lane ${way}_LINE_RATE 10.3125 ${way}_REFCLK_FREQUENCY 156.25 ${way}_USER_DATA_WIDTH 64 ${way}_INT_DATA_WIDTH 32
        lappend lane ${way}_REFCLK_SOURCE "$channel clk1+1" ${way}_MASTER_CHANNEL $channel
    }
    lappend lane TX_DATA_ENCODING 64B66B_ASYNC RX_DATA_DECODING 64B66B_ASYNC LOCATE_COMMON $common
    foreach part {RESET_CONTROLLER TX_USER_CLOCKING RX_USER_CLOCKING USER_DATA_WIDTH_SIZING} { lappend lane LOCATE_$part CORE }
    if {$ports ne ""} { lappend lane ENABLE_OPTIONAL_PORTS $ports }
    # The preset is set first: it overwrites all others.
    make_ip gtwizard_ultrascale $name $folder {CONFIG.preset GTH-10GBASE-R}
    set_property -dict [settings {} [concat [list CHANNEL_ENABLE $channel FREERUN_FREQUENCY 125] $lane]] [get_ips $name]
}

# Those of the cages in use: the first one's channel, then the second one's.
proc make_transceivers {folder channels} {
    lassign $channels first second
    if {$second eq ""} {
        make_transceiver $folder gth_10gbaser $first CORE {}
        return gth_10gbaser
    }
    make_transceiver $folder gth_10gbaser $first CORE qpll0lock_out
    make_transceiver $folder gth_10gbaser_more $second EXAMPLE_DESIGN {}
    return {gth_10gbaser gth_10gbaser_more}
}

# The way of register accesses: 128 bits of AXI4 to 32 bits, then to AXI4-Lite.
proc make_registers {folder} {
    make_ip axi_dwidth_converter regs_narrow $folder [settings {} {ADDR_WIDTH 40 SI_DATA_WIDTH 128 MI_DATA_WIDTH 32 SI_ID_WIDTH 16}]
    make_ip axi_protocol_converter regs_lite $folder [settings {} \
        {SI_PROTOCOL AXI4 MI_PROTOCOL AXI4LITE TRANSLATION_MODE 2 ADDR_WIDTH 40 DATA_WIDTH 32 ID_WIDTH 0}]
}

# All of them, synthesised.
proc make_parts {folder clock_mhz memory_part channels} {
    file mkdir $folder
    make_processor $folder $clock_mhz
    make_dram $folder $memory_part
    set transceivers [make_transceivers $folder $channels]
    make_registers $folder
    foreach name [concat zynq_ps ddr4_dram $transceivers regs_narrow regs_lite] {
        generate_target all [get_ips $name]
        synth_ip [get_ips $name]
    }
}
