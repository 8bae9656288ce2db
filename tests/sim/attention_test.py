#!/usr/bin/env python3
"""Attention runs by their results: sums, rates by hand, levels, layers, and what is refused."""

import collections
import csv
import json
import signal
import subprocess
import time
import unittest

import program
from program import BAD_INPUT, CANNOT, DONE, SOURCE, ProgramTest

ATTENTION = SOURCE / "configs" / "attention-gqa4.yaml"
TOKEN = 8 * 128 * 2  # bytes of K, and of V
CLOCK_NS = 1 / 1.3
NCCDAB = 6
LANES = 32 * 16 * 16  # of all banks
REGION = "kv.policies=[region]"


class AttentionTest(ProgramTest):
    def attention(self, *overrides, **more):
        summary = self.summary(REGION, *overrides, config=ATTENTION, **more)
        with (self.folder / "out" / "steps.csv").open() as file:
            steps = list(csv.DictReader(file))
        return summary["policies"][0], steps

    def small(self, *overrides):
        return self.attention(*overrides, options=self.trace((0, 40, 4), (1, 100, 3), (1, 17, 5)))

    def test_rates_are_those_of_the_steps(self):
        for queries_per_column, repeats in ((1, 4), (2, 2), (4, 1)):
            policy, steps = self.attention(f"attention.queries_per_column={queries_per_column}", requests=5)
            total = lambda key: sum(float(step[key]) for step in steps)  # noqa: E731
            tokens = total("tokens")
            self.assertEqual(policy["kv_bytes_attended"], 2 * TOKEN * tokens)
            self.assertEqual(policy["kv_bytes_read"], 2 * TOKEN * tokens * repeats)
            self.assertAlmostEqual(policy["tokens_per_s"], total("running") / total("step_ns") * 1e9, delta=0.01)
            self.assertEqual(policy["generated_tokens"], total("running"))
            attention = total("attention_ns")
            self.assertAlmostEqual(policy["kv_bandwidth_gbps"], 2 * TOKEN * tokens / attention, delta=0.001)
            # A K or V element meets each of 4 queries once; a lane set takes one every nCCDAB.
            needed = 2 * tokens * 8 * 128 * 4
            possible = attention / (NCCDAB * CLOCK_NS) * LANES * queries_per_column
            self.assertAlmostEqual(policy["mac_utilisation_ratio"], needed / possible, delta=1e-5)
            # One layer, one batch: nothing is hidden.
            parts = sum(total(k) for k in ("qkv_ns", "projection_ns", "ffn_ns", "attention_ns", "kv_write_ns"))
            self.assertAlmostEqual(total("step_ns"), parts, delta=1)
            self.assertAlmostEqual(policy["pim_exposed_ns"], attention + total("kv_write_ns"), delta=1)
            # The stages of the watched channel are all its time in the steps.
            stages = sum(ns for name, ns in policy["stages"].items() if name.endswith("_exposed_ns"))
            self.assertAlmostEqual(stages, attention + total("kv_write_ns"), delta=1)

    def test_functional_runs_compute_in_the_banks(self):
        # Each of 3 sequences reads K and V of its tokens once for every query of its group: 4 times.
        result = self.job(REGION, config=ATTENTION, options=(*self.trace((0, 40, 4), (1, 100, 3), (1, 17, 5)),
                                                             "--functional"))
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertIn("computed in the banks: 3 sequences, worst error", result.stdout)
        read = 2 * TOKEN * (44 + 103 + 22) * 4
        self.assertRegex(result.stdout, rf"mac_bytes: {read} ")

    def test_only_attention_is_computed_in_the_banks(self):
        self.assert_refused(self.job(options=("--functional",)),
                            "--functional: expected a configuration with a section `attention` and none `dsa` (for "
                            "that: lockstep verify dsa)")

    def test_banks_in_halves_move_the_same_and_compute_twice_as_often(self):
        count = {}
        for overlap in ("none", "half_scope"):
            self.attention("detail=command", f"pim.row_overlap={overlap}",
                           options=(*self.trace((0, 40, 4), (1, 17, 5)), "--commands", "commands.csv"))
            with (self.folder / "commands.csv").open() as file:
                count[overlap] = collections.Counter(row["command"] for row in csv.DictReader(file))
            checked = self.lockstep("check", "commands.csv", ATTENTION, "--set", f"pim.row_overlap={overlap}")
            self.assertEqual(checked.returncode, DONE, checked.stdout)
        self.assertEqual(count["half_scope"]["MACab"], 2 * count["none"]["MACab"])
        for move in ("WRGB", "MVSB", "MVGB", "WR"):
            self.assertGreater(count["none"][move], 0)
            self.assertEqual(count["half_scope"][move], count["none"][move])
        self.assertEqual(self.job("pim.row_overlap=half_scope", config=ATTENTION, options=("--functional",)).returncode,
                         CANNOT)

    def test_energy_is_counts_times_values(self):
        policy, steps = self.attention("attention.writes=none", requests=5)
        energy = policy["energy_pj"]
        self.assertAlmostEqual(energy["mac_column"], policy["all_bank_commands"] * 16 * 402.56, delta=1)
        step_ns = sum(float(step["step_ns"]) for step in steps)
        self.assertAlmostEqual(energy["background"], 2 * 1e3 * step_ns, delta=100)  # 2 W for a ns are 2,000 pJ
        tokens = sum(int(step["running"]) for step in steps)
        self.assertAlmostEqual(policy["energy_pj_per_token"], energy["total"] / tokens, delta=1)

    def test_every_token_is_written_once(self):
        policy, _ = self.small()
        # The last token of a request is never attended to, so its key is not written.
        written = 2 * TOKEN * (40 + 4 + 100 + 3 + 17 + 5)
        never = 2 * TOKEN * 3
        self.assertIn(policy["kv_bytes_written_simulated"], (written, written - never))

    def test_participation_is_1_for_split_and_half_interleaved(self):
        # 256 tokens at the only step: every bank has one in each command.
        options = self.trace((0, 255, 1))
        split, _ = self.attention(options=options)
        self.assertEqual(split["bank_participation_ratio"], 1)
        interleaved, _ = self.attention("attention.layout=interleaved", options=options)
        self.assertEqual(interleaved["bank_participation_ratio"], 0.5)

    def test_levels_and_storage_give_the_same_steps(self):
        for writes in ("before", "mixed"):
            results = []
            for more in ("detail=stream", "detail=command", "storage=sparse"):
                self.small(f"attention.writes={writes}", more)
                results.append((self.folder / "out" / "steps.csv").read_text())
            self.assertEqual(results[0], results[1], writes)
            self.assertEqual(results[0], results[2], writes)

    def test_one_layer_stands_for_all_without_refresh(self):
        layers = ("attention.layers=3", "refresh.mode=none")
        every, _ = self.small(*layers)
        one, _ = self.small(*layers, "attention.simulate_layers=one")
        for key in ("attention_cycles", "kv_write_cycles", "tokens_per_s"):
            self.assertAlmostEqual(one[key] / every[key], 1, delta=0.01, msg=key)

    def test_sub_batches_hide_attention(self):
        layers = ("attention.layers=4", "attention.sub_batches=2")
        policy, _ = self.attention(*layers, options=self.trace((0, 2000, 2), (0, 2000, 2)))
        self.assertLess(policy["pim_exposed_ns"], policy["pim_busy_ns"])
        self.assertLess(policy["xpu_exposed_ns"], policy["xpu_busy_ns"])

    def test_ping_pong_hides_softmax(self):
        options = self.trace((0, 500, 2), (0, 500, 2))
        none, _ = self.attention("attention.pipeline=none", options=options)
        both, _ = self.attention(options=options)
        self.assertLess(both["attention_cycles"], none["attention_cycles"])
        self.assertLess(both["stages"]["softmax_exposed_ns"], none["stages"]["softmax_exposed_ns"])

    def test_narrow_elements_take_two_commands_a_column(self):
        policy, steps = self.small("attention.element=int8", "model.element_size=1 B")
        tokens = sum(int(step["tokens"]) for step in steps)
        self.assertEqual(policy["kv_bytes_attended"], TOKEN * tokens)
        self.assertEqual(policy["kv_bytes_read"], TOKEN * tokens * 4 * 2)

    def test_every_nth_step_counts_for_itself(self):
        _, every = self.attention(requests=5)
        policy, some = self.attention("scoring.simulate_every_steps=16", requests=5)
        self.assertEqual([s["step"] for s in some], [s["step"] for s in every if int(s["step"]) % 16 == 0])
        self.assertEqual([s["tokens"] for s in some], [s["tokens"] for s in every if int(s["step"]) % 16 == 0])
        self.assertEqual(policy["simulated_steps"], len(some))

    def test_verify_does_not_depend_on_threads(self):
        outputs = {self.lockstep("verify", "attention", "--stack", SOURCE / "configs" / "hbm3-5.2gbps.yaml", "--cases",
                                 30, "--seed", 5, "--jobs", jobs).stdout for jobs in (1, 3)}
        self.assertEqual(len(outputs), 1)
        self.assertIn("30 cases, seed 5", outputs.pop())

    def test_study_writes_its_table(self):
        result = self.lockstep("study", "attention", "--quick", "--config", ATTENTION, "--out", "out")
        self.assertEqual(result.returncode, DONE, result.stderr)
        cells = json.loads((self.folder / "out" / "summary.json").read_text())["cells"]
        rows = list(csv.DictReader((self.folder / "out" / "cells.csv").read_text().splitlines()))
        self.assertEqual(len(rows), len(cells))
        gains = {(c["scope"], c["group"], c["queries_per_column"]): c["gain_cycles_ratio"] for c in cells}
        # Compute hides row misses: less to gain the more often a column is read in a row visit.
        for scope in {c["scope"] for c in cells}:
            self.assertGreater(gains[scope, 1, 1], gains[scope, 2, 1])
            self.assertGreater(gains[scope, 2, 1], gains[scope, 4, 1])
        for group in (2, 4, 8, 16):
            self.assertGreater(gains["pseudo_channel", group, 2], gains["pseudo_channel", group, 1])


class RefusalTest(ProgramTest):
    def refused(self, *overrides):
        return self.job(*overrides, config=ATTENTION)

    def test_wrong_values_are_told_at_their_place(self):
        base = ATTENTION.read_text().replace("extends: main-job.yaml", f"extends: {SOURCE}/configs/main-job.yaml")
        base = base.replace("xpu/h100.yaml", f"{SOURCE}/configs/xpu/h100.yaml")
        for line, wrong, message in (
                ("group: 4 ", "group: 0 ", "`attention.group`: expected a whole number from 1 to 64, got `0`"),
                ("pipeline: ping_pong", "pipeline: pong", "`attention.pipeline`: expected one of none, ping_pong, got `pong`"),
        ):
            file = self.write("bad.yaml", base.replace(line, wrong))
            number = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if wrong in text)
            column = file.read_text().splitlines()[number - 1].index(": ") + 3
            result = self.lockstep("run", file, "--out", "out")
            self.assert_refused(result, f"{file}:{number}:{column}: {message}")

    def test_a_processor_is_a_map_or_a_file_that_is_there(self):
        result = self.lockstep("run", ATTENTION, "--set", "attention.xpu=none.yaml", "--out", "out")
        self.assert_refused(result, "--set attention.xpu=none.yaml:1:15: `attention.xpu`: expected a map or the name of "
                                    f"a YAML file, but there is no file `{ATTENTION.parent / 'none.yaml'}`")

    def test_what_cannot_be_computed_is_refused_with_its_reason(self):
        for override, reason in (
                ("attention.layout=vllm-x", "attention.layout `vllm-x`: a column of 32 B holds 8 dims of 2 tokens"),
                ("pim.all_bank_scope=channel", "different query slices"),
                ("address_map=pim-friendly", "the row above all other bits")):
            result = self.refused(override)
            self.assertEqual(result.returncode, CANNOT, override)
            self.assertIn(reason, result.stderr)

    def test_ctrl_c_ends_it_with_a_sentence_and_no_half_written_commands(self):
        command = [str(program.PROGRAM), "run", str(ATTENTION), "--set", "detail=command", "--out", "out/deep",
                   "--commands", "out.csv"]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        while not list(self.folder.glob("out.*")):  # the simulation has begun
            self.assertIsNone(process.poll(), "it ended before it began")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertRegex(errors.splitlines()[-1], r"^interrupted in policy \S+ at step \d+, \d+ of \d+ requests completed$")
        self.assertEqual(self.written(), [])

    def test_settings_that_contradict_each_other_are_refused(self):
        for override, reason in (
                ("attention.element=int8", "must be the size of attention.element"),
                ("controller.pim_window=2", "needs controller.pim_window 1"),
                ("speculation.mode=splice", "needs speculation.mode `off`")):
            result = self.refused(override)
            self.assertEqual(result.returncode, BAD_INPUT, override)
            self.assertIn(reason, result.stderr)
        layers = self.refused("attention.layers=2", "attention.simulate_layers=one")
        self.assertEqual(layers.returncode, BAD_INPUT)
        self.assertIn("must be `all` where several layers meet refresh.mode", layers.stderr)


if __name__ == "__main__":
    program.main()
