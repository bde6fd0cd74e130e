# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of all programs that deal events to ranks: a test module derives FarmCase and says the events."""

import json
import os
import re
import signal
import time

from ranks import RanksCase


class FarmCase(RanksCase):
    EVENTS = ()  # options of a few events
    TABLES = ("tracks.csv", "tracks_hits.csv")  # that --output tracks.csv writes
    # Ranks and threads.
    SETTINGS = ((1, 1), (2, 2), (3, 1), (5, 1))

    @classmethod
    def setUpClass(cls):
        cls.known = {}

    def outcome_of(self, ranks, *arguments, threads=1, status=0):
        """Report and files of a run."""
        report = self.folder / "report.json"
        for name in (report.name, *self.TABLES):
            (self.folder / name).unlink(missing_ok=True)
        result = self.run_on(ranks, "--json", report, "--output", self.folder / "tracks.csv", "--repeat", 1, *arguments,
                             threads=threads)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(report.read_text()), {name: (self.folder / name).read_bytes() for name in self.TABLES}

    def check_same(self, outcome, expected):
        (report, files), (expected_report, expected_files) = outcome, expected
        self.assertEqual(report["results"], expected_report["results"])
        self.assertEqual(report["input"], expected_report["input"])
        for name in self.TABLES:
            self.assertEqual(files[name], expected_files[name], name)

    def pipeline_of(self, report):
        """That of the only strategy, where a program has strategies."""
        pipeline = report["pipeline"]
        return pipeline if "events" in pipeline else next(iter(pipeline.values()))

    def refused(self, ranks, status, words, *arguments):
        """A run that fails, with one message."""
        result = self.run_on(ranks, "--repeat", 1, "--quiet", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(len(re.findall(re.escape(words), result.stderr)), 1, result.stderr)

    def alone(self, *arguments):
        """The outcome without a launcher, of the first run with these arguments."""
        if arguments not in self.known:
            self.known[arguments] = self.outcome_of(0, *arguments)
        return self.known[arguments]

    def check_any_number_of_ranks(self):
        expected = self.alone(*self.EVENTS)
        for ranks, threads in self.SETTINGS:
            with self.subTest(ranks=ranks, threads=threads):
                outcome = self.outcome_of(ranks, *self.EVENTS, threads=threads)
                self.check_same(outcome, expected)
                self.assertEqual(outcome[0]["ranks"], ranks)
                if ranks > 1:
                    pipeline = self.pipeline_of(outcome[0])
                    of_ranks = [rank["events"] for rank in pipeline["ranks"]]
                    self.assertEqual(len(of_ranks), ranks)
                    self.assertEqual(sum(of_ranks), pipeline["events"]["read"])

    def check_resumed(self, first, again, cut):
        """A journal that is cut off, from so many ranks, resumed by so many."""
        journal = self.folder / "journal"
        expected = self.alone(*self.EVENTS)
        self.check_same(self.outcome_of(first, *self.EVENTS, "--journal", journal), expected)
        whole = journal.read_bytes()
        journal.write_bytes(whole[:int(cut * len(whole))])
        outcome = self.outcome_of(again, *self.EVENTS, "--journal", journal)
        self.check_same(outcome, expected)
        pipeline = self.pipeline_of(outcome[0])
        self.assertGreater(pipeline["resumed_events"], 0)
        self.assertGreater(pipeline["events"]["read"], 0)
        self.assertEqual(journal.read_bytes(), whole)

    def check_killed(self, arguments, ranks, rank, how=signal.SIGKILL, journal_size=100_000):
        """A run that is ended with a message when its journal has this size, of several events, and resumed by other ranks."""
        journal = self.folder / "journal"
        journal.unlink(missing_ok=True)
        expected = self.alone(*arguments)
        run = self.start_on(ranks, "--repeat", 1, "--quiet", "--journal", journal, *arguments)
        pid = run.pid_of(rank)
        self.wait_for(lambda: journal.exists() and journal.stat().st_size > journal_size)
        os.kill(pid, how)
        killed = time.monotonic()
        result = run.wait(timeout=30)
        self.assertLess(time.monotonic() - killed, 10, "the other ranks went on")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "Killed|signal")
        outcome = self.outcome_of(2, "--journal", journal, *arguments)
        self.check_same(outcome, expected)
        pipeline = self.pipeline_of(outcome[0])
        self.assertGreater(pipeline["resumed_events"], 0)
        self.assertGreater(pipeline["events"]["read"], 0, "it was killed too late")
        return result
