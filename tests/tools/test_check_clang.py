# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/check_clang.py on small sources."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_clang.py"
GOOD = "template <class T> T twice(T x) { return x + x; }\nint main() { return twice(0); }\n"
UNUSED = "class A {\n  int unused_;\n};\nint main() { return sizeof(A) == 0; }\n"  # of which g++ does not warn


@unittest.skipUnless(shutil.which("clang++"), "needs clang++")
class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)

    def check(self, sources, *arguments, options="-O3 -Wall"):
        entries = []
        for name, text in sources.items():
            (self.build / name).write_text(text)
            entries.append({"directory": str(self.build), "file": str(self.build / name),
                            "command": f"/usr/bin/c++ {options} -include {self.build}/cmake_pch.hxx -o {name}.o -c {name}"})
        (self.build / "compile_commands.json").write_text(json.dumps(entries))
        return subprocess.run([sys.executable, SCRIPT, self.build, *arguments], capture_output=True, text=True)

    def test_what_clang_accepts(self):
        done = self.check({"good.cpp": GOOD})
        self.assertEqual((done.returncode, done.stdout), (0, "check_clang: 1 sources, 0 refused\n"))

    def test_what_it_refuses_or_warns_of(self):
        done = self.check({"good.cpp": GOOD, "wrong.cpp": GOOD + "}", "unused.cpp": UNUSED})
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong.cpp:3", done.stdout)
        self.assertIn("unused_", done.stdout)
        self.assertIn("3 sources, 2 refused", done.stdout)

    def test_a_choice_of_sources(self):
        self.assertEqual(self.check({"good.cpp": GOOD, "wrong.cpp": "}"}, "--only", "good").returncode, 0)
        self.assertEqual(self.check({"good.cpp": GOOD}, "--only", "absent").returncode, 1)

    def test_programs_one_source_at_a_time(self):
        folder = self.build / "examples" / "Unity"
        folder.mkdir(parents=True)
        (self.build / "first.cpp").write_text("int first() { return 1; }\n")
        (self.build / "second.cpp").write_text("int second() { return first(); }\n")  # without a declaration
        unity = folder / "unity_0_cxx.cxx"
        unity.write_text("".join(f'#include "{self.build}/{name}.cpp"\n' for name in ("first", "second")))
        (self.build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(self.build), "file": str(unity), "command": f"/usr/bin/c++ -o unity.o -c {unity}"}]))
        done = subprocess.run([sys.executable, SCRIPT, self.build], capture_output=True, text=True)
        self.assertIn("second.cpp:1", done.stdout)
        self.assertIn("2 sources, 1 refused", done.stdout)

    def test_no_build_folder(self):
        done = subprocess.run([sys.executable, SCRIPT, self.build / "absent"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("configure it with a preset", done.stderr)


if __name__ == "__main__":
    unittest.main()
