#!/usr/bin/env python3
"""Line coverage of rtl/ from an lcov file: prints a line a module and fails below the limit.

line_coverage.py FILE.info LIMIT_PERCENT
"""

import pathlib
import sys


def read(path):
    """File -> {line: times it ran}, of the synthesizable sources of rtl/."""
    hits, file = {}, None
    for row in pathlib.Path(path).read_text().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            file = pathlib.Path(value).name
        elif key == "DA" and not file.endswith(("_tb.sv", "_sva.sv")):
            line, count = (int(field) for field in value.split(",")[:2])
            lines = hits.setdefault(file, {})
            lines[line] = max(lines.get(line, 0), count)
    return hits


def main(info, limit):
    hits = read(info)
    covered = total = 0
    for file, lines in sorted(hits.items()):
        missed = sorted(line for line, count in lines.items() if count == 0)
        covered += len(lines) - len(missed)
        total += len(lines)
        print(f"{file}: {len(lines) - len(missed)} of {len(lines)} lines" + (f"; missed {missed}" if missed else ""))
    if total == 0:
        print("no line of rtl/ was measured")
        return 1
    percent = 100 * covered / total
    print(f"{'PASS' if percent >= limit else 'FAIL'}: {covered} of {total} lines, {percent:.1f} %, at least {limit} %")
    return 0 if percent >= limit else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
