"""Numbers of a port's counters, as `cargo xtask wire` wrote them for the hardware."""
import pathlib
import re

_SOURCE = pathlib.Path(__file__).parents[1] / "src/main/scala/mneme/wire/Wire.scala"


def _counter(name):
    found = re.search(rf"\bval {name} = (\d+)", _SOURCE.read_text())
    assert found, f"{_SOURCE} has no {name}"
    return int(found.group(1))


RX_BAD_FCS = _counter("RX_BAD_FCS")
