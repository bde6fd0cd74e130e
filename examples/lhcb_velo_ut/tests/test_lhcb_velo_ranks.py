# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_velo on many ranks: python3 test_lhcb_velo_ranks.py PROGRAM"""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from farm_case import FarmCase  # noqa: E402
from program_case import ONE_LANE, main  # noqa: E402

MANY = ("--generate", 600, "--batch", 1, *ONE_LANE)  # so many that there is time to end the run


class RanksTest(FarmCase):
    EVENTS = ("--generate", 30, "--batch", 2)
    TABLES = ("tracks.csv", "tracks_hits.csv", "tracks_events.csv")
    SETTINGS = ((1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (5, 2))

    def test_the_results_do_not_depend_on_ranks(self):
        self.check_any_number_of_ranks()

    def test_they_do_not_depend_on_lanes_and_passes_either(self):
        self.REPORT_ARGUMENTS = ("--lanes", "all", "--precision", "all", "--repeat", 2)
        hashes = [{(run["precision"], run["lanes"]): run["hash"] for run in self.report_of(ranks, *self.EVENTS)["runs"]}
                  for ranks in (0, 3)]
        self.assertEqual(*hashes)
        self.assertEqual(len(set(hashes[0].values())), 2)

    def test_files_are_read_by_the_ranks_that_need_them(self):
        events = self.folder / "events"
        self.succeed("--generate", 12, "--repeat", 1, "--write-input", events, "--quiet")
        self.EVENTS, self.SETTINGS = ("--input", events, "--batch", 1), ((2, 1), (3, 1))
        self.check_any_number_of_ranks()
        (events / "velo_event_5.velo").write_bytes(b"damaged")
        for limit in ((), ("--events", 8)):
            arguments = ("--input", events, "--batch", 1, "--slots", 1, *limit)
            expected, *_ = alone = self.outcome_of(0, *arguments, status=3)
            for ranks in (2, 3):
                outcome = self.outcome_of(ranks, *arguments, status=3)
                self.check_same(outcome, alone)
                self.assertEqual(outcome[0]["pipeline"]["failures"], expected["pipeline"]["failures"])
                self.assertEqual(outcome[0]["pipeline"]["events"], expected["pipeline"]["events"])

    def test_a_journal_is_resumed_by_any_number_of_ranks(self):
        self.check_resumed(1, 3, 0.5)
        (self.folder / "journal").unlink()
        self.check_resumed(3, 0, 0.7)

    def test_a_run_that_loses_a_rank_is_resumed(self):
        for rank in (0, 2):
            self.check_killed(MANY, 3, rank)

    def test_a_signal_to_a_rank_ends_the_run_cleanly(self):
        result = self.check_killed(MANY, 2, 1, signal.SIGTERM)
        self.assertIn("stopped by a signal after", result.stderr)

    def test_journals_that_do_not_fit_are_refused_once(self):
        journal = self.folder / "journal"
        self.run_on(2, *self.EVENTS, "--journal", journal, "--repeat", 1)
        for ranks in (0, 2, 3):
            self.refused(ranks, 3, "the journal is of another run (nothing instead of '--seed 2')", *self.EVENTS, "--seed", 2,
                         "--journal", journal)
        whole = journal.read_bytes()
        journal.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.refused(3, 3, "record 29 is damaged", *self.EVENTS, "--journal", journal)
        journal.write_bytes(b"x" + whole[1:])
        self.refused(2, 3, "byte 0: this is no journal", *self.EVENTS, "--journal", journal)
        self.refused(0, 1, "cannot be written", "--journal", self.folder / "nowhere" / "journal")


if __name__ == "__main__":
    main()
