#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/build and scripts/gpu_report in a project whose tools and programs only write what they were asked."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PROGRAMS = ("lhcb_velo", "lhcb_velo_ut", "cylinder_tracker", "kalman_fit", "detector_tracker", "beamline", "coulomb")
# Two runs of one step; the second has other bits where $WRONG is the program's name.
PROGRAM = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
if "--help" in sys.argv:
    sys.exit(print("--json"))
name = Path(__file__).name
if name == os.environ.get("FAILS"):
    sys.exit("no device")
def run_of(backend, time, found):
    return dict(backend=backend, precision="float", lanes=1, threads=1, hash=found, time_us=dict(all=time),
                time_spread_us=dict(all=dict(min=time, lower_quartile=time, upper_quartile=time, max=time)))
runs = [run_of("serial", 100., "aa"), run_of("cuda", 2., "bb" if name == os.environ.get("WRONG") else "aa")]
report = dict(schema="trackplex-report", schema_version=1, program=name, git="abc", host="here", cpu="Fast 1", compiler="GCC",
              load=0.1, date="2026-01-02T03:04:05Z", input={{}}, runs=runs)
Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps(report))
"""
TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
case "$(basename "$0") $1" in
  "ctest "*) echo "$TESTS"; exit "${TESTS_STATUS:-0}" ;;
  "cmake --preset") echo "-- Kokkos 4.7.02 with CUDA;SERIAL: /kokkos"; exit "${BUILD_STATUS:-0}" ;;
  "nvcc --version") echo "Cuda compilation tools, release 13.0, V13.0.88" ;;
esac
"""


def write_executable(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copytree(PROJECT / "scripts", self.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        write_executable(self.folder / "scripts" / "setup",
                         "#!/bin/sh\nmkdir -p build\necho \"TRACKPLEX_KOKKOS_DIR='' TRACKPLEX_PREFIX_PATH=''\" >build/setup-$1.env\n")
        for tool in ("cmake", "ctest", "nvcc"):
            write_executable(self.folder / "tools" / tool, TOOL)
        for program in PROGRAMS:
            write_executable(self.folder / "build" / "cuda" / "bin" / program, PROGRAM)
        self.calls = self.folder / "calls"
        self.calls.touch()

    def run_script(self, name, *arguments, **environment):
        environment = {**os.environ, "PATH": f"{self.folder / 'tools'}:{os.environ['PATH']}", "CALLS": str(self.calls),
                       "TESTS": "100% tests passed, 0 tests failed out of 7", **environment}
        return subprocess.run([self.folder / "scripts" / name, *arguments], cwd=self.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def report(self):
        return (self.folder / "build" / "gpu_report" / "report.md").read_text()

    def configured(self):
        line = next(line for line in self.calls.read_text().splitlines() if line.startswith("cmake --preset"))
        return re.sub(" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_DISABLE_PRECOMPILE_HEADERS=(ON|OFF)", "", line)  # where it is

    def test_definitions_go_to_cmake_and_the_rest_to_the_build(self):
        done = self.run_script("build", "cuda", "-DKokkos_ARCH_HOPPER90=ON", "-DX=a b", "--target", "beamline")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.configured(), "cmake --preset cuda -DKokkos_ARCH_HOPPER90=ON -DX=a b")
        self.assertRegex(self.calls.read_text(), r"cmake --build --preset cuda --parallel \d+ --target beamline\n")

    def test_the_preset_may_be_left_out(self):
        self.assertEqual(self.run_script("build", "-DX=1").returncode, 0)
        self.assertEqual(self.configured(), "cmake --preset openmp -DX=1")
        self.assertEqual(self.run_script("build", "--wrong").returncode, 2)

    def test_the_report_has_the_machine_the_tests_and_the_times(self):
        done = self.run_script("gpu_report", "--quick", "cuda", "-DX=1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("-DX=1", self.configured())
        text = self.report()
        for line in ("- nvcc 13.0, V13.0.88", "- Kokkos 4.7.02 with CUDA;SERIAL: /kokkos", "100% tests passed, 0 tests failed out of 7",
                     "| all | cuda | float | 1 | 1 | 2 us | 0.0 % | 50.00 | yes |"):
            self.assertIn(line, text)
        for program in PROGRAMS:
            self.assertIn(f"### {program}", text)

    def test_what_fails_is_in_the_report_and_does_not_stop_the_rest(self):
        failed = "  3 - kalman (Failed)\n85% tests passed, 1 tests failed out of 7"
        done = self.run_script("gpu_report", "--quick", "cuda", TESTS=failed, TESTS_STATUS="8", FAILS="lhcb_velo", WRONG="beamline")
        self.assertEqual(done.returncode, 1)
        text = self.report()
        self.assertIn("3 - kalman (Failed)", text)
        self.assertIn("/lhcb_velo failed with status 1\nno device", text)
        self.assertNotIn("### lhcb_velo\n", text)
        self.assertIn("| 50.00 | **no** |", text)
        self.assertIn("### coulomb", text)
        self.assertRegex(text, r"Programs +\d:\d\d  failed")

    def test_a_failed_build_ends_it(self):
        done = self.run_script("gpu_report", "cuda", BUILD_STATUS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the build failed", done.stdout)
        self.assertNotIn("ctest", self.calls.read_text())


if __name__ == "__main__":
    unittest.main()
