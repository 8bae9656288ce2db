#!/usr/bin/env python3
"""Mutation test of the testbench: plants one fault after another in a copy of rtl/, runs the
testbench in Icarus on the committed vectors, and expects the named check to fail.

mutate.py --root ROOT --build FOLDER [--every N]
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

# fault, file, text, its replacement, the checks of which at least one must report it
# fmt: off
FAULTS = (
    ("rounding bit: ties go up, not to even", "fp32_add.sv",
     "normal[2] && (normal[1] || normal[0] || normal[3])", "normal[2]", {"Data", "Drain"}),
    ("rounding: sticky bit lost", "fp32_add.sv",
     "{shifted[53:28], |shifted[27:0]}", "shifted[53:27]", {"Data", "Drain"}),
    ("tree order: halves instead of neighbours", "mac_level.sv",
     "words_i[i*32+:32] : words_i[(2*i+1)*32+:32]", "words_i[i*32+:32] : words_i[((2*i+1+Adders)%(2*Adders))*32+:32]",
     {"Data", "Drain"}),
    ("missing NaN: infinity minus infinity", "fp32_add.sv",
     "a_nan || b_nan || (a_inf && b_inf && subtract)", "a_nan || b_nan", {"Data", "Drain"}),
    ("missing NaN: it keeps a sign", "fp32_add.sv",
     "sum_o = 32'h7fc0_0000;", "sum_o = 32'hffc0_0000;", {"Data", "Drain"}),
    ("latency one clock short", "mac_tree.sv",
     ".Registered((Boundaries >> 1) & 1),\n    .ControlWidth", ".Registered(0),\n    .ControlWidth",
     {"Latency", "Busy"}),
    ("wrong accumulator: the lowest index bit is ignored", "word_bank.sv",
     "burst_o[word*32+:32]", "burst_o[(word&~1)*32+:32]", {"Data", "Drain"}),
    ("lost beat: a beat behind a beat does not enter", "pipe_stage.sv",
     "else valid_q <= valid_i;", "else valid_q <= valid_i && !valid_q;", {"Latency", "Busy"}),
    ("reset leaves the accumulators", "word_bank.sv",
     "if (!rst_ni) begin\n      words_q <= '0;", "if (!rst_ni) begin\n      words_q <= words_q;", {"Data", "Drain"}),
    ("reset leaves a beat in the pipeline", "pipe_stage.sv",
     "if (!rst_ni) valid_q <= 1'b0;", "if (!rst_ni) valid_q <= valid_q;", {"Latency", "Busy"}),
    ("subnormal operands are flushed", "fp16_mul.sv",
     "assign a_zero = a_i[14:0] == 15'd0;", "assign a_zero = a_i[14:10] == 5'd0;", {"Data", "Drain"}),
    ("subnormal operands have the wrong exponent", "fp16_mul.sv",
     "(b_i[14:10] == 5'd0) ? 5'd1 : b_i[14:10]", "b_i[14:10]", {"Data", "Drain"}),
    ("sign of the product", "fp16_mul.sv",
     "a_i[15] ^ b_i[15]", "a_i[15] | b_i[15]", {"Data", "Drain"}),
    ("x + (-x) is -0", "fp32_add.sv",
     "{greater[31] && lesser[31], 31'd0}", "{greater[31] || lesser[31], 31'd0}", {"Data", "Drain"}),
    ("lane swap in the multipliers", "bank_mac.sv",
     ".a_i(issue_column_i[lane*16+:16])", ".a_i(issue_column_i[(lane^1)*16+:16])", {"Data", "Drain"}),
    ("drain early: it does not wait for beats", "bank_mac.sv",
     "assign drain_ready_o = !busy_o && !issue_valid_i;", "assign drain_ready_o = !issue_valid_i;", {"Drain"}),
    ("drain: halves of a lane set change places", "bank_mac.sv",
     "drain_burst_i[0] ? lanes[511:256] : lanes[255:0]", "drain_burst_i[0] ? lanes[255:0] : lanes[511:256]", {"Drain"}),
    ("stale scalar: the buffer is not written", "scalar_buffer.sv",
     "end else if (write_i) begin", "end else if (write_i && scalars_q == '0) begin", {"Data", "Drain"}),
    ("clear of the lanes is lost", "word_bank.sv",
     "end else if (clear_i) begin\n      words_q <= '0;", "end else if (clear_i) begin\n      words_q <= words_q;",
     {"Data", "Drain"}),
    ("an earlier tag leaves", "bank_mac.sv",
     "result_tag_o <= tree_tag;", "result_tag_o <= issue_tag_i;", {"Order"}),
)
# fmt: on

DEPTH = 3  # both kinds of boundary, registers and wires
CLOCKS = 400


def run_testbench(sources, root, build):
    """What the testbench prints."""
    tests = root / "tests"
    program = build / "tb.vvp"
    compile_command = ["iverilog", "-g2012", "-s", "bank_mac_tb", f"-Pbank_mac_tb.Depth={DEPTH}",
                       f"-Pbank_mac_tb.Count={CLOCKS}", "-o", program]
    files = sorted(sources.glob("*.sv"), key=lambda file: (file.name != "bank_mac_pkg.sv", file.name))
    files = [file for file in files if file.name != "bank_mac_sva.sv"]
    compiled = subprocess.run([*compile_command, *files, tests / "rtl/bank_mac_tb.sv"], capture_output=True, text=True)
    if compiled.returncode != 0:
        sys.exit(f"a fault must compile:\n{compiled.stderr}")
    vectors = tests / f"data/mac/mac_all_d{DEPTH}_seed1.hex"
    return subprocess.run(["vvp", "-n", program, f"+vectors={vectors}"], capture_output=True, text=True).stdout


def plant(fault, root, copy):
    _, file, text, replacement, _ = fault
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for source in (root / "rtl").glob("*.sv"):
        shutil.copy(source, copy)
    original = (copy / file).read_text()
    if original.count(text) != 1:
        sys.exit(f"{file}: `{text}` is there {original.count(text)} times; mutate.py must be brought up to date")
    (copy / file).write_text(original.replace(text, replacement))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="plant one fault in N")
    options = parser.parse_args()
    options.build.mkdir(parents=True, exist_ok=True)

    output = run_testbench(options.root / "rtl", options.root, options.build)
    if "PASS:" not in output:
        sys.exit(f"the testbench fails without a fault:\n{output}")
    survived = 0
    planted = FAULTS[:: options.every]
    for fault in planted:
        plant(fault, options.root, options.build / "rtl")
        output = run_testbench(options.build / "rtl", options.root, options.build)
        failed = {line.split()[1].rstrip(":") for line in output.splitlines() if line.startswith("FAIL ")}
        caught = bool(failed & fault[4])
        survived += not caught
        print(f"{'caught' if caught else 'SURVIVED'}: {fault[0]} ({', '.join(sorted(failed)) or 'no check failed'})")
    print(f"{'PASS' if not survived else 'FAIL'}: {len(planted) - survived} of {len(planted)} faults caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
