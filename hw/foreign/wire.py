"""Numbers of the wire, the registers and the counters, as `cargo xtask wire` wrote them: `wire.REG_MAGIC`."""
import pathlib
import re

_SOURCE = pathlib.Path(__file__).parents[2] / "wire/generated/mneme_wire.h"
_NUMBERS = dict(re.findall(r"^#define MNEME_(\w+) (0x[0-9a-f]+|\d+)u?\b", _SOURCE.read_text(), re.MULTILINE))


def __getattr__(name):
    if name not in _NUMBERS:
        raise AttributeError(f"{_SOURCE} has no MNEME_{name}")
    return int(_NUMBERS[name], 0)
