#!/usr/bin/env python3
"""What a user gets who makes a mistake in a configuration: every place, every word, and no files."""

import re

from program import BAD_INPUT, DONE, MAIN_JOB, SOURCE, ProgramTest, main, resolved_main_job


class Keys:
    """The lines of a canonical configuration that hold a value, with their paths."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.values = []  # (index of the line, path, column of the value)
        section = ""
        for index, line in enumerate(self.lines):
            match = re.match(r"( *)(\w+):(?: (.*))?$", line)
            if not match:
                continue  # an item of a list
            indent, key, value = match.groups()
            if value is None:
                section = section if indent else key
            else:
                path = f"{section}.{key}" if indent else key
                self.values.append((index, path, len(indent) + len(key) + 3))

    def text(self, index, *lines):
        return "\n".join([*self.lines[:index], *lines, *self.lines[index + 1:]]) + "\n"


class EveryKey(ProgramTest):
    """Walks all keys of the main job: no key is optional, none is free to be misspelt."""

    @classmethod
    def setUpClass(cls):
        cls.keys = Keys(resolved_main_job())
        assert len(cls.keys.values) > 60

    def check(self, text):
        file = self.write("job.yaml", text)
        result = self.lockstep("config", file.name, "--check")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stdout, "")
        return result.stderr.splitlines()

    def test_a_missing_key_is_named(self):
        for index, path, _ in self.keys.values:
            with self.subTest(path=path):
                lines = self.check(self.keys.text(index))
                either = re.sub(r"^timing\.t", "timing.n", path)
                missing = [line for line in lines if re.match(rf"job\.yaml:\d+:\d+: missing key `{re.escape(either)}` \(", line)]
                self.assertEqual(len(missing), 1, lines)

    def test_a_misspelt_key_is_named_with_what_was_meant(self):
        for index, path, column in self.keys.values:
            with self.subTest(path=path):
                line = self.keys.lines[index]
                key = path.rpartition(".")[2]
                lines = self.check(self.keys.text(index, line.replace(key, key + "z", 1)))
                start = f"job.yaml:{index + 1}:{column - len(key) - 2}: unknown key `{path}z`"
                unknown = [text for text in lines if text.startswith(start)]
                self.assertEqual(len(unknown), 1, lines)
                if not path.startswith("timing."):  # there a time and its clocks are two spellings
                    self.assertEqual(unknown[0], f"{start}; did you mean `{key}`?")

    def test_a_key_given_twice_is_refused_wherever_it_is(self):
        for index, path, column in self.keys.values:
            with self.subTest(path=path):
                line = self.keys.lines[index]
                key = path.rpartition(".")[2]
                indent = column - len(key) - 2
                lines = self.check(self.keys.text(index, line, line))
                self.assertEqual(lines, [f"job.yaml:{index + 2}:{indent}: `{path}` appears twice, "
                                         f"first at job.yaml:{index + 1}:{indent}"])

    def test_a_value_of_another_type_is_refused_at_its_place(self):
        for index, path, column in self.keys.values:
            if path == "name":
                continue  # any word
            for wrong, shown in (("[1]", "a list"), ("{a: 1}", "a map"), ("~~", "`~~`"), ("", "nothing")):
                with self.subTest(path=path, wrong=wrong):
                    line = self.keys.lines[index][:column - 1] + wrong
                    lines = self.check(self.keys.text(index, line.rstrip()))
                    place = rf"job\.yaml:{index + 1}:\d+: `{re.escape(path)}`: expected .*got {re.escape(shown)}"
                    self.assertRegex(lines[0], place)
                    self.assertEqual(len(lines), 1, lines)

    def test_a_file_cut_anywhere_is_refused_with_places(self):
        text = "\n".join(self.keys.lines)
        for cut in range(0, len(text) - 20, 97):
            with self.subTest(cut=cut):
                lines = self.check(text[:cut])
                for line in lines:
                    self.assertRegex(line, r"^job\.yaml:\d+:\d+: ")


class Files(ProgramTest):
    def test_what_is_no_configuration_is_refused(self):
        (self.folder / "folder.yaml").mkdir()
        self.write("empty.yaml", "")
        self.write("list.yaml", "- a\n- b\n")
        self.write("program.yaml", b"\x7fELF\x02\x01\x01" + bytes(64))
        self.write("archive.yaml", b"\x1f\x8b\x08\x00" + bytes(range(60)))
        self.write("open.yaml", "kv: {a: 1\nseed: 2\n")
        cases = {
            "missing.yaml": "missing.yaml:1:1: expected a YAML file, cannot read `missing.yaml`: No such file or directory",
            "folder.yaml": "folder.yaml:1:1: expected a YAML file, got the directory `folder.yaml`",
            "empty.yaml": "empty.yaml:1:1: expected a map of keys, got an empty file",
            "list.yaml": "list.yaml:1:1: expected a map of keys, got a list",
            "program.yaml": "program.yaml:1:1: expected a YAML file, got a program",
        }
        for name, message in cases.items():
            with self.subTest(name=name):
                self.assert_refused(self.lockstep("run", name, "--out", "out"), message)
        for name in ("archive.yaml", "open.yaml"):
            result = self.lockstep("run", name, "--out", "out")
            self.assertRegex(result.stderr, rf"^{name}:\d+:\d+: expected ")
            self.assertEqual((result.returncode, result.stdout, self.written()), (BAD_INPUT, "", []))

    def test_all_mistakes_of_a_file_are_told_at_once_in_its_order(self):
        lines = resolved_main_job().splitlines()
        place = {}
        for old, new in (("detail: stream", "detail: fast"), ("  nFAW: ", "  nFAW: many"),
                         ("  block_tokens: 16", "  block_tokens: sixteen"), ("    - region", "    - regoin"),
                         ("  max_batch: 64", "  max_batch: 0"), ("  watermark: 0.01", "  watermark: 1.5"),
                         ("seed: 0", "seed: 0\nseeds: 1\nseed: 2")):
            index = next(i for i, line in enumerate(lines) if line.startswith(old))
            lines[index] = new
        self.write("job.yaml", "\n".join(lines) + "\n")
        for number, line in enumerate((self.folder / "job.yaml").read_text().splitlines(), start=1):
            place.setdefault(line.strip().split(":")[0], number)
        result = self.lockstep("run", "job.yaml", "--out", "out")
        self.assert_refused(result, "\n".join([
            f"job.yaml:{place['nFAW']}:9: `timing.nFAW`: expected a count of clocks from 1 CK to 10000000 CK, got `many`",
            f"job.yaml:{place['seeds']}:1: unknown key `seeds`; did you mean `seed`?",
            f"job.yaml:{place['seed'] + 2}:1: `seed` appears twice, first at job.yaml:{place['seed']}:1",
            f"job.yaml:{place['detail']}:9: `detail`: expected one of stream, command, got `fast`",
            f"job.yaml:{place['policies'] + 1}:5: `kv.policies`: expected policies out of paged-lifo, paged-fifo, region, "
            "region-gather, contiguous, random, neupims, pimphony, blockpim, patton, got `regoin`",
            f"job.yaml:{place['block_tokens']}:17: `kv.block_tokens`: expected a whole number from 1 to 1048576, "
            "got `sixteen`",
            f"job.yaml:{place['max_batch']}:14: `serving.max_batch`: expected a whole number from 1 to 4096, got `0`",
            f"job.yaml:{place['watermark']}:14: `serving.watermark`: expected a decimal number from 0 to 0.99, got `1.5`",
        ]))


class Values(ProgramTest):
    """Values that are well formed and wrong: overrides, each with its exact message."""

    MAP = ("expected one of host-cacheline, host-centric, pim-friendly, or every address bit once from the top "
           "(`row bank_group bank channel column byte`), got ")
    REFUSED = {
        # contradictions
        "timing.nRC=10 CK": "12: `timing.nRC`: must be at least RAS + RP",
        "timing.nREFI=456 CK": "14: `timing.nREFI`: must be more than RFC",
        "timing.nCCDL=1 CK": "14: `timing.nCCDL`: must be at least CCDS",
        "timing.nRRDL=1 CK": "14: `timing.nRRDL`: must be at least RRDS",
        "timing.nFAW=1 CK": "13: `timing.nFAW`: must be at least RRDS",
        "timing.nWTRL=1 CK": "14: `timing.nWTRL`: must be at least WTRS",
        "timing.nRAS=10 CK": "13: `timing.nRAS`: must be at least RCDRD",
        "controller.write_drain_high=33":
            "29: `controller.write_drain_high`: must be at most host_window: so many writes could never wait in it",
        "controller.write_drain_low=16":
            "28: `controller.write_drain_low`: must be less than write_drain_high, and 0 without a drain",
        # numbers
        "timing.nCCDAB=0 CK":
            "15: `timing.nCCDAB`: expected a count of clocks from 1 CK to 10000000 CK, got `0 CK`",
        "timing.nRC=9223372036854775807 CK":
            "12: `timing.nRC`: expected a count of clocks from 1 CK to 10000000 CK, got `9223372036854775807 CK`",
        "timing.tRP=0 ns": "12: `timing.tRP`: is 0 CK; expected from 1 to 10000000",
        "kv.block_tokens=0": "17: `kv.block_tokens`: expected a whole number from 1 to 1048576, got `0`",
        "kv.block_tokens=1000000000": "17: `kv.block_tokens`: expected a whole number from 1 to 1048576, got `1000000000`",
        "kv.headroom=nan": "13: `kv.headroom`: expected a decimal number from 0.01 to 1000, got `nan`",
        "kv.headroom=1e400": "13: `kv.headroom`: expected a decimal number from 0.01 to 1000, got `1e400`",
        "serving.max_batch=99999999999999999999":
            "19: `serving.max_batch`: expected a whole number from 1 to 4096, got `99999999999999999999`, "
            "which is too large",
        "workload.requests=0": "19: `workload.requests`: expected a whole number of at least 1, got `0`",
        "workload.requests=2147483648":
            "19: `workload.requests`: expected a whole number of at least 1, got `2147483648`, which is too large",
        "timing.nRP=-5 CK":
            "12: `timing.nRP`: expected a count of clocks from 1 CK to 10000000 CK, got `-5 CK`",
        "clock=0 GHz": "7: `clock`: expected a frequency from 1 MHz to 100 GHz, got `0 GHz`",
        "clock=1 GB": "7: `clock`: expected a frequency from 1 MHz to 100 GHz, got `1 GB`",
        "scoring.window=0": "16: `scoring.window`: expected a whole number from 1 to 65535, got `0`",
        # names
        "kv.policies=[]": "13: `kv.policies`: expected at least one policy, got an empty list",
        "kv.policies=region": "13: `kv.policies`: expected a list, each item a word, got `region`",
        "kv.policies=[region, region]": "13: `kv.policies`: expected every policy once, got `region` twice",
        "detail=fast": "8: `detail`: expected one of stream, command, got `fast`",
        "workload.kind=nope": "15: `workload.kind`: expected one of steady, longctx, prefix, spec, got `nope`",
        "name=../x": "6: `name`: expected letters, digits, `-`, `_` and `.`: it names the output folder",
        "name=": "6: `name`: expected a word, got nothing",
        "address_map=row": "13: `address_map`: " + MAP + "`row`: bit 0 of `channel` is missing",
        # assignments that are none
        "bogus": "1: expected `path.to.key=value`, got `bogus`",
        "=3": "1: expected `path.to.key=value`, got `=3`",
        "kv..x=3": "1: expected `path.to.key=value`, got `kv..x=3`",
        "a.b.c=3": "1: there is no `a` to set a key of",
        "bogus=1": "1: unknown key `bogus`",
        "seed=3=4": "6: `seed`: expected a whole number of at least 0, got `3=4`",
    }

    def test_each_is_refused_with_its_message(self):
        for override, message in self.REFUSED.items():
            with self.subTest(override=override):
                result = self.lockstep("run", MAIN_JOB, "--set", override, "--out", "out")
                self.assert_refused(result, f"--set {override}:1:{message}")

    def test_two_overrides_tell_two_mistakes(self):
        result = self.job("bogus=1", "seed=x")
        self.assert_refused(result, "--set bogus=1:1:1: unknown key `bogus`\n"
                                    "--set seed=x:1:6: `seed`: expected a whole number of at least 0, got `x`")

    def test_a_geometry_that_is_no_power_of_two_is_refused(self):
        result = self.job("geometry.channels=3")
        self.assertRegex(result.stderr, r"^\S+hbm3-5\.2gbps\.yaml:\d+:14: `address_map`: " + re.escape(
            self.MAP + "`host-cacheline`: an address map needs a power of two of each coordinate, but `channel` has 6"))
        self.assertEqual((result.returncode, self.written()), (BAD_INPUT, []))

    def test_a_pool_larger_than_the_stack_is_refused(self):
        lines = MAIN_JOB.read_text().splitlines()
        line = 1 + next(i for i, text in enumerate(lines) if text.startswith("  headroom: "))
        for override, place, pool, stack in (
                ("kv.headroom=1000", "--set kv.headroom=1000:1:13", r"\d+", 131072),
                ("kv.block_tokens=1048576", f"{MAIN_JOB}:{line}:13", r"\d+", 2)):
            result = self.job(override)
            self.assertRegex(result.stderr, rf"^{re.escape(place)}: `kv\.headroom`: the KV pool of {pool} blocks exceeds the stack's {stack}: lower kv\.headroom, "
                                            r"serving\.max_batch or the lengths of the workload\n$")
            self.assertEqual((result.returncode, result.stdout, self.written()), (BAD_INPUT, "", []))

    def test_blocks_that_do_not_fill_a_region_are_refused_where_regions_matter(self):
        self.assert_refused(self.job("kv.block_tokens=7"),
                            "--set kv.block_tokens=7:1:17: `kv.block_tokens`: policy `region`: a region (one row index over all banks and channels) is not a whole number "
                            "of blocks of 7 tokens x 4096 B; choose another kv.block_tokens")
        self.assertEqual(self.job("kv.block_tokens=7", "kv.policies=[paged-lifo]").returncode, DONE)

    def test_what_does_not_fit_is_refused_at_its_key_in_every_kind_of_run(self):
        cases = (
            ("main-job", "model.head_dim=4", "model.kv_heads=1",
             "model.head_dim=4:1:16: `model.head_dim`: a token must fill whole columns of 32 B, but kv_bytes_per_token is 16"),
            ("attention-gqa4", "kv.block_tokens=7", "kv.policies=[region]",
             "kv.block_tokens=7:1:17: `kv.block_tokens`: policy `region`: a region (one row index"),
            ("attention-gqa4", "kv.headroom=1000", "kv.policies=[region]",
             "kv.headroom=1000:1:13: `kv.headroom`: the KV cache does not fit: "),
            ("dsa-32k", "kv.block_tokens=12", "dsa.batch=1",
             "kv.block_tokens=12:1:17: `kv.block_tokens`: a row of all banks and channels ("),
        )
        for config, override, other, message in cases:
            with self.subTest(override=override):
                result = self.lockstep("run", SOURCE / "configs" / f"{config}.yaml", "--set", override, "--set", other)
                self.assertTrue(result.stderr.startswith("--set " + message), result.stderr)
                self.assertEqual((result.returncode, result.stdout, self.written()), (BAD_INPUT, "", []))


if __name__ == "__main__":
    main()
