#!/usr/bin/env python3
"""The cycles of a command trace against the equations of docs/model.md, in arithmetic of this file's own."""

import csv
import itertools

from program import DONE, ProgramTest, main

N = {"nRC": 64, "nRAS": 45, "nRP": 19, "nRCDRD": 19, "nRTP": 8, "nCCDAB": 6, "nRFC": 456, "nREFI": 5070}
MAC_LATENCY = 36
OVERRIDES = [*[f"timing.{key}={value} CK" for key, value in N.items()], f"pim.mac_latency={MAC_LATENCY} CK",
             "clock=1.3 GHz"]


class Trace(ProgramTest):
    def commands(self, policy, *overrides, requests=((0, 300, 12), (1, 40, 9), (3, 700, 6), (4, 90, 20))):
        """The commands of each channel in order of issue, and the latencies of the steps, in cycles."""
        self.assertEqual(self.job(*OVERRIDES, f"kv.policies=[{policy}]", *overrides,
                                  options=(*self.trace(*requests), "--commands", "out/trace.csv")).returncode, DONE)
        channels = {}
        with (self.folder / "out" / "trace.csv").open() as lines:
            for row in csv.DictReader(lines):
                channels.setdefault(int(row["channel"]), []).append((int(row["cycle"]), row["command"], row["row"]))
        with (self.folder / "out" / "steps.csv").open() as lines:
            steps = [int(row["latency_cycles"]) for row in csv.DictReader(lines)]
        return channels, steps

    def test_a_row_visit_of_k_commands_takes_what_the_row_law_says(self):
        for policy in ("region", "paged-lifo"):
            channels, steps = self.commands(policy, "refresh.mode=none")
            self.assertEqual(len(channels), 32)
            visits = 0
            ends = list(itertools.accumulate(steps))
            for commands in channels.values():
                opened = [(cycle, k) for k, (cycle, command, _) in enumerate(commands) if command == "ACTab"]
                for (cycle, first), (following, last) in itertools.pairwise(opened):
                    inside = commands[first + 1:last]
                    macs = [c for c, command, _ in inside if command == "MACab"]
                    if any(cycle < end < following for end in ends):
                        continue  # the row stayed open while the host began another step
                    law = max(N["nRC"], N["nRCDRD"] + (len(macs) - 1) * N["nCCDAB"] + N["nRTP"] + N["nRP"])
                    self.assertEqual(following - cycle, law, f"{len(macs)} commands from cycle {cycle} on")
                    visits += 1
            self.assertGreater(visits, 400)

    def test_every_gap_is_at_least_what_the_parameters_say(self):
        least = {("ACTab", "ACTab"): N["nRC"], ("ACTab", "MACab"): N["nRCDRD"], ("ACTab", "PREab"): N["nRAS"],
                 ("MACab", "MACab"): N["nCCDAB"], ("MACab", "PREab"): N["nRTP"], ("PREab", "ACTab"): N["nRP"],
                 ("PREab", "REFab"): N["nRP"], ("REFab", "ACTab"): N["nRFC"], ("REFab", "REFab"): N["nRFC"]}
        channels, _ = self.commands("paged-lifo")
        binding = dict.fromkeys(least, 0)
        for commands in channels.values():
            last, open_row = {}, None
            for cycle, command, row in commands:
                for before, when in last.items():
                    gap = least.get((before, command), 0)
                    self.assertGreaterEqual(cycle - when, gap, f"{before} to {command} at cycle {cycle}")
                    if gap and cycle - when == gap:
                        binding[(before, command)] += 1
                if command == "ACTab":
                    self.assertIsNone(open_row)
                    open_row = row
                elif command == "PREab":
                    open_row = None
                elif command == "REFab":
                    self.assertIsNone(open_row)
                elif command == "MACab":
                    self.assertEqual(row, open_row)
                last[command] = cycle
        idle = {("REFab", "REFab")}  # nREFI keeps them further apart
        self.assertEqual({pair for pair, count in binding.items() if count == 0} - idle, set())

    def test_a_step_ends_with_the_last_result(self):
        # One sequence: a channel's step begins with its first command and ends a MAC latency after its last.
        channels, steps = self.commands("region", "refresh.mode=none", requests=((0, 200, 50),))
        macs = [c for c, command, _ in channels[0] if command == "MACab"]
        start = channels[0][0][0] - 1  # what arrives at a clock is served from the next on
        for latency in steps[:50]:
            inside = [c for c in macs if start < c <= start + latency - MAC_LATENCY]
            self.assertTrue(inside)
            end = max(max([c for c, command, _ in commands if command == "MACab" and c <= start + latency])
                      for commands in channels.values()) + MAC_LATENCY
            self.assertEqual(end, start + latency)
            start = end

    def test_refresh_comes_once_an_interval(self):
        channels, _ = self.commands("region", requests=((0, 2000, 60), (9, 900, 30)))
        for commands in channels.values():
            times = [cycle for cycle, command, _ in commands if command == "REFab"]
            self.assertEqual(len(times), commands[-1][0] // N["nREFI"])
            for n, cycle in enumerate(times, start=1):
                self.assertGreaterEqual(cycle, n * N["nREFI"])
                self.assertLessEqual(cycle, n * N["nREFI"] + N["nRC"] + N["nRP"])


if __name__ == "__main__":
    main()
