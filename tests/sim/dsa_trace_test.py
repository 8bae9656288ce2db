#!/usr/bin/env python3
"""Scores of a trained selector brought in as a dsa-trace/1 folder: its reports, and a run that selects by it.

The selector is Native Sparse Attention's (arXiv 2502.11089): a query attends to compressed keys, and the importance of a
selection block is the probability of the compression blocks that overlap it, summed over the query heads of the group.
"""

import csv
import json
import math
import random
import struct

from program import BAD_INPUT, DONE, SOURCE, ProgramTest, main

CONFIG = SOURCE / "configs" / "dsa-32k.yaml"
COMPRESSION, STRIDE, SELECTION = 32, 16, 64  # tokens: l, d and l' of the paper
KV_HEADS, GROUP, DIMS = 8, 4, 8
CONTEXT, CALIBRATION, DECODE = 2080, 6, 3
INIT, LOCAL, BLOCKS_SELECTED = 1, 2, 8  # the paper has 1, 2 and 16
K = BLOCKS_SELECTED - INIT - LOCAL
STEPS = CALIBRATION + DECODE


def softmax(values):
    top = max(values)
    weights = [math.exp(v - top) for v in values]
    return [w / sum(weights) for w in weights]


def importance(probabilities, blocks):
    """Eq. 9: p_slc[j] = sum over m < l'/d, n < l/d of p_cmp[l'/d j - m - n], j and the index counted from 1."""
    per_block, per_compression = SELECTION // STRIDE, COMPRESSION // STRIDE
    result = []
    for j in range(1, blocks + 1):
        indices = [per_block * j - m - n for m in range(per_block) for n in range(per_compression)]
        result.append(sum(probabilities[i - 1] for i in indices if 1 <= i <= len(probabilities)))
    return result


class Selector:
    """One KV head: random keys, and a group of queries that turn slowly from step to step."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.keys = [self.vector() for _ in range(CONTEXT + DECODE)]
        self.queries = [self.vector() for _ in range(GROUP)]

    def vector(self):
        return [self.random.gauss(0, 1) for _ in range(DIMS)]

    def step(self, tokens):
        """Scores of the complete blocks of so many tokens; None where a block is always attended."""
        self.queries = [[0.8 * a + 0.6 * b for a, b in zip(q, self.vector())] for q in self.queries]
        compressed = []  # the mean stands for the trained map of a compression block to one key
        for begin in range(0, tokens - COMPRESSION + 1, STRIDE):
            rows = self.keys[begin:begin + COMPRESSION]
            compressed.append([sum(row[d] for row in rows) / COMPRESSION for d in range(DIMS)])
        blocks = tokens // SELECTION
        scores = [0.0] * blocks
        for query in self.queries:  # Eq. 8 each; their sum is Eq. 10
            logits = [8 * sum(a * b for a, b in zip(query, key)) / math.sqrt(DIMS) for key in compressed]
            scores = [s + p for s, p in zip(scores, importance(softmax(logits), blocks))]
        first_local = -(-(tokens + 1) // SELECTION) - LOCAL  # the step's own token is in the last block
        return [s if INIT <= b < first_local else None for b, s in enumerate(scores)]


def top(scores):
    ranked = sorted((b for b, s in enumerate(scores) if s is not None), key=lambda b: (-scores[b], b))
    return sorted(ranked[:K])


def npy(kind, shape, values):
    """NumPy's format, version 1.0."""
    code = {"<f8": "d", "<i4": "i", "|u1": "B"}[kind]
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(values)}{code}", *values)


class TrainedSelector(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.pos = [CONTEXT - CALIBRATION + t for t in range(STEPS)]
        heads = [Selector(seed) for seed in range(KV_HEADS)]
        cls.scores = [[head.step(tokens) for head in heads] for tokens in cls.pos]
        cls.lists = [[top(row) for row in step] for step in cls.scores]

    def write_trace(self, lists):
        blocks = max(len(row) for step in self.scores for row in step)
        nan = float("nan")
        padded = [[nan if s is None else s for s in row] + [nan] * (blocks - len(row))
                  for step in self.scores for row in step]
        (self.folder / "nsa").mkdir(exist_ok=True)
        arrays = {
            "scores": ("<f8", (STEPS, 1, KV_HEADS, blocks), [s for row in padded for s in row]),
            "n_valid": ("<i4", (STEPS,), [tokens // SELECTION for tokens in self.pos]),
            "pos": ("<i4", (STEPS,), self.pos),
            "phase": ("|u1", (STEPS,), [int(t >= CALIBRATION) for t in range(STEPS)]),
            "sel": ("<i4", (STEPS, 1, KV_HEADS, K), [b for step in lists for row in step for b in row]),
        }
        for name, array in arrays.items():
            self.write(f"nsa/{name}.npy", npy(*array))
        self.write("nsa/meta.json", json.dumps({
            "format": "dsa-trace/1", "source": "random keys and queries", "dsa": "nsa", "score_kind": "nsa",
            "layer_ids": [0], "kv_heads": KV_HEADS, "q_heads": KV_HEADS * GROUP, "head_dim": DIMS,
            "block_tokens": SELECTION, "token_budget": BLOCKS_SELECTED * SELECTION, "k_dyn": K, "init_blocks": INIT,
            "local_blocks": LOCAL, "dense_layers": 0, "granularity": "kv_head", "prefill_rows": CALIBRATION,
            "tie_break": "score_desc_id_asc", "dtype": "<f8"}))

    def report(self, command):
        result = self.lockstep("dsa", command, "nsa", "--format", "json")
        self.assertEqual(result.returncode, DONE, result.stderr)
        return json.loads(result.stdout)

    def missed(self, step):
        """Blocks of A that were not in the A of the step before, over all heads."""
        return sum(len(set(now) - set(before)) for now, before in zip(self.lists[step], self.lists[step - 1]))

    def test_importance_counts_the_strides_that_blocks_share(self):
        strides = lambda first, tokens: set(range(first // STRIDE, (first + tokens) // STRIDE))
        count = 20
        for i in range(count):
            one = [float(at == i) for at in range(count)]
            shared = [len(strides(STRIDE * i, COMPRESSION) & strides(SELECTION * j, SELECTION)) for j in range(5)]
            self.assertEqual(importance(one, 5), shared)

    def test_the_reader_selects_the_same_blocks(self):
        self.write_trace(self.lists)
        stats = self.report("stats")
        self.assertEqual(stats["score_kind"], "nsa")
        pairs = range(CALIBRATION + 1, STEPS)  # of decode steps
        reuse = 1 - sum(self.missed(t) for t in pairs) / (len(pairs) * KV_HEADS * K)
        self.assertAlmostEqual(stats["mean"]["reuse_overlap_ratio"], reuse, places=9)
        others = [[list(row) for row in step] for step in self.lists]
        competing = [b for b, s in enumerate(self.scores[-1][-1]) if s is not None]
        others[-1][-1] = sorted([*others[-1][-1][1:], min(set(competing) - set(others[-1][-1]))])
        self.write_trace(others)
        self.assert_refused(self.lockstep("dsa", "stats", "nsa"),
                            f"nsa: sel[{STEPS - 1},0,{KV_HEADS - 1}] is not the top {K} of the scores", BAD_INPUT)

    def test_every_head_gets_parameters_of_the_grid(self):
        self.write_trace(self.lists)
        heads = self.report("calibrate")["heads"]
        self.assertEqual(len(heads), KV_HEADS)
        for head in heads:
            self.assertIn(head["theta"]["alpha"], (0.2, 0.4, 0.6, 0.8))
            self.assertTrue(0 < head["best_hit_ratio"] <= 1)

    def test_a_run_selects_the_top_k_of_the_scores(self):
        self.write_trace(self.lists)
        # Its mean keys of 32 tokens from each 16th on are what the banks multiply with.
        sets = ("dsa.scores.trace=nsa", f"dsa.context={CONTEXT}", f"dsa.decode={DECODE}", "dsa.simulated_layers=1",
                f"dsa.scores.calibration_rows={CALIBRATION}", f"kv.block_tokens={SELECTION}",
                "dsa.selector.scorer=infllm2", f"dsa.selector.budget={BLOCKS_SELECTED * SELECTION}",
                f"dsa.selector.init_blocks={INIT}", f"dsa.selector.local_blocks={LOCAL}",
                "dsa.selector.dense_layers=0", "dsa.schedules=[serial, S2, oracle]")
        result = self.lockstep("run", CONFIG, *[x for s in sets for x in ("--set", s)], "--out", "out")
        self.assertEqual(result.returncode, DONE, result.stderr)
        with open(self.folder / "out" / "steps.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["schedule"] == "S2"]
        # S2 guesses the last selection, so what it missed tells both.
        self.assertEqual([int(row["missed_blocks"]) for row in rows],
                         [self.missed(t) for t in range(CALIBRATION, STEPS)])
        self.assertEqual([int(row["selected_blocks"]) for row in rows], [KV_HEADS * K] * DECODE)
        self.assertTrue(any(int(row["missed_blocks"]) not in (0, KV_HEADS * K) for row in rows), "nothing was told")


if __name__ == "__main__":
    main()
