# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_velo_ut on many ranks: python3 test_lhcb_velo_ut_ranks.py PROGRAM"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
import raw_files  # noqa: E402
from farm_case import FarmCase  # noqa: E402
from program_case import ONE_LANE, main  # noqa: E402
from tables import read_csv  # noqa: E402


class RanksTest(FarmCase):
    EVENTS = ("--generate", 8, "--batch", 1)

    def test_the_results_do_not_depend_on_ranks(self):
        self.check_any_number_of_ranks()

    def test_a_journal_is_resumed(self):
        self.check_resumed(3, 2, 0.5)

    def test_a_run_that_loses_a_rank_is_resumed(self):
        for rank in (0, 2):
            self.check_killed(("--generate", 60, "--batch", 1, *ONE_LANE), 3, rank, journal_size=500_000)

    def test_long_tracks_do_not_depend_on_ranks(self):
        events = self.folder / "events"
        self.succeed("--generate", 5, "--seed", 3, "--long", "--repeat", 1, "--quiet", "--write-input", events)
        raw_files.kalman_files(events / "geometry" / "kalman")
        arguments = ("--input", events, "--long", "--batch", 1)
        expected = self.outcome_of(0, *arguments)
        self.assertGreater(expected[0]["results"]["categories"]["Long"]["efficiency"], 0.6)
        self.assertEqual(expected[0]["results"]["long_fits"]["fits"], expected[0]["results"]["long_tracks"])
        for ranks in (2, 3):
            self.check_same(self.outcome_of(ranks, *arguments), expected)

    def test_damaged_events_fail_once_and_in_their_order(self):
        events = self.folder / "events"
        self.succeed("--generate", 8, "--seed", 3, "--repeat", 1, "--quiet", "--write-input", events)
        of_files = [raw_files.mdf_event_of_files(events, f"3_{i}") for i in range(8)]
        for i in (1, 4):
            of_files[i] = raw_files.mdf_event(3, i, [(raw_files.VP_CLUSTERS, 3, 0, bytes(4))])
        mdf = events / "events.mdf"
        mdf.write_bytes(b"".join(of_files))
        (events / "banks" / "UT" / "3_2.bin").write_bytes(b"damaged")
        for source, limit, status in ((mdf, (), 3), (mdf, ("--events", 3, "--skip-bad-events"), 0), (events, (), 3),
                                      (events, ("--events", 6, "--skip-bad-events"), 0)):
            arguments = ("--input", source, "--batch", 1, "--slots", 1, *limit)
            expected = self.outcome_of(0, *arguments, status=status)
            journal = self.folder / "journal"
            for ranks in (2, 3):
                with self.subTest(source=source.name, ranks=ranks):
                    outcome = self.outcome_of(ranks, *arguments, "--journal", journal, status=status)
                    self.check_same(outcome, expected)
                    pipeline, of_one = outcome[0]["pipeline"], expected[0]["pipeline"]
                    self.assertEqual(pipeline["failures"], of_one["failures"])
                    if ranks == 2:
                        self.assertEqual(pipeline["events"], of_one["events"])
                    else:
                        self.assertEqual(pipeline["resumed_events"], of_one["events"]["read"])
            journal.unlink()


if __name__ == "__main__":
    main()
