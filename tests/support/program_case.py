# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests that run a program as a user would: python3 TEST PROGRAM

A test module puts this folder on its path, derives its cases from ProgramCase and ends with main()."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else ""
NAME = Path(PROGRAM).name
# The programs offer one lane and the best ones, or only these.
ALL_LANES = os.environ.get("TRACKPLEX_OFFERED_LANES") != "default"
ONE_LANE = ("--lanes", 1) if ALL_LANES else ()
N_LANES = 1 + ALL_LANES


class ProgramCase(unittest.TestCase):
    # What `report` adds to its arguments.
    REPORT_ARGUMENTS = ("--repeat", 1)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600)

    def succeed(self, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def report(self, *arguments):
        """The JSON report of a successful run."""
        file = self.folder / "report.json"
        self.succeed(*self.REPORT_ARGUMENTS, *arguments, "--json", file)
        return json.loads(file.read_text())

    def fail_with(self, status, words, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertRegex(result.stderr, f"^{NAME}: ")
        self.assertIn(words, result.stderr)
        return result


def main():
    if not PROGRAM:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM [option of unittest]...")
    unittest.main(module="__main__")
