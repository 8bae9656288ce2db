"""What the black-box tests share: they know the program by its command line alone.

Run one as `python3 tests/sim/x_test.py LOCKSTEP SOURCE_DIR`.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
DATA = SOURCE / "tests" / "data"
MAIN_JOB = SOURCE / "configs" / "main-job.yaml"

DONE, CHECK_FAILED, BAD_INPUT, CANNOT = 0, 1, 2, 3


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lockstep-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def lockstep(self, *arguments, **options):
        """Runs the program in the test's own folder; text out, unless told otherwise."""
        options = {"cwd": self.folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
                   "stdin": subprocess.DEVNULL, **options}
        return subprocess.run([str(PROGRAM), *map(str, arguments)], **options)

    def job(self, *overrides, requests=20, options=(), config=MAIN_JOB, **more):
        """A small main job that writes to `out`."""
        sets = [f"workload.requests={requests}", *overrides]
        return self.lockstep("run", config, *[x for s in sets for x in ("--set", s)], "--out", "out", *options, **more)

    def summary(self, *overrides, **more):
        result = self.job(*overrides, **more)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return json.loads((self.folder / "out" / "summary.json").read_text())

    def trace(self, *requests):
        """A trace of (arrival step, prompt tokens, output tokens), as options of `run`."""
        rows = "".join(f"{i},{at},{prompt},{output},-1,0\n" for i, (at, prompt, output) in enumerate(requests))
        self.write("trace.csv", "request_id,arrival_step,prompt_tokens,output_tokens,prefix_id,prefix_tokens\n" + rows)
        return "--requests", "trace.csv"

    def assert_refused(self, result, message, code=BAD_INPUT):
        """One exact message, nothing else printed, nothing written."""
        self.assertEqual(result.stderr, message + "\n")
        self.assertEqual(result.returncode, code)
        self.assertEqual(result.stdout, "")
        self.assertEqual(self.written(), [])

    def written(self):
        """What lies in the test's folder that the test did not put there itself."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.glob("out*"))


def resolved_main_job():
    """The main job as one file of canonical YAML, a key a line."""
    text = subprocess.run([str(PROGRAM), "config", str(MAIN_JOB)], capture_output=True, text=True, check=True).stdout
    return "".join(line + "\n" for line in text.splitlines() if not line.startswith("#"))


def environment(**variables):
    return {**os.environ, **variables}


def main():
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[3:]])
