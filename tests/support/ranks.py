# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests that run a program on many ranks: python3 TEST PROGRAM

A test module puts this folder on its path, derives its cases from RanksCase and ends with main(). The launcher is that of the
environment variable TRACKPLEX_MPIEXEC, a command line in which {ranks} stands for the number of ranks."""

import json
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path

import program_case
from program_case import ProgramCase, main  # noqa: F401

LAUNCHER = os.environ.get("TRACKPLEX_MPIEXEC") or "mpirun -n {ranks}"
NUMBERS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK")  # variables that launchers give to ranks


def command(program, arguments, ranks):
    """The command line; no ranks: without a launcher."""
    launcher = shlex.split(LAUNCHER.replace("{ranks}", str(ranks))) if ranks else []
    return [*launcher, str(program), *map(str, arguments)]


class Run:
    """A program that is running; at the end of a `with`, nothing of it is."""

    def __init__(self, program, arguments, ranks, threads=1, environment=None):
        self.ranks = ranks
        self.process = subprocess.Popen(command(program, arguments, ranks), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=True,
                                        env={**os.environ, "OMP_NUM_THREADS": str(threads), **(environment or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def wait(self, timeout=120):
        """The result, as of subprocess.run; a run that takes longer is ended.

        Raises subprocess.TimeoutExpired."""
        try:
            out, errors = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.end()
            raise
        return subprocess.CompletedProcess(self.process.args, self.process.returncode, out, errors)

    def pid_of(self, rank, timeout=30):
        """The process of a rank, as soon as it is there."""
        until = time.monotonic() + timeout
        while time.monotonic() < until and self.process.poll() is None:
            for pid in descendants(self.process.pid):
                if rank_of(pid) == rank:
                    return pid
            time.sleep(0.02)
        raise RuntimeError(f"rank {rank} does not run")

    def send_signal(self, number, rank=None):
        """To a rank; without one, to the launcher."""
        os.kill(self.process.pid if rank is None else self.pid_of(rank), number)

    def kill(self, rank):
        self.send_signal(signal.SIGKILL, rank)

    def end(self):
        """Kills what is left."""
        if self.process.poll() is None:
            for pid in [*descendants(self.process.pid), self.process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.process.communicate()


def start(program, *arguments, ranks, threads=1, environment=None):
    return Run(program, arguments, ranks, threads, environment)


def run(program, *arguments, ranks, threads=1, timeout=120, environment=None):
    """Runs a program to its end. No ranks (0): without a launcher."""
    with start(program, *arguments, ranks=ranks, threads=threads, environment=environment) as running:
        return running.wait(timeout)


def descendants(pid):
    """The processes below a process."""
    try:
        children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir()
                    for child in (task / "children").read_text().split()]
    except OSError:  # it has ended
        return []
    return children + [below for child in children for below in descendants(child)]


def rank_of(pid):
    """The number of a rank, or None: the process is another one."""
    try:
        variables = dict(line.split("=", 1) for line in Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
                         if "=" in line)
    except OSError:
        return None
    return next((int(variables[name]) for name in NUMBERS if name in variables), None)


class RanksCase(ProgramCase):
    def run_on(self, ranks, *arguments, threads=1, timeout=120):
        return run(program_case.PROGRAM, *arguments, ranks=ranks, threads=threads, timeout=timeout)

    def start_on(self, ranks, *arguments, threads=1):
        """A run that does not outlive the test."""
        running = start(program_case.PROGRAM, *arguments, ranks=ranks, threads=threads)
        self.addCleanup(running.end)
        return running

    def report_of(self, ranks, *arguments, threads=1):
        """The JSON report of a successful run."""
        file = self.folder / "report.json"
        file.unlink(missing_ok=True)
        result = self.run_on(ranks, *self.REPORT_ARGUMENTS, *arguments, "--json", file, threads=threads)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(file.read_text())

    def fail_on(self, ranks, status, words, *arguments):
        """A run that fails, and says so once."""
        result = self.run_on(ranks, *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        told = [line for line in result.stderr.splitlines() if f"{program_case.NAME}: " in line and ": warning: " not in line]
        self.assertEqual(len(told), 1, result.stderr)
        self.assertIn(words, told[0])
        return result

    def wait_for(self, condition, timeout=30):
        until = time.monotonic() + timeout
        while not condition():
            self.assertLess(time.monotonic(), until, "nothing has happened")
            time.sleep(0.02)
