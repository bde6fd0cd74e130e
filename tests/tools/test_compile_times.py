# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/compile_times on made-up logs."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "compile_times"
loader = importlib.machinery.SourceFileLoader("compile_times", str(SCRIPT))
compile_times = importlib.util.module_from_spec(importlib.util.spec_from_loader("compile_times", loader))
loader.exec_module(compile_times)

LOG = """# ninja log v5
0\t9\t0\t/build/CMakeFiles/cmake.verify_globs\taa
0\t90000\t1\ttests/beam/CMakeFiles/test_beam.dir/moments.cpp.o\ta1
10\t3010\t1\ttests/beam/CMakeFiles/test_beam.dir/optics.cpp.o\ta2
20\t5020\t1\texamples/beamline/CMakeFiles/beamline.dir/main.cpp.o\ta3
30\t1030\t1\texamples/beamline/tests/CMakeFiles/test_beamline.dir/input.cpp.o\ta4
40\t540\t1\tbin/test_beam\ta5
50\t3050\t1\tCMakeFiles/check_headers.dir/header_checks/plain/version.cpp.o\ta6
60\t160\t1\tgenerated/a.hpp\ta7
60\t160\t1\tgenerated/b.hpp\ta7
70\t4070\t2\ttests/beam/CMakeFiles/test_beam.dir/moments.cpp.o\ta1
"""


def run(*arguments):
    """What main() prints."""
    output = io.StringIO()
    with mock.patch.object(sys, "argv", ["compile_times", *arguments]), contextlib.redirect_stdout(output):
        compile_times.main()
    return output.getvalue()


class Log(unittest.TestCase):
    def test_the_last_entry_of_an_output_counts(self):
        steps = dict(compile_times.read_log(LOG))
        self.assertEqual(steps["tests/beam/CMakeFiles/test_beam.dir/moments.cpp.o"], 4.0)

    def test_a_step_with_several_outputs_counts_once(self):
        self.assertEqual(compile_times.summary(compile_times.read_log(LOG))["folders"]["generated"],
                         {"seconds": 0.1, "steps": 1})

    def test_sums(self):
        report = compile_times.summary(compile_times.read_log(LOG))
        self.assertEqual((report["seconds"], report["steps"]), (16.6, 7))
        self.assertEqual(list(report["folders"]), ["tests/beam", "examples/beamline", "check_headers", "bin", "generated"])
        self.assertEqual(report["folders"]["tests/beam"], {"seconds": 7.0, "steps": 2})
        self.assertEqual(report["folders"]["examples/beamline"], {"seconds": 6.0, "steps": 2})
        self.assertEqual(report["units"][0]["name"], "examples/beamline/main.cpp [beamline]")

    def test_what_is_no_log(self):
        for text in ("", "something\n", "# ninja log v5\n1\t2\n", "# ninja log v5\na\tb\t0\tc\td\n"):
            with self.assertRaises(ValueError, msg=text):
                compile_times.read_log(text)


class Program(unittest.TestCase):
    def test_slowest_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, ".ninja_log").write_text(LOG)
            output = run(folder, "-n", "1", "--json", f"{folder}/out.json")
            self.assertIn("5.0  examples/beamline/main.cpp [beamline]", output)
            self.assertNotIn("moments.cpp", output)
            self.assertEqual(json.loads(Path(folder, "out.json").read_text())["steps"], 7)

    def test_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "cannot read .*scripts/build"):
                run(folder)
            Path(folder, ".ninja_log").write_text("nonsense")
            with self.assertRaisesRegex(SystemExit, "is no log of Ninja"):
                run(folder)


if __name__ == "__main__":
    unittest.main()
