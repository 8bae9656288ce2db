"""`lockstep replay` and `lockstep check` hand in hand: totals by hand, and a trace with one planted fault."""

import csv
import json
import unittest

from program import CHECK_FAILED, DONE, SOURCE, ProgramTest, main

STACK = SOURCE / "configs" / "attacc-hbm3-5.2gbps.yaml"
HEADER = "op,pseudo_channel,bank,row,col\n"


class Replay(ProgramTest):
    def replay(self, rows, *options):
        self.write("stream.csv", HEADER + "".join(rows))
        result = self.lockstep("replay", "stream.csv", STACK, *options)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return json.loads(result.stdout)

    def test_a_hundred_macs_of_a_row(self):
        # ACTab at 1, MACab at 20 + 6 n, n < 100; peak is a MACab every nCCDAB = 6.
        done = self.replay([f"PIM_MAC_AB,0,0,7,{i % 32}\n" for i in range(100)])
        self.assertEqual(done["cycles"], 20 + 6 * 99)
        self.assertEqual(done["commands"]["MACab"], 100)
        self.assertEqual(done["commands"]["ACTab"], 1)
        self.assertEqual(done["row_hits"], 99)
        self.assertEqual(sum(done["stall_cycles"].values()), 614)
        self.assertEqual(done["stall_cycles"]["mode switch"], 0)
        self.assertAlmostEqual(done["mac_utilisation_ratio"], 600 / 614, places=12)
        self.assertEqual(done["data_bus_utilisation_ratio"], 0)
        # 64 banks x 32 B each
        self.assertEqual(done["bytes"], 100 * 64 * 32)

    def test_reads_of_a_row(self):
        # ACT at 1, RD at 20 + 4 n (nCCDL), n < 50, the data of the last nCL + nBL = 21 later; a
        # read fills the bus of one of the two pseudo channels for nBL = 2.
        done = self.replay([f"LD,0,0,7,{i % 32}\n" for i in range(50)])
        self.assertEqual(done["cycles"], 20 + 4 * 49 + 21)
        self.assertAlmostEqual(done["data_bus_utilisation_ratio"], 50 * 2 / (2 * 237), places=12)
        self.assertEqual(done["mac_utilisation_ratio"], 0)
        self.assertEqual(done["stall_cycles"]["mode switch"], 0)

    def test_zero_energy_is_told_where_the_configuration_says_so(self):
        self.write("stream.csv", HEADER + "LD,0,0,7,0\n")
        energy = {name: json.loads(self.lockstep("replay", "stream.csv", SOURCE / "configs" / f"{name}.yaml").stdout)
                  ["energy_pj"] for name in ("hbm3-5.2gbps", "energy-attacc")}
        self.assertEqual(energy["hbm3-5.2gbps"]["set_to_zero"], [])
        self.assertEqual(energy["hbm3-5.2gbps"]["move"], 0)
        self.assertEqual(energy["energy-attacc"]["set_to_zero"],
                         ["activate", "softmax_element", "refresh_bank", "background"])
        self.assertEqual(energy["energy-attacc"]["total"], 919.04)

    def test_the_checker_passes_its_commands_and_finds_a_planted_fault(self):
        self.replay([f"PIM_MAC_AB,0,0,{i // 32},{i % 32}\n" for i in range(64)], "--commands", "commands.csv")
        passed = self.lockstep("check", "commands.csv", STACK)
        self.assertEqual(passed.returncode, DONE, passed.stdout + passed.stderr)
        lines = (self.folder / "commands.csv").read_text().splitlines()
        names = next(csv.reader([lines[0]]))
        number = next(i for i, line in enumerate(lines[1:], start=1) if ",MACab," in line) + 3
        fields = lines[number].split(",")
        clock = names.index("cycle")
        fields[clock] = str(int(fields[clock]) - 1)
        lines[number] = ",".join(fields)
        self.write("commands.csv", "\n".join(lines) + "\n")
        refused = self.lockstep("check", "commands.csv", STACK)
        self.assertEqual(refused.returncode, CHECK_FAILED)
        told = refused.stdout + refused.stderr
        self.assertIn(f"commands.csv:{number + 1}", told)
        self.assertIn("nCCDAB", told)


if __name__ == "__main__":
    main()
