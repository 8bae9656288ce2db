#!/usr/bin/env python3
"""Scores and block ids equal the reference files entry by entry (their origin: tests/data/*/ORIGIN.md)."""

import csv
import json

from program import BAD_INPUT, DATA, DONE, ProgramTest, main


class Score(ProgramTest):
    def test_every_score_vector_is_met(self):
        file = DATA / "score" / "score_vectors.json"
        vectors = json.loads(file.read_text())
        result = self.lockstep("score", file)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        rows = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual(len(rows), len(vectors))
        self.assertEqual(len(vectors), 216)
        for index, (row, expected) in enumerate(zip(rows, vectors)):
            with self.subTest(index=index):
                self.assertEqual(int(row["index"]), index)
                for count in ("bursts", "commands", "hits"):
                    self.assertEqual(int(row[count]), expected[count])
                self.assertAlmostEqual(float(row["m1"]), expected["m1"], delta=0.6e-9)  # the file has 9 decimals,
                self.assertAlmostEqual(float(row["m2"]), expected["m2"], delta=0.6e-9)
                self.assertAlmostEqual(float(row["m3_gbps"]), expected["m3_gbps"], delta=0.6e-5)  # and 5

    def test_what_is_no_file_of_vectors_is_refused(self):
        cases = {"[": "bad.json:2:1: this is no JSON", "[]\n": "bad.json: must be an array of at least one score vector",
                 "{}\n": "bad.json: must be an array of at least one score vector",
                 "[{}]\n": "bad.json: vector 0: key `tokens` is missing"}
        for text, message in cases.items():
            self.write("bad.json", text + ("\n" if text == "[" else ""))
            result = self.lockstep("score", "bad.json")
            self.assertEqual((result.returncode, result.stdout), (BAD_INPUT, ""))
            self.assertEqual(result.stderr.splitlines()[0], message)


class Alloc(ProgramTest):
    def test_every_block_id_of_every_log_is_met(self):
        file = DATA / "kv" / "allocator_oplogs.json"
        logs = json.loads(file.read_text())
        result = self.lockstep("alloc", file)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        ours = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(ours), len(logs))
        for number, (our, expected) in enumerate(zip(ours, logs)):
            self.assertEqual(our["policy"], expected["policy"])
            self.assertEqual(len(our["ops"]), len(expected["ops"]))
            for index, (one, other) in enumerate(zip(our["ops"], expected["ops"])):
                self.assertEqual(one, other, f"log {number}, operation {index}")

    def test_what_is_no_log_is_refused(self):
        self.write("bad.json", '[{"policy": "worst", "pool_blocks": 8, "blocks_per_region": 8, "ops": []}]\n')
        for name in ("bad.json", "missing.json"):
            result = self.lockstep("alloc", name)
            self.assertEqual((result.returncode, result.stdout), (BAD_INPUT, ""))
            self.assertIn(name, result.stderr)


if __name__ == "__main__":
    main()
