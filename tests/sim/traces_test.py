#!/usr/bin/env python3
"""Request traces that are no traces, and those that only look odd."""

import re

from program import BAD_INPUT, DATA, DONE, ProgramTest, main

HEADER = "request_id,arrival_step,prompt_tokens,output_tokens,prefix_id,prefix_tokens"


class Traces(ProgramTest):
    def replay(self, name, *overrides):
        return self.job(*overrides, options=("--requests", name))

    def test_what_is_no_trace_is_refused(self):
        (self.folder / "folder").mkdir()
        cases = {
            "missing": (None, "missing: expected a readable file, got: No such file or directory"),
            "folder": (None, "folder: expected a file, got a directory"),
            "empty": ("", "no request accepted; empty: no format, 0 lines, 0 requests accepted, 0 rejected"),
            "header": (HEADER + "\n",
                       "no request accepted; header: lockstep-csv, 1 lines, 0 requests accepted, 0 rejected"),
            "gzip": (b"\x1f\x8b\x08abc", "gzip: this is gzip data; decompress it first"),
            "lfs": ("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n",
                    "lfs: this is a Git LFS pointer, not the data; fetch it with `git lfs pull`"),
            "twice": (HEADER + "\n0,0,20,4,-1,0\n0,1,30,5,-1,0\n",
                      "twice:3:1: expected each request once, got id 0 again, after line 2; line: `0,1,30,5,-1,0`"),
        }
        for name, (content, message) in cases.items():
            with self.subTest(name=name):
                if content is not None:
                    self.write(name, content)
                self.assert_refused(self.replay(name), message)

    def test_binary_data_is_refused(self):
        self.write("binary", b"\x7fELF" + bytes(100))
        result = self.replay("binary")
        self.assertRegex(result.stderr, r"^binary:1:1: a NUL byte: this is binary data or UTF-16, not UTF-8 text; got `\\x7fELF")
        self.assertEqual((result.returncode, result.stdout, self.written()), (BAD_INPUT, "", []))

    def test_every_bad_line_is_told_with_its_text(self):
        self.write("bad", HEADER + "\n0,0,20,x,-1,0\n1,1,0,5,-1,0\n1,1,5\n2,2,3000000000,5,-1,0\n3,3,20,1e3,-1,0\n")
        self.assert_refused(self.replay("bad"), "\n".join([
            "bad:2:8: `output_tokens`: expected a whole number from 0 to 2147483647, got `x`; line: `0,0,20,x,-1,0`",
            "bad:3:1: prompt below the minimum of 1 tokens, got 0; line: `1,1,0,5,-1,0`",
            "bad:4:6: expected 6 columns as in the header, got 3; line: `1,1,5`",
            "bad:5:5: `prompt_tokens`: expected a whole number from 0 to 2147483647, got `3000000000`; "
            "line: `2,2,3000000000,5,-1,0`",
            "bad:6:8: `output_tokens`: expected a whole number from 0 to 2147483647, got `1e3`; line: `3,3,20,1e3,-1,0`"]))

    def test_cr_lf_and_no_end_of_the_last_line_change_nothing(self):
        rows = [HEADER, "0,0,20,4,-1,0", "1,1,30,5,-1,0"]
        results = []
        for name, text in (("unix", "\n".join(rows) + "\n"), ("dos", "\r\n".join(rows)), ("bom", "\ufeff" + "\n\n".join(rows))):
            self.write(name, text)
            self.assertEqual(self.replay(name).returncode, DONE, name)
            results.append((self.folder / "out" / "steps.csv").read_bytes())
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_every_format_is_known_by_its_first_line(self):
        files = sorted((DATA / "traces").glob("*.[cj]s*"))
        self.assertGreaterEqual(len(files), 11)
        for file in files:
            with self.subTest(file=file.name):
                result = self.replay(file, "replay.out_of_range=drop", "serving.max_batch=8", "kv.headroom=4")
                self.assertEqual(result.returncode, DONE, result.stderr)
                self.assertRegex(result.stdout.splitlines()[0],
                                 rf"^{re.escape(str(file))}: {re.escape(file.stem)}, \d+ lines, [1-9]\d* requests accepted")

    def test_lengths_out_of_range_are_dropped_or_clipped_as_asked(self):
        self.write("long", HEADER + "\n0,0,50,4,-1,0\n1,1,30,5,-1,0\n")
        limit = "replay.max_prompt_tokens=40"
        self.assert_refused(self.replay("long", limit),
                            "long:2:1: prompt above the maximum of 40 tokens, got 50; line: `0,0,50,4,-1,0`")
        for policy, kept in (("drop", 1), ("clip", 2)):
            result = self.replay("long", limit, f"replay.out_of_range={policy}")
            self.assertEqual(result.returncode, DONE, result.stderr)
            self.assertIn(f"{kept} requests", result.stdout.splitlines()[0])


if __name__ == "__main__":
    main()
