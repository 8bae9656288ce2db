#!/usr/bin/env python3
"""Sparse attention by the command line: what a run and a study write, and what a mistake is told."""

import json
import signal
import subprocess

from program import BAD_INPUT, CANNOT, DONE, PROGRAM, SOURCE, ProgramTest, main

CONFIG = SOURCE / "configs" / "dsa-32k.yaml"
SMALL = ("dsa.context=4096", "dsa.decode=2", "dsa.simulated_layers=1", "dsa.scores.calibration_rows=8",
         "dsa.selector.budget=512", "dsa.prediction.theta=[0.2, 0.1, 0]")


class DsaTest(ProgramTest):
    def ended_by_sigterm(self, *arguments):
        """What it wrote to stderr and its exit code, when SIGTERM comes after its first line of progress."""
        command = [str(PROGRAM), *map(str, arguments)]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            line = process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            return line + process.stderr.read(), process.wait()


class Run(DsaTest):
    def dsa(self, *overrides, options=()):
        sets = [x for s in (*SMALL, *overrides) for x in ("--set", s)]
        return self.lockstep("run", CONFIG, *sets, "--out", "out", *options)

    def test_the_summary_holds_every_stage_and_stream(self):
        result = self.dsa()
        self.assertEqual(result.returncode, DONE, result.stderr)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        names = [s["name"] for s in summary["schedules"]]
        self.assertEqual(names, ["dense", "serial", "S1", "S2", "S3", "oracle"])
        for schedule in summary["schedules"]:
            stages = schedule["stages_per_token"].values()
            self.assertAlmostEqual(sum(s["exposed_ns"] for s in stages), schedule["token_ns_mean"], delta=1)
        s3 = summary["schedules"][4]
        for stream in ("selection", "speculation", "repair"):
            self.assertGreater(s3["streams"][stream]["energy_pj"], 0)
            self.assertGreater(s3["streams"][stream]["row_hit_ratio"], 0)
        lines = (self.folder / "out" / "steps.csv").read_text().splitlines()
        self.assertEqual(len(lines), 1 + 6 * 2)

    def test_the_same_run_writes_the_same_bytes(self):
        self.dsa()
        first = (self.folder / "out" / "summary.json").read_bytes()
        self.dsa()
        self.assertEqual((self.folder / "out" / "summary.json").read_bytes(), first)

    def test_mistakes_are_told_at_once_with_their_places(self):
        text = CONFIG.read_text().replace("extends: attention-gqa4.yaml", f"extends: {CONFIG.parent}/attention-gqa4.yaml")
        text = text.replace("[dense, serial, S1, S2, S3, oracle]", "[dense, S4]").replace("batch: 1", "batch: 0")
        text = text.replace("  layers: 32\n", f"  layers: 32\n  xpu: {CONFIG.parent}/xpu/h100.yaml\n")
        text = text.replace("packed_rows: 16", "packed_rowz: 16")
        line = 1 + text[:text.index("packed_rowz")].count("\n")
        file = self.write("bad.yaml", text)
        result = self.lockstep("run", file.name)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stderr.splitlines(), [
            "bad.yaml:14:10: `dsa.batch`: expected a whole number from 1 to 1024, got `0`",
            "bad.yaml:16:14: `dsa.schedules`: expected schedules out of dense, serial, S1, S2, S3, oracle, got `S4`",
            f"bad.yaml:{line}:3: unknown key `dsa.packed_rowz`; did you mean `packed_rows`?"])

    def test_a_split_of_the_channels_that_has_no_map_is_told_with_its_place(self):
        text = f"extends: {CONFIG}\nname: split\ndsa:\n  summaries: reserved\n  reserved_channels: 8\n"
        result = self.lockstep("run", self.write("split.yaml", text).name)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stderr.splitlines(), [
            "split.yaml:5:22: `dsa.reserved_channels`: expected to leave a power of two of pseudo channels for each "
            "part, in whole channels of 2: of 32 only 16 can be reserved; got 8, which leaves 24"])

    def test_channels_that_are_reserved_are_named(self):
        result = self.dsa("dsa.summaries=reserved", "dsa.reserved_channels=16", "dsa.schedules=[S3]")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertIn("summaries reserved (16 of 32 pseudo channels)", result.stdout)

    def test_a_trace_that_cannot_be_used_is_told_with_the_place_of_its_name(self):
        text = f"extends: {CONFIG}\nname: replay\ndsa:\n  scores:\n    trace: %s\n"
        tiny = SOURCE / "tests" / "data" / "dsa" / "trace_tiny"
        for trace, finding in (("none-such", "none-such/meta.json: expected a readable file, got: No such file or directory"),
                               (tiny, f"{tiny}: block_tokens of the trace is 4, but the configuration has 16")):
            result = self.lockstep("run", self.write("replay.yaml", text % trace).name)
            self.assertEqual(result.returncode, BAD_INPUT)
            self.assertEqual(result.stderr, f"replay.yaml:5:12: `dsa.scores.trace`: {finding}\n")

    def test_caches_that_do_not_fit_are_told_before_scores_are_read(self):
        result = self.dsa("dsa.batch=1024", "dsa.scores.trace=none-such")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("`dsa.context`: the caches, packed rows and summaries of ", result.stderr)

    def test_the_configuration_in_a_summary_runs_again(self):
        self.dsa()
        first = (self.folder / "out" / "summary.json").read_bytes()
        self.write("again.json", json.dumps(json.loads(first)["config"], indent=2))
        result = self.lockstep("run", "again.json", "--out", "again")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertEqual((self.folder / "again" / "summary.json").read_bytes(), first)

    def test_a_signal_ends_it_at_a_token_with_a_sentence(self):
        sets = (*SMALL, "dsa.decode=64", "detail=command", "dsa.schedules=[dense]")
        errors, code = self.ended_by_sigterm("run", CONFIG, *[x for s in sets for x in ("--set", s)], "--out", "out")
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertRegex(errors, r"(?m)^interrupted in schedule dense at token \d+ of 64$")
        self.assertEqual(self.written(), [])

    def test_a_dense_context_is_refused(self):
        result = self.dsa("dsa.context=512")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("`dsa.context`: must have more blocks than the budget", result.stderr)

    def test_heads_that_share_a_channel_cannot_have_lists(self):
        result = self.dsa("address_map=host-centric", "pim.unit_column_parts=8", "pim.unit_queries=2",
                          "attention.group=2")
        self.assertEqual(result.returncode, CANNOT, result.stderr)
        self.assertIn("channels of their own for each KV head", result.stderr)


class Study(DsaTest):
    def test_a_setting_that_turns_out_wrong_is_told_with_its_place(self):
        text = f"extends: {SOURCE / 'configs' / 'study-dsa.yaml'}\nname: blocks\nkv:\n  block_tokens: 48\n"
        result = self.lockstep("study", "dsa", "--config", self.write("blocks.yaml", text).name, "--quick",
                               "--part", "repair", "--out", "out")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertRegex(result.stderr, r"^blocks\.yaml:4:17: `kv\.block_tokens`: a row of all banks and channels ")

    def test_a_signal_ends_it_with_a_sentence_and_no_files(self):
        errors, code = self.ended_by_sigterm("study", "dsa", "--config", SOURCE / "configs" / "study-dsa.yaml",
                                             "--quick", "--jobs", "1", "--out", "out")
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertRegex(errors, r"(?m)^interrupted")
        self.assertEqual(self.written(), [])

    def test_a_part_writes_tables_and_charts(self):
        result = self.lockstep("study", "dsa", "--config", SOURCE / "configs" / "study-dsa.yaml", "--quick",
                               "--part", "block", "--out", "out")
        self.assertEqual(result.returncode, DONE, result.stderr)
        names = {file.name for file in (self.folder / "out").iterdir()}
        self.assertEqual(names, {"cells.csv", "summary.json", "report.md", "path-by-block.svg", "row-hits-by-block.svg"})
        cells = json.loads((self.folder / "out" / "summary.json").read_text())["cells"]
        self.assertEqual([cell["cell"] for cell in cells], ["16", "32", "64", "128"])


if __name__ == "__main__":
    main()
