#!/usr/bin/env python3
"""lockstep cosim of a program that was built without Verilator."""

from program import CANNOT, SOURCE, ProgramTest, main


class CosimMissing(ProgramTest):
    def test_one_sentence_and_code_3(self):
        result = self.lockstep("cosim", SOURCE / "configs" / "cosim-bank-mac.yaml")
        self.assert_refused(result, "this program was built without Verilator, so it has no bank unit in RTL "
                                    "(docs/rtl.md)", CANNOT)


if __name__ == "__main__":
    main()
