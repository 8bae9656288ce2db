#!/usr/bin/env python3
"""Arguments, help, and what happens to the streams of the program."""

import os
import re
import signal
import subprocess
import time
import unittest

from program import BAD_INPUT, CANNOT, DATA, DONE, MAIN_JOB, PROGRAM, ProgramTest, main

SCORES = DATA / "score" / "score_vectors.json"


class CommandLine(ProgramTest):
    def test_version_is_one_line(self):
        result = self.lockstep("--version")
        self.assertRegex(result.stdout, r"^lockstep \d+\.\d+\.\d+[^\n]*\n$")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))

    def test_help_names_every_command_and_exit_code(self):
        result = self.lockstep("--help")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        for word in ("run", "score", "alloc", "config", "Exit codes: 0 done; 1 ", "; 2 ", "\n3 ", "130 interrupted by Ctrl-C, 143 by SIGTERM"):
            self.assertIn(word, result.stdout)

    def test_every_command_has_help(self):
        listed = self.lockstep("--help").stdout.split("Subcommands:")[1]
        commands = re.findall(r"^  (\w+)  ", listed.split("\n\n")[0], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 4)
        for command in commands:
            result = self.lockstep(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (DONE, ""), command)
            self.assertIn(f"Usage: lockstep {command}", result.stdout)

    def test_wrong_arguments_end_with_2_and_a_sentence(self):
        cases = {
            (): "A subcommand is required",
            ("bogus",): "A subcommand is required",
            ("run",): "CONFIG is required",
            ("alloc",): "OPLOG is required",
            ("score",): "VECTORS is required",
            ("run", MAIN_JOB, "extra"): "The following argument was not expected: extra",
            ("run", MAIN_JOB, "--bogus"): "The following argument was not expected: --bogus",
            ("run", MAIN_JOB, "--format", "xml"): "--format: xml not in {text,json}",
            ("run", MAIN_JOB, "--set"): "--set: 1 required TEXT missing",
        }
        for arguments, sentence in cases.items():
            with self.subTest(arguments=arguments):
                result = self.lockstep(*arguments)
                self.assertEqual(result.returncode, BAD_INPUT)
                self.assertEqual(result.stderr.splitlines()[0], sentence)
                self.assertEqual(result.stdout, "")

    def test_a_seed_that_is_no_seed_is_refused(self):
        for seed in ("-1", "1e3", "18446744073709551616", "x"):
            result = self.job(options=("--seed", seed))
            self.assertEqual(result.returncode, BAD_INPUT, seed)
            self.assertRegex(result.stderr, rf"^--set seed={seed}:1:6: `seed`: expected a whole number of at least 0, got `{seed}`")
            self.assertEqual(self.written(), [])


class Streams(ProgramTest):
    COMMANDS = (("--version",), ("--help",), ("run", "--help"), ("config", MAIN_JOB), ("score", SCORES),
                ("run", MAIN_JOB, "--set", "workload.requests=3", "--out", "out"))

    def test_a_full_disk_behind_stdout_ends_with_3(self):
        with open("/dev/full", "w") as full:
            for arguments in self.COMMANDS:
                result = self.lockstep(*arguments, stdout=full)
                self.assertEqual(result.returncode, CANNOT, arguments)
                self.assertRegex(result.stderr, "^(the output could not be written|cannot write to file: .*)\n$")

    def test_a_closed_stdout_ends_with_3(self):
        for arguments in self.COMMANDS:
            result = self.lockstep(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
            self.assertEqual(result.returncode, CANNOT, arguments)

    def test_a_closed_stderr_never_becomes_an_output_file(self):
        command = [str(PROGRAM), "run", str(MAIN_JOB), "--set", "workload.requests=20", "--set", "detail=command",
                   "--set", "kv.policies=[region]", "--out", "out", "--commands", "out.csv"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.close(2))
        time.sleep(3.5)  # the first progress line comes after 3 s
        part = next(iter(self.folder.glob("out.csv.part*")), None)
        rest = part.read_bytes() if part else (self.folder / "out.csv").read_bytes()
        process.send_signal(signal.SIGINT)
        process.wait()
        self.assertNotIn(b"requests", rest)

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        for arguments in (("score", SCORES), ("config", MAIN_JOB)):
            reader, writer = os.pipe()
            os.close(reader)
            result = self.lockstep(*arguments, stdout=writer, restore_signals=True)
            os.close(writer)
            self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))


class InputFiles(ProgramTest):
    def test_a_directory_where_a_file_is_expected_is_called_so_by_every_command(self):
        (self.folder / "inputs").mkdir()
        commands = (("replay", "inputs", MAIN_JOB), ("check", "inputs", MAIN_JOB), ("score", "inputs"),
                    ("alloc", "inputs"), ("dsa", "predict", "inputs"), ("run", MAIN_JOB, "--requests", "inputs"),
                    ("trace", MAIN_JOB, "--format", "csv", "--requests", "inputs"))
        for command in commands:
            with self.subTest(command=command[0]):
                self.assert_refused(self.lockstep(*command), "inputs: expected a file, got a directory")

    def test_a_file_that_is_not_there_is_called_so(self):
        for command in (("replay", "none", MAIN_JOB), ("alloc", "none"), ("dsa", "predict", "none")):
            with self.subTest(command=command[0]):
                self.assert_refused(self.lockstep(*command),
                                    "none: expected a readable file, got: No such file or directory")

    def test_a_score_trace_is_a_directory(self):
        self.write("scores.npy", "")
        self.assert_refused(self.lockstep("dsa", "stats", "scores.npy"),
                            "scores.npy/meta.json: expected a readable file, got: Not a directory")


class Interrupts(ProgramTest):
    def start(self, *options):
        command = [str(PROGRAM), "run", str(MAIN_JOB), "--out", "out/deep", *options]
        return subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)

    def test_a_signal_ends_with_128_and_its_number_a_sentence_and_no_files(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start("--commands", "out.csv", "--set", "workload.requests=200")
            while not list(self.folder.glob("out.*")):  # the simulation has begun
                self.assertIsNone(process.poll(), "it ended before it began")
                time.sleep(0.01)
            time.sleep(0.2)
            process.send_signal(number)
            _, errors = process.communicate()
            self.assertEqual(process.returncode, code)
            self.assertRegex(errors.splitlines()[-1],
                             r"^interrupted in policy paged-lifo at step \d+, \d+ of 200 requests completed$")
            self.assertEqual(self.written(), [])

    def test_ctrl_c_while_a_trace_is_read_ends_it_at_once(self):
        os.mkfifo(self.folder / "trace")
        process = self.start("--requests", "trace")
        with open(self.folder / "trace", "w"):  # returns when the program has opened it
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            process.communicate()
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(self.written(), [])


class OutputPlaces(ProgramTest):
    def test_a_place_that_cannot_be_written_is_named(self):
        self.write("file", "keep")
        (self.folder / "full" / "summary.json").mkdir(parents=True)
        cases = {
            "file": "file: expected a place to write to, got: Not a directory",
            "file/below": "file: expected a place to write to, got: Not a directory",
            "full": "full/summary.json: expected a place to write to, got: Is a directory",
            "/proc/nope": "/proc/nope: expected a place to write to, got: No such file or directory",
            "": "--out: expected a folder, got nothing",
        }
        for place, message in cases.items():
            with self.subTest(place=place):
                result = self.lockstep("run", MAIN_JOB, "--set", "workload.requests=3", "--out", place)
                self.assert_refused(result, message)
        self.assertEqual((self.folder / "file").read_text(), "keep")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["file", "full"])

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_read_only_folder_is_named(self):
        (self.folder / "locked").mkdir(mode=0o500)
        result = self.lockstep("run", MAIN_JOB, "--out", "locked")
        self.assert_refused(result, "locked/summary.json: expected a place to write to, got: Permission denied")

    def test_a_command_trace_that_cannot_be_written_leaves_no_results(self):
        result = self.job("kv.policies=[region]", requests=3, options=("--commands", "/proc/x.csv"))
        self.assert_refused(result, "/proc/x.csv: expected a place to write to, got: No such file or directory")

    def test_too_little_memory_is_no_bug_of_ours(self):
        limit = 400_000 * 1024
        import resource
        result = self.job(requests=2147483647, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assert_refused(result, "there is not enough memory for this", CANNOT)


if __name__ == "__main__":
    main()
