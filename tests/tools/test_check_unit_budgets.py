# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/check_unit_budgets.py on small objects, compiled here."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_unit_budgets  # noqa: E402

# The volatile input keeps compilers from computing the results and dropping the functions.
HEAD = """namespace trackplex::detail {
volatile int input = 1;
template <class Body> [[gnu::noinline]] int run_places(Body body) {
  auto local = [body](int i) __attribute__((noinline)) { return body(i) + input; };
  return local(input);
}
template <int N> [[gnu::noinline]] int run_tiles() { return N + input; }
template <int N> [[gnu::noinline]] int run_else() { return N + input; }
}
using namespace trackplex::detail;
"""
SOURCES = {
    "three": "int f() { return run_places([](int i) { return i; }) + run_places([](int i) { return i + 1; }) + run_tiles<1>(); }",
    "again": "int h() { return run_tiles<1>(); }",
    "none": "int g() { return run_else<1>(); }",
    "large": "extern const char table[200000]; const char table[200000] = {1};",
}


class Budgets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.build = Path(cls.folder.name)
        commands = [{"command": f"c++ -o {output} -c source"} for output in ("a/missing.o", "a/cmake_pch.hxx.gch")]
        (cls.build / "a").mkdir()
        for name, source in SOURCES.items():
            text, output = f"{HEAD if '(' in source else ''}{source}\n", f"a/{name}.cpp.o"
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O1", "-x", "c++", "-c", "-", "-o", output],
                           cwd=cls.build, input=text, text=True, check=True)
            commands.append({"command": f"c++ -O1 -o {output} -c {name}.cpp"})
        (cls.build / "compile_commands.json").write_text(json.dumps(commands))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, **settings):
        """(number of problems, printed lines) with other settings of the script."""
        output = io.StringIO()
        settings = {"MAX_BODIES": 24} | settings
        with mock.patch.multiple(check_unit_budgets, **settings), contextlib.redirect_stdout(output):
            return check_unit_budgets.check(self.build, 3), output.getvalue().splitlines()

    def test_bodies_and_text(self):
        units = check_unit_budgets.measure(self.build)
        self.assertEqual(sorted(units), [f"a/{name}.cpp.o" for name in sorted(SOURCES)])
        self.assertEqual(units["a/three.cpp.o"][0], 3)
        self.assertEqual(units["a/none.cpp.o"][0], 0)
        self.assertGreaterEqual(units["a/large.cpp.o"][1], 200)
        self.assertLess(units["a/none.cpp.o"][1], 2)

    def test_all_within_their_budgets(self):
        problems, lines = self.check()
        self.assertEqual(problems, 0)
        self.assertEqual(lines[-1], "check_unit_budgets: 4 units, 0 over their budget")

    def test_too_many_bodies(self):
        problems, lines = self.check(MAX_BODIES=2)
        self.assertEqual(problems, 1)
        self.assertTrue(lines[0].startswith("a/three.cpp.o: 3 kernel bodies (limit 2), "), lines[0])

    def test_own_sources_of_programs(self):
        problems, lines = self.check(OF_PROGRAM=re.compile("a/"), MAX_BODIES_OF_PROGRAM=2)
        self.assertEqual(problems, 1)
        self.assertTrue(lines[0].startswith("a/three.cpp.o: 3 kernel bodies (limit 2), "), lines[0])
        self.assertTrue(check_unit_budgets.OF_PROGRAM.match("examples/own/CMakeFiles/own.dir/main.cpp.o"))
        self.assertFalse(check_unit_budgets.OF_PROGRAM.match("examples/own/CMakeFiles/own_serial_double.dir/a.cpp.o"))

    def test_too_much_text(self):
        problems, lines = self.check(MAX_TEXT_KB=100)
        self.assertEqual(problems, 1)
        self.assertRegex(lines[0], r"a/large\.cpp\.o: 0 kernel bodies .* 200 kB of text \(limit 100\)")

    def test_kernels_of_the_library(self):
        self.assertEqual(self.check(LIBRARY="a/three*")[0], 0)
        problems, lines = self.check(LIBRARY="a/three*", MAX_REPEATED=0)
        self.assertEqual(problems, 1)
        self.assertTrue(lines[0].startswith("a/again.cpp.o: 1 kernels of trackplex_kernels"), lines[0])

    def test_objects_with_another_kokkos(self):
        self.assertEqual(self.check(LIBRARY="a/three*", OTHER_KOKKOS="a/again*", MAX_REPEATED=0)[0], 0)

    def test_exceptions(self):
        exceptions = {"a/th*": (3, 10, 0, "has three"), "a/*": (1, 500, 0, "large")}
        self.assertEqual(self.check(MAX_BODIES=0, MAX_TEXT_KB=0, EXCEPTIONS=exceptions)[0], 0)

    def test_nothing_built(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            with self.assertRaisesRegex(SystemExit, "configure it"):
                check_unit_budgets.check(Path(folder), 3)
            Path(folder, "compile_commands.json").write_text("[]")
            with self.assertRaises(SystemExit) as stopped:
                check_unit_budgets.check(Path(folder), 3)
            self.assertEqual(stopped.exception.code, 77)


if __name__ == "__main__":
    unittest.main()
