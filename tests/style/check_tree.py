#!/usr/bin/env python3
"""House rules that no compiler checks. Prints each breach as file:line: rule, and fails if any."""

import pathlib
import re
import sys

# Folder -> folders it may include. This table is the dependency graph of docs/architecture.md.
MAY_INCLUDE = {
    "configs": {"configs", "tlm"},
    "tlm": {"tlm"},
    "hw": {"configs", "tlm", "hw"},
    "firmware": {"configs", "tlm", "firmware"},
    "rtl": {"tlm", "rtl"},
    "sim": {"configs", "tlm", "hw", "firmware", "rtl", "sim"},
    "tests": {"configs", "tlm", "hw", "firmware", "rtl", "sim", "tests"},
}
# Within a folder, what must stay free of the SystemC kernel.
PURE = (
    "configs/", "tlm/contract/", "hw/dram/", "hw/pim/", "hw/channel/", "hw/die/", "hw/energy/",
    "firmware/kv/", "firmware/serving/", "firmware/workload/", "firmware/kernels/", "firmware/dsa/", "firmware/decode/",
    "firmware/attention/", "firmware/sparse/",
)

MAX_LINES = 400
INCLUDE = re.compile(r'#include [<"]([^>"]+)[>"]')
OPEN_TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")
# A comment that ends like a statement and looks like one; prose may end in a semicolon.
COMMENTED_CODE = re.compile(r"^\s*// ?(?=\S)[^`]*(\)|=|::|->|\breturn\b|\bbreak\b)[^`]*[;{}]\s*$")


def breaches(path, text):
    folder = path.parts[0]
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        yield MAX_LINES, f"{len(lines)} lines; split files over {MAX_LINES}"
    for number, line in enumerate(lines, start=1):
        if match := INCLUDE.match(line):
            header = match.group(1)
            owner = header.split("/")[0]
            if owner in MAY_INCLUDE and owner not in MAY_INCLUDE[folder]:
                yield number, f"{folder}/ must not include {owner}/"
            if header in ("systemc", "tlm") and str(path).startswith(PURE):
                yield number, "pure code must not include SystemC"
        if OPEN_TODO.search(line):
            yield number, "write TODO(#issue), or do it"
        if COMMENTED_CODE.match(line):
            yield number, "commented-out code; git remembers it"
        if line.startswith("using namespace"):
            yield number, "no using-directive at file scope"


def is_built(file, lists):
    """Whether a CMakeLists.txt above the file names it, relative to its own folder."""
    return any(folder in file.parents and str(file.relative_to(folder)) in text for folder, text in lists.items())


def main(root):
    count = 0
    lists = {f.parent: f.read_text() for f in root.rglob("CMakeLists.txt") if "build" not in f.parts}
    for folder in MAY_INCLUDE:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".sv"):
                continue
            path = file.relative_to(root)
            found = list(breaches(path, file.read_text()))
            if file.suffix != ".h" and not is_built(file, lists):
                found.append((1, "named in no CMakeLists.txt, so never built"))
            for number, rule in found:
                print(f"{path}:{number}: {rule}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
