#!/usr/bin/env python3
"""A fault in the RTL ends `lockstep cosim` with code 1 and a report. The program under test was built with one."""

import json

from program import CHECK_FAILED, SOURCE, ProgramTest, main

COSIM = SOURCE / "configs" / "cosim-bank-mac.yaml"


class CosimFault(ProgramTest):
    def test_the_first_difference_stops_the_run_and_says_what_both_units_hold(self):
        result = self.lockstep("cosim", COSIM, "--banks", "all")
        self.assertEqual(result.returncode, CHECK_FAILED, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^differences +1")
        report = result.stdout.split("first difference: ")[1]
        self.assertRegex(report, r"^domain 0, bank \d+, cycle \d+ CK \(clock \d+ of the unit\): clock \d+: the two bank units "
                                 r"differ in (result data|drained data)\n")
        self.assertRegex(report, r"oldest operation: \w+ tag \d+ issued in clock \d+, index \d+, scalar \d+\n"
                                 r"    column ( [0-9a-f]{4}){16}\n    operand( [0-9a-f]{4}){16}\n")
        for who in ("reference:", "device   :"):
            self.assertRegex(report, who + r" result [01] tag \d+ data( [0-9a-f]{8}){16}\n    drained [01] data"
                                           r"( [0-9a-f]{8}){8}; busy [01]\n    pipeline \[.*\]\n")
        wrong = [line for line in report.splitlines() if " data " in line and " result " in line]
        self.assertNotEqual(wrong[0].split(":")[1], wrong[1].split(":")[1])

    def test_json_tells_it_too(self):
        result = self.lockstep("cosim", COSIM, "--format", "json")
        self.assertEqual(result.returncode, CHECK_FAILED)
        report = json.loads(result.stdout)
        self.assertEqual((report["differences"], report["output_equal"]), (1, False))
        self.assertIn("the two bank units differ", report["first_difference"])

    def test_rtl_alone_is_held_against_what_the_stack_went_on_with(self):
        result = self.lockstep("cosim", COSIM, "--set", "pim.unit_of=[{domain: 0, unit: rtl}]")
        self.assertEqual(result.returncode, CHECK_FAILED)
        self.assertIn("the unit drains other words than the stack went on with: ", result.stdout)


if __name__ == "__main__":
    main()
