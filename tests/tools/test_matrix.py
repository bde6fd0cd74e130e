#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/matrix refuses cells that there are not, before it installs or compiles anything."""

import subprocess
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "matrix"


def run(*arguments):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


class Matrix(unittest.TestCase):
    def test_help(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("usage: scripts/matrix"))

    def test_wrong_usage(self):
        for arguments in ((), ("--source", "core"), ("--sources",), ("--kernels",), ("--kernels", "all")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.startswith("usage: scripts/matrix"), done.stderr)

    def test_cells_that_there_are_not(self):
        for cell, message in (("icc", "'icc' is no compiler of the matrix"), ("gcc:v5", "'v5' is no setting of a cell"),
                              ("gcc:O4", "'O4' is no setting of a cell"), ("aarch64:v2", "v2 is a level of x86-64")):
            done = run("gcc", cell)
            self.assertEqual((done.returncode, done.stdout), (1, ""), cell)
            self.assertIn(message, done.stderr)

    def test_a_source_or_kernel_that_there_is_not(self):
        for arguments, missing in ((("--sources", "core,none"), "tests/reproducibility/none.cpp"),
                                   (("--kernels", "build_tracks,none"), "include/trackplex/**/detail/none.instances.hpp")):
            done = run(*arguments, "gcc")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"there is no {missing}", done.stderr)


if __name__ == "__main__":
    unittest.main()
