#!/usr/bin/env python3
"""Holds CMake's targets to the folder graph that check_tree.py holds the includes to."""

import collections
import pathlib
import sys

from check_tree import MAY_INCLUDE, PURE

SYSTEMC = "PkgConfig::SYSTEMC"
# Usable without the SystemC kernel: what docs/architecture.md calls the pure core.
PURE_TARGETS = {"contract", "configs", "hw_pure", "mac_model", "firmware_workload", "firmware_kernels", "firmware_kv",
                "firmware_decode", "firmware_dsa", "firmware_sparse"}


def read(text):
    """target -> (folder, links, sources)"""
    targets = {}
    for line in text.splitlines():
        folder, target, kind, item = line.split(" ", 3)
        entry = targets.setdefault(target, (folder, set(), set()))
        if kind == "SOURCES":
            entry[2].add(item)
        else:
            entry[1].add(item.removeprefix("$<LINK_ONLY:").rstrip(">"))
    return targets


def reaches_systemc(target, targets, seen=()):
    links = targets[target][1] if target in targets else set()
    return SYSTEMC in links or any(reaches_systemc(l, targets, (*seen, target)) for l in links if l not in (*seen, target))


def is_pure(target, folder, sources):
    """Whether it is said to be pure, or all sources lie where check_tree.py allows no SystemC."""
    if target in PURE_TARGETS:
        return True
    paths = [f"{folder}/{s}" for s in sources if s.endswith(".cpp") and not pathlib.Path(s).is_absolute()]
    return bool(paths) and all(path.startswith(PURE) for path in paths)


def breaches(targets):
    for target, (folder, links, sources) in sorted(targets.items()):
        for link in sorted(links & targets.keys()):
            owner = targets[link][0]
            if owner not in MAY_INCLUDE[folder]:
                yield f"{target} of {folder}/ links {link} of {owner}/, which {folder}/ must not know"
        if is_pure(target, folder, sources) and reaches_systemc(target, targets):
            yield f"{target} is pure, but links SystemC"


def check_the_check():
    planted = read("hw a LINK_LIBRARIES b\nfirmware b SOURCES kv/x.cpp\nfirmware b LINK_LIBRARIES bus\n"
                   f"tlm bus LINK_LIBRARIES {SYSTEMC}\nconfigs c LINK_LIBRARIES a\n")
    found = collections.Counter(breach.split()[0] for breach in breaches(planted))
    assert found == {"a": 1, "b": 1, "c": 1}, found


if __name__ == "__main__":
    check_the_check()
    known = read(pathlib.Path(sys.argv[1]).read_text())
    assert len({folder for folder, _, _ in known.values()}) >= 5, "the list of targets is not whole"
    assert PURE_TARGETS <= known.keys(), PURE_TARGETS - known.keys()
    found = list(breaches(known))
    print("\n".join(found) or f"{len(known)} targets keep to the graph")
    sys.exit(1 if found else 0)
