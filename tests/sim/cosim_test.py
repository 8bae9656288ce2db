#!/usr/bin/env python3
"""lockstep cosim: its counts, the clocks of its traces, the same traces from a testbench, and its refusals."""

import csv
import json
import shutil
import subprocess
import unittest

from program import BAD_INPUT, CHECK_FAILED, DONE, SOURCE, ProgramTest, main

COSIM = SOURCE / "configs" / "cosim-bank-mac.yaml"
PERIOD = 6  # nCCDAB
STAGES = 6
BANKS = 16
# A bank has 16 of 256 tokens, eight columns each of K and of V; scalars are loaded and lanes cleared.
BEATS = 16 * 8 * 2 + 2


class Cosim(ProgramTest):
    def cosim(self, *options):
        result = self.lockstep("cosim", COSIM, "--format", "json", *options)
        self.assertEqual(result.returncode, DONE, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def test_all_banks_of_a_channel_agree_over_a_whole_pass(self):
        report = self.cosim("--banks", "all")
        expected = {"tokens": 256, "banks": BANKS, "beats": BANKS * BEATS, "results": BANKS * BEATS, "late": 0,
                    "differences": 0, "output_equal": True}
        self.assertEqual({key: report[key] for key in expected}, expected)
        # Two score and sixteen lane bursts of a bank are moved.
        self.assertEqual(report["drains"], BANKS * (2 + 16))
        # valid, drained valid and busy in every clock; tag and data; a drain against the RTL and the stack.
        self.assertEqual(report["comparisons"], 3 * report["clocks"] + 2 * report["beats"] + 2 * report["drains"])
        self.assertLess(report["output_error_ratio"], 2e-3)

    def test_text_has_the_same_counts(self):
        report = self.cosim()
        text = self.lockstep("cosim", COSIM).stdout
        for key in ("clocks", "beats", "drains", "late", "comparisons", "differences"):
            self.assertRegex(text, rf"(?m)^{key} +{report[key]}\b")
        self.assertIn(" clocks/s", text)

    def test_every_chosen_bank_and_length_is_run(self):
        self.assertEqual(self.cosim("--banks", "0,5")["beats"], 2 * BEATS)
        self.assertEqual(self.cosim("--tokens", "16", "--banks", "3")["beats"], 8 * 2 + 2)
        report = self.cosim("--cycles", "6000")
        self.assertGreaterEqual(report["stack_cycles_ck"], 6000)
        self.assertGreater(report["passes"], 1)

    def test_a_long_pass_agrees_though_clears_take_clocks(self):
        report = self.cosim("--tokens", "600", "--banks", "all", "--set", "cosim.group=2",
                            "--set", "cosim.pipeline=ping_pong")
        self.assertEqual((report["differences"], report["output_equal"]), (0, True))

    def traces(self, *options):
        self.cosim("--traces", "traces", "--commands", "commands.csv", *options)
        return {bank: (self.folder / "traces" / f"bank_0_{bank}.trace").read_text() for bank in range(BANKS)}

    def test_a_beat_is_in_the_slot_of_its_command_and_its_result_behind_the_pipeline(self):
        traces = self.traces("--banks", "all")
        with (self.folder / "commands.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["command"] == "MACab"]
        slots = [-(-int(row["cycle"]) // PERIOD) for row in rows]
        self.assertEqual(len(slots), BEATS - 2)
        for bank, trace in traces.items():
            lines = [line.split() for line in trace.splitlines()]
            issues = {line[2]: int(line[0]) for line in lines if line[1] == "I"}
            results = {line[2]: int(line[0]) for line in lines if line[1] == "R"}
            self.assertEqual(results, {tag: at + STAGES for tag, at in issues.items()}, bank)
            self.assertEqual(len(issues), BEATS)
            self.assertLessEqual(set(slots), set(issues.values()))
            # The others are the clear of the lanes and the load.
            self.assertEqual(len(set(issues.values()) - set(slots)), 2)

    def icarus(self, length, sources):
        binary = self.folder / f"{length}.vvp"
        subprocess.run(["iverilog", "-g2012", "-s", "bank_mac_tb", f"-Pbank_mac_tb.Depth={STAGES}",
                        "-Pbank_mac_tb.Queries=2", "-Pbank_mac_tb.ColumnParts=8", f"-Pbank_mac_tb.Count={length}",
                        "-o", binary, *sources], check=True)
        return ["vvp", "-n", binary]

    def verilator(self, length, sources):
        folder = self.folder / f"verilator_{length}"
        subprocess.run(["verilator", "--binary", "--timing", "--timescale-override", "1ps/1ps", f"-GDepth={STAGES}",
                        "-GQueries=2", "-GColumnParts=8", f"-GCount={length}", "--top-module", "bank_mac_tb", "-Wno-fatal",
                        "-Mdir", folder, *sources], check=True, capture_output=True)
        return [folder / "Vbank_mac_tb"]

    def check_testbench(self, build):
        traces = self.traces("--banks", "all")
        sources = sorted((SOURCE / "rtl").glob("*.sv"), key=lambda file: (file.name != "bank_mac_pkg.sv", file.name))
        sources = [file for file in sources if file.name != "bank_mac_sva.sv"] + [SOURCE / "tests/rtl/bank_mac_tb.sv"]
        vectors = {bank: self.folder / "traces" / f"bank_0_{bank}.hex" for bank in traces}
        vectors = {bank: [line for line in file.read_text().splitlines() if not line.startswith("//")]
                   for bank, file in vectors.items()}
        # One testbench for all: banks that end earlier idle on, as in their last clock.
        length = max(map(len, vectors.values()))
        testbench = build(length, sources)
        for bank, trace in traces.items():
            lines = vectors[bank]
            self.assertEqual(set(lines[-1]), set("0_"), "the last clock is idle")
            padded = self.write(f"{bank}.hex", "\n".join(lines + lines[-1:] * (length - len(lines))) + "\n")
            seen = self.folder / f"{bank}.trace"
            run = subprocess.run([*testbench, f"+vectors={padded}", f"+trace={seen}"], capture_output=True, text=True)
            self.assertIn("PASS:", run.stdout)
            self.assertTrue(seen.read_text() == trace, f"bank {bank}")

    @unittest.skipUnless(shutil.which("iverilog"), "without Icarus")
    def test_a_testbench_in_icarus_sees_the_same_in_the_same_clocks(self):
        self.check_testbench(self.icarus)

    @unittest.skipUnless(shutil.which("verilator"), "without Verilator")
    def test_a_testbench_in_verilator_sees_the_same_in_the_same_clocks(self):
        self.check_testbench(self.verilator)

    def test_rtl_alone_gives_the_traces_of_lockstep(self):
        both = self.traces("--banks", "all")
        self.assertTrue(both == self.traces("--set", "pim.unit_of=[{domain: 0, unit: rtl}]"))

    def test_waves_show_the_window_of_each_bank(self):
        result = self.lockstep("cosim", COSIM, "--waves", "waves/unit.vcd", "--window", "60:62")
        if "LOCKSTEP_RTL_TRACE" in result.stderr:
            self.skipTest("built for other waveforms")
        self.assertEqual(result.returncode, DONE, result.stderr)
        for bank in (0, 5):
            lines = (self.folder / "waves" / f"unit.bank_0_{bank}.vcd").read_text().splitlines()
            self.assertEqual([x for x in lines if x.startswith("#")], [f"#{t}" for t in range(120, 126)])

    def test_mistakes_are_told_with_their_place(self):
        text = f"""extends: {COSIM}
pim:
  mac_latency: 30 CK
  unit: silicon
  unit_of:
    - {{domain: 1, unit: rtl}}
    - {{domain: 0, banks: [16], unit: lockstep}}
"""
        file = self.write("wrong.yaml", text)
        result = self.lockstep("cosim", file)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stderr.splitlines(), [
            f"{file}:3:16: `pim.mac_latency`: must be `unit` or at least 36 CK for `cosim`: the RTL does not answer before",
            f"{file}:4:9: `pim.unit`: expected one of model, rtl, lockstep, got `silicon`",
            f"{file}:6:16: `pim.unit_of[0].domain`: expected a whole number from 0 to 0, got `1`",
            f"{file}:7:26: `pim.unit_of[1].banks`: expected banks of a domain from 0 to 15, got `16`",
        ])

    def test_wrong_options_are_refused(self):
        cases = {
            ("--banks", "16"): "--banks: expected `all`, or banks from 0 to 15 such as `0,5`, got `16`",
            ("--banks", "0,,5"): "--banks: expected `all`, or banks from 0 to 15 such as `0,5`, got ``",
            ("--banks", "0", "--domain", "1"): "--domain: expected a domain from 0 to 0, got `1`",
            ("--waves", "x.vcd", "--window", "9:3"):
                "--window: expected the first and last clock of the units, such as `100:200`, got `9:3`",
            ("--cycles", "10", "--tokens", "10"): "--cycles excludes --tokens",
        }
        for options, sentence in cases.items():
            result = self.lockstep("cosim", COSIM, *options)
            self.assertEqual((result.returncode, result.stderr.splitlines()[0]), (BAD_INPUT, sentence))


if __name__ == "__main__":
    main()
