#!/usr/bin/env python3
"""What a run writes: its keys, its sums, the same bytes wherever and however it runs."""

import csv
import json
import subprocess

from program import DONE, MAIN_JOB, PROGRAM, SOURCE, ProgramTest, environment, main

RUN_KEYS = {"schema": int, "model_version": int, "name": str, "config_hash": str, "seed": int, "detail": str,
            "all_bank_scope_banks": int, "requests": int, "workload": str, "policies": list, "gain_formula": float,
            "gain_cycles": float, "config": dict}
POLICY_KEYS = {
    "name": str, "m1_row_hit_ratio": float, "m2_bank_participation_ratio": float, "m3_formula_bandwidth_gbps": float,
    "cycle_bandwidth_gbps": float, "cycle_to_formula_ratio": float, "cycle_row_hit_ratio": float,
    "peak_pim_bandwidth_gbps": float, "steps": int, "region_spread_ratio": float, "scored_pairs": int,
    "requests_completed": int, "requests_dropped": int, "admission_failures": int, "preemptions": int,
    "all_bank_commands": int, "row_activations": int, "refreshes": int, "step_latency_ns_mean": float,
    "step_latency_ns_p95": float, "simulated_ns": float, "simulated_cycles": int, "kv_bytes_read": int,
    "generated_tokens": int, "pool_blocks": int, "blocks_allocated": int, "blocks_freed": int, "commands": dict,
    "wait_cycles": dict}
STACK_CHANNELS, BANKS, BURST_BYTES = 32, 16, 32


def setting(node, key):
    """The value of the first `key` in a tree of settings."""
    if key in node:
        return node[key]
    below = (setting(child, key) for child in node.values() if isinstance(child, dict))
    return next((value for value in below if value is not None), None)


class Summary(ProgramTest):
    def test_has_every_key_with_its_type(self):
        summary = self.summary()
        for keys, part in [(RUN_KEYS, summary), *[(POLICY_KEYS, policy) for policy in summary["policies"]]]:
            for key, kind in keys.items():
                self.assertIsInstance(part.get(key), kind, key)
        self.assertEqual([p["name"] for p in summary["policies"]], ["paged-lifo", "region"])
        self.assertRegex(summary["config_hash"], "^[0-9a-f]{16}$")

    def test_holds_its_settings_as_objects(self):
        config = self.summary("kv.headroom=1.25", "kv.policies=[region, contiguous]")["config"]
        self.assertEqual(config["kv"]["headroom"], 1.25)
        self.assertEqual(config["kv"]["policies"], ["region", "contiguous"])
        self.assertEqual(config["workload"]["requests"], 20)
        self.assertEqual(config["clock"], "1.3 GHz", "a unit stays with its number")
        resolved = self.lockstep("config", MAIN_JOB, "--set", "kv.headroom=1.25").stdout.splitlines()
        top = [line.split(":")[0] for line in resolved if line[0] not in "# "]
        self.assertEqual(list(config), top, "the keys of the configuration, in its order")

    def test_without_anything_scored_the_averages_are_null(self):
        summary = self.summary("scoring.every_steps=1000000")
        policy = summary["policies"][0]
        for key in ("m1_row_hit_ratio", "m3_formula_bandwidth_gbps", "region_spread_ratio", "cycle_to_formula_ratio"):
            self.assertIsNone(policy[key], key)
        self.assertIsNone(summary["gain_formula"])
        self.assertEqual(policy["scored_pairs"], 0)

    def test_a_single_policy_gains_nothing(self):
        summary = self.summary("kv.policies=[region]")
        self.assertIsNone(summary["gain_formula"])
        self.assertIsNone(summary["gain_cycles"])

    def test_its_sums_hold(self):
        summary = self.summary()
        clock_hz = float(setting(summary["config"], "clock").split()[0]) * 1e9
        interval = int(setting(summary["config"], "nREFI").split()[0])
        steps = list(csv.DictReader((self.folder / "out" / "steps.csv").open()))
        for policy in summary["policies"]:
            mine = [s for s in steps if s["policy"] == policy["name"]]
            total = lambda key: sum(int(s[key]) for s in mine)
            self.assertEqual(policy["requests_completed"] + policy["requests_dropped"], summary["requests"])
            self.assertEqual(policy["blocks_allocated"], policy["blocks_freed"])
            self.assertEqual(policy["steps"], len(mine))
            self.assertEqual(policy["kv_bytes_read"], total("kv_bytes"))
            self.assertEqual(policy["all_bank_commands"], total("all_bank_commands"))
            self.assertEqual(policy["all_bank_commands"], policy["commands"]["MACab"])
            self.assertEqual(policy["row_activations"], policy["commands"]["ACTab"])
            self.assertEqual(policy["generated_tokens"], total("running"))
            self.assertEqual(policy["scored_pairs"], total("running"))
            open_at_end = policy["commands"]["ACTab"] - policy["commands"]["PREab"]
            self.assertTrue(0 <= open_at_end <= STACK_CHANNELS)
            # Bandwidth is bytes by time; no more than 512 B a command, and each byte is read once.
            pim_seconds = total("latency_cycles") / clock_hz
            self.assertAlmostEqual(policy["cycle_bandwidth_gbps"], policy["kv_bytes_read"] / pim_seconds / 1e9, places=6)
            self.assertLess(policy["kv_bytes_read"], policy["all_bank_commands"] * BANKS * BURST_BYTES)
            self.assertLess(policy["cycle_bandwidth_gbps"], policy["peak_pim_bandwidth_gbps"])
            self.assertAlmostEqual(policy["step_latency_ns_mean"], pim_seconds * 1e9 / len(mine), places=3)
            # One refresh of every pseudo channel an interval, none owed at the end.
            self.assertEqual(policy["refreshes"], STACK_CHANNELS * (policy["simulated_cycles"] // interval))
            # The waits of a channel add up to the clock of its last command.
            waits = sum(policy["wait_cycles"].values())
            self.assertLessEqual(waits, STACK_CHANNELS * policy["simulated_cycles"])
            self.assertGreater(waits, STACK_CHANNELS * (policy["simulated_cycles"] - interval))
        first, last = summary["policies"][0], summary["policies"][-1]
        self.assertAlmostEqual(summary["gain_cycles"], last["cycle_bandwidth_gbps"] / first["cycle_bandwidth_gbps"])
        self.assertAlmostEqual(summary["gain_formula"],
                               last["m3_formula_bandwidth_gbps"] / first["m3_formula_bandwidth_gbps"])

    def test_without_refresh_there_is_none(self):
        for policy in self.summary("refresh.mode=none")["policies"]:
            self.assertEqual(policy["refreshes"], 0)

    def test_json_on_stdout_is_the_summary(self):
        result = self.job(options=("--format", "json"))
        self.assertEqual(result.stdout, (self.folder / "out" / "summary.json").read_text())


class Determinism(ProgramTest):
    FILES = ("summary.json", "steps.csv")

    def bytes_of(self, folder="out"):
        return [(self.folder / folder / name).read_bytes() for name in self.FILES]

    def test_the_same_bytes_from_another_folder_and_under_another_locale(self):
        self.assertEqual(self.job().returncode, DONE)
        once = self.bytes_of()
        for locale in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
            run = self.lockstep("run", "configs/main-job.yaml", "--set", "workload.requests=20", "--out",
                                self.folder / locale, cwd=SOURCE, env=environment(LC_ALL=locale, LANG=locale))
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assertEqual(self.bytes_of(locale), once, locale)

    def test_another_seed_gives_another_run(self):
        self.job(options=("--seed", "1"))
        one = self.bytes_of()
        self.job(options=("--seed", "2"))
        two = self.bytes_of()
        self.assertNotEqual(one[1], two[1])
        self.job("seed=1")
        self.assertEqual(self.bytes_of(), one, "--seed is an override of `seed`")

    def test_a_summary_holds_all_that_its_run_needs(self):
        summary = self.summary("kv.block_tokens=32", options=("--seed", "7"))
        once = self.bytes_of()
        self.write("again.json", json.dumps(summary["config"], indent=2))  # JSON is YAML
        result = self.lockstep("run", "again.json", "--out", "out")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertEqual(self.bytes_of(), once)

    def test_two_runs_at_once_into_one_folder_leave_whole_files(self):
        command = [str(PROGRAM), "run", str(MAIN_JOB), "--set", "workload.requests=20", "--out", "out"]
        runs = [subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(4)]
        self.assertEqual([run.wait() for run in runs], [DONE] * 4)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         ["steps.csv", "summary.json", "timing.json"])
        together = self.bytes_of()
        self.job()
        self.assertEqual(together, self.bytes_of())


class Detail(ProgramTest):
    REQUESTS = ((0, 300, 12), (1, 40, 9), (3, 700, 6), (4, 90, 20))

    def test_every_command_or_closed_form_end_in_the_same_clocks(self):
        for overrides in ((), ("refresh.mode=none",), ("pim.all_bank_scope=channel",), ("pim.act_ab=staggered",)):
            with self.subTest(overrides=overrides):
                outputs = []
                for detail in ("stream", "command"):
                    summary = self.summary(f"detail={detail}", *overrides, options=self.trace(*self.REQUESTS))
                    for key in ("config", "config_hash", "detail"):
                        del summary[key]
                    outputs.append((summary, (self.folder / "out" / "steps.csv").read_bytes()))
                self.assertEqual(outputs[0], outputs[1])

    def test_a_command_trace_changes_nothing_and_counts_the_same(self):
        requests = self.trace(*self.REQUESTS)
        self.summary(options=requests)
        plain = [(self.folder / "out" / name).read_bytes() for name in ("summary.json", "steps.csv")]
        summary = self.summary(options=(*requests, "--commands", "out/trace.csv"))
        self.assertEqual(plain, [(self.folder / "out" / n).read_bytes() for n in ("summary.json", "steps.csv")])
        for policy in summary["policies"]:
            counts = dict.fromkeys(policy["commands"], 0)
            with (self.folder / "out" / f"trace.{policy['name']}.csv").open() as lines:
                for row in csv.DictReader(lines):
                    counts[row["command"]] += 1
            self.assertEqual(counts, policy["commands"])


if __name__ == "__main__":
    main()
