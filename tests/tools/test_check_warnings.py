# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/check_warnings on small headers."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_warnings"
COMPILER = os.environ.get("CXX", "c++")
GOOD = "#pragma once\ninline int twice(int x) { return 2 * x; }\n"
UNUSED = "#pragma once\ninline int thrice(int x) {\n  const int bytes = 4;\n  return 3 * x;\n}\n"
# Of which the optimiser of g++ alone warns.
BEYOND = "#pragma once\ninline int beyond(int i) {\n  int a[2] = {1, 2};\n  if (i != 5) return 0;\n  return a[i];\n}\n"


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.source = self.write("user.cpp", "#include <trackplex/core/good.hpp>\nint main() { return twice(0); }\n")
        self.write("trackplex/core/good.hpp", GOOD)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, *arguments, compilers=COMPILER, march="native"):
        return subprocess.run([sys.executable, SCRIPT, "--compilers", compilers, "--march", march, "--include", self.root,
                               "--kokkos", self.root / "kokkos", *arguments, self.source], capture_output=True, text=True)

    def test_no_warnings(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("1 headers\n", done.stdout)
        self.assertIn("2 compilations, 0 with warnings or errors\n", done.stdout)

    def test_a_warning_in_a_header_that_no_source_uses(self):
        self.write("trackplex/core/unused.hpp", UNUSED)
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"core/unused\.hpp:3: error: unused variable .bytes.")
        self.assertIn("2 compilations, 1 with warnings or errors\n", done.stdout)

    def test_private_headers_are_not_included(self):
        self.write("trackplex/core/detail/unused.hpp", UNUSED)
        self.assertEqual(self.check().returncode, 0)

    def test_a_missing_header_is_an_error(self):
        self.write("trackplex/core/bad.hpp", "#include <trackplex/core/nowhere.hpp>\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"core/bad\.hpp:1: error: .*nowhere\.hpp")

    @unittest.skipUnless(shutil.which("g++"), "needs g++")
    def test_warnings_of_the_optimiser(self):
        self.write("trackplex/core/beyond.hpp", BEYOND)
        self.source.write_text("#include <trackplex/core/beyond.hpp>\nint main(int n, char**) { return beyond(n); }\n")
        done = self.check(compilers="g++")
        self.assertRegex(done.stdout, r"-O2 user\.cpp: 1 messages\n.*beyond\.hpp:5: error: array subscript 5")
        self.assertIn("2 compilations, 1 with warnings or errors\n", done.stdout)

    def test_sources_of_absent_components_are_skipped(self):
        self.write("trackplex/io/detail/number_from_text.hpp", "#error not here\n")
        self.write("trackplex/io/table.hpp", "#error not here\n")
        self.source.write_text("#include <trackplex/io/table.hpp>\nint main() {}\n")
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 headers, without io\n", done.stdout)
        self.assertIn("1 compilations", done.stdout)

    def test_missing_compilers(self):
        done = self.check(compilers=f"g++-0,{COMPILER}")
        self.assertEqual(done.returncode, 0)
        self.assertIn("g++-0: skipped, it is not installed\n", done.stdout)
        done = self.check(compilers="g++-0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing was checked", done.stderr)


if __name__ == "__main__":
    unittest.main()
