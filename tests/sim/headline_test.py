#!/usr/bin/env python3
"""The placement study's steady results, by replay of its very requests (docs/validation.md).

The study scored 8 sequences of every 16th step, drawn by its own generator; this scores every sequence of every
step. What sampling cannot move is compared exactly, the rest within what its sample may be off.
"""

from program import DATA, DONE, ProgramTest, main

#             M1     +-     M3     steps  spread +-    completed
PUBLISHED = {
    "paged-lifo": (0.7695, 0.010, 1226.3, 5959, 6.10, 0.30),
    "region":     (0.9633, 0.003, 2805.4, 5955, 1.00, 0.005),
    "contiguous": (0.9579, 0.004, 2711.6, 6485, 1.14, 0.03),
}
M2 = {"paged-lifo": 0.9894, "region": 0.9898, "contiguous": 0.9889}
CONTIGUOUS_ADMISSION_FAILURES = 3343


class Headline(ProgramTest):
    def test_steady_traffic_scores_as_published(self):
        summary = self.summary("kv.policies=[paged-lifo, region, contiguous]", requests=1000, options=(
            "--requests", DATA / "requests" / "requests_steady_seed0.csv"))
        self.assertEqual(summary["requests"], 1000)
        policies = {policy["name"]: policy for policy in summary["policies"]}
        self.assertEqual(list(policies), list(PUBLISHED))
        for name, (m1, m1_off, m3, steps, spread, spread_off) in PUBLISHED.items():
            with self.subTest(policy=name):
                ours = policies[name]
                self.assertEqual(ours["steps"], steps)
                self.assertEqual(ours["requests_completed"], 1000)
                self.assertAlmostEqual(ours["m1_row_hit_ratio"], m1, delta=m1_off)
                self.assertAlmostEqual(ours["m2_bank_participation_ratio"], M2[name], delta=0.002)
                self.assertAlmostEqual(ours["m3_formula_bandwidth_gbps"], m3, delta=0.03 * m3)
                self.assertAlmostEqual(ours["region_spread_ratio"], spread, delta=spread_off)
        self.assertEqual(policies["contiguous"]["admission_failures"], CONTIGUOUS_ADMISSION_FAILURES)
        # All read the same cache, whatever it costs them.
        self.assertEqual(len({p["generated_tokens"] for p in summary["policies"]}), 1)
        self.assertEqual(len({p["kv_bytes_read"] for p in summary["policies"]}), 1)
        # By simulated cycles region wins as well, by less than the formula says.
        gain = policies["region"]["cycle_bandwidth_gbps"] / policies["paged-lifo"]["cycle_bandwidth_gbps"]
        self.assertGreater(gain, 1.5)
        self.assertLess(gain, policies["region"]["m3_formula_bandwidth_gbps"] /
                        policies["paged-lifo"]["m3_formula_bandwidth_gbps"])


if __name__ == "__main__":
    main()
