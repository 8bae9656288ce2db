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

    def timed(self, rows, *options):
        self.write("stream.csv", HEADER.replace("col\n", "col,arrival\n") + "".join(rows))
        result = self.lockstep("replay", "stream.csv", STACK, *options)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return json.loads(result.stdout)

    def issued(self):
        with open(self.folder / "commands.csv", newline="") as file:
            return [(row["command"], int(row["cycle"])) for row in csv.DictReader(file)]

    def test_what_arrives_at_a_clock_is_served_from_the_next_on(self):
        # As the two tests above, 700 clocks later; the second MAC finds its row open.
        self.timed(["PIM_MAC_AB,0,0,7,0,700\n", "PIM_MAC_AB,0,0,7,1,1000\n"], "--commands", "commands.csv")
        self.assertEqual(self.issued(), [("ACTab", 701), ("MACab", 720), ("MACab", 1001)])
        done = self.timed(["LD,0,0,7,0,700\n", "LD,0,0,7,1,1000\n"], "--commands", "commands.csv")
        self.assertEqual(self.issued(), [("ACT", 701), ("RD", 720), ("RD", 1001)])
        self.assertEqual(done["cycles"], 1001 + 21)

    def test_arrivals_order_host_and_pim(self):
        host, pim = "ST,0,0,3,0,{}\n", "PIM_MAC_AB,0,0,7,0,{}\n"
        for first, second, kind in ((host, pim, "WR"), (pim, host, "MACab")):
            self.timed([first.format(0), second.format(400)], "--commands", "commands.csv")
            columns = [command for command in self.issued() if command[0] in ("WR", "MACab")]
            self.assertEqual(columns[0][0], kind)
            self.assertLess(columns[0][1], 400)
            self.assertGreater(columns[1][1], 400)

    def test_arrivals_of_zero_are_those_of_a_stream_without(self):
        rows = [f"{op},0,0,{i // 8},{i % 32}" for i in range(40) for op in ("LD", "PIM_MAC_AB", "ST")]
        self.assertEqual(self.timed([row + ",0\n" for row in rows]), self.replay([row + "\n" for row in rows]))

    def test_without_arrivals_the_arbitration_decides_between_host_and_pim(self):
        rows = ["PIM_MAC_AB,0,0,7,0\n", "ST,0,0,3,0\n"]
        for order in (rows, rows[::-1]):
            for arbitration, kind in (("host_first", "WR"), ("pim_first", "MACab")):
                self.replay(order, "--commands", "commands.csv", "--set", f"controller.arbitration={arbitration}")
                columns = [command for command, _ in self.issued() if command in ("WR", "MACab")]
                self.assertEqual(columns[0], kind)

    def test_an_arrival_that_cannot_be_is_refused(self):
        self.write("stream.csv", HEADER.replace("col\n", "col,arrival\n") + "LD,0,0,7,0,90\nLD,0,0,7,1,80\nLD,0,0,7,1,x\n")
        result = self.lockstep("replay", "stream.csv", STACK)
        self.assert_refused(result, "\n".join(
            f"stream.csv:{line}:12: expected an arrival from 90 (that of the line before) to 1099511627776, got `{got}`"
            for line, got in ((3, 80), (4, "x"))))

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
