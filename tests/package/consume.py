"""Installs the build into an empty prefix, and builds and runs a project outside the tree against it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def main(source, build):
    with tempfile.TemporaryDirectory(prefix="a prefix with blanks ") as scratch:
        prefix = pathlib.Path(scratch, "prefix")
        project = pathlib.Path(scratch, "consumer")
        shutil.copytree(source / "tests/package/consumer", project)
        run("cmake", "--install", str(build), "--prefix", str(prefix))
        run("cmake", "-S", str(project), "-B", str(project / "build"), f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", str(project / "build"))
        preset = prefix / "share/lockstep/configs/hbm3-5.2gbps.yaml"
        quiet = {**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
        clocks = run(str(project / "build/consumer"), str(preset), env=quiet).split()
        # ACTab at 1, 32 MACab from 1 + nRCD 19 on, nCCDAB 6 apart; the refresh at 5070 and the one at
        # 10140 follow in 10 us = 13,000 clocks at command level, and have no event at stream level.
        if clocks[0] != str(1 + 19 + 31 * 6) or int(clocks[1]) < 10140:
            sys.exit(f"expected 206 and a refresh after clock 10140, got {clocks}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
