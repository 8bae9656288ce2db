#!/usr/bin/env python3
"""The README's output of `./run` is what the main job prints, but for the times of the machine."""

import re

from program import DONE, MAIN_JOB, SOURCE, ProgramTest, main

MACHINE = re.compile(r"commands simulated a second|wall-clock time|^written: ")


def lines(text):
    return [line.rstrip() for line in text.strip().splitlines() if not MACHINE.search(line)]


class Readme(ProgramTest):
    def test_shows_what_the_main_job_prints(self):
        shown = re.search(r"```text\n\$ \./run\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)
        result = self.lockstep("run", MAIN_JOB, "--out", "out")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertEqual(lines(shown.group(1)), lines(result.stdout))


if __name__ == "__main__":
    main()
