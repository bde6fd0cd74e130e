# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that use the library before Kokkos has started, or after it has ended: python3 test_lifecycle.py PROGRAM"""

import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else ""
VARIABLES = ("KOKKOS_NUM_THREADS", "KOKKOS_DISABLE_WARNINGS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_DYNAMIC")


def run(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, env=environment | variables)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (version, space), *cls.uses = (line.split() for line in run("list").stdout.splitlines())
        cls.version, cls.openmp = int(version), space == "OpenMP"
        cls.uses = [name for name, in cls.uses]
        # Kokkos 5.1 ends the process where the caller creates an instance.
        cls.uses_without_kokkos = cls.uses if cls.version < 50100 else ["new_zeros"]

    def succeed(self, *arguments, **variables):
        result = run(*arguments, **variables)
        self.assertEqual((result.returncode, result.stderr), (0, ""), (arguments, result.stdout))
        self.assertRegex(result.stdout, "done\n$", arguments)
        return result.stdout

    def refuse(self, *arguments, **variables):
        """The message of a UsageError, after which the program ends in peace. Kokkos 3.7 and newer may have complained about
        the instance of the caller before."""
        result = run(*arguments, **variables)
        self.assertEqual(result.returncode, 0, (arguments, result.stdout, result.stderr))
        self.assertRegex(result.stdout, "^UsageError: ", arguments)
        return result.stdout


class Kokkos(Case):
    def test_each_use_works_while_kokkos_runs(self):
        self.assertGreater(len(self.uses), 10)
        for use in self.uses:
            self.succeed("during", use)

    def test_each_use_before_kokkos_is_refused(self):
        for use in self.uses_without_kokkos:
            message = self.refuse("before", use)
            self.assertIn("Kokkos is not running", message, use)
            self.assertIn("create a trackplex::KokkosScope at the start of main", message, use)

    def test_each_use_after_kokkos_is_refused(self):
        for use in self.uses_without_kokkos:
            self.assertIn("Kokkos is no longer running", self.refuse("after", use), use)

    def test_messages_begin_with_the_label(self):
        for use, label in (("new_zeros", "zeros"), ("allocate_array", "array"), ("for_each_team", "teams")):
            if use in self.uses_without_kokkos:
                self.assertIn(f": Trackplex::Test::{label}: ", self.refuse("before", use))

    def test_an_empty_container_needs_no_kokkos(self):
        self.succeed("before")

    def test_kokkos_starts_once(self):
        self.assertIn("cannot be started again", self.refuse("again"))
        self.assertIn("already running", self.refuse("twice"))

    def test_a_scope_may_be_ended_early(self):
        self.succeed("early_end")

    def test_a_container_that_outlives_kokkos_cannot_grow(self):
        if self.version >= 50100:
            self.skipTest("Kokkos ends the process where the caller creates an instance")
        self.assertIn("Kokkos is no longer running", self.refuse("grow_after"))

    def test_a_static_container_is_released_before_the_end(self):
        self.succeed("kept")
        self.assertNotEqual(run("kept_too_long").returncode, 0)  # else docs/concepts/lifecycle.md is to be changed


class Threads(Case):
    def test_other_threads_launch_items(self):
        self.succeed("other_thread_items")

    def test_other_threads_launch_teams_or_are_refused(self):
        for use in ("teams", "scan", "count"):
            if self.openmp and self.version < 30700:
                self.assertIn("only from the thread that started Kokkos", self.refuse(f"other_thread_{use}"), use)
            else:
                self.succeed(f"other_thread_{use}")


class Environment(Case):
    def setUp(self):
        if not self.openmp:
            self.skipTest("Kokkos without OpenMP")

    def test_the_number_given_by_hand_wins(self):
        for name in ("KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"):
            for value in ("1", "2", "3"):
                self.assertIn("threads 2", self.succeed("two_threads", **{name: value}), (name, value))
        for value in ("0", "-1", "many", "999"):
            self.assertIn("threads 2", self.succeed("two_threads", KOKKOS_NUM_THREADS=value), value)

    def test_the_variable_is_left_as_it_was(self):
        self.assertIn("variable 1\n", self.succeed("two_threads", KOKKOS_NUM_THREADS="1"))
        self.assertIn("variable \n", self.succeed("two_threads"))

    def test_without_it_the_variables_decide(self):
        self.assertIn("threads 2", self.succeed("default_threads", KOKKOS_NUM_THREADS="2", OMP_NUM_THREADS="1"))
        self.assertIn("threads 1", self.succeed("default_threads", OMP_NUM_THREADS="1"))

    def test_what_is_no_number_is_named(self):
        for value in ("0", "-1", "many", "2x", "999"):
            self.assertIn("UsageError: KOKKOS_NUM_THREADS: ", self.refuse("default_threads", KOKKOS_NUM_THREADS=value), value)

    def test_a_limit_of_openmp_is_named(self):
        self.assertIn("UsageError: OMP_THREAD_LIMIT: ", self.refuse("two_threads", OMP_THREAD_LIMIT="1"))
        self.assertIn("UsageError: OMP_THREAD_LIMIT: ",
                      self.refuse("default_threads", OMP_THREAD_LIMIT="1", KOKKOS_NUM_THREADS="2"))
        self.assertIn("threads 1", self.succeed("default_threads", OMP_THREAD_LIMIT="1"))

    def test_openmp_gives_all_threads_on_a_busy_machine(self):
        self.assertIn("threads 2", self.succeed("two_threads", OMP_DYNAMIC="true"))

    def test_warnings_of_kokkos_may_be_switched_on(self):
        for value in ("0", "1"):
            result = run("two_threads", KOKKOS_DISABLE_WARNINGS=value)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("threads 2", result.stdout)


if __name__ == "__main__":
    if not PROGRAM:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM [option of unittest]...")
    unittest.main()
