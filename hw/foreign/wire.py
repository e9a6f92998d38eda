"""Numbers of a port's counters, as `cargo xtask wire` wrote them."""
import pathlib
import re

_SOURCE = pathlib.Path(__file__).parents[2] / "wire/generated/mneme_wire.h"


def _counter(name):
    found = re.search(rf"^#define MNEME_PORT_{name} 0x([0-9a-f]+)u ", _SOURCE.read_text(), re.MULTILINE)
    assert found, f"{_SOURCE} has no {name}"
    return int(found.group(1), 16)


RX_FRAMES = _counter("RX_FRAMES")
RX_BAD_FCS = _counter("RX_BAD_FCS")
