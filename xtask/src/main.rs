//! The one entry command of the repository: `cargo xtask <task>`.
mod arm;
mod attack;
mod bench;
mod bitstream;
mod board;
mod c;
mod cable;
mod deb;
mod decoder;
mod demo;
mod differential;
mod dissector;
mod doors;
mod drawn;
mod ecpix5;
mod errors;
mod examples;
mod foreign;
mod formal;
mod fuzz;
mod hw_bench;
mod hw_coverage;
mod library;
mod lint;
mod mutate;
mod own;
mod pages;
mod process;
mod rdma_bench;
mod rdma_differential;
mod rdma_sim;
mod rtl;
mod rxe;
mod scala;
mod setup;
mod sim;
mod skips;
mod soak;
mod synth;
mod test;
mod tutorial;
mod wire;
mod within;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Every task of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Find what the repository needs beyond Rust and install what is missing: Verilator, a C++ compiler, a JDK, sbt, pkg-config,
    /// tshark, valgrind, iproute2, scapy, tcl, dtc, bootgen.
    Setup,
    /// Generate Scala, C and documentation from the wire crate's tables.
    Wire {
        /// Change nothing; fail when a generated file is stale.
        #[arg(long)]
        check: bool,
    },
    /// The boards' edges (XGMII, RGMII, AXI), and whole boards, beside models that others wrote: cocotbext-eth and cocotbext-axi
    Foreign(foreign::Options),
    /// Feed hostile bytes to the parsers, the transport, a whole client, the frames of raw drivers, the handshake and RoCEv2's state
    /// machines, guided by coverage.
    Fuzz(fuzz::Options),
    /// Generate docs/reference/errors.md from the client's table of errors.
    Errors {
        /// Change nothing; fail when the committed page is stale.
        #[arg(long)]
        check: bool,
    },
    /// Generate the header of the C interface into clib/c/include/.
    CHeader {
        /// Change nothing; fail when the committed header is stale.
        #[arg(long)]
        check: bool,
    },
    /// Build the C libraries and install them, the header, and the files for pkg-config and CMake.
    InstallC {
        /// Where to: include/ and lib/ are made below it.
        #[arg(long, value_name = "DIR")]
        prefix: std::path::PathBuf,
    },
    /// Build the C examples through pkg-config and CMake, as C users do, and run them against a board: as they are, under valgrind and with sanitizers. Planted misuse has to be found.
    CTest,
    /// Generate the Verilog of every kept configuration into hw/rtl/.
    Rtl {
        /// Change nothing; fail when a committed file is not what the sources generate.
        #[arg(long)]
        check: bool,
    },
    /// Draw the timing diagrams of docs/reference/doors.md into docs/reference/doors/, from a run of the RTL. The
    /// hardware's unit benches fail when a committed one is not what their run gives.
    Doors,
    /// Do what the tutorial says, word for word.
    Tutorial,
    /// Check the pages of documentation: no line is too long, every link leads somewhere. And that every public type of
    /// the client library has an example.
    Pages,
    /// Check file lengths, pages, rustfmt, clippy, scalafmt, and Verilator's warnings on the committed Verilog.
    Lint,
    /// Run the hardware's unit benches in SpinalSim (`sbt test`).
    HwTest,
    /// A part of `test`, which runs it beside the rest: the hardware's tests, differential tests, mutants
    #[command(hide = true)]
    Hardware,
    /// Prove the hardware's small machines with SymbiYosys and z3, and refute them with planted faults.
    Formal(formal::Options),
    /// Send the same seeded requests to the golden model and to the RTL and compare every answer and all memory.
    Differential(differential::Options),
    /// Count which lines and bits of the Verilog the differential test reaches. Fails when a line is not reached that docs/reference/figures/hw-coverage.json has no reason for.
    HwCoverage(hw_coverage::Options),
    /// Plant faults in the generated Verilog, one at a time, and see whether the hardware's tests find each.
    Mutate(mutate::Options),
    /// Run many clients and boards in virtual time while the network, boards and clients fail, and check what the clients saw.
    Sim(sim::Options),
    /// Run requesters and a responder of RoCEv2 in virtual time, with a network that loses, doubles, delays and damages packets, and check that
    /// every operation takes effect once.
    RdmaSim(rdma_sim::Options),
    /// Send frames of RC requesters over a bad network, and others that no requester sends, to the RTL's RoCEv2 port and to the model of a
    /// responder, and compare every answer, the counters and all memory.
    RdmaDifferential(rdma_differential::Options),
    /// Measure the RDMA port's state machines in virtual time: packets and accesses to memory of each operation, rates of loads and of
    /// swapping over static binding, programs' overhead, utilisation, beside the design's goals and the numbers of ODRP's paper. Fails when a
    /// goal is missed; target/rdma-bench has JSON.
    RdmaBench(rdma_bench::Options),
    /// Boot a guest whose Linux kernel speaks RoCEv2 (rdma_rxe) and let it read and write the memory of `mneme board --rdma`: every
    /// operation, sizes round packets and pages, refusals, wrap-round, a network that loses packets. target/rxe has a table and a capture.
    Rxe(rxe::Options),
    /// Build the slow path's daemon for a board's processor (aarch64) and run the end-to-end tests with it under QEMU.
    Arm(arm::Options),
    /// Build the Debian packages: `mneme` for this machine, `mneme-boardd` for a board's processor; unpack them and look.
    Deb,
    /// Build a board's bitstream.
    #[command(subcommand)]
    Bitstream(Bitstream),
    /// Put a board's bitstream onto it, through JTAG or through its Linux. Device, hashes and sources are checked before, the register
    /// block after.
    #[command(subcommand)]
    Flash(Flash),
    /// Start the software board and the RTL board, copy real files into the memory of each and back, let a client of the library and RDMA
    /// clients meet on one page, print what happened.
    Demo(demo::Options),
    /// Build the RTL board of a configuration of one's own, or of a kept one, and run it with `mneme board`. Built once, it starts at once.
    Board(own::Options),
    /// Capture packets of every kind of board and read them with the independent decoder of tests/decoder.
    Decode,
    /// Synthesise the core and its components for the ZCU106 with Yosys: area and logic levels beside goals and Clio's figures.
    Synth(synth::Options),
    /// List every register and memory of the board, from the generated Verilog, and show that none of it is per client or process.
    HwState(synth::state::Options),
    /// Run everything that CI demands: set-up, staleness, lints, Rust and hardware tests, comparison, packet decoder.
    Test,
    /// Measure the Verilated board at line rate: rates beside their bounds, latencies, the simulation's speed. Fails when a row is
    /// slower than what docs/reference/figures/hw-bench holds, or when a goal is missed.
    HwBench(hw_bench::Options),
    /// Print the figures that are measured by commands: the allocator's time and retries against fill level, the client's
    /// cost per operation, every driver's ping-pong, remote reads beside Redis, a thousand processes, an incast, the core's cycles
    /// per request. Fails when a goal is missed; target/bench has JSON and a report with plots.
    Bench(bench::Options),
    /// Attack the simulated boards as hostile clients would, and measure what honest ones suffer. Fails when a goal is missed;
    /// target/attack/attack.json has everything.
    Attack(attack::Options),
    /// Soak the simulated boards: tenants, floods, a bad network, failing memory, killed programs and resets at once, for an hour or
    /// more. Fails when a board does not balance at the end of a round; target/soak/soak.json has everything.
    Soak(soak::Options),
}

#[derive(Subcommand)]
enum Bitstream {
    /// The ZCU106, by Vivado, with images and device tree overlays, and bitstreams/manifest.toml. With --check everything that can be
    /// said without Vivado.
    Zcu106(bitstream::Options),
    /// The LambdaConcept ECPIX-5 85F, by Yosys, nextpnr and Project Trellis. Fails when no seed meets all timing.
    Ecpix5(ecpix5::Options),
}

#[derive(Subcommand)]
enum Flash {
    /// The ZCU106, through JTAG or through its Linux.
    Zcu106(bitstream::flash::Options),
    /// The ECPIX-5 85F, through its USB socket; the register block through the network.
    Ecpix5(ecpix5::flash::Options),
}

fn main() -> ExitCode {
    // Causes on one line and no backtrace: the reader wants to know what to do, not where we are.
    if let Err(error) = run(Cli::parse().task) {
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Setup => setup::run_setup().map(|_| ()),
        Task::Wire { check } => wire::run(&process::root(), check),
        Task::Foreign(options) => foreign::run_foreign(&options),
        Task::Fuzz(options) => fuzz::run_fuzz(&options),
        Task::Errors { check } => errors::run_errors(check),
        Task::CHeader { check } => c::run_header(check),
        Task::InstallC { prefix } => c::run_install(&prefix, "release"),
        Task::CTest => {
            setup::run_setup()?;
            c::run_test(test::PROFILE, &skips::Skips::default())
        }
        Task::Rtl { check } => rtl::run_rtl(&setup::run_setup()?, check),
        Task::Doors => doors::run_doors(&setup::run_setup()?),
        Task::Tutorial => tutorial::run_tutorial(test::PROFILE),
        Task::Pages => pages::run_pages().and_then(|()| examples::run_examples()),
        Task::Lint => lint::run_lint(&setup::run_setup()?, "release"),
        Task::HwTest => test::hw_test(&setup::run_setup()?),
        Task::Hardware => test::run_hardware(),
        Task::Formal(options) => formal::run_formal(&setup::run_setup()?, &options),
        Task::Differential(options) => {
            differential::run_differential(&setup::run_setup()?, &options, "release")
        }
        Task::HwCoverage(options) => hw_coverage::run_hw_coverage(&options, test::PROFILE),
        Task::Mutate(options) => {
            setup::run_simulator_setup()?;
            mutate::run_mutate(&options, test::PROFILE)
        }
        Task::Sim(options) => {
            setup::run_simulator_setup()?;
            sim::run_sim(&options, "release")
        }
        Task::RdmaSim(options) => rdma_sim::run_rdma_sim(&options, "release"),
        Task::RdmaDifferential(options) => {
            setup::run_simulator_setup()?;
            rdma_differential::run_rdma_differential(&options, "release")
        }
        Task::RdmaBench(options) => rdma_bench::run_rdma_bench(&options, "release"),
        Task::Rxe(options) => rxe::run_rxe(&options, test::PROFILE),
        Task::Arm(options) => arm::run_arm(&options, test::PROFILE),
        Task::Deb => deb::run_deb(),
        Task::Bitstream(Bitstream::Zcu106(options)) => bitstream::run_bitstream(&options),
        Task::Flash(Flash::Zcu106(options)) => bitstream::flash::run_flash(&options),
        Task::Flash(Flash::Ecpix5(options)) => ecpix5::flash::run_flash(&options),
        Task::Demo(options) => {
            setup::run_simulator_setup()?;
            demo::run_demo(&options)
        }
        Task::Board(options) => own::run_board(&options, "release"),
        Task::Decode => decoder::run_decoder(&setup::run_setup()?.python, "release"),
        Task::Synth(options) => synth::run_synth(&options),
        Task::Bitstream(Bitstream::Ecpix5(options)) => ecpix5::run_ecpix5(&options),
        Task::HwState(options) => synth::state::run_state(&options),
        Task::Test => test::run_tests(),
        Task::HwBench(options) => {
            setup::run_simulator_setup()?;
            hw_bench::run_hw_bench(&options, "release")
        }
        Task::Bench(options) => bench::run_bench(&options),
        Task::Attack(options) => {
            setup::run_simulator_setup()?;
            attack::run_attack(&options, if options.short { test::PROFILE } else { "release" })
        }
        Task::Soak(options) => {
            setup::run_simulator_setup()?;
            soak::run_soak(&options, test::PROFILE)
        }
    }
}
