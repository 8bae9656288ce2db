#!/usr/bin/env python3
"""Holds the documents to the tree: links, named files, quoted code, and the tests they call witnesses.

Usage: check_docs.py SOURCE_DIR BUILD_DIR. What documents promise, and this checks:
  * a relative link leads to a file;
  * a path in backticks (`hw/dram/timing.h`, `tests/*.py`, `hw/dram/timing.{h,cpp}`) is there;
  * a code block after `<!-- quote: FILE -->` stands in FILE word for word;
  * the tests in the column `test` of docs/validation.md, which may be patterns, are tests of ctest.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

FOLDERS = ("configs/", "docs/", "firmware/", "hw/", "rtl/", "sim/", "tests/", "tlm/", ".ci/")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
CODE = re.compile(r"`([^`\n]+)`")
QUOTE = re.compile(r"<!-- quote: (\S+) -->\n```\w*\n(.*?)```", re.DOTALL)


def documents(root):
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def alternatives(path):
    """timing.{h,cpp} -> timing.h, timing.cpp"""
    match = re.match(r"(.*)\{([^}]*)\}(.*)$", path)
    return [match[1] + part.strip() + match[3] for part in match[2].split(",")] if match else [path]


def named_files(text):
    for match in CODE.finditer(text):
        path = match[1]
        if path.startswith(FOLDERS) and " " not in path and "…" not in path and "NAME" not in path:
            yield from alternatives(path.split(":")[0])


def breaches(file, root):
    text = file.read_text()
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for match in LINK.finditer(prose):
        if not (file.parent / match[1]).exists():
            yield f"the link {match[1]} leads nowhere"
    for path in named_files(prose):
        if not list(root.glob(path.rstrip("/"))):
            yield f"there is no {path}"
    for path, code in QUOTE.findall(text):
        source = (root / path).read_text() if (root / path).exists() else ""
        if code not in source:
            yield f"the code quoted from {path} is not in it"


def witnesses(text):
    """Test names of the tables that have a column `test`."""
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if not line.startswith("|"):
            column = None
        elif "test" in cells:
            column = cells.index("test")
        elif column is not None and not set(line) <= set("|-: "):
            yield from CODE.findall(cells[column])


def ctest_names(build):
    listing = subprocess.run(["ctest", "--test-dir", str(build), "-N"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"Test +#\d+: (\S+)", listing))


def main(root, build):
    found = [f"{file.relative_to(root)}: {breach}" for file in documents(root) for breach in breaches(file, root)]
    tests = ctest_names(build)
    unbuilt = {name.removesuffix("_NOT_BUILT") for name in tests if name.endswith("_NOT_BUILT")}
    names = list(witnesses((root / "docs" / "validation.md").read_text()))
    if not names:
        found.append("docs/validation.md: names no test")
    for name in names:
        if not unbuilt and not fnmatch.filter(tests, name):
            found.append(f"docs/validation.md: there is no test {name}")
    print("\n".join(found) or f"{len(documents(root))} documents, {len(names)} tests named: all there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
