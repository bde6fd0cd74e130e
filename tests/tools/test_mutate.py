# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/mutate in a small tree, with a cmake and a ctest that only look at the source."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "mutate"

SOURCE = "int one = 1;\nint two = 2;\nint same = 3;\nint same_too = 3;\n"
# Each notes what it was called with. A source with "syntax" does not compile, one with "slow" is never done, and the tests
# see only the first line.
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$TREE/calls"
! grep -q syntax "$TREE/src/a.hpp"
"""
CTEST = """#!/bin/sh
echo "ctest $*" >>"$TREE/calls"
if grep -q slow "$TREE/src/a.hpp"; then touch "$TREE/is_slow"; sleep 100 & echo $! >"$TREE/sleeper"; wait; fi
case "$*" in *nothing*) exit 8 ;; esac
grep -q "one = 1;" "$TREE/src/a.hpp"
"""


def fault(find, replace, **more):
    return {"file": "src/a.hpp", "find": find, "replace": replace, "target": "test_a", "tests": "^a$", **more}


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Mutate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name).resolve()
        for name in ("scripts", "src", "bin", "build/test"):
            (self.tree / name).mkdir(parents=True)
        self.script = shutil.copy(SCRIPT, self.tree / "scripts")
        self.source = self.tree / "src" / "a.hpp"
        self.source.write_text(SOURCE)
        (self.tree / "build/test/CMakeCache.txt").touch()
        for name, text in (("cmake", CMAKE), ("ctest", CTEST)):
            (self.tree / "bin" / name).write_text(text)
            (self.tree / "bin" / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{self.tree}/bin:{os.environ['PATH']}", "TREE": str(self.tree)}

    def start(self, faults, *arguments):
        (self.tree / "list.json").write_text(faults if isinstance(faults, str) else json.dumps(faults))
        return subprocess.Popen([sys.executable, self.script, str(self.tree / "list.json"), *arguments], text=True,
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def mutate(self, faults, *arguments):
        process = self.start(faults, *arguments)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(self.source.read_text(), SOURCE)
        self.assertFalse((self.tree / "build/test/mutate-planted.json").exists())
        return process.returncode, output, errors

    def calls(self):
        path = self.tree / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_verdicts(self):
        status, output, _ = self.mutate([fault("= 1", "= 7"), fault("= 2", "= 7"), fault("= 2", "syntax")])
        self.assertEqual(status, 1)
        table = output.split("\n\n")[1].splitlines()
        self.assertEqual(table, ["found             src/a.hpp:1: = 1 -> = 7", "NOT FOUND         src/a.hpp:2: = 2 -> = 7",
                                 "does not compile  src/a.hpp:2: = 2 -> syntax"])
        self.assertIn("\n1 of 3 faults found\n", output)

    def test_all_found(self):
        status, output, _ = self.mutate([fault("= 1", "= 7")])
        self.assertEqual(status, 0)
        self.assertIn("1 of 1 faults found", output)

    def test_it_builds_and_runs_what_is_named(self):
        self.mutate([fault("= 1", "= 7", target="t", tests="^x$")], "-j", "3")
        folder = self.tree / "build" / "test"
        once = [f"cmake --build {folder} --parallel 3 --target t",
                f"ctest --test-dir {folder} --parallel 3 --no-tests=error -R ^x$"]
        self.assertEqual(self.calls(), once + once)  # without the fault, and with it

    def test_the_source_is_newer_after_it_than_what_was_built_of_the_fault(self):
        os.utime(self.source, (1, 1))
        begin = time.time()
        self.mutate([fault("= 1", "= 7")])
        self.assertGreaterEqual(self.source.stat().st_mtime, begin - 1)

    def test_lines(self):
        self.assertIn("a.hpp:4: = 3 ->", self.mutate([fault("= 3", "= 7", line=4)])[1])
        self.assertIn("a.hpp:2: = 2 ->", self.mutate([fault("= 2", "= 7", line=4)])[1])  # it has moved
        for entry in (fault("= 3", "= 7"), fault("= 3", "= 7", line=1), fault("absent", "= 7"), fault("", "x"),
                      fault("= 1", "= 1"), fault("n", "m", line=1)):
            status, _, errors = self.mutate([fault("= 1", "= 7"), entry])
            self.assertEqual(status, 1, entry)
            self.assertIn("src/a.hpp", errors)
        self.assertEqual(len([call for call in self.calls() if call.startswith("cmake")]), 4)  # none for a bad list

    def test_bad_lists(self):
        incomplete = fault("= 1", "= 7")
        del incomplete["tests"]
        for faults in ("nonsense", "[3]", [incomplete], [fault("= 1", "= 7", lines=1)], [fault("= 1", "= 7", file="absent")],
                       [{**fault("= 1", "= 7"), "file": "absent.hpp"}]):
            status, _, errors = self.mutate(faults)
            self.assertEqual(status, 1)
            self.assertRegex(errors, r"^mutate: .*list\.json: ")
        self.assertEqual(self.calls(), [])

    def test_tests_that_fail_without_a_fault(self):
        status, output, errors = self.mutate([fault("= 1", "= 7", tests="nothing")])
        self.assertEqual((status, output), (1, ""))
        self.assertIn("nothing do not pass without a fault", errors)

    def test_tests_that_never_end_have_found_it(self):
        status, output, _ = self.mutate([fault("= 1", "slow")], "--timeout", "1")
        self.assertEqual(status, 0)
        self.assertIn("found ", output)
        self.assertFalse(is_running((self.tree / "sleeper").read_text().strip()))

    def test_no_build_folder(self):
        status, _, errors = self.mutate([fault("= 1", "= 7")], "--build-folder", str(self.tree / "src"))
        self.assertEqual(status, 1)
        self.assertIn("is no build folder; run scripts/build test", errors)

    def test_help(self):
        done = subprocess.run([sys.executable, self.script, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("one at a time", done.stdout)

    def start_slow_one(self):
        process = self.start([fault("= 1", "= 7"), fault("= 2", "slow")])
        for _ in range(600):
            if (self.tree / "sleeper").exists() and (self.tree / "sleeper").read_text().strip():
                break
            time.sleep(0.05)
        self.assertIn("slow", self.source.read_text())
        return process

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start_slow_one()
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (130, ""))
            self.assertEqual(self.source.read_text(), SOURCE)
            self.assertIn("1 of 1 faults found", output)
            self.assertFalse(is_running((self.tree / "sleeper").read_text().strip()))
            (self.tree / "sleeper").unlink()

    def kill(self):
        process = self.start_slow_one()
        process.kill()
        process.communicate()
        os.kill(int((self.tree / "sleeper").read_text()), signal.SIGKILL)
        self.assertIn("slow", self.source.read_text())

    def test_after_a_crash_the_next_run_restores(self):
        self.kill()
        status, output, _ = self.mutate([fault("= 1", "= 7")])
        self.assertEqual(status, 0)
        self.assertIn(f"restored {self.source}", output)

    def test_after_a_crash_what_was_edited_since_stays(self):
        self.kill()
        self.source.write_text("int mine;\n")
        process = self.start([fault("= 1", "= 7")])
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("edited since", errors)
        self.assertEqual(self.source.read_text(), "int mine;\n")


if __name__ == "__main__":
    unittest.main()
