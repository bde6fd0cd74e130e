#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/fresh_machine with stand-ins for what makes a root: what it takes for a failure, and when it skips."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fresh_machine"
STAND_INS = {
    "unshare": 'while [[ $1 == --* ]]; do shift; done; exec "$@"',
    "mount": "true",
    "apt-get": "true",
    "dpkg": "echo amd64",
    "debootstrap": 'mkdir -p "$3/etc" "$3/root" "$3/proc" "$3/dev/shm"',
    # chroot <root> env -i ... bash -c <command>
    "chroot": 'cd "$1/trackplex"; command=${*: -1}; exec bash -ec "${command#cd /trackplex && }"',
}


def run(*arguments, **changed):
    """Runs the script with the stand-ins, some of them changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (STAND_INS | changed).items():
            tool = Path(folder) / name.replace("_", "-")
            tool.write_text(f"#!/bin/bash\n{text}\n")
            tool.chmod(0o755)
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "XDG_CACHE_HOME": folder}
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False, env=environment)


class FreshMachine(unittest.TestCase):
    def test_usage(self):
        self.assertTrue(run("--help").stdout.startswith("usage: scripts/fresh_machine"))
        self.assertEqual(run("--unknown").returncode, 2)

    def test_skips_where_there_can_be_no_root(self):
        done = run("true", unshare="exit 1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("scripts/fresh_machine: skipped (", done.stdout)

    def test_says_whether_there_can_be_a_root(self):
        self.assertEqual(run("--check", unshare="exit 1").returncode, 1)
        if os.geteuid() == 0:
            self.assertEqual(run("--check").returncode, 0)

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_a_root_that_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "root"
            self.assertEqual(run("--root", root, "touch made").returncode, 0)
            self.assertEqual(run("--root", root, "ls made").returncode, 0)
            self.assertTrue((root / "trackplex" / "made").exists())

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_a_command_sees_the_checkout(self):
        done = run("ls README.md scripts/demo")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("README.md\nscripts/demo\n", done.stdout)

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_failures(self):
        for command, message in (("exit 3", "exit 3 ended with 3"), ("echo x.hpp:3:4: warning: unused", "x.hpp:3:4: warning: unused"),
                                 ("echo CMake Deprecation Warning at", "but with warnings")):
            done = run(command, "echo next")
            self.assertEqual(done.returncode, 1, command)
            self.assertIn(message, done.stdout)
            self.assertIn("\nnext\n", done.stdout)  # the others run nevertheless
            self.assertIn("not all commands work on a fresh machine", done.stderr)


if __name__ == "__main__":
    unittest.main()
