#!/usr/bin/env python3
"""Area of the bank unit from yosys `stat -tech cmos` files: area.py FILE...

A NAND2 equivalent is four transistors. Yosys counts none for flip-flops, so they are listed apart.
"""

import pathlib
import re
import sys

SECTION = re.compile(r"^=== (.+) ===$", re.MULTILINE)
TRANSISTORS = re.compile(r"Estimated number of transistors:\s+(\d+)")
FLIP_FLOPS = re.compile(r"^\s+\$_\w*DFF\w*_\s+(\d+)$", re.MULTILINE)


def areas(text):
    """Module -> (NAND2 equivalents, flip-flops); the hierarchy as a whole is `design hierarchy`."""
    parts = SECTION.split(text)[1:]
    found = {}
    for name, body in zip(parts[::2], parts[1::2]):
        transistors = TRANSISTORS.search(body)
        flip_flops = sum(int(count) for count in FLIP_FLOPS.findall(body))
        found[name] = (int(transistors.group(1)) / 4 if transistors else 0, flip_flops)
    return found


def main(files):
    for file in files:
        found = areas(pathlib.Path(file).read_text())
        if "design hierarchy" not in found:
            print(f"{file}: no area of a whole design in it")
            return 1
        gates, flip_flops = found["design hierarchy"]
        multiplier, adder = found["fp16_mul"][0], found["fp32_add"][0]
        print(f"{pathlib.Path(file).stem}: {gates:.0f} NAND2 equivalents and {flip_flops} flip-flops; "
              f"16 multipliers of {multiplier:.0f} and 16 adders of {adder:.0f} are {16 * (multiplier + adder):.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
